"""Coefficients after swaps of systems that differ significantly, and of systems that do not."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from concordant.checks import generator, n_workers, proportion, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientsLike, chosen
from concordant.coefficients.engine import Outcome
from concordant.coefficients.evaluation import evaluate
from concordant.errors import ArgumentError, public
from concordant.experiments.experiment import ExperimentResult, defined, mean, missing_as_zero, needs_topics
from concordant.rankings.pairs import read_pairs
from concordant.reading.from_memory import ScoresLike
from concordant.reading.read_scores import read_scores
from concordant.results.note import Note
from concordant.results.result import records
from concordant.results.table import Columns
from concordant.results.words import count, number, sentences
from concordant.statistics.significance import paired_t_tests
from concordant.typing import Executor, Floats, Progress, RngLike
from concordant.work import in_pieces


@dataclass(frozen=True)
class Swaps:
    """A coefficient after swaps of one kind of pairs.

    Attributes
    ----------
    pairs : str
        The kind of pairs that were swapped: significant, or not significant.
    coefficient : Coefficient
        The coefficient.
    mean : float or None
        The mean over the draws; None if there is none.
    sd : float or None
        The standard deviation; None if there are fewer than two values.
    draws : int
        The number of random draws.
    undefined : int or None
        The number of undefined values, which are left out.
    """

    pairs: str
    coefficient: Coefficient
    mean: float | None
    sd: float | None
    draws: int
    undefined: int | None


@dataclass(frozen=True)
class PairTest:
    """The paired t-test of two systems.

    Attributes
    ----------
    better : str
        The system or item that the reference ranks higher.
    worse : str
        The system or item that the reference ranks lower.
    rank : int
        The rank of the better system, from 1.
    other_rank : int
        The rank of the worse system, from 1.
    pvalue : float
        The p-value of the paired t-test.
    swapped : int
        1 if the first draw swapped the pair, 0 if not.
    """

    better: str
    worse: str
    rank: int
    other_rank: int
    pvalue: float
    swapped: int


@dataclass(frozen=True)
class RankAfter:
    """The rank of a system after one draw of swaps.

    Attributes
    ----------
    pairs : str
        The kind of pairs that were swapped.
    system : str
        The name of the system.
    rank : int
        The rank before the swaps, from 1.
    rank_after : int
        The rank after the swaps, from 1.
    """

    pairs: str
    system: str
    rank: int
    rank_after: int


@dataclass(frozen=True)
class Weight:
    """The cost of swapping the systems at two ranks, rescaled to [0, 1].

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    rank : int
        One rank, from 1.
    other_rank : int
        The other rank, from 1.
    weight : float or None
        The cost of the swap, rescaled to [0, 1].
    pvalue : float
        The p-value of the paired t-test of the two systems.
    """

    coefficient: Coefficient
    rank: int
    other_rank: int
    weight: float | None
    pvalue: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class SwapResult(ExperimentResult[Swaps]):
    """The result of `swap`; prints as text.

    Attributes
    ----------
    swaps : tuple of Swaps
        Coefficients after swaps.
    pairs : Sequence[PairTest]
        Paired t-tests.
    draws : tuple of RankAfter
        Ranks after one draw.
    weights : Sequence[Weight]
        Cost of swapping the systems at two ranks, rescaled to 0..1.

    Examples
    --------
    >>> import concordant as cd
    >>> human = [[0.3, 0.5, 0.1], [0.4, 0.6, 0.2], [0.2, 0.1, 0.3], [0.3, 0.4, 0.1]]
    >>> result = cd.experiments.swap(human, ["tau_b"], n_swaps=1, n_draws=3)
    >>> len(result.pairs), len(result.weights)
    (3, 3)
    """

    function: ClassVar[str] = "swap"

    swaps: tuple[Swaps, ...] = records(Swaps, "Coefficients after swaps")
    pairs: Sequence[PairTest] = records(PairTest, "Paired t-tests")
    draws: tuple[RankAfter, ...] = records(RankAfter, "Ranks after one draw")
    weights: Sequence[Weight] = records(Weight, "Cost of swapping the systems at two ranks, rescaled to 0..1")

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: each coefficient after both kinds of swaps."""
        means: dict[Coefficient, list[str]] = {}
        for row in self.swaps or ():  # significant swaps come first, and are said last
            own = "no value" if row.mean is None else number(row.mean)
            means.setdefault(row.coefficient, []).insert(0, own)
        if not means:
            return ()
        n = self.options["n_swaps"]
        pairs, do = ("1 pair", "does") if n == 1 else (f"{n} pairs", "do")
        after = f"after swaps of {pairs} that {do} not differ significantly and of {pairs} that {do}"
        said = {c: "no value" if {*own} == {"no value"} else " and ".join(own) for c, own in means.items()}
        if {*said.values()} == {"no value"}:
            return sentences([f"There is no value {after}; the notes say why"])
        return sentences([f"Mean values {after}: {', '.join(f'{c} {own}' for c, own in said.items())}"])


