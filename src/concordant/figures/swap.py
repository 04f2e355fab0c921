"""Figures of `swap`: coefficients after swaps, which pairs differ, and costs of pairs."""

from __future__ import annotations

import math

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import ON_LEGEND, Figure, Rows, Source, Spec, distinct, of, tips, told


def swaps(tables: Tables) -> Figure | None:
    """Show mean and standard deviation of each coefficient after both kinds of swaps."""
    rows = tables.rows("swaps")
    if not rows:
        return None
    kinds, coefficients = distinct(rows, "pairs"), distinct(rows, "coefficient")
    colour, shape = kit.marks("pairs", kinds, title="swapped pairs", labelLimit=250)
    tip = tips("coefficient", "pairs:N:swapped pairs", "mean:.4f", "sd:.4f:standard deviation", "draws:Q")
    tip += tips("undefined:Q:draws where it is undefined")
    y = of("coefficient:N", sort=coefficients, title=None, axis={"labelLimit": 160, "ticks": False})
    place: Spec = {"y": y, "yOffset": of("pairs:N", sort=kinds), "color": colour, "opacity": ON_LEGEND}
    place["tooltip"] = tip
    axis = {"tickCount": 5, "labelFlush": False}
    x = {"title": "mean ± standard deviation over draws", "scale": {"zero": False}, "axis": axis}
    source = Source("swaps").adding(**kit.SD_ENDS)
    layers = [
        source.draw("rule", strokeWidth=1.5, **place, **kit.span("low", "high", **x)),
        source.draw("point", filled=True, size=55, **place, x=of("mean:Q", **x), shape=shape),
        source.where("!isValid(datum.mean)").draw("undefined", **place, x=0),
    ]
    spec = {"layer": kit.with_legend(layers, "pairs"), "width": 270, "height": 46 * len(coefficients)}
    return Figure(_title(rows), spec, (_data(tables, f"{rows[0]['draws']} draws of {_swapped(tables)}"),))


def significance(tables: Tables) -> Figure | None:
    """Show the p-value of each pair of systems, the better one above."""
    pvalues = [pair.pvalue for pair in tables.records("pairs")]
    if not pvalues:
        return None
    alpha, n = tables.options["alpha"], _size(tables)
    levels = [level for level in (0.001, 0.01) if level < alpha] + [alpha]
    names = [f"p < {level:g}" for level in levels] + ["not significant"]
    shades = [*kit.SHADES[: -len(names) : -1], kit.SHADES[0]]
    below = zip(levels, names, strict=False)
    tests = " : ".join(f"datum.pvalue < {level} ? '{name}'" for level, name in below)
    kind = f"!isValid(datum.pvalue) ? 'undefined' : {tests} : '{names[-1]}'"
    if any(p is None or math.isnan(p) for p in pvalues):
        names, shades = [*names, "undefined"], [*shades, kit.UNDEFINED]
    legend = {"title": None, "columns": len(names), "symbolType": "square", "columnPadding": 8}
    tip = tips("better worse", "rank:Q:rank of the better", "other_rank:Q:rank of the worse", "pvalue:.3g:p")
    colour = told("kind:N", names, shades, sort=names, legend={**legend, "symbolStrokeWidth": 0})
    cells = Source("pairs").adding(kind=kind)
    marks = cells.draw("rect", **_square(n), color=colour, opacity=ON_LEGEND, tooltip=tip)
    crossed = {"color": kit.ORANGE, "opacity": 1, "size": 60, "tooltip": tip}
    swapped = Source("pairs").where("datum.swapped > 0").draw("swap", **_square(n), **crossed)
    side = _side(n, 300)
    found = sum(p is not None and p < alpha for p in pvalues)
    title = f"{found} of {len(pvalues)} pairs of systems differ significantly by {tables.options['measure']}"
    spec = {"layer": [*kit.with_legend([marks], "kind"), swapped], "width": side, "height": side}
    caption = f"{n} systems by rank; paired t-tests over topics, each at {alpha:g}; crosses: the first swaps"
    return Figure(title, spec, (caption,))


def weights(tables: Tables) -> Figure | None:
    """Show what it costs to swap the systems at two ranks, a panel for each coefficient."""
    rows, n = tables.rows("weights"), _size(tables)
    if not rows:
        return None
    side, tip = _side(n, kit.PANEL), tips("coefficient", "rank:Q", "other_rank:Q:other rank")
    tip += tips("weight:.4f:cost, rescaled", "pvalue:.3g:p")
    layers = kit.cells({**_square(n), "tooltip": tip}, "weight", (0, 1), "cost of a swap, largest = 1")
    alpha = tables.options["alpha"]
    dots = {"size": max(1.0, (side / n / 2.5) ** 2), "color": kit.ORANGE, "tooltip": tip}
    layers.append(Source().where(f"datum.pvalue >= {alpha}").draw("dot", **_square(n), **dots))
    coefficients = distinct(rows, "coefficient")
    defined = {row["coefficient"] for row in rows if row["weight"] is not None}
    undefined = ", ".join(name for name in coefficients if name not in defined)
    grey = f"; grey: {undefined} undefined" if undefined else ""
    title = _costliest(rows, n)
    caption = _data(tables, f"1 - value after the swap; dots: p >= {alpha:g}{grey}")
    return kit.in_panels(title, caption, Source("weights"), layers, coefficients, size=side)


def _costliest(rows: Rows, n: int) -> str:
    """Return how much of the cost of all swaps of neighbours is that of the best ranks."""
    shares, top = {}, max(1, n // 4)
    for (name,), own in kit.groups(rows, "coefficient").items():
        beside = {r["rank"]: r["weight"] for r in own if r["other_rank"] == r["rank"] + 1}
        if beside and None not in beside.values() and sum(beside.values()) > 0:
            shares[name] = sum(weight for rank, weight in beside.items() if rank <= top) / sum(
                beside.values()
            )
    if len(shares) < 2 or n < 8:
        return "What it costs to swap the systems at two ranks"
    most, least = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
    ends = [f"{shares[name]:.0%} ({name})" for name in (most, least)]
    return f"Swaps of neighbours in the top {top} are {ends[0]} to {ends[1]} of the cost of all such swaps"


def _size(tables: Tables) -> int:
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


def _swapped(tables: Tables) -> str:
    n = tables.options["n_swaps"]
    return "one swap" if n == 1 else f"{n} swaps"


def _data(tables: Tables, more: str) -> str:
    return f"{tables.options['measure']} of {_size(tables)} systems; {more}"


def _title(rows: Rows) -> str:
    """Return the title: that significant swaps cost more, if this holds for all coefficients."""
    kinds = distinct(rows, "pairs")
    means = {(row["coefficient"], row["pairs"]): row["mean"] for row in rows}
    defined = None not in means.values() and kinds == ["significant", "not significant"]
    if defined and all(means[name, kinds[0]] < means[name, kinds[1]] for name, _ in means):
        return "Swapping systems that differ significantly lowers all coefficients more"
    return "Coefficients after swaps of systems that differ significantly, or do not"
