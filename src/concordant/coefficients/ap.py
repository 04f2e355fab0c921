"""AP correlation and its treatments of ties: the top of the ranking counts more."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from concordant.checks import one_of
from concordant.coefficients.costs import PairCosts, Side, Triple, Walk, side
from concordant.coefficients.engine import ALL_TIED, NEVER, Statistic, Untied, apply, directions, pick, ratio
from concordant.coefficients.registration import declare
from concordant.errors import calling
from concordant.rankings.ties import Threshold
from concordant.typing import Counted, Floats, Integers, NanPolicy, RankingLike, Value

__all__ = ["tau_ap", "tau_ap_a", "tau_ap_b", "tau_ap_e"]


def _both_discordant(sign_x: Counted, pivots_x: Counted, sign_y: Counted, pivots_y: Counted) -> Any:
    # A pair that is not concordant is discordant, tied in the other ranking or not: Radja 2018, eq. 4.7 and
    # 4.8.
    return (ratio(sign_x, pivots_x) + ratio(sign_y, pivots_y)) / 2


def _both_neutral(net_x: Counted, pivots_x: Counted, net_y: Counted, pivots_y: Counted) -> Any:
    return (ratio(net_x, pivots_x) + ratio(net_y, pivots_y)) / 2


def _places(y: Side, stepping: bool) -> tuple[Integers, Integers, Floats, Floats]:
    """Return the start and end of the place of each item, and the weights of items and of pairs within it.

    A place holds items with equal scores; with `stepping`, items tied with exactly the same items. The weight
    of an item is the mean of 1 / (items above) over the slots of its place; the weight of a pair within a
    place is that of its lower item.
    """
    n = len(y.scores)
    if stepping:
        first, last = y.first[y.order], y.last[y.order]
        new = np.concatenate([[True], (np.diff(first) != 0) | (np.diff(last) != 0)])
        heads = np.flatnonzero(new)
    else:
        heads = np.unique(y.equal_first)
    sizes = np.diff(np.append(heads, n))
    start = np.repeat(heads, sizes)
    slot = np.arange(n)
    over = np.concatenate([[0.0], 1.0 / slot[1:]])
    weight = np.add.reduceat(over, heads) / sizes
    pairs = np.maximum(sizes * (sizes - 1) / 2, 1)
    within = np.add.reduceat((slot - start) * over, heads) / pairs
    spread = [start, start + np.repeat(sizes, sizes), np.repeat(weight, sizes), np.repeat(within, sizes)]
    return tuple(each[y.position] for each in spread)


def _costs(
    x: Side,
    y: Side,
    *,
    untied: Triple,
    tied: Triple,
    stepping: bool = False,
    symmetric: bool = False,
    form: str = "sign",
) -> list[PairCosts]:
    """Walk down y; for the mean of both directions, walk down x as well."""
    directions = ((x, y), (y, x)) if symmetric else ((x, y),)
    walks: list[PairCosts] = []
    for other, walked in directions:
        if form == "two_term":
            other = side(_broken_against(other.scores, walked.scores)[0], 0.0)  # noqa: PLW2901
        start, end, weight, within = _places(walked, stepping)
        scale = 1 / ((len(x.scores) - 1) * len(directions))
        walks.append(Walk(other, walked, weight * scale, within * scale, start, end, untied, tied, tied))
    return walks


def _costs_b(x: Side, y: Side, *, tied: str = "discordant", walks: str = "both") -> list[PairCosts]:
    factors = (0.0, 2.0 if tied == "discordant" else 1.0, 2.0)
    directions = {"y": ((x, y),), "x": ((y, x),), "both": ((x, y), (y, x))}[walks]
    found: list[PairCosts] = []
    for other, walked in directions:
        pivots = len(directions) * int((walked.first > 0).sum())
        with np.errstate(divide="ignore"):
            weight = np.where(walked.first > 0, 1.0 / walked.first, 0.0) / pivots
        places = walked.equal_first, walked.equal_last
        found.append(Walk(other, walked, weight, np.zeros(len(weight)), *places, factors))
    return found


def _broken_against(x: Floats, y: Floats, _spot: object = None) -> tuple[Floats, Floats]:
    """Break the ties of x against y: Radja's two-term form counts pairs that are tied in x as discordant."""
    broken = np.empty(len(x))
    broken[np.lexsort((-y, x))] = np.arange(len(x))
    return broken, y


