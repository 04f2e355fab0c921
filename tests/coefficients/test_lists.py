"""Lists that need not hold the same items: values, properties, published examples."""

from __future__ import annotations

import json
import math
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, strategies as st
from reference import lists as reference
from support import examples, quiet
from support.lists import any_lists, two_lists, untied

import concordant as cd

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "lists.json").read_text())
PERSISTENCES = st.sampled_from([0.1, 0.5, 0.8, 0.9, 0.95, 0.99])
TIES = ("a", "b", "w")
every_variant = pytest.mark.parametrize("ties", TIES)
thorough = examples(150)


def bounds(x, y, **options):
    """Extrapolated, least and largest value."""
    found = cd.rbo_bounds(x, y, **options)
    return found.ext, found.min, found.max


@pytest.mark.parametrize("function", dict.fromkeys(case["function"] for case in GOLDEN))
def test_golden(function):
    """Each function gives its golden values."""
    for case in GOLDEN:
        x, y, options, value = case["x"], case["y"], case["kwargs"], case["value"]
        if case["function"] != function:
            continue
        if function == "rbo":
            found = cd.rbo_bounds(x, y, **options)
            wanted = pytest.approx(value, abs=1e-9)
            assert {name: getattr(found, name) for name in value} == wanted, case["id"]
            assert cd.rbo(x, y, **options) == found.ext, case["id"]
        else:
            assert getattr(cd, function)(x, y, **options) == pytest.approx(value, abs=1e-9), case["id"]


def test_there_are_golden_values_of_each_kind():
    """180 of rbo, 40 of each distance; rba has published values below."""
    names = [case["function"] for case in GOLDEN]
    assert {name: names.count(name) for name in set(names)} == {
        "rbo": 180,
        "kendall_distance": 40,
        "footrule": 40,
    }


# --- published -------------------------------------------------------------------------------------------

PUBLISHED = {  # Corsi and Urbano 2024: ext, min, max
    "a": (0.6922853, 0.3310519, 0.8930692),
    "w": (0.7068257, 0.3429684, 0.9049857),
    "b": (0.7207131, 0.3509163, 0.9129336),
}


@every_variant
def test_the_published_example_with_ties(ties):
    """To the seven digits printed."""
    x, y = "red (blue green) yellow pink", "(blue red) white (yellow black purple) green"
    assert bounds(x, y, p=0.95, ties=ties) == pytest.approx(PUBLISHED[ties], abs=5e-8)


def test_the_published_values_of_rank_biased_alignment():
    """Moffat et al. 2024, ten items at p = 0.8: reversed, and neighbours exchanged."""
    items = list("abcdefghij")
    assert round(cd.rba(items, items[::-1], p=0.8), 3) == 0.733
    assert round(cd.rba(items, list("badcfehgji"), p=0.8), 3) == 0.887


# --- against the literal formulas ------------------------------------------------------------------------


@quiet
@every_variant
@given(any_lists(), PERSISTENCES)
@thorough
def test_overlap_is_the_literal_formula(ties, pair, p):
    """Extrapolated, least and largest, for lists of any length with any ties."""
    expected = reference.rbo(*pair, p, ties)
    assert bounds(*pair, p=p, ties=ties) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert cd.rbo(*pair, p=p, ties=ties) == pytest.approx(expected[0], abs=1e-12, nan_ok=True)


@quiet
@given(any_lists(), PERSISTENCES, st.sampled_from([0.0, 0.25, 0.5, 1.0]))
@thorough
def test_alignment_and_distances_are_the_literal_formulas(pair, p, penalty):
    """For lists of any length with any ties."""
    assert cd.rba(*pair, p=p) == pytest.approx(reference.rba(*pair, p), abs=1e-14, nan_ok=True)
    assert cd.kendall_distance(*pair, penalty=penalty) == reference.kendall_distance(*pair, penalty)
    assert cd.footrule(*pair) == reference.footrule(*pair)


@quiet
@given(any_lists())
@thorough
def test_distances_are_normalised_by_those_of_disjoint_lists(pair):
    """Of the same lengths, without ties; no pair of lists is further apart."""
    n_x, n_y = (sum(map(len, groups)) for groups in pair)
    apart = [f"x{k}" for k in range(n_x)], [f"y{k}" for k in range(n_y)]
    for function in (cd.kendall_distance, cd.footrule):
        scale, value = function(*apart), function(*pair, normalize=True)
        if scale == 0:
            assert math.isnan(value)
        else:
            assert value == pytest.approx(function(*pair) / scale, abs=1e-15)
            assert 0 <= value <= 1


