"""The systems of two rankings: their ranks with intervals, their scores, and all pairs as a map."""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import cast

from concordant.figures import kit
from concordant.figures.converted_tables import PAIR, PAIRING, Tables, figure, most_systems, pairing_is
from concordant.figures.kit import COLUMN, GREY, Figure, Rows, Source, Spec, of, pointed, tips, told

_MOST_LINES = 50  # systems; with more lines the figure is not readable
_MOST_NAMES = 30  # systems, up to which a scatter has names
_MOST_NAMED_CELLS = 60  # systems, up to which a map of pairs has names
_ROW = 14  # pixels, a line of text
_NAMES = 18  # characters of a name at the end of a line
_TIP = ("system", "reference_rank estimate_rank gain:Q")
_CHARACTER, _LINE, _LONGEST = 5.6, 11, 16  # a name: pixels of a character and of the line, most characters
_RADIUS = 4  # pixels of a point
_SIDES = ("reference", "estimate")
_SHOWN = {"chosen": PAIRING, "shows": "estimate measure system"}
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


def swapped_pairs(pairs: list[tuple[str, str, str, str]]) -> list[tuple[str, str]]:
    """Return the pairs in opposite order although the reference finds a significant difference."""
    return [
        (better, worse)
        for better, worse, order, found_by in pairs
        if order == "opposite" and found_by in ("both", "reference")
    ]


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


def ranks(tables: Tables) -> Figure:
    """Draw the ranks of the systems by the reference and by an estimate, joined by lines."""
    n = most_systems(tables)
    return _lines(tables, n) if n <= _MOST_LINES else _map(tables, n)


def _about_swaps(tables: Tables, sign: str, x: float, y: float) -> tuple[str, list[Spec], Rows]:
    """Return the words about swapped pairs: a line of the caption, or a layer and its data.

    A caption cannot change, so that a text that differs between estimates is a layer of the figure.
    """
    said = {}
    for key in kit.groups(tables.rows("systems"), *PAIR):
        pairs, alpha = classes(tables).get(key, []), f"(α\u00a0=\u00a0{tables.options.get('alpha') or 0:g})"
        said[key] = f"no pair that differs significantly by the reference {alpha} is swapped"
        if all(found_by == "not tested" for *_, found_by in pairs):
            said[key] = "significance was not tested"
        elif swapped_pairs(pairs):
            said[key] = f"{sign}, though the reference finds a significant difference {alpha}"
    if len(set(said.values())) == 1:
        return next(iter(said.values())), [], []
    rows = [dict(zip(PAIR, key, strict=True)) | {"lines": textwrap.wrap(said[key], 56)} for key in said]
    source = Source("about_swaps").where(pairing_is(tables))
    text = source.draw("text", baseline="top", fontSize=11, lineHeight=14, x=x, y=y, text="lines:N")
    return "", [text], rows


def _crossings(tables: Tables) -> Rows:
    """Return where the lines of swapped systems cross: across from 0 to 1, down in places."""
    found = []
    for key, rows in kit.groups(tables.rows("systems"), *PAIR).items():
        left = {row["system"]: i for i, row in enumerate(rows, 1)}
        # Systems that tie by the estimate are in the order of the reference; sorting keeps it.
        by_estimate = sorted(rows, key=lambda row: row["estimate_rank"])
        right = {row["system"]: i for i, row in enumerate(by_estimate, 1)}
        for better, worse in swapped_pairs(classes(tables).get(key, [])):
            down, up = left[worse] - left[better], right[better] - right[worse]
            across = down / (down + up)
            place = left[better] + across * (right[better] - left[better])
            head = kit.part(rows[0], *PAIR) | {"better": better, "worse": worse}
            found.append({**head, "across": across, "place": place})
    return found


