"""tau_gap: AP correlation in which a pair counts by the gap between its scores."""

from __future__ import annotations

from typing import Any

from concordant._engine import Statistic, apply, directions, pick, ratio
from concordant._inputs import NanPolicy
from concordant._registry import coefficient

__all__ = ["tau_gap"]


def _mean_of_terms(gap: Any, gap_weight: Any) -> Any:
    return ratio(gap, gap_weight)


_TAU_GAP = directions(Statistic("tau_gap", _mean_of_terms, "all items have the same score in x"))


@coefficient(
    symbol=r"\tau_{GAP}",
    cite="gao2015",
    question="does y order the items as x does, above all at its head and where the scores of x are far apart?",
    head_weighted=True,
    gap_sensitive=True,
    ties="natural",
    statistic=lambda symmetric=False: pick(_TAU_GAP, symmetric),
)
def tau_gap(
    x: Any,
    y: Any,
    *,
    symmetric: bool = False,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Any:
    """AP correlation weighted by gaps: for each item of y, the signed over the absolute gaps in x to those above it.

    `x` supplies the gaps, `y` only the order that is walked.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        Reference and estimated scores, larger is better. Labelled input is aligned by label.
    symmetric : bool, default False
        Return the mean of both directions, f(x, y) and f(y, x).
    axis : int, default -1
        The axis that holds the items; the others broadcast.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: give nan, raise an error that says where, or leave the item out.
    workers : int, default 1
        Threads for batches; -1 for all cores. The values do not depend on it.

    Returns
    -------
    numpy.float64 or numpy.ndarray
        Value in [-1, 1]; nan if all items have the same x, or there are fewer than two.

    Notes
    -----
    An item with nothing but zero gaps above it has no term, and the mean is over the items that have one, so that a
    perfect estimate gives 1. Items with equal y share their places: for each place, the sums are those expected
    if the order of the equal items were drawn at random. The paper leaves both cases open.

    It is not centred at zero: for a random y the expectation is positive where x has few large scores, and negative
    where it has few small ones. And it is not `tau_ap` for equally spaced scores, as Theorem 2 of the paper has it,
    unless there are three items or fewer: that would need all gaps equal, not only neighbouring ones.

    References
    ----------
    .. [1] Gao and Oard, "A head-weighted gap-sensitive correlation coefficient", SIGIR 2015, eq. 3.

    Examples
    --------
    >>> import concordant as cd
    >>> x = [0.90, 0.50, 0.49, 0.10]
    >>> [round(cd.tau_gap(x, y), 4) for y in ([3, 4, 2, 1], [4, 2, 3, 1])]  # a large, a small gap exchanged
    [0.3333, 0.9837]
    """
    return apply(pick(_TAU_GAP, symmetric), x, y, 0.0, axis, nan_policy, workers)
