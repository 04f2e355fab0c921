"""How much the grades of the documents change the coefficients of two runs."""

from __future__ import annotations

import math
import threading
import warnings
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np

from concordant.checks import generator, n_workers, whole_number
from concordant.coefficients.declaration import REGISTRY, Coefficient
from concordant.errors import ArgumentError, UndefinedWarning, public
from concordant.experiments.experiment import ExperimentResult
from concordant.experiments.simulate import GradedItems
from concordant.experiments.verdicts import verdict_of_grades
from concordant.reading.qrels import Qrels, QrelsLike, qrels_of
from concordant.reading.trec_runs import Names, RunsLike, each_run
from concordant.results.note import Note
from concordant.results.result import records
from concordant.typing import Floats, Progress, RngLike
from concordant.work.pieces import in_pieces, piece_size

_AT_ONCE = 20_000  # pairs of lists
_one_at_a_time = threading.Lock()  # the filter of warnings is one setting for all threads


@dataclass(frozen=True)
class Extension:
    """The absolute difference between a coefficient with grades and its base without grades.

    Attributes
    ----------
    base : Coefficient
        The coefficient without grades.
    extension : Coefficient
        The coefficient with grades.
    pairs : int
        The number of pairs of lists.
    undefined : int
        The number of undefined values, which are left out.
    mean_difference : float or None
        The mean of the absolute differences.
    first_quartile : float or None
        The first quartile.
    median : float or None
        The median.
    third_quartile : float or None
        The third quartile.
    maximum : float or None
        The largest difference.
    """

    base: Coefficient
    extension: Coefficient
    pairs: int
    undefined: int
    mean_difference: float | None
    first_quartile: float | None
    median: float | None
    third_quartile: float | None
    maximum: float | None


