"""Rows of numbers that may be too long for the memory, and which number has a given rank in one of them."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import IO, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from concordant.errors import ArgumentError
from concordant.typing import Floats

_IN_MEMORY = 1 << 23  # bytes; what is larger is written to a temporary file
_DIGITS = (48, 32, 16, 0)  # the places of four digits of 16 bits
_SIGN = 1 << 63


class Ranked(NamedTuple):
    """The number with some rank in a row, and how many numbers of the row are smaller."""

    value: float
    smaller: int


class LongRows:
    """Rows of numbers of the same length, which arrive in pieces: some columns of all rows.

    Of rows that are longer, the memory holds one piece, and the temporary file the rest.
    """

    def __init__(self, n_rows: int, sizes: Sequence[int]) -> None:
        self.n_rows, self.sizes = n_rows, sizes
        self.starts: list[int] = [0, *np.cumsum(sizes).tolist()]
        self.file: IO[bytes] = io.BytesIO()
        if self.starts[-1] * n_rows * 8 > _IN_MEMORY:
            self.file = tempfile.TemporaryFile(prefix="concordant-")  # noqa: SIM115 - closed by __exit__

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()

    def put(self, number: int, piece: Floats) -> None:
        """Take a piece, rows x columns. Pieces come in any order."""
        try:
            self.file.seek(self.starts[number] * self.n_rows * 8)
            self.file.write(np.ascontiguousarray(piece, dtype=np.float64).tobytes())
            self.file.flush()
        except OSError as error:
            raise ArgumentError(
                f"the temporary file cannot be written ({error.strerror}); free some space in "
                f"{tempfile.gettempdir()}, or name another folder in TMPDIR"
            ) from None

    def row(self, number: int) -> Iterator[Floats]:
        """Yield a row, piece by piece."""
        for start, size in zip(self.starts, self.sizes, strict=False):
            self.file.seek((start * self.n_rows + number * size) * 8)
            yield np.frombuffer(self.file.read(size * 8), dtype=np.float64)

    def n_defined(self, row: int) -> int:
        """Return how many numbers of a row are not nan."""
        return sum(int((~np.isnan(piece)).sum()) for piece in self.row(row))

    def ranked(self, row: int, ranks: Sequence[int]) -> list[Ranked]:
        """Return the numbers of a row with these ranks; ranks begin with 0, and nan has none."""
        return _ranked(lambda: (_keys(piece[~np.isnan(piece)]) for piece in self.row(row)), ranks)

    def column(self, row: int, value: float, before: int) -> int:
        """Return the column of a row that has this value, after `before` others that have it too."""
        for start, piece in zip(self.starts, self.row(row), strict=False):
            found = np.flatnonzero(piece == value)
            if before < len(found):
                return start + int(found[before])
            before -= len(found)
        raise AssertionError


def _keys(values: Floats) -> NDArray[np.uint64]:
    """Return whole numbers in the order of the numbers; 0.0 and -0.0 are equal."""
    bits = (values + 0.0).view(np.uint64)
    return np.where(bits >> 63 == 1, ~bits, bits | np.uint64(_SIGN))


def _of_key(key: int) -> float:
    bits = key - _SIGN if key >= _SIGN else key ^ (2 * _SIGN - 1)
    return float(np.array(bits, dtype=np.uint64).view(np.float64))


def _ranked(pieces: Callable[[], Iterator[NDArray[np.uint64]]], ranks: Sequence[int]) -> list[Ranked]:
    """Find the keys with these ranks digit by digit: count the next digit of those that begin alike."""
    begin, smaller = [0] * len(ranks), [0] * len(ranks)
    for digit in _DIGITS:
        counts = {key: np.zeros(1 << 16, dtype=np.int64) for key in begin}
        for keys in pieces():
            head = keys >> digit
            for key in counts:
                own = head[head >> 16 == key] & 0xFFFF
                counts[key] += np.bincount(own.astype(np.int64), minlength=1 << 16)
        for k, rank in enumerate(ranks):
            upto = smaller[k] + np.cumsum(counts[begin[k]])
            found = int(np.searchsorted(upto, rank, side="right"))
            smaller[k] = int(upto[found - 1]) if found else smaller[k]
            begin[k] = begin[k] << 16 | found
    return [Ranked(_of_key(key), below) for key, below in zip(begin, smaller, strict=True)]
