"""Large files as a stream of Arrow batches."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from concordant.errors import fail, missing_library, public
from concordant.reading.files import expand

_ROWS = 1 << 18  # rows of a batch


@public
def scan(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]], columns: Sequence[str] | None = None
) -> Scan:
    r"""Read large files batch by batch, for `grouped`.

    Parameters
    ----------
    paths : path, pattern or folder, or several
        Parquet files (.parquet), Arrow files (.arrow, .feather), or CSV (.csv, .tsv), all with the same
        columns. They are read in the given order; files of a pattern or folder in the order of their names.
    columns : list of str, optional
        The columns to read; by default all.

    Returns
    -------
    Scan
        Iteration yields batches of pyarrow; other libraries read it through ``__arrow_c_stream__``. Only the
        columns of the first file are read before the first batch is used.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import concordant as cd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "log.csv")
    ...     _ = path.write_text("query,human,model\nq1,3,2\nq1,1,0\n")
    ...     logs = cd.scan(path, ["query", "human", "model"])
    ...     found = cd.grouped(logs, by="query", x="human", y="model", coefficients="tau_b")
    >>> found.to_pylist()
    [{'query': 'q1', 'n': 2, 'tau_b': 1.0}]
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise missing_library("a stream of Arrow batches", "pyarrow", "parquet") from None
    files = tuple(Path(str(path)) for path in expand(paths))
    return Scan(files, columns, next(_opened(files[0], columns)))


class Scan:
    r"""Files that are read batch by batch, each time from the beginning.

    Attributes
    ----------
    files : tuple of pathlib.Path
        The files, in the order in which they are read.
    schema : pyarrow.Schema
        The columns and their types.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import concordant as cd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "log.csv")
    ...     _ = path.write_text("query,human,model\nq1,3,2\nq1,1,0\n")
    ...     found = cd.scan(path)
    ...     print(found.schema.names, sum(batch.num_rows for batch in found), found.n_rows)
    ...     print([len(checksum) for checksum, batches in found.parts()])
    ['query', 'human', 'model'] 2 None
    [64]
    """

    def __init__(self, files: Sequence[Path], columns: Sequence[str] | None, schema: Any) -> None:
        self.files, self.columns, self.schema = files, columns, schema

    @property
    def n_rows(self) -> int | None:
        """The number of rows, if the files give it without being read, as Parquet does; otherwise None."""
        if not all(path.suffix.lower() in (".parquet", ".pq") for path in self.files):
            return None
        from pyarrow import parquet

        return sum(int(parquet.read_metadata(path).num_rows) for path in self.files)

    def __iter__(self) -> Iterator[Any]:
        """Yield the batches of all files."""
        for path in self.files:
            yield from self._of_file(path)

    def parts(self) -> Iterator[tuple[str, Iterator[Any]]]:
        """Yield the checksum and the batches of each file.

        Yields
        ------
        tuple of (str, iterator)
            The SHA-256 checksum of a file, and its batches.
        """
        for path in self.files:
            try:
                with path.open("rb") as file:
                    checksum = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:
                fail(str(path), None, f"cannot be read: {error.strerror}")
            yield checksum, self._of_file(path)

    def _of_file(self, path: Path) -> Iterator[Any]:
        opened = _opened(path, self.columns)
        own = next(opened)
        if own.names != self.schema.names:
            first = f"{self.files[0]} has {self.schema.names[:8]}"
            fail(str(path), None, f"has the columns {own.names[:8]}, and {first}")
        for batch in opened:
            try:
                yield batch if own == self.schema else batch.cast(self.schema)
            except ValueError:
                kinds = (f"{name} ({kind})" for name, kind in zip(own.names, own.types, strict=True))
                fail(str(path), None, f"has columns of other types than {self.files[0]}: {', '.join(kinds)}")

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the stream in the form that libraries share."""
        import pyarrow as pa

        return pa.RecordBatchReader.from_batches(self.schema, iter(self)).__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<Scan: {len(self.files)} files with the columns {', '.join(self.schema.names[:8])}>"


def _opened(path: Path, columns: Sequence[str] | None) -> Iterator[Any]:
    """Yield the schema of a file, then its batches."""
    import pyarrow as pa

    ending = path.suffix.lower()
    try:
        if ending in (".parquet", ".pq"):
            yield from _parquet(path, columns)
        elif ending in (".arrow", ".feather", ".ipc"):
            with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as reader:
                _check(path, reader.schema.names, columns)
                chosen = columns or reader.schema.names
                yield _part(reader.schema, chosen)
                for place in range(reader.num_record_batches):
                    yield reader.get_batch(place).select(list(chosen))
        elif ending in (".csv", ".tsv"):
            yield from _csv(path, columns, "\t" if ending == ".tsv" else ",")
        else:
            fail(
                str(path), None, "is not read as a stream; endings are .parquet, .arrow, .feather, .csv, .tsv"
            )
    except pa.ArrowException as error:
        fail(str(path), None, f"cannot be read: {str(error).splitlines()[0]}")


def _parquet(path: Path, columns: Sequence[str] | None) -> Iterator[Any]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path, memory_map=False) as file:
        _check(path, file.schema_arrow.names, columns)
        chosen = list(columns or file.schema_arrow.names)
        yield _part(file.schema_arrow, chosen)
        for batch in file.iter_batches(batch_size=_ROWS, columns=chosen, use_threads=False):
            yield batch.select(chosen)


def _csv(path: Path, columns: Sequence[str] | None, delimiter: str) -> Iterator[Any]:
    from pyarrow import csv

    options = csv.ParseOptions(delimiter=delimiter)
    with csv.open_csv(path, parse_options=options) as reader:
        _check(path, reader.schema.names, columns)
        chosen = list(columns or reader.schema.names)
        yield _part(reader.schema, chosen)
        for batch in reader:
            yield batch.select(chosen)


def _part(schema: Any, names: Sequence[str]) -> Any:
    import pyarrow as pa

    return pa.schema([schema.field(name) for name in names])


def _check(path: Path, names: Sequence[str], columns: Sequence[str] | None) -> None:
    absent = next((name for name in columns or () if name not in names), None)
    if absent is not None:
        fail(str(path), None, f"does not have the column {absent!r}; it has {', '.join(names[:10])}")
