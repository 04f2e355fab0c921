"""Coefficients of rankings of systems by mean scores, with their intervals."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from concordant.coefficients.declaration import Coefficient
from concordant.coefficients.engine import Outcome
from concordant.errors import ArgumentError, UndefinedWarning
from concordant.questions.systems import (
    PairOfSystems,
    RankedSystem,
    counts_of_pairs,
    pairs_of_systems,
    ranked_systems,
    systems_compared,
)
from concordant.questions.tie_range import tie_range_notes
from concordant.questions.verdict import Answer, verdict_of_estimates
from concordant.reading.files import is_file_like
from concordant.reading.from_memory import ScoresLike
from concordant.results.note import Note
from concordant.results.result import Result, records
from concordant.results.table import absent, parts
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.jackknife import jackknife_interval
from concordant.statistics.permutation import permutation_test
from concordant.statistics.resampling import Resampler
from concordant.statistics.simultaneous import JointIntervals, Steps, groups_of, joint_intervals
from concordant.study.pairing import Measures, Pairing
from concordant.study.study import Study, study_of
from concordant.typing import Progress


@dataclass(frozen=True)
class Agreement:
    """One coefficient of the rankings of systems by an estimate and by the reference.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    top : int or None
        The number k of best systems of the reference that were compared; None for all systems.
    n : int
        The number of systems that were compared.
    coefficient : Coefficient
        The coefficient.
    value : float
        The value of the coefficient; nan if it is undefined.
    interval : ConfidenceInterval or None
        The confidence interval over topics, or over systems if there are no topics; None if there is none.
    pvalue : float or None
        The p-value of a test of unrelated rankings, if there are no topics; otherwise None.
    undefined : str or None
        Why the coefficient has no value; None if it has one.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    top: int | None = field(metadata=absent("all"))
    n: int
    coefficient: Coefficient
    value: float
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="value"))
    pvalue: float | None = None
    undefined: str | None = None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class AgreementResult(Result[Agreement]):
    """What the results of `correlate` and `judge` have in common.

    Attributes
    ----------
    agreement : tuple of Agreement
        Rankings of systems, estimate against reference.
    systems : tuple of RankedSystem
        Systems by mean score, on both sides.
    pairs : sequence of PairOfSystems
        Every pair of systems: its differences on both sides, their p-values, and what it costs the first
        coefficient.
    """

    agreement: tuple[Agreement, ...] = records(Agreement, "Rankings of systems, estimate against reference")
    systems: tuple[RankedSystem, ...] = records(RankedSystem, "Systems by mean score, on both sides")
    pairs: Sequence[PairOfSystems] = records(
        PairOfSystems, "Pairs of systems: differences, p-values (paired t-tests, Holm's correction) and cost"
    )

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words, about the first coefficient.

        An estimate "agrees" if its interval is above 0. It "is better" than another if the adjusted p-value
        and the interval of the difference show it. See docs/reference/verdicts.md.
        """
        return verdict_of_estimates(self._answer())

    def _answer(self) -> Answer:
        """Return what the verdict is about."""
        order = counts_of_pairs(self.pairs or (), self.options.get("alpha"))
        return Answer(self.agreement or (), order, self.options.get("confidence_level"))

    @property
    def emphasis(self) -> str:
        """What bold numbers mean."""
        return "the highest value by its measure, top and coefficient"

    def emphasised(self, table: str) -> set[int]:
        """Return the numbers of the records that are bold in LaTeX and Markdown."""
        found: set[int] = set()
        groups: dict[object, list[int]] = {}
        for i, each in enumerate(self.agreement if table == "agreement" else ()):
            groups.setdefault((each.measure.measure, each.top, each.coefficient), []).append(i)
        for group in groups.values():
            values = [self.agreement[i].value for i in group if not math.isnan(self.agreement[i].value)]
            if len(values) > 1:
                found |= {i for i in group if self.agreement[i].value == max(values)}
        return found


class Agreements(NamedTuple):
    """The records, the outcomes by pairing and coefficient, and what was drawn for all of them."""

    pairings: Sequence[Pairing]
    coefficients: Sequence[Coefficient]
    level: float | None  # of confidence; None without intervals
    records: tuple[Agreement, ...]
    observed: list[dict[tuple[int | None, Coefficient], Outcome]]
    joint: JointIntervals | None
    notes: list[Note]

    def value(self, pairing: int, c: Coefficient) -> float:
        """Return the coefficient of all systems, or of those that it is cut at."""
        return float(self.observed[pairing][None, c].values[0])

    def tables(self, alpha: float | None) -> dict[str, Any]:
        """Return the tables of an `AgreementResult`; add to the notes what they leave out."""
        groups = () if self.joint is None else self.joint.groups
        ranks = {
            side: drawn.rank_intervals(side, self.level or 0.95)
            for _, sample, drawn in groups
            for side in sample.sides
        }
        c = self.coefficients[0]
        outcomes = [each[None, c] for each in self.observed]
        pairs, notes = pairs_of_systems(self.pairings, outcomes, c, alpha)
        self.notes.extend(notes)
        systems = tuple(ranked_systems(self.pairings, ranks, self.level))
        return {"agreement": self.records, "systems": systems, "pairs": pairs}


def one_estimate(reference: ScoresLike | Study, estimate: ScoresLike | None) -> Study:
    """Return a study of one estimate."""
    alone = estimate is None or is_file_like(estimate)  # a file has a name
    study = study_of(reference, estimate if alone else {"estimate": estimate})
    if len(study.estimates) != 1:
        raise ArgumentError(f"takes one estimate, got {len(study.estimates)}: {', '.join(study.estimates)}")
    return study


def agreements(
    study: Study,
    coefficients: Sequence[Coefficient],
    how: Resampler | None,
    steps: Steps | None = None,
    progress: Progress | None = None,
    scopes: Sequence[int | None] = (None,),
) -> Agreements:
    """Compute every coefficient for every pairing of a study.

    `scopes` are the numbers of best systems to compare, None for all. The topics are drawn once for all
    pairings that have the same ones; without topics, the intervals are over the systems.
    """
    cuts = {
        (k, c): c if k is None else replace(c, top=k)
        for k in scopes
        for c in coefficients
        if k is None or c.top is None
    }
    notes: list[Note] = []
    observed = [dict(zip(cuts, p.of_means(list(cuts.values())), strict=True)) for p in study.pairings]
    for pairing, outcomes in zip(study.pairings, observed, strict=True):
        for cut, outcome in outcomes.items():
            if outcome.undefined:
                reason = outcome.reason_of_systems
                values = {"coefficient": str(cuts[cut]), "reason": reason}
                text = f"{cuts[cut]} is undefined: {reason}"
                notes.append(Note("undefined", text=text, values=values, subject=pairing.subject))
        known = {c: float(outcome.values[0]) for (k, c), outcome in outcomes.items() if k is None}
        means = (pairing.reference.mean, pairing.estimate.mean)
        notes += tie_range_notes(list(known), list(known.values()), *means, pairing.subject)
    joint = None
    if how is not None and any(pairing.has_topics for pairing in study.pairings):
        steps = steps or Steps(progress, len(groups_of(study.pairings)) * how.n_resamples)
        every = [list(outcomes.values()) for outcomes in observed]
        compared = sum(k is None for k, _ in cuts)
        joint = joint_intervals(study.pairings, list(cuts.values()), every, how, steps, compared, ranks=True)
        notes += joint.notes
    listed = []
    for i, (pairing, outcomes) in enumerate(zip(study.pairings, observed, strict=True)):
        if how is not None and not pairing.has_topics:
            n = len(pairing.reference.mean)
            text = (
                f"there are no scores of several topics, so the {how.confidence_level:.10g} confidence "
                f"intervals are over the {n} systems (jackknife), and p is that of unrelated rankings "
                "(permutation test)"
            )
            about = {"confidence_level": how.confidence_level, "systems": n}
            notes.append(Note("over_systems", text=text, values=about, subject=pairing.name))
        for j, ((k, c), outcome) in enumerate(outcomes.items()):
            interval, pvalue = (None if joint is None else joint.intervals[i][j]), None
            if how is not None and not pairing.has_topics:
                interval, pvalue = _over_systems(pairing, cuts[k, c], outcome, how)
            top = cuts[k, c].top
            head = (pairing.name, pairing.measures, top, systems_compared(pairing, top), c)
            why = outcome.reason_of_systems if outcome.undefined else None
            listed.append(Agreement(*head, float(outcome.values[0]), interval, pvalue, why))
    level = None if how is None else how.confidence_level
    return Agreements(study.pairings, coefficients, level, tuple(listed), observed, joint, notes)


def _over_systems(
    pairing: Pairing, c: Coefficient, outcome: Outcome, how: Resampler
) -> tuple[ConfidenceInterval | None, float | None]:
    """Return the interval over systems and the p-value of unrelated rankings."""
    x, y = pairing.reference.mean, pairing.estimate.mean
    if np.isnan(outcome.values[0]):
        return None, None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # of samples without one of the systems
        found = jackknife_interval(x, y, c, confidence_level=how.confidence_level).confidence_interval
        test = permutation_test(x, y, c, n_resamples=how.n_resamples, rng=how.seed)
    return (None if np.isnan(found.low) else found), test.pvalue
