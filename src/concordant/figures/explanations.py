"""Explanations: what systems, pairs and depths cost."""

from __future__ import annotations

import math
from typing import Any

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import Figure, Rows, Source, Spec, number, of, short_names, tips
from concordant.results.words import count

_WIDTH, _ROW = 230, 18
_ITEMS = 12  # bars of a panel at most
_DEPTHS = 100
_KEYS = ("estimate", "measure", "estimate_measure", "coefficient")
_TITLES = {"items": "what each {} costs", "pairs": "the most costly pairs"}
_TITLES |= {"removals": "gain without each {}"}
_TIP = ("item", "better", "worse", "reference_difference", "estimate_difference", "value", "cost")


def costs(tables: Tables) -> Figure | None:
    """Draw what systems cost, the largest first, and the most costly pairs; a row for each coefficient."""
    if tables.rows("depths"):
        return _depths(tables)
    rows_of = {name: kit.groups(tables.rows(name), *_KEYS) for name in _TITLES}
    found = [
        _parts(one, *(rows.get(tuple(one[key] for key in _KEYS), []) for rows in rows_of.values()))
        for one in tables.rows("explained")
    ]
    several = len(found) > 1
    wide = several and not tables.narrow
    all_bars = {kind: [bar for parts in found for bar in parts["bars"].get(kind, [])] for kind in _TITLES}
    most = {kind: max((bar["cost"] for bar in bars), default=0.0) for kind, bars in all_bars.items()}
    longest = {kind: max((len(bar["label"]) for bar in bars), default=0) for kind, bars in all_bars.items()}
    own: dict[str, Rows] = {}
    groups: list[Spec] = []
    for k, parts in enumerate(found):
        own |= {f"own_{kind}_{k}": bars for kind, bars in parts["bars"].items()}
        panels = [
            _bars(f"own_{kind}_{k}", bars, parts["titles"][kind], most[kind], longest[kind])
            for kind, bars in parts["bars"].items()
        ]
        title = {"text": parts["title"], "fontSize": 12}
        beside = {"hconcat": panels, "spacing": 20, "title": title}
        below = {"vconcat": panels, "spacing": 12, **({"title": title} if several else {})}
        groups += [beside if wide else below] if panels else []
    if not groups:
        return None
    said = "; ".join(parts["title"] for parts in found)
    said = said if len(said) < 120 else "What keeps each coefficient below 1"
    all_items = f"{count(found[0]['n'], found[0]['what'])}; each costs half of all pairs that it is in."
    without = [f"{parts['title']}: no cost to show." for parts in found if not parts["bars"]]
    more = {"width": 600 if wide else 360, "data": own, "linked": tuple(_TITLES)}
    return kit.stacked(said, groups, all_items, *without, spacing=22, **more)


def _parts(one: dict[str, Any], items: Rows, pairs: Rows, removals: Rows) -> dict[str, Any]:
    """Return the bars of one value, and its title."""
    items = sorted((row for row in items if row["cost"] > 0), key=lambda row: -row["cost"])[:_ITEMS]
    pairs, what = pairs[:_ITEMS], "system" if one["measure"] else "item"
    bars: dict[str, Rows] = {}
    if items:
        label = short_names(row["item"] for row in items)
        bars["items"] = [{"label": label[row["item"]], **kit.part(row, "cost", "item")} for row in items]
    if pairs:
        label = short_names((row[side] for row in pairs for side in ("better", "worse")), 15)
        names = [f"{label[row['better']]} > {label[row['worse']]}" for row in pairs]
        bars["pairs"] = [{"label": name, **row} for name, row in zip(names, pairs, strict=True)]
    if not bars and removals:
        gains = [{"cost": row["gain"], **kit.part(row, "item", "value")} for row in removals[:_ITEMS]]
        label = short_names(row["item"] for row in gains)
        bars["removals"] = [{"label": label[row["item"]], **row} for row in gains]
    titles = {kind: title.format(what) for kind, title in _TITLES.items()}
    if one["n"] > len(items):
        titles["items"] = f"{what}s that cost most: {len(items)} of {one['n']}"
    if (one["costly_pairs"] or 0) > len(pairs):
        alike = len(pairs) > 1 and max(p["cost"] for p in pairs) - min(p["cost"] for p in pairs) < 1e-12
        titles["pairs"] = f"pairs that cost most: {len(pairs)} of {one['costly_pairs']} that cost anything"
        titles["pairs"] += "; these cost the same" if alike else ""
    value = one["value"]
    undefined = value is None or math.isnan(value)
    said = "undefined" if undefined else f"{number(value)}, {number(1 - value)} below 1"
    measure = f" by {one['measure']}" if one["measure"] else ""
    title = f"{one['coefficient']}{measure} is {said}"
    return {"bars": bars, "titles": titles, "title": title, "n": one["n"], "what": what}


