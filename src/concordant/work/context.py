"""Where the work of a call is done: who does it, where its pieces are kept, and which of them are wanted.

The command line says this once for all that a command does. In Python each function has its `executor`.
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

_PIECES = 32  # of one question, at most
_LEAST = 16  # a piece is no smaller than this part of what is computed at once: it must be worth its journey


class Shard(NamedTuple):
    """One of several parts of the work: every `of`-th piece from `number` on, which counts from 1."""

    number: int
    of: int

    def has(self, piece: int) -> bool:
        """Say whether a piece is in this part."""
        return piece % self.of == self.number - 1


class ShardDone(BaseException):
    """The pieces of this part are done.

    It is no error. It is not an `Exception`, so that nothing on the way takes it for one.
    """


@dataclass(frozen=True)
class Work:
    """Who does the work, where its pieces are kept, and which of them are wanted."""

    executor: Executor | None = None
    store: PieceStore | None = None
    shard: Shard | None = None

    @property
    def in_one_go(self) -> bool:
        """Whether there is no reason to cut the work small."""
        return self.executor is None and self.store is None


_HERE = Work()
_work: ContextVar[Work] = ContextVar("work", default=_HERE)


def current_work(executor: Executor | None = None) -> Work:
    """Return how work is done here; the executor of a call comes before that of the command line."""
    found = _work.get()
    return found if executor is None else Work(executor, found.store, found.shard)


@contextmanager
def working(work: Work) -> Iterator[None]:
    """Let all work below be done in this way."""
    token = _work.set(work)
    try:
        yield
    finally:
        _work.reset(token)


def piece_size(total: int, most: int, executor: Executor | None = None) -> int:
    """Return how many of `total` like steps make a piece, at most so many.

    Where the pieces are kept or sent, their size depends on the work alone, so that another number of workers
    finds the same pieces. The results do not depend on it.
    """
    if current_work(executor).in_one_go:
        return most
    return max(1, min(most, max(-(-total // _PIECES), most // _LEAST)))
