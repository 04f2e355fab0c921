"""Options for long work: on a cluster, with results kept in a folder, or only one part of it."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import click

from concordant.cli.completing import folder_names
from concordant.cli.output import tell
from concordant.errors import ArgumentError, missing_library

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from concordant.work.pieces import Shard, Work
    from concordant.work.store import PieceStore


WORK = ("cluster", "resume", "shard")
_said: ContextVar[list[str] | None] = ContextVar("said", default=None)


def command_line() -> list[str]:
    """Return the words of the command, without the options that say how the work is done.

    The file of the result comes last. So the words do not depend on how the work was done.
    """
    found = _said.get()
    return _normal(sys.argv[1:]) if found is None else found


@contextmanager
def said(words: list[str], output: str | None) -> Iterator[None]:
    """Set the command line to that of the parts that are merged."""
    token = _said.set([*words, *(() if output is None else ("-o", output))])
    try:
        yield
    finally:
        _said.reset(token)


def _normal(arguments: list[str]) -> list[str]:
    """Leave out the options for work, and put the file of the result at the end."""
    words: list[str] = []
    output: list[str] = []
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        joined = word.startswith("-o") and len(word) > 2  # -oFILE
        if name in ("-o", "--output") or joined:
            output = ["-o", word[2:] if joined else value if equals else next(rest, "")]
        elif name in ("--workers", *(f"--{each}" for each in WORK)):
            if not equals:
                next(rest, "")
        else:
            words.append(word)
    return words + output


def _address(_context: Any, _option: Any, text: str | None) -> str | None:
    if text is None:
        return None
    if text != "local" and "://" not in text:
        raise ArgumentError(
            f"--cluster: write local, or the address of a scheduler, such as tcp://host:8786, got {text!r}"
        )
    from importlib.util import find_spec

    if find_spec("distributed") is None:
        raise missing_library("a cluster", "distributed", "cluster")
    return text


def _part(_context: Any, _option: Any, text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise ArgumentError(f"--shard: write K/M, such as 1/4 for the first of four parts, got {text!r}")
    return int(found[1]), int(found[2])


def work_options(command: Any) -> Any:
    """Add the options for long work."""
    for each in reversed(
        (
            click.option(
                "--cluster",
                metavar="ADDRESS",
                callback=_address,
                help="Use a Dask cluster: tcp://HOST:PORT, or local for processes on this computer.",
            ),
            click.option(
                "--resume",
                metavar="FOLDER",
                shell_complete=folder_names,
                help="Keep partial results in this folder, and continue from those that are there.",
            ),
            click.option(
                "--shard",
                metavar="K/M",
                callback=_part,
                help="Do only part K of M, and write it to the file of -o. See 'concordant merge'.",
            ),
        )
    ):
        command = each(command)
    return command


@contextmanager
def done_by(context: click.Context) -> Iterator[None]:
    """Run a command with these options, which the command itself does not get."""
    cluster, resume, shard = (context.params.pop(name, None) for name in WORK)
    store: PieceStore | None = context.obj  # called by `merge`
    if cluster is None and resume is None and shard is None and store is None:
        yield
        return
    from concordant.work.pieces import Shard, Work, working
    from concordant.work.store import PieceStore

    if resume is not None:
        store = PieceStore(resume)
    with _cluster(cluster, context.params.get("workers", -1)) as executor:
        if shard is None:
            with working(Work(executor, store)):
                yield
            if resume is not None and store is not None:
                tell(f"{len(store.found)} pieces were in {resume}, {len(store.written)} were computed")
            return
        with _written(context, Work(executor, store, Shard(*shard))):
            yield


@contextmanager
def _written(context: click.Context, work: Work) -> Iterator[None]:
    """Write a part instead of the result."""
    import tempfile

    from concordant.cli.merge import inputs_of, write_part
    from concordant.work.pieces import ShardDone, Work, working
    from concordant.work.store import PieceStore

    path = context.params.get("output")
    if path in (None, "-"):
        raise ArgumentError("--shard writes a part of the work; name its file with -o")
    recorded, inputs = dict(context.params), inputs_of(context)
    for name in ("output", "plot", "save"):  # are written when the parts are merged
        if name in context.params:
            context.params[name] = None
    if "format" in context.params:
        context.params["format"] = "table"
    with tempfile.TemporaryDirectory() as folder:
        store = work.store or PieceStore(folder)
        own = Work(work.executor, store, work.shard)
        # If the result needs no other part, it is printed, and this is an error.
        work_left = False  # that needs the other parts
        with contextlib.redirect_stdout(io.StringIO()), working(own):
            try:
                yield
            except ShardDone:
                work_left = True
        if not work_left and not store.found and not store.written:
            raise ArgumentError("with these options there is no long work to share out; leave out --shard")
        shard: Shard = work.shard  # type: ignore[assignment]
        write_part(str(path), context.command.name or "", recorded, inputs, shard, store)
    tell(f"wrote {path}: part {shard.number} of {shard.of}, {len(store.found) + len(store.written)} pieces")


@contextmanager
def _cluster(address: str | None, workers: int) -> Iterator[Executor | None]:
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
