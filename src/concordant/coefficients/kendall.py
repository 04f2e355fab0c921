"""Kendall's tau and its treatments of ties: every pair of items counts the same."""

from __future__ import annotations

import functools
from typing import Any, Literal

import numpy as np

from concordant.checks import one_of
from concordant.coefficients.costs import PairCosts, Regions, Side, Walk, costs_of_untied
from concordant.coefficients.engine import (
    ALL_TIED,
    NEVER,
    Statistic,
    Untied,
    apply,
    n_pairs,
    ratio,
    root_of_product,
)
from concordant.coefficients.registration import declare
from concordant.errors import calling
from concordant.rankings.ties import Threshold
from concordant.typing import NanPolicy, RankingLike, Value

__all__ = ["gamma", "somers_d", "tau", "tau_a", "tau_b", "tau_c", "tau_e"]


def _net_over_pairs(n: Any, concordant: Any, discordant: Any) -> Any:
    return ratio(concordant - discordant, n_pairs(n))  # Radja 2018, eq. 2.3 and 6.1


def _net_over_untied(concordant: Any, discordant: Any, untied_x: Any, untied_y: Any) -> Any:
    return ratio(concordant - discordant, root_of_product(untied_x, untied_y))  # Radja 2018, eq. 2.4 and 6.3


def _equal_over_pairs(n: Any, concordant: Any, discordant: Any, untied_x: Any, untied_y: Any) -> Any:
    pairs = n_pairs(n)
    tied_both = pairs - untied_x - untied_y + concordant + discordant
    return ratio(2 * (concordant + tied_both) - pairs, pairs)  # Radja 2018, eq. 5.1 and 6.6


def _net_over_table(n: Any, concordant: Any, discordant: Any, levels_x: Any, levels_y: Any) -> Any:
    k = np.minimum(levels_x, levels_y)  # Stuart 1953, eq. 3.4
    return ratio(2 * k * (concordant - discordant), n * n * (k - 1.0))


def _net_over_ordered(concordant: Any, discordant: Any) -> Any:
    return ratio(concordant - discordant, concordant + discordant)


def _net_over_untied_x(concordant: Any, discordant: Any, untied_x: Any) -> Any:
    return ratio(concordant - discordant, untied_x)  # Somers 1962


def _net_over_untied_y(concordant: Any, discordant: Any, untied_y: Any) -> Any:
    return ratio(concordant - discordant, untied_y)


def _net_over_mean(concordant: Any, discordant: Any, untied_x: Any, untied_y: Any) -> Any:
    return ratio(2 * (concordant - discordant), untied_x + untied_y)


def _walk(
    x: Side, y: Side, pairs: float, *, tied_x: float, tied_y: float, tied_both: float = 0.0
) -> list[PairCosts]:
    """Return the costs of pairs that all have the same weight, 1 / pairs.

    A discordant pair costs 2; the costs of pairs that are tied in x only, in y only or in both are arguments.
    """
    weight, tied = np.full(len(x.scores), 1 / pairs), (tied_y, tied_both, tied_y)
    return [Walk(x, y, weight, weight, y.equal_first, y.equal_last, (0.0, tied_x, 2.0), tied, tied)]


def _costs(x: Side, y: Side, *, tied_one: float, tied_both: float) -> list[PairCosts]:
    pairs = n_pairs(len(x.scores))
    return _walk(x, y, pairs, tied_x=tied_one, tied_y=tied_one, tied_both=tied_both)


def _counts(x: Side, y: Side) -> tuple[float, float, float]:
    """Return the numbers of pairs that are untied in both, tied in x only, and tied in y only."""
    number = Regions(x, y, np.ones(len(x.scores), dtype=np.int64))
    agree, tied_x, oppose = number.between(None, y.first)
    above, _, below = number.between(y.first, y.last)
    return float((agree + oppose).sum()), float(tied_x.sum()), float((above + below).sum()) / 2


def _costs_c(x: Side, y: Side) -> list[PairCosts]:
    """Divide what is not the order of pairs equally among the tied pairs."""
    n, (untied, *_) = len(x.scores), _counts(x, y)
    k = min(len(np.unique(side.scores)) for side in (x, y))
    pairs, tied = n * n * (k - 1) / k / 2, n_pairs(n) - untied
    rest = (pairs - untied) / tied if tied else 0.0
    return _walk(x, y, pairs, tied_x=rest, tied_y=rest, tied_both=rest)


def _costs_gamma(x: Side, y: Side) -> list[PairCosts]:
    return _walk(x, y, _counts(x, y)[0], tied_x=0.0, tied_y=0.0)


