"""Two lists of grades in rank order, compared position by position."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from concordant.checks import check_nan_policy, n_workers
from concordant.coefficients.costs import CostFunctions, over_all_pairs, position_weights, weight_of_all
from concordant.coefficients.declaration import Weights
from concordant.coefficients.engine import NEVER
from concordant.coefficients.grade_codes import (
    Kind,
    Weight,
    check_options,
    check_scale,
    check_work,
    list_values,
    missing_in,
    of_rows,
    read_grades,
)
from concordant.coefficients.registration import Function, register
from concordant.coefficients.unbiased import default_a
from concordant.errors import calling
from concordant.rankings.coordinates import refuse_other_coordinates
from concordant.rankings.pairs import broadcast_rows
from concordant.typing import Floats, Integers, NanPolicy, Value

__all__ = ["tau_ac", "tau_ap_ac", "tau_ap_sc", "tau_h_ac", "tau_h_sc", "tau_sc"]


def _compare(
    name: str,
    kind: Kind,
    weight: Weight,
    x_grades: ArrayLike,
    y_grades: ArrayLike,
    max_grade: int | None,
    a: float | None,
    axis: int,
    nan_policy: NanPolicy,
    workers: int,
) -> Value:
    with calling(name):
        check_nan_policy(nan_policy)
        threads = n_workers(workers)
        # The place in a list is the rank; coordinates must not give another order.
        refuse_other_coordinates(x_grades, y_grades, axis, ("x_grades", "y_grades"), by_place=True)
        x, y, shape = broadcast_rows(
            read_grades("x_grades", x_grades, axis, nan_policy),
            read_grades("y_grades", y_grades, axis, nan_policy),
        )
        missing = missing_in(x, y)
        known = (x, y) if missing is None else (np.nan_to_num(x), np.nan_to_num(y))
        tops = np.maximum(*(side.max(axis=1, initial=0) for side in known)).astype(np.int64)
        check_scale(kind, tops, max_grade, a)
        check_work(known[0])

        def compute(rows: Any, kept: Any) -> Floats:
            part_x, part_y, part_tops = x[rows][:, kept], y[rows][:, kept], tops[rows]
            n = part_x.shape[1]
            if a is not None:
                of_ties = np.full(len(part_x), float(a))
            else:
                scales = part_tops if max_grade is None else np.full(len(part_tops), int(max_grade))
                unbiased = [default_a(kind, top + 1, n, weight) for top in scales.tolist()]
                of_ties = np.array(unbiased, dtype=np.float64)
            return list_values(kind, weight, part_x, part_y, of_ties, threads)

        return of_rows(name, compute, x.shape[1], missing, nan_policy, NEVER, shape)


def _costs(
    x: Floats, y: Floats, *, kind: Kind, weight: Weight, max_grade: int | None = None, a: float | None = None
) -> list[CostFunctions]:
    """Return the costs of pairs of positions of two lists of grades (Vezzuto, eq. 4 to 6)."""
    n, total = len(x), weight_of_all(weight, len(x))
    top = int(max(x.max(), y.max())) if max_grade is None else max_grade
    of_tie = default_a(kind, top + 1, n, weight) if a is None else float(a)

    def signs(x_i: Floats, x_j: Floats, y_i: Floats, y_j: Floats) -> Floats:
        s_x, s_y = np.sign(x_j - x_i), np.sign(y_j - y_i)
        return np.where(s_x == s_y, 1.0, np.where((s_x == 0) | (s_y == 0), of_tie, -1.0))

    def pair_costs(i: Integers, j: Integers) -> Floats:
        early, late = np.minimum(i, j), np.maximum(i, j)
        x_i, x_j, y_i, y_j = x[early], x[late], y[early], y[late]
        score = signs(x_i, x_j, y_i, y_j)
        if kind == "ac":
            mx_i, mx_j, my_i, my_j = (side[n - 1 - at] for side in (x, y) for at in (early, late))
            score = score * _closeness(x_i, x_j, y_i, y_j)
            same_i, same_j = x_i == y_i, x_j == y_j
            back = ((x_i == my_i) & (x_j == my_j)) | ((y_i == mx_i) & (y_j == mx_j))
            # In a list that is read backwards, the later position comes first.
            backwards = signs(x_i, x_j, my_j, my_i) * _closeness(x_i, x_j, my_i, my_j)
            score = np.where(~(same_i & same_j) & back, backwards, score)
            repeated = same_i & (y_i == my_i) & same_j & (y_j == my_j)
            score = np.where(repeated & ((mx_i != my_i) | (mx_j != my_j)), 0.0, score)
        return position_weights(weight, i, j) * (1 - score) / total

    return [CostFunctions(lambda: over_all_pairs(pair_costs, n), pair_costs)]


def _closeness(x_i: Floats, x_j: Floats, y_i: Floats, y_j: Floats) -> Floats:
    total = x_i + x_j + y_i + y_j
    return 1 - np.abs(x_i + x_j - y_i - y_j) / np.where(total > 0, total, 1.0)


_FORMULA = r"""
$$SYMBOL = \frac{\sum_{i<j} w_{ij} c_{ij}}{\sum_{i<j} w_{ij}}, \qquad w_{ij} = WEIGHT$$

