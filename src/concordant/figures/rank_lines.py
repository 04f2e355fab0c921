"""The ranks of systems on both sides, with their intervals."""

from __future__ import annotations

import textwrap
from typing import Any, NamedTuple

import altair as alt

from concordant.figures.choosing import (
    GREY,
    PAIRING,
    Judged,
    keyed,
    level_text,
    most_systems,
    name_axis,
    pairing_filter,
    parameters,
    pointed,
    quoted,
    shortened,
    size_text,
    titled,
)
from concordant.figures.style import COLOURS, COLUMN
from concordant.questions.systems import RankedSystem

_MOST_LINES = 50  # systems; with more lines the figure is not readable
_ROW = 14  # pixels, a line of text
_NAMES = 18  # characters of a name at the end of a line
_TIP = ["system:N", "reference_rank:Q", "estimate_rank:Q", "gain:Q"]


class Swap(NamedTuple):
    """Two systems that differ significantly by the reference, and are in the opposite order."""

    better: RankedSystem  # by the reference
    worse: RankedSystem


def swapped_pairs(result: Judged) -> list[Swap]:
    """Return the pairs in the opposite order that differ significantly by the reference."""
    of_pairing = _by_pairing(result)
    place = {
        (row.estimate, row.measure, row.system): i
        for rows in of_pairing.values()
        for i, row in enumerate(rows)
    }
    found = []
    for row in result.pair_map:
        own = of_pairing[row.estimate, row.measure]
        better = place[row.estimate, row.measure, row.system]
        found += [
            Swap(own[better], own[better + i]) for i, letter in enumerate(row.letters, 1) if letter in "RB"
        ]
    return found


def _by_pairing(result: Judged) -> dict[Any, list[RankedSystem]]:
    """Return the systems of each estimate and measure, the best by the reference first."""
    found: dict[Any, list[RankedSystem]] = {}
    for row in result.systems:
        found.setdefault((row.estimate, row.measure), []).append(row)
    return found


def ranks(result: Judged) -> Any:
    """Draw the ranks of the systems by the reference and by an estimate, joined by lines."""
    n = most_systems(result)
    chart = _lines(result, n) if n <= _MOST_LINES else _map(result)
    return chart.add_params(*parameters(result, ("estimate", "measure"))).add_params(
        alt.param(name="system", value=None)
    )


def _heading(result: Judged, *lines: str) -> alt.TitleParams:
    return titled("Ranks of systems", PAIRING, size_text(result), *lines)


def _swapped_text(result: Judged, swapped: int | None, sign: str) -> str:
    """Return the words about swapped pairs: their mark, that there are none, or that there was no test."""
    if swapped is None:
        return "significance was not tested"
    alpha = f"(α\u00a0=\u00a0{result.options['alpha']:g})"
    if swapped == 0:
        return f"no pair that differs significantly by the reference {alpha} is swapped"
    return f"{sign}, though the reference finds a significant difference {alpha}"


def _about_swaps(
    result: Judged, sign: str, x: float, y: float
) -> tuple[str, list[Any], list[dict[str, Any]]]:
    """Return the words about swapped pairs: a line of the subtitle, or a layer and its data.

    A subtitle cannot change, so that a text that differs between estimates is a layer of the figure.
    """
    said = [
        {
            "estimate": row.estimate,
            "measure": row.measure[0],
            "estimate_measure": row.measure[1],
            "lines": textwrap.wrap(_swapped_text(result, row.opposite_significant, sign), 56),
        }
        for row in result.order
    ]
    different = {" ".join(each["lines"]) for each in said}
    if len(different) == 1:
        return different.pop(), [], []
    layer = (
        alt.Chart(alt.NamedData("about_swaps"))
        .transform_filter(pairing_filter(result))
        .mark_text(baseline="top", fontSize=11, lineHeight=14)
        .encode(x=alt.value(x), y=alt.value(y), text="lines:N")
    )
    return "", [layer], said


