"""Topic by topic: the value of every topic, their distribution, and the topics to look at."""

from __future__ import annotations

import math
from typing import Any

import altair as alt

from concordant.figures.kit import (
    Rows,
    asked,
    dodged,
    domain_of,
    heading,
    number,
    panel_title,
    quoted,
    rows_of,
    short,
    shortened,
)
from concordant.figures.style import COLOURS
from concordant.results.words import count

_WIDTH, _HEIGHT, _BESIDE = 230, 170, 50
_NAMED = 3  # topics that are named, at the lower end
_LINE = 13
_LONGEST, _CHARACTER = 20, 5.8  # a name: most characters, pixels of each
_KEYS = ("measure", "estimate_measure", "coefficient")
_BLUE, _ORANGE = COLOURS[0], COLOURS[1]


def topics(result: Any) -> Any:
    """Draw the value of each topic, sorted, beside their distribution; a row for each coefficient."""
    rows, summary = rows_of(result, "topics"), rows_of(result, "summary")
    values = [row["value"] for row in rows] + [row[key] for row in summary for key in ("of_means", "mean")]
    domain = domain_of(values, (-math.inf, math.inf), step=0.2)
    own: dict[str, Rows] = {"own_lines": _lines(summary, domain)}
    panels = []
    for k, one in enumerate(summary):
        panels.append(_panel(rows, one, domain, last=k == len(summary) - 1))
    n, undefined = summary[0]["topics"], any(row["undefined"] for row in summary)
    level = asked(result)
    chart = alt.vconcat(*panels, spacing=14).properties(
        title=heading(
            "Agreement topic by topic, beside that of the mean scores",
            f"{count(n, 'topic')}, sorted; triangles: the lowest, named.",
            f"In brackets: {level}." if level and any(row["low"] is not None for row in summary) else "",
            "Crosses at the foot: topics where the coefficient is undefined." if undefined else "",
            width=380,
        )
    )
    chart.datasets = own
    return chart


def _lines(summary: Rows, domain: list[float]) -> Rows:
    """Return the mean over topics and the value of the means, with places for their labels."""
    found: Rows = []
    apart = 2 * _LINE * (domain[1] - domain[0]) / _HEIGHT
    for one in summary:
        own = []
        for kind, value, low, high in (
            ("of the means", one["of_means"], one["low"], one["high"]),
            ("mean of topics", one["mean"], one["mean_low"], one["mean_high"]),
        ):
            if value is not None:
                said = number(value) + ("" if low is None else f" [{number(low)}, {number(high)}]")
                keys = {key: one[key] for key in _KEYS}
                own.append({**keys, "kind": kind, "value": value, "low": low, "high": high, "said": said})
        margin = apart / 2
        places = dodged([row["value"] for row in own], apart, domain[0] + margin, domain[1] - margin)
        found += [{**row, "place": place} for row, place in zip(own, places, strict=True)]
    return found


