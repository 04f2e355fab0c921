"""Systems ranked by their means over topics: the probability that a pair is in the wrong order."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from concordant.checks import generator, one_of, proportion, whole_number
from concordant.coefficients.declaration import REGISTRY, Coefficient, CoefficientLike
from concordant.coefficients.engine import Untied
from concordant.coefficients.text_form import coefficient as read_coefficient
from concordant.errors import ArgumentError, option, public
from concordant.reading.from_memory import ScoresLike, scores_of
from concordant.results.note import Note
from concordant.results.words import count
from concordant.scores.means import exact_sums, snap
from concordant.statistics.confidence import ConfidenceInterval, normal, t_below, t_quantile
from concordant.statistics.permutation import untied_of
from concordant.statistics.scalars import Scalars
from concordant.study.pairing import Measured
from concordant.typing import Floats, Integers, RngLike
from concordant.work.pieces import in_pieces, piece_size

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
        executor: Executor | None = None,
    ) -> None:
        order = np.argsort(-means, kind="stable")
        self.order: Integers = order  # systems, best first
        self.means = means[order]
        self.values = np.ascontiguousarray(values[:, order].T)  # systems x topics
        self.method, self.n_resamples, self.executor = method, n_resamples, executor
        self._seed = int(rng.integers(2**63)) if method == "resampling" else 0
        self.n, self.n_topics = self.values.shape
        self.first, self.second = np.triu_indices(self.n, 1)
        self.mean: Floats = self.means[self.first] - self.means[self.second]  # of D, not negative
        group = np.cumsum(np.concatenate([[False], self.means[1:] != self.means[:-1]]))
        self._group: Integers = group  # of systems with the same mean
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
        """Get ready to tell the expected coefficient for these numbers of topics."""
        left = [number for number in n_topics if number not in self._above]
        if self.method != "resampling":
            self._above |= {number: _sums_above(self._group, self.reversals(number)) for number in left}
        elif left:
            parts = in_pieces(_of_resamples, self._resamples, left, executor=self.executor)
            self._above |= {number: part["above"] for number, part in zip(left, parts, strict=True)}

    def expected(self, untied: Untied, n_topics: int) -> float:
        """Return the expected coefficient, 1 - 2 sum(w P) / sum(w) over pairs."""
        self.expect([n_topics])
        return self._weighted(untied, self._above[n_topics])

    def _weighted(self, untied: Untied, above: Floats) -> float:
        """Return the same for some sums; the weight w of a pair is 1 / divisor(systems above the lower)."""
        place = np.arange(1, self.n)
        divisor = untied.divisor(place)
        return 1 - 2 * float((above[1:] / divisor).sum()) / float((place / divisor).sum())

    def limit(self, untied: Untied) -> float:
        """Return the expected coefficient for unlimited topics: below 1 if systems have the same mean."""
        return self._weighted(untied, _sums_above(self._group, np.where(self.mean == 0, 0.5, 0.0)))

    @property
    def _resamples(self) -> _Resamples:
        return _Resamples(self.values, self._group, self.n_resamples, self._seed)

    def without_each(self, untied: Sequence[Untied], n_topics: Sequence[int]) -> Floats:
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
        weights = np.array([1 / each.divisor(np.maximum(np.arange(self.n), 1)) for each in untied])
        whole = np.array([float((place / each.divisor(place)).sum()) for each in untied])
        moments = _Moments(centre, squares, self._spread)
        step = piece_size(total, total, self.executor)
        pieces = [(start, min(start + step, total)) for start in range(0, total, step)]
        parts = in_pieces(
            _without,
            _Jackknife(self.values, self.means, moments, weights, whole, list(n_topics)),
            pieces,
            executor=self.executor,
        )
        return np.concatenate([part["values"] for part in parts], axis=2)


class _Resamples(NamedTuple):
    values: Floats  # systems x topics, best first
    group: Integers  # of systems with the same mean
    n_resamples: int
    seed: int


class _Moments(NamedTuple):
    """Of the differences of each pair of systems."""

    centre: Floats
    squares: Floats
    spread: Floats


class _Jackknife(NamedTuple):
    values: Floats  # systems x topics, best first
    means: Floats
    moments: _Moments
    weights: Floats  # coefficients x places
    whole: Floats  # the sums of the weights of all pairs
    n_topics: list[int]


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
    return {"above": _sums_above(shared.group, _shares_reversed(shared, n_topics))}


def _shares_reversed(shared: _Resamples, n_topics: int) -> Floats:
    """Return the share of resamples of topics in which a pair is the other way round.

    A pair with equal means counts half.
    """
    n, total = shared.values.shape
    rng = np.random.default_rng(shared.seed)
    twice = np.zeros(n * (n - 1) // 2, dtype=np.int64)
    ends = np.cumsum(np.arange(n - 1, -1, -1))  # of the pairs of each first system
    step = max(1, _MOST_AT_ONCE // n)
    for start in range(0, shared.n_resamples, step):
        size = min(step, shared.n_resamples - start)
        counts = rng.multinomial(n_topics, np.full(total, 1 / total), size)
        means = np.ascontiguousarray(snap(exact_sums(counts, shared.values.T) / n_topics).T)
        for i in range(n - 1):
            own, others = means[i], means[i + 1 :]
            below = (own < others).view(np.int8) + (own <= others).view(np.int8)
            twice[ends[i] - len(others) : ends[i]] += below.sum(axis=1, dtype=np.int32)
    return twice / (2 * shared.n_resamples)


def _without(shared: _Jackknife, piece: tuple[int, int], threads: int) -> dict[str, Any]:
    """Do a piece: without each of some topics, coefficients x numbers of topics x these topics."""
    del threads
    n, total = shared.values.shape
    own = np.ascontiguousarray(shared.values[:, slice(*piece)])
    n_own = own.shape[1]
    rest = (shared.means[:, None] * total - own) / (total - 1)  # means without each topic
    place = np.argsort(np.argsort(-rest, axis=0, kind="stable"), axis=0, kind="stable")
    per_unit = 500.0
    below = t_below(-np.arange(12 * per_unit + 1) / per_unit, total - 2)
    slope = np.append(np.diff(below), 0.0)
    column = n * np.arange(n_own)
    above = np.zeros((len(shared.n_topics), n * n_own))
    all_first, all_second = np.triu_indices(n, 1)
    for part in _parts(len(all_first), total):
        first, second = all_first[part], all_second[part]
        centre, squares, spreads = (each[part, None] for each in shared.moments)
        off = own[first] - own[second] - centre
        with np.errstate(divide="ignore", invalid="ignore"):
            left = np.maximum(1 - off * off / squares * (total / (total - 1)), 0.0)
            spread = spreads * np.sqrt(left * ((total - 1) / (total - 2)))
            t = np.abs(rest[first] - rest[second]) / spread
        t[np.isnan(t)] = 0.0  # no difference at all
        lower = np.where(place[first] > place[second], first[:, None], second[:, None]) + column
        for k, number in enumerate(shared.n_topics):
            scaled = np.minimum(t * (per_unit * math.sqrt(number)), 12 * per_unit)
            cell = scaled.astype(np.int64)
            reversed_ = below[cell] + (scaled - cell) * slope[cell]
            above[k] += np.bincount(lower.ravel(), reversed_.ravel(), n * n_own)
    sums = above.reshape(len(shared.n_topics), n_own, n)
    at = np.ascontiguousarray(place.T)
    found = [
        1 - 2 * (sums * w[at]).sum(axis=2) / all_
        for w, all_ in zip(shared.weights, shared.whole, strict=True)
    ]
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


@dataclass(frozen=True, eq=False, repr=False)
class ExpectedResult(Scalars):
    """The expected correlation of a ranking of systems with the true ranking.

    Attributes
    ----------
    statistic : float
        The expected correlation.
    confidence_interval : ConfidenceInterval or None
        The confidence interval; None if there is none.
    standard_error : float
        The standard error.
    coefficient : Coefficient
        The coefficient.
    confidence_level : float or None
        The confidence level of the interval; None if there is none.
    method : str
        How the spread of the differences of two systems was estimated.
    measure : str
        The measure.
    n : int
        The number of topics of the sample.
    n_topics : int
        The number of topics of the ranking.
    n_systems : int
        The number of systems.
    seed : int or None
        The seed of the resampling; None if there was none.
    notes : tuple of Note
        Remarks, for instance on systems with the same mean.

    Examples
    --------
    >>> import concordant as cd
    >>> scores = [[0.3, 0.5, 0.1], [0.4, 0.6, 0.2], [0.2, 0.1, 0.3], [0.3, 0.4, 0.1]]
    >>> result = cd.expected(scores, "tau_b", n_topics=50)
    >>> result.n, result.n_topics, 0 < result.statistic < 1
    (4, 50, True)
    """

    statistic: float
    confidence_interval: ConfidenceInterval | None
    standard_error: float
    coefficient: Coefficient
    confidence_level: float | None
    method: str
    measure: str
    n: int
    n_topics: int
    n_systems: int
    seed: int | None
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        interval = (
            f", {self.confidence_level:.10g} confidence interval {self.confidence_interval}"
            if self.confidence_interval is not None
            else ""
        )
        seed = "" if self.seed is None else f", seed {self.seed}"
        source = "" if self.n == self.n_topics else f", from {count(self.n, 'topic')}"
        return (
            f"a ranking by {self.n_topics} such topics is expected to correlate {self.statistic:.4f} "
            f"({self.coefficient}) with the true one{interval} ({self.method}, {self.n_systems} systems"
            f"{source}{seed})" + "".join(f"; {note}" for note in self.notes)
        )


@public
def expected(
    scores: ScoresLike,
    coefficient: CoefficientLike,
    *,
    n_topics: int | None = None,
    measure: str | None = None,
    confidence_level: float | None = 0.95,
    n_resamples: int = 9999,
    method: Spread = "msqd",
    rng: RngLike = None,
) -> ExpectedResult:
    """Return the expected correlation of the ranking of systems by these topics with the true ranking.

    The true ranking is that by unlimited topics of the same kind. The result is the reliability of the
    ranking, not an upper limit for a judge. An estimate from other topics is not expected to agree better
    with this ranking than this ranking does with the true one. A judge on the same topics may agree better,
    because both rankings depend on the same sample of topics.

    Parameters
    ----------
    scores : Scores, or what `Scores.from_data` takes
        The scores of systems on topics. A missing score is an error; see `Scores.fill`.
    coefficient : str, Coefficient or callable
        Kendall's tau or AP correlation. The name of a form with ties means the same.
    n_topics : int, optional
        The number of topics of the ranking; by default that of the scores.
    measure : str, optional
        The measure. It need not be given if there is only one.
    confidence_level : float or None, default 0.95
        The confidence level of the interval; None means no interval.
    n_resamples : int, default 9999
        The number of resamples of the topics, for "resampling".
    method : {"msqd", "ml", "resampling"}
        How the spread of the differences of two systems is estimated. "msqd": from their quantiles, which has
        the least bias in [1]_. "ml": as their standard deviation. "resampling": not at all; topics are
        resampled instead.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        The seed or the generator of random numbers, for "resampling".

    Returns
    -------
    ExpectedResult
        ``statistic``, ``confidence_interval``, ``standard_error``, and how they were computed.

    Notes
    -----
    Let P be the probability that the true order of a pair of systems is the opposite one. The expected
    coefficient is 1 - 2 sum(w P) / sum(w) over the pairs; w is 1 for tau, and 1 / (systems above the lower
    one) for AP correlation. P = F(-m sqrt(T) / s), where F is the distribution function of Student's t, T the
    number of topics, and m and s the mean and the spread of the differences of the two systems on the topics.
    For "resampling", P is the share of resamples in which the pair is in the opposite order. Two systems with
    the same mean have P = 1/2.

    The interval is a jackknife over topics, symmetric on Fisher's scale; for "resampling" its width is that
    of "ml". The documentation shows its coverage in simulations.

    References
    ----------
    .. [1] Urbano and Marrero, "Toward estimating the rank correlation between the test collection results and
       the true system performance", SIGIR 2016.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> scores = np.random.default_rng(0).normal(np.linspace(0.6, 0.3, 12), 0.15, (50, 12))
    >>> cd.expected(scores, "tau", confidence_level=None)
    a ranking by 50 such topics is expected to correlate 0.9098 (tau) with the true one (msqd, 12 systems)
    >>> round(cd.expected(scores, "tau", n_topics=200).statistic, 4)
    0.9661
    """
    c = expected_kind(coefficient)
    if confidence_level is not None:
        proportion("confidence_level", confidence_level)
    if n_topics is not None:
        whole_number("n_topics", n_topics, 1)
    found = reliability_of(scores, measure, method, n_resamples, rng)
    asked = found.sample.n_topics if n_topics is None else int(n_topics)
    statistic = found.sample.expected(found.untied(c), asked)
    interval, error, notes = None, math.nan, found.notes
    if confidence_level is not None:
        error = float(found.standard_errors([c], [asked])[0, 0])
        interval = found.interval(statistic, error, confidence_level, asked)
        notes = (*notes, *found.why_none(interval))
    return ExpectedResult(
        statistic=statistic,
        confidence_interval=interval,
        standard_error=error,
        coefficient=c,
        confidence_level=confidence_level,
        method=method,
        measure=found.measure,
        n=found.sample.n_topics,
        n_topics=asked,
        n_systems=found.sample.n,
        seed=found.seed,
        notes=notes,
    )


def expected_of_side(side: Measured, coefficients: Sequence[Coefficient]) -> list[float]:
    """Return the expected correlation of a ranking by the topics of a side with the true ranking."""
    found = _reliability(side, "msqd", 2, np.random.default_rng(0), None)
    return [float(found.sample.expected(found.untied(c), found.sample.n_topics)) for c in coefficients]


def expected_kind(coefficient: CoefficientLike) -> Coefficient:
    """Read a coefficient whose expected value is known."""
    c = read_coefficient(coefficient)
    if untied_of(c) is None:
        known = ", ".join(repr(name) for name, each in REGISTRY.items() if untied_of(each) is not None)
        raise ArgumentError(f"{option('coefficient')} must be one of {known}, got {str(c)!r}")
    return c


@dataclass(frozen=True, eq=False)
class Reliability:
    """The scores of one measure, prepared to compute the reliability of their ranking."""

    sample: RankedSample
    measure: str
    systems: tuple[str, ...]  # best first
    seed: int | None
    notes: tuple[Note, ...]

    @staticmethod
    def untied(c: Coefficient) -> Untied:
        """Return what the coefficient is without ties."""
        found = untied_of(c)
        assert found is not None, c
        return found

    def standard_errors(self, coefficients: list[Coefficient], n_topics: list[int]) -> Floats:
        """Return the standard errors by the jackknife: coefficients x numbers of topics."""
        total = self.sample.n_topics
        if total < 3:
            return np.full((len(coefficients), len(n_topics)), math.nan)
        without = self.sample.without_each([self.untied(c) for c in coefficients], n_topics)
        off = without - without.mean(axis=2, keepdims=True)
        found: Floats = np.sqrt((off * off).sum(axis=2) * ((total - 1) / total))
        return found

    def interval(
        self, value: float, error: float, confidence_level: float, n_topics: int
    ) -> ConfidenceInterval:
        """Return the interval: symmetric on Fisher's scale, and from 0 up, because P is at most 1/2.

        For more topics than there are, the value is so close to 1 that the lower end on Fisher's scale would
        be far too low; there it is value - t error. The interval is nan if no topic makes a difference, and
        for two or three systems, where it would be too narrow.
        """
        if not error > 0 or not -1 < value < 1 or self.sample.n < 4:
            return ConfidenceInterval(math.nan, math.nan)
        t = t_quantile((1 + confidence_level) / 2, self.sample.n_topics - 1)
        reach, middle = t * error / (1 - value * value), math.atanh(value)
        low = value - t * error if n_topics > self.sample.n_topics else math.tanh(middle - reach)
        return ConfidenceInterval(max(low, 0.0), math.tanh(middle + reach))

    def why_none(self, interval: ConfidenceInterval) -> list[Note]:
        """Say why there is no interval, or that it may be too narrow."""
        topics = self.sample.n_topics
        if math.isnan(interval.low):
            return [Note("no_jackknife_interval", values={"topics": topics, "systems": self.sample.n})]
        return [Note("few_topics_expected", values={"topics": topics})] if topics < 10 else []

    def alike(self) -> list[tuple[str, str]]:
        """Return the pairs of systems with the same mean."""
        where = np.flatnonzero(self.sample.mean == 0)
        first, second = self.sample.first[where].tolist(), self.sample.second[where].tolist()
        return [(self.systems[i], self.systems[j]) for i, j in zip(first, second, strict=True)]


def reliability_of(
    scores: ScoresLike,
    measure: str | None,
    method: Any,
    n_resamples: int,
    rng: RngLike,
    executor: Executor | None = None,
) -> Reliability:
    """Check and rank the scores of a measure."""
    one_of("method", method, get_args(Spread))
    number = whole_number("n_resamples", n_resamples, 2)
    source, seed = generator(rng)
    own = scores_of(scores)
    side = Measured(own, own.one_measure(measure)[0])
    return _reliability(side, method, number, source, seed, executor)


def _reliability(
    side: Measured,
    method: Any,
    number: int,
    source: np.random.Generator,
    seed: int | None,
    executor: Executor | None = None,
) -> Reliability:
    own = side.scores
    means = np.array(list(side.mean.values()))  # missing scores are an error
    if len(side.topics) < 2:
        raise ArgumentError(
            f"the reliability of a ranking needs the scores of two topics or more, got {len(side.topics)}"
        )
    if len(means) < 2:
        raise ArgumentError(f"a ranking needs two systems or more, got {len(means)}")
    sample = RankedSample(side.values, means, method, number, source, executor)
    systems = tuple(own.systems[k] for k in sample.order.tolist())
    notes = list(own.notes)
    found = Reliability(sample, side.measure, systems, seed if method == "resampling" else None, tuple(notes))
    alike = found.alike()
    if alike:
        notes.append(Note("same_means", values={"pairs": tuple(alike)}))
    return Reliability(sample, side.measure, systems, found.seed, tuple(notes))
