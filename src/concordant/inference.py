"""How sure: intervals, tests, and the comparison of two judges."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

import concordant.coefficients  # noqa: F401 - files them in the registry
from concordant._engine import Outcome
from concordant._inputs import (
    Floats,
    Progress,
    as_floats,
    n_workers,
    one_of,
    read_one_pair,
    read_pairs,
    seeded,
    whole_number,
)
from concordant._registry import Coefficient, evaluate, get
from concordant.alignment import align
from concordant.many import without_groups
from concordant.scores import Scores, exact_sums, ranking_of, snap

__all__ = [
    "BootstrapResult",
    "ConfidenceInterval",
    "DifferenceResult",
    "JackknifeResult",
    "PermutationTestResult",
    "adjust_pvalues",
    "bootstrap",
    "difference",
    "jackknife_interval",
    "permutation_test",
]

Method = Literal["simex", "percentile", "basic", "bca"]
Alternative = Literal["two-sided", "greater", "less"]
Correction = Literal["holm", "bh"]

METHODS = ("simex", "percentile", "basic", "bca")
_ALTERNATIVES = ("two-sided", "greater", "less")
_MOST_AT_ONCE = 1 << 20  # scores in a batch
_EQUAL = 1e-12  # values of a coefficient that differ by less are the same value
_NORMAL = NormalDist()


class ConfidenceInterval(NamedTuple):
    """Both ends of an interval."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"[{self.low:.4f}, {self.high:.4f}]"


def _seed_text(seed: int | None) -> str:
    return "" if seed is None else f", seed {seed}"


def _undefined_text(undefined: int) -> str:
    return f", {undefined} of them undefined" if undefined else ""


