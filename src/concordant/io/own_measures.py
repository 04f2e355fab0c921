"""Measures that are computed here.

These are RBP, because no library that ir_measures installs computes it; interpolated precision, because
pytrec_eval rounds like trec_eval 9; and NumRel, because it is also known for topics that a run does not
answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from concordant.errors import ArgumentError

__all__ = ["is_own", "own_value", "supported_own", "unanswered"]

_PARAMETERS = {
    "RBP": {"p", "rel", "cutoff"},
    "IPrec": {"recall", "rel", "judged_only"},
    "NumRel": {"rel"},
}


def is_own(measure: Any) -> bool:
    """Say whether a measure of ir_measures is computed here."""
    return measure.NAME in _PARAMETERS


def supported_own(name: str, measure: Any) -> Any:
    """Return the measure as it is computed; `name` is what messages call it."""
    unknown = set(measure.params) - _PARAMETERS[measure.NAME]
    if unknown:
        raise ArgumentError(f"the measure {name!r} has no parameter {min(unknown)!r}")
    if measure.NAME == "IPrec":
        recall = measure.params.get("recall")
        if not isinstance(recall, int | float) or not 0 <= recall <= 1:
            raise ArgumentError(f"{name!r}: the recall must be a number from 0 to 1, as in IPrec@0.1")
    if measure.NAME != "RBP":
        return measure
    p = measure.params.get("p", 0.8)
    if not isinstance(p, int | float) or not 0 < p < 1:
        raise ArgumentError(f"{name!r}: p must be a number between 0 and 1, got {p!r}")
    # Without a relevance level it is the binary measure of the paper.
    return measure if "rel" in measure.params else measure(rel=1)


def own_value(ranking: Sequence[str], grades: Mapping[str, int], measure: Any) -> float:
    """Compute a measure of the documents that a run ranks for a topic, the best first."""
    if measure.NAME == "RBP":
        return _rbp(ranking, grades, measure)
    if measure.NAME == "IPrec":
        return _interpolated_precision(ranking, grades, measure)
    return float(_relevant(grades, measure))


def unanswered(grades: Mapping[str, int], measure: Any) -> float:
    """Return the value of a measure for a topic that a run did not answer, as in ``trec_eval -c``."""
    if measure.NAME == "NumQ":
        return 1.0
    return float(_relevant(grades, measure)) if measure.NAME == "NumRel" else 0.0


def _relevant(grades: Mapping[str, int], measure: Any) -> int:
    return sum(grade >= measure["rel"] for grade in grades.values())


def _rbp(ranking: Sequence[str], grades: Mapping[str, int], measure: Any) -> float:
    """Return (1 - p) times the sum of p^(k - 1) over the ranks k of relevant documents.

    Moffat and Zobel, "Rank-biased precision for measurement of retrieval effectiveness", TOIS 27(1), 2008.
    """
    p, level = float(measure["p"]), measure["rel"]
    seen = ranking[: measure.params.get("cutoff")]
    return (1 - p) * math.fsum(p**k for k, document in enumerate(seen) if grades.get(document, 0) >= level)


def _interpolated_precision(ranking: Sequence[str], grades: Mapping[str, int], measure: Any) -> float:
    """Return the largest precision at the c-th relevant document or below it, 0 if there is no c-th.

    c is the recall times the number of relevant documents, rounded to the nearest whole number, halves up,
    and at least 1. trec_eval 10 rounds so; version 9 added 0.9 and cut off the decimals.
    """
    level = measure["rel"]
    if measure.params.get("judged_only"):
        ranking = [document for document in ranking if grades.get(document, -1) >= 0]
    share = measure["recall"] * _relevant(grades, measure)
    first = max(math.floor(share) + (share - math.floor(share) >= 0.5), 1)
    ranks = [rank for rank, document in enumerate(ranking, 1) if grades.get(document, 0) >= level]
    return max((found / rank for found, rank in enumerate(ranks, 1) if found >= first), default=0.0)
