"""Correlate rankings of systems by mean scores: each estimate with the reference."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from concordant.checks import proportion
from concordant.coefficients.declaration import Coefficient, CoefficientsLike, chosen
from concordant.coefficients.engine import Outcome
from concordant.errors import ArgumentError, UndefinedWarning, public
from concordant.questions.systems import (
    PairOfSystems,
    RankedSystem,
    not_all_pairs,
    pairs_of_systems,
    ranked_systems,
    systems_compared,
)
from concordant.questions.tie_range import tie_range_notes
from concordant.questions.verdict import verdict_of_estimates
from concordant.reading.files import is_file_like
from concordant.reading.from_memory import ScoresLike
from concordant.results.note import Note, unique
from concordant.results.result import Result, records
from concordant.results.table import absent, parts
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.jackknife import jackknife_interval
from concordant.statistics.mean_intervals import rank_intervals
from concordant.statistics.permutation import permutation_test
from concordant.statistics.resampling import Resampler, Resampling, started
from concordant.statistics.simultaneous import JointIntervals, Steps, groups_of, joint_intervals, steps_of
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
class CorrelateResult(Result[Agreement]):
    """The result of `correlate`; prints as text.

    Attributes
    ----------
    agreement : tuple of Agreement
        Rankings of systems, estimate against reference.
    systems : tuple of RankedSystem
        Systems by mean score, on both sides.
    pairs : sequence of PairOfSystems or None
        Every pair of systems: its differences on both sides, their p-values, and how much it lowers the first
        coefficient. None if there are more than 500,000 pairs, or than CONCORDANT_MAX_PAIRS says.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"bm25": 2, "dense": 5, "rm3": 3}, "q2": {"bm25": 4, "dense": 3, "rm3": 2}}
    >>> gpt = {"q1": {"bm25": 4, "dense": 6, "rm3": 1}, "q2": {"bm25": 5, "dense": 4, "rm3": 3}}
    >>> result = cd.correlate(human, {"gpt": gpt}, ["tau_b"])
    >>> result.agreement[0].estimate, round(result.agreement[0].value, 4), len(result.pairs)
    ('gpt', 1.0, 3)
    """

    function: ClassVar[str] = "correlate"

    agreement: tuple[Agreement, ...] = records(Agreement, "Rankings of systems, estimate against reference")
    systems: tuple[RankedSystem, ...] = records(RankedSystem, "Systems by mean score, on both sides")
    pairs: Sequence[PairOfSystems] | None = records(
        PairOfSystems,
        "Pairs of systems: differences, p-values (paired t-tests, Holm's correction) and cost",
        needs="fewer pairs of systems, or a larger CONCORDANT_MAX_PAIRS",
    )

    @cached_property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words, about the first coefficient.

        An estimate "agrees" if its interval is above 0. It "is better" than another if the adjusted p-value
        and the interval of the difference show it. See docs/reference/verdicts.md.
        """
        return verdict_of_estimates(self)

    @property
    def emphasis(self) -> str:
        """What bold numbers mean."""
        return "the highest value by its measure, top and coefficient"

    def emphasised(self, table: str) -> set[int]:
        """Return the numbers of the records that are bold in LaTeX and Markdown.

        Parameters
        ----------
        table : str
            The name of the table.

        Returns
        -------
        set of int
            The numbers of the records.
        """
        rivals: dict[object, list[int]] = {}
        for i, each in enumerate(self.agreement if table == "agreement" else ()):
            if not math.isnan(each.value):
                rivals.setdefault((each.measure.measure, each.top, each.coefficient), []).append(i)
        found: set[int] = set()
        for own in rivals.values():
            highest = max(self.agreement[i].value for i in own)
            found.update(i for i in own if self.agreement[i].value == highest and len(own) > 1)
        return found


@public
def correlate(
    reference: ScoresLike | Study,
    estimates: Mapping[str, ScoresLike] | ScoresLike | None = None,
    coefficients: CoefficientsLike = ("tau_ap_b", "tau_b"),
    *,
    alpha: float | None = 0.05,
    resampling: Resampling | None = Resampling(),
    progress: Progress | None = None,
) -> CorrelateResult:
    """Correlate rankings of systems by mean score: each estimate with the reference.

    Parameters
    ----------
    reference : Study, or what `Study` takes
        The scores that the estimates are compared with. A `Study` has its estimates already.
    estimates : mapping of str to scores, or the scores of one estimate
        The estimates by name. Measures of the same name are paired; if a side has only one measure, it is
        compared with each of the other side.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them, such as ``["tau_ap_b", "tau_b(0.05)@10"]``. A verdict
        is about the first.
    alpha : float or None, default 0.05
        The level of the tests of whether two systems differ significantly. None means no tests.
    resampling : Resampling or None
        How the intervals are computed. None means no intervals.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    CorrelateResult
        A record for each estimate, measure and coefficient; the systems with their ranks on both sides; and
        every pair of systems.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"bm25": 0.21, "dense": 0.35, "rm3": 0.28}
    >>> result = cd.correlate(human, {"gpt": {"bm25": 0.4, "dense": 0.7, "rm3": 0.3}}, "tau_b")
    >>> round(result.agreement[0].value, 4)
    0.3333
    """
    asked = chosen(coefficients)
    how = None if resampling is None else started(resampling)
    if alpha is not None:
        proportion("alpha", alpha)
    study = study_of(reference, estimates)
    found = agreements(study, asked, how, progress)
    return CorrelateResult(
        **found.tables(alpha),
        notes=unique((*study.notes, *found.notes)),
        options={"coefficients": [str(c) for c in asked], "alpha": alpha}
        | ({} if how is None else how.options),
    )


