"""Intervals of the ranks of systems over resamples of the topics."""

from __future__ import annotations

import math

import numpy as np

from concordant.scores.means import exact_sums, snap
from concordant.statistics.confidence import ConfidenceInterval, t_quantile
from concordant.study.pairing import Measured
from concordant.typing import Floats, Integers

N_RESAMPLES = 999
_MOST_AT_ONCE = 1 << 22


def shared_ranks(means: Floats) -> Integers:
    """Return ranks along the last axis, 1 for the largest; equal values share the best of their ranks."""
    order = np.argsort(-means, axis=-1, kind="stable")
    ordered = np.take_along_axis(means, order, axis=-1)
    place = np.broadcast_to(np.arange(1, means.shape[-1] + 1), means.shape).copy()
    place[..., 1:][ordered[..., 1:] == ordered[..., :-1]] = 0
    ranks = np.empty_like(place)
    np.put_along_axis(ranks, order, np.maximum.accumulate(place, axis=-1), axis=-1)
    return ranks


def rank_intervals(side: Measured, level: float, seed: int) -> list[ConfidenceInterval]:
    """Return the interval of the rank of each system, which holds the share `level` of the resamples."""
    n = len(side.topics)
    values = side.values
    rng = np.random.default_rng(seed)
    step = max(1, _MOST_AT_ONCE // values.shape[1])
    found = []
    for start in range(0, N_RESAMPLES, step):
        counts = rng.multinomial(n, np.full(n, 1 / n), min(step, N_RESAMPLES - start))
        found.append(shared_ranks(snap(exact_sums(counts, values) / n)))
    ranks = np.sort(np.concatenate(found), axis=0)
    tail = int(
        (1 - level) / 2 * (N_RESAMPLES + 1)
    )  # the number of resamples outside the interval on each side
    low, high = ranks[max(tail - 1, 0)], ranks[min(N_RESAMPLES - tail, N_RESAMPLES - 1)]
    return [ConfidenceInterval(float(a), float(b)) for a, b in zip(low, high, strict=True)]


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
