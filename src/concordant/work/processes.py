"""Worker processes, which end with the process that started them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager


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
        pool.shutdown(wait=False, cancel_futures=True)
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
