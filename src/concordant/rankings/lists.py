"""Lists that need not hold the same items: whatever users pass becomes pairs of lists of codes."""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, option, public
from concordant.rankings.compiled import core
from concordant.rankings.convert import is_masked_array, read
from concordant.rankings.frames import is_frame
from concordant.rankings.labels import is_missing
from concordant.rankings.order_text import groups_of_order
from concordant.rankings.pairs import Rows
from concordant.rankings.ties import slack, thresholds
from concordant.typing import Floats, Integers

_GROUPS = (list, tuple, set, frozenset)
_ACCEPTED = (
    "a list of names, best first, with tied names in a list of their own; a text such as 'red (blue green)'; "
    "a mapping or Series of name to score; or an array of integers"
)


@dataclass(frozen=True, eq=False, repr=False)
class Lists:
    """Several lists, for functions that take a batch of them: ``rbo(Lists([...]), Lists([...]))``.

    Without it, a list within a list is a group of tied items.

    Parameters
    ----------
    lists : iterable of lists
        Each list in any form that the functions take: names in order, best first, with groups for ties; a
        text; a mapping or Series of name to score; an array of integers.

    Attributes
    ----------
    lists : tuple
        The lists.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.rbo(cd.Lists([["a", "b"], ["a", "c"]]), ["a", "b"]).round(4)
    array([1.  , 0.55])
    """

    lists: tuple[Any, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "lists", _as_tuple(self.lists))

    def __len__(self) -> int:
        return len(self.lists)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.lists)

    def __repr__(self) -> str:
        return f"<{len(self.lists)} lists>"


@public("Lists")
def _as_tuple(lists: Any) -> tuple[Any, ...]:
    if isinstance(lists, str | Mapping) or not isinstance(lists, Iterable):
        raise ArgumentTypeError(f"takes several lists, got one {type(lists).__name__}; put it in a list")
    return tuple(lists)


@dataclass(frozen=True, eq=False, repr=False)
class ListPairs:
    """Pairs of lists, laid end to end: list r has the codes ``codes[offsets[r]:offsets[r + 1]]``.

    ``ends[k]`` is the rank of the last item of the group of item k; it is empty if no items are tied.
    """

    codes: Integers
    ends: Integers
    offsets: Integers
    n_codes: int
    first: Integers  # the lists of each pair
    second: Integers
    shape: tuple[int, ...]  # the shape of the result; () for one pair
    names: Sequence[Hashable] | None = None  # by code
    values: Integers | None = None  # for integers, the items themselves

    def __len__(self) -> int:
        return len(self.first)

    @property
    def sizes(self) -> Integers:
        """The number of items of each list."""
        return np.diff(self.offsets)

    def names_of(self, codes: Integers) -> tuple[Hashable, ...]:
        """Return the items that have some codes."""
        if self.names is not None:
            return tuple(self.names[code] for code in codes.tolist())
        by_code = np.zeros(self.n_codes, dtype=np.int64)
        by_code[self.codes] = self.codes if self.values is None else self.values
        return tuple(by_code[codes].tolist())

    @property
    def arrays(self) -> tuple[Integers, Integers, Integers, int, Integers, Integers]:
        """What the core takes first."""
        return self.codes, self.ends, self.offsets, self.n_codes, self.first, self.second


# A list as it was read: its name in messages; the items in order, a list or an array of integers; and the end
# of the group of each, if any are tied.
_One: TypeAlias = tuple[str, Any, Integers | None]


# --- two lists or two batches ----------------------------------------------------------------------------


