"""Tables of text, CSV and TSV, as grids of columns."""

from __future__ import annotations

import csv
import io
import itertools
import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from concordant.errors import ArgumentError, fail, shown
from concordant.reading.cells import (
    NUMBER,
    PLAIN,
    WORDS_FOR_MISSING,
    Column,
    Decimal,
    column_of,
    decimal_mark,
)
from concordant.reading.files import FileLike, limit, name_of, read_text, stem_of
from concordant.reading.header_words import find_columns, is_word
from concordant.reading.measure_names import is_measure_name
from concordant.reading.readings import Grid
from concordant.scores.scores import coded

Line: TypeAlias = tuple[int, list[str]]
"""The number of a line, and its cells."""

_QUOTED_FORMULA = re.compile(r"^'(?='*[=+\-@\t\r])")  # as `csv_text` writes it


def split(lines: Sequence[str], mark: str) -> list[list[str]]:
    """Split the first lines of a table; return nothing if this is not possible."""
    try:
        return [row for row in csv.reader(lines[:20], delimiter=mark, strict=False) if row]
    except csv.Error:
        return []


def delimiter(lines: Sequence[str]) -> str | None:
    """Find the mark between columns: the one with which most lines have as many parts as the first."""
    best, score = None, 0.0
    for mark in "\t,;":
        rows = split(lines, mark)
        if not rows or len(rows[0]) < 2:
            continue
        alike = sum(len(row) - len(rows[0]) in (0, 1) for row in rows[1:]) / max(len(rows) - 1, 1)
        if alike > score or best is None:
            best, score = mark, alike
    return best


def mark_of(text: str) -> str:
    """Return the mark between the columns of a table."""
    return delimiter([line for line in text[:50_000].split("\n") if line.strip()]) or ","


def unquoted(cell: str) -> str:
    """Remove the quote before a name that looks like a formula."""
    return _QUOTED_FORMULA.sub("", cell)


def rows_of_text(name: str, text: str, mark: str) -> Iterator[Line]:
    """Yield the rows of a CSV or TSV that are not blank, with the line at which they start."""
    most = limit("CONCORDANT_MAX_CELL")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    line = 1
    while True:
        usual = csv.field_size_limit(most)  # this setting is global, so that it is restored at once
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "field limit" in str(error):
                long = f"a cell has more than {most} characters; is a quote missing?"
                fail(name, line, f"{long} If not, set CONCORDANT_MAX_CELL to a larger number")
            fail(name, reader.line_num, f"broken CSV: {error}")
        finally:
            csv.field_size_limit(usual)
        if row and (len(row) > 1 or row[0].strip()):  # not a blank line
            yield line, [unquoted(cell) for cell in row] if "'" in "".join(row) else row
        line = reader.line_num + 1


def grid_of_text(
    source: FileLike,
    text: str,
    mark: str,
    decimal: Decimal | None = None,
    columns: Callable[[Sequence[str]], Mapping[str, str]] | None = None,
) -> Grid:
    """Read a CSV or TSV.

    If `columns` is given, it returns the kinds of columns that the user names for a header. A long table is
    then read by its known columns, which is faster.
    """
    if mark == " ":
        text, mark = "\n".join("\t".join(line.split()) for line in text.split("\n")), "\t"
    long = None if columns is None else _long_grid(source, text, mark, columns)
    if long is not None:
        return long
    rows = list(rows_of_text(name_of(source), text, mark))
    if not rows:
        fail(name_of(source), None, "is empty")
    return grid_of_cells(source, rows, decimal)


def grid_of_cells(
    source: FileLike, rows: list[Line], decimal: Decimal | None, remarks: tuple[str, ...] = ()
) -> Grid:
    """Make a grid of rows of cells, the first of which is the header, if there is one."""
    name = name_of(source)
    rows, above = _without_titles(rows)
    header, rows = _headed(name, rows)
    if not rows:
        fail(name, None, "has a header and no rows")
    header, rows = _even(header, rows)
    for line, row in rows:
        if len(row) != len(header):
            whole = shown(",".join(row))
            fail(name, line, f"expected {len(header)} columns, found {len(row)}: {whole}; fix this line")
    cells = list(zip(*(row for _, row in rows), strict=True))
    mark = decimal or decimal_mark(cells)
    columns = tuple(column_of(head, column, mark) for head, column in zip(header, cells, strict=True))
    lines = [line for line, _ in rows]
    return Grid(name, stem_of(source), columns, len(rows), lines.__getitem__, (*remarks, *above))


