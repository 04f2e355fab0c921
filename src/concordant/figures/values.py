"""The values of the coefficients: with intervals for each judge, and as a heat map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import altair as alt

from concordant.figures.choices import CHOICES, main_coefficient, measure_filter, measure_of, of_all_systems
from concordant.figures.choosing import (
    GREY,
    Judged,
    coefficients_of,
    keyed,
    level_text,
    name_axis,
    number_axis,
    parameters,
    quoted,
    size_text,
    titled,
)
from concordant.figures.style import COLOURS, COLUMN, SHAPES

__all__ = ["agreement", "heatmap", "in_order", "judges_by_value", "places_of", "value_range"]

_ROW = 13  # pixels for each value
_ONE_PANEL, _PANEL = COLUMN - 100, 170  # widths in pixels


def judges_by_value(result: Judged) -> list[str]:
    """Return the estimates, the best by the main coefficient first: on average over the measures."""
    main = main_coefficient(result)
    values: dict[str, list[float]] = {}
    for row in of_all_systems(result):
        if row.coefficient == main:
            values.setdefault(row.estimate, []).append(-math.inf if math.isnan(row.value) else row.value)
    return sorted(values, key=lambda name: -sum(values[name]) / len(values[name]))


def in_order(rows: Any) -> tuple[Any, Any]:
    """Return a chart whose rows have their place among the judges, and how to sort by it.

    Vega takes a list of names to sort by, but fails if one of them is "constructor".
    """
    placed = rows.transform_calculate(key=keyed("datum.estimate")).transform_lookup(
        "key", alt.LookupData(alt.NamedData("places"), "key", ["place"])
    )
    return placed, alt.EncodingSortField("place", op="min")


def places_of(judges: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows that `in_order` needs."""
    return [{"key": f"\u200b{name}", "place": place} for place, name in enumerate(judges)]


def value_range(rows: Sequence[Any]) -> list[float]:
    """Return the ends of an axis that holds all values and intervals, and 1."""
    ends = [end for row in rows for end in (row.value, *(row.interval or ())) if not math.isnan(end)]
    low = min(ends, default=0)
    return [max(-1, math.floor(low * 10 - 0.3) / 10) if low >= -1 else low, max([1, *ends])]


def agreement(result: Judged) -> Any:
    """Draw the value and interval of each judge and coefficient, a panel for each measure."""
    rows = of_all_systems(result)
    measures = list(dict.fromkeys(measure_of(result, row.measure) for row in rows))
    many = len(measures) > 1
    panels = [
        _panel(result, measure, value_range(rows), labels=i % 3 == 0, many=many)
        for i, measure in enumerate(measures)
    ]
    with_intervals = any(row.interval is not None for row in rows)
    over = "systems" if any(note.kind == "over_systems" for note in result.notes) else "topics"
    lines = [
        size_text(result),
        f"lines: {level_text(result.options)} over {over}" if with_intervals else "",
        "" if many else _reliability(result, measures[0]),
    ]
    width = min(len(panels), 3) * _PANEL + 100 if many else COLUMN
    heading = titled("Agreement with the reference", "", *lines, width=width)
    chart = alt.concat(*panels, columns=3, spacing=18, title=heading)
    chart.datasets = {"places": places_of(judges_by_value(result))}
    return chart.add_params(*(alt.param(name=f"chosen_{name}", value=None) for name in CHOICES))


def _emphasis(result: Judged) -> Any:
    """Return an opacity that is lower for what is not chosen in the page; nothing is chosen at first."""
    rows = {name: f"datum.{name} === chosen_{name}" for name in CHOICES}
    rows["measure"] = measure_filter(result).replace("=== measure", "=== chosen_measure")
    test = " && ".join(f"(chosen_{name} === null || {same})" for name, same in rows.items())
    return alt.condition(test, alt.value(1), alt.value(0.15))


def _panel(result: Judged, measure: str, domain: list[float], *, labels: bool, many: bool) -> Any:
    names = coefficients_of(result)
    own = f"{measure_filter(result).replace('=== measure', '=== ' + quoted(measure))}"
    rows, order = in_order(
        alt.Chart(alt.NamedData("agreement"))
        .transform_filter(f"datum.top === null || indexof({_with_cut(result)}, datum.coefficient) >= 0")
        .transform_filter(own)
    )
    y = alt.Y(
        "key:N",
        sort=order,
        title="judge",
        axis=name_axis(20, labels=labels, grid=True, labelPadding=6),
    )
    offset = alt.YOffset("coefficient:N", sort=names, scale=alt.Scale(paddingOuter=0.3))
    x = alt.Scale(domain=domain, nice=False, zero=False)
    legend = alt.Legend(title=None, orient="bottom", columns=3)
    colour = alt.Color(
        "coefficient:N", scale=alt.Scale(domain=names, range=_cycle(COLOURS, names)), legend=legend
    )
    shape = alt.Shape(
        "coefficient:N", scale=alt.Scale(domain=names, range=_cycle(SHAPES, names)), legend=legend
    )
    tip: list[Any] = [
        "estimate:N",
        "measure:N",
        "estimate_measure:N",
        "coefficient:N",
        *(alt.Tooltip(f"{field}:Q", format=".4f") for field in ("value", "low", "high")),
    ]
    lines = (
        rows.transform_filter("datum.low !== null")
        .mark_rule(strokeWidth=1.5)
        .encode(
            x=alt.X("low:Q", scale=x, title="value", axis=number_axis()),
            x2="high:Q",
            y=y,
            yOffset=offset,
            color=colour,
            opacity=_emphasis(result),
        )
    )
    points = (
        rows.transform_filter("datum.value !== null")
        .mark_point(filled=True, size=48)
        .encode(
            x=alt.X("value:Q", scale=x, title="value"),
            y=y,
            yOffset=offset,
            color=colour,
            shape=shape,
            opacity=_emphasis(result),
            tooltip=tip,
        )
    )
    undefined = (
        rows.transform_filter("datum.value === null")
        .transform_calculate(start=str(domain[0]))
        .mark_text(align="left", dx=3, fontSize=10, fontStyle="italic", text="undefined")
        .encode(x=alt.X("start:Q", scale=x), y=y, yOffset=offset, color=colour, tooltip=tip)
    )
    chart = alt.layer(lines, points, undefined).properties(
        width=_PANEL if many else _ONE_PANEL, height={"step": _ROW * len(names) + 8, "for": "position"}
    )
    if many:
        short = measure if len(measure) < 28 else measure[:27] + "…"
        chart = chart.properties(title=titled(short, "", _reliability(result, measure), width=_PANEL))
    return chart


