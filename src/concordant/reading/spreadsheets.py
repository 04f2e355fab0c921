"""Workbooks: xlsx, xls and ods."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

from concordant.errors import fail, missing_library, option
from concordant.reading.cells import Decimal
from concordant.reading.files import FileLike, name_of
from concordant.reading.readings import Grid
from concordant.reading.text_tables import Line, grid_of_cells

_NO_VALUE = re.compile(rb"</f>\s*(?:<v\s*/>|<v></v>|</c>)")


def grid_of_workbook(source: FileLike, data: bytes, sheet: str | None, decimal: Decimal | None) -> Grid:
    """Read the named sheet, or the only one that is not empty."""
    name = name_of(source)
    try:
        import python_calamine as calamine
    except ImportError:
        what = f"{name} is a workbook (xlsx, xls or ods), and reading it"
        raise missing_library(what, "python-calamine", "sheets") from None
    try:
        book = calamine.load_workbook(io.BytesIO(data))
        sheets = {
            each: book.get_sheet_by_name(each).to_python(skip_empty_area=False) for each in book.sheet_names
        }
    except Exception as error:  # noqa: BLE001 - whatever the library raises
        why = str(error).splitlines()[0] if str(error) else repr(error)
        fail(name, None, f"is a workbook that cannot be read: {why}")
    full = {each: rows for each, rows in sheets.items() if any(cell != "" for row in rows for cell in row)}
    if sheet is not None and sheet not in sheets:
        fail(name, None, f"has no sheet {sheet!r}; it has {', '.join(sheets)}")
    if sheet is None and len(full) > 1:
        which = f"say which with {option('sheet', next(iter(full)))}"
        fail(name, None, f"has several sheets: {', '.join(full)}; {which}")
    if not full or (sheet is not None and sheet not in full):
        fail(name, None, "is empty")
    chosen = sheet if sheet is not None else next(iter(full))
    lines = [(line, [_text(cell) for cell in row]) for line, row in enumerate(sheets[chosen], 1)]
    rows: list[Line] = [(line, cells) for line, cells in lines if any(cells)]
    width = max(max((i + 1 for i, cell in enumerate(row) if cell), default=0) for _, row in rows)
    rows = [(line, row[:width] + [""] * (width - len(row))) for line, row in rows]
    remarks: tuple[str, ...] = (f"sheet {chosen}",) if len(sheets) > 1 else ()
    if any(cell == "" for _, row in rows for cell in row) and _has_formulas_without_values(data):
        remarks += ("formulas have no values until a spreadsheet program saves the workbook",)
    return grid_of_cells(source, rows, decimal, remarks)


def _has_formulas_without_values(data: bytes) -> bool:
    """Return whether a cell of an xlsx file has a formula whose value no program has computed."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            parts = [part for part in packed.infolist() if part.filename.startswith("xl/worksheets/")]
            return any(_NO_VALUE.search(packed.read(part)) for part in parts if part.file_size < 1 << 26)
    except (zipfile.BadZipFile, OSError, RuntimeError):  # xls is not an archive
        return False


def _text(cell: Any) -> str:
    if isinstance(cell, float) and not isinstance(cell, bool):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    return str(cell).strip()
