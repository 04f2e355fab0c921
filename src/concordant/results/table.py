"""A table of records: frozen dataclasses of one kind, whose fields are the columns; and its cells as text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar, overload

from concordant.errors import missing_library, visible
from concordant.results import markup as render
from concordant.results.text_columns import aligned, display_width, wrapped
from concordant.results.words import number, value_and_interval

if TYPE_CHECKING:
    import pandas as pd


class Absent(str):
    """The word that a narrow table shows for None."""


class Head(str):
    """The head of a column, which has a symbol in LaTeX."""

    symbol: str

    def __new__(cls, text: str, symbol: str) -> Self:
        """Return a text with its symbol."""
        found = super().__new__(cls, text)
        found.symbol = symbol
        return found

    def latex(self) -> str:
        """Return the symbol, for math mode."""
        return self.symbol


class Signed(float):
    """A difference, which is shown with its sign."""


class PValue(float):
    """A p-value, which is never shown as 0."""


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
    if isinstance(cell, PValue) and cell < _LEAST_SHOWN:
        return f"<{_LEAST_SHOWN:.4f}"
    if isinstance(cell, Signed) and not math.isnan(cell):
        return f"{cell:+.2f}"
    if cell is None or isinstance(cell, float):
        return number(cell, 4)
    if is_interval(cell) and all(map(math.isnan, cell)):
        return number(None)
    if getattr(cell, "ndim", 0):
        return f"{cell.size} values"
    return visible(str(cell))


_LEAST_SHOWN = 0.0001  # of p-values


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
    shows : str
        The table of which it shows all rows; empty if there is none.
    total : int
        The number of rows of the table, if that is larger.
    sections : dict of int to str
        The headings above some rows.
    foot : int
        How many of the last rows are not of the same kind as the others.
    drawn : int or None
        The column whose intervals are drawn.
    best, worse : frozenset of tuple of int
        The cells, by row and column, that are bold, and those that have a dagger.
    """

    same: Mapping[str, str]
    header: list[Any]
    rows: list[list[Any]]
    own: int
    shows: str = ""
    total: int = 0
    sections: Mapping[int, str] = field(default_factory=dict)
    foot: int = 0
    drawn: int | None = None
    best: frozenset[tuple[int, int]] = frozenset()
    worse: frozenset[tuple[int, int]] = frozenset()

    @property
    def same_everywhere(self) -> str:
        """The columns that are the same in all rows, in one line: ``measure nDCG@10, n 24``."""
        return ", ".join(f"{head} {cell}" for head, cell in self.same.items())

    def to_text(self, width: int | None = None, colour: bool = False) -> str:
        """Return aligned columns; for the parameters see `Result.to_text`."""
        columns = [column_texts(column) for column in self.columns]
        header, right, whole = [visible(str(head)) for head in self.header], self.numeric, self.whole
        if self.drawn is not None:
            both = zip(header, columns, strict=True)
            used = sum(max(map(display_width, [head, *cells])) + 2 for head, cells in both)
            room = _BAR if width is None else min(_BAR, width - used)
            if room >= _SHORTEST_BAR:
                place = self.drawn + 1
                columns.insert(place, intervals_in_text(self.columns[self.drawn], room))
                header.insert(place, "")
                right, whole = ({c + (c >= place) for c in each} for each in (right, whole))
                whole |= {place}
        rows = [[column[r] for column in columns] for r in range(len(self.rows))]
        paint = {r: BEST for r, _ in self.best} if colour else {}
        table = aligned(header, rows, right, whole, width, self.keys, self.sections, paint)
        above = [*wrapped(self.same_everywhere, width), ""] if self.same else []
        below = ["", f"({len(rows)} of {self.total} rows)"] if len(rows) < self.total else []
        return "\n".join([*above, table, *below])

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        above = f"{render.markdown_escape(self.same_everywhere)}\n\n" if self.same else ""
        rows = self._marked(_markdown, "†")
        for r, heading in sorted(self.sections.items(), reverse=True):
            rows.insert(r, [f"*{render.markdown_escape(heading)}*", *[""] * (len(self.header) - 1)])
        heads = [render.markdown_escape(visible(str(head))) for head in self.header]
        return above + render.markdown(heads, rows, self.numeric | self.valued)

    def to_latex(self) -> str:
        """Return a LaTeX table for the booktabs package."""
        above = f"% {self.same_everywhere}\n" if self.same else ""
        lines = [rf"{' & '.join(row)} \\" for row in self._marked(_latex, r"$^\dagger$")]
        if self.foot:
            lines.insert(len(lines) - self.foot, r"\midrule")
        for r, heading in sorted(self.sections.items(), reverse=True):
            told = render.latex_escape(heading)
            lines.insert(r, rf"\multicolumn{{{len(self.header)}}}{{l}}{{\emph{{{told}}}}} \\")
        return above + render.latex(list(map(_latex, self.header)), lines, self.numeric | self.valued)

    def to_html(self) -> str:
        """Return an HTML table, with intervals drawn beside their values."""
        rows = [list(map(shown, row)) for row in self.rows]
        header, right = [visible(str(head)) for head in self.header], self.numeric
        drawn = {}
        if self.drawn is not None:
            cells = intervals_in_svg(self.columns[self.drawn])
            drawn = {(r, self.drawn): cell for r, cell in enumerate(cells)}
        return render.html(header, rows, right, self.sections, drawn, len(rows) - self.foot)

    def _marked(self, cell_text: Callable[..., str], dagger: str) -> list[list[str]]:
        """Return the cells in a markup; the best values are bold, the worse ones have a dagger."""

        def marked(cell: Any, at: tuple[int, int]) -> str:
            return cell_text(cell, at in self.best) + dagger * (at in self.worse)

        return [[marked(cell, (r, c)) for c, cell in enumerate(row)] for r, row in enumerate(self.rows)]

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
        return _columns_of(self.columns, lambda cell: is_number(cell) or _is_plain_value(cell))

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


