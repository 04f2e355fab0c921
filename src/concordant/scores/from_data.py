"""Scores from what holds them already: data frames, mappings, arrays."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from concordant.errors import ArgumentError, ArgumentTypeError
from concordant.rankings import (
    AnyFrame,
    as_floats,
    is_data_array,
    is_frame,
    is_missing,
    label_text,
    labels_of,
)
from concordant.scores.columns import find_columns, is_column
from concordant.scores.scores import Scores
from concordant.typing import FrameLike, RankingLike

__all__ = ["ScoresLike", "ranking_of", "scores_of"]

ScoresLike: TypeAlias = Scores | FrameLike | ArrayLike | Mapping[Any, Any]
"""Scores, a DataFrame, an array of topics x systems, or a mapping ``{topic: {system: score}}``."""


def scores_of(data: ScoresLike, measure: str = "score", columns: Mapping[str, str] | None = None) -> Scores:
    """Build scores; see `Scores.from_data`."""
    if isinstance(data, Scores):
        return data
    if isinstance(data, str | PathLike):
        raise ArgumentTypeError(
            f"scores must be Scores, a DataFrame, a mapping or an array, got the path "
            f"{str(data)!r}; read the file with concordant.read_scores"
        )
    if is_frame(data):
        return _of_frame(AnyFrame(data), measure, columns or {})
    if is_data_array(data):
        return _of_data_array(data, measure)
    labels = None if isinstance(data, Mapping) else labels_of(data)
    if labels is not None:  # a pandas Series
        values = as_floats("data", data.to_numpy())  # type: ignore[union-attr]
        data = dict(zip(map(_name, labels), values, strict=True))
    if isinstance(data, Mapping):
        return _of_mapping(data, measure)
    return Scores(data, measures=None if np.ndim(data) == 3 else [measure])  # type: ignore[arg-type]


def _name(label: object) -> str:
    if is_missing(label):
        raise ArgumentError("a topic, system or measure has no name; drop its row")
    return label_text(label)


def _of_frame(frame: AnyFrame, measure: str, columns: Mapping[str, str]) -> Scores:
    names = [str(name) for name in frame.names]
    found = find_columns(names, columns)
    column = frame.objects

    if found is not None:
        parts = {kind: column(names.index(name)) for kind, name in found.items()}
        measures = parts.get("measure", [measure] * len(parts["value"]))
        values = as_floats("value", parts["value"])
        if np.isnan(values).any():
            raise ArgumentError(
                f"value is missing in row {int(np.argmax(np.isnan(values)))}; leave out the row of a score "
                "that is missing"
            )
        topics = parts.get("topic", ["1"] * len(parts["value"]))
        keys = (map(_name, measures), map(_name, topics), map(_name, parts["system"]))
        return Scores.from_rows(zip(*keys, values.tolist(), strict=True))
    topic = [i for i, name in enumerate(names) if is_column(name, "topic")][:1]
    systems = [i for i in range(len(names)) if i not in topic]
    if topic:
        topics = column(topic[0])
    else:
        topics = list(range(1, len(frame) + 1) if frame.labels is None else frame.labels)
    table = as_floats("values", [column(i) for i in systems]).reshape(len(systems), len(topics)).T
    return Scores(table, measures=[measure], topics=topics, systems=[names[i] for i in systems])


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
    depth = _depth(data)
    if depth == 1:
        data, depth = {"1": data}, 2
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
    values = as_floats("values", [row[3] for row in rows]) if rows else np.empty(0)
    return Scores.from_rows((*row[:3], value) for row, value in zip(rows, values.tolist(), strict=True))


def _depth(data: Any) -> int:
    """Return how many mappings are within one another; all parts must have as many."""
    if not isinstance(data, Mapping):
        return 0
    depths = {_depth(part) for part in data.values() if not isinstance(part, Mapping) or part}
    if len(depths) > 1:
        raise ArgumentError("the mapping has scores at different levels; give {topic: {system: score}}")
    return 1 + (depths.pop() if depths else 1)


def ranking_of(value: Scores | RankingLike) -> Any:
    """Return the means of Scores with one measure; anything else as it is."""
    return value.mean() if isinstance(value, Scores) else value
