"""The core's fields under any tie relation, from the signs of all pairs of items."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant.errors import ArgumentError
from concordant.rankings.labels import order_by_label
from concordant.rankings.pairs import Pairs
from concordant.rankings.ties import Tie, TieRelation
from concordant.typing import Booleans, Floats

# [i, j] is 1 if item i is above item j, -1 if it is below, 0 if they are tied.
Signs: TypeAlias = NDArray[np.int64]


def _aligned(tie: Tie, n: int, labels: Sequence[Hashable] | None) -> Booleans | None:
    """Return which of the items of a ranking a relation ties, in their order; None for a threshold."""
    if not isinstance(tie, TieRelation):
        return None
    if len(tie) != n:
        raise ArgumentError(
            f"the relation is between {len(tie)} items and the rankings have {n}; a relation cannot be cut "
            "to the first items, nor used where items are left out"
        )
    if labels is None or tie.labels is None:
        return tie.tied
    order = order_by_label(labels, tie.labels, ("the rankings", "the relation"))
    return tie.tied if order is None else tie.tied[np.ix_(order, order)]


def _signs(values: Floats, tie: Tie, tied: Booleans | None) -> Signs:
    with np.errstate(over="ignore"):
        difference = values[:, None] - values[None, :]
    signs: Signs = np.sign(difference).astype(np.int64)
    if tied is not None:
        return np.where(tied, 0, signs)
    if not isinstance(tie, TieRelation) and tie > 0:
        # The slack is that of `largest_tie` in the core.
        slack = 4 * np.finfo(float).eps * np.abs(values).max(initial=0.0)
        signs[np.abs(difference) <= tie + slack] = 0
    return signs


def count_by_relation(
    pairs: Pairs, ties: tuple[Tie, Tie], fields: Sequence[str], missing: Booleans
) -> dict[str, Any]:
    """Return the counts of the core by field, from the signs of all pairs of items; O(n^2)."""
    found: dict[str, list[float]] = {field: [] for field in fields}
    known: dict[int, list[Booleans | None]] = {}  # by number of items
    for p in range(len(pairs)):
        x, y = pairs.x[pairs.pair_x[p]], pairs.y[pairs.pair_y[p]]
        n = len(x)
        if missing[p] or n < 2:
            for field in fields:
                found[field].append(n if field == "n" else 0)
            continue
        if n not in known:
            known[n] = [_aligned(tie, n, pairs.labels) for tie in ties]
        s_x, s_y = map(_signs, (x, y), ties, known[n])
        signs = _PairSigns(x, y, s_x, s_y)
        for field in fields:
            found[field].append(getattr(signs, field)())
    return {field: np.array(values) for field, values in found.items()}


@dataclass(frozen=True, eq=False, repr=False)
class _PairSigns:
    """Two rankings as signs: a method for each field of the core that the Kendall and AP families need."""

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
        """Return the sum of AP correlation whose ties are undecided (Radja 2018, eq. 4.4 and 6.2)."""
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
            raise ArgumentError(
                "stepping is not defined for this relation: items tied with the same items must stand "
                "together in the ranking, and items with equal scores must be tied with the same items; "
                "use a coefficient for which ties are ignored or equality"
            )
        return groups

    def equal(self) -> float:
        """Return the sum of AP correlation whose ties are equality.

        It is the mean over the orders of items with equal y.
        """
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
