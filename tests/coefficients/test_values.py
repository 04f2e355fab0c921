"""Every coefficient against golden values, the literal formulas, and counting by brute force."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import reference
from hypothesis import given
from scipy import stats
from support import examples, quiet
from support.strategies import (
    TIES,
    pairs_with_thresholds,
    random_pair,
    thresholds_near,
    tied_pairs,
    untied_pairs,
)

import concordant as cd

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "golden.json").read_text())
EIGHT = ["tau", "tau_a", "tau_b", "tau_e", "tau_ap", "tau_ap_a", "tau_ap_b", "tau_ap_e"]
WITH_THRESHOLD = [name for name in EIGHT if name not in ("tau", "tau_ap")]


def same(value, expected, tolerance=1e-12):
    return (math.isnan(value) and (expected is None or math.isnan(expected))) or abs(
        value - expected
    ) <= tolerance


every_name = pytest.mark.parametrize("name", dict.fromkeys(case["coefficient"] for case in GOLDEN))


@quiet
@every_name
def test_golden(name):
    """Each coefficient gives its golden values."""
    for case in GOLDEN:
        if case["coefficient"] == name:
            value = getattr(cd, name)(*case["args"], **case["kwargs"])
            assert same(value, case["value"]), (value, case)


@quiet
@every_name
def test_the_reference_gives_the_golden_values(name):
    """The literal formulas and the golden values were made independently, and agree."""
    for case in GOLDEN:
        if case["coefficient"] != name:
            continue
        kwargs = dict(case["kwargs"])
        if cd.REGISTRY[name].inputs == "graded_lists":
            # Where a is not given, all are sc of equally likely grades.
            kwargs = {"a": kwargs.get("a", -1 / (2 * kwargs.get("max_grade", math.nan)))}
        w = kwargs.pop("threshold", None)
        if w is not None:
            kwargs["w_x"], kwargs["w_y"] = w if isinstance(w, list) else (w, w)
        assert same(getattr(reference, name)(*case["args"], **kwargs), case["value"]), case


def test_every_coefficient_has_golden_values():
    """Two at least, so that a coefficient cannot be added without any."""
    for name in (name for name, c in cd.REGISTRY.items() if c.inputs != "lists"):  # see test_lists.py
        assert sum(case["coefficient"] == name for case in GOLDEN) >= 2, name


def check_all(x, y, w):
    """All coefficients of one pair, fast and literal, every option."""
    for name in WITH_THRESHOLD:
        expected = getattr(reference, name)(x, y, *w)
        assert same(getattr(cd, name)(x, y, threshold=w), expected), name
    assert same(cd.tau_ap_b(x, y, threshold=w, tied="neutral"), reference.tau_ap_b(x, y, *w, tied="neutral"))
    counted = cd.counts(x, y, threshold=w)
    assert tuple(getattr(counted, name) for name in counted.value_names()) == reference.counts(x, y, *w)


@quiet
@given(pairs_with_thresholds())
@examples(400)
def test_ties_and_thresholds(case):
    """The coefficients are those of the formulas, with ties and with thresholds."""
    check_all(*case)


@quiet
@given(tied_pairs(max_size=40))
@examples(100)
def test_ties(pair):
    """The coefficients are those of the formulas on longer rankings with ties."""
    check_all(*pair, (0.0, 0.0))


@quiet
@given(untied_pairs(min_size=0, max_size=40))
@examples(100)
def test_no_ties(pair):
    """The coefficients are those of the formulas on rankings without ties."""
    check_all(*pair, (0.0, 0.0))
    assert same(cd.tau(*pair), reference.tau(*pair))
    assert same(cd.tau_ap(*pair), reference.tau_ap(*pair))


@quiet
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize(
    "n",
    [
        *(0, 1, 2, 5, 31, 64, 65, 129),
        *(pytest.param(n, marks=pytest.mark.slow) for n in (3, 4, 7, 16, 63, 127, 128)),
    ],
)
def test_sizes_around_every_boundary_of_the_core(n, ties):
    """n up to 129, word sizes of the bit set included; thresholds at, just below, just above differences."""
    x, y = random_pair(1, n, ties)
    rng = np.random.default_rng(n)
    near_x, near_y = thresholds_near(x, rng), thresholds_near(y, rng)
    for w in zip(near_x, near_y, strict=True) if n < 100 else [(near_x[k], near_y[k]) for k in (0, 1, 3)]:
        check_all(x.tolist(), y.tolist(), w)


def brute(x, y, w_x, w_y):
    """All sums from the n x n matrices of signs; its own code, in NumPy."""

    def signs(v, w):
        d = v[:, None] - v[None, :]
        slack = 4 * np.finfo(float).eps * abs(v).max() if w > 0 and len(v) else 0
        return (d > w + slack).astype(np.int8) - (d < -w - slack).astype(np.int8)

    n = len(x)
    s_x, s_y = signs(x, w_x), signs(y, w_y)
    above_x, above_y = (s_x > 0).sum(0), (s_y > 0).sum(0)
    concordant = ((s_x > 0) & (s_y > 0)).sum(0)
    down_y = ((s_x < 0) & (s_y > 0)).sum(0)
    down_x = ((s_x > 0) & (s_y < 0)).sum(0)
    pairs = n * (n - 1) / 2
    c, d, u_x, u_y = concordant.sum(), down_y.sum(), above_x.sum(), above_y.sum()
    both = pairs - u_x - u_y + c + d

    def mean_over(numerator, above):
        return np.mean(numerator[above > 0] / above[above > 0]) if above.any() else math.nan

    result = {
        "tau_a": (c - d) / pairs,
        "tau_b": (c - d) / math.sqrt(u_x * u_y) if u_x * u_y else math.nan,
        "tau_e": 2 * (c + both) / pairs - 1,
        "tau_ap_b": mean_over(concordant, above_x) + mean_over(concordant, above_y) - 1,
        "tau_ap_b(tied=neutral)": (
            mean_over(concordant - down_x, above_x) + mean_over(concordant - down_y, above_y)
        )
        / 2,
    }
    # stepping: groups of y with the same window; the harmonic mean weight of their places
    window = np.stack([above_y, (s_y >= 0).sum(0)])
    _, group, size = np.unique(window, axis=1, return_inverse=True, return_counts=True)
    group = group.ravel()
    start = np.array([np.sum(y > y[group == g].max()) for g in range(len(size))])
    weight = np.array(
        [np.mean(1 / np.arange(s, s + t)) if s else 0 for s, t in zip(start, size, strict=True)]
    )
    result["tau_ap_a"] = np.sum((concordant - down_y) * weight[group]) / (n - 1)
    # equal ties: the mean over the slots of items with the same y
    agree = s_x == s_y
    larger, equal = y[:, None] > y[None, :], y[:, None] == y[None, :]
    a, g = (agree & larger).sum(0), (agree & equal).sum(0) - 1
    q, t = larger.sum(0), equal.sum(0)
    total = 0.0
    for i in range(n):
        k = np.arange(t[i])
        k = k[q[i] + k > 0]
        total += np.sum((a[i] + g[i] * k / max(t[i] - 1, 1)) / (q[i] + k)) / t[i]
    result["tau_ap_e"] = 2 * total / (n - 1) - 1
    return result


@pytest.mark.parametrize("w", [(0.0, 0.0), (0.01, 0.02)])
@pytest.mark.parametrize("levels", [0, 300, 7])
@pytest.mark.parametrize("n", [129, 151, 152, 200, 201, 256, 257, 1023, 1024, 2000])
def test_larger_n_against_brute_force(levels, w, n):
    """Both sorts, all sweeps, on both sides of the sizes that part them, against O(n^2) counting."""
    rng = np.random.default_rng(levels)
    x = rng.random(n) if levels == 0 else rng.integers(0, levels, n) / levels
    y = 0.5 * x + 0.5 * (rng.random(n) if levels == 0 else rng.integers(0, levels, n) / levels)
    for name, expected in brute(x, y, *w).items():
        bound = cd.coefficient(name)
        options = {key: value for key, value in bound.options if key != "threshold"}
        assert same(bound.function(x, y, threshold=w, **options), expected), name


@pytest.mark.parametrize(
    "shape",
    [
        "sorted",
        "reversed",
        "all tied",
        "two values",
        "organ pipe",
        "one moved",
        "one far off",
        "offset",
        "tiny gaps",
        "both signs",
        "both signs, tiny gaps",
    ],
)
@pytest.mark.parametrize(
    "n", [65, 152, 257, *(pytest.param(n, marks=pytest.mark.slow) for n in (64, 128, 129, 151, 256, 1100))]
)
@quiet
def test_shapes_that_sorts_find_hard(shape, n):
    """Also values that agree in all but their last bits, where sort keys collide."""
    x = np.arange(n, dtype=float)
    y = {
        "sorted": x,
        "reversed": -x,
        "all tied": np.zeros(n),
        "two values": x % 2,
        "one far off": np.append(1 + np.random.default_rng(0).permutation(n - 1) * 2.0**-40, 1e300),
        "organ pipe": np.minimum(x, n - x),
        "one moved": np.roll(x, 1),
        "offset": 1e6 + 1e-7 * np.random.default_rng(0).permutation(n),
        "tiny gaps": 1 + np.finfo(float).eps * np.random.default_rng(0).permutation(n),
        "both signs": np.random.default_rng(0).normal(size=n).round(2),
        "both signs, tiny gaps": (-1.0) ** x
        * (1 + np.finfo(float).eps * np.random.default_rng(0).permutation(n)),
    }[shape]
    for one, other in ((x, y), (y, x), (y, y)):
        for name, expected in brute(one, other, 0.0, 0.0).items():
            assert same(cd.coefficient(name)(one, other), expected), name


def test_keys_that_collide_are_in_order_for_thresholds_too():
    """Pairs of scores that differ by less than the keys tell beside a score near 0, the smaller first.

    Of neighbouring pairs the threshold ties what is at most as far apart as their smaller scores.
    """
    tiny = 2.0**-45
    levels = 1 + np.arange(500) / 1024
    x = np.append(np.stack([levels, levels + tiny], axis=1).ravel(), 1e-300)
    y = np.random.default_rng(0).permutation(len(x)).astype(float)
    w = 1 / 1024
    for name, expected in brute(x, y, w, 0.0).items():
        bound = cd.coefficient(name)
        options = {key: value for key, value in bound.options if key != "threshold"}
        assert same(bound.function(x, y, threshold=(w, 0.0), **options), expected), name


def net(x, y):
    """Concordant less discordant pairs, by comparing all."""
    signs = [np.sign(side[:, None] - side[None, :]) for side in (x, y)]
    return int(np.sum(signs[0] * signs[1]) / 2)


@pytest.mark.parametrize("n", [*range(2, 52), 64, 65, 97, 128, 129, 200, 348, 349, 350, 351])
def test_every_pair_of_few_items_is_counted(n):
    """Rows, one by one and as a batch: continuous, of both signs, with an outlier, nearly tied and tied."""
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=(2, 40, n))
    y += x
    y[3, 0], y[4, -1] = 1e300, -1e-300
    x[5] = 1 + 2.0**-52 * rng.permutation(n)
    y[6, n // 2] = y[6, 0]
    x[7, -1] = np.nextafter(x[7, 0], 9)
    y[30:] = y[30:].round(1)
    pairs = n * (n - 1) // 2
    for row, together in zip(zip(x, y, strict=True), cd.tau_a(x, y), strict=True):
        counted = cd.counts(*row)
        assert counted.concordant - counted.discordant == net(*row)
        assert together == cd.tau_a(*row) == net(*row) / pairs


@pytest.mark.parametrize("unit", [1.0, 0.25, 2.0**60, 5e-324])
@pytest.mark.parametrize("lowest", [0, 1, -100, -2000])
def test_whole_numbers_of_a_unit_keep_their_ties(lowest, unit):
    """The keys of the sort hold all of such scores, which come back from them, with zeros of either sign."""
    rng = np.random.default_rng(abs(lowest))
    x, y = lowest * unit + unit * rng.integers(0, 200, (2, 900)).astype(float)
    x[x == 0] *= rng.choice([-1.0, 1.0], np.sum(x == 0))
    for w in (0.0, 0.0), (0.0, 3 * unit):
        for name, expected in brute(x, y, *w).items():
            bound = cd.coefficient(name)
            options = {key: value for key, value in bound.options if key != "threshold"}
            assert same(bound.function(x, y, threshold=w, **options), expected), (name, w)


@pytest.mark.parametrize("levels_y", [0, 150, 9])
@pytest.mark.parametrize("levels_x", [0, 150, 9])
def test_tau_h_of_small_and_large_groups_of_ties(levels_x, levels_y):
    """Their order within each other's groups is found in two ways; some items are tied in both."""
    rng = np.random.default_rng(levels_x + 7 * levels_y)
    x, y = (rng.integers(0, k, 300).astype(float) if k else rng.random(300) for k in (levels_x, levels_y))
    x[:30], y[:30] = x[0], y[0]
    order = rng.permutation(300)
    assert same(cd.tau_h(x, y), reference.tau_h(x.tolist(), y.tolist()))
    assert cd.tau_h(x[order], y[order]) == cd.tau_h(x, y)


