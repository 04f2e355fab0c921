"""Build scores from data frames, mappings and arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from os import PathLike
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from concordant.checks import is_real
from concordant.errors import ArgumentError, ArgumentTypeError
from concordant.rankings.convert import as_floats
from concordant.rankings.coordinates import is_data_array
from concordant.rankings.frames import AnyFrame, is_frame
from concordant.rankings.labels import is_missing, label_text, labels_of
from concordant.reading.cells import Decimal, decimal_mark, numbers_of
from concordant.reading.grid import Column, Grid
from concordant.reading.header_words import is_column, kind_of_column
from concordant.reading.orientation import Headers, SystemsIn, layouts_of
from concordant.reading.readings import ALL, Reading, decided, read_as, reading_of, without_averages
from concordant.scores.scores import Scores
from concordant.typing import FrameLike, RankingLike

_NAMES = ("measure", "topic", "system", "label")  # kinds of columns whose cells are names

ScoresLike: TypeAlias = Scores | FrameLike | ArrayLike | Mapping[Any, Any]
"""Scores, a DataFrame, an array of topics x systems, or a mapping ``{topic: {system: score}}``."""


def scores_of(
    data: ScoresLike,
    measure: str = "score",
    columns: Mapping[str, str] | None = None,
    systems: SystemsIn | None = None,
    headers: Headers | None = None,
) -> Scores:
    """Build scores; see `Scores.from_data`."""
    return decided([readings_of(data, measure, columns, systems, headers)])[0].scores()


def readings_of(
    data: ScoresLike,
    measure: str = "score",
    columns: Mapping[str, str] | None = None,
    systems: SystemsIn | None = None,
    headers: Headers | None = None,
) -> list[Reading]:
    """Return the ways in which data can be read: two if the rows of a data frame may be systems or topics."""
    if is_frame(data) or _is_nested_series(data):
        grid = _grid_of_frame(AnyFrame(data), measure) if is_frame(data) else _grid_of_series(data, measure)
        return [reading_of(grid, each) for each in layouts_of(grid, columns or {}, systems, headers)]
    scores = _sure_scores(data, measure)
    return [Reading("", scores.systems, "", lambda: scores)]


def _sure_scores(data: ScoresLike, measure: str) -> Scores:
    if isinstance(data, Scores):
        return data
    if isinstance(data, str | PathLike):
        raise ArgumentTypeError(
            f"scores must be Scores, a DataFrame, a mapping or an array, got the path "
            f"{str(data)!r}; read the file with concordant.read_scores"
        )
    if is_data_array(data):
        return _of_data_array(data, measure)
    labels = None if isinstance(data, Mapping) else labels_of(data)
    if labels is not None:  # a pandas Series
        values = as_floats("data", data.to_numpy())  # type: ignore[union-attr]
        data = dict(zip(map(_name, labels), values, strict=True))
    if isinstance(data, Mapping):
        return _of_mapping(data, measure)
    one = np.ndim(data) == 1  # type: ignore[arg-type]
    return Scores(data, measures=None if np.ndim(data) == 3 else [measure], topics=[ALL] if one else None)  # type: ignore[arg-type]


def _is_nested_series(data: Any) -> bool:
    """Say whether this is a pandas Series with an index of several levels."""
    return hasattr(data, "to_numpy") and getattr(getattr(data, "index", None), "nlevels", 1) > 1


def _grid_of_series(series: Any, measure: str) -> Grid:
    """Return the levels of the index of a Series, and its values, as the columns of a long table."""
    levels = _index_of(series)
    kinds = {kind for name, _ in levels for kind in ("topic", "system") if is_column(name, kind)}
    if "system" not in kinds or len(levels) > 3:
        raise ArgumentError(
            f"the index of the Series has the levels {', '.join(name for name, _ in levels)}; name them, "
            'such as series.rename_axis(["topic", "system"])'
        )
    columns = tuple(_frame_column(name, own)[0] for name, own in (*levels, ("value", series.tolist())))
    return Grid("the Series", measure, columns, len(series))


def _name(label: object) -> str:
    if is_missing(label):
        raise ArgumentError("a topic, system or measure has no name; drop its row")
    return label_text(label)


def _grid_of_frame(frame: AnyFrame, measure: str) -> Grid:
    """Return the columns of a data frame, after the index of pandas, unless it numbers the rows from 0.

    Rows without names are also numbered from 0 here, so that such an index adds nothing.
    """
    cells = [(str(name), frame.objects(place)) for place, name in enumerate(frame.names)]
    every = [*_index_of(frame.native), *cells]
    decimal = decimal_mark([_written(own) for name, own in every if kind_of_column(name) not in _NAMES])
    read = [_frame_column(name, own, decimal) for name, own in every]
    remarks = sorted({remark for _, found in read for remark in found})
    return Grid(
        "the data frame", measure, tuple(column for column, _ in read), len(frame), remarks=tuple(remarks)
    )


def _written(cells: list[Any]) -> list[str]:
    return [cell for cell in cells if isinstance(cell, str)]


def _index_of(native: Any) -> list[tuple[str, list[Any]]]:
    """Return the levels of an index with their names."""
    index: Any = getattr(native, "index", None)
    if index is None or not hasattr(index, "tolist"):
        return []
    if type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1) and index.name is None:
        return []
    if getattr(index, "nlevels", 1) == 1:
        return [("" if index.name is None else str(index.name), index.tolist())]
    names = [f"level_{k}" if name is None else str(name) for k, name in enumerate(index.names)]
    return [(name, index.get_level_values(k).tolist()) for k, name in enumerate(names)]


def _frame_column(
    name: str, cells: list[Any], decimal: Decimal | None = "."
) -> tuple[Column, frozenset[str]]:
    """Return a column, and how its cells were read if they are text."""
    column = _plain_column(name, cells)
    written = [] if column.numbers is not None or kind_of_column(name) in _NAMES else _written(cells)
    if not written or all(map(str.isdigit, written)):
        return column, frozenset()
    if not all(isinstance(cell, str) or is_real(cell) or is_missing(cell) for cell in cells):
        return column, frozenset()
    # Cells of text follow the rules of files; numbers among them have a decimal point.
    texts = [
        "" if is_missing(cell) else cell if isinstance(cell, str) else repr(float(cell)) for cell in cells
    ]
    mixed = len(written) < sum(not is_missing(cell) for cell in cells)
    found = numbers_of(texts, "." if mixed else decimal)
    if found.values is not None and np.isfinite(found.values).any():
        return Column(name, column.texts, found.values), found.remarks
    if found.problem and column.is_text:
        return Column(
            name, column.texts, None, f"row {found.bad}: {found.problem}", found.bad or 0
        ), frozenset()
    return column, frozenset()


def _plain_column(name: str, cells: list[Any]) -> Column:
    """Return a column of numbers, or of text; a mixture has a problem."""

    def texts() -> list[str]:
        return ["" if is_missing(cell) else label_text(cell) for cell in cells]

    if all(is_real(cell) or is_missing(cell) for cell in cells):
        numbers = np.array([math.nan if is_missing(cell) else float(cell) for cell in cells])
        if np.isinf(numbers).any():
            bad = int(np.argmax(np.isinf(numbers)))
            return Column(name, texts, None, f"row {bad} is not finite", bad)
        return Column(name, texts, numbers)
    real = [i for i, cell in enumerate(cells) if is_real(cell)]
    if real and not all(isinstance(cell, str) or is_real(cell) or is_missing(cell) for cell in cells):
        odd = next(
            i
            for i, cell in enumerate(cells)
            if not (isinstance(cell, str) or is_real(cell) or is_missing(cell))
        )
        return Column(name, texts, None, f"row {odd} holds {cells[odd]!r}, which is not a number", odd)
    if real:
        odd = next(i for i, cell in enumerate(cells) if isinstance(cell, str))
        return Column(name, texts, None, f"row {odd} holds {cells[odd]!r}, which is not a number", odd)
    return Column(name, texts)


def _of_data_array(data: Any, measure: str) -> Scores:
    """Take the names of topics and systems from the coordinates of an xarray.DataArray."""
    if data.ndim not in (1, 2, 3):
        return Scores(data.to_numpy())
    kinds = ("measure", "topic", "system")[-data.ndim :]
    dims = {kind: dim for dim in data.dims for kind in kinds if is_column(str(dim), kind)}
    others = iter([dim for dim in data.dims if dim not in dims.values()])
    data = data.transpose(*(dims[kind] if kind in dims else next(others) for kind in kinds))
    names: dict[str, Any] = {}
    for axis, kind in enumerate(kinds):
        labels = labels_of(data, axis)
        names[f"{kind}s"] = None if labels is None else map(_name, labels)
    return Scores(data.to_numpy(), **({"measures": [measure]} | names))


def _of_mapping(data: Mapping[Any, Any], measure: str) -> Scores:
    depth = levels = _depth(data)
    if depth == 1:
        data, depth = {ALL: data}, 2
    if depth == 2:
        data = {measure: data}
    elif depth != 3:
        raise ArgumentError(
            f"a mapping must be {{measure: {{topic: {{system: score}}}}}} or less, got {depth} levels"
        )
    rows = [
        (_name(name), _name(topic), _name(system), value)
        for name, by_topic in data.items()
        for topic, by_system in by_topic.items()
        for system, value in by_system.items()
    ]
    lists = (system for _, _, system, value in rows if isinstance(value, list | tuple | np.ndarray))
    several = next(lists, None)
    if several is not None:
        raise ArgumentError(
            f"a mapping must give one score for each system, got several for {several!r}; give a mapping "
            "{topic: {system: score}}, or a DataFrame"
        )
    values = as_floats("values", [row[3] for row in rows]) if rows else np.empty(0)
    scores = Scores.from_rows((*row[:3], value) for row, value in zip(rows, values.tolist(), strict=True))
    title = ("{system: score}", "{topic: {system: score}}", "{measure: {topic: {system: score}}}")[levels - 1]
    scores = without_averages(scores, "the mapping")
    return scores.noted(read_as(scores, "", "score", f"a mapping {title}"))


def _depth(data: Any) -> int:
    """Return the number of nested levels of a mapping, which must be the same in all parts."""
    if not isinstance(data, Mapping):
        return 0
    depths = {_depth(part) for part in data.values() if not isinstance(part, Mapping) or part}
    if len(depths) > 1:
        raise ArgumentError("the mapping has scores at different levels; give {topic: {system: score}}")
    return 1 + (depths.pop() if depths else 1)


def ranking_of(value: Scores | RankingLike) -> Any:
    """Return the means of `Scores` with one measure; return anything else unchanged."""
    return value.mean() if isinstance(value, Scores) else value
