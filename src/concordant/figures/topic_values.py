"""Topic by topic: a dot for each topic, in a row for each judge, or for each coefficient."""

from __future__ import annotations

from statistics import median
from typing import Any

from concordant.figures import kit
from concordant.figures.converted_tables import Tables, figure, main_coefficient, measure_is
from concordant.figures.kit import Figure, Rows, Source, Spec, distinct, of, tips
from concordant.results.words import count, number

_NAMED = 3  # judges in the title
_KEYS = ("measure", "estimate_measure", "coefficient")
_DOTS = "dots: topics, the lowest by name"


def topics(tables: Tables) -> Figure | None:
    """Draw the values of all topics."""
    judged = "each_topic" in tables
    rows = tables.rows("each_topic" if judged else "topics")
    if len(distinct(rows, "topic")) < 2 or all(row["value"] is None for row in rows):
        return None
    return _of_judges(tables, rows) if judged else _of_coefficients(tables, rows)


def _of_judges(tables: Tables, rows: Rows) -> Figure:
    """Draw a row for each judge, with the median and the middle half of the topics."""
    chosen = f"datum.coefficient === coefficient && {measure_is(tables)}"
    main, values = main_coefficient(tables), dict[str, list[float]]()
    for row in rows:
        if row["coefficient"] == main and row["value"] is not None:
            values.setdefault(row["estimate"], []).append(row["value"])
    judges = sorted(distinct(rows, "estimate"), key=lambda name: -median(values.get(name, [-9.0])))
    source = Source("each_topic").where(chosen).adding(row="datum.estimate")
    source = source.numbered("number").where("datum.value !== null")
    middle = source.grouped(["row"], low="q1(value)", median="median(value)", high="q3(value)")
    lowest = _lowest(rows, "estimate", *_KEYS[:2], "coefficient")
    layers, y = _strips(source, Source("lowest").where(chosen), judges, "estimate", "value on a topic")
    half = kit.span("low", "high")
    layers += [
        middle.draw("interval", strokeWidth=2.5, color="black", y=y, **half),
        middle.draw("diamond", x=of("median:Q"), y=y, tooltip=tips("row:N:judge", "median:.4f")),
    ]
    line = f"{_DOTS}; line: the middle half of them; diamond: median"
    said = _medians(tables, judges)
    spec = {"layer": layers, "width": kit.COLUMN - 90, "height": {"step": 40}}
    more: Spec = {"shows": "measure coefficient", "said": said, "data": {"lowest": lowest}}
    return figure(tables, said[0][1], spec, line, **more)


def _of_coefficients(tables: Tables, rows: Rows) -> Figure:
    """Draw a row for each coefficient, with the mean over topics and the value of the mean scores."""
    summary = tables.rows("summary")
    several = len(distinct(summary, *_KEYS[:2])) > 1
    label = "datum.coefficient"
    if several:
        both = "(datum.estimate_measure === datum.measure ? '' : ' / ' + datum.estimate_measure)"
        label += f" + ', ' + datum.measure + {both}"
    names = [_label(row, several) for row in summary]
    source = Source("topics").adding(row=label).numbered("number").where("datum.value !== null")
    layers, y = _strips(source, Source("lowest"), names, "", "value on a topic")
    for column, mark in (("mean", "diamond"), ("of_means", "median")):
        own = Source("summary").adding(row=label, said=f"format(datum.{column}, '.2f')")
        at = {"x": of(f"{column}:Q"), "y": y, "tooltip": tips("row:N:coefficient", f"{column}:.4f")}
        own = own.where(f"isValid(datum.{column})")
        layers += [own.draw(mark, **at), own.draw("text", **at, fontWeight="bold", dy=-19, text="said:N")]
    level = kit.level_text(tables.options, "confidence intervals")
    mean, of_means = (number(summary[0][name]) for name in ("mean", "of_means"))
    title = f"{summary[0]['coefficient']} is {mean} for a topic on average, {of_means} for the means"
    lines = (
        f"{count(summary[0]['topics'], 'topic')}; {_DOTS}",
        "diamond: mean of the topics; tick: value of the mean scores",
        f"{level} are in the table" if level and any(row["low"] is not None for row in summary) else "",
    )
    data = {"lowest": [{**row, "row": _label(row, several)} for row in _lowest(rows, *_KEYS)]}
    spec = {"layer": layers, "width": kit.COLUMN - 60, "height": {"step": 52}}
    about = "; ".join(filter(None, lines))
    return Figure(title, spec, (about,), width=370, data=data, linked=("summary",))


