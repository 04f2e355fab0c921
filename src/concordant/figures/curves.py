"""Curves: coefficients against the threshold, among the best systems, and over numbers of topics."""

from __future__ import annotations

import math
from typing import Any

import altair as alt

from concordant.figures.kit import (
    INTERVAL,
    Rows,
    asked,
    dodged,
    domain_of,
    heading,
    panel_title,
    panels_of,
    quoted,
    rows_of,
    short,
    shortened,
)
from concordant.figures.style import COLOURS
from concordant.results.words import count

_WIDTH, _HEIGHT = 250, 190
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [10, 4], [4, 2, 1, 2], [1, 3])
_TIGHT, _FLAT = alt.Scale(nice=False, zero=False), alt.Axis(labelFlush=False)
_LINE = 13  # pixels from one label to the next


def thresholds(result: Any) -> Any:
    """Draw coefficients against the threshold up to which a difference counts as a tie."""
    rows, turns = rows_of(result, "curves"), rows_of(result, "turns")
    measures = panels_of(rows, "measure", "estimate_measure")
    said = "Triangles: where a curve turns; labels: thresholds of the lowest and the highest turns."
    return _panels(
        rows,
        "curves",
        ("threshold", "threshold: differences up to this are ties"),
        _heading(rows, "as differences up to a threshold count as ties", said if turns else ""),
        lambda one: _turns(one, _coefficients(rows)),
        {"own_turns": _extreme(turns, rows)} if turns else {},
        measures,
    )


def tops(result: Any) -> Any:
    """Draw coefficients among the best k systems of the reference."""
    rows = rows_of(result, "tops")
    if not rows:
        return None
    measures = panels_of(rows, "measure", "estimate_measure")
    said = "With the k-th, all that are tied with it are in."
    title = _heading(rows, "among the best k systems of the reference", said)
    return _panels(rows, "tops", ("top", "k: best systems by the reference"), title, None, {}, measures)


def _coefficients(rows: Rows) -> list[str]:
    return list(dict.fromkeys(row["coefficient"] for row in rows))


def _heading(rows: Rows, where: str, said: str) -> alt.Title:
    names = _coefficients(rows)
    undefined = sum(row["value"] is None for row in rows)
    return heading(
        f"{' and '.join(names) if len(names) < 3 else count(len(names), 'coefficient')} {where}",
        said,
        f"A cross ends a curve that is undefined beyond it ({undefined} of {count(len(rows), 'value')})."
        if undefined
        else "",
    )


def _domain(rows: Rows) -> list[float]:
    return domain_of([row["value"] for row in rows], (-math.inf, math.inf))


def _colour(names: list[str]) -> alt.Color:
    colours = [COLOURS[k % len(COLOURS)] for k in range(len(names))]
    return alt.Color("coefficient:N", scale=alt.Scale(domain=names, range=colours), legend=None)


def _panels(
    rows: Rows,
    table: str,
    x: tuple[str, str],
    title: alt.Title,
    more: Any,
    own: dict[str, Rows],
    measures: list[tuple[Any, ...]],
) -> Any:
    """Draw a panel for each measure, with the same vertical axis."""
    names = _coefficients(rows)
    domain = _domain(rows)
    ends = _line_ends(rows, x[0], measures, domain)
    panels = []
    for k, (measure, other) in enumerate(measures):
        one = f"datum.measure === {quoted(measure)} && datum.estimate_measure === {quoted(other)}"
        label = short(measure, 40)
        label += "" if measure == other else f"; estimate by {short(other, 40)}"
        last = k == len(measures) - 1
        axis = alt.X(f"{x[0]}:Q", title=x[1] if last else None, scale=_TIGHT, axis=_FLAT)
        y = alt.Y("value:Q", title="value", scale=alt.Scale(domain=domain, nice=False))
        tooltip: list[Any] = [
            alt.Tooltip("coefficient:N"),
            alt.Tooltip(f"{x[0]}:Q"),
            *([alt.Tooltip("n:Q", title="systems compared")] if x[0] == "top" else []),
            alt.Tooltip("value:Q", format=".4f"),
        ]
        base = alt.Chart(alt.NamedData(table)).transform_filter(one)
        dash = alt.StrokeDash(
            "coefficient:N", legend=None, scale=alt.Scale(domain=names, range=list(_DASHES[: len(names)]))
        )
        lines = base.mark_line(strokeWidth=1.8, clip=True).encode(axis, y, _colour(names), dash)
        dots = (
            base.transform_filter("datum.value != null")
            .mark_circle(size=30, opacity=0)
            .encode(axis, y, tooltip=tooltip)
        )
        layers = [
            lines,
            *([more(one)] if more is not None and own else []),
            dots,
            *_labels(one, x[0], y, names),
        ]
        panels.append(alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT, title=panel_title(label)))
    chart = alt.vconcat(*panels, spacing=14).properties(title=title)
    chart.datasets = {"line_ends": ends, **own}
    return chart


