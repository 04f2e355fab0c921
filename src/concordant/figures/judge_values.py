"""The values of judges: with intervals, as a heat map, and topic by topic."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import median
from typing import Any

from concordant.figures import converted_tables as shared, kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import Figure, Rows, Source, Spec, distinct, of, tips, told
from concordant.questions.judge import JudgeResult
from concordant.questions.verdict import best_of, names_of, of_measures, who
from concordant.results.words import count, few, listed, number, with_interval

_WIDTH = kit.COLUMN - 90
_LOWEST = 3  # topics that are named for each judge
_LONGEST = 110  # characters of a title
_INK = {"best": kit.BLUE, "worse": "#8c8c8c", "not compared": "#404040"}
_COLUMNS = (*shared.PAIR, "topics", "value", "low", "high", "common", "common_low", "common_high", "others")


def _judges_by_value(tables: Tables) -> list[str]:
    """Return the estimates, the best by the main coefficient first: on average over the measures."""
    main = shared.main_coefficient(tables)
    values: dict[str, list[float]] = {}
    for row in tables.rows("agreement"):
        if row["coefficient"] == main:
            values.setdefault(row["estimate"], []).append(-math.inf if row["value"] is None else row["value"])
    return sorted(values, key=lambda name: -sum(values[name]) / len(values[name]))


def _value_range(rows: Rows) -> list[float]:
    """Return the ends of an axis that holds all values and intervals, and 1."""
    ends = [row[name] for row in rows for name in ("value", "low", "high") if row[name] is not None]
    low = min(ends, default=0)
    return [max(-1, math.floor(low * 10 - 0.3) / 10) if low >= -1 else low, max([1, *ends])]


def finding(result: Any) -> str:
    """Return in a few words which estimate is the closest to the reference, and how others compare."""
    by = of_measures(result)
    found = {measure: row for measure, rows in by.items() if (row := best_of(result, rows)) is not None}
    said = ""
    if result.is_among_many and len(by) == 1:
        said = _among_many(result)
    elif len(by) == 1 and found:
        said = _of_one(result, *by.values(), *found.values())
    elif any(len(rows) > 1 for rows in by.values()):
        wins: dict[str, list[str]] = {}
        for measure, row in found.items():
            wins.setdefault(who(row), []).append(measure)
        parts = [f"{name} by {listed(measures)}" for name, measures in wins.items()]
        said = f"Closest to the reference: {', '.join(parts)}"
        if len(wins) == 1 and len(found) == len(by):
            every = "both" if len(by) == 2 else f"all {len(by)}"
            said = f"{next(iter(wins))} is the closest to the reference by {every} measures"
    if not 0 < len(said) <= _LONGEST:
        return f"Agreement with the reference{f' by {len(by)} measures' if len(by) > 1 else ''}"
    return f"The{said[3:]}" if said.startswith("the estimate") else said


def _among_many(result: Any) -> str:
    """Return how the reference stands among the others."""
    (each,) = result.standing
    name = kit.short_names([result.reference], 40)[result.reference] if result.reference else "The reference"
    theirs = f"{number(each.agreement)}, theirs {number(each.others)}"
    return {
        "less": f"{name} agrees less with the others than they do with each other: {theirs}",
        "more": f"{name} agrees more with the others than they do with each other: {theirs}",
        "not told apart": f"{name} is not told apart from the others: {theirs} with each other",
    }.get(each.decision, "")


def _of_one(result: Any, rows: list[Any], best: Any) -> str:
    """Return the same for one measure."""
    names, grid = kit.short_names(map(who, rows), 28), result.answer()
    name, value = names[who(best)], f"{best.coefficient} {with_interval(best.value, best.interval)}"
    if sum(not math.isnan(row.value) for row in rows) > 1:
        shown = ([names[grid.rows[r][0]] for r, _ in sorted(kind)] for kind in (grid.best, grid.worse))
        alike, worse = ([each for each in own if each != name] for own in shown)
        more = f", not told apart from {few(alike, 'judges')}" if alike else f": {value}"
        if worse and not alike:
            more = f"; {few(worse, 'judges')} {'is' if len(worse) == 1 else 'are'} worse"
        return f"{name} is the closest to the reference{more}"
    return {
        "shown": f"{name} is as close to the reference as other topics would be",
        "not decided": f"Whether {name} is as close to the reference as other topics is not decided",
        "shown not to be": f"{name} is less close to the reference than other topics would be",
    }.get(best.as_close, f"{name} and the reference: {value}")


def _of_judges(tables: Tables, c: str) -> tuple[Rows, Rows]:
    """Return a row for each judge and measure, in the order of the answer, and what other topics reach."""
    result, found, others = tables.narrowed(coefficient=c), list[dict[str, Any]](), list[dict[str, Any]]()
    judged = {tuple(map(row.get, shared.PAIR)): row for row in tables.rows("judges")}
    values = [row for row in tables.rows("agreement") if row["coefficient"] == c]
    value_of = {tuple(map(row.get, shared.PAIR)): row for row in values}
    for measure, own in of_measures(result).items():
        same = (row for row in result.agreement if row.measure.measure == measure)
        grid = replace(result, agreement=tuple(same)).answer()
        shown = names_of(result)
        keys = {shown[row.estimate, row.measure]: (row.estimate, *row.measure) for row in own}
        keys = {name: key for name, key in keys.items() if key in judged}  # too few systems
        names, most = kit.short_names(keys), max(judged[key]["topics"] for key in keys.values())
        for r, (name, *_) in enumerate(grid.rows[: len(keys)]):
            row, told_apart = judged[keys[name]], (r, 1) in grid.best or not grid.best
            kind = "worse" if (r, 1) in grid.worse else "best" if told_apart else "not compared"
            fewer = f" ({count(row['topics'], 'topic')})" if row["topics"] < most else ""
            words = f"reversed {row['reversed']} of {row['significant']}"
            if result.is_among_many:
                words = f"n {row['systems']}; winner has rank {row['winner_rank']:g}"
            elif not row["significant"]:
                words = f"{row['swapped']} of {row['systems'] * (row['systems'] - 1) // 2} opposite"
            more = {"row": names[name] + fewer, "place": r, "kind": kind, "text": words}
            found.append(kit.part(row | value_of[keys[name]], *_COLUMNS) | {"coefficient": c, **more})
        if grid.foot and (value := grid.rows[-1][1].value) is not None:
            said = f"{grid.rows[-1][0]}: {number(value)}"
            others.append({"measure": measure, "coefficient": c, "value": value, "text": said})
    return found, others


def judges(tables: Tables) -> Figure | None:
    """Draw a row for each judge: the value with its interval, the top, and the pairs that it reverses."""
    names, result = distinct(tables.rows("agreement"), "coefficient"), tables.result
    both = [_of_judges(tables, c) for c in names]
    rows, others = ([row for each in both for row in each[k]] for k in (0, 1))
    if len(rows) == len(names) and not isinstance(result, JudgeResult):
        return None  # a single value: the ranks show more
    measures = distinct(rows, "measure")
    panels = [_panels(tables, rows, others, measure, len(measures)) for measure in measures]
    over = "over topics" if any(row["topics"] is not None for row in rows) else "over systems"
    level = f"lines: {kit.level_text(tables.options)} {over}"
    kinds = {"worse": "grey: worse", "not compared": "black: not compared"}
    ink = [text for kind, text in kinds.items() if kind in distinct(rows, "kind")]
    pairs = "reversed: significant differences in the opposite order"
    lines = (
        "diamonds: the mean of the others with it; dashes: the aggregate of the others"
        if result.is_among_many
        else "",
        level if any(row["high"] is not None for row in rows) else "",
        "; ".join(["blue: not told apart from the best", *ink])
        if getattr(result, "comparison", None)
        else "",
        pairs if any(row["text"].startswith("reversed") for row in rows) else "",
    )
    said = [({"coefficient": c}, finding(tables.narrowed(coefficient=c)), "") for c in names]
    more: Spec = {"said": said, "data": {"own_judges": rows, "own_others": others}, "width": 540}
    more |= {"linked": ("agreement", "judges"), "shows": "coefficient chosen_estimate chosen_measure"}
    return shared.figure(tables, said[0][1], {"vconcat": panels, "spacing": 10}, *lines, **more)


def _panels(tables: Tables, rows: Rows, others: Rows, measure: str, n: int) -> Spec:
    """Return the panels of one of n measures: values, the top, and words."""
    test = f"{kit.same({'measure': measure}, 'measure')} && datum.coefficient === coefficient"
    source, dashed = Source("own_judges").where(test), Source("own_others").where(test)
    last, height = measure == rows[-1]["measure"], {"step": 30 if n == 1 else 23}
    # What is not chosen in the page is faint; nothing is chosen at first.
    chosen = "(chosen_estimate === null || datum.estimate === chosen_estimate) && "
    chosen += f"(chosen_measure === null || {shared.measure_is(tables, 'chosen_measure')})"
    tip = tips("row:N:judge", "measure coefficient", "value low high:.4f")
    tip += tips("common:Q:common systems of the top", "text:N:pairs of systems")
    faint: Spec = {"opacity": kit.either(chosen, 1, 0.15)}
    ink = faint | {"color": told("kind:N", list(_INK), list(_INK.values()), legend=None)}
    axis = kit.name_axis([row["row"] for row in rows], 60, grid=True, labelPadding=6, labelFontSize=12)
    y: Spec = of("row:N", sort={"field": "place", "op": "min"}, axis=axis)
    under = {"orient": "bottom", "anchor": "middle", "fontSize": 12, "fontWeight": "normal", "offset": 4}

    def panel(column: str, low: str, x: Spec, y: Spec, digits: str, title: Any, *more: Spec) -> Spec:
        """Return dots with their numbers and intervals."""
        there = source.where(f"isValid(datum.{column})").adding(said=f"format(datum.{column}, '{digits}')")
        lines = kit.span(low, low.replace("low", "high"), **x)
        at = {"x": of(f"{column}:Q", **x), "y": y, **ink}
        # Beside a panel with all rows, one must have them too.
        every = [source.draw("point", opacity=0, y=y)] if any(row[column] is None for row in rows) else []
        layers = [
            *every,
            there.where(f"isValid(datum.{low})").draw(
                "rule", strokeWidth=2.5, **lines, y=y, **ink, tooltip=tip
            ),
            there.draw("dot", size=75, **at, tooltip=tip),
            there.draw("text", fontSize=11, fontWeight="bold", dy=-10, **at, text="said:N"),
        ]
        below = {"title": {"text": title, **under}} if last else {}
        return {"layer": [*more, *layers], "height": height, **below}

    ends = _value_range(rows)
    x = {"scale": kit.exact(ends), "title": None, "axis": kit.NUMBERS | {"labels": last}}
    undefined, at = source.where("!isValid(datum.value)").adding(start=str(ends[0])), of("value:Q", **x)
    words = {"align": "right", "dx": 8, "fontSize": 10.5, "color": kit.GREY, "text": "text:N"}
    more = [undefined.draw("undefined", text="undefined", x=of("start:Q", **x), y=y, **faint)]
    if others:
        rule, said = dashed.draw("same", type="rule", x=at), dashed.draw("text", x=at, y=-12, **words)
        more = [rule, said, *more]
    if any(row["others"] is not None for row in rows):
        theirs, tip_of = source.where("isValid(datum.others)"), tips("row:N:benchmark", "others:.4f")
        more.append(theirs.draw("diamond", x=of("others:Q", **x), y=y, tooltip=tip_of))
    title = {"expr": "coefficient + ' with the reference'"}
    panels = [panel("value", "low", x, y, ".2f", title, *more) | {"width": 230}]
    top, y = tables.rows("judges")[0]["top"], {**y, "axis": None}
    if shared.most_systems(tables) > top and any(row["common"] is not None for row in rows):
        axis = {"values": [0, top // 2, top], "labels": last}
        x = {"scale": kit.exact([0, top]), "title": None, "axis": axis}
        panels.append(panel("common", "common_low", x, y, ".1~f", f"top {top} in common") | {"width": 100})
    text = source.draw("text", align="left", fontSize=11, x=0, y=y, text="text:N", **faint, tooltip=tip)
    panels.append(text | {"width": 110, "height": height})
    head = {"text": kit.short_names([measure], 40)[measure], "fontSize": 12, "offset": -12 if others else 2}
    return {"hconcat": panels, "spacing": 24, "bounds": "flush", **({"title": head} if n > 1 else {})}


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
    judges, scale = _judges_by_value(tables), {"domain": [-0.7, 1.4]}
    axis = kit.name_axis(judges, title="judge", grid=True, labelPadding=6)
    y = of("estimate:N", sort=judges, axis=axis)
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
    said, data = _medians(tables, judges), {"lowest": _lowest(each_topic)}
    shows = "measure coefficient"
    return shared.figure(tables, said[0][1], spec, line, shows=shows, said=said, data=data)


def _medians(tables: Tables, judges: list[str]) -> list[tuple[dict[str, str], str, str]]:
    """Return the medians of the first judges, for each measure and coefficient."""
    found, names = [], kit.short_names(judges, 16)
    for key, rows in kit.groups(tables.rows("each_topic"), *shared.PAIR[1:], "coefficient").items():
        measure, c = tables.measure_name(*key[:2]), key[2]
        values = {name: [r["value"] for r in rows if r["estimate"] == name] for name in judges}
        there = {name: [value for value in own if value is not None] for name, own in values.items()}
        parts = [f"{number(median(own))}\u00a0({names[name]})" for name, own in there.items() if own]
        parts = parts[:_LOWEST]
        title = f"On the median topic, {c} is {', '.join(parts)}" if parts else f"{c} is undefined"
        found.append(({"measure": measure, "coefficient": c}, title, f"{c}, {measure}"))
    return found


def _lowest(each_topic: Rows) -> Rows:
    """Return the lowest topics of each judge, and how many are undefined, as text."""
    found = []
    for rows in kit.groups(each_topic, *shared.PAIR, "coefficient").values():
        defined = sorted((row for row in rows if row["value"] is not None), key=lambda row: row["value"])
        names = kit.short_names((row["topic"] for row in defined[:_LOWEST]), 14)
        parts = [f"{names[row['topic']]} ({row['value']:.2f})" for row in defined[:_LOWEST]]
        text = f"lowest: {', '.join(parts)}" if parts else ""
        if len(defined) > 1 and defined[0]["value"] == defined[-1]["value"]:
            text = f"all {'others' if len(defined) < len(rows) else 'topics'}: {defined[0]['value']:.2f}"
        undefined = len(rows) - len(defined)
        line = "; ".join(filter(None, (f"{undefined} undefined" if undefined else "", text)))
        found.append({**kit.part(rows[0], *shared.PAIR, "coefficient"), "text": line})
    return found
