"""tau_gap, pearson_rank, tau_h, pearson_r, spearman_rho: values, identities, accuracy."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
import reference
from hypothesis import assume, given
from support import examples, quiet
from support.strategies import random_pair, tied_pairs, untied_pairs

import concordant as cd

some = examples(200)

FIVE = ["tau_gap", "pearson_rank", "tau_h", "pearson_r", "spearman_rho"]


def close(a, b, tolerance=1e-12):
    return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= tolerance


def check_all(x, y):
    for name in FIVE:
        assert close(getattr(cd, name)(x, y), getattr(reference, name)(x, y)), name
    for name in ("tau_gap", "pearson_rank"):
        f = getattr(reference, name)
        assert close(getattr(cd, name)(x, y, symmetric=True), (f(x, y) + f(y, x)) / 2), name


@quiet
@given(tied_pairs())
@some
def test_against_the_formulas(pair):
    """With ties, against exact fractions."""
    check_all(*pair)


@quiet
@given(untied_pairs(min_size=0))
@some
def test_against_the_formulas_without_ties(pair):
    """Without ties, from no items up."""
    check_all(*pair)


@quiet
@pytest.mark.parametrize("ties", ["none", "few", "many"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 15, 16, 17, 33, 64, 65, 100])
def test_sizes_around_every_boundary_of_the_core(n, ties):
    """Sizes at which the core changes its way."""
    x, y = random_pair(2, n, ties)
    check_all(x.tolist(), y.tolist())


@quiet
@pytest.mark.parametrize("offset", [0.0, 1e6, -1e9])
def test_a_common_offset_costs_no_digits(offset):
    """1e-12 against exact fractions, for scores that share many leading digits."""
    rng = np.random.default_rng(3)
    for n in (5, 60):
        x, y = offset + rng.integers(0, 3 * n, (2, n)) / 2**12
        check_all(x.tolist(), y.tolist())


def test_scales_that_square_beyond_the_range_of_floats():
    """Powers of two that overflow when squared, and the largest doubles."""
    x, y = random_pair(4, 40, "few")
    for name in FIVE:
        f = getattr(cd, name)
        value = f(x, y)
        for scale in (2.0**600, 2.0**-600):
            assert close(f(scale * x, scale * y), value), (name, scale)
    huge = np.array([1.7e308, -1.7e308, 0.0, 1e308])
    for name in FIVE:
        assert getattr(cd, name)(huge, huge) == 1.0, name


def test_two_clusters_far_apart():
    """Gaps within a cluster are tiny against the distance of the clusters: sums from one centre lose them."""
    rng = np.random.default_rng(5)
    x = np.concatenate([rng.integers(0, 90, 30) / 2**20, 1e6 + rng.integers(0, 90, 30) / 2**20])
    y = rng.permutation(60).astype(float)
    check_all(x.tolist(), y.tolist())
    assert close(cd.tau_gap(x, x + y * 2**-30), reference.tau_gap(x.tolist(), (x + y * 2**-30).tolist()))


@pytest.mark.parametrize("n", [6_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_many_items_against_all_pairs(n):
    """Every pivot's gaps to all items above it, at an offset of 1e6; NumPy sums pairwise, fsum the terms."""
    rng = np.random.default_rng(6)
    distinct = rng.permutation(8 * n)[: 2 * n] / 2**20  # no ties: those are settled by convention
    x = 1e6 + distinct[:n]
    y = 1e6 + np.argsort(np.argsort(x + distinct[n:])) / 2**20
    down_y = x[np.argsort(-y)] - 1e6  # exact
    terms = []
    for k in range(1, n):
        gaps = down_y[:k] - down_y[k]
        terms.append(gaps.sum() / np.abs(gaps).sum())
    assert abs(cd.tau_gap(x, y) - math.fsum(terms) / (n - 1)) < 1e-12

    by_x = np.argsort(-x)
    down_x, down_y = x[by_x] - 1e6, y[by_x] - 1e6
    terms = []
    for k in range(1, n):
        gx, gy = down_x[:k] - down_x[k], down_y[:k] - down_y[k]
        terms.append(gx @ gy / math.sqrt((gx @ gx) * (gy @ gy)))
    weights = down_x[1:] - down_x[-1]
    assert abs(cd.pearson_rank(x, y) - math.fsum(weights * terms) / math.fsum(weights)) < 1e-12


