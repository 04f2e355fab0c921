"""The figures of the experiments."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import replace
from statistics import fmean
from typing import Any

from concordant.coefficients.engine import SAME
from concordant.experiments.predict import is_better
from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import (
    COLUMN,
    Figure,
    Rows,
    Source,
    Spec,
    distinct,
    of,
    tips,
    told,
)
from concordant.results.words import number

_SIDES = {"estimate": ("estimate, on one half", -40), "reference": ("reference, on the other half", 0)}
_PREDICTED = (
    *("coefficient reference estimate", "topics:Q", "mean:.4f", "sd:.4f:standard deviation"),
    *("splits:Q", "undefined:Q:splits where it is undefined"),
    "difference:+.4f:minus what the reference itself predicts",
    "won:.3f:splits where it is better than that",
)
_SD_ENDS = {
    "low": "isValid(datum.sd) ? datum.mean - datum.sd : null",
    "high": "isValid(datum.sd) ? datum.mean + datum.sd : null",
}
_OF_MEANS, _OF_TOPICS = "of the means over topics", "mean over single topics"
_RANGE = "smallest to largest of single topics"
_KINDS = (_OF_MEANS, _OF_TOPICS, _RANGE)
_TICKS = (0.01, 0.1, 1, 2, 5, 10, 20, 50, 100)
_BINS = 20  # from -1 to 1, in each direction
_COMPARED = {
    "measure": "measures, which compare systems",
    "coefficient": "coefficients, which compare measures",
}


# --- predict ---


def measures(tables: Tables) -> Figure:
    """Show each measure against each, for a coefficient; with several numbers of topics, curves."""
    if len(distinct(tables.rows("predictions"), "topics")) > 1:
        return _curves(tables)
    most = max(row["topics"] for row in tables.rows("predictions"))
    shown = [row for row in tables.rows("predictions") if row["topics"] == most]
    names = list(tables.options["measures"])
    ends, step = kit.shade_ends(row["mean"] for row in shown), min(60, max(34, 220 / len(names)))
    axis = kit.name_axis(names, 18, grid=False)
    x, y = (
        of(f"{column}:N", sort=names, axis={**axis, "title": title, "labelAngle": angle})
        for column, (title, angle) in _SIDES.items()
    )
    place = {"x": x, "y": y, "tooltip": tips(*_PREDICTED)}
    source = Source("predictions").where(f"datum.topics === {most} && datum.coefficient === coefficient")
    layers = kit.cells(source, place, "mean", ends, "mean over the splits", step)
    some = [row for row in shown if row["undefined"] and row["mean"] is not None]
    if some:
        partly = source.where("datum.undefined > 0 && isValid(datum.mean)")
        partly = partly.adding(counted="datum.splits - datum.undefined")
        text = {"fontSize": 11, "dy": 11, "text": "counted:N", "color": kit.ink("mean", ends)}
        layers.append(partly.draw("text", **place, **text))
    better = [row for row in shown if is_better(row["difference"], row["won"])]
    if better:
        frame = source.where(f"datum.difference > {SAME} && datum.won > 0.5")
        layers.append(frame.draw("rect", filled=False, stroke="black", strokeWidth=1.5, **place))
    caption = _splits(tables, str(most))
    caption += "; framed: better than the reference predicts itself" if better else ""
    caption += "; below: splits that count, if not all" if some else ""
    spec = {"layer": layers, "width": {"step": step}, "height": {"step": step}}
    return Figure("", spec, (caption,), **_chosen(shown, names))


def _curves(tables: Tables) -> Figure:
    """Show means and standard deviations over the number of topics, a panel for each reference."""
    rows = tables.rows("predictions")
    sizes = distinct(rows, "topics")
    names = list(tables.options["measures"])
    # Marks of the same number of topics stand side by side.
    step = (max(sizes) - min(sizes)) / (12 * len(sizes))
    order = f"indexof({kit.quoted(names)}, datum.estimate) - {(len(names) - 1) / 2}"
    panels = [f"reference: {label}" for label in kit.short_names(names).values()]
    legend = kit.name_legend(names, title="estimate", symbolStrokeWidth=0)
    colour, shape = kit.marks("estimate", names, **legend)
    x = of("at:Q", title="topics", scale={"zero": False, "nice": False, "padding": 8})
    common = {"x": x, "color": colour, "tooltip": tips(*_PREDICTED)}
    y: Spec = {"title": "mean ± sd", "scale": {"zero": False}}
    dash = told("estimate:N", names, kit.DASHES, legend=legend)
    layers = [
        Source().draw("rule", strokeWidth=1, **common, **kit.span("low", "high", "y", **y)),
        Source().draw("line", strokeWidth=1.2, **common, y=of("mean:Q", **y), strokeDash=dash),
        Source().draw("point", filled=True, size=32, **common, y=of("mean:Q", **y), shape=shape),
    ]
    if any(row["mean"] is None for row in rows):
        layers.append(Source().where("!isValid(datum.mean)").draw("dash", **common, y=kit.PANEL))
    shown = "datum.coefficient === coefficient"
    source = Source("predictions").where(shown).adding(at=f"datum.topics + {step} * ({order})", **_SD_ENDS)
    of_panel = f"'reference: ' + {kit.shortened('datum.reference', names)}"
    chosen = _chosen([row for row in rows if row["topics"] == max(sizes)], names)
    caption = _splits(tables, f"{min(sizes)} to {max(sizes)}")
    how = {"label": of_panel, "columns": len(names), **chosen}
    return kit.in_panels("", caption, source, layers, panels, **how)


def _chosen(shown: Rows, names: list[str]) -> Spec:
    """Return the title for each coefficient, of which one is shown."""
    of_each = kit.groups(shown, "coefficient")
    said = [({"coefficient": c}, _best_predictor(own, names), c) for (c,), own in of_each.items()]
    return {"said": said, "params": {"coefficient": said[0][0]["coefficient"]}}


def _splits(tables: Tables, topics: str) -> str:
    options = tables.options
    return f"{options['systems']} systems, {options['n_splits']} random splits of {topics} topics in halves"


def _best_predictor(shown: Rows, names: list[str]) -> str:
    """Name the measure that predicts all best, if there is one."""
    best = set()
    for own in kit.groups(shown, "reference", "coefficient").values():
        values = [-math.inf if row["mean"] is None else row["mean"] for row in own]
        top = [row["estimate"] for row, value in zip(own, values, strict=True) if value == max(values)]
        best.add(top[0] if len(top) == 1 and -math.inf not in values else None)
    winner = best.pop() if len(best) == 1 else None
    if winner is None or len(names) < 2:
        return "How well a measure on half of the topics predicts a measure on the other half"
    return f"On average, {winner} on half of the topics predicts every measure on the other half best"


# --- pool ---


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
    layers = [
        band.draw("area", **common, y=low, y2=y2, tooltip=share + ends),
        there.draw("line", strokeWidth=1.5, **common, y={**y, "aggregate": "mean"}, tooltip=mean),
        both.draw("point", filled=True, size=26, **common, y=y, shape=shape, tooltip=which + more),
        lost.draw("dash", **common, y=width * 0.8, tooltip=which),
    ]
    if all(None not in (row["of_means"], row["mean_of_topics"]) for row in rows):
        layers.pop()
    n = tables.options["n_replicates"]
    several = f"{n} samples for each share, the lines join their means"
    samples = several if n > 1 else "one sample for each share"
    how = {"size": (width, width * 0.8), "columns": 2}
    title, said = _of_shares(rows), _judgements(tables, samples)
    return kit.in_panels(title, said, Source("shares"), layers, coefficients, **how)


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
        both_of = (f"{number(row['value'])} on topic {row['topic']}" for row in (own[0], own[-1]))
        ends_of = " and ".join(both_of)
        title = f"With {least:g} % of the judgements, {own[0]['coefficient']} is {ends_of}"
    label = "datum.line + ' · ' + format(datum.percent, '~g') + ' %'"
    size = 80 if tables.narrow else 120
    how = {"label": label, "params": {"system": None}, "columns": len(percents), "size": size}
    more = {"data": {"own_points": points}, "linked": ("scatter",)}
    said = _judgements(tables, "AP is from all, inferred AP from a % of them; points: systems")
    return kit.in_panels(title, said, Source("own_points"), layers, names, **how, **more)


def _judgements(tables: Tables, more: str) -> str:
    options = tables.options
    counts = f"{options['systems']} systems, {options['topics']} topics, {options['judgements']:,} judgements"
    return f"{counts}; {more}"


def _of_shares(rows: Rows) -> str:
    """Return the title: that means agree more than single topics, if this holds for all shares."""
    gains: dict[tuple[float, str], list[float]] = defaultdict(list)
    defined = all(None not in (row["of_means"], row["mean_of_topics"]) for row in rows)
    for row in (row for row in rows if defined and row["percent"] < 100):
        gains[row["percent"], row["coefficient"]].append(row["of_means"] - row["mean_of_topics"])
    if gains and all(fmean(own) > 0 for own in gains.values()):
        return "With fewer judgements, the ranking by means changes less than the rankings of single topics"
    return "Agreement of inferred AP from a share of the judgements with AP from all"


# --- swap ---


def weights(tables: Tables) -> Figure | None:
    """Show what it costs to swap the systems at two ranks, a panel for each coefficient."""
    rows, n = tables.rows("weights"), _n_ranks(tables)
    if not rows:
        return None
    side, tip = _side(n, kit.PANEL), tips("coefficient", "rank:Q", "other_rank:Q:other rank")
    tip += tips("weight:.4f:cost, rescaled", "pvalue:.3g:p")
    place = {**_square(n), "tooltip": tip}
    layers = kit.cells(Source(), place, "weight", (0, 1), "cost of a swap, largest = 1", side / n)
    alpha = tables.options["alpha"]
    dots = {"size": max(1.0, (side / n / 2.5) ** 2), "color": kit.ORANGE, "tooltip": tip}
    layers.append(Source().where(f"datum.pvalue >= {alpha}").draw("dot", **_square(n), **dots))
    swapped = any(pair.swapped for pair in tables.records("pairs"))
    if swapped:
        crosses = Source("pairs").where("datum.swapped > 0")
        layers.append(crosses.draw("swap", **_square(n), color="black", size=18, tooltip=tip[1:3]))
    coefficients = distinct(rows, "coefficient")
    defined = {row["coefficient"] for row in rows if row["weight"] is not None}
    undefined = ", ".join(name for name in coefficients if name not in defined)
    grey = f"; grey: {undefined} undefined" if undefined else ""
    title = _costliest(rows, n)
    caption = f"{tables.options['measure']} of {n} systems; 1 - value after the swap; dots: p >= {alpha:g}"
    caption += f"{'; crosses: the first swaps' if swapped else ''}{grey}"
    return kit.in_panels(title, caption, Source("weights"), layers, coefficients, size=side)


def _costliest(rows: Rows, n: int) -> str:
    """Return how much of the cost of all swaps of neighbours is that of the best ranks."""
    shares, top = {}, max(1, n // 4)
    for (name,), own in kit.groups(rows, "coefficient").items():
        beside = {r["rank"]: r["weight"] for r in own if r["other_rank"] == r["rank"] + 1}
        if beside and None not in beside.values() and sum(beside.values()) > 0:
            best = (weight for rank, weight in beside.items() if rank <= top)
            shares[name] = sum(best) / sum(beside.values())
    if len(shares) < 2 or n < 8:
        return "What it costs to swap the systems at two ranks"
    most, least = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
    ends = [f"{shares[name]:.0%} ({name})" for name in (most, least)]
    return f"Swaps of neighbours in the top {top} are {ends[0]} to {ends[1]} of the cost of all such swaps"


def _n_ranks(tables: Tables) -> int:
    return max((pair.other_rank for pair in tables.records("pairs")), default=0)


def _side(n: int, about: float) -> float:
    """Return the side of a table of n cells whose borders fall on half pixels, so that no gaps show."""
    return n * max(0.5, round(2 * about / n) / 2)


def _square(n: int) -> Spec:
    """Return the axes of a table of pairs of ranks, of which one half is filled."""
    axis = {"values": kit.rank_axis(n)["values"], "labelAngle": 0, "grid": False, "labelOverlap": True}
    how = {"axis": axis, "scale": {"domain": list(range(1, n + 1))}}
    x = of("other_rank:O:rank of the worse system", **how)
    return {"x": x, "y": of("rank:O:rank of the better", **how)}


# --- reuse ---


def systems(tables: Tables) -> Figure:
    """Show a point for each system; on the line nothing is lost."""
    measure, rows = tables.options["measure"], tables.rows("systems")
    scores = [score for row in rows for score in (row["score"], row["score_without"])]
    space = 0.04 * (max(scores) - min(scores)) or 0.01
    ends = [min(scores) - space, max(scores) + space]
    titles = {"score": f"{measure} with all judgements", "score_without": f"{measure} without its own"}
    x, y = (of(f"{name}:Q", scale=kit.exact(ends), title=title) for name, title in titles.items())
    tip = tips("system group")
    tip += [of(f"{name}:.4f", title=title) for name, title in titles.items()]
    tip += tips("difference:+.4f", "judgements_removed:Q:judgements removed")
    groups = distinct(rows, "group")
    if 1 < len(groups) <= len(kit.COLOURS) < len(rows):
        colour, shape = kit.marks("group", groups, **kit.name_legend(groups, title="group", columns=4))
        told: Spec = {"color": colour, "shape": shape}
    else:
        told = {"color": kit.BLUE, "shape": kit.SHAPES[0]}
    point = {"x": x, "y": y, "size": kit.larger(160, 45), "tooltip": tip, **told}
    point["opacity"] = kit.pointed(0.8, 0.15)
    points = [Source("systems").draw("point", filled=True, **point)]
    n, lower = len(rows), sum(row["difference"] < 0 for row in rows)
    both = ((row["coefficient"], row["value"]) for row in tables.rows("correlations"))
    values = ", ".join(f"{name} {number(value)}" for name, value in both)
    title = f"{f'All {n}' if lower == n else f'{lower} of {n}'} systems score lower by {measure} without the "
    title += "judgements that only their group brought"
    pool = f"{tables.options['groups']} groups, pool of depth {tables.options['depth']}"
    spec = {"layer": [kit.diagonal(*ends), *points], "width": COLUMN, "height": COLUMN}
    return Figure(title, spec, (f"{pool}; both rankings: {values}",), params={"system": None})


# --- grades ---


def values(tables: Tables) -> Figure | None:
    """Show each extension against its base, a panel for each extension.

    There are too many pairs of runs for single points, so that they are counted in squares.
    """
    if "pairs" not in tables:
        return None
    panels = [_extension(row) for row in tables.rows("extensions")]
    squares = _counts(tables)
    most = max((row["count"] for row in squares), default=1)
    ticks = [10**power for power in range(7) if 10**power <= most]
    legend = {"title": "pairs of runs on a topic", "values": ticks, "format": "~s", "gradientLength": 150}
    axis = {"values": [-1, 0, 1]}
    tip = tips("panel:N:coefficients", "low_base:.1f:without grades, from", "high_base:.1f:to")
    tip += tips("low:.1f:with grades, from", "high:.1f:up to", "count:Q:pairs")
    colour = of(
        "count:Q", scale={"type": "log", "range": kit.SEQUENTIAL[1:]}, legend={**legend, "titleLimit": 300}
    )
    place = kit.span("low_base", "high_base", title="without grades", axis=axis)
    place |= kit.span("low", "high", "y", title="with grades", axis=axis)
    layers = [Source().draw("rect", **place, color=colour, tooltip=tip), kit.diagonal(-1, 1)]
    title = _changed_most(tables.rows("extensions"))
    caption = f"{_pairs_of_runs(tables)}; on the line the grades change nothing"
    more = {
        "label": "datum.panel",
        "size": 84 if tables.narrow else kit.PANEL,
        "data": {"squares": squares},
        "linked": ("pairs",),
    }
    return kit.in_panels(title, caption, Source("squares"), layers, panels, **more)


def _extension(row: dict[str, Any]) -> str:
    return f"{row['extension']} · against {row['base']}"


def _counts(tables: Tables) -> Rows:
    """Count the pairs of runs and topics in squares of both values; those without a value are left out."""
    found: dict[str, dict[Any, float | None]] = {}
    for pair in tables.records("pairs"):
        found.setdefault(str(pair.coefficient), {})[pair.run, pair.other_run, pair.topic] = pair.value
    rows = []
    for each in tables.rows("extensions"):
        base, extension = found[each["base"]], found[each["extension"]]
        both = ((value, extension[key]) for key, value in base.items())
        squares = Counter((_bin(x), _bin(y)) for x, y in both if x is not None and y is not None)
        for (i, j), count in sorted(squares.items()):
            sides = {"low_base": i, "high_base": i + 1, "low": j, "high": j + 1}
            places = {name: 2 * side / _BINS - 1 for name, side in sides.items()}
            rows.append({"panel": _extension(each), **places, "count": count})
    return rows


def _bin(value: float) -> int:
    return min(_BINS - 1, max(0, int((value + 1) / 2 * _BINS)))


def _pairs_of_runs(tables: Tables) -> str:
    rows = tables.rows("extensions")
    pairs = max((row["pairs"] + row["undefined"] for row in rows), default=0)
    undefined = max((row["undefined"] for row in rows), default=0)
    without = f", up to {undefined:,} of them undefined" if undefined else ""
    return f"{pairs:,} pairs of runs on a topic{without}"


def _changed_most(rows: Rows) -> str:
    """Name the coefficients that the grades change most and least."""
    means = {row["extension"]: row["mean_difference"] for row in rows}
    defined = {name: mean for name, mean in means.items() if mean is not None}
    if len(defined) < 2 or len(defined) < len(means):
        return "How much the grades change each coefficient"
    most, least = max(defined, key=defined.__getitem__), min(defined, key=defined.__getitem__)
    most, least = (f"{name} {how} ({defined[name]:.2f})" for name, how in ((most, "most"), (least, "least")))
    return f"On average, the grades change {most} and {least}"


# --- stability ---


def rates(tables: Tables) -> Figure:
    """Show the error rate against the share of ties, a line over the numbers of topics.

    There is a panel for measures and one for coefficients, each with its own colours and scales.
    """
    rows, options = [row for row in tables.rows("rates") if row["error"] is not None], tables.options
    sizes, panels = distinct(rows, "topics"), []
    size = of("topics:Q", scale={"range": [20, 90], "zero": False}, legend=None) if len(sizes) > 1 else 60
    tip = tips("name what", "topics:Q", "error ties error_decided:.4f", "comparisons:,d")
    for (what,), own in kit.groups(rows, "what").items():
        names, source = distinct(own, "name"), Source("rates").where(f"datum.what === '{what}'")
        legend = kit.name_legend(names, title=None, columns=4, columnPadding=8)
        colour, shape = kit.marks("name", names, **legend)
        place: Spec = {"x": of("ties:Q:share of ties", axis=kit.NUMBERS), "y": of("error:Q:error rate")}
        place |= {"color": colour, "tooltip": tip}
        layers = [
            source.draw("line", strokeWidth=1, order=of("topics:Q"), **place),
            source.draw("point", filled=True, opacity=1, size=size, shape=shape, **place),
        ]
        panel = {"layer": layers, "width": 270, "height": 165}
        panels.append(panel | {"title": kit.panel_title(_COMPARED[what])})
    fuzzy = f"{options['fuzziness']:g}"
    if options["of"] != "absolute":
        fuzzy = f"{100 * options['fuzziness']:.10g}% of the {options['of']} value"
    more = f"larger points: more topics, {min(sizes)} to {max(sizes)}"
    topics = more if len(sizes) > 1 else f"{sizes[0]} topics"
    short = kit.short_names(distinct(rows, "name"))
    own = [row for row in rows if row["what"] == "measure" and row["topics"] == max(sizes)]
    low, *_, high = [*sorted(own, key=lambda row: row["error"])] * 2
    title = f"{short[low['name']]} has the fewest errors, {number(low['error'], 3)}"
    title += f"; {short[high['name']]} the most, {number(high['error'], 3)}" if low != high else ""
    about = f"{options['systems']} systems, {options['n_draws']} draws of topics"
    found = kit.stacked(title, panels, f"{about}; a tie: within {fuzzy}; {topics}")
    scales = dict.fromkeys(("color", "shape"), "independent")
    return replace(found, spec=found.spec | {"resolve": {"scale": scales}})
