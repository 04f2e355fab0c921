"""How much the grades of the documents change the coefficients of two runs."""

from __future__ import annotations

import functools
import math
import threading
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from concordant.checks import generator, n_workers, whole_number
from concordant.coefficients.declaration import REGISTRY, Coefficient
from concordant.coefficients.graded import check_options, list_values
from concordant.coefficients.unbiased import Kind, Weight, unbiased_a
from concordant.errors import ArgumentError, UndefinedWarning, public
from concordant.experiments.experiment import ExperimentResult, defined, ends, mean, quantiles
from concordant.experiments.simulate import GradedItems
from concordant.reading.qrels import QrelsLike, qrels_of
from concordant.reading.trec_runs import Names, RunsLike, each_run
from concordant.results.note import Note
from concordant.results.result import records
from concordant.results.words import count, number, sentences
from concordant.typing import Executor, Floats, Progress, RngLike
from concordant.work import in_pieces, piece_size

Ranks = dict[str, dict[str, dict[str, int]]]  # by run, topic and document
# The ranks of the documents that two runs have in common for a topic, and their grades; the grades of the
# lists that are compared by position, in rank order.
_Lists = tuple[list[int], list[int], list[int], list[int], list[int]]
_Case = tuple[tuple[str, str, str], _Lists]  # both runs and the topic; the documents
_WEIGHTS: dict[str, Weight] = {"equal": "tau", "ap": "ap", "hyperbolic": "h"}
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
        rows = [row for row in self.extensions or () if row.mean_difference is not None]
        if not rows:
            return sentences(["No extension by grades has a value"] if self.extensions else [])
        low, high = ends(rows, "mean_difference")
        least = f"{low.extension} differs least from its base without grades, {low.base}"
        mean = f"{number(low.mean_difference)} on average"
        most = f"Over {count(high.pairs, 'pair')}, {high.extension} differs most, from {high.base}"
        said = [f"Over {count(low.pairs, 'pair')} of lists, {least}: {mean}"]
        return sentences([*said, None if high is low else f"{most}: {number(high.mean_difference)}"])