EXTREMES = [
    ("pearson_rank", [1e16, 3, 2, 1, 0], [5, 1, 3, 2, 4]),
    ("pearson_rank", [1e6, 0.3, 0.2, 0.1, 0], [5, 1, 3, 2, 4]),
    ("pearson_rank", [1e16, 5, 4], [1, 0, 0]),
    ("pearson_rank", [1e8, 0.00200001, 0.002], [1, 0, 1]),
    ("pearson_rank", [4, 3, 2, 1, 0], [3e-200, 2e-200, 1e-200, 0, 1]),
    ("pearson_rank", [3e-90, 2e-90, 1e-90, -1], [3e-90, 0, 1e-90, -1]),
    ("pearson_rank", [3e-200, 2e-200, 1e-200, -1], [1, 3, 2, 0]),
    ("tau_gap", [1.0, *(k * 5e-324 for k in range(30))], [2, *[1] * 30]),
    ("tau_gap", [1e300, *(k * 1e-20 for k in range(30))], [2, *[1] * 30]),
    ("tau_gap", [1e308, 1e-30, 0], [1, 3, 2]),
    ("pearson_r", [5.357e301, 9.644e301, 3.215e301], [0, 5e-323, 4.4e-323]),
    ("pearson_r", [2.17e-322, 2.2e-322], [1, 2]),
]


@pytest.mark.parametrize(("name", "x", "y"), EXTREMES)
def test_scores_of_very_different_size(name, x, y):
    """One score far from the others, or nearly the smallest doubles: no weight, gap or moment may vanish."""
    assert close(getattr(cd, name)(x, y), getattr(reference, name)(x, y))


def test_a_hundred_thousand_items_agree_with_scipy():
    """With ties and an offset."""
    stats = pytest.importorskip("scipy.stats")
    n = 100_000
    rng = np.random.default_rng(8)
    x = 1e6 + rng.integers(0, 30_000, n) / 1024
    y = x + rng.integers(0, 30_000, n) / 1024
    assert close(cd.tau_h(x, y), stats.weightedtau(x, y).statistic, 1e-10)
    assert close(cd.spearman_rho(x, y), stats.spearmanr(x, y).statistic, 1e-10)
    assert close(cd.pearson_r(x, y), stats.pearsonr(x, y).statistic, 1e-9)


@quiet
@given(tied_pairs(min_size=2))
@some
def test_scipy_has_three_of_them(pair):
    """SciPy computes tau_h, Pearson and Spearman as well."""
    stats = pytest.importorskip("scipy.stats")
    x, y = pair
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    assert close(cd.tau_h(x, y), stats.weightedtau(x, y).statistic, 1e-10)
    assert close(cd.pearson_r(x, y), stats.pearsonr(x, y).statistic, 1e-10)
    assert close(cd.spearman_rho(x, y), stats.spearmanr(x, y).statistic, 1e-10)


@quiet
@given(tied_pairs(min_size=3))
@some
def test_a_ranking_agrees_with_itself_exactly(pair):
    """The value is 1, not 1 less rounding, or undefined if there are too few levels."""
    for v in pair:
        for name in FIVE:
            value = getattr(cd, name)(v, v)
            levels = len(set(v))
            assert value == 1.0 if levels > (2 if name == "pearson_rank" else 1) else math.isnan(value), name


@quiet
@given(tied_pairs(min_size=2))
@some
def test_the_order_of_the_items_changes_no_bit(pair):
    """Few items, any ties."""
    x, y = pair
    order = np.random.default_rng(len(x)).permutation(len(x))
    for name in FIVE:
        f = getattr(cd, name)
        value = f(x, y)
        assert f(np.array(x)[order], np.array(y)[order]) == value or math.isnan(value), name


@pytest.mark.parametrize("ties", ["none", "few", "many"])
def test_the_order_of_many_items_changes_no_bit(ties):
    """Five thousand items."""
    x, y = random_pair(9, 5000, ties)
    order = np.random.default_rng(0).permutation(5000)
    for name in FIVE:
        f = getattr(cd, name)
        assert f(x, y) == f(x[order], y[order]), name


@quiet
@given(tied_pairs(min_size=2))
@some
def test_symmetric_ones_are_symmetric_to_the_last_bit(pair):
    """Those that declare it, and symmetric forms."""
    x, y = pair
    for c in ("tau_h", "pearson_r", "spearman_rho", "tau_gap(symmetric=True)", "tau_ap_a(symmetric=True)"):
        value = cd.coefficient(c)(x, y)
        assert cd.coefficient(c)(y, x) == value or math.isnan(value), c


@quiet
@given(tied_pairs(min_size=2))
@some
def test_symmetric_forms_let_thresholds_follow_their_ranking(pair):
    """The mean of both directions, thresholds exchanged with the rankings."""
    x, y = pair
    for f in (cd.tau_ap_a, cd.tau_ap_e):
        mean = (f(x, y, threshold=(0.1, 0.3)) + f(y, x, threshold=(0.3, 0.1))) / 2
        assert f(x, y, threshold=(0.1, 0.3), symmetric=True) == mean


@quiet
@given(tied_pairs(min_size=3))
@some
def test_odd_in_one_ranking(pair):
    """The opposite order has the opposite sign."""
    x, y = pair
    assert close(cd.tau_gap([-v for v in x], y), -cd.tau_gap(x, y))
    assert close(cd.pearson_rank(x, [-v for v in y]), -cd.pearson_rank(x, y))
    assert close(cd.pearson_r(x, [-v for v in y]), -cd.pearson_r(x, y))


