"""Figures of `grades`: each coefficient with grades against its base without."""

from __future__ import annotations

from collections import Counter
from typing import Any

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import Figure, Rows, Source, of, tips

_BINS = 20  # from -1 to 1, in each direction
_SUMMARY = ("mean_difference", "first_quartile", "median", "third_quartile", "maximum")


def values(tables: Tables) -> Figure | None:
    """Show each extension against its base, a panel for each extension.

    There are too many pairs of runs for single points, so that they are counted in squares.
    """
    if "pairs" not in tables:
        return None
    panels = [_label(row) for row in tables.rows("extensions")]
    squares = _counts(tables)
    most = max((row["count"] for row in squares), default=1)
    ticks = [10**power for power in range(7) if 10**power <= most]
    legend = {"title": "pairs of runs on a topic", "values": ticks, "format": "~s", "gradientLength": 150}
    axis = {"values": [-1, 0, 1]}
    tip = tips("panel:N:coefficients", "low_base:.1f:without grades, from", "high_base:.1f:to")
    tip += tips("low:.1f:with grades, from", "high:.1f:up to", "count:Q:pairs")
    colour = of("count:Q", scale={"type": "log", "range": kit.SHADES}, legend={**legend, "titleLimit": 300})
    place = kit.span("low_base", "high_base", title="without grades", axis=axis)
    place |= kit.span("low", "high", "y", title="with grades", axis=axis)
    layers = [Source().draw("rect", **place, color=colour, tooltip=tip), kit.diagonal(-1, 1)]
    title = "Each coefficient with grades against its base without"
    caption = f"{_data(tables)}; on the line the grades change nothing"
    more = {"label": "datum.panel", "data": {"squares": squares}, "linked": ("pairs",)}
    return kit.in_panels(title, caption, Source("squares"), layers, panels, **more)


def differences(tables: Tables) -> Figure:
    """Show how far each coefficient with grades is from its base."""
    rows = tables.rows("extensions")
    names = [_label(row) for row in rows]
    source = Source("extensions").adding(name="datum.extension + ' against ' + datum.base")
    axis = {"labelLimit": 200, **kit.NO_DOMAIN}
    tip = tips("base extension", *(f"{name}:.4f:{name.replace('_', ' ')}" for name in _SUMMARY))
    tip += tips("pairs:Q:pairs of runs on a topic", "undefined:Q")
    place = {"y": of("name:N", sort=names, title=None, axis=axis), "tooltip": tip}
    title = "absolute difference"
    median, mean = (of(f"{name}:Q", title=title) for name in ("median", "mean_difference"))
    layers = [
        source.draw("rule", color=kit.GREY, **place, **kit.span("third_quartile", "maximum", title=title)),
        source.draw("box", size=11, **place, **kit.span("first_quartile", "third_quartile", title=title)),
        source.draw("median", size=15, **place, x=median),
        source.draw("diamond", size=50, stroke="white", strokeWidth=0.5, **place, x=mean),
        source.where("!isValid(datum.median)").draw("undefined", x=0, **place),
    ]
    more = "box: quartiles, tick: median, diamond: mean, line: up to the maximum"
    spec = {"layer": layers, "width": 230, "height": 22 * len(names)}
    return Figure(_title(rows), spec, (f"{_data(tables)}; {more}",))


def _label(row: dict[str, Any]) -> str:
    return f"{row['extension']} against {row['base']}"


def _counts(tables: Tables) -> Rows:
    """Count the pairs of runs and topics in squares of both values; those without a value are left out."""
    found: dict[str, dict[Any, float | None]] = {}
    for pair in tables.records("pairs"):
        found.setdefault(str(pair.coefficient), {})[pair.run, pair.other_run, pair.topic] = pair.value
    rows = []
    for each in tables.rows("extensions"):
        base, extension = found[each["base"]], found[each["extension"]]
        both = ((value, extension[key]) for key, value in base.items())
        squares = Counter((_square(x), _square(y)) for x, y in both if x is not None and y is not None)
        for (i, j), count in sorted(squares.items()):
            sides = {"low_base": i, "high_base": i + 1, "low": j, "high": j + 1}
            places = {name: 2 * side / _BINS - 1 for name, side in sides.items()}
            rows.append({"panel": _label(each), **places, "count": count})
    return rows


def _square(value: float) -> int:
    return min(_BINS - 1, max(0, int((value + 1) / 2 * _BINS)))


def _data(tables: Tables) -> str:
    rows = tables.rows("extensions")
    pairs = max((row["pairs"] + row["undefined"] for row in rows), default=0)
    undefined = max((row["undefined"] for row in rows), default=0)
    without = f", up to {undefined:,} of them undefined" if undefined else ""
    return f"{pairs:,} pairs of runs on a topic{without}"


def _title(rows: Rows) -> str:
    """Name the coefficients that the grades change most and least."""
    means = {row["extension"]: row["mean_difference"] for row in rows}
    defined = {name: mean for name, mean in means.items() if mean is not None}
    if len(defined) < 2 or len(defined) < len(means):
        return "How much the grades change each coefficient"
    most, least = max(defined, key=defined.__getitem__), min(defined, key=defined.__getitem__)
    most, least = (f"{name} {how} ({defined[name]:.2f})" for name, how in ((most, "most"), (least, "least")))
    return f"On average, the grades change {most} and {least}"
