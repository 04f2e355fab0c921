"""tau_gap: AP correlation in which the weight of a pair is the gap between its scores."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from concordant.coefficients.costs import CostFunctions, PairCosts, Side, into_range
from concordant.coefficients.engine import Statistic, apply, directions, pick, ratio
from concordant.coefficients.registration import declare
from concordant.rankings.compiled import core
from concordant.rankings.ties import Threshold
from concordant.typing import Booleans, Counted, Floats, Integers, NanPolicy, RankingLike, Value

__all__ = ["tau_gap"]


def _mean_of_terms(gap: Counted, gap_weight: Counted) -> Any:
    return ratio(gap, gap_weight)


class _Sums(NamedTuple):
    """Sums of gaps by item, without those of tied pairs.

    To the items above it in y and to those with equal y, each apart for larger and for smaller scores in x.
    """

    up: Floats
    down: Floats
    larger: Floats
    smaller: Floats


def _terms(sums: _Sums, size: Integers) -> tuple[Floats, Floats, float]:
    """Spread the items with equal y over their places.

    Return, by item, the means over its places of 1 / mass and of (share of the group above) / mass, and the
    weight of all terms.
    """
    others = np.maximum(size - 1, 1)
    mass, mass_within = sums.up + sums.down, (sums.larger + sums.smaller) / others
    by_gap, by_gap_within = np.empty((2, len(size)))
    core.slot_sums(mass, mass_within, size, by_gap, by_gap_within)
    slots = np.where(mass > 0, size, np.where(mass_within > 0, size - 1, 0))
    return by_gap / size, by_gap_within / (size * others), math.fsum((slots / size).tolist())


def gap_fields(sums: _Sums, size: Integers) -> tuple[float, float]:
    """Return the fields of the core, the sum of the terms and their weight."""
    by_gap, by_gap_within, weight = _terms(sums, size)
    every = (sums.up - sums.down) * by_gap + (sums.larger - sums.smaller) * by_gap_within
    return math.fsum(every.tolist()), weight


def sums_of_sides(x: Side, y: Side) -> _Sums:
    """Return the sums of gaps whose ties are those of the sides, in O(n log n)."""
    n, start, ones = len(x.scores), y.equal_first, np.ones(len(x.scores))
    turned = x._replace(scores=-x.scores, position=n - 1 - x.position, first=n - x.last, order=x.order[::-1])
    up, down = (_gap_sums(each, y.order, ones, start) for each in (x, turned))
    if (y.equal_last - start == 1).all():
        return _Sums(up, down, np.zeros(n), np.zeros(n))
    return _Sums(up, down, *(_gap_sums_within(each, start, ones) for each in (x, turned)))


def sums_of_relation(x: Floats, y: Floats, tied: Booleans) -> _Sums:
    """Return the sums of gaps under any relation of ties, in O(n^2)."""
    order = np.lexsort((x, y))  # so that rounding does not depend on the order of the items
    x, y, tied = x[order], y[order], tied[np.ix_(order, order)]
    gaps = np.where(tied, 0.0, x[:, None] - x)  # [j, i]
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    which = (y[:, None] > y, y[:, None] == y)
    parts = (np.maximum(sign * gaps, 0.0) * rows for rows in which for sign in (1, -1))
    return _Sums(*(part.sum(axis=0)[place] for part in parts))


def _gaps(x: Side, y: Side, scale: float) -> PairCosts:
    """Return the costs of tau_gap: an item pays 2 gap / (sum of its gaps) for items above with smaller x."""
    n = len(x.scores)
    x = x._replace(scores=into_range(x.scores))
    own, start, end = x.scores, y.equal_first, y.equal_last
    sums = sums_of_sides(x, y)
    *means, weight = _terms(sums, end - start)
    # The cost of a gap to an item above, by the lower item, and of a gap to an item with equal y.
    by_gap, by_gap_within = (2 * scale / weight * each for each in means)
    total = sums.down * by_gap + sums.smaller * by_gap_within
    total += _gap_sums(x, y.order[::-1], by_gap, n - end)
    total += _gap_sums_within(x, start, by_gap_within)

    def pair_costs(i: Integers, j: Integers) -> Floats:
        same = start[i] == start[j]
        lower_first = np.where(same, own[i] > own[j], start[i] > start[j])
        lower, upper = np.where(lower_first, i, j), np.where(lower_first, j, i)
        each = np.where(same, by_gap_within[lower], by_gap[lower])
        return np.where(x.position[upper] >= x.last[lower], own[lower] - own[upper], 0.0) * each

    return CostFunctions(lambda: total, pair_costs)


def _gap_sums(x: Side, walk: Integers, weights: Floats, ends: Integers) -> Floats:
    """Return, by item, the sum of weighted gaps to items with larger scores that are not tied with it.

    These items are among the first `ends` of the walk.
    """
    order = np.ascontiguousarray(walk)
    out = np.empty(len(order))
    core.gap_sums_before(
        np.ascontiguousarray(x.scores[x.order]),
        x.position[order],
        weights[order],
        ends[order],
        x.first[order],
        x.scores[order],
        out,
    )
    found = np.empty_like(out)
    found[order] = out
    return found


def _gap_sums_within(x: Side, start: Integers, weights: Floats) -> Floats:
    """Return the same for items of the same group, which has the same `start`.

    Places are those in the order of groups, then of x. The walk goes backwards, so that the items walked
    that have an earlier place are of the same group.
    """
    n, order = len(start), np.lexsort((x.position, start))
    first = np.searchsorted(start[order] * n + x.position[order], start * n + x.first)
    position = np.empty_like(order)
    position[order] = np.arange(n)
    return _gap_sums(x._replace(order=order, position=position, first=first), order[::-1], weights, n - start)


def _costs(x: Side, y: Side, *, symmetric: bool = False) -> list[PairCosts]:
    return [_gaps(x, y, 0.5), _gaps(y, x, 0.5)] if symmetric else [_gaps(x, y, 1.0)]


_TAU_GAP = directions(
    Statistic("tau_gap", _mean_of_terms, "all {items} are tied in {x}"),
    "all {items} are tied in {x}, or all in {y}",
)


@declare(
    symbol=r"\tau_{GAP}",
    cite="gao2015",
    question="does y order the items as x does, above all at the top and at large gaps of x?",
    formula=r"""
    $$\tau_{GAP} = \frac{1}{m} \sum_i \frac{\sum_{j \in A_i} (x_j - x_i)}{\sum_{j \in A_i} |x_j - x_i|}$$

    $A_i$ holds the items above i in y that are not tied with it in x. An item has a term if its denominator
    is not 0; $m$ is the number of terms. The formula is for y without ties; the notes say what is done with
    them.
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
    threshold: Threshold = 0.0,
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

    With a threshold, or a `TieRelation` such as that of `tied_by_significance`, the gap of a pair that is
    tied in x counts as 0, in the numerator and the denominator. [1] names this as future work. y supplies the
    order only, so that its own threshold is used for ``symmetric=True`` alone. A relation takes O(n^2) time.

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
    return apply(pick(_TAU_GAP, symmetric), x, y, threshold, axis, nan_policy, workers)