@quiet
@given(tied_pairs(min_size=3))
@some
def test_what_maps_of_the_scores_change(pair):
    """tau_gap: y by any increasing map, x by a line; pearson_rank: both by lines."""
    x, y = pair
    line = [8 * v + 3 for v in x]
    assert close(cd.tau_gap(line, [v**3 + v for v in y]), cd.tau_gap(x, y), 1e-11)
    assert close(cd.pearson_rank(line, [4 * v - 1 for v in y]), cd.pearson_rank(x, y), 1e-10)
    assert close(cd.tau_h([v**3 + v for v in x], np.exp(y)), cd.tau_h(x, y))


def test_pearson_rank_of_any_line_is_one():
    """Theorem 1 of the paper, corrected: not only y = x, and not only y = 1 - x."""
    x = [0.9, 0.5, 0.4, 0.2, 0.1]
    assert cd.pearson_rank(x, [3 * v - 7 for v in x]) == pytest.approx(1, abs=1e-12)
    assert cd.pearson_rank(x, [-3 * v - 7 for v in x]) == pytest.approx(-1, abs=1e-12)


def test_tau_gap_is_tau_ap_for_three_equally_spaced_scores_only():
    """Theorem 2 of the paper needs all gaps equal, not only neighbouring ones."""
    for order in permutations([3, 2, 1]):
        assert close(cd.tau_gap([3, 2, 1], order), cd.tau_ap([3, 2, 1], order))
    differences = [
        abs(cd.tau_gap([4, 3, 2, 1], y) - cd.tau_ap([4, 3, 2, 1], y)) for y in permutations([4, 3, 2, 1])
    ]
    assert max(differences) > 0.05


def test_tau_gap_of_two_grades():
    """x of 0 and 1: -1 for a 1 with some 0 above, +1 for a 0 with some 1 above, no term otherwise."""
    x, y = [0, 1, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1]
    assert cd.tau_gap(x, y) == pytest.approx((-1 - 1 + 1 - 1 + 1) / 5)


def test_tau_gap_is_not_centred_at_zero():
    """The mean over all orders of y is positive where x has one large score, negative where one small one."""
    means = {}
    for name, x in (("one large", [0, 1, 2, 10]), ("one small", [0, 8, 9, 10])):
        means[name] = np.mean([cd.tau_gap(x, y) for y in permutations(range(4))])
    assert means["one large"] > 0.05
    assert means["one small"] < -0.05


@pytest.mark.parametrize("t", [2, 3, 24, 25, 26, 40, 200, 3000])
def test_large_groups_of_equal_estimates(t):
    """The closed form for the places of a group against the sum over all of them."""
    rng = np.random.default_rng(t)
    x = rng.integers(0, 50, t + 20) / 4
    y = np.r_[np.arange(20) + 10.0, np.full(t, 5.0)]
    total = weight = 0.0
    for i in range(len(x)):
        above, tied = x[y > y[i]] - x[i], (x[y == y[i]] - x[i])
        size = len(tied)
        share = np.arange(size) / max(size - 1, 1)
        signed = above.sum() + share * tied.sum()
        mass = np.abs(above).sum() + share * np.abs(tied).sum()
        total += np.sum(signed[mass > 0] / mass[mass > 0]) / size
        weight += np.count_nonzero(mass) / size
    assert cd.tau_gap(x, y) == pytest.approx(total / weight, abs=1e-12)
    if t < 100:
        tied = x[20:].tolist()
        assert close(cd.tau_gap(tied, [1] * t), reference.tau_gap(tied, [1] * t))


@pytest.mark.parametrize("place", ["head", "tail"])
def test_vigna_weights_the_head(place):
    """Ten items, two neighbours exchanged: 0.886 at the head, 0.984 at the tail."""
    x = np.arange(10, 0, -1.0)
    y = x.copy()
    i = 0 if place == "head" else 8
    y[[i, i + 1]] = y[[i + 1, i]]
    assert cd.tau_h(x, y) == pytest.approx({"head": 0.886, "tail": 0.984}[place], abs=5e-4)


def test_undefined_says_why():
    """Each reason in the words of the coefficient."""
    with pytest.warns(cd.UndefinedWarning, match="tau_gap is undefined: all items are tied in x"):
        assert math.isnan(cd.tau_gap([1, 1, 1], [1, 2, 3]))
    assert cd.tau_gap([1, 2, 3], [1, 1, 1]) == 0
    with pytest.warns(cd.UndefinedWarning, match="all items are tied in x, or all in y"):
        assert math.isnan(cd.tau_gap([1, 2, 3], [1, 1, 1], symmetric=True))
    with pytest.warns(
        cd.UndefinedWarning, match="pearson_rank is undefined: x has fewer than three different scores"
    ):
        assert math.isnan(cd.pearson_rank([2, 1, 1], [1, 2, 3]))
    with pytest.warns(
        cd.UndefinedWarning, match="pearson_r is undefined: all items have the same score in x or in y"
    ):
        assert math.isnan(cd.pearson_r([0.1, 0.1, 0.1], [1, 2, 3]))
