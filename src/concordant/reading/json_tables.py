"""JSON: one object for each row, one per line or in a list."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from concordant.errors import fail, shown
from concordant.reading.cells import Column, texts_of
from concordant.reading.files import FileLike, name_of, stem_of
from concordant.reading.header_words import is_word
from concordant.reading.readings import Grid


def grid_of_json(source: FileLike, text: str, format: str) -> Grid:
    """Make a grid of objects: keys are columns. Without a key for systems, the file names the system."""
    name = name_of(source)
    rows = list(_of_lines(name, text) if format == "jsonl" else _of_list(name, text))
    if not rows:
        fail(name, None, "holds no objects")
    keys = list(dict.fromkeys(key for _, row in rows for key in row))
    lines = [line for line, _ in rows]
    columns = tuple(_column(name, key, [row.get(key) for _, row in rows], lines) for key in keys)
    stem, numbers = stem_of(source), all(column.numbers is not None for column in columns)
    alone = not any(is_word(key, "system") for key in keys) and any(is_word(key, "topic") for key in keys)
    if alone:
        columns = (Column("system", lambda: [stem] * len(rows)), *columns)
    one = numbers and not alone and len(rows) == 1 and format == "jsonl"
    return Grid(name, stem, columns, len(rows), lines.__getitem__, file_is_system=alone, one_object=one)


def _of_lines(name: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    if text.lstrip().partition("\n")[0].strip() == "{":  # one object over several lines
        yield 1, _object(name, 1, text)
        return
    for line, content in enumerate(text.split("\n"), 1):
        if content.strip():
            yield line, _object(name, line, content)


def _of_list(name: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for row in _parsed(name, 1, text):
        if not isinstance(row, dict):
            what = f'expected a list of objects, such as {{"system": ...}}, found {shown(str(row))} in it'
            fail(name, None, what)
        yield 1, row


def _parsed(name: str, line: int, content: str) -> Any:
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        fail(name, line, f"broken JSON: {error.msg}: {shown(content.strip())}")
    except RecursionError:
        fail(name, line, f"broken JSON: nested too deeply: {shown(content.strip())}")
    except ValueError:  # Python reads no more than 4300 digits
        fail(name, line, f"broken JSON: a number has too many digits: {shown(content.strip())}")


def _object(name: str, line: int, content: str) -> dict[str, Any]:
    row = _parsed(name, line, content)
    if not isinstance(row, dict):
        fail(name, line, f"expected an object with topic, system and value, found {shown(content.strip())}")
    return row


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _column(name: str, key: str, cells: list[Any], lines: list[int]) -> Column:
    """Make a column of numbers, or of text; null and absent are missing."""
    texts, numeric = partial(texts_of, cells), [i for i, cell in enumerate(cells) if _is_number(cell)]
    if all(cell is None or _is_number(cell) for cell in cells):
        bad = next((i for i in numeric if not _is_finite(cells[i])), None)
        if bad is not None:
            what = f"{shown(str(cells[bad]))} is not finite; leave out what is missing"
            return Column(key, texts, None, what, bad)
        return Column(
            key, texts, np.array([math.nan if cell is None else cell for cell in cells], np.float64)
        )
    for i, cell in enumerate(cells):
        if isinstance(cell, str) and not _encodes(cell):
            fail(name, lines[i], f"holds a broken character: {shown(ascii(cell))}")
    plain = numeric or any(is_word(key, kind) for kind in ("topic", "system", "value"))
    for i, cell in enumerate(cells if plain else ()):
        if not (cell is None or isinstance(cell, str) or _is_number(cell)):
            fail(name, lines[i], f"{key!r} must be a text or a number, found {shown(json.dumps(cell))}")
    if numeric and is_word(key, "value"):
        bad = next(i for i, cell in enumerate(cells) if isinstance(cell, str))
        return Column(key, texts, None, f"{shown(cells[bad])} is a text, not a number", bad)
    return Column(key, texts)


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number that no float can hold
        return False


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
