"""The sentences about systems and runs, except those about how well estimates rank systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from concordant.coefficients.text_form import coefficient as read_coefficient
from concordant.errors import ConcordantError
from concordant.questions.verdict import by_measure
from concordant.results.words import count, few, number, sentences, with_interval

if TYPE_CHECKING:
    from concordant.questions.by_topic import ByTopicResult, TopicSummary
    from concordant.questions.compare_runs import RunAgreement, RunsResult
    from concordant.questions.label_agreement import LabelAgreement, LabelAgreementResult
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
