"""What users pass as a ranking becomes a float64 array, with the labels of the items if it has them."""

from __future__ import annotations

import math
import sys
import weakref
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from concordant.checks import is_real
from concordant.errors import ArgumentError, ArgumentTypeError
from concordant.rankings.compiled import core
from concordant.rankings.frames import is_frame
from concordant.rankings.labels import (
    in_one_order,
    is_data_array,
    labels_of,
    order_by_label,
    place,
    refuse_other_coordinates,
)
from concordant.typing import Floats

_FLOAT64 = np.dtype(np.float64)


def _real(name: str, index: tuple[int, ...], value: object) -> float:
    if value is None or type(value).__name__ == "NAType":  # pandas.NA
        return math.nan
    if not is_real(value):
        raise ArgumentTypeError(f"{name} must hold real numbers, got {value!r} at {place(index)}")
    try:
        return float(value)  # type: ignore[arg-type]
    except (OverflowError, ValueError):
        raise ArgumentError(f"{name} has a value that float64 cannot hold at {place(index)}") from None


def _is_large(floats: Floats) -> bool:
    """Return whether there are values from 2**53 on, where float64 does not hold every integer."""
    return bool((np.abs(floats) >= 2**53).any())


def _refuse_merged(name: str, exact: Iterable[object], floats: Floats) -> None:
    """Raise an error if values that differ have become equal.

    Ties must come from the data, not from the conversion.
    """
    seen: dict[float, object] = {}
    for value, number in zip(exact, floats.ravel().tolist(), strict=True):
        if math.isnan(number):
            continue
        known = seen.setdefault(number, value)
        if known != value:
            alike = f"{name} has values that float64 cannot tell apart, such as {known} and {value}"
            raise ArgumentError(f"{alike}; rank them first, for example with scipy.stats.rankdata")


def is_masked_array(value: object) -> bool:
    """Return whether a value is a masked array. To load numpy.ma only to ask takes long."""
    return "numpy.ma" in sys.modules and isinstance(value, np.ma.MaskedArray)


def as_floats(name: str, value: Any, threads: int = 1, borrow: bool = False) -> Floats:
    """Convert an array-like of real numbers to a contiguous float64 array; missing values become NaN.

    The result shares no memory with the input: another thread may change the user's array while the core
    works. With `borrow`, it may be the user's array itself, which the core then copies row by row.
    """
    mask = None
    if is_masked_array(value):
        mask, value = np.ma.getmaskarray(value), value.data.copy()
        value[mask] = None if value.dtype == object else 0  # masked values must not be refused
    listed = isinstance(value, list | tuple)
    if listed and "numpy.ma" in sys.modules:
        value = [None if v is np.ma.masked else v for v in value]
    if listed and any(isinstance(v, Mapping) or is_masked_array(v) or hasattr(v, "to_numpy") for v in value):
        listed_rankings = f"{name} is a list of rankings with labels or masks"
        raise ArgumentTypeError(f"{listed_rankings}; use concordant.matrix for these")
    try:
        array = np.asarray(value)
    except ValueError:
        uneven = f"{name} has rows of different length"
        raise ArgumentError(f"{uneven}; see concordant.grouped for these") from None
    kind = array.dtype.kind
    if (kind == "O" and array.ndim == 0) or kind not in "fiubO":
        got = type(value).__name__ if kind == "O" else f"values of type {array.dtype}"
        if kind in "UST" and array.ndim:
            got += "; concordant.ranking turns names in order into scores"
        raise ArgumentTypeError(f"{name} must be an array, mapping or Series of real numbers, got {got}")
    if array.ndim == 0:
        raise ArgumentError(f"{name} must hold one value per item, got the single value {array.item()!r}")
    if kind == "O":
        reals = [_real(name, index, array[index]) for index in np.ndindex(array.shape)]
        floats = np.array(reals, dtype=np.float64).reshape(array.shape)
        _refuse_merged(name, array.ravel(), floats)
    else:
        # While a weak reference exists, NumPy refuses to give the memory of the array to others.
        guard = weakref.ref(array)
        plain = array.dtype == np.float64 and array.flags.c_contiguous and array.flags.aligned
        if plain and borrow:
            floats = array
        elif plain and threads > 1:
            floats = np.empty(array.shape)
            core.copy_floats(array.reshape(-1), floats.reshape(-1), threads)
        else:
            floats = np.array(array, dtype=np.float64, order="C")
        del guard
        if kind in "iu" and array.dtype.itemsize == 8 and _is_large(floats):
            _refuse_merged(name, array.ravel().tolist(), floats)
        elif kind == "f" and array.dtype.itemsize > 8 and len(np.unique(array)) > len(np.unique(floats)):
            _refuse_merged(name, list(array.ravel()), floats)
        elif kind == "f" and listed and _is_large(floats):
            # NumPy turns integers into floats if they are too large, or if there are floats among them.
            _refuse_merged(name, np.array(value, dtype=object).ravel(), floats)
    if mask is not None:
        floats = np.where(mask, math.nan, floats)
    return floats


