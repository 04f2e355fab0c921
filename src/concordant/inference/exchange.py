"""Exchanging two sides on random topics: the draws and the p-values of permutation tests."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from concordant.coefficients import SAME
from concordant.typing import Floats, Integers
from concordant.work import Draws

__all__ = ["Exchanges", "exchanged", "exchanges", "pvalue_of"]


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
