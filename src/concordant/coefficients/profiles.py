"""Coefficients of relevance profiles: what counts is the grades of the documents, not only which they are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import _core
from concordant._engine import (
    FEW_ITEMS,
    NEVER,
    Outcome,
    Statistic,
    TiesError,
    clamped,
    count,
    n_pairs,
    ratio,
    refusal_of_ties,
    screen,
    shaped,
)
from concordant._inputs import (
    Floats,
    alignment,
    as_floats,
    broadcast_rows,
    items_last,
    labels_of,
    read_pairs,
    where,
)
from concordant._registry import coefficient
from concordant._unbiased import MOST_GRADES, default_a

__all__ = [
    "tau_ac",
    "tau_ap_ac",
    "tau_ap_dw",
    "tau_ap_sc",
    "tau_dw",
    "tau_h_ac",
    "tau_h_dw",
    "tau_h_sc",
    "tau_sc",
]

Weight = Literal["tau", "ap", "h"]

_MOST_DIFFERENT = 1024  # different grades; the core numbers their pairs


def _grades(who: str, name: str, values: Any, axis: int) -> NDArray[np.int64]:
    """Read grades, items last."""
    floats = as_floats(who, name, values)
    bad = ~((floats >= 0) & (floats == np.floor(floats)) & (floats < 2**53))
    if bad.any():
        index = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"{who}: {name} must hold grades, whole numbers from 0 up, got {floats[index]:g} at {where(index)}"
        )
    return items_last(who, name, floats, axis).astype(np.int64)


def _is_moderate(a: Any) -> bool:
    return isinstance(a, Real) and not isinstance(a, bool) and -(10**9) <= a <= 10**9  # type: ignore[operator]


def _numbered(who: str, *lists: NDArray[np.int64]) -> tuple[Floats, list[NDArray[np.uint32]]]:
    """Give each different grade a number; return their values and the lists in these numbers."""
    top = max(int(one.max(initial=0)) for one in lists)
    if top < MOST_GRADES:  # the grades are their own numbers
        return np.arange(top + 1.0), [one.astype(np.uint32) for one in lists]
    values, numbers = np.unique(np.concatenate([one.ravel() for one in lists]), return_inverse=True)
    if len(values) > _MOST_DIFFERENT:
        raise ValueError(
            f"{who}: there are {len(values)} different grades; at most {_MOST_DIFFERENT} are supported"
        )
    parts = np.split(numbers.ravel().astype(np.uint32), np.cumsum([one.size for one in lists])[:-1])
    shaped_parts = [
        np.ascontiguousarray(part.reshape(one.shape)) for part, one in zip(parts, lists, strict=True)
    ]
    return values.astype(np.float64), shaped_parts


def _of_profiles(
    kind: Literal["sc", "ac"],
    weight: Weight,
    who: str,
    x_grades: Any,
    y_grades: Any,
    max_grade: Any,
    a: Any,
    axis: int,
) -> Any:
    x, y = _grades(who, "x_grades", x_grades, axis), _grades(who, "y_grades", y_grades, axis)
    x, y, shape = broadcast_rows(who, x, y)
    n = x.shape[1]
    top = np.maximum(x.max(axis=1, initial=0), y.max(axis=1, initial=0))
    if max_grade is not None:
        if (
            not isinstance(max_grade, int | np.integer)
            or isinstance(max_grade, bool)
            or max_grade < top.max(initial=0)
        ):
            raise ValueError(
                f"{who}: max_grade must be the largest grade of the scale, {top.max(initial=0)} or more, got {max_grade!r}"
            )
        top = np.full(len(top), int(max_grade))
    if a is None and kind == "ac" and top.max(initial=0) >= MOST_GRADES:
        raise ValueError(
            f"{who}: the scale has {top.max() + 1} grades, and `a` has a default for {MOST_GRADES} at most; give a"
        )
    if a is None:
        scores_of_ties = np.array([default_a(kind, t + 1, n, weight) for t in top.tolist()], dtype=np.float64)
    elif _is_moderate(a):
        scores_of_ties = np.full(len(top), float(a))
    else:
        raise ValueError(f"{who}: a must be a number, the score of a tie in one list only, got {a!r}")
    values, (x_numbers, y_numbers) = _numbered(who, x, y)
    found = np.zeros((len(top), 4))
    _core.graded_lists(x_numbers, y_numbers, values, scores_of_ties, kind == "ac", 1, found)
    tau, ap, hyperbolic, hyperbolic_weight = found.T
    # n < 2 has no pairs, whatever the weight.
    numerator, denominator = {
        "tau": (tau, np.full(len(top), n_pairs(n))),
        "ap": (ap, np.full(len(top), max(n - 1, 0))),
        "h": (hyperbolic, hyperbolic_weight),
    }[weight]
    values_of_pairs = ratio(numerator, denominator)
    if (np.abs(scores_of_ties) <= 1).all():
        values_of_pairs = clamped(values_of_pairs)  # else there is no such bound
    return _answer(who, values_of_pairs, n, NEVER, shape)


def _of_graded_items(weight: Weight, who: str, x: Any, y: Any, grades: Any, axis: int) -> Any:
    pairs = read_pairs(who, x, y, axis)
    for side, scores in (("x", pairs.x), ("y", pairs.y)):
        if np.isnan(scores).any():
            spot = pairs.spot(side, int(np.argmax(np.isnan(scores))))
            raise ValueError(f"{who}: {side} is NaN at {spot}; drop the item")
    pairs, missing = screen(who, pairs, "raise")
    n = pairs.n_items
    rows = _grades(who, "grades", list(grades.values()) if isinstance(grades, Mapping) else grades, axis)
    labels = labels_of(grades)
    if labels is not None and pairs.labels is not None:
        order = alignment(who, pairs.labels, labels, "x and grades")
        rows = rows if order is None else rows[order]
    elif isinstance(grades, Mapping):
        raise TypeError(
            f"{who}: grades is a mapping and the rankings have no labels; give all of them labels, or none"
        )
    if rows.shape[-1] != n:
        raise ValueError(
            f"{who}: there are {n} items and {rows.shape[-1]} grades; give one grade for each item"
        )
    try:
        shape = np.broadcast_shapes(pairs.shape, rows.shape[:-1])
    except ValueError:
        raise ValueError(
            f"{who}: grades of shape {rows.shape} do not broadcast to rankings of shape {(*pairs.shape, n)}"
        ) from None
    rows = np.broadcast_to(rows, (*shape, n)).reshape(math.prod(shape), n)
    each = np.broadcast_to(np.arange(len(pairs)).reshape(pairs.shape), shape).ravel()
    pairs = replace(pairs, pair_x=pairs.pair_x[each], pair_y=pairs.pair_y[each], shape=shape)
    values, (numbers,) = _numbered(who, rows)
    found = np.zeros((len(pairs), 6))
    full_x = pairs.x.reshape(len(pairs.offsets_x) - 1, n)[pairs.pair_x].ravel()
    full_y = pairs.y.reshape(len(pairs.offsets_y) - 1, n)[pairs.pair_y].ravel()
    if not _core.graded_items(full_x, full_y, numbers, values, 1, found):
        statistic = Statistic(who, lambda n: n, NEVER, "a coefficient that accepts them, such as tau_ap_b")
        sums = count(pairs, [(statistic, (0.0, 0.0))], 1)[0.0, 0.0]
        raise TiesError(refusal_of_ties(statistic, pairs, sums, missing))
    at = {"tau": 0, "ap": 2, "h": 4}[weight]
    return _answer(
        who, ratio(found[:, at], found[:, at + 1]), n, "all items have the same grade", pairs.shape
    )


def _answer(who: str, values: Floats, n: int, reason: str, shape: tuple[int, ...]) -> Any:
    values = values if n >= 2 else np.full(len(values), np.nan)
    outcome = Outcome(values, int(np.isnan(values).sum()), reason if n >= 2 else FEW_ITEMS)
    outcome.report(who)
    return shaped(values, shape)


@coefficient(
    symbol=r"\tau_{sc}",
    cite="vezzuto",
    question="do the grades of two lists rise and fall at the same positions?",
    symmetric=True,
    head_weighted=False,
    gap_sensitive=False,
    ties="judged",
    inputs="profiles",
)
def tau_sc(
    x_grades: Any, y_grades: Any, *, max_grade: int | None = None, a: float | None = None, axis: int = -1
) -> Any:
    """Agreement of two relevance profiles: in how many pairs of positions the grades change in the same direction.

    Parameters
    ----------
    x_grades, y_grades : array_like
        The grades of two lists in rank order, best first: whole numbers from 0 up.
    max_grade : int, optional
        The largest grade of the scale, for the default of `a`; by default the largest in the two lists, which
        leaves a small bias where a list does not use the whole scale.
    a : float, optional
        The score of a pair that is tied in one list only. By default the value that gives expectation 0 for independent
        lists of equally likely grades, see `unbiased_a`.
    axis : int, default -1
        The axis that holds the positions; the others broadcast.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1] for a in [-1, 1]; nan for fewer than two positions.

    Notes
    -----
    A pair of positions counts 1 if its grades change in the same direction in both lists (or in neither), `a` if they
    change in one list only, else -1; every pair of positions weighs the same.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 6.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_sc([3, 2, 0, 1], [3, 1, 0, 2], max_grade=3), 4)
    0.6667
    """
    return _of_profiles("sc", "tau", "tau_sc", x_grades, y_grades, max_grade, a, axis)


@coefficient(
    symbol=r"\tau_{ac}",
    cite="vezzuto",
    question="do two lists have the same grades at the same positions, or in the opposite order?",
    symmetric=False,
    head_weighted=False,
    gap_sensitive=True,
    ties="judged",
    inputs="profiles",
)
def tau_ac(
    x_grades: Any, y_grades: Any, *, max_grade: int | None = None, a: float | None = None, axis: int = -1
) -> Any:
    """Agreement of two relevance profiles in direction and level of their grades, a list read backwards being the opposite.

    Parameters
    ----------
    x_grades, y_grades : array_like
        The grades of two lists in rank order, best first: whole numbers from 0 up.
    max_grade : int, optional
        The largest grade of the scale, for the default of `a`; by default the largest in the two lists, which
        leaves a small bias where a list does not use the whole scale.
    a : float, optional
        The score of a pair that is tied in one list only. By default the value that gives expectation 0 for independent
        lists of equally likely grades, see `unbiased_a`.
    axis : int, default -1
        The axis that holds the positions; the others broadcast.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1] for a in [-1, 1]; nan for fewer than two positions.

    Notes
    -----
    As `tau_sc`, times how close the sums of the two grades are; where a pair repeats the other list read backwards, it is
    compared with that; and where both readings agree, it counts 0. See [1] for the three cases; every pair of positions weighs the same.
    The signs are those of the later less the earlier position in both lists, without which identical lists would not
    give 1 or reversed ones not -1.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 4 to 6.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_ac([3, 2, 0, 1], [3, 1, 0, 2], max_grade=3), 4)
    0.5185
    """
    return _of_profiles("ac", "tau", "tau_ac", x_grades, y_grades, max_grade, a, axis)


@coefficient(
    symbol=r"\tau_{ap,sc}",
    cite="vezzuto",
    question="do the grades of two lists rise and fall at the same positions, above all at the head?",
    symmetric=True,
    head_weighted=True,
    gap_sensitive=False,
    ties="judged",
    inputs="profiles",
)
def tau_ap_sc(
    x_grades: Any, y_grades: Any, *, max_grade: int | None = None, a: float | None = None, axis: int = -1
) -> Any:
    """Agreement of two relevance profiles: in how many pairs of positions the grades change in the same direction, the head first.

    Parameters
    ----------
    x_grades, y_grades : array_like
        The grades of two lists in rank order, best first: whole numbers from 0 up.
    max_grade : int, optional
        The largest grade of the scale, for the default of `a`; by default the largest in the two lists, which
        leaves a small bias where a list does not use the whole scale.
    a : float, optional
        The score of a pair that is tied in one list only. By default the value that gives expectation 0 for independent
        lists of equally likely grades, see `unbiased_a`.
    axis : int, default -1
        The axis that holds the positions; the others broadcast.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1] for a in [-1, 1]; nan for fewer than two positions.

    Notes
    -----
    A pair of positions counts 1 if its grades change in the same direction in both lists (or in neither), `a` if they
    change in one list only, else -1; a pair weighs 1 / (positions above its lower one), so the head counts more.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 6.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_ap_sc([3, 2, 0, 1], [3, 1, 0, 2], max_grade=3), 4)
    0.7778
    """
    return _of_profiles("sc", "ap", "tau_ap_sc", x_grades, y_grades, max_grade, a, axis)


@coefficient(
    symbol=r"\tau_{ap,ac}",
    cite="vezzuto",
    question="do two lists have the same grades at the same positions, or in the opposite order, above all at the head?",
    symmetric=False,
    head_weighted=True,
    gap_sensitive=True,
    ties="judged",
    inputs="profiles",
)
def tau_ap_ac(
    x_grades: Any, y_grades: Any, *, max_grade: int | None = None, a: float | None = None, axis: int = -1
) -> Any:
    """Agreement of two relevance profiles in direction and level of their grades, a list read backwards being the opposite, the head first.

    Parameters
    ----------
    x_grades, y_grades : array_like
        The grades of two lists in rank order, best first: whole numbers from 0 up.
    max_grade : int, optional
        The largest grade of the scale, for the default of `a`; by default the largest in the two lists, which
        leaves a small bias where a list does not use the whole scale.
    a : float, optional
        The score of a pair that is tied in one list only. By default the value that gives expectation 0 for independent
        lists of equally likely grades, see `unbiased_a`.
    axis : int, default -1
        The axis that holds the positions; the others broadcast.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1] for a in [-1, 1]; nan for fewer than two positions.

    Notes
    -----
    As `tau_sc`, times how close the sums of the two grades are; where a pair repeats the other list read backwards, it is
    compared with that; and where both readings agree, it counts 0. See [1] for the three cases; a pair weighs 1 / (positions above its lower one), so the head counts more.
    The signs are those of the later less the earlier position in both lists, without which identical lists would not
    give 1 or reversed ones not -1.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 4 to 6.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_ap_ac([3, 2, 0, 1], [3, 1, 0, 2], max_grade=3), 4)
    0.6358
    """
    return _of_profiles("ac", "ap", "tau_ap_ac", x_grades, y_grades, max_grade, a, axis)


@coefficient(
    symbol=r"\tau_{h,sc}",
    cite="vezzuto",
    question="do the grades of two lists rise and fall at the same positions, above all at the head?",
    symmetric=True,
    head_weighted=True,
    gap_sensitive=False,
    ties="judged",
    inputs="profiles",
)
def tau_h_sc(
    x_grades: Any, y_grades: Any, *, max_grade: int | None = None, a: float | None = None, axis: int = -1
) -> Any:
    """Agreement of two relevance profiles: in how many pairs of positions the grades change in the same direction, the head first.

    Parameters
    ----------
    x_grades, y_grades : array_like
        The grades of two lists in rank order, best first: whole numbers from 0 up.
    max_grade : int, optional
        The largest grade of the scale, for the default of `a`; by default the largest in the two lists, which
        leaves a small bias where a list does not use the whole scale.
    a : float, optional
        The score of a pair that is tied in one list only. By default the value that gives expectation 0 for independent
        lists of equally likely grades, see `unbiased_a`.
    axis : int, default -1
        The axis that holds the positions; the others broadcast.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1] for a in [-1, 1]; nan for fewer than two positions.

    Notes
    -----
    A pair of positions counts 1 if its grades change in the same direction in both lists (or in neither), `a` if they
    change in one list only, else -1; a pair weighs 1 / place of the one position plus that of the other, so the head counts more.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 6.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_h_sc([3, 2, 0, 1], [3, 1, 0, 2], max_grade=3), 4)
    0.76
    """
    return _of_profiles("sc", "h", "tau_h_sc", x_grades, y_grades, max_grade, a, axis)


@coefficient(
    symbol=r"\tau_{h,ac}",
    cite="vezzuto",
    question="do two lists have the same grades at the same positions, or in the opposite order, above all at the head?",
    symmetric=False,
    head_weighted=True,
    gap_sensitive=True,
    ties="judged",
    inputs="profiles",
)
def tau_h_ac(
    x_grades: Any, y_grades: Any, *, max_grade: int | None = None, a: float | None = None, axis: int = -1
) -> Any:
    """Agreement of two relevance profiles in direction and level of their grades, a list read backwards being the opposite, the head first.

    Parameters
    ----------
    x_grades, y_grades : array_like
        The grades of two lists in rank order, best first: whole numbers from 0 up.
    max_grade : int, optional
        The largest grade of the scale, for the default of `a`; by default the largest in the two lists, which
        leaves a small bias where a list does not use the whole scale.
    a : float, optional
        The score of a pair that is tied in one list only. By default the value that gives expectation 0 for independent
        lists of equally likely grades, see `unbiased_a`.
    axis : int, default -1
        The axis that holds the positions; the others broadcast.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1] for a in [-1, 1]; nan for fewer than two positions.

    Notes
    -----
    As `tau_sc`, times how close the sums of the two grades are; where a pair repeats the other list read backwards, it is
    compared with that; and where both readings agree, it counts 0. See [1] for the three cases; a pair weighs 1 / place of the one position plus that of the other, so the head counts more.
    The signs are those of the later less the earlier position in both lists, without which identical lists would not
    give 1 or reversed ones not -1.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 4 to 6.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_h_ac([3, 2, 0, 1], [3, 1, 0, 2], max_grade=3), 4)
    0.6356
    """
    return _of_profiles("ac", "h", "tau_h_ac", x_grades, y_grades, max_grade, a, axis)


@coefficient(
    symbol=r"\tau_{dw}",
    cite="vezzuto",
    question="do two rankings order documents of different grades the same way?",
    symmetric=True,
    head_weighted=False,
    gap_sensitive=False,
    ties="refused",
    inputs="graded",
)
def tau_dw(x: Any, y: Any, grades: Any, *, axis: int = -1) -> Any:
    """Kendall's tau in which a pair weighs the distance of the grades of its items.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        Reference and estimated scores of the same items, larger is better, without ties.
    grades : array_like or mapping
        The grade of each item: whole numbers from 0 up.
    axis : int, default -1
        The axis that holds the items; the others broadcast.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1]; nan if all items have the same grade, or there are fewer than two.

    Notes
    -----
    The distance is |g - h| / max(g, h), 0 for equal grades; every pair weighs the distance of its grades alone.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 3.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_dw([4, 3, 2, 1], [4, 1, 2, 3], [2, 2, 0, 1]), 4)
    -0.25
    """
    return _of_graded_items("tau", "tau_dw", x, y, grades, axis)


@coefficient(
    symbol=r"\tau_{ap,dw}",
    cite="vezzuto",
    question="do two rankings order documents of different grades the same way, above all at the head?",
    symmetric=False,
    head_weighted=True,
    gap_sensitive=False,
    ties="refused",
    inputs="graded",
)
def tau_ap_dw(x: Any, y: Any, grades: Any, *, axis: int = -1) -> Any:
    """AP correlation in which a pair weighs the distance of the grades of its items.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        Reference and estimated scores of the same items, larger is better, without ties.
    grades : array_like or mapping
        The grade of each item: whole numbers from 0 up.
    axis : int, default -1
        The axis that holds the items; the others broadcast.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1]; nan if all items have the same grade, or there are fewer than two.

    Notes
    -----
    The distance is |g - h| / max(g, h), 0 for equal grades; and 1 / (items above the lower one in y).

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 3.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_ap_dw([4, 3, 2, 1], [4, 1, 2, 3], [2, 2, 0, 1]), 4)
    0.0
    """
    return _of_graded_items("ap", "tau_ap_dw", x, y, grades, axis)


@coefficient(
    symbol=r"\tau_{h,dw}",
    cite="vezzuto",
    question="do two rankings order documents of different grades the same way, above all at the head?",
    symmetric=True,
    head_weighted=True,
    gap_sensitive=False,
    ties="refused",
    inputs="graded",
)
def tau_h_dw(x: Any, y: Any, grades: Any, *, axis: int = -1) -> Any:
    """Hyperbolic tau in which a pair weighs the distance of the grades of its items.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        Reference and estimated scores of the same items, larger is better, without ties.
    grades : array_like or mapping
        The grade of each item: whole numbers from 0 up.
    axis : int, default -1
        The axis that holds the items; the others broadcast.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1]; nan if all items have the same grade, or there are fewer than two.

    Notes
    -----
    The distance is |g - h| / max(g, h), 0 for equal grades; and 1 / place of the one item plus that of the other, the mean over both rankings.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 3.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_h_dw([4, 3, 2, 1], [4, 1, 2, 3], [2, 2, 0, 1]), 4)
    0.0601
    """
    return _of_graded_items("h", "tau_h_dw", x, y, grades, axis)
