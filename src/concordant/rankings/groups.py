"""Groups of items: numbers in the order in which the groups are first seen."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from concordant.errors import ArgumentError, ArgumentTypeError
from concordant.rankings.compiled import core
from concordant.rankings.labels import is_missing
from concordant.typing import Floats, Integers

__all__ = ["Groups", "number_groups", "number_together"]


@dataclass(frozen=True, eq=False)
class Groups:
    """The group of each item, as numbers in the order in which groups are first seen."""

    codes: Integers
    first: Integers  # where each group is first seen
    labels: Callable[[Integers], list[Any]]  # returns the labels of the groups of some items

    def __len__(self) -> int:
        return len(self.first)

    def label(self, group: int) -> Any:
        """Return the label of a group."""
        return self.labels(self.first[group : group + 1])[0]

    def reordered(self, order: Integers) -> Groups:
        """Return the groups of the items in another order."""
        codes, first = _number(self.codes[order])
        return Groups(codes, first, lambda items: self.labels(order[items]))

    @cached_property
    def sizes(self) -> Integers:
        """The number of items of each group."""
        return np.bincount(self.codes, minlength=len(self)).astype(np.int64)

    @cached_property
    def offsets(self) -> Integers:
        """Where each group begins if the items are laid group after group, and where the last ends."""
        return np.concatenate([[0], np.cumsum(self.sizes)])

    @cached_property
    def order(self) -> Integers:
        """The items, group after group, within a group in their own order."""
        return np.argsort(self.codes, kind="stable")

    def lay(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Return the values of both sides, group after group."""
        if not (self.codes[1:] < self.codes[:-1]).any():
            return x, y
        laid = np.empty_like(x), np.empty_like(y)
        core.gather_groups(self.codes, self.offsets, x, y, *laid)
        return laid


def number_groups(name: str, groups: Any) -> Groups:
    """Give numbers to the groups of a list, array or Series of labels."""
    library = type(groups).__module__.partition(".")[0]
    if library in ("pandas", "modin") and hasattr(groups, "factorize"):
        return _of_pandas(name, groups)
    if library == "polars" and hasattr(groups, "to_physical"):
        return _of_polars(name, groups)
    if library == "pyarrow" and hasattr(groups, "dictionary_encode"):
        return _of_pyarrow(name, groups)
    array = groups.to_numpy() if hasattr(groups, "to_numpy") else groups
    if isinstance(array, np.ma.MaskedArray):
        if np.ma.getmaskarray(array).any():
            _refuse_missing(name)
        array = array.data
    if not isinstance(array, np.ndarray) or array.dtype.kind == "O":
        return _of_objects(name, array)
    if array.ndim != 1:
        raise ArgumentError(f"{name} must be one list of labels, got shape {array.shape}")
    if array.dtype.kind in "fM" and (np.isnan(array) if array.dtype.kind == "f" else np.isnat(array)).any():
        _refuse_missing(name)
    return Groups(*_number(array), lambda items: array[items].tolist())


def number_together(parts: Sequence[Groups]) -> Groups:
    """Give numbers to the combinations of several groupings of the same items; a label is a tuple."""
    if len(parts) == 1:
        return parts[0]
    codes, first = parts[0].codes, parts[0].first
    for part in parts[1:]:
        codes, first = _number(codes * len(part) + part.codes)
    return Groups(codes, first, lambda items: list(zip(*(part.labels(items) for part in parts), strict=True)))


def _refuse_missing(name: str) -> NoReturn:
    raise ArgumentError(f"{name} has items without a label; drop them first")


_BLOCK = 1 << 16  # items, which fit in the cache of a processor