def _costs_d(x: Side, y: Side, *, dependent: str = "y") -> list[PairCosts]:
    untied, only_x, only_y = _counts(x, y)
    of_x, of_y = {"y": (0.0, 1.0), "x": (1.0, 0.0), "both": (0.5, 0.5)}[dependent]
    return _walk(x, y, untied + of_x * only_x + of_y * only_y, tied_x=of_x, tied_y=of_y)


def _costs_b(x: Side, y: Side) -> list[PairCosts]:
    return [costs_of_untied(x, y, np.full(len(x.scores), 0.5))]


_UNTIED = Untied(
    low=Statistic("tau", lambda n, concordant: ratio(2 * concordant - n_pairs(n), n_pairs(n)), NEVER),
    high=Statistic("tau", lambda n, discordant: ratio(n_pairs(n) - 2 * discordant, n_pairs(n)), NEVER),
    divisor=np.ones_like,
)
_TAU = Statistic("tau", _net_over_pairs, NEVER, "tau_a, tau_b or tau_e", untied=_UNTIED)
_TAU_A = Statistic("tau_a", _net_over_pairs, NEVER, untied=_UNTIED)
_TAU_B = Statistic("tau_b", _net_over_untied, ALL_TIED, untied=_UNTIED)
_TAU_E = Statistic("tau_e", _equal_over_pairs, NEVER, untied=_UNTIED)
_TAU_C = Statistic("tau_c", _net_over_table, ALL_TIED, untied=_UNTIED)
_GAMMA = Statistic("gamma", _net_over_ordered, "no pair is untied in both {x} and {y}", untied=_UNTIED)
_SOMERS_D = {
    "y": Statistic("somers_d", _net_over_untied_x, "all {items} are tied in {x}", untied=_UNTIED),
    "x": Statistic("somers_d", _net_over_untied_y, "all {items} are tied in {y}", untied=_UNTIED),
    "both": Statistic("somers_d", _net_over_mean, "all {items} are tied in {x} and in {y}", untied=_UNTIED),
}


def _somers_d(dependent: str = "y") -> Statistic:
    with calling("somers_d"):
        one_of("dependent", dependent, tuple(_SOMERS_D))
    return _SOMERS_D[dependent]


