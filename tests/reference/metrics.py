"""Agreement of metrics with people, as the definitions say: pair by pair, flip by flip, exchange by exchange.

A table has a row for each system and a column for each segment, None where people gave no score.
"""

from __future__ import annotations

import itertools
from fractions import Fraction


def sign(value):
    """Return -1, 0 or 1."""
    return (value > 0) - (value < 0)


def mean(values):
    """Return the exact mean."""
    return sum(map(Fraction, values)) / len(values)


def means(human, metric):
    """Return the means of both sides over the segments with a human score, for systems that have one."""
    found = []
    for x, y in zip(human, metric, strict=True):
        own = [(a, b) for a, b in zip(x, y, strict=True) if a is not None]
        if own:
            found.append((mean([a for a, _ in own]), mean([b for _, b in own])))
    return found


def pairwise_accuracy(*tables):
    """Return the pooled share of pairs of systems in the same order; tables are pairs of human and metric."""
    right = total = 0
    for human, metric in tables:
        for (a, b), (c, d) in itertools.combinations(means(human, metric), 2):
            right += sign(a - c) == sign(b - d)
            total += 1
    return Fraction(right, total)


def soft_pairwise_accuracy(human, metric, ties):
    """Return 1 - mean |p - p|, with all flips enumerated."""
    gaps = []
    for i, j in itertools.combinations(range(len(human)), 2):
        both = [s for s in range(len(human[0])) if human[i][s] is not None and human[j][s] is not None]
        if both:
            sides = [[Fraction(t[i][s]) - Fraction(t[j][s]) for s in both] for t in (human, metric)]
            gaps.append(abs(share_of_flips(sides[0], ties) - share_of_flips(sides[1], ties)))
    return 1 - sum(gaps) / len(gaps)


def share_of_flips(differences, ties):
    """Return the share of flips with a sum that is no smaller than the observed sum."""
    observed, hits, total = sum(differences), Fraction(0), 0
    for signs in itertools.product((1, -1), repeat=len(differences)):
        flipped = sum(s * d for s, d in zip(signs, differences, strict=True))
        hits += 1 if flipped > observed or (flipped == observed and ties == "count") else 0
        hits += Fraction(1, 2) if flipped == observed and ties == "half" else 0
        total += 1
    return hits / total


def groups(human, metric, by):
    """Return lists of a human and a metric score, for groups of two or more."""
    cells = [
        (i, s, Fraction(h), Fraction(metric[i][s]))
        for i, row in enumerate(human)
        for s, h in enumerate(row)
        if h is not None
    ]
    key = {"item": lambda c: c[1], "system": lambda c: c[0], "none": lambda _: 0}[by]
    found = {}
    for cell in cells:
        found.setdefault(key(cell), []).append(cell[2:])
    return [own for own in found.values() if len(own) > 1]


def acc_eq(found, epsilon):
    """Return the mean over groups of the share of pairs with the same relation."""
    shares = []
    for own in found:
        pairs = list(itertools.combinations(own, 2))
        right = sum(sign(a - c) == (0 if abs(b - d) <= epsilon else sign(b - d)) for (a, b), (c, d) in pairs)
        shares.append(Fraction(right, len(pairs)))
    return sum(shares) / len(shares)


def calibrate(found):
    """Return the smallest of the best epsilons, and the accuracy there."""
    gaps = {abs(b - d) for own in found for (_, b), (_, d) in itertools.combinations(own, 2)}
    best = max(acc_eq(found, epsilon) for epsilon in gaps | {0})
    return min(epsilon for epsilon in gaps | {0} if acc_eq(found, epsilon) == best), best


def perm_pairs(human, first, second, epsilons, by):
    """Return second - first accuracy, and the share of exchanges of outcomes that is at least as large."""
    steps, sides = [], [groups(human, own, by) for own in (first, second)]
    for one, other in zip(*sides, strict=True):
        pairs = list(zip(*(itertools.combinations(own, 2) for own in (one, other)), strict=True))
        for ((a, b), (c, d)), ((_, e), (_, f)) in pairs:
            right = [
                sign(a - c) == (0 if abs(gap) <= epsilon else sign(gap))
                for gap, epsilon in zip((b - d, e - f), epsilons, strict=True)
            ]
            steps.append(Fraction(right[1] - right[0], len(pairs) * len(sides[0])))
    moves = [step for step in steps if step]
    sums = [
        sum(s * m for s, m in zip(signs, moves, strict=True))
        for signs in itertools.product((1, -1), repeat=len(moves))
    ]
    return sum(steps), Fraction(sum(own >= sum(steps) for own in sums), len(sums))
