"""Tables of text, CSV and TSV, as grids of columns."""

from __future__ import annotations

import ast
import csv
import io
import itertools
import operator
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from concordant.errors import fail, shown
from concordant.reading.cells import (
    NUMBER,
    PLAIN,
    WORDS_FOR_MISSING,
    Column,
    Decimal,
    check_cell_lengths,
    columns_of,
    may_group,
    texts_of_codes,
    without_links,
)
from concordant.reading.files import FileLike, limit, name_of, read_text, stem_of
from concordant.reading.header_words import find_columns, is_word, kind_of_column
from concordant.reading.measure_names import is_measure_name
from concordant.reading.readings import Grid
from concordant.results.markup import FORMULA
from concordant.results.words import some
from concordant.scores.scores import coded

Line: TypeAlias = tuple[int, list[str]]
"""The number of a line, and its cells."""

_ESCAPE = re.compile(r"\\(?:[\\nrt]|x[0-9a-f]{2}|u[0-9a-f]{4})")
_QUOTED_FORMULA = re.compile(f"^'(?={FORMULA.pattern})")  # as `csv_text` writes it


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
    """Return a name as it was before `csv_text` quoted and escaped it."""
    if cell.startswith("'\\"):
        return _ESCAPE.sub(lambda found: str(ast.literal_eval(f"'{found[0]}'")), cell[2:])
    return _QUOTED_FORMULA.sub("", cell)


@contextmanager
def _csv_reader(text: str, mark: str) -> Iterator[Any]:
    usual = csv.field_size_limit(limit("CONCORDANT_MAX_CELL"))  # this setting is global
    try:
        yield csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    finally:
        csv.field_size_limit(usual)


def rows_of_text(name: str, text: str, mark: str) -> list[Line]:
    """Return the rows of a CSV or TSV that are not blank, with the line at which they start."""
    rows, line = [], 1
    with _csv_reader(text, mark) as reader:
        try:
            for row in reader:
                if row and (len(row) > 1 or row[0].strip()):  # not a blank line
                    rows.append((line, row))
                line = reader.line_num + 1
        except csv.Error as error:
            if "field limit" in str(error):
                long = f"a cell has more than {limit('CONCORDANT_MAX_CELL')} characters; is a quote missing?"
                fail(name, line, f"{long} If not, set CONCORDANT_MAX_CELL to a larger number")
            fail(name, reader.line_num, f"broken CSV: {error}")
    return [(line, list(map(unquoted, row))) for line, row in rows] if "'" in text else rows


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
    long = None if columns is None or decimal == "," else _long_grid(source, text, mark, columns)
    if long is not None:
        return long
    rows = rows_of_text(name_of(source), text, mark)
    if not rows:
        fail(name_of(source), None, "is empty")
    return grid_of_cells(source, rows, decimal)


_BAR = re.compile(r"(?<!\\)\|")
_MARKS = re.compile(r"\*\*|__|`|\\(?=[|_*])")
_ITALIC = re.compile(r"^_(.*)_$")


def markdown_rules(lines: Sequence[str]) -> list[int]:
    """Return the places of the lines below the headers of tables in Markdown, such as |---|:-:|."""
    ruled = (k for k, line in enumerate(lines) if k and "-" in line and "|" in line and "|" in lines[k - 1])
    return [k for k in ruled if all(re.fullmatch(":?-+:?", cell) for cell in _cells_of_bars(lines[k]))]


def grid_of_markdown(source: FileLike, text: str, decimal: Decimal | None) -> Grid:
    """Read the only table of a text in Markdown; what stands around it is left out."""
    name, lines = name_of(source), text.split("\n")
    rules = markdown_rules(lines)
    if len(rules) != 1:
        several = f"{len(rules)} tables, in lines {some(rules)}" if rules else "no table"
        fail(name, None, f"holds {several}; keep one, with a line such as |---|---| below its header")
    last = next((k for k in range(rules[0] + 1, len(lines)) if "|" not in lines[k]), len(lines))
    rows = [(k + 1, _cells_of_bars(lines[k])) for k in (rules[0] - 1, *range(rules[0] + 1, last))]
    for _, row in rows:
        check_cell_lengths(name, row)
    around = any(line.strip() for line in (*lines[: rules[0] - 1], *lines[last:]))
    return grid_of_cells(source, rows, decimal, ("the text around the table was left out",) if around else ())