$$s(g, h; g', h') = \begin{cases} 1 & \mathrm{sign}(h - g) = \mathrm{sign}(h' - g') \\
a & \text{exactly one of these signs is 0} \\ -1 & \text{otherwise} \end{cases}$$

The sums are over pairs of positions $i < j$; $x_i$ and $y_i$ are the grades at position i of the two lists.
"""
_SC = "\n$$c_{ij} = s(x_i, x_j; y_i, y_j)$$"
_AC = r"""
$$c_{ij} = \begin{cases} 0 & x_i = y_i = y_{i'} \text{ and } x_j = y_j = y_{j'} \\
& \text{and } (x_{i'}, x_{j'}) \ne (y_{i'}, y_{j'}) \\
u(x_i, x_j; y_{j'}, y_{i'}) & (x_i, x_j) \ne (y_i, y_j) \text{ and} \\
& \bigl( (x_i, x_j) = (y_{i'}, y_{j'}) \text{ or } (y_i, y_j) = (x_{i'}, x_{j'}) \bigr) \\
u(x_i, x_j; y_i, y_j) & \text{otherwise} \end{cases}$$

$$u(g, h; g', h') = s(g, h; g', h') \left( 1 - \frac{|g + h - g' - h'|}{g + h + g' + h'} \right)$$

$i' = n + 1 - i$ mirrors i. The first case that holds counts. The fraction is 0 if all four grades are 0."""


# What the six functions differ in: how pairs of positions are scored, and how they are weighted.
_KINDS: dict[Kind, tuple[str, str]] = {
    "sc": ("do the grades of two lists rise and fall at the same positions", _SC),
    "ac": ("do two lists have the same grades at the same positions, or in the opposite order", _AC),
}
_WEIGHTS: dict[Weight, tuple[str, str, Weights]] = {
    "tau": ("", "1", "equal"),
    "ap": ("ap,", r"\frac{1}{j - 1}", "ap"),
    "h": ("h,", r"\frac{1}{i} + \frac{1}{j}", "hyperbolic"),
}


def _declare(kind: Kind, weight: Weight) -> Callable[[Function], Function]:
    (question, scores), (prefix, factor, weights) = _KINDS[kind], _WEIGHTS[weight]
    symbol = rf"\tau_{{{prefix}{kind}}}"
    top = "" if weight == "tau" else ", above all at the top"
    return register(
        symbol=symbol,
        cite="vezzuto",
        question=f"{question}{top}?",
        formula=_FORMULA.replace("SYMBOL", symbol).replace("WEIGHT", factor) + scores,
        symmetric=kind == "sc",
        top_weighted=weight != "tau",
        gaps="none" if kind == "sc" else "both",
        weights=weights,
        ties="equality",
        inputs="graded_lists",
        check=check_options,
        costs=functools.partial(_costs, kind=kind, weight=weight),
    )