def _first_seen(codes: Integers) -> Integers:
    """Return where each group is first seen, if the codes are in that order."""
    first = np.empty(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    known = 0
    for start in range(0, len(codes), _BLOCK):
        if known == len(first):
            break
        highest = np.maximum(np.maximum.accumulate(codes[start : start + _BLOCK]), known - 1)
        new = np.flatnonzero(np.diff(highest, prepend=known - 1)) + start
        first[known : known + len(new)] = new
        known += len(new)
    return first


def _of_pandas(name: str, series: Any) -> Groups:
    try:
        codes = np.asarray(series.factorize()[0], dtype=np.int64)
    except TypeError:
        _refuse_unhashable(name)
    if codes.min(initial=0) < 0:
        _refuse_missing(name)
    return Groups(codes, _first_seen(codes), lambda items: list(series.iloc[items].tolist()))


def _of_polars(name: str, series: Any) -> Groups:
    polars: Any = sys.modules["polars"]
    if series.null_count():
        _refuse_missing(name)

    def labels(items: Integers) -> list[Any]:
        return list(series.gather(items).to_list())

    if series.dtype == polars.String:
        return Groups(*_number_polars_texts(series), labels)
    if series.dtype in (polars.Categorical, polars.Enum):
        series_of_numbers = series
    elif series.dtype.is_float():
        if series.is_nan().any():
            _refuse_missing(name)
        series_of_numbers = series
    elif series.dtype.is_integer() or series.dtype.is_temporal() or series.dtype == polars.Boolean:
        series_of_numbers = series
    else:
        return _of_objects(name, series.to_list())
    return Groups(*_number(series_of_numbers.to_physical().to_numpy()), labels)


def _of_pyarrow(name: str, array: Any) -> Groups:
    if array.null_count:
        _refuse_missing(name)
    whole = array.combine_chunks() if hasattr(array, "combine_chunks") else array
    if hasattr(
        whole, "dictionary_decode"
    ):  # its codes need not be in the order in which the groups first appear
        whole = whole.dictionary_decode()

    def labels(items: Integers) -> list[Any]:
        return list(whole.take(items).to_pylist())

    if str(whole.type) in ("halffloat", "float", "double"):
        numbers = whole.to_numpy()
        if np.isnan(numbers).any():
            _refuse_missing(name)
        return Groups(*_number(numbers), labels)
    if str(whole.type) in ("string", "large_string", "binary", "large_binary"):
        return Groups(*_number_arrow_texts(whole), labels)
    try:
        codes = whole.dictionary_encode().indices.to_numpy().astype(np.int64)
    except (NotImplementedError, TypeError):  # lists and other nested types
        return _of_objects(name, whole.to_pylist())
    return Groups(codes, _first_seen(codes), labels)


def _number_arrow_texts(array: Any) -> tuple[Integers, Integers]:
    """Give numbers to the texts of an array of Arrow, where they are in memory."""
    _, offsets, content = array.buffers()
    kind = np.int64 if str(array.type).startswith("large") else np.int32
    size = len(array)
    of_texts = np.frombuffer(offsets, dtype=kind)[array.offset : array.offset + size + 1] if size else [0]
    in_bytes = np.frombuffer(content, dtype=np.uint8) if content is not None else np.empty(0, dtype=np.uint8)
    codes, first = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    count = core.number_texts(np.asarray(of_texts, dtype=np.int64), in_bytes, codes, first)
    return codes, first[:count].copy()


def _number_polars_texts(series: Any) -> tuple[Integers, Integers]:
    try:
        return _number_arrow_texts(series.to_arrow())  # needs pyarrow
    except ImportError:
        codes = series.cast(sys.modules["polars"].Categorical).to_physical().to_numpy()
        return _number(codes)


def _refuse_unhashable(name: str) -> NoReturn:
    raise ArgumentTypeError(f"{name} must be a list of labels, such as numbers or strings") from None


def _of_objects(name: str, groups: Any) -> Groups:
    """Give numbers to any hashable: through a dictionary.

    NumPy would turn [1, "1"] into one kind of label.
    """
    known: dict[Hashable, int]
    try:
        listed = groups.tolist() if isinstance(groups, np.ndarray) else list(groups)
        known = dict(zip(dict.fromkeys(listed), itertools.count(), strict=False))
        codes = np.fromiter(map(known.__getitem__, listed), dtype=np.int64, count=len(listed))
    except TypeError:
        _refuse_unhashable(name)
    if any(is_missing(label) for label in known):
        _refuse_missing(name)
    return Groups(codes, _first_seen(codes), lambda items: [listed[item] for item in items.tolist()])


def _number(array: NDArray[Any]) -> tuple[Integers, Integers]:
    """Give numbers to values in the order in which they first appear; also return where that is."""
    if len(array) == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    # Runs of equal labels are joined first: groups are usually adjacent, and then one label per group is
    # left.
    heads = np.concatenate([[0], np.flatnonzero(array[1:] != array[:-1]) + 1])
    number_of_heads, first = _number_hashed(array[heads])
    if len(heads) == len(array):
        return number_of_heads, first
    return np.repeat(number_of_heads, np.diff(np.append(heads, len(array)))), heads[first]


def _number_hashed(array: NDArray[Any]) -> tuple[Integers, Integers]:
    """Give numbers to values of any plain type: to integers as they are, to others by their bytes."""
    codes, first = np.empty(len(array), dtype=np.int64), np.empty(len(array), dtype=np.int64)
    if array.dtype.kind == "f":
        array = array.astype(np.float64) + 0.0  # -0 is 0
    if array.dtype.kind in "iub":
        count = core.number_integers(array.astype(np.int64, copy=False), codes, first)
    elif array.dtype.kind in "fmM":
        count = core.number_integers(np.ascontiguousarray(array).view(np.int64), codes, first)
    else:  # texts of fixed width, shorter ones filled up
        width = array.dtype.itemsize
        offsets = np.arange(0, (len(array) + 1) * width, width, dtype=np.int64)
        count = core.number_texts(offsets, np.ascontiguousarray(array).view(np.uint8), codes, first)
    return codes, first[:count].copy()