_VALUES = ("value", "mean", "minimum", "maximum", "of_means", "mean_of_topics")  # of coefficients: two digits
BEST = "\033[32m"  # the colour of the best rows on a terminal
_BAR, _SHORTEST_BAR = 20, 8  # characters of a drawn interval


def _scale(cells: Sequence[Any]) -> tuple[list[tuple[float, float, float] | None], Callable[[float], float]]:
    """Return low, value and high of each cell that has them, and their places between 0 and 1."""
    ends = [
        (min(cell.interval[0], cell.value), cell.value, max(cell.interval[1], cell.value))
        if isinstance(cell, Valued) and cell.interval is not None and cell.value is not None
        else None
        for cell in cells
    ]
    ends = [None if each is None or any(map(math.isnan, each)) else each for each in ends]
    least, most = min((e[0] for e in ends if e), default=0.0), max((e[2] for e in ends if e), default=1.0)
    return ends, lambda value: (value - least) / ((most - least) or 1.0)


def intervals_in_text(cells: Sequence[Any], width: int) -> list[str]:
    """Return the intervals of a column, drawn on one scale.

    Examples
    --------
    >>> intervals_in_text([Valued(0.9, (0.8, 1.0)), Valued(0.4, (0.0, 0.6)), None], 11)
    ['        ├●┤', '├───●─┤', '']
    """
    ends, place = _scale(cells)
    found = []
    for each in ends:
        line = ""
        if each is not None:
            low, value, high = (round(place(end) * (width - 1)) for end in each)
            drawn = ["─"] * (high - low + 1)
            drawn[0], drawn[-1], drawn[value - low] = "├", "┤", "●"
            if high - low > 0:
                drawn[-1] = "┤" if value < high else "●"
            line = " " * low + "".join(drawn)
        found.append(line)
    return found


def intervals_in_svg(cells: Sequence[Any]) -> list[str]:
    """Return the intervals of a column as pictures on one scale; empty where there is none."""
    ends, place = _scale(cells)
    found = []
    for each in ends:
        picture = ""
        if each is not None:
            low, value, high = (4 + 92 * place(end) for end in each)
            line = (
                f'<line x1="{low:.1f}" x2="{high:.1f}" y1="7" y2="7" stroke="currentColor" stroke-width="2"/>'
            )
            dot = f'<circle cx="{value:.1f}" cy="7" r="3.5" fill="currentColor"/>'
            picture = f'<svg width="100" height="14" aria-hidden="true">{line}{dot}</svg>'
        found.append(picture)
    return found


def _of(record: Any, name: str) -> Any:
    """Return the cell of a field."""
    cell = getattr(record, name)
    return PValue(cell) if isinstance(cell, float) and "pvalue" in name else cell


def _columns_of(columns: Sequence[Sequence[Any]], fits: Callable[[Any], bool]) -> set[int]:
    """Return the columns in which at least one cell fits, and every cell fits or is missing."""
    return {
        c
        for c, cells in enumerate(columns)
        if any(map(fits, cells))
        and all(cell is None or isinstance(cell, Absent) or fits(cell) for cell in cells)
    }


