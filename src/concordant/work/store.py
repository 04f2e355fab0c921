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
import time
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from concordant._version import __version__
from concordant.checks import distinct_keys
from concordant.errors import ArgumentError, InputError

_TEMPORARY = ".concordant-"  # prefix of the name of a file that is not yet complete
_PLAIN = "plain values"  # as JSON, among the arrays
_ROUNDED = 1e-9  # how far a value may be beyond its bounds


def write_at_once(target: Path, content: bytes, *, sync: bool = True) -> None:
    """Write a file in one step: it appears complete or not at all, even if the program is killed.

    Without `sync`, a power cut may leave an incomplete file.
    """
    temporary = target.with_name(f"{_TEMPORARY}{os.urandom(8).hex()}")
    try:
        # "x" creates a file that was not there, with the permissions that the user's umask gives.
        with temporary.open("xb") as file:
            file.write(content)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
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


def digest(*values: Any) -> str:
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
        for left in self.folder.glob(f"{_TEMPORARY}*"):
            with contextlib.suppress(OSError):
                if time.time() - left.stat().st_mtime > 3600:  # left by a program that was ended
                    left.unlink()
        self.found: list[str] = []
        self.written: list[str] = []

    def name(self, *what: Any) -> str:
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
        except (
            EOFError,
            KeyError,
            OSError,
            RuntimeError,
            TypeError,
            ValueError,
            zipfile.BadZipFile,
            zlib.error,
        ):
            return None  # someone else made it
        numbers = [array for array in found.values() if np.issubdtype(array.dtype, np.floating)]
        if any(
            np.isinf(own).any() or (own < low - _ROUNDED).any() or (own > high + _ROUNDED).any()
            for own in numbers
        ):
            return None
        self.found.append(name)
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
