"""Tables in JSON, Parquet and workbooks, as grids of columns."""

from __future__ import annotations

import functools
import io
import json
import math
import re
import zipfile
from collections.abc import Iterator
from functools import partial
from typing import Any
from xml.parsers import expat

import numpy as np

from concordant.checks import distinct_keys
from concordant.errors import ArgumentError, InputError, fail, missing_library, option, shown
from concordant.reading.cells import Column, Decimal, check_cell_lengths, texts_of, texts_of_codes
from concordant.reading.files import FileLike, check_cells, check_unpacked, name_of, stem_of
from concordant.reading.header_words import is_word
from concordant.reading.readings import Grid
from concordant.reading.text_tables import Line, grid_of_cells
from concordant.scores.scores import COLUMNS, Scores, coded


def grid_of_json(source: FileLike, text: str, size: int, format: str) -> Grid:
    """Make a grid of objects: keys are columns. Without a key for systems, the file names the system."""
    name = name_of(source)
    rows = list(objects_of(name, text, format, "topic, system and value"))
    if not rows:
        fail(name, None, "holds no objects")
    keys = list(dict.fromkeys(key for _, row in rows for key in row))
    check_cells(name, len(rows) * len(keys), size)
    lines = [line for line, _ in rows]
    columns = tuple(_json_column(name, key, [row.get(key) for _, row in rows], lines) for key in keys)
    stem, numbers = stem_of(source), all(column.numbers is not None for column in columns)
    alone = not any(is_word(key, "system") for key in keys) and any(is_word(key, "topic") for key in keys)
    if alone:
        columns = (Column("system", lambda: [stem] * len(rows)), *columns)
    one = numbers and not alone and len(rows) == 1 and format == "jsonl"
    return Grid(name, stem, columns, len(rows), lines.__getitem__, file_is_system=alone, one_object=one)


def objects_of(name: str, text: str, format: str, holding: str) -> Iterator[tuple[int, dict[str, Any]]]:
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
                expected = f"expected an object with {holding}"
                fail(name, line, f"{expected}, found {shown(content.strip())}")
            yield line, row


def _parsed(name: str, line: int, content: str) -> Any:
    try:
        return json.loads(content, object_pairs_hook=distinct_keys)
    except json.JSONDecodeError as error:
        what = error.msg
    except ArgumentError as error:
        fail(name, line, error.text)
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
    check_cell_lengths(name, [cell for cell in cells if isinstance(cell, str)])
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


def open_parquet(name: str, file: Any, size: int) -> tuple[Any, list[str]]:
    """Open a parquet file of `size` bytes whose content is not much larger; return also what is not nested.

    Text is read as numbered labels: if it is repeated, it takes no space in the file, nor as labels.
    """
    pa, parquet = _pyarrow()
    opened = parquet.ParquetFile(file, pre_buffer=False)
    about, flat = (
        opened.metadata,
        [each.name for each in opened.schema_arrow if not pa.types.is_nested(each.type)],
    )
    check_cells(name, about.num_rows * len(flat), size)
    kinds = [opened.schema.column(leaf) for leaf in range(about.num_columns)]
    # The data of a column chunk are not looked at here: if they are damaged, pyarrow ends the process.
    unpacked = sum(about.row_group(group).total_byte_size for group in range(about.num_row_groups))
    # Values of a fixed length are read one by one, even if the file holds them once.
    unpacked += about.num_rows * sum(max(0, kind.length) for kind in kinds)
    check_unpacked(name, unpacked, size)
    bytes_of_any_length = (kind for kind in kinds if kind.physical_type == "BYTE_ARRAY")
    texts = [kind.path for kind in bytes_of_any_length if kind.logical_type.type != "DECIMAL"]
    return parquet.ParquetFile(file, metadata=about, pre_buffer=False, read_dictionary=texts), flat


