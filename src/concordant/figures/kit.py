"""The kit of all figures: Vega-Lite specifications as dictionaries, in one style.

A figure is made of rows (`Source`), marks (`Source.draw`) and encodings (`of`). Names of systems, judges,
measures and topics come from files of other people: in an expression of Vega they stand as `quoted` text.
"""

from __future__ import annotations

import json
import math
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from typing import Any

from concordant.results.text_columns import shortened as told_apart

Spec = dict[str, Any]
Rows = list[dict[str, Any]]

# Okabe and Ito (2008): distinct for all common kinds of colour vision. Shapes repeat the information.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "stroke")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [10, 4], [4, 2, 1, 2], [1, 3])
BLUE, ORANGE = COLOURS[:2]
GREY, FAINT = "#767676", "#d9d9d9"  # the first is dark enough on white for text
SEQUENTIAL = ("#f7fbff", "#c6dbef", "#6baed6", "#2171b5", "#08306b")
DIVERGING = ("#67001f", "#d6604d", "#f7f7f7", "#4393c3", "#053061")
_DARK = {
    False: (-1.0, 0.714),
    True: (0.209, 0.81),
}  # shares of the shades before and after which text is white
_WITH_VALUES = 17  # pixels of a cell, from which the value stands in it
UNDEFINED = "#cccccc"  # the colour of a cell without a value
COLUMN, PANEL = 320, 150  # width in pixels of the data of one column, and of one of its two panels
PER_CM = 72 / 2.54 * 11 / 8  # pixels of a centimetre in print, where text of 11 pixels has 8 points
NARROW = 480  # pixels: a figure with less room leaves out what it can
HIGHEST = 400  # pixels of the height of a scatter
TYPE = 9.7  # pixels of the smallest text, 7 points in print
_AXIS = 50  # pixels of an axis
NAME = 22  # characters of a name on an axis
NUMBERS = {"tickCount": 5, "labelFlush": False, "labelSeparation": 4}  # few, for a narrow axis
NO_DOMAIN = {"ticks": False, "domain": False}
INTERVAL = "datum.low == null ? '-' : '[' + format(datum.low, '.4f') + ', ' + format(datum.high, '.4f') + ']'"
# Marks that come again and again, with their options.
_POINT = {"type": "point", "filled": True, "opacity": 1}
MARKS: dict[str, Spec] = {
    "dot": _POINT | {"color": BLUE},
    "diamond": _POINT | {"shape": "diamond", "size": 70, "color": ORANGE},
    "end": {"type": "point", "shape": "M-1,-1L1,1M1,-1L-1,1", "color": "black"},
    "swap": {"type": "point", "shape": "cross", "angle": 45, "filled": True},
    "interval": {"type": "rule", "strokeWidth": 1.4, "color": BLUE},
    "median": {"type": "tick", "thickness": 2.5, "size": 16, "color": "black", "opacity": 1},
    "label": {"type": "text", "align": "left", "fontSize": 11},
    "beside": {"type": "text", "align": "left", "dx": 6, "fontSize": 11},
    "undefined": {"type": "text", "text": "- undefined", "align": "left", "dx": 4},
    "dash": {"type": "text", "text": "-", "fontSize": 14, "baseline": "bottom"},
    "same": {"type": "line", "color": GREY, "strokeDash": [4, 3], "strokeWidth": 1},
}
_TEXT = {"labelFontSize": 11, "titleFontSize": 12}
CONFIG: Spec = {
    "view": {"continuousWidth": 300, "continuousHeight": 300, "stroke": None},
    "font": "Liberation Sans, Arial, Helvetica, sans-serif",
    "background": "white",
    "axis": {**_TEXT, "titleFontWeight": "normal", "gridColor": "#e6e6e6"},
    "title": {"fontSize": 13, "anchor": "start", "subtitleFontSize": 11, "offset": 8},
    "legend": {**_TEXT, "titleFontWeight": "normal", "orient": "bottom", "labelLimit": 220},
    "range": {"category": list(COLOURS), "symbol": list(SHAPES)},
    "header": {"labelFontSize": 12, "titleFontSize": 12},
}
_TYPES = {"Q": "quantitative", "N": "nominal", "O": "ordinal"}
_SIGNS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
# The columns of tables as tooltips name them; all others have their own names, without underscores.
_WORDS = {"estimate_measure": "measure of the estimate", "low": "interval from", "high": "to"}
_WORDS |= {"gain": "ranks gained", "pvalue": "p"}
_WORDS |= {
    f"{side}_{what}": f"{what} by the {side}"
    for side in ("reference", "estimate")
    for what in ("rank", "score")
}


