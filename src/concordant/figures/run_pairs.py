"""Charts of runs: pairs with intervals over topics, all pairs as a heat map, and each topic."""

from __future__ import annotations

from typing import Any

import altair as alt

from concordant.coefficients.text_form import coefficient as read_coefficient
from concordant.errors import ConcordantError
from concordant.figures.heat_maps import heatmap
from concordant.figures.kit import (
    INTERVAL,
    NO_LIMIT,
    Rows,
    asked,
    domain_of,
    heading,
    number,
    panel_title,
    panels_of,
    quoted,
    rows_of,
    short,
    shortened,
)
from concordant.figures.style import COLOURS
from concordant.results.words import count

_MOST_PAIRS = 15
_WIDTH, _ROW = 250, 18
_TEXT = 10.5
_AND = "\u2009\u2013\u2009"  # between the names of a pair: thin spaces, which names do not hold
_PAIR = f"datum.run + '{_AND}' + datum.other"


def _name(row: dict[str, Any]) -> str:
    return f"{row['run']}{_AND}{row['other']}"


def _is_distance(measure: str) -> bool:
    """Return whether a measure is a distance; the overlap, which is not a coefficient, is not a distance."""
    try:
        return read_coefficient(measure).distance
    except ConcordantError:
        return False


def _label(rows: Rows, most: int = 15) -> dict[str, Any]:
    """Return the options of an axis of pairs, both names shortened."""
    both = f" + '{_AND}' + ".join(shortened(f"split(datum.label, '{_AND}')[{k}]", most) for k in (0, 1))
    plain = max((len(_name(row)) for row in rows), default=0) <= 2 * most
    return {"labelExpr": "datum.label" if plain else both, "labelLimit": NO_LIMIT, "title": None}


def _order(rows: Rows, key: str, measure: str) -> list[str]:
    """Return the pairs, the most alike first by the first measure; those without a value last."""
    sign = 1 if _is_distance(measure) else -1
    own = [row for row in rows if row["measure"] == measure]
    return [_name(r) for r in sorted(own, key=lambda r: (r[key] is None, sign * (r[key] or 0)))]


def pairs(result: Any) -> Any:
    """Draw the mean over topics of each pair of runs with its interval, a panel for each measure."""
    rows = rows_of(result, "pairs")
    measures = [measure for (measure,) in panels_of(rows, "measure")]
    order = _order(rows, "mean", measures[0])
    if len(order) > _MOST_PAIRS:
        return None
    domain = domain_of([row[key] for row in rows for key in ("least", "largest", "low", "high")], (-1, 1e9))
    domain = [min(0.0, domain[0]), max(1.0, domain[1])]
    panels = [
        _pairs_panel(rows, measure, order, domain, last=measure == measures[-1]) for measure in measures
    ]
    runs = {row[key] for row in rows for key in ("run", "other")}
    topics_of = sorted({row["topics"] for row in rows})
    n = count(topics_of[0], "topic") if len(topics_of) == 1 else f"{topics_of[0]} to {topics_of[-1]} topics"
    intervals = any(row["low"] is not None for row in rows)
    return alt.vconcat(*panels, spacing=12).properties(
        title=heading(
            f"Agreement of {count(len(runs), 'run')}, mean over topics",
            f"{count(len(order), 'pair')}, {n}.",
            (f"Thick: {asked(result)} of the mean. " if intervals else "") + "Thin: lowest to highest topic.",
        )
    )


