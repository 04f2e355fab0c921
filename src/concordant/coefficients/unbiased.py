"""The score of a pair that is tied in one list only, for which a graded-list coefficient is unbiased.

It is computed from exact expectations.
"""

from __future__ import annotations

import functools
import math
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concordant.checks import one_of
from concordant.coefficients.costs import weight_of_all
from concordant.coefficients.grade_codes import MOST_GRADES, Kind, Weight
from concordant.errors import ArgumentError, public
from concordant.typing import Floats


@public
def unbiased_a(kind: Kind, grades: int | ArrayLike, n: int | None = None, weight: Weight = "tau") -> float:
    """Return the score `a` of one-sided ties for which a graded-list coefficient has expectation 0.

    Parameters
    ----------
    kind : {"sc", "ac"}
        The way in which pairs of positions are compared, as in the names of the coefficients.
    grades : int or array_like
        The number of equally likely grades 0, 1, ...; or the share of each grade.
    n : int, optional
        The length of the lists. `ac` treats pairs at mirrored positions and pairs with the middle position
        differently, and their weight depends on the length. By default their weight is 0, as in very long
        lists. `sc` does not depend on the length.
    weight : {"tau", "ap", "h"}
        The weight of a pair: 1, 1 / (positions above the lower one), or 1/i + 1/j.

    Returns
    -------
    float
        The score `a`. The coefficients of graded lists use it by default, for equally likely grades and the
        length of the lists.

    Notes
    -----
    Both coefficients are linear in a, so that a = -E0 / E1, where E0 is the expectation of the part without
    a, and E1 that of the factor of a. For `sc` this is -q / (2 (1 - q)), where q is the probability of a tie;
    for m equally likely grades it is -1 / (2 (m - 1)). For `ac` the expectations are sums over the grades at
    four positions.

    The values that [1] found by experiment for `ac`, -0.7 for 4 grades and -0.58 for 5, are not those of
    equally likely grades. They fit the simulated data of [1], whose grades are not equally likely, and its
    treatment of mirrored pairs. The value here is for independent lists. Two orders of the same grades are
    not independent, and need another value of a.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.unbiased_a("sc", 4)
    -0.16666666666666666
    >>> round(cd.unbiased_a("ac", 4), 4), round(cd.unbiased_a("ac", 4, n=10), 4)
    (-0.0288, -0.0434)
    >>> round(cd.unbiased_a("ac", [0.48, 0.12, 0.21, 0.19]), 4)
    -0.6744
    """
    one_of("kind", kind, get_args(Kind))
    one_of("weight", weight, get_args(Weight))
    if n is not None and (not isinstance(n, int | np.integer) or n < 2):
        raise ArgumentError(f"n must be a number of positions, 2 or more, got {n!r}")
    if kind == "sc" and isinstance(grades, int | np.integer) and not isinstance(grades, bool) and grades > 1:
        return -1 / (2 * (int(grades) - 1))
    if kind == "ac" and isinstance(grades, int | np.integer) and grades > MOST_GRADES:
        raise ArgumentError(f"for ac there can be at most {MOST_GRADES} grades, got {grades}")
    shares = _shares(grades)
    if np.max(shares) == 1:
        raise ArgumentError("with one grade every pair is tied in both lists, and any a is unbiased")
    if kind == "ac" and len(shares) > MOST_GRADES:
        raise ArgumentError(f"for ac there can be at most {MOST_GRADES} grades, got {len(shares)}")
    if kind == "sc":
        q = math.fsum(shares**2)
        return -q / (2 * (1 - q))
    expectations = _expectations(tuple(shares.tolist()))
    weights = (1.0, 0.0, 0.0) if n is None else _weights(int(n), weight)
    constant, factor = (
        math.fsum(w * e[part] for w, e in zip(weights, expectations, strict=True)) for part in (0, 1)
    )
    return -constant / factor


def _shares(grades: Any) -> Floats:
    if isinstance(grades, int | np.integer) and not isinstance(grades, bool):
        if grades < 1:
            raise ArgumentError(f"grades must be a number of grades or their shares, got {grades!r}")
        return np.full(int(grades), 1 / int(grades))
    shares = np.asarray(grades)
    if shares.ndim != 1 or shares.dtype.kind not in "fiu" or not len(shares):
        raise ArgumentError(f"grades must be a number of grades or their shares, got {grades!r}")
    if not (
        np.isfinite(shares).all() and (shares >= 0).all() and math.isclose(math.fsum(shares), 1, abs_tol=1e-9)
    ):
        raise ArgumentError(f"the shares of the grades must be >= 0 and sum to 1, got {grades!r}")
    return shares / math.fsum(shares)


