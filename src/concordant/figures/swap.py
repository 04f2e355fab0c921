"""Charts of `swap`: coefficients after swaps, which pairs differ, ranks after a draw, costs of pairs."""

from __future__ import annotations

from typing import Any

import altair as alt

from concordant.experiments.swap import SwapResult
from concordant.figures.panels import (
    PANEL,
    POINTED,
    SHADES,
    UNDEFINED,
    cells,
    diagonal,
    different,
    in_panels,
    marks,
    on_legend,
    system_param,
    titled,
)
from concordant.figures.style import COLOURS

_AXIS = alt.Axis(tickCount=5, labelFlush=False)


def swaps(result: SwapResult) -> Any:
    """Show mean and standard deviation of each coefficient after both kinds of swaps."""
    if not result.swaps:
        return None
    kinds = different(each.pairs for each in result.swaps)
    coefficients = different(str(each.coefficient) for each in result.swaps)
    chosen, opacity = on_legend("pairs")
    colour, shape = marks("pairs", kinds, title="swapped pairs", labelLimit=250)
    base = alt.Chart().encode(
        y=alt.Y("coefficient:N", sort=coefficients, title=None, axis=alt.Axis(labelLimit=160, ticks=False)),
        yOffset=alt.YOffset("pairs:N", sort=kinds),
        color=colour,
        opacity=opacity,
        tooltip=[
            alt.Tooltip("coefficient:N"),
            alt.Tooltip("pairs:N", title="swapped pairs"),
            alt.Tooltip("mean:Q", format=".4f"),
            alt.Tooltip("sd:Q", format=".4f", title="standard deviation"),
            alt.Tooltip("draws:Q"),
            alt.Tooltip("undefined:Q", title="draws where it is undefined"),
        ],
    )
    mean = alt.X(
        "mean:Q", title="mean ± standard deviation over draws", scale=alt.Scale(zero=False), axis=_AXIS
    )
    bars = base.mark_rule(strokeWidth=1.5).encode(
        x=alt.X("low:Q", scale=alt.Scale(zero=False), axis=_AXIS), x2="high:Q"
    )
    points = base.mark_point(filled=True, opacity=1, size=55).encode(x=mean, shape=shape)
    undefined = (
        base.mark_text(text="- undefined", align="left", dx=4)
        .encode(x=alt.value(0))
        .transform_filter("!isValid(datum.mean)")
    )
    chart = alt.layer(bars, points, undefined, data=alt.NamedData("swaps")).transform_calculate(
        low="isValid(datum.sd) ? datum.mean - datum.sd : null",
        high="isValid(datum.sd) ? datum.mean + datum.sd : null",
    )
    chart = chart.properties(width=270, height=46 * len(coefficients)).add_params(chosen)
    return titled(
        chart, _title(result), _data(result, f"{result.swaps[0].draws} draws of {_swapped(result)}")
    )


def significance(result: SwapResult) -> Any:
    """Show the p-value of each pair of systems, the better one above."""
    if not result.pairs:
        return None
    alpha = result.options["alpha"]
    levels = [level for level in (0.001, 0.01) if level < alpha] + [alpha]
    names = [f"p < {level:g}" for level in levels] + ["not significant"]
    shades = [*SHADES[: -len(names) : -1], SHADES[0]]
    tests = " : ".join(
        f"datum.pvalue < {level} ? '{name}'" for level, name in zip(levels, names, strict=False)
    )
    kind = f"!isValid(datum.pvalue) ? 'undefined' : {tests} : '{names[-1]}'"
    if any(pair.pvalue is None or pair.pvalue != pair.pvalue for pair in result.pairs):
        names, shades = [*names, "undefined"], [*shades, UNDEFINED]
    side = _side(_size(result), 300)
    chosen, opacity = on_legend("kind")
    legend = alt.Legend(
        title=None, columns=len(names), symbolType="square", columnPadding=8, symbolStrokeWidth=0
    )
    chart = (
        alt.Chart(alt.NamedData("pairs"))
        .mark_rect()
        .encode(
            **_square(_size(result)),
            color=alt.Color("kind:N", sort=names, scale=alt.Scale(domain=names, range=shades), legend=legend),
            opacity=opacity,
            tooltip=[
                alt.Tooltip("better:N"),
                alt.Tooltip("worse:N"),
                alt.Tooltip("rank:Q", title="rank of the better"),
                alt.Tooltip("other_rank:Q", title="rank of the worse"),
                alt.Tooltip("pvalue:Q", format=".3g", title="p"),
            ],
        )
        .transform_calculate(kind=kind)
        .properties(width=side, height=side)
        .add_params(chosen)
    )
    n = len(result.pairs)
    found = sum(pair.pvalue is not None and pair.pvalue < alpha for pair in result.pairs)
    title = f"{found} of {n} pairs of systems differ significantly by {result.options['measure']}"
    return titled(
        chart, title, f"{_size(result)} systems by rank; paired t-tests over topics, each at {alpha:g}"
    )


