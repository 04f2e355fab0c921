"""A table of records: frozen dataclasses of one kind, whose fields are the columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from concordant.errors import missing_library, visible
from concordant.tables import render
from concordant.tables.layout import aligned, wrapped
from concordant.tables.words import number, with_interval

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Table", "absent", "parts", "plain", "shown", "to_frame"]


def parts(*names: str, of: str | None = None) -> dict[str, Any]:
    """Return the metadata of a field that is one column for people and several for programs.

    For example, an interval has the columns low and high for programs. If the field is the interval of
    another field, `of` names it: a narrow table shows both in one cell.
    """
    return {"parts": names, "of": of}


def plain(cell: Any) -> Any:
    """Return a cell for other programs: text, number, or None for what is undefined."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return None
    if isinstance(cell, bool | str | int):
        return cell
    if isinstance(cell, float):
        return float(cell) + 0.0  # not NumPy's, and no -0
    if hasattr(cell, "tolist"):  # of NumPy
        return plain(cell.tolist())
    if isinstance(cell, Mapping):
        return {str(key): plain(value) for key, value in cell.items()}
    if isinstance(cell, list | tuple):
        return [plain(one) for one in cell]
    return str(cell)


def absent(word: str) -> dict[str, Any]:
    """Return the metadata of a field in which None says something: the word for it in a narrow table."""
    return {"absent": word}


class _Absent(str):
    """What a narrow table shows for None."""


class Valued(NamedTuple):
    """A cell with a value and its interval."""

    value: float | None
    interval: Sequence[float] | None


def shown(cell: Any) -> str:
    """Return a cell for people."""
    if isinstance(cell, Valued):
        return with_interval(*cell)
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if cell is None or isinstance(cell, float):
        return number(cell, 4)
    if _is_interval(cell) and all(map(math.isnan, cell)):
        return number(None)
    return visible(str(cell))


def _latex(cell: Any, bold: bool = False) -> str:
    if hasattr(cell, "latex"):
        return f"${cell.latex()}$"
    if isinstance(cell, Valued):
        value, _, interval = with_interval(*cell).partition(" ")
        return _formula(value, bold) + (f" ${interval}$" if interval else "")
    if _is_interval(cell):
        return f"${shown(cell)}$"
    return (
        _formula(shown(cell), bold) if cell is None or _is_number(cell) else render.latex_escape(shown(cell))
    )


def _formula(number: str, bold: bool) -> str:
    if number == "-":
        return "--"
    digits, _, power = number.replace("inf", r"\infty").partition("e")
    digits = rf"\mathbf{{{digits}}}" if bold else digits
    return rf"${digits} \times 10^{{{int(power)}}}$" if power else f"${digits}$"


