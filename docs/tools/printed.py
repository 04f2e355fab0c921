"""Draw what papers print beside what is computed here, from the tables of docs/background/papers.

Figures are 8.5 cm wide, one column, with letters of 7 points or more; they are beside the pages.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import vl_convert

PAPERS = Path(__file__).parent.parent / "background" / "papers"
_PRINTED, _HERE = "#d55e00", "#0072b2"
_POINT = 96 / 72  # of CSS pixels
_CONFIG = {
    "font": "Liberation Sans, Arial, sans-serif",
    "view": {"stroke": None},
    "title": {
        "anchor": "start",
        "fontSize": 8 * _POINT,
        "subtitleFontSize": 7 * _POINT,
        "subtitleColor": "#404040",
    },
    "axis": {
        "labelFontSize": 7 * _POINT,
        "titleFontSize": 7 * _POINT,
        "titleFontWeight": "normal",
        "grid": False,
    },
    "legend": {"labelFontSize": 7 * _POINT, "titleFontSize": 7 * _POINT, "orient": "top", "title": None},
}
_COLOURS = {
    "field": "by",
    "type": "nominal",
    "scale": {"domain": ["printed", "here"], "range": [_PRINTED, _HERE]},
}


def cells() -> list[dict[str, Any]]:
    """Return the cells of Radja's tables that have a printed and a computed value."""
    text = (PAPERS / "radja2018.md").read_text(encoding="utf-8")
    pairs = re.findall(r"\| \**(-?\d\.\d\d) (-?\d\.\d\d\d)\** (?=\|)", text)
    return [{"printed": float(printed), "here": float(here)} for printed, here in pairs]


def predictions() -> dict[str, Any]:
    """Return the figure of Radja's tables 7.2 to 7.5: printed against computed."""
    values = cells()
    near = sum(abs(each["printed"] - each["here"]) <= 0.01 + 1e-9 for each in values)
    title = {
        "text": f"{near} of {len(values)} printed cells are within 0.01",
        "subtitle": "Tables 7.2 to 7.5 of the thesis, on TREC-8; line: the same value",
    }
    ends = [min(each["here"] for each in values), max(each["here"] for each in values)]
    points = {
        "data": {"values": values},
        "mark": {"type": "point", "size": 14, "filled": True, "opacity": 0.7, "color": _HERE},
        "encoding": {
            "x": {"field": "printed", "type": "quantitative", "title": "value that the thesis prints"},
            "y": {"field": "here", "type": "quantitative", "title": "value here"},
        },
    }
    line = {
        "data": {"values": [{"printed": end, "here": end} for end in ends]},
        "mark": {"type": "line", "color": "#767676", "strokeWidth": 1},
        "encoding": points["encoding"],
    }
    return {"title": title, "width": 255, "height": 210, "layer": [line, points]}


def quartiles() -> dict[str, Any]:
    """Return the figure of the poster's quartiles: printed above computed."""
    text = (PAPERS / "gao2016-poster.md").read_text(encoding="utf-8")
    rows, pair = [], ""
    for line in text.splitlines():
        parts = [part.strip() for part in line.strip("|").split("|")]
        if len(parts) == 7 and parts[1] in ("poster", "here"):
            pair = parts[0] or pair
            low, first, median, third, high = map(float, parts[2:])
            by = "here" if parts[1] == "here" else "printed"
            rows.append(
                {
                    "pair": pair,
                    "by": by,
                    "low": low,
                    "first": first,
                    "median": median,
                    "third": third,
                    "high": high,
                }
            )
    most = max(
        abs(a[name] - b[name])
        for a, b in zip(rows[::2], rows[1::2], strict=True)
        for name in ("low", "first", "median", "third", "high")
    )
    x = {
        "type": "quantitative",
        "scale": {"domain": [0.5, 1]},
        "title": "Pearson Rank: minimum, quartiles, maximum",
    }
    y = {
        "field": "pair",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"domain": False, "ticks": False},
    }
    where = {"y": y, "yOffset": {"field": "by", "sort": ["printed", "here"]}, "color": _COLOURS}
    layers = [
        {
            "mark": {"type": "rule"},
            "encoding": {**where, "x": {**x, "field": "low"}, "x2": {"field": "high"}},
        },
        {
            "mark": {"type": "bar", "size": 8},
            "encoding": {**where, "x": {**x, "field": "first"}, "x2": {"field": "third"}},
        },
        {
            "mark": {"type": "tick", "color": "white", "size": 8, "thickness": 2},
            "encoding": {"y": y, "yOffset": where["yOffset"], "x": {**x, "field": "median"}},
        },
    ]
    title = {
        "text": f"Printed and computed quartiles differ by {most:.2f} at most",
        "subtitle": "100,000 pairs of 50 scores in the same order; reference, estimate",
    }
    return {"title": title, "data": {"values": rows}, "width": 225, "height": {"step": 13}, "layer": layers}


if __name__ == "__main__":
    for name, figure in (("radja2018", predictions()), ("gao2016", quartiles())):
        spec = {"$schema": "https://vega.github.io/schema/vega-lite/v6.1.json", "config": _CONFIG, **figure}
        png = vl_convert.vegalite_to_png(spec, vl_version="6.1", scale=2)
        (PAPERS / "figures" / f"{name}-printed.png").write_bytes(png)
