"""Results of pieces of work, each in a file of its own."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import math
import os
import pickle
import stat
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np

from concordant._version import __version__
from concordant.checks import distinct_keys
from concordant.errors import ArgumentError, InputError, fail

_PLAIN = "plain values"  # as JSON, among the arrays
# What a file that someone else made raises when it is read.
_NOT_OURS = (EOFError, KeyError, OSError, RuntimeError, TypeError, ValueError, zipfile.BadZipFile, zlib.error)
_ROUNDED = 1e-9  # how far a value may be beyond its bounds

# The files that a command reads: the name of each by device and inode, which are the same through all links.
_read: ContextVar[dict[tuple[int, int], str] | None] = ContextVar("read", default=None)


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


def write_at_once(target: Path, content: bytes, *, sync: bool = True) -> None:
    """Write a file in one step: it appears complete or not at all, even if the program is killed.

    Without `sync`, a power cut may leave an incomplete file.
    """
    refuse_input(str(target), str(target))
    temporary = target.with_name(f".concordant-{os.urandom(8).hex()}")
    try:
        # "x" creates a file that was not there, with the permissions that the user's umask gives.
        with temporary.open("xb") as file:
            if target.exists():  # before there is something to read
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            file.write(content)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(f"{target}: cannot be written: {error.strerror}") from None
        raise


def versions() -> dict[str, str]:
    """Return the versions on which results depend."""
    return {"concordant": __version__, "numpy": np.__version__}


def digest(*values: object) -> str:
    """Return a checksum of values, which is the same for equal values in every process."""
    into = io.BytesIO()
    # Without a memo: with one, the bytes depend on which equal values are the same object.
    pickler = pickle.Pickler(into, protocol=4)
    pickler.fast = True
    try:
        pickler.dump(values)
    except (pickle.PicklingError, AttributeError, TypeError, ValueError) as error:
        raise ArgumentError(
            f"pieces of this work cannot be kept, because a part of it has no name ({error}); define "
            "your own functions at the top of a file"
        ) from None
    return hashlib.sha256(into.getbuffer()).hexdigest()


def _arrays(content: bytes) -> dict[str, Any]:
    """Return the arrays of a piece, which are not packed, so that they take no more memory than the file."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        if sum(part.file_size for part in parts.infolist()) > len(content):
            raise ValueError("the arrays are packed")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return {key: arrays[key] for key in arrays.files}


class PieceStore:
    """A folder that keeps the results of pieces of work.

    A file is named by all that its content depends on: the versions of this package and of NumPy, the
    function, its data and options, and the piece. So no result is used for another computation. Each file
    begins with a checksum, so that a file that was cut off or changed is not used.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise ArgumentError(f"{folder} is a file; give a folder, which is made if it is missing")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ArgumentError(f"the folder {folder} cannot be made: {error.strerror}") from None
        self.found: list[str] = []
        self.written: list[str] = []

    def name(self, *what: object) -> str:
        """Return the name of a piece."""
        return digest(*versions().values(), *what)

    def read(self, name: str, low: float = -math.inf, high: float = math.inf) -> dict[str, Any] | None:
        """Return the result of a piece; None if there is no complete file, or a number is out of bounds."""
        try:
            content = (self.folder / name).read_bytes()
        except OSError:
            return None
        if hashlib.sha256(content[32:]).digest() != content[:32]:
            return None
        try:
            found = _arrays(content[32:])
            plain: dict[str, Any] = json.loads(found.pop(_PLAIN).tobytes(), object_pairs_hook=distinct_keys)
            result = plain | found
        except _NOT_OURS:
            return None
        numbers = [array for array in found.values() if np.issubdtype(array.dtype, np.floating)]
        if any(
            np.isinf(own).any() or (own < low - _ROUNDED).any() or (own > high + _ROUNDED).any()
            for own in numbers
        ):
            return None
        self.found.append(name)
        keep_input(str(self.folder / name))
        return result

    def write(self, name: str, result: dict[str, Any]) -> None:
        """Keep the result of a piece: arrays, and plain values."""
        arrays: dict[str, Any] = {k: v for k, v in result.items() if isinstance(v, np.ndarray)}
        plain = {key: value for key, value in result.items() if key not in arrays}
        arrays[_PLAIN] = np.frombuffer(json.dumps(plain).encode(), dtype=np.uint8)
        packed = io.BytesIO()
        np.savez(packed, **arrays)  # numbers only; reading refuses anything else
        content = packed.getvalue()
        write_at_once(self.folder / name, hashlib.sha256(content).digest() + content, sync=False)
        self.written.append(name)
