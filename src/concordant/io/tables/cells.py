"""Cells of tables of text."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from concordant.errors import fail
from concordant.io.files import NUMBER, limit, shown

__all__ = ["Cell", "Line", "Row", "cells_of", "delimiter", "number", "split"]

Row: TypeAlias = tuple[str, str, str, float]
"""Measure, topic, system, score."""

Cell: TypeAlias = str | int | float
"""A cell of a table: text, or a number where the format has these. Empty text is a missing score."""

Line: TypeAlias = tuple[int, Sequence[Cell]]
"""The number of a line, and its cells."""

_QUOTED_FORMULA = re.compile(r"^'(?='*[=+\-@\t\r])")  # as `csv_text` writes it
_NOT_FINITE = ("nan", "na", "null", "none", "inf", "infinity")


def number(name: str, line: int, cell: Cell, whose: str) -> float:
    """Read one score. An empty cell is a missing score."""
    if not isinstance(cell, str) and math.isfinite(cell):
        return float(cell)
    text = str(cell).strip()
    if text == "":
        return math.nan
    is_number = NUMBER.fullmatch(text) is not None
    if is_number and math.isfinite(float(text)):
        return float(text)
    if is_number or text.lower().lstrip("+-") in _NOT_FINITE:
        found = f"the score of {whose} is {shown(text)}"
        fail(name, line, f"{found}; scores must be finite, leave the cell empty for one that is missing")
    comma = " (a decimal comma? write a point)" if re.fullmatch(r"[+-]?\d+,\d+", text) else ""
    return fail(name, line, f"the score of {whose} must be a number, found {shown(text)}{comma}")


def split(lines: Sequence[str], mark: str) -> list[list[str]]:
    """Split the first lines of a table; none if this cannot be."""
    try:
        return [row for row in csv.reader(lines[:20], delimiter=mark, strict=False) if row]
    except csv.Error:
        return []


def delimiter(lines: Sequence[str]) -> str | None:
    """Find the mark between columns: the one that cuts most lines into as many parts as the first."""
    best, score = None, 0.0
    for mark in "\t,;":
        rows = split(lines, mark)
        if not rows or len(rows[0]) < 2:
            continue
        alike = sum(len(row) - len(rows[0]) in (0, 1) for row in rows[1:]) / max(len(rows) - 1, 1)
        if alike > score or best is None:
            best, score = mark, alike
    return best


def cells_of(name: str, text: str) -> tuple[list[str], Iterable[Line]]:
    """Return the header of a CSV or TSV, and its rows with the line they start at."""
    mark = delimiter([line for line in text.split("\n") if line.strip()]) or ","
    rows = _rows(name, text, mark)
    header = next(rows, None)
    if header is None:
        fail(name, None, "is empty")
    return [cell.strip() for cell in header[1]], rows


def _rows(name: str, text: str, mark: str) -> Iterator[tuple[int, list[str]]]:
    most = limit("CONCORDANT_MAX_CELL")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    line = 1
    while True:
        usual = csv.field_size_limit(most)  # one for the whole process, so it is put back at once
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "field limit" in str(error):
                long = f"a cell has more than {most} characters; is a quote missing?"
                fail(name, line, f"{long} If not, set CONCORDANT_MAX_CELL to a larger number")
            fail(name, reader.line_num, f"broken CSV: {error}")
        finally:
            csv.field_size_limit(usual)
        if row and (len(row) > 1 or row[0].strip()):  # not a blank line
            yield line, [_QUOTED_FORMULA.sub("", cell) for cell in row] if "'" in "".join(row) else row
        line = reader.line_num + 1
