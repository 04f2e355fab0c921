"""Several rankings of the same systems: one aggregate, how far they agree, and one of them beside the others.

A table has a row for each ranking (a task, a benchmark) and a column for each system; larger is better, and
nan is a missing score.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from concordant.checks import one_of
from concordant.coefficients.declaration import Coefficient
from concordant.coefficients.evaluation import evaluate
from concordant.errors import ArgumentError, option
from concordant.rankings.pairs import Pairs, Rows
from concordant.scores.means import snap
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.distributions import gamma_below, t_quantile
from concordant.statistics.resampling import of_rows
from concordant.typing import Floats, Integers

Aggregation: TypeAlias = Literal["mean", "win_rate", "borda", "mean_rank", "mean_z", "kemeny"]
"""How several rankings become one."""

MOST_KEMENY = 16  # systems: the search is by subsets
_MOST_ENUMERATED = 10**6  # ways to permute the rankings


class Aggregate(NamedTuple):
    """One ranking made of several: a value for each system, nan for one that no ranking has."""

    values: Floats
    is_lower: bool = False  # whether the smallest value is the best
    left_out: tuple[int, ...] = ()  # rankings that tie everything, and give no z
    distance: float | None = None  # of a Kemeny order from all rankings
    n_orders: int | None = None  # with this distance

    @property
    def scores(self) -> Floats:
        """The values, larger is better, without differences by rounding."""
        return snap(-self.values if self.is_lower else self.values)


def aggregate(table: Floats, by: Aggregation) -> Aggregate:
    """Make one ranking of several."""
    one_of("aggregate", by, get_args(Aggregation))
    if by == "kemeny":
        return _kemeny(table)
    parts = contributions(table, by)
    values = parts.sum(axis=0) if by == "borda" else _mean_of_known(parts)
    constant = np.isnan(parts).all(axis=1) if by == "mean_z" else np.zeros(len(table), dtype=np.bool_)
    # z of both signs cancel, so that systems may differ by rounding in the last digits only.
    values = np.round(values, 14) if by == "mean_z" else values
    return Aggregate(values, by == "mean_rank", tuple(np.flatnonzero(constant).tolist()))


def contributions(table: Floats, by: Aggregation) -> Floats:
    """Return what each ranking contributes to an aggregate, which is the mean (or sum) over rankings.

    "mean", "borda" and "mean_rank" need complete rankings: totals and ranks out of different numbers of
    systems do not compare.
    """
    there = ~np.isnan(table)
    if by in ("mean", "borda", "mean_rank") and not there.all():
        raise ArgumentError(
            f"{option('aggregate', by)} needs every system in every ranking, and "
            f"{int((~there).sum())} scores are missing; use {option('aggregate', 'win_rate')} or "
            f"{option('aggregate', 'mean_z')}"
        )
    if by == "mean":
        return table
    counts = there.sum(axis=1, keepdims=True)
    if by == "mean_z":
        centred = table - np.where(there, table, 0.0).sum(axis=1, keepdims=True) / np.maximum(counts, 1)
        squares = np.where(there, centred**2, 0.0).sum(axis=1, keepdims=True)
        largest, smallest = np.where(there, table, -math.inf), np.where(there, table, math.inf)
        differ = largest.max(axis=1, keepdims=True) > smallest.min(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(differ, centred / np.sqrt(squares / counts), math.nan)
    beaten = _beaten(table)
    if by == "borda":
        return beaten
    if by == "mean_rank":
        return np.asarray(table.shape[1] - beaten)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(counts > 1, beaten / (counts - 1), math.nan)


def _beaten(table: Floats) -> Floats:
    """Return for each ranking and system how many systems are below, a tied one counting half."""
    order = np.sort(table, axis=1)  # nan last
    found = np.full(table.shape, math.nan)
    for own, row, ordered in zip(found, table, order, strict=True):
        there = ~np.isnan(row)
        below, to = (np.searchsorted(ordered[: there.sum()], row[there], side) for side in ("left", "right"))
        own[there] = (below + to - 1) / 2
    return found


def _mean_of_known(values: Floats) -> Floats:
    there = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(there, values, 0.0).sum(axis=0) / there.sum(axis=0))


def _kemeny(table: Floats) -> Aggregate:
    """Return the mean place of each system over all orders with the least distance from the rankings.

    A pair of systems counts where a ranking has both: 1 if the order is the other one, 1/2 if it is a tie.
    Orders are built from the top, subset by subset; costs are doubled, to be whole numbers.
    """
    n = table.shape[1]
    if n > MOST_KEMENY:
        raise ArgumentError(
            f"{option('aggregate', 'kemeny')} is exact up to {MOST_KEMENY} systems, got {n}; use "
            f"{option('aggregate', 'win_rate')}"
        )
    cost = np.zeros((n, n), dtype=np.int64)  # of the column above the row
    for row in table:
        difference = row[:, None] - row  # nan where one is missing
        cost += 2 * (difference > 0) + (difference == 0)
    np.fill_diagonal(cost, 0)
    sizes = np.zeros(1 << n, dtype=np.int64)
    below = np.zeros((n, 1 << n), dtype=np.int64)  # the cost of a system below a subset
    for i in range(n):
        sizes[1 << i : 2 << i] = sizes[: 1 << i] + 1
        below[:, 1 << i : 2 << i] = below[:, : 1 << i] + cost[:, [i]]
    least = np.full(1 << n, np.iinfo(np.int64).max // 2)
    from_top, from_end = np.zeros(1 << n, dtype=np.int64), np.zeros(1 << n, dtype=np.int64)
    least[0], from_top[0], from_end[-1] = 0, 1, 1
    layers = [np.flatnonzero(sizes == size) for size in range(n)]
    for layer in layers:
        steps = [(i, own, own | 1 << i) for i in range(n) for own in [layer[(layer >> i) & 1 == 0]]]
        for i, own, to in steps:
            least[to] = np.minimum(least[to], least[own] + below[i, own])
        for i, own, to in steps:
            from_top[to] += np.where(least[to] == least[own] + below[i, own], from_top[own], 0)
    places = np.zeros(n)
    for size, layer in reversed(list(enumerate(layers))):
        for i in range(n):
            own = layer[(layer >> i) & 1 == 0]
            to = own | 1 << i
            ways = np.where(least[to] == least[own] + below[i, own], from_end[to], 0)
            from_end[own] += ways
            places[i] += (size + 1) * float((from_top[own] * ways).sum())
    n_orders = int(from_top[-1])
    return Aggregate(places / n_orders, True, distance=float(least[-1]) / 2, n_orders=n_orders)


def with_others(
    table: Floats, by: Aggregation, c: Coefficient, sources: Sequence[str] | None = None
) -> list[tuple[float, int]]:
    """Return for each ranking its coefficient with the aggregate of all others, and for how many systems.

    Rankings of the same source, such as columns of one file, are none of the others.

    The aggregate has all systems of the others. The value is nan for fewer than two systems in common, or if
    one side ties all of them.
    """
    found = []
    for k, own in enumerate(table):
        rest = table[[(j != k if sources is None else sources[j] != sources[k]) for j in range(len(table))]]
        whole = aggregate(rest, by).scores if len(rest) else np.full(len(own), math.nan)
        both = ~np.isnan(own) & ~np.isnan(whole)
        found.append((agreement_of(whole[both], own[both], c), int(both.sum())))
    return found


def agreement_of(x: Floats, y: Floats, c: Coefficient) -> float:
    """Return a coefficient of two rankings; nan if it is undefined."""
    return float(of_rows([c], x[None], y[None], 1)[0, 0]) if len(x) > 1 else math.nan


class Concordance(NamedTuple):
    """Kendall's W of m rankings of n systems."""

    w: float
    chi2: float
    freedom: int
    chi2_pvalue: float
    pvalue: float  # by permutations
    is_exact: bool  # whether all permutations were enumerated
    mean_tau_a: float  # over pairs of rankings
    mean_rho: float  # mean covariance / mean variance of the ranks: without ties the mean of Spearman's rho
    n_rankings: int
    n_systems: int
    n_left_out: int  # systems that not all rankings have


