"""Resampling topics: means taken anew, coefficients in one batch, and intervals and p-values from them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from concordant._engine import SAME, Outcome, TiesError
from concordant._inputs import Floats, Integers, Progress, one_of, read_pairs, share, whole_number
from concordant._registry import Coefficient, evaluate
from concordant.scores import Scores, exact_sums, snap

Method: TypeAlias = Literal["simex", "percentile", "basic", "bca"]
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
Measured: TypeAlias = tuple[Scores, str | None]  # scores and which measure of them

METHODS = ("simex", "percentile", "basic", "bca")
ALTERNATIVES = ("two-sided", "greater", "less")
MOST_AT_ONCE = 1 << 20  # scores in a batch
NORMAL = NormalDist()


class ConfidenceInterval(NamedTuple):
    """Both ends of an interval."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"[{self.low:.4f}, {self.high:.4f}]"


@dataclass(frozen=True)
class Resampling:
    """How intervals are made."""

    n_resamples: int
    confidence_level: float
    method: str

    @classmethod
    def of(cls, who: str, n_resamples: int, confidence_level: float, method: str) -> Resampling:
        """Check the options."""
        one_of(who, "method", method, METHODS)
        return cls(
            whole_number(who, "n_resamples", n_resamples, 2),
            share(who, "confidence_level", confidence_level),
            method,
        )


