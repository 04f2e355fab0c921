"""Write the pages that are made from the code, before Sphinx reads the folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import api_pages
import coefficient_pages
import command_pages
import gallery_pages
import parts
from sphinx.application import Sphinx

FOLDERS = {
    "reference/api": api_pages.pages,
    "reference/coefficients": coefficient_pages.pages,
    "reference/commands": command_pages.pages,
    "gallery": gallery_pages.pages,
    "_generated": parts.pages,
}


def write(docs: Path) -> None:
    """Write all pages; leave those that are right as they are, so that Sphinx does not read them again."""
    for folder, make in FOLDERS.items():
        place = docs / folder
        place.mkdir(parents=True, exist_ok=True)
        made = make()
        for old in place.glob("*.md"):
            if old.name not in made:
                old.unlink()
        for name, text in made.items():
            path = place / name
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")


def linked(app: Sphinx, what: str, name: str, item: Any, options: Any, lines: list[str]) -> None:  # noqa: ARG001
    """Turn the paths of documents in docstrings into links."""
    lines[:] = [re.sub(r"\bdocs/([\w/]+)\.md\b", r":doc:`/\1`", line) for line in lines]


def links(app: Sphinx, error: Exception | None) -> None:
    """Write the list of links that leave the site, with the pages that have them. Nothing is fetched."""
    if error is not None or app.builder.format != "html":
        return
    found: dict[str, set[str]] = {}
    for path in Path(app.outdir).rglob("*.html"):
        for link in re.findall(r'<a [^>]*href="(https?://[^"#]+)', path.read_text(encoding="utf-8")):
            found.setdefault(link, set()).add(path.relative_to(app.outdir).as_posix())
    lines = [f"{link}  {' '.join(sorted(found[link]))}" for link in sorted(found)]
    (Path(app.outdir).parent / "links.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def summary(app: Sphinx, error: Exception | None) -> None:
    """Write llms.txt: the pages of the site by folder, for programs that read it."""
    if error is not None or app.builder.format != "html":
        return
    readme = (Path(app.srcdir).parent / "README.md").read_text(encoding="utf-8")
    about = re.search(r"(?m)^Random errors[^#]*?$(?:\n.+)*", readme)
    lines = ["# concordant", "", f"> {' '.join(about[0].split()) if about else app.config.project}"]
    folders: dict[str, list[str]] = {}
    for name in sorted(app.env.found_docs):
        folders.setdefault(name.rpartition("/")[0], []).append(name)
    for folder, names in folders.items():
        lines += ["", f"## {folder or 'Pages'}", ""]
        lines += [
            f"- [{app.env.titles[name].astext()}]({app.builder.get_target_uri(name)})" for name in names
        ]
    (Path(app.outdir) / "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages now, and watch how classes are shown."""
    write(Path(app.srcdir))
    app.connect("autodoc-process-signature", api_pages.signature)
    app.connect("autodoc-process-docstring", linked, priority=400)  # before numpydoc
    app.connect("build-finished", links)
    app.connect("build-finished", summary)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
