"""Coefficients within each group of a stream of Arrow batches; memory holds a batch and the largest group."""

from __future__ import annotations

import functools
import itertools
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, ConcordantError, fail, missing_library, option
from concordant.rankings.frames import AnyFrame
from concordant.reading.files import check_cells, check_unpacked, expand
from concordant.reading.table_files import arrow_batches, arrow_schema, first_line, open_parquet
from concordant.typing import Progress

# Computes the groups of a table of Arrow: a table with a row for each, and the outcomes.
OfTable: TypeAlias = Callable[[Any], tuple[Any, Any]]
_ROW, _FIRST = "concordant: row", "concordant: first row"
_ROWS = 1 << 18  # rows of a batch
_PARQUET = (".parquet", ".pq")


def is_stream(data: object) -> bool:
    """Return whether these are batches of Arrow, one after the other."""
    return hasattr(data, "__arrow_c_stream__") or isinstance(data, Iterator)


def grouped_stream(
    source: object, keys: Sequence[str], columns: Sequence[str], of_table: OfTable, adjacent: bool
) -> tuple[Any, list[Any]]:
    """Compute the groups of a stream; return a table of Arrow with a row for each group, and the outcomes.

    Groups that end in a batch are computed with it; the last group is carried into the next batch. If groups
    are not adjacent, DuckDB sorts the rows first.
    """
    pa = _pyarrow()
    batches = _batches(source, columns)
    answers, outcomes, rows, checked = [], [], 0, 0
    for own in _complete(batches if adjacent else _sorted(batches, keys), keys):
        found, outcome = of_table(pa.Table.from_batches(own))
        answers.append(found)
        outcomes.append(outcome)
        rows += len(found)
        if rows > 2 * checked + 1000:
            answers, checked = [_distinct(answers, keys)], rows
    return _distinct(answers, keys), outcomes


def _distinct(answers: Sequence[Any], keys: Sequence[str]) -> Any:
    """Return the groups so far as one table; a group that appears again is an error."""
    table = _pyarrow().concat_tables(answers, promote_options="default").combine_chunks()
    groups = AnyFrame(table).groups([table.column_names.index(key) for key in keys])
    if len(groups) < len(table):
        again = int(np.flatnonzero(np.bincount(groups.codes) > 1)[0])
        advice = f"sort the data by {', '.join(keys)}, or give {option('adjacent', False)}"
        apart = f"the rows of group {groups.label(again)!r} are not adjacent"
        raise ArgumentError(f"{apart}; {advice}, which sorts it in DuckDB")
    return table


def _complete(batches: Iterator[Any], keys: Sequence[str]) -> Iterator[list[Any]]:
    """Yield batches that together hold whole groups, if the rows of each group are adjacent."""
    carried: list[Any] = []
    for batch in batches:
        start = _start_of_last(batch, keys)
        if start == 0 and not (carried and _differs(carried[-1], batch, keys)):
            carried.append(batch)
            continue
        yield [*carried, batch.slice(0, start)]
        carried = [batch.slice(start)]
    yield carried


def _start_of_last(rows: Any, keys: Sequence[str]) -> int:
    """Return the row of a batch at which its last group begins."""
    import pyarrow.compute as pc

    n, start = rows.num_rows, 0
    for key in keys:
        column = rows.column(key)
        if column.null_count:
            raise ArgumentError(f"column {key!r} has items without a label; drop them first")
        if n > 1:
            different = pc.not_equal(column.slice(1), column.slice(0, n - 1))
            changes = np.flatnonzero(different.to_numpy(zero_copy_only=False))
            start = max(start, int(changes[-1]) + 1 if len(changes) else 0)
    return start


def _differs(before: Any, after: Any, keys: Sequence[str]) -> bool:
    """Return whether the last row of a batch and the first of the next are of different groups."""
    if after.num_rows == 0 or before.num_rows == 0:
        return False
    return any(before.column(key)[-1].as_py() != after.column(key)[0].as_py() for key in keys)