def _lines(tables: Tables, n: int) -> Figure:
    """Draw a line for each system from its place by the reference to that by the estimate."""
    rows = Source("systems").where(pairing_is(tables)).numbered("left")
    rows = rows.numbered("right", "estimate_rank", "left")
    height, width = _ROW * max(n, 5), 130

    def at(across: str, place: str) -> Spec:
        """Return the encoding of a position; all share their scales."""
        down = {"domain": [0.5, n + 0.5], "reverse": True, "nice": False, "zero": False}
        return {
            "x": of(f"{across}:Q", scale={"domain": [0, 1], "nice": False}, axis=None),
            "y": of(f"{place}:Q", scale=down, axis=None),
        }

    layers: list[Spec] = []
    for side, place, start, end in (("reference", "left", 0, 0.05), ("estimate", "right", 0.95, 1)):
        tied = rows.grouped([f"{side}_rank"], low=f"min({place})", high=f"max({place})", systems="count()")
        tied = tied.where("datum.systems > 1").adding(top="datum.low - 0.45", bottom="datum.high + 0.45")
        tied = tied.adding(start=str(start), end=str(end))
        layers.append(tied.draw("rect", color="#bdbdbd", **at("start", "top"), x2="end:Q", y2="bottom:Q"))
    line = {"x2": "one:Q", "y2": "right:Q", "opacity": pointed(0.75, 0.12), "strokeWidth": kit.larger(3, 1.3)}
    joined = rows.adding(zero="0", one="1")
    layers.append(joined.draw("rule", color=kit.BLUE, **at("zero", "left"), **line, tooltip=tips(*_TIP)))
    faded = {"opacity": pointed(1, 0.3), "tooltip": tips(*_TIP)}
    text = {"fontSize": 11, "baseline": "middle"}
    for side, place, edge, away in (("reference", "left", 0, -1), ("estimate", "right", 1, 1)):
        own = rows.adding(edge=str(edge), head="0.5", name=kit.shortened("datum.system", _NAMES))
        outward = {"align": "right" if edge == 0 else "left"}
        rank = {**text, "align": "right", "dx": -5 if edge == 0 else 19, "color": GREY}
        head = {**outward, "dx": away * 5, "dy": -9, "fontSize": 11, "color": GREY}
        first, title = own.where("datum.left === 1"), f"rank by the {side}"
        layers += [
            own.draw("text", **rank, **at("edge", place), text=f"{side}_rank:Q", **faded),
            own.draw("text", **text, **outward, dx=away * 23, **at("edge", place), text="name:N", **faded),
            first.draw("text", **head, text=title, **at("edge", "head")),
        ]
    swaps = _crossings(tables)
    if swaps:
        test = "system === null || datum.better === system || datum.worse === system"
        source = Source("crossings").where(pairing_is(tables))
        faint = {"opacity": kit.either(test, 1, 0.1), "tooltip": tips("better worse")}
        layers.append(source.draw("swap", size=50, color=kit.ORANGE, **at("across", "place"), **faint))
    said, more, words = _about_swaps(tables, "× swapped", width / 2, height + 8)
    bars = "grey bars join systems that tie" if _any_tie(tables) else ""
    spec = {"layer": [*layers, *more], "width": width, "height": height}
    data = {"crossings": swaps, "about_swaps": words}
    return figure(tables, "Ranks of systems", spec, said, bars, data=data, linked=("pairs",), **_SHOWN)


def _any_tie(tables: Tables) -> bool:
    """Return whether systems share a rank, on one side or the other."""
    rows = tables.rows("systems")
    return any(len(kit.distinct(rows, *PAIR, f"{side}_rank")) < len(rows) for side in _SIDES)


