"""Charts of judges against the reference."""

from __future__ import annotations

import math
from typing import Any

import altair as alt

from concordant.figures.choices import measure_filter, of_all_systems
from concordant.figures.choosing import (
    GREY,
    keyed,
    level_text,
    name_axis,
    number_axis,
    parameters,
    shortened,
    size_text,
    titled,
)
from concordant.figures.rankings_of_systems import agreement, heatmap, intervals, ranks, scores, significance
from concordant.figures.style import COLOURS, COLUMN
from concordant.figures.values import in_order, judges_by_value, places_of, value_range
from concordant.questions.judge import JudgeResult

__all__ = ["agreement", "best", "heatmap", "intervals", "ranks", "scores", "significance", "topics"]

_WIDTH = COLUMN - 90
_LOWEST = 3  # topics that are named for each judge


def best(result: JudgeResult) -> Any:
    """Draw which judges may be the best, and by how much the best is better than each other one."""
    panels = []
    if result.best:
        panels.append(_contenders(result))
    if result.comparison:
        panels.append(_differences(result))
    if not panels:
        return None
    without = dict.fromkeys(row.estimate for row in of_all_systems(result) if math.isnan(row.value))
    heading = titled(
        "Which judge may be the best",
        "'by ' + coefficient",
        size_text(result),
        f"not compared, because a value is undefined: {', '.join(without)}"[:200] if without else "",
    )
    return (
        alt.vconcat(*panels, spacing=24, title=heading)
        .resolve_scale(stroke="independent", fill="independent", shape="independent")
        .add_params(*parameters(result, ("coefficient",)))
    )


def _row_axis(field: str, sort: Any) -> alt.Y:
    return alt.Y(f"{field}:N", sort=sort, title="judge", axis=name_axis(grid=True, labelPadding=6))


def _many_measures(rows: Any) -> bool:
    return len({row.measure for row in rows}) > 1


def _contenders(result: JudgeResult) -> Any:
    """Draw the value of each judge with joint confidence intervals."""
    contenders = result.best or ()
    own = "(datum.measure === datum.estimate_measure ? '' : ' / ' + datum.estimate_measure)"
    shown = len({(row.estimate, row.measure) for row in contenders}) > len(
        {row.estimate for row in contenders}
    )
    kinds = ["may be the best", f"below the best (p < {1 - result.options['confidence_level']:.3g})"]
    rows = (
        alt.Chart(alt.NamedData("best"))
        .transform_filter("datum.coefficient === coefficient")
        .transform_calculate(
            row=keyed(f"datum.estimate + ', ' + datum.measure + {own}" if shown else "datum.estimate"),
            kind=f"datum.may_be_best ? '{kinds[0]}' : '{kinds[1]}'",
        )
    )
    y = _row_axis("row", alt.EncodingSortField("value", op="max", order="descending"))
    x = alt.Scale(domain=value_range(contenders), nice=False, zero=False)
    legend = alt.Legend(title=None, orient="bottom")
    tip: list[Any] = ["estimate:N", "measure:N", "estimate_measure:N"]
    tip += [alt.Tooltip(f"{f}:Q", format=".4f") for f in ("value", "low", "high", "below_best", "pvalue")]
    lines = rows.mark_rule(strokeWidth=1.4, color=GREY).encode(
        x=alt.X("low:Q", scale=x, title="value", axis=number_axis()), x2="high:Q", y=y
    )
    points = rows.mark_point(size=60, opacity=1, strokeWidth=1.6).encode(
        x=alt.X("value:Q", scale=x, title="value"),
        y=y,
        stroke=alt.Stroke(
            "kind:N", scale=alt.Scale(domain=kinds, range=[COLOURS[0], COLOURS[1]]), legend=legend
        ),
        fill=alt.Fill("kind:N", scale=alt.Scale(domain=kinds, range=[COLOURS[0], "white"]), legend=legend),
        shape=alt.Shape("kind:N", scale=alt.Scale(domain=kinds, range=["circle", "diamond"]), legend=legend),
        tooltip=tip,
    )
    text = f"{level_text(result.options)} that hold all at once; p by one test of all judges together"
    return alt.layer(lines, points).properties(
        width=_WIDTH, height=alt.Step(20), title=titled("Value of each judge", "", text)
    )


