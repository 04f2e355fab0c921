"""Wrong calls: one sentence each, before any work."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import concordant as cd

X = [0.9, 0.7, 0.4, 0.2]
Y = [0.8, 0.3, 0.5, 0.1]


WRONG = [
    (
        cd.tau_b,
        ([1, 2, 3], [1, 2]),
        {},
        ValueError,
        "tau_b: x has 3 items and y has 2; both must rank the same items",
    ),
    (
        cd.tau_b,
        (["a", "b"], [1, 2]),
        {},
        TypeError,
        "x must be an array, mapping or Series of real numbers, got values of type <U1",
    ),
    (cd.tau_b, ([1, 2], ["1", 2]), {}, TypeError, "y must be an array, mapping or Series of real numbers"),
    (cd.tau_b, ([1, object()], [1, 2]), {}, TypeError, "x must hold real numbers, got <object"),
    (
        cd.tau_b,
        (np.array(["1", 2], dtype=object), [1, 2]),
        {},
        TypeError,
        "x must hold real numbers, got '1' at position 0",
    ),
    (cd.tau_b, ([1, 2j], [1, 2]), {}, TypeError, "got values of type complex128"),
    (
        cd.tau_b,
        (np.array(["2020-01-01", "2021-01-01"], dtype="M8[D]"), [1, 2]),
        {},
        TypeError,
        "values of type datetime64",
    ),
    (cd.tau_b, ({1, 2}, [1, 2]), {}, TypeError, "got set"),
    (cd.tau_b, ((v for v in X), [1, 2]), {}, TypeError, "got generator"),
    (cd.tau_b, (None, [1, 2]), {}, TypeError, "got NoneType"),
    (cd.tau_b, (3, [1, 2]), {}, ValueError, "x must hold one value per item, got the single value 3"),
    (
        cd.tau_b,
        ([[1, 2], [1]], [1, 2]),
        {},
        ValueError,
        "x has rows of different length; see concordant.grouped",
    ),
    (
        cd.tau_b,
        ([1, math.inf], [1, 2]),
        {},
        ValueError,
        "x is infinite at position 1; replace it or drop the item",
    ),
    (cd.tau_b, ([1, 2], [-math.inf, 2]), {}, ValueError, "y is infinite at position 0"),
    (
        cd.tau_b,
        (np.zeros((2, 2)), [[1, 2], [1, math.inf]]),
        {},
        ValueError,
        r"y is infinite at index \(1, 1\)",
    ),
    (
        cd.tau_b,
        (X, Y),
        {"nan_policy": "drop"},
        ValueError,
        "nan_policy must be 'propagate', 'raise' or 'omit', got 'drop'",
    ),
    (cd.tau_b, ([1], [1]), {"nan_policy": "drop"}, ValueError, "nan_policy must be"),
    (
        cd.tau_b,
        (X, Y),
        {"threshold": -0.1},
        ValueError,
        r"threshold must be a number >= 0, a percentage such as '5%', or a pair .*, got -0.1",
    ),
    (cd.tau_b, (X, Y), {"threshold": math.nan}, ValueError, "threshold must be a number >= 0"),
    (cd.tau_b, (X, Y), {"threshold": (0.1, 0.2, 0.3)}, ValueError, "threshold must be a number >= 0"),
    (cd.tau_b, (X, Y), {"threshold": (0.1, -0.2)}, ValueError, "threshold must be a number >= 0"),
    (cd.tau_b, (X, Y), {"threshold": "0.1"}, ValueError, "threshold must be a number >= 0"),
    (cd.tau_b, (X, Y), {"threshold": None}, ValueError, "threshold must be a number >= 0"),
    (cd.tau_b, (X, Y), {"axis": 1}, ValueError, r"axis 1 does not exist: x has 1 dimension"),
    (
        cd.tau_b,
        (np.zeros((2, 3)), np.zeros((2, 3))),
        {"axis": -3},
        ValueError,
        "axis -3 does not exist: x has 2",
    ),
    (cd.tau_b, (X, Y), {"axis": None}, TypeError, "axis must be an integer, got None"),
    (cd.tau_b, (X, Y), {"workers": 0}, ValueError, "workers must be 1 or more, or -1 for all cores, got 0"),
    (cd.tau_b, (X, Y), {"workers": 1.5}, ValueError, "workers must be"),
    (
        cd.tau_b,
        (np.zeros((2, 4)), np.zeros((3, 4))),
        {},
        ValueError,
        r"do not broadcast: apart from the items they have shapes \(2,\) and \(3,\)",
    ),
    (
        cd.tau_b,
        ({"a": 1, "b": 2}, [1, 2]),
        {},
        TypeError,
        "x is a mapping and y has no labels; give both labels or neither",
    ),
    (cd.tau_b, ([1, 2], {"a": 1, "b": 2}), {}, TypeError, "y is a mapping and x has no labels"),
    (
        cd.tau_b,
        ({"a": 1, "b": 2, "c": 1, "d": 3, "e": 5}, {"z": 1}),
        {},
        ValueError,
        r"only in x: 'a', 'b', 'c', ... \(5 in all\); only in y: 'z'",
    ),
    (
        cd.tau_b,
        ([2**53, 2**53 + 1], [1, 2]),
        {},
        ValueError,
        "x has values that float64 cannot tell apart, such as 9007199254740992 and 9007199254740993",
    ),
    (cd.tau_b, ([1, 2], [2**70, 2**70 + 1]), {}, ValueError, "y has values that float64 cannot tell apart"),
    (
        cd.tau_b,
        ([2**63, 2**63 + 1, -1], [1, 2, 3]),
        {},
        ValueError,
        "x has values that float64 cannot tell apart",
    ),
    (
        cd.tau_b,
        ([2**53, 2**53 + 1, 0.5], [1, 2, 3]),
        {},
        ValueError,
        "x has values that float64 cannot tell apart",
    ),
    (
        cd.tau_b,
        (np.ma.array([2**53, 2**53 + 1]), [1, 2]),
        {},
        ValueError,
        "x has values that float64 cannot tell apart",
    ),
    (
        cd.tau_b,
        ([Fraction(1), 1 + Fraction(1, 10**20)], [1, 2]),
        {},
        ValueError,
        "x has values that float64 cannot tell apart",
    ),
    (
        cd.tau_b,
        (np.longdouble(1) + np.longdouble(2) ** -60 * np.arange(2), [1, 2]),
        {},
        ValueError,
        "x has values that float64 cannot tell apart",
    ),
    (
        cd.tau_b,
        ([10**400, 1], [1, 2]),
        {},
        ValueError,
        "x has a value that float64 cannot hold at position 0",
    ),
    (
        cd.tau_b,
        ([Decimal("sNaN"), 1], [1, 2]),
        {},
        ValueError,
        "x has a value that float64 cannot hold at position 0",
    ),
    (cd.tau_b, (np.ma.array(["1", "2"]), [1, 2]), {}, TypeError, "values of type <U1"),
    (
        cd.tau_b,
        ([np.ma.array([1.0, 2.0])], [[1, 2]]),
        {},
        TypeError,
        "x is a list of rankings with labels or masks",
    ),
    (
        cd.tau_b,
        ({"a": [1, 2], "b": [3, 4]}, {"a": [1, 2], "b": [3, 4]}),
        {},
        TypeError,
        "x must give one number for each label",
    ),
    (cd.tau_b, (X, Y), {"threshold": 10**400}, ValueError, "threshold must be a number >= 0"),
    (cd.tau_b, (X, Y), {"threshold": np.zeros((2, 2))}, ValueError, "threshold must be a number >= 0"),
    (cd.tau_b, (X, Y), {"threshold": True}, ValueError, "threshold must be a number >= 0"),
    (cd.tau_b, (X, Y), {"axis": 0.0}, TypeError, "axis must be an integer, got 0.0"),
    (cd.tau_b, (X, Y), {"axis": False}, TypeError, "axis must be an integer, got False"),
    (cd.tau_b, (X, Y), {"workers": True}, ValueError, "workers must be"),
    (cd.tau_ap, (X, Y), {"symmetric": "yes"}, TypeError, "symmetric must be True or False, got 'yes'"),
    (
        cd.tau_b,
        ([1, 2], np.array([[1, 2], [1, math.inf]]).T),
        {"axis": 0},
        ValueError,
        r"y is infinite at index \(1, 1\)",
    ),
    (
        cd.tau_b,
        (np.array([[1, 2, 3], [4, 5, math.inf]]).T, np.zeros((3, 2))),
        {"axis": 0},
        ValueError,
        r"x is infinite at index \(2, 1\)",
    ),
    (
        cd.tau_b,
        (np.zeros((5, 1, 3)), [[1, 2, 3], [1, 2, -math.inf]]),
        {},
        ValueError,
        r"y is infinite at index \(1, 2\)",
    ),
    (cd.tau_b, ([1, math.inf, 3], np.zeros((4, 3))), {}, ValueError, "x is infinite at position 1"),
    (
        cd.tau,
        ([1, 2, 3], [1, 1, 2]),
        {},
        ValueError,
        r"tau: y has tied items \(position 0, position 1 at 1\); use tau_a, tau_b or tau_e",
    ),
    (
        cd.tau_ap,
        ({"bm25": 0.31, "ql": 0.31, "dfr": 1}, {"bm25": 1, "ql": 2, "dfr": 3}),
        {},
        ValueError,
        r"tau_ap: x has tied items \('bm25', 'ql' at 0.31\); use tau_ap_a, tau_ap_b or tau_ap_e",
    ),
    (
        cd.tau,
        ([[1, 2], [3, 3]], [1, 2]),
        {},
        ValueError,
        r"x has tied items \(index \(1, 0\), index \(1, 1\) at 3\)",
    ),
    (cd.tau_ap_b, (X, Y), {"tied": "zero"}, ValueError, "tied must be 'discordant' or 'neutral', got 'zero'"),
    (cd.counts, ([1, math.nan], [1, 2]), {}, ValueError, "counts: x is NaN at position 1"),
    (cd.counts, (X, Y), {"nan_policy": "propagate"}, ValueError, "nan_policy must be 'raise' or 'omit'"),
    (cd.counts, ([1, math.nan], [1, 2]), {"per_item": True}, ValueError, "counts: x is NaN at position 1"),
]


@pytest.mark.parametrize(("f", "args", "kwargs", "error", "message"), WRONG)
def test_a_wrong_call_says_what_is_wrong(f, args, kwargs, error, message):
    """One sentence, which begins with the name of the function called."""
    with pytest.raises(error, match=message) as caught:
        f(*args, **kwargs)
    assert isinstance(caught.value, cd.ConcordantError)
    assert str(caught.value) == f"{f.__name__}: {caught.value.text}"
    assert "\n" not in str(caught.value)


def test_a_data_frame_is_not_a_ranking():
    """A DataFrame has several columns; the message says what takes it."""
    pd = pytest.importorskip("pandas")
    with pytest.raises(
        TypeError, match=r"x is a DataFrame; pass one of its columns, or use concordant\.matrix"
    ):
        cd.tau_b(pd.DataFrame({"a": X}), Y)


def test_large_integers_that_are_exact_are_fine():
    """Beyond 2 ** 53, integers that float64 holds are accepted."""
    assert cd.tau_b([2**60, 2**61, 2**62], np.array([1, 2, 3], dtype=np.uint64) << np.uint64(61)) == 1.0


@pytest.mark.parametrize(
    "threshold",
    [
        0.1,
        np.float64(0.1),
        np.float32(0.1),
        Decimal("0.1"),
        Fraction(1, 10),
        (0.1, 0.1),
        [0.1, 0.1],
        np.array([0.1, 0.1]),
        np.array(0.1),
    ],
)
def test_thresholds_may_be_any_real_number(threshold):
    """Numbers of any type, pairs in any container."""
    assert cd.tau_b(X, Y, threshold=threshold) == cd.tau_b(X, Y, threshold=0.1)
    assert cd.counts(X, Y, threshold=threshold).to_csv() == cd.counts(X, Y, threshold=0.1).to_csv()


def test_empty_item_counts_keep_their_shape():
    """No items, or no rankings, give empty arrays of the right shape."""
    assert cd.counts(np.zeros((0, 5)), np.zeros((0, 5)), per_item=True).above_x.shape == (0, 5)
    assert cd.counts([], [], per_item=True).above_x.shape == (0,)


def test_more_threads_than_the_system_has_are_no_error():
    """The values do not depend on the number of threads asked for."""
    rng = np.random.default_rng(0)
    x, y = rng.random((50, 20)), rng.random((50, 20))
    assert cd.tau_b(x, y, workers=10**9).tolist() == cd.tau_b(x, y).tolist()