def _line_ends(rows: Rows, x: str, measures: list[tuple[Any, ...]], domain: list[float]) -> Rows:
    """Return where each line ends, and where its label stands beside it without hiding another."""
    found: Rows = []
    scale = (domain[1] - domain[0]) / _HEIGHT
    for measure, other in measures:
        panel = [row for row in rows if (row["measure"], row["estimate_measure"]) == (measure, other)]
        furthest = max(row[x] for row in panel)
        ends: Rows = []
        for name in _coefficients(rows):
            defined = [row for row in panel if row["coefficient"] == name and row["value"] is not None]
            if defined:
                last = max(defined, key=lambda row: row[x])
                ends.append({**last, "undefined_beyond": last[x] < furthest, "furthest": furthest})
            else:
                only = {"measure": measure, "estimate_measure": other, "coefficient": name, "value": None}
                ends.append({**only, x: None, "undefined_beyond": False, "furthest": furthest})
        places = [domain[0] if end["value"] is None else end["value"] for end in ends]
        for end, place in zip(ends, dodged(places, _LINE * scale, *domain), strict=True):
            found.append({**end, "place": place})
    return found


def _labels(one: str, x: str, y: alt.Y, names: list[str]) -> list[Any]:
    """Return the names of the lines beside their ends, and crosses where lines end early."""
    ends = alt.Chart(alt.NamedData("line_ends")).transform_filter(one)
    colour = _colour(names)
    place = y.copy()
    place.shorthand = "place:Q"
    early = ends.transform_filter("datum.undefined_beyond")
    tooltip = [alt.Tooltip("coefficient:N"), alt.Tooltip(f"{x}:Q", title="undefined beyond")]
    return [
        early.mark_point(shape="M-1,-1L1,1M1,-1L-1,1", size=45, strokeWidth=2).encode(
            alt.X(f"{x}:Q"), y, colour, tooltip=tooltip
        ),
        ends.transform_filter("datum.value != null")
        .mark_rule(strokeWidth=0.7, strokeDash=[1, 2], color="#666666")
        .encode(alt.X(f"{x}:Q"), y, x2=alt.value(_WIDTH + 4), y2="place:Q"),
        ends.transform_calculate(
            text=shortened("datum.coefficient", 24) + " + (datum.value == null ? ': undefined' : '')"
        )
        .mark_text(align="left", dx=6, fontSize=11)
        .encode(x=alt.value(_WIDTH), y=place, text="text:N", color=colour),
    ]


def _extreme(turns: Rows, rows: Rows) -> Rows:
    """Return the turns; the lowest minimum and the highest maximum of each curve get a label, if it fits."""
    found: Rows = []
    domain = _domain(rows)
    for panel in panels_of(turns, "measure", "estimate_measure"):
        widest = max(r["threshold"] for r in rows if (r["measure"], r["estimate_measure"]) == panel) or 1.0
        placed: list[tuple[float, float]] = []
        for name in _coefficients(rows):
            key = (*panel, name)
            own = [t for t in turns if (t["measure"], t["estimate_measure"], t["coefficient"]) == key]
            low = min((t for t in own if t["turn"] == "minimum"), key=lambda t: t["value"], default=None)
            high = max((t for t in own if t["turn"] == "maximum"), key=lambda t: t["value"], default=None)
            for t in own:
                at = t["threshold"] / widest * _WIDTH, t["value"] / (domain[1] - domain[0]) * _HEIGHT
                at = at[0], at[1] + (11 if t["turn"] == "maximum" else -11)
                free = all(abs(at[0] - x) > 34 or abs(at[1] - y) > 11 for x, y in placed)
                label = f"{t['threshold']:.2g}" if (t is low or t is high) and free else ""
                placed += [at] if label else []
                found.append({**t, "label": label})
    return found


