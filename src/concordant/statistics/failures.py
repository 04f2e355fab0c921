"""Topics on which a judge fails, and what failures would cost that these topics cannot exclude."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from concordant.coefficients.declaration import Coefficient, coefficient
from concordant.scores.means import exact_sums, snap
from concordant.statistics.distributions import beta_quantile
from concordant.statistics.resampling import Resampler, of_rows
from concordant.statistics.topic_luck import LEAST_TOPICS
from concordant.study.pairing import Pairing
from concordant.typing import Booleans, Integers

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
        of_reference = snap(exact_sums(counts, x[good]) / n_topics)
        of_judge = snap(exact_sums(np.hstack([counts - turned, turned]), both) / n_topics)
        values = of_rows(coefficients, of_reference, of_judge, how.threads)
        means = [float(np.nanmean(row)) if not np.isnan(row).all() else math.nan for row in values]
    return Failing(fails, n, failing, share, means)


@functools.lru_cache(maxsize=2)  # judges without failures share them
def _reversals(seed: int, n_topics: int, n_good: int, share: float, total: int) -> tuple[Integers, Integers]:
    """Return how often each topic is drawn, and how many of these times it is reversed: draws x topics."""
    rng = np.random.default_rng([seed, 1])
    counts = rng.multinomial(n_topics, np.full(n_good, 1 / n_good), total)
    return counts, rng.binomial(counts, share)
