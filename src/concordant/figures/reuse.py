"""The figure of `reuse`: the score of each system with and without its own judgements."""

from __future__ import annotations

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import COLUMN, Figure, Source, Spec, distinct, of, tips
from concordant.results.words import number


def systems(tables: Tables) -> Figure:
    """Show a point for each system; on the line nothing is lost."""
    measure, rows = tables.options["measure"], tables.rows("systems")
    scores = [score for row in rows for score in (row["score"], row["score_without"])]
    space = 0.04 * (max(scores) - min(scores)) or 0.01
    ends = [min(scores) - space, max(scores) + space]
    titles = {"score": f"{measure} with all judgements", "score_without": f"{measure} without its own"}
    x, y = (of(f"{name}:Q", scale=kit.exact(ends), title=title) for name, title in titles.items())
    tip = tips("system group")
    tip += [of(f"{name}:.4f", title=title) for name, title in titles.items()]
    tip += tips("difference:+.4f", "judgements_removed:Q:judgements removed")
    groups = distinct(rows, "group")
    if 1 < len(groups) <= len(kit.COLOURS) < len(rows):
        colour, shape = kit.marks("group", groups, **kit.name_legend(groups, title="group", columns=4))
        told: Spec = {"color": colour, "shape": shape, "opacity": kit.ON_LEGEND}
    else:
        told = {"color": kit.BLUE, "shape": kit.SHAPES[0], "opacity": 1}
        told["fillOpacity"] = kit.pointed(0.7, 0.15)
    point = {"x": x, "y": y, "size": kit.larger(160, 45), "tooltip": tip, **told}
    points = [Source("systems").draw("point", filled=True, **point)]
    points = kit.with_legend(points, "group") if told["opacity"] != 1 else points
    n, lower = len(rows), sum(row["difference"] < 0 for row in rows)
    both = ((row["coefficient"], row["value"]) for row in tables.rows("correlations"))
    values = ", ".join(f"{name} {number(value)}" for name, value in both)
    title = f"{f'All {n}' if lower == n else f'{lower} of {n}'} systems score lower by {measure} without the "
    title += "judgements that only their group brought"
    pool = f"{tables.options['groups']} groups, pool of depth {tables.options['depth']}"
    spec = {"layer": [kit.diagonal(*ends), *points], "width": COLUMN, "height": COLUMN}
    return Figure(title, spec, (f"{pool}; both rankings: {values}",), params={"system": None})
