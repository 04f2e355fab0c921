"""The values of judges: with intervals, as a heat map, which may be the best, and topic by topic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from concordant.figures import converted_tables as shared, kit
from concordant.figures.converted_tables import CHOICES, Tables
from concordant.figures.kit import Figure, Rows, Source, Spec, distinct, of, same, tips, told

_TIP = "estimate measure estimate_measure coefficient"
_ROW = 13  # pixels for each value
_PANEL, _NARROW = kit.COLUMN - 100, 170  # widths in pixels of one panel, and of one of several
_WIDTH = kit.COLUMN - 90
_FEW_PAIRS = 10  # pairs of judges that are all drawn
_LOWEST = 3  # topics that are named for each judge


def _judges_by_value(tables: Tables) -> list[str]:
    """Return the estimates, the best by the main coefficient first: on average over the measures."""
    main = shared.main_coefficient(tables)
    values: dict[str, list[float]] = {}
    for row in shared.of_all_systems(tables):
        if row["coefficient"] == main:
            values.setdefault(row["estimate"], []).append(-math.inf if row["value"] is None else row["value"])
    return sorted(values, key=lambda name: -sum(values[name]) / len(values[name]))


def _value_range(rows: Rows) -> list[float]:
    """Return the ends of an axis that holds all values and intervals, and 1."""
    ends = [row[name] for row in rows for name in ("value", "low", "high") if row[name] is not None]
    low = min(ends, default=0)
    return [max(-1, math.floor(low * 10 - 0.3) / 10) if low >= -1 else low, max([1, *ends])]


def _measures(tables: Tables) -> dict[str, str]:
    """Return the names by which measures are chosen, and the measure of the reference."""
    names = distinct(shared.of_all_systems(tables), "measure", "estimate_measure")
    return {tables.measure_name(*both): both[0] for both in names}


def _of_all(tables: Tables) -> Source:
    """Return the rows of all systems, and those of coefficients that by themselves look at the best only."""
    own = {str(each.coefficient) for each in tables.records("agreement") if each.coefficient.top is not None}
    test = f"datum.top === null || indexof({kit.quoted(sorted(own))}, datum.coefficient) >= 0"
    return Source("agreement").where(test)


def agreement(tables: Tables) -> Figure:
    """Draw the value and interval of each judge and coefficient, a panel for each measure."""
    rows, measures = shared.of_all_systems(tables), _measures(tables)
    many = len(measures) > 1
    names = enumerate(measures.items())
    panels = [_panel(tables, *both, labels=i % 3 == 0, many=many) for i, both in names]
    over = "topics" if any(row["topics"] is not None for row in rows) else "systems"
    with_intervals = any(row["low"] is not None for row in rows)
    spec = {"concat": panels, "columns": 3, "spacing": 18}
    line = f"lines: {kit.level_text(tables.options)} over {over}" if with_intervals else ""
    lines = (line, "" if many else _reliability(tables, *measures.values()))
    shows = " ".join(f"chosen_{name}" for name in CHOICES)
    width = min(len(panels), 3) * _NARROW + 125 if many else 345
    return shared.figure(tables, "Agreement with the reference", spec, *lines, shows=shows, width=width)


def _panel(tables: Tables, measure: str, by_reference: str, *, labels: bool, many: bool) -> Spec:
    names = distinct(tables.rows("agreement"), "coefficient")
    domain = _value_range(shared.of_all_systems(tables))
    rows = _of_all(tables).where(shared.measure_is(tables, kit.quoted(measure)))
    # What is not chosen in the page is faint; nothing is chosen at first.
    chosen = {name: f"datum.{name} === chosen_{name}" for name in CHOICES}
    chosen["measure"] = shared.measure_is(tables, "chosen_measure")
    test = " && ".join(f"(chosen_{name} === null || {each})" for name, each in chosen.items())
    legend = {"title": None, "orient": "bottom", "columns": 3}
    axis = kit.name_axis(20, labels=labels, grid=True, labelPadding=6)
    y = of("estimate:N", sort=_judges_by_value(tables), title="judge", axis=axis)
    colour, shape = kit.marks("coefficient", names, **legend)
    offset = of("coefficient:N", sort=names, scale={"paddingOuter": 0.3})
    common, opacity = {"y": y, "yOffset": offset, "color": colour}, kit.either(test, 1, 0.15)
    x = {"scale": kit.exact(domain), "title": "value", "axis": kit.NUMBERS}
    tip = tips(_TIP, "value low high:.4f")
    text: Spec = {"align": "left", "dx": 3, "fontSize": 10, "fontStyle": "italic", "text": "undefined"}
    there, undefined = rows.where("datum.value !== null"), rows.where("datum.value === null")
    line = {"strokeWidth": 1.5, **kit.span("low", "high", **x), "opacity": opacity}
    point = {"filled": True, "size": 48, "x": of("value:Q", **x), "shape": shape, "opacity": opacity}
    text["x"] = of("start:Q", **x)
    lines = rows.where("datum.low !== null").draw("rule", **line, **common)
    texts = undefined.adding(start=str(domain[0])).draw("text", **text, **common, tooltip=tip)
    layers = [lines, there.draw("point", **point, **common, tooltip=tip), texts]
    height = {"step": _ROW * len(names) + 8, "for": "position"}
    panel: Spec = {"layer": layers, "width": _NARROW if many else _PANEL, "height": height}
    title = kit.heading(kit.short(measure, 28), _reliability(tables, by_reference), width=_NARROW + 14)
    return {**panel, "title": title} if many else panel


def _reliability(tables: Tables, measure: str) -> str:
    """Return what is expected of other topics by a measure, or that these show no order of the systems."""
    rows = [row for row in tables.rows("reliability") if row["measure"] == measure]
    if rows and rows[0]["pvalue"] > 0.05:
        return "these topics do not show an order of these systems"
    known = [row for row in rows if row["other_topics"] is not None and row["topics"] == rows[0]["topics"]]
    values = ", ".join(f"{row['other_topics']:.2f}\u00a0({row['coefficient']})" for row in known)
    return f"{rows[0]['topics']} other topics, expected: {values}" if values else ""


def heatmap(tables: Tables) -> Figure | None:
    """Draw all judges by all measures as shades with their values, of one coefficient at a time.

    If there is one measure only, the columns are the coefficients.
    """
    rows, measures, judges = shared.of_all_systems(tables), _measures(tables), _judges_by_value(tables)
    names = distinct(tables.rows("agreement"), "coefficient")
    if len(judges) * max(len(measures), len(names)) < 2:
        return None
    by_measure = len(measures) > 1
    columns = list(measures) if by_measure else names
    domain = [min([0, *(row["value"] for row in rows if row["value"] is not None)]), 1]
    cells = _of_all(tables).where("datum.coefficient === coefficient" if by_measure else "true")
    cells = cells.adding(column=shared.measure_text(tables) if by_measure else "datum.coefficient")
    cells = cells.adding(text="datum.value === null ? 'undefined' : format(datum.value, '.2f')")
    few = max(map(len, columns)) <= 12
    axis = kit.name_axis(12 if few else 22, orient="top", labelAngle=0 if few else -40)
    x = of("column:N", sort=None, title="measure" if by_measure else "coefficient", axis=axis)
    place = {"x": x, "y": of("estimate:N", sort=judges, title="judge", axis=kit.name_axis())}
    tip, there = tips(_TIP, "value:.4f"), cells.where("datum.value !== null")
    shade = of("value:Q", scale={"scheme": "blues", **kit.exact(domain)}, legend=None)
    middle = 0.3 * domain[0] + 0.7  # there, black and white are equally legible
    ink = kit.either(f"datum.value !== null && datum.value > {middle!r}", "white", "black")
    frame = {"fill": "white", "stroke": kit.GREY, "strokeDash": [3, 2], "strokeWidth": 1}
    layers = [
        # Every cell has a frame, so that rows and columns keep their order where values are undefined.
        cells.draw("rect", **frame, **place),
        there.draw("rect", stroke="white", strokeWidth=1, **place, color=shade, tooltip=tip),
        cells.draw("text", fontSize=11, **place, text="text:N", color=ink, tooltip=tip),
    ]
    spec = {"layer": layers, "width": {"step": 72}, "height": {"step": 24}}
    line = f"the stronger the colour, the better; order of rows: by {shared.main_coefficient(tables)}"
    shown = dict.fromkeys(("chosen", "shows"), "coefficient" if by_measure else "")
    return shared.figure(tables, "Agreement with the reference", spec, line, **shown)


def best(tables: Tables) -> Figure | None:
    """Draw which judges may be the best, and how much better one is than another."""
    panels = [_contenders(tables)] if tables.rows("best") else []
    panels += [_differences(tables)] if tables.rows("comparison") else []
    if not panels:
        return None
    undefined = (row for row in shared.of_all_systems(tables) if row["value"] is None)
    without = ", ".join(distinct(undefined, "estimate"))
    apart = dict.fromkeys(("stroke", "fill", "shape"), "independent")
    spec = {"vconcat": panels, "spacing": 24, "resolve": {"scale": apart}}
    line = f"not compared, because a value is undefined: {without}"[:200] if without else ""
    shown = {"chosen": "'by ' + coefficient", "shows": "coefficient"}
    return shared.figure(tables, "Which judge may be the best", spec, line, **shown)


def _of_judges(layers: Sequence[Spec], text: str, line: str) -> Spec:
    title = kit.heading(text, line, width=345)
    return {"layer": list(layers), "width": _WIDTH, "height": {"step": 20}, "title": title}


def _by_judge(column: str, sort: Any) -> Spec:
    return of(f"{column}:N", sort=sort, title="judge", axis=kit.name_axis(grid=True, labelPadding=6))


def _contenders(tables: Tables) -> Spec:
    """Draw the value of each judge with joint confidence intervals."""
    contenders = tables.rows("best")
    names = "datum.estimate"
    if len(distinct(contenders, *shared.PAIR)) > len(distinct(contenders, "estimate")):
        own = "(datum.measure === datum.estimate_measure ? '' : ' / ' + datum.estimate_measure)"
        names = f"datum.estimate + ', ' + datum.measure + {own}"
    kinds = ["may be the best", f"below the best (p < {1 - tables.options['confidence_level']:.3g})"]
    rows = Source("best").where("datum.coefficient === coefficient")
    rows = rows.adding(row=names, kind=f"datum.may_be_best ? '{kinds[0]}' : '{kinds[1]}'")
    y = _by_judge("row", {"field": "value", "op": "max", "order": "descending"})
    x = {"scale": kit.exact(_value_range(contenders)), "title": "value", "axis": kit.NUMBERS}
    ranges = {"stroke": [kit.BLUE, kit.ORANGE], "fill": [kit.BLUE, "white"], "shape": ["circle", "diamond"]}
    legend = {"title": None, "orient": "bottom"}
    kind = {name: told("kind:N", kinds, values, legend=legend) for name, values in ranges.items()}
    tip = tips("estimate measure estimate_measure", "value low high below_best pvalue:.4f")
    point = {"size": 60, "opacity": 1, "strokeWidth": 1.6}
    lines = rows.draw("interval", color=kit.GREY, **kit.span("low", "high", **x), y=y)
    points = rows.draw("point", **point, x=of("value:Q", **x), y=y, **kind, tooltip=tip)
    text = f"{kit.level_text(tables.options)} that hold all at once; p by one test of all judges together"
    return _of_judges([lines, points], "Value of each judge", text)


def _differences(tables: Tables) -> Spec:
    """Draw how much better one judge is than another: all pairs if they are few, or those of the best."""
    comparison, others = tables.rows("comparison"), ""
    rows = Source("comparison").where("datum.coefficient === coefficient")
    if any(len(own) > _FEW_PAIRS for own in kit.groups(comparison, "coefficient").values()):
        best, others = _bests(tables), "pairs without the best judge are in the table comparison"
        rows = rows.where(" || ".join(f"({same(each, *each)})" for each in best))
        comparison = [row for row in comparison if any(row | each == row for each in best)]
    first = distinct(comparison, "estimate", "estimate_measure")
    one, other = (
        f"datum.{name} + (datum.{name}_measure === null ? '' : ' (' + datum.{name}_measure + ')')"
        for name in ("estimate", "other")
    )
    row = other if len(first) == 1 else f"{one} + ' − ' + {other}"
    row += " + ', ' + datum.measure" if len(distinct(comparison, "measure")) > 1 else ""
    rows = rows.adding(row=row)
    y = _by_judge("row", {"field": "difference", "op": "max"})
    x = {"title": "difference", "axis": kit.NUMBERS}
    with_intervals = any(each["low"] is not None for each in comparison)
    tip = tips("measure estimate estimate_measure other other_measure", "topics:Q")
    tip += tips("difference low high pvalue pvalue_adjusted:.4f")
    zero = {"data": {"values": [{"zero": 0}]}, "mark": {"type": "rule", "color": "black"}}
    lines = rows.where("datum.low !== null").draw("interval", **kit.span("low", "high", **x), y=y)
    dots = rows.draw("dot", size=50, x=of("difference:Q", **x), y=y, tooltip=tip)
    layers = [zero | {"encoding": {"x": of("zero:Q")}}, *([lines] if with_intervals else []), dots]
    about = "the better judge of a pair − the other"
    if len(first) == 1:
        about = f"{kit.short(first[0][0], 40)} − another"
    text = f"{kit.level_text(tables.options)} of each pair by itself" if with_intervals else ""
    told_of = "; ".join(part for part in (about, text, "line at no difference", others) if part)
    return _of_judges(layers, "How much better one judge is than another", told_of)


def _bests(tables: Tables) -> list[dict[str, Any]]:
    """Return the values of the columns of comparison for the best judge by each measure and coefficient."""
    found: list[dict[str, Any]] = []
    for (measure, c), own in kit.groups(shared.of_all_systems(tables), "measure", "coefficient").items():
        best = max(own, key=lambda row: -math.inf if row["value"] is None else row["value"])
        by = None if best["estimate_measure"] == measure else best["estimate_measure"]
        for side in ("estimate", "other"):
            about = {"measure": measure, "coefficient": c, side: best["estimate"], f"{side}_measure": by}
            found.append(about)
    return found


def topics(tables: Tables) -> Figure | None:
    """Draw the values of the topics for each judge, with the quartiles and the lowest topics by name."""
    each_topic = tables.rows("each_topic")
    if len(distinct(each_topic, "topic")) < 2 or all(row["value"] is None for row in each_topic):
        return None
    chosen = f"datum.coefficient === coefficient && {shared.measure_is(tables)}"
    rows = Source("each_topic").where(chosen).numbered("number")
    rows = rows.adding(shift="((datum.number * 5) % 8) / 8 - 0.5").where("datum.value !== null")
    grouped = rows.grouped(["estimate"], low="q1(value)", median="median(value)", high="q3(value)")
    grouped = grouped.adding(middle="0")
    under = Source("lowest").where(chosen).adding(under="1.05")
    x = {"scale": {"zero": False}, "title": "value on a topic", "axis": kit.NUMBERS}
    y, scale = _by_judge("estimate", _judges_by_value(tables)), {"domain": [-0.7, 1.4]}
    offsets = (of(f"{name}:Q", scale=scale) for name in ("shift", "middle", "under"))
    shift, middle, below = ({"y": y, "yOffset": offset} for offset in offsets)
    tip = tips("estimate measure topic", "value:.4f")
    layers = [
        rows.draw("dot", size=16, opacity=0.45, x=of("value:Q", **x), **shift, tooltip=tip),
        grouped.draw("interval", strokeWidth=2.5, color="black", **kit.span("low", "high", **x), **middle),
        grouped.draw("diamond", x=of("median:Q", **x), **middle, tooltip=tips("estimate", "median:Q")),
        under.draw("label", baseline="middle", fontSize=10, x=2, **below, text="text:N"),
    ]
    spec = {"layer": layers, "width": _WIDTH, "height": {"step": 46, "for": "position"}}
    line = "dots: topics; line: the middle half of them; diamond: median"
    shown = {"chosen": f"coefficient + ', ' + {kit.shortened('measure', 20)}", "shows": "measure coefficient"}
    data = {"lowest": _lowest(each_topic)}
    return shared.figure(tables, "Agreement topic by topic", spec, line, **shown, data=data)


def _lowest(each_topic: Rows) -> Rows:
    """Return the lowest topics of each judge, and how many are undefined, as text."""
    found = []
    for rows in kit.groups(each_topic, *shared.PAIR, "coefficient").values():
        defined = sorted((row for row in rows if row["value"] is not None), key=lambda row: row["value"])
        parts = [f"{kit.short(row['topic'], 14)} ({row['value']:.2f})" for row in defined[:_LOWEST]]
        text = f"lowest: {', '.join(parts)}" if parts else ""
        if len(defined) > 1 and defined[0]["value"] == defined[-1]["value"]:
            text = f"all {'others' if len(defined) < len(rows) else 'topics'}: {defined[0]['value']:.2f}"
        undefined = len(rows) - len(defined)
        line = "; ".join(filter(None, (f"{undefined} undefined" if undefined else "", text)))
        found.append({**kit.part(rows[0], *shared.PAIR, "coefficient"), "text": line})
    return found