@_declare("sc", "tau")
def tau_sc(
    x_grades: ArrayLike,
    y_grades: ArrayLike,
    *,
    max_grade: int | None = None,
    a: float | None = None,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Agreement of two graded lists in the directions in which their grades change.

    Notes
    -----
    The score of a pair of positions is 1 if its grades change in the same direction in both lists, or in
    neither list; `a` if they change in one list only; -1 otherwise. All pairs have the same weight.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 6.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_sc([3, 2, 0, 1], [3, 1, 0, 2], max_grade=3), 4)
    0.6667
    """
    return _compare("tau_sc", "sc", "tau", x_grades, y_grades, max_grade, a, axis, nan_policy, workers)


@_declare("ac", "tau")
def tau_ac(
    x_grades: ArrayLike,
    y_grades: ArrayLike,
    *,
    max_grade: int | None = None,
    a: float | None = None,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Agreement of two graded lists in direction and level of their grades.

    Notes
    -----
    All pairs have the same weight. The mirrored position of i is i' = n + 1 - i. The score of a pair of
    positions i < j:

    1. if both lists have the same grades at i and at j, y also at i' and j', but x and y differ at i' or j':
       0;
    2. else, if x and y differ at i or j, and x repeats y read backwards at i and j, or y repeats x: the score
       of 3 for the pair of x against the mirrored pair of y;
    3. else 1, `a` or -1 for the directions of the grades as in `tau_sc`, times
       ``1 - |sum of x's two grades - sum of y's two| / (sum of all four)``.

    The direction of a pair is the sign of its later grade minus its earlier grade. The formula of [1], read
    literally, gives -1 for identical lists.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 4 to 6.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_ac([3, 2, 0, 1], [3, 1, 0, 2], max_grade=3), 4)
    0.5185
    """
    return _compare("tau_ac", "ac", "tau", x_grades, y_grades, max_grade, a, axis, nan_policy, workers)


@_declare("sc", "ap")
def tau_ap_sc(
    x_grades: ArrayLike,
    y_grades: ArrayLike,
    *,
    max_grade: int | None = None,
    a: float | None = None,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Agreement of two graded lists in the directions in which their grades change, top-weighted.

    Notes
    -----
    The scores of pairs of positions are those of `tau_sc`. The weight of a pair is 1 / (positions above its
    lower one).

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 6.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_ap_sc([3, 2, 0, 1], [3, 1, 0, 2], max_grade=3), 4)
    0.7778
    """
    return _compare("tau_ap_sc", "sc", "ap", x_grades, y_grades, max_grade, a, axis, nan_policy, workers)


@_declare("ac", "ap")
def tau_ap_ac(
    x_grades: ArrayLike,
    y_grades: ArrayLike,
    *,
    max_grade: int | None = None,
    a: float | None = None,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Agreement of two graded lists in direction and level of their grades, top-weighted.

    Notes
    -----
    The scores of pairs of positions are those of `tau_ac`. The weight of a pair is 1 / (positions above its
    lower one).

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 4 to 6.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_ap_ac([3, 2, 0, 1], [3, 1, 0, 2], max_grade=3), 4)
    0.6358
    """
    return _compare("tau_ap_ac", "ac", "ap", x_grades, y_grades, max_grade, a, axis, nan_policy, workers)


@_declare("sc", "h")
def tau_h_sc(
    x_grades: ArrayLike,
    y_grades: ArrayLike,
    *,
    max_grade: int | None = None,
    a: float | None = None,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Agreement of two graded lists in the directions in which their grades change, with hyperbolic weights.

    Notes
    -----
    The scores of pairs of positions are those of `tau_sc`. The weight of a pair is 1/i + 1/j.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 6.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_h_sc([3, 2, 0, 1], [3, 1, 0, 2], max_grade=3), 4)
    0.76
    """
    return _compare("tau_h_sc", "sc", "h", x_grades, y_grades, max_grade, a, axis, nan_policy, workers)


@_declare("ac", "h")
def tau_h_ac(
    x_grades: ArrayLike,
    y_grades: ArrayLike,
    *,
    max_grade: int | None = None,
    a: float | None = None,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Agreement of two graded lists in direction and level of their grades, with hyperbolic weights.

    Notes
    -----
    The scores of pairs of positions are those of `tau_ac`. The weight of a pair is 1/i + 1/j.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 4 to 6.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_h_ac([3, 2, 0, 1], [3, 1, 0, 2], max_grade=3), 4)
    0.6356
    """
    return _compare("tau_h_ac", "ac", "h", x_grades, y_grades, max_grade, a, axis, nan_policy, workers)
