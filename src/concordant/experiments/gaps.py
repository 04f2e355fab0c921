"""Sorted scores of two distributions: the same order, other gaps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from concordant.coefficients import Coefficient, CoefficientsLike, chosen, evaluate
from concordant.errors import ArgumentError, option, public
from concordant.experiments.result import ExperimentResult
from concordant.experiments.verdicts import verdict_of_gaps
from concordant.rankings import as_floats, generator, n_workers, read_pairs, whole_number
from concordant.tables import records
from concordant.typing import Floats, Progress, RngLike

__all__ = ["GapsResult", "MedianCase", "Quartiles", "gaps"]

Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]

# Gao, Bagdouri and Oard (2016), section 3: U(0, 1), N(0.5, 1) and Zipf's law with exponent 2, whose integers
# are told apart by U(0, 1) (inferred: without it scores tie, and the printed quartiles do not come out).
# Each is a sum of draws.
DISTRIBUTIONS: dict[str, tuple[Draw, ...]] = {
    "uniform": (lambda rng, shape: rng.random(shape),),
    "normal": (lambda rng, shape: rng.normal(0.5, 1.0, shape),),
    "zipf": (lambda rng, shape: rng.zipf(2.0, shape).astype(float), lambda rng, shape: rng.random(shape)),
    "lognormal": (lambda rng, shape: rng.lognormal(0.0, 1.0, shape),),
}


@dataclass(frozen=True)
class Quartiles:
    """The values of a coefficient over pairs of samples of two distributions."""

    reference: str
    estimate: str
    coefficient: Coefficient
    minimum: float | None
    first_quartile: float | None
    median: float | None
    third_quartile: float | None
    maximum: float | None
    pairs: int
    undefined: int


@dataclass(frozen=True)
class MedianCase:
    """Both scores of one system in the pair of samples with the median value, scaled to [0, 1]."""

    reference: str
    estimate: str
    coefficient: Coefficient
    reference_score: float
    estimate_score: float


_AT_ONCE = 10_000  # pairs of samples


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class GapsResult(ExperimentResult[Quartiles]):
    """What `gaps` returns."""

    function: ClassVar[str] = "gaps"

    quartiles: tuple[Quartiles, ...] = records(Quartiles, "Pairs of sorted samples")
    medians: tuple[MedianCase, ...] = records(MedianCase, "Scores of the median case")

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: the lowest and the highest median."""
        return verdict_of_gaps(self)


def _sorted_samples(
    draws: tuple[Draw, ...], rng: np.random.Generator, n_systems: int, blocks: list[slice]
) -> Floats:
    """Draw rows of scores, from the best down; in blocks, so that Ctrl-C is heard in between."""
    samples = np.zeros((blocks[-1].stop, n_systems))
    for draw in draws:
        for block in blocks:
            samples[block] += draw(rng, (block.stop - block.start, n_systems))
    for block in blocks:
        samples[block] = -np.sort(-samples[block], axis=1)
    return samples


@public
def gaps(
    distributions: Iterable[str] = ("zipf", "normal", "uniform"),
    coefficients: CoefficientsLike | None = None,
    *,
    sample: ArrayLike | None = None,
    n_systems: int = 50,
    n_pairs: int = 100_000,
    rng: RngLike = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> GapsResult:
    """Correlate sorted samples of two distributions.

    The order of the systems is the same; only the gaps differ.

    Parameters
    ----------
    distributions : iterable of str
        "uniform", "normal", "zipf", "lognormal", and "sample". Each is the reference for itself and for those
        after it.
    coefficients : list of str or Coefficient, optional
        As `get` reads them; by default those that are declared for this experiment.
    sample : array_like, optional
        Scores from which "sample" draws with replacement.
    n_systems : int, default 50
        Systems in each sample.
    n_pairs : int, default 100000
        Pairs of samples.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None, default 0
        Seed or source of random numbers; None for a fresh seed, which the result tells.
    workers : int, default 1
        Threads. The result does not depend on it.
    progress : callable, optional
        Called as ``progress(done, total)``.

    Returns
    -------
    GapsResult
        ``quartiles``, for each pair of distributions; and ``medians``, the scores of the median case, scaled
        to [0, 1].

    References
    ----------
    .. [1] Gao, Bagdouri and Oard, "Pearson Rank: a head-weighted gap-sensitive score-based correlation
       coefficient", SIGIR 2016, section 3.

    Examples
    --------
    >>> import concordant as cd
    >>> result = cd.experiments.gaps(["uniform"], n_pairs=2000, rng=1)
    >>> round(result.quartiles[0].median, 2)
    0.98
    """
    asked = chosen(coefficients, "gaps")
    whole_number("n_systems", n_systems, 2)
    whole_number("n_pairs", n_pairs)
    threads = n_workers(workers)
    known: Mapping[str, tuple[Draw, ...]] = DISTRIBUTIONS
    own: Floats | None = None
    if sample is not None:
        own = scores = as_floats("sample", sample).ravel()
        if len(scores) < 2 or not np.isfinite(scores).all():
            raise ArgumentError(f"{option('sample')} must hold two finite scores or more")
        known = {**known, "sample": (lambda rng, shape: rng.choice(scores, shape),)}
    names = [distributions] if isinstance(distributions, str) else list(dict.fromkeys(distributions))
    unknown = [name for name in names if name not in known]
    if "sample" in unknown:
        raise ArgumentError(f"the distribution 'sample' needs scores to draw from; give {option('sample')}")
    if unknown or not names:
        raise ArgumentError(
            f"there is no distribution {(unknown or [''])[0]!r}; there are {', '.join(known)}"
        )
    source, seed = generator(rng)
    quartiles: list[Quartiles] = []
    medians: list[MedianCase] = []
    combinations = list(combinations_with_replacement(names, 2))
    # One reference and one estimate for each distribution, of which every combination takes its two.
    blocks = [slice(start, min(start + _AT_ONCE, n_pairs)) for start in range(0, n_pairs, _AT_ONCE)]
    drawn = {
        name: [_sorted_samples(known[name], source, n_systems, blocks) for _ in range(2)] for name in names
    }
    for done, (first, second) in enumerate(combinations, 1):
        x, y = drawn[first][0], drawn[second][1]
        parts = [
            [
                outcome.values
                for outcome in evaluate(asked, read_pairs(x[b], y[b]), "raise", threads, refuse=False)
            ]
            for b in blocks
        ]
        for c, values in zip(asked, map(np.concatenate, zip(*parts, strict=True)), strict=True):
            defined = np.flatnonzero(~np.isnan(values))
            if len(defined) == 0:
                quartiles.append(Quartiles(first, second, c, None, None, None, None, None, n_pairs, n_pairs))
                continue
            low, q1, median, q3, high = np.quantile(values[defined], [0, 0.25, 0.5, 0.75, 1]).tolist()
            undefined = n_pairs - len(defined)
            quartiles.append(Quartiles(first, second, c, low, q1, median, q3, high, n_pairs, undefined))
            middle = defined[np.argsort(values[defined], kind="stable")[len(defined) // 2]]
            scaled = [(v - v.min()) / ((v.max() - v.min()) or 1.0) for v in (x[middle], y[middle])]
            both = zip(*(s.tolist() for s in scaled), strict=True)
            medians += [MedianCase(first, second, c, a, b) for a, b in both]
        if progress is not None:
            progress(done, len(combinations))
    return GapsResult(
        quartiles=tuple(quartiles),
        medians=tuple(medians),
        options={
            "distributions": names,
            "n_systems": n_systems,
            "n_pairs": n_pairs,
            "sample": None if own is None else own.tolist(),
        },
        seed=seed,
    )
