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
from dataclasses import replace
from typing import NoReturn

import numpy as np

from concordant.errors import option
from concordant.reading.cells import TRUTH, Column
from concordant.reading.header_words import (
    bare_name,
    check_columns,
    counts_down,
    ends_as_score,
    find_columns,
    is_beside_scores,
    is_numbered,
    is_word,
    places_of,
)
from concordant.reading.readings import Grid, Headers, Reading, SystemsIn
from concordant.results.words import count


def readings_of_grid(
    grid: Grid,
    given: Mapping[str, str],
    systems_in: SystemsIn | None = None,
    headers: Headers | None = None,
    once: bool = True,
) -> list[Reading]:
    """Return the possible readings of a table; raise an error if there is none.

    `once` means that a system of a table without topics must not appear twice.
    """
    names = grid.names
    if not names:
        grid.refuse("holds no columns")
    check_columns(names, given)
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        grid.refuse(f"column {twice[0]!r} is in the header twice; names must be different", header=True)
    grid = _with_one_measure(grid, given)
    long = _long(grid, given, once) if systems_in is None else None
    return _wide(grid, given, systems_in, headers) if long is None else [long]


def _with_one_measure(grid: Grid, given: Mapping[str, str]) -> Grid:
    """Join columns that name the measure together: the task "arc" and its metric "acc" are "arc/acc".

    A column with the same cell everywhere says nothing, unless the smallest score is the best by its name.
    """
    places = [i for i, kind in enumerate(grid.kinds) if kind == "measure" and grid.columns[i].is_text]
    if len(places) < 2 or "measure" in given or any(grid.names[i] in given.values() for i in places):
        return grid
    telling = [
        i for i in places if len(own := grid.columns[i].different_labels) > 1 or any(map(counts_down, own))
    ]
    if len(telling) < 2:
        places = [i for i in places if i not in telling[:1]] if telling else places[1:]
        return replace(grid, columns=tuple(each for i, each in enumerate(grid.columns) if i not in places))
    names = list(map("/".join, zip(*(grid.labels(i, "measure") for i in telling), strict=True)))
    columns = [each for i, each in enumerate(grid.columns) if i not in places[1:]]
    columns[places[0]] = Column("measure", lambda: names)
    return replace(grid, columns=tuple(columns))


def _system_place(grid: Grid, given: Mapping[str, str], long: bool = False) -> int | None:
    """Find the column that names systems: of text, or of numbers if its name allows no other reading.

    A column of numbers called "llm" or "method" holds scores: those of a system, or of a judge.
    """
    if "system" in given:
        return grid.names.index(given["system"])
    taken = set(given.values())
    # The most usual word first: of "Name" and "Model", the second names the model.
    named = [i for i in places_of(grid.names, "system") if grid.kinds[i] == "system"]
    named = [i for i in named if grid.names[i] not in taken]
    of_text = [i for i in named if grid.columns[i].numbers is None]
    of_numbers = [
        i for i in named if long or (is_word(grid.names[i], "numbered system") and grid.columns[i].is_whole)
    ]
    return next(iter((*of_text, *of_numbers)), None)


def _long(grid: Grid, given: Mapping[str, str], once: bool) -> Reading | None:
    """Read a table with a column of systems, and one of topics or one of values."""
    names = grid.names
    place = {kind: names.index(name) for kind, name in find_columns(names, given).items()}
    system = _system_place(grid, given, long={"topic", "value"} <= set(place))
    if system is None:
        return None
    place["system"] = system
    repeated = len(grid.columns[system].different_labels) < grid.n_rows
    labels = (i for i, kind in enumerate(grid.kinds) if kind == "label" and i != system)
    one = len(grid.columns[system].different_labels) == 1
    # Not the numbers of the rows: two systems have the same item.
    shared = (i for i in labels if one or len(grid.columns[i].different_labels) < grid.n_rows)
    if "topic" not in place and repeated and (label := next(shared, None)) is not None:
        place["topic"] = label
    topic = place.get("topic")
    if "value" in place and (topic is not None or ("measure" in place and repeated)):
        return Reading(grid, "long", (place["value"],), system, topic, place.get("measure"))
    if set(place) == {"system", "value"} and len(names) == 2 and repeated and once:
        # A score for each system and segment, in the order of the segments.
        _refuse_uneven(grid, grid.columns[system].labels)
        return Reading(grid, "long", (place["value"],), system, segments=True)
    if topic is not None and "value" not in place and (repeated or "topic" in given or grid.file_is_system):
        # One row for each system and topic, and a column for each measure.
        values = _scores(grid, (system, topic)) or _ranks(grid)
        return Reading(grid, "long", values, system, topic) if values else None
    return None


