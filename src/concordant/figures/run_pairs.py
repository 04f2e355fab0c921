"""Runs: pairs with intervals over topics, all pairs as a heat map, and each topic."""

from __future__ import annotations

from typing import Any

from concordant.coefficients.declaration import read_coefficient
from concordant.errors import ConcordantError
from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.heat_maps import heat_map
from concordant.figures.kit import BLUE, Figure, Rows, Source, Spec, distinct, of, shortened, tips
from concordant.results.words import count

_MOST_PAIRS = 15
_WIDTH, _ROW = 250, 18
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


def _by_pair(rows: Rows, order: list[str]) -> Spec:
    """Return an axis of pairs, both names shortened if they are long."""
    names = [row[side] for row in rows for side in ("run", "other")]
    both = f" + '{_AND}' + ".join(shortened(f"split(datum.label, '{_AND}')[{k}]", names, 15) for k in (0, 1))
    plain = max((len(_name(row)) for row in rows), default=0) <= 30
    axis = {"labelExpr": "datum.label" if plain else both, "labelLimit": 0, "title": None, "grid": False}
    return of("pair:N", scale={"domain": order}, axis=axis)


def _order(rows: Rows, measure: str) -> list[str]:
    """Return the pairs, the most alike first by the first measure; those without a value last."""
    sign = 1 if _is_distance(measure) else -1
    own = [row for row in rows if row["measure"] == measure]
    return [_name(r) for r in sorted(own, key=lambda r: (r["mean"] is None, sign * (r["mean"] or 0)))]


def _scale(values: list[float | None]) -> Spec:
    low, high = kit.domain_of(values, (-1, 1e9))
    return {"domain": [min(0.0, low), max(1.0, high)], "nice": False}


def pairs(tables: Tables) -> Figure | None:
    """Draw the mean over topics of each pair of runs with its interval, a panel for each measure."""
    rows = tables.rows("pairs")
    measures = distinct(rows, "measure")
    order = _order(rows, measures[0])
    if len(order) > _MOST_PAIRS:
        return None
    scale = _scale([row[key] for row in rows for key in ("least", "largest", "low", "high")])
    tip = tips("run other measure", "mean:.4f", "interval", "least:.4f", "topic_of_least:N:topic of least")
    tip += tips("largest:.4f", "topic_of_largest:N:topic of largest", "topics:Q")
    thick, panels = {"color": BLUE, "strokeWidth": 4, "opacity": 0.55}, []
    for measure in measures:
        source = Source("pairs").where(kit.same({"measure": measure}, "measure"))
        source = source.adding(pair=_PAIR, interval=kit.INTERVAL)
        there = source.where("datum.mean != null")
        title = "mean over topics" if measure == measures[-1] else None
        x = {"scale": scale, "title": title, "axis": {"labelFlush": False}}
        place = {"y": _by_pair(rows, order), "tooltip": tip}
        mean = source.adding(text="datum.mean == null ? 'undefined' : format(datum.mean, '.2f')")
        layers = [
            there.draw("rule", color="#999999", strokeWidth=1, **kit.span("least", "largest", **x), **place),
            there.where("datum.low != null").draw("rule", **thick, **kit.span("low", "high", **x), **place),
            there.draw("dot", size=45, x=of("mean:Q", **x), **place),
            mean.draw("beside", x=_WIDTH, text="text:N", **place),
        ]
        said = f"{measure} (a distance: 0 for the same lists)" if _is_distance(measure) else measure
        size = {"width": _WIDTH, "height": _ROW * max(2, len(order))}
        panels.append({"layer": layers, **size, "title": kit.panel_title(said)})
    runs = {row[key] for row in rows for key in ("run", "other")}
    n = sorted(distinct(rows, "topics"))
    over = count(n[0], "topic") if len(n) == 1 else f"{n[0]} to {n[-1]} topics"
    level = kit.level_text(tables.options, "confidence intervals")
    interval = f"Thick: {level} of the mean. " if any(row["low"] is not None for row in rows) else ""
    lines = (f"{count(len(order), 'pair')}, {over}.", f"{interval}Thin: lowest to highest topic.")
    title = f"Agreement of {count(len(runs), 'run')}, mean over topics"
    return kit.stacked(title, panels, *lines, spacing=12)


def matrix(tables: Tables) -> Figure | None:
    """Draw the means of the first measure of all pairs of runs."""
    rows, measure = tables.rows("matrix"), tables.result.measure
    distance = _is_distance(measure)
    return heat_map(rows, measure, distance=distance, items="run", prefix="Mean ") if rows else None


