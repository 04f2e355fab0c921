"""Names of systems that differ only in case, spaces, hyphens or Unicode form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from concordant.errors import ArgumentError, option
from concordant.results.note import Note
from concordant.scores.scores import Scores


def loosely(name: str) -> str:
    """Return a name without case, spaces, hyphens and accents, which are often written in several ways."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(
        c for c in plain if not c.isspace() and c != "_" and unicodedata.category(c) not in ("Pd", "Cf")
    )


def alike(some: Iterable[str], others: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of different names that are equal if matched loosely."""
    known = {loosely(name): name for name in some}
    pairs = [(known[loosely(name)], name) for name in others if loosely(name) in known]
    return [(one, other) for one, other in pairs if one != other]


def matched(
    sides: Mapping[str, Scores], match: str = "exact", rename: Mapping[str, str] | None = None
) -> dict[str, Scores]:
    """Rename systems: as the user says, and to the names of the first side if they match loosely."""
    found = dict(sides)
    if rename:
        _refuse_unknown(sides, rename)
        found = {
            name: _renamed(name, side, {s: rename.get(s, s) for s in side.systems})
            for name, side in found.items()
        }
    if match == "loose":
        first = next(iter(found.values()))
        known = {loosely(system): system for system in first.systems}
        for name, side in found.items():
            found[name] = _renamed(name, side, {s: known.setdefault(loosely(s), s) for s in side.systems})
    return found


def _refuse_unknown(sides: Mapping[str, Scores], rename: Mapping[str, str]) -> None:
    every = {system for side in sides.values() for system in side.systems}
    unknown = [name for name in rename if name not in every]
    if unknown:
        raise ArgumentError(
            f"no side has a system {unknown[0]!r}, which is to be renamed {rename[unknown[0]]!r}"
        )


def _renamed(side_name: str, side: Scores, names: Mapping[str, str]) -> Scores:
    changed = {old: new for old, new in names.items() if old != new}
    if not changed:
        return side
    seen: dict[str, str] = {}
    for old, new in names.items():
        if new in seen:
            raise ArgumentError(
                f"{side_name} has {seen[new]!r} and {old!r}, which would both be called {new!r}"
            )
        seen[new] = old
    renamed = Scores(
        side.values,
        measures=side.measures,
        topics=side.topics,
        systems=list(names.values()),
        notes=side.notes,
        lower=side.lower,
    )
    return renamed.noted(Note("systems_renamed", values={"names": changed}))


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
