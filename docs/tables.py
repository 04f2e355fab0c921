"""Write the parts of the documents that come from the registry; with --check, only say whether they are as they should be."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import concordant as cd

ROOT = Path(__file__).parent.parent

TIES = {
    "refused": "an error",
    "unresolved": "an order not known: counts as neither",
    "removed": "left out, on the side that has it",
    "judged": "a statement that the items are equal",
    "natural": "equal scores, nothing special",
    "free": "its own affair",
}


def yes(claim: bool) -> str:
    """Mark a claim that is made."""
    return "yes" if claim else ""


def coefficients() -> str:
    """Return the table of coefficients."""
    lines = [
        "| function | answers | a tie is | head counts more | symmetric | threshold |",
        "|---|---|---|---|---|---|",
    ]
    for c in cd.REGISTRY.values():
        marks = [yes(claim) for claim in (c.head_weighted, c.symmetric, c.thresholds)]
        lines.append(f"| `{c.name}` | {c.question} | {TIES[c.ties]} | {' | '.join(marks)} |")
    return "\n".join(lines)


def properties() -> str:
    """Return the table of properties, claims and axioms."""
    lines = [
        "| coefficient | scale | head-weighted | symmetric | gap-sensitive | ties | 1 | 2 | 3 | 4 | 5 | zero-centred |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    short = {"holds": "yes", "holds without ties": "untied", "fails": "no", "does not apply": "-"}
    counterexamples = []
    for c in cd.REGISTRY.values():
        found = cd.axioms(c)
        marks = [short[verdict.status] for verdict in found]
        centred = {"yes": "yes", "untied": "without ties", "no": "**no**"}[marks[4]]
        scale = "interval" if c.gap_sensitive else "ordinal"
        claims = [yes(claim) for claim in (c.head_weighted, c.symmetric, c.gap_sensitive)]
        lines.append(
            f"| `{c.name}` | {scale} | {' | '.join(claims)} | {c.ties} | {' | '.join(marks)} | {centred} |"
        )
        counterexamples += [
            f"- `{c.name}`, axiom {verdict.axiom}: {verdict.counterexample}"
            for verdict in found
            if verdict.status in ("fails", "holds without ties")
        ]
    return "\n".join([*lines, "", "The smallest counterexamples found:", "", *counterexamples])


PARTS = {"README.md": ("coefficients", coefficients), "docs/properties.md": ("properties", properties)}


def filled(name: str) -> tuple[str, str]:
    """Return a document as it is, and with what stands between its markers made anew."""
    marker, make = PARTS[name]
    before = (ROOT / name).read_text(encoding="utf-8")
    pattern = re.compile(rf"(<!-- {marker} -->\n).*?(<!-- end -->)", re.DOTALL)
    after, times = pattern.subn(lambda m: m[1] + make() + "\n" + m[2], before)
    if times != 1:
        sys.exit(f"{name} has lost the markers around its generated part")
    return before, after


if __name__ == "__main__":
    for name in PARTS:
        before, after = filled(name)
        if "--check" not in sys.argv:
            (ROOT / name).write_text(after, encoding="utf-8")
        elif before != after:
            sys.exit(f"{name} is not what the registry says; run 'make readme'")
