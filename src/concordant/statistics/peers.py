"""One ranking beside others: whether it agrees with them less than they do with each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from concordant.coefficients.declaration import Coefficient
from concordant.coefficients.evaluation import evaluate
from concordant.rankings.pairs import Pairs, Rows
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.distributions import t_quantile
from concordant.typing import Floats, Integers

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


class AtSize(NamedTuple):
    """The mean agreement with several rankings, of so many systems."""

    drawn: Literal["random", "top", "adjacent"]
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
        values: dict[str, list[Floats]] = {"random": [], "top": [], "adjacent": []}
        for x, y in sides:
            places = np.arange(len(x))
            windows = np.lib.stride_tricks.sliding_window_view(places, n)
            drawn = rng.permuted(np.broadcast_to(places, (_DRAWS, len(x))), axis=1)[:, :n]
            at = np.vstack([drawn, windows])
            rows = np.vstack([x[at], y[at]])
            step = np.arange(len(at))
            each = _values(c, rows, step, step + len(at), 1)
            values["random"].append(each[:_DRAWS])
            values["top"].append(each[_DRAWS : _DRAWS + 1])
            values["adjacent"].append(each[_DRAWS:])
        for drawn_as, each_other in values.items():
            known = [own_values[~np.isnan(own_values)] for own_values in each_other]
            means = [float(own_values.mean()) for own_values in known if len(own_values)]
            if not means:
                continue
            ends = None
            if drawn_as == "random":
                together = np.array(each_other)
                low, high = np.nanquantile(np.nanmean(together, axis=0), [0.025, 0.975]).tolist()
                ends = low, high
            found.append(AtSize(drawn_as, n, float(np.mean(means)), ends))  # type: ignore[arg-type]
    return len(kept), found
