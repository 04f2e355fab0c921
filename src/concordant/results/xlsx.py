"""Tables as a workbook of spreadsheets (.xlsx), through XlsxWriter, which is optional."""

from __future__ import annotations

import datetime
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

from concordant.errors import ArgumentError, missing_library, visible
from concordant.results.table import Table

# The limits of the format.
_ROWS, _CHARACTERS = 1_048_576, 32_767

# A workbook contains a date. It is fixed, so that the same result gives the same bytes.
_DATE = datetime.datetime(2000, 1, 1)


def workbook(tables: Sequence[Table], notes: Sequence[str], about: Sequence[tuple[str, Any]]) -> bytes:
    """Return a workbook: a sheet for each table, then the notes, then where the result comes from.

    The columns are those of `Table.to_csv`. An undefined value is an empty cell.
    """
    sheets: dict[str, Sequence[Sequence[Any]]] = {
        table.name: [list(table.columns), *(list(each.values()) for each in table.to_dicts())]
        for table in tables
    }
    sheets["notes"] = [["note"], *([note] for note in notes)]
    return workbook_of_rows(sheets | {"about": [("about", "value"), *about]})


def workbook_of_rows(sheets: Mapping[str, Sequence[Sequence[Any]]]) -> bytes:
    """Return a workbook of named sheets; the first row of each is its header.

    Names are written as text, so that none becomes a formula or a link.
    """
    try:
        import xlsxwriter
    except ImportError:
        raise missing_library("a workbook", "XlsxWriter", "sheets") from None
    content = io.BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True})
    book.set_properties({"created": _DATE})
    bold = book.add_format({"bold": True})
    for name, rows in sheets.items():
        if len(rows) > _ROWS:
            raise ArgumentError(f"table {name} has {len(rows)} rows, and a sheet at most {_ROWS}; write CSV")
        sheet = book.add_worksheet(name[:31])
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                _write(sheet, name, (r, c), cell, None if r else bold)
        sheet.freeze_panes(1, 0)
    book.close()
    return content.getvalue()


def _write(sheet: Any, name: str, place: tuple[int, int], cell: Any, style: Any) -> None:
    if cell is None:
        return
    if isinstance(cell, bool):
        sheet.write_boolean(*place, cell, style)
    elif isinstance(cell, int | float) and math.isfinite(cell) and abs(cell) < 1e308:
        sheet.write_number(*place, cell, style)
    else:
        text = visible(", ".join(map(str, cell)) if isinstance(cell, list) else str(cell))
        if len(text) > _CHARACTERS:
            size = f"a text of {len(text)} characters, and a cell at most {_CHARACTERS}"
            raise ArgumentError(f"table {name} has {size}; write CSV")
        sheet.write_string(*place, text, style)


def about(result: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return where a result comes from, as names and values; `result` is what `Result.to_dict` returns."""
    rows = [(name, result[name]) for name in ("function", "version", "command", "seed")]
    rows += [(f"option {name}", value) for name, value in result["options"].items()]
    rows += [("verdict", sentence) for sentence in result["verdict"]]
    for each in result["inputs"]:
        rows += [("input", each["file"]), ("bytes", each["bytes"]), ("sha256", each["sha256"])]
    return rows
