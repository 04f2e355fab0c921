"""How much the lists of runs agree, topic by topic and on average."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np

from concordant.checks import n_workers, one_of, proportion, whole_number
from concordant.coefficients.costs import overlap_at
from concordant.coefficients.declaration import (
    Coefficient,
    CoefficientsLike,
    each_coefficient,
    read_coefficient,
)
from concordant.coefficients.evaluation import evaluate_lists
from concordant.errors import ArgumentError, option, public
from concordant.questions.matrix import cells
from concordant.rankings.lists import ListPairs, ends_of_scores, offsets_and_ends
from concordant.rankings.ties import thresholds
from concordant.reading.trec_runs import Names, Run, RunsLike, each_run, trec_ranking
from concordant.results.note import BY_STUDENTS_T, sizes_of_pairs, unique
from concordant.results.result import Result, records
from concordant.results.table import DETAIL, Grid, parts
from concordant.results.words import count, most_and_least, number, sentences, with_interval
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.ranks import intervals_of_means, mean_and_ends, mean_of
from concordant.typing import Executor, Progress
from concordant.work import in_pieces


@dataclass(frozen=True)
class RunAgreement:
    """How much two runs agree, over the topics that both have.

    Attributes
    ----------
    run : str
        The name of a run.
    other : str
        The name of the other run.
    measure : str
        The coefficient of the two lists.
    mean : float or None
        The mean over the topics where the coefficient is defined; None if there is none.
    interval : ConfidenceInterval or None
        The confidence interval; None if there is none.
    least : float or None
        The smallest value of any topic.
    topic_of_least : str or None
        The topic with the smallest value.
    largest : float or None
        The largest value of any topic.
    topic_of_largest : str or None
        The topic with the largest value.
    topics : int
        The number of topics that both runs have.
    """

    run: str
    other: str
    measure: str
    mean: float | None
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="mean"))
    least: float | None = field(metadata=DETAIL)
    topic_of_least: str | None = field(metadata=DETAIL)
    largest: float | None = field(metadata=DETAIL)
    topic_of_largest: str | None = field(metadata=DETAIL)
    topics: int


@dataclass(frozen=True)
class RunTopic:
    """How much two runs agree on one topic.

    Attributes
    ----------
    run : str
        The name of a run.
    other : str
        The name of the other run.
    topic : str
        The name of the topic.
    measure : str
        The coefficient of the two lists.
    value : float
        The agreement of the two lists; nan if it is undefined.
    """

    run: str
    other: str
    topic: str
    measure: str
    value: float


@dataclass(frozen=True)
class RunCell:
    """The mean agreement of two runs.

    Attributes
    ----------
    run : str
        The name of a run.
    other : str
        The name of the other run.
    value : float or None
        The mean agreement over topics; None if it is undefined.
    """

    run: str
    other: str
    value: float | None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class RunsResult(Result[RunAgreement]):
    """The result of `compare_runs`; prints as text.

    Attributes
    ----------
    measure : str
        The coefficient of the matrix, and of the topics that differ most.
    pairs : tuple of RunAgreement
        Agreement of runs, over topics.
    worst : tuple of RunTopic
        Topics that differ most, by the first measure.
    matrix : sequence of RunCell or None
        The first measure of all pairs, mean over topics. It needs three runs or more.
    topics : tuple of RunTopic or None
        Each topic. It needs not more than ten pairs of runs.

    Examples
    --------
    >>> import concordant as cd
    >>> runs = {"bm25": {"q1": {"d1": 3, "d2": 2}}, "dense": {"q1": {"d2": 0.9, "d3": 0.5}}}
    >>> result = cd.compare_runs(runs)
    >>> result.measure, result.pairs[0].run, result.pairs[0].other, result.pairs[0].topics
    ('rbo', 'bm25', 'dense', 1)
    """

    function: ClassVar[str] = "compare_runs"

    measure: str
    pairs: tuple[RunAgreement, ...] = records(
        RunAgreement, "Agreement of runs, over topics", pivot=("measure", "mean")
    )
    worst: tuple[RunTopic, ...] = records(RunTopic, "Topics that differ most, by {measure}")
    matrix: Sequence[RunCell] | None = records(
        RunCell,
        "{measure} of all pairs, mean over topics",
        spread=("other", "value"),
        needs="three runs or more",
    )
    topics: tuple[RunTopic, ...] | None = records(
        RunTopic, "Each topic", spread=("measure", "value"), needs="not more than ten pairs of runs"
    )

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: two runs by each measure; of several runs, those that agree most and least."""
        rows = [row for row in self.pairs or () if row.measure == self.measure]
        if not rows:
            return ()
        distance = read_coefficient(self.measure).distance
        if len(rows) == 1:
            return sentences(self._two_runs(distance))
        names = {name for row in rows for name in (row.run, row.other)}
        means = {
            f"{row.run} and {row.other}": (row.mean, with_interval(row.mean, row.interval))
            for row in rows
            if row.mean is not None
        }
        if not means:
            return sentences([f"{self.measure} is undefined for all pairs of {len(names)} runs"])
        of, measure = f"{len(rows)} pairs of {len(names)} runs", f"mean {self.measure} over topics"
        worst = [
            f"{row.run} and {row.other} differ most on topic {row.topic} ({number(row.value)})"
            for row in (self.worst or ())[:1]
        ]
        return sentences([most_and_least(means, of, measure, distance), *worst])

    def answer(self) -> Grid:
        """Return the matrix of up to ten runs; of more, the pairs that are most and least alike.

        Returns
        -------
        Grid
            Header and rows.
        """
        if self.matrix and len(self.matrix) <= _LARGEST_MATRIX:
            return replace(self.table("matrix").grid(), shows="matrix")
        if not self.pairs:
            return super().answer()
        grid = self.table("pairs").grid()
        if len(grid.rows) <= 2 * _ALIKE or self.measure not in map(str, grid.header):
            return self.table("pairs").in_short(2 * _ALIKE)
        place = [str(head) for head in grid.header].index(self.measure)
        defined = [row for row in grid.rows if row[place] is not None and row[place].value is not None]
        near = 1 if read_coefficient(self.measure).distance else -1
        defined.sort(key=lambda row: near * row[place].value)
        rows = [*defined[:_ALIKE], *defined[-_ALIKE:]]
        sections = {0: "most alike", _ALIKE: "least alike"}
        return replace(grid, rows=rows, total=len(grid.rows), sections=sections)

    def _two_runs(self, distance: bool) -> Iterator[str]:
        first = self.pairs[0]
        means = [
            f"{row.measure} {'is undefined' if row.mean is None else with_interval(row.mean, row.interval)}"
            for row in self.pairs
        ]
        over = f"on average over {count(first.topics, 'topic')}"
        yield f"{first.run} and {first.other}, {over}: {', '.join(means)}"
        ends = [(first.least, first.topic_of_least), (first.largest, first.topic_of_largest)]
        (low, at_low), (high, at_high) = ends[::-1] if distance else ends
        if low != high:
            least, most = f"topic {at_low} ({number(low)})", f"topic {at_high} ({number(high)})"
            yield f"By {first.measure} they agree least on {least} and most on {most}"


