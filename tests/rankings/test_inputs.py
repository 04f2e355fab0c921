"""What may be passed, and what a wrong call says."""

from __future__ import annotations

import functools
import math
import warnings
from collections import OrderedDict
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import pytest

import concordant as cd
from concordant.rankings.pairs import read_pairs

SCORES = [c for c in cd.REGISTRY.values() if c.inputs == "scores"]

X = [0.9, 0.7, 0.4, 0.2]
Y = [0.8, 0.3, 0.5, 0.1]
VALUE = 2 / 3

ACCEPTED = {
    "lists": (X, Y),
    "tuples": (tuple(X), tuple(Y)),
    "arrays": (np.array(X), np.array(Y)),
    "not contiguous": (np.repeat(X, 2)[::2], np.array(Y)),
    "read-only": (np.frombuffer(np.array(X).tobytes()), np.array(Y)),
    "big-endian": (np.array(X, dtype=">f8"), np.array(Y)),
    "float32": (np.float32(X), np.float32(Y)),
    "float16": (np.float16(X), np.float16(Y)),
    "long double": (np.longdouble(X), np.longdouble(Y)),
    "integers": ([9, 7, 4, 2], [8, 3, 5, 1]),
    "int8": (np.int8([9, 7, 4, 2]), np.int8([8, 3, 5, 1])),
    "unsigned": (np.uint64([9, 7, 4, 2]), np.uint8([8, 3, 5, 1])),
    "fractions": ([Fraction(v) for v in X], [Decimal(v) for v in Y]),
    "ranges": (range(9, 1, -2), [8, 3, 5, 1]),
    "mixed": (X, np.float32(Y)),
    "mappings": (dict(zip("abcd", X, strict=True)), dict(zip("abcd", Y, strict=True))),
    "mappings in another order": (dict(zip("abcd", X, strict=True)), dict(zip("dcba", Y[::-1], strict=True))),
    "other mappings": (
        OrderedDict(zip("abcd", X, strict=True)),
        MappingProxyType(dict(zip("abcd", Y, strict=True))),
    ),
}


@pytest.mark.parametrize("kind", ACCEPTED)
def test_anything_like_an_array_is_accepted(kind):
    """Lists, tuples, arrays of any real type, mappings: the same value, a numpy.float64."""
    value = cd.tau_b(*ACCEPTED[kind])
    assert value == VALUE
    assert type(value) is np.float64


def test_booleans():
    """True is better than False."""
    assert cd.tau_b([True, False], [True, False]) == 1.0
    assert cd.counts(np.array([True, False, True]), [1, 0, 0]).tied_x == 1


def test_pandas_series_are_aligned_by_label():
    """A Series or mapping is brought into the order of the other; an array goes by position."""
    pd = pytest.importorskip("pandas")
    x = pd.Series(X, index=list("abcd"))
    y = pd.Series(Y, index=list("abcd"))
    assert cd.tau_b(x, y) == VALUE
    assert cd.tau_b(x, y[::-1]) == VALUE
    assert cd.tau_b(x, dict(zip("abcd", Y, strict=True))) == VALUE
    assert cd.tau_b(x, np.array(Y)) == VALUE  # an array has no labels: by position
    assert cd.tau_b(x.astype("Float64"), y.astype("Float32")) == VALUE
    with pytest.raises(ValueError, match="only in x: 'd'; only in y: 'e'"):
        cd.tau_b(x, y.rename({"d": "e"}))
    with pytest.raises(ValueError, match="label 'a' stands for two items"):
        cd.tau_b(x, y.rename({"d": "a"}))
    both = x.rename({"d": "a"}), y.rename({"d": "a"})
    assert cd.tau_b(*both) == VALUE  # the same labels in the same order: nothing to align
    with pytest.raises(ValueError, match="label 'a' stands for two items"):
        cd.tau_b(both[0], both[1][::-1])


def test_missing_values_of_pandas_are_nan():
    """NA and None are NaN, and do not hide integers that float64 cannot tell apart."""
    pd = pytest.importorskip("pandas")
    x = pd.Series([3, 2, None], dtype="Int64")
    assert math.isnan(cd.tau_b(x, [3, 2, 1]))
    assert cd.tau_b(x, [3, 2, 1], nan_policy="omit") == 1.0
    assert cd.tau_b([3, 2, pd.NA], [3, 2, 1], nan_policy="omit") == 1.0
    with pytest.raises(ValueError, match="float64 cannot tell apart"):
        cd.tau_b(pd.Series([2**53, 2**53 + 1, None], dtype="Int64"), [3, 2, 1])


