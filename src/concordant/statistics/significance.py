"""Which systems differ significantly, as ties for coefficients; and p-values adjusted for many tests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, get_args, overload

import numpy as np
from numpy.typing import ArrayLike

from concordant.checks import generator, one_of, proportion, whole_number
from concordant.coefficients.costs import near_one
from concordant.errors import ArgumentError, option, public
from concordant.rankings.convert import as_floats
from concordant.rankings.ties import TieRelation
from concordant.reading.from_memory import ScoresLike
from concordant.reading.read_scores import read_scores
from concordant.statistics.difference import exchanged, exchanges
from concordant.statistics.distributions import t_below
from concordant.statistics.resampling import Correction
from concordant.statistics.topic_luck import moments_of_pairs
from concordant.study.pairing import Measured, too_many_pairs
from concordant.typing import Floats, RngLike
from concordant.work import rows_of

Test = Literal["t", "randomisation"]


@public
def tied_by_significance(
    scores: ScoresLike,
    alpha: float = 0.05,
    *,
    test: Test = "t",
    correction: Correction | None = "holm",
    measure: str | None = None,
    n_resamples: int = 9999,
    rng: RngLike = None,
) -> TieRelation:
    """Return which systems do not differ significantly, as a tie relation to use in place of a threshold.

    Parameters
    ----------
    scores : Scores, or what `read_scores` takes
        The scores of systems on topics. A missing score is an error; see `Scores.fill`.
    alpha : float, default 0.05
        The level: two systems are tied unless their p-value is below it.
    test : {"t", "randomisation"}
        The test: a two-sided paired t-test; or a randomisation test, which exchanges the two systems on
        random topics.
    correction : {"holm", "bh", "by"} or None
        The correction of the p-values for the number of pairs; see `adjust_pvalues`.
    measure : str, optional
        The measure. It need not be given if there is only one.
    n_resamples : int, default 9999
        The number of random exchanges of the randomisation test; all are tried if there are no more.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        The seed or the generator of random numbers, for the randomisation.

    Returns
    -------
    TieRelation
        The relation, for the option ``threshold`` of the Kendall and AP coefficients with ties. Its
        ``pvalues`` are the corrected p-values.

    Notes
    -----
    Like ties within a threshold, this relation is not transitive. The p-values of the randomisation test are
    at least 1 / (n_resamples + 1). If none can be below `alpha` after Holm's correction, an error is raised.

    References
    ----------
    .. [1] Gao and Oard, "A head-weighted gap-sensitive correlation coefficient", SIGIR 2015, section 5.
    .. [2] Smucker, Allan and Carterette, "A comparison of statistical significance tests for information
       retrieval evaluation", CIKM 2007.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> reference = cd.Scores(rng.normal([0.5, 0.48, 0.3, 0.1], 0.1, (40, 4)), systems=["a", "b", "c", "d"])
    >>> relation = cd.tied_by_significance(reference)
    >>> relation
    <relation: 1 of 6 pairs of 4 items are tied>
    >>> estimate = {"a": 0.3, "b": 0.4, "c": 0.2, "d": 0.1}  # only a and b are exchanged
    >>> cd.tau_b(reference.mean(), estimate, threshold=(relation, 0.0)).round(4)
    0.9129
    """
    own = read_scores(scores)
    side = Measured(own, own.one_measure(measure)[0])
    return relation_of(side, alpha, test, correction, n_resamples, rng)


def relation_of(
    side: Measured,
    alpha: float,
    test: Test = "t",
    correction: Correction | None = "holm",
    n_resamples: int = 9999,
    rng: RngLike = None,
) -> TieRelation:
    """Return which systems of one side do not differ significantly."""
    proportion("alpha", alpha)
    one_of("test", test, get_args(Test))
    one_of("correction", correction, (*get_args(Correction), None))
    whole_number("n_resamples", n_resamples)
    n, n_topics = len(side.mean), len(side.topics)  # missing scores are an error
    if n_topics < 2:
        raise ArgumentError(f"a test needs at least two topics, got {n_topics}")
    if why := too_many_pairs(n):
        raise ArgumentError(why)
    first, second = np.triu_indices(n, 1)
    found: Floats
    if test == "t":
        found = paired_t_tests(side.values)[first, second]
    else:
        smallest = max(1 / (n_resamples + 1), 2.0 ** (1 - n_topics))
        if correction == "holm" and smallest * len(first) >= alpha:
            limit = "topics" if 2.0 ** (1 - n_topics) * len(first) >= alpha else "resamples"
            raise ArgumentError(
                f"no p-value of random exchanges can be below {alpha:g} after Holm's correction for "
                f"{len(first)} pairs; use more {limit}, {option('test', 't')} or "
                f"{option('correction', 'bh')}"
            )
        found = paired_randomisation_tests(side.values, n_resamples, generator(rng)[0])[first, second]
    if correction is not None and len(found):
        found = adjust_pvalues(found, correction)
    pvalues = np.ones((n, n))
    pvalues[first, second] = pvalues[second, first] = found
    return TieRelation(pvalues >= alpha, side.scores.systems, pvalues)


_MOST_AT_ONCE = 1 << 22
_ROUNDING = 1e-12  # a smaller difference of means, relative to the scores, is rounding


def paired_t_tests(values: Floats) -> Floats:
    """Return the two-sided p-values of paired t-tests of all pairs of columns.

    The p-value is 1 where two means are the same.
    """
    values = near_one(values)
    n_topics, n = values.shape
    size = np.abs(values).mean(axis=0)
    p_values = np.ones((n, n))
    first, second = np.triu_indices(n, 1)
    mean, squares = moments_of_pairs(values, -1.0)
    spread = np.sqrt(squares / (n_topics - 1)) / math.sqrt(n_topics)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean / spread)
    real = np.abs(mean) > _ROUNDING * np.maximum(size[first], size[second])
    found = 2 * t_below(-np.where(real, t, 0.0), n_topics - 1)
    p_values[first, second] = p_values[second, first] = found
    return p_values


def paired_randomisation_tests(values: Floats, n_resamples: int, rng: np.random.Generator) -> Floats:
    """Return the two-sided p-values of exchanging two columns on random topics, for all pairs of columns."""
    values = near_one(values)
    n_topics, n = values.shape
    first, second = np.triu_indices(n, 1)
    difference = values[:, first] - values[:, second]
    size = np.abs(values).sum(axis=0)
    observed = np.abs(difference.sum(axis=0)) - _ROUNDING * np.maximum(size[first], size[second])
    total, exact = exchanges(n_topics, n_resamples)
    extreme = np.full(len(first), 0 if exact else 1)
    step = max(1, _MOST_AT_ONCE // max(len(first), n_topics))
    for piece in exchanged(n_topics, n_resamples, rng, step):
        exchange = rows_of(piece)
        extreme += (np.abs((1.0 - 2.0 * exchange) @ difference) >= observed).sum(axis=0)
    p_values = np.ones((n, n))
    p_values[first, second] = p_values[second, first] = extreme / (total + (0 if exact else 1))
    return p_values


Key = TypeVar("Key")


@overload
def adjust_pvalues(pvalues: Mapping[Key, float], method: Correction = ...) -> dict[Key, float]: ...
@overload
def adjust_pvalues(pvalues: ArrayLike, method: Correction = ...) -> Floats: ...
@public
def adjust_pvalues(
    pvalues: Mapping[Any, float] | ArrayLike, method: Correction = "holm"
) -> dict[Any, float] | Floats:
    """Adjust p-values for the number of tests, so that each can be compared with the same level.

    Parameters
    ----------
    pvalues : array_like or mapping
        The p-values; the keys of a mapping may be anything.
    method : {"holm", "bh", "by"}
        "holm" (Holm): the probability of any false rejection is at most the level. "bh" (Benjamini and
        Hochberg): the expected share of false rejections among the rejections is at most the level. "by"
        (Benjamini and Yekutieli): the same, however the tests depend on each other.

    Returns
    -------
    numpy.ndarray or dict
        The adjusted p-values; a mapping keeps its keys.

    References
    ----------
    .. [1] Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics
       6, 1979.
    .. [2] Benjamini and Hochberg, "Controlling the false discovery rate", JRSS B 57, 1995.
    .. [3] Benjamini and Yekutieli, "The control of the false discovery rate in multiple testing under
       dependency", Annals of Statistics 29, 2001.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.adjust_pvalues([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    >>> cd.adjust_pvalues({"gpt": 0.01, "llama": 0.04}, "bh")
    {'gpt': 0.02, 'llama': 0.04}
    """
    one_of("method", method, get_args(Correction))
    if isinstance(pvalues, Mapping):
        adjusted = adjust_pvalues(list(pvalues.values()), method)
        return dict(zip(pvalues, adjusted.tolist(), strict=True))
    p = as_floats("pvalues", pvalues)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        bad = f"{p[~((p >= 0) & (p <= 1))][0]:g}" if p.ndim == 1 else f"an array of shape {p.shape}"
        raise ArgumentError(f"pvalues must be a list of numbers from 0 to 1, got {bad}")
    if method == "holm":
        return holm(p, len(p))
    order, rank = np.argsort(p, kind="stable"), np.arange(1, len(p) + 1)
    more = float((1 / rank).sum()) if method == "by" else 1.0
    steps = np.minimum.accumulate((p[order] * len(p) * more / rank)[::-1])[::-1]
    found = np.empty_like(p)
    found[order] = np.minimum(steps, 1.0)
    return found


def holm(pvalues: Floats, n_tests: int) -> Floats:
    """Return the smallest p-values of all tests, adjusted by the method of Holm."""
    order = np.argsort(pvalues, kind="stable")
    found = np.empty_like(pvalues)
    steps = np.maximum.accumulate(pvalues[order] * (n_tests - np.arange(len(pvalues))))
    found[order] = np.minimum(steps, 1.0)
    return found
