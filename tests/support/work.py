"""Work for executors: functions that processes can import, and an executor that counts what it sends."""

from __future__ import annotations

import os
import pickle
import signal
import time
from concurrent.futures import Executor

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


def killed(shared, piece, threads):
    """End the process at the third piece."""
    if piece == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"value": piece}


class Counting(Executor):
    """An executor of two workers that counts the bytes that it sends."""

    _max_workers = 2

    def __init__(self, executor):
        self.executor, self.sent = executor, 0

    def submit(self, function, /, *arguments, **options):
        self.sent += len(pickle.dumps((arguments, options)))
        return self.executor.submit(function, *arguments, **options)