@pytest.mark.parametrize("n", [64, 65, 300, 3000])
@pytest.mark.parametrize("levels", [0, 5, 200])
def test_longer_lists(n, levels):
    """Distances against counting by NumPy, with few, many and no ties."""
    rng = np.random.default_rng([n, levels])
    x, y = (list(map(int, rng.permutation(2 * n)[:n])) for _ in range(2))

    def grouped(items):
        if not levels:
            return [[e] for e in items]
        cuts = np.sort(rng.choice(np.arange(1, n), size=min(levels, n - 1), replace=False))
        return [part.tolist() for part in np.split(np.array(items), cuts)]

    groups = grouped(x), grouped(y)
    items = sorted(set(x) | set(y))
    middle = []
    for one in groups:
        ranked = reference.ranks(one)
        lacking = [e for e in items if e not in ranked]
        below = len(ranked) + (len(lacking) + 1) / 2
        middle.append(np.array([sum(ranked[e]) / 2 if e in ranked else below for e in items]))
    assert cd.footrule(*groups) == np.abs(middle[0] - middle[1]).sum()
    counted = cd.counts(-middle[0], -middle[1])
    one_sided = counted.tied_x + counted.tied_y
    assert cd.kendall_distance(*groups) == counted.discordant + one_sided / 2


# --- properties ------------------------------------------------------------------------------------------


@given(two_lists(untied), PERSISTENCES)
@thorough
def test_without_ties_the_variants_are_the_same(pair, p):
    """To the last bit, by the short way and by the general way."""
    found = {bounds(*pair, p=p, ties=ties) for ties in TIES}
    assert len(found) == 1
    names = [[str(e) for (e,) in groups] for groups in pair]
    assert {cd.rbo(*names, p=p, ties=ties) for ties in TIES} == {found.pop()[0]}


@given(two_lists(same_length=True, max_size=5), PERSISTENCES)
@examples(60)
def test_a_is_the_mean_over_all_ways_of_breaking_ties(pair, p):
    """For lists of equal length: the extrapolated, the least and the largest value."""
    ways = [bounds(x, y, p=p) for x in reference.broken(pair[0]) for y in reference.broken(pair[1])]
    assert bounds(*pair, p=p) == pytest.approx([fmean(each) for each in zip(*ways, strict=True)], abs=1e-12)


@given(two_lists(max_size=5), PERSISTENCES)
@examples(60)
def test_the_least_value_of_a_is_always_that_mean(pair, p):
    """For lists of different length too."""
    ways = [
        cd.rbo_bounds(x, y, p=p).min for x in reference.broken(pair[0]) for y in reference.broken(pair[1])
    ]
    assert cd.rbo_bounds(*pair, p=p).min == pytest.approx(fmean(ways), abs=1e-12)


def test_the_extrapolated_value_of_a_is_not_that_mean_for_different_lengths():
    """The assumption about unseen items is made once, not for each way of breaking the ties."""
    x, y = [["a"]], [["a"], ["b", "c", "d"]]
    ways = [cd.rbo(one, other) for one in reference.broken(x) for other in reference.broken(y)]
    assert abs(cd.rbo(x, y) - fmean(ways)) > 0.04


@given(two_lists(), PERSISTENCES)
@thorough
def test_a_list_with_itself(pair, p):
    """b and w are exactly 1, a is 1 without ties; the distances are 0; the bounds enclose the value."""
    for groups in pair:
        tied = any(len(group) > 1 for group in groups)
        assert cd.rbo(groups, groups, p=p, ties="b") == 1
        assert cd.rbo(groups, groups, p=p, ties="w") == 1
        assert (cd.rbo(groups, groups, p=p, ties="a") == 1) == (not tied)
        assert cd.kendall_distance(groups, groups) == cd.footrule(groups, groups) == 0
        n = sum(map(len, groups))
        assert cd.rba(groups, groups, p=p) == pytest.approx(1 - p**n, abs=1e-14)