def _panel(rows: Rows, one: dict[str, Any], domain: list[float], *, last: bool) -> Any:
    """Draw one measure and coefficient."""
    same = " && ".join(f"datum.{key} === {quoted(one[key])}" for key in _KEYS)
    n = one["topics"]
    scale = alt.Scale(domain=domain, nice=False)
    y = alt.Y("value:Q", scale=scale, title=short(one["coefficient"], 24))
    base = (
        alt.Chart(alt.NamedData("topics"))
        .transform_filter(same)
        .transform_calculate(order="datum.value == null ? 1e300 : datum.value")
        .transform_window(rank="row_number()", sort=[alt.SortField("order"), alt.SortField("topic")])
    )
    x = alt.X(
        "rank:Q",
        scale=alt.Scale(domain=[0, n + 1], nice=False),
        title="topics, from the lowest to the highest value" if last else None,
        axis=alt.Axis(labels=False, ticks=False, grid=False),
    )
    tooltip = ["topic:N", "coefficient:N", alt.Tooltip("value:Q", format=".4f"), "rank:Q"]
    there = base.transform_filter("datum.value != null")
    size = 30 if n <= 60 else 16 if n <= 200 else 5
    foot = one["mean"] if one["mean"] is not None else domain[0]
    lines = alt.Chart(alt.NamedData("own_lines")).transform_filter(same)
    dash = alt.StrokeDash(
        "kind:N",
        scale=alt.Scale(domain=["of the means", "mean of topics"], range=[[6, 3], [1, 0]]),
        legend=None,
    )
    rules = lines.mark_rule(strokeWidth=1.4, color="black").encode(
        alt.Y("value:Q", scale=scale), dash, tooltip=["kind:N", "said:N"]
    )
    named = _NAMED if n > 2 * _NAMED else 1
    at = _names(rows, one, domain, named)
    low = f"datum.rank <= {named}"
    names = (
        there.transform_filter(low)
        .transform_calculate(
            text=f"'topic ' + {shortened('datum.topic', _LONGEST)} + ': ' + format(datum.value, '.2f')"
        )
        .transform_calculate(line=f"{at['first']} + datum.rank * {at['step']}")
    )
    place = {"x": alt.value(at["x"]), "y": alt.Y("line:Q", scale=scale), "text": "text:N"}
    text = {"align": at["align"], "fontSize": 11, "dx": at["dx"]}
    sorted_topics = alt.layer(
        there.mark_rule(strokeWidth=1 if n <= 200 else 0.4, color="#b0b0b0").encode(x, y, y2=alt.datum(foot)),
        rules,
        there.transform_filter(f"!({low})")
        .mark_circle(size=size, color=_BLUE, opacity=1)
        .encode(x, y, tooltip=tooltip),
        there.transform_filter(low)
        .mark_point(shape="triangle-down", filled=True, size=max(30, 1.6 * size), color=_ORANGE, opacity=1)
        .encode(x, y, tooltip=tooltip),
        # A white rim keeps the lines of the grid out of the letters.
        names.mark_text(**text, stroke="white", strokeWidth=3, strokeJoin="round", aria=False).encode(
            **place
        ),
        names.mark_text(**text, color="#a04000").encode(**place, tooltip=tooltip),
        base.transform_filter("datum.value == null")
        .mark_point(shape="M-1,-1L1,1M1,-1L-1,1", size=30, color="black")
        .encode(
            x, y=alt.value(_HEIGHT - 5), tooltip=["topic:N", alt.Tooltip("coefficient:N", title="undefined")]
        ),
    ).properties(width=_WIDTH, height=_HEIGHT)
    bins = 20 if n > 30 else 10
    step = (domain[1] - domain[0]) / bins
    # Vega would begin its bins at a multiple of the step, which may lie below the axis.
    bin_of = f"clamp(floor((datum.value - {domain[0]}) / {step} + 1e-9), 0, {bins - 1})"
    whole = "datum.value % 1 === 0 ? format(datum.value, 'd') : ''"
    beside = alt.layer(
        there.transform_calculate(bin=bin_of)
        .transform_aggregate(count="count()", groupby=["bin"])
        .transform_calculate(
            **{"from": f"{domain[0]} + datum.bin * {step}", "to": f"{domain[0]} + (datum.bin + 1) * {step}"}
        )
        .mark_rect(color=_BLUE, opacity=0.6, stroke="white", strokeWidth=0.5)
        .encode(
            alt.X(
                "count:Q",
                title="topics" if last else None,
                axis=alt.Axis(tickCount=2, grid=False, labelExpr=whole),
                scale=alt.Scale(nice=False),
            ),
            alt.Y("from:Q", scale=scale, title=None, axis=alt.Axis(labels=False, ticks=False)),
            x2=alt.datum(0),
            y2="to:Q",
            tooltip=[
                "count:Q",
                alt.Tooltip("from:Q", format=".2f"),
                alt.Tooltip("to:Q", format=".2f"),
            ],
        ),
        rules,
        lines.transform_calculate(text="[datum.kind, datum.said]")
        .mark_text(align="left", fontSize=10.5, dx=5, dy=-4, lineHeight=12)
        .encode(x=alt.value(_BESIDE), y=alt.Y("place:Q", scale=scale), text="text:N"),
    ).properties(width=_BESIDE, height=_HEIGHT)
    both = alt.hconcat(sorted_topics, beside, spacing=6)
    label = short(one["measure"], 40)
    label += (
        ""
        if one["measure"] == one["estimate_measure"]
        else f"; estimate by {short(one['estimate_measure'], 40)}"
    )
    label += f"; undefined: {count(one['undefined'], 'topic')}" if one["undefined"] else ""
    return both.properties(title=panel_title(label))


def _names(rows: Rows, one: dict[str, Any], domain: list[float], named: int) -> dict[str, Any]:
    """Return where the names of the lowest topics stand: lower right, or upper left if points are there.

    They move up or down from there until no point and no line is behind them, if there is such a place.
    """
    own = [row for row in rows if all(row[key] == one[key] for key in _KEYS)]
    there = sorted((row for row in own if row["value"] is not None), key=lambda row: row["value"])
    pixel = (domain[1] - domain[0]) / _HEIGHT
    step = _LINE * pixel
    foot = one["mean"] if one["mean"] is not None else domain[0]
    wide = _CHARACTER * max((len(short(row["topic"], _LONGEST)) + 13 for row in there[:named]), default=0)
    # What is drawn: from where to where across in pixels, and up in values.
    apart = _WIDTH / (one["topics"] + 1)
    points = [
        (k * apart, min(row["value"], foot) - 4 * pixel, max(row["value"], foot) + 4 * pixel)
        for k, row in enumerate(there, 1)
    ]
    points += [(k * apart, domain[0], domain[0] + 9 * pixel) for k in range(len(there) + 1, len(own) + 1)]
    rules = [value for value in (one["of_means"], one["mean"]) if value is not None]

    def free(low: float, left: float, right: float) -> bool:
        high = low + named * step
        clear = not any(low - pixel < rule < high + pixel for rule in rules)
        return clear and not any(
            left - 5 < x < right + 5 and start < high and low < end for x, start, end in points
        )

    right = {"step": step, "align": "right", "x": _WIDTH, "dx": -2}
    left = {"step": step, "align": "left", "x": 8, "dx": 0}
    moves = [k * step / 4 for k in range(int(4 * (_HEIGHT / _LINE - named)) + 1)]
    top = domain[1] - named * step
    for move in moves:
        if free(domain[0] + move, _WIDTH - 2 - wide, _WIDTH):
            return {**right, "first": domain[0] + move - step / 2}
        if free(top - move, 8, 8 + wide):
            return {**left, "first": top - move - step / 2}
    return {**left, "first": top - step / 2}
