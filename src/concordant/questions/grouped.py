"""A coefficient within each of many groups of items: of arrays, of a frame, or of a stream of Arrow batches.

Of a stream, memory holds a batch and the largest group.
"""

from __future__ import annotations

import functools
import itertools
import tempfile
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar, overload

import numpy as np

from concordant.checks import check_nan_policy, n_workers
from concordant.coefficients.declaration import (
    Coefficient,
    CoefficientLike,
    coefficient as read_coefficient,
    each_coefficient,
)
from concordant.coefficients.engine import Outcome
from concordant.coefficients.evaluation import evaluate
from concordant.errors import (
    ArgumentError,
    ArgumentTypeError,
    ConcordantError,
    fail,
    missing_library,
    option,
    public,
)
from concordant.questions.compare import of_lists
from concordant.rankings.convert import as_floats, read_two
from concordant.rankings.frames import AnyFrame, is_frame
from concordant.rankings.groups import Groups, number_groups
from concordant.rankings.labels import labels_of, order_by_label, place
from concordant.rankings.lists import lists_of_groups
from concordant.rankings.pairs import Pairs, Rows
from concordant.reading.files import check_cells, check_unpacked, expand
from concordant.reading.table_files import arrow_batches, arrow_schema, first_line, open_parquet
from concordant.typing import ArrowStream, Floats, FrameLike, NanPolicy, Progress, RankingLike

Frame = TypeVar("Frame", bound=FrameLike)


