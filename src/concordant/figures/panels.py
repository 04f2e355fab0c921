"""Shared parts of charts: titles that fit, panels in rows of three, readable cells."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from concordant.figures.style import COLOURS, SHAPES

__all__ = [
    "COLUMNS",
    "GREY",
    "PANEL",
    "POINTED",
    "SHADES",
    "UNDEFINED",
    "cells",
    "diagonal",
    "different",
    "in_panels",
    "ink",
    "marks",
    "on_legend",
    "system_param",
    "titled",
]

COLUMNS = 3  # panels beside one another, on the width of a page
PANEL = 165  # width in pixels of the data of one of them
GREY = "#767676"
SHADES = ("#e3eef9", "#9ecae1", "#3182bd", "#08306b")  # from few to many, also in grey print
UNDEFINED = "#cccccc"  # the colour of a cell without a value
POINTED = "system === null || datum.system === system"  # no system is pointed at, or this one


def different(values: Iterable[Any]) -> list[Any]:
    """Return the different values in the order in which they come."""
    return list(dict.fromkeys(values))


def titled(chart: Any, title: str, subtitle: str, columns: int = 1) -> Any:
    """Give a chart a title and a line about its data, broken to the width of its panels."""
    letters = {1: 50, 2: 58}.get(columns, 84)
    text, below = _lines(title, letters), _lines(subtitle, round(letters * 1.25))
    return chart.properties(title=alt.TitleParams(text, subtitle=below))


def _lines(text: str, letters: int) -> list[str]:
    """Break a text into as few lines as needed, of about the same length."""
    lines = textwrap.wrap(text, letters)
    widths = range(1 + len(text) // max(1, len(lines)), letters + 1)
    broken = (textwrap.wrap(text, width) for width in widths)
    return next((found for found in broken if len(found) == len(lines)), lines)


def in_panels(
    layers: Any,
    label: str,
    names: Sequence[str],
    *,
    width: float = PANEL,
    height: float = PANEL,
    columns: int = COLUMNS,
) -> Any:
    """Repeat a chart in panels with the same axes, one for each name.

    `label` is a Vega expression that gives the name of the panel of a row; " · " in it breaks the line.
    """
    columns = min(columns, len(names))
    split = "split(datum.label, ' · ')"
    header = alt.Header(labelExpr=split, labelLimit=width + 40, labelPadding=4, title=None)
    facet = alt.Facet("panel:N", sort=list(names), header=header)
    found = layers.properties(width=width, height=height).facet(facet, columns=columns, spacing=14)
    # The names are computed before all else: the order of the panels is taken from them.
    found = found.transform_calculate(panel=label)
    # In a last row that is not full, a panel above the gap would have no axis.
    return found.resolve_axis(x="independent") if len(names) % columns else found


def on_legend(field: str) -> tuple[Any, Any]:
    """Return a selection by a click on the legend, and the opacity that it gives to marks."""
    chosen = alt.selection_point(name="legend", fields=[field], bind="legend")
    return chosen, alt.condition(chosen, alt.value(1), alt.value(0.12))


def marks(field: str, names: Sequence[str], **legend: Any) -> tuple[Any, Any]:
    """Return the colour and the shape of each name; both are in one legend."""
    colours = [COLOURS[i % len(COLOURS)] for i in range(len(names))]
    shapes = [SHAPES[i % len(SHAPES)] for i in range(len(names))]
    shown = alt.Legend(**legend)
    return (
        alt.Color(f"{field}:N", scale=alt.Scale(domain=list(names), range=colours), legend=shown),
        alt.Shape(f"{field}:N", scale=alt.Scale(domain=list(names), range=shapes), legend=shown),
    )


def system_param() -> Any:
    """Return the parameter that names the system pointed at."""
    return alt.param(name="system", value=None)


def diagonal(low: float, high: float) -> Any:
    """Return the line on which both axes have the same value."""
    ends = alt.InlineData(values=[{"at": low}, {"at": high}])
    line = alt.Chart(ends).mark_line(color=GREY, strokeDash=[4, 3], strokeWidth=1)
    return line.encode(x=alt.X("at:Q"), y=alt.Y("at:Q"))


def cells(base: Any, value: str, low: float, high: float, title: str, **mark: Any) -> Any:
    """Return the cells of a table, the darker the larger their value; those without a value are grey."""
    colour = alt.Color(
        f"{value}:Q",
        scale=alt.Scale(domain=[low, high], range=list(SHADES)),
        legend=alt.Legend(
            title=title, format=".2~f", gradientLength=150, titleLimit=400, direction="horizontal"
        ),
    )
    undefined = base.mark_rect(color=UNDEFINED, **mark).transform_filter(f"!isValid(datum.{value})")
    return alt.layer(undefined, base.mark_rect(**mark).encode(color=colour))


def ink(value: str, low: float, high: float) -> Any:
    """Return the colour of text on a cell: white from where it has more contrast than black."""
    dark = low + 0.62 * (high - low)
    test = f"isValid(datum.{value}) && datum.{value} > {dark}"
    return alt.condition(test, alt.value("white"), alt.value("black"))
