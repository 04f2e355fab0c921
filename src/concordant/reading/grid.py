"""A table whose rows and columns are not yet understood: named columns of numbers or of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn

import numpy as np

from concordant.errors import ArgumentError
from concordant.reading.header_words import kind_of_column
from concordant.typing import Floats, Integers


@dataclass(frozen=True, eq=False)
class Column:
    """A column: its name, its cells as text, and as numbers if they are numbers.

    `problem` says what is wrong with the cell of row `bad`, the first that is not a number in a column of
    numbers. Such a column can hold labels, or be left out, but it cannot hold scores.
    """

    name: str
    texts: Callable[[], Sequence[str]]
    numbers: Floats | None = None  # NaN: missing
    problem: str = ""
    bad: int = 0
    codes: tuple[Integers, Sequence[str]] | None = None  # the cells as codes of labels, if they are known

    @property
    def labels(self) -> list[str]:
        """The cells as names."""
        return [text.strip() for text in self.texts()]

    @property
    def different_labels(self) -> Sequence[str]:
        """The names, each once."""
        return self.codes[1] if self.codes is not None else list(dict.fromkeys(self.labels))

    @property
    def is_text(self) -> bool:
        """Whether no cell is a number."""
        return self.numbers is None and not self.problem


def _raise(_line: int | None, what: str) -> NoReturn:
    raise ArgumentError(what)


@dataclass(frozen=True, eq=False)
class Grid:
    """The columns of a table, where they come from, and how an error about a row is raised."""

    where: str
    stem: str  # the name of the measure if the table does not name it
    columns: tuple[Column, ...]
    n_rows: int
    line: Callable[[int], int | None] = field(default=lambda _row: None)  # the line of a row in its file
    fail: Callable[[int | None, str], NoReturn] = _raise
    remarks: tuple[str, ...] = ()  # notes on how cells were read
    file_is_system: bool = False  # the file does not name the system, so that the name of the file is used
    one_object: bool = False  # one object of numbers: there are no topics

    @cached_property
    def names(self) -> list[str]:
        """The header."""
        return [column.name for column in self.columns]

    @cached_property
    def kinds(self) -> list[str]:
        """What the columns hold by their names; see `kind_of_column`."""
        return [kind_of_column(name) for name in self.names]

    def labels(self, place: int, kind: str) -> list[str]:
        """Return the names in a column, none of which may be empty."""
        labels = self.columns[place].labels
        if "" in labels:
            self.fail(self.line(labels.index("")), f"the {kind} is empty")
        return labels

    def numbers(self, place: int) -> Floats:
        """Return a column of scores."""
        column = self.columns[place]
        if column.numbers is None:
            if column.problem:
                self.fail(self.line(column.bad), f"column {column.name!r}: {column.problem}")
            self.fail(None, f"column {column.name!r} holds text, not scores")
        return column.numbers

    def stacked(self, places: Sequence[int]) -> Floats:
        """Return columns of scores side by side."""
        return (
            np.stack([self.numbers(place) for place in places], axis=1)
            if places
            else np.empty((self.n_rows, 0))
        )
