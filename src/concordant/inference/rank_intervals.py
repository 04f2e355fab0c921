"""Intervals of the ranks of systems over resamples of the topics."""

from __future__ import annotations

import numpy as np

from concordant.inference.confidence import ConfidenceInterval
from concordant.scores import Measured, exact_sums, snap
from concordant.typing import Floats, Integers

__all__ = ["rank_intervals", "shared_ranks"]

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
