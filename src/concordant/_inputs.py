"""Anything a user may pass becomes aligned float64 rankings here; every error about input is written here."""

from __future__ import annotations

import contextlib
import math
import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
NanPolicy: TypeAlias = Literal["propagate", "raise", "omit"]

Progress: TypeAlias = Callable[[int, int], None]  # called with what is done, of how many

NAN_POLICIES = ("propagate", "raise", "omit")


def one_of(who: str, what: str, value: object, allowed: Sequence[Any]) -> None:
    """Raise unless `value` is one of the words allowed."""
    if not any(value is word or (type(value) is type(word) and value == word) for word in allowed):
        words = ", ".join(repr(word) for word in allowed[:-1]) + f" or {allowed[-1]!r}"
        raise ValueError(f"{who}: {what} must be {words}, got {value!r}")


def thresholds(who: str, threshold: object) -> tuple[float, float]:
    """Read a threshold, one number or an (x, y) pair, as a pair."""
    if isinstance(threshold, np.ndarray):
        threshold = threshold.tolist()
    several = isinstance(threshold, tuple | list)
    numbers: list[Any] = list(threshold) if several else [threshold, threshold]  # type: ignore[call-overload]
    if len(numbers) == 2 and all(_is_real(w) and not isinstance(w, bool | np.bool_) for w in numbers):
        with contextlib.suppress(OverflowError, ValueError):
            pair = float(numbers[0]), float(numbers[1])
            if pair[0] >= 0 and pair[1] >= 0:
                return pair
    raise ValueError(
        f"{who}: threshold must be a number >= 0 or a pair (w_x, w_y) of them, got {threshold!r}"
    )


def _is_real(value: object) -> bool:
    """Tell real numbers from others; Decimal calls itself a Number only, and importing it to ask is slow."""
    return isinstance(value, Real | np.bool_) or type(value).__name__ == "Decimal"


def whole_number(who: str, name: str, value: Any, least: int = 1) -> int:
    """Check a number of things."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise ValueError(f"{who}: {name} must be a whole number from {least} up, got {value!r}")
    return int(value)


def share(who: str, name: str, value: Any) -> float:
    """Check a number strictly between 0 and 1."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 < value < 1:  # type: ignore[operator]
        raise ValueError(f"{who}: {name} must be a number between 0 and 1, got {value!r}")
    return float(value)


def n_workers(who: str, workers: object) -> int:
    """Read the number of threads; -1 is all cores this process may use."""
    if (
        not isinstance(workers, int | np.integer)
        or isinstance(workers, bool)
        or (workers < 1 and workers != -1)
    ):
        raise ValueError(f"{who}: workers must be 1 or more, or -1 for all cores, got {workers!r}")
    if workers == -1:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(int(workers), 1024)


def seeded(rng: Any) -> tuple[np.random.Generator, int | None]:
    """Return a generator, and the seed that makes it again (None for a generator that was given)."""
    if isinstance(rng, np.random.Generator):
        return rng, None
    if rng is None:
        rng = int(np.random.SeedSequence().generate_state(1, np.uint32)[0])
    if isinstance(rng, bool) or not isinstance(rng, int | np.integer) or rng < 0:
        raise ValueError(f"rng must be a whole number from 0 up, a Generator or None, got {rng!r}")
    return np.random.default_rng(int(rng)), int(rng)


# --- values -----------------------------------------------------------------------------------------------------


def where(index: Sequence[int]) -> str:
    """Say where in an array something stands."""
    return f"position {index[0]}" if len(index) == 1 else f"index ({', '.join(map(str, index))})"


def _real(who: str, name: str, index: tuple[int, ...], value: object) -> float:
    if value is None or type(value).__name__ == "NAType":  # pandas.NA
        return math.nan
    if not _is_real(value):
        raise TypeError(f"{who}: {name} must hold real numbers, got {value!r} at {where(index)}")
    try:
        return float(value)  # type: ignore[arg-type]
    except (OverflowError, ValueError):
        raise ValueError(f"{who}: {name} has a value that float64 cannot hold at {where(index)}") from None


