"""Lists of grades and graded items under three pair weights, and the unbiased score of a one-sided tie."""

from __future__ import annotations

import math
import time
import warnings
from itertools import permutations, product

import numpy as np
import pytest
import reference
from hypothesis import given, settings, strategies as st
from support import quiet

import concordant as cd

some = settings(max_examples=150, deadline=None)

WEIGHTS = {"tau": "tau_", "ap": "tau_ap_", "h": "tau_h_"}
CASES = [(kind, weight) for kind in ("sc", "ac") for weight in WEIGHTS]


def function(kind, weight):
    return getattr(cd, WEIGHTS[weight] + kind)


def close(a, b, tolerance=1e-12):
    return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= tolerance


@st.composite
def graded_lists(draw, max_size=16):
    """Two lists of grades; few grades, so that all three cases of ac come up."""
    n, top = draw(st.integers(0, max_size)), draw(st.integers(1, 4))
    lists = [draw(st.lists(st.integers(0, top), min_size=n, max_size=n)) for _ in range(2)]
    how = draw(st.sampled_from(["independent", "same", "backwards", "nearly"]))
    if how == "same":
        lists[1] = list(lists[0])
    elif how == "backwards":
        lists[1] = lists[0][::-1]
    elif how == "nearly" and n:
        lists[1] = [*lists[0][:-1], draw(st.integers(0, top))]
    return lists


@quiet
@given(graded_lists(), st.sampled_from([-1.0, -0.7, -0.25, 0.0, 0.5]))
@some
def test_graded_lists_against_the_formulas(lists, a):
    """Every kind and weight, for several scores of a one-sided tie."""
    x, y = lists
    for kind, weight in CASES:
        expected = reference.graded_lists(kind, weight, x, y, a)
        assert close(function(kind, weight)(x, y, a=a), expected), (kind, weight)


@quiet
@given(st.integers(0, 20), st.integers(1, 4), st.integers(0, 10**6))
@some
def test_graded_items_against_the_formulas(n, top, seed):
    """Every weight, for random orders and grades."""
    rng = np.random.default_rng(seed)
    x, y = rng.permutation(n), rng.permutation(n)
    grades = rng.integers(0, top + 1, n)
    for weight, name in WEIGHTS.items():
        expected = reference.graded_items(weight, x.tolist(), y.tolist(), grades.tolist())
        assert close(getattr(cd, name + "dw")(x, y, grades), expected), weight


@pytest.mark.parametrize("n_grades", [2, 5, 700])
def test_long_lists_against_all_pairs(n_grades):
    """n = 1200: kinds in a table, and more kinds than a table holds."""
    rng = np.random.default_rng(n_grades)
    n, a = 1200, -0.25
    x = rng.integers(0, n_grades, n)
    y = np.where(rng.random(n) < 0.3, x, rng.integers(0, n_grades, n))
    y = np.where(rng.random(n) < 0.2, x[::-1], y)
    i, j = np.triu_indices(n, 1)
    m = n - 1 - np.arange(n)
    x_m, y_m = x[m], y[m]

    def agreement(s_x, s_y):
        return np.where(s_x == s_y, 1.0, np.where((s_x == 0) | (s_y == 0), a, -1.0))

    def closeness(p, q, r, s):
        total = p + q + r + s
        return np.where(total > 0, 1 - abs(p + q - r - s) / np.maximum(total, 1), 1.0)

    sc = agreement(np.sign(x[j] - x[i]), np.sign(y[j] - y[i]))
    third = sc * closeness(x[i], x[j], y[i], y[j])
    second = agreement(np.sign(x[j] - x[i]), np.sign(y_m[i] - y_m[j])) * closeness(x[i], x[j], y_m[i], y_m[j])
    first_case = (x == y) & (x == y_m)
    first = first_case[i] & first_case[j] & ((x_m[i] != y_m[i]) | (x_m[j] != y_m[j]))
    mirrored = ((x[i] == y_m[i]) & (x[j] == y_m[j])) | ((y[i] == x_m[i]) & (y[j] == x_m[j]))
    ac = np.where(first, 0, np.where(((x[i] != y[i]) | (x[j] != y[j])) & mirrored, second, third))
    weights = {"tau": np.ones(len(i)), "ap": 1 / j, "h": 1 / (i + 1) + 1 / (j + 1)}
    for weight, w in weights.items():
        assert close(function("sc", weight)(x, y, a=a), np.sum(w * sc) / np.sum(w), 1e-11), weight
        assert close(function("ac", weight)(x, y, a=a), np.sum(w * ac) / np.sum(w), 1e-11), weight


