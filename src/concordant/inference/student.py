"""Student's t: quantiles and probabilities, without SciPy."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING

import numpy as np

from concordant.typing import Floats

if TYPE_CHECKING:
    from statistics import NormalDist

__all__ = ["normal", "t_below", "t_quantile"]


@functools.cache
def normal() -> NormalDist:
    """Return the standard normal distribution; its module takes a while to load."""
    from statistics import NormalDist

    return NormalDist()


def t_quantile(probability: float, freedom: int) -> float:
    """Return the quantile of Student's t."""
    if probability < 0.5:
        return -t_quantile(1 - probability, freedom)
    # For many degrees of freedom the expansion around the normal (Abramowitz and Stegun 26.7.5) is precise.
    if freedom > 40:
        z = normal().inv_cdf(probability)
        terms = (
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
            (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
        )
        return z + math.fsum(term / freedom**k for k, term in enumerate(terms, 1))
    low, high = 0.0, math.pi / 2  # of the angle whose tangent is t / sqrt(freedom)
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if _t_within(angle, freedom) < 2 * probability - 1 else (low, angle)
    return math.sqrt(freedom) * math.tan(low)


def _t_within(angle: float, freedom: int) -> float:
    """Return the probability of |t| <= sqrt(freedom) tan(angle) (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    sine, cosine, odd = math.sin(angle), math.cos(angle), freedom % 2
    term, total = cosine if odd else 1.0, 0.0
    for k in range(odd, freedom - 1, 2):
        total += term
        term *= cosine * cosine * (k + 1) / (k + 2)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def t_below(t: Floats, freedom: int) -> Floats:
    """Return the probabilities of values below t, by the same series; absolute errors are below 1e-13."""
    with np.errstate(invalid="ignore"):
        angle = np.arctan(t / math.sqrt(freedom))
    sine, cosine, odd = np.sin(angle), np.cos(angle), freedom % 2
    square = cosine * cosine
    term = cosine.copy() if odd else np.ones_like(cosine)
    total = np.zeros_like(cosine)
    for k in range(odd, freedom - 1, 2):
        total += term
        term *= square * ((k + 1) / (k + 2))
    within = 2 / math.pi * (angle + sine * total) if odd else sine * total  # with the sign of t
    return np.clip((1 + within) / 2, 0.0, 1.0)
