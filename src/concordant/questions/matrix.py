"""All pairs of several rankings."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike

from concordant.checks import check_nan_policy, n_workers
from concordant.coefficients.declaration import Coefficient, CoefficientLike
from concordant.coefficients.engine import Outcome
from concordant.coefficients.evaluation import evaluate, evaluate_lists
from concordant.coefficients.text_form import coefficient as read_coefficient
from concordant.errors import ArgumentError, ArgumentTypeError, public
from concordant.rankings.convert import as_floats, read
from concordant.rankings.frames import AnyFrame, is_frame
from concordant.rankings.labels import order_by_label, place
from concordant.rankings.lists import pairs_of_lists
from concordant.rankings.pairs import Pairs, Rows
from concordant.results.table import Table, to_frame
from concordant.results.words import some
from concordant.typing import Floats, FrameLike, NanPolicy, RankingLike

if TYPE_CHECKING:
    import pandas as pd


Frame = TypeVar("Frame", bound=FrameLike)
_MOST_AT_ONCE = 250_000  # pairs


@dataclass(frozen=True)
class Cell:
    """One pair of a matrix.

    Attributes
    ----------
    reference : str
        The name of the row.
    estimate : str
        The name of the column.
    value : float
        The value of the coefficient.
    """

    reference: str
    estimate: str
    value: float


@dataclass(frozen=True, repr=False, eq=False)
class Matrix:
    """A coefficient of all pairs of named rankings: the row is the reference, the column the estimate.

    Attributes
    ----------
    names : tuple of Any
        The names of the rankings.
    values : Floats
        The coefficients; row i and column j compare reference i with estimate j.
    coefficient : Coefficient
        The coefficient.

    Examples
    --------
    >>> import concordant as cd
    >>> m = cd.matrix({"ap": [3, 2, 1], "rr": [3, 1, 2]}, "tau_b")
    >>> m["ap", "rr"].round(4), m.values.shape
    (0.3333, (2, 2))
    >>> m.records[0].reference, m.tables[0].name, m.table().columns
    ('ap', 'matrix', ('reference', 'estimate', 'value'))
    >>> round(m.to_dict()["rr"]["ap"], 4), m.to_frame().shape
    (0.3333, (2, 2))
    """

    names: tuple[Any, ...]
    values: Floats
    coefficient: Coefficient

    def __getitem__(self, names: tuple[Any, Any]) -> np.float64:
        if not isinstance(names, tuple) or len(names) != 2:
            raise KeyError(f"give the names of two rankings, got {names!r}")
        unknown = [name for name in names if name not in self.names]
        if unknown:
            raise KeyError(f"there is no ranking {unknown[0]!r}; there are {some(self.names)}")
        row, column = (self.names.index(name) for name in names)
        return np.float64(self.values[row, column])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.values if dtype is None else self.values.astype(dtype)

    def __repr__(self) -> str:
        return self.table().to_text()

    def _repr_html_(self) -> str:
        return self.table().to_html()

    @property
    def records(self) -> tuple[Cell, ...]:
        """All pairs, as records."""
        names = list(map(str, self.names))
        return tuple(
            Cell(row, column, float(value))
            for row, line in zip(names, self.values, strict=True)
            for column, value in zip(names, line, strict=True)
        )

    @property
    def tables(self) -> tuple[Table, ...]:
        """A tuple of one table, which holds all pairs."""
        return (self.table(),)

    def table(self) -> Table:
        """Return all pairs as a table.

        Returns
        -------
        Table
            One row per reference, one column per estimate when it is printed.
        """
        return Table(
            "matrix", f"{self.coefficient}, row against column", Cell, self.records, ("estimate", "value")
        )

    def to_dict(self) -> dict[Any, dict[Any, float]]:
        """Return the values by reference and estimate.

        Returns
        -------
        dict of dict of float
            ``result[reference][estimate]`` is a value.
        """
        return {
            name: dict(zip(self.names, row.tolist(), strict=True))
            for name, row in zip(self.names, self.values, strict=True)
        }

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with the names of the rankings as index and columns.

        Returns
        -------
        pandas.DataFrame
            The row is the reference, the column the estimate.
        """
        frame = to_frame([dict(zip(self.names, row, strict=True)) for row in self.values], self.names)
        frame.index = frame.columns
        return frame