def read_lists(x: Any, y: Any, threshold: Any = 0.0) -> ListPairs:
    """Read the two lists, or two batches of lists, that a user passed."""
    w_x, w_y = thresholds(threshold)
    batches = [_batch(x), _batch(y)]
    lists = [
        _one(name if several is None else f"{name}[{k}]", one, w)
        for name, several, own, w in zip("xy", batches, (x, y), (w_x, w_y), strict=True)
        for k, one in enumerate([own] if several is None else several)
    ]
    single = batches == [None, None]
    has_scores = any(isinstance(one, Mapping) or hasattr(one, "to_numpy") for one in (x, y))
    if (w_x or w_y) and single and not has_scores:
        none = f"{option('threshold')} ties items by their scores, and these lists have none"
        raise ArgumentError(f"{none}; give mappings of name to score")
    n_x, n_y = (1 if several is None else len(several) for several in batches)
    if None not in batches and n_x != n_y and 1 not in (n_x, n_y):
        raise ArgumentError(f"x has {n_x} lists and y has {n_y}; give equally many, or one on a side")
    count = 0 if 0 in (n_x, n_y) else max(n_x, n_y)
    first, second = (np.arange(count) if n > 1 else np.zeros(count, dtype=np.int64) for n in (n_x, n_y))
    return _laid(lists, first, n_x + second, () if single else (count,))


def pairs_of_lists(
    lists: Sequence[Any], names: Sequence[Any], first: Integers, second: Integers, threshold: float = 0.0
) -> ListPairs:
    """Read named lists for given pairs of them; messages use the names."""
    read_in = [_one(f"list {name!r}", one, threshold) for name, one in zip(names, lists, strict=True)]
    return _laid(read_in, first, second, (len(first),))


def _batch(value: Any) -> Sequence[Any] | None:
    """Return the lists of a batch, or None for one list."""
    if isinstance(value, Lists):
        return value.lists
    if isinstance(value, np.ndarray) and value.ndim == 2:
        return list(value)
    if isinstance(value, list | tuple) and value and not hasattr(value, "topics"):
        whole = sum(isinstance(one, Mapping | np.ndarray) or hasattr(one, "to_numpy") for one in value)
        if whole == len(value):
            return value
        deep = [isinstance(one, _GROUPS) and any(isinstance(part, _GROUPS) for part in one) for one in value]
        if whole or any(deep):
            deeper = "a list has groups within groups; ties have one level"
            raise ArgumentTypeError(f"{deeper}. For several lists give concordant.Lists([...])")
    return None


def offsets_and_ends(lists: Sequence[tuple[Any, Integers | None]]) -> tuple[Integers, Integers]:
    """Return where each list begins, and where the last ends; and the ends of the groups of all items.

    There are no ends if no items are tied.
    """
    offsets = np.zeros(len(lists) + 1, dtype=np.int64)
    np.cumsum([len(items) for items, _ in lists], out=offsets[1:])
    if all(own is None for _, own in lists):
        return offsets, np.empty(0, dtype=np.int64)
    each = (np.arange(1, len(items) + 1) if own is None else own for items, own in lists)
    return offsets, np.concatenate(list(each), dtype=np.int64)


def _laid(lists: Sequence[_One], first: Integers, second: Integers, shape: tuple[int, ...]) -> ListPairs:
    """Give the same code to the same item, and lay the lists end to end."""
    offsets, ends = offsets_and_ends([(items, own) for _, items, own in lists])
    if lists and all(isinstance(items, np.ndarray) for _, items, _ in lists):
        values = np.concatenate([items for _, items, _ in lists])
        codes = np.empty(len(values), dtype=np.int64)
        n_codes, repeated = core.number_items(values, offsets, codes)
        if repeated >= 0:
            row = int(np.searchsorted(offsets, repeated, side="right")) - 1
            _refuse_repeated(lists[row][0], int(values[repeated]))
        return ListPairs(codes, ends, offsets, n_codes, first, second, shape, values=values)
    table: defaultdict[Hashable, int] = defaultdict()
    table.default_factory = table.__len__
    listed: list[int] = []
    for what, given, _ in lists:
        items = given.tolist() if isinstance(given, np.ndarray) else given
        try:
            own = list(map(table.__getitem__, items))
        except TypeError:
            bad = next(item for item in items if not isinstance(item, Hashable))
            wrong = f"{what} has the item {bad!r}, which is not a name"
            raise ArgumentTypeError(f"{wrong}; a list is {_ACCEPTED}") from None
        if len(set(own)) < len(own):
            seen: set[Hashable] = set()
            _refuse_repeated(what, next(n for n in items if n in seen or seen.add(n)))  # type: ignore[func-returns-value]
        listed += own
    names = list(table)
    _check_names(names, lists)
    codes = np.array(listed, dtype=np.int64)
    return ListPairs(codes, ends, offsets, len(names), first, second, shape, names)


