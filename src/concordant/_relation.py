"""Ties that are not made by scores: any relation of which items are tied, and the counts of pairs under it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant._inputs import Floats, Pairs, alignment, thresholds

Signs: TypeAlias = NDArray[
    np.int64
]  # [i, j] is 1 if item i is above item j, -1 if it is below, 0 if they are tied


@dataclass(frozen=True, eq=False, repr=False)
class TieRelation:
    """Which items are tied, in place of a threshold: ``tau_b(x, y, threshold=relation)``.

    A pair `(relation, relation)`, `(relation, 0.0)` and so on has one for x and one for y.

    Parameters
    ----------
    tied : array_like of bool, shape (n, n)
        Symmetric; an item is tied with itself. Items with equal scores are tied whatever it says.
    labels : sequence, optional
        Of the items; rankings with labels are aligned to them.
    pvalues : array_like of shape (n, n), optional
        Where it comes from significance tests: their p-values, as corrected.

    Examples
    --------
    >>> import concordant as cd
    >>> tied = cd.TieRelation([[True, True, False], [True, True, False], [False, False, True]])
    >>> cd.tau_a([3, 2, 1], [2, 3, 1], threshold=tied)  # the first two are tied, on both sides
    0.6666666666666666
    """

    tied: NDArray[np.bool_]
    labels: tuple[Hashable, ...] | None = None
    pvalues: Floats | None = None

    def __post_init__(self) -> None:
        tied = np.asarray(self.tied)
        if tied.ndim != 2 or tied.shape[0] != tied.shape[1] or tied.dtype.kind != "b":
            got = f"shape {tied.shape}" if tied.dtype.kind == "b" else f"values of type {tied.dtype}"
            raise ValueError(f"TieRelation: tied must be a square array of True and False, got {got}")
        if not (tied == tied.T).all() or not tied.diagonal().all():
            raise ValueError("TieRelation: tied must be symmetric, and every item tied with itself")
        labels = None if self.labels is None else tuple(self.labels)
        if labels is not None and len(labels) != len(tied):
            raise ValueError(f"TieRelation: there are {len(labels)} labels for {len(tied)} items")
        if labels is not None and len(set(labels)) < len(labels):
            raise ValueError("TieRelation: two items have the same label; labels must be different")
        tied = tied.copy()  # what is frozen must not change with the caller's array
        tied.setflags(write=False)
        object.__setattr__(self, "tied", tied)
        object.__setattr__(self, "labels", labels)

    @property
    def n_tied(self) -> int:
        """How many pairs of items are tied."""
        return (int(self.tied.sum()) - len(self.tied)) // 2

    def __len__(self) -> int:
        return len(self.tied)

    def __repr__(self) -> str:
        n = len(self.tied)
        return f"<relation: {self.n_tied} of {n * (n - 1) // 2} pairs of {n} items are tied>"


Tie: TypeAlias = float | TieRelation
Threshold: TypeAlias = Tie | tuple[Tie, Tie]


def read_ties(who: str, threshold: Any) -> tuple[Tie, Tie]:
    """Read what makes ties: a threshold or a relation, for both rankings or one for each."""
    if isinstance(threshold, TieRelation):
        return threshold, threshold
    if isinstance(threshold, tuple | list) and any(isinstance(each, TieRelation) for each in threshold):
        if len(threshold) != 2:
            raise ValueError(
                f"{who}: threshold must be one for both rankings, or a pair, got {len(threshold)}"
            )
        numbers = [0.0 if isinstance(each, TieRelation) else each for each in threshold]
        read = thresholds(who, (numbers[0], numbers[1]))
        x, y = (each if isinstance(each, TieRelation) else w for each, w in zip(threshold, read, strict=True))
        return x, y
    return thresholds(who, threshold)


def _aligned(who: str, tie: Tie, n: int, labels: Sequence[Hashable] | None) -> NDArray[np.bool_] | None:
    """Return which of the items of a ranking a relation ties, in their order; None for a threshold."""
    if not isinstance(tie, TieRelation):
        return None
    if len(tie) != n:
        raise ValueError(
            f"{who}: the relation is between {len(tie)} items and the rankings have {n}; a relation cannot be cut to the first "
            "items, nor used where items are left out"
        )
    if labels is None or tie.labels is None:
        return tie.tied
    order = alignment(who, list(labels), list(tie.labels), "the rankings and the relation")
    return tie.tied if order is None else tie.tied[np.ix_(order, order)]


def _signs(values: Floats, tie: Tie, tied: NDArray[np.bool_] | None) -> Signs:
    with np.errstate(over="ignore"):
        difference = values[:, None] - values[None, :]
    signs: Signs = np.sign(difference).astype(np.int64)
    if tied is not None:
        return np.where(tied, 0, signs)
    if not isinstance(tie, TieRelation) and tie > 0:
        size = np.abs(values)  # the slack is that of `beyond` in the core
        slack = 4 * np.finfo(float).eps * np.maximum(size[:, None], size[None, :])
        signs[np.abs(difference) <= tie + slack] = 0
    return signs


def count_by_relation(
    who: str, pairs: Pairs, ties: tuple[Tie, Tie], fields: Sequence[str], missing: NDArray[np.bool_]
) -> dict[str, Any]:  # fmt: skip
    """Return what the core counts, by the names of its fields, from the signs of all pairs of items; O(n^2)."""
    found: dict[str, list[float]] = {field: [] for field in fields}
    known: dict[int, list[NDArray[np.bool_] | None]] = {}  # by number of items
    for p in range(len(pairs)):
        x, y = pairs.row_x(p), pairs.row_y(p)
        n = len(x)
        if missing[p] or n < 2:
            for field in fields:
                found[field].append(n if field == "n" else 0)
            continue
        if n not in known:
            known[n] = [_aligned(who, tie, n, pairs.labels) for tie in ties]
        s_x, s_y = map(_signs, (x, y), ties, known[n])
        signs = _PairSigns(who, x, y, s_x, s_y)
        for field in fields:
            found[field].append(getattr(signs, field)())
    return {field: np.array(values) for field, values in found.items()}


@dataclass(frozen=True)
class _PairSigns:
    """Two rankings as signs: a method for each field of the core that the Kendall and AP families need."""

    who: str
    x: Floats
    y: Floats
    s_x: Signs
    s_y: Signs

    def n(self) -> int:
        return len(self.x)

    def concordant(self) -> int:
        return int((self.s_x * self.s_y == 1).sum()) // 2

    def discordant(self) -> int:
        return int((self.s_x * self.s_y == -1).sum()) // 2

    def untied_x(self) -> int:
        return int((self.s_x == 1).sum())

    def untied_y(self) -> int:
        return int((self.s_y == 1).sum())

    def pivots_x(self) -> int:
        return int((self.s_x == 1).any(axis=0).sum())

    def pivots_y(self) -> int:
        return int((self.s_y == 1).any(axis=0).sum())

    def sign_x(self) -> float:
        return _sum_over_above(self.s_x, np.where(self.s_y == 1, 1, -1))

    def sign_y(self) -> float:
        return _sum_over_above(self.s_y, np.where(self.s_x == 1, 1, -1))

    def net_x(self) -> float:
        return _sum_over_above(self.s_x, self.s_y)

    def net_y(self) -> float:
        return _sum_over_above(self.s_y, self.s_x)

    def stepped(self) -> float:
        """Return the sum of tau_ap_a (thesis eq. 4.4 and 6.2)."""
        terms = []
        above: list[int] = []
        for group in self._groups():
            if above:
                net = sum(int((self.s_x[above, i] * self.s_y[above, i]).sum()) for i in group)
                places = range(len(above), len(above) + len(group))
                terms.append(net * math.fsum(1 / place for place in places) / len(group))
            above += group
        return math.fsum(terms)

    def _groups(self) -> list[list[int]]:
        """Return the items tied in y with exactly the same items ("stepping"), from best to worst."""
        order = sorted(range(len(self.y)), key=lambda i: -self.y[i])
        sets = [tuple(np.flatnonzero(row == 0)) for row in self.s_y]
        groups = [list(group) for _, group in itertools.groupby(order, key=lambda i: sets[i])]
        level = any(self.y[a] == self.y[b] and sets[a] != sets[b] for a, b in itertools.pairwise(order))
        if level or len({sets[group[0]] for group in groups}) < len(groups):
            raise ValueError(
                f"{self.who}: stepping is not defined for this relation: items tied with the same items must stand together in the "
                "ranking, and items with equal scores must be tied with the same items; use tau_ap_b or tau_ap_e"
            )
        return groups

    def equal(self) -> float:
        """Return the sum of tau_ap_e (thesis eq. 5.2 and 6.7), the mean over the orders of items with equal y."""
        agree = self.s_x == self.s_y
        terms = []
        for value in np.unique(self.y)[::-1]:
            group, above = np.flatnonzero(self.y == value), np.flatnonzero(self.y > value)
            q, t = len(above), len(group)
            a = int(agree[np.ix_(above, group)].sum())
            g = int(agree[np.ix_(group, group)].sum()) - t
            for slot in range(int(q == 0), t):
                within = g * slot / (t - 1) if t > 1 else 0.0
                terms.append((2 * (a + within) - t * (q + slot)) / ((q + slot) * t))
        return math.fsum(terms)


def _sum_over_above(walked: Signs, scores: Signs) -> float:
    """Sum over the items of the mean score of the items above them."""
    above = walked == 1
    number, total = above.sum(axis=0), (above * scores).sum(axis=0)
    return math.fsum(int(a) / int(b) for a, b in zip(total, number, strict=True) if b)
