"""Figures of `gaps`: coefficients of scores in the same order, and the median cases."""

from __future__ import annotations

from dataclasses import replace

from concordant.figures import kit
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import Figure, Source, distinct, of, tips

_QUARTILES = ("minimum", "first_quartile", "median", "third_quartile", "maximum")


def quartiles(tables: Tables) -> Figure:
    """Show minimum, quartiles and maximum for each pair of distributions, a panel for each coefficient."""
    rows = tables.rows("quartiles")
    coefficients = distinct(rows, "coefficient")
    pairs = [f"{reference} and {estimate}" for reference, estimate in distinct(rows, "reference", "estimate")]
    one = len(coefficients) == 1
    width, height = 230 if one else kit.PANEL, 26 * len(pairs)
    tip = tips("coefficient reference estimate")
    tip += tips(*(f"{name}:.4f:{name.replace('_', ' ')}" for name in _QUARTILES))
    tip += tips("pairs:Q:pairs of samples", "undefined:Q:undefined")
    axis = {"labelLimit": 160, **kit.NO_DOMAIN}
    place = {"y": of("pair:N", sort=pairs, title=None, axis=axis), "tooltip": tip}
    x = {"scale": {"zero": False, "nice": True}, "title": "minimum, quartiles and maximum"}
    shown = "isValid(datum.median) ? format(datum.median, '.2f') : '-'"
    source = Source("quartiles").adding(pair="datum.reference + ' and ' + datum.estimate", shown=shown)
    layers = [
        Source().draw("rule", strokeWidth=1.2, **place, **kit.span("minimum", "maximum", **x)),
        Source().draw("box", **place, **kit.span("first_quartile", "third_quartile", **x)),
        Source().draw("median", **place, x=of("median:Q", **x)),
        Source().draw("text", align="left", dx=6, **place, x="width", text="shown:N"),
    ]
    low, high = ([row[end] for row in rows if row[end] is not None] for end in ("minimum", "maximum"))
    title = f"Scores in the same order with other gaps: {coefficients[0] if one else 'values'}"
    title += f" from {min(low):.2f} to {max(high):.2f}" if low else ": undefined"
    caption = f"{_data(tables)}; at the right: the median"
    found = kit.in_panels(title, caption, source, layers, coefficients, size=(width, height))
    return replace(found, spec={**found.spec["spec"], "data": found.spec["data"]}) if one else found


def medians(tables: Tables) -> Figure:
    """Show the scores of the median case, a panel for each pair of distributions and coefficient."""
    rows = tables.rows("quartiles")
    coefficients = distinct(rows, "coefficient")
    what = coefficients[0] if len(coefficients) == 1 else "the coefficient"
    keys = [f"{row['reference']} and {row['estimate']} · {row['coefficient']}" for row in rows]
    values = ("-" if row["median"] is None else f"{row['median']:.2f}" for row in rows)
    names = {key: f"{key} {value}" for key, value in zip(keys, values, strict=True)}
    scores = {"reference": "score of the reference", "estimate": "of the estimate"}
    axis = {"values": [0, 0.5, 1]}
    x, y = (of(f"{side}_score:Q", title=title, axis=axis) for side, title in scores.items())
    tip = tips("coefficient reference estimate")
    tip += tips(*(f"{side}_score:.4f:score of the {side}" for side in scores))
    points = Source().draw("dot", size=22, fillOpacity=0.6, x=x, y=y, tooltip=tip)
    key = "datum.reference + ' and ' + datum.estimate + ' · ' + datum.coefficient"
    label = f"{kit.quoted(list(names.values()))}[indexof({kit.quoted(list(names))}, {key})]"
    title = f"The pair of samples with the median value of {what}"
    shown, source = f"{_data(tables)}, scaled to [0, 1]", Source("medians")
    return kit.in_panels(title, shown, source, [points], list(names.values()), label=label)


def _data(tables: Tables) -> str:
    return f"{tables.options['n_pairs']:,} pairs of samples of {tables.options['n_systems']} sorted scores"
