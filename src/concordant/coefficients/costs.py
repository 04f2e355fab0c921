"""What pairs of items, or depths of two lists, cost: a coefficient is 1 minus a sum of costs."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from concordant.rankings.compiled import core
from concordant.rankings.pairs import Rows
from concordant.rankings.ties import Relative, Tie
from concordant.typing import Floats, Integers

if TYPE_CHECKING:
    from concordant.rankings.lists import ListPairs

BLOCK = 1 << 21  # pairs at once


class CostFunctions(NamedTuple):
    """What pairs cost, by two functions: for each item the cost of all its pairs, and that of some pairs."""

    costs: Callable[[], Floats]
    pair_costs: Callable[[Integers, Integers], Floats]


class Side(NamedTuple):
    """One ranking, every field by item: its position from the best, and the positions it is tied with."""

    scores: Floats
    position: Integers
    first: Integers  # the first position tied with it
    last: Integers  # one past the last position tied with it
    equal_first: Integers  # the same for equal scores
    equal_last: Integers
    order: Integers  # by position: the item


def side(scores: Floats, threshold: Tie) -> Side:
    """Sort one ranking and find its ties; a relation has none here."""
    n, given = len(scores), scores
    if isinstance(threshold, Relative):
        scores, threshold = threshold.of_logarithms("a side", Rows.equal(scores[None]))
    order, position = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)

    def windows(w: float) -> tuple[Integers, Integers]:
        first, last = np.empty_like(order), np.empty_like(order)
        core.windows(scores, w, order, first, last)
        position[order] = np.arange(n)
        return first[position], last[position]

    equal = windows(0.0)
    first, last = windows(threshold) if isinstance(threshold, float) and threshold > 0 else equal
    return Side(given, position, first, last, *equal, order)


class Regions:
    """Sums of the weights of items in a range of positions in y: of those above, tied and below in x."""

    def __init__(self, x: Side, y: Side, weights: Floats | Integers) -> None:
        self.x, self.y = x, y
        self.scale = 1.0
        if weights.dtype == np.float64:
            # Sums of integers are exact, so that they do not depend on the order of the items.
            self.scale = 2.0 ** (61 - math.frexp(math.fsum(weights.tolist()) or 1.0)[1])
            weights = np.rint(weights * self.scale)
        self.weights: Integers = weights.astype(np.int64)[y.order]
        self.total = np.concatenate([[0], np.cumsum(self.weights)])
        # The arrays are kept beside the sums, so that no other array can get the same id.
        self.known: dict[tuple[int, int], tuple[object, Integers]] = {}

    def _before(self, end: Integers | None, before: Integers) -> Integers:
        """Return the sums of the items before `end` in y (None: all) and before `before` in x."""
        key = id(end), id(before)
        if key not in self.known:
            order = self.y.order
            if end is None:
                of_x = np.concatenate([[0], np.cumsum(self.weights[self.y.position[self.x.order]])])
                found = of_x[before]
            else:
                out = np.empty(len(order), dtype=np.int64)
                core.sums_before(self.x.position[order], self.weights, end[order], before[order], out)
                found = out[self.y.position]
            self.known[key] = (end, before), found
        return self.known[key][1]

    def between(self, start: Integers | None, end: Integers | None) -> Parts:
        """Return, by item, the sums above, tied and below in x.

        The positions in y are from `start` to `end`, without `end`.
        """
        above, not_below = self._before(end, self.x.first), self._before(end, self.x.last)
        every = self.total[-1] if end is None else self.total[end]
        if start is not None:
            above = above - self._before(start, self.x.first)
            not_below = not_below - self._before(start, self.x.last)
            every = every - self.total[start]
        return above / self.scale, (not_below - above) / self.scale, (every - not_below) / self.scale


Parts: TypeAlias = tuple[Floats, Floats, Floats]
Triple: TypeAlias = tuple[float, float, float]
NOTHING: Triple = (0.0, 0.0, 0.0)
Range: TypeAlias = tuple[Integers | None, Integers | None, Triple]  # a range of positions, and its factors


class Walk(NamedTuple):
    """A sum of costs over the pairs of items, each seen from its lower item in y.

    A pair costs the weight of its lower item times a factor that depends on how x orders the two: as y does,
    not at all, or the other way. Items of y at the same place (from `start`, up to before `end`) have no
    lower one: such a pair costs the weight of the place, `within`, times a factor.
    """

    x: Side
    y: Side
    weight: Floats
    within: Floats
    start: Integers
    end: Integers
    untied: Triple  # factors for pairs that y orders
    tied: Triple = NOTHING  # for those tied in y within the threshold, but not at the same place
    together: Triple = NOTHING  # at the same place; the first and the last are equal
    mutual: bool = False  # the weights of both items count, not of the lower one only

    def costs(self) -> Floats:
        """Return for each item the cost of all pairs it is in."""
        n = len(self.weight)
        number = Regions(self.x, self.y, np.ones(n, dtype=np.int64))
        weighted = Regions(self.x, self.y, self.weight)
        first, last = self.y.first, self.y.last
        total = np.zeros(n)
        above: tuple[Range, Range] = ((None, first, self.untied), (first, self.start, self.tied))
        for start, end, factors in above:
            if any(factors) and start is not end:
                total += self.weight * _dot(factors, number.between(start, end))
                if self.mutual:
                    total += _dot(factors, weighted.between(start, end))
        below: tuple[Range, Range] = ((last, None, self.untied), (self.end, last, self.tied))
        for start, end, turned in below:
            factors = turned[::-1]  # seen from the upper item, the order in x is reversed
            if any(factors) and start is not end:
                total += _dot(factors, weighted.between(start, end))
                if self.mutual:
                    total += self.weight * _dot(factors, number.between(start, end))
        if any(self.together):  # the other items at the same place
            higher, tied, lower = number.between(self.start, self.end)
            total += self.within * _dot(self.together, (higher, tied - 1, lower))
            if self.mutual:
                higher, tied, lower = weighted.between(self.start, self.end)
                total += _dot(self.together, (higher, tied - self.weight, lower))
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
        untied = y.position[upper] < y.first[lower]
        factor = np.where(
            same,
            np.array(self.together)[case],
            np.where(untied, np.array(self.untied)[case], np.array(self.tied)[case]),
        )
        weight = np.where(same, self.within[lower], self.weight[lower])
        if self.mutual:
            weight = weight + self.weight[upper]
        return weight * factor


PairCosts: TypeAlias = Walk | CostFunctions
"""What pairs cost, in either form."""


def _dot(factors: Sequence[float], sums: Parts) -> Floats:
    return functools.reduce(np.add, (factor * part for factor, part in zip(factors, sums, strict=True)))


def costs_of_untied(x: Side, y: Side, weight: Floats) -> Walk:
    """Costs of c = sum of w s_x s_y / root(sum of w |s_x|, sum of w |s_y|).

    The weight w of a pair is the mean of the weights of its two items.

    The root is larger than the weight of the pairs that both rankings order. The difference is divided
    equally among the pairs that are tied in exactly one ranking.
    """
    number = Regions(x, y, np.ones(len(weight), dtype=np.int64))
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


def near_one(values: Floats) -> Floats:
    """Scale by a power of two, so that squares neither overflow nor vanish."""
    scaled: Floats = np.ldexp(values, -math.frexp(float(np.abs(values).max(initial=0.0)))[1])
    return scaled


def into_range(values: Floats) -> Floats:
    """Scale by a power of two, so that neither sums of gaps overflow nor the inverse of a small gap.

    Small gaps beside large ones keep their digits.
    """
    exponent = math.frexp(float(np.abs(values).max(initial=0.0)))[1]
    scaled: Floats = np.ldexp(values, -50 if exponent > 980 else max(930 - exponent, 0))
    return scaled


def over_all_pairs(pair_costs: Callable[[Integers, Integers], Floats], n: int) -> Floats:
    """Return for each item the cost of all pairs it is in.

    It adds pair by pair, in O(n^2), for lists that people can read.
    """
    total = np.zeros(n)
    every = np.arange(n)
    step = max(1, BLOCK // n)
    for start in range(0, n, step):
        rows = every[start : start + step, None]
        total[start : start + step] = np.where(rows == every, 0.0, pair_costs(rows, every)).sum(axis=1)
    return total


def weight_of_all(weight: str, n: int) -> float:
    """Return the weight of all pairs of n positions."""
    if weight == "h":
        return (n - 1) * math.fsum(1 / place for place in range(1, n + 1))
    return n * (n - 1) / 2 if weight == "tau" else n - 1.0


def position_weights(weight: str, i: Integers, j: Integers) -> Floats:
    """Return the weights of pairs of positions counted from 0.

    They are 1; 1 / (positions above the lower one); or 1/rank_i + 1/rank_j.
    """
    if weight == "tau":
        return np.ones(np.broadcast(i, j).shape)
    if weight == "ap":
        return 1.0 / np.maximum(np.maximum(i, j), 1)
    return 1.0 / (i + 1) + 1.0 / (j + 1)


# --- the overlap of two lists at each depth --------------------------------------------------------------

TieVariant = Literal["a", "b", "w"]
VARIANTS: dict[Any, int] = {name: number for number, name in enumerate(get_args(TieVariant))}
"""The treatments of ties, as the core numbers them."""

NEVER = 1e300  # a rank beyond all depths
_NOTHING = 1e-18  # a weight that changes no double


class DepthCosts(NamedTuple):
    """What each depth and each item of two lists costs.

    The last depth stands for itself and all deeper ones. ``items`` are the codes of the items of both lists.
    ``item_costs`` is what each of them costs down to the end of the shorter list, extrapolated.
    """

    agreement: Floats
    weight: Floats
    items: Integers
    item_costs: Floats

    @property
    def costs(self) -> Floats:
        """By how much each depth lowers the value: weight (1 - agreement)."""
        found: Floats = self.weight * (1 - self.agreement)
        return found


def overlap_at(pairs: ListPairs, depth: int, threads: int) -> Floats:
    """Return the share of common items among the first k, averaged over all ways of breaking the ties."""
    out = np.empty(len(pairs))
    core.overlap_pairs(*pairs.arrays, depth, threads, out)
    return out


def overlap_costs(pairs: ListPairs, *, p: float = 0.9, ties: str = "a") -> DepthCosts:
    """Return what depths and items of two lists cost.

    The agreement at a depth is a sum over items, and so is 1 - agreement: with c the part of an item that
    is seen, (c_x + c_y - 2 c_x c_y) / (sum c_x + sum c_y) for a and w, and
    (c_x / |c_x| - c_y / |c_y|)^2 / 2 for b.
    """
    n_x, n_y = pairs.sizes.tolist()
    agreement = np.empty(max(n_x, n_y))
    core.rbo_agreements(pairs.codes, pairs.ends, pairs.offsets, pairs.n_codes, VARIANTS[ties], agreement)
    weight = _weights(len(agreement), p)
    items = np.unique(pairs.codes)
    return DepthCosts(agreement, weight, items, _item_costs(pairs, items, min(n_x, n_y), p, ties))


def _weights(n: int, p: float) -> Floats:
    """Return the weights (1 - p) p^(d - 1) of depths; the last is the weight of all depths from there on."""
    weight = np.float_power(p, np.arange(n))
    weight[:-1] *= 1 - p
    return weight


def _item_costs(pairs: ListPairs, items: Integers, shortest: int, p: float, ties: str) -> Floats:
    ranks = [ranks_of(pairs, side, items) for side in (0, 1)]
    weight = _weights(shortest, p)
    costs = np.zeros(len(items))
    last = min(shortest, 1 + math.ceil(math.log(_NOTHING) / math.log(p)))
    for d in range(1, last + 1):
        seen = []
        for top, bottom in ranks:
            part = np.clip((d - top + 1) / (bottom - top + 1), 0.0, 1.0)
            seen.append((part > 0).astype(np.float64) if ties == "w" else part)
        x, y = seen
        if ties == "b":
            lost = (x / math.sqrt(float(x @ x)) - y / math.sqrt(float(y @ y))) ** 2 / 2
        else:
            lost = (x + y - 2 * x * y) / float(x.sum() + y.sum())
        # The last depth includes all deeper ones.
        costs += (weight[d - 1] if d < last else weight[d - 1 :].sum()) * lost
    return costs


def ranks_of(pairs: ListPairs, side: int, items: Integers) -> tuple[Floats, Floats]:
    """Return the top and bottom rank of each item; an item that the list lacks is beyond all depths."""
    start, stop = pairs.offsets[side : side + 2].tolist()
    codes, n = pairs.codes[start:stop], stop - start
    ends = pairs.ends[start:stop] if len(pairs.ends) else np.arange(1, n + 1)
    first = np.searchsorted(ends, ends, side="left") + 1  # ends never fall
    top, bottom = np.full(len(items), NEVER), np.full(len(items), NEVER)
    place = np.searchsorted(items, codes)
    top[place], bottom[place] = first, ends
    return top, bottom
