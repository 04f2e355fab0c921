"""The agreement of the labels of two raters, label by label, in exact arithmetic."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

__all__ = ["alpha", "gwet_ac", "kappa", "ordinal_alpha", "percent"]

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


def alpha(table: Sequence[Sequence[int | None]], level: str) -> float:
    """Krippendorff (2019), chapter 12: items x raters, None is missing; pairs of labels one by one."""
    items = [[label for label in row if label is not None] for row in table]
    items = [row for row in items if len(row) >= 2]
    times = Counter(label for row in items for label in row)
    n = times.total()

    def distance(c: int, k: int) -> Fraction:
        if level == "ordinal":
            between = sum(times[g] for g in times if min(c, k) <= g <= max(c, k))
            return (between - Fraction(times[c] + times[k], 2)) ** 2
        return Fraction(c != k) if level == "nominal" else Fraction((c - k) ** 2)

    observed = sum(
        Fraction(1, len(row) - 1) * distance(row[i], row[j])
        for row in items
        for i in range(len(row))
        for j in range(len(row))
        if i != j
    )
    expected = sum(times[c] * times[k] * distance(c, k) for c in times for k in times)
    return float(1 - observed / n / (expected / Fraction(n * (n - 1)))) if expected else math.nan


def gwet_ac(
    table: Sequence[Sequence[int | None]], weights: str | None = None, categories: Sequence[int] | None = None
) -> float:
    """Gwet (2014), section 4.5: items x raters, None is missing."""
    items = [[label for label in row if label is not None] for row in table]
    grades = sorted(categories or {label for row in items for label in row})
    q, reach = len(grades), grades[-1] - grades[0]
    if q < 2 or all(len(row) < 2 for row in items):
        return math.nan

    def w(c: int, k: int) -> Fraction:
        apart = abs(grades.index(c) - grades.index(k))
        return {
            None: lambda: Fraction(c == k),
            "linear": lambda: 1 - Fraction(abs(c - k), reach),
            "quadratic": lambda: 1 - Fraction((c - k) ** 2, reach**2),
            "ordinal": lambda: 1 - Fraction(math.comb(apart + 1, 2), math.comb(q, 2)),
        }[weights]()

    shares = []
    for row in items:
        m = len(row)
        if m >= 2:
            total = sum(w(row[i], row[j]) for i in range(m) for j in range(m) if i != j)
            shares.append(total / (m * (m - 1)))
    agreement = sum(shares) / len(shares)
    known = [row for row in items if row]
    pi = [sum(Fraction(row.count(c), len(row)) for row in known) / len(known) for c in grades]
    chance = sum(w(c, k) for c in grades for k in grades) / (q * (q - 1)) * sum(p * (1 - p) for p in pi)
    return float((agreement - chance) / (1 - chance))


def percent(table: Sequence[Sequence[int | None]], kind: str = "pairs") -> float:
    """The mean share of agreeing pairs of labels of an item, or the share of items with equal labels."""
    items = [[label for label in row if label is not None] for row in table]
    items = [row for row in items if len(row) >= 2]
    if kind == "all":
        return float(Fraction(sum(len(set(row)) == 1 for row in items), len(items)))
    shares = [
        Fraction(sum(a == b for i, a in enumerate(row) for b in row[:i]), math.comb(len(row), 2))
        for row in items
    ]
    return float(sum(shares) / len(shares))
