"""Whether judgements can be used for systems that did not contribute to the pool."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from concordant.checks import n_workers, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientsLike, chosen
from concordant.errors import ArgumentError, option, public
from concordant.experiments.experiment import ExperimentResult, value_or_none
from concordant.reading.evaluate import evaluate_under
from concordant.reading.measure_names import measures_of
from concordant.reading.qrels import QrelsLike, qrels_of
from concordant.reading.trec_runs import Names, Run, RunsLike, each_run, in_trec_order
from concordant.results.note import Note
from concordant.results.result import records
from concordant.results.words import number, sentences
from concordant.scores.scores import Scores
from concordant.study.names import GroupBy, group_option, groups_by_name
from concordant.study.study import Study
from concordant.typing import Executor, Progress


@dataclass(frozen=True)
class WithAndWithout:
    """A coefficient between the scores with and without the judgements that came from a system alone.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    value : float or None
        The value of the coefficient; None if it is undefined.
    """

    coefficient: Coefficient
    value: float | None


@dataclass(frozen=True)
class Reused:
    """The scores of a system with and without the judgements that came from its group alone.

    Attributes
    ----------
    system : str
        The name of the system.
    group : str
        The name of the group of systems.
    score : float
        The score with all judgements.
    score_without : float
        The score without the judgements that only its group brought to the pool.
    difference : float
        The score with all judgements minus the score without them.
    judgements_removed : int
        The number of judgements that were removed.
    """

    system: str
    group: str
    score: float
    score_without: float
    difference: float
    judgements_removed: int


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ReuseResult(ExperimentResult[WithAndWithout]):
    """The result of `reuse`; prints as text.

    Attributes
    ----------
    correlations : tuple of WithAndWithout
        Rankings of systems with and without their own judgements.
    systems : tuple of Reused
        Each system.

    Examples
    --------
    >>> import concordant as cd
    >>> small = cd.experiments.simulate.collection(3, 3, 50, pool_depth=10, rng=1)
    >>> result = cd.experiments.reuse(small.qrels, small.runs, ["tau_b"], depth=10)
    >>> len(result.systems), result.correlations[0].coefficient
    (3, <coefficient tau_b>)
    """

    function: ClassVar[str] = "reuse"

    correlations: tuple[WithAndWithout, ...] = records(
        WithAndWithout, "Rankings of systems with and without their own judgements"
    )
    systems: tuple[Reused, ...] = records(Reused, "Each system")

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: the correlations, and the system that loses most."""
        if not self.correlations:
            return ()
        values = ", ".join(
            f"{row.coefficient} {'undefined' if row.value is None else number(row.value)}"
            for row in self.correlations
        )
        own = "a system's own group" if self.options["group_by"] else "the system itself"
        said = [f"Scores with and without the judgements that only {own} brought: {values}"]
        if self.systems:
            worst = min(self.systems, key=lambda row: row.difference)
            before, after = number(worst.score), number(worst.score_without)
            loses = f"{worst.system} loses most: {before} becomes {after}"
            said.append(loses if worst.difference < 0 else "No system loses by it")
        return sentences(said)