def _refuse_uneven(grid: Grid, systems: Sequence[str]) -> None:
    """Refuse rows of segments of which systems have different numbers: what is missing is not known."""
    times = Counter(systems)
    if len(set(times.values())) > 1:
        (most, n), *_, (fewest, few) = times.most_common()
        what = f"system {most!r} appears {count(n, 'time')}, and {fewest!r} {count(few, 'time')}"
        last = len(systems) - 1 - systems[::-1].index(most)
        grid.refuse(f"{what}; remove duplicates, or write None for segments without a score", last)


def _wide(
    grid: Grid, given: Mapping[str, str], systems_in: SystemsIn | None, headers: Headers | None
) -> list[Reading]:
    names = grid.names
    system = _system_place(grid, given)
    topic = names.index(given["topic"]) if "topic" in given else _first(grid, "topic")
    if systems_in == "rows" or (systems_in is None and system is not None and "topic" not in given):
        own = system if system is not None else _names_column(grid)
        return [_rows(grid, own, given, headers) or _no_scores(grid)]
    measure = _measure_place(grid, given) if topic is not None or systems_in is None else None
    if systems_in is None and measure is not None and topic is None:
        return [_measures(grid, measure) or _no_scores(grid)]
    if systems_in == "columns" or topic is not None:
        topic = _label_place(grid) if topic is None else topic
        return [_columns(grid, topic, measure) or _no_scores(grid)]
    label = _label_place(grid)
    if label is None:
        _refuse_numbered_rows(grid)
        return [_columns(grid, None) or _no_scores(grid)]
    rows, columns = _rows(grid, label, given, headers), _columns(grid, label)
    if rows is None or columns is None:
        return [rows or columns or _no_scores(grid)]
    others = [names[place] for place in columns.values]
    own_labels = [each for each in grid.columns[label].different_labels if not is_word(each, "summary")]
    if len(others) == 1:
        return [rows]
    if is_numbered(own_labels) and not is_numbered(others):
        return [columns]
    if headers is not None or (is_numbered(others) and not is_numbered(own_labels)):
        return [rows]
    return [rows, columns]


def _first(grid: Grid, kind: str) -> int | None:
    return next((i for i, each in enumerate(grid.kinds) if each == kind), None)


def _measure_place(grid: Grid, given: Mapping[str, str]) -> int | None:
    """Find the column of text that names the measures of the rows: the first, or one beside topics."""
    if "measure" in given:
        return grid.names.index(given["measure"])
    of_text = (
        i for i, kind in enumerate(grid.kinds) if kind == "measure" and grid.columns[i].numbers is None
    )
    first = next(of_text, None)
    return first if first == 0 or "topic" in grid.kinds else None


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
    """Return whether a column is the index of a data frame, or numbers the rows from 0 or 1."""
    if column.numbers is None or not column.is_whole:
        return False
    if column.name in ("", "index") or column.name.startswith(("Unnamed:", "level_")):
        return True
    return column.numbers.tolist() in (list(range(k, k + len(column.numbers))) for k in (0, 1))


def _names_column(grid: Grid) -> int:
    place = _label_place(grid)
    if place is None:
        grid.refuse(f"no column names the systems; say which with {option('columns')}, such as system=Model")
    return place


def _ranks(grid: Grid) -> tuple[int, ...]:
    """Return the place of the first column of ranks, for a table without scores."""
    ranks = (i for i, kind in enumerate(grid.kinds) if kind == "rank")
    return tuple(i for i in ranks if grid.columns[i].numbers is not None)[:1]


def _scores(grid: Grid, taken: Sequence[int]) -> tuple[int, ...]:
    """Return the places of the columns that hold scores."""
    places = (i for i in range(len(grid.columns)) if i not in taken)
    return tuple(i for i in places if grid.names[i] in grid.wanted or not _is_no_score(grid, i))


def _is_no_score(grid: Grid, place: int) -> bool:
    """Return whether a column among measures holds what is not a score."""
    column, kind = grid.columns[place], grid.kinds[place]
    if (
        column.is_text
        or is_beside_scores(column.name, grid.names)
        or kind in ("rank", "topic")
        or (kind == "label" and column.is_whole)
    ):
        return True
    if kind == "other" and bare_name(column.name) == column.name:  # only scores have an arrow
        return True
    return column.numbers is not None and bool(np.isnan(column.numbers).all())


