"""Figures of `pool`: the agreement by the share of the judgements, and AP against inferred AP."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import ON_LEGEND, Figure, Rows, Source, distinct, of, tips, told

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
    x = of("percent:Q", title="% of the judgements", scale=scale, axis=axis)
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
    """Show AP and inferred AP of the systems: their means, and topics that agree most, middling and least.

    There is a row of panels for the means and for each of the topics, with a panel for each share.
    """
    rows = tables.rows("topics")
    least = min((row["percent"] for row in rows), default=None)
    own = [row for row in rows if row["percent"] == least and row["coefficient"] == rows[0]["coefficient"]]
    own = sorted((row for row in own if row["value"] is not None), key=lambda row: -row["value"])
    chosen = list(dict.fromkeys(own[k]["topic"] for k in (0, len(own) // 2, -1))) if own else []
    percents = sorted(distinct(tables.rows("scatter"), "percent"), reverse=True)
    short = kit.short_names(chosen)
    lines = ["means", *(f"topic {short[name]}" for name in chosen)]
    names = [f"{line} · {percent:g} %" for line in lines for percent in percents]
    points: Rows = []
    for (percent, system), each in kit.groups(tables.rows("scatter"), "percent", "system").items():
        both = {name: fmean(row[name] for row in each) for name in ("ap", "inferred_ap")}
        points.append({"percent": percent, "system": system, "line": lines[0], **both})
        points += [{**r, "line": f"topic {short[r['topic']]}"} for r in each if r["topic"] in short]
    ends = {"scale": {"domain": [0, 1]}, "axis": {"values": [0, 0.5, 1]}}
    tip = tips("system", "line:N:of", "percent:Q:per cent of the judgements", "ap:.4f:AP")
    tip += tips("inferred_ap:.4f:inferred AP")
    place = {"x": of("ap:Q:AP", **ends), "y": of("inferred_ap:Q:inferred AP", **ends)}
    faint = {"size": kit.larger(40, 18), "fillOpacity": kit.pointed(0.4, 0.06)}
    layers = [Source().draw("dot", **place, **faint, tooltip=tip), kit.diagonal(0, 1)]
    title = "Inferred AP from a share of the judgements against AP from all"
    if own:
        ends_of = " and ".join(
            f"{kit.number(row['value'])} on topic {row['topic']}" for row in (own[0], own[-1])
        )
        title = f"With {least:g} % of the judgements, {own[0]['coefficient']} is {ends_of}"
    label = "datum.line + ' · ' + format(datum.percent, '~g') + ' %'"
    size = 80 if tables.narrow else 120
    how = {"label": label, "params": {"system": None}, "columns": len(percents), "size": size}
    more = {"data": {"own_points": points}, "linked": ("scatter",)}
    said = _data(tables, "AP is from all, inferred AP from a % of them; points: systems")
    return kit.in_panels(title, said, Source("own_points"), layers, names, **how, **more)


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
