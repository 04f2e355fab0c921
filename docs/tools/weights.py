"""Draw how much the first k ranks weigh in rank-biased overlap, for docs/guides/lists.md."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import vl_convert as vlc
from tables import PERSISTENCES, weight

from concordant.figures.kit import COLOURS, CONFIG

DEPTHS = np.unique(np.geomspace(1, 1000, 60).round().astype(int)).tolist()
LABELS_AT = 0.85  # the weight at which a curve has its name


def main() -> None:
    """Write the figure."""
    curves = [{"p": p, "k": k, "weight": weight(p, k)} for p in PERSISTENCES for k in DEPTHS]
    names = []
    for p in PERSISTENCES:
        own = [row for row in curves if row["p"] == p]
        names.append(min(own, key=lambda row: abs(row["weight"] - LABELS_AT)) | {"name": f"{p:g}"})
    ticks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    text = {"type": "text", "color": "black"}
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "config": CONFIG,
        "width": 400,
        "height": 230,
        "title": {
            "text": "The larger p is, the deeper rank-biased overlap looks",
            "subtitle": "Share of the weight that the first k ranks have; on each curve its p",
        },
        "encoding": {
            "x": {
                "field": "k",
                "type": "quantitative",
                "title": "first k ranks",
                "scale": {"type": "log", "nice": False},
                "axis": {"values": ticks, "format": "d"},
            },
            "y": {
                "field": "weight",
                "type": "quantitative",
                "title": "share of the weight",
                "axis": {"format": "%", "tickCount": 5},
            },
        },
        "layer": [
            {
                "data": {"values": curves},
                "mark": {"type": "line", "color": COLOURS[0], "strokeWidth": 1.5},
                "encoding": {"detail": {"field": "p", "type": "nominal"}},
            },
            *(
                {"data": {"values": names}, "mark": mark, "encoding": {"text": {"field": "name"}}}
                for mark in (text | {"stroke": "white", "strokeWidth": 5}, text)
            ),
        ],
    }
    png = bytes(vlc.vegalite_to_png(spec, ppi=144))
    (Path(__file__).parent.parent / "figures" / "rbo_weights.png").write_bytes(png)


if __name__ == "__main__":
    main()