def _crossings(result: Judged) -> list[dict[str, Any]]:
    """Return where the lines of swapped systems cross: across from 0 to 1, down in places."""
    places: dict[tuple[Any, ...], tuple[int, int]] = {}
    for key, rows in _by_pairing(result).items():
        by_reference = {row.system: i for i, row in enumerate(rows, 1)}
        # Systems that tie by the estimate are in the order of the reference; sorting keeps it.
        for i, row in enumerate(sorted(rows, key=lambda row: row.estimate_rank), 1):
            places[(*key, row.system)] = by_reference[row.system], i
    found = []
    for better, worse in swapped_pairs(result):
        key = better.estimate, better.measure
        left, right = places[(*key, better.system)]
        left_worse, right_worse = places[(*key, worse.system)]
        across = (left_worse - left) / (left_worse - left + right - right_worse)
        found.append(
            {
                "estimate": better.estimate,
                "measure": better.measure[0],
                "estimate_measure": better.measure[1],
                "better": better.system,
                "worse": worse.system,
                "across": across,
                "place": left + across * (right - left),
            }
        )
    return found


def _lines(result: Judged, n: int) -> Any:
    """Draw a line for each system from its place by the reference to that by the estimate."""
    rows = (
        alt.Chart(alt.NamedData("systems"))
        .transform_filter(pairing_filter(result))
        .transform_window(left="row_number()")
        .transform_window(right="row_number()", sort=[alt.SortField("estimate_rank"), alt.SortField("left")])
    )
    down = alt.Scale(domain=[0.5, n + 0.5], reverse=True, nice=False, zero=False)

    def at(across: str, place: str) -> dict[str, Any]:
        """Return the encoding of a position; all share their scales."""
        return {
            "x": alt.X(f"{across}:Q", scale=alt.Scale(domain=[0, 1], nice=False), axis=None),
            "y": alt.Y(f"{place}:Q", scale=down, axis=None),
        }

    layers: list[Any] = []
    for side, place, start, end in (("reference", "left", 0, 0.05), ("estimate", "right", 0.95, 1)):
        grouped = rows.transform_aggregate(
            low=f"min({place})", high=f"max({place})", systems="count()", groupby=[f"{side}_rank"]
        )
        layers.append(
            grouped.transform_filter("datum.systems > 1")
            .transform_calculate(top="datum.low - 0.45", bottom="datum.high + 0.45")
            .transform_calculate(start=str(start), end=str(end))
            .mark_rect(color="#bdbdbd")
            .encode(**at("start", "top"), x2="end:Q", y2="bottom:Q")
        )
    layers.append(
        rows.transform_calculate(zero="0", one="1")
        .mark_rule(color=COLOURS[0])
        .encode(
            **at("zero", "left"),
            x2="one:Q",
            y2="right:Q",
            opacity=pointed(0.75, 0.12),
            strokeWidth=alt.condition("datum.system === system", alt.value(3), alt.value(1.3)),
            tooltip=_TIP,
        )
    )
    for side, place, align, edge in (("reference", "left", "right", 0), ("estimate", "right", "left", 1)):
        away = -1 if edge == 0 else 1
        outward: dict[str, Any] = {"align": align}
        own = rows.transform_calculate(edge=str(edge), head="0.5", name=shortened("datum.system", _NAMES))
        text: dict[str, Any] = {"fontSize": 11, "baseline": "middle"}
        faded: dict[str, Any] = {"opacity": pointed(1, 0.3), "tooltip": _TIP}
        rank = own.mark_text(align="right", dx=-5 if edge == 0 else 19, color=GREY, **text)
        name = own.mark_text(**outward, dx=away * 23, **text)
        head = own.transform_filter("datum.left === 1").mark_text(
            **outward, dx=away * 5, dy=-9, fontSize=11, color=GREY, text=f"rank by the {side}"
        )
        layers += [
            rank.encode(**at("edge", place), text=f"{side}_rank:Q", **faded),
            name.encode(**at("edge", place), text="name:N", **faded),
            head.encode(**at("edge", "head")),
        ]
    swaps = _crossings(result)
    if swaps:
        layers.append(
            alt.Chart(alt.NamedData("crossings"))
            .transform_filter(pairing_filter(result))
            .mark_point(shape="cross", angle=45, size=50, filled=True, color=COLOURS[1])
            .encode(
                **at("across", "place"),
                opacity=alt.condition(
                    "system === null || datum.better === system || datum.worse === system",
                    alt.value(1),
                    alt.value(0.1),
                ),
                tooltip=["better:N", "worse:N"],
            )
        )
    height, width = _ROW * max(n, 5), 130
    line, more, said = _about_swaps(result, "× swapped", width / 2, height + 8)
    lines = [line, "grey bars join systems that tie" if _shared(result) else ""]
    chart = alt.layer(*layers, *more).properties(width=width, height=height, title=_heading(result, *lines))
    chart.datasets = {"crossings": swaps, "about_swaps": said}
    return chart


