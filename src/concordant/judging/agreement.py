"""Coefficients of rankings by means, with their intervals.

They are the first answer to every question about systems.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from concordant.coefficients import Coefficient, Outcome
from concordant.comparison import Removal, explain_pair, tie_range_notes
from concordant.errors import UndefinedWarning
from concordant.inference import (
    ConfidenceInterval,
    Method,
    OneOfMany,
    Resampling,
    Steps,
    groups_of,
    jackknife_interval,
    joint_intervals,
    permutation_test,
)
from concordant.judging.wording import of_systems
from concordant.rankings import generator, n_workers, read_pairs
from concordant.scores import Measures, Pairing, Study
from concordant.tables import Note, absent, parts
from concordant.typing import Progress, RngLike

__all__ = [
    "Agreement",
    "Agreements",
    "Reason",
    "agreements",
    "highest",
    "reasons",
    "resampling",
    "systems_compared",
]


@dataclass(frozen=True)
class Agreement:
    """One coefficient of the rankings of systems by an estimate and by the reference."""

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    top: int | None = field(metadata=absent("all"))  # among the best k systems of the reference
    n: int  # systems
    coefficient: Coefficient
    value: float  # nan if it is undefined
    interval: ConfidenceInterval | None = field(  # over topics, else over systems
        metadata=parts("low", "high", of="value")
    )
    pvalue: float | None = None  # where there are no topics: of unrelated rankings


@dataclass(frozen=True)
class Reason:
    """A pair of systems that lowers a coefficient much.

    Where the costs of pairs are not known, it is a single system.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    coefficient: Coefficient
    cost: float
    better: str | None  # by the reference
    worse: str | None
    reference_difference: float | None
    estimate_difference: float | None
    without: str | None  # the system without which the coefficient is higher by the cost


def highest(listed: Sequence[Agreement]) -> set[int]:
    """Return the numbers of the records with the highest value of several by a measure and coefficient."""
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
    """The records, the outcomes behind them by pairing and coefficient, and remarks."""

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
    """Check the options of intervals; None if no intervals are wanted."""
    if confidence_level is None:
        n_workers(workers)
        return None
    how = Resampling.checked(n_resamples, confidence_level, method, rng, workers, executor=executor)
    # Every question starts from the same seed, so that answers can be compared.
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

    Each pair of mean rankings is computed once, and the intervals jointly.
    """
    # A coefficient with a cut of its own has one value, among all.
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
                values = {"coefficient": str(cuts[cut]), "reason": of_systems(outcome.reason)}
                notes.append(Note("undefined", pairing.subject, values))
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
        compared = sum(k is None for k, _ in cuts)  # those among all systems come first
        joint = joint_intervals(study.pairings, list(cuts.values()), every, how, steps, compared)
        many = joint.many
        intervals = [dict(zip(cuts, own, strict=True)) for own in joint.intervals]
        notes += joint.notes
    for i, pairing in enumerate(study.pairings):
        if how is not None and not pairing.has_topics:
            for key, outcome in observed[i].items():
                intervals[i][key], pvalues[i][key] = _over_systems(pairing, cuts[key], outcome, how)
            about = {"confidence_level": how.confidence_level, "systems": len(pairing.reference.mean)}
            notes.append(Note("over_systems", pairing.name, about))
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
    """Return the interval over systems, and the p-value of unrelated rankings; None where there is none."""
    x, y = pairing.reference.mean, pairing.estimate.mean
    if np.isnan(outcome.values[0]):
        return None, None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        found = jackknife_interval(x, y, c, confidence_level=how.confidence_level).confidence_interval
        test = permutation_test(x, y, c, n_resamples=how.n_resamples, rng=how.seed)
    return (None if np.isnan(found.low) else found), test.pvalue


def systems_compared(pairing: Pairing, top: int | None) -> int:
    """Return the number of systems compared; those tied with the k-th are in."""
    means = np.array(list(pairing.reference.mean.values()))
    return len(means) if top is None or top >= len(means) else int((means >= -np.sort(-means)[top - 1]).sum())


def reasons(
    study: Study, found: Agreements, coefficients: Sequence[Coefficient], most: int
) -> Iterator[Reason]:
    """Yield what costs most, for every pairing and coefficient, from the values that were computed.

    Where more pairs than these cost the same, there is none, and a note is added to those found.
    """
    for pairing, outcomes in zip(study.pairings, found.observed, strict=True):
        pairs = read_pairs(pairing.reference.mean, pairing.estimate.mean)
        for c in coefficients:
            outcome = outcomes[None, c]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UndefinedWarning)  # a note says it
                why = explain_pair(c, pairs, float(outcome.values[0]), outcome.reason, most, 1)
            if any(note.kind == "pairs_cost_the_same" for note in why.notes):
                found.notes.append(Note("reasons_alike", values={"coefficient": str(c)}))
            for each in why.reasons(most):
                head = (pairing.name, pairing.measures, c)
                if isinstance(each, Removal):
                    yield Reason(*head, each.gain, None, None, None, None, str(each.item))
                else:
                    gaps = each.reference_difference, each.estimate_difference
                    yield Reason(*head, each.cost, str(each.better), str(each.worse), *gaps, None)
