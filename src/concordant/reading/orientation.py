"""How a table may be read: what its rows are and what its columns are.

These are the rules, in their order. A note in the result tells how the table was read.

1. What the user says: the columns, or whether systems are in rows or in columns.
2. A column whose name is a word for systems and one for values, with one for topics or without: a long table.
3. A column of text whose name is a word for systems: rows are systems. Columns of numbers are measures, or
   topics if their names are numbers; ranks, and what is not a score (votes, dates, ...), are left out.
4. A column of text whose name is a word for measures: rows are measures, columns are systems.
5. A column whose name is a word for topics, or no column of names: rows are topics, columns are systems.
6. A column of names whose own name tells nothing: rows are systems if there is one column of numbers, topics
   if the names are numbers. Otherwise both readings remain. The systems of the other tables, or the user,
   decide.

In every case, a column that numbers the rows, and a row or column that sums up the others, is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn

import numpy as np

from concordant.errors import option
from concordant.reading.grid import Column, Grid
from concordant.reading.header_words import (
    bare_name,
    check_columns,
    counts_down,
    find_columns,
    is_beside_scores,
    is_numbered,
    is_summary,
    may_name_systems,
)
from concordant.results.words import count

SystemsIn = Literal["rows", "columns"]
Headers = Literal["measures", "topics"]


@dataclass(frozen=True)
class Layout:
    """One reading of a table; columns are given by their places."""

    systems_in: Literal["rows", "columns", "long"]
    values: tuple[int, ...]
    system: int | None = None  # the column that names the systems
    topic: int | None = None
    measure: int | None = None
    headers: Headers = "measures"  # what the columns are if systems are in rows
    segments: bool = False  # the rows of a system are its topics, in order
    lower: tuple[int, ...] = ()  # the columns of which the smallest value is the best
    left_out: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()  # columns that sum up the others, also left out

    def systems(self, grid: Grid) -> list[str]:
        """Return the names of the systems, each once."""
        if self.systems_in == "columns":
            return [grid.columns[place].name for place in self.values]
        if self.system is None:
            return [grid.stem]
        names = grid.columns[self.system].different_labels
        return [name for name in names if not (self.systems_in == "rows" and is_summary(name))]


def layouts_of(
    grid: Grid, given: Mapping[str, str], systems_in: SystemsIn | None = None, headers: Headers | None = None
) -> list[Layout]:
    """Return the possible readings of a table; raise an error if there is none."""
    names = grid.names
    if not names:
        grid.fail(None, "holds no columns")
    check_columns(names, given)
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        grid.fail(1, f"column {twice[0]!r} is in the header twice; names must be different")
    found = _long(grid, given) if systems_in is None else None
    if found is None:
        found = _wide(grid, given, systems_in, headers)
    return found


def _system_place(grid: Grid, given: Mapping[str, str], long: bool = False) -> int | None:
    """Find the column that names systems: of text, or of numbers if its name allows no other reading.

    A column of numbers called "llm" or "method" holds scores: those of a system, or of a judge.
    """
    if "system" in given:
        return grid.names.index(given["system"])
    taken = set(given.values())
    named = [i for i, kind in enumerate(grid.kinds) if kind == "system" and grid.names[i] not in taken]
    of_text = [i for i in named if grid.columns[i].numbers is None]
    of_numbers = [
        i for i in named if long or (may_name_systems(grid.names[i]) and _is_whole(grid.columns[i]))
    ]
    return next(iter((*of_text, *of_numbers)), None)


def _is_whole(column: Column) -> bool:
    numbers = column.numbers
    return numbers is not None and bool((numbers == numbers.round()).all())


def _long(grid: Grid, given: Mapping[str, str]) -> list[Layout] | None:
    """Read a table with a column of systems, and one of topics or one of values."""
    names = grid.names
    place = {kind: names.index(name) for kind, name in find_columns(names, given).items()}
    system = _system_place(grid, given, long={"topic", "value"} <= set(place))
    if system is None:
        return None
    place["system"] = system
    n_systems = len(grid.columns[system].different_labels)
    repeated = n_systems < grid.n_rows
    label = next((i for i, kind in enumerate(grid.kinds) if kind == "label"), None)
    if "topic" not in place and repeated and label is not None and label != system:
        place["topic"] = label
    if "value" in place and ("topic" in place or ("measure" in place and repeated)):
        left_out = tuple(name for i, name in enumerate(names) if i not in place.values())
        value = place["value"]
        return [
            Layout(
                "long",
                (value,),
                system,
                place.get("topic"),
                place.get("measure"),
                lower=_lower(grid, (value,)),
                left_out=left_out,
            )
        ]
    times = Counter(grid.columns[system].labels) if len(names) == 2 and repeated else Counter()
    if set(place) == {"system", "value"} and len(times) > 0:
        # A score for each system and segment, in the order of the segments.
        _refuse_uneven(grid, times)
        return [Layout("long", (place["value"],), system, segments=True)]
    if "topic" in place and "value" not in place and (repeated or "topic" in given or grid.file_is_system):
        # One row for each system and topic, and a column for each measure.
        values, left_out = _scores(grid, (system, place["topic"]))
        values = values or _ranks(grid)
        if values:
            lower = _lower(grid, values)
            left_out = tuple(name for name in left_out if name not in [names[i] for i in lower])
            return [Layout("long", values, system, place["topic"], lower=lower, left_out=left_out)]
    return None


def _refuse_uneven(grid: Grid, times: Counter[str]) -> None:
    """Refuse rows of segments if a system has fewer than another, because the missing ones are not known."""
    most, usual = max(times.values()), Counter(times.values()).most_common(1)[0][0]
    system, other = next(((name, n) for name, n in times.items() if n != usual), ("", 0))
    if not system:
        return
    if usual == 1 and most == 2:
        rows = [row for row, name in enumerate(grid.columns[_first_text(grid)].labels) if name == system]
        first = f", first in line {grid.line(rows[0])}" if grid.line(rows[0]) is not None else ""
        grid.fail(grid.line(rows[1]), f"system {system!r} is there twice{first}")
    grid.fail(
        None,
        f"system {system!r} is there {count(other, 'time')} and others {count(usual, 'time')}; if these are "
        "scores of segments in order, write None for those that are missing",
    )


def _first_text(grid: Grid) -> int:
    return next((i for i, column in enumerate(grid.columns) if column.numbers is None), 0)


def _wide(
    grid: Grid, given: Mapping[str, str], systems_in: SystemsIn | None, headers: Headers | None
) -> list[Layout]:
    names = grid.names
    kinds = grid.kinds
    system = _system_place(grid, given)
    topic = names.index(given["topic"]) if "topic" in given else _first(kinds, "topic")
    if systems_in == "rows" or (systems_in is None and system is not None and "topic" not in given):
        own = system if system is not None else _names_column(grid)
        return [_rows(grid, own, given, headers) or _no_scores(grid)]
    measure = _measure_place(grid, given, kinds) if topic is not None or systems_in is None else None
    if systems_in is None and measure is not None and topic is None:
        return [_measures(grid, measure) or _no_scores(grid)]
    if systems_in == "columns" or topic is not None:
        if topic is None and systems_in == "columns":
            topic = _label_place(grid)
        return [_columns(grid, topic, measure) or _no_scores(grid)]
    label = _label_place(grid)
    if label is None:
        _refuse_numbered_rows(grid)
        return [_columns(grid, None) or _no_scores(grid)]
    rows, columns = _rows(grid, label, given, headers), _columns(grid, label)
    if rows is None or columns is None:
        return [rows or columns or _no_scores(grid)]
    others = [names[place] for place in columns.values]
    own_labels = [each for each in grid.columns[label].labels if not is_summary(each)]
    if len(others) == 1:
        return [rows]
    if is_numbered(own_labels) and not is_numbered(others):
        return [columns]
    if is_numbered(others) and not is_numbered(own_labels):
        return [rows]
    return [rows, columns]


def _first(kinds: Sequence[str], kind: str) -> int | None:
    return next((i for i, each in enumerate(kinds) if each == kind), None)


def _measure_place(grid: Grid, given: Mapping[str, str], kinds: Sequence[str]) -> int | None:
    """Find the column of text that names the measures of the rows: the first, or one beside topics."""
    if "measure" in given:
        return grid.names.index(given["measure"])
    of_text = [i for i, kind in enumerate(kinds) if kind == "measure" and grid.columns[i].numbers is None]
    return of_text[0] if of_text and (of_text[0] == 0 or "topic" in kinds) else None


def _label_place(grid: Grid) -> int | None:
    """Find the column of names: the first one, if its name tells nothing or if it holds no numbers.

    If the first column is a rank or only numbers the rows, it is the first column of text.
    """
    first, kind = grid.columns[0], grid.kinds[0]
    of_text = next((i for i, column in enumerate(grid.columns) if column.is_text), None)
    if kind == "label" and (of_text is None or not _numbers_rows(first)):
        return 0
    if kind in ("rank", "label") and of_text is not None:
        return of_text
    return 0 if first.numbers is None else None


def _numbers_rows(column: Column) -> bool:
    """Say whether a column holds the index of a data frame, or the numbers of the rows from 0 or 1."""
    if column.numbers is None or not _is_whole(column):
        return False
    if column.name in ("", "index") or column.name.startswith(("Unnamed:", "level_")):
        return True
    return column.numbers.tolist() in (list(range(k, k + len(column.numbers))) for k in (0, 1))


def _names_column(grid: Grid) -> int:
    place = _label_place(grid)
    if place is None:
        grid.fail(
            None, f"no column names the systems; say which with {option('columns')}, such as system=Model"
        )
    return place


def _lower(grid: Grid, places: Sequence[int]) -> tuple[int, ...]:
    return tuple(place for place in places if counts_down(grid.columns[place].name))


def _ranks(grid: Grid) -> tuple[int, ...]:
    """Return the place of the first column of ranks, for a table without scores."""
    return tuple(
        i for i, column in enumerate(grid.columns) if column.numbers is not None and grid.kinds[i] == "rank"
    )[:1]


def _scores(grid: Grid, taken: Sequence[int]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the places of the columns that hold scores, and the names of those that do not."""
    names = set(grid.names)
    places, left_out = [], []
    for i, column in enumerate(grid.columns):
        if i in taken:
            continue
        kind = grid.kinds[i]
        plain = bare_name(column.name) == column.name  # only scores have an arrow
        no_score = kind in ("rank", "topic") or (kind == "other" and plain)
        no_score = no_score or (kind == "label" and _is_whole(column))
        no_score = no_score or (column.numbers is not None and bool(np.isnan(column.numbers).all()))
        if column.is_text or no_score or is_beside_scores(column.name, names):
            left_out.append(column.name)
        else:
            places.append(i)
    return tuple(places), tuple(left_out)