def grid_of_parquet(source: FileLike, data: bytes, size: int) -> Grid:
    """Read a table."""
    pa, _ = _pyarrow()
    name = name_of(source)
    try:
        # Without threads of pyarrow, which may outlive a short program and abort it.
        opened, flat = open_parquet(name, io.BytesIO(data), size)
        nested = [each for each in opened.schema_arrow.names if each not in flat]
        table = opened.read(columns=flat, use_threads=False)
        table.validate(full=True)  # damaged text and offsets
        names = [str(column) for column in table.column_names]
        described = table.schema.pandas_metadata or {}
        if len(set(names)) < len(names):
            fail(name, None, "two columns have the same name")
        # pandas writes its index as the last column, and says so.
        index = [i for i in described.get("index_columns", []) if i in names]
        names = [*index, *(column for column in names if column not in index)]
        heads = {i: "" if i.startswith("__index_level_") else i for i in index}
        columns = tuple(_arrow_column(pa, name, heads.get(each, each), table.column(each)) for each in names)
    except (OSError, ValueError, TypeError, AttributeError, MemoryError, pa.ArrowException) as error:
        if isinstance(error, InputError):
            raise
        fail(name, None, f"is not a parquet file that can be read: {first_line(error)}")
    if table.num_rows == 0:
        fail(name, None, "has a header and no rows")
    remarks = tuple(f"the nested column {shown(each)} was left out" for each in nested[:3])
    return Grid(name, stem_of(source), columns, table.num_rows, lambda row: row + 1, remarks)


def first_line(error: BaseException) -> str:
    """Return the first line of the message of a library."""
    return next(iter(str(error).splitlines()), type(error).__name__)


def _arrow_column(pa: Any, name: str, head: str, column: Any) -> Column:
    """Return a column of Arrow as numbers, or as labels by number."""
    kind, texts = column.type, lambda: texts_of(column.to_pylist())
    if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        numbers = np.array(column.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)
        for bad in np.flatnonzero(np.isinf(numbers))[:1].tolist():
            return Column(head, texts, None, f"{numbers[bad]} is not finite", bad)
        return Column(head, texts, numbers)
    if pa.types.is_dictionary(kind):
        merged = column.unify_dictionaries().combine_chunks()
        merged = merged.chunk(0) if hasattr(merged, "chunk") and merged.num_chunks else merged
        cells = texts_of([*merged.dictionary.to_pylist(), None])  # a missing text is empty
        codes = merged.indices.cast(pa.int64()).fill_null(len(cells) - 1).to_numpy(zero_copy_only=False)
        used = np.bincount(codes, minlength=len(cells)) > 0
        place = np.zeros(len(cells), dtype=np.int64)
        place[used], labels = coded(cell.strip() for cell, uses in zip(cells, used, strict=True) if uses)
        check_cell_lengths(name, labels)
        return Column(head, partial(texts_of_codes, place[codes], labels), codes=(place[codes], labels))
    return Column(head, texts)


def as_parquet(scores: Scores) -> bytes:
    """Return scores as a long table in a parquet file."""
    pa, parquet = _pyarrow()
    columns = list(zip(*scores.rows(), strict=True)) or [(), (), (), ()]
    schema = pa.schema([*((name, pa.string()) for name in COLUMNS[:3]), (COLUMNS[3], pa.float64())])
    packed = io.BytesIO()
    parquet.write_table(pa.table(list(map(list, columns)), schema=schema), packed)
    return packed.getvalue()


_SHARED = re.compile(rb"[<:](?:si|table-cell)[\s/>]")
_NO_VALUE = re.compile(rb"</f>\s*(?:<v\s*/>|<v></v>|</c>)")


