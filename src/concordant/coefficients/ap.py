"""AP correlation and its treatments of ties: the head of the ranking counts more."""

from __future__ import annotations

from typing import Any, Literal

from concordant._engine import NEVER, Statistic, apply, directions, pick, ratio
from concordant._inputs import NanPolicy, one_of
from concordant._registry import coefficient
from concordant._relation import Threshold

__all__ = ["tau_ap", "tau_ap_a", "tau_ap_b", "tau_ap_e"]


def _mean_sign(n: Any, sign_y: Any) -> Any:
    return ratio(sign_y, n - 1)  # thesis eq. 4.2, the sign form of Yilmaz et al.


def _mean_stepped(n: Any, stepped: Any) -> Any:
    return ratio(stepped, n - 1)  # thesis eq. 4.4 and 6.2


def _both_discordant(sign_x: Any, pivots_x: Any, sign_y: Any, pivots_y: Any) -> Any:
    # A pair that is not concordant is discordant, tied in the other ranking or not: thesis eq. 4.7 and 4.8.
    return (ratio(sign_x, pivots_x) + ratio(sign_y, pivots_y)) / 2


def _both_neutral(net_x: Any, pivots_x: Any, net_y: Any, pivots_y: Any) -> Any:
    return (ratio(net_x, pivots_x) + ratio(net_y, pivots_y)) / 2


def _mean_equal(n: Any, equal: Any) -> Any:
    return ratio(equal, n - 1)  # thesis eq. 5.2 and 6.7


_TIED = ("discordant", "neutral")
_ALL_TIED = "all items are tied in x or in y"
_TAU_AP = directions(Statistic("tau_ap", _mean_sign, NEVER, "tau_ap_a, tau_ap_b or tau_ap_e"))
_TAU_AP_A = directions(Statistic("tau_ap_a", _mean_stepped, NEVER))
_TAU_AP_E = directions(Statistic("tau_ap_e", _mean_equal, NEVER))
_DISCORDANT = Statistic("tau_ap_b", _both_discordant, _ALL_TIED)
_NEUTRAL = Statistic("tau_ap_b", _both_neutral, _ALL_TIED)


def _tau_ap_b(tied: str = "discordant") -> Statistic:
    if tied == "discordant":
        return _DISCORDANT
    one_of("tau_ap_b", "tied", tied, _TIED)
    return _NEUTRAL


