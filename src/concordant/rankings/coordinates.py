"""Arrays of xarray: their coordinates are labels, which are aligned or refused."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from concordant.errors import ArgumentError


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