def _no_scores(grid: Grid) -> NoReturn:
    numeric = [column.name for column in grid.columns if column.numbers is not None]
    there = f"no column holds scores; there are {', '.join(grid.names)}"
    if numeric:
        grid.fail(None, f"{there}; say which does with {option('columns')}, such as value={numeric[-1]}")
    column = next((each for each in grid.columns[1:] if each.texts()), grid.columns[-1])
    cell = next((text for text in column.texts() if text.strip()), "")
    grid.fail(None, f"{there}; {cell!r} in column {column.name!r} is not a number" if cell else there)


def _rows(grid: Grid, label: int, given: Mapping[str, str], headers: Headers | None) -> Layout | None:
    """Read rows as systems; None if no column holds scores."""
    if "value" in given:
        value = grid.names.index(given["value"])
        left_out = tuple(name for i, name in enumerate(grid.names) if i not in (label, value))
        return Layout("rows", (value,), label, lower=_lower(grid, (value,)), left_out=left_out)
    places, left_out = _scores(grid, (label,))
    if not places:
        ranks = _ranks(grid)
        if ranks:
            others = tuple(name for i, name in enumerate(grid.names) if i not in (label, ranks[0]))
            return Layout("rows", ranks, label, lower=ranks, left_out=others)
        return None
    single = tuple(place for place in places if not is_summary(grid.columns[place].name))
    across: Headers = headers or ("topics" if _are_topics(grid, single) else "measures")
    if across == "topics" and single:
        kept = set(single)
        summaries = tuple(grid.columns[place].name for place in places if place not in kept)
        return Layout("rows", single, label, headers=across, left_out=left_out, summaries=summaries)
    return Layout("rows", places, label, headers=across, lower=_lower(grid, places), left_out=left_out)


