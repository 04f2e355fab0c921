"""Labels of mappings and Series: the short way gives the values and the errors of the general way."""

from __future__ import annotations

import collections
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import concordant as cd

KINDS = {
    "dicts": (dict, dict),
    "Series": (pd.Series, pd.Series),
    "Series of objects": (lambda d: pd.Series(d, index=pd.Index(list(d), dtype=object)),) * 2,
    "a dict and a Series": (dict, pd.Series),
    "a Series and a dict": (pd.Series, dict),
    "general": (collections.OrderedDict, collections.OrderedDict),
}
each_kind = pytest.mark.parametrize("kind", KINDS)
values = st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=12)


def made(kind, x, y):
    """Both sides as a kind of labelled ranking."""
    make_x, make_y = KINDS[kind]
    return make_x(x), make_y(y)


@each_kind
@given(data=st.data())
def test_any_order_of_the_labels_gives_the_bits_of_arrays(kind, data):
    """Two lists of numbers, the labels of one in another order."""
    x = data.draw(values)
    y = data.draw(st.lists(st.floats(-1, 1), min_size=len(x), max_size=len(x)))
    labels = [f"s{i}" for i in range(len(x))]
    order = data.draw(st.permutations(range(len(x))))
    one, other = made(kind, dict(zip(labels, x, strict=True)), {labels[k]: y[k] for k in order})
    assert cd.tau_a(one, other) == cd.tau_a(np.array(x), np.array(y))
    assert cd.compare(one, other, ["tau_a"])["tau_a"] == cd.compare(x, y, ["tau_a"])["tau_a"]


@each_kind
def test_labels_that_differ_are_refused_with_one_sentence(kind):
    """Missing on one side, on both, or fewer."""
    x = {"a": 1.0, "b": 2.0, "c": 3.0}
    with pytest.raises(cd.ArgumentError, match="same items; only in x: 'c'; only in y: 'd'"):
        cd.tau_b(*made(kind, x, {"a": 1.0, "d": 2.0, "b": 3.0}))
    with pytest.raises(cd.ArgumentError, match="same items; only in x: 'c'; only in y: none"):
        cd.tau_b(*made(kind, x, {"a": 1.0, "b": 2.0}))


def test_repeated_labels_are_refused_unless_both_sides_have_the_same():
    """In x, in y, in either order."""
    twice = pd.Series([1.0, 2, 3], index=list("aab"))
    once = pd.Series([1.0, 2, 3], index=list("abc"))
    assert cd.tau_b(twice, twice.copy()) == 1
    for sides in ((twice, once), (once, twice), (twice, twice[::-1]), (twice, once.to_dict())):
        with pytest.raises(cd.ArgumentError, match="label 'a' stands for two items"):
            cd.tau_b(*sides)


def test_labels_that_are_nan_are_refused():
    """NaN equals nothing: also where both sides have it, in the same order, in few items or many."""
    for n in (3, 3000):
        x = pd.Series(np.arange(n), index=[math.nan, *range(1, n)])
        with pytest.raises(cd.ArgumentError, match="only in x: nan; only in y: nan"):
            cd.tau_b(x, x.copy())


@pytest.mark.parametrize("n", [50, 3000])
def test_labels_may_have_several_levels(n):
    """A MultiIndex, in the same order and in another, with few items and many."""
    rng = np.random.default_rng(n)
    index = pd.MultiIndex.from_product([range(n // 10), list("abcdefghij")])
    x, y = pd.Series(rng.random(n), index=index), pd.Series(rng.random(n), index=index)
    wanted = cd.tau_b(x.to_numpy(), y.to_numpy())
    assert cd.tau_b(x, y) == cd.tau_b(x, y[::-1]) == cd.tau_b(x, y, workers=2) == wanted
    with pytest.raises(cd.ArgumentError, match=r"x is NaN at \(0, 'b'\)"):
        cd.tau_b(x.where(y != y.iloc[1]), y, nan_policy="raise")


def test_many_labels_take_the_general_way():
    """The same values, whichever way."""
    rng = np.random.default_rng(0)
    x, y = rng.random((2, 3000))
    labels = [f"s{i}" for i in range(3000)]
    a, b = pd.Series(x, index=labels), pd.Series(y, index=labels)
    assert cd.tau_b(a, b) == cd.tau_b(a, b[::-1]) == cd.tau_b(x, y)
    with pytest.raises(cd.ArgumentError, match="x is NaN at 's1'"):
        cd.tau_b(a.mask(a.index == "s1"), b, nan_policy="raise")


@pytest.mark.parametrize(
    "values",
    [
        [1, 2.5, 3],
        [np.float64(1), 2.5, 3.0],
        [True, 2, 3],
        [2**53, 2**53 + 2, 1.5],
        [1, None, 3],
        [2**70, 1, 2],
    ],
    ids=str,
)
def test_values_of_several_types_are_what_they_are_in_an_ordered_mapping(values):
    """Whole numbers, floats, NumPy's floats, truth values, missing ones."""
    x = dict(zip("abc", values, strict=True))
    y = {"c": 1.0, "a": 3.0, "b": 2.0}
    general = collections.OrderedDict
    with np.errstate(all="ignore"):
        np.testing.assert_equal(cd.tau_b(x, y), cd.tau_b(general(x), general(y)))


def test_whole_numbers_that_float64_merges_are_refused():
    """Also among floats."""
    with pytest.raises(cd.ArgumentError, match="float64 cannot tell apart"):
        cd.tau_b({"a": 2**53, "b": 2**53 + 1, "c": 1.5}, {"a": 1, "b": 2, "c": 3})


# --- masks ---


def test_what_a_mask_hides_is_missing_and_nothing_else():
    """It is not refused for what it is; a single masked value is missing too."""
    x = np.ma.array([2**53, 2**53 + 1, 3, 2], mask=[0, 1, 0, 0])
    assert cd.tau_b(x, [4, 3, 2, 1], nan_policy="omit") == 1
    x = np.ma.array([3, "hidden", 2], mask=[0, 1, 0], dtype=object)
    assert cd.tau_b(x, [3, 2, 1], nan_policy="omit") == 1
    assert x.data[1] == "hidden"
    assert cd.tau_b([3.0, np.ma.masked, 1.0], [3, 2, 1], nan_policy="omit") == 1
    assert cd.tau_b({"a": 3.0, "b": np.ma.masked, "c": 1}, {"a": 3, "b": 2, "c": 1}, nan_policy="omit") == 1


def test_masks_of_tables_and_relations():
    """The scores of a masked array are missing; a relation has no place for what is missing."""
    table = np.ma.array([[1.0, 2], [3, 9]], mask=[[0, 0], [0, 1]])
    assert cd.Scores(table).missing() == [("score", "1", "1")]
    assert (
        cd.matrix(
            np.ma.array([[1, 2, 9], [1, 2, 3]], mask=[[0, 0, 1], [0, 0, 0]]), "tau_b", nan_policy="omit"
        )[0, 1]
        == 1
    )
    with pytest.raises(cd.ArgumentError, match="TieRelation: tied has masked values"):
        cd.TieRelation(np.ma.array([[True, False], [False, True]], mask=[[0, 1], [0, 0]]))
