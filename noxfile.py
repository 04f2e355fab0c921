#!/usr/bin/env -S uv run --script
# /// script
# dependencies = ["nox>=2025.2.9"]
# ///
"""Sessions for people who are used to nox; each runs the target of the Makefile that has its name."""

from __future__ import annotations

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "none"  # the Makefile makes its own environment


@nox.session
def check(session: nox.Session) -> None:
    """Lint, types, prose, import layers, compiler warnings."""
    session.run("make", "check", external=True)


@nox.session
def test(session: nox.Session) -> None:
    """Run the checks and all tests."""
    session.run("make", "test", external=True)


@nox.session(default=False)
def docs(session: nox.Session) -> None:
    """Build the site."""
    session.run("make", "docs", external=True)


if __name__ == "__main__":
    nox.main()
