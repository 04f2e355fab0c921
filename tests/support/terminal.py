"""The program on a terminal of its own, with someone who types."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.text import Text

from support.program import words


class Terminal:
    """The program with standard input, output and error on a pseudo terminal."""

    def __init__(self, *arguments: object, cwd: Path | None = None, columns: int = 100) -> None:
        self.leader, follower = pty.openpty()
        self.seen = ""  # so far, without what was waited for
        self.returncode: int | None = None
        self.process = subprocess.Popen(
            [sys.executable, "-m", "concordant", *words(*arguments)],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            cwd=cwd,
            start_new_session=True,
            preexec_fn=_own_terminal,  # noqa: PLW1509 - Ctrl-C needs it, and no thread runs here
            env={**os.environ, "TERM": "xterm", "COLUMNS": str(columns)},
        )
        os.close(follower)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.leader)

    def _read(self, until: float) -> bool:
        """Read what is there; return False if the program has ended."""
        if not select.select([self.leader], [], [], max(0.0, until - time.monotonic()))[0]:
            raise TimeoutError(f"the program is silent after {self.seen!r}")
        try:
            part = os.read(self.leader, 1 << 16)
        except OSError:  # the other side is closed
            return False
        self.seen += part.decode(errors="replace")
        return bool(part)

    def wait_for(self, text: str, seconds: float = 30) -> None:
        """Read until a text appears; what was read up to it is forgotten."""
        until = time.monotonic() + seconds
        while text not in self.seen:
            assert self._read(until), f"ended without {text!r}: {self.seen}"
        self.seen = self.seen.partition(text)[2]

    def type(self, text: str, enter: bool = True) -> None:
        """Type a line."""
        os.write(self.leader, text.encode() + (b"\n" if enter else b""))

    def rest(self, typed: str | None = None, seconds: float = 60) -> str:
        """Read until the program ends; type something to each further question, if that is given."""
        until = time.monotonic() + seconds
        answered = 0
        while self._read(until):
            if typed is not None and self.seen.count("[Enter: ") > answered:
                answered += 1
                self.type(typed)
        self.returncode = self.process.wait()
        return Text.from_ansi(self.seen.replace("\r\n", "\n")).plain


def written_to_terminal(arguments: Sequence[object], cwd: Path, environment: Mapping[str, str]) -> str:
    """Return what the program writes to standard output, if that is a terminal; it must end well."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "concordant", *words(*arguments)],
        stdout=follower,
        stderr=subprocess.DEVNULL,
        cwd=cwd,
        env=dict(environment),
    )
    os.close(follower)
    seen = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        seen += part
    os.close(leader)
    assert process.wait() == 0
    return seen.decode().replace("\r\n", "\n")


def _own_terminal() -> None:
    """Make standard input the terminal that Ctrl-C is typed on."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
