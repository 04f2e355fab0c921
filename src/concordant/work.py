"""Long work in pieces, done here or by an executor; the results do not depend on who does it."""

from __future__ import annotations

import functools
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant._version import __version__
from concordant.errors import (
    ArgumentError,
    ArgumentTypeError,
    ConcordantError,
    named_here,
    option,
)
from concordant.typing import Executor, Progress

if TYPE_CHECKING:
    from concurrent.futures import Future

Function: TypeAlias = Callable[[Any, Any, int], dict[str, Any]]

_UNKNOWN_WORKERS = 32  # workers of an executor that does not say how many it has
_PIECES = 32  # pieces of one computation, at most
_LEAST = 16  # a piece is at least this part of a batch, so that sending it is worth the time

_executor: ContextVar[Executor | None] = ContextVar("executor", default=None)


def executor_here(executor: Executor | None = None) -> Executor | None:
    """Return who does work here: the executor of a call, or that of the command line."""
    return executor or _executor.get()


@contextmanager
def working(executor: Executor | None) -> Iterator[None]:
    """Let an executor do all work within this context, for the command line."""
    token = _executor.set(executor)
    try:
        yield
    finally:
        _executor.reset(token)


def versions() -> dict[str, str]:
    """Return the versions on which results depend."""
    return {"concordant": __version__, "numpy": np.__version__}


def piece_size(total: int, most: int, executor: Executor | None = None) -> int:
    """Return how many of `total` equal steps make a piece, up to a limit.

    With an executor, the size depends only on the work, not on the number of workers. The results do not
    depend on the size.
    """
    if executor_here(executor) is None:
        return most
    return max(1, min(most, max(-(-total // _PIECES), most // _LEAST)))


def in_pieces(
    function: Function,
    shared: object,
    pieces: Iterable[Any],
    *,
    executor: Executor | None = None,
    threads: int = 1,
    sizes: Sequence[int] | None = None,
    take: Callable[[int, dict[str, Any]], None] | None = None,
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """Return ``function(shared, piece, threads)`` for all pieces, in their order.

    Parameters
    ----------
    function : callable
        A function at the top level of a module.
    shared
        Data needed by every piece.
    pieces : iterable
        The pieces, which are taken one by one.
    executor : Executor, optional
        The executor that does the work. By default it is that of the command line; without one, this process
        does one piece after another.
    threads : int
        The number of threads for work in this process. A worker of an executor has one.
    sizes : list of int, optional
        The weight of each piece in the progress.
    take : callable, optional
        Called as ``take(number, result)`` as pieces arrive, in any order, if all results together may be too
        large for the memory. No result is returned then.
    progress : callable, optional
        A function that is called as ``progress(done, total)`` when pieces arrive.
    """
    executor = executor_here(executor)
    if sizes is None:
        pieces = list(pieces)
        sizes = [1] * len(pieces)
    found: dict[int, dict[str, Any]] = {}
    total, done = sum(sizes), 0

    def arrived(number: int, result: dict[str, Any]) -> None:
        nonlocal done
        (found.__setitem__ if take is None else take)(number, result)
        done += sizes[number]
        if progress is not None:
            progress(done, total)

    if executor is None:
        for number, piece in enumerate(pieces):
            arrived(number, function(shared, piece, threads))
    else:
        _hand_out(executor, function, shared, pieces, arrived)
    return [found[number] for number in sorted(found)]


def _hand_out(
    executor: Executor,
    function: Function,
    shared: object,
    pieces: Iterable[Any],
    arrived: Callable[[int, dict[str, Any]], None],
) -> None:
    """Send pieces to an executor, two for each worker at a time; raise the error of the first piece.

    As many pieces as there are workers carry the shared data, and workers keep them. A worker that lacks the
    data says so, and its piece is sent once more, with them.
    """
    from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, wait

    if not callable(getattr(executor, "submit", None)):
        raise ArgumentTypeError(
            f"{option('executor')} must have a method submit, like those of concurrent.futures, got "
            f"{type(executor).__name__}"
        )
    token, data, at_once = os.urandom(16).hex(), _Sent(shared), 2 * _n_workers(executor)
    waiting = ((number, _Sent(piece)) for number, piece in enumerate(pieces))
    under_way: dict[Future[Any], tuple[int, _Sent]] = {}
    errors: dict[int, ConcordantError] = {}

    def send(number: int, piece: _Sent, with_data: bool) -> None:
        try:
            future = executor.submit(_do, token, function, data if with_data else None, piece)
        except (BrokenExecutor, RuntimeError) as raised:  # it is broken, or was shut down
            raise _lost(raised) from None
        under_way[future] = number, piece

    try:
        while True:
            while not errors and len(under_way) < at_once and (task := next(waiting, None)) is not None:
                send(*task, with_data=task[0] < at_once // 2)
            if errors and not any(number < min(errors) for number, _ in under_way.values()):
                raise errors[min(errors)]
            if not under_way:
                return
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                number, piece = under_way.pop(future)
                try:
                    result = future.result()
                except ConcordantError as raised:
                    errors[number] = named_here(raised)
                except (Exception, CancelledError) as raised:
                    # KilledWorker is an error of Dask, which is not imported here.
                    lost = isinstance(raised, BrokenExecutor | CancelledError)
                    if not lost and type(raised).__name__ != "KilledWorker":
                        raise
                    raise _lost(raised) from None
                else:
                    if result is not None:
                        arrived(number, result)
                        continue
                    send(number, piece, with_data=True)
                    at_once = 2 * _n_workers(executor)  # the worker may be new
    except BaseException:
        for future in under_way:
            future.cancel()
        raise


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
    from concurrent.futures import BrokenExecutor

    if isinstance(error, RuntimeError) and not isinstance(error, BrokenExecutor):
        return ArgumentError(f"{option('executor')} takes no work ({error}); give one that is open")
    return ArgumentError(
        "a process was ended by the system before its work was done, perhaps because the memory was "
        f"full; choose fewer processes with {option('workers')}"
    )


class _Sent:
    """A value that is pickled once, and only for another process, where it is unpickled when it is used.

    It travels as bytes, because some executors deliver arrays that are not aligned.
    """

    def __init__(self, value: object) -> None:
        vars(self)["value"] = value

    def __getstate__(self) -> dict[str, bytes]:
        return {"packed": self.packed}

    @functools.cached_property
    def value(self) -> Any:
        return pickle.loads(self.packed)

    @functools.cached_property
    def packed(self) -> bytes:
        try:
            return pickle.dumps(self.value, protocol=5)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise ArgumentError(
                f"this work cannot be sent to other processes ({error}); define your own functions and "
                f"measures at the top of a file, or leave out {option('executor')}"
            ) from None


_kept: list[tuple[str, Any]] = [("", None)]  # in a worker: the token of the last work, and its data


def _do(token: str, function: Function, data: _Sent | None, piece: _Sent) -> dict[str, Any] | None:
    """Do a piece in a worker; return None if the data are not here."""
    known, shared = _kept[0]
    if known != token:
        if data is None:
            return None
        shared = data.value
        _kept[0] = token, shared
    return function(shared, piece.value, 1)


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
    import multiprocessing  # takes a while to import
    from concurrent.futures import ProcessPoolExecutor

    # The default of Python 3.14 on Linux is a server of processes, which listens at a socket: SECURITY.md.
    method = multiprocessing.get_start_method(allow_none=True) or multiprocessing.get_all_start_methods()[0]
    context = multiprocessing.get_context("spawn" if method == "forkserver" else method)
    pool = ProcessPoolExecutor(number, context, initializer=_start)
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
