"""How commands run in pages. `make docs` runs the cells of all pages, and fails with the first error."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"


@pytest.fixture
def running(monkeypatch):
    """Return the extension that runs commands in pages."""
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    import running

    yield running
    sys.modules.pop("running", None)


def test_a_command_that_fails_stops_the_page(running, tmp_path, monkeypatch):
    """The error names the command and what it said."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        running.CommandError, match=r"(?s)concordant nothing.*ended with 2: .*No such command"
    ):
        running.shell("concordant nothing")