def _label(row: dict[str, Any], several: bool) -> str:
    other = "" if row["measure"] == row["estimate_measure"] else f" / {row['estimate_measure']}"
    return f"{row['coefficient']}, {row['measure']}{other}" if several else str(row["coefficient"])


def _strips(
    source: Source, lowest: Source, names: list[str], column: str, title: str
) -> tuple[list[Spec], Spec]:
    """Return the dots of each row, beside each other where they are close, and the axis of rows."""
    scale = {"zero": False, "padding": 10}
    y = of("row:N", sort=names, axis=kit.name_axis(names, 30, grid=True, labelPadding=6))
    shift = {"y": y, "yOffset": of("shift:Q", scale={"domain": [-0.85, 0.85]})}
    dots = source.adding(shift="((datum.number * 5) % 8) / 8 - 0.4375")
    x = of("value:Q", scale=scale, title=title, axis=kit.NUMBERS)
    tip = tips(*([f"{column} measure topic"] if column else ["coefficient measure topic"]), "value:.4f")
    low = lowest.where("isValid(datum.value)")
    lost = lowest.where("datum.undefined > 0").adding(text="datum.undefined + ' undefined'")
    row = {"adding": {"row": f"datum.{column}"}} if column else {}
    low, lost = (each.adding(**row["adding"]) if row else each for each in (low, lost))
    named = {"align": "left", "dx": -4, "dy": 15, "fontSize": 10, "text": "text:N"}
    layers = [
        dots.draw("dot", size=16, opacity=0.45, x=x, **shift, tooltip=tip),
        low.draw("text", **named, x=of("value:Q"), y=y),
        lost.draw("beside", x="width", y=y, text="text:N"),
    ]
    return layers, y


def _medians(tables: Tables, judges: list[str]) -> list[tuple[dict[str, str], str, str]]:
    """Return the medians of the first judges, for each measure and coefficient."""
    found, names = [], kit.short_names(judges, 16)
    for key, rows in kit.groups(tables.rows("each_topic"), *_KEYS).items():
        measure, c = tables.measure_name(*key[:2]), key[2]
        values = {name: [r["value"] for r in rows if r["estimate"] == name] for name in judges}
        there = {name: [value for value in own if value is not None] for name, own in values.items()}
        parts = [f"{number(median(own))}\u00a0({names[name]})" for name, own in there.items() if own]
        title = f"On the median topic, {c} is {', '.join(parts[:_NAMED])}" if parts else f"{c} is undefined"
        found.append(({"measure": measure, "coefficient": c}, title, f"{c}, {measure}"))
    return found


def _lowest(rows: Rows, *keys: str) -> Rows:
    """Return the lowest topic of each group, and how many are undefined."""
    found, names = [], kit.short_names(distinct(rows, "topic"), 14)
    for own in kit.groups(rows, *keys).values():
        defined = [row for row in own if row["value"] is not None]
        low = min(defined, key=lambda row: (row["value"], row["topic"]), default=None)
        value, text = (None, "") if low is None else (low["value"], names[low["topic"]])
        text = text if len({row["value"] for row in defined}) > 1 else ""  # none is the lowest
        head = kit.part(own[0], *keys)
        found.append({**head, "value": value, "text": text, "undefined": len(own) - len(defined)})
    return found
