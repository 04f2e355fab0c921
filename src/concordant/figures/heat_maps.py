"""A heat map of all pairs of rankings, with similar rankings beside each other."""

from __future__ import annotations

import math
from typing import Any

import altair as alt
import numpy as np

from concordant.figures.kit import Rows, heading, number, rows_of, short, short_label
from concordant.results.words import count
from concordant.typing import Floats

_WITH_VALUES = 30  # rankings, up to which the values stand in the cells
_COLUMN, _PAGE = 270, 600  # pixels of the data: one column, and the width of a page
_GREY = "#c8c8c8"
_EVEN = 0.179  # luminance of a shade on which black and white text have the same contrast
_SEQUENTIAL = ("#f7fbff", "#c6dbef", "#6baed6", "#2171b5", "#08306b")
_DIVERGING = ("#67001f", "#d6604d", "#f7f7f7", "#4393c3", "#053061")


def matrix(result: Any) -> Any:
    """Draw all pairs of rankings: the row is the reference, the column the estimate."""
    c = result.coefficient
    return heatmap(rows_of(result, "matrix"), str(c), distance=c.distance, items="ranking")


def heatmap(rows: Rows, measure: str, *, distance: bool, items: str) -> Any:
    """Draw the table ``matrix``: the value of each pair, in the order of similarity."""
    down, across = list(rows[0])[:2]  # reference and estimate, or two runs
    names = list(dict.fromkeys(row[down] for row in rows))
    values = _square(rows, names, down, across)
    order = [names[k] for k in similarity_order(-values if distance else values)]
    n = len(names)
    step = min(56.0, _COLUMN / n) if n <= 9 else min(32.0, _PAGE / n)
    two_sided = not np.allclose(values, values.T, rtol=0, atol=1e-12, equal_nan=True)
    size = step * n
    ends = _ends(values)
    diagonal = np.diag(values)[~np.isnan(np.diag(values))]
    beyond = bool(len(diagonal)) and (diagonal.min() < ends[0] or diagonal.max() > ends[1])
    axis: dict[str, Any] = {
        **short_label(names, 18),
        "labelFontSize": min(11, max(8, step)),
        "labelOverlap": step < 8,
        "ticks": False,
        "domain": False,
        "grid": False,
    }
    top: dict[str, Any] = {"orient": "top", "labelAngle": -90 if max(map(len, names)) * 6 > step else 0}
    sides = (down, across) if two_sided else (None, None)
    scale = alt.Scale(domain=order, paddingInner=0, paddingOuter=0)
    base = alt.Chart(alt.NamedData("matrix")).encode(
        x=alt.X(f"{across}:N", scale=scale, axis=alt.Axis(**axis, **top, title=sides[1])),
        y=alt.Y(f"{down}:N", scale=scale, axis=alt.Axis(**axis, title=sides[0])),
        tooltip=[
            alt.Tooltip(f"{down}:N", title=sides[0] or items),
            alt.Tooltip(f"{across}:N", title=sides[1] or "with"),
            alt.Tooltip("said:N", title=measure),
        ],
    )
    base = base.transform_calculate(said="datum.value == null ? 'undefined' : format(datum.value, '.4f')")
    colour = alt.Color(
        "value:Q",
        scale=alt.Scale(
            domain=list(np.linspace(ends[0], ends[1], 5).round(10)),
            range=list(_DIVERGING if ends[0] < 0 else _SEQUENTIAL),
            interpolate="rgb",
            clamp=True,
        ),
        legend=alt.Legend(
            title=measure + (" (0: the same)" if distance else ""),
            gradientLength=min(size, 200),
            gradientThickness=10,
            orient="bottom",
            format=".2~f",
            tickCount=5,
            titleLimit=size,
            titleFontWeight="normal",
        ),
    )
    gap = 0.5 if step >= 8 else 0
    layers = [
        base.transform_filter("datum.value != null")
        .mark_rect(stroke="white", strokeWidth=gap)
        .encode(colour),
        base.transform_filter("datum.value == null").mark_rect(
            fill=_GREY, stroke="white", strokeWidth=gap, aria=True
        ),
    ]
    if n <= _WITH_VALUES:
        layers.append(_text(base, step, ends))
    undefined = int(np.isnan(values).sum())
    return alt.layer(*layers).properties(
        width=size,
        height=size,
        title=heading(
            f"{measure} of all pairs of {count(n, items)}",
            _extremes(values, names),
            "Rows and columns are ordered by similarity." if n > 2 else "",
            "On the diagonal: each with itself, beyond the shades." if beyond else "",
            f"Grey: undefined ({undefined} of {n * n})." if undefined else "",
            "Not all names fit; point at a cell to see them." if step < 8 else "",
            width=max(size + 110, 300),
        ),
    )