def _are_topics(grid: Grid, places: Sequence[int]) -> bool:
    return len(places) > 1 and is_numbered([grid.columns[place].name for place in places])


def _columns(grid: Grid, topic: int | None, measure: int | None = None) -> Layout | None:
    """Read rows as topics or measures, and columns as systems; None if no column holds scores."""
    numeric = [i for i, column in enumerate(grid.columns) if i not in (topic, measure) and not column.is_text]
    places = [i for i in numeric if not _is_no_system(grid, i, numeric)]
    systems = tuple(i for i in places if not is_summary(grid.columns[i].name)) or tuple(places)
    if not systems:
        return None
    for place in systems:
        if grid.columns[place].name == "":
            grid.fail(1, f"column {place + 1} has no system name in the header")
    taken, kept = {topic, measure, *places}, set(systems)
    left_out = tuple(column.name for i, column in enumerate(grid.columns) if i not in taken)
    summaries = tuple(grid.columns[i].name for i in places if i not in kept)
    return Layout("columns", systems, topic=topic, measure=measure, left_out=left_out, summaries=summaries)


def _is_no_system(grid: Grid, place: int, numeric: Sequence[int]) -> bool:
    """Say whether a column among systems numbers the rows, or holds what is not a score."""
    column, kind = grid.columns[place], grid.kinds[place]
    if kind not in ("label", "rank", "other", "topic"):
        return False
    whole = _is_whole(column)
    if len(column.name.strip()) in (1, 2) and column.name.strip() != "#":  # a system may be called so
        others = [grid.columns[i] for i in numeric if i != place]
        return whole and any(not _is_whole(each) for each in others)
    return whole or kind == "other"


def _measures(grid: Grid, measure: int) -> Layout | None:
    """Read rows as measures and columns as systems; a single column belongs to the system of the file."""
    found = _columns(grid, None, measure)
    if found is None or len(found.values) > 1 or grid.kinds[found.values[0]] != "value":
        return found
    return Layout("long", found.values, measure=measure, left_out=found.left_out)


def _refuse_numbered_rows(grid: Grid) -> None:
    """Refuse a first column of different whole numbers beside scores: it may number the rows."""
    first, *others = grid.columns
    numbers = first.numbers
    if numbers is None or len(numbers) < 2 or not others:
        return
    whole = bool((numbers == numbers.round()).all()) and len(set(numbers.tolist())) == len(numbers)
    written = all(text.strip().isdigit() for text in first.texts())
    rest = [column.numbers for column in others if column.numbers is not None]
    fractions = any(bool((each != each.round()).any()) for each in rest)
    smaller = all(float(numbers.min()) > float(each.max(initial=0)) for each in rest)
    if whole and written and (fractions or smaller):
        beside = f"the first column, {first.name!r}, holds different whole numbers beside scores"
        grid.fail(
            1, f"{beside}; name it 'topic' if these are topics, or write its scores with a decimal point"
        )