@dataclass(frozen=True)
class OfPair:
    """A coefficient of two runs for one topic.

    Attributes
    ----------
    run : str
        The name of the run.
    other_run : str
        The other run of the pair.
    topic : str
        The name of the topic.
    documents : int
        The number of documents that were compared.
    coefficient : Coefficient
        The coefficient.
    value : float or None
        The value of the coefficient; None if it is undefined.
    """

    run: str
    other_run: str
    topic: str
    documents: int
    coefficient: Coefficient
    value: float | None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class GradesResult(ExperimentResult[Extension]):
    """The result of `grades`; prints as text.

    Attributes
    ----------
    extensions : tuple of Extension
        Absolute difference between an extension by grades and its base.
    pairs : tuple of OfPair
        All pairs of runs and topics.

    Examples
    --------
    >>> import concordant as cd
    >>> small = cd.experiments.simulate.collection(3, 3, 50, pool_depth=10, rng=1)
    >>> result = cd.experiments.grades(small.qrels, small.runs)
    >>> len(result.extensions) > 0, result.pairs[0].topic in small.qrels
    (True, True)
    """

    function: ClassVar[str] = "grades"

    extensions: tuple[Extension, ...] = records(
        Extension, "Absolute difference between an extension by grades and its base"
    )
    pairs: tuple[OfPair, ...] = records(
        OfPair, "All pairs of runs and topics", spread=("coefficient", "value")
    )

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: which extension differs least from its base, and which most."""
        return verdict_of_grades(self)


@public
def grades(
    qrels: QrelsLike | None = None,
    runs: RunsLike = (),
    *,
    simulated: GradedItems | None = None,
    depth: int = 50,
    least: int = 2,
    names: Names = "tag",
    rng: RngLike = 0,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> GradesResult:
    """Compare the coefficients of rankings with their extensions by grades.

    The lists compared are those of all pairs of runs on all topics.

    Parameters
    ----------
    qrels : path, mapping or DataFrame
        The graded judgements. A document that is not judged, or has a negative grade, counts as 0.
    runs : path, pattern, or several
        The runs, as `evaluate` takes them; each is read once.
    simulated : GradedItems, optional
        Simulated items of `concordant.experiments.simulate.graded_items`, instead of judgements and runs.
    depth : int, default 50
        The number of first documents of each run; those that both runs have are compared.
    least : int, default 2
        Pairs of lists with fewer documents in common are left out; a note gives their number.
    names : {"tag", "file"}
        Whether to name systems by the tag in their run, or by the name of the file.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None, default 0
        The seed or the generator of random numbers. None means a new seed, which is stored in the result.
        They are used to break ties of scores within a run.
    workers : int, default 1
        The number of threads; -1 means all cores. The result does not depend on it.
    executor : concurrent.futures.Executor, optional
        The executor that does the work: any executor of PEP 3148, such as a pool of processes, or
        ``client.get_executor()`` of Dask. The result does not depend on it.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    GradesResult
        ``extensions``, mean and quartiles of the absolute difference between each extension by grades and its
        base; ``pairs``, all values.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, figure 1.

    Examples
    --------
    >>> import concordant as cd
    >>> small = cd.experiments.simulate.collection(3, 3, 50, pool_depth=10, rng=1)
    >>> result = cd.experiments.grades(small.qrels, small.runs, depth=20)
    >>> sorted({pair.topic for pair in result.pairs}) == sorted(small.qrels)
    True
    """
    whole_number("depth", depth, 2)
    whole_number("least", least, 2)
    threads = n_workers(workers)
    source, seed = generator(rng)
    if (simulated is None) == (qrels is None):
        raise ArgumentError("give judgements and runs, or simulated items")
    if qrels is not None:
        by_size, top_grade, counts, notes = _from_files(qrels, runs, names, depth, least, source)
    elif simulated is not None:
        by_size, top_grade, counts, notes = _from_simulation(simulated, source)
    found: list[OfPair] = []
    every = _coefficients()
    values: dict[Coefficient, list[float]] = {c: [] for c in every}
    step = piece_size(sum(map(len, by_size.values())), _AT_ONCE, executor)
    pieces = [
        cases[start : start + step]
        for _, cases in sorted(by_size.items())
        for start in range(0, len(cases), step)
    ]
    parts = in_pieces(
        _values,
        top_grade,
        pieces,
        executor=executor,
        threads=threads,
        sizes=[len(cases) for cases in pieces],
        key=_compared,
        progress=progress,
    )
    for cases, part in zip(pieces, parts, strict=True):
        own = dict(zip(every, part["values"], strict=True))
        for c, each in own.items():
            values[c] += each.tolist()
        for i, case in enumerate(cases):
            for c, each in own.items():
                value = float(each[i])
                shown = None if math.isnan(value) else value
                found.append(OfPair(case.run, case.other_run, case.topic, len(case.grades), c, shown))
    return GradesResult(
        extensions=tuple(
            _extension(base, c, np.array(values[base]), np.array(values[c])) for base, c in _extensions()
        ),
        pairs=tuple(found),
        notes=tuple(notes),
        options={"depth": depth, "least": least, "names": names, **counts, "max_grade": top_grade},
        seed=seed,
    )


def _extensions() -> list[tuple[Coefficient, Coefficient]]:
    """Return each coefficient with grades, and the first coefficient of scores with the same weights."""
    bases: dict[str, Coefficient] = {}
    for c in REGISTRY.values():
        if c.inputs == "scores" and not c.gap_sensitive:
            bases.setdefault(c.weights, c)
    extended = [c for c in REGISTRY.values() if c.inputs in ("graded_lists", "graded_items")]
    return [(base, c) for weights, base in bases.items() for c in extended if c.weights == weights]


class Case(NamedTuple):
    """The documents that two runs have in common for a topic."""

    run: str
    other_run: str
    topic: str
    ranks: list[int]
    other_ranks: list[int]
    grades: list[int]


class Cases(NamedTuple):
    """All cases by the number of documents, and what they are from."""

    by_size: dict[int, list[Case]]
    top_grade: int
    counts: dict[str, int]
    notes: list[Note]


def _from_files(
    qrels: QrelsLike, runs: RunsLike, names: Names, depth: int, least: int, rng: np.random.Generator
) -> Cases:
    grades = qrels_of(qrels)
    top_grade = max((rel for documents in grades.values() for rel in documents.values()), default=0)
    if top_grade < 1:
        raise ArgumentError("no document is relevant; the judgements have no positive grade")
    lists, n_tied = _lists(runs, names, grades, depth, rng)
    if len(lists) < 2:
        raise ArgumentError("there is only one run; pairs of runs are compared")
    by_size: dict[int, list[Case]] = defaultdict(list)
    n_short = 0
    for (first, own), (second, other) in combinations(lists.items(), 2):
        for topic in grades:
            if topic not in own or topic not in other:
                continue
            place, place_other = own[topic], other[topic]
            common = [d for d in place if d in place_other]
            if len(common) < least:
                n_short += 1
                continue
            of_documents = [max(grades[topic].get(d, 0), 0) for d in common]
            ranks = [place[d] for d in common], [place_other[d] for d in common]
            by_size[len(common)].append(Case(first, second, topic, *ranks, of_documents))
    if not by_size:
        raise ArgumentError(f"no two runs have {least} documents in common for any topic")
    notes = [Note("short_lists", values={"lists": n_short, "least": least})] if n_short else []
    if n_tied:
        notes.append(Note("ties_shuffled", values={"documents": n_tied, "where": "run"}))
    return Cases(by_size, top_grade, {"runs": len(lists), "topics": len(grades)}, notes)


def _from_simulation(simulated: GradedItems, rng: np.random.Generator) -> Cases:
    if len(simulated.scores) < 2:
        raise ArgumentError("there is only one system; pairs of systems are compared")
    ranks = {}
    n_tied = 0
    for s, scores in enumerate(simulated.scores):
        counts = np.unique(scores, return_counts=True)[1]
        n_tied += int(counts[counts > 1].sum())
        order = np.lexsort((rng.random(len(scores)), -scores))
        ranks[f"system {s + 1}"] = (np.argsort(order) + 1).tolist()
    grades = simulated.grades.tolist()
    cases = [Case(a, b, "simulated", ranks[a], ranks[b], grades) for a, b in combinations(ranks, 2)]
    off = float(np.abs(simulated.reached - simulated.targets).max())
    about = {"low": float(simulated.reached.min()), "high": float(simulated.reached.max()), "off": off}
    notes = [Note("ndcg_reached", values=about)]
    if n_tied:
        notes.append(Note("ties_shuffled", values={"documents": n_tied, "where": "system"}))
    return Cases({len(grades): cases}, max(grades), {"runs": len(ranks), "topics": 1}, notes)


def _lists(
    runs: RunsLike, names: Names, grades: Qrels, depth: int, rng: np.random.Generator
) -> tuple[dict[str, dict[str, dict[str, int]]], int]:
    """Return the ranks of documents for each run and topic, and the number of tied documents."""
    lists: dict[str, dict[str, dict[str, int]]] = {}
    n_tied = 0
    for run in each_run(runs, names):
        lists[run.name] = {}
        for topic in grades:
            if topic not in run.topics:
                continue
            documents = run.topics[topic]
            scores = np.fromiter(documents.values(), dtype=np.float64, count=len(documents))
            order = np.lexsort((rng.random(len(scores)), -scores))[:depth]
            _, which, counts = np.unique(scores, return_inverse=True, return_counts=True)
            n_tied += int(
                (counts[which.ravel()][order] > 1).sum()
            )  # including ties with documents that are cut off
            labels = list(documents)
            lists[run.name][topic] = {labels[i]: rank for rank, i in enumerate(order.tolist(), 1)}
    return lists, n_tied


def _coefficients() -> list[Coefficient]:
    return list(dict.fromkeys(each for pair in _extensions() for each in pair))


def _compared(cases: Sequence[Case]) -> list[tuple[list[int], list[int], list[int]]]:
    """Return what the values depend on."""
    return [(case.ranks, case.other_ranks, case.grades) for case in cases]


def _values(top: int, cases: Sequence[Case], threads: int) -> dict[str, Any]:
    """Return every coefficient of rankings without ties, of the same number of documents each."""
    x, y, given = (np.array(side) for side in zip(*_compared(cases), strict=True))
    x, y = -x.astype(np.float64), -y.astype(np.float64)
    grades_x, grades_y = (np.take_along_axis(given, np.argsort(-side, axis=1), axis=1) for side in (x, y))
    found: list[Floats] = []
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # the records show it as None
        for c in _coefficients():
            if c.inputs == "graded_items":
                value = c(x, y, given, workers=threads)
            elif c.inputs == "graded_lists":
                value = c.function(grades_x, grades_y, max_grade=top, workers=threads)
            else:
                value = c(x, y, workers=threads)
            found.append(np.asarray(value))
    return {"values": np.array(found)}


def _extension(base: Coefficient, c: Coefficient, without: Floats, with_grades: Floats) -> Extension:
    both = ~(np.isnan(without) | np.isnan(with_grades))
    differences = np.abs(without[both] - with_grades[both])
    n = len(differences)
    if n == 0:
        return Extension(base, c, 0, len(both), None, None, None, None, None)
    quartiles = np.quantile(differences, [0.25, 0.5, 0.75, 1]).tolist()
    return Extension(base, c, n, len(both) - n, math.fsum(differences) / n, *quartiles)
