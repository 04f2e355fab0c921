"""tau_h: Kendall's tau_b with a weight for each pair that falls with the ranks of its items."""

from __future__ import annotations

from typing import Any

from concordant._engine import Statistic, apply, ratio, root_of_product
from concordant._inputs import NanPolicy
from concordant._registry import coefficient

__all__ = ["tau_h"]


def _mean_of_both_ranks(
    by_x_net: Any,
    by_x_untied_x: Any,
    by_x_untied_y: Any,
    by_y_net: Any,
    by_y_untied_x: Any,
    by_y_untied_y: Any,
) -> Any:
    by_x = ratio(by_x_net, root_of_product(by_x_untied_x, by_x_untied_y))
    by_y = ratio(by_y_net, root_of_product(by_y_untied_x, by_y_untied_y))
    return (by_x + by_y) / 2


_TAU_H = Statistic("tau_h", _mean_of_both_ranks, "all items are tied in x or in y")


@coefficient(
    symbol=r"\tau_{h}",
    cite="vigna2015",
    question="how much do two observers agree, with weights that fall as 1 / rank, ties left out?",
    symmetric=True,
    head_weighted=True,
    ties="removed",
    statistic=lambda: _TAU_H,
)
def tau_h(
    x: Any,
    y: Any,
    *,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:
    """Vigna's additive hyperbolic tau: tau_b in which a pair weighs 1 / rank of its one item plus that of the other.

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

    Notes
    -----
    The mean of two values: with ranks by x, ties by y; and with ranks by y, ties by x. The same as
    ``scipy.stats.weightedtau``.

    References
    ----------
    .. [1] Vigna, "A weighted correlation index for rankings with ties", WWW 2015.

    Examples
    --------
    >>> import concordant as cd
    >>> x = list(range(10, 0, -1))
    >>> head, tail = [9, 10, *x[2:]], [*x[:8], 1, 2]
    >>> round(cd.tau_h(x, head), 4), round(cd.tau_h(x, tail), 4)
    (0.8862, 0.984)
    """
    return apply(_TAU_H, x, y, 0.0, axis, nan_policy, workers)