def draws(result: SwapResult) -> Any:
    """Show the rank of each system before and after one draw of swaps."""
    if not result.draws:
        return None
    kinds = different(each.pairs for each in result.draws)
    n = _size(result)
    scale = alt.Scale(domain=[0, n + 1], nice=False)
    axis = alt.Axis(values=_ranks(n))
    points = (
        alt.Chart()
        .mark_point(filled=True, opacity=1, color=COLOURS[0])
        .encode(
            x=alt.X("rank:Q", title="rank", scale=scale, axis=axis),
            y=alt.Y("rank_after:Q", title="rank after", scale=scale.copy(), axis=axis),
            size=alt.condition("datum.system === system", alt.value(120), alt.value(26)),
            fillOpacity=alt.condition(POINTED, alt.value(0.8), alt.value(0.15)),
            tooltip=[
                alt.Tooltip("system:N"),
                alt.Tooltip("pairs:N", title="swapped pairs"),
                alt.Tooltip("rank:Q"),
                alt.Tooltip("rank_after:Q", title="rank after"),
            ],
        )
    )
    chart = alt.layer(diagonal(1, n), points, data=alt.NamedData("draws"))
    chart = in_panels(
        chart,
        "'swapped pairs: ' + datum.pairs",
        [f"swapped pairs: {kind}" for kind in kinds],
        width=220,
        height=220,
    )
    title = f"Ranks before and after one draw of {_swapped(result)}"
    return titled(
        chart.add_params(system_param()), title, _data(result, "on the line: ranks that stay"), len(kinds)
    )


def weights(result: SwapResult) -> Any:
    """Show what it costs to swap the systems at two ranks, a panel for each coefficient."""
    if not result.weights:
        return None
    coefficients = different(str(each.coefficient) for each in result.weights)
    base = alt.Chart().encode(
        **_square(_size(result)),
        tooltip=[
            alt.Tooltip("coefficient:N"),
            alt.Tooltip("rank:Q"),
            alt.Tooltip("other_rank:Q", title="other rank"),
            alt.Tooltip("weight:Q", format=".4f", title="cost, rescaled"),
        ],
    )
    chart = cells(base, "weight", 0, 1, "cost of a swap, largest = 1")
    chart.data = alt.NamedData("weights")
    undefined = [name for name in coefficients if not any(_costs(result, name))]
    grey = f"; grey: {', '.join(undefined)} undefined" if undefined else ""
    side = _side(_size(result), PANEL)
    chart = in_panels(chart, "datum.coefficient", coefficients, width=side, height=side)
    title = "What it costs to swap the systems at two ranks"
    return titled(
        chart, title, _data(result, f"1 - value after the swap, rescaled to 0..1{grey}"), len(coefficients)
    )


def _costs(result: SwapResult, coefficient: str) -> list[bool]:
    return [each.weight is not None for each in result.weights if str(each.coefficient) == coefficient]


def _size(result: SwapResult) -> int:
    return max((pair.other_rank for pair in result.pairs), default=0)


def _ranks(n: int) -> list[int]:
    """Return the ranks that an axis names."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, n) if n / step <= 8)
    return [1, *range(step if step > 1 else 2, n + 1, step)]


def _side(n: int, about: float) -> float:
    """Return the side of a table of n cells whose borders fall on half pixels, so that no gaps show."""
    return n * max(0.5, round(2 * about / n) / 2)


def _square(n: int) -> dict[str, Any]:
    """Return the axes of a table of pairs of ranks, of which one half is filled."""
    scale = alt.Scale(domain=list(range(1, n + 1)))
    axis = alt.Axis(values=_ranks(n), labelAngle=0, grid=False, labelOverlap=True)
    return {
        "x": alt.X("other_rank:O", title="rank of the worse system", axis=axis, scale=scale),
        "y": alt.Y("rank:O", title="rank of the better", axis=axis, scale=scale),
    }


def _swapped(result: SwapResult) -> str:
    n = result.options["n_swaps"]
    return "one swap" if n == 1 else f"{n} swaps"


def _data(result: SwapResult, more: str) -> str:
    return f"{result.options['measure']} of {_size(result)} systems; {more}"


def _title(result: SwapResult) -> str:
    """Return the title: that significant swaps cost more, if this holds for all coefficients."""
    kinds = different(each.pairs for each in result.swaps)
    means = {(each.coefficient, each.pairs): each.mean for each in result.swaps}
    defined = None not in means.values() and kinds == ["significant", "not significant"]
    if defined and all(means[c, kinds[0]] < means[c, kinds[1]] for c, _ in means):  # type: ignore[operator]
        return "Swapping systems that differ significantly lowers all coefficients more"
    return "Coefficients after swaps of systems that differ significantly, or do not"
