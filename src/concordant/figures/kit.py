"""What the charts share: titles that wrap, names that are shortened, labels that do not overlap."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from concordant.results.result import Result

__all__ = [
    "INTERVAL",
    "NAME",
    "NO_LIMIT",
    "Rows",
    "asked",
    "dodged",
    "domain_of",
    "heading",
    "number",
    "panel_title",
    "panels_of",
    "quoted",
    "rows_of",
    "short",
    "short_label",
    "shortened",
    "signed",
]

Rows = list[dict[str, Any]]
NO_LIMIT = 0  # of the pixels of a label: Vega would cut there, also through the middle of an emoji
NAME = 22  # characters of a name on an axis
_HALVES = r"[\\ud800-\\udbff]?…[\\udc00-\\udfff]?"
INTERVAL = "datum.low == null ? '-' : '[' + format(datum.low, '.4f') + ', ' + format(datum.high, '.4f') + ']'"


def heading(text: str, *more: str, width: float = 340) -> alt.Title:
    """Return a title and its subtitle, in lines that fit the width in pixels."""
    subtitle = [line for part in more if part for line in textwrap.wrap(part, int(width / 5.4))]
    return alt.Title(text=textwrap.wrap(text, int(width / 6.8)), subtitle=subtitle)


def panel_title(text: str) -> alt.Title:
    """Return the title of one panel of several."""
    return alt.Title(text=text, fontSize=11.5, fontWeight="normal", offset=4)


def short(name: Any, most: int = NAME) -> str:
    """Shorten a name in the middle as Vega counts: an emoji is two characters, and is not cut in half."""
    units, left = str(name).encode("utf-16-le", "replace"), most - 1
    if len(units) <= 2 * most:
        return str(name)
    head, tail = units[: 2 * -(-left // 2)], units[len(units) - 2 * (left // 2) :]
    return f"{head.decode('utf-16-le', 'ignore')}…{tail.decode('utf-16-le', 'ignore')}"


def shortened(field: str, most: int = NAME) -> str:
    """Return the expression that shortens a text in the middle.

    Vega may cut a character of two parts (an emoji) in half, and half a character cannot be drawn.
    """
    return f"replace(truncate({field}, {most}, 'center'), regexp('{_HALVES}'), '…')"


def short_label(names: Iterable[Any], most: int = NAME) -> dict[str, Any]:
    """Return the options of an axis that shorten its labels, which stay different if possible."""
    different = set(map(str, names))
    lengths = [most, *(length for length in (28, 36, 48) if length > most)]
    clear = [each for each in lengths if len({short(n, each) for n in different}) == len(different)]
    length = clear[0] if clear else most
    return {"labelExpr": shortened("datum.label", length), "labelLimit": NO_LIMIT}


def number(value: float | None, digits: int = 2) -> str:
    """Return a number for a title."""
    return "-" if value is None else f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def signed(value: float, digits: int = 2) -> str:
    """Return a number with its sign."""
    return ("+" if value > 0 else "") + number(value, digits)


def asked(result: Any) -> str:
    """Return the words about intervals for the subtitle; empty if there are none."""
    level = result.options.get("confidence_level")
    return "" if level is None else f"{100 * level:.10g} % confidence intervals"


def quoted(text: Any) -> str:
    """Return a text, or a list of texts, as it stands in an expression of Vega.

    Vega fails on a literal that is the name of a property of every object ("constructor"), so that a sign is
    put before the text and cut off again.
    """
    if isinstance(text, list):
        return f"[{', '.join(map(quoted, text))}]"
    return f"slice({json.dumps(f'-{text}')}, 1)"


def rows_of(result: Result[Any], name: str) -> Rows:
    """Return the rows of a table; none if there is no such table."""
    return next((table.to_dicts() for table in result.tables if table.name == name), [])


def panels_of(rows: Rows, *keys: str) -> list[tuple[Any, ...]]:
    """Return the values of some columns, each combination once, in the order of the rows."""
    return list(dict.fromkeys(tuple(row[key] for key in keys) for row in rows))


def domain_of(
    values: Sequence[float | None], bounds: tuple[float, float], *, step: float = 0.1
) -> list[float]:
    """Return the ends of an axis: round numbers around all values, within the bounds of the coefficient."""
    there = [value for value in values if value is not None]
    low, high = (min(there), max(there)) if there else (0.0, 1.0)
    while (high - low) / step > 40:  # not of the usual scale
        step *= 10
    ends = [step * (low // step), -step * (-high // step)]
    if ends[1] - ends[0] < 2 * step:
        ends = [ends[0] - step, ends[1] + step]
    return [round(max(ends[0], bounds[0]), 10), round(min(ends[1], bounds[1]), 10)]


def dodged(places: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Move places as little as possible, so that they have a minimum distance and stay within the ends."""
    order = sorted(range(len(places)), key=lambda k: places[k])
    found = [places[k] for k in order]
    for _ in range(200):
        moved = False
        for k in range(len(found) - 1):
            gap = apart - (found[k + 1] - found[k])
            if gap > 1e-9 * apart:
                found[k], found[k + 1] = found[k] - gap / 2, found[k + 1] + gap / 2
                moved = True
        if found and found[0] < low:
            found[0], moved = low, True
        if found and found[-1] > high:
            found[-1], moved = high, True
        if not moved:
            break
    back = [0.0] * len(found)
    for place, k in zip(found, order, strict=True):
        back[k] = place
    return back