@dataclass(frozen=True)
class Figure:
    """A figure: its words, and a specification that names the tables of the result as its data."""

    title: str
    spec: Spec
    caption: Sequence[str] = ()
    """What the marks mean, a sentence each; empty ones are left out."""
    width: float = 340
    """The pixels of a line of the title."""
    said: Sequence[tuple[Mapping[str, str], str, str]] = ()
    """For each choice among the parameters: its title, and a line below; they stand for `title`."""
    params: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Rows] = field(default_factory=dict)
    """Rows that are in no table."""
    linked: Sequence[str] = ()
    """The tables with the numbers of `data`."""

    @property
    def words(self) -> tuple[str, str]:
        """The title of what is chosen, and the line below it."""
        found = (each[1:] for each in self.said if each[0].items() <= self.params.items())
        return next(found, (self.title, ""))

    def heading(self) -> Spec:
        """Return the title of the picture, in lines."""
        title, line = self.words
        return heading(title, line, *self.caption, width=self.width)

    def text(self, *more: str) -> str:
        """Return title and caption as sentences, with more at the end."""
        title, line = self.words
        parts = (part.strip().rstrip(".") for part in (title, line, *self.caption, *more))
        return " ".join(f"{part}." for part in parts if part)


@dataclass(frozen=True)
class Source:
    """The rows of a table, or of the figure's own data, and what Vega does with them before it draws."""

    name: str = ""
    transform: tuple[Spec, ...] = ()

    def then(self, *steps: Spec) -> Source:
        """Return the rows after further steps."""
        return Source(self.name, self.transform + steps)

    def where(self, test: str) -> Source:
        """Return the rows for which an expression is true."""
        return self.then({"filter": test})

    def adding(self, **expressions: str) -> Source:
        """Return the rows with further columns."""
        return self.then(*({"calculate": text, "as": name} for name, text in expressions.items()))

    def numbered(self, name: str, *by: str) -> Source:
        """Return the rows with their number, in the order of some columns."""
        window: Spec = {"window": [{"op": "row_number", "field": "", "as": name}]}
        return self.then(window | ({"sort": [{"field": each} for each in by]} if by else {}))

    def grouped(self, by: Sequence[str], **operations: str) -> Source:
        """Return a row for each group, with columns such as ``low="min(score)"``."""
        found = []
        for name, text in operations.items():
            op, column = text.rstrip(")").split("(")
            found.append({"op": op, **({"field": column} if column else {}), "as": name})
        return self.then({"aggregate": found, "groupby": list(by)})

    def draw(self, mark: str, **how: Any) -> Spec:
        """Return marks of Vega-Lite, or of `MARKS`, for the rows.

        A column is shown by a text for `of`, or by a dictionary; all else are options of the mark.
        """
        found: Spec = {"data": {"name": self.name}} if self.name else {}
        found |= {"transform": list(self.transform)} if self.transform else {}
        how = MARKS.get(mark, {"type": mark}) | how
        given = {name: each for name, each in how.items() if _is_shown(each)}
        shown = {name: of(each) if isinstance(each, str) else each for name, each in given.items()}
        for name in ("x2", "y2"):
            shown.get(name, {}).pop("type", None)
        options = {name: each for name, each in how.items() if name not in shown}
        return found | {"mark": options, "encoding": shown}


def _is_shown(option: Any) -> bool:
    """Return whether an option of a mark depends on the row."""
    if isinstance(option, dict):
        return not {"field", "condition", "datum", "value"}.isdisjoint(option)
    if isinstance(option, list):
        return isinstance(option[0], dict)
    return isinstance(option, str) and ":" in option


def of(text: str, **how: Any) -> Spec:
    """Return how a column is shown: "score:Q" is a number, "score:.4f:mean score" has format and title."""
    name, kind, title, *_ = [*text.split(":"), "", ""]
    operation, _, column = name.rstrip(")").rpartition("(")
    found: Spec = {"field": column} | ({"aggregate": operation} if operation else {})
    found |= {"type": _TYPES.get(kind, "quantitative")} if kind else {}
    found |= {"format": kind} if kind and kind not in _TYPES else {}
    return found | ({"title": title} if title else {}) | how


