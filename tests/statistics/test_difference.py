"""Whether one estimate agrees better than another."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
import scipy.stats

import concordant as cd
from concordant.scores.means import snap
from concordant.statistics.confidence import ABOVE, BELOW, exchange, pvalue_of_value


def test_with_few_topics_all_ways_of_swapping_are_tried():
    """Two to the sixth ways, each computed here one by one."""
    rng = np.random.default_rng(3)
    reference, a, b = rng.random((3, 6, 5))
    how = cd.Resampling(n_resamples=99, rng=1)
    found = cd.difference(reference, a, b, "tau_b", exchange=True, resampling=how)
    assert found.exact
    means = snap(reference.mean(axis=0))
    observed = cd.tau_b(means, snap(a.mean(axis=0))) - cd.tau_b(means, snap(b.mean(axis=0)))
    assert found.statistic == pytest.approx(observed)
    null = []
    for swap in itertools.product([False, True], repeat=6):
        which = np.array(swap)[:, None]
        one, other = np.where(which, b, a), np.where(which, a, b)
        null.append(cd.tau_b(means, snap(one.mean(axis=0))) - cd.tau_b(means, snap(other.mean(axis=0))))
    assert sorted(found.null_distribution) == pytest.approx(sorted(null))
    share = np.mean(np.abs(null) >= abs(observed) - 1e-12)
    assert found.pvalue == pytest.approx(min(1, share))


def test_a_difference_changes_its_sign_with_the_estimates(collection):
    """Statistic and interval are mirrored, the p-value stays; one-sided ones tell which is better."""
    reference, a = collection(1, noise=0.1)
    _, b = collection(1, noise=0.6)
    one = cd.difference(reference, a, b, "tau_ap_b", resampling=cd.Resampling(n_resamples=200, rng=4))
    other = cd.difference(reference, b, a, "tau_ap_b", resampling=cd.Resampling(n_resamples=200, rng=4))
    assert one.statistic == -other.statistic == one.statistic_a - one.statistic_b
    assert one.pvalue == other.pvalue
    assert one.confidence_interval == pytest.approx(tuple(-end for end in other.confidence_interval[::-1]))
    greater = cd.difference(
        reference, a, b, "tau_ap_b", alternative="greater", resampling=cd.Resampling(n_resamples=200, rng=4)
    )
    less = cd.difference(
        reference, a, b, "tau_ap_b", alternative="less", resampling=cd.Resampling(n_resamples=200, rng=4)
    )
    assert greater.pvalue < 0.05 < less.pvalue
    assert one.confidence_interval.low > 0


@pytest.mark.parametrize(
    ("name", "repetitions"),
    [
        ("tau_b", 100),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in (("tau_ap_b", 100), ("tau_b", 1000))),
        pytest.param("tau_ap_b", 1000, marks=pytest.mark.slow),
    ],
)
def test_the_difference_test_holds_its_level(name, repetitions):
    """Judges of the same quality: at most 5 of 100 tests find a difference at 0.05, give or take.

    With p-values that are half as large, 7 and 9 do.
    """
    rng = np.random.default_rng(12)
    found = []
    for _ in range(repetitions):
        reference = rng.normal(np.linspace(0.6, 0.4, 15), 0.15, (30, 15))
        a, b = (reference + rng.normal(0, 0.2, reference.shape) for _ in range(2))
        how = {"n_resamples": 199, "rng": rng}
        found.append(cd.difference(reference, a, b, name, resampling=cd.Resampling(**how)).pvalue)
    values = np.array(found)
    assert np.mean(values <= 0.05) <= 0.065
    assert np.mean(values <= 0.5) >= 0.3


@pytest.mark.parametrize("method", ["exchange", "standard", "percentile", "basic", "BCa"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seeds", [3, pytest.param(12, marks=pytest.mark.slow)])
def test_p_is_below_alpha_exactly_when_the_interval_leaves_out_zero(method, alternative, seeds, collection):
    """At levels around the p-value itself too, for estimates that differ much, little, and not at all."""
    both = Counter()
    for seed in range(seeds):
        reference, a = collection(seed, n_topics=10 + seed, n_systems=4 + seed % 7, noise=0.2)
        _, b = collection(seed, n_topics=10 + seed, n_systems=4 + seed % 7, noise=(0.2, 0.6, 2.0)[seed % 3])
        if alternative == "less":
            a, b = b, a
        test = {"alternative": alternative, "exchange": method == "exchange"}
        how = {"method": "standard" if method == "exchange" else method, "n_resamples": 199, "rng": seed}
        p = cd.difference(reference, a, b, "tau_b", **test, resampling=cd.Resampling(**how)).pvalue
        levels = [0.5, 0.8, 0.9, 0.95, 0.99] + [1 - p * k for k in (0.9, 1.1) if 0 < p * k < 1]
        for level in levels:
            found = cd.difference(
                reference, a, b, "tau_b", **test, resampling=cd.Resampling(confidence_level=level, **how)
            )
            assert found.pvalue == p
            low, high = found.confidence_interval
            outside = low > 0 or high < 0
            assert outside == (p < 1 - level), (seed, level, p, found.confidence_interval)
            both[outside] += 1
    assert min(both[True], both[False]) > 5 * seeds // 6


def test_the_interval_by_exchange_holds_what_a_shifted_test_does_not_reject():
    """Its ends solve |d - t| = z s(t): s is linear from that of exchanges at 0 to the standard error at d."""
    rng = np.random.default_rng(8)
    reference = rng.normal(np.linspace(0.6, 0.3, 20), 0.15, (40, 20))
    a, b = reference + rng.normal(0, 0.1, reference.shape), reference + rng.normal(0, 1.0, reference.shape)
    how = cd.Resampling(n_resamples=1999, rng=1)
    found = cd.difference(reference, a, b, "tau_b", exchange=True, resampling=how)
    d, null = found.statistic, found.null_distribution
    assert found.pvalue < 0.05
    scale = np.sqrt(np.mean(null**2))
    critical = np.sort(null)[-49]  # 2 (49 + 1) / 2000 is not below 0.05
    low, high = found.confidence_interval
    spread = scale + (found.standard_error - scale) * low / d
    assert d - low == pytest.approx(critical / scale * spread)
    t = scipy.stats.t.ppf(0.975, 39) * math.sqrt(40 / 39)
    assert high == pytest.approx(d + t * found.standard_error)


def test_undefined_is_told_once_for_each_estimate(collection):
    """One warning for the one that is undefined."""
    reference, llm = collection()
    with pytest.warns(cd.UndefinedWarning) as told:
        cd.difference(
            reference, llm, np.ones_like(reference), "tau_b", resampling=cd.Resampling(n_resamples=9, rng=1)
        )
    assert len(told) == 1


def test_topics_that_not_all_three_have_are_left_out(collection):
    """And told; without any topic in common there is no test."""
    reference, a = collection(n_topics=20)
    b = cd.Scores(a[:12], topics=range(12))
    found = cd.difference(reference, a, b, "tau_b", resampling=cd.Resampling(n_resamples=500, rng=1))
    assert found.n == 12
    assert found.statistic == 0
    assert [note.kind for note in found.notes] == ["topics_not_in_common"]
    assert found.notes[0].values == {"topics": tuple(str(t) for t in range(12, 20))}
    assert str(found.notes[0]) in found.to_text(width=None)
    with pytest.raises(cd.ArgumentError, match=r"^difference: the sides have no topic in common"):
        cd.difference(reference, a, cd.Scores(a, topics=[f"q{t}" for t in range(20)]), "tau_b")


def test_a_function_of_ones_own_is_compared(collection, same_winner):
    """An estimate differs from itself by nothing."""
    reference, llm = collection()
    assert (
        cd.difference(
            reference, llm, llm, same_winner, resampling=cd.Resampling(n_resamples=20, rng=1)
        ).pvalue
        == 1
    )


def test_both_estimates_have_the_measure_that_is_chosen(two_measures):
    """The reference may have another."""
    found = cd.difference(
        two_measures,
        two_measures,
        two_measures,
        "tau_b",
        measure=("AP", "P@10"),
        resampling=cd.Resampling(n_resamples=9, rng=1),
    )
    assert found.statistic_a == found.statistic_b
    assert found.statistic_a == cd.tau_b(two_measures.mean("AP"), two_measures.mean("P@10"))


def test_two_topics_tell_nothing():
    """There are four exchanges, and no share of them is below 0.025: the interval holds every difference."""
    rng = np.random.default_rng(0)
    reference = rng.random((2, 6))
    how = cd.Resampling(rng=1)
    found = cd.difference(reference, reference + 0.01, -reference, "tau_b", exchange=True, resampling=how)
    assert found.exact
    assert found.pvalue == pytest.approx(0.5)
    assert found.confidence_interval == (-2.0, 2.0)


@pytest.mark.parametrize("n", [20, 60])
def test_a_huge_difference_has_a_tiny_pvalue(n):
    """Beyond the precision of a double; an estimate that never differs from itself has p = 1."""
    rng = np.random.default_rng(1)
    reference = rng.normal(np.linspace(0.9, 0.1, 60), 0.05, (n, 60))
    a, b = reference + rng.normal(0, 0.05, reference.shape), rng.normal(0, 1, reference.shape)
    how = cd.Resampling(n_resamples=99, rng=1)
    assert 0 < cd.difference(reference, a, b, "tau_b", resampling=how).pvalue < 1e-8
    same = cd.difference(reference, a, a, "tau_b", resampling=how)
    assert (same.pvalue, same.statistic, same.confidence_interval) == (1.0, 0.0, (0.0, 0.0))


@pytest.mark.parametrize(
    ("as_extreme", "exact"), [(0, False), *itertools.product([1, 2, 3, 10], [False, True])]
)
def test_the_share_of_exchanges_that_are_as_extreme_is_the_pvalue(as_extreme, exact):
    """Random exchanges are joined by the observed one: k of 99 give (k + 1) / 100; all exchanges have it."""
    number = 100 if exact else 99
    null = np.array([-3.0] * as_extreme + [-1.0] * (number - as_extreme))
    end = exchange(-2.0, null, exact, 1.0, lambda tail: 1.0)
    expected = (as_extreme + (not exact)) / 100
    assert pvalue_of_value(end, 0.0, "less") == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("error", [0.5, 1.5])
@pytest.mark.parametrize("sign", [1, -1])
def test_an_interval_by_exchange_that_holds_0_ends_where_the_spread_allows(sign, error):
    """The end -u solves d + u = z s(u); s is linear from the spread of exchanges at 0 to the error at d."""
    null = np.linspace(-2, 2, 101)
    observed, critical = 1.5, null[-5]
    u = -sign * exchange(sign * observed, null, True, error, lambda tail: 1.0)(5 / 101, BELOW * sign)
    scale = np.sqrt(np.mean(null**2))
    assert u > 0
    assert observed + u == pytest.approx(critical / scale * (scale + (error - scale) * u / observed))


@pytest.mark.parametrize("error", [0.1, 2.0, 50.0])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("unit", [1.0, 1e-9])
def test_the_interval_ends_at_0_where_the_exchange_at_its_rank_is_the_difference(unit, sign, error):
    """Whatever the standard error is, and if the two differ by rounding: 5 of 101 are as extreme."""
    null = np.linspace(-2, 2, 101) * unit
    side = BELOW if sign > 0 else ABOVE
    for observed in (null[-5], np.nextafter(null[-5], 0), np.nextafter(null[-5], 2)):
        assert exchange(sign * observed, null, True, error * unit, lambda tail: unit)(5 / 101, side) == 0
    between = exchange(sign * (null[-5] + 0.001 * unit), null, True, error * unit, lambda tail: unit)
    assert sign * between(5 / 101, side) > 0
