"""The result of `explain`: what pairs and items take off a coefficient."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from concordant.checks import n_workers, whole_number
from concordant.coefficients.costs import BLOCK, PairCosts, side
from concordant.coefficients.declaration import Coefficient, CoefficientLike
from concordant.coefficients.engine import SAME, SAME_GRADE, said
from concordant.coefficients.evaluation import evaluate, evaluate_lists, without_groups
from concordant.coefficients.grade_codes import grades_of
from concordant.coefficients.text_form import coefficient as read_coefficient
from concordant.errors import ArgumentError, ArgumentTypeError, UndefinedWarning, public
from concordant.rankings.lists import ListPairs, read_lists
from concordant.rankings.pairs import Pairs, read_one_pair
from concordant.reading.from_memory import ranking_of
from concordant.results.note import Note
from concordant.results.result import Result, records
from concordant.results.words import count, number, sentences
from concordant.scores.means import snap
from concordant.scores.scores import Scores
from concordant.typing import Floats, Integers, ListLike, RankingLike

SAME_COST = 1e-12  # relative; costs that differ by less are the same


@dataclass(frozen=True)
class PairCost:
    """A pair of items and what it takes off the coefficient.

    Attributes
    ----------
    better : Hashable
        The item that is better by the reference.
    worse : Hashable
        The item that is worse by the reference.
    reference_difference : float
        The score of the better item minus that of the worse one, by the reference.
    estimate_difference : float
        The same difference by the estimate.
    cost : float
        What the pair takes off the coefficient.
    """

    better: Hashable
    worse: Hashable
    reference_difference: float
    estimate_difference: float
    cost: float

    def __str__(self) -> str:
        """Return a sentence."""
        reference, estimate = _signed(self.reference_difference), _signed(self.estimate_difference)
        return (
            f"{self.better} and {self.worse}: "
            f"reference {reference}, estimate {estimate}, cost {_short(self.cost)}"
        )


@dataclass(frozen=True)
class ItemCost:
    """An item and its cost: half the cost of all pairs that it is in.

    Attributes
    ----------
    item : Hashable
        The item.
    cost : float
        What the item takes off the coefficient; the costs of all items sum to 1 - c.
    share : float or None
        The cost divided by 1 - c; None if nothing is lost.
    """

    item: Hashable
    cost: float
    share: float | None


@dataclass(frozen=True)
class Removal:
    """An item and the value of the coefficient without it.

    Attributes
    ----------
    item : Hashable
        The item.
    value : float
        The coefficient of the other items.
    gain : float
        How much larger this is than the coefficient of all items.
    """

    item: Hashable
    value: float
    gain: float

    def __str__(self) -> str:
        """Return a sentence."""
        return f"without {self.item}: {self.value:.4f} ({self.gain:+.4f})"


def _others_alike(values: Sequence[float]) -> int:
    """Return how many others are as large as the first, which is the largest."""
    return sum(value >= values[0] - abs(values[0]) * SAME_COST - SAME for value in values[1:])


def as_others_do(costs: Sequence[float]) -> str:
    """Say how many other pairs cost as much as the first one; all that do are among these."""
    others = _others_alike(costs)
    return f", as {count(others, 'other pair')} {'does' if others == 1 else 'do'}" if others else ""


def without(items: Sequence[str], gains: Sequence[float], most: int) -> str:
    """Say without which item a coefficient is highest; if at most so many are listed, there may be more."""
    others = _others_alike(gains)
    if others == 0:
        who = items[0]
    elif others + 1 < most:
        who = f"{items[0]} or {items[1]}" if others == 1 else f"{items[0]} (or one of {others} others)"
    else:
        who = f"{items[0]} (or another)"
    return f"Without {who} it is higher by {number(gains[0])}"


def _item(item: Hashable) -> str:
    """Name an item in a sentence."""
    return f"item {item}" if isinstance(item, int) else str(item)


def _short(value: float) -> str:
    return f"{value:.3f}" if 0.001 <= abs(value) < 1000 or value == 0 else f"{value:.2g}"


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else '-' if value < 0 else ''}{_short(abs(value))}"


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Explanation(Result[PairCost]):
    """What items and pairs take off a coefficient; prints as sentences.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    value : float
        Its value.
    items : tuple of Hashable
        The labels of the items, or their positions.
    shares : Floats or None
        The part of 1 - value of each item; the parts sum to 1 - value. None if the coefficient is not a sum
        over pairs.
    n_pairs : int
        The number of pairs that cost something, among the pairs that were searched.
    pairs : tuple of PairCost
        The pairs that cost most.
    removals : tuple of Removal
        The items without which the coefficient is highest.
    item_costs : tuple of ItemCost or None
        The cost of each item.

    Examples
    --------
    >>> import concordant as cd
    >>> why = cd.explain({"a": 3, "b": 2, "c": 1}, {"a": 2, "b": 3, "c": 1}, "tau_b")
    >>> why.n, why.n_pairs, why.pairs[0].better, why.pairs[0].worse
    (3, 1, 'a', 'b')
    >>> why.verdict[1]
    'One pair costs something, a and b: 0.67.'
    """

    function: ClassVar[str] = "explain"

    coefficient: Coefficient
    value: float
    items: tuple[Hashable, ...]
    shares: Floats | None
    n_pairs: int
    pairs: tuple[PairCost, ...] = records(PairCost, "Pairs that cost most")
    removals: tuple[Removal, ...] = records(Removal, "Items without which the coefficient is higher")
    item_costs: tuple[ItemCost, ...] | None = records(
        ItemCost, "Cost of each item: half of all pairs that it is in"
    )

    @property
    def n(self) -> int:
        """The number of items."""
        return len(self.items)

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: the value, the pair that costs most, and the item to remove."""
        c = self.coefficient
        if math.isnan(self.value):
            why = next((n.values["reason"] for n in self.notes if n.kind == "undefined_value"), "")
            return sentences([f"{c} is undefined{f': {why}' if why else ''}"])
        return sentences([f"{c} of {count(self.n, 'item')} is {number(self.value)}", *self._why()])

    def _why(self) -> Iterator[str]:
        if self.shares is not None and self.value > 1 - SAME:
            yield "No pair of items costs anything"
        for note in self.notes:
            if note.kind == "pairs_cost_the_same":
                text = str(note)
                yield text[0].upper() + text[1:]
        if self.pairs:
            worst = self.pairs[0]
            both = f"{_item(worst.better)} and {_item(worst.worse)}"
            many = f"Of the {self.n_pairs} pairs that cost something, {both} cost most"
            also = as_others_do([each.cost for each in self.pairs])
            yield (
                f"{many if self.n_pairs > 1 else f'One pair costs something, {both}'}: "
                f"{number(worst.cost)}{also}"
            )
        if self.removals:
            names, gains = [_item(r.item) for r in self.removals], [r.gain for r in self.removals]
            yield without(names, gains, self.options["most"])

    @classmethod
    def value_names(cls) -> tuple[str, ...]:
        """Return the names of the fields that hold single values.

        The cost of each item is a table.

        Returns
        -------
        tuple of str
            The names.

        Examples
        --------
        >>> import concordant as cd
        >>> why = cd.explain({"a": 3, "b": 2, "c": 1}, {"a": 2, "b": 3, "c": 1}, "tau_b")
        >>> why.value_names()
        ('coefficient', 'value', 'n_pairs')
        """
        return tuple(name for name in super().value_names() if name not in ("items", "shares"))

    def __repr__(self) -> str:
        lines = [f"{self.coefficient} = {self.value:.4f}{self._lost()}"]
        lines += [f"- {each}" for each in (*(self.pairs or ()), *(self.removals or ()))]
        lines += [f"({note})" for note in self.notes]
        return "\n".join(lines)

    def _lost(self) -> str:
        if math.isnan(self.value):
            return ""
        if self.shares is not None and self.value > 1 - SAME:
            return ": no pair of items costs anything"
        if self.shares is None or not self.pairs:
            return f", {1 - self.value:.4f} below 1"
        return f", {1 - self.value:.4f} below 1; the most costly of {count(self.n_pairs, 'pair')}:"

    def reasons(self, most: int = 3) -> list[PairCost | Removal]:
        """Return what costs most: pairs, or, if the coefficient is not a sum over pairs, removals.

        Parameters
        ----------
        most : int, default 3
            The number of pairs or removals.

        Returns
        -------
        list of PairCost or Removal
            Empty if more than `most` pairs cost the same.

        Examples
        --------
        >>> import concordant as cd
        >>> why = cd.explain({"a": 3, "b": 2, "c": 1}, {"a": 2, "b": 3, "c": 1}, "tau_b")
        >>> print(why.reasons()[0])
        a and b: reference +1.000, estimate -1.000, cost 0.667
        """
        if self.shares is None:
            return list(self.removals[:most])
        alike = len(self.pairs) > most > 0 and self.pairs[most].cost >= self.pairs[0].cost * (1 - SAME_COST)
        return [] if alike else list(self.pairs[:most])


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
        The coefficient, as `coefficient` reads it.
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
    c = read_coefficient(coefficient)
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
        value, reason = float(c(x, y, grades)), said([SAME_GRADE])
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


