"""Which systems differ significantly, as ties for coefficients and as counts of pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from concordant._inputs import Floats, one_of, seeded, share, whole_number
from concordant._relation import TieRelation
from concordant._resampling import exchanged, exchanges
from concordant.alignment import align
from concordant.inference import Correction, adjust_pvalues, measures_of
from concordant.scores import Scores

__all__ = ["SignificantPairs", "significant_pairs", "tied_by_significance"]

Test = Literal["t", "randomisation"]

_TESTS = ("t", "randomisation")
_MOST_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class SignificantPairs:
    """Pairs of systems by whether truth and estimate find a significant difference between them."""

    agree: int  # on both sides, in the same order
    opposed: int  # on both sides, in the opposite order
    truth_only: int
    estimate_only: int
    neither: int
    alpha: float
    notes: tuple[str, ...] = ()  # what became of missing scores and topics

    @property
    def n_pairs(self) -> int:
        """All pairs."""
        return self.agree + self.opposed + self.truth_only + self.estimate_only + self.neither

    def __repr__(self) -> str:
        return (
            f"of {self.n_pairs} pairs, {self.agree + self.opposed} differ significantly on both sides ({self.agree} agree, "
            f"{self.opposed} opposed), {self.truth_only} by the truth only, {self.estimate_only} by the estimate only, "
            f"{self.neither} on neither (alpha {self.alpha:g})" + "".join(f"; {note}" for note in self.notes)
        )


def tied_by_significance(
    scores: Any,
    alpha: float = 0.05,
    *,
    test: Test = "t",
    correction: Correction | None = "holm",
    measure: str | None = None,
    n_resamples: int = 9999,
    rng: Any = None,
) -> TieRelation:
    """Return which systems do not differ significantly over the topics: a relation in place of a threshold.

    Parameters
    ----------
    scores : Scores, or what `Scores.of` takes
        Missing scores are an error; see `Scores.fill`.
    alpha : float, default 0.05
        Two systems are tied unless their p-value is below.
    test : {"t", "randomisation"}
        Two-sided paired t-test, for which SciPy is needed; or exchanging the two systems on random topics.
    correction : {"holm", "bh"} or None
        Of the p-values of all pairs, see `adjust_pvalues`.
    measure : str, optional
        Of the scores; the only one by default.
    n_resamples : int, default 9999
        Of the randomisation; all ways are tried if there are no more.
    rng : int, Generator or None
        Of the randomisation.

    Returns
    -------
    TieRelation
        For ``threshold=`` of the Kendall and AP coefficients with ties; ``pvalues`` holds the p-values, as corrected.

    Notes
    -----
    Not to differ significantly is not transitive, like a threshold. Random p-values are at least 1 / (n_resamples + 1): with Holm's
    correction of many pairs none may be small enough, which is an error.

    References
    ----------
    .. [1] Gao and Oard, "A head-weighted gap-sensitive correlation coefficient", SIGIR 2015, section 5.
    .. [2] Smucker, Allan and Carterette, "A comparison of statistical significance tests for information retrieval evaluation",
       CIKM 2007.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> truth = cd.Scores(rng.normal([0.5, 0.48, 0.3, 0.1], 0.1, (40, 4)), systems=["a", "b", "c", "d"])
    >>> relation = cd.tied_by_significance(truth)
    >>> relation
    <relation: 1 of 6 pairs of 4 items are tied>
    >>> estimate = {"a": 0.3, "b": 0.4, "c": 0.2, "d": 0.1}  # only a and b are exchanged
    >>> cd.tau_b(truth.mean(), estimate, threshold=(relation, 0.0)).round(4)
    0.9129
    """
    who = "tied_by_significance"
    share(who, "alpha", alpha)
    one_of(who, "test", test, _TESTS)
    one_of(who, "correction", correction, ("holm", "bh", None))
    whole_number(who, "n_resamples", n_resamples)
    own = Scores.of(scores)
    name, values = own.one_measure(measure)
    own.mean(name)  # missing scores are an error
    if len(own.topics) < 2:
        raise ValueError(f"{who}: a test needs two topics at least, got {len(own.topics)}")
    n = len(own.systems)
    first, second = np.triu_indices(n, 1)
    if test == "t":
        found = paired_t_tests(values)[first, second]
    else:
        smallest = max(1 / (n_resamples + 1), 2.0 ** (1 - len(own.topics)))
        if correction == "holm" and smallest * len(first) >= alpha:
            limit = "topics" if 2.0 ** (1 - len(own.topics)) * len(first) >= alpha else "resamples"
            raise ValueError(
                f"{who}: no p-value of random exchanges can be below {alpha:g} after Holm's correction for {len(first)} pairs; "
                f"use more {limit}, test='t' or correction='bh'"
            )
        found = paired_randomisation_tests(values, n_resamples, seeded(rng)[0])[first, second]
    if correction is not None and len(found):
        found = adjust_pvalues(found, correction)
    pvalues = np.ones((n, n))
    pvalues[first, second] = pvalues[second, first] = found
    return TieRelation(pvalues >= alpha, own.systems, pvalues)


def significant_pairs(
    truth: Any,
    estimate: Any,
    alpha: float = 0.05,
    *,
    test: Test = "t",
    correction: Correction | None = "holm",
    measure: str | tuple[str, str] | None = None,
    on_missing: str | None = None,
    n_resamples: int = 9999,
    rng: Any = None,
) -> SignificantPairs:
    """Count the pairs of systems that differ significantly by truth and estimate, and whether in the same order.

    On the topics that both sides have.

    Parameters
    ----------
    truth, estimate : Scores, or what `Scores.of` takes
    alpha : float, default 0.05
    test, correction, n_resamples, rng
        As `tied_by_significance` has them.
    measure : str or (str, str), optional
        Of both, or of truth and estimate; the only one by default.
    on_missing : {"error", "drop", "zero"}, optional
        See `align`.

    Returns
    -------
    SignificantPairs
        Five counts that sum to n (n - 1) / 2.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal([0.5, 0.48, 0.3, 0.1], 0.1, (40, 4))
    >>> llm = truth + rng.normal([0, 0, 0.5, 0.2], 0.1, (40, 4))
    >>> cd.significant_pairs(truth, llm)
    of 6 pairs, 5 differ significantly on both sides (3 agree, 2 opposed), 0 by the truth only, 0 by the estimate only, 1 on \