@public
def swap(
    scores: ScoresLike,
    coefficients: CoefficientsLike = ("tau_gap", "tau_ap", "pearson_r"),
    *,
    measure: str | None = None,
    n_swaps: int = 5,
    n_draws: int = 50,
    alpha: float = 0.05,
    rng: RngLike = 0,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> SwapResult:
    """Swap pairs of systems that differ significantly, and pairs that do not, and compare the coefficients.

    Parameters
    ----------
    scores : Scores, or what `read_scores` takes
        The scores of systems on topics.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them. A verdict is about the first.
    measure : str, optional
        The measure. It need not be given if there is only one.
    n_swaps : int, default 5
        The number of pairs that each draw swaps, one after the other.
    n_draws : int, default 50
        The number of draws.
    alpha : float, default 0.05
        The level: a pair is significant if the p-value of a two-sided paired t-test over topics is below it.
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
    SwapResult
        ``swaps``, mean and standard deviation of each coefficient for both kinds of pairs; ``pairs``,
        p-values (figure 1), and which pairs the first draw swapped; ``draws``, the ranks after the first draw
        (figures 2 and 3); ``weights``, the cost of each swap (figures 4 to 6), with its p-value.

    References
    ----------
    .. [1] Gao and Oard, "A head-weighted gap-sensitive correlation coefficient", SIGIR 2015, section 4.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> values = np.random.default_rng(0).normal(np.linspace(1, 0, 8), 0.4, (30, 8))
    >>> result = cd.experiments.swap(values, ["tau_b"], rng=1)
    >>> [(each.pairs, each.mean > 0.3) for each in result.swaps]
    [('significant', False), ('not significant', True)]
    """
    asked = chosen(coefficients)
    whole_number("n_swaps", n_swaps)
    whole_number("n_draws", n_draws)
    threads = n_workers(workers)
    proportion("alpha", alpha)
    given = read_scores(scores)
    notes = list(given.notes)
    own = given.fill()
    name, values = own.one_measure(measure)
    needs_topics(own)
    if len(own.systems) < 3:
        raise ArgumentError(f"needs at least three systems, got {len(own.systems)}")
    notes += missing_as_zero(len(given.select(measures=[name]).missing()))
    means = np.array(list(own.mean(name).values()))
    order = np.argsort(-means, kind="stable")
    reference, names = means[order], np.array(own.systems, dtype=object)[order]
    p_values = paired_t_tests(values[:, order])
    source, seed = generator(rng)
    first, second = np.triu_indices(len(names), 1)
    tested = p_values[first, second]
    significant, swapped_first = tested < alpha, np.zeros(len(first), dtype=np.int8)
    swaps: list[Swaps] = []
    draws: list[RankAfter] = []
    kinds = {"significant": significant, "not significant": ~significant}
    for done, (kind, which) in enumerate(kinds.items(), 1):
        candidates = np.flatnonzero(which)
        if len(candidates) < n_swaps:
            swaps += [Swaps(kind, c, None, None, 0, None) for c in asked]
            differ = "differ" if kind == "significant" else "do not differ"
            n = len(candidates)
            text = f"only {count(n, 'pair')} of systems {differ} significantly; {n_swaps} are to be swapped"
            about = {"pairs": n, "kind": kind, "wanted": n_swaps}
            notes.append(Note("too_few_pairs", text=text, values=about, lost=True))
            continue
        estimates = np.tile(reference, (n_draws, 1))
        for draw, row in enumerate(estimates):
            for pair in source.choice(candidates, n_swaps, replace=False):
                i, j = first[pair], second[pair]
                row[[i, j]] = row[[j, i]]
                swapped_first[pair] += draw == 0
        outcomes = evaluate(asked, read_pairs(reference, estimates), "raise", threads, refuse=False)
        for c, outcome in zip(asked, outcomes, strict=True):
            found = defined(outcome.values)
            sd = float(found.std(ddof=1)) if len(found) > 1 else None
            swaps.append(Swaps(kind, c, mean(found), sd, n_draws, n_draws - len(found)))
        ranks = np.argsort(np.argsort(-estimates[0], kind="stable"), kind="stable") + 1
        draws += map(RankAfter, itertools.repeat(kind), names, itertools.count(1), ranks.tolist())
        if progress is not None:
            progress(done, 3)
    weights: list[Floats] = []
    parts = in_pieces(_of_swaps, reference, asked, executor=executor, threads=threads)
    for c, part in zip(asked, parts, strict=True):
        costs = _rescaled(1 - part["values"])
        if part["undefined"]:
            text = f"{c} is undefined for {part['undefined']} of {len(costs)} single swaps: {part['reason']}"
            about = {"coefficient": str(c), "swaps": part["undefined"], "total": len(costs)}
            about |= {"reason": part["reason"]}
            notes.append(Note("undefined_swaps", text=text, values=about, lost=True))
        weights.append(costs)
    if progress is not None:
        progress(3, 3)
    # A record for each pair of many systems would fill the memory.
    ranks_of = [side.astype(np.int32) + 1 for side in (first, second)]
    swapped_by = np.repeat(np.array(asked, dtype=object), len(first))
    each = [np.tile(own_ranks, len(asked)) for own_ranks in ranks_of]
    share = float(significant.mean())
    text = f"{share:.0%} of {len(first)} pairs of systems differ significantly (p < {alpha:g})"
    about = {"share": share, "pairs": len(first), "alpha": alpha}
    return SwapResult(
        swaps=tuple(swaps),
        pairs=Columns(PairTest, names[first], names[second], *ranks_of, tested, swapped_first),
        draws=tuple(draws),
        weights=Columns(Weight, swapped_by, *each, np.concatenate(weights), np.tile(tested, len(asked))),
        notes=(*notes, Note("share_significant", text=text, values=about)),
        options={"n_swaps": n_swaps, "n_draws": n_draws, "alpha": alpha, "measure": name, "seed": seed},
    )


_MOST_AT_ONCE = 1_000_000  # scores of rankings after a swap


def _of_swaps(reference: Floats, c: Coefficient, threads: int) -> dict[str, Any]:
    """Correlate scores with the same scores after each swap of two systems."""
    first, second = np.triu_indices(len(reference), 1)
    step = max(1, _MOST_AT_ONCE // len(reference))
    parts = []
    for start in range(0, len(first), step):
        i, j = first[start : start + step], second[start : start + step]
        estimates = np.tile(reference, (len(i), 1))
        every = np.arange(len(i))
        estimates[every, i], estimates[every, j] = reference[j], reference[i]
        parts += evaluate([c], read_pairs(reference, estimates), "raise", threads, refuse=False)
    outcome = Outcome.joined(parts)
    undefined = {"undefined": int(outcome.undefined), "reason": outcome.reason_of_systems}
    return {"values": outcome.values, **undefined}


def _rescaled(cost: Floats) -> Floats:
    """Rescale to [0, 1]; undefined values stay undefined."""
    if np.isnan(cost).all():
        return cost
    low, high = float(np.nanmin(cost)), float(np.nanmax(cost))
    return (cost - low) / (high - low) if high > low else np.where(np.isnan(cost), cost, 0.0)