def _refuse_merged(who: str, name: str, exact: Iterable[object], floats: Floats) -> None:
    """Raise if values that differ have become equal: ties must come from the data, not from the conversion."""
    seen: dict[float, object] = {}
    for value, number in zip(exact, floats.ravel().tolist(), strict=True):
        if math.isnan(number):
            continue
        known = seen.setdefault(number, value)
        if known != value:
            raise ValueError(
                f"{who}: {name} has values that float64 cannot tell apart, such as {known} and {value}; rank them "
                "first, for example with scipy.stats.rankdata"
            )


def as_floats(who: str, name: str, value: Any) -> Floats:
    """Convert an array-like of real numbers to a contiguous float64 array; missing values become NaN."""
    mask = None
    if isinstance(value, np.ma.MaskedArray):
        mask, value = np.ma.getmaskarray(value), value.data
    listed = isinstance(value, list | tuple)
    if listed and any(isinstance(v, Mapping | np.ma.MaskedArray) or hasattr(v, "to_numpy") for v in value):
        raise TypeError(
            f"{who}: {name} is a list of rankings with labels or masks; use concordant.matrix for these"
        )
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(
            f"{who}: {name} has rows of different length; see concordant.grouped for these"
        ) from None
    kind = array.dtype.kind
    if (kind == "O" and array.ndim == 0) or kind not in "fiubO":
        got = type(value).__name__ if kind == "O" else f"values of type {array.dtype}"
        raise TypeError(f"{who}: {name} must be an array, mapping or Series of real numbers, got {got}")
    if array.ndim == 0:
        raise ValueError(f"{who}: {name} must hold one value per item, got the single value {array.item()!r}")
    if kind == "O":
        reals = [_real(who, name, index, array[index]) for index in np.ndindex(array.shape)]
        floats = np.array(reals, dtype=np.float64).reshape(array.shape)
        _refuse_merged(who, name, array.ravel(), floats)
    else:
        floats = np.ascontiguousarray(array, dtype=np.float64)
        if kind in "iu" and array.dtype.itemsize == 8 and (np.abs(floats) >= 2**53).any():
            _refuse_merged(who, name, array.ravel().tolist(), floats)
        elif kind == "f" and array.dtype.itemsize > 8 and len(np.unique(array)) > len(np.unique(floats)):
            _refuse_merged(who, name, list(array.ravel()), floats)
        elif kind == "f" and listed and (np.abs(floats) >= 2**53).any():
            # NumPy makes floats of integers that it cannot hold, or that stand among floats.
            _refuse_merged(who, name, np.array(value, dtype=object).ravel(), floats)
    if mask is not None:
        floats = np.where(mask, math.nan, floats)
    return floats


def is_frame(value: object) -> bool:
    """Is this a pandas or polars DataFrame? Neither is imported to find out."""
    return hasattr(value, "columns") and hasattr(value, "to_numpy") and getattr(value, "ndim", 2) == 2


def _series_values(series: Any) -> Any:
    """Return the values of a pandas or polars Series, missing integers not yet turned into floats."""
    if hasattr(series, "null_count"):  # polars
        return series.to_list() if series.null_count() else series.to_numpy()
    nullable = getattr(series.dtype, "kind", "O") in "fiub" and not isinstance(series.dtype, np.dtype)
    return series.to_numpy(dtype=object) if nullable else series.to_numpy()


def labels_of(value: Any) -> list[Hashable] | None:
    """Return the labels of a mapping or Series, None for what has none."""
    if isinstance(value, Mapping):
        return list(value)
    index: Any = getattr(value, "index", None)
    return index.tolist() if hasattr(value, "to_numpy") and hasattr(index, "tolist") else None


