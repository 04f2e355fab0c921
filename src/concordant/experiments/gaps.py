"""Correlate sorted scores of two distributions: the order is the same, the gaps differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Any, ClassVar

import numpy as np

from concordant.checks import generator, n_workers, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientsLike, chosen
from concordant.coefficients.evaluation import evaluate
from concordant.errors import ArgumentError, public
from concordant.experiments.experiment import ExperimentResult, ends, quantiles
from concordant.rankings.pairs import read_pairs
from concordant.results.result import records
from concordant.results.words import count, number, sentences
from concordant.typing import Executor, Floats, Progress, RngLike
from concordant.work import Draws, in_pieces, piece_size

# Gao, Bagdouri and Oard (2016), section 3: U(0, 1), N(0.5, 1) and Zipf's law with exponent 2, whose integers
# are made different by adding U(0, 1). The paper does not say this, but without it scores tie, and the
# printed quartiles are not reproduced.
# Each is a sum of draws: a method of the generator, and its parameters.
DISTRIBUTIONS: dict[str, tuple[tuple[str, tuple[float, ...]], ...]] = {
    "uniform": (("random", ()),),
    "normal": (("normal", (0.5, 1.0)),),
    "zipf": (("zipf", (2.0,)), ("random", ())),
    "lognormal": (("lognormal", (0.0, 1.0)),),
}


@dataclass(frozen=True)
class Quartiles:
    """The values of a coefficient over pairs of samples of two distributions.

    Attributes
    ----------
    reference : str
        The distribution of the reference scores.
    estimate : str
        The distribution of the estimated scores.
    coefficient : Coefficient
        The coefficient.
    minimum : float or None
        The smallest value.
    first_quartile : float or None
        The first quartile.
    median : float or None
        The median.
    third_quartile : float or None
        The third quartile.
    maximum : float or None
        The largest value.
    pairs : int
        The number of pairs of samples.
    undefined : int
        The number of undefined values, which are left out.
    """

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
    """Both scores of one system in the pair of samples with the median value, scaled to [0, 1].

    Attributes
    ----------
    reference : str
        The distribution of the reference scores.
    estimate : str
        The distribution of the estimated scores.
    coefficient : Coefficient
        The coefficient.
    reference_score : float
        The score of the system by the reference, scaled to [0, 1].
    estimate_score : float
        The score of the system by the estimate, scaled to [0, 1].
    """

    reference: str
    estimate: str
    coefficient: Coefficient
    reference_score: float
    estimate_score: float


_AT_ONCE = 10_000  # pairs of samples
_MOST_KEPT = 1 << 25  # numbers drawn; 256 MB


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class GapsResult(ExperimentResult[Quartiles]):
    """The result of `gaps`; prints as text.

    Attributes
    ----------
    quartiles : tuple of Quartiles
        Pairs of sorted samples.
    medians : tuple of MedianCase
        Scores of the median case.

    Examples
    --------
    >>> import concordant as cd
    >>> result = cd.experiments.gaps(["uniform"], ["tau_b"], n_systems=5, n_pairs=3)
    >>> result.quartiles[0].median, len(result.medians)
    (1.0, 5)
    """

    function: ClassVar[str] = "gaps"

    quartiles: tuple[Quartiles, ...] = records(Quartiles, "Pairs of sorted samples")
    medians: tuple[MedianCase, ...] = records(MedianCase, "Scores of the median case")

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: the lowest and the highest median."""
        if not self.quartiles:
            return ()
        c = self.quartiles[0].coefficient
        own = [row for row in self.quartiles if row.coefficient == c and row.median is not None]
        if not own:
            n = self.options["n_systems"]
            return sentences([f"{c} is undefined for all pairs of samples of {count(n, 'system')}"])
        low, high = ends(own, "median")
        same = f"{c} of samples in the same order has a median"
        first, last = (f"{number(e.median)} ({e.reference} against {e.estimate})" for e in (low, high))
        if len(own) == 1:
            return sentences([f"{same} of {first}"])
        smallest = number(ends(own, "minimum")[0].minimum)
        return sentences([f"{same} from {first} to {last}", f"The smallest value of all is {smallest}"])


# The pairs of distributions, and the coefficients.
_Shared = tuple[tuple[tuple[str, str], ...], tuple[Coefficient, ...]]
# For each distribution, once as reference and once as estimate, the draws of which the samples are sums.
_Block = dict[tuple[str, int], list[Draws]]


def _draw(rng: np.random.Generator, method: str, *parameters: object) -> Floats:
    return getattr(rng, method)(*parameters).astype(np.float64, copy=False)  # type: ignore[no-any-return]


def _blocks(names: Sequence[str], rng: np.random.Generator, n_systems: int, sizes: list[int]) -> list[_Block]:
    """Return the draws of each block of pairs; many are repeated there, because they would not fit."""
    blocks: list[_Block] = [{} for _ in sizes]
    n_draws = 2 * sum(len(DISTRIBUTIONS[name]) for name in names) * sum(sizes) * n_systems
    for name, side in product(names, range(2)):
        for method, parameters in DISTRIBUTIONS[name]:
            for block, rows in zip(blocks, sizes, strict=True):
                draws = Draws(rng, _draw, method, *parameters, (rows, n_systems), keep=n_draws <= _MOST_KEPT)
                block.setdefault((name, side), []).append(draws)
    return blocks