def _is_plain_value(cell: Any) -> bool:
    """Return whether a cell is a value without an interval."""
    return isinstance(cell, Valued) and cell.interval is None


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
    return _formula(value, bold) + (rf" {{\scriptsize ${interval}$}}" if interval else "")


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
    pivot : tuple[str, str] or None
        The same as `spread`, but only in a short table.

    Examples
    --------
    >>> import concordant as cd
    >>> table = cd.compare([3, 2, 1], [3, 1, 2], ["tau_b", "tau_h"]).table()
    >>> table.name, table.columns
    ('compared', ('coefficient', 'value', 'question', 'undefined'))
    >>> next(table.each_dict()) == table.to_dicts()[0]
    True
    >>> table.to_dicts()[0]["question"]
    'how much do two rankings agree, ties ignored?'
    >>> print(table.to_markdown())
    | coefficient | value | question |
    | --- | ---: | --- |
    | tau_b | 0.33 | how much do two rankings agree, ties ignored? |
    | tau_h | 0.55 | how much do two rankings agree, with weights that fall as 1 / rank, ties ignored? |
    >>> table.grid(details=True).header, table.grid().header, len(table.in_short(1).rows)
    (['coefficient', 'value', 'question'], ['coefficient', 'value', 'question'], 1)
    >>> table.to_csv().splitlines()[0], table.to_frame().shape, table.to_text().splitlines()[2][:21]
    ('coefficient,value,question,undefined', (2, 4), 'tau_b         0.33  h')
    >>> "<table>" in table.to_html(), "tabular" in table.to_latex()
    (True, True)
    """

    name: str
    title: str
    kind: type
    records: Sequence[Any]
    spread: tuple[str, str] | None = None
    few: int | None = None
    pivot: tuple[str, str] | None = None

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
        return list(self.each_dict())

    def each_dict(self) -> Iterator[dict[str, Any]]:
        """Yield the dictionaries of `to_dicts` one by one.

        Yields
        ------
        dict
            The names of the columns and the values.
        """
        columns = self.columns
        return (dict(zip(columns, self._plain(record), strict=True)) for record in self.records)

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

    def to_text(self, width: int | None = None, details: bool = False) -> str:
        """Return aligned columns.

        Parameters
        ----------
        width : int, optional
            The width of a line. A wider table is wrapped by whole columns; digits are never cut.
        details : bool, default False
            Whether to show all columns with all digits. Otherwise a value and its interval are one cell, and
            columns that are the same in all rows become a line above the table.

        Returns
        -------
        str
            The table as text.
        """
        return self.grid(details).to_text(width)

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
        rows = (grid.rows if self.few is None else grid.spaced(self.few))[:most]
        shows = self.name if len(rows) == len(grid.rows) else ""
        return replace(grid, rows=rows, shows=shows, total=len(grid.rows))

    def to_markdown(self, details: bool = False) -> str:
        """Return a Markdown table.

        Parameters
        ----------
        details : bool, default False
            Whether to show all columns with all digits.

        Returns
        -------
        str
            The table.
        """
        return self.grid(details).to_markdown()

    def to_html(self) -> str:
        """Return an HTML table.

        Returns
        -------
        str
            The table.
        """
        return self.grid(details=True).to_html()

    def to_latex(self, details: bool = False) -> str:
        """Return a LaTeX table for the booktabs package.

        Parameters
        ----------
        details : bool, default False
            Whether to show all columns with all digits.

        Returns
        -------
        str
            The table.
        """
        return self.grid(details).to_latex()

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
        rows = [[_of(record, name) for name in names] for record in self.records]
        spread = self.spread or (None if details else self.pivot) or ()
        kept = [
            c
            for c, name in enumerate(names)
            if not rows or name in spread or any(row[c] is not None for row in rows)
        ]
        names, rows = [names[c] for c in kept], [[row[c] for c in kept] for row in rows]
        if not details:
            names, rows = self._narrow(names, rows)
        own, heads = len(names), []
        if spread and rows:
            across, value = (names.index(name) for name in spread)
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
            if isinstance(row[c], float) and names[c] in _VALUES:
                return Valued(row[c], None)
            return Absent(words[c]) if row[c] is None and words[c] else row[c]

        return [names[c] for c in left], [[cell(row, c) for c in left] for row in rows]


Record = TypeVar("Record")


class Records(tuple[Record, ...]):
    """A tuple of records of one kind, which a notebook shows as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return None if not self else Table("records", "", type(self[0]), self).to_html()


class Columns(Sequence[Record], Generic[Record]):
    """A sequence of records of one kind that needs no more memory than its arrays.

    Parameters
    ----------
    kind : type
        The dataclass of the records.
    *columns : array
        An array for each field. NaN becomes None.
    """

    def __init__(self, kind: type[Record], *columns: Any) -> None:
        self._kind, self._columns = kind, columns

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
