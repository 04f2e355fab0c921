"""The smallest and the largest value of a coefficient over all ways of breaking ties."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from concordant.checks import check_nan_policy, n_workers
from concordant.coefficients.declaration import REGISTRY, Coefficient, CoefficientLike, read_coefficient
from concordant.coefficients.engine import Outcome, run, shaped
from concordant.errors import ArgumentError, option, public
from concordant.rankings.pairs import Pairs, read_pairs, screen
from concordant.results.note import Note
from concordant.results.result import Result
from concordant.typing import NanPolicy, RankingLike, Value


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class TieRange(Result[Any]):
    """The smallest and the largest value over all ways of breaking ties: numbers, or arrays for batches.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    low : float or numpy.ndarray
        The smallest value.
    high : float or numpy.ndarray
        The largest value.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.tie_range([4, 3, 2, 1], [3, 2, 2, 1]).to_frame().columns.tolist()
    ['coefficient', 'low', 'high']
    """

    function: ClassVar[str] = "tie_range"

    coefficient: Coefficient
    low: Value
    high: Value


@public
def tie_range(
    x: RankingLike,
    y: RankingLike,
    coefficient: CoefficientLike = "tau",
    *,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> TieRange:
    """Return the smallest and largest value of a coefficient over all ways of breaking the ties of x and y.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        The reference scores and the estimated scores of the same items; larger is better. Labelled input is
        aligned by label.
    coefficient : str, Coefficient or callable, default "tau"
        Kendall's tau or AP correlation. The name of a form with ties, such as "tau_b", means the same
        coefficient without ties; "tau_ap_b" means the mean of both directions of AP correlation.
    axis : int, default -1
        The axis of the items; the other axes are broadcast.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: return nan, raise an error that says where, or leave the item out.
    workers : int, default 1
        The number of threads for batches; -1 means all cores.

    Returns
    -------
    TieRange
        ``low`` and ``high``. Without ties both are the value of the coefficient.

    Notes
    -----
    If C of N pairs are concordant and D are discordant, tau is at least (2 C - N) / N and at most
    (N - 2 D) / N. AP correlation is largest if the ties of x are broken in the order of y, the ties of y in
    the order of x, and items tied in both rankings in the same order. It is smallest if ties are broken in
    the opposite orders. Both take O(n log n) time. Items with equal scores are tied; a threshold is refused,
    because ties within a threshold are not transitive. For "name@k" the first k items of x, and those tied
    with the k-th, are compared.

    Examples
    --------
    >>> import concordant as cd
    >>> found = cd.tie_range([4, 3, 2, 1], [3, 2, 2, 1])
    >>> round(found.low, 4), round(found.high, 4)
    (0.6667, 1.0)
    >>> round(cd.tau_b([4, 3, 2, 1], [3, 2, 2, 1]), 4)
    0.9129
    """
    c = read_coefficient(coefficient)
    if c.threshold != (0.0, 0.0):
        advice = f"use {c.name} without one"
        raise ArgumentError(f"ties within a threshold are not transitive and cannot be broken; {advice}")
    if _untied(c) is None:
        known = ", ".join(repr(name) for name, each in REGISTRY.items() if _untied(each) is not None)
        must = f"{option('coefficient')} must be one of {known}"
        raise ArgumentError(f"{must}, got {str(c)!r}, whose range is not known")
    check_nan_policy(nan_policy)
    threads = n_workers(workers)
    pairs = read_pairs(x, y, axis, threads)
    low, high = _ranges([c], pairs, nan_policy, threads)[0]
    high.report(str(c))
    shape = pairs.shape
    return TieRange(coefficient=c, low=shaped(low.values, shape), high=shaped(high.values, shape))


def tie_range_notes(
    coefficients: Sequence[Coefficient],
    values: Sequence[float],
    x: RankingLike,
    y: RankingLike,
    subject: str = "",
) -> list[Note]:
    """Return notes with the range of each coefficient over all ways of breaking the ties.

    There is no note for a coefficient whose range is not known, or if there are no ties.
    """
    pairs = read_pairs(x, y)
    if all(len(np.unique(side)) == len(side) for side in (pairs.x[0], pairs.y[0])):
        return []
    asked = [(c, value) for c, value in zip(coefficients, values, strict=True) if _untied(c) is not None]
    ranges = _ranges([c for c, _ in asked], pairs, "raise", 1) if asked else []
    notes = []
    for (c, value), (low, high) in zip(asked, ranges, strict=True):
        told = {"value": float(value), "low": float(low.values[0]), "high": float(high.values[0])}
        if not math.isnan(value) and told["low"] < told["high"]:
            ends = f"between {told['low']:.3f} and {told['high']:.3f} depending on how ties are broken"
            text, about = f"{c} is {value:.3f}, {ends}", {"coefficient": str(c), **told}
            notes.append(Note("tie_range", text=text, values=about, subject=subject))
    return notes


def _untied(c: Coefficient) -> Any:
    """Return the ends over all ways of breaking ties; None if they are not known."""
    statistic = c.bound_statistic()
    return None if statistic is None or c.threshold != (0.0, 0.0) else statistic.untied


def _ranges(
    coefficients: Sequence[Coefficient], pairs: Pairs, nan_policy: NanPolicy, threads: int
) -> list[tuple[Outcome, Outcome]]:
    """Return the smallest and the largest values of coefficients that have a range."""
    pairs, missing = screen(pairs, nan_policy, threads)
    found: dict[Coefficient, tuple[Outcome, Outcome]] = {}
    for top in dict.fromkeys(c.top for c in coefficients):
        own = [(c, _untied(c)) for c in coefficients if c.top == top]
        ends = [end for _, untied in own if untied is not None for end in (untied.low, untied.high)]
        part = pairs if top is None else pairs.top(top)
        outcomes = run(part, missing, [(end, (0.0, 0.0)) for end in ends], threads)
        found.update(zip((c for c, _ in own), zip(outcomes[::2], outcomes[1::2], strict=True), strict=True))
    return [found[c] for c in coefficients]