def _bars(name: str, bars: Rows, title: str, most: float, longest: int) -> Spec:
    """Draw bars with their values, in the order of the rows."""
    for k, bar in enumerate(bars):
        bar["place"] = k
    kinds = {key: "N" if isinstance(bars[0].get(key), str) else "Q" for key in _TIP}
    tip = tips(*(f"{key}:{kind}:{key.replace('_', ' ')}" for key, kind in kinds.items() if key in bars[0]))
    labels = kit.quoted([bar["label"] for bar in bars])
    axis = {"labelExpr": f"{labels}[datum.value]", "labelLimit": 0, "grid": False}
    across = {"title": None, "axis": {"labelFlush": False, "tickCount": 4}}
    x = of("cost:Q", scale={"domain": [0, 1.2 * most or 1], "nice": False}, **across)
    y = of("place:O", title=None, axis={**axis, "minExtent": 5.5 * longest})
    place: Spec = {"x": x, "y": y, "tooltip": tip}
    marks = Source(name).draw("bar", color=kit.BLUE, height={"band": 0.7}, **place)
    texts = Source(name).draw("beside", **{**place, "dx": 4}, text="cost:.2r")
    size = {"width": _WIDTH, "height": _ROW * max(2, len(bars))}
    return {"layer": [marks, texts], **size, "title": kit.panel_title(title)}


def _depths(tables: Tables) -> Figure:
    """Draw what each depth of two lists costs, and the items that cost most."""
    rows = tables.rows("depths")
    n, rest = len(rows), sum(row["cost"] for row in rows[_DEPTHS:])
    source = Source("depths").where(f"datum.depth <= {_DEPTHS}")
    scale = {"domain": [0.5, min(n, _DEPTHS) + 0.5], "nice": False}
    axis = {"tickMinStep": 1, "labelFlush": False}
    depth = of("depth:Q:depth", scale=scale, axis=axis)
    tip = tips("depth:Q", "agreement weight cost:.4f", "share:.1%")
    sides = source.adding(left="datum.depth - 0.4", right="datum.depth + 0.4")
    across = kit.span("left", "right", scale=scale, axis=axis, title=None)
    bars = sides.draw("rect", color=kit.BLUE, **across, y="cost:Q:cost", y2={"datum": 0}, tooltip=tip)
    dots = {"point": {"size": 16, "color": kit.ORANGE}, "interpolate": "linear"}
    y = of("agreement:Q", scale={"domain": [0, 1]}, title="agreement")
    agreement = source.draw("line", color=kit.ORANGE, **dots, x=depth, y=y, tooltip=tip)
    bars |= {"width": 300, "height": 120, "title": kit.panel_title("cost of each depth")}
    agreement |= {"width": 300, "height": 80, "title": kit.panel_title("agreement down to each depth")}
    panels = [bars, agreement]
    items = tables.rows("items")
    own: dict[str, Rows] = {}
    if items:
        label = short_names(row["item"] for row in items[:_ITEMS])
        shown = [{"label": _ranked(label, row), **kit.part(row, "cost", "item")} for row in items[:_ITEMS]]
        own["own_items"] = shown
        most, longest = max(row["cost"] for row in items), max(len(row["label"]) for row in shown)
        title = "items that cost most (ranks in x and y)"
        panels.append(_bars("own_items", shown, title, most, longest))
    one = tables.rows("explained")[0]
    title = f"{one['coefficient']} of two lists is {number(one['value'])}, {number(1 - one['value'])} below 1"
    last = f"{count(n, 'depth')}; the last stands for all depths from it on."
    beyond = f"Depths beyond {_DEPTHS} cost {rest:.3g} together." if n > _DEPTHS else ""
    return kit.stacked(title, panels, last, beyond, spacing=12, data=own, linked=("items",))


def _ranked(label: dict[Any, str], row: dict[str, Any]) -> str:
    ranks = ["-" if row[key] is None else f"{row[key]:g}" for key in ("x_rank", "y_rank")]
    return f"{label[row['item']]} ({', '.join(ranks)})"
