"""Why: what each item and each pair of items takes off a coefficient.

Every coefficient here is 1 less a sum over pairs of items of a cost that is never negative: a pair in the opposite order costs
most, a pair in the same order nothing. An item's share is half the cost of all pairs it is in, so that the shares of all items
sum to 1 - c.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

import concordant.coefficients  # noqa: F401 - files them in the registry
from concordant import _core
from concordant._engine import n_pairs
from concordant._inputs import Floats, Integers, n_workers, read_one_pair, whole_number
from concordant._registry import REGISTRY, Coefficient, evaluate, get
from concordant.many import without_groups
from concordant.report import Report, Table
from concordant.scores import ranking_of, snap

__all__ = ["Explanation", "PairCost", "Removal", "explain"]

_MOST_ITEMS = 2000  # of which all pairs are looked at, and which are all left out in turn
_WORST_ITEMS = 200  # else these
_MOST_LEFT = (
    20_000_000  # items in all the rankings that lack one; of very many items fewer are left out in turn
)
_BLOCK = 1 << 21  # pairs at once


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
        if self.statistic >= 1:
            return "no pair of items costs anything"
        return f"{self.n} items lose {1 - self.statistic:.4f}"

    def reasons(self, most: int = 3) -> list[str]:
        """Return the costliest pairs as sentences."""
        return [str(pair) for pair in self.pairs[:most]]

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


# --- pairs by what both rankings say of them ----------------------------------------------------------------------


class Side(NamedTuple):
    """One ranking, every field by item: its position from the best, and the positions it is tied with."""

    scores: Floats
    position: Integers
    first: Integers  # from here on the items are tied with it
    last: Integers  # up to before here
    equal_first: Integers  # the same for equal scores
    equal_last: Integers
    order: Integers  # by position: the item


def _side(scores: Floats, threshold: float) -> Side:
    n = len(scores)
    order, position = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)

    def windows(w: float) -> tuple[Integers, Integers]:
        first, last = np.empty_like(order), np.empty_like(order)
        _core.windows(scores, w, order, first, last)
        position[order] = np.arange(n)
        return first[position], last[position]

    equal = windows(0.0)
    first, last = windows(threshold) if threshold > 0 else equal
    return Side(scores, position, first, last, *equal, order)


class _Regions:
    """Sums of weights of the items in a range of positions in y, by whether they are above, tied or below in x."""

    def __init__(self, x: Side, y: Side, weights: Floats | Integers) -> None:
        self.x, self.y = x, y
        self.scale = 1.0
        if weights.dtype.kind == "f":
            # In integers nothing is lost where sums cancel, and no order of the items shows.
            self.scale = 2.0 ** (61 - math.frexp(math.fsum(weights.tolist()) or 1.0)[1])
            weights = np.rint(weights * self.scale)
        self.weights: Integers = weights.astype(np.int64)[y.order]
        self.total = np.concatenate([[0], np.cumsum(self.weights)])
        self.known: dict[tuple[int, int], Integers] = {}

    def _before(self, end: Integers | None, before: Integers) -> Integers:
        """Return the sums of the items before `end` in y (None: all) and before `before` in x."""
        key = id(end), id(before)
        if key not in self.known:
            order = self.y.order
            if end is None:
                of_x = np.concatenate([[0], np.cumsum(self.weights[self.y.position[self.x.order]])])
                self.known[key] = of_x[before]
            else:
                out = np.empty(len(order), dtype=np.int64)
                _core.sums_before(self.x.position[order], self.weights, end[order], before[order], out)
                self.known[key] = out[self.y.position]
        return self.known[key]

    def between(self, start: Integers | None, end: Integers | None) -> Parts:
        """Return the sums above, tied, below in x for the positions from `start` up to before `end` in y, by item."""
        above, not_below = self._before(end, self.x.first), self._before(end, self.x.last)
        every = self.total[-1] if end is None else self.total[end]
        if start is not None:
            above = above - self._before(start, self.x.first)
            not_below = not_below - self._before(start, self.x.last)
            every = every - self.total[start]
        return above / self.scale, (not_below - above) / self.scale, (every - not_below) / self.scale


Parts: TypeAlias = tuple[Floats, Floats, Floats]
Triple: TypeAlias = tuple[float, float, float]
Range: TypeAlias = tuple[Integers | None, Integers | None, Triple]  # of positions, and the factors for it


@dataclass(frozen=True)
class Walk:
    """A sum of costs over the pairs of items, each seen from its lower item in y.

    A pair costs the weight of its lower item times a factor that depends on how x orders the two: as y does, not at all, or
    the other way. Items of y at the same place (from `start`, up to before `end`) have no lower one: such a pair costs the
    weight of the place, `within`, times a factor.
    """

    x: Side
    y: Side
    weight: Floats
    within: Floats
    start: Integers
    end: Integers
    apart: Triple  # factors for pairs that y orders
    near: Triple = (
        0.0,
        0.0,
        0.0,
    )  # for those that are tied in y within the threshold, but not at the same place
    same: Triple = (0.0, 0.0, 0.0)  # at the same place; the first and the last are equal
    mutual: bool = False  # the weights of both items count, not of the lower one only

    def costs(self) -> Floats:
        """Return for each item the cost of all pairs it is in."""
        n = len(self.weight)
        number = _Regions(self.x, self.y, np.ones(n, dtype=np.int64))
        weighted = _Regions(self.x, self.y, self.weight)
        first, last = self.y.first, self.y.last
        total = np.zeros(n)
        above: tuple[Range, Range] = ((None, first, self.apart), (first, self.start, self.near))
        for start, end, factors in above:
            if any(factors) and start is not end:
                total += self.weight * _dot(factors, number.between(start, end))
                if self.mutual:
                    total += _dot(factors, weighted.between(start, end))
        below: tuple[Range, Range] = ((last, None, self.apart), (self.end, last, self.near))
        for start, end, turned in below:
            factors = turned[::-1]  # x's view turns round
            if any(factors) and start is not end:
                total += _dot(factors, weighted.between(start, end))
                if self.mutual:
                    total += self.weight * _dot(factors, number.between(start, end))
        if any(self.same):  # items at the same place, but for itself
            higher, tied, lower = number.between(self.start, self.end)
            total += self.within * _dot(self.same, (higher, tied - 1, lower))
            if self.mutual:
                higher, tied, lower = weighted.between(self.start, self.end)
                total += _dot(self.same, (higher, tied - self.weight, lower))
        return total

    def pair_costs(self, i: Integers, j: Integers) -> Floats:
        """Return the cost of pairs of items."""
        x, y = self.x, self.y
        lower = np.where(y.position[i] > y.position[j], i, j)
        upper = i + j - lower
        case = np.where(
            x.position[upper] < x.first[lower], 0, np.where(x.position[upper] >= x.last[lower], 2, 1)
        )
        same = self.start[lower] == self.start[upper]
        apart = y.position[upper] < y.first[lower]
        factor = np.where(
            same,
            np.array(self.same)[case],
            np.where(apart, np.array(self.apart)[case], np.array(self.near)[case]),
        )
        weight = np.where(same, self.within[lower], self.weight[lower])
        if self.mutual:
            weight = weight + self.weight[upper]
        return weight * factor


def _dot(factors: Sequence[float], sums: Parts) -> Floats:
    return functools.reduce(np.add, (factor * part for factor, part in zip(factors, sums, strict=True)))


# --- the coefficients ---------------------------------------------------------------------------------------------


class Costs(Protocol):
    """What pairs cost."""

    def costs(self) -> Floats:
        """Return for each item the cost of all pairs it is in."""

    def pair_costs(self, i: Integers, j: Integers) -> Floats:
        """Return the cost of pairs of items."""


def _kendall(x: Side, y: Side, *, tied_one: float, tied_both: float) -> list[Costs]:
    """All pairs weigh the same; a pair tied in one ranking, or in both, costs so much, one in the opposite order 2."""
    weight = np.full(len(x.scores), 1 / n_pairs(len(x.scores)))
    ordered, tied = (0.0, tied_one, 2.0), (tied_one, tied_both, tied_one)
    return [Walk(x, y, weight, weight, y.equal_first, y.equal_last, ordered, tied, tied)]


def _untied(x: Side, y: Side, weight: Floats) -> Walk:
    """Costs of c = sum of w s_x s_y / root(sum of w |s_x|, sum of w |s_y|), w the mean of the weights of both items.

    What the root is larger than the weight of the pairs ordered in both falls to the pairs tied in one ranking only.
    """
    number = _Regions(x, y, np.ones(len(weight), dtype=np.int64))
    agree, tied_x, oppose = number.between(None, y.first)
    oppose_below, tied_x_below, agree_below = number.between(y.last, None)
    above, _, below = number.between(y.first, y.last)  # tied in y
    ordered = math.fsum((weight * (agree + oppose + agree_below + oppose_below)).tolist())
    only_y = math.fsum((weight * (tied_x + tied_x_below)).tolist())  # ordered by y only
    only_x = math.fsum((weight * (above + below)).tolist())
    root = math.sqrt((ordered + only_x) * (ordered + only_y))
    rest = (root - ordered) / (only_x + only_y) if only_x + only_y else 0.0
    share, tied = weight / root, (rest, 0.0, rest)
    return Walk(x, y, share, share, y.equal_first, y.equal_last, (0.0, rest, 2.0), tied, tied, mutual=True)


def _tau_b(x: Side, y: Side) -> list[Costs]:
    return [_untied(x, y, np.full(len(x.scores), 0.5))]


def _tau_h(x: Side, y: Side) -> list[Costs]:
    walks: list[Costs] = []
    for first, second in ((x, y), (y, x)):
        order = np.lexsort((-second.scores, -first.scores))
        weight = 1.0 / np.arange(1, len(order) + 1)
        # Items equal in both rankings may stand in any order: they share their weights.
        same = (np.diff(first.scores[order]) == 0) & (np.diff(second.scores[order]) == 0)
        heads = np.flatnonzero(np.concatenate([[True], ~same]))
        sizes = np.diff(np.append(heads, len(order)))
        shared = np.empty(len(order))
        shared[order] = np.repeat(np.add.reduceat(weight, heads) / sizes, sizes)
        walk = _untied(x, y, shared)
        walks.append(replace(walk, weight=walk.weight / 2, within=walk.within / 2))
    return walks


def _places(y: Side, stepping: bool) -> tuple[Integers, Integers, Floats, Floats]:
    """Return where the items at the same place start and end, the weight of the place, and of pairs within it.

    Those with equal scores, or, stepping, those tied with the same items. An item weighs the mean of 1 / (items above) over
    the slots of its place; a pair within, that of the lower item, whichever it is.
    """
    n = len(y.scores)
    if stepping:
        first, last = y.first[y.order], y.last[y.order]
        new = np.concatenate([[True], (np.diff(first) != 0) | (np.diff(last) != 0)])
        heads = np.flatnonzero(new)
    else:
        heads = np.unique(y.equal_first)
    sizes = np.diff(np.append(heads, n))
    start = np.repeat(heads, sizes)
    slot = np.arange(n)
    over = np.concatenate([[0.0], 1.0 / slot[1:]])
    weight = np.where(heads > 0, np.add.reduceat(over, heads) / sizes, 0.0)
    pairs = np.maximum(sizes * (sizes - 1) / 2, 1)
    within = np.add.reduceat((slot - start) * over, heads) / pairs
    spread = [start, start + np.repeat(sizes, sizes), np.repeat(weight, sizes), np.repeat(within, sizes)]
    return tuple(each[y.position] for each in spread)


def _walk_y(
    x: Side, y: Side, *, apart: Triple, near: Triple, same: Triple, stepping: bool = False, symmetric: bool = False
) -> list[Costs]:  # fmt: skip
    """AP correlation by places: walking down y, and down x as well if the mean of both directions is wanted."""
    directions = ((x, y), (y, x)) if symmetric else ((x, y),)
    walks: list[Costs] = []
    for other, walked in directions:
        start, end, weight, within = _places(walked, stepping)
        scale = 1 / ((len(x.scores) - 1) * len(directions))
        walks.append(Walk(other, walked, weight * scale, within * scale, start, end, apart, near, same))
    return walks


def _tau_ap_b(x: Side, y: Side, *, tied: str = "discordant") -> list[Costs]:
    factors = (0.0, 2.0 if tied == "discordant" else 1.0, 2.0)
    walks: list[Costs] = []
    for other, walked in ((x, y), (y, x)):
        with np.errstate(divide="ignore"):
            weight = np.where(walked.first > 0, 1.0 / walked.first, 0.0) / (2 * int((walked.first > 0).sum()))
        places = walked.equal_first, walked.equal_last
        walks.append(Walk(other, walked, weight, np.zeros(len(weight)), *places, factors))
    return walks


@dataclass(frozen=True)
class _Gaps:
    """tau_gap: the lower item in y pays for those above it with smaller x, 2 gaps over all its gaps."""

    x: Side
    y: Side
    by_gap: Floats  # what a gap to an item above costs, by the lower item
    by_gap_within: Floats  # to an item with equal y
    total: Floats

    @classmethod
    def of(cls, x: Side, y: Side, scale: float) -> _Gaps:
        n = len(x.scores)
        largest = float(np.abs(x.scores).max())
        x = x._replace(scores=x.scores * (2.0**-60 if largest > 2.0**960 else 1.0))
        own, ones = x.scores, np.ones(n)
        start, end = y.equal_first, y.equal_last
        up = _gap_sums(x, y.order, ones, start, own)
        reversed_x = x._replace(
            scores=-own, position=n - 1 - x.position, first=n - x.last, order=x.order[::-1]
        )
        down = _gap_sums(reversed_x, y.order, ones, start, -own)
        # Within groups of equal y, in the order of x.
        group = np.lexsort((x.position, start))
        head = np.concatenate([[True], np.diff(start[group]) != 0])
        larger = _group_gaps(own[group], np.ones(n), head)
        backwards = np.concatenate([head[1:], [True]])[::-1]
        smaller = _group_gaps(-own[group][::-1], np.ones(n), backwards)[::-1]
        larger_of, smaller_of = np.empty(n), np.empty(n)
        larger_of[group], smaller_of[group] = larger, smaller
        size = end - start
        others = np.maximum(size - 1, 1)
        mass, mass_within = up + down, (larger_of + smaller_of) / others
        by_gap, by_gap_within = np.empty(n), np.empty(n)
        _core.slot_sums(mass, mass_within, size, by_gap, by_gap_within)
        slots = np.where(mass > 0, size, np.where(mass_within > 0, size - 1, 0))
        factor = 2 * scale / math.fsum((slots / size).tolist())
        by_gap *= factor / size
        by_gap_within *= factor / (size * others)
        total = down * by_gap + smaller_of * by_gap_within
        total += _gap_sums(x, y.order[::-1], by_gap, n - end, own)
        total[group] += _group_gaps(own[group], by_gap_within[group], head)
        return cls(x, y, by_gap, by_gap_within, total)

    def costs(self) -> Floats:
        return self.total

    def pair_costs(self, i: Integers, j: Integers) -> Floats:
        position, score = self.y.equal_first, self.x.scores
        same = position[i] == position[j]
        lower_first = np.where(same, score[i] > score[j], position[i] > position[j])
        lower, upper = np.where(lower_first, i, j), np.where(lower_first, j, i)
        each = np.where(same, self.by_gap_within[lower], self.by_gap[lower])
        return np.maximum(score[lower] - score[upper], 0.0) * each


def _gap_sums(x: Side, walk: Integers, weights: Floats, ends: Integers, own: Floats) -> Floats:
    """Return by item the weighted gaps to those of the first `ends` items of the walk that have larger scores."""
    order = np.ascontiguousarray(walk)
    out = np.empty(len(own))
    _core.gap_sums_before(
        np.ascontiguousarray(x.scores[x.order]), x.position[order], weights[order], ends[order], x.first[order],
        own[order], out,
    )  # fmt: skip
    found = np.empty_like(out)
    found[order] = out
    return found


def _group_gaps(scores: Floats, weights: Floats, head: NDArray[np.bool_]) -> Floats:
    """Return the weighted gaps of each item to those before it in its group; groups begin at heads, scores fall."""

    def within(values: Floats) -> Floats:
        sums = np.cumsum(values)
        starts = np.flatnonzero(head)
        return sums - np.repeat(sums[starts] - values[starts], np.diff(np.append(starts, len(values))))

    before = np.where(head, 0.0, within(weights) - weights)
    return within(np.where(head, 0.0, np.concatenate([[0.0], -np.diff(scores)])) * before)


def _tau_gap(x: Side, y: Side, *, symmetric: bool = False) -> list[Costs]:
    if symmetric:
        return [_Gaps.of(x, y, 0.5), _Gaps.of(y, x, 0.5)]
    return [_Gaps.of(x, y, 1.0)]


@dataclass(frozen=True)
class _Moments:
    """Pearson's r: 1 - r is half the squared distance of the standardised scores, z its components."""

    z: Floats

    @classmethod
    def of(cls, x: Floats, y: Floats) -> _Moments:
        return cls(_standardised(x) - _standardised(y))

    def costs(self) -> Floats:
        squares = self.z * self.z
        return squares / 2 + float(squares.mean()) / 2

    def pair_costs(self, i: Integers, j: Integers) -> Floats:
        return (self.z[i] - self.z[j]) ** 2 / (2 * len(self.z))