def tips(*texts: str) -> list[Spec]:
    """Return a tooltip; a text may list several columns: "value low high:.4f"."""
    parts = [text.partition(":") for text in texts]
    each = ((name, kind or "N") for names, _, kind in parts for name in names.split())
    return [{"title": _WORDS.get(n, n.replace("_", " ")), **of(f"{n}:{kind}")} for n, kind in each]


def told(text: str, names: Sequence[str], values: Sequence[Any], **how: Any) -> Spec:
    """Return an encoding that tells names apart, such as by colours, which come again if they are too few."""
    return of(text, scale={"domain": list(names), "range": list(islice(cycle(values), len(names)))}, **how)


def marks(column: str, names: Sequence[str], **legend: Any) -> tuple[Spec, Spec]:
    """Return the colour and the shape of each name; both are in one legend."""
    colour, shape = (told(f"{column}:N", names, each, legend=legend) for each in (COLOURS, SHAPES))
    return colour, shape


def either(test: str, value: Any, other: Any) -> Spec:
    """Return one value for the rows for which an expression is true, and one for the others."""
    return {"condition": {"test": test, "value": value}, "value": other}


def pointed(value: Any, other: Any) -> Spec:
    """Return a value for the system that is pointed at (for all if none is), and one for the others."""
    return either("system === null || datum.system === system", value, other)


def larger(value: float, other: float) -> Spec:
    """Return a size for the system that is pointed at, and one for the others."""
    return either("datum.system === system", value, other)


def exact(ends: Sequence[float]) -> Spec:
    """Return a scale that ends where it is told to."""
    return {"domain": list(ends), "nice": False, "zero": False}


def diagonal(low: float, high: float, **scales: Any) -> Spec:
    """Return the line on which both axes have the same value."""
    ends = {"data": {"values": [{"at": low}, {"at": high}]}}
    return ends | Source().draw("same", x=of("at:Q", **scales), y=of("at:Q", **scales))


def shade_ends(values: Iterable[float | None]) -> tuple[float, float]:
    """Return the ends of the shades: 0 and 1, or -1 and 1, so that a value always has the same shade."""
    there = [value for value in values if value is not None and not math.isnan(value)]
    low, high = min(there, default=0.0), max(there, default=1.0)
    high = max(1.0, high)  # a distance has no end
    return (min(-high, low), max(high, -low)) if low < 0 else (0.0, high)


def ink(column: str, ends: tuple[float, float]) -> Spec:
    """Return the colour of text on a shade: white from where it has more contrast than black."""
    low, high = ends
    first, last = (low + share * (high - low) for share in _DARK[low < 0])
    dark = f"datum.{column} > {last} || datum.{column} < {first}"
    return either(f"isValid(datum.{column}) && ({dark})", "white", "black")


def cells(
    source: Source, place: Spec, column: str, ends: tuple[float, float], title: str, step: float
) -> list[Spec]:
    """Return the cells of a table, with their values if they are large; those without a value are grey."""
    shades = DIVERGING if ends[0] < 0 else SEQUENTIAL
    places = [round(ends[0] + k / 4 * (ends[1] - ends[0]), 10) for k in range(5)]
    legend = {"title": title, "format": ".2~f", "gradientLength": 150, "titleLimit": 400, "tickCount": 5}
    legend |= {"direction": "horizontal", "orient": "bottom", "gradientThickness": 10}
    scale = {"domain": places, "range": list(shades), "interpolate": "rgb", "clamp": True}
    border = {"stroke": "white", "strokeWidth": 0.5 if step >= 8 else 0}
    there, lost = source.where(f"isValid(datum.{column})"), source.where(f"!isValid(datum.{column})")
    layers = [
        there.draw("rect", **border, **place, color=of(f"{column}:Q", scale=scale, legend=legend)),
        lost.draw("rect", fill=UNDEFINED, **border, **place),
    ]
    if step < _WITH_VALUES:
        return layers
    digits = f"format(datum.{column}, '.2f')"
    if step < 27:  # without the zero before the point
        digits = f"replace({digits}, regexp('^([-\N{MINUS SIGN}]?)0[.]'), '$1.')"
    shown = source.adding(text=f"isValid(datum.{column}) ? {digits} : '-'")
    size = max(TYPE, min(11, step / 2.2))
    return [*layers, shown.draw("text", fontSize=size, **place, text="text:N", color=ink(column, ends))]


