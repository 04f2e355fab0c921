"""Arrays of xarray: coordinates are aligned or refused, never ignored."""

from __future__ import annotations

import numpy as np
import pytest

import concordant as cd

xr = pytest.importorskip("xarray")

X = [0.9, 0.7, 0.4, 0.2]
Y = [0.8, 0.3, 0.5, 0.1]
VALUE = 2 / 3
ITEMS = list("abcd")


def ranking(values, items=ITEMS, dim="item"):
    """An array of one ranking with labels."""
    return xr.DataArray(values, dims=dim, coords=None if items is None else {dim: items})


def batch(values, folds=(1, 2), items=ITEMS, dims=("fold", "item")):
    """An array of several rankings with labels on both axes."""
    return xr.DataArray(values, dims=dims, coords={dims[0]: list(folds), dims[1]: items})


def test_items_are_aligned_by_their_coordinates():
    """With another array, a Series or a mapping; by position with what has no labels."""
    x, y = ranking(X), ranking(Y)
    assert cd.tau_b(x, y) == VALUE
    assert cd.tau_b(x, y[::-1]) == VALUE
    assert cd.tau_b(x, y[::-1].to_series()) == VALUE
    assert cd.tau_b(x, dict(zip("dcba", Y[::-1], strict=True))) == VALUE
    assert cd.tau_b(x, np.array(Y)) == VALUE
    assert cd.tau_b(x, ranking(Y, None)) == VALUE
    assert cd.counts(x, y[::-1]).concordant == 5
    assert cd.compare(x, y[::-1], ["tau_b"])["tau_b"] == VALUE


def test_other_items_are_refused():
    """The same sentence as for a Series."""
    with pytest.raises(cd.ArgumentError, match="tau_b: x and y must rank the same items; only in x: 'd'"):
        cd.tau_b(ranking(X), ranking(Y, list("abce")))
    with pytest.raises(cd.ArgumentError, match="label 'a' stands for two items"):
        cd.tau_b(ranking(X), ranking(Y, list("abca")))
    with pytest.raises(cd.ArgumentTypeError, match="x is a mapping and y has no labels"):
        cd.tau_b(dict(zip(ITEMS, X, strict=True)), ranking(Y, None))


@pytest.mark.parametrize("axis", [-1, 0, np.int64(0)])
def test_batches_are_aligned_along_the_items(axis):
    """Whichever axis holds them; one ranking with many, and many with as many."""
    both = batch([Y, X])
    wanted = [VALUE, 1.0]
    other = both[:, [2, 0, 3, 1]]
    if axis == 0:
        both, other = both.T, other.T
    assert cd.tau_b(ranking(X), both, axis=axis).tolist() == wanted
    assert cd.tau_b(ranking(X), other, axis=axis).tolist() == wanted
    assert cd.tau_b(both, other, axis=axis).tolist() == [1, 1]
    assert cd.tau_b(other, ranking(X), axis=axis).tolist() == wanted


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (
            batch([Y, X], folds=(1, 3)),
            "x and y have different coordinates along 'fold'; select the same ones",
        ),
        (batch([Y, X])[::-1], "x and y have different coordinates along 'fold'"),
        (batch([Y, X], dims=("topic", "item")), "dimension 'fold' of x meets dimension 'topic' of y"),
        (batch([Y, X], dims=("fold", "doc")), "the items are along 'item' in x and along 'doc' in y"),
        (batch([Y, X]).T, "the items are along 'item' in x and along 'fold' in y"),
    ],
)
def test_batches_with_other_coordinates_are_refused(other, message):
    """Nothing is paired by its place if its label says otherwise."""
    with pytest.raises(cd.ArgumentError, match=f"^tau_b: {message}"):
        cd.tau_b(batch([X, Y]), other)


def test_a_wrong_axis_is_refused_as_for_arrays():
    """The coordinates do not hide it."""
    with pytest.raises(cd.ArgumentError, match="axis 5 does not exist"):
        cd.tau_b(batch([X, Y]), batch([X, Y]), axis=5)
    with pytest.raises(cd.ArgumentTypeError, match="axis must be an integer, got 'item'"):
        cd.tau_b(batch([X, Y]), batch([X, Y]), axis="item")


def test_rankings_of_a_dataset_are_aligned():
    """The matrix of a Dataset, of a mapping and of a list of arrays."""
    x, y = ranking(X), ranking(Y)
    for rankings in ([x, y[::-1]], {"x": x, "y": y[::-1]}, xr.Dataset({"x": x, "y": y})):
        assert np.asarray(cd.matrix(rankings, "tau_b")).tolist() == [[1, VALUE], [VALUE, 1]]


def test_groups_and_grades_are_aligned():
    """They follow the items."""
    x, y = ranking(X), ranking(Y)
    groups = ranking([2, 2, 1, 1], ITEMS[::-1])
    values, labels = cd.grouped(x, y[::-1], groups, "tau_b", return_labels=True)
    assert (values.tolist(), labels) == ([1, 1], [1, 2])
    grades = ranking([0, 1, 2, 3], ITEMS[::-1])
    assert cd.tau_dw(x, y, grades) == cd.tau_dw(X, Y, [3, 2, 1, 0])
    many = batch([[0, 1, 2, 3]], [1], ITEMS[::-1])
    assert cd.tau_dw(x, y, many).tolist() == [cd.tau_dw(X, Y, [3, 2, 1, 0])]


def test_ranks_of_graded_lists_are_not_reordered():
    """The place is the rank: other coordinates are refused."""
    one = ranking([0, 1, 2], [1, 2, 3], "rank")
    assert cd.tau_sc(one, one) == 1
    with pytest.raises(
        cd.ArgumentError, match="x_grades and y_grades have different coordinates along 'rank'"
    ):
        cd.tau_sc(one, one.assign_coords(rank=[3, 2, 1]))


def test_scores_take_the_names_of_the_coordinates():
    """Dimensions are known by their names, otherwise by their order: measures, topics, systems."""
    values = np.arange(6.0).reshape(2, 3)
    known = xr.DataArray(
        values, dims=("system", "query"), coords={"system": ["s1", "s2"], "query": [401, 402, 403]}
    )
    for data in (known, known.T, known.rename(query="any"), known.T.rename(query="a", system="b")):
        scores = cd.read_scores(data)
        assert scores.systems == ("s1", "s2")
        assert scores.topics == ("401", "402", "403")
        assert scores.values[0].tolist() == values.T.tolist()
    both = xr.concat([known, known], dim="measure").assign_coords(measure=["AP", "RR"])
    assert cd.read_scores(both).measures == ("AP", "RR")
    assert cd.read_scores(ranking([1.0, 2.0], ["a", "b"], "system")).systems == ("a", "b")
    assert cd.read_scores(known.drop_vars(["system", "query"])).systems == ("0", "1")
    with pytest.raises(cd.ArgumentTypeError, match=r"Scores: values is a DataArray; read_scores reads it"):
        cd.Scores(known)
