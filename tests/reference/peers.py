"""One ranking beside others, as written: all triples, one at a time."""

from __future__ import annotations

import math


def tau_b(x: list[float], y: list[float]) -> float:
    """Concordant minus discordant pairs, over the root of the pairs that each side unties."""
    pairs = [(i, j) for i in range(len(x)) for j in range(i)]
    signs = [((x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j])) for i, j in pairs]
    untied = [sum(each[side] != 0 for each in signs) for side in (0, 1)]
    return sum(a * b for a, b in signs) / math.sqrt(untied[0] * untied[1]) if all(untied) else math.nan


def differences(table: list[list[float]], least: int) -> list[tuple[float, float]]:
    """For each of the others: the mean over the rest k of c(first, k) - c(it, k), and the sum of weights.

    Both are of the systems that all three have; the weight is their number.
    """
    first, *others = table
    found = []
    for j, own in enumerate(others):
        total = weights = 0.0
        for k, other in enumerate(others):
            shared = [
                i
                for i, scores in enumerate(zip(first, own, other, strict=True))
                if not any(map(math.isnan, scores))
            ]
            if k == j or len(shared) < least:
                continue
            x, y, z = ([row[i] for i in shared] for row in (first, own, other))
            difference = tau_b(x, z) - tau_b(y, z)
            if not math.isnan(difference):
                total, weights = total + len(shared) * difference, weights + len(shared)
        if weights:
            found.append((total / weights, weights))
    return found
