"""The unbiased score of a tie in one of two graded lists."""

from __future__ import annotations

import math
import time
from itertools import permutations, product

import numpy as np
import pytest

import concordant as cd

WEIGHTS = {"tau": "tau_", "ap": "tau_ap_", "h": "tau_h_"}
CASES = [(kind, weight) for kind in ("sc", "ac") for weight in WEIGHTS]


def function(kind, weight):
    return getattr(cd, WEIGHTS[weight] + kind)


@pytest.mark.parametrize(("m", "a"), [(2, -1 / 2), (3, -1 / 4), (4, -1 / 6), (5, -1 / 8), (6, -1 / 10)])
def test_unbiased_a_of_sc(m, a):
    """-1 / (2 (m - 1)) for m equally likely grades."""
    assert cd.unbiased_a("sc", m) == pytest.approx(a, abs=1e-15)


@pytest.mark.parametrize(("m", "a"), [(2, -1.2500), (3, -0.1590), (4, -0.0288), (5, 0.0050), (6, 0.0162)])
def test_unbiased_a_of_ac_for_long_lists(m, a):
    """Enumerated in exact fractions, generic pairs: four digits."""
    assert cd.unbiased_a("ac", m) == pytest.approx(a, abs=5e-5)
    assert cd.unbiased_a("ac", m, n=10_000) == pytest.approx(a, abs=2e-3)


@pytest.mark.parametrize(("m", "a"), [(2, -0.7500), (3, -0.2467), (4, -0.1525), (5, -0.1117), (6, -0.0888)])
def test_unbiased_a_of_ac_for_two_positions(m, a):
    """With two positions there is one pair, and it is mirrored."""
    assert cd.unbiased_a("ac", m, n=2) == pytest.approx(a, abs=5e-5)


@pytest.mark.parametrize(("n", "m"), [(2, 4), (3, 3), (4, 2), (4, 3), (5, 2), (6, 2)])
@pytest.mark.parametrize(("kind", "weight"), CASES)
def test_the_default_is_unbiased_for_equally_likely_grades(kind, weight, n, m):
    """The mean over all pairs of lists of n grades, middle and mirrored positions included, is 0."""
    every = np.array(list(product(range(m), repeat=n)))
    values = function(kind, weight)(every[:, None, :], every[None, :, :], max_grade=m - 1)
    assert np.mean(values) == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize(("kind", "weight"), CASES)
def test_unbiased_for_grades_that_are_not_equally_likely(kind, weight):
    """The mean over all pairs of lists, weighted by their probabilities, is 0."""
    shares = np.array([0.5, 0.3, 0.2])
    every = np.array(list(product(range(3), repeat=4)))
    probability = shares[every].prod(axis=1)
    a = cd.unbiased_a(kind, shares, n=4, weight=weight)
    values = function(kind, weight)(every[:, None, :], every[None, :, :], a=a)
    assert probability @ values @ probability == pytest.approx(0, abs=1e-13)


def test_the_empirical_values_of_the_poster_are_not_those_of_equally_likely_grades():
    """-0.7 for 4 grades and -0.58 for 5 (Vezzuto)."""
    for m, empirical in ((4, -0.7), (5, -0.58)):
        for n in (None, 50, 1000):
            assert cd.unbiased_a("ac", m, n=n) > empirical + 0.3


ORDERS = [
    ((2, 2, 1), (2, 2, 1)),
    ((2, 2), (2, 2)),
    ((3, 1, 1), (1, 2, 2)),
    ((1, 2), (2, 1)),
    ((1, 1, 1, 1), (1, 2, 1)),
]


