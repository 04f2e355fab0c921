"""Curves: coefficients against the threshold, and over numbers of topics."""

from __future__ import annotations

from typing import Any

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import Figure, Rows, Source, Spec, distinct, dodged, of, same, tips, told
from concordant.results.words import count, number

_WIDTH, _HEIGHT = 250, 190
_PANEL = ("measure", "estimate_measure", "estimate_threshold")
_LINE = 13  # pixels from one label to the next
_TOPICS = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)


def thresholds(tables: Tables) -> Figure:
    """Draw coefficients against the threshold up to which a difference counts as a tie.

    There is a panel for each measure, and each threshold of the estimate, with the same vertical axis.
    """
    rows = tables.rows("curves")
    names, each = distinct(rows, "coefficient"), distinct(rows, *_PANEL)
    domain = kit.domain_of(row["value"] for row in rows)
    value = {"title": names[0] if len(names) == 1 else "coefficient"}
    value["scale"] = {"domain": domain, "nice": False}
    y, place, colour = of("value:Q", **value), of("place:Q", **value), _colour(names)
    dash = told("coefficient:N", names, kit.DASHES, legend=None)
    text = kit.shortened("datum.coefficient", names, 24) + " + (datum.value == null ? ': undefined' : '')"
    leader = {"strokeWidth": 0.7, "strokeDash": [1, 2], "color": "#666666", "x2": {"value": "width"}}
    panels, shown = [], kit.short_names((name for key in each for name in key[:2]), 40)
    apart = any(key[2] is not None for key in each)
    title = f"threshold{' of the reference' * apart}: differences up to this are ties"
    for key in each:
        one = same(dict(zip(_PANEL, key, strict=True)), *_PANEL)
        label = shown[key[0]] + ("" if key[0] == key[1] else f"; estimate by {shown[key[1]]}")
        label += "" if key[2] is None else f"; threshold of the estimate {key[2]:g}"
        scale = {"nice": False, "zero": False}
        x = of(
            "threshold:Q", title=title if key == each[-1] else None, scale=scale, axis={"labelFlush": False}
        )
        source, ends = Source("curves").where(one), Source("line_ends").where(one)
        there, early = (
            source.where("datum.value != null"),
            tips("coefficient", "threshold:Q:undefined beyond"),
        )
        tip = tips("coefficient", "threshold:Q", "value:.4f")
        layers = [
            source.draw("line", strokeWidth=1.8, clip=True, x=x, y=y, color=colour, strokeDash=dash),
            there.draw("circle", size=30, opacity=0, x=x, y=y, tooltip=tip),
            # The names of the lines are beside their ends; a cross is where a line ends early.
            ends.where("datum.early").draw(
                "end", size=45, strokeWidth=2, x=x, y=y, color=colour, tooltip=early
            ),
            ends.where("datum.value != null").draw("rule", **leader, x2Offset=4, x=x, y=y, y2="place:Q"),
            ends.adding(text=text).draw("label", dx=6, x="width", y=place, text="text:N", color=colour),
        ]
        panels.append(_titled(layers, label))
    what = " and ".join(names) if len(names) < 3 else count(len(names), "coefficient")
    if len(names) < 3 and len(each) == 1:  # where each curve begins and ends
        curves = kit.groups((row for row in rows if row["value"] is not None), "coefficient").items()
        from_to = {name: [number(own[k]["value"]) for k in (0, -1)] for (name,), own in curves}
        what = " and ".join(f"{name} goes from {' to '.join(both)}" for name, both in from_to.items()) or what
    n = sum(row["value"] is None for row in rows)
    undefined = f"A cross ends a curve that is undefined beyond it ({n} of {count(len(rows), 'value')})."
    said, data = f"{what} as differences up to a threshold count as ties", {"line_ends": _ends(rows, domain)}
    return kit.stacked(said, panels, undefined if n else "", data=data)


def _ends(rows: Rows, domain: list[float]) -> Rows:
    """Return where each line ends, and where its label stands beside it without hiding another."""
    found: Rows = []
    for panel in kit.groups(rows, *_PANEL).values():
        furthest, ends = max(row["threshold"] for row in panel), []
        for (name,), own in kit.groups(panel, "coefficient").items():
            only = {**kit.part(panel[0], *_PANEL), "coefficient": name, "value": None, "threshold": None}
            defined = (row for row in own if row["value"] is not None)
            last = max(defined, key=lambda row: row["threshold"], default=only)
            ends.append({**last, "early": last["threshold"] is not None and last["threshold"] < furthest})
        found += _labelled(ends, "value", domain)
    return found


def _labelled(ends: Rows, column: str, domain: list[float]) -> Rows:
    """Return the ends of lines with the places of their labels, which do not hide each other."""
    values = (domain[0] if end[column] is None else end[column] for end in ends)
    places = dodged(list(values), _LINE * (domain[1] - domain[0]) / _HEIGHT, *domain)
    return [{**end, "place": place} for end, place in zip(ends, places, strict=True)]


def _colour(names: list[str]) -> Spec:
    return told("coefficient:N", names, kit.COLOURS, legend=None)


def _titled(layers: list[Spec], title: str) -> Spec:
    return {"layer": layers, "width": _WIDTH, "height": _HEIGHT, "title": kit.panel_title(title)}


