"""Many rankings in one call: lists of different length, and all pairs of a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant._engine import check_options
from concordant._inputs import (
    Floats,
    Integers,
    NanPolicy,
    Pairs,
    Progress,
    aligned,
    alignment,
    as_floats,
    is_frame,
    labels_of,
    read,
    where,
)
from concordant._registry import Coefficient, evaluate, get

__all__ = ["grouped", "matrix"]


def grouped(
    x: Any,
    y: Any,
    groups: Any,
    coefficient: str | Coefficient | Callable[..., Any],
    *,
    return_labels: bool = False,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:
    """Correlate within each group: lists of different length in one pass, such as one list of documents per query.

    Parameters
    ----------
    x, y : array_like or Series of length N
        Reference and estimated scores of all items of all groups.
    groups : array_like or Series of length N
        The group of each item: integers, strings or any hashable. A group's items need not be adjacent. With labels,
        it is aligned by label like `y`.
    coefficient : str, Coefficient or callable
        As `get` reads it, such as ``"tau_ap_b(0.05)@10"``.
    return_labels : bool, default False
        Also return the groups' labels.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: give nan for the group, raise an error, or leave the item out.
    workers : int, default 1
        Threads; -1 for all cores. The values do not depend on it.

    Returns
    -------
    values : numpy.ndarray
        One value per group, in the order in which groups are first seen.
    labels : list
        The groups in that order, if `return_labels`.

    Examples
    --------
    >>> import concordant as cd
    >>> topic = ["q1", "q1", "q2", "q2", "q1", "q2"]
    >>> cd.grouped([3, 2, 3, 2, 1, 1], [3, 1, 3, 2, 2, 1], topic, "tau_b", return_labels=True)
    (array([0.33333333, 1.        ]), ['q1', 'q2'])
    """
    who = "grouped"
    chosen = get(coefficient)
    threads = check_options(who, nan_policy, workers)
    values_x, values_y = read(who, "x", x)[0], read(who, "y", y)[0]
    values_y, labels = aligned(who, x, y, values_y)
    of_items = labels_of(groups)
    if of_items is not None and labels is not None:
        order = alignment(who, labels, of_items, "x and groups")
        groups = groups.values() if isinstance(groups, Mapping) else groups.to_numpy()
        groups = groups if order is None else [list(groups)[k] for k in order.tolist()]
    elif isinstance(groups, Mapping):
        raise TypeError(
            f"{who}: groups is a mapping and the rankings have no labels; give all of them labels, or none"
        )
    codes, first, group_labels = _group_codes(who, groups)
    if not values_x.shape == values_y.shape == codes.shape:
        raise ValueError(
            f"{who}: x, y and groups must be lists of the same length, got shapes {values_x.shape}, {values_y.shape} "
            f"and {codes.shape}"
        )
    sizes = np.bincount(codes, minlength=len(first))
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    if (np.diff(codes) < 0).any():
        places = np.argsort(codes, kind="stable")
        values_x, values_y = values_x[places], values_y[places]
    else:
        places = np.arange(len(codes))

    def name(group: int, k: int) -> str:
        place = int(places[offsets[group] + k])
        return where((place,)) if labels is None else repr(labels[place])

    every = np.arange(len(first))
    pairs = Pairs(values_x, offsets, values_y, offsets, every, every, (len(first),), name, name)
    outcome = evaluate(chosen.name, [chosen], pairs, nan_policy, threads)[0]
    outcome.report(str(chosen))
    return (outcome.values, group_labels) if return_labels else outcome.values


def _group_codes(who: str, groups: Any) -> tuple[Integers, Integers, list[Hashable]]:
    """Give each group a number in first-seen order; also return where each is first seen, and its label."""
    array = groups.to_numpy() if hasattr(groups, "to_numpy") else groups
    without_label = f"{who}: groups has items without a label; drop them first"
    if isinstance(array, np.ma.MaskedArray):
        if np.ma.getmaskarray(array).any():
            raise ValueError(without_label)
        array = array.data
    if not isinstance(array, np.ndarray) or array.dtype.kind == "O":
        # Any hashable: through a dictionary, because NumPy would turn [1, "1"] into one kind of label.
        try:
            listed = array.tolist() if isinstance(array, np.ndarray) else list(array)
            known: dict[Hashable, int] = {}
            codes = np.array([known.setdefault(label, len(known)) for label in listed], dtype=np.int64)
        except TypeError:
            raise TypeError(f"{who}: groups must be a list of labels, such as numbers or strings") from None
        if any(_is_missing(label) for label in known):
            raise ValueError(without_label)
        return codes, np.unique(codes, return_index=True)[1].astype(np.int64), list(known)
    if array.ndim != 1:
        raise ValueError(f"{who}: groups must be one list of labels, got shape {array.shape}")
    if array.dtype.kind in "fM" and (np.isnan(array) if array.dtype.kind == "f" else np.isnat(array)).any():
        raise ValueError(without_label)
    if len(array) == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), []
    # Runs of equal labels first: where groups are adjacent, which is usual, only one label per group is sorted.
    heads = np.concatenate([[0], np.flatnonzero(array[1:] != array[:-1]) + 1])
    _, first, codes_of_heads = np.unique(array[heads], return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    codes = np.repeat(rank[codes_of_heads.ravel()], np.diff(np.append(heads, len(array))))
    seen = heads[np.sort(first)]
    return codes, seen, array[seen].tolist()


def _is_missing(label: Any) -> bool:
    """Tell None, nan, and pandas' NA and NaT from labels."""
    if isinstance(label, float):
        return math.isnan(label)
    return label is None or type(label).__name__ in ("NAType", "NaTType")


