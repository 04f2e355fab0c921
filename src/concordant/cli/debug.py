"""The option that every command and the program itself have."""

from __future__ import annotations

import click

__all__ = ["debug"]

debug = click.option(
    "--debug", is_flag=True, expose_value=False, help="On an error, show where in the program it happened."
)
