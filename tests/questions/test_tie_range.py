"""The range of a coefficient over all ways of breaking ties: golden values, enumeration, input, refusals."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from support import examples
from support.strategies import untied_pairs

import concordant as cd
from concordant.questions.compare import tie_range_notes

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "inference.json").read_text())


def ends(*arguments, **options):
    """Return both ends."""
    found = cd.tie_range(*arguments, **options)
    return found.low, found.high


CASES = [case for case in GOLDEN if case["function"] == "tie_range"]
WITHOUT_TIES = {
    **dict.fromkeys(["tau", "tau_a", "tau_b", "tau_e"], "tau"),
    **dict.fromkeys(["tau_ap", "tau_ap_a", "tau_ap_e"], "tau_ap"),
    **dict.fromkeys(["tau_ap_b", "tau_ap(symmetric=True)"], "tau_ap(symmetric=True)"),
}


def test_golden_values():
    for case in CASES:
        found = ends(case["x"], case["y"], **case["kwargs"])
        assert found == pytest.approx(tuple(case["value"]), abs=1e-9), case["id"]


def ways_of_breaking(values):
    """Yield the places of the items in every order that breaks ties and nothing else."""
    groups = [[i for i, v in enumerate(values) if v == value] for value in sorted(set(values))]
    for orders in itertools.product(*map(itertools.permutations, groups)):
        place = [0.0] * len(values)
        for k, i in enumerate(itertools.chain(*orders)):
            place[i] = float(k)
        yield place


@st.composite
def few_with_ties(draw):
    n = draw(st.integers(2, 6))
    levels = st.integers(0, draw(st.integers(1, 5)))
    return [draw(st.lists(levels, min_size=n, max_size=n)) for _ in range(2)]


@pytest.mark.parametrize("name", WITHOUT_TIES)
@given(few_with_ties())
@examples(25)
def test_it_is_that_of_enumeration(name, sides):
    """Ties on both sides, up to all six items on both: 720 x 720 ways."""
    x, y = sides
    ways = [np.array(list(ways_of_breaking(side))) for side in (x, y)]
    values = cd.coefficient(WITHOUT_TIES[name])(ways[0][:, None], ways[1][None])
    assert ends(x, y, name) == pytest.approx((values.min(), values.max()), abs=1e-12)


@pytest.mark.parametrize("name", WITHOUT_TIES)
@given(untied_pairs())
@examples(20)
def test_without_ties_both_ends_are_the_value(name, pair):
    low, high = ends(*pair, name)
    assert low == high == pytest.approx(cd.coefficient(WITHOUT_TIES[name])(*pair), abs=1e-12)


@pytest.mark.parametrize("name", ["tau", "tau_ap"])
def test_the_value_for_undecided_ties_lies_within(name):
    """tau_a and tau_ap_a are means over the same ways."""
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 30, (2, 50, 200)).astype(float)
    low, high = ends(x, y, name)
    middle = cd.coefficient(f"{name}_a")(x, y)
    assert (low < middle).all()
    assert (middle < high).all()


def test_the_order_of_the_items_and_the_workers_do_not_matter():
    """To the last bit, for long rankings too."""
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 40, (2, 4, 3000)).astype(float)
    order = rng.permutation(3000)
    for name in ("tau", "tau_ap"):
        first = cd.tie_range(x, y, name)
        again = cd.tie_range(x[:, order], y[:, order], name, workers=2)
        assert (first.low == again.low).all()
        assert (first.high == again.high).all()


def test_it_takes_what_coefficients_take():
    """Labels are aligned; axis, broadcasting and NaN are as for every coefficient."""
    x, y = {"a": 3, "b": 2, "c": 2}, {"c": 1, "b": 1, "a": 3}
    expected = ends([3, 2, 2], [3, 1, 1])
    assert ends(x, y) == expected
    assert ends(pd.Series(x), pd.Series(y)) == expected
    columns = cd.tie_range(np.array([[3, 2, 2], [1, 1, 2]]).T, np.array([[3, 1, 1]]).T, axis=0)
    assert columns.high.shape == (2,)
    assert (columns.low[0], columns.high[0]) == expected
    assert all(map(math.isnan, ends([1, math.nan, 2], [1, 2, 3])))
    assert ends([1, math.nan, 1], [1, 2, 3], nan_policy="omit") == (-1, 1)
    with pytest.raises(cd.ArgumentError, match=r"^tie_range: x is NaN at position 1"):
        ends([1, math.nan], [1, 2], nan_policy="raise")
    with pytest.warns(cd.UndefinedWarning, match="tau is undefined: fewer than two items"):
        assert all(map(math.isnan, ends([1], [1])))


def test_the_best_items_alone():
    """With @k the first k of the reference and those tied with the k-th."""
    x, y = [5, 4, 4, 2, 1], [2, 2, 1, 9, 9]
    assert ends(x, y, "tau_b@2") == ends(x[:3], y[:3])


def test_what_has_no_range_is_refused():
    message = r"^tie_range: coefficient must be one of 'tau', .*'tau_ap_e', got 'tau_h', whose range is not"
    with pytest.raises(cd.ArgumentError, match=message):
        ends([1, 2], [1, 2], "tau_h")
    with pytest.raises(cd.ArgumentError, match="not transitive and cannot be broken; use tau_b without one"):
        ends([1, 2], [1, 2], "tau_b(0.1)")
    with pytest.raises(cd.ArgumentError, match="whose range is not known"):
        ends([1, 2], [1, 2], lambda x, y: float(x[0] == y[0]))


def test_notes_tell_the_range_where_there_are_ties():
    """Of the coefficients that have one; nothing where nothing is tied."""
    coefficients = [cd.coefficient(name) for name in ("tau_b", "tau_h", "tau_ap_b", "tau_e(0.5)")]
    x, y = [4, 3, 2, 1], [3, 2, 2, 1]
    values = [float(c(x, y)) for c in coefficients]
    notes = tie_range_notes(coefficients, values, x, y, "gpt by AP")
    assert [str(note) for note in notes] == [
        "gpt by AP: tau_b is 0.913, between 0.667 and 1.000 depending on how ties are broken",
        "gpt by AP: tau_ap_b is 0.833, between 0.667 and 1.000 depending on how ties are broken",
    ]
    assert tie_range_notes(coefficients, values, x, [4, 2, 3, 1]) == []
    assert tie_range_notes(coefficients, [math.nan] * 4, x, y) == []
