"""Print, write and draw results, with the command and the files that they come from; the progress of work."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from concordant.errors import ArgumentError, harmless, visible
from concordant.results.note import told_once

if TYPE_CHECKING:
    from concordant.results.result import Result
    from concordant.typing import Progress as Told


_MORE = "More: --details, or --table NAME: {tables}"
FORMATS = ("table", "csv", "json", "jsonl", "latex", "markdown", "html", "prototext", "xlsx")
OF_AGREEMENT = ("jsonl", "prototext")  # the formats for the table agreement of correlate and judge
FOR_PEOPLE = ("table", "latex", "markdown")  # the answer in short, or with details, or one table
_WITH_PROVENANCE = ("json", "html", "xlsx")  # the formats that name the files that were read


def tell(message: str) -> None:
    """Print a message that is not part of the result."""
    print(visible(f"concordant: {message}"), file=sys.stderr)


def say(content: str) -> None:
    """Print a result, without characters that a terminal obeys; only colours remain on a terminal."""
    if not _can_be_written("├●→▒"):
        content = content.translate(_PLAIN_SIGNS)
    parts = re.split(r"(\033\[(?:0|1|2|32|33)m)", content) if _has_colour() else [content]
    shown = (part if k % 2 else "\n".join(map(harmless, part.split("\n"))) for k, part in enumerate(parts))
    sys.stdout.write("".join(shown))


_PLAIN_SIGNS = str.maketrans(
    {"├": "|", "─": "-", "●": "o", "┤": "|", "→": "->", "░": ".", "▒": ":", "▓": "+", "█": "#"}
)


def _can_be_written(text: str) -> bool:
    """Return whether the encoding of the output has these characters."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _has_colour() -> bool:
    """Return whether the output is a terminal that shows colours, and the user wants them."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()


def emit(result: Result[Any], how: Mapping[str, Any], *title: str) -> None:
    """Print a result, write it to files, each of which appears complete or not at all, and draw it.

    `title` are lines that stand above a table of text.
    """
    table, there = how["table"], [each.name for each in result.tables]
    if table is not None and table not in there:
        raise ArgumentError(f"--table: {result.missing(table)}; there are {', '.join(there)}")
    for name in how.get("figures", {}).values():
        from concordant.figures.draw import check_figure

        check_figure(type(result), name or how["figure"])
    if any(format in _WITH_PROVENANCE for _, format in how["outputs"]):
        result = _with_provenance(result)
    contents = [_content(result, format, how, path is None, title) for path, format in how["outputs"]]
    drawings = {path: _drawing(result, path, name, how) for path, name in how.get("figures", {}).items()}
    for (path, format), content in zip(how["outputs"], contents, strict=True):
        _tell_the_rest(result, format, how)
        if path is None:
            say(content)
        else:
            write(path, content)
    for path, drawing in drawings.items():
        write(path, drawing)
    if how.get("caption") is not None:
        write(how["caption"], _captions(result, how))


def _drawing(result: Result[Any], path: str, name: str | None, how: Mapping[str, Any]) -> bytes:
    from concordant.figures.draw import figure_bytes

    with Progress("drawing"):
        kind, width = Path(path).suffix.lstrip(".").lower(), how.get("width")
        return figure_bytes(result, kind, width=width, title=not how.get("no_title"), **_figure(name, how))


def _figure(name: str | None, how: Mapping[str, Any]) -> dict[str, Any]:
    """Return which figure is drawn, and what is highlighted in it."""
    chosen = name or how["figure"]
    return {"figure": chosen, "highlight": how.get("highlight") if chosen in (None, "ranks") else None}


def _captions(result: Result[Any], how: Mapping[str, Any]) -> str:
    """Return a paragraph for each picture."""
    from concordant.figures.draw import spec_of
    from concordant.results.markup import latex_escape

    pictures = [name for path, name in how["figures"].items() if not path.endswith(".html")]
    texts = [visible(spec_of(result, **_figure(name, how))["description"]) for name in pictures]
    return "\n\n".join(map(latex_escape, texts) if how["caption"].endswith(".tex") else texts) + "\n"


def _content(
    result: Result[Any], format: str, how: Mapping[str, Any], printed: bool, title: Sequence[str]
) -> Any:
    table, details = how["table"], how["details"]
    if format == "table":
        how_wide = _width() if printed else None
        colour = printed and _has_colour()
        text = result.to_text(details, how_wide, table=table, more=_MORE, colour=colour)
        return "\n".join([*map(visible, title), "", text] if title else [text])
    if format in FOR_PEOPLE:
        return getattr(result, f"to_{format}")(details, table=table)
    told = result if table is None else result.only(table)
    if format == "html":
        from concordant.figures.page import page_of

        return page_of(told, with_figures=table is None)
    return getattr(told, f"to_{format}")()


def _tell_the_rest(result: Result[Any], format: str, how: Mapping[str, Any]) -> None:
    """Tell what a format leaves out: other tables, and notes."""
    first, *others = [each.name for each in result.tables]
    whole = how["table"] is not None
    if format == "csv" and others and not whole:
        names = ", ".join(others)
        tell(f"csv holds the first table, {first}; others with --table: {names}; json holds all")
    whole = whole or how["details"] or format not in ("latex", "markdown")
    if not whole and (names := ", ".join(result.left_out())):
        tell(f"more tables with --details, or one of them with --table: {names}")
    for line in told_once(note for note in result.notes if note.lost) if format == "csv" else ():
        tell(line)


def write(path: str, content: str | bytes, more: str = "") -> None:
    """Write a file, and tell it."""
    from concordant.reading.files import write_whole

    write_whole(path, content)
    tell(f"wrote {path}{more}")


def _width() -> int | None:
    """Return the width of the terminal; None if the output is not a terminal."""
    if not sys.stdout.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns


def _with_provenance(result: Result[Any]) -> Result[Any]:
    """Return a result with the command that made it and the files that were read.

    This reads every file again, so that it is done only for formats that contain the provenance.
    """
    if "version" in result.provenance:  # it was saved, and tells where it comes from
        return result
    import hashlib
    import shlex
    from dataclasses import replace

    import click

    from concordant.cli.paths import files_read

    def input_of(file: str) -> dict[str, Any]:
        path = Path(file)
        if file == "-" or not path.is_file():  # a pipe cannot be read twice
            return {"file": file, "bytes": None, "sha256": None}
        with path.open("rb") as opened:  # in pieces, as it is on the disk
            checksum = hashlib.file_digest(opened, "sha256").hexdigest()
        return {"file": file, "bytes": path.stat().st_size, "sha256": checksum}

    with Progress("checksums of the files"):
        inputs = list(map(input_of, dict.fromkeys(files_read(click.get_current_context()))))
    command = shlex.join(["concordant", *command_line()])
    return replace(result, provenance={"command": command, "inputs": inputs})


def command_line() -> list[str]:
    """Return the words that were typed, without the options that say how the work is done."""
    words: list[str] = []
    rest = iter(sys.argv[1:])
    for word in rest:
        name, equals, _ = word.partition("=")
        if name not in ("--workers", "--cluster"):
            words.append(word)
        elif not equals:
            next(rest, "")
    return words


_WAIT = 2.0  # seconds; shorter work shows no progress
_AGAIN = 10.0  # seconds between lines


class Progress:
    """Show the progress of work in a ``with`` statement: after two seconds, a bar on a terminal, or lines.

    Until the object is called with numbers, the bar only moves. Without a terminal, lines are printed only if
    it is called.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self.start = self.told = time.monotonic()
        self.done, self.total = 0, 0
        self.bar: Any = None
        self.task: Any = None
        self.lock = threading.Lock()
        self.timer: threading.Timer | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self.timer = threading.Timer(_WAIT, self._start_bar)
            self.timer.daemon = True
            self.timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.timer is not None:
            self.timer.cancel()
        with self.lock:
            self.timer = None
            if self.bar is not None:
                self.bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Show how much is done."""
        self.done, self.total = done, total
        now = time.monotonic()
        if self.timer is not None:
            with self.lock:
                self._update()
        elif now - self.told > (_WAIT if self.told == self.start else _AGAIN) and done < total:
            tell(f"{self.what}: {done} of {total}")
            self.told = now

    def of(self, what: str) -> Told:
        """Return a function that shows the progress of one part of the work, under its own name."""

        def show(done: int, total: int) -> None:
            self.what = what
            self(done, total)

        return show

    def _update(self) -> None:
        if self.bar is not None:
            known = self.done < self.total  # the work after the last number takes time, too
            self.bar.update(
                self.task,
                description=visible(self.what),
                completed=self.done,
                total=self.total if known else None,
                counts=f"{self.done}/{self.total}" if known else "",
            )

    def _start_bar(self) -> None:
        from rich import progress as rich
        from rich.console import Console

        with self.lock:
            if self.timer is None:  # it ended just now
                return
            text = rich.TextColumn("{task.description}", markup=False)  # a name may look like markup
            counts = rich.TextColumn("{task.fields[counts]}")
            columns = (text, rich.BarColumn(), counts, rich.TimeElapsedColumn(), rich.TimeRemainingColumn())
            self.bar = rich.Progress(*columns, console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task(visible(self.what), total=None, counts="")
            self._update()
            self.bar.start()
