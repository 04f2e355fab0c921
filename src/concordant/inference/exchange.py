"""Exchanging two sides on random topics: the draws and the p-values of permutation tests."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from concordant.coefficients import SAME
from concordant.typing import Floats, Integers

__all__ = ["exchanged", "exchanges", "pvalue_of"]


def exchanges(n: int, n_resamples: int) -> tuple[int, bool]:
    """Return how many ways to exchange on n topics are tried, and whether these are all."""
    exact = n < 60 and 2**n <= n_resamples
    return (2**n, True) if exact else (n_resamples, False)


def exchanged(
    n: int, n_resamples: int, rng: np.random.Generator, step: int
) -> Iterator[tuple[slice, Integers]]:
    """Yield rows of zeros and ones: all there are, or random ones.

    A one means that two sides are exchanged on a topic.
    """
    total, exact = exchanges(n, n_resamples)
    for start in range(0, total, step):
        stop = min(start + step, total)
        if exact:
            yield slice(start, stop), np.arange(start, stop)[:, None] >> np.arange(n) & 1
        else:
            yield slice(start, stop), rng.integers(0, 2, (stop - start, n))


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