def _refuse_repeated(what: str, item: object) -> None:
    raise ArgumentError(f"{what} has {item!r} twice; each item may appear only once")


def _check_names(names: Sequence[Any], lists: Sequence[_One]) -> None:
    if set(map(type, names)) <= {str} and all(map(str.strip, names)):
        return
    bad = next((name for name in names if is_missing(name) or _is_empty(name)), None)
    if bad is None and None not in names:
        return
    what = next(own for own, items, _ in lists if any(name is bad or name == bad for name in items))
    kind = "an empty name" if _is_empty(bad) else f"{bad!r} as a name"
    raise ArgumentError(f"{what} has {kind}; drop it or name the item")


def _is_empty(name: object) -> bool:
    return isinstance(name, str) and not name.strip()


# --- one list --------------------------------------------------------------------------------------------


def _one(what: str, value: Any, threshold: float) -> _One:
    if isinstance(value, str):
        return _of_groups(what, groups_of_order(value))
    if isinstance(value, Mapping):
        return _of_scores(what, value, threshold)
    topics = getattr(value, "topics", None)
    if isinstance(topics, Mapping):  # a run
        if len(topics) != 1:
            one = "give the documents of one topic, run.topics[topic]"
            several = f"{one}, or use concordant.compare_runs for all"
            raise ArgumentTypeError(f"{what} is a run of {len(topics)} topics; {several}")
        return _one(what, next(iter(topics.values())), threshold)
    if isinstance(value, list | tuple):
        if any(isinstance(item, _GROUPS) for item in value):
            return _of_groups(what, [item if isinstance(item, _GROUPS) else (item,) for item in value])
        return what, value, None
    if isinstance(value, np.ndarray):
        return _of_array(what, value)
    if is_frame(value):
        raise ArgumentTypeError(f"{what} is a DataFrame; pass a Series of name to score, one of its columns")
    if hasattr(value, "to_numpy"):
        if getattr(value, "index", None) is None or callable(value.index):  # polars, pyarrow: no labels
            items = value.to_numpy() if getattr(value.dtype, "is_integer", bool)() else value.to_list()
            return _one(what, items, threshold)
        names = all(isinstance(item, str) for item in value)
        if names and (len(value) or value.dtype == object):  # no scores
            return what, list(value), None
        return _of_scores(what, value, threshold)
    if isinstance(value, set | frozenset | bytes) or not isinstance(value, Iterable):
        raise ArgumentTypeError(f"{what} must be {_ACCEPTED}; got {type(value).__name__}")
    return _one(what, list(value), threshold)


def _of_array(what: str, array: Any) -> _One:
    if array.ndim != 1:
        raise ArgumentError(f"{what} must have one dimension, got shape {array.shape}")
    kind = array.dtype.kind
    if kind == "i" or (kind == "u" and (array.dtype.itemsize < 8 or not (array >> np.uint64(63)).any())):
        if is_masked_array(array) and np.ma.is_masked(array):
            raise ArgumentError(f"{what} has masked items; drop them")
        return what, np.array(array, dtype=np.int64), None
    if kind == "O":
        return _one(what, array.tolist(), 0.0)
    if kind not in "USu":
        no_names = f"{what} is an array of {array.dtype}, which names no items"
        raise ArgumentTypeError(f"{no_names}; for scores give a mapping of name to score")
    return what, array.tolist(), None


def _of_groups(what: str, groups: Sequence[Any]) -> _One:
    items: list[Any] = []
    sizes = []
    for group in groups:
        if not group:
            raise ArgumentError(f"{what} has an empty group; leave it out")
        items += group
        sizes.append(len(group))
    return what, items, None if len(sizes) == len(items) else np.repeat(np.cumsum(sizes), sizes)