def test_polars_series():
    """A Series of polars has no labels; null is NaN."""
    pl = pytest.importorskip("polars")
    assert cd.tau_b(pl.Series(X), pl.Series(Y)) == VALUE
    assert math.isnan(cd.tau_b(pl.Series([3, 2, None]), [3, 2, 1]))


def test_masked_values_are_missing_not_used():
    """What a mask hides is NaN."""
    x = np.ma.array([3.0, 2.0, 99.0], mask=[False, False, True])
    assert math.isnan(cd.tau_b(x, [3, 2, 1]))
    assert cd.tau_b(x, [3, 2, 1], nan_policy="omit") == 1.0


def test_input_is_left_as_it_is():
    """No function sorts or changes the arrays that it is given."""
    x, y = np.array(X), np.array(Y)
    for f in (cd.tau_b, cd.tau_ap_b, functools.partial(cd.counts, per_item=True), cd.counts):
        f(x, y)
        cd.matrix(np.stack([x, y]), "tau_ap")
    assert x.tolist() == X
    assert y.tolist() == Y


# --- axes ---


def test_leading_axes_broadcast():
    """Arrays of rankings give arrays of the single values."""
    rng = np.random.default_rng(0)
    x, y = rng.random(30), rng.random((1000, 30))
    batch = cd.tau_ap_b(x, y)
    assert batch.shape == (1000,)
    assert batch.tolist() == [cd.tau_ap_b(x, row) for row in y]
    a, b = rng.random((5, 1, 30)), rng.random((3, 30))
    both = cd.tau_ap(a, b)
    assert both.shape == (5, 3)
    assert both.tolist() == [[cd.tau_ap(a[i, 0], b[j]) for j in range(3)] for i in range(5)]


def test_any_axis_may_hold_the_items():
    """axis=0 of columns is the same as rows; a single ranking has one axis."""
    rng = np.random.default_rng(1)
    x, y = rng.random((20, 4)), rng.random((20, 4))
    assert cd.tau_b(x, y, axis=0).tolist() == cd.tau_b(x.T, y.T).tolist()
    assert cd.tau_b(x[:, 0], y, axis=0).tolist() == cd.tau_b(x[:, 0], y.T).tolist()
    assert cd.tau_b(x[:, 0], y[:, 0], axis=0) == cd.tau_b(x[:, 0], y[:, 0])
    assert cd.counts(x, y, axis=0).concordant.tolist() == cd.counts(x.T, y.T).concordant.tolist()
    columns, rows = cd.counts(x, y, axis=0, per_item=True), cd.counts(x.T, y.T, per_item=True)
    assert columns.concordant.tolist() == rows.concordant.T.tolist()


def test_empty_batches():
    """No rankings give no values, in the shape that broadcasting gives."""
    assert cd.tau_b(np.zeros((0, 5)), np.zeros((0, 5))).shape == (0,)
    assert cd.tau_b(np.zeros(5), np.zeros((2, 0, 5))).shape == (2, 0)


def test_scipy_takes_the_functions_as_they_are():
    """scipy.stats.bootstrap and permutation_test call the coefficients with batches."""
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(2)
    x = rng.random(20)
    y = x + rng.random(20)
    interval = stats.bootstrap((x, y), cd.tau_b, paired=True, n_resamples=200, rng=rng).confidence_interval
    assert interval.low < cd.tau_b(x, y) < interval.high
    test = stats.permutation_test((x, y), cd.tau_ap, permutation_type="pairings", n_resamples=200, rng=rng)
    assert test.statistic == cd.tau_ap(x, y)
    assert test.pvalue < 0.05


# --- undefined and missing ---


@pytest.mark.parametrize("c", SCORES, ids=str)
@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two_items_have_no_value(c, n):
    """nan, with a warning that says so."""
    with pytest.warns(cd.UndefinedWarning, match=f"{c.name} is undefined: fewer than two items"):
        assert math.isnan(c(np.zeros(n), np.zeros(n)))
    with pytest.warns(cd.UndefinedWarning, match="for 3 of 3 pairs"):
        assert np.isnan(c(np.zeros((3, n)), np.zeros((3, n)))).all()