class Agreements(NamedTuple):
    """The records, the outcomes by pairing and coefficient, and what was drawn for all of them."""

    pairings: Sequence[Pairing]
    coefficients: Sequence[Coefficient]
    level: float | None  # of confidence; None without intervals
    records: tuple[Agreement, ...]
    observed: list[dict[tuple[int | None, Coefficient], Outcome]]
    joint: JointIntervals
    steps: Steps
    notes: list[Note]

    def value(self, pairing: int, c: Coefficient) -> float:
        """Return the coefficient of all systems, or of those that it is cut at."""
        return float(self.observed[pairing][None, c].values[0])

    def tables(self, alpha: float | None) -> dict[str, Any]:
        """Return the tables of a `CorrelateResult`; add to the notes what they leave out."""
        ranks = {
            side: rank_intervals(drawn.ranks[side], self.level or 0.95)
            for _, _, drawn in self.joint.groups
            for side in drawn.ranks
        }
        c = self.coefficients[0]
        outcomes = [each[None, c] for each in self.observed]
        pairs, notes = pairs_of_systems(self.pairings, outcomes, c, alpha)
        self.notes.extend(notes)
        systems = tuple(ranked_systems(self.pairings, ranks, self.level))
        return {"agreement": self.records, "systems": systems, "pairs": pairs}


def agreements(
    study: Study,
    coefficients: Sequence[Coefficient],
    how: Resampler | None,
    progress: Progress | None = None,
    scopes: Sequence[int | None] = (None,),
    more_work: int = 0,
) -> Agreements:
    """Compute every coefficient for every pairing of a study.

    `scopes` are the numbers of best systems to compare, None for all. The topics are drawn once for all
    pairings that have the same ones; without topics, the intervals are over the systems. `more_work` is how
    many times the resamples will be computed later.
    """
    cuts = {
        (k, c): c if k is None else replace(c, top=k)
        for k in scopes
        for c in coefficients
        if k is None or c.top is None
    }
    notes: list[Note] = []
    observed = [dict(zip(cuts, p.of_means(list(cuts.values())), strict=True)) for p in study.pairings]
    joint, steps = JointIntervals([[None] * len(cuts) for _ in observed], [], [], []), steps_of(progress, 0)
    if how is not None:
        steps = steps_of(progress, (len(groups_of(study.pairings)) + more_work) * how.n_resamples)
        every = [list(outcomes.values()) for outcomes in observed]
        compared = sum(k is None for k, _ in cuts)
        ranks = not not_all_pairs(study.pairings)  # these intervals need a table of systems x ranks
        joint = joint_intervals(study.pairings, list(cuts.values()), every, how, steps, compared, ranks=ranks)
    listed = []
    for pairing, outcomes, intervals in zip(study.pairings, observed, joint.intervals, strict=True):
        for (cut, outcome), over_topics in zip(outcomes.items(), intervals, strict=True):
            c, value, why = cuts[cut], float(outcome.values[0]), None
            interval, pvalue = over_topics, None
            if outcome.undefined:
                why = outcome.reason_of_systems
                about = {"coefficient": str(c), "reason": why}
                text = f"{c} is undefined: {why}"
                notes.append(Note("undefined", text=text, values=about, subject=pairing.subject))
            if how is not None and not pairing.has_topics and not math.isnan(value):
                interval, pvalue = _over_systems(pairing, c, how)
            head = (pairing.name, pairing.measures, c.top, systems_compared(pairing, c.top), cut[1])
            listed.append(Agreement(*head, value, interval, pvalue, why))
        values = [float(outcomes[None, c].values[0]) for c in coefficients]
        means = (pairing.reference.mean, pairing.estimate.mean)
        notes += tie_range_notes(coefficients, values, *means, pairing.subject)
        if how is not None and not pairing.has_topics:
            told = {"confidence_level": how.confidence_level, "systems": len(pairing.reference.mean)}
            orders = _n_orders(pairing, how)
            text = (
                f"there are no scores of several topics, so the {how.confidence_level:.10g} confidence "
                f"intervals are over the {told['systems']} systems (jackknife), and p is that of unrelated "
                f"rankings (permutation test{f', {orders} orders' if orders < how.n_resamples else ''})"
            )
            notes.append(Note("over_systems", text=text, values=told, subject=pairing.name))
    notes += joint.notes
    level = None if how is None else how.confidence_level
    return Agreements(study.pairings, coefficients, level, tuple(listed), observed, joint, steps, notes)


_MOST_PERMUTED = 10_000_000  # systems in all permuted rankings; of many systems, fewer orders are enough


def _n_orders(pairing: Pairing, how: Resampler) -> int:
    return min(how.n_resamples, max(999, _MOST_PERMUTED // len(pairing.reference.mean)))


def _over_systems(
    pairing: Pairing, c: Coefficient, how: Resampler
) -> tuple[ConfidenceInterval | None, float | None]:
    """Return the interval over systems and the p-value of unrelated rankings."""
    x, y = pairing.reference.mean, pairing.estimate.mean
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # of samples without one of the systems
        found = jackknife_interval(x, y, c, confidence_level=how.confidence_level).confidence_interval
        test = permutation_test(x, y, c, n_resamples=_n_orders(pairing, how), rng=how.seed)
    return (None if np.isnan(found.low) else found), test.pvalue


def one_estimate(reference: ScoresLike | Study, estimate: ScoresLike | None) -> Study:
    """Return a study of one estimate."""
    alone = estimate is None or is_file_like(estimate)  # a file has a name
    study = study_of(reference, estimate if alone else {"estimate": estimate})
    if len(study.estimates) != 1:
        raise ArgumentError(f"takes one estimate, got {len(study.estimates)}: {', '.join(study.estimates)}")
    return study
