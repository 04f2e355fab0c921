"""The labels of the axes of scores: measures, topics and systems."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError
from concordant.typing import Floats

__all__ = ["cube_of", "labels_of", "places_of"]


def labels_of(
    kind: str, labels: Iterable[object] | None, size: int, only: str | None = None
) -> tuple[str, ...]:
    """Return the labels of an axis as text; by default numbers from 0."""
    if labels is None:
        return (only,) if only is not None and size == 1 else tuple(map(str, range(size)))
    texts = tuple(str(label) for label in labels)
    if len(texts) != size:
        raise ArgumentError(f"there are {len(texts)} {kind} and {size} in values; give one label for each")
    twice = [text for text, count in Counter(texts).items() if count > 1]
    if twice:
        raise ArgumentError(f"{kind[:-1]} {twice[0]!r} is there twice; labels must be different")
    return texts


def places_of(kind: str, own: Sequence[str], wanted: Iterable[str] | None) -> list[int]:
    """Return the places of the wanted labels on an axis; all of them by default."""
    if wanted is None:
        return list(range(len(own)))
    if isinstance(wanted, str):
        raise ArgumentTypeError(f"{kind}s must be a list of labels, got {wanted!r}")
    place = {label: i for i, label in enumerate(own)}
    chosen = [str(label) for label in wanted]
    unknown = [label for label in chosen if label not in place]
    if unknown:
        known = ", ".join(own[:8]) + (", ..." if len(own) > 8 else "")
        raise ArgumentError(f"there is no {kind} {unknown[0]!r}; there are {known}")
    return [place[label] for label in chosen]


def cube_of(rows: Iterable[tuple[str, str, str, float]]) -> tuple[Floats, list[list[str]]]:
    """Return the values of rows of measure, topic, system and value, and the labels of the three axes."""
    cells: dict[tuple[str, str, str], float] = {}
    for measure, topic, system, value in rows:
        key = measure, topic, system
        if key in cells:
            raise ArgumentError(
                f"system {system!r} has two scores for topic {topic!r} by {measure}; keep one"
            )
        cells[key] = value
    labels = [list(dict.fromkeys(part)) for part in zip(*cells, strict=True)] or [[], [], []]
    places = [{label: i for i, label in enumerate(part)} for part in labels]
    values = np.full([len(part) for part in places], math.nan)
    for (measure, topic, system), value in cells.items():
        values[places[0][measure], places[1][topic], places[2][system]] = value
    return values, labels
