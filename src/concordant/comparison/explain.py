"""Explain a coefficient: what each item and each pair of items takes off its value.

Every coefficient c with declared costs is 1 minus a sum of costs over the pairs of items; no cost is
negative. The share of an item is half the cost of all pairs that it is in, so that the shares of all items
sum to 1 - c.
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from concordant.coefficients import (
    BLOCK,
    SAME,
    Coefficient,
    CoefficientLike,
    PairCosts,
    evaluate,
    get,
    grades_of,
    side,
    without_groups,
)
from concordant.comparison.explain_lists import explain_lists
from concordant.comparison.explain_result import SAME_COST, Explanation, ItemCost, PairCost, Removal
from concordant.errors import ArgumentTypeError, UndefinedWarning, public
from concordant.rankings import (
    Pairs,
    n_workers,
    read_one_pair,
    whole_number,
)
from concordant.scores import Scores, ranking_of, snap
from concordant.tables import Note
from concordant.typing import Floats, Integers, ListLike, RankingLike

__all__ = ["explain", "explain_pair"]

_MOST_ITEMS = 2000  # up to so many items, all pairs are searched, and each item is left out in turn
_WORST_ITEMS = 200  # otherwise only so many items
_MOST_LEFT_OUT = 20_000_000  # a limit on the work: if there are very many items, fewer are left out
_NOTHING = 1e-18  # a smaller cost is only rounding


@public
def explain(
    x: RankingLike | ListLike | Scores,
    y: RankingLike | ListLike | Scores,
    coefficient: CoefficientLike,
    *,
    grades: RankingLike | None = None,
    most: int = 5,
    workers: int = 1,
) -> Explanation:
    """Explain a coefficient: which pairs of items, and which items, take most off its value.

    Parameters
    ----------
    x, y : array_like, mapping, Series or Scores
        The reference scores and the estimated scores; larger is better. For `Scores`, the means are used. For
        coefficients of graded lists, pass two lists of grades; for coefficients of lists, two lists.
    coefficient : str, Coefficient or callable
        The coefficient, as `get` reads it.
    grades : array_like or mapping, optional
        The grades of the items, for coefficients of graded items.
    most : int, default 5
        How many pairs, and how many items, to list.
    workers : int, default 1
        The number of threads; -1 means all cores. The result does not depend on it.

    Returns
    -------
    Explanation
        The ``shares`` of all items, which sum to 1 - c; the ``pairs`` that cost most; and the ``removals``,
        the items without which the coefficient is highest. If more than `most` pairs cost the same, none is
        listed, and a note says so. For two lists of items, the result is a `ListExplanation` with the cost of
        each depth, ``depths``, and the items that cost most, ``ranked_items``.

    Notes
    -----
    The cost of a pair, by what a tie means to the coefficient:

    ===========  ==========  =================================  ====================
    ties         discordant  tied in one ranking                tied in both
    ===========  ==========  =================================  ====================
    undecided    2 w         w                                  w
    ignored      2 w         an equal part of root - (weight    0
                             of the pairs ordered in both)
    equality     2 w         2 w                                0
    ===========  ==========  =================================  ====================

    w is the weight of the pair in the formula of the coefficient. For correlations of scores, let z be the
    difference of the standardised scores of an item; a pair costs (z_i - z_j)^2 / (2 n). For a mean of
    cosines, a pair costs half the squared difference of its two gaps in the unit vectors of the lower item,
    times the weight of that item.

    The shares take O(n log n) time; for means of cosines, graded lists and graded items they take O(n^2). If
    there are more than 2000 items, only the 200 items with the largest shares are searched for pairs and left
    out in turn (fewer if there are very many). A function without declared costs has only removals.

    Examples
    --------
    >>> import concordant as cd
    >>> reference = {"colbert": 0.42, "bm25+rm3": 0.39, "splade": 0.35, "bm25": 0.30}
    >>> llm = {"colbert": 0.51, "bm25+rm3": 0.40, "splade": 0.46, "bm25": 0.33}
    >>> why = cd.explain(reference, llm, "tau_ap_b")
    >>> why
    tau_ap_b = 0.6667, 0.3333 below 1; the most costly of 1 pair:
    - bm25+rm3 and splade: reference +0.040, estimate -0.060, cost 0.333
    - without bm25+rm3: 1.0000 (+0.3333)
    - without splade: 1.0000 (+0.3333)
    >>> why.shares.round(3).tolist()
    [0.0, 0.167, 0.167, 0.0]
    """
    whole_number("most", most, 0)
    c = get(coefficient)
    threads = n_workers(workers)
    if c.inputs == "lists":
        return explain_lists(x, y, c, most, threads)
    x, y = ranking_of(x), ranking_of(y)
    pairs = read_one_pair(x, y)
    c.refuse_labels(pairs)
    if (c.inputs == "graded_items") != (grades is not None):
        wanted = "needs the grades of the items: explain(x, y, coefficient, grades=...)"
        raise ArgumentTypeError(f"{c.name} {wanted if grades is None else 'takes no grades'}")
    if grades is not None:
        value, reason = float(c(x, y, grades)), "all items have the same grade"
        return explain_pair(c, pairs, value, reason, most, threads, grades_of(pairs, grades))
    outcome = evaluate([c], pairs, "raise", threads)[0]
    outcome.report(str(c))
    return explain_pair(c, pairs, float(outcome.values[0]), outcome.reason, most, threads)


def explain_pair(
    c: Coefficient,
    pairs: Pairs,
    value: float,
    reason: str,
    most: int,
    threads: int,
    grades: Floats | None = None,
) -> Explanation:
    """Explain the value of a coefficient that was computed for one pair of rankings."""
    items = _names(c, pairs)
    x, y = pairs.x[0], pairs.y[0]
    common: dict[str, Any] = {
        "coefficient": c,
        "value": value,
        "items": items,
        "options": {"most": most},
    }
    if math.isnan(value):
        nothing = np.full(len(items), math.nan)
        notes = (Note("undefined_value", values={"reason": reason}),)
        return Explanation(**common, shares=nothing, n_pairs=0, pairs=(), removals=(), notes=notes)
    notes_list: list[Note] = []
    shares: Floats | None = None
    worst: list[PairCost] = []
    item_costs: tuple[ItemCost, ...] | None = None
    n_costly = 0
    part = pairs if c.top is None else pairs.top(c.top)
    kept = np.arange(len(items)) if c.top is None else np.flatnonzero(x >= part.x[0].min())
    part_x, part_y = part.x[0], part.y[0]
    costs = _costs_of(c, part_x, part_y, grades)
    if costs is None:
        notes_list.append(Note("not_a_sum", values={"coefficient": str(c)}))
    else:
        shares = np.zeros(len(items))
        shares[kept] = functools.reduce(np.add, (each.costs() for each in costs)) / 2
        if abs(math.fsum(shares.tolist()) - (1 - value)) > 1e-9:
            notes_list.append(Note("shares_inexact"))
        _make_exact(shares, 1 - value)
        searched = np.arange(len(kept))
        if len(kept) > _MOST_ITEMS:
            searched = np.sort(np.lexsort((searched, -shares[kept]))[:_WORST_ITEMS])
            notes_list.append(Note("pairs_among", values={"items": _WORST_ITEMS}))
        found, n_costly, n_most = _worst_pairs(costs, part_x, part_y, searched, most)
        if 0 < len(found) < n_most:  # the listed pairs would cost no more than others
            values = {"pairs": n_most, "cost": found[0][2], "all": n_most == n_costly}
            notes_list.append(Note("pairs_cost_the_same", values=values))
            found = []
        for i, j, cost in found:
            gap_x, gap_y = float(part_x[i] - part_x[j]), float(part_y[i] - part_y[j])
            up = (gap_x, gap_y) >= (0.0, 0.0)
            better, worse = (i, j) if up else (j, i)
            gaps = (gap_x, gap_y) if up else (-gap_x, -gap_y)
            worst.append(PairCost(items[kept[better]], items[kept[worse]], *gaps, cost))
        by_share = np.lexsort((np.arange(len(items)), -shares))
        lost = 1 - value
        item_costs = tuple(
            ItemCost(items[i], float(shares[i]), float(shares[i]) / lost if lost else None)
            for i in by_share.tolist()
        )
    removed = _removals(c, x, y, grades, value, shares, most, threads, notes_list)
    return Explanation(
        **common,
        shares=shares,
        n_pairs=n_costly,
        pairs=tuple(worst),
        removals=tuple(Removal(items[i], without, without - value) for i, without in removed),
        item_costs=item_costs,
        notes=tuple(notes_list),
    )


def _names(c: Coefficient, pairs: Pairs) -> tuple[Hashable, ...]:
    """Name the items by their labels, or by their positions."""
    n = pairs.n_items
    if c.inputs == "graded_lists":
        return tuple(f"position {place}" for place in range(1, n + 1))
    return tuple(range(n)) if pairs.labels is None else tuple(pairs.labels)


def _costs_of(c: Coefficient, x: Floats, y: Floats, grades: Floats | None) -> Sequence[PairCosts] | None:
    """Return the costs of pairs, if they are declared."""
    if c.costs is None:
        return None
    options = c.options_without_threshold()
    if c.inputs == "scores":
        w_x, w_y = c.threshold
        return c.costs(side(x, w_x), side(y, w_y), **options)
    return c.costs(x, y, **options) if grades is None else c.costs(x, y, grades, **options)


def _make_exact(shares: Floats, total: float) -> None:
    """Add the rounding error of the sum to the largest share.

    A total that is only rounding error becomes 0.
    """
    largest = int(np.argmax(shares))
    if total < SAME:
        shares[:] = 0.0
    for part in (1.0, 1.0, 0.5, 0.5, 0.25):  # adding all of it could round back and forth for ever
        shares[largest] += part * (total - math.fsum(shares.tolist()))


def _worst_pairs(
    costs: Sequence[PairCosts], x: Floats, y: Floats, items: Integers, most: int
) -> tuple[list[tuple[int, int, float]], int, int]:
    """Return the pairs that cost most, how many cost anything, and how many cost as much as the first.

    Among pairs of equal cost, those with the larger difference in x come first, then in y.
    """
    n_costly, n_most, largest = 0, 0, 0.0
    keys = np.empty((4, 0))  # cost, gap in x, gap in y, minus the number of the pair
    step = max(1, BLOCK // max(len(items), 1))
    for start in range(0, len(items) - 1, step):
        stop = min(start + step, len(items) - 1)
        row, column = np.nonzero(np.arange(len(items)) > np.arange(start, stop)[:, None])
        i, j = items[row + start], items[column]
        cost = snap(functools.reduce(np.add, (each.pair_costs(i, j) for each in costs)))
        costly = cost > _NOTHING
        n_costly += int(costly.sum())
        here = float(cost.max(initial=0.0))
        if here > largest * (1 + SAME_COST):
            n_most, largest = 0, here
        n_most += int((costly & (cost >= largest * (1 - SAME_COST))).sum())
        if most == 0:
            continue
        if keys.shape[1] == most:
            costly &= cost >= keys[0, -1]
        candidates = np.flatnonzero(costly)
        i, j = i[candidates], j[candidates]
        number = (row[candidates] + start) * len(items) + column[candidates]
        found = np.array([cost[candidates], np.abs(x[i] - x[j]), np.abs(y[i] - y[j]), -number])
        keys = np.hstack([keys, found])
        keys = keys[:, np.lexsort(-keys[::-1])[:most]]
    worst = []
    for cost_of_pair, _, _, minus_number in keys.T.tolist():
        first, second = divmod(round(-minus_number), len(items))
        worst.append((int(items[first]), int(items[second]), cost_of_pair))
    return worst, n_costly, n_most


def _removals(
    c: Coefficient,
    x: Floats,
    y: Floats,
    grades: Floats | None,
    value: float,
    shares: Floats | None,
    most: int,
    threads: int,
    notes: list[Note],
) -> list[tuple[int, float]]:
    """Return the items without which the coefficient is higher, the highest first, and the values."""
    n = len(x)
    candidates = np.arange(n)
    if n > _MOST_ITEMS:
        if shares is None:
            notes.append(Note("too_many_to_remove", values={"items": n}))
            return []
        n_left_out = min(_WORST_ITEMS, max(most, _MOST_LEFT_OUT // n))
        candidates = np.lexsort((np.arange(n), -shares))[:n_left_out]
        notes.append(Note("removed_among", values={"items": n_left_out}))
    if most == 0 or n < 2:
        return []
    if grades is None:
        group = np.full(n, -1)
        group[candidates] = np.arange(len(candidates))
        values = without_groups(c, x, y, group, len(candidates), threads)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedWarning)  # without such an item the value is not higher
            values = np.array([c(*(np.delete(v, i) for v in (x, y, grades))) for i in candidates])
    higher = np.flatnonzero(values > value + SAME)
    order = higher[np.lexsort((candidates[higher], -snap(values[higher])))][:most]
    return [(int(candidates[k]), float(values[k])) for k in order.tolist()]
