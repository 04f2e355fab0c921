"""Pieces of work, done here or by an executor."""

from __future__ import annotations

import functools
import itertools
import math
import os
import pickle
import signal
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant.errors import (
    ArgumentError,
    ArgumentTypeError,
    ConcordantError,
    InputError,
    named_here,
    option,
)
from concordant.typing import Progress
from concordant.work.store import PieceStore, digest

Function: TypeAlias = Callable[[Any, Any, int], dict[str, Any]]

_ATTEMPTS = 4  # attempts at a piece whose worker was lost
_KEPT = 4  # sets of data that a worker holds
_UNKNOWN_WORKERS = 32  # workers of an executor that does not say how many it has


def in_pieces(
    function: Function,
    shared: object,
    pieces: Iterable[Any],
    *,
    executor: Executor | None = None,
    threads: int = 1,
    sizes: Sequence[int] | None = None,
    question: Callable[[], Any] | None = None,
    key: Callable[[Any], Any] | None = None,
    take: Callable[[int, dict[str, Any]], None] | None = None,
    progress: Progress | None = None,
    bounds: Iterable[tuple[float, float]] = ((-math.inf, math.inf),),
) -> list[dict[str, Any]]:
    """Return ``function(shared, piece, threads)`` for all pieces, in their order.

    Parameters
    ----------
    function : callable
        A function at the top level of a module. It returns a dict of arrays and of plain values (JSON).
    shared
        Data needed by every piece; sent to each worker at most once in normal operation.
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
    bounds : iterable of (float, float)
        The bounds of the coefficients whose values the results hold. A result in a store that holds a number
        beyond all of them is computed again.
    """
    lows, highs = zip(*bounds, strict=True)
    executor, store = current_work(executor)
    if sizes is None:
        pieces = list(pieces)
        sizes = [1] * len(pieces)
    found: dict[int, dict[str, Any]] = {}
    total, done = sum(sizes), 0

    def arrived(task: _Task, result: dict[str, Any], new: bool = True) -> None:
        nonlocal done
        if new and store is not None and task.name is not None:
            store.write(task.name, result)
        (found.__setitem__ if take is None else take)(task.number, result)
        done += sizes[task.number]
        if progress is not None:
            progress(done, total)

    def lacking() -> Iterator[_Task]:
        """Yield the pieces that are not in the store."""
        what = f"{function.__module__}.{function.__qualname__}"
        asked = "" if store is None else digest(what, shared if question is None else question())
        for number, piece in enumerate(pieces):
            name = result = None
            if store is not None and (known := piece if key is None else key(piece)) is not None:
                name = store.name(asked, known)
                result = store.read(name, min(lows), max(highs))
            task = _Task(number, piece, name)
            if result is None:
                yield task
            else:
                arrived(task, result, new=False)

    if executor is None:
        for task in lacking():
            arrived(task, function(shared, task.piece, threads))
    else:
        _hand_out(executor, function, shared, lacking(), arrived)
    return [found[number] for number in sorted(found)]


class _Task(NamedTuple):
    number: int
    piece: Any
    name: str | None  # in the store
    attempts: int = 0
    with_data: bool = False


def _hand_out(
    executor: Executor,
    function: Function,
    shared: object,
    tasks: Iterator[_Task],
    computed: Callable[[_Task, dict[str, Any]], None],
) -> None:
    """Send pieces to an executor, and those of lost workers once more; raise the error of the first piece.

    A piece is sent without the shared data. A worker that lacks the data says so: its piece is sent again,
    with the data, and no other piece is sent until as many copies are under way as workers lack them.
    """
    if not callable(getattr(executor, "submit", None)):
        raise ArgumentTypeError(
            f"{option('executor')} must have a method submit, like those of concurrent.futures, got "
            f"{type(executor).__name__}"
        )
    token, attempt = os.urandom(16).hex(), itertools.count()
    packed = functools.cache(lambda: _pickled(shared))
    under_way: dict[Future[Any], _Task] = {}
    again: deque[_Task] = deque()
    without: set[str] = set()  # workers that lack the data
    error: tuple[int, ConcordantError] | None = None  # of the first piece that failed

    at_once = 2 * _n_workers(executor)

    def next_task() -> _Task | None:
        if without and len(without) <= sum(task.with_data for task in under_way.values()):
            return None
        task = again.popleft() if again else None if error is not None else next(tasks, None)
        return None if task is None else task._replace(with_data=bool(without))

    def take(task: _Task, future: Future[Any]) -> None:
        nonlocal error, at_once
        try:
            worker, result = future.result()
        except ConcordantError as raised:
            if error is None or task.number < error[0]:
                error = task.number, named_here(raised)
        except (Exception, CancelledError) as raised:
            # KilledWorker is an error of Dask, which is not imported here.
            lost = isinstance(raised, BrokenExecutor | CancelledError)
            if not lost and type(raised).__name__ != "KilledWorker":
                raise
            if task.attempts + 1 >= _ATTEMPTS:
                raise _lost(raised) from None
            again.append(task._replace(attempts=task.attempts + 1))
        else:
            if result is None:
                without.add(worker)
                again.append(task)
                at_once = 2 * _n_workers(executor)  # the worker may be new
                return
            if task.with_data and without:  # one worker has got the data, though perhaps another one
                without.discard(worker if worker in without else next(iter(without)))
            computed(task, result)

    _pinned[token] = shared  # threads, and processes forked from this one, find the data here
    try:
        while True:
            if error is not None:
                again = deque(task for task in again if task.number < error[0])
                if not any(task.number < error[0] for task in (*under_way.values(), *again)):
                    raise error[1]
            while len(under_way) < at_once and (task := next_task()) is not None:
                data = packed() if task.with_data else None
                work = token, next(attempt), function, _Packed(task.piece), data
                try:
                    under_way[executor.submit(_do, *work)] = task
                except (BrokenExecutor, RuntimeError) as raised:  # it is broken, or was shut down
                    raise _lost(raised) from None
            if not under_way:
                return
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                take(under_way.pop(future), future)
    except BaseException:
        for future in under_way:
            future.cancel()
        raise
    finally:
        del _pinned[token]


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


