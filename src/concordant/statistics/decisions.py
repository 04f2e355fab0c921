"""Whether a judge is good enough: against a floor, other topics and chance; for other systems; at the top."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from concordant.statistics.confidence import ConfidenceInterval, expansion
from concordant.statistics.distributions import normal, t_quantile
from concordant.statistics.topic_luck import LEAST_TOPICS, Expected
from concordant.typing import Booleans, Floats

Decision: TypeAlias = Literal["shown", "shown not to be", "not decided"]

LEAST_GROUPS = 5
_LARGER = 1.5  # the interval without luck; calibrated, not derived


def one_sided_ends(
    value: float, resamples: Floats, n: int, tail: float, bounds: tuple[float, float]
) -> tuple[float, float]:
    """Return the ends of two one-sided intervals: each has the probability `tail` beyond it.

    An end is t standard errors away, or as far as the quantile of the resamples from their mean.
    """
    values = resamples[~np.isnan(resamples)]
    if math.isnan(value) or len(values) < 2 or n < LEAST_TOPICS:
        return math.nan, math.nan
    t = t_quantile(1 - tail, n - 1)
    by_error, z = t * float(values.std(ddof=1)), normal().inv_cdf(1 - tail)
    larger = expansion(n) * (t / z if z else 1.0)  # both are 0 for a level of 0.5
    below, above = np.quantile(values, [tail, 1 - tail])
    low = value - max(by_error, larger * float(values.mean() - below))
    high = value + max(by_error, larger * float(above - values.mean()))
    return max(low, bounds[0]), min(high, bounds[1])


def at_least(low: float, high: float, floor: float) -> Decision:
    """Return whether a value with these one-sided ends is at least a floor."""
    return "shown" if low >= floor else "shown not to be" if high < floor else "not decided"


def as_close(
    value: float, error: float, other: Expected, n: int, order: bool, margin: float = 0.0
) -> tuple[Decision, float, float, float]:
    """Return whether a judge is as close to the reference as other topics: the decision, and d with its ends.

    `value` is the coefficient of the judge and `error` its standard error over topics; `order` says whether
    the topics show an order of the systems at all.
    """
    difference = value - other.value
    freedom = t_quantile(0.95, n - 1) if n > 1 else math.nan
    z, own = normal().inv_cdf(0.975), error**2 + (other.error * (1 - other.value**2)) ** 2
    lower = difference - freedom * math.sqrt(own + ((other.upper - other.value) / z) ** 2)
    upper = difference + freedom * math.sqrt(own + ((other.value - other.lower) / z) ** 2)
    decision: Decision = "not decided"
    if order and lower > -margin:
        decision = "shown"
    elif order and upper < -margin:
        decision = "shown not to be"
    return decision, difference, lower, upper


def without_luck(
    n: int, of_four: float, of_half: float, error: float, level: float, bounds: tuple[float, float]
) -> tuple[float, ConfidenceInterval]:
    """Return the coefficient of endless topics of this kind, extrapolated, with its interval.

    `of_four` and `of_half` are the means of the coefficient over resamples of 4 n and of n // 2 topics.
    """
    if n < LEAST_TOPICS:
        return math.nan, ConfidenceInterval(math.nan, math.nan)
    a, b = math.sqrt(1.25), math.sqrt(1 + n / (n // 2))
    value = min(max(of_four + a * (of_four - of_half) / (b - a), bounds[0]), bounds[1])
    half = _LARGER * t_quantile((1 + level) / 2, n - 1) * error
    return value, ConfidenceInterval(max(value - half, bounds[0]), min(value + half, bounds[1]))


def variance_over_systems(without: Floats) -> float:
    """Return the variance of a coefficient over systems, from its values without each group of them."""
    n = len(without)
    if n < LEAST_GROUPS:
        return math.nan
    return (n - 1) / n * float(((without - without.mean()) ** 2).sum())


def wide_interval(
    value: float,
    error: float,
    variance: float,
    n: int,
    n_groups: int,
    level: float,
    bounds: tuple[float, float],
) -> ConfidenceInterval:
    """Return the interval over topics and systems."""
    if min(n, n_groups) < LEAST_TOPICS or math.isnan(variance):
        return ConfidenceInterval(math.nan, math.nan)
    half = t_quantile((1 + level) / 2, min(n, n_groups) - 1) * math.sqrt(error**2 + variance)
    return ConfidenceInterval(max(value - half, bounds[0]), min(value + half, bounds[1]))


def topics_for_width(n: int, half: float, wanted: float) -> tuple[int, int, int] | None:
    """Return the topics that bring half the width of an interval from `half` to `wanted`.

    These are: about, at least, at most. There is no answer beyond 16 times as many topics.
    """
    ratio = half / wanted
    if not 0 < ratio <= 2:
        return None
    about = n * ratio**4
    least = max(LEAST_TOPICS, n if ratio > 1 else 0, math.ceil(about / 3 - 1e-9))
    return max(math.ceil(about - 1e-9), LEAST_TOPICS), least, max(math.ceil(2.5 * about - 1e-9), least)


# --- the top ---


class Top(NamedTuple):
    """How a judge finds the best systems of the reference."""

    winner_rank: float  # by the reference, of the best systems of the judge
    winner_same: float  # the share of these that are best by the reference too
    regret: float  # how much worse they are by the reference than its best
    overlap: float  # the share of the best k that both have
    union: Booleans  # the systems that are among the best k of either


def membership(scores: Floats, k: int) -> Floats:
    """Return for each score how far it is among the best k: 1 above the cut, a share for ties at it."""
    cut = np.partition(scores, -k, axis=-1)[..., [-k]]
    above, tied = scores > cut, scores == cut
    share = (k - above.sum(axis=-1, keepdims=True)) / tied.sum(axis=-1, keepdims=True)
    return np.where(above, 1.0, np.where(tied, share, 0.0))


def losses(x: Floats, y: Floats, k: int, of_x: Floats | None, of_y: Floats | None) -> Floats:
    """Return for rows of means the regret of the winners by y, and the overlap of the best k.

    `of_x` and `of_y` are how far each system is among the best k; None if there are no more than k.
    """
    winners = y == y.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        regret = x.max(axis=1) - (x * winners).sum(axis=1) / winners.sum(axis=1)
    if of_x is None or of_y is None:
        return np.array([regret, np.full(len(x), math.nan)])
    return np.array([regret, np.minimum(of_x, of_y).sum(axis=1) / k])


def top(x: Floats, y: Floats, k: int) -> Top:
    """Return how the systems that are best by y are by x."""
    winners = y == y.max()
    rank = float(np.mean([1 + int((x > own).sum()) for own in x[winners]]))
    same, regret = float((x[winners] == x.max()).mean()), float(x.max() - x[winners].mean())
    if k >= len(x):
        return Top(rank, same, regret, math.nan, np.zeros(len(x), dtype=np.bool_))
    of_x, of_y = membership(x, k), membership(y, k)
    return Top(rank, same, regret, float(np.minimum(of_x, of_y).sum() / k), (of_x > 0) | (of_y > 0))
