"""A heat map of all pairs of rankings or runs, with similar ones beside each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from concordant.coefficients.declaration import read_coefficient
from concordant.errors import ConcordantError
from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import Figure, Rows, Source, distinct, of
from concordant.results.words import count, number
from concordant.typing import Floats

_COLUMN, _PAGE = 270, 600  # pixels of the data: one column, and the width of a page


def matrix(tables: Tables) -> Figure | None:
    """Draw all pairs: the row is the reference, the column the estimate; of runs the mean over topics."""
    rows, result = tables.rows("matrix"), tables.result
    if not rows:
        return None
    of_runs = hasattr(result, "measure")
    measure = str(result.measure if of_runs else result.coefficient)
    items, prefix = ("run", "Mean ") if of_runs else ("ranking", "")
    distance = _is_distance(measure) if of_runs else result.coefficient.distance
    down, across = list(rows[0])[:2]  # reference and estimate, or two runs
    names = distinct(rows, down)
    values = _square(rows, names, down, across)
    order = [names[k] for k in similarity_order(-values if distance else values)]
    n = len(names)
    longest = min(18, max(map(len, names)))
    across_all = _PAGE if tables.room is None else tables.room - 6 * longest - 20
    few = n <= 9
    step = min(56.0 if few else 32.0, (_COLUMN if few and tables.room is None else across_all) / n)
    two_sided = not np.allclose(values, values.T, rtol=0, atol=1e-12, equal_nan=True)
    named = step >= kit.TYPE
    font = min(11, max(kit.TYPE, step))
    axis = kit.name_axis(names, 18, labelFontSize=font, labelOverlap=not named, grid=False)
    scale = {"domain": order, "paddingInner": 0, "paddingOuter": 0}
    sides = (down, across) if two_sided else (None, None)
    angle = -90 if max(map(len, names)) * 6 > step else 0
    top = axis | {"orient": "top", "labelAngle": angle, "title": sides[1]}
    titles = {down: sides[0] or items, across: sides[1] or "with", "said": measure}
    left = axis | {"title": sides[0]}
    x, y = of(f"{across}:N", scale=scale, axis=top), of(f"{down}:N", scale=scale, axis=left)
    place = {"x": x, "y": y, "tooltip": [of(f"{name}:N", title=title) for name, title in titles.items()]}
    cells = Source("matrix").where(f"datum.{down} !== datum.{across}")  # each with itself says nothing
    cells = cells.adding(said="datum.value == null ? 'undefined' : format(datum.value, '.4f')")
    title, ends = measure + (" (0: the same)" if distance else ""), kit.shade_ends(_off_diagonal(values).flat)
    layers = kit.cells(cells, place, "value", ends, title, step)
    undefined = int(np.isnan(values[~np.eye(n, dtype=np.bool_)]).sum())
    return Figure(
        _title(values, names, f"{prefix}{measure}", items),
        {"layer": layers, "width": {"step": step}, "height": {"step": step}},
        caption=(
            f"{count(n, items)}; most and least alike: {_extremes(values, names, distance)}."
            if n > 2
            else "",
            "Rows and columns are ordered by similarity." if n > 2 else "",
            f"Grey: undefined ({undefined} of {n * n - n})." if undefined else "",
            "" if named else "Not all names fit.",
        ),
        width=max(step * n + 110, 300),
    )


def _square(rows: Rows, names: list[Any], down: str, across: str) -> Floats:
    place = {name: k for k, name in enumerate(names)}
    values = np.full((len(names), len(names)), math.nan)
    for row in rows:
        if row["value"] is not None:
            values[place[row[down]], place[row[across]]] = row["value"]
    return values


def _off_diagonal(values: Floats) -> Floats:
    return np.where(np.eye(len(values), dtype=np.bool_), math.nan, values)


def _extremes(values: Floats, names: list[str], distance: bool) -> str:
    """Return the most and the least similar pair."""
    off, said, label = _off_diagonal(values), [], kit.short_names(names, 28)
    if np.isnan(off).all():
        return "none"
    for find in (np.nanargmin, np.nanargmax) if distance else (np.nanargmax, np.nanargmin):
        i, j = divmod(int(find(off)), len(names))
        said.append(f"{label[names[i]]} and {label[names[j]]}, {number(float(off[i, j]))}")
    return "; ".join(said)


def _title(values: Floats, names: list[str], measure: str, items: str) -> str:
    """Return between which values all pairs are."""
    off = _off_diagonal(values)
    if np.isnan(off).all():
        return f"{measure} of all pairs of {count(len(names), items)} is undefined"
    low, high = (number(float(find(off))) for find in (np.nanmin, np.nanmax))
    if low == high:
        return f"{measure} of {'two' if len(names) == 2 else 'all pairs of'} {items}s is {low}"
    return f"{measure} of two {items}s is {low} to {high}"


def _is_distance(measure: str) -> bool:
    """Return whether a measure is a distance; the overlap, which is not a coefficient, is not a distance."""
    try:
        return read_coefficient(measure).distance
    except ConcordantError:
        return False


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