def to_frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Return rows as a pandas DataFrame."""
    try:
        import pandas as pd
    except ImportError:
        raise missing_library("to_frame", "pandas", "frame") from None
    return pd.DataFrame(list(rows), columns=list(columns))


@dataclass(frozen=True, repr=False)
class Table:
    """Records under a name and a title.

    Attributes
    ----------
    name, title : str
        The name is for programs, the title for people.
    kind : type
        The dataclass of the records.
    records : tuple or Columns
    spread : pair of str, optional
        For people, the values of the first field become columns that hold the second field. Programs get the
        records as they are.
    few : int, optional
        In short, so many rows of each curve are enough, evenly spaced.
    """

    name: str
    title: str
    kind: type
    records: Sequence[Any]
    spread: tuple[str, str] | None = None
    few: int | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that programs get."""
        return tuple(name for each in fields(self.kind) for name in each.metadata.get("parts", (each.name,)))

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a dictionary of plain values for each record; what is undefined is None."""
        return [dict(zip(self.columns, self._plain(record), strict=True)) for record in self.records]

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame, a row for each record."""
        return to_frame(self.to_dicts(), self.columns)

    def to_csv(self) -> str:
        """Return comma-separated values, numbers with all their digits."""
        rows = (
            [visible(cell) if isinstance(cell, str) else cell for cell in self._plain(record)]
            for record in self.records
        )
        return render.csv_text([self.columns, *rows])

    def to_text(self, width: int | None = None, details: bool = False, most: int | None = None) -> str:
        """Return aligned columns.

        Parameters
        ----------
        width : int, optional
            If the table is wider, it is wrapped by whole columns. Digits are never cut.
        details : bool, default False
            Show all columns with all digits. Else a value and its interval are one cell, and what is the same
            in all rows is a line above the table.
        most : int, optional
            Show only so many rows, in short, and say so.
        """
        whole = self.grid(details)
        grid = whole if most is None else self.in_short(most)
        columns = [_texts(column) for column in grid.columns]
        rows = [[column[r] for column in columns] for r in range(len(grid.rows))]
        header = [visible(str(head)) for head in grid.header]
        table = aligned(header, rows, grid.numeric, grid.whole, width, grid.keys)
        above = wrapped(grid.same_everywhere, width) if grid.same else []
        below = ["", f"({len(rows)} of {len(whole.rows)} rows)"] if len(rows) < len(whole.rows) else []
        return "\n".join([*above, *([""] if above else []), table, *below])

    def in_short(self, most: int) -> Grid:
        """Return a narrow grid of at most so many rows."""
        grid = self.grid()
        return replace(grid, rows=(grid.rows if self.few is None else grid.spaced(self.few))[:most])

    def to_markdown(self, details: bool = False, bold: Collection[int] = ()) -> str:
        """Return a Markdown table; `bold` has the numbers of the records whose value is bold."""
        grid = self.grid(details)
        above = f"{render.markdown_escape(grid.same_everywhere)}\n\n" if grid.same else ""
        rows = [[render.markdown_escape(shown(cell)) for cell in row] for row in grid.rows]
        for r in self._bold_rows(bold):
            value, blank, interval = rows[r][grid.answer].partition(" ")
            rows[r][grid.answer] = f"**{value}**{blank}{interval}"
        heads = [render.markdown_escape(visible(str(head))) for head in grid.header]
        return above + render.markdown(heads, rows, grid.numeric | grid.valued)

    def to_html(self) -> str:
        """Return an HTML table."""
        return render.html(*self.for_people())

    def to_latex(self, details: bool = False, bold: Collection[int] = ()) -> str:
        """Return a LaTeX table for the booktabs package; `bold` as in `to_markdown`."""
        grid = self.grid(details)
        chosen = self._bold_rows(bold)
        rows = [
            [_latex(cell, r in chosen and c == grid.answer) for c, cell in enumerate(row)]
            for r, row in enumerate(grid.rows)
        ]
        above = f"% {grid.same_everywhere}\n" if grid.same else ""
        return above + render.latex(list(map(_latex, grid.header)), rows, grid.numeric | grid.valued)

    def for_people(self) -> tuple[list[str], list[list[str]], set[int]]:
        """Return header, rows, and which columns hold numbers, all as text."""
        grid = self.grid(details=True)
        header = [visible(str(head)) for head in grid.header]
        return header, [list(map(shown, row)) for row in grid.rows], grid.numeric

    def _bold_rows(self, records: Collection[int]) -> Collection[int]:
        """Return the rows of records; none where rows are made of several records."""
        return () if self.spread is not None else records

    def _plain(self, record: Any) -> list[Any]:
        cells: list[Any] = []
        for each in fields(self.kind):
            value = getattr(record, each.name)
            names = each.metadata.get("parts")
            if names is None:
                cells.append(plain(value))
            else:
                cells += [None] * len(names) if value is None else [plain(part) for part in value]
        return cells

    def grid(self, details: bool = False) -> Grid:
        """Return header and rows for people: columns without any value are left out."""
        names = [each.name for each in fields(self.kind)]
        rows = [[getattr(record, name) for name in names] for record in self.records]
        kept = [c for c in range(len(names)) if not rows or any(row[c] is not None for row in rows)]
        names, rows = [names[c] for c in kept], [[row[c] for c in kept] for row in rows]
        if not details:
            names, rows = self._merged(names, self._worded(names, rows))
        own, heads = len(names), []
        if self.spread is not None and rows:
            across, value = (names.index(name) for name in self.spread)
            of_row = [c for c in range(len(names)) if c not in (across, value)]
            heads = list(dict.fromkeys(row[across] for row in rows))
            lines: dict[tuple[Any, ...], dict[Any, Any]] = {}
            for row in rows:
                lines.setdefault(tuple(row[c] for c in of_row), {})[row[across]] = row[value]
            names, own = [names[c] for c in of_row], len(of_row)
            rows = [[*key, *(cells.get(head) for head in heads)] for key, cells in lines.items()]
        header = [*(name.replace("_", " ") for name in names), *heads]
        same = [] if details else _same(rows, own)
        left = [c for c in range(len(header)) if c not in same]
        return Grid(
            {header[c]: shown(rows[0][c]) for c in same},
            [header[c] for c in left],
            [[row[c] for c in left] for row in rows],
            own - len(same),
        )

    def _worded(self, names: list[str], rows: list[list[Any]]) -> list[list[Any]]:
        """Put words for what is absent, where they are known."""
        words = {each.name: each.metadata.get("absent") for each in fields(self.kind)}
        of = [words[name] for name in names]
        return [
            [_Absent(of[c]) if cell is None and of[c] else cell for c, cell in enumerate(row)] for row in rows
        ]

    def _merged(self, names: list[str], rows: list[list[Any]]) -> tuple[list[str], list[list[Any]]]:
        """Put intervals into the cells of their values."""
        of = {each.name: each.metadata.get("of") for each in fields(self.kind)}
        intervals = {of[name]: c for c, name in enumerate(names) if of[name] in names}
        left = [c for c in range(len(names)) if c not in intervals.values()]
        return [names[c] for c in left], [
            [Valued(row[c], row[intervals[names[c]]]) if names[c] in intervals else row[c] for c in left]
            for row in rows
        ]


