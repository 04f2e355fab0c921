"""The systems of a study: their scores and ranks on both sides, and every pair of them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from concordant.coefficients.costs import PairCosts, side as sorted_side
from concordant.coefficients.declaration import Coefficient
from concordant.coefficients.engine import Outcome
from concordant.errors import MissingLibraryError
from concordant.results.note import Note
from concordant.results.table import DETAIL, Columns, parts
from concordant.scores.means import snap
from concordant.statistics.board import (
    LEAST_ITEMS,
    may_be_first,
    not_told_apart,
    pvalues_above,
    rank_sets,
    surely_above,
)
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.mean_intervals import intervals_of_means, shared_ranks
from concordant.statistics.significance import relation_of
from concordant.study.pairing import Measured, Measures, Pairing
from concordant.typing import Floats, Integers

_MOST_SYSTEMS = 1000  # whose ranks are compared with each other


@dataclass(frozen=True)
class RankedSystem:
    """A system with its mean scores and ranks by the reference and by an estimate.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    system : str
        The system.
    reference_score : float
        The mean score by the reference, as it was given: of a measure like RMSE the smallest is the best.
    reference_interval : ConfidenceInterval or None
        The confidence interval of that mean over topics; None if there is none.
    reference_rank : int
        The rank by the reference; systems with equal means share the smaller rank.
    reference_ranks : ConfidenceInterval or None
        The ranks that are possible, for all systems at once: 1 + the number of systems that are surely above
        it, and the number of systems minus those surely below (t-tests with moderated variances, Holm's
        correction for all ordered pairs). None for fewer than six topics.
    reference_first : bool or None
        Whether it may be the best; None for fewer than six topics.
    reference_groups : str or None
        Letters: two systems that share one are not told apart. None if there are more than 26 groups.
    estimate_score : float
        The mean score by the estimate.
    estimate_interval : ConfidenceInterval or None
        The confidence interval of that mean.
    estimate_rank : int
        The rank by the estimate.
    estimate_ranks : ConfidenceInterval or None
        The ranks that are possible by the estimate.
    estimate_first : bool or None
        Whether it may be the best by the estimate.
    estimate_groups : str or None
        The letters of the estimate.
    gain : int
        How many ranks higher the estimate places the system.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    system: str
    reference_score: float
    reference_interval: ConfidenceInterval | None = field(
        metadata=parts("reference_low", "reference_high", of="reference_score")
    )
    reference_rank: int
    reference_ranks: ConfidenceInterval | None = field(
        metadata=parts("reference_rank_low", "reference_rank_high", of="reference_rank")
    )
    reference_first: bool | None = field(metadata=DETAIL)
    reference_groups: str | None = field(metadata=DETAIL)
    estimate_score: float
    estimate_interval: ConfidenceInterval | None = field(
        metadata=parts("estimate_low", "estimate_high", of="estimate_score")
    )
    estimate_rank: int
    estimate_ranks: ConfidenceInterval | None = field(
        metadata=parts("estimate_rank_low", "estimate_rank_high", of="estimate_rank")
    )
    estimate_first: bool | None = field(metadata=DETAIL)
    estimate_groups: str | None = field(metadata=DETAIL)
    gain: int


