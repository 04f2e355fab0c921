"""Anything a user may pass becomes aligned float64 rankings here; every error about input is written here."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from numbers import Real
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Threshold: TypeAlias = float | tuple[float, float]
NanPolicy: TypeAlias = Literal["propagate", "raise", "omit"]

NAN_POLICIES = ("propagate", "raise", "omit")


def one_of(who: str, what: str, value: object, allowed: Sequence[str]) -> None:
    """Raise unless `value` is one of the words allowed."""
    if value not in allowed:
        words = ", ".join(repr(word) for word in allowed[:-1]) + f" or {allowed[-1]!r}"
        raise ValueError(f"{who}: {what} must be {words}, got {value!r}")


def thresholds(who: str, threshold: object) -> tuple[float, float]:
    """Read a threshold, one number or an (x, y) pair, as a pair."""
    several = isinstance(threshold, tuple | list | np.ndarray)
    numbers: list[Any] = list(threshold) if several else [threshold, threshold]  # type: ignore[call-overload]
    if len(numbers) != 2 or not all(isinstance(w, Real) and float(w) >= 0 for w in numbers):
        raise ValueError(
            f"{who}: threshold must be a number >= 0 or a pair (w_x, w_y) of them, got {threshold!r}"
        )
    return float(numbers[0]), float(numbers[1])


def n_workers(who: str, workers: object) -> int:
    """Read the number of threads; -1 is all cores this process may use."""
    if (
        not isinstance(workers, int | np.integer)
        or isinstance(workers, bool)
        or (workers < 1 and workers != -1)
    ):
        raise ValueError(f"{who}: workers must be a number of threads, or -1 for all cores, got {workers!r}")
    if workers == -1:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(workers)


# --- values -----------------------------------------------------------------------------------------------------


def _real(who: str, name: str, index: tuple[int, ...], value: object) -> float:
    if value is None:
        return math.nan
    if not isinstance(value, Real | Decimal | np.bool_):
        raise TypeError(f"{who}: {name} must hold real numbers, got {value!r} at {where(index)}")
    number = float(value)
    if isinstance(value, int) and number != value:
        raise _inexact(who, name, value)
    return number


def _inexact(who: str, name: str, value: object) -> ValueError:
    return ValueError(
        f"{who}: {name} has integers that float64 cannot tell apart, such as {value}; rank them first, for example "
        "with scipy.stats.rankdata"
    )


def where(index: Sequence[int]) -> str:
    """Say where in an array something stands."""
    return f"position {index[0]}" if len(index) == 1 else f"index ({', '.join(map(str, index))})"


def as_floats(who: str, name: str, value: Any) -> Floats:
    """Convert an array-like of real numbers to a contiguous float64 array; missing values become NaN."""
    if isinstance(value, np.ma.MaskedArray):
        value = np.ma.filled(value.astype(np.float64), np.nan)
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(
            f"{who}: {name} has rows of different length; see concordant.grouped for these"
        ) from None
    kind = array.dtype.kind
    if kind == "O" and array.ndim > 0:
        flat = [_real(who, name, index, array[index]) for index in np.ndindex(array.shape)]
        array = np.array(flat, dtype=np.float64).reshape(array.shape)
    elif kind not in "fiub":
        got = type(value).__name__ if kind == "O" else f"values of type {array.dtype}"
        raise TypeError(f"{who}: {name} must be an array, mapping or Series of real numbers, got {got}")
    if array.ndim == 0:
        raise ValueError(f"{who}: {name} must hold one value per item, got the single value {array.item()!r}")
    floats = np.ascontiguousarray(array, dtype=np.float64)
    if kind in "iu" and array.dtype.itemsize == 8:
        # Through Python integers: comparing int64 with float64 in NumPy would round first.
        large = np.flatnonzero(np.abs(floats).ravel() >= 2**53)
        for i in large.tolist():
            if int(floats.flat[i]) != int(array.flat[i]):
                raise _inexact(who, name, int(array.flat[i]))
    return floats


def is_frame(value: object) -> bool:
    """Is this a pandas or polars DataFrame? Neither is imported to find out."""
    return hasattr(value, "columns") and hasattr(value, "to_numpy") and getattr(value, "ndim", 2) == 2


def _is_series(value: object) -> bool:
    return hasattr(value, "to_numpy") and not is_frame(value)


def read(who: str, name: str, value: Any) -> tuple[Floats, list[Hashable] | None]:
    """Convert to floats, with the labels of the items if the input has them."""
    if isinstance(value, Mapping):
        return as_floats(who, name, list(value.values())), list(value)
    if is_frame(value):
        raise TypeError(
            f"{who}: {name} is a DataFrame; pass one of its columns, or use concordant.matrix for all pairs"
        )
    if _is_series(value):
        array = value.to_numpy()
        if array.dtype == object and getattr(value.dtype, "kind", "O") in "fiub":  # pandas' nullable numbers
            array = value.to_numpy(dtype="float64", na_value=math.nan)
        index = getattr(value, "index", None)
        return as_floats(who, name, array), None if index is None or callable(index) else index.tolist()
    return as_floats(who, name, value), None


def _first_few(labels: Iterable[Hashable]) -> str:
    listed = list(labels)
    shown = ", ".join(repr(label) for label in listed[:3])
    return shown + (f", ... ({len(listed)} in all)" if len(listed) > 3 else "") if listed else "none"


def alignment(
    who: str, labels: Sequence[Hashable], other: Sequence[Hashable], names: str = "x and y"
) -> Integers | None:
    """Where each label stands in the other list, or None if the lists are the same."""
    if labels == other:
        both = labels
        place = dict.fromkeys(both, 0)
        if len(place) == len(both):
            return None
    place = {label: k for k, label in enumerate(other)}
    for one in (labels, other):
        if len(set(one)) < len(one):
            seen: set[Hashable] = set()
            double = next(label for label in one if label in seen or seen.add(label))  # type: ignore[func-returns-value]
            raise ValueError(f"{who}: the label {double!r} stands for two items; labels must be unique")
    if len(labels) != len(other) or not all(label in place for label in labels):
        known = set(labels)
        first, second = names.split(" and ")
        raise ValueError(
            f"{who}: {names} must rank the same items; only in {first}: "
            f"{_first_few(label for label in labels if label not in place)}; only in {second}: "
            f"{_first_few(label for label in other if label not in known)}"
        )
    return np.array([place[label] for label in labels], dtype=np.int64)


# --- pairs of rankings ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pairs:
    """Pairs of rankings of the same items: the one form in which input reaches the core.

    Rankings lie end to end in `x` and `y`; row r of x is ``x[offsets_x[r]:offsets_x[r + 1]]``, and pair p compares row
    ``pair_x[p]`` of x with row ``pair_y[p]`` of y.
    """

    x: Floats
    offsets_x: Integers
    y: Floats
    offsets_y: Integers
    pair_x: Integers
    pair_y: Integers
    shape: tuple[int, ...]  # of the result; () for one pair
    labels: Sequence[Hashable] | None = None
    places: Integers | None = (
        None  # the position each item of x had in the input, where some were left out or moved
    )
    flat: bool = False  # the input was one flat list: a position alone names an item

    def __len__(self) -> int:
        return len(self.pair_x)

    def sizes(self) -> Integers:
        """Return the number of items of each pair."""
        return np.diff(self.offsets_x)[self.pair_x]

    def row_x(self, p: int) -> Floats:
        """Return the reference of pair p."""
        row = self.pair_x[p]
        return self.x[self.offsets_x[row] : self.offsets_x[row + 1]]

    def row_y(self, p: int) -> Floats:
        """Return the estimate of pair p."""
        row = self.pair_y[p]
        return self.y[self.offsets_y[row] : self.offsets_y[row + 1]]

    def item(self, p: int, k: int) -> str:
        """Name item k of pair p in a message."""
        if self.places is not None:
            k = int(self.places[self.offsets_x[self.pair_x[p]] + k])
        if self.labels is not None:
            return repr(self.labels[k])
        return where((k,) if self.flat else (*map(int, np.unravel_index(p, self.shape)), k))

    def exchanged(self) -> Pairs:
        """Return the same pairs with estimate and reference exchanged."""
        return replace(
            self, x=self.y, offsets_x=self.offsets_y, pair_x=self.pair_y,
            y=self.x, offsets_y=self.offsets_x, pair_y=self.pair_x,
        )  # fmt: skip

    def spot(self, side: str, flat: int) -> str:
        """Name in a message the item whose value stands at a given place of x or y."""
        offsets, rows = (self.offsets_x, self.pair_x) if side == "x" else (self.offsets_y, self.pair_y)
        row = int(np.searchsorted(offsets, flat, side="right")) - 1
        return self.item(int(np.argmax(rows == row)), int(flat - offsets[row]))

    def select(self, keep: Callable[[Floats, Floats, Integers, Integers], NDArray[np.bool_]]) -> Pairs:
        """Keep some items of each pair; `keep` gets x, y, the pair of every item, and where each pair starts."""
        sizes = self.sizes()
        starts = np.concatenate([[0], np.cumsum(sizes)])
        pair = np.repeat(np.arange(len(self)), sizes)
        item = np.arange(starts[-1]) - starts[pair]
        x = self.x[self.offsets_x[self.pair_x][pair] + item]
        y = self.y[self.offsets_y[self.pair_y][pair] + item]
        kept = keep(x, y, pair, starts)
        offsets = np.concatenate([[0], np.cumsum(np.bincount(pair[kept], minlength=len(self)))])
        every = np.arange(len(self))
        places = item if self.places is None else self.places[self.offsets_x[self.pair_x][pair] + item]
        return replace(
            self, x=x[kept], offsets_x=offsets, y=y[kept], offsets_y=offsets, pair_x=every, pair_y=every,
            places=places[kept],
        )  # fmt: skip


def one_pair(x: Floats, y: Floats, labels: Sequence[Hashable] | None = None) -> Pairs:
    """Make the pairs of two one-dimensional rankings of equal length."""
    offsets = np.array([0, len(x)])
    zero = np.zeros(1, dtype=np.int64)
    return Pairs(x, offsets, y, offsets, zero, zero, (), labels)


def read_pairs(who: str, x: Any, y: Any, axis: int = -1) -> Pairs:
    """Read the two rankings, or two arrays of rankings, that a user passed."""
    values_x, labels = read(who, "x", x)
    values_y, labels_y = read(who, "y", y)
    if labels is not None and labels_y is not None:
        order = alignment(who, labels, labels_y)
        values_y = values_y if order is None else values_y[order]
    elif isinstance(x, Mapping) or isinstance(y, Mapping):
        with_labels, without = ("x", "y") if isinstance(x, Mapping) else ("y", "x")
        raise TypeError(
            f"{who}: {with_labels} is a mapping and {without} has no labels; give both labels or neither"
        )
    values_x, values_y = (items_last(who, name, v, axis) for name, v in (("x", values_x), ("y", values_y)))
    n = values_x.shape[-1]
    if n != values_y.shape[-1]:
        raise ValueError(
            f"{who}: x has {n} items and y has {values_y.shape[-1]}; both must rank the same items"
        )
    if values_x.ndim == values_y.ndim == 1:
        return one_pair(values_x, values_y, labels if labels is not None else labels_y)
    outer_x, outer_y = values_x.shape[:-1], values_y.shape[:-1]
    try:
        shape = np.broadcast_shapes(outer_x, outer_y)
    except ValueError:
        raise ValueError(
            f"{who}: x and y do not broadcast: apart from the items they have shapes {outer_x} and {outer_y}"
        ) from None
    offsets, pair = [], []
    for outer in (outer_x, outer_y):
        count = math.prod(outer)
        offsets.append(np.arange(count + 1) * n)
        pair.append(np.ascontiguousarray(np.broadcast_to(np.arange(count).reshape(outer), shape)).ravel())
    return Pairs(values_x.ravel(), offsets[0], values_y.ravel(), offsets[1], pair[0], pair[1], shape)


def broadcast_rows(who: str, x: Any, y: Any) -> tuple[Any, Any, tuple[int, ...]]:
    """Broadcast two arrays whose last axis holds the items to rows; also return the shape of the others."""
    if x.shape[-1] != y.shape[-1]:
        raise ValueError(
            f"{who}: the lists have {x.shape[-1]} and {y.shape[-1]} positions; they must be equally long"
        )
    try:
        shape = np.broadcast_shapes(x.shape[:-1], y.shape[:-1])
    except ValueError:
        raise ValueError(f"{who}: arrays of shapes {x.shape} and {y.shape} do not broadcast") from None
    rows = (math.prod(shape), x.shape[-1])
    return (*(np.broadcast_to(v, (*shape, v.shape[-1])).reshape(rows) for v in (x, y)), shape)  # type: ignore[return-value]


def items_last(who: str, name: str, values: Floats, axis: int) -> Floats:
    """Move the axis that holds the items to the end."""
    if not isinstance(axis, int | np.integer) or isinstance(axis, bool):
        raise TypeError(f"{who}: axis must be an integer, got {axis!r}")
    if not -values.ndim <= axis < values.ndim:
        raise ValueError(f"{who}: axis {axis} does not exist: {name} has {values.ndim} dimension(s)")
    return np.ascontiguousarray(np.moveaxis(values, axis, -1))
