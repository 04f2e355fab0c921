"""Pieces of work, done here or by an executor."""

from __future__ import annotations

import itertools
import math
import os
import pickle
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant.errors import ArgumentError, ArgumentTypeError, ConcordantError, named_here, option
from concordant.typing import Progress
from concordant.work.store import PieceStore, digest

Function: TypeAlias = Callable[[Any, Any, int], dict[str, Any]]

_ATTEMPTS = 4  # attempts at a piece whose worker was lost
_KEPT = 4  # sets of data that a worker holds
_UNKNOWN_WORKERS = 32  # workers of an executor that does not say how many it has


def in_pieces(
    function: Function,
    shared: Any,
    pieces: Iterable[Any],
    *,
    executor: Executor | None = None,
    threads: int = 1,
    sizes: Sequence[int] | None = None,
    question: Callable[[], Any] | None = None,
    key: Callable[[Any], Any] | None = None,
    take: Callable[[int, dict[str, Any]], None] | None = None,
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """Return ``function(shared, piece, threads)`` for all pieces, in their order.

    Parameters
    ----------
    function : callable
        A function at the top level of a module. It returns a dict of arrays and of plain values (JSON).
    shared
        The data of all pieces, which each worker gets about once.
    pieces : iterable
        The pieces, which are taken one by one.
    executor : Executor, optional
        The executor that does the work. By default it is that of the command line; without one, this process
        does one piece after another.
    threads : int
        The number of threads for work in this process. A worker of an executor has one.
    sizes : list of int, optional
        The weight of each piece in the progress.
    question : callable, optional
        A function that returns what identifies the shared data in a store; by default the data themselves.
    key : callable, optional
        A function that returns what identifies a piece in a store, or None if it cannot be kept; by default
        the piece itself.
    take : callable, optional
        Called as ``take(number, result)`` as pieces arrive, in any order, if all results together may be too
        large for the memory. No result is returned then.
    progress : callable, optional
        A function that is called as ``progress(done, total)`` when pieces arrive.
    """
    work = current_work(executor)
    if sizes is None:
        pieces = list(pieces)
        sizes = [1] * len(pieces)
    arrived = _Arrived(sizes, take, progress)
    asked = ""
    if work.store is not None:
        what = f"{function.__module__}.{function.__qualname__}"
        asked = digest(what, shared if question is None else question())
    wanted = _Wanted(work, asked, key, arrived)
    if work.executor is None:
        for number, piece, name in wanted.of(pieces):
            wanted.keep(number, name, function(shared, piece, threads))
    else:
        _Handing(work.executor, function, shared, wanted).all(wanted.of(pieces))
    if work.shard is not None and arrived.number < len(sizes):
        raise ShardDone  # the rest of the computation needs the pieces of the other parts
    return arrived.results()


class _Arrived:
    """The results so far."""

    def __init__(
        self,
        sizes: Sequence[int],
        take: Callable[[int, dict[str, Any]], None] | None,
        progress: Progress | None,
    ) -> None:
        self.sizes, self.take, self.progress = sizes, take, progress
        self.total, self.done, self.number = sum(sizes), 0, 0
        self.found: dict[int, dict[str, Any]] = {}

    def add(self, number: int, result: dict[str, Any]) -> None:
        if self.take is None:
            self.found[number] = result
        else:
            self.take(number, result)
        self.number += 1
        self.done += self.sizes[number]
        if self.progress is not None:
            self.progress(self.done, self.total)

    def results(self) -> list[dict[str, Any]]:
        return [self.found[number] for number in sorted(self.found)]


class _Wanted:
    """The pieces to do: those of this shard that are not in the store."""

    def __init__(
        self, work: Work, question: str, key: Callable[[Any], Any] | None, arrived: _Arrived
    ) -> None:
        self.work, self.question, self.key, self.arrived = work, question, key, arrived

    def of(self, pieces: Iterable[Any]) -> Iterator[tuple[int, Any, str | None]]:
        store, shard = self.work.store, self.work.shard
        for number, piece in enumerate(pieces):
            name = None
            if store is not None:
                known = piece if self.key is None else self.key(piece)
                name = None if known is None else store.name(self.question, known)
            result = None if store is None or name is None else store.read(name)
            if result is not None:
                self.arrived.add(number, result)
            elif shard is None or shard.has(number):
                yield number, piece, name

    def keep(self, number: int, name: str | None, result: dict[str, Any]) -> None:
        if self.work.store is not None and name is not None:
            self.work.store.write(name, result)
        self.arrived.add(number, result)


class _Task(NamedTuple):
    number: int
    piece: Any
    name: str | None
    attempts: int = 0
    with_data: bool = False


class _Handing:
    """Hands out pieces to an executor.

    A piece is sent without the shared data. A worker that lacks the data says so, and gets them with its next
    piece. Only as many copies are sent as workers are known to lack them.
    """

    def __init__(self, executor: Executor, function: Function, shared: Any, wanted: _Wanted) -> None:
        if not callable(getattr(executor, "submit", None)):
            raise ArgumentTypeError(
                f"{option('executor')} must have a method submit, like those of concurrent.futures, got "
                f"{type(executor).__name__}"
            )
        self.executor, self.function, self.shared, self.wanted = executor, function, shared, wanted
        self.token = os.urandom(16).hex()
        self.packed: bytes | None = None
        self.under_way: dict[Future[Any], _Task] = {}
        self.again: deque[_Task] = deque()  # at once
        self.held: deque[_Task] = deque()  # until some worker has the data
        self.lacking: set[str] = set()
        self.attempt = itertools.count()
        self.counted, self.at_once = -math.inf, 0
        self.error: ConcordantError | None = None
        self.failed = math.inf  # the number of the piece with this error; the first one, as without executor

    def all(self, pieces: Iterator[tuple[int, Any, str | None]]) -> None:
        # Threads, and processes forked from this one, find the data here.
        _pinned[self.token] = self.shared
        try:
            while True:
                while len(self.under_way) < self._most_at_once() and (task := self._next(pieces)) is not None:
                    self._submit(task)
                if self.error is not None and not self._earlier():
                    raise self.error
                if not self.under_way:
                    return
                done, _ = wait(self.under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    self._arrived(self.under_way.pop(future), future)
        except BaseException:
            for future in self.under_way:
                future.cancel()
            raise
        finally:
            del _pinned[self.token]

    def _most_at_once(self) -> int:
        """Return how many pieces may be sent at once; the number of workers of a cluster may change."""
        now = time.monotonic()
        if now - self.counted > 2:
            self.counted, self.at_once = now, 2 * _n_workers(self.executor)
        return self.at_once

    def _earlier(self) -> bool:
        """Say whether a piece before the failed one is still running: its error would be the first."""
        left = (*self.under_way.values(), *self.again, *self.held)
        return any(task.number < self.failed for task in left)

    def _next(self, pieces: Iterator[tuple[int, Any, str | None]]) -> _Task | None:
        if self.again:
            return self.again.popleft()
        if self.held:
            copies = sum(task.with_data for task in self.under_way.values())
            if copies < len(self.lacking) or not self.under_way:
                return self.held.popleft()._replace(with_data=True)
            return None  # a new piece might reach a worker that still waits for the data
        if self.error is not None:
            return None
        found = next(pieces, None)
        return None if found is None else _Task(*found)

    def _submit(self, task: _Task) -> None:
        packed = self._pack() if task.with_data else None
        work = (self.token, next(self.attempt), self.function, _Packed(task.piece), packed)
        try:
            self.under_way[self.executor.submit(_do, *work)] = task
        except (BrokenExecutor, RuntimeError) as error:  # it is broken, or was shut down
            raise _lost(error) from None

    def _pack(self) -> bytes:
        if self.packed is None:
            self.packed = _pickled(self.shared)
        return self.packed

    def _arrived(self, task: _Task, future: Future[Any]) -> None:
        try:
            worker, result = future.result()
        except ConcordantError as error:
            if task.number < self.failed:
                self.failed, self.error = task.number, named_here(error)
                self.again = deque(each for each in self.again if each.number < task.number)
                self.held = deque(each for each in self.held if each.number < task.number)
            return
        except (Exception, CancelledError) as error:
            if not _is_loss(error):
                raise
            if task.attempts + 1 >= _ATTEMPTS:
                raise _lost(error) from None
            self.again.append(task._replace(attempts=task.attempts + 1, with_data=False))
            return
        if result is None:
            self.lacking.add(worker)
            self.held.append(task._replace(with_data=False))
            return
        self.lacking.discard(worker)
        self.again.extend(self.held)  # some worker has the data now
        self.held.clear()
        self.wanted.keep(task.number, task.name, result)


def _n_workers(executor: Executor) -> int:
    """Return how many workers an executor has, if it says so."""
    for name in ("_max_workers", "num_workers"):  # pools; MPI
        number = getattr(executor, name, None)
        if isinstance(number, int) and number > 0:
            return number
    client = getattr(executor, "_client", None)  # Dask
    if client is not None and hasattr(client, "nthreads"):
        return max(1, int(sum(client.nthreads().values())))
    return _UNKNOWN_WORKERS


def _is_loss(error: BaseException) -> bool:
    """Say whether an error means that the worker was lost."""
    # KilledWorker is an error of Dask, which is not imported here.
    return isinstance(error, BrokenExecutor | CancelledError) or type(error).__name__ == "KilledWorker"


def _lost(error: BaseException) -> ArgumentError:
    if isinstance(error, RuntimeError) and not isinstance(error, BrokenExecutor):
        return ArgumentError(f"{option('executor')} takes no work ({error}); give one that is open")
    return ArgumentError(
        "a process was ended by the system before its work was done, perhaps because the memory was "
        f"full; choose fewer processes with {option('workers')}"
    )


def _pickled(value: Any) -> bytes:
    try:
        return pickle.dumps(value, protocol=5)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ArgumentError(
            f"this work cannot be sent to other processes ({error}); define your own functions and measures "
            f"at the top of a file, or leave out {option('executor')}"
        ) from None


class _Packed:
    """A piece that is sent as bytes, because some executors deliver arrays that are not aligned."""

    def __init__(self, piece: Any) -> None:
        self.piece = piece

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpacked, (_pickled(self.piece),)


def _unpacked(packed: bytes) -> _Packed:
    return _Packed(pickle.loads(packed))


# --- in the worker ---

_pinned: dict[str, Any] = {}  # the data of the work that this process hands out
_data: OrderedDict[str, Any] = OrderedDict()  # the data of the work that it was given, the oldest first
_lock = threading.Lock()


def _do(
    token: str, attempt: int, function: Function, piece: _Packed, packed: bytes | None
) -> tuple[str, dict[str, Any] | None]:
    """Do a piece; the result is None if the data are not here. `attempt` makes each call different."""
    del attempt
    here = f"{os.uname().nodename if hasattr(os, 'uname') else ''} {os.getpid()}"
    with _lock:
        if token in _pinned:
            shared = _pinned[token]
        else:
            if packed is not None and token not in _data:
                _data[token] = pickle.loads(packed)
                while len(_data) > _KEPT:
                    _data.popitem(last=False)
            if token not in _data:
                return here, None
            shared = _data[token]
    return here, function(shared, piece.piece, 1)


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


class Draws:
    """The result of `draw(rng, *arguments)`; it is pickled as the state of the generator before the draw.

    `draw` is a function at the top level of a module. With ``keep=False`` the draws only advance the
    generator, and are repeated when they are needed.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        draw: Callable[..., NDArray[Any]],
        *arguments: Any,
        keep: bool = True,
    ) -> None:
        self.kind, self.state = type(rng.bit_generator), rng.bit_generator.state
        self.draw, self.arguments = draw, arguments
        drawn = draw(rng, *arguments)
        self.drawn = drawn if keep else None

    def __getstate__(self) -> dict[str, Any]:
        """Do not pickle the draws."""
        return {**self.__dict__, "drawn": None}

    def get(self) -> NDArray[Any]:
        """Return the draws."""
        return self.drawn if self.drawn is not None else self.draw(self.generator(), *self.arguments)

    def generator(self) -> np.random.Generator:
        """Return a generator in the state before the draws."""
        source = self.kind()
        source.state = self.state
        return np.random.Generator(source)


def rows_of(piece: Draws | NDArray[Any]) -> NDArray[Any]:
    """Return the draws of a piece, or the piece itself if it is an array."""
    return piece.get() if isinstance(piece, Draws) else piece
