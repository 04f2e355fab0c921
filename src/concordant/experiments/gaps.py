"""Correlate sorted scores of two distributions: the order is the same, the gaps differ."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from concordant.checks import generator, n_workers, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientsLike
from concordant.coefficients.evaluation import evaluate
from concordant.coefficients.text_form import chosen
from concordant.errors import ArgumentError, option, public
from concordant.experiments.experiment import ExperimentResult
from concordant.experiments.long_rows import LongRows
from concordant.experiments.verdicts import verdict_of_gaps
from concordant.rankings.convert import as_floats
from concordant.rankings.pairs import read_pairs
from concordant.results.result import records
from concordant.typing import Floats, Progress, RngLike
from concordant.work.pieces import Draws, current_work, in_pieces, piece_size

# Gao, Bagdouri and Oard (2016), section 3: U(0, 1), N(0.5, 1) and Zipf's law with exponent 2, whose integers
# are made different by adding U(0, 1). The paper does not say this, but without it scores tie, and the
# printed quartiles are not reproduced.
# Each is a sum of draws: a method of the generator, and its parameters.
DISTRIBUTIONS: dict[str, tuple[tuple[str, tuple[float, ...]], ...]] = {
    "uniform": (("random", ()),),
    "normal": (("normal", (0.5, 1.0)),),
    "zipf": (("zipf", (2.0,)), ("random", ())),
    "lognormal": (("lognormal", (0.0, 1.0)),),
    "sample": (("choice", ()),),  # draws from the given scores
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
_KEPT = 1 << 22  # scores that are kept instead of being drawn again


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
        return verdict_of_gaps(self)


class _Shared(NamedTuple):
    sample: Floats | None
    pairs: tuple[tuple[str, str], ...]  # of distributions
    asked: tuple[Coefficient, ...]


# For each distribution, once as reference and once as estimate, the draws of which the samples are sums.
_Block = dict[tuple[str, int], list[Draws]]


def _draw(
    rng: np.random.Generator, method: str, parameters: tuple[Any, ...], rows: int, columns: int
) -> Floats:
    drawn: Floats = getattr(rng, method)(*parameters, (rows, columns)).astype(np.float64, copy=False)
    return drawn


def _blocks(
    names: Sequence[str],
    sample: Floats | None,
    rng: np.random.Generator,
    n_systems: int,
    sizes: list[int],
    here: bool,
) -> list[_Block]:
    """Return the draws of each block of pairs, which are repeated there: a million pairs would not fit."""
    blocks: list[_Block] = [{} for _ in sizes]
    room = _KEPT if here else 0
    for name in names:
        for side in range(2):
            for method, fixed in DISTRIBUTIONS[name]:
                parameters = (sample,) if method == "choice" else fixed
                for block, rows in zip(blocks, sizes, strict=True):
                    keep = method == "zipf" and room >= rows * n_systems  # this takes by far the longest time
                    room -= rows * n_systems if keep else 0
                    draws = Draws(rng, _draw, method, parameters, rows, n_systems, keep=keep)
                    block.setdefault((name, side), []).append(draws)
    return blocks


def _sorted_sample(draws: Sequence[Draws]) -> Floats:
    """Return rows of scores, from the best down."""
    total = sum((each.get() for each in draws[1:]), draws[0].get())
    return -np.sort(-total, axis=1)


def _one_of(draws: Sequence[Draws], row: int) -> Floats:
    """Return one row of `_sorted_sample`; those after it are not drawn again."""
    total = 0.0
    for each in draws:
        method, parameters, _, columns = each.arguments
        drawn = each.drawn
        if drawn is None:
            drawn = _draw(each.generator(), method, parameters, row + 1, columns)
        total = total + drawn[row]
    return -np.sort(-np.asarray(total))


def _correlations(shared: _Shared, block: _Block, threads: int) -> dict[str, Any]:
    """Return pair of distributions x coefficient x pair of samples."""
    drawn = {key: _sorted_sample(draws) for key, draws in block.items()}
    values = []
    for first, second in shared.pairs:
        pairs = read_pairs(drawn[first, 0], drawn[second, 1])
        outcomes = evaluate(shared.asked, pairs, "raise", threads, refuse=False)
        values.append([outcome.values for outcome in outcomes])
    return {"values": np.array(values)}


def _five(rows: LongRows, row: int, n: int) -> tuple[list[float], int]:
    """Return the quantiles of the n values of a row, as NumPy does, and the column of the median case."""
    places = [(n - 1) * share for share in (0, 0.25, 0.5, 0.75, 1)]
    around = [rank for place in places for rank in (math.floor(place), math.ceil(place))]
    *ends, middle = rows.ranked(row, [*around, n // 2])
    values = [end.value for end in ends]
    pairs = zip(places, values[::2], values[1::2], strict=True)
    five = [float(np.quantile([low, high], place % 1)) for place, low, high in pairs]
    return five, rows.column(row, middle.value, n // 2 - middle.smaller)


@public
def gaps(
    distributions: Iterable[str] = ("zipf", "normal", "uniform"),
    coefficients: CoefficientsLike = ("pearson_rank",),
    *,
    sample: ArrayLike | None = None,
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
        The distributions: "uniform", "normal", "zipf", "lognormal", and "sample". Each is the reference for
        itself and for those after it.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them. A verdict is about the first.
    sample : array_like, optional
        The scores from which "sample" draws with replacement.
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
    The memory that is needed grows with `n_systems` and the number of distributions, but not with `n_pairs`:
    samples are drawn and correlated some thousand pairs at a time. The values, 8 bytes for each pair of
    samples, pair of distributions and coefficient, are kept in a temporary file if they take more than 8 MB.

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
    own: Floats | None = None
    if sample is not None:
        own = as_floats("sample", sample).ravel()
        if len(own) < 2 or not np.isfinite(own).all():
            raise ArgumentError(f"{option('sample')} must hold two finite scores or more")
    known = [name for name in DISTRIBUTIONS if name != "sample" or own is not None]
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
    combinations = tuple(combinations_with_replacement(names, 2))
    step = piece_size(n_pairs, _AT_ONCE, executor)
    sizes = [min(step, n_pairs - start) for start in range(0, n_pairs, step)]
    # There is one reference and one estimate for each distribution; each combination uses two of these.
    blocks = _blocks(names, own, source, n_systems, sizes, current_work(executor).in_one_go)
    with LongRows(len(combinations) * len(asked), sizes) as rows:
        in_pieces(
            _correlations,
            _Shared(own, combinations, tuple(asked)),
            blocks,
            executor=executor,
            threads=threads,
            sizes=sizes,
            take=lambda number, result: rows.put(number, result["values"]),
            progress=progress,
        )
        for k, ((first, second), c) in enumerate(product(combinations, asked)):
            n = rows.n_defined(k)
            if n == 0:
                quartiles.append(Quartiles(first, second, c, None, None, None, None, None, n_pairs, n_pairs))
                continue
            (low, q1, median, q3, high), middle = _five(rows, k, n)
            quartiles.append(Quartiles(first, second, c, low, q1, median, q3, high, n_pairs, n_pairs - n))
            at, row = divmod(middle, step)
            both = [_one_of(blocks[at][key], row) for key in ((first, 0), (second, 1))]
            scaled = [((v - v.min()) / ((v.max() - v.min()) or 1.0)).tolist() for v in both]
            medians += [MedianCase(first, second, c, a, b) for a, b in zip(*scaled, strict=True)]
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