def grid_of_workbook(
    source: FileLike, data: bytes, size: int, sheet: str | None, decimal: Decimal | None
) -> Grid:
    """Read the named sheet, or the only one that is not empty."""
    name = name_of(source)
    try:
        import python_calamine as calamine
    except ImportError:
        what = f"{name} is a workbook (xlsx, xls or ods), and reading it"
        raise missing_library(what, "python-calamine", "sheets") from None
    try:
        formulas = _check_workbook(name, data, size) if data[:2] == b"PK" else False
        book = calamine.load_workbook(io.BytesIO(data))
        found = {each: book.get_sheet_by_name(each) for each in book.sheet_names}
        check_cells(name, sum(own.total_height * own.total_width for own in found.values()), size)
        sheets = {each: own.to_python(skip_empty_area=False) for each, own in found.items()}
    except BaseException as error:  # whatever the library raises; its panics are no Exception
        if isinstance(error, InputError | KeyboardInterrupt):
            raise
        fail(name, None, f"is a workbook that cannot be read: {first_line(error)}")
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
    for _, row in rows:
        check_cell_lengths(name, row)
    if formulas and any(cell == "" for _, row in rows for cell in row):
        remarks += ("formulas have no values until a spreadsheet program saves the workbook",)
    return grid_of_cells(source, rows, decimal, remarks)


def _check_workbook(name: str, data: bytes, size: int) -> bool:
    """Refuse an xlsx or ods file that becomes too large; return whether a formula of it has no value.

    The library makes the whole rectangle around all cells, and a copy of a text for each cell that has it.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        parts = [part for part in packed.infolist() if not part.is_dir()]
        check_unpacked(name, sum(part.file_size for part in parts), size)
        if any(part.filename.endswith(".bin") and "/worksheets/" in part.filename for part in parts):
            fail(name, None, "is a workbook of the format xlsb; save it as xlsx")
        texts = [packed.read(part) for part in parts if part.filename.lower().endswith(".xml")]
    extents = list(map(_extent, texts))
    check_cells(name, sum(area for area, _, _ in extents), size)
    longest = max((length for _, _, length in extents), default=0)
    check_unpacked(name, sum(cells for _, cells, _ in extents) * longest, size)
    return any(map(_NO_VALUE.search, texts))


def _extent(text: bytes) -> tuple[int, int, int]:
    """Return the area around the cells of a part of a workbook, their number, and the length of the longest.

    In xlsx, rows and cells may have a place. In ods, they may be repeated; what is empty at the end of a
    row or table is no part of the area.
    """
    row = column = height = width = cells = length = longest = 0
    repeated = 1  # how often a row of ods is repeated

    def start(tag: str, own: dict[str, str]) -> None:
        nonlocal row, column, height, width, cells, length, repeated
        if tag == "v":  # the most frequent
            return
        kind, times, filled = tag.rpartition(":")[2], 1, False
        if kind == "c":
            place, column, filled = own.get("r", ""), column + 1, True
            if place:
                letters = place.rstrip("0123456789")
                column, row = _column(letters), int(place[len(letters) :])
        elif kind in ("table-cell", "covered-table-cell"):
            times = int(own.pop("table:number-columns-repeated", 1))
            column, filled = column + times, bool(own)
        elif kind in ("row", "table-row"):
            row, column = int(own.get("r", row + repeated)), 0
            repeated = int(own.get("table:number-rows-repeated", 1))
        if filled:
            height, width, length = max(height, row + repeated - 1), max(width, column), 0
            cells += times * repeated
        elif kind == "si":
            length = 0

    def characters(found: str) -> None:
        nonlocal length, longest
        length += len(found)
        longest = max(longest, length)

    def refuse(*_: Any) -> None:
        raise ValueError("a document type is declared")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.StartDoctypeDeclHandler = start, refuse
    if _SHARED.search(text):  # otherwise each text belongs to one cell
        parser.CharacterDataHandler = characters
    parser.Parse(text, True)
    return height * width, cells, longest


@functools.lru_cache(maxsize=16384)
def _column(letters: str) -> int:
    """Return the number of a column, such as 28 for AB."""
    if not 1 <= len(letters) <= 3:
        raise ValueError(f"{shown(letters)} is not a column")
    return functools.reduce(lambda number, letter: 26 * number + ord(letter) - 64, letters.upper(), 0)


def _cell_text(cell: Any) -> str:
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    return str(cell).strip()
