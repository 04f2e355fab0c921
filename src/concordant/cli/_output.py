"""Where results and progress go."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from concordant.report import Report

FORMATS = ("table", "csv", "json", "latex", "markdown")


def emit(report: Report, format: str, output: str | None, table: str | None) -> None:
    """Print a report, or write it to a file that appears whole or not at all."""
    from dataclasses import replace

    from concordant.io._files import write_whole

    if table is not None:
        if table not in report:
            raise ValueError(f"--table: there is no table {table!r}; there are {', '.join(report)}")
        report = replace(report, tables=(report[table],))
    if format == "csv":
        content = report.tables[0].to_csv()
        if len(report.tables) > 1:
            others = ", ".join(list(report)[1:])
            tell(
                f"csv holds the first table, {report.tables[0].name}; choose another with --table: {others}; json holds all"
            )
        for note in report.notes:
            tell(note)
    else:
        content = {
            "table": report.to_text,
            "json": report.to_json,
            "latex": report.to_latex,
            "markdown": report.to_markdown,
        }[format]()
    if output is not None and output != "-":
        write_whole(output, content)
        tell(f"wrote {output}")
    elif format == "table" and sys.stdout.isatty():
        _print_rich(report)
    else:
        sys.stdout.write(content)


def tell(message: str) -> None:
    """Say something that is not part of the result."""
    print(f"concordant: {message}", file=sys.stderr)


def _print_rich(report: Report) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console()
    if report.title:
        console.print(Text(report.title, style="bold"))
    for table in report.tables:
        shown = RichTable(box=box.SIMPLE_HEAD, title=Text(table.title, style="bold"), title_justify="left")
        numeric = table.numeric()
        for c, column in enumerate(table.columns):
            shown.add_column(Text(str(column)), justify="right" if c in numeric else "left")
        for row in table.cells():
            shown.add_row(*map(Text, row))
        console.print(shown)
    for note in report.notes:
        console.print(Text(f"- {note}", style="dim"))


class Progress:
    """Progress on standard error: a bar on a terminal, else a line now and then; nothing for what is soon done."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.start = self.told = time.monotonic()
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Show how much is done."""
        now = time.monotonic()
        if sys.stderr.isatty():
            if self.bar is None and now - self.start > 0.5:
                from rich.console import Console
                from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
                from rich.progress import Progress as Bar

                self.bar = Bar(
                    TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
                    console=Console(stderr=True), transient=True,
                )  # fmt: skip
                self.bar.start()
                self.task = self.bar.add_task(self.what, total=total)
            if self.bar is not None:
                self.bar.update(self.task, completed=done)
        elif now - self.told > (2 if self.told == self.start else 10) and done < total:
            left = (now - self.start) / max(done, 1) * (total - done)
            tell(f"{self.what}: {done} of {total}, about {left:.0f} s left")
            self.told = now