def _weights(n: int, weight: str) -> tuple[float, float, float]:
    """Return the total weight of the pairs of positions of each kind: generic, mirrored, with the middle."""

    def w(i: int, j: int) -> float:
        return {"tau": 1.0, "ap": 1 / (j - 1), "h": 1 / i + 1 / j}[weight]

    mirrored = math.fsum(w(i, n + 1 - i) for i in range(1, n // 2 + 1))
    middle = 0.0
    if n % 2:
        c = (n + 1) // 2
        middle = math.fsum([*(w(i, c) for i in range(1, c)), *(w(c, j) for j in range(c + 1, n + 1))])
    return weight_of_all(weight, n) - mirrored - middle, mirrored, middle


@functools.lru_cache(maxsize=64)
def _expectations(shares: tuple[float, ...]) -> tuple[tuple[float, float], ...]:
    """Return expected agreements under `ac`: of a generic pair, a mirrored pair and one with the middle.

    Each is (constant, factor of a). The grades at the two positions are p, q in x and r, s in y. The mirrored
    positions enter through the probabilities that they have the same grades.
    """
    share = np.array(shares)
    k = len(share)
    p, q, r, s = np.ix_(*[np.arange(k)] * 4)
    third = _agreement(np.sign(q - p), np.sign(s - r)) * _closeness(p + q, r + s)
    # Against y's mirrored pair (r, s).
    second = _agreement(np.sign(q - p), np.sign(r - s)) * _closeness(p + q, r + s)
    same = (p == r) & (q == s)
    probability = share[p] * share[q] * share[r] * share[s]
    # A pair is opposed to its own mirror image, unless it is tied.
    opposed = np.stack(np.broadcast_arrays(np.where(p == q, 1.0, -1.0), np.zeros((1, 1, 1, 1))))

    def differing(e_1: Any, e_2: Any, mean_second: Any) -> Any:
        """Combine the cases of two differing pairs.

        The cases: y mirrored repeats x (e_1), x mirrored repeats y (e_2), or neither.
        """
        return e_1 * opposed + e_2 * (mean_second - e_1 * opposed) + (1 - e_1) * (1 - e_2) * third

    def expectation(when_same: Any, otherwise: Any) -> tuple[float, float]:
        agreement = np.where(
            same, np.stack(np.broadcast_arrays(when_same, np.zeros((1, 1, 1, 1)))), otherwise
        )
        return tuple(math.fsum((probability * part).ravel()) for part in agreement)  # type: ignore[return-value]

    x_pair, y_pair = share[p] * share[q], share[r] * share[s]
    mean_second = (second * y_pair).sum(axis=(3, 4), keepdims=True)
    generic = expectation(1 - x_pair * (1 - x_pair), differing(x_pair, y_pair, mean_second))

    mirrored = expectation(np.ones((1, 1, 1, 1)), np.where((p == s) & (q == r), opposed, third))

    # The middle position is its own mirror image: only the grades at the other one can differ.
    to_same_middle = np.where(q == s, second * share[r], 0).sum(axis=(3, 4), keepdims=True)
    middle = expectation(
        1 - share[p] * (1 - share[p]), np.where(q == s, differing(share[p], share[r], to_same_middle), third)
    )
    return generic, mirrored, middle


def _agreement(s_x: Any, s_y: Any) -> NDArray[np.float64]:
    """Return the agreement of two signs as (constant, factor of a)."""
    one_sided = (s_x == 0) != (s_y == 0)
    return np.stack([np.where(one_sided, 0.0, np.where(s_x == s_y, 1.0, -1.0)), one_sided.astype(np.float64)])


def _closeness(sum_x: Any, sum_y: Any) -> Any:
    total = sum_x + sum_y
    return np.where(total > 0, 1 - abs(sum_x - sum_y) / np.maximum(total, 1), 1.0)


@functools.lru_cache(maxsize=4096)
def default_a(kind: Kind, n_grades: int, n: int, weight: Weight) -> float:
    """Return the unbiased a of equally likely grades; 0 where no tie can be one-sided."""
    return unbiased_a(kind, n_grades, n, weight) if n_grades > 1 and n > 1 else 0.0
