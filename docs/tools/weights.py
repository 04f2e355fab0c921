"""Draw how much the first k ranks weigh in rank-biased overlap, for docs/guides/lists.md."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import vl_convert as vlc
from tables import PERSISTENCES, weight

from concordant.figures import kit
from concordant.figures.kit import Source, of

DEPTHS = np.unique(np.geomspace(1, 1000, 60).round().astype(int)).tolist()
LABELS_AT = 0.85  # the weight at which a curve has its name


def main() -> None:
    """Write the figure."""
    curves = [{"p": p, "k": k, "weight": weight(p, k)} for p in PERSISTENCES for k in DEPTHS]
    names = []
    for p in PERSISTENCES:
        own = [row for row in curves if row["p"] == p]
        names.append(min(own, key=lambda row: abs(row["weight"] - LABELS_AT)) | {"name": f"{p:g}"})
    ticks = {"values": [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], "format": "d"}
    place = {
        "x": of("k:Q", title="first k ranks", scale={"type": "log", "nice": False}, axis=ticks),
        "y": of("weight:Q", title="share of the weight", axis={"format": "%", "tickCount": 5}),
    }
    layers = [
        Source("curves").draw("line", color=kit.BLUE, strokeWidth=1.5, detail="p:N", **place),
        Source("names").draw("text", stroke="white", strokeWidth=5, text="name:N", **place),
        Source("names").draw("text", color="black", text="name:N", **place),
    ]
    title = {
        "text": "The larger p is, the deeper rank-biased overlap looks",
        "subtitle": "Share of the weight that the first k ranks have; on each curve its p",
    }
    spec = {"layer": layers, "width": 400, "height": 230, "title": title, "config": kit.CONFIG}
    png = vlc.vegalite_to_png(spec | {"datasets": {"curves": curves, "names": names}}, ppi=144)
    (Path(__file__).parent.parent / "figures" / "rbo_weights.png").write_bytes(png)


if __name__ == "__main__":
    main()