def _near_one(values: Floats) -> Floats:
    """Scale by a power of two, so that squares neither overflow nor vanish."""
    scaled: Floats = np.ldexp(values, -math.frexp(float(np.abs(values).max()))[1])
    return scaled


def _standardised(values: Floats) -> Floats:
    scaled = _near_one(values)
    centred = scaled - math.fsum(scaled.tolist()) / len(scaled)
    spread: Floats = centred / np.abs(centred).max()
    return spread / math.sqrt(math.fsum((spread * spread).tolist()))


def _pearson_r(x: Side, y: Side) -> list[Costs]:
    return [_Moments.of(x.scores, y.scores)]


def _spearman_rho(x: Side, y: Side) -> list[Costs]:
    return [_Moments.of(*(-(side.equal_first + side.equal_last) / 2 for side in (x, y)))]


@dataclass(frozen=True)
class _Cosines:
    """pearson_rank: 1 less a cosine is half the squared distance of the unit vectors of gaps to the items above in x.

    It takes O(n^2), because every item has vectors of its own.
    """

    x: Floats
    y: Floats
    weight: Floats  # of each item, of all
    length_x: Floats  # of its vectors
    length_y: Floats
    total: Floats

    @classmethod
    def of(cls, x: Floats, y: Floats) -> _Cosines:
        n = len(x)
        x, y = _near_one(x), _near_one(y)
        weight = np.where(x < x.max(), (x - x.min()) / (x.max() - x.min()), 0.0)
        found = cls(x, y, weight / math.fsum(weight.tolist()), *np.zeros((3, n)))
        step = max(1, _BLOCK // n)
        for start in range(0, n, step):
            lower = np.arange(start, min(start + step, n))
            gap_x = np.maximum(found.x - found.x[lower, None], 0.0)
            gap_y = np.where(gap_x > 0, found.y - found.y[lower, None], 0.0)
            found.length_x[lower], found.length_y[lower] = (
                np.sqrt((g * g).sum(axis=1)) for g in (gap_x, gap_y)
            )
            costs = found.pair_costs(lower[:, None], np.arange(n)[None, :]) * (gap_x > 0)
            found.total[lower] += costs.sum(axis=1)
            found.total[:] += costs.sum(axis=0)
        return found

    def costs(self) -> Floats:
        return self.total

    def pair_costs(self, i: Integers, j: Integers) -> Floats:
        first_lower = self.x[i] < self.x[j]
        lower, upper = np.where(first_lower, i, j), np.where(first_lower, j, i)
        gap_x, gap_y = self.x[upper] - self.x[lower], self.y[upper] - self.y[lower]
        length_x, length_y = self.length_x[lower], self.length_y[lower]
        u = np.divide(gap_x, length_x, out=np.zeros(gap_x.shape), where=length_x > 0)
        v = np.divide(gap_y, length_y, out=np.zeros(gap_x.shape), where=length_y > 0)
        # Without gaps in y the cosine counts as 0.
        half_square = np.where(length_y > 0, (u - v) ** 2 / 2, u * u)
        return np.where(gap_x > 0, self.weight[lower] * half_square, 0.0)


def _pearson_rank(x: Side, y: Side, *, symmetric: bool = False) -> list[Costs]:
    sides = ((x, y), (y, x)) if symmetric else ((x, y),)
    found = [_Cosines.of(a.scores, b.scores) for a, b in sides]
    return [replace(each, weight=each.weight / len(sides), total=each.total / len(sides)) for each in found]


_COSTS: dict[str, Callable[..., list[Costs]]] = {
    "tau": functools.partial(_kendall, tied_one=1.0, tied_both=1.0),
    "tau_a": functools.partial(_kendall, tied_one=1.0, tied_both=1.0),
    "tau_b": _tau_b,
    "tau_e": functools.partial(_kendall, tied_one=2.0, tied_both=0.0),
    "tau_ap": functools.partial(_walk_y, apart=(0.0, 1.0, 2.0), near=(1.0, 1.0, 1.0), same=(1.0, 1.0, 1.0)),
    "tau_ap_a": functools.partial(
        _walk_y, apart=(0.0, 1.0, 2.0), near=(1.0, 1.0, 1.0), same=(1.0, 1.0, 1.0), stepping=True
    ),
    "tau_ap_b": _tau_ap_b,
    "tau_ap_e": functools.partial(_walk_y, apart=(0.0, 2.0, 2.0), near=(2.0, 0.0, 2.0), same=(2.0, 0.0, 2.0)),
    "tau_gap": _tau_gap,
    "tau_h": _tau_h,
    "pearson_rank": _pearson_rank,
    "pearson_r": _pearson_r,
    "spearman_rho": _spearman_rho,
}


def explain(
    x: Any, y: Any, coefficient: str | Coefficient | Callable[..., Any], *, most: int = 5, workers: int = 1
) -> Explanation:
    """Say why two rankings do not agree more: which pairs of items, and which items, take most off a coefficient.

    Parameters
    ----------
    x, y : array_like, mapping, Series or Scores
        Reference and estimated scores, larger is better; of Scores, the means.
    coefficient : str, Coefficient or callable
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
    A pair in the opposite order costs most. A pair tied in one ranking costs half as much where a tie is an order not resolved
    (tau_a, tau_ap_a), as much where it is a statement of equality (tau_e, tau_ap_e); where ties are left out (tau_b, tau_h) such pairs
    share what their number takes off. Of Pearson's r and Spearman's rho, a pair costs the squared difference of its two gaps in
    standardised scores; of `pearson_rank`, that of its two gaps as parts of the vectors that the cosine is of.

    The shares take O(n log n), for all but `pearson_rank`, which takes O(n^2). Of more than 2000 items, the pairs are those among the 200 items with the
    largest shares, and only these, or fewer if there are very many, are left out in turn. For a function of your own
    there are removals only.

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
    outcome = evaluate(who, [c], pairs, "raise", threads)[0]
    outcome.report(str(c))
    statistic, n = float(outcome.values[0]), len(pairs.x)
    items = tuple(range(n)) if pairs.labels is None else tuple(pairs.labels)
    if math.isnan(statistic):
        return Explanation(
            statistic, c, items, np.full(n, math.nan), (), (), 0, (f"undefined: {outcome.reason}",)
        )
    notes: list[str] = []
    shares: Floats | None = None
    worst: list[PairCost] = []
    n_costly = 0
    if c.name in _COSTS and c.function is REGISTRY[c.name].function:
        kept = (
            np.arange(n)
            if c.top is None
            else np.flatnonzero(pairs.x >= -np.sort(-pairs.x)[min(c.top, n) - 1])
        )
        part_x, part_y = (_side(v[kept], w) for v, w in zip((pairs.x, pairs.y), c.threshold, strict=True))
        costs = _COSTS[c.name](part_x, part_y, **{k: v for k, v in c.options if k != "threshold"})
        shares = np.zeros(n)
        shares[kept] = functools.reduce(np.add, (each.costs() for each in costs)) / 2
        _make_exact(shares, 1 - statistic)
        looked_at = np.arange(len(kept))
        if len(kept) > _MOST_ITEMS:
            looked_at = np.sort(np.lexsort((np.arange(len(kept)), -shares[kept]))[:_WORST_ITEMS])
            notes.append(f"pairs are those among the {_WORST_ITEMS} items with the largest shares")
        found, n_costly = _worst_pairs(costs, part_x.scores, part_y.scores, looked_at, most)
        for i, j, cost in found:
            gap_x, gap_y = (float(side.scores[i] - side.scores[j]) for side in (part_x, part_y))
            up = (gap_x, gap_y) >= (0.0, 0.0)
            better, worse = (i, j) if up else (j, i)
            gaps = (gap_x, gap_y) if up else (-gap_x, -gap_y)
            worst.append(PairCost(items[kept[better]], items[kept[worse]], *gaps, cost))
    else:
        notes.append(
            f"{c} is not known to be a sum over pairs of items: only what happens without an item is told"
        )
    removals = _removals(who, c, pairs.x, pairs.y, statistic, shares, most, threads, notes)
    return Explanation(
        statistic, c, items, shares, tuple(worst),
        tuple(Removal(items[i], value, value - statistic) for i, value in removals), n_costly, tuple(notes),
    )  # fmt: skip


def _make_exact(shares: Floats, total: float) -> None:
    """Let the largest share take what rounding left of the total."""
    largest = int(np.argmax(shares))
    for part in (1.0, 1.0, 0.5, 0.5, 0.25):  # the whole of it may round to the other side for ever
        shares[largest] += part * (total - math.fsum(shares.tolist()))


def _worst_pairs(
    costs: Sequence[Costs], x: Floats, y: Floats, items: Integers, most: int
) -> tuple[list[tuple[int, int, float]], int]:  # fmt: skip
    """Return the costliest pairs, of equal cost those with the larger difference in x, then in y; and how many cost anything."""
    n_costly = 0
    keys = np.empty((4, 0))  # cost, gap in x, gap in y, minus the number of the pair
    step = max(1, _BLOCK // max(len(items), 1))
    for start in range(0, len(items) - 1, step):
        stop = min(start + step, len(items) - 1)
        row, column = np.nonzero(np.arange(len(items)) > np.arange(start, stop)[:, None])
        i, j = items[row + start], items[column]
        cost = functools.reduce(np.add, (each.pair_costs(i, j) for each in costs))
        n_costly += int((cost > _NOTHING).sum())
        enough = keys[0, -1] if most and keys.shape[1] == most else _NOTHING
        candidates = np.flatnonzero((cost >= enough) & (cost > _NOTHING))
        if most == 0 or len(candidates) == 0:
            continue
        i, j, cost = i[candidates], j[candidates], cost[candidates]
        number = (row[candidates] + start) * len(items) + column[candidates]
        keys = np.hstack([keys, [snap(cost), np.abs(x[i] - x[j]), np.abs(y[i] - y[j]), -number]])
        keys = keys[:, np.lexsort(-keys[::-1])[:most]]
    found = []
    for cost_of_pair, _, _, number_of_pair in keys.T.tolist():
        first, second = divmod(round(-number_of_pair), len(items))
        found.append((int(items[first]), int(items[second]), cost_of_pair))
    return found, n_costly


_EQUAL = 1e-12  # values of a coefficient that differ by less are the same value
_NOTHING = 1e-18  # of a cost: rounding


def _removals(
    who: str, c: Coefficient, x: Floats, y: Floats, statistic: float, shares: Floats | None, most: int, threads: int,
    notes: list[str],
) -> list[tuple[int, float]]:  # fmt: skip
    """Return the items without which the coefficient is highest, and its values; only those that raise it."""
    n = len(x)
    group, n_groups = np.arange(n), n
    if n > _MOST_ITEMS:
        if shares is None:
            notes.append(f"there are {n} items, too many to leave out each in turn")
            return []
        n_groups = min(_WORST_ITEMS, max(most, _MOST_LEFT // n))
        group = np.full(n, -1)
        group[np.lexsort((np.arange(n), -shares))[:n_groups]] = np.arange(n_groups)
        notes.append(f"the {n_groups} items with the largest shares were left out in turn")
    values = without_groups(who, c, x, y, group, n_groups, threads)
    item_of = np.empty(n_groups, dtype=np.int64)
    item_of[group[group >= 0]] = np.flatnonzero(group >= 0)
    higher = np.flatnonzero(values > statistic + _EQUAL)
    order = higher[np.lexsort((item_of[higher], -snap(values[higher])))][:most]
    return [(int(item_of[g]), float(values[g])) for g in order.tolist()]