def _pairs_panel(rows: Rows, measure: str, order: list[str], domain: list[float], *, last: bool) -> Any:
    one = f"datum.measure === {quoted(measure)}"
    base = (
        alt.Chart(alt.NamedData("pairs"))
        .transform_filter(one)
        .transform_calculate(pair=_PAIR, interval=INTERVAL)
    )
    scale = alt.Scale(domain=domain, nice=False)
    y = alt.Y("pair:N", scale=alt.Scale(domain=order), axis=alt.Axis(**_label(rows), grid=False))
    title = "mean over topics" if last else None
    tooltip = [
        alt.Tooltip("run:N"),
        alt.Tooltip("other:N"),
        alt.Tooltip("measure:N"),
        alt.Tooltip("mean:Q", format=".4f"),
        alt.Tooltip("interval:N"),
        alt.Tooltip("least:Q", format=".4f"),
        alt.Tooltip("topic_of_least:N", title="topic of least"),
        alt.Tooltip("largest:Q", format=".4f"),
        alt.Tooltip("topic_of_largest:N", title="topic of largest"),
        alt.Tooltip("topics:Q"),
    ]
    there = base.transform_filter("datum.mean != null")
    x = alt.X("mean:Q", scale=scale, title=title, axis=alt.Axis(labelFlush=False))
    layers = [
        there.mark_rule(color="#999999", strokeWidth=1).encode(
            alt.X("least:Q", scale=scale, title=title), y, x2="largest:Q", tooltip=tooltip
        ),
        there.transform_filter("datum.low != null")
        .mark_rule(color=COLOURS[0], strokeWidth=4, opacity=0.55)
        .encode(alt.X("low:Q", scale=scale, title=title), y, x2="high:Q", tooltip=tooltip),
        there.mark_point(filled=True, size=45, color=COLOURS[0], opacity=1).encode(x, y, tooltip=tooltip),
        base.transform_calculate(text="datum.mean == null ? 'undefined' : format(datum.mean, '.2f')")
        .mark_text(align="left", dx=6, fontSize=_TEXT)
        .encode(x=alt.value(_WIDTH), y=y, text="text:N", tooltip=tooltip),
    ]
    said = f"{measure} (a distance: 0 for the same lists)" if _is_distance(measure) else measure
    return alt.layer(*layers).properties(
        width=_WIDTH, height=_ROW * max(2, len(order)), title=panel_title(said)
    )


def matrix(result: Any) -> Any:
    """Draw the means of the first measure of all pairs of runs."""
    rows = rows_of(result, "matrix")
    if not rows:
        return None
    chart = heatmap(rows, result.measure, distance=_is_distance(result.measure), items="run")
    chart.title.text[0] = chart.title.text[0].replace(result.measure, f"Mean {result.measure}", 1)
    return chart


