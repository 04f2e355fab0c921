"""Sorted scores of two distributions: what coefficients say of other gaps in the same order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from concordant._inputs import Floats, Progress, as_floats, n_workers, read_pairs, seeded, whole_number
from concordant._questions import Some, chosen
from concordant._registry import evaluate
from concordant.experiments._result import Result
from concordant.report import Table

__all__ = ["gaps"]

Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]

# Gao, Bagdouri and Oard (2016), section 3: U(0, 1), N(0.5, 1) and Zipf's law with exponent 2, whose integers are told apart by
# U(0, 1) (inferred: without it scores tie, and the printed quartiles do not come out).
DISTRIBUTIONS: dict[str, Draw] = {
    "uniform": lambda rng, shape: rng.random(shape),
    "normal": lambda rng, shape: rng.normal(0.5, 1.0, shape),
    "zipf": lambda rng, shape: rng.zipf(2.0, shape) + rng.random(shape),
    "lognormal": lambda rng, shape: rng.lognormal(0.0, 1.0, shape),
}


def gaps(
    distributions: Iterable[str] = ("zipf", "normal", "uniform"),
    coefficients: Some = "pearson_rank",
    *,
    sample: Any = None,
    n_systems: int = 50,
    n_pairs: int = 100_000,
    rng: Any = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Result:
    """Correlate sorted samples of two distributions: the order of the systems is the same, only the gaps differ.

    Parameters
    ----------
    distributions : iterable of str
        "uniform", "normal", "zipf", "lognormal", and "sample". Each is the reference for itself and for those after it.
    coefficients : list of str or Coefficient
    sample : array_like, optional
        Scores from which "sample" draws with replacement.
    n_systems, n_pairs : int
    rng : int, Generator or None
    workers : int, default 1
        Threads. No bit of the result depends on it.
    progress : callable, optional

    Returns
    -------
    Result
        With the tables "gaps" (minimum, quartiles, maximum for each pair of distributions) and "median" (the scores of the
        median case, scaled to [0, 1], for the figure).

    References
    ----------
    .. [1] Gao, Bagdouri and Oard, "Pearson Rank: a head-weighted gap-sensitive score-based correlation coefficient", SIGIR
       2016, section 3.

    Examples
    --------
    >>> import concordant as cd
    >>> result = cd.experiments.gaps(["uniform"], n_pairs=2000, rng=1)
    >>> round(result["gaps"].to_dicts()[0]["median"], 2)
    0.98
    """
    who = "gaps"
    asked = chosen(who, coefficients)
    whole_number(who, "n_systems", n_systems, 2)
    whole_number(who, "n_pairs", n_pairs)
    threads = n_workers(who, workers)
    known: Mapping[str, Draw] = DISTRIBUTIONS
    if sample is not None:
        own = as_floats(who, "sample", sample).ravel()
        if len(own) < 2 or not np.isfinite(own).all():
            raise ValueError(f"{who}: sample must hold two finite scores or more")
        known = {**known, "sample": lambda rng, shape: rng.choice(own, shape)}
    names = [distributions] if isinstance(distributions, str) else list(dict.fromkeys(distributions))
    unknown = [name for name in names if name not in known]
    if "sample" in unknown:
        raise ValueError(
            f"{who}: the distribution 'sample' needs scores to draw from; give sample= (--sample FILE)"
        )
    if unknown or not names:
        raise ValueError(
            f"{who}: there is no distribution {(unknown or [''])[0]!r}; there are {', '.join(known)}"
        )
    generator, seed = seeded(rng)
    rows: list[tuple[Any, ...]] = []
    points: list[tuple[Any, ...]] = []
    combinations = list(combinations_with_replacement(names, 2))
    # One reference and one estimate for each distribution, of which every combination takes its two.
    drawn = {
        name: [-np.sort(-known[name](generator, (n_pairs, n_systems)), axis=1) for _ in range(2)]
        for name in names
    }
    for done, (first, second) in enumerate(combinations, 1):
        x, y = drawn[first][0], drawn[second][1]
        outcomes = evaluate(who, asked, read_pairs(who, x, y), "raise", threads, refuse=False)
        for c, outcome in zip(asked, outcomes, strict=True):
            values = outcome.values
            defined = np.flatnonzero(~np.isnan(values))
            if len(defined) == 0:
                rows.append((first, second, c, *[None] * 5, n_pairs, n_pairs))
                continue
            quartiles = np.quantile(values[defined], [0, 0.25, 0.5, 0.75, 1]).tolist()
            rows.append((first, second, c, *quartiles, n_pairs, n_pairs - len(defined)))
            middle = defined[np.argsort(values[defined], kind="stable")[len(defined) // 2]]
            scaled = [(v - v.min()) / ((v.max() - v.min()) or 1.0) for v in (x[middle], y[middle])]
            points += [(first, second, c, a, b) for a, b in zip(*(s.tolist() for s in scaled), strict=True)]
        if progress is not None:
            progress(done, len(combinations))
    columns = (
        "reference",
        "estimate",
        "coefficient",
        "minimum",
        "first quartile",
        "median",
        "third quartile",
        "maximum",
    )
    title = f"{n_pairs} pairs of sorted samples of {n_systems} systems"
    return Result(
        "",
        (
            Table("gaps", title, (*columns, "pairs", "undefined"), tuple(rows)),
            Table(
                "median",
                "Scores of the median case",
                ("reference", "estimate", "coefficient", "reference score", "estimate score"),
                tuple(points),
            ),
        ),
        (),
        {
            "distributions": names,
            "n_systems": n_systems,
            "n_pairs": n_pairs,
            "sample": None if sample is None else own.tolist(),
        },
        experiment=who,
        seed=seed,
    )
