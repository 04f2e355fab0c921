"""The score of a pair that is tied in one list only, for which a graded-list coefficient is unbiased.

It is computed from exact expectations.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concordant.checks import one_of
from concordant.coefficients.costs import position_weights, weight_of_all
from concordant.errors import ArgumentError, option, public
from concordant.typing import Floats

MOST_GRADES = 32  # for ac, whose expectations are sums over four grades
Kind = Literal["sc", "ac"]
Weight = Literal["tau", "ap", "h"]


@public
def unbiased_a(
    kind: Kind,
    grades: int | ArrayLike,
    n: int | None = None,
    weight: Weight = "tau",
    *,
    other: int | ArrayLike | None = None,
    fixed: bool = False,
) -> float:
    """Return the score `a` of one-sided ties for which a graded-list coefficient has expectation 0.

    Parameters
    ----------
    kind : {"sc", "ac"}
        The way in which pairs of positions are compared, as in the names of the coefficients.
    grades : int or array_like
        The number of equally likely grades 0, 1, ...; the share of each grade; or the number of documents of
        each grade (whole numbers, two documents or more), of which the lists are random orders.
    n : int, optional
        The length of the lists. `ac` treats pairs at mirrored positions and pairs with the middle position
        differently, and their weight depends on the length. By default it is the number of documents if it
        is given; otherwise the weight of such pairs is 0, as in very long lists. `sc` does not depend on it.
    weight : {"tau", "ap", "h"}
        The weight of a pair: 1, 1 / (positions above the lower one), or 1/i + 1/j.
    other : int or array_like, optional
        The grades of the second list, in the same way; by default they are those of the first.
    fixed : bool, default False
        Whether `grades` is the first list itself, its grades in rank order, so that only the second list is
        random; for `sc`.

    Returns
    -------
    float
        The score `a`; nan if the expectation does not depend on it. The coefficients of graded lists use it
        by default, for equally likely grades and the length of the lists.

    Notes
    -----
    Both coefficients are linear in a, so that a = -E0 / E1, where E0 is the expectation of the part without
    a, and E1 that of the factor of a. For `sc` this is -q r / (q + r - 2 q r), where q and r are the
    probabilities of a tie in the two lists; for m equally likely grades it is -1 / (2 (m - 1)). If the first
    list is fixed, q is the share of the weight that its tied pairs have. For `ac` the expectations are sums
    over the grades at up to four positions of each list.

    Two orders of the same documents are not two lists of independent grades: for them, give the number of
    documents of each grade. [1] found -0.7 for 4 grades and -0.58 for 5 by experiment for `ac`. For its
    simulated data, whose grades are not equally likely, the value is -0.66.

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
    >>> round(cd.unbiased_a("ac", [24, 6, 10, 10]), 4)  # two orders of the same fifty documents
    -0.6639
    >>> round(cd.unbiased_a("sc", [2, 1, 0, 0], weight="ap", fixed=True), 4)  # against all orders of it
    -0.0769
    """
    one_of("kind", kind, get_args(Kind))
    one_of("weight", weight, get_args(Weight))
    if n is not None and (not isinstance(n, int | np.integer) or n < 2):
        raise ArgumentError(f"n must be a number of positions, 2 or more, got {n!r}")
    given = np.asarray(grades)
    if fixed and (kind != "sc" or given.ndim != 1 or len(given) < 2 or given.dtype.kind not in "fiu"):
        takes = "takes 'sc' and the grades of two positions or more"
        raise ArgumentError(f"{option('fixed')} {takes}, got {kind!r} and {grades!r}")
    x = _read(np.unique(given, return_counts=True)[1] if fixed else grades)
    y = x if other is None else _read(other)
    sizes = {int(n)} if n is not None else set()
    sizes |= {int(each.total) for each in (x, y) if each.drawn}
    if len(sizes) > 1:
        raise ArgumentError(f"the lists must be equally long, got {' and '.join(map(str, sorted(sizes)))}")
    if kind == "sc":
        q, r = _tied_share(given, weight) if fixed else x.tied(), y.tied()
        return -q * r / (q + r - 2 * q * r) if q + r - 2 * q * r > 0 else math.nan
    if (most := max(x.n_grades, y.n_grades)) > MOST_GRADES:
        raise ArgumentError(f"for ac there can be at most {MOST_GRADES} grades, got {most}")
    weights = _weights(sizes.pop(), weight) if sizes else (1.0, 0.0, 0.0)
    expectations = _expectations(x.filled(most), y.filled(most))
    constant, factor = (
        math.fsum(w * e[part] for w, e in zip(weights, expectations, strict=True)) for part in (0, 1)
    )
    return -constant / factor if factor > 0 else math.nan


class _Grades(NamedTuple):
    """How the grades of a list are distributed: shares that sum to 1, or numbers of documents."""

    amounts: tuple[float, ...]  # empty for a number of equally likely grades
    n_grades: int
    drawn: int = 0  # 1 if a document stands at one position only

    @property
    def total(self) -> float:
        return math.fsum(self.amounts)

    def tied(self) -> float:
        """Return the probability that the grades at two positions are the same."""
        if not self.amounts:
            return 1 / self.n_grades
        pairs = math.fsum(each * (each - self.drawn) for each in self.amounts)
        return pairs / (self.total * (self.total - self.drawn))

    def filled(self, n_grades: int) -> _Grades:
        """Return the same with an amount for each grade, and grades without any."""
        own = self.amounts or (1 / self.n_grades,) * self.n_grades
        return self._replace(amounts=own + (0.0,) * (n_grades - len(own)), n_grades=n_grades)

    def joint(self, places: Sequence[NDArray[np.int64]]) -> Floats:
        """Return the probability of the grades at several positions."""
        found: Any = 1.0
        amounts = np.array(self.amounts)
        for k, place in enumerate(places):
            before = sum((each == place for each in places[:k]), np.zeros(1))
            left = np.maximum(amounts[place] - self.drawn * before, 0.0)
            found = found * left / max(self.total - self.drawn * k, 1.0 if self.drawn else 0.0)
        return np.asarray(found)


def _read(grades: object) -> _Grades:
    if isinstance(grades, int | np.integer) and not isinstance(grades, bool) and grades > 0:
        return _Grades((), int(grades))
    given = np.asarray(grades)
    if given.ndim != 1 or given.dtype.kind not in "fiu" or not len(given):
        kinds = "a number of grades, their shares or their numbers of documents"
        raise ArgumentError(f"grades must be {kinds}, got {grades!r}")
    total = math.fsum(given)
    if np.isfinite(given).all() and (given >= 0).all():
        if np.issubdtype(given.dtype, np.integer) and total > 1:
            return _Grades(tuple(map(float, given)), len(given), 1)
        if math.isclose(total, 1, abs_tol=1e-9):
            return _Grades(tuple((given / total).tolist()), len(given))
    must = "must be >= 0 and sum to 1, or be whole numbers of documents"
    raise ArgumentError(f"the shares of the grades {must}, got {grades!r}")


def _tied_share(grades: NDArray[Any], weight: Weight) -> float:
    """Return the share of the weight of all pairs of positions that pairs with equal grades have."""
    i, j = np.triu_indices(len(grades), 1)
    weights = position_weights(weight, i, j)
    return math.fsum(weights[grades[i] == grades[j]]) / math.fsum(weights)


@functools.lru_cache(maxsize=4096)
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


@functools.lru_cache(maxsize=4096)
def _expectations(x: _Grades, y: _Grades) -> tuple[tuple[float, float], ...]:
    """Return expected agreements under `ac`: of a generic pair, a mirrored pair and one with the middle.

    Each is (constant, factor of a). The grades at the two positions are p, q in x and r, s in y. The mirrored
    positions enter through the probabilities of their grades, given those at the two positions.
    """
    k = x.n_grades
    p, q, r, s = np.ix_(*[np.arange(k)] * 4)
    third = _agreement(np.sign(q - p), np.sign(s - r)) * _closeness(p + q, r + s)
    # Against y's mirrored pair (r, s).
    second = _agreement(np.sign(q - p), np.sign(r - s)) * _closeness(p + q, r + s)
    same = (p == r) & (q == s)
    of_x, of_y = x.joint((p, q)), y.joint((r, s))
    # A pair is opposed to its own mirror image, unless it is tied.
    opposed = np.stack(np.broadcast_arrays(np.where(p == q, 1.0, -1.0), np.zeros((1, 1, 1, 1))))

    def given(joint: Floats, known: Floats) -> Floats:
        return np.divide(joint, known, out=np.zeros(joint.shape), where=known > 0)

    def differing(e_1: Any, e_2: Any, mean_second: Any) -> Any:
        """Combine the cases of two differing pairs.

        The cases: y mirrored repeats x (e_1), x mirrored repeats y (e_2), or neither.
        """
        return e_1 * opposed + e_2 * (mean_second - e_1 * opposed) + (1 - e_1) * (1 - e_2) * third

    def expectation(when_same: Any, otherwise: Any) -> tuple[float, float]:
        agreement = np.where(
            same, np.stack(np.broadcast_arrays(when_same, np.zeros((1, 1, 1, 1)))), otherwise
        )
        return tuple(math.fsum((of_x * of_y * part).ravel()) for part in agreement)  # type: ignore[return-value]

    # Given x's (p, q), its mirrored pair is (r, s); given y's (r, s), its mirrored pair is (p, q).
    mirror_x, mirror_y = given(x.joint((p, q, r, s)), of_x), given(y.joint((r, s, p, q)), of_y)
    mean_second = np.einsum("apqtu,turs->apqrs", second, mirror_y)
    generic = expectation(1 - mirror_y * (1 - mirror_x), differing(mirror_y, mirror_x, mean_second))

    mirrored = expectation(np.ones((1, 1, 1, 1)), np.where((p == s) & (q == r), opposed, third))

    # The middle position is its own mirror image: only the grades at the other one can differ.
    mirror_x, mirror_y = given(x.joint((p, q, r)), of_x), given(y.joint((r, s, p)), of_y)
    to_same_middle = np.einsum("apqts,tqrs->apqrs", second, np.broadcast_to(mirror_y, (k,) * 4))
    middle = expectation(
        1 - mirror_y * (1 - mirror_x),
        np.where(q == s, differing(mirror_y, mirror_x, to_same_middle), third),
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