@quiet
@given(graded_lists())
@some
def test_identical_lists_give_exactly_one(lists):
    """A list against itself gives 1 to the last bit."""
    x = lists[0]
    for kind, weight in CASES:
        value = function(kind, weight)(x, x)
        assert value == 1.0 if len(x) > 1 else math.isnan(value)


@given(st.permutations(range(8)))
@some
def test_reversed_lists_of_distinct_grades(grades):
    """Axiom 4 holds for ac. For sc, it is the opposite grades that give -1."""
    for weight in WEIGHTS:
        assert close(function("ac", weight)(grades, grades[::-1]), -1.0)
        assert close(function("sc", weight)(grades, [7 - g for g in grades]), -1.0)


def test_sc_of_a_list_read_backwards_need_not_be_minus_one():
    """Why ac exists."""
    assert cd.tau_sc([0, 2, 1], [1, 2, 0]) > -0.9


@given(graded_lists(max_size=8))
@some
@quiet
def test_linear_in_a(lists):
    """The value at a score between two others is on the line between their values."""
    for kind, weight in CASES:
        f = function(kind, weight)
        low, middle, high = (f(*lists, a=a) for a in (-1.0, -0.25, 0.5))
        assert close(middle, (low + high) / 2)


def test_grades_of_two_orders_of_the_same_documents():
    """dw ignores exchanges of documents with the same grade."""
    assert cd.tau_dw([4, 3, 2, 1], [3, 4, 2, 1], [2, 2, 1, 0]) == 1.0
    assert cd.tau_dw([4, 3, 2, 1], [3, 4, 2, 1], [2, 1, 1, 0]) < 1.0
    assert cd.tau_dw({"a": 2, "b": 1}, {"b": 1, "a": 2}, {"b": 0, "a": 1}) == 1.0


