"""How much of an order of systems is luck of the topics, and how well it would agree with other rankings.

A ranking by the means over n topics is compared with the true ranking, by endless topics of the same kind,
and with a ranking by other topics.
"""

from __future__ import annotations

import functools
import math
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from concordant.rankings.compiled import core
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.distributions import (
    crossing,
    f_above,
    gamma_cut_mean,
    gamma_cut_quantile,
    t_cubic,
    t_quantile,
    t_table,
)
from concordant.typing import Floats, Integers

Target: TypeAlias = Literal["true", "other"]
"""What a ranking is compared with: the true ranking, or one by other topics."""

YARDSTICKS = {"tau": 0, "tau_b": 0, "tau_ap": 1, "tau_ap_b": 1}
"""The coefficients whose expectation is known: the place in what `TopicLuck.expected` returns."""

ORDER_LEVEL = 0.05  # topics whose p-value of equal systems is larger show no order
ROUNDING = 1e-12  # a smaller difference or deviation, relative to the largest |score|, is 0
LEAST_TOPICS = 5  # for an interval or a decision
_MOST_SHARE = 2.0**40
_MOST = 1 - 1e-9  # a larger value is cut before atanh


class Expected(NamedTuple):
    """An expected agreement: its interval, and what a decision against it needs."""

    value: float
    interval: ConfidenceInterval
    error: float  # of atanh(value), by the jackknife over topics
    lower: float  # the value with the lower end of the reliability
    upper: float


