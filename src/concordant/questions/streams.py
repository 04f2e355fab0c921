"""Coefficients within each group of a stream of Arrow batches; memory holds a batch and the largest group."""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, missing_library, option
from concordant.rankings.frames import AnyFrame
from concordant.typing import Booleans, Integers
from concordant.work.pieces import current_work
from concordant.work.store import PieceStore

# How many groups have no value, and why, for each coefficient.
Tally: TypeAlias = Sequence[Sequence[Any]]
# Computes the groups of a table of Arrow; also returns the row at which each is first seen, and a tally.
OfTable: TypeAlias = Callable[[Any], tuple[Any, Integers, Tally]]

_PARTS = 64  # files that rows are spread over, if groups are not adjacent
_ROW = "concordant: row"


def is_stream(data: object) -> bool:
    """Say whether these are batches of Arrow, one after the other."""
    return hasattr(data, "__arrow_c_stream__") or isinstance(data, Iterator)


def grouped_stream(
    source: Any,
    keys: Sequence[str],
    columns: Sequence[str],
    of_table: OfTable,
    adjacent: bool,
    question: tuple[Any, ...],
) -> tuple[Any, list[Tally]]:
    """Compute the groups of a stream; the answer is a table of Arrow, a row for each group.

    Groups that end in a batch are computed with it; the last group is carried into the next batch. If groups
    are not adjacent, the rows are first written to temporary files, where each group is in one file.
    `question` is what the values depend on besides the rows.
    """
    if not adjacent:
        return _spilled(_batches(source, columns), keys, of_table)
    whole = _Answer(keys)
    carried: list[Any] = []
    store = current_work().store
    if store is None or not hasattr(source, "parts"):
        for table in _complete(_batches(source, columns), keys, carried):
            whole.add(table, of_table)
    else:
        _in_parts(source, columns, whole, carried, of_table, store, question)
    whole.add(_table(carried), of_table)
    return whole.table(), whole.tallies


def _complete(batches: Iterator[Any], keys: Sequence[str], carried: list[Any]) -> Iterator[Any]:
    """Yield tables of whole groups; the rows of the last group are left in `carried`."""
    for batch in batches:
        changes = np.flatnonzero(_changes(batch, keys))
        if carried and _differs(carried[-1], batch, keys):
            changes = np.concatenate([[0], changes])
        if len(changes) == 0:
            carried.append(batch)
            continue
        last = int(changes[-1])
        table = _table([*carried, batch.slice(0, last)])
        carried[:] = [batch.slice(last)]
        yield table


def _in_parts(
    source: Any,
    columns: Sequence[str],
    whole: _Answer,
    carried: list[Any],
    of_table: OfTable,
    store: PieceStore,
    question: tuple[Any, ...],
) -> None:
    """Keep the groups that end in each part of the source, and the rows that are carried into the next.

    A part is known by its checksum, and by all parts before it.
    """
    nothing = _only(_pyarrow().RecordBatch.from_pylist([], schema=source.schema), columns)
    carried.append(nothing)
    name = ""
    for checksum, batches in source.parts():
        name = store.name("grouped", question, checksum, name)
        found = store.read(name)
        if found is None:
            part = _Answer(whole.keys)
            for table in _complete((_only(batch, columns) for batch in batches), whole.keys, carried):
                part.add(table, of_table)
            found = {"carried": _packed(_table(carried)), "tallies": part.tallies}
            if part.parts:
                found["answer"] = _packed(part.table())
            store.write(name, found)
        carried[:] = _unpacked(found["carried"]).to_batches() or [nothing]
        whole.tallies += found["tallies"]
        if "answer" in found:
            whole.take(_unpacked(found["answer"]))


def _packed(table: Any) -> Any:
    pa = _pyarrow()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.unify_dictionaries())
    return np.frombuffer(sink.getvalue(), dtype=np.uint8)


def _unpacked(content: Any) -> Any:
    pa = _pyarrow()
    with pa.ipc.open_stream(pa.py_buffer(content)) as reader:
        return reader.read_all()


