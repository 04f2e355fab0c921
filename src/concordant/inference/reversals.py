"""Systems ranked by their means over topics: the probability that a pair is in the wrong order."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import numpy as np

from concordant.coefficients import Untied
from concordant.inference.student import normal, t_below
from concordant.scores import exact_sums, snap
from concordant.typing import Floats, Integers

__all__ = ["RankedSample", "Spread"]

Spread: TypeAlias = Literal["msqd", "ml", "resampling"]
"""How the probability of the other order is estimated."""

_MOST_AT_ONCE = 1 << 20  # differences of scores


class RankedSample:
    """Scores of systems on topics, and for each pair of systems the differences D of their scores.

    The true order of the pair is the opposite one with the probability P = F(-mean(D) sqrt(T) / sd), where F
    is the distribution function of Student's t. Systems with the same mean may be in either order, P = 1/2. A
    difference that is the same on all topics is certain, P = 0.
    """

    def __init__(
        self,
        values: Floats,
        means: Floats,
        method: Spread,
        n_resamples: int,
        rng: np.random.Generator,
    ) -> None:
        order = np.argsort(-means, kind="stable")
        self.order: Integers = order  # systems, best first
        self.means = means[order]
        self.values = np.ascontiguousarray(values[:, order].T)  # systems x topics
        self.method, self.n_resamples = method, n_resamples
        self._seed = int(rng.integers(2**63)) if method == "resampling" else 0
        self.n, self.n_topics = self.values.shape
        self.first, self.second = np.triu_indices(self.n, 1)
        self.mean: Floats = self.means[self.first] - self.means[self.second]  # of D, not negative
        group = np.cumsum(np.concatenate([[False], self.means[1:] != self.means[:-1]]))
        self._group: Integers = group  # of systems with the same mean

    def _differences(self) -> Iterator[tuple[slice, Floats]]:
        step = max(1, _MOST_AT_ONCE // self.n_topics)
        for start in range(0, len(self.first), step):
            part = slice(start, start + step)
            yield part, self.values[self.first[part]] - self.values[self.second[part]]

    @functools.cached_property
    def _spread(self) -> Floats:
        """The estimate of the standard deviation of the differences of each pair."""
        spread_of = _quantile_slopes if self.method == "msqd" else _standard_deviations
        return np.concatenate([np.empty(0), *(spread_of(part) for _, part in self._differences())])

    def reversals(self, n_topics: int) -> Floats:
        """Return P of each pair, for means over a number of topics."""
        if self.method == "resampling":
            return self._shares_reversed(n_topics)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = self.mean * math.sqrt(n_topics) / self._spread
        return np.where(self.mean == 0, 0.5, t_below(-t, self.n_topics - 1))

    def _shares_reversed(self, n_topics: int) -> Floats:
        """Return the share of resamples of topics in which a pair is in the opposite order.

        A pair with equal means counts half.
        """
        rng = np.random.default_rng(self._seed)
        twice = np.zeros(len(self.first), dtype=np.int64)
        ends = np.cumsum(np.arange(self.n - 1, -1, -1))  # of the pairs of each first system
        step = max(1, _MOST_AT_ONCE // self.n)
        for start in range(0, self.n_resamples, step):
            size = min(step, self.n_resamples - start)
            counts = rng.multinomial(n_topics, np.full(self.n_topics, 1 / self.n_topics), size)
            means = np.ascontiguousarray(snap(exact_sums(counts, self.values.T) / n_topics).T)
            for i in range(self.n - 1):
                own, others = means[i], means[i + 1 :]
                below = (own < others).view(np.int8) + (own <= others).view(np.int8)
                twice[ends[i] - len(others) : ends[i]] += below.sum(axis=1, dtype=np.int32)
        return twice / (2 * self.n_resamples)

    def expected(self, untied: Untied, n_topics: int) -> float:
        """Return the expected coefficient, 1 - 2 sum(w P) / sum(w) over pairs."""
        return self.expected_of(untied, self.reversals(n_topics))

    def expected_of(self, untied: Untied, reversals: Floats) -> float:
        """Return the expected coefficient for given probabilities.

        The weight w of a pair is 1 / divisor(i), where i systems are above the lower one. Systems with the
        same mean are in each place of their group equally often.
        """
        above = np.bincount(
            self.second, reversals, self.n
        )  # for each place, the sum of P over the systems above
        place = np.arange(self.n)
        start = np.searchsorted(self._group, self._group)
        if (start != place).any():
            tied = self._group[self.first] == self._group[self.second]
            outside = np.bincount(self.second, np.where(tied, 0.0, reversals), self.n)
            shared = np.bincount(self._group, outside) / np.bincount(self._group)
            above = shared[self._group] + 0.5 * (place - start)
        divisor = untied.divisor(place[1:])
        return 1 - 2 * float((above[1:] / divisor).sum()) / float((place[1:] / divisor).sum())

    def limit(self, untied: Untied) -> float:
        """Return the expected coefficient for unlimited topics: below 1 if systems have the same mean."""
        return self.expected_of(untied, np.where(self.mean == 0, 0.5, 0.0))

    def without_each(self, untied: Sequence[Untied], n_topics: Sequence[int]) -> Floats:
        """Return the expected coefficients without each topic in turn: coefficients x n_topics x topics.

        The systems are ranked again. The spread of a pair changes like the standard deviation of its
        differences. P is interpolated, with errors below 1e-6; for t > 12 the value at 12 is used.
        """
        total, n = self.n_topics, self.n
        rest = (self.means[:, None] * total - self.values) / (total - 1)  # means without each topic
        place = np.argsort(np.argsort(-rest, axis=0, kind="stable"), axis=0, kind="stable")
        per_unit = 500.0
        below = t_below(-np.arange(12 * per_unit + 1) / per_unit, total - 2)
        slope = np.append(np.diff(below), 0.0)
        column = n * np.arange(total)
        above = np.zeros((len(n_topics), n * total))
        for part, differences in self._differences():
            off = differences - differences.mean(axis=1, keepdims=True)
            squares = (off * off).sum(axis=1, keepdims=True)
            first, second = self.first[part], self.second[part]
            with np.errstate(divide="ignore", invalid="ignore"):
                left = np.maximum(1 - off * off / squares * (total / (total - 1)), 0.0)
                spread = self._spread[part, None] * np.sqrt(left * ((total - 1) / (total - 2)))
                t = np.abs(rest[first] - rest[second]) / spread
            t[np.isnan(t)] = 0.0  # no difference at all
            lower = np.where(place[first] > place[second], first[:, None], second[:, None]) + column
            for k, number in enumerate(n_topics):
                scaled = np.minimum(t * (per_unit * math.sqrt(number)), 12 * per_unit)
                cell = scaled.astype(np.int64)
                reversed_ = below[cell] + (scaled - cell) * slope[cell]
                above[k] += np.bincount(lower.ravel(), reversed_.ravel(), n * total)
        sums = above.reshape(len(n_topics), total, n)
        at = np.maximum(place.T, 1)
        weights = [1 / each.divisor(at) for each in untied]
        every = [float((np.arange(1, n) / each.divisor(np.arange(1, n))).sum()) for each in untied]
        return np.array(
            [1 - 2 * (sums * w).sum(axis=2) / whole for w, whole in zip(weights, every, strict=True)]
        )


def _standard_deviations(differences: Floats) -> Floats:
    """Return the standard deviations of rows, unbiased for normal scores."""
    topics = differences.shape[1]
    gamma = math.lgamma((topics - 1) / 2) - math.lgamma(topics / 2)
    scale = math.sqrt((topics - 1) / 2) * math.exp(gamma)
    found: Floats = differences.std(axis=1, ddof=1) * scale
    return found


def _quantile_slopes(differences: Floats) -> Floats:
    """Return the spreads that fit the quantiles of a normal distribution best.

    Let z be the quantile of the standard normal distribution at rank / (topics + 1), where ties share the
    mean of their ranks. The spread is sum(D z) / sum(z^2).
    """
    topics = differences.shape[1]
    ordered = np.sort(differences, axis=1)
    table = _normal_scores(topics)
    scores = table[2 : 2 * topics + 1 : 2]
    found: Floats = ordered @ scores / float(scores @ scores)
    tied = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    if len(tied):
        found[tied] = _slopes_with_ties(ordered[tied], table)
    return found


def _slopes_with_ties(ordered: Floats, table: Floats) -> Floats:
    topics = ordered.shape[1]
    step = ordered[:, 1:] != ordered[:, :-1]
    place = np.arange(topics)
    edge = np.ones((len(ordered), 1), dtype=np.bool_)
    first = np.maximum.accumulate(np.where(np.hstack([edge, step]), place, 0), axis=1)
    last = np.minimum.accumulate(np.where(np.hstack([step, edge]), place, topics)[:, ::-1], axis=1)[:, ::-1]
    z = table[first + last + 2]  # twice the mean rank
    squares = (z * z).sum(axis=1)
    return np.where(squares > 0, (ordered * z).sum(axis=1) / np.where(squares > 0, squares, 1.0), 0.0)


@functools.lru_cache(maxsize=8)
def _normal_scores(topics: int) -> Floats:
    """Return the normal scores of ranks in steps of 1/2: entry r is the score of rank r / 2."""
    places = range(1, 2 * topics + 2)
    return np.array([0.0, *(normal().inv_cdf(place / (2 * topics + 2)) for place in places)])
