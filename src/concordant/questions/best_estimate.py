"""Compare the best estimate with each other one, by every measure and coefficient."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from concordant.coefficients.declaration import Coefficient
from concordant.coefficients.engine import Outcome
from concordant.questions.agreement import Agreements
from concordant.results.note import Note
from concordant.results.table import parts
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.difference import difference_of
from concordant.statistics.resampling import Resampler, TopicSample
from concordant.statistics.scalars import DifferenceResult
from concordant.statistics.significance import adjust_pvalues
from concordant.statistics.simultaneous import JointIntervals, Steps
from concordant.study.pairing import Measures, Pairing
from concordant.study.study import Study


@dataclass(frozen=True)
class Difference:
    """How much better the best estimate agrees with the reference than another.

    Attributes
    ----------
    measure : str
        The measure of the reference.
    coefficient : Coefficient
        The coefficient.
    best : str
        The name of the best estimate.
    best_measure : str or None
        The measure of the best estimate, if it is not that of the reference; otherwise None.
    other : str
        The name of the other estimate.
    other_measure : str or None
        The measure of the other estimate, if it is not that of the reference; otherwise None.
    difference : float
        The value of the best estimate minus that of the other.
    interval : ConfidenceInterval or None
        The confidence interval; None if there is none.
    pvalue : float or None
        The p-value; None if there was no test.
    pvalue_adjusted : float or None
        The p-value, adjusted for the number of other estimates; None if there was no test.
    topics : int
        The number of topics that both estimates and the reference have.
    """

    measure: str
    coefficient: Coefficient
    best: str
    best_measure: str | None
    other: str
    other_measure: str | None
    difference: float
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="difference"))
    pvalue: float | None
    pvalue_adjusted: float | None
    topics: int


@dataclass(frozen=True)
class Contender:
    """An estimate by one measure and coefficient, among all that were tried.

    The confidence intervals of all contenders hold jointly, so that they are valid for the one that is chosen
    because it is the best.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    value : float
        The value of the coefficient; nan if it is undefined.
    interval : ConfidenceInterval or None
        The confidence interval, which holds jointly with those of all other contenders.
    below_best : float
        The difference between the best value by this coefficient and this value.
    pvalue : float
        The p-value of the hypothesis that this contender is the best.
    may_be_best : bool
        Whether it may be the best: no other is significantly better.
    """

    coefficient: Coefficient
    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    value: float
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="value"))
    below_best: float
    pvalue: float
    may_be_best: bool


def contenders(
    study: Study, found: Agreements, coefficients: Sequence[Coefficient], level: float
) -> tuple[Contender, ...]:
    """Return which estimates and measures may be the best, by each coefficient."""
    listed = []
    for each in found.joint.many if found.joint is not None else ():
        c, pairing = coefficients[each.coefficient], study.pairings[each.pairing]
        value, best = (float(found.observed[i][None, c].values[0]) for i in (each.pairing, each.best))
        listed.append(
            Contender(
                c,
                pairing.name,
                pairing.measures,
                value,
                None if math.isnan(each.interval.low) else each.interval,
                best - value,
                each.pvalue,
                each.pvalue >= 1 - level,
            )
        )
    return tuple(listed)


class BestAgainstOthers(NamedTuple):
    """The best pairing by one measure and coefficient, the others, and their outcomes."""

    coefficient: Coefficient
    best: Pairing
    others: list[Pairing]
    outcomes: dict[Pairing, Outcome]


def best_against_others(
    study: Study, found: Agreements, coefficients: Sequence[Coefficient]
) -> tuple[list[BestAgainstOthers], list[Note]]:
    """Find the best estimate for each measure of the reference and each coefficient, and the others."""
    listed: list[BestAgainstOthers] = []
    notes: list[Note] = []
    observed = dict(zip(study.pairings, found.observed, strict=True))
    for measure in dict.fromkeys(pairing.measures.measure for pairing in study.pairings):
        rivals = [pairing for pairing in study.pairings if pairing.measures.measure == measure]
        for c in coefficients if len(rivals) > 1 else ():
            outcomes = {pairing: observed[pairing][None, c] for pairing in rivals}
            values = {pairing: float(outcome.values[0]) for pairing, outcome in outcomes.items()}
            defined = [pairing for pairing in rivals if not math.isnan(values[pairing])]
            if len(defined) < len(rivals):
                without = tuple(pairing.name for pairing in rivals if pairing not in defined)
                notes.append(
                    Note("not_compared_undefined", values={"coefficient": str(c), "estimates": without})
                )
            if len(defined) < 2:
                continue
            best = max(defined, key=values.__getitem__)
            others = []
            for other in (pairing for pairing in defined if pairing is not best):
                if len(best.common_topics(other.estimate)) > 1:
                    others.append(other)
                else:
                    about = {"best": best.name, "other": other.name}
                    notes.append(Note("not_compared_topics", values=about))
            listed.append(BestAgainstOthers(c, best, others, outcomes))
    return listed, notes


def differences(
    study: Study, found: Agreements, asked: Sequence[Coefficient], how: Resampler, steps: Steps
) -> tuple[tuple[Difference, ...] | None, list[Note]]:
    """Compare the best estimates with the others.

    The p-values are adjusted for the number of others: from the joint resample, or, if topics differ so that
    there is no joint resample, by Holm's method.
    """
    listed, notes = best_against_others(study, found, asked)
    if not listed or found.joint is None:
        return None, notes
    many = found.joint.many
    joint = {(study.pairings[each.pairing], asked[each.coefficient]): each.against for each in many}
    records: list[Difference] = []
    for question in listed:
        c, best, others, _ = question
        made = [_difference(question, other, study, found.joint, how, steps, notes) for other in others]
        pvalues = [each.pvalue for each in made]
        known = not any(map(math.isnan, pvalues))
        adjusted = adjust_pvalues(pvalues, "holm").tolist() if known else [None] * len(made)
        if known and all((pairing, c) in joint for pairing in (best, *others)):
            adjusted = [max(p, joint[other, c]) for p, other in zip(pvalues, others, strict=True)]
        for other, each, p_adjusted in zip(others, made, adjusted, strict=True):
            low_high = each.confidence_interval
            records.append(
                Difference(
                    best.measures.measure,
                    c,
                    best.name,
                    _other_measure(best),
                    other.name,
                    _other_measure(other),
                    each.statistic,
                    None if math.isnan(low_high.low) else low_high,
                    None if math.isnan(each.pvalue) else each.pvalue,
                    p_adjusted,
                    each.n,
                )
            )
    return tuple(records), notes


def _other_measure(pairing: Pairing) -> str | None:
    measure, own = pairing.measures
    return None if own == measure else own


def _difference(
    question: BestAgainstOthers,
    other: Pairing,
    study: Study,
    joint: JointIntervals,
    how: Resampler,
    steps: Steps,
    notes: list[Note],
) -> DifferenceResult:
    """Compare the best estimate with another on the topics that both and the reference have."""
    c, best = question.coefficient, question.best
    topics = best.common_topics(other.estimate)
    own, rival = best.on(topics), other.on(topics)
    unchanged = (
        own.reference is best.reference and own.estimate is best.estimate and rival.estimate is other.estimate
    )
    if unchanged and best.reference is other.reference:  # the topics have been drawn
        numbers = [study.pairings.index(pairing) for pairing in (best, other)]
        group, sample, drawn = next(each for each in joint.groups if set(numbers) <= set(each.pairings))
        a, b = (group.index(number) for number in numbers)
        which = list(sample.coefficients).index(c)
    else:
        # The reference belongs to both pairings, but is only one side.
        sample = TopicSample([own, Pairing(rival.name, own.reference, rival.estimate)], [c], how)
        drawn, a, b, which = sample.draw(steps.part(how.n_resamples)), 0, 1, 0
    found = difference_of(sample, drawn, a, b, which, progress=steps.part(how.n_resamples))
    every = {topic for side in (best.reference, best.estimate, other.estimate) for topic in side.topics}
    if found.n < len(every):
        about = {"best": best.name, "other": other.name, "topics": found.n}
        notes.append(Note("compared_on_fewer_topics", values=about))
    notes += [note.about(f"{best.name} and {other.name}") for note in found.notes]
    return found
