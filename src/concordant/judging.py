"""Does an estimate, a judge, another measure rank the systems as the truth does."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import concordant.coefficients  # noqa: F401 - files them in the registry
from concordant._engine import Outcome, TiesError, UndefinedWarning
from concordant._inputs import Floats, Progress, n_workers, read_pairs, seeded
from concordant._registry import Coefficient, evaluate, get
from concordant.alignment import Alignment, align
from concordant.explaining import explain
from concordant.inference import (
    TopicSample,
    adjust_pvalues,
    check_interval,
    differences,
    resample,
    times,
)
from concordant.report import Report, Table
from concordant.scores import Means, Scores, some
from concordant.significance import pairs_of

__all__ = ["by_topic", "correlate", "judge", "label_agreement", "sweep"]

DEFAULT = ("tau_b", "tau_ap_b")
Some = str | Coefficient | Callable[..., Any] | Iterable[str | Coefficient | Callable[..., Any]]
Labels = Mapping[str, Mapping[str, int]]


def chosen(who: str, coefficients: Some) -> list[Coefficient]:
    """Read the coefficients asked for; those of scores only."""
    asked = [coefficients] if isinstance(coefficients, str) or callable(coefficients) else list(coefficients)
    found = list(dict.fromkeys(get(one) for one in asked))
    if not found:
        raise ValueError(f"{who}: no coefficients were given; name at least one, such as tau_b")
    for c in found:
        if c.inputs != "scores":
            raise ValueError(
                f"{who}: {c.name} compares graded lists, not scores of systems; see concordant list"
            )
    return found


def measure_pairs(
    who: str, truth: Scores, estimate: Scores, name: str, notes: list[str]
) -> list[tuple[str, str]]:
    """Say which measures to compare: those in common, or, if one side has one only, that with each of the other."""
    common = [measure for measure in truth.measures if measure in estimate.measures]
    if common:
        others = [m for m in dict.fromkeys((*truth.measures, *estimate.measures)) if m not in common]
        if others:
            notes.append(f"{name}: measures on one side only were left out: {some(others)}")
        return [(measure, measure) for measure in common]
    if len(truth.measures) == 1 or len(estimate.measures) == 1:
        return [(m, n) for m in truth.measures for n in estimate.measures]
    raise ValueError(
        f"{who}: no measure is in common: {some(truth.measures)} against {some(estimate.measures)}; choose one on each side"
    )


def outcomes_of(who: str, coefficients: Sequence[Coefficient], x: Any, y: Any) -> list[Outcome]:
    outcomes = evaluate(who, coefficients, read_pairs(who, x, y), "raise", 1)
    for outcome in outcomes:
        if outcome.refusal:
            raise TiesError(outcome.refusal)
    return outcomes


def _of_means(
    coefficients: Sequence[Coefficient], x: Means, y: Means, label: str, notes: list[str]
) -> list[float]:
    outcomes = outcomes_of("correlate", coefficients, x, y)
    for c, outcome in zip(coefficients, outcomes, strict=True):
        if outcome.undefined:
            notes.append(f"{label}: {c} is undefined: {outcome.reason}")
    return [float(outcome.values[0]) for outcome in outcomes]


def _sides(truth: Any, estimates: Mapping[str, Any]) -> tuple[Scores, dict[str, Scores]]:
    if not estimates:
        raise ValueError("correlate: there is nothing to compare the truth with; give at least one estimate")
    return Scores.of(truth), {name: Scores.of(estimate) for name, estimate in estimates.items()}


def _align(truth: Any, estimates: Mapping[str, Any], on_missing: str | None) -> Alignment:
    own, others = _sides(truth, estimates)
    return align(own, *others.values(), on_missing=on_missing, names=["truth", *others])


def _measure(pair: tuple[str, str]) -> str:
    return pair[0] if pair[0] == pair[1] else f"{pair[0]} / {pair[1]}"


@dataclass
class Intervals:
    """How intervals over topics are made; the same draws for every question, so that answers can be compared."""

    level: float
    method: str
    n_resamples: int
    seed: int
    threads: int
    progress: Progress | None
    total: int = 0  # resamples, of all questions
    done: int = 0

    @classmethod
    def of(
        cls, who: str, level: float | None, method: str, n_resamples: int, rng: Any, workers: int, progress: Progress | None
    ) -> Intervals | None:  # fmt: skip
        threads = n_workers(who, workers)
        if level is None:
            return None
        check_interval(who, n_resamples, level, method)
        generator, seed = seeded(rng)
        seed = int(generator.integers(2**32)) if seed is None else seed
        return cls(level, method, n_resamples, seed, threads, progress)

    def columns(self, name: object) -> tuple[str, str]:
        """Return the names of the columns for both ends."""
        return f"{name} low", f"{name} high"

    def step(self, done: int, _total: int) -> None:
        """Pass on progress, as part of all questions."""
        if self.progress is not None:
            self.progress(min(self.done + done, self.total), self.total)

    def of_means(
        self, coefficients: Sequence[Coefficient], x: Scores, y: Scores, pair: tuple[str, str], notes: list[str]
    ) -> list[tuple[float | None, float | None]]:  # fmt: skip
        """Return the interval of each coefficient of means; none where there is one topic only."""
        topics = {*x.topics, *y.topics}
        if len(topics) < 2:
            return [(None, None)] * len(coefficients)
        sample = TopicSample("bootstrap", coefficients, [(x, pair[0]), (y, pair[1])], self.threads)
        rng = np.random.default_rng(self.seed)
        found = resample(sample, lambda values: values, self.n_resamples, self.method, rng, self.step)
        self.done += self.n_resamples
        for k, c in enumerate(coefficients):
            undefined = self.n_resamples - len(found.defined(k))
            if undefined:
                notes.append(f"{c} is undefined in {undefined} of {self.n_resamples} resamples of topics")
        notes.append(self.note(len(topics)))
        ends = [found.interval(k, self.method, self.level, c.bounds) for k, c in enumerate(coefficients)]
        return [(_or_none(low), _or_none(high)) for low, high in ends]

    def of_mean(self, values: Floats) -> tuple[float | None, float | None]:
        """Return the interval of the mean of values of topics, those that are not defined left out; percentiles."""
        defined = values[~np.isnan(values)]
        if len(defined) < 2:
            return None, None
        drawn = np.random.default_rng(self.seed).integers(0, len(defined), (self.n_resamples, len(defined)))
        means = times(drawn, len(defined)) @ defined / len(defined)
        tails = ((1 - self.level) / 2, (1 + self.level) / 2)
        low, high = np.quantile(means, tails).tolist()
        return low, high

    def note(self, n_topics: int) -> str:
        """Say how intervals were made."""
        few = "; of so few topics they are rough" if n_topics < 10 else ""
        return (
            f"low and high: {self.level:.4g} intervals over topics ({self.method}, {self.n_resamples} resamples of {n_topics} "
            f"topics, seed {self.seed}){few}"
        )


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def _with_ends(
    values: Sequence[Any], ends: Sequence[tuple[Any, Any]] | None
) -> tuple[Any, ...]:  # fmt: skip
    """Put the ends of its interval behind each value."""
    if ends is None:
        return tuple(values)
    return tuple(cell for value, both in zip(values, ends, strict=True) for cell in (value, *both))


def _reasons(
    label: tuple[str, str], coefficients: Sequence[Coefficient], x: Means, y: Means, most: int
) -> list[tuple[Any, ...]]:  # fmt: skip
    """Return what costs most: a row for each reason."""
    rows: list[tuple[Any, ...]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # told elsewhere
        for c in coefficients:
            why = explain(x, y, c, most=most)
            if why.shares is None:
                rows += [(*label, c, removal.gain, str(removal)) for removal in why.removals]
            rows += [(*label, c, pair.cost, str(pair)) for pair in why.pairs]
    return rows


_REASONS = ("measure", "coefficient", "cost", "reason")


def explained(
    truth: Any, estimate: Any, coefficients: Some = DEFAULT, *, most: int = 10, on_missing: str | None = None
) -> Report:
    """Explain coefficients of mean scores, for all measures: `explain` as tables "pairs", "removals" and "items"."""
    asked = chosen("explain", coefficients)
    aligned = _align(truth, {"estimate": estimate}, on_missing)
    notes = list(aligned.notes)
    parts: dict[str, list[tuple[Any, ...]]] = {}
    titles: dict[str, Table] = {}
    for pair in measure_pairs("explain", aligned.truth, aligned.estimates[0], "estimate", notes):
        x, y = aligned.truth.mean(pair[0]), aligned.estimates[0].mean(pair[1])
        for c in asked:
            why = explain(x, y, c, most=most)
            notes += [f"{_measure(pair)}: {c} = {why.statistic:.4f}", *why.notes]
            for table in why.to_report().tables:
                titles.setdefault(table.name, table)
                parts.setdefault(table.name, []).extend((_measure(pair), c, *row) for row in table.rows)
    tables = [
        Table(name, titles[name].title, ("measure", "coefficient", *titles[name].columns), tuple(rows))
        for name, rows in parts.items()
    ]
    return Report("", tuple(tables), tuple(dict.fromkeys(notes)))


def correlate(
    truth: Any,
    estimates: Mapping[str, Any],
    coefficients: Some = DEFAULT,
    *,
    confidence_level: float | None = None,
    method: str = "simex",
    n_resamples: int = 9999,
    n_reasons: int = 3,
    on_missing: str | None = None,
    rng: Any = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Report:
    """Correlate the ranking of systems by their means under the truth with that under each estimate.

    Parameters
    ----------
    truth : Scores, or what `Scores.of` takes
    estimates : mapping of name to the same
        Measures are compared with the measure of the same name; where a side has one measure only, with that.
    coefficients : list of str or Coefficient
        As `get` reads them, such as ``["tau_ap_b", "tau_b(0.05)@10"]``.
    confidence_level : float, optional
        Add intervals over topics of this level, see `bootstrap`; none by default.
    method, n_resamples, rng, workers, progress
        Of the intervals, as `bootstrap` has them.
    n_reasons : int
        How many pairs of systems that cost most to name for each coefficient, see `explain`.
    on_missing : {"error", "drop", "zero"}, optional
        See `align`.

    Returns
    -------
    Report
        With the tables "correlation" and "reasons".

    Examples
    --------
    >>> import concordant as cd
    >>> truth = {"q1": {"bm25": 0.2, "dense": 0.5, "rm3": 0.3}, "q2": {"bm25": 0.4, "dense": 0.3, "rm3": 0.3}}
    >>> half = {"q1": {"bm25": 0.2, "dense": 0.5, "rm3": 0.3}}
    >>> cd.correlate(truth, {"half": half}, "tau_b")["correlation"].to_dicts()
    [{'estimate': 'half', 'measure': 'score', 'systems': 3, 'tau_b': 0.8164965809277261}]
    """
    who = "correlate"
    asked = chosen(who, coefficients)
    intervals = Intervals.of(who, confidence_level, method, n_resamples, rng, workers, progress)
    aligned = _align(truth, estimates, on_missing)
    notes = list(aligned.notes)
    questions = [
        (name, estimate, pair)
        for name, estimate in zip(estimates, aligned.estimates, strict=True)
        for pair in measure_pairs(who, aligned.truth, estimate, name, notes)
    ]
    if all(len({*aligned.truth.topics, *estimate.topics}) < 2 for _, estimate, _ in questions):
        intervals = None  # there are means only
    if intervals is not None:
        intervals.total = len(questions) * n_resamples
    rows: list[tuple[Any, ...]] = []
    reasons: list[tuple[Any, ...]] = []
    for name, estimate, pair in questions:
        x, y = aligned.truth.mean(pair[0]), estimate.mean(pair[1])
        values = _of_means(asked, x, y, name, notes)
        ends = None if intervals is None else intervals.of_means(asked, aligned.truth, estimate, pair, notes)
        rows.append((name, _measure(pair), len(x), *_with_ends(values, ends)))
        reasons += _reasons((name, _measure(pair)), asked, x, y, n_reasons)
    columns = _with_ends(asked, None if intervals is None else [intervals.columns(c) for c in asked])
    tables = [
        Table(
            "correlation",
            "Rankings of systems by mean score",
            ("estimate", "measure", "systems", *columns),
            tuple(rows),
        )
    ]
    if n_reasons:
        tables.append(
            Table("reasons", "What costs most: pairs of systems", ("estimate", *_REASONS), tuple(reasons))
        )
    return Report("", tuple(tables), tuple(dict.fromkeys(notes)))


def by_topic(
    truth: Any,
    estimate: Any,
    coefficients: Some = DEFAULT,
    *,
    confidence_level: float | None = None,
    method: str = "simex",
    n_resamples: int = 9999,
    on_missing: str | None = None,
    rng: Any = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Report:
    """Correlate the systems topic by topic, beside the correlation of their means.

    Parameters
    ----------
    truth, estimate : Scores, or what `Scores.of` takes
    coefficients : list of str or Coefficient
    confidence_level : float, optional
        Add intervals over topics of this level: of the coefficient of means, see `bootstrap`, and of the mean over topics,
        by percentiles. None by default.
    method, n_resamples, rng, workers, progress
        Of the intervals, as `bootstrap` has them.
    on_missing : {"error", "drop", "zero"}, optional
        See `align`; topics on one side only are left out.

    Returns
    -------
    Report
        With the tables "topics" (a summary for each coefficient: mean, minimum, maximum, how many are undefined and why)
        and "each" (all topics).

    Examples
    --------
    >>> import concordant as cd
    >>> truth = {"q1": {"a": 0.2, "b": 0.5, "c": 0.3}, "q2": {"a": 0.4, "b": 0.3, "c": 0.2}}
    >>> llm = {"q1": {"a": 0.3, "b": 0.6, "c": 0.1}, "q2": {"a": 0.5, "b": 0.5, "c": 0.5}}
    >>> cd.by_topic(truth, llm, ["tau_b"])["topics"].to_dicts()[0]["undefined"]
    1
    """
    who = "by_topic"
    asked = chosen(who, coefficients)
    intervals = Intervals.of(who, confidence_level, method, n_resamples, rng, workers, progress)
    aligned = _align(truth, {"estimate": estimate}, on_missing)
    x, y, notes = _common_topics(who, aligned)
    questions = measure_pairs(who, x, y, "estimate", notes)
    if len(x.topics) < 2:
        intervals = None
    if intervals is not None:
        intervals.total = len(questions) * n_resamples
    rows, each = [], []
    for pair in questions:
        values = _of_topics(who, x, y, pair, asked)
        of_means = _of_means(asked, x.mean(pair[0]), y.mean(pair[1]), _measure(pair), notes)
        ends = None if intervals is None else intervals.of_means(asked, x, y, pair, notes)
        for k, (c, mean_value, (own, reason)) in enumerate(zip(asked, of_means, values, strict=True)):
            mean, *others = _summary(own, x.topics)
            shown = _with_ends(
                (mean_value, mean),
                None if intervals is None or ends is None else (ends[k], intervals.of_mean(own)),
            )
            rows.append((_measure(pair), c, *shown, *others, reason))
        each += [
            (_measure(pair), topic, *(float(own[t]) for own, _ in values)) for t, topic in enumerate(x.topics)
        ]
    means = ("of means", _SUMMARY[0])
    shown = _with_ends(means, None if intervals is None else [intervals.columns(name) for name in means])
    columns = ("measure", "coefficient", *shown, *_SUMMARY[1:], "why undefined")
    return Report(
        "",
        (
            Table("topics", f"Correlation of {len(x.systems)} systems by topic", columns, tuple(rows)),
            Table("each", "Each topic", ("measure", "topic", *asked), tuple(each)),
        ),
        tuple(dict.fromkeys(notes)),
    )


_SUMMARY = ("mean", "minimum", "topic of minimum", "maximum", "topic of maximum", "topics", "undefined")


def _summary(values: Floats, topics: Sequence[str]) -> tuple[Any, ...]:
    defined = np.flatnonzero(~np.isnan(values))
    if len(defined) == 0:
        return (None, None, "-", None, "-", len(values), len(values))
    low, high = defined[np.argmin(values[defined])], defined[np.argmax(values[defined])]
    mean = math.fsum(values[defined]) / len(defined)
    ends = (float(values[low]), topics[low], float(values[high]), topics[high])
    return (mean, *ends, len(values), len(values) - len(defined))


def _common_topics(who: str, aligned: Alignment) -> tuple[Scores, Scores, list[str]]:
    x, y = aligned.truth, aligned.estimates[0]
    notes = [note for note in aligned.notes if not note.startswith("the sides have different topics")]
    common = [topic for topic in x.topics if topic in set(y.topics)]
    if not common:
        raise ValueError(f"{who}: the sides have no topic in common; are the topics named the same?")
    left_out = [topic for topic in dict.fromkeys((*x.topics, *y.topics)) if topic not in set(common)]
    if left_out:
        notes.append(f"left out topics that are on one side only: {some(left_out)}")
    return x.select(topics=common), y.select(topics=common), notes


def _of_topics(
    who: str, x: Scores, y: Scores, pair: tuple[str, str], asked: Sequence[Coefficient]
) -> list[tuple[Floats, str]]:
    """Return for each coefficient its value for every topic, and why some have none."""
    rows_x, rows_y = x.one_measure(pair[0])[1], y.one_measure(pair[1])[1]
    try:
        outcomes = outcomes_of(who, asked, rows_x, rows_y)
    except TiesError as error:
        raise TiesError(f"{error} (within a topic, many systems tie)") from None
    return [(outcome.values, outcome.reason if outcome.undefined else "") for outcome in outcomes]


def judge(
    truth: Any,
    judges: Mapping[str, Any],
    coefficients: Some = DEFAULT,
    *,
    top: Iterable[int] = (10,),
    qrels: Labels | None = None,
    judge_qrels: Mapping[str, Labels] | None = None,
    n_worst: int = 5,
    n_reasons: int = 3,
    confidence_level: float | None = None,
    method: str = "simex",
    n_resamples: int = 9999,
    alpha: float = 0.05,
    on_missing: str | None = None,
    rng: Any = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Report:
    """Say how well judges rank the systems compared with the truth.

    Parameters
    ----------
    truth : Scores, or what `Scores.of` takes
        The systems' scores under the true judgements.
    judges : mapping of name to the same
        Under those of each judge.
    coefficients : list of str or Coefficient
    top : iterable of int
        Also correlate among the best systems of the truth, this many.
    qrels, judge_qrels : mappings, optional
        The judgements themselves, ``{topic: {document: grade}}`` and by judge, for their own agreement.
    n_worst : int
        How many systems that moved, and pairs that flipped, to list.
    n_reasons : int
        How many pairs of systems that cost most to name for each coefficient, see `explain`.
    confidence_level : float, optional
        Add intervals over topics of this level, see `bootstrap`; the best of several judges is then compared with each other
        one, see `difference`; and pairs of systems are counted by whether they differ significantly, see `significant_pairs`.
        None of this by default.
    method, n_resamples, rng, workers, progress
        Of the intervals, as `bootstrap` has them.
    alpha : float, default 0.05
        Level of significance for pairs of systems (paired t-tests, Holm's correction).
    on_missing : {"error", "drop", "zero"}, optional
        See `align`.

    Returns
    -------
    Report
        With the tables "agreement", "comparison" (with intervals, of several judges), "topics", "significance" (with intervals),
        "labels" and "confusion" (with `qrels`), "reasons", "moved", "flipped".

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"a": 0.2, "b": 0.5, "c": 0.3}, "q2": {"a": 0.4, "b": 0.3, "c": 0.2}}
    >>> llm = {"q1": {"a": 0.3, "b": 0.6, "c": 0.4}, "q2": {"a": 0.5, "b": 0.2, "c": 0.1}}
    >>> cd.judge(human, {"llm": llm}, ["tau_b"])["agreement"].to_dicts()[0]["tau_b"]
    0.8164965809277261
    """
    who = "judge"
    asked = chosen(who, coefficients)
    scopes: list[int | None] = [None]
    for size in dict.fromkeys(top):
        if not isinstance(size, int | np.integer) or isinstance(size, bool) or size < 2:
            raise ValueError(f"judge: top must be numbers of systems from 2 up, got {size!r}")
        scopes.append(int(size))
    intervals = Intervals.of(who, confidence_level, method, n_resamples, rng, workers, progress)
    aligned = _align(truth, judges, on_missing)
    notes = list(aligned.notes)
    n_systems = len(aligned.truth.systems)
    notes += [
        f"there is no top {k}: there are {n_systems} systems"
        for k in scopes
        if k is not None and k >= n_systems
    ]
    scopes = [k for k in scopes if k is None or k < n_systems]
    # A coefficient with a cut of its own has one value, in the row of all.
    within = [
        (k, c, c if k is None else replace(c, top=k))
        for k in scopes
        for c in asked
        if k is None or c.top is None
    ]
    questions = [
        (name, scores, pair)
        for name, scores in zip(judges, aligned.estimates, strict=True)
        for pair in measure_pairs(who, aligned.truth, scores, name, notes)
    ]
    if all(len({*aligned.truth.topics, *scores.topics}) < 2 for _, scores, _ in questions):
        intervals = None  # there are means only
    by_measure: dict[str, list[tuple[str, Scores, tuple[str, str], list[float]]]] = {}
    agreement: list[tuple[Any, ...]] = []
    topics: list[tuple[Any, ...]] = []
    significance: list[tuple[Any, ...]] = []
    reasons: list[tuple[Any, ...]] = []
    moved: list[tuple[Any, ...]] = []
    flipped: list[tuple[Any, ...]] = []
    if intervals is not None:
        n_others = max(len(judges) - 1, 0) * (len(questions) // max(len(judges), 1)) * 2 * len(asked)
        intervals.total = (len(questions) + n_others) * n_resamples
    for name, scores, pair in questions:
        common_x, common_y, _ = _common_topics(who, replace(aligned, estimates=(scores,)))
        x, y = aligned.truth.mean(pair[0]), scores.mean(pair[1])
        measure = _measure(pair)
        bound = [c for _, _, c in within]
        values = _of_means(bound, x, y, name, notes)
        ends = None if intervals is None else intervals.of_means(bound, aligned.truth, scores, pair, notes)
        for k in scopes:
            cells: list[Any] = []
            for c in asked:
                place = next((i for i, (own, of, _) in enumerate(within) if own == k and of is c), None)
                cells += [None if place is None else values[place]]
                if ends is not None:
                    cells += [None, None] if place is None else ends[place]
            agreement.append((name, measure, f"all {n_systems}" if k is None else f"top {k}", *cells))
        by_measure.setdefault(measure, []).append((name, scores, pair, values[: len(asked)]))
        of_topics = _of_topics(who, common_x, common_y, pair, asked)
        for c, (values_of_topics, reason) in zip(asked, of_topics, strict=True):
            topics.append((name, measure, c, *_summary(values_of_topics, common_x.topics)))
            if reason:
                n_undefined = int(np.isnan(values_of_topics).sum())
                notes.append(f"{name}: {c} is undefined for {n_undefined} topics: {reason}")
        if intervals is not None:
            significance += _significance((name, measure), common_x, common_y, pair, alpha, notes)
        reasons += _reasons((name, measure), asked, x, y, n_reasons)
        moved += [(name, measure, *row) for row in _moves(x, y, n_worst)]
        pairs, n_flipped = _flips(x, y, n_worst)
        flipped += [(name, measure, *row) for row in pairs]
        n_pairs = n_systems * (n_systems - 1) // 2
        notes.append(
            f"{name}: {n_flipped} of {n_pairs} pairs of systems are in the opposite order by {measure}"
        )
    columns = _with_ends(asked, None if intervals is None else [intervals.columns(c) for c in asked])
    tables = [
        Table(
            "agreement",
            "Ranking of systems, judge against truth",
            ("judge", "measure", "systems", *columns),
            tuple(agreement),
        )
    ]
    if intervals is not None and len(judges) > 1:
        comparison = [
            row for measure, found in by_measure.items() for row in _comparison(measure, aligned.truth, found, asked, intervals)
        ]  # fmt: skip
        tables.append(
            Table(
                "comparison",
                "The best judge against each other one",
                (
                    "measure",
                    "coefficient",
                    "best",
                    "other",
                    "difference",
                    "low",
                    "high",
                    "p",
                    "p (Holm)",
                    "p (BH)",
                ),
                tuple(comparison),
            )
        )
    tables.append(
        Table("topics", "Topic by topic", ("judge", "measure", "coefficient", *_SUMMARY), tuple(topics))
    )
    if significance:
        tables.append(
            Table(
                "significance",
                f"Pairs of systems that differ significantly (paired t-tests, Holm, level {alpha:g})",
                (
                    "judge",
                    "measure",
                    "both, same order",
                    "both, opposite",
                    "truth only",
                    "judge only",
                    "neither",
                ),
                tuple(significance),
            )
        )
    if qrels is not None and judge_qrels:
        tables += _label_tables(qrels, judge_qrels)
    if n_reasons:
        tables.append(
            Table("reasons", "What costs most: pairs of systems", ("judge", *_REASONS), tuple(reasons))
        )
    tables += [
        Table(
            "moved",
            "Systems that gain and lose most ranks",
            ("judge", "measure", "system", "truth rank", "judge rank", "gain"),
            tuple(moved),
        ),
        Table(
            "flipped",
            "Pairs of systems in the opposite order, the clearest by the truth first",
            (
                "judge",
                "measure",
                "better by truth",
                "better by judge",
                "truth difference",
                "judge difference",
            ),
            tuple(flipped),
        ),
    ]
    return Report("", tuple(tables), tuple(dict.fromkeys(notes)))


def _significance(
    label: tuple[str, str], x: Scores, y: Scores, pair: tuple[str, str], alpha: float, notes: list[str]
) -> list[tuple[Any, ...]]:  # fmt: skip
    if len(x.topics) < 2:
        return []
    try:
        found = pairs_of(x, y, pair, alpha)
    except ImportError:
        notes.append("which systems differ significantly needs SciPy: pip install 'concordant[stats]'")
        return []
    return [(*label, found.agree, found.opposed, found.truth_only, found.estimate_only, found.neither)]


def _comparison(
    measure: str, truth: Scores, judges: Sequence[tuple[str, Scores, tuple[str, str], list[float]]],
    asked: Sequence[Coefficient], intervals: Intervals,
) -> list[tuple[Any, ...]]:  # fmt: skip
    """Compare the judge with the highest value of each coefficient with each other one."""
    rows: list[tuple[Any, ...]] = []
    for k, c in enumerate(asked):
        defined = [judge for judge in judges if not math.isnan(judge[3][k])]
        if len(defined) < 2:
            continue
        best = max(defined, key=lambda judge: judge[3][k])
        found = {}
        for name, scores, pair, _ in defined:
            if name == best[0]:
                continue
            if len({*truth.topics} & {*best[1].topics} & {*scores.topics}) < 2:
                continue
            sides = [(truth, pair[0]), (best[1], best[2][1]), (scores, pair[1])]
            rng = np.random.default_rng(intervals.seed)
            (found[name],) = differences(
                "judge", sides, [c], intervals.n_resamples, intervals.level, intervals.method, "two-sided", rng, intervals.seed,
                intervals.threads, intervals.step,
            )  # fmt: skip
            intervals.done += 2 * intervals.n_resamples
        pvalues = {name: result.pvalue for name, result in found.items()}
        adjusted = [
            adjust_pvalues(pvalues, m)
            if not any(map(math.isnan, pvalues.values()))
            else dict.fromkeys(pvalues)
            for m in ("holm", "bh")
        ]
        for name, result in found.items():
            ends = result.confidence_interval
            rows.append(
                (measure, c, best[0], name, result.statistic, _or_none(ends.low), _or_none(ends.high), _or_none(result.pvalue),
                 *(each[name] for each in adjusted))
            )  # fmt: skip
    return rows


def _ranks(means: Means) -> dict[str, int]:
    """Return 1 for the best; systems that tie share the better rank."""
    values = sorted(means.values(), reverse=True)
    first = {value: rank for rank, value in reversed(list(enumerate(values, 1)))}
    return {system: first[value] for system, value in means.items()}


def _moves(x: Means, y: Means, most: int) -> list[tuple[str, int, int, int]]:
    rank_x, rank_y = _ranks(x), _ranks(y)
    rows = [(system, rank_x[system], rank_y[system], rank_x[system] - rank_y[system]) for system in x]
    gains = sorted((row for row in rows if row[3] > 0), key=lambda row: (-row[3], row[1], row[0]))
    losses = sorted((row for row in rows if row[3] < 0), key=lambda row: (row[3], row[1], row[0]))
    return gains[:most] + losses[:most]


def _flips(x: Means, y: Means, most: int) -> tuple[list[tuple[str, str, float, float]], int]:
    systems = list(x)
    values_x, values_y = (np.array([means[s] for s in systems]) for means in (x, y))
    difference_x = values_x[:, None] - values_x[None, :]
    difference_y = values_y[:, None] - values_y[None, :]
    better, worse = np.nonzero((difference_x > 0) & (difference_y < 0))
    order = np.lexsort((worse, better, difference_y[better, worse], -difference_x[better, worse]))[:most]
    rows = [
        (systems[i], systems[j], float(difference_x[i, j]), float(difference_y[i, j]))
        for i, j in zip(better[order].tolist(), worse[order].tolist(), strict=True)
    ]
    return rows, len(better)


def _kappa(pairs: Counter[tuple[int, int]]) -> float:
    """Cohen's kappa: agreement beyond chance, over the most there could be beyond chance."""
    n = pairs.total()
    if n == 0:
        return math.nan
    left: Counter[int] = Counter()
    right: Counter[int] = Counter()
    for (a, b), count in pairs.items():
        left[a] += count
        right[b] += count
    agree = sum(count for (a, b), count in pairs.items() if a == b)
    chance = sum(left[label] * right[label] for label in left)
    return math.nan if chance == n * n else (agree * n - chance) / (n * n - chance)


