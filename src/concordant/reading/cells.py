"""Cells as numbers: percentages, decimal commas, thousands, missing values, numbers with a spread."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from concordant.errors import fail, option, shown
from concordant.reading.files import limit
from concordant.typing import Floats

Decimal: TypeAlias = Literal[".", ","]

# Each part of the pattern can match in one way only, so that a long cell takes linear time.
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
MISSING = ("", "na", "n/a", "n.a.", "nan", "null", "none", "-", "--", "\u2013", "\u2014", "?", "missing")
WORDS_FOR_MISSING = frozenset(MISSING) - {""}
PLAIN = re.compile(r"[0-9+\-.eE\n]*")
PERCENT = "numbers are percentages"
_TRUTH = {"true": 1.0, "false": 0.0}
_GROUPS = r"[1-9]\d{0,2}(?:\.\d{3})+,\d+|[1-9]\d{0,2}(?:\.\d{3}){2,}"  # 1.234,5 and 1.234.567
_PART = rf"[+-]?(?:{_GROUPS}|\d[\d,]*(?:\.\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?"
# A number, a percent sign, a spread after plus-minus or in parentheses, marks of significance or bold type.
_CELL = re.compile(
    rf"(?:\*\*|__)?(?P<number>{_PART})\s*(?P<percent>%?)"
    r"(?P<spread>\s*(?:(?:\u00b1|\+-|\+/-)\s*[\d.,]+%?|\([^()]{1,40}\)|\[[^\[\]]{1,40}\]))?"
    r"(?:\*\*|__)?[*\u2020\u2021\u00a7\u00b6]{0,5}",
    re.ASCII,
)
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")
_EITHER = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_POINTED = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?")  # points group thousands
_TWO_POINTS = re.compile(r"\.\d{3}\.")
_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")


class Numbers(NamedTuple):
    """The numbers of a column, or None if no cell is a number; what is wrong with it; how cells were read."""

    values: Floats | None
    bad: int | None = None  # the first cell that is not a number in a column of numbers
    problem: str = ""
    remarks: frozenset[str] = frozenset()


def numbers_of(cells: Sequence[str], decimal: Decimal | None) -> Numbers:
    """Read the cells of a column."""
    joined = "\n".join(cells)
    pointed = decimal == "," and "." in joined
    if PLAIN.fullmatch(joined) and "" not in cells and not pointed:
        try:
            values = np.array(cells, dtype=np.float64)
        except ValueError:
            pass
        else:
            if np.isfinite(values).all():
                return Numbers(values)
    values = np.full(len(cells), math.nan)
    remarks: set[str] = set()
    known = percent = alike = 0  # cells that are numbers, percentages, and those that may be numbers
    bad: int | None = None
    problem = ""
    for row, cell in enumerate(cells):
        text = cell.strip() if cell.isascii() else cell.strip().replace("\u2212", "-")
        if text.lower() in MISSING:
            remarks |= {f"{text!r} is missing"} if text and len(remarks) < 3 else set()
            continue
        number, remark, why = _one(text, decimal)
        if number is None:
            alike += _CELL.fullmatch(text) is not None or NUMBER.fullmatch(text) is not None
            bad = row if bad is None else bad
            problem = problem or why
            continue
        known += 1
        percent += remark == PERCENT
        if remark:
            remarks.add(remark)
        values[row] = number
    if known + alike == 0:
        return Numbers(None) if bad is not None else Numbers(values, remarks=frozenset(remarks))
    if bad is not None:
        return Numbers(None, bad, problem)
    if 0 < percent < known:
        mixed = next(
            row for row, cell in enumerate(cells) if cell.strip().lower() not in MISSING and "%" not in cell
        )
        return Numbers(
            None,
            mixed,
            f"{shown(cells[mixed].strip())} has no percent sign, and other cells of the column do",
        )
    return Numbers(values, remarks=frozenset(remarks))


def _one(text: str, decimal: Decimal | None) -> tuple[float | None, str, str]:
    """Return the number of a cell, how it was read, and why it is not a number."""
    if NUMBER.fullmatch(text) and not (decimal == "," and "." in text):
        value = float(text)
        return (value, "", "") if math.isfinite(value) else (None, "", f"{shown(text)} is too large")
    lower = text.lower()
    if lower in _TRUTH:
        return _TRUTH[lower], "True is 1 and False is 0", ""
    if lower.lstrip("+-") in ("inf", "infinity"):
        return None, "", f"{shown(text)} is not finite; leave the cell empty for a score that is missing"
    match = _CELL.fullmatch(text)
    if match is None:
        return None, "", f"{shown(text)} is not a number"
    number = match["number"]
    remark = (
        PERCENT if match["percent"] else "the spread after a score was left out" if match["spread"] else ""
    )
    if decimal == "," and "." in number:
        if not _POINTED.fullmatch(number):
            return None, "", f"{shown(text)} has a point, and other cells have a decimal comma"
        number, remark = number.replace(".", "").replace(",", "."), remark or "points group thousands"
    elif "," in number:
        if decimal is None:
            how = f"say {option('decimal', ',')} or {option('decimal', '.')}"
            return (
                None,
                "",
                f"{shown(text)} has a comma; is it a decimal comma or does it group thousands? {how}",
            )
        if decimal == ",":
            if not _COMMA.fullmatch(number):
                return None, "", f"{shown(text)} is not a number with a decimal comma"
            number, remark = number.replace(",", "."), remark or "numbers have a decimal comma"
        else:
            if not _GROUPED.fullmatch(number):
                comma = f"; if it is a decimal comma, say {option('decimal', ',')}"
                return None, "", f"{shown(text)} is not a number{comma}"
            number, remark = number.replace(",", ""), remark or "commas group thousands"
    elif number.count(".") > 1:
        return (
            None,
            "",
            f"{shown(text)} has several points; if they group thousands, say {option('decimal', ',')}",
        )
    value = float(number)
    return (value, remark, "") if math.isfinite(value) else (None, "", f"{shown(text)} is too large")


def decimal_mark(columns: Sequence[Sequence[str]]) -> Decimal | None:
    """Find the meaning of commas in numbers from all cells of a table; None if it is not clear.

    A comma is decimal if some number shows it (0,5, 12,34 or 1.234,5), and groups thousands if some number
    shows that (1,234.5 or 1,234,567), or if other numbers have a decimal point.
    """
    decimal = grouped = either = points = False
    for cells in columns:
        text = "\n".join(cells)
        if "," not in text and not _TWO_POINTS.search(text):  # most columns
            points = points or ("." in text and any("." in c and NUMBER.fullmatch(c.strip()) for c in cells))
            continue
        for cell in cells:
            if "," not in cell:
                points = points or ("." in cell and NUMBER.fullmatch(cell.strip()) is not None)
                decimal = decimal or (cell.count(".") > 1 and _POINTED.fullmatch(cell.strip()) is not None)
                continue
            match = _CELL.fullmatch(cell.strip())
            if match is None or "," not in (number := match["number"]):
                continue
            if _EITHER.fullmatch(number):
                either = True
            elif _GROUPED.fullmatch(number):
                grouped = True
            elif _COMMA.fullmatch(number) or _POINTED.fullmatch(number):
                decimal = True
    if decimal and not grouped:
        return ","
    if (grouped or (either and points)) and not decimal:
        return "."
    return None if (decimal or grouped or either) else "."


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