def test_batches():
    """Arrays of lists give an array of the single values, whichever axis holds the positions."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 4, (5, 1, 12)), rng.integers(0, 4, (3, 12))
    for kind, weight in CASES:
        f = function(kind, weight)
        assert f(x, y).tolist() == [[f(x[i, 0], y[j]) for j in range(3)] for i in range(5)]
        assert f(x[:3, 0].T, y.T, axis=0).tolist() == [f(x[i, 0], y[i]) for i in range(3)]
    s, t = rng.random((4, 12)), rng.random(12)
    grades = rng.integers(0, 4, 12)
    for name in ("tau_dw", "tau_ap_dw", "tau_h_dw"):
        f = getattr(cd, name)
        assert f(s, t, grades).tolist() == [f(row, t, grades) for row in s]
        assert f(s.T, t, grades, axis=0).tolist() == [f(row, t, grades) for row in s]


def test_empty_batches():
    """No rankings give no values, in the shape that broadcasting gives."""
    assert cd.tau_sc(np.zeros((0, 5)), np.zeros((0, 5))).shape == (0,)
    assert cd.tau_ac(np.zeros(5), np.zeros((2, 0, 5))).shape == (2, 0)
    assert cd.tau_dw(np.zeros((0, 3)), np.zeros((0, 3)), [0, 1, 2]).shape == (0,)
    assert cd.tau_dw(np.arange(3), np.arange(3), np.zeros((2, 0, 3))).shape == (2, 0)


def test_grades_are_aligned_by_label():
    """Grades with labels may come in any order."""
    pd = pytest.importorskip("pandas")
    x, y, g = (pd.Series(v, index=list("abcd")) for v in ([4, 3, 2, 1], [3, 4, 2, 1], [2, 2, 1, 0]))
    for grades in (g, g[::-1], g[::-1].to_dict(), g.tolist()):
        assert cd.tau_dw(x, y, grades) == 1.0


def test_many_gradings_of_one_pair_of_rankings():
    """Grades broadcast against the rankings."""
    rng = np.random.default_rng(1)
    x, y, grades = rng.random(9), rng.random(9), rng.integers(0, 4, (5, 9))
    assert cd.tau_dw(x, y, grades).tolist() == [cd.tau_dw(x, y, g) for g in grades]


@given(st.permutations(range(7)))
@some
def test_values_keep_their_bounds(grades):
    """Rounding does not take a value below -1."""
    for weight in WEIGHTS:
        assert function("ac", weight)(grades, grades[::-1]) >= -1


WRONG = [
    (cd.tau_sc, ([1e300, 0], [0, 1]), {}, "x_grades must hold grades"),
    (
        cd.tau_sc,
        ([[0, 1], [2, 3], [-2, 1]], [[0, 1], [2, 3], [2, 1]]),
        {"axis": 0},
        r"got -2 at index \(2, 0\)",
    ),
    (cd.tau_ac, ([0, 3], [0, 1]), {"a": 10**400}, "a must be a number"),
    (cd.tau_ac, ([0, 3], [0, 1]), {"a": True}, "a must be a number"),
    (
        cd.tau_dw,
        ([1, 2], [1, 2], {"a": 1, "b": 2}),
        {},
        "grades is a mapping and the rankings have no labels",
    ),
    (cd.get("tau_dw"), ([1, 2], [1, 2]), {}, "tau_dw: takes x, y and grades, got 2 arguments"),
    (cd.get("tau_b"), ([1, 2], [1, 2], [1, 2]), {}, "tau_b: takes two rankings, got 3 arguments"),
    (
        cd.get("tau_sc"),
        ([1, 2], [1, 2]),
        {"nan_policy": "drop"},
        "nan_policy must be 'propagate', 'raise' or 'omit'",
    ),
    (cd.get("tau_sc"), ([1, 2], [1, 2], [1, 2]), {}, "tau_sc: takes two rankings, got 3 arguments"),
    (cd.tau_ap_sc, ([1, 2], [1, 2]), {"workers": 0}, "workers must be 1 or more, or -1 for all cores, got 0"),
    (cd.tau_dw, ([1, 2], [1, 2], [1, 2]), {"workers": 1.5}, "workers must be 1 or more, or -1 for all cores"),
    (cd.tau_dw, ([1, 2], [1, 2], [1, 2]), {"nan_policy": None}, "nan_policy must be"),
    (cd.tau_dw, ([1, math.inf], [1, 2], [1, 2]), {}, "x is infinite at position 1"),
    (cd.tau_ac, ([0, math.inf], [0, 1]), {"nan_policy": "omit"}, "x_grades must hold grades"),
    (
        cd.tau_sc,
        ([0, 1], [0, 1.5]),
        {},
        "y_grades must hold grades, whole numbers from 0 up, got 1.5 at position 1",
    ),
    (
        cd.tau_ac,
        ([0, -1], [0, 1]),
        {},
        "x_grades must hold grades, whole numbers from 0 up, got -1 at position 1",
    ),
    (
        cd.tau_ac,
        ([0, math.nan], [0, 1]),
        {"nan_policy": "raise"},
        "x_grades must hold grades, whole numbers from 0 up, got nan at position 1; use nan_policy='omit'",
    ),
    (cd.tau_ac, (["a", "b"], [0, 1]), {}, "x_grades must be an array, mapping or Series of real numbers"),
    (cd.tau_ac, ([0, 1], [0, 1, 2]), {}, "the lists have 2 and 3 positions; they must be equally long"),
    (
        cd.tau_ac,
        ([0, 3], [0, 1]),
        {"max_grade": 2},
        "max_grade must be the largest grade of the scale, 3 or more, got 2",
    ),
    (cd.tau_ac, ([0, 3], [0, 1]), {"max_grade": 3.5}, "max_grade must be"),
    (
        cd.tau_ac,
        ([0, 3], [0, 1]),
        {"a": "x"},
        "a must be a number, the score of a tie in one list only, got 'x'",
    ),
    (cd.tau_ac, ([0, 3], [0, 1]), {"a": math.nan}, "a must be a number"),
    (cd.tau_ac, ([0, 3], [0, 1]), {"axis": 1}, "axis 1 does not exist"),
    (
        cd.tau_ac,
        (np.arange(40), np.arange(40)),
        {},
        "the scale has 40 grades, and a has a default for 32 at most; give a",
    ),
    (cd.unbiased_a, ("ac", 33), {}, "for ac there can be at most 32 grades, got 33"),
    (
        cd.tau_ac,
        (np.arange(3000), np.arange(3000)),
        {"a": 0},
        "there are 3000 different grades; at most 1024 are supported",
    ),
    (
        cd.tau_dw,
        ([1, 2], [1, 2], [0, 1, 1]),
        {},
        "there are 2 items and 3 grades; give one grade for each item",
    ),
    (cd.tau_dw, ([1, 1], [1, 2], [0, 1]), {}, r"tau_dw: x has tied items \(position 0, position 1 at 1\)"),
    (
        cd.tau_dw,
        ([1, math.nan], [1, 2], [0, 1]),
        {"nan_policy": "raise"},
        "tau_dw: x is NaN at position 1; drop the item or use nan_policy='omit'",
    ),
    (cd.tau_dw, ([1, 2], [1, math.nan], [0, 1]), {"nan_policy": "raise"}, "tau_dw: y is NaN at position 1"),
    (
        cd.tau_dw,
        ([1, 2], [1, 2], [0, math.nan]),
        {"nan_policy": "raise"},
        "tau_dw: grades must hold grades, whole numbers from 0 up, got nan",
    ),
    (cd.tau_dw, ([1, 2], [1, 2], [0, 0.5]), {}, "grades must hold grades"),
    (
        cd.tau_dw,
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}, {"a": 1}),
        {},
        "x and grades must rank the same items; only in x: 'b'; only in grades: none",
    ),
    (
        cd.compare,
        ([1, 2], [1, 2], ["tau_dw"]),
        {},
        r"tau_dw needs the grades of the items; call tau_dw\(x, y, grades\)",
    ),
    (cd.unbiased_a, ("dw", 3), {}, "kind must be 'sc' or 'ac', got 'dw'"),
    (cd.unbiased_a, ("sc", 0), {}, "grades must be a number of grades or their shares, got 0"),
    (cd.unbiased_a, ("sc", 1), {}, "with one grade every pair is tied in both lists, and any a is unbiased"),
    (cd.unbiased_a, ("sc", [0.5, 0.6]), {}, "shares of the grades must be >= 0 and sum to 1"),
    (cd.unbiased_a, ("ac", 3), {"weight": "x"}, "weight must be 'tau', 'ap' or 'h'"),
    (cd.unbiased_a, ("ac", 3), {"n": 1}, "n must be a number of positions, 2 or more, got 1"),
]


@pytest.mark.parametrize(("f", "args", "kwargs", "message"), WRONG)
def test_a_wrong_call_says_what_is_wrong(f, args, kwargs, message):
    """One sentence, which begins with the name of the function called."""
    with pytest.raises(cd.ConcordantError, match=message) as caught:
        f(*args, **kwargs)
    name = f.name if isinstance(f, cd.Coefficient) else f.__name__
    assert str(caught.value) == f"{name}: {caught.value.text}"
    assert "\n" not in str(caught.value)


def test_all_grades_equal_has_no_value_for_dw():
    """Where no pair has a weight, the value is nan, with a warning."""
    with pytest.warns(cd.UndefinedWarning, match="tau_dw is undefined: all items have the same grade"):
        assert math.isnan(cd.tau_dw([1, 2, 3], [1, 3, 2], [1, 1, 1]))


# --- missing grades, and threads ---

LISTS = [function(kind, weight) for kind, weight in CASES]
ITEMS = [cd.tau_dw, cd.tau_ap_dw, cd.tau_h_dw]
by_name = pytest.mark.parametrize("f", [*LISTS, *ITEMS], ids=lambda f: f.__name__)


def arguments(f, n, rng, batch=()):
    """Arrays that a coefficient of grades takes."""
    if f in LISTS:
        return tuple(rng.integers(0, 4, (2, *batch, n)).astype(float))
    return rng.random((*batch, n)), rng.random((*batch, n)), rng.integers(0, 4, n).astype(float)


@by_name
def test_nan_propagates_row_by_row_without_a_warning(f):
    """The rows with NaN are nan, the others have the values that they have alone."""
    given = arguments(f, 12, np.random.default_rng(3), (6,))
    expected = f(*given)
    for side in range(2):
        holes = [np.array(each) for each in given]
        holes[side][[1, 4], [0, 11]] = math.nan
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            values = f(*holes)
            assert math.isnan(f(holes[0][1], holes[1][1], *holes[2:]))
        assert np.isnan(values).tolist() == [False, True, False, False, True, False]
        assert values[~np.isnan(values)].tolist() == expected[~np.isnan(values)].tolist()


@by_name
def test_nan_left_out_is_the_same_as_deleting_the_position(f):
    """Whichever side has it; in a batch, each row is without its own positions."""
    rng = np.random.default_rng(5)
    options = {"max_grade": 3} if f in LISTS else {}
    for n in (3, 4, 9, 30):
        given = [np.array(np.broadcast_to(each, (7, n))) for each in arguments(f, n, rng, (7,))]
        missing = rng.random((len(given), 7, n)) < 0.15
        missing[:, 0] = False  # a row without NaN among rows with NaN
        holes = [np.where(gone, math.nan, each) for gone, each in zip(missing, given, strict=True)]
        expected = []
        for row in range(7):
            kept = ~missing[:, row].any(axis=0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", cd.UndefinedWarning)
                expected.append(f(*(each[row][kept] for each in given), **options))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cd.UndefinedWarning)
            values = f(*holes, nan_policy="omit", **options)
            single = [f(*(each[row] for each in holes), nan_policy="omit", **options) for row in range(7)]
        np.testing.assert_array_equal(values, expected)
        np.testing.assert_array_equal(single, expected)


def test_nan_left_out_leaves_the_scale_of_the_grades_that_remain():
    """The default of `a` is that of the list without the position, and of its length."""
    x, y = [3, 0, math.nan, 1, 2], [2, 0, 1, 0, math.nan]
    for kind, weight in CASES:
        f = function(kind, weight)
        assert f(x, y, nan_policy="omit") == f([3, 0, 1], [2, 0, 0])


def test_nothing_left_is_undefined():
    """With fewer than two positions left there is no value, and a warning says so."""
    with pytest.warns(cd.UndefinedWarning, match="tau_sc is undefined: fewer than two items"):
        assert math.isnan(cd.tau_sc([1, math.nan, 2], [math.nan, 1, 2], nan_policy="omit"))
    with pytest.warns(
        cd.UndefinedWarning, match="tau_dw is undefined for 1 of 2 pairs of rankings: fewer than"
    ):
        values = cd.tau_dw([[1, math.nan], [1, 2]], [1, 2], [0, 1], nan_policy="omit")
    assert math.isnan(values[0])
    assert values[1] == 1


def test_missing_grades_of_items_with_labels():
    """None is a missing grade, and the item is left out by its label."""
    x, y = {"a": 3, "b": 2, "c": 1}, {"c": 1, "a": 2, "b": 3}
    grades = {"b": None, "a": 1, "c": 0}
    assert math.isnan(cd.tau_dw(x, y, grades))
    assert cd.tau_dw(x, y, grades, nan_policy="omit") == 1.0
    with pytest.raises(cd.ArgumentError, match=r"tau_dw: grades must hold grades, .* got nan at position 0"):
        cd.tau_dw(x, y, grades, nan_policy="raise")


def test_ties_among_the_items_left_are_refused_with_their_places():
    """An item that is left out cannot make a tie; one that stays can."""
    x, y = [1, 1, 2], [1, 2, 3]
    assert cd.tau_dw(x, y, [math.nan, 1, 0], nan_policy="omit") == 1.0
    with pytest.raises(cd.TiesError, match="tau_dw: x has tied items"):
        cd.tau_dw([1, 1, 2, 3], [1, 2, 3, 4], [1, 0, math.nan, 1], nan_policy="omit")


@by_name
@pytest.mark.parametrize("workers", [2, 3, -1, 10**9])
def test_the_number_of_workers_changes_no_bit(f, workers):
    """Also with NaN in some rows, and for a batch of two axes."""
    given = arguments(f, 40, np.random.default_rng(8), (13, 5))
    assert f(*given, workers=workers).tolist() == f(*given).tolist()
    given[0][3, 2, 7] = math.nan
    for nan_policy in ("propagate", "omit"):
        np.testing.assert_array_equal(
            f(*given, workers=workers, nan_policy=nan_policy), f(*given, nan_policy=nan_policy)
        )
    assert f(*(each[0, 0] for each in given[:2]), *given[2:], workers=workers) == f(*given)[0, 0]


def test_a_coefficient_by_name_passes_on_its_options():
    """`get(...)` with bound options gives the values of the function, with NaN, axis and workers."""
    rng = np.random.default_rng(9)
    x, y = rng.integers(0, 4, (2, 8, 3)).astype(float)
    x[2, 1] = math.nan
    by_text = cd.get("tau_ac(a=-0.5, max_grade=3)")(x, y, axis=0, nan_policy="omit", workers=2)
    assert by_text.tolist() == cd.tau_ac(x, y, a=-0.5, max_grade=3, axis=0, nan_policy="omit").tolist()


# --- the unbiased score of a one-sided tie ---


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


def test_two_orders_of_the_same_list_need_another_a():
    """They are not independent."""
    every = np.array(sorted(set(permutations([0, 0, 1, 1, 2]))))
    means = [np.mean(cd.tau_ac(every[:, None, :], every[None, :, :], a=a)) for a in (0.0, 1.0)]
    own = -means[0] / (means[1] - means[0])
    assert abs(own - cd.unbiased_a("ac", [0.4, 0.4, 0.2], n=5)) > 0.1


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

    @cd.coefficient(inputs="graded_lists")
    def same_share(u, v):
        return float(np.mean(u == v))

    try:
        assert cd.get("same_share")(np.array([1, 2]), np.array([1, 3])) == 0.5
        assert cd.axioms("same_share").statuses()[1] == "does not apply"
    finally:
        del cd.REGISTRY["same_share"]
