"""Does an estimate, a judge, another measure rank the systems as the truth does."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

import concordant.coefficients  # noqa: F401 - files them in the registry
from concordant._engine import UndefinedWarning
from concordant._inputs import Floats, Progress, read_pairs, share
from concordant._questions import (
    DEFAULT,
    Intervals,
    Question,
    Some,
    align_by_name,
    chosen,
    columns_with_ends,
    measure_name,
    measure_pairs,
    or_none,
    outcomes_of,
    planned,
    questions_of,
    values_of_means,
    with_ends,
)
from concordant._registry import Coefficient, evaluate
from concordant._resampling import Method
from concordant.alignment import common_topics
from concordant.explaining import explain
from concordant.inference import adjust_pvalues
from concordant.labels import Labels, label_tables
from concordant.report import Report, Table
from concordant.scores import Means, some
from concordant.significance import pairs_of

__all__ = ["by_topic", "correlate", "judge", "sweep"]


def _reasons(question: Question, coefficients: Sequence[Coefficient], most: int) -> list[tuple[Any, ...]]:
    """Return what costs most: a row for each reason."""
    rows: list[tuple[Any, ...]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # told elsewhere
        for c in coefficients if most else ():
            why = explain(question.x, question.y, c, most=most)
            costs = (
                [r.gain for r in why.removals] if why.shares is None else [pair.cost for pair in why.pairs]
            )
            rows += [
                (question.name, question.measure, c, cost, reason)
                for cost, reason in zip(costs, why.reasons(most), strict=True)
            ]
    return rows


_REASONS = ("measure", "coefficient", "cost", "reason")


def explained(
    truth: Any, estimate: Any, coefficients: Some = DEFAULT, *, most: int = 10, on_missing: str | None = None, workers: int = 1
) -> Report:  # fmt: skip
    """Explain coefficients of mean scores, for all measures: what `explain` finds, as tables."""
    who = "explain"
    asked = chosen(who, coefficients)
    aligned = align_by_name(who, truth, {"estimate": estimate}, on_missing)
    notes = list(aligned.notes)
    values: list[tuple[Any, ...]] = []
    parts: dict[str, list[Table]] = {}
    rows: dict[str, list[tuple[Any, ...]]] = {}
    for question in questions_of(who, aligned, ["estimate"], notes):
        for c in asked:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UndefinedWarning)  # a note says it
                why = explain(question.x, question.y, c, most=most, workers=workers)
            notes += [f"{question.measure}: {c}: {note}" for note in why.notes]
            values.append((question.measure, c, or_none(why.statistic), why.n, why.n_pairs))
            for table in why.to_report().tables:
                parts.setdefault(table.name, []).append(table)
                rows.setdefault(table.name, []).extend(
                    (question.measure, c, *row)
                    for row in (table.rows if table.name != "items" else table.rows[:most])
                )
    columns = ("measure", "coefficient", "value", "systems", "pairs that cost")
    tables = [Table("explained", "What is explained: why these are not 1", columns, tuple(values))]
    tables += [
        Table(name, found[0].title, ("measure", "coefficient", *found[0].columns), tuple(rows[name]))
        for name, found in parts.items()
    ]
    n = len(aligned.truth.systems)
    if most < n and "items" in parts:
        notes.append(f"items are the {most} costliest of {n} systems")
    return Report("", tuple(tables), tuple(dict.fromkeys(notes)))


def correlate(
    truth: Any,
    estimates: Mapping[str, Any],
    coefficients: Some = DEFAULT,
    *,
    confidence_level: float | None = None,
    method: Method = "simex",
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
    aligned = align_by_name(who, truth, estimates, on_missing)
    notes = list(aligned.notes)
    questions = questions_of(who, aligned, estimates, notes)
    intervals = planned(intervals, questions, 0, notes)
    rows: list[tuple[Any, ...]] = []
    reasons: list[tuple[Any, ...]] = []
    for question in questions:
        values = values_of_means(asked, question, notes)
        ends = None if intervals is None else intervals.of_means(asked, question, notes)
        rows.append((question.name, question.measure, len(question.x), *with_ends(values, ends)))
        reasons += _reasons(question, asked, n_reasons)
    columns = ("estimate", "measure", "systems", *columns_with_ends(asked, intervals))
    tables = [Table("correlation", "Rankings of systems by mean score", columns, tuple(rows))]
    if n_reasons:
        title = "What costs most: pairs of systems"
        tables.append(Table("reasons", title, ("estimate", *_REASONS), tuple(reasons)))
    return Report(
        "", tuple(tables), tuple(dict.fromkeys(notes)), {} if intervals is None else intervals.config
    )


def by_topic(
    truth: Any,
    estimate: Any,
    coefficients: Some = DEFAULT,
    *,
    confidence_level: float | None = None,
    method: Method = "simex",
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
    aligned = align_by_name(who, truth, {"estimate": estimate}, on_missing).on_common_topics(who)
    notes = list(aligned.notes)
    questions = questions_of(who, aligned, ["estimate"], notes)
    topics = questions[0].truth.topics
    intervals = planned(intervals, questions, 0, notes)
    rows, each = [], []
    for question in questions:
        values = _of_topics(who, question, asked)
        of_means = values_of_means(asked, question, notes)
        ends = None if intervals is None else intervals.of_means(asked, question, notes)
        for k, (c, mean_value, (own, reason)) in enumerate(zip(asked, of_means, values, strict=True)):
            mean, *others = _summary(own, topics)
            both = None if intervals is None or ends is None else (ends[k], intervals.of_mean(own, notes))
            rows.append((question.measure, c, *with_ends((mean_value, mean), both), *others, reason))
        each += [
            (question.measure, topic, *(float(own[t]) for own, _ in values)) for t, topic in enumerate(topics)
        ]
    shown = columns_with_ends(("of means", _SUMMARY[0]), intervals)
    columns = ("measure", "coefficient", *shown, *_SUMMARY[1:], "why undefined")
    title = f"Correlation of {len(aligned.truth.systems)} systems by topic"
    return Report(
        "",
        (
            Table("topics", title, columns, tuple(rows)),
            Table("each", "Each topic", ("measure", "topic", *asked), tuple(each)),
        ),
        tuple(dict.fromkeys(notes)),
        {} if intervals is None else intervals.config,
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


def _of_topics(who: str, question: Question, asked: Sequence[Coefficient]) -> list[tuple[Floats, str]]:
    """Return for each coefficient its value for every topic, and why some have none."""
    rows_x = question.truth.one_measure(question.pair[0])[1]
    rows_y = question.estimate.one_measure(question.pair[1])[1]
    # Within a topic many systems tie; coefficients that refuse ties are undefined there.
    outcomes = evaluate(who, asked, read_pairs(who, rows_x, rows_y), "raise", 1, refuse=False)
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
    method: Method = "simex",
    n_resamples: int = 9999,
    alpha: float | None = None,
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
        one, see `difference`, on the topics that both have. Neither by default.
    method, n_resamples, rng, workers, progress
        Of the intervals, as `bootstrap` has them.
    alpha : float, optional
        Count the pairs of systems that differ significantly at this level (paired t-tests, Holm's correction), see
        `significant_pairs`.
    on_missing : {"error", "drop", "zero"}, optional
        See `align`.

    Returns
    -------
    Report
        With the tables "agreement", "comparison" (with intervals, of several judges), "topics", "significance" (with `alpha`),
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
    sizes = _scopes(top)
    intervals = Intervals.of(who, confidence_level, method, n_resamples, rng, workers, progress)
    if alpha is not None:
        share(who, "alpha", alpha)
    aligned = align_by_name(who, truth, judges, on_missing)
    notes = list(aligned.notes)
    n_systems = len(aligned.truth.systems)
    notes += [f"there is no top {k}: there are {n_systems} systems" for k in sizes if k >= n_systems]
    scopes = [None, *(k for k in sizes if k < n_systems)]
    questions = questions_of(who, aligned, judges, notes)
    for question in questions:
        if not common_topics([question.truth, question.estimate]):
            raise ValueError(
                f"{who}: {question.name} and the truth have no topic in common; are the topics named the same?"
            )
    comparisons = [] if intervals is None else _comparisons(questions, asked, notes)
    intervals = planned(intervals, questions, sum(len(others) for _, _, others in comparisons), notes)
    tables = [_agreement(questions, asked, scopes, intervals, notes)]
    if comparisons and intervals is not None:
        tables.append(_comparison(comparisons, intervals, notes))
    tables.append(_topics(questions, asked, notes))
    if alpha is not None:
        tables += _significance(questions, alpha, notes)
    if qrels is not None and judge_qrels:
        tables += label_tables(qrels, judge_qrels)
    if n_reasons:
        rows = [row for question in questions for row in _reasons(question, asked, n_reasons)]
        tables.append(
            Table("reasons", "What costs most: pairs of systems", ("judge", *_REASONS), tuple(rows))
        )
    tables += [_moved(questions, n_worst), _flipped(questions, n_worst, notes)]
    return Report(
        "", tuple(tables), tuple(dict.fromkeys(notes)), {} if intervals is None else intervals.config
    )


def _scopes(top: Iterable[int]) -> list[int]:
    sizes = list(dict.fromkeys(top))
    for size in sizes:
        if not isinstance(size, int | np.integer) or isinstance(size, bool) or size < 2:
            raise ValueError(f"judge: top must be numbers of systems from 2 up, got {size!r}")
    return [int(size) for size in sizes]


def _agreement(
    questions: Sequence[Question], asked: Sequence[Coefficient], scopes: Sequence[int | None], intervals: Intervals | None,
    notes: list[str],
) -> Table:  # fmt: skip
    # A coefficient with a cut of its own has one value, in the row of all.
    cuts = {
        (k, c): c if k is None else replace(c, top=k)
        for k in scopes
        for c in asked
        if k is None or c.top is None
    }
    rows: list[tuple[Any, ...]] = []
    for question in questions:
        values = dict(zip(cuts, values_of_means(list(cuts.values()), question, notes), strict=True))
        ends = {}
        if intervals is not None:
            ends = dict(zip(cuts, intervals.of_means(list(cuts.values()), question, notes), strict=True))
        for k in scopes:
            cells = [values.get((k, c)) for c in asked]
            if all(cell is None for cell in cells):
                continue  # every coefficient has a cut of its own
            both = None if intervals is None else [ends.get((k, c), (None, None)) for c in asked]
            scope = f"all {len(question.x)}" if k is None else f"top {k}"
            rows.append((question.name, question.measure, scope, *with_ends(cells, both)))
    columns = ("judge", "measure", "systems", *columns_with_ends(asked, intervals))
    return Table("agreement", "Ranking of systems, judge against truth", columns, tuple(rows))


Comparison: TypeAlias = tuple[Coefficient, Question, list[Question]]  # the best judge, and the others


def _comparisons(
    questions: Sequence[Question], asked: Sequence[Coefficient], notes: list[str]
) -> list[Comparison]:  # fmt: skip
    """Find the best judge by each measure of the truth and coefficient, and those to compare it with."""
    found: list[Comparison] = []
    for measure in dict.fromkeys(question.pair[0] for question in questions):
        judges = [question for question in questions if question.pair[0] == measure]
        values = [[float(o.values[0]) for o in outcomes_of("judge", asked, q.x, q.y)] for q in judges]
        for k, c in enumerate(asked if len(judges) > 1 else ()):
            defined = [i for i in range(len(judges)) if not math.isnan(values[i][k])]
            if len(defined) < len(judges):
                without = [judges[i].name for i in range(len(judges)) if i not in defined]
                notes.append(f"not compared with other judges, because {c} is undefined: {some(without)}")
            if len(defined) < 2:
                continue
            best = judges[max(defined, key=lambda i: values[i][k])]
            others = []
            for other in (judges[i] for i in defined if judges[i] is not best):
                if len(common_topics([best.truth, best.estimate, other.estimate])) > 1:
                    others.append(other)
                else:
                    notes.append(
                        f"{best.name} and {other.name} are not compared: they have not two topics in common"
                    )
            found.append((c, best, others))
    return found


def _comparison(comparisons: Sequence[Comparison], intervals: Intervals, notes: list[str]) -> Table:
    rows: list[tuple[Any, ...]] = []
    for c, best, others in comparisons:
        found = [intervals.of_difference(c, best, other, notes) for other in others]
        pvalues = [row[3] for row in found]
        adjusted = [
            [None] * len(found) if None in pvalues else adjust_pvalues(pvalues, method).tolist() for method in ("holm", "bh")
        ]  # fmt: skip
        names = [question.name for question in (best, *others)]
        if len(set(names)) < len(names):  # by several measures
            names = [f"{question.name} {question.pair[1]}" for question in (best, *others)]
        for name, (value, low, high, p, n), holm, bh in zip(names[1:], found, *adjusted, strict=True):
            rows.append((best.pair[0], c, names[0], name, value, low, high, p, holm, bh, n))
    columns = (
        "measure", "coefficient", "best", "other", "difference", "low", "high", "p", "p (Holm)", "p (BH)", "topics"
    )  # fmt: skip
    return Table("comparison", "The best judge against each other one", columns, tuple(rows))


def _topics(questions: Sequence[Question], asked: Sequence[Coefficient], notes: list[str]) -> Table:
    rows: list[tuple[Any, ...]] = []
    for question in questions:
        common = question.on_common_topics
        for c, (values, reason) in zip(asked, _of_topics("judge", common, asked), strict=True):
            rows.append((question.name, question.measure, c, *_summary(values, common.truth.topics)))
            if reason:
                n_undefined = int(np.isnan(values).sum())
                notes.append(f"{question.name}: {c} is undefined for {n_undefined} topics: {reason}")
    return Table("topics", "Topic by topic", ("judge", "measure", "coefficient", *_SUMMARY), tuple(rows))


def _significance(questions: Sequence[Question], alpha: float, notes: list[str]) -> list[Table]:
    rows: list[tuple[Any, ...]] = []
    for question in questions:
        common = question.on_common_topics
        if len(common.truth.topics) < 2:
            notes.append(f"{question.name}: one topic cannot say which systems differ significantly")
            continue
        try:
            found = pairs_of(common.truth, common.estimate, common.pair, alpha)
        except ImportError:
            notes.append("which systems differ significantly needs SciPy: pip install 'concordant[stats]'")
            return []
        counts = (found.agree, found.opposed, found.truth_only, found.estimate_only, found.neither)
        rows.append((question.name, question.measure, *counts, len(common.truth.topics)))
    columns = (
        "judge", "measure", "both, same order", "both, opposite", "truth only", "judge only", "neither", "topics"
    )  # fmt: skip
    title = f"Pairs of systems that differ significantly (paired t-tests, Holm, level {alpha:g})"
    return [Table("significance", title, columns, tuple(rows))] if rows else []


def _moved(questions: Sequence[Question], n_worst: int) -> Table:
    columns = ("judge", "measure", "system", "truth rank", "judge rank", "gain")
    rows = [(q.name, q.measure, *row) for q in questions for row in _moves(q.x, q.y, n_worst)]
    return Table("moved", "Systems that gain and lose most ranks", columns, tuple(rows))


def _flipped(questions: Sequence[Question], n_worst: int, notes: list[str]) -> Table:
    rows: list[tuple[Any, ...]] = []
    for question in questions:
        pairs, n_flipped = _flips(question.x, question.y, n_worst)
        rows += [(question.name, question.measure, *row) for row in pairs]
        n = len(question.x)
        notes.append(
            f"{question.name}: {n_flipped} of {n * (n - 1) // 2} pairs of systems are in the opposite order by {question.measure}"
        )
    title = "Pairs of systems in the opposite order, the clearest by the truth first"
    columns = (
        "judge", "measure", "better by truth", "better by judge", "truth difference", "judge difference"
    )  # fmt: skip
    return Table("flipped", title, columns, tuple(rows))


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
    aligned = align_by_name("sweep", truth, {"estimate": estimate}, on_missing)
    notes = list(aligned.notes)
    rows, turns = [], []
    for pair in measure_pairs("sweep", aligned.truth, aligned.estimates[0], "estimate", notes):
        x, y = aligned.truth.mean(pair[0]), aligned.estimates[0].mean(pair[1])
        steps = _steps(thresholds, x, y)
        bound = [replace(c, options=(("threshold", w), *c.options)) for w in steps for c in asked]
        outcomes = outcomes_of("sweep", bound, x, y)
        values = [float(outcome.values[0]) for outcome in outcomes]
        curves = np.array(values).reshape(len(steps), len(asked))
        rows += [(measure_name(pair), w, *curve) for w, curve in zip(steps, curves.tolist(), strict=True)]
        for c, curve in zip(asked, curves.T, strict=True):
            turns += [(measure_name(pair), c, *turn) for turn in _turns(steps, curve)]
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
