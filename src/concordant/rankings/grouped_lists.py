"""Lists from the scores of two sides in groups: an item whose score is NaN is not in that list."""

from __future__ import annotations

import numpy as np

from concordant.errors import ArgumentError
from concordant.rankings.lists import ListPairs, ends_of_scores
from concordant.rankings.pairs import Rows
from concordant.typing import Floats, Integers

__all__ = ["lists_of_groups"]


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
    return codes, _ends(rows.values[order], group[order], offsets, threshold), offsets


def _ends(scores: Floats, group: Integers, offsets: Integers, threshold: float) -> Integers:
    if threshold > 0:
        parts = []
        for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
            own = ends_of_scores(scores[start:stop], threshold)[1]
            parts.append(np.arange(1, stop - start + 1) if own is None else own)
        return np.concatenate([np.empty(0, dtype=np.int64), *parts])
    n = len(scores)
    if n == 0:
        return np.empty(0, dtype=np.int64)
    heads = np.flatnonzero(np.concatenate([[True], (np.diff(scores) != 0) | (np.diff(group) != 0)]))
    bounds = np.append(heads[1:], n)
    return np.repeat(bounds, bounds - heads) - offsets[group]
