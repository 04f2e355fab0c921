"""Coefficients of rankings of systems by mean scores, with their intervals."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from concordant.checks import generator, n_workers
from concordant.coefficients.declaration import Coefficient
from concordant.coefficients.engine import Outcome
from concordant.errors import UndefinedWarning
from concordant.questions.explain import explain_pair
from concordant.questions.tie_range import tie_range_notes
from concordant.rankings.pairs import read_pairs
from concordant.results.note import Note
from concordant.results.table import absent, parts
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.jackknife import jackknife_interval
from concordant.statistics.permutation import permutation_test
from concordant.statistics.resampling import Method, Resampling
from concordant.statistics.simultaneous import OneOfMany, Steps, groups_of, joint_intervals
from concordant.study.pairing import Measures, Pairing
from concordant.study.study import Study
from concordant.typing import Progress, RngLike


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
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    top: int | None = field(metadata=absent("all"))
    n: int
    coefficient: Coefficient
    value: float
    interval: ConfidenceInterval | None = field(  # over topics, else over systems
        metadata=parts("low", "high", of="value")
    )
    pvalue: float | None = None


@dataclass(frozen=True)
class Reason:
    """A pair of systems that lowers a coefficient much.

    If the costs of pairs are not known, it is a single system.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    coefficient : Coefficient
        The coefficient.
    cost : float
        What it takes off the coefficient.
    better : str or None
        The system that the reference ranks higher.
    worse : str or None
        The system that the reference ranks lower.
    reference_difference : float or None
        The difference of the two scores by the reference.
    estimate_difference : float or None
        The difference of the two scores by the estimate.
    without : str or None
        The system without which the coefficient is higher by the cost; None if a pair is named.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    coefficient: Coefficient
    cost: float
    better: str | None
    worse: str | None
    reference_difference: float | None
    estimate_difference: float | None
    without: str | None


def highest(listed: Sequence[Agreement]) -> set[int]:
    """Return the numbers of the records with the highest value, for each measure and coefficient."""
    groups: dict[object, list[int]] = {}
    for i, each in enumerate(listed):
        groups.setdefault((each.measure.measure, each.top, each.coefficient), []).append(i)
    found: set[int] = set()
    for group in groups.values():
        values = [listed[i].value for i in group if not math.isnan(listed[i].value)]
        if len(values) > 1:
            found |= {i for i in group if listed[i].value == max(values)}
    return found


class Agreements(NamedTuple):
    """The records, the outcomes by pairing and coefficient, and notes."""

    records: tuple[Agreement, ...]
    observed: list[dict[tuple[int | None, Coefficient], Outcome]]
    many: list[OneOfMany]
    notes: list[Note]


def resampling(
    confidence_level: float | None,
    n_resamples: int,
    method: Method,
    rng: RngLike,
    workers: int,
    executor: Executor | None = None,
) -> Resampling | None:
    """Check the options of intervals; return None if there are to be none."""
    if confidence_level is None:
        n_workers(workers)
        return None
    how = Resampling.checked(n_resamples, confidence_level, method, rng, workers, executor=executor)
    # Every function starts from the same seed, so that results can be compared.
    return how if how.seed is not None else replace(how, seed=int(generator(rng)[0].integers(2**32)))


