"""How sure: intervals, tests, and the comparison of two judges."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

import concordant.coefficients  # noqa: F401 - files them in the registry
from concordant._inputs import (
    Floats,
    Pairs,
    Progress,
    as_floats,
    n_workers,
    one_of,
    read_one_pair,
    read_pairs,
    seeded,
    share,
    whole_number,
)
from concordant._registry import Coefficient, evaluate, get
from concordant._resampling import (
    ALTERNATIVES,
    AS_MANY,
    MOST_AT_ONCE,
    Alternative,
    ConfidenceInterval,
    Method,
    Resampling,
    Statistic,
    TopicSample,
    exchanged,
    exchanges,
    pvalue_of,
    resample,
    t_quantile,
)
from concordant.alignment import align
from concordant.many import without_groups
from concordant.scores import exact_sums, ranking_of, snap

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

Correction = Literal["holm", "bh"]


def _seed_text(seed: int | None) -> str:
    return "" if seed is None else f", seed {seed}"


def _notes_text(notes: Sequence[str]) -> str:
    return f"; {'; '.join(notes)}" if notes else ""


def _undefined_text(undefined: int) -> str:
    return f", {undefined} of them undefined" if undefined else ""


@dataclass(frozen=True, eq=False, repr=False)
class BootstrapResult:
    """A coefficient with its interval over topics."""

    statistic: float
    confidence_interval: ConfidenceInterval
    standard_error: float
    bootstrap_distribution: Floats
    coefficient: Coefficient
    confidence_level: float
    method: str
    n: int  # topics
    n_resamples: int
    n_undefined: int  # resamples in which the coefficient has no value
    seed: int | None
    notes: tuple[str, ...] = ()  # what became of missing scores and topics, and the like

    def __repr__(self) -> str:
        return (
            f"{self.coefficient} = {self.statistic:.4f}, {self.confidence_level:.10g} interval {self.confidence_interval} "
            f"({self.method}, {self.n_resamples} resamples of {self.n} topics{_undefined_text(self.n_undefined)}"
            f"{_seed_text(self.seed)}){_notes_text(self.notes)}"
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
            f"{self.coefficient} = {self.statistic:.4f}, {self.confidence_level:.10g} interval {self.confidence_interval} "
            f"(jackknife of {left_out}{_undefined_text(self.n_undefined)})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class PermutationTestResult:
    """A coefficient with the p-value of the rankings being unrelated."""

    statistic: float
    pvalue: float
    null_distribution: Floats
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
    bootstrap_distribution: Floats
    null_distribution: Floats
    coefficient: Coefficient
    alternative: str
    confidence_level: float
    method: str
    n: int  # topics
    n_resamples: int
    n_undefined: int
    exact: bool  # the p-value is from all ways of swapping
    seed: int | None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return (
            f"{self.coefficient}: {self.statistic_a:.4f} - {self.statistic_b:.4f} = {self.statistic:+.4f}, "
            f"{self.confidence_level:.10g} interval {self.confidence_interval}, p = {self.pvalue:.4g} ({self.alternative}, "
            f"{self.method}, {self.n_resamples} resamples of {self.n} topics{_undefined_text(self.n_undefined)}"
            f"{_seed_text(self.seed)}){_notes_text(self.notes)}"
        )


# --- topics -----------------------------------------------------------------------------------------------------


def one_coefficient(who: str, coefficient: Any) -> Coefficient:
    """Read a coefficient of scores."""
    c = get(coefficient)
    if c.inputs != "scores":
        raise ValueError(f"{who}: {c.name} compares graded lists, not scores of systems; see concordant list")
    return c


def measures_of(who: str, measure: str | tuple[str, str] | None) -> tuple[str | None, str | None]:
    """Read the measures of the truth and of what is compared with it."""
    if measure is None or isinstance(measure, str):
        return measure, measure
    if not isinstance(measure, tuple | list) or len(measure) != 2:
        raise ValueError(
            f"{who}: measure must be a name, or a pair of names for truth and estimate, got {measure!r}"
        )
    return measure[0], measure[1]


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
    how = Resampling.of(who, n_resamples, confidence_level, method)
    c = one_coefficient(who, coefficient)
    threads = n_workers(who, workers)
    first, second = measures_of(who, measure)
    generator, seed = seeded(rng)
    aligned = align(truth, estimate, on_missing=on_missing)
    sample = TopicSample(who, [c], [(aligned.truth, first), (aligned.estimates[0], second)], threads)
    sample.report()
    found = resample(sample, lambda values: values, how, generator, progress)
    return BootstrapResult(
        statistic=float(found.observed[0]),
        confidence_interval=found.interval(0, how, c.bounds),
        standard_error=found.standard_error(0),
        bootstrap_distribution=found.distribution[0],
        coefficient=c,
        confidence_level=how.confidence_level,
        method=how.method,
        n=sample.n,
        n_resamples=how.n_resamples,
        n_undefined=found.n_undefined(0),
        seed=seed,
        notes=(*aligned.notes, *sample.notes(how), *found.why_no_interval(0, how)),
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
    level = share(who, "confidence_level", confidence_level)
    c = get(coefficient)
    threads = n_workers(who, workers)
    pairs, statistic = _observed(who, c, x, y, threads)
    n = len(pairs.x)
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
    t = t_quantile((1 + level) / 2, len(defined) - 1) if len(defined) > 1 else math.nan
    return JackknifeResult(
        statistic=statistic,
        confidence_interval=_on_fishers_scale(statistic, t * error, c.bounds),
        standard_error=error,
        coefficient=c,
        confidence_level=level,
        n=n,
        n_groups=n_groups,
        n_undefined=n_groups - len(defined),
    )


def _observed(who: str, c: Coefficient, x: Any, y: Any, threads: int) -> tuple[Pairs, float]:
    """Read two rankings and compute the coefficient, with a warning if it is undefined."""
    pairs = read_one_pair(who, ranking_of(x), ranking_of(y))
    c.refuse_labels(who, pairs)
    outcome = evaluate(who, [c], pairs, "raise", threads)[0]
    outcome.report(str(c))
    return pairs, float(outcome.values[0])


def _on_fishers_scale(value: float, half: float, bounds: tuple[float, float]) -> ConfidenceInterval:
    """Return value +- half, symmetric after atanh; half is carried over by the derivative there."""
    low, high = bounds
    if math.isinf(low) or math.isinf(high):
        return ConfidenceInterval(max(value - half, low), min(value + half, high))
    middle, radius = (low + high) / 2, (high - low) / 2
    inner = (value - middle) / radius
    if math.isnan(half) or math.isnan(inner):
        return ConfidenceInterval(math.nan, math.nan)
    if abs(inner) >= 1:
        return ConfidenceInterval(value, value)
    wide = half / radius / (1 - inner * inner)
    ends = (math.tanh(math.atanh(inner) + sign * wide) for sign in (-1, 1))
    return ConfidenceInterval(*(middle + radius * end for end in ends))


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
    one_of(who, "alternative", alternative, ALTERNATIVES)
    whole_number(who, "n_resamples", n_resamples)
    c = get(coefficient)
    threads = n_workers(who, workers)
    generator, seed = seeded(rng)
    pairs, statistic = _observed(who, c, x, y, threads)
    n = len(pairs.x)
    # For coefficients of items, to deal the scores of x anew is the same: take the side with the fewer orders.
    known = c.inputs == "scores" and c.statistic is not None
    reorder_x = known and _log_orders(pairs.x) < _log_orders(pairs.y)
    fixed, moved = (pairs.y, pairs.x) if reorder_x else (pairs.x, pairs.y)
    exact = _log_orders(moved) < math.log(n_resamples) + 1e-9
    total = round(math.exp(_log_orders(moved))) if exact else n_resamples
    rows = _all_orders(moved) if exact else None
    null = np.empty(total)
    step = max(1, MOST_AT_ONCE // max(n, 1))
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
        statistic=statistic,
        pvalue=pvalue_of(statistic, null, alternative, exact),
        null_distribution=null,
        coefficient=c,
        alternative=alternative,
        n=n,
        n_resamples=total,
        n_undefined=int(np.isnan(null).sum()),
        exact=exact,
        seed=None if exact else seed,
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
    measure: str | tuple[str, str] | None = None,
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
    measure : str or (str, str), optional
        Of all three, or of the truth and of both judges; the only one by default.
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
    Interval and p-value are about judges with as many topics as there are: a judge who is only noisier than another would catch up
    with more. By "simex" the interval goes back from the resamples to as many topics, not to unlimited ones as that of
    `bootstrap` does. They are different procedures, and may disagree in close cases.

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
    one_of(who, "alternative", alternative, ALTERNATIVES)
    how = Resampling.of(who, n_resamples, confidence_level, method)
    c = one_coefficient(who, coefficient)
    threads = n_workers(who, workers)
    first, second = measures_of(who, measure)
    generator, seed = seeded(rng)
    aligned = align(truth, a, b, on_missing=on_missing, names=["truth", "a", "b"]).on_common_topics(who)
    sides = [(aligned.truth, first), *((scores, second) for scores in aligned.estimates)]
    sample = TopicSample(who, [c], sides, threads)
    sample.report()
    found = difference_of(sample, how, alternative, generator, seed, progress)
    return replace(found, notes=(*aligned.notes, *found.notes))


def difference_of(
    sample: TopicSample, how: Resampling, alternative: str, rng: np.random.Generator, seed: int | None, progress: Progress | None
) -> DifferenceResult:  # fmt: skip
    """Return how much better the first judge of a sample agrees with the truth than the second."""
    (c,) = sample.coefficients
    total = 2 * how.n_resamples

    def part(offset: int) -> Progress | None:
        return None if progress is None else lambda done, _of: progress(min(offset + done, total), total)

    def less(values: Floats) -> Floats:
        return values[:1] - values[1:]

    for_interval, for_test = rng.spawn(2)  # so that the p-value does not depend on the method of the interval
    found = resample(sample, less, how, for_interval, part(0))
    null, exact = _swapped(sample, less, how.n_resamples, for_test, part(how.n_resamples))
    if progress is not None:
        progress(total, total)
    statistic, widest = float(found.observed[0]), c.bounds[1] - c.bounds[0]
    return DifferenceResult(
        statistic=statistic,
        pvalue=pvalue_of(statistic, null, alternative, exact),
        confidence_interval=found.interval(0, how, (-widest, widest), AS_MANY),
        standard_error=found.standard_error(0),
        statistic_a=float(sample.observed[0].values[0]),
        statistic_b=float(sample.observed[1].values[0]),
        bootstrap_distribution=found.distribution[0],
        null_distribution=null,
        coefficient=c,
        alternative=alternative,
        confidence_level=how.confidence_level,
        method=how.method,
        n=sample.n,
        n_resamples=how.n_resamples,
        n_undefined=found.n_undefined(0),
        exact=exact,
        seed=seed,
        notes=(*sample.notes(how), *found.why_no_interval(0, how)),
    )


def _swapped(
    sample: TopicSample, statistic: Statistic, n_resamples: int, rng: np.random.Generator, progress: Progress | None
) -> tuple[Floats, bool]:  # fmt: skip
    """Return the statistic with two judges exchanged on random topics, or in all ways if there are not many."""
    n = sample.n
    (truth, _), (a, _), (b, _) = sample.tables
    means = snap(exact_sums(np.ones((1, n), dtype=np.int64), truth) / n)
    both = np.concatenate([a, b])
    total, exact = exchanges(n, n_resamples)
    null = np.empty(total)
    for rows, swap in exchanged(n, n_resamples, rng, sample.rows_at_once):
        values = []
        for counts in (np.hstack([1 - swap, swap]), np.hstack([swap, 1 - swap])):
            (outcome,) = sample.against(means, snap(exact_sums(counts, both) / n))
            values.append(outcome.values)
        null[rows] = statistic(np.array(values))[0]
        if progress is not None:
            progress(rows.stop, total)
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
        bad = f"{p[~((p >= 0) & (p <= 1))][0]:g}" if p.ndim == 1 else f"an array of shape {p.shape}"
        raise ValueError(f"{who}: pvalues must be a list of numbers from 0 to 1, got {bad}")
    order, rank = np.argsort(p, kind="stable"), np.arange(1, len(p) + 1)
    if method == "holm":
        steps = np.maximum.accumulate(p[order] * (len(p) + 1 - rank))
    else:
        steps = np.minimum.accumulate((p[order] * len(p) / rank)[::-1])[::-1]
    found = np.empty_like(p)
    found[order] = np.minimum(steps, 1.0)
    return found