def _sorted_sample(draws: Sequence[Draws]) -> Floats:
    """Return rows of scores, from the best down."""
    total = sum((each.get() for each in draws[1:]), draws[0].get())
    return -np.sort(-total, axis=1)


def _correlations(shared: _Shared, block: _Block, threads: int) -> dict[str, Any]:
    """Return pair of distributions x coefficient x pair of samples."""
    combinations, asked = shared
    drawn = {key: _sorted_sample(draws) for key, draws in block.items()}
    values = []
    for first, second in combinations:
        pairs = read_pairs(drawn[first, 0], drawn[second, 1])
        values.append([each.values for each in evaluate(asked, pairs, "raise", threads, refuse=False)])
    return {"values": np.array(values)}


@public
def gaps(
    distributions: Iterable[str] = ("zipf", "normal", "uniform"),
    coefficients: CoefficientsLike = ("pearson_rank",),
    *,
    n_systems: int = 50,
    n_pairs: int = 100_000,
    rng: RngLike = 0,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> GapsResult:
    """Correlate sorted samples of two distributions.

    The order of the systems is the same; only the gaps differ.

    Parameters
    ----------
    distributions : iterable of str
        The distributions: "uniform", "normal", "zipf" and "lognormal". Each is the reference for itself and
        for those after it.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them. A verdict is about the first.
    n_systems : int, default 50
        The number of systems in each sample.
    n_pairs : int, default 100000
        The number of pairs of samples.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None, default 0
        The seed or the generator of random numbers. None means a new seed, which is stored in the result.
    workers : int, default 1
        The number of threads. The result does not depend on it.
    executor : concurrent.futures.Executor, optional
        The executor that does the work: any executor of PEP 3148, such as a pool of processes, or
        ``client.get_executor()`` of Dask. The result does not depend on it.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    GapsResult
        ``quartiles``, for each pair of distributions; and ``medians``, the scores of the median case, scaled
        to [0, 1].

    Notes
    -----
    Samples are drawn and correlated some thousand pairs at a time. Up to 256 MB of them are kept meanwhile;
    more are drawn twice instead, so that a million pairs need no more memory. The values
    need 8 bytes for each pair of samples, pair of distributions and coefficient: 48 MB for a million pairs
    of three distributions.

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
    asked = chosen(coefficients)
    whole_number("n_systems", n_systems, 2)
    whole_number("n_pairs", n_pairs)
    threads = n_workers(workers)
    names = [distributions] if isinstance(distributions, str) else list(dict.fromkeys(distributions))
    unknown = [name for name in names if name not in DISTRIBUTIONS]
    if unknown or not names:
        there_are = ", ".join(DISTRIBUTIONS)
        raise ArgumentError(f"there is no distribution {[*unknown, ''][0]!r}; there are {there_are}")
    source, seed = generator(rng)
    quartiles: list[Quartiles] = []
    medians: list[MedianCase] = []
    combinations = tuple(combinations_with_replacement(names, 2))
    step = piece_size(n_pairs, _AT_ONCE, executor)
    sizes = [min(step, n_pairs - start) for start in range(0, n_pairs, step)]
    # There is one reference and one estimate for each distribution; each combination uses two of these.
    blocks = _blocks(names, source, n_systems, sizes)
    how: dict[str, Any] = {"executor": executor, "threads": threads, "progress": progress}
    parts = in_pieces(_correlations, (combinations, tuple(asked)), blocks, sizes=sizes, **how)
    values = np.concatenate([part["values"] for part in parts], axis=2)
    del parts
    for (i, (first, second)), (k, c) in product(enumerate(combinations), enumerate(asked)):
        defined = np.flatnonzero(~np.isnan(values[i, k]))
        own = values[i, k, defined]
        low, q1, median, q3, high = quantiles(own, 0, 0.25, 0.5, 0.75, 1)
        undefined = n_pairs - len(own)
        quartiles.append(Quartiles(first, second, c, low, q1, median, q3, high, n_pairs, undefined))
        if len(own) == 0:
            continue
        at, row = divmod(int(defined[np.argsort(own, kind="stable")[len(own) // 2]]), step)
        both = [_sorted_sample(blocks[at][key])[row] for key in ((first, 0), (second, 1))]
        scaled = [((v - v.min()) / ((v.max() - v.min()) or 1.0)).tolist() for v in both]
        medians += [MedianCase(first, second, c, a, b) for a, b in zip(*scaled, strict=True)]
    return GapsResult(
        quartiles=tuple(quartiles),
        medians=tuple(medians),
        options={"distributions": names, "n_systems": n_systems, "n_pairs": n_pairs, "seed": seed},
    )