def _map(tables: Tables, n: int) -> Figure:
    """Draw rank against rank, for systems that are too many for lines."""
    swapped = Counter[str]()
    for key_of, pairs in classes(tables).items():
        both = (system for pair in swapped_pairs(pairs) for system in pair)
        swapped.update(" | ".join((*key_of, system)) for system in both)
    keys = [{"key": name, "swapped": count} for name, count in swapped.items()]
    kinds = ["in no such pair", "in a swapped significant pair"]
    key = " + ' | ' + ".join(f"datum.{name}" for name in (*PAIR, "system"))
    lookup = {"data": {"name": "swapped"}, "key": "key", "fields": ["swapped"]}
    rows = Source("systems").where(pairing_is(tables)).adding(key=key)
    rows = rows.then({"lookup": "key", "from": lookup, "default": "0"})
    rows = rows.adding(kind=f"datum.swapped > 0 ? '{kinds[1]}' : '{kinds[0]}'")
    said, more, words = _about_swaps(tables, "swapped: opposite order", COLUMN / 2, COLUMN + 42)
    legend = {"title": None, "orient": "bottom", "direction": "vertical", "offset": 54 if more else 18}
    margin = 0.02 * n
    scale, axis = kit.exact([n + margin, 1 - margin]), kit.rank_axis(n)
    x, y = (of(f"{side}_rank:Q", scale=scale, title=f"rank by the {side}", axis=axis) for side in _SIDES)
    up = {"y": "estimate_rank_low:Q", "y2": "estimate_rank_high:Q", "opacity": pointed(0.45, 0.05)}
    ranges = rows.draw("rule", strokeWidth=0.5, color=GREY, x="reference_rank:Q", **up)
    colour = told("kind:N", kinds, kit.COLOURS, legend=legend if keys else None)
    shape = told("kind:N", kinds, ("circle", "diamond"))
    faint = {"size": kit.larger(150, 38), "opacity": pointed(0.8, 0.15), "tooltip": tips(*_TIP, "swapped:Q")}
    points = rows.draw("point", filled=True, x=x, y=y, **faint, color=colour, shape=shape)
    with_ranges = any(row["estimate_rank_low"] is not None for row in tables.rows("systems"))
    thin = f"thin lines: possible ranks by the estimate, {_all_at_once(tables)}" if with_ranges else ""
    layers = [kit.diagonal(1, n, scale=scale), *([ranges] if with_ranges else []), points, *more]
    spec = {"layer": layers, "width": COLUMN, "height": COLUMN}
    data = {"swapped": keys, "about_swaps": words}
    lines = ("dashed: the same rank on both sides", thin, said)
    return figure(tables, "Ranks of systems", spec, *lines, data=data, linked=("pairs",), **_SHOWN)


def _all_at_once(tables: Tables) -> str:
    return f"for all systems at once with {kit.level_text(tables.options, 'confidence')}"


def intervals(tables: Tables) -> Figure | None:
    """Draw the rank of each system with the ranks that are possible, on both sides."""
    systems = tables.rows("systems")
    if all(row[f"{side}_rank_low"] is None for row in systems for side in _SIDES):
        return None
    n = most_systems(tables)
    named = n <= _MOST_LINES
    scale = kit.exact([0.5, n + 0.5] if named else [1, n])
    x = {"scale": scale, "title": "rank (1 is the best)", "axis": kit.rank_axis(n)}
    legend = {"title": "rank by", "orient": "bottom", "symbolOpacity": 1}
    colour = told("side:N", _SIDES, kit.COLOURS, legend=legend)
    shape = told("side:N", _SIDES, ("circle", "diamond"), legend=legend)
    axis = kit.name_axis(labels=named, labelPadding=6, grid=named)
    place = {"y": of("system:N", sort=None, title="system", axis=axis), "color": colour}
    place["yOffset"] = of("shift:Q", scale={"domain": [-0.5, 0.5]})
    layers = []
    for side, shift in zip(_SIDES, ("-0.2", "0.2"), strict=True):
        rows = Source("systems").where(pairing_is(tables)).adding(side=kit.quoted(side), shift=shift)
        low, mean = kit.span(f"{side}_rank_low", f"{side}_rank_high", **x), of(f"{side}_rank:Q", **x)
        tip = tips(*_TIP, f"{side}_rank_low {side}_rank_high:Q")
        line, point = {"strokeWidth": 1.2 if named else 0.8}, {"filled": True, "size": 36 if named else 14}
        layers += [
            rows.draw("rule", **line, **low, **place, opacity=pointed(0.8, 0.12)),
            rows.draw("point", **point, x=mean, **place, shape=shape, opacity=pointed(1, 0.15), tooltip=tip),
        ]
    height = {"step": 18 if named else max(5, round(700 / n))}
    spec = {"layer": layers, "width": COLUMN - 60 if named else COLUMN, "height": height}
    level = f"lines: possible ranks, {_all_at_once(tables)}"
    order = "" if named else "a row for each system, the best by the reference at the top"
    return figure(tables, "Ranks of systems, and those that are possible", spec, level, order, **_SHOWN)


