"""Write the manual page man/concordant.1 from the commands themselves, whose help says the same."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import click

from concordant import __version__
from concordant.cli.program import all_commands, program

TARGET = Path(__file__).parent.parent.parent / "man" / "concordant.1"
ENVIRONMENT = {
    "CONCORDANT_MAX_SIZE": "Largest file that is read, after unpacking, in bytes.",
    "CONCORDANT_MAX_LINE": "Longest line that is read, in characters.",
    "CONCORDANT_MAX_CELL": "Longest cell of a table that is read, in characters.",
    "CONCORDANT_MAX_PAIRS": "Most pairs of systems that are listed and tested.",
    "CONCORDANT_MAX_CELLS": "Most cells of a file that is read.",
    "NO_COLOR": "If it is set, nothing is printed in bold.",
}
EXITS = {
    "0": "All is fine.",
    "1": "A value is shown to be less than --at-least or undefined; with --strict, also if not decided.",
    "2": "Wrong use, or input that cannot be read.",
    "130": "Interrupted by Ctrl-C.",
    "143": "Ended by SIGTERM.",
}


def escaped(text: str) -> str:
    """Return text as roff shows it: a hyphen that can be copied, and no line that begins a request."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def paragraphs(text: str) -> list[str]:
    """Return the lines of a help text; a block that click would not wrap keeps its lines."""
    lines: list[str] = []
    for block in inspect.cleandoc(text).split("\n\n"):
        kept = block.startswith("\b\n")
        content = escaped(block.removeprefix("\b\n"))
        lines += [".PP", *([".nf", content, ".fi"] if kept else [" ".join(content.split())])]
    return lines


def context_of(command: click.Command) -> click.Context:
    """Return what a command knows when its help is printed."""
    whole = click.Context(program, info_name="concordant", **program.context_settings)
    return whole if command is program else click.Context(command, whole, command.name)


def options(command: click.Command) -> list[str]:
    """Return the options of a command, as its help lists them."""
    context = context_of(command)
    lines = []
    for each in command.get_params(context):
        record = each.get_help_record(context) if isinstance(each, click.Option) else None
        if record is not None:
            lines += [".TP", rf"\fB{escaped(record[0])}\fR", escaped(record[1])]
    return lines


def page() -> str:
    """Return the page."""
    lines = [
        f'.TH CONCORDANT 1 "" "concordant {__version__}" "User Commands"',
        *(".SH NAME", r"concordant \- say how well two rankings agree"),
        *(".SH SYNOPSIS", r"\fBconcordant\fR [\fIOPTIONS\fR] \fICOMMAND\fR [\fIARGS\fR]..."),
        *(".SH DESCRIPTION", *paragraphs(program.help or "")[1:]),
        *(".SH OPTIONS", *options(program)),
        ".SH COMMANDS",
    ]
    for name, command in all_commands().items():
        usage = " ".join(command.collect_usage_pieces(context_of(command)))
        lines += [f'.SS "concordant {escaped(name)}"', rf"\fBconcordant {escaped(name)}\fR {escaped(usage)}"]
        lines += [*paragraphs(command.help or ""), *options(command)]
    for title, entries in (("EXIT STATUS", EXITS), ("ENVIRONMENT", ENVIRONMENT)):
        lines.append(f".SH {title}")
        for name, text in entries.items():
            lines += [".TP", rf"\fB{name}\fR", escaped(text)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"wrote man/{TARGET.name}\n")
