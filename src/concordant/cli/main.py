"""The entry point: runs a command and turns errors into one sentence and an exit code."""

# Other imports wait until `main` is called, so that Ctrl-C is a sentence there too.
from __future__ import annotations

import os
import sys

_asked: list[int] = []  # the signals that asked this program to end


def main() -> None:
    """Run the program; end with 0 if all is fine, 1 if a check fails, 2 for wrong use or bad input."""
    _asked.clear()
    try:
        _listen()
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is None:  # closed by the program that started this one
                setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
            elif hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")  # characters that the terminal cannot show
        code = _run(sys.argv[1:])
        sys.stdout.flush()
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - a user sees a sentence, whatever it is
        code = _ended_by(error)
    sys.exit(code)


def _listen() -> None:
    """Let SIGTERM end the program as Ctrl-C does, so that no partial file is left."""
    import signal
    import threading

    def end(number: int, _: object) -> None:
        _asked.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, end)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # it is not ignored
            signal.signal(signal.SIGINT, end)


def _ended_by(error: BaseException) -> int:
    """Tell why the program ends, and return its exit code."""
    from concordant.errors import visible

    # A library that is interrupted while it is imported may raise something else.
    if isinstance(error, KeyboardInterrupt) or _asked:
        import signal

        number = _asked[0] if _asked else signal.SIGINT
        what = "terminated" if number == signal.SIGTERM else "interrupted"
        print(f"\nconcordant: {what}", file=sys.stderr)
        return 128 + number
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if "--debug" in sys.argv:
        import traceback

        lines = "".join(traceback.format_exception(error)).split("\n")
        print(*map(visible, lines), sep="\n", file=sys.stderr)
    print(visible(_sentence(error)), file=sys.stderr)
    return 2


def _sentence(error: BaseException) -> str:
    """Return the message of an error; errors about arguments already name the command."""
    from concordant.errors import ConcordantError

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
    from concordant.errors import missing_library, visible

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
    except click.exceptions.Abort:
        raise KeyboardInterrupt from None
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
