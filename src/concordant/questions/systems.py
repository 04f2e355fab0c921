"""The systems: their scores and ranks on both sides, and the order of every pair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from concordant.errors import MissingLibraryError
from concordant.rankings.ties import TieRelation
from concordant.results.note import Note
from concordant.results.table import parts
from concordant.scores.means import Means
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.mean_intervals import intervals_of_means, shared_ranks
from concordant.statistics.resampling import Resampler
from concordant.statistics.significance import relation_of
from concordant.statistics.simultaneous import JointIntervals
from concordant.study.pairing import Measured, Measures, Pairing
from concordant.typing import Booleans, Floats


@dataclass(frozen=True)
class RankedSystem:
    """A system under the reference and under an estimate.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    system : str
        The name of the system.
    reference_score : float
        The mean score by the reference.
    reference_interval : ConfidenceInterval or None
        The confidence interval of the mean score by the reference; None if there is none.
    reference_rank : int
        The rank by the reference; 1 is the best, and tied systems share the best of their ranks.
    reference_ranks : ConfidenceInterval or None
        The interval of the rank by the reference, over resamples of the topics; None if there is none.
    estimate_score : float
        The mean score by the estimate.
    estimate_interval : ConfidenceInterval or None
        The confidence interval of the mean score by the estimate; None if there is none.
    estimate_rank : int
        The rank by the estimate; 1 is the best, and tied systems share the best of their ranks.
    estimate_ranks : ConfidenceInterval or None
        The interval of the rank by the estimate, over resamples of the topics; None if there is none.
    gain : int
        The number of ranks that the system gains under the estimate.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    system: str
    reference_score: float
    reference_interval: ConfidenceInterval | None = field(
        metadata=parts("reference_low", "reference_high", of="reference_score")
    )
    reference_rank: int
    reference_ranks: ConfidenceInterval | None = field(  # over resamples of the topics
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
class PairOrder:
    """Numbers of pairs of systems by their order on both sides.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    pairs : int
        The number of pairs.
    same : int
        The number of pairs in the same order on both sides.
    opposite : int
        The number of pairs in the opposite order.
    tied : int
        The number of pairs that are tied on one side or both.
    opposite_significant : int or None
        The number of pairs in the opposite order that differ significantly by the reference; None if this was
        not tested.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    pairs: int
    same: int
    opposite: int
    tied: int
    opposite_significant: int | None


@dataclass(frozen=True)
class PairMap:
    """A system against each system after it in the table of systems, as letters.

    The last system has no letters. A letter says which sides find a significant difference: b both, r the
    reference, e the estimate, n neither, u not tested. A capital letter means that the pair is in the
    opposite order.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    system : str
        The name of the system.
    letters : str
        A letter for each later system.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    system: str
    letters: str


class Systems(NamedTuple):
    """The records of all pairings."""

    systems: tuple[RankedSystem, ...]
    order: tuple[PairOrder, ...]
    pair_map: tuple[PairMap, ...]
    notes: list[Note]


class Relations:
    """Which systems differ significantly: each side is tested once."""

    def __init__(self, alpha: float | None) -> None:
        self.alpha = alpha
        self.notes: list[Note] = []
        self._found: dict[tuple[Measured, tuple[str, ...]], TieRelation] = {}

    def of(self, pairing: Pairing) -> tuple[TieRelation, TieRelation] | None:
        """Test both sides on their common topics; None, with a note, if that is not possible."""
        if self.alpha is None:
            return None
        common = pairing.on_common_topics
        if len(common.reference.topics) < 2:
            self.notes.append(Note("one_topic_no_test", subject=pairing.name))
            return None
        try:
            sides = (pairing.reference, common.reference), (pairing.estimate, common.estimate)
            one, other = (self._of_side(original, side, self.alpha) for original, side in sides)
        except MissingLibraryError:
            self.alpha = None
            self.notes.append(Note("needs_scipy"))
            return None
        return one, other

    def _of_side(self, original: Measured, side: Measured, alpha: float) -> TieRelation:
        key = original, side.topics
        if key not in self._found:
            self._found[key] = relation_of(side, alpha)
        return self._found[key]


def ranked_systems(
    pairings: Sequence[Pairing],
    how: Resampler | None,
    relations: Relations,
    joint: JointIntervals | None = None,
) -> Systems:
    """Return the systems and pairs of all pairings, the best system of the reference first."""
    systems: list[RankedSystem] = []
    order: list[PairOrder] = []
    maps: list[PairMap] = []
    sides: dict[Measured, _Side] = {}
    for number, pairing in enumerate(pairings):
        ranks: tuple[list[ConfidenceInterval], ...] = [], []
        if how is not None and joint is not None:
            ranks = joint.rank_intervals(number, how.confidence_level)
        for side, own in zip((pairing.reference, pairing.estimate), ranks, strict=True):
            if side not in sides:
                sides[side] = _side(side, how if pairing.has_topics else None, own)
        x, y = sides[pairing.reference], sides[pairing.estimate]
        names = list(pairing.reference.mean)
        best_first = sorted(range(len(names)), key=lambda i: (x.ranks[i], y.ranks[i], names[i]))
        head = (pairing.name, pairing.measures)
        for i in best_first:
            systems.append(
                RankedSystem(
                    pairing.name,
                    pairing.measures,
                    names[i],
                    *x.of_system(i),
                    *y.of_system(i),
                    x.ranks[i] - y.ranks[i],
                )
            )
        tested = relations.of(pairing)
        letters, counts = _pairs(x.means, y.means, tested)
        order.append(PairOrder(pairing.name, pairing.measures, *counts))
        rows = letters[np.ix_(best_first, best_first)]
        maps += [
            PairMap(*head, names[i], "".join(rows[place, place + 1 :].tolist()))
            for place, i in enumerate(best_first)
        ]
    return Systems(tuple(systems), tuple(order), tuple(maps), relations.notes)


class _Side(NamedTuple):
    """The systems of one side."""

    means: Floats
    ranks: list[int]
    lower: bool  # the smallest score is the best, so that the sign of the means is changed
    intervals: list[ConfidenceInterval | None]
    rank_intervals: list[ConfidenceInterval | None]

    def of_system(self, i: int) -> tuple[float, ConfidenceInterval | None, int, ConfidenceInterval | None]:
        """Return score, interval, rank and interval of the rank."""
        score, interval = float(self.means[i]), self.intervals[i]
        if self.lower:
            score = -score
            interval = None if interval is None else ConfidenceInterval(-interval.high, -interval.low)
        return score, interval, self.ranks[i], self.rank_intervals[i]


def _side(side: Measured, how: Resampler | None, ranks: list[ConfidenceInterval]) -> _Side:
    means = np.array(list(side.mean.values()))
    none: list[ConfidenceInterval | None] = [None] * len(means)
    intervals, of_ranks = none, none
    if how is not None:
        intervals = intervals_of_means(side.values, how.confidence_level)
        of_ranks = [*ranks] or none
    lower = side.measure in side.scores.lower
    return _Side(means, shared_ranks(means).tolist(), lower, intervals, of_ranks)


def _pairs(
    x: Floats, y: Floats, tested: tuple[TieRelation, TieRelation] | None
) -> tuple[np.ndarray, tuple[int, int, int, int, int | None]]:
    """Return the letter of every pair, and the number of pairs of each kind."""
    order_x, order_y = (np.sign(side[:, None] - side[None, :]) for side in (x, y))
    upper = np.triu(np.ones(order_x.shape, dtype=bool), 1)
    opposite: Booleans = order_x * order_y < 0
    n_pairs, n_opposite = int(upper.sum()), int(opposite[upper].sum())
    same = int((order_x * order_y > 0)[upper].sum())
    letters = np.full(order_x.shape, "u")
    significant = None
    if tested is not None:
        by_x, by_y = (~relation.tied for relation in tested)
        letters[:] = "n"
        letters[by_x], letters[by_y], letters[by_x & by_y] = "r", "e", "b"
        significant = int((opposite & by_x)[upper].sum())
    letters[opposite] = np.char.upper(letters[opposite])
    return letters, (n_pairs, same, n_opposite, n_pairs - same - n_opposite, significant)


@dataclass(frozen=True)
class Moved:
    """A system that gains or loses ranks under an estimate.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    system : str
        The name of the system.
    reference_rank : int
        The rank by the reference; 1 is the best, and tied systems share the best of their ranks.
    estimate_rank : int
        The rank by the estimate; 1 is the best, and tied systems share the best of their ranks.
    gain : int
        The number of ranks that the system gains under the estimate.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    system: str
    reference_rank: int
    estimate_rank: int
    gain: int


@dataclass(frozen=True)
class Reversed:
    """A pair of systems in the opposite order.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    better_by_reference : str
        The system that the reference ranks higher.
    better_by_estimate : str
        The system that the estimate ranks higher.
    reference_difference : float
        The difference of the two scores by the reference.
    estimate_difference : float
        The difference of the two scores by the estimate.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    better_by_reference: str
    better_by_estimate: str
    reference_difference: float
    estimate_difference: float


def _ranks(means: Means) -> dict[str, int]:
    """Return the ranks, 1 for the best; tied systems share the best of their ranks."""
    values = sorted(means.values(), reverse=True)
    first = {value: rank for rank, value in reversed(list(enumerate(values, 1)))}
    return {system: first[value] for system, value in means.items()}


def moved(pairings: Iterable[Pairing], most: int) -> tuple[Moved, ...]:
    """Return the systems that gain and lose most ranks."""
    found: list[Moved] = []
    for pairing in pairings:
        x, y = _ranks(pairing.reference.mean), _ranks(pairing.estimate.mean)
        rows = [Moved(pairing.name, pairing.measures, s, x[s], y[s], x[s] - y[s]) for s in x]
        gains = sorted((m for m in rows if m.gain > 0), key=lambda m: (-m.gain, m.reference_rank, m.system))
        losses = sorted((m for m in rows if m.gain < 0), key=lambda m: (m.gain, m.reference_rank, m.system))
        found += gains[:most] + losses[:most]
    return tuple(found)


def reversed_pairs(pairings: Iterable[Pairing], most: int) -> tuple[tuple[Reversed, ...], list[Note]]:
    """Return the pairs in the opposite order, the largest reference difference first, and their number."""
    found: list[Reversed] = []
    notes: list[Note] = []
    for pairing in pairings:
        systems = list(pairing.reference.mean)
        x, y = (
            np.array([means[s] for s in systems]) for means in (pairing.reference.mean, pairing.estimate.mean)
        )
        difference_x, difference_y = x[:, None] - x[None, :], y[:, None] - y[None, :]
        better, worse = np.nonzero((difference_x > 0) & (difference_y < 0))
        order = np.lexsort((worse, better, difference_y[better, worse], -difference_x[better, worse]))[:most]
        for i, j in zip(better[order].tolist(), worse[order].tolist(), strict=True):
            gaps = float(difference_x[i, j]), float(difference_y[i, j])
            found.append(Reversed(pairing.name, pairing.measures, systems[i], systems[j], *gaps))
        n = len(systems)
        about = {"pairs": len(better), "total": n * (n - 1) // 2, "measure": str(pairing.measures)}
        notes.append(Note("pairs_reversed", subject=pairing.name, values=about))
    return tuple(found), notes
