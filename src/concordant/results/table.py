"""A table of records: frozen dataclasses of one kind, whose fields are the columns; and its cells as text."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, overload

from concordant.errors import missing_library, visible
from concordant.results import markup as render
from concordant.results.text_columns import aligned, wrapped
from concordant.results.words import number, value_and_interval

if TYPE_CHECKING:
    import pandas as pd


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


def parts(*names: str, of: str | None = None) -> dict[str, Any]:
    """Return the metadata of a field that is one column for people and several for programs.

    For example, an interval has the columns low and high for programs. If the field is the interval of
    another field, `of` names it: a narrow table shows both in one cell.
    """
    return {"parts": names, "of": of}


DETAIL: Mapping[str, Any] = {"detail": True}  # metadata of a field that only a table with details shows


def plain(cell: Any) -> Any:
    """Return a cell for other programs: text, a number, or None for an undefined value."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return None
    if isinstance(cell, bool | str | int):
        return cell
    if isinstance(cell, float):
        return float(cell) + 0.0  # a Python float, and never -0
    if hasattr(cell, "tolist"):  # a value of NumPy
        return plain(cell.tolist())
    if isinstance(cell, Mapping):
        return {str(key): plain(value) for key, value in cell.items()}
    if isinstance(cell, list | tuple):
        return [plain(one) for one in cell]
    return str(cell)


def absent(word: str) -> dict[str, Any]:
    """Return the metadata of a field in which None has a meaning: the word for it in a narrow table."""
    return {"absent": word}


def _latex(cell: Any, bold: bool = False) -> str:
    if hasattr(cell, "latex"):
        return f"${cell.latex()}$"
    value, interval = texts(cell)
    if is_interval(cell):
        return f"${value}$"
    if not (cell is None or is_number(cell) or isinstance(cell, Valued)):
        return render.latex_escape(value)
    return _formula(value, bold) + (f" ${interval}$" if interval else "")


