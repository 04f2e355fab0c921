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
    """Draw the values of all topics, with their median and their middle half."""
    judged = "each_topic" in tables
    table = "each_topic" if judged else "topics"
    rows = tables.rows(table)
    if len(distinct(rows, "topic")) < 2 or all(row["value"] is None for row in rows):
        return None
    data = {"lowest": _lowest(rows, *(("estimate",) if judged else ()), *_KEYS)}
    source, lowest, line = Source(table), Source("lowest"), f"{_DOTS}; line: the middle half; diamond: median"
    if judged:
        chosen = f"datum.coefficient === coefficient && {measure_is(tables)}"
        names = _judges(tables, rows)
        layers = _strips(source.where(chosen), lowest.where(chosen), names, "datum.estimate")
        said = _medians(tables, names)
        spec = {"layer": layers, "width": kit.COLUMN - 90, "height": {"step": 40}}
        return figure(tables, said[0][1], spec, line, shows="measure coefficient", said=said, data=data)
    summary = tables.rows("summary")
    label, several = "datum.coefficient", len(distinct(summary, *_KEYS[:2])) > 1
    if several:
        both = "(datum.estimate_measure === datum.measure ? '' : ' / ' + datum.estimate_measure)"
        label += f" + ', ' + datum.measure + {both}"
    layers = _strips(source, lowest, [_label(row, several) for row in summary], label)
    mean, of_means = (number(summary[0][name]) for name in ("mean", "of_means"))
    title = f"{summary[0]['coefficient']} is {mean} for a topic on average, {of_means} for the means"
    spec = {"layer": layers, "width": kit.COLUMN - 60, "height": {"step": 40}}
    about = f"{count(summary[0]['topics'], 'topic')}; {line}"
    return Figure(title, spec, (about,), width=370, data=data, linked=("summary",))


def _judges(tables: Tables, rows: Rows) -> list[str]:
    """Return the judges, that with the largest median first."""
    main, values = main_coefficient(tables), dict[str, list[float]]()
    for row in rows:
        if row["coefficient"] == main and row["value"] is not None:
            values.setdefault(row["estimate"], []).append(row["value"])
    return sorted(distinct(rows, "estimate"), key=lambda name: -median(values.get(name, [-9.0])))


def _label(row: dict[str, Any], several: bool) -> str:
    other = "" if row["measure"] == row["estimate_measure"] else f" / {row['estimate_measure']}"
    return f"{row['coefficient']}, {row['measure']}{other}" if several else str(row["coefficient"])


def _strips(source: Source, lowest: Source, names: list[str], label: str) -> list[Spec]:
    """Return a row of dots for each name, beside each other where they are close."""
    y = of("row:N", sort=names, axis=kit.name_axis(names, 30, grid=True, labelPadding=6))
    shift = {"y": y, "yOffset": of("shift:Q", scale={"domain": [-0.85, 0.85]})}
    there = source.adding(row=label).numbered("number").where("datum.value !== null")
    dots = there.adding(shift="((datum.number * 5) % 8) / 8 - 0.4375")
    middle = there.grouped(["row"], low="q1(value)", median="median(value)", high="q3(value)")
    x = of("value:Q", scale={"zero": False, "padding": 10}, title="value on a topic", axis=kit.NUMBERS)
    lowest = lowest.adding(row=label)
    lost = lowest.where("datum.undefined > 0").adding(said="datum.undefined + ' undefined'")
    named = {"align": "left", "dx": -4, "dy": 15, "fontSize": 10, "text": "text:N"}
    tip = tips("row coefficient measure topic", "value:.4f")
    return [
        dots.draw("dot", size=16, opacity=0.45, x=x, **shift, tooltip=tip),
        lowest.where("isValid(datum.value)").draw("text", **named, x=of("value:Q"), y=y),
        lost.draw("beside", x="width", y=y, text="said:N"),
        middle.draw("interval", strokeWidth=2.5, color="black", y=y, **kit.span("low", "high")),
        middle.draw("diamond", x=of("median:Q"), y=y, tooltip=tips("row", "median:.4f")),
    ]


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
