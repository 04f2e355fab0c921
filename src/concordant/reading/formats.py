"""The format of a file, found from its first bytes and lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from concordant.errors import fail, option, shown
from concordant.reading.cells import NUMBER, WORDS_FOR_MISSING, delimiter, split
from concordant.reading.header_words import is_column
from concordant.reading.program_output import spaced_format

_BLANK_LINES = re.compile(r"(?:\s*\n)?")
_NAME = re.compile(r"[^\s,;|]+")
_NUMBERED = re.compile(r"\d{1,6}(?:[.)]\s+|[.)]?\t)(?P<name>\S.*)")
_RANK = re.compile(r"[^\s(),;]+|\([^()]+\)")  # a name, or a group of tied names


def recognise_bytes(data: bytes) -> str | None:
    """Return the format of a file that is not text."""
    if data[:4] == b"PAR1":
        return "parquet"
    if data[:4] == b"PK\x03\x04" or data[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        return "workbook"
    return None


def recognise(name: str, text: str) -> tuple[str, str]:
    """Return the format of a text, and for a table the mark between its columns."""
    lines = _first_lines(text)
    start = lines[0].lstrip()
    if start.startswith("{"):
        return "jsonl", ""
    if re.match(r"\[\s*[^\W\d]+[\s,\]]", start):
        fail(name, 1, f"{shown(lines[0].strip())} is not JSON; in an order, tied names are in parentheses")
    if start.startswith("["):
        return "json", ""
    if _is_marked_order(lines):
        return "order", ""
    mark = delimiter(lines) or _mark_below_title(lines)
    rows = split(lines, mark) if mark is not None else []
    header = [cell.strip() for cell in rows[0]] if rows else []
    # The output of trec_eval may begin with a line "runid all ...".
    words = any(is_column(cell, kind) for cell in header for kind in ("system", "topic"))
    named = words and header[1:2] != ["all"] and not (len(header) == 2 and _is_number(header[1]))
    parts = [line.split() for line in lines]
    if mark not in (",", ";") and not named:
        found = spaced_format(name, parts)
        if found is not None:
            return found, ""
        if all(len(part) == 2 and _is_number(part[1]) for part in parts):
            return "table", "\t" if mark == "\t" else " "
    if mark is not None:
        return "table", mark
    if len(lines) > 1 and not _is_number(start) and all(_is_number(line.strip()) for line in lines[1:]):
        return "table", ","  # one system
    if _is_order(text, lines):
        return "order", ""
    names = f"names one a line are {option('format', 'order')}"
    cannot = f"cannot tell the format of {shown(lines[0].strip())}"
    return fail(name, 1, f"{cannot}; give it with {option('format')}; {names}")


def _mark_below_title(lines: Sequence[str]) -> str | None:
    """Find the mark between the columns below a title: a header without numbers, and rows with numbers."""
    mark = delimiter(lines[1:]) if len(lines) > 2 else None
    rows = split(lines[1:], mark) if mark is not None else []
    if not rows or any(len(row) != len(rows[0]) for row in rows) or any(map(_is_number, rows[0])):
        return None
    return mark if any(_is_number(cell.strip()) for row in rows[1:] for cell in row) else None


def _first_lines(text: str) -> list[str]:
    """Return the lines that are neither blank nor comments."""
    blank = _BLANK_LINES.match(text)
    first = blank.end() if blank is not None else 0
    last = text.rfind("\n", first, first + 50_000) + 1
    start = text[first:last] if last and len(text) - first > 50_000 else text[first:]
    lines = [line for line in start.split("\n") if line.strip()]
    return [line for line in lines if not line.startswith("#")] or lines


def _is_number(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None or text.lower() in WORDS_FOR_MISSING


def _is_marked_order(lines: Sequence[str]) -> bool:
    """Say whether marks show that this is an order: ``a > b``, names in one line, or numbers before names."""
    if len(lines) == 1:
        cells = [cell.strip(" ()") for cell in re.split(r"[>,]", lines[0])]
        named = len(cells) > 1 and all(cells) and not any(map(_is_number, cells))
        known = any(is_column(cell, kind) for cell in cells[:1] for kind in ("system", "topic", "measure"))
        return named and (">" in lines[0] or not known) and "<" not in lines[0]
    if any(line.startswith("(") for line in lines) and all(_RANK.fullmatch(line.strip()) for line in lines):
        return True
    found = [_NUMBERED.fullmatch(line.strip()) for line in lines]
    numbered = all(match is not None and not _is_number(match["name"].strip()) for match in found)
    first = found[0] is not None and lines[0].lstrip().startswith("1")
    return numbered and first and not any("\t" in match["name"] for match in found if match is not None)


def _is_order(text: str, lines: Sequence[str]) -> bool:
    """Say whether this is a list of names: all in one line, or one name or group per line."""
    names = re.findall(r"[^\s()]+", text[:400_000])
    if len(names) < 2 or not all(map(_NAME.fullmatch, names)) or any(map(_is_number, names)):
        return False
    one_a_line = all(re.fullmatch(r"[^\s()]+|\([^()]+\)", line.strip()) for line in lines)
    return len(lines) == 1 or one_a_line
