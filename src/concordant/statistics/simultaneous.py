"""Confidence intervals of many coefficients and pairings from one joint resample of the topics."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from concordant.coefficients.declaration import Coefficient
from concordant.coefficients.engine import Outcome
from concordant.results.note import Note
from concordant.statistics.confidence import ABOVE, BELOW, ConfidenceInterval, expansion, half_width
from concordant.statistics.distributions import normal, t_quantile
from concordant.statistics.resampling import Resampled, Resampler, TopicSample, deviation
from concordant.study.pairing import Pairing
from concordant.typing import Floats, Progress

Steps: TypeAlias = Callable[[int], Progress | None]


def steps_of(progress: Progress | None, total: int) -> Steps:
    """Divide a progress: return a function from the size of the next part of the work to its progress."""
    done = 0

    def part(size: int) -> Progress | None:
        nonlocal done
        start, done = done, done + size
        return None if progress is None else lambda part, of: progress(start + size * part // of, total)

    return part


# One of the pairings of a measure of the reference, compared with the others by one coefficient: its pairing
# and coefficient; the pairing with the highest value; an interval that holds jointly with those of all
# others; and the p-value that this pairing is the best.
OneOfMany: TypeAlias = tuple[int, int, int, ConfidenceInterval, float]

# The pairings that have the same systems and topics, and what was drawn for all of them at once.
Drawn: TypeAlias = tuple[list[int], TopicSample, Resampled]


class JointIntervals(NamedTuple):
    """An interval for each pairing and coefficient, None where there is none; and remarks."""

    intervals: list[list[ConfidenceInterval | None]]
    many: list[OneOfMany]  # where there are several pairings with the same topics
    groups: list[Drawn]
    notes: list[Note]


def groups_of(pairings: Sequence[Pairing]) -> dict[tuple[tuple[str, ...], ...], list[int]]:
    """Return the pairings that have topics, by topics and systems: those of a group are compared."""
    groups: dict[tuple[tuple[str, ...], ...], list[int]] = {}
    for i, pairing in enumerate(pairings):
        if pairing.has_topics:
            groups.setdefault((pairing.topics, pairing.reference.systems), []).append(i)
    return groups


def joint_intervals(
    pairings: Sequence[Pairing],
    coefficients: Sequence[Coefficient],
    observed: Sequence[Sequence[Outcome]],
    how: Resampler,
    steps: Steps,
    *,
    top: int | None = None,
) -> JointIntervals:
    """Return an interval for every coefficient of every pairing.

    The topics are resampled once for all pairings that have the same topics. The pairings are compared with
    each other by each coefficient.
    """
    groups: list[Drawn] = []
    many: list[OneOfMany] = []
    found: list[list[ConfidenceInterval | None]] = [[None] * len(coefficients) for _ in pairings]
    notes: list[Note] = []
    for group in groups_of(pairings).values():
        own = [pairings[i] for i in group]
        values = [outcome for i in group for outcome in observed[i]]
        sample = TopicSample(own, coefficients, how, values)
        drawn = sample.draw(steps(how.n_resamples), top=top)
        groups.append((group, sample, drawn))
        for k, (i, pairing) in enumerate(zip(group, own, strict=True)):
            for j, c in enumerate(coefficients):
                at = sample.row(k, j)
                interval = drawn.interval(at, how.method, how.confidence_level)
                found[i][j] = None if math.isnan(interval.low) else interval
                if (undefined := drawn.n_undefined(at)) and not observed[i][j].undefined:
                    about = {"coefficient": str(c), "undefined": undefined, "resamples": how.n_resamples}
                    text = f"{c} is undefined in {undefined} of {how.n_resamples} resamples of topics"
                    lost = Note("resamples_undefined", text=text, values=about, lost=True)
                    notes.append(lost.about(pairing.subject))
                notes += [note.about(pairing.subject) for note in drawn.why_none(at, interval, str(c))]
        text = (
            f"{how.confidence_level:.10g} confidence intervals for the coefficient expected with the same "
            f"number of topics ({how.method}, {how.n_resamples} resamples of {sample.n} topics, seed "
            f"{how.seed})"
        )
        notes.append(Note("intervals", text=text, values={**how.options, "topics": sample.n}))
        many += _many(group, sample, drawn)
        for pairing in own:
            fewest = min(len(pairing.reference.topics), len(pairing.estimate.topics))
            doubts = how.notes(fewest, bool(pairing.common_topics()))
            notes += [note.about(pairing.name) for note in doubts]
    return JointIntervals(found, many, groups, notes)


def _many(group: Sequence[int], sample: TopicSample, drawn: Resampled) -> list[OneOfMany]:
    """Compare the pairings of each measure of the reference by each coefficient."""
    found: list[OneOfMany] = []
    measures = [pairing.measures.measure for pairing in sample.pairings]
    for measure, j in itertools.product(dict.fromkeys(measures), range(len(sample.coefficients))):
        own = [k for k in range(len(group)) if measures[k] == measure]
        places = [sample.row(k, j) for k in own if not math.isnan(drawn.observed[sample.row(k, j)])]
        if len(own) < 2 or len(places) < 2:
            continue
        intervals = simultaneous_intervals(drawn, places, sample.how.confidence_level)
        best, pvalues = contest(drawn, places, 1 - sample.how.confidence_level)
        numbers = [group[at // len(sample.coefficients)] for at in places]
        found += [
            (number, j, numbers[best], interval, p)
            for number, interval, p in zip(numbers, intervals, pvalues, strict=True)
        ]
    return found


def stepped_down(
    differences: Floats, draws: Floats, n_topics: Sequence[int], alpha: float
) -> tuple[Floats, Floats]:
    """Return p-values of pairs of judges, adjusted for all ordered pairs, and their standard errors.

    `draws` are the differences in joint resamples, pairs x resamples. The p-value of a pair is that of the
    side on which its difference is; it is nan if the difference is undefined or never changes. The maximum of
    t in a resample is over the ordered pairs that are not yet rejected (Romano and Wolf 2005).
    """
    errors = np.array([deviation(row) for row in draws])
    known = np.flatnonzero((errors > 0) & ~np.isnan(differences)).tolist()
    adjusted = np.full(len(differences), math.nan)
    if not known:
        return adjusted, errors
    scale = np.array([_wider(n_topics[k], alpha) for k in known])[:, None]
    one_way = _deviations(draws[known], errors[known]) * scale
    other_way = _deviations(-draws[known], errors[known]) * scale
    t = differences[known] / errors[known]
    both, deviations = np.concatenate([t, -t]), np.concatenate([one_way, other_way])
    order = np.argsort(-both, kind="stable")
    largest = np.maximum.accumulate(deviations[order[::-1]], axis=0)[::-1]  # over those not yet passed
    pvalues = np.array([_share(row, float(both[k])) for row, k in zip(largest, order, strict=True)])
    stepped = np.empty(len(both))
    stepped[order] = np.maximum.accumulate(pvalues)
    adjusted[known] = np.minimum(stepped[: len(known)], stepped[len(known) :])
    return adjusted, errors


def _wider(n: int, alpha: float) -> float:
    """Return the ratio of the quantiles of Student's t and of the normal, times sqrt(n / (n - 1))."""
    return expansion(n) * t_quantile(1 - alpha / 2, n - 1) / normal().inv_cdf(1 - alpha / 2)


