"""Parts of pages that are made from other files: citations and changes."""

from __future__ import annotations

import re
from pathlib import Path

from coefficient_pages import bibtex

import concordant as cd
from concordant.figures.page import papers

ROOT = Path(__file__).parent.parent.parent
KINDS = {"values": "Changes of numbers", "added": "Added", "changed": "Changed", "fixed": "Fixed"}


def own() -> str:
    """Return the reference and the BibTeX entry of concordant itself, from CITATION.cff."""
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    known = dict(line.split(": ", 1) for line in lines if ": " in line and not line.startswith(" "))
    title, version = known["title"].strip('"'), known["version"]
    entry = [
        "@software{concordant,",
        "  author  = {{The concordant authors}},",
        f"  title   = {{{title}}},",
        f"  version = {{{version}}}",
        "}",
    ]
    return "\n".join(
        [f"> The concordant authors. {title}. Version {version}.", "", "```bibtex", *entry, "```"]
    )


def citing() -> str:
    """Return how to cite concordant and each paper, with the coefficients that it defines."""
    lines = ["## concordant", "", own(), "", "## Coefficients", ""]
    by_paper: dict[str, list[str]] = {}
    for c in cd.REGISTRY.values():
        by_paper.setdefault(c.cite, []).append(f"[`{c.name}`](reference/coefficients/{c.name}.md)")
    for key, names in by_paper.items():
        lines += [f"### {', '.join(names)}", "", papers()[key], "", "```bibtex", bibtex(key), "```", ""]
    others = [key for key in papers() if key not in by_paper]
    lines += [
        "## Other papers",
        "",
        "Treatments of ties, intervals and experiments that concordant uses.",
        "",
    ]
    for key in others:
        lines += [papers()[key], "", "```bibtex", bibtex(key), "```", ""]
    return "\n".join(lines)


def changes() -> str:
    """Return the changes that are not released yet, those of numbers first, and then CHANGELOG.md."""
    lines: list[str] = []
    for kind, title in KINDS.items():
        fragments = sorted((ROOT / "changelog.d").glob(f"*.{kind}.md"))
        if fragments:
            texts = [" ".join(path.read_text(encoding="utf-8").split()) for path in fragments]
            lines += [f"### {title}", "", *(f"- {text}" for text in texts), ""]
    lines = ["## Not released yet", "", *lines] if lines else []
    released = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("\n## ")
    text = "\n".join(lines) + (f"\n## {released[2]}" if released[2] else "")
    # The site has the pages of docs; the other files of the repository are named only.
    return re.sub(r"\[([^]]+)\]\([A-Z]+\.md\)", r"`\1`", text.replace("](docs/", "]("))


def pages() -> dict[str, str]:
    """Return all parts by file name."""
    return {"changes.md": changes(), "citing.md": citing()}
