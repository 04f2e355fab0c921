"""Tables in JSON, Parquet and workbooks, as grids of columns."""

from __future__ import annotations

import io
import json
import math
import re
import zipfile
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from concordant.errors import fail, missing_library, option, shown
from concordant.reading.cells import Column, Decimal, texts_of
from concordant.reading.files import FileLike, name_of, stem_of
from concordant.reading.header_words import is_word
from concordant.reading.readings import Grid
from concordant.reading.text_tables import Line, grid_of_cells
from concordant.scores.scores import COLUMNS, Scores


def grid_of_json(source: FileLike, text: str, format: str) -> Grid:
    """Make a grid of objects: keys are columns. Without a key for systems, the file names the system."""
    name = name_of(source)
    rows = list(_objects(name, text, format))
    if not rows:
        fail(name, None, "holds no objects")
    keys = list(dict.fromkeys(key for _, row in rows for key in row))
    lines = [line for line, _ in rows]
    columns = tuple(_json_column(name, key, [row.get(key) for _, row in rows], lines) for key in keys)
    stem, numbers = stem_of(source), all(column.numbers is not None for column in columns)
    alone = not any(is_word(key, "system") for key in keys) and any(is_word(key, "topic") for key in keys)
    if alone:
        columns = (Column("system", lambda: [stem] * len(rows)), *columns)
    one = numbers and not alone and len(rows) == 1 and format == "jsonl"
    return Grid(name, stem, columns, len(rows), lines.__getitem__, file_is_system=alone, one_object=one)