def _turns(one: str, names: list[str]) -> Any:
    base = alt.Chart(alt.NamedData("own_turns")).transform_filter(one)
    shape = alt.Shape(
        "turn:N",
        scale=alt.Scale(domain=["minimum", "maximum"], range=["triangle-down", "triangle-up"]),
        legend=None,
    )
    place = {"x": alt.X("threshold:Q"), "y": alt.Y("value:Q")}
    tooltip = ["coefficient:N", "turn:N", alt.Tooltip("threshold:Q"), alt.Tooltip("value:Q", format=".4f")]
    halo = {"stroke": "white", "strokeWidth": 2.5, "strokeOpacity": 0.8, "strokeJoin": "round"}
    named = [
        base.transform_filter(f"datum.turn === '{turn}' && datum.label !== ''")
        .mark_text(fontSize=10, dy=dy, **how)
        .encode(**place, text="label:N")
        for turn, dy in (("minimum", 11), ("maximum", -10))
        for how in (halo, {"color": "#333333"})
    ]
    points = base.mark_point(size=32, filled=True, opacity=1).encode(
        **place, shape=shape, color=_colour(names), tooltip=tooltip
    )
    return alt.layer(points, *named)


def plan(result: Any) -> Any:
    """Draw the expected correlation with the true ranking against the number of topics."""
    rows, needed = rows_of(result, "curve"), rows_of(result, "needed")
    names = _coefficients(rows)
    measures = [measure for (measure,) in panels_of(rows, "measure")]
    target = needed[0]["target"]
    seen = [value for row in rows for value in (row["expected"], row["low"], row["high"])]
    domain = domain_of([*seen, target], (-1.0, 1.0))
    numbers = [row["topics"] for row in rows]
    reached = [row["topics"] for row in needed if row["topics"] is not None]
    most = max([*numbers, *(n for n in reached if n <= 4 * max(numbers))])
    ends = [min(numbers), max(most, min(numbers) + 1)]
    panels = [
        _plan_panel(needed, measure, names, domain, ends, last=k == len(measures) - 1)
        for k, measure in enumerate(measures)
    ]
    own = {"plan_ends": _plan_ends(rows, measures, names, domain)}
    own["plan_needed"] = _plan_needed(needed, domain, ends)
    given = sorted({row["available"] for row in needed})
    there = f"{given[0]} to {given[-1]}" if len(given) > 1 else str(given[0])
    beyond = any(n > given[0] for n in numbers)
    chart = alt.vconcat(*panels, spacing=14).properties(
        title=heading(
            "Expected correlation with the true ranking, by number of topics",
            f"Line and circles: the target, {target:.10g}, and the topics that it needs."
            if own["plan_needed"]
            else f"Line: the target, {target:.10g}.",
            f"Dashed: more topics than the {there} of the scores, an extrapolation." if beyond else "",
            f"Bands: {asked(result)}." if any(row["low"] is not None for row in rows) else "No intervals.",
        )
    )
    chart.datasets = own
    return chart


def _said(row: dict[str, Any]) -> str:
    return f"{'no number enough' if row['topics'] is None else row['topics']} ({row['coefficient']})"


def _plan_ends(rows: Rows, measures: list[str], names: list[str], domain: list[float]) -> Rows:
    found: Rows = []
    for measure in measures:
        ends = [
            max(
                (row for row in rows if (row["measure"], row["coefficient"]) == (measure, name)),
                key=lambda row: row["topics"],
            )
            for name in names
        ]
        apart = _LINE * (domain[1] - domain[0]) / _HEIGHT
        places = dodged([end["expected"] for end in ends], apart, *domain)
        found += [{**end, "place": place} for end, place in zip(ends, places, strict=True)]
    return found