def read(who: str, name: str, value: Any) -> tuple[Floats, list[Hashable] | None]:
    """Convert to floats, with the labels of the items if the input has them."""
    if isinstance(value, Mapping):
        floats = as_floats(who, name, list(value.values()))
        if floats.ndim != 1:
            raise TypeError(f"{who}: {name} must give one number for each label, got lists of numbers")
        return floats, list(value)
    if is_frame(value):
        raise TypeError(
            f"{who}: {name} is a DataFrame; pass one of its columns, or use concordant.matrix for all pairs"
        )
    if hasattr(value, "to_numpy"):
        return as_floats(who, name, _series_values(value)), labels_of(value)
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
        return None
    for one in (labels, other):
        double = next((label for label, times in Counter(one).items() if times > 1), None)
        if double is not None:
            raise ValueError(
                f"{who}: the label {double!r} stands for two items; labels must be unique, or the same in {names}"
            )
    place = {label: k for k, label in enumerate(other)}
    if len(labels) != len(other) or not all(label in place for label in labels):
        known = set(labels)
        first, second = names.split(" and ")
        raise ValueError(
            f"{who}: {names} must rank the same items; only in {first}: "
            f"{_first_few(label for label in labels if label not in place)}; only in {second}: "
            f"{_first_few(label for label in other if label not in known)}"
        )
    return np.array([place[label] for label in labels], dtype=np.int64)


def aligned(who: str, x: Any, y: Any, values_y: Floats) -> tuple[Floats, list[Hashable] | None]:
    """Bring the values of y into the order of x by their labels; return them and the labels."""
    labels_x, labels_y = labels_of(x), labels_of(y)
    if labels_x is not None and labels_y is not None:
        order = alignment(who, labels_x, labels_y)
        return values_y if order is None else values_y[order], labels_x
    if isinstance(x, Mapping) or isinstance(y, Mapping):
        with_labels, without = ("x", "y") if isinstance(x, Mapping) else ("y", "x")
        raise TypeError(
            f"{who}: {with_labels} is a mapping and {without} has no labels; give both labels or neither"
        )
    return values_y, labels_x if labels_x is not None else labels_y


# --- pairs of rankings ------------------------------------------------------------------------------------------