@public
def grades(
    qrels: QrelsLike | None = None,
    runs: RunsLike = (),
    *,
    simulated: GradedItems | None = None,
    depth: int = 50,
    whole: bool = False,
    a: float | None = None,
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
    whole : bool, default False
        Whether `sc` and `ac` compare the whole lists, as long as the shorter one, and not only the documents
        that both runs have. The other coefficients need the documents in common.
    a : float, optional
        The score of a pair that is tied in one list only, for `sc` and `ac`. By default it is the value for
        which random orders of the documents of each list give 0 on average; see `unbiased_a`.
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
    check_options(a=a)
    threads = n_workers(workers)
    source, seed = generator(rng)
    notes: list[Note] = []
    cut: int | None = depth
    named: Iterable[tuple[str, Mapping[str, Mapping[str, float]]]]
    judged: Mapping[str, Mapping[str, int]]
    if qrels is not None and simulated is None:
        word, judged = "run", qrels_of(qrels)
        named = ((run.name, run.topics) for run in each_run(runs, names))
    elif simulated is not None and qrels is None:
        word, judged = "system", {"simulated": _by_document(simulated.grades)}
        cut = None
        systems = enumerate(map(_by_document, simulated.scores), 1)
        named = ((f"system {s}", {"simulated": scores}) for s, scores in systems)
        notes.append(_reached(simulated))
    else:
        raise ArgumentError("give judgements and runs, or simulated items")
    top_grade = max((rel for documents in judged.values() for rel in documents.values()), default=0)
    if top_grade < 1:
        raise ArgumentError("no document is relevant; the judgements have no positive grade")
    lists, n_tied = _ranked(named, judged, cut, source)
    if len(lists) < 2:
        raise ArgumentError(f"there is only one {word}; pairs of {word}s are compared")
    cases, n_short = _cases(lists, judged, whole)
    if not cases:
        raise ArgumentError("no two runs have two documents in common for any topic")
    if n_short:
        text = f"{n_short} pairs of lists with fewer than two documents in common were left out"
        notes.append(Note("short_lists", text=text, values={"lists": n_short}, lost=True))
    if n_tied:
        text = f"ties of {n_tied} documents with others of the same {word} were broken at random"
        notes.append(Note("ties_shuffled", text=text, values={"documents": n_tied, "where": word}))
    step = piece_size(len(cases), _AT_ONCE, executor)
    equally_long = ([lists for _, lists in own] for _, own in groupby(cases, _sizes))
    pieces = [own[start : start + step] for own in equally_long for start in range(0, len(own), step)]
    how: dict[str, Any] = {"executor": executor, "threads": threads, "progress": progress}
    parts = in_pieces(_values, a, pieces, sizes=list(map(len, pieces)), **how)
    every = np.concatenate([part["values"] for part in parts], axis=1)
    values = dict(zip(_coefficients(), every, strict=True))
    shown = {c: [None if math.isnan(v) else v for v in own.tolist()] for c, own in values.items()}
    extensions = []
    for base, c in _extensions():
        own = defined(np.abs(values[base] - values[c]))
        counts = len(own), len(cases) - len(own)
        extensions.append(Extension(base, c, *counts, mean(own), *quantiles(own, 0.25, 0.5, 0.75, 1)))
    return GradesResult(
        extensions=tuple(extensions),
        pairs=tuple(
            OfPair(*names_of, len(compared[0]), c, found[i])
            for i, (names_of, compared) in enumerate(cases)
            for c, found in shown.items()
        ),
        notes=tuple(notes),
        options={"depth": depth, "whole": whole, "a": a, "names": names, "runs": len(lists)}
        | {"topics": len(judged), "max_grade": top_grade, "seed": seed},
    )


def _extensions() -> list[tuple[Coefficient, Coefficient]]:
    """Return each coefficient with grades, and the first coefficient of scores with the same weights."""
    bases: dict[str, Coefficient] = {}
    for c in REGISTRY.values():
        if c.inputs == "scores" and not c.gap_sensitive:
            bases.setdefault(c.weights, c)
    extended = [c for c in REGISTRY.values() if c.inputs in ("graded_lists", "graded_items")]
    return [(base, c) for weights, base in bases.items() for c in extended if c.weights == weights]


def _sizes(case: _Case) -> tuple[int, int]:
    return len(case[1][0]), len(case[1][3])


def _by_document(values: NDArray[Any]) -> dict[str, Any]:
    return {str(d): value for d, value in enumerate(values.tolist())}


def _reached(simulated: GradedItems) -> Note:
    low, high = float(simulated.reached.min()), float(simulated.reached.max())
    off = float(np.abs(simulated.reached - simulated.targets).max())
    text = f"average nDCG from {low:.2f} to {high:.2f}, at most {off:.2f} off target"
    return Note("ndcg_reached", text=text, values={"low": low, "high": high, "off": off})


def _ranked(
    runs: Iterable[tuple[str, Mapping[str, Mapping[str, float]]]],
    judged: Iterable[str],
    depth: int | None,
    rng: np.random.Generator,
) -> tuple[Ranks, int]:
    """Return the ranks of documents for each run and topic, and the number of tied documents."""
    ranks: Ranks = {}
    n_tied = 0
    for name, topics in runs:
        ranks[name] = {}
        for topic in judged:
            if topic in topics:
                scores = np.fromiter(topics[topic].values(), dtype=np.float64)
                order = np.lexsort((rng.random(len(scores)), -scores))[:depth]
                _, which, counts = np.unique(scores, return_inverse=True, return_counts=True)
                # Ties with documents that are cut off count too.
                n_tied += int((counts[which.ravel()][order] > 1).sum())
                labels = list(topics[topic])
                ranks[name][topic] = {labels[i]: rank for rank, i in enumerate(order.tolist(), 1)}
    return ranks, n_tied


def _cases(ranks: Ranks, judged: Mapping[str, Mapping[str, int]], whole: bool) -> tuple[list[_Case], int]:
    """Return the cases with enough documents, by the number of these, and the number of the others."""
    cases: list[_Case] = []
    positive = {topic: {d: max(grade, 0) for d, grade in own.items()} for topic, own in judged.items()}
    for (first, own), (second, other) in combinations(ranks.items(), 2):
        for topic, grades in positive.items():
            if topic in own and topic in other:
                x, y = own[topic], other[topic]
                common = [d for d in x if d in y]
                ordered = [list(x), list(y)] if whole else [common, sorted(common, key=y.__getitem__)]
                n = min(map(len, ordered))
                of = [[grades.get(d, 0) for d in each] for each in (common, *ordered)]
                lists = [x[d] for d in common], [y[d] for d in common], of[0], of[1][:n], of[2][:n]
                cases.append(((first, second, topic), lists))
    long_enough = [case for case in cases if _sizes(case)[0] >= 2]
    return sorted(long_enough, key=_sizes), len(cases) - len(long_enough)


def _coefficients() -> list[Coefficient]:
    return list(dict.fromkeys(each for pair in _extensions() for each in pair))


def _values(a: float | None, lists: Sequence[_Lists], threads: int) -> dict[str, Any]:
    """Return every coefficient of rankings without ties, of the same number of documents each."""
    x, y, given, *by_rank = (np.array(side) for side in zip(*lists, strict=True))
    x, y = -x.astype(np.float64), -y.astype(np.float64)
    x_grades, y_grades = (each.astype(np.float64) for each in by_rank)
    counts = _grade_counts(by_rank) if a is None else []
    found: list[Floats] = []
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # the records show it as None
        for c in _coefficients():
            if c.inputs == "graded_items":
                value = c(x, y, given, workers=threads)
            elif c.inputs == "graded_lists":
                kind, weight = cast(Kind, c.name.rpartition("_")[2]), _WEIGHTS[c.weights]
                # Each pair of lists has its own score of ties.
                of_ties = _unbiased(kind, weight, counts) if a is None else np.full(len(x), float(a))
                value = list_values(kind, weight, x_grades, y_grades, of_ties, threads)
            else:
                value = c(x, y, workers=threads)
            found.append(np.asarray(value))
    return {"values": np.array(found)}


def _grade_counts(by_rank: Sequence[NDArray[np.int64]]) -> list[Any]:
    """Return how often each pair of lists has each grade, in the first list and in the second."""
    rows, top = len(by_rank[0]), max(int(each.max(initial=0)) for each in by_rank) + 1
    codes = [(each + np.arange(rows)[:, None] * top).ravel() for each in by_rank]
    counts = [np.bincount(each, minlength=rows * top).reshape(rows, top).tolist() for each in codes]
    return [(tuple(x), tuple(y)) for x, y in zip(*counts, strict=True)]


def _unbiased(kind: Kind, weight: Weight, counts: list[Any]) -> Floats:
    """Return the unbiased a of random orders of the documents of each pair of lists; 0 without effect."""
    own = weight if kind == "ac" else "tau"  # sc does not depend on it
    found: Floats = np.nan_to_num(np.array([_unbiased_a(kind, *each, own) for each in counts]))
    return found


@functools.lru_cache(maxsize=1 << 15)
def _unbiased_a(kind: Any, x: tuple[int, ...], y: tuple[int, ...], weight: Any) -> float:
    return unbiased_a(kind, x, weight=weight, other=y)
