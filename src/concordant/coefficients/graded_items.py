"""Two rankings of items with grades: the weight of a pair grows with the distance of its grades."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from concordant.checks import check_nan_policy, n_workers
from concordant.coefficients.costs import CostFunctions, over_all_pairs, position_weights
from concordant.coefficients.declaration import Weights
from concordant.coefficients.engine import NEVER, SAME_GRADE, Statistic, count, ratio, refusal_of_ties
from concordant.coefficients.grade_codes import EVERY, Weight, grades_of, missing_in, numbered, of_rows
from concordant.coefficients.registration import Function, register
from concordant.errors import ArgumentError, TiesError, calling
from concordant.rankings.compiled import core
from concordant.rankings.coordinates import refuse_other_coordinates
from concordant.rankings.pairs import Pairs, Rows, read_pairs, screen
from concordant.typing import Floats, Integers, NanPolicy, RankingLike, Value

__all__ = ["tau_ap_dw", "tau_dw", "tau_h_dw"]


def _compare(
    name: str, weight: Weight, x: Any, y: Any, grades: Any, axis: int, nan_policy: NanPolicy, workers: int
) -> Value:
    with calling(name):
        check_nan_policy(nan_policy)
        threads = n_workers(workers)
        pairs = read_pairs(x, y, axis)
        screen(pairs, "raise" if nan_policy == "raise" else "propagate")
        refuse_other_coordinates(x, grades, axis, ("x", "grades"))
        rows = grades_of(pairs, grades, axis, nan_policy)
        n = pairs.n_items
        try:
            shape = np.broadcast_shapes(pairs.shape, rows.shape[:-1])
        except ValueError:
            ranked = f"rankings of shape {(*pairs.shape, n)}"
            raise ArgumentError(f"grades of shape {rows.shape} do not broadcast to {ranked}") from None
        row_x, row_y = pairs.pair_x, pairs.pair_y
        if shape != pairs.shape:
            each = np.broadcast_to(np.arange(len(pairs)).reshape(pairs.shape), shape).ravel()
            row_x, row_y = row_x[each], row_y[each]
        rows = np.broadcast_to(rows, (*shape, n)).reshape(math.prod(shape), n)
        full_x, full_y = (
            side.values.reshape(len(side), n)[row] for side, row in ((pairs.x, row_x), (pairs.y, row_y))
        )
        missing = missing_in(full_x, full_y, rows)

        def compute(which: Any, kept: Any) -> Floats:
            part = [side[which][:, kept] for side in (full_x, full_y, rows)]
            found = np.zeros((len(part[0]), 6))
            values, (numbers,) = numbered(part[2])
            flat_x, flat_y = (np.ascontiguousarray(side).ravel() for side in part[:2])
            if not core.graded_items(flat_x, flat_y, numbers, values, threads, found):
                named = Pairs(pairs.x, pairs.y, row_x, row_y, shape)
                plain = Pairs.one_to_one(*map(Rows.equal, part[:2]))
                _refuse_ties(name, named if kept is EVERY else plain)
            at = {"tau": 0, "ap": 2, "h": 4}[weight]
            ratios: Floats = ratio(found[:, at], found[:, at + 1])
            return ratios

        return of_rows(name, compute, n, missing, nan_policy, SAME_GRADE, shape)


def _refuse_ties(name: str, pairs: Pairs) -> None:
    statistic = Statistic(name, lambda n: n, NEVER, "a coefficient of scores that accepts ties")
    pairs, missing = screen(pairs, "propagate")
    found = count(pairs, [(statistic, (0.0, 0.0))], 1)[0.0, 0.0]
    raise TiesError(refusal_of_ties(statistic, pairs, found, missing))


def _costs(x: Floats, y: Floats, grades: Floats, *, weight: Weight) -> list[CostFunctions]:
    """Return the costs of pairs of items (Vezzuto, eq. 3).

    The weight of a pair is the distance of its grades times that of its places.
    """
    place_x, place_y = (np.argsort(np.argsort(-v)) for v in (x, y))

    def weights(i: Integers, j: Integers) -> Floats:
        one, other = grades[i], grades[j]
        top = np.maximum(one, other)
        distance = np.abs(one - other) / np.where(top > 0, top, 1.0)
        of_places = position_weights(weight, place_y[i], place_y[j])
        if weight == "h":
            of_places = (of_places + position_weights(weight, place_x[i], place_x[j])) / 2
        return of_places * distance

    total = math.fsum(over_all_pairs(weights, len(x)).tolist()) / 2

    def pair_costs(i: Integers, j: Integers) -> Floats:
        opposed = (place_x[i] < place_x[j]) != (place_y[i] < place_y[j])
        return np.where(opposed, 2 * weights(i, j) / total, 0.0)

    return [CostFunctions(lambda: over_all_pairs(pair_costs, len(x)), pair_costs)]


_FORMULA = r"""
$$SYMBOL = \frac{\sum_{i<j} WEIGHTd_{ij} \, s^x_{ij} s^y_{ij}}{\sum_{i<j} WEIGHTd_{ij}}, \qquad
d_{ij} = \frac{|g_i - g_j|}{\max(g_i, g_j)}MORE$$

