"""A coefficient within each of many groups of items."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, NamedTuple, TypeVar, overload

import numpy as np

from concordant.checks import check_nan_policy, n_workers
from concordant.coefficients.declaration import Coefficient, CoefficientLike
from concordant.coefficients.engine import Outcome
from concordant.coefficients.evaluation import evaluate, evaluate_lists
from concordant.coefficients.text_form import coefficient as read_coefficient
from concordant.errors import ArgumentError, ArgumentTypeError, option, public
from concordant.questions.streams import grouped_stream, is_stream
from concordant.rankings.convert import as_floats, read_two
from concordant.rankings.frames import AnyFrame, is_frame
from concordant.rankings.groups import Groups, number_groups
from concordant.rankings.labels import labels_of, order_by_label, place
from concordant.rankings.lists import lists_of_groups
from concordant.rankings.pairs import Pairs, Rows
from concordant.reading.scan import FileBatches, are_paths
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
    groups: Any,
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
    groups: Any,
    coefficient: CoefficientLike,
    *,
    return_labels: Literal[True],
    nan_policy: NanPolicy = ...,
    workers: int = ...,
) -> tuple[Floats, list[Hashable]]: ...
@public
def grouped(
    *data: Any,
    x: Any = None,
    y: Any = None,
    groups: Any = None,
    coefficient: Any = None,
    by: Any = None,
    coefficients: Any = None,
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
    if by is not None or (data and is_frame(data[0])):
        if len(data) != 1 or groups is not None or coefficient is not None:
            raise ArgumentTypeError(f"takes {_FORMS}")
        _check_data(data[0], {"by": by, "x": x, "y": y, "coefficients": coefficients}, return_labels)
        chosen = _coefficients(coefficients)
        check_nan_policy(nan_policy)
        how = _OfFrame(by, x, y, chosen, nan_policy, n_workers(workers))
        if not is_frame(data[0]):
            return _of_stream(data[0], how, adjacent, progress)
        answer, outcomes = how.answer(data[0])
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
    return _of_arrays(**given, return_labels=return_labels, nan_policy=nan_policy, workers=workers)


_FORMS = "x, y, groups and coefficient; or a data frame and by, x, y and coefficients"


def _check_data(data: Any, wanted: Mapping[str, Any], return_labels: bool) -> None:
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


def _coefficients(given: Any) -> list[Coefficient]:
    several = isinstance(given, Iterable) and not isinstance(given, str)
    chosen = list(dict.fromkeys(read_coefficient(each) for each in (given if several else [given])))
    if len({str(c) for c in chosen}) < len(chosen):
        raise ArgumentError("two of the functions have the same name; give them different names")
    return chosen


def _keys(by: Any, names: Sequence[Any]) -> list[Any]:
    keys = [by] if isinstance(by, str) or by in names else list(by)
    if not keys:
        raise ArgumentError("by must name at least one column")
    return keys


class _OfFrame(NamedTuple):
    """What is asked of a data frame."""

    by: Any
    x: Any
    y: Any
    chosen: list[Coefficient]
    nan_policy: NanPolicy
    threads: int

    def answer(self, native: Any) -> tuple[Any, list[Outcome]]:
        """Return a frame of the same kind, and the outcomes."""
        whole = AnyFrame(native)
        keys = _keys(self.by, whole.names)
        columns = list(dict.fromkeys([*(whole.place_of("by", key) for key in keys)]))
        place_x, place_y = whole.place_of("x", self.x), whole.place_of("y", self.y)
        places = list(dict.fromkeys([*columns, place_x, place_y]))
        frame = whole.only(places)
        borrow = not _compare_lists(self.chosen)
        values_x = as_floats("x", frame.numbers(places.index(place_x)), self.threads, borrow)
        values_y = as_floats("y", frame.numbers(places.index(place_y)), self.threads, borrow)
        by_places = [places.index(place) for place in columns]
        found = frame.groups(by_places)

        def name(row: int) -> str:
            return f"row {row}"

        outcomes = _evaluate(self.chosen, values_x, values_y, found, name, self.nan_policy, self.threads)
        for outcome in outcomes:
            outcome.refuse()
        sizes = found.sizes
        if self.nan_policy == "omit":
            left_out = np.isnan(values_x) | np.isnan(values_y)
            sizes = sizes - np.bincount(found.codes[left_out], minlength=len(found))
        values = {str(c): outcome.values for c, outcome in zip(self.chosen, outcomes, strict=True)}
        return frame.rows(found.first, by_places, {"n": sizes, **values}), outcomes


def _of_stream(source: Any, how: _OfFrame, adjacent: bool, progress: Progress | None) -> Any:
    keys = _keys(how.by, ())
    columns = list(dict.fromkeys([*keys, how.x, how.y]))
    batches = FileBatches(source, columns, progress) if are_paths(source) else source
    answer, outcomes = grouped_stream(batches, keys, columns, how.answer, adjacent)
    for c, parts in zip(how.chosen, zip(*outcomes, strict=True), strict=True):
        Outcome.joined(parts).report(str(c))
    return answer


def _of_arrays(
    x: Any,
    y: Any,
    groups: Any,
    coefficient: Any,
    *,
    return_labels: bool,
    nan_policy: NanPolicy,
    workers: int,
) -> Any:
    chosen = read_coefficient(coefficient)
    check_nan_policy(nan_policy)
    threads = n_workers(workers)
    values_x, values_y, labels = read_two(x, y, threads=threads, borrow=not _compare_lists([chosen]))
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


def _compare_lists(coefficients: Sequence[Coefficient]) -> bool:
    return any(c.inputs == "lists" for c in coefficients)


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

    if not _compare_lists(coefficients):
        borrowed = Rows.borrowed(x, offsets, name, within), Rows.borrowed(y, offsets, name, within)
        return evaluate(coefficients, Pairs.one_to_one(*borrowed), nan_policy, threads)
    rows = Rows(x, offsets, name, within), Rows(y, offsets, name, within)
    other = next((c for c in coefficients if c.inputs != "lists"), None)
    if other is not None:
        raise ArgumentError(f"{other.name} does not compare lists of items; compute it separately")
    if nan_policy != "propagate":
        raise ArgumentError(
            f"{option('nan_policy')} has no effect on lists: an item without a score is not in the list"
        )
    by_threshold = {w: lists_of_groups(*rows, w) for w in dict.fromkeys(c.threshold for c in coefficients)}
    return [evaluate_lists([c], by_threshold[c.threshold], threads)[0] for c in coefficients]
