"""Means of one table of systems: their intervals, the ranks that are possible, and who is not told apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from concordant.scores.scores import coded
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.distributions import t_below, t_quantile
from concordant.statistics.significance import holm
from concordant.statistics.topic_luck import ROUNDING, moments_of_pairs
from concordant.typing import Booleans, Floats, Integers


def shared_ranks(means: Floats) -> Integers:
    """Return ranks along the last axis, 1 for the largest; equal values share the best of their ranks."""
    order = np.argsort(-means, axis=-1, kind="stable")
    ordered = np.take_along_axis(means, order, axis=-1)
    place = np.broadcast_to(np.arange(1, means.shape[-1] + 1), means.shape).copy()
    place[..., 1:][ordered[..., 1:] == ordered[..., :-1]] = 0
    ranks = np.empty_like(place)
    np.put_along_axis(ranks, order, np.maximum.accumulate(place, axis=-1), axis=-1)
    return ranks


def intervals_of_means(
    values: Floats, level: float, bounds: tuple[float, float] = (-math.inf, math.inf)
) -> list[ConfidenceInterval | None]:
    """Return mean +- t s / sqrt(n) of each column of topics x columns, within the bounds; nan is left out.

    It is None if fewer than two topics have a value, or if all values are the same, which gives no
    information about the error of the mean.
    """
    there = ~np.isnan(values)
    counts = there.sum(axis=0)
    # In a unit in which no square overflows: a power of two, so that nothing else changes.
    unit = 2.0 ** min(math.frexp(float(np.abs(np.where(there, values, 0.0)).max(initial=0.0)))[1], 1023)
    values = values / unit
    means = np.where(there, values, 0.0).sum(axis=0) / np.maximum(counts, 1)
    squares = (np.where(there, values - means, 0.0) ** 2).sum(axis=0)
    same = np.where(there, values, np.inf).min(axis=0) == np.where(there, values, -np.inf).max(axis=0)
    quantiles = {n: t_quantile((1 + level) / 2, n - 1) for n in set(counts.tolist()) if n > 1}
    found: list[ConfidenceInterval | None] = []
    for mean, n, square, equal in zip(
        means.tolist(), counts.tolist(), squares.tolist(), same.tolist(), strict=True
    ):
        if n < 2 or equal:
            found.append(None)
            continue
        half = quantiles[n] * math.sqrt(square / (n - 1) / n)
        low, high = (mean - half) * unit, (mean + half) * unit
        found.append(ConfidenceInterval(max(low, bounds[0]), min(high, bounds[1])))
    return found


def mean_of(values: Floats) -> float:
    """Return the mean of the values that are defined; nan if there are none."""
    there = values[~np.isnan(values)].tolist()
    return math.fsum(there) / len(there) if there else math.nan


def mean_and_ends(
    topics: Sequence[str], values: Floats, interval: ConfidenceInterval | None
) -> tuple[Any, ...]:
    """Return the mean, its interval, and the smallest and the largest value, each with its topic."""
    if np.isnan(values).all():
        return (None,) * 6
    low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
    return mean_of(values), interval, float(values[low]), topics[low], float(values[high]), topics[high]


_PRIOR = 10  # how many observations the median variance of pairs counts for
_MOST_GROUPS = 26  # letters
LEAST_ITEMS = 6  # fewer cannot show anything: if all five agree, the sign test has p = 2 / 32


def rows_of_clusters(scores: Floats, clusters: Sequence[str]) -> tuple[Floats, float]:
    """Return a row for each cluster of items, and how many clusters of equal size they are worth.

    The row of a cluster of g items is m + (g / mean g) (its mean - m), where m is the mean of all items.
    """
    codes, names = coded(clusters)
    sizes = np.bincount(codes).astype(np.float64)
    sums = np.zeros((len(names), scores.shape[1]))
    np.add.at(sums, codes, scores - scores.mean(axis=0))
    return scores.mean(axis=0) + sums / sizes.mean(), float(sizes.sum() ** 2 / (sizes**2).sum())


def pvalues_above(scores: Floats, freedom: float | None = None) -> Floats:
    """Return the one-sided p-values that system i (row) is not above system j, for items x systems.

    The variance of the differences of a pair is moderated by the median over pairs: two similar systems
    differ on few items, and a sample without these would have a tiny variance. The degrees of freedom are by
    default the number of items minus 1; clusters of different sizes have fewer.
    """
    scale = float(np.abs(scores).max(initial=0.0)) * ROUNDING
    n, k = scores.shape
    one, other = np.triu_indices(k, 1)
    means, squares = moments_of_pairs(scores, scale)
    means[np.abs(means) <= scale] = 0.0
    variances = squares / (n - 1)
    median = float(np.median(variances)) if k > 1 else 0.0
    moderated = ((n - 1) * variances + _PRIOR * median) / (n - 1 + _PRIOR)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = means / np.sqrt(moderated / n)
    # Of both orders of two systems one is above 1/2; it is 1 less the other.
    smaller = t_below(-np.abs(np.where(moderated > 0, t, 0.0)), n - 1 if freedom is None else freedom)
    larger = 1 - smaller
    smaller[moderated <= 0] = larger[moderated <= 0] = 1.0  # no claim
    is_above, pvalues = means >= 0, np.ones((k, k))
    pvalues[one, other] = np.where(is_above, smaller, larger)
    pvalues[other, one] = np.where(is_above, larger, smaller)
    return pvalues


def adjusted_for_pairs(pvalues: Floats) -> Floats:
    """Return the p-values with Holm's correction for all ordered pairs."""
    where = ~np.eye(len(pvalues), dtype=np.bool_)
    found = np.ones(pvalues.shape)
    found[where] = holm(pvalues[where], int(where.sum()))
    return found


