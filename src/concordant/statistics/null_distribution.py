"""The null distribution of coefficients that are sums of independent uniform terms: exact and normal."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator

import numpy as np

from concordant.coefficients.declaration import Coefficient
from concordant.coefficients.engine import Untied
from concordant.statistics.confidence import normal
from concordant.typing import Floats, Integers

_MOST_WORK = 5e8  # additions (a look-up counts ten): this takes seconds
_MOST_ITEMS = 1000
_EXACT_COUNTS = 18  # 18! < 2^53
_SMALL_PRIMES = 7


def untied_of(c: Coefficient) -> Untied | None:
    """Return the form of a coefficient without ties, if it is then a sum of independent terms."""
    statistic = c.bound_statistic()
    known = statistic is not None and statistic.untied is not None and not statistic.untied.low.both
    return statistic.untied if known and c.threshold == (0.0, 0.0) and c.top is None else None  # type: ignore[union-attr]


class UniformTerms:
    """A coefficient of n items without ties, one of whose rankings is in random order.

    Let U_i be the number of concordant ones among the i items above an item, i = 1 ... n - 1. In a random
    order the U_i are independent and uniform on 0 ... i. With divisors d_i the coefficient is
    2 S / sum(i / d_i) - 1, where S = sum(U_i / d_i).
    """

    def __init__(self, n: int, untied: Untied) -> None:
        self.n = n
        self.above: Integers = np.arange(1, n, dtype=np.int64)
        self.divisor = untied.divisor(self.above)
        self.largest = float((self.above / self.divisor).sum())

    @property
    def variance(self) -> float:
        """The variance; the mean is 0."""
        i, d = self.above, self.divisor
        return float((i * (i + 2) / (12 * d * d)).sum()) * 4 / self.largest**2

    def normal_tail(self, value: float) -> float:
        """Return the probability of a value as large or larger, by the normal approximation."""
        return normal().cdf(-value / math.sqrt(self.variance))

    def exact_tail(self, value: float) -> float:
        """Return the exact probability of a value as large or larger."""
        return self._at_most((1 - value) / 2 * self.largest)  # S is symmetric about its mean

    @property
    def work(self) -> float:
        """About how many additions the exact distribution takes."""
        parts = [_Grid(*part) for part in self._parts()]
        look_ups = math.prod(part.size for part in parts[1:]) if parts[1:] else 0
        return float(sum(part.size * len(part.above) for part in parts) + 10 * look_ups)

    @property
    def is_feasible(self) -> bool:
        """Whether the exact distribution takes seconds at most."""
        return self.n <= _MOST_ITEMS and self.work <= _MOST_WORK

    def _parts(self) -> Iterator[tuple[Integers, Integers]]:
        """Yield the terms in parts whose divisors have a small common multiple.

        The least common multiple of 1 ... n - 1 is too large for one grid. So the first part has the divisors
        without large prime factors, and each large prime has a part of its own.
        """
        prime = _largest_primes(self.divisor)
        prime[prime <= _SMALL_PRIMES] = 1
        for each in np.unique(np.append(prime, 1)).tolist():
            yield self.above[prime == each], self.divisor[prime == each]

    def _at_most(self, s: float) -> float:
        """Return the probability that S is at most s."""
        as_counts = self.n <= _EXACT_COUNTS
        first, *others = (_Grid(*part) for part in self._parts())
        cumulated = np.cumsum(first.probabilities(as_counts))
        orders = float(cumulated[-1])
        # All sums of the other parts except the last, whose values are taken one by one.
        values, weights = np.zeros(1), np.ones(1)
        steps, last_weights = np.zeros(1), np.ones(1)
        for part in others:
            values = np.add.outer(values, steps).ravel()
            weights = np.multiply.outer(weights, last_weights).ravel()
            steps = np.arange(part.size) / part.multiple
            last_weights = part.probabilities(as_counts)
            orders *= float(last_weights.sum())
        total = 0.0
        for step, weight in zip(steps.tolist(), last_weights.tolist(), strict=True):
            # The rest for the first part is a whole number of steps, or differs from one by at least 1e-6 of
            # a step.
            left = np.floor((s - step - values) * first.multiple + 1e-7).astype(np.int64)
            found = np.where(left >= 0, cumulated[np.clip(left, 0, first.size - 1)], 0.0)
            total += weight * float(found @ weights)
        return min(1.0, total / orders)


class _Grid:
    """The sum of some terms, in steps of 1 / the least common multiple of their divisors."""

    def __init__(self, above: Integers, divisor: Integers) -> None:
        self.above = above.tolist()
        self.multiple = math.lcm(*divisor.tolist())
        self.steps = [self.multiple // d for d in divisor.tolist()]
        self.size = 1 + sum(i * step for i, step in zip(self.above, self.steps, strict=True))

    def probabilities(self, as_counts: bool) -> Floats:
        """Return the probability of each step; as counts of orders, which are whole numbers, if these fit."""
        found = np.ones(1)
        for i, step in zip(self.above, self.steps, strict=True):
            size = len(found) + i * step
            # Sums of i + 1 values that are a step apart, as differences of cumulated sums.
            rows = -(-size // step)
            padded = np.zeros(rows * step)
            padded[: len(found)] = found
            cumulated = np.cumsum(padded.reshape(rows, step), axis=0).ravel()
            found = cumulated[:size]
            found[(i + 1) * step :] -= cumulated[: max(0, size - (i + 1) * step)].copy()
            # The differences lose digits where the sums are large. The distribution is symmetric.
            half = size // 2
            found[size - half :] = found[:half][::-1]
            if not as_counts:
                found /= i + 1
        return found


@functools.cache
def _largest_prime(number: int) -> int:
    factor, found = 2, 1
    while number > 1:
        while number % factor == 0:
            number, found = number // factor, factor
        factor += 1
    return found


def _largest_primes(numbers: Integers) -> Integers:
    return np.array([_largest_prime(number) for number in numbers.tolist()], dtype=np.int64)
