"""A coefficient as a notebook shows it: its name, its symbol, and what is declared about it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from concordant.errors import visible

if TYPE_CHECKING:
    from concordant.coefficients.declaration import Coefficient

__all__ = ["coefficient_html"]

_TIES = {
    "error": "an error; there must be none",
    "undecided": "an order that is not known; the pair counts as neither",
    "ignored": "ignored, on the side that has it",
    "equality": "a statement that the items are equal",
    "values": "two equal values, nothing special",
}
_GAPS = {"none": "", "reference": "those of the reference", "both": "those of both sides"}


def coefficient_html(c: Coefficient) -> str:
    """Return the name, the symbol and what is declared, as HTML."""
    low, high = c.bounds
    rows = {
        "symbol": f"${c.latex()}$" if c.symbol else "",
        "answers": c.question,
        "a tie is": _TIES.get(c.ties or "", "not declared"),
        "differences that count": _GAPS[c.gaps],
        "top-weighted": "yes" if c.top_weighted else "no",
        "symmetric": "yes" if c.symmetric else "no",
        "range": f"{low:g} to {high:g}",
    }
    lines = "".join(
        f'<tr><th style="text-align: left">{name}</th>'
        f'<td style="text-align: left">{escape(visible(value))}</td></tr>'
        for name, value in rows.items()
        if value
    )
    return f"<p><code>{escape(visible(str(c)))}</code></p><table><tbody>{lines}</tbody></table>"
