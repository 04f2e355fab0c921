"""Results as tables: one object for the terminal, CSV, JSON, LaTeX and Markdown."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from concordant import _tables
from concordant._registry import Coefficient

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Report", "Table"]


@dataclass(frozen=True)
class Table:
    """A table with a name; its cells are texts, numbers, coefficients, or None where there is no value."""

    name: str
    title: str
    columns: tuple[Any, ...]  # texts or coefficients
    rows: tuple[tuple[Any, ...], ...]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries of plain values; what is undefined is None."""
        return [dict(zip(map(str, self.columns), map(_plain, row), strict=True)) for row in self.rows]

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("to_frame needs pandas: pip install 'concordant[frame]'") from None
        return pd.DataFrame(self.to_dicts(), columns=list(map(str, self.columns)))

    def cells(self) -> list[list[str]]:
        """Return the rows as texts for people."""
        return [[_shown(cell) for cell in row] for row in self.rows]

    def numeric(self) -> list[int]:
        """Return the columns that hold numbers."""
        return [
            c
            for c in range(len(self.columns))
            if any(isinstance(row[c], int | float) for row in self.rows)
            and all(row[c] is None or isinstance(row[c], int | float) for row in self.rows)
        ]

    def to_text(self) -> str:
        """Return aligned columns."""
        return _tables.text([str(c) for c in self.columns], self.cells(), right=self.numeric())

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        return _tables.markdown([str(c) for c in self.columns], self.cells(), right=self.numeric())

    def to_latex(self) -> str:
        """Return a LaTeX table for the booktabs package."""
        rows = [[_latex(cell) for cell in row] for row in self.rows]
        return _tables.latex([_latex(c) for c in self.columns], rows, right=self.numeric())

    def to_csv(self) -> str:
        """Return comma-separated values, numbers with all their digits."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(map(str, self.columns))
        writer.writerows(
            ["" if (plain := _plain(cell)) is None else plain for cell in row] for row in self.rows
        )
        return text.getvalue()


@dataclass(frozen=True, repr=False)
class Report(Mapping[str, Table]):
    """The answer to a question: tables by name, and what to know about them. Prints as text."""

    title: str
    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()
    config: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Table:
        for table in self.tables:
            if table.name == name:
                return table
        raise KeyError(f"there is no table {name!r}; there are {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return iter([table.name for table in self.tables])

    def __len__(self) -> int:
        return len(self.tables)

    def __repr__(self) -> str:
        return self.to_text().rstrip("\n")

    def to_text(self) -> str:
        """Return everything as plain text."""
        parts = [self.title]
        parts += [f"{table.title}\n\n{table.to_text()}" for table in self.tables]
        parts += ["Notes\n" + "\n".join(f"- {note}" for note in self.notes)] if self.notes else []
        return "\n\n".join(part for part in parts if part) + "\n"

    def to_markdown(self) -> str:
        """Return everything as Markdown."""
        parts = [f"# {self.title}" if self.title else ""]
        parts += [f"## {table.title}\n\n{table.to_markdown()}" for table in self.tables]
        parts += ["\n".join(f"- {note}" for note in self.notes)] if self.notes else []
        return "\n\n".join(part for part in parts if part) + "\n"

    def to_latex(self) -> str:
        """Return LaTeX tables; titles and notes are comments."""
        parts = [_comment(self.title)] if self.title else []
        parts += [f"{_comment(table.title)}\n{table.to_latex()}" for table in self.tables]
        parts += ["\n".join(map(_comment, self.notes))] if self.notes else []
        return "\n\n".join(parts) + "\n"

    def to_json(self) -> str:
        """Return everything as JSON."""
        content = {
            "title": self.title,
            "config": {key: _plain(value) for key, value in self.config.items()},
            "tables": {table.name: table.to_dicts() for table in self.tables},
            "notes": list(self.notes),
        }
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _comment(text: str) -> str:
    return "\n".join(f"% {line}" for line in text.splitlines())


def _plain(cell: Any) -> Any:
    """Return a cell for other programs."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return None
    if isinstance(cell, bool | str | int):
        return cell
    if isinstance(cell, float):
        return float(cell)  # not NumPy's
    if isinstance(cell, list | tuple):
        return [_plain(one) for one in cell]
    return str(cell)


def _shown(cell: Any) -> str:
    """Return a cell for people."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.4f}" if cell == 0 or 0.0001 <= abs(cell) < 1e9 else f"{cell:.2g}"
    return str(cell)


def _latex(cell: Any) -> str:
    if isinstance(cell, Coefficient):
        return f"${cell.latex()}$"
    shown = _shown(cell)
    if (
        isinstance(cell, int | float)
        and not isinstance(cell, bool)
        and shown.startswith("-")
        and shown != "-"
    ):
        return f"${shown}$"
    return "--" if shown == "-" else _tables.latex_escape(shown)
