"""A coefficient of all pairs of several rankings, lists, or sides of a study."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike

from concordant.checks import check_nan_policy, n_workers
from concordant.coefficients.declaration import (
    Coefficient,
    CoefficientLike,
    of_scores,
    other_names_told,
    read_coefficient,
)
from concordant.coefficients.engine import FEW_ITEMS, Outcome
from concordant.coefficients.evaluation import evaluate, evaluate_lists
from concordant.errors import ArgumentError, ArgumentTypeError, public
from concordant.questions.benchmarks import concordance, concordance_in_words, table_of
from concordant.rankings.convert import as_floats, is_masked_array, read
from concordant.rankings.frames import AnyFrame, is_frame
from concordant.rankings.labels import order_by_label, place
from concordant.rankings.lists import pairs_of_lists
from concordant.rankings.pairs import Pairs, Rows
from concordant.results.note import Note, sizes_of_pairs, unique
from concordant.results.result import HIDDEN, Result, records
from concordant.results.table import Columns, Grid, Record, shown
from concordant.results.words import most_and_least, number, sentences, some
from concordant.scores.scores import Scores
from concordant.study.pairing import Measured, paired
from concordant.study.study import Study
from concordant.typing import Floats, FrameLike, Integers, NanPolicy, RankingLike, Topics
from concordant.work import in_pieces

Frame = TypeVar("Frame", bound=FrameLike)
_MOST_AT_ONCE = 250_000  # pairs
_SAME = 1e-12
_SHADES = " ░▒▓█"  # of values below 0.2, and from 0.2, 0.4, 0.6 and 0.8 on


@dataclass(frozen=True)
class Cell:
    """One pair of a matrix.

    Attributes
    ----------
    reference : str
        The name of the row.
    estimate : str
        The name of the column.
    value : float or None
        The value of the coefficient, None if it is undefined; or the number of systems or topics that both
        have.
    """

    reference: str
    estimate: str
    value: float | None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Matrix(Result[Cell]):
    """A coefficient of all pairs of named rankings: the row is the reference, the column the estimate.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    names : tuple of Any
        The names of the rankings.
    values : Floats
        The coefficients; row i and column j compare reference i with estimate j.
    matrix : sequence of Cell
        The same values, one record for each pair.
    systems : sequence of Cell or None
        Systems in common. It needs rankings of different systems.
    topics : sequence of Cell or None
        Topics in common. It needs rankings over different topics.
    kendall_w, kendall_pvalue : float or None
        Kendall's W of all rankings at once, on the systems that all have, and its p-value: rankings in random
        order. None for fewer than three rankings or systems, or if the topics differ.
    kendall_n : int
        The number of systems that all have.

    Examples
    --------
    >>> import concordant as cd
    >>> m = cd.matrix({"ap": [3, 2, 1], "rr": [3, 1, 2]}, "tau_b")
    >>> m["ap", "rr"].round(4), m.values.shape, m.matrix[0].reference
    (0.3333, (2, 2), 'ap')
    >>> m
    tau_b is 0.33 for the two rankings.
    <BLANKLINE>
    tau_b of all pairs, row against column
    <BLANKLINE>
    reference  ap      rr
    ---------  ------  ------
    ap         1.00 █  0.33 ░
    rr         0.33 ░  1.00 █
    """

    function: ClassVar[str] = "matrix"

    coefficient: Coefficient
    names: tuple[Any, ...] = field(metadata=HIDDEN)
    values: Floats = field(metadata=HIDDEN)
    matrix: Sequence[Cell] = records(
        Cell, "{coefficient} of all pairs, row against column", spread=("estimate", "value")
    )
    systems: Sequence[Cell] | None = records(
        Cell, "Systems in common", spread=("estimate", "value"), needs="rankings of different systems"
    )
    topics: Sequence[Cell] | None = records(
        Cell, "Topics in common", spread=("estimate", "value"), needs="rankings over different topics"
    )

    kendall_w: float | None = None
    kendall_pvalue: float | None = None
    kendall_n: int = 0

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

    def answer(self) -> Grid:
        """Return the values, the larger the darker; with the systems of each pair, if these differ.

        Returns
        -------
        Grid
            Header and rows.
        """
        return self._shown(shaded=True)

    def answer_in_print(self) -> Grid:
        """Return the same without shades, for LaTeX and Markdown.

        Returns
        -------
        Grid
            Header and rows.
        """
        return self._shown(shaded=False)

    def _shown(self, shaded: bool) -> Grid:
        grid = super().answer()
        sizes = {(each.reference, each.estimate): each.value for each in self.systems or ()}
        if not (shaded or sizes) or grid.own != 1:
            return grid
        width = max((len(str(n)) for n in sizes.values()), default=0)
        digits = max((len(shown(cell)) for row in grid.rows for cell in row[1:]), default=0) if shaded else 0
        rows = []
        for row in grid.rows:
            cells = [row[0]]
            for name, cell in zip(grid.header[1:], row[1:], strict=True):
                value = getattr(cell, "value", None)
                size = 0 if value is None or not value > 0 else min(4, int(value * 5))
                n = f"({sizes[row[0], str(name)]})".rjust(width + 2) if sizes else ""
                text = shown(cell).rjust(digits)
                cells.append(" ".join(filter(None, [text, _SHADES[size] if shaded else "", n])))
            rows.append(cells)
        return replace(grid, rows=rows)

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: which two agree most, and which least."""
        names = list(map(str, self.names))
        if len(names) < 2 or self.matrix is None:
            return ()
        rows, columns = np.nonzero(~np.isnan(self.values) & ~np.eye(len(names), dtype=bool))
        if len(rows) == 0:
            return sentences([f"{self.coefficient} is undefined for all pairs of {len(names)} rankings"])
        values = self.values[rows, columns]
        low, high = float(values.min()), float(values.max())
        concordance = concordance_in_words(self, f"{len(names)} rankings")
        if high - low <= _SAME:
            every = "the two rankings" if len(names) == 2 else f"all pairs of {len(names)} rankings"
            return sentences([f"{self.coefficient} is {number(high)} for {every}", concordance])

        sizes = [each.value for each in self.systems or ()]
        pairs = {}
        for k in np.flatnonzero((values - low <= _SAME) | (high - values <= _SAME)).tolist():
            row, column, value = rows[k], columns[k], float(values[k])
            alike = abs(self.values[column, row] - value) <= _SAME
            one, other = sorted((row, column)) if alike else (row, column)
            direction = "" if self.coefficient.symmetric or alike else " (reference)"
            pairs[f"{names[one]}{direction} and {names[other]}"] = (
                value,
                number(value) + (f", n = {sizes[row * len(names) + column]}" if sizes else ""),
            )
        of = f"{len(names)} rankings"
        most = most_and_least(pairs, of, str(self.coefficient), self.coefficient.distance)
        return sentences([most, concordance])


