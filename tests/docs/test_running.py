"""The cells of the pages that run: each runs here as it does when the documents are built."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = re.compile(r"\A(?:---\n.*?^---\n|(?::[\w-]+:[^\n]*\n)+\n?)", re.MULTILINE | re.DOTALL)
PAGES = sorted(
    str(path.relative_to(DOCS))
    for path in DOCS.rglob("*.md")
    if "_build" not in path.parts
    and path.read_text(encoding="utf-8").startswith("---\nfile_format: mystnb\n")
)


@pytest.fixture
def running(monkeypatch):
    """Return the extension that runs commands in pages."""
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    import running

    yield running
    sys.modules.pop("running", None)


def test_there_are_pages_that_run():
    """The pattern that finds them finds them."""
    assert {"start.md", "which.md", "guides/judges.md"} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_the_cells_of_a_page_run(page, running, tmp_path, monkeypatch):
    """No cell raises, in the order of the page and in an empty folder."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    cells = [OPTIONS.sub("", cell) for cell in CELL.findall((DOCS / page).read_text(encoding="utf-8"))]
    assert cells[0].strip() == "%load_ext running"
    for cell in cells[1:]:
        if cell.startswith(running.MAGIC):
            running.shell(cell.removeprefix(running.MAGIC))
            continue
        tree = ast.parse(cell)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, page, "exec"), names)  # noqa: S102
        if last is not None:
            repr(eval(compile(ast.Expression(last.value), page, "eval"), names))


def test_a_command_that_fails_stops_the_page(running, tmp_path, monkeypatch):
    """The error names the command and what it said."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        running.CommandError, match=r"(?s)concordant nothing.*ended with 2: .*No such command"
    ):
        running.shell("concordant nothing")