def plan(tables: Tables) -> Figure | None:
    """Draw the expected correlation with the true ranking against the number of topics."""
    needed = [row for row in tables.rows("needed") if row["goal"] == "ranking"]
    rows = [row for row in tables.rows("curve") if row["expected"] is not None]
    if not rows:
        return None
    target, numbers = needed[0]["target"], [row["topics"] for row in rows]
    seen = [row[name] for row in rows for name in ("expected", "low", "high")]
    domain = kit.domain_of([*seen, target], (-1.0, 1.0))
    reached = [row["topics"] for row in needed if row["topics"] is not None]
    most = max([*numbers, *(n for n in reached if n <= 4 * max(numbers))])
    ends = [min(numbers), max(most, min(numbers) + 1)]
    measures, names = distinct(rows, "measure"), distinct(rows, "coefficient")
    panels = [_plan_panel(needed, one, names, domain, ends, one == measures[-1]) for one in measures]
    apart = _LINE * (domain[1] - domain[0]) / _HEIGHT
    own: dict[str, Rows] = {"plan_ends": [], "plan_needed": []}
    for (measure,), curves in kit.groups(rows, "measure").items():
        of_name = kit.groups(curves, "coefficient").values()
        last = [max(curve, key=lambda row: row["topics"]) for curve in of_name]
        own["plan_ends"] += _labelled(last, "expected", domain)
        found = [row for row in needed if row["measure"] == measure and row["topics"] is not None]
        within = [row for row in found if ends[0] <= row["topics"] <= ends[1]]
        ordered = enumerate(sorted(within, key=lambda row: row["topics"]))
        own["plan_needed"] += [
            {**row, "said": _range(row), "place": domain[0] + (0.6 + k) * apart} for k, row in ordered
        ]
    given = sorted({row["available"] for row in needed})
    there = f"{given[0]} to {given[-1]}" if len(given) > 1 else str(given[0])
    level = kit.level_text(tables.options, "confidence intervals")
    circles, needs = (" and circles", ", and the topics that it needs") if own["plan_needed"] else ("", "")
    line = f"Line{circles}: the target, {target:.10g}{needs}, with their range."
    line = line if needs else f"Line: the target, {target:.10g}."
    dashed = f"Dashed: more topics than the {there} of the scores, an extrapolation."
    bands = f"Bands: {level}." if any(row["low"] is not None for row in rows) else "No intervals."
    listed = [f"{row['topics']} ({row['coefficient']})" for row in needed if row["topics"] is not None]
    title = f"Topics needed for a correlation of {target:.10g} with the true ranking: {', '.join(listed)}"
    if not listed:
        title = f"No number of topics is known to reach a correlation of {target:.10g} with the true ranking"
    elif len(measures) > 1:
        reached = [row["topics"] for row in needed if row["topics"] is not None]
        title = f"{min(reached)} to {max(reached)} topics reach a correlation of {target:.10g} with the true "
        title += "ranking, by the measure and the coefficient"
    return kit.stacked(title, panels, line, dashed if max(numbers) > given[0] else "", bands, data=own)


def _plan_panel(
    needed: Rows, measure: str, names: list[str], domain: list[float], ends: list[Any], last: bool
) -> Spec:
    own = [row for row in needed if row["measure"] == measure]
    one = same({"measure": measure}, "measure")
    across = {"type": "log", "domain": ends, "nice": False}
    ticks = {"values": [n for n in _TOPICS if ends[0] <= n <= ends[1]], "format": "d", "labelFlush": False}
    x = of("topics:Q", scale=across, title="topics (log scale)" if last else None, axis=ticks)
    up = {"scale": {"domain": domain, "nice": False}, "title": "expected correlation"}
    colour, shape = _colour(names), of("coefficient:N", scale={"domain": names}, legend=None)
    y, place, target = (of(f"{name}:Q", **up) for name in ("expected", "place", "target"))
    band = {"opacity": 0.18, "x": x, "color": colour, **kit.span("low", "high", "y", **up)}
    rows, needs = Source("curve").where(one), Source("plan_needed").where(one)
    given, said = own[0]["available"], rows.adding(interval=kit.INTERVAL)
    tip = tips("coefficient", "topics:Q", "expected:.4f", "interval")
    lines = [
        rows.where(f"datum.topics {side} {given}").draw("line", strokeDash=dash, x=x, y=y, color=colour)
        for side, dash in (("<=", [1, 0]), (">=", [5, 3]))
    ]
    need = tips("coefficient", "target:Q", "topics:Q:topics needed", "at_least at_most:Q")
    goal = Source("needed").where("datum.goal === 'ranking'").where(one)
    ends_of = Source("plan_ends").where(one)
    layers = [
        rows.where("datum.low != null").draw("area", **band),
        goal.draw("rule", color="#333333", strokeWidth=1, y=target, tooltip=tips("target:Q")),
        needs.draw("rule", strokeDash=[1, 2], x=x, y=target, color=colour, y2={"datum": domain[0]}),
        *lines,
        said.draw("dot", size=28, x=x, y=y, color=colour, shape=shape, tooltip=tip),
        needs.draw("point", size=90, strokeWidth=1.6, opacity=1, x=x, y=target, color=colour, tooltip=need),
        needs.draw("label", dx=4, x=x, y=place, color=colour, text="said:N"),
        ends_of.draw("label", dx=8, x="width", y=place, color=colour, text="coefficient:N"),
    ]
    return _titled(layers, kit.short_names(distinct(needed, "measure"), 30)[measure])


def _range(row: dict[str, Any]) -> str:
    """Return the topics that are needed, with the range: "40 [16, 122]", "40 [16, no end]"."""
    if row["topics"] is None:
        return "no number known"
    if row["at_least"] is None:
        return str(row["topics"])
    return f"{row['topics']} [{row['at_least']}, {row['at_most'] or 'no end'}]"
