"""Measures that are computed here, from the grades of the documents that a run ranks.

RBP, IPrec and NumRel differ from what providers of ir_measures compute. The frequent ones have the values of
pytrec_eval to the last digit, and take a fraction of its time.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from concordant.errors import ArgumentError
from concordant.typing import Floats, Integers

ABSENT = np.iinfo(np.int64).min
"""In place of the grade of a document without a judgement."""

ALWAYS_OWN = {"RBP": {"p", "rel", "cutoff"}, "IPrec": {"recall", "rel", "judged_only"}, "NumRel": {"rel"}}
"""Measures that are always computed here, and their parameters."""

_FREQUENT = {"AP": {"rel"}, "nDCG": {"cutoff"}, "P": {"cutoff", "rel"}, "RR": {"rel"}}


def is_own(measure: Any) -> bool:
    """Return whether a measure of ir_measures is computed here."""
    known = measure.params.keys() <= _FREQUENT.get(measure.NAME, set())
    usual = known and all(type(value) is int and value > 0 for value in measure.params.values())
    return measure.NAME in ALWAYS_OWN or (measure.NAME in _FREQUENT and usual)


def supported_own(name: str, measure: Any) -> Any:
    """Return a measure that is always computed here as it is; `name` is what messages call it."""
    unknown = set(measure.params) - ALWAYS_OWN[measure.NAME]
    if unknown:
        raise ArgumentError(f"the measure {name!r} has no parameter {min(unknown)!r}")
    recall, p = measure.params.get("recall"), measure.params.get("p", 0.8)
    if measure.NAME == "IPrec" and not (isinstance(recall, int | float) and 0 <= recall <= 1):
        raise ArgumentError(f"{name!r}: the recall must be a number from 0 to 1, as in IPrec@0.1")
    if measure.NAME == "RBP" and not (isinstance(p, int | float) and 0 < p < 1):
        raise ArgumentError(f"{name!r}: p must be a number between 0 and 1, got {p!r}")
    # Without a relevance level RBP is the binary measure of the paper.
    return measure(rel=1) if measure.NAME == "RBP" and "rel" not in measure.params else measure


def best_value(grades: Integers, measure: Any) -> float:
    """Return the ideal gain of a topic for nDCG, the number of relevant documents for other measures."""
    if measure.NAME == "nDCG":
        return _gain(np.sort(grades)[::-1], measure.params.get("cutoff"))
    return int(np.count_nonzero(grades >= measure["rel"]))


def own_value(found: Integers, best: float, measure: Any) -> float:
    """Compute a measure from the grade at each rank, the best first, and `best_value` of the topic."""
    match measure.NAME:
        case "AP":
            return _precision_at_each(found, measure["rel"]) / max(best, 1)
        case "nDCG":
            return _gain(found, measure.params.get("cutoff")) / best if best > 0 else 0.0
        case "P":
            n_relevant = np.count_nonzero(found[: measure["cutoff"]] >= measure["rel"])
            return float(n_relevant / measure["cutoff"])
        case "RR":
            relevant = found >= measure["rel"]
            return 1 / (int(relevant.argmax()) + 1) if relevant.any() else 0.0
        case "RBP":
            return _rbp(found, measure)
        case "IPrec":
            return _interpolated_precision(found, best, measure)
        case _:
            return best


def unanswered(grades: Mapping[str, int], measure: Any) -> float:
    """Return the value of a measure for a topic that a run did not answer, as in ``trec_eval -c``."""
    if measure.NAME == "NumQ":
        return 1.0
    return float(sum(grade >= measure["rel"] for grade in grades.values()) if measure.NAME == "NumRel" else 0)


def _sum(terms: Floats) -> float:
    """Return the sum in the order of the ranks, as trec_eval adds; the sum of NumPy has other last digits."""
    return float(np.cumsum(terms)[-1]) if len(terms) else 0.0


def _precision_at_each(found: Integers, level: int) -> float:
    """Return the sum of the precision at each relevant document."""
    ranks = np.flatnonzero(found >= level) + 1
    return _sum(np.arange(1, len(ranks) + 1) / ranks)


def _gain(found: Integers, cutoff: int | None) -> float:
    """Return the discounted cumulative gain of grades; those below 0 gain nothing."""
    gains = np.maximum(found[:cutoff], 0)
    return _sum(gains / _discounts(1 << len(gains).bit_length())[: len(gains)])


@functools.cache
def _discounts(n: int) -> Floats:
    return np.array([math.log2(rank + 1) for rank in range(1, n + 1)])  # np.log2 depends on the processor


def _rbp(found: Integers, measure: Any) -> float:
    """Return (1 - p) times the sum of p^(k - 1) over the ranks k of relevant documents.

    Moffat and Zobel, "Rank-biased precision for measurement of retrieval effectiveness", TOIS 27(1), 2008.
    """
    p, seen = float(measure["p"]), found[: measure.params.get("cutoff")]
    return (1 - p) * math.fsum(p**k for k in np.flatnonzero(seen >= measure["rel"]).tolist())


def _interpolated_precision(found: Integers, n_relevant: float, measure: Any) -> float:
    """Return the largest precision at the c-th relevant document or below it, 0 if there is no c-th.

    c is the recall times the number of relevant documents, rounded to the nearest whole number, halves up,
    and at least 1. trec_eval 10 rounds so; version 9 added 0.9 and cut off the decimals.
    """
    level = measure["rel"]
    if measure.params.get("judged_only"):
        found = found[found >= 0]
    share = measure["recall"] * n_relevant
    first = max(math.floor(share) + (share - math.floor(share) >= 0.5), 1)
    ranks = np.flatnonzero(found >= level) + 1
    precision = np.arange(1, len(ranks) + 1) / ranks
    return float(precision[first - 1 :].max(initial=0.0))