@declare(
    symbol=r"\tau",
    cite="kendall1938",
    question="do two rankings without ties order the items the same way?",
    formula=r"""
    $$\tau = \frac{C - D}{\binom{n}{2}}$$

    $C$ and $D$ are the numbers of concordant and discordant pairs of the $n$ items.
    """,
    symmetric=True,
    centred=True,
    ties="error",
    statistic=lambda: _TAU,
    costs=functools.partial(_costs, tied_one=1.0, tied_both=1.0),
)
def tau(
    x: RankingLike, y: RankingLike, *, axis: int = -1, nan_policy: NanPolicy = "propagate", workers: int = 1
) -> Value:
    """Kendall's tau: concordant minus discordant pairs, over all pairs. Ties are an error.

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


@declare(
    symbol=r"\tau_{a}",
    cite="kendall1945",
    question="how accurately does y estimate the reference x, ties undecided?",
    formula=r"""
    $$\tau_a = \frac{C - D}{\binom{n}{2}}$$

    $C$ and $D$ are the numbers of concordant and discordant pairs of the $n$ items. A pair that is tied in
    x or in y counts in neither.
    """,
    symmetric=True,
    centred=True,
    ties="undecided",
    statistic=lambda: _TAU_A,
    costs=functools.partial(_costs, tied_one=1.0, tied_both=1.0),
)
def tau_a(
    x: RankingLike,
    y: RankingLike,
    *,
    threshold: Threshold = 0.0,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Kendall's tau_a: concordant minus discordant pairs, over all pairs; a tied pair counts as neither.

    It is the mean of tau over all ways of breaking the ties. A tie means that the order is not known, and
    costs half as much as the wrong order.

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


@declare(
    symbol=r"\tau_{b}",
    cite="kendall1945",
    question="how much do two rankings agree, ties ignored?",
    formula=r"""
    $$\tau_b = \frac{C - D}{\sqrt{U_x \, U_y}}$$

    $C$ and $D$ are the numbers of concordant and discordant pairs; $U_x$ and $U_y$ are the numbers of pairs
    that are not tied in x, and not tied in y.
    """,
    symmetric=True,
    centred=True,
    ties="ignored",
    statistic=lambda: _TAU_B,
    costs=_costs_b,
)
def tau_b(
    x: RankingLike,
    y: RankingLike,
    *,
    threshold: Threshold = 0.0,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Kendall's tau_b: concordant minus discordant pairs, over the pairs that each ranking orders.

    Notes
    -----
    It equals the statistic of ``scipy.stats.kendalltau``.

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


@declare(
    symbol=r"\tau_{e}",
    cite="radja2018",
    question="do two rankings agree, a tie meaning equality?",
    formula=r"""
    $$\tau_e = \frac{2 \, (C + T)}{\binom{n}{2}} - 1$$

    $C$ is the number of concordant pairs of the $n$ items, $T$ the number of pairs that are tied in both x
    and y.
    """,
    symmetric=True,
    centred=True,
    ties="equality",
    statistic=lambda: _TAU_E,
    costs=functools.partial(_costs, tied_one=2.0, tied_both=0.0),
)
def tau_e(
    x: RankingLike,
    y: RankingLike,
    *,
    threshold: Threshold = 0.0,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Tau for equal ties: a pair agrees if both rankings order it the same way or both tie it.

    Notes
    -----
    A pair that is tied in one ranking only disagrees. With a threshold this also holds if its scores are in
    the same order: a difference within the threshold has the sign 0.

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


@declare(
    symbol=r"\tau_{c}",
    cite="stuart1953",
    question="how much do two ratings agree, if they have different numbers of levels?",
    formula=r"""
    $$\tau_c = \frac{2 \, (C - D)}{n^2 \, (k - 1) / k}$$

    $C$ and $D$ are the numbers of concordant and discordant pairs of the $n$ items, and $k$ is the number of
    distinct values of x or of y, whichever is smaller.
    """,
    symmetric=True,
    centred=True,
    ties="undecided",
    statistic=lambda: _TAU_C,
    costs=_costs_c,
)
def tau_c(
    x: RankingLike, y: RankingLike, *, axis: int = -1, nan_policy: NanPolicy = "propagate", workers: int = 1
) -> Value:
    """Stuart's tau_c: concordant minus discordant pairs, over the most that so few levels can have.

    Notes
    -----
    It equals ``scipy.stats.kendalltau(x, y, variant="c")``. There is no threshold: items within a threshold
    have no levels. It is 1 only if all levels of the rating with fewer levels are equally frequent.

    References
    ----------
    .. [1] Stuart, "The estimation and comparison of strengths of association in contingency tables",
       Biometrika 40, 1953.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.tau_c([1, 1, 2, 2], [1, 2, 3, 4])
    1.0
    """
    return apply(_TAU_C, x, y, 0.0, axis, nan_policy, workers)


@declare(
    symbol=r"\gamma",
    cite="goodman1954",
    question="how much do two rankings agree on the pairs that both order?",
    formula=r"""
    $$\gamma = \frac{C - D}{C + D}$$

    $C$ and $D$ are the numbers of concordant and discordant pairs.
    """,
    symmetric=True,
    centred=True,
    ties="ignored",
    statistic=lambda: _GAMMA,
    costs=_costs_gamma,
)
def gamma(
    x: RankingLike,
    y: RankingLike,
    *,
    threshold: Threshold = 0.0,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Goodman and Kruskal's gamma: concordant minus discordant pairs, over the pairs that both order.

    Notes
    -----
    A pair that is tied on either side does not count. So a rating with few levels can have gamma 1 though it
    leaves most pairs tied. Of two yes-or-no ratings it is Yule's Q.

    References
    ----------
    .. [1] Goodman and Kruskal, "Measures of association for cross classifications", JASA 49, 1954.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.gamma([4, 3, 2, 1], [4, 4, 1, 2])
    0.6
    """
    return apply(_GAMMA, x, y, threshold, axis, nan_policy, workers)


@declare(
    symbol=r"D",
    cite="somers1962",
    question="how well does y order the pairs that the reference x orders, ties of x ignored?",
    formula=r"""
    $$D(Y|X) = \frac{C - D}{U_x}$$

    $C$ and $D$ are the numbers of concordant and discordant pairs; $U_x$ is the number of pairs that are not
    tied in x. For ``dependent="x"`` the divisor is $U_y$, for ``dependent="both"`` it is $(U_x + U_y) / 2$.
    """,
    centred=True,
    ties="ignored",
    statistic=_somers_d,
    costs=_costs_d,
)
def somers_d(
    x: RankingLike,
    y: RankingLike,
    *,
    threshold: Threshold = 0.0,
    dependent: Literal["y", "x", "both"] = "y",
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Somers' D of y given x: concordant minus discordant pairs, over the pairs that x orders.

    Notes
    -----
    It equals ``scipy.stats.somersd(x, y)``, and is 0 if y is constant. If x is yes or no, it is 2 AUC - 1,
    where AUC is the area under the ROC curve of y. tau_b is the geometric mean of both directions, with
    their sign.

    References
    ----------
    .. [1] Somers, "A new asymmetric measure of association for ordinal variables", American Sociological
       Review 27, 1962.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.somers_d([1, 1, 2, 2], [1, 2, 3, 4]), cd.somers_d([1, 2, 3, 4], [1, 1, 2, 2])
    (1.0, 0.6666666666666666)
    """
    return apply(_somers_d(dependent), x, y, threshold, axis, nan_policy, workers)
