"""All different orders of values."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from concordant.typing import Floats

__all__ = ["MOST_ORDERS", "all_orders", "log_orders"]

MOST_ORDERS = 1_000_000  # that are all tried if an exact p-value is asked for: seconds


def log_orders(values: Floats) -> float:
    """Return the logarithm of the number of different orders of the values.

    This number is n! / (the product of t! over ties).
    """
    _, sizes = np.unique(values, return_counts=True)
    return math.lgamma(len(values) + 1) - sum(math.lgamma(size + 1) for size in sizes[sizes > 1].tolist())


def all_orders(values: Floats) -> Iterator[list[float]]:
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
