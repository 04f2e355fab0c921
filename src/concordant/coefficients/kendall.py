"""Kendall's tau and its treatments of ties: every pair of items counts the same."""

from __future__ import annotations

from typing import Any

from concordant._engine import NEVER, Statistic, apply, n_pairs, ratio, root_of_product
from concordant._inputs import NanPolicy
from concordant._registry import coefficient
from concordant._relation import Threshold

__all__ = ["tau", "tau_a", "tau_b", "tau_e"]


def _net_over_pairs(n: Any, concordant: Any, discordant: Any) -> Any:
    return ratio(concordant - discordant, n_pairs(n))  # thesis eq. 2.3 and 6.1


def _net_over_untied(concordant: Any, discordant: Any, untied_x: Any, untied_y: Any) -> Any:
    return ratio(concordant - discordant, root_of_product(untied_x, untied_y))  # thesis eq. 2.4 and 6.3


def _equal_over_pairs(n: Any, concordant: Any, discordant: Any, untied_x: Any, untied_y: Any) -> Any:
    pairs = n_pairs(n)
    tied_both = pairs - untied_x - untied_y + concordant + discordant
    return ratio(2 * (concordant + tied_both) - pairs, pairs)  # thesis eq. 5.1 and 6.6


_TAU = Statistic("tau", _net_over_pairs, NEVER, "tau_a, tau_b or tau_e")
_TAU_A = Statistic("tau_a", _net_over_pairs, NEVER)
_TAU_B = Statistic("tau_b", _net_over_untied, "all items are tied in x or in y")
_TAU_E = Statistic("tau_e", _equal_over_pairs, NEVER)


@coefficient(
    symbol=r"\tau", cite="kendall1938", question="do two rankings without ties order the items the same way?",
    symmetric=True, ties="refused", statistic=lambda: _TAU,
)  # fmt: skip
def tau(x: Any, y: Any, *, axis: int = -1, nan_policy: NanPolicy = "propagate", workers: int = 1) -> Any:
    """Kendall's tau: concordant minus discordant pairs, over all pairs. Ties are an error.

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
        Value in [-1, 1]; nan if there are fewer than two items.

    See Also
    --------
    tau_a, tau_b, tau_e : for rankings with ties.

    References
    ----------
    .. [1] Kendall, "A new measure of rank correlation", Biometrika 30, 1938.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau([4, 3, 2, 1], [4, 3, 1, 2]), 4)
    0.6667
    """
    return apply(_TAU, x, y, 0.0, axis, nan_policy, workers)


@coefficient(
    symbol=r"\tau_{a}", cite="kendall1945", question="how accurately does y estimate the truth x, ties being undecided?",
    symmetric=True, ties="unresolved", statistic=lambda: _TAU_A,
)  # fmt: skip
def tau_a(
    x: Any, y: Any, *, threshold: Threshold = 0.0, axis: int = -1, nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:  # fmt: skip
    """Kendall's tau_a: concordant minus discordant pairs, over all pairs; a tied pair counts as neither.

    The mean of tau over all ways of breaking the ties: a tie is an order not resolved, which costs half of what
    the wrong order costs.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        Reference and estimated scores, larger is better. Labelled input is aligned by label.
    threshold : float, TieRelation or a pair of these, default 0
        Differences up to it count as ties; a pair gives one for x and one for y. Inclusive, with a slack for
        rounding: 0.4 and 0.3 are tied at 0.1. A `TieRelation` says itself what is tied, see `tied_by_significance`.
    axis : int, default -1
        The axis that holds the items; the others broadcast.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: give nan, raise an error that says where, or leave the item out.
    workers : int, default 1
        Threads for batches; -1 for all cores. The values do not depend on it.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1]; 0 if all items are tied, nan if there are fewer than two.

    References
    ----------
    .. [1] Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945.
    .. [2] Radja, "Dealing with ties in rank correlation", TU Delft, 2018, eq. 2.3 and 6.1.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_a([5, 4, 3, 2, 1], [5, 3, 3, 3, 1]), 4)  # [2] section 2.1.2
    0.7
    """
    return apply(_TAU_A, x, y, threshold, axis, nan_policy, workers)


@coefficient(
    symbol=r"\tau_{b}", cite="kendall1945", question="how much do two observers agree, neither having to repeat the other's ties?",
    symmetric=True, ties="removed", statistic=lambda: _TAU_B,
)  # fmt: skip
def tau_b(
    x: Any, y: Any, *, threshold: Threshold = 0.0, axis: int = -1, nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:  # fmt: skip
    """Kendall's tau_b: concordant minus discordant pairs, over the pairs that each ranking orders.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        Scores by two observers, larger is better. Labelled input is aligned by label.
    threshold : float, TieRelation or a pair of these, default 0
        Differences up to it count as ties; a pair gives one for x and one for y. Inclusive, with a slack for
        rounding: 0.4 and 0.3 are tied at 0.1. A `TieRelation` says itself what is tied, see `tied_by_significance`.
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
    The same as the statistic of ``scipy.stats.kendalltau``.

    References
    ----------
    .. [1] Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945.
    .. [2] Radja, "Dealing with ties in rank correlation", TU Delft, 2018, eq. 2.4 and 6.3.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_b([5, 3.5, 3.5, 2, 1], [5, 3, 3, 3, 1]), 4)  # [2] section 2.1.3
    0.8819
    """
    return apply(_TAU_B, x, y, threshold, axis, nan_policy, workers)


@coefficient(
    symbol=r"\tau_{e}", cite="radja2018", question="do two rankings agree, a tie stating that the items are equal?",
    symmetric=True, ties="judged", statistic=lambda: _TAU_E,
)  # fmt: skip
def tau_e(
    x: Any, y: Any, *, threshold: Threshold = 0.0, axis: int = -1, nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:  # fmt: skip
    """Tau for equal ties: a pair agrees if both rankings order it the same way or both tie it.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        Reference and estimated scores, larger is better. Labelled input is aligned by label.
    threshold : float, TieRelation or a pair of these, default 0
        Differences up to it count as ties; a pair gives one for x and one for y. Inclusive, with a slack for
        rounding: 0.4 and 0.3 are tied at 0.1. A `TieRelation` says itself what is tied, see `tied_by_significance`.
    axis : int, default -1
        The axis that holds the items; the others broadcast.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: give nan, raise an error that says where, or leave the item out.
    workers : int, default 1
        Threads for batches; -1 for all cores. The values do not depend on it.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1]; 1 if all items are tied in both, nan if there are fewer than two.

    Notes
    -----
    A pair tied in one ranking only disagrees, also if its scores are in the same order: with a threshold the
    signs are those of the thresholded differences throughout.

    References
    ----------
    .. [1] Radja, "Dealing with ties in rank correlation", TU Delft, 2018, eq. 5.1 and 6.6.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_e([5, 4, 3, 2, 1], [5, 3, 3, 3, 1]), 4)  # [1] section 5.1
    0.4
    """
    return apply(_TAU_E, x, y, threshold, axis, nan_policy, workers)