def _without_titles(rows: list[Line]) -> tuple[list[Line], tuple[str, ...]]:
    """Leave out comments, and a title above the header: one cell above several cells without numbers."""
    kept = [row for row in rows if not (row[1][0].lstrip().startswith("#") and _filled(row) == 1)]
    remarks = ("lines that begin with # were left out",) if 0 < len(kept) < len(rows) else ()
    rows = kept or rows
    title = len(rows) > 2 and _filled(rows[0]) == 1 < _filled(rows[1])
    if title and not any(NUMBER.fullmatch(cell.strip()) for cell in rows[1][1]):
        return rows[1:], (*remarks, f"the title {shown(rows[0][1][0].strip())} was left out")
    return rows, remarks


def _filled(row: Line) -> int:
    return sum(1 for cell in row[1] if cell.strip())


def _headed(name: str, rows: list[Line]) -> tuple[list[str], list[Line]]:
    """Separate the header from the rows. Rows of a name and a number need no header."""
    first = [cell.strip() for cell in rows[0][1]]
    numbers = [NUMBER.fullmatch(cell) is not None for cell in first]
    missing = [cell.lower() in WORDS_FOR_MISSING for cell in first]
    known = is_word(first[0], "topic") or is_word(first[0], "system")
    if len(first) == 2 and not numbers[0] and (numbers[1] or (missing[1] and not known)):
        measures = all(is_measure_name(row[0].strip()) for _, row in rows)
        return ["measure" if measures else "system", "value"], rows
    if len(first) > 1 and all(numbers):
        fail(name, 1, "the first line holds numbers; it must name the columns")
    scores = any(numbers[1:]) and all(map(operator.or_, numbers[1:], missing[1:]))
    if len(first) > 2 and scores and len(rows) > 1 and not (known or first[0] == ""):
        fail(name, 1, "the first line holds scores; write a line above it that names the columns")
    return first, rows[1:]


def _even(header: list[str], rows: list[Line]) -> tuple[list[str], list[Line]]:
    """Add a header for row names, which R leaves out; drop the empty last cell if lines end with a mark."""
    known = is_word(header[0], "topic") or is_word(header[0], "system")
    longer = all(len(row) == len(header) + 1 for _, row in rows)
    if all(len(row) > 1 and row[-1].strip() == "" for _, row in rows) and (header[-1:] == [""] or longer):
        header = header[:-1] if header[-1] == "" else header
        return header, [(line, row[:-1]) for line, row in rows]
    return (["", *header] if longer and not known else header), rows


_WORTH_A_LIBRARY = 4_000_000  # characters: loading a library takes as long as reading this many

_Labels: TypeAlias = dict[int, tuple[Any, list[str]]]  # for each column of names its codes and its labels


def _long_grid(
    source: FileLike, text: str, mark: str, columns: Callable[[Sequence[str]], Mapping[str, str]]
) -> Grid | None:
    """Read a long table, whose columns are known from its header; None if it is none, or not plain."""
    first = split(text.split("\n", 1)[:1], mark)
    header = [cell.strip() for cell in first[0]] if first else []
    try:
        kinds = find_columns(header, columns(header))
    except ArgumentError:  # the user names a column that is not there
        return None
    if not {"topic", "system", "value"} <= set(kinds) or len(set(header)) < len(header):
        return None
    places = {kind: header.index(name) for kind, name in kinds.items()}
    value = places.pop("value")
    how = (text, len(header), mark, list(places.values()), value)
    found = (_by_pyarrow(*how) if len(text) > _WORTH_A_LIBRARY else None) or _row_by_row(*how)
    clean = found and _clean(*found)
    if not clean:
        return None
    codes, numbers = clean
    cells = [
        Column(head, partial(_texts, *codes[place]), codes=codes[place])
        if place in codes
        else Column(head, list, numbers if place == value else None)
        for place, head in enumerate(header)
    ]

    def line(row: int) -> int:
        lines = (line for line, _ in rows_of_text(name_of(source), text, mark))
        return next(itertools.islice(lines, row + 1, None))  # after the header

    return Grid(name_of(source), stem_of(source), tuple(cells), len(numbers), line)


