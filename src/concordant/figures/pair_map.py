"""All pairs of systems: which side finds a significant difference, and whether the order is opposite."""

from __future__ import annotations

from typing import Any

import altair as alt

from concordant.figures.choosing import (
    PAIRING,
    Judged,
    keyed,
    most_systems,
    name_axis,
    pairing_filter,
    parameters,
    size_text,
    titled,
)

_MOST_NAMES = 60
# From dark to light, so that the kinds differ without colours too.
_KINDS = {
    "b": ("both sides", "#08427a"),
    "r": ("the reference only", "#D55E00"),
    "e": ("the estimate only", "#8cc9ee"),
    "n": ("neither", "#efefef"),
    "u": ("not tested", "#ffffff"),
}


def significance(result: Judged) -> Any:
    """Draw the map of all pairs of systems."""
    letters = {letter.lower() for row in result.pair_map for letter in row.letters}
    if not letters & set("bren"):
        return None
    n = most_systems(result)
    named = n <= _MOST_NAMES
    step = max(4, min(18, 400 // n)) if not named else max(11, min(18, 320 // n))
    kinds = [_KINDS[letter] for letter in _KINDS if letter != "u" or "u" in letters]
    cells = (
        alt.Chart(alt.NamedData("pair_map"))
        .transform_filter(pairing_filter(result))
        .transform_window(place="row_number()")
        .transform_joinaggregate(rows="values(system)", n="count()")
        .transform_calculate(letter="split(datum.letters, '')", column="sequence(datum.place, datum.n)")
        .transform_flatten(["letter", "column"])
        .transform_filter("datum.letter !== '' && isValid(datum.letter)")
        .transform_calculate(
            other="datum.rows[datum.column].system",
            row=keyed("datum.system"),
            against=keyed("datum.rows[datum.column].system"),
            kind=f"{{{', '.join(f'{letter}: {text!r}' for letter, (text, _) in _KINDS.items())}}}"
            "[lower(datum.letter)]",
            opposite="datum.letter !== lower(datum.letter)",
        )
    )
    x = alt.X(
        "against:N",
        sort=alt.EncodingSortField("column", op="min"),
        title="system",
        axis=name_axis(18, labels=named, labelAngle=-90, orient="top"),
    )
    y = alt.Y(
        "row:N",
        sort=alt.EncodingSortField("place", op="min"),
        title="system",
        axis=name_axis(18, labels=named),
    )
    tip: list[Any] = [
        alt.Tooltip("system:N", title="better by the reference"),
        alt.Tooltip("other:N", title="worse by the reference"),
        alt.Tooltip("kind:N", title="significant difference"),
        alt.Tooltip("opposite:N", title="opposite order"),
    ]
    shades = cells.mark_rect(stroke="white", strokeWidth=1 if named else 0, aria=named).encode(
        x=x,
        y=y,
        color=alt.Color(
            "kind:N",
            scale=alt.Scale(domain=[text for text, _ in kinds], range=[shade for _, shade in kinds]),
            legend=alt.Legend(
                title="significant difference found by",
                orient="bottom",
                columns=2,
                symbolType="square",
                symbolStrokeColor="#767676",
                symbolStrokeWidth=0.5,
            ),
        ),
        tooltip=tip,
    )
    marks = (
        cells.transform_filter("datum.opposite")
        .mark_point(
            shape="cross",
            aria=False,
            angle=45,
            filled=True,
            strokeWidth=0,
            size=45 if named else max(5, step * step * 0.45),
        )
        .encode(
            x=x,
            y=y,
            color=alt.condition("lower(datum.letter) === 'b'", alt.value("white"), alt.value("black")),
            tooltip=tip,
        )
    )
    # The cells of the system that is pointed at get a frame; drawing all other cells again would be slow.
    framed = (
        cells.transform_filter("datum.system === system || datum.other === system")
        .mark_rect(filled=False, aria=False, stroke="black", strokeWidth=1.5 if named else 1)
        .encode(x=x, y=y)
    )
    alpha = result.options.get("alpha")
    width = max(step * n, 240)
    heading = titled(
        "Which pairs of systems differ significantly",
        PAIRING,
        size_text(result),
        f"paired t-tests, Holm's correction, α = {alpha:g}",
        "rows and columns: systems, the best by the reference first",
        "× opposite order by the estimate",
        width=min(width + 120, 420),
    )
    return (
        alt.layer(shades, marks, framed)
        .properties(width=alt.Step(step), height=alt.Step(step), title=heading)
        .add_params(*parameters(result, ("estimate", "measure")), alt.param(name="system", value=None))
    )