@pytest.mark.parametrize("n", [16_383, 16_384, 16_385, 70_000])
def test_many_items_have_the_pairs_that_scipy_counts(n):
    """Sets of rows, of blocks of rows, and of several blocks."""
    rng = np.random.default_rng(n)
    x = rng.normal(size=n)
    y = x + rng.normal(size=n)
    counted = cd.counts(x, y)
    assert counted.concordant + counted.discordant == n * (n - 1) // 2
    net = counted.concordant - counted.discordant
    assert net == round(stats.kendalltau(x, y).statistic * (n * (n - 1) // 2))


def test_a_million_items_against_counts_by_sorting():
    """C - D from NumPy merge counting at n = 1e6; identical rankings give exactly 1."""
    n = 1_000_000
    rng = np.random.default_rng(5)
    x, y = rng.random(n), rng.integers(0, 1000, n).astype(float)
    counted = cd.counts(x, y)
    assert sum(getattr(counted, name) for name in counted.value_names()) == n * (n - 1) // 2
    sizes = np.bincount(y.astype(int))
    assert counted.tied_y == int((sizes * (sizes - 1) // 2).sum())
    # An estimate of the concordant pairs from random pairs, five standard errors wide.
    i, j = rng.integers(0, n, (2, 400_000))
    share = np.mean((x[i] - x[j]) * (y[i] - y[j]) > 0)
    assert abs(counted.concordant / (n * (n - 1) / 2) - share) < 5 * math.sqrt(share * (1 - share) / 400_000)
    for name in ("tau_b", "tau_e", "tau_ap_b", "tau_ap_e"):
        assert getattr(cd, name)(y, y) == 1.0


@quiet
@given(pairs_with_thresholds(min_size=1))
@examples(150)
def test_item_counts_count_the_items_above_each_item(case):
    """Each count of each item is the number of items found by comparing it with all others."""
    x, y, w = case
    p = cd.counts(x, y, threshold=w, per_item=True)
    n = len(x)
    s_x, s_y = np.array(reference.signs(x, w[0])).T, np.array(reference.signs(y, w[1])).T
    expected = {
        "above_x": s_x == 1,
        "above_y": s_y == 1,
        "concordant": (s_x == 1) & (s_y == 1),
        "discordant": (s_x == -1) & (s_y == 1),
        "tied_x": (s_x == 0) & (s_y == 1),
        "tied_y": (s_x == 1) & (s_y == 0),
        "tied_both": (s_x == 0) & (s_y == 0) & ~np.eye(n, dtype=bool),
    }
    for name, counted in expected.items():
        assert getattr(p, name).tolist() == counted.sum(1).tolist(), name
    total = cd.counts(x, y, threshold=w)
    assert (
        p.concordant.sum(),
        p.discordant.sum(),
        p.tied_x.sum(),
        p.tied_y.sum(),
        p.tied_both.sum() // 2,
    ) == tuple(getattr(total, name) for name in total.value_names())


def test_a_threshold_tolerates_the_rounding_of_scores():
    """0.4 - 0.3 exceeds 0.1 in binary, 0.31 - 0.30 exceeds 0.01; both must tie."""
    assert 0.4 - 0.3 > 0.1
    assert 0.31 - 0.30 > 0.01
    assert cd.counts([0.4, 0.3], [1, 0], threshold=(0.1, 0)).tied_x == 1
    assert cd.counts([0.31, 0.30], [1, 0], threshold=(0.01, 0)).tied_x == 1
    assert cd.counts([0.31, 0.30], [1, 0], threshold=(0.0099999, 0)).tied_x == 0


def test_without_a_threshold_ties_are_exact_equality():
    """Without a threshold, 0.1 + 0.2 and 0.3 are two different scores."""
    assert cd.counts([0.1 + 0.2, 0.3], [1, 0]).tied_x == 0


def test_negative_zero_is_zero():
    """0.0 and -0.0 are tied."""
    assert cd.counts([0.0, -0.0], [0.0, -0.0]).tied_both == 1


def test_threshold_ties_are_not_transitive():
    """0, 0.6, 1.2 at threshold 1: neighbours are tied, the ends are not."""
    found = cd.counts([0, 0.6, 1.2], [0, 1, 2], threshold=(1, 0))
    assert tuple(getattr(found, name) for name in found.value_names()) == (1, 0, 2, 0, 0)


def test_an_infinite_threshold_ties_everything():
    """A threshold may be infinite, and no difference exceeds it."""
    assert cd.tau_e([1e308, -1e308, 0], [3, 2, 1], threshold=math.inf) == 1.0
