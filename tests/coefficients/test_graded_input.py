"""Graded lists and items: wrong calls, missing grades, threads."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import concordant as cd

LISTS = [cd.tau_sc, cd.tau_ap_sc, cd.tau_h_sc, cd.tau_ac, cd.tau_ap_ac, cd.tau_h_ac]
ITEMS = [cd.tau_dw, cd.tau_ap_dw, cd.tau_h_dw]


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
    (cd.coefficient("tau_dw"), ([1, 2], [1, 2]), {}, "tau_dw: takes x, y and grades, got 2 arguments"),
    (cd.coefficient("tau_b"), ([1, 2], [1, 2], [1, 2]), {}, "tau_b: takes two rankings, got 3 arguments"),
    (
        cd.coefficient("tau_sc"),
        ([1, 2], [1, 2]),
        {"nan_policy": "drop"},
        "nan_policy must be 'propagate', 'raise' or 'omit'",
    ),
    (cd.coefficient("tau_sc"), ([1, 2], [1, 2], [1, 2]), {}, "tau_sc: takes two rankings, got 3 arguments"),
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
        "the scale has 40 grades, and a has a default for at most 32; give a",
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
    (
        cd.unbiased_a,
        ("sc", 0),
        {},
        "grades must be a number of grades, their shares or their numbers of documents, got 0",
    ),
    (cd.unbiased_a, ("sc", [1.5, 2]), {}, "sum to 1, or be whole numbers of documents"),
    (cd.unbiased_a, ("ac", [2, 1]), {"n": 4}, "the lists must be equally long, got 3 and 4"),
    (cd.unbiased_a, ("ac", [2, 1]), {"other": [2, 2]}, "the lists must be equally long, got 3 and 4"),
    (cd.unbiased_a, ("sc", [0.5, 0.6]), {}, "shares of the grades must be >= 0 and sum to 1"),
    (cd.unbiased_a, ("ac", 3), {"weight": "x"}, "weight must be 'tau', 'ap' or 'h'"),
    (cd.unbiased_a, ("ac", 3), {"n": 1}, "n must be a number of positions, 2 or more, got 1"),
]


@pytest.mark.parametrize(("f", "args", "kwargs", "message"), WRONG)
def test_a_wrong_call_says_what_is_wrong(f, args, kwargs, message):
    """One sentence, which begins with the name of the function called."""
    with pytest.raises(cd.ConcordantError, match=message) as caught:
        f(*args, **kwargs)
    name = f.name if isinstance(f, cd.results.Coefficient) else f.__name__
    assert str(caught.value) == f"{name}: {caught.value.text}"
    assert "\n" not in str(caught.value)


def test_all_grades_equal_has_no_value_for_dw():
    """Where no pair has a weight, the value is nan, with a warning."""
    with pytest.warns(cd.UndefinedWarning, match="tau_dw is undefined: all items have the same grade"):
        assert math.isnan(cd.tau_dw([1, 2, 3], [1, 3, 2], [1, 1, 1]))


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
    for f in LISTS:
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
    x, y, grades = ({"a": one, "b": other, "c": 3} for one, other in ((1, 1), (1, 2), (0, 1)))
    with pytest.raises(cd.TiesError, match=r"tau_dw: x has tied items \('a', 'b' at 1\)"):
        cd.tau_dw(x, y, grades)


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
    """`coefficient(...)` with bound options gives the values of the function, with NaN, axis and workers."""
    rng = np.random.default_rng(9)
    x, y = rng.integers(0, 4, (2, 8, 3)).astype(float)
    x[2, 1] = math.nan
    by_text = cd.coefficient("tau_ac(a=-0.5, max_grade=3)")(x, y, axis=0, nan_policy="omit", workers=2)
    assert by_text.tolist() == cd.tau_ac(x, y, a=-0.5, max_grade=3, axis=0, nan_policy="omit").tolist()


def test_a_scale_of_32_grades_has_a_default_for_ties_and_one_of_33_has_none():
    """The expected score of a tie is a sum over four grades: 32^4 terms are enough."""
    assert cd.tau_ac([3, 2, 1, 0], [3, 2, 1, 0], max_grade=31) == 1
    with pytest.raises(cd.ArgumentError, match="the scale has 33 grades, and a has a default for at most 32"):
        cd.tau_ac([3, 2, 1, 0], [3, 2, 1, 0], max_grade=32)
    assert cd.tau_ac([3, 2, 1, 0], [3, 2, 1, 0], max_grade=32, a=0.5) == 1


@pytest.mark.parametrize("sign", [-1, 1])
def test_the_score_of_a_tie_is_a_billion_at_most(sign):
    """Beyond that, sums of scores lose digits."""
    cd.tau_ac([1, 0], [1, 0], a=sign * 1e9)
    with pytest.raises(cd.ArgumentError, match="a must be a number"):
        cd.tau_ac([1, 0], [1, 0], a=sign * (1e9 + 0.5))
