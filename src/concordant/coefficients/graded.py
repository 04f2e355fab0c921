"""Coefficients of grades: two lists of grades in rank order; and two rankings of items with grades."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, Concatenate, Literal, ParamSpec

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concordant.checks import check_nan_policy, n_workers
from concordant.coefficients.costs import CostFunctions, over_all_pairs, position_weights, weight_of_all
from concordant.coefficients.declaration import Weights
from concordant.coefficients.engine import (
    FEW_ITEMS,
    NEVER,
    SAME_GRADE,
    Outcome,
    Statistic,
    clamped,
    count,
    n_pairs,
    ratio,
    refusal_of_ties,
    shaped,
)
from concordant.coefficients.registration import register
from concordant.coefficients.unbiased import MOST_GRADES, Kind, Weight, default_a
from concordant.errors import ArgumentError, ArgumentTypeError, TiesError, calling, option
from concordant.rankings.compiled import core
from concordant.rankings.convert import as_floats
from concordant.rankings.labels import labels_of, order_by_label, place, refuse_other_coordinates
from concordant.rankings.pairs import Pairs, Rows, broadcast_rows, items_last, read_pairs, screen
from concordant.typing import Booleans, Floats, Integers, NanPolicy, RankingLike, Value

__all__ = ["tau_ac", "tau_ap_ac", "tau_ap_dw", "tau_ap_sc", "tau_dw"]
__all__ += ["tau_h_ac", "tau_h_dw", "tau_h_sc", "tau_sc"]

_MOST_STEPS = 2**34  # about two minutes
_MOST_DIFFERENT = 1024  # different grades: the core numbers all pairs of them


def _read_grades(name: str, values: Any, axis: int, nan_policy: NanPolicy) -> Floats:
    """Read grades, items last; they stay floats while some are NaN."""
    floats = as_floats(name, values)
    if (
        floats.min(initial=0.0) >= 0
        and floats.max(initial=0.0) < 2**53
        and (floats == np.floor(floats)).all()
    ):
        return items_last(name, floats, axis)  # the usual case needs no more checks
    nan = np.isnan(floats)
    wrong = ~(nan | ((floats >= 0) & (floats == np.floor(floats)) & (floats < 2**53)))
    for bad in (wrong, nan if nan_policy == "raise" else wrong):
        if bad.any():
            index = tuple(int(i) for i in np.argwhere(bad)[0])
            advice = f"; use {option('nan_policy', 'omit')} to leave it out" if nan[index] else ""
            got = f"got {floats[index]:g} at {place(index)}{advice}"
            raise ArgumentError(f"{name} must hold grades, whole numbers from 0 up, {got}")
    return items_last(name, floats, axis)


def _numbered(*lists: Floats) -> tuple[Floats, list[NDArray[np.uint32]]]:
    """Give each different grade a number; return the different grades, and the lists as these numbers."""
    top = max(int(one.max(initial=0)) for one in lists)
    if top < MOST_GRADES:  # the grades are their own numbers
        return np.arange(top + 1.0), [np.ascontiguousarray(one.astype(np.uint32)) for one in lists]
    values, numbers = np.unique(np.concatenate([one.ravel() for one in lists]), return_inverse=True)
    if len(values) > _MOST_DIFFERENT:
        most = f"at most {_MOST_DIFFERENT} are supported"
        raise ArgumentError(f"there are {len(values)} different grades; {most}")
    parts = np.split(numbers.ravel().astype(np.uint32), np.cumsum([one.size for one in lists])[:-1])
    both = zip(parts, lists, strict=True)
    return values, [np.ascontiguousarray(part.reshape(one.shape)) for part, one in both]


_EVERY = slice(None)


def _missing_in(*arrays: Floats) -> Booleans | None:
    """Return where any of the arrays is NaN; None if nowhere."""
    if not np.isnan(sum(array.sum() for array in arrays)):
        return None
    return np.any([np.isnan(array) for array in arrays], axis=0)  # type: ignore[no-any-return]


def _of_rows(
    name: str,
    compute: Callable[[Any, Any], Floats],
    n: int,
    missing: Booleans | None,
    nan_policy: NanPolicy,
    reason: str,
    shape: tuple[int, ...],
) -> Value:
    """Return ``compute(rows, kept)`` for all rows of n items, with a warning if some values are undefined.

    `missing` says for each row which items have NaN; None if there are none. Rows without NaN are computed
    together. A row with NaN gives nan, or, if NaN is omitted, is computed alone without these items.
    """
    sizes: Integers = np.array(n)
    if missing is None:
        values = compute(_EVERY, _EVERY)
        nan = np.zeros(len(values), dtype=np.bool_)
        if n >= 2 and not np.isnan(values).any():
            return shaped(values, shape)
    else:
        nan = np.asarray(missing.any(axis=1))
        values = np.full(len(nan), np.nan)
        if not nan.all():
            values[~nan] = compute(~nan, _EVERY)
        if nan_policy == "omit":
            for row in np.flatnonzero(nan):
                values[row] = compute(slice(row, row + 1), ~missing[row])[0]
            nan, sizes = np.zeros_like(nan), n - missing.sum(axis=1)
    few = np.broadcast_to(sizes < 2, values.shape)
    values = np.where(few, np.nan, values)
    undefined = np.isnan(values) & ~nan
    whys = ((FEW_ITEMS, few), (reason, ~few))
    reasons = tuple(why for why, which in whys if (undefined & which).any())
    Outcome(values, int(undefined.sum()), reasons).report(name)
    return shaped(values, shape)


def check_options(max_grade: Any = None, a: Any = None, *, largest: int = 0) -> None:
    """Check the scale, given the largest grade there is, and the score of a pair tied in one list only."""
    whole = isinstance(max_grade, int | np.integer) and not isinstance(max_grade, bool)
    if max_grade is not None and (not whole or max_grade < largest):
        must = f"must be the largest grade of the scale, {largest} or more"
        raise ArgumentError(f"{option('max_grade')} {must}, got {max_grade!r}")
    if a is not None and (not isinstance(a, Real) or isinstance(a, bool) or not a <= 1e9 or a < -1e9):
        raise ArgumentError(f"a must be a number, the score of a tie in one list only, got {a!r}")


def _check_scale(kind: str, tops: Integers, max_grade: Any, a: Any) -> None:
    """Check the options against the grades that there are."""
    largest = int(tops.max(initial=0))
    check_options(max_grade, a, largest=largest)
    if kind == "ac" and a is None and max(largest, max_grade or 0) >= MOST_GRADES:
        scale = f"the scale has {max(largest, max_grade or 0) + 1} grades"
        raise ArgumentError(f"{scale}, and a has a default for at most {MOST_GRADES}; give a")


def _check_work(x: Floats) -> None:
    """Refuse lists that would take minutes: each position is compared with every pair of grades."""
    n = x.shape[1]
    if n * n > _MOST_STEPS and n * min(n, len(np.unique(x)) ** 2) > _MOST_STEPS:
        raise ArgumentError(
            f"the lists have {n} positions and too many different grades; the time grows with the number of "
            "positions times that of different pairs of grades, so give shorter lists or fewer grades"
        )


def list_values(kind: str, weight: str, x: Floats, y: Floats, of_ties: Floats, threads: int) -> Floats:
    """Return the coefficients of rows of two graded lists, with the score of one-sided ties for each."""
    n = x.shape[1]
    values, (x_numbers, y_numbers) = _numbered(x, y)
    found = np.zeros((len(x), 4))
    core.graded_lists(x_numbers, y_numbers, values, of_ties, kind == "ac", threads, found)
    tau, ap, hyperbolic, hyperbolic_weight = found.T
    if weight == "h":
        result: Floats = ratio(hyperbolic, hyperbolic_weight)
    else:
        numerator, denominator = (tau, n_pairs(n)) if weight == "tau" else (ap, n - 1)
        result = ratio(numerator, np.full(len(x), denominator))
    # If the score of ties has no bounds, the value has none.
    return clamped(result) if (np.abs(of_ties) <= 1).all() else result


def grades_of(pairs: Pairs, grades: Any, axis: int = -1, nan_policy: NanPolicy = "raise") -> Floats:
    """Read the grades of items, in the order of the rankings."""
    listed = list(grades.values()) if isinstance(grades, Mapping) else grades
    rows = _read_grades("grades", listed, axis, nan_policy)
    labels = labels_of(grades, axis)
    if labels is not None and pairs.labels is not None:
        order = order_by_label(pairs.labels, labels, ("x", "grades"))
        rows = rows if order is None else rows[..., order]
    elif isinstance(grades, Mapping):
        advice = "give all of them labels, or none"
        raise ArgumentTypeError(f"grades is a mapping and the rankings have no labels; {advice}")
    if rows.shape[-1] != pairs.n_items:
        there = f"there are {pairs.n_items} items and {rows.shape[-1]} grades"
        raise ArgumentError(f"{there}; give one grade for each item")
    return rows


Own = ParamSpec("Own")

# How pairs are weighted: the prefix of the symbol, the weights, and their formula for lists and for items.
_WEIGHTS: dict[Weight, tuple[str, Weights, str, str]] = {
    "tau": ("", "equal", "1", ""),
    "ap": ("ap,", "ap", r"\frac{1}{j - 1}", r", \qquad w_{ij} = \frac{1}{\max(r_i, r_j) - 1}"),
    "h": (
        *("h,", "hyperbolic", r"\frac{1}{i} + \frac{1}{j}"),
        r""", \qquad
