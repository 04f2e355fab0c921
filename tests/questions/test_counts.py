"""The counts of pairs that coefficients are made of, against literal loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from reference import counts, sign
from support import examples
from support.strategies import pairs_with_thresholds, random_pair

import concordant as cd


def values(found):
    """Return the counts in their order."""
    return tuple(getattr(found, name) for name in found.value_names())


@given(pairs_with_thresholds(max_size=15))
@examples(200)
def test_counts_are_those_of_comparing_every_pair(case):
    """Five counts, which sum to all pairs."""
    x, y, w = case
    found = cd.counts(x, y, threshold=w)
    assert values(found) == counts(x, y, *w)
    assert sum(values(found)) == len(x) * (len(x) - 1) // 2


@given(pairs_with_thresholds(max_size=12))
@examples(150)
def test_item_counts_are_those_of_looking_at_every_other_item(case):
    """Seven counts of each item, and their sums."""
    x, y, (w_x, w_y) = case
    found = cd.counts(x, y, per_item=True, threshold=(w_x, w_y))
    n = len(x)
    for i in range(n):
        signs = [(sign(x, j, i, w_x), sign(y, j, i, w_y)) for j in range(n) if j != i]
        expected = {
            "above_x": sum(s == 1 for s, _ in signs),
            "above_y": sum(s == 1 for _, s in signs),
            "concordant": signs.count((1, 1)),
            "discordant": signs.count((-1, 1)),
            "tied_x": signs.count((0, 1)),
            "tied_y": signs.count((1, 0)),
            "tied_both": signs.count((0, 0)),
        }
        assert {name: int(getattr(found, name)[i]) for name in found.value_names()} == expected
    total = cd.counts(x, y, threshold=(w_x, w_y))
    for name in ("concordant", "discordant", "tied_x", "tied_y"):
        assert getattr(found, name).sum() == getattr(total, name)
    assert found.tied_both.sum() == 2 * total.tied_both


def test_batches_are_counted_row_by_row():
    """Arrays broadcast, along either axis, for any number of workers."""
    rows = [random_pair(seed, 20, "many") for seed in range(12)]
    x, y = (np.stack(side) for side in zip(*rows, strict=True))
    single = [cd.counts(a, b) for a, b in rows]
    each = [cd.counts(a, b, per_item=True) for a, b in rows]
    for workers in (1, 3):
        found = cd.counts(x, y, workers=workers)
        assert list(zip(*(each.tolist() for each in values(found)), strict=True)) == list(map(values, single))
        by_item = cd.counts(x.T, y.T, per_item=True, axis=0, workers=workers)
        for name in by_item.value_names():
            np.testing.assert_array_equal(getattr(by_item, name).T, [getattr(one, name) for one in each])
    assert isinstance(single[0].concordant, int)


def test_counts_cannot_be_nan():
    """NaN is an error that says where, or left out."""
    with pytest.raises(cd.ArgumentError, match=r"^counts: x is NaN at position 1"):
        cd.counts([1, math.nan], [1, 2])
    assert values(cd.counts([1, math.nan, 3], [1, 2, 3], nan_policy="omit")) == (1, 0, 0, 0, 0)
    with pytest.raises(cd.ArgumentError, match=r"^counts: nan_policy must be 'raise' or 'omit'"):
        cd.counts([1, 2], [1, 2], nan_policy="propagate")
    with pytest.raises(cd.ArgumentError, match=r"^counts: x is NaN at position 1"):
        cd.counts([1, math.nan], [1, 2], per_item=True)


def test_counts_are_shown_in_one_row_or_in_a_row_for_each_pair_or_item():
    """The JSON holds the arrays in their shape."""
    x, y = [[1, 2, 3], [3, 2, 1]], [1, 3, 3]
    assert cd.counts(x[0], y).to_csv().splitlines()[1:] == ["2,0,0,1,0"]
    found = cd.counts(x, y)
    assert found.to_csv().splitlines()[1:] == ["2,0,0,1,0", "0,2,0,1,0"]
    assert found.to_dict()["values"]["discordant"] == [0, 2]
    assert len(cd.counts(x[0], y, per_item=True).to_frame()) == 3
