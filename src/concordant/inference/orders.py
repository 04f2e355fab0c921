"""All different orders of values."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.typing import Floats
from concordant.work import Draws

__all__ = ["MOST_ORDERS", "Orders", "log_orders", "orders_in_pieces"]

MOST_ORDERS = 1_000_000  # orders that are all tried for an exact p-value: this takes seconds


def log_orders(values: Floats) -> float:
    """Return the logarithm of the number of different orders of the values.

    This number is n! / (the product of t! over ties).
    """
    _, sizes = np.unique(values, return_counts=True)
    return math.lgamma(len(values) + 1) - sum(math.lgamma(size + 1) for size in sizes[sizes > 1].tolist())


def _all_orders(values: Floats) -> Iterator[list[float]]:
    """Yield all different orders once, in lexicographic order."""
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


class Orders(NamedTuple):
    """Some orders of values, one per row: random ones, or a part of all orders."""

    draws: Draws | None
    of_all: Floats | None

    def rows(self) -> NDArray[Any]:
        """Return the orders."""
        if self.draws is not None:
            return self.draws.get()
        assert self.of_all is not None
        return self.of_all


def _permuted(rng: np.random.Generator, values: NDArray[Any], rows: int) -> NDArray[Any]:
    return rng.permuted(np.broadcast_to(values, (rows, len(values))), axis=1)


def orders_in_pieces(
    values: NDArray[Any], total: int, step: int, rng: np.random.Generator | None
) -> Iterator[Orders]:
    """Yield orders, some at a time: all different ones in turn, or random ones if there is a generator."""
    every = _all_orders(values)
    for start in range(0, total, step):
        rows = min(step, total - start)
        if rng is not None:
            yield Orders(Draws(rng, _permuted, values, rows), None)
        else:
            own = np.array([next(every) for _ in range(rows)]).reshape(rows, len(values))
            yield Orders(None, own)
