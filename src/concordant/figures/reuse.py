"""The chart of `reuse`: the score of each system with and without its own judgements."""

from __future__ import annotations

from typing import Any

import altair as alt

from concordant.experiments.reuse import ReuseResult
from concordant.figures.panels import POINTED, diagonal, different, marks, on_legend, system_param, titled
from concordant.figures.style import COLOURS, COLUMN, SHAPES


def systems(result: ReuseResult) -> Any:
    """Show a point for each system; on the line nothing is lost."""
    measure = result.options["measure"]
    scores = [score for each in result.systems for score in (each.score, each.score_without)]
    low, high = min(scores), max(scores)
    space = 0.04 * (high - low) or 0.01
    scale = alt.Scale(domain=[low - space, high + space], nice=False, zero=False)
    groups = different(each.group for each in result.systems)
    told = 1 < len(groups) <= len(COLOURS) < len(result.systems)
    chosen, opacity = on_legend("group")
    points = (
        alt.Chart(alt.NamedData("systems"))
        .mark_point(filled=True, opacity=1)
        .encode(
            x=alt.X("score:Q", scale=scale, title=f"{measure} with all judgements"),
            y=alt.Y("score_without:Q", scale=scale, title=f"{measure} without its own"),
            size=alt.condition("datum.system === system", alt.value(160), alt.value(45)),
            tooltip=[
                alt.Tooltip("system:N"),
                alt.Tooltip("group:N"),
                alt.Tooltip("score:Q", format=".4f", title=f"{measure} with all judgements"),
                alt.Tooltip("score_without:Q", format=".4f", title=f"{measure} without its own"),
                alt.Tooltip("difference:Q", format="+.4f"),
                alt.Tooltip("judgements_removed:Q", title="judgements removed"),
            ],
        )
    )
    if told:
        colour, shape = marks("group", groups, title="group", columns=4, labelLimit=150)
        points = points.encode(
            color=colour,
            shape=shape,
            opacity=opacity,
        ).add_params(chosen)
    else:
        points = points.encode(
            color=alt.value(COLOURS[0]),
            shape=alt.value(SHAPES[0]),
            fillOpacity=alt.condition(POINTED, alt.value(0.7), alt.value(0.15)),
        )
    ends = (low - space, high + space)
    chart = (
        alt.layer(diagonal(*ends), points).properties(width=COLUMN, height=COLUMN).add_params(system_param())
    )
    return titled(chart, _title(result), _data(result))


def _title(result: ReuseResult) -> str:
    n, lower = len(result.systems), sum(each.difference < 0 for each in result.systems)
    what = f"score lower by {result.options['measure']} without the judgements that only their group brought"
    if lower == n:
        return f"All {n} systems {what}"
    return f"{lower} of {n} systems {what}"


def _data(result: ReuseResult) -> str:
    values = ", ".join(
        f"{each.coefficient} {'-' if each.value is None else f'{each.value:.2f}'}"
        for each in result.correlations
    )
    options = result.options
    return f"{options['groups']} groups, pool of depth {options['depth']}; both rankings: {values}"