def _texts(codes: Any, labels: Sequence[str]) -> list[str]:
    return [labels[code] for code in codes.tolist()]


def _row_by_row(
    text: str, width: int, mark: str, labels: Sequence[int], value: int
) -> tuple[_Labels, Any] | None:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    indices: list[defaultdict[str, int]] = [defaultdict() for _ in labels]
    for index in indices:
        index.default_factory = index.__len__
    parts: list[list[Any]] = [[] for _ in labels]
    numbers = []
    usual = csv.field_size_limit(limit("CONCORDANT_MAX_CELL"))  # this setting is global
    try:
        next(reader)
        while part := list(itertools.islice(reader, 500)):  # few rows at once stay in the cache
            columns = list(zip(*filter(None, part), strict=True))
            if len(columns) != width or not PLAIN.fullmatch("\n".join(columns[value])):
                return None
            for place, index, own in zip(labels, indices, parts, strict=True):
                own.append(np.array(list(map(index.__getitem__, columns[place])), dtype=np.int64))
            numbers.append(np.array(columns[value], dtype=np.float64))
    except (
        csv.Error,
        ValueError,
        StopIteration,
    ):  # the reader of single cells raises the error, with the line
        return None
    finally:
        csv.field_size_limit(usual)
    if not numbers:
        return None
    codes = [(np.concatenate(own), list(index)) for own, index in zip(parts, indices, strict=True)]
    return dict(zip(labels, codes, strict=True)), np.concatenate(numbers)


def _clean(found: _Labels, numbers: Any) -> tuple[_Labels, Any] | None:
    """Return names without surrounding spaces; None if names or numbers are not plain."""
    if not np.isfinite(numbers).all():
        return None
    clean = {}
    for place, (codes, labels) in found.items():
        again, names = coded(unquoted(label).strip() for label in labels)
        if "" in names:
            return None
        clean[place] = (codes if len(names) == len(labels) else again[codes], names)
    return clean, numbers


def _by_pyarrow(
    text: str, width: int, mark: str, labels: Sequence[int], value: int
) -> tuple[_Labels, Any] | None:
    """Read with pyarrow; None if it is not installed, or finds a fault: our own reader tells the line."""
    with suppress(Exception):
        import pyarrow as pa
        from pyarrow import csv

        kinds = {str(place): pa.string() for place in labels} | {str(value): pa.float64()}
        table = csv.read_csv(
            pa.BufferReader(text.encode()),
            read_options=csv.ReadOptions(column_names=list(map(str, range(width))), skip_rows=1),
            parse_options=csv.ParseOptions(delimiter=mark, newlines_in_values='"' in text),
            convert_options=csv.ConvertOptions(
                column_types=kinds, include_columns=list(kinds), null_values=[], strings_can_be_null=False
            ),
        )
        found = {}
        for place in labels:  # encoding whole columns is faster than reading them as dictionaries
            column = table.column(str(place)).combine_chunks().dictionary_encode()
            table = table.drop_columns([str(place)])  # the texts are not needed any more
            column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
            found[place] = (column.indices.to_numpy().astype(np.int64), column.dictionary.to_pylist())
        return found, table.column(str(value)).to_numpy()
    return None


def read_names(source: FileLike) -> dict[str, str]:
    """Read lines of an old and a new name, separated by a comma, a semicolon or a tab."""
    name, text = name_of(source), read_text(source)
    mark = mark_of(text)
    found: dict[str, str] = {}
    for line, row in rows_of_text(name, text, mark):
        if len(row) != 2 or not all(cell.strip() for cell in row):
            fail(name, line, f"expected an old and a new name, found {shown(mark.join(row))}")
        old, new = (cell.strip() for cell in row)
        if found.get(old, new) != new:
            fail(name, line, f"{shown(old)} has two new names; keep one line")
        found[old] = new
    return found
