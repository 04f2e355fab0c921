"""Files with old and new names."""

from __future__ import annotations

from concordant.errors import fail
from concordant.io.files import Source, name_of, read_text, shown
from concordant.io.tables.cells import delimiter, rows_of_text

__all__ = ["read_names"]


def read_names(source: Source) -> dict[str, str]:
    """Read lines of an old and a new name, separated by a comma, a semicolon or a tab."""
    name, text = name_of(source), read_text(source)
    mark = delimiter([line for line in text.split("\n") if line.strip()]) or ","
    found: dict[str, str] = {}
    for line, row in rows_of_text(name, text, mark):
        if len(row) != 2 or not all(cell.strip() for cell in row):
            fail(name, line, f"expected an old and a new name, found {shown(mark.join(row))}")
        old, new = (cell.strip() for cell in row)
        if found.get(old, new) != new:
            fail(name, line, f"{shown(old)} is renamed twice; keep one line")
        found[old] = new
    return found
