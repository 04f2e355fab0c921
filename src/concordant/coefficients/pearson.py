"""Coefficients of scores and ranks after Pearson: Pearson Rank, Pearson's r, Spearman's rho."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from concordant.checks import one_of
from concordant.coefficients.costs import BLOCK, CostFunctions, PairCosts, Side, into_range, near_one
from concordant.coefficients.engine import Statistic, apply, clamped, directions, pick, ratio, root_of_product
from concordant.coefficients.registration import declare
from concordant.errors import ArgumentError, calling, option
from concordant.typing import Counted, Floats, Integers, NanPolicy, RankingLike, Value

__all__ = ["pearson_r", "pearson_rank", "spearman_rho"]


def _mean_cosine(rank: Counted, rank_weight: Counted) -> Any:
    return ratio(rank, rank_weight)


def _of_scores(moment_xx: Counted, moment_yy: Counted, moment_xy: Counted) -> Any:
    return clamped(ratio(moment_xy, root_of_product(moment_xx, moment_yy)))


def _of_midranks(midrank_xx: Counted, midrank_yy: Counted, midrank_xy: Counted) -> Any:
    return clamped(ratio(midrank_xy, root_of_product(midrank_xx, midrank_yy)))


def _moments(x: Floats, y: Floats) -> list[PairCosts]:
    """Return the costs of Pearson's r: 1 - r is half the squared distance of the standardised scores."""
    z = _standardised(x) - _standardised(y)
    squares = z * z

    def pair_costs(i: Integers, j: Integers) -> Floats:
        return (z[i] - z[j]) ** 2 / (2 * len(z))

    return [CostFunctions(lambda: squares / 2 + float(squares.mean()) / 2, pair_costs)]


def _standardised(values: Floats) -> Floats:
    scaled = near_one(values)
    scaled = scaled - scaled[0]  # this is exact even for a large offset; the rest has a small mean
    centred = scaled - math.fsum(scaled.tolist()) / len(scaled)
    spread: Floats = centred / np.abs(centred).max()
    return spread / math.sqrt(math.fsum((spread * spread).tolist()))


def _costs_r(x: Side, y: Side) -> list[PairCosts]:
    return _moments(x.scores, y.scores)


def _costs_rho(x: Side, y: Side) -> list[PairCosts]:
    return _moments(*(-(side.equal_first + side.equal_last) / 2 for side in (x, y)))


