"""The scores of systems on both sides, as a scatter with names where there is room."""

from __future__ import annotations

from typing import Any, NamedTuple

import altair as alt

from concordant.figures.choosing import (
    FAINT,
    GREY,
    PAIRING,
    Judged,
    level_text,
    pairing_filter,
    parameters,
    pointed,
    size_text,
    titled,
)
from concordant.figures.style import COLOURS, COLUMN
from concordant.questions.systems import RankedSystem

_MOST_NAMES = 30
_CHARACTER, _LINE, _LONGEST = 5.6, 11, 16  # a name: pixels of a character and of the line, most characters
_RADIUS = 4  # pixels of a point


class _Frame(NamedTuple):
    """The ranges of the axes of one pairing."""

    x: tuple[float, float]
    y: tuple[float, float]

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a point in the figure, from its lower left corner."""
        (left, right), (low, high) = self.x, self.y
        return COLUMN * (x - left) / (right - left), COLUMN * (y - low) / (high - low)

    def value(self, across: float, up: float) -> tuple[float, float]:
        """Return the scores at a place in the figure."""
        (left, right), (low, high) = self.x, self.y
        return left + across / COLUMN * (right - left), low + up / COLUMN * (high - low)


class _Box(NamedTuple):
    left: float
    right: float
    low: float
    high: float

    def meets(self, other: _Box) -> bool:
        """Return whether two boxes overlap."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.low < other.high
            and other.low < self.high
        )


def scores(result: Judged) -> Any:
    """Draw the scores of the systems by an estimate against those by the reference."""
    of_pairing: dict[Any, list[RankedSystem]] = {}
    for row in result.systems:
        of_pairing.setdefault((row.estimate, row.measure), []).append(row)
    frames, names = [], []
    for (estimate, measure), rows in of_pairing.items():
        frame = _frame(rows)
        head = {"estimate": estimate, "measure": measure[0], "estimate_measure": measure[1]}
        for corner in (0, 1):
            frames.append({**head, "x": frame.x[corner], "y": frame.y[corner]})
        if len(rows) <= _MOST_NAMES:
            names += [{**head, **name} for name in _placed(rows, frame)]
    chosen = pairing_filter(result)
    with_intervals = any(row.reference_interval is not None for row in result.systems)
    systems = alt.Chart(alt.NamedData("systems")).transform_filter(chosen)
    corners = alt.Chart(alt.NamedData("corners")).transform_filter(chosen)
    layers = [
        corners.mark_point(opacity=0, aria=False).encode(
            x=_axis("x", "x", "reference"), y=_axis("y", "y", "estimate")
        ),
        *_ties(systems, max(map(len, of_pairing.values()))),
        corners.mark_line(aria=False, color=GREY, strokeDash=[4, 3], strokeWidth=1).encode(
            x=_axis("x", "x", "reference"),
            y=_axis("y", "y", "estimate"),
            opacity=_if("datum.measure === datum.estimate_measure", 1),
        ),
        *(_bars(systems) if with_intervals else ()),
        systems.mark_point(filled=True, color=COLOURS[0]).encode(
            x=_axis("x", "reference_score", "reference"),
            y=_axis("y", "estimate_score", "estimate"),
            size=alt.condition("datum.system === system", alt.value(140), alt.value(38)),
            opacity=pointed(0.9, 0.15),
            tooltip=_tip(with_intervals),
        ),
        *((_names(chosen),) if names else ()),
    ]
    some = any(name["name"] for name in names) and not all(name["name"] for name in names)
    heading = _heading(result, with_intervals, "names: where there is room" if some else "")
    chart = alt.layer(*layers).properties(width=COLUMN, height=COLUMN, title=heading)
    chart.datasets = {"corners": frames, "names": names}
    return chart.add_params(
        *parameters(result, ("estimate", "measure")), alt.param(name="system", value=None)
    )


def _axis(channel: str, field: str, side: str) -> Any:
    make = alt.X if channel == "x" else alt.Y
    return make(f"{field}:Q", scale=alt.Scale(zero=False, nice=False), title=f"mean score by the {side}")


def _if(condition: str, opacity: float) -> Any:
    """Return an opacity that hides what is not wanted.

    A filter would leave nothing in some figures, and Vega warns about axes of nothing.
    """
    return alt.condition(condition, alt.value(opacity), alt.value(0))


def _tip(with_intervals: bool) -> list[Any]:
    fields = ["reference_score", "estimate_score"]
    if with_intervals:
        fields = [f"{side}_{part}" for side in ("reference", "estimate") for part in ("score", "low", "high")]
    return ["system:N", *(alt.Tooltip(f"{field}:Q", format=".4f") for field in fields), "gain:Q"]


