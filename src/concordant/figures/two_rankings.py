"""The systems of two rankings: their ranks, and all pairs as a map."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any, cast

from concordant.errors import ArgumentError, option
from concordant.figures import kit
from concordant.figures.converted_tables import PAIR, Tables, figure, most_systems, of_pairings, pairing_is
from concordant.figures.kit import COLUMN, GREY, Figure, Rows, Source, Spec, distinct, of, pointed, tips, told
from concordant.results.words import count, some

_MOST_LINES = 50  # systems; with more lines the figure is not readable
_ROW = 14  # pixels, a line of text
_NAMES = 18  # characters of a name at the end of a line
_TIP = ("system", "reference_rank estimate_rank gain:Q")
_LINE = 12  # pixels from one name to the next
_SIDES = ("reference", "estimate")
_SHOWN = {"shows": "estimate measure system"}
_NAMED, _LEAST_MOVE = 8, 3  # systems that moved most, and the least move of one, in ranks
_IS_MOVER = "isValid(datum.label)"
_CALM, _MOVED = "#c8c8c8", "#a84300"  # the lines of other systems, and the names of those that moved
# Which side finds a significant difference, from dark to light, so that the kinds differ without colours too.
_KINDS = {
    "both": ("both sides", "#08427a"),
    "reference": ("the reference only", "#D55E00"),
    "estimate": ("the estimate only", "#8cc9ee"),
    "neither": ("neither", "#efefef"),
    "not tested": ("not tested", "#ffffff"),
}
_NUMBERS = ("reference_difference", "estimate_difference", "reference_pvalue", "estimate_pvalue")
Classes = dict[tuple[str, str, str], list[tuple[str, str, str, str]]]
"""The pairs of systems of each estimate and measure: better and worse by the reference; their order by the
estimate: same, opposite or tied (on either side); and which side finds a significant difference: both,
reference, estimate, neither, or not tested."""


def pair_class(x: float, y: float, p: float | None, q: float | None, alpha: float | None) -> tuple[str, str]:
    """Return order and sides of a pair, from its differences and p-values by reference and estimate."""
    order = "same" if x * y > 0 else "opposite" if x * y < 0 else "tied"
    if alpha is None or (p is None and q is None):
        return order, "not tested"
    by_reference, by_estimate = p is not None and p < alpha, q is not None and q < alpha
    if by_reference != by_estimate:
        return order, "reference" if by_reference else "estimate"
    return order, "both" if by_reference else "neither"


def classes(tables: Tables) -> Classes:
    """Return the pairs of systems of each estimate and measure, with their classes."""
    if "classes" not in tables.kept:
        found: Classes = tables.kept.setdefault("classes", {})
        columns = tables.columns("pairs") if "pairs" in tables else {}
        names = (*PAIR, "better", "worse", *_NUMBERS)
        for *key, better, worse, x, y, p, q in zip(*(columns.get(name, ()) for name in names), strict=True):
            order, found_by = pair_class(x, y, p, q, tables.options.get("alpha"))
            found.setdefault((key[0], key[1], key[2]), []).append((better, worse, order, found_by))
    return cast(Classes, tables.kept["classes"])


def _codes(tables: Tables) -> Rows:
    """Return a digit for each system below a system: the place in `_KINDS`, and 5 more if opposite."""
    digits = {kind: k for k, kind in enumerate(_KINDS)}
    found = []
    for key, rows in kit.groups(tables.rows("systems"), *PAIR).items():
        place = {row["system"]: i for i, row in enumerate(rows)}
        lines = [["4"] * (len(rows) - 1 - i) for i in range(len(rows))]
        for better, worse, order, found_by in classes(tables).get(key, []):
            i, j = sorted((place[better], place[worse]))
            lines[i][j - i - 1] = str(digits[found_by] + 5 * (order == "opposite"))
        head = kit.part(rows[0], *PAIR)
        found += [{**head, "system": name, "codes": "".join(lines[i])} for name, i in place.items()]
    return found


def _movers(tables: Tables, share: float = 0.0) -> dict[tuple[str, ...], Rows]:
    """Return the systems that are coloured: those that match the pattern, or those that moved most.

    These have moved by at least a share of the largest move.
    """
    found: dict[tuple[str, ...], Rows] = {}
    for key, rows in kit.groups(tables.rows("systems"), *PAIR).items():
        if tables.highlight is not None:
            found[key] = [row for row in rows if fnmatchcase(row["system"], tables.highlight)]
            continue
        moved = sorted(rows, key=lambda row: -abs(row["gain"]))[:_NAMED]
        least = max(_LEAST_MOVE, share * abs(moved[0]["gain"]))
        found[key] = [row for row in moved if abs(row["gain"]) >= least]
    if tables.highlight is not None and not any(found.values()):
        there = f"there are {some(distinct(tables.rows('systems'), 'system'))}"
        raise ArgumentError(f"{option('highlight')}: no system matches {tables.highlight!r}; {there}")
    return found


def _with_movers(rows: Source, movers: dict[tuple[str, ...], Rows]) -> tuple[Source, Rows]:
    """Return systems with labels for those that moved, and the rows of the data "movers" that have them."""
    moved, keys = [row for own in movers.values() for row in own], (*PAIR, "system")
    labels = [
        {"key": " | ".join(row[name] for name in keys), "label": kit.signed(row["gain"])} for row in moved
    ]
    key = " + ' | ' + ".join(f"datum.{name}" for name in keys)
    lookup = {"lookup": "key", "from": {"data": {"name": "movers"}, "key": "key", "fields": ["label"]}}
    return rows.adding(key=key).then(lookup), labels


def _about_moves(tables: Tables, movers: dict[tuple[str, ...], Rows]) -> list[Any]:
    """Return the title for each estimate and measure: which systems moved."""
    systems = kit.groups(tables.rows("systems"), *PAIR)

    def tell(name: str, key: tuple[str, ...]) -> str:
        moves, own = [row["gain"] for row in systems[key]], [row["gain"] for row in movers[key]]
        most = max(map(abs, moves))
        if tables.highlight is not None:
            ends = " to ".join(map(kit.signed, (min(own), max(own)))) if own else "0"
            return f"{tables.highlight}: {count(len(own), 'system')}, {ends} ranks under {name}"
        if not own:
            much = f"No system moves by more than {count(most, 'rank')}" if most else "No system moves"
            return f"{much} under {name}"
        least = min(map(abs, own))
        reach, by = sum(abs(move) >= least for move in moves), f"{least} to {most}" if least < most else most
        if reach == len(own) and (min(own) > 0 or max(own) < 0):
            return f"{name} {'lifts' if own[0] > 0 else 'lowers'} {count(reach, 'system')} by {by} ranks"
        return f"{reach} of {len(moves)} systems move by {least} ranks or more under {name}"

    return of_pairings(tables, tell)


def ranks(tables: Tables) -> Figure:
    """Draw the ranks of the systems by the reference and by an estimate; those that moved most are named."""
    n = most_systems(tables)
    movers = _movers(tables, 0.5 if n <= _MOST_LINES else 0.0)
    rows, labels = _with_movers(Source("systems").where(pairing_is(tables)).numbered("left"), movers)
    spec, line, names = (_lines if n <= _MOST_LINES else _map)(tables, n, rows, movers)
    said = _about_moves(tables, movers)
    data = {"movers": labels} | ({"names": names} if names else {})
    which = f"coloured: {tables.highlight}" if tables.highlight is not None else ""
    more: Spec = {"said": said, "data": data, "width": 380 if n <= _MOST_LINES else 430, **_SHOWN}
    return figure(tables, said[0][1], spec, which, line, **more)


def _lines(tables: Tables, n: int, rows: Source, _: Any) -> tuple[Any, ...]:
    """Draw a line for each system from its place by the reference to that by the estimate."""
    rows, longest = rows.numbered("right", "estimate_rank", "left"), 14 if tables.narrow else _NAMES
    height, width = _ROW * max(n, 5), 150

    def at(across: str, place: str) -> Spec:
        """Return the encoding of a position; all share their scales."""
        down = {"domain": [0.5, n + 0.5], "reverse": True, "nice": False, "zero": False}
        return {
            "x": of(f"{across}:Q", scale={"domain": [0, 1], "nice": False}, axis=None),
            "y": of(f"{place}:Q", scale=down, axis=None),
        }

    layers: list[Spec] = []
    for side, place, begin in (("reference", "left", 0), ("estimate", "right", 0.95)):
        tied = rows.grouped([f"{side}_rank"], low=f"min({place})", high=f"max({place})", systems="count()")
        tied = tied.where("datum.systems > 1").adding(top="datum.low - 0.45", bottom="datum.high + 0.45")
        tied = tied.adding(start=str(begin), end=str(begin + 0.05))
        layers.append(tied.draw("rect", color="#dedede", **at("start", "top"), x2="end:Q", y2="bottom:Q"))
    joined, tip = rows.adding(zero="0", one="1"), tips(*_TIP)
    start, end = at("zero", "left"), at("one", "right")
    for test, colour, wide in ((f"!{_IS_MOVER}", _CALM, 1.3), (_IS_MOVER, kit.ORANGE, 2.6)):
        own, how = joined.where(test), {"color": colour, "opacity": pointed(1, 0.12), "tooltip": tip}
        line = {"strokeWidth": kit.larger(3.5, wide), "x2": "one:Q", "y2": "right:Q"}
        layers.append(own.draw("rule", **how, **start, **line))
        layers += [own.draw("dot", size=26, **how, **place) for place in (start, end)]
    name = kit.shortened("datum.system", distinct(tables.rows("systems"), "system"), longest)
    ink = kit.either(_IS_MOVER, _MOVED, "#404040")
    faded = {"fontSize": 11, "baseline": "middle", "color": ink, "opacity": pointed(1, 0.3), "tooltip": tip}
    for side, place, edge, away in (("reference", "left", 0, -1), ("estimate", "right", 1, 1)):
        said = f"{name} + ({_IS_MOVER} ? ' ' + datum.label : '')" if edge else name
        own = rows.adding(edge=str(edge), head="0.5", name=said)
        outward = {"align": "right" if edge == 0 else "left"}
        rank = {"align": "right", "dx": -6 if edge == 0 else 20}
        head = {**outward, "dx": away * 6, "dy": -9, "fontSize": 11, "color": GREY}
        first, title = own.where("datum.left === 1"), f"rank by the {side}"
        layers += [
            own.draw("text", **faded, **rank, **at("edge", place), text=f"{side}_rank:Q"),
            own.draw("text", **faded, **outward, dx=away * 24, **at("edge", place), text="name:N"),
            first.draw("text", **head, text=title, **at("edge", "head")),
        ]
    bars = "grey bars join systems that tie" if _any_tie(tables) else ""
    return {"layer": layers, "width": width, "height": height}, bars, []


def _any_tie(tables: Tables) -> bool:
    """Return whether systems share a rank, on one side or the other."""
    rows = tables.rows("systems")
    return any(len(kit.distinct(rows, *PAIR, f"{side}_rank")) < len(rows) for side in _SIDES)


def _map(tables: Tables, n: int, rows: Source, movers: dict[tuple[str, ...], Rows]) -> tuple[Any, ...]:
    """Draw rank against rank with stems to the same rank, for systems that are too many for lines."""
    ends = (1 - 0.02 * n, n + 0.02 * n)
    short = kit.short_names(distinct(tables.rows("systems"), "system"))
    names: Rows = []
    for key, own in kit.groups(tables.rows("systems"), *PAIR).items():
        names += [kit.part(own[0], *PAIR) | each for each in _placed(movers[key], short, ends, _size(tables))]
    axis, across = kit.rank_axis(n), kit.exact(ends)
    x = {"scale": across, "axis": axis}
    y = {"scale": across | {"reverse": True}, "axis": axis}
    at = of("reference_rank:Q", title="rank by the reference (1 is the best)", **x)
    up = of("estimate_rank:Q", title="rank by the estimate", **y)
    faint = {"opacity": pointed(1, 0.12), "tooltip": tips(*_TIP)}
    same = {"data": {"values": [{"at": 1}, {"at": n}]}}
    layers = [same | Source().draw("line", color=_CALM, strokeWidth=1, x=of("at:Q", **x), y=of("at:Q", **y))]
    for test, colour, wide in ((f"!{_IS_MOVER}", _CALM, 1), (_IS_MOVER, kit.ORANGE, 1.8)):
        stem = {"color": colour, "strokeWidth": wide, "y2": "reference_rank:Q"}
        dot = {"color": "#7fb3d5" if wide == 1 else colour, "size": kit.larger(150, 34)}
        marks = (("rule", stem), ("dot", dot))
        layers += [rows.where(test).draw(mark, x=at, y=up, **how, **faint) for mark, how in marks]
    text = {"align": {"expr": "datum.align"}, "baseline": "middle", "fontSize": 11, "text": "name:N"}
    place = {"x": of("x:Q", **x), "y": of("y:Q", **y), "opacity": pointed(1, 0.25)}
    named, rim = Source("names").where(pairing_is(tables)), {"stroke": "white", "strokeWidth": 3}
    inks = (rim | {"aria": False}, {"color": _MOVED}) if names else ()
    layers += [named.draw("text", **text, **place, **ink) for ink in inks]
    line = "stems: the distance from the same rank; names: ranks gained or lost"
    width, height = _size(tables)
    return {"layer": layers, "width": width, "height": height}, line, names


def _size(tables: Tables) -> tuple[float, float]:
    """Return width and height of a scatter."""
    width = COLUMN if tables.room is None else tables.room - 70
    return width, min(width, kit.HIGHEST)


def _placed(
    movers: Rows, short: dict[str, str], ends: tuple[float, float], size: tuple[float, float]
) -> Rows:
    """Return where the names of points are: away from the diagonal, and apart from each other."""
    found, (low, high), sides = [], ends, dict[str, Rows]()
    away, apart = 6 * (high - low) / size[0], _LINE * (high - low) / size[1]
    for row in movers:
        to_right = row["reference_rank"] < (0.75 if row["gain"] > 0 else 0.25) * high
        sides.setdefault("left" if to_right else "right", []).append(row)
    most = int(size[1] / _LINE / 1.5)
    for align, own in sides.items():
        places = kit.dodged(
            [row["estimate_rank"] for row in own[:most]], apart, low + apart / 2, high - apart / 2
        )
        for row, y in zip(own, places, strict=False):
            x = row["reference_rank"] + (away if align == "left" else -away)
            name = f"{short[row['system']]} {kit.signed(row['gain'])}"
            found.append(
                {"x": round(x, 4), "y": round(y, 4), "align": align, "name": name, "system": row["system"]}
            )
    return found


def significance(tables: Tables) -> Figure | None:
    """Draw the map of all pairs of systems."""
    seen = {found_by for pairs in classes(tables).values() for *_, found_by in pairs}
    if seen <= {"not tested"}:
        return None
    n, systems = most_systems(tables), distinct(tables.rows("systems"), "system")
    room = (tables.room or 420) - 6 * min(18, max(map(len, systems))) - 20
    named = room / n >= kit.TYPE
    step = min(18, room / n)
    kinds = [pair for kind, pair in _KINDS.items() if kind != "not tested" or kind in seen]
    names = f"[{', '.join(repr(text) for text, _ in _KINDS.values())}]"
    cells = Source("pair_codes").where(pairing_is(tables)).numbered("place")
    together = [{"op": "values", "field": "system", "as": "rows"}, {"op": "count", "as": "n"}]
    cells = cells.then({"joinaggregate": together})
    cells = cells.adding(code="split(datum.codes, '')", column="sequence(datum.place, datum.n)")
    cells = cells.then({"flatten": ["code", "column"]}).where("datum.code !== '' && isValid(datum.code)")
    cells = cells.adding(other="datum.rows[datum.column].system", opposite="toNumber(datum.code) >= 5")
    cells = cells.adding(kind=f"{names}[toNumber(datum.code) % 5]")
    font = {"labelFontSize": max(kit.TYPE, min(11, step))}
    axis = kit.name_axis(systems if named else [], 18, labels=named, **font)
    top = axis | {"labelAngle": -90, "orient": "top"}
    x = of("other:N", sort={"field": "column", "op": "min"}, title="system", axis=top)
    place = {"x": x, "y": of("system:N", sort={"field": "place", "op": "min"}, title="system", axis=axis)}
    tip = tips("system:N:better by the reference", "other:N:worse by the reference")
    tip += tips("kind:N:significant difference", "opposite:N:opposite order")
    legend = {"title": "significant difference found by", "orient": "bottom", "columns": 2}
    legend |= {"symbolType": "square", "symbolStrokeColor": kit.GREY, "symbolStrokeWidth": 0.5}
    texts, shades = zip(*kinds, strict=True)
    size = min(45, max(5, step * step * 0.45))
    colour = told("kind:N", texts, shades, legend=legend)
    white = {"stroke": "white", "strokeWidth": 1 if named else 0, "aria": named}
    cross = {"aria": False, "strokeWidth": 0, "color": kit.either("datum.code === '5'", "white", "black")}
    frame = {"filled": False, "aria": False, "stroke": "black", "strokeWidth": 1.5 if named else 1}
    layers = [
        cells.draw("rect", **white, **place, color=colour, tooltip=tip),
        cells.where("datum.opposite").draw("swap", size=size, **cross, **place, tooltip=tip),
        # The cells of the system that is pointed at get a frame; drawing all other cells again would be slow.
        cells.where("datum.system === system || datum.other === system").draw("rect", **frame, **place),
    ]
    tests = f"paired t-tests, Holm's correction, α = {tables.options['alpha']:g}"
    lines = ("rows and columns: systems, the best by the reference first", "× opposite order by the estimate")
    spec = {"layer": layers, "width": {"step": step}, "height": {"step": step}}
    width = 1.08 * min(max(step * n, 240) + 120, 420)
    judged = {tuple(row[key] for key in PAIR): row for row in tables.rows("judges")}

    def tell(name: str, key: tuple[str, ...]) -> str:
        row = judged[key]
        if not row["significant"]:
            return "No pair of systems differs significantly by the reference"
        kept = f"keeps {row['kept']} of {count(row['significant'], 'significant difference')}"
        return f"{name} {kept} and reverses {row['reversed'] or 'none'}"

    more: Spec = {"data": {"pair_codes": _codes(tables)}, "linked": ("pairs",), "width": width, **_SHOWN}
    said = of_pairings(tables, tell)
    return figure(tables, said[0][1], spec, tests, *lines, said=said, **more)
