"""Charts of explanations: what systems, pairs and depths cost."""

from __future__ import annotations

import math
from typing import Any

import altair as alt

from concordant.figures.kit import NO_LIMIT, Rows, heading, number, panel_title, quoted, rows_of, short
from concordant.figures.style import COLOURS
from concordant.results.words import count

_WIDTH, _ROW = 230, 18
_ITEMS = 20  # bars of a panel at most
_DEPTHS = 100


def costs(result: Any) -> Any:
    """Draw what systems cost, the largest first, and the most costly pairs; a row for each coefficient."""
    if rows_of(result, "depths"):
        return _depths(result)
    found = [_parts(rows) for rows in _explained(result)]
    wide = len(found) > 1
    own: dict[str, Rows] = {}
    most = {
        kind: max((bar["cost"] for parts in found for bar in parts["bars"].get(kind, [])), default=0.0)
        for kind in _TITLES
    }
    extent = {
        kind: max((len(bar["label"]) for parts in found for bar in parts["bars"].get(kind, [])), default=0)
        for kind in _TITLES
    }
    groups = []
    for k, parts in enumerate(found):
        panels = []
        for kind, bars in parts["bars"].items():
            name = f"own_{kind}_{k}"
            own[name] = bars
            panels.append(_bars(name, bars, parts["titles"][kind], most[kind], extent[kind]))
        if panels:
            group = alt.hconcat(*panels, spacing=20) if wide else alt.vconcat(*panels, spacing=12)
            groups.append(group.properties(title=alt.Title(parts["title"], fontSize=12)) if wide else group)
    if not groups:
        return None
    titles = [parts["title"] for parts in found]
    chart = alt.vconcat(*groups, spacing=22).properties(
        title=heading(
            "What keeps each coefficient below 1" if wide else titles[0],
            f"{count(found[0]['n'], found[0]['what'])}; each costs half of all pairs that it is in.",
            *(parts["undefined"] for parts in found),
            width=600 if wide else 360,
        )
    )
    chart.datasets = own
    return chart


_TITLES = {
    "items": "what each {} costs",
    "pairs": "the most costly pairs",
    "removals": "gain without each {}",
}


def _explained(result: Any) -> list[dict[str, Any]]:
    """Return what is explained: a value with its rows of items, pairs and removals."""
    keys = ("estimate", "measure", "estimate_measure", "coefficient")
    tables = {name: rows_of(result, name) for name in ("items", "pairs", "removals")}
    return [
        value
        | {
            name: [row for row in rows if all(row[key] == value[key] for key in keys)]
            for name, rows in tables.items()
        }
        for value in rows_of(result, "explained")
    ]


def _parts(one: dict[str, Any]) -> dict[str, Any]:
    """Return the bars of one value, and its title."""
    items = sorted(one["items"], key=lambda row: -row["cost"])[:_ITEMS]
    pairs, removals = one["pairs"][:_ITEMS], one["removals"][:_ITEMS]
    bars: dict[str, Rows] = {}
    if any(row["cost"] > 0 for row in items):
        bars["items"] = [_bar(short(row["item"]), row["cost"], item=row["item"]) for row in items]
    if pairs:
        bars["pairs"] = [
            _bar(f"{short(row['better'], 15)} > {short(row['worse'], 15)}", **row) for row in pairs
        ]
    if not bars and removals:
        bars["removals"] = [
            _bar(short(row["item"]), row["gain"], item=row["item"], value=row["value"]) for row in removals
        ]
    what = "system" if one["measure"] else "item"
    titles = {kind: title.format(what) for kind, title in _TITLES.items()}
    if one["n"] > len(items):
        titles["items"] = f"{what}s that cost most: {len(items)} of {one['n']}"
    if (one["costly_pairs"] or 0) > len(pairs):
        same = len(pairs) > 1 and max(p["cost"] for p in pairs) - min(p["cost"] for p in pairs) < 1e-12
        titles["pairs"] = f"pairs that cost most: {len(pairs)} of {one['costly_pairs']} that cost anything"
        titles["pairs"] += "; these cost the same" if same else ""
    by = f" by {short(one['measure'], 24)}" if one["measure"] else ""
    value = one["value"]
    title = f"{one['coefficient']}{by} is {number(value)}"
    if value is not None and not math.isnan(value):
        title += f", {number(1 - value)} below 1"
    else:
        title = f"{one['coefficient']}{by} is undefined"
    nothing = "" if bars else f"{title}: no cost to show."
    return {
        "bars": bars,
        "titles": titles,
        "title": title,
        "n": one["n"],
        "what": what,
        "undefined": nothing,
    }


