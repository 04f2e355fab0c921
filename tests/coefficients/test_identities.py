"""Identities that hold between the coefficients, by property and by enumeration."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest
import reference
import scipy.stats
from hypothesis import assume, given, strategies as st
from support import examples, quiet
from support.strategies import pairs_with_thresholds, random_pair, tied_pairs, untied_pairs

import concordant as cd

some = examples(150)

KENDALL = [cd.tau_a, cd.tau_b, cd.tau_e]
TIED = [*KENDALL, cd.tau_ap_a, cd.tau_ap_b, cd.tau_ap_e]


def close(a, b):
    return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 1e-12


def tie_orders(values):
    """All rankings without ties that keep the order of `values` and break its ties."""
    groups = [[i for i, v in enumerate(values) if v == level] for level in sorted(set(values))]
    for orders in product(*(permutations(group) for group in groups)):
        rank = [0] * len(values)
        for place, i in enumerate(i for group in orders for i in group):
            rank[i] = place
        yield rank


@given(untied_pairs())
@some
def test_without_ties_the_variants_of_a_family_agree(pair):
    """Without ties, the variants of tau are tau, and those of tau_ap are tau_ap or its symmetric mean."""
    for f in KENDALL:
        assert close(f(*pair), cd.tau(*pair))
    for f in (cd.tau_ap_a, cd.tau_ap_e):
        assert close(f(*pair), cd.tau_ap(*pair))
    x, y = pair
    symmetric = (cd.tau_ap(x, y) + cd.tau_ap(y, x)) / 2
    assert close(cd.tau_ap_b(x, y), symmetric)
    assert close(cd.tau_ap_b(x, y, tied="neutral"), symmetric)


ORDINAL = [cd.tau_c, cd.gamma, cd.somers_d]


@given(untied_pairs())
@some
def test_without_ties_the_ordinal_coefficients_are_tau(pair):
    """tau_c too, whose number of levels is then the number of items."""
    for f in ORDINAL:
        assert close(f(*pair), cd.tau(*pair))


@quiet
@given(pairs_with_thresholds(min_size=2))
@some
def test_tau_b_is_the_geometric_mean_of_both_directions_of_somers_d(case):
    """And |tau_a| <= |tau_b| <= |gamma|, with thresholds too."""
    x, y, (w_x, w_y) = case
    tau_a, tau_b, gamma, d, back, both = (
        f(x, y, threshold=(w_x, w_y), **options)
        for f, options in (
            *((f, {}) for f in (cd.tau_a, cd.tau_b, cd.gamma)),
            *((cd.somers_d, {"dependent": side}) for side in ("y", "x", "both")),
        )
    )
    assert close(back, cd.somers_d(y, x, threshold=(w_y, w_x)))
    if not math.isnan(tau_b):
        assert close(tau_b, math.copysign(math.sqrt(d * back), d))
        assert close(both, 2 * d * back / (d + back) if d else 0.0)
        assert abs(tau_a) <= abs(tau_b) + 1e-12
        assert math.isnan(gamma) or abs(tau_b) <= abs(gamma) + 1e-12


@quiet
@pytest.mark.parametrize("seed", range(20))
def test_yes_or_no(seed):
    """Somers' D is Youden's J and 2 AUC - 1, gamma is Yule's Q, tau_b is phi; all of the table a b / c d."""
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 2, (2, 30))
    (d, c), (b, a) = ([int(((x == i) & (y == j)).sum()) for j in (0, 1)] for i in (0, 1))
    assert close(cd.somers_d(x, y), a / (a + b) - c / (c + d))
    assert close(cd.gamma(x, y), (a * d - b * c) / (a * d + b * c))
    assert close(cd.tau_c(x, y), 4 * (a * d - b * c) / 30**2)
    assert close(cd.tau_b(x, y), np.corrcoef(x, y)[0, 1])
    scores = rng.integers(0, 5, 30)
    wins = [(u > v) + (u == v) / 2 for u in scores[x == 1] for v in scores[x == 0]]
    assert close(cd.somers_d(x, scores), 2 * np.mean(wins) - 1)


