"""What the search of the site finds first.

`<!-- found by: weighted kappa, Cohen's kappa -->` stands below a heading. A search for one of these words lists
that section before all pages that only contain them. The words become main entries of Sphinx's index, to which
its search gives the highest score; scorer.js orders the rest.
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


def setup(app: Sphinx) -> dict[str, Any]:
    """Watch the pages that are read."""
    app.connect("doctree-read", enter)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