def _cosines(x: Floats, y: Floats, share: float, scale: str) -> PairCosts:
    """Return the costs of pearson_rank: a weighted mean of cosines of the gaps to the items above in x.

    1 minus a cosine is half the squared distance of the unit vectors. The computation takes O(n^2),
    because every item has vectors of its own.
    """
    n = len(x)
    x, y = into_range(x), into_range(y)
    weight = near_one(np.where(x < x.max(), x - (x.min() if scale == "minmax" else 0.0), 0.0))
    weight = weight / math.fsum(weight.tolist()) * share  # the weight of each item, and of all items
    lengths_x, lengths_y, total = np.zeros((3, n))  # lengths of the vectors of each item

    def pair_costs(i: Integers, j: Integers) -> Floats:
        first_lower = x[i] < x[j]
        lower, upper = np.where(first_lower, i, j), np.where(first_lower, j, i)
        gap_x = x[upper] - x[lower]
        gap_y = np.where(gap_x > 0, y[upper] - y[lower], 0.0)
        length_x, length_y = lengths_x[lower], lengths_y[lower]
        u = np.divide(gap_x, length_x, out=np.zeros(gap_x.shape), where=length_x > 0)
        v = np.divide(gap_y, length_y, out=np.zeros(gap_x.shape), where=length_y > 0)
        # Without gaps in y the cosine counts as 0.
        half_square = np.where(length_y > 0, (u - v) ** 2 / 2, u * u)
        return np.where(gap_x > 0, weight[lower] * half_square, 0.0)

    step = max(1, BLOCK // n)
    for start in range(0, n, step):
        lower = np.arange(start, min(start + step, n))
        gap_x = np.maximum(x - x[lower, None], 0.0)
        gap_y = np.where(gap_x > 0, y - y[lower, None], 0.0)
        lengths_x[lower], lengths_y[lower] = _lengths(gap_x), _lengths(gap_y)
        costs = pair_costs(lower[:, None], np.arange(n)[None, :]) * (gap_x > 0)
        total[lower] += costs.sum(axis=1)
        total += costs.sum(axis=0)
    return CostFunctions(lambda: total, pair_costs)


def _lengths(rows: Floats) -> Floats:
    """Return the lengths of vectors, also where their squares are too small for doubles."""
    largest = np.abs(rows).max(axis=1)
    scaled = rows / np.where(largest > 0, largest, 1.0)[:, None]
    lengths: Floats = largest * np.sqrt((scaled * scaled).sum(axis=1))
    return lengths


def _costs_rank(x: Side, y: Side, *, symmetric: bool = False, scale: str = "minmax") -> list[PairCosts]:
    sides = ((x.scores, y.scores), (y.scores, x.scores)) if symmetric else ((x.scores, y.scores),)
    return [_cosines(a, b, 1 / len(sides), scale) for a, b in sides]


def _with_zero(x: Floats, y: Floats, spot: Callable[[int], str]) -> tuple[Floats, Floats]:
    """Add an item with the score 0 below all others: scaled to [0, 1], the scores keep their ratios.

    It is above no item and has no weight.
    """
    if len(x) and x.min() < 0:
        k = int(x.argmin())
        must = "the scores are the weights and must not be negative"
        raise ArgumentError(f"a score is {x[k]:g} at {spot(k)}; with {option('scale', 'none')} {must}")
    return (np.append(x, 0.0), np.append(y, y[0])) if len(x) > 1 else (x, y)


_CONSTANT = "all {items} have the same score in {x} or in {y}"
_PEARSON_RANK = directions(
    Statistic("pearson_rank", _mean_cosine, "{x} has fewer than three different scores"),
    "{x} or {y} has fewer than three different scores",
)
_BY_GIVEN = directions(
    replace(_PEARSON_RANK[False], undefined="{x} has no positive score below its best", prepare=_with_zero),
    "{x} or {y} has no positive score below its best",
)


def _pearson_rank(symmetric: bool = False, scale: str = "minmax") -> Statistic:
    if scale == "minmax":
        return pick(_PEARSON_RANK, symmetric)
    with calling("pearson_rank"):
        one_of("scale", scale, ("minmax", "none"))
    return pick(_BY_GIVEN, symmetric)


_PEARSON_R = Statistic("pearson_r", _of_scores, _CONSTANT)
_SPEARMAN_RHO = Statistic("spearman_rho", _of_midranks, _CONSTANT)


@declare(
    symbol=r"\rho_{r}",
    cite="gao2016",
    question="does y reproduce the gaps between the scores of x, above all at the top?",
    formula=r"""
    $$\rho_r = \frac{\sum_i w_i \cos_i}{\sum_i w_i}, \qquad
    \cos_i = \frac{\sum_{j \in A_i} (x_j - x_i)(y_j - y_i)}
    {\sqrt{\sum_{j \in A_i} (x_j - x_i)^2 \; \sum_{j \in A_i} (y_j - y_i)^2}}, \qquad
    w_i = \frac{x_i - \min x}{\max x - \min x}$$

    $A_i$ holds the items j with $x_j > x_i$. The sums over i are over the items with at least one such j.
    $\cos_i$ is 0 if all $y_j = y_i$.
    """,
    top_weighted=True,
    gaps="both",
    ties="values",
    statistic=_pearson_rank,
    weights="scores",
    costs=_costs_rank,
)
def pearson_rank(
    x: RankingLike,
    y: RankingLike,
    *,
    symmetric: bool = False,
    scale: Literal["minmax", "none"] = "minmax",
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Pearson Rank: for each item, the cosine between its gaps in x and in y to the items above it in x.

    The value is the mean of the cosines, weighted by the scores of x.

    An error in a gap counts even if no items are exchanged. The scale and the offset of y do not matter.

    Notes
    -----
    The weights are the scores of x scaled to [0, 1], so that the last item has the weight 0. With
    ``scale="none"`` they are the scores as given, which must not be negative. Items that are
    tied in x are not above each other. An item whose gaps in y are all zero counts 0. The paper does not
    define these cases. Its Theorem 1 should say that y = a x + b gives 1 for a > 0 and -1 for a < 0.

    References
    ----------
    .. [1] Gao, Bagdouri and Oard, "Pearson Rank: a head-weighted gap-sensitive score-based correlation
       coefficient", SIGIR 2016, eq. 1.

    Examples
    --------
    >>> import concordant as cd
    >>> x = [0.9, 0.7, 0.5, 0.3, 0.1]
    >>> round(cd.pearson_rank(x, [5, 4, 3, 2, 1]), 4), round(cd.pearson_rank(x, [9, 4, 3, 2, 1]), 4)
    (1.0, 0.9762)
    """
    return apply(_pearson_rank(symmetric, scale), x, y, 0.0, axis, nan_policy, workers)


@declare(
    symbol="r",
    cite="pearson1895",
    question="are the scores of y a linear function of those of x?",
    formula=r"""
    $$r = \frac{\sum_i (x_i - \bar x)(y_i - \bar y)}
    {\sqrt{\sum_i (x_i - \bar x)^2 \; \sum_i (y_i - \bar y)^2}}$$

    $\bar x$ and $\bar y$ are the means of the scores.
    """,
    symmetric=True,
    centred=True,
    gaps="both",
    ties="values",
    statistic=lambda: _PEARSON_R,
    costs=_costs_r,
)
def pearson_r(
    x: RankingLike, y: RankingLike, *, axis: int = -1, nan_policy: NanPolicy = "propagate", workers: int = 1
) -> Value:
    """Pearson's correlation of the scores.

    References
    ----------
    .. [1] Pearson, "Note on regression and inheritance in the case of two parents", Proceedings of the Royal
       Society 58, 1895.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.pearson_r([4, 3, 2, 1], [9, 3, 2, 1]), 4)
    0.898
    """
    return apply(_PEARSON_R, x, y, 0.0, axis, nan_policy, workers)


@declare(
    symbol=r"\rho",
    cite="spearman1904",
    question="are the ranks in y a linear function of those in x?",
    formula=r"""
    $$\rho = \frac{\sum_i (R^x_i - \bar R)(R^y_i - \bar R)}
    {\sqrt{\sum_i (R^x_i - \bar R)^2 \; \sum_i (R^y_i - \bar R)^2}}, \qquad \bar R = \frac{n + 1}{2}$$

    $R^x_i$ and $R^y_i$ are the ranks of item i in x and in y; tied items share the mean of their ranks.
    """,
    symmetric=True,
    centred=True,
    ties="values",
    statistic=lambda: _SPEARMAN_RHO,
    costs=_costs_rho,
)
def spearman_rho(
    x: RankingLike, y: RankingLike, *, axis: int = -1, nan_policy: NanPolicy = "propagate", workers: int = 1
) -> Value:
    """Spearman's rho: Pearson's correlation of the ranks; tied items share the mean of their ranks.

    References
    ----------
    .. [1] Spearman, "The proof and measurement of association between two things", American Journal of
       Psychology 15, 1904.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.spearman_rho([4, 3, 2, 1], [9, 3, 1, 2]), 4)
    0.8
    """
    return apply(_SPEARMAN_RHO, x, y, 0.0, axis, nan_policy, workers)