_costs_undecided = functools.partial(_costs, untied=(0.0, 1.0, 2.0), tied=(1.0, 1.0, 1.0))
_UNTIED = Untied(
    low=Statistic("tau_ap", lambda n, broken_against: ratio(broken_against, n - 1), NEVER),
    high=Statistic("tau_ap", lambda n, broken_for: ratio(broken_for, n - 1), NEVER),
    divisor=lambda above: above,
)
_TIED_IN_X, _TIED_IN_Y = "all {items} are tied in {x}", "all {items} are tied in {y}"
# Radja 2018: eq. 4.2, the sign form of Yilmaz et al.; eq. 4.4 and 6.2; eq. 5.2 and 6.7.
_SIGN = Statistic("tau_ap", lambda n, sign_y: ratio(sign_y, n - 1), NEVER, "tau_ap_a, tau_ap_b or tau_ap_e")
_STEPPED = Statistic("tau_ap_a", lambda n, stepped: ratio(stepped, n - 1), NEVER)
_EQUAL = Statistic("tau_ap_e", lambda n, equal: ratio(equal, n - 1), NEVER)
_TAU_AP, _TAU_AP_A, _TAU_AP_E = (
    directions(replace(each, untied=_UNTIED), NEVER) for each in (_SIGN, _STEPPED, _EQUAL)
)
_TWO_TERM = {each: replace(one, prepare=_broken_against) for each, one in _TAU_AP_A.items()}


def _tau_ap_a(symmetric: bool = False, form: str = "sign") -> Statistic:
    if form == "sign":
        return pick(_TAU_AP_A, symmetric)
    with calling("tau_ap_a"):
        one_of("form", form, ("sign", "two_term"))
    return pick(_TWO_TERM, symmetric)


def _walk_y(sign_y: Counted, pivots_y: Counted) -> Any:
    return ratio(sign_y, pivots_y)


def _walk_x(sign_x: Counted, pivots_x: Counted) -> Any:
    return ratio(sign_x, pivots_x)


def _walk_y_neutral(net_y: Counted, pivots_y: Counted) -> Any:
    return ratio(net_y, pivots_y)


def _walk_x_neutral(net_x: Counted, pivots_x: Counted) -> Any:
    return ratio(net_x, pivots_x)


_TAU_AP_B = {
    ("both", "discordant"): Statistic("tau_ap_b", _both_discordant, ALL_TIED, untied=_UNTIED.both()),
    ("both", "neutral"): Statistic("tau_ap_b", _both_neutral, ALL_TIED, untied=_UNTIED.both()),
    ("y", "discordant"): Statistic("tau_ap_b", _walk_y, _TIED_IN_Y, untied=_UNTIED),
    ("y", "neutral"): Statistic("tau_ap_b", _walk_y_neutral, _TIED_IN_Y, untied=_UNTIED),
    ("x", "discordant"): Statistic("tau_ap_b", _walk_x, _TIED_IN_X),
    ("x", "neutral"): Statistic("tau_ap_b", _walk_x_neutral, _TIED_IN_X),
}


def _tau_ap_b(tied: str = "discordant", walks: str = "both") -> Statistic:
    if tied != "discordant" or walks != "both":
        with calling("tau_ap_b"):
            one_of("tied", tied, ("discordant", "neutral"))
            one_of("walks", walks, ("both", "x", "y"))
    return _TAU_AP_B[walks, tied]


