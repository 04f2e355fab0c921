"""Confidence intervals of means over topics."""

from __future__ import annotations

import math

import numpy as np

from concordant.inference.confidence import ConfidenceInterval
from concordant.inference.student import t_quantile
from concordant.typing import Floats

__all__ = ["intervals_of_means"]


def intervals_of_means(
    values: Floats, level: float, bounds: tuple[float, float] = (-math.inf, math.inf)
) -> list[ConfidenceInterval | None]:
    """Return mean +- t s / sqrt(n) of each column of topics x columns, within the bounds; nan is left out.

    It is None if fewer than two topics have a value, or if all values are the same, which gives no
    information about the error of the mean.
    """
    there = ~np.isnan(values)
    counts = there.sum(axis=0)
    filled = np.where(there, values, 0.0)
    means = filled.sum(axis=0) / np.maximum(counts, 1)
    squares = (np.where(there, values - means, 0.0) ** 2).sum(axis=0)
    same = np.where(there, values, np.inf).min(axis=0) == np.where(there, values, -np.inf).max(axis=0)
    quantiles = {n: t_quantile((1 + level) / 2, n - 1) for n in set(counts.tolist()) if n > 1}
    found: list[ConfidenceInterval | None] = []
    for mean, n, square, equal in zip(
        means.tolist(), counts.tolist(), squares.tolist(), same.tolist(), strict=True
    ):
        if n < 2 or equal:
            found.append(None)
            continue
        half = quantiles[n] * math.sqrt(square / (n - 1) / n)
        found.append(ConfidenceInterval(max(mean - half, bounds[0]), min(mean + half, bounds[1])))
    return found
