"""Groups of items: numbers in the order in which the groups are first seen."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant.errors import ArgumentError, ArgumentTypeError
from concordant.rankings.compiled import core
from concordant.rankings.convert import is_masked_array
from concordant.rankings.labels import is_missing
from concordant.typing import Floats, Integers

Labels: TypeAlias = Callable[[Integers], list[Any]]


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of items, numbered in the order in which they are first seen.

    Items of one group that follow each other are a run. Where the items of each group are adjacent, which is
    usual, there is one run for each group, and no number is needed for each item.
    """

    n_items: int
    heads: Integers  # the first item of each run
    of_runs: Integers  # the group of each run
    first: Integers  # where each group is first seen
    labels: Labels  # of the groups of some items

    @classmethod
    def of_codes(cls, codes: Integers, labels: Labels, first: Integers | None = None) -> Groups:
        """Return the groups of items whose numbers are known, and perhaps where each is first seen."""
        heads = _heads(codes)
        of_runs = codes[heads]
        first = heads[_first_seen(of_runs)] if first is None else first
        return cls(len(codes), heads, of_runs, first, labels)

    def __len__(self) -> int:
        return len(self.first)

    def label(self, group: int) -> Any:
        """Return the label of a group."""
        return self.labels(self.first[group : group + 1])[0]

    def reordered(self, order: Integers) -> Groups:
        """Return the groups of the items in another order."""
        return _number(self.codes[order], lambda items: self.labels(order[items]))

    @property
    def are_adjacent(self) -> bool:
        """Whether the items of each group are adjacent."""
        return len(self.heads) == len(self.first)

    @cached_property
    def codes(self) -> Integers:
        """The group of each item."""
        if len(self.heads) == self.n_items:
            return self.of_runs
        return np.repeat(self.of_runs, np.diff(self.heads, append=self.n_items))

    @cached_property
    def sizes(self) -> Integers:
        """The number of items of each group."""
        if self.are_adjacent:
            return np.diff(self.heads, append=self.n_items)
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
        if self.are_adjacent:
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
    if is_masked_array(array):
        if np.ma.getmaskarray(array).any():
            _refuse_missing(name)
        array = array.data
    if not isinstance(array, np.ndarray) or array.dtype == object:
        return _of_objects(name, array)
    if array.ndim != 1:
        raise ArgumentError(f"{name} must be one list of labels, got shape {array.shape}")
    kind = array.dtype.kind
    if (kind == "f" and np.isnan(array).any()) or (kind == "M" and np.isnat(array).any()):
        _refuse_missing(name)
    return _number(array, lambda items: array[items].tolist())


def number_together(parts: Sequence[Groups]) -> Groups:
    """Give numbers to the combinations of several groupings of the same items; a label is a tuple."""
    if len(parts) == 1:
        return parts[0]

    def labels(items: Integers) -> list[Any]:
        return list(zip(*(part.labels(items) for part in parts), strict=True))

    together = parts[0]
    for part in parts[1:]:
        together = _number(together.codes * len(part) + part.codes, labels)
    return together


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


def _is_whole(dtype: np.dtype[Any]) -> bool:
    return np.issubdtype(dtype, np.integer) or dtype == bool


def _of_pandas(name: str, series: Any) -> Groups:
    def labels(items: Integers) -> list[Any]:
        return list(series.iloc[items].tolist())

    if isinstance(series.dtype, np.dtype) and _is_whole(series.dtype):
        return _number(series.to_numpy(), labels)
    try:
        codes = np.asarray(series.factorize()[0], dtype=np.int64)
    except TypeError:
        _refuse_unhashable(name)
    if codes.min(initial=0) < 0:
        _refuse_missing(name)
    return Groups.of_codes(codes, labels)


def _of_polars(name: str, series: Any) -> Groups:
    polars: Any = sys.modules["polars"]
    if series.null_count():
        _refuse_missing(name)

    def labels(items: Integers) -> list[Any]:
        return list(series.gather(items).to_list())

    kind = series.dtype
    if kind == polars.String:
        try:
            return _number_arrow_texts(series.to_arrow(), labels)  # needs pyarrow
        except ImportError:
            return _number(series.cast(polars.Categorical).to_physical().to_numpy(), labels)
    if kind.is_float() and series.is_nan().any():
        _refuse_missing(name)
    named = kind in (polars.Categorical, polars.Enum, polars.Boolean)
    if named or kind.is_float() or kind.is_integer() or kind.is_temporal():
        return _number(series.to_physical().to_numpy(), labels)
    return _of_objects(name, series.to_list())