def _label_pairs(qrels: Labels, other: Labels) -> Counter[tuple[int, int]]:
    return Counter(
        (grade, other[topic][document])
        for topic, documents in qrels.items()
        if topic in other
        for document, grade in documents.items()
        if document in other[topic]
    )


def label_agreement(qrels: Labels, judges: Mapping[str, Labels]) -> Report:
    """Compare judgements document by document.

    Parameters
    ----------
    qrels : mapping
        The true judgements, ``{topic: {document: grade}}``.
    judges : mapping of name to the same

    Returns
    -------
    Report
        With the tables "labels" (Cohen's kappa of relevant or not, and of the grades) and "confusion".

    Examples
    --------
    >>> import concordant as cd
    >>> human, llm = {"q1": {"d1": 2, "d2": 0, "d3": 1}}, {"q1": {"d1": 1, "d2": 0, "d3": 1}}
    >>> cd.label_agreement(human, {"llm": llm})["labels"].to_dicts()[0]["kappa of relevance"]
    1.0
    """
    return Report("", tuple(_label_tables(qrels, judges)))


def _label_tables(qrels: Labels, judges: Mapping[str, Labels]) -> list[Table]:
    labels, confusion = [], []
    pairs_of = {name: _label_pairs(qrels, other) for name, other in judges.items()}
    grades = sorted({grade for pairs in pairs_of.values() for pair in pairs for grade in pair})
    sizes = {name: sum(map(len, each.values())) for name, each in judges.items()}
    n_truth = sum(map(len, qrels.values()))
    for name, pairs in pairs_of.items():
        n = pairs.total()
        binary: Counter[tuple[int, int]] = Counter()
        for (a, b), count in pairs.items():
            binary[int(a > 0), int(b > 0)] += count
        same = sum(count for (a, b), count in pairs.items() if a == b) / n if n else math.nan
        same_binary = (binary[0, 0] + binary[1, 1]) / n if n else math.nan
        labels.append(
            (name, n, n_truth - n, sizes[name] - n, same_binary, _kappa(binary), same, _kappa(pairs))
        )
        for grade in grades:
            confusion.append((name, grade, *(pairs[grade, other] for other in grades)))
    columns = (
        "judge",
        "documents",
        "truth only",
        "judge only",
        "same relevance",
        "kappa of relevance",
        "same grade",
        "kappa of grades",
    )
    return [
        Table("labels", "Agreement of the judgements themselves", columns, tuple(labels)),
        Table(
            "confusion",
            "Documents by true grade (rows) and grade of the judge (columns)",
            ("judge", "true grade", *(f"grade {grade}" for grade in grades)),
            tuple(confusion),
        ),
    ]


