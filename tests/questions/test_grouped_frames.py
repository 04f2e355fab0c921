"""Groups of the rows of a data frame."""

from __future__ import annotations

import datetime
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support import quiet
from support.frames import KINDS, columns_of, frame_of

import concordant as cd

nw = pytest.importorskip("narwhals")

DATA = {
    "user": ["b", "a", "b", "a", "b", "a", "a"],
    "fold": [1, 1, 1, 2, 1, 2, 2],
    "human": [3, 1, 2, 2, 1, 3, 1],
    "model": [3.0, 2.0, 1.0, 2.0, 2.0, 1.0, 4.0],
}
BY_USER = {"by": "user", "x": "human", "y": "model"}
each_kind = pytest.mark.parametrize("kind", KINDS)


def expected(names, by):
    """The values of single calls, group by group."""
    groups = {}
    for row, key in enumerate(zip(*(DATA[name] for name in by), strict=True)):
        groups.setdefault(key, []).append(row)
    found = {name: [key[k] for key in groups] for k, name in enumerate(by)}
    found["n"] = [len(rows) for rows in groups.values()]
    for name in names:
        f = cd.coefficient(name)
        sides = [[[DATA[side][r] for r in rows] for side in ("human", "model")] for rows in groups.values()]
        found[name] = [float(f(*both)) for both in sides]
    return found


@quiet
@each_kind
@pytest.mark.parametrize("by", [["user"], ["user", "fold"], ["fold"]])
def test_the_result_is_a_frame_of_the_same_kind(kind, by):
    """The labels of the groups, n and a column for each coefficient, groups in the order of first sight."""
    names = ["tau_b", "tau_ap_b(0.5)"]
    frame = frame_of(kind, DATA)
    found = cd.grouped(frame, by=by, x="human", y="model", coefficients=names)
    assert type(found) is type(frame)
    columns, wanted = columns_of(found), expected(names, by)
    assert list(columns) == list(wanted)
    for name, values in wanted.items():
        np.testing.assert_array_equal(columns[name], values)


@each_kind
def test_errors_name_the_group_and_the_row(kind):
    """NaN, infinity and ties: the label of the group, and the row of the frame."""
    nan = frame_of(kind, {**DATA, "model": [1.0, 2.0, 3.0, 4.0, 5.0, math.nan, 6.0]})
    with pytest.raises(cd.ArgumentError, match=r"^grouped: y is NaN at row 5 in group 'a'; drop the item"):
        cd.grouped(nan, **BY_USER, coefficients="tau_b", nan_policy="raise")
    infinite = frame_of(kind, {**DATA, "model": [1.0, 2.0, -math.inf, 4.0, 5.0, 6.0, 7.0]})
    with pytest.raises(cd.ArgumentError, match="y is infinite at row 2 in group 'b'"):
        cd.grouped(infinite, **BY_USER, coefficients="tau_b")
    ties = r"^grouped: x has tied items \(row 1, row 6 at 1\) in group 'a'; use tau_a"
    with pytest.raises(cd.TiesError, match=ties):
        cd.grouped(frame_of(kind, DATA), **BY_USER, coefficients=["tau_b", "tau"])
    ties = r"x has tied items \(row 1, row 3 at 1\) in group \('a', 1\)"
    frame = frame_of(kind, {**DATA, "fold": [1] * 7, "human": [3, 1, 2, 1, 1, 3, 0]})
    with pytest.raises(cd.TiesError, match=ties):
        cd.grouped(frame, **BY_USER | {"by": ["user", "fold"]}, coefficients="tau")


def test_errors_of_arrays_name_the_group_too():
    """Also where items were left out, or the first alone are compared."""
    x, y, g = [1, 5, math.nan, 5, 3], [1, 2, 3, 4, 5], ["a", "b", "a", "b", "a"]
    for name in ("tau", "tau@2"):
        with pytest.raises(cd.TiesError, match=r"\(position 1, position 3 at 5\) in group 'b'; use"):
            cd.grouped(x, y, g, name, nan_policy="omit")


