"""Files: plain, packed, from standard input; errors name the file."""

from __future__ import annotations

import contextlib
import glob
import gzip
import io
import os
import re
import stat
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, TypeAlias, TypeGuard

from concordant.errors import ArgumentError, ArgumentTypeError, InputError, fail, shown

FileLike: TypeAlias = str | os.PathLike[str] | IO[Any]
"""A path or an open file; "-" is standard input."""

_ENDINGS = "gz csv tsv txt jsonl ndjson json parquet feather arrow md eval run qrels"

# The largest file, the longest line, the longest cell and the most cells that are read, and the most pairs of
# systems that are listed and tested. The names are those of environment variables, so that one setting holds
# for all functions, commands and processes.
_LIMITS = {
    "CONCORDANT_MAX_SIZE": 1 << 32,
    "CONCORDANT_MAX_LINE": 1 << 26,
    "CONCORDANT_MAX_CELL": 1 << 17,
    "CONCORDANT_MAX_CELLS": 1 << 23,
    "CONCORDANT_MAX_PAIRS": 500_000,
}

# The files that a command reads: the name of each by device and inode, which are the same through all links.
_read: ContextVar[dict[tuple[int, int], str] | None] = ContextVar("read", default=None)


def limit(name: str, usual: int = 0) -> int:
    """Return a limit of reading, such as that of ``CONCORDANT_MAX_CELL``; `usual` holds if none is set."""
    text = os.environ.get(name, "")
    if text == "":
        return usual or _LIMITS[name]
    if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) == 0:
        raise ArgumentError(f"{name} must be a whole number, 1 or more, got {shown(text)}")
    return int(text)


def most_cells(size: int) -> int:
    """Return how many cells a file may hold that has so many bytes on the disk."""
    return limit("CONCORDANT_MAX_CELLS", max(_LIMITS["CONCORDANT_MAX_CELLS"], 8 * size))


def check_cells(name: str, cells: int, size: int) -> None:
    """Refuse a file that holds many more cells than its bytes on the disk, `size`, explain."""
    if cells > (most := most_cells(size)):
        fail(name, None, f"holds more than {most} cells; set CONCORDANT_MAX_CELLS to a larger number")


def check_unpacked(name: str, unpacked: int, size: int) -> int:
    """Refuse a packed file of `size` bytes that becomes too large when it is unpacked; return the limit."""
    # Unpacked scores are ten times larger, some fifty times.
    most = limit("CONCORDANT_MAX_SIZE", min(_LIMITS["CONCORDANT_MAX_SIZE"], max(1 << 26, 50 * size)))
    if unpacked > most:
        large = f"becomes more than {most} bytes when it is unpacked"
        fail(name, None, f"{large}; set CONCORDANT_MAX_SIZE to a larger number")
    return most


def is_pattern(path: str) -> bool:
    """Return whether a path has wildcards and is not the name of an existing file."""
    return any(c in path for c in "*?[") and not Path(path).exists()


def is_file_like(value: object) -> TypeGuard[FileLike]:
    """Return whether this is a path or an open file."""
    return isinstance(value, str | os.PathLike) or hasattr(value, "read")


def are_files(data: object) -> TypeGuard[FileLike | Iterable[FileLike]]:
    """Return whether this is a file, or a list of files."""
    return is_file_like(data) or (isinstance(data, list | tuple | set) and all(map(is_file_like, data)))


def names_of(paths: Sequence[FileLike], taken: str = "") -> list[str]:
    """Name files by their stem, or by their path if two stems are equal or a name is taken."""
    stems = Counter([taken, *map(stem_of, paths)])
    names = [name_of(path) if stems[stem_of(path)] > 1 else stem_of(path) for path in paths]
    return [f"./{name}" if name == taken else name for name in names]


def expand(paths: FileLike | Iterable[FileLike]) -> list[FileLike]:
    """Return the files that match paths and patterns, without repetitions, sorted within a pattern."""
    if is_file_like(paths):
        paths = [paths]
    elif not isinstance(paths, Iterable):
        expected = "expected a path, an open file, or a list of these"
        raise ArgumentTypeError(f"{expected}, got {type(paths).__name__}")
    found: list[FileLike] = []
    for path in paths:
        if path == "":
            raise ArgumentError("the name of a file is empty; give a path")
        if not isinstance(path, str | os.PathLike):
            found.append(path)
            continue
        text = os.fspath(path)
        if text != "-" and is_pattern(text):
            # glob instead of pathlib, because patterns may be absolute
            matches = sorted(match for match in glob.glob(text, recursive=True) if Path(match).is_file())  # noqa: PTH207
            if not matches:
                fail(text, None, "no file matches; check the folder, and quote the pattern")
            found += matches
        elif text != "-" and Path(text).is_dir():
            inside = _files_in(Path(text).iterdir()) or _files_in(Path(text).rglob("*"))
            if not inside:
                fail(text, None, "is a folder without files")
            found += map(str, inside)
        else:
            found.append(text)
    if not found:
        raise ArgumentError("no files were given")
    for each in found:
        if isinstance(each, str):  # it may be another process that reads it
            keep_input(each)
    return list(dict.fromkeys(found))


def _files_in(paths: Iterable[Path]) -> list[Path]:
    return sorted(path for path in paths if path.is_file() and not path.name.startswith("."))


def name_of(source: FileLike) -> str:
    """Return the name of a file as messages give it."""
    if isinstance(source, str | os.PathLike):
        return "standard input" if os.fspath(source) == "-" else os.fspath(source)
    return str(getattr(source, "name", "the open file"))