@overload
def matrix(
    rankings: Frame, coefficient: CoefficientLike, *, nan_policy: NanPolicy = ..., workers: int = ...
) -> Frame: ...
@overload
def matrix(
    rankings: Mapping[Any, RankingLike],
    coefficient: CoefficientLike,
    *,
    nan_policy: NanPolicy = ...,
    workers: int = ...,
) -> Matrix: ...
@overload
def matrix(
    rankings: Sequence[RankingLike] | ArrayLike,
    coefficient: CoefficientLike,
    *,
    nan_policy: NanPolicy = ...,
    workers: int = ...,
) -> Floats: ...
@public
def matrix(
    rankings: Any, coefficient: CoefficientLike, *, nan_policy: NanPolicy = "propagate", workers: int = 1
) -> Any:
    """Correlate all pairs of rankings; the row is the reference, the column the estimate.

    Parameters
    ----------
    rankings : array_like of shape (r, n), sequence of rankings, mapping or DataFrame
        The rankings: the rows of an array or sequence (rankings with labels are aligned by label), the values
        of a mapping, or the columns of a data frame of pandas, polars, pyarrow, DuckDB or modin. For
        coefficients of lists: several lists, or a mapping of name to list.
    coefficient : str, Coefficient or callable
        The coefficient, as `coefficient` reads it, such as ``"tau_ap_b(0.05)"``. A symmetric one is computed
        only once for each pair.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: return nan for the pair, raise an error, or leave the item out of the pair.
    workers : int, default 1
        The number of threads; -1 means all cores. The values do not depend on it.

    Returns
    -------
    numpy.ndarray of shape (r, r), Matrix or DataFrame
        For a mapping, a `Matrix`, which keeps the names; for a data frame, a data frame of the same kind;
        otherwise an array.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.matrix([[4, 3, 2, 1], [3, 4, 2, 1], [4, 3, 1, 2]], "tau_b").round(2)
    array([[1.  , 0.67, 0.67],
           [0.67, 1.  , 0.33],
           [0.67, 0.33, 1.  ]])
    """
    chosen = read_coefficient(coefficient)
    check_nan_policy(nan_policy)
    threads = n_workers(workers)
    if chosen.inputs == "lists":
        return _of_lists(rankings, chosen, threads)
    if is_frame(rankings):
        rankings = AnyFrame(rankings)
    names, rows, labels = _read(rankings)
    outcome, result = all_pairs(chosen, names, rows, labels, nan_policy, threads)
    outcome.report(str(chosen))
    if isinstance(rankings, AnyFrame):
        return rankings.square(result)
    return Matrix(tuple(names), result, chosen) if isinstance(rankings, Mapping) else result


def _of_lists(lists: Any, c: Coefficient, threads: int) -> Any:
    """Compare all pairs of lists, which need not hold the same items."""
    if isinstance(lists, str) or is_frame(lists) or not isinstance(lists, Iterable):
        raise ArgumentTypeError(
            f"{c.name} compares lists of items; give a mapping of name to list, or several lists, got "
            f"{type(lists).__name__}"
        )
    mapping = isinstance(lists, Mapping)
    names = list(lists) if mapping else None
    given = list(lists.values()) if isinstance(lists, Mapping) else list(lists)
    first, second = np.triu_indices(len(given))
    w_x, w_y = c.threshold
    if w_x != w_y:
        raise ArgumentError(f"{c} has two thresholds; all pairs of lists need the same for each")
    pairs = pairs_of_lists(given, range(len(given)) if names is None else names, first, second, w_x)
    outcome = evaluate_lists([c], pairs, threads)[0]
    outcome.report(str(c))
    result = np.empty((len(given), len(given)))
    result[first, second] = result[second, first] = outcome.values
    return result if names is None else Matrix(tuple(names), result, c)


