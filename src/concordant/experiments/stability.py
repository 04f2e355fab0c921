"""How often other topics would lead to another conclusion, by each measure and by each coefficient."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from concordant.checks import generator, is_real, n_workers, one_of, proportion, several, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientsLike, chosen
from concordant.coefficients.evaluation import evaluate
from concordant.errors import ArgumentError, option, public
from concordant.experiments.experiment import ExperimentResult, defined, missing_as_zero, needs_topics
from concordant.rankings.pairs import Pairs, Rows
from concordant.reading.from_memory import ScoresLike
from concordant.reading.read_scores import read_scores
from concordant.results.note import Note
from concordant.results.result import records
from concordant.results.table import DETAIL
from concordant.results.words import count, number, sentences
from concordant.scores.means import exact_means
from concordant.statistics.significance import adjust_pvalues, paired_t_tests
from concordant.typing import Executor, Floats, Integers, Progress, RngLike
from concordant.work import in_pieces, piece_size

Fuzziness = Literal["smaller", "larger", "absolute"]
_AT_ONCE = 1_000_000  # comparisons
_ROUNDING = 1e-9
_BINS, _WIDTH = 21, 0.01  # intervals of differences; the last has no upper end


@dataclass(frozen=True)
class _Compares:
    """What compares: a measure compares systems, a coefficient compares pairs of measures."""

    what: str
    name: str


@dataclass(frozen=True)
class Rate(_Compares):
    """How often subsets of the topics disagree about which of two is better.

    Attributes
    ----------
    what : str
        "measure": systems are compared by their means. "coefficient": pairs of measures are compared by how
        much their rankings of the systems agree.
    name : str
        The measure or the coefficient.
    topics : int
        The number of topics of a subset.
    error : float or None
        The share of comparisons that go against the majority of the subsets.
    ties : float or None
        The share of comparisons in which the two are closer than the fuzziness.
    error_decided : float or None
        The same share as `error`, of the comparisons that are not ties.
    difference_needed : float or None
        The smallest difference from which on at most `alpha` of the comparisons swap on other topics; None
        if there is none, or if there are not twice as many topics.
    comparisons : int
        The number of comparisons: pairs times subsets, without undefined values.
    power : float or None
        The share of the pairs that a test over all topics tells apart, without a correction for many tests.
    power_holm : float or None
        The same share after Holm's correction.
    required_difference : float or None
        The largest difference that any pair needs to be told apart; None without a bootstrap.
    """

    topics: int
    error: float | None
    ties: float | None
    error_decided: float | None = field(metadata=DETAIL)
    difference_needed: float | None
    comparisons: int = field(metadata=DETAIL)
    power: float | None
    power_holm: float | None
    required_difference: float | None = field(metadata=DETAIL)


@dataclass(frozen=True)
class SwapRate(_Compares):
    """How often a difference on some topics has the other sign on as many other topics.

    Attributes
    ----------
    what : str
        "measure" or "coefficient".
    name : str
        The measure or the coefficient.
    topics : int
        The number of topics on each side.
    difference : float
        The lower end of the differences; the upper end is the next one, and the last has none.
    comparisons : int
        The number of comparisons with such a difference.
    swap_rate : float or None
        The share of these that have the other sign on the other topics; None if there are none.
    conflict_rate : float or None
        The same, with those that are 0 on the other topics.
    """

    topics: int
    difference: float
    comparisons: int
    swap_rate: float | None
    conflict_rate: float | None


@dataclass(frozen=True)
class SortedPValue(_Compares):
    """One p-value of those of all pairs, the largest first.

    Attributes
    ----------
    what : str
        "measure" or "coefficient".
    name : str
        The measure or the coefficient.
    place : int
        The place of the p-value, from 1.
    pvalue : float
        The p-value.
    """

    place: int
    pvalue: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class StabilityResult(ExperimentResult[Rate]):
    """The result of `stability`; prints as text.

    Attributes
    ----------
    rates : tuple of Rate
        Error and ties over subsets of the topics.
    swaps : tuple of SwapRate
        Swaps by the size of the difference.
    pvalues : tuple of SortedPValue
        P-values of all pairs, the largest first.

    Examples
    --------
    >>> import concordant as cd
    >>> human = [[0.3, 0.5, 0.1], [0.4, 0.6, 0.2], [0.2, 0.1, 0.3], [0.3, 0.4, 0.1]]
    >>> result = cd.experiments.stability(human, topics=2)
    >>> result.rates[0].error, result.rates[0].ties, len(result.swaps)
    (0.0, 0.05555555555555555, 21)
    """

    function: ClassVar[str] = "stability"

    rates: tuple[Rate, ...] = records(Rate, "Error and ties over subsets of the topics")
    swaps: tuple[SwapRate, ...] = records(SwapRate, "Swaps by the size of the difference")
    pvalues: tuple[SortedPValue, ...] = records(SortedPValue, "P-values of all pairs, the largest first")

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: the fewest and the most errors, and the most pairs told apart."""
        said: list[str | None] = []
        for what, things in (("measure", "systems"), ("coefficient", "pairs of measures")):
            rows = [row for row in self.rates or () if row.what == what and row.error is not None]
            rows = [row for row in rows if row.topics == max(each.topics for each in rows)]
            if rows:
                *_, high = low, *_ = sorted(rows, key=lambda row: (row.error, row.ties))
                best = max(rows, key=lambda row: (row.power or 0.0, row.power_holm or 0.0))
                on = f"On {count(low.topics, 'topic')}, {low.name} compares {things} with"
                said.append(f"{on} an error rate of {_rates(low)}")
                said.append(f"{high.name} has the most errors: {_rates(high)}" if high is not low else None)
                holm = f"at {self.options['alpha']:g}, {number(best.power_holm)} after Holm's correction"
                said.append(f"{best.name} tells most of them apart: {number(best.power)} of the pairs {holm}")
        return sentences(said)


