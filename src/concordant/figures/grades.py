"""Charts of `grades`: each coefficient with grades against its base without."""

from __future__ import annotations

from collections import Counter
from typing import Any

import altair as alt

from concordant.experiments.grades import GradesResult
from concordant.figures.panels import GREY, SHADES, diagonal, in_panels, titled
from concordant.figures.style import COLOURS

_BINS = 20  # from -1 to 1, in each direction


def values(result: GradesResult) -> Any:
    """Show each extension against its base, a panel for each extension.

    There are too many pairs of runs for single points, so that they are counted in squares.
    """
    if result.pairs is None:
        return None
    panels = [_label(each) for each in result.extensions]
    rows = _counts(result)
    most = max((row["count"] for row in rows), default=1)
    cells = (
        alt.Chart()
        .mark_rect()
        .encode(
            x=alt.X("low_base:Q", title="without grades", axis=alt.Axis(values=[-1, 0, 1])),
            x2="high_base:Q",
            y=alt.Y("low:Q", title="with grades", axis=alt.Axis(values=[-1, 0, 1])),
            y2="high:Q",
            color=alt.Color(
                "count:Q",
                scale=alt.Scale(type="log", range=list(SHADES)),
                legend=alt.Legend(
                    title="pairs of runs on a topic",
                    values=[10**power for power in range(7) if 10**power <= most],
                    format="~s",
                    gradientLength=150,
                    titleLimit=300,
                ),
            ),
            tooltip=[
                alt.Tooltip("panel:N", title="coefficients"),
                alt.Tooltip("low_base:Q", format=".1f", title="without grades, from"),
                alt.Tooltip("high_base:Q", format=".1f", title="to"),
                alt.Tooltip("low:Q", format=".1f", title="with grades, from"),
                alt.Tooltip("high:Q", format=".1f", title="up to"),
                alt.Tooltip("count:Q", title="pairs"),
            ],
        )
    )
    chart = alt.layer(cells, diagonal(-1, 1), data=alt.NamedData("squares"))
    chart = in_panels(chart, "datum.panel", panels, width=150, height=150)
    chart.datasets = {"squares": rows}
    title = "Each coefficient with grades against its base without"
    return titled(chart, title, f"{_data(result)}; on the line the grades change nothing", len(panels))


def differences(result: GradesResult) -> Any:
    """Show how far each coefficient with grades is from its base."""
    names = [_label(each) for each in result.extensions]
    base = alt.Chart().encode(
        y=alt.Y("name:N", sort=names, title=None, axis=alt.Axis(labelLimit=200, ticks=False, domain=False)),
        tooltip=[
            alt.Tooltip("base:N"),
            alt.Tooltip("extension:N"),
            *(
                alt.Tooltip(f"{name}:Q", format=".4f", title=name.replace("_", " "))
                for name in ("mean_difference", "first_quartile", "median", "third_quartile", "maximum")
            ),
            alt.Tooltip("pairs:Q", title="pairs of runs on a topic"),
            alt.Tooltip("undefined:Q"),
        ],
    )
    box = base.mark_bar(size=11, color=COLOURS[5], stroke="black", strokeWidth=0.8).encode(
        x=alt.X("first_quartile:Q", title="absolute difference"), x2="third_quartile:Q"
    )
    whisker = base.mark_rule(color=GREY).encode(x=alt.X("third_quartile:Q"), x2="maximum:Q")
    median = base.mark_tick(thickness=2.5, size=15, color="black", opacity=1).encode(x=alt.X("median:Q"))
    mean = base.mark_point(
        shape="diamond", filled=True, size=50, color=COLOURS[1], stroke="white", strokeWidth=0.5, opacity=1
    )
    undefined = (
        base.mark_text(text="- undefined", align="left", dx=4)
        .encode(x=alt.value(0))
        .transform_filter("!isValid(datum.median)")
    )
    layers = [whisker, box, median, mean.encode(x=alt.X("mean_difference:Q")), undefined]
    chart = alt.layer(*layers, data=alt.NamedData("extensions")).transform_calculate(
        name="datum.extension + ' against ' + datum.base"
    )
    chart = chart.properties(width=240, height=22 * len(names))
    more = "box: quartiles, tick: median, diamond: mean, line: up to the maximum"
    return titled(chart, _title(result), f"{_data(result)}; {more}")


def _label(each: Any) -> str:
    return f"{each.extension} against {each.base}"


def _counts(result: GradesResult) -> list[dict[str, Any]]:
    """Count the pairs of runs and topics in squares of both values; those without a value are left out."""
    found: dict[str, dict[tuple[str, str, str], float | None]] = {}
    for pair in result.pairs:
        found.setdefault(str(pair.coefficient), {})[pair.run, pair.other_run, pair.topic] = pair.value
    rows = []
    for each in result.extensions:
        base, extension = found[str(each.base)], found[str(each.extension)]
        squares = Counter(
            (_square(value), _square(other))
            for key, value in base.items()
            if value is not None and (other := extension[key]) is not None
        )
        for (i, j), count in sorted(squares.items()):
            sides = {"low_base": i, "high_base": i + 1, "low": j, "high": j + 1}
            places = {name: 2 * side / _BINS - 1 for name, side in sides.items()}
            rows.append({"panel": _label(each), **places, "count": count})
    return rows


def _square(value: float) -> int:
    return min(_BINS - 1, max(0, int((value + 1) / 2 * _BINS)))


def _data(result: GradesResult) -> str:
    pairs = max((each.pairs + each.undefined for each in result.extensions), default=0)
    undefined = max((each.undefined for each in result.extensions), default=0)
    without = f", up to {undefined:,} of them undefined" if undefined else ""
    return f"{pairs:,} pairs of runs on a topic{without}"


def _title(result: GradesResult) -> str:
    """Name the coefficients that the grades change most and least."""
    means = {str(each.extension): each.mean_difference for each in result.extensions}
    defined = {name: mean for name, mean in means.items() if mean is not None}
    if len(defined) < 2 or len(defined) < len(means):
        return "How much the grades change each coefficient"
    most, least = max(defined, key=defined.__getitem__), min(defined, key=defined.__getitem__)
    most, least = (f"{name} {how} ({defined[name]:.2f})" for name, how in ((most, "most"), (least, "least")))
    return f"On average, the grades change {most} and {least}"
