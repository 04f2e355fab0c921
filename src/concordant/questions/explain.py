"""Explain coefficients: how much pairs, items and depths lower their values."""

from __future__ import annotations

import functools
import itertools
import math
import warnings
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

import numpy as np

from concordant.checks import n_workers, whole_number
from concordant.coefficients.costs import BLOCK, NEVER, PairCosts, ranks_of
from concordant.coefficients.declaration import (
    Coefficient,
    CoefficientsLike,
    chosen,
    each_coefficient,
    other_names_told,
)
from concordant.coefficients.engine import SAME, SAME_GRADE, said
from concordant.coefficients.evaluation import evaluate, evaluate_lists, without_groups
from concordant.coefficients.graded import grades_of
from concordant.errors import ArgumentError, ArgumentTypeError, UndefinedWarning, public
from concordant.questions.systems import costs_of
from concordant.questions.verdict import first_told
from concordant.rankings.lists import read_lists
from concordant.rankings.pairs import Pairs, read_one_pair, read_pairs
from concordant.reading.from_memory import ScoresLike
from concordant.results.note import Note, unique
from concordant.results.result import Result, records
from concordant.results.table import parts
from concordant.results.words import count, number, sentences
from concordant.scores.means import snap
from concordant.scores.scores import Scores
from concordant.study.pairing import Measures
from concordant.study.study import Study, study_of
from concordant.typing import Floats, Integers, ListLike, RankingLike

_Key: TypeAlias = tuple[str | None, Measures | None, Coefficient]
SAME_COST = 1e-12  # relative; costs that differ by less are the same


@dataclass(frozen=True)
class _Of:
    """What a record of an explanation is about.

    Attributes
    ----------
    estimate : str or None
        The estimate; None for two rankings or lists.
    measure : Measures or None
        The measures of the reference and of the estimate; None for two rankings or lists.
    coefficient : Coefficient
        The coefficient.
    """

    estimate: str | None
    measure: Measures | None = field(metadata=parts("measure", "estimate_measure"))
    coefficient: Coefficient

    @property
    def of(self) -> _Key:
        """The value that the record explains."""
        return self.estimate, self.measure, self.coefficient


@dataclass(frozen=True)
class Explained(_Of):
    """A value that is explained.

    Attributes
    ----------
    value : float
        The value of the coefficient; nan if it is undefined.
    n : int
        The number of items.
    costly_pairs : int or None
        The number of pairs that cost something, among the pairs that were searched; None if the coefficient
        is not a sum over pairs.
    most_costly : int or None
        The number of pairs that cost as much as the most costly one. If it is larger than the number of pairs
        to list, none is listed.
    highest_cost : float or None
        The cost of the most costly pair; None if no pair costs anything.
    beyond : float or None
        For lists: what extrapolation beyond the end of the shorter list adds. The costs of the items and this
        sum to 1 - value.
    undefined : str or None
        Why there is no value; None if there is one.
    """

    value: float
    n: int
    costly_pairs: int | None = None
    most_costly: int | None = None
    highest_cost: float | None = None
    beyond: float | None = None
    undefined: str | None = None


@dataclass(frozen=True)
class PairCost(_Of):
    """A pair of items, and by how much it lowers the coefficient.

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
        By how much the pair lowers the coefficient.
    """

    better: Hashable
    worse: Hashable
    reference_difference: float
    estimate_difference: float
    cost: float


@dataclass(frozen=True)
class Removal(_Of):
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


@dataclass(frozen=True)
class ItemCost(_Of):
    """An item and its cost: half the cost of all pairs that it is in, or its part of the cost of the depths.

    Attributes
    ----------
    item : Hashable
        The item.
    cost : float
        By how much the item lowers the coefficient; the costs of all items sum to 1 - value.
    share : float or None
        The cost divided by 1 - value; None if nothing is lost.
    x_rank : float or None
        For lists: the rank in x, the middle rank if the item is tied; None if x lacks the item.
    y_rank : float or None
        For lists: the rank in y, the middle rank if the item is tied; None if y lacks the item.
    """

    item: Hashable
    cost: float
    share: float | None
    x_rank: float | None = None
    y_rank: float | None = None