class _Answer:
    """The groups so far; a group that appears again is an error."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = keys
        self.parts: list[Any] = []
        self.tallies: list[Tally] = []
        self.rows, self.checked = 0, 0

    def add(self, table: Any, of_table: OfTable) -> None:
        n_runs = 1 + int(_changes(table, self.keys).sum())
        found, _, tally = of_table(table)
        if len(found) < (n_runs if len(table) else 0):
            self._refuse(table)
        self.tallies.append(tally)
        self.take(found)

    def take(self, found: Any) -> None:
        self.parts.append(found)
        self.rows += len(found)
        if self.rows > 2 * self.checked + 1000:
            self._check()

    def _check(self) -> None:
        table = _concatenated(self.parts)
        places = [table.column_names.index(key) for key in self.keys]
        groups = AnyFrame(table).groups(places)
        if len(groups) < len(table):
            again = int(np.flatnonzero(np.bincount(groups.codes) > 1)[0])
            self._say(groups.label(again))
        self.parts, self.checked = [table], self.rows

    def _refuse(self, table: Any) -> None:
        frame = AnyFrame(table)
        groups = frame.groups([table.column_names.index(key) for key in self.keys])
        self._say(groups.label(int(np.flatnonzero(np.bincount(groups.of_runs) > 1)[0])))

    def _say(self, group: Any) -> None:
        raise ArgumentError(
            f"the rows of group {group!r} are not adjacent; sort the data by {', '.join(self.keys)}, or give "
            f"{option('adjacent', False)}, which writes the rows to temporary files first"
        )

    def table(self) -> Any:
        self._check()
        return self.parts[0]


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise missing_library("a stream of Arrow batches", "pyarrow", "parquet") from None
    return pa


def _batches(source: Any, columns: Sequence[str]) -> Iterator[Any]:
    """Yield the batches with the columns that are needed; refuse names that are not there."""
    pa = _pyarrow()
    # What iterates over batches raises its own errors; Arrow would wrap them.
    own = not hasattr(source, "__arrow_c_stream__") or type(source).__module__.startswith(
        ("concordant", "pyarrow")
    )
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
    names = batch.schema.names
    for name in columns:
        if names.count(name) != 1:
            what = f"{names.count(name)} columns have the name" if name in names else "there is no column"
            raise ArgumentError(f"{what} {name!r}; there are {', '.join(names[:10])}")
    return batch.select(list(columns))


def _table(batches: Sequence[Any]) -> Any:
    return _pyarrow().Table.from_batches(batches)


def _concatenated(tables: Sequence[Any]) -> Any:
    return _pyarrow().concat_tables(tables, promote_options="default").combine_chunks()


def _plain(column: Any) -> Any:
    """Return a column as one array; dictionary codes differ between batches, so that they are decoded."""
    whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    return whole.dictionary_decode() if hasattr(whole, "dictionary_decode") else whole


def _changes(rows: Any, keys: Sequence[str]) -> Booleans:
    """Say for each row of a batch or table whether it is of another group than the row before."""
    import pyarrow.compute as pc

    n = rows.num_rows
    found = np.zeros(n, dtype=bool)
    for key in keys:
        column = _plain(rows.column(key))
        if column.null_count:
            raise ArgumentError(f"column {key!r} has items without a label; drop them first")
        if n > 1:
            different = pc.not_equal(column.slice(1), column.slice(0, n - 1))
            found[1:] |= np.asarray(different.to_numpy(zero_copy_only=False), dtype=bool)
    return found


def _differs(before: Any, after: Any, keys: Sequence[str]) -> bool:
    """Say whether the last row of a batch and the first of the next are of different groups."""
    if after.num_rows == 0 or before.num_rows == 0:
        return False
    return any(before.column(key)[-1].as_py() != after.column(key)[0].as_py() for key in keys)


def _spilled(batches: Iterator[Any], keys: Sequence[str], of_table: OfTable) -> tuple[Any, list[Tally]]:
    """Spread the rows over files by group, and compute one file after the other."""
    pa = _pyarrow()
    with tempfile.TemporaryDirectory(prefix="concordant-") as folder:
        paths = [Path(folder) / f"{part}.arrow" for part in range(_PARTS)]
        writers: list[Any] = [None] * _PARTS
        row = 0
        empty = None
        for batch in batches:
            empty = batch.slice(0, 0)
            numbered = batch.append_column(_ROW, pa.array(np.arange(row, row + batch.num_rows)))
            row += batch.num_rows
            part_of = _part_of_rows(numbered, keys)
            order = np.argsort(part_of, kind="stable")
            ends = np.cumsum(np.bincount(part_of, minlength=_PARTS))
            laid = numbered.take(pa.array(order))
            for part, (start, end) in enumerate(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)):
                if end > start:
                    if writers[part] is None:
                        writers[part] = pa.ipc.new_file(paths[part], laid.schema)
                    writers[part].write_batch(laid.slice(start, end - start))
        answers, rows, tallies = [], [], []
        for path, writer in zip(paths, writers, strict=True):
            if writer is not None:
                writer.close()
                with pa.ipc.open_file(path) as reader:
                    table = reader.read_all()
                found, first, tally = of_table(table.drop_columns([_ROW]))
                answers.append(found)
                tallies.append(tally)
                rows.append(table.column(_ROW).to_numpy()[first])
                path.unlink()
        if not answers:
            found, _, tally = of_table(_table([empty]))
            return found, [tally]
    return _concatenated(answers).take(pa.array(np.argsort(np.concatenate(rows)))), tallies


def _part_of_rows(batch: Any, keys: Sequence[str]) -> Any:
    """Return the file of each row: a function of the values of its group alone."""
    table = _table([batch])
    groups = AnyFrame(table).groups([table.column_names.index(key) for key in keys])
    labels = groups.labels(groups.first)
    values = (label if isinstance(label, tuple) else (label,) for label in labels)
    # -0.0 is 0.0.
    same = ([each + 0.0 if isinstance(each, float) else each for each in label] for label in values)
    parts = [zlib.crc32(repr(label).encode()) % _PARTS for label in same]
    return np.array(parts, dtype=np.int64)[groups.codes]
