"""The best of many cells (estimates x measures x coefficients), from one joint resample of topics.

The value of the best cell is too high on average, because the cell was chosen for its value. What holds for
all cells jointly also holds for the chosen one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from concordant.inference.confidence import ConfidenceInterval, expansion
from concordant.inference.resample import Resampled
from concordant.inference.student import normal, t_quantile
from concordant.typing import Floats

__all__ = ["best_against_others", "contest", "simultaneous_intervals"]


def _wider(n: int) -> float:
    """Return the ratio of the quantiles of Student's t and of the normal, times sqrt(n / (n - 1))."""
    return expansion(n) * t_quantile(0.975, n - 1) / normal().inv_cdf(0.975)


def _deviations(values: Floats, errors: Floats) -> Floats:
    """Return (resample - mean of resamples) / standard error, row by row; -inf where it is undefined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (values - np.nanmean(values, axis=1, keepdims=True)) / errors[:, None]
    return np.where(np.isnan(found), -np.inf, found)


def simultaneous_intervals(
    found: Resampled, cells: Sequence[int], level: float, bounds: Sequence[tuple[float, float]]
) -> list[ConfidenceInterval]:
    """Return simultaneous confidence intervals, from the largest |t| over the cells in each resample.

    None is narrower than the interval of its cell alone.
    """
    known = [k for k in cells if not math.isnan(found.observed[k]) and found.standard_error(k) > 0]
    errors = np.array([found.standard_error(k) for k in known])
    critical = 0.0
    if known:
        values = found.distribution[known]
        extremes = np.maximum(
            _deviations(values, errors).max(axis=0), _deviations(-values, errors).max(axis=0)
        )
        critical = float(np.quantile(extremes, level)) * _wider(found.n)
    one_of_all = (1 - level) / 2 / max(len(cells), 1)
    intervals = []
    for k, (lowest, highest) in zip(cells, bounds, strict=True):
        alone = found.confidence(k, "standard")
        if alone is None:
            intervals.append(ConfidenceInterval(math.nan, math.nan))
            continue
        spread = found.spread(k)
        half = max(critical * spread.error, spread._replace(error=0.0).half(one_of_all))
        value, tail = float(found.observed[k]), (1 - level) / 2
        low, high = min(value - half, alone.end(tail, -1)), max(value + half, alone.end(tail, 1))
        intervals.append(ConfidenceInterval(max(low, lowest), min(high, highest)))
    return intervals


def contest(found: Resampled, cells: Sequence[int]) -> tuple[int, list[float]]:
    """Return which cell has the highest value, and for each cell the p-value that it is the best.

    A cell is not the best if another is better by more than the largest t = difference / standard error, over
    all others, that resamples show by chance (Hsu 1981, from resamples).
    """
    pvalues = []
    for own in cells:
        others = [k for k in cells if k != own]
        t, deviations = _compared(found, own, others)
        pvalues.append(_share(deviations.max(axis=0), float(t.max())) if others else 1.0)
    return int(np.argmax(found.observed[list(cells)])), pvalues


def best_against_others(found: Resampled, cells: Sequence[int]) -> list[float]:
    """Return for each cell the p-value that the best cell is not better; nan for the best cell itself.

    It takes the maximum of t over the cells that are not yet rejected (step-down: Romano and Wolf 2005).
    """
    best = cells[int(np.argmax(found.observed[list(cells)]))]
    others = [k for k in cells if k != best]
    pvalues = dict.fromkeys(cells, math.nan)
    if others:
        t, deviations = _compared(found, best, others, better=-1)
        order = np.argsort(-t, kind="stable").tolist()
        so_far = 0.0
        for rank, k in enumerate(order):
            so_far = max(so_far, _share(deviations[order[rank:]].max(axis=0), float(t[k])))
            pvalues[others[k]] = so_far
    return list(pvalues.values())


def _compared(found: Resampled, own: int, others: Sequence[int], better: int = 1) -> tuple[Floats, Floats]:
    """Return t of the difference of each other cell and the own cell, and its deviations in resamples.

    If `better` is -1, the sign of the difference is reversed.
    """
    gaps = better * (found.distribution[others] - found.distribution[own])
    # An exchange that no resample shows may have the probability 1 / n, which limits the standard error.
    least = np.maximum(found.change[others], found.change[own]) / found.n
    errors = np.maximum(np.nanstd(gaps, axis=1, ddof=1), least)
    with np.errstate(invalid="ignore", divide="ignore"):
        t = better * (found.observed[others] - found.observed[own]) / errors
    return np.where(np.isnan(t), 0.0, t), _deviations(gaps, errors) * _wider(found.n)


def _share(draws: Floats, value: float) -> float:
    """Return the share of draws that reach the value; the value itself counts as one more draw."""
    return (int((draws >= value - 1e-12 * abs(value)).sum()) + 1) / (len(draws) + 1)