def kendall_w(table: Floats, n_resamples: int = 9999, rng: np.random.Generator | None = None) -> Concordance:
    """Return Kendall's W, of the systems that all rankings have, with its p-value.

    The ranks of each ranking are permuted independently. All permutations are enumerated, the first ranking
    fixed, if there are at most 10^6; otherwise the p-value is (1 + hits) / (1 + n_resamples).
    """
    complete = ~np.isnan(table).any(axis=0)
    table = table[:, complete]
    m, n = table.shape
    ranks = (2 * _beaten(table)).astype(np.int64) - (n - 1)  # twice the mid-rank, centred
    observed = int((ranks.sum(axis=0) ** 2).sum())  # 4 S
    squares = int((ranks**2).sum())  # m (n^3 - n) / 3 less that of ties
    about = m, n, int((~complete).sum())
    if m < 2 or n < 2 or squares == 0:
        nothing = math.nan
        return Concordance(nothing, nothing, n - 1, nothing, nothing, False, nothing, nothing, *about)
    w = observed / (m * squares)
    chi2 = m * (n - 1) * w
    signs, ordered = np.zeros((n, n), dtype=np.int64), 0
    for row in table:
        sign = np.sign(row[:, None] - row).astype(np.int64)
        signs += sign
        ordered += int(np.abs(sign).sum())
    pairs = 2 * math.comb(m, 2) * n * (n - 1)  # of rankings, and of systems in both orders
    exact = math.factorial(min(n, 10)) ** (m - 1) <= _MOST_ENUMERATED
    drawn = _enumerated(ranks) if exact else _permuted(ranks, n_resamples, rng or np.random.default_rng(0))
    hits, total = 0, 0
    for sums in drawn:
        hits, total = hits + int(((sums**2).sum(axis=1) >= observed).sum()), total + len(sums)
    return Concordance(
        *(w, chi2, n - 1, 1 - gamma_below((n - 1) / 2, chi2 / 2)),
        *((hits / total) if exact else (1 + hits) / (1 + total), exact),
        *(((signs**2).sum() - ordered) / pairs, (m * w - 1) / (m - 1)),
        *about,
    )


