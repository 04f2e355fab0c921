"""The files that commands read and write: what can be refused is refused before any work."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from concordant.errors import ArgumentError, fail

__all__ = ["READS", "WRITES", "check_paths", "format_of"]


class _Reads(click.ParamType):  # type: ignore[type-arg]
    """A file that a command reads, or a pattern of files."""

    name = "file"


class _Writes(click.ParamType):  # type: ignore[type-arg]
    """A file that a command writes."""

    name = "file"


READS, WRITES = _Reads(), _Writes()


def _paths(context: click.Context, kind: _Reads | _Writes) -> Iterator[tuple[str, str]]:
    """Yield the paths that were given for parameters of a kind, each with the name of its option."""
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if parameter.type is kind and value is not None:
            name = max(parameter.opts, key=len) if isinstance(parameter, click.Option) else ""
            for path in (value,) if isinstance(value, str) else value:
                yield path, name


def _read(context: click.Context) -> Iterator[str]:
    from concordant.io import expand, is_pattern

    for path, _ in _paths(context, READS):
        if path != "-":
            yield from map(str, expand(path)) if is_pattern(path) else (path,)


def check_paths(context: click.Context) -> None:
    """Refuse a file that cannot be written, one that is read, and one that is written twice."""
    written: dict[str, str] = {}
    for path, name in _paths(context, WRITES):
        if path == "-":
            continue
        if path == "":
            raise ArgumentError(f"{name}: the name of the file is empty")
        target = os.path.realpath(path)
        if target in written:
            raise ArgumentError(f"{written[target]} and {name} name the same file, {path}; give two names")
        written[target] = name
        _check_writable(path, name)
        if Path(target).is_file():
            same = next((each for each in _read(context) if _is_same(each, target)), None)
            if same is not None:
                what = "is one of the inputs" if same == path else f"is the same file as the input {same}"
                fail(path, None, f"{what}, and the result would replace it; give {name} another name")


def _is_same(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)  # by device and inode, through links
    except OSError:  # one of them does not exist
        return False


def _check_writable(path: str, name: str) -> None:
    target = Path(os.path.realpath(path))
    if target.is_dir():
        fail(path, None, f"is a folder; give {name} the name of a file")
    if target.exists() and not target.is_file():  # a pipe or a device
        return
    folder = target.parent
    if not folder.is_dir():
        fail(path, None, f"the folder {folder} does not exist; make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        fail(path, None, f"the folder {folder} cannot be written to; choose another")


_ENDINGS = {".csv": "csv", ".json": "json", ".md": "markdown", ".tex": "latex", ".txt": "table"}
_OTHERS = (".parquet", ".xlsx", ".xls", ".ods", ".html", ".pdf", ".png", ".svg", ".jsonl", ".tsv")


def format_of(how: dict[str, Any]) -> str:
    """Return the format that --format names, or the ending of the output file."""
    asked, output = how["format"], how["output"]
    if output is None:
        return asked or "table"
    ending = Path(output.removesuffix(".gz")).suffix.lower()
    known = _ENDINGS.get(ending)
    if ending in _OTHERS or (asked is not None and known not in (None, asked)):
        wanted = f"the format is {asked}" if asked is not None else "that format is not written"
        fail(output, None, f"ends in {ending}, and {wanted}; endings are {', '.join(_ENDINGS)}")
    return asked or known or "table"
