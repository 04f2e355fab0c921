"""Which metric of machine translation agrees best with people, over language pairs and levels."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from os import PathLike
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np

from concordant.checks import generator, n_workers, one_of, proportion, whole_number
from concordant.errors import ArgumentError, option, public
from concordant.reading.mt_metrics import LanguagePair, read_metric_scores
from concordant.results.note import Note, unique
from concordant.results.result import Result, records
from concordant.results.table import DETAIL, Absent, Grid
from concordant.results.words import count, few, listed, sentences
from concordant.statistics.metric_accuracy import (
    FlipTies,
    Groups,
    Rule,
    Unit,
    agreeing_pairs,
    calibrated,
    clusters,
    compared_outcomes,
    cross_fitted,
    exchanges_of,
    flips_of,
    null_deltas,
    outcomes_of,
    pairs_of_groups,
    pvalue_of_delta,
    pvalues_of_pairs,
    share_of,
    soft_accuracy,
    standardised,
    table_of,
)
from concordant.typing import Floats, Progress, RngLike

SystemLevel = Literal["soft", "pairwise"]
_TASKS = {"soft": "soft pairwise accuracy", "pairwise": "pairwise accuracy"}
_SEGMENTS, _AVERAGE = "acc_eq", "average"
_SHORT = {"soft pairwise accuracy": "SPA", "pairwise accuracy": "PA", "acc_eq": "acc_eq"}


@dataclass(frozen=True)
class MetricAverage:
    """A metric over all tasks.

    Attributes
    ----------
    metric : str
        The metric.
    average : float or None
        The mean of its values in all tasks; None if it lacks one.
    cluster : int or None
        Its cluster by the average, 1 for the best.
    wmt_cluster : int or None
        The same, with metrics of equal value one by one in the order of their names, as WMT does.
    pairwise_accuracy : float or None
        The share of pairs of systems that it orders as people do, of all language pairs together; None if it
        lacks a language pair.
    """

    metric: str
    average: float | None
    cluster: int | None
    wmt_cluster: int | None = field(metadata=DETAIL)
    pairwise_accuracy: float | None


@dataclass(frozen=True)
class MetricTask:
    """A metric in one task.

    Attributes
    ----------
    language_pair : str
        The language pair.
    task : str
        What is measured: soft pairwise accuracy, pairwise accuracy or acc_eq.
    metric : str
        The metric.
    value : float or None
        Its value.
    cluster : int or None
        Its cluster, 1 for the best; None if the task is not tested.
    wmt_cluster : int or None
        The same, with metrics of equal value one by one in the order of their names, as WMT does.
    epsilon : float or None
        At segment level the largest difference of the metric that is a tie.
    cross_fitted : float or None
        The value with the epsilon of the other half of the segments.
    without_ties : float or None
        The value if only equal scores of the metric are ties.
    n : int
        The number of pairs of systems, or of groups of translations.
    n_left_out : int
        The number of those without enough human scores, which are left out.
    """

    language_pair: str
    task: str
    metric: str
    value: float | None
    cluster: int | None
    wmt_cluster: int | None = field(metadata=DETAIL)
    epsilon: float | None
    cross_fitted: float | None
    without_ties: float | None
    n: int
    n_left_out: int = field(metadata=DETAIL)


@dataclass(frozen=True)
class MetricPair:
    """A test of whether a metric is better than another.

    Attributes
    ----------
    language_pair : str
        The language pair; "all" for the average.
    task : str
        The task, or "average".
    metric : str
        The metric with the larger value.
    other : str
        The metric with the smaller value.
    difference : float
        How much larger it is.
    pvalue : float
        The one-sided p-value.
    """

    language_pair: str
    task: str
    metric: str
    other: str
    difference: float
    pvalue: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class MetricsResult(Result[MetricAverage]):
    """The result of `metrics`; prints as text.

    Attributes
    ----------
    metrics : tuple of MetricAverage
        Metrics over all tasks, the best first.
    tasks : tuple of MetricTask
        Each metric in each task.
    pairs : tuple of MetricPair
        Tests of all pairs of metrics, in each task and on average.

    Examples
    --------
    >>> import concordant as cd
    >>> human = [[4, 3, 1, 2], [2, 2, 0, 1], [1, 3, 0, 0]]
    >>> found = cd.metrics({"en-de": (human, {"one": [[9, 8, 5, 6], [7, 5, 1, 2], [1, 6, 0, 3]]})})
    >>> [(each.metric, round(each.average, 3)) for each in found.metrics]
    [('one', 0.865)]
    """

    function: ClassVar[str] = "metrics"

    metrics: tuple[MetricAverage, ...] = records(MetricAverage, "Metrics over all tasks")
    tasks: tuple[MetricTask, ...] = records(MetricTask, "Metrics in each task")
    pairs: tuple[MetricPair, ...] = records(MetricPair, "Tests of pairs of metrics")

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: the best metric, and those that it is not told apart from."""
        ranked = [each for each in self.metrics or () if each.average is not None]
        if not ranked:
            return sentences(["No metric has a value in every task" if self.metrics else None])
        best, tasks = ranked[0], len({(each.language_pair, each.task) for each in self._tested()})
        value = f"{best.metric} has the largest average over {count(tasks, 'task')}, {best.average:.3f}"
        same = [each.metric for each in ranked[1:] if each.cluster == 1]
        apart = f"Also in its cluster: {few(same, 'metrics', 5)}" if same else None
        alone = "No other metric is in its cluster" if not same and ranked[1:] else None
        return sentences([value, apart, alone])

    def _tested(self) -> list[MetricTask]:
        return [each for each in self.tasks or () if each.cluster is not None]

    def answer(self) -> Grid:
        """Return the table of the findings of WMT: a row for each metric, a column for each task.

        Returns
        -------
        Grid
            Header and rows; a cell is a value and its cluster.
        """
        if not self.metrics or self.tasks is None:
            return super().answer()
        cells = {(each.metric, each.language_pair, each.task): each for each in self._tested()}
        tasks = list(dict.fromkeys(each[1:] for each in cells))
        header = ["cluster", "metric", _AVERAGE, *(f"{pair} {_SHORT[task]}" for pair, task in tasks)]
        rows = [
            [
                Absent("-") if each.cluster is None else each.cluster,
                each.metric,
                Absent("-") if each.average is None else f"{each.average:.3f}",
                *(_cell(cells.get((each.metric, *task))) for task in tasks),
            ]
            for each in self.metrics
        ]
        return Grid({}, header, rows, 2, shows="metrics")

    @property
    def caption(self) -> str:
        """The caption of the table in LaTeX and Markdown: what the columns are."""
        about = self.options
        return (
            "Agreement of metrics with people: value and, in brackets, cluster. SPA: soft pairwise accuracy; "
            "PA: pairwise accuracy; acc_eq: pairwise accuracy of segments with calibrated ties. A cluster "
            f"begins where a metric is significantly worse (p at most {about['alpha']}) than one of the "
            f"cluster before, by {about['n_resamples']} exchanges of standardised scores, or of outcomes."
        )