@pytest.mark.parametrize("f", [cd.tau_b, cd.tau_ap_b])
def test_all_tied_has_no_value_where_ties_are_ignored(f):
    """nan, with a warning that says so and counts the pairs of rankings."""
    for x, y in (([1, 1, 1], [1, 2, 3]), ([1, 2, 3], [1, 1, 1]), ([1, 1], [1, 1])):
        with pytest.warns(
            cd.UndefinedWarning, match=f"{f.__name__} is undefined: all items are tied in x or in y"
        ):
            assert math.isnan(f(x, y))
    with pytest.warns(cd.UndefinedWarning, match="for 1 of 2 pairs of rankings: all items are tied"):
        values = f([[1, 1, 1], [1, 2, 3]], [1, 2, 3])
    assert math.isnan(values[0])
    assert values[1] == 1


def test_the_warning_points_at_the_callers_line():
    """The warning names the file of the caller."""
    with pytest.warns(cd.UndefinedWarning) as caught:
        cd.tau_b([1, 1], [1, 2])
    assert caught[0].filename == __file__


@pytest.mark.parametrize("c", SCORES, ids=str)
def test_nan_propagates_row_by_row_without_a_warning(c):
    """NaN in, nan out; the other rows have their values."""
    x = np.array([[3.0, 2.0, 1.0], [3.0, np.nan, 1.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = c(x, [3.0, 2.0, 1.0])
        assert math.isnan(c(x[1], [3.0, 2.0, 1.0]))
        assert math.isnan(c([3.0, 2.0, 1.0], x[1]))
    assert values[0] == 1
    assert math.isnan(values[1])


@pytest.mark.parametrize("c", SCORES, ids=str)
def test_nan_can_be_left_out(c):
    """The value is that of the rankings without the item."""
    x = np.array([[4.0, np.nan, 2.0, 1.0], [4.0, 3.0, 2.0, 1.0]])
    y = np.array([4.0, 3.0, 1.0, 2.0])
    expected = [c([4.0, 2.0, 1.0], [4.0, 1.0, 2.0]), c(x[1], y)]
    assert c(x, y, nan_policy="omit").tolist() == expected
    assert c(x[0], y, nan_policy="omit") == expected[0]


def test_nan_can_be_an_error_that_says_where():
    """By position, index or label."""
    with pytest.raises(ValueError, match="tau_b: y is NaN at position 2"):
        cd.tau_b([1, 2, 3], [1, 2, math.nan], nan_policy="raise")
    with pytest.raises(ValueError, match=r"tau_b: x is NaN at index \(1, 0\)"):
        cd.tau_b([[1, 2], [math.nan, 2]], [1, 2], nan_policy="raise")
    with pytest.raises(ValueError, match="tau_b: x is NaN at 'b'"):
        cd.tau_b({"a": 1, "b": None}, {"b": 1, "a": 2}, nan_policy="raise")


def test_the_users_arrays_are_not_changed_and_may_be_read_only():
    """The core works on copies of rows, whatever it finds in them."""
    rng = np.random.default_rng(3)
    x, y = rng.random((2, 50, 30)).round(1)
    y[7, 3] = np.nan
    before = x.tobytes(), y.tobytes()
    x.flags.writeable = y.flags.writeable = False
    values = cd.tau_b(x, y, workers=2)
    assert np.flatnonzero(np.isnan(values)).tolist() == [7]
    assert values[8] == cd.tau_b(list(x[8]), list(y[8]))
    with pytest.raises(cd.ArgumentError, match=r"y is NaN at index \(7, 3\)"):
        cd.tau_b(x, y, nan_policy="raise")
    assert (x.tobytes(), y.tobytes()) == before


def test_memory_that_is_read_cannot_be_given_away():
    """NumPy refuses to resize an array, or the one that a view is of, while its rows are borrowed."""
    owner = np.arange(12.0)
    view = owner[2:]
    pairs = read_pairs(view.reshape(2, 5), view.reshape(2, 5), borrow=True)
    assert pairs.shared
    assert np.shares_memory(pairs.x.values, owner)
    with pytest.raises(ValueError, match="cannot resize"):
        owner.resize(4, refcheck=False)
    own = pairs.owned()
    assert not own.shared
    assert not np.shares_memory(own.x.values, owner)
    del pairs
    owner.resize(12, refcheck=False)