def _shared(result: Judged) -> list[RankedSystem]:
    """Return systems that share their rank with another, on one side or the other."""
    seen: set[tuple[Any, ...]] = set()
    found = []
    for row in result.systems:
        for side, rank in (("x", row.reference_rank), ("y", row.estimate_rank)):
            key = row.estimate, row.measure, side, rank
            if key in seen:
                found.append(row)
            seen.add(key)
    return found


def _map(result: Judged) -> Any:
    """Draw rank against rank, for systems that are too many for lines."""
    n = most_systems(result)
    counts: dict[tuple[Any, ...], int] = {}
    for pair in swapped_pairs(result):
        for each in pair:
            key = each.estimate, each.measure, each.system
            counts[key] = counts.get(key, 0) + 1
    keys = [
        {"key": _key(estimate, *measure, system), "swapped": count}
        for (estimate, measure, system), count in counts.items()
    ]
    margin = 0.02 * n
    scale = alt.Scale(domain=[n + margin, 1 - margin], nice=False, zero=False)
    axis = _rank_axis(n)
    line, more, said = _about_swaps(result, "swapped: opposite order", COLUMN / 2, COLUMN + 42)
    both = "datum.estimate + '\\n' + datum.measure + '\\n' + datum.estimate_measure + '\\n' + datum.system"
    rows = (
        alt.Chart(alt.NamedData("systems"))
        .transform_filter(pairing_filter(result))
        .transform_calculate(key=both)
        .transform_lookup("key", alt.LookupData(alt.NamedData("swapped"), "key", ["swapped"]), default="0")
        .transform_calculate(kind="datum.swapped > 0 ? 'in a swapped significant pair' : 'in no such pair'")
    )
    kinds = ["in no such pair", "in a swapped significant pair"]
    points = rows.mark_point(filled=True).encode(
        x=alt.X("reference_rank:Q", scale=scale, title="rank by the reference", axis=axis),
        y=alt.Y("estimate_rank:Q", scale=scale, title="rank by the estimate", axis=axis),
        color=alt.Color(
            "kind:N",
            scale=alt.Scale(domain=kinds, range=[COLOURS[0], COLOURS[1]]),
            legend=alt.Legend(title=None, orient="bottom", direction="vertical", offset=54 if more else 18)
            if keys
            else None,
        ),
        shape=alt.Shape("kind:N", scale=alt.Scale(domain=kinds, range=["circle", "diamond"])),
        size=alt.condition("datum.system === system", alt.value(150), alt.value(38)),
        opacity=pointed(0.8, 0.15),
        tooltip=[*_TIP, "swapped:Q"],
    )
    diagonal = (
        alt.Chart(alt.InlineData(values=[{"rank": 1}, {"rank": n}]))
        .mark_line(color=GREY, strokeDash=[4, 3], strokeWidth=1)
        .encode(x=alt.X("rank:Q", scale=scale), y=alt.Y("rank:Q", scale=scale))
    )
    ranges = [
        rows.mark_rule(strokeWidth=0.5, color=GREY).encode(
            x="reference_rank:Q",
            y="estimate_rank_low:Q",
            y2="estimate_rank_high:Q",
            opacity=pointed(0.45, 0.05),
        )
    ]
    with_ranges = any(row.estimate_ranks is not None for row in result.systems)
    lines = ["dashed: the same rank on both sides"]
    if with_ranges:
        lines.append(f"thin lines: {level_text(result.options)} of the rank by the estimate")
    lines.append(line)
    chart = alt.layer(diagonal, *(ranges if with_ranges else ()), points, *more).properties(
        width=COLUMN, height=COLUMN, title=_heading(result, *lines)
    )
    chart.datasets = {"swapped": keys, "about_swaps": said}
    return chart


