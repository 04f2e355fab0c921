"""A permutation test of two rankings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from concordant.coefficients import Coefficient, CoefficientLike, evaluate, evaluate_lists, get
from concordant.errors import ArgumentError, public
from concordant.inference.exchange import pvalue_of
from concordant.inference.observed import observed
from concordant.inference.options import check_alternative
from concordant.inference.resample import MOST_AT_ONCE
from concordant.inference.results import PermutationTestResult
from concordant.rankings import ListPairs, generator, n_workers, read_lists, read_pairs, whole_number
from concordant.scores import Scores
from concordant.typing import Alternative, Floats, ListLike, Progress, RankingLike, RngLike

__all__ = ["permutation_test"]


@public
def permutation_test(
    x: RankingLike | ListLike | Scores,
    y: RankingLike | ListLike | Scores,
    coefficient: CoefficientLike,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = 9999,
    rng: RngLike = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> PermutationTestResult:
    """Test the null hypothesis that two rankings are unrelated, by random orders of y.

    Parameters
    ----------
    x, y : array_like, mapping, Series or Scores
        Reference and estimated scores, larger is better; of Scores, the means.
    coefficient : str, Coefficient or callable
        As `get` reads it.
    alternative : {"two-sided", "greater", "less"}
        Two-sided p-values are twice the smaller one-sided, as in SciPy: not every coefficient is symmetric
        about 0.
    n_resamples : int, default 9999
        How many random orders. If there are no more different orders than that, all are taken, and the
        p-value is exact.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        Seed or source of random numbers.
    workers : int, default 1
        Threads; -1 for all cores. The result does not depend on it.
    progress : callable, optional
        Called as ``progress(done, total)``.

    Returns
    -------
    PermutationTestResult
        ``statistic``, ``pvalue``, ``null_distribution``, and how they were made.

    Notes
    -----
    Ties stay: the scores of y are permuted among the items. Of random orders, the observed one counts as one
    more, so that no p-value is below 1 / (n_resamples + 1). Orders in which the coefficient is undefined are
    left out, and counted.

    For coefficients of lists of items, the null hypothesis is that y orders its items at random: the items
    that y has are given, and so are the sizes of its groups of ties. Of a distance, a small value is
    agreement: ask for ``alternative="less"``.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.permutation_test([6, 5, 4, 3, 2, 1], [6, 5, 3, 4, 2, 1], "tau_ap_b")
    tau_ap_b = 0.8667, p = 0.01111 (two-sided, all 720 orders of 6 items)
    """
    check_alternative(alternative)
    whole_number("n_resamples", n_resamples)
    c = get(coefficient)
    threads = n_workers(workers)
    source, seed = generator(rng)
    if c.of_lists is not None:
        return _of_lists(x, y, c, alternative, n_resamples, source, seed, threads, progress)
    pairs, statistic = observed(c, x, y, threads)
    n = pairs.n_items
    own_x, own_y = pairs.x[0], pairs.y[0]
    # For coefficients of items, to permute the scores of x is the same: take the side with the fewer orders.
    known = c.inputs == "scores" and c.statistic is not None
    reorder_x = known and _log_orders(own_x) < _log_orders(own_y)
    fixed, moved = (pairs.y, own_x) if reorder_x else (pairs.x, own_y)
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
            orders = source.permuted(np.broadcast_to(moved, (stop - start, n)), axis=1)
        sides = (orders, fixed) if reorder_x else (fixed, orders)
        null[start:stop] = evaluate([c], read_pairs(*sides), "raise", threads, refuse=False)[0].values
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


def _of_lists(
    x: Any,
    y: Any,
    c: Coefficient,
    alternative: Alternative,
    n_resamples: int,
    source: np.random.Generator,
    seed: int | None,
    threads: int,
    progress: Progress | None,
) -> PermutationTestResult:
    """Test whether y orders its own items at random."""
    pairs = read_lists(x, y, c.threshold)
    if pairs.shape:
        raise ArgumentError(f"takes two lists, got batches of shape {pairs.shape}")
    outcome = evaluate_lists([c], pairs, threads)[0]
    outcome.report(str(c))
    n_x = int(pairs.offsets[1])
    own, ends = (
        pairs.codes[n_x:],
        pairs.ends
        if len(pairs.ends)
        else np.concatenate([np.arange(1, n_x + 1), np.arange(1, len(pairs.codes) - n_x + 1)]),
    )
    groups = -ends[n_x:].astype(np.float64)  # as scores: larger is better
    exact = _log_orders(groups) < math.log(n_resamples) + 1e-9
    total = round(math.exp(_log_orders(groups))) if exact else n_resamples
    rows = _all_orders(groups) if exact else None
    null = np.empty(total)
    step = max(1, MOST_AT_ONCE // max(len(own), 1))
    for start in range(0, total, step):
        stop = min(start + step, total)
        count = stop - start
        if rows is not None:
            scores = np.array([next(rows) for _ in range(count)]).reshape(count, len(own))
            codes = own[np.argsort(-scores, axis=1, kind="stable")]
        else:
            codes = source.permuted(np.broadcast_to(own, (count, len(own))), axis=1)
        drawn = ListPairs(
            codes=np.concatenate([pairs.codes[:n_x], codes.ravel()]),
            ends=np.concatenate([ends[:n_x], np.tile(ends[n_x:], count)]),
            offsets=np.concatenate([[0], n_x + len(own) * np.arange(count + 1)]),
            n_codes=pairs.n_codes,
            first=np.zeros(count, dtype=np.int64),
            second=np.arange(1, count + 1),
            shape=(count,),
        )
        null[start:stop] = evaluate_lists([c], drawn, threads)[0].values
        if progress is not None:
            progress(stop, total)
    statistic = float(outcome.values[0])
    return PermutationTestResult(
        statistic=statistic,
        pvalue=pvalue_of(statistic, null, alternative, exact),
        null_distribution=null,
        coefficient=c,
        alternative=alternative,
        n=len(own),
        n_resamples=total,
        n_undefined=int(np.isnan(null).sum()),
        exact=exact,
        seed=None if exact else seed,
    )


def _log_orders(values: Floats) -> float:
    """Return the logarithm of the number of different orders of the values.

    This number is n! / (the product of t! over ties).
    """
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
