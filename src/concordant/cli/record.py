"""Where the result of a command comes from: the command line, and the files with their checksums."""

from __future__ import annotations

import hashlib
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from concordant.cli.elsewhere import command_line
from concordant.cli.paths import files_read
from concordant.cli.progress import Progress

if TYPE_CHECKING:
    from concordant.results.provenance import Input
    from concordant.results.result import Result


R = TypeVar("R", bound="Result[Any]")


def with_provenance(result: R) -> R:
    """Return a result with the command that made it and the files that were read.

    This reads every file again, so that it is done only for formats that contain the provenance.
    """
    from concordant.results.provenance import Provenance

    if result.provenance is not None:
        return result
    files = dict.fromkeys(files_read(click.get_current_context()))
    command = shlex.join(["concordant", *command_line()])
    with Progress("checksums of the files"):
        inputs = tuple(map(_input, files))
    return replace(result, provenance=Provenance(command, inputs))


def _input(file: str) -> Input:
    from concordant.results.provenance import Input

    path = Path(file)
    if file == "-" or not path.is_file():  # a pipe cannot be read twice
        return Input(file)
    with path.open("rb") as opened:  # in pieces, as it is on the disk
        return Input(file, path.stat().st_size, hashlib.file_digest(opened, "sha256").hexdigest())