$s^x_{ij}$ is the sign of $x_i - x_j$, $s^y_{ij}$ that of $y_i - y_j$. $g_i$ is the grade of item i;
$d_{ij}$ is 0 if both grades are 0."""
_AP = r", \qquad w_{ij} = \frac{1}{\max(r_i, r_j) - 1}"
_HYPERBOLIC = r""", \qquad
w_{ij} = \frac12 \left( \frac{1}{r^x_i} + \frac{1}{r^x_j} + \frac{1}{r^y_i} + \frac{1}{r^y_j} \right)"""
_RANKS = "$r^x_i$ and $r^y_i$ are the ranks of item i in x and in y, the best is 1."
# How pairs are weighted beside their grades: the prefix of the symbol, the weights, their formula, its words.
_WEIGHTS: dict[Weight, tuple[str, Weights, str, str]] = {
    "tau": ("", "equal", "", ""),
    "ap": ("ap,", "ap", _AP, "$r_i$ is the rank of item i in y, the best is 1."),
    "h": ("h,", "hyperbolic", _HYPERBOLIC, _RANKS),
}


def _declare(weight: Weight) -> Callable[[Function], Function]:
    prefix, weights, more, words = _WEIGHTS[weight]
    symbol = rf"\tau_{{{prefix}dw}}"
    formula = _FORMULA.replace("SYMBOL", symbol).replace("WEIGHT", r"w_{ij} \, " if more else "")
    top = ", above all at the top" if more else ""
    return register(
        symbol=symbol,
        cite="vezzuto",
        question=f"do two rankings order documents of different grades the same way{top}?",
        formula=f"{formula.replace('MORE', more)} {words}".rstrip(),
        symmetric=weight != "ap",
        top_weighted=weight != "tau",
        weights=weights,
        ties="error",
        inputs="graded_items",
        costs=functools.partial(_costs, weight=weight),
    )


@_declare("tau")
def tau_dw(
    x: RankingLike,
    y: RankingLike,
    grades: RankingLike,
    *,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Kendall's tau with pairs weighted by the distance of their grades. Ties are an error.

    Notes
    -----
    The distance of two grades is ``|g - h| / max(g, h)``, 0 for equal grades.
    The weight of a pair is the distance of its grades.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 3.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_dw([4, 3, 2, 1], [4, 1, 2, 3], [2, 2, 0, 1]), 4)
    -0.25
    """
    return _compare("tau_dw", "tau", x, y, grades, axis, nan_policy, workers)


@_declare("ap")
def tau_ap_dw(
    x: RankingLike,
    y: RankingLike,
    grades: RankingLike,
    *,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """AP correlation with pairs weighted by the distance of their grades. Ties are an error.

    Notes
    -----
    The distance of two grades is ``|g - h| / max(g, h)``, 0 for equal grades.
    The weight of a pair is the distance of its grades / (items above the lower one in y).

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 3.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_ap_dw([4, 3, 2, 1], [4, 1, 2, 3], [2, 2, 0, 1]), 4)
    0.0
    """
    return _compare("tau_ap_dw", "ap", x, y, grades, axis, nan_policy, workers)


@_declare("h")
def tau_h_dw(
    x: RankingLike,
    y: RankingLike,
    grades: RankingLike,
    *,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Value:
    """Hyperbolic tau with pairs weighted by the distance of their grades. Ties are an error.

    Notes
    -----
    The distance of two grades is ``|g - h| / max(g, h)``, 0 for equal grades.
    The weight of a pair is the distance of its grades times 1/rank_i + 1/rank_j,
    where the second factor is the mean over both rankings.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, eq. 3.

    Examples
    --------
    >>> import concordant as cd
    >>> round(cd.tau_h_dw([4, 3, 2, 1], [4, 1, 2, 3], [2, 2, 0, 1]), 4)
    0.0601
    """
    return _compare("tau_h_dw", "h", x, y, grades, axis, nan_policy, workers)
