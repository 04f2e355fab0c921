"""A heat map of all pairs of rankings, with similar rankings beside each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import Figure, Rows, Source, Spec, distinct, number, of
from concordant.results.words import count
from concordant.typing import Floats

_WITH_VALUES = 30  # rankings, up to which the values stand in the cells
_COLUMN, _PAGE = 270, 600  # pixels of the data: one column, and the width of a page
_GREY = "#c8c8c8"
_EVEN = 0.179  # luminance of a shade on which black and white text have the same contrast
_SEQUENTIAL = ("#f7fbff", "#c6dbef", "#6baed6", "#2171b5", "#08306b")
_DIVERGING = ("#67001f", "#d6604d", "#f7f7f7", "#4393c3", "#053061")


def matrix(tables: Tables) -> Figure:
    """Draw all pairs of rankings: the row is the reference, the column the estimate."""
    c = tables.result.coefficient
    return heat_map(tables.rows("matrix"), str(c), distance=c.distance, items="ranking")


def heat_map(rows: Rows, measure: str, *, distance: bool, items: str, prefix: str = "") -> Figure:
    """Draw the table ``matrix``: the value of each pair, in the order of similarity."""
    down, across = list(rows[0])[:2]  # reference and estimate, or two runs
    names = distinct(rows, down)
    values = _square(rows, names, down, across)
    order = [names[k] for k in similarity_order(-values if distance else values)]
    n = len(names)
    step = min(56.0, _COLUMN / n) if n <= 9 else min(32.0, _PAGE / n)
    two_sided = not np.allclose(values, values.T, rtol=0, atol=1e-12, equal_nan=True)
    size, ends = step * n, _ends(values)
    diagonal = np.diag(values)[~np.isnan(np.diag(values))]
    beyond = bool(len(diagonal)) and (diagonal.min() < ends[0] or diagonal.max() > ends[1])
    font = min(11, max(8, step))
    axis = kit.name_axis(names, 18, labelFontSize=font, labelOverlap=step < 8, grid=False)
    scale = {"domain": order, "paddingInner": 0, "paddingOuter": 0}
    sides = (down, across) if two_sided else (None, None)
    angle = -90 if max(map(len, names)) * 6 > step else 0
    top = axis | {"orient": "top", "labelAngle": angle, "title": sides[1]}
    titles = {down: sides[0] or items, across: sides[1] or "with", "said": measure}
    left = axis | {"title": sides[0]}
    x, y = of(f"{across}:N", scale=scale, axis=top), of(f"{down}:N", scale=scale, axis=left)
    place = {"x": x, "y": y, "tooltip": [of(f"{name}:N", title=title) for name, title in titles.items()]}
    cells = Source("matrix").adding(said="datum.value == null ? 'undefined' : format(datum.value, '.4f')")
    border = {"stroke": "white", "strokeWidth": 0.5 if step >= 8 else 0}
    colour = _colour(measure + (" (0: the same)" if distance else ""), ends, size)
    layers = [
        cells.where("datum.value != null").draw("rect", **border, **place, color=colour),
        cells.where("datum.value == null").draw("rect", fill=_GREY, **border, aria=True, **place),
        *([_text(cells, place, step, ends)] if n <= _WITH_VALUES else []),
    ]
    undefined = int(np.isnan(values).sum())
    return Figure(
        f"{prefix}{measure} of all pairs of {count(n, items)}",
        {"layer": layers, "width": size, "height": size},
        caption=(
            _extremes(values, names),
            "Rows and columns are ordered by similarity." if n > 2 else "",
            "On the diagonal: each with itself, beyond the shades." if beyond else "",
            f"Grey: undefined ({undefined} of {n * n})." if undefined else "",
            "Not all names fit; point at a cell to see them." if step < 8 else "",
        ),
        width=max(size + 110, 300),
    )


def _colours(ends: tuple[float, float]) -> tuple[str, ...]:
    return _DIVERGING if ends[0] < 0 else _SEQUENTIAL


def _colour(title: str, ends: tuple[float, float], size: float) -> Spec:
    places = np.linspace(ends[0], ends[1], 5).round(10).tolist()
    scale = {"domain": places, "range": list(_colours(ends)), "interpolate": "rgb", "clamp": True}
    text = {"title": title, "titleLimit": size, "titleFontWeight": "normal", "format": ".2~f", "tickCount": 5}
    legend = {**text, "orient": "bottom", "gradientLength": min(size, 200), "gradientThickness": 10}
    return of("value:Q", scale=scale, legend=legend)


def _text(cells: Source, place: Spec, step: float, ends: tuple[float, float]) -> Spec:
    """Return the values in the cells, white on dark shades and black on light ones."""
    digits = "format(datum.value, '.2f')"
    if step < 27:  # without the zero before the point
        digits = f"replace({digits}, regexp('^([-\N{MINUS SIGN}]?)0[.]'), '$1.')"
    low, high = ends
    light = [share for share in np.linspace(0, 1, 1001).tolist() if _luminance(_colours(ends), share) > _EVEN]
    first, last = (low + share * (high - low) for share in (light[0], light[-1]))
    dark = f"(datum.value > {last} || datum.value < {first})" if low < 0 else f"datum.value > {last}"
    ink = kit.either(f"datum.value != null && {dark}", "white", "black")
    written = cells.adding(text=f"datum.value == null ? '-' : {digits}")
    return written.draw("text", fontSize=max(9, min(11, step / 2.2)), **place, text="text:N", color=ink)


def _luminance(colours: tuple[str, ...], share: float) -> float:
    """Return the luminance of a shade, as the guidelines for web content (WCAG) define it."""
    parts = np.array([[int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)] for colour in colours])
    shade = np.array([np.interp(share, np.linspace(0, 1, len(colours)), part) for part in parts.T])
    line = np.where(shade <= 0.03928, shade / 12.92, ((shade + 0.055) / 1.055) ** 2.4)
    return float(line @ [0.2126, 0.7152, 0.0722])


def _square(rows: Rows, names: list[Any], down: str, across: str) -> Floats:
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
    said, label = [], kit.short_names(names, 28)
    for find in (np.nanargmin, np.nanargmax):
        i, j = divmod(int(find(off)), len(names))
        said.append(f"{number(float(off[i, j]))} ({label[names[i]]} and {label[names[j]]})")
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
