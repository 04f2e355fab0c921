"""The code of docs/guides/clusters.md, which the tests run as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "clusters.md"


def block_of(word: str, language: str = "python") -> str:
    """Return the only block of code in which a word occurs."""
    blocks = re.findall(
        rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    (found,) = (block for block in blocks if word in block)
    return found


def run_block(block: str, **given: object) -> dict[str, object]:
    """Run a block with the names that it expects, and return all names that it made."""
    made: dict[str, object] = {"__name__": "__main__", **given}  # so that functions travel by value
    exec(compile(block, str(PAGE), "exec"), made)  # noqa: S102 - our own document
    return made
