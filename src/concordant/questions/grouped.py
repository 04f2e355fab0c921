"""A coefficient within each of many groups of items: of arrays, of a frame, or of a stream of Arrow batches.

Of a stream, memory holds a batch and the largest group.
"""

from __future__ import annotations

import functools
import itertools
import tempfile
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal, TypeVar, overload

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
    InputError,
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
from concordant.typing import ArrowStream, Floats, FrameLike, NanPolicy, RankingLike

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
    threads = n_workers(workers)
    check_nan_policy(nan_policy)
    if by is not None or (data and is_frame(data[0])):
        if len(data) != 1 or groups is not None or coefficient is not None:
            raise ArgumentTypeError(f"takes {_FORMS}")
        absent = [name for name, value in (("by", by), ("x", x), ("y", y)) if value is None]
        if absent or coefficients is None:
            missing = [*absent, "coefficients"][0]
            raise ArgumentTypeError(f"a data frame needs by, x, y and coefficients; {missing} is not given")
        if return_labels:
            raise ArgumentTypeError(f"{option('return_labels')} is for arrays; a frame has the labels always")
        chosen = each_coefficient(coefficients)
        answer, found = _of_data(data[0], (by, x, y), chosen, adjacent, (nan_policy, threads))
        for c, parts in zip(chosen, zip(*found, strict=True), strict=True):
            Outcome.joined(parts).report(str(c))
        return answer
    given = {"x": x, "y": y, "groups": groups, "coefficient": coefficient}
    for name, value in zip(given, data, strict=False):
        if given[name] is not None:
            raise ArgumentTypeError(f"{name} is given twice")
        given[name] = value
    complete = given["y"] is not None and given["coefficient"] is not None
    if len(data) > len(given) or coefficients is not None or not complete:
        raise ArgumentTypeError(f"takes {_FORMS}")
    return _of_arrays(**given, return_labels=return_labels, nan_policy=nan_policy, threads=threads)


_FORMS = "x, y, groups and coefficient; or a data frame and by, x, y and coefficients"


def _of_data(
    data: Any,
    names: tuple[Any, Any, Any],
    chosen: list[Coefficient],
    adjacent: bool,
    how: tuple[NanPolicy, int],
) -> tuple[Any, list[list[Outcome]]]:
    """Return a row for each group of a frame, stream or files, and the outcomes of each part of them."""
    if is_frame(data):
        answer, outcomes = _of_frame(data, *names, chosen, *how)
        return answer, [outcomes]
    if not (_are_paths(data) or hasattr(data, "__arrow_c_stream__") or isinstance(data, Iterator)):
        raise ArgumentTypeError(
            "by names a column, and the data must be a data frame, a stream of Arrow or files, got "
            f"{type(data).__name__}"
        )
    keys = _keys(names[0], ())
    columns = list(dict.fromkeys([*keys, *names[1:]]))
    batches = _batches(_file_batches(data, columns) if _are_paths(data) else data, columns)
    answers, found, rows, checked = [], [], 0, 0
    for part in _whole_groups(batches if adjacent else _sorted(batches, keys), keys):
        answer, outcomes = _of_frame(part, *names, chosen, *how)
        answers.append(answer)
        found.append(outcomes)
        rows += len(answer)
        if rows > 2 * checked + 1000:
            answers, checked = [_distinct(answers, keys)], rows
    return _distinct(answers, keys), found


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

_ROWS = 1 << 18  # rows of a batch


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


def _whole_groups(batches: Iterator[Any], keys: Sequence[str]) -> Iterator[Any]:
    """Yield tables that hold whole groups; the last group of a batch is carried into the next one."""
    pa = _pyarrow()
    carried: list[Any] = []
    for batch in batches:
        last = carried[-1].slice(max(0, carried[-1].num_rows - 1)) if carried else batch.slice(0, 0)
        start = _start_of_last(pa.Table.from_batches([last, batch]), keys) - last.num_rows
        if start < 0:  # it began before this batch
            carried += [batch] if batch.num_rows else []
            continue
        yield pa.Table.from_batches([*carried, batch.slice(0, start)])
        carried = [batch.slice(start)]
    yield pa.Table.from_batches(carried)


def _start_of_last(rows: Any, keys: Sequence[str]) -> int:
    """Return the row at which the last group begins."""
    import pyarrow.compute as pc

    start = 0
    for key in keys:
        column = rows.column(key)
        if column.null_count:
            raise ArgumentError(f"column {key!r} has items without a label; drop them first")
        if len(column) > 1:
            different = pc.not_equal(column.slice(1), column.slice(0, len(column) - 1))
            changes = np.flatnonzero(different.to_numpy())
            start = max(start, int(changes[-1]) + 1 if len(changes) else 0)
    return start


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
        yield _empty(found.schema, columns)


def _only(batch: Any, columns: Sequence[str]) -> Any:
    """Return some columns; dictionary codes differ between batches, so that they are decoded."""
    _check_names(batch.schema.names, columns)
    found = [batch.column(name) for name in columns]
    found = [each.dictionary_decode() if hasattr(each, "dictionary_decode") else each for each in found]
    return _pyarrow().RecordBatch.from_arrays(found, names=list(columns))


