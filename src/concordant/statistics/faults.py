"""What a judge gets wrong: topics on which it fails, and groups of systems that it favours."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from concordant.coefficients.declaration import Coefficient, coefficient
from concordant.scores.means import exact_means
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.distributions import beta_quantile, t_below, t_quantile
from concordant.statistics.resampling import Resampler, of_rows
from concordant.statistics.topic_luck import LEAST_TOPICS, ROUNDING
from concordant.study.pairing import Pairing
from concordant.typing import Booleans, Floats, Integers

OF_TOPIC = "tau_b"  # the coefficient that says whether a topic fails
_RARE = 0.05  # the largest share of failing topics that is taken for failures and not for noise


class Failing(NamedTuple):
    """The topics on which a judge fails, of those on which the reference orders the systems."""

    fails: Booleans  # for each common topic
    counted: int
    failing: int
    not_excluded: float  # the largest share of failing topics that these topics do not exclude
    if_reversed: list[float] | None  # the mean of each coefficient if the judge reversed so many topics


def failing_topics(pairing: Pairing, coefficients: Sequence[Coefficient], how: Resampler) -> Failing | None:
    """Return the failing topics of a judge; None for fewer than five topics.

    A topic fails if tau_b of reference and judge is not above 0, or if all scores of the judge are equal. If
    more than a twentieth fails, that is noise rather than failures, and `if_reversed` is None.
    """
    if not pairing.has_topics or len(pairing.common_topics()) < LEAST_TOPICS:
        return None
    common = pairing.on_common_topics
    x, y = common.reference.values, common.estimate.values
    by_topic = common.of_topics([coefficient(OF_TOPIC)])[0].values
    ordered = x.min(axis=1) != x.max(axis=1)
    fails = ordered & ~(by_topic > 0)  # also where the judge has no order
    n, failing = int(ordered.sum()), int(fails.sum())
    if n == 0:
        return None
    share = beta_quantile(failing + 1, n - failing, how.confidence_level) if failing < n else 1.0
    good = np.flatnonzero(ordered & ~fails)
    means = None
    if failing <= _RARE * n and len(good):
        total, n_topics = -(-how.n_resamples // 5), len(x)
        counts, turned = _reversals(how.seed, n_topics, len(good), share, total)
        y = y[good]
        both = np.concatenate([y, y.max(axis=1, keepdims=True) + y.min(axis=1, keepdims=True) - y])
        of_reference = exact_means(counts, x[good])
        of_judge = exact_means(np.hstack([counts - turned, turned]), both)
        values = of_rows(coefficients, of_reference, of_judge, how.threads)
        means = [float(np.nanmean(row)) if not np.isnan(row).all() else math.nan for row in values]
    return Failing(fails, n, failing, share, means)


@functools.lru_cache(maxsize=2)  # judges without failures share them
def _reversals(seed: int, n_topics: int, n_good: int, share: float, total: int) -> tuple[Integers, Integers]:
    """Return how often each topic is drawn, and how many of these times it is reversed: draws x topics."""
    rng = np.random.default_rng([seed, 1])
    counts = rng.multinomial(n_topics, np.full(n_good, 1 / n_good), total)
    return counts, rng.binomial(counts, share)


_LEAST_OTHERS = 5
_CURVED = 10  # systems from which on the curve has a degree of 2
_ILL_CONDITIONED = 1e6


@dataclass(frozen=True)
class Favour:
    """How much higher a judge scores a group than other systems of the same reference score.

    Attributes
    ----------
    group : str
        The name of the group.
    systems : int
        How many systems it has.
    effect : float or None
        The difference, in the scores of the judge; None if it was not tested.
    interval : ConfidenceInterval or None
        Its confidence interval.
    ranks : float or None
        How many ranks a system of the group gains by it, on average.
    pvalue : float or None
        The p-value of no difference, adjusted for the number of groups (Holm).
    not_tested : str or None
        Why the group was not tested.
    """

    group: str
    systems: int
    effect: float | None = None
    interval: ConfidenceInterval | None = None
    ranks: float | None = None
    pvalue: float | None = None
    not_tested: str | None = None


def favoured(
    x: Floats, y: Floats, groups: Sequence[str], alpha: float = 0.05, level: float = 0.95
) -> list[Favour]:
    """Return how a judge treats each group of systems; x and y are topics x systems, without missing scores.

    A curve of the judge's means by those of the reference is fitted to the systems outside the group. A group
    that differs significantly is left out of the curves of the others, which are then tested again. Systems
    whose group is "" are in none: they are among the others, and are not tested.
    """
    names = np.array(groups)
    order = sorted({*groups} - {""})
    flagged: dict[str, Favour] = {}
    so_far = 0.0
    sides = _means(x), _means(y)
    while True:
        usual = ~np.isin(names, list(flagged))
        left = {
            name: _tested(*sides, names == name, usual, name, level) for name in order if name not in flagged
        }
        pvalues = {name: each.pvalue for name, each in left.items() if each.pvalue is not None}
        if not pvalues:
            break
        first = min(pvalues, key=lambda name: pvalues[name])
        so_far = max(so_far, min(1.0, pvalues[first] * len(pvalues)))
        if so_far > alpha:
            break
        flagged[first] = replace(left[first], pvalue=so_far)
    usual = ~np.isin(names, list(flagged))
    if usual.sum() >= _LEAST_OTHERS:
        for name, each in flagged.items():
            again = _tested(*sides, names == name, usual, name, level)
            if again.effect is not None:
                flagged[name] = replace(again, pvalue=each.pvalue)
    for place, name in enumerate(sorted(pvalues, key=lambda name: pvalues[name])):
        if name in left:
            so_far = max(so_far, min(1.0, pvalues[name] * (len(pvalues) - place)))
            left[name] = replace(left[name], pvalue=so_far)
    return [flagged.get(name) or left[name] for name in order]


_Means: TypeAlias = tuple[Floats, float]  # of all topics, and without each; what is rounding


def _means(scores: Floats) -> _Means:
    """Return the means of the systems over all topics, and without each of them: rows x systems."""
    n = len(scores)
    without = [scores[np.arange(n) != topic].mean(axis=0) for topic in range(n if n > 1 else 0)]
    rounding = float(np.abs(scores).max(initial=0.0)) * ROUNDING
    return np.array([scores.mean(axis=0), *without]), rounding


def _tested(x: _Means, y: _Means, inside: Booleans, usual: Booleans, name: str, level: float) -> Favour:
    """Test one group beside the usual systems outside it; the p-value is not adjusted."""
    found = Favour(name, int(inside.sum()))
    outside = usual & ~inside
    (means, scale), (judged, least) = x, y
    n_outside = int(outside.sum())
    if n_outside < _LEAST_OTHERS:
        return replace(found, not_tested=f"only {n_outside} other systems; five are needed")
    if _is_alone(means[:1], inside, outside):
        return replace(found, not_tested="alone at one end of the scale of the reference")
    different = _different(means[:1, outside], scale)
    degree = min(2 if n_outside >= _CURVED else 1, different - 1)
    results = {}
    for each in range(degree, degree + 3):
        freedom = n_outside - each - 1
        if each == degree or (freedom >= 2 and each < different):
            fitted = _effect(means, judged, inside, outside, each, scale)
            if fitted is not None:
                results[each] = (*fitted, freedom)
    if degree not in results or results[degree][2] < 1:
        return replace(found, not_tested="the curve is not defined without each of the topics")
    effect, error, freedom = results[degree]
    pvalue = 0.0
    for value, its_error, its_freedom in results.values():
        t = abs(value) / its_error if its_error else math.inf
        pvalue = max(pvalue, 2 * float(t_below(np.array([-t]), its_freedom)[0]))
    if abs(effect) <= least:
        effect, pvalue = 0.0, 1.0
    half = t_quantile((1 + level) / 2, freedom) * error
    others = judged[0, outside]
    ranks = np.mean([_below(others, own) - _below(others, own - effect) for own in judged[0, inside]])
    interval = ConfidenceInterval(effect - half, effect + half)
    return replace(found, effect=effect, interval=interval, ranks=float(ranks), pvalue=pvalue)


def _different(means: Floats, scale: float) -> int:
    """Return how many different means the systems have, in the row that has the fewest."""
    return 1 + int((np.diff(np.sort(means)) > scale).sum(axis=1).min())


def _is_alone(means: Floats, inside: Booleans, outside: Booleans) -> bool:
    """Return whether in a row fewer than two systems outside are below the mean of the group, or above it."""
    own, others = means[:, inside].mean(axis=1, keepdims=True), means[:, outside]
    return bool(((others <= own).sum(axis=1) < 2).any() or ((others >= own).sum(axis=1) < 2).any())


def _below(values: Floats, value: float) -> float:
    return float((values < value).sum() + (values == value).sum() / 2)


def _effect(
    x: Floats, y: Floats, inside: Booleans, outside: Booleans, degree: int, scale: float
) -> tuple[float, float] | None:
    """Return the mean residual of a group and its standard error; None if a curve is not defined.

    The first row of the means is over all topics, the others are without each of them.
    """
    centre = x[:, outside].mean(axis=1, keepdims=True)
    spread = x[:, outside].std(axis=1, keepdims=True)
    without = x[1:]
    if not spread.all():
        return None
    if len(without) and degree >= _different(without[:, outside], scale):
        return None
    if len(without) and _is_alone(without, inside, outside):
        return None
    design = ((x - centre) / spread)[:, :, None] ** np.arange(degree + 1)
    others, own = design[:, outside], design[:, inside].mean(axis=1)
    left, singular, right = np.linalg.svd(others, full_matrices=False)
    if (singular[:, -1] * _ILL_CONDITIONED <= singular[:, 0]).any():
        return None
    lean = (right @ own[:, :, None])[:, :, 0] / singular  # of the mean of the group
    along = (left.transpose(0, 2, 1) @ y[:, outside, None])[:, :, 0]
    effects = y[:, inside].mean(axis=1) - (lean * along).sum(axis=1)
    residuals = y[0, outside] - left[0] @ along[0]
    freedom, n = int(outside.sum()) - degree - 1, len(without)
    if not freedom:
        return float(effects[0]), math.nan
    leverage = 1 / int(inside.sum()) + float(lean[0] @ lean[0])
    of_systems = float(residuals @ residuals) / freedom * leverage
    rest = effects[1:]
    of_topics = (n - 1) / n * float(((rest - rest.mean()) ** 2).sum()) if n else 0.0
    return float(effects[0]), math.sqrt(of_systems + of_topics)
