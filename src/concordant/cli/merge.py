"""Parts of a computation, written by --shard, and the command that merges them: merge."""

from __future__ import annotations

import hashlib
import io
import json
import re
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from concordant.cli.command import named
from concordant.cli.debug import debug
from concordant.cli.elsewhere import command_line, said
from concordant.cli.options import workers_here
from concordant.cli.output import tell
from concordant.cli.paths import READS, WRITES, files_read
from concordant.errors import ArgumentError, fail

if TYPE_CHECKING:
    from concordant.work.pieces import Shard
    from concordant.work.store import PieceStore


_MANIFEST = "manifest.json"
_OWN = ("output", "workers")  # options that may differ from part to part


class _Part(NamedTuple):
    path: str
    number: int
    of: int
    about: dict[str, Any]  # the same in all parts
    pieces: dict[str, bytes]


def write_part(
    path: str,
    command: str,
    options: Mapping[str, Any],
    inputs: Mapping[str, str],
    shard: Shard,
    store: PieceStore,
) -> None:
    """Write the pieces of a part to one file, with what identifies the whole computation."""
    from concordant.work.store import versions, write_at_once

    pieces = {name: (store.folder / name).read_bytes() for name in sorted({*store.found, *store.written})}
    manifest = {
        "command": command,
        "options": {name: value for name, value in sorted(options.items()) if name not in _OWN},
        "versions": versions(),
        "inputs": dict(inputs),
        "words": command_line()[:-2],  # without the file of this part
        "part": shard.number,
        "of": shard.of,
        "pieces": {name: hashlib.sha256(content).hexdigest() for name, content in pieces.items()},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        files = {_MANIFEST: json.dumps(manifest, indent=1).encode(), **pieces}
        for name, content in files.items():
            archive.writestr(
                zipfile.ZipInfo(name), content
            )  # without a time stamp, so that the bytes are the same each time
    write_at_once(Path(path), packed.getvalue())


def inputs_of(context: click.Context) -> dict[str, str]:
    """Return the files that a command reads, with their checksums."""
    found = list(files_read(context))
    if "-" in found:
        raise ArgumentError("standard input cannot be read again for the next part; save it to a file first")
    return {path: _checksum(path) for path in found}


def _checksum(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        fail(path, None, f"cannot be read: {error.strerror}; it is an input of the parts")


def _read(path: str) -> _Part:
    wrong = "is not a part that --shard wrote, or it is damaged"
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = json.loads(archive.read(_MANIFEST))
            # The names become file names, and the unpacked size is limited.
            plain = all(each.compress_type == zipfile.ZIP_STORED for each in archive.infolist())
            if not plain or not all(re.fullmatch("[0-9a-f]{64}", name) for name in manifest["pieces"]):
                fail(path, None, wrong)
            pieces = {name: archive.read(name) for name in manifest["pieces"]}
        sums = {name: hashlib.sha256(content).hexdigest() for name, content in pieces.items()}
        if sums != manifest.pop("pieces"):
            fail(path, None, wrong)
        return _Part(path, manifest.pop("part"), manifest.pop("of"), manifest, pieces)
    except FileNotFoundError:
        fail(path, None, "no such file; check its name and folder")
    except (OSError, zipfile.BadZipFile, ValueError, KeyError, TypeError, AttributeError):
        fail(path, None, wrong)


def _check(parts: Sequence[_Part]) -> None:
    """Refuse parts that do not belong together, missing parts, and inputs that have changed."""
    from concordant.work.store import versions

    first = parts[0]
    there: dict[int, str] = {}
    for part in parts:
        for what, text in (
            ("command", "another command"),
            ("options", "other options"),
            ("versions", "another version"),
            ("inputs", "other inputs"),
        ):
            if part.about.get(what) != first.about.get(what):
                fail(part.path, None, f"was made with {text} than {first.path}; make both in the same way")
        if part.of != first.of:
            fail(part.path, None, f"is one of {part.of} parts, and {first.path} is one of {first.of}")
        if part.number in there:
            fail(part.path, None, f"is part {part.number}, as is {there[part.number]}; give each part once")
        there[part.number] = part.path
    missing = [f"{number}/{first.of}" for number in range(1, first.of + 1) if number not in there]
    if missing:
        raise ArgumentError(f"parts are missing: {', '.join(missing)}; make them with --shard")
    if first.about["versions"] != versions():
        what = f"was made with {first.about['versions']}, this program has {versions()}"
        fail(first.path, None, f"{what}; merge with the same versions")
    for path, checksum in first.about["inputs"].items():
        if _checksum(path) != checksum:
            fail(path, None, "has changed since the parts were made; make them again")


def _as_parsed(value: Any) -> Any:
    """Return an option as the command takes it: JSON has no tuples."""
    return tuple(map(_as_parsed, value)) if isinstance(value, list) else value


@named("merge", no_args_is_help=True)
@click.argument("parts", nargs=-1, required=True, type=READS, metavar="PART...")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=WRITES,
    help="Write the result to this file. By default it is printed.",
)
@workers_here
@debug
@click.pass_context
def merge(context: click.Context, parts: tuple[str, ...], output: str | None, workers: int) -> Any:
    """Merge the parts that --shard wrote, and finish the work.

    The result is the same as that of the whole command. The input files of the command must still exist and
    be unchanged. With --shard 1/40 -o part1, a command does one of 40 parts.

    \b
    Example:
      concordant merge part* -o answer.json
    """
    from concordant.reading.files import expand
    from concordant.work.store import PieceStore

    read = [_read(str(path)) for path in expand(parts)]
    _check(read)
    about = read[0].about
    group = context.parent.command if context.parent is not None else None
    command = group.get_command(context, about["command"]) if isinstance(group, click.Group) else None
    if command is None or all(parameter.name != "shard" for parameter in command.params):
        fail(read[0].path, None, f"there is no command {about['command']!r} that has parts")
    with tempfile.TemporaryDirectory() as folder:
        store = PieceStore(folder, read_only=True)
        for part in read:
            for name, content in part.pieces.items():
                (store.folder / name).write_bytes(content)
        own = click.Context(command, parent=context.parent, info_name=command.name, obj=store)
        own.params = {name: _as_parsed(value) for name, value in about["options"].items()}
        own.params |= {
            parameter.name: {"output": output, "workers": workers}[parameter.name]
            for parameter in command.params
            if parameter.name in _OWN
        }
        with own, said(about["words"], output):
            code = command.invoke(own)
        tell(f"merged {len(read)} parts, {len(store.found)} pieces")
    return code


COMMANDS = (merge,)