def _markdown(cell: Any, bold: bool = False) -> str:
    value, interval = map(render.markdown_escape, texts(cell))
    return " ".join(filter(None, [f"**{value}**" if bold else value, interval]))


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
    name : str
        The name, for programs.
    title : str
        The title, for people.
    kind : type
        The dataclass of the records.
    records : Sequence[Any]
        The records.
    spread : tuple[str, str] or None
        For people, the values of the first of these fields become columns that hold the second field.
        Programs get the records unchanged.
    few : int or None
        How many evenly spaced rows of each curve are enough in a short table.

    Examples
    --------
    >>> import concordant as cd
    >>> table = cd.compare([3, 2, 1], [3, 1, 2], ["tau_b", "tau_h"]).table()
    >>> table.name, table.columns
    ('compared', ('coefficient', 'value', 'question', 'undefined'))
    >>> table.to_dicts()[0]["question"]
    'how much do two rankings agree, ties ignored?'
    >>> print(table.to_markdown())
    | coefficient | value | question |
    | --- | ---: | --- |
    | tau_b | 0.3333 | how much do two rankings agree, ties ignored? |
    | tau_h | 0.5455 | how much do two rankings agree, with weights that fall as 1 / rank, ties ignored? |
    >>> table.for_people()[0], table.grid().header, len(table.in_short(1).rows)
    (['coefficient', 'value', 'question'], ['coefficient', 'value', 'question'], 1)
    >>> table.to_csv().splitlines()[0], table.to_frame().shape, table.to_text().splitlines()[2][:21]
    ('coefficient,value,question,undefined', (2, 4), 'tau_b        0.3333  ')
    >>> "<table>" in table.to_html(), "tabular" in table.to_latex()
    (True, True)
    """

    name: str
    title: str
    kind: type
    records: Sequence[Any]
    spread: tuple[str, str] | None = None
    few: int | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, for programs."""
        return tuple(name for each in fields(self.kind) for name in each.metadata.get("parts", (each.name,)))

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a dictionary of plain values for each record.

        Returns
        -------
        list of dict
            The names of the columns and the values; an undefined value is None.
        """
        return [dict(zip(self.columns, self._plain(record), strict=True)) for record in self.records]

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            A row for each record.
        """
        return to_frame(self.to_dicts(), self.columns)

    def to_csv(self) -> str:
        """Return comma-separated values.

        Returns
        -------
        str
            A header and a line for each record; numbers have all their digits.
        """
        return render.csv_text([self.columns, *map(self._plain, self.records)])

    def to_text(self, width: int | None = None, details: bool = False, most: int | None = None) -> str:
        """Return aligned columns.

        Parameters
        ----------
        width : int, optional
            The width of a line. A wider table is wrapped by whole columns; digits are never cut.
        details : bool, default False
            Whether to show all columns with all digits. Otherwise a value and its interval are one cell, and
            columns that are the same in all rows become a line above the table.
        most : int, optional
            The largest number of rows to show. If rows are left out, the last line says so.

        Returns
        -------
        str
            The table as text.
        """
        whole = self.grid(details)
        grid = whole if most is None else self.in_short(most)
        columns = [column_texts(column) for column in grid.columns]
        rows = [[column[r] for column in columns] for r in range(len(grid.rows))]
        header = [visible(str(head)) for head in grid.header]
        table = aligned(header, rows, grid.numeric, grid.whole, width, grid.keys)
        above = wrapped(grid.same_everywhere, width) if grid.same else []
        below = ["", f"({len(rows)} of {len(whole.rows)} rows)"] if len(rows) < len(whole.rows) else []
        return "\n".join([*above, *([""] if above else []), table, *below])

    def in_short(self, most: int) -> Grid:
        """Return a narrow grid with few rows.

        Parameters
        ----------
        most : int
            The largest number of rows.

        Returns
        -------
        Grid
            Header and rows.
        """
        grid = self.grid()
        return replace(grid, rows=(grid.rows if self.few is None else grid.spaced(self.few))[:most])

    def to_markdown(self, details: bool = False, bold: Collection[int] = ()) -> str:
        """Return a Markdown table.

        Parameters
        ----------
        details : bool, default False
            Whether to show all columns with all digits.
        bold : collection of int, optional
            The numbers of the records whose value is bold.

        Returns
        -------
        str
            The table.
        """
        grid = self.grid(details)
        above = f"{render.markdown_escape(grid.same_everywhere)}\n\n" if grid.same else ""
        rows = self._marked(grid, _markdown, bold)
        heads = [render.markdown_escape(visible(str(head))) for head in grid.header]
        return above + render.markdown(heads, rows, grid.numeric | grid.valued)

    def to_html(self) -> str:
        """Return an HTML table.

        Returns
        -------
        str
            The table.
        """
        return render.html(*self.for_people())

    def to_latex(self, details: bool = False, bold: Collection[int] = ()) -> str:
        """Return a LaTeX table for the booktabs package.

        Parameters
        ----------
        details : bool, default False
            Whether to show all columns with all digits.
        bold : collection of int, optional
            The numbers of the records whose value is bold.

        Returns
        -------
        str
            The table.
        """
        grid = self.grid(details)
        rows = self._marked(grid, _latex, bold)
        above = f"% {grid.same_everywhere}\n" if grid.same else ""
        return above + render.latex(list(map(_latex, grid.header)), rows, grid.numeric | grid.valued)

    def for_people(self) -> tuple[list[str], list[list[str]], set[int]]:
        """Return header, rows, and which columns hold numbers, all as text.

        Returns
        -------
        header : list of str
            The heads of the columns.
        rows : list of list of str
            The cells.
        numeric : set of int
            The columns that hold numbers.
        """
        grid = self.grid(details=True)
        header = [visible(str(head)) for head in grid.header]
        return header, [list(map(shown, row)) for row in grid.rows], grid.numeric

    def _marked(self, grid: Grid, cell_text: Callable[..., str], bold: Collection[int]) -> list[list[str]]:
        """Return the cells in a markup; the values of some records are bold, unless rows combine records."""
        chosen, answer = () if self.spread is not None else bold, grid.answer
        return [
            [cell_text(cell, r in chosen and c == answer) for c, cell in enumerate(row)]
            for r, row in enumerate(grid.rows)
        ]

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
        """Return header and rows for people.

        Parameters
        ----------
        details : bool, default False
            Whether to show all columns with all digits.

        Returns
        -------
        Grid
            Header and rows; columns without any value are left out.
        """
        names = [each.name for each in fields(self.kind) if details or not each.metadata.get("detail")]
        rows = [[getattr(record, name) for name in names] for record in self.records]
        spread = self.spread or ()
        kept = [
            c
            for c, name in enumerate(names)
            if not rows or name in spread or any(row[c] is not None for row in rows)
        ]
        names, rows = [names[c] for c in kept], [[row[c] for c in kept] for row in rows]
        if not details:
            names, rows = self._narrow(names, rows)
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
        same = [] if details else same_columns(rows, own)
        left = [c for c in range(len(header)) if c not in same]
        return Grid(
            {header[c]: shown(rows[0][c]) for c in same},
            [header[c] for c in left],
            [[row[c] for c in left] for row in rows],
            own - len(same),
        )

    def _narrow(self, names: list[str], rows: list[list[Any]]) -> tuple[list[str], list[list[Any]]]:
        """Put intervals into the cells of their values, and the word of a field in place of None."""
        about = {each.name: each.metadata for each in fields(self.kind)}
        words = [about[name].get("absent") for name in names]
        intervals = {of: c for c, name in enumerate(names) if (of := about[name].get("of")) in names}
        left = [c for c in range(len(names)) if c not in intervals.values()]

        def cell(row: list[Any], c: int) -> Any:
            if names[c] in intervals:
                return Valued(row[c], row[intervals[names[c]]])
            return Absent(words[c]) if row[c] is None and words[c] else row[c]

        return [names[c] for c in left], [[cell(row, c) for c in left] for row in rows]