@coefficient(
    symbol=r"\tau_{ap}", cite="yilmaz2008", question="does y order the items as x does, above all at its head?",
    head_weighted=True, ties="refused", statistic=lambda symmetric=False: pick(_TAU_AP, symmetric),
)  # fmt: skip
def tau_ap(
    x: Any,
    y: Any,
    *,
    symmetric: bool = False,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:
    """AP correlation: how well `y` orders each item against those it places above it. Ties are an error.

    A swap near the head of `y` costs more than one near the tail. Not symmetric: `y` supplies the order that is
    walked.

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
        Value in [-1, 1]; nan if there are fewer than two items.

    See Also
    --------
    tau_ap_a, tau_ap_b, tau_ap_e : for rankings with ties.

    References
    ----------
    .. [1] Yilmaz, Aslam and Robertson, "A new rank correlation coefficient for information retrieval", SIGIR 2008.

    Examples
    --------
    >>> import concordant as cd
    >>> [round(cd.tau_ap([4, 3, 2, 1], y), 4) for y in ([3, 4, 2, 1], [4, 3, 1, 2])]  # head, tail exchanged
    [0.3333, 0.7778]
    """
    return apply(pick(_TAU_AP, symmetric), x, y, 0.0, axis, nan_policy, workers)


@coefficient(
    symbol=r"\tau_{ap,a}", cite="urbano2017",
    question="how accurately does y estimate the truth x, above all at its head, ties being undecided?",
    head_weighted=True, ties="unresolved", statistic=lambda symmetric=False: pick(_TAU_AP_A, symmetric),
)  # fmt: skip
def tau_ap_a(
    x: Any, y: Any, *, threshold: Threshold = 0.0, symmetric: bool = False, axis: int = -1, nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:  # fmt: skip
    """AP correlation of an estimate with the truth, averaged over every way of breaking the ties.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        True and estimated scores, larger is better. Labelled input is aligned by label.
    threshold : float, TieRelation or a pair of these, default 0
        Differences up to it count as ties; a pair gives one for x and one for y. Inclusive, with a slack for
        rounding: 0.4 and 0.3 are tied at 0.1. A `TieRelation` says itself what is tied, see `tied_by_significance`.
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
        Value in [-1, 1]; 0 if all items are tied, nan if there are fewer than two.

    Notes
    -----
    With a threshold, ties are not transitive. Items of y tied with exactly the same items form a group ("stepping")
    whose members share their positions; items above the group that are tied with a member count as neither. Under a
    `TieRelation` such groups need not stand together in y; then tau_ap_a is not defined, and that is an error.

    References
    ----------
    .. [1] Urbano and Marrero, "The treatment of ties in AP correlation", ICTIR 2017.
    .. [2] Radja, "Dealing with ties in rank correlation", TU Delft, 2018, eq. 4.4 and 6.2.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_ap_a([4, 3, 2, 1], [4, 2, 2, 2]), 4)  # [2] section 4.2
    0.6111
    """
    return apply(pick(_TAU_AP_A, symmetric), x, y, threshold, axis, nan_policy, workers)


@coefficient(
    symbol=r"\tau_{ap,b}", cite="urbano2017",
    question="how much do two observers agree, above all at the heads, neither having to repeat the other's ties?",
    symmetric=True, head_weighted=True, ties="removed", statistic=_tau_ap_b,
)  # fmt: skip
def tau_ap_b(
    x: Any, y: Any, *, threshold: Threshold = 0.0, tied: Literal["discordant", "neutral"] = "discordant",
    axis: int = -1, nan_policy: NanPolicy = "propagate", workers: int = 1,
) -> Any:  # fmt: skip
    """AP correlation of two observers: each item against those above its ties, the mean of both directions.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        Scores by two observers, larger is better. Labelled input is aligned by label.
    threshold : float, TieRelation or a pair of these, default 0
        Differences up to it count as ties; a pair gives one for x and one for y. Inclusive, with a slack for
        rounding: 0.4 and 0.3 are tied at 0.1. A `TieRelation` says itself what is tied, see `tied_by_significance`.
    tied : {"discordant", "neutral"}
        What a pair ordered in the ranking walked and tied in the other counts: -1, as the formula of [1] and [2] has
        it, or 0, as the tables 7.3 to 7.5 of [2] have it.
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
    .. [1] Urbano and Marrero, "The treatment of ties in AP correlation", ICTIR 2017.
    .. [2] Radja, "Dealing with ties in rank correlation", TU Delft, 2018, eq. 4.7 and 6.4.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_ap_b([5, 3.5, 3.5, 2, 1], [5, 3, 3, 1, 3]), 4)  # [2] section 4.3, items A to E, with its correct value
    0.75
    """
    return apply(_tau_ap_b(tied), x, y, threshold, axis, nan_policy, workers)


@coefficient(
    symbol=r"\tau_{ap,e}", cite="radja2018",
    question="does y rank as x does, above all at its head, a tie stating that the items are equal?",
    head_weighted=True, ties="judged", statistic=lambda symmetric=False: pick(_TAU_AP_E, symmetric),
)  # fmt: skip
def tau_ap_e(
    x: Any, y: Any, *, threshold: Threshold = 0.0, symmetric: bool = False, axis: int = -1, nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:  # fmt: skip
    """AP correlation for equal ties: a pair agrees if both rankings order it the same way or both tie it.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        Reference and estimated scores, larger is better. Labelled input is aligned by label.
    threshold : float, TieRelation or a pair of these, default 0
        Differences up to it count as ties; a pair gives one for x and one for y. Inclusive, with a slack for
        rounding: 0.4 and 0.3 are tied at 0.1. A `TieRelation` says itself what is tied, see `tied_by_significance`.
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
        Value in [-1, 1]; 1 if all items are tied in both, nan if there are fewer than two.

    Notes
    -----
    Items with exactly equal y have no order among them, on which the formula of [1] depends. The value is the mean over
    all their orders, in closed form.

    References
    ----------
    .. [1] Radja, "Dealing with ties in rank correlation", TU Delft, 2018, eq. 5.2 and 6.7.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_ap_e([5, 4, 3, 2, 1], [5, 3, 3, 3, 1]), 4)  # [1] section 5.2
    0.4167
    """
    return apply(pick(_TAU_AP_E, symmetric), x, y, threshold, axis, nan_policy, workers)