def _bar(label: str, cost: float, **more: Any) -> dict[str, Any]:
    return {"label": label, "cost": cost, **more}


def _bars(name: str, bars: Rows, title: str, most: float, longest: int) -> Any:
    """Draw bars with their values, in the order of the rows."""
    for place, bar in enumerate(bars):
        bar["place"] = place
    keys = [key for key in bars[0] if key not in ("label", "place")]
    known = ("item", "better", "worse", "reference_difference", "estimate_difference", "value", "cost")
    tooltip = [
        alt.Tooltip(f"{key}:{'N' if isinstance(bars[0][key], str) else 'Q'}", title=key.replace("_", " "))
        for key in known
        if key in keys
    ]
    labels = [bar["label"] for bar in bars]
    short_axis = alt.Axis(labelFlush=False, tickCount=4)
    axis = alt.Axis(
        labelExpr=f"{quoted(labels)}[datum.value]", labelLimit=NO_LIMIT, grid=False, minExtent=5.5 * longest
    )
    base = alt.Chart(alt.NamedData(name)).encode(
        alt.X(
            "cost:Q", scale=alt.Scale(domain=[0, 1.2 * most or 1], nice=False), title=None, axis=short_axis
        ),
        alt.Y("place:O", title=None, axis=axis),
        tooltip=tooltip,
    )
    return alt.layer(
        base.mark_bar(color=COLOURS[0], height=alt.RelativeBandSize(0.7)),
        base.mark_text(align="left", dx=4, fontSize=10.5).encode(text=alt.Text("cost:Q", format=".2r")),
    ).properties(width=_WIDTH, height=_ROW * max(2, len(bars)), title=panel_title(title))


def _depths(result: Any) -> Any:
    """Draw what each depth of two lists costs, and the items that cost most."""
    rows = rows_of(result, "depths")
    n = len(rows)
    shown = rows[:_DEPTHS]
    rest = sum(row["cost"] for row in rows[_DEPTHS:])
    base = alt.Chart(alt.NamedData("depths")).transform_filter(f"datum.depth <= {_DEPTHS}")
    ends = alt.Scale(domain=[0.5, len(shown) + 0.5], nice=False)
    tooltip = [
        alt.Tooltip("depth:Q"),
        alt.Tooltip("agreement:Q", format=".4f"),
        alt.Tooltip("weight:Q", format=".4f"),
        alt.Tooltip("cost:Q", format=".4f"),
        alt.Tooltip("share:Q", format=".1%"),
    ]
    width = 300
    bars = (
        base.transform_calculate(left="datum.depth - 0.4", right="datum.depth + 0.4")
        .mark_rect(color=COLOURS[0])
        .encode(
            alt.X("left:Q", scale=ends, title=None, axis=alt.Axis(tickMinStep=1, labelFlush=False)),
            alt.Y("cost:Q", title="cost"),
            x2="right:Q",
            y2=alt.datum(0),
            tooltip=tooltip,
        )
        .properties(width=width, height=120, title=panel_title("cost of each depth"))
    )
    agreement = (
        base.mark_line(
            color=COLOURS[1], point=alt.OverlayMarkDef(size=16, color=COLOURS[1]), interpolate="linear"
        )
        .encode(
            alt.X("depth:Q", scale=ends, title="depth", axis=alt.Axis(tickMinStep=1, labelFlush=False)),
            alt.Y("agreement:Q", scale=alt.Scale(domain=[0, 1]), title="agreement"),
            tooltip=tooltip,
        )
        .properties(width=width, height=80, title=panel_title("agreement down to each depth"))
    )
    panels = [bars, agreement]
    items = rows_of(result, "items")
    own: dict[str, Rows] = {}
    if items:
        own["own_items"] = [_bar(_ranked(row), row["cost"], item=row["item"]) for row in items[:_ITEMS]]
        most, longest = max(row["cost"] for row in items), max(len(_ranked(row)) for row in items)
        panels.append(
            _bars("own_items", own["own_items"], "items that cost most (ranks in x and y)", most, longest)
        )
    value = result.value
    chart = alt.vconcat(*panels, spacing=12).properties(
        title=heading(
            f"{result.coefficient} of two lists is {number(value)}, {number(1 - value)} below 1",
            f"{count(n, 'depth')}; the last stands for all depths from it on.",
            f"Depths beyond {_DEPTHS} cost {rest:.3g} together." if n > _DEPTHS else "",
        )
    )
    chart.datasets = own
    return chart


def _ranked(row: dict[str, Any]) -> str:
    ranks = ["-" if row[key] is None else f"{row[key]:g}" for key in ("x_rank", "y_rank")]
    return f"{short(row['item'])} ({', '.join(ranks)})"
