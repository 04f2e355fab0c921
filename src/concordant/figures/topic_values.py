"""Topic by topic: the value of every topic, their distribution, and the topics to look at."""

from __future__ import annotations

from typing import Any

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import BLUE, ORANGE, Figure, Rows, Source, Spec, number, of, tips, told
from concordant.results.words import count

_WIDTH, _HEIGHT, _BESIDE = 230, 170, 50
_NAMED = 3  # topics that are named, at the lower end
_LINE = 13
_LONGEST, _CHARACTER = 20, 5.8  # a name: most characters, pixels of each
_KEYS = ("measure", "estimate_measure", "coefficient")
_KINDS = ("of the means", "mean of topics")


def topics(tables: Tables) -> Figure:
    """Draw the value of each topic, sorted, beside their distribution; a row for each coefficient."""
    rows, summary = tables.rows("topics"), tables.rows("summary")
    seen = [row["value"] for row in rows] + [row[key] for row in summary for key in ("of_means", "mean")]
    domain = kit.domain_of(seen, step=0.2)
    of_keys = kit.groups(rows, *_KEYS)
    both = ((of_keys[tuple(one[key] for key in _KEYS)], one) for one in summary)
    shown = kit.short_names((one[key] for one in summary for key in _KEYS[:2]), 40)
    panels = [_panel(own, one, domain, shown, one is summary[-1]) for own, one in both]
    level = kit.level_text(tables.options, "confidence intervals")
    undefined = any(row["undefined"] for row in summary)
    lines = (
        f"{count(summary[0]['topics'], 'topic')}, sorted; triangles: the lowest, named.",
        f"In brackets: {level}." if level and any(row["low"] is not None for row in summary) else "",
        "Crosses at the foot: topics where the coefficient is undefined." if undefined else "",
    )
    mean, of_means = (number(summary[0][name]) for name in ("mean", "of_means"))
    title = f"{summary[0]['coefficient']} is {mean} for a topic on average, {of_means} for the means"
    data = {"own_lines": _lines(summary, domain)}
    return kit.stacked(title, panels, *lines, width=380, data=data, linked=("summary",))


def _lines(summary: Rows, domain: list[float]) -> Rows:
    """Return the mean over topics and the value of the means, with places for their labels."""
    found: Rows = []
    apart = 2 * _LINE * (domain[1] - domain[0]) / _HEIGHT
    for one in summary:
        own = []
        for kind, names in zip(_KINDS, ("of_means low high", "mean mean_low mean_high"), strict=True):
            value, low, high = (one[name] for name in names.split())
            if value is not None:
                said = number(value) + ("" if low is None else f" [{number(low)}, {number(high)}]")
                row = {"kind": kind, "value": value, "low": low, "high": high, "said": said}
                own.append(kit.part(one, *_KEYS) | row)
        ends = domain[0] + apart / 2, domain[1] - apart / 2
        places = kit.dodged([row["value"] for row in own], apart, *ends)
        found += [{**row, "place": place} for row, place in zip(own, places, strict=True)]
    return found


def _panel(rows: Rows, one: dict[str, Any], domain: list[float], shown: dict[Any, str], last: bool) -> Spec:
    """Draw one measure and coefficient: the topics, and their distribution beside them."""
    own = kit.same(one, *_KEYS)
    scale = {"domain": domain, "nice": False}
    source = Source("topics").where(own).adding(order="datum.value == null ? 1e300 : datum.value")
    source = source.numbered("rank", "order", "topic")
    lines = Source("own_lines").where(own)
    dash = told("kind:N", _KINDS, ([6, 3], [1, 0]), legend=None)
    value = of("value:Q", scale=scale)
    line = {"strokeWidth": 1.4, "color": "black", "strokeDash": dash}
    rules = lines.draw("rule", **line, y=value, tooltip=tips("kind said"))
    label = shown[one["measure"]]
    if one["measure"] != one["estimate_measure"]:
        label += f"; estimate by {shown[one['estimate_measure']]}"
    label += f"; undefined: {count(one['undefined'], 'topic')}" if one["undefined"] else ""
    left = _sorted_topics(source, rows, one, rules, domain, last=last)
    right = _distribution(source.where("datum.value != null"), lines, one, rules, domain, last=last)
    return {"hconcat": [left, right], "spacing": 6, "title": kit.panel_title(label)}