@dataclass(frozen=True)
class PairOfSystems:
    """Two systems: how far apart they are on both sides, and what the pair costs a coefficient.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    better : str
        The system that the reference ranks higher; of two that it ties, the one that the estimate ranks
        higher.
    worse : str
        The other system.
    reference_difference : float
        The mean score of the better one minus that of the worse one, by the reference; 0 if they are tied. Of
        a measure like RMSE the sign is changed, so that it is never negative.
    estimate_difference : float
        The same difference by the estimate. It is negative if the estimate has the opposite order.
    reference_pvalue : float or None
        The p-value of a paired t-test over the topics, by the reference, with Holm's correction for all
        pairs; None if it was not tested.
    estimate_pvalue : float or None
        The same by the estimate.
    cost : float or None
        How much the pair lowers the first coefficient; None if that is not a sum over pairs, or is undefined.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    better: str
    worse: str
    reference_difference: float
    estimate_difference: float
    reference_pvalue: float | None
    estimate_pvalue: float | None
    cost: float | None


def ranked_systems(pairings: Sequence[Pairing], level: float | None) -> list[RankedSystem]:
    """Return the systems of every pairing, best by the reference first; `level` is that of intervals."""

    @functools.cache
    def described(side: Measured, resampled: bool) -> list[tuple[Any, ...]]:
        means = side.means
        intervals: list[ConfidenceInterval | None] = [None] * len(means)
        ranks: list[tuple[Any, ...]] = [(None, None, None)] * len(means)
        if resampled and level is not None:
            intervals, ranks = intervals_of_means(side.values, level), _possible_ranks(side, 1 - level)
        if side.is_lower:
            means = -means
            intervals = [each and ConfidenceInterval(-each.high, -each.low) for each in intervals]
        rows = zip(means.tolist(), intervals, shared_ranks(side.means).tolist(), ranks, strict=True)
        return [(*row, *possible) for *row, possible in rows]

    found: list[RankedSystem] = []
    for pairing in pairings:
        x, y = (described(side, pairing.has_topics) for side in (pairing.reference, pairing.estimate))
        names = list(pairing.reference.mean)
        for i in _best_first(pairing):
            head = (pairing.name, pairing.measures, names[i])
            found.append(RankedSystem(*head, *x[i], *y[i], x[i][2] - y[i][2]))  # type: ignore[call-arg]
    return found


def _possible_ranks(side: Measured, alpha: float) -> list[tuple[Any, ...]]:
    """Return for each system the ranks that are possible, whether it may be first, and its letters."""
    k = len(side.means)
    if len(side.topics) < LEAST_ITEMS or not 1 < k <= _MOST_SYSTEMS:
        return [(None, None, None)] * k
    pvalues = pvalues_above(side.values)
    above = surely_above(pvalues, alpha)
    ranks, first = rank_sets(above).tolist(), may_be_first(pvalues, alpha).tolist()
    groups = not_told_apart(above, side.means)
    letters: list[str | None] = [None] * k
    if groups is not None:
        letters = ["".join(chr(97 + g) for g, own in enumerate(groups) if i in own) for i in range(k)]
    ends = [ConfidenceInterval(float(low), float(high)) for low, high in ranks]
    return list(zip(ends, first, letters, strict=True))


def _best_first(pairing: Pairing) -> list[int]:
    """Return the systems in the order of the reference, then of the estimate, then of their names."""
    ranks = (shared_ranks(side.means).tolist() for side in (pairing.reference, pairing.estimate))
    keys = zip(*ranks, pairing.reference.mean, range(len(pairing.reference.mean)), strict=True)
    return [key[-1] for key in sorted(keys)]


def systems_compared(pairing: Pairing, top: int | None) -> int:
    """Return how many systems are compared: all that are tied with the last of the first k are."""
    means = pairing.reference.means
    return len(means) if top is None or top >= len(means) else int((means >= -np.sort(-means)[top - 1]).sum())


def pairs_of_systems(
    pairings: Sequence[Pairing], outcomes: Sequence[Outcome], c: Coefficient, alpha: float | None
) -> tuple[Sequence[PairOfSystems], list[Note]]:
    """Return every pair of systems of every pairing, with its cost for a coefficient, and notes.

    `outcomes` are the values of the coefficient. Pairs are tested on the topics that both sides have, unless
    `alpha` is None.
    """
    columns: dict[str, list[Any]] = {name: [] for name in PairOfSystems.__dataclass_fields__}
    notes: list[Note] = []

    @functools.cache
    def tested(side: Measured, topics: tuple[str, ...]) -> Floats:
        found = relation_of(side.on(topics), alpha or 0.05).pvalues
        assert found is not None
        return found

    for pairing, outcome in zip(pairings, outcomes, strict=True):
        order = np.array(_best_first(pairing))
        better, worse = np.triu_indices(len(order), 1)
        names = np.array(list(pairing.reference.mean), dtype=object)[order]
        columns["estimate"] += [pairing.name] * len(better)
        columns["measure"] += [pairing.measures] * len(better)
        columns["better"] += names[better].tolist()
        columns["worse"] += names[worse].tolist()
        sides = {"reference": pairing.reference, "estimate": pairing.estimate}
        for name, side in sides.items():
            columns[f"{name}_difference"] += (side.means[order[better]] - side.means[order[worse]]).tolist()
        pvalues: dict[str, list[float] | list[None]] = dict.fromkeys(sides, [None] * len(better))
        topics = tuple(pairing.common_topics())
        if alpha is not None and len(topics) < 2:
            text = "with one topic in common there is no test of differences between systems"
            notes.append(Note("one_topic_no_test", text=text, subject=pairing.name))
        elif alpha is not None:
            try:
                for name, side in sides.items():
                    pvalues[name] = tested(side, topics)[order[better], order[worse]].tolist()
            except MissingLibraryError:
                text = "tests of pairs of systems need SciPy: pip install 'concordant[stats]'"
                notes.append(Note("needs_scipy", text=text))
        for name, found in pvalues.items():
            columns[f"{name}_pvalue"] += found
        first = order[: 0 if outcome.undefined else systems_compared(pairing, c.top)]
        x, y = (side.means[first] for side in sides.values())
        columns["cost"] += _costs(c, x, y, better, worse)
    return Columns(PairOfSystems, **columns), notes


def _costs(c: Coefficient, x: Floats, y: Floats, i: Integers, j: Integers) -> list[float | None]:
    """Return the cost of pairs of items for a coefficient; None if one of them is not among the scores."""
    parts, compared = costs_of(c, x, y) if len(x) else None, j < len(x)
    if parts is None:
        return [None] * len(i)
    costs = np.full(len(i), None, dtype=object)
    i, j = i[compared], j[compared]
    costs[compared] = snap(functools.reduce(np.add, (each.pair_costs(i, j) for each in parts)))
    return costs.tolist()


def costs_of(
    c: Coefficient, x: Floats, y: Floats, grades: Floats | None = None
) -> Sequence[PairCosts] | None:
    """Return the costs of pairs, if they are declared."""
    if c.costs is None:
        return None
    sides: tuple[Any, ...] = (x, y) if grades is None else (x, y, grades)
    if c.inputs == "scores":
        sides = tuple(map(sorted_side, (x, y), c.threshold))
    return c.costs(*sides, **c.options_without_threshold())


def by_order(pairs: Iterable[PairOfSystems]) -> dict[str, list[PairOfSystems]]:
    """Return the pairs of systems in the same and the opposite order, and those tied on one side or both."""
    found: dict[str, list[PairOfSystems]] = {"same": [], "opposite": [], "tied once": [], "tied twice": []}
    for each in pairs:
        x, y = each.reference_difference, each.estimate_difference
        tied = "tied twice" if x == y == 0 else "tied once"
        found["same" if x > 0 < y else "opposite" if x > 0 > y else tied].append(each)
    return found


def significant(pairs: Sequence[PairOfSystems], alpha: float | None) -> list[PairOfSystems] | None:
    """Return the pairs that differ significantly by the reference; None if they were not tested."""
    pvalues = [each.reference_pvalue for each in pairs]
    if alpha is None or None in pvalues:
        return None
    return [each for each, p in zip(pairs, pvalues, strict=True) if p is not None and p < alpha]


def kept_pairs(
    pairs: Iterable[PairOfSystems], alpha: float
) -> dict[tuple[str, Measures], tuple[int, int, int]]:
    """Return for each estimate and measure the significant pairs by the reference: all, kept, reversed."""
    found: dict[tuple[str, Measures], tuple[int, int, int]] = {}
    for each in pairs:
        if each.reference_pvalue is None:
            continue
        key = each.estimate, each.measure
        found.setdefault(key, (0, 0, 0))
        if each.reference_pvalue < alpha:
            n, kept, reversed_ = found[key]
            sign = each.estimate_difference
            found[key] = n + 1, kept + (sign > 0), reversed_ + (sign < 0)
    return found
