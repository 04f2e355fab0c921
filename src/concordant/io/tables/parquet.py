"""Parquet files: long or wide tables."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any

from concordant.errors import fail, missing_library
from concordant.io.files import Source, name_of
from concordant.io.tables.cells import Cell, Row
from concordant.io.tables.long import long_rows
from concordant.io.tables.wide import wide_rows
from concordant.scores import COLUMNS, Scores, find_columns

__all__ = ["as_parquet", "read_parquet"]


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise missing_library("a parquet file", "pyarrow", "parquet") from None
    return pa, parquet


def read_parquet(source: Source, data: bytes, columns: Mapping[str, str]) -> Iterator[Row]:
    """Read a long table if its columns have known names, else a wide one."""
    pa, parquet = _pyarrow()
    name = name_of(source)
    try:
        # Without threads of its own, which may outlive a short program and abort it.
        table = parquet.ParquetFile(io.BytesIO(data), pre_buffer=False).read(use_threads=False)
        table.validate(full=True)  # damaged text and offsets
        names = [str(column) for column in table.column_names]
        described = table.schema.pandas_metadata or {}
    except (OSError, ValueError, TypeError, pa.ArrowException) as error:
        fail(name, None, f"is not a parquet file that can be read: {str(error).splitlines()[0]}")
    if len(set(names)) < len(names):
        fail(name, None, "two columns have the same name")
    # pandas writes its index as the last column, and says so.
    index = [i for i in described.get("index_columns", []) if i in names]
    names = [*index, *(column for column in names if column not in index)]
    rows = list(enumerate(zip(*(_cells(pa, table.column(column)) for column in names), strict=True), 2))
    if find_columns(names, columns):
        yield from long_rows(source, names, rows, columns)
    else:
        yield from wide_rows(source, names, rows)


def _cells(pa: Any, column: Any) -> list[Cell]:
    """Return numbers as they are, everything else as text, and what is missing as empty text."""
    is_number = pa.types.is_floating(column.type) or pa.types.is_integer(column.type)
    if is_number and column.null_count == 0:
        numbers: list[Cell] = column.to_numpy().tolist()
        return numbers
    cells = column.to_pylist()
    if is_number:
        return ["" if cell is None else cell for cell in cells]
    return ["" if cell is None else str(cell) for cell in cells]


def as_parquet(scores: Scores) -> bytes:
    """Return scores as a long table in a parquet file."""
    pa, parquet = _pyarrow()
    columns = list(zip(*scores.rows(), strict=True)) or [(), (), (), ()]
    kinds = (pa.string(), pa.string(), pa.string(), pa.float64())
    cells = zip(COLUMNS, columns, kinds, strict=True)
    table = pa.table({name: pa.array(column, kind) for name, column, kind in cells})
    packed = io.BytesIO()
    parquet.write_table(table, packed)
    return packed.getvalue()