@dataclass(frozen=True)
class Grid:
    """What people see of a table, before it is text.

    Attributes
    ----------
    same : dict of str to str
        Columns that say the same in all rows, which are not among the others.
    header, rows : list
    own : int
        How many columns are fields of the records; the others are spread.
    """

    same: Mapping[str, str]
    header: list[Any]
    rows: list[list[Any]]
    own: int

    @property
    def same_everywhere(self) -> str:
        """The columns that are not shown, in a line: ``measure nDCG@10, n 24``."""
        return ", ".join(f"{head} {cell}" for head, cell in self.same.items())

    @property
    def columns(self) -> list[list[Any]]:
        """The cells of each column."""
        return [[row[c] for row in self.rows] for c in range(len(self.header))]

    def spaced(self, most: int) -> list[list[Any]]:
        """Return at most so many rows of each curve, evenly spaced: rows that differ in the last key only."""
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
        return _columns_of(self.columns, _is_number)

    @property
    def valued(self) -> set[int]:
        """Which columns hold values with intervals."""
        return _columns_of(self.columns, lambda cell: isinstance(cell, Valued))

    @property
    def whole(self) -> set[int]:
        """Which columns hold nothing but numbers, also in intervals."""
        return self.numeric | self.valued | _columns_of(self.columns, _is_interval)

    @property
    def answer(self) -> int:
        """The first column of values, which are no counts; else the one after the last."""
        if self.own < len(self.header):
            return self.own
        answers = [
            c
            for c, cells in enumerate(self.columns)
            if any(isinstance(cell, float | Valued) for cell in cells)
        ]
        return min(answers, default=len(self.header))

    @property
    def keys(self) -> int:
        """How many first columns say what a row is about."""
        text = [c for c in range(len(self.header)) if c in self.numeric]
        return self.answer if self.answer < len(self.header) else min(text, default=1) or 1


def _same(rows: Sequence[Sequence[Any]], own: int) -> list[int]:
    """Return which of the first columns say the same in all of several rows; values stay where they are."""
    if len(rows) < 2:
        return []
    columns = [[row[c] for row in rows] for c in range(own)]
    return [
        c
        for c, cells in enumerate(columns)
        if not any(isinstance(cell, float | Valued) for cell in cells) and len(set(map(shown, cells))) == 1
    ]


def _texts(cells: Sequence[Any]) -> list[str]:
    """Return the cells of a column; values and the beginnings of their intervals are below each other."""
    if not any(isinstance(cell, Valued) for cell in cells):
        return list(map(shown, cells))
    split = [shown(cell).partition(" ") for cell in cells]
    size = max(len(value) for value, _, _ in split)
    return [f"{value.rjust(size)}{blank}{interval}" for value, blank, interval in split]


def _columns_of(columns: Sequence[Sequence[Any]], fits: Callable[[Any], bool]) -> set[int]:
    """Return the columns in which all cells that have a value fit, and there is one."""
    return {
        c
        for c, cells in enumerate(columns)
        if any(map(fits, cells))
        and all(cell is None or isinstance(cell, _Absent) or fits(cell) for cell in cells)
    }


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _is_interval(cell: Any) -> bool:
    return isinstance(cell, tuple) and all(map(_is_number, cell))