@overload
def grouped(
    frame: Frame,
    /,
    *,
    by: str | Sequence[str],
    x: str,
    y: str,
    coefficients: CoefficientLike | Sequence[CoefficientLike],
    nan_policy: NanPolicy = ...,
    workers: int = ...,
) -> Frame: ...
@overload
def grouped(
    data: ArrowStream | Iterator[Any] | str | PathLike[str] | Sequence[str | PathLike[str]],
    /,
    *,
    by: str | Sequence[str],
    x: str,
    y: str,
    coefficients: CoefficientLike | Sequence[CoefficientLike],
    nan_policy: NanPolicy = ...,
    adjacent: bool = ...,
    workers: int = ...,
    progress: Progress | None = ...,
) -> Any: ...
@overload
def grouped(
    x: RankingLike,
    y: RankingLike,
    groups: object,
    coefficient: CoefficientLike,
    *,
    return_labels: Literal[False] = ...,
    nan_policy: NanPolicy = ...,
    workers: int = ...,
) -> Floats: ...
@overload
def grouped(
    x: RankingLike,
    y: RankingLike,
    groups: object,
    coefficient: CoefficientLike,
    *,
    return_labels: Literal[True],
    nan_policy: NanPolicy = ...,
    workers: int = ...,
) -> tuple[Floats, list[Hashable]]: ...
@public
def grouped(
    *data: object,
    x: object = None,
    y: object = None,
    groups: object = None,
    coefficient: object = None,
    by: object = None,
    coefficients: object = None,
    return_labels: bool = False,
    nan_policy: NanPolicy = "propagate",
    adjacent: bool = True,
    workers: int = 1,
    progress: Progress | None = None,
) -> Any:
    """Correlate within each group, such as one list of documents per query.

    There are two forms: ``grouped(frame, by=..., x=..., y=..., coefficients=...)`` for a data frame, a stream
    or files, and ``grouped(x, y, groups, coefficient)`` for arrays. The groups may have different lengths.
    Their items need not be adjacent in arrays and data frames; all are computed in one pass.

    Parameters
    ----------
    frame : DataFrame of pandas, polars, modin, pyarrow or DuckDB; stream of Arrow; or path or paths
        The data, for the first form. A lazy frame of polars is collected. A stream is anything else with
        ``__arrow_c_stream__``, such as a RecordBatchReader of pyarrow, or an iterator of batches. Paths are
        files, patterns or folders of Parquet files (.parquet), Arrow files (.arrow, .feather) or CSV (.csv,
        .tsv), all with the same columns; files of a pattern or folder are read in the order of their names.
        Streams and files are read batch by batch, so that memory holds a batch, the largest group and the
        answer.
    x, y : str; or array_like or Series of length N
        The columns of the reference and the estimated scores; or the scores of all items of all groups.
    by : str or sequence of str
        The columns whose values make a group.
    coefficients : str, Coefficient or callable, or a sequence of them
        The coefficients, as `coefficient` reads them, such as ``["tau_b", "tau_ap_b(0.05)@10"]``.
    groups : array_like or Series of length N
        The group of each item: integers, strings or any hashable. With labels, it is aligned by label like
        `y`.
    coefficient : str, Coefficient or callable
        The coefficient, as `coefficient` reads it, such as ``"tau_ap_b(0.05)@10"``.
    return_labels : bool, default False
        Whether to return the labels of the groups too, in the form for arrays.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: return nan for the group, raise an error, or leave the item out. For coefficients
        of lists it has no effect: an item whose score is NaN is not in that list.
    adjacent : bool, default True
        For a stream or files: whether the rows of each group are adjacent. If True, a group that appears
        again is an error. If False, DuckDB sorts the rows first, in files if they do not fit into memory:
        ``pip install 'concordant[duckdb]'``.
    workers : int, default 1
        The number of threads; -1 means all cores. The values do not depend on it.
    progress : callable, optional
        Called with the number of rows that are done and that of all rows, for Parquet files.

    Returns
    -------
    frame : the caller's kind of data frame; for a stream or files a Table of pyarrow
        For a data frame: a row for each group with the columns `by`, the number of items ``n`` (without those
        left out), and a column for each coefficient, in the order in which groups are first seen.
    values : numpy.ndarray
        For arrays: one value per group, in the order in which groups are first seen.
    labels : list
        The groups in that order, if `return_labels`.

    Examples
    --------
    >>> import concordant as cd
    >>> topic = ["q1", "q1", "q2", "q2", "q1", "q2"]
    >>> cd.grouped([3, 2, 3, 2, 1, 1], [3, 1, 3, 2, 2, 1], topic, "tau_b", return_labels=True)
    (array([0.33333333, 1.        ]), ['q1', 'q2'])

    >>> import pandas as pd
    >>> df = pd.DataFrame({"user": topic, "human": [3, 2, 3, 2, 1, 1], "model": [3, 1, 3, 2, 2, 1]})
    >>> cd.grouped(df, by="user", x="human", y="model", coefficients=["tau_b", "tau_ap_b"])
      user  n     tau_b  tau_ap_b
    0   q1  3  0.333333       0.5
    1   q2  3  1.000000       1.0
    """
    given = {"x": x, "y": y, "groups": groups, "coefficient": coefficient}
    threads = n_workers(workers)
    check_nan_policy(nan_policy)
    if by is not None or (data and is_frame(data[0])):
        if len(data) != 1 or groups is not None or coefficient is not None:
            raise ArgumentTypeError(f"takes {_FORMS}")
        _check_data(data[0], {"by": by, "x": x, "y": y, "coefficients": coefficients}, return_labels)
        chosen = each_coefficient(coefficients)
        of_table = functools.partial(
            _of_frame, by=by, x=x, y=y, chosen=chosen, nan_policy=nan_policy, threads=threads
        )
        if is_frame(data[0]):
            answer, outcomes = of_table(data[0])
        else:
            keys = _keys(by, ())
            columns = list(dict.fromkeys([*keys, x, y]))
            batches = _file_batches(data[0], columns, progress) if _are_paths(data[0]) else data[0]
            answer, found = _of_stream(batches, keys, columns, of_table, adjacent)
            outcomes = [Outcome.joined(parts) for parts in zip(*found, strict=True)]
        for c, outcome in zip(chosen, outcomes, strict=True):
            outcome.report(str(c))
        return answer
    for name, value in zip(given, data, strict=False):
        if given[name] is not None:
            raise ArgumentTypeError(f"{name} is given twice")
        given[name] = value
    complete = given["y"] is not None and given["coefficient"] is not None
    if len(data) > len(given) or coefficients is not None or not complete:
        raise ArgumentTypeError(f"takes {_FORMS}")
    return _of_arrays(**given, return_labels=return_labels, nan_policy=nan_policy, threads=threads)


_FORMS = "x, y, groups and coefficient; or a data frame and by, x, y and coefficients"


def _check_data(data: object, wanted: Mapping[str, Any], return_labels: bool) -> None:
    if not is_frame(data) and not _is_stream(data) and not _are_paths(data):
        raise ArgumentTypeError(
            "by names a column, and the data must be a data frame, a stream of Arrow or files, got "
            f"{type(data).__name__}"
        )
    absent = [name for name, value in wanted.items() if value is None]
    if absent:
        raise ArgumentTypeError(f"a data frame needs by, x, y and coefficients; {absent[0]} is not given")
    if return_labels:
        raise ArgumentTypeError(f"{option('return_labels')} is for arrays; a frame returns the labels always")


def _keys(by: Any, names: Sequence[Any]) -> list[Any]:
    keys = [by] if isinstance(by, str) or by in names else list(by)
    if not keys:
        raise ArgumentError("by must name at least one column")
    return keys