def surely_above(pvalues: Floats, alpha: float = 0.05) -> Booleans:
    """Return whether i is surely above j, after Holm's correction for all ordered pairs."""
    k = len(pvalues)
    found: Booleans = pvalues <= alpha  # no other can be, after the correction
    np.fill_diagonal(found, False)
    found[found] = holm(pvalues[found], k * (k - 1)) <= alpha
    return found


def rank_sets(above: Booleans) -> Integers:
    """Return the first and the last rank that each system may have, all at once."""
    return np.array([1 + above.sum(axis=0), len(above) - above.sum(axis=1)]).T


def may_be_first(pvalues: Floats, alpha: float = 0.05) -> Booleans:
    """Return which systems may be the best."""
    return np.asarray(~(pvalues <= alpha / max(len(pvalues) - 1, 1)).any(axis=0))


def tiers(above: Booleans, order: Sequence[int]) -> Integers:
    """Return the tier of each place of an order, 1 for the best.

    A tier ends where every system above is surely above every system below.
    """
    ordered = above[np.ix_(order, order)]
    cuts = [bool(ordered[:place, place:].all()) for place in range(1, len(order))]
    return np.cumsum([1, *cuts])


def letters_of(above: Booleans, means: Floats) -> list[str | None]:
    """Return the letters of each system: two that share one are not told apart; None if over 26."""
    groups, k = not_told_apart(above, means), len(above)
    if groups is None:
        return [None] * k
    inside = list(map(set, groups))
    return ["".join(chr(97 + g) for g, own in enumerate(inside) if i in own) for i in range(k)]


def not_told_apart(above: Booleans, means: Floats) -> list[list[int]] | None:
    """Return all maximal sets of systems no two of which are told apart, the best first; None if over 26."""
    k = len(above)
    # Sets of systems are the bits of whole numbers.
    packed = np.packbits(~(above | above.T | np.eye(k, dtype=np.bool_)), axis=1, bitorder="little")
    near = [int.from_bytes(row.tobytes(), "little") for row in packed]
    found: list[list[int]] = []
    waiting = [(0, (1 << k) - 1, 0)]
    while waiting:  # Bron and Kerbosch, with a pivot
        chosen, left, done = waiting.pop()
        if not left and not done:
            found.append(sorted(_bits(chosen), key=lambda i: -means[i]))
            if len(found) > _MOST_GROUPS:
                return None
        if not left:
            continue
        others, most, enough = left, -1, left.bit_count() - 1
        for i in _bits(left | done):  # all that are not near the pivot, which is near as many as possible
            n_near = (near[i] & left).bit_count()
            if n_near > most:
                others, most = left & ~near[i], n_near
                if most >= enough:
                    break
        for i in _bits(others):
            waiting.append((chosen | 1 << i, left & near[i], done & near[i]))
            left, done = left & ~(1 << i), done | 1 << i
    return sorted(found, key=lambda group: (-means[group[0]], -means[group[-1]]))


def _bits(number: int) -> Iterator[int]:
    """Yield the places of the bits that are set, the lowest first."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
