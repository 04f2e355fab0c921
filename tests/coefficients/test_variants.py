"""Forms of the coefficients in the papers, ties within a percentage, gaps of tied pairs; theorems."""

from __future__ import annotations

import itertools
import json
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import reference
from hypothesis import assume, given, strategies as st
from support import examples, quiet
from support.strategies import pairs_with_thresholds, tied_pairs

import concordant as cd

pytestmark = quiet
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "variants.json").read_text())
WITH_TIES = [cd.tau_a, cd.tau_b, cd.tau_e, cd.tau_ap_a, cd.tau_ap_b, cd.tau_ap_e]


def relation(tied):
    return cd.TieRelation(np.array(tied))


def found(case):
    """Return the value of a golden case by the public functions."""
    name, args, kwargs = case["function"], case["args"], dict(case["kwargs"])
    if name == "tau_ap_ties":
        kwargs["tied"] = {"penalty": "discordant", "neutral": "neutral"}[kwargs["tied"]]
        return cd.tau_ap_b(*args, **kwargs)
    if name == "tau_ap_a_two_term":
        return cd.tau_ap_a(*args, form="two_term")
    if name == "unbiased_a":
        kind, (x,), (y,) = args[0], args[1].values(), args[2].values()
        return cd.unbiased_a(kind, x, other=y, **kwargs)
    for side in ("x", "y"):
        if f"relation_{side}" in kwargs:
            own = relation(kwargs.pop(f"relation_{side}"))
            kwargs["threshold"] = (own, 0.0) if side == "x" else (0.0, own)
    return getattr(cd, name)(*args, **kwargs)


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: f"{case['function']} {case['id'][-3:]}")
def test_golden(case):
    """Each form gives its golden values."""
    if case["function"] != "fuzzy":
        assert found(case) == pytest.approx(case["value"], abs=1e-12)
        return
    percent = f"{case['kwargs']['fuzz'] * 100}% of {case['kwargs']['of']}"
    for name, value in case["value"].items():
        assert getattr(cd, name)(*case["args"], threshold=percent) == pytest.approx(value, abs=1e-12), name


def test_examples_of_the_papers():
    """000: three items, the given scores as weights. 004, 2.2.3 and 6.1.4: one direction each."""
    x, y = [0.9, 0.5, 0.2], [0.6, 0.7, 0.1]
    assert cd.pearson_rank(x, y, scale="none") == pytest.approx(-0.4597, abs=5e-5)
    assert cd.pearson_rank(x, y) == -1
    x, y = [5, 3.5, 3.5, 2, 1], [5, 3, 3, 3, 1]
    assert [cd.tau_ap_b(x, y, walks=side) for side in "yx"] == pytest.approx([1.0, 2 / 3])
    with pytest.warns(cd.UndefinedWarning, match="tau_ap_b is undefined: all items are tied in y"):
        assert math.isnan(cd.tau_ap_b([1, 2], [1, 1], walks="y"))
    assert cd.tau_ap_b([1, 2], [1, 1], walks="x") == -1


@given(pairs_with_thresholds(min_size=2, max_size=12))
@examples(100)
def test_forms_are_the_literal_formulas(case):
    """One direction, one ranking's ranks, given weights, two terms, and gaps with ties within a threshold."""
    x, y, w = case
    for walks, tied in itertools.product("xy", ("discordant", "neutral")):
        options = {"walks": walks, "tied": tied}
        expected = reference.tau_ap_b(x, y, *w, **options)
        assert cd.tau_ap_b(x, y, threshold=w, **options) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    for rank in "xy":
        expected = reference.tau_h(x, y, rank)
        assert cd.tau_h(x, y, rank=rank) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert cd.tau_ap_a(x, y, form="two_term") == pytest.approx(reference.tau_ap_a_two_term(x, y), abs=1e-12)
    positive = [abs(v) for v in x]
    expected = reference.pearson_rank(positive, y, "none")
    assert cd.pearson_rank(positive, y, scale="none") == pytest.approx(expected, abs=1e-11, nan_ok=True)
    tied = [[each == 0 for each in row] for row in reference.signs(x, w[0])]
    expected = reference.tau_gap(x, y, tied)
    for ties in (w, (w[0], 0.0), (relation(tied), w[1]), (relation(tied), relation(tied))):
        assert cd.tau_gap(x, y, threshold=ties) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    back = reference.tau_gap(y, x, [[each == 0 for each in row] for row in reference.signs(y, w[1])])
    both = cd.tau_gap(x, y, threshold=w, symmetric=True)
    assert both == pytest.approx((expected + back) / 2, abs=1e-12, nan_ok=True)


