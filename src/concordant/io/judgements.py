"""Judgements in the forms in which users pass them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from concordant.errors import ArgumentError
from concordant.io.files import Source, is_source
from concordant.io.qrels import MOST_RELEVANT, Qrels, read_qrels
from concordant.io.rows import by_topic, label_of, rows_of
from concordant.typing import FrameLike

__all__ = ["QrelsLike", "qrels_of"]

QrelsLike: TypeAlias = Source | Mapping[Any, Mapping[Any, Any]] | FrameLike | Iterable[Any]
"""A path or open file, ``{topic: {document: relevance}}``, a DataFrame with columns query_id, doc_id and
relevance, or an iterable of ``ir_measures.Qrel``."""

_ACCEPTED = (
    "a path, an open file, a mapping {topic: {document: relevance}}, a DataFrame with columns query_id, "
    "doc_id and relevance, or a list of ir_measures.Qrel"
)


def qrels_of(data: QrelsLike) -> Qrels:
    """Read judgements from a file or from memory, and check them."""
    if is_source(data):
        return read_qrels(data)
    what = "judgements"
    found = by_topic(
        what, rows_of(what, data, "relevance", _ACCEPTED), _grade, "relevance must be a whole number"
    )
    if not found:
        raise ArgumentError("there are no judgements")
    if "all" in found:
        raise ArgumentError("judgements: topic 'all' stands for the average over topics; name it differently")
    largest = max(abs(grade) for grades in found.values() for grade in grades.values())
    if largest > MOST_RELEVANT:
        raise ArgumentError(f"judgements: relevance must be at most a million, got {largest}")
    if isinstance(data, Mapping):  # a topic without documents is a topic too
        return {topic: found.get(topic, {}) for topic in (label_of(what, "topic", each) for each in data)}
    return found


def _grade(value: Any) -> int | None:
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, int | np.integer):
        return int(value)
    return int(value) if isinstance(value, float | np.floating) and float(value).is_integer() else None
