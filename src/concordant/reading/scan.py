"""Large files as batches of Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from concordant.errors import fail, missing_library
from concordant.reading.files import expand
from concordant.typing import Progress

_ROWS = 1 << 18  # rows of a batch
_PARQUET = (".parquet", ".pq")


def are_paths(data: object) -> bool:
    """Return whether these are one or several paths, patterns or folders."""
    several = data if isinstance(data, list | tuple) and data else [data]
    return all(isinstance(each, str | PathLike) for each in several)


class FileBatches:
    """The batches of files with the same columns, in the order of the files; iterated once.

    The files are Parquet (.parquet), Arrow (.arrow, .feather) or CSV (.csv, .tsv). If all files are Parquet,
    whose number of rows is known before they are read, `progress` is told how many rows are done.
    """

    def __init__(
        self,
        paths: str | PathLike[str] | Iterable[str | PathLike[str]],
        columns: Sequence[str],
        progress: Progress | None = None,
    ) -> None:
        try:
            import pyarrow as pa
        except ImportError:
            raise missing_library("a stream of Arrow batches", "pyarrow", "parquet") from None
        self._columns, self._progress, self._invalid = list(columns), progress, pa.ArrowException
        self._files: list[Any] = [fspath(path) for path in expand(paths)]  # type: ignore[arg-type]
        first = self._opened(self._files[0]).schema
        self.schema = pa.schema([first.field(name) for name in self._columns])

    def __iter__(self) -> Iterator[Any]:
        done, total = 0, None
        if self._progress is not None and all(_ending(path) in _PARQUET for path in self._files):
            total = sum(self._opened(path).count_rows() for path in self._files)
        for path in self._files:
            for batch in self._of_file(path):
                yield batch
                done += batch.num_rows
                if self._progress is not None and total:
                    self._progress(done, total)

    def _of_file(self, path: str) -> Iterator[Any]:
        # With these settings memory holds few batches; CSV is read ahead without threads, the others with.
        one = {"batch_readahead": 1, "fragment_readahead": 1}
        one["use_threads"] = _ending(path) in (".csv", ".tsv")
        batches = self._opened(path).to_batches(columns=self._columns, batch_size=_ROWS, **one)
        while True:
            try:
                batch = next(batches, None)
            except self._invalid as error:
                fail(path, None, f"cannot be read: {str(error).splitlines()[0]}")
            if batch is None:
                return
            try:
                yield batch if batch.schema.equals(self.schema) else batch.cast(self.schema)
            except ValueError:
                kinds = ", ".join(f"{each.name} ({each.type})" for each in batch.schema)
                fail(path, None, f"has columns of other types than {self._files[0]}: {kinds}")

    def _opened(self, path: str) -> Any:
        """Open a file as a data set, and check that it has the columns."""
        from pyarrow import csv, dataset

        ending = _ending(path)
        kind: Any = "ipc"
        if ending in _PARQUET:
            kind = dataset.ParquetFileFormat(pre_buffer=False)  # otherwise memory holds the whole file
        elif ending in (".csv", ".tsv"):
            options = csv.ParseOptions(delimiter="\t" if ending == ".tsv" else ",")
            kind = dataset.CsvFileFormat(parse_options=options)
        elif ending not in (".arrow", ".feather", ".ipc"):
            endings = ".parquet, .arrow, .feather, .csv, .tsv"
            fail(path, None, f"is not read as a stream; endings are {endings}")
        try:
            found = dataset.dataset(path, format=kind)
        except (OSError, self._invalid) as error:
            fail(path, None, f"cannot be read: {str(error).splitlines()[0]}")
        names = found.schema.names
        for name in self._columns:
            if names.count(name) != 1:
                what = "has several columns" if name in names else "does not have the column"
                fail(path, None, f"{what} {name!r}; it has {', '.join(names[:10])}")
        return found


def _ending(path: str) -> str:
    return Path(path).suffix.lower()