def in_panels(
    title: str, caption: str, source: Source, layers: Sequence[Spec], names: Sequence[str], **how: Any
) -> Figure:
    """Return a figure that repeats layers in panels with the same axes, one for each name.

    Among the options are `size` (width and height, or one for both), `columns`, and `label`, the expression
    of the name of the panel of a row, in which " · " breaks the line. The others are those of `Figure`.
    """
    size, label = how.pop("size", PANEL), how.pop("label", "datum.coefficient")
    columns = min(how.pop("columns", 3), len(names))
    width, height = size if isinstance(size, tuple) else (size, size)
    split = {"labelExpr": "split(datum.label, ' · ')", "labelLimit": 0, "labelPadding": 4}
    panel: Spec = {"layer": list(layers), "width": width, "height": height}
    panel |= {"transform": list(source.transform)} if source.transform else {}
    spec = {
        "data": {"name": source.name},
        # The names are computed before all else: the order of the panels is taken from them.
        "transform": [{"calculate": label, "as": "panel"}],
        "facet": of("panel:N", sort=list(names), header={**split, "title": None}),
        "spec": panel,
        "spacing": 14,
        **_in_columns(len(names), columns),
    }
    return Figure(title, spec, (caption,), width={1: 340, 2: 365}.get(columns, 527), **how)


def _in_columns(n: int, columns: int) -> Spec:
    # In a last row that is not full, a panel above the gap would have no axis.
    return {"columns": columns, **({"resolve": {"axis": {"x": "independent"}}} if n % columns else {})}


