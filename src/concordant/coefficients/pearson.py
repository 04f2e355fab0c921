"""Coefficients of scores and ranks after Pearson: Pearson Rank, Pearson's r, Spearman's rho."""

from __future__ import annotations

from typing import Any

from concordant._engine import Statistic, apply, clamped, directions, pick, ratio, root_of_product
from concordant._inputs import NanPolicy
from concordant._registry import coefficient

__all__ = ["pearson_r", "pearson_rank", "spearman_rho"]


def _mean_cosine(rank: Any, rank_weight: Any) -> Any:
    return ratio(rank, rank_weight)


def _of_scores(moment_xx: Any, moment_yy: Any, moment_xy: Any) -> Any:
    return clamped(ratio(moment_xy, root_of_product(moment_xx, moment_yy)))


def _of_midranks(midrank_xx: Any, midrank_yy: Any, midrank_xy: Any) -> Any:
    return clamped(ratio(midrank_xy, root_of_product(midrank_xx, midrank_yy)))


_CONSTANT = "all items have the same score in x or in y"
_PEARSON_RANK = directions(Statistic("pearson_rank", _mean_cosine, "x has fewer than three different scores"))
_PEARSON_R = Statistic("pearson_r", _of_scores, _CONSTANT)
_SPEARMAN_RHO = Statistic("spearman_rho", _of_midranks, _CONSTANT)


@coefficient(
    symbol=r"\rho_{r}",
    cite="gao2016",
    question="does y reproduce the gaps between the scores of x, above all at its head?",
    head_weighted=True,
    gap_sensitive=True,
    ties="natural",
    statistic=lambda symmetric=False: pick(_PEARSON_RANK, symmetric),
)
def pearson_rank(
    x: Any,
    y: Any,
    *,
    symmetric: bool = False,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:
    """Pearson Rank: down x, the cosine between each item's gaps to those above it in x and in y, weighted by its score.

    Gap errors count even if no items are exchanged; only the gaps of y matter, not its scale or offset.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        Reference and estimated scores, larger is better. Labelled input is aligned by label.
    symmetric : bool, default False
        Return the mean of both directions, f(x, y) and f(y, x).
    axis : int, default -1
        The axis that holds the items; the others broadcast.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: give nan, raise an error that says where, or leave the item out.
    workers : int, default 1
        Threads for batches; -1 for all cores. The values do not depend on it.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1]; nan if x has fewer than three different scores.

    Notes
    -----
    The weights are the scores of x brought to [0, 1], so the last item has none. Items tied in x are not above each
    other. An item whose gaps in y are all zero counts 0: y shows no gap where x has one. The paper leaves these open;
    its Theorem 1 should say that any y = a x + b gives 1 for a > 0 and -1 for a < 0.

    References
    ----------
    .. [1] Gao, Bagdouri and Oard, "Pearson Rank: a head-weighted gap-sensitive score-based correlation coefficient",
       SIGIR 2016, eq. 1.

    Examples
    --------
    >>> import concordant as cd
    >>> x = [0.9, 0.7, 0.5, 0.3, 0.1]
    >>> round(cd.pearson_rank(x, [5, 4, 3, 2, 1]), 4), round(cd.pearson_rank(x, [9, 4, 3, 2, 1]), 4)
    (1.0, 0.9762)
    """
    return apply(pick(_PEARSON_RANK, symmetric), x, y, 0.0, axis, nan_policy, workers)


@coefficient(
    symbol="r",
    cite="pearson1895",
    question="are the scores of y a linear function of those of x?",
    symmetric=True,
    gap_sensitive=True,
    ties="natural",
    statistic=lambda: _PEARSON_R,
)
def pearson_r(
    x: Any,
    y: Any,
    *,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:
    """Pearson's correlation of the scores.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        Reference and estimated scores, larger is better. Labelled input is aligned by label.
    axis : int, default -1
        The axis that holds the items; the others broadcast.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: give nan, raise an error that says where, or leave the item out.
    workers : int, default 1
        Threads for batches; -1 for all cores. The values do not depend on it.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1]; nan if all items have the same x or the same y, or there are fewer than two.

    References
    ----------
    .. [1] Pearson, "Note on regression and inheritance in the case of two parents", Proceedings of the Royal Society 58,
       1895.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.pearson_r([4, 3, 2, 1], [9, 3, 2, 1]), 4)
    0.898
    """
    return apply(_PEARSON_R, x, y, 0.0, axis, nan_policy, workers)


@coefficient(
    symbol=r"\rho",
    cite="spearman1904",
    question="are the ranks in y a linear function of those in x?",
    symmetric=True,
    ties="natural",
    statistic=lambda: _SPEARMAN_RHO,
)
def spearman_rho(
    x: Any,
    y: Any,
    *,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:
    """Spearman's rho: Pearson's correlation of the ranks, tied items sharing the mean of theirs.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        Reference and estimated scores, larger is better. Labelled input is aligned by label.
    axis : int, default -1
        The axis that holds the items; the others broadcast.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: give nan, raise an error that says where, or leave the item out.
    workers : int, default 1
        Threads for batches; -1 for all cores. The values do not depend on it.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1]; nan if all items are tied in x or in y, or there are fewer than two.

    References
    ----------
    .. [1] Spearman, "The proof and measurement of association between two things", American Journal of Psychology 15,
       1904.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.spearman_rho([4, 3, 2, 1], [9, 3, 1, 2]), 4)
    0.8
    """
    return apply(_SPEARMAN_RHO, x, y, 0.0, axis, nan_policy, workers)
