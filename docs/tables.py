"""Write the parts of README.md that come from the registry; with --check, only say whether they are as they should be."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import concordant as cd

README = Path(__file__).parent.parent / "README.md"

TIES = {
    "refused": "an error",
    "unresolved": "an order not known: counts as neither",
    "removed": "left out where the ranking that has it is walked",
    "judged": "a statement that the items are equal",
    "natural": "equal scores, nothing special",
    "free": "its own affair",
}


def coefficients() -> str:
    """Return the table of coefficients."""
    lines = [
        "| function | answers | a tie is | head counts more | symmetric | threshold |",
        "|---|---|---|---|---|---|",
    ]
    for c in cd.REGISTRY.values():
        marks = ["yes" if claim else "" for claim in (c.head_weighted, c.symmetric, c.thresholds)]
        lines.append(f"| `{c.name}` | {c.question} | {TIES[c.ties]} | {' | '.join(marks)} |")
    return "\n".join(lines)


def filled(text: str) -> str:
    """Return the text with what stands between the markers made anew."""
    pattern = re.compile(r"(<!-- coefficients -->\n).*?(<!-- end -->)", re.DOTALL)
    made, times = pattern.subn(lambda m: m[1] + coefficients() + "\n" + m[2], text)
    if times != 1:
        sys.exit("README.md has lost the markers around the table of coefficients")
    return made


if __name__ == "__main__":
    before = README.read_text(encoding="utf-8")
    after = filled(before)
    if "--check" in sys.argv:
        sys.exit(0 if before == after else "README.md is not what the registry says; run 'make readme'")
    README.write_text(after, encoding="utf-8")
