"""The values of judges with intervals, and of groups of systems."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from concordant.figures import converted_tables as shared, kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import Figure, Rows, Source, Spec, distinct, of, tips, told
from concordant.questions.judge import JudgeResult
from concordant.questions.verdict import best_of, names_of, of_measures, who
from concordant.results.words import count, few, listed, number, with_interval

_LONGEST = 110  # characters of a title
_LEAST_CHANGE = 0.05  # of a value, that is a finding
_INK = {"best": kit.BLUE, "worse": "#8c8c8c", "not compared": "#404040"}
_COLUMNS = (*shared.PAIR, "topics", "value", "low", "high", "common", "common_low", "common_high", "others")


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
    if not rows or (len(rows) == len(names) and not isinstance(result, JudgeResult)):
        return None  # no systems, or a single value: the ranks show more
    measures = distinct(rows, "measure")
    panels = [_panels(tables, rows, others, measure, len(measures)) for measure in measures]
    over = "over topics" if any(row["topics"] is not None for row in rows) else "over systems"
    level = f"lines: {kit.level_text(tables.options)} {over}"
    kinds = {"worse": "grey: worse", "not compared": "black: not compared"}
    ink = [text for kind, text in kinds.items() if kind in distinct(rows, "kind")]
    pairs = "" if tables.narrow else "reversed: significant differences in the opposite order"
    topped = "right: how many of the best systems are the same" if tables.narrow else ""
    lines = (
        "diamonds: the mean of the others with it" if result.is_among_many else "",
        level if any(row["high"] is not None for row in rows) else "",
        "; ".join(["blue: not told apart from the best", *ink])
        if getattr(result, "comparison", None)
        else "",
        pairs if any(row["text"].startswith("reversed") for row in rows) else "",
        topped if any(row["common"] is not None for row in rows) else "",
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
    words = {"align": "right", "dx": 8, "fontSize": 11, "color": kit.GREY, "text": "text:N"}
    more = [undefined.draw("undefined", text="undefined", x=of("start:Q", **x), y=y, **faint)]
    if others:
        rule, said = dashed.draw("same", type="rule", x=at), dashed.draw("text", x=at, y=-12, **words)
        more = [rule, said, *more]
    if any(row["others"] is not None for row in rows):
        theirs, tip_of = source.where("isValid(datum.others)"), tips("row:N:benchmark", "others:.4f")
        more.append(theirs.draw("diamond", x=of("others:Q", **x), y=y, tooltip=tip_of))
    title = {"expr": "coefficient + ' with the reference'"}
    panels = [panel("value", "low", x, y, ".2f", title, *more) | {"width": 160 if tables.narrow else 230}]
    top, y = tables.rows("judges")[0]["top"], {**y, "axis": None}
    if shared.most_systems(tables) > top and any(row["common"] is not None for row in rows):
        axis = {"values": [0, top // 2, top], "labels": last}
        x = {"scale": kit.exact([0, top]), "title": None, "axis": axis}
        below, width = (f"top {top}", 60) if tables.narrow else (f"top {top} in common", 100)
        panels.append(panel("common", "common_low", x, y, ".1~f", below) | {"width": width})
    text = source.draw("text", align="left", fontSize=11, x=0, y=y, text="text:N", **faint, tooltip=tip)
    if not tables.narrow:  # there is no room for words
        panels.append(text | {"width": 110, "height": height})
    named = kit.short_names([measure], 40)[measure]
    heading = {"text": named, "fontSize": 12, "offset": -12 if others else 2}
    return {
        "hconcat": panels,
        "spacing": 14 if tables.narrow else 24,
        "bounds": "flush",
        **({"title": heading} if n > 1 else {}),
    }


def groups(tables: Tables) -> Figure | None:
    """Draw a row for each judge, with a dot for each group: the value without it, and how it is favoured."""
    rows, main = tables.rows("groups"), shared.main_coefficient(tables)
    if not rows:
        return None
    names = kit.short_names(distinct(rows, "estimate"))
    values = {
        tuple(map(row.get, shared.PAIR)): row["value"]
        for row in tables.rows("agreement")
        if row["coefficient"] == main
    }
    alpha, own, said = tables.options.get("alpha") or 0.05, list[dict[str, Any]](), []
    for key, each in kit.groups(rows, *shared.PAIR).items():
        changed = [row for row in each if row["change"] is not None]
        most = max(changed, key=lambda row: abs(row["change"]), default=None)
        for row in each:
            favoured = row["pvalue"] is not None and row["pvalue"] < alpha
            much = row is most and abs(row["change"]) >= _LEAST_CHANGE
            named = {"without": row["group"] if much else "", "by": row["group"] if favoured else ""}
            own.append({**row, **named, "row": names[key[0]], "all": values[key], "favoured": favoured})
        choice = {"estimate": key[0], "measure": tables.measure_name(*key[1:])}
        said.append((choice, abs(most["change"]) if most else 0.0, _without(names[key[0]], most, main)))
    chosen = Source("own_groups").where(shared.measure_is(tables))
    short, judges = kit.short_names(distinct(rows, "group"), 16), list(names.values())
    axis = kit.name_axis(judges, labelPadding=6, grid=True)
    tip = tips("row:N:judge", "group", "systems:Q")

    def panel(column: str, title: str, label: str, tests: str, named: bool) -> Spec:
        """Return a dot for each group, of which some are coloured and named."""
        y = of("row:N", sort=judges, axis=axis | {"labels": named})
        x = of(f"{column}:Q", scale={"zero": False, "padding": 14}, title=title, axis=kit.NUMBERS)
        there = chosen.where(f"isValid(datum.{column})")
        place = {"x": x, "y": y, "tooltip": [*tip, *tips(f"{column}:.4f", "pvalue:.4f")]}
        ink = kit.either(tests, kit.ORANGE, kit.BLUE)
        text = there.where(f"datum.{label} !== ''").adding(text=kit.shortened(f"datum.{label}", short, 16))
        layers = [
            there.draw("median", size=22, x=of("all:Q"), y=y, tooltip=tips("row:N:judge", "all:.4f"))
            if column == "value"
            else there.draw("interval", **kit.span("low", "high"), y=y),
            there.draw("dot", size=50, opacity=0.75, **place | {"color": ink}),
            text.draw("text", dy=-12, color="#a84300", **place, text="text:N"),
        ]
        return {"layer": layers, "height": {"step": 40}, "width": 150}

    tests = ("datum.without !== ''", "datum.favoured")
    panels = [panel("value", f"{main} without a group", "without", tests[0], True)]
    if any(row["effect"] is not None for row in rows):
        panels.append(panel("effect", "score above what is due", "by", tests[1], tables.narrow))
    how = {"vconcat" if tables.narrow else "hconcat": panels, "spacing": 14}
    groups_of = f"{count(len(distinct(rows, 'group')), 'group')}; tick: all systems; dots: without a group"
    line = f"right: how much a judge favours a group, with {kit.level_text(tables.options)}"
    line = line.replace("right", "below") if tables.narrow else line
    lines_below = (groups_of, line if len(panels) > 1 else "")
    title = max(said, key=lambda each: each[1])[2]
    more: Spec = {"data": {"own_groups": own}, "linked": ("groups",), "shows": "measure", "width": 430}
    return shared.figure(tables, title, how, *lines_below, **more)


def _without(name: str, most: dict[str, Any] | None, main: str) -> str:
    """Return what leaving out a group changes."""
    if most is None or most["value"] is None:
        return f"{main} without each group of systems"
    both = f"{number(most['value'] - most['change'])} to {number(most['value'])}"
    if abs(most["change"]) < _LEAST_CHANGE:
        return f"No group changes {main} by more than {number(abs(most['change']))}"
    way = "rises" if most["change"] > 0 else "falls"
    return f"Without {most['group']}, {main} of {name} {way} from {both}"
