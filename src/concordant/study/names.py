"""Names of systems and measures that are written in several ways."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

from concordant.errors import ArgumentError, fail, option
from concordant.reading.measure_names import usual_name
from concordant.results.note import Note
from concordant.results.words import count, some
from concordant.scores.scores import Scores, derived


def loosely(name: str) -> str:
    """Return a name without case, spaces, hyphens and accents, which are often written in several ways."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    letters = (c for c in plain if not c.isspace() and c != "_")
    return "".join(c for c in letters if unicodedata.category(c) not in ("Pd", "Cf"))


def alike(names: Iterable[str], others: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of different names that are equal if matched loosely."""
    known = {loosely(name): name for name in names}
    pairs = [(known.get(loosely(name), name), name) for name in others]
    return [(one, other) for one, other in pairs if one != other]


def matched(
    sides: Mapping[str, Scores], match: str = "exact", rename: Mapping[str, str] | None = None
) -> dict[str, Scores]:
    """Rename systems: as the user says, and to the names of the first side if they match loosely."""
    given = rename or {}
    every = {system for side in sides.values() for system in side.systems}
    for old, new in given.items():
        if old not in every:
            raise ArgumentError(f"no side has a system {old!r}, which is to be renamed {new!r}")
    found = dict(sides)
    for name, side in sides.items():
        found[name] = _renamed(name, side, {s: given.get(s, s) for s in side.systems})
    if match == "loose":
        known = {loosely(system): system for system in next(iter(found.values())).systems}
        for name, side in found.items():
            found[name] = _renamed(name, side, {s: known.setdefault(loosely(s), s) for s in side.systems})
    return found


def _renamed(side_name: str, side: Scores, names: Mapping[str, str]) -> Scores:
    changed = {old: new for old, new in names.items() if old != new}
    if not changed:
        return side
    seen: dict[str, str] = {}
    for old, new in names.items():
        if seen.setdefault(new, old) != old:
            both = f"{side_name} has {seen[new]!r} and {old!r}"
            raise ArgumentError(f"{both}, which would both be called {new!r}")
    shown = some([f"{old} to {new}" for old, new in changed.items()])
    text = f"renamed {count(len(changed), 'system')}: {shown}"
    note = Note("systems_renamed", text=text, values={"names": changed})
    return derived(side, systems=tuple(names.values())).noted(note)


def _finder(measures: Sequence[str]) -> Callable[[str], str | None]:
    """Return a function that finds a measure by its name here, in trec_eval or in ir_measures."""
    known: dict[str, list[str]] = {}
    for measure in measures:
        known.setdefault(usual_name(measure) or measure, []).append(measure)

    def find(name: str) -> str | None:
        alike = [name] if name in measures else known.get(usual_name(name) or name, [])
        return alike[0] if len(alike) == 1 else None

    return find


def with_measures(sides: Mapping[str, Scores], wanted: Iterable[str]) -> dict[str, Scores]:
    """Keep the measures that are wanted, by any spelling. A side with one measure need not have all."""
    names = list(dict.fromkeys(wanted))
    found = {}
    absent = set(names)
    for name, side in sides.items():
        known = dict(zip(names, map(_finder(side.measures), names), strict=True))
        lacking = [each for each, own in known.items() if own is None]
        if lacking and (len(lacking) == len(known) or len(side.measures) > 1):
            what = f"does not have the measure {', '.join(lacking)}; it has {', '.join(side.measures[:8])}"
            if side.source.name:
                fail(side.source.name, None, what)
            raise ArgumentError(f"{name} {what}")
        absent &= set(lacking)
        found[name] = side.select(measures=[own for own in known.values() if own is not None])
    if absent:
        raise ArgumentError(f"no side has the measure {next(each for each in names if each in absent)!r}")
    return found


def measures_alike(sides: Mapping[str, Scores]) -> dict[str, Scores]:
    """Give measures the names of the first side, where trec_eval and ir_measures call them differently."""
    known = _finder(next(iter(sides.values())).measures)
    found = dict(sides)
    for name, side in sides.items():
        names = {each: known(each) or each for each in side.measures}
        changed = {old: new for old, new in names.items() if old != new}
        if changed and len(set(names.values())) == len(names):
            text = "two names for one measure: " + some([f"{old} is {new}" for old, new in changed.items()])
            note = Note("measures_renamed", text=text, values={"names": changed})
            found[name] = side.with_measures(names.values()).noted(note)
    return found


def groups_by_name(systems: Iterable[str], pattern: str | None) -> list[str]:
    """Return the group of each system: the part of its name that matches, or its name without a pattern."""
    if pattern is None:
        return list(systems)
    try:
        compiled = re.compile(pattern)
    except (re.error, TypeError) as error:
        raise ArgumentError(f"{option('group_by')} is not a regular expression: {error}") from None
    groups = []
    for system in systems:
        match = compiled.search(system)
        if match is None:
            raise ArgumentError(f"{option('group_by')} {pattern!r} does not match the system {system!r}")
        groups.append(match.group())
    return groups
