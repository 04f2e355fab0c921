"""All pairs of several rankings."""

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
    "tau_ap_a@5",
    "tau_b@5",
]


@quiet
@pytest.mark.parametrize("name", NAMES)
def test_matrix_is_all_pairs_with_the_row_as_reference(name):
    """Every cell has the bits of a single call, for any number of workers."""
    c = cd.coefficient(name)
    rows = np.random.default_rng(4).integers(0, 20, (9, 15)) / 10
    expected = [[c(a, b) for b in rows] for a in rows]
    for workers in (1, 2):
        np.testing.assert_array_equal(cd.matrix(rows, name, workers=workers), expected)


def test_matrix_computes_symmetric_coefficients_once():
    """Of six rankings there are 36 pairs, 21 if the order of a pair does not matter."""
    calls = []

    def spy(x, y):
        calls.append(1)
        return 0.0

    rows = np.random.default_rng(0).random((6, 4))
    cd.matrix(rows, spy)
    assert len(calls) == 36
    try:
        cd.register(symmetric=True)(spy)
        calls.clear()
        cd.matrix(rows, "spy")
        assert len(calls) == 21
    finally:
        del cd.REGISTRY["spy"]


def test_matrix_of_a_frame_is_a_frame():
    """Columns of a pandas frame become both its index and its columns."""
    frame = pd.DataFrame(
        {"human": [3.0, 2, 1, 0], "judge": [3, 1, 2, 0], "other": [0, 1, 2, 3]}, index=list("abcd")
    )
    result = cd.matrix(frame, "tau_b")
    assert list(result.columns) == list(result.index) == ["human", "judge", "other"]
    assert result.loc["human", "judge"] == cd.tau_b(frame.human, frame.judge)
    assert np.allclose(result, frame.corr(method="kendall"))


def test_matrix_of_a_polars_frame_is_a_polars_frame():
    """Polars has no index; the columns keep their names."""
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"human": [3.0, 2, 1, 0], "judge": [3, 1, 2, 0]})
    result = cd.matrix(frame, "tau_b")
    assert result.columns == ["human", "judge"]
    assert result["judge"][0] == cd.tau_b(frame["human"], frame["judge"])


def test_matrix_aligns_rankings_with_labels():
    """Items are matched by label in lists and mappings of rankings; other items are refused."""
    a, b = {"p": 3, "q": 2, "r": 1}, {"r": 3, "q": 2, "p": 1}
    assert cd.matrix([a, b], "tau_b").tolist() == [[1, -1], [-1, 1]]
    assert cd.matrix({"human": a, "judge": b}, "tau_b").values.tolist() == [[1, -1], [-1, 1]]
    message = "matrix: ranking 0 and ranking 1 must rank the same items; only in ranking 0: 'r'"
    with pytest.raises(cd.ArgumentError, match=message):
        cd.matrix([a, {"p": 1, "q": 2, "z": 3}], "tau_b")


def test_a_mapping_keeps_the_names_of_its_rankings():
    """Values are found by name, the reference first; the table has a row for each pair."""
    rankings = {"human": [4, 3, 2, 1], "judge": [3, 4, 1, 2], "other": [4, 1, 2, 2]}
    found = cd.matrix(rankings, "tau_ap_a")
    assert isinstance(found, cd.results.Matrix)
    assert found.names == ("human", "judge", "other")
    for one, x in rankings.items():
        for other, y in rankings.items():
            assert found[one, other] == cd.tau_ap_a(x, y)
    assert not np.array_equal(found.values, found.values.T)
    np.testing.assert_array_equal(np.asarray(found), found.values)
    frame = found.to_frame().pivot(index="reference", columns="estimate", values="value")
    assert frame.loc["judge", "human"] == found["judge", "human"]
    assert [(c.reference, c.estimate) for c in found.matrix[:3]] == [("human", name) for name in rankings]
    assert found.matrix[5].value == found["judge", "other"]
    assert found.to_dict()["tables"]["matrix"][1]["value"] == found["human", "judge"]


def test_an_unknown_name_is_a_key_error_that_names_the_rankings():
    """On either side."""
    found = cd.matrix({"human": [3, 2, 1], "judge": [3, 1, 2]}, "tau_b")
    for names in (("human", "other"), ("other", "human")):
        with pytest.raises(KeyError, match="there is no ranking 'other'; there are human, judge"):
            found[names]


def test_a_matrix_prints_as_a_square():
    """For people the estimates are columns."""
    lines = repr(cd.matrix({"human": [3, 2, 1], "judge": [3, 1, 2]}, "tau_b")).splitlines()
    assert lines[0] == "tau_b is 0.33 for the two rankings."
    assert lines[4].split() == ["reference", "human", "judge"]
    assert [line.split() for line in lines[6:]] == [
        ["human", "1.00", "█", "0.33", "░"],
        ["judge", "0.33", "░", "1.00", "█"],
    ]


def test_errors_of_a_matrix_name_the_ranking():
    """NaN and ties are found by ranking and position."""
    with pytest.raises(cd.ArgumentError, match="matrix: x is NaN at ranking 1, position 1"):
        cd.matrix([[1, 2, 3], [1, math.nan, 3], [1, 2, 3]], "tau_a", nan_policy="raise")
    with pytest.raises(cd.TiesError, match="ranking 'b', position 0, ranking 'b', position 2 at 1"):
        cd.matrix({"a": [1, 2, 3], "b": [1, 2, 1]}, "tau")


@pytest.mark.parametrize(
    ("rankings", "message"),
    [
        ([1, 2, 3], r"two dimensions, rankings by items, got shape \(3,\)"),
        ([{"a": 1, "b": 2}, [1, 2]], "ranking 1 and ranking 0 must both have labels, or neither"),
        ({"a": [1, 2], "b": [1, 2, 3]}, r"ranking 'b' has shape \(3,\), ranking 'a' has \(2,\)"),
    ],
)
def test_matrix_says_what_is_wrong(rankings, message):
    """Each mistake is one sentence that begins with the name of the function."""
    with pytest.raises((cd.ArgumentError, cd.ArgumentTypeError), match=f"^matrix: .*{message}"):
        cd.matrix(rankings, "tau_b")


@pytest.mark.filterwarnings("ignore::concordant.UndefinedWarning")
def test_a_matrix_without_any_value_is_shown():
    """Every cell is a dash."""
    found = cd.matrix({"a": [1, 1, 1], "b": [2, 2, 2]}, "tau_b")
    assert found.verdict == ("tau_b is undefined for all pairs of 2 rankings.",)
    assert found.to_text().count(" -") >= 4


def test_by_a_distance_the_smallest_value_agrees_most():
    """The lists that share nothing agree least."""
    lists = {"a": ["p", "q", "r"], "b": ["p", "q", "s"], "c": ["x", "y", "z"]}
    found = cd.matrix(lists, "kendall_distance(normalize=True)")
    assert found.verdict[0].startswith("Of 3 rankings, a and b agree most")