neither (alpha 0.05)
    """
    who = "significant_pairs"
    measures = measures_of(who, measure)
    aligned = align(truth, estimate, on_missing=on_missing).on_common_topics(who)
    found = pairs_of(
        aligned.truth, aligned.estimates[0], measures, alpha, test=test, correction=correction, n_resamples=n_resamples, rng=rng
    )  # fmt: skip
    return replace(found, notes=aligned.notes)


def pairs_of(
    truth: Scores, estimate: Scores, measures: tuple[str | None, str | None], alpha: float, **how: Any
) -> SignificantPairs:  # fmt: skip
    """Count for scores of the same systems."""
    upper = np.triu_indices(len(truth.systems), 1)
    signs = []
    for scores, measure in zip((truth, estimate), measures, strict=True):
        relation = tied_by_significance(scores, alpha, measure=measure, **how)
        means = np.array(list(scores.mean(measure).values()))
        order = (means[:, None] > means[None, :]).astype(int) - (means[:, None] < means[None, :])
        signs.append(np.where(relation.tied, 0, order)[upper])
    x, y = signs
    kinds = (x * y == 1, x * y == -1, (x != 0) & (y == 0), (x == 0) & (y != 0), (x == 0) & (y == 0))
    agree, opposed, truth_only, estimate_only, neither = (int(kind.sum()) for kind in kinds)
    return SignificantPairs(agree, opposed, truth_only, estimate_only, neither, alpha)


def _scaled(values: Floats) -> Floats:
    """Bring scores near 1, so that squares neither overflow nor vanish; tests do not depend on the scale."""
    scaled: Floats = np.ldexp(values, -math.frexp(float(np.abs(values).max(initial=0.0)))[1])
    return scaled


_ROUNDING = 1e-12  # a difference of means that is less than this part of the scores is none


def paired_t_tests(values: Floats) -> Floats:
    """Return the two-sided p-values of paired t-tests of all pairs of columns; 1 where two means are the same."""
    try:
        from scipy.special import stdtr
    except ImportError:
        raise ImportError("paired t-tests need SciPy: pip install 'concordant[stats]'") from None
    values = _scaled(values)
    n_topics, n = values.shape
    size = np.abs(values).mean(axis=0)
    p_values = np.ones((n, n))
    for i in range(n):
        difference = values[:, [i]] - values
        mean = difference.mean(axis=0)
        spread = difference.std(axis=0, ddof=1) / math.sqrt(n_topics)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(mean / spread)
        real = np.abs(mean) > _ROUNDING * np.maximum(size[i], size)
        p_values[i] = np.where(real, 2 * stdtr(n_topics - 1, -t), 1.0)
    return p_values


def paired_randomisation_tests(values: Floats, n_resamples: int, rng: np.random.Generator) -> Floats:
    """Return the two-sided p-values of exchanging two columns on random topics, for all pairs of columns."""
    values = _scaled(values)
    n_topics, n = values.shape
    first, second = np.triu_indices(n, 1)
    difference = values[:, first] - values[:, second]
    size = np.abs(values).sum(axis=0)
    observed = np.abs(difference.sum(axis=0)) - _ROUNDING * np.maximum(size[first], size[second])
    total, exact = exchanges(n_topics, n_resamples)
    extreme = np.full(len(first), 0 if exact else 1)
    step = max(1, _MOST_AT_ONCE // max(len(first), n_topics))
    for _, exchange in exchanged(n_topics, n_resamples, rng, step):
        extreme += (np.abs((1.0 - 2.0 * exchange) @ difference) >= observed).sum(axis=0)
    p_values = np.ones((n, n))
    p_values[first, second] = p_values[second, first] = extreme / (total + (0 if exact else 1))
    return p_values
