"""Parquet files."""

from __future__ import annotations

import io
from functools import partial
from typing import Any

import numpy as np

from concordant.errors import fail, missing_library
from concordant.reading.cells import Column, texts_of
from concordant.reading.files import FileLike, name_of, stem_of
from concordant.reading.readings import Grid
from concordant.scores.scores import COLUMNS, Scores


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
        columns = tuple(_column(pa, heads.get(each, each), table.column(each)) for each in names)
    except (OSError, ValueError, TypeError, pa.ArrowException) as error:
        if type(error).__module__.startswith("concordant"):
            raise
        fail(name, None, f"is not a parquet file that can be read: {str(error).splitlines()[0]}")
    if table.num_rows == 0:
        fail(name, None, "has a header and no rows")
    return Grid(name, stem_of(source), columns, table.num_rows, lambda row: row + 1)


def _column(pa: Any, head: str, column: Any) -> Column:
    """Return a column of Arrow as numbers, or as labels by number."""
    kind, texts = column.type, partial(_texts, column)
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


def _texts(column: Any) -> list[str]:
    return texts_of(column.to_pylist())


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