@quiet
@pytest.mark.parametrize("levels", [2, 3, 5, 40])
def test_scipy_has_the_same_values(levels):
    """kendalltau(variant="c") and somersd, on few and on many levels; a batch has those of its rows."""
    rng = np.random.default_rng(levels)
    x, y = rng.integers(0, levels, (2, 8, 200)).astype(float)
    for f, peer in (
        (cd.tau_c, lambda a, b: scipy.stats.kendalltau(a, b, variant="c").statistic),
        (cd.somers_d, lambda a, b: scipy.stats.somersd(a, b).statistic),
    ):
        expected = [peer(a, b) for a, b in zip(x, y, strict=True)]
        assert f(x, y) == pytest.approx(expected, abs=1e-12)
        assert [f(a, b) for a, b in zip(x, y, strict=True)] == f(x, y).tolist()


@quiet
def test_undefined_and_constant_ratings():
    """Somers' D of a constant estimate is 0; what has no pair to divide by is nan; tau_c has no threshold."""
    assert cd.somers_d([1, 2, 3], [1, 1, 1]) == 0.0
    assert math.isnan(cd.somers_d([1, 1, 1], [1, 2, 3]))
    assert math.isnan(cd.gamma([1, 1, 2], [1, 1, 1]))
    assert math.isnan(cd.tau_c([1, 1, 1], [1, 2, 3]))
    assert str(cd.coefficient("kendall-tau-c")) == "tau_c"
    with pytest.raises(cd.ArgumentError, match="tau_c takes no threshold"):
        cd.coefficient("tau_c(0.1)")
    with pytest.raises(cd.ArgumentError, match="dependent must be 'y', 'x' or 'both', got 'z'"):
        cd.somers_d([1, 2], [1, 2], dependent="z")


@given(tied_pairs(min_size=2, max_size=6))
@examples(60)
def test_the_a_variants_are_means_over_all_ways_of_breaking_ties(pair):
    """By full enumeration, ties of x and of y."""
    x, y = pair
    assume(math.prod(math.factorial(v.count(level)) for v in pair for level in set(v)) <= 5000)
    both = [(a, b) for a in tie_orders(x) for b in tie_orders(y)]
    assert close(cd.tau_a(x, y), np.mean([reference.tau(a, b) for a, b in both]))
    assert close(cd.tau_ap_a(x, y), np.mean([reference.tau_ap(a, b) for a, b in both]))


@given(tied_pairs(min_size=2, max_size=6))
@examples(60)
def test_tau_ap_e_is_the_mean_over_all_orders_of_equal_estimates(pair):
    """By full enumeration of the orders of items with equal y."""
    x, y = pair
    assume(math.prod(math.factorial(y.count(level)) for level in set(y)) <= 720)
    n = len(x)
    s_x, s_y = reference.signs(x, 0), reference.signs(y, 0)
    values = []
    for rank in tie_orders(y):
        order = sorted(range(n), key=lambda i: -rank[i])
        total = sum(sum(s_x[j][i] == s_y[j][i] for j in order[:k]) / k for k, i in enumerate(order) if k)
        values.append(2 * total / (n - 1) - 1)
    assert close(cd.tau_ap_e(x, y), np.mean(values))


@given(pairs_with_thresholds(min_size=2, max_size=6))
@examples(60)
def test_tau_ap_a_with_a_threshold_is_a_mean_over_orders_within_groups(case):
    """Groups of y are the items tied with exactly the same items; only these change places."""
    x, y, (w_x, w_y) = case
    n = len(x)
    s_x, s_y = reference.signs(x, w_x), reference.signs(y, w_y)
    windows = [frozenset(k for k in range(n) if s_y[k][i] == 0) for i in range(n)]
    groups = [[i for i in range(n) if windows[i] == window] for window in set(windows)]
    groups.sort(key=lambda group: -y[group[0]])
    values = []
    for orders in product(*(permutations(group) for group in groups)):
        order = [i for group in orders for i in group]
        values.append(
            sum(s_x[i][j] * s_y[i][j] / k for k, i in enumerate(order) for j in order[:k]) / (n - 1)
        )
    assert close(cd.tau_ap_a(x, y, threshold=(w_x, w_y)), np.mean(values))


@given(tied_pairs(min_size=2))
@some
def test_tau_ap_a_equals_the_two_term_form_if_the_reference_has_no_ties(pair):
    """Urbano and Marrero's formula (thesis eq. 2.8), invalid for ties in x."""
    _, y = pair
    n = len(y)
    x = np.random.default_rng(n).permutation(n).tolist()
    total = 0.0
    for i in range(n):
        p, t = 1 + sum(v > y[i] for v in y), y.count(y[i])
        above = [j for j in range(n) if y[j] > y[i]]
        if above:
            total += sum(x[j] > x[i] for j in above) * sum(1 / (p + k - 2) for k in range(1, t + 1)) / t
        total += sum(k / (t * (p + k - 1)) for k in range(1, t)) / 2
    assert close(cd.tau_ap_a(x, y), 2 * total / (n - 1) - 1)