@dataclass(frozen=True, eq=False, repr=False)
class BootstrapResult:
    """A coefficient with its interval over topics."""

    statistic: float
    confidence_interval: ConfidenceInterval
    standard_error: float
    bootstrap_distribution: Floats = field(compare=False)
    coefficient: Coefficient
    confidence_level: float
    method: str
    n: int  # topics
    n_resamples: int
    n_undefined: int  # resamples in which the coefficient has no value
    seed: int | None

    def __repr__(self) -> str:
        return (
            f"{self.coefficient} = {self.statistic:.4f}, {self.confidence_level:.4g} interval {self.confidence_interval} "
            f"({self.method}, {self.n_resamples} resamples of {self.n} topics{_undefined_text(self.n_undefined)}"
            f"{_seed_text(self.seed)})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class JackknifeResult:
    """A coefficient with its interval over items."""

    statistic: float
    confidence_interval: ConfidenceInterval
    standard_error: float
    coefficient: Coefficient
    confidence_level: float
    n: int  # items
    n_groups: int  # left out one after the other; as many as items unless there are very many of these
    n_undefined: int  # groups without which the coefficient has no value

    def __repr__(self) -> str:
        left_out = f"{self.n} items" + (f" in {self.n_groups} groups" if self.n_groups < self.n else "")
        return (
            f"{self.coefficient} = {self.statistic:.4f}, {self.confidence_level:.4g} interval {self.confidence_interval} "
            f"(jackknife of {left_out}{_undefined_text(self.n_undefined)})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class PermutationTestResult:
    """A coefficient with the p-value of the rankings being unrelated."""

    statistic: float
    pvalue: float
    null_distribution: Floats = field(compare=False)
    coefficient: Coefficient
    alternative: str
    n: int  # items
    n_resamples: int
    n_undefined: int  # orders in which the coefficient has no value
    exact: bool  # all orders were tried
    seed: int | None

    def __repr__(self) -> str:
        orders = f"all {self.n_resamples} orders" if self.exact else f"{self.n_resamples} random orders"
        return (
            f"{self.coefficient} = {self.statistic:.4f}, p = {self.pvalue:.4g} ({self.alternative}, {orders} of {self.n} "
            f"items{_undefined_text(self.n_undefined)}{'' if self.exact else _seed_text(self.seed)})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class DifferenceResult:
    """How much more one judge agrees with the truth than another."""

    statistic: float  # the agreement of a less that of b
    pvalue: float
    confidence_interval: ConfidenceInterval
    standard_error: float
    statistic_a: float
    statistic_b: float
    bootstrap_distribution: Floats = field(compare=False)
    null_distribution: Floats = field(compare=False)
    coefficient: Coefficient
    alternative: str
    confidence_level: float
    method: str
    n: int  # topics
    n_resamples: int
    n_undefined: int
    exact: bool  # the p-value is from all ways of swapping
    seed: int | None

    def __repr__(self) -> str:
        return (
            f"{self.coefficient}: {self.statistic_a:.4f} - {self.statistic_b:.4f} = {self.statistic:+.4f}, "
            f"{self.confidence_level:.4g} interval {self.confidence_interval}, p = {self.pvalue:.4g} ({self.alternative}, "
            f"{self.method}, {self.n_resamples} resamples of {self.n} topics{_undefined_text(self.n_undefined)}"
            f"{_seed_text(self.seed)})"
        )


# --- topics -----------------------------------------------------------------------------------------------------


class TopicSample:
    """The truth and estimates of it, over one list of topics of which each side may have some only."""

    def __init__(
        self,
        who: str,
        coefficients: Sequence[Coefficient],
        sides: Sequence[tuple[Scores, str | None]],
        threads: int,
    ) -> None:
        self.who, self.coefficients, self.threads = who, coefficients, threads
        topics = list(dict.fromkeys(topic for scores, _ in sides for topic in scores.topics))
        place = {topic: t for t, topic in enumerate(topics)}
        self.n = len(topics)
        if self.n < 2:
            raise ValueError(
                f"{who}: there is one topic only, so that nothing is known about others; for an interval over items see "
                "jackknife_interval"
            )
        self.systems = sides[0][0].systems
        self.tables = [
            (scores.one_measure(measure)[1], np.array([place[topic] for topic in scores.topics]))
            for scores, measure in sides
        ]

    def outcomes(self, weights: NDArray[np.int64], refuse: bool = False) -> list[list[Outcome]]:
        """Return the coefficients of each estimate, one value per row of weights; a weight is how often a topic counts."""
        means = []
        for values, own in self.tables:
            part = weights[:, own]
            with np.errstate(invalid="ignore"):  # none of the topics of a side
                means.append(snap(exact_sums(part, values) / part.sum(axis=1, keepdims=True)))
        return [self.against(means[0], estimate, refuse) for estimate in means[1:]]

    def against(self, truth: Floats, estimate: Floats, refuse: bool = False) -> list[Outcome]:
        """Return the coefficients of rows of means."""
        pairs = read_pairs(self.who, truth, estimate)
        return evaluate(self.who, self.coefficients, pairs, "propagate", self.threads, refuse)

    def values(self, weights: NDArray[np.int64]) -> Floats:
        """Return the same as numbers: estimate x coefficient, row of weights."""
        return np.array([outcome.values for estimate in self.outcomes(weights) for outcome in estimate])

    def observed(self) -> Floats:
        """Return the same for the topics as they are; ties given to a coefficient that refuses them are an error."""
        found = self.outcomes(np.ones((1, self.n), dtype=np.int64), refuse=True)
        for c, outcome in [
            (c, o) for estimate in found for c, o in zip(self.coefficients, estimate, strict=True)
        ]:
            outcome.report(str(c))
        return np.array([outcome.values[0] for estimate in found for outcome in estimate])


class Resampled(NamedTuple):
    """Statistics, a row each: as observed, in resamples, without each topic, and how far resampling moves them."""

    n: int  # topics
    observed: Floats
    distribution: Floats  # statistics x resamples
    shift: Floats | None  # of the mean, from resamples to resamples of resamples
    without: Floats | None  # statistics x topics

    def interval(self, k: int, method: str, level: float, bounds: tuple[float, float]) -> ConfidenceInterval:
        """Return the interval of statistic k."""
        low, high = _interval(self, k, method, level)
        return ConfidenceInterval(max(low, bounds[0]), min(high, bounds[1]))

    def standard_error(self, k: int) -> float:
        """Return the standard deviation of statistic k over the resamples."""
        defined = self.defined(k)
        return float(defined.std(ddof=1)) if len(defined) > 1 else math.nan

    def defined(self, k: int) -> Floats:
        """Return the resamples in which statistic k has a value."""
        row: Floats = self.distribution[k]
        return row[~np.isnan(row)]


def resample(
    sample: TopicSample,
    of: Callable[[Floats], Floats],
    n_resamples: int,
    method: str,
    rng: np.random.Generator,
    progress: Progress | None,
) -> Resampled:
    """Draw topics with replacement; `of` makes the statistics of the coefficients (see TopicSample.values)."""
    observed = of(sample.observed()[:, None])[:, 0]
    distribution = np.empty((len(observed), n_resamples))
    n = sample.n
    step = max(1, _MOST_AT_ONCE // (max(n, len(sample.systems)) * len(sample.tables)))
    # The shift is a difference of means, for which fewer resamples will do.
    n_again = -(-n_resamples // 4) if method == "simex" else 0
    shift = np.zeros(len(observed))
    shifted = np.zeros(len(observed))
    for start in range(0, n_resamples, step):
        stop = min(start + step, n_resamples)
        drawn = rng.integers(0, n, (stop - start, n))
        distribution[:, start:stop] = of(sample.values(times(drawn, n)))
        if start < n_again:
            part = drawn[: n_again - start]
            again = np.take_along_axis(part, rng.integers(0, n, part.shape), axis=1)
            change = distribution[:, start : start + len(part)] - of(sample.values(times(again, n)))
            shift += np.nansum(change, axis=1)
            shifted += (~np.isnan(change)).sum(axis=1)
        if progress is not None:
            progress(stop, n_resamples)
    without = None
    if method == "bca":
        without = of(sample.values(np.ones((n, n), dtype=np.int64) - np.eye(n, dtype=np.int64)))
    return Resampled(n, observed, distribution, shift / np.maximum(shifted, 1), without)


def times(drawn: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return how often each of n topics is in each row."""
    flat = drawn + n * np.arange(len(drawn))[:, None]
    return np.bincount(flat.ravel(), minlength=n * len(drawn)).reshape(len(drawn), n)


def _interval(found: Resampled, k: int, method: str, level: float) -> tuple[float, float]:
    observed, values = float(found.observed[k]), found.defined(k)
    if math.isnan(observed) or len(values) < 2:
        return math.nan, math.nan
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    if method == "bca" and not values.min() < observed < values.max() and values.min() < values.max():
        return math.nan, math.nan  # no finite correction of the bias
    if method == "bca":
        tails = _bca_tails(observed, values, found.without[k], tails)  # type: ignore[index]
    if method == "simex":
        tails = _expanded_tails(tails, found.n)
    low, high = np.quantile(values, tails).tolist()
    if method == "basic":
        low, high = 2 * observed - high, 2 * observed - low
    elif method == "simex":
        # The noise of the means moves the statistic from its value for unlimited topics to the one observed, then to the
        # resamples, then to resamples of these: a step less each time. A straight line goes two of the last steps back; the
        # curve is steeper than that, the more systems are close: three steps if the loss grows as noise variance^0.7. One end
        # is for the line, the other for the curve. An interval that does not hold what was observed would be hard to explain;
        # widening it is on the safe side.
        step = float(found.shift[k])  # type: ignore[index]
        low = min(low + 2 * step, low + 3 * step, observed)
        high = max(high + 2 * step, high + 3 * step, observed)
    return low, high


def _expanded_tails(tails: Floats, n: int) -> Floats:
    """Hesterberg's correction: resamples of n topics vary too little by (n - 1) / n, and t is wider than the normal."""
    factor = math.sqrt(n / (n - 1))
    return np.array(
        [
            _NORMAL.cdf(math.copysign(factor * _t_quantile(max(p, 1 - p), n - 1), p - 0.5))
            for p in tails.tolist()
        ]
    )


def _bca_tails(observed: float, values: Floats, without: Floats, tails: Floats) -> Floats:
    """Efron's correction of the two probabilities for bias and for a spread that depends on the value."""
    below = ((values < observed).mean() + (values <= observed).mean()) / 2
    bias = _NORMAL.inv_cdf(float(below))
    pull = np.nanmean(without) - without[~np.isnan(without)]
    spread = float((pull**2).sum()) ** 1.5
    acceleration = float((pull**3).sum()) / (6 * spread) if spread else 0.0
    corrected = []
    for tail in tails:
        z = bias + _NORMAL.inv_cdf(tail)
        corrected.append(_NORMAL.cdf(bias + z / (1 - acceleration * z)))
    return np.array(corrected)


def check_interval(who: str, n_resamples: Any, confidence_level: Any, method: str) -> None:
    """Refuse wrong options."""
    whole_number(who, "n_resamples", n_resamples, 2)
    one_of(who, "method", method, METHODS)
    if isinstance(confidence_level, bool) or not 0 < confidence_level < 1:
        raise ValueError(f"{who}: confidence_level must be between 0 and 1, got {confidence_level!r}")


def one_coefficient(who: str, coefficient: Any, scores_only: bool = True) -> Coefficient:
    """Read a coefficient."""
    c = get(coefficient)
    if scores_only and c.inputs != "scores":
        raise ValueError(f"{who}: {c.name} compares graded lists, not scores of systems; see concordant list")
    return c


def _measures(measure: str | tuple[str, str] | None) -> tuple[str | None, str | None]:
    return (measure, measure) if measure is None or isinstance(measure, str) else measure


def bootstrap(
    truth: Any,
    estimate: Any,
    coefficient: str | Coefficient | Callable[..., Any],
    *,
    over: Literal["topics"] = "topics",
    n_resamples: int = 9999,
    confidence_level: float = 0.95,
    method: Method = "simex",
    measure: str | tuple[str, str] | None = None,
    on_missing: str | None = None,
    rng: Any = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> BootstrapResult:
    """Return a coefficient of mean scores with an interval: what it might have been with other topics.

    Topics are drawn with replacement, the same on both sides; the systems' means are taken anew, and the coefficient of each
    pair of rankings.

    Parameters
    ----------
    truth, estimate : Scores, or what `Scores.of` takes
    coefficient : str, Coefficient or callable
    over : {"topics"}
        What is resampled. Systems drawn with replacement would be tied with themselves; for an interval over items see
        `jackknife_interval`.
    n_resamples : int, default 9999
    confidence_level : float, default 0.95
    method : {"simex", "percentile", "basic", "bca"}
        "percentile": quantiles of the resamples. "basic": the same mirrored at the statistic. "bca": Efron's correction for bias
        and acceleration. "simex": the percentiles, moved back by what the noise of the means takes off; see the notes.
    measure : str or (str, str), optional
        Of both, or of truth and estimate; the only one by default.
    on_missing : {"error", "drop", "zero"}, optional
        See `align`.
    rng : int, Generator or None
        Seed or source of randomness; by default a fresh seed, which the result tells.
    workers : int, default 1
        Threads; -1 for all cores. No bit of the result depends on it.
    progress : callable, optional
        Called as ``progress(done, of how many)``.

    Returns
    -------
    BootstrapResult
        ``statistic``, ``confidence_interval``, ``standard_error``, ``bootstrap_distribution``, and how they were made.

    Notes
    -----
    The interval is for the coefficient with unlimited topics of the same kind. Means over few topics are noisy, which breaks the
    order of systems that are close, so that the observed coefficient is too low on average; resamples have that noise twice
    and are lower again. Percentiles of them miss the true value far too often. "simex" [1]_ looks at what happens to the mean
    when the noise is added once more, by resampling resamples, and goes back two such steps with one end and three with the other,
    because the loss is steeper at first; its tails are expanded for few topics [2]_. The documentation has the coverage of all four
    in simulations. Topics that one side lacks stay so: its means are over the drawn topics that it has.

    References
    ----------
    .. [1] Cook and Stefanski, "Simulation-extrapolation estimation in parametric measurement error models", JASA 89, 1994.
    .. [2] Hesterberg, "What teachers should know about the bootstrap", The American Statistician 69, 2015.
    .. [3] Efron and Tibshirani, "An introduction to the bootstrap", 1993, chapters 13 and 14.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> truth = np.random.default_rng(0).normal(np.linspace(0.6, 0.3, 12), 0.1, (50, 12))
    >>> llm = truth + np.random.default_rng(1).normal(0, 0.2, (50, 12))
    >>> cd.bootstrap(truth, llm, "tau_b", n_resamples=999, rng=42)
    tau_b = 0.7879, 0.95 interval [0.6424, 0.9788] (simex, 999 resamples of 50 topics, seed 42)
    """
    who = "bootstrap"
    if over != "topics":
        raise ValueError(
            f"{who}: over must be 'topics', got {over!r}; items drawn with replacement would be tied with themselves, so use "
            "jackknife_interval for an interval over items"
        )
    check_interval(who, n_resamples, confidence_level, method)
    c = one_coefficient(who, coefficient)
    threads = n_workers(who, workers)
    aligned = align(truth, estimate, on_missing=on_missing)
    first, second = _measures(measure)
    sample = TopicSample(who, [c], [(aligned.truth, first), (aligned.estimates[0], second)], threads)
    generator, seed = seeded(rng)
    found = resample(sample, lambda values: values, n_resamples, method, generator, progress)
    return BootstrapResult(
        float(found.observed[0]),
        found.interval(0, method, confidence_level, c.bounds),
        found.standard_error(0),
        found.distribution[0],
        c,
        confidence_level,
        method,
        sample.n,
        n_resamples,
        n_resamples - len(found.defined(0)),
        seed,
    )


# --- items ------------------------------------------------------------------------------------------------------

_MOST_LEFT_OUT = 4_000_000  # items in all the rankings that lack one group
_FEWEST_GROUPS = 50


def jackknife_interval(
    x: Any,
    y: Any,
    coefficient: str | Coefficient | Callable[..., Any],
    *,
    confidence_level: float = 0.95,
    workers: int = 1,
    progress: Progress | None = None,
) -> JackknifeResult:
    """Return a coefficient with an interval: what it might have been with other items.

    Each item is left out in turn, which gives the standard error; the interval is symmetric on Fisher's scale, atanh c.

    Parameters
    ----------
    x, y : array_like, mapping, Series or Scores
        Reference and estimated scores, larger is better; of Scores, the means.
    coefficient : str, Coefficient or callable
    confidence_level : float, default 0.95
    workers : int, default 1
        Threads; -1 for all cores. No bit of the result depends on it.
    progress : callable, optional
        Called as ``progress(done, of how many)``.

    Returns
    -------
    JackknifeResult
        ``statistic``, ``confidence_interval``, ``standard_error``, and how they were made.

    See Also
    --------
    bootstrap : over topics, where there are topics.

    Notes
    -----
    Items are not drawn with replacement, because an item drawn twice is tied with itself: resamples of n items have about n / 2
    pairs that are tied in both rankings and in no data, which moves every coefficient that looks at ties.

    A coefficient with other bounds than -1 and 1 is brought to these for Fisher's scale; without bounds the interval is
    symmetric as it is. A coefficient of exactly 1 or -1 has an interval of no width. Of more than 2000 items, groups of
    items are left out instead.

    References
    ----------
    .. [1] Efron and Tibshirani, "An introduction to the bootstrap", 1993, chapter 11.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> x, noise = np.random.default_rng(0).normal(size=(2, 60))
    >>> cd.jackknife_interval(x, x + noise, "tau_b")
    tau_b = 0.4328, 0.95 interval [0.2874, 0.5586] (jackknife of 60 items)
    """
    who = "jackknife_interval"
    check_interval(who, 2, confidence_level, "percentile")
    c = one_coefficient(who, coefficient, scores_only=False)
    threads = n_workers(who, workers)
    pairs = read_one_pair(who, ranking_of(x), ranking_of(y))
    outcome = evaluate(who, [c], pairs, "raise", threads)[0]
    outcome.report(str(c))
    statistic, n = float(outcome.values[0]), len(pairs.x)
    n_groups = n if n * n <= _MOST_LEFT_OUT else max(_FEWEST_GROUPS, _MOST_LEFT_OUT // n)
    group = np.arange(n)
    if n_groups < n:
        # Random groups that do not depend on the order in which the items came.
        by_value = np.lexsort((pairs.y, pairs.x))
        group[by_value] = np.random.default_rng(0).permutation(n) % n_groups
    values = without_groups(who, c, pairs.x, pairs.y, group, n_groups, threads, progress)
    defined = values[~np.isnan(values)]
    error = math.nan
    if len(defined) > 1:
        error = math.sqrt((len(defined) - 1) * float(((defined - defined.mean()) ** 2).mean()))
    z = _t_quantile((1 + confidence_level) / 2, len(defined) - 1) if len(defined) > 1 else math.nan
    return JackknifeResult(
        statistic,
        _on_fishers_scale(statistic, z * error, c.bounds),
        error,
        c,
        confidence_level,
        n,
        n_groups,
        n_groups - len(defined),
    )


def _on_fishers_scale(value: float, half: float, bounds: tuple[float, float]) -> ConfidenceInterval:
    """Return value +- half, symmetric after atanh; half is carried over by the derivative there."""
    low, high = bounds
    if math.isinf(low) or math.isinf(high):
        return ConfidenceInterval(value - half, value + half)
    middle, radius = (low + high) / 2, (high - low) / 2
    inner = (value - middle) / radius
    if math.isnan(half) or math.isnan(inner):
        return ConfidenceInterval(math.nan, math.nan)
    if abs(inner) >= 1:
        return ConfidenceInterval(value, value)
    wide = half / radius / (1 - inner * inner)
    ends = (math.tanh(math.atanh(inner) + sign * wide) for sign in (-1, 1))
    return ConfidenceInterval(*(middle + radius * end for end in ends))


def _t_quantile(probability: float, freedom: int) -> float:
    """Return the quantile of Student's t by its expansion around the normal (Abramowitz and Stegun 26.7.5)."""
    z = _NORMAL.inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom**k for k, term in enumerate(terms, 1)))


def permutation_test(
    x: Any,
    y: Any,
    coefficient: str | Coefficient | Callable[..., Any],
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = 9999,
    rng: Any = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> PermutationTestResult:
    """Test whether two rankings are unrelated: how often would a random order of y agree as much.

    Parameters
    ----------
    x, y : array_like, mapping, Series or Scores
        Reference and estimated scores, larger is better; of Scores, the means.
    coefficient : str, Coefficient or callable
    alternative : {"two-sided", "greater", "less"}
        Two-sided p-values are twice the smaller one-sided, as in SciPy: not every coefficient is symmetric about 0.
    n_resamples : int, default 9999
        How many random orders. If there are no more different orders than that, all are taken, and the p-value is exact.
    rng : int, Generator or None
    workers : int, default 1
        Threads; -1 for all cores. No bit of the result depends on it.
    progress : callable, optional
        Called as ``progress(done, of how many)``.

    Returns
    -------
    PermutationTestResult
        ``statistic``, ``pvalue``, ``null_distribution``, and how they were made.

    Notes
    -----
    Ties stay: the scores of y are dealt to the items anew. Of random orders, the observed one counts as one more, so that no
    p-value is below 1 / (n_resamples + 1). Orders in which the coefficient is undefined are left out, and counted.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.permutation_test([6, 5, 4, 3, 2, 1], [6, 5, 3, 4, 2, 1], "tau_ap_b")
    tau_ap_b = 0.8667, p = 0.01111 (two-sided, all 720 orders of 6 items)
    """
    who = "permutation_test"
    one_of(who, "alternative", alternative, _ALTERNATIVES)
    whole_number(who, "n_resamples", n_resamples)
    c = one_coefficient(who, coefficient, scores_only=False)
    threads = n_workers(who, workers)
    generator, seed = seeded(rng)
    pairs = read_one_pair(who, ranking_of(x), ranking_of(y))
    outcome = evaluate(who, [c], pairs, "raise", threads)[0]
    outcome.report(str(c))
    statistic, n = float(outcome.values[0]), len(pairs.x)
    # To reorder x is the same as to reorder y: take the side with the fewer orders.
    reorder_x = _log_orders(pairs.x) < _log_orders(pairs.y)
    fixed, moved = (pairs.y, pairs.x) if reorder_x else (pairs.x, pairs.y)
    exact = _log_orders(moved) < math.log(n_resamples) + 1e-9
    total = round(math.exp(_log_orders(moved))) if exact else n_resamples
    rows = _all_orders(moved) if exact else None
    null = np.empty(total)
    step = max(1, _MOST_AT_ONCE // max(n, 1))
    for start in range(0, total, step):
        stop = min(start + step, total)
        if rows is not None:
            orders = np.array([next(rows) for _ in range(start, stop)])
        else:
            orders = generator.permuted(np.broadcast_to(moved, (stop - start, n)), axis=1)
        sides = (orders, fixed) if reorder_x else (fixed, orders)
        null[start:stop] = evaluate(who, [c], read_pairs(who, *sides), "raise", threads, refuse=False)[
            0
        ].values
        if progress is not None:
            progress(stop, total)
    return PermutationTestResult(
        statistic,
        pvalue_of(statistic, null, alternative, exact),
        null,
        c,
        alternative,
        n,
        total,
        int(np.isnan(null).sum()),
        exact,
        None if exact else seed,
    )


def _log_orders(values: Floats) -> float:
    """Return the logarithm of the number of different orders of the values: n! / (the product of t! over ties)."""
    _, sizes = np.unique(values, return_counts=True)
    return math.lgamma(len(values) + 1) - sum(math.lgamma(size + 1) for size in sizes[sizes > 1].tolist())


def _all_orders(values: Floats) -> Iterator[list[float]]:
    """Yield all different orders, each once: from the sorted one on, the next in lexicographic order."""
    now = sorted(values.tolist())
    while True:
        yield list(now)
        i = len(now) - 2
        while i >= 0 and now[i] >= now[i + 1]:
            i -= 1
        if i < 0:
            return
        j = len(now) - 1
        while now[j] <= now[i]:
            j -= 1
        now[i], now[j] = now[j], now[i]
        now[i + 1 :] = now[:i:-1]


def pvalue_of(observed: float, null: Floats, alternative: str, exact: bool) -> float:
    """Return the share of a null distribution that is as extreme; of random draws the observed is one more."""
    defined = null[~np.isnan(null)]
    if math.isnan(observed) or len(defined) == 0:
        return math.nan
    more = 0 if exact else 1
    greater = (int((defined >= observed - _EQUAL).sum()) + more) / (len(defined) + more)
    less = (int((defined <= observed + _EQUAL).sum()) + more) / (len(defined) + more)
    return {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}[alternative]


# --- two judges -------------------------------------------------------------------------------------------------


def difference(
    truth: Any,
    a: Any,
    b: Any,
    coefficient: str | Coefficient | Callable[..., Any],
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = 9999,
    confidence_level: float = 0.95,
    method: Method = "simex",
    measure: str | None = None,
    on_missing: str | None = None,
    rng: Any = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> DifferenceResult:
    """Test whether judge a agrees with the truth more than judge b does, topic by topic on the same topics.

    The interval is from topics drawn with replacement, the same for all three. The p-value is from exchanging a and b on
    random topics: if neither were better, that would change nothing but by chance.

    Parameters
    ----------
    truth, a, b : Scores, or what `Scores.of` takes
        Topics that not all three have are left out.
    coefficient : str, Coefficient or callable
    alternative : {"two-sided", "greater", "less"}
        "greater": a agrees more.
    n_resamples : int, default 9999
        For the interval, and for the p-value; if there are no more ways to exchange than that, all are taken.
    confidence_level : float, default 0.95
    method : {"simex", "percentile", "basic", "bca"}
        See `bootstrap`.
    measure : str, optional
        Of all three; the only one by default.
    on_missing : {"error", "drop", "zero"}, optional
        See `align`.
    rng : int, Generator or None
    workers : int, default 1
        Threads; -1 for all cores. No bit of the result depends on it.
    progress : callable, optional
        Called as ``progress(done, of how many)``.

    Returns
    -------
    DifferenceResult
        ``statistic``, ``pvalue``, ``confidence_interval``, ``standard_error``, and how they were made.

    See Also
    --------
    adjust_pvalues : for many judges.

    Notes
    -----
    The test asks whether the judges are interchangeable. Exchanging them only makes sense if both score on the same scale, as
    two judges do whose judgements are evaluated by the same measure.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal(np.linspace(0.6, 0.3, 12), 0.1, (50, 12))
    >>> good, bad = truth + rng.normal(0, 0.1, (50, 12)), truth + rng.normal(0, 0.4, (50, 12))
    >>> cd.difference(truth, good, bad, "tau_b", n_resamples=999, rng=42).pvalue < 0.05
    True
    """
    who = "difference"
    one_of(who, "alternative", alternative, _ALTERNATIVES)
    check_interval(who, n_resamples, confidence_level, method)
    c = one_coefficient(who, coefficient)
    threads = n_workers(who, workers)
    aligned = align(truth, a, b, on_missing=on_missing, names=["truth", "a", "b"])
    sides = [(scores, measure) for scores in (aligned.truth, *aligned.estimates)]
    generator, seed = seeded(rng)
    (found,) = differences(
        who,
        sides,
        [c],
        n_resamples,
        confidence_level,
        method,
        alternative,
        generator,
        seed,
        threads,
        progress,
    )
    return found


def differences(
    who: str, sides: Sequence[tuple[Scores, str | None]], coefficients: Sequence[Coefficient], n_resamples: int, level: float,
    method: str, alternative: str, rng: np.random.Generator, seed: int | None, threads: int, progress: Progress | None,
) -> list[DifferenceResult]:  # fmt: skip
    """Return for each coefficient how much better the second side agrees with the first than the third does."""
    common = set(sides[0][0].topics).intersection(*(scores.topics for scores, _ in sides[1:]))
    topics = [topic for topic in sides[0][0].topics if topic in common]
    if not topics:
        raise ValueError(f"{who}: there is no topic that all three have; are the topics named the same?")
    sample = TopicSample(
        who, coefficients, [(scores.select(topics=topics), measure) for scores, measure in sides], threads
    )
    k = len(coefficients)

    def of(values: Floats) -> Floats:
        return values[:k] - values[k:]

    total = 2 * n_resamples

    def part(offset: int) -> Progress | None:
        return None if progress is None else lambda done, _of: progress(min(offset + done, total), total)

    found = resample(sample, of, n_resamples, method, rng, part(0))
    each = sample.observed()
    null, exact = _swapped(sample, of, n_resamples, rng, part(n_resamples))
    return [
        DifferenceResult(
            float(found.observed[i]),
            pvalue_of(float(found.observed[i]), null[i], alternative, exact),
            found.interval(i, method, level, (c.bounds[0] - c.bounds[1], c.bounds[1] - c.bounds[0])),
            found.standard_error(i),
            float(each[i]),
            float(each[k + i]),
            found.distribution[i],
            null[i],
            c,
            alternative,
            level,
            method,
            sample.n,
            n_resamples,
            n_resamples - len(found.defined(i)),
            exact,
            seed,
        )
        for i, c in enumerate(coefficients)
    ]


def _swapped(
    sample: TopicSample, of: Callable[[Floats], Floats], n_resamples: int, rng: np.random.Generator, progress: Progress | None
) -> tuple[Floats, bool]:  # fmt: skip
    """Return the statistics with two estimates exchanged on random topics, or in all ways if there are not many."""
    n = sample.n
    (truth, _), (a, _), (b, _) = sample.tables
    once = np.ones((1, n), dtype=np.int64)
    means = snap(exact_sums(once, truth) / n)
    both = np.concatenate([a, b])
    exact = n < 60 and 2**n <= n_resamples
    total = 2**n if exact else n_resamples
    null = np.empty((len(sample.coefficients), total))
    step = max(1, _MOST_AT_ONCE // (2 * max(n, len(sample.systems))))
    for start in range(0, total, step):
        stop = min(start + step, total)
        if exact:
            swap = np.arange(start, stop)[:, None] >> np.arange(n) & 1
        else:
            swap = rng.integers(0, 2, (stop - start, n))
        rows = []
        for weights in (np.hstack([1 - swap, swap]), np.hstack([swap, 1 - swap])):
            estimate = snap(exact_sums(weights, both) / n)
            rows += [outcome.values for outcome in sample.against(means, estimate)]
        null[:, start:stop] = of(np.array(rows))
        if progress is not None:
            progress(stop, total)
    return null, exact


def adjust_pvalues(pvalues: Any, method: Correction = "holm") -> Any:
    """Adjust p-values for their number, so that each can be held against the same level.

    Parameters
    ----------
    pvalues : array_like, or mapping of anything to p-values
    method : {"holm", "bh"}
        Holm: the chance of any false finding is at most the level. Benjamini and Hochberg: the expected share of false findings
        among the findings is at most the level.

    Returns
    -------
    numpy.ndarray, or dict with the same keys

    References
    ----------
    .. [1] Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979.
    .. [2] Benjamini and Hochberg, "Controlling the false discovery rate", JRSS B 57, 1995.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.adjust_pvalues([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    >>> cd.adjust_pvalues({"gpt": 0.01, "llama": 0.04}, "bh")
    {'gpt': 0.02, 'llama': 0.04}
    """
    who = "adjust_pvalues"
    one_of(who, "method", method, ("holm", "bh"))
    if isinstance(pvalues, Mapping):
        adjusted = adjust_pvalues(list(pvalues.values()), method)
        return dict(zip(pvalues, adjusted.tolist(), strict=True))
    p = as_floats(who, "pvalues", pvalues)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"{who}: pvalues must be a list of numbers from 0 to 1")
    order, rank = np.argsort(p, kind="stable"), np.arange(1, len(p) + 1)
    if method == "holm":
        steps = np.maximum.accumulate(p[order] * (len(p) + 1 - rank))
    else:
        steps = np.minimum.accumulate((p[order] * len(p) / rank)[::-1])[::-1]
    found = np.empty_like(p)
    found[order] = np.minimum(steps, 1.0)
    return found
