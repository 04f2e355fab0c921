"""The systems of a study: their scores and ranks on both sides, and every pair of them."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from concordant.coefficients.costs import PairCosts, side as sorted_side
from concordant.coefficients.declaration import Coefficient
from concordant.coefficients.engine import Outcome
from concordant.questions.compare import counts
from concordant.results.note import Note
from concordant.results.table import DETAIL, Columns, parts
from concordant.results.words import count, noun
from concordant.scores.means import snap
from concordant.scores.scores import ALL
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.ranks import (
    LEAST_ITEMS,
    intervals_of_means,
    letters_of,
    may_be_first,
    pvalues_above,
    rank_sets,
    shared_ranks,
    surely_above,
)
from concordant.statistics.significance import relation_of
from concordant.study.pairing import Measured, Measures, Pairing, too_many_pairs
from concordant.typing import Floats, Integers


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
    if len(side.topics) < LEAST_ITEMS or k < 2 or too_many_pairs(k):
        return [(None, None, None)] * k
    pvalues = pvalues_above(side.values)
    above = surely_above(pvalues, alpha)
    ranks, first = rank_sets(above).tolist(), may_be_first(pvalues, alpha).tolist()
    letters = letters_of(above, side.means)
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
    pairings: Sequence[Pairing], outcomes: Sequence[Outcome], c: Coefficient
) -> tuple[Sequence[PairOfSystems] | None, list[Note]]:
    """Return every pair of systems of every pairing, with its cost for a coefficient, and notes.

    `outcomes` are the values of the coefficient. Pairs are tested on the topics that both sides have. Too
    many pairs are left out: the first result is None, and a note says so.
    """
    if why := too_many_pairs(*(len(pairing.reference.mean) for pairing in pairings)):
        left_out = (
            "the table pairs, tests of pairs, intervals of ranks and expected correlations are left out"
        )
        return None, [Note("pairs_left_out", text=f"{left_out}: {why}", lost=True)]
    columns: dict[str, list[Any]] = {name: [] for name in PairOfSystems.__dataclass_fields__}
    notes: list[Note] = []

    @functools.cache
    def tested(side: Measured, topics: tuple[str, ...]) -> Floats:
        found = relation_of(side.on(topics), 0.05).pvalues  # the p-values are the same for any level
        assert found is not None
        return found

    for pairing, outcome in zip(pairings, outcomes, strict=True):
        order = np.array(_best_first(pairing))
        better, worse = np.triu_indices(len(order), 1)
        names = np.array(list(pairing.reference.mean), dtype=object)[order]
        nothing = np.full(len(better), math.nan)
        columns["estimate"].append(_repeated(pairing.name, len(better)))
        columns["measure"].append(_repeated(pairing.measures, len(better)))
        columns["better"].append(names[better])
        columns["worse"].append(names[worse])
        sides = {"reference": pairing.reference, "estimate": pairing.estimate}
        for name, side in sides.items():
            columns[f"{name}_difference"].append(side.means[order[better]] - side.means[order[worse]])
        pvalues = dict.fromkeys(sides, nothing)
        topics = tuple(pairing.common_topics())
        if len(topics) < 2:
            what = (
                f"without {noun('topics')}"
                if topics == (ALL,)
                else f"with {count(len(topics), 'topic')} in common"
            )
            text = f"{what} there is no test of differences between {noun('systems')}"
            notes.append(Note("one_topic_no_test", text=text, subject=pairing.name, lost=True))
        else:
            for name, side in sides.items():
                pvalues[name] = tested(side, topics)[order[better], order[worse]]
        for name, found in pvalues.items():
            columns[f"{name}_pvalue"].append(found)
        first = order[: 0 if outcome.undefined else systems_compared(pairing, c.top)]
        x, y = (side.means[first] for side in sides.values())
        columns["cost"].append(_costs(c, x, y, better, worse))
    return Columns(PairOfSystems, *map(np.concatenate, columns.values())), notes


def pairs_in_columns(pairs: Sequence[PairOfSystems]) -> Columns[PairOfSystems]:
    """Return pairs of systems as columns, which `significant_swaps` and `kept_pairs` read."""
    numbers = ("_difference", "_pvalue", "cost")
    columns = {name: [getattr(pair, name) for pair in pairs] for name in PairOfSystems.__match_args__}
    kinds: dict[str, Any] = {name: np.float64 if name.endswith(numbers) else object for name in columns}
    return Columns(PairOfSystems, *(np.fromiter(own, kinds[name]) for name, own in columns.items()))


def _repeated(value: object, times: int) -> Any:
    found = np.empty(times, dtype=object)
    found.fill(value)
    return found


def _costs(c: Coefficient, x: Floats, y: Floats, i: Integers, j: Integers) -> Floats:
    """Return the cost of pairs of items for a coefficient; nan if one of them is not among the scores."""
    parts, compared = costs_of(c, x, y) if len(x) else None, j < len(x)
    costs = np.full(len(i), math.nan)
    if parts is not None:
        i, j = i[compared], j[compared]
        costs[compared] = snap(functools.reduce(np.add, (each.pair_costs(i, j) for each in parts)))
    return costs


def costs_of(
    c: Coefficient, x: Floats, y: Floats, grades: Floats | None = None
) -> Sequence[PairCosts] | None:
    """Return the costs of pairs, if they are declared."""
    if c.costs is None or c.overlapping:
        return None
    sides: tuple[Any, ...] = (x, y) if grades is None else (x, y, grades)
    if c.inputs == "scores":
        sides = tuple(map(sorted_side, (x, y), c.threshold))
    return c.costs(*sides, **c.options_without_threshold())


def by_order(systems: Iterable[RankedSystem]) -> dict[str, int]:
    """Return how many pairs of systems are in the same and the opposite order, tied on one side or both."""
    ranks = np.array([(-each.reference_rank, -each.estimate_rank) for each in systems], dtype=np.float64)
    found = counts(*ranks.T)
    once = found.tied_x + found.tied_y
    numbers = (found.concordant, found.discordant, once, found.tied_both)
    return dict(zip(("same", "opposite", "tied once", "tied twice"), map(int, numbers), strict=True))


def kept_pairs(
    pairs: Sequence[PairOfSystems] | None, alpha: float
) -> dict[tuple[str, Measures], tuple[int, int, int]]:
    """Return for each estimate and measure the significant pairs by the reference: all, kept, reversed."""
    found: dict[tuple[str, Measures], tuple[int, int, int]] = {}
    if not isinstance(pairs, Columns):
        return found
    pvalues, difference = pairs.array("reference_pvalue"), pairs.array("estimate_difference")
    names = [pairs.array(name) for name in ("estimate", "measure")]
    # The pairs of an estimate and a measure follow each other.
    changes = functools.reduce(np.logical_or, (own[1:] != own[:-1] for own in names))
    starts = [0, *(np.flatnonzero(changes) + 1).tolist(), len(pvalues)]
    for start, stop in itertools.pairwise(starts):
        p, sign = pvalues[start:stop], difference[start:stop]
        if start < stop and not np.isnan(p).all():
            significant = p < alpha
            counted = (significant, significant & (sign > 0), significant & (sign < 0))
            n, kept, reversed_ = (int(each.sum()) for each in counted)
            found[names[0][start], names[1][start]] = n, kept, reversed_
    return found