def scores(tables: Tables) -> Figure:
    """Draw the scores of the systems by an estimate against those by the reference."""
    corners: Rows = []
    names: Rows = []
    pairings = kit.groups(tables.rows("systems"), *PAIR)
    for key, rows in pairings.items():
        head = kit.part(rows[0], *PAIR)
        x, y = (_ends(rows, *(_SIDES if key[1] == key[2] else (side,))) for side in _SIDES)
        corners += [{**head, "x": x[k], "y": y[k]} for k in (0, 1)]
        if len(rows) <= _MOST_NAMES:
            names += [{**head, **name} for name in _placed(rows, x, y)]
    chosen = pairing_is(tables)
    systems, frame = Source("systems").where(chosen), Source("corners").where(chosen)
    most = max(map(len, pairings.values()))
    with_intervals = any(row["reference_low"] is not None for row in tables.rows("systems"))
    columns = "reference_score reference_low reference_high estimate_score estimate_low estimate_high"
    tip = tips("system", f"{columns if with_intervals else 'reference_score estimate_score'}:.4f", "gain:Q")
    at = _at("x", "y")
    # An opacity hides what is not wanted: a filter would leave nothing, and Vega warns about axes of nothing.
    same = kit.either("datum.measure === datum.estimate_measure", 1, 0)
    point = {"size": kit.larger(140, 38), "opacity": pointed(0.9, 0.15), "tooltip": tip}
    text = {"aria": False, "align": {"expr": "datum.align"}, "baseline": "middle", "fontSize": 10}
    layers = [
        frame.draw("point", opacity=0, aria=False, **at),
        *(_ties(systems, side, most) for side in _SIDES),
        frame.draw("same", aria=False, **at, opacity=same),
        *(_bars(systems, side) for side in _SIDES if with_intervals),
        systems.draw("point", filled=True, color=kit.BLUE, **_at(), **point),
    ]
    if names:
        named = Source("names").where(chosen)
        layers.append(named.draw("text", **text, **at, text="name:N", opacity=pointed(1, 0.25)))
    lower = _lower(tables.rows("systems"))
    some = any(name["name"] for name in names) and not all(name["name"] for name in names)
    spec = {"layer": layers, "width": COLUMN, "height": COLUMN}
    lines = (
        "dashed: the same score on both sides" if any(own == other for _, own, other in pairings) else "",
        f"thin lines: {kit.level_text(tables.options)} of the mean over topics" if with_intervals else "",
        "grey bands: systems with the same rank on that side" if _any_tie(tables) else "",
        f"lower is better: {', '.join(lower)}" if lower else "",
        "names: where there is room" if some else "",
    )
    data = {"corners": corners, "names": names}
    return figure(tables, "Scores of systems", spec, *lines, data=data, **_SHOWN)


def _axis(column: str, side: str) -> Spec:
    return of(f"{column}:Q", scale={"zero": False, "nice": False}, title=f"mean score by the {side}")


def _at(x: str = "reference_score", y: str = "estimate_score") -> Spec:
    return {"x": _axis(x, "reference"), "y": _axis(y, "estimate")}


def _ties(systems: Source, side: str, n: int) -> Spec:
    """Return bands through the systems that share a rank on one side, thin ones if there are many systems."""
    grouped = systems.grouped([f"{side}_rank"], score=f"mean({side}_score)", systems="count()")
    band = {"aria": False, "color": kit.FAINT, "strokeWidth": 5 if n <= _MOST_NAMES else 1.5}
    place = {"x" if side == "reference" else "y": _axis("score", side)}
    return grouped.draw("rule", **band, **place, opacity=kit.either("datum.systems > 1", 0.7, 0))


def _bars(systems: Source, side: str) -> Spec:
    """Return the intervals of one side."""
    channel = "x" if side == "reference" else "y"
    place = _at() | {channel: _axis(f"{side}_low", side), f"{channel}2": f"{side}_high:Q"}
    return systems.draw("rule", aria=False, strokeWidth=0.6, color=GREY, **place, opacity=pointed(0.5, 0.06))


def _lower(rows: Rows) -> list[str]:
    """Return the measures by which the smallest score is the best."""
    found = []
    for (measure,), own in kit.groups(rows, "measure").items():
        ranked = sorted((row["reference_rank"], row["reference_score"]) for row in own)
        found += [measure] if ranked[0][1] < ranked[-1][1] else []
    return found


def _ends(rows: Rows, *sides: str) -> tuple[float, float]:
    """Return a range that holds all scores and intervals of some sides."""
    names = [f"{side}_{end}" for side in sides for end in ("score", "low", "high")]
    values = [row[name] for row in rows for name in names if row[name] is not None]
    low, high = min(values), max(values)
    margin = 0.03 * (high - low) or 0.05 * (abs(low) or 1)
    return low - margin, high + margin


