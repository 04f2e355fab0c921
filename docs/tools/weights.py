"""Draw how much the first k ranks weigh in rank-biased overlap, for docs/guides/lists.md."""

from __future__ import annotations

from pathlib import Path

import altair as alt
import numpy as np
import vl_convert as vlc
from tables import PERSISTENCES, weight

from concordant.figures.draw import smaller_png
from concordant.figures.kit import COLOURS, styled

DEPTHS = np.unique(np.geomspace(1, 1000, 60).round().astype(int)).tolist()
LABELS_AT = 0.85  # the weight at which a curve has its name


def main() -> None:
    """Write the figure."""
    curves = [{"p": p, "k": k, "weight": weight(p, k)} for p in PERSISTENCES for k in DEPTHS]
    names = []
    for p in PERSISTENCES:
        own = [row for row in curves if row["p"] == p]
        names.append(min(own, key=lambda row: abs(row["weight"] - LABELS_AT)) | {"name": f"{p:g}"})
    k = alt.X(
        "k:Q",
        title="first k ranks",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(values=[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], format="d"),
    )
    value = alt.Y("weight:Q", title="share of the weight", axis=alt.Axis(format="%", tickCount=5))
    base = alt.Chart().encode(x=k, y=value)
    lines = base.mark_line(color=COLOURS[0], strokeWidth=1.5).encode(detail="p:N")
    around = base.mark_text(stroke="white", strokeWidth=5, text="").encode(text="name:N")
    texts = base.mark_text(color="black").encode(text="name:N")
    chart = alt.layer(
        lines.properties(data=alt.InlineData(curves)),
        around.properties(data=alt.InlineData(names)),
        texts.properties(data=alt.InlineData(names)),
    ).properties(
        width=400,
        height=230,
        title=alt.TitleParams(
            "The larger p is, the deeper rank-biased overlap looks",
            subtitle="Share of the weight that the first k ranks have; on each curve its p",
        ),
    )
    spec = styled(chart).to_dict()
    version = ".".join(spec["$schema"].rpartition("/v")[2].split(".")[:2])
    png = smaller_png(bytes(vlc.vegalite_to_png(spec, vl_version=version, ppi=144)))
    (Path(__file__).parent.parent / "figures" / "rbo_weights.png").write_bytes(png)


if __name__ == "__main__":
    main()