def _differences(result: JudgeResult) -> Any:
    """Draw how much better the best judge is than each other one."""
    comparison = result.comparison or ()
    many = _many_measures(comparison)
    one_best = len({(row.best, row.best_measure) for row in comparison}) == 1
    best_name, other = (
        f"datum.{name} + (datum.{name}_measure === null ? '' : ' (' + datum.{name}_measure + ')')"
        for name in ("best", "other")
    )
    row = other if one_best else f"{best_name} + ' − ' + {other}"
    if many:
        row += " + ', ' + datum.measure"
    rows = (
        alt.Chart(alt.NamedData("comparison"))
        .transform_filter("datum.coefficient === coefficient")
        .transform_calculate(row=keyed(row))
    )
    y = _row_axis("row", alt.EncodingSortField("difference", op="max"))
    tip: list[Any] = ["measure:N", "best:N", "best_measure:N", "other:N", "other_measure:N"]
    fields = ("difference", "low", "high", "pvalue", "pvalue_adjusted")
    tip += [alt.Tooltip(f"{field}:Q", format=".4f") for field in fields]
    title = "difference to the best"
    zero = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(color="black").encode(x="zero:Q")
    lines = (
        rows.transform_filter("datum.low !== null")
        .mark_rule(strokeWidth=1.4, color=COLOURS[0])
        .encode(x=alt.X("low:Q", title=title, axis=number_axis()), x2="high:Q", y=y)
    )
    points = rows.mark_point(size=50, filled=True, opacity=1, color=COLOURS[0]).encode(
        x=alt.X("difference:Q", title=title), y=y, tooltip=tip
    )
    what = "How much better the best is than each other" if one_best else "How much better the best is"
    name = comparison[0].best if one_best else ""
    about = f"the best: {_short(name, 40)}" if one_best else "the best judge − another"
    with_intervals = any(row.interval is not None for row in comparison)
    text = f"{level_text(result.options)} of each pair by itself; " if with_intervals else ""
    return alt.layer(zero, *((lines,) if with_intervals else ()), points).properties(
        width=_WIDTH,
        height=alt.Step(20),
        title=titled(what, "", f"{about}; {text}line at no difference"),
    )


def topics(result: JudgeResult) -> Any:
    """Draw the values of the topics for each judge, with the quartiles and the lowest topics by name."""
    defined = any(not math.isnan(row.value) for row in result.each_topic)
    if len({row.topic for row in result.each_topic}) < 2 or not defined:
        return None
    chosen = f"datum.coefficient === coefficient && {measure_filter(result)}"
    rows, order = in_order(alt.Chart(alt.NamedData("each_topic")).transform_filter(chosen))
    rows = rows.transform_window(number="row_number()").transform_calculate(
        shift="((datum.number * 5) % 8) / 8 - 0.5", middle="0"
    )
    y = _row_axis("key", order)
    shift = alt.Scale(domain=[-0.7, 1.4])
    x = alt.Scale(zero=False)
    points = (
        rows.transform_filter("datum.value !== null")
        .mark_point(filled=True, size=16, color=COLOURS[0], opacity=0.45)
        .encode(
            x=alt.X("value:Q", scale=x, title="value on a topic", axis=number_axis()),
            y=y,
            yOffset=alt.YOffset("shift:Q", scale=shift),
            tooltip=["estimate:N", "measure:N", "topic:N", alt.Tooltip("value:Q", format=".4f")],
        )
    )
    grouped = rows.transform_filter("datum.value !== null").transform_aggregate(
        low="q1(value)",
        median="median(value)",
        high="q3(value)",
        place="min(place)",
        groupby=["key", "estimate"],
    )
    grouped = grouped.transform_calculate(middle="0", top="-0.6", bottom="0.6")
    at = alt.YOffset("middle:Q", scale=shift)
    box = grouped.mark_rule(strokeWidth=2.5, color="black").encode(
        x=alt.X("low:Q", scale=x), x2="high:Q", y=y, yOffset=at
    )
    median = grouped.mark_point(shape="diamond", size=70, filled=True, color=COLOURS[1], opacity=1).encode(
        x=alt.X("median:Q", scale=x), y=y, yOffset=at, tooltip=["estimate:N", "median:Q"]
    )
    named, _ = in_order(alt.Chart(alt.NamedData("lowest")).transform_filter(chosen))
    names = (
        named.transform_calculate(under="1.05")
        .mark_text(align="left", baseline="middle", fontSize=10)
        .encode(x=alt.value(2), y=y, yOffset=alt.YOffset("under:Q", scale=shift), text="text:N")
    )
    heading = titled(
        "Agreement topic by topic",
        f"coefficient + ', ' + {shortened('measure', 20)}",
        size_text(result),
        "dots: topics; line: the middle half of them; diamond: median",
    )
    chart = alt.layer(points, box, median, names).properties(
        width=_WIDTH, height={"step": 46, "for": "position"}, title=heading
    )
    chart.datasets = {"places": places_of(judges_by_value(result)), "lowest": _lowest(result)}
    return chart.add_params(*parameters(result, ("measure", "coefficient")))


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _lowest(result: JudgeResult) -> list[dict[str, Any]]:
    """Return the lowest topics of each judge, and how many are undefined, as text."""
    found: dict[Any, list[Any]] = {}
    for row in result.each_topic:
        found.setdefault((row.estimate, row.measure, str(row.coefficient)), []).append(row)
    lines = []
    for (estimate, measure, coefficient), rows in found.items():
        defined = sorted((row for row in rows if not math.isnan(row.value)), key=lambda row: row.value)
        parts = [f"{_short(row.topic, 14)} ({row.value:.2f})" for row in defined[:_LOWEST]]
        text = f"lowest: {', '.join(parts)}" if parts else ""
        if len(defined) > 1 and defined[0].value == defined[-1].value:
            text = f"all {'others' if len(defined) < len(rows) else 'topics'}: {defined[0].value:.2f}"
        undefined = len(rows) - len(defined)
        if undefined:
            text = f"{undefined} undefined" + (f"; {text}" if text else "")
        head = {"estimate": estimate, "measure": measure[0], "estimate_measure": measure[1]}
        lines.append({**head, "coefficient": coefficient, "text": text})
    return lines
