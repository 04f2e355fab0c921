"""Why two lists do not agree more; tests of the order of a list."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from reference import lists as reference
from support.lists import two_lists

import concordant as cd


@pytest.mark.parametrize("ties", ["a", "b", "w"])
@given(two_lists())
@settings(max_examples=60, deadline=None)
def test_the_costs_of_depths_and_of_items_sum_to_what_is_lost(ties, pair):
    """Depths: weight (1 - agreement), the last from there on. Items: with what lies beyond."""
    why = cd.explain(*pair, f"rbo(p=0.8, ties={ties})", most=3)
    assert why.value == cd.rbo(*pair, p=0.8, ties=ties)
    assert math.fsum(each.cost for each in why.depths) == pytest.approx(1 - why.value, abs=1e-12)
    assert math.fsum(why.shares) + why.beyond == pytest.approx(1 - why.value, abs=1e-12)
    sizes = [sum(map(len, groups)) for groups in pair]
    if sizes[0] == sizes[1]:
        assert why.beyond == pytest.approx(0, abs=1e-12)
    assert (why.shares >= 0).all()
    assert [each.depth for each in why.depths] == list(range(1, max(sizes) + 1))
    for each in why.depths:
        expected = reference.agreement(*pair, ties, each.depth, "ext")
        assert each.agreement == pytest.approx(expected, abs=1e-12)
    largest = sorted(why.shares, reverse=True)[:3]
    assert [each.cost for each in why.ranked_items] == pytest.approx(largest, abs=1e-14)


def test_an_explanation_in_words():
    """What costs most, with the ranks in both lists; integers keep their values."""
    why = cd.explain(np.array([30, 10, 20]), np.array([10, 30, 90]), "rbo", most=2)
    assert repr(why).splitlines() == [
        "rbo = 0.6300, 0.3700 below 1",
        "- depth 1: agreement 0.0000, cost 0.1 (27 %)",
        "- depth 3 and beyond: agreement 0.6667, cost 0.27 (73 %)",
        "- 20: rank 3 in x, not there in y, cost 0.135",
        "- 90: not there in x, rank 3 in y, cost 0.135",
    ]
    assert why.items == (10, 20, 30, 90)
    assert why.to_frame("ranked_items")["x_rank"].tolist()[0] == 3


def test_what_cannot_be_explained_says_so():
    """Distances, batches, empty lists."""
    with pytest.raises(cd.ArgumentError, match=r"^explain: footrule is not a sum over depths"):
        cd.explain(["a"], ["b"], "footrule")
    with pytest.raises(cd.ArgumentError, match=r"^explain: takes two lists, got batches"):
        cd.explain([{"a": 1}], ["b"], "rbo")
    with pytest.warns(cd.UndefinedWarning):
        why = cd.explain([], [], "rbo")
    assert repr(why) == "rbo = nan\n(undefined: both lists are empty)"


@pytest.mark.parametrize("name", ["rbo", "rbo(ties=b)", "kendall_distance", "rba"])
@pytest.mark.parametrize("groups", [["b", "a", "e", "f"], [["b", "a"], "e", "f"]])
def test_all_orders_of_a_short_list(name, groups):
    """The p-value is the share of the orders of y's own items, groups of the same sizes, as extreme."""
    x, c = ["a", "b", "c"], cd.coefficient(name)
    found = cd.permutation_test(x, groups, name, alternative="greater")
    sizes = [len(g) if isinstance(g, list) else 1 for g in groups]
    null = []
    for order in itertools.permutations("abef"):
        items = iter(order)
        null.append(c(x, [[next(items) for _ in range(size)] for size in sizes]))
    assert found.exact
    assert found.n_resamples == len(null) // math.prod(map(math.factorial, sizes))
    assert found.statistic == c(x, groups)
    assert found.pvalue == pytest.approx(np.mean(np.array(null) >= found.statistic - 1e-12))


def test_random_orders_of_a_long_list():
    """The same seed gives the same answer, by any number of threads; related lists have a small p-value."""
    rng = np.random.default_rng(0)
    x = [f"d{k}" for k in range(40)]
    y = [f"d{k}" for k in np.argsort(np.arange(50) + rng.normal(0, 3, 50))]
    found = [cd.permutation_test(x, y, "rbo(p=0.95)", rng=1, n_resamples=499, workers=w) for w in (1, 2)]
    assert np.array_equal(found[0].null_distribution, found[1].null_distribution)
    assert found[0].pvalue == 2 / 500
    less = cd.permutation_test(x, y, "kendall_distance", rng=1, n_resamples=499, alternative="less")
    assert less.pvalue == 1 / 500
    unrelated = cd.permutation_test(x, list(rng.permutation(y)), "rbo(p=0.95)", rng=1, n_resamples=499)
    assert unrelated.pvalue > 0.01
    with pytest.raises(cd.ArgumentError, match=r"^permutation_test: takes two lists, got batches"):
        cd.permutation_test([{"a": 1}], ["b"], "rbo")


def test_the_reasons_are_the_items_that_cost_most():
    why = cd.explain(["a", "b", "c"], ["b", "a", "d"], "rbo")
    assert [each.item for each in why.reasons(2)] == ["c", "d"]
    assert why.reasons(1) == list(why.ranked_items[:1])
