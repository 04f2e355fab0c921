"""Confidence distributions: each method of intervals and p-values is one function, the end of an interval.

`end(tail, BELOW)` is the value that has the probability `tail` below it, `end(tail, ABOVE)` the one that has
it above. The interval of level 1 - a is from end(a / 2, BELOW) to end(a / 2, ABOVE). The p-value of a value
is the smallest a for which the interval does not contain it. So p < a exactly when the interval of level 1 -
a does not contain the value.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np

from concordant.typing import Alternative, Floats

if TYPE_CHECKING:
    from statistics import NormalDist


BELOW: Final = -1
ABOVE: Final = 1


class ConfidenceInterval(NamedTuple):
    """The two ends of a confidence interval.

    Attributes
    ----------
    low : float
        The lower end.
    high : float
        The upper end.

    Examples
    --------
    >>> import concordant as cd
    >>> result = cd.jackknife_interval([5, 4, 3, 2, 1], [5, 3, 4, 1, 2], "tau_b")
    >>> low, high = result.confidence_interval
    >>> result.confidence_interval.low == low < result.statistic < high
    True
    """

    low: float
    high: float

    def __str__(self) -> str:
        """Return both ends in brackets."""
        return f"[{self.low:z.4f}, {self.high:z.4f}]"


class ConfidenceDistribution(Protocol):
    """A confidence distribution of a value, given a sample."""

    def end(self, tail: float, side: int) -> float:
        """Return the value that has this probability, up to 1/2, on this side of it."""
        ...


def _end(found: ConfidenceDistribution, tail: float, side: int) -> float:
    return found.end(tail, side) if tail <= 0.5 else found.end(1 - tail, -side)


def interval_of(
    found: ConfidenceDistribution,
    level: float,
    bounds: tuple[float, float],
    alternative: Alternative = "two-sided",
) -> ConfidenceInterval:
    """Return the interval; for a one-sided alternative, one of its ends is the bound."""
    left_out = 1 - level
    low, high = bounds
    if alternative == "two-sided":
        low, high = _end(found, left_out / 2, BELOW), _end(found, left_out / 2, ABOVE)
    elif alternative == "greater":
        low = _end(found, left_out, BELOW)
    else:
        high = _end(found, left_out, ABOVE)
    return ConfidenceInterval(min(max(low, bounds[0]), bounds[1]), max(min(high, bounds[1]), bounds[0]))


def pvalue_of_value(found: ConfidenceDistribution, value: float, alternative: Alternative) -> float:
    """Return the smallest a for which the interval of level 1 - a does not contain the value."""
    if alternative == "greater":
        return _share(found, value, BELOW)
    if alternative == "less":
        return _share(found, value, ABOVE)
    both = 2 * min(_share(found, value, BELOW), _share(found, value, ABOVE))
    return both if both < 1 - 1e-12 else 1.0


def _share(found: ConfidenceDistribution, value: float, side: int) -> float:
    """Return the largest tail probability whose end does not pass the value."""
    low, high = 0.0, 1.0
    for _ in range(64):  # to the precision of a double
        middle = (low + high) / 2
        if (_end(found, middle, side) - value) * side >= 0:
            low = middle
        else:
            high = middle
    return low


def expansion(n: int) -> float:
    """Return sqrt(n / (n - 1)): the variance of resamples of n topics is too small by (n - 1) / n."""
    return math.sqrt(n / (n - 1))


class Spread(NamedTuple):
    """How far a statistic may be from its expected value, for one sample of n topics."""

    n: int
    error: float  # standard error
    change: float  # its largest change if two neighbours are exchanged

    def half(self, tail: float) -> float:
        """Return the distance that is exceeded with the probability `tail` on one side.

        It is t se. An event that does not occur on n topics may still have the probability -ln(tail) / n (the
        rule of three), so that it is at least this part of the change by one exchange.
        """
        unseen = min(1.0, -math.log(tail) / self.n)
        by_t = -t_quantile(tail, self.n - 1) * expansion(self.n) * self.error if self.error else 0.0
        return max(by_t, unseen * self.change)


@dataclass(frozen=True)
class Standard:
    """The statistic +- t times the standard error, or more if the resamples are skewed."""

    observed: float
    values: Floats  # resamples, sorted
    spread: Spread

    def end(self, tail: float, side: int) -> float:
        """Return the value that has this probability, up to 1/2, on this side of it."""
        quantile = _quantile(self.values, expanded(tail, self.spread.n), side)
        reach = side * (quantile - float(self.values.mean()))
        return self.observed + side * max(self.spread.half(tail), reach)


@dataclass(frozen=True)
class Percentile:
    """The resamples themselves."""

    values: Floats  # sorted

    def end(self, tail: float, side: int) -> float:
        """Return the value that has this probability, up to 1/2, on this side of it."""
        return _known(self.values, tail, side) or _quantile(self.values, tail, side)


@dataclass(frozen=True)
class Basic:
    """The resamples mirrored at the statistic."""

    observed: float
    values: Floats  # sorted

    def end(self, tail: float, side: int) -> float:
        """Return the value that has this probability, up to 1/2, on this side of it."""
        mirrored = 2 * self.observed - _quantile(self.values, tail, -side)
        return _known(self.values, tail, side) or mirrored


@dataclass(frozen=True)
class BCa:
    """The resamples, with probabilities corrected for bias and acceleration (Efron)."""

    values: Floats  # sorted
    bias: float
    acceleration: float

    @classmethod
    def of(cls, observed: float, values: Floats, without: Floats) -> BCa | None:
        """Return the distribution; None if all resamples are on one side of the statistic."""
        below = float((values < observed).mean() + (values <= observed).mean()) / 2
        if not 0 < below < 1:
            return None
        defined = without[~np.isnan(without)]
        pull = defined.mean() - defined if len(defined) else defined
        spread = float((pull**2).sum()) ** 1.5
        acceleration = float((pull**3).sum()) / (6 * spread) if spread else 0.0
        return cls(values, normal().inv_cdf(below), acceleration)

    def end(self, tail: float, side: int) -> float:
        """Return the value that has this probability, up to 1/2, on this side of it."""
        if unknown := _known(self.values, tail, side):
            return unknown
        z = self.bias - side * normal().inv_cdf(tail)
        scale = 1 - self.acceleration * z
        if scale <= 0:  # the correction is not defined there
            return _quantile(self.values, 0.0, ABOVE if z > 0 else BELOW)
        return _quantile(self.values, normal().cdf(self.bias + z / scale), BELOW)


@dataclass(frozen=True)
class Simex:
    """The percentiles of the resamples, corrected for the bias that comes from the noise of the means.

    The bias of a statistic is modelled as c v^p, where v is the variance of the noise in the means: v = 1 in
    the observed means, 2 in the resamples, 3 in resamples of resamples. The step from v = 2 to v = 3,
    c (3^p - 2^p), is measured. From v = 2 back to 0 there are 2^p / (3^p - 2^p) steps: 2 for p = 1, 3 for
    p = 0.7. The lower end uses the smaller correction, the upper end the larger.
    """

    observed: float
    values: Floats  # sorted
    step: float  # how much the mean falls from resamples to resamples of resamples
    n: int

    def end(self, tail: float, side: int) -> float:
        """Return the value that has this probability, up to 1/2, on this side of it."""
        moved = _quantile(self.values, expanded(tail, self.n), side)
        back = 2 * self.step, 3 * self.step
        if side == BELOW:
            return min(moved + min(back), self.observed)
        return max(moved + max(back), self.observed)


@dataclass(frozen=True)
class Exchanged:
    """The differences that a test by exchanging two estimates does not reject.

    The spread s(t) of the difference depends on its expected value t. At 0 it is the spread of the exchanges.
    At the observed value d it is the standard error of the resamples. In between it is assumed to be linear
    in |t|. A value t between 0 and d is in the interval if (d - t) / s(t) is not extreme among the exchanges,
    divided by their own spread. Beyond d, the ends are d +- the quantile of Student's t times the standard
    error.
    """

    observed: float
    null: Floats  # sorted
    exact: bool  # all exchanges
    spread: Spread

    def end(self, tail: float, side: int) -> float:
        """Return the value that has this probability, up to 1/2, on this side of it."""
        if side * self.observed > 0:  # away from 0
            return self.observed + side * self.spread.half(tail)
        return side * self._towards_zero(abs(self.observed), self._critical(tail, side), tail)

    def _critical(self, tail: float, side: int) -> float:
        """Return the largest distance from 0, on the side of the observed value, that is not rejected."""
        more = 0 if self.exact else 1
        rank = math.ceil((tail - 1e-14) * (len(self.null) + more) - more)
        if (
            rank <= 1 - more
        ):  # no share of exchanges is so small, because one exchange is always the observed one
            return math.inf
        return float(self.null[-rank]) if side == BELOW else -float(self.null[rank - 1])

    def _towards_zero(self, distance: float, critical: float, tail: float) -> float:
        """Return how far beyond 0 the end is; negative if it stays on the side of the observed value.

        `distance` is |d|. The result u solves |d| + u = z s(u), where z is the critical value in units of the
        spread of the exchanges.
        """
        scale = float(np.sqrt(np.mean(self.null**2)))
        if math.isinf(critical):
            return math.inf
        if scale == 0:  # no exchange changes anything
            return self.spread.half(tail)
        if critical <= 0:
            return critical - distance
        if abs(critical - distance) <= 1e-12 * max(critical, distance):
            return 0.0
        z, error = critical / scale, max(self.spread.error, 0.0)
        if critical < distance:  # 0 is rejected
            return -(distance - critical) / (1 + z * (error - scale) / distance)
        if distance == 0 or 2 * distance <= z * error:
            return max(z * error, self.spread.half(tail), distance) - distance
        return (critical - distance) / (1 - z * (error - scale) / distance)


def distribution_of(
    method: str, observed: float, values: Floats, spread: Spread, step: float | None, without: Floats | None
) -> ConfidenceDistribution | None:
    """Return the confidence distribution of a statistic by its sorted resamples; None if there is none.

    `step` is for simex, and `without`, the statistic without each topic, for BCa.
    """
    if method == "percentile":
        return Percentile(values)
    if method == "basic":
        return Basic(observed, values)
    if method == "BCa":
        return None if without is None else BCa.of(observed, values, without)
    if method == "simex":
        return None if step is None else Simex(observed, values, step, spread.n)
    return Standard(observed, values, spread)


def expanded(tail: float, n: int) -> float:
    """Return a probability with Hesterberg's correction for n topics: t for the normal, and sqrt(n/(n-1))."""
    return normal().cdf(expansion(n) * t_quantile(tail, n - 1))


