"""Whether the judgements can be used again for systems that did not help to make them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from concordant._inputs import Progress, whole_number
from concordant._questions import Some, chosen, outcomes_of
from concordant.evaluation import evaluate_under
from concordant.experiments._result import Result, files_of
from concordant.io._files import Source
from concordant.io.trec import Qrels, in_trec_order, read_qrels, read_run
from concordant.report import Table

__all__ = ["reuse"]


def reuse(
    qrels: Source | Mapping[str, Mapping[str, int]],
    runs: Source | Iterable[Source],
    coefficients: Some = ("tau_b", "tau_ap_b", "pearson_rank"),
    *,
    measure: str = "AP",
    depth: int = 100,
    group_by: str | None = None,
    names: str = "tag",
    workers: int = 1,
    progress: Progress | None = None,
) -> Result:
    """Remove for each run the judgements that only it brought to the pool, score it again, and correlate.

    Parameters
    ----------
    qrels : path or mapping
    runs : path, pattern, or several
    coefficients : list of str or Coefficient
    measure : str, default "AP"
        By its name in ir_measures.
    depth : int, default 100
        How deep the pool is: the first documents of each run were judged.
    group_by : str, optional
        A regular expression; runs whose names match it with the same text are one group, such as ``"^[^-]+"`` for what is
        before the first hyphen. By default each run is a group of its own.
    names : {"tag", "file"}
    workers : int, default 1
        Processes.
    progress : callable, optional

    Returns
    -------
    Result
        With the tables "reuse" (the coefficients between the scores with and without) and "systems" (both scores of each
        system, and how many judgements were its group's alone).

    References
    ----------
    .. [1] Gao, Bagdouri and Oard, "Pearson Rank: a head-weighted gap-sensitive score-based correlation coefficient", SIGIR
       2016, figure 1.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.experiments.reuse("human.qrels", "runs/*", depth=20)  # doctest: +SKIP
    """
    who = "reuse"
    asked = chosen(who, coefficients)
    whole_number(who, "depth", depth)
    full = {t: dict(d) for t, d in qrels.items()} if isinstance(qrels, Mapping) else read_qrels(qrels)
    files = files_of(who, runs)
    scores = evaluate_under({"all": full}, files, measure, names, workers=workers)["all"]
    group_of = dict(zip(scores.systems, _groups(who, scores.systems, group_by), strict=True))
    # For every document of a topic, the groups that brought it to the pool.
    brought: dict[str, dict[str, set[str]]] = {topic: defaultdict(set) for topic in full}
    runs_of: dict[str, list[Source]] = defaultdict(list)
    for file, system in zip(files, scores.systems, strict=True):
        runs_of[group_of[system]].append(file)
        for topic, documents in read_run(file).topics.items():
            if topic in brought:
                ordered = in_trec_order(documents)
                for document in sorted(ordered, key=ordered.__getitem__, reverse=True)[:depth]:
                    brought[topic][document].add(group_of[system])
    means = scores.mean()
    without: dict[str, float] = {}
    removed: dict[str, int] = {}
    for done, (group, own_files) in enumerate(runs_of.items(), 1):
        alone: Qrels = {
            topic: {d: rel for d, rel in documents.items() if brought[topic].get(d) != {group}}
            for topic, documents in full.items()
        }
        n_removed = sum(map(len, full.values())) - sum(map(len, alone.values()))
        # A topic that loses all its judgements would vanish: one that is not relevant to anything keeps it.
        alone = {topic: documents or {"": 0} for topic, documents in alone.items()}
        again = evaluate_under({"without": alone}, own_files, measure, names, workers=workers)[
            "without"
        ].mean()
        without.update(again)
        removed.update(dict.fromkeys(again, n_removed))
        if progress is not None:
            progress(done, len(runs_of))
    estimate = {system: without[system] for system in means}
    outcomes = outcomes_of(who, asked, means, estimate)
    values = [float(outcome.values[0]) for outcome in outcomes]
    rows = [(c, None if value != value else value) for c, value in zip(asked, values, strict=True)]  # noqa: PLR0124
    systems = sorted(means, key=lambda s: -means[s])
    table = [(s, group_of[s], means[s], estimate[s], estimate[s] - means[s], removed[s]) for s in systems]
    return Result(
        "",
        (
            Table(
                "reuse",
                f"{means.measure} of {len(means)} systems, with and without their own judgements",
                ("coefficient", "value"),
                tuple(rows),
            ),
            Table(
                "systems",
                "Each system",
                ("system", "group", "with", "without", "difference", "judgements removed"),
                tuple(table),
            ),
        ),
        scores.notes,
        {"measure": measure, "depth": depth, "groups": len(runs_of), "group_by": group_by, "names": names},
        experiment=who,
    )


def _groups(who: str, systems: Iterable[str], pattern: str | None) -> list[str]:
    if pattern is None:
        return list(systems)
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{who}: group_by is not a regular expression: {error}") from None
    groups = []
    for system in systems:
        match = compiled.search(system)
        if match is None:
            raise ValueError(f"{who}: group_by {pattern!r} does not match the system {system!r}")
        groups.append(match.group())
    return groups