def topics(tables: Tables) -> Figure | None:
    """Draw the value of every topic, pair by pair; of many pairs, the topics that differ most."""
    rows = tables.rows("topics")
    if not rows:
        return _worst(tables)
    measures = distinct(rows, "measure")
    order = _order(tables.rows("pairs"), measures[0])
    scale = _scale([row["value"] for row in rows])
    step, y = 36 if len(order) > 2 else 56, _by_pair(rows, order)
    x = {"scale": scale, "title": "value of a topic", "axis": {"labelFlush": False}}
    source = Source("topics").where("datum.measure === measure").adding(pair=_PAIR)
    distances = kit.quoted([measure for measure in measures if _is_distance(measure)])
    summary = Source("pairs").where("datum.measure === measure && datum.mean != null")
    summary = summary.adding(pair=_PAIR, far=f"indexof({distances}, datum.measure) >= 0")
    ends = ("topic_of_least", "topic_of_largest")
    lowest = [row[end] for row in tables.rows("pairs") for end in ends if row[end] is not None]
    summary = summary.adding(worst="datum.far ? datum.largest : datum.least")
    summary = summary.adding(topic="datum.far ? datum.topic_of_largest : datum.topic_of_least")
    summary = summary.adding(text=shortened("datum.topic", lowest, 24))
    undefined = source.where("datum.value == null").grouped(["pair"], undefined="count()")
    tick = {"thickness": 1, "size": step - 22, "opacity": 0.45, "color": BLUE}
    named = {"x": of("worst:Q", **x), "y": y, "text": "text:N", "dy": step / 2 - 5}
    named["tooltip"] = tips("topic:N:topic least alike", "worst:.4f")
    tip, mean = tips("run other topic measure", "value:.4f"), tips("run other", "mean:.4f")
    middle = f"{sum(scale['domain']) / 2}"
    right, left = (summary.where(f"datum.worst {side} {middle}") for side in (">", "<="))
    layers = [
        source.where("datum.value != null").draw("tick", **tick, x=of("value:Q", **x), y=y, tooltip=tip),
        summary.draw("diamond", color="black", x=of("mean:Q", **x), y=y, tooltip=mean),
        right.draw("text", fontSize=10, align="right", dx=3, **named),
        left.draw("text", fontSize=10, align="left", dx=-3, **named),
        undefined.adding(text="datum.undefined + ' undefined'").draw("beside", x=_WIDTH, y=y, text="text:N"),
    ]
    n = len(distinct(rows, "topic"))
    n_lines = f"{count(len(order), 'pair')} of runs, {count(n, 'topic')}; a line for each topic."
    lines = (n_lines, "Diamond: mean. Name: the topic on which the runs are least alike.")
    spec = {"layer": layers, "width": _WIDTH, "height": step * len(order)}
    said = [({"measure": measure}, f"{measure} of two runs, topic by topic", "") for measure in measures]
    return Figure(said[0][1], spec, lines, said=said, params={"measure": measures[0]})


def _worst(tables: Tables) -> Figure | None:
    """Draw the topics that differ most, over all pairs."""
    rows, measure = tables.rows("worst"), tables.result.measure
    if not rows:
        return None
    topic = kit.short_names((row["topic"] for row in rows), 14)
    run = kit.short_names((row[side] for row in rows for side in ("run", "other")), 13)
    names = [f"{topic[row['topic']]}: {run[row['run']]}{_AND}{run[row['other']]}" for row in rows]
    axis = {"labelExpr": f"{kit.quoted(names)}[datum.value]", "labelLimit": 0}
    domain = kit.domain_of([0.0, 1.0, *(row["value"] for row in rows)], (-1, 1e9))
    x = of("value:Q", scale={"domain": domain, "nice": False}, title=measure)
    tip = tips("topic run other", "value:.4f")
    place: Spec = {"x": x, "y": of("at:O", title=None, axis=axis), "tooltip": tip}
    source = Source("own_worst")
    bars, dots = source.draw("bar", height=2, color=BLUE, **place), source.draw("dot", size=50, **place)
    layers = [bars, dots, source.draw("beside", **{**place, "dx": 7}, text="value:.2f")]
    way = "down" if _is_distance(measure) else "up"
    title = f"The {count(len(rows), 'topic')} on which two runs differ most"
    line = f"By {measure}, from {kit.number(rows[0]['value'])} {way}; over all pairs of runs."
    spec = {"layer": layers, "width": _WIDTH, "height": _ROW * max(2, len(rows))}
    own = {"own_worst": [{**row, "at": k} for k, row in enumerate(rows)]}
    return Figure(title, spec, (line,), data=own, linked=("worst",))
