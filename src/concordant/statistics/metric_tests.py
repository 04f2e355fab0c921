"""Tests of which of two metrics agrees better with people, and clusters of metrics by these tests."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from concordant.errors import ArgumentError
from concordant.statistics.metric_accuracy import (
    Flips,
    FlipTies,
    Pairs,
    flip_tolerance,
    pvalues_of_pairs,
    soft_accuracy,
    system_means,
)
from concordant.typing import Floats, Integers, Progress

Unit: TypeAlias = Literal["cell", "item", "system"]
Rule: TypeAlias = Literal["greedy", "cut"]
_SLACK = 1e-9  # up to which a difference of accuracies is as large as another
_MOST_EXCHANGES = 16  # units of which all exchanges are tried
_AT_ONCE = 1 << 20  # numbers in memory at a time: not much more than a cache holds
_MOST_SUMS = 1 << 22  # of a convolution


def standardised(human: Floats, metric: Floats) -> Floats:
    """Return a metric with mean 0 and standard deviation 1 over the cells with a human score, 0 elsewhere."""
    own = metric[~np.isnan(human)]
    if not len(own) or own.max() == own.min():
        raise ArgumentError("the metric gives all translations the same score, so that it cannot be tested")
    found: Floats = np.nan_to_num((metric - own.mean()) / own.std())
    return found


class Exchanges(NamedTuple):
    """Which units two metrics exchange: rows x units; `exact` if these are all ways."""

    masks: Any
    exact: bool
    cells: Any  # of systems x segments: the unit of each

    def at(self, rows: slice) -> Floats:
        """Return 1 for each exchanged cell: rows x systems x segments."""
        found: Floats = self.masks[rows][:, self.cells].astype(np.float64)
        return found


def exchanges_of(human: Floats, unit: Unit, n_resamples: int, rng: np.random.Generator | None) -> Exchanges:
    """Draw exchanges of units that have a human score; all are used if they are at most 2^16.

    With None for the generator only those few are made.
    """
    present = ~np.isnan(human)
    systems, segments = np.indices(human.shape)
    key = {"cell": systems * human.shape[1] + segments, "item": segments, "system": systems}[unit]
    _, own = np.unique(key[present], return_inverse=True)
    n, cells = int(own.max(initial=-1)) + 1, np.zeros(human.shape, dtype=np.int64)
    cells[present] = own
    if n <= _MOST_EXCHANGES and rng is None:
        return Exchanges((np.arange(1 << n)[:, None] >> np.arange(n)) & 1, True, cells)
    if rng is None:
        return Exchanges(np.zeros((0, n), dtype=np.int8), False, cells)
    return Exchanges(rng.integers(0, 2, (n_resamples, n), dtype=np.int8), False, cells)


def null_deltas(
    human: Floats,
    metrics: Floats,
    exchanges: Exchanges,
    flips: Flips | None,
    ties: FlipTies = "half",
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> Floats:
    """Return second - first accuracy after each exchange, for all pairs of metrics (PERM-BOTH).

    The accuracy is the soft pairwise accuracy with these flips, or the pairwise accuracy without flips. The
    metrics are standardised. Sums are linear in the scores: after an exchange, the sums of the one are its
    own, less those of its exchanged cells, and those of the exchanged cells of the other.
    """
    accuracy, sums = _of_means(human) if flips is None else _of_flips(human, flips, metrics, ties)
    whole = sums(metrics)
    pairs = list(itertools.combinations(range(len(metrics)), 2))
    deltas = np.empty((len(pairs), len(exchanges.masks)))
    if not pairs:
        return deltas
    step = max(1, _AT_ONCE // max(1, (len(metrics) - 1) * max(metrics[0].size, whole[0].size)))

    def of_block(start: int) -> slice:
        rows = slice(start, min(start + step, deltas.shape[1]))
        moved = sums(exchanges.at(rows)[:, None] * (metrics[1:] - metrics[0]))  # relative to the first metric
        for pair, (first, second) in enumerate(pairs):
            gained = moved[:, second - 1] if first == 0 else moved[:, second - 1] - moved[:, first - 1]
            found = accuracy(whole[second] - gained) - accuracy(whole[first] + gained)
            deltas[pair, rows] = found
        return rows

    starts = range(0, deltas.shape[1], step)
    with ThreadPoolExecutor(threads) as pool:
        for rows in pool.map(of_block, starts):
            if progress is not None:
                progress(rows.stop, deltas.shape[1])
    return deltas


_Accuracy: TypeAlias = Callable[[Floats], Any]


def _of_means(human: Floats) -> tuple[_Accuracy, _Accuracy]:
    """Return the pairwise accuracy of sums, and how these are made of cells: mean scores of systems."""
    means, number = system_means(human), (~np.isnan(human)).sum(axis=1)
    i, j = (np.flatnonzero(number > 0)[each] for each in np.triu_indices(int((number > 0).sum()), 1))
    signs = np.sign(means[i] - means[j])

    def accuracy(sums: Floats) -> Any:
        gaps = sums[..., i] - sums[..., j]
        return (np.where(np.abs(gaps) <= _SLACK, 0.0, np.sign(gaps)) == signs).mean(axis=-1)

    return accuracy, lambda cells: cells.sum(axis=-1) / np.maximum(number, 1)


def _of_flips(human: Floats, flips: Flips, metrics: Floats, ties: FlipTies) -> tuple[_Accuracy, _Accuracy]:
    """Return the soft pairwise accuracy of sums, and how these are made of cells: sums with each flip."""
    of_people, tolerance = pvalues_of_pairs(flips, human, ties), flip_tolerance(metrics)
    return lambda sums: soft_accuracy(of_people, flips.shares(sums, tolerance, ties)), flips.sums


def pvalue_of_delta(delta: float, null: Floats, exact: bool) -> float:
    """Return the share of exchanges with a difference at least as large; + 1 if they are random."""
    hits = int((null >= delta - _SLACK).sum())
    return hits / len(null) if exact else (1 + hits) / (1 + len(null))


# --- pairs of translations ---


class Outcomes(NamedTuple):
    """Which pairs of translations a metric has right, by the weight of a pair, as bits."""

    right: dict[int, Any]
    total: int

    @property
    def share(self) -> Fraction:
        """The accuracy."""
        return Fraction(sum(step * _ones(bits) for step, bits in self.right.items()), self.total)


def _ones(bits: Any) -> int:
    return int(np.bitwise_count(bits).sum())


def outcomes_of(pairs: Pairs, epsilon: float) -> Outcomes:
    """Return which pairs are right at this epsilon."""
    found: dict[int, list[Any]] = {}
    most = epsilon + (pairs.slack if epsilon > 0 else 0.0)
    for weights, gaps, tied, alike in pairs.blocks():
        right = np.where(gaps <= most, tied, alike)
        for weight in set(weights.tolist()) if len(set(pairs.weights.tolist())) > 1 else weights[:1].tolist():
            found.setdefault(weight, []).append(right[weights == weight])
    return Outcomes({each: np.packbits(np.concatenate(own)) for each, own in found.items()}, pairs.total)


class PairTest(NamedTuple):
    """A test of two metrics by their outcomes: second - first, and how many outcomes of a weight differ."""

    delta: Fraction
    differing: dict[int, int]
    total: int

    def pvalue(self, n_resamples: int, rng: np.random.Generator) -> float:
        """Return the p-value that second is not better: exact, or of random exchanges for many weights."""
        found = tail_of_signs(self.differing, int(self.delta * self.total))
        return (
            pvalue_of_delta(float(self.delta), self.draws(n_resamples, rng), False)
            if found is None
            else found
        )

    def draws(self, n_resamples: int, rng: np.random.Generator) -> Floats:
        """Return differences after random exchanges of single outcomes."""
        found = np.zeros(n_resamples)
        for weight, number in self.differing.items():
            found += (2.0 * rng.binomial(number, 0.5, n_resamples) - number) * float(
                Fraction(weight, self.total)
            )
        return found


def compared_outcomes(first: Outcomes, second: Outcomes) -> PairTest:
    """Compare the outcomes of two metrics on the same pairs."""
    differing = {each: _ones(bits ^ second.right[each]) for each, bits in first.right.items()}
    return PairTest(second.share - first.share, {k: v for k, v in differing.items() if v}, first.total)


def tail_of_signs(counts: Mapping[int, int], observed: int) -> float | None:
    """Return the probability that a sum of signed steps, so many of each, is at least the observed sum.

    Those of one size have a binomial distribution; the others are convolved with it. None if there are too
    many sizes for that.
    """
    if not counts:
        return 1.0 if observed <= 0 else 0.0
    *others, last = sorted(counts, key=lambda each: counts[each])
    if max(counts) * sum(counts.values()) >= 1 << 61:
        return None
    sums: Any = np.zeros(1, dtype=np.int64)
    shares: Any = np.ones(1)
    for step in others:
        wins, chances = _fair(counts[step], 9.0)
        if len(sums) * len(wins) > _MOST_SUMS:
            return None
        sums, place = np.unique(
            (sums[:, None] + step * (2 * wins - counts[step])).ravel(), return_inverse=True
        )
        shares = np.bincount(place, np.outer(shares, chances).ravel())
    n = counts[last]
    wins, chances = _fair(n, 37.0)
    above = np.append(np.cumsum(chances[::-1])[::-1], 0.0)
    least = -((sums - observed - last * n) // (2 * last))  # of wins, rounded up
    tail = float((shares * above[np.clip(least - wins[0], 0, len(wins))]).sum())
    return min(1.0, max(tail, 2.0 ** -min(sum(counts.values()), 1000)))


def _fair(n: int, deviations: float) -> tuple[Integers, Floats]:
    """Return numbers of wins in n fair games, up to so many standard deviations, and their probabilities."""
    reach, centre = math.ceil(deviations * math.sqrt(n) / 2), n // 2
    wins = np.arange(max(0, centre - reach), min(n, centre + reach) + 1)
    up, down = wins[wins >= centre][:-1], wins[wins <= centre][:0:-1]
    above, below = np.cumprod((n - up) / (up + 1)), np.cumprod(down / (n - down + 1))
    found = np.concatenate([below[::-1], [1.0], above])
    return wins, found / math.fsum(found.tolist())


# --- clusters ---


def clusters(values: Sequence[float], pvalues: Floats, level: float, rule: Rule | None) -> list[int | None]:
    """Return the cluster of each metric, 1 for the best; None for metrics without a value.

    ``pvalues[i, j]`` is that of metric i not being better than metric j. "greedy": a cluster begins with a
    value if one of its metrics is significantly worse than a metric of the present cluster. "cut": it begins
    where all metrics above are significantly better than all others. None: "greedy" with metrics of equal
    value one by one, in the given order, as WMT does.
    """
    rounded = np.round(np.asarray(values, dtype=np.float64), 12)
    known = np.flatnonzero(~np.isnan(rounded))
    order = known[np.argsort(-rounded[known], kind="stable")].tolist()
    steps = [[each] for each in order]
    if rule is not None:
        steps = [list(own) for _, own in itertools.groupby(order, key=lambda each: rounded[each])]
    numbers: list[int | None] = [None] * len(rounded)
    better, present, cluster = pvalues <= level, list[int](), 1
    for k, step in enumerate(steps):
        if rule == "cut":
            below = [each for own in steps[k:] for each in own]
            above = [each for own in steps[:k] for each in own]
            begins = bool(k) and bool(better[np.ix_(above, below)].all())
        else:
            begins = bool(better[np.ix_(present, step)].any()) if present else False
        cluster, present = (cluster + 1, list(step)) if begins else (cluster, [*present, *step])
        for each in step:
            numbers[each] = cluster
    return numbers
