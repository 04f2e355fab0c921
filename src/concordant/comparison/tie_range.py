"""What ties can change: the smallest and largest value of a coefficient over all ways of breaking them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from concordant.coefficients import REGISTRY, Coefficient, CoefficientLike, Outcome, get, run, shaped
from concordant.errors import ArgumentError, option, public
from concordant.rankings import Pairs, check_nan_policy, n_workers, read_pairs, screen
from concordant.tables import Note
from concordant.typing import NanPolicy, RankingLike, Value

__all__ = ["TieRange", "tie_range", "tie_range_notes"]


class TieRange(NamedTuple):
    """The smallest and the largest value over all ways of breaking ties: numbers, or arrays for batches."""

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
        Reference and estimated scores of the same items, larger is better. Labelled input is aligned by
        label.
    coefficient : str, Coefficient or callable, default "tau"
        Kendall's tau or AP correlation. The name of one of their forms for ties, such as "tau_b", stands for
        the coefficient that it is without ties; "tau_ap_b" for the mean of both directions of AP correlation.
    axis : int, default -1
        The axis that holds the items; the others broadcast.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: return nan, raise an error that says where, or leave the item out.
    workers : int, default 1
        Threads for batches; -1 for all cores.

    Returns
    -------
    TieRange
        ``low`` and ``high``; without ties both are the value itself.

    Notes
    -----
    With C concordant and D discordant ones of N pairs, tau is at least (2 C - N) / N and at most
    (N - 2 D) / N. AP correlation is largest where the ties of x are broken as y orders the items, those of y
    as x does, and items tied in both in the same order; it is smallest where each is broken against the
    other. Both take O(n log n). Items with equal scores are tied; a threshold is refused, because ties within
    a threshold are not transitive. For "name@k" the first k items of x, and those tied with the k-th, are
    compared.

    Examples
    --------
    >>> import concordant as cd
    >>> low, high = cd.tie_range([4, 3, 2, 1], [3, 2, 2, 1])
    >>> round(low, 4), round(high, 4)
    (0.6667, 1.0)
    >>> round(cd.tau_b([4, 3, 2, 1], [3, 2, 2, 1]), 4)
    0.9129
    """
    c = get(coefficient)
    if not has_range(c):
        raise ArgumentError(_refusal(c))
    check_nan_policy(nan_policy)
    threads = n_workers(workers)
    pairs = read_pairs(x, y, axis, threads)
    low, high = _ranges([c], pairs, nan_policy, threads)[0]
    high.report(str(c))
    return TieRange(shaped(low.values, pairs.shape), shaped(high.values, pairs.shape))


def tie_range_notes(
    coefficients: Sequence[Coefficient],
    values: Sequence[float],
    x: RankingLike,
    y: RankingLike,
    subject: str = "",
) -> list[Note]:
    """Say between what the values of coefficients of two rankings lie, depending on how ties are broken.

    Nothing is said of coefficients whose range is not known, and nothing where there are no ties.
    """
    pairs = read_pairs(x, y)
    if all(len(np.unique(side)) == len(side) for side in (pairs.x[0], pairs.y[0])):
        return []
    asked = [(c, value) for c, value in zip(coefficients, values, strict=True) if has_range(c)]
    ranges = _ranges([c for c, _ in asked], pairs, "raise", 1) if asked else []
    notes = []
    for (c, value), (low, high) in zip(asked, ranges, strict=True):
        ends = float(low.values[0]), float(high.values[0])
        if not math.isnan(value) and ends[0] < ends[1]:
            told = {"coefficient": str(c), "value": float(value), "low": ends[0], "high": ends[1]}
            notes.append(Note("tie_range", subject, told))
    return notes


def has_range(c: Coefficient) -> bool:
    """Say whether the range of a coefficient over all ways of breaking ties is known."""
    statistic = c.bound_statistic()
    return statistic is not None and statistic.untied is not None and c.threshold == (0.0, 0.0)


def _refusal(c: Coefficient) -> str:
    if c.threshold != (0.0, 0.0):
        return f"ties within a threshold are not transitive and cannot be broken; use {c.name} without one"
    known = ", ".join(repr(name) for name, each in REGISTRY.items() if has_range(each))
    return f"{option('coefficient')} must be one of {known}, got {str(c)!r}, whose range is not known"


def _ranges(
    coefficients: Sequence[Coefficient], pairs: Pairs, nan_policy: NanPolicy, threads: int
) -> list[tuple[Outcome, Outcome]]:
    """Return the smallest and the largest values of coefficients that have a range."""
    pairs, missing = screen(pairs, nan_policy, threads)
    found: dict[Coefficient, tuple[Outcome, Outcome]] = {}
    for top in dict.fromkeys(c.top for c in coefficients):
        own = [c for c in coefficients if c.top == top]
        ends = [
            end
            for c in own
            if (statistic := c.bound_statistic()) is not None and statistic.untied is not None
            for end in (statistic.untied.low, statistic.untied.high)
        ]
        part = pairs if top is None else pairs.top(top)
        outcomes = run(part, missing, [(end, (0.0, 0.0)) for end in ends], threads)
        found.update(zip(own, zip(outcomes[::2], outcomes[1::2], strict=True), strict=True))
    return [found[c] for c in coefficients]
