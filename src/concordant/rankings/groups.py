"""Groups of items: numbers in the order in which the groups are first seen."""

from __future__ import annotations

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
    labels: Callable[[Integers], list[Any]]  # of the groups of some items

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

    if series.dtype in (polars.String, polars.Categorical, polars.Enum):
        series_of_numbers = series.cast(polars.Categorical)
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
    if hasattr(whole, "dictionary_decode"):  # its codes need not be in the order of first sight
        whole = whole.dictionary_decode()
    if str(whole.type) in ("halffloat", "float", "double") and np.isnan(whole.to_numpy()).any():
        _refuse_missing(name)
    try:
        codes = whole.dictionary_encode().indices.to_numpy().astype(np.int64)
    except (NotImplementedError, TypeError):  # lists and other nested types
        return _of_objects(name, whole.to_pylist())
    return Groups(codes, _first_seen(codes), lambda items: list(whole.take(items).to_pylist()))


def _refuse_unhashable(name: str) -> NoReturn:
    raise ArgumentTypeError(f"{name} must be a list of labels, such as numbers or strings") from None


def _of_objects(name: str, groups: Any) -> Groups:
    """Give numbers to any hashable: through a dictionary.

    NumPy would turn [1, "1"] into one kind of label.
    """
    known: dict[Hashable, int] = {}
    try:
        listed = groups.tolist() if isinstance(groups, np.ndarray) else list(groups)
        codes = np.array([known.setdefault(label, len(known)) for label in listed], dtype=np.int64)
    except TypeError:
        _refuse_unhashable(name)
    if any(is_missing(label) for label in known):
        _refuse_missing(name)
    return Groups(codes, _first_seen(codes), lambda items: [listed[item] for item in items.tolist()])


def _number(array: NDArray[Any]) -> tuple[Integers, Integers]:
    """Give numbers to values in the order in which they are first seen; also return where that is."""
    if len(array) == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    # Runs of equal labels first: where groups are adjacent, which is usual, there is one label per group.
    heads = np.concatenate([[0], np.flatnonzero(array[1:] != array[:-1]) + 1])
    of_heads = array[heads]
    number_of_heads, first = _number_integers(of_heads) or _number_sorted(of_heads)
    if len(heads) == len(array):
        return number_of_heads, first
    return np.repeat(number_of_heads, np.diff(np.append(heads, len(array)))), heads[first]


def _number_integers(array: NDArray[Any]) -> tuple[Integers, Integers] | None:
    """Give numbers to integers that are close together, by a table of them; None for others."""
    if array.dtype.kind not in "iu":
        return None
    low, high = int(array.min()), int(array.max())
    if high - low > 4 * len(array) + 1024:
        return None
    places = (array - array.dtype.type(low)).astype(np.int64) if low else array.astype(np.int64)
    seen = np.full(high - low + 1, -1, dtype=np.int64)
    seen[places[::-1]] = np.arange(len(array) - 1, -1, -1)  # of equal places, the last assignment stays
    present = np.flatnonzero(seen >= 0)
    order = np.argsort(seen[present])
    number = np.empty(len(seen), dtype=np.int64)
    number[present[order]] = np.arange(len(present))
    return number[places], seen[present[order]]


def _number_sorted(array: NDArray[Any]) -> tuple[Integers, Integers]:
    _, first, codes = np.unique(array, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[codes.ravel()], np.sort(first).astype(np.int64)
