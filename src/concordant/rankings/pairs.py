"""Pairs of rankings of the same items: all input takes this form before it reaches the core."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, option
from concordant.rankings.compiled import core
from concordant.rankings.convert import read_two
from concordant.rankings.labels import place
from concordant.typing import Booleans, Floats, Integers, NanPolicy

Namer: TypeAlias = Callable[[int, int], str]  # returns the name of item k of a row, for messages
Within: TypeAlias = Callable[[int], str]  # returns the name of the group of a row, for messages


def _by_position(_row: int, k: int) -> str:
    return place((k,))


def _no_group(_row: int) -> str:
    return ""


@dataclass(frozen=True, eq=False, repr=False)
class Rows:
    """Rankings laid end to end: row r is ``values[offsets[r]:offsets[r + 1]]``."""

    values: Floats
    offsets: Integers
    name: Namer = _by_position
    within: Within = _no_group
    # Weak references to the arrays of the user whose memory the values are; others may write to it. While the
    # references exist, NumPy does not give the memory away.
    shared: tuple[Any, ...] = ()

    @classmethod
    def borrowed(
        cls, values: Floats, offsets: Integers, name: Namer = _by_position, within: Within = _no_group
    ) -> Rows:
        """Return rows whose values may be in the memory of the user."""
        arrays: list[Any] = [values]
        while isinstance(arrays[-1].base, np.ndarray):
            arrays.append(arrays[-1].base)
        return cls(values, offsets, name, within, tuple(map(weakref.ref, arrays)))

    def owned(self) -> Rows:
        """Return rows whose values nobody else writes to."""
        return replace(self, values=self.values.copy(), shared=()) if self.shared else self

    @classmethod
    def equal(cls, values: Floats, name: Namer = _by_position) -> Rows:
        """Return the rows of a two-dimensional array."""
        count, n = values.shape
        return cls(values.ravel(), np.arange(count + 1) * n, name)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> Floats:
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    @property
    def sizes(self) -> Integers:
        """The number of items of each row."""
        return np.diff(self.offsets)

    def row_of(self, flat: Any) -> Any:
        """Return the row in which values stand, given their places in `values`."""
        return np.searchsorted(self.offsets, flat, side="right") - 1

    def spot(self, flat: int) -> str:
        """Name in a message the item whose value stands at a given place."""
        row = int(self.row_of(flat))
        return self.spots(row)(int(flat - self.offsets[row]))

    def spots(self, row: int) -> Callable[[int], str]:
        """Return a function that names in a message the item at a given place of a row."""
        return lambda k: self.name(row, k) + self.within(row)


@dataclass(frozen=True, eq=False, repr=False)
class Pairs:
    """Pair p compares row ``pair_x[p]`` of the references x with row ``pair_y[p]`` of the estimates y."""

    x: Rows
    y: Rows
    pair_x: Integers
    pair_y: Integers
    shape: tuple[int, ...]  # the shape of the result; () for one pair
    labels: Sequence[Hashable] | None = None
    n_of_none: int = 0  # the number of items if there is no ranking
    names: tuple[str, str] = ("x", "y")  # of both sides, for messages

    @classmethod
    def one_to_one(cls, x: Rows, y: Rows) -> Pairs:
        """Pair each row of x with the same row of y."""
        every = np.arange(len(x))
        return cls(x, y, every, every, (len(x),))

    @classmethod
    def broadcast(cls, x: Floats, y: Floats) -> Pairs:
        """Pair rankings, which are in the last dimension, by the rules of broadcasting; without a copy."""
        shape, n = np.broadcast_shapes(x.shape[:-1], y.shape[:-1]), x.shape[-1]
        sides, pair = [], []
        for values in (x, y):
            sides.append(Rows.equal(values.reshape(-1, n)))
            every = np.arange(len(sides[-1])).reshape(values.shape[:-1])
            pair.append(np.ascontiguousarray(np.broadcast_to(every, shape)).ravel())
        return cls(sides[0], sides[1], pair[0], pair[1], shape)

    @classmethod
    def leaving_out(cls, x: Floats, y: Floats, group: Integers, groups: Sequence[int]) -> Pairs:
        """Pair two rankings with themselves without the items of each of some groups."""
        rows = [np.flatnonzero(group != g) for g in groups]
        kept = np.concatenate(rows)
        offsets = np.cumsum([0, *map(len, rows)])
        return cls.one_to_one(Rows(x[kept], offsets), Rows(y[kept], offsets))

    def __len__(self) -> int:
        return len(self.pair_x)

    @property
    def n_items(self) -> int:
        """The number of items, where all rankings are equally long."""
        return int(self.x.offsets[1]) if len(self.x) else self.n_of_none

    def sizes(self) -> Integers:
        """Return the number of items of each pair."""
        return self.x.sizes[self.pair_x]

    def few(self) -> Booleans:
        """Return which pairs have fewer than two items."""
        of_rows = self.x.sizes < 2
        return of_rows[self.pair_x] if of_rows.any() else np.zeros(len(self), dtype=np.bool_)

    def sides(self) -> tuple[tuple[str, Rows, Integers], tuple[str, Rows, Integers]]:
        """Return both sides: name, rows, and the row of each pair."""
        return (self.names[0], self.x, self.pair_x), (self.names[1], self.y, self.pair_y)

    @property
    def shared(self) -> bool:
        """Whether others may write to the values."""
        return bool(self.x.shared or self.y.shared)

    def owned(self) -> Pairs:
        """Return the same pairs with values that nobody else writes to."""
        return replace(self, x=self.x.owned(), y=self.y.owned()) if self.shared else self

    def exchanged(self) -> Pairs:
        """Return the same pairs with reference and estimate exchanged."""
        rows = {"x": self.y, "y": self.x, "pair_x": self.pair_y, "pair_y": self.pair_x}
        return replace(self, **rows, names=self.names[::-1])  # type: ignore[arg-type]

    def part(self, start: int, stop: int) -> Pairs:
        """Return some of the pairs."""
        pair_x, pair_y = self.pair_x[start:stop], self.pair_y[start:stop]
        return replace(self, pair_x=pair_x, pair_y=pair_y, shape=(stop - start,))

    def _items(self) -> tuple[Integers, Integers]:
        """Return for all items of all pairs, end to end, the pair and the place within it."""
        sizes = self.sizes()
        starts = np.concatenate([[0], np.cumsum(sizes)])
        pair = np.repeat(np.arange(len(self)), sizes)
        return pair, np.arange(starts[-1]) - starts[pair]

    def without(self, unwanted: Callable[[Floats, Floats], Booleans]) -> Pairs:
        """Leave items out of each pair."""
        pair, item = self._items()
        x = self.x.values[self.x.offsets[self.pair_x][pair] + item]
        y = self.y.values[self.y.offsets[self.pair_y][pair] + item]
        kept = ~unwanted(x, y)
        offsets = np.concatenate([[0], np.cumsum(np.bincount(pair[kept], minlength=len(self)))])
        original = item[kept]

        def name(side: Rows, rows: Integers) -> Namer:
            return lambda row, k: side.name(int(rows[row]), int(original[offsets[row] + k]))

        every = np.arange(len(self))
        return replace(
            self,
            x=Rows(x[kept], offsets, name(self.x, self.pair_x), _of_pair(self.x, self.pair_x)),
            y=Rows(y[kept], offsets, name(self.y, self.pair_y), _of_pair(self.y, self.pair_y)),
            pair_x=every,
            pair_y=every,
        )

    def mapped(
        self, change: Callable[[Floats, Floats, Callable[[int], str]], tuple[Floats, Floats]]
    ) -> Pairs:
        """Return each pair changed by a function of its two rankings; `spot` names an item of x."""
        of = zip(self.pair_x.tolist(), self.pair_y.tolist(), strict=True)
        changed = [change(self.x[a], self.y[b], self.x.spots(a)) for a, b in of]
        offsets = np.cumsum([0, *(len(x) for x, _ in changed)])
        x, y = (np.concatenate([np.empty(0), *(both[side] for both in changed)]) for side in (0, 1))
        return replace(self.one_to_one(Rows(x, offsets), Rows(y, offsets)), names=self.names)

    def top(self, k: int) -> Pairs:
        """Keep the first k items of each reference, and those exactly tied with the k-th."""
        x, y = self.x, self.y
        sizes = x.sizes
        row = np.repeat(np.arange(len(x)), sizes)
        cut = np.full(len(x), math.inf)
        for n in set(sizes.tolist()) - {0}:  # mostly one size
            own = sizes == n
            last = min(k, n) - 1
            rows = -x.values[x.offsets[:-1][own, None] + np.arange(n)]
            cut[own] = -np.partition(rows, last, axis=1)[:, last]
        kept = np.flatnonzero(x.values >= cut[row])
        original = kept - x.offsets[row[kept]]
        offsets = np.concatenate([[0], np.cumsum(np.bincount(row[kept], minlength=len(x)))])
        # The items of y depend on the cut of x, so that y has one row for each pair.
        sizes_y = np.diff(offsets)[self.pair_x]
        offsets_y = np.concatenate([[0], np.cumsum(sizes_y)])
        pair = np.repeat(np.arange(len(self)), sizes_y)
        item = original[offsets[self.pair_x][pair] + np.arange(offsets_y[-1]) - offsets_y[pair]]
        values_y = y.values[y.offsets[self.pair_y][pair] + item]
        pair_y = self.pair_y
        return replace(
            self,
            x=Rows(x.values[kept], offsets, lambda r, i: x.name(r, int(original[offsets[r] + i])), x.within),
            y=Rows(
                values_y,
                offsets_y,
                lambda r, i: y.name(int(pair_y[r]), int(item[offsets_y[r] + i])),
                _of_pair(y, pair_y),
            ),
            pair_y=np.arange(len(self)),
        )


def _of_pair(side: Rows, rows: Integers) -> Within:
    return lambda row: side.within(int(rows[row]))


def _namer(labels: Sequence[Hashable] | None, outer: tuple[int, ...], axis: int) -> Namer:
    """Name items by their labels, or by their index in the array as it was given."""
    if labels is not None:
        return lambda _row, k: repr(labels[k])

    def name(row: int, k: int) -> str:
        index = [int(i) for i in np.unravel_index(row, outer)] if outer else []
        index.insert(axis if axis >= 0 else len(outer) + 1 + axis, k)
        return place(index)

    return name


def read_pairs(x: Any, y: Any, axis: int = -1, threads: int = 1, borrow: bool = False) -> Pairs:
    """Read the two rankings, or two arrays of rankings, that a user passed."""
    values_x, values_y, labels = read_two(x, y, axis, threads, borrow)
    values_x, values_y = items_last("x", values_x, axis), items_last("y", values_y, axis)
    n = values_x.shape[-1]
    if n != values_y.shape[-1]:
        raise ArgumentError(f"x has {n} items and y has {values_y.shape[-1]}; both must rank the same items")
    outer_x, outer_y = values_x.shape[:-1], values_y.shape[:-1]
    try:
        shape = np.broadcast_shapes(outer_x, outer_y)
    except ValueError:
        shapes = f"apart from the items they have shapes {outer_x} and {outer_y}"
        raise ArgumentError(f"x and y do not broadcast: {shapes}") from None
    rows, pair = [], []
    for values, outer in ((values_x, outer_x), (values_y, outer_y)):
        count = math.prod(outer)
        make = Rows.borrowed if borrow else Rows
        rows.append(make(values.ravel(), np.arange(count + 1) * n, _namer(labels, outer, axis)))
        pair.append(np.ascontiguousarray(np.broadcast_to(np.arange(count).reshape(outer), shape)).ravel())
    return Pairs(rows[0], rows[1], pair[0], pair[1], shape, labels, n)


def read_one_pair(x: Any, y: Any) -> Pairs:
    """Read two rankings, not batches of them."""
    pairs = read_pairs(x, y)
    if pairs.shape:
        raise ArgumentError(f"takes two rankings, got batches of shape {pairs.shape}")
    refuse_nan(pairs, "drop the item")
    return pairs


def refuse_nan(pairs: Pairs, advice: str) -> None:
    """Raise an error if a score is NaN."""
    for name, rows, _ in pairs.sides():
        nan = np.isnan(rows.values)
        if nan.any():
            raise ArgumentError(f"{name} is NaN at {rows.spot(int(np.argmax(nan)))}; {advice}")


def screen(pairs: Pairs, nan_policy: NanPolicy, threads: int = 1) -> tuple[Pairs, Booleans]:
    """Deal with values that are not finite; return the pairs to compute, and which of them have NaN."""
    missing = np.zeros(len(pairs), dtype=np.bool_)
    sides = (pairs.x,) if pairs.y is pairs.x else (pairs.x, pairs.y)
    if all(core.all_finite(rows.values, threads) for rows in sides):
        return pairs, missing
    for name, rows, pair in pairs.sides():
        infinite, nan = np.flatnonzero(np.isinf(rows.values)), np.flatnonzero(np.isnan(rows.values))
        if len(infinite):
            spot = rows.spot(infinite[0])
            raise ArgumentError(f"{name} is infinite at {spot}; replace it or drop the item")
        if len(nan) and nan_policy == "raise":
            advice = f"drop the item or use {option('nan_policy', 'omit')}"
            raise ArgumentError(f"{name} is NaN at {rows.spot(nan[0])}; {advice}")
        has_nan = np.zeros(len(rows), dtype=np.bool_)
        has_nan[rows.row_of(nan)] = True
        missing |= has_nan[pair]
    if nan_policy == "omit":
        pairs = pairs.without(lambda x, y: np.isnan(x) | np.isnan(y))
        missing[:] = False
    return pairs, missing


def broadcast_rows(x: Any, y: Any) -> tuple[Any, Any, tuple[int, ...]]:
    """Broadcast two arrays to rows of items, the last axis; also return the shape of the other axes."""
    if x.shape[-1] != y.shape[-1]:
        sizes = f"{x.shape[-1]} and {y.shape[-1]}"
        raise ArgumentError(f"the lists have {sizes} positions; they must be equally long")
    shape = x.shape[:-1]
    if x.shape != y.shape:
        try:
            shape = np.broadcast_shapes(x.shape[:-1], y.shape[:-1])
        except ValueError:
            raise ArgumentError(f"arrays of shapes {x.shape} and {y.shape} do not broadcast") from None
        x, y = (np.broadcast_to(side, (*shape, side.shape[-1])) for side in (x, y))
    rows = (math.prod(shape), x.shape[-1])
    return x.reshape(rows), y.reshape(rows), shape


def items_last(name: str, values: Floats, axis: int) -> Floats:
    """Move the axis that holds the items to the end."""
    if not isinstance(axis, int | np.integer) or isinstance(axis, bool):
        raise ArgumentTypeError(f"axis must be an integer, got {axis!r}")
    if not -values.ndim <= axis < values.ndim:
        raise ArgumentError(f"axis {axis} does not exist: {name} has {values.ndim} dimension(s)")
    moved = values if axis in (-1, values.ndim - 1) else np.moveaxis(values, axis, -1)
    return np.ascontiguousarray(moved)