@every_variant
@given(two_lists(), PERSISTENCES)
@thorough
def test_bounds_enclose_the_value(ties, pair, p):
    """min <= ext <= max, and a <= b."""
    ext, least, most = bounds(*pair, p=p, ties=ties)
    assert -1e-15 <= least <= ext + 1e-12
    assert ext <= most + 1e-12
    assert most <= 1 + 1e-12
    assert cd.rbo(*pair, p=p, ties="a") <= cd.rbo(*pair, p=p, ties="b") + 1e-12
    found = cd.rbo_bounds(*pair, p=p, ties=ties)
    assert found.residual == found.max - found.min


@every_variant
def test_disjoint_lists_do_not_overlap(ties):
    """Exactly 0, extrapolated and least; alignment too."""
    x, y = "a (b c) d", "(e f) g"
    found = cd.rbo_bounds(x, y, ties=ties)
    assert (found.ext, found.min) == (0, 0)
    assert 0 < found.max < 1
    assert cd.rba(x, y) == 0
    assert cd.rbo(["a", "b"], ["c"]) == 0


@every_variant
@given(two_lists(max_size=6), st.sampled_from([0.5, 0.8, 0.9]))
@examples(20)
def test_filled_out_lists_reach_the_bounds(ties, pair, p):
    """Both lists filled out to depth 400 in the best and in the worst way (p^400 < 1e-18)."""
    _, least, most = bounds(*pair, p=p, ties=ties)
    assert cd.rbo(*reference.filled_to(400, *pair, best=True), p=p, ties=ties) == pytest.approx(
        most, abs=1e-12
    )
    # In the worst way the overlap stays, and its share of a depth falls as 1 / d: the rest adds to it.
    worst = cd.rbo_bounds(*reference.filled_to(400, *pair, best=False), p=p, ties=ties)
    assert worst.min == pytest.approx(least, abs=1e-12)
    assert worst.ext == pytest.approx(least, abs=1e-12)


def test_filled_out_to_depth_2000():
    """The published example, at its p = 0.95 (p^2000 < 1e-44)."""
    x = [["red"], ["blue", "green"], ["yellow"], ["pink"]]
    y = [["blue", "red"], ["white"], ["yellow", "black", "purple"], ["green"]]
    for ties in TIES:
        _, least, most = bounds(x, y, p=0.95, ties=ties)
        for best, expected in ((True, most), (False, least)):
            filled = reference.filled_to(2000, x, y, best=best)
            assert cd.rbo(*filled, p=0.95, ties=ties) == pytest.approx(expected, abs=1e-12)


@quiet
@given(any_lists())
@thorough
def test_the_footrule_is_between_the_kendall_distance_and_its_double(pair):
    """K <= F <= 2 K for a penalty of 1/2 (Fagin et al. 2006)."""
    k, f = cd.kendall_distance(*pair), cd.footrule(*pair)
    assert k <= f <= 2 * k


@given(two_lists(same_items=True))
@thorough
def test_on_the_same_items_the_kendall_distance_is_that_of_tau_a(pair):
    """K = N (1 - tau_a) / 2 - T / 2, with T pairs tied in both."""
    ranked = [reference.ranks(groups) for groups in pair]
    x, y = ([-float(r[e][0]) for e in ranked[0]] for r in ranked)
    if len(x) < 2:
        return
    counted = cd.counts(x, y)
    n_pairs = len(x) * (len(x) - 1) / 2
    expected = n_pairs * (1 - cd.tau_a(x, y)) / 2 - counted.tied_both / 2
    assert cd.kendall_distance(*pair) == pytest.approx(expected, abs=1e-9)


@given(two_lists(), st.randoms(use_true_random=False))
@thorough
def test_the_order_within_groups_and_of_the_sides_does_not_matter(pair, random):
    """To the last bit."""
    x, y = pair
    shuffled = [[random.sample(list(group), len(group)) for group in groups] for groups in pair]
    calls = [(cd.rbo, {"ties": ties}) for ties in TIES] + [
        (cd.rba, {}),
        (cd.kendall_distance, {}),
        (cd.footrule, {}),
    ]
    for function, options in calls:
        assert function(x, y, **options) == function(*shuffled, **options) == function(y, x, **options)


# --- empty lists and extreme options ---------------------------------------------------------------------


