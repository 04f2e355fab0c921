"""Figures of `stability`: error against ties, swaps by difference, and p-values of all pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
    rows = [row for row in tables.rows("rates") if row["error"] is not None]
    sizes, options = distinct(rows, "topics"), tables.options
    tip = tips("name what", "topics:Q", "error ties:.4f", "error_decided:.4f:error of what is not tied")
    tip += tips("comparisons:,d")

    def layers(source: Source, colour: Spec, shape: Spec) -> list[Spec]:
        x = of("ties:Q:share of ties", axis=kit.NUMBERS)
        place = {"x": x, "y": of("error:Q:error rate"), "tooltip": tip, "color": colour}
        points = source.draw("point", filled=True, opacity=1, size=60, **place, shape=shape)
        if len(sizes) == 1:
            return [points]
        lines = source.draw("line", strokeWidth=1, **place, order=of("topics:Q"))
        ends = source.where(f"indexof({[min(sizes), max(sizes)]}, datum.topics) >= 0")
        return [lines, points, ends.draw("beside", **place, text="topics:Q")]

    fuzzy = f"{options['fuzziness']:g}"
    if options["of"] != "absolute":
        fuzzy = f"{100 * options['fuzziness']:.10g}% of the {options['of']} value"
    topics = f"{sizes[0]} topics" if len(sizes) == 1 else "numbers: topics"
    caption = f"{_data(tables)}; a tie: within {fuzzy}; {topics}"
    low, *_, high = [*sorted(_most(rows), key=lambda row: row["error"])] * 2
    title = f"{kit.short(low['name'])} has the fewest errors, {number(low['error'], 3)}"
    title += f"; {kit.short(high['name'])} the most, {number(high['error'], 3)}" if low != high else ""
    return _stacked(title, caption, "rates", rows, layers)


def swaps(tables: Tables) -> Figure | None:
    """Show how often a difference changes its sign on other topics, by its size."""
    rows = [row for row in tables.rows("swaps") if row["swap_rate"] is not None]
    if not rows:
        return None
    most, alpha = max(row["topics"] for row in rows), tables.options["alpha"]
    tip = tips("name what", "topics:Q", "difference:.3f:difference from", "comparisons:,d")
    tip += tips("swap_rate conflict_rate:.4f")

    def layers(source: Source, colour: Spec, shape: Spec) -> list[Spec]:
        there = source.where(f"datum.topics === {most} && isValid(datum.swap_rate)")
        x = of("difference:Q:difference on half of the topics", axis=kit.NUMBERS)
        place = {"x": x, "y": of("swap_rate:Q:swap rate"), "tooltip": tip, "color": colour}
        line = there.draw("line", strokeWidth=1.2, **place)
        return [
            line,
            there.draw("point", filled=True, opacity=1, size=26, **place, shape=shape),
            _level(alpha),
        ]

    own = [row for row in tables.rows("rates") if row["topics"] == most and row["what"] == "measure"]
    needed = sorted(
        (row["difference_needed"], row["name"]) for row in own if row["difference_needed"] is not None
    )
    title = "How often a difference changes its sign on other topics"
    if needed:
        (low, best), (high, worst) = needed[0], needed[-1]
        title = f"At most {alpha:.0%} of the differences swap from {low:g} by {kit.short(best)}"
        title += f", from {high:g} by {kit.short(worst)}" if len(needed) > 1 else ""
    caption = f"{_data(tables)}; differences on {most} topics, signs on {most} others"
    return _stacked(title, caption, "swaps", rows, layers)


def power(tables: Tables) -> Figure:
    """Show the p-values of all pairs, the largest first: the lower a curve, the more pairs are told apart."""
    rows, options = tables.rows("powers"), tables.options
    tip = tips("name what", "share:.3f:share of pairs", "pvalue:.4f:p")

    def layers(source: Source, colour: Spec, dash: Spec) -> list[Spec]:
        n = {"joinaggregate": [{"op": "count", "as": "n"}], "groupby": ["name"]}
        curve = source.then(n).adding(share="datum.place / datum.n")
        x = of("share:Q:share of the pairs", axis=kit.NUMBERS)
        place = {"x": x, "y": of("pvalue:Q:p-value"), "tooltip": tip, "color": colour, "strokeDash": dash}
        return [curve.draw("line", strokeWidth=1.5, **place), _level(options["alpha"])]

    best = max((row for row in rows if row["what"] == "measure"), key=lambda row: row["power"] or 0.0)
    share = f"{kit.number(best['power'])} of {best['pairs']} pairs of systems"
    title = f"{kit.short(best['name'])} tells most pairs apart: {share} at {options['alpha']:g}"
    tested = "paired t-tests" if options["test"] == "t" else "bootstrap tests"
    caption = f"{options['systems']} systems; {tested}, for coefficients resampled topics; not adjusted"
    return _stacked(title, caption, "pvalues", rows, layers)


def _stacked(
    title: str,
    caption: str,
    table: str,
    rows: Rows,
    layers: Callable[[Source, Spec, Spec], Sequence[Spec]],
) -> Figure:
    """Return a panel for measures and one for coefficients, each with its own colours and scales."""
    panels = []
    for (kind,), own in kit.groups(rows, "what").items():
        names, legend = distinct(own, "name"), kit.name_legend(title=None, columns=4, columnPadding=8)
        second = kit.DASHES if table == "pvalues" else kit.SHAPES  # curves have no points
        shown = (told("name:N", names, each, legend=legend) for each in (kit.COLOURS, second))
        drawn = layers(Source(table).where(f"datum.what === '{kind}'"), *shown)
        panel = {"layer": list(drawn), "width": 270, "height": 165, "title": kit.panel_title(_COMPARED[kind])}
        panels.append(panel)
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
