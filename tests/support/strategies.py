"""Rankings for the tests: with no, few and many ties, and thresholds where they matter."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st

TIES = {
    "none": lambda rng, n: rng.permutation(n) / 8 + rng.random(n) / 16,
    "few": lambda rng, n: rng.integers(0, max(2 * n, 1), n) / 10,  # tenths are not exact in binary
    "many": lambda rng, n: rng.integers(0, 4, n) / 10,
}


def random_pair(seed: int, n: int, ties: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([seed, n])
    return TIES[ties](rng, n), TIES[ties](rng, n)


def thresholds_near(values, rng) -> list[float]:
    """Nothing; a difference of two values, just below it and just above it; more than all differences."""
    if len(values) < 2:
        return [0.0, 0.5]
    i, j = rng.choice(len(values), 2, replace=False)
    gap = abs(float(values[i]) - float(values[j]))
    return [0.0, gap, gap * (1 - 1e-9), gap * (1 + 1e-9), math.nextafter(gap, 0), float(np.ptp(values))]


def scores(size: int):
    """Scores in tenths: every number of ties, and differences that round. Bytes are drawn fast."""
    return st.binary(min_size=size, max_size=size).map(lambda drawn: [(byte % 19 - 6) / 10 for byte in drawn])


def permuted(size: int):
    """The numbers below a size in any order."""
    return st.binary(min_size=size, max_size=size).map(
        lambda drawn: sorted(range(size), key=drawn.__getitem__)
    )


@st.composite
def tied_pairs(draw, min_size=0, max_size=25):
    n = draw(st.integers(min_size, max_size))
    return draw(scores(n)), draw(scores(n))


@st.composite
def untied_pairs(draw, min_size=2, max_size=25):
    n = draw(st.integers(min_size, max_size))
    return tuple([k / 4 for k in draw(permuted(n))] for _ in range(2))


@st.composite
def pairs_with_thresholds(draw, min_size=0, max_size=20):
    x, y = draw(tied_pairs(min_size, max_size))
    near = st.one_of(
        st.just(0.0),
        st.integers(1, 15).map(lambda k: k / 10),  # a difference of tenths, up to rounding
        st.integers(1, 15).map(lambda k: k / 10 - 1e-9),
        st.integers(1, 15).map(lambda k: k / 10 + 1e-9),
    )
    return x, y, (draw(near), draw(near))
