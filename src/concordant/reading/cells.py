"""Cells as numbers: percentages, decimal commas, thousands, missing values, numbers with a spread."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from concordant.checks import is_real
from concordant.errors import fail, option, shown
from concordant.rankings.labels import is_missing, label_text
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
SPREAD = "a score is followed by its spread"
TRUTH = "True is 1 and False is 0"
_GROUPS = r"[1-9]\d{0,2}(?:\.\d{3})+,\d+|[1-9]\d{0,2}(?:\.\d{3}){2,}"  # 1.234,5 and 1.234.567
_PART = rf"[+-]?(?:{_GROUPS}|\d[\d,]*(?:\.\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?"
# A number, a percent sign, a spread after plus-minus or in parentheses, marks of significance or bold type.
_CELL = re.compile(
    rf"(?:\*\*|__)?(?P<number>{_PART})\s*(?P<percent>%?)"
    r"(?P<spread>\s*(?:(?:\u00b1|\+-|\+/-)\s*[\d.,]+%?|\([^()]{1,40}\)|\[[^\[\]]{1,40}\]"
    r"|\+\s*[\d.,]+\s*/\s*-\s*[\d.,]+))?"
    r"(?:\*\*|__)?[*\u2020\u2021\u00a7\u00b6]{0,5}",
    re.ASCII,
)
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_TWO = re.compile(rf"{_PART}%?\s*/\s*{_PART}%?", re.ASCII)
_TAG = re.compile(r"<(b|i|u|strong|em|sup|sub|code|span)\b[^<>]*>([^<>]*)</\1>|<br ?/?>", re.IGNORECASE)
_LINK = re.compile(r"<a\s[^<>]*>([^<>]*)</a>|(?<!!)\[([^\[\]]*)\]\([^()\s]*\)", re.IGNORECASE)
_SPREAD = re.compile(
    r"(?:\u00b1|\+-|\+/-)\s*(?P<both>[\d.]+)%?|\((?P<maybe>[\d.]+)%?\)|\+\s*(?P<up>[\d.]+)\s*/\s*-\s*(?P<down>[\d.]+)"
    r"|[\[(]\s*(?P<low>-?[\d.]+)%?\s*(?:,|;|\u2013|to)\s*(?P<high>-?[\d.]+)%?\s*[\])]",
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
    two: bool = False  # each cell holds two scores, which is the problem; the column is left out as text

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
        return self.numbers is None and (self.two or not self.problem)

    @property
    def is_whole(self) -> bool:
        """Whether all cells are whole numbers."""
        return self.numbers is not None and bool((self.numbers == self.numbers.round()).all())


def texts_of(cells: Sequence[object]) -> list[str]:
    """Return cells of any kind as text; a missing value is empty."""
    return ["" if is_missing(cell) else label_text(cell) for cell in cells]


def texts_of_codes(codes: Integers, labels: Sequence[str]) -> list[str]:
    """Return the label of each code."""
    return [labels[code] for code in codes.tolist()]


def without_links(text: str) -> str:
    """Return a cell in which a link of HTML or Markdown is its text, without tags for the look of a text.

    A picture for a link is left out.
    """
    while "<" in text and (plain := _TAG.sub(r"\2", text)) != text:  # tags may stand in each other
        text = plain
    if "](" not in text and "</a>" not in text.lower():
        return text
    texts = (link[1] or link[2] or "" for link in _LINK.finditer(text))
    return _LINK.sub(lambda _: found if re.search(r"\w", found := next(texts)) else "", text).strip()


def check_cell_lengths(name: str, cells: Iterable[str]) -> None:
    """Refuse a cell that is too long."""
    most = limit("CONCORDANT_MAX_CELL")
    if max(map(len, cells), default=0) > most:
        fail(
            name, None, f"a cell has more than {most} characters; set CONCORDANT_MAX_CELL to a larger number"
        )


def columns_of(
    heads: Sequence[str], columns: Sequence[Sequence[Any]], decimal: Decimal | None
) -> tuple[Column, ...]:
    """Read the columns of a table; the cells of all of them say what a comma is."""
    written = [[cell for cell in cells if isinstance(cell, str)] for cells in columns]
    mark = decimal or decimal_mark(written)
    found = [column_of(head, cells, mark) for head, cells in zip(heads, columns, strict=True)]
    for k, (column, cells) in enumerate(zip(found, written, strict=True)):
        if decimal is None and len(cells) == len(columns[k]) and may_group(column.numbers):
            found[k] = _unless_grouped(column, cells)
    return tuple(found)


def may_group(numbers: Floats | None) -> bool:
    """Return whether points may group thousands, by the numbers: 1.234 beside 987 may be 1234."""
    if (
        numbers is None
        or not (whole := (numbers > 100) & (numbers < 1000) & (numbers == numbers.round())).any()
    ):
        return False
    pointed = numbers[~whole & ~np.isnan(numbers)]
    return len(pointed) > 0 and bool(((pointed >= 1) & (pointed < 1000)).all())


def _unless_grouped(column: Column, cells: Sequence[str]) -> Column:
    """Return a column, with a problem if all its points are where those between thousands are."""
    texts = [cell.strip() for cell in cells]
    pointed = [row for row, text in enumerate(texts) if "." in text]
    if not pointed or not all(re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", texts[row]) for row in pointed):
        return column
    how = f"say {option('decimal', ',')} or {option('decimal', '.')}"
    problem = (
        f"{shown(texts[pointed[0]])} has a point; is it a decimal point or does it group thousands? {how}"
    )
    return Column(column.name, column.texts, None, problem, pointed[0])


def column_of(name: str, cells: Sequence[Any], decimal: Decimal | None) -> Column:
    """Read a column. This is the rule for the cells of every format: text, numbers, truth values, missing."""
    texts: Callable[[], list[str]] = partial(texts_of, cells)
    kinds = set(map(type, cells))
    if kinds <= {int, float, type(None)}:
        with suppress(OverflowError):
            values = np.array(cells, dtype=np.float64)  # None becomes NaN
            if not np.isinf(values).any():
                return Column(name, texts, values)
    if kinds != {str}:
        decimal = "." if any(is_real(cell) and not isinstance(cell, bool) for cell in cells) else decimal
        cells = list(map(_written, cells))
    joined = "\n".join(cells)
    if PLAIN.fullmatch(joined) and "" not in cells and not (decimal == "," and "." in joined):
        with suppress(ValueError):
            values = np.array(cells, dtype=np.float64)
            if np.isfinite(values).all():
                return Column(name, texts, values)
    return column_of_codes(name, *coded(cells), decimal)


def _written(cell: Any) -> str:
    """Return a cell as a file of text has it."""
    if isinstance(cell, str) or is_missing(cell):
        return cell if isinstance(cell, str) else ""
    return label_text(float(cell) if is_real(cell) and not isinstance(cell, int | np.bool_) else cell)


def column_of_codes(name: str, codes: Integers, cells: Sequence[str], decimal: Decimal | None) -> Column:
    """Read a column from its different cells, and the place of each cell among them."""
    numbers = np.full(len(cells), math.nan)
    remarks: dict[str, None] = {}
    known: list[int] = []  # cells that are numbers
    bad, problem = 0, ""
    numeric = two = False  # whether a cell is, or may be, a number; whether it is two
    for k, cell in enumerate(cells):
        text = without_links(cell).strip().replace("\u2212", "-")
        if text.lower() in MISSING:
            if text and len(remarks) < 3:
                remarks[f"{text!r} is missing"] = None
            continue
        try:
            numbers[k], remark = _number(text, decimal)
        except ValueError as error:
            numeric = numeric or any(form.fullmatch(text) for form in (_CELL, NUMBER, _INFINITE))
            if not problem:
                two = _TWO.fullmatch(text) is not None
                bad, problem = (
                    k,
                    f"{shown(text)} holds two scores; make two columns of it" if two else str(error),
                )
            continue
        known.append(k)
        remarks |= {remark: None} if remark else {}
    if not problem and PERCENT in remarks:
        bad = next((k for k in known if "%" not in cells[k]), -1)
        missing = f"{shown(cells[bad].strip())} has no percent sign, and other cells of the column do"
        problem = missing if bad >= 0 else ""
    row = int(np.argmax(codes == bad)) if problem else 0
    again, names = coded(without_links(cell).strip() for cell in cells)
    as_names = again[codes], names
    texts = partial(texts_of_codes, *as_names)
    if problem and (known or numeric or two):
        return Column(name, texts, None, problem, row, as_names, two=two and not known)
    if problem:
        return Column(name, texts, codes=as_names)
    return Column(name, texts, numbers[codes], codes=as_names, remarks=frozenset(remarks))


def _number(text: str, decimal: Decimal | None) -> tuple[float, str]:
    """Return the number of a cell, and how it was read; the error says why it is not a number."""
    number, remark = text, ""
    if not NUMBER.fullmatch(text) or (decimal == "," and "." in text):
        lower = text.lower()
        if lower in ("true", "false"):
            return float(lower == "true"), TRUTH
        if _INFINITE.fullmatch(text):
            raise ValueError(f"{shown(text)} is not finite; leave the cell empty for a score that is missing")
        match = _CELL.fullmatch(text)
        if match is None:
            raise ValueError(f"{shown(text)} is not a number")
        spread = SPREAD if match["spread"] else ""
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


def spread_of(cell: str, score: float) -> tuple[float, float, bool]:
    """Return how far a spread, with or without its score before it, is below and above the score.

    The last value says whether it is an interval, such as +5/-4 or [0.4, 0.6]; a number after plus-minus
    may be anything. NaN stands for a cell without a spread, and for an interval that lacks the score.
    """
    text = cell.strip().replace("\u2212", "-")
    match = _SPREAD.fullmatch(text)
    if match is None and (whole := _CELL.fullmatch(text)) is not None:
        match = _SPREAD.fullmatch((whole["spread"] or "").strip())
    with suppress(ValueError):
        if match is not None and match["low"]:
            below, above = score - float(match["low"]), float(match["high"]) - score
            return (below, above, True) if min(below, above) >= 0 else (math.nan, math.nan, True)
        if match is not None and match["up"]:
            return float(match["down"]), float(match["up"]), True
        if match is not None:
            return (both := float(match["both"] or match["maybe"])), both, False
    return math.nan, math.nan, False


def decimal_mark(columns: Sequence[Sequence[str]]) -> Decimal | None:
    """Find the meaning of commas in numbers from all cells of a table; None if it is not clear.

    A comma is decimal if some number shows it (0,5, 12,34 or 1.234,5), and groups thousands if some number
    shows that (1,234.5 or 1,234,567), or if other numbers have a decimal point.
    """
    odd: set[str] = set()
    for cells in columns:
        text = "\n".join(cells)
        if "," in text or _TWO_POINTS.search(text):  # few columns
            odd.update(cell.strip() for cell in cells if "," in cell or cell.count(".") > 1)
    decimal = any("," not in cell and _POINTED.fullmatch(cell) for cell in odd)
    found = (_CELL.fullmatch(cell) for cell in odd if "," in cell)
    numbers = {match["number"] for match in found if match is not None and "," in match["number"]}
    either = {number for number in numbers if _EITHER.fullmatch(number)}
    grouped = {number for number in numbers - either if _GROUPED.fullmatch(number)}
    decimal = decimal or any(
        _COMMA.fullmatch(number) or _POINTED.fullmatch(number) for number in numbers - either - grouped
    )
    if decimal and not grouped:
        return ","
    every = (cell.strip() for cells in columns for cell in cells if "." in cell)
    if not decimal and (grouped or (either and any(map(NUMBER.fullmatch, every)))):
        return "."
    return None if (decimal or grouped or either) else "."
