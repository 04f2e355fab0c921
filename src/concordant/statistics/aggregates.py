"""Several rankings of the same systems: one aggregate of them, and how far they agree.

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
from concordant.errors import ArgumentError, option
from concordant.scores.means import snap
from concordant.statistics.distributions import gamma_below
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