@every_variant
def test_empty_lists(ties):
    """Two are undefined; with one, nothing is known: the largest value is 1 if the other has no ties."""
    with pytest.warns(cd.UndefinedWarning, match="rbo is undefined: both lists are empty"):
        assert math.isnan(cd.rbo([], [], ties=ties))
    assert bounds([], "a b c", ties=ties) == (0, 0, 1)
    # The first item of a tied group is seen in part at depth 1, whatever the other list has there.
    assert cd.rbo_bounds([], "(a b)", p=0.9, ties="a").max == pytest.approx(1 - 0.1 / 2)
    assert cd.kendall_distance([], []) == cd.footrule([], []) == 0
    with pytest.warns(cd.UndefinedWarning, match="disjoint lists of these lengths have distance 0"):
        assert math.isnan(cd.footrule([], ["a"], normalize=True))


@pytest.mark.parametrize("p", [1e-12, 0.5, 1 - 1e-9])
def test_extreme_persistence(p):
    """At p near 0 only the first item counts; near 1 the bounds are wide, and still bounds."""
    x, y = [f"d{k}" for k in range(50)], [f"d{k}" for k in range(25, 75)]
    found = cd.rbo_bounds(x, y, p=p)
    assert 0 <= found.min <= found.ext <= found.max <= 1
    if p < 1e-6:
        assert found.max < 1e-9
    if p > 0.999:
        assert found.residual > 0.99


@pytest.mark.parametrize(
    ("p", "n"), [(0.9, 5), (0.9, 11), (0.99, 300), (0.999, 800), (0.999, 3000), (0.5, 60)]
)
def test_the_tail_of_the_least_value_is_that_of_a_long_sum(p, n):
    """Identical lists of n items that share nothing after: n (1 - p) / p times the sum of p^d / d, d > n."""
    items = list(range(n))
    tail = math.fsum(p**d / d for d in range(n + 1, n + int(60 / (1 - p))))
    expected = 1 - p**n + (1 - p) / p * n * tail
    assert cd.rbo_bounds(items, items, p=p).min == pytest.approx(expected, abs=1e-14)


# --- batches, threads, the other forms -------------------------------------------------------------------