_MOST_DEPTHS = 1000


@dataclass(frozen=True)
class DepthCost:
    """A depth of two lists and what it takes off the value.

    Attributes
    ----------
    depth : int
        The depth. The last depth stands for itself and all deeper ones.
    agreement : float
        The agreement of the two lists down to this depth.
    weight : float
        The weight of the depth.
    cost : float
        What the depth takes off the value, weight (1 - agreement).
    share : float or None
        The cost divided by 1 - value; None if nothing is lost.
    """

    depth: int
    agreement: float
    weight: float
    cost: float
    share: float | None


@dataclass(frozen=True)
class RankedItemCost(ItemCost):
    """An item, its ranks in both lists, and what it costs.

    Attributes
    ----------
    x_rank : float or None
        The rank in x, the middle rank if the item is tied; None if x lacks the item.
    y_rank : float or None
        The rank in y, the middle rank if the item is tied; None if y lacks the item.
    """

    x_rank: float | None
    y_rank: float | None

    def __str__(self) -> str:
        """Return a sentence."""
        ranks = ["not there" if r is None else f"rank {r:g}" for r in (self.x_rank, self.y_rank)]
        return f"{self.item}: {ranks[0]} in x, {ranks[1]} in y, cost {self.cost:.3g}"


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ListExplanation(Explanation):
    """What depths and items take off the overlap of two lists; prints as sentences.

    Attributes
    ----------
    beyond : float
        What extrapolation beyond the end of the shorter list adds; the shares of the items and this sum to 1
        - value.
    depths : tuple of DepthCost
        The cost of each depth.
    ranked_items : tuple of RankedItemCost
        The items that cost most.

    Examples
    --------
    >>> import concordant as cd
    >>> why = cd.explain(["a", "b", "c"], ["b", "a", "c"], "rbo")
    >>> why.n_depths, why.depths[0].agreement
    (3, 0.0)
    """

    beyond: float
    depths: tuple[DepthCost, ...] = records(DepthCost, "Cost of each depth")
    ranked_items: tuple[RankedItemCost, ...] = records(RankedItemCost, "Items that cost most")

    def _why(self) -> Iterator[str]:
        """Say which depth and which item cost most."""
        worst = max(self.depths or (), key=lambda each: each.cost, default=None)
        if worst is None or worst.cost <= 0:
            yield "No depth costs anything"
            return
        from_on = " and beyond" if worst.depth == self.n_depths else ""
        yield f"Depth {worst.depth}{from_on} costs most, {number(worst.cost)}"
        if self.ranked_items and self.ranked_items[0].cost > 0:
            first = self.ranked_items[0]
            ranks = ["not there" if r is None else f"rank {r:g}" for r in (first.x_rank, first.y_rank)]
            places = f"{ranks[0]} in x, {ranks[1]} in y"
            yield f"Of the items, {first.item} costs most, {number(first.cost)} ({places})"

    def reasons(self, most: int = 3) -> list[Any]:
        """Return the items that cost most.

        Parameters
        ----------
        most : int, default 3
            The number of items.

        Returns
        -------
        list of RankedItemCost
            The items, the most costly first.

        Examples
        --------
        >>> import concordant as cd
        >>> why = cd.explain(["a", "b", "c"], ["b", "a", "c"], "rbo")
        >>> why.reasons(1)[0].item
        'a'
        """
        return list(self.ranked_items[:most])

    def __repr__(self) -> str:
        if math.isnan(self.value):
            return "\n".join([f"{self.coefficient} = nan", *(f"({note})" for note in self.notes)])
        lines = [f"{self.coefficient} = {self.value:.4f}, {1 - self.value:.4f} below 1"]
        worst = sorted(self.depths, key=lambda each: -each.cost)[: len(self.ranked_items)]
        for each in sorted(worst, key=lambda each: each.depth):
            from_on = " and beyond" if each.depth == self.n_depths else ""
            share = "" if each.share is None else f" ({100 * each.share:.0f} %)"
            lines.append(
                f"- depth {each.depth}{from_on}: agreement {each.agreement:.4f}, cost {each.cost:.3g}{share}"
            )
        return "\n".join(lines + [f"- {each}" for each in self.ranked_items])

    @property
    def n_depths(self) -> int:
        """The last depth."""
        return self.depths[-1].depth if self.depths else 0


