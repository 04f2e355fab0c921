"""A ranking against several others without topics, such as a new benchmark against established ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from concordant.coefficients.declaration import Coefficient
from concordant.coefficients.evaluation import without_groups
from concordant.questions.verdict import names_of, of_measures
from concordant.results.note import Note
from concordant.results.table import parts
from concordant.results.words import count, few, noun, number, pvalue, with_interval
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.jackknife import jackknife_interval
from concordant.statistics.several_rankings import (
    LEAST_PEERS,
    LEAST_SHARED,
    Aggregation,
    BesideOthers,
    aggregate,
    agreement_by_size,
    agreement_of,
    kendall_w,
    peers,
    with_others,
)
from concordant.study.pairing import Measured, Pairing
from concordant.study.study import Study
from concordant.typing import Floats

if TYPE_CHECKING:
    from concordant.questions.correlate import CorrelateResult
    from concordant.questions.matrix import Matrix
    from concordant.statistics.resampling import Resampler

MANY = 3  # rankings that one is compared with
_BY: Aggregation = "win_rate"
_MOST_PERMUTED = 1_000_000  # ranks in all permutations for Kendall's W
_LEAST_W = 3  # systems that all rankings have
_FEW = 3


@dataclass(frozen=True)
class Standing:
    """How the reference stands among the others, by one of its measures.

    Attributes
    ----------
    measure : str
        The measure of the reference.
    benchmarks : int
        The number of others that were compared with the reference and with each other.
    agreement : float or None
        The mean of the first coefficient of the reference with them.
    others : float or None
        The mean of the first coefficient of the others with each other, on the same systems.
    difference : float or None
        The first of these means minus the second.
    interval : ConfidenceInterval or None
        The interval of the difference, of one more benchmark drawn as the others were; None for fewer than
        five others.
    decision : {"less", "more", "not told apart"} or None
        Whether the reference is shown to agree less, or more, with the others than they do with each other.
    above : int
        How many of the others agree more with the rest than the reference does.
    aggregate : float or None
        The first coefficient of the reference with the aggregate of all others, the mean win rate.
    aggregate_interval : ConfidenceInterval or None
        Its confidence interval over the systems.
    aggregate_n : int
        The number of systems that the reference shares with the aggregate.
    kendall_w : float or None
        Kendall's W of the reference and all others, on the systems that all have; None for fewer than three.
    kendall_pvalue : float or None
        Its p-value: rankings in random order.
    kendall_n : int
        The number of systems that all have.
    """

    measure: str
    benchmarks: int
    agreement: float | None
    others: float | None
    difference: float | None
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="difference"))
    decision: BesideOthers | None
    above: int
    aggregate: float | None
    aggregate_interval: ConfidenceInterval | None = field(
        metadata=parts("aggregate_low", "aggregate_high", of="aggregate")
    )
    aggregate_n: int
    kendall_w: float | None
    kendall_pvalue: float | None
    kendall_n: int


@dataclass(frozen=True)
class AgreementOfSome:
    """The mean of the first coefficient of the reference with others, of some of the systems.

    Attributes
    ----------
    measure : str
        The measure of the reference.
    drawn : {"random", "top", "adjacent"}
        Which systems: drawn at random, the best by the reference, or neighbours in its order.
    n : int
        The number of systems.
    benchmarks : int
        The number of others; the same for all numbers of systems.
    value : float
        The mean over them, and over 100 random draws, or all neighbours.
    interval : ConfidenceInterval or None
        The middle 0.95 of the random draws.
    """

    measure: str
    drawn: Literal["random", "top", "adjacent"]
    n: int
    benchmarks: int
    value: float
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="value"))


@dataclass(frozen=True)
class WithoutSystem:
    """A system of the reference, and what the agreement with the others would be without it.

    Attributes
    ----------
    measure : str
        The measure of the reference.
    system : str
        The system.
    benchmarks : int
        The number of others that have it.
    value : float
        The mean of the first coefficient with the others.
    without : float
        The same mean without the system.
    """

    measure: str
    system: str
    benchmarks: int
    value: float
    without: float


def without_itself(study: Study) -> tuple[tuple[Pairing, ...], list[Note]]:
    """Return the pairings without the reference itself, if it is one of several estimates, and a note."""
    kept, same = list[Pairing](), list[str]()
    for pairing in study.pairings:
        own, other = (
            study.measured[name][measure].mean
            for name, measure in zip((study.reference_name, pairing.name), pairing.measures, strict=True)
        )
        equal = len(study.estimates) > 1 and not pairing.has_topics and dict(own) == dict(other)
        (same if equal else kept).append(pairing.name if equal else pairing)  # type: ignore[arg-type]
    if not same or not kept:
        return study.pairings, []
    return tuple(kept), [itself_note(same)]


def itself_note(names: Sequence[str]) -> Note:
    """Return that the reference was among the estimates, and was left out."""
    text = f"the reference itself, {few(names, 'estimates')}, was left out of the estimates"
    return Note("itself_left_out", text=text, values={"estimates": list(names)}, lost=True)


def with_enough_systems(
    pairings: Sequence[Pairing], many: bool
) -> tuple[tuple[Pairing, ...], tuple[Pairing, ...]]:
    """Return the pairings that share enough systems for a value, and the others."""
    sizes = [len(each.reference.systems) for each in pairings]
    least = LEAST_SHARED if many and max(sizes) >= LEAST_SHARED else 2
    if max(sizes) < least:
        return tuple(pairings), ()
    kept = tuple(each for each in pairings if len(each.reference.systems) >= least)
    return kept, tuple(each for each in pairings if len(each.reference.systems) < least)


def are_many(pairings: Sequence[Pairing]) -> bool:
    """Return whether one ranking is compared with several, without topics."""
    return len({each.name for each in pairings}) >= MANY and not any(each.has_topics for each in pairings)


def standings(
    study: Study, pairings: Sequence[Pairing], c: Coefficient, how: Resampler | None
) -> tuple[dict[str, Any], dict[tuple[str, Any], dict[str, Any]]]:
    """Return the tables about the reference among the others, and further fields of each estimate's row."""
    level, seed = (0.95, 0) if how is None else (how.confidence_level, how.seed)
    listed, sizes, more = list[Standing](), list[AgreementOfSome](), {}
    causes = list[WithoutSystem]()
    for measure in dict.fromkeys(each.measures.measure for each in pairings):
        own = [each for each in pairings if each.measures.measure == measure]
        sides = [study.measured[each.name][each.measures.estimate_measure] for each in own]
        table, sources = (
            table_of([study.measured[study.reference_name][measure], *sides]),
            [p.name for p in own],
        )
        found = peers(table, sources, c, 1 if how is None else how.threads)
        together = with_others(table[1:], _BY, c, sources)
        for pairing, mutual, (value, n) in zip(own, found.with_each.tolist(), together, strict=True):
            few_here = n < LEAST_SHARED
            more[pairing.name, pairing.measures] = {
                "others": _known(mutual),
                "aggregate": None if few_here else _known(value),
                "aggregate_n": n,
            }
        listed.append(
            Standing(
                measure=measure,
                benchmarks=len(found.differences),
                agreement=_known(found.agreement),
                others=_known(found.others),
                difference=_known(found.difference),
                interval=found.interval(level),
                decision=found.decision(level),
                above=found.n_above,
                **_with_aggregate(table, c, level),
                **concordance(table, seed),
            )
        )
        causes += _causes(measure, own, c) if c.top is None else []
        n_others, at_sizes = agreement_by_size(table, c, np.random.default_rng(seed))
        for each in at_sizes:
            ends = None if each.ends is None else ConfidenceInterval(*each.ends)
            sizes.append(AgreementOfSome(measure, each.drawn, each.n, n_others, each.value, ends))
    return {"standing": tuple(listed), "sizes": tuple(sizes), "causes": tuple(causes)}, more


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def table_of(sides: Sequence[Measured]) -> Floats:
    """Return the means, sides x all systems; nan is missing."""
    systems = dict.fromkeys(system for side in sides for system in side.mean)
    return np.array([[side.mean.get(system, math.nan) for system in systems] for side in sides])