def topics(result: Any) -> Any:
    """Draw the value of every topic, pair by pair; of many pairs, the topics that differ most."""
    rows = rows_of(result, "topics")
    if not rows:
        return _worst(result)
    measures = [measure for (measure,) in panels_of(rows, "measure")]
    order = _order(rows_of(result, "pairs"), "mean", measures[0])
    domain = domain_of([row["value"] for row in rows], (-1, 1e9))
    domain = [min(0.0, domain[0]), max(1.0, domain[1])]
    step = 36 if len(order) > 2 else 56
    base = (
        alt.Chart(alt.NamedData("topics"))
        .transform_filter("datum.measure === measure")
        .transform_calculate(pair=_PAIR)
    )
    y = alt.Y("pair:N", scale=alt.Scale(domain=order), axis=alt.Axis(**_label(rows), grid=False))
    scale = alt.Scale(domain=domain, nice=False)
    x = alt.X("value:Q", scale=scale, title="value of a topic", axis=alt.Axis(labelFlush=False))
    tooltip = ["run:N", "other:N", "topic:N", "measure:N", alt.Tooltip("value:Q", format=".4f")]
    distances = quoted([measure for measure in measures if _is_distance(measure)])
    summary = (
        alt.Chart(alt.NamedData("pairs"))
        .transform_filter("datum.measure === measure && datum.mean != null")
        .transform_calculate(pair=_PAIR, far=f"indexof({distances}, datum.measure) >= 0")
        .transform_calculate(
            worst="datum.far ? datum.largest : datum.least",
            topic="datum.far ? datum.topic_of_largest : datum.topic_of_least",
        )
        .transform_calculate(text=shortened("datum.topic", 24))
    )
    at = alt.X("worst:Q", scale=scale)
    middle = sum(domain) / 2
    said = [alt.Tooltip("topic:N", title="topic least alike"), alt.Tooltip("worst:Q", format=".4f")]
    layers = [
        base.transform_filter("datum.value != null")
        .mark_tick(thickness=1, size=step - 22, opacity=0.45, color=COLOURS[0])
        .encode(x, y, tooltip=tooltip),
        summary.mark_point(shape="diamond", filled=True, size=70, color="black", opacity=1).encode(
            alt.X("mean:Q", scale=scale), y, tooltip=["run:N", "other:N", alt.Tooltip("mean:Q", format=".4f")]
        ),
        summary.transform_filter(f"datum.worst > {middle}")
        .mark_text(align="right", dy=step / 2 - 5, dx=3, fontSize=10)
        .encode(at, y, text="text:N", tooltip=said),
        summary.transform_filter(f"datum.worst <= {middle}")
        .mark_text(align="left", dy=step / 2 - 5, dx=-3, fontSize=10)
        .encode(at, y, text="text:N", tooltip=said),
        base.transform_filter("datum.value == null")
        .transform_aggregate(undefined="count()", groupby=["pair"])
        .transform_calculate(text="datum.undefined + ' undefined'")
        .mark_text(align="left", dx=6, fontSize=_TEXT)
        .encode(x=alt.value(_WIDTH), y=y, text="text:N"),
    ]
    n_topics = len(panels_of(rows, "topic"))
    title = heading(
        "",
        f"{count(len(order), 'pair')} of runs, {count(n_topics, 'topic')}; a line for each topic.",
        "Diamond: mean. Name: the topic on which the runs are least alike.",
    )
    title.text = alt.ExprRef("measure + ' of two runs, topic by topic'")
    return (
        alt.layer(*layers)
        .add_params(alt.param(name="measure", value=measures[0]))
        .properties(width=_WIDTH, height=step * len(order), title=title)
    )


def _worst(result: Any) -> Any:
    """Draw the topics that differ most, over all pairs."""
    rows = rows_of(result, "worst")
    if not rows:
        return None
    own = [
        {
            **row,
            "label": f"{short(row['topic'], 14)}: {short(row['run'], 13)}{_AND}{short(row['other'], 13)}",
            "at": k,
        }
        for k, row in enumerate(rows)
    ]
    base = alt.Chart(alt.NamedData("own_worst"))
    names = [row["label"] for row in own]
    y = alt.Y(
        "at:O", title=None, axis=alt.Axis(labelExpr=f"{quoted(names)}[datum.value]", labelLimit=NO_LIMIT)
    )
    domain = domain_of([0.0, 1.0, *(row["value"] for row in rows)], (-1, 1e9))
    x = alt.X("value:Q", scale=alt.Scale(domain=domain, nice=False), title=result.measure)
    tooltip = ["topic:N", "run:N", "other:N", alt.Tooltip("value:Q", format=".4f")]
    chart = alt.layer(
        base.mark_bar(height=2, color=COLOURS[0]).encode(x, y, tooltip=tooltip),
        base.mark_point(filled=True, size=50, color=COLOURS[0], opacity=1).encode(x, y, tooltip=tooltip),
        base.mark_text(align="left", dx=7, fontSize=_TEXT).encode(
            x, y, text=alt.Text("value:Q", format=".2f")
        ),
    ).properties(
        width=_WIDTH,
        height=_ROW * max(2, len(rows)),
        title=heading(
            f"The {count(len(rows), 'topic')} on which two runs differ most",
            f"By {result.measure}, from {number(rows[0]['value'])} up; over all pairs of runs."
            if not _is_distance(result.measure)
            else f"By {result.measure}, from {number(rows[0]['value'])} down; over all pairs of runs.",
        ),
    )
    chart.datasets = {"own_worst": own}
    return chart