def fitted(figure: Figure, room: float) -> Figure:
    """Return a figure with as many panels side by side as fit into so many pixels, and lines as long."""
    spec = figure.spec
    if "facet" in spec:
        between = spec["spacing"]
        columns = int((room - _AXIS + between) // (spec["spec"]["width"] * 0.85 + between))
        spec = spec | _in_columns(len(spec["facet"]["sort"]), max(1, min(spec["columns"], columns)))
    return replace(figure, spec=spec, width=room)


def stretched(spec: Any, factor: float) -> Any:
    """Return a specification whose data are so many times as wide; words and steps of cells stay the same."""
    if isinstance(spec, list):
        return [stretched(each, factor) for each in spec]
    parts = ("spec", "hconcat", "vconcat")
    found = {name: stretched(each, factor) if name in parts else each for name, each in spec.items()}
    width, square = spec.get("width"), spec.get("height") == spec.get("width")
    if not isinstance(width, int | float) or ("mark" in spec and spec["mark"]["type"] == "text"):
        return found
    height = min(width * factor, max(width, HIGHEST)) if square else spec.get("height")
    return found | {"width": width * factor} | ({} if height is None else {"height": height})


def stacked(title: str, panels: Sequence[Spec], *caption: str, spacing: float = 14, **more: Any) -> Figure:
    """Return a figure of panels below each other."""
    return Figure(title, {"vconcat": list(panels), "spacing": spacing}, caption, **more)


def span(low: str, high: str, channel: str = "x", /, **how: Any) -> Spec:
    """Return from where to where a mark goes; a title is that of the axis, not of the lower end."""
    title = {"axis": {**how.get("axis", {}), "title": how.pop("title")}} if "title" in how else {}
    return {channel: of(f"{low}:Q", **how | title), f"{channel}2": f"{high}:Q"}


def wrapped(text: str, letters: float) -> list[str]:
    """Break a text into as few lines as needed, of about the same length."""
    lines = textwrap.wrap(text, int(letters), break_on_hyphens=False)
    longest = max(map(len, text.split()), default=1)  # words are not broken for this
    widths = range(max(longest, 1 + len(text) // max(1, len(lines))), int(letters) + 1)
    broken = (textwrap.wrap(text, width, break_on_hyphens=False) for width in widths)
    return next((found for found in broken if len(found) == len(lines)), lines)


def heading(text: str, *caption: str, width: float = 340) -> Spec:
    """Return a title and the lines below it, broken to fit into so many pixels."""
    below = [line for part in caption if part for line in wrapped(part, width / 5.4)]
    return {"text": wrapped(text, width / 6.8), "subtitle": below}


def panel_title(text: str) -> Spec:
    """Return the title of one panel of several."""
    return {"text": text, "fontSize": 11.5, "fontWeight": "normal", "offset": 4}


def quoted(text: Any) -> str:
    """Return a text, or a list of texts, as it stands in an expression of Vega.

    Vega fails on a literal that is the name of a property of every object ("constructor"), so that a sign is
    put before the text and cut off again. What is absent is null, and a number is itself.
    """
    if text is None or isinstance(text, float):
        return json.dumps(text)
    if isinstance(text, list):
        return f"[{', '.join(map(quoted, text))}]"
    return f"slice({json.dumps(f'-{without_signs(text)}')}, 1)"


def without_signs(text: Any) -> str:
    """Return a text that a file can hold: control characters, and what turns the writing, are escapes."""
    return _SIGNS.sub(lambda found: ascii(found[0])[1:-1], str(text))


def same(row: Mapping[str, Any], *columns: str) -> str:
    """Return the expression that is true for rows with the same values in some columns."""
    return " && ".join(f"datum.{name} === {quoted(row[name])}" for name in columns)


def short_names(names: Iterable[Any], most: int = NAME) -> dict[Any, str]:
    """Return short forms of names, in which different names stay different."""
    own = list(dict.fromkeys(names))
    return dict(zip(own, told_apart(list(map(without_signs, own)), most), strict=True))


def shortened(name: str, names: Iterable[Any], most: int = NAME) -> str:
    """Return the expression of the short form of a name, which is an expression too, among others.

    Limits in pixels are not used for names, because they cut emoji in two and make names equal.
    """
    cut = {own: short for own, short in short_names(names, most).items() if short != without_signs(own)}
    return f"({quoted(list(cut.values()))}[indexof({quoted(list(cut))}, {name})] || {name})" if cut else name


def name_axis(names: Iterable[Any], most: int = NAME, **how: Any) -> Spec:
    """Return an axis of names, of which long ones are shortened in the middle."""
    text = shortened("datum.label", names, most)
    return {"labelExpr": text, "labelLimit": 0, "title": None, **NO_DOMAIN, **how}


def name_legend(names: Iterable[Any], **how: Any) -> Spec:
    """Return a legend of names, of which long ones are shortened in the middle."""
    return {"labelExpr": shortened("datum.label", names, 30), "labelLimit": 0, **how}


def signed(value: int) -> str:
    """Return a whole number with its sign."""
    return f"{value:+d}".replace("-", "\N{MINUS SIGN}") if value else "0"


def level_text(options: Mapping[str, Any], what: str = "intervals") -> str:
    """Return the level of intervals, as "95% intervals"; empty if there are none."""
    level = options.get("confidence_level")
    return "" if level is None else f"{100 * level:.10g}% {what}"


def distinct(rows: Iterable[Mapping[str, Any]], *columns: str) -> list[Any]:
    """Return the different values of a column, or of several columns as tuples, in the order of the rows."""
    found = dict.fromkeys(tuple(row[name] for name in columns) for row in rows)
    return [value for (value,) in found] if len(columns) == 1 else list(found)


def part(row: Mapping[str, Any], *columns: str) -> dict[str, Any]:
    """Return some columns of a row."""
    return {name: row[name] for name in columns}


def groups(rows: Iterable[dict[str, Any]], *columns: str) -> dict[Any, Rows]:
    """Return the rows in groups that have the same values in some columns."""
    found: dict[Any, Rows] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in columns), []).append(row)
    return found


def domain_of(
    values: Iterable[float | None], bounds: tuple[float, float] = (-math.inf, math.inf), step: float = 0.1
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


def rank_axis(n: int) -> Spec:
    """Return an axis of ranks: whole numbers, of which 1 is the first."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, n) if n / step <= 8)
    return {"values": [1, *range(max(step, 2), n + 1, step)], "format": "d", "labelFlush": False}


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
    return [place for _, place in sorted(zip(order, found, strict=True))]