def _enumerated(ranks: Integers) -> list[Integers]:
    """Return the sums of the ranks for all permutations of all rankings but the first."""
    sums = ranks[:1]
    orders = np.array(list(itertools.permutations(range(ranks.shape[1]))))
    for row in ranks[1:]:
        sums = (sums[:, None] + row[orders]).reshape(-1, ranks.shape[1])
    return [sums]


def _permuted(ranks: Integers, n_resamples: int, rng: np.random.Generator) -> list[Integers]:
    """Return the sums of the ranks for random permutations."""
    sums = np.broadcast_to(ranks[0], (n_resamples, ranks.shape[1])).copy()
    for row in ranks[1:]:
        sums += rng.permuted(np.broadcast_to(row, sums.shape), axis=1)
    return [sums]


BesideOthers: TypeAlias = Literal["less", "more", "not told apart"]
"""How the agreement of a ranking with others compares with that of the others with each other."""

LEAST_SHARED = 5  # systems that rankings share, for a value
LEAST_PEERS = 5  # other rankings, for a decision
# The part of 1 - confidence_level that lies beyond each end of the interval. Values are skewed if some
# rankings are much better than others: with a half, up to .09 of rankings like the others are called less.
_TAIL = 1 / 8


class Peers(NamedTuple):
    """A ranking beside others: means over pairs of others, weighted by the systems that all three share."""

    agreement: float  # of the ranking with the others
    others: float  # of the others with each other
    differences: Floats  # from each source of others: agreement of the ranking, minus that of the source
    weights: Floats  # of the sources, 1 in all
    with_each: Floats  # for each of the others the mean agreement of the rest with it
    most: float  # the largest difference that is possible

    @property
    def difference(self) -> float:
        """The mean difference."""
        return self.agreement - self.others

    @property
    def n_above(self) -> int:
        """How many sources agree more with the rest."""
        return int((self.differences < 0).sum())

    def interval(self, level: float) -> ConfidenceInterval | None:
        """Return the interval of the difference; None for too few others.

        It is that of one more draw from the population of the others: t with m - 1 degrees of freedom, and
        the standard error s sqrt(1 + 1 / m), for m = 1 / sum of squared weights, the number of others if they
        have equal weights.
        """
        if len(self.differences) < LEAST_PEERS:
            return None
        m = max(2.0, 1 / float((self.weights**2).sum()))
        spread = float((self.weights * (self.differences - self.difference) ** 2).sum()) * m / (m - 1)
        quantile = t_quantile(1 - (1 - level) * _TAIL, math.floor(m - 1 + 1e-9))
        half = quantile * math.sqrt(spread * (1 + 1 / m))
        low, high = max(self.difference - half, -self.most), min(self.difference + half, self.most)
        return ConfidenceInterval(low, high)

    def decision(self, level: float) -> BesideOthers | None:
        """Return "less" or "more" if the interval and the place among the others show it.

        If the ranking is drawn as the others are, its place is random: being among the first k of m + 1 has
        the probability k / (m + 1). It must be the first, or among the first (1 - level) (m + 1).
        """
        ends, m = self.interval(level), len(self.differences)
        if ends is None:
            return None
        beyond = max(0, math.floor((1 - level) * (m + 1) + 1e-9) - 1)
        if ends.high < 0 and int((self.differences >= 0).sum()) <= beyond:
            return "less"
        return "more" if ends.low > 0 and int((self.differences <= 0).sum()) <= beyond else "not told apart"