Namer: TypeAlias = Callable[[int, int], str]  # names item k of a row in a message


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
    name_x: Namer
    name_y: Namer
    n_items: int = 0  # of every ranking, where all are equally long
    labels: Sequence[Hashable] | None = None

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

    def exchanged(self) -> Pairs:
        """Return the same pairs with estimate and reference exchanged."""
        return replace(
            self, x=self.y, offsets_x=self.offsets_y, pair_x=self.pair_y, name_x=self.name_y,
            y=self.x, offsets_y=self.offsets_x, pair_y=self.pair_x, name_y=self.name_x,
        )  # fmt: skip

    def part(self, start: int, stop: int) -> Pairs:
        """Return some of the pairs."""
        return replace(
            self, pair_x=self.pair_x[start:stop], pair_y=self.pair_y[start:stop], shape=(stop - start,)
        )

    def spot(self, side: str, flat: int) -> str:
        """Name in a message the item whose value stands at a given place of x or y."""
        offsets, name = (self.offsets_x, self.name_x) if side == "x" else (self.offsets_y, self.name_y)
        row = int(np.searchsorted(offsets, flat, side="right")) - 1
        return name(row, int(flat - offsets[row]))

    def without(self, unwanted: Callable[[Floats, Floats], NDArray[np.bool_]]) -> Pairs:
        """Leave items out of each pair."""
        sizes = self.sizes()
        starts = np.concatenate([[0], np.cumsum(sizes)])
        pair = np.repeat(np.arange(len(self)), sizes)
        item = np.arange(starts[-1]) - starts[pair]
        x = self.x[self.offsets_x[self.pair_x][pair] + item]
        y = self.y[self.offsets_y[self.pair_y][pair] + item]
        kept = ~unwanted(x, y)
        offsets = np.concatenate([[0], np.cumsum(np.bincount(pair[kept], minlength=len(self)))])
        every, original = np.arange(len(self)), item[kept]
        return replace(
            self, x=x[kept], offsets_x=offsets, y=y[kept], offsets_y=offsets, pair_x=every, pair_y=every,
            name_x=lambda row, k: self.name_x(int(self.pair_x[row]), int(original[offsets[row] + k])),
            name_y=lambda row, k: self.name_y(int(self.pair_y[row]), int(original[offsets[row] + k])),
        )  # fmt: skip

    def first_items(self, k: int) -> Pairs:
        """Keep the first k items of each reference, and those exactly tied with the k-th."""
        row_sizes = np.diff(self.offsets_x)
        row = np.repeat(np.arange(len(row_sizes)), row_sizes)
        order = np.lexsort((-self.x, row))
        some = row_sizes > 0
        cut = np.full(len(row_sizes), math.inf)
        kth = self.offsets_x[:-1] + np.minimum(row_sizes, min(k, len(self.x))) - 1
        cut[some] = self.x[order[kth[some]]]
        kept = np.flatnonzero(self.x >= cut[row])
        original = kept - self.offsets_x[row[kept]]
        offsets = np.concatenate([[0], np.cumsum(np.bincount(row[kept], minlength=len(row_sizes)))])
        # y depends on the cut of x: one row for each pair.
        sizes = np.diff(offsets)[self.pair_x]
        offsets_y = np.concatenate([[0], np.cumsum(sizes)])
        pair = np.repeat(np.arange(len(self)), sizes)
        item = original[offsets[self.pair_x][pair] + np.arange(offsets_y[-1]) - offsets_y[pair]]
        return replace(
            self, x=self.x[kept], offsets_x=offsets, y=self.y[self.offsets_y[self.pair_y][pair] + item],
            offsets_y=offsets_y, pair_y=np.arange(len(self)),
            name_x=lambda row, k: self.name_x(row, int(original[offsets[row] + k])),
            name_y=lambda row, k: self.name_y(int(self.pair_y[row]), int(item[offsets_y[row] + k])),
        )  # fmt: skip


def array_namer(labels: Sequence[Hashable] | None, outer: tuple[int, ...], axis: int) -> Namer:
    """Name items by their labels, or by their index in the array as it was given."""
    if labels is not None:
        return lambda _row, k: repr(labels[k])

    def name(row: int, k: int) -> str:
        index = [int(i) for i in np.unravel_index(row, outer)] if outer else []
        index.insert(axis if axis >= 0 else len(outer) + 1 + axis, k)
        return where(index)

    return name


def read_pairs(who: str, x: Any, y: Any, axis: int = -1) -> Pairs:
    """Read the two rankings, or two arrays of rankings, that a user passed."""
    values_x, values_y = read(who, "x", x)[0], read(who, "y", y)[0]
    values_y, labels = aligned(who, x, y, values_y)
    values_x, values_y = (items_last(who, name, v, axis) for name, v in (("x", values_x), ("y", values_y)))
    n = values_x.shape[-1]
    if n != values_y.shape[-1]:
        raise ValueError(
            f"{who}: x has {n} items and y has {values_y.shape[-1]}; both must rank the same items"
        )
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
    return Pairs(
        values_x.ravel(), offsets[0], values_y.ravel(), offsets[1], pair[0], pair[1], shape,
        array_namer(labels, outer_x, axis), array_namer(labels, outer_y, axis), n, labels,
    )  # fmt: skip


def read_one_pair(who: str, x: Any, y: Any) -> Pairs:
    """Read two rankings, not batches of them."""
    pairs = read_pairs(who, x, y)
    if pairs.shape:
        raise ValueError(f"{who}: takes two rankings, got batches of shape {pairs.shape}")
    for name, values in (("x", pairs.x), ("y", pairs.y)):
        if np.isnan(values).any():
            spot = pairs.spot(name, int(np.argmax(np.isnan(values))))
            raise ValueError(f"{who}: {name} is NaN at {spot}; drop the item")
    return pairs


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