def _of_frame(
    native: object,
    by: object,
    x: object,
    y: object,
    chosen: list[Coefficient],
    nan_policy: NanPolicy,
    threads: int,
) -> tuple[Any, list[Outcome]]:
    """Return a frame of the same kind with a row for each group, and the outcomes."""
    whole = AnyFrame(native)
    columns = list(dict.fromkeys(whole.place_of("by", key) for key in _keys(by, whole.names)))
    sides = whole.place_of("x", x), whole.place_of("y", y)
    places = list(dict.fromkeys([*columns, *sides]))
    frame, borrow = whole.only(places), not any(c.inputs == "lists" for c in chosen)
    values_x, values_y = (
        as_floats(name, frame.numbers(places.index(side)), threads, borrow)
        for name, side in zip("xy", sides, strict=True)
    )
    found = frame.groups(list(range(len(columns))))
    outcomes = _evaluate(chosen, values_x, values_y, found, lambda row: f"row {row}", nan_policy, threads)
    for outcome in outcomes:
        outcome.refuse()
    sizes = found.sizes
    if nan_policy == "omit":
        left_out = np.isnan(values_x) | np.isnan(values_y)
        sizes = sizes - np.bincount(found.codes[left_out], minlength=len(found))
    values = {str(c): outcome.values for c, outcome in zip(chosen, outcomes, strict=True)}
    return frame.rows(found.first, list(range(len(columns))), {"n": sizes, **values}), outcomes


def _of_arrays(
    x: Any, y: Any, groups: Any, coefficient: Any, return_labels: bool, nan_policy: NanPolicy, threads: int
) -> Any:
    chosen = read_coefficient(coefficient)
    values_x, values_y, labels = read_two(x, y, threads=threads, borrow=chosen.inputs != "lists")
    of_items = labels_of(groups)
    order = None
    if of_items is not None and labels is not None:
        order = order_by_label(labels, of_items, ("x", "groups"))
    elif isinstance(groups, Mapping):
        raise ArgumentTypeError(
            "groups is a mapping and the rankings have no labels; give all of them labels, or none"
        )
    found = number_groups("groups", groups.values() if isinstance(groups, Mapping) else groups)
    if order is not None and len(order) == found.n_items:
        found = found.reordered(order)
    if not values_x.shape == values_y.shape == (found.n_items,):
        raise ArgumentError(
            f"x, y and groups must be lists of the same length, got shapes {values_x.shape}, "
            f"{values_y.shape} and {(found.n_items,)}"
        )

    def name(item: int) -> str:
        return place((item,)) if labels is None else repr(labels[item])

    outcome = _evaluate([chosen], values_x, values_y, found, name, nan_policy, threads)[0]
    outcome.report(str(chosen))
    return (outcome.values, found.labels(found.first)) if return_labels else outcome.values


def _evaluate(
    coefficients: Sequence[Coefficient],
    x: Floats,
    y: Floats,
    groups: Groups,
    item_name: Callable[[int], str],
    nan_policy: NanPolicy,
    threads: int,
) -> list[Outcome]:
    offsets = groups.offsets
    x, y = groups.lay(x, y)

    def name(group: int, k: int) -> str:
        return item_name(int(groups.order[offsets[group] + k]))

    def within(group: int) -> str:
        return f" in group {groups.label(group)!r}"

    if not any(c.inputs == "lists" for c in coefficients):
        borrowed = Rows.borrowed(x, offsets, name, within), Rows.borrowed(y, offsets, name, within)
        return evaluate(coefficients, Pairs.one_to_one(*borrowed), nan_policy, threads)
    if nan_policy != "propagate":
        raise ArgumentError(
            f"{option('nan_policy')} has no effect on lists: an item without a score is not in the list"
        )
    rows = Rows(x, offsets, name, within), Rows(y, offsets, name, within)
    return of_lists(coefficients, functools.partial(lists_of_groups, *rows), threads)[0]


# --- streams of batches of Arrow --------------------------------------------------------------------------

# Computes the groups of a table of Arrow: a table with a row for each, and the outcomes.
_OfTable: TypeAlias = Callable[[Any], tuple[Any, Any]]
_ROW, _FIRST = "concordant: row", "concordant: first row"
_ROWS = 1 << 18  # rows of a batch
_PARQUET = (".parquet", ".pq")


def _is_stream(data: object) -> bool:
    """Return whether these are batches of Arrow, one after the other."""
    return hasattr(data, "__arrow_c_stream__") or isinstance(data, Iterator)


def _of_stream(
    source: object, keys: Sequence[str], columns: Sequence[str], of_table: _OfTable, adjacent: bool
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


def _are_paths(data: object) -> bool:
    """Return whether these are one or several paths, patterns or folders."""
    several = data if isinstance(data, list | tuple) and data else [data]
    return all(isinstance(each, str | PathLike) for each in several)


def _file_batches(paths: object, columns: Sequence[str], progress: Progress | None = None) -> Iterator[Any]:
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
