"""The style of all figures: colours for all kinds of colour vision, and text that is legible in print.

A figure of one column is 8.5 cm wide in print, which is 241 points; text of 9 points is legible there.
"""

from __future__ import annotations

from typing import Any

__all__ = ["COLOURS", "COLUMN", "SHAPES", "styled"]

# Okabe and Ito (2008): distinct for all common kinds of colour vision. Shapes repeat the information.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "stroke")
COLUMN = 320  # width in pixels of the data of a figure of one column

_FONT = "Liberation Sans, Arial, Helvetica, sans-serif"


def styled(chart: Any) -> Any:
    """Return a chart with the theme of all figures."""
    # In one call, because each call copies the whole chart.
    return chart.configure(
        font=_FONT,
        background="white",
        axis={
            "labelFontSize": 11,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "gridColor": "#e6e6e6",
        },
        title={"fontSize": 13, "anchor": "start", "subtitleFontSize": 11, "offset": 8},
        legend={
            "labelFontSize": 11,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "orient": "bottom",
            "labelLimit": 220,
        },
        range={"category": list(COLOURS), "symbol": list(SHAPES)},
        view={"stroke": None},
        header={"labelFontSize": 12, "titleFontSize": 12},
    )
