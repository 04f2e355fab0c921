"""What the fuzzers share: a time limit, seeds, and how a failure is told."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Callable

import numpy as np

__all__ = ["run"]


def run(case: Callable[[np.random.Generator], None], what: str) -> None:
    """Call case(rng) with new random numbers until the time is up; a failure names its seed."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=None, help="only the case with this number")
    parser.add_argument(
        "--first", type=int, default=None, help="number of the first case; by default from the clock"
    )
    how = parser.parse_args()
    if how.seed is not None:
        case(np.random.default_rng(how.seed))
        return
    seed = how.first if how.first is not None else time.time_ns() // 1000 % 10**9 * 1000
    end, done = time.monotonic() + how.seconds, 0
    while time.monotonic() < end:
        try:
            case(np.random.default_rng(seed + done))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            traceback.print_exc()
            print(f"{sys.argv[0]}: failed; repeat with --seed {seed + done}", file=sys.stderr)
            sys.exit(1)
        done += 1
    print(f"{what}: {done} cases from {seed}, none failed", flush=True)
