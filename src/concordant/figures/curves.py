"""Curves: coefficients against the threshold, among the best systems, and over numbers of topics."""

from __future__ import annotations

from typing import Any

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import Figure, Rows, Source, Spec, distinct, dodged, of, same, tips, told
from concordant.results.words import count

_WIDTH, _HEIGHT = 250, 190
_MEASURES = ("measure", "estimate_measure")
Keys = tuple[str, ...]
_LINE = 13  # pixels from one label to the next
_TOPICS = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)


def thresholds(tables: Tables) -> Figure:
    """Draw coefficients against the threshold up to which a difference counts as a tie."""
    rows, turns = tables.rows("curves"), tables.rows("turns")
    said = "Triangles: the lowest and the highest turn of a curve, with the threshold."
    apart = any(row["estimate_threshold"] is not None for row in rows)
    x = ("threshold", f"threshold{' of the reference' * apart}: differences up to this are ties")
    where = "as differences up to a threshold count as ties"
    keys = (*_MEASURES, "estimate_threshold")
    return _figure(rows, "curves", keys, x, where, said if turns else "", _extreme(turns, rows, keys))


def tops(tables: Tables) -> Figure | None:
    """Draw coefficients among the best k systems of the reference."""
    rows, x = tables.rows("tops"), ("top", "k: best systems by the reference")
    said = "With the k-th, all that are tied with it are in."
    alike = _the_same(rows)
    said += f" {alike}" if alike else ""
    where = "among the best k systems of the reference"
    return _figure(rows, "tops", _MEASURES, x, where, said, []) if rows else None


def models(tables: Tables) -> Figure | None:
    """Draw the mean agreement with many others, of fewer systems: at random, the best, neighbours."""
    rows = tables.rows("sizes")
    if len(distinct(rows, "n")) < 2:
        return None
    drawn = {"random": "at random", "top": "the best", "adjacent": "neighbours"}
    rows = [row | {"systems": drawn[row["drawn"]]} for row in rows]
    each, c = distinct(rows, "measure"), tables.rows("agreement")[0]["coefficient"]
    domain = kit.domain_of(row[name] for row in rows for name in ("value", "low", "high"))
    y = {"title": f"mean {c} with the others", "scale": {"domain": domain, "nice": False}}
    legend = {"title": "systems", "columns": 3}
    colour, shape = kit.marks("systems", list(drawn.values()), **legend)
    panels = []
    for measure in each:
        source = Source("own_sizes").where(same({"measure": measure}, "measure"))
        x = of("n:Q", title="number of systems", scale={"zero": False}, axis=kit.NUMBERS)
        at = {"x": x, "color": colour}
        tip = tips("systems:N", "n:Q", "value low high:.4f", "benchmarks:Q:others")
        there, ends = source.where("isValid(datum.low)"), kit.span("low", "high", "y", **y)
        layers = [
            there.draw("area", opacity=0.15, color=kit.BLUE, x=x, **ends),
            source.draw("line", strokeWidth=1.8, y=of("value:Q", **y), **at),
            source.draw("point", filled=True, size=45, y=of("value:Q", **y), shape=shape, tooltip=tip, **at),
        ]
        panels.append(_titled(layers, measure if len(each) > 1 else ""))
    few = [row for row in rows if row["measure"] == rows[0]["measure"] and row["n"] == rows[0]["n"]]
    values = ", ".join(f"{row['value']:.2f} ({row['systems']})" for row in few)
    said = f"{c} with the others, of {rows[0]['n']} systems: {values}"
    return kit.stacked(said, panels, "band: the middle 0.95 of 100 random draws", data={"own_sizes": rows})


def _the_same(rows: Rows) -> str:
    """Return which coefficients have the same curve, of which one hides the other."""
    curves = {
        name: [row["value"] for row in rows if row["coefficient"] == name]
        for name in distinct(rows, "coefficient")
    }
    found = [[b for b in curves if curves[b] == own] for own in curves.values()]
    both = [" and ".join(alike) for alike in found if len(alike) > 1]
    return f"{both[0]} are the same: nothing is tied." if both else ""


def _colour(names: list[str], text: str = "coefficient:N") -> Spec:
    return told(text, names, kit.COLOURS, legend=None)


def _titled(layers: list[Spec], title: str) -> Spec:
    return {"layer": layers, "width": _WIDTH, "height": _HEIGHT, "title": kit.panel_title(title)}


