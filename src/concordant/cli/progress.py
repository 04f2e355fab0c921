"""The progress of long work, on standard error."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Self

from concordant.cli.output import tell
from concordant.errors import visible

if TYPE_CHECKING:
    from concordant.typing import Progress as Told


_WAIT = 2.0  # seconds; shorter work shows no progress
_AGAIN = 10.0  # seconds between lines
_KNOWN = 0.25  # the share of the work after which the rest is estimated


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
            left = (now - self.start) / max(done, 1) * (total - done)
            about = f", about {left:.0f} s left" if done >= total * _KNOWN else ""
            tell(f"{self.what}: {done} of {total}{about}")
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

            class Left(rich.TimeRemainingColumn):
                def render(self, task: Any) -> Any:
                    return super().render(task) if task.percentage >= 100 * _KNOWN else ""

            columns = (text, rich.BarColumn(), counts, rich.TimeElapsedColumn(), Left())
            self.bar = rich.Progress(*columns, console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task(visible(self.what), total=None, counts="")
            self._update()
            self.bar.start()