def test_the_two_term_form_is_tau_ap_a_if_x_has_no_ties():
    """Radja 4.2; with ties in x it counts them as wrong."""
    y = [3, 3, 2, 2, 2, 0]
    assert cd.tau_ap_a([6, 1, 4, 2, 5, 3], y, form="two_term") == cd.tau_ap_a([6, 1, 4, 2, 5, 3], y)
    assert cd.tau_ap_a([6, 6, 4, 4, 4, 4], y, form="two_term") < cd.tau_ap_a([6, 6, 4, 4, 4, 4], y)


PERCENTS = st.sampled_from([5, 10, 25, 50, 100 / 3])


@given(tied_pairs(min_size=2, max_size=12), PERCENTS, PERCENTS, st.booleans())
@examples(100)
def test_ties_within_a_percentage_are_those_of_the_relation(pair, f_x, f_y, negative):
    """Of the smaller and of the larger score; with zeros, and with scores that are all negative or 0."""
    x, y = ([-abs(v) if negative else abs(v) for v in side] for side in pair)
    for of in ("smaller", "larger"):
        ties = relation(reference.fuzzy(x, f_x, of)), relation(reference.fuzzy(y, f_y, of))
        percents = f"{f_x}% of {of}", f"{f_y} % of the {of}"
        for f in (*WITH_TIES, cd.tau_gap):
            expected = f(x, y, threshold=ties)
            assert f(x, y, threshold=percents) == pytest.approx(expected, abs=1e-12, nan_ok=True), f
        mixed = cd.tau_e(x, y, threshold=(percents[0], ties[1]))
        assert mixed == pytest.approx(cd.tau_e(x, y, threshold=ties), abs=1e-12)


def test_ties_within_a_percentage():
    """Inclusive, also where decimals round; unchanged by scaling; 0 is tied with 0 only; not transitive."""

    def tied(a, b, percent="5%"):
        return cd.counts([a, b], [1, 0], threshold=(percent, 0.0)).tied_x == 1

    for scale in (1e-300, 0.001, 1, 1.05, 7, 1e300):
        assert tied(scale * 0.40, scale * 0.42)
        assert not tied(scale * 0.40, scale * 0.42001)
        assert tied(scale * 0.38, scale * 0.40, "5% of larger")
        assert not tied(scale * 0.38, scale * 0.40)
    assert tied(0, 0)
    assert not tied(0, 1e-300, "400%")
    assert not tied(-1e-300, 0)
    three = cd.counts([1, 1.04, 1.08], [1, 2, 3], threshold="5%")
    assert (three.tied_x, three.tied_both) == (2, 0)
    many = np.array([[0.40, 0.42, 0.6], [0.40, 0.45, 0.6]])
    assert cd.tau_b(many, [1, 2, 3], threshold=("5%", 0.0)).round(4).tolist() == [0.8165, 1.0]