def _text(base: Any, step: float, ends: tuple[float, float]) -> Any:
    """Return the values in the cells, white on dark shades and black on light ones."""
    digits = "format(datum.value, '.2f')"
    if step < 27:  # without the zero before the point
        digits = f"replace({digits}, regexp('^([-\N{MINUS SIGN}]?)0[.]'), '$1.')"
    low, high = ends
    colours = _DIVERGING if low < 0 else _SEQUENTIAL
    shares = np.linspace(0, 1, 1001)
    light = [share for share in shares if _luminance(colours, float(share)) > _EVEN]
    ends_of_light = [low + float(share) * (high - low) for share in (light[0], light[-1])]
    dark = f"datum.value > {ends_of_light[1]}"
    dark = f"({dark} || datum.value < {ends_of_light[0]})" if low < 0 else dark
    return (
        base.transform_calculate(text=f"datum.value == null ? '-' : {digits}")
        .mark_text(fontSize=max(9, min(11, step / 2.2)))
        .encode(
            text="text:N",
            color=alt.condition(f"datum.value != null && {dark}", alt.value("white"), alt.value("black")),
        )
    )


def _luminance(colours: tuple[str, ...], share: float) -> float:
    """Return the luminance of a shade, as the guidelines for web content (WCAG) define it."""
    parts = np.array([[int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)] for colour in colours])
    shade = np.array([np.interp(share, np.linspace(0, 1, len(colours)), part) for part in parts.T])
    line = np.where(shade <= 0.03928, shade / 12.92, ((shade + 0.055) / 1.055) ** 2.4)
    return float(line @ [0.2126, 0.7152, 0.0722])


def _square(rows: Rows, names: list[str], down: str, across: str) -> Floats:
    place = {name: k for k, name in enumerate(names)}
    values = np.full((len(names), len(names)), math.nan)
    for row in rows:
        if row["value"] is not None:
            values[place[row[down]], place[row[across]]] = row["value"]
    return values


def _off_diagonal(values: Floats) -> Floats:
    return np.where(np.eye(len(values), dtype=np.bool_), math.nan, values)


def _ends(values: Floats) -> tuple[float, float]:
    """Return the ends of the colours: around 0 if there are negative values, else around the values.

    The diagonal does not count: its 1 would leave few shades for the others.
    """
    off = _off_diagonal(values)
    there = off[~np.isnan(off)]
    if not len(there):
        return 0.0, 1.0
    low, high = float(there.min()), float(there.max())
    if max(-low, high) <= 10:
        low, high = math.floor(low * 10) / 10, math.ceil(high * 10) / 10
    if low < 0:
        return -max(-low, high), max(-low, high)
    return (low, high) if high > low else (low, low + 1)


def _extremes(values: Floats, names: list[str]) -> str:
    """Return the smallest and the largest value, with their pairs."""
    off = _off_diagonal(values)
    if np.isnan(off).all():
        return ""
    said = []
    for find in (np.nanargmin, np.nanargmax):
        i, j = divmod(int(find(off)), len(names))
        said.append(f"{number(float(off[i, j]))} ({short(names[i], 28)} and {short(names[j], 28)})")
    return f"From {said[0]} to {said[1]}."


def similarity_order(values: Floats) -> list[int]:
    """Order rankings so that similar ones are beside each other.

    Groups are joined by their average similarity (average linkage). Of the four ways to put two groups side
    by side, the one with the most similar neighbours is used. Undefined values count as least similar.
    """
    n = len(values)
    both = np.where(np.isnan(values), values.T, values)
    alike = (both + both.T) / 2
    least = float(np.nanmin(alike)) if not np.isnan(alike).all() else 0.0
    alike = np.where(np.isnan(alike), least, alike)
    between = alike.copy()  # similarity of groups; -inf for groups that were joined
    np.fill_diagonal(between, -math.inf)
    groups: list[list[int]] = [[k] for k in range(n)]
    sizes = np.ones(n)
    for _ in range(n - 1):
        i, j = sorted(divmod(int(np.argmax(between)), n))
        one, other = groups[i], groups[j]
        ways = [(a, b) for a in (one, one[::-1]) for b in (other, other[::-1])]
        first, second = max(ways, key=lambda way: alike[way[0][-1], way[1][0]])
        groups[i] = first + second
        merged = (sizes[i] * between[i] + sizes[j] * between[j]) / (sizes[i] + sizes[j])
        sizes[i] += sizes[j]
        between[i], between[:, i] = merged, merged
        between[i, i] = -math.inf
        between[j], between[:, j] = -math.inf, -math.inf
    found = max(groups, key=len)
    return found[::-1] if found.index(0) > (n - 1) / 2 else found
