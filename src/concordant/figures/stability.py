"""Figures of `stability`: error against ties, swaps by difference, and p-values of all pairs."""

from __future__ import annotations

from collections.abc import Sequence

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import Figure, Rows, Source, Spec, distinct, of, tips, told
from concordant.results.words import number

_COMPARED = {
    "measure": "measures, which compare systems",
    "coefficient": "coefficients, which compare measures",
}


def rates(tables: Tables) -> Figure:
    """Show the error rate against the share of ties, a line over the numbers of topics."""
    rows, options = [row for row in tables.rows("rates") if row["error"] is not None], tables.options
    sizes = distinct(rows, "topics")
    place: Spec = {"x": of("ties:Q:share of ties", axis=kit.NUMBERS), "y": of("error:Q:error rate")}
    place["tooltip"] = tips("name what", "topics:Q", "error ties error_decided:.4f", "comparisons:,d")
    layers = [Source().draw("line", strokeWidth=1, order=of("topics:Q"), **place)]
    size = of("topics:Q", scale={"range": [20, 90], "zero": False}, legend=None) if len(sizes) > 1 else 60
    layers.append(Source().draw("point", filled=True, opacity=1, size=size, **place))
    fuzzy = f"{options['fuzziness']:g}"
    if options["of"] != "absolute":
        fuzzy = f"{100 * options['fuzziness']:.10g}% of the {options['of']} value"
    more = f"larger points: more topics, {min(sizes)} to {max(sizes)}"
    topics = more if len(sizes) > 1 else f"{sizes[0]} topics"
    short = kit.short_names(distinct(rows, "name"))
    low, *_, high = [*sorted(_most(rows), key=lambda row: row["error"])] * 2
    title = f"{short[low['name']]} has the fewest errors, {number(low['error'], 3)}"
    title += f"; {short[high['name']]} the most, {number(high['error'], 3)}" if low != high else ""
    return _stacked(title, f"{_data(tables)}; a tie: within {fuzzy}; {topics}", Source("rates"), rows, layers)


def swaps(tables: Tables) -> Figure | None:
    """Show how often a difference changes its sign on other topics, by its size."""
    rows = [row for row in tables.rows("swaps") if row["swap_rate"] is not None]
    if not rows:
        return None
    most, alpha = max(row["topics"] for row in rows), tables.options["alpha"]
    place: Spec = {"x": of("difference:Q:difference on half of the topics", axis=kit.NUMBERS)}
    place |= {"y": of("swap_rate:Q:swap rate")}
    place["tooltip"] = tips("name what", "topics:Q", "difference:.3f", "swap_rate conflict_rate:.4f")
    place["tooltip"] += tips("comparisons:,d")
    layers = [Source().draw("line", strokeWidth=1.2, **place)]
    layers += [Source().draw("point", filled=True, opacity=1, size=26, **place), _level(alpha)]
    own = (row for row in tables.rows("rates") if row["topics"] == most and row["what"] == "measure")
    needed = [(row["difference_needed"], row["name"]) for row in own]
    needed = sorted(each for each in needed if each[0] is not None)
    short = kit.short_names(distinct(rows, "name"))
    ends = dict.fromkeys((*needed[:1], *needed[-1:]))
    parts = [f"from {at:g} by {short[name]}" for at, name in ends]
    title = f"At most {alpha:.0%} of the differences swap {', '.join(parts) or 'from no size on'}"
    source = Source("swaps").where(f"datum.topics === {most} && isValid(datum.swap_rate)")
    caption = f"{_data(tables)}; differences on {most} topics, signs on {most} others"
    return _stacked(title, caption, source, rows, layers)


def power(tables: Tables) -> Figure:
    """Show the p-values of all pairs, the largest first: the lower a curve, the more pairs are told apart."""
    rows, alpha = tables.rows("rates"), tables.options["alpha"]
    n = {"joinaggregate": [{"op": "count", "as": "n"}], "groupby": ["what", "name"]}
    source = Source("pvalues").then(n).adding(share="datum.place / datum.n")
    place: Spec = {"x": of("share:Q:share of the pairs", axis=kit.NUMBERS), "y": of("pvalue:Q:p-value")}
    place["tooltip"] = tips("name what", "share:.3f:share of pairs", "pvalue:.4f:p")
    layers = [Source().draw("line", strokeWidth=1.5, **place), _level(alpha)]
    short = kit.short_names(distinct(rows, "name"))
    best = max(_most(rows), key=lambda row: row["power"] or 0.0)
    title = f"{short[best['name']]} tells most apart: {kit.number(best['power'])} of the pairs at {alpha:g}"
    tested = "paired t-tests" if tables.options["test"] == "t" else "bootstrap tests"
    caption = f"{tested}, for coefficients resampled topics; not adjusted"
    return _stacked(title, f"{tables.options['systems']} systems; {caption}", source, rows, layers)


def _stacked(title: str, caption: str, source: Source, rows: Rows, layers: Sequence[Spec]) -> Figure:
    """Return a panel for measures and one for coefficients, each with its own colours and scales."""
    panels, points = [], any(layer["mark"]["type"] == "point" for layer in layers)
    for (what,), own in kit.groups(rows, "what").items():
        names = distinct(own, "name")
        legend = kit.name_legend(names, title=None, columns=4, columnPadding=8)
        ways = {"color": kit.COLOURS} | ({"shape": kit.SHAPES} if points else {"strokeDash": kit.DASHES})
        shown = {way: told("name:N", names, each, legend=legend) for way, each in ways.items()}
        marks = [
            layer if "data" in layer else layer | {"encoding": layer["encoding"] | shown} for layer in layers
        ]
        steps = list(source.where(f"datum.what === '{what}'").transform)
        panel = {"data": {"name": source.name}, "transform": steps, "layer": marks}
        panels.append(panel | {"width": 270, "height": 165, "title": kit.panel_title(_COMPARED[what])})
    scales = dict.fromkeys(("color", "shape", "strokeDash"), "independent")
    return Figure(title, {"vconcat": panels, "spacing": 14, "resolve": {"scale": scales}}, (caption,))


def _level(alpha: float) -> Spec:
    rule = Source().draw("same", type="rule", y=of("level:Q"))
    return {"data": {"values": [{"level": alpha}]}, **rule}


def _data(tables: Tables) -> str:
    return f"{tables.options['systems']} systems, {tables.options['n_draws']} draws of topics"


def _most(rows: Rows) -> Rows:
    """Return the rows of measures with the most topics."""
    own = [row for row in rows if row["what"] == "measure"]
    return [row for row in own if row["topics"] == max(each["topics"] for each in own)]
