"""The command line. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import os
import sys
import traceback

__all__ = ["main"]


def main() -> None:
    """Run the program; end with 0 if all is fine, 1 if a check fails, 2 for wrong use or bad input."""
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    debug = len(arguments) < len(sys.argv) - 1
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started the program
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # characters that the terminal lacks
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except KeyboardInterrupt:
        print("\nconcordant: interrupted", file=sys.stderr)
        code = 130
    except Exception as error:  # noqa: BLE001 - a user sees a sentence, whatever it is
        if debug:
            traceback.print_exc()
        expected = isinstance(error, ValueError | TypeError | ImportError | OSError | MemoryError)
        what = str(error) or type(error).__name__
        if isinstance(error, OSError) and error.filename:
            what = f"{error.filename}: {error.strerror}"
        if not expected:
            what = f"internal error ({type(error).__name__}: {what}); run again with --debug and report what it shows"
        print(f"concordant: {what}", file=sys.stderr)
        code = 2
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    try:
        import click

        from concordant.cli import commands
        from concordant.cli import experiments as _experiments  # noqa: F401 - adds its commands
    except ModuleNotFoundError as error:
        if error.name not in ("click", "rich"):
            raise
        raise ImportError("the command line needs click and rich: pip install 'concordant[cli]'") from None
    try:
        result = commands.program.main(arguments, prog_name="concordant", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Abort:
        raise KeyboardInterrupt from None
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx is not None else "concordant"
        print(f"concordant: {error.format_message().rstrip('.')}; see {command} --help", file=sys.stderr)
        return 2
    except click.ClickException as error:
        print(f"concordant: {error.format_message()}", file=sys.stderr)
        return error.exit_code