w_{ij} = \frac12 \left( \frac{1}{r^x_i} + \frac{1}{r^x_j} + \frac{1}{r^y_i} + \frac{1}{r^y_j} \right)""",
    ),
}
_RANKS: dict[Weight, str] = {
    "tau": "",
    "ap": " $r_i$ is the rank of item i in y, the best is 1.",
    "h": " $r^x_i$ and $r^y_i$ are the ranks of item i in x and in y, the best is 1.",
}


def _declare(
    compute: Callable[Concatenate[str, Any, Weight, Own], Value], kind: Kind | Literal["dw"], weight: Weight
) -> Callable[[Callable[[], None]], Callable[Own, Value]]:
    """Make a coefficient of a function that has only a name and a text; kind and weight say what it is."""
    signature = inspect.signature(functools.partial(compute, "", kind, weight))
    prefix, weights, of_lists, of_items = _WEIGHTS[weight]
    symbol = rf"\tau_{{{prefix}{kind}}}"
    declared: dict[str, Any] = {"symbol": symbol, "cite": "vezzuto", "weights": weights}
    declared["top_weighted"] = weight != "tau"
    if kind == "dw":
        question = "do two rankings order documents of different grades the same way"
        formula = _FORMULA_OF_ITEMS.replace("WEIGHT", r"w_{ij} \, " if of_items else "")
        declared["formula"] = formula.replace("MORE", of_items) + _RANKS[weight]
        declared |= {"symmetric": weight != "ap", "ties": "error", "inputs": "graded_items"}
        declared["costs"] = functools.partial(_costs_of_items, weight=weight)
    else:
        question, scores = _KINDS[kind]
        declared["formula"] = _FORMULA_OF_LISTS.replace("WEIGHT", of_lists) + scores
        declared |= {"symmetric": kind == "sc", "ties": "equality", "inputs": "graded_lists"}
        declared |= {"gaps": "none" if kind == "sc" else "both", "check": check_options}
        declared["costs"] = functools.partial(_costs_of_lists, kind=kind, weight=weight)
    declared["formula"] = declared["formula"].replace("SYMBOL", symbol)
    declared["question"] = f"{question}{'' if weight == 'tau' else ', above all at the top'}?"

    def make(named: Callable[[], None]) -> Callable[Own, Value]:
        @functools.wraps(named)
        def coefficient(*arguments: Own.args, **options: Own.kwargs) -> Value:
            with calling(named.__name__):
                try:
                    signature.bind(*arguments, **options)
                except TypeError as error:
                    raise ArgumentTypeError(str(error)) from None
                return compute(named.__name__, kind, weight, *arguments, **options)

        del coefficient.__wrapped__
        coefficient.__signature__ = signature  # type: ignore[attr-defined]
        return register(**declared)(coefficient)

    return make


# --- two lists -------------------------------------------------------------------------------------------


def _lists(
    name: str,
    kind: Kind,
    weight: Weight,
    x_grades: ArrayLike,
    y_grades: ArrayLike,
    *,
    max_grade: int | None = None,
    a: float | None = None,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    check_nan_policy(nan_policy)
    threads = n_workers(workers)
    # The place in a list is the rank; coordinates must not give another order.
    refuse_other_coordinates(x_grades, y_grades, axis, ("x_grades", "y_grades"), by_place=True)
    x, y, shape = broadcast_rows(
        _read_grades("x_grades", x_grades, axis, nan_policy),
        _read_grades("y_grades", y_grades, axis, nan_policy),
    )
    missing = _missing_in(x, y)
    known = (x, y) if missing is None else (np.nan_to_num(x), np.nan_to_num(y))
    tops = np.maximum(*(side.max(axis=1, initial=0) for side in known)).astype(np.int64)
    _check_scale(kind, tops, max_grade, a)
    _check_work(known[0])

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

    return _of_rows(name, compute, x.shape[1], missing, nan_policy, NEVER, shape)


def _costs_of_lists(
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


_FORMULA_OF_LISTS = r"""
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


