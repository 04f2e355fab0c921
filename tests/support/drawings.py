"""Figures as trees of elements. One that was drawn is not drawn again: it takes a tenth of a second."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from concordant.figures.draw import figure_bytes

SVG = "{http://www.w3.org/2000/svg}"
_drawn: dict[tuple[Any, ...], tuple[Any, ElementTree.Element]] = {}


def svg(result: Any, figure: str | None = None, **choices: str) -> ElementTree.Element:
    """Return a figure of a result; nobody may change it."""
    key = id(result), figure, *choices.items()
    if key not in _drawn:  # the result is kept too, so that no other gets its number
        _drawn[key] = result, ElementTree.fromstring(figure_bytes(result, "svg", figure, **choices))
    return _drawn[key][1]
