"""Tables in Parquet, Arrow and workbooks, as grids of columns."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from concordant.errors import InputError, fail, missing_library, shown
from concordant.reading.cells import (
    Column,
    Decimal,
    check_cell_lengths,
    column_of,
    column_of_codes,
    decimal_mark,
    texts_of,
)
from concordant.reading.files import FileLike, check_cells, check_unpacked, name_of, stem_of
from concordant.reading.json_tables import about_nested, chosen_sheet
from concordant.reading.readings import Grid
from concordant.reading.text_tables import Line, grid_of_cells
from concordant.scores.scores import COLUMNS, Scores
from concordant.typing import Integers


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise missing_library("a file of parquet or Arrow", "pyarrow", "parquet") from None
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


def arrow_schema(file: Any) -> Any:
    """Return the columns of an open file of Arrow, which is read in order and never mapped into memory."""
    return _pyarrow()[0].ipc.open_stream(_at_stream(file)).schema


def arrow_batches(name: str, file: Any, size: int, columns: Sequence[str]) -> Any:
    """Return the batches of an open file of Arrow with some columns, if its content is not much larger."""
    pa, _ = _pyarrow()
    unpacked = 0
    for message in pa.ipc.MessageReader.open_stream(_at_stream(file)):
        unpacked += 0 if message.body is None else _unpacked_size(message.body)
        check_unpacked(name, unpacked, size)
    names = arrow_schema(file).names
    places = [names.index(column) for column in columns]
    return pa.ipc.open_stream(_at_stream(file), options=pa.ipc.IpcReadOptions(included_fields=places))


def _at_stream(file: Any) -> Any:
    file.seek(0)
    file.seek(8 if file.read(6) == b"ARROW1" else 0)
    return file


def _unpacked_size(body: Any) -> int:
    """Return how many bytes the packed parts of a message have when they are unpacked.

    A packed part begins with this number, and then has the mark of Zstandard, LZ4, or of a frame to skip.
    """
    lengths = np.frombuffer(body, "<i8", len(body) // 8)
    marks = lengths.view("<u4")[2::2]
    packed = np.isin(marks, (0xFD2FB528, 0x184D2204)) | (marks & 0xFFFFFFF0 == 0x184D2A50)
    return int(lengths[:-1][packed].clip(0, 1 << 40).sum())


def _table_of_parquet(name: str, data: bytes, size: int) -> tuple[Any, list[str]]:
    """Return what is not nested, and the names of all columns."""
    opened, flat = open_parquet(name, io.BytesIO(data), size)
    # Without threads of pyarrow, which may outlive a short program and abort it.
    table = opened.read(columns=flat, use_threads=False)
    table.validate(full=True)  # damaged text and offsets
    return table, opened.schema_arrow.names


def _table_of_arrow(name: str, data: bytes, size: int) -> tuple[Any, list[str]]:
    pa, _ = _pyarrow()
    file = pa.BufferReader(data)
    schema = arrow_schema(file)
    flat = [each.name for each in schema if not pa.types.is_nested(each.type)]
    batches, cells = [], 0
    for batch in arrow_batches(name, file, size, flat):
        cells += batch.num_rows * len(flat)
        check_cells(name, cells, size)
        batch.validate(full=True)
        batches.append(batch)
    kinds = pa.schema([each for each in schema if each.name in flat], schema.metadata)
    return pa.Table.from_batches(batches, kinds), schema.names


_TABLES = {"parquet": _table_of_parquet, "arrow": _table_of_arrow}


def grid_of_arrow(source: FileLike, data: bytes, size: int, format: str, decimal: Decimal | None) -> Grid:
    """Read a table of Parquet, or of Arrow, which is also called feather."""
    pa, _ = _pyarrow()
    name = name_of(source)
    try:
        table, every = _TABLES[format](name, data, size)
        names = [str(column) for column in table.column_names]
        described = table.schema.pandas_metadata or {}
        if len(set(every)) < len(every):
            fail(name, None, "two columns have the same name")
        # pandas writes its index as the last column, and says so.
        index = [i for i in described.get("index_columns", []) if i in names]
        names = [*index, *(column for column in names if column not in index)]
        heads = {i: "" if i.startswith("__index_level_") else i for i in index}
        parts = [(heads.get(each, each), _arrow_cells(pa, name, table.column(each))) for each in names]
    except (OSError, ValueError, TypeError, AttributeError, MemoryError, pa.ArrowException) as error:
        if isinstance(error, InputError):
            raise
        kind = "a parquet" if format == "parquet" else "an Arrow"
        fail(name, None, f"is not {kind} file that can be read: {first_line(error)}")
    if table.num_rows == 0:
        fail(name, None, "has a header and no rows")
    mark = decimal or decimal_mark([cells[1] for _, cells in parts if isinstance(cells, tuple)])
    columns = tuple(
        column_of_codes(head, *own, mark) if isinstance(own, tuple) else replace(own, name=head)
        for head, own in parts
    )
    nested = [each for each in every if each not in table.column_names]
    return Grid(name, stem_of(source), columns, table.num_rows, lambda row: row + 1, about_nested(nested))


def first_line(error: BaseException) -> str:
    """Return the first line of the message of a library."""
    return next(iter(str(error).splitlines()), type(error).__name__)


def _arrow_cells(pa: Any, name: str, column: Any) -> Column | tuple[Integers, Sequence[str]]:
    """Read a column of Arrow; of text return the place of each cell among the different ones, and these."""
    kind = column.type
    if pa.types.is_floating(kind) or pa.types.is_integer(kind):
        numbers = np.array(column.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)
        if not np.isinf(numbers).any():
            return Column("", lambda: texts_of(column.to_pylist()), numbers)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        column = column.dictionary_encode()
    if not pa.types.is_dictionary(column.type):
        return column_of("", column.to_pylist(), ".")
    merged = column.unify_dictionaries().combine_chunks()
    merged = merged.chunk(0) if hasattr(merged, "chunk") and merged.num_chunks else merged
    cells = texts_of([*merged.dictionary.to_pylist(), None])  # a missing text is empty
    codes = merged.indices.cast(pa.int64()).fill_null(len(cells) - 1).to_numpy(zero_copy_only=False)
    used = np.bincount(codes, minlength=len(cells)) > 0
    own = [cell for cell, uses in zip(cells, used.tolist(), strict=True) if uses]
    check_cell_lengths(name, own)
    return (np.cumsum(used) - 1)[codes], own


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
    """Read the named sheet, or the only one that is not empty, or that holds numbers."""
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
    several = sheet is None and len(full) > 1
    with_numbers = [each for each in full if any(_is_number(cell) for row in sheets[each] for cell in row)]
    among = sheets if sheet is not None else with_numbers if len(with_numbers) == 1 else full
    chosen = chosen_sheet(name, among, sheet)
    if chosen not in full:
        fail(name, None, "is empty")
    lines = [(line, [_cell_text(cell) for cell in row]) for line, row in enumerate(sheets[chosen], 1)]
    rows: list[Line] = [(line, cells) for line, cells in lines if any(cells)]
    width = max(max((i + 1 for i, cell in enumerate(row) if cell), default=0) for _, row in rows)
    rows = [(line, row[:width] + [""] * (width - len(row))) for line, row in rows]
    only = ", the only one with numbers" if several else ""
    remarks: tuple[str, ...] = (f"sheet {chosen}{only}",) if len(sheets) > 1 else ()
    for _, row in rows:
        check_cell_lengths(name, row)
    if formulas and any(cell == "" for _, row in rows for cell in row):
        remarks += ("formulas have no values until a spreadsheet program saves the workbook",)
    return grid_of_cells(source, rows, decimal, remarks)


def _check_workbook(name: str, data: bytes, size: int) -> bool:
    """Refuse an xlsx or ods file that becomes too large; return whether a formula of it has no value.

    The library makes the whole rectangle around all cells, and a copy of a text for each cell that has it.
    """
    import zipfile

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

    from xml.parsers import expat

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


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _cell_text(cell: Any) -> str:
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    return str(cell).strip()
