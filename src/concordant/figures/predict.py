"""Figures of `predict`: a table of measures, or curves over the number of topics."""

from __future__ import annotations

import math

from concordant.coefficients.engine import SAME
from concordant.experiments.predict import is_better
from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import ON_LEGEND, Figure, Rows, Source, Spec, distinct, of, tips, told

_AXES = (("estimate, on one", -40), ("reference, on the other", 0))
_TIP = (
    *("coefficient reference estimate", "topics:Q", "mean:.4f", "sd:.4f:standard deviation"),
    *("splits:Q", "undefined:Q:splits where it is undefined"),
    "difference:+.4f:minus what the reference itself predicts",
    "won:.3f:splits where it is better than that",
)


def measures(tables: Tables) -> Figure:
    """Show each measure against each, for a coefficient; with several numbers of topics, curves."""
    if len(distinct(tables.rows("predictions"), "topics")) > 1:
        return _curves(tables)
    most = max(row["topics"] for row in tables.rows("predictions"))
    shown = [row for row in tables.rows("predictions") if row["topics"] == most]
    names = list(tables.options["measures"])
    means = [row["mean"] for row in shown if row["mean"] is not None] or [0.0]
    low, high = min(0.0, math.floor(min(means) * 10) / 10), max(1.0, *means)
    side = min(60, max(34, 220 / len(names))) * len(names)
    axis = kit.name_axis(names, 18, grid=False)
    across, down = ({**axis, "title": f"{side} half", "labelAngle": angle} for side, angle in _AXES)
    x, y = of("estimate:N", sort=names, axis=across), of("reference:N", sort=names, axis=down)
    place = {"x": x, "y": y, "tooltip": tips(*_TIP)}
    # Text is white from where it has more contrast than black.
    ink = kit.either(f"isValid(datum.mean) && datum.mean > {low + 0.62 * (high - low)}", "white", "black")
    layers = kit.cells(place, "mean", (low, high), "mean over the splits", stroke="white", strokeWidth=1)
    layers.append(Source().draw("text", fontSize=11, **place, text="shown:N", color=ink))
    partly = Source().where("datum.undefined > 0 && isValid(datum.mean)")
    some = [row for row in shown if row["undefined"] and row["mean"] is not None]
    layers += [partly.draw("text", fontSize=11, dy=11, **place, text="counted:N", color=ink)] if some else []
    better = [row for row in shown if is_better(row["difference"], row["won"])]
    frame = Source().where(f"datum.difference > {SAME} && datum.won > 0.5")
    if better:
        layers.append(frame.draw("rect", filled=False, stroke="black", strokeWidth=1.5, **place))
    source = Source("predictions").where(f"datum.topics === {most} && datum.coefficient === coefficient")
    source = source.adding(counted="datum.splits - datum.undefined")
    source = source.adding(shown="isValid(datum.mean) ? format(datum.mean, '.2f') : '-'")
    caption = _data(tables, str(most))
    caption += "; framed: better than the reference predicts itself" if better else ""
    caption += "; below: splits that count, if not all" if some else ""
    spec = {"data": {"name": source.name}, "transform": list(source.transform), "layer": layers}
    return Figure("", spec | {"width": side, "height": side}, (caption,), **_chosen(shown, names))


def _curves(tables: Tables) -> Figure:
    """Show means and standard deviations over the number of topics, a panel for each reference."""
    rows = tables.rows("predictions")
    sizes = distinct(rows, "topics")
    names = list(tables.options["measures"])
    # Marks of the same number of topics stand side by side.
    step = (max(sizes) - min(sizes)) / (12 * len(sizes))
    order = f"indexof({kit.quoted(names)}, datum.estimate) - {(len(names) - 1) / 2}"
    panels = [f"reference: {label}" for label in kit.short_names(names).values()]
    legend = kit.name_legend(names, title="estimate", symbolStrokeWidth=0)
    colour, shape = kit.marks("estimate", names, **legend)
    x = of("at:Q", title="topics", scale={"zero": False, "nice": False, "padding": 8})
    common = {"x": x, "color": colour, "opacity": ON_LEGEND, "tooltip": tips(*_TIP)}
    y: Spec = {"title": "mean ± sd", "scale": {"zero": False}}
    dash = told("estimate:N", names, kit.DASHES, legend=legend)
    layers = [
        Source().draw("rule", strokeWidth=1, **common, **kit.span("low", "high", "y", **y)),
        Source().draw("line", strokeWidth=1.2, **common, y=of("mean:Q", **y), strokeDash=dash),
        Source().draw("point", filled=True, size=32, **common, y=of("mean:Q", **y), shape=shape),
    ]
    if any(row["mean"] is None for row in rows):
        layers.append(Source().where("!isValid(datum.mean)").draw("dash", **common, y=kit.PANEL))
    shown = "datum.coefficient === coefficient"
    source = Source("predictions").where(shown).adding(at=f"datum.topics + {step} * ({order})", **kit.SD_ENDS)
    of_panel = f"'reference: ' + {kit.shortened('datum.reference', names)}"
    chosen = _chosen([row for row in rows if row["topics"] == max(sizes)], names)
    caption, layers = _data(tables, f"{min(sizes)} to {max(sizes)}"), kit.with_legend(layers, "estimate")
    how = {"label": of_panel, "columns": len(names), **chosen}
    return kit.in_panels("", caption, source, layers, panels, **how)


def _chosen(shown: Rows, names: list[str]) -> Spec:
    """Return the title for each coefficient, of which one is shown."""
    of_each = kit.groups(shown, "coefficient")
    said = [({"coefficient": c}, _title(own, names), c) for (c,), own in of_each.items()]
    return {"said": said, "params": {"coefficient": said[0][0]["coefficient"]}}


def _data(tables: Tables, topics: str) -> str:
    options = tables.options
    return f"{options['systems']} systems, {options['n_splits']} random splits of {topics} topics in halves"


def _title(shown: Rows, names: list[str]) -> str:
    """Name the measure that predicts all best, if there is one."""
    best = set()
    for own in kit.groups(shown, "reference", "coefficient").values():
        values = [-math.inf if row["mean"] is None else row["mean"] for row in own]
        top = [row["estimate"] for row, value in zip(own, values, strict=True) if value == max(values)]
        best.add(top[0] if len(top) == 1 and -math.inf not in values else None)
    winner = best.pop() if len(best) == 1 else None
    if winner is None or len(names) < 2:
        return "How well a measure on half of the topics predicts a measure on the other half"
    return f"On average, {winner} on half of the topics predicts every measure on the other half best"
