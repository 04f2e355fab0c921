"""The program as a user runs it: in a process of its own, or, because that is slow, inside this one."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import warnings
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


def run(*arguments: object, cwd: Path | None = None, stdin: str | bytes = b"") -> Ended:
    """Run the program in this process, and leave the process as it was."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    stdout, stderr = io.StringIO(), io.StringIO()
    code: object = 0
    with contextlib.ExitStack() as stack:
        if cwd is not None:
            stack.enter_context(contextlib.chdir(cwd))
        stack.callback(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))
        stack.enter_context(mock.patch.dict(os.environ))
        stack.enter_context(mock.patch.object(sys, "argv", ["concordant", *words(*arguments)]))
        stack.enter_context(mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given))))
        stack.enter_context(contextlib.redirect_stdout(stdout))
        stack.enter_context(contextlib.redirect_stderr(stderr))
        stack.enter_context(warnings.catch_warnings())
        # As in a process of its own: shown on standard error, not raised, nor kept by pytest.
        warnings.simplefilter("default")
        warnings.showwarning = _show
        try:
            main()
        except SystemExit as end:
            code = end.code
    return Ended(int(code or 0), stdout.getvalue(), stderr.getvalue())  # type: ignore[call-overload]


def run_process(*arguments: object, cwd: Path | None = None, stdin: str | None = None, **options: object):
    """Run the program in a process of its own."""
    command = [sys.executable, "-m", "concordant", *words(*arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=cwd, input=stdin, **options
    )