Order = Literal["scores", "trec_eval"]
_LARGEST_MATRIX, _ALIKE = 100, 6  # cells of a matrix that is shown; pairs that are most and least alike
_FEW_PAIRS = 10  # pairs of runs; up to this number, every topic is listed


@public
def compare_runs(
    runs: RunsLike,
    coefficients: CoefficientsLike = ("rbo", "kendall_distance(normalize=True)"),
    *,
    depth: int = 10,
    order: Order = "scores",
    threshold: float = 0.0,
    names: Names = "tag",
    n_worst: int = 5,
    confidence_level: float | None = 0.95,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> RunsResult:
    """Compare all pairs of runs, topic by topic, and on average with intervals over topics.

    Parameters
    ----------
    runs : path, pattern, folder, list of runs, or mapping of name to run
        Two runs or more, as `evaluate` takes them.
    coefficients : list of str or Coefficient, optional
        Coefficients of lists, as `coefficient` reads them, such as ``"rbo(p=0.95, ties=b)"``. A verdict is
        about the first. The overlap among the first documents is always computed.
    depth : int, default 10
        The depth of the overlap, which is the share of common documents among the first ones, averaged over
        all ways of breaking the ties. For shorter lists it is computed at the end of the longer list.
    order : {"scores", "trec_eval"}
        "scores": documents with equal scores are tied. "trec_eval": they are in the order of trec_eval, by
        name, descending, with scores in single precision.
    threshold : float, default 0
        A document is tied with the best of its group if their scores differ by no more than the threshold.
    names : {"tag", "file"}
        Whether to name runs by their tag or by their file.
    n_worst : int, default 5
        How many of the topics that differ most to list, over all pairs.
    confidence_level : float or None, default 0.95
        The confidence level of the intervals of means over topics, by Student's t. None means no intervals.
    workers : int, default 1
        The number of threads; -1 means all cores. The result does not depend on it.
    executor : concurrent.futures.Executor, optional
        The executor that does the work: any executor of PEP 3148, such as a pool of processes, or
        ``client.get_executor()`` of Dask. The result does not depend on it.
    progress : callable, optional
        A function that is called as ``progress(done, total)`` after each topic.

    Returns
    -------
    RunsResult
        ``pairs``, a record for each pair of runs and measure; ``worst``, the topics that differ most;
        ``matrix``, the means of the first measure, for three runs or more; ``topics``, every topic, if there
        are few pairs.

    Examples
    --------
    >>> import concordant as cd
    >>> bm25 = {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "q2": {"d4": 2.0, "d5": 1.0}}
    >>> dense = {"q1": {"d1": 0.9, "d3": 0.8, "d7": 0.1}, "q2": {"d4": 0.5, "d5": 0.4}}
    >>> found = cd.compare_runs({"bm25": bm25, "dense": dense}, confidence_level=None)
    >>> [(each.measure, round(each.mean, 4), each.topic_of_least) for each in found.pairs[::2]]
    [('rbo', 0.8425, 'q1'), ('overlap@10', 0.8333, 'q1')]
    """
    whole_number("depth", depth)
    whole_number("n_worst", n_worst, 0)
    one_of("order", order, get_args(Order))
    width = thresholds(threshold)[0]
    if order == "trec_eval" and width > 0:
        makes = f"{option('threshold')} makes ties, and {option('order', 'trec_eval')} has none"
        raise ArgumentError(f"{makes}; leave one out")
    asked = _asked(coefficients)
    threads = n_workers(workers)
    level = None if confidence_level is None else proportion("confidence_level", confidence_level)
    labels, lists = _lists_of_runs(each_run(runs, names), order, width)
    n_runs, topics = len(labels), list(lists)
    if n_runs < 2:
        raise ArgumentError(f"takes two runs or more, got {n_runs}")
    measures = [*map(str, asked), f"overlap@{depth}"]
    first, second = np.triu_indices(n_runs, 1)
    values = np.full((len(topics), len(first), len(measures)), math.nan)
    with_itself = np.full((len(topics), n_runs), math.nan)
    has = np.zeros((len(topics), n_runs), dtype=bool)  # which runs have each topic
    how: dict[str, Any] = {"executor": executor, "threads": threads, "progress": progress}
    of_topics = (_pairs_of(list(own.values())) for own in lists.values())
    bounds = [*(c.bounds for c in asked), (0.0, 1.0)]
    parts = in_pieces(_of_topic, (tuple(asked), depth), of_topics, sizes=[1] * len(topics), **how)
    for t, (topic, part) in enumerate(zip(topics, parts, strict=True)):
        has[t, list(lists[topic])] = True
        with_itself[t, has[t]] = part["with itself"]
        values[t, has[t, first] & has[t, second]] = part["values"]
    pairs = [(labels[i], labels[j]) for i, j in zip(first.tolist(), second.tolist(), strict=True)]
    n_topics = (has[:, first] & has[:, second]).sum(axis=0)
    if not n_topics.all():
        one, other = pairs[int(np.argmin(n_topics))]
        raise ArgumentError(f"runs {one!r} and {other!r} have no topic in common; compare them with others")
    intervals = [
        [None] * len(pairs) if level is None else intervals_of_means(values[:, :, m], level, own)
        for m, own in enumerate(bounds)
    ]
    summary = tuple(
        RunAgreement(*pair, measure, *(*mean_and_ends(topics, values[:, k, m], intervals[m][k]), n))
        for k, (pair, n) in enumerate(zip(pairs, n_topics.tolist(), strict=True))
        for m, measure in enumerate(measures)
    )
    notes = [] if has.all() else [sizes_of_pairs("topics", n_topics.tolist())]
    if any(each.interval is not None for each in summary):
        notes.append(BY_STUDENTS_T)
    means = np.diag(list(map(mean_of, with_itself.T)))
    means[first, second] = means[second, first] = list(map(mean_of, values[:, :, 0].T))

    def of_topic(t: int, k: int, m: int) -> RunTopic:
        return RunTopic(*pairs[k], topics[t], measures[m], float(values[t, k, m]))

    close = -values[:, :, 0].ravel() if asked[0].distance else values[:, :, 0].ravel()
    worst = np.argsort(close, kind="stable")[: min(n_worst, int(np.isfinite(close).sum()))]  # nan comes last
    return RunsResult(
        measure=measures[0],
        pairs=summary,
        worst=tuple(of_topic(place // len(pairs), place % len(pairs), 0) for place in worst.tolist()),
        matrix=cells(RunCell, labels, means) if n_runs > 2 else None,
        topics=tuple(
            of_topic(t, k, m)
            for k in range(len(pairs))
            for t in np.flatnonzero(~np.isnan(values[:, k]).all(axis=1)).tolist()
            for m in range(len(measures))
        )
        if len(pairs) <= _FEW_PAIRS
        else None,
        notes=unique(notes),
        options={"coefficients": [str(c) for c in asked], "depth": depth, "order": order, "threshold": width}
        | ({} if level is None else {"confidence_level": level}),
    )


def _asked(coefficients: CoefficientsLike) -> list[Coefficient]:
    """Read the coefficients, which must be of lists."""
    found = list(dict.fromkeys(each_coefficient(coefficients)))
    for c in found:
        if c.of_lists is None:
            raise ArgumentError(f"{c.name} does not compare lists of documents; choose one that does")
        if c.threshold != (0.0, 0.0):
            raise ArgumentError(f"{c}: give the threshold as {option('threshold')}, for all coefficients")
    if not found:
        raise ArgumentError(f"{option('coefficients')}: none was given; name at least one")
    return found


def _of_topic(shared: tuple[tuple[Coefficient, ...], int], pairs: ListPairs, threads: int) -> dict[str, Any]:
    """Compare all lists of a topic with each other, pairs x measures, and each with itself."""
    asked, depth = shared
    every = np.arange(len(pairs.offsets) - 1)
    alone = replace(pairs, first=every, second=every)
    outcomes = [outcome.values for outcome in evaluate_lists(asked, pairs, threads)]
    return {
        "with itself": evaluate_lists(asked[:1], alone, threads)[0].values,
        "values": np.array([*outcomes, overlap_at(pairs, depth, threads)]).T,
    }


_List: TypeAlias = tuple[Any, Any]  # the codes of documents, and the ends of their ties


def _lists_of_runs(
    runs: Iterable[Run], order: str, threshold: float
) -> tuple[list[str], dict[str, dict[int, _List]]]:
    """Return the names of the runs, and by topic the lists of the runs; one run at a time is in memory."""
    names: list[str] = []
    topics: defaultdict[str, dict[int, _List]] = defaultdict(dict)
    numbers: defaultdict[str, dict[str, int]] = defaultdict(dict)  # of the documents of each topic
    for place, run in enumerate(runs):
        names.append(run.name)
        for topic, documents in run.topics.items():
            ranked = trec_ranking(documents) if order == "trec_eval" else documents
            known = numbers[topic]
            codes = np.array([known.setdefault(each, len(known)) for each in ranked], dtype=np.int32)
            ends: Any = None
            if order == "scores":
                scores, listed = np.fromiter(documents.values(), dtype=np.float64), list(documents)
                what = f"the score of run {run.name!r} for topic {topic!r}"
                places, ends = ends_of_scores(scores, threshold, what, listed.__getitem__)
                codes, ends = codes[places], None if ends is None else ends.astype(np.int32)
            topics[topic][place] = codes, ends
    return names, dict(topics)


def _pairs_of(lists: Sequence[_List]) -> ListPairs:
    """Return all pairs of the lists of a topic."""
    offsets, ends = offsets_and_ends(lists)
    codes = np.concatenate([own for own, _ in lists], dtype=np.int64)
    first, second = np.triu_indices(len(lists), 1)
    return ListPairs(codes, ends, offsets, int(codes.max(initial=-1)) + 1, first, second, (len(first),))