def all_pairs(
    c: Coefficient,
    names: Sequence[Any],
    rows: Floats,
    labels: Sequence[Hashable] | None,
    nan_policy: NanPolicy,
    threads: int,
) -> tuple[Outcome, Floats]:
    """Compute a coefficient of all pairs of rows, some rows at a time, to save memory.

    The outcome has one value for each pair that was computed; the values themselves are in the matrix.
    """
    r = len(rows)
    once = c.symmetric and c.top is None and c.threshold[0] == c.threshold[1]

    def name(row: int, k: int) -> str:
        return f"ranking {names[row]!r}, " + (place((k,)) if labels is None else repr(labels[k]))

    both = Rows.equal(rows, name)
    result = np.empty((r, r))
    step = max(1, _MOST_AT_ONCE // max(r, 1))
    undefined, computed = 0, 0
    reasons: list[str] = []
    for start in range(0, max(r, 1), step):
        stop = min(start + step, r)
        wanted = np.ones((stop - start, r), dtype=np.bool_)
        if once:  # the others are below the diagonal
            wanted = np.arange(r) >= np.arange(start, stop)[:, np.newaxis]
        first, second = np.nonzero(wanted)
        first += start
        outcome = evaluate([c], Pairs(both, both, first, second, (len(first),)), nan_policy, threads)[0]
        if outcome.refusal:
            return outcome, result
        block = result[start:stop]
        block[wanted] = outcome.values
        if once:
            np.copyto(result[start:, start:stop], block[:, start:].T, where=wanted[:, start:].T)
        undefined += outcome.undefined
        computed += len(first)
        reasons += outcome.reasons
    several = np.broadcast_to(np.float64(math.nan), computed)
    return Outcome(several, undefined, tuple(dict.fromkeys(reasons))), result


def _read(rankings: Any) -> tuple[Sequence[Any], Floats, Sequence[Hashable] | None]:
    """Return the names of the rankings, the rankings as rows, and the labels of the items."""
    if isinstance(rankings, AnyFrame):
        names = rankings.names
        columns = [as_floats(f"ranking {name!r}", rankings.numbers(k)) for k, name in enumerate(names)]
        return names, np.stack(columns) if columns else np.empty((0, 0)), rankings.labels
    if isinstance(rankings, Mapping):
        return list(rankings), *_stack(list(rankings), list(rankings.values()))
    if isinstance(rankings, list | tuple) and any(
        isinstance(one, Mapping | np.ma.MaskedArray) or hasattr(one, "to_numpy") for one in rankings
    ):
        return range(len(rankings)), *_stack(range(len(rankings)), list(rankings))
    rows = as_floats("rankings", rankings)
    if rows.ndim != 2:
        raise ArgumentError(f"rankings must have two dimensions, rankings by items, got shape {rows.shape}")
    return range(len(rows)), rows, None


def _stack(names: Sequence[Any], rankings: list[Any]) -> tuple[Floats, Sequence[Hashable] | None]:
    if not rankings:
        return np.empty((0, 0)), None
    rows: list[Floats] = []
    labels: Sequence[Hashable] | None = None
    first = f"ranking {names[0]!r}"
    for name, one in zip(names, rankings, strict=True):
        this = f"ranking {name!r}"
        values, own = read(this, one)
        if not rows:
            labels = own
        elif (own is None) != (labels is None):
            raise ArgumentTypeError(f"{this} and {first} must both have labels, or neither")
        elif own is not None and labels is not None:
            order = order_by_label(labels, own, (first, this))
            values = values if order is None else values[order]
        if values.ndim != 1 or len(values) != len(rows[0] if rows else values):
            raise ArgumentError(
                f"{this} has shape {values.shape}, {first} has {rows[0].shape if rows else '(n,)'}"
            )
        rows.append(values)
    return np.stack(rows), labels
