"""Cells as numbers: percentages, decimal commas, thousands, missing values, numbers with a spread."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from concordant.errors import fail, option, shown
from concordant.reading.files import limit
from concordant.scores.scores import coded
from concordant.typing import Floats, Integers

Decimal: TypeAlias = Literal[".", ","]

# Each part of the pattern can match in one way only, so that a long cell takes linear time.
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
MISSING = ("", "na", "n/a", "n.a.", "nan", "null", "none", "-", "--", "\u2013", "\u2014", "?", "missing")
WORDS_FOR_MISSING = frozenset(MISSING) - {""}
PLAIN = re.compile(r"[0-9+\-.eE\n]*")
PERCENT = "numbers are percentages"
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


@dataclass(frozen=True, eq=False)
class Column:
    """A column: its name, its cells as text, and as numbers if they are numbers.

    `problem` says what is wrong with the cell of row `bad`, the first that is not a number in a column of
    numbers. Such a column can hold labels, or be left out, but it cannot hold scores.
    """

    name: str
    texts: Callable[[], Sequence[str]]
    numbers: Floats | None = None  # NaN: missing
    problem: str = ""
    bad: int = 0
    codes: tuple[Integers, Sequence[str]] | None = None  # the cells as codes of labels, if they are known
    remarks: frozenset[str] = frozenset()  # how cells were read

    @property
    def labels(self) -> list[str]:
        """The cells as names."""
        return [text.strip() for text in self.texts()]

    @property
    def different_labels(self) -> Sequence[str]:
        """The names, each once."""
        return self.codes[1] if self.codes is not None else list(dict.fromkeys(self.labels))

    @property
    def is_text(self) -> bool:
        """Whether no cell is a number."""
        return self.numbers is None and not self.problem

    @property
    def is_whole(self) -> bool:
        """Whether all cells are whole numbers."""
        return self.numbers is not None and bool((self.numbers == self.numbers.round()).all())


def texts_of(cells: Sequence[object]) -> list[str]:
    """Return cells of other formats as text; a missing value is empty."""
    return ["" if cell is None else str(cell) for cell in cells]


def texts_of_codes(codes: Integers, labels: Sequence[str]) -> list[str]:
    """Return the label of each code."""
    return [labels[code] for code in codes.tolist()]


def check_cell_lengths(name: str, cells: Iterable[str]) -> None:
    """Refuse a cell that is too long."""
    most = limit("CONCORDANT_MAX_CELL")
    if max(map(len, cells), default=0) > most:
        fail(
            name, None, f"a cell has more than {most} characters; set CONCORDANT_MAX_CELL to a larger number"
        )


def column_of(name: str, cells: Sequence[str], decimal: Decimal | None) -> Column:
    """Read the cells of a column of text."""
    texts: Callable[[], list[str]] = partial(list, cells)
    joined = "\n".join(cells)
    if PLAIN.fullmatch(joined) and "" not in cells and not (decimal == "," and "." in joined):
        with suppress(ValueError):
            values = np.array(cells, dtype=np.float64)
            if np.isfinite(values).all():
                return Column(name, texts, values)
    codes, different = coded(cells)  # each different cell is read once
    numbers = np.full(len(different), math.nan)
    remarks: dict[str, None] = {}
    known: list[str] = []  # cells that are numbers
    bad = problem = ""
    numeric = False  # whether a cell is, or may be, a number
    for k, cell in enumerate(different):
        text = cell.strip().replace("\u2212", "-")
        if text.lower() in MISSING:
            if text and len(remarks) < 3:
                remarks[f"{text!r} is missing"] = None
            continue
        try:
            numbers[k], remark = _number(text, decimal)
        except ValueError as error:
            numeric = numeric or any(form.fullmatch(text) for form in (_CELL, NUMBER))
            bad, problem = (bad, problem) if problem else (cell, str(error))
            continue
        known.append(cell)
        remarks |= {remark: None} if remark else {}
    if not problem and PERCENT in remarks:
        bad = next((cell for cell in known if "%" not in cell), "")
        problem = f"{shown(bad.strip())} has no percent sign, and other cells of the column do" if bad else ""
    if problem and (known or numeric):
        return Column(name, texts, None, problem, cells.index(bad))
    if problem:
        names = [cell.strip() for cell in different]
        return Column(name, texts, codes=(codes, names) if len(set(names)) == len(names) else None)
    return Column(name, texts, numbers[codes], remarks=frozenset(remarks))


def _number(text: str, decimal: Decimal | None) -> tuple[float, str]:
    """Return the number of a cell, and how it was read; the error says why it is not a number."""
    number, remark = text, ""
    if not NUMBER.fullmatch(text) or (decimal == "," and "." in text):
        lower = text.lower()
        if lower in ("true", "false"):
            return float(lower == "true"), "True is 1 and False is 0"
        if lower.lstrip("+-") in ("inf", "infinity"):
            raise ValueError(f"{shown(text)} is not finite; leave the cell empty for a score that is missing")
        match = _CELL.fullmatch(text)
        if match is None:
            raise ValueError(f"{shown(text)} is not a number")
        spread = "the spread after a score was left out" if match["spread"] else ""
        number, marks = _with_point(text, match["number"], decimal)
        remark = PERCENT if match["percent"] else spread or marks
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"{shown(text)} is too large")
    return value, remark


def _with_point(text: str, number: str, decimal: Decimal | None) -> tuple[str, str]:
    """Return a number with a decimal point and no other marks, and what its marks were."""
    if decimal == "," and "." in number:
        if not _POINTED.fullmatch(number):
            raise ValueError(f"{shown(text)} has a point, and other cells have a decimal comma")
        return number.replace(".", "").replace(",", "."), "points group thousands"
    if "," not in number:
        if number.count(".") > 1:
            several = f"{shown(text)} has several points"
            raise ValueError(f"{several}; if they group thousands, say {option('decimal', ',')}")
        return number, ""
    if decimal is None:
        how = f"say {option('decimal', ',')} or {option('decimal', '.')}"
        raise ValueError(
            f"{shown(text)} has a comma; is it a decimal comma or does it group thousands? {how}"
        )
    if decimal == ",":
        if not _COMMA.fullmatch(number):
            raise ValueError(f"{shown(text)} is not a number with a decimal comma")
        return number.replace(",", "."), "numbers have a decimal comma"
    if not _GROUPED.fullmatch(number):
        comma = f"if it is a decimal comma, say {option('decimal', ',')}"
        raise ValueError(f"{shown(text)} is not a number; {comma}")
    return number.replace(",", ""), "commas group thousands"


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
        for cell in set(cells):
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


def number(name: str, line: int, text: str, whose: str) -> float:
    """Read one score."""
    if NUMBER.fullmatch(text) and math.isfinite(value := float(text)):
        return value
    if text.lower() in ("none", "nan", "na", "null"):
        return math.nan
    if NUMBER.fullmatch(text) or text.lower().lstrip("+-") in ("inf", "infinity"):
        fail(name, line, f"the score of {whose} is {shown(text)}; scores must be finite")
    return fail(name, line, f"the score of {whose} must be a number, found {shown(text)}")
