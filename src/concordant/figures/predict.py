"""Charts of `predict`: a table of measures, or curves over the number of topics."""

from __future__ import annotations

import json
import math
from typing import Any

import altair as alt

from concordant.experiments.predict import PredictResult
from concordant.figures.panels import PANEL, cells, different, in_panels, ink, marks, on_legend, titled

_DATA = alt.NamedData("predictions")
_DASHES: list[list[int]] = [[1, 0], [5, 3], [2, 2], [8, 3, 2, 3], [10, 4]]
_TOOLTIP = [
    alt.Tooltip("coefficient:N"),
    alt.Tooltip("reference:N"),
    alt.Tooltip("estimate:N"),
    alt.Tooltip("topics:Q"),
    alt.Tooltip("mean:Q", format=".4f"),
    alt.Tooltip("sd:Q", format=".4f", title="standard deviation"),
    alt.Tooltip("splits:Q"),
    alt.Tooltip("undefined:Q", title="splits where it is undefined"),
]


def measures(result: PredictResult) -> Any:
    """Show each measure against each, a panel for each coefficient; with curves, for the most topics."""
    most = max(each.topics for each in result.predictions)
    shown = [each for each in result.predictions if each.topics == most]
    names = result.options["measures"]
    means = [each.mean for each in shown if each.mean is not None] or [0.0]
    low, high = math.floor(min(means) * 10) / 10, math.ceil(max(means) * 10) / 10
    if low == high:
        low -= 0.1
    side = min(60, max(34, PANEL / len(names))) * len(names)
    coefficients = different(str(each.coefficient) for each in shown)
    base = alt.Chart().encode(
        x=alt.X("estimate:N", sort=names, title="estimate, on one half", axis=_names(-40)),
        y=alt.Y("reference:N", sort=names, title="reference, on the other", axis=_names(0)),
        tooltip=_TOOLTIP,
    )
    table = cells(base, "mean", low, high, "mean over the splits", stroke="white", strokeWidth=1)
    values = base.mark_text(fontSize=11).encode(text=alt.Text("shown:N"), color=ink("mean", low, high))
    chart = alt.layer(table, values, data=_DATA).transform_filter(f"datum.topics === {most}")
    chart = chart.transform_calculate(shown="isValid(datum.mean) ? format(datum.mean, '.2f') : '-'")
    chart = in_panels(chart, "datum.coefficient", coefficients, width=side, height=side)
    return titled(chart, _title(shown, names), _data(result, str(most)), len(coefficients))


def curves(result: PredictResult) -> Any:
    """Show means and standard deviations over the number of topics, a panel for each reference."""
    sizes = different(each.topics for each in result.predictions)
    if len(sizes) < 2:
        return None
    names = result.options["measures"]
    step = (max(sizes) - min(sizes)) / (
        12 * len(sizes)
    )  # marks of the same number of topics stand side by side
    order = f"indexof({json.dumps(names)}, datum.estimate) - {(len(names) - 1) / 2}"
    coefficients = different(str(each.coefficient) for each in result.predictions)
    panels = [f"{coefficient} · reference: {name}" for coefficient in coefficients for name in names]
    chosen, opacity = on_legend("estimate")
    legend: dict[str, Any] = {"title": "estimate", "symbolStrokeWidth": 0}
    colour, shape = marks("estimate", names, **legend)
    dashes = alt.Scale(domain=names, range=[_DASHES[i % len(_DASHES)] for i in range(len(names))])
    base = alt.Chart().encode(
        x=alt.X("at:Q", title="topics", scale=alt.Scale(zero=False, nice=False, padding=8)),
        color=colour,
        opacity=opacity,
        tooltip=_TOOLTIP,
    )
    mean = alt.Y("mean:Q", title="mean ± sd", scale=alt.Scale(zero=False))
    lines = base.mark_line(strokeWidth=1.2).encode(
        y=mean, strokeDash=alt.StrokeDash("estimate:N", scale=dashes, legend=alt.Legend(**legend))
    )
    points = base.mark_point(filled=True, opacity=1, size=32).encode(y=mean, shape=shape)
    bars = base.mark_rule(strokeWidth=1).encode(y=alt.Y("low:Q", scale=alt.Scale(zero=False)), y2="high:Q")
    undefined = (
        base.mark_text(text="-", fontSize=14, baseline="bottom")
        .encode(y=alt.value(PANEL))
        .transform_filter("!isValid(datum.mean)")
    )
    layers = [bars, lines, points]
    if any(each.mean is None for each in result.predictions):
        layers.append(undefined)
    chart = alt.layer(*layers, data=_DATA).transform_calculate(
        at=f"datum.topics + {step} * ({order})",
        low="isValid(datum.sd) ? datum.mean - datum.sd : null",
        high="isValid(datum.sd) ? datum.mean + datum.sd : null",
    )
    chart = in_panels(
        chart.add_params(chosen), "datum.coefficient + ' · reference: ' + datum.reference", panels
    )
    title = "How well a measure predicts a measure on other topics, by the number of topics"
    return titled(chart, title, _data(result, f"{min(sizes)} to {max(sizes)}"), len(panels))


def _names(angle: int) -> Any:
    return alt.Axis(labelAngle=angle, labelLimit=110, grid=False, ticks=False, domain=False)


def _data(result: PredictResult, topics: str) -> str:
    options = result.options
    return f"{options['systems']} systems, {options['n_splits']} random splits of {topics} topics in halves"


def _title(shown: list[Any], names: list[str]) -> str:
    """Name the measure that predicts all best, if there is one."""
    best = set()
    for reference in names:
        for coefficient in {each.coefficient for each in shown}:
            own = {
                e.estimate: e.mean for e in shown if (e.reference, e.coefficient) == (reference, coefficient)
            }
            values = [-math.inf if value is None else value for value in own.values()]
            top = [name for name, value in zip(own, values, strict=True) if value == max(values)]
            best.add(top[0] if len(top) == 1 and None not in own.values() else None)
    winner = best.pop() if len(best) == 1 else None
    if winner is None or len(names) < 2:
        return "How well a measure on half of the topics predicts a measure on the other half"
    return f"On average, {winner} on half of the topics predicts every measure on the other half best"
