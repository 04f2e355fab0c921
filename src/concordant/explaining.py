"""Why: what each item and each pair of items takes off a coefficient.

Every coefficient here is 1 less a sum over pairs of items of a cost that is never negative. Where only the order counts, a pair in
the opposite order costs most, and a pair in the same order nothing. An item's share is half the cost of all pairs it is in,
so that the shares of all items sum to 1 - c.
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import concordant.coefficients  # noqa: F401 - files them in the registry
from concordant._costs import BLOCK, COSTS, GRADED, PROFILES, Costs, side
from concordant._engine import SAME, UndefinedWarning
from concordant._inputs import (
    Floats,
    Integers,
    Pairs,
    alignment,
    as_floats,
    labels_of,
    n_workers,
    read_one_pair,
    whole_number,
)
from concordant._registry import REGISTRY, Coefficient, evaluate, get
from concordant.many import without_groups
from concordant.report import Report, Table
from concordant.scores import ranking_of, snap

__all__ = ["Explanation", "PairCost", "Removal", "explain"]

_MOST_ITEMS = 2000  # of which all pairs are looked at, and which are all left out in turn
_WORST_ITEMS = 200  # else these
_MOST_LEFT_OUT = 20_000_000  # items of all rankings that lack one: of very many items fewer are left out
_NOTHING = 1e-18  # a cost that is rounding


class PairCost(NamedTuple):
    """A pair of items and what it takes off the coefficient."""

    better: Hashable  # by the truth
    worse: Hashable
    truth_difference: float
    estimate_difference: float
    cost: float

    def __str__(self) -> str:
        truth, estimate = _signed(self.truth_difference), _signed(self.estimate_difference)
        return (
            f"{self.better} and {self.worse}: truth {truth}, estimate {estimate}, costs {_short(self.cost)}"
        )


class Removal(NamedTuple):
    """An item and the coefficient without it."""

    item: Hashable
    statistic: float
    gain: float

    def __str__(self) -> str:
        return f"without {self.item}: {self.statistic:.4f} ({self.gain:+.4f})"


def _short(value: float) -> str:
    return f"{value:.3f}" if 0.001 <= abs(value) < 1000 or value == 0 else f"{value:.2g}"


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else '-' if value < 0 else ''}{_short(abs(value))}"


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """What each item and the worst pairs take off a coefficient; prints as sentences."""

    statistic: float
    coefficient: Coefficient
    items: tuple[Hashable, ...]
    shares: (
        Floats | None
    )  # of 1 - statistic, one for each item; they sum to it. None if it is not a sum over pairs
    pairs: tuple[PairCost, ...]  # the costliest first
    removals: tuple[Removal, ...]  # the items whose removal raises the coefficient most
    n_pairs: int  # that cost anything; of the pairs that were looked at
    notes: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """How many items there are."""
        return len(self.items)

    def __repr__(self) -> str:
        lines = [f"{self.coefficient} = {self.statistic:.4f}: {self._lost()}"]
        lines += [f"- {pair}" for pair in self.pairs]
        lines += [f"- {removal}" for removal in self.removals]
        lines += [f"({note})" for note in self.notes]
        return "\n".join(lines)

    def _lost(self) -> str:
        if math.isnan(self.statistic):
            return "there is nothing to explain"
        if self.shares is not None and self.statistic > 1 - SAME:
            return "no pair of items costs anything"
        return f"{self.n} items lose {1 - self.statistic:.4f}"

    def reasons(self, most: int = 3) -> list[str]:
        """Return what costs most as sentences: pairs, or, of what is not a sum over pairs, the items to remove."""
        return [str(reason) for reason in (self.removals if self.shares is None else self.pairs)[:most]]

    def to_report(self) -> Report:
        """Return the tables "pairs", "items" (by share) and "removals"."""
        lost = 1 - self.statistic
        tables = [
            Table(
                "pairs",
                "Pairs that cost most",
                ("better by truth", "worse by truth", "truth difference", "estimate difference", "cost"),
                tuple((str(p.better), str(p.worse), *p[2:]) for p in self.pairs),
            ),
            Table(
                "removals",
                "Items without which the coefficient is higher",
                ("item", "without it", "gain"),
                tuple((str(r.item), *r[1:]) for r in self.removals),
            ),
        ]
        if self.shares is not None:
            by_share = np.lexsort((np.arange(self.n), -self.shares))
            rows = [(str(self.items[i]), float(self.shares[i])) for i in by_share.tolist()]
            columns = ("item", "cost", "share")
            shares = tuple((*row, row[1] / lost if lost else None) for row in rows)
            tables.append(Table("items", "What each item costs: half of all pairs it is in", columns, shares))
        return Report("", tuple(tables), self.notes)


def explain(
    x: Any,
    y: Any,
    coefficient: str | Coefficient | Callable[..., Any],
    *,
    grades: Any = None,
    most: int = 5,
    workers: int = 1,
) -> Explanation:
    """Say why two rankings do not agree more: which pairs of items, and which items, take most off a coefficient.

    Parameters
    ----------
    x, y : array_like, mapping, Series or Scores
        Reference and estimated scores, larger is better; of Scores, the means. For `tau_sc` and its kin two lists of grades.
    coefficient : str, Coefficient or callable
    grades : array_like or mapping, optional
        The grades of the items, for `tau_dw` and its kin.
    most : int, default 5
        How many pairs, and how many items, to name.
    workers : int, default 1
        Threads; -1 for all cores. No bit of the result depends on it.

    Returns
    -------
    Explanation
        ``shares`` of all items, which sum to 1 - c; ``pairs``, the costliest; ``removals``, the items without which the
        coefficient is highest. Prints as sentences.

    Notes
    -----
    Where only the order counts, a pair in the opposite order costs most, and one in the same order nothing. A pair tied in one ranking costs half as much where a tie is an order not resolved
    (tau_a, tau_ap_a), as much where it is a statement of equality (tau_e, tau_ap_e); where ties are left out (tau_b, tau_h) such
    pairs share what their number takes off. Of Pearson's r and Spearman's rho, a pair costs the squared difference of its two
    gaps in standardised scores; of `pearson_rank`, that of its two gaps as parts of the vectors that the cosine is of.

    The shares take O(n log n); those of `pearson_rank` and of relevance profiles O(n^2). Of more than 2000 items, the pairs are
    those among the 200 items with the largest shares, and only these, or fewer if there are very many, are left out in
    turn. Without a position, the coefficients of grades keep the scale of all grades. For a function of your own there are
    removals only.

    Examples
    --------
    >>> import concordant as cd
    >>> truth = {"colbert": 0.42, "bm25+rm3": 0.39, "splade": 0.35, "bm25": 0.30}
    >>> llm = {"colbert": 0.51, "bm25+rm3": 0.40, "splade": 0.46, "bm25": 0.33}
    >>> why = cd.explain(truth, llm, "tau_ap_b")
    >>> why
    tau_ap_b = 0.6667: 4 items lose 0.3333
    - bm25+rm3 and splade: truth +0.040, estimate -0.060, costs 0.333
    - without bm25+rm3: 1.0000 (+0.3333)
    - without splade: 1.0000 (+0.3333)
    >>> why.shares.round(3).tolist()
    [0.0, 0.167, 0.167, 0.0]
    """
    who = "explain"
    whole_number(who, "most", most, 0)
    c = get(coefficient)
    threads = n_workers(who, workers)
    pairs = read_one_pair(who, ranking_of(x), ranking_of(y))
    c.refuse_labels(who, pairs)
    if (c.inputs == "graded") != (grades is not None):
        wanted = "needs the grades of the items: explain(x, y, coefficient, grades=...)"
        raise TypeError(f"{who}: {c.name} {wanted if grades is None else 'takes no grades'}")
    items = _names(c, pairs)
    if grades is not None:
        statistic, reason = float(c(ranking_of(x), ranking_of(y), grades)), "all items have the same grade"
        grades = _aligned_grades(who, pairs, grades)
    else:
        outcome = evaluate(who, [c], pairs, "raise", threads)[0]
        outcome.report(str(c))
        statistic, reason = float(outcome.values[0]), outcome.reason
    if math.isnan(statistic):
        nothing = np.full(len(items), math.nan)
        return Explanation(statistic, c, items, nothing, (), (), 0, (f"undefined: {reason}",))
    notes: list[str] = []
    shares: Floats | None = None
    worst: list[PairCost] = []
    n_costly = 0
    kept = np.arange(len(items))
    if c.top is not None:
        kept = np.flatnonzero(pairs.x >= -np.sort(-pairs.x)[min(c.top, len(items)) - 1])
    part_x, part_y = pairs.x[kept], pairs.y[kept]
    costs = _costs_of(c, part_x, part_y, grades)
    if costs is None:
        notes.append(
            f"{c} is not known to be a sum over pairs of items: only what happens without an item is told"
        )
    else:
        shares = np.zeros(len(items))
        shares[kept] = functools.reduce(np.add, (each.costs() for each in costs)) / 2
        if abs(math.fsum(shares.tolist()) - (1 - statistic)) > 1e-9:
            notes.append("the shares are inexact: the scores differ by too many orders of magnitude")
        _make_exact(shares, 1 - statistic)
        looked_at = np.arange(len(kept))
        if len(kept) > _MOST_ITEMS:
            looked_at = np.sort(np.lexsort((looked_at, -shares[kept]))[:_WORST_ITEMS])
            notes.append(f"pairs are those among the {_WORST_ITEMS} items with the largest shares")
        found, n_costly = _worst_pairs(costs, part_x, part_y, looked_at, most)
        for i, j, cost in found:
            gap_x, gap_y = float(part_x[i] - part_x[j]), float(part_y[i] - part_y[j])
            up = (gap_x, gap_y) >= (0.0, 0.0)
            better, worse = (i, j) if up else (j, i)
            gaps = (gap_x, gap_y) if up else (-gap_x, -gap_y)
            worst.append(PairCost(items[kept[better]], items[kept[worse]], *gaps, cost))
    removed = _removals(who, c, pairs.x, pairs.y, grades, statistic, shares, most, threads, notes)
    removals = tuple(Removal(items[i], value, value - statistic) for i, value in removed)
    return Explanation(statistic, c, items, shares, tuple(worst), removals, n_costly, tuple(notes))


def _names(c: Coefficient, pairs: Pairs) -> tuple[Hashable, ...]:
    """Name the items by their labels, or by where they stand."""
    if c.inputs == "profiles":
        return tuple(f"position {place}" for place in range(1, len(pairs.x) + 1))
    return tuple(range(len(pairs.x))) if pairs.labels is None else tuple(pairs.labels)


def _aligned_grades(who: str, pairs: Pairs, grades: Any) -> Floats:
    """Return the grades in the order of the items."""
    labels = labels_of(grades)
    values = as_floats(who, "grades", list(grades.values()) if isinstance(grades, Mapping) else grades)
    if labels is None or pairs.labels is None:
        return values
    order = alignment(who, list(pairs.labels), labels, "x and grades")
    return values if order is None else values[order]


def _costs_of(c: Coefficient, x: Floats, y: Floats, grades: Floats | None) -> Sequence[Costs] | None:
    """Return what pairs cost, if that is known."""
    known = REGISTRY.get(c.name)
    if known is None or known.function is not c.function:
        return None
    options = {key: value for key, value in c.options if key != "threshold"}
    if c.name in COSTS:
        w_x, w_y = c.threshold
        return COSTS[c.name](side(x, w_x), side(y, w_y), **options)
    if c.name in PROFILES:
        return [PROFILES[c.name](x, y, **options)]
    return [GRADED[c.name](x, y, grades)] if grades is not None and c.name in GRADED else None


def _make_exact(shares: Floats, total: float) -> None:
    """Let the largest share take what rounding left of the total; a total that is rounding itself is all there is."""
    largest = int(np.argmax(shares))
    if total < SAME:
        shares[:] = 0.0
    for part in (1.0, 1.0, 0.5, 0.5, 0.25):  # the whole of it may round to the other side for ever
        shares[largest] += part * (total - math.fsum(shares.tolist()))


def _worst_pairs(
    costs: Sequence[Costs], x: Floats, y: Floats, items: Integers, most: int
) -> tuple[list[tuple[int, int, float]], int]:  # fmt: skip
    """Return the costliest pairs, of equal cost those with the larger difference in x, then in y; and how many cost anything."""
    n_costly = 0
    keys = np.empty((4, 0))  # cost, gap in x, gap in y, minus the number of the pair
    step = max(1, BLOCK // max(len(items), 1))
    for start in range(0, len(items) - 1, step):
        stop = min(start + step, len(items) - 1)
        row, column = np.nonzero(np.arange(len(items)) > np.arange(start, stop)[:, None])
        i, j = items[row + start], items[column]
        cost = snap(functools.reduce(np.add, (each.pair_costs(i, j) for each in costs)))
        costly = cost > _NOTHING
        n_costly += int(costly.sum())
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
    return worst, n_costly


def _removals(
    who: str, c: Coefficient, x: Floats, y: Floats, grades: Floats | None, statistic: float, shares: Floats | None, most: int,
    threads: int, notes: list[str],
) -> list[tuple[int, float]]:  # fmt: skip
    """Return the items without which the coefficient is highest, and its values; only those that raise it."""
    n = len(x)
    candidates = np.arange(n)
    if n > _MOST_ITEMS:
        if shares is None:
            notes.append(f"there are {n} items, too many to leave out each in turn")
            return []
        n_left_out = min(_WORST_ITEMS, max(most, _MOST_LEFT_OUT // n))
        candidates = np.lexsort((np.arange(n), -shares))[:n_left_out]
        notes.append(f"the {n_left_out} items with the largest shares were left out in turn")
    if most == 0 or n < 2:
        return []
    if grades is None:
        group = np.full(n, -1)
        group[candidates] = np.arange(len(candidates))
        values = without_groups(who, c, x, y, group, len(candidates), threads)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedWarning)  # such a removal raises nothing
            values = np.array([c(*(np.delete(v, i) for v in (x, y, grades))) for i in candidates])
    higher = np.flatnonzero(values > statistic + SAME)
    order = higher[np.lexsort((candidates[higher], -snap(values[higher])))][:most]
    return [(int(candidates[k]), float(values[k])) for k in order.tolist()]