def explain_lists(x: Any, y: Any, c: Coefficient, most: int, threads: int) -> ListExplanation:
    """Explain the value of a coefficient of two lists."""
    if c.depth_costs is None:
        raise ArgumentError(
            f"{c.name} is not a sum over depths and cannot be explained; use another coefficient"
        )
    pairs = read_lists(x, y, c.threshold)
    if pairs.shape:
        raise ArgumentError(f"takes two lists, got batches of shape {pairs.shape}")
    outcome = evaluate_lists([c], pairs, threads)[0]
    outcome.report(str(c))
    value = float(outcome.values[0])
    common: dict[str, Any] = {"coefficient": c, "value": value, "n_pairs": 0, "pairs": None, "removals": None}
    if math.isnan(value):
        note = Note("undefined_value", values={"reason": outcome.reason})
        empty: dict[str, Any] = {
            "items": (),
            "shares": np.empty(0),
            "beyond": math.nan,
            "depths": (),
            "ranked_items": (),
        }
        return ListExplanation(**common, **empty, notes=(note,))
    found = c.depth_costs(pairs, **c.options_without_threshold())
    names = pairs.names_of(found.items)
    lost = 1 - value
    order = np.lexsort((np.arange(len(names)), -found.item_costs.round(15)))[:most].tolist()
    ranks = [_middle(pairs, side, found.items) for side in (0, 1)]
    costs = found.costs.tolist()
    return ListExplanation(
        **common,
        items=names,
        shares=found.item_costs,
        beyond=lost - math.fsum(found.item_costs.tolist()),
        depths=tuple(
            DepthCost(d + 1, float(found.agreement[d]), float(found.weight[d]), cost, _share(cost, lost))
            for d, cost in enumerate(costs[:_MOST_DEPTHS])
        ),
        ranked_items=tuple(
            RankedItemCost(
                names[k],
                float(found.item_costs[k]),
                _share(float(found.item_costs[k]), lost),
                *(None if math.isnan(side[k]) else float(side[k]) for side in ranks),
            )
            for k in order
        ),
    )


def _share(cost: float, lost: float) -> float | None:
    return cost / lost if lost > 0 else None


def _middle(pairs: ListPairs, side: int, items: Any) -> Floats:
    """Return the middle rank of each item; nan for an item that the list lacks."""
    start, stop = pairs.offsets[side : side + 2].tolist()
    ends = pairs.ends[start:stop] if len(pairs.ends) else np.arange(1, stop - start + 1)
    found = np.full(len(items), math.nan)
    place = np.searchsorted(items, pairs.codes[start:stop])
    found[place] = (np.searchsorted(ends, ends, side="left") + 1 + ends) / 2
    return found