def _rank_axis(n: int) -> alt.Axis:
    """Return an axis of ranks: whole numbers, of which 1 is the first."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, n) if n / step <= 8)
    return alt.Axis(values=[1, *range(max(step, 2), n + 1, step)], format="d", labelFlush=False)


def _key(*names: str) -> str:
    return "\n".join(names)


def intervals(result: Judged) -> Any:
    """Draw the rank of each system with its interval over resamples of the topics, on both sides."""
    if all(row.reference_ranks is None and row.estimate_ranks is None for row in result.systems):
        return None
    n = most_systems(result)
    named = n <= _MOST_LINES
    step = 18 if named else max(5, round(700 / n))
    y = alt.Y(
        "key:N",
        sort=None,
        title="system",
        axis=name_axis(labels=named, labelPadding=6, grid=named),
    )
    x = alt.Scale(domain=[0.5, n + 0.5] if n <= _MOST_LINES else [1, n], nice=False, zero=False)
    rows = (
        alt.Chart(alt.NamedData("systems"))
        .transform_filter(pairing_filter(result))
        .transform_calculate(key=keyed("datum.system"))
    )
    sides = {"reference": (-0.2, COLOURS[0], "circle"), "estimate": (0.2, COLOURS[1], "diamond")}
    shift = alt.Scale(domain=[-0.5, 0.5])
    domain = list(sides)
    colour = alt.Scale(domain=domain, range=[sides[side][1] for side in domain])
    shape = alt.Scale(domain=domain, range=[sides[side][2] for side in domain])
    legend = alt.Legend(title="rank by", orient="bottom", symbolOpacity=1)
    layers: list[Any] = []
    for side, (offset, _, _) in sides.items():
        own = rows.transform_calculate(side=quoted(side), shift=str(offset))
        layers.append(
            own.mark_rule(strokeWidth=1.2 if named else 0.8).encode(
                x=alt.X(f"{side}_rank_low:Q", scale=x, title="rank (1 is the best)", axis=_rank_axis(n)),
                x2=f"{side}_rank_high:Q",
                y=y,
                yOffset=alt.YOffset("shift:Q", scale=shift),
                color=alt.Color("side:N", scale=colour, legend=legend),
                opacity=pointed(0.8, 0.12),
            )
        )
        layers.append(
            own.mark_point(filled=True, size=36 if named else 14).encode(
                x=alt.X(f"{side}_rank:Q", scale=x),
                y=y,
                yOffset=alt.YOffset("shift:Q", scale=shift),
                color=alt.Color("side:N", scale=colour, legend=legend),
                shape=alt.Shape("side:N", scale=shape, legend=legend),
                opacity=pointed(1, 0.15),
                tooltip=[*_TIP, f"{side}_rank_low:Q", f"{side}_rank_high:Q"],
            )
        )
    level = f"{level_text(result.options)} of the rank over resamples of the topics"
    order = "" if named else "a row for each system, the best by the reference at the top"
    return (
        alt.layer(*layers)
        .properties(
            width=COLUMN - 60 if named else COLUMN,
            height=alt.Step(step),
            title=titled("Ranks of systems with their intervals", PAIRING, size_text(result), level, order),
        )
        .add_params(*parameters(result, ("estimate", "measure")), alt.param(name="system", value=None))
    )