class TopicLuck:
    """The order of systems by the means over topics: topics x systems, no score missing.

    Attributes
    ----------
    f : float
        The mean square of systems divided by that of the residuals.
    pvalue : float
        The p-value of equal systems, with the correction of Greenhouse and Geisser.
    reliability : float
        The share of the variance of the means that is not luck of the topics: the mean under a flat prior.
    epsilon : float
        The correction of the degrees of freedom.
    """

    def __init__(self, scores: Floats) -> None:
        self.scores: Floats = np.ascontiguousarray(scores, dtype=np.float64)
        self.n, self.k = self.scores.shape
        # What is asked for several times, for each coefficient and for each number of topics.
        self.without_each = functools.cache(self._without_each)
        self._known_expected = functools.cache(self._expected)
        self._known_share = functools.cache(self._share_for)
        self._scale = float(np.abs(self.scores).max(initial=0.0)) * ROUNDING
        self.f = self.pvalue = self.reliability = self.epsilon = math.nan
        if self.n < 2 or self.k < 2:
            return
        systems, residuals = self._squares
        between, within = systems / (self.k - 1), residuals / ((self.n - 1) * (self.k - 1))
        if between == within == 0:
            return
        self.f = between / within if within else math.inf
        self.reliability = 1 - self._lost(self.f)
        centred = self.scores - self.scores.mean(axis=0)
        centred -= centred.mean(axis=1, keepdims=True)
        covariance = centred.T @ centred / (self.n - 1)
        total = float((covariance**2).sum())
        exact = within == 0 or total == 0
        self.epsilon = 1.0 if exact else float(np.trace(covariance)) ** 2 / ((self.k - 1) * total)
        freedom = (self.k - 1) * self.epsilon
        self.pvalue = f_above(self.f, freedom, freedom * (self.n - 1))

    @functools.cached_property
    def _squares(self) -> tuple[float, float]:
        """The sums of squares of systems, times n, and of residuals."""
        means = self.scores.mean(axis=0)
        systems = _kept(means - means.mean(), self._scale)
        residuals = self.scores - means - self.scores.mean(axis=1, keepdims=True) + means.mean()
        return self.n * float((systems**2).sum()), float((_kept(residuals, self._scale) ** 2).sum())

    def _lost(self, f: float) -> float:
        """Return the share of the variance of the means that is luck."""
        return gamma_cut_mean((self.k - 1) / 2 + 1, (self.k - 1) * f / 2)

    @property
    def shows_an_order(self) -> bool:
        """Whether the topics show that the systems differ."""
        return self.pvalue <= ORDER_LEVEL

    @functools.cached_property
    def _pairs(self) -> tuple[Integers, Integers, Floats, Floats]:
        """The pairs of systems, the means of their differences, and the sums of squares about them."""
        first, second = np.triu_indices(self.k, 1)
        mean, squares = moments_of_pairs(self.scores, self._scale)
        return first, second, _kept(mean, self._scale), squares

    @property
    def has_ties(self) -> bool:
        """Whether two systems have the same mean."""
        return not self._pairs[2].all()

    def values(self, target: Target, ratio: float = 1.0, luck: float | None = None) -> Floats:
        """Return the expected tau_b and tau_ap_b with a ranking by `ratio` times as many topics.

        `luck` replaces the share of variance that is luck.
        """
        t, lower, above = self._ordered
        share = self.reliability if luck is None else 1 - luck
        agreement = t_table(self.n - 1)(_factor(np.array(share), target, ratio) * t)
        return _weighted(
            np.asarray(np.bincount(lower, agreement, self.k), dtype=np.float64)[None], above[None]
        )[:, 0]

    @functools.cached_property
    def _ordered(self) -> tuple[Floats, Integers, Floats]:
        """Of pairs whose means differ, t and the lower system; and for each system how many are above it."""
        first, second, mean, squares = self._pairs
        differ = mean != 0
        with np.errstate(divide="ignore"):
            t = np.abs(mean[differ]) * math.sqrt(self.n * (self.n - 1)) / np.sqrt(squares[differ])
        lower = np.where(mean > 0, second, first)[differ]
        return t, lower, np.bincount(lower, minlength=self.k).astype(np.float64)

    def _without_each(self, ratio: float = 1.0) -> dict[Target, Floats]:
        """Return the expected tau_b and tau_ap_b without each topic in turn: coefficients x topics."""
        _, _, mean, squares = self._pairs
        shares = 1 - np.array([self._lost(f) for f in self._f_without_each().tolist()])
        targets: tuple[Target, ...] = get_args(Target)
        factors = np.array([_factor(shares, each, ratio) for each in targets])
        above, sums = np.empty((self.n, self.k)), np.empty((len(targets), self.n, self.k))
        cubic = t_cubic(self.n - 2)
        core.without_each_topic(self.scores, mean, squares, self._scale, factors, cubic, above, sums)
        return {target: _weighted(own, above) for target, own in zip(targets, sums, strict=True)}

    def _f_without_each(self) -> Floats:
        """Return F without each topic in turn."""
        n, k, total = self.n, self.k, self.scores.sum(axis=0)
        means = (total - self.scores) / (n - 1)  # row t: without topic t
        systems = _kept(means - means.mean(axis=1, keepdims=True), self._scale)
        inner = self.scores - self.scores.mean(axis=1, keepdims=True)  # without the effect of the topic
        centred = inner - inner.mean(axis=0)
        squares = (centred**2).sum() - (centred**2).sum(axis=1) * (n / (n - 1))
        rounding = (self._scale**2) * (n - 1) * k
        between = (n - 1) * (systems**2).sum(axis=1) / (k - 1)
        within = np.where(squares > rounding, squares, 0.0) / ((n - 2) * (k - 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(between / within)

    def expected(self, target: Target, ratio: float = 1.0, level: float = 0.95) -> tuple[Expected, Expected]:
        """Return the expected tau_b and tau_ap_b with a ranking by `ratio` times as many topics.

        Everything is nan if there is no order at all; the interval and the rest are nan for fewer than five
        topics.
        """
        return self._known_expected(target, ratio, level)

    def _expected(self, target: Target, ratio: float, level: float) -> tuple[Expected, Expected]:
        nothing = math.nan, ConfidenceInterval(math.nan, math.nan), math.nan, math.nan, math.nan
        if math.isnan(self.f):
            return Expected(*nothing), Expected(*nothing)
        values = self.values(target, ratio)
        if self.n < LEAST_TOPICS or math.isnan(values[0]):
            return Expected(float(values[0]), *nothing[1:]), Expected(float(values[1]), *nothing[1:])
        z = np.arctanh(np.minimum(self.without_each(ratio)[target], _MOST))
        errors = np.sqrt((self.n - 1) / self.n * ((z - z.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))
        freedom = (self.k - 1) * self.epsilon
        shape, rate = freedom / 2 + 1, freedom * self.f / 2
        luck = [gamma_cut_quantile(shape, rate, tail) for tail in ((1 + level) / 2, (1 - level) / 2)]
        lower = self.values(target, ratio, max(luck[0], 1 - self.reliability))
        upper = self.values(target, ratio, min(luck[1], 1 - self.reliability))
        middle, low, high = (np.arctanh(np.minimum(each, _MOST)) for each in (values, lower, upper))
        by_topics = t_quantile((1 + level) / 2, self.n - 1) * errors
        lows = np.minimum(np.maximum(np.tanh(middle - np.hypot(by_topics, low - middle)), 0.0), values)
        highs = np.maximum(np.tanh(middle + np.hypot(by_topics, high - middle)), values)
        rows = np.array([values, lows, highs, errors, lower, upper]).T.tolist()
        of_tau, of_ap = (Expected(row[0], ConfidenceInterval(row[1], row[2]), *row[3:]) for row in rows)
        return of_tau, of_ap

    def share_for(self, place: int, target: Target, value: float) -> float:
        """Return the share of variance that is not luck with which `value` is expected of as many topics.

        It may be above 1. Curves with the shares of the two ends of an interval are the interval for other
        numbers of topics: on the scale of atanh the lower end would fall with more topics.
        """
        return self._known_share(place, target, value)

    def _share_for(self, place: int, target: Target, value: float) -> float:
        high = 1.0
        while (above := self.values(target, 1.0, 1 - high)[place] - value) < 0 and high < _MOST_SHARE:
            high *= 2
        return high * crossing(
            lambda part: float(self.values(target, 1.0, 1 - high * part)[place] - value),
            *(-value, float(above)),
            steps=40,
        )


def moments_of_pairs(scores: Floats, least: float) -> tuple[Floats, Floats]:
    """Return the means of the differences of all pairs of columns, and the sums of squares about them.

    Deviations up to `least` are rounding, and count as 0.
    """
    means, squares = np.empty((2, scores.shape[1] * (scores.shape[1] - 1) // 2))
    core.moments_of_pairs(np.ascontiguousarray(scores), least, means, squares)
    return means, squares


def _kept(values: Floats, least: float) -> Floats:
    """Return the values; those that are rounding become 0."""
    return np.where(np.abs(values) > least, values, 0.0)


def _factor(share: Floats, target: Target, ratio: float) -> Floats:
    """Return by what t of a pair is multiplied, for a share of variance that is not luck."""
    return np.sqrt(share * ratio) if target == "true" else share / np.sqrt(share + 1 / ratio)


def _weighted(sums: Floats, above: Floats) -> Floats:
    """Return for each row the mean over pairs, and that over systems of the mean over those above.

    A row has for each system the sum of the agreement with those above it, and how many these are.
    """
    with np.errstate(invalid="ignore"):
        of_systems = np.where(above > 0, sums / above, 0.0)
        return np.array(
            [sums.sum(axis=1) / above.sum(axis=1), of_systems.sum(axis=1) / (above > 0).sum(axis=1)]
        )
