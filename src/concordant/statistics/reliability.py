"""For plans: the expected correlation with the true ranking as published, and a few topics in place of all.

The former (Urbano and Marrero 2016) is too high for close systems; `topic_luck` has what is used by default.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from concordant.checks import one_of
from concordant.coefficients.declaration import REGISTRY, Coefficient
from concordant.coefficients.engine import Untied
from concordant.errors import ArgumentError, option
from concordant.scores.means import exact_means, snap
from concordant.statistics.distributions import normal, t_below
from concordant.statistics.permutation import untied_of
from concordant.statistics.resampling import of_rows
from concordant.study.pairing import Measured, too_many_pairs
from concordant.typing import Executor, Floats, Integers
from concordant.work import in_pieces

Spread: TypeAlias = Literal["msqd", "ml", "resampling"]
"""How the probability of the other order is estimated."""

_MOST_AT_ONCE = 1 << 20  # differences of scores


def means_of(side: Measured) -> Floats:
    """Return the means of a side that can be reliable: two topics or more, two systems or more, no gaps."""
    means = np.array(list(side.mean.values()))  # missing scores are an error
    if len(side.topics) < 2:
        raise ArgumentError(
            f"the reliability of a ranking needs the scores of two topics or more, got {len(side.topics)}"
        )
    if len(means) < 2:
        raise ArgumentError(f"a ranking needs two systems or more, got {len(means)}")
    if why := too_many_pairs(len(means)):
        raise ArgumentError(why)
    return means


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
        means = means_of(side)
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
        return self._weighted(c, _sums_above(self._group, np.zeros(len(self.mean))))

    def _weighted(self, c: Coefficient, above: Floats) -> float:
        """Return the coefficient; the weight w of a pair is 1 / divisor(systems above the lower one)."""
        place = np.arange(1, self.n)
        divisor = _untied(c).divisor(place)
        return 1 - 2 * float((above[1:] / divisor).sum()) / float((place / divisor).sum())

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
        means = np.ascontiguousarray(exact_means(counts, values.T).T)
        for i in range(n - 1):
            own, others = means[i], means[i + 1 :]
            below = (own < others).view(np.int8) + (own <= others).view(np.int8)
            twice[ends[i] - len(others) : ends[i]] += below.sum(axis=1, dtype=np.int32)
    return twice / (2 * n_resamples)


def _standard_deviations(differences: Floats) -> Floats:
    """Return the standard deviations of rows, unbiased for normal scores."""
    topics = differences.shape[1]
    log_ratio = math.lgamma((topics - 1) / 2) - math.lgamma(topics / 2)
    scale = math.sqrt((topics - 1) / 2) * math.exp(log_ratio)
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


LEAST_SYSTEMS = 8  # two parts of four
_LEAST_HELD_OUT, _MOST_PARTS, _RANDOM = 4, 5, 40


class Step(NamedTuple):
    """A set of topics that grew by one."""

    topic: int
    in_sample: float  # agreement with the rest, of the systems by which the topics were chosen
    held_out: float  # the same of other systems, the mean over parts
    random: float  # of random sets of as many topics, of the same other systems


def growing_subset(scores: Floats, c: Coefficient, rng: np.random.Generator) -> Iterator[Step]:
    """Yield sets of one topic, of two, and so on up to half of them, each with its agreement with the rest.

    The next topic is the one with which the means over the set agree best with those over all topics that are
    not in it. The systems are put into parts at random; each part is held out in turn, the topics are chosen
    again by the others, and the agreement is that of the systems that are held out.
    """
    n, k = scores.shape
    parts = max(2, min(_MOST_PARTS, k // _LEAST_HELD_OUT))
    part = rng.permutation(np.arange(k) % parts)
    whole, chosen = list[int](), [list[int]() for _ in range(parts)]
    for size in range(1, n // 2 + 1):
        in_sample = _add_best(scores, whole, c)
        held_out, random = np.empty(parts), np.empty(parts)
        for p, own in enumerate(chosen):
            _add_best(scores[:, part != p], own, c)
            others = scores[:, part == p]
            held_out[p] = _with_rest(others, others[own].sum(axis=0, keepdims=True), size, c)[0]
            drawn = np.array([rng.permutation(n)[:size] for _ in range(_RANDOM)])
            random[p] = _mean(_with_rest(others, others[drawn].sum(axis=1), size, c))
        yield Step(whole[-1], in_sample, _mean(held_out), _mean(random))


def _add_best(scores: Floats, chosen: list[int], c: Coefficient) -> float:
    """Add the topic with which a set agrees best with the rest; return that agreement."""
    left = np.setdiff1d(np.arange(len(scores)), chosen)
    sums = scores[chosen].sum(axis=0) + scores[left] if chosen else scores[left]
    values = _with_rest(scores, sums, len(chosen) + 1, c)
    best = int(np.argmax(np.where(np.isnan(values), -np.inf, values)))
    chosen.append(int(left[best]))
    return float(values[best])


def _with_rest(scores: Floats, sums: Floats, size: int, c: Coefficient) -> Floats:
    """Return the coefficient of the means over sets of topics, given their sums, and over all others."""
    rest = snap((scores.sum(axis=0) - sums) / (len(scores) - size))
    return np.asarray(of_rows([c], rest, snap(sums / size), 1)[0])


def _mean(values: Floats) -> float:
    """Return the mean; an undefined value, of a set that ties all systems, is no agreement."""
    return float(np.where(np.isnan(values), 0.0, values).mean())