def test_errors_of_other_functions_name_the_group():
    """A coefficient of grades says it in its sentence; a user's own error has a note."""
    with pytest.raises(cd.ArgumentError, match=r"got 0\.5 at position 1 in group 'b'"):
        cd.grouped([1, 2, 1, 0.5], [1, 2, 1, 2], list("aabb"), "tau_sc")

    def mine(x, y):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError) as caught:
        cd.grouped([1, 2], [1, 2], ["a", "a"], mine)
    assert caught.value.__notes__ == ["this error arose in group 'a'"]


@each_kind
def test_n_is_the_number_of_items_that_were_compared(kind):
    """With nan_policy="omit", rows with a missing value do not count."""
    frame = frame_of(kind, {**DATA, "model": [1.0, None, 3.0, 4.0, 5.0, 2.0, 6.0]})
    assert columns_of(cd.grouped(frame, **BY_USER, coefficients="tau_b"))["n"] == [3, 4]
    found = columns_of(cd.grouped(frame, **BY_USER, coefficients="tau_b", nan_policy="omit"))
    assert found["n"] == [3, 3]
    assert found["tau_b"] == [-1.0, cd.tau_b([2, 3, 1], [4, 2, 6])]


@each_kind
def test_rows_without_a_group_are_refused(kind):
    """The error names the column."""
    frame = frame_of(kind, {**DATA, "user": ["b", None, "b", "a", "b", "a", "a"]})
    with pytest.raises(cd.ArgumentError, match="grouped: column 'user' has items without a label; drop them"):
        cd.grouped(frame, **BY_USER, coefficients="tau_b")


@each_kind
def test_a_frame_without_rows_has_no_groups(kind):
    """The result has its columns, and no rows."""
    empty = nw.from_native(frame_of(kind, DATA)).head(0)
    found = cd.grouped(empty if kind == "narwhals" else empty.to_native(), **BY_USER, coefficients="tau_b")
    assert columns_of(found) == {"user": [], "n": [], "tau_b": []}


LABELS = {
    "dates": [datetime.date(2024, 1, day) for day in (2, 1, 2, 1)],
    "times": [datetime.datetime(2024, 1, 1, hour) for hour in (2, 1, 2, 1)],
    "truth values": [True, False, True, False],
    "floats": [0.5, -0.5, 0.5, -0.5],
    "whole numbers far apart": [2**62, -(2**62), 2**62, -(2**62)],
    "texts": ["b", "a", "b", "a"],
}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "DuckDB"])
@pytest.mark.parametrize("labels", LABELS)
def test_labels_of_any_type_keep_it(library, labels):
    """The column of the groups has the type that it had."""
    data = {"g": LABELS[labels], "x": [1, 1, 2, 2], "y": [1, 2, 2, 1]}
    frame = frame_of(library, data)
    found = cd.grouped(frame, by="g", x="x", y="y", coefficients="tau_b")
    schemas = [nw.from_native(each).collect_schema()["g"] for each in (frame, found)]
    assert schemas[0] == schemas[1]
    assert columns_of(found) == {"g": columns_of(frame)["g"][:2], "n": [2, 2], "tau_b": [1.0, -1.0]}


@pytest.mark.parametrize("n_groups", [3, 300, 70_000])
def test_many_groups_in_any_order(n_groups):
    """Fewer and more groups than 16 bits can number, from frames and arrays: the values of sorted groups."""
    rng = np.random.default_rng(n_groups)
    g = np.repeat(np.arange(n_groups), 2)
    x, y = rng.random((2, len(g)))
    wanted = dict(enumerate(cd.grouped(x, y, g, "tau_b").tolist()))
    order = rng.permutation(len(g))
    data = {"g": g[order], "x": x[order], "y": y[order], "text": [f"q{k}" for k in g[order].tolist()]}
    seen = list(dict.fromkeys(data["g"].tolist()))
    for frame in (pd.DataFrame(data), pl.DataFrame(data)):
        for by in ("g", "text", ["g", "text"]):
            found = columns_of(cd.grouped(frame, by=by, x="x", y="y", coefficients="tau_b"))
            assert found["tau_b"] == [wanted[k] for k in seen]
            assert ("text" not in by) or found["text"] == [f"q{k}" for k in seen]
    values, labels = cd.grouped(data["x"], data["y"], data["g"], "tau_b", return_labels=True)
    assert labels == seen
    assert values.tolist() == [wanted[k] for k in seen]


