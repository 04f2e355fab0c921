"""Align the scores of several sides: the same systems and topics, with notes on what was changed."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NoReturn

import numpy as np

from concordant.errors import ArgumentError, option
from concordant.results.note import Note
from concordant.results.words import count, some
from concordant.scores.scores import ALL, Scores, derived, set_to_zero
from concordant.study.names import alike
from concordant.typing import OnMissing, Topics

Sides = dict[str, Scores]


def common_topics(sides: Sequence[Scores]) -> list[str]:
    """Return the topics that all sides have, in the order of the first."""
    shared = set.intersection(*(set(side.topics) for side in sides))
    return [topic for topic in sides[0].topics if topic in shared]


def aligned(
    sides: Sides, on_missing: OnMissing | None, topics: Topics, notes: list[Note]
) -> tuple[Sides, tuple[str, ...], tuple[str, ...]]:
    """Align the sides to the same systems in the same order, and handle what some of them lack.

    Return them, and the systems and topics that were dropped; `notes` gets a note for each change.
    """
    sides = _without_empty_topics(sides, notes)
    sides, dropped_systems = _same(sides, "system", on_missing, topics, notes)
    sides, unknown = _with_means(sides, on_missing, notes)
    sides, dropped_topics = _same(sides, "topic", on_missing, topics, notes)
    sides, incomplete = _complete(sides, on_missing, notes)
    return sides, (*dropped_systems, *unknown), (*dropped_topics, *incomplete)


def selected(sides: Sides, kind: str, labels: Sequence[str]) -> Sides:
    """Return the sides with some of the systems or topics, in the given order."""
    return {name: side.select(**{f"{kind}s": labels}) for name, side in sides.items()}


def _same(
    sides: Sides, kind: str, on_missing: OnMissing | None, topics: Topics, notes: list[Note]
) -> tuple[Sides, list[str]]:
    """Give all sides the same systems or topics, in the order of the first; also return those dropped."""
    own = {name: dict.fromkeys(getattr(side, f"{kind}s")) for name, side in sides.items()}
    every = list(dict.fromkeys(label for labels in own.values() for label in labels))
    lacking = {name: [label for label in every if label not in labels] for name, labels in own.items()}
    if not any(lacking.values()):
        return selected(sides, kind, every), []
    pairs = _alike(sides) if kind == "system" else []
    if on_missing == "error" or (on_missing is None and kind == "system"):
        advice = f"keep those in common with {option('on_missing', 'drop')}"
        if kind == "system":
            advice += f", or set them to 0 with {option('on_missing', 'zero')}"
        if pairs:
            both = ", ".join(f"{one!r} and {other!r}" for one, other in pairs[:3])
            join = f"join such names with {option('match', 'loose')}"
            advice = f"{both} differ only in case or punctuation: {join}; or {advice}"
        name, absent = next((name, absent) for name, absent in lacking.items() if absent)
        lacks = f"{name} lacks {count(len(absent), kind)} that another side has: {some(absent)}"
        raise ArgumentError(f"{lacks}; {advice}")
    if pairs:
        shown = some([f"{one} and {other}" for one, other in pairs])
        text = f"different names that differ only in case or punctuation: {shown}"
        notes.append(Note("names_alike", text=text, values={"pairs": pairs}, lost=True))
    if on_missing is None:
        if topics == "common":
            _refuse_shifted(sides)
        return sides, []
    if on_missing == "zero":
        return selected(_with_zeros(sides, lacking, kind, notes), kind, every), []
    gone = {label for labels in lacking.values() for label in labels}
    kept, dropped = ([label for label in every if (label in gone) == out] for out in (False, True))
    if not kept:
        raise ArgumentError(f"the sides have no {kind} in common; are the {kind}s named the same?")
    are = "is" if len(dropped) == 1 else "are"
    text = f"dropped {count(len(dropped), kind)} that {are} missing on at least one side: {some(dropped)}"
    notes.append(Note(f"{kind}s_dropped", text=text, values={f"{kind}s": tuple(dropped)}, lost=True))
    return selected(sides, kind, kept), dropped


def _alike(sides: Sides) -> list[tuple[str, str]]:
    """Return names of systems of different sides that differ only in case or punctuation."""
    first, *others = sides.values()
    found = [pair for other in others for pair in alike(first.systems, other.systems)]
    both = set(first.systems).intersection(*(other.systems for other in others))
    return [pair for pair in dict.fromkeys(found) if not both & set(pair)]


def _without_empty_topics(sides: Sides, notes: list[Note]) -> Sides:
    """Leave out topics without any score."""
    found = dict(sides)
    for name, side in sides.items():
        empty = np.flatnonzero(np.isnan(side.values).all(axis=(0, 2)))
        if len(empty) in (0, len(side.topics)):
            continue
        gone = tuple(side.topics[place] for place in empty)
        text = f"left out {count(len(gone), 'topic')} without any score on this side: {some(gone)}"
        notes.append(
            Note("topics_without_scores", subject=name, text=text, values={"topics": gone}, lost=True)
        )
        found[name] = side.select(topics=[topic for topic in side.topics if topic not in gone])
    return found


def _with_means(sides: Sides, on_missing: OnMissing | None, notes: list[Note]) -> tuple[Sides, list[str]]:
    """In tables without topics, leave out systems without a mean; to set it to 0 would invent a score."""
    gone: list[str] = []
    for name, side in sides.items() if on_missing in (None, "drop") else ():
        missing = side.missing() if side.topics == (ALL,) else []
        if missing:
            systems = tuple(dict.fromkeys(system for _, _, system in missing))
            measures = tuple(dict.fromkeys(measure for measure, _, _ in missing))
            everywhere = ", by all measures" if len(side.measures) > 1 else ""
            left_out = f"left out {count(len(systems), 'system')} without {some(measures)}"
            text = f"{left_out}{everywhere}, on all sides: {some(systems)}"
            about = {"systems": systems, "measures": measures, "of": len(side.measures)}
            notes.append(Note("systems_without_means", subject=name, text=text, values=about, lost=True))
            gone += systems
    gone = list(dict.fromkeys(gone))
    kept = [system for system in next(iter(sides.values())).systems if system not in set(gone)]
    if gone and not kept:
        lack = f"no system has all scores: {some(gone)} lack some"
        raise ArgumentError(f"{lack}; choose measures with fewer gaps")
    return selected(sides, "system", kept), gone


def _refuse_zero(lack: str, measure: str, advice: str) -> NoReturn:
    """Refuse to set a missing score to 0 where the smallest score is the best."""
    best = f"the smallest {measure} is the best, so that 0 would be the best score"
    raise ArgumentError(f"{lack}; {best}; {advice} with {option('on_missing', 'drop')}")


def _with_zeros(sides: Sides, lacking: Mapping[str, Sequence[str]], kind: str, notes: list[Note]) -> Sides:
    """Return the sides with the systems or topics that they lack, whose scores are 0."""
    found = dict(sides)
    for name, side in sides.items():
        more = tuple(lacking[name])
        if not more:
            continue
        if side.lower_is_better:
            measure = min(side.lower_is_better)
            _refuse_zero(f"{more[0]!r} has no {measure}", measure, "keep what the sides have in common")
        labels = {"topics": side.topics, "systems": side.systems}
        labels[f"{kind}s"] += more
        values = np.zeros((len(side.measures), len(labels["topics"]), len(labels["systems"])))
        values[:, : len(side.topics), : len(side.systems)] = side.values
        values.flags.writeable = False
        found[name] = derived(side, values=values, **labels)
        of_all = " for all systems" if kind == "topic" else ""
        text = f"the scores of {count(len(more), f'missing {kind}')} were set to 0{of_all}: {some(more)}"
        notes.append(Note(f"{kind}s_as_zero", subject=name, text=text, values={f"{kind}s": more}, lost=True))
    return found


def _refuse_shifted(sides: Sides) -> None:
    """Refuse topics 0 to n - 1 on one side and 1 to n on the other: they may be the same topics."""
    for (name, side), (other, others) in itertools.permutations(sides.items(), 2):
        n = len(side.topics)
        if n < 2 or len(others.topics) != n or "0" not in side.topics or "0" in others.topics:
            continue
        if [set(side.topics), set(others.topics)] == [{str(i + k) for i in range(n)} for k in (0, 1)]:
            shifted = f"the topics of {name} are 0 to {n - 1}, those of {other} 1 to {n}"
            drop = f"compare those of the same number with {option('on_missing', 'drop')}"
            raise ArgumentError(f"{shifted}; name them alike on both sides, or {drop}")


def differing_topics(sides: Sides, topics: Topics) -> list[Note]:
    """Return a note for each estimate whose topics differ from those of the first side."""
    first, *others = sides
    found = []
    for name in others:
        if set(sides[first].topics) == set(sides[name].topics):
            continue
        sizes = {side: len(set(sides[side].topics) - {ALL}) for side in (first, name)}
        common = len(common_topics([sides[first], sides[name]]))
        own = topics == "own" or common == 0
        over = "both means are over these"
        over = "each mean is over its own topics" if own else over
        has = count(sizes[name], "topic") if sizes[name] else "means only"
        text = f"{has}, {first} {sizes[first] or 'means only'}, {common} in common; {over}"
        values = {"sizes": sizes, "common": common, "own": own}
        found.append(Note("topics_differ", text=text, values=values, subject=name, lost=True))
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
            lack = f"{name} has no {measure} of system {system!r} for topic {topic!r}"
            zero, drop = option("on_missing", "zero"), option("on_missing", "drop")
            raise ArgumentError(f"{lack}; set it to 0 with {zero}, or leave out the topic with {drop}")
        if on_missing == "drop":
            gone += [topic for _, topic, _ in missing]
            continue
        for measure, topic, system in missing:
            if measure in side.lower_is_better:
                where = "" if topic == ALL else f" for topic {topic!r}"
                _refuse_zero(f"{name} has no {measure} of system {system!r}{where}", measure, "leave it out")
        systems = tuple(dict.fromkeys(system for _, _, system in missing))
        text = set_to_zero(len(missing), "missing score", "system", systems)
        about = {"scores": len(missing), "systems": systems}
        notes.append(Note("scores_as_zero", subject=name, text=text, values=about, lost=True))
        sides[name] = side.fill()
    gone = list(dict.fromkeys(gone))
    kept = [topic for topic in next(iter(sides.values())).topics if topic not in set(gone)]
    if gone and not kept:
        zero = f"set what is missing to 0 with {option('on_missing', 'zero')}"
        raise ArgumentError(f"no topic has the scores of all systems; leave out systems with gaps, or {zero}")
    if gone:
        text = f"dropped {count(len(gone), 'topic')} that not all systems answered: {some(gone)}"
        notes.append(Note("topics_incomplete", text=text, values={"topics": tuple(gone)}, lost=True))
        sides = selected(sides, "topic", kept)
    return sides, gone
