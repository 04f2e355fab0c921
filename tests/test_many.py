"""Batches, groups of different length, all pairs, threads."""

from __future__ import annotations

import math

import numpy as np
import pytest
from strategies import TIES, random_pair

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
quiet = pytest.mark.filterwarnings("ignore::concordant.UndefinedWarning")


def equal(a, b):
    return np.array_equal(np.asarray(a), np.asarray(b), equal_nan=True)


@quiet
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("name", NAMES)
def test_a_batch_gives_the_bits_of_single_calls_for_any_number_of_threads(name, ties):
    c = cd.get(name)
    rows = [random_pair(seed, 37, ties) for seed in range(300)]
    x, y = (np.stack(side) for side in zip(*rows, strict=True))
    single = [c(a, b) for a, b in rows]
    for workers in (1, 2, 3, -1):
        assert equal(c(x, y, workers=workers), single)
        assert equal(c(x[0], y, workers=workers), [c(x[0], b) for b in y])
        assert equal(c(x, y[0], workers=workers), [c(a, y[0]) for a in x])
    assert equal(c(x.reshape(3, 100, 37), y.reshape(3, 100, 37)).ravel(), single)


@quiet
@pytest.mark.parametrize("name", NAMES)
def test_groups_give_the_values_of_single_calls(name):
    """Sizes from 1 to 90, in any order, adjacent or not, labels of any kind."""
    c = cd.get(name)
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
            assert equal(values, expected)
            assert len(found) == len(seen)
        assert equal(cd.grouped(a, b, g, name, workers=2), expected)
        assert cd.grouped(a, b, g, name, return_labels=True)[1] == seen


def test_labels_that_print_alike_are_different_groups():
    assert cd.grouped([1, 2, 1, 2], [1, 2, 2, 1], [1, 1, "1", "1"], "tau_b").tolist() == [1, -1]


def test_grouped_takes_columns_of_a_frame():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"q": ["a", "b", "a", "b"], "x": [1.0, 2, 3, 4], "y": [2, 9, 1, 10]})
    values, labels = cd.grouped(frame.x, frame.y, frame.q, "tau_b", return_labels=True)
    assert values.tolist() == [-1, 1]
    assert labels == ["a", "b"]


def test_grouped_aligns_its_groups_by_label():
    pd = pytest.importorskip("pandas")
    x = pd.Series([3, 2, 1, 1, 2], index=list("abcde"))
    y = pd.Series([3, 1, 2, 1, 2], index=list("abcde"))
    q = pd.Series(["q1", "q1", "q1", "q2", "q2"], index=list("abcde"))
    expected = cd.grouped(x, y, q, "tau_b", return_labels=True)
    for groups in (q[::-1], q[::-1].to_dict(), q.tolist()):
        values, labels = cd.grouped(x, y, groups, "tau_b", return_labels=True)
        assert values.tolist() == expected[0].tolist()
        assert labels == expected[1]
    with pytest.raises(
        ValueError, match="x and groups must rank the same items; only in x: 'e'; only in groups: 'f'"
    ):
        cd.grouped(x, y, q.rename({"e": "f"}), "tau_b")
    stacked = pd.concat(
        [pd.DataFrame({"x": [1, 2], "y": [1, 2], "q": 7}), pd.DataFrame({"x": [1, 2], "y": [2, 1], "q": 8})]
    )
    assert cd.grouped(stacked.x, stacked.y, stacked.q, "tau_b").tolist() == [1, -1]
    assert cd.matrix(stacked[["x", "y"]], "tau_b").shape == (2, 2)


def test_groups_may_be_an_iterator():
    assert cd.grouped([1, 2], [1, 2], (g for g in "aa"), "tau_b", return_labels=True)[1] == ["a"]


def test_errors_of_a_matrix_name_the_ranking():
    with pytest.raises(ValueError, match="x is NaN at ranking 1, position 1"):
        cd.matrix([[1, 2, 3], [1, math.nan, 3], [1, 2, 3]], "tau_a", nan_policy="raise")
    with pytest.raises(cd.TiesError, match="ranking 'b', position 0, ranking 'b', position 2 at 1"):
        cd.matrix({"a": [1, 2, 3], "b": [1, 2, 1]}, "tau")


def test_selections_of_many_pairs_are_made_in_parts(monkeypatch):
    from concordant import _registry

    rows = np.random.default_rng(0).integers(0, 9, (12, 20)).astype(float)
    rows[3, 4] = np.nan
    whole = [cd.matrix(rows, name, nan_policy="omit") for name in ("tau_ap_a@5", "tau_ap_a")]
    monkeypatch.setattr(_registry, "_MOST_COPIED", 100)
    parts = [cd.matrix(rows, name, nan_policy="omit") for name in ("tau_ap_a@5", "tau_ap_a")]
    for a, b in zip(whole, parts, strict=True):
        assert equal(a, b)


