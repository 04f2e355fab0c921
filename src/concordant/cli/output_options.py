"""Options that say where the result of a function goes, and in which form."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from concordant.cli.command import Command, Effect, Option, function_of
from concordant.cli.debug import debug
from concordant.cli.options import with_options
from concordant.cli.output import FORMATS
from concordant.cli.paths import WRITES
from concordant.errors import ArgumentError, missing_library

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["output_options"]

_OF_DETAILS = (
    Effect(lambda how: how["table"] is None, "with --table"),
    Effect(lambda how: how["format"] != "csv", "in csv, which holds one table; choose it with --table"),
    Effect(lambda how: how["format"] in ("table", "latex", "markdown"), "in a format that holds everything"),
)
_OF_FIGURES = Effect(lambda how: how["plot"] is not None, "without --plot")


class OneOf(Option):
    """An option that names a part of the result of a function; the help lists the names."""

    def __init__(self, *names: Any, part: str, of: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.part, self.of = part, of

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Refuse an unknown name before any work."""
        found = super().type_cast_value(ctx, value)
        if found is not None and found not in (there := _names(self.part, self.of)):
            raise ArgumentError(
                f"--{self.part}: there is no {self.part} {found!r}; there are {', '.join(there)}"
            )
        return found

    def shell_complete(self, _ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the names."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in _names(self.part, self.of) if name.startswith(incomplete)]

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """List the names."""
        record = super().get_help_record(ctx)
        return (
            None if record is None else (record[0], f"{record[1]} {', '.join(_names(self.part, self.of))}.")
        )


def _names(part: str, of: str) -> tuple[str, ...]:
    """Return the names of the tables or figures that the result of a function may have."""
    function = function_of(of)
    name = str(function.__annotations__["return"]).partition(" ")[0]
    kind = getattr(importlib.import_module(function.__module__), name)
    if part == "table":
        tables: tuple[str, ...] = kind.table_names()
        return tables
    from concordant.present import figure_names

    return figure_names(kind)


def _drawable(_context: Any, _option: Any, path: str | None) -> str | None:
    """Refuse a figure that cannot be drawn, before any work."""
    if path is None:
        return None
    from importlib.util import find_spec
    from pathlib import Path

    if Path(path).suffix.lower() not in (".html", ".pdf", ".png", ".svg"):
        raise ArgumentError(f"--plot: the file must end in .png, .svg, .pdf or .html, got {path!r}")
    if find_spec("altair") is None or find_spec("vl_convert") is None:
        raise missing_library("a figure", "altair and vl-convert-python", "plot")
    return path


def output_options(of: str, figures: bool = False) -> Callable[[Command], Command]:
    """Add the options for the output of a function; `figures` says whether it can be drawn."""
    drawing = (
        click.option(
            "--plot",
            metavar="FILE",
            type=WRITES,
            callback=_drawable,
            help="Draw a figure to this file: .png, .svg, .pdf or .html.",
        ),
        click.option(
            "--figure",
            metavar="NAME",
            cls=OneOf,
            part="figure",
            of=of,
            effects=(_OF_FIGURES,),
            help="Which figure to draw. By default it is the first of:",
        ),
    )

    def add(command: Command) -> Command:
        return with_options(
            command,
            debug,
            click.option(
                "--format",
                type=click.Choice(FORMATS),
                help="Format of the output. By default the ending of the output file decides; otherwise it "
                "is a table.",
            ),
            click.option(
                "-o",
                "--output",
                metavar="FILE",
                type=WRITES,
                help="Write the result to this file, completely or not at all.",
            ),
            click.option(
                "--table",
                metavar="NAME",
                cls=OneOf,
                part="table",
                of=of,
                help="Show only this table of the result, with all digits. The tables are:",
            ),
            click.option(
                "--details",
                is_flag=True,
                cls=Option,
                effects=_OF_DETAILS,
                help="Show all tables with all digits.",
            ),
            *(drawing if figures else ()),
        )

    return add
