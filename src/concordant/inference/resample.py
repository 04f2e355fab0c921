"""Resamples of topics, drawn with replacement.

All coefficients of all pairings are computed from the means over the topics drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from concordant.coefficients import Coefficient, Outcome, evaluate
from concordant.errors import ArgumentError
from concordant.inference.options import Resampling
from concordant.inference.student import normal, t_quantile
from concordant.rankings import read_pairs
from concordant.scores import Measured, Pairing, exact_sums, snap
from concordant.tables import Note
from concordant.typing import Floats, Integers, Progress

__all__ = [
    "AS_MANY",
    "MOST_AT_ONCE",
    "ConfidenceInterval",
    "Resampled",
    "TopicSample",
    "interval_of_mean",
    "intervals_of_means",
    "resample",
    "topic_counts",
]

MOST_AT_ONCE = 1 << 20  # scores in a batch


class ConfidenceInterval(NamedTuple):
    """Both ends of a confidence interval."""

    low: float
    high: float

    def __str__(self) -> str:
        """Return both ends in brackets."""
        return f"[{self.low:.4f}, {self.high:.4f}]"


class TopicSample:
    """Pairings over one list of topics, of which each side may have only some."""

    def __init__(
        self,
        coefficients: Sequence[Coefficient],
        pairings: Sequence[Pairing],
        threads: int,
        observed: Sequence[Outcome] | None = None,
        n_sides: int = 2,
    ) -> None:
        self.n_sides = n_sides
        self.coefficients, self.pairings, self.threads = coefficients, pairings, threads
        sides = dict.fromkeys(side for pairing in pairings for side in (pairing.reference, pairing.estimate))
        topics = list(dict.fromkeys(topic for side in sides for topic in side.topics))
        place = {topic: t for t, topic in enumerate(topics)}
        self.n = len(topics)
        self.fewest = min(len(side.topics) for side in sides)
        if self.fewest < 2:
            raise ArgumentError(
                f"each side needs at least two topics, got {self.fewest}; for an interval over items see "
                "jackknife_interval"
            )
        self.sides = {side: np.array([place[topic] for topic in side.topics]) for side in sides}
        self._observed = None if observed is None else list(observed)

    @property
    def rows_at_once(self) -> int:
        """How many resamples fit in a batch."""
        # By the sides of one question, so that the draws do not depend on how many questions share the
        # sample.
        systems = len(self.pairings[0].reference.scores.systems)
        return max(1, MOST_AT_ONCE // (max(self.n, systems) * self.n_sides))

    def notes(self, how: Resampling) -> list[Note]:
        """Return warnings about unreliable intervals."""
        shared = set.intersection(*(set(own.tolist()) for own in self.sides.values()))
        return how.notes(self.fewest, bool(shared))

    def against(self, reference: Floats, estimate: Floats) -> list[Outcome]:
        """Return the coefficients of rows of means."""
        pairs = read_pairs(reference, estimate)
        return evaluate(self.coefficients, pairs, "propagate", self.threads, refuse=False)

    def values(self, counts: Integers) -> Floats:
        """Return all coefficients of the first pairing, of the second, and so on.

        Each row of `counts` says how often each topic counts.
        """
        means: dict[Measured, Floats] = {}
        for side, own in self.sides.items():
            part = counts[:, own]
            with np.errstate(invalid="ignore"):  # none of the topics of a side
                means[side] = snap(exact_sums(part, side.values) / part.sum(axis=1, keepdims=True))
        return np.array(
            [
                outcome.values
                for pairing in self.pairings
                for outcome in self.against(means[pairing.reference], means[pairing.estimate])
            ]
        )

    @property
    def observed(self) -> list[Outcome]:
        """The same for the topics as they are; ties given to a coefficient that refuses them are an error."""
        if self._observed is None:
            self._observed = [each for p in self.pairings for each in p.of_means(self.coefficients)]
        return self._observed

    def report(self) -> None:
        """Warn if a coefficient of the topics as they are is undefined."""
        for k, outcome in enumerate(self.observed):
            outcome.report(str(self.coefficients[k % len(self.coefficients)]))

    def without_each(self) -> Floats:
        """Return the values without each topic in turn."""
        parts = []
        for start in range(0, self.n, self.rows_at_once):
            gone = np.arange(start, min(start + self.rows_at_once, self.n))
            parts.append(self.values((np.arange(self.n) != gone[:, None]).astype(np.int64)))
        return np.hstack(parts)


Transform: TypeAlias = Callable[[Floats], Floats]  # of the values of a sample, row by row

# "simex": the bias of a statistic is modelled as c v^p, v the variance of the noise in the means: v = 1 in
# what was observed, 2 in the resamples, 3 in resamples of resamples. The step from v = 2 to v = 3,
# c (3^p - 2^p), is measured. Then the number of steps is
#   from v = 2 back to 0 (unlimited topics):       2^p / (3^p - 2^p)       = 2 for p = 1, 3 for p = 0.7;
#   from v = 2 back to 1 (as many topics as now):  (2^p - 1) / (3^p - 2^p) = 1 for p = 1, 1.2 for p = 0.7.
# The lower end of an interval goes back by the smaller number of steps times the step, the upper end by the
# larger.
UNLIMITED = (2.0, 3.0)
AS_MANY = (1.0, 1.2)


class Resampled(NamedTuple):
    """Statistics, a row each: as observed, in resamples, and what intervals need besides."""

    n: int  # topics
    observed: Floats
    distribution: Floats  # statistics x resamples
    step: Floats  # how much the mean falls from resamples to resamples of resamples
    without: Floats | None = None  # statistics x topics: without each of them

    def interval(
        self, k: int, how: Resampling, bounds: tuple[float, float], steps: tuple[float, float] = UNLIMITED
    ) -> ConfidenceInterval:
        """Return the interval of statistic k; by simex, for as many topics as the steps say."""
        observed, values = float(self.observed[k]), self.defined(k)
        if math.isnan(observed) or len(values) < 2:
            return ConfidenceInterval(math.nan, math.nan)
        tails = how.tails
        if how.method == "BCa":
            corrected = (
                _bca_tails(observed, values, self.without[k], tails) if self.without is not None else None
            )
            if corrected is None:
                return ConfidenceInterval(math.nan, math.nan)
            tails = corrected
        elif how.method == "simex":
            tails = [_expanded(tail, self.n) for tail in tails]
        low, high = np.quantile(values, tails).tolist()
        if how.method == "basic":
            low, high = 2 * observed - high, 2 * observed - low
        elif how.method == "simex":
            # An interval without the observed value is hard to explain; widening it is on the safe side.
            back = [float(self.step[k]) * number for number in steps]
            low, high = min(low + min(back), observed), max(high + max(back), observed)
        return ConfidenceInterval(max(low, bounds[0]), min(high, bounds[1]))

    def why_none(self, k: int, interval: ConfidenceInterval, coefficient: str = "") -> list[Note]:
        """Say why statistic k has a value and no interval; nothing if it has both, or neither."""
        if math.isnan(self.observed[k]) or not math.isnan(interval.low):
            return []
        kind = "no_interval" if len(self.defined(k)) < 2 else "no_bca_interval"
        return [Note(kind, values={"coefficient": coefficient} if coefficient else {})]

    def standard_error(self, k: int) -> float:
        """Return the standard deviation of statistic k over the resamples."""
        defined = self.defined(k)
        return float(defined.std(ddof=1)) if len(defined) > 1 else math.nan

    def defined(self, k: int) -> Floats:
        """Return the resamples in which statistic k has a value."""
        row: Floats = self.distribution[k]
        return row[~np.isnan(row)]

    def n_undefined(self, k: int) -> int:
        """Return in how many resamples statistic k has none."""
        return int(np.isnan(self.distribution[k]).sum())


def _same(values: Floats) -> Floats:
    return values


def resample(
    sample: TopicSample,
    how: Resampling,
    rng: np.random.Generator,
    progress: Progress | None = None,
    transform: Transform = _same,
) -> Resampled:
    """Draw topics with replacement, and compute a transform of all values of the sample."""
    observed = transform(np.array([outcome.values for outcome in sample.observed]))[:, 0]
    n, total = sample.n, how.n_resamples
    distribution = np.empty((len(observed), total))
    # The step is a difference of means, for which fewer resamples will do.
    n_again = -(-total // 4) if how.method == "simex" else 0
    change, changed = np.zeros(len(observed)), np.zeros(len(observed))
    for start in range(0, total, sample.rows_at_once):
        stop = min(start + sample.rows_at_once, total)
        drawn = rng.integers(0, n, (stop - start, n))
        distribution[:, start:stop] = transform(sample.values(topic_counts(drawn, n)))
        if start < n_again:
            part = drawn[: n_again - start]
            again = np.take_along_axis(part, rng.integers(0, n, part.shape), axis=1)
            values = transform(sample.values(topic_counts(again, n)))
            fall = distribution[:, start : start + len(part)] - values
            change += np.nansum(fall, axis=1)
            changed += (~np.isnan(fall)).sum(axis=1)
        if progress is not None:
            progress(stop, total)
    without = transform(sample.without_each()) if how.method == "BCa" else None
    return Resampled(n, observed, distribution, change / np.maximum(changed, 1), without)


def topic_counts(drawn: Integers, n: int) -> Integers:
    """Return how often each of n topics is in each row."""
    flat = drawn + n * np.arange(len(drawn))[:, None]
    return np.bincount(flat.ravel(), minlength=n * len(drawn)).reshape(len(drawn), n)


def interval_of_mean(values: Floats, how: Resampling) -> ConfidenceInterval:
    """Return the percentile interval of the mean of values of topics."""
    return intervals_of_means(values[:, None], how)[0]


def intervals_of_means(values: Floats, how: Resampling) -> list[ConfidenceInterval]:
    """Return the percentile interval of the mean of each column; the rows are topics.

    All columns see the same resamples, so that each is as if it were alone.
    """
    rng, n = np.random.default_rng(how.seed), len(values)
    counts = []
    step = max(1, MOST_AT_ONCE // n)
    for start in range(0, how.n_resamples, step):
        drawn = rng.integers(0, n, (min(step, how.n_resamples - start), n))
        counts.append(topic_counts(drawn, n))
    weights = np.concatenate(counts)
    found = []
    at_once = max(1, 4 * MOST_AT_ONCE // how.n_resamples)
    for first in range(0, values.shape[1], at_once):
        means = exact_sums(weights, values[:, first : first + at_once]) / n
        ends = np.quantile(np.ascontiguousarray(means.T), how.tails, axis=1)
        found += [ConfidenceInterval(low, high) for low, high in ends.T.tolist()]
    return found


def _expanded(tail: float, n: int) -> float:
    """Return the tail probability with Hesterberg's correction.

    The variance of resamples of n topics is too small by (n - 1) / n, and t is wider than the normal.
    """
    return normal().cdf(math.sqrt(n / (n - 1)) * t_quantile(tail, n - 1))


def _bca_tails(observed: float, values: Floats, without: Floats, tails: list[float]) -> list[float] | None:
    """Efron's correction of the two probabilities for bias and for a spread that depends on the value.

    None if all resamples are on one side of what was observed: there is no finite correction.
    """
    below = float((values < observed).mean() + (values <= observed).mean()) / 2
    if not 0 < below < 1:
        return None
    bias = normal().inv_cdf(below)
    defined = without[~np.isnan(without)]
    pull = defined.mean() - defined if len(defined) else defined
    spread = float((pull**2).sum()) ** 1.5
    acceleration = float((pull**3).sum()) / (6 * spread) if spread else 0.0
    shifted = [bias + normal().inv_cdf(tail) for tail in tails]
    return [normal().cdf(bias + z / (1 - acceleration * z)) for z in shifted]