def names_and_values(cells: Sequence[Cell]) -> dict[str, Any]:
    """Return the names and values of a matrix, from its records."""
    n = math.isqrt(len(cells))
    values = np.array([cell.value for cell in cells], dtype=np.float64)
    return {"names": tuple(cell.reference for cell in cells[:: n or 1]), "values": values.reshape(n, n)}


_Named: TypeAlias = Mapping[Any, RankingLike] | Mapping[str, Scores] | Study
_Rows: TypeAlias = Sequence[RankingLike] | ArrayLike


@overload
def matrix(
    rankings: Frame, coefficient: CoefficientLike = ..., *, nan_policy: NanPolicy = ..., workers: int = ...
) -> Frame: ...
@overload
def matrix(
    rankings: _Named, coefficient: CoefficientLike = ..., *, nan_policy: NanPolicy = ..., workers: int = ...
) -> Matrix: ...
@overload
def matrix(
    rankings: _Rows, coefficient: CoefficientLike = ..., *, nan_policy: NanPolicy = ..., workers: int = ...
) -> Floats: ...
@public
def matrix(
    rankings: Any,
    coefficient: CoefficientLike = "tau_ap_b",
    *,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:
    """Correlate all pairs of rankings; the row is the reference, the column the estimate.

    Parameters
    ----------
    rankings : array_like of shape (r, n), sequence of rankings, mapping, DataFrame or Study
        The rankings: the rows of an array or sequence (rankings with labels are aligned by label), the values
        of a mapping, or the columns of a data frame of pandas, polars, pyarrow, DuckDB or modin. For
        coefficients of lists: several lists, or a mapping of name to list. In a mapping of `Scores` or a
        `Study`, each measure of each side is a ranking of the systems by their means; sides over different
        topics are compared on the topics that both have. `Study.of_sides` says what to do about systems that
        some sides lack.
    coefficient : str, Coefficient or callable, default "tau_ap_b"
        The coefficient, as `coefficient` reads it, such as ``"tau_ap_b(0.05)"``. A symmetric one is computed
        only once for each pair.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: return nan for the pair, raise an error, or leave the item out of the pair. It
        has no effect on scores.
    workers : int, default 1
        The number of threads; -1 means all cores. The values do not depend on it.

    Returns
    -------
    numpy.ndarray of shape (r, r), Matrix or DataFrame
        For a mapping or a `Study`, a `Matrix`, which keeps the names; for a data frame, a data frame of the
        same kind; otherwise an array.

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
    sides = rankings.values() if isinstance(rankings, Mapping) else ()
    if isinstance(rankings, Study) or any(isinstance(each, Scores) for each in sides):
        return _of_scores(rankings, of_scores(chosen), threads)
    if chosen.inputs == "lists":
        names, outcome, values = _of_lists(rankings, chosen, threads)
    else:
        if is_frame(rankings):
            rankings = AnyFrame(rankings)
        names, rows, labels = _read(rankings)
        outcome, values = _all_pairs(chosen, names, rows, labels, nan_policy, threads)
    outcome.report(str(chosen))
    if isinstance(rankings, AnyFrame):
        return rankings.square(values)
    if not isinstance(rankings, Mapping):
        return values
    return _matrix(chosen, names, values, outcome, outcome.reason)


def _matrix(
    c: Coefficient,
    names: Sequence[Any],
    values: Floats,
    outcome: Outcome,
    reason: str,
    notes: Sequence[Note] = (),
    sizes: Mapping[str, Any] | None = None,
) -> Matrix:
    """Return a matrix, with a note if values are undefined."""
    undefined, total = outcome.undefined, len(outcome.values)
    if undefined:
        text = f"{c} is undefined for {undefined} of {total} pairs of rankings: {reason}"
        about = {"coefficient": str(c), "pairs": undefined, "total": total, "reason": reason}
        notes = [*notes, Note("undefined_in_matrix", text=text, values=about, lost=True)]
    notes = [*other_names_told([c]), *notes]
    table = cells(Cell, names, values)
    return Matrix(
        coefficient=c, names=tuple(names), values=values, matrix=table, notes=unique(notes), **(sizes or {})
    )


def cells(kind: type[Record], names: Sequence[Any], square: Floats | Integers) -> Columns[Record]:
    """Return a record for each pair: the name of the row, that of the column, and the value."""
    texts = np.array(list(map(str, names)), dtype=object)
    return Columns(kind, texts.repeat(len(texts)), np.tile(texts, len(texts)), square.ravel())


def _of_scores(given: Study | Mapping[str, Scores], c: Coefficient, threads: int) -> Matrix:
    """Correlate all pairs of rankings by means; each measure of each side is a ranking."""
    study = given if isinstance(given, Study) else Study.of_sides(given)
    rankings: dict[str, Measured] = {}
    for name, by_measure in study.measured.items():
        for measure, side in by_measure.items():
            both = f"{name} {measure}" if len(study.sides) > 1 else measure
            rankings[name if len(by_measure) == 1 else both] = side
    if len(rankings) < 2:
        raise ArgumentError("there is only one ranking; give several files, or one with several measures")
    names, notes = list(rankings), [*study.alignment_notes, *study.tie_notes]
    measured = list(rankings.values())
    one_topics = study.topics_of_pairs == "own" or len({side.topics for side in measured}) == 1
    one_systems = len({side.systems for side in measured}) == 1
    if one_topics and one_systems:
        rows = np.array([list(side.mean.values()) for side in measured])
        outcome, values = _all_pairs(c, names, rows, measured[0].systems, "raise", threads)
        outcome.refuse()
        return _matrix(c, names, values, outcome, outcome.reason_of_systems, notes, concordance(rows))
    lines = in_pieces(_line, (c, measured, study.topics_of_pairs), range(len(names)))
    others = ~np.eye(len(names), dtype=bool)
    sizes: dict[str, Any] = {}
    for what, same in (("systems", one_systems), ("topics", one_topics)):
        square = np.array([line[what] for line in lines])
        if not same:
            sizes[what] = cells(Cell, names, square)
            notes.append(sizes_of_pairs(what, square[others].tolist()))
    values = np.array([line["values"] for line in lines])
    reasons = dict.fromkeys(reason for line in lines for reason in line["reasons"])
    outcome = Outcome(values.ravel(), int(np.isnan(values).sum()), tuple(reasons))
    if one_topics:
        sizes |= concordance(table_of(measured))
    return _matrix(c, names, values, outcome, outcome.reason_of_systems, notes, sizes)


def _line(shared: tuple[Coefficient, Sequence[Measured], Topics], row: int, threads: int) -> dict[str, Any]:
    """Compare one reference with all, on the systems and topics that both have."""
    del threads
    c, sides, over = shared
    values, systems, topics, reasons = [], [], [], list[str]()
    for estimate in sides:
        pairing = paired("", sides[row], estimate, over)
        (outcome,) = pairing.of_means([c]) if len(pairing.reference.systems) > 1 else (_NO_PAIR,)
        values.append(float(outcome.values[0]))
        systems.append(len(pairing.reference.systems))
        topics.append(len(pairing.common_topics()))
        reasons += outcome.reasons
    return {"values": np.array(values), "systems": systems, "topics": topics, "reasons": reasons}


_NO_PAIR = Outcome(np.array([math.nan]), 1, (FEW_ITEMS,))


def _of_lists(lists: Any, c: Coefficient, threads: int) -> tuple[Sequence[Any], Outcome, Floats]:
    """Compare all pairs of lists, which need not hold the same items."""
    if isinstance(lists, str) or is_frame(lists) or not isinstance(lists, Iterable):
        advice = "give a mapping of name to list, or several lists"
        raise ArgumentTypeError(f"{c.name} compares lists of items; {advice}, got {type(lists).__name__}")
    given = list(lists.values() if isinstance(lists, Mapping) else lists)
    names = list(lists) if isinstance(lists, Mapping) else range(len(given))
    first, second = np.triu_indices(len(given))
    w_x, w_y = c.threshold
    if w_x != w_y:
        raise ArgumentError(f"{c} has two thresholds; all pairs of lists need the same for each")
    outcome = evaluate_lists([c], pairs_of_lists(given, names, first, second, w_x), threads)[0]
    result = np.empty((len(given), len(given)))
    result[first, second] = result[second, first] = outcome.values
    return names, outcome, result


def _all_pairs(
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
    listed = rankings if isinstance(rankings, list | tuple) else ()
    by_row = any(
        isinstance(one, Mapping) or is_masked_array(one) or hasattr(one, "to_numpy") for one in listed
    )
    if not by_row and not isinstance(rankings, Mapping):
        square = as_floats("rankings", rankings)
        if square.ndim != 2:
            got = f"got shape {square.shape}"
            raise ArgumentError(f"rankings must have two dimensions, rankings by items, {got}")
        return range(len(square)), square, None
    named = dict(enumerate(rankings)) if by_row else rankings
    rows: list[Floats] = []
    labels: Sequence[Hashable] | None = None
    first = ""
    for name, one in named.items():
        this = f"ranking {name!r}"
        first = first or this
        values, own = read(this, one)
        if not rows:
            labels = own
        elif (own is None) != (labels is None):
            raise ArgumentTypeError(f"{this} and {first} must both have labels, or neither")
        elif own is not None and labels is not None:
            order = order_by_label(labels, own, (first, this))
            values = values if order is None else values[order]
        if values.ndim != 1 or len(values) != len(rows[0] if rows else values):
            other = rows[0].shape if rows else "(n,)"
            raise ArgumentError(f"{this} has shape {values.shape}, {first} has {other}")
        rows.append(values)
    return list(named), np.stack(rows) if rows else np.empty((0, 0)), labels