def sweep(
    truth: Any,
    estimate: Any,
    coefficients: Some = ("tau_b", "tau_e"),
    *,
    thresholds: Iterable[float] | None = None,
    on_missing: str | None = None,
) -> Report:
    """Follow coefficients as the threshold grows up to which a difference counts as a tie.

    Parameters
    ----------
    truth, estimate : Scores, or what `Scores.of` takes
    coefficients : list of str or Coefficient
        Those that take a threshold.
    thresholds : iterable of float, optional
        By default 51 steps from 0 to the widest range of means.
    on_missing : {"error", "drop", "zero"}, optional
        See `align`.

    Returns
    -------
    Report
        With the tables "sweep" and "turns": where a curve stops falling and rises, or the other way round.

    Examples
    --------
    >>> import concordant as cd
    >>> x, y = {"a": 0.5, "b": 0.4, "c": 0.1}, {"a": 0.4, "b": 0.5, "c": 0.2}
    >>> cd.sweep(x, y, "tau_e", thresholds=[0, 0.1, 0.4])["sweep"].to_dicts()[1]
    {'measure': 'score', 'threshold': 0.1, 'tau_e': 1.0}
    """
    asked = chosen("sweep", coefficients)
    for c in asked:
        if not c.thresholds:
            raise ValueError(
                f"sweep: {c.name} takes no threshold; use one that does, such as tau_b or tau_ap_b"
            )
        if "threshold" in dict(c.options):
            raise ValueError(f"sweep: {c} has a threshold already; name it without one")
    aligned = _align(truth, {"estimate": estimate}, on_missing)
    notes = list(aligned.notes)
    rows, turns = [], []
    for pair in measure_pairs("sweep", aligned.truth, aligned.estimates[0], "estimate", notes):
        x, y = aligned.truth.mean(pair[0]), aligned.estimates[0].mean(pair[1])
        steps = _steps(thresholds, x, y)
        bound = [replace(c, options=(("threshold", w), *c.options)) for w in steps for c in asked]
        outcomes = outcomes_of("sweep", bound, x, y)
        values = [float(outcome.values[0]) for outcome in outcomes]
        curves = np.array(values).reshape(len(steps), len(asked))
        rows += [(_measure(pair), w, *curve) for w, curve in zip(steps, curves.tolist(), strict=True)]
        for c, curve in zip(asked, curves.T, strict=True):
            turns += [(_measure(pair), c, *turn) for turn in _turns(steps, curve)]
        for k, c in enumerate(asked):
            first = next((i for i in range(len(steps)) if math.isnan(curves[i, k])), None)
            if first is not None:
                reason = outcomes[first * len(asked) + k].reason
                notes.append(f"{c} is undefined from threshold {steps[first]:g} on: {reason}")
    return Report(
        "",
        (
            Table("sweep", "Coefficients against threshold", ("measure", "threshold", *asked), tuple(rows)),
            Table(
                "turns",
                "Where a curve turns",
                ("measure", "coefficient", "threshold", "value", "turn"),
                tuple(turns),
            ),
        ),
        tuple(dict.fromkeys(notes)),
    )


def _steps(thresholds: Iterable[float] | None, x: Means, y: Means) -> list[float]:
    if thresholds is None:
        widest = max(max(means.values()) - min(means.values()) for means in (x, y))
        return [float(f"{w:.6g}") for w in np.linspace(0, widest, 51)] if widest > 0 else [0.0]
    steps = sorted({float(w) for w in thresholds})
    if not steps or any(not math.isfinite(w) or w < 0 for w in steps):
        raise ValueError(f"sweep: thresholds must be numbers from 0 up, got {steps}")
    return steps


def _turns(steps: Sequence[float], curve: Floats) -> list[tuple[float, float, str]]:
    """Find the low and high points inside a curve; a flat one counts where it begins."""
    turns: list[tuple[float, float, str]] = []
    direction, start = 0, 0
    for i in range(1, len(curve)):
        if math.isnan(curve[i]) or math.isnan(curve[i - 1]):
            direction, start = 0, i
            continue
        change = int(np.sign(curve[i] - curve[i - 1]))
        if change == 0:
            continue
        if direction == -change:
            turns.append((steps[start], float(curve[start]), "minimum" if change > 0 else "maximum"))
        direction, start = change, i
    return turns
