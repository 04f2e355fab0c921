"""tau_gap: AP correlation in which the weight of a pair is the gap between its scores."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from concordant.coefficients.costs import CostFunctions, PairCosts, Side, into_range
from concordant.coefficients.engine import Statistic, apply, directions, pick, ratio
from concordant.coefficients.registration import declare
from concordant.rankings.compiled import core
from concordant.typing import Booleans, Floats, Integers, NanPolicy, RankingLike, Value

__all__ = ["tau_gap"]


def _mean_of_terms(gap: Any, gap_weight: Any) -> Any:
    return ratio(gap, gap_weight)


def _gaps(x: Side, y: Side, scale: float) -> PairCosts:
    """Return the costs of tau_gap: an item pays 2 gap / (sum of its gaps) for items above with smaller x."""
    n = len(x.scores)
    x = x._replace(scores=into_range(x.scores))
    own, ones = x.scores, np.ones(n)
    start, end = y.equal_first, y.equal_last
    up = _gap_sums(x, y.order, ones, start, own)
    reversed_x = x._replace(scores=-own, position=n - 1 - x.position, first=n - x.last, order=x.order[::-1])
    down = _gap_sums(reversed_x, y.order, ones, start, -own)
    # Items with equal y form a group, within which they are in the order of x.
    group = np.lexsort((x.position, start))
    head = np.concatenate([[True], np.diff(start[group]) != 0])
    larger = _group_gaps(own[group], np.ones(n), head)
    backwards = np.concatenate([head[1:], [True]])[::-1]
    smaller = _group_gaps(-own[group][::-1], np.ones(n), backwards)[::-1]
    larger_of, smaller_of = np.empty(n), np.empty(n)
    larger_of[group], smaller_of[group] = larger, smaller
    size = end - start
    others = np.maximum(size - 1, 1)
    mass, mass_within = up + down, (larger_of + smaller_of) / others
    # The cost of a gap to an item above, by the lower item, and of a gap to an item with equal y.
    by_gap, by_gap_within = np.empty(n), np.empty(n)
    core.slot_sums(mass, mass_within, size, by_gap, by_gap_within)
    slots = np.where(mass > 0, size, np.where(mass_within > 0, size - 1, 0))
    factor = 2 * scale / math.fsum((slots / size).tolist())
    by_gap *= factor / size
    by_gap_within *= factor / (size * others)
    total = down * by_gap + smaller_of * by_gap_within
    total += _gap_sums(x, y.order[::-1], by_gap, n - end, own)
    total[group] += _group_gaps(own[group], by_gap_within[group], head)

    def pair_costs(i: Integers, j: Integers) -> Floats:
        same = start[i] == start[j]
        lower_first = np.where(same, own[i] > own[j], start[i] > start[j])
        lower, upper = np.where(lower_first, i, j), np.where(lower_first, j, i)
        each = np.where(same, by_gap_within[lower], by_gap[lower])
        return np.maximum(own[lower] - own[upper], 0.0) * each

    return CostFunctions(lambda: total, pair_costs)


def _gap_sums(x: Side, walk: Integers, weights: Floats, ends: Integers, own: Floats) -> Floats:
    """Return, by item, the sum of weighted gaps to items with larger scores.

    These items are among the first `ends` of the walk.
    """
    order = np.ascontiguousarray(walk)
    out = np.empty(len(own))
    core.gap_sums_before(
        np.ascontiguousarray(x.scores[x.order]),
        x.position[order],
        weights[order],
        ends[order],
        x.first[order],
        own[order],
        out,
    )
    found = np.empty_like(out)
    found[order] = out
    return found


def _group_gaps(scores: Floats, weights: Floats, head: Booleans) -> Floats:
    """Return the weighted gaps of each item to those before it in its group.

    `head` marks the first item of each group; scores fall within a group.
    """
    out: Floats = np.empty(len(scores))
    core.gap_sums_within(
        np.ascontiguousarray(scores), np.ascontiguousarray(weights), np.ascontiguousarray(head), out
    )
    return out


def _costs(x: Side, y: Side, *, symmetric: bool = False) -> list[PairCosts]:
    return [_gaps(x, y, 0.5), _gaps(y, x, 0.5)] if symmetric else [_gaps(x, y, 1.0)]


_TAU_GAP = directions(
    Statistic("tau_gap", _mean_of_terms, "all {items} have the same score in {x}"),
    "all {items} have the same score in {x}, or all in {y}",
)


@declare(
    symbol=r"\tau_{GAP}",
    cite="gao2015",
    question="does y order the items as x does, above all at the top and at large gaps of x?",
    formula=r"""
    $$\tau_{GAP} = \frac{1}{m} \sum_i \frac{\sum_{j \in A_i} (x_j - x_i)}{\sum_{j \in A_i} |x_j - x_i|}$$

    $A_i$ holds the items above i in y. An item has a term if its denominator is not 0; $m$ is the number of
    terms. The formula is for y without ties; the notes say what is done with ties.
    """,
    top_weighted=True,
    gaps="reference",
    ties="values",
    statistic=lambda symmetric=False: pick(_TAU_GAP, symmetric),
    weights="ap",
    costs=_costs,
)
def tau_gap(
    x: RankingLike,
    y: RankingLike,
    *,
    symmetric: bool = False,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """AP correlation weighted by gaps.

    The term of an item of y is the sum of the signed gaps in x to the items above it, divided by the sum of
    the absolute gaps.

    The gaps are those of `x`; `y` gives only the order in which the items are visited.

    Notes
    -----
    An item whose gaps to the items above it are all zero has no term. The mean is over the items that have
    one, so that a perfect estimate gives 1. Items with equal y share their places: for each place, the sums
    are the expected ones if the order of the equal items is random. The paper does not say what to do in
    these two cases.

    It is not centred at zero: for a random y the expectation is positive where x has few large scores, and
    negative where it has few small ones. Theorem 2 of the paper says that it equals `tau_ap` for equally
    spaced scores. This holds only for three items or fewer: it needs all gaps to be equal, not only those
    between neighbours.

    References
    ----------
    .. [1] Gao and Oard, "A head-weighted gap-sensitive correlation coefficient", SIGIR 2015, eq. 3.

    Examples
    --------
    >>> import concordant as cd
    >>> x = [0.90, 0.50, 0.49, 0.10]
    >>> [round(cd.tau_gap(x, y), 4) for y in ([3, 4, 2, 1], [4, 2, 3, 1])]  # a large, a small gap exchanged
    [0.3333, 0.9837]
    """
    return apply(pick(_TAU_GAP, symmetric), x, y, 0.0, axis, nan_policy, workers)
