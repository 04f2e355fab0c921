"""Tables of text, CSV and TSV, as grids of columns."""

from __future__ import annotations

import csv
import io
import itertools
import operator
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from concordant.errors import fail, shown
from concordant.reading.cells import (
    NUMBER,
    PLAIN,
    WORDS_FOR_MISSING,
    Decimal,
    Line,
    decimal_mark,
    delimiter,
    numbers_of,
    rows_of_text,
    unquoted,
)
from concordant.reading.files import Source, limit, name_of, read_text, stem_of
from concordant.reading.grid import Column, Grid
from concordant.reading.header_words import is_column
from concordant.reading.measure_names import is_measure_name
from concordant.typing import Floats, Integers


def grid_of_text(source: Source, text: str, mark: str, decimal: Decimal | None) -> Grid:
    """Read a CSV or TSV."""
    rows = list(rows_of_text(name_of(source), text, mark))
    if not rows:
        fail(name_of(source), None, "is empty")
    return grid_of_cells(source, rows, decimal)


def grid_of_cells(
    source: Source, rows: list[Line], decimal: Decimal | None, remarks: tuple[str, ...] = ()
) -> Grid:
    """Make a grid of rows of cells, the first of which is the header, if there is one."""
    name = name_of(source)
    rows, above = _without_titles(rows)
    remarks += above
    header, rows = _headed(name, rows)
    if not rows:
        fail(name, None, "has a header and no rows")
    header, rows = _even(header, rows)
    for line, row in rows:
        if len(row) != len(header):
            whole = shown(",".join(row))
            fail(name, line, f"expected {len(header)} columns, found {len(row)}: {whole}; mend the line")
    cells = list(zip(*(row for _, row in rows), strict=True))
    mark = decimal or decimal_mark(cells)
    columns, found = [], set(remarks)
    for head, column in zip(header, cells, strict=True):
        read = numbers_of(column, mark)
        found |= read.remarks
        columns.append(Column(head, partial(list, column), read.values, read.problem, read.bad or 0))
    lines = [line for line, _ in rows]
    return Grid(
        name,
        stem_of(source),
        tuple(columns),
        len(rows),
        lines.__getitem__,
        partial(fail, name),
        tuple(sorted(found)),
    )


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
    known = is_column(first[0], "topic") or is_column(first[0], "system")
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
    known = is_column(header[0], "topic") or is_column(header[0], "system")
    longer = all(len(row) == len(header) + 1 for _, row in rows)
    if all(len(row) > 1 and row[-1].strip() == "" for _, row in rows) and (header[-1:] == [""] or longer):
        header = header[:-1] if header[-1] == "" else header
        return header, [(line, row[:-1]) for line, row in rows]
    return (["", *header] if longer and not known else header), rows


def texts(cells: Sequence[object]) -> list[str]:
    """Return cells of other formats as text; a missing value is empty."""
    return ["" if cell is None else str(cell) for cell in cells]


_WORTH_A_LIBRARY = 4_000_000  # characters: loading a library takes as long as reading this many


def grid_of_long_text(
    source: Source, text: str, header: Sequence[str], mark: str, labels: Sequence[int], value: int
) -> Grid | None:
    """Read a table whose columns are known from its header; None if a cell is not plain.

    `labels` are the places of the columns of names, `value` that of the scores; the others are left out.
    """
    found = _by_library(text, len(header), mark, labels, value) if len(text) > _WORTH_A_LIBRARY else None
    found = found or _row_by_row(text, len(header), mark, labels, value)
    if found is None:
        return None
    codes, numbers = found
    name = name_of(source)
    columns = []
    for place, head in enumerate(header):
        if place == value:
            columns.append(Column(head, list, numbers))
        elif place in codes:
            columns.append(Column(head, partial(_texts, *codes[place]), codes=codes[place]))
        else:
            columns.append(Column(head, list))
    # Lines are not known here; a row with an error is found again by the reader of single cells.
    return Grid(name, stem_of(source), tuple(columns), len(numbers), lambda _row: None, partial(fail, name))


_Found = tuple[dict[int, tuple[Any, list[str]]], Any]


def _texts(codes: Any, labels: Sequence[str]) -> list[str]:
    return [labels[code] for code in codes.tolist()]


class _Index(dict[str, int]):
    """The number of each label, in the order in which labels are first seen."""

    def __missing__(self, label: str) -> int:
        number = self[label] = len(self)
        return number


