"""Names of systems and measures that are written in several ways."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

from concordant.errors import ArgumentError, fail, option
from concordant.reading.measure_names import usual_name
from concordant.results.note import Note
from concordant.results.words import count, some
from concordant.scores.scores import ALL, Scores, derived

Patterns: TypeAlias = str | Iterable[str] | None
"""Names, or patterns of names as those of files."""

GroupBy: TypeAlias = str | Mapping[str, str]
"""A regular expression, or the group of each system."""


# Organisations that some boards write before the name of a model, with a space or a hyphen.
_VENDORS = frozenset(
    {"alibaba", "amazon", "anthropic", "cohere", "databricks", "facebook", "google", "ibm", "meta"}
    | {"microsoft", "nvidia", "openai"}
)
_SEPARATORS = re.compile(r"[\s_.:,/()\[\]{}|]+")
_NEAR = 0.6  # how alike normal forms of names are for a guess, from 0 to 1


def loosely(name: str) -> str:
    """Return the normal form of a name: without case, Unicode form and separators.

    Separators are spaces, hyphens, underscores, points, colons, commas, slashes and brackets. Between two
    digits a separator becomes a hyphen, so that two numbers never become one: "llama-2-7b" is "llama2-7b",
    and "Llama 27B" is "llama27b".
    """
    plain = unicodedata.normalize("NFKC", name).casefold()
    plain = "".join(" " if unicodedata.category(c) == "Pd" else c for c in plain)
    words = _SEPARATORS.sub(" ", "".join(c for c in plain if unicodedata.category(c) != "Cf")).split()
    found = ""
    for word in words:
        found += f"-{word}" if found[-1:].isdigit() and word[:1].isdigit() else word
    return found or plain


def _owner_and_form(name: str) -> tuple[str, str]:
    """Return the organisation before a slash, and the normal form of the rest without a vendor's word."""
    owner, _, rest = name.rpartition("/")
    first, _, after = rest.partition(" " if " " in rest else "-")
    rest = after if after and first.casefold() in _VENDORS else rest
    return loosely(owner), loosely(rest)


