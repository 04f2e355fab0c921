"""A coefficient within each of many groups of items."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from os import PathLike
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
from concordant.errors import ArgumentError, ArgumentTypeError, option, public
from concordant.questions.compare import of_lists
from concordant.questions.streams import are_paths, file_batches, grouped_stream, is_stream
from concordant.rankings.convert import as_floats, read_two
from concordant.rankings.frames import AnyFrame, is_frame
from concordant.rankings.groups import Groups, number_groups
from concordant.rankings.labels import labels_of, order_by_label, place
from concordant.rankings.lists import lists_of_groups
from concordant.rankings.pairs import Pairs, Rows
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
            batches = file_batches(data[0], columns, progress) if are_paths(data[0]) else data[0]
            answer, found = grouped_stream(batches, keys, columns, of_table, adjacent)
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
    if not is_frame(data) and not is_stream(data) and not are_paths(data):
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
