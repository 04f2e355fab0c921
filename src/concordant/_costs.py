"""What pairs of items cost, coefficient by coefficient: each is 1 less a sum over pairs."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant import _core
from concordant._engine import n_pairs
from concordant._inputs import Floats, Integers
from concordant._unbiased import default_a

BLOCK = 1 << 21  # pairs at once


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


def side(scores: Floats, threshold: float) -> Side:
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
        # With the question itself, so that no other takes its id.
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
                _core.sums_before(self.x.position[order], self.weights, end[order], before[order], out)
                found = out[self.y.position]
            self.known[key] = (end, before), found
        return self.known[key][1]

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
        # Far from the limits of doubles, but no nearer to 1 than that: small gaps beside large ones must not vanish.
        exponent = math.frexp(float(np.abs(x.scores).max()))[1]
        x = x._replace(scores=np.ldexp(x.scores, min(960 - exponent, 0) - min(exponent + 900, 0)))
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
    out: Floats = np.empty(len(scores))
    _core.gap_sums_within(
        np.ascontiguousarray(scores), np.ascontiguousarray(weights), np.ascontiguousarray(head), out
    )
    return out


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
    scaled = scaled - scaled[0]  # exact where an offset is large; what is left has a small mean
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
        step = max(1, BLOCK // n)
        for start in range(0, n, step):
            lower = np.arange(start, min(start + step, n))
            gap_x = np.maximum(found.x - found.x[lower, None], 0.0)
            gap_y = np.where(gap_x > 0, found.y - found.y[lower, None], 0.0)
            found.length_x[lower], found.length_y[lower] = _lengths(gap_x), _lengths(gap_y)
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


def _lengths(rows: Floats) -> Floats:
    """Return the lengths of vectors, whose squares may be too small for doubles."""
    largest = np.abs(rows).max(axis=1)
    scaled = rows / np.where(largest > 0, largest, 1.0)[:, None]
    lengths: Floats = largest * np.sqrt((scaled * scaled).sum(axis=1))
    return lengths


def _pearson_rank(x: Side, y: Side, *, symmetric: bool = False) -> list[Costs]:
    sides = ((x, y), (y, x)) if symmetric else ((x, y),)
    found = [_Cosines.of(a.scores, b.scores) for a, b in sides]
    return [replace(each, weight=each.weight / len(sides), total=each.total / len(sides)) for each in found]


COSTS: dict[str, Callable[..., list[Costs]]] = {
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

# --- lists of grades, and graded items ----------------------------------------------------------------------------


def _over_all_pairs(pair_costs: Callable[[Integers, Integers], Floats], n: int) -> Floats:
    """Return for each item the cost of all pairs it is in, pair by pair: O(n^2), for lists that people can read."""
    total = np.zeros(n)
    every = np.arange(n)
    step = max(1, BLOCK // n)
    for start in range(0, n, step):
        rows = every[start : start + step, None]
        total[start : start + step] = np.where(rows == every, 0.0, pair_costs(rows, every)).sum(axis=1)
    return total


def _position_weights(weight: str, i: Integers, j: Integers) -> Floats:
    """Weight of pairs of positions counted from 0: 1; 1 / (positions above the lower); 1 / place of both."""
    if weight == "tau":
        return np.ones(np.broadcast(i, j).shape)
    if weight == "ap":
        return 1.0 / np.maximum(np.maximum(i, j), 1)
    return 1.0 / (i + 1) + 1.0 / (j + 1)


def _weight_of_all(weight: str, n: int) -> float:
    if weight == "h":
        return (n - 1) * math.fsum(1 / place for place in range(1, n + 1))
    return float(n_pairs(n)) if weight == "tau" else n - 1.0


class Profiles:
    """tau_sc and tau_ac (Vezzuto eq. 4 to 6): positions of two lists of grades; see `_reference.c_ac`."""

    def __init__(
        self, x: Floats, y: Floats, *, kind: str, weight: str, max_grade: int | None = None, a: float | None = None
    ) -> None:  # fmt: skip
        self.n, self.x, self.y, self.kind, self.weight = len(x), x, y, kind, weight
        top = int(max(x.max(), y.max())) if max_grade is None else max_grade
        self.a = default_a(kind, top + 1, self.n, weight) if a is None else float(a)
        self.total = _weight_of_all(weight, self.n)

    def costs(self) -> Floats:
        return _over_all_pairs(self.pair_costs, self.n)

    def pair_costs(self, i: Integers, j: Integers) -> Floats:
        early, late = np.minimum(i, j), np.maximum(i, j)
        x_i, x_j, y_i, y_j = self.x[early], self.x[late], self.y[early], self.y[late]
        score = self._signs(x_i, x_j, y_i, y_j)
        if self.kind == "ac":
            last = self.n - 1
            mirror_i, mirror_j = last - early, last - late
            mx_i, mx_j, my_i, my_j = self.x[mirror_i], self.x[mirror_j], self.y[mirror_i], self.y[mirror_j]
            score = score * _closeness(x_i, x_j, y_i, y_j)
            differ = (x_i != y_i) | (x_j != y_j)
            back = ((x_i == my_i) & (x_j == my_j)) | ((y_i == mx_i) & (y_j == mx_j))
            # Read backwards, the later position comes first.
            backwards = self._signs(x_i, x_j, my_j, my_i) * _closeness(x_i, x_j, my_i, my_j)
            score = np.where(differ & back, backwards, score)
            both = (
                (x_i == y_i)
                & (y_i == my_i)
                & (x_j == y_j)
                & (y_j == my_j)
                & ((mx_i != my_i) | (mx_j != my_j))
            )
            score = np.where(both, 0.0, score)
        return _position_weights(self.weight, i, j) * (1 - score) / self.total

    def _signs(self, x_i: Floats, x_j: Floats, y_i: Floats, y_j: Floats) -> Floats:
        s_x, s_y = np.sign(x_j - x_i), np.sign(y_j - y_i)
        return np.where(s_x == s_y, 1.0, np.where((s_x == 0) | (s_y == 0), self.a, -1.0))


def _closeness(x_i: Floats, x_j: Floats, y_i: Floats, y_j: Floats) -> Floats:
    total = x_i + x_j + y_i + y_j
    return 1 - np.abs(x_i + x_j - y_i - y_j) / np.where(total > 0, total, 1.0)


class Graded:
    """tau_dw (Vezzuto eq. 3): a pair of items weighs the distance of its grades, by its places in y, or in both."""

    def __init__(self, x: Floats, y: Floats, grades: Floats, *, weight: str) -> None:
        self.n, self.grades, self.weight = len(x), grades, weight
        self.place_x, self.place_y = (np.argsort(np.argsort(-v)) for v in (x, y))
        self.total = math.fsum(_over_all_pairs(self._weights, self.n).tolist()) / 2

    def _weights(self, i: Integers, j: Integers) -> Floats:
        one, other = self.grades[i], self.grades[j]
        top = np.maximum(one, other)
        distance = np.abs(one - other) / np.where(top > 0, top, 1.0)
        weight = _position_weights(self.weight, self.place_y[i], self.place_y[j])
        if self.weight == "h":
            weight = (weight + _position_weights(self.weight, self.place_x[i], self.place_x[j])) / 2
        return weight * distance

    def costs(self) -> Floats:
        return _over_all_pairs(self.pair_costs, self.n)

    def pair_costs(self, i: Integers, j: Integers) -> Floats:
        opposed = (self.place_x[i] < self.place_x[j]) != (self.place_y[i] < self.place_y[j])
        return np.where(opposed, 2 * self._weights(i, j) / self.total, 0.0)


_WEIGHTS = {"": "tau", "_ap": "ap", "_h": "h"}
PROFILES = {
    f"tau{name}_{kind}": functools.partial(Profiles, kind=kind, weight=weight)
    for name, weight in _WEIGHTS.items()
    for kind in ("sc", "ac")
}
GRADED = {f"tau{name}_dw": functools.partial(Graded, weight=weight) for name, weight in _WEIGHTS.items()}
