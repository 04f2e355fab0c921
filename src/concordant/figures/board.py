"""The figure of `board`: systems by their means, with intervals, rank sets and tiers."""

from __future__ import annotations

import math

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import Figure, Source, Spec, of, tips
from concordant.results.words import count, few, nouns

_MOST_NAMES = 60  # rows that all have names
_APART = 16  # pixels between the names of some rows
_KINDS = {True: kit.BLUE, False: "#8c8c8c", None: "#404040"}


def board(tables: Tables) -> Figure:
    """Draw a row for each system: the mean with its interval, and the ranks that it may have."""
    measure = tables.choices["measure"][0]
    rows, said = tables.rows("systems"), []
    with nouns(tables.options.get("nouns")):
        for (name,), own in kit.groups(rows, "measure").items():
            for place, row in enumerate(own):
                row |= {
                    "place": place,
                    "from": (row["rank_first"] or 1) - 0.5,
                    "kind": str(row["may_be_first"]),
                }
                row |= {"to": (row["rank_last"] or len(own)) + 0.5}
            said.append(({"measure": name}, _title(own), ""))
        largest = max((own for own in kit.groups(rows, "measure").values()), key=len)
        about = f"{count(len(largest), 'system')}, {count(max(row['items'] for row in rows), 'topic')}"
    first = "" if rows[0]["may_be_first"] is None else "blue: may be first"
    tiered = "bands: tiers" if any((row["tier"] or 1) > 1 for row in rows) else ""
    sets = "" if rows[0]["rank_first"] is None else "right: ranks that are possible, for all at once"
    captions = (f"{about}; lines: {kit.level_text(tables.options)} of each; {sets}", first, tiered)
    caption = "; ".join(filter(None, captions)).strip("; ")
    spec = {"hconcat": _panels([row["system"] for row in largest], bool(sets)), "spacing": 16}
    return Figure(
        said[0][1],
        {**spec, "bounds": "flush"},
        (caption,),
        width=470,
        said=said,
        params={"measure": measure},
        data={"own_board": rows},
        linked=("systems",),
    )


def _title(own: kit.Rows) -> str:
    """Return who may be first, in a few words."""
    names = kit.short_names((row["system"] for row in own), 28)
    first = [names[row["system"]] for row in own if row["may_be_first"]]
    leader = names[own[0]["system"]]
    if not first:
        return f"{leader} has the best mean"
    if len(first) == 1:
        return f"{leader} is the best"
    told = few(first, "others") if len(first) < 4 else f"{len(first)} of {len(own)}"
    return f"{leader} leads; {told} may be first"


def _panels(names: list[str], with_sets: bool) -> list[Spec]:
    """Return the panel of means, and that of rank sets; of a large board some rows have names."""
    n = len(names)
    source = Source("own_board").where("datum.measure === measure")
    step = 20 if n <= 30 else 14 if n <= _MOST_NAMES else max(3, 600 / n)
    sort = {"field": "place", "op": "min"}
    axis = kit.name_axis(
        names, 30, grid=n <= _MOST_NAMES, labelPadding=6, labelFontSize=min(11, max(step - 3, 10))
    )
    if n > _MOST_NAMES:
        axis["values"] = names[:: math.ceil(_APART / step)]
    y, height = of("system:N", sort=sort, axis=axis, title=None), {"step": step}
    ink = of("kind:N", scale={"domain": [*map(str, _KINDS)], "range": [*_KINDS.values()]}, legend=None)
    tip = tips("system", "rank:Q", "mean low high:.4f", "rank_first rank_last:Q", "groups:N", "tier:Q")
    x = {"scale": {"zero": False}, "axis": kit.NUMBERS, "title": "mean"}
    band = source.where("datum.tier % 2 === 0")
    thin = 2.5 if n <= _MOST_NAMES else max(1, step / 3)
    spans = source.where("isValid(datum.low)")
    layers = [
        band.draw("bar", color="#f0f0f0", size=step, x=0, x2={"value": "width"}, y=y),
        spans.draw("rule", strokeWidth=thin, **kit.span("low", "high", **x), y=y, color=ink, tooltip=tip),
        source.draw(
            "dot", size=55 if n <= _MOST_NAMES else 12, x=of("mean:Q", **x), y=y, color=ink, tooltip=tip
        ),
    ]
    panels: list[Spec] = [{"layer": layers, "width": 260, "height": height}]
    if with_sets:
        ranks = {"scale": kit.exact([0.5, n + 0.5]), "axis": kit.rank_axis(n), "title": "rank set"}
        bare = {**y, "axis": None}
        bar = {"size": max(1.5, step * 0.45), "opacity": 0.55}
        sets = [
            band.draw("bar", color="#f0f0f0", size=step, x=0, x2={"value": "width"}, y=bare),
            source.draw("bar", **bar, **kit.span("from", "to", **ranks), y=bare, color=ink, tooltip=tip),
            source.draw("tick", thickness=2, size=step * 0.7, color="black", x=of("rank:Q", **ranks), y=bare),
        ]
        panels.append({"layer": sets, "width": 150, "height": height})
    return panels
