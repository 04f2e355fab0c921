"""Confidence distributions: each method of intervals and p-values is one function, the end of an interval.

`end(tail, BELOW)` is the value that has the probability `tail`, up to 1/2, below it, `end(tail, ABOVE)` the
one that has it above. The interval of level 1 - a is from end(a / 2, BELOW) to end(a / 2, ABOVE). The p-value
of a value is the smallest a for which the interval does not contain it. So p < a exactly when the interval of
level 1 - a does not contain the value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from concordant.statistics.distributions import LEAST, normal, t_quantile
from concordant.typing import Alternative, Floats

BELOW: Final = -1
ABOVE: Final = 1

End: TypeAlias = Callable[[float, int], float]
"""A confidence distribution of a value, given a sample."""


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


def _end(end: End, tail: float, side: int) -> float:
    return end(tail, side) if tail <= 0.5 else end(1 - tail, -side)


def interval_of(
    end: End, level: float, bounds: tuple[float, float], alternative: Alternative = "two-sided"
) -> ConfidenceInterval:
    """Return the interval; for a one-sided alternative, one of its ends is the bound."""
    tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    low = bounds[0] if alternative == "less" else _end(end, tail, BELOW)
    high = bounds[1] if alternative == "greater" else _end(end, tail, ABOVE)
    return ConfidenceInterval(min(max(low, bounds[0]), bounds[1]), max(min(high, bounds[1]), bounds[0]))


def pvalue_of_value(end: End, value: float, alternative: Alternative) -> float:
    """Return the smallest a for which the interval of level 1 - a does not contain the value."""
    if alternative != "two-sided":
        return _share(end, value, BELOW if alternative == "greater" else ABOVE)
    both = 2 * min(_share(end, value, BELOW), _share(end, value, ABOVE))
    return both if both < 1 - 1e-12 else 1.0


def _share(end: End, value: float, side: int) -> float:
    """Return the largest tail probability whose end does not pass the value."""
    low, high = 0.0, 1.0
    for _ in range(64):  # to the precision of a double
        middle = (low + high) / 2
        if (_end(end, middle, side) - value) * side >= 0:
            low = middle
        else:
            high = middle
    return max(low, LEAST)


def expansion(n: int) -> float:
    """Return sqrt(n / (n - 1)): the variance of resamples of n topics is too small by (n - 1) / n."""
    return math.sqrt(n / (n - 1))


def half_width(n: int, error: float, change: float, tail: float) -> float:
    """Return how far a statistic is from its expected value, at most, but for the probability `tail`.

    It is t times the standard error. An event that does not occur on n topics may still have the probability
    -ln(tail) / n (the rule of three), so that it is at least this part of `change`, the largest change of the
    statistic if two neighbours are exchanged.
    """
    unseen = min(1.0, -math.log(tail) / n) if tail > 0 else 1.0
    by_t = -t_quantile(tail, n - 1) * expansion(n) * error if error else 0.0
    return max(by_t, unseen * change)


# --- methods: functions whose last arguments are those of an end; the resamples `values` are sorted ---


def standard(
    observed: float,
    values: Floats,
    mean: float,
    n: int,
    half: Callable[[float], float],
    tail: float,
    side: int,
) -> float:
    """Return the statistic +- t times the standard error, or more if the resamples are skewed."""
    reach = side * (_quantile(values, expanded(tail, n), side) - mean)
    return observed + side * max(half(tail), reach)


def percentile(values: Floats, tail: float, side: int) -> float:
    """Return a quantile of the resamples; infinity if there are too few of them for the probability."""
    return _quantile(values, tail, side) if tail >= 1 / (len(values) + 1) else side * math.inf


def basic(observed: float, values: Floats, tail: float, side: int) -> float:
    """Return a quantile of the resamples, mirrored at the statistic."""
    return 2 * observed - percentile(values, tail, -side)


def bca(observed: float, values: Floats, without: Floats) -> End | None:
    """Return the resamples, with probabilities corrected for bias and acceleration (Efron).

    `without` is the statistic without each topic. There is none if all resamples are on one side of the
    statistic.
    """
    below = float((values < observed).mean() + (values <= observed).mean()) / 2
    if not 0 < below < 1:
        return None
    defined = without[~np.isnan(without)]
    pull = defined.mean() - defined if len(defined) else defined
    spread = float((pull**2).sum()) ** 1.5
    acceleration = float((pull**3).sum()) / (6 * spread) if spread else 0.0
    bias = normal().inv_cdf(below)

    def end(tail: float, side: int) -> float:
        if tail < 1 / (len(values) + 1):
            return side * math.inf
        z = bias - side * normal().inv_cdf(tail)
        scale = 1 - acceleration * z
        if scale <= 0:  # the correction is not defined there
            return _quantile(values, 0.0, ABOVE if z > 0 else BELOW)
        return _quantile(values, normal().cdf(bias + z / scale), BELOW)

    return end


def exchange(observed: float, null: Floats, exact: bool, error: float, half: Callable[[float], float]) -> End:
    """Return the differences that a test by exchanging two estimates does not reject.

    `null` are the differences in the exchanges, sorted; `exact` says whether these are all exchanges. The
    spread s(t) of the difference depends on its expected value t. At 0 it is the spread of the exchanges.
    At the observed value d it is the standard error of the resamples. In between it is assumed to be linear
    in |t|. A value t between 0 and d is in the interval if (d - t) / s(t) is not extreme among the exchanges,
    divided by their own spread. Beyond d, the ends are d +- the quantile of Student's t times the standard
    error.
    """
    more = 0 if exact else 1
    distance, scale = abs(observed), float(np.sqrt(np.mean(null**2)))

    def end(tail: float, side: int) -> float:
        if side * observed > 0:  # away from 0
            return observed + side * half(tail)
        rank = math.ceil((tail - 1e-14) * (len(null) + more) - more)
        if rank <= 1 - more:  # no share of exchanges is so small: one of them is always the observed one
            return side * math.inf
        # The largest distance from 0, on the side of the observed value, that is not rejected. The end is u
        # beyond 0, where |d| + u = z s(u), and z is this distance in units of the spread of the exchanges.
        critical = float(null[-rank]) if side == BELOW else -float(null[rank - 1])
        z = critical / scale if scale else 0.0
        if scale == 0:  # no exchange changes anything
            beyond = half(tail)
        elif critical <= 0:
            beyond = critical - distance
        elif abs(critical - distance) <= 1e-12 * max(critical, distance):
            beyond = 0.0
        elif critical < distance:  # 0 is rejected
            beyond = -(distance - critical) / (1 + z * (error - scale) / distance)
        elif distance == 0 or 2 * distance <= z * error:
            beyond = max(z * error, half(tail), distance) - distance
        else:
            beyond = (critical - distance) / (1 - z * (error - scale) / distance)
        return side * beyond

    return end


def expanded(tail: float, n: int) -> float:
    """Return a probability with Hesterberg's correction for n topics: t for the normal, and sqrt(n/(n-1))."""
    return normal().cdf(expansion(n) * t_quantile(tail, n - 1))


def _quantile(values: Floats, tail: float, side: int) -> float:
    """Return a quantile of sorted values, as NumPy does, with this probability on this side."""
    if side == ABOVE:
        return -_quantile(-values[::-1], tail, BELOW)
    place = tail * (len(values) - 1)
    below = min(int(place), len(values) - 2)
    low, high = float(values[below]), float(values[below + 1])
    return low if low == high else low + (high - low) * (place - below)