@pytest.mark.parametrize(("of_x", "of_y"), ORDERS)
@pytest.mark.parametrize(("kind", "weight"), CASES)
def test_unbiased_for_two_orders_of_given_documents(kind, weight, of_x, of_y):
    """The mean over all orders of both lists, which may have other documents, is 0."""
    x, y = (np.array(list(permutations(np.repeat(np.arange(len(c)), c)))) for c in (of_x, of_y))
    a = cd.unbiased_a(kind, of_x, weight=weight, other=of_y)
    assert np.mean(function(kind, weight)(x[:, None, :], y[None, :, :], a=a)) == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize("other", [None, (3, 2), [0.5, 0.3, 0.2]])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_unbiased_against_a_fixed_list(weight, other):
    """The mean over all orders of the second list, or all lists by their probabilities, is 0."""
    x, shares = [2, 1, 1, 0, 1], isinstance(other, list)
    counts = np.bincount(x) if other is None else other
    lists = product(range(3), repeat=5) if shares else permutations(np.repeat(np.arange(len(counts)), counts))
    y = np.array(list(lists))
    probability = np.array(other)[y].prod(axis=1) if shares else np.full(len(y), 1 / len(y))
    a = cd.unbiased_a("sc", x, weight=weight, other=other, fixed=True)
    values = function("sc", weight)(np.broadcast_to(x, y.shape), y, a=a)
    assert probability @ values == pytest.approx(0, abs=1e-13)


def test_a_fixed_list_is_one_of_grades_and_for_sc():
    """One sentence says what is wrong."""
    takes = r"^unbiased_a: fixed takes 'sc' and the grades of two positions or more, got '[as]c' and "
    for kind, grades in (("ac", [2, 1, 1]), ("sc", 4), ("sc", [1]), ("sc", [[1, 2], [2, 1]]), ("sc", "ab")):
        with pytest.raises(cd.ArgumentError, match=takes):
            cd.unbiased_a(kind, grades, fixed=True)
    with pytest.raises(cd.ArgumentError, match=r"^unbiased_a: the lists must be equally long, got 3 and 5$"):
        cd.unbiased_a("sc", [2, 1, 1], other=[3, 2], fixed=True)


@pytest.mark.parametrize(("kind", "weight"), CASES)
def test_unbiased_for_two_distributions_of_grades(kind, weight):
    """The mean over all pairs of lists, weighted by the probabilities of each, is 0."""
    p_x, p_y = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.9])
    x, y = (np.array(list(product(range(len(p)), repeat=5))) for p in (p_x, p_y))
    a = cd.unbiased_a(kind, p_x, n=5, weight=weight, other=p_y)
    values = function(kind, weight)(x[:, None, :], y[None, :, :], a=a)
    assert p_x[x].prod(axis=1) @ values @ p_y[y].prod(axis=1) == pytest.approx(0, abs=1e-13)


def test_there_is_no_a_where_no_tie_is_one_sided():
    """One grade on both sides, or different grades everywhere; or no a changes the expectation."""
    assert math.isnan(cd.unbiased_a("ac", [3, 1]))
    for grades in (1, [1.0], [4, 0], [1, 1, 1]):
        assert math.isnan(cd.unbiased_a("sc", grades))
        assert math.isnan(cd.unbiased_a("ac", grades))


@pytest.mark.parametrize(
    ("documents", "ac", "sc"),
    [([24, 6, 10, 10], -0.663853, -0.225711), ([13, 13, 12, 12], 0.006335, -0.153682)],
)
def test_fifty_documents(documents, ac, sc):
    """-0.7, which the poster found, is near the value for orders of documents with the shares of its data."""
    assert cd.unbiased_a("ac", documents) == pytest.approx(ac, abs=1e-6)
    assert cd.unbiased_a("sc", documents) == pytest.approx(sc, abs=1e-6)


def test_eleven_grades_are_quick():
    """The expectations of eleven grades take less than a second."""
    start = time.perf_counter()
    cd.unbiased_a("ac", np.full(11, 1 / 11) + np.r_[0.001, -0.001, np.zeros(9)], n=1000, weight="h")
    assert time.perf_counter() - start < 1


def test_a_long_scale_needs_no_memory():
    """A scale may have any number of grades if the lists use few."""
    assert cd.tau_sc([10**12, 0], [0, 10**12]) == -1.0
    assert cd.unbiased_a("sc", 10**12) == pytest.approx(-5e-13)


def test_an_own_coefficient_of_graded_lists_can_be_called():
    """A user's own coefficient may compare lists of grades."""

    @cd.register(inputs="graded_lists")
    def same_share(u, v):
        return float(np.mean(u == v))

    try:
        assert cd.coefficient("same_share")(np.array([1, 2]), np.array([1, 3])) == 0.5
        assert cd.experiments.axioms("same_share").checks[0].status == "does not apply"
    finally:
        del cd.REGISTRY["same_share"]
