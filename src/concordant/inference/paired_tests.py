"""Paired tests of all pairs of systems over topics."""

from __future__ import annotations

import math

import numpy as np

from concordant.coefficients import near_one
from concordant.errors import missing_library
from concordant.inference.exchange import exchanged, exchanges
from concordant.typing import Floats

__all__ = ["paired_randomisation_tests", "paired_t_tests"]

_MOST_AT_ONCE = 1 << 22


_ROUNDING = 1e-12  # a smaller difference of means, relative to the scores, is rounding


def paired_t_tests(values: Floats) -> Floats:
    """Return the two-sided p-values of paired t-tests of all pairs of columns.

    The p-value is 1 where two means are the same.
    """
    try:
        from scipy.special import stdtr
    except ImportError:
        raise missing_library("a paired t-test", "SciPy", "stats") from None
    values = near_one(values)
    n_topics, n = values.shape
    size = np.abs(values).mean(axis=0)
    p_values = np.ones((n, n))
    for i in range(n):
        difference = values[:, [i]] - values
        mean = difference.mean(axis=0)
        spread = difference.std(axis=0, ddof=1) / math.sqrt(n_topics)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(mean / spread)
        real = np.abs(mean) > _ROUNDING * np.maximum(size[i], size)
        p_values[i] = np.where(real, 2 * stdtr(n_topics - 1, -t), 1.0)
    return p_values


def paired_randomisation_tests(values: Floats, n_resamples: int, rng: np.random.Generator) -> Floats:
    """Return the two-sided p-values of exchanging two columns on random topics, for all pairs of columns."""
    values = near_one(values)
    n_topics, n = values.shape
    first, second = np.triu_indices(n, 1)
    difference = values[:, first] - values[:, second]
    size = np.abs(values).sum(axis=0)
    observed = np.abs(difference.sum(axis=0)) - _ROUNDING * np.maximum(size[first], size[second])
    total, exact = exchanges(n_topics, n_resamples)
    extreme = np.full(len(first), 0 if exact else 1)
    step = max(1, _MOST_AT_ONCE // max(len(first), n_topics))
    for own in exchanged(n_topics, n_resamples, rng, step):
        exchange = own.rows()
        extreme += (np.abs((1.0 - 2.0 * exchange) @ difference) >= observed).sum(axis=0)
    p_values = np.ones((n, n))
    p_values[first, second] = p_values[second, first] = extreme / (total + (0 if exact else 1))
    return p_values
