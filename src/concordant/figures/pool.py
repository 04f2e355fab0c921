"""Figures of `pool`: the agreement by the share of the judgements, and AP against inferred AP."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import ON_LEGEND, Figure, Rows, Source, Spec, distinct, of, tips, told

_OF_MEANS, _OF_TOPICS = "of the means over topics", "mean over single topics"
_RANGE = "smallest to largest of single topics"
_KINDS = (_OF_MEANS, _OF_TOPICS, _RANGE)
_TICKS = (0.01, 0.1, 1, 2, 5, 10, 20, 50, 100)


def shares(tables: Tables) -> Figure:
    """Show the coefficient of means and of topics by the share of the judgements."""
    rows = tables.rows("shares")
    coefficients = distinct(rows, "coefficient")
    width = kit.PANEL if len(coefficients) > 1 else 300
    lowest = min(row["percent"] for row in rows)
    scale = {"type": "log", "nice": False, "padding": 6}
    axis = {"values": [tick for tick in _TICKS if tick >= lowest], "format": "~g", "grid": False}
    legend = {"title": None, "symbolSize": 60, "columns": 1, "labelLimit": 300}
    x = of("percent:Q", title="per cent of the judgements", scale=scale, axis=axis)
    common = {"x": x, "color": told("kind:N", _KINDS, (kit.BLUE, kit.ORANGE, "#dedede"), legend=legend)}
    y = of("value:Q", title="coefficient")
    shape = told("kind:N", _KINDS, ("circle", "triangle-up", "square"), legend=legend)
    share = tips("coefficient", "percent:Q:per cent of the judgements")
    which = share + tips("kind:N:which")
    band = Source().adding(kind=f"'{_RANGE}'").where("isValid(datum.minimum)")
    both = Source().then({"fold": ["of_means", "mean_of_topics"], "as": ["key", "value"]})
    both = both.adding(kind=f"datum.key === 'of_means' ? '{_OF_MEANS}' : '{_OF_TOPICS}'")
    ends = tips("min(minimum):.4f:smallest of a topic", "max(maximum):.4f:largest of a topic")
    more = tips("value:.4f", "sample:Q", "undefined:Q:topics where it is undefined")
    more += tips("rms_error:.4f:root mean square error of the means")
    y2, low = of("max(maximum)"), of("min(minimum):Q:coefficient")
    mean = which + tips("mean(value):.4f:mean over samples")
    there, lost = both.where("isValid(datum.value)"), both.where("!isValid(datum.value)")
    common["opacity"] = ON_LEGEND
    layers = [
        band.draw("area", **{**common, "opacity": 1}, y=low, y2=y2, tooltip=share + ends),
        there.draw("line", strokeWidth=1.5, **common, y={**y, "aggregate": "mean"}, tooltip=mean),
        both.draw("point", filled=True, size=26, **common, y=y, shape=shape, tooltip=which + more),
        lost.draw("dash", **common, y=width * 0.8, tooltip=which),
    ]
    if all(None not in (row["of_means"], row["mean_of_topics"]) for row in rows):
        layers.pop()
    n, layers = tables.options["n_replicates"], kit.with_legend(layers, "kind")
    several = f"{n} samples for each share, the lines join their means"
    samples = several if n > 1 else "one sample for each share"
    how = {"size": (width, width * 0.8), "columns": 2}
    return kit.in_panels(_title(rows), _data(tables, samples), Source("shares"), layers, coefficients, **how)


def scatter(tables: Tables) -> Figure:
    """Show AP and inferred AP of every system on every topic, a panel for each share."""
    title = "Inferred AP from a share of the judgements against AP from all"
    return _scatter(tables, title, "a point for each system and topic", Source("scatter"), 7)


def means(tables: Tables) -> Figure:
    """Show mean AP and mean inferred AP of every system, a panel for each share."""
    both = Source("scatter").grouped(["percent", "system"], ap="mean(ap)", inferred_ap="mean(inferred_ap)")
    title = "Means over topics: inferred AP from a share of the judgements against AP from all"
    return _scatter(tables, title, "a point for each system", both, 26)


def topics(tables: Tables) -> Figure | None:
    """Show AP and inferred AP on topics: those that agree most, middling and least, and the most tied."""
    rows = tables.rows("topics")
    least = min((row["percent"] for row in rows), default=None)
    own = [row for row in rows if row["percent"] == least and row["coefficient"] == rows[0]["coefficient"]]
    own = sorted((row for row in own if row["value"] is not None), key=lambda row: -row["value"])
    if not own:
        return None
    tied = max(own, key=lambda row: (row["tied"], row["inferred_tied"]))
    chosen = list(dict.fromkeys(row["topic"] for row in (own[0], own[len(own) // 2], own[-1], tied)))
    source = Source("scatter").where(f"indexof({kit.quoted(chosen)}, datum.topic) >= 0")
    ends = " and ".join(f"{kit.number(row['value'])} on topic {row['topic']}" for row in (own[0], own[-1]))
    title = f"With {least:g} % of the judgements, {own[0]['coefficient']} is {ends}"
    most = f"topic {tied['topic']}, {tied['tied']} systems in AP, {tied['inferred_tied']} in inferred AP"
    return _scatter(tables, title, f"a point for each system; most ties: {most}", source, 20, chosen)


def weak(tables: Tables) -> Figure:
    """Show on which topics a system scores less than its mean and the topic let one expect."""
    own = kit.groups(tables.rows("scatter"), "percent")
    (percent,), rows = next(iter(own.items()))
    low = min(rows, key=lambda row: row["ap"] - row["expected_ap"])
    means = {name: fmean(row["ap"] for row in each) for (name,), each in kit.groups(rows, "system").items()}
    topics, how = sorted(distinct(rows, "topic")), {"labelOverlap": True}
    place: Spec = {"x": of("topic:N", sort=topics, axis=kit.name_axis(topics, 16, **how, title="topic"))}
    ranked = sorted(means, key=lambda name: -means[name])
    place["y"] = of("system:N", sort=ranked, axis=kit.name_axis(ranked, 16, **how))
    place["tooltip"] = tips("system topic", "ap:.4f:AP", "expected_ap:.4f:expected AP", "below:.4f")
    source = Source("scatter").where(f"datum.percent === {percent}")
    source = source.adding(below="max(0, datum.expected_ap - datum.ap)")
    most = low["expected_ap"] - low["ap"] or 1.0
    layers = kit.cells(place, "below", (0, most), "AP below what is expected")
    spec = {"data": {"name": source.name}, "transform": list(source.transform), "layer": layers, "width": 300}
    name = kit.short_names(means)[low["system"]]
    title = f"{name} is weakest on topic {low['topic']}: AP {kit.number(low['ap'])}, "
    expected = "expected: mean of the system + mean of the topic - mean of all; best system first"
    spec["height"] = max(4, min(13, 320 / len(means))) * len(means)
    return Figure(f"{title}expected {kit.number(low['expected_ap'])}", spec, (_data(tables, expected),))


def _scatter(
    tables: Tables, title: str, said: str, source: Source, size: float, chosen: list[str] | None = None
) -> Figure:
    """Show AP and inferred AP, a panel for each share; with chosen topics, a row of panels for each."""
    percents = sorted(distinct(tables.rows("scatter"), "percent"), reverse=True)
    topics = [f"topic {name} · " for name in kit.short_names(chosen or ()).values()] or [""]
    names = [f"{topic}{percent:g} % of the judgements" for topic in topics for percent in percents]
    of_means = source.transform and not chosen
    ends = {} if of_means else {"scale": {"domain": [0, 1]}, "axis": {"values": [0, 0.5, 1]}}
    tip = tips("system topic" if chosen or size == 7 else "system", "percent:Q:per cent of the judgements")
    tip += tips("ap:.4f:AP", "inferred_ap:.4f:inferred AP")
    place = {"x": of("ap:Q:AP from all judgements", **ends), "y": of("inferred_ap:Q:inferred AP", **ends)}
    faint = {"size": kit.larger(40, size), "fillOpacity": kit.pointed(0.35, 0.06)}
    layers = [Source().draw("dot", **place, **faint, tooltip=tip), kit.diagonal(0, 1)]
    label = "format(datum.percent, '~g') + ' % of the judgements'"
    label = f"'topic ' + {kit.shortened('datum.topic', chosen)} + ' · ' + {label}" if chosen else label
    how = {"label": label, "params": {"system": None}, "columns": len(percents)}
    return kit.in_panels(title, _data(tables, said), source, layers, names, **how)


def _data(tables: Tables, more: str) -> str:
    options = tables.options
    counts = f"{options['systems']} systems, {options['topics']} topics, {options['judgements']:,} judgements"
    return f"{counts}; {more}"


def _title(rows: Rows) -> str:
    """Return the title: that means agree more than single topics, if this holds for all shares."""
    gains: dict[tuple[float, str], list[float]] = defaultdict(list)
    defined = all(None not in (row["of_means"], row["mean_of_topics"]) for row in rows)
    for row in (row for row in rows if defined and row["percent"] < 100):
        gains[row["percent"], row["coefficient"]].append(row["of_means"] - row["mean_of_topics"])
    if gains and all(fmean(own) > 0 for own in gains.values()):
        return "With fewer judgements, the ranking by means changes less than the rankings of single topics"
    return "Agreement of inferred AP from a share of the judgements with AP from all"
