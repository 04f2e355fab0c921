"""The entry point: runs a command and turns errors into one sentence and an exit code."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import NoReturn

from concordant.errors import ConcordantError, missing_library, visible


class _Terminated(KeyboardInterrupt):
    """The program was asked to end (SIGTERM). As after Ctrl-C, no partial file is left."""


def _terminate(*_: object) -> NoReturn:
    raise _Terminated


def main() -> None:
    """Run the program; end with 0 if all is fine, 1 if a check fails, 2 for wrong use or bad input."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _terminate)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the program that started this one
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # characters that the terminal cannot show
    try:
        code = _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except KeyboardInterrupt as end:
        terminated = isinstance(end, _Terminated)
        print(f"\nconcordant: {'terminated' if terminated else 'interrupted'}", file=sys.stderr)
        code = 128 + (signal.SIGTERM if terminated else signal.SIGINT)
    except Exception as error:  # noqa: BLE001 - a user sees a sentence, whatever it is
        if "--debug" in sys.argv:
            import traceback

            traceback.print_exc()
        print(visible(_sentence(error)), file=sys.stderr)
        code = 2
    sys.exit(code)


def _sentence(error: Exception) -> str:
    """Return the message of an error; errors about arguments already name the command."""
    what = str(error) or type(error).__name__
    if isinstance(error, ConcordantError) and error.caller:
        return what
    if isinstance(error, OSError) and error.filename:
        what = f"{error.filename}: {error.strerror}"
    elif not isinstance(error, ConcordantError | ImportError | OSError | MemoryError):
        fault = f"internal error ({type(error).__name__}: {what})"
        what = f"{fault}; run again with --debug and report what it shows"
    return f"concordant: {what}"


def _run(arguments: list[str]) -> int:
    try:
        import click

        from concordant.cli.program import program
    except ModuleNotFoundError as error:
        if error.name not in ("click", "rich"):
            raise
        raise missing_library("the command line", "click and rich", "cli") from None
    try:
        result = program.main(arguments, prog_name="concordant", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Abort as error:
        cause = error.__cause__
        raise (cause if isinstance(cause, KeyboardInterrupt) else KeyboardInterrupt) from None
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx is not None else "concordant"
        what = f"{command}: {error.format_message().rstrip('.?')}; see {command} --help"
        print(visible(what), file=sys.stderr)
        return 2
    except click.ClickException as error:
        print(visible(f"concordant: {error.format_message()}"), file=sys.stderr)
        return error.exit_code