def peers(table: Floats, sources: Sequence[str], c: Coefficient, threads: int = 1) -> Peers:
    """Compare the first ranking of a table with the others; nan is a missing score.

    `sources` are where the others are from: those of one source are not compared, and count as one. For each
    two others j and k, both c(first, k) and c(j, k) are of the systems that all three have, so that the first
    ranking takes the place of j under the same conditions.
    """
    own, named = table[0], np.array(sources, dtype=object)
    others = np.where(np.isnan(own), math.nan, table[1:])
    there = ~np.isnan(others)
    shared = there.astype(np.int64) @ there.T.astype(np.int64)
    value = np.full((2, *shared.shape), math.nan)  # of the first ranking, and of j, with k
    for j in range(len(others)):
        k = np.flatnonzero((shared[j] >= LEAST_SHARED) & (named != named[j]))
        rows = np.vstack([own, others[j], others[k]])[:, there[j]]
        first, second = np.repeat([0, 1], len(k)), np.tile(np.arange(len(k)) + 2, 2)
        value[:, j, k] = _values(c, rows, first, second, threads).reshape(2, -1)
    known = ~np.isnan(value).any(axis=0)
    value[:, ~known] = 0.0
    size = np.array([sources.count(source) for source in sources], dtype=np.float64)
    weight = np.where(known, shared / np.outer(size, size), 0.0)
    total = np.array([weight[named == source].sum() for source in dict.fromkeys(sources)])
    sums = [(weight * (value[0] - value[1]))[named == source].sum() for source in dict.fromkeys(sources)]
    compared = total > 0
    with np.errstate(invalid="ignore"):
        agreement, mutual = ((weight * each).sum() / np.array(weight.sum()) for each in value)
        with_each = (weight * value[1]).sum(axis=0) / weight.sum(axis=0)
        differences, weights = (np.array(sums) / total)[compared], total[compared] / total.sum()
    return Peers(float(agreement), float(mutual), differences, weights, with_each, c.bounds[1] - c.bounds[0])


def _values(c: Coefficient, rows: Floats, first: Integers, second: Integers, threads: int) -> Floats:
    """Return a coefficient of pairs of rows, of the systems that both have; nan where it is undefined."""
    both = Rows.equal(np.ascontiguousarray(rows))
    if not len(first):
        return np.empty(0)
    return evaluate([c], Pairs(both, both, first, second, (len(first),)), "omit", threads, refuse=False)[
        0
    ].values


Drawn: TypeAlias = Literal["random", "top", "adjacent"]


class AtSize(NamedTuple):
    """The mean agreement with several rankings, of so many systems."""

    drawn: Drawn
    n: int
    value: float
    ends: tuple[float, float] | None  # of the middle 0.95 of the draws


_SIZES = (5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500)
_DRAWS = 100


def agreement_by_size(table: Floats, c: Coefficient, rng: np.random.Generator) -> tuple[int, list[AtSize]]:
    """Return the mean agreement of the first ranking with others, of fewer systems; and with how many.

    Systems are drawn at random, are the best by the first ranking, or are next to each other there. The
    others are those that share as many systems with it as half of them do, so that all sizes have the same.
    """
    own = table[0]
    shared = (~np.isnan(own) & ~np.isnan(table[1:])).sum(axis=1)
    most = int(np.median(shared)) if len(shared) else 0
    sizes = [n for n in _SIZES if n < most] + ([most] if most > LEAST_SHARED else [])
    kept = table[1:][shared >= most]
    found = list[AtSize]()
    sides = []
    for other in kept:
        both = np.flatnonzero(~np.isnan(own) & ~np.isnan(other))
        both = both[np.argsort(-own[both], kind="stable")]
        sides.append((own[both], other[both]))
    for n in sizes:
        values: list[Floats] = []
        for x, y in sides:
            places = np.arange(len(x))
            windows = np.lib.stride_tricks.sliding_window_view(places, n)
            drawn = rng.permuted(np.broadcast_to(places, (_DRAWS, len(x))), axis=1)[:, :n]
            at = np.vstack([drawn, windows])
            step = np.arange(len(at))
            values.append(_values(c, np.vstack([x[at], y[at]]), step, step + len(at), 1))
        first: dict[Drawn, slice] = {"random": slice(_DRAWS), "top": slice(_DRAWS, _DRAWS + 1)}
        for drawn_as, part in (first | {"adjacent": slice(_DRAWS, None)}).items():
            known = [own_values[part][~np.isnan(own_values[part])] for own_values in values]
            means = [float(own_values.mean()) for own_values in known if len(own_values)]
            if not means:
                continue
            ends = None
            if drawn_as == "random":
                together = np.nanmean([own_values[part] for own_values in values], axis=0)
                ends = tuple(np.nanquantile(together, [0.025, 0.975]).tolist())
            found.append(AtSize(drawn_as, n, float(np.mean(means)), ends))
    return len(kept), found
