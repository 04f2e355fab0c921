"""Distances of lists that need not hold the same items: formulas of the counts of the core."""

from __future__ import annotations

from typing import Any

import numpy as np

from concordant.checks import is_real
from concordant.coefficients.engine import Outcome, n_pairs
from concordant.coefficients.overlap import Width, apply_lists, outcome_of
from concordant.coefficients.registration import register
from concordant.errors import ArgumentError, ArgumentTypeError, option
from concordant.rankings.compiled import core
from concordant.rankings.lists import ListPairs
from concordant.typing import ListLike, Value

__all__ = ["footrule", "kendall_distance"]

_NO_SCALE = "two disjoint lists of these lengths have distance 0"


def _counts(pairs: ListPairs, threads: int, of_pairs: bool) -> Any:
    out = np.empty((len(pairs), 8), dtype=np.int64)
    core.list_counts(*pairs.arrays, of_pairs, threads, out)
    return out.T


def _check(penalty: Any = 0.5, normalize: Any = False) -> None:
    if not is_real(penalty) or isinstance(penalty, bool) or not 0 <= float(penalty) <= 1:
        raise ArgumentError(f"{option('penalty')} must be a number from 0 to 1, got {penalty!r}")
    if not isinstance(normalize, bool | np.bool_):
        raise ArgumentTypeError(f"{option('normalize')} must be True or False, got {normalize!r}")


def _kendall_distances(
    pairs: ListPairs, threads: int, *, penalty: float = 0.5, normalize: bool = False
) -> Outcome:
    n_x, n_y, _, discordant, tied_x, tied_y, tied_both, _ = _counts(pairs, threads, True)
    distances = discordant + float(penalty) * (tied_x + tied_y - 2 * tied_both)
    if not normalize:
        return outcome_of(distances, "")
    return _over(distances, n_x * n_y + float(penalty) * (n_pairs(n_x) + n_pairs(n_y)))


def _footrules(pairs: ListPairs, threads: int, *, normalize: bool = False) -> Outcome:
    n_x, n_y, *_, twice = _counts(pairs, threads, False)
    if not normalize:
        return outcome_of(twice / 2, "")
    return _over(twice, _apart(n_x, 2 * n_y + n_x + 1) + _apart(n_y, 2 * n_x + n_y + 1))


def _apart(n: Any, twice_rank: Any) -> Any:
    """Return the sum of |2 m - r| over m = 1 .. n."""
    k = np.minimum(n, twice_rank // 2)  # below it the difference is negative
    return twice_rank * (2 * k - n) + n * (n + 1) - 2 * k * (k + 1)


def _over(distances: Any, largest: Any) -> Outcome:
    with np.errstate(invalid="ignore"):
        return outcome_of(np.where(largest > 0, distances / np.maximum(largest, 1e-300), np.nan), _NO_SCALE)


@register(
    symbol="K",
    cite="fagin2003",
    question="how many pairs of items do two lists order differently, if their items may differ?",
    formula=r"""
    $$K = D + q \, T$$

    The pairs are those of all items that are in either list; the items that a list lacks are tied below all
    of its items. $D$ is the number of pairs in opposite order, $T$ the number of pairs that are tied in one
    list only, and $q$ is the `penalty`. With `normalize=True`, $K$ is divided by
    $l_x l_y + q \bigl( \binom{l_x}{2} + \binom{l_y}{2} \bigr)$, where $l_x$ and $l_y$ are the lengths of
    the lists.
    """,
    bounds=(0.0, np.inf),
    distance=True,
    symmetric=True,
    ties="equality",
    inputs="lists",
    check=_check,
    of_lists=_kendall_distances,
)
def kendall_distance(
    x: ListLike,
    y: ListLike,
    *,
    penalty: float = 0.5,
    normalize: bool = False,
    threshold: Width = 0.0,
    workers: int = 1,
) -> Value:
    """Kendall's distance of two lists: pairs in opposite order, and a penalty for pairs tied in one only.

    The distance of a list to itself is 0. The items that a list lacks count as tied below all of its items.

    Notes
    -----
    The pairs are those of all items of either list. On the same items, without ties, it is
    N (1 - `tau_a`) / 2 with N the number of pairs. ``kendall_distance <= footrule <= 2 kendall_distance`` for
    a penalty of 1/2. It is not a metric for lists with different items. If the last item of a list is
    removed, the distance to the original list is 0, because the shorter list says nothing about the next
    place. The triangle inequality holds only up to a factor (near metrics, [1]_).

    References
    ----------
    .. [1] Fagin, Kumar and Sivakumar, "Comparing top k lists", SIAM J. Discrete Math. 17, 2003.
    .. [2] Fagin, Kumar, Mahdian, Sivakumar and Vee, "Comparing partial rankings", SIAM J. Discrete Math. 20,
       2006.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.kendall_distance(["a", "b", "c"], ["a", "c", "d"])  # (b c) and (b d) in opposite order
    2.0
    >>> cd.kendall_distance(["a", "b"], ["c", "d"], normalize=True)
    1.0
    """
    options = {"penalty": penalty, "normalize": normalize}
    return apply_lists("kendall_distance", _check, _kendall_distances, x, y, threshold, workers, **options)


@register(
    symbol="F",
    cite="fagin2006",
    question="how far are the items of one list from their places in another?",
    formula=r"""
    $$F = \sum_{e} |R^x_e - R^y_e|$$

    The sum is over all items that are in either list. $R^x_e$ and $R^y_e$ are the ranks of item e; tied
    items share the mean of their ranks, and the items that a list lacks are tied below all of its items.
    With `normalize=True`, $F$ is divided by the value of two lists of these lengths that have no item in
    common and no ties.
    """,
    bounds=(0.0, np.inf),
    distance=True,
    symmetric=True,
    ties="equality",
    inputs="lists",
    check=_check,
    of_lists=_footrules,
)
def footrule(
    x: ListLike, y: ListLike, *, normalize: bool = False, threshold: Width = 0.0, workers: int = 1
) -> Value:
    """Spearman's footrule of two lists: the sum of the differences of the mid-ranks of the items.

    The distance of a list to itself is 0. The items that a list lacks count as tied below all of its items.

    References
    ----------
    .. [1] Fagin, Kumar and Sivakumar, "Comparing top k lists", SIAM J. Discrete Math. 17, 2003.
    .. [2] Fagin, Kumar, Mahdian, Sivakumar and Vee, "Comparing partial rankings", SIAM J. Discrete Math. 20,
       2006.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.footrule(["a", "b", "c"], ["c", "b", "a"])
    4.0
    """
    return apply_lists("footrule", _check, _footrules, x, y, threshold, workers, normalize=normalize)