def _of_scores(what: str, value: Any, threshold: float) -> _One:
    scores, labels = read(what, value)
    if scores.ndim != 1 or labels is None:
        raise ArgumentTypeError(f"{what} must give one score for each name")
    wrong = np.flatnonzero(~np.isfinite(scores))
    if len(wrong):
        k = int(wrong[0])
        kind = "NaN" if math.isnan(scores[k]) else "infinite"
        raise ArgumentError(f"{what} is {kind} at {labels[k]!r}; drop the item or give it a score")
    names = list(labels)
    order, ends = ends_of_scores(scores, threshold, what, lambda k: repr(names[k]))
    return what, [names[k] for k in order.tolist()], ends


def ends_of_scores(
    scores: Floats, threshold: float, what: str, spot: Callable[[int], str]
) -> tuple[Integers, Integers | None]:
    """Return the items from best to worst, and the rank of the last item of the group of each.

    A group holds the items that are tied with its best item. Each item is in one group, although ties within
    a threshold are not transitive. The second result is None if no items are tied. `what` and `spot` name
    the scores and an item, for messages.
    """
    n = len(scores)
    order = np.argsort(-scores, kind="stable")
    falling = -scores[order]
    if threshold > 0 and n:
        reach = threshold + slack(threshold, what, scores, spot)
        sizes, start = [], 0
        while start < n:
            end = int(np.searchsorted(falling, falling[start] + reach, side="right"))
            sizes.append(end - start)
            start = end
        heads = np.cumsum([0, *sizes[:-1]])
    else:
        heads = np.flatnonzero(np.concatenate([[True], falling[1:] != falling[:-1]])) if n else np.arange(0)
    return order, None if len(heads) == n else _ends_of(heads, n)


def _ends_of(heads: Integers, n: int) -> Integers:
    """Return for each of n items where the next group begins; `heads` are the first items of the groups."""
    bounds = np.append(heads[1:], n)
    return np.repeat(bounds, bounds - heads)


def lists_of_groups(x: Rows, y: Rows, threshold: tuple[float, float]) -> ListPairs:
    """Return a pair of lists for each group; the items of a group are its rows."""
    parts = [_side(name, rows, w) for name, rows, w in zip("xy", (x, y), threshold, strict=True)]
    count = len(x)
    offsets = np.concatenate([parts[0][2], parts[0][2][-1] + parts[1][2][1:]])
    codes, ends = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    every = np.arange(count)
    n_codes = int(x.sizes.max(initial=0))
    return ListPairs(codes, ends, offsets, n_codes, every, count + every, (count,))


def _side(name: str, rows: Rows, threshold: float) -> tuple[Integers, Integers, Integers]:
    """Return the codes, ends and offsets of the lists of one side."""
    infinite = np.flatnonzero(np.isinf(rows.values))
    if len(infinite):
        raise ArgumentError(f"{name} is infinite at {rows.spot(infinite[0])}; replace it or drop the item")
    group = np.repeat(np.arange(len(rows)), rows.sizes)
    kept = np.flatnonzero(~np.isnan(rows.values))
    sizes = np.bincount(group[kept], minlength=len(rows))
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    order = kept[np.lexsort((-rows.values[kept], group[kept]))]
    codes = order - rows.offsets[group[order]]
    if threshold > 0:
        parts = []
        for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
            own = order[start:stop]
            spot = functools.partial(_spot, rows, own)
            ends = ends_of_scores(rows.values[own], threshold, name, spot)[1]
            parts.append(np.arange(1, stop - start + 1) if ends is None else ends)
        return codes, np.concatenate([np.empty(0, dtype=np.int64), *parts]), offsets
    return codes, _ends(rows.values[order], group[order], offsets), offsets


def _spot(rows: Rows, flat: Integers, k: int) -> str:
    return rows.spot(int(flat[k]))


def _ends(scores: Floats, group: Integers, offsets: Integers) -> Integers:
    n = len(scores)
    if n == 0:
        return np.empty(0, dtype=np.int64)
    heads = np.flatnonzero(np.concatenate([[True], (np.diff(scores) != 0) | (np.diff(group) != 0)]))
    return _ends_of(heads, n) - offsets[group]
