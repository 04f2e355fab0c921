"""A page for each coefficient, from its declaration."""

from __future__ import annotations

import concordant as cd


def page(c: cd.Coefficient) -> str:
    """Return the page of a coefficient."""
    lines = [f"# {c.name}", "", f"**{c.question[0].upper()}{c.question[1:]}**", ""]
    lines += ["```{eval-rst}", f".. autofunction:: concordant.{c.name}", "```", ""]
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """Return all pages by file name."""
    made = {f"{c.name}.md": page(c) for c in cd.REGISTRY.values()}
    made["index.md"] = "\n".join(
        ["# Coefficients", "", "```{toctree}", ":maxdepth: 1", "", *cd.REGISTRY, "```", ""]
    )
    return made