def _cells_of_bars(line: str) -> list[str]:
    cells = _BAR.split(line.strip().removeprefix("|"))
    cells = cells[:-1] if len(cells) > 1 and not cells[-1].strip() else cells
    return [_ITALIC.sub(r"\1", _MARKS.sub("", cell).strip()).strip("*") for cell in cells]


def grid_of_cells(
    source: FileLike, rows: list[Line], decimal: Decimal | None, remarks: tuple[str, ...] = ()
) -> Grid:
    """Make a grid of rows of cells, the first of which is the header, if there is one."""
    name = name_of(source)
    kept = [(line, row) for line, row in rows if not (row[0].lstrip().startswith("#") and not any(row[1:]))]
    if 0 < len(kept) < len(rows):
        rows, remarks = kept, (*remarks, "lines that begin with # were left out")
    filled = [sum(map(bool, row)) for _, row in rows[:2]]
    if len(rows) > 2 and filled[0] == 1 < filled[1] and not any(map(NUMBER.fullmatch, rows[1][1])):
        remarks = (*remarks, f"the title {shown(rows[0][1][0].strip())} was left out")
        rows = rows[1:]
    header, rows = _headed(name, rows)
    if not rows:
        fail(name, None, "has a header and no rows")
    header, rows = _even(header, rows)
    for line, row in rows:
        if len(row) != len(header):
            whole = shown(",".join(row))
            fail(name, line, f"expected {len(header)} columns, found {len(row)}: {whole}; fix this line")
    cells = list(zip(*(row for _, row in rows), strict=True))
    columns = columns_of(header, cells, decimal)
    lines = [line for line, _ in rows]
    return Grid(name, stem_of(source), columns, len(rows), lines.__getitem__, remarks)


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


_WORTH_A_LIBRARY = 4_000_000  # characters: loading pyarrow takes as long as reading this many

_Coded: TypeAlias = tuple[list[tuple[Any, Sequence[str]]], Any]
"""For each column of labels the codes of its cells and the labels; and the numbers."""


def _long_grid(
    source: FileLike, text: str, mark: str, columns: Callable[[Sequence[str]], Mapping[str, str]]
) -> Grid | None:
    """Read a long table by its known columns; None if it is not long, or if anything is not plain.

    The reader of single cells then tells the line.
    """
    with suppress(Exception):
        header = [unquoted(cell).strip() for cell in split(text.split("\n", 1)[:1], mark)[0]]
        kinds = find_columns(header, columns(header))
        value = header.index(kinds.pop("value"))
        labels = [header.index(name) for name in kinds.values()]
        times = Counter(map(kind_of_column, header))
        one = times["system"] < 2 and times["measure"] < 2
        if {"topic", "system"} <= set(kinds) and one and header[-1] and len({*header}) == len(header):
            parts, numbers = _coded_columns(text, mark, len(header), labels, value)
            found = [Column(head, list) for head in header]
            found[value] = Column(header[value], list, numbers)
            for place, (codes, cells) in zip(labels, parts, strict=True):
                again, names = coded(without_links(unquoted(cell)).strip() for cell in cells)
                known = (again[codes], names)
                found[place] = Column(header[place], partial(texts_of_codes, *known), codes=known)
            plain = (
                np.isfinite(numbers).all()
                and not may_group(numbers)
                and not any("" in found[k].different_labels for k in labels)
            )
            line = partial(_line_of_row, name_of(source), text, mark)
            grid = Grid(name_of(source), stem_of(source), tuple(found), len(numbers), line)
            return grid if plain else None
    return None


def _line_of_row(name: str, text: str, mark: str, row: int) -> int:
    return rows_of_text(name, text, mark)[row + 1][0]  # after the header