def _batches(source: Any, columns: Sequence[str]) -> Iterator[Any]:
    """Yield the batches with the columns that are needed; refuse names that are not there."""
    pa = _pyarrow()
    # What iterates over batches raises its own errors; Arrow would wrap them.
    own = not hasattr(source, "__arrow_c_stream__") or type(source).__module__.startswith("pyarrow")
    found = source if own else pa.RecordBatchReader.from_stream(source)
    nothing = True
    for batch in found:
        if not isinstance(batch, pa.RecordBatch):
            raise ArgumentTypeError(f"a stream must hold batches of Arrow, got {type(batch).__name__}")
        nothing = False
        yield _only(batch, columns)
    if nothing:
        if not hasattr(found, "schema"):
            raise ArgumentError("the stream holds no batch")
        yield _only(pa.RecordBatch.from_pylist([], schema=found.schema), columns)


def _only(batch: Any, columns: Sequence[str]) -> Any:
    """Return some columns; dictionary codes differ between batches, so that they are decoded."""
    names = batch.schema.names
    arrays = []
    for name in columns:
        if names.count(name) != 1:
            what = f"{names.count(name)} columns have the name" if name in names else "there is no column"
            raise ArgumentError(f"{what} {name!r}; there are {', '.join(names[:10])}")
        column = batch.column(name)
        arrays.append(column.dictionary_decode() if hasattr(column, "dictionary_decode") else column)
    return _pyarrow().RecordBatch.from_arrays(arrays, names=list(columns))


def _sorted(batches: Iterator[Any], keys: Sequence[str]) -> Iterator[Any]:
    """Sort the rows by group, in the order in which groups are first seen; DuckDB uses files if it must."""
    pa = _pyarrow()
    try:
        import duckdb
    except ImportError:
        raise missing_library("sorting rows that are not adjacent", "duckdb", "duckdb") from None
    first = next(batches)
    yield first.slice(0, 0)

    def numbered() -> Iterator[Any]:
        row = 0
        for batch in itertools.chain([first], batches):
            yield batch.append_column(_ROW, pa.array(np.arange(row, row + batch.num_rows)))
            row += batch.num_rows

    schema = first.schema.append(pa.field(_ROW, pa.int64()))
    columns, by = (
        ", ".join('"{}"'.format(name.replace('"', '""')) for name in names)
        for names in (first.schema.names, keys)
    )
    with tempfile.TemporaryDirectory(prefix="concordant-") as folder, duckdb.connect() as connection:
        connection.execute("SET temp_directory = ?", [folder])
        rows = connection.from_arrow(pa.RecordBatchReader.from_batches(schema, numbered()))
        whole = f'SELECT *, min("{_ROW}") OVER (PARTITION BY {by}) AS "{_FIRST}" FROM rows'
        found: Any = rows.query("rows", f'SELECT {columns} FROM ({whole}) ORDER BY "{_FIRST}", "{_ROW}"')
        # Older versions have another name for it.
        yield from (getattr(found, "to_arrow_reader", None) or found.fetch_record_batch)(_ROWS)


def are_paths(data: object) -> bool:
    """Return whether these are one or several paths, patterns or folders."""
    several = data if isinstance(data, list | tuple) and data else [data]
    return all(isinstance(each, str | PathLike) for each in several)


def file_batches(paths: object, columns: Sequence[str], progress: Progress | None = None) -> Iterator[Any]:
    """Yield the batches of files with the same columns, in the order of the files; the first is empty.

    The files are Parquet (.parquet), Arrow (.arrow, .feather) or CSV (.csv, .tsv). If all files are Parquet,
    whose number of rows is known before they are read, `progress` is told how many rows are done.
    """
    pa = _pyarrow()
    files = [fspath(path) for path in expand(paths)]  # type: ignore[arg-type]
    first = _opened(files[0], columns)[0]
    kinds = [getattr(first.field(name).type, "value_type", first.field(name).type) for name in columns]
    schema = pa.schema(list(zip(columns, kinds, strict=True)))
    yield pa.RecordBatch.from_pylist([], schema=schema)
    done, total = 0, 0
    if progress is not None and all(_ending(path) in _PARQUET for path in files):
        total = sum(_opened(path, columns)[2] for path in files)
    for path in files:
        for batch in _checked(path, columns):
            try:
                yield batch if batch.schema.equals(schema) else batch.cast(schema)
            except (ValueError, NotImplementedError):
                shown = ", ".join(f"{each.name} ({each.type})" for each in batch.schema)
                fail(path, None, f"has columns of other types than {files[0]}: {shown}")
            done += batch.num_rows
            if progress is not None and total:
                progress(done, total)


