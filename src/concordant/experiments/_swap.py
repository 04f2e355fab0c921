"""What it costs to swap two systems, and whether it matters that they differ significantly."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

import concordant.coefficients  # noqa: F401 - files them in the registry
from concordant._engine import Outcome
from concordant._inputs import Floats, Progress, n_workers, read_pairs, seeded, whole_number
from concordant._questions import Some, chosen
from concordant._registry import Coefficient, evaluate, get
from concordant.experiments._result import Result
from concordant.report import Table
from concordant.scores import Scores
from concordant.significance import paired_t_tests

__all__ = ["pair_weights", "swap"]


def swap(
    scores: Any,
    coefficients: Some = ("pearson_r", "tau_ap", "tau_gap"),
    *,
    measure: str | None = None,
    n_swaps: int = 5,
    n_draws: int = 50,
    alpha: float = 0.05,
    rng: Any = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Result:
    """Swap pairs of systems that differ significantly, and pairs that do not; see what coefficients make of it.

    Parameters
    ----------
    scores : Scores, or what `Scores.of` takes
    coefficients : list of str or Coefficient
    measure : str, optional
        Of the scores; the only one by default.
    n_swaps, n_draws : int
        Each draw swaps so many pairs, one after the other.
    alpha : float, default 0.05
        A pair is significant if the p-value of a two-sided paired t-test over topics is below.
    rng : int, Generator or None
    workers : int, default 1
        Threads. No bit of the result depends on it.
    progress : callable, optional

    Returns
    -------
    Result
        With the tables "swap" (mean and standard deviation of each coefficient for both kinds of pairs), "pairs" (p-values,
        for figure 1), "draws" (the ranks after the first draw, for figures 2 and 3) and "weights" (what a swap costs, for
        figures 4 to 6).

    References
    ----------
    .. [1] Gao and Oard, "A head-weighted gap-sensitive correlation coefficient", SIGIR 2015, section 4.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> values = np.random.default_rng(0).normal(np.linspace(1, 0, 8), 0.4, (30, 8))
    >>> result = cd.experiments.swap(values, ["tau_ap"], rng=1)
    >>> [(row["pairs"], round(row["mean"], 1)) for row in result["swap"].to_dicts()]
    [('significant', 0.0), ('not significant', 0.5)]
    """
    who = "swap"
    asked = chosen(who, coefficients)
    whole_number(who, "n_swaps", n_swaps)
    whole_number(who, "n_draws", n_draws)
    threads = n_workers(who, workers)
    if not 0 < alpha < 1:
        raise ValueError(f"{who}: alpha must be between 0 and 1, got {alpha!r}")
    given = Scores.of(scores)
    notes = list(given.notes)
    own = given.fill()
    name, values = own.one_measure(measure)
    if len(own.topics) < 2 or len(own.systems) < 3:
        raise ValueError(
            f"{who}: needs two topics and three systems at least, got {len(own.topics)} and {len(own.systems)}"
        )
    n_missing = len(given.select(measures=[name]).missing())
    if n_missing:
        notes.append(f"{n_missing} missing scores count as 0")
    means = own.mean(name)
    order = sorted(means, key=lambda s: means[s], reverse=True)
    truth = np.array([means[s] for s in order])
    place = {s: i for i, s in enumerate(own.systems)}
    p_values = paired_t_tests(values[:, [place[s] for s in order]])
    generator, seed = seeded(rng)
    first, second = np.triu_indices(len(order), 1)
    significant = p_values[first, second] < alpha
    rows: list[tuple[Any, ...]] = []
    draws: list[tuple[Any, ...]] = []
    for kind, which in (("significant", significant), ("not significant", ~significant)):
        candidates = np.flatnonzero(which)
        if len(candidates) < n_swaps:
            rows += [(kind, c, None, None, 0, None) for c in asked]
            notes.append(f"there are {len(candidates)} pairs that are {kind}, fewer than {n_swaps} to swap")
            continue
        estimates = np.tile(truth, (n_draws, 1))
        for d in range(n_draws):
            for pair in generator.choice(candidates, n_swaps, replace=False):
                i, j = first[pair], second[pair]
                estimates[d, [i, j]] = estimates[d, [j, i]]
        outcomes = evaluate(who, asked, read_pairs(who, truth, estimates), "raise", threads, refuse=False)
        for c, outcome in zip(asked, outcomes, strict=True):
            defined = outcome.values[~np.isnan(outcome.values)]
            mean = math.fsum(defined) / len(defined) if len(defined) else None
            sd = float(defined.std(ddof=1)) if len(defined) > 1 else None
            rows.append((kind, c, mean, sd, n_draws, n_draws - len(defined)))
        ranks = np.argsort(np.argsort(-estimates[0], kind="stable"), kind="stable") + 1
        draws += [(kind, s, i + 1, int(rank)) for i, (s, rank) in enumerate(zip(order, ranks, strict=True))]
        if progress is not None:
            progress(1 if kind == "significant" else 2, 3)
    weights: list[tuple[Any, ...]] = []
    for c in asked:
        (outcome,) = _swapped(who, c, truth, threads, refuse=False)
        costs = _rescaled(1 - outcome.values)
        if outcome.undefined:
            notes.append(
                f"{c} is undefined for {outcome.undefined} of {len(costs)} single swaps: {outcome.reason}"
            )
        weights += [
            (c, int(i) + 1, int(j) + 1, None if math.isnan(cost) else cost)
            for i, j, cost in zip(first, second, costs.tolist(), strict=True)
        ]
    if progress is not None:
        progress(3, 3)
    share = float(significant.mean())
    pairs = [
        (order[i], order[j], int(i) + 1, int(j) + 1, float(p_values[i, j]))
        for i, j in zip(first, second, strict=True)
    ]
    return Result(
        "",
        (
            Table(
                "swap",
                f"After {n_swaps} swaps among {len(order)} systems by {name}",
                ("pairs", "coefficient", "mean", "sd", "draws", "undefined"),
                tuple(rows),
            ),
            Table("pairs", "Paired t-tests", ("better", "worse", "rank", "other rank", "p"), tuple(pairs)),
            Table("draws", "Ranks after one draw", ("pairs", "system", "rank", "rank after"), tuple(draws)),
            Table(
                "weights",
                "Cost of swapping the systems at two ranks, rescaled to 0..1",
                ("coefficient", "rank", "other rank", "weight"),
                tuple(weights),
            ),
        ),
        (*notes, f"{share:.0%} of {len(first)} pairs of systems differ significantly (p < {alpha:g})"),
        {"n_swaps": n_swaps, "n_draws": n_draws, "alpha": alpha, "measure": name},
        experiment=who,
        seed=seed,
    )


def pair_weights(
    scores: Any, coefficient: str | Coefficient, *, rescale: bool = True, workers: int = 1
) -> NDArray[np.float64]:
    """Return what it costs to swap the systems at two ranks: 1 - c of the scores and the same with the two exchanged.

    Parameters
    ----------
    scores : Scores with one measure, mapping or array_like
        The means of Scores, none of which may be missing; else one score for each system.
    coefficient : str or Coefficient
    rescale : bool, default True
        To 0..1 over all pairs, as in figures 4 to 6 of Gao and Oard (2015).
    workers : int, default 1
        Threads.

    Returns
    -------
    numpy.ndarray of shape (systems, systems)
        By rank, best first; symmetric, 0 on the diagonal (of what is not rescaled).

    Examples
    --------
    >>> import concordant as cd
    >>> cd.pair_weights([4, 3, 2, 1], "tau_ap", rescale=False).round(2)
    array([[0.  , 0.67, 1.33, 1.67],
           [0.67, 0.  , 0.33, 0.78],
           [1.33, 0.33, 0.  , 0.22],
           [1.67, 0.78, 0.22, 0.  ]])
    """
    who = "pair_weights"
    c = get(coefficient)
    threads = n_workers(who, workers)
    if isinstance(scores, Scores):
        scores = scores.mean()  # missing scores are an error here
    values = read_pairs(who, scores, scores).x
    truth = -np.sort(-values)
    n = len(truth)
    first, second = np.triu_indices(n, 1)
    (outcome,) = _swapped(who, c, truth, threads, refuse=True)
    outcome.report(str(c))
    cost = _rescaled(1 - outcome.values) if rescale else 1 - outcome.values
    weights = np.zeros((n, n))
    weights[first, second] = weights[second, first] = cost
    return weights


def _swapped(who: str, c: Coefficient, truth: Floats, threads: int, refuse: bool) -> list[Outcome]:
    """Correlate scores with themselves after each swap of two."""
    first, second = np.triu_indices(len(truth), 1)
    estimates = np.tile(truth, (len(first), 1))
    every = np.arange(len(first))
    estimates[every, first], estimates[every, second] = truth[second], truth[first]
    return evaluate(who, [c], read_pairs(who, truth, estimates), "raise", threads, refuse=refuse)


def _rescaled(cost: Floats) -> Floats:
    """Bring to 0..1; what is undefined stays so."""
    if np.isnan(cost).all():
        return cost
    low, high = float(np.nanmin(cost)), float(np.nanmax(cost))
    return (cost - low) / (high - low) if high > low else np.where(np.isnan(cost), cost, 0.0)
