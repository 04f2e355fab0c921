"""Align the scores of several sides: the same systems and topics, with notes on what was changed."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from concordant.errors import ArgumentError, option
from concordant.results.note import Note
from concordant.results.words import count, some
from concordant.scores.scores import Scores
from concordant.study.names import alike
from concordant.typing import OnMissing, Topics

Sides = dict[str, Scores]


class Aligned(NamedTuple):
    """The sides by name, what was left out, and the notes."""

    sides: Sides
    dropped_systems: tuple[str, ...]
    dropped_topics: tuple[str, ...]
    notes: list[Note]


def common_topics(sides: Sequence[Scores]) -> list[str]:
    """Return the topics that all sides have, in the order of the first."""
    shared = set.intersection(*(set(side.topics) for side in sides))
    return [topic for topic in sides[0].topics if topic in shared]


def aligned(sides: Sides, on_missing: OnMissing | None, topics: Topics = "common") -> Aligned:
    """Align the sides to the same systems in the same order, and handle what some of them lack."""
    notes = [note.about(name) for name, side in sides.items() for note in side.notes]
    sides = _without_empty_topics(sides, notes)
    sides, dropped_systems = _same_systems(sides, on_missing, notes)
    sides, unknown = _with_means(sides, on_missing, notes)
    dropped_systems += unknown
    sides, dropped_topics = _same_topics(sides, on_missing, topics, notes)
    sides, incomplete = _complete(sides, on_missing, notes)
    return Aligned(sides, tuple(dropped_systems), (*dropped_topics, *incomplete), notes)


def _lacking(sides: Sides, every: Sequence[str], kind: str) -> dict[str, list[str]]:
    """Return the systems or topics that each side lacks."""
    return {
        name: [label for label in every if label not in set(getattr(side, kind))]
        for name, side in sides.items()
    }


def _refuse(lacking: dict[str, list[str]], what: str, advice: str) -> None:
    name, gone = next((name, gone) for name, gone in lacking.items() if gone)
    raise ArgumentError(
        f"{name} lacks {count(len(gone), what)} that another side has: {some(gone)}; {advice}"
    )


def _same_systems(sides: Sides, on_missing: OnMissing | None, notes: list[Note]) -> tuple[Sides, list[str]]:
    every = list(dict.fromkeys(system for side in sides.values() for system in side.systems))
    lacking = _lacking(sides, every, "systems")
    dropped: list[str] = []
    if any(lacking.values()):
        if on_missing in (None, "error"):
            keep, zero = option("on_missing", "drop"), option("on_missing", "zero")
            advice = f"keep those in common with {keep}, or count them as 0 with {zero}"
            pairs = _alike(sides)
            if pairs:
                both = ", ".join(f"{one!r} and {other!r}" for one, other in pairs[:3])
                loose = option("match", "loose")
                advice = (
                    f"{both} differ only in case or punctuation: join such names with {loose}; or {advice}"
                )
            _refuse(lacking, "system", advice)
        notes += [Note("names_alike", values={"pairs": pairs}) for pairs in [_alike(sides)] if pairs]
        if on_missing == "drop":
            dropped = [s for s in every if any(s in gone for gone in map(set, lacking.values()))]
            every = [s for s in every if s not in set(dropped)]
            if not every:
                raise ArgumentError("the sides have no system in common; are the names the same?")
            notes.append(Note("systems_dropped", values={"systems": tuple(dropped)}))
        else:
            notes += [
                Note("systems_as_zero", subject=name, values={"systems": tuple(gone)})
                for name, gone in lacking.items()
                if gone
            ]
            sides = {name: _with_zeros(side, 2, lacking[name]) for name, side in sides.items()}
    return {name: side.select(systems=every) for name, side in sides.items()}, dropped


def _alike(sides: Sides) -> list[tuple[str, str]]:
    """Return names of systems of different sides that differ only in case or punctuation."""
    first, *others = sides.values()
    found = [pair for other in others for pair in alike(first.systems, other.systems)]
    both = {
        system
        for side in sides.values()
        for system in side.systems
        if all(system in s.systems for s in sides.values())
    }
    return [(one, other) for one, other in dict.fromkeys(found) if not {one, other} & both]


def _without_empty_topics(sides: Sides, notes: list[Note]) -> Sides:
    """Leave out topics without any score."""
    found = dict(sides)
    for name, side in sides.items():
        empty = np.flatnonzero(np.isnan(side.values).all(axis=(0, 2)))
        if len(empty) in (0, len(side.topics)):
            continue
        gone = tuple(side.topics[place] for place in empty)
        notes.append(Note("topics_without_scores", subject=name, values={"topics": gone}))
        found[name] = side.select(topics=[topic for topic in side.topics if topic not in set(gone)])
    return found


def _with_means(sides: Sides, on_missing: OnMissing | None, notes: list[Note]) -> tuple[Sides, list[str]]:
    """In tables without topics, leave out systems without a mean; counting them as 0 would invent a score."""
    gone: list[str] = []
    if on_missing in (None, "drop"):
        for name, side in sides.items():
            lacking = [system for _, _, system in side.missing()] if side.topics == ("all",) else []
            if lacking:
                systems = tuple(dict.fromkeys(lacking))
                measures = tuple(dict.fromkeys(measure for measure, _, _ in side.missing()))
                about = {"systems": systems, "measures": measures, "of": len(side.measures)}
                notes.append(Note("systems_without_means", subject=name, values=about))
                gone += systems
    if not gone:
        return sides, []
    gone = list(dict.fromkeys(gone))
    first = next(iter(sides.values()))
    kept = [system for system in first.systems if system not in set(gone)]
    if not kept:
        raise ArgumentError(
            f"no system has all scores: {some(gone)} lack some; choose measures with fewer gaps"
        )
    return {name: side.select(systems=kept) for name, side in sides.items()}, gone


def _refuse_zero(name: str, side: Scores, missing: Sequence[tuple[str, str, str]]) -> None:
    """Refuse to count a missing score as 0 where the smallest score is the best."""
    for measure, topic, system in missing:
        if measure in side.lower:
            where = "" if topic == "all" else f" for topic {topic!r}"
            raise ArgumentError(
                f"{name} has no {measure} of system {system!r}{where}; the smallest {measure} is the best, "
                f"so that 0 would be the best score; leave it out with {option('on_missing', 'drop')}"
            )


def _with_zeros(side: Scores, axis: int, more: Sequence[str]) -> Scores:
    """Return the scores with more topics (axis 1) or systems (axis 2), whose scores are 0."""
    if side.lower and more:
        measure = min(side.lower)
        raise ArgumentError(
            f"{more[0]!r} has no {measure}; the smallest {measure} is the best, so that 0 would be the best "
            f"score; keep what the sides have in common with {option('on_missing', 'drop')}"
        )
    shape = list(side.values.shape)
    shape[axis] = len(more)
    labels = [side.measures, side.topics, side.systems]
    labels[axis] = (*labels[axis], *more)
    values = np.concatenate([side.values, np.zeros(shape)], axis=axis)
    return Scores(values, measures=labels[0], topics=labels[1], systems=labels[2], notes=side.notes)


def _same_topics(
    sides: Sides, on_missing: OnMissing | None, topics: Topics, notes: list[Note]
) -> tuple[Sides, list[str]]:
    every = list(dict.fromkeys(topic for side in sides.values() for topic in side.topics))
    common = common_topics(list(sides.values()))
    if len(common) == len(every):
        return {name: side.select(topics=every) for name, side in sides.items()}, []
    lacking = _lacking(sides, every, "topics")
    if on_missing is None and topics == "common":
        _refuse_shifted(sides)
    if on_missing == "error":
        _refuse(lacking, "topic", f"keep those in common with {option('on_missing', 'drop')}")
    if on_missing == "drop":
        if not common:
            raise ArgumentError("the sides have no topic in common; are the topics named the same?")
        dropped = [topic for topic in every if topic not in set(common)]
        notes.append(Note("topics_dropped", values={"topics": tuple(dropped)}))
        return {name: side.select(topics=common) for name, side in sides.items()}, dropped
    if on_missing == "zero":
        notes += [
            Note("topics_as_zero", subject=name, values={"topics": tuple(gone)})
            for name, gone in lacking.items()
            if gone
        ]
        sides = {name: _with_zeros(side, 1, lacking[name]) for name, side in sides.items()}
        return {name: side.select(topics=every) for name, side in sides.items()}, []
    notes += _differing_topics(sides, topics)
    return sides, []


def _refuse_shifted(sides: Sides) -> None:
    """Refuse topics 0 to n - 1 on one side and 1 to n on the other: they may be the same topics."""
    for (name, side), (other, others) in itertools.permutations(sides.items(), 2):
        n = len(side.topics)
        if n < 2 or len(others.topics) != n or "0" not in side.topics or "0" in others.topics:
            continue
        if [set(side.topics), set(others.topics)] == [{str(i + k) for i in range(n)} for k in (0, 1)]:
            raise ArgumentError(
                f"the topics of {name} are 0 to {n - 1}, those of {other} 1 to {n}; name them alike on both "
                f"sides, or compare those of the same number with {option('on_missing', 'drop')}"
            )


def _differing_topics(sides: Sides, topics: Topics) -> list[Note]:
    """Return a note for each estimate whose topics differ from those of the reference."""
    first, *others = sides
    found = []
    for name in others:
        sizes = {side: len(set(sides[side].topics) - {"all"}) for side in (first, name)}
        common = len(common_topics([sides[first], sides[name]]))
        if {common} != set(sizes.values()):
            own = topics == "own" or common == 0
            found.append(Note("topics_differ", values={"sizes": sizes, "common": common, "own": own}))
    return found


def _complete(sides: Sides, on_missing: OnMissing | None, notes: list[Note]) -> tuple[Sides, list[str]]:
    """Handle scores that a system lacks for a topic."""
    sides = dict(sides)
    gone: list[str] = []
    for name, side in sides.items():
        missing = side.missing()
        if not missing:
            continue
        if on_missing == "error":
            measure, topic, system = missing[0]
            zero, drop = option("on_missing", "zero"), option("on_missing", "drop")
            raise ArgumentError(
                f"{name} has no {measure} of system {system!r} for topic {topic!r}; count it as 0 with "
                f"{zero}, or leave out the topic with {drop}"
            )
        if on_missing == "drop":
            gone += [topic for _, topic, _ in missing]
            continue
        _refuse_zero(name, side, missing)
        systems = tuple(dict.fromkeys(system for _, _, system in missing))
        notes.append(
            Note("scores_as_zero", subject=name, values={"scores": len(missing), "systems": systems})
        )
        sides[name] = side.fill()
    gone = list(dict.fromkeys(gone))
    if gone:
        first = next(iter(sides.values()))
        kept = [topic for topic in first.topics if topic not in set(gone)]
        if not kept:
            raise ArgumentError(
                "no topic has the scores of all systems; leave out systems with gaps, or count what is "
                f"missing as 0 with {option('on_missing', 'zero')}"
            )
        notes.append(Note("topics_incomplete", values={"topics": tuple(gone)}))
        sides = {name: side.select(topics=kept) for name, side in sides.items()}
    return sides, gone