def _figure(
    rows: Rows, table: str, keys: Keys, x: tuple[str, str], where: str, said: str, turns: Rows
) -> Figure:
    """Draw a panel for each measure, and each threshold of the estimate, with the same vertical axis."""
    names, each = distinct(rows, "coefficient"), distinct(rows, *keys)
    domain = kit.domain_of(row["value"] for row in rows)
    value = {"title": names[0] if len(names) == 1 else "coefficient"}
    value["scale"] = {"domain": domain, "nice": False}
    y, place, colour = of("value:Q", **value), of("place:Q", **value), _colour(names)
    tip = tips("coefficient", f"{x[0]}:Q", *(["n:Q:systems compared"] if x[0] == "top" else []), "value:.4f")
    dash = told("coefficient:N", names, kit.DASHES, legend=None)
    panels, shown = [], kit.short_names((name for key in each for name in key[:2]), 40)
    for measure, other, *apart in each:
        one = same(dict(zip(keys, (measure, other, *apart), strict=True)), *keys)
        label = shown[measure] + ("" if measure == other else f"; estimate by {shown[other]}")
        label += "".join(f"; threshold of the estimate {w:g}" for w in apart if w is not None)
        last = (measure, other, *apart) == each[-1]
        scale = {"nice": False, "zero": False}
        across = of(f"{x[0]}:Q", title=x[1] if last else None, scale=scale, axis={"labelFlush": False})
        source, ends = Source(table).where(one), Source("line_ends").where(one)
        text = kit.shortened("datum.coefficient", names, 24) + " + (datum.value == null ? ': undefined' : '')"
        at = {"x": f"{x[0]}:Q", "y": y, "color": colour}
        leader = {
            "strokeWidth": 0.7,
            "strokeDash": [1, 2],
            "color": "#666666",
            "x2": {"value": "width"},
            "x2Offset": 4,
        }
        there, early = source.where("datum.value != null"), tips("coefficient", f"{x[0]}:Q:undefined beyond")
        layers = [
            source.draw("line", strokeWidth=1.8, clip=True, x=across, y=y, color=colour, strokeDash=dash),
            *(_turns(one, names) if turns else []),
            there.draw("circle", size=30, opacity=0, x=across, y=y, tooltip=tip),
            # The names of the lines are beside their ends; a cross is where a line ends early.
            ends.where("datum.undefined_beyond").draw("end", size=45, strokeWidth=2, **at, tooltip=early),
            ends.where("datum.value != null").draw("rule", **leader, x=f"{x[0]}:Q", y=y, y2="place:Q"),
            ends.adding(text=text).draw("label", dx=6, x="width", y=place, text="text:N", color=colour),
        ]
        panels.append(_titled(layers, label))
    what = " and ".join(names) if len(names) < 3 else count(len(names), "coefficient")
    if len(names) < 3 and len(each) == 1:  # where each curve begins and ends
        curves = kit.groups((row for row in rows if row["value"] is not None), "coefficient").items()
        from_to = {name: [kit.number(own[k]["value"]) for k in (0, -1)] for (name,), own in curves}
        what = " and ".join(f"{name} goes from {' to '.join(both)}" for name, both in from_to.items()) or what
    n = sum(row["value"] is None for row in rows)
    undefined = f"A cross ends a curve that is undefined beyond it ({n} of {count(len(rows), 'value')})."
    data = {"line_ends": _line_ends(rows, keys, x[0], domain)} | ({"own_turns": turns} if turns else {})
    return kit.stacked(f"{what} {where}", panels, said, undefined if n else "", data=data)


def _line_ends(rows: Rows, keys: Keys, x: str, domain: list[float]) -> Rows:
    """Return where each line ends, and where its label stands beside it without hiding another."""
    found: Rows = []
    scale = (domain[1] - domain[0]) / _HEIGHT
    for panel in kit.groups(rows, *keys).values():
        furthest = max(row[x] for row in panel)
        ends: Rows = []
        for name in distinct(rows, "coefficient"):
            defined = [row for row in panel if row["coefficient"] == name and row["value"] is not None]
            only = {**kit.part(panel[0], *keys), "coefficient": name, "value": None, x: None}
            last = max(defined, key=lambda row: row[x], default=only)
            beyond = last[x] is not None and last[x] < furthest
            ends.append({**last, "undefined_beyond": beyond, "furthest": furthest})
        places = [domain[0] if end["value"] is None else end["value"] for end in ends]
        both = zip(ends, dodged(places, _LINE * scale, *domain), strict=True)
        found += [{**end, "place": place} for end, place in both]
    return found


