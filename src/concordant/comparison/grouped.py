"""A coefficient within each of many groups of items."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Literal, overload

import numpy as np

from concordant.coefficients import CoefficientLike, evaluate, get
from concordant.errors import ArgumentError, ArgumentTypeError, public
from concordant.rankings import (
    Pairs,
    Rows,
    check_nan_policy,
    is_missing,
    labels_of,
    n_workers,
    order_by_label,
    place,
    read_two,
)
from concordant.typing import Floats, Integers, NanPolicy, RankingLike

__all__ = ["grouped"]


@overload
def grouped(
    x: RankingLike,
    y: RankingLike,
    groups: Any,
    coefficient: CoefficientLike,
    *,
    return_labels: Literal[False] = ...,
    nan_policy: NanPolicy = ...,
    workers: int = ...,
) -> Floats: ...
@overload
def grouped(
    x: RankingLike,
    y: RankingLike,
    groups: Any,
    coefficient: CoefficientLike,
    *,
    return_labels: Literal[True],
    nan_policy: NanPolicy = ...,
    workers: int = ...,
) -> tuple[Floats, list[Hashable]]: ...
@public
def grouped(
    x: RankingLike,
    y: RankingLike,
    groups: Any,
    coefficient: CoefficientLike,
    *,
    return_labels: bool = False,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Floats | tuple[Floats, list[Hashable]]:
    """Correlate within each group, such as one list of documents per query.

    The groups may have different lengths; all are computed in one pass.

    Parameters
    ----------
    x, y : array_like or Series of length N
        Reference and estimated scores of all items of all groups.
    groups : array_like or Series of length N
        The group of each item: integers, strings or any hashable. A group's items need not be adjacent. With
        labels, it is aligned by label like `y`.
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
    chosen = get(coefficient)
    check_nan_policy(nan_policy)
    threads = n_workers(workers)
    values_x, values_y, labels = read_two(x, y)
    of_items = labels_of(groups)
    if of_items is not None and labels is not None:
        order = order_by_label(labels, of_items, ("x", "groups"))
        groups = groups.values() if isinstance(groups, Mapping) else groups.to_numpy()
        groups = groups if order is None else [list(groups)[k] for k in order.tolist()]
    elif isinstance(groups, Mapping):
        raise ArgumentTypeError(
            "groups is a mapping and the rankings have no labels; give all of them labels, or none"
        )
    codes, first, group_labels = _group_codes(groups)
    if not values_x.shape == values_y.shape == codes.shape:
        raise ArgumentError(
            f"x, y and groups must be lists of the same length, got shapes {values_x.shape}, "
            f"{values_y.shape} and {codes.shape}"
        )
    sizes = np.bincount(codes, minlength=len(first))
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    if (np.diff(codes) < 0).any():
        places = np.argsort(codes, kind="stable")
        values_x, values_y = values_x[places], values_y[places]
    else:
        places = np.arange(len(codes))

    def name(group: int, k: int) -> str:
        item = int(places[offsets[group] + k])
        return place((item,)) if labels is None else repr(labels[item])

    pairs = Pairs.one_to_one(Rows(values_x, offsets, name), Rows(values_y, offsets, name))
    outcome = evaluate([chosen], pairs, nan_policy, threads)[0]
    outcome.report(str(chosen))
    return (outcome.values, group_labels) if return_labels else outcome.values


def _group_codes(groups: Any) -> tuple[Integers, Integers, list[Hashable]]:
    """Give each group a number in first-seen order; also return where each is first seen, and its label."""
    array = groups.to_numpy() if hasattr(groups, "to_numpy") else groups
    without_label = "groups has items without a label; drop them first"
    if isinstance(array, np.ma.MaskedArray):
        if np.ma.getmaskarray(array).any():
            raise ArgumentError(without_label)
        array = array.data
    if not isinstance(array, np.ndarray) or array.dtype.kind == "O":
        # Any hashable: through a dictionary, because NumPy would turn [1, "1"] into one kind of label.
        try:
            listed = array.tolist() if isinstance(array, np.ndarray) else list(array)
            known: dict[Hashable, int] = {}
            codes = np.array([known.setdefault(label, len(known)) for label in listed], dtype=np.int64)
        except TypeError:
            raise ArgumentTypeError("groups must be a list of labels, such as numbers or strings") from None
        if any(is_missing(label) for label in known):
            raise ArgumentError(without_label)
        return codes, np.unique(codes, return_index=True)[1].astype(np.int64), list(known)
    if array.ndim != 1:
        raise ArgumentError(f"groups must be one list of labels, got shape {array.shape}")
    if array.dtype.kind in "fM" and (np.isnan(array) if array.dtype.kind == "f" else np.isnat(array)).any():
        raise ArgumentError(without_label)
    if len(array) == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), []
    # Runs of equal labels first: where groups are adjacent, which is usual, only one label per group is
    # sorted.
    heads = np.concatenate([[0], np.flatnonzero(array[1:] != array[:-1]) + 1])
    _, first, codes_of_heads = np.unique(array[heads], return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    codes = np.repeat(rank[codes_of_heads.ravel()], np.diff(np.append(heads, len(array))))
    seen = heads[np.sort(first)]
    return codes, seen, array[seen].tolist()
