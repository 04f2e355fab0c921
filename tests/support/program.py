"""The program as a user runs it: in a process of its own, or, because that is slow, inside this one."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from concordant.cli.main import main


@dataclass(frozen=True)
class Ended:
    """How a run of the program ended; the fields of `subprocess.CompletedProcess` that tests look at."""

    returncode: int
    stdout: str
    stderr: str


def _show(message, category, filename, lineno, file=None, line=None):
    (file or sys.stderr).write(warnings.formatwarning(message, category, filename, lineno, line))


def words(*arguments: object) -> list[str]:
    """Return the words of a command line; the command may be named with its group, as "experiment swap"."""
    command, *rest = map(str, arguments)
    return [*command.split(), *rest]


class _Stream(io.TextIOWrapper):
    """Standard output or error, kept in memory; perhaps a terminal."""

    def __init__(self, terminal: bool = False) -> None:
        self.bytes, self.terminal = io.BytesIO(), terminal
        super().__init__(self.bytes, encoding="utf-8", newline="", write_through=True)

    def isatty(self) -> bool:
        return self.terminal

    def text(self) -> str:
        return self.bytes.getvalue().decode()


def run(
    *arguments: object,
    cwd: Path | None = None,
    stdin: str | bytes = b"",
    env: Mapping[str, str] | None = None,
    columns: int | None = None,
) -> Ended:
    """Run the program in this process, and leave the process as it was.

    With `columns`, standard output is a terminal of this width.
    """
    given = stdin.encode() if isinstance(stdin, str) else stdin
    stdout, stderr = _Stream(terminal=columns is not None), _Stream()
    shown = {} if columns is None else {"COLUMNS": str(columns), "TERM": "xterm-256color"}
    code: object = 0
    with contextlib.ExitStack() as stack:
        if cwd is not None:
            stack.enter_context(contextlib.chdir(cwd))
        for number in (signal.SIGTERM, signal.SIGINT):
            stack.callback(signal.signal, number, signal.getsignal(number))
        stack.enter_context(mock.patch.dict(os.environ, {**shown, **(env or {})}))
        if columns is not None and not env:
            os.environ.pop("NO_COLOR", None)
        stack.enter_context(mock.patch.object(sys, "argv", ["concordant", *words(*arguments)]))
        stack.enter_context(mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given))))
        stack.enter_context(contextlib.redirect_stdout(stdout))
        stack.enter_context(contextlib.redirect_stderr(stderr))
        stack.enter_context(warnings.catch_warnings())
        # As in a process of its own: shown on standard error, not raised, nor kept by pytest.
        warnings.simplefilter("default")
        # Of Python 3.12 and 3.13, about the threads of the tests; a process of its own does not show it.
        warnings.filterwarnings("ignore", r"This process \(pid=\d+\) is multi-threaded", DeprecationWarning)
        warnings.showwarning = _show
        try:
            main()
        except SystemExit as end:
            code = end.code
    return Ended(int(code or 0), stdout.text(), stderr.text())  # type: ignore[call-overload]


def run_process(*arguments: object, cwd: Path | None = None, stdin: str | None = None, **options: object):
    """Run the program in a process of its own."""
    command = [sys.executable, "-m", "concordant", *words(*arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=cwd, input=stdin, **options
    )
