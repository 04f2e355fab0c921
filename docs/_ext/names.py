"""Names in backticks, as docstrings have them: a public name is a link, anything else is code."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

import concordant as cd


def path_of(text: str) -> str | None:
    """Return the full name of what `text` may be, such as concordant.tau_b; None if it is nothing public."""
    name = text.removesuffix("()").removeprefix("cd.").removeprefix("concordant.")
    found: Any = cd
    if not name or name in ("concordant", "experiments", "simulate"):
        return None
    first, *rest = name.split(".")
    if first not in cd.__all__:
        return None
    for part in (first, *rest):
        found = getattr(found, part, None)
        if found is None:
            return None
    return f"concordant.{name}"


class Name(SphinxRole):
    """A name as code, with a link to its page if it has one."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the node."""
        code = nodes.literal(self.rawtext, self.text, classes=["xref", "py"])
        path = path_of(self.text)
        if path is None:
            return [code], []
        link = pending_xref(
            "", code, refdomain="py", reftype="obj", reftarget=path, refexplicit=True, refwarn=False,
            refdoc=self.env.docname,
        )
        return [link], []


def setup(app: Sphinx) -> dict[str, bool]:
    """Give the role to Sphinx."""
    app.add_role("name", Name())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