@dataclass(frozen=True)
class DepthCost(_Of):
    """A depth of two lists, and by how much it lowers the value.

    Attributes
    ----------
    depth : int
        The depth. The last depth stands for itself and all deeper ones.
    agreement : float
        The agreement of the two lists down to this depth.
    weight : float
        The weight of the depth.
    cost : float
        By how much the depth lowers the value, weight (1 - agreement).
    share : float or None
        The cost divided by 1 - value; None if nothing is lost.
    """

    depth: int
    agreement: float
    weight: float
    cost: float
    share: float | None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Explanation(Result[Explained]):
    """How much pairs, items and depths lower coefficients.

    Attributes
    ----------
    explained : tuple of Explained
        The values that are explained.
    pairs : tuple of PairCost or None
        The pairs that cost most; None for lists.
    depths : tuple of DepthCost or None
        For lists: the cost of each depth.
    removals : tuple of Removal or None
        The items without which the coefficient is highest; None for lists.
    items : tuple of ItemCost or None
        The cost of each item, the largest first; None if no coefficient is a sum over pairs or depths.

    Examples
    --------
    >>> import concordant as cd
    >>> why = cd.explain({"a": 3, "b": 2, "c": 1}, {"a": 2, "b": 3, "c": 1}, "tau_b")
    >>> why.explained[0].n, why.explained[0].costly_pairs, why.pairs[0].better, why.pairs[0].worse
    (3, 1, 'a', 'b')
    >>> why.coefficient, round(why.value, 4), why.verdict[1]
    (<coefficient tau_b>, 0.3333, 'Only one pair lowers it: a and b, by 0.67.')
    """

    function: ClassVar[str] = "explain"
    main: ClassVar[tuple[str, ...]] = ("pairs", "depths")

    explained: tuple[Explained, ...] = records(Explained, "The values explained")
    pairs: tuple[PairCost, ...] | None = records(
        PairCost, "Pairs that cost most", needs="two rankings or scores"
    )
    depths: tuple[DepthCost, ...] | None = records(DepthCost, "Cost of each depth", needs="two lists")
    removals: tuple[Removal, ...] | None = records(
        Removal, "Items without which the coefficient is higher", needs="two rankings or scores"
    )
    items: tuple[ItemCost, ...] | None = records(
        ItemCost, "Cost of each item", needs="a coefficient that is a sum over pairs or depths"
    )

    @property
    def coefficient(self) -> Coefficient:
        """The coefficient that was explained first."""
        return self.explained[0].coefficient

    @property
    def value(self) -> float:
        """The value that was explained first."""
        return self.explained[0].value

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: for each value the pair, item or depth that costs most."""
        return sentences(first_told(self.explained or (), self._about, "value"))

    def _about(self, row: Explained) -> Iterator[str]:
        of = f" of {row.estimate}" if row.estimate else ""
        by = "" if row.measure is None or str(row.measure) == "score" else f" by {row.measure}"
        if row.undefined is not None:
            yield f"{row.coefficient}{of}{by} is undefined: {row.undefined}"
            return
        over = count(row.n, "item" if row.measure is None else "system")
        yield f"{row.coefficient}{of}{by} is {number(row.value)}, over {over}"
        if row.beyond is not None:
            yield from self._of_lists(row)
        elif row.costly_pairs is not None and row.value > 1 - SAME:
            yield "No pair lowers it"
        pair = next((each for each in self.pairs or () if each.of == row.of), None)
        if pair is not None and row.most_costly is not None:
            both, cost = f"{_item(pair.better)} and {_item(pair.worse)}", number(pair.cost)
            others = row.most_costly - 1
            also = f", as much as {count(others, 'other pair')}" if others else ""
            most = f"Of {row.costly_pairs} pairs that lower it, {both} lower it most: by {cost}{also}"
            yield most if row.costly_pairs != 1 else f"Only one pair lowers it: {both}, by {cost}"
        elif row.highest_cost is not None and self.pairs is not None and self.options.get("most"):
            yield _alike(row)[0].upper() + _alike(row)[1:]
        removals = [each for each in self.removals or () if each.of == row.of]
        if removals:
            yield _without(removals, self.options["most"])

    def _of_lists(self, row: Explained) -> Iterator[str]:
        depths = [each for each in self.depths or () if each.of == row.of]
        worst = max(depths, key=lambda each: each.cost, default=None)
        if worst is None or worst.cost <= 0:
            yield "No depth lowers it"
            return
        beyond = " and beyond" if worst is depths[-1] else ""
        yield f"Depth {worst.depth}{beyond} costs most, {number(worst.cost)}"
        first = next((each for each in self.items or () if each.of == row.of), None)
        if first is not None and first.cost > 0:
            ranks = {"x": first.x_rank, "y": first.y_rank}
            told = [f"not in {s}" if rank is None else f"rank {rank:g} in {s}" for s, rank in ranks.items()]
            yield f"Of the items, {first.item} costs most, {number(first.cost)} ({', '.join(told)})"


def _item(item: Hashable) -> str:
    """Name an item in a sentence."""
    return f"item {item}" if isinstance(item, int) else str(item)


def _alike(row: Explained) -> str:
    """Return the sentence that too many pairs cost the same to list some of them."""
    cost = row.highest_cost or 0.0
    shown = f"{cost:.4f}" if cost >= 0.001 else f"{cost:.2g}"
    if row.most_costly == row.costly_pairs:
        return f"each of the {row.costly_pairs} pairs that lower it costs {shown}, so none is listed"
    return f"the {row.most_costly} most costly pairs cost the same, {shown} each, so none is listed"


def _without(removals: Sequence[Removal], most: int) -> str:
    """Return without which item a coefficient is highest; if `most` items are listed, there may be others."""
    names, best = [_item(each.item) for each in removals], removals[0].gain
    others = sum(each.gain >= best - abs(best) * SAME_COST - SAME for each in removals[1:])
    who = names[0]
    if others:
        another = names[1] if others == 1 else f"one of {others} others"
        who += f" or {another}" if others + 1 < most else " or another item"
    return f"Without {who} it is higher by {number(best)}"


_MOST_ITEMS = 2000  # up to so many items, all pairs are searched, and each item is left out in turn
_WORST_ITEMS = 200  # otherwise only so many items
_MOST_LEFT_OUT = 20_000_000  # a limit on the work: if there are very many items, fewer are left out
_MOST_DEPTHS = 1000
_NOTHING = 1e-18  # a smaller cost is only rounding


@public
def explain(
    x: RankingLike | ListLike | ScoresLike | Study,
    y: RankingLike | ListLike | ScoresLike | None = None,
    coefficients: CoefficientsLike = ("tau_ap_b",),
    *,
    grades: RankingLike | None = None,
    most: int = 5,
    workers: int = 1,
) -> Explanation:
    """Explain coefficients: which pairs of items, and which items, take most off their values.

    Parameters
    ----------
    x, y : array_like, mapping, Series or Scores; or a Study as x
        The reference scores and the estimated scores; larger is better. `Scores` and the sides of a `Study`
        are ranked by their means, and every estimate and measure is explained. For coefficients of graded
        lists, pass two lists of grades; for coefficients of lists, two lists.
    coefficients : str, Coefficient or callable, or a sequence of them, default "tau_ap_b"
        The coefficients, as `coefficient` reads them.
    grades : array_like or mapping, optional
        The grades of the items, for coefficients of graded items.
    most : int, default 5
        How many pairs, and how many items, to list.
    workers : int, default 1
        The number of threads; -1 means all cores. The result does not depend on it.

    Returns
    -------
    Explanation
        The values ``explained``, the ``pairs`` that cost most, the ``removals``, which are the items without
        which the coefficient is highest, and the cost of all ``items``. These costs sum to 1 - c. If more
        than `most` pairs cost the same, none is listed, and a note says so. For two lists, there are the
        cost of each depth, ``depths``, and of the items.

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

    The costs of items take O(n log n) time; for means of cosines, graded lists and graded items they take
    O(n^2). If there are more than 2000 items, only the 200 most costly items are searched for pairs and left
    out in turn (fewer if there are very many). A function without declared costs has only removals.

    Examples
    --------
    >>> import concordant as cd
    >>> reference = {"colbert": 0.42, "bm25+rm3": 0.39, "splade": 0.35, "bm25": 0.30}
    >>> llm = {"colbert": 0.51, "bm25+rm3": 0.40, "splade": 0.46, "bm25": 0.33}
    >>> why = cd.explain(reference, llm, "tau_ap_b")
    >>> why
    tau_ap_b is 0.67, over 4 items. Only one pair lowers it: bm25+rm3 and splade, by
    0.33. Without bm25+rm3 or splade it is higher by 0.33.
    <BLANKLINE>
    Pairs that cost most
    <BLANKLINE>
    coefficient  better    worse   reference difference  estimate difference    cost
    -----------  --------  ------  --------------------  -------------------  ------
    tau_ap_b     bm25+rm3  splade                0.0400              -0.0600  0.3333
    <BLANKLINE>
    More: print(result.to_text(details=True)), or result.table(NAME): explained,
    removals, items
    >>> [(each.item, round(each.cost, 3)) for each in why.items]
    [('bm25+rm3', 0.167), ('splade', 0.167), ('colbert', 0.0), ('bm25', 0.0)]
    """
    whole_number("most", most, 0)
    threads = n_workers(workers)
    if isinstance(x, Study | Scores) or isinstance(y, Scores):
        if grades is not None:
            raise ArgumentError("grades are for two rankings, not for scores on topics")
        study: Study = study_of(x, y)  # type: ignore[arg-type]  # lists are not scores
        found, notes = _of_study(study, chosen(coefficients), most, threads), list(study.notes)
    else:
        asked = each_coefficient(coefficients)
        if y is None or not asked:
            raise ArgumentTypeError("takes two rankings and at least one coefficient")
        found, notes = [_of_two(x, y, c, grades, most, threads) for c in asked], []
    for why in found:
        row = why.explained[0]
        about = f"{row.estimate} by {row.measure}: {row.coefficient}" if row.measure else str(row.coefficient)
        notes += [note.about(about) if len(found) > 1 or row.measure else note for note in why.notes]
    tables: dict[str, Any] = {}
    for name in Explanation.table_names():
        own = [getattr(why, name) for why in found if getattr(why, name) is not None]
        tables[name] = tuple(record for part in own for record in part) if own else None
    notes += other_names_told(why.explained[0].coefficient for why in found)
    return Explanation(**tables, notes=unique(notes), options={"most": most})


def _of_study(study: Study, asked: Sequence[Coefficient], most: int, threads: int) -> list[Explanation]:
    """Explain coefficients of mean scores, for all estimates and measures."""
    found = []
    for pairing in study.pairings:
        pairs = read_pairs(pairing.reference.mean, pairing.estimate.mean)
        head = pairing.name, pairing.measures
        for c, outcome in zip(asked, pairing.of_means(asked), strict=True):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UndefinedWarning)  # a note says it
                reason, value = outcome.reason_of_systems, float(outcome.values[0])
                found.append(_explain_pair(c, pairs, value, reason, most, threads, head=head))
    return found


def _of_two(x: object, y: object, c: Coefficient, grades: object, most: int, threads: int) -> Explanation:
    """Explain a coefficient of two rankings or lists."""
    if c.inputs == "lists":
        return _explain_lists(x, y, c, threads)
    pairs = read_one_pair(x, y)
    c.refuse_labels(pairs)
    if (c.inputs == "graded_items") != (grades is not None):
        wanted = "needs the grades of the items: explain(x, y, coefficient, grades=...)"
        raise ArgumentTypeError(f"{c.name} {wanted if grades is None else 'takes no grades'}")
    if grades is not None:
        value, reason = float(c(x, y, grades)), said([SAME_GRADE])
        return _explain_pair(c, pairs, value, reason, most, threads, grades_of(pairs, grades))
    outcome = evaluate([c], pairs, "raise", threads)[0]
    outcome.report(str(c))
    return _explain_pair(c, pairs, float(outcome.values[0]), outcome.reason, most, threads)


def _undefined(reason: str) -> tuple[Note, ...]:
    return (Note("undefined_value", text=f"undefined: {reason}", values={"reason": reason}, lost=True),)


def _explain_pair(
    c: Coefficient,
    pairs: Pairs,
    value: float,
    reason: str,
    most: int,
    threads: int,
    grades: Floats | None = None,
    head: tuple[str | None, Measures | None] = (None, None),
) -> Explanation:
    """Explain the value of a coefficient that was computed for one pair of rankings."""
    of, n = (*head, c), pairs.n_items
    items: Sequence[Hashable] = range(n) if pairs.labels is None else pairs.labels
    if c.inputs == "graded_lists":
        items = [f"position {place}" for place in range(1, n + 1)]
    if math.isnan(value):
        row = Explained(*of, value, n, undefined=reason)
        return Explanation(explained=(row,), pairs=(), removals=(), items=(), notes=_undefined(reason))
    x, y = pairs.x[0], pairs.y[0]
    notes: list[Note] = []
    shares: Floats | None = None
    row, worst = Explained(*of, value, n), list[PairCost]()
    part = pairs if c.top is None else pairs.top(c.top)
    kept = np.arange(n) if c.top is None else np.flatnonzero(x >= part.x[0].min())
    costs = costs_of(c, part.x[0], part.y[0], grades)
    if costs is None:
        text = f"{c} is not known to be a sum over pairs of items, so only removals of items are listed"
        notes.append(Note("not_a_sum", text=text, values={"coefficient": str(c)}, lost=True))
    else:
        shares = np.zeros(n)
        shares[kept] = functools.reduce(np.add, (each.costs() for each in costs)) / 2
        if abs(math.fsum(shares.tolist()) - (1 - value)) > 1e-9:
            text = "the costs are approximate, because the scores differ by too many orders of magnitude"
            notes.append(Note("shares_inexact", text=text, table="pairs"))
        _make_exact(shares, 1 - value)
        searched = np.arange(len(kept))
        if len(kept) > _MOST_ITEMS:
            searched = np.sort(np.lexsort((searched, -shares[kept]))[:_WORST_ITEMS])
            text = f"only pairs among the {_WORST_ITEMS} most costly items were searched"
            notes.append(Note("pairs_among", text=text, values={"items": _WORST_ITEMS}, table="pairs"))
        found, n_costly, n_most, highest = _worst_pairs(costs, part.x[0], part.y[0], searched, most)
        row = Explained(*of, value, n, n_costly, n_most, highest if n_costly else None)
        if 0 < len(found) < n_most:  # the listed pairs would cost no more than others
            values = {"pairs": n_most, "cost": highest, "all": n_most == n_costly}
            notes.append(Note("pairs_cost_the_same", text=_alike(row), values=values, table="pairs"))
            found = []
        for i, j, cost in found:
            gap_x, gap_y = (float(side[i]) - float(side[j]) for side in (part.x[0], part.y[0]))
            better, worse = items[kept[i]], items[kept[j]]
            if (gap_x, gap_y) < (0.0, 0.0):
                better, worse, gap_x, gap_y = worse, better, -gap_x, -gap_y
            worst.append(PairCost(*of, better, worse, gap_x, gap_y, cost))
    removed = _removals(c, x, y, grades, value, shares, most, threads, notes)
    return Explanation(
        explained=(row,),
        pairs=tuple(worst),
        removals=tuple(Removal(*of, items[i], other, other - value) for i, other in removed),
        items=None if shares is None else _item_costs(of, items, shares, 1 - value),
        notes=tuple(notes),
    )


def _item_costs(
    of: _Key, items: Sequence[Hashable], costs: Floats, lost: float, *ranks: Floats
) -> tuple[ItemCost, ...]:
    """Return the cost of each item, the largest first."""
    order = np.lexsort((np.arange(len(items)), -costs.round(15)))
    rows = zip(*(column[order].tolist() for column in (np.arange(len(items)), costs, *ranks)), strict=True)
    return tuple(
        ItemCost(*of, items[k], cost, _share(cost, lost), *(None if math.isnan(v) else v for v in own))
        for k, cost, *own in rows
    )


def _share(cost: float, lost: float) -> float | None:
    return cost / lost if lost > 0 else None


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
) -> tuple[list[tuple[int, int, float]], int, int, float]:
    """Return the pairs that cost most, how many cost anything, how many cost as much as the first, its cost.

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
        costly, here = cost > _NOTHING, float(cost.max(initial=0.0))
        n_costly += int(costly.sum())
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
        with np.errstate(over="ignore"):  # gaps above the largest double are equally wide
            found = np.array([cost[candidates], np.abs(x[i] - x[j]), np.abs(y[i] - y[j]), -number])
        keys = np.hstack([keys, found])
        keys = keys[:, np.lexsort(-keys[::-1])[:most]]
    places = [(*divmod(round(-number), len(items)), cost) for cost, _, _, number in keys.T.tolist()]
    worst = [(int(items[first]), int(items[second]), cost) for first, second, cost in places]
    return worst, n_costly, n_most, worst[0][2] if worst else largest


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
            text = f"{n} items are too many to leave out each in turn"
            notes.append(Note("too_many_to_remove", text=text, values={"items": n}, lost=True))
            return []
        n_left_out = min(_WORST_ITEMS, max(most, _MOST_LEFT_OUT // n))
        candidates = np.lexsort((np.arange(n), -shares))[:n_left_out]
        text = f"only the {n_left_out} most costly items were left out in turn"
        notes.append(Note("removed_among", text=text, values={"items": n_left_out}, table="removals"))
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


def _explain_lists(x: object, y: object, c: Coefficient, threads: int) -> Explanation:
    """Explain the value of a coefficient of two lists."""
    if c.depth_costs is None:
        not_a_sum = f"{c.name} is not a sum over depths and cannot be explained"
        raise ArgumentError(f"{not_a_sum}; use another coefficient")
    pairs = read_lists(x, y, c.threshold)
    if pairs.shape:
        raise ArgumentError(f"takes two lists, got batches of shape {pairs.shape}")
    outcome = evaluate_lists([c], pairs, threads)[0]
    outcome.report(str(c))
    value, of = float(outcome.values[0]), (None, None, c)
    if math.isnan(value):
        row = Explained(*of, value, 0, undefined=outcome.reason)
        return Explanation(explained=(row,), depths=(), items=(), notes=_undefined(outcome.reason))
    found = c.depth_costs(pairs, **c.options_without_threshold())
    names, lost = pairs.names_of(found.items), 1 - value
    beyond = lost - math.fsum(found.item_costs.tolist())
    both = (ranks_of(pairs, side, found.items) for side in (0, 1))
    ranks = [np.where(top < NEVER, (top + bottom) / 2, math.nan) for top, bottom in both]
    depths = zip(found.agreement.tolist(), found.weight.tolist(), found.costs.tolist(), strict=True)
    return Explanation(
        explained=(Explained(*of, value, len(names), beyond=beyond),),
        depths=tuple(
            DepthCost(*of, depth, agreement, weight, cost, _share(cost, lost))
            for depth, (agreement, weight, cost) in enumerate(itertools.islice(depths, _MOST_DEPTHS), 1)
        ),
        items=_item_costs(of, names, found.item_costs, lost, *ranks),
    )
