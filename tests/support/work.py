"""Work for executors: functions that processes can import, and an executor that counts what it sends."""

from __future__ import annotations

import os
import pickle
import signal
import time
from concurrent.futures import Executor
from pathlib import Path

import numpy as np

from concordant import ArgumentError


def scaled(shared, piece, threads):
    """Return the piece times the sum of the data, and who computed it."""
    return {"value": float(shared.sum() * piece), "row": np.arange(piece), "threads": threads}


def slow(shared, piece, threads):
    """Return the process that worked, after a moment."""
    time.sleep(0.01)
    return {"value": float(shared[0] + piece), "process": os.getpid()}


def refused(shared, piece, threads):
    """Refuse the third piece after a moment, and the fifth at once."""
    if piece in (3, 5):
        time.sleep(0.2 if piece == 3 else 0)
        raise ArgumentError(f"piece {piece} is wrong; give another")
    return {"value": piece}


def killed_once(shared, piece, threads):
    """End the process at the third piece; the file says that it has happened."""
    mark = Path(shared)
    if piece == 3 and not mark.exists():
        mark.write_text("ended", encoding="utf-8")
        os.kill(os.getpid(), signal.SIGKILL)
    return {"value": piece}


class Counting(Executor):
    """An executor that does not tell how many workers it has, and counts the bytes that it sends."""

    def __init__(self, executor):
        self.executor, self.sent = executor, 0

    def submit(self, function, /, *arguments, **options):
        self.sent += len(pickle.dumps((arguments, options)))
        return self.executor.submit(function, *arguments, **options)


class Reviving(Executor):
    """An executor that starts new processes after one was lost, as clusters do."""

    def __init__(self, make):
        self.make, self.executor = make, make()

    def submit(self, function, /, *arguments, **options):
        try:
            return self.executor.submit(function, *arguments, **options)
        except RuntimeError:
            self.executor = self.make()
            return self.executor.submit(function, *arguments, **options)

    def shutdown(self, wait=True, *, cancel_futures=False):
        self.executor.shutdown(wait, cancel_futures=cancel_futures)
