"""Several rankings made one, as the definitions say: by systems, by all orders, by all permutations.

A table has a row for each ranking and a column for each system, None where the ranking lacks the system.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction


def beaten(row, i):
    """Return how many systems of a row are below one of them, a tied one counting half."""
    others = [value for j, value in enumerate(row) if value is not None and j != i]
    return sum(Fraction((value < row[i]) * 2 + (value == row[i]), 2) for value in others)


def win_rate(table):
    """Return the mean over rankings of the share of the other systems that are below."""
    found = []
    for i in range(len(table[0])):
        rows = [row for row in table if row[i] is not None and sum(value is not None for value in row) > 1]
        shares = [beaten(row, i) / (sum(value is not None for value in row) - 1) for row in rows]
        found.append(float(sum(shares) / len(shares)) if shares else math.nan)
    return found


def borda(table):
    """Return the sum over rankings of the number of systems below."""
    return [float(sum(beaten(row, i) for row in table)) for i in range(len(table[0]))]


def mean_rank(table):
    """Return the mean over rankings of the mid-rank."""
    n = len(table[0])
    return [float(sum(n - beaten(row, i) for row in table) / len(table)) for i in range(n)]


def mean_z(table):
    """Return the mean over rankings of (score - mean) / sd, sd with divisor n."""
    sums, counts = [0.0] * len(table[0]), [0] * len(table[0])
    for row in table:
        known = [Fraction(value) for value in row if value is not None]
        mean = sum(known) / len(known) if known else 0
        spread = math.sqrt(sum((value - mean) ** 2 for value in known) / len(known)) if known else 0
        for i, value in enumerate(row):
            if value is not None and spread:
                sums[i] += float(Fraction(value) - mean) / spread
                counts[i] += 1
    return [total / count if count else math.nan for total, count in zip(sums, counts, strict=True)]


def kemeny(table):
    """Return the least distance, the number of orders with it, and the mean place of each system in these."""
    n = len(table[0])

    def distance(order):
        total = Fraction(0)
        for row in table:
            for above, below in itertools.combinations(order, 2):
                if row[above] is not None and row[below] is not None:
                    total += Fraction((row[above] < row[below]) * 2 + (row[above] == row[below]), 2)
        return total

    distances = {order: distance(order) for order in itertools.permutations(range(n))}
    least = min(distances.values())
    best = [order for order, value in distances.items() if value == least]
    places = [float(Fraction(sum(order.index(i) + 1 for order in best), len(best))) for i in range(n)]
    return {"distance": float(least), "n_orders": len(best), "rank": places}


def kendall_w(table):
    """Return Kendall's W and its p-value over all permutations of all rankings but the first."""
    m, n = len(table), len(table[0])
    ranks = [[n - beaten(row, i) for i in range(n)] for row in table]

    def squares(rows):
        return sum((sum(own) - Fraction(m * (n + 1), 2)) ** 2 for own in zip(*rows, strict=True))

    ties = sum(t**3 - t for row in table for t in (row.count(value) for value in set(row)))
    most = m**2 * (n**3 - n) - m * ties
    if m < 2 or n < 2 or not most:
        return math.nan, math.nan
    others = [list(itertools.permutations(row)) for row in ranks[1:]]
    drawn = [squares([ranks[0], *rows]) for rows in itertools.product(*others)]
    hits = sum(value >= squares(ranks) for value in drawn)
    return float(12 * squares(ranks) / most), hits / len(drawn)
