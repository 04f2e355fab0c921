"""The best of many estimates, by one joint resample."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

import concordant as cd
from concordant.statistics.resampling import Resampled
from concordant.statistics.simultaneous import contest, simultaneous_intervals

N = 40


def resampled(seed, values, spread=0.05, draws=400, change=0.01):
    """Correlated statistics with resamples that are biased, as those of coefficients are."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(0, spread, (len(values), draws)) + rng.normal(0, spread, draws)
    observed = np.array(values, dtype=float)
    return Resampled(
        N, observed, observed[:, None] - 0.1 + noise, np.full(len(values), change), ((-1, 1),) * len(values)
    )


def literal_t(found, better, worse):
    gap = found.distribution[better] - found.distribution[worse]
    error = max(gap.std(ddof=1), found.change[[better, worse]].max() / N)
    return (found.observed[better] - found.observed[worse]) / error, (gap - gap.mean()) / error


WIDER = math.sqrt(N / (N - 1)) * scipy.stats.t.ppf(0.975, N - 1) / scipy.stats.norm.ppf(0.975)


def test_simultaneous_intervals_are_by_the_largest_deviation_of_all_cells():
    """A literal loop; each holds the interval of its cell alone, and all stay within the bounds."""
    found = resampled(1, [0.9, 0.5, 0.2, 0.99])
    errors = [found.distribution[k].std(ddof=1) for k in range(4)]
    largest = [
        max(abs(found.distribution[k, b] - found.distribution[k].mean()) / errors[k] for k in range(4))
        for b in range(400)
    ]
    critical = np.quantile(largest, 0.95) * WIDER
    intervals = simultaneous_intervals(found, range(4), 0.95)
    for k, (low, high) in enumerate(intervals):
        value = found.observed[k]
        assert low <= value - critical * errors[k] + 1e-9
        assert high >= min(1, value + critical * errors[k]) - 1e-9
        assert -1 <= low <= high <= 1
    low, high = intervals[2]
    assert (low, high) == pytest.approx((0.2 - critical * errors[2], 0.2 + critical * errors[2]), abs=1e-6)


def test_a_cell_is_the_best_unless_another_is_better_by_more_than_chance():
    """A literal loop over all others and resamples."""
    found = resampled(2, [0.6, 0.55, 0.3, 0.62])
    best, pvalues = contest(found, range(4))
    assert best == 3
    for own, p in enumerate(pvalues):
        pairs = [literal_t(found, other, own) for other in range(4) if other != own]
        largest = max(t for t, _ in pairs)
        chance = np.max([deviations for _, deviations in pairs], axis=0) * WIDER
        assert p == pytest.approx(((chance >= largest).sum() + 1) / 401)
    assert pvalues[3] > 0.5
    assert pvalues[2] < 0.05


def test_equal_cells_may_all_be_the_best():
    """Without any spread too."""
    found = Resampled(N, np.ones(3), np.ones((3, 50)), np.full(3, 0.1), ((-1, 1),) * 3)
    assert contest(found, range(3)) == (0, [1.0, 1.0, 1.0])
    for low, high in simultaneous_intervals(found, range(3), 0.95):
        assert low == pytest.approx(1 + math.log(0.025 / 3) / N * 0.1)
        assert high == 1


def test_judge_says_which_may_be_the_best():
    """Two good judges and one that scores at random; the intervals are wider than those of each alone."""
    rng = np.random.default_rng(4)
    human = rng.normal(np.linspace(0.6, 0.3, 15), 0.15, (40, 15))
    judges = {name: human + rng.normal(0, noise, human.shape) for name, noise in (("a", 0.1), ("b", 0.1))}
    judges["c"] = rng.normal(0, 1, human.shape)
    result = cd.judge(human, judges, ["tau_b", "tau_ap_b"], resampling=cd.Resampling(n_resamples=999))
    for c in ("tau_b", "tau_ap_b"):
        mine = [each for each in result.best if str(each.coefficient) == c]
        assert [each.estimate for each in mine if each.may_be_best] == ["a", "b"]
        assert {each.may_be_best for each in mine} == {True, False}
        values = {each.estimate: each.value for each in mine}
        for each in mine:
            assert each.below_best == max(values.values()) - each.value
            assert each.may_be_best == (each.pvalue >= 0.05)
    alone = {(a.estimate, str(a.coefficient)): a.interval for a in result.agreement if a.top is None}
    for each in result.best:
        low, high = alone[each.estimate, str(each.coefficient)]
        assert each.interval.low <= low
        assert each.interval.high >= high
    assert cd.judge(human, {"a": judges["a"]}, "tau_b", resampling=cd.Resampling(n_resamples=99)).best is None


@pytest.mark.slow
def test_the_interval_of_the_best_holds_what_is_expected_of_it():
    """Ten judges of the same quality: the best looks better than it is, and its own interval misses more."""
    rng = np.random.default_rng(5)
    n_judges, n_topics, n_systems = 10, 25, 8
    quality = np.linspace(0.6, 0.3, n_systems)
    means = rng.normal(quality, 0.2 / math.sqrt(n_topics), (20000, n_systems))
    noisy = means + rng.normal(0, 0.3 / math.sqrt(n_topics), means.shape)
    expected = cd.tau_b(means, noisy).mean()
    all_held = own_held = 0
    for _ in range(100):
        human = rng.normal(quality, 0.2, (n_topics, n_systems))
        judges = {str(k): human + rng.normal(0, 0.3, human.shape) for k in range(n_judges)}
        result = cd.judge(human, judges, "tau_b", resampling=cd.Resampling(n_resamples=199))
        best = max(result.best, key=lambda each: each.value)
        own = next(a.interval for a in result.agreement if a.estimate == best.estimate)
        all_held += best.interval.low <= expected <= best.interval.high
        own_held += own.low <= expected <= own.high
    assert all_held >= 93
    assert own_held < all_held