def many(seed, count=40):
    """Random lists with ties, of different length."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        items = rng.permutation(60)[: rng.integers(0, 40)]
        found.append({f"d{e}": float(s) for e, s in zip(items, rng.integers(0, 12, len(items)), strict=True)})
    return found


@quiet
@pytest.mark.parametrize(
    "name",
    ["rbo", "rbo(ties=b)", "rbo(p=0.5, ties=w)", "rba", "kendall_distance", "footrule(normalize=True)"],
)
def test_batches_and_threads_give_the_bits_of_single_calls(name):
    """One call for all, by any number of threads, is each call alone; so is the matrix of all pairs."""
    c = cd.coefficient(name)
    x, y = many(1), many(2)
    alone = np.array([c(one, other) for one, other in zip(x, y, strict=True)])
    for workers in (1, 2, 7):
        assert np.array_equal(c(x, y, workers=workers), alone, equal_nan=True)
    assert np.array_equal(c(x[3], y), np.array([c(x[3], other) for other in y]), equal_nan=True)
    lists = dict(enumerate(x[:6]))
    for workers in (1, 2):
        found = cd.matrix(lists, name, workers=workers)
        assert found.values.shape == (6, 6)
        for i, one in lists.items():
            for j, other in lists.items():
                assert np.array_equal(found[i, j], c(one, other), equal_nan=True)


def test_matrix_takes_several_lists():
    """A list of lists, which is no batch elsewhere, is one here."""
    found = cd.matrix([["a", "b"], ["b", "a"], ["c"]], "rbo")
    assert found.diagonal().tolist() == [1, 1, 1]
    assert found[0, 1] == found[1, 0] == cd.rbo(["a", "b"], ["b", "a"])
    with pytest.raises(cd.ArgumentTypeError, match=r"^matrix: rbo compares lists of items; give a mapping"):
        cd.matrix("a b c", "rbo")
    with pytest.raises(cd.ArgumentError, match=r"^matrix: list 'second' has 'a' twice"):
        cd.matrix({"first": ["a"], "second": ["a", "a"]}, "rbo")


@quiet
@pytest.mark.parametrize("name", ["rbo", "rbo(threshold=1.5, ties=b)", "kendall_distance", "rba"])
def test_grouped_takes_items_without_a_score_as_not_in_the_list(name):
    """Each group is the call with the items that have a score on each side."""
    rng = np.random.default_rng(3)
    n = 300
    groups = rng.integers(0, 9, n)
    x, y = rng.integers(0, 9, (2, n)).astype(float)
    x[rng.random(n) < 0.3] = math.nan
    y[rng.random(n) < 0.3] = math.nan
    values, labels = cd.grouped(x, y, groups, name, return_labels=True)
    for value, label in zip(values, labels, strict=True):
        rows = np.flatnonzero(groups == label)
        sides = ({int(r): v[r] for r in rows if not math.isnan(v[r])} for v in (x, y))
        assert value == cd.coefficient(name)(*sides)
    with pytest.raises(cd.ArgumentError, match="nan_policy has no effect on lists"):
        cd.grouped(x, y, groups, name, nan_policy="omit")


def test_grouped_data_frame():
    """One row for each group, as for the other coefficients."""
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"q": [1, 1, 1, 2, 2], "a": [3, 2, None, 1, 2], "b": [None, 2, 3, 1, 2]})
    found = cd.grouped(frame, by="q", x="a", y="b", coefficients=["rbo", "kendall_distance"])
    assert found["rbo"].tolist() == [cd.rbo([0, 1], [2, 1]), 1.0]
    assert found["kendall_distance"].tolist() == [3.0, 0.0]
    with pytest.raises(
        cd.ArgumentError, match="tau_b does not compare lists of items; compute it separately"
    ):
        cd.grouped(frame, by="q", x="a", y="b", coefficients=["rbo", "tau_b"])


def test_compare_puts_coefficients_of_lists_side_by_side():
    """By name, with options; coefficients of scores are refused beside them."""
    x, y = ["a", "b", "c"], ["b", "a", "d"]
    found = cd.compare(x, y, ["rbo", "rbo(p=0.5)", "kendall_distance", "footrule"])
    assert dict(found) == {
        "rbo": cd.rbo(x, y),
        "rbo(p=0.5)": cd.rbo(x, y, p=0.5),
        "kendall_distance": 2.0,  # (a b) and (c d)
        "footrule": cd.footrule(x, y),
    }
    assert found.n == 4
    with pytest.raises(cd.ArgumentError, match=r"^compare: tau_b does not compare lists of items"):
        cd.compare(x, y, ["rbo", "tau_b"])
    assert str(cd.compare([], [], ["rba"]).notes[0]) == "rba: undefined: both lists are empty"


def test_the_text_form():
    """Options are read, printed back, and checked."""
    assert str(cd.coefficient("rbo(ties=b, p=0.95)")) == "rbo(p=0.95, ties=b)"
    assert str(cd.coefficient("rbo(p=0.9, ties=a)")) == "rbo"
    assert str(cd.coefficient("rbo(p=0.8, threshold=0.5)")) == "rbo(threshold=0.5, p=0.8)"
    with pytest.raises(cd.ArgumentError, match=r"may be more than one option; name it: p=\.\.\., threshold="):
        cd.coefficient("rbo(0.95)")
    assert cd.coefficient("rbo(p=0.95, ties=b)")("a b", "b a") == cd.rbo("a b", "b a", p=0.95, ties="b")
    assert str(cd.coefficient("kendall_distance(penalty=1, normalize=True)")) == (
        "kendall_distance(normalize=True, penalty=1)"
    )
    for text, message in (
        ("rbo(p=1)", r"'rbo\(p=1\)': p must be a number between 0 and 1, got 1"),
        ("rbo(ties=c)", "ties must be 'a', 'b' or 'w', got 'c'"),
        ("rbo@10", "rbo has no top k"),
        ("kendall_distance(penalty=2)", "penalty must be a number from 0 to 1, got 2"),
        ("footrule(normalize=1)", "normalize must be True or False, got 1"),
        ("rba(ties=a)", "rba has no option 'ties'"),
    ):
        with pytest.raises(cd.ConcordantError, match=message):
            cd.coefficient(text)


@pytest.mark.parametrize("name", [c.name for c in cd.REGISTRY.values() if c.inputs == "scores"])
def test_coefficients_of_scores_say_how_to_find_those_of_lists(name):
    """The error says what to use."""
    with pytest.raises(cd.ArgumentError) as caught:
        cd.coefficient(name)({"a": 1, "b": 2}, {"a": 1, "c": 2})
    assert "x and y must rank the same items" in str(caught.value)
    names = [c.name for c in cd.REGISTRY.values() if c.inputs == "lists"]
    assert all(each in str(caught.value) for each in names)
