"""The sentences about systems and runs, except those about how well estimates rank systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from concordant.coefficients.text_form import coefficient as read_coefficient
from concordant.errors import ConcordantError
from concordant.questions.explain import as_others_do, without
from concordant.questions.verdict import by_measure
from concordant.results.words import count, few, number, sentences, with_interval

if TYPE_CHECKING:
    from concordant.questions.by_topic import ByTopicResult, TopicSummary
    from concordant.questions.compare_runs import RunAgreement, RunsResult
    from concordant.questions.explain_scores import Explained, ExplainResult
    from concordant.questions.label_agreement import LabelAgreement, LabelAgreementResult
    from concordant.questions.matrix import Cell
    from concordant.questions.matrix_of_scores import MatrixResult
    from concordant.questions.sweep import AtThreshold, SweepResult


_MOST = 3  # measures, estimates or coefficients with their own sentences
_SAME = 1e-12


def _left(n: int, what: str) -> str | None:
    """Say how many more the tables have."""
    return f"The tables have {count(n - _MOST, f'more {what}')}" if n > _MOST else None


# --- topic by topic --------------------------------------------------------------------------------------


def verdict_by_topic(result: ByTopicResult) -> tuple[str, ...]:
    """Return the verdict of `by_topic`: of the means and over the topics, by the main coefficient."""
    if not result.summary:
        return ()
    c = next(row.coefficient for row in result.summary)
    rows = [row for row in result.summary if row.coefficient == c]
    parts = [part for row in rows[:_MOST] for part in _of_topics(row)]
    return sentences([*parts, _left(len(rows), "measure")])


def _of_topics(row: TopicSummary) -> Iterator[str]:
    c, where = row.coefficient, by_measure(row.measure)
    if math.isnan(row.of_means):
        why = f": {row.reason}" if row.topics == 1 else ""
        yield f"{c} of the mean scores is undefined{where}{why}"
    else:
        yield f"{c} of the mean scores{where} is {with_interval(row.of_means, row.interval)}"
    if row.topics == 1:  # the scores are means, or there is no topic to average
        return
    if row.mean is None or row.minimum is None or row.maximum is None:
        yield f"It is undefined for every topic: {row.reason}"
        return
    n = row.topics - row.undefined
    if row.maximum - row.minimum <= _SAME:
        there = " where it has a value" if row.undefined else ""
        yield f"It is {number(row.mean)} on {'the one topic' if n == 1 else f'all {n} topics'}{there}"
    else:
        yield (
            f"Of single topics it is {with_interval(row.mean, row.interval_of_mean)} on average over "
            f"{count(n, 'topic')}, from {number(row.minimum)} (topic "
            f"{row.topic_of_minimum}) to {number(row.maximum)} (topic {row.topic_of_maximum})"
        )
    if row.undefined:
        yield f"It is undefined for {row.undefined} of {count(row.topics, 'topic')}: {row.reason}"


# --- thresholds ------------------------------------------------------------------------------------------


def verdict_of_sweep(result: SweepResult) -> tuple[str, ...]:
    """Return the verdict of `sweep`: where the curve of the main coefficient begins, and its ends."""
    if not result.curves:
        return ()
    c = next(row.coefficient for row in result.curves)
    by: dict[object, list[AtThreshold]] = {}
    for row in result.curves:
        if row.coefficient == c:
            by.setdefault(row.measure, []).append(row)
    parts = [part for own in list(by.values())[:_MOST] for part in _curve(own, result)]
    return sentences([*parts, _left(len(by), "measure")])


def _curve(rows: Sequence[AtThreshold], result: SweepResult) -> Iterator[str]:
    c, where = rows[0].coefficient, by_measure(rows[0].measure)
    defined = [row for row in rows if not math.isnan(row.value)]
    if not defined:
        yield f"{c}{where} is undefined at every threshold"
        return
    first, low, high = (
        defined[0],
        min(defined, key=lambda row: row.value),
        max(defined, key=lambda row: row.value),
    )
    if high.value - low.value <= _SAME:
        yield f"{c}{where} is {number(first.value)} at every threshold where it has a value"
    else:
        said = f"{c}{where} is {number(first.value)} at threshold {first.threshold:.3g}"
        ends = [("largest", high), ("smallest", low)]
        more = [
            f"{name} at {row.threshold:.3g} ({number(row.value)})" for name, row in ends if row is not first
        ]
        also = [f"is {name} there" for name, row in ends if row is first]
        yield f"{said}, {' and '.join([*also, *more])}"
    gone = [row for row in rows if row.threshold > first.threshold and math.isnan(row.value)]
    if gone:
        to_the_end = all(math.isnan(row.value) for row in rows if row.threshold >= gone[0].threshold)
        where = f"at threshold {gone[0].threshold:.3g}"
        if to_the_end:
            where = f"from threshold {gone[0].threshold:.3g} on"
        elif len(gone) > 1:
            where = f"at {len(gone)} thresholds, first at {gone[0].threshold:.3g}"
        yield f"It is undefined {where}"
    turns = [t for t in result.turns or () if (t.measure, t.coefficient) == (rows[0].measure, c)]
    if turns:
        yield f"The curve turns {'once' if len(turns) == 1 else f'{len(turns)} times'}"


# --- explanations ----------------------------------------------------------------------------------------


def verdict_of_explanations(result: ExplainResult) -> tuple[str, ...]:
    """Return the verdict of `explain_scores`: for each value what lowers it most."""
    rows = result.explained or ()
    parts = [part for row in rows[:_MOST] for part in _explained(row, result)]
    return sentences([*parts, _left(len(rows), "value")])


def _explained(row: Explained, result: ExplainResult) -> Iterator[str]:
    c, key = row.coefficient, (row.measure, row.coefficient)
    said = f"{c}{by_measure(row.measure)} on the order of {count(row.systems, 'system')} is"
    notes = [note for note in result.notes if note.subject == f"{row.measure}: {c}"]
    if math.isnan(row.value):
        reason = next((f": {n.values['reason']}" for n in notes if n.kind == "undefined_value"), "")
        yield f"{said} undefined{reason}"
        return
    yield f"{said} {number(row.value)}"
    pairs = [p for p in result.pairs or () if (p.measure, p.coefficient) == key]
    alike = next((n for n in notes if n.kind == "pairs_cost_the_same"), None)
    if pairs:
        worst = pairs[0]
        yield (
            f"Of the {count(row.pairs_that_cost, 'pair')} that cost it something, {worst.better} and "
            f"{worst.worse} cost most: {number(worst.cost)}{as_others_do([p.cost for p in pairs])}"
            if row.pairs_that_cost > 1
            else f"One pair costs it something: {worst.better} and {worst.worse}, {number(worst.cost)}"
        )
    elif alike is not None:
        text = str(alike).removeprefix(f"{alike.subject}: ")
        yield text[0].upper() + text[1:]
    removals = [r for r in result.removals or () if (r.measure, r.coefficient) == key]
    if removals:
        yield without([r.system for r in removals], [r.gain for r in removals], result.options["most"])


# --- all pairs -------------------------------------------------------------------------------------------


def verdict_of_matrix(result: MatrixResult) -> tuple[str, ...]:
    """Return the verdict of `matrix_of_scores`: which two rankings agree most, and which least."""
    cells = [cell for cell in result.matrix or () if cell.reference != cell.estimate]
    names = list(dict.fromkeys(cell.reference for cell in cells))
    defined = [cell for cell in cells if not math.isnan(cell.value)]
    if not cells:
        return ()
    c = result.coefficient
    if not defined:
        return sentences([f"{c} is undefined for all pairs of {len(names)} rankings"])
    low, high = (end(defined, key=lambda cell: cell.value) for end in (min, max))
    if high.value - low.value <= _SAME:
        every = "the two rankings" if len(names) == 2 else f"all pairs of {len(names)} rankings"
        return sentences([f"{c} is {number(high.value)} for {every}"])
    most, least = (_of_pair(cell, defined, c.symmetric) for cell in (high, low))
    values = number(high.value), number(low.value)
    return sentences(
        [f"Of {len(names)} rankings, {most} agree most ({c} {values[0]}), {least} least ({values[1]})"]
    )


def _of_pair(cell: Cell, cells: Sequence[Cell], symmetric: bool) -> str:
    """Name a pair; if others have the same value, say how many pairs have it."""
    same = [each for each in cells if abs(each.value - cell.value) <= _SAME]
    pairs = {frozenset((each.reference, each.estimate)) for each in same}
    if len(pairs) > 1:
        return f"{len(pairs)} pairs"
    both = f"{cell.reference} and {cell.estimate}"
    return both if symmetric or len(same) > 1 else f"{cell.reference} (reference) and {cell.estimate}"


# --- runs ------------------------------------------------------------------------------------------------


def verdict_of_runs(result: RunsResult) -> tuple[str, ...]:
    """Return the verdict of `compare_runs`: two runs by each measure, or which runs agree most and least."""
    rows = [row for row in result.pairs or () if row.measure == result.measure]
    if not rows:
        return ()
    if len(rows) == 1:
        return sentences(_two_runs(result))
    defined = [row for row in rows if row.mean is not None]
    names = dict.fromkeys(name for row in rows for name in (row.run, row.other))
    if not defined:
        return sentences([f"{result.measure} is undefined for all pairs of {len(names)} runs"])
    low, high = (end(defined, key=lambda row: row.mean or 0.0) for end in (min, max))
    most, least = (low, high) if _is_distance(result.measure) else (high, low)

    def said(row: RunAgreement) -> tuple[str, str]:
        same = sum(abs((each.mean or 0.0) - (row.mean or 0.0)) <= _SAME for each in defined)
        if same > 1:
            return f"{same} pairs", f"{number(row.mean)}"
        return f"{row.run} and {row.other}", f"{with_interval(row.mean, row.interval)}"

    (one, value), (other, other_value) = said(most), said(least)
    said_of_all = (
        f"Of {len(rows)} pairs of {len(names)} runs, {one} agree most (mean {result.measure} over topics "
        f"{value}), {other} least ({other_value})"
    )
    return sentences([said_of_all, _worst_topic(result)])


def _is_distance(measure: str) -> bool:
    try:
        return read_coefficient(measure).distance
    except ConcordantError:  # an overlap is not a coefficient
        return False


def _two_runs(result: RunsResult) -> Iterator[str]:
    rows = list(result.pairs)
    first = rows[0]
    means = [
        f"{row.measure} {with_interval(row.mean, row.interval)}"
        if row.mean is not None
        else f"{row.measure} is undefined"
        for row in rows
    ]
    yield f"{first.run} and {first.other}, on average over {count(first.topics, 'topic')}: {', '.join(means)}"
    if first.mean is not None and first.least is not None and first.largest is not None:
        ends = [(first.least, first.topic_of_least), (first.largest, first.topic_of_largest)]
        (low, at_low), (high, at_high) = ends[::-1] if _is_distance(first.measure) else ends
        if low != high:
            yield (
                f"By {first.measure} they agree least on topic {at_low} ({number(low)}) and most on topic "
                f"{at_high} ({number(high)})"
            )


def _worst_topic(result: RunsResult) -> str | None:
    if not result.worst:
        return None
    row = result.worst[0]
    return f"{row.run} and {row.other} differ most on topic {row.topic} ({number(row.value)})"


# --- judgements ------------------------------------------------------------------------------------------


def verdict_of_labels(result: LabelAgreementResult) -> tuple[str, ...]:
    """Return the verdict of `label_agreement`: each of a few judges, or the best and the worst."""
    rows = list(result.labels or ())
    if len(rows) <= _MOST:
        return sentences(map(_labels, rows))
    defined = [row for row in rows if not math.isnan(row.kappa_of_relevance)]
    if not defined:
        return sentences([f"Cohen's kappa is undefined for all {len(rows)} judges"])
    low, high = (end(defined, key=lambda row: row.kappa_of_relevance) for end in (min, max))
    ties = [row.estimate for row in defined if high.kappa_of_relevance - row.kappa_of_relevance <= _SAME]
    agree = "agrees" if len(ties) == 1 else "agree"
    said = (
        f"Of {len(rows)} judges, {few(ties, 'judges')} {agree} most with the reference on what is relevant "
        f"(Cohen's kappa {number(high.kappa_of_relevance)}), {low.estimate} least "
        f"({number(low.kappa_of_relevance)})"
    )
    return sentences([said])


def _labels(row: LabelAgreement) -> str:
    if row.documents == 0:
        return f"{row.estimate} and the reference judged no document in common"

    def kappa(value: float) -> str:
        return "undefined" if math.isnan(value) else number(value)

    return (
        f"{row.estimate} and the reference both judged {count(row.documents, 'document')}: they agree on "
        f"relevance for {number(row.same_relevance)} of them (Cohen's kappa "
        f"{kappa(row.kappa_of_relevance)}), on the grade for {number(row.same_grade)} "
        f"(kappa {kappa(row.kappa_of_grades)})"
    )