def matrix(
    rankings: Any,
    coefficient: str | Coefficient | Callable[..., Any],
    *,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:
    """Correlate all pairs of rankings; the row is the reference, the column the estimate.

    Parameters
    ----------
    rankings : array_like of shape (r, n), sequence of rankings, mapping or DataFrame
        Rows to compare, each as a coefficient takes it (rankings with labels are aligned by label); the values of a
        mapping; or the columns of a DataFrame.
    coefficient : str, Coefficient or callable
        As `get` reads it, such as ``"tau_ap_b(0.05)"``. A symmetric one is computed once for each pair.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: give nan for the pair, raise an error, or leave the item out of the pair.
    workers : int, default 1
        Threads; -1 for all cores. The values do not depend on it.

    Returns
    -------
    numpy.ndarray of shape (r, r), or DataFrame
        A DataFrame for a DataFrame.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.matrix([[4, 3, 2, 1], [3, 4, 2, 1], [4, 3, 1, 2]], "tau_ap").round(2)
    array([[1.  , 0.33, 0.78],
           [0.33, 1.  , 0.11],
           [0.78, 0.11, 1.  ]])
    """
    who = "matrix"
    chosen = get(coefficient)
    threads = check_options(who, nan_policy, workers)
    rows, labels = _rows(who, rankings)
    r, n = rows.shape
    once = chosen.symmetric and chosen.top is None and chosen.threshold[0] == chosen.threshold[1]
    asked = np.triu(np.ones((r, r), dtype=np.bool_)) if once else np.ones((r, r), dtype=np.bool_)
    first, second = np.nonzero(asked)
    offsets = np.arange(r + 1) * n
    flat = rows.ravel()
    names = list(rankings.columns if is_frame(rankings) else rankings) if _has_names(rankings) else range(r)

    def name(row: int, k: int) -> str:
        return f"ranking {names[row]!r}, " + (where((k,)) if labels is None else repr(labels[k]))

    pairs = Pairs(flat, offsets, flat, offsets, first, second, (len(first),), name, name)
    outcome = evaluate(chosen.name, [chosen], pairs, nan_policy, threads)[0]
    outcome.report(str(chosen))
    result = np.empty((r, r))
    result[asked] = outcome.values
    if once:
        result.T[asked] = outcome.values
    return _like(rankings, result)


def _has_names(rankings: Any) -> bool:
    return is_frame(rankings) or isinstance(rankings, Mapping)


def _rows(who: str, rankings: Any) -> tuple[Floats, Sequence[Hashable] | None]:
    if is_frame(rankings):
        by_place = rankings.iloc if hasattr(rankings, "iloc") else rankings
        return _stack(who, [by_place[:, c] for c in range(len(rankings.columns))])
    if isinstance(rankings, Mapping):
        return _stack(who, list(rankings.values()))
    if isinstance(rankings, list | tuple) and any(
        isinstance(one, Mapping | np.ma.MaskedArray) or hasattr(one, "to_numpy") for one in rankings
    ):
        return _stack(who, list(rankings))
    rows = as_floats(who, "rankings", rankings)
    if rows.ndim != 2:
        raise ValueError(
            f"{who}: rankings must have two dimensions, rankings by items, got shape {rows.shape}"
        )
    return rows, None


def _stack(who: str, rankings: list[Any]) -> tuple[Floats, Sequence[Hashable] | None]:
    if not rankings:
        return np.empty((0, 0)), None
    rows: list[NDArray[np.float64]] = []
    labels: list[Hashable] | None = None
    for i, one in enumerate(rankings):
        values, own = read(who, f"ranking {i}", one)
        if i == 0:
            labels = own
        elif (own is None) != (labels is None):
            raise TypeError(f"{who}: ranking {i} and ranking 0 must both have labels, or neither")
        elif own is not None and labels is not None:
            order = alignment(who, labels, own, f"ranking 0 and ranking {i}")
            values = values if order is None else values[order]
        if values.ndim != 1 or len(values) != len(rows[0] if rows else values):
            raise ValueError(
                f"{who}: ranking {i} has shape {values.shape}, ranking 0 has {rows[0].shape if rows else '(n,)'}"
            )
        rows.append(values)
    return np.stack(rows), labels


def _like(rankings: Any, result: Floats) -> Any:
    if not is_frame(rankings):
        return result
    if hasattr(rankings, "index"):
        return type(rankings)(result, index=rankings.columns, columns=rankings.columns)
    return type(rankings)(result, schema=list(rankings.columns))


_MOST_AT_ONCE = 1 << 20  # items in a batch


def without_groups(
    who: str, c: Coefficient, x: Floats, y: Floats, group: Integers, n_groups: int, threads: int, progress: Progress | None = None
) -> Floats:  # fmt: skip
    """Return the coefficient without each of the groups 0 ... n_groups - 1; where ties are refused, nan."""
    if c.inputs == "profiles" and "max_grade" not in dict(c.options):
        # The scale stays that of all grades, whichever are left.
        c = replace(c, options=(*c.options, ("max_grade", int(max(x.max(), y.max())))))
    values = np.empty(n_groups)
    step = max(1, _MOST_AT_ONCE // max(len(x), 1))
    for start in range(0, n_groups, step):
        stop = min(start + step, n_groups)
        rows = [np.flatnonzero(group != g) for g in range(start, stop)]
        kept = np.concatenate(rows)
        offsets = np.cumsum([0, *map(len, rows)])
        every = np.arange(stop - start)
        pairs = Pairs(x[kept], offsets, y[kept], offsets, every, every, (stop - start,), _unnamed, _unnamed)
        values[start:stop] = evaluate(who, [c], pairs, "raise", threads, refuse=False)[0].values
        if progress is not None:
            progress(stop, n_groups)
    return values


def _unnamed(_row: int, k: int) -> str:
    return where((k,))