@given(pairs_with_thresholds(min_size=2))
@some
@quiet
def test_counts_and_the_kendall_family(case):
    """tau_b and tau_e follow from tau_a and the counts of tied pairs."""
    x, y, w = case
    found = cd.counts(x, y, threshold=w)
    c, d, t_x, t_y, t_2 = (getattr(found, name) for name in found.value_names())
    pairs = len(x) * (len(x) - 1) // 2
    a = cd.tau_a(x, y, threshold=w)
    assert c + d + t_x + t_y + t_2 == pairs
    assert close(cd.tau_e(x, y, threshold=w), a + (t_2 - t_x - t_y) / pairs)
    untied = (c + d + t_y) * (c + d + t_x)
    assert close(cd.tau_b(x, y, threshold=w), a * pairs / math.sqrt(untied) if untied else math.nan)


@given(tied_pairs(min_size=2))
@some
@quiet
def test_a_threshold_of_zero_changes_nothing(pair):
    """A threshold of zero, in whatever form, gives the value without one to the last bit."""
    for f in TIED:
        plain = f(*pair)
        for zero in (0, 0.0, (0, 0), [0.0, 0.0], np.zeros(2)):
            assert f(*pair, threshold=zero) == plain or math.isnan(plain)


@given(untied_pairs())
@some
@quiet
def test_a_threshold_beyond_the_range_ties_everything(pair):
    """A threshold as wide as the range of x leaves no pair of x ordered."""
    x, y = pair
    wide = (max(x) - min(x), 0.0)
    assert cd.tau_a(x, y, threshold=wide) == cd.tau_ap_a(x, y, threshold=wide) == 0
    assert math.isnan(cd.tau_b(x, y, threshold=wide))
    assert math.isnan(cd.tau_ap_b(x, y, threshold=wide))
    assert cd.tau_e(x, y, threshold=wide) == cd.tau_ap_e(x, y, threshold=wide) == -1
    both = (max(x) - min(x), max(y) - min(y))
    assert cd.tau_e(x, y, threshold=both) == cd.tau_ap_e(x, y, threshold=both) == 1


@given(pairs_with_thresholds(min_size=2))
@some
@quiet
def test_odd_in_the_reference(case):
    """Reversing the reference changes the sign."""
    x, y, w = case
    minus = [-v for v in x]
    for f in (cd.tau_a, cd.tau_b, cd.tau_ap_a):
        assert close(f(minus, y, threshold=w), -f(x, y, threshold=w))


@given(untied_pairs())
@some
def test_tau_ap_is_odd_in_the_reference(pair):
    """Reversing a reference without ties changes the sign."""
    x, y = pair
    assert close(cd.tau_ap([-v for v in x], y), -cd.tau_ap(x, y))


def test_the_b_and_e_variants_of_ties_are_not_odd():
    """So that the test above cannot pass for want of a difference."""
    x, y = [3, 2, 2, 1], [4, 3, 2, 1]
    assert cd.tau_e([-v for v in x], y) != pytest.approx(-cd.tau_e(x, y))
    assert cd.tau_ap_b([-v for v in x], y) != pytest.approx(-cd.tau_ap_b(x, y))


@given(pairs_with_thresholds(min_size=2))
@some
@quiet
def test_kendall_does_not_care_which_end_is_the_best(case):
    """Reversing both rankings changes no bit."""
    x, y, w = case
    for f in KENDALL:
        value = f(x, y, threshold=w)
        mirrored = f([-v for v in x], [-v for v in y], threshold=w)
        assert mirrored == value or math.isnan(value)


def test_the_ap_family_cares_which_end_is_the_best():
    """An exchange at the top costs more than the same exchange at the bottom."""
    x, y = [4, 3, 2, 1], [3, 4, 2, 1]
    for f in (cd.tau_ap, cd.tau_ap_a, cd.tau_ap_b, cd.tau_ap_e):
        assert f([-v for v in x], [-v for v in y]) > f(x, y) + 0.1