def _sorted_topics(
    source: Source, rows: Rows, one: dict[str, Any], rules: Spec, domain: list[float], *, last: bool
) -> Spec:
    n = one["topics"]
    scale = {"domain": domain, "nice": False}
    y = of("value:Q", scale=scale, title=str(one["coefficient"]))
    across, title = {"domain": [0, n + 1], "nice": False}, "topics, from the lowest to the highest value"
    no_axis = {"labels": False, "ticks": False, "grid": False}
    x = of("rank:Q", scale=across, title=title if last else None, axis=no_axis)
    tip = tips("topic coefficient", "value:.4f", "rank:Q")
    there = source.where("datum.value != null")
    size = 30 if n <= 60 else 16 if n <= 200 else 5
    foot = {"datum": one["mean"] if one["mean"] is not None else domain[0]}
    named = _NAMED if n > 2 * _NAMED else 1
    lowest = [row for row in rows if row["value"] is not None]
    lowest.sort(key=lambda row: (row["value"], row["topic"]))
    shown = kit.short_names((row["topic"] for row in lowest[: 2 * named]), _LONGEST)
    at = _names(rows, one, domain, named, 13 + max(map(len, shown.values()), default=0))
    low = f"datum.rank <= {named}"
    said = f"'topic ' + {kit.shortened('datum.topic', shown, _LONGEST)} + ': ' + format(datum.value, '.2f')"
    names = there.where(low).adding(text=said, line=f"{at['first']} + datum.rank * {at['step']}")
    place = {"x": at["x"], "y": of("line:Q", scale=scale), "text": "text:N"}
    text = {"align": at["align"], "fontSize": 11, "dx": at["dx"]}
    rim = {"stroke": "white", "strokeWidth": 3, "strokeJoin": "round", "aria": False}
    triangle = {"shape": "triangle-down", "filled": True, "size": max(30, 1.6 * size), "color": ORANGE}
    missing = {"x": x, "y": _HEIGHT - 5, "tooltip": tips("topic", "coefficient:N:undefined")}
    stem = {"strokeWidth": 1 if n <= 200 else 0.4, "color": "#b0b0b0"}
    layers = [
        there.draw("rule", **stem, x=x, y=y, y2=foot),
        rules,
        there.where(f"!({low})").draw("circle", size=size, color=BLUE, opacity=1, x=x, y=y, tooltip=tip),
        there.where(low).draw("point", **triangle, opacity=1, x=x, y=y, tooltip=tip),
        # A white rim keeps the lines of the grid out of the letters.
        names.draw("text", **text, **rim, **place),
        names.draw("text", **text, color="#a04000", **place, tooltip=tip),
        source.where("datum.value == null").draw("end", size=30, **missing),
    ]
    return {"layer": layers, "width": _WIDTH, "height": _HEIGHT}


def _distribution(
    there: Source, lines: Source, one: dict[str, Any], rules: Spec, domain: list[float], *, last: bool
) -> Spec:
    bins = 20 if one["topics"] > 30 else 10
    step = (domain[1] - domain[0]) / bins
    # Vega would begin its bins at a multiple of the step, which may lie below the axis.
    bin_of = f"clamp(floor((datum.value - {domain[0]}) / {step} + 1e-9), 0, {bins - 1})"
    counts = there.adding(bin=bin_of).grouped(["bin"], count="count()")
    ends = {"from": f"{domain[0]} + datum.bin * {step}", "to": f"{domain[0]} + (datum.bin + 1) * {step}"}
    whole = "datum.value % 1 === 0 ? format(datum.value, 'd') : ''"
    axis = {"tickCount": 2, "grid": False, "labelExpr": whole}
    scale = {"domain": domain, "nice": False}
    x = of("count:Q", title="topics" if last else None, axis=axis, scale={"nice": False})
    y = kit.span("from", "to", "y", scale=scale, title=None, axis={"labels": False, "ticks": False})
    place = {"x": x, "x2": {"datum": 0}, **y, "tooltip": tips("count:Q", "from to:.2f")}
    bar = {"color": BLUE, "opacity": 0.6, "stroke": "white", "strokeWidth": 0.5}
    text = {"align": "left", "fontSize": 10.5, "dx": 5, "dy": -4, "lineHeight": 12}
    named = lines.adding(text="[datum.kind, datum.said]")
    bars = counts.adding(**ends).draw("rect", **bar, **place)
    texts = named.draw("text", **text, x=_BESIDE, y=of("place:Q", scale=scale), text="text:N")
    return {"layer": [bars, rules, texts], "width": _BESIDE, "height": _HEIGHT}


def _names(own: Rows, one: dict[str, Any], domain: list[float], named: int, longest: int) -> dict[str, Any]:
    """Return where the names of the lowest topics stand: lower right, or upper left if points are there.

    They move up or down from there until no point and no line is behind them, if there is such a place.
    """
    there = sorted((row for row in own if row["value"] is not None), key=lambda row: row["value"])
    pixel = (domain[1] - domain[0]) / _HEIGHT
    step = _LINE * pixel
    foot = one["mean"] if one["mean"] is not None else domain[0]
    wide = _CHARACTER * longest
    # What is drawn: from where to where across in pixels, and up in values.
    apart = _WIDTH / (one["topics"] + 1)
    ends = (sorted((row["value"], foot)) for row in there)
    points = [(k * apart, low - 4 * pixel, high + 4 * pixel) for k, (low, high) in enumerate(ends, 1)]
    points += [(k * apart, domain[0], domain[0] + 9 * pixel) for k in range(len(there) + 1, len(own) + 1)]
    rules = [value for value in (one["of_means"], one["mean"]) if value is not None]

    def free(low: float, left: float, right: float) -> bool:
        high = low + named * step
        behind = [low - pixel < rule < high + pixel for rule in rules]
        behind += [left - 5 < x < right + 5 and start < high and low < end for x, start, end in points]
        return not any(behind)

    right = {"step": step, "align": "right", "x": _WIDTH, "dx": -2}
    left = {"step": step, "align": "left", "x": 8, "dx": 0}
    top = domain[1] - named * step
    for k in range(int(4 * (_HEIGHT / _LINE - named)) + 1):
        move = k * step / 4
        if free(domain[0] + move, _WIDTH - 2 - wide, _WIDTH):
            return {**right, "first": domain[0] + move - step / 2}
        if free(top - move, 8, 8 + wide):
            return {**left, "first": top - move - step / 2}
    return {**left, "first": top - step / 2}
