"""What the charts of several panels share: titles that fit, panels in rows of three, cells that stay readable."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

__all__ = [
    "COLUMNS",
    "GREY",
    "PANEL",
    "POINTED",
    "diagonal",
    "different",
    "in_panels",
    "on_legend",
    "shade",
    "system_param",
    "titled",
]

COLUMNS = 3  # panels beside one another, on the width of a page
PANEL = 165  # width in pixels of the data of one of them
GREY = "#767676"
_UNDEFINED = "#d9d9d9"  # the colour of a cell without a value
POINTED = "system === null || datum.system === system"  # no system is pointed at, or this one


def different(values: Iterable[Any]) -> list[Any]:
    """Return the different values in the order in which they come."""
    return list(dict.fromkeys(values))


def titled(chart: Any, title: str, subtitle: str, columns: int = 1) -> Any:
    """Give a chart a title and a line about its data, broken to the width of its panels."""
    letters = {1: 50, 2: 58}.get(columns, 84)
    text, below = textwrap.wrap(title, letters), textwrap.wrap(subtitle, round(letters * 1.25))
    return chart.properties(title=alt.TitleParams(text, subtitle=below))


def in_panels(
    layers: Any,
    label: str,
    names: Sequence[str],
    *,
    width: float = PANEL,
    height: float = PANEL,
    columns: int = COLUMNS,
) -> Any:
    """Repeat a chart in panels with the same axes, one for each value of a field."""
    columns = min(columns, len(names))
    header = alt.Header(
        labelExpr="split(datum.label, '\\n')", labelLimit=width + 40, labelPadding=4, title=None
    )
    facet = alt.Facet(f"{label}:N", sort=list(names), header=header)
    found = layers.properties(width=width, height=height).facet(facet, columns=columns, spacing=14)
    # In a last row that is not full, a panel above the gap would have no axis.
    return found.resolve_axis(x="independent") if len(names) % columns else found


def on_legend(field: str) -> tuple[Any, Any]:
    """Return a selection by a click on the legend, and the opacity that it gives to marks."""
    chosen = alt.selection_point(name="legend", fields=[field], bind="legend")
    return chosen, alt.condition(chosen, alt.value(1), alt.value(0.12))


def system_param() -> Any:
    """Return the parameter that names the system pointed at."""
    return alt.param(name="system", value=None)


def diagonal(low: float, high: float) -> Any:
    """Return the line on which both axes say the same."""
    ends = alt.InlineData(values=[{"at": low}, {"at": high}])
    line = alt.Chart(ends).mark_line(color=GREY, strokeDash=[4, 3], strokeWidth=1)
    return line.encode(x=alt.X("at:Q"), y=alt.Y("at:Q"))


def shade(value: str, low: float, high: float, title: str) -> tuple[Any, Any]:
    """Return the colour of a cell by its value, the darker the larger, and that of text on it.

    Cells without a value are grey.
    """
    defined = f"isValid(datum.{value})"
    colour = alt.Color(
        f"{value}:Q",
        scale=alt.Scale(domain=[low, high], range=["#f7fbff", "#9ecae1", "#3182bd", "#08306b"]),
        legend=alt.Legend(
            title=title, format=".2~f", gradientLength=150, titleLimit=400, direction="horizontal"
        ),
    )
    dark = low + 0.55 * (high - low)
    return (
        alt.condition(defined, colour, alt.value(_UNDEFINED)),
        alt.condition(f"{defined} && datum.{value} > {dark}", alt.value("white"), alt.value("black")),
    )