def _row_by_row(text: str, width: int, mark: str, labels: Sequence[int], value: int) -> _Found | None:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    indices = [_Index() for _ in labels]
    codes: list[list[Integers]] = [[] for _ in labels]
    numbers: list[Floats] = []
    usual = csv.field_size_limit(limit("CONCORDANT_MAX_CELL"))  # this setting is global
    try:
        next(reader)
        while part := list(itertools.islice(reader, 500)):  # few rows at once stay in the cache
            rows = [row for row in part if row]
            columns = list(zip(*rows, strict=True))
            if rows and len(columns) != width:
                return None
            if not rows or not PLAIN.fullmatch("\n".join(columns[value])):
                return None
            for place, index, own in zip(labels, indices, codes, strict=True):
                own.append(np.array(list(map(index.__getitem__, columns[place])), dtype=np.int64))
            numbers.append(np.array(columns[value], dtype=np.float64))
    except (csv.Error, ValueError):  # the reader of single cells raises the error, with the line
        return None
    finally:
        csv.field_size_limit(usual)
    if not numbers:
        return None
    found = {
        place: (np.concatenate(own), list(index))
        for place, index, own in zip(labels, indices, codes, strict=True)
    }
    return _clean(found, np.concatenate(numbers))


def _clean(found: dict[int, tuple[Any, list[str]]], numbers: Any) -> _Found | None:
    """Return names without surrounding spaces; None if names or numbers are not plain."""
    if not np.isfinite(numbers).all():
        return None
    clean = {}
    for place, (own, labels) in found.items():
        codes, names = own, [unquoted(label).strip() for label in labels]
        if "" in names:
            return None
        if names != labels and len(set(names)) < len(names):
            index: dict[str, int] = {}
            again = np.array([index.setdefault(name, len(index)) for name in names], dtype=np.int64)
            codes, names = again[codes], list(index)
        clean[place] = (codes, names)
    return clean, numbers


def _by_library(text: str, width: int, mark: str, labels: Sequence[int], value: int) -> _Found | None:
    """Read with pyarrow, polars or pandas; None if none is installed, or if it finds a fault."""
    for read in (_by_pyarrow, _by_polars, _by_pandas):
        try:
            return _clean(*read(text, width, mark, labels, value))
        except ImportError:
            continue
        except Exception:  # noqa: BLE001 - our own reader raises the error, with the line
            return None
    return None


def _names(width: int) -> list[str]:
    return [str(place) for place in range(width)]


def _by_pyarrow(text: str, width: int, mark: str, labels: Sequence[int], value: int) -> _Found:
    import pyarrow as pa
    from pyarrow import csv

    kinds = {str(place): pa.string() for place in labels} | {str(value): pa.float64()}
    table = csv.read_csv(
        pa.BufferReader(text.encode()),
        read_options=csv.ReadOptions(column_names=_names(width), skip_rows=1),
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


def _by_polars(text: str, width: int, mark: str, labels: Sequence[int], value: int) -> _Found:
    import polars as pl

    schema = {str(place): pl.String for place in range(width)} | {str(value): pl.Float64}
    frame = pl.read_csv(
        io.BytesIO(text.encode()), has_header=False, skip_rows=1, separator=mark, schema=schema
    )
    if frame.null_count().sum_horizontal().item() > 0:
        raise ValueError("cells are empty")
    found = {}
    for place in labels:
        names = frame[str(place)].unique(maintain_order=True)
        codes = frame[str(place)].replace_strict(names, np.arange(len(names)))
        found[place] = (codes.to_numpy().astype(np.int64), names.to_list())
    return found, frame[str(value)].to_numpy()


def _by_pandas(text: str, width: int, mark: str, labels: Sequence[int], value: int) -> _Found:
    import pandas as pd

    kinds: Any = dict.fromkeys([*labels, value], "str")
    frame = pd.read_csv(
        io.StringIO(text),
        sep=mark,
        header=None,
        skiprows=1,
        names=list(range(width)),
        usecols=list(kinds),
        dtype=kinds,
        keep_default_na=False,
        index_col=False,
    )
    found = {}
    for place in labels:
        codes, names = pd.factorize(frame[place])
        found[place] = (codes.astype(np.int64), [str(name) for name in names])
    return found, np.array(frame[value].tolist(), dtype=np.float64)


def read_names(source: Source) -> dict[str, str]:
    """Read lines of an old and a new name, separated by a comma, a semicolon or a tab."""
    name, text = name_of(source), read_text(source)
    mark = delimiter([line for line in text.split("\n") if line.strip()]) or ","
    found: dict[str, str] = {}
    for line, row in rows_of_text(name, text, mark):
        if len(row) != 2 or not all(cell.strip() for cell in row):
            fail(name, line, f"expected an old and a new name, found {shown(mark.join(row))}")
        old, new = (cell.strip() for cell in row)
        if found.get(old, new) != new:
            fail(name, line, f"{shown(old)} is renamed twice; keep one line")
        found[old] = new
    return found
