"""Intervals over items."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from support import quiet

import concordant as cd
from concordant.coefficients.declaration import coefficient
from concordant.statistics.distributions import t_quantile
from concordant.statistics.resampling import neighbour_changes


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_a(0.1)", "tau_h", "spearman_rho", "tau_ap_b@8"])
def test_the_jackknife_is_that_of_a_literal_loop(name):
    """Each item left out in turn; the ends are symmetric on Fisher's scale, and leave room for exchanges."""
    rng = np.random.default_rng(2)
    x = rng.integers(0, 20, 15) / 10
    y = x + rng.integers(0, 10, 15) / 10
    c = cd.coefficient(name)
    found = cd.jackknife_interval(x, y, c)
    without = [c(np.delete(x, i), np.delete(y, i)) for i in range(15)]
    error = math.sqrt(14 / 15 * sum((v - np.mean(without)) ** 2 for v in without))
    assert found.standard_error == pytest.approx(error)
    half = scipy.stats.t.ppf(0.975, 14) * error / (1 - found.statistic**2)
    ends = np.tanh([np.arctanh(found.statistic) - half, np.arctanh(found.statistic) + half])
    costs = []
    for side in (x, y):
        order = np.argsort(-side, kind="stable")
        for better, worse in itertools.pairwise(order):
            if side[better] != side[worse]:
                moved = side.copy()
                moved[[better, worse]] = moved[[worse, better]]
                both = (moved, y) if side is x else (x, moved)
                costs.append(abs(c(*both) - found.statistic))
    room = -math.log(0.025) * np.mean(costs)
    low, high = min(ends[0], found.statistic - room), max(ends[1], found.statistic + room)
    assert found.confidence_interval == pytest.approx((low, min(high, 1)), abs=1e-5)


@pytest.mark.parametrize("n", [2, 3, 5, 10, 50])
def test_perfect_agreement_leaves_room_for_exchanges_that_were_not_seen(n):
    """In either direction: -ln(0.025) of them, each of which costs 2 / N of N pairs."""
    x = np.arange(n)
    low = max(-1, 1 + math.log(0.025) * 2 / (n * (n - 1) / 2))
    assert cd.jackknife_interval(x, x, "tau_b").confidence_interval == pytest.approx((low, 1.0))
    assert cd.jackknife_interval(x, -x, "tau_b").confidence_interval == pytest.approx((-1.0, -low))


def test_other_bounds_are_brought_to_fishers_scale():
    """A share from 0 to 1 has the interval of the tau that it is made of."""

    @cd.register(bounds=(0, 1), symmetric=True)
    def share_of_pairs(x, y):
        return (float(cd.tau_a(x, y)) + 1) / 2

    try:
        x, y = np.random.default_rng(1).normal(size=(2, 40))
        mine, theirs = cd.jackknife_interval(x, y, "share_of_pairs"), cd.jackknife_interval(x, y, "tau_a")
        scaled = [2 * end - 1 for end in mine.confidence_interval]
        assert scaled == pytest.approx(tuple(theirs.confidence_interval))
    finally:
        del cd.REGISTRY["share_of_pairs"]


def test_one_bound_is_obeyed():
    """A distance has a smallest value and no largest."""

    @cd.register(bounds=(0, math.inf))
    def mean_distance(x, y):
        return float(np.abs(x - y).mean())

    try:
        low, high = cd.jackknife_interval([1, 2, 3], [1, 2, 9], "mean_distance").confidence_interval
        assert low == 0
        assert high == pytest.approx(2 + scipy.stats.t.ppf(0.975, 2) * 2, rel=1e-6)
    finally:
        del cd.REGISTRY["mean_distance"]


def test_a_function_of_ones_own_has_no_bounds(same_winner):
    """Its interval may go beyond what it can be."""
    x, y = np.arange(5.0), np.array([0.0, 1, 2, 4, 3])
    assert cd.jackknife_interval(x, y, same_winner).confidence_interval.low < 0


def test_the_scale_of_grades_stays_when_a_position_is_left_out():
    """Without the only item of the top grade, the scale is still that of all."""
    x, y = [3, 1, 0, 1, 0, 1, 0, 1], [3, 0, 1, 0, 0, 1, 1, 0]
    inferred, given = (
        cd.jackknife_interval(x, y, c).standard_error for c in ("tau_sc", "tau_sc(max_grade=3)")
    )
    assert inferred == given


def test_very_many_items_are_left_out_in_groups_that_do_not_depend_on_their_order():
    """Of 3000 items; of 2000 each is left out alone."""
    rng = np.random.default_rng(4)
    x, noise = rng.normal(size=(2, 3000))
    y = x + noise
    found = cd.jackknife_interval(x, y, "tau_b")
    assert found.n_groups < found.n
    shuffled = rng.permutation(3000)
    again = cd.jackknife_interval(x[shuffled], y[shuffled], "tau_b")
    assert again.confidence_interval == pytest.approx(tuple(found.confidence_interval), abs=1e-12)
    few = cd.jackknife_interval(x[:2000], y[:2000], "tau_b")
    assert few.n_groups == 2000
    assert few.standard_error == pytest.approx(found.standard_error * math.sqrt(3000 / 2000), rel=0.1)


@quiet
def test_two_items_whose_loss_leaves_a_value_suffice():
    """Without the first of three, the others are tied in x; without the others tau_b is 1 and -1."""
    found = cd.jackknife_interval([1, 2, 2], [2, 1, 3], "tau_b")
    assert found.standard_error == 1
    assert not math.isnan(found.confidence_interval.low)


def test_scores_are_compared_by_their_means(collection):
    """The interval is over systems, not topics."""
    one, other = map(cd.Scores, collection())
    found = cd.jackknife_interval(one, other, "tau_b")
    expected = cd.jackknife_interval(one.mean(), other.mean(), "tau_b")
    assert (found.n, found.confidence_interval) == (12, expected.confidence_interval)


@pytest.mark.parametrize("function", ["permutation_test", "jackknife_interval", "explain"])
def test_lists_in_rank_order_take_no_labels(function):
    """Aligned by label, they would lose their order."""
    message = f"^{function}: tau_sc compares two lists of grades in rank order; give lists, without labels"
    with pytest.raises(cd.ArgumentTypeError, match=message):
        getattr(cd, function)({"a": 3, "b": 2}, {"a": 3, "b": 2}, "tau_sc")


def test_quantiles_of_t_are_those_of_scipy():
    """Without SciPy, on both sides of the change to an expansion at 40 degrees of freedom."""
    for freedom in (1, 2, 3, 4, 9, 40, 41, 1000):
        for probability in (0.0005, 0.025, 0.5, 0.975, 0.995, 0.9995):
            expected = scipy.stats.t.ppf(probability, freedom)
            found = t_quantile(probability, freedom)
            assert found == pytest.approx(expected, rel=1e-6, abs=1e-12), (freedom, probability)


def test_of_many_neighbours_the_top_and_evenly_spaced_ones_are_exchanged():
    """Of the 399 pairs of 400 items: the first hundred, and a hundred from the first to the last.

    The coefficient is the place of the only pair that is in the wrong order.
    """
    place = coefficient(lambda x, y: float(np.flatnonzero(np.diff(x) > 0)[0]))
    (found,) = neighbour_changes([place], np.arange(400.0, 0, -1), np.zeros(400), np.zeros(1), 1)
    assert sorted(found) == sorted({*range(100), *(k * 398 // 99 for k in range(100))})