@pytest.mark.parametrize("name", ["tau_b", "tau_gap", "tau_ap_e"])
def test_a_percentage_of_scores_of_both_signs_is_refused(name):
    """It means nothing around 0; the message names the score."""
    x = {"a": 0.5, "b": -0.25, "c": 0.1}
    with pytest.raises(cd.ArgumentError, match=rf"^{name}: x is -0\.25 at 'b' and has positive scores too"):
        getattr(cd, name)(x, x, threshold="5%")
    with pytest.raises(cd.ArgumentError, match=r"x is -0\.25 at 'b'"):
        cd.compare(x, x, [f"{name}(5%)"])
    assert cd.coefficient(f"{name}(0%)")(x, x) == 1


def test_what_is_refused():
    """Negative weights, and a threshold in the two-term form."""
    with pytest.raises(cd.ArgumentError, match=r"^pearson_rank: a score is -1 at 'b'; with scale='none'"):
        cd.pearson_rank({"a": 1, "b": -1}, {"a": 1, "b": 2}, scale="none")
    with pytest.raises(cd.ArgumentError, match=r"^tau_ap_a: this form takes no threshold"):
        cd.tau_ap_a([1, 2], [1, 2], threshold=0.1, form="two_term")
    with pytest.warns(cd.UndefinedWarning, match="x has no positive score below its best"):
        assert math.isnan(cd.pearson_rank([0, 0, 1], [1, 2, 3], scale="none"))
    with pytest.warns(cd.UndefinedWarning, match="fewer than two items"):
        assert math.isnan(cd.pearson_rank([1], [1], scale="none"))
    with pytest.raises(cd.ArgumentError, match="threshold must be a number >= 0 or a pair"):
        cd.counts([1, 2], [1, 2], threshold="5%", per_item=True)


def test_resamples_of_topics_have_their_own_ties():
    """bootstrap and judge recompute ties of the means for each resample."""
    rng = np.random.default_rng(4)
    truth = np.sort(rng.random(8))[::-1] / 3
    one, other = (cd.Scores(truth + rng.random((30, 8)) * 0.4) for _ in range(2))
    for name in ("tau_b(5%)", "tau_gap(0.03)", "pearson_rank(scale=none)", "tau_ap_b(walks=y)"):
        result = cd.bootstrap(one, other, name, resampling=cd.Resampling(n_resamples=20, rng=1))
        assert result.statistic == cd.coefficient(name)(one.mean(), other.mean())
        drawn = np.random.default_rng(0).integers(0, 30, 30)
        means = [np.array(side.values)[0][drawn].mean(axis=0) for side in (one, other)]
        assert cd.coefficient(name)(*means) != result.statistic


# --- tau_ap_a under any relation ---


@st.composite
def relations(draw):
    n = draw(st.integers(2, 6))
    x, y = (draw(st.lists(st.integers(0, 4).map(float), min_size=n, max_size=n)) for _ in range(2))
    tied = np.eye(n, dtype=bool)
    for i, j in itertools.combinations(range(n), 2):
        tied[i, j] = tied[j, i] = draw(st.booleans())
    return x, y, tied


@given(relations())
@examples(100)
def test_tau_ap_a_is_the_mean_over_all_orders_inside_spans(case):
    """It is defined for every relation."""
    x, y, tied = case
    n = len(x)
    groups = reference.spans(y, tied.tolist())
    assume(math.prod(math.factorial(len(group)) for group in groups) <= 720)
    s_x = reference.signs(x, 0)
    s_y = [
        [0 if tied[i][j] else each for j, each in enumerate(row)]
        for i, row in enumerate(reference.signs(y, 0))
    ]
    total, count = Fraction(0), 0
    for parts in itertools.product(*map(itertools.permutations, groups)):
        order, count = list(itertools.chain(*parts)), count + 1
        for place in range(1, n):
            i = order[place]
            total += Fraction(sum(s_x[j][i] * s_y[j][i] for j in order[:place]), place)
    value = cd.tau_ap_a(x, y, threshold=(0.0, relation(tied)))
    assert value == pytest.approx(float(total / count / (n - 1)), abs=1e-12)