def _plain(values: Any) -> Floats | None:
    """Return plain numbers as a contiguous one-dimensional float64 array; None for any other input."""
    kind = type(values)
    if kind is list or kind is tuple:
        types = set(map(type, values))
        if types == {float} or (types and types <= {float, np.float64}):
            return np.array(values)
        if types not in ({int}, {int, float}):
            return None
        try:
            floats = np.array(values, dtype=np.float64)
        except OverflowError:
            return None
        return None if _is_large(floats) else floats
    if kind is not np.ndarray or values.ndim != 1:
        return None
    if values.dtype is _FLOAT64:
        return values if values.flags.c_contiguous else None
    if values.dtype.kind not in "iubf" or values.dtype.itemsize > 8 or len(values) == 0:
        return None
    floats = values.astype(np.float64)
    return None if values.dtype.itemsize == 8 and _is_large(floats) else floats


def plain_pair(x: Any, y: Any) -> tuple[Floats, Floats] | None:
    """Return two rankings as float64 arrays if both are plain arrays, lists, dicts or pandas Series.

    This is the short way of a single call. It returns None for other input, and for what may be wrong: the
    general way (`read_two`) reads it, or raises an error.
    """
    if type(x) is type(y) is np.ndarray and x.dtype is y.dtype is _FLOAT64:
        return x, y  # the core refuses what is not contiguous or has several dimensions
    plain_x, plain_y = _plain(x), _plain(y)
    if plain_x is None and plain_y is None and (labelled := in_one_order(x, y)) is not None:
        plain_x, plain_y = _plain(labelled[0]), _plain(labelled[1])
    return None if plain_x is None or plain_y is None else (plain_x, plain_y)


def ordered_codes(value: Any) -> tuple[Any, list[str]] | None:
    """Return the places of values among ordered categories, from 0 up, and these; None if there are none.

    These are ordered categoricals of pandas and enums of polars. A missing value is NaN.
    """
    kind: Any = getattr(value, "dtype", None)
    if getattr(kind, "ordered", False) and hasattr(kind, "categories"):  # pandas
        codes = np.asarray(value.codes if hasattr(value, "codes") else value.cat.codes, dtype=np.float64)
    elif type(kind).__name__ == "Enum" and hasattr(value, "to_physical"):  # polars
        codes = value.to_physical().cast(float).fill_null(-1.0).to_numpy().copy()
    else:
        return None
    return np.where(codes < 0, math.nan, codes), list(map(str, kind.categories))


def _series_values(series: Any) -> Any:
    """Return the values of a Series or DataArray; integers stay integers even if some are missing."""
    if (ordered := ordered_codes(series)) is not None:
        return ordered[0]
    if is_data_array(series):
        return series.to_numpy()
    if hasattr(series, "to_pylist"):  # pyarrow
        return series.to_pylist() if series.null_count else np.asarray(series)
    if hasattr(series, "null_count"):  # polars
        return series.to_list() if series.null_count() else series.to_numpy()
    nullable = getattr(series.dtype, "kind", "O") in "fiub" and not isinstance(series.dtype, np.dtype)
    return series.to_numpy(dtype=object) if nullable else series.to_numpy()


def read(
    name: str, value: Any, axis: int = -1, threads: int = 1, borrow: bool = False
) -> tuple[Floats, Sequence[Hashable] | None]:
    """Convert to floats, with the labels of the items if the input has them."""
    if isinstance(value, Mapping):
        floats = as_floats(name, list(value.values()))
        if floats.ndim != 1:
            raise ArgumentTypeError(f"{name} must give one number for each label, got lists of numbers")
        return floats, list(value)
    if is_frame(value):
        advice = "pass one of its columns, or use concordant.matrix for all pairs"
        raise ArgumentTypeError(f"{name} is a DataFrame; {advice}")
    if hasattr(value, "to_numpy"):
        return as_floats(name, _series_values(value), threads, borrow), labels_of(value, axis)
    ordered = ordered_codes(value) if hasattr(value, "codes") else None  # of pandas, without an index
    return as_floats(name, value if ordered is None else ordered[0], threads, borrow), None


def read_two(
    x: Any, y: Any, axis: int = -1, threads: int = 1, borrow: bool = False
) -> tuple[Floats, Floats, Sequence[Hashable] | None]:
    """Read both rankings, bring y into the order of x by their labels, and return the labels."""
    refuse_other_coordinates(x, y, axis)
    values_x, labels_x = read("x", x, axis, threads, borrow)
    values_y, labels_y = read("y", y, axis, threads, borrow)
    if labels_x is not None and labels_y is not None:
        order = order_by_label(labels_x, labels_y)
        if order is not None:
            values_y = values_y.take(order, axis if values_y.ndim > 1 else 0)
        return values_x, values_y, labels_x
    if isinstance(x, Mapping) or isinstance(y, Mapping):
        with_labels, without = ("x", "y") if isinstance(x, Mapping) else ("y", "x")
        differ = f"{with_labels} is a mapping and {without} has no labels"
        raise ArgumentTypeError(f"{differ}; give both labels or neither")
    return values_x, values_y, labels_x if labels_x is not None else labels_y