def _extreme(turns: Rows, rows: Rows, keys: Keys) -> Rows:
    """Return the lowest minimum and the highest maximum of each curve, with a label if it fits."""
    found: Rows = []
    domain = kit.domain_of(row["value"] for row in rows)
    curves = kit.groups(rows, *keys)
    for panel, inside in kit.groups(turns, *keys).items():
        widest = max(row["threshold"] for row in curves[panel]) or 1.0
        placed: list[tuple[float, float]] = []
        for name in distinct(rows, "coefficient"):
            own = [turn for turn in inside if turn["coefficient"] == name]
            low = min((t for t in own if t["turn"] == "minimum"), key=lambda t: t["value"], default=None)
            high = max((t for t in own if t["turn"] == "maximum"), key=lambda t: t["value"], default=None)
            for t in own:
                x, y = t["threshold"] / widest * _WIDTH, t["value"] / (domain[1] - domain[0]) * _HEIGHT
                y += 11 if t["turn"] == "maximum" else -11
                free = all(abs(x - across) > 34 or abs(y - up) > 11 for across, up in placed)
                if t is not low and t is not high:
                    continue
                inside_frame = domain[0] < t["value"] < domain[1] - 0.06 * (domain[1] - domain[0])
                label = f"{t['threshold']:.2g}" if free and (inside_frame or t is low) and x > 20 else ""
                placed += [(x, y)] if label else []
                found.append({**t, "label": label})
    return found


def _turns(one: str, names: list[str]) -> list[Spec]:
    source = Source("own_turns").where(one)
    shape = told("turn:N", ("minimum", "maximum"), ("triangle-down", "triangle-up"), legend=None)
    place = {"x": "threshold:Q", "y": "value:Q"}
    tip = tips("coefficient turn", "threshold:Q", "value:.4f")
    halo = {"stroke": "white", "strokeWidth": 2.5, "strokeOpacity": 0.8, "strokeJoin": "round"}
    found = [source.draw("dot", size=32, **place, shape=shape, color=_colour(names), tooltip=tip)]
    for turn, dy in (("minimum", 11), ("maximum", -10)):
        own = source.where(f"datum.turn === '{turn}' && datum.label !== ''")
        text = {"fontSize": 11, "dy": dy, **place, "text": "label:N"}
        found += [own.draw("text", **how, **text) for how in (halo, {"color": "#333333"})]
    return found


def plan(tables: Tables) -> Figure | None:
    """Draw the expected correlation with the true ranking against the number of topics."""
    needed = [row for row in tables.rows("needed") if row["goal"] == "ranking"]
    rows = [row for row in tables.rows("curve") if row["expected"] is not None]
    if not rows:
        return None
    target, numbers = needed[0]["target"], [row["topics"] for row in rows]
    seen = [row[name] for row in rows for name in ("expected", "low", "high")]
    domain = kit.domain_of([*seen, target], (-1.0, 1.0))
    reached = [row["topics"] for row in needed if row["topics"] is not None]
    most = max([*numbers, *(n for n in reached if n <= 4 * max(numbers))])
    ends = [min(numbers), max(most, min(numbers) + 1)]
    measures, names = distinct(rows, "measure"), distinct(rows, "coefficient")
    panels = [_plan_panel(needed, one, names, domain, ends, one == measures[-1]) for one in measures]
    apart = _LINE * (domain[1] - domain[0]) / _HEIGHT
    own: dict[str, Rows] = {"plan_ends": [], "plan_needed": []}
    for (measure,), curves in kit.groups(rows, "measure").items():
        of_name = kit.groups(curves, "coefficient").values()
        last = [max(curve, key=lambda row: row["topics"]) for curve in of_name]
        places = dodged([end["expected"] for end in last], apart, *domain)
        own["plan_ends"] += [{**end, "place": place} for end, place in zip(last, places, strict=True)]
        found = [row for row in needed if row["measure"] == measure and row["topics"] is not None]
        within = [row for row in found if ends[0] <= row["topics"] <= ends[1]]
        ordered = enumerate(sorted(within, key=lambda row: row["topics"]))
        own["plan_needed"] += [
            {**row, "said": _range(row), "place": domain[0] + (0.6 + k) * apart} for k, row in ordered
        ]
    given = sorted({row["available"] for row in needed})
    there = f"{given[0]} to {given[-1]}" if len(given) > 1 else str(given[0])
    level = kit.level_text(tables.options, "confidence intervals")
    circles, needs = (" and circles", ", and the topics that it needs") if own["plan_needed"] else ("", "")
    line = f"Line{circles}: the target, {target:.10g}{needs}, with their range."
    line = line if needs else f"Line: the target, {target:.10g}."
    dashed = f"Dashed: more topics than the {there} of the scores, an extrapolation."
    bands = f"Bands: {level}." if any(row["low"] is not None for row in rows) else "No intervals."
    listed = [f"{row['topics']} ({row['coefficient']})" for row in needed if row["topics"] is not None]
    title = f"Topics needed for a correlation of {target:.10g} with the true ranking: {', '.join(listed)}"
    if not listed:
        title = f"No number of topics is known to reach a correlation of {target:.10g} with the true ranking"
    elif len(measures) > 1:
        reached = [row["topics"] for row in needed if row["topics"] is not None]
        title = f"{min(reached)} to {max(reached)} topics reach a correlation of {target:.10g} with the true "
        title += "ranking, by the measure and the coefficient"
    return kit.stacked(title, panels, line, dashed if max(numbers) > given[0] else "", bands, data=own)