def _deviations(values: Floats, errors: Floats) -> Floats:
    """Return (resample - mean of resamples) / standard error, row by row; -inf where it is undefined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (values - np.nanmean(values, axis=1, keepdims=True)) / errors[:, None]
    return np.where(np.isnan(found), -np.inf, found)


def simultaneous_intervals(found: Resampled, cells: Sequence[int], level: float) -> list[ConfidenceInterval]:
    """Return simultaneous confidence intervals, from the largest |t| over the cells in each resample.

    None is narrower than the interval of its cell alone.
    """
    known = [k for k in cells if not math.isnan(found.observed[k]) and found.standard_error(k) > 0]
    errors = np.array([found.standard_error(k) for k in known])
    critical = 0.0
    if known:
        values = found.distribution[known]
        extremes = np.maximum(
            _deviations(values, errors).max(axis=0), _deviations(-values, errors).max(axis=0)
        )
        critical = float(np.quantile(extremes, level)) * _wider(found.n, 1 - level)
    one_of_all = (1 - level) / 2 / max(len(cells), 1)
    intervals = []
    for k in cells:
        lowest, highest = found.bounds[k]
        alone = found.end(k, "standard")
        if alone is None:
            intervals.append(ConfidenceInterval(math.nan, math.nan))
            continue
        unseen = half_width(found.n, 0.0, float(found.change[k]), one_of_all)
        half = max(critical * found.standard_error(k), unseen)
        value, tail = float(found.observed[k]), (1 - level) / 2
        low, high = min(value - half, alone(tail, BELOW)), max(value + half, alone(tail, ABOVE))
        intervals.append(ConfidenceInterval(max(low, lowest), min(high, highest)))
    return intervals


def contest(found: Resampled, cells: Sequence[int], alpha: float) -> tuple[int, list[float]]:
    """Return which cell has the highest value, and for each cell the p-value that it is the best.

    A cell is not the best if another is better by more than the largest t = difference / standard error, over
    all others, that resamples show by chance (Hsu 1981, from resamples).
    """
    pvalues = []
    for own in cells:
        others = [k for k in cells if k != own]
        t, deviations = _compared(found, own, others, alpha)
        pvalues.append(_share(deviations.max(axis=0), float(t.max())) if others else 1.0)
    return int(np.argmax(found.observed[list(cells)])), pvalues


def _compared(found: Resampled, own: int, others: Sequence[int], alpha: float) -> tuple[Floats, Floats]:
    """Return t of the difference of each other cell and the own cell, and its deviations in resamples."""
    gaps = found.distribution[others] - found.distribution[own]
    # An exchange that no resample shows may have the probability 1 / n, which limits the standard error.
    least = np.maximum(found.change[others], found.change[own]) / found.n
    errors = np.maximum(np.nanstd(gaps, axis=1, ddof=1), least)
    with np.errstate(invalid="ignore", divide="ignore"):
        t = (found.observed[others] - found.observed[own]) / errors
    return np.where(np.isnan(t), 0.0, t), _deviations(gaps, errors) * _wider(found.n, alpha)


def _share(draws: Floats, value: float) -> float:
    """Return the share of draws that reach the value; the value itself counts as one more draw."""
    return (int((draws >= value - 1e-12 * abs(value)).sum()) + 1) / (len(draws) + 1)
