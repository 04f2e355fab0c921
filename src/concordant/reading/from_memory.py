"""Build scores from data frames, mappings and arrays."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from concordant.errors import ArgumentError, ArgumentTypeError
from concordant.rankings.convert import as_floats, ordered_codes
from concordant.rankings.frames import AnyFrame, is_frame
from concordant.rankings.labels import is_data_array, is_missing, label_text, labels_of
from concordant.reading.cells import Decimal, columns_of
from concordant.reading.header_words import counts_down, is_word, kind_of_column
from concordant.reading.readings import Grid, lower_first, without_averages
from concordant.scores.scores import ALL, Scores, Source, derived
from concordant.typing import FrameLike, RankingLike

_MEASURE = "score"  # if the data does not name it

ScoresLike: TypeAlias = (
    Scores
    | FrameLike
    | ArrayLike
    | Mapping[Any, Any]
    | os.PathLike[str]
    | IO[Any]
    | Iterable[os.PathLike[str]]
)
"""Scores, a DataFrame, an array of topics x systems, a mapping ``{topic: {system: score}}``, or files."""


def grid_or_scores(data: ScoresLike, decimal: Decimal | None = None) -> Grid | Scores:
    """Return a table whose rows and columns are not yet understood; scores of anything else."""
    if isinstance(data, Scores):
        return data
    if is_frame(data):
        return _grid_of_frame(AnyFrame(data), decimal)
    if hasattr(data, "to_numpy") and getattr(getattr(data, "index", None), "nlevels", 1) > 1:
        return _grid_of_series(data)
    if is_data_array(data):
        return _of_data_array(data)
    labels = None if isinstance(data, Mapping) else labels_of(data)
    if labels is not None:  # a pandas Series
        values = as_floats("data", data.to_numpy())  # type: ignore[union-attr]
        data = dict(zip(map(_name, labels), values, strict=True))
    if isinstance(data, Mapping):
        return _of_mapping(data)
    n_axes = np.ndim(data)  # type: ignore[arg-type]
    if n_axes == 0:
        accepted = "files, Scores, a DataFrame, a mapping or an array"
        raise ArgumentTypeError(f"scores must be {accepted}, got {type(data).__name__}")
    measures, topics = None if n_axes == 3 else [_MEASURE], [ALL] if n_axes == 1 else None
    return Scores(data, measures=measures, topics=topics, source=Source(named=False))


def _grid_of_series(series: Any) -> Grid:
    """Return the levels of the index of a Series, and its values, as the columns of a long table."""
    levels = _index_of(series)
    kinds = {kind for name, _ in levels for kind in ("topic", "system") if is_word(name, kind)}
    if "system" not in kinds or len(levels) > 3:
        found = f"the index of the Series has the levels {', '.join(name for name, _ in levels)}"
        raise ArgumentError(f'{found}; name them, such as series.rename_axis(["topic", "system"])')
    names, cells = zip(*levels, ("value", series.tolist()), strict=True)
    columns = columns_of(names, cells, None)
    return Grid("the Series", _MEASURE, columns, len(series))


def _name(label: object) -> str:
    if is_missing(label):
        raise ArgumentError("a topic, system or measure has no name; drop its row")
    return label_text(label)


def _grid_of_frame(frame: AnyFrame, decimal: Decimal | None) -> Grid:
    """Return the columns of a data frame, after the index of pandas, unless it numbers the rows from 0.

    Rows without names are also numbered from 0 here, so that such an index adds nothing.
    """
    cells = [(str(name), frame.objects(place)) for place, name in enumerate(frame.names)]
    names, every = zip(*_index_of(frame.native), *cells, strict=True)
    columns = list(columns_of(names, every, decimal))
    before = len(columns) - len(frame.names)
    for place, name in enumerate(map(str, frame.names)):
        ordered = ordered_codes(frame.native_column(place))
        if ordered is not None and kind_of_column(name) in ("", "value"):
            words = f"{name}: {' < '.join(ordered[1][:8])} are numbers from 0 up"
            own = columns[before + place]
            columns[before + place] = replace(own, numbers=ordered[0], problem="", remarks=frozenset([words]))
    return Grid("the data frame", _MEASURE, tuple(columns), len(frame))


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


def _of_data_array(data: Any) -> Scores:
    """Take the names of topics and systems from the coordinates of an xarray.DataArray."""
    if data.ndim not in (1, 2, 3):
        return Scores(data.to_numpy())
    kinds = ("measure", "topic", "system")[-data.ndim :]
    dims = {kind: dim for dim in data.dims for kind in kinds if is_word(str(dim), kind)}
    others = iter([dim for dim in data.dims if dim not in dims.values()])
    data = data.transpose(*(dims[kind] if kind in dims else next(others) for kind in kinds))
    names: dict[str, Any] = {}
    for axis, kind in enumerate(kinds):
        labels = labels_of(data, axis)
        names[f"{kind}s"] = None if labels is None else map(_name, labels)
    source = Source(named=names.get("measures") is not None)
    return Scores(data.to_numpy(), **({"measures": [_MEASURE]} | names), source=source)


def _of_mapping(data: Mapping[Any, Any]) -> Scores:
    forms = ("{system: score}", "{topic: {system: score}}", "{measure: {topic: {system: score}}}")
    levels = _depth(data)
    if levels > 3:
        raise ArgumentError(f"a mapping must be {forms[-1]} or less, got {levels} levels")
    for label in (ALL, _MEASURE)[levels - 1 :]:
        data = {label: data}
    rows = [
        (_name(name), _name(topic), _name(system), value)
        for name, by_topic in data.items()
        for topic, by_system in by_topic.items()
        for system, value in by_system.items()
    ]
    several = next((row[2] for row in rows if isinstance(row[3], list | tuple | np.ndarray)), None)
    if several is not None:
        one = f"a mapping must give one score for each system, got several for {several!r}"
        raise ArgumentError(f"{one}; give a mapping {{topic: {{system: score}}}}, or a DataFrame")
    values = as_floats("values", [row[3] for row in rows]) if rows else np.empty(0)
    scores = Scores.from_rows((*row[:3], value) for row, value in zip(rows, values.tolist(), strict=True))
    scores = without_averages(scores, "the mapping")
    named = scores.measures != (_MEASURE,)
    scores = lower_first(scores, [measure for measure in scores.measures if counts_down(measure)])
    return derived(scores, source=Source(read_as=f"a mapping {forms[levels - 1]}", named=named))


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
