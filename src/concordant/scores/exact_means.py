"""Sums over topics that do not depend on their order, and rounding of means to 12 digits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from concordant.rankings import core
from concordant.typing import Floats, Integers

__all__ = ["exact_sums", "n_tied", "snap"]


def snap(values: Floats) -> Floats:
    """Round to 12 significant digits, so that means that differ by rounding only are equal."""
    snapped, doubtful = np.empty(values.shape), np.empty(values.shape, dtype=np.bool_)
    if core.round_digits(np.ascontiguousarray(values).ravel(), snapped.reshape(-1), doubtful.reshape(-1)):
        snapped[doubtful] = [float(f"{value:.12g}") for value in values[doubtful].tolist()]
    return snapped


def exact_sums(weights: Integers, values: Floats) -> Floats:
    """Return weights @ values, the rows of sums over topics, with the same rounding in any order.

    Each column is cut into two slices at fixed powers of two, so coarse that every product and sum of a slice
    is exact. The remainder is below 2^-80 of the largest value, for fewer than a thousand topics.
    """
    exponent = np.frexp(np.abs(values).max(axis=0, initial=0.0))[1]
    width = 52 - int(weights.sum(axis=1).max(initial=1)).bit_length()
    scaled = np.ldexp(values, -exponent)  # at most 1
    high = np.ldexp(np.rint(np.ldexp(scaled, width)), -width)
    low = np.ldexp(np.rint(np.ldexp(scaled - high, 2 * width)), -2 * width)
    n = values.shape[1]
    both = weights.astype(np.float64) @ np.hstack([high, low])
    sums: Floats = both[:, :n] + both[:, n:]
    with np.errstate(over="ignore"):
        # In two steps, because the power of two of the whole exponent may exceed the range of doubles.
        for part in (exponent // 2, exponent - exponent // 2):
            sums *= np.ldexp(1.0, part)
    return sums


def n_tied(values: Iterable[float]) -> int:
    """Return how many values are shared with another."""
    return sum(count for count in Counter(values).values() if count > 1)
