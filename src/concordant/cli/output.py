"""Print, write and draw results."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from concordant.errors import visible

if TYPE_CHECKING:
    from concordant.results.result import Result


class ReaderGone(Exception):
    """The reader of the output has ended, as after `| head`, so that the program ends too."""


def emit(result: Result[Any], how: Mapping[str, Any], title: str = "") -> None:
    """Print a result, or write it to a file, which appears complete or not at all; then draw it if asked."""
    from concordant.errors import ArgumentError

    table, format, output = how["table"], how["format"], how["output"]
    there = [each.name for each in result.tables]
    if table is not None and table not in there:
        raise ArgumentError(f"--table: {result.missing(table)}; there are {', '.join(there)}")
    if format in HOLD_PROVENANCE:
        from concordant.cli.record import with_provenance

        result = with_provenance(result)
    others = ", ".join(there[1:] if format == "csv" else result.left_out())
    others = others if table is None and not how["details"] else ""
    to_file = output not in (None, "-")
    if format in _SHORT:
        width = None if to_file else _width()
        content = _SHORT[format](result, how["details"], table, width)
        if others and format != "table":
            tell(f"more tables with --details, or one of them with --table: {others}")
    elif format == "html" and table is None:
        from concordant.figures.page import page_of

        content = page_of(result)
    else:
        content = _WHOLE[format](result if table is None else result.only(table))
    if format == "csv":
        if others:
            tell(f"csv holds the first table, {there[0]}; others with --table: {others}; json holds all")
        for note in result.notes:
            tell(str(note))
    if title and format == "table":
        content = f"{title}\n\n{content}"
    if to_file:
        from concordant.reading.files import write_whole

        write_whole(output, content)
        tell(f"wrote {output}")
    else:
        sys.stdout.write(_with_headings(content, result) if format == "table" else content)
    _draw(result, how)


def _width() -> int | None:
    """Return the width of the terminal; None if the output is not a terminal."""
    from shutil import get_terminal_size

    return get_terminal_size().columns if sys.stdout.isatty() else None


def _with_headings(content: str, result: Result[Any]) -> str:
    """Make headings bold on a terminal."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return content
    headings = {"Notes", *(each.title for each in result.tables)}
    return "\n".join(f"\033[1m{line}\033[0m" if line in headings else line for line in content.split("\n"))


def _draw(result: Result[Any], how: Mapping[str, Any]) -> None:
    """Draw a result, if the user asked for a figure."""
    if how.get("plot") is None:
        return
    from pathlib import Path

    from concordant.cli.progress import Progress
    from concordant.figures.draw import figure_bytes
    from concordant.reading.files import write_whole

    kind = Path(how["plot"]).suffix.lstrip(".").lower()
    with Progress("drawing"):
        content = figure_bytes(result, kind, how["figure"])
    write_whole(how["plot"], content)
    tell(f"wrote {how['plot']}")


_MORE = "More: --details, or --table NAME: {tables}"

# Formats for people: the answer in short, or with details, or one table.
_SHORT: dict[str, Callable[[Result[Any], bool, str | None, int | None], str]] = {
    "table": lambda result, details, table, width: result.to_text(details, width, table=table, more=_MORE),
    "latex": lambda result, details, table, _: result.to_latex(details, table=table),
    "markdown": lambda result, details, table, _: result.to_markdown(details, table=table),
}
_WHOLE: dict[str, Callable[[Result[Any]], Any]] = {
    "csv": lambda result: result.to_csv(),
    "json": lambda result: result.to_json(),
    "html": lambda result: result.to_html(),
    "xlsx": lambda result: result.to_xlsx(),
}
FORMATS = ("table", "csv", "json", "latex", "markdown", "html", "xlsx")
HOLD_PROVENANCE = ("json", "html", "xlsx")  # the formats that contain the files that were read


def tell(message: str) -> None:
    """Print a message that is not part of the result."""
    print(visible(f"concordant: {message}"), file=sys.stderr)
