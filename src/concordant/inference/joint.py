"""Confidence intervals of many coefficients and pairings from one joint resample of the topics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from concordant.coefficients import Coefficient, Outcome
from concordant.inference.confidence import ConfidenceInterval
from concordant.inference.many import best_against_others, contest, simultaneous_intervals
from concordant.inference.options import Resampling
from concordant.inference.resample import Resampled, TopicSample, resample
from concordant.scores import Pairing
from concordant.tables import Note
from concordant.typing import Progress

__all__ = ["JointIntervals", "OneOfMany", "Steps", "groups_of", "joint_intervals"]


class Steps:
    """The progress of several parts, each of which reports its own."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress, self.total, self.done = progress, total, 0

    def part(self, size: int) -> Progress | None:
        """Return the progress of the next part."""
        start, progress, total = self.done, self.progress, self.total
        self.done += size
        return None if progress is None else lambda done, _of: progress(min(start + done, total), total)


class OneOfMany(NamedTuple):
    """One of many cells, compared with the others."""

    pairing: int
    coefficient: int
    best: int  # the pairing with the highest value of this coefficient
    interval: ConfidenceInterval  # holds jointly with those of all other cells
    pvalue: float  # that this pairing is the best by this coefficient
    against: float  # that the best by the same measure is not better; adjusted for the number of pairings


class JointIntervals(NamedTuple):
    """An interval for each pairing and coefficient, None where there is none; and remarks."""

    intervals: list[list[ConfidenceInterval | None]]
    many: list[OneOfMany]  # where there are several pairings with the same topics
    notes: list[Note]


def groups_of(pairings: Sequence[Pairing]) -> dict[tuple[str, ...], list[int]]:
    """Return the pairings that have topics, by their topics: those of a group can share their resamples."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, pairing in enumerate(pairings):
        if pairing.has_topics:
            groups.setdefault(pairing.topics, []).append(i)
    return groups


def joint_intervals(
    pairings: Sequence[Pairing],
    coefficients: Sequence[Coefficient],
    observed: Sequence[Sequence[Outcome]],
    how: Resampling,
    steps: Steps,
    n_compared: int = 0,
) -> JointIntervals:
    """Return an interval for every coefficient of every pairing.

    The topics are resampled once for all pairings that have the same topics. The pairings are compared with
    each other by the first `n_compared` coefficients.
    """
    many: list[OneOfMany] = []
    found: list[list[ConfidenceInterval | None]] = [[None] * len(coefficients) for _ in pairings]
    notes: list[Note] = []
    for group in groups_of(pairings).values():
        own = [pairings[i] for i in group]
        values = [outcome for i in group for outcome in observed[i]]
        # One pairing is evaluated at a time, so that the draws are the same for each, whichever others there
        # are.
        sample = TopicSample(coefficients, own, how.threads, values)
        drawn = resample(sample, how, np.random.default_rng(how.seed), steps.part(how.n_resamples))
        for k, (i, pairing) in enumerate(zip(group, own, strict=True)):
            for j, c in enumerate(coefficients):
                at = k * len(coefficients) + j
                interval = drawn.interval(at, how, c.bounds)
                found[i][j] = None if math.isnan(interval.low) else interval
                undefined = drawn.n_undefined(at)
                if undefined:
                    about = {"coefficient": str(c), "undefined": undefined, "resamples": how.n_resamples}
                    notes.append(Note("resamples_undefined", pairing.subject, about))
                notes += [note.about(pairing.subject) for note in drawn.why_none(at, interval, str(c))]
        notes.append(
            Note(
                "intervals",
                values={
                    "confidence_level": how.confidence_level,
                    "method": how.method,
                    "n_resamples": how.n_resamples,
                    "topics": sample.n,
                    "seed": how.seed,
                },
            )
        )
        measures = [pairing.measures.measure for pairing in own]
        many += _many(drawn, group, measures, coefficients, n_compared, how.confidence_level)
        for pairing in own:
            fewest = min(len(pairing.reference.topics), len(pairing.estimate.topics))
            doubts = how.notes(fewest, bool(pairing.common_topics()))
            notes += [note.about(pairing.name) for note in doubts]
    return JointIntervals(found, many, notes)


def _many(
    drawn: Resampled,
    group: Sequence[int],
    measures: Sequence[str],
    coefficients: Sequence[Coefficient],
    n_compared: int,
    level: float,
) -> list[OneOfMany]:
    """Compare the pairings of a group by each of the first coefficients."""
    cells = [
        (k, j)
        for j in range(n_compared)
        for k in range(len(group))
        if not math.isnan(drawn.observed[k * len(coefficients) + j])
    ]
    if len(group) < 2 or len(cells) < 2:
        return []
    places = [k * len(coefficients) + j for k, j in cells]
    bounds = [coefficients[j].bounds for _, j in cells]
    intervals = simultaneous_intervals(drawn, places, level, bounds)
    found: list[OneOfMany] = []
    for j in range(n_compared):
        own = [at for at, cell in enumerate(cells) if cell[1] == j]
        if not own:
            continue
        best, pvalues = contest(drawn, [places[at] for at in own])
        winner = group[cells[own[best]][0]]
        against: dict[int, float] = {}
        for measure in dict.fromkeys(measures[cells[at][0]] for at in own):
            rivals = [at for at in own if measures[cells[at][0]] == measure]
            against |= zip(rivals, best_against_others(drawn, [places[at] for at in rivals]), strict=True)
        for at, p in zip(own, pvalues, strict=True):
            found.append(OneOfMany(group[cells[at][0]], j, winner, intervals[at], p, against[at]))
    return found
