"""What the charts of judges and rankings have in common: their parameters, titles and filters."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from concordant.figures.choices import best_estimate, choices_of, main_coefficient, measure_filter
from concordant.figures.style import COLUMN
from concordant.questions.correlate import CorrelateResult
from concordant.questions.judge import JudgeResult

__all__ = [
    "FAINT",
    "GREY",
    "PAIRING",
    "Judged",
    "coefficients_of",
    "keyed",
    "level_text",
    "most_systems",
    "name_axis",
    "number_axis",
    "pairing_filter",
    "parameters",
    "pointed",
    "quoted",
    "shortened",
    "size_text",
    "titled",
]

Judged = CorrelateResult | JudgeResult
GREY = "#767676"  # dark enough on white for text
FAINT = "#d9d9d9"
# Half a character, such as an emoji that was cut in two; drawing to a file fails on it.
_HALF = r"[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])|(?<![\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]"


def shortened(name: str, most: int) -> str:
    """Return the expression that shortens a name in the middle to a number of characters.

    Limits in pixels are not used for names, because they cut emoji in two.
    """
    return f"replace(truncate({name}, {most}, 'center', '…'), regexp('{_HALF}', 'g'), '')"


# Which estimate and measure are shown, as an expression.
PAIRING = f"{shortened('estimate', 28)} + ' against the reference, ' + {shortened('measure', 20)}"


def parameters(result: Judged, names: Sequence[str]) -> list[alt.Parameter]:
    """Return parameters with their values: the best estimate, the first measure, the main coefficient."""
    every = choices_of(result)
    first = {name: values[0] for name, values in every.items() if values}
    first |= {"estimate": best_estimate(result), "coefficient": str(main_coefficient(result))}
    return [alt.param(name=name, value=first.get(name)) for name in names]


def pairing_filter(result: Judged) -> str:
    """Return the expression that is true for the rows of the chosen estimate and measure."""
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
    """Return a title: what is shown, the expression of the choice, and lines in smaller print.

    Lines are broken to fit into `width` pixels; empty ones are left out.
    """
    broken = [part for line in lines for part in textwrap.wrap(line, width // 5, break_on_hyphens=False)]
    text = f"[{quoted(what)}, {chosen}]" if chosen else quoted(what)
    return alt.TitleParams(text=alt.expr(text), subtitle=broken)


def coefficients_of(result: Judged) -> list[str]:
    """Return the names of the coefficients, in the order of the result."""
    return list(dict.fromkeys(str(row.coefficient) for row in result.agreement))


def keyed(name: str) -> str:
    """Return the expression of a name on an axis, after a space of no width.

    Vega fails if a name by which it groups is "__proto__".
    """
    return f"'\u200b' + {name}"


def name_axis(most: int = 22, **how: Any) -> alt.Axis:
    """Return an axis of `keyed` names: long ones are shortened in the middle to so many characters."""
    name = shortened("slice(datum.label, 1)", most)
    return alt.Axis(title=None, labelExpr=name, labelLimit=0, ticks=False, domain=False, **how)


def number_axis() -> alt.Axis:
    """Return an axis of numbers, few enough for a narrow figure."""
    return alt.Axis(tickCount=5, labelFlush=False, labelSeparation=4)


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
