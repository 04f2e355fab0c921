"""Distribution functions and quantiles of the normal, Student's t, F, gamma and beta distributions."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from concordant.typing import Floats

if TYPE_CHECKING:
    from statistics import NormalDist

LEAST = 2.0**-53  # the smallest probability that differs from 0 if it is subtracted from 1
_ENOUGH = 1e-16  # a further term, relative to the sum


@functools.cache
def normal() -> NormalDist:
    """Return the standard normal distribution; its module takes a while to load."""
    from statistics import NormalDist

    return NormalDist()


@functools.lru_cache(maxsize=1024, typed=True)  # an end of an interval asks twice for the same one
def t_quantile(probability: float, freedom: float) -> float:
    """Return the quantile of Student's t."""
    if probability < 0.5:
        return -t_quantile(1 - max(probability, LEAST), freedom)
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
        if isinstance(freedom, int):
            within = _t_within(angle, freedom)
        else:
            within = 2 * float(t_below(np.array([math.sqrt(freedom) * math.tan(angle)]), freedom)[0]) - 1
        low, high = (angle, high) if within < 2 * probability - 1 else (low, angle)
    return math.sqrt(freedom) * math.tan(low)


def _t_within(angle: float, freedom: int) -> float:
    """Return the probability of |t| <= sqrt(freedom) tan(angle) (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    sine, cosine, odd = math.sin(angle), math.cos(angle), freedom % 2
    term, total = cosine if odd else 1.0, 0.0
    for k in range(odd, freedom - 1, 2):
        total += term
        term *= cosine * cosine * (k + 1) / (k + 2)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def t_below(t: Floats, freedom: float) -> Floats:
    """Return the probabilities of values below t; also small ones are precise."""
    if t.size > AT_ONCE:
        flat = t.reshape(-1)
        parts = [t_below(flat[start : start + AT_ONCE], freedom) for start in range(0, t.size, AT_ONCE)]
        return np.concatenate(parts).reshape(t.shape)
    square = t * t
    far = square > _FAR
    below = np.empty(t.shape)
    near = t[~far]
    below[~far] = (
        _t_below_near(near, freedom) if isinstance(freedom, int) else _t_below_near_real(near, freedom)
    )
    # The tail is half of the incomplete beta function with a = freedom / 2 and b = 1 / 2.
    with np.errstate(invalid="ignore"):
        odds = square[far] / freedom
        x = 1 / (1 + odds)
        a = freedom / 2
        logarithm = math.lgamma(a + 0.5) - math.lgamma(a) - math.lgamma(0.5)
        front = np.exp(logarithm - (a + 0.5) * np.log1p(odds) + 0.5 * np.log(odds)) / a
        front[np.isinf(odds)] = 0.0
    tail = front * _beta_fraction(a, 0.5, x) / 2
    below[far] = np.where(t[far] < 0, tail, 1 - tail)
    return below


_FAR = 4.0  # of t * t: the fraction converges fast from 3 on


def _t_below_near(t: Floats, freedom: int) -> Floats:
    """Return the probabilities of values below t by the series of `_t_within`; absolute errors are 1e-15."""
    angle = np.arctan(t / math.sqrt(freedom))
    sine, cosine, odd = np.sin(angle), np.cos(angle), freedom % 2
    square = cosine * cosine
    term = cosine.copy() if odd else np.ones_like(cosine)
    total = np.zeros_like(cosine)
    for k in range(odd, freedom - 1, 2):
        total += term
        term *= square * ((k + 1) / (k + 2))
    within = 2 / math.pi * (angle + sine * total) if odd else sine * total  # with the sign of t
    return np.asarray((1 + within) / 2)


def _t_below_near_real(t: Floats, freedom: float) -> Floats:
    """Return the same for any degrees of freedom, by the incomplete beta function with a = 1 / 2."""
    b, x = freedom / 2, t * t / (freedom + t * t)
    logarithm = math.lgamma(b + 0.5) - math.lgamma(b) - math.lgamma(0.5)
    front = 2 * np.exp(logarithm + b * np.log1p(-x)) * np.sqrt(x)
    return np.asarray((1 + np.sign(t) * front * _beta_fraction(0.5, b, x)) / 2)


_CELLS = 1024
AT_ONCE = 1 << 14  # fits in the cache of a processor


@functools.lru_cache(maxsize=16)
def t_cubic(freedom: int) -> Floats:
    """Return P(|T| < t) by cubic polynomials of t / (t + 2): powers, the highest first, x equal cells.

    The density gives the slopes; absolute errors are below 1e-11.
    """
    u = np.arange(_CELLS) / _CELLS
    t = 2 * u / (1 - u)
    values = np.append(1 - 2 * t_below(-t, freedom), 1.0)
    logarithm = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(freedom * math.pi) / 2
    density = 2 * np.exp(logarithm - (freedom + 1) / 2 * np.log1p(t * t / freedom))
    limit = 1 / math.pi if freedom == 1 else 0.0
    slopes = np.append(density * (t + 2) ** 2 / 2, limit) / _CELLS
    rise = np.diff(values)
    second, third = 3 * rise - 2 * slopes[:-1] - slopes[1:], slopes[:-1] + slopes[1:] - 2 * rise
    return np.array([*(np.append(each, 0.0) for each in (third, second, slopes[:-1])), values])


def t_table(freedom: int) -> Callable[[Floats], Floats]:
    """Return the function P(|T| < t) of t >= 0, for large arrays."""
    highest, *others = t_cubic(freedom)

    def within(t: Floats) -> Floats:
        found, flat = np.empty(t.size), t.reshape(-1)
        for start in range(0, t.size, AT_ONCE):
            u = flat[start : start + AT_ONCE] + 2
            np.divide(-2 * _CELLS, u, out=u)
            u += _CELLS
            cell = u.astype(np.int64)
            u -= cell
            cubic = found[start : start + AT_ONCE]
            highest.take(cell, out=cubic, mode="clip")
            for term in others:
                cubic *= u
                cubic += term.take(cell, mode="clip")
        return found.reshape(t.shape)

    return within


def gamma_below(shape: float, value: float) -> float:
    """Return the regularised lower incomplete gamma function."""
    if value <= 0:
        return 0.0
    if math.isinf(value):
        return 1.0
    density = math.exp(shape * math.log(value) - value - math.lgamma(shape + 1))
    if value < shape + 1:
        return density * _gamma_series(shape, value)
    return 1.0 - density * shape * _gamma_fraction(shape, value)


def _gamma_series(shape: float, value: float) -> float:
    """Return the sum of value^k / ((shape + 1) ... (shape + k)) (Abramowitz and Stegun 6.5.29)."""
    term = total = 1.0
    k = shape
    while term > _ENOUGH * total:
        k += 1
        term *= value / k
        total += term
    return total


def _gamma_fraction(shape: float, value: float) -> float:
    """Return the continued fraction of the upper function (Abramowitz and Stegun 6.5.31, Lentz's method)."""
    b = value + 1 - shape
    c, d = 1e300, 1 / b
    total = d
    for k in range(1, 100_000):
        a, b = -k * (k - shape), b + 2
        d, c = 1 / (a * d + b), b + a / c
        total *= c * d
        if abs(c * d - 1) < _ENOUGH * 2:
            break
    return total


def gamma_cut_mean(shape: float, rate: float) -> float:
    """Return the mean of a gamma distribution that is cut to (0, 1)."""
    if rate < shape + 2:
        return shape / (shape + 1) * _gamma_series(shape + 1, rate) / _gamma_series(shape, rate)
    if math.isinf(rate):
        return 0.0
    density = math.exp(shape * math.log(rate) - rate - math.lgamma(shape + 1))
    return shape / rate * (1 - density / gamma_below(shape, rate))


def gamma_cut_quantile(shape: float, rate: float, probability: float) -> float:
    """Return a quantile of a gamma distribution that is cut to (0, 1)."""
    if math.isinf(rate):
        return 0.0
    if rate <= 0:
        return float(probability ** (1 / shape))
    wanted = probability * gamma_below(shape, rate)
    return bisected(lambda value: gamma_below(shape, rate * value) < wanted)


def beta_below(a: float, b: float, value: float) -> float:
    """Return the regularised incomplete beta function (Abramowitz and Stegun 26.5.8, Lentz's method)."""
    if value <= 0 or value >= 1:
        return float(value > 0)
    if value > (a + 1) / (a + b + 2):
        return 1.0 - beta_below(b, a, 1 - value)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(logarithm + a * math.log(value) + b * math.log1p(-value)) / a
    return front * float(_beta_fraction(a, b, np.array(value)))


def _beta_fraction(a: float, b: float, value: Floats) -> Floats:
    """Return the continued fraction of the incomplete beta function (Lentz's method)."""
    c, d = np.ones_like(value), 1 / (1 - (a + b) * value / (a + 1))
    total = d
    for k in range(1, 100_000):
        even = k * (b - k) / ((a + 2 * k - 1) * (a + 2 * k))
        odd = -(a + k) * (a + b + k) / ((a + 2 * k) * (a + 2 * k + 1))
        for factor in (even, odd):
            term = factor * value
            d, c = 1 / (1 + term * d), 1 + term / c
            change = c * d
            total = total * change
        if (np.abs(change - 1) < 10 * _ENOUGH).all():
            break
    return total


def beta_quantile(a: float, b: float, probability: float) -> float:
    """Return a quantile of the beta distribution."""
    return bisected(lambda value: beta_below(a, b, value) < probability)


def f_above(value: float, freedom: float, other_freedom: float) -> float:
    """Return the probability that F with these degrees of freedom is larger than a value."""
    if math.isinf(value):
        return 0.0
    return beta_below(other_freedom / 2, freedom / 2, other_freedom / (other_freedom + freedom * value))


def bisected(is_below: Callable[[float], bool], steps: int = 60) -> float:
    """Return the place in (0, 1) at which a condition stops to hold; 60 steps are as precise as a double."""
    low, high = 0.0, 1.0
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return (low + high) / 2


def crossing(rising: Callable[[float], float], at_0: float, at_1: float, steps: int) -> float:
    """Return what `bisected` returns for ``rising(value) < 0``, in fewer steps: by false position.

    `at_0` and `at_1` are about the values at 0 and 1. That of the end that stays is halved (Illinois).
    """
    whole = 1 << steps
    low, high, last = 0, whole, 0
    for step in range(2 * steps):
        if high - low == 1:
            break
        place = (low + high) // 2
        if step < steps and at_0 < 0 < at_1:
            place = min(max(low + round((high - low) * (at_0 / (at_0 - at_1))), low + 1), high - 1)
        found = rising(place / whole)
        below = found < 0
        if below:
            low, at_0, at_1 = place, found, at_1 / 2 if last == 1 else at_1
        else:
            high, at_1, at_0 = place, found, at_0 / 2 if last == -1 else at_0
        last = 1 if below else -1
    return (low + high) / 2 / whole
