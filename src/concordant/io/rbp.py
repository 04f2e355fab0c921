"""Rank-biased precision, which no library that ir_measures installs computes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from concordant.errors import ArgumentError

__all__ = ["is_rbp", "rbp", "supported_rbp"]


def is_rbp(measure: Any) -> bool:
    """Say whether a measure of ir_measures is rank-biased precision."""
    return bool(measure.NAME == "RBP")


def supported_rbp(name: str, measure: Any) -> Any:
    """Return the measure with a relevance level: 1 by default, the binary measure of the paper."""
    unknown = set(measure.params) - {"p", "rel", "cutoff"}
    if unknown:
        raise ArgumentError(f"the measure {name!r} has no parameter {min(unknown)!r}")
    p = measure.params.get("p", 0.8)
    if not isinstance(p, int | float) or not 0 < p < 1:
        raise ArgumentError(f"{name!r}: p must be a number between 0 and 1, got {p!r}")
    return measure if "rel" in measure.params else measure(rel=1)


def rbp(documents: Iterable[str], grades: Mapping[str, int], measure: Any) -> float:
    """Return (1 - p) times the sum of p^(k - 1) over the ranks k of relevant documents.

    Moffat and Zobel, "Rank-biased precision for measurement of retrieval effectiveness", TOIS 27(1), 2008.
    """
    p, level = float(measure["p"]), measure["rel"]
    deepest = measure.params.get("cutoff", math.inf)
    relevant = (
        p**k for k, document in enumerate(documents) if k < deepest and grades.get(document, 0) >= level
    )
    return (1 - p) * math.fsum(relevant)
