"""Parts of pages that are made from other files: citations and changes."""

from __future__ import annotations


def pages() -> dict[str, str]:
    """Return all parts by file name."""
    return {"changes.md": "", "citing.md": ""}