def _rates(row: Rate) -> str:
    return f"{number(row.error, 3)}, with {number(row.ties, 3)} tied"


@public
def stability(
    scores: ScoresLike,
    coefficients: CoefficientsLike = ("tau_ap_b", "tau_b", "tau_gap", "pearson_r"),
    *,
    topics: int | Iterable[int] | None = None,
    reference: str | None = None,
    n_draws: int = 1000,
    fuzziness: float = 0.05,
    of: Fuzziness = "smaller",
    alpha: float = 0.05,
    test: Literal["t", "bootstrap"] = "t",
    n_resamples: int = 1000,
    rng: RngLike = 0,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> StabilityResult:
    """Show how often other topics lead to another conclusion, by each measure and by each coefficient.

    A measure compares systems by their means. A coefficient compares pairs of measures by how much their
    rankings of the systems agree. A judge is a measure here: with the files of a reference and of several
    judges, coefficients compare judges.

    Parameters
    ----------
    scores : Scores, or what `read_scores` takes
        The scores of systems on topics.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them. They need at least three measures.
    topics : int or iterable of int, optional
        The numbers of topics of a subset; by default half of the topics. Swaps need twice as many topics.
    reference : str, optional
        The measure with which coefficients compare all others, such as the human one. By default they compare
        all pairs of measures; the reference of a pair is the measure that comes first.
    n_draws : int, default 1000
        The number of random subsets, and of random pairs of disjoint subsets. If there are no more, all are
        used. With fewer than 200 draws, the error rate is too small.
    fuzziness : float, default 0.05
        Two values are a tie if their difference is at most this share of one of them, or at most this.
    of : {"smaller", "larger", "absolute"}
        The value of which `fuzziness` is a share; "absolute" if it is the difference itself.
    alpha : float, default 0.05
        The level of the tests, and the largest rate of swaps for which a difference is sought.
    test : {"t", "bootstrap"}
        The test of two systems: a paired t-test, or the studentized bootstrap of Sakai. Coefficients have no
        values of single topics: their topics are resampled.
    n_resamples : int, default 1000
        The number of bootstrap resamples of the topics.
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
    StabilityResult
        ``rates``, error and ties for each number of topics, which belong together: a measure can have few
        errors because it has many ties; with the share of pairs that a test tells apart; ``swaps``, the swap
        rate by difference; ``pvalues``, the curve of the p-values.

    Notes
    -----
    For a pair, G, L and E are the subsets on which the first is larger, smaller, and tied. Over all pairs,
    error = sum of min(G, L) / sum of (G + L + E), and ties = sum of E / sum of (G + L + E) [1]. The swap rate
    is the share of differences d on one subset and e on a disjoint one with d e < 0 [2]. The power is the
    share of pairs with a p-value below `alpha` [3]; for a coefficient with the difference d, and d* on
    resampled topics, the p-value is the share of resamples with abs(d* - d) >= abs(d).

    References
    ----------
    .. [1] Buckley and Voorhees, "Evaluating evaluation measure stability", SIGIR 2000.
    .. [2] Voorhees and Buckley, "The effect of topic set size on retrieval experiment error", SIGIR 2002.
    .. [3] Sakai, "Evaluating evaluation metrics based on the bootstrap", SIGIR 2006.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> values = np.linspace(0.6, 0.3, 8) + rng.normal(0, [[[0.1]], [[0.3]]], (2, 40, 8))
    >>> scores = cd.Scores(values, measures=["AP", "RR"])
    >>> [(rate.name, round(rate.error, 2)) for rate in cd.experiments.stability(scores, rng=1).rates]
    [('AP', 0.01), ('RR', 0.07)]
    """
    asked = tuple(chosen(coefficients))
    whole_number("n_draws", n_draws)
    whole_number("n_resamples", n_resamples)
    if not is_real(fuzziness) or not 0 <= fuzziness < math.inf:
        raise ArgumentError(f"{option('fuzziness')} must be a number from 0 up, got {fuzziness!r}")
    one_of("of", of, get_args(Fuzziness))
    one_of("test", test, ("t", "bootstrap"))
    proportion("alpha", alpha)
    threads = n_workers(workers)
    given = read_scores(scores)
    notes = [*given.notes, *missing_as_zero(len(given.missing()))]
    own = given.fill()
    n_topics, measures = needs_topics(own), own.measures
    sizes = [n_topics // 2] if topics is None else several("topics", topics)
    sizes = [whole_number("topics", size) for size in sizes]
    if not sizes or max(sizes) >= n_topics:
        raise ArgumentError(f"there are {n_topics} topics; choose from 1 to {n_topics - 1}, got {sizes}")
    if len(own.systems) < 2:
        raise ArgumentError(f"needs at least two systems, got {len(own.systems)}")
    fixed = None if reference is None else measures.index(own.one_measure(reference)[0])
    every = product(range(len(measures)), repeat=2)
    compared = [(i, j) for i, j in every if (i < j if fixed is None else i == fixed != j)]
    if len(compared) < 2 and asked:
        text = f"coefficients need three measures or more to compare; got {len(measures)}"
        notes.append(Note("too_few_measures", text=text, values={"measures": len(measures)}, lost=True))
        asked = ()
    labels = [("measure", name) for name in measures] + [("coefficient", str(c)) for c in asked]
    shared: _Shared = own.values, own.systems, asked, compared, (fuzziness, of)
    source, seed = generator(rng)
    most = max(1, _AT_ONCE // math.comb(max(len(own.systems), len(compared)), 2))
    step = piece_size(n_draws, most, executor)
    # Errors are counted over single subsets, swaps over two that are disjoint.
    asked_for = [(size, parts) for size, parts in product(sizes, (1, 2)) if parts * size <= n_topics]
    drawn = [(*key, _subsets(source, n_topics, *key, n_draws)) for key in asked_for]
    pieces = [(*key, rows[k : k + step]) for *key, rows in drawn for k in range(0, len(rows), step)]
    how: dict[str, Any] = {"executor": executor, "threads": threads, "progress": progress}
    counted = in_pieces(_counted, shared, pieces, sizes=[len(rows) for *_, rows in pieces], **how)
    totals: dict[tuple[int, int, int], Floats] = {}
    for (size, parts, _), found in zip(pieces, counted, strict=True):
        for k in range(len(labels)):
            totals[size, parts, k] = totals.get((size, parts, k), 0) + found[str(k)]
    resamples = source.multinomial(n_topics, np.full(n_topics, 1 / n_topics), n_resamples)
    again, once = (_values(shared, each, threads) for each in (resamples, np.ones_like(resamples[:1])))
    rates: list[Rate] = []
    swaps: list[SwapRate] = []
    curves: list[SortedPValue] = []
    for k, label in enumerate(labels):
        required = None
        if label[0] == "coefficient":
            pvalues, required = _resampled(again[k], once[k][0], alpha)
        elif test == "bootstrap":
            pvalues, required = bootstrap_tests(own.values[k], resamples, alpha)
        else:
            pvalues = paired_t_tests(own.values[k])[np.triu_indices(len(own.systems), 1)]
        pvalues = -np.sort(-defined(pvalues))
        both = (pvalues, adjust_pvalues(pvalues)) if len(pvalues) else ()
        power: list[Any] = [float((each < alpha).mean()) for each in both] or [None, None]
        curves += [SortedPValue(*label, place, p) for place, p in enumerate(pvalues.tolist(), 1)]
        for size in sizes:
            swapped = _swap_rates(label, size, totals.get((size, 2, k), np.zeros((3, 0))))
            row: list[Any] = [*label, size, *_rate(totals[size, 1, k], swapped, alpha), *power, required]
            rates.append(Rate(*row))
            swaps += swapped
    return StabilityResult(
        rates=tuple(sorted(rates, key=lambda row: sizes.index(row.topics))),
        swaps=tuple(swaps),
        pvalues=tuple(curves),
        notes=tuple(notes),
        options={"topics": sizes, "systems": len(own.systems), "measures": list(measures)}
        | {"reference": reference, "n_draws": n_draws, "fuzziness": fuzziness, "of": of}
        | {"alpha": alpha, "test": test, "n_resamples": n_resamples, "seed": seed},
    )


# The values, measures x topics x systems; the systems; the coefficients; the pairs of measures that they
# compare; fuzziness, and of what.
_Shared = tuple[Floats, Sequence[str], Sequence[Coefficient], list[tuple[int, int]], tuple[float, str]]


def _subsets(rng: np.random.Generator, n_topics: int, size: int, parts: int, n_draws: int) -> Integers:
    """Return subsets of the topics, or two disjoint ones side by side: all, or random ones of more."""
    everything = range(n_topics)
    if math.comb(n_topics, size) * (math.comb(n_topics - size, size) if parts == 2 else 1) <= n_draws:
        first = combinations(everything, size)
        rest = size if parts == 2 else 0
        rows = [a + b for a in first for b in combinations([t for t in everything if t not in a], rest)]
        return np.array(rows)
    return rng.permuted(np.tile(everything, (n_draws, 1)), axis=1)[:, : parts * size]


def _values(shared: _Shared, weights: Integers, threads: int) -> list[Floats]:
    """Return the values that each measure and coefficient compares, a row for each row of weights."""
    values, systems, asked, compared, _ = shared
    found = [exact_means(weights, own) for own in values]
    if asked:
        rows = Rows.equal(np.concatenate(found), lambda _row, k: repr(systems[k]))
        places = np.arange(len(rows)).reshape(len(values), -1)
        x, y = (np.concatenate([places[pair[side]] for pair in compared]) for side in (0, 1))
        outcomes = evaluate(asked, Pairs(rows, rows, x, y, (len(x),)), "raise", threads, refuse=False)
        found += [outcome.values.reshape(len(compared), -1).T for outcome in outcomes]
    return found


def _counted(shared: _Shared, piece: tuple[int, int, Integers], threads: int) -> dict[str, Any]:
    """Count larger, smaller and tied for each pair; or comparisons, swaps and conflicts by difference."""
    size, parts, rows = piece
    fuzziness, of = shared[4]
    sides = []
    for part in range(parts):
        weights = np.zeros((len(rows), shared[0].shape[1]), dtype=np.int64)
        np.put_along_axis(weights, rows[:, part * size : (part + 1) * size], 1, axis=1)
        sides.append(_values(shared, weights, threads))
    found = {}
    for k, own in enumerate(sides[0]):
        first, second = np.triu_indices(own.shape[1], 1)
        d = own[:, first] - own[:, second]
        if parts == 1:
            a, b = np.abs(own[:, first]), np.abs(own[:, second])
            scale = {"smaller": np.minimum, "larger": np.maximum}.get(of, lambda *_: 1.0)(a, b)
            tied = np.abs(d) <= fuzziness * scale + 1e-12
            found[str(k)] = np.stack([(d > 0) & ~tied, (d < 0) & ~tied, tied]).sum(axis=1)
        else:
            e = sides[1][k][:, first] - sides[1][k][:, second]
            there = ~np.isnan(d * e)
            d, e = d[there], e[there]
            bins = np.minimum((np.abs(d) + _ROUNDING) // _WIDTH, _BINS - 1).astype(np.int64)
            which = (d * e <= 0) & ((d != 0) | (e != 0))  # conflicts
            counted = (np.bincount(each, minlength=_BINS) for each in (bins, bins[d * e < 0], bins[which]))
            found[str(k)] = np.stack(list(counted))
    return found


def _swap_rates(label: tuple[str, str], size: int, counts: Any) -> list[SwapRate]:
    shares = [(swaps / n, conflicts / n) if n else (None, None) for n, swaps, conflicts in counts.T.tolist()]
    bins = zip(counts[0].tolist(), shares, strict=True)
    return [SwapRate(*label, size, round(k * _WIDTH, 12), int(n), *both) for k, (n, both) in enumerate(bins)]


def _rate(counts: Any, swaps: list[SwapRate], alpha: float) -> tuple[Any, ...]:
    """Return error, ties, error of what is not tied, the difference needed, and the number of comparisons."""
    wrong, tied, total = (int(each.sum()) for each in (np.minimum(*counts[:2]), counts[2], counts))
    # The difference is the first from which on no interval has too many swaps.
    there = [row for row in swaps if row.swap_rate is not None]
    many = max((row.difference for row in there if (row.swap_rate or 0.0) > alpha), default=-1.0)
    needed = min((row.difference for row in swaps if row.difference > many), default=None)
    needed = needed if there and many < there[-1].difference else None
    shares = (wrong / total, tied / total) if total else (None, None)
    return *shares, wrong / (total - tied) if total > tied else None, needed, total


def bootstrap_tests(values: Floats, resamples: Integers, level: float) -> tuple[Floats, float | None]:
    """Return the p-values of Sakai's bootstrap for all pairs of systems, and the difference that all need.

    Resamples are rows that say how often each topic is drawn. The same ones are used for all pairs.
    """
    n, parts = len(values), []
    for i in range(values.shape[1] - 1):
        z = values[:, [i]] - values[:, i + 1 :]
        w = z - z.mean(axis=0)
        means = resamples @ w / n
        t = _studentized(z.mean(axis=0), (z**2).mean(axis=0), n)
        again = _studentized(means, resamples @ w**2 / n, n)
        parts.append(((again >= t * (1 - _ROUNDING)).mean(axis=0), _largest(np.abs(means), level)))
    pvalues, furthest = zip(*parts, strict=True)
    return np.concatenate(pvalues), max(furthest) or None


def _studentized(mean: Floats, square: Floats, n: int) -> Floats:
    """Return abs(t); without variance it is 0 for a mean of 0, and infinite otherwise."""
    variance = np.where(square - mean**2 <= 1e-12 * square, 0.0, square - mean**2)
    mean = np.where(mean**2 <= 1e-24 * square, 0.0, np.abs(mean))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(mean == 0, 0.0, mean / np.sqrt(variance / (n - 1)))


def _resampled(again: Floats, once: Floats, level: float) -> tuple[Floats, float | None]:
    """Return the same for values that are not means over topics, without studentizing."""
    first, second = np.triu_indices(len(once), 1)
    d = once[first] - once[second]
    away = np.abs(again[:, first] - again[:, second] - d)
    there = np.maximum(1, (~np.isnan(away)).sum(axis=0))
    pvalues = np.where(np.isnan(d), np.nan, (away >= np.abs(d) * (1 - _ROUNDING)).sum(axis=0) / there)
    return pvalues, _largest(np.nan_to_num(away), level) or None


def _largest(away: Floats, level: float) -> float:
    """Return the largest, over pairs, of the distances that only a share of the resamples reaches."""
    place = math.floor(level * len(away) + _ROUNDING)
    return float((-np.sort(-away, axis=0))[place - 1].max()) if place else 0.0
