"""Charts of `gaps`: coefficients of scores in the same order, and the median cases."""

from __future__ import annotations

import json
from typing import Any

import altair as alt

from concordant.experiments.gaps import GapsResult
from concordant.figures.panels import PANEL, different, in_panels, titled
from concordant.figures.style import COLOURS

_PAIR = "datum.reference + ' and ' + datum.estimate"


def quartiles(result: GapsResult) -> Any:
    """Show minimum, quartiles and maximum for each pair of distributions, a panel for each coefficient."""
    coefficients = different(str(each.coefficient) for each in result.quartiles)
    pairs = different(f"{each.reference} and {each.estimate}" for each in result.quartiles)
    base = alt.Chart().encode(
        y=alt.Y("pair:N", sort=pairs, title=None, axis=alt.Axis(labelLimit=160, ticks=False, domain=False)),
        tooltip=[
            alt.Tooltip("coefficient:N"),
            alt.Tooltip("reference:N"),
            alt.Tooltip("estimate:N"),
            *(
                alt.Tooltip(f"{name}:Q", format=".4f", title=name.replace("_", " "))
                for name in ("minimum", "first_quartile", "median", "third_quartile", "maximum")
            ),
            alt.Tooltip("pairs:Q", title="pairs of samples"),
            alt.Tooltip("undefined:Q", title="undefined"),
        ],
    )
    scale = alt.Scale(zero=False, nice=True)
    title = "minimum, quartiles and maximum"
    whiskers = base.mark_rule(strokeWidth=1.2).encode(
        x=alt.X("minimum:Q", scale=scale, title=title), x2="maximum:Q"
    )
    boxes = base.mark_bar(size=12, color=COLOURS[5], stroke="black", strokeWidth=0.8).encode(
        x=alt.X("first_quartile:Q"), x2="third_quartile:Q"
    )
    ticks = base.mark_tick(thickness=2.5, size=16, color="black", opacity=1).encode(x=alt.X("median:Q"))
    one = len(coefficients) == 1
    width = 230 if one else PANEL
    texts = base.mark_text(align="left", dx=6).encode(x=alt.value(width), text=alt.Text("shown:N"))
    chart = alt.layer(whiskers, boxes, ticks, texts, data=alt.NamedData("quartiles")).transform_calculate(
        pair=_PAIR, shown="isValid(datum.median) ? format(datum.median, '.2f') : '-'"
    )
    height = 26 * len(pairs)
    chart = (
        chart.properties(width=width, height=height)
        if one
        else in_panels(chart, "datum.coefficient", coefficients, width=width, height=height)
    )
    low = [each.minimum for each in result.quartiles if each.minimum is not None]
    high = [each.maximum for each in result.quartiles if each.maximum is not None]
    what = coefficients[0] if one else "values"
    title = f"Scores in the same order with other gaps: {what}"
    title += f" from {min(low):.2f} to {max(high):.2f}" if low else ": undefined"
    return titled(chart, title, f"{_data(result)}; at the right: the median", 1 if one else len(coefficients))


def medians(result: GapsResult) -> Any:
    """Show the scores of the median case, a panel for each pair of distributions and coefficient."""
    rows = result.quartiles
    coefficients = different(str(each.coefficient) for each in rows)
    panels = []
    for row in rows:
        median = "-" if row.median is None else f"{row.median:.2f}"
        panels.append(f"{row.reference} and {row.estimate} · {row.coefficient} {median}")
    lookup = {
        f"{r.reference}\n{r.estimate}\n{r.coefficient}": label for r, label in zip(rows, panels, strict=True)
    }
    axis = alt.Axis(values=[0, 0.5, 1])
    points = (
        alt.Chart(alt.NamedData("medians"))
        .mark_point(filled=True, opacity=1, size=22, fillOpacity=0.6, color=COLOURS[0])
        .encode(
            x=alt.X("reference_score:Q", title="score of the reference", axis=axis),
            y=alt.Y("estimate_score:Q", title="of the estimate", axis=axis),
            tooltip=[
                alt.Tooltip("coefficient:N"),
                alt.Tooltip("reference:N"),
                alt.Tooltip("estimate:N"),
                alt.Tooltip("reference_score:Q", format=".4f", title="score of the reference"),
                alt.Tooltip("estimate_score:Q", format=".4f", title="score of the estimate"),
            ],
        )
    )
    key = "datum.reference + '\\n' + datum.estimate + '\\n' + datum.coefficient"
    chart = in_panels(points, f"({json.dumps(lookup)})[{key}]", panels)
    what = coefficients[0] if len(coefficients) == 1 else "the coefficient"
    return titled(
        chart,
        f"The pair of samples with the median value of {what}",
        f"{_data(result)}, scaled to [0, 1]",
        len(panels),
    )


def _data(result: GapsResult) -> str:
    options = result.options
    return f"{options['n_pairs']:,} pairs of samples of {options['n_systems']} sorted scores"
