"""The cost of swapping the systems at two ranks."""

from __future__ import annotations

import numpy as np

from concordant.coefficients import Coefficient, CoefficientLike, Outcome, evaluate, get
from concordant.errors import public
from concordant.rankings import n_workers, read_pairs
from concordant.scores import Scores, ranking_of
from concordant.typing import Floats, RankingLike

__all__ = ["pair_weights", "rescaled", "swapped"]

_MOST_AT_ONCE = 1_000_000  # scores of rankings after a swap


@public
def pair_weights(
    scores: Scores | RankingLike, coefficient: CoefficientLike, *, rescale: bool = True, workers: int = 1
) -> Floats:
    """Return the cost of swapping the systems at two ranks.

    It is 1 - c, where c compares the scores with the same scores after the two are exchanged.

    Parameters
    ----------
    scores : Scores with one measure, mapping or array_like
        The means of `Scores`, of which none may be missing; or one score for each system.
    coefficient : str or Coefficient
        The coefficient, as `get` reads it.
    rescale : bool, default True
        Whether to rescale to [0, 1] over all pairs, as in figures 4 to 6 of Gao and Oard (2015).
    workers : int, default 1
        The number of threads.

    Returns
    -------
    numpy.ndarray of shape (systems, systems)
        The costs by rank, the best first. The matrix is symmetric, with 0 on the diagonal if it is not
        rescaled.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.pair_weights([4, 3, 2, 1], "tau_ap_b", rescale=False).round(2)
    array([[0.  , 0.67, 1.33, 1.67],
           [0.67, 0.  , 0.33, 0.78],
           [1.33, 0.33, 0.  , 0.22],
           [1.67, 0.78, 0.22, 0.  ]])
    """
    c = get(coefficient)
    threads = n_workers(workers)
    own = ranking_of(scores)  # missing scores are an error here
    reference = -np.sort(-read_pairs(own, own).x.values)
    n = len(reference)
    first, second = np.triu_indices(n, 1)
    outcome = swapped(c, reference, threads, refuse=True)
    outcome.report(str(c))
    cost = rescaled(1 - outcome.values) if rescale else 1 - outcome.values
    weights = np.zeros((n, n))
    weights[first, second] = weights[second, first] = cost
    return weights


def swapped(c: Coefficient, reference: Floats, threads: int, refuse: bool) -> Outcome:
    """Correlate scores with the same scores after each swap of two systems."""
    first, second = np.triu_indices(len(reference), 1)
    step = max(1, _MOST_AT_ONCE // len(reference))
    parts = []
    for start in range(0, max(len(first), 1), step):
        i, j = first[start : start + step], second[start : start + step]
        estimates = np.tile(reference, (len(i), 1))
        every = np.arange(len(i))
        estimates[every, i], estimates[every, j] = reference[j], reference[i]
        parts.append(evaluate([c], read_pairs(reference, estimates), "raise", threads, refuse=refuse)[0])
        if parts[-1].refusal:
            return parts[-1]
    reason = next((part.reason for part in parts if part.undefined), "")
    values = np.concatenate([part.values for part in parts])
    return Outcome(values, sum(part.undefined for part in parts), reason)


def rescaled(cost: Floats) -> Floats:
    """Rescale to [0, 1]; undefined values stay undefined."""
    if np.isnan(cost).all():
        return cost
    low, high = float(np.nanmin(cost)), float(np.nanmax(cost))
    return (cost - low) / (high - low) if high > low else np.where(np.isnan(cost), cost, 0.0)