@declare(
    symbol=r"\tau_{ap}",
    cite="yilmaz2008",
    question="does y order the items as x does, above all at the top?",
    formula=r"""
    $$\tau_{ap} = \frac{2}{n - 1} \sum_{i=2}^{n} \frac{C_i}{i - 1} - 1$$

    Item $i$ is the one at position $i$ of y, the best at position 1. $C_i$ is the number of items above it
    in y that have a larger score in x.
    """,
    centred=True,
    top_weighted=True,
    ties="error",
    statistic=lambda symmetric=False: pick(_TAU_AP, symmetric),
    weights="ap",
    costs=_costs_undecided,
)
def tau_ap(
    x: RankingLike,
    y: RankingLike,
    *,
    symmetric: bool = False,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """AP correlation: how well `y` orders each item against those it places above it. Ties are an error.

    An exchange near the top of `y` costs more than one near the bottom. It is not symmetric: the
    formula walks down the ranking `y`.

    See Also
    --------
    tau_ap_a, tau_ap_b, tau_ap_e : for rankings with ties.

    References
    ----------
    .. [1] Yilmaz, Aslam and Robertson, "A new rank correlation coefficient for information retrieval", SIGIR
       2008.

    Examples
    --------
    An exchange at the top costs more than one at the bottom:

    >>> import concordant as cd
    >>> [round(cd.tau_ap([4, 3, 2, 1], y), 4) for y in ([3, 4, 2, 1], [4, 3, 1, 2])]
    [0.3333, 0.7778]
    """
    return apply(pick(_TAU_AP, symmetric), x, y, 0.0, axis, nan_policy, workers)


@declare(
    symbol=r"\tau_{ap,a}",
    cite="urbano2017",
    question="how accurately does y estimate the reference x, above all at the top, ties undecided?",
    formula=r"""
    $$\tau_{ap,a} = \frac{1}{n - 1} \sum_{i: \, p_i > 1}
    \Bigl( \sum_{j: \, p_j < p_i} s^x_{ij} s^y_{ij} \Bigr)
    \; \frac{1}{t_i} \sum_{k=1}^{t_i} \frac{1}{p_i + k - 2}$$

    $s^x_{ij}$ is the sign of $x_i - x_j$, and 0 if i and j are tied in x; $s^y_{ij}$ is the same for y.
    $t_i$ is the number of items in the group of i in y, and $p_i$ the first position of this group, counted
    from 1. A group holds the items that are tied with exactly the same items; without a threshold, these
    are the items with equal scores.
    """,
    centred=True,
    top_weighted=True,
    ties="undecided",
    statistic=_tau_ap_a,
    weights="ap",
    costs=functools.partial(_costs_undecided, stepping=True),
)
def tau_ap_a(
    x: RankingLike,
    y: RankingLike,
    *,
    threshold: Threshold = 0.0,
    symmetric: bool = False,
    form: Literal["sign", "two_term"] = "sign",
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """AP correlation of an estimate with the reference, averaged over every way of breaking the ties.

    Notes
    -----
    With a threshold, ties are not transitive. Items of y tied with exactly the same items form a group
    ("stepping") whose members share their positions. Items above the group that are tied with a member count
    neither as concordant nor as discordant. Under a `TieRelation`, items with equal y form a group, joined
    with the next ones while all their items are tied with the same items; other items keep their positions.

    ``form="two_term"`` is the older form, eq. 2.8 of [2], without a threshold. It is the same if x has no
    ties. Otherwise pairs that are tied in x count as discordant. The row P@10 of table 7.2 of [2] was
    computed with it; there is no other use for it.

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
    return apply(_tau_ap_a(symmetric, form), x, y, threshold, axis, nan_policy, workers)


@declare(
    symbol=r"\tau_{ap,b}",
    cite="urbano2017",
    question="how much do two rankings agree, above all at the top, ties ignored?",
    formula=r"""
    $$\tau_{ap,b} = \frac{f(x, y) + f(y, x)}{2}, \qquad
    f(x, y) = \frac{1}{m} \sum_{i: \, A_i \ne \emptyset} \frac{1}{|A_i|} \sum_{j \in A_i} c_{ij}$$

    $A_i$ holds the items above i in y that are not tied with it in y; $m$ is the number of items for which
    there are any. $c_{ij}$ is 1 if j is above i in x too, and not tied with it in x; otherwise it is -1.
    With `tied="neutral"` it is 0 if i and j are tied in x.
    """,
    symmetric=True,
    centred=True,
    top_weighted=True,
    ties="ignored",
    statistic=_tau_ap_b,
    weights="ap",
    costs=_costs_b,
)
def tau_ap_b(
    x: RankingLike,
    y: RankingLike,
    *,
    threshold: Threshold = 0.0,
    tied: Literal["discordant", "neutral"] = "discordant",
    walks: Literal["both", "x", "y"] = "both",
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """AP correlation of two rankings with ties ignored: the mean of both directions.

    Each item is compared with the items above those that it is tied with.

    Notes
    -----
    A pair that is ordered in the ranking that is walked down and tied in the other counts -1, as in the
    formula of [1] and [2]. With ``tied="neutral"`` it counts 0, as in tables 7.3 to 7.5 of [2].

    ``walks="y"`` is one direction alone, f(x, y), which [2] calls tau_ap_ties; ``walks="x"`` is the other.

    References
    ----------
    .. [1] Urbano and Marrero, "The treatment of ties in AP correlation", ICTIR 2017.
    .. [2] Radja, "Dealing with ties in rank correlation", TU Delft, 2018, eq. 4.7 and 6.4.

    Examples
    --------
    The items A to E of [2], section 4.3:

    >>> import concordant as cd
    >>> round(cd.tau_ap_b([5, 3.5, 3.5, 2, 1], [5, 3, 3, 1, 3]), 4)
    0.75
    """
    return apply(_tau_ap_b(tied, walks), x, y, threshold, axis, nan_policy, workers)


@declare(
    symbol=r"\tau_{ap,e}",
    cite="radja2018",
    question="does y rank as x does, above all at the top, a tie meaning equality?",
    formula=r"""
    $$\tau_{ap,e} = \frac{2}{n - 1} \sum_{i=2}^{n} \frac{E_i}{i - 1} - 1$$

    Item $i$ is the one at position $i$ of y, the best at position 1. $E_i$ is the number of items j above
    it that x and y order, or tie, in the same way: $s^x_{ij} = s^y_{ij}$, where $s^x_{ij}$ is the sign of
    $x_i - x_j$, and 0 if i and j are tied in x. If items have equal scores in y, the value is the mean over
    all their orders.
    """,
    centred=True,
    top_weighted=True,
    ties="equality",
    statistic=lambda symmetric=False: pick(_TAU_AP_E, symmetric),
    weights="ap",
    costs=functools.partial(_costs, untied=(0.0, 2.0, 2.0), tied=(2.0, 0.0, 2.0)),
)
def tau_ap_e(
    x: RankingLike,
    y: RankingLike,
    *,
    threshold: Threshold = 0.0,
    symmetric: bool = False,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """AP correlation for equal ties: a pair agrees if both rankings order it the same way or both tie it.

    Notes
    -----
    The formula of [1] depends on the order of items with exactly equal y, which is not given. The value here
    is the mean over all orders of these items, in closed form.

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