def _with_cut(result: Judged) -> str:
    """Return the coefficients that are among the best systems by their own definition, as a literal."""
    own = {str(row.coefficient) for row in result.agreement if row.coefficient.top is not None}
    return f"[{', '.join(map(quoted, sorted(own)))}]"


def _cycle(values: Sequence[str], names: Sequence[str]) -> list[str]:
    return [values[i % len(values)] for i in range(len(names))]


def _reliability(result: Judged, measure: str) -> str:
    """Return the reliability of the reference, if the result has it."""
    for note in result.notes:
        if note.kind == "reliability" and note.subject == f"reference by {measure.partition(' / ')[0]}":
            values = ", ".join(
                f"{value:.2f}\u00a0({name})" for name, value in note.values["expected"].items()
            )
            return f"reliability of the reference: {values}"
    return ""


def heatmap(result: Judged) -> Any:
    """Draw all judges by all measures as shades with their values, of one coefficient at a time.

    If there is one measure only, the columns are the coefficients.
    """
    rows = of_all_systems(result)
    measures = list(dict.fromkeys(measure_of(result, row.measure) for row in rows))
    judges = judges_by_value(result)
    names = coefficients_of(result)
    if len(judges) * max(len(measures), len(names)) < 2:
        return None
    by_measure = len(measures) > 1
    both = measure_filter(result).removesuffix(" === measure")
    domain = [min([0, *(row.value for row in rows if not math.isnan(row.value))]), 1]
    cells, order = in_order(
        alt.Chart(alt.NamedData("agreement"))
        .transform_filter(f"datum.top === null || indexof({_with_cut(result)}, datum.coefficient) >= 0")
        .transform_filter("datum.coefficient === coefficient" if by_measure else "true")
        .transform_calculate(column=keyed(f"({both})" if by_measure else "datum.coefficient"))
    )
    x = alt.X(
        "column:N",
        sort=None,
        title="measure" if by_measure else "coefficient",
        axis=name_axis(12, orient="top", labelAngle=0)
        if max(map(len, measures if by_measure else names)) <= 12
        else name_axis(orient="top", labelAngle=-40),
    )
    y = alt.Y("key:N", sort=order, title="judge", axis=name_axis())
    tip: list[Any] = [
        "estimate:N",
        "measure:N",
        "estimate_measure:N",
        "coefficient:N",
        alt.Tooltip("value:Q", format=".4f"),
    ]
    shades = (
        cells.transform_filter("datum.value !== null")
        .mark_rect(stroke="white", strokeWidth=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "value:Q",
                scale=alt.Scale(scheme="blues", domain=domain, zero=False, nice=False),
                legend=None,
            ),
            tooltip=tip,
        )
    )
    numbers = cells.transform_calculate(
        text="datum.value === null ? 'undefined' : format(datum.value, '.2f')"
    ).mark_text(fontSize=11)
    middle = 0.3 * domain[0] + 0.7  # there, black and white are equally legible
    texts = numbers.encode(
        x=x,
        y=y,
        text="text:N",
        color=alt.condition(
            f"datum.value !== null && datum.value > {middle!r}", alt.value("white"), alt.value("black")
        ),
        tooltip=tip,
    )
    # Every cell has a frame, so that rows and columns keep their order where values are undefined.
    frames = cells.mark_rect(fill="white", stroke=GREY, strokeDash=[3, 2], strokeWidth=1).encode(x=x, y=y)
    chosen = "coefficient" if by_measure else ""
    heading = titled(
        "Agreement with the reference",
        chosen,
        size_text(result),
        f"the stronger the colour, the better; order of rows: by {main_coefficient(result)}",
    )
    chart = alt.layer(frames, shades, texts).properties(
        width=alt.Step(72), height=alt.Step(24), title=heading
    )
    chart.datasets = {"places": places_of(judges)}
    return chart.add_params(*parameters(result, ("coefficient",))) if by_measure else chart