def _of_pyarrow(name: str, array: Any) -> Groups:
    if array.null_count:
        _refuse_missing(name)
    whole = array.combine_chunks() if hasattr(array, "combine_chunks") else array

    def labels(items: Integers) -> list[Any]:
        return list(whole.take(items).to_pylist())

    # The values of a dictionary may repeat, and need not be in the order of first sight.
    if hasattr(whole, "dictionary_decode"):
        return _number(number_groups(name, whole.dictionary).codes[whole.indices.to_numpy()], labels)

    kind = str(whole.type)
    if kind in ("halffloat", "float", "double"):
        numbers = whole.to_numpy()
        if np.isnan(numbers).any():
            _refuse_missing(name)
        return _number(numbers, labels)
    if kind in ("string", "large_string", "binary", "large_binary"):
        return _number_arrow_texts(whole, labels)
    try:
        codes = whole.dictionary_encode().indices.to_numpy().astype(np.int64)
    except (NotImplementedError, TypeError):  # lists and other nested types
        return _of_objects(name, whole.to_pylist())
    return Groups.of_codes(codes, labels)


def _number_arrow_texts(array: Any, labels: Labels) -> Groups:
    """Give numbers to the texts of an array of Arrow, where they are in memory."""
    _, offsets, content = array.buffers()
    kind = np.int64 if str(array.type).startswith("large") else np.int32
    size = len(array)
    of_texts = np.frombuffer(offsets, dtype=kind)[array.offset : array.offset + size + 1] if size else [0]
    in_bytes = np.frombuffer(content, dtype=np.uint8) if content is not None else np.empty(0, dtype=np.uint8)
    codes, first = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    count = core.number_texts(np.asarray(of_texts, dtype=np.int64), in_bytes, codes, first)
    return Groups.of_codes(codes, labels, first[:count].copy())


def _refuse_unhashable(name: str) -> NoReturn:
    raise ArgumentTypeError(f"{name} must be a list of labels, such as numbers or strings") from None


def _of_objects(name: str, groups: Any) -> Groups:
    """Give numbers to any hashable, through a dictionary.

    NumPy would turn [1, "1"] into one kind of label.
    """
    known: defaultdict[Hashable, int] = defaultdict()
    known.default_factory = known.__len__
    try:
        listed = groups.tolist() if isinstance(groups, np.ndarray) else list(groups)
        if set(map(type, listed)) == {int} and min(listed) >= -(2**63) and max(listed) < 2**63:
            numbers = np.array(listed, dtype=np.int64)
            return _number(numbers, lambda items: numbers[items].tolist())
        codes = np.fromiter(map(known.__getitem__, listed), dtype=np.int64, count=len(listed))
    except TypeError:
        _refuse_unhashable(name)
    if any(is_missing(label) for label in known):
        _refuse_missing(name)
    return Groups.of_codes(codes, lambda items: [listed[item] for item in items.tolist()])


def _heads(array: NDArray[Any]) -> Integers:
    """Return where values differ from those before them."""
    if len(array) == 0:
        return np.zeros(0, dtype=np.int64)
    return np.concatenate([[0], np.flatnonzero(array[1:] != array[:-1]) + 1])


def _number(array: NDArray[Any], labels: Labels) -> Groups:
    """Give numbers to values in the order in which they are first seen."""
    if np.issubdtype(array.dtype, np.character):  # comparing neighbours takes longer than numbering
        codes, first = _number_hashed(array)
        return Groups.of_codes(codes, labels, first)
    heads = _heads(array)
    of_runs, first = _number_hashed(array[heads])
    return Groups(len(array), heads, of_runs, heads[first], labels)


def _number_hashed(array: NDArray[Any]) -> tuple[Integers, Integers]:
    """Give numbers to values of any plain type: to integers as they are, to others by their bytes."""
    codes, first = np.empty(len(array), dtype=np.int64), np.empty(len(array), dtype=np.int64)
    if np.issubdtype(array.dtype, np.character):  # texts of fixed width, shorter ones filled up
        offsets = np.arange(len(array) + 1, dtype=np.int64) * array.dtype.itemsize
        count = core.number_texts(offsets, np.ascontiguousarray(array).view(np.uint8), codes, first)
        return codes, first[:count].copy()
    if np.issubdtype(array.dtype, np.floating):
        array = array.astype(np.float64) + 0.0  # -0 is 0
    # Numbers and times that are not whole have eight bytes.
    in_bytes = not _is_whole(array.dtype)
    whole = np.ascontiguousarray(array).view(np.int64) if in_bytes else array.astype(np.int64, copy=False)
    count = core.number_integers(whole, codes, first)
    return codes, first[:count].copy()
