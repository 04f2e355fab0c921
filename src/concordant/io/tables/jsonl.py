"""JSON lines: one object for each score."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from concordant.errors import fail, option
from concordant.io.files import Source, name_of, shown, stem_of
from concordant.io.tables.cells import Row
from concordant.scores import COLUMNS, is_column

__all__ = ["read_jsonl"]


def read_jsonl(source: Source, text: str, columns: Mapping[str, str]) -> Iterator[Row]:
    """Read objects with topic and value; a measure or system that is absent is the name of the file."""
    name, stem = name_of(source), stem_of(source)
    for line, content in enumerate(text.split("\n"), 1):
        if not content.strip():
            continue
        row = _object(name, line, content)
        cells = _cells(name, line, content, row, columns)
        for kind in ("measure", "topic", "system"):
            label = cells.get(kind, "absent")
            if isinstance(label, bool) or not isinstance(label, str | int) or label == "":
                found = shown(str(label))
                fail(name, line, f"the {kind} must be a text or a whole number, found {found}")
        number = _number(name, line, cells["value"])
        try:
            "".join(map(str, cells.values())).encode()
        except UnicodeEncodeError:
            fail(name, line, f"holds a broken character: {shown(ascii(content.strip()))}")
        yield str(cells.get("measure", stem)), str(cells["topic"]), str(cells.get("system", stem)), number


def _object(name: str, line: int, content: str) -> dict[str, Any]:
    try:
        row = json.loads(content)
    except json.JSONDecodeError as error:
        fail(name, line, f"broken JSON: {error.msg}: {shown(content.strip())}")
    except RecursionError:
        fail(name, line, f"broken JSON: nested too deeply: {shown(content.strip())}")
    except ValueError:  # Python reads no more than 4300 digits
        fail(name, line, f"broken JSON: a number has too many digits: {shown(content.strip())}")
    if not isinstance(row, dict):
        fail(name, line, f"expected an object with topic, system and value, found {shown(content.strip())}")
    return row


def _cells(
    name: str, line: int, content: str, row: Mapping[str, Any], columns: Mapping[str, str]
) -> dict[str, Any]:
    """Return the measure, topic, system and value of an object, as far as it has them."""
    keys = {kind: _key(row, kind, columns) for kind in COLUMNS}
    absent = [columns[kind] for kind in columns if not keys.get(kind)]
    if absent:
        lacks = f"has no {absent[0]!r}, which {option('columns')} names"
        fail(name, line, f"{lacks}: {shown(content.strip())}")
    for kind in ("topic", "value"):
        if not keys[kind]:
            fail(name, line, f"has no {kind!r}: {shown(content.strip())}")
    return {kind: row[key] for kind, key in keys.items() if key}


def _key(row: Mapping[str, Any], kind: str, columns: Mapping[str, str]) -> str:
    if kind in columns:
        return columns[kind] if columns[kind] in row else ""
    return next((key for key in row if is_column(key, kind)), "")


def _number(name: str, line: int, value: Any) -> float:
    """Read one score; null is a missing score."""
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        fail(name, line, f"the value must be a number, found {shown(str(value))}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        finite = "scores must be finite, leave out the line of one that is missing"
        fail(name, line, f"the value is {number}; {finite}")
    return number