_KINDS = {
    "sc": ("do the grades of two lists rise and fall at the same positions", _SC),
    "ac": ("do two lists have the same grades at the same positions, or in the opposite order", _AC),
}


@_declare(_lists, "sc", "tau")
def tau_sc() -> None:
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


@_declare(_lists, "ac", "tau")
def tau_ac() -> None:
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


@_declare(_lists, "sc", "ap")
def tau_ap_sc() -> None:
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


@_declare(_lists, "ac", "ap")
def tau_ap_ac() -> None:
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


@_declare(_lists, "sc", "h")
def tau_h_sc() -> None:
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


@_declare(_lists, "ac", "h")
def tau_h_ac() -> None:
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


# --- two rankings of items -------------------------------------------------------------------------------


def _items(
    name: str,
    _kind: str,
    weight: Weight,
    x: RankingLike,
    y: RankingLike,
    grades: RankingLike,
    *,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    check_nan_policy(nan_policy)
    threads = n_workers(workers)
    pairs = read_pairs(x, y, axis)
    screen(pairs, "raise" if nan_policy == "raise" else "propagate")
    refuse_other_coordinates(x, grades, axis, ("x", "grades"))
    rows = grades_of(pairs, grades, axis, nan_policy)
    n = pairs.n_items
    try:
        shape = np.broadcast_shapes(pairs.shape, rows.shape[:-1])
    except ValueError:
        ranked = f"rankings of shape {(*pairs.shape, n)}"
        raise ArgumentError(f"grades of shape {rows.shape} do not broadcast to {ranked}") from None
    row_x, row_y = pairs.pair_x, pairs.pair_y
    if shape != pairs.shape:
        each = np.broadcast_to(np.arange(len(pairs)).reshape(pairs.shape), shape).ravel()
        row_x, row_y = row_x[each], row_y[each]
    rows = np.broadcast_to(rows, (*shape, n)).reshape(math.prod(shape), n)
    full_x, full_y = (
        side.values.reshape(len(side), n)[row] for side, row in ((pairs.x, row_x), (pairs.y, row_y))
    )
    missing = _missing_in(full_x, full_y, rows)

    def compute(which: Any, kept: Any) -> Floats:
        part = [side[which][:, kept] for side in (full_x, full_y, rows)]
        found = np.zeros((len(part[0]), 6))
        values, (numbers,) = _numbered(part[2])
        flat_x, flat_y = (np.ascontiguousarray(side).ravel() for side in part[:2])
        if not core.graded_items(flat_x, flat_y, numbers, values, threads, found):
            named = Pairs(pairs.x, pairs.y, row_x, row_y, shape)
            plain = Pairs.one_to_one(*map(Rows.equal, part[:2]))
            _refuse_ties(name, named if kept is _EVERY else plain)
        at = {"tau": 0, "ap": 2, "h": 4}[weight]
        ratios: Floats = ratio(found[:, at], found[:, at + 1])
        return ratios

    return _of_rows(name, compute, n, missing, nan_policy, SAME_GRADE, shape)


def _refuse_ties(name: str, pairs: Pairs) -> None:
    statistic = Statistic(name, lambda n: n, NEVER, "a coefficient of scores that accepts ties")
    pairs, missing = screen(pairs, "propagate")
    found = count(pairs, [(statistic, (0.0, 0.0))], 1)[0.0, 0.0]
    raise TiesError(refusal_of_ties(statistic, pairs, found, missing))


def _costs_of_items(x: Floats, y: Floats, grades: Floats, *, weight: Weight) -> list[CostFunctions]:
    """Return the costs of pairs of items (Vezzuto, eq. 3).

    The weight of a pair is the distance of its grades times that of its places.
    """
    place_x, place_y = (np.argsort(np.argsort(-v)) for v in (x, y))

    def weights(i: Integers, j: Integers) -> Floats:
        one, other = grades[i], grades[j]
        top = np.maximum(one, other)
        distance = np.abs(one - other) / np.where(top > 0, top, 1.0)
        of_places = position_weights(weight, place_y[i], place_y[j])
        if weight == "h":
            of_places = (of_places + position_weights(weight, place_x[i], place_x[j])) / 2
        return of_places * distance

    total = math.fsum(over_all_pairs(weights, len(x)).tolist()) / 2

    def pair_costs(i: Integers, j: Integers) -> Floats:
        opposed = (place_x[i] < place_x[j]) != (place_y[i] < place_y[j])
        return np.where(opposed, 2 * weights(i, j) / total, 0.0)

    return [CostFunctions(lambda: over_all_pairs(pair_costs, len(x)), pair_costs)]


_FORMULA_OF_ITEMS = r"""
$$SYMBOL = \frac{\sum_{i<j} WEIGHTd_{ij} \, s^x_{ij} s^y_{ij}}{\sum_{i<j} WEIGHTd_{ij}}, \qquad
d_{ij} = \frac{|g_i - g_j|}{\max(g_i, g_j)}MORE$$

$s^x_{ij}$ is the sign of $x_i - x_j$, $s^y_{ij}$ that of $y_i - y_j$. $g_i$ is the grade of item i;
$d_{ij}$ is 0 if both grades are 0."""


@_declare(_items, "dw", "tau")
def tau_dw() -> None:
    """Kendall's tau with pairs weighted by the distance of their grades. Ties are an error.

    Notes
    -----
    The distance of two grades is ``|g - h| / max(g, h)``, 0 for equal grades.
    The weight of a pair is the distance of its grades.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 3.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_dw([4, 3, 2, 1], [4, 1, 2, 3], [2, 2, 0, 1]), 4)
    -0.25
    """


@_declare(_items, "dw", "ap")
def tau_ap_dw() -> None:
    """AP correlation with pairs weighted by the distance of their grades. Ties are an error.

    Notes
    -----
    The distance of two grades is ``|g - h| / max(g, h)``, 0 for equal grades.
    The weight of a pair is the distance of its grades / (items above the lower one in y).

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 3.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_ap_dw([4, 3, 2, 1], [4, 1, 2, 3], [2, 2, 0, 1]), 4)
    0.0
    """


@_declare(_items, "dw", "h")
def tau_h_dw() -> None:
    """Hyperbolic tau with pairs weighted by the distance of their grades. Ties are an error.

    Notes
    -----
    The distance of two grades is ``|g - h| / max(g, h)``, 0 for equal grades.
    The weight of a pair is the distance of its grades times 1/rank_i + 1/rank_j,
    where the second factor is the mean over both rankings.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 3.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_h_dw([4, 3, 2, 1], [4, 1, 2, 3], [2, 2, 0, 1]), 4)
    0.0601
    """