Record = TypeVar("Record")


class Columns(Sequence[Record], Generic[Record]):
    """A sequence of records of one kind that needs no more memory than its arrays.

    Parameters
    ----------
    kind : type
        The dataclass of the records.
    **columns : array
        An array for each field. NaN becomes None.
    """

    def __init__(self, kind: type[Record], **columns: Any) -> None:
        self._kind = kind
        self._columns = [columns[name] for name in kind.__match_args__]  # type: ignore[attr-defined]

    def __len__(self) -> int:
        return len(self._columns[0])

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Record, ...]: ...
    def __getitem__(self, place: int | slice) -> Record | tuple[Record, ...]:
        if isinstance(place, slice):
            return tuple(self[k] for k in range(*place.indices(len(self))))
        return self._kind(*(_cell(column[place]) for column in self._columns))

    def __iter__(self) -> Iterator[Record]:
        for start in range(0, len(self), 10_000):  # in pieces, so that no column becomes objects as a whole
            yield from map(self._kind, *(_cells(column[start : start + 10_000]) for column in self._columns))

    def column(self, name: str) -> list[Any]:
        """Return the values of one field, for all records."""
        return _cells(self.array(name))

    def array(self, name: str) -> Any:
        """Return the array of one field."""
        return self._columns[self._kind.__match_args__.index(name)]  # type: ignore[attr-defined]

    def __eq__(self, other: object) -> bool:
        """Compare the records."""
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} records of {self._kind.__name__}>"


def _cells(column: Any) -> list[Any]:
    cells = column.tolist() if hasattr(column, "tolist") else list(column)
    return [None if isinstance(cell, float) and cell != cell else cell for cell in cells]  # noqa: PLR0124


def _cell(value: Any) -> Any:
    plain = value.item() if hasattr(value, "item") else value
    return None if isinstance(plain, float) and math.isnan(plain) else plain