def test_the_index_of_pandas_plays_no_part():
    """Rows of a frame belong together, whatever their labels; the result counts its rows from 0."""
    frame = pd.DataFrame(DATA, index=[9, 9, 9, 1, 2, 3, 4])
    found = cd.grouped(frame, **BY_USER, coefficients="tau_b")
    assert found.index.tolist() == [0, 1]
    assert found.to_dict("list") == columns_of(
        cd.grouped(pd.DataFrame(DATA), **BY_USER, coefficients="tau_b")
    )


def test_names_of_columns_need_not_be_text():
    """Numbers, and tuples of several levels; other columns may share a name."""
    values = [[1, 3, 2, 0], [1, 4, 5, 0], [2, 1, 2, 0], [2, 2, 1, 0]]
    for names in ([0, 1, 2, 3], [("g", 1), ("x", 1), ("y", 1), ("y", 2)]):
        g, x, y, _ = names
        frame = pd.DataFrame(values, columns=names)
        for by in (g, [g]):
            found = cd.grouped(frame, by=by, x=x, y=y, coefficients="tau_b")
            assert found.columns.tolist() == [g, "n", "tau_b"]
            assert found["tau_b"].tolist() == [1, -1]
    frame = pd.DataFrame([[*row, 0] for row in values], columns=["g", "x", "y", "z", "z"])
    assert cd.grouped(frame, by="g", x="x", y="y", coefficients="tau_b").tau_b.tolist() == [1, -1]


def test_a_relation_stays_in_its_connection():
    """The result can be joined with the caller's tables, and leaves no table behind."""
    duckdb = pytest.importorskip("duckdb")
    pa = pytest.importorskip("pyarrow")
    connection = duckdb.connect()
    table = pa.table(DATA)
    connection.register("data", table)
    connection.execute("CREATE TABLE users AS SELECT DISTINCT user, 'x' AS kind FROM data")
    found = cd.grouped(connection.table("data"), **BY_USER, coefficients="tau_b")
    joined = found.join(connection.table("users"), "user").project("user, n, kind").order("user").fetchall()
    assert joined == [("a", 4, "x"), ("b", 3, "x")]
    tables = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    assert tables == {"users"}
    connection.execute("SET python_enable_replacements = false")
    with pytest.raises(cd.ArgumentError, match="DuckDB may not read variables of Python"):
        cd.grouped(connection.table("data"), **BY_USER, coefficients="tau_b")


FRAME = pd.DataFrame(DATA)
ALL = {**BY_USER, "coefficients": "tau_b"}


@pytest.mark.parametrize(
    ("args", "options", "message"),
    [
        ((FRAME,), {}, "a data frame needs by, x, y and coefficients; by is not given"),
        ((FRAME,), BY_USER, "a data frame needs by, x, y and coefficients; coefficients is not given"),
        (
            (FRAME,),
            {**ALL, "by": "z"},
            "by: there is no column 'z'; there are 'user', 'fold', 'human', 'model'",
        ),
        ((FRAME,), {**ALL, "x": "z"}, "x: there is no column 'z'"),
        ((FRAME,), {**ALL, "by": []}, "by must name at least one column"),
        ((FRAME,), {**ALL, "y": "user"}, "y must hold real numbers, got 'b' at position 0"),
        ((FRAME,), {**ALL, "return_labels": True}, "return_labels is for arrays"),
        ((FRAME,), {**ALL, "coefficients": "tau_zzz"}, "there is no coefficient 'tau_zzz'"),
        (
            (FRAME, [1]),
            ALL,
            "takes x, y, groups and coefficient; or a data frame and by, x, y and coefficients",
        ),
        (
            ([1, 2],),
            ALL,
            "by names a column, and the data must be a data frame, a stream of Arrow or files, got list",
        ),
        (([1, 2], [1, 2]), {}, "takes x, y, groups and coefficient; or a data frame"),
        (([1, 2], [1, 2], [1, 1], "tau_b", 5), {}, "takes x, y, groups and coefficient"),
        (([1, 2], [1, 2], [1, 1], "tau_b"), {"x": [1, 2]}, "x is given twice"),
        (([1, 2], [1, 2], [1, 1]), {"coefficients": "tau_b"}, "takes x, y, groups and coefficient"),
        (
            (FRAME.rename(columns={"user": "n"}),),
            {**ALL, "by": "n"},
            "the result has a column 'n' of its own",
        ),
        (
            (pd.DataFrame([[1, 1, 2, 3]], columns=["user", "user", "human", "model"]),),
            ALL,
            "by: 2 columns have the name 'user'; rename them",
        ),
    ],
)
def test_a_wrong_call_is_one_sentence(args, options, message):
    """It begins with the name of the function and says what is allowed."""
    with pytest.raises((cd.ArgumentError, cd.ArgumentTypeError)) as caught:
        cd.grouped(*args, **options)
    assert str(caught.value).startswith("grouped: ")
    assert message in str(caught.value)