@public
def reuse(
    qrels: QrelsLike,
    runs: RunsLike,
    coefficients: CoefficientsLike = ("pearson_rank", "tau_gap", "tau_ap_b", "tau_b", "pearson_r"),
    *,
    measure: object = "AP",
    depth: int | None = None,
    group_by: GroupBy | None = None,
    names: Names = "tag",
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> ReuseResult:
    """Remove the judgements that only one run brought to the pool, score it again, and correlate.

    Parameters
    ----------
    qrels : path, mapping or DataFrame
        The judgements, as `evaluate` takes them.
    runs : path, pattern, or several
        The runs, as `evaluate` takes them; each is read once.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them. A verdict is about the first.
    measure : str, default "AP"
        The measure, as `evaluate` takes it.
    depth : int, optional
        The depth of the pool: the number of first documents of each run that were judged. By default it is
        the largest depth to which half of the runs or more are judged on every topic; a note tells it.
    group_by : str or mapping, optional
        A regular expression, or ``{run: group}``. Runs are one group if the expression matches the same text
        in their names; ``"^[^-]+"`` matches the part before the first hyphen. A run without a group is on its
        own; by default all are.
    names : {"tag", "file"}
        Whether to name systems by the tag in their run, or by the name of the file.
    workers : int, default 1
        The number of processes; -1 means all cores.
    executor : concurrent.futures.Executor, optional
        The executor that does the work: any executor of PEP 3148, such as a pool of processes, or
        ``client.get_executor()`` of Dask. The result does not depend on it.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    ReuseResult
        ``correlations`` between the scores with and without these judgements; ``systems``, both scores of
        each system, and the number of judgements that came from its group alone.

    References
    ----------
    .. [1] Gao, Bagdouri and Oard, "Pearson Rank: a head-weighted gap-sensitive score-based correlation
       coefficient", SIGIR 2016, figure 1.

    Examples
    --------
    >>> import concordant as cd
    >>> small = cd.experiments.simulate.collection(3, 3, 50, pool_depth=10, rng=1)
    >>> result = cd.experiments.reuse(small.qrels, small.runs, ["tau_b"], depth=10)
    >>> sorted(system.system for system in result.systems) == sorted(small.runs)
    True
    """
    asked = chosen(coefficients)
    if depth is not None:
        whole_number("depth", depth)
    n_workers(workers)
    measures = measures_of(measure)
    full = qrels_of(qrels)
    read = each_run(runs, names)
    ranked = [Run(run.name, {t: in_trec_order(own) for t, own in run.topics.items()}) for run in read]
    notes: list[Note] = []
    if depth is None:
        depth = _depth_of_pool(full, ranked)
        text = f"the pool has depth {depth}: half of the runs or more are judged to this depth on every topic"
        notes.append(Note("depth_of_pool", text=text, values={"depth": depth}))
    names_of_runs = [run.name for run in ranked]
    group_of, of_groups = groups_by_name(names_of_runs, group_by)
    notes += of_groups

    def scored(judgements: Mapping[str, Mapping[str, int]], own: Sequence[Run]) -> Scores:
        judged = {"qrels": (judgements, measures)}
        return evaluate_under(judged, list(own), workers=workers, executor=executor)["qrels"]

    scores = scored(full, ranked)
    runs_of: dict[str, list[Run]] = defaultdict(list)
    # The groups that brought each document of a topic to the pool.
    brought: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for run in ranked:
        group = group_of.get(run.name, f"\0{run.name}")  # no group is called so
        runs_of[group].append(run)
        for topic in full.keys() & run.topics.keys():
            for document in islice(run.topics[topic], depth):
                brought[topic][document].add(group)
    without: dict[str, float] = {}
    removed: dict[str, int] = {}
    for done, (group, own) in enumerate(runs_of.items(), 1):
        alone: dict[str, Mapping[str, int]] = {
            topic: {d: rel for d, rel in documents.items() if brought[topic].get(d) != {group}}
            for topic, documents in full.items()
        }
        n_removed = sum(map(len, full.values())) - sum(map(len, alone.values()))
        # A topic without judgements would be dropped, so that it keeps one document that no run has.
        alone = {topic: documents or {"": 0} for topic, documents in alone.items()}
        again = scored(alone, own).mean()
        without.update(again)
        removed.update(dict.fromkeys(again, n_removed))
        if progress is not None:
            progress(done, len(runs_of))
    (pairing,) = Study(scores, {"without": {s: without[s] for s in scores.systems}}).pairings
    means = pairing.reference.mean
    outcomes = zip(asked, pairing.of_means(asked), strict=True)
    systems = sorted(means, key=lambda s: -means[s])
    return ReuseResult(
        correlations=tuple(WithAndWithout(c, value_or_none(outcome.values[0])) for c, outcome in outcomes),
        systems=tuple(
            Reused(s, group_of.get(s, s), means[s], without[s], without[s] - means[s], removed[s])
            for s in systems
        ),
        notes=(*scores.notes, *notes),
        options={"measure": means.measure, "depth": depth, "groups": len(runs_of)}
        | {"group_by": group_option(group_by), "names": names},
    )


def _depth_of_pool(judged: Mapping[str, Mapping[str, int]], runs: Sequence[Run]) -> int:
    """Return the largest depth to which half of the runs or more are judged on every topic."""
    depths = []
    for run in runs:
        known = [(judged[topic], docs) for topic, docs in run.topics.items() if topic in judged]
        unjudged = ((k for k, d in enumerate(docs) if d not in grades) for grades, docs in known)
        first = [next(each, len(docs)) for each, (_, docs) in zip(unjudged, known, strict=True)]
        depths.append(min(first, default=0))
    depth = sorted(depths, reverse=True)[(len(depths) - 1) // 2] if depths else 0
    if depth == 0:
        begin = "half of the runs begin with a document without judgement"
        raise ArgumentError(f"the depth of the pool is not known: {begin}; give {option('depth')}")
    return depth