def _no_scores(grid: Grid) -> NoReturn:
    numeric = [column.name for column in grid.columns if column.numbers is not None]
    there = f"no column holds scores; there are {', '.join(grid.names)}"
    if numeric:
        grid.refuse(f"{there}; say which does with {option('columns')}, such as value={numeric[-1]}")
    column = next((each for each in grid.columns[1:] if any(each.labels)), grid.columns[-1])
    cell = next(filter(None, column.labels), "")
    problem = column.problem or f"{cell!r} is not a number"
    grid.refuse(f"{there}; column {column.name!r}: {problem}" if cell else there)


def _rows(grid: Grid, label: int, given: Mapping[str, str], headers: Headers | None) -> Reading | None:
    """Read rows as systems; None if no column holds scores."""
    if "value" in given:
        return Reading(grid, "rows", (grid.names.index(given["value"]),), label)
    places = _scores(grid, (label,))
    flags = {i for i in places if TRUTH in grid.columns[i].remarks and grid.names[i] not in grid.wanted}
    flags -= {i for i in flags if ends_as_score(grid.names[i])}
    others = tuple(i for i in places if i not in flags)
    known = [own for i in others if (own := grid.columns[i].numbers) is not None]
    if not all(np.isin(own, (0, 1)).all() for own in known):
        places = others  # True and False of systems beside other numbers are no scores
    if not places:
        ranks = _ranks(grid)
        return Reading(grid, "rows", ranks, label) if ranks else None
    single = tuple(place for place in places if not is_word(grid.names[place], "summary"))
    numbered = len(single) > 1 and is_numbered([grid.names[place] for place in single])
    across: Headers = headers or ("topics" if numbered else "measures")
    if across == "topics" and single:
        summaries = tuple(grid.names[place] for place in places if is_word(grid.names[place], "summary"))
        return Reading(grid, "rows", single, label, headers=across, summaries=summaries)
    return Reading(grid, "rows", places, label, headers=across)


def _columns(grid: Grid, topic: int | None, measure: int | None = None) -> Reading | None:
    """Read rows as topics or measures, and columns as systems; None if no column holds scores."""
    numeric = [i for i, column in enumerate(grid.columns) if i not in (topic, measure) and not column.is_text]
    places = [i for i in numeric if not _is_no_system(grid, i, numeric)]
    systems = tuple(i for i in places if not is_word(grid.names[i], "summary")) or tuple(places)
    for place in systems:
        if grid.names[place] == "":
            grid.refuse(f"column {place + 1} has no system name in the header", header=True)
    kept = set(systems)
    summaries = tuple(grid.names[i] for i in places if i not in kept)
    reading = Reading(grid, "columns", systems, topic=topic, measure=measure, summaries=summaries)
    return reading if systems else None


def _is_no_system(grid: Grid, place: int, numeric: Sequence[int]) -> bool:
    """Return whether a column among systems numbers the rows, or holds what is not a score."""
    column, kind = grid.columns[place], grid.kinds[place]
    if kind not in ("label", "rank", "other", "topic"):
        return False
    if len(column.name.strip()) in (1, 2) and column.name.strip() != "#":  # a system may be called so
        return column.is_whole and any(not grid.columns[i].is_whole for i in numeric if i != place)
    return column.is_whole or kind == "other"


def _measures(grid: Grid, measure: int) -> Reading | None:
    """Read rows as measures and columns as systems; a single column belongs to the system of the file."""
    found = _columns(grid, None, measure)
    if found is None or len(found.values) > 1 or grid.kinds[found.values[0]] != "value":
        return found
    return Reading(grid, "long", found.values, measure=measure)


def _refuse_numbered_rows(grid: Grid) -> None:
    """Refuse a first column of different whole numbers beside scores: it may number the rows."""
    first, *others = grid.columns
    numbers = first.numbers
    if numbers is None or len(numbers) < 2 or not others:
        return
    different = first.is_whole and len(set(numbers.tolist())) == len(numbers)
    rest = [column.numbers for column in others if column.numbers is not None]
    fractions = any(bool((each != each.round()).any()) for each in rest)
    smaller = all(float(numbers.min()) > float(each.max(initial=0)) for each in rest)
    if different and (fractions or smaller) and all(text.strip().isdigit() for text in first.texts()):
        beside = f"the first column, {first.name!r}, holds different whole numbers beside scores"
        advice = "name it 'topic' if these are topics, or write its scores with a decimal point"
        grid.refuse(f"{beside}; {advice}", header=True)
