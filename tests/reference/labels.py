"""The agreement of the labels of two raters, label by label, in exact arithmetic."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

__all__ = ["kappa", "ordinal_alpha"]

Labels = Sequence[int]
DISTANCES: dict[str | None, Callable[[int, int], int]] = {
    None: lambda a, b: int(a != b),
    "linear": lambda a, b: abs(a - b),
    "quadratic": lambda a, b: (a - b) ** 2,
}


def kappa(a: Labels, b: Labels, weights: str | None = None) -> float:
    """Cohen (1960, 1968): 1 - the mean distance of labels of one item / of labels of any two items."""
    distance, n = DISTANCES[weights], len(a)
    observed = Fraction(sum(distance(x, y) for x, y in zip(a, b, strict=True)), max(n, 1))
    expected = Fraction(sum(distance(x, y) for x in a for y in b), max(n * n, 1))
    return float(1 - observed / expected) if expected else math.nan


def ordinal_alpha(a: Labels, b: Labels) -> float:
    """Krippendorff (2019), chapter 12: two raters, no label missing, the ordinal distance."""
    times = Counter([*a, *b])
    n = times.total()

    def distance(c: int, k: int) -> Fraction:
        between = sum(times[g] for g in times if min(c, k) <= g <= max(c, k))
        return (between - Fraction(times[c] + times[k], 2)) ** 2

    observed = Fraction(2 * sum(distance(x, y) for x, y in zip(a, b, strict=True)), max(n, 1))
    expected = sum(times[c] * times[k] * distance(c, k) for c in times for k in times)
    return float(1 - observed * n * (n - 1) / expected) if expected else math.nan