def test_arrays_may_be_given_by_name():
    """All four arguments have names."""
    found = cd.grouped(x=[1, 2], y=[1, 2], groups=["a", "a"], coefficient="tau_b", return_labels=True)
    assert found == ([1.0], ["a"])


def test_series_of_any_library_are_groups():
    """The labels are those of the library, in the order of first sight."""
    pa = pytest.importorskip("pyarrow")
    g = ["b", "a", "b", "a"]
    for groups in (pd.Series(g), pl.Series(g), pa.array(g), pa.chunked_array([g[:1], g[1:]]), np.array(g)):
        values, labels = cd.grouped([1, 1, 2, 2], [1, 2, 2, 1], groups, "tau_b", return_labels=True)
        assert values.tolist() == [1, -1]
        assert labels == ["b", "a"]
    for missing in (pd.Series(["a", None]), pl.Series(["a", None]), pa.array(["a", None])):
        with pytest.raises(cd.ArgumentError, match="groups has items without a label"):
            cd.grouped([1, 2], [1, 2], missing, "tau_b")
    for floats in (pd.Series([1.0, math.nan]), pl.Series([1.0, math.nan]), pa.array([1.0, math.nan])):
        with pytest.raises(cd.ArgumentError, match="groups has items without a label"):
            cd.grouped([1, 2], [1, 2], floats, "tau_b")
    for nested in (pd.Series([[1], [2]]), pl.Series([[1], [2]]), pa.array([[1], [2]])):
        with pytest.raises(TypeError, match="groups must be a list of labels"):
            cd.grouped([1, 2], [1, 2], nested, "tau_b")


def test_a_dictionary_may_hold_a_value_twice_and_in_any_order():
    """Groups are made of values, not of the numbers of a dictionary."""
    indices = pa.array([2, 0, 1, 2, 1, 0], pa.int32())
    by = pa.DictionaryArray.from_arrays(indices, pa.array(["b", "a", "b"]))
    table = pa.table({"query": by, "human": [1, 2, 3, 4, 5, 6], "model": [1, 3, 2, 4, 6, 5]})
    found = cd.grouped(table, by="query", x="human", y="model", coefficients="tau_b")
    assert found.column("query").to_pylist() == ["b", "a"]
    assert found.column("n").to_pylist() == [4, 2]
    assert found.column("tau_b").to_pylist() == [cd.tau_b([1, 2, 4, 6], [1, 3, 4, 5]), 1.0]


@pytest.mark.parametrize("workers", [1, 2])
def test_many_rows_give_the_same_with_several_threads(workers):
    """Long enough for the copies and checks to be shared among the threads."""
    rng = np.random.default_rng(5)
    n, n_groups = 300_000, 700
    groups = np.sort(rng.integers(0, n_groups, n))
    x, y = rng.random((2, n)).round(3)
    found = cd.grouped(x, y, groups, "tau_b", workers=workers)
    some = [0, 1, 350, 699]
    assert [found[k] for k in some] == [cd.tau_b(x[groups == k], y[groups == k]) for k in some]
    shuffled = rng.permutation(n)
    again, labels = cd.grouped(
        x[shuffled], y[shuffled], groups[shuffled], "tau_b", return_labels=True, workers=workers
    )
    assert dict(zip(labels, again.tolist(), strict=True)) == dict(enumerate(found.tolist()))
    x[150_000] = np.nan
    assert np.isnan(cd.grouped(x, y, groups, "tau_b", workers=workers)).sum() == 1
