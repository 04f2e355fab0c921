"""Scores of a table that was read in one way, and the choice between two ways."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np

from concordant.errors import ArgumentError, fail, option
from concordant.reading.grid import Grid
from concordant.reading.header_words import bare_name, is_column, is_summary
from concordant.reading.orientation import Layout
from concordant.results.note import Note
from concordant.results.words import some
from concordant.scores.scores import Scores
from concordant.typing import Floats, Integers

ALL = "all"  # the topic of a mean over topics


@dataclass(frozen=True)
class Reading:
    """One way to read a table: the systems that it has then, and the scores."""

    where: str
    systems: Sequence[str]
    systems_in: str
    scores: Callable[[], Scores]


def reading_of(grid: Grid, layout: Layout) -> Reading:
    """Read a table in one way."""
    return Reading(grid.where, layout.systems(grid), layout.systems_in, lambda: _scores(grid, layout))


def decided(tables: Sequence[Sequence[Reading]]) -> list[Reading]:
    """Choose the way to read each table: the only one, or the one with systems in common with the others."""
    sure = [readings[0] for readings in tables if len(readings) == 1]
    open_ones = [readings for readings in tables if len(readings) > 1]
    if not sure and len(open_ones) > 1:
        sure = _two_together(open_ones[0], open_ones[1])
        open_ones = open_ones[2:] if sure else open_ones
    chosen = {id(readings): readings[0] for readings in tables if len(readings) == 1}
    for readings in tables:
        if len(readings) > 1:
            pair = [each for each in sure if each in readings]
            chosen[id(readings)] = pair[0] if pair else _like_others(readings, sure)
    return [chosen[id(readings)] for readings in tables]


def _in_common(one: Reading, other: Reading) -> int:
    return len(set(one.systems) & set(other.systems))


def _two_together(first: Sequence[Reading], second: Sequence[Reading]) -> list[Reading]:
    """Return the only pair of readings with systems in common; None if there is no such pair, or several."""
    fitting = [(a, b) for a in first for b in second if _in_common(a, b) > 1]
    return list(fitting[0]) if len(fitting) == 1 else []


def _like_others(readings: Sequence[Reading], sure: Sequence[Reading]) -> Reading:
    same = [each for each in readings if any(set(each.systems) == set(other.systems) for other in sure)]
    fitting = [each for each in readings if any(_in_common(each, other) > 1 for other in sure)]
    for found in (same, fitting):
        if len(found) == 1:
            return found[0]
    shown = " or ".join(
        f"in {each.systems_in} ({len(each.systems)}: {some(tuple(each.systems), 3)})" for each in readings
    )
    how = f"{option('systems', 'rows')} or {option('systems', 'columns')}"
    raise ArgumentError(f"the systems may be {shown}; say where they are with {how}")


def coded(labels: Sequence[str]) -> tuple[Integers, list[str]]:
    """Return the number of each label, and the labels in the order in which they are first seen."""
    index: dict[str, int] = {}
    codes = np.fromiter((index.setdefault(label, len(index)) for label in labels), np.int64, len(labels))
    return codes, list(index)


def scores_of_codes(
    codes: Sequence[Integers],
    labels: Sequence[Sequence[str]],
    values: Floats,
    refuse: Callable[[int, str], Any],
) -> Scores:
    """Build scores from the numbers of measure, topic and system of each value.

    `refuse(row, what)` raises the error about a row.
    """
    shape = tuple(map(len, labels))
    if math.prod(shape) > 1_000_000 + 200 * len(values):
        of = " x ".join(
            f"{size} {kind}" for size, kind in zip(shape, ("measures", "topics", "systems"), strict=True)
        )
        refuse(
            0,
            f"{len(values)} scores for {of} leave the table nearly empty; are the columns the right ones?",
        )
    flat = np.ravel_multi_index(tuple(codes), shape) if len(values) else np.empty(0, dtype=np.int64)
    table = np.full(shape, math.nan)
    table.ravel()[flat] = values
    seen_once = np.zeros(table.size, dtype=np.bool_)
    seen_once[flat] = True
    if np.count_nonzero(seen_once) < len(flat):
        seen: set[int] = set()
        row = next(r for r, place in enumerate(flat.tolist()) if place in seen or seen.add(place))  # type: ignore[func-returns-value]
        measure, topic, system = (own[int(code[row])] for own, code in zip(labels, codes, strict=True))
        refuse(row, f"system {system!r} has two scores for topic {topic!r} by {measure}; keep one")
    return Scores(table, measures=labels[0], topics=labels[1], systems=labels[2])


def _scores(grid: Grid, layout: Layout) -> Scores:
    build = {"long": _of_long, "rows": _of_rows, "columns": _of_columns}[layout.systems_in]
    scores = build(grid, layout)
    if layout.lower:
        names = _names_of_values(grid, layout)
        own = {names[place] for place in layout.lower}
        one_value = (
            layout.systems_in == "long" and len(layout.values) == 1
        )  # no matter how its measures are called
        scores = lower_first(scores, scores.measures if one_value else own)
    if layout.summaries:
        kind = "topic" if layout.systems_in == "rows" else "system"
        scores = scores.noted(
            Note("averages_left_out", subject=grid.where, values={"names": layout.summaries, "of": kind})
        )
    about = (layout.systems_in, layout.left_out, grid.remarks)
    return scores.noted(read_as(scores, grid.where, grid.stem, *about))


def read_as(
    scores: Scores,
    where: str,
    stem: str,
    systems_in: str,
    left_out: Sequence[str] = (),
    remarks: Sequence[str] = (),
) -> Note:
    """Return the note on how a table was read; `stem` names a measure that has no other name."""
    about = {
        "systems_in": systems_in,
        "systems": len(scores.systems),
        "topics": 0 if scores.topics == (ALL,) else len(scores.topics),
        "measures": scores.measures,
        "left_out": tuple(left_out),
        "missing": int(np.isnan(scores.values).sum()),
        "lower": tuple(measure for measure in scores.measures if measure in scores.lower),
        "remarks": tuple(remarks),
        "named": scores.measures != (stem,),
    }
    return Note("read_as", subject=PurePath(where).name, values=about)


def _names_of_values(grid: Grid, layout: Layout) -> dict[int, str]:
    """Return the names of the columns of scores, without arrows unless two names would be equal."""
    names = {place: grid.columns[place].name for place in layout.values}
    bare = {place: bare_name(name) for place, name in names.items()}
    return bare if len(set(bare.values())) == len(bare) else names


def _what_tells_apart(grid: Grid, layout: Layout, systems: Sequence[str]) -> str:
    """Name a column that was left out and that tells equal rows apart, if there is one."""
    for column in grid.columns:
        if column.name in layout.left_out and len(set(zip(systems, column.labels, strict=True))) == len(
            systems
        ):
            kinds = f"measure={column.name} or topic={column.name}"
            kinds = f"system={column.name}" if is_column(column.name, "system") else kinds
            return (
                f"; {column.name!r} tells the rows apart: say what it holds with {option('columns')}, {kinds}"
            )
    return ""


def _unique(grid: Grid, labels: Sequence[str], kind: str, advice: Callable[[], str] = str) -> Sequence[str]:
    seen: dict[str, int] = {}
    for row, label in enumerate(labels):
        if label in seen:
            first = grid.line(seen[label])
            where = f", first in line {first}" if first is not None else ""
            grid.fail(grid.line(row), f"{kind} {label!r} is there twice{where}{advice()}")
        seen[label] = row
    return labels


def _of_rows(grid: Grid, layout: Layout) -> Scores:
    systems = grid.labels(layout.system or 0, "system")
    _unique(grid, systems, "system", lambda: _what_tells_apart(grid, layout, systems))
    names = list(_names_of_values(grid, layout).values())
    values = grid.stacked(layout.values).T  # measures or topics x systems
    if layout.headers == "topics":
        scores = Scores(values[None], measures=[grid.stem], topics=names, systems=systems)
    else:
        scores = Scores(values[:, None], measures=names, topics=[ALL], systems=systems)
    return without_averages(scores, grid.where, "system")


def _of_columns(grid: Grid, layout: Layout) -> Scores:
    systems = [grid.columns[place].name for place in layout.values]
    values = grid.stacked(layout.values)
    if layout.measure is not None and layout.topic is not None:
        return _of_rows_by_two(grid, layout.measure, layout.topic, systems, values)
    if layout.measure is not None:
        measures = _unique(grid, grid.labels(layout.measure, "measure"), "measure")
        return Scores(values[:, None], measures=measures, topics=[ALL], systems=systems)
    topics = [ALL] if grid.one_object else list(map(str, range(grid.n_rows)))
    if layout.topic is not None:
        topics = list(_unique(grid, grid.labels(layout.topic, "topic"), "topic"))
    scores = Scores(values[None], measures=[grid.stem], topics=topics, systems=systems)
    return without_averages(scores, grid.where)


def _of_rows_by_two(grid: Grid, measure: int, topic: int, systems: Sequence[str], values: Floats) -> Scores:
    """Read rows of a measure and a topic, with a column for each system."""
    (of_measure, measures), (of_topic, topics) = (
        _codes(grid, measure, "measure"),
        _codes(grid, topic, "topic"),
    )
    n = len(systems)
    codes = (of_measure.repeat(n), of_topic.repeat(n), np.tile(np.arange(n), grid.n_rows))

    def refuse(row: int, what: str) -> None:
        grid.fail(grid.line(row // max(n, 1)), what)

    scores = scores_of_codes(codes, (measures, topics, systems), values.ravel(), refuse)
    return without_averages(scores, grid.where)


def without_averages(scores: Scores, where: str, kind: str = "topic") -> Scores:
    """Leave out topics, or systems, that sum up the others, such as "all" or "Average", if there are others.

    If there is no other topic, the scores are means.
    """
    labels: tuple[str, ...] = scores.topics if kind == "topic" else scores.systems
    names = tuple(label for label in labels if is_summary(label))
    if kind == "topic" and names == labels and len(names) == 1:
        return scores if names == (ALL,) else scores.with_topics([ALL])
    if not names or len(names) == len(labels):
        return scores
    kept = [label for label in labels if label not in names]
    left = scores.select(topics=kept) if kind == "topic" else scores.select(systems=kept)
    return left.noted(Note("averages_left_out", subject=where, values={"names": names, "of": kind}))


def _codes(grid: Grid, place: int, kind: str) -> tuple[Integers, list[str]]:
    known = grid.columns[place].codes
    if known is not None and "" not in known[1]:
        return known[0], list(known[1])
    return coded(grid.labels(place, kind))


def _of_long(grid: Grid, layout: Layout) -> Scores:
    system, systems = np.zeros(grid.n_rows, dtype=np.int64), [grid.stem]
    if layout.system is not None:
        system, systems = _codes(grid, layout.system, "system")
    topic, topics = np.zeros(grid.n_rows, dtype=np.int64), [ALL]
    if layout.topic is not None:
        topic, topics = _codes(grid, layout.topic, "topic")
    elif layout.segments:
        order = np.argsort(system, kind="stable")
        topic[order] = np.tile(np.arange(grid.n_rows // len(systems)), len(systems))
        topics = [str(k) for k in range(grid.n_rows // len(systems))]
    columns = [grid.numbers(place) for place in layout.values]
    if layout.measure is not None:
        measure, measures = _codes(grid, layout.measure, "measure")
    else:
        named = len(columns) > 1 or grid.file_is_system
        measures = list(_names_of_values(grid, layout).values()) if named else [grid.stem]
        measure = np.broadcast_to(np.int64(0), grid.n_rows)
        if len(columns) != 1:
            measure = np.repeat(np.arange(len(columns)), grid.n_rows)
            system, topic = np.tile(system, len(columns)), np.tile(topic, len(columns))
    values = columns[0] if len(columns) == 1 else np.concatenate([np.empty(0), *columns])

    def refuse(row: int, what: str) -> None:
        grid.fail(grid.line(row % max(grid.n_rows, 1)) if grid.n_rows else None, what)

    scores = scores_of_codes((measure, topic, system), (measures, topics, systems), values, refuse)
    return without_averages(scores, grid.where)


def joined(parts: Sequence[Scores], names: Sequence[str]) -> Scores:
    """Put the scores of several files into one table; a score that two files have is an error."""
    if len(parts) == 1:
        return parts[0]
    parts = list(in_one_direction(dict(zip(names, parts, strict=True))).values())
    labels: list[list[str]] = [
        list(dict.fromkeys(label for part in parts for label in getattr(part, kind)))
        for kind in ("measures", "topics", "systems")
    ]
    if ALL in labels[1] and len(labels[1]) > 1:
        lone = next(name for name, part in zip(names, parts, strict=True) if part.topics == (ALL,))
        raise ArgumentError(f"{lone} holds means and other files hold scores of topics; read them apart")
    places = [{label: i for i, label in enumerate(own)} for own in labels]
    table = np.full([len(own) for own in labels], math.nan)
    owner = np.full(table.shape, -1, dtype=np.int32)
    for k, part in enumerate(parts):
        index = np.ix_(
            *(
                [place[label] for label in own]
                for place, own in zip(places, (part.measures, part.topics, part.systems), strict=True)
            )
        )
        known = ~np.isnan(part.values)
        twice = np.argwhere(known & (owner[index] >= 0))
        if len(twice):
            m, t, s = twice[0].tolist()
            other = names[int(owner[index][m, t, s])]
            two = f"system {part.systems[s]!r} has two scores for topic {part.topics[t]!r}"
            fail(names[k], None, f"{two} by {part.measures[m]} (also in {other}); keep one")
        table[index] = np.where(known, part.values, table[index])
        owner[index] = np.where(known, k, owner[index])
    lower = frozenset(measure for part in parts for measure in part.lower)
    scores = Scores(table, measures=labels[0], topics=labels[1], systems=labels[2], lower=lower)
    read = [note for part in parts for note in part.notes if note.kind == "read_as"]
    others = [note for part in parts for note in part.notes if note.kind != "read_as"]
    left_out, remarks = (
        tuple(dict.fromkeys(text for note in read for text in note.values[key]))
        for key in ("left_out", "remarks")
    )
    which = f"{len(parts)} files, {PurePath(names[0]).name} to {PurePath(names[-1]).name}"
    note = read_as(scores, "", "", read[0].values["systems_in"], left_out, remarks)
    return scores.noted(Note("read_as", subject=which, values=note.values), *others)


def lower_first(scores: Scores, measures: Collection[str]) -> Scores:
    """Change the sign of measures of which the smallest score is the best, unless it is already changed."""
    new = set(measures) - scores.lower
    sign = np.array([-1.0 if measure in new else 1.0 for measure in scores.measures])
    values = scores.values * sign[:, None, None] + 0.0
    return scores._like(values, scores.notes, scores.measures, scores.lower | new)


def in_one_direction(sides: Mapping[str, Scores]) -> dict[str, Scores]:
    """If the smallest score of a measure is the best on one side, treat it so on all sides, with a note."""
    lower = {measure for side in sides.values() for measure in side.lower}
    found = {}
    for name, side in sides.items():
        more = tuple(measure for measure in side.measures if measure in lower - side.lower)
        note = Note("lower_is_better", values={"measures": more})
        found[name] = lower_first(side, more).noted(note) if more else side
    return found
