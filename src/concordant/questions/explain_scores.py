"""Explain coefficients of mean scores, for every measure."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from concordant.checks import n_workers, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientsLike
from concordant.coefficients.text_form import chosen
from concordant.errors import UndefinedWarning
from concordant.questions.explain import Explanation, explain_pair
from concordant.questions.other_verdicts import verdict_of_explanations
from concordant.rankings.pairs import read_pairs
from concordant.reading.from_memory import ScoresLike
from concordant.results.note import Note, unique
from concordant.results.result import Result, records
from concordant.results.table import parts
from concordant.study.pairing import Measures
from concordant.study.study import Study
from concordant.typing import OnMissing, Topics


@dataclass(frozen=True)
class Explained:
    """A coefficient that is explained.

    Attributes
    ----------
    measure : Measures
        The measures of the reference and of the estimate.
    coefficient : Coefficient
        The coefficient.
    value : float
        The value of the coefficient; nan if it is undefined.
    systems : int
        The number of systems.
    pairs_that_cost : int
        The number of pairs that take something off the coefficient.
    """

    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    coefficient: Coefficient
    value: float
    systems: int
    pairs_that_cost: int


@dataclass(frozen=True)
class ExplainedPair:
    """A pair of systems that costs much.

    Attributes
    ----------
    measure : Measures
        The measures of the reference and of the estimate.
    coefficient : Coefficient
        The coefficient.
    better : str
        The system or item that the reference ranks higher.
    worse : str
        The system or item that the reference ranks lower.
    reference_difference : float
        The difference of the two scores by the reference.
    estimate_difference : float
        The difference of the two scores by the estimate.
    cost : float
        What it takes off the coefficient.
    """

    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    coefficient: Coefficient
    better: str
    worse: str
    reference_difference: float
    estimate_difference: float
    cost: float


@dataclass(frozen=True)
class ExplainedRemoval:
    """A system without which the coefficient is higher.

    Attributes
    ----------
    measure : Measures
        The measures of the reference and of the estimate.
    coefficient : Coefficient
        The coefficient.
    system : str
        The name of the system.
    value : float
        The value of the coefficient; nan if it is undefined.
    gain : float
        How much higher the coefficient is without the system.
    """

    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    coefficient: Coefficient
    system: str
    value: float
    gain: float


@dataclass(frozen=True)
class ExplainedItem:
    """What a system costs.

    Attributes
    ----------
    measure : Measures
        The measures of the reference and of the estimate.
    coefficient : Coefficient
        The coefficient.
    system : str
        The name of the system.
    cost : float
        What it takes off the coefficient.
    share : float or None
        The cost divided by all that is lost; None if nothing is lost.
    """

    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    coefficient: Coefficient
    system: str
    cost: float
    share: float | None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ExplainResult(Result[Explained]):
    """What lowers coefficients of mean scores, for every measure.

    Attributes
    ----------
    explained : tuple of Explained
        The values explained.
    pairs : tuple of ExplainedPair
        Pairs of systems that cost most.
    removals : tuple of ExplainedRemoval
        Systems without which the coefficient is higher.
    items : tuple of ExplainedItem
        Cost of each system: half of all pairs that it is in.
    """

    function: ClassVar[str] = "explain"
    main: ClassVar[str] = "pairs"

    explained: tuple[Explained, ...] = records(Explained, "The values explained")
    pairs: tuple[ExplainedPair, ...] = records(ExplainedPair, "Pairs of systems that cost most")
    removals: tuple[ExplainedRemoval, ...] = records(
        ExplainedRemoval, "Systems without which the coefficient is higher"
    )
    items: tuple[ExplainedItem, ...] = records(
        ExplainedItem, "Cost of each system: half of all pairs that it is in"
    )

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: what lowers each value most."""
        return verdict_of_explanations(self)


def explain_scores(
    reference: ScoresLike,
    estimate: ScoresLike,
    coefficients: CoefficientsLike = ("tau_ap_b",),
    *,
    most: int = 5,
    on_missing: OnMissing | None = None,
    topics: Topics = "common",
    workers: int = 1,
) -> ExplainResult:
    """Explain coefficients of mean scores, for all measures."""
    asked = chosen(coefficients)
    whole_number("most", most, 0)
    threads = n_workers(workers)
    study = Study(reference, {"estimate": estimate}, on_missing=on_missing, topics=topics)
    notes = list(study.all_notes)
    found: list[tuple[Measures, Explanation]] = []
    for pairing in study.pairings:
        pairs = read_pairs(pairing.reference.mean, pairing.estimate.mean)
        for c, outcome in zip(asked, pairing.of_means(asked), strict=True):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UndefinedWarning)  # a note says it
                reason = outcome.reason_of_systems
                why = explain_pair(c, pairs, float(outcome.values[0]), reason, most, threads)
            notes += [note.about(f"{pairing.measures}: {c}") for note in why.notes]
            found.append((pairing.measures, why))
    n = len(study.systems)
    if most < n and any(each.cost > 0 for _, why in found for each in why.item_costs or ()):
        notes.append(Note("items_listed", values={"listed": most, "items": n}))
    return ExplainResult(
        explained=tuple(Explained(m, why.coefficient, why.value, why.n, why.n_pairs) for m, why in found),
        pairs=tuple(_pairs(found)),
        removals=tuple(
            ExplainedRemoval(m, why.coefficient, str(r.item), r.value, r.gain)
            for m, why in found
            for r in why.removals
        ),
        items=tuple(
            ExplainedItem(m, why.coefficient, str(i.item), i.cost, i.share)
            for m, why in found
            for i in (why.item_costs or ())[:most]
        ),
        notes=unique(notes),
        options={"most": most},
    )


def _pairs(found: list[tuple[Measures, Explanation]]) -> Iterator[ExplainedPair]:
    for measures, why in found:
        for p in why.pairs:
            gaps = p.reference_difference, p.estimate_difference
            yield ExplainedPair(measures, why.coefficient, str(p.better), str(p.worse), *gaps, p.cost)
