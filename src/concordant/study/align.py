"""Align the scores of several sides: the same systems and topics, with notes on what was changed."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NoReturn

import numpy as np

from concordant.errors import ArgumentError, option
from concordant.reading.measure_names import usual_name
from concordant.results.note import Note
from concordant.results.words import count, some
from concordant.scores.scores import ALL, Scores, derived, set_to_zero
from concordant.study.names import alike
from concordant.typing import OnMissing, Topics

Sides = dict[str, Scores]
Missing = tuple[str, str, str]  # measure, topic, system


def common_topics(sides: Sequence[Scores]) -> list[str]:
    """Return the topics that all sides have, in the order of the first."""
    shared = set.intersection(*(set(side.topics) for side in sides))
    return [topic for topic in sides[0].topics if topic in shared]


def aligned(
    sides: Sides, on_missing: OnMissing | None, topics: Topics, notes: list[Note], each_with_each: bool
) -> tuple[Sides, tuple[str, ...]]:
    """Align the sides: systems and topics in the order of the first; handle what some of them lack.

    Return the sides, and the topics that were dropped; `notes` gets a note for each change. With "drop", each
    side keeps the systems that it shares with another, or all if each is compared with each, also with
    itself; a system that lacks all scores by a measure stays: each pairing uses what its two sides have.
    """
    sides = _without_empty_topics(sides, notes)
    sides = _with_systems(sides, on_missing, notes, each_with_each)
    sides, dropped = _with_topics(sides, on_missing, topics, notes)
    sides, incomplete = _complete(sides, on_missing, notes)
    return sides, (*dropped, *incomplete)


def selected(sides: Sides, kind: str, labels: Sequence[str]) -> Sides:
    """Return the sides with some of the systems or topics, in the given order."""
    return {name: side.select(**{f"{kind}s": labels}) for name, side in sides.items()}


def _lacking(sides: Sides, kind: str) -> tuple[list[str], dict[str, list[str]]]:
    """Return all systems or topics, in the order of the first side, and those that each side lacks."""
    own = {name: dict.fromkeys(getattr(side, f"{kind}s")) for name, side in sides.items()}
    every = list(dict.fromkeys(label for labels in own.values() for label in labels))
    return every, {name: [label for label in every if label not in has] for name, has in own.items()}


def _refuse_lacking(kind: str, lacking: Mapping[str, Sequence[str]], advice: str) -> NoReturn:
    name, absent = next((name, absent) for name, absent in lacking.items() if absent)
    lacks = f"{name} lacks {count(len(absent), kind)} that another side has: {some(absent)}"
    raise ArgumentError(f"{lacks}; {advice}")


def _with_systems(
    sides: Sides, on_missing: OnMissing | None, notes: list[Note], each_with_each: bool
) -> Sides:
    """Put the systems into the order of the first side; refuse, leave out or add those that a side lacks."""
    every, lacking = _lacking(sides, "system")
    if not any(lacking.values()):
        return selected(sides, "system", every)
    _refuse_strangers(sides)
    pairs = _alike(sides)
    if on_missing in (None, "error"):
        advice = f"keep those in common with {option('on_missing', 'drop')}"
        if all(_zero_is_no_gift(side) for name, side in sides.items() if lacking[name]):
            advice += f", or set them to 0 with {option('on_missing', 'zero')}"
        if pairs:
            advice = f"{_join_them(pairs)}; or {advice}"
        _refuse_lacking("system", lacking, advice)
    if pairs:
        shown = some([f"{one} and {other}" for one, other in pairs])
        text = f"different names that differ only in spelling: {shown}"
        notes.append(Note("names_alike", text=text, values={"pairs": pairs}, lost=True))
    if on_missing == "zero":
        return selected(_with_zeros(sides, lacking, "system", notes), "system", every)
    if each_with_each:  # whoever compares two of them tells their number
        places = {system: place for place, system in enumerate(every)}
        return {
            k: side.select(systems=sorted(side.systems, key=places.__getitem__)) for k, side in sides.items()
        }
    times = Counter(system for side in sides.values() for system in side.systems)
    alone = tuple(system for system in every if times[system] == 1)
    found = {}
    for name, side in sides.items():
        own = set(side.systems).difference(alone)
        found[name] = side.select(systems=[system for system in every if system in own])
    everywhere = [system for system in every if times[system] == len(sides)]
    dropped = tuple(system for system in every if times[system] < len(sides))
    are = "is" if len(dropped) == 1 else "are"
    text = f"dropped {count(len(dropped), 'system')} that {are} missing on at least one side: {some(dropped)}"
    values: dict[str, object] = {"systems": dropped}
    if len(sides) > 2:
        shared = [len(set(side.systems) & set(next(iter(found.values())).systems)) for side in found.values()]
        sizes = dict(zip(sides, shared, strict=True))
        each = f"from {min(shared[1:])} to {max(shared[1:])}" if len({*shared[1:]}) > 1 else f"{shared[1]}"
        text = f"each two rankings are compared on the systems that both have: {each} of {len(every)}"
        text += f" with {next(iter(sides))}; all have {len(everywhere)}"
        values |= {"shared": sizes}
    notes.append(Note("systems_dropped", text=text, values=values, lost=True))
    return found


def _join_them(pairs: Sequence[tuple[str, str]]) -> str:
    both = ", ".join(f"{one!r} and {other!r}" for one, other in pairs[:3])
    return f"{both} differ only in spelling: join such names with {option('match', 'loose')}"


def _refuse_strangers(sides: Sides) -> None:
    """Refuse a side that has no system in common with any other, and show the names of both."""
    for name, side in sides.items():
        others = {other: each for other, each in sides.items() if other != name}
        if any(set(side.systems) & set(each.systems) for each in others.values()):
            continue
        other, rest = next(iter(others.items()))
        both = f"{name} has {some(side.systems, 3)}; {other} has {some(rest.systems, 3)}"
        close = alike(side.systems, rest.systems)
        advice = f"pair the names in a file for {option('rename')}; {option('unmatched')} proposes one"
        if close:
            advice = f"{_join_them(close)}, or {advice}"
        raise ArgumentError(f"no system is in common: {both}; {advice}")


def _with_topics(
    sides: Sides, on_missing: OnMissing | None, topics: Topics, notes: list[Note]
) -> tuple[Sides, list[str]]:
    """Refuse, leave out or add the topics that a side lacks; also return those left out."""
    every, lacking = _lacking(sides, "topic")
    if not any(lacking.values()):
        return selected(sides, "topic", every), []
    if on_missing == "error":
        _refuse_lacking("topic", lacking, f"keep those in common with {option('on_missing', 'drop')}")
    if on_missing is None:
        if topics == "common":
            _refuse_shifted(sides)
        return sides, []
    if on_missing == "zero":
        return selected(_with_zeros(sides, lacking, "topic", notes), "topic", every), []
    gone = {label for labels in lacking.values() for label in labels}
    kept, dropped = ([label for label in every if (label in gone) == out] for out in (False, True))
    if not kept:
        raise ArgumentError("the sides have no topic in common; are the topics named the same?")
    are = "is" if len(dropped) == 1 else "are"
    text = f"dropped {count(len(dropped), 'topic')} that {are} missing on at least one side: {some(dropped)}"
    notes.append(Note("topics_dropped", text=text, values={"topics": tuple(dropped)}, lost=True))
    return selected(sides, "topic", kept), dropped


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


def _zero_is_no_gift(side: Scores) -> bool:
    """Return whether no score is below 0 and the largest is the best, so that 0 is no good score."""
    return not side.lower_is_better and not bool((side.values < 0).any())


def _refuse_zero(lack: str, side: Scores, measure: str, advice: str) -> NoReturn:
    """Refuse to set a missing score to 0 where 0 would be a good score."""
    one = side.select(measures=[measure])
    advice = f"{advice} with {option('on_missing', 'drop')}"
    if measure in side.lower_is_better:
        best = f"the smallest {measure} is the best, so that 0 would be the best score"
    else:
        best = f"the lowest {measure} is {np.nanmin(one.values):.6g}, so that 0 is not the score of a failure"
        advice += f", or set it to 0 with {option('on_missing', 'zero')}" if _zero_is_no_gift(one) else ""
    raise ArgumentError(f"{lack}; {best}; {advice}")


def _with_zeros(sides: Sides, lacking: Mapping[str, Sequence[str]], kind: str, notes: list[Note]) -> Sides:
    """Return the sides with the systems or topics that they lack, whose scores are 0."""
    found = dict(sides)
    for name, side in sides.items():
        more = tuple(lacking[name])
        if not more:
            continue
        for measure in side.measures:
            if not _zero_is_no_gift(side.select(measures=[measure])):
                lack = f"{more[0]!r} has no {measure}"
                _refuse_zero(lack, side, measure, "keep what the sides have in common")
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
    """Handle scores that a system lacks for a topic, or as a whole."""
    sides = dict(sides)
    gone: list[str] = []
    for name, side in sides.items():
        missing = side.missing()
        if not missing:
            continue
        if on_missing == "error":
            measure, topic, system = missing[0]
            lack = f"{name} has no {measure} of system {system!r} for topic {topic!r}"
            zero = f"set it to 0 with {option('on_missing', 'zero')}, or "
            zero = zero if _zero_is_no_gift(side.select(measures=[measure])) else ""
            raise ArgumentError(f"{lack}; {zero}leave out the topic with {option('on_missing', 'drop')}")
        if on_missing != "zero":
            missing = _partly_missing(name, side, missing, notes)
        if on_missing == "drop":
            gone += [topic for _, topic, _ in missing]
            continue
        for measure, topic, system in {each[0]: each for each in reversed(missing)}.values():
            one = side.select(measures=[measure])
            if not (_zero_is_no_gift(one) and (on_missing == "zero" or _zero_is_usual(one))):
                where = "" if topic == ALL else f" for topic {topic!r}"
                lack = f"{name} has no {measure} of system {system!r}{where}"
                _refuse_zero(lack, side, measure, "leave it out")
        if not missing:
            continue
        systems = tuple(dict.fromkeys(system for _, _, system in missing))
        text = set_to_zero(len(missing), "missing score", "system", systems)
        about = {"scores": len(missing), "systems": systems}
        notes.append(Note("scores_as_zero", subject=name, text=text, values=about, lost=True))
        known = ~np.isnan(side.values).all(axis=1, keepdims=True) | (on_missing == "zero")
        values = np.where(np.isnan(side.values) & known, 0.0, side.values)
        values.flags.writeable = False
        sides[name] = derived(side, values=values)
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


def _partly_missing(name: str, side: Scores, missing: list[Missing], notes: list[Note]) -> list[Missing]:
    """Return what systems lack that have other scores by the same measure; tell which have none.

    A system without any score by a measure is left out of what uses it; 0 would invent a score.
    """
    absent = np.asarray(np.isnan(side.values).all(axis=1))  # measures x systems
    if not absent.any():
        return missing
    lacks = {
        m: [side.systems[s] for s in np.flatnonzero(own)]
        for m, own in zip(side.measures, absent, strict=True)
    }
    systems = tuple(side.systems[s] for s in np.flatnonzero(absent.any(axis=0)))
    measures = tuple(measure for measure, own in lacks.items() if own)
    text = f"left out {count(len(systems), 'system')} without {some(measures)}: {some(systems)}"
    if len(side.measures) > 1:
        they = "it has" if len(systems) == 1 else "they have"
        text = f"left out where {they} no score, {count(len(systems), 'system')}: {some(systems)}"
    about = {"systems": systems, "measures": measures, "of": len(side.measures)}
    notes.append(Note("systems_without_means", subject=name, text=text, values=about, lost=True))
    return [each for each in missing if each[2] not in lacks[each[0]]]


def _zero_is_usual(side: Scores) -> bool:
    """Return whether a system without an answer has 0: by a measure of retrieval, or by scores from 0 to 1.

    Other scores must have a 0 already: on a scale from 1 to 5, or of Elo, 0 is no score.
    """
    if usual_name(side.measures[0]) is not None:
        return True
    return float(np.nanmax(side.values)) <= 1 or bool((side.values == 0).any())