def _objects(name: str, text: str, format: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a list, or of lines, with their line."""
    if format == "json":
        for row in _parsed(name, 1, text):
            if not isinstance(row, dict):
                such = 'such as {"system": ...}'
                fail(name, None, f"expected a list of objects, {such}, found {shown(str(row))} in it")
            yield 1, row
        return
    whole = text.lstrip().partition("\n")[0].strip() == "{"  # one object over several lines
    for line, content in enumerate([text] if whole else text.split("\n"), 1):
        if content.strip():
            row = _parsed(name, line, content)
            if not isinstance(row, dict):
                expected = "expected an object with topic, system and value"
                fail(name, line, f"{expected}, found {shown(content.strip())}")
            yield line, row


def _parsed(name: str, line: int, content: str) -> Any:
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        what = error.msg
    except RecursionError:
        what = "nested too deeply"
    except ValueError:  # Python reads no more than 4300 digits
        what = "a number has too many digits"
    return fail(name, line, f"broken JSON: {what}: {shown(content.strip())}")


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _json_column(name: str, key: str, cells: list[Any], lines: list[int]) -> Column:
    """Make a column of numbers, or of text; null and absent are missing."""
    texts, numeric = partial(texts_of, cells), [i for i, cell in enumerate(cells) if _is_number(cell)]
    if all(cell is None or _is_number(cell) for cell in cells):
        bad = next((i for i in numeric if not _is_finite(cells[i])), None)
        if bad is not None:
            what = f"{shown(str(cells[bad]))} is not finite; leave out what is missing"
            return Column(key, texts, None, what, bad)
        return Column(key, texts, np.array(cells, np.float64))  # None becomes NaN
    for i, cell in enumerate(cells):
        if isinstance(cell, str) and not _encodes(cell):
            fail(name, lines[i], f"holds a broken character: {shown(ascii(cell))}")
    plain = numeric or any(is_word(key, kind) for kind in ("topic", "system", "value"))
    for i, cell in enumerate(cells if plain else ()):
        if not (cell is None or isinstance(cell, str) or _is_number(cell)):
            fail(name, lines[i], f"{key!r} must be a text or a number, found {shown(json.dumps(cell))}")
    if numeric and is_word(key, "value"):
        bad = next(i for i, cell in enumerate(cells) if isinstance(cell, str))
        return Column(key, texts, None, f"{shown(cells[bad])} is a text, not a number", bad)
    return Column(key, texts)


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number that no float can hold
        return False


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise missing_library("a parquet file", "pyarrow", "parquet") from None
    return pa, parquet


def grid_of_parquet(source: FileLike, data: bytes) -> Grid:
    """Read a table."""
    pa, parquet = _pyarrow()
    name = name_of(source)
    try:
        # Without threads of pyarrow, which may outlive a short program and abort it.
        table = parquet.ParquetFile(io.BytesIO(data), pre_buffer=False).read(use_threads=False)
        table.validate(full=True)  # damaged text and offsets
        names = [str(column) for column in table.column_names]
        described = table.schema.pandas_metadata or {}
        if len(set(names)) < len(names):
            fail(name, None, "two columns have the same name")
        # pandas writes its index as the last column, and says so.
        index = [i for i in described.get("index_columns", []) if i in names]
        names = [*index, *(column for column in names if column not in index)]
        heads = {i: "" if i.startswith("__index_level_") else i for i in index}
        columns = tuple(_arrow_column(pa, heads.get(each, each), table.column(each)) for each in names)
    except (OSError, ValueError, TypeError, pa.ArrowException) as error:
        if type(error).__module__.startswith("concordant"):
            raise
        fail(name, None, f"is not a parquet file that can be read: {str(error).splitlines()[0]}")
    if table.num_rows == 0:
        fail(name, None, "has a header and no rows")
    return Grid(name, stem_of(source), columns, table.num_rows, lambda row: row + 1)


def _arrow_column(pa: Any, head: str, column: Any) -> Column:
    """Return a column of Arrow as numbers, or as labels by number."""
    kind, texts = column.type, lambda: texts_of(column.to_pylist())
    if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        numbers = np.array(column.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)
        for bad in np.flatnonzero(np.isinf(numbers))[:1].tolist():
            return Column(head, texts, None, f"{numbers[bad]} is not finite", bad)
        return Column(head, texts, numbers)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_dictionary(kind):
        encoded = column if pa.types.is_dictionary(kind) else column.dictionary_encode()
        merged = encoded.unify_dictionaries().combine_chunks()
        merged = merged.chunk(0) if hasattr(merged, "chunk") and merged.num_chunks else merged
        if merged.null_count == 0:
            labels = [str(label).strip() for label in merged.dictionary.to_pylist()]
            return Column(head, texts, codes=(merged.indices.to_numpy().astype(np.int64), labels))
    return Column(head, texts)


def as_parquet(scores: Scores) -> bytes:
    """Return scores as a long table in a parquet file."""
    pa, parquet = _pyarrow()
    columns = list(zip(*scores.rows(), strict=True)) or [(), (), (), ()]
    schema = pa.schema([*((name, pa.string()) for name in COLUMNS[:3]), (COLUMNS[3], pa.float64())])
    packed = io.BytesIO()
    parquet.write_table(pa.table(list(map(list, columns)), schema=schema), packed)
    return packed.getvalue()


_NO_VALUE = re.compile(rb"</f>\s*(?:<v\s*/>|<v></v>|</c>)")


def grid_of_workbook(source: FileLike, data: bytes, sheet: str | None, decimal: Decimal | None) -> Grid:
    """Read the named sheet, or the only one that is not empty."""
    name = name_of(source)
    try:
        import python_calamine as calamine
    except ImportError:
        what = f"{name} is a workbook (xlsx, xls or ods), and reading it"
        raise missing_library(what, "python-calamine", "sheets") from None
    try:
        book = calamine.load_workbook(io.BytesIO(data))
        found = {each: book.get_sheet_by_name(each) for each in book.sheet_names}
        sheets = {each: own.to_python(skip_empty_area=False) for each, own in found.items()}
    except Exception as error:  # noqa: BLE001 - whatever the library raises
        why = str(error).splitlines()[0] if str(error) else repr(error)
        fail(name, None, f"is a workbook that cannot be read: {why}")
    full = [each for each, rows in sheets.items() if any(cell != "" for row in rows for cell in row)]
    if sheet is not None and sheet not in sheets:
        fail(name, None, f"has no sheet {sheet!r}; it has {', '.join(sheets)}")
    if sheet is None and len(full) > 1:
        which = f"say which with {option('sheet', full[0])}"
        fail(name, None, f"has several sheets: {', '.join(full)}; {which}")
    chosen = sheet if sheet is not None else "".join(full)  # the only one
    if chosen not in full:
        fail(name, None, "is empty")
    lines = [(line, [_cell_text(cell) for cell in row]) for line, row in enumerate(sheets[chosen], 1)]
    rows: list[Line] = [(line, cells) for line, cells in lines if any(cells)]
    width = max(max((i + 1 for i, cell in enumerate(row) if cell), default=0) for _, row in rows)
    rows = [(line, row[:width] + [""] * (width - len(row))) for line, row in rows]
    remarks: tuple[str, ...] = (f"sheet {chosen}",) if len(sheets) > 1 else ()
    if any(cell == "" for _, row in rows for cell in row) and _has_formulas_without_values(data):
        remarks += ("formulas have no values until a spreadsheet program saves the workbook",)
    return grid_of_cells(source, rows, decimal, remarks)


def _has_formulas_without_values(data: bytes) -> bool:
    """Return whether a cell of an xlsx file has a formula whose value no program has computed."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            parts = [part for part in packed.infolist() if part.filename.startswith("xl/worksheets/")]
            return any(_NO_VALUE.search(packed.read(part)) for part in parts if part.file_size < 1 << 26)
    except (zipfile.BadZipFile, OSError, RuntimeError):  # xls is not an archive
        return False


def _cell_text(cell: Any) -> str:
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    return str(cell).strip()
