"""Cells of tables of text."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from concordant.errors import fail
from concordant.io.files import NUMBER, limit, shown

__all__ = ["Line", "Row", "delimiter", "number", "rows_of_text", "split", "unquoted"]

Row: TypeAlias = tuple[str, str, str, float]
"""Measure, topic, system, score."""

Line: TypeAlias = tuple[int, list[str]]
"""The number of a line, and its cells."""

_QUOTED_FORMULA = re.compile(r"^'(?='*[=+\-@\t\r])")  # as `csv_text` writes it


def number(name: str, line: int, text: str, whose: str) -> float:
    """Read one score."""
    if NUMBER.fullmatch(text) and math.isfinite(value := float(text)):
        return value
    if text.lower() in ("none", "nan", "na", "null"):
        return math.nan
    if NUMBER.fullmatch(text) or text.lower().lstrip("+-") in ("inf", "infinity"):
        fail(name, line, f"the score of {whose} is {shown(text)}; scores must be finite")
    return fail(name, line, f"the score of {whose} must be a number, found {shown(text)}")


def split(lines: Sequence[str], mark: str) -> list[list[str]]:
    """Split the first lines of a table; return nothing if this is not possible."""
    try:
        return [row for row in csv.reader(lines[:20], delimiter=mark, strict=False) if row]
    except csv.Error:
        return []


def delimiter(lines: Sequence[str]) -> str | None:
    """Find the mark between columns: the one with which most lines have as many parts as the first."""
    best, score = None, 0.0
    for mark in "\t,;":
        rows = split(lines, mark)
        if not rows or len(rows[0]) < 2:
            continue
        alike = sum(len(row) - len(rows[0]) in (0, 1) for row in rows[1:]) / max(len(rows) - 1, 1)
        if alike > score or best is None:
            best, score = mark, alike
    return best


def unquoted(cell: str) -> str:
    """Remove the quote before a name that looks like a formula."""
    return _QUOTED_FORMULA.sub("", cell)


def rows_of_text(name: str, text: str, mark: str) -> Iterator[Line]:
    """Yield the rows of a CSV or TSV that are not blank, with the line at which they start."""
    most = limit("CONCORDANT_MAX_CELL")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    line = 1
    while True:
        usual = csv.field_size_limit(most)  # this setting is global, so that it is restored at once
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
            yield line, [unquoted(cell) for cell in row] if "'" in "".join(row) else row
        line = reader.line_num + 1
