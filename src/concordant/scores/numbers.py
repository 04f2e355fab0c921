"""Cells as numbers: percentages, decimal commas, thousands, missing values, numbers with a spread."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from concordant.errors import option
from concordant.typing import Floats

__all__ = [
    "NUMBER",
    "PLAIN",
    "WORDS_FOR_MISSING",
    "Decimal",
    "Numbers",
    "decimal_mark",
    "numbers_of",
    "shown",
]

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


def shown(text: str, most: int = 60) -> str:
    """Return text from a file as a message shows it."""
    return repr(text if len(text) <= most else text[:most] + "...")


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
