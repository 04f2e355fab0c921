"""Whether one estimate agrees better with the reference than another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from concordant.coefficients.declaration import Coefficient, CoefficientLike
from concordant.coefficients.engine import SAME
from concordant.coefficients.text_form import of_scores
from concordant.errors import public
from concordant.reading.from_memory import ScoresLike
from concordant.scores.means import exact_sums, snap
from concordant.statistics.confidence import (
    ConfidenceDistribution,
    ConfidenceInterval,
    Exchanged,
    interval_of,
    pvalue_of_value,
)
from concordant.statistics.resampling import (
    METHODS_OF_DIFFERENCES,
    DifferenceMethod,
    Resampled,
    Resampling,
    TopicSample,
    against,
    check_alternative,
    resample,
)
from concordant.statistics.scalars import DifferenceResult
from concordant.statistics.simultaneous import Steps
from concordant.study.study import Study
from concordant.typing import Alternative, Floats, Integers, OnMissing, Progress, RngLike
from concordant.work.pieces import Draws, in_pieces, piece_size


@public
def difference(
    reference: ScoresLike,
    a: ScoresLike,
    b: ScoresLike,
    coefficient: CoefficientLike,
    *,
    alternative: Alternative = "two-sided",
    measure: str | tuple[str, str] | None = None,
    on_missing: OnMissing | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    method: DifferenceMethod = "exchange",
    rng: RngLike = None,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> DifferenceResult:
    """Test whether estimate a agrees better with the reference than estimate b does, on the same topics.

    The interval and the p-value come from one procedure: p < 1 - `confidence_level` exactly when the interval
    does not contain 0.

    Parameters
    ----------
    reference, a, b : Scores, or what `read_scores` takes
        The scores of the reference and of the two estimates. Topics that not all three have are left out.
    coefficient : str, Coefficient or callable
        The coefficient, as `coefficient` reads it.
    alternative : {"two-sided", "greater", "less"}
        The alternative hypothesis; "greater" means that a agrees better. The interval then has only a lower
        end; the upper end is the bound.
    measure : str or (str, str), optional
        The measure of all three, or that of the reference and that of both estimates. It need not be given if
        there is only one.
    on_missing : {"error", "drop", "zero"}, optional
        What to do about systems and topics that are on one side only; see `Study`.
    confidence_level : float, default 0.95
        The confidence level of the interval.
    n_resamples : int, default 9999
        The number of resamples of the topics, and of exchanges. If there are no more ways to exchange than
        this, all are used.
    method : {"exchange", "standard", "percentile", "basic", "BCa"}
        "exchange": the test exchanges a and b on random topics, and the interval contains the differences
        that such a test does not reject; see the notes. The other methods draw topics with replacement, the
        same topics for all three; see `bootstrap`.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        The seed or the generator of random numbers.
    workers : int, default 1
        The number of threads; -1 means all cores. The result does not depend on it.
    executor : concurrent.futures.Executor, optional
        The executor that does the work: any executor of PEP 3148, such as a pool of processes, or
        ``client.get_executor()`` of Dask. The result does not depend on it.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    DifferenceResult
        ``statistic``, ``pvalue``, ``confidence_interval``, ``standard_error``, and how they were computed.

    See Also
    --------
    adjust_pvalues : adjusts the p-values of many comparisons.

    Notes
    -----
    The test is about estimates with this number of topics. If an estimate is only noisier than another, their
    difference becomes smaller with more topics.

    "exchange": if neither is better, exchanging a and b on random topics changes the difference d only by
    chance, and p is the share of exchanges with a difference at least as large. The spread of d depends on
    its expected value: at 0 it is the spread of the exchanges, at d it is the standard error of the
    resamples, and in between it is assumed to be linear. The interval contains each value t for which (d - t)
    / spread(t) is not extreme among the exchanges. Exchanging requires that both estimates have the same
    scale, such as two judges whose judgements are evaluated by the same measure.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> reference = rng.normal(np.linspace(0.6, 0.3, 12), 0.1, (50, 12))
    >>> good, bad = reference + rng.normal(0, 0.1, (50, 12)), reference + rng.normal(0, 0.4, (50, 12))
    >>> cd.difference(reference, good, bad, "tau_b", n_resamples=999, rng=42).pvalue < 0.05
    True
    """
    check_alternative(alternative)
    how = Resampling.checked(
        n_resamples, confidence_level, method, rng, workers, METHODS_OF_DIFFERENCES, executor
    )
    c = of_scores(coefficient)
    study = Study(reference, {"a": a, "b": b}, on_missing=on_missing).on_common_topics()
    first, second = (study.pairing(name, measure) for name in ("a", "b"))
    sample = TopicSample([c], [first, second], how.threads, n_sides=3)
    sample.report()
    found = difference_of(
        sample, how, alternative, how.rng, Steps(progress, parts_of_work(how) * how.n_resamples)
    )
    return replace(found, notes=(*study.notes, *found.notes))


def _less(values: Floats) -> Floats:
    return values[:1] - values[1:]


def parts_of_work(how: Resampling) -> int:
    """Return how many times `n_resamples` a difference computes."""
    return 2 if how.method == "exchange" else 1


def difference_of(
    sample: TopicSample, how: Resampling, alternative: Alternative, rng: np.random.Generator, steps: Steps
) -> DifferenceResult:
    """Return how much better the first estimate of a sample agrees with the reference than the second."""
    (c,) = sample.coefficients
    for_resamples, for_exchanges = rng.spawn(2)  # so that neither depends on the method
    found = resample(sample, how, for_resamples, steps.part(how.n_resamples), _less)
    null, exact = None, False
    if how.method == "exchange":
        null, exact = _swapped(sample, how, for_exchanges, steps.part(how.n_resamples))
    confidence = _confidence(found, how, null, exact)
    widest = c.bounds[1] - c.bounds[0]
    interval, pvalue = ConfidenceInterval(math.nan, math.nan), math.nan
    if confidence is not None:
        interval = interval_of(confidence, how.confidence_level, (-widest, widest), alternative)
        pvalue = pvalue_of_value(confidence, 0.0, alternative)
    return DifferenceResult(
        statistic=float(found.observed[0]),
        pvalue=pvalue,
        confidence_interval=interval,
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
        seed=how.seed,
        notes=(*sample.notes(how), *found.why_none(0, interval)),
    )


def _confidence(
    found: Resampled, how: Resampling, null: Floats | None, exact: bool
) -> ConfidenceDistribution | None:
    if null is None:
        return found.confidence(0, how.method)
    observed, known = float(found.observed[0]), np.sort(null[~np.isnan(null)])
    if math.isnan(observed) or len(found.defined(0)) < 2 or not len(known):
        return None
    return Exchanged(observed, known, exact, found.spread(0))


def _swapped(
    sample: TopicSample, how: Resampling, rng: np.random.Generator, progress: Progress | None
) -> tuple[Floats, bool]:
    """Return the differences with two estimates exchanged on random topics.

    All exchanges are used if there are not many.
    """
    n = sample.n
    first, second = sample.pairings
    means = np.array(list(first.reference.mean.values()))
    both = np.concatenate([first.estimate.values, second.estimate.values])
    total, exact = exchanges(n, how.n_resamples)
    size = piece_size(total, sample.rows_at_once, how.executor)
    parts = in_pieces(
        _of_exchanges,
        (tuple(sample.coefficients), means, both),
        exchanged(n, how.n_resamples, rng, size),
        executor=how.executor,
        threads=how.threads,
        sizes=[min(size, total - start) for start in range(0, total, size)],
        progress=progress,
    )
    return np.concatenate([part["null"] for part in parts]), exact


def _of_exchanges(
    shared: tuple[tuple[Coefficient, ...], Floats, Floats], piece: Exchanges, threads: int
) -> dict[str, Any]:
    coefficients, means, both = shared
    swap = piece.rows()
    values = []
    for counts in (np.hstack([1 - swap, swap]), np.hstack([swap, 1 - swap])):
        estimates = snap(exact_sums(counts, both) / swap.shape[1])
        (outcome,) = against(coefficients, means, estimates, threads)
        values.append(outcome.values)
    return {"null": _less(np.array(values))[0]}


def exchanges(n: int, n_resamples: int) -> tuple[int, bool]:
    """Return how many ways to exchange on n topics are tried, and whether these are all."""
    exact = n < 60 and 2**n <= n_resamples
    return (2**n, True) if exact else (n_resamples, False)


class Exchanges(NamedTuple):
    """Some ways to exchange on n topics: drawn at random, or those with the numbers from `start` on."""

    start: int
    stop: int
    n: int
    draws: Draws | None

    def rows(self) -> Integers:
        """Return rows of zeros and ones. A one means that two sides are exchanged on a topic."""
        if self.draws is not None:
            return self.draws.get()
        return np.arange(self.start, self.stop)[:, None] >> np.arange(self.n) & 1


def _coins(rng: np.random.Generator, rows: int, n: int) -> Integers:
    return rng.integers(0, 2, (rows, n))


def exchanged(n: int, n_resamples: int, rng: np.random.Generator, step: int) -> Iterator[Exchanges]:
    """Yield all ways to exchange there are, or random ones, so many at a time."""
    total, exact = exchanges(n, n_resamples)
    for start in range(0, total, step):
        stop = min(start + step, total)
        yield Exchanges(start, stop, n, None if exact else Draws(rng, _coins, stop - start, n))


def pvalue_of(observed: float, null: Floats, alternative: str, exact: bool) -> float:
    """Return the share of a null distribution that is as extreme as the observed value.

    If the null distribution is drawn at random, the observed value counts as one more draw.
    """
    defined = null[~np.isnan(null)]
    if math.isnan(observed) or len(defined) == 0:
        return math.nan
    more = 0 if exact else 1
    same = SAME * max(abs(observed), float(np.abs(defined).max()))
    greater = (int((defined >= observed - same).sum()) + more) / (len(defined) + more)
    less = (int((defined <= observed + same).sum()) + more) / (len(defined) + more)
    return {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}[alternative]
