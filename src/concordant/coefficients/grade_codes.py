"""Grades: reading them, numbering them for the core, leaving out NaN, and the values of graded lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.coefficients.engine import FEW_ITEMS, Outcome, clamped, n_pairs, ratio, shaped
from concordant.errors import ArgumentError, ArgumentTypeError, option
from concordant.rankings.compiled import core
from concordant.rankings.convert import as_floats
from concordant.rankings.labels import labels_of, order_by_label, place
from concordant.rankings.pairs import Pairs, items_last
from concordant.typing import Booleans, Floats, Integers, NanPolicy, Value

MOST_GRADES = 32  # for the unbiased score of ac, whose expectations are sums over four grades
Kind = Literal["sc", "ac"]
Weight = Literal["tau", "ap", "h"]
_MOST_STEPS = 2**34  # about two minutes
_MOST_DIFFERENT = 1024  # different grades: the core numbers all pairs of them


def read_grades(name: str, values: Any, axis: int, nan_policy: NanPolicy) -> Floats:
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


def numbered(*lists: Floats) -> tuple[Floats, list[NDArray[np.uint32]]]:
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


EVERY = slice(None)


def missing_in(*arrays: Floats) -> Booleans | None:
    """Return where any of the arrays is NaN; None if nowhere."""
    if not np.isnan(sum(array.sum() for array in arrays)):
        return None
    return np.any([np.isnan(array) for array in arrays], axis=0)  # type: ignore[no-any-return]


def of_rows(
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
        values = compute(EVERY, EVERY)
        nan = np.zeros(len(values), dtype=np.bool_)
        if n >= 2 and not np.isnan(values).any():
            return shaped(values, shape)
    else:
        nan = np.asarray(missing.any(axis=1))
        values = np.full(len(nan), np.nan)
        if not nan.all():
            values[~nan] = compute(~nan, EVERY)
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


def check_scale(kind: str, tops: Integers, max_grade: Any, a: Any) -> None:
    """Check the options against the grades that there are."""
    largest = int(tops.max(initial=0))
    check_options(max_grade, a, largest=largest)
    if kind == "ac" and a is None and max(largest, max_grade or 0) >= MOST_GRADES:
        scale = f"the scale has {max(largest, max_grade or 0) + 1} grades"
        raise ArgumentError(f"{scale}, and a has a default for at most {MOST_GRADES}; give a")


def check_work(x: Floats) -> None:
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
    values, (x_numbers, y_numbers) = numbered(x, y)
    found = np.zeros((len(x), 4))
    core.graded_lists(x_numbers, y_numbers, values, of_ties, kind == "ac", threads, found)
    tau, ap, hyperbolic, hyperbolic_weight = found.T
    if weight == "h":
        result: Floats = ratio(hyperbolic, hyperbolic_weight)
    else:
        numerator, denominator = (tau, n_pairs(n)) if weight == "tau" else (ap, max(n - 1, 0))
        result = ratio(numerator, np.full(len(x), denominator))
    # If the score of ties has no bounds, the value has none.
    return clamped(result) if (np.abs(of_ties) <= 1).all() else result


def grades_of(pairs: Pairs, grades: Any, axis: int = -1, nan_policy: NanPolicy = "raise") -> Floats:
    """Read the grades of items, in the order of the rankings."""
    listed = list(grades.values()) if isinstance(grades, Mapping) else grades
    rows = read_grades("grades", listed, axis, nan_policy)
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