def _plan_needed(needed: Rows, domain: list[float], ends: list[float]) -> Rows:
    """Return the numbers needed that lie within the axis, with the heights of their labels."""
    found: Rows = []
    for measure in dict.fromkeys(row["measure"] for row in needed):
        own = [row for row in needed if row["measure"] == measure and row["topics"] is not None]
        shown = [row for row in own if ends[0] <= row["topics"] <= ends[1]]
        step = _LINE * (domain[1] - domain[0]) / _HEIGHT
        for k, row in enumerate(sorted(shown, key=lambda row: row["topics"])):
            found.append({**row, "place": domain[0] + (0.6 + k) * step})
    return found


def _plan_panel(
    needed: Rows,
    measure: str,
    names: list[str],
    domain: list[float],
    ends: list[float],
    *,
    last: bool,
) -> Any:
    one = f"datum.measure === {quoted(measure)}"
    given = next(row["available"] for row in needed if row["measure"] == measure)
    scale = alt.Scale(type="log", domain=ends, nice=False)
    ticks = [n for n in (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000) if ends[0] <= n <= ends[1]]
    x = alt.X(
        "topics:Q",
        scale=scale,
        title="topics (log scale)" if last else None,
        axis=alt.Axis(values=ticks, format="d", labelFlush=False),
    )
    y = alt.Y("expected:Q", scale=alt.Scale(domain=domain, nice=False), title="expected correlation")
    colour = _colour(names)
    base = alt.Chart(alt.NamedData("curve")).transform_filter(one)
    tooltip = [
        alt.Tooltip("coefficient:N"),
        alt.Tooltip("topics:Q"),
        alt.Tooltip("expected:Q", format=".4f"),
        alt.Tooltip("interval:N"),
    ]
    shape = alt.Shape("coefficient:N", scale=alt.Scale(domain=names), legend=None)
    band = (
        base.transform_filter("datum.low != null")
        .mark_area(opacity=0.18)
        .encode(x, alt.Y("low:Q", scale=alt.Scale(domain=domain, nice=False)), colour, y2="high:Q")
    )
    lines = [
        base.transform_filter(f"datum.topics {side} {given}").mark_line(strokeDash=dash).encode(x, y, colour)
        for side, dash in (("<=", [1, 0]), (">=", [5, 3]))
    ]
    points = (
        base.transform_calculate(interval=INTERVAL)
        .mark_point(size=28, filled=True, opacity=1)
        .encode(x, y, colour, shape, tooltip=tooltip)
    )
    end = alt.Chart(alt.NamedData("plan_ends")).transform_filter(one)
    place = alt.Y("place:Q", scale=alt.Scale(domain=domain, nice=False))
    found = alt.Chart(alt.NamedData("plan_needed")).transform_filter(one)
    at = alt.X("topics:Q", scale=scale)
    need_tip = ["coefficient:N", "target:Q", alt.Tooltip("topics:Q", title="topics needed")]
    target = alt.Chart(alt.NamedData("needed")).transform_filter(one)
    layers = [
        band,
        target.mark_rule(color="#333333", strokeWidth=1).encode(y="target:Q", tooltip=["target:Q"]),
        found.mark_rule(strokeDash=[1, 2]).encode(at, alt.Y("target:Q"), colour, y2=alt.datum(domain[0])),
        *lines,
        points,
        found.mark_point(size=90, strokeWidth=1.6, opacity=1).encode(
            at, alt.Y("target:Q"), colour, tooltip=need_tip
        ),
        found.mark_text(align="left", dx=4, fontSize=11).encode(at, place, colour, text="topics:Q"),
        end.mark_text(align="left", dx=8, fontSize=11).encode(
            x=alt.value(_WIDTH), y=place, color=colour, text="coefficient:N"
        ),
    ]
    said = ", ".join(_said(row) for row in needed if row["measure"] == measure)
    title = panel_title(f"{short(measure, 30)}: topics needed: {said}")
    return alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT, title=title)
