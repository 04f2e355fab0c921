"""Long work: on a Dask cluster, or with the results of pieces kept in a folder."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from concordant.cli.output import tell
from concordant.cli.paths import need
from concordant.errors import ArgumentError

if TYPE_CHECKING:
    from concurrent.futures import Executor


def address(_context: Any, _option: Any, text: str | None) -> str | None:
    """Refuse what is no address of a scheduler, and a cluster without its library."""
    if text is None:
        return None
    if text != "local" and "://" not in text:
        wanted = "write local, or the address of a scheduler, such as tcp://host:8786"
        raise ArgumentError(f"--cluster: {wanted}, got {text!r}")
    need("a cluster", "cluster", {"distributed": "distributed"})
    return text


@contextmanager
def working_as(how: dict[str, Any]) -> Iterator[None]:
    """Take the options for long work from all options, and let the work be done so."""
    cluster, resume = how.pop("cluster", None), how.pop("resume", None)
    if cluster is None and resume is None:
        yield
        return
    from concordant.work.pieces import working
    from concordant.work.store import PieceStore

    store = None if resume is None else PieceStore(resume)
    with _executor(cluster, how.get("workers", -1)) as executor, working(executor, store):
        yield
    if store is not None:
        tell(f"{len(store.found)} pieces were in {resume}, {len(store.written)} were computed")


@contextmanager
def _executor(address: str | None, workers: int) -> Iterator[Executor | None]:
    """Provide the executor of a Dask cluster; None if there is no address."""
    if address is None:
        yield None
        return
    import logging

    from distributed import Client, LocalCluster

    from concordant.checks import n_workers

    with contextlib.ExitStack() as stack:
        place: Any = address
        if address == "local":
            place = stack.enter_context(
                LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=n_workers(workers),
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",  # a free port
                    silence_logs=logging.CRITICAL,
                )
            )
        try:
            client = stack.enter_context(Client(place, timeout=20))  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError, ValueError) as error:
            raise ArgumentError(
                f"--cluster: no scheduler answers at {address} ({type(error).__name__}); start it with "
                "dask scheduler"
            ) from None
        _check_versions(client)
        yield stack.enter_context(client.get_executor(pure=False))


def _check_versions(client: Any) -> None:
    """Refuse workers that have other versions."""
    from concordant.work.store import versions

    try:
        theirs = client.run(versions)
    except ModuleNotFoundError as error:
        raise ArgumentError(f"--cluster: the workers lack {error.name}; install it there too") from None
    for worker, found in theirs.items():
        if found != versions():
            raise ArgumentError(
                f"--cluster: the worker {worker} has {found}, this program has {versions()}; install the "
                "same there"
            )


def command_line() -> list[str]:
    """Return the words that were typed, without the options that say how the work is done."""
    words: list[str] = []
    rest = iter(sys.argv[1:])
    for word in rest:
        name, equals, _ = word.partition("=")
        if name not in ("--workers", "--cluster", "--resume"):
            words.append(word)
        elif not equals:
            next(rest, "")
    return words
