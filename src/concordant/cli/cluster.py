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


def address(_context: object, _option: object, text: str | None) -> str | None:
    """Refuse what is no address of a scheduler, and a cluster without its library."""
    if text is None or text == "local":
        return text
    if "://" not in text:
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
    """Provide processes of this computer, or those of a Dask cluster; None if there is no address."""
    if address is None:
        yield None
        return
    if address == "local":  # no Dask: every user of this computer could send code to its scheduler
        from concordant.checks import n_workers
        from concordant.work.pieces import own_processes

        with own_processes(n_workers(workers)) as pool:
            yield pool
        return
    from distributed import Client

    with contextlib.ExitStack() as stack:
        try:
            client = stack.enter_context(Client(address, timeout=20))  # type: ignore[no-untyped-call]
        except Exception as error:  # noqa: BLE001 - whatever Dask and its libraries raise for an address
            why = f"{type(error).__name__}: {error}".partition("\n")[0].removesuffix(": ")
            raise ArgumentError(
                f"--cluster: no scheduler answers at {address} ({why}); start one with dask scheduler, and "
                "give the address that it prints"
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
