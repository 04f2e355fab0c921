"""What people see of a table, before it becomes text: cells in rows and columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from concordant.errors import visible
from concordant.results.words import number, value_and_interval


class Absent(str):
    """The word that a narrow table shows for None."""


class Valued(NamedTuple):
    """A cell with a value and its interval."""

    value: float | None
    interval: Sequence[float] | None


def shown(cell: Any) -> str:
    """Return a cell as people see it."""
    return " ".join(filter(None, texts(cell)))


def texts(cell: Any) -> tuple[str, str]:
    """Return a cell as people see it: its value, and apart from it its interval, which may be empty."""
    return value_and_interval(*cell) if isinstance(cell, Valued) else (_text(cell), "")


def _text(cell: Any) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if cell is None or isinstance(cell, float):
        return number(cell, 4)
    if is_interval(cell) and all(map(math.isnan, cell)):
        return number(None)
    if getattr(cell, "ndim", 0):
        return f"{cell.size} values"
    return visible(str(cell))


@dataclass(frozen=True)
class Grid:
    """What people see of a table, before it becomes text.

    Attributes
    ----------
    same : dict of str to str
        Columns that are the same in all rows; they are not among the other columns.
    header : list
        The heads of the columns.
    rows : list of list
        The cells.
    own : int
        How many columns are fields of the records; the others are made from the values of a field.
    """

    same: Mapping[str, str]
    header: list[Any]
    rows: list[list[Any]]
    own: int

    @property
    def same_everywhere(self) -> str:
        """The columns that are the same in all rows, in one line: ``measure nDCG@10, n 24``."""
        return ", ".join(f"{head} {cell}" for head, cell in self.same.items())

    @property
    def columns(self) -> list[list[Any]]:
        """The cells of each column."""
        return [[row[c] for row in self.rows] for c in range(len(self.header))]

    def spaced(self, most: int) -> list[list[Any]]:
        """Return at most `most` evenly spaced rows of each curve: rows that differ in the last key only."""
        curves: dict[tuple[str, ...], list[list[Any]]] = {}
        for row in self.rows:
            curves.setdefault(tuple(map(shown, row[: self.answer - 1])), []).append(row)
        return [
            curve[i if len(curve) <= most else round(i * (len(curve) - 1) / (most - 1))]
            for curve in curves.values()
            for i in range(min(most, len(curve)))
        ]

    @property
    def numeric(self) -> set[int]:
        """Which columns hold numbers."""
        return _columns_of(self.columns, is_number)

    @property
    def valued(self) -> set[int]:
        """Which columns hold values with intervals."""
        return _columns_of(self.columns, lambda cell: isinstance(cell, Valued))

    @property
    def whole(self) -> set[int]:
        """Which columns hold nothing but numbers, also in intervals."""
        return self.numeric | self.valued | _columns_of(self.columns, is_interval)

    @property
    def answer(self) -> int:
        """The first column of values that are not counts; if there is none, the number of columns."""
        if self.own < len(self.header):
            return self.own
        return next((c for c, cells in enumerate(self.columns) if _has_values(cells)), len(self.header))

    @property
    def keys(self) -> int:
        """How many of the first columns identify a row."""
        text = [c for c in range(len(self.header)) if c in self.numeric]
        return self.answer if self.answer < len(self.header) else min(text, default=1) or 1


def same_columns(rows: Sequence[Sequence[Any]], own: int) -> list[int]:
    """Return which of the first columns are the same in all rows; columns of values are not among them."""
    if len(rows) < 2:
        return []
    columns = [[row[c] for row in rows] for c in range(own)]
    return [c for c, own in enumerate(columns) if not _has_values(own) and len(set(map(shown, own))) == 1]


def _has_values(cells: Sequence[Any]) -> bool:
    """Return whether a column holds values that are not counts."""
    return any(isinstance(cell, float | Valued) for cell in cells)


def column_texts(cells: Sequence[Any]) -> list[str]:
    """Return the cells of a column as text; values, and the beginnings of their intervals, are aligned."""
    if not any(isinstance(cell, Valued) for cell in cells):
        return list(map(shown, cells))
    split = list(map(texts, cells))
    size = max(len(value) for value, _ in split)
    return [f"{value.rjust(size)} {interval}".rstrip() for value, interval in split]


def _columns_of(columns: Sequence[Sequence[Any]], fits: Callable[[Any], bool]) -> set[int]:
    """Return the columns in which at least one cell fits, and every cell fits or is missing."""
    return {
        c
        for c, cells in enumerate(columns)
        if any(map(fits, cells))
        and all(cell is None or isinstance(cell, Absent) or fits(cell) for cell in cells)
    }


def is_number(cell: Any) -> bool:
    """Return whether a cell is a number."""
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def is_interval(cell: Any) -> bool:
    """Return whether a cell is an interval."""
    return isinstance(cell, tuple) and all(map(is_number, cell))
