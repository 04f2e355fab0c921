"""Why two lists do not agree more; tests of the order of a list."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from reference import lists as reference
from support import examples
from support.lists import two_lists

import concordant as cd


@pytest.mark.parametrize("ties", ["a", "b", "w"])
@given(two_lists())
@examples(60)
def test_the_costs_of_depths_and_of_items_sum_to_what_is_lost(ties, pair):
    """Depths: weight (1 - agreement), the last from there on. Items: with what lies beyond."""
    why = cd.explain(*pair, f"rbo(p=0.8, ties={ties})", most=3)
    assert why.value == cd.rbo(*pair, p=0.8, ties=ties)
    assert math.fsum(each.cost for each in why.depths) == pytest.approx(1 - why.value, abs=1e-12)
    beyond = why.explained[0].beyond
    assert math.fsum(each.cost for each in why.items) + beyond == pytest.approx(1 - why.value, abs=1e-12)
    sizes = [sum(map(len, groups)) for groups in pair]
    if sizes[0] == sizes[1]:
        assert beyond == pytest.approx(0, abs=1e-12)
    assert all(each.cost >= 0 for each in why.items)
    assert [each.depth for each in why.depths] == list(range(1, max(sizes) + 1))
    for each in why.depths:
        expected = reference.agreement(*pair, ties, each.depth, "ext")
        assert each.agreement == pytest.approx(expected, abs=1e-12)
    costs = [each.cost for each in why.items]
    assert costs == pytest.approx(sorted(costs, reverse=True), abs=1e-14)


def test_an_explanation_in_words():
    """What costs most, with the ranks in both lists; integers keep their values."""
    why = cd.explain(np.array([30, 10, 20]), np.array([10, 30, 90]), "rbo", most=2)
    assert why.verdict == (
        "rbo is 0.63, over 4 items.",
        "Depth 3 and beyond costs most, 0.27.",
        "Of the items, 20 costs most, 0.14 (rank 3 in x, not in y).",
    )
    assert [(d.depth, round(d.agreement, 4), round(d.cost, 3)) for d in why.depths if d.cost] == [
        (1, 0.0, 0.1),
        (3, 0.6667, 0.27),
    ]
    assert [each.item for each in why.items] == [20, 90, 10, 30]
    assert why.to_frame("items")["x_rank"].tolist()[0] == 3
    assert "Cost of each depth" in why.to_text()


def test_what_cannot_be_explained_says_so():
    """Distances, batches, empty lists."""
    with pytest.raises(cd.ArgumentError, match=r"^explain: footrule is not a sum over depths"):
        cd.explain(["a"], ["b"], "footrule")
    with pytest.raises(cd.ArgumentError, match=r"^explain: takes two lists, got batches"):
        cd.explain([{"a": 1}], ["b"], "rbo")
    with pytest.warns(cd.UndefinedWarning):
        why = cd.explain([], [], "rbo")
    assert why.verdict == ("rbo is undefined: both lists are empty.",)


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
    assert found.options["n_resamples"] == len(null) // math.prod(map(math.factorial, sizes))
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