def _plan_panel(
    needed: Rows, measure: str, names: list[str], domain: list[float], ends: list[Any], last: bool
) -> Spec:
    own = [row for row in needed if row["measure"] == measure]
    one = same({"measure": measure}, "measure")
    across = {"type": "log", "domain": ends, "nice": False}
    ticks = {"values": [n for n in _TOPICS if ends[0] <= n <= ends[1]], "format": "d", "labelFlush": False}
    x = of("topics:Q", scale=across, title="topics (log scale)" if last else None, axis=ticks)
    up = {"scale": {"domain": domain, "nice": False}, "title": "expected correlation"}
    colour, shape = _colour(names), of("coefficient:N", scale={"domain": names}, legend=None)
    y, place, target = (of(f"{name}:Q", **up) for name in ("expected", "place", "target"))
    band = {"opacity": 0.18, "x": x, "color": colour, **kit.span("low", "high", "y", **up)}
    rows, needs = Source("curve").where(one), Source("plan_needed").where(one)
    given, said = own[0]["available"], rows.adding(interval=kit.INTERVAL)
    tip = tips("coefficient", "topics:Q", "expected:.4f", "interval")
    lines = [
        rows.where(f"datum.topics {side} {given}").draw("line", strokeDash=dash, x=x, y=y, color=colour)
        for side, dash in (("<=", [1, 0]), (">=", [5, 3]))
    ]
    need = tips("coefficient", "target:Q", "topics:Q:topics needed", "at_least at_most:Q")
    goal = Source("needed").where("datum.goal === 'ranking'").where(one)
    ends_of = Source("plan_ends").where(one)
    layers = [
        rows.where("datum.low != null").draw("area", **band),
        goal.draw("rule", color="#333333", strokeWidth=1, y=target, tooltip=tips("target:Q")),
        needs.draw("rule", strokeDash=[1, 2], x=x, y=target, color=colour, y2={"datum": domain[0]}),
        *lines,
        said.draw("dot", size=28, x=x, y=y, color=colour, shape=shape, tooltip=tip),
        needs.draw("point", size=90, strokeWidth=1.6, opacity=1, x=x, y=target, color=colour, tooltip=need),
        needs.draw("label", dx=4, x=x, y=place, color=colour, text="said:N"),
        ends_of.draw("label", dx=8, x="width", y=place, color=colour, text="coefficient:N"),
    ]
    return _titled(layers, kit.short_names(distinct(needed, "measure"), 30)[measure])


def _range(row: dict[str, Any]) -> str:
    """Return the topics that are needed, with the range: "40 [16, 122]", "40 [16, no end]"."""
    if row["topics"] is None:
        return "no number known"
    if row["at_least"] is None:
        return str(row["topics"])
    return f"{row['topics']} [{row['at_least']}, {row['at_most'] or 'no end'}]"
