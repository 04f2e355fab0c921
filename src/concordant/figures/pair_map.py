"""All pairs of systems: which side finds a significant difference, and whether the order is opposite."""

from __future__ import annotations

from typing import NamedTuple

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.estimate_choices import PAIR, PAIRING, figure, most_systems, pairing_is
from concordant.figures.kit import Figure, Rows, Source, of, tips, told

_MOST_NAMES = 60
# Which side finds a significant difference, from dark to light, so that the kinds differ without colours too.
_KINDS = {
    "both": ("both sides", "#08427a"),
    "reference": ("the reference only", "#D55E00"),
    "estimate": ("the estimate only", "#8cc9ee"),
    "neither": ("neither", "#efefef"),
    "not tested": ("not tested", "#ffffff"),
}


_NUMBERS = ("reference_difference", "estimate_difference", "reference_pvalue", "estimate_pvalue")


class PairClass(NamedTuple):
    """A pair of systems, of which the first is better by the reference."""

    better: str
    worse: str
    order: str
    """By the estimate: same, opposite or tied (on either side)."""
    found_by: str
    """Which side finds a significant difference: both, reference, estimate, neither, or not tested."""

    @property
    def is_swapped(self) -> bool:
        """Whether the order is opposite although the reference finds a significant difference."""
        return self.order == "opposite" and self.found_by in ("both", "reference")


def pair_class(x: float, y: float, p: float | None, q: float | None, alpha: float | None) -> tuple[str, str]:
    """Return order and sides of a pair, from its differences and p-values by reference and estimate."""
    order = "same" if x * y > 0 else "opposite" if x * y < 0 else "tied"
    if alpha is None or (p is None and q is None):
        return order, "not tested"
    by_reference, by_estimate = p is not None and p < alpha, q is not None and q < alpha
    if by_reference != by_estimate:
        return order, "reference" if by_reference else "estimate"
    return order, "both" if by_reference else "neither"


Classes = dict[tuple[str, str, str], list[PairClass]]


def classes(tables: Tables) -> Classes:
    """Return the pairs of systems of each estimate and measure, with their classes."""

    def make() -> Classes:
        found: Classes = {}
        alpha = tables.options.get("alpha")
        columns = tables.columns("pairs") if "pairs" in tables else {}
        names = (*PAIR, "better", "worse", *_NUMBERS)
        for *key, better, worse, x, y, p, q in zip(*(columns.get(name, ()) for name in names), strict=True):
            pair = PairClass(better, worse, *pair_class(x, y, p, q, alpha))
            found.setdefault((key[0], key[1], key[2]), []).append(pair)
        return found

    made: Classes = tables.once("classes of pairs", make)
    return made


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
        head = dict(zip(PAIR, key, strict=True))
        found += [{**head, "system": name, "codes": "".join(lines[i])} for name, i in place.items()]
    return found


def significance(tables: Tables) -> Figure | None:
    """Draw the map of all pairs of systems."""
    seen = {pair.found_by for pairs in classes(tables).values() for pair in pairs}
    if seen <= {"not tested"}:
        return None
    n = most_systems(tables)
    named = n <= _MOST_NAMES
    step = max(4, min(18, 400 // n)) if not named else max(11, min(18, 320 // n))
    kinds = [pair for kind, pair in _KINDS.items() if kind != "not tested" or kind in seen]
    names = f"[{', '.join(repr(text) for text, _ in _KINDS.values())}]"
    cells = Source("pair_codes").where(pairing_is(tables)).numbered("place")
    together = [{"op": "values", "field": "system", "as": "rows"}, {"op": "count", "as": "n"}]
    cells = cells.then({"joinaggregate": together})
    cells = cells.adding(code="split(datum.codes, '')", column="sequence(datum.place, datum.n)")
    cells = cells.then({"flatten": ["code", "column"]}).where("datum.code !== '' && isValid(datum.code)")
    cells = cells.adding(
        other="datum.rows[datum.column].system",
        kind=f"{names}[toNumber(datum.code) % 5]",
        opposite="toNumber(datum.code) >= 5",
    )
    axis = kit.name_axis(18, labels=named)
    top = axis | {"labelAngle": -90, "orient": "top"}
    place = {
        "x": of("other:N", sort={"field": "column", "op": "min"}, title="system", axis=top),
        "y": of("system:N", sort={"field": "place", "op": "min"}, title="system", axis=axis),
    }
    tip = tips(
        *("system:N:better by the reference", "other:N:worse by the reference"),
        *("kind:N:significant difference", "opposite:N:opposite order"),
    )
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
    return figure(
        tables,
        "Which pairs of systems differ significantly",
        {"layer": layers, "width": {"step": step}, "height": {"step": step}},
        f"paired t-tests, Holm's correction, α = {tables.options['alpha']:g}",
        "rows and columns: systems, the best by the reference first",
        "× opposite order by the estimate",
        width=1.08 * min(max(step * n, 240) + 120, 420),
        chosen=PAIRING,
        shows="estimate measure system",
        data={"pair_codes": _codes(tables)},
        linked=("pairs",),
    )
