"""Labels of items: reading them, and bringing two lists of them into one order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from concordant.errors import ArgumentError
from concordant.typing import Integers

__all__ = ["is_missing", "label_text", "labels_of", "order_by_label", "place"]


def place(index: Sequence[int]) -> str:
    """Say where in an array something stands."""
    return f"position {index[0]}" if len(index) == 1 else f"index ({', '.join(map(str, index))})"


def labels_of(value: Any) -> list[Hashable] | None:
    """Return the labels of a mapping or Series, None for what has none."""
    if isinstance(value, Mapping):
        return list(value)
    index: Any = getattr(value, "index", None)
    return index.tolist() if hasattr(value, "to_numpy") and hasattr(index, "tolist") else None


def is_missing(label: Any) -> bool:
    """Tell None, nan, and pandas' NA and NaT from labels."""
    if isinstance(label, float):
        return math.isnan(label)
    return label is None or type(label).__name__ in ("NAType", "NaTType")


def label_text(label: object) -> str:
    """Return a label that is not missing as text; 401.0 is how pandas shows 401 beside missing labels."""
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def _first_few(labels: Iterable[Hashable]) -> str:
    listed = list(labels)
    shown = ", ".join(repr(label) for label in listed[:3])
    return shown + (f", ... ({len(listed)} in all)" if len(listed) > 3 else "") if listed else "none"


def order_by_label(
    labels: Sequence[Hashable], other: Sequence[Hashable], names: tuple[str, str] = ("x", "y")
) -> Integers | None:
    """Return where each label stands in the other list, or None if the lists are the same."""
    if labels == other:
        return None
    for one in (labels, other):
        double = next((label for label, times in Counter(one).items() if times > 1), None)
        if double is not None:
            raise ArgumentError(
                f"the label {double!r} stands for two items; labels must be unique, or the same in "
                f"{' and '.join(names)}"
            )
    places = {label: k for k, label in enumerate(other)}
    if len(labels) != len(other) or not all(label in places for label in labels):
        known = set(labels)
        first, second = names
        raise ArgumentError(
            f"{first} and {second} must rank the same items; only in {first}: "
            f"{_first_few(label for label in labels if label not in places)}; only in {second}: "
            f"{_first_few(label for label in other if label not in known)}"
        )
    return np.array([places[label] for label in labels], dtype=np.int64)