@given(tied_pairs(min_size=2))
@some
@quiet
def test_a_ranking_agrees_with_itself_exactly(pair):
    """A ranking against itself gives exactly 1, or less where ties are undecided."""
    for v in pair:
        assert cd.tau_e(v, v) == cd.tau_ap_e(v, v) == 1.0
        if len(set(v)) > 1:
            assert cd.tau_b(v, v) == cd.tau_ap_b(v, v) == cd.tau_ap_b(v, v, tied="neutral") == 1.0
        if len(set(v)) == len(v):
            assert cd.tau(v, v) == cd.tau_ap(v, v) == cd.tau_a(v, v) == cd.tau_ap_a(v, v) == 1.0
        else:
            assert cd.tau_a(v, v) < 1
            assert cd.tau_ap_a(v, v) < 1


@given(
    st.lists(st.integers(0, 20).map(lambda k: k / 10), min_size=2, max_size=30),
    st.integers(1, 9).map(lambda k: k / 10),
)
@some
@quiet
def test_a_ranking_agrees_with_itself_exactly_under_a_threshold(v, w):
    """A ranking against itself gives exactly 1 under a threshold, where there is a value."""
    assert cd.tau_e(v, v, threshold=w) == cd.tau_ap_e(v, v, threshold=w) == 1.0
    if not math.isnan(cd.tau_b(v, v, threshold=w)):
        assert cd.tau_b(v, v, threshold=w) == cd.tau_ap_b(v, v, threshold=w) == 1.0


@given(tied_pairs(min_size=2))
@some
@quiet
def test_increasing_maps_change_nothing(pair):
    """Only the order of the scores counts, to the last bit."""
    x, y = pair
    for f in TIED:
        value = f(x, y)
        assert f([v**3 + v for v in x], np.exp(y)) == value or math.isnan(value)


@given(pairs_with_thresholds(min_size=2))
@some
@quiet
def test_thresholds_scale_with_the_scores(case):
    """Scaled by a power of two, so that nothing rounds."""
    x, y, (w_x, w_y) = case
    for f in TIED:
        value = f(x, y, threshold=(w_x, w_y))
        scaled = f([8 * v for v in x], [v / 4 for v in y], threshold=(8 * w_x, w_y / 4))
        assert scaled == value or math.isnan(value)


@given(pairs_with_thresholds(min_size=2), st.randoms(use_true_random=False))
@some
@quiet
def test_the_order_of_the_items_changes_no_bit(case, random):
    """The items may be listed in any order."""
    x, y, w = case
    order = list(range(len(x)))
    random.shuffle(order)
    for f in TIED:
        value = f(x, y, threshold=w)
        assert f([x[i] for i in order], [y[i] for i in order], threshold=w) == value or math.isnan(value)


@pytest.mark.parametrize("ties", ["none", "few", "many"])
def test_the_order_of_many_items_changes_no_bit(ties):
    """The items may be listed in any order, also where sums have thousands of terms."""
    x, y = random_pair(3, 6000, ties)
    order = np.random.default_rng(0).permutation(6000)
    for f in TIED:
        for w in (0.0, 0.25):
            assert f(x, y, threshold=w) == f(x[order], y[order], threshold=w)


@given(pairs_with_thresholds(min_size=2))
@some
@quiet
def test_symmetric_coefficients_are_symmetric_to_the_last_bit(case):
    """Exchanging the rankings, with their thresholds, changes no bit."""
    x, y, (w_x, w_y) = case
    for f in (*KENDALL, cd.tau_ap_b):
        value = f(x, y, threshold=(w_x, w_y))
        assert f(y, x, threshold=(w_y, w_x)) == value or math.isnan(value)


@given(tied_pairs(min_size=2))
@some
@quiet
def test_tau_b_is_that_of_scipy(pair):
    """tau_b is the statistic of scipy.stats.kendalltau."""
    stats = pytest.importorskip("scipy.stats")
    value = cd.tau_b(*pair)
    expected = stats.kendalltau(*pair).statistic
    assert close(value, expected)


@pytest.mark.parametrize("f", [cd.tau_a, cd.tau_ap_a])
def test_expectation_is_zero_under_independence(f):
    """The mean over all orders of y is 0."""
    x = [0.1, 0.7, 0.7, 0.3, 0.9]
    values = [f(x, list(y)) for y in permutations([1, 2, 3, 4, 5])]
    assert np.mean(values) == pytest.approx(0, abs=1e-12)
