"""A table of records: frozen dataclasses of one kind, whose fields are the columns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from concordant.errors import missing_library, visible
from concordant.tables import render

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Table", "parts", "plain", "shown", "to_frame"]


def parts(*names: str) -> dict[str, tuple[str, ...]]:
    """Return the metadata of a field that is one column for people and several for programs.

    For example, an interval has the columns low and high for programs.
    """
    return {"parts": names}


def plain(cell: Any) -> Any:
    """Return a cell for other programs: text, number, or None for what is undefined."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return None
    if isinstance(cell, bool | str | int):
        return cell
    if isinstance(cell, float):
        return float(cell)  # not NumPy's
    if hasattr(cell, "tolist"):  # of NumPy
        return plain(cell.tolist())
    if isinstance(cell, Mapping):
        return {str(key): plain(value) for key, value in cell.items()}
    if isinstance(cell, list | tuple):
        return [plain(one) for one in cell]
    return str(cell)


def shown(cell: Any) -> str:
    """Return a cell for people."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.4f}" if cell == 0 or 0.0001 <= abs(cell) < 1e9 else f"{cell:.2g}"
    return visible(str(cell))


def _latex(cell: Any) -> str:
    if hasattr(cell, "latex"):
        return f"${cell.latex()}$"
    text = shown(cell)
    if text == "-":
        return "--"
    return f"${text}$" if _is_number(cell) and text.startswith("-") else render.latex_escape(text)


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
    records : tuple
    spread : pair of str, optional
        For people, the values of the first field become columns that hold the second field. Programs get the
        records as they are.
    """

    name: str
    title: str
    kind: type
    records: tuple[Any, ...]
    spread: tuple[str, str] | None = None

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

    def to_text(self) -> str:
        """Return aligned columns."""
        return render.text(*self.for_people())

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        return render.markdown(*self.for_people())

    def to_html(self) -> str:
        """Return an HTML table."""
        return render.html(*self.for_people())

    def to_latex(self) -> str:
        """Return a LaTeX table for the booktabs package."""
        header, rows = self._cells()
        return render.latex(
            list(map(_latex, header)), [list(map(_latex, row)) for row in rows], _numeric(rows)
        )

    def for_people(self) -> tuple[list[str], list[list[str]], set[int]]:
        """Return header, rows, and which columns hold numbers, all as text."""
        header, rows = self._cells()
        return (
            [visible(str(head)) for head in header],
            [list(map(shown, row)) for row in rows],
            _numeric(rows),
        )

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

    def _cells(self) -> tuple[list[Any], list[list[Any]]]:
        """Return header and rows for people: columns without any value are left out."""
        names = [each.name for each in fields(self.kind)]
        rows = [[getattr(record, name) for name in names] for record in self.records]
        kept = [c for c in range(len(names)) if not rows or any(row[c] is not None for row in rows)]
        names, rows = [names[c] for c in kept], [[row[c] for c in kept] for row in rows]
        if self.spread is None or not rows:
            return [name.replace("_", " ") for name in names], rows
        across, value = (names.index(name) for name in self.spread)
        own = [c for c in range(len(names)) if c not in (across, value)]
        heads = list(dict.fromkeys(row[across] for row in rows))
        lines: dict[tuple[Any, ...], dict[Any, Any]] = {}
        for row in rows:
            lines.setdefault(tuple(row[c] for c in own), {})[row[across]] = row[value]
        header = [*(names[c].replace("_", " ") for c in own), *heads]
        return header, [[*key, *(cells.get(head) for head in heads)] for key, cells in lines.items()]


def _numeric(rows: Sequence[Sequence[Any]]) -> set[int]:
    """Return which columns hold numbers."""
    return {
        c
        for c in range(len(rows[0]) if rows else 0)
        if any(_is_number(row[c]) for row in rows)
        and all(row[c] is None or _is_number(row[c]) for row in rows)
    }


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)
