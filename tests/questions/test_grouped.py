"""A coefficient within groups of different length."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from support import quiet

import concordant as cd

NAMES = [
    "tau_a",
    "tau_b(0.1)",
    "tau_e(0.1, 0.2)",
    "tau_ap_a(0.1)",
    "tau_ap_b",
    "tau_ap_b(0.1, tied=neutral)",
    "tau_ap_e(0.1)",
]
same = np.testing.assert_array_equal


@quiet
@pytest.mark.parametrize("name", NAMES)
def test_groups_give_the_values_of_single_calls(name):
    """Sizes from 1 to 90, in any order, adjacent or not, labels of any kind."""
    c = cd.coefficient(name)
    rng = np.random.default_rng(0)
    sizes = rng.permutation(np.r_[1, 2, 3, rng.integers(1, 90, 60)])
    groups = np.repeat(rng.permutation(1000)[: len(sizes)], sizes)
    x, y = rng.integers(0, 30, len(groups)) / 10, rng.integers(0, 30, len(groups)) / 10
    shuffled = rng.permutation(len(groups))
    for order in (np.arange(len(groups)), shuffled):
        g, a, b = groups[order], x[order], y[order]
        seen = list(dict.fromkeys(g.tolist()))
        expected = [c(a[g == one], b[g == one]) for one in seen]
        for labels in (
            g,
            g.astype(np.int16),
            g.astype(str),
            g.tolist(),
            [f"q{k}" for k in g],
            [(k, "x") for k in g.tolist()],
        ):
            values, found = cd.grouped(a, b, labels, name, return_labels=True)
            same(values, expected)
            assert len(found) == len(seen)
        same(cd.grouped(a, b, g, name, workers=2), expected)
        assert cd.grouped(a, b, g, name, return_labels=True)[1] == seen


def test_labels_that_print_alike_are_different_groups():
    """The number 1 and the text "1" are two labels."""
    assert cd.grouped([1, 2, 1, 2], [1, 2, 2, 1], [1, 1, "1", "1"], "tau_b").tolist() == [1, -1]


def test_grouped_takes_columns_of_a_frame():
    """Three columns of a data frame are two rankings and their groups."""
    frame = pd.DataFrame({"q": ["a", "b", "a", "b"], "x": [1.0, 2, 3, 4], "y": [2, 9, 1, 10]})
    values, labels = cd.grouped(frame.x, frame.y, frame.q, "tau_b", return_labels=True)
    assert values.tolist() == [-1, 1]
    assert labels == ["a", "b"]


def test_grouped_aligns_its_groups_by_label():
    """Groups with labels follow the items, whatever their order; other labels are refused."""
    x = pd.Series([3, 2, 1, 1, 2], index=list("abcde"))
    y = pd.Series([3, 1, 2, 1, 2], index=list("abcde"))
    q = pd.Series(["q1", "q1", "q1", "q2", "q2"], index=list("abcde"))
    expected = cd.grouped(x, y, q, "tau_b", return_labels=True)
    for groups in (q[::-1], q[::-1].to_dict(), q.tolist()):
        values, labels = cd.grouped(x, y, groups, "tau_b", return_labels=True)
        assert values.tolist() == expected[0].tolist()
        assert labels == expected[1]
    message = "grouped: x and groups must rank the same items; only in x: 'e'; only in groups: 'f'"
    with pytest.raises(cd.ArgumentError, match=message):
        cd.grouped(x, y, q.rename({"e": "f"}), "tau_b")


def test_the_same_repeated_labels_on_all_sides_need_no_alignment():
    """Frames that were put one below the other have every index twice."""
    stacked = pd.concat(
        [pd.DataFrame({"x": [1, 2], "y": [1, 2], "q": 7}), pd.DataFrame({"x": [1, 2], "y": [2, 1], "q": 8})]
    )
    assert cd.grouped(stacked.x, stacked.y, stacked.q, "tau_b").tolist() == [1, -1]
    assert cd.matrix(stacked[["x", "y"]], "tau_b").shape == (2, 2)


def test_groups_may_be_an_iterator():
    """What can be listed once is listed once."""
    assert cd.grouped([1, 2], [1, 2], (g for g in "aa"), "tau_b", return_labels=True)[1] == ["a"]


def test_grouped_leaves_nan_out_of_its_group_only():
    """NaN makes its group nan, shortens it, or is an error that says where."""
    x, y, g = [1, 2, math.nan, 1, 2, 3], [1, 2, 3, 3, 2, 1], [0, 0, 0, 1, 1, 1]
    same(cd.grouped(x, y, g, "tau_b"), [math.nan, -1])
    same(cd.grouped(x, y, g, "tau_b", nan_policy="omit"), [1, -1])
    with pytest.raises(cd.ArgumentError, match="grouped: x is NaN at position 2"):
        cd.grouped(x, y, g, "tau_b", nan_policy="raise")


def test_grouped_names_items_by_their_place_in_the_list():
    """An error about ties names positions in the input, not within the group."""
    with pytest.raises(cd.TiesError, match="position 1, position 3 at 5"):
        cd.grouped([1, 5, 2, 5, 3], [1, 2, 3, 4, 5], ["a", "b", "a", "b", "a"], "tau")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (([1, 2], [1, 2], ["a"]), r"same length, got shapes \(2,\), \(2,\) and \(1,\)"),
        (([1, 2], [1, 2, 3], ["a", "a"]), "same length"),
        (([1, 2], [1, 2], ["a", None]), "items without a label"),
        (([1, 2], [1, 2], np.array([1.0, np.nan])), "items without a label"),
        (([1, 2], [1, 2], [[], []]), "groups must be a list of labels"),
        (([1, 2], [1, 2], None), "groups must be a list of labels"),
        (([1, 2], [1, 2], np.ma.array([1, 2], mask=[0, 1])), "items without a label"),
        (([1, 2], [1, 2], np.array(["2020", "NaT"], dtype="M8[Y]")), "items without a label"),
        (([1, 2], [1, 2], {"a": 1, "b": 1}), "groups is a mapping and the rankings have no labels"),
        (({"a": 1, "b": 2}, [1, 2], [1, 1]), "x is a mapping and y has no labels"),
        (([1, 2], [1, 2], np.zeros((2, 1))), r"one list of labels, got shape \(2, 1\)"),
    ],
)
def test_grouped_says_what_is_wrong(args, message):
    """Each mistake is one sentence that begins with the name of the function."""
    with pytest.raises((cd.ArgumentError, cd.ArgumentTypeError), match=f"^grouped: .*{message}"):
        cd.grouped(*args, "tau_b")


def test_no_items_are_no_groups():
    """Empty lists give an empty array."""
    assert cd.grouped([], [], [], "tau_b").shape == (0,)
    assert cd.grouped([], [], np.zeros(0, dtype=int), "tau_b").shape == (0,)
