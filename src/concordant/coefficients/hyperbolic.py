"""tau_h: Kendall's tau with a weight for each pair that falls with the ranks of its items."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from concordant.checks import one_of
from concordant.coefficients.costs import PairCosts, Side, costs_of_untied
from concordant.coefficients.engine import ALL_TIED, Statistic, apply, ratio, root_of_product
from concordant.coefficients.registration import declare
from concordant.errors import calling
from concordant.typing import Counted, NanPolicy, RankingLike, Value

__all__ = ["tau_h"]


def _by_x(by_x_net: Counted, by_x_untied_x: Counted, by_x_untied_y: Counted) -> Any:
    return ratio(by_x_net, root_of_product(by_x_untied_x, by_x_untied_y))


def _by_y(by_y_net: Counted, by_y_untied_x: Counted, by_y_untied_y: Counted) -> Any:
    return ratio(by_y_net, root_of_product(by_y_untied_x, by_y_untied_y))


def _mean_of_both_ranks(
    by_x_net: Counted,
    by_x_untied_x: Counted,
    by_x_untied_y: Counted,
    by_y_net: Counted,
    by_y_untied_x: Counted,
    by_y_untied_y: Counted,
) -> Any:
    by_x = _by_x(by_x_net, by_x_untied_x, by_x_untied_y)
    return (by_x + _by_y(by_y_net, by_y_untied_x, by_y_untied_y)) / 2


def _costs(x: Side, y: Side, *, rank: str = "both") -> list[PairCosts]:
    directions = {"x": ((x, y),), "y": ((y, x),), "both": ((x, y), (y, x))}[rank]
    walks: list[PairCosts] = []
    for first, second in directions:
        order = np.lexsort((-second.scores, -first.scores))
        weight = 1.0 / np.arange(1, len(order) + 1)
        # Items that are equal in both rankings have no order, so that they share their weights.
        same = (np.diff(first.scores[order]) == 0) & (np.diff(second.scores[order]) == 0)
        heads = np.flatnonzero(np.concatenate([[True], ~same]))
        sizes = np.diff(np.append(heads, len(order)))
        shared = np.empty(len(order))
        shared[order] = np.repeat(np.add.reduceat(weight, heads) / sizes, sizes)
        walk, n = costs_of_untied(x, y, shared), len(directions)
        walks.append(walk._replace(weight=walk.weight / n, within=walk.within / n))
    return walks


_TAU_H = {
    "both": Statistic("tau_h", _mean_of_both_ranks, ALL_TIED),
    "x": Statistic("tau_h", _by_x, ALL_TIED),
    "y": Statistic("tau_h", _by_y, ALL_TIED),
}


def _tau_h(rank: str = "both") -> Statistic:
    if rank != "both":
        with calling("tau_h"):
            one_of("rank", rank, tuple(_TAU_H))
    return _TAU_H[rank]


@declare(
    symbol=r"\tau_{h}",
    cite="vigna2015",
    question="how much do two rankings agree, with weights that fall as 1 / rank, ties ignored?",
    formula=r"""
    $$\tau_h = \frac{v(r^x) + v(r^y)}{2}, \qquad
    v(r) = \frac{\sum_{i<j} w_{ij} \, s^x_{ij} s^y_{ij}}
    {\sqrt{\sum_{i<j} w_{ij} \, |s^x_{ij}| \; \sum_{i<j} w_{ij} \, |s^y_{ij}|}}, \qquad
    w_{ij} = \frac{1}{r_i} + \frac{1}{r_j}$$

    $s^x_{ij}$ is the sign of $x_i - x_j$, 0 for a tie; $s^y_{ij}$ is the same for y. $r^x$ are the ranks by
    x, the best is 1, where ties are broken by y. $r^y$ are the ranks by y, where ties are broken by x.
    """,
    symmetric=True,
    centred=True,
    top_weighted=True,
    ties="ignored",
    statistic=_tau_h,
    weights="hyperbolic",
    costs=_costs,
)
def tau_h(
    x: RankingLike,
    y: RankingLike,
    *,
    rank: Literal["both", "x", "y"] = "both",
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Vigna's additive hyperbolic tau: Kendall's tau with pair weights 1/rank_i + 1/rank_j, ties ignored.

    Notes
    -----
    It is the mean of two values: one ranks the items by x and breaks ties by y, the other ranks them by y and
    breaks ties by x. It equals ``scipy.stats.weightedtau``. ``rank="x"`` or ``rank="y"`` is one of the two,
    which is not symmetric.

    References
    ----------
    .. [1] Vigna, "A weighted correlation index for rankings with ties", WWW 2015.

    Examples
    --------
    >>> import concordant as cd
    >>> x = list(range(10, 0, -1))
    >>> top, bottom = [9, 10, *x[2:]], [*x[:8], 1, 2]
    >>> round(cd.tau_h(x, top), 4), round(cd.tau_h(x, bottom), 4)
    (0.8862, 0.984)
    """
    return apply(_tau_h(rank), x, y, 0.0, axis, nan_policy, workers)