def _placed(rows: Rows, x: tuple[float, float], y: tuple[float, float]) -> Rows:
    """Return where the names are, beside their points; those for which there is no room are empty."""
    per_x, per_y = (x[1] - x[0]) / COLUMN, (y[1] - y[0]) / COLUMN  # scores of a pixel
    scores = [(row["reference_score"], row["estimate_score"]) for row in rows]
    points = [((across - x[0]) / per_x, (up - y[0]) / per_y) for across, up in scores]
    # Boxes: left, right, low, high.
    taken = [(across - _RADIUS, across + _RADIUS, up - _RADIUS, up + _RADIUS) for across, up in points]
    side, above = _RADIUS + 2, _RADIUS + _LINE / 2
    beside = [
        *(("left", side, 0.0), ("right", -side, 0.0), ("center", 0.0, above), ("center", 0.0, -above)),
        *(("left", side, -_LINE * 0.7), ("right", -side, _LINE * 0.7)),
    ]
    found = []
    for row, (across, up) in zip(rows, points, strict=True):
        width = _CHARACTER * min(len(row["system"]), _LONGEST)
        name, placed = "", ("center", across, up)
        for align, right, higher in beside:
            start = across + right - width * {"left": 0, "center": 0.5, "right": 1}[align]
            box = (start, start + width, up + higher - _LINE / 2, up + higher + _LINE / 2)
            inside = min(box) >= 0 and max(box) <= COLUMN
            hits = (box[0] < b and a < box[1] and box[2] < d and c < box[3] for a, b, c, d in taken)
            if inside and not any(hits):
                taken.append(box)
                name, placed = kit.short(row["system"], _LONGEST), (align, across + right, up + higher)
                break
        at = {"x": x[0] + placed[1] * per_x, "y": y[0] + placed[2] * per_y}
        found.append({"system": row["system"], "name": name, "align": placed[0], **at})
    return found


def significance(tables: Tables) -> Figure | None:
    """Draw the map of all pairs of systems."""
    seen = {found_by for pairs in classes(tables).values() for *_, found_by in pairs}
    if seen <= {"not tested"}:
        return None
    n = most_systems(tables)
    named = n <= _MOST_NAMED_CELLS
    step = max(4, min(18, 400 // n)) if not named else max(11, min(18, 320 // n))
    kinds = [pair for kind, pair in _KINDS.items() if kind != "not tested" or kind in seen]
    names = f"[{', '.join(repr(text) for text, _ in _KINDS.values())}]"
    cells = Source("pair_codes").where(pairing_is(tables)).numbered("place")
    together = [{"op": "values", "field": "system", "as": "rows"}, {"op": "count", "as": "n"}]
    cells = cells.then({"joinaggregate": together})
    cells = cells.adding(code="split(datum.codes, '')", column="sequence(datum.place, datum.n)")
    cells = cells.then({"flatten": ["code", "column"]}).where("datum.code !== '' && isValid(datum.code)")
    cells = cells.adding(other="datum.rows[datum.column].system", opposite="toNumber(datum.code) >= 5")
    cells = cells.adding(kind=f"{names}[toNumber(datum.code) % 5]")
    axis = kit.name_axis(18, labels=named)
    top = axis | {"labelAngle": -90, "orient": "top"}
    x = of("other:N", sort={"field": "column", "op": "min"}, title="system", axis=top)
    place = {"x": x, "y": of("system:N", sort={"field": "place", "op": "min"}, title="system", axis=axis)}
    tip = tips("system:N:better by the reference", "other:N:worse by the reference")
    tip += tips("kind:N:significant difference", "opposite:N:opposite order")
    legend = {"title": "significant difference found by", "orient": "bottom", "columns": 2}
    legend |= {"symbolType": "square", "symbolStrokeColor": kit.GREY, "symbolStrokeWidth": 0.5}
    texts, shades = zip(*kinds, strict=True)
    size = 45 if named else max(5, step * step * 0.45)
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
    more: Spec = {"data": {"pair_codes": _codes(tables)}, "linked": ("pairs",), "width": width, **_SHOWN}
    return figure(tables, "Which pairs of systems differ significantly", spec, tests, *lines, **more)
