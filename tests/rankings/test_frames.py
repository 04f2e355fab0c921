"""Data frames of every kind are read in one way."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from support.frames import KINDS, columns_of, frame_of

import concordant as cd

nw = pytest.importorskip("narwhals")

WIDE = {"human": [3.0, 2.0, 1.0, 0.0], "judge": [3, 1, 2, 0]}
each_kind = pytest.mark.parametrize("kind", KINDS)


@each_kind
def test_matrix_of_a_frame_is_a_frame_of_the_same_kind(kind):
    """The columns are the rankings; of a pandas frame the rows have the names too."""
    frame = frame_of(kind, WIDE)
    found = cd.matrix(frame, "tau_b")
    assert type(found) is type(frame)
    assert columns_of(found) == {"human": [1.0, 2 / 3], "judge": [2 / 3, 1.0]}
    if kind.startswith("pandas"):
        assert found.index.tolist() == ["human", "judge"]


@each_kind
def test_scores_of_a_frame_of_any_kind(kind):
    """A long table and a wide one, from every library."""
    long = {
        "topic": ["q1", "q1", "q2", "q2"],
        "system": ["a", "b", "a", "b"],
        "value": [0.1, 0.2, 0.3, 0.4],
    }
    wide = {"topic": ["q1", "q2"], "a": [0.1, 0.3], "b": [0.2, 0.4]}
    for data in (long, wide):
        scores = cd.read_scores(frame_of(kind, data))
        assert scores.topics == ("q1", "q2")
        assert scores.systems == ("a", "b")
        assert scores.values.tolist() == [[[0.1, 0.2], [0.3, 0.4]]]


@each_kind
def test_a_frame_is_not_a_ranking(kind):
    """The error says which functions take frames."""
    with pytest.raises(
        TypeError, match="tau_b: x is a DataFrame; pass one of its columns, or use concordant"
    ):
        cd.tau_b(frame_of(kind, WIDE), [1, 2, 3, 4])


@each_kind
def test_missing_whole_numbers_do_not_become_other_numbers(kind):
    """A column with a missing value stays whole numbers until float64 is known to hold them."""
    data = {"x": [2**53, 2**53 + 1, None], "y": [1, 2, 3]}
    if kind.startswith(("pandas", "modin")):
        data["x"] = pd.array(data["x"], dtype="Int64")
    with pytest.raises(ValueError, match="ranking 'x' has values that float64 cannot tell apart"):
        cd.matrix(frame_of(kind, data), "tau_b")


@each_kind
def test_missing_values_are_nan(kind):
    """Missing whole numbers, floats and truth values: left out, or an error that says where."""
    frame = frame_of(
        kind, {"a": [1, 2, 3], "b": [1, None, 3], "c": [0.5, None, 1.5], "d": [False, None, True]}
    )
    found = columns_of(cd.matrix(frame, "tau_b", nan_policy="omit"))
    assert found == {name: [1.0] * 4 for name in "abcd"}
    with pytest.raises(ValueError, match=r"matrix: x is NaN at ranking 'b', (position )?1"):
        cd.matrix(frame, "tau_b", nan_policy="raise")


def test_columns_of_pandas_may_share_a_name_or_have_levels():
    """They are read by their place; the result has the same columns."""
    values = np.array([[3.0, 3], [2, 1], [1, 2]])
    for columns in (["a", "a"], pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]), [1, 2]):
        found = cd.matrix(pd.DataFrame(values, columns=columns), "tau_b")
        assert found.columns.tolist() == found.index.tolist() == pd.Index(columns).tolist()
        assert found.to_numpy().tolist() == [[1, 1 / 3], [1 / 3, 1]]


def test_a_subclass_of_a_frame_is_a_frame():
    """As geopandas has it."""

    class Own(pd.DataFrame):
        pass

    assert cd.matrix(Own(WIDE), "tau_b").shape == (2, 2)


def test_a_lazy_frame_is_read_once_and_only_where_it_is_needed():
    """Columns that nobody asks for are not computed, and no column twice."""
    reads = []

    def seen(column):
        reads.append(column.name)
        return column

    lazy = pl.LazyFrame({"g": [1, 1], "x": [1, 2], "y": [1, 2], "other": [0, 0]}).with_columns(
        pl.col("x").map_batches(seen, return_dtype=pl.Int64),
        pl.col("other").map_batches(seen, return_dtype=pl.Int64),
    )
    found = cd.grouped(lazy, by="g", x="x", y="y", coefficients="tau_b")
    assert isinstance(found, pl.LazyFrame)
    assert reads == ["x"]


def test_a_frame_of_another_library_is_refused():
    """It is known as a frame, and not taken for an array of rankings."""
    other = type("DataFrame", (), {"__module__": "dask.dataframe", "__array__": lambda self: np.eye(2)})()
    message = "matrix: a data frame of dask is not read; make it one of pandas, polars, pyarrow or DuckDB"
    with pytest.raises(cd.ArgumentTypeError, match=message):
        cd.matrix(other, "tau_b")
    with pytest.raises(cd.ArgumentTypeError, match="x is a DataFrame"):
        cd.tau_b(other, [1, 2])


def test_without_narwhals_the_error_says_what_to_install(monkeypatch):
    """Arrays, mappings and Series do not need it."""
    monkeypatch.setitem(sys.modules, "narwhals", None)
    frame = pd.DataFrame(WIDE)
    assert cd.tau_b(frame.human, frame.judge) == 2 / 3
    assert cd.tau_b({"a": 1, "b": 2}, {"b": 2, "a": 1}) == 1
    message = r"matrix: a data frame needs narwhals: pip install 'concordant\[frame\]'"
    with pytest.raises(cd.MissingLibraryError, match=message):
        cd.matrix(frame, "tau_b")