def alike(names: Iterable[str], others: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of different names, one of each side, that have the same normal form.

    If one of two names lacks the organisation before a slash, or both do, the rest decides. A form that
    several names of a side have joins nothing.
    """
    names, others = (list(dict.fromkeys(own)) for own in (names, others))
    both = set(names) & set(others)
    found: dict[str, str] = {}
    for form in (loosely, lambda name: _owner_and_form(name)[1]):
        taken = {*found, *found.values(), *both}
        known, asked = dict[str, list[str]](), dict[str, list[str]]()
        for own, listed in ((known, names), (asked, others)):
            for name in listed:
                own.setdefault(form(name), []).append(name)
        for text, own_names in asked.items():
            if len(own_names) == len(known.get(text, ())) == 1:
                one, other = known[text][0], own_names[0]
                owners = {_owner_and_form(one)[0], _owner_and_form(other)[0]} - {""}
                if not {one, other} & taken and (form is loosely or len(owners) < 2):
                    found[other] = one
    return [(one, other) for other, one in found.items()]


def proposed_names(sides: Mapping[str, Scores]) -> list[tuple[str, str]]:
    """Return each system that the first side lacks, with the nearest free name there, or with itself."""
    from difflib import SequenceMatcher

    first, *others = sides.values()
    free = [system for system in first.systems if not any(system in side.systems for side in others)]
    left = dict.fromkeys(s for side in others for s in side.systems if s not in set(first.systems))
    forms = {system: _owner_and_form(system)[1] for system in (*free, *left)}
    pairs = itertools.product(left, free)
    close = ((SequenceMatcher(None, forms[one], forms[other]).ratio(), other, one) for other, one in pairs)
    found: dict[str, str] = {}
    for ratio, other, one in sorted(close, key=lambda each: (-each[0], *each[1:])):
        if ratio >= _NEAR and other not in found and one not in found.values():
            found[other] = one
    return [(system, found.get(system, system)) for system in left]


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
        known = list(next(iter(found.values())).systems)
        for name, side in found.items():
            new_names = {other: one for one, other in alike(known, side.systems)}
            found[name] = _renamed(name, side, {s: new_names.get(s, s) for s in side.systems})
            known += [s for s in found[name].systems if s not in set(known)]
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
    note = Note("systems_renamed", text=text, values={"names": changed}, lost=True)
    errors = {(measure, names[s]): error for (measure, s), error in side.errors.items() if s in names}
    return derived(side, systems=tuple(names.values()), errors=errors).noted(note)


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


def near(name: str, known: Sequence[str]) -> str:
    """Return what may be meant by a name that is not known."""
    import difflib

    close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(close)}?" if close else f"there are {some(known)}"


def filtered(
    sides: Mapping[str, Scores], kind: str, notes: list[Note], **given: Patterns
) -> tuple[dict[str, Scores], tuple[str, ...]]:
    """Keep the systems or topics that a pattern of "include" matches, and none of "exclude".

    `given` are the patterns by the names of their options. Return the sides, and what was left out; `notes`
    gets a note about it. A name also matches itself.
    """
    every = list(dict.fromkeys(label for side in sides.values() for label in getattr(side, f"{kind}s")))
    gone = set[str]()
    for word, patterns in given.items():
        if patterns is None:
            continue
        if kind == "topic" and any(side.topics == (ALL,) for side in sides.values()):
            raise ArgumentError(f"{option(word)} needs topics on all sides, and a side has only means")
        matching = set[str]()
        for pattern in [patterns] if isinstance(patterns, str) else patterns:
            own = {label for label in every if label == pattern or fnmatchcase(label, str(pattern))}
            if not own:
                raise ArgumentError(f"{option(word)}: no {kind} matches {pattern!r}; {near(pattern, every)}")
            matching |= own
        gone |= matching if "exclude" in word else {*every} - matching
    if not gone:
        return dict(sides), ()
    found = dict(sides)
    for name, side in sides.items():
        kept = [label for label in getattr(side, f"{kind}s") if label not in gone]
        if not kept:
            raise ArgumentError(f"{name} has no {kind} left, of {len(every)}; include more, or exclude fewer")
        found[name] = side.select(**{f"{kind}s": kept})
    left_out, n_kept = tuple(label for label in every if label in gone), len(every) - len(gone)
    text = f"left out {count(len(gone), kind)} by name, {n_kept} of {len(every)} are kept: {some(left_out)}"
    notes.append(
        Note(f"{kind}s_left_out", text=text, values={f"{kind}s": left_out, "kept": n_kept}, lost=True)
    )
    return found, left_out


_COLOUR = re.compile(r"#[0-9a-fA-F]{6}|[a-z]+")


def check_colour(name: object, colour: object) -> None:
    """Refuse what is not the name or the number of a colour, because figures hold it."""
    if colour is not None and not (isinstance(colour, str) and _COLOUR.fullmatch(colour)):
        raise ArgumentError(f"the colour of {name} is {colour!r}; write #rrggbb or a CSS name, as steelblue")


def about_judges(judges: Iterable[Mapping[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the name, category and colour of each judge, as results hold them."""
    keys = ("name", "category", "colour")
    listed = [{key: each.get(key) for key in (*keys, *each)} for each in judges]
    for each in listed:
        if each["name"] not in names or len(each) > len(keys):
            raise ArgumentError(f"judges have name, category and colour, for {some(names)}; got {each}")
        check_colour(each["name"], each["colour"])
    return listed


def groups_by_name(systems: Sequence[str], group_by: GroupBy | None) -> tuple[dict[str, str], list[Note]]:
    """Return the group of each system that has one, and notes on those that have none.

    A group is given by a mapping, or is the part of the name that matches; an empty match is none.
    """
    if group_by is None:
        return {}, []
    notes = []
    if isinstance(group_by, Mapping):
        found = {system: str(group_by[system]) for system in systems if group_by.get(system)}
        absent = tuple(str(system) for system in group_by if system not in found and group_by[system])
        if not found:
            raise ArgumentError(f"no system has a group; {near(absent[0] if absent else '', systems)}")
        if absent:
            text = f"groups of {count(len(absent), 'system')} that are not here were not used: {some(absent)}"
            notes.append(Note("groups_not_used", text=text, values={"systems": absent}, lost=True))
    else:
        try:
            matches = {system: re.search(group_by, system) for system in systems}
        except (re.error, TypeError) as error:
            raise ArgumentError(f"{option('group_by')} is not a regular expression: {error}") from None
        found = {system: match.group() for system, match in matches.items() if match and match.group()}
        if not found:
            none = f"does not match the system {systems[0]!r}, nor any other"
            raise ArgumentError(f"{option('group_by')} {group_by!r} {none}")
    alone = tuple(system for system in systems if system not in found)
    if alone:
        text = f"{len(alone)} of {len(systems)} systems are not in a group, each is on its own: {some(alone)}"
        notes.append(Note("not_in_a_group", text=text, values={"systems": alone}, lost=True))
    return found, notes


def group_option(group_by: GroupBy | None) -> object:
    """Return how systems were grouped, as results hold it."""
    items = group_by.items() if isinstance(group_by, Mapping) else ()
    return [{"system": system, "group": group} for system, group in items] or group_by
