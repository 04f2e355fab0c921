"""How reliable a ranking by means over topics is: the probability that a pair is in the wrong order."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from concordant.checks import one_of
from concordant.coefficients.declaration import REGISTRY, Coefficient
from concordant.coefficients.engine import Untied
from concordant.errors import ArgumentError, option
from concordant.results.note import Note
from concordant.results.words import count
from concordant.scores.means import exact_sums, snap
from concordant.statistics.confidence import ConfidenceInterval, normal, t_below, t_quantile
from concordant.statistics.permutation import untied_of
from concordant.study.pairing import Measured, too_many_pairs
from concordant.typing import Floats, Integers
from concordant.work.pieces import in_pieces, piece_size

Spread: TypeAlias = Literal["msqd", "ml", "resampling"]
"""How the probability of the other order is estimated."""

_MOST_AT_ONCE = 1 << 20  # differences of scores


class Reliability:
    """How reliable the ranking of systems by their means over topics is, by one measure.

    For a pair of systems, let D be the differences of their scores. The true order of the pair is the
    opposite one with the probability P = F(-mean(D) sqrt(T) / sd), where F is the distribution function of
    Student's t. Systems with the same mean may be in either order, P = 1/2. A difference that is the same on
    all topics is certain, P = 0.
    """

    def __init__(
        self,
        side: Measured,
        method: Spread = "msqd",
        n_resamples: int = 2,
        seed: int = 0,
        executor: Executor | None = None,
    ) -> None:
        one_of("method", method, get_args(Spread))
        means = np.array(list(side.mean.values()))  # missing scores are an error
        if len(side.topics) < 2:
            raise ArgumentError(
                f"the reliability of a ranking needs the scores of two topics or more, got {len(side.topics)}"
            )
        if len(means) < 2:
            raise ArgumentError(f"a ranking needs two systems or more, got {len(means)}")
        if why := too_many_pairs(len(means)):
            raise ArgumentError(why)
        order: Integers = np.argsort(-means, kind="stable")  # best first
        self.systems = tuple(side.scores.systems[k] for k in order.tolist())
        self.means: Floats = means[order]
        self.values: Floats = np.ascontiguousarray(side.values[:, order].T)  # systems x topics
        self.method, self.executor = method, executor
        self.n, self.n_topics = self.values.shape
        self.first, self.second = np.triu_indices(self.n, 1)
        self.mean: Floats = self.means[self.first] - self.means[self.second]  # of D, not negative
        group = np.cumsum(np.concatenate([[False], self.means[1:] != self.means[:-1]]))
        self._group: Integers = group  # of systems with the same mean
        self._resamples = (self.values, group, n_resamples, int(np.random.default_rng(seed).integers(2**63)))
        self._above: dict[int, Floats] = {}  # by number of topics, see _sums_above

    def _differences(self) -> Iterator[Floats]:
        for part in _parts(len(self.first), self.n_topics):
            yield self.values[self.first[part]] - self.values[self.second[part]]

    @functools.cached_property
    def _spread(self) -> Floats:
        """The estimate of the standard deviation of the differences of each pair."""
        spread_of = _quantile_slopes if self.method == "msqd" else _standard_deviations
        return np.concatenate([np.empty(0), *(spread_of(part) for part in self._differences())])

    def reversals(self, n_topics: int) -> Floats:
        """Return P of each pair, for means over a number of topics."""
        if self.method == "resampling":
            return _shares_reversed(self._resamples, n_topics)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = self.mean * math.sqrt(n_topics) / self._spread
        return np.where(self.mean == 0, 0.5, t_below(-t, self.n_topics - 1))

    def expect(self, n_topics: Sequence[int]) -> None:
        """Compute what `expected` needs for these numbers of topics, so that several workers have work."""
        left = [number for number in n_topics if number not in self._above]
        if self.method != "resampling":
            self._above |= {number: _sums_above(self._group, self.reversals(number)) for number in left}
        elif left:
            parts = in_pieces(_of_resamples, self._resamples, left, executor=self.executor)
            self._above |= {number: part["above"] for number, part in zip(left, parts, strict=True)}

    def expected(self, c: Coefficient, n_topics: int) -> float:
        """Return the expected coefficient, 1 - 2 sum(w P) / sum(w) over pairs."""
        self.expect([n_topics])
        return self._weighted(c, self._above[n_topics])

    def limit(self, c: Coefficient) -> float:
        """Return the expected coefficient for unlimited topics: below 1 if systems have the same mean."""
        return self._weighted(c, _sums_above(self._group, np.where(self.mean == 0, 0.5, 0.0)))

    def _weighted(self, c: Coefficient, above: Floats) -> float:
        """Return the coefficient; the weight w of a pair is 1 / divisor(systems above the lower one)."""
        place = np.arange(1, self.n)
        divisor = _untied(c).divisor(place)
        return 1 - 2 * float((above[1:] / divisor).sum()) / float((place / divisor).sum())

    def without_each(self, coefficients: Sequence[Coefficient], n_topics: Sequence[int]) -> Floats:
        """Return the expected coefficients without each topic in turn: coefficients x n_topics x topics.

        The systems are ranked again. The spread of a pair changes like the standard deviation of its
        differences. P is interpolated, with errors below 1e-6; for t > 12 the value at 12 is used.
        """
        total, place = self.n_topics, np.arange(1, self.n)
        centre, squares = np.empty(len(self.first)), np.empty(len(self.first))
        for part, differences in zip(_parts(len(centre), total), self._differences(), strict=True):
            centre[part] = differences.mean(axis=1)
            off = differences - centre[part, None]
            squares[part] = (off * off).sum(axis=1)
        untied = [_untied(c) for c in coefficients]
        weights = np.array([1 / each.divisor(np.maximum(np.arange(self.n), 1)) for each in untied])
        whole = np.array([float((place / each.divisor(place)).sum()) for each in untied])
        step = piece_size(total, total, self.executor)
        moments = centre, squares, self._spread
        parts = in_pieces(
            _without,
            (self.values, self.means, moments, weights, whole, list(n_topics)),
            [(start, min(start + step, total)) for start in range(0, total, step)],
            executor=self.executor,
        )
        return np.concatenate([part["values"] for part in parts], axis=2)

    def standard_errors(self, coefficients: Sequence[Coefficient], n_topics: Sequence[int]) -> Floats:
        """Return the standard errors by the jackknife: coefficients x numbers of topics."""
        total = self.n_topics
        if total < 3:
            return np.full((len(coefficients), len(n_topics)), math.nan)
        without = self.without_each(coefficients, n_topics)
        off = without - without.mean(axis=2, keepdims=True)
        found: Floats = np.sqrt((off * off).sum(axis=2) * ((total - 1) / total))
        return found

    def interval(self, value: float, error: float, level: float, n_topics: int) -> ConfidenceInterval | None:
        """Return the interval: symmetric on Fisher's scale, and from 0 up, because P is at most 1/2.

        For more topics than there are, the value is so close to 1 that the lower end on Fisher's scale would
        be far too low; there it is value - t error. There is none if no topic makes a difference, and for two
        or three systems, where it would be too narrow.
        """
        if not error > 0 or not -1 < value < 1 or self.n < 4:
            return None
        t = t_quantile((1 + level) / 2, self.n_topics - 1)
        reach, middle = t * error / (1 - value * value), math.atanh(value)
        low = value - t * error if n_topics > self.n_topics else math.tanh(middle - reach)
        return ConfidenceInterval(max(low, 0.0), math.tanh(middle + reach))

    def doubt(self, interval: ConfidenceInterval | None) -> Note | None:
        """Return why there is no interval, or that it may be too narrow."""
        values: dict[str, Any] = {"topics": self.n_topics}
        if interval is None:
            why = "the value is the same without any one of the topics"
            if self.n_topics < 3:
                why = f"{count(self.n_topics, 'topic')} are too few; use three or more"
            elif self.n < 4:
                why = f"{self.n} systems are too few; use four or more"
            text = f"there is no interval, because {why}"
            return Note("no_jackknife_interval", text=text, values={**values, "systems": self.n})
        if self.n_topics >= 10:
            return None
        text = f"with only {self.n_topics} topics the expected correlation may be too high; use 20 or more"
        return Note("few_topics_expected", text=text, values=values)

    def alike(self) -> list[tuple[str, str]]:
        """Return the pairs of systems with the same mean."""
        where = np.flatnonzero(self.mean == 0)
        first, second = self.first[where].tolist(), self.second[where].tolist()
        return [(self.systems[i], self.systems[j]) for i, j in zip(first, second, strict=True)]


def _untied(c: Coefficient) -> Untied:
    found = untied_of(c)
    assert found is not None, c  # `expected_kind` has checked it
    return found


def expected_kind(c: Coefficient) -> Coefficient:
    """Refuse a coefficient whose expected value is not known."""
    if untied_of(c) is None:
        known = ", ".join(repr(name) for name, each in REGISTRY.items() if untied_of(each) is not None)
        raise ArgumentError(f"{option('coefficients')} must be among {known}, got {str(c)!r}")
    return c


def expected_of_side(side: Measured, coefficients: Sequence[Coefficient]) -> list[float]:
    """Return the expected correlation of a ranking by the topics of a side with the true ranking."""
    found = Reliability(side)
    return [found.expected(c, found.n_topics) for c in coefficients]


_Resamples: TypeAlias = tuple[Floats, Integers, int, int]  # values, groups, n_resamples, seed


def _parts(n_pairs: int, n_topics: int) -> list[slice]:
    """Return the pairs whose differences are computed at once; the last bits depend on these alone."""
    step = max(1, _MOST_AT_ONCE // n_topics)
    return [slice(start, start + step) for start in range(0, n_pairs, step)]


def _sums_above(group: Integers, reversals: Floats) -> Floats:
    """Return for each system the sum of P over those above it.

    Systems with the same mean are in each place of their group equally often.
    """
    n = len(group)
    first, second = np.triu_indices(n, 1)
    above = np.asarray(np.bincount(second, reversals, n), dtype=np.float64)
    place = np.arange(n)
    start = np.searchsorted(group, group)
    if (start != place).any():
        tied = group[first] == group[second]
        outside = np.bincount(second, np.where(tied, 0.0, reversals), n)
        shared = np.bincount(group, outside) / np.bincount(group)
        above = shared[group] + 0.5 * (place - start)
    return above


def _of_resamples(shared: _Resamples, n_topics: int, threads: int) -> dict[str, Any]:
    """Do a piece: one number of topics. The sums are small, P of all pairs is not."""
    del threads
    return {"above": _sums_above(shared[1], _shares_reversed(shared, n_topics))}


def _shares_reversed(shared: _Resamples, n_topics: int) -> Floats:
    """Return the share of resamples of topics in which a pair is the other way round.

    A pair with equal means counts half.
    """
    values, _, n_resamples, seed = shared
    n, total = values.shape
    rng = np.random.default_rng(seed)
    twice = np.zeros(n * (n - 1) // 2, dtype=np.int64)
    ends = np.cumsum(np.arange(n - 1, -1, -1))  # of the pairs of each first system
    step = max(1, _MOST_AT_ONCE // n)
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        counts = rng.multinomial(n_topics, np.full(total, 1 / total), size)
        means = np.ascontiguousarray(snap(exact_sums(counts, values.T) / n_topics).T)
        for i in range(n - 1):
            own, others = means[i], means[i + 1 :]
            below = (own < others).view(np.int8) + (own <= others).view(np.int8)
            twice[ends[i] - len(others) : ends[i]] += below.sum(axis=1, dtype=np.int32)
    return twice / (2 * n_resamples)


def _without(shared: Any, piece: tuple[int, int], threads: int) -> dict[str, Any]:
    """Do a piece: without each of some topics, coefficients x numbers of topics x these topics."""
    del threads
    values, means, moments, weights, whole, n_topics = shared
    n, total = values.shape
    own = np.ascontiguousarray(values[:, slice(*piece)])
    n_own = own.shape[1]
    rest = (means[:, None] * total - own) / (total - 1)  # means without each topic
    place = np.argsort(np.argsort(-rest, axis=0, kind="stable"), axis=0, kind="stable")
    per_unit = 500.0
    below = t_below(-np.arange(12 * per_unit + 1) / per_unit, total - 2)
    slope = np.append(np.diff(below), 0.0)
    column = n * np.arange(n_own)
    above = np.zeros((len(n_topics), n * n_own))
    all_first, all_second = np.triu_indices(n, 1)
    for part in _parts(len(all_first), total):
        first, second = all_first[part], all_second[part]
        centre, squares, spreads = (each[part, None] for each in moments)
        off = own[first] - own[second] - centre
        with np.errstate(divide="ignore", invalid="ignore"):
            left = np.maximum(1 - off * off / squares * (total / (total - 1)), 0.0)
            spread = spreads * np.sqrt(left * ((total - 1) / (total - 2)))
            t = np.abs(rest[first] - rest[second]) / spread
        t[np.isnan(t)] = 0.0  # no difference at all
        lower = np.where(place[first] > place[second], first[:, None], second[:, None]) + column
        for k, number in enumerate(n_topics):
            scaled = np.minimum(t * (per_unit * math.sqrt(number)), 12 * per_unit)
            cell = scaled.astype(np.int64)
            reversed_ = below[cell] + (scaled - cell) * slope[cell]
            above[k] += np.bincount(lower.ravel(), reversed_.ravel(), n * n_own)
    sums = above.reshape(len(n_topics), n_own, n)
    at = np.ascontiguousarray(place.T)
    found = [1 - 2 * (sums * w[at]).sum(axis=2) / all_ for w, all_ in zip(weights, whole, strict=True)]
    return {"values": np.array(found)}


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
