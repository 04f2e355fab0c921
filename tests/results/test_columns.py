"""Records as columns: the same as a tuple of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from concordant.results.table import Columns, Table


@dataclass(frozen=True)
class Point:
    """A record."""

    name: str
    rank: int
    value: float | None


NAMES = np.array(["a", "b", "c"], dtype=object)
POINTS = (Point("a", 1, 0.5), Point("b", 2, None), Point("c", 3, 1.0))
COLUMNS = Columns(Point, NAMES, np.arange(1, 4), np.array([0.5, np.nan, 1.0]))


def test_columns_are_a_sequence_of_records():
    """By number, from the end, in slices and one after the other; NaN is None."""
    assert tuple(COLUMNS) == POINTS
    assert (len(COLUMNS), COLUMNS[0], COLUMNS[-1], COLUMNS[1:]) == (3, POINTS[0], POINTS[2], POINTS[1:])
    assert COLUMNS == POINTS
    assert POINTS[:2] != COLUMNS
    assert POINTS[1] in COLUMNS


def test_values_are_those_of_python():
    """JSON takes no numbers of NumPy."""
    assert [type(value) for value in vars(COLUMNS[0]).values()] == [str, int, float]


def test_what_prints_is_short():
    """There may be millions."""
    assert repr(COLUMNS) == "<3 records of Point>"


@dataclass(frozen=True)
class Difference:
    """A test."""

    name: str
    difference: float
    pvalue: float
    pvalue_adjusted: float | None


def test_a_small_pvalue_is_not_shown_as_0():
    """A difference of 1e-20 is rounding; a p-value of 1e-20 is not 0."""
    rows = [Difference("a", 1e-20, 1e-20, None), Difference("b", 0.5, 0.00013, 0.25)]
    table = Table("tests", "Tests", Difference, rows)
    assert [line.split() for line in table.to_text().splitlines()[2:]] == [
        ["a", "0.0000", "<0.0001", "-"],
        ["b", "0.5000", "0.0001", "0.2500"],
    ]
    assert "$<0.0001$" in table.to_latex()
    assert "&lt;0.0001" in table.to_html()
    assert table.to_dicts()[0]["pvalue"] == 1e-20
