"""Write the parts of the documents that come from the registry, from CONTRIBUTING.md and the Makefile.

With --check, write nothing, and say whether they are as they should be.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import tree

import concordant as cd

ROOT = Path(__file__).parent.parent.parent


def yes(claim: bool) -> str:
    """Mark a claim that is made."""
    return "yes" if claim else ""


def coefficients() -> str:
    """Return the table of coefficients."""
    lines = ["| function | answers | ties | properties |", "|---|---|---|---|"]
    for c in cd.REGISTRY.values():
        claims = {"top-weighted": c.top_weighted, "symmetric": c.symmetric, "threshold": c.thresholds}
        said = ", ".join(claim for claim, true in claims.items() if true)
        lines.append(f"| `{c.name}` | {c.question} | {c.ties or 'not declared'} | {said} |")
    return "\n".join(lines)


def properties() -> str:
    """Return the table of properties, claims and axioms."""
    lines = [
        "| coefficient | scale | top-weighted | symmetric | gaps | ties | 1 | 2 | 3 | 4 | 5 | zero-centred |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    short = {"holds": "yes", "holds without ties": "untied", "fails": "no", "does not apply": "-"}
    counterexamples = []
    for c in cd.REGISTRY.values():
        if c.inputs == "lists":
            continue  # the axioms are about rankings of the same items
        found = cd.experiments.axioms(c)
        marks = [short[verdict.status] for verdict in found]
        centred = {"yes": "yes", "untied": "without ties", "no": "**no**"}[marks[4]]
        scale = "interval" if c.gap_sensitive else "ordinal"
        claims = [yes(c.top_weighted), yes(c.symmetric), "" if c.gaps == "none" else c.gaps, c.ties or ""]
        lines.append(f"| `{c.name}` | {scale} | {' | '.join(claims)} | {' | '.join(marks)} | {centred} |")
        counterexamples += [
            f"- `{c.name}`, axiom {verdict.axiom}: {verdict.counterexample}"
            for verdict in found
            if verdict.status in ("fails", "holds without ties")
        ]
    return "\n".join([*lines, "", "The smallest counterexamples found:", "", *counterexamples])


PERSISTENCES = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998)
_DEPTHS = (1, 5, 10, 20, 50, 100, 200, 1000)


def weight(p: float, k: int) -> float:
    """Return the weight of the first k ranks: the least overlap of two lists that agree on k items."""
    return cd.rbo_bounds(range(k), range(k), p=p).min


def weights() -> str:
    """Return the table of the weight of the first k ranks."""
    lines = [
        f"| p | mean depth | {' | '.join(f'k = {k}' for k in _DEPTHS)} |",
        f"|---|---|{'---|' * len(_DEPTHS)}",
    ]
    for p in PERSISTENCES:
        shares = " | ".join(f"{100 * weight(p, k):.1f} %" for k in _DEPTHS)
        lines.append(f"| {p:g} | {1 / (1 - p):g} | {shares} |")
    return "\n".join(lines)


def section(title: str) -> str:
    """Return a section of CONTRIBUTING.md without its title."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0].strip("\n")


def house() -> str:
    """Return the folders, and the rules below them."""
    return section("The house")


def habits() -> str:
    """Return the habits."""
    return section("Habits")


def recipe() -> str:
    """Return the steps of the recipe without their code."""
    steps = re.sub(r"\n+ *```.*?\n *```\n", "\n", section("Add a coefficient"), flags=re.DOTALL)
    return re.sub(r"\n{2,}(?=\d\.)", "\n", steps)


def targets() -> str:
    """Return the targets of the Makefile with what they say of themselves."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    return "\n".join(
        f"- `make {name}`: {told}" for name, told in re.findall(r"(?m)^([a-z-]+):.*?## (.*)$", text)
    )


# The file, the marker and what stands after it.
PARTS = (
    ("AGENTS.md", "targets", targets),
    ("AGENTS.md", "house", house),
    ("AGENTS.md", "recipe", recipe),
    ("AGENTS.md", "habits", habits),
    ("docs/reference/properties.md", "coefficients", coefficients),
    ("docs/reference/properties.md", "properties", properties),
    ("docs/guides/lists.md", "weights", weights),
    ("docs/which.md", "tree", tree.table),
)


def filled(text: str, marker: str, part: str) -> str:
    """Return a document with what stands between its markers made anew."""
    pattern = re.compile(rf"(<!-- {marker} -->\n).*?(<!-- end -->)", re.DOTALL)
    after, times = pattern.subn(lambda m: m[1] + part + "\n" + m[2], text)
    if times != 1:
        sys.exit(f"the markers {marker} around a generated part are lost")
    return after


if __name__ == "__main__":
    for name, marker, make in PARTS:
        before = (ROOT / name).read_text(encoding="utf-8")
        after = filled(before, marker, make())
        if "--check" not in sys.argv:
            (ROOT / name).write_text(after, encoding="utf-8")
        elif before != after:
            sys.exit(f"{name} is not up to date; run 'make readme'")