def _checked(path: str, columns: Sequence[str]) -> Iterator[Any]:
    """Yield the batches of a file, each checked as a whole, because Arrow trusts offsets and codes."""
    import pyarrow.compute as pc

    _, batches, _ = _opened(path, columns)
    cells, unpacked, size = 0, 0, Path(path).stat().st_size
    with _reading(path):
        for batch in batches():
            cells += batch.num_rows * len(columns)
            check_cells(path, cells, size)
            batch.validate(full=True)
            for column in batch.columns:
                kind = getattr(column.type, "value_type", None)  # of a dictionary
                if str(kind).endswith(("string", "binary")):
                    longest = pc.max(pc.binary_length(column.dictionary)).as_py()
                    unpacked += batch.num_rows * (longest or 0)
            check_unpacked(path, unpacked, size)
            yield _only(batch, columns)


@contextmanager
def _reading(path: str) -> Iterator[None]:
    """Turn the errors of Arrow into one that names the file."""
    try:
        yield
    except (OSError, ValueError, TypeError, MemoryError, _pyarrow().ArrowException) as error:
        if isinstance(error, ConcordantError):
            raise
        fail(path, None, f"cannot be read: {first_line(error)}")


_Opened: TypeAlias = tuple[Any, Callable[[], Iterator[Any]], int]
"""Of a file: its columns, what reads its batches with some of them, and its rows, if they are known."""


def _opened(path: str, columns: Sequence[str]) -> _Opened:
    """Open a file, and check that it has the columns."""
    if _ending(path) not in _READERS:
        fail(path, None, f"is not read as a stream; endings are {', '.join(_READERS)}")
    with _reading(path):
        found = _READERS[_ending(path)](path, list(columns), Path(path).stat().st_size)
        schema, names = found[0], found[0].names
        for name in columns:
            if names.count(name) != 1:
                what = "has several columns" if name in names else "does not have the column"
                fail(path, None, f"{what} {name!r}; it has {', '.join(names[:10])}")
            kind = schema.field(name).type
            nested = _pyarrow().types.is_nested(kind)
            if nested or str(kind).endswith("_view") or str(kind).startswith("run_end"):
                fail(path, None, f"column {name!r} has the type {kind}; it must hold numbers or text")
    return found


def _parquet(path: str, columns: list[str], size: int) -> _Opened:
    file, _ = open_parquet(path, path, size)
    read = functools.partial(file.iter_batches, _ROWS, columns=columns, use_threads=False)
    return file.schema_arrow, read, file.metadata.num_rows


def _csv(path: str, columns: list[str], _size: int) -> _Opened:
    from pyarrow import csv

    marks = csv.ParseOptions(delimiter="\t" if _ending(path) == ".tsv" else ",")
    schema = csv.open_csv(path, parse_options=marks).schema
    for name in set(columns) & set(schema.names):
        if schema.field(name).type == "binary":
            fail(path, None, f"column {name!r} is not UTF-8; convert the file, for example with iconv")
    only = csv.ConvertOptions(include_columns=columns)
    return schema, lambda: csv.open_csv(path, parse_options=marks, convert_options=only), 0


def _arrow(path: str, columns: list[str], size: int) -> _Opened:
    file = _pyarrow().OSFile(path)
    schema = arrow_schema(file)
    own = [name for name in columns if name in schema.names]
    return schema, lambda: arrow_batches(path, file, size, own), 0


_READERS = {
    **dict.fromkeys(_PARQUET, _parquet),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), _arrow),
    **dict.fromkeys((".csv", ".tsv"), _csv),
}


def _ending(path: str) -> str:
    return Path(path).suffix.lower()


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise missing_library("a stream of Arrow batches", "pyarrow", "parquet") from None
    return pa