def _lost(error: BaseException) -> ArgumentError:
    if isinstance(error, RuntimeError) and not isinstance(error, BrokenExecutor):
        return ArgumentError(f"{option('executor')} takes no work ({error}); give one that is open")
    return ArgumentError(
        "a process was ended by the system before its work was done, perhaps because the memory was "
        f"full; choose fewer processes with {option('workers')}"
    )


def _pickled(value: object) -> bytes:
    try:
        return pickle.dumps(value, protocol=5)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ArgumentError(
            f"this work cannot be sent to other processes ({error}); define your own functions and measures "
            f"at the top of a file, or leave out {option('executor')}"
        ) from None


class _Packed:
    """A piece that is sent as bytes, because some executors deliver arrays that are not aligned."""

    def __init__(self, piece: object) -> None:
        self.piece = piece

    def __getstate__(self) -> bytes:
        return _pickled(self.piece)

    def __setstate__(self, packed: bytes) -> None:
        self.piece = pickle.loads(packed)


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
        known = _pinned if token in _pinned else _data
        if packed is not None and token not in known:
            _data[token] = pickle.loads(packed)
            while len(_data) > _KEPT:
                _data.popitem(last=False)
        if token not in known:
            return here, None
        shared = known[token]
    return here, function(shared, piece.piece, 1)


_PIECES = 32  # pieces of one computation, at most
_LEAST = 16  # a piece is at least this part of a batch, so that sending it is worth the time


Work: TypeAlias = tuple[Executor | None, PieceStore | None]
_work: ContextVar[Work] = ContextVar("work", default=(None, None))


def current_work(executor: Executor | None = None) -> Work:
    """Return who does work here, and where results are kept; the executor of a call has priority."""
    own, store = _work.get()
    return executor or own, store


@contextmanager
def working(executor: Executor | None = None, store: PieceStore | None = None) -> Iterator[None]:
    """Set how all work within this context is done, by the command line."""
    token = _work.set((executor, store))
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        if store is None or not store.found or isinstance(error, ConcordantError):
            raise
        what = "holds a piece that does not fit this work; delete the folder, or give another"
        raise InputError(f"{store.folder}: {what}") from error
    finally:
        _work.reset(token)


def piece_size(total: int, most: int, executor: Executor | None = None) -> int:
    """Return how many of `total` equal steps make a piece, up to a limit.

    If pieces are kept or sent, their size depends only on the work, so that any number of workers has the
    same pieces. The results do not depend on the size.
    """
    if current_work(executor) == (None, None):  # nothing is sent or kept
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
        *arguments: object,
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
        if self.drawn is not None:
            return self.drawn
        source = self.kind()
        source.state = self.state
        return self.draw(np.random.Generator(source), *self.arguments)


def rows_of(piece: Draws | NDArray[Any]) -> NDArray[Any]:
    """Return the draws of a piece, or the piece itself if it is an array."""
    return piece.get() if isinstance(piece, Draws) else piece


# --- processes of this computer ---


@contextmanager
def own_processes(number: int) -> Iterator[Executor]:
    """Provide a pool of processes; after an error or Ctrl-C they are ended at once."""
    from concurrent.futures import ProcessPoolExecutor  # takes a while to import

    pool = ProcessPoolExecutor(number, initializer=_start)
    try:
        yield pool
    except BaseException:
        for process in list((pool._processes or {}).values()):  # from Python 3.14 on: pool.kill_workers()
            process.kill()
        manager: Any = pool._executor_manager_thread
        pool.shutdown(wait=False, cancel_futures=True)
        if manager is not None:  # Python would wake it at its end while it closes its pipe
            manager.join(timeout=0.5)
        raise
    pool.shutdown()


def _start() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles Ctrl-C
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the process that started it has ended, for whatever reason."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
