"""How the work of a call is done: by which executor, with which store, and which part of it.

The command line sets this once for a whole command. In Python each function has the parameter `executor`.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import NamedTuple

from concordant.work.store import PieceStore

__all__ = ["Shard", "ShardDone", "Work", "current_work", "piece_size", "working"]

_PIECES = 32  # pieces of one computation, at most
_LEAST = 16  # a piece is at least this part of a batch, so that sending it is worth the time


class Shard(NamedTuple):
    """One of several parts of the work: every `of`-th piece from `number` on, which counts from 1."""

    number: int
    of: int

    def has(self, piece: int) -> bool:
        """Say whether a piece is in this part."""
        return piece % self.of == self.number - 1


class ShardDone(BaseException):
    """The pieces of this part are done.

    This is not an error. It is not an `Exception`, so that no handler of errors catches it.
    """


@dataclass(frozen=True)
class Work:
    """The executor, the store of results, and the part of the work to do."""

    executor: Executor | None = None
    store: PieceStore | None = None
    shard: Shard | None = None

    @property
    def in_one_go(self) -> bool:
        """Whether the work need not be cut into small pieces."""
        return self.executor is None and self.store is None


_HERE = Work()
_work: ContextVar[Work] = ContextVar("work", default=_HERE)


def current_work(executor: Executor | None = None) -> Work:
    """Return how work is done here; the executor of a call has priority over that of the command line."""
    found = _work.get()
    return found if executor is None else Work(executor, found.store, found.shard)


@contextmanager
def working(work: Work) -> Iterator[None]:
    """Set how all work within this context is done."""
    token = _work.set(work)
    try:
        yield
    finally:
        _work.reset(token)


def piece_size(total: int, most: int, executor: Executor | None = None) -> int:
    """Return how many of `total` equal steps make a piece, up to a limit.

    If pieces are kept or sent, their size depends only on the work, so that any number of workers has the
    same pieces. The results do not depend on the size.
    """
    if current_work(executor).in_one_go:
        return most
    return max(1, min(most, max(-(-total // _PIECES), most // _LEAST)))
