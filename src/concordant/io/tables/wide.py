"""Wide tables: a header of systems, one row for each topic."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from concordant.errors import fail
from concordant.io.files import NUMBER, Source, name_of, shown, stem_of
from concordant.io.tables.cells import Cell, Line, Row, cells_of, number
from concordant.scores import is_column

__all__ = ["read_wide", "wide_rows"]


def read_wide(source: Source, text: str, _columns: Mapping[str, str]) -> Iterator[Row]:
    """Read a wide CSV or TSV; the measure is the name of the file."""
    yield from wide_rows(source, *cells_of(name_of(source), text))


def wide_rows(source: Source, header: Sequence[str], found: Iterable[Line]) -> Iterator[Row]:
    """Yield the scores of a wide table."""
    name, measure = name_of(source), stem_of(source)
    rows = list(found)
    if not rows:
        fail(name, None, "has a header and no rows")
    header, rows = _without_last_mark(header, rows)
    topic_at = _topic_column(name, header, rows)
    if topic_at == 0 and _one_longer(header, rows) and not is_column(header[0], "topic"):
        header = ["", *header]  # as R writes it: no header over row names
    systems = [cell for i, cell in enumerate(header) if i != topic_at]
    _check_systems(name, header, topic_at)
    seen: dict[str, int] = {}
    for place, (line, row) in enumerate(rows, 1):
        if len(row) != len(header):
            whole = shown(",".join(map(str, row)))
            fail(name, line, f"expected {len(header)} columns, found {len(row)}: {whole}")
        topic = str(place) if topic_at is None else str(row[topic_at]).strip()
        if topic == "":
            fail(name, line, "the topic is empty")
        if topic in seen:
            fail(name, line, f"topic {shown(topic)} is there twice, first in line {seen[topic]}")
        seen[topic] = line
        cells = [cell for i, cell in enumerate(row) if i != topic_at]
        for system, cell in zip(systems, cells, strict=True):
            yield measure, topic, system, number(name, line, cell, f"system {shown(system)}")


def _one_longer(header: Sequence[str], rows: Sequence[Line]) -> bool:
    return all(len(row) == len(header) + 1 for _, row in rows)


def _without_last_mark(header: Sequence[str], rows: list[Line]) -> tuple[Sequence[str], list[Line]]:
    """Drop the empty last cell of tables whose lines end with a mark."""
    empty = all(len(row) > 1 and str(row[-1]).strip() == "" for _, row in rows)
    if not empty or not (header[-1] == "" or _one_longer(header, rows)):
        return header, rows
    return header[:-1] if header[-1] == "" else header, [(line, row[:-1]) for line, row in rows]


def _check_systems(name: str, header: Sequence[str], topic_at: int | None) -> None:
    systems = {i: cell for i, cell in enumerate(header) if i != topic_at}
    for i, system in systems.items():
        if system == "":
            fail(name, 1, f"column {i + 1} has no system name in the header")
    twice = [system for system, count in Counter(systems.values()).items() if count > 1]
    if twice:
        fail(name, 1, f"system {shown(twice[0])} is in the header twice; names must be different")


def _topic_column(name: str, header: Sequence[str], rows: Sequence[Line]) -> int | None:
    """Find the column of topics, by its name, by R's way of writing, or because it holds no numbers."""
    known = [i for i, cell in enumerate(header) if is_column(cell, "topic")]
    if header[0] == "" or (not known and _one_longer(header, rows)):
        return 0
    # Away from the first column, names that could be a system's do not count.
    known = [i for i in known if i == 0 or header[i].lower() not in ("id", "index")]
    if known:
        return known[0]
    first = [str(row[0]).strip() for _, row in rows]
    if len(header) > 1 and all(cell and not NUMBER.fullmatch(cell) for cell in first):
        return 0
    if len(header) > 1 and all(map(NUMBER.fullmatch, header)):
        fail(name, 1, "the first line holds numbers; it must name the systems")
    if _may_be_topics(first, [cell for _, row in rows for cell in row[1:]]):
        beside = f"the first column, {shown(header[0])}, holds different whole numbers beside scores"
        step = "name it 'topic' if these are topics, or write its scores with a decimal point"
        fail(name, 1, f"{beside}; {step}")
    return None


def _may_be_topics(first: Sequence[str], others: Sequence[Cell]) -> bool:
    """Say whether the first column holds different whole numbers, the others fractions or smaller ones."""
    if not len(set(first)) == len(first) > 1 or not all(re.fullmatch(r"\d+", cell) for cell in first):
        return False
    if any(isinstance(cell, float) or (isinstance(cell, str) and "." in cell) for cell in others):
        return True
    return min(map(float, first)) > max(map(_size, others), default=math.inf)


def _size(cell: Cell) -> float:
    if isinstance(cell, str):
        return float(cell) if NUMBER.fullmatch(cell.strip()) else 0.0
    return float(cell)
