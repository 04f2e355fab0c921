"""Labels of items, also those of xarray: reading them, and bringing two lists of them into one order."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np

from concordant.errors import ArgumentError
from concordant.typing import Integers

_FEW = 1000  # labels, for the short way

OF_OTHER_ITEMS = "rbo, rba, kendall_distance and footrule"  # coefficients, for a message


def place(index: Sequence[int]) -> str:
    """Return a position in an array as text."""
    return f"position {index[0]}" if len(index) == 1 else f"index ({', '.join(map(str, index))})"


class IndexLabels(Sequence[Hashable]):
    """The labels of a pandas index.

    They are made into a list only when one is needed. Usually both sides have equal indexes, and none is.
    """

    def __init__(self, index: Any) -> None:
        self._index = index

    @cached_property
    def _listed(self) -> list[Hashable]:
        return list(self._index.tolist())

    def __len__(self) -> int:
        return len(self._index)

    @overload
    def __getitem__(self, k: int) -> Hashable: ...
    @overload
    def __getitem__(self, k: slice) -> Sequence[Hashable]: ...
    def __getitem__(self, k: int | slice) -> Hashable | Sequence[Hashable]:
        return self._listed[k]

    def equals(self, other: IndexLabels) -> bool:
        """Return whether these are certainly the same labels in the same order; with NaN the answer is no.

        A MultiIndex cannot say whether it has NaN.
        """
        return bool(
            self._index.nlevels == 1
            and self._index.dtype == other._index.dtype
            and self._index.equals(other._index)
            and not self._index.hasnans
        )


def labels_of(value: Any, axis: int = -1) -> Sequence[Hashable] | None:
    """Return the labels of a mapping, Series or DataArray, None for what has none."""
    if isinstance(value, Mapping):
        return list(value)
    if is_data_array(value):
        index = coordinate(value, axis)
    else:
        index = getattr(value, "index", None) if hasattr(value, "to_numpy") else None
    return IndexLabels(index) if hasattr(index, "tolist") else None


def in_one_order(x: Any, y: Any) -> tuple[Any, Any] | None:
    """Return the values of two dicts or pandas Series in the order of the labels of x.

    This is the short way of a single call. It returns None for other input, and where labels are missing or
    repeated: the general way aligns these, or raises an error.
    """
    if type(x) is dict and type(y) is dict:
        try:
            return (list(x.values()), list(map(y.__getitem__, x))) if len(x) == len(y) else None
        except KeyError:
            return None
    series = getattr(sys.modules.get("pandas"), "Series", dict)
    if type(x) not in (dict, series) or type(y) not in (dict, series) or not len(x) == len(y) <= _FEW:
        return None
    # With few labels, lists are faster than the methods of an index.
    labels_x, values_x = _parts(x)
    labels_y, values_y = _parts(y)
    if labels_x == labels_y:
        return values_x, values_y
    places = dict(zip(labels_y, range(len(y)), strict=True))
    if len(places) != len(y) or len(set(labels_x)) != len(x):
        return None
    try:
        order = list(map(places.__getitem__, labels_x))
    except KeyError:
        return None
    return values_x, [values_y[k] for k in order] if type(values_y) is list else values_y[order]


def _parts(value: Any) -> tuple[list[Hashable], Any]:
    if type(value) is dict:
        return list(value), list(value.values())
    index = value.index
    if hasattr(index.dtype, "storage"):  # text: this takes half the time of `tolist`
        return index.array.to_numpy(dtype=object).tolist(), value.to_numpy()
    return index.tolist(), value.to_numpy()


def is_missing(label: Any) -> bool:
    """Return whether a label is missing: None, nan, or NA or NaT of pandas."""
    if isinstance(label, float):
        return math.isnan(label)
    return label is None or type(label).__name__ in ("NAType", "NaTType")


def label_text(label: object) -> str:
    """Return a label that is not missing as text; 401.0 is how pandas shows 401 beside missing labels."""
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def listed_few(labels: Iterable[Hashable], most: int = 3) -> str:
    """Return some labels as text, and how many there are if these are not all."""
    listed = list(labels)
    shown = ", ".join(repr(label) for label in listed[:most])
    return shown + (f", ... ({len(listed)} in all)" if len(listed) > most else "") if listed else "none"


def order_by_label(
    labels: Sequence[Hashable], other: Sequence[Hashable], names: tuple[str, str] = ("x", "y")
) -> Integers | None:
    """Return where each label stands in the other list, or None if the lists are the same."""
    if isinstance(labels, IndexLabels) and isinstance(other, IndexLabels) and labels.equals(other):
        return None
    labels, other = list(labels), list(other)
    if labels == other:
        return None
    for one in (labels, other):
        double = next((label for label, times in Counter(one).items() if times > 1), None)
        if double is not None:
            must = f"labels must be unique, or the same in {' and '.join(names)}"
            raise ArgumentError(f"the label {double!r} stands for two items; {must}")
    places = {label: k for k, label in enumerate(other)}
    if len(labels) != len(other) or not all(label in places for label in labels):
        known, (first, second) = set(labels), names
        only_first = listed_few(label for label in labels if label not in places)
        only_second = listed_few(label for label in other if label not in known)
        only = f"only in {first}: {only_first}; only in {second}: {only_second}"
        same = f"{first} and {second} must rank the same items"
        raise ArgumentError(f"{same}; {only}; {OF_OTHER_ITEMS} compare lists of different items")
    return np.array([places[label] for label in labels], dtype=np.int64)


def is_data_array(value: object) -> bool:
    """Return whether this is an xarray.DataArray, without importing xarray."""
    return isinstance(value, getattr(sys.modules.get("xarray"), "DataArray", ()))


def _has_axis(array: Any, axis: int) -> bool:
    return isinstance(axis, int | np.integer) and bool(-array.ndim <= axis < array.ndim)


def coordinate(array: Any, axis: int) -> Any:
    """Return the pandas index of an axis; None if the axis has no coordinate, or does not exist."""
    if not _has_axis(array, axis):
        return None
    return array.indexes.get(array.dims[axis])


def refuse_other_coordinates(
    x: Any, y: Any, axis: int, names: tuple[str, str] = ("x", "y"), *, by_place: bool = False
) -> None:
    """Raise an error if two arrays differ in a dimension other than that of the items, or in its coordinates.

    Dimensions are paired from the last to the first, as NumPy broadcasts them. The items may be in another
    order, because they are aligned by label. If they are paired by position, their coordinates must be equal
    too.
    """
    if not (is_data_array(x) and is_data_array(y)):
        return
    if not (_has_axis(x, axis) and _has_axis(y, axis)):
        return  # `items_last` says what is wrong
    first, second = names
    if x.dims[axis] != y.dims[axis]:
        along = f"the items are along {x.dims[axis]!r} in {first} and along {y.dims[axis]!r} in {second}"
        raise ArgumentError(f"{along}; transpose or rename one of them")
    others = ([place for place in range(side.ndim) if place != axis % side.ndim] for side in (x, y))
    both = list(zip(*(reversed(places) for places in others), strict=False))
    for place_x, place_y in [*both, (axis, axis)] if by_place else both:
        name_x, name_y = x.dims[place_x], y.dims[place_y]
        if name_x != name_y:
            meets = f"dimension {name_x!r} of {first} meets dimension {name_y!r} of {second}"
            raise ArgumentError(f"{meets}; transpose or rename one of them")
        index_x, index_y = coordinate(x, place_x), coordinate(y, place_y)
        if index_x is not None and index_y is not None and not index_x.equals(index_y):
            differ = f"{first} and {second} have different coordinates along {name_x!r}"
            raise ArgumentError(f"{differ}; select the same ones, in the same order")