def stem_of(source: FileLike) -> str:
    """Return the name of a file without folder and endings."""
    name = Path(name_of(source)).name
    for ending in _ENDINGS.split():
        name = name.removesuffix(f".{ending}")
    return name


def read_bytes(source: FileLike, name: str = "") -> tuple[bytes, int]:
    """Return what a file holds, unpacked if it is packed with gzip, and its size before; see `read_text`."""
    name, most = name or name_of(source), limit("CONCORDANT_MAX_SIZE")
    try:
        data = _contents(source, most + 1)
    except FileNotFoundError:
        fail(name, None, "no such file; check its name and folder")
    except OSError as error:
        fail(name, None, f"cannot be read: {error.strerror or error}")
    if len(data) > most:
        fail(name, None, f"holds more than {most} bytes; set CONCORDANT_MAX_SIZE to a larger number")
    return (_unpacked(name, data) if data[:2] == b"\x1f\x8b" else data), len(data)


def _unpacked(name: str, data: bytes) -> bytes:
    most = check_unpacked(name, 0, len(data))
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            found = _start_of(packed, most + 1)
    except EOFError:
        fail(name, None, "the gzip data ends too early; the file was cut off, copy it again")
    except (OSError, zlib.error) as error:
        fail(name, None, f"the gzip data is damaged ({error}); copy the file again")
    check_unpacked(name, len(found), len(data))
    return found


def _start_of(file: IO[bytes] | gzip.GzipFile, most: int) -> bytes:
    """Read up to a number of bytes, in parts: one call of `read` would reserve memory for all of them."""
    parts = []
    while most > 0 and (part := file.read(min(most, 1 << 20))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def _contents(source: FileLike, most: int) -> bytes:
    """Read up to a number of bytes."""
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        if path == "":
            raise ArgumentError("the name of a file is empty; give a path")
        keep_input(path)
        if path == "-":
            if sys.stdin is None:
                fail("standard input", None, "is closed; give the name of a file")
            return _start_of(sys.stdin.buffer, most)
        with Path(path).open("rb") as file:
            return _start_of(file, most)
    if not hasattr(source, "read"):
        raise ArgumentTypeError(f"expected a path or an open file, got {type(source).__name__}")
    data = source.read()
    return data.encode(errors="surrogatepass") if isinstance(data, str) else data


def read_text(source: FileLike, name: str = "") -> str:
    """Return the text of a file, plain or packed, without its byte order mark; messages may use a name."""
    return decoded(name or name_of(source), *read_bytes(source, name))


def decoded(name: str, data: bytes, size: int) -> str:
    """Return the bytes of a file as text; the file has `size` bytes on the disk."""
    if len(data) >= most_cells(size):  # otherwise there is nothing to count
        check_cells(
            name, max(map(data.count, (b"\n", b"\r"))) + max(map(data.count, (b",", b"\t", b";", b" "))), size
        )
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        fail(name, 1, "the text is UTF-16; save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, byte = data.count(b"\n", 0, error.start) + 1, data[error.start]
        fail(name, line, f"byte {byte:#04x} is not UTF-8; convert the file, for example with iconv")
    if "\0" in text:
        fail(name, text.count("\n", 0, text.index("\0")) + 1, "holds a zero byte; this is not a text file")
    if not text or text.isspace():
        fail(name, None, "is empty")
    most = limit("CONCORDANT_MAX_LINE")
    if len(text) > most:
        for number, one_line in enumerate(text.split("\n"), 1):
            if len(one_line) > most:
                long = f"the line has more than {most} characters"
                fail(name, number, f"{long}; set CONCORDANT_MAX_LINE to a larger number")
    return text


def write_whole(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Write a file in one step: it appears complete or not at all, even if the program is killed.

    It is packed if its name ends in .gz.
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    content = data.encode(errors="backslashreplace") if isinstance(data, str) else data
    if Path(path).suffix == ".gz":
        packed = io.BytesIO()
        # Without a time stamp, the file has the same bytes each time.
        with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as file:
            file.write(content)
        content = packed.getvalue()
    if target.exists() and not target.is_file():  # a pipe, or /dev/stdout
        if target.is_dir():
            fail(str(target), None, "is a folder; give the name of a file")
        target.write_bytes(content)
        return
    refuse_input(str(target), str(target))
    temporary = target.with_name(f".concordant-{os.urandom(8).hex()}")
    try:
        # "x" creates a file that was not there, with the permissions that the user's umask gives.
        with temporary.open("xb") as file:
            if target.exists():  # before there is something to read
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(f"{target}: cannot be written: {error.strerror}") from None
        raise


@contextlib.contextmanager
def inputs_kept() -> Iterator[None]:
    """Refuse to write, within this context, a file that is read within it."""
    token = _read.set({})
    try:
        yield
    finally:
        _read.reset(token)


def keep_input(name: str) -> None:
    """Note that a file is read, so that it is not written; "-" is standard input."""
    known, identity = _read.get(), _identity(name)
    if known is not None and identity is not None:
        known.setdefault(identity, "standard input" if name == "-" else name)


def refuse_input(target: str | int, name: str, output: str = "the output") -> None:
    """Refuse to write a file that is read; `output` is the option that names it."""
    known, identity = _read.get(), _identity(target)
    if known and identity in known:
        same = known[identity]
        what = "is one of the inputs" if same == name else f"is the same file as the input {same}"
        fail(name, None, f"{what}, and the result would replace it; give {output} another name")


def _identity(file: str | int) -> tuple[int, int] | None:
    """Return device and inode of a file; None for what does not exist, a pipe or a device."""
    try:
        found = os.stat(sys.stdin.fileno() if file == "-" else file)  # noqa: PTH116 - or an open file
    except (AttributeError, OSError, ValueError):  # also if standard input is closed
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