# --- theorems of the papers ---

FALLING = st.lists(st.integers(1, 20), min_size=3, max_size=7)  # gaps between neighbours


def swapped(x, i):
    """Scores of the items with those at places i and i + 1 exchanged."""
    y = list(x)
    y[i], y[i + 1] = y[i + 1], y[i]
    return y


def scores(gaps):
    return [float(sum(gaps[i:])) for i in range(len(gaps) + 1)]


@given(FALLING, st.data())
@examples(200)
def test_pearson_rank_costs_more_at_the_top(gaps, data):
    """Theorem 2 of Gao, Bagdouri and Oard: one swap of neighbours, of the same gap, in two places."""
    i, p = sorted(data.draw(st.permutations(range(len(gaps))))[:2])
    gaps[p] = gaps[i]
    x = scores(gaps)
    assert cd.pearson_rank(x, swapped(x, i)) < cd.pearson_rank(x, swapped(x, p)) + 1e-12


def test_a_larger_swapped_gap_can_raise_pearson_rank():
    """Theorem 3 there is false: the weight of the negative cosine falls more than the cosines."""
    first, larger = [7, 6, 2, 0], [7, 6, 1, 0]
    assert cd.pearson_rank(first, swapped(first, 1)) == pytest.approx(0.645836, abs=1e-6)
    assert cd.pearson_rank(larger, swapped(larger, 1)) == pytest.approx(0.788987, abs=1e-6)


@given(FALLING, st.integers(1, 20), st.data())
@examples(200)
def test_tau_gap_falls_with_the_gap_of_the_error(gaps, more, data):
    """Theorem 3 of Gao and Oard: the same swap of neighbours, a larger gap between them."""
    i = data.draw(st.integers(0, len(gaps) - 1))
    x = scores(gaps)
    gaps[i] += more
    wider = scores(gaps)
    assert cd.tau_gap(wider, swapped(wider, i)) <= cd.tau_gap(x, swapped(x, i)) + 1e-12


@given(FALLING, st.data())
@examples(200)
def test_tau_gap_is_above_tau_ap_for_small_errors_and_below_for_large_ones(gaps, data):
    """Theorem 4: the gap of the swapped pair against those of the other pairs of its lower item."""
    i = data.draw(st.integers(1, len(gaps) - 1))
    x = scores(gaps)
    y, others = swapped(x, i), [x[j] - x[i] for j in range(i)]
    if gaps[i] <= min(others):
        assert cd.tau_gap(x, y) >= cd.tau_ap(x, y) - 1e-12
    if gaps[i] >= max(others):
        assert cd.tau_gap(x, y) <= cd.tau_ap(x, y) + 1e-12


def test_norms_with_the_weights_of_each_order_leave_the_bounds():
    """Vezzuto, eq. 1: grades 2 1 0 and their reverse, dw with ap weights, each norm with its own weights."""
    grades, orders = [2, 1, 0], ([0, 1, 2], [2, 1, 0])
    pairs = list(itertools.combinations(range(3), 2))
    d = {(i, j): abs(grades[i] - grades[j]) / max(grades[i], grades[j]) for i, j in pairs}
    own = [sum(d[i, j] / max(order.index(i), order.index(j)) for i, j in pairs) for order in orders]
    assert -own[1] / math.sqrt(own[0] * own[1]) == pytest.approx(-1.0801, abs=5e-5)
    assert cd.tau_ap_dw([3, 2, 1], [1, 2, 3], grades) == -1


@pytest.mark.parametrize(("n", "more"), [(3, ""), (4, ", ...")])
def test_three_of_the_items_that_tie_are_named(n, more):
    """By a form that has no ties."""
    named = f"x has tied items (position 0, position 1, position 2{more} at 1)"
    with pytest.raises(cd.ConcordantError, match=re.escape(named)):
        cd.tau([1.0] * n + [0.5], range(n + 1))
