"""How a table may be read: what its rows are and what its columns are.

The rules, in this order, each told in a note with the answer:

1. What the user says: the columns, or whether systems are in rows or in columns.
2. A column whose name is a word for systems and one for values, with one for topics or without: a long table.
3. A column whose name is a word for systems: rows are systems. Columns of numbers are measures, or topics if
   their names are numbers; a column of ranks and what is not a score (votes, dates, ...) is left out.
4. A column whose name is a word for topics, or no column of names: rows are topics, columns are systems.
5. A column of names without a telling name: rows are systems if there is one column of numbers, topics if the
   names are numbers. Otherwise both readings remain. The other tables decide by their systems, or the user.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn

from concordant.errors import option
from concordant.scores.columns import check_columns, find_columns, is_numbered, kind_of_column
from concordant.scores.grid import Grid

__all__ = ["Headers", "Layout", "SystemsIn", "layouts_of"]

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
    segments: bool = False  # the rows of a system are its topics, in their order
    ranks: bool = False  # the values are ranks: the smallest is the best
    left_out: tuple[str, ...] = ()

    def systems(self, grid: Grid) -> list[str]:
        """Return the names of the systems, each once."""
        if self.systems_in == "columns":
            return [grid.columns[place].name for place in self.values]
        return list(grid.columns[self.system or 0].different_labels)


def layouts_of(
    grid: Grid, given: Mapping[str, str], systems_in: SystemsIn | None = None, headers: Headers | None = None
) -> list[Layout]:
    """Return the readings that are possible, the one if there is one; a table that has none is an error."""
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


def _long(grid: Grid, given: Mapping[str, str]) -> list[Layout] | None:
    """Read a table with a column of systems, and one of topics or one of values."""
    names = grid.names
    place = {kind: names.index(name) for kind, name in find_columns(names, given).items()}
    if "system" not in place:
        return None
    n_systems = len(grid.columns[place["system"]].different_labels)
    repeated = n_systems < grid.n_rows
    label = next((i for i, name in enumerate(names) if kind_of_column(name) == "label"), None)
    if "topic" not in place and repeated and label is not None and label != place["system"]:
        place["topic"] = label
    if "value" in place and ("topic" in place or ("measure" in place and repeated)):
        left_out = tuple(name for i, name in enumerate(names) if i not in place.values())
        return [
            Layout(
                "long",
                (place["value"],),
                place["system"],
                place.get("topic"),
                place.get("measure"),
                left_out=left_out,
            )
        ]
    times = Counter(grid.columns[place["system"]].labels) if len(names) == 2 and repeated else Counter()
    if set(place) == {"system", "value"} and len(set(times.values())) == 1:
        # A score for each system and segment, in the order of the segments.
        return [Layout("long", (place["value"],), place["system"], segments=True)]
    if "topic" in place and "value" not in place and (repeated or "topic" in given):
        # One row for each system and topic, and a column for each measure.
        taken = (place["system"], place["topic"])
        values, left_out = _scores(grid, taken)
        if values:
            return [Layout("long", values, place["system"], place["topic"], left_out=left_out)]
    return None


def _wide(
    grid: Grid, given: Mapping[str, str], systems_in: SystemsIn | None, headers: Headers | None
) -> list[Layout]:
    names = grid.names
    kinds = [kind_of_column(name) for name in names]
    system = names.index(given["system"]) if "system" in given else _first(kinds, "system")
    topic = names.index(given["topic"]) if "topic" in given else _first(kinds, "topic")
    if systems_in == "rows" or (systems_in is None and system is not None and "topic" not in given):
        own = system if system is not None else _names_column(grid)
        return [_rows(grid, own, given, headers) or _no_scores(grid)]
    if systems_in == "columns" or topic is not None:
        if topic is None and systems_in == "columns":
            topic = _label_place(grid)
        return [_columns(grid, topic) or _no_scores(grid)]
    label = _label_place(grid)
    if label is None:
        _refuse_numbered_rows(grid)
        return [_columns(grid, None) or _no_scores(grid)]
    rows, columns = _rows(grid, label, given, headers), _columns(grid, label)
    if rows is None or columns is None:
        return [rows or columns or _no_scores(grid)]
    others = [name for i, name in enumerate(names) if i != label]
    if len(others) == 1:
        return [rows]
    if is_numbered(grid.columns[label].labels) and not is_numbered(others):
        return [columns]
    if is_numbered(others) and not is_numbered(grid.columns[label].labels):
        return [rows]
    return [rows, columns]


def _first(kinds: Sequence[str], kind: str) -> int | None:
    return next((i for i, each in enumerate(kinds) if each == kind), None)


def _label_place(grid: Grid) -> int | None:
    """Find the column of names: the first, if its name says nothing or if it holds no numbers."""
    if not grid.columns:
        return None
    first = grid.columns[0]
    if kind_of_column(first.name) == "label" or first.numbers is None:
        return 0
    return (
        next((i for i, column in enumerate(grid.columns) if column.is_text), None)
        if _is_rank(first.name)
        else None
    )


def _is_rank(name: str) -> bool:
    return kind_of_column(name) == "rank"


def _names_column(grid: Grid) -> int:
    place = _label_place(grid)
    if place is None:
        grid.fail(
            None, f"no column names the systems; say which with {option('columns')}, such as system=Model"
        )
    return place


def _scores(grid: Grid, taken: Sequence[int]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the places of the columns that hold scores, and the names of those that do not."""
    places, left_out = [], []
    for i, column in enumerate(grid.columns):
        if i in taken:
            continue
        if column.is_text or kind_of_column(column.name) in ("rank", "other", "system", "topic", "label"):
            left_out.append(column.name)
        else:
            places.append(i)
    return tuple(places), tuple(left_out)


def _no_scores(grid: Grid) -> NoReturn:
    named = f"{option('columns')}, such as value={grid.names[-1]}"
    grid.fail(None, f"no column holds scores; there are {', '.join(grid.names)}; say which does with {named}")


def _rows(grid: Grid, label: int, given: Mapping[str, str], headers: Headers | None) -> Layout | None:
    """Read rows as systems; None if no column holds scores."""
    if "value" in given:
        value = grid.names.index(given["value"])
        left_out = tuple(name for i, name in enumerate(grid.names) if i not in (label, value))
        return Layout("rows", (value,), label, ranks=_is_rank(given["value"]), left_out=left_out)
    places, left_out = _scores(grid, (label,))
    if not places:
        ranks = [
            i for i, column in enumerate(grid.columns) if column.numbers is not None and _is_rank(column.name)
        ]
        if ranks:
            others = tuple(name for i, name in enumerate(grid.names) if i not in (label, ranks[0]))
            return Layout("rows", (ranks[0],), label, ranks=True, left_out=others)
        return None
    across: Headers = headers or ("topics" if _are_topics(grid, places) else "measures")
    return Layout("rows", places, label, headers=across, left_out=left_out)


def _are_topics(grid: Grid, places: Sequence[int]) -> bool:
    return len(places) > 1 and is_numbered([grid.columns[place].name for place in places])


def _columns(grid: Grid, topic: int | None) -> Layout | None:
    """Read rows as topics, and columns as systems; None if no column holds scores."""
    places = tuple(i for i, column in enumerate(grid.columns) if i != topic and not column.is_text)
    left_out = tuple(column.name for i, column in enumerate(grid.columns) if i != topic and column.is_text)
    if not places:
        return None
    for place in places:
        if grid.columns[place].name == "":
            grid.fail(1, f"column {place + 1} has no system name in the header")
    return Layout("columns", places, topic=topic, left_out=left_out)


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