def _with_aggregate(table: Floats, c: Coefficient, level: float) -> dict[str, Any]:
    """Return how the first ranking agrees with the aggregate of all others."""
    own, whole = table[0], aggregate(table[1:], _BY).scores
    both = ~np.isnan(own) & ~np.isnan(whole)
    x, y = own[both], whole[both]
    value, interval = agreement_of(x, y, c) if len(x) >= LEAST_SHARED else math.nan, None
    if not math.isnan(value):
        ends = jackknife_interval(x, y, c, confidence_level=level).confidence_interval
        interval = None if math.isnan(ends.low) else ends
    return {"aggregate": _known(value), "aggregate_interval": interval, "aggregate_n": len(x)}


def concordance(table: Floats, seed: int = 0) -> dict[str, Any]:
    """Return Kendall's W of three or more rankings, with its p-value, of the systems that all have."""
    n = int((~np.isnan(table)).all(axis=0).sum())
    if n < _LEAST_W or len(table) < MANY:
        return {"kendall_w": None, "kendall_pvalue": None, "kendall_n": n}
    draws = min(9999, max(999, _MOST_PERMUTED // (n * len(table))))
    found = kendall_w(table, draws, np.random.default_rng(seed))
    return {"kendall_w": _known(found.w), "kendall_pvalue": _known(found.pvalue), "kendall_n": n}


def concordance_in_words(about: Standing | Matrix, rankings: str) -> str | None:
    """Return Kendall's W in words."""
    if about.kendall_w is None:
        return None
    of = f"{rankings} on {count(about.kendall_n, 'system')}"
    return f"Kendall's W of all {of} is {number(about.kendall_w)} ({pvalue(about.kendall_pvalue)})"


def _causes(measure: str, pairings: Sequence[Pairing], c: Coefficient) -> list[WithoutSystem]:
    """Return each system of the reference, first the one without which the mean agreement is largest."""
    values, effects = list[float](), dict[str, list[float]]()
    for pairing in pairings:
        names, sides = list(pairing.reference.mean), (pairing.reference.means, pairing.estimate.means)
        value = agreement_of(*sides, c)
        if len(names) > LEAST_SHARED and not math.isnan(value):
            values.append(value)
            without = without_groups(c, *sides, np.arange(len(names)), len(names), 1)
            for name, other in zip(names, without.tolist(), strict=True):
                effects.setdefault(name, []).append(0.0 if math.isnan(other) else other - value)
    n, mean = len(values), float(np.mean(values)) if values else math.nan
    found = [WithoutSystem(measure, s, len(own), mean, mean + sum(own) / n) for s, own in effects.items()]
    return sorted(found, key=lambda each: (-each.without, each.system))


# --- words -----------------------------------------------------------------------------------------------


def _kinds(n: int, more: str = "") -> str:
    return count(n, f"{more}{'benchmark' if noun('system') == 'model' else 'ranking'}")


def verdict_of_standing(result: CorrelateResult) -> Iterator[str | None]:
    """Yield how the reference stands among the others, by each of its measures."""
    by = of_measures(result)
    for each in result.standing or ():
        rows = by.get(each.measure, [])
        c, where = rows[0].coefficient, f"By {each.measure}, " if len(by) > 1 else ""
        name = result.reference or ("the reference" if where else "The reference")
        if each.decision is None:
            enough = f"whether {name} agrees with them as they do with each other"
            few_others = (
                f"{_kinds(each.benchmarks)} with {LEAST_SHARED} {noun('systems')} in common are too few"
            )
            yield f"{where}{few_others} to say {enough}; {LEAST_PEERS} are needed"
        else:
            than = f"the other {_kinds(each.benchmarks)}"
            said = f"agrees {each.decision} with {than} than these do with each other"
            if each.decision == "not told apart":
                said = f"is not told apart from {than}"
            numbers = f"{c} {number(each.agreement)} on average, theirs with each other {number(each.others)}"
            ends = with_interval(each.difference, each.interval)
            yield f"{where}{name} {said}: {numbers} on the same {noun('systems')} (difference {ends})"
        if each.aggregate is not None:
            value = with_interval(each.aggregate, each.aggregate_interval)
            of = count(each.aggregate_n, "system")
            yield f"With the aggregate of the others it has {c} {value} on {of}"
        defined = sorted((row for row in rows if not math.isnan(row.value)), key=lambda row: -row.value)
        names, keys = names_of(result), [(row.estimate, row.measure) for row in defined]
        if len(defined) > 1:
            first, last = (f"{names[keys[k]]} ({number(defined[k].value)})" for k in (0, -1))
            yield f"It is closest to {first} and farthest from {last}"
        judged = {(each.estimate, each.measure) for each in result.judges}
        short = [
            names[row.estimate, row.measure] for row in rows if (row.estimate, row.measure) not in judged
        ]
        if short:
            share = "shares" if len(short) == 1 else "share"
            least = f"fewer than {LEAST_SHARED} {noun('systems')}"
            yield f"{few(short, 'estimates')} {share} {least} with it: too few for a value"
        yield concordance_in_words(each, _kinds(1 + len({row.estimate for row in rows})))


def causes_in_words(result: CorrelateResult) -> Iterator[str]:
    """Yield the systems without which the reference would agree most with the others."""
    for each in result.standing or ():
        rows = [row for row in result.causes or () if row.measure == each.measure and row.without > row.value]
        if rows:
            listed = ", ".join(f"{row.system} {number(row.without)}" for row in rows[:_FEW])
            where = f" by {each.measure}" if len(result.standing or ()) > 1 else ""
            mean = f"mean {result.agreement[0].coefficient} is {number(rows[0].value)}"
            yield f"Disagreement{where}: {mean}; without {listed}"