class TopicSample:
    """The truth and estimates of it, over one list of topics of which each side may have some only."""

    def __init__(
        self, who: str, coefficients: Sequence[Coefficient], sides: Sequence[Measured], threads: int
    ) -> None:
        self.who, self.coefficients, self.threads = who, coefficients, threads
        topics = list(dict.fromkeys(topic for scores, _ in sides for topic in scores.topics))
        place = {topic: t for t, topic in enumerate(topics)}
        self.n = len(topics)
        self.fewest = min(len(scores.topics) for scores, _ in sides)
        if self.fewest < 2:
            raise ValueError(
                f"{who}: each side needs two topics at least, got {self.fewest}; for an interval over items see jackknife_interval"
            )
        self.systems = sides[0][0].systems
        self.tables = [
            (scores.one_measure(measure)[1], np.array([place[topic] for topic in scores.topics]))
            for scores, measure in sides
        ]

    @property
    def rows_at_once(self) -> int:
        """How many resamples fit in a batch."""
        return max(1, MOST_AT_ONCE // (max(self.n, len(self.systems)) * len(self.tables)))

    def notes(self, how: Resampling) -> list[str]:
        """Say what intervals are worth, as far as that is little."""
        found = []
        if self.fewest < 20:
            found.append(
                f"of {self.fewest} topics intervals are too narrow, the more so the more systems there are"
            )
        if not set.intersection(*(set(own.tolist()) for _, own in self.tables)):
            found.append("the sides have no topic in common, and were resampled as such, not in pairs")
        if how.n_resamples < 500:
            found.append(f"of {how.n_resamples} resamples the ends of intervals are uncertain")
        return found

    def against(self, truth: Floats, estimate: Floats, refuse: bool = False) -> list[Outcome]:
        """Return the coefficients of rows of means."""
        pairs = read_pairs(self.who, truth, estimate)
        return evaluate(self.who, self.coefficients, pairs, "propagate", self.threads, refuse)

    def _outcomes(self, counts: Integers, refuse: bool = False) -> list[Outcome]:
        means = []
        for values, own in self.tables:
            part = counts[:, own]
            with np.errstate(invalid="ignore"):  # none of the topics of a side
                means.append(snap(exact_sums(part, values) / part.sum(axis=1, keepdims=True)))
        return [outcome for estimate in means[1:] for outcome in self.against(means[0], estimate, refuse)]

    def values(self, counts: Integers) -> Floats:
        """Return all coefficients of the first estimate, of the second, ..., for each row of how often a topic counts."""
        return np.array([outcome.values for outcome in self._outcomes(counts)])

    @functools.cached_property
    def observed(self) -> list[Outcome]:
        """The same for the topics as they are; ties given to a coefficient that refuses them are an error."""
        outcomes = self._outcomes(np.ones((1, self.n), dtype=np.int64), refuse=True)
        for outcome in outcomes:
            if outcome.refusal:
                raise TiesError(outcome.refusal)
        return outcomes

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


Statistic: TypeAlias = Callable[[Floats], Floats]  # of the values of a sample, row by row


# Let L(v) be what noise of variance v takes off a statistic: v = 1 in what was observed, 2 in the resamples, 3 in resamples of
# these. L(3) - L(2) is known. If L grows as v, then L(2) is 2 such steps and L(2) - L(1) is 1; if it grows as v^0.7, which is
# steeper at first, 3 and 1.2. One end of an interval is for the one, the other for the other.
UNLIMITED = (2.0, 3.0)  # steps back to unlimited topics
AS_MANY = (1.0, 1.2)  # to as many topics as there are


class Resampled(NamedTuple):
    """Statistics, a row each: as observed, in resamples, and what intervals need beside."""

    n: int  # topics
    observed: Floats
    distribution: Floats  # statistics x resamples
    step: Floats  # how much the mean falls from resamples to resamples of resamples
    without: Floats | None = None  # statistics x topics: without each of them

    def interval(
        self, k: int, how: Resampling, bounds: tuple[float, float], steps: tuple[float, float] = UNLIMITED
    ) -> ConfidenceInterval:  # fmt: skip
        """Return the interval of statistic k; by simex, for so many topics as the steps say."""
        observed, values = float(self.observed[k]), self.defined(k)
        if math.isnan(observed) or len(values) < 2:
            return ConfidenceInterval(math.nan, math.nan)
        tails = [(1 - how.confidence_level) / 2, (1 + how.confidence_level) / 2]
        if how.method == "bca":
            if self.without is None:
                raise ValueError("bca needs the statistics without each topic")
            corrected = _bca_tails(observed, values, self.without[k], tails)
            if corrected is None:
                return ConfidenceInterval(math.nan, math.nan)
            tails = corrected
        elif how.method == "simex":
            tails = [_expanded(tail, self.n) for tail in tails]
        low, high = np.quantile(values, tails).tolist()
        if how.method == "basic":
            low, high = 2 * observed - high, 2 * observed - low
        elif how.method == "simex":
            # An interval that does not hold what was observed would be hard to explain; widening it is on the safe side.
            back = [float(self.step[k]) * number for number in steps]
            low, high = min(low + min(back), observed), max(high + max(back), observed)
        return ConfidenceInterval(max(low, bounds[0]), min(high, bounds[1]))

    def why_no_interval(self, k: int, how: Resampling) -> list[str]:
        """Say why statistic k has a value and no interval; nothing if it has both, or neither."""
        if math.isnan(self.observed[k]) or not math.isnan(self.interval(k, how, (-math.inf, math.inf)).low):
            return []
        if len(self.defined(k)) < 2:
            return ["there is no interval, because fewer than two resamples have a value"]
        return [
            "there is no interval by bca, because all resamples are on one side of the statistic; use another method"
        ]

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


def resample(
    sample: TopicSample, statistic: Statistic, how: Resampling, rng: np.random.Generator, progress: Progress | None = None
) -> Resampled:  # fmt: skip
    """Draw topics with replacement."""
    observed = statistic(np.array([outcome.values for outcome in sample.observed]))[:, 0]
    n, total = sample.n, how.n_resamples
    distribution = np.empty((len(observed), total))
    # The step is a difference of means, for which fewer resamples will do.
    n_again = -(-total // 4) if how.method == "simex" else 0
    change, changed = np.zeros(len(observed)), np.zeros(len(observed))
    for start in range(0, total, sample.rows_at_once):
        stop = min(start + sample.rows_at_once, total)
        drawn = rng.integers(0, n, (stop - start, n))
        distribution[:, start:stop] = statistic(sample.values(topic_counts(drawn, n)))
        if start < n_again:
            part = drawn[: n_again - start]
            again = np.take_along_axis(part, rng.integers(0, n, part.shape), axis=1)
            fall = distribution[:, start : start + len(part)] - statistic(
                sample.values(topic_counts(again, n))
            )
            change += np.nansum(fall, axis=1)
            changed += (~np.isnan(fall)).sum(axis=1)
        if progress is not None:
            progress(stop, total)
    without = statistic(sample.without_each()) if how.method == "bca" else None
    return Resampled(n, observed, distribution, change / np.maximum(changed, 1), without)


def topic_counts(drawn: Integers, n: int) -> Integers:
    """Return how often each of n topics is in each row."""
    flat = drawn + n * np.arange(len(drawn))[:, None]
    return np.bincount(flat.ravel(), minlength=n * len(drawn)).reshape(len(drawn), n)


def interval_of_mean(values: Floats, how: Resampling, rng: np.random.Generator) -> tuple[float, float]:
    """Return the percentile interval of the mean of values of topics."""
    n = len(values)
    means = []
    step = max(1, MOST_AT_ONCE // n)
    for start in range(0, how.n_resamples, step):
        drawn = rng.integers(0, n, (min(step, how.n_resamples - start), n))
        means.append(exact_sums(topic_counts(drawn, n), values[:, None])[:, 0] / n)
    tails = [(1 - how.confidence_level) / 2, (1 + how.confidence_level) / 2]
    low, high = np.quantile(np.concatenate(means), tails).tolist()
    return low, high


def _expanded(tail: float, n: int) -> float:
    """Hesterberg's correction: resamples of n topics vary too little by (n - 1) / n, and t is wider than the normal."""
    return NORMAL.cdf(math.sqrt(n / (n - 1)) * t_quantile(tail, n - 1))


def _bca_tails(observed: float, values: Floats, without: Floats, tails: list[float]) -> list[float] | None:
    """Efron's correction of the two probabilities for bias and for a spread that depends on the value.

    None if all resamples are on one side of what was observed: there is no finite correction.
    """
    below = float((values < observed).mean() + (values <= observed).mean()) / 2
    if not 0 < below < 1:
        return None
    bias = NORMAL.inv_cdf(below)
    defined = without[~np.isnan(without)]
    pull = defined.mean() - defined if len(defined) else defined
    spread = float((pull**2).sum()) ** 1.5
    acceleration = float((pull**3).sum()) / (6 * spread) if spread else 0.0
    shifted = [bias + NORMAL.inv_cdf(tail) for tail in tails]
    return [NORMAL.cdf(bias + z / (1 - acceleration * z)) for z in shifted]


def t_quantile(probability: float, freedom: int) -> float:
    """Return the quantile of Student's t."""
    if probability < 0.5:
        return -t_quantile(1 - probability, freedom)
    if (
        freedom > 40
    ):  # the expansion around the normal (Abramowitz and Stegun 26.7.5) has all digits that matter
        z = NORMAL.inv_cdf(probability)
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


def exchanges(n: int, n_resamples: int) -> tuple[int, bool]:
    """Return how many ways to exchange on n topics are tried, and whether these are all."""
    exact = n < 60 and 2**n <= n_resamples
    return (2**n, True) if exact else (n_resamples, False)


def exchanged(
    n: int, n_resamples: int, rng: np.random.Generator, step: int
) -> Iterator[tuple[slice, Integers]]:
    """Yield rows of zeros and ones, one where two sides are exchanged on a topic: all there are, or random ones."""
    total, exact = exchanges(n, n_resamples)
    for start in range(0, total, step):
        stop = min(start + step, total)
        if exact:
            yield slice(start, stop), np.arange(start, stop)[:, None] >> np.arange(n) & 1
        else:
            yield slice(start, stop), rng.integers(0, 2, (stop - start, n))


def pvalue_of(observed: float, null: Floats, alternative: str, exact: bool) -> float:
    """Return the share of a null distribution that is as extreme; of random draws the observed is one more."""
    defined = null[~np.isnan(null)]
    if math.isnan(observed) or len(defined) == 0:
        return math.nan
    more = 0 if exact else 1
    same = SAME * max(abs(observed), float(np.abs(defined).max()))
    greater = (int((defined >= observed - same).sum()) + more) / (len(defined) + more)
    less = (int((defined <= observed + same).sum()) + more) / (len(defined) + more)
    return {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}[alternative]
