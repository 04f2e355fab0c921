"""The core's fields under any tie relation, from the signs of all pairs of items."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant.coefficients.costs import into_range, side
from concordant.coefficients.engine import as_thresholds, refuse_row
from concordant.coefficients.gap import gap_fields, sums_of_relation, sums_of_sides
from concordant.errors import ArgumentError
from concordant.rankings.labels import order_by_label
from concordant.rankings.pairs import Pairs, Rows
from concordant.rankings.ties import Tie, TieRelation, slack
from concordant.typing import Booleans, Floats, Integers

# [i, j] is 1 if item i is above item j, -1 if it is below, 0 if they are tied.
Signs: TypeAlias = NDArray[np.int64]


def _aligned(tie: Tie, n: int, labels: Sequence[Hashable] | None) -> Booleans | None:
    """Return which of the items of a ranking a relation ties, in their order; None for a threshold."""
    if not isinstance(tie, TieRelation):
        return None
    if len(tie) != n:
        sizes = f"the relation is between {len(tie)} items and the rankings have {n}"
        cannot = "a relation cannot be cut to the first items, nor used where items are left out"
        raise ArgumentError(f"{sizes}; {cannot}")
    if labels is None or tie.labels is None:
        return tie.tied
    order = order_by_label(labels, tie.labels, ("the rankings", "the relation"))
    return tie.tied if order is None else tie.tied[np.ix_(order, order)]


def _signs(side: tuple[str, Rows, Integers], p: int, tie: Tie, tied: Booleans | None) -> Signs:
    name, rows, pair = side
    values = rows[pair[p]]
    with np.errstate(over="ignore"):
        difference = values[:, None] - values[None, :]
    signs: Signs = np.sign(difference).astype(np.int64)
    if tied is not None:
        return np.where(tied, 0, signs)
    if isinstance(tie, float) and tie > 0:
        signs[np.abs(difference) <= tie + slack(tie, name, values, rows.spots(int(pair[p])))] = 0
    return signs


def count_by_relation(
    pairs: Pairs, ties: tuple[Tie, Tie], fields: Sequence[str], missing: Booleans
) -> dict[str, Any]:
    """Return the counts of the core by field, from the signs of all pairs of items; O(n^2).

    Sums of gaps take O(n log n) unless the ties of x are a relation.
    """
    measured, ties = as_thresholds(pairs, ties)
    found: dict[str, list[float]] = {field: [] for field in fields}
    known: dict[int, list[Booleans | None]] = {}  # by number of items
    for p in range(len(pairs)):
        row_x, row_y = int(pairs.pair_x[p]), int(pairs.pair_y[p])
        x, y = pairs.x[row_x], pairs.y[row_y]
        n = len(y)
        if missing[p] or n < 2:
            for field in fields:
                found[field].append(n if field == "n" else 0)
            continue
        if n not in known:
            known[n] = [_aligned(tie, n, pairs.labels) for tie in ties]
        values: dict[str, float] = {}
        if "gap" in fields:
            refuse_row(pairs.names[0], measured.x, row_x, ties[0], "")
            refuse_row(pairs.names[0], pairs.x, row_x, 0.0, "the coefficient")
            of_x, of_y, tied = side(measured.x[row_x], ties[0]), side(y, 0.0), known[n][0]
            of_x = of_x._replace(scores=into_range(x))
            sums = sums_of_sides(of_x, of_y) if tied is None else sums_of_relation(of_x.scores, y, tied)
            values["gap"], values["gap_weight"] = gap_fields(sums, of_y.equal_last - of_y.equal_first)
        if ordinal := [field for field in fields if field not in values]:
            s_x, s_y = map(_signs, measured.sides(), (p, p), ties, known[n])
            values |= {field: _FIELDS[field](y, s_x, s_y) for field in ordinal}
        for field in fields:
            found[field].append(values[field])
    return {field: np.array(values) for field, values in found.items()}


def _stepped(y: Floats, s_x: Signs, s_y: Signs) -> float:
    """Return the sum of AP correlation whose ties are undecided (Radja 2018, eq. 4.4 and 6.2)."""
    terms = []
    above: list[int] = []
    for span in _spans(y, s_y):
        if above:
            net = sum(int((s_x[above, i] * s_y[above, i]).sum()) for i in span)
            places = range(len(above), len(above) + len(span))
            terms.append(net * math.fsum(1 / place for place in places) / len(span))
        above += span
    return math.fsum(terms)


def _spans(y: Floats, s_y: Signs) -> list[list[int]]:
    """Return the items that share their places ("stepping"), from best to worst.

    Items with equal y share theirs, and neighbouring ones whose items are all tied with the same items.
    """
    spans: list[list[int]] = []
    shared = None  # what all items of the last span are tied with, if it is the same
    for value in np.unique(y)[::-1]:
        level = np.flatnonzero(y == value).tolist()
        sets = {(s_y[i] == 0).tobytes() for i in level}
        if len(sets) == 1 and sets == shared:
            spans[-1] += level
        else:
            spans.append(level)
        shared = sets if len(sets) == 1 else None
    return spans


def _equal(y: Floats, s_x: Signs, s_y: Signs) -> float:
    """Return the sum of AP correlation whose ties are equality.

    It is the mean over the orders of items with equal y.
    """
    agree = s_x == s_y
    terms = []
    for value in np.unique(y)[::-1]:
        group, above = np.flatnonzero(y == value), np.flatnonzero(y > value)
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


# The fields of the core that the Kendall and AP families need, from the scores of y and the signs of both.
_FIELDS: dict[str, Callable[[Floats, Signs, Signs], float]] = {
    "n": lambda y, _, __: len(y),
    "concordant": lambda _, s_x, s_y: int((s_x * s_y == 1).sum()) // 2,
    "discordant": lambda _, s_x, s_y: int((s_x * s_y == -1).sum()) // 2,
    "untied_x": lambda _, s_x, __: int((s_x == 1).sum()),
    "untied_y": lambda _, __, s_y: int((s_y == 1).sum()),
    "pivots_x": lambda _, s_x, __: int((s_x == 1).any(axis=0).sum()),
    "pivots_y": lambda _, __, s_y: int((s_y == 1).any(axis=0).sum()),
    "sign_x": lambda _, s_x, s_y: _sum_over_above(s_x, np.where(s_y == 1, 1, -1)),
    "sign_y": lambda _, s_x, s_y: _sum_over_above(s_y, np.where(s_x == 1, 1, -1)),
    "net_x": lambda _, s_x, s_y: _sum_over_above(s_x, s_y),
    "net_y": lambda _, s_x, s_y: _sum_over_above(s_y, s_x),
    "stepped": _stepped,
    "equal": _equal,
}
