"""What the search of the site finds first.

`<!-- found by: weighted kappa, Cohen's kappa -->` stands below a heading. A search for one of these words
lists that section before all pages that only contain them. The words become main entries of Sphinx's index,
to which its search gives the highest score; scorer.js orders the rest.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx


def enter(_: Sphinx, tree: nodes.document) -> None:
    """Turn the comments into entries that lead to their sections, or to the page."""
    for node in list(tree.findall(nodes.raw)):
        found = re.fullmatch(r"<!-- found by: (.+?) -->", node.astext().strip(), re.DOTALL)
        if not found:
            continue
        section = node.parent
        inner = isinstance(section, nodes.section) and section.parent is not tree
        place = section["ids"][0] if inner else ""
        words = [re.sub(r"\s+", " ", word).strip() for word in found[1].split(",")]
        node.replace_self(
            addnodes.index("", entries=[("single", word, place, "main", None) for word in words])
        )


def keep(app: Sphinx) -> list[Any]:
    """Enter the words of pages that are not written again, which Sphinx forgets."""
    indexer = app.builder.indexer
    for name in sorted(app.env.all_docs - indexer._index_entries.keys()):
        for node in app.env.get_doctree(name).findall(addnodes.index):
            entries = [(word, place, main) for _, word, place, main, _ in node["entries"] if main == "main"]
            indexer._index_entries.setdefault(name, []).extend(entries)
    return []


def setup(app: Sphinx) -> dict[str, Any]:
    """Watch the pages that are read, and the index before it is written."""
    app.connect("doctree-read", enter)
    app.connect("html-collect-pages", keep)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