def _check_names(names: Sequence[str], columns: Sequence[str]) -> None:
    for name in columns:
        if names.count(name) != 1:
            what = f"{names.count(name)} columns have the name" if name in names else "there is no column"
            raise ArgumentError(f"{what} {name!r}; there are {', '.join(names[:10])}")


def _empty(schema: Any, columns: Sequence[str]) -> Any:
    _check_names(schema.names, columns)
    own = _pyarrow().schema([schema.field(name) for name in columns])
    return _only(_pyarrow().RecordBatch.from_pylist([], schema=own), columns)


def _sorted(batches: Iterator[Any], keys: Sequence[str]) -> Iterator[Any]:
    """Sort the rows by group, in the order in which groups are first seen; DuckDB uses files if it must."""
    try:
        import duckdb
    except ImportError:
        raise missing_library("sorting rows that are not adjacent", "duckdb", "duckdb") from None
    first = next(batches)
    yield first.slice(0, 0)
    rows = _pyarrow().RecordBatchReader.from_batches(first.schema, itertools.chain([first], batches))
    columns, by = (
        ", ".join('"{}"'.format(name.replace('"', '""')) for name in names)
        for names in (first.schema.names, keys)
    )
    numbered = 'SELECT *, row_number() OVER () AS "concordant: row" FROM rows'
    order = f'min("concordant: row") OVER (PARTITION BY {by}), "concordant: row"'
    with tempfile.TemporaryDirectory(prefix="concordant-") as folder, duckdb.connect() as connection:
        connection.execute("SET temp_directory = ?", [folder])
        connection.register("rows", rows)
        found: Any = connection.sql(f"SELECT {columns} FROM ({numbered}) ORDER BY {order}")
        # Older versions have another name for it.
        yield from (getattr(found, "to_arrow_reader", None) or found.fetch_record_batch)(_ROWS)


# --- files ------------------------------------------------------------------------------------------------


def _are_paths(data: object) -> bool:
    """Return whether these are one or several paths, patterns or folders."""
    several = data if isinstance(data, list | tuple) and data else [data]
    return all(isinstance(each, str | PathLike) for each in several)


def _file_batches(paths: Any, columns: Sequence[str]) -> Iterator[Any]:
    """Yield the batches of files with the same columns, in the order of the files; the first is empty."""
    schema: Any = None
    files = [fspath(path) for path in expand(paths)]  # type: ignore[arg-type]
    for path in files:
        for batch in _checked(path, columns):
            schema = schema or batch.schema
            try:
                yield batch if batch.schema.equals(schema) else batch.cast(schema)
            except (ValueError, NotImplementedError):
                shown = ", ".join(f"{each.name} ({each.type})" for each in batch.schema)
                fail(path, None, f"has columns of other types than {files[0]}: {shown}")


def _checked(path: str, columns: Sequence[str]) -> Iterator[Any]:
    """Yield an empty batch, and those of a file, each checked as a whole: Arrow trusts offsets and codes."""
    pa, ending, size = _pyarrow(), Path(path).suffix.lower(), Path(path).stat().st_size
    import pyarrow.compute as pc

    if ending not in _READERS:
        fail(path, None, f"is not read as a stream; endings are {', '.join(_READERS)}")
    cells = unpacked = 0
    try:
        batches = _READERS[ending](path, columns, size)
        schema = next(batches)
        _check_names(schema.names, columns)
        for name in columns:
            kind = schema.field(name).type
            if pa.types.is_nested(kind) or str(kind).endswith("_view") or str(kind).startswith("run_end"):
                raise ArgumentError(f"column {name!r} has the type {kind}; it must hold numbers or text")
        yield _empty(schema, columns)
        for batch in batches:
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
    except (OSError, ValueError, TypeError, MemoryError, pa.ArrowException) as error:
        if isinstance(error, InputError):
            raise
        why = error.text if isinstance(error, ArgumentError) else f"cannot be read: {first_line(error)}"
        fail(path, None, why)


# Each yields the columns of a file, and then its batches with some of them.


def _parquet(path: str, columns: Sequence[str], size: int) -> Iterator[Any]:
    file, _ = open_parquet(path, path, size)
    yield file.schema_arrow
    yield from file.iter_batches(_ROWS, columns=list(columns), use_threads=False)


def _csv(path: str, columns: Sequence[str], _size: int) -> Iterator[Any]:
    from pyarrow import csv

    marks = csv.ParseOptions(delimiter="\t" if Path(path).suffix.lower() == ".tsv" else ",")
    schema = csv.open_csv(path, parse_options=marks).schema
    for name in set(columns) & set(schema.names):
        if schema.field(name).type == "binary":
            raise ArgumentError(f"column {name!r} is not UTF-8; convert the file, for example with iconv")
    yield schema
    only = csv.ConvertOptions(include_columns=list(columns))
    yield from csv.open_csv(path, parse_options=marks, convert_options=only)


def _arrow(path: str, columns: Sequence[str], size: int) -> Iterator[Any]:
    file = _pyarrow().OSFile(path)
    yield arrow_schema(file)
    yield from arrow_batches(path, file, size, columns)


_READERS: dict[str, Callable[[str, Sequence[str], int], Iterator[Any]]] = {
    **dict.fromkeys((".parquet", ".pq"), _parquet),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), _arrow),
    **dict.fromkeys((".csv", ".tsv"), _csv),
}


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise missing_library("a stream of Arrow batches", "pyarrow", "parquet") from None
    return pa