def test_grouped_leaves_nan_out_of_its_group_only():
    x, y, g = [1, 2, math.nan, 1, 2, 3], [1, 2, 3, 3, 2, 1], [0, 0, 0, 1, 1, 1]
    assert equal(cd.grouped(x, y, g, "tau_b"), [math.nan, -1])
    assert equal(cd.grouped(x, y, g, "tau_b", nan_policy="omit"), [1, -1])
    with pytest.raises(ValueError, match="x is NaN at position 2"):
        cd.grouped(x, y, g, "tau_b", nan_policy="raise")


def test_grouped_names_items_by_their_place_in_the_list():
    with pytest.raises(ValueError, match="position 1, position 3 at 5"):
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
    with pytest.raises((ValueError, TypeError), match=message):
        cd.grouped(*args, "tau_b")


def test_no_groups():
    assert cd.grouped([], [], [], "tau_b").shape == (0,)
    assert cd.grouped([], [], np.zeros(0, dtype=int), "tau_b").shape == (0,)


@quiet
@pytest.mark.parametrize("name", [*NAMES, "tau_ap_a@5", "tau_b@5"])
def test_matrix_is_all_pairs_with_the_row_as_reference(name):
    c = cd.get(name)
    rows = np.random.default_rng(4).integers(0, 20, (9, 15)) / 10
    expected = [[c(a, b) for b in rows] for a in rows]
    for workers in (1, 2):
        assert equal(cd.matrix(rows, name, workers=workers), expected)


def test_matrix_computes_symmetric_coefficients_once():
    calls = []

    def spy(x, y):
        calls.append(1)
        return 0.0

    rows = np.random.default_rng(0).random((6, 4))
    cd.matrix(rows, spy)
    assert len(calls) == 36
    try:
        cd.coefficient(symmetric=True)(spy)
        calls.clear()
        cd.matrix(rows, "spy")
        assert len(calls) == 21
    finally:
        del cd.REGISTRY["spy"]


def test_matrix_of_a_frame_is_a_frame():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {"human": [3.0, 2, 1, 0], "judge": [3, 1, 2, 0], "other": [0, 1, 2, 3]}, index=list("abcd")
    )
    result = cd.matrix(frame, "tau_b")
    assert list(result.columns) == list(result.index) == ["human", "judge", "other"]
    assert result.loc["human", "judge"] == cd.tau_b(frame.human, frame.judge)
    assert np.allclose(result, frame.corr(method="kendall"))


def test_matrix_of_a_polars_frame_is_a_polars_frame():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"human": [3.0, 2, 1, 0], "judge": [3, 1, 2, 0]})
    result = cd.matrix(frame, "tau_b")
    assert result.columns == ["human", "judge"]
    assert result["judge"][0] == cd.tau_b(frame["human"], frame["judge"])


def test_matrix_aligns_rankings_with_labels():
    a, b = {"p": 3, "q": 2, "r": 1}, {"r": 3, "q": 2, "p": 1}
    assert cd.matrix([a, b], "tau_b").tolist() == [[1, -1], [-1, 1]]
    assert cd.matrix({"human": a, "judge": b}, "tau_b").tolist() == [[1, -1], [-1, 1]]
    with pytest.raises(
        ValueError, match="ranking 0 and ranking 1 must rank the same items; only in ranking 0: 'r'"
    ):
        cd.matrix([a, {"p": 1, "q": 2, "z": 3}], "tau_b")


@pytest.mark.parametrize(
    ("rankings", "message"),
    [
        ([1, 2, 3], r"two dimensions, rankings by items, got shape \(3,\)"),
        ([{"a": 1, "b": 2}, [1, 2]], "both have labels, or neither"),
        ({"a": [1, 2], "b": [1, 2, 3]}, r"ranking 1 has shape \(3,\)"),
    ],
)
def test_matrix_says_what_is_wrong(rankings, message):
    with pytest.raises((ValueError, TypeError), match=message):
        cd.matrix(rankings, "tau_b")


def test_threads_do_not_share_memory():
    """Calls from several Python threads at once give what one gives."""
    from concurrent.futures import ThreadPoolExecutor

    data = [random_pair(seed, 500, "few") for seed in range(60)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda pair: cd.tau_ap_b(*pair), data))
    assert together == [cd.tau_ap_b(*pair) for pair in data]