def _heading(result: Judged, with_intervals: bool, names: str) -> alt.TitleParams:
    lines = [size_text(result)]
    same = [row.measure[0] == row.measure[1] for row in result.systems]
    if any(same):
        lines.append("dashed: the same score on both sides")
    if with_intervals:
        lines.append(f"thin lines: {level_text(result.options)} of the mean over topics")
    if _any_tie(result):
        lines.append("grey bands: systems with the same rank on that side")
    lower = _lower(result)
    if lower:
        lines.append(f"lower is better: {', '.join(lower)}")
    return titled("Scores of systems", PAIRING, *lines, names)


def _any_tie(result: Judged) -> bool:
    sides = [
        [(row.estimate, row.measure, rank) for row, rank in zip(result.systems, ranks, strict=True)]
        for ranks in (
            [row.reference_rank for row in result.systems],
            [row.estimate_rank for row in result.systems],
        )
    ]
    return any(len(set(side)) < len(side) for side in sides)


def _lower(result: Judged) -> list[str]:
    """Return the measures by which the smallest score is the best."""
    ends: dict[str, list[tuple[int, float]]] = {}
    for row in result.systems:
        ends.setdefault(row.measure[0], []).append((row.reference_rank, row.reference_score))
    return [measure for measure, rows in ends.items() if min(rows)[1] < max(rows)[1]]


def _ties(systems: Any, n: int) -> list[Any]:
    """Return bands through the systems that share a rank on one side, thin ones if there are many systems."""
    found = []
    for side, channel in (("reference", "x"), ("estimate", "y")):
        grouped = systems.transform_aggregate(
            score=f"mean({side}_score)", systems="count()", groupby=[f"{side}_rank"]
        )
        found.append(
            grouped.mark_rule(aria=False, color=FAINT, strokeWidth=5 if n <= _MOST_NAMES else 1.5).encode(
                **{channel: _axis(channel, "score", side)}, opacity=_if("datum.systems > 1", 0.7)
            )
        )
    return found


def _bars(systems: Any) -> list[Any]:
    """Return the intervals of both sides."""
    found = []
    for side, channel in (("reference", "x"), ("estimate", "y")):
        other, across = ("estimate", "y") if side == "reference" else ("reference", "x")
        found.append(
            systems.mark_rule(aria=False, strokeWidth=0.6, color=GREY).encode(
                **{
                    channel: _axis(channel, f"{side}_low", side),
                    f"{channel}2": f"{side}_high:Q",
                    across: _axis(across, f"{other}_score", other),
                },
                opacity=pointed(0.5, 0.06),
            )
        )
    return found


def _names(chosen: str) -> Any:
    """Return the names, each beside its point."""
    rows = alt.Chart(alt.NamedData("names")).transform_filter(chosen)
    text = rows.mark_text(aria=False, align=alt.expr("datum.align"), baseline="middle", fontSize=10)
    return text.encode(
        x=_axis("x", "x", "reference"),
        y=_axis("y", "y", "estimate"),
        text="name:N",
        opacity=pointed(1, 0.25),
    )


def _frame(rows: list[RankedSystem]) -> _Frame:
    """Return ranges that hold all scores and intervals; the same on both axes if the measure is the same."""
    x = [row.reference_score for row in rows]
    y = [row.estimate_score for row in rows]
    for row in rows:
        x += row.reference_interval or ()
        y += row.estimate_interval or ()
    if rows[0].measure[0] == rows[0].measure[1]:
        x = y = x + y
    return _Frame(_range(x), _range(y))


def _range(values: list[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    margin = 0.03 * (high - low) or 0.05 * (abs(low) or 1)
    return low - margin, high + margin


def _short(name: str) -> str:
    half = _LONGEST // 2
    return name if len(name) <= _LONGEST else f"{name[: half - 1]}…{name[-half:]}"


def _placed(rows: list[RankedSystem], frame: _Frame) -> list[dict[str, Any]]:
    """Return where the names are, beside their points; those for which there is no room are empty."""
    points = [frame.pixel(row.reference_score, row.estimate_score) for row in rows]
    taken = [_Box(x - _RADIUS, x + _RADIUS, y - _RADIUS, y + _RADIUS) for x, y in points]
    found = []
    for row, (x, y) in zip(rows, points, strict=True):
        width = _CHARACTER * min(len(row.system), _LONGEST)
        side, above = _RADIUS + 2, _RADIUS + _LINE / 2
        name, placed = "", ("center", x, y)
        for align, across, up in (
            ("left", x + side, y),
            ("right", x - side, y),
            ("center", x, y + above),
            ("center", x, y - above),
            ("left", x + side, y - _LINE * 0.7),
            ("right", x - side, y + _LINE * 0.7),
        ):
            start = across - width * {"left": 0, "center": 0.5, "right": 1}[align]
            box = _Box(start, start + width, up - _LINE / 2, up + _LINE / 2)
            inside = box.left >= 0 and box.right <= COLUMN and box.low >= 0 and box.high <= COLUMN
            if inside and not any(box.meets(other) for other in taken):
                taken.append(box)
                name, placed = _short(row.system), (align, across, up)
                break
        at = frame.value(*placed[1:])
        found.append({"system": row.system, "name": name, "align": placed[0], "x": at[0], "y": at[1]})
    return found
