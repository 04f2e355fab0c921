"""Lists of grades and graded items under three pair weights."""

from __future__ import annotations

import math

import numpy as np
import pytest
import reference
from hypothesis import given, strategies as st
from support import examples, quiet

import concordant as cd

some = examples(150)

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