def _coded_columns(text: str, mark: str, width: int, labels: Sequence[int], value: int) -> _Coded:
    """Read the columns of labels and that of numbers; raise an error if a cell is not plain."""
    if len(text) > _WORTH_A_LIBRARY:
        with suppress(ImportError):
            return _coded_by_pyarrow(text, mark, width, labels, value)
    known = [defaultdict[str, int](itertools.count().__next__) for _ in labels]
    parts: list[list[Any]] = []
    with _csv_reader(text, mark) as reader:
        next(reader)
        while rows := list(itertools.islice(reader, 500)):  # few rows at once stay in the cache
            columns = list(zip(*filter(None, rows), strict=True))
            if len(columns) != width or not PLAIN.fullmatch("\n".join(columns[value])):
                raise ValueError("not plain")
            codes = [list(map(own.__getitem__, columns[k])) for own, k in zip(known, labels, strict=True)]
            parts.append([*map(np.array, codes), np.array(columns[value], np.float64)])
    *found, numbers = map(np.concatenate, zip(*parts, strict=True))
    return list(zip(found, map(list, known), strict=True)), numbers


def _coded_by_pyarrow(text: str, mark: str, width: int, labels: Sequence[int], value: int) -> _Coded:
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
    found = []
    for place in labels:  # encoding whole columns is faster than reading them as dictionaries
        column = table.column(str(place)).combine_chunks().dictionary_encode()
        table = table.drop_columns([str(place)])  # the texts are not needed any more
        column = column.chunk(0) if hasattr(column, "chunk") else column
        # to_numpy would load pandas
        found.append((np.from_dlpack(column.indices), column.dictionary.to_pylist()))
    return found, np.from_dlpack(table.column(str(value)).combine_chunks())


def read_names(source: FileLike) -> dict[str, str]:
    """Read lines of an old and a new name, separated by a comma, a semicolon or a tab."""
    return _read_pairs(source, "an old and a new name", "new names")


def read_groups(source: FileLike) -> dict[str, str]:
    """Read lines of a system and its group; a first line such as "system,group" is a header."""
    return _read_pairs(source, "a system and its group", "groups", header=True)


def read_clusters(source: FileLike) -> dict[str, str]:
    """Read lines of an item and its cluster."""
    return _read_pairs(source, "an item and its cluster", "clusters")


def _read_pairs(source: FileLike, what: str, several: str, header: bool = False) -> dict[str, str]:
    name, text = name_of(source), read_text(source)
    mark = mark_of(text)
    found: dict[str, str] = {}
    for place, (line, row) in enumerate(rows_of_text(name, text, mark)):
        if len(row) != 2 or not all(cell.strip() for cell in row):
            fail(name, line, f"expected {what}, found {shown(mark.join(row))}")
        old, new = (cell.strip() for cell in row)
        if header and place == 0 and is_word(old, "system"):
            continue
        if found.get(old, new) != new:
            fail(name, line, f"{shown(old)} has two {several}; keep one line")
        found[old] = new
    return found


_OF_JUDGES = ("name", "file", "category", "colour")


def read_judges(source: FileLike) -> dict[str, dict[str, str]]:
    """Read a table of judges: the cells of each row by its file, which is relative to the table."""
    name, text = name_of(source), read_text(source)
    (line, header), *rows = rows_of_text(name, text, mark_of(text))
    heads = [cell.strip() for cell in header]
    columns = f"the columns are {', '.join(_OF_JUDGES)}, the last two if you like"
    wrong = [head for head in heads if head not in _OF_JUDGES or heads.count(head) > 1]
    if wrong:
        fail(name, line, f"the column {shown(wrong[0])} is not known, or appears twice; {columns}")
    if not {"name", "file"} <= set(heads) or not rows:
        fail(name, line, f"expected a header with name and file, and a row for each judge; {columns}")
    found: dict[str, dict[str, str]] = {}
    for line, row in rows:
        cells = {head: cell.strip() for head, cell in zip(heads, row, strict=False) if cell.strip()}
        if len(row) > len(heads) or not {"name", "file"} <= set(cells):
            fail(name, line, f"expected {', '.join(heads)}, found {shown(','.join(row))}")
        file = os.path.join(os.path.dirname(name), cells.pop("file"))  # noqa: PTH118, PTH120 - "-" stays "-"
        if file in found:
            fail(name, line, f"{shown(file)} is there twice; keep one line")
        found[file] = cells
    return found