def agreements(
    study: Study,
    coefficients: Sequence[Coefficient],
    how: Resampling | None,
    steps: Steps | None = None,
    progress: Progress | None = None,
    scopes: Sequence[int | None] = (None,),
) -> Agreements:
    """Compute all coefficients of all pairings, with their intervals.

    Each pair of rankings is computed once, and the intervals are computed jointly.
    """
    # A coefficient with its own cut, such as tau_b@10, is computed only once.
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
                values = {"coefficient": str(cuts[cut]), "reason": outcome.reason_of_systems}
                notes.append(Note("undefined", subject=pairing.subject, values=values))
        known = {c: float(outcome.values[0]) for (k, c), outcome in outcomes.items() if k is None}
        means = pairing.reference.mean, pairing.estimate.mean
        notes += tie_range_notes(list(known), list(known.values()), *means, pairing.subject)
    intervals: list[dict[Any, ConfidenceInterval | None]] = [{} for _ in study.pairings]
    groups = groups_of(study.pairings)
    pvalues: list[dict[Any, float | None]] = [{} for _ in study.pairings]
    many: list[OneOfMany] = []
    if how is not None and groups:
        steps = steps or Steps(progress, len(groups) * how.n_resamples)
        every = [list(outcomes.values()) for outcomes in observed]
        compared = sum(k is None for k, _ in cuts)  # values among all systems come first
        joint = joint_intervals(study.pairings, list(cuts.values()), every, how, steps, compared)
        many = joint.many
        intervals = [dict(zip(cuts, own, strict=True)) for own in joint.intervals]
        notes += joint.notes
    for i, pairing in enumerate(study.pairings):
        if how is not None and not pairing.has_topics:
            for key, outcome in observed[i].items():
                intervals[i][key], pvalues[i][key] = _over_systems(pairing, cuts[key], outcome, how)
            about = {"confidence_level": how.confidence_level, "systems": len(pairing.reference.mean)}
            notes.append(Note("over_systems", subject=pairing.name, values=about))
    records = tuple(
        Agreement(
            pairing.name,
            pairing.measures,
            cuts[k, c].top,
            systems_compared(pairing, cuts[k, c].top),
            c,
            float(outcome.values[0]),
            own.get((k, c)),
            p.get((k, c)),
        )
        for pairing, outcomes, own, p in zip(study.pairings, observed, intervals, pvalues, strict=True)
        for (k, c), outcome in outcomes.items()
    )
    return Agreements(records, observed, many, notes)


def _over_systems(
    pairing: Pairing, c: Coefficient, outcome: Outcome, how: Resampling
) -> tuple[ConfidenceInterval | None, float | None]:
    """Return the interval over systems, and the p-value of unrelated rankings; None if there is none."""
    x, y = pairing.reference.mean, pairing.estimate.mean
    if np.isnan(outcome.values[0]):
        return None, None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        found = jackknife_interval(x, y, c, confidence_level=how.confidence_level).confidence_interval
        test = permutation_test(x, y, c, n_resamples=how.n_resamples, rng=how.seed)
    return (None if np.isnan(found.low) else found), test.pvalue


def systems_compared(pairing: Pairing, top: int | None) -> int:
    """Return the number of systems that are compared; those tied with the k-th are included."""
    means = np.array(list(pairing.reference.mean.values()))
    return len(means) if top is None or top >= len(means) else int((means >= -np.sort(-means)[top - 1]).sum())


def reasons(
    study: Study, found: Agreements, coefficients: Sequence[Coefficient], most: int
) -> Iterator[Reason]:
    """Yield what costs most, for every pairing and coefficient.

    If more pairs than are listed cost the same, none is listed, and a note is added.
    """
    for pairing, outcomes in zip(study.pairings, found.observed, strict=True):
        pairs = read_pairs(pairing.reference.mean, pairing.estimate.mean)
        for c in coefficients:
            outcome = outcomes[None, c]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UndefinedWarning)  # a note says it
                why = explain_pair(c, pairs, float(outcome.values[0]), outcome.reason, most, 1)
            head = (pairing.name, pairing.measures, c)
            if why.items is None:
                for gone in why.removals or ():
                    yield Reason(*head, gone.gain, None, None, None, None, str(gone.item))
            elif not why.pairs and why.explained[0].highest_cost is not None:
                text = f"for {c}, too many pairs tie for the highest cost, so none is listed"
                found.notes.append(Note("reasons_alike", text=text, values={"coefficient": str(c)}))
            for pair in why.pairs or ():
                gaps = pair.reference_difference, pair.estimate_difference
                yield Reason(*head, pair.cost, str(pair.better), str(pair.worse), *gaps, None)
