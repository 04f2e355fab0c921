"""Time per call of every coefficient, next to SciPy, NumPy brute force and one sort, on the same data in the same run.

Repetitions are interleaved, every call gets other data than the call before (one array again and again trains the branch
predictor), and the median is reported. Results are compared before anything is timed.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
from scipy import stats

import concordant as cd

SIZES = (10, 50, 100, 1000, 10_000, 100_000, 1_000_000)
BRUTE_UP_TO = 10_000  # more pairs do not fit in memory, and SciPy's weightedtau takes seconds
THRESHOLD = 0.01


def brute_force(x: np.ndarray, y: np.ndarray) -> float:
    """Return tau_b by comparing all pairs in NumPy."""
    s_x, s_y = (np.sign(v[:, None] - v[None, :]).astype(np.int8) for v in (x, y))
    agreement = int(np.sum(s_x * s_y, dtype=np.int64))
    untied = int(np.count_nonzero(s_x)) * int(np.count_nonzero(s_y))
    return agreement / untied**0.5


def contestants() -> dict[str, Callable[[np.ndarray, np.ndarray], object]]:
    """Name the calls to time."""
    calls: dict[str, Callable[[np.ndarray, np.ndarray], object]] = {
        "np.argsort": lambda x, y: np.argsort(x),  # noqa: ARG005
        "scipy kendalltau": stats.kendalltau,
        "scipy weightedtau": stats.weightedtau,
        "numpy O(n^2)": brute_force,
    }
    for c in (c for c in cd.REGISTRY.values() if c.inputs == "scores"):
        calls[c.name] = c.function
        if c.thresholds:
            calls[f"{c.name}({THRESHOLD})"] = lambda x, y, f=c.function: f(x, y, threshold=THRESHOLD)
    return calls


def seconds_per_call(
    calls: dict[str, Callable[..., object]], n: int, rng: np.random.Generator
) -> dict[str, float]:
    """Return the median time of each call over interleaved rounds."""
    rows = max(4, min(64, 200_000 // n))
    x = rng.random((rows, n))
    y = x + rng.random((rows, n))
    rounds: dict[str, list[float]] = {name: [] for name in calls}
    for name, call in calls.items():
        start = time.perf_counter()
        call(x[0], y[0])
        once = time.perf_counter() - start
        rounds[name].append(max(1, min(rows, int(0.004 / max(once, 1e-7)))))
    repeats = {name: int(found.pop()) for name, found in rounds.items()}
    for _ in range(9 if n < 100_000 else 3):
        for name, call in calls.items():
            start = time.perf_counter()
            for i in range(repeats[name]):
                call(x[i], y[i])
            rounds[name].append((time.perf_counter() - start) / repeats[name])
    return {name: statistics.median(found) for name, found in rounds.items()}


def readable(seconds: float) -> str:
    """Print a time with a fitting unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size or unit == "µs":
            return f"{seconds / size:.3g} {unit}"
    raise AssertionError


def main() -> None:
    """Print the table."""
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 40, (2, 300)) / 40
    assert abs(cd.tau_b(x, y) - stats.kendalltau(x, y).statistic) < 1e-12
    assert abs(cd.tau_b(x, y) - brute_force(x, y)) < 1e-12
    assert abs(cd.tau_h(x, y) - stats.weightedtau(x, y).statistic) < 1e-12

    calls = contestants()
    measured: dict[int, dict[str, float]] = {}
    for n in SIZES:
        slow = {"numpy O(n^2)", "scipy weightedtau"} if n > BRUTE_UP_TO else set()
        part = {name: call for name, call in calls.items() if name not in slow}
        measured[n] = seconds_per_call(part, n, rng)

    def table(title: str, cell: Callable[[str, int], str]) -> None:
        print(title)
        print(f"{'':<18}" + "".join(f"{f'n = {n:.0e}' if n > 1000 else f'n = {n}':>12}" for n in SIZES))
        for name in calls:
            print(f"{name:<18}" + "".join(f"{cell(name, n):>12}" for n in SIZES))
        print()

    table("Time per call", lambda name, n: readable(measured[n][name]) if name in measured[n] else "-")
    table(
        "Times faster than scipy.stats.kendalltau",
        lambda name, n: (
            f"{measured[n]['scipy kendalltau'] / measured[n][name]:.3g}" if name in measured[n] else "-"
        ),
    )
    table(
        "Time in units of one np.argsort",
        lambda name, n: (
            f"{measured[n][name] / measured[n]['np.argsort']:.3g}" if name in measured[n] else "-"
        ),
    )


if __name__ == "__main__":
    main()
