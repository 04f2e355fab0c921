"""Whether one estimate agrees better than another."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import concordant as cd
from concordant.scores import snap
from concordant.tables import Note


def test_with_few_topics_all_ways_of_swapping_are_tried():
    """Two to the sixth ways, each computed here one by one."""
    rng = np.random.default_rng(3)
    reference, a, b = rng.random((3, 6, 5))
    found = cd.difference(reference, a, b, "tau_b", n_resamples=99, rng=1)
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
    one = cd.difference(reference, a, b, "tau_ap_b", n_resamples=200, rng=4)
    other = cd.difference(reference, b, a, "tau_ap_b", n_resamples=200, rng=4)
    assert one.statistic == -other.statistic == one.statistic_a - one.statistic_b
    assert one.pvalue == other.pvalue
    assert one.confidence_interval == pytest.approx(tuple(-end for end in other.confidence_interval[::-1]))
    greater = cd.difference(reference, a, b, "tau_ap_b", alternative="greater", n_resamples=200, rng=4)
    less = cd.difference(reference, a, b, "tau_ap_b", alternative="less", n_resamples=200, rng=4)
    assert greater.pvalue < 0.05 < less.pvalue
    assert one.confidence_interval.low > 0


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_b"])
def test_the_difference_test_holds_its_level(name):
    """Judges of the same quality: at most 5 of 100 tests find a difference at 0.05, give or take."""
    rng = np.random.default_rng(12)
    found = []
    for _ in range(300):
        reference = rng.normal(np.linspace(0.6, 0.4, 15), 0.15, (30, 15))
        a, b = (reference + rng.normal(0, 0.2, reference.shape) for _ in range(2))
        how = {"n_resamples": 199, "method": "percentile", "rng": rng}
        found.append(cd.difference(reference, a, b, name, **how).pvalue)
    values = np.array(found)
    assert np.mean(values <= 0.05) <= 0.085  # 5 percent, and three standard errors
    assert np.mean(values <= 0.5) >= 0.35


def test_the_p_value_of_a_difference_does_not_depend_on_the_method_of_its_interval(collection):
    """Three methods, one p-value, three intervals."""
    reference, a = collection(1, noise=0.2)
    _, b = collection(1, noise=0.5)
    found = [
        cd.difference(reference, a, b, "tau_b", n_resamples=200, method=m, rng=1)
        for m in ("simex", "percentile", "BCa")
    ]
    assert len({result.pvalue for result in found}) == 1
    assert len({result.confidence_interval for result in found}) == 3


def test_undefined_is_told_once_for_each_estimate(collection):
    """One warning for the one that is undefined."""
    reference, llm = collection()
    with pytest.warns(cd.UndefinedWarning) as told:
        cd.difference(reference, llm, np.ones_like(reference), "tau_b", n_resamples=9, rng=1)
    assert len(told) == 1


def test_topics_that_not_all_three_have_are_left_out(collection):
    """And told; without any topic in common there is no test."""
    reference, a = collection(n_topics=20)
    b = cd.Scores(a[:12], topics=range(12))
    found = cd.difference(reference, a, b, "tau_b", n_resamples=500, rng=1)
    assert found.n == 12
    assert found.statistic == 0
    assert found.notes == (
        Note("topics_not_in_common", values={"topics": tuple(str(t) for t in range(12, 20))}),
        Note("few_topics", values={"topics": 12}),
    )
    told = "left out topics that not all sides have: 12, 13, 14, 15, ... (8 in all)"
    assert str(found.notes[0]) == told
    assert told in repr(found)
    with pytest.raises(cd.ArgumentError, match=r"^difference: the sides have no topic in common"):
        cd.difference(reference, a, cd.Scores(a, topics=[f"q{t}" for t in range(20)]), "tau_b")


def test_a_function_of_ones_own_is_compared(collection, same_winner):
    """An estimate differs from itself by nothing."""
    reference, llm = collection()
    assert cd.difference(reference, llm, llm, same_winner, n_resamples=20, rng=1).pvalue == 1


def test_both_estimates_have_the_measure_that_is_chosen(two_measures):
    """The reference may have another."""
    found = cd.difference(
        two_measures, two_measures, two_measures, "tau_b", measure=("AP", "P@10"), n_resamples=9, rng=1
    )
    assert found.statistic_a == found.statistic_b
    assert found.statistic_a == cd.tau_b(two_measures.mean("AP"), two_measures.mean("P@10"))
