"""Kendall's tau and its treatments of ties: every pair of items counts the same."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from concordant.coefficients.costs import PairCosts, Side, Walk, costs_of_untied
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
from concordant.rankings.ties import Threshold
from concordant.typing import NanPolicy, RankingLike, Value

__all__ = ["tau", "tau_a", "tau_b", "tau_e"]


def _net_over_pairs(n: Any, concordant: Any, discordant: Any) -> Any:
    return ratio(concordant - discordant, n_pairs(n))  # Radja 2018, eq. 2.3 and 6.1


def _net_over_untied(concordant: Any, discordant: Any, untied_x: Any, untied_y: Any) -> Any:
    return ratio(concordant - discordant, root_of_product(untied_x, untied_y))  # Radja 2018, eq. 2.4 and 6.3


def _equal_over_pairs(n: Any, concordant: Any, discordant: Any, untied_x: Any, untied_y: Any) -> Any:
    pairs = n_pairs(n)
    tied_both = pairs - untied_x - untied_y + concordant + discordant
    return ratio(2 * (concordant + tied_both) - pairs, pairs)  # Radja 2018, eq. 5.1 and 6.6


def _costs(x: Side, y: Side, *, tied_one: float, tied_both: float) -> list[PairCosts]:
    """Return the costs of pairs that all have the same weight.

    A discordant pair costs 2; the costs of pairs that are tied in one ranking or in both are arguments.
    """
    weight = np.full(len(x.scores), 1 / n_pairs(len(x.scores)))
    ordered, tied = (0.0, tied_one, 2.0), (tied_one, tied_both, tied_one)
    return [Walk(x, y, weight, weight, y.equal_first, y.equal_last, ordered, tied, tied)]


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
