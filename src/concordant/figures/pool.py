"""Charts of `pool`: the agreement by the share of the judgements, and AP against inferred AP."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean
from typing import Any

import altair as alt

from concordant.experiments.pool import PoolResult
from concordant.figures.panels import POINTED, diagonal, different, in_panels, on_legend, system_param, titled
from concordant.figures.style import COLOURS

_OF_MEANS, _OF_TOPICS = "of the means over topics", "mean over single topics"
_RANGE = "smallest to largest of single topics"
_TICKS = [0.01, 0.1, 1, 2, 5, 10, 20, 50, 100]


def shares(result: PoolResult) -> Any:
    """Show the coefficient of means and of topics by the share of the judgements."""
    coefficients = different(str(each.coefficient) for each in result.shares)
    width = 200 if len(coefficients) > 1 else 300
    chosen, opacity = on_legend("kind")
    lowest = min(each.percent for each in result.shares)
    share = alt.X(
        "percent:Q",
        title="per cent of the judgements",
        scale=alt.Scale(type="log", nice=False, padding=6),
        axis=alt.Axis(values=[tick for tick in _TICKS if tick >= lowest], format="~g", grid=False),
    )
    kinds = alt.Scale(domain=[_OF_MEANS, _OF_TOPICS, _RANGE], range=[COLOURS[0], COLOURS[1], "#dedede"])
    legend = alt.Legend(title=None, symbolSize=60, columns=1, labelLimit=300)
    value = alt.Y("value:Q", title="coefficient", aggregate="mean")
    tooltip = [
        alt.Tooltip("coefficient:N"),
        alt.Tooltip("percent:Q", title="per cent of the judgements"),
        alt.Tooltip("kind:N", title="which"),
    ]
    band = (
        alt.Chart()
        .mark_area(opacity=1)
        .encode(
            x=share,
            y=alt.Y("min(minimum):Q", title="coefficient"),
            y2="max(maximum):Q",
            color=alt.Color("kind:N", scale=kinds, legend=legend),
            tooltip=[
                *tooltip[:2],
                alt.Tooltip("min(minimum):Q", format=".4f", title="smallest of a topic"),
                alt.Tooltip("max(maximum):Q", format=".4f", title="largest of a topic"),
            ],
        )
        .transform_calculate(kind=f"'{_RANGE}'")
        .transform_filter("isValid(datum.minimum)")
    )
    both = alt.Chart().encode(
        x=share,
        color=alt.Color("kind:N", scale=kinds, legend=legend),
        opacity=opacity,
    )
    kind = f"datum.key === 'of_means' ? '{_OF_MEANS}' : '{_OF_TOPICS}'"
    both = both.transform_fold(["of_means", "mean_of_topics"], as_=["key", "value"]).transform_calculate(
        kind=kind
    )
    lines = both.mark_line(strokeWidth=1.5).encode(
        y=value, tooltip=[*tooltip, alt.Tooltip("mean(value):Q", format=".4f", title="mean over samples")]
    )
    points = both.mark_point(filled=True, opacity=1, size=26).encode(
        y=alt.Y("value:Q", title="coefficient"),
        shape=alt.Shape(
            "kind:N",
            scale=alt.Scale(domain=kinds.domain, range=["circle", "triangle-up", "square"]),
            legend=legend,
        ),
        tooltip=[
            *tooltip,
            alt.Tooltip("value:Q", format=".4f"),
            alt.Tooltip("sample:Q"),
            alt.Tooltip("undefined:Q", title="topics where it is undefined"),
            alt.Tooltip("rms_error:Q", format=".4f", title="root mean square error of the means"),
        ],
    )
    undefined = (
        both.mark_text(text="-", fontSize=14, baseline="bottom")
        .encode(y=alt.value(width * 0.8), tooltip=tooltip)
        .transform_filter("!isValid(datum.value)")
    )
    layers = [band, lines.transform_filter("isValid(datum.value)"), points]
    if any(each.of_means is None or each.mean_of_topics is None for each in result.shares):
        layers.append(undefined)
    chart = alt.layer(*layers, data=alt.NamedData("shares"))
    chart = in_panels(
        chart.add_params(chosen),
        "datum.coefficient",
        coefficients,
        width=width,
        height=width * 0.8,
        columns=2,
    )
    return titled(chart, _title(result), _data(result, _samples(result)), min(2, len(coefficients)))


def scatter(result: PoolResult) -> Any:
    """Show AP and inferred AP of every system on every topic, a panel for each share."""
    percents = sorted({each.percent for each in result.scatter}, reverse=True)
    names = [f"{percent:g} % of the judgements" for percent in percents]
    scale = alt.Scale(domain=[0, 1])
    axis = alt.Axis(values=[0, 0.5, 1])
    points = (
        alt.Chart()
        .mark_point(filled=True, opacity=1, color=COLOURS[0])
        .encode(
            x=alt.X("ap:Q", title="AP from all judgements", scale=scale, axis=axis),
            y=alt.Y("inferred_ap:Q", title="inferred AP", scale=scale, axis=axis),
            size=alt.condition("datum.system === system", alt.value(40), alt.value(7)),
            fillOpacity=alt.condition(POINTED, alt.value(0.35), alt.value(0.06)),
            tooltip=[
                alt.Tooltip("system:N"),
                alt.Tooltip("topic:N"),
                alt.Tooltip("percent:Q", title="per cent of the judgements"),
                alt.Tooltip("ap:Q", format=".4f", title="AP"),
                alt.Tooltip("inferred_ap:Q", format=".4f", title="inferred AP"),
            ],
        )
    )
    chart = alt.layer(points, diagonal(0, 1), data=alt.NamedData("scatter"))
    chart = in_panels(chart, "format(datum.percent, '~g') + ' % of the judgements'", names).add_params(
        system_param()
    )
    title = "Inferred AP from a share of the judgements against AP from all"
    return titled(chart, title, _data(result, "a point for each system and topic"), len(names))


def _samples(result: PoolResult) -> str:
    n = result.options["n_replicates"]
    return (
        "one sample for each share" if n == 1 else f"{n} samples for each share, the lines join their means"
    )


def _data(result: PoolResult, more: str) -> str:
    options = result.options
    counts = f"{options['systems']} systems, {options['topics']} topics, {options['judgements']:,} judgements"
    return f"{counts}; {more}"


def _title(result: PoolResult) -> str:
    """Return the title: that means agree more than single topics, if this holds for all shares."""
    gains: dict[tuple[float, str], list[float]] = defaultdict(list)
    for each in result.shares:
        if each.of_means is None or each.mean_of_topics is None:
            gains.clear()
            break
        if each.percent < 100:
            gains[each.percent, str(each.coefficient)].append(each.of_means - each.mean_of_topics)
    if gains and all(fmean(own) > 0 for own in gains.values()):
        return "With fewer judgements, the ranking by means changes less than the rankings of single topics"
    return "Agreement of inferred AP from a share of the judgements with AP from all"
