"""Intervals of mean scores, and of the ranks of systems over resamples of the topics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.distributions import t_quantile
from concordant.typing import Floats, Integers


def shared_ranks(means: Floats) -> Integers:
    """Return ranks along the last axis, 1 for the largest; equal values share the best of their ranks."""
    order = np.argsort(-means, axis=-1, kind="stable")
    ordered = np.take_along_axis(means, order, axis=-1)
    place = np.broadcast_to(np.arange(1, means.shape[-1] + 1), means.shape).copy()
    place[..., 1:][ordered[..., 1:] == ordered[..., :-1]] = 0
    ranks = np.empty_like(place)
    np.put_along_axis(ranks, order, np.maximum.accumulate(place, axis=-1), axis=-1)
    return ranks


def intervals_of_means(
    values: Floats, level: float, bounds: tuple[float, float] = (-math.inf, math.inf)
) -> list[ConfidenceInterval | None]:
    """Return mean +- t s / sqrt(n) of each column of topics x columns, within the bounds; nan is left out.

    It is None if fewer than two topics have a value, or if all values are the same, which gives no
    information about the error of the mean.
    """
    there = ~np.isnan(values)
    counts = there.sum(axis=0)
    # In a unit in which no square overflows: a power of two, so that nothing else changes.
    unit = 2.0 ** min(math.frexp(float(np.abs(np.where(there, values, 0.0)).max(initial=0.0)))[1], 1023)
    values = values / unit
    means = np.where(there, values, 0.0).sum(axis=0) / np.maximum(counts, 1)
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
        low, high = (mean - half) * unit, (mean + half) * unit
        found.append(ConfidenceInterval(max(low, bounds[0]), min(high, bounds[1])))
    return found


def mean_of(values: Floats) -> float:
    """Return the mean of the values that are defined; nan if there are none."""
    there = values[~np.isnan(values)].tolist()
    return math.fsum(there) / len(there) if there else math.nan


def mean_and_ends(
    topics: Sequence[str], values: Floats, interval: ConfidenceInterval | None
) -> tuple[Any, ...]:
    """Return the mean, its interval, and the smallest and the largest value, each with its topic."""
    if np.isnan(values).all():
        return (None,) * 6
    low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
    return mean_of(values), interval, float(values[low]), topics[low], float(values[high]), topics[high]