def _cell(record: MetricTask | None) -> str:
    return Absent("-") if record is None else f"{record.value:.3f} ({record.cluster})"


@public
def metrics(
    data: str | PathLike[str] | Mapping[str, tuple[Any, Mapping[str, Any]]],
    *,
    language_pairs: str | Iterable[str] = (),
    human: str | None = None,
    reference: str | None = None,
    references: bool = False,
    exclude: str | Iterable[str] = (),
    by: Groups = "item",
    system_level: SystemLevel = "soft",
    ties: FlipTies = "half",
    unit: Unit = "cell",
    rule: Rule = "greedy",
    alpha: float = 0.05,
    n_resamples: int = 1000,
    rng: RngLike = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> MetricsResult:
    """Compare metrics of machine translation by their agreement with people, as WMT does.

    A task is a level of a language pair: systems, by soft pairwise accuracy, and segments, by pairwise
    accuracy with calibrated ties. In each task, and for the average over tasks, all pairs of metrics are
    tested, and metrics are put into clusters.

    Parameters
    ----------
    data : path, or mapping of language pair to (human, {metric: scores})
        A folder of mt-metrics-eval; or the scores themselves, systems x segments, as `pairwise_accuracy`
        takes them. Larger is better. A missing human score is None or nan, and the translation does not
        count.
    language_pairs : str or iterable of str, optional
        The language pairs to use; by default all.
    human : str, optional
        The kind of human scores to use, such as "mqm", if a folder has several.
    reference : str, optional
        Use metrics with this reference translation, such as "refA", and those without any.
    references : bool, default False
        Whether reference translations are systems, except those that the metrics use. By default they are
        left out.
    exclude : str or iterable of str, optional
        Names or patterns of systems to leave out, such as outliers.
    by : {"item", "system", "none"}
        The groups of translations for acc_eq: those of a segment, those of a system, or all together.
    system_level : {"soft", "pairwise"}
        The accuracy at system level: soft (WMT 2024) or plain (before). The other is in the table ``tasks``,
        without a test.
    ties : {"half", "count"}
        How a flip with the observed sum counts, as in `soft_pairwise_accuracy`; "count" gives official
        values.
    unit : {"cell", "item", "system"}
        What two metrics exchange in a test at system level: single scores, segments, or systems.
    rule : {"greedy", "cut"}
        Where a cluster begins: with a metric that is significantly worse than one of the present cluster; or
        where all metrics above are significantly better than all below, which is never finer.
    alpha : float, default 0.05
        The level of the tests.
    n_resamples : int, default 1000
        The number of random flips, and of random exchanges.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        The seed or the generator of random numbers.
    workers : int, default 1
        The number of threads; -1 means all cores. The result does not depend on it.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    MetricsResult
        ``metrics``, ``tasks`` and ``pairs``.

    Notes
    -----
    At system level, both metrics are standardised and exchange their scores at random (PERM-BOTH); the
    p-value is (1 + hits) / (1 + exchanges), or exact if there are at most 2^16 exchanges. At segment level
    each metric keeps its epsilon, and the outcomes of single pairs are exchanged; that p-value is exact.
    A metric that lacks a score where people gave one, or gives every translation the same score, is left out
    of that language pair, has no average, and a note names it.

    References
    ----------
    .. [1] Freitag et al., "Are LLMs breaking MT metrics? Results of the WMT24 metrics shared task", WMT 2024.
    .. [2] Deutsch, Dror and Roth, "A statistical analysis of summarization evaluation metrics using
       resampling methods", TACL 2021.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"A": [4, 3, 1, 2], "B": [2, 2, 0, None], "C": [1, 3, 0, 0]}
    >>> near = {"A": [9, 8, 5, 6], "B": [7, 5, 1, 2], "C": [1, 6, 0, 3]}
    >>> far = {"A": [1, 3, 2, 1], "B": [5, 0, 4, 2], "C": [3, 3, 1, 4]}
    >>> result = cd.metrics({"en-de": (human, {"near": near, "far": far})})
    >>> [(each.metric, each.cluster) for each in result.metrics]
    [('near', 1), ('far', 2)]
    """
    for name, value, kinds in (
        *(("by", by, Groups), ("system_level", system_level, SystemLevel), ("ties", ties, FlipTies)),
        *(("unit", unit, Unit), ("rule", rule, Rule)),
    ):
        one_of(name, value, get_args(kinds))
    proportion("alpha", alpha)
    whole_number("n_resamples", n_resamples)
    threads, (source, seed) = n_workers(workers), generator(rng)
    wanted, patterns = ([each] if isinstance(each, str) else list(each) for each in (language_pairs, exclude))
    of_folder: dict[str, Any] = {"human": human, "reference": reference, "references": references}
    if isinstance(data, Mapping):
        given = [name for name, value in of_folder.items() if value]
        if given:
            raise ArgumentError(f"{option(given[0])} has no effect on scores; it is for folders")
        unknown = [name for name in wanted if name not in data]
        if unknown or not data:
            what = f"there is no language pair {unknown[0]!r}" if unknown else "there is no language pair"
            raise ArgumentError(f"{what}; there are {listed(sorted(data))}" if data else f"{what}; give one")
        pairs = [_given(name, *data[name], patterns) for name in sorted(wanted or data)]
    else:
        pairs = read_metric_scores(data, wanted, exclude=patterns, **of_folder)
    how = _How(by, system_level, ties, unit, n_resamples, threads)
    found: list[_Found] = []
    for each, own in zip(pairs, source.spawn(len(pairs)), strict=True):
        found.append(_of_language_pair(each, how, own, _part(progress, len(found), len(pairs))))
    names = sorted({name for each in pairs for name in each.metrics})
    notes = [note for each in pairs for note in each.notes] + [note for each in found for note in each.notes]
    tasks = [task for each in found for task in each.tasks]
    rows: list[MetricTask] = []
    tests: list[MetricPair] = []
    for task in tasks:
        numbers, literal = (clusters(task.values, task.pvalues, alpha, each) for each in (rule, None))
        for k, name in enumerate(task.names):
            own_clusters = (numbers[k], literal[k]) if task.null is not None else (None, None)
            of = (task.pair, task.task, name, _known(task.values[k]))
            rows.append(MetricTask(*of, *own_clusters, *task.about[k]))
        if task.null is not None:
            tests += _tests(task.pair, task.task, task.names, task.values, task.pvalues)
    values, pvalues = _average(names, [task for task in tasks if task.null is not None])
    numbers, literal = (clusters(values, pvalues, alpha, each) for each in (rule, None))
    tests += _tests("all", _AVERAGE, names, values, pvalues)
    order = sorted(
        range(len(names)), key=lambda k: (math.isnan(values[k]), -np.nan_to_num(values[k]), names[k])
    )
    pooled = {name: _pooled(name, found) for name in names}
    return MetricsResult(
        metrics=tuple(
            MetricAverage(names[k], _known(values[k]), numbers[k], literal[k], pooled[names[k]])
            for k in order
        ),
        tasks=tuple(rows),
        pairs=tuple(tests),
        notes=unique(notes),
        options={"by": by, "system_level": system_level, "ties": ties, "unit": unit, "rule": rule}
        | {"alpha": alpha, "n_resamples": n_resamples, "seed": seed},
    )


class _How(NamedTuple):
    by: Groups
    system_level: SystemLevel
    ties: FlipTies
    unit: Unit
    n_resamples: int
    threads: int


class _Task(NamedTuple):
    """A task: values of the metrics, p-values of i not being better than j, and what belongs to a record.

    `null` has, for each pair of metrics, second - first after random exchanges; None if it is not tested.
    """

    pair: str
    task: str
    names: list[str]
    values: Sequence[float]
    pvalues: Floats
    about: list[tuple[Any, ...]]
    null: Floats | None


class _Found(NamedTuple):
    tasks: list[_Task]
    agreeing: dict[str, tuple[int, int]]
    notes: list[Note]


def _part(progress: Progress | None, part: int, parts: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, total: progress(part * total + done, parts * total)


def _given(pair: str, human: Any, metrics: Mapping[str, Any], patterns: list[str]) -> LanguagePair:
    """Align the scores that were passed, by the names of systems if there are any."""
    systems, scores = table_of(f"human of {pair}", human)
    if systems is None and patterns:
        raise ArgumentError(f"{option('exclude')} needs names of systems; give mappings of system to scores")
    names = systems if systems is not None else [str(k) for k in range(len(scores))]
    kept = [k for k, name in enumerate(names) if not any(fnmatchcase(name, each) for each in patterns)]
    kept = sorted(kept, key=names.__getitem__) if systems is not None else kept
    if len(kept) < 2:
        raise ArgumentError(f"{pair} has {count(len(kept), 'system')}; give two or more")
    found = {}
    for metric in sorted(metrics):
        others, own = table_of(f"{metric} of {pair}", metrics[metric])
        if others is not None and systems is not None:
            rows = dict(zip(others, own, strict=True))
            own = np.array([rows.get(name, np.full(own.shape[1], np.nan)) for name in names])
        if own.shape != scores.shape:
            raise ArgumentError(
                f"{metric} of {pair} has the shape {own.shape}, and the human scores {scores.shape}; give "
                "one score or None for each translation"
            )
        found[metric] = own[kept]
    return LanguagePair(pair, tuple(names[k] for k in kept), scores[kept], found)


def _of_language_pair(
    pair: LanguagePair, how: _How, rng: np.random.Generator, progress: Progress | None
) -> _Found:
    """Return both tasks of a language pair, and the accuracy at system level that is not tested."""
    human, present, notes = pair.human, ~np.isnan(pair.human), []
    names, tables = [], []
    for name, own in pair.metrics.items():
        cells = own[present]
        lacks = int(np.isnan(cells).sum())
        why = f"has no score for {lacks} of the {len(cells)} translations with a human score" if lacks else ""
        if not lacks and len(cells) and cells.max() == cells.min():
            why = "gives all translations the same score"
        if why:
            text = f"{name} {why}, and is left out"
            notes.append(
                Note("metric_left_out", text=text, values={"metric": name}, subject=pair.name, lost=True)
            )
        else:
            names.append(name)
            tables.append(np.where(present, own, np.nan))
    if not names:
        raise ArgumentError(
            f"{pair.name} has no metric with a score for every translation that people scored"
        )
    of_flips, of_exchanges, of_outcomes = rng.spawn(3)
    flips = flips_of(human, how.n_resamples, of_flips)
    of_people = pvalues_of_pairs(flips, human, how.ties)
    soft = [float(soft_accuracy(of_people, pvalues_of_pairs(flips, own, how.ties))) for own in tables]
    agreeing = [agreeing_pairs(human, own) for own in tables]
    plain = [right / total if total else math.nan for right, total in agreeing]
    used = flips if how.system_level == "soft" else None
    values = {"soft": soft, "pairwise": plain}
    z = np.array([standardised(human, own) for own in tables])
    every = exchanges_of(human, how.unit, how.n_resamples, None)
    drawn = exchanges_of(human, how.unit, how.n_resamples, of_exchanges)
    work: dict[str, Any] = {"threads": how.threads, "progress": progress}
    null = null_deltas(human, z, drawn, used, how.ties, **work)
    exact = null_deltas(human, z, every, used, how.ties, threads=how.threads) if every.exact else None
    n_pairs, known = len(of_people), int((~np.isnan(of_people)).sum())
    tasks = []
    for level in (how.system_level, *(each for each in values if each != how.system_level)):
        tested = level == how.system_level
        pvalues = np.full((len(names), len(names)), np.nan)
        for k, (i, j) in enumerate(itertools.combinations(range(len(names)), 2) if tested else ()):
            delta, own = values[level][j] - values[level][i], null[k] if exact is None else exact[k]
            pvalues[j, i] = pvalue_of_delta(delta, own, exact is not None)
            pvalues[i, j] = pvalue_of_delta(-delta, -own, exact is not None)
        about: list[tuple[Any, ...]] = [(None, None, None, known, n_pairs - known)] * len(names)
        own_null = null if tested else None
        tasks.append(_Task(pair.name, _TASKS[level], names, values[level], pvalues, about, own_null))
    tasks.insert(1, _segment_task(pair, names, tables, how, of_outcomes))
    return _Found(tasks, dict(zip(names, agreeing, strict=True)), notes)


def _segment_task(
    pair: LanguagePair, names: list[str], tables: list[Floats], how: _How, rng: np.random.Generator
) -> _Task:
    values, about, outcomes = [], [], []
    for own in tables:
        pairs = pairs_of_groups(pair.human, own, how.by)
        epsilon, right, at_0 = calibrated(pairs)
        fitted = cross_fitted(pair.human, own, how.by)
        n = pairs.n_groups
        values.append(share_of(right, pairs))
        about.append(
            (_known(epsilon), _known(fitted), _known(share_of(at_0, pairs)), n, len(pairs.weights) - n)
        )
        outcomes.append(outcomes_of(pairs, epsilon))
    pvalues, null = np.full((len(names), len(names)), np.nan), []
    for i, j in itertools.combinations(range(len(names)), 2):
        if math.isnan(values[i]):
            null.append(np.full(how.n_resamples, np.nan))
            continue
        found = compared_outcomes(outcomes[i], outcomes[j])
        pvalues[j, i] = found.pvalue(how.n_resamples, rng)
        pvalues[i, j] = found._replace(delta=-found.delta).pvalue(how.n_resamples, rng)
        null.append(found.draws(how.n_resamples, rng))
    kept = np.array(null).reshape(len(null), how.n_resamples)
    return _Task(pair.name, _SEGMENTS, names, values, pvalues, about, kept)


def _average(names: list[str], tasks: list[_Task]) -> tuple[list[float], Floats]:
    """Return the mean over tasks of each metric, and the p-values: exchanges are averaged over tasks too."""
    values = [
        float(
            np.mean(
                [task.values[task.names.index(name)] if name in task.names else math.nan for task in tasks]
            )
        )
        for name in names
    ]
    pvalues = np.full((len(names), len(names)), np.nan)
    for i, j in itertools.combinations(range(len(names)), 2):
        delta = values[j] - values[i]
        if math.isnan(delta):
            continue
        nulls = []
        for task in tasks:
            places = itertools.combinations(task.names, 2)  # both lists of names are sorted
            nulls.append(task.null[list(places).index((names[i], names[j]))])  # type: ignore[index]
        null = np.mean(nulls, axis=0)
        pvalues[j, i] = pvalue_of_delta(delta, null, False)
        pvalues[i, j] = pvalue_of_delta(-delta, -null, False)
    return values, pvalues


def _tests(
    pair: str, task: str, names: list[str], values: Sequence[float], pvalues: Floats
) -> Iterator[MetricPair]:
    """Yield the tests, the larger value first; of equal values the first name."""
    for i, j in itertools.combinations(range(len(names)), 2):
        better, worse = (j, i) if values[j] > values[i] else (i, j)
        if not math.isnan(pvalues[better, worse]):
            gap = float(values[better] - values[worse])
            yield MetricPair(pair, task, names[better], names[worse], gap, float(pvalues[better, worse]))


def _pooled(name: str, found: list[_Found]) -> float | None:
    """Return the pairwise accuracy of all language pairs together; None if the metric lacks one."""
    counts = [each.agreeing.get(name) for each in found]
    right, total = (sum(each[k] for each in counts if each is not None) for k in (0, 1))
    return None if None in counts or not total else right / total


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
