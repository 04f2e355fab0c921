"""Names in backticks, as docstrings have them: a public name is a link, anything else is code."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxRole

import concordant as cd


def path_of(text: str) -> str | None:
    """Return the full name of what `text` may be, such as concordant.tau_b; None if it is nothing public."""
    name = text.removesuffix("()").removeprefix("cd.").removeprefix("concordant.")
    found: Any = cd
    if not name or name in ("concordant", "experiments", "experiments.simulate", "results"):
        return None
    first, *rest = name.split(".")
    if first not in cd.__all__:
        return None
    for part in (first, *rest):
        found = getattr(found, part, None)
        if found is None:
            return None
    return f"concordant.{name}"


def linked(code: nodes.literal, path: str, page: str) -> pending_xref:
    """Return the code as a link to the page of a name."""
    how = {"refdomain": "py", "reftype": "obj", "reftarget": path, "refexplicit": True, "refwarn": False}
    return pending_xref("", code, refdoc=page, **how)


class Links(SphinxTransform):
    """Link `cd.judge` and `tau_b` in Markdown pages to the pages of these names."""

    default_priority = 400

    def apply(self, **_: Any) -> None:
        """Replace the code by links; not in headings, which are links in the table of contents."""
        for code in list(self.document.findall(nodes.literal)):
            text = code.astext().partition("(")[0]
            known = text.startswith("cd.") or text in cd.REGISTRY
            inside = code.parent
            while inside is not None and not isinstance(inside, nodes.title | nodes.reference | pending_xref):
                inside = inside.parent
            path = path_of(text) if known and inside is None else None
            if path is not None and not self.env.docname.endswith(f"/{text.removeprefix('cd.')}"):
                code.replace_self(linked(code.deepcopy(), path, self.env.docname))


class Ends(SphinxTransform):
    """Remove blank lines at the end of code: doctests need one before the fence, readers do not."""

    default_priority = 401

    def apply(self, **_: Any) -> None:
        """Shorten the code."""
        for block in self.document.findall(nodes.literal_block):
            text = block.astext()
            if text != text.rstrip() and len(block.children) == 1:
                block.rawsource = text.rstrip()
                block[0] = nodes.Text(text.rstrip())


class Name(SphinxRole):
    """A name as code, with a link to its page if it has one."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the node."""
        code = nodes.literal(self.rawtext, self.text, classes=["xref", "py"])
        path = path_of(self.text)
        return [code if path is None else linked(code, path, self.env.docname)], []


def setup(app: Sphinx) -> dict[str, bool]:
    """Give the role and the links to Sphinx."""
    app.add_role("name", Name())
    app.add_transform(Links)
    app.add_transform(Ends)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
