"""What the charts of judges and rankings have in common: their parameters, titles and filters."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from concordant.judging import CorrelateResult, JudgeResult
from concordant.present.choices import best_estimate, choices_of, measure_filter
from concordant.present.style import COLUMN

__all__ = [
    "FAINT",
    "GREY",
    "PAIRING",
    "Judged",
    "coefficients_of",
    "level_text",
    "most_systems",
    "pairing_filter",
    "parameters",
    "pointed",
    "quoted",
    "size_text",
    "titled",
]

Judged = CorrelateResult | JudgeResult
GREY = "#767676"  # dark enough on white for text
FAINT = "#d9d9d9"
_ESTIMATE, _MEASURE = (
    f"truncate({name}, {most}, 'center', '…')" for name, most in (("estimate", 28), ("measure", 20))
)
PAIRING = f"{_ESTIMATE} + ' against the reference, ' + {_MEASURE}"  # which are shown, as an expression


def parameters(result: Judged, names: Sequence[str]) -> list[alt.Parameter]:
    """Return parameters with their first values: the best estimate, the first measure and coefficient."""
    every = choices_of(result)
    first = {name: values[0] for name, values in every.items() if values}
    first["estimate"] = best_estimate(result)
    return [alt.param(name=name, value=first.get(name)) for name in names]


def pairing_filter(result: Judged) -> str:
    """Return the expression that holds for the rows of the chosen estimate and measure."""
    return f"datum.estimate === estimate && {measure_filter(result)}"


def pointed(emphasised: Any, others: Any) -> Any:
    """Return a value for the system that is pointed at (for all if none is), and one for the others."""
    return alt.condition(
        "system === null || datum.system === system", alt.value(emphasised), alt.value(others)
    )


def quoted(text: str) -> str:
    """Return text as a literal of an expression of Vega."""
    return json.dumps(text)


def titled(what: str, chosen: str, *lines: str, width: int = COLUMN) -> alt.TitleParams:
    """Return a title: what is seen, the expression that says which is chosen, and lines in smaller print.

    Lines are broken to fit into `width` pixels; empty ones are left out.
    """
    broken = [part for line in lines for part in textwrap.wrap(line, width // 5, break_on_hyphens=False)]
    text = f"[{quoted(what)}, {chosen}]" if chosen else quoted(what)
    return alt.TitleParams(text=alt.expr(text), subtitle=broken)


def coefficients_of(result: Judged) -> list[str]:
    """Return the names of the coefficients, in the order in which they were asked for."""
    return list(dict.fromkeys(str(row.coefficient) for row in result.agreement))


def most_systems(result: Judged) -> int:
    """Return how many systems there are."""
    return len({row.system for row in result.systems})


def size_text(result: Judged) -> str:
    """Return how many systems there are, and topics, if the number is the same for all."""
    parts = [f"{most_systems(result)} systems"]
    if isinstance(result, JudgeResult):
        topics = {row.topics for row in result.topics}
        parts += [f"{n} topics" if n > 1 else "one topic" for n in topics if len(topics) == 1]
    return ", ".join(parts)


def level_text(options: Mapping[str, Any], what: str = "intervals") -> str:
    """Return the level of intervals, as "95% intervals"."""
    level = options.get("confidence_level")
    return "" if level is None else f"{100 * level:.10g}% {what}"
