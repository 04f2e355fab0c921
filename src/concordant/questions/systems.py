"""The systems of a study: their scores and ranks on both sides, and every pair of them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from concordant.coefficients.costs import side as sorted_side
from concordant.coefficients.declaration import Coefficient
from concordant.errors import MissingLibraryError
from concordant.results.note import Note
from concordant.results.table import Columns, parts
from concordant.scores.means import snap
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.mean_intervals import intervals_of_means, shared_ranks
from concordant.statistics.significance import relation_of
from concordant.study.pairing import Measured, Measures, Pairing
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
        The interval of the rank over resamples of the topics; None if there is none.
    estimate_score : float
        The mean score by the estimate.
    estimate_interval : ConfidenceInterval or None
        The confidence interval of that mean.
    estimate_rank : int
        The rank by the estimate.
    estimate_ranks : ConfidenceInterval or None
        The interval of that rank.
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
    estimate_score: float
    estimate_interval: ConfidenceInterval | None = field(
        metadata=parts("estimate_low", "estimate_high", of="estimate_score")
    )
    estimate_rank: int
    estimate_ranks: ConfidenceInterval | None = field(
        metadata=parts("estimate_rank_low", "estimate_rank_high", of="estimate_rank")
    )
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
        What the pair takes off the first coefficient; None if the coefficient is not a sum over pairs.
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


def ranked_systems(
    pairings: Sequence[Pairing], ranks: dict[Measured, list[ConfidenceInterval]], level: float | None
) -> list[RankedSystem]:
    """Return the systems of every pairing, best by the reference first.

    `ranks` has the intervals of ranks of the sides that were resampled; `level` is the level of intervals.
    """
    found: list[RankedSystem] = []

    @functools.cache
    def described(side: Measured, resampled: bool) -> list[tuple[Any, ...]]:
        means = np.array(list(side.mean.values()))
        none: list[ConfidenceInterval | None] = [None] * len(means)
        intervals = intervals_of_means(side.values, level) if resampled and level is not None else none
        if side.is_lower:
            means = -means
            intervals = [each and ConfidenceInterval(-each.high, -each.low) for each in intervals]
        of_ranks = ranks.get(side, none) if resampled else none
        return list(zip(means.tolist(), intervals, _ranks(side), of_ranks, strict=True))

    for pairing in pairings:
        x, y = (described(side, pairing.has_topics) for side in (pairing.reference, pairing.estimate))
        names = list(pairing.reference.mean)
        for i in _best_first(pairing):
            head = (pairing.name, pairing.measures, names[i])
            found.append(RankedSystem(*head, *x[i], *y[i], x[i][2] - y[i][2]))  # type: ignore[call-arg]
    return found


def _ranks(side: Measured) -> list[int]:
    ranks: list[int] = shared_ranks(np.array(list(side.mean.values()))).tolist()
    return ranks


def _best_first(pairing: Pairing) -> list[int]:
    """Return the systems in the order of the reference, then of the estimate, then of their names."""
    keys = zip(_ranks(pairing.reference), _ranks(pairing.estimate), pairing.reference.mean, strict=True)
    return [i for _, i in sorted((key, i) for i, key in enumerate(keys))]


def pairs_of_systems(
    pairings: Sequence[Pairing], c: Coefficient, alpha: float | None
) -> tuple[Sequence[PairOfSystems], list[Note]]:
    """Return every pair of systems of every pairing, with its cost for a coefficient, and notes.

    Pairs are tested on the topics that both sides have, unless `alpha` is None.
    """
    columns: dict[str, list[Any]] = {name: [] for name in PairOfSystems.__dataclass_fields__}
    tests = _Tests(alpha)
    for pairing in pairings:
        order = np.array(_best_first(pairing))
        x, y = (np.array(list(side.mean.values()))[order] for side in (pairing.reference, pairing.estimate))
        better, worse = np.triu_indices(len(order), 1)
        names = np.array(list(pairing.reference.mean), dtype=object)[order]
        pvalues = [None if each is None else each[np.ix_(order, order)] for each in tests.of(pairing)]
        row: dict[str, Any] = {
            "estimate": [pairing.name] * len(better),
            "measure": [pairing.measures] * len(better),
            "better": names[better],
            "worse": names[worse],
            "reference_difference": x[better] - x[worse],
            "estimate_difference": y[better] - y[worse],
            "cost": _costs(c, x, y, better, worse),
        }
        for side, found in zip(("reference", "estimate"), pvalues, strict=True):
            row[f"{side}_pvalue"] = [None] * len(better) if found is None else found[better, worse]
        for name, values in row.items():
            columns[name].extend(values if isinstance(values, list) else values.tolist())
    return Columns(PairOfSystems, **columns), tests.notes


def _costs(c: Coefficient, x: Floats, y: Floats, i: Integers, j: Integers) -> list[float | None] | Floats:
    """Return the cost of pairs of items, where it is known."""
    if c.costs is None or c.top is not None:
        return [None] * len(i)
    w_x, w_y = c.threshold
    costs = c.costs(sorted_side(x, w_x), sorted_side(y, w_y), **c.options_without_threshold())
    return snap(functools.reduce(np.add, (each.pair_costs(i, j) for each in costs)))


class _Tests:
    """The tests of all pairs of systems: each side is tested once for the same topics."""

    def __init__(self, alpha: float | None) -> None:
        self.alpha = alpha
        self.notes: list[Note] = []
        self.known: dict[tuple[Measured, tuple[str, ...]], Floats] = {}

    def of(self, pairing: Pairing) -> tuple[Floats | None, Floats | None]:
        """Return the adjusted p-values of all pairs, by the reference and by the estimate."""
        common = pairing.on_common_topics
        if self.alpha is None:
            return None, None
        if len(common.reference.topics) < 2:
            text = "with one topic in common there is no test of differences between systems"
            self.notes.append(Note("one_topic_no_test", text=text, subject=pairing.name))
            return None, None
        try:
            one = self._of_side(pairing.reference, common.reference, self.alpha)
            return one, self._of_side(pairing.estimate, common.estimate, self.alpha)
        except MissingLibraryError:
            self.alpha = None
            text = "tests of pairs of systems need SciPy: pip install 'concordant[stats]'"
            self.notes.append(Note("needs_scipy", text=text))
            return None, None

    def _of_side(self, original: Measured, side: Measured, alpha: float) -> Floats:
        key = (original, side.topics)
        if key not in self.known:
            found = relation_of(side, alpha).pvalues
            assert found is not None
            self.known[key] = found
        return self.known[key]


class PairCounts(NamedTuple):
    """How the pairs of systems of one estimate and measure are ordered."""

    pairs: int
    same: int
    opposite: int
    tied: int  # on one side or both
    opposite_significant: list[PairOfSystems] | None  # by the reference; None if pairs were not tested

    @classmethod
    def of(
        cls, pairs: Sequence[PairOfSystems], estimate: str, measure: Measures, alpha: float | None
    ) -> PairCounts:
        """Count the pairs of a table."""
        own = [each for each in pairs if each.estimate == estimate and each.measure == measure]
        products = [each.reference_difference * each.estimate_difference for each in own]
        opposite = [each for each, product in zip(own, products, strict=True) if product < 0]
        same = sum(product > 0 for product in products)
        significant = None
        if alpha is not None and own and own[0].reference_pvalue is not None:
            significant = [each for each in opposite if (each.reference_pvalue or 0.0) < alpha]
        return cls(len(own), same, len(opposite), len(own) - same - len(opposite), significant)
