"""Tests of two rankings by their orders."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import reference
import scipy.stats
from hypothesis import given, strategies as st
from support import examples

import concordant as cd


@given(
    st.permutations(range(6)),
    st.sampled_from(["two-sided", "greater", "less"]),
)
@examples(40)
def test_exact_p_values_of_tau_b_are_scipys(order, alternative):
    """All 720 orders of six items."""
    x = list(range(6))
    found = cd.permutation_test(x, order, "tau_b", alternative=alternative)
    assert found.exact
    assert found.options["n_resamples"] == 720
    assert found.seed is None
    theirs = scipy.stats.kendalltau(x, order, method="exact", alternative=alternative)
    assert found.statistic == pytest.approx(theirs.statistic)
    assert found.pvalue == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("name", ["tau_b", "tau_ap_b", "tau_e", "tau_gap", "tau_h"])
def test_p_values_with_ties_and_weights_are_those_of_scipys_permutation_test(name, alternative):
    """SciPy tries all 720 permutations; half or more of them are the same order."""
    c = cd.coefficient(name)
    x, y = np.array([3.0, 2, 2, 1, 5, 4]), np.array([1.0, 2, 2, 2, 3, 5])
    found = cd.permutation_test(x, y, c, alternative=alternative)
    assert found.options["n_resamples"] == 120  # 6! / 3!, fewer than those of x
    theirs = scipy.stats.permutation_test(
        (y,),
        lambda v: c(x, v),
        permutation_type="pairings",
        alternative=alternative,
        vectorized=False,
        n_resamples=10**6,
    )
    assert found.pvalue == pytest.approx(theirs.pvalue, abs=1e-12)


def test_the_null_distribution_is_the_formula_over_all_orders():
    """Each different order of y once."""
    x, y = [4.0, 3.0, 2.0, 1.0, 0.5], [2.0, 2.0, 1.0, 3.0, 4.0]
    found = cd.permutation_test(x, y, "tau_ap_e")
    every = [reference.tau_ap_e(x, order) for order in set(itertools.permutations(y))]
    assert sorted(found.null_distribution) == pytest.approx(sorted(every))


def test_either_side_may_be_the_one_with_fewer_orders():
    """Nine of ten tied items leave ten orders."""
    x, y = [1.0, 1, 1, 1, 1, 1, 1, 1, 1, 2], list(range(10))
    one, other = cd.permutation_test(x, y, "tau_a"), cd.permutation_test(y, x, "tau_a")
    assert one.exact
    assert other.exact
    assert one.options["n_resamples"] == other.options["n_resamples"] == 10
    assert one.pvalue == other.pvalue


@pytest.mark.parametrize(
    "name",
    [
        *("tau_b", "tau_ap_b"),
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("tau_ap_e", "tau_gap", "pearson_rank")),
    ],
)
def test_p_values_are_uniform_if_the_rankings_are_unrelated(name):
    """Three hundred pairs of unrelated rankings of 15 items."""
    rng = np.random.default_rng(8)
    values = []
    for _ in range(300):
        x, y = rng.normal(size=(2, 15))
        values.append(cd.permutation_test(x, y, name, alternative="greater", n_resamples=199, rng=rng).pvalue)
    assert scipy.stats.kstest(values, "uniform").pvalue > 0.01
    assert np.mean(np.array(values) <= 0.05) <= 0.09


def test_random_orders_obey_their_seed_for_any_number_of_workers():
    """To the last bit; no p-value is smaller than the draws allow."""
    x, y = np.random.default_rng(0).normal(size=(2, 40))
    first = cd.permutation_test(x, y, "tau_ap_b", n_resamples=300, rng=1)
    assert not first.exact
    assert first.seed == 1
    for workers in (2, -1):
        again = cd.permutation_test(x, y, "tau_ap_b", n_resamples=300, rng=1, workers=workers)
        assert (again.null_distribution == first.null_distribution).all()
    other = cd.permutation_test(x, y, "tau_ap_b", n_resamples=300, rng=2)
    assert (other.null_distribution != first.null_distribution).any()
    assert first.pvalue >= 1 / 301


def test_a_permutation_test_refuses_what_it_cannot_use():
    """Wrong words, NaN, batches and ties; what is undefined has no p-value."""
    message = "^permutation_test: alternative must be 'two-sided', 'greater' or 'less', got 'bigger'"
    with pytest.raises(cd.ArgumentError, match=message):
        cd.permutation_test([1, 2], [1, 2], "tau_b", alternative="bigger")
    with pytest.raises(cd.ArgumentError, match=r"^permutation_test: .*NaN at position 1"):
        cd.permutation_test([1, math.nan], [1, 2], "tau_b")
    with pytest.raises(cd.ArgumentError, match=r"^permutation_test: .*takes two rankings, got batches"):
        cd.permutation_test([[1, 2]], [1, 2], "tau_b")
    with pytest.raises(cd.TiesError):
        cd.permutation_test([1, 1], [1, 2], "tau")
    with pytest.warns(cd.UndefinedWarning, match="tied"):
        assert math.isnan(cd.permutation_test([1, 1], [1, 2], "tau_b").pvalue)


@pytest.mark.parametrize("name", [c.name for c in cd.REGISTRY.values() if c.inputs == "graded_lists"])
def test_the_second_of_two_lists_of_grades_is_reordered(name):
    """Where positions count, to reorder the first is not the same, though it has fewer orders here."""
    x, y = [2, 1, 0, 0, 0, 0], [2, 0, 1, 3, 0, 1]
    found = cd.permutation_test(x, y, name)
    c = cd.coefficient(name)
    null = np.array([c(x, order) for order in sorted(set(itertools.permutations(y)))])
    assert sorted(found.null_distribution) == pytest.approx(sorted(null))
    tails = [np.mean(null >= found.statistic - 1e-12), np.mean(null <= found.statistic + 1e-12)]
    assert found.pvalue == pytest.approx(min(1, 2 * min(tails)))


def test_a_function_of_ones_own_is_tested(same_winner):
    """One order in five has the same winner by chance."""
    x, y = np.arange(5.0), np.array([0.0, 1, 2, 4, 3])
    assert cd.permutation_test(x, y, same_winner).pvalue == pytest.approx(1)


def test_the_unit_of_a_function_does_not_matter():
    """What counts as equal is relative to the size of the values."""

    def covariance(a, b):
        return float(np.cov(a, b)[0, 1])

    x, y = np.arange(6.0), np.array([1.0, 0, 2, 3, 5, 4])
    expected = cd.permutation_test(x, y, covariance).pvalue
    assert expected < 0.05
    for unit in (1e-8, 1e8):
        assert cd.permutation_test(x * unit, y * unit, covariance).pvalue == expected


def test_tests_of_lists_obey_the_method():
    """All orders where an exact p-value is asked for, if they are few enough; no closed form is known."""
    x, y = list("abcdefgh"), list("bacdefgh")
    found = cd.permutation_test(x, y, "rbo", method="exact", n_resamples=99)
    assert found.exact
    assert found.options["n_resamples"] == 40320
    with pytest.raises(cd.ArgumentError, match="not known in closed form; use method='permutation'"):
        cd.permutation_test(x, y, "rbo", method="normal")
    with pytest.raises(cd.ArgumentError, match="more than 1,000,000 orders; use method='permutation'"):
        cd.permutation_test(range(12), range(12), "rbo", method="exact")


def test_orders_that_tie_the_best_items_are_left_out():
    """Tau refuses ties; tau@3 only among the best three of x, where y has none, but some of its orders have.

    Of the 120 orders of 6, 5, 4, 1, 1, 1 these have two ones (3 x 3 x 6) or three (6) among the first three.
    Of the other 60 orders 10 put the first three in their order: 1 without a one, and 3 x 3 that end with it.
    """
    found = cd.permutation_test([6, 5, 4, 3, 2, 1], [6, 5, 4, 1, 1, 1], "tau@3", alternative="greater")
    assert found.exact
    assert (len(found.null_distribution), found.n_undefined) == (120, 60)
    assert found.pvalue == pytest.approx(10 / 60)
