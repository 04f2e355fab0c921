"""JSON: one object for each row, one per line or in a list."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from concordant.errors import fail, shown
from concordant.reading.files import Source, name_of, stem_of
from concordant.reading.grid import Column, Grid
from concordant.reading.header_words import is_column
from concordant.reading.text_tables import texts


def grid_of_json(source: Source, text: str, format: str) -> Grid:
    """Make a grid of objects: keys are columns. Without a key for systems, the file names the system."""
    name = name_of(source)
    rows = list(_of_lines(name, text) if format == "jsonl" else _of_list(name, text))
    if not rows:
        fail(name, None, "holds no objects")
    keys = list(dict.fromkeys(key for _, row in rows for key in row))
    lines = [line for line, _ in rows]
    columns = tuple(_column(name, key, [row.get(key) for _, row in rows], lines) for key in keys)
    stem = stem_of(source)
    alone = not any(is_column(key, "system") for key in keys) and any(is_column(key, "topic") for key in keys)
    if alone:
        columns = (Column("system", lambda: [stem] * len(rows)), *columns)
    numbers = all(column.numbers is not None for column in columns)
    return Grid(
        name,
        stem,
        columns,
        len(rows),
        lines.__getitem__,
        partial(fail, name),
        file_is_system=alone,
        one_object=numbers and len(rows) == 1 and format == "jsonl",
    )


def _of_lines(name: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    if text.lstrip().partition("\n")[0].strip() == "{":  # one object over several lines
        yield 1, _object(name, 1, text)
        return
    for line, content in enumerate(text.split("\n"), 1):
        if content.strip():
            yield line, _object(name, line, content)


def _of_list(name: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    listed = _parsed(name, 1, text)
    for row in listed:
        if not isinstance(row, dict):
            fail(
                name,
                None,
                f'expected a list of objects, such as {{"system": ...}}, found {shown(str(row))} in it',
            )
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


def _column(name: str, key: str, cells: list[Any], lines: list[int]) -> Column:
    """Make a column of numbers, or of text; null and absent are missing."""
    if all(type(cell) is float or type(cell) is int or cell is None for cell in cells):
        try:
            numbers = np.array([math.nan if cell is None else cell for cell in cells], dtype=np.float64)
        except OverflowError:
            numbers = np.array([math.inf])
        bad = next(
            (i for i, cell in enumerate(cells) if isinstance(cell, float) and not math.isfinite(cell)), None
        )
        if bad is None and not np.isinf(numbers).any():
            return Column(key, partial(texts, cells), numbers)
        at = (
            bad
            if bad is not None
            else next(i for i, cell in enumerate(cells) if cell is not None and abs(cell) > 1e308)
        )
        return Column(
            key,
            partial(texts, cells),
            None,
            f"{shown(str(cells[at]))} is not finite; leave out what is missing",
            at,
        )
    odd = next(
        (
            i
            for i, cell in enumerate(cells)
            if not isinstance(cell, str | int | float | None) or isinstance(cell, bool)
        ),
        None,
    )
    known = [
        i for i, cell in enumerate(cells) if isinstance(cell, int | float) and not isinstance(cell, bool)
    ]
    try:
        "".join(cell for cell in cells if isinstance(cell, str)).encode()
    except UnicodeEncodeError:
        broken = next(i for i, cell in enumerate(cells) if isinstance(cell, str) and not _encodes(cell))
        fail(name, lines[broken], f"holds a broken character: {shown(ascii(cells[broken]))}")
    if odd is not None and (
        known or is_column(key, "topic") or is_column(key, "system") or is_column(key, "value")
    ):
        fail(name, lines[odd], f"{key!r} must be a text or a number, found {shown(json.dumps(cells[odd]))}")
    if known and is_column(key, "value"):
        at = next(i for i, cell in enumerate(cells) if isinstance(cell, str))
        return Column(key, partial(texts, cells), None, f"{shown(cells[at])} is a text, not a number", at)
    return Column(key, partial(texts, cells))


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
