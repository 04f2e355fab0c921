"""Where results and progress go."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from concordant.errors import visible

if TYPE_CHECKING:
    from concordant.tables import Result

__all__ = ["FORMATS", "ReaderGone", "draw", "emit", "tell"]


class ReaderGone(Exception):
    """Whoever read the output has gone, as after `| head`; there is nothing left to do."""


def emit(result: Result[Any], how: Mapping[str, Any], title: str = "") -> None:
    """Print a result, or write it to a file that appears whole or not at all."""
    from dataclasses import fields

    from concordant.errors import ArgumentError
    from concordant.io import write_whole

    table, format, output = how["table"], how["format"], how["output"]
    if table is not None:
        there = [each.name for each in result.tables]
        if table not in there:
            known = table in {each.name for each in fields(result) if "kind" in each.metadata}
            what = f"this answer has no table {table!r}" if known else f"there is no table {table!r}"
            raise ArgumentError(f"--table: {what}; there are {', '.join(there)}")
        result = result.only(table)
    if format in HOLD_PROVENANCE:
        from concordant.cli.provenance import with_provenance

        result = with_provenance(result)
    if format == "csv":
        if len(result.tables) > 1:
            others = ", ".join(each.name for each in result.tables[1:])
            first = result.tables[0].name
            tell(f"csv holds the first table, {first}; choose another with --table: {others}; json holds all")
        for note in result.notes:
            tell(str(note))
    content = _page(result) if format == "html" and table is None else _CONTENT[format](result)
    if title and format == "table":
        content = f"{title}\n\n{content}"
    if output is not None and output != "-":
        write_whole(output, content)
        tell(f"wrote {output}")
    elif format == "table" and sys.stdout.isatty():
        _print_rich(result, title)
    else:
        sys.stdout.write(content)


def draw(result: Result[Any], how: Mapping[str, Any]) -> None:
    """Draw a result, if a figure was asked for."""
    if how.get("plot") is None:
        return
    from pathlib import Path

    from concordant.cli.progress import Progress
    from concordant.io import write_whole
    from concordant.present import figure_bytes

    kind = Path(how["plot"]).suffix.lstrip(".").lower()
    with Progress("drawing"):
        content = figure_bytes(result, kind, how["figure"])
    write_whole(how["plot"], content)
    tell(f"wrote {how['plot']}")


def _page(result: Result[Any]) -> str:
    """Return a page with figures; a plain one of what has none."""
    from concordant.present import figure_names, page_of

    return page_of(result) if figure_names(type(result)) else result.to_html()


_CONTENT: dict[str, Callable[[Result[Any]], Any]] = {
    "table": lambda result: result.to_text(),
    "csv": lambda result: result.to_csv(),
    "json": lambda result: result.to_json(),
    "latex": lambda result: result.to_latex(),
    "markdown": lambda result: result.to_markdown(),
    "html": lambda result: result.to_html(),
    "xlsx": lambda result: result.to_xlsx(),
}
FORMATS = tuple(_CONTENT)
HOLD_PROVENANCE = ("json", "html", "xlsx")  # the formats that say which files were read


def tell(message: str) -> None:
    """Say something that is not part of the result."""
    print(visible(f"concordant: {message}"), file=sys.stderr)


def _print_rich(result: Result[Any], title: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console()
    if title:
        console.print(Text(title, style="bold"))
    for table in result.tables:
        shown = RichTable(box=box.SIMPLE_HEAD, title=Text(table.title, style="bold"), title_justify="left")
        header, rows, numeric = table.for_people()
        for c, column in enumerate(header):
            shown.add_column(Text(column), justify="right" if c in numeric else "left")
        for row in rows:
            shown.add_row(*map(Text, row))
        console.print(shown)
    for note in result.notes:
        console.print(Text(f"- {note}", style="dim"))