def _known(values: Floats, tail: float, side: int) -> float:
    """Return infinity if there are too few resamples for the probability, otherwise 0."""
    return side * math.inf if tail < 1 / (len(values) + 1) else 0.0


def _quantile(values: Floats, tail: float, side: int) -> float:
    """Return a quantile of sorted values, as NumPy does, with this probability on this side."""
    if side == ABOVE:
        return -_quantile(-values[::-1], tail, BELOW)
    place = tail * (len(values) - 1)
    below = min(int(place), len(values) - 2)
    low, high = float(values[below]), float(values[below + 1])
    return low if low == high else low + (high - low) * (place - below)


@functools.cache
def normal() -> NormalDist:
    """Return the standard normal distribution; its module takes a while to load."""
    from statistics import NormalDist

    return NormalDist()


def t_quantile(probability: float, freedom: int) -> float:
    """Return the quantile of Student's t."""
    if probability < 0.5:
        return -t_quantile(1 - probability, freedom)
    # For many degrees of freedom the expansion around the normal (Abramowitz and Stegun 26.7.5) is precise.
    if freedom > 40:
        z = normal().inv_cdf(probability)
        terms = (
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
            (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
        )
        return z + math.fsum(term / freedom**k for k, term in enumerate(terms, 1))
    low, high = 0.0, math.pi / 2  # of the angle whose tangent is t / sqrt(freedom)
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if _t_within(angle, freedom) < 2 * probability - 1 else (low, angle)
    return math.sqrt(freedom) * math.tan(low)


def _t_within(angle: float, freedom: int) -> float:
    """Return the probability of |t| <= sqrt(freedom) tan(angle) (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    sine, cosine, odd = math.sin(angle), math.cos(angle), freedom % 2
    term, total = cosine if odd else 1.0, 0.0
    for k in range(odd, freedom - 1, 2):
        total += term
        term *= cosine * cosine * (k + 1) / (k + 2)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def t_below(t: Floats, freedom: int) -> Floats:
    """Return the probabilities of values below t, by the same series; absolute errors are below 1e-13."""
    with np.errstate(invalid="ignore"):
        angle = np.arctan(t / math.sqrt(freedom))
    sine, cosine, odd = np.sin(angle), np.cos(angle), freedom % 2
    square = cosine * cosine
    term = cosine.copy() if odd else np.ones_like(cosine)
    total = np.zeros_like(cosine)
    for k in range(odd, freedom - 1, 2):
        total += term
        term *= square * ((k + 1) / (k + 2))
    within = 2 / math.pi * (angle + sine * total) if odd else sine * total  # with the sign of t
    return np.clip((1 + within) / 2, 0.0, 1.0)
