"""Measure every target of speed, next to SciPy, pandas, NumPy and others, on the same data in the same run.

Times are those of the processor, which other programs disturb little, unless threads are compared, or
programs that may use several. Repetitions are interleaved. A ratio is that of two calls in the same round;
the median over the rounds is shown, with its quartiles; for two threads and growth, the shortest times of
each. Every call gets other data than the call before (one array again and again trains the branch predictor);
results are compared before anything is timed. Times in µs hold where `np.argsort` of 50 doubles takes 2 µs,
and are scaled to that.
Prints measured and target side by side and writes RESULTS.md, which names the peers that are not installed.

    python benchmarks/bench.py                    everything, about ten minutes
    python benchmarks/bench.py --quick            smaller sizes, under a minute, writes nothing
    python benchmarks/bench.py --only few boards  some of the parts, writes nothing
"""

from __future__ import annotations

import os

# Waiting threads of NumPy's matrix product would count as work where this program is held to one core.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import contextlib
import datetime
import itertools
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scale
from scipy import stats

import concordant as cd
from concordant.rankings.groups import number_groups

QUICK = "--quick" in sys.argv
HERE = Path(__file__).parent
SCORES = [c for c in cd.REGISTRY.values() if c.inputs == "scores"]
ORDINAL = ["tau", "tau_a", "tau_b", "tau_e", "tau_ap", "tau_ap_a", "tau_ap_b", "tau_ap_e"]
WITH_THRESHOLD = [name for name in ORDINAL if cd.REGISTRY[name].thresholds]
Call = Callable[[int], object]
ARGSORTED = np.random.default_rng(0).random((8, 50))


Rounds = np.ndarray  # a number of each round


def usual_environment() -> dict[str, str]:
    """Return the environment of programs that users start: byte code cached, as after any first use.

    OpenBLAS has one thread: others wait in a loop, which would count as time of the processor.
    """
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


def of_processor() -> float:
    """Return the seconds of the processor, of this program and of those that it started and that have ended.

    Unlike the clock, they do not depend on what else the machine does.
    """
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def timed(
    calls: dict[str, Call],
    rounds: int,
    times: dict[str, int] | int = 1,
    clock: Callable[[], float] = of_processor,
) -> dict[str, Rounds]:
    """Return the seconds per call of each round, repetitions interleaved."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(rounds):
        for name, call in calls.items():
            repeat = times if isinstance(times, int) else times[name]
            start = clock()
            for i in range(repeat):
                call(turn * repeat + i)
            taken[name].append((clock() - start) / repeat)
    return {name: np.array(each) for name, each in taken.items()}


def speedup(one: Callable[[], object], two: Callable[[], object], rounds: int) -> float:
    """Return how many times faster the second is, both undisturbed.

    The shortest times count: other programs on the machine take one of its cores now and then, which
    lengthens some calls and shortens none.
    """
    found = timed({"one": lambda _: one(), "two": lambda _: two()}, rounds, clock=time.perf_counter)
    return float(found["one"].min() / found["two"].min())


class Report:
    """The table: what, measured, target, reached or not."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str, str, bool | None]] = []
        self.absent: dict[str, None] = {}  # peers that are not installed
        self.scale = 1.0

    @contextlib.contextmanager
    def peer(self, name: str) -> Iterator[None]:
        """Note that a peer is absent if it cannot be imported."""
        try:
            yield
        except ImportError:
            self.absent[name] = None

    def scale_by(self, argsort: Rounds) -> None:
        """Scale times to a machine where np.argsort of 50 doubles takes 2 µs."""
        self.scale = 2e-6 / float(np.median(argsort))

    def add(
        self, what: str, measured: Rounds | float, unit: str, target: float, at_least: bool = False
    ) -> None:
        """Add a measurement with a target to stay below, or to reach."""
        low, middle, high = np.quantile(np.asarray(measured), [0.25, 0.5, 0.75]).tolist()
        reached = middle >= target if at_least else middle <= target
        sign = ">=" if at_least else "<="
        spread = f"{low:.3g} to {high:.3g}" if low < high else ""
        self.rows.append((what, f"{middle:.3g} {unit}", spread, f"{sign} {target:.3g} {unit}", reached))
        missed = "" if reached else "MISSED"
        print(f"{what:<66} {middle:>9.3g} {unit:<8} {sign} {target:<6.3g} {spread:<18} {missed}", flush=True)

    def add_us(self, what: str, seconds: Rounds, target: float) -> None:
        """Add a time in µs, scaled to a machine where np.argsort of 50 doubles takes 2 µs."""
        self.add(what, seconds * 1e6 * self.scale, "µs", target)

    def worst(
        self,
        what: str,
        measured: Mapping[str, Rounds | float],
        unit: str,
        target: float,
        at_least: bool = False,
    ) -> None:
        """Add the worst of several, by name."""
        name = (min if at_least else max)(measured, key=lambda each: float(np.median(measured[each])))
        self.add(f"{what} (worst: {name})", measured[name], unit, target, at_least)


def brute_force(x: np.ndarray, y: np.ndarray) -> float:
    """Return tau_b by comparing all pairs in NumPy."""
    s_x, s_y = (np.sign(v[:, None] - v[None, :]).astype(np.int8) for v in (x, y))
    agreement = int(np.sum(s_x * s_y, dtype=np.int64))
    untied = int(np.count_nonzero(s_x)) * int(np.count_nonzero(s_y))
    return agreement / untied**0.5


def by_size(rng: np.random.Generator) -> list[str]:
    """Return a table of the time per call for n = 10 to a million, and how that compares with kendalltau."""
    sizes = (10, 100, 1000, 10_000) if QUICK else (10, 50, 100, 1000, 10_000, 100_000, 1_000_000)
    few = rng.integers(0, 40, (2, 300)) / 40
    assert abs(cd.tau_b(*few) - brute_force(*few)) < 1e-12
    seconds: dict[int, dict[str, Rounds]] = {}
    names: list[str] = []
    for n in sizes:
        rows = max(2, min(64, 200_000 // n))
        x = rng.random((rows, n))
        y = x + rng.random((rows, n))
        peers: dict[str, Callable[[np.ndarray, np.ndarray], object]] = {
            "np.argsort": lambda x, y: np.argsort(x),  # noqa: ARG005
            "scipy kendalltau": stats.kendalltau,
            "numpy O(n^2)": brute_force,
        }
        for c in SCORES:
            peers[c.name] = c.function
            if c.thresholds:
                peers[f"{c.name}(0.01)"] = lambda x, y, f=c.function: f(x, y, threshold=0.01)
        names = list(peers)
        if n > 10_000:
            del peers["numpy O(n^2)"]  # the pairs do not fit in memory
        calls: dict[str, Call] = {
            name: lambda i, f=f, x=x, y=y, rows=rows: f(x[i % rows], y[i % rows]) for name, f in peers.items()
        }
        slow = {"scipy kendalltau", "numpy O(n^2)"}
        times = {name: 1 if n > 1000 or (name in slow and n > 50) else min(rows, 16) for name in calls}
        seconds[n] = timed(calls, 5 if n <= 10_000 else 3, times)

    def cell(name: str, n: int) -> str:
        if name not in seconds[n]:
            return "-"
        taken, theirs = (float(np.median(seconds[n][each])) for each in (name, "scipy kendalltau"))
        unit, size = next((u, k) for u, k in (("s", 1.0), ("ms", 1e-3), ("µs", 0.0)) if taken >= k)
        return f"{taken / (size or 1e-6):.3g} {unit} ({theirs / taken:.3g})"

    lines = ["| call (times faster than kendalltau) | " + " | ".join(f"n = {n:,}" for n in sizes) + " |"]
    lines.append("|---|" + "---|" * len(sizes))
    lines += [f"| {name} | " + " | ".join(cell(name, n) for n in sizes) + " |" for name in names]
    return lines


def single_calls(report: Report, rng: np.random.Generator) -> None:
    """One call, n = 50."""
    n, rows = 50, 64
    x = rng.random((rows, n))
    y = x + rng.random((rows, n))
    lists = [(a.tolist(), b.tolist()) for a, b in zip(x, y, strict=True)]
    names = [f"system {k}" for k in range(n)]
    other = rng.permutation(n).tolist()
    dicts = [[dict(zip(names, side, strict=True)) for side in both] for both in lists]
    series = [[pd.Series(side) for side in both] for both in dicts]
    labelled: dict[str, list[list[object]]] = {
        "dicts": dicts,
        "dicts in another order": [[a, {names[k]: b[names[k]] for k in other}] for a, b in dicts],
        "Series": series,
        "Series in another order": [[a, b.iloc[other]] for a, b in series],
    }
    for sides in labelled.values():
        assert cd.tau_b(*sides[0]) == cd.tau_b(x[0], y[0])
    for i in range(3):
        assert abs(cd.tau_b(x[i], y[i]) - stats.kendalltau(x[i], y[i]).statistic) < 1e-12
        assert abs(cd.tau_h(x[i], y[i]) - stats.weightedtau(x[i], y[i]).statistic) < 1e-12
    calls: dict[str, Call] = {
        "argsort": lambda i: np.argsort(x[i % rows]),
        "kendalltau": lambda i: stats.kendalltau(x[i % rows], y[i % rows]),
        "weightedtau": lambda i: stats.weightedtau(x[i % rows], y[i % rows]),
        "compare": lambda i: cd.compare(x[i % rows], y[i % rows], ORDINAL),
        "lists": lambda i: cd.tau_b(*lists[i % rows]),
        "tau_h": lambda i: cd.tau_h(x[i % rows], y[i % rows]),
    }
    for name, sides in labelled.items():
        calls[name] = lambda i, sides=sides: cd.tau_b(*sides[i % rows])
    for name in ORDINAL:
        f = cd.REGISTRY[name].function
        calls[name] = lambda i, f=f: f(x[i % rows], y[i % rows])
        if name in WITH_THRESHOLD:
            calls[f"{name}(w)"] = lambda i, f=f: f(x[i % rows], y[i % rows], threshold=0.05)
    slow = {"kendalltau", "weightedtau"}
    found = timed(calls, 15 if QUICK else 41, {name: 8 if name in slow else 64 for name in calls})
    report.scale_by(found["argsort"])
    print(f"np.argsort of 50 doubles takes {np.median(found['argsort']) * 1e6:.2f} µs here\n")
    ours = {name: found[name] * 1e6 * report.scale for name in found if name.partition("(")[0] in ORDINAL}
    report.worst("one call, n = 50, any Kendall or AP coefficient, thresholds too", ours, "µs", 4)
    report.add(
        "tau_b against scipy.stats.kendalltau, n = 50", found["kendalltau"] / found["tau_b"], "x", 100, True
    )
    report.add(
        "tau_h against scipy.stats.weightedtau, n = 50", found["weightedtau"] / found["tau_h"], "x", 60, True
    )
    report.add_us("one call from lists of 50 floats", found["lists"], 10)
    with_labels = {name: found[name] * 1e6 * report.scale for name in labelled}
    report.worst("one call from dicts or Series of 50 labels", with_labels, "µs", 40)
    total = sum(found[name] for name in ORDINAL)
    report.add("compare with all Kendall and AP, share of separate calls", found["compare"] / total, "", 0.35)


def batches(report: Report, rng: np.random.Generator) -> None:
    """Rows of 97 items: a batch, one against many, threads, all pairs."""
    rows, n = (4000 if QUICK else 20_000), 97
    x = rng.random((rows, n))
    y = x + rng.random((rows, n))
    some = 200
    scipy_values = stats.kendalltau(x[:some], y[:some], axis=1).statistic
    assert np.abs(cd.tau_b(x[:some], y[:some]) - scipy_values).max() < 1e-12
    calls: dict[str, Call] = {
        "argsort": lambda i: np.argsort(x[i % rows, :50]),
        "scipy": lambda _: stats.kendalltau(x[:some], y[:some], axis=1),
        "tau_b": lambda _: cd.tau_b(x, y),
        "tau_ap_b": lambda _: cd.tau_ap_b(x, y),
        "one": lambda _: cd.tau_b(x[0], y),
        "tau_gap": lambda _: cd.tau_gap(x, y),
        "pearson_rank": lambda _: cd.pearson_rank(x, y),
        "tau_h": lambda _: cd.tau_h(x, y),
    }
    for name in WITH_THRESHOLD:
        calls[f"{name}(w)"] = lambda _, f=cd.REGISTRY[name].function: f(x, y, threshold=0.05)
    found = timed(calls, 3 if QUICK else 7, {name: 400 if name == "argsort" else 1 for name in calls})
    report.scale_by(found["argsort"])
    per_row = {name: seconds / rows * 1e6 * report.scale for name, seconds in found.items()}
    report.worst("batch (20000, 97), a row", {k: per_row[k] for k in ("tau_b", "tau_ap_b")}, "µs", 3.5)
    report.add(
        "batch tau_b against SciPy's axis= form",
        found["scipy"] / some / (found["tau_b"] / rows),
        "x",
        60,
        True,
    )
    report.worst(
        "batch with thresholds, a row", {k: v for k, v in per_row.items() if k.endswith("(w)")}, "µs", 6
    )
    scores = {k: per_row[k] for k in ("tau_gap", "pearson_rank", "tau_h")}
    report.worst("batch of tau_gap, pearson_rank, tau_h, a row", scores, "µs", 8)
    report.add("one against 20000, share of the batch", found["one"] / found["tau_b"], "", 0.7)
    for f in (cd.tau_b, cd.tau_ap_b):
        gain = speedup(lambda f=f: f(x, y), lambda f=f: f(x, y, workers=2), 5 if QUICK else 25)
        report.add(f"two threads, batch of {f.__name__}", gain, "x", 1.7, True)

    table = rng.random((200, 100))
    frame = pd.DataFrame(table[:, :].T)
    assert (
        np.abs(cd.matrix(table[:20], "tau_b") - frame.iloc[:, :20].corr(method="kendall").to_numpy()).max()
        < 1e-12
    )
    part = frame.iloc[:, : 20 if QUICK else 60]
    found = timed(
        {
            "matrix": lambda _: cd.matrix(table, "tau_b"),
            "pandas": lambda _: part.corr(method="kendall"),
        },
        5,
    )
    pandas_pair = found["pandas"] / part.shape[1] ** 2
    report.add_us("matrix of 200 x 100, tau_b, an ordered pair", found["matrix"] / 200**2, 0.5)
    report.add(
        "matrix against DataFrame.corr(method='kendall')",
        pandas_pair / (found["matrix"] / 200**2),
        "x",
        5,
        True,
    )
    for r in (200, 1000):
        rows = rng.random((r, 100))
        gain = speedup(
            lambda rows=rows: cd.matrix(rows, "tau_b"),
            lambda rows=rows: cd.matrix(rows, "tau_b", workers=2),
            5 if QUICK else 60 if r == 200 else 15,
        )
        report.add(f"two threads, matrix of {r} x 100, tau_b", gain, "x", 1.7, True)


def groups(report: Report, rng: np.random.Generator) -> None:
    """Time lists of different length."""
    n_groups = 3000 if QUICK else 50_000
    sizes = rng.integers(5, 1001, n_groups)
    label = np.repeat(np.arange(n_groups), sizes)
    x = rng.random(len(label))
    y = x + rng.random(len(label))
    # Equal-length batches of the same lengths, items weighted alike: each size class on its own.
    batch = {}
    for size in (50, 150, 300, 500, 700, 900):
        rows = max(1, 300_000 // size)
        batch[size] = (rng.random((rows, size)), rng.random((rows, size)))
    frame = pd.DataFrame({"q": label, "x": x, "y": y})
    small = frame[frame.q < 200]
    by_scipy = small.groupby("q").apply(lambda g: stats.kendalltau(g.x, g.y).statistic, include_groups=False)
    ours = cd.grouped(small.x.to_numpy(), small.y.to_numpy(), small.q.to_numpy(), "tau_b")
    assert np.abs(ours - by_scipy.to_numpy()).max() < 1e-12
    calls: dict[str, Call] = {
        "grouped": lambda _: cd.grouped(x, y, label, "tau_b"),
        "pandas": lambda _: small.groupby("q").apply(
            lambda g: stats.kendalltau(g.x, g.y).statistic, include_groups=False
        ),
    }
    for size, (a, b) in batch.items():
        calls[str(size)] = lambda _, a=a, b=b: cd.tau_b(a, b)
    found = timed(calls, 3)
    per_item = found["grouped"] / len(label)
    known = np.array([[size, np.median(found[str(size)]) / a.size] for size, (a, _) in batch.items()])
    equal = np.average(np.interp(np.arange(5, 1001), *known.T), weights=np.arange(5, 1001))
    ratio = (found["pandas"] / len(small)) / per_item
    report.add(
        f"grouped, {n_groups} groups of 5-1000, against pandas groupby with SciPy", ratio, "x", 60, True
    )
    report.add("grouped, time per item against equal-length batches", per_item / equal, "x", 1.25)
    gain = speedup(
        lambda: cd.grouped(x, y, label, "tau_b"), lambda: cd.grouped(x, y, label, "tau_b", workers=2), 7
    )
    report.add("two threads, grouped tau_b", gain, "x", 1.7, True)


def keys(report: Report, rng: np.random.Generator) -> None:
    """Time the numbering of groups whose rows are in random order, one key after the other."""
    n, n_groups = (1_000_000, 50_000) if QUICK else (10_000_000, 50_000)
    group = rng.integers(0, n_groups, n)
    texts = np.array([f"query-{k}" for k in range(n_groups)])[group]
    listed = texts.tolist()
    kinds = {
        "NumPy integers": group,
        "NumPy texts": texts,
        "pandas integers": pd.Series(group),
        "pandas texts": pd.Series(texts),
        "polars texts": pl.Series(listed),
        "Arrow texts": pa.array(listed),
        "Arrow dictionary": pa.array(listed).dictionary_encode(),
    }
    found = timed(
        {name: lambda _, k=kind: number_groups("groups", k) for name, kind in kinds.items()},
        3,
        clock=time.perf_counter,
    )
    report.worst(f"numbers of {n_groups} groups of {n} rows in random order", found, "s", 1)
    seconds = timed({"list": lambda _: number_groups("groups", listed)}, 1)["list"]
    report.add(f"the same for a Python list of {n} texts", seconds, "s", 10)


def frames(report: Report, rng: np.random.Generator) -> None:
    """Time groups of the rows of a frame, keys of text in random order, next to the means of the library."""
    n, n_groups = (500_000, 5000) if QUICK else (5_000_000, 50_000)
    users = np.array([f"user {k}" for k in range(n_groups)], dtype=object)[rng.integers(0, n_groups, n)]
    x = rng.random(n)
    columns = {"user": users.tolist(), "human": x, "model": x + rng.random(n)}
    of_pandas, of_polars = pd.DataFrame(columns), pl.DataFrame(columns)

    def ours(frame: object) -> object:
        return cd.grouped(frame, by="user", x="human", y="model", coefficients=["tau_b", "tau_ap_b"])

    one = of_pandas[of_pandas.user == users[0]]
    assert ours(of_pandas).tau_b[0] == ours(of_polars)["tau_b"][0] == cd.tau_b(one.human, one.model)
    calls: dict[str, Call] = {
        "pandas": lambda _: of_pandas.groupby("user").mean(),
        "from pandas": lambda _: ours(of_pandas),
        "polars": lambda _: of_polars.group_by("user").mean(),
        "from polars": lambda _: ours(of_polars),
    }
    found = timed(calls, 5, clock=time.perf_counter)
    for library in ("pandas", "polars"):
        report.add(
            f"grouped, {n} rows in {n_groups} groups of a {library} frame, against its mean by group",
            found[f"from {library}"] / found[library],
            "x",
            3,
        )


def large(report: Report, rng: np.random.Generator) -> None:
    """Time a million items."""
    n = 200_000 if QUICK else 1_000_000
    x = rng.random((2, n))
    y = x + rng.random((2, n))
    calls: dict[str, Call] = {
        "argsort": lambda i: np.argsort(x[i % 2]),
        "kendalltau": lambda i: stats.kendalltau(x[i % 2], y[i % 2]),
    }
    for c in SCORES:
        calls[c.name] = lambda i, f=c.function: f(x[i % 2], y[i % 2])
        if c.thresholds:
            calls[f"{c.name}(w)"] = lambda i, f=c.function: f(x[i % 2], y[i % 2], threshold=0.01)
    tied_x, tied_y = (np.floor(side * 1000) for side in (x, y))
    calls["argsort of ties"] = lambda i: np.argsort(tied_x[i % 2])
    for name in ("tau", "tau_ap"):
        calls[f"tie_range of {name}"] = lambda i, name=name: cd.tie_range(tied_x[i % 2], tied_y[i % 2], name)
    found = timed(calls, 3 if QUICK else 5)
    start = time.perf_counter()
    assert abs(stats.weightedtau(x[0], y[0]).statistic - cd.tau_h(x[0], y[0])) < 1e-9
    weightedtau = time.perf_counter() - start - np.median(found["tau_h"])
    sorts = {name: seconds / found["argsort"] for name, seconds in found.items()}
    what = f"n = {n:.0e}, in units of np.argsort: "
    report.worst(what + "tau_b, tau_ap_b", {k: sorts[k] for k in ("tau_b", "tau_ap_b")}, "x", 2)
    gap = sorts.pop("tau_gap(w)")
    report.worst(what + "with thresholds", {k: v for k, v in sorts.items() if k.endswith("(w)")}, "x", 3)
    report.add(what + "tau_gap with a threshold", gap, "x", 4)
    report.worst(what + "tau_gap, tau_h", {k: sorts[k] for k in ("tau_gap", "tau_h")}, "x", 4)
    report.add(what + "pearson_rank", sorts["pearson_rank"], "x", 1.5)
    ranges = {k: found[k] / found["argsort of ties"] for k in found if k.startswith("tie_range")}
    report.worst(what + "tie_range, a thousand scores", ranges, "x", 4)
    report.add(f"tau_h against weightedtau, n = {n:.0e}", weightedtau / found["tau_h"], "x", 50, True)
    report.add(f"tau_b against kendalltau, n = {n:.0e}", found["kendalltau"] / found["tau_b"], "x", 4, True)


PEAK = """
import sys, time
import numpy as np
import concordant as cd
n, name = int(sys.argv[1]), sys.argv[2]
c = cd.coefficient(name)
rng = np.random.default_rng(0)
x = rng.random(n); y = rng.random(n); y += x
def status(field):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(field))
before = status("VmRSS")
start = time.perf_counter(); c(x, y); taken = time.perf_counter() - start
print((status("VmHWM") - before) * 1024 / x.nbytes, taken)
"""


def memory(report: Report, _rng: np.random.Generator) -> None:
    """Return the peak of extra memory of every coefficient in input columns, each in its own process."""
    n = 1_000_000 if QUICK else 10_000_000
    names = [c.name for c in SCORES] + [f"{name}(0.01)" for name in WITH_THRESHOLD]
    peaks = {}
    for name in names:
        out = subprocess.run(
            [sys.executable, "-c", PEAK, str(n), name], capture_output=True, text=True, check=True
        )
        peaks[name] = float(out.stdout.split()[0])
    report.worst(
        f"n = {n:.0e}, every coefficient finishes: peak extra memory, in input columns", peaks, "x", 8
    )


def growth(report: Report, rng: np.random.Generator) -> None:
    """Return how the time grows when the size doubles, for random, heavily tied and presorted input."""
    sizes = (
        (50_000, 100_000, 200_000) if QUICK else (100_000, 200_000, 400_000, 1_000_000, 2_000_000, 4_000_000)
    )
    names = [c.name for c in SCORES if c.ties != "error"] + ["tau_b(0.01)", "tau_ap_e(0.01)"]
    ratios = {}
    for kind in ("random", "tied", "sorted"):
        seconds: dict[int, dict[str, Rounds]] = {}
        for n in sizes:
            x = rng.random(n)
            y = x + rng.random(n)
            if kind == "tied":
                x, y = np.floor(x * 20) / 20, np.floor(y * 20) / 20
            elif kind == "sorted":
                x, y = np.sort(x), np.sort(y)
            chosen = {name: cd.coefficient(name) for name in names}
            calls: dict[str, Call] = {name: lambda _, c=c, x=x, y=y: c(x, y) for name, c in chosen.items()}
            seconds[n] = timed(calls, 4)
        for small, double in itertools.pairwise(sizes):
            if double == 2 * small:
                for name in names:
                    both = (float(seconds[n][name].min()) for n in (double, small))
                    ratios[f"{name}, {kind}, {double:.0e}"] = next(both) / next(both)
    report.worst("growth, time(2n) / time(n)", ratios, "x", 2.3)


def start(report: Report, _rng: np.random.Generator) -> None:
    """Return the time of a fresh interpreter up to a first result, above that of importing NumPy."""
    ours = "import concordant; import numpy as np; concordant.tau_b(np.arange(50.), np.arange(50.))"
    code = {"numpy": "import numpy", "concordant": ours}
    environment = usual_environment()
    calls: dict[str, Call] = {
        name: lambda _, text=text: subprocess.run([sys.executable, "-c", text], check=True, env=environment)
        for name, text in code.items()
    }
    timed(calls, 1)
    found = timed(calls, 11 if QUICK else 25)
    report.add(
        "import and a first result, above import numpy",
        (found["concordant"] - found["numpy"]) * 1e3,
        "ms",
        15,
    )


EVALUATE = """
import sys, time
from pathlib import Path
folder, who = Path(sys.argv[1]), sys.argv[2]
files = sorted(str(path) for path in (folder / "runs").iterdir())
qrels = [str(folder / "human.qrels"), str(folder / "noisy.qrels")]
measures = ["AP", "nDCG@10"]
start = time.perf_counter()
if who == "concordant":
    from concordant.reading.evaluate import evaluate_under
    from concordant.reading.measure_names import measures_of
    from concordant.reading.qrels import read_qrels
    parsed = measures_of(measures)
    found = evaluate_under({path: (read_qrels(path), parsed) for path in qrels}, files)
    total = sum(scores.values.sum() for scores in found.values())
else:
    import ir_measures
    parsed = [ir_measures.parse_measure(m) for m in measures]
    evaluators = [ir_measures.evaluator(parsed, list(ir_measures.read_trec_qrels(q))) for q in qrels]
    total = 0.0
    for file in files:
        run = list(ir_measures.read_trec_run(file))
        total += sum(metric.value for e in evaluators for metric in e.iter_calc(run))
with open("/proc/self/status") as lines:  # of this program alone; getrusage also counts who started it
    peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
print(time.perf_counter() - start, peak / 2**20, total)
"""


def files(report: Report, rng: np.random.Generator) -> None:
    """Read and evaluate runs next to ir_measures alone; correlate two tables from the command line."""
    n_runs = 6 if QUICK else 100
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = cd.experiments.simulate.collection(
            n_topics=50, n_systems=min(n_runs, 10), n_documents=3000, depth=1000, pool_depth=50, rng=rng
        )
        made.write(folder)
        for i, path in enumerate(
            itertools.islice(itertools.cycle(sorted((folder / "runs").iterdir())), n_runs)
        ):
            if i >= len(made.runs):
                text = path.read_text(encoding="utf-8").replace(f" {path.stem}\n", f" copy-{i}\n")
                (folder / "runs" / f"copy-{i}.run").write_text(text, encoding="utf-8")
        taken: dict[str, list[float]] = {"concordant": [], "ir_measures": []}
        sums = {}
        for _ in range(1 if QUICK else 2):
            for who, times in taken.items():
                out = subprocess.run(
                    [sys.executable, "-c", EVALUATE, str(folder), who],
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout.split()
                times.append(float(out[0]))
                sums[who] = float(out[2])
                if who == "concordant":
                    peak = float(out[1])
        assert abs(sums["concordant"] / sums["ir_measures"] - 1) < 1e-9
        ratio = np.array(taken["concordant"]) / np.array(taken["ir_measures"])
        what = f"{n_runs} runs x 50 topics x 1000 documents, two qrels"
        report.add(f"{what}: time, against ir_measures alone", ratio, "x", 1.3)
        report.add(f"{what}: peak memory", peak, "GB", 1.5)
        for which in ("a.csv", "b.csv"):
            cd.write_scores(cd.Scores(rng.random((50, 129))), folder / which, format="wide")
        environment = usual_environment()
        command = [
            sys.executable,
            "-m",
            "concordant",
            "correlate",
            str(folder / "a.csv"),
            str(folder / "b.csv"),
        ]
        calls: dict[str, Call] = {
            "correlate": lambda _: subprocess.run(command, check=True, env=environment, capture_output=True)
        }
        timed(calls, 1)
        found = timed(calls, 5 if QUICK else 11)
        report.add(
            "concordant correlate, two tables of 129 systems x 50 topics, with start-up",
            found["correlate"],
            "s",
            0.5,
        )
        command.append("--no-interval")
        found = timed(calls, 5 if QUICK else 11)
        report.add(
            "the same without intervals",
            found["correlate"],
            "s",
            0.2,
        )


# A process of its own for each: seconds and peak memory in bytes, after the libraries are loaded.
READ = """
import resource, sys, time
import concordant as cd
path, who = sys.argv[1:]
if who == "alone":
    sys.modules.update(dict.fromkeys(("pandas", "polars", "pyarrow")))
else:
    import pandas as pd
    import pyarrow.csv, pyarrow.parquet
readers = {"csv": "read_csv", "parquet": "read_parquet", "jsonl": "read_json"}
ending = path.rpartition(".")[2]
options = {"lines": True} if ending == "jsonl" else {}
cd.read_scores  # loads it
start = time.perf_counter()
if who == "pandas":
    getattr(pd, readers[ending])(path, **options)
else:
    cd.read_scores(path)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def reading(report: Report, rng: np.random.Generator) -> None:
    """Read a long table of a million rows, next to pandas."""
    n_topics = 500 if QUICK else 5000
    scores = cd.Scores(
        rng.random((2, n_topics, 100)).round(4),
        measures=["AP", "RR"],
        topics=[f"q{k}" for k in range(n_topics)],
        systems=[f"system{k}" for k in range(100)],
    )
    what = f"a long table of {scores.values.size} rows"
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("csv", "jsonl", "parquet"):
            path = f"{folder}/t.{ending}"
            cd.write_scores(scores, path)
            taken: dict[str, list[list[float]]] = {"pandas": [], "ours": []}
            if ending == "csv":
                taken["alone"] = []
            for _ in range(7):
                for who, times in taken.items():
                    command = [sys.executable, "-c", READ, path, who]
                    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
                    times.append([float(part) for part in out.split()])
            seconds, memory_used = (
                {who: statistics.median(each[k] for each in times) for who, times in taken.items()}
                for k in range(2)
            )
            report.add(f"{what}, {ending}, against pandas", seconds["ours"] / seconds["pandas"], "x", 5)
            report.add(f"{what}, {ending}: memory", memory_used["ours"] / memory_used["pandas"], "x", 3)
            if ending == "csv":
                report.add(f"{what}, without a library", seconds["alone"] / seconds["pandas"], "x", 20)


def peers(report: Report, rng: np.random.Generator) -> None:
    """Continuous scores next to the fastest peers: Numba, polars and R."""
    n = 100_000 if QUICK else 1_000_000
    x = rng.random((2, n))
    y = x + rng.random((2, n))
    against(report, f"tau_b, n = {n:.0e}", x, y)


def against(report: Report, what: str, x: np.ndarray, y: np.ndarray) -> None:
    """Time tau_b of two pairs of rankings next to each peer that is there."""
    found: dict[str, Call] = {}
    with report.peer("hyper-corr"):
        import hyper_corr

        found["hyper-corr"] = lambda i: hyper_corr.kendalltau(x[i % 2], y[i % 2], pvals=False)
        theirs = hyper_corr.kendalltau(x[0], y[0], pvals=False)
        assert abs((theirs[0] if isinstance(theirs, tuple) else theirs) - cd.tau_b(x[0], y[0])) < 1e-9
    with report.peer("polars-ds"):
        import polars_ds

        frames = [pl.DataFrame({"x": a, "y": b}) for a, b in zip(x, y, strict=True)]
        asked = polars_ds.kendall_tau("x", "y")
        found["polars-ds"] = lambda i: frames[i % 2].select(asked).item()
        assert abs(found["polars-ds"](0) - cd.tau_b(x[0], y[0])) < 1e-9
    ours: dict[str, Call] = {"ours": lambda i: cd.tau_b(x[i % 2], y[i % 2])}
    taken = timed({**ours, **found}, 3 if QUICK else 7, clock=time.perf_counter)
    for peer in found:
        report.add(f"{what}, against {peer}", taken[peer] / taken["ours"], "x", 1, True)
    if (seconds := in_r(x[0], y[0])) is None:
        report.absent["pcaPP of R"] = None
    else:
        report.add(f"{what}, against pcaPP (R)", seconds / taken["ours"], "x", 1, True)


PCAPP = """
library(pcaPP)
a <- commandArgs(TRUE)
n <- as.integer(a[2])
v <- readBin(a[1], "double", 2 * n)
x <- v[1:n]; y <- v[(n + 1):(2 * n)]
s <- replicate(5, system.time(cor.fk(x, y))[["elapsed"]])
cat(format(cor.fk(x, y), digits = 15), median(s))
"""


def in_r(x: np.ndarray, y: np.ndarray) -> float | None:
    """Return the seconds of cor.fk of pcaPP (Debian: r-cran-pcapp); None without it."""
    if shutil.which("Rscript") is None:
        return None
    with tempfile.NamedTemporaryFile() as file:
        file.write(np.concatenate([x, y]).tobytes())
        file.flush()
        command = ["Rscript", "-e", PCAPP, file.name, str(len(x))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    value, seconds = map(float, done.stdout.split())
    assert abs(value - cd.tau_b(x, y)) < 1e-9
    return seconds


def few(report: Report, rng: np.random.Generator) -> None:
    """Scores of few values, such as grades, next to a contingency table in NumPy and to the peers."""
    n = 100_000 if QUICK else 1_000_000
    codes_x, codes_y = rng.integers(0, 4, (2, n)), rng.integers(0, 5, (2, n))
    x, y = codes_x.astype(float), codes_y.astype(float)
    names = ["tau_a", "tau_b", "tau_e", "tau_ap_a", "tau_ap_b", "tau_ap_e", "spearman_rho"]
    calls: dict[str, Call] = {
        name: lambda i, f=cd.REGISTRY[name].function: f(x[i % 2], y[i % 2]) for name in names
    }
    calls["table"] = lambda i: np.bincount(codes_x[i % 2] * 5 + codes_y[i % 2], minlength=20)
    found = timed(calls, 7)
    ratios = {name: found[name] / found["table"] for name in names}
    what = f"4 x 5 values, n = {n:.0e}"
    report.worst(f"{what}, against the contingency table of ready codes", ratios, "x", 2)
    against(report, f"tau_b of {what}", x, y)
    rows = 2000
    few_x, few_y = (rng.integers(0, k, (rows, 97)).astype(float) for k in (4, 5))
    many_x, many_y = rng.random((2, rows, 97))
    for name in ("tau_b", "tau_ap_b", "spearman_rho"):
        f = cd.REGISTRY[name].function
        both = timed({"few": lambda _, f=f: f(few_x, few_y), "many": lambda _, f=f: f(many_x, many_y)}, 7)
        share = both["few"] / both["many"]
        report.add(f"batch of {name} of 4 x 5 values, share of continuous", share, "", 0.5)
    tied_x, tied_y = (np.floor(side * n / 2) for side in (rng.random(n), rng.random(n)))
    untied_x, untied_y = rng.random((2, n))
    both = timed(
        {"tied": lambda _: cd.tau_h(tied_x, tied_y), "untied": lambda _: cd.tau_h(untied_x, untied_y)}, 5
    )
    report.add("tau_h with ties in pairs, against without", both["tied"] / both["untied"], "x", 1.5)


def board(
    rng: np.random.Generator, n_judges: int, n_systems: int, n_topics: int
) -> tuple[cd.Scores, dict[str, cd.Scores]]:
    """Return the scores of a reference and of judges."""
    labels = {
        "systems": [f"system {k}" for k in range(n_systems)],
        "topics": [f"topic {k}" for k in range(n_topics)],
    }
    truth = np.clip(rng.normal(rng.normal(0.4, 0.1, n_systems), 0.15, (n_topics, n_systems)), 0, 1)
    judges = {
        f"judge {j}": cd.Scores(np.clip(truth + rng.normal(0, 0.05 * (j + 1), truth.shape), 0, 1), **labels)
        for j in range(n_judges)
    }
    return cd.Scores(truth, **labels), judges


def boards(report: Report, rng: np.random.Generator) -> None:
    """Judges of many systems, and the page of the answer, on one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        few_systems = board(rng, 5, 100, 50)
        answer = cd.judge(*few_systems)
        found = timed({"judge": lambda _: cd.judge(*few_systems)}, 2 if QUICK else 5)
        report.add("judge, 5 judges x 100 systems x 50 topics, one core", found["judge"], "s", 0.6)
        with tempfile.TemporaryDirectory() as folder:
            found = timed({"page": lambda i: cd.report(answer, f"{folder}/{i}.html")}, 2 if QUICK else 5)
        report.add("the page of that answer", found["page"], "s", 0.8)
        n_systems = 200 if QUICK else 800
        many_systems = board(rng, 3, n_systems, 100)
        found = timed({"judge": lambda _: cd.judge(*many_systems)}, 1 if QUICK else 3)
        report.add(f"judge, 3 judges x {n_systems} systems x 100 topics", found["judge"], "s", 3)
    finally:
        os.sched_setaffinity(0, cores)


def graded(report: Report, rng: np.random.Generator) -> None:
    """Nine coefficients of graded lists and items, n = 1000, 5 grades."""
    n = 1000
    lists = rng.integers(0, 5, (8, 2, n))
    x, y, grades = rng.random((8, n)), rng.random((8, n)), rng.integers(0, 5, (8, n))

    def nine(i: int) -> None:
        i %= 8
        for c in cd.REGISTRY.values():
            if c.inputs == "graded_lists":
                c.function(lists[i, 0], lists[i, 1], max_grade=4)
            elif c.inputs == "graded_items":
                c.function(x[i], y[i], grades[i])

    found = timed(
        {"argsort": lambda i: np.argsort(x[i % 8, :50]), "nine": nine}, 21, {"argsort": 200, "nine": 1}
    )
    report.scale_by(found["argsort"])
    report.add(
        "nine coefficients of graded lists and items, n = 1000, 5 grades",
        found["nine"] * 1e3 * report.scale,
        "ms",
        2,
    )


def lists(report: Report, rng: np.random.Generator) -> None:
    """Compare lists that need not hold the same items, beside the package rbo of PyPI on lists without ties.

    That package asks for NumPy 1, but works with NumPy 2: ``pip install --no-deps rbo`` to have it measured.
    """
    for n, target in ((10, 8), (100, 40), (1000, 150)):
        names = [f"document-{k:05d}" for k in range(2 * n)]
        sides = [[[names[k] for k in rng.permutation(2 * n)[:n]] for _ in range(2)] for _ in range(16)]
        calls: dict[str, Call] = {
            "argsort": lambda i: np.argsort(ARGSORTED[i % 8]),
            "ours": lambda i, sides=sides: cd.rbo(*sides[i % 16]),
        }
        with report.peer("rbo of PyPI"):
            from rbo import RankingSimilarity

            calls["rbo of PyPI"] = lambda i, s=sides: RankingSimilarity(*s[i % 16]).rbo_ext(p=0.9)
            for i in range(16):  # it rounds to three digits
                assert abs(calls["rbo of PyPI"](i) - calls["ours"](i)) < 6e-4
        found = timed(calls, 11, {"argsort": 200, "ours": max(3, 2000 // n), "rbo of PyPI": 1})
        report.scale_by(found["argsort"])
        report.add_us(f"rbo of two lists of {n} names", found["ours"], target)
        if "rbo of PyPI" in found:
            ratio = found["rbo of PyPI"] / found["ours"]
            report.add(f"rbo of two lists of {n} names, against rbo of PyPI", ratio, "times as fast", 1, True)
    n = 100_000 if QUICK else 1_000_000
    far = rng.integers(-(2**62), 2**62, 3 * n // 2)
    for kind, pool in (("near", np.arange(3 * n // 2)), ("far apart", far)):
        x, y = rng.permutation(pool)[:n], rng.permutation(pool)[:n]
        calls = {
            "ours": lambda _, x=x, y=y: cd.rbo(x, y),
            "unique": lambda _, x=x, y=y: (np.unique(x), np.unique(y)),
        }
        found = timed(calls, 5)
        what = f"rbo of two lists of {n} integers, {kind}, against np.unique of both"
        report.add(what, found["ours"] / found["unique"], "x", 2)
    n_runs, n_topics = (30, 10) if QUICK else (100, 50)
    runs = {}
    for r in range(n_runs):
        topics = {}
        for t in range(n_topics):
            documents = rng.permutation(4000)[:1000]
            scores = rng.normal(-documents / 4000, 0.3).round(4).tolist()
            topics[f"t{t}"] = {f"document-{d}": s for d, s in zip(documents.tolist(), scores, strict=True)}
        runs[f"run{r}"] = topics
    start = time.perf_counter()
    cd.compare_runs(runs, workers=2)
    seconds = time.perf_counter() - start
    what = f"compare_runs: all pairs of {n_runs} runs x {n_topics} topics x 1000 documents"
    report.add(what, seconds, "s", 20)


def experiments(report: Report, rng: np.random.Generator) -> None:
    """Time experiments on random scores, as large as the papers have them."""
    six = ["tau_a", "tau_b", "tau_e", "tau_ap_a", "tau_ap_b", "tau_ap_e"]
    asked = [name if w == 0 else f"{name}({w})" for name in six for w in (0, 0.01, 0.05, 0.1)]
    quality = rng.random(97)
    five = cd.Scores(np.clip(rng.normal(quality, 0.2, (5, 50, 97)), 0, 1), measures=list("abcde"))
    three = five.select(measures=list("abc"))
    many = cd.Scores(np.clip(rng.normal(rng.random(129), 0.2, (50, 129)), 0, 1))
    splits, pairs = (200, 10_000) if QUICK else (2000, 100_000)
    with tempfile.TemporaryDirectory() as name:
        made = cd.experiments.simulate.collection(
            n_systems=20, n_documents=150, depth=50, pool_depth=50, rng=rng
        )
        made.write(name)
        calls: dict[str, Call] = {
            "predict": lambda _: cd.experiments.predict(five, asked, n_splits=splits, rng=1, workers=2),
            "nine cells": lambda _: cd.experiments.predict(three, asked, n_splits=splits, rng=1, workers=2),
            "gaps": lambda _: cd.experiments.gaps(["zipf"], n_pairs=pairs, rng=1),
            "grades": lambda _: cd.experiments.grades(f"{name}/human.qrels", f"{name}/runs/*", rng=1),
        }
        for c in SCORES:
            calls[c.name] = lambda _, c=c: cd.experiments.swap(many, [c.name], n_swaps=1, n_draws=1)
        found = timed(calls, 3, clock=time.perf_counter)
    report.add(
        f"predict: 25 pairs of measures, 24 coefficients, {splits} splits, 97 systems",
        found["predict"],
        "s",
        12,
    )
    report.add(f"predict: 9 pairs of measures, 24 coefficients, {splits} splits", found["nine cells"], "s", 5)
    report.add(f"gaps: {pairs} pairs of samples", found["gaps"], "s", 3)
    report.add("grades: 20 runs x 50 topics x 50 documents, nine coefficients", found["grades"], "s", 3)
    report.worst("swap: 129 systems, all swaps", {c.name: found[c.name] for c in SCORES}, "s", 1)


def inference(report: Report, rng: np.random.Generator) -> None:
    """Time intervals, tests and explanations on one core, next to SciPy's resampling with its kendalltau."""
    quality = rng.normal(0.4, 0.1, 129)
    truth = np.clip(rng.normal(quality, 0.15, (50, 129)), 0, 1)
    llm = np.clip(truth + rng.normal(0, 0.1, truth.shape), 0, 1)
    x, noise = rng.normal(size=(2, 100))
    y = x + noise
    many_x, many_noise = rng.normal(size=(2, 100_000))
    n = 999 if QUICK else 9999

    def of_topics(topics: np.ndarray) -> float:
        rows = topics.astype(int)
        return stats.kendalltau(truth[rows].mean(axis=0), llm[rows].mean(axis=0)).statistic

    peers: dict[str, Call] = {
        "bootstrap": lambda _: stats.bootstrap(
            (np.arange(50),), of_topics, n_resamples=n, vectorized=False, method="percentile"
        ),
        "permutation": lambda _: stats.permutation_test(
            (y,),
            lambda v: stats.kendalltau(x, v).statistic,
            permutation_type="pairings",
            vectorized=False,
            n_resamples=n,
        ),
        "bootstrap of items": lambda _: stats.bootstrap(
            (x, y),
            lambda a, b: stats.kendalltau(a, b).statistic,
            n_resamples=n,
            vectorized=False,
            paired=True,
        ),
    }
    bootstraps: dict[str, Call] = {
        c.name: lambda _, c=c: cd.bootstrap(truth, llm, c, resampling=cd.Resampling(n_resamples=n, rng=1))
        for c in SCORES
    }
    permutations: dict[str, Call] = {
        c.name: lambda _, c=c: cd.permutation_test(x, y, c, n_resamples=n, rng=1) for c in SCORES
    }
    explanations: dict[str, Call] = {
        c.name: lambda _, c=c: cd.explain(many_x, many_x + many_noise, c)
        for c in SCORES
        if c.name != "pearson_rank"  # O(n^2)
    }
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        theirs = timed(peers, 1)
        boot, perm, explained = timed(bootstraps, 3), timed(permutations, 3), timed(explanations, 1)
        reliability: dict[str, Call] = {
            "without the interval": lambda _: cd.plan(truth, "tau_ap", n_topics=50, resampling=None),
            "with it": lambda _: cd.plan(truth, "tau_ap", n_topics=50),
        }
        expected = {name: 1e3 * seconds for name, seconds in timed(reliability, 9).items()}
        jackknife = timed({"jackknife": lambda _: cd.jackknife_interval(x, y, "tau_b")}, 9)["jackknife"]
    finally:
        os.sched_setaffinity(0, cores)
    report.worst(f"bootstrap, {n} resamples of 129 systems x 50 topics, one core", boot, "s", 0.6)
    report.worst(f"permutation_test, {n} orders of 100 items, one core", perm, "s", 0.15)
    against = "against scipy.stats"
    report.add(
        f"bootstrap of tau_b over topics, {against}.bootstrap",
        float(theirs["bootstrap"][0]) / boot["tau_b"],
        "x",
        60,
        True,
    )
    report.add(
        f"permutation_test of tau_b, {against}.permutation_test",
        float(theirs["permutation"][0]) / perm["tau_b"],
        "x",
        100,
        True,
    )
    report.add(
        f"jackknife_interval of tau_b, {against}.bootstrap of items",
        float(theirs["bootstrap of items"][0]) / jackknife,
        "x",
        100,
        True,
    )
    report.worst("expected tau_ap of 129 systems x 50 topics", expected, "ms", 60)
    report.worst("explain, 100,000 items, with 200 removals", explained, "s", 10)


PARTS = (
    *(single_calls, batches, groups, keys, frames, large, memory, growth, peers, few, boards, start),
    *(graded, lists, files, reading, experiments, inference),
)


def main() -> None:
    """Measure, print, and write RESULTS.md."""
    warnings.simplefilter("ignore")
    report = Report()
    rng = np.random.default_rng(1)
    if only := sys.argv[sys.argv.index("--only") + 1 :] if "--only" in sys.argv else []:
        for name in only:
            globals()[name](report, rng)
        return
    began = time.perf_counter()
    sizes = by_size(rng)
    print("\n".join(sizes) + "\n")
    for part in PARTS:
        start = time.perf_counter()
        part(report, rng)
        print(f"    {part.__name__}: {time.perf_counter() - start:.0f} s", flush=True)
    absent = "Not installed, so not measured: " + ", ".join(report.absent) + "." if report.absent else ""
    missed = [row[0] for row in report.rows if not row[-1]]
    print(f"\n{len(report.rows) - len(missed)} of {len(report.rows)} targets reached. {absent}")
    print(
        f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB"
    )
    if QUICK:
        return
    versions = ", ".join(f"{name} {version(name)}" for name in ("concordant", "numpy", "scipy", "pandas"))
    lines = [
        "# Speed",
        "",
        f"`make bench`, {datetime.date.today():%Y-%m-%d}, Python {platform.python_version()}, {versions},",
        f"{platform.system()} {platform.machine()}, {_processor()}.",
        "Medians of interleaved repetitions, with quartiles; for two threads and growth, the shortest times.",
        "Seconds are those of the processor; for threads, peers, frames, files, experiments, of the clock;",
        "times in µs and ms are scaled to a machine where `np.argsort` of 50 doubles takes 2 µs.",
        f"The run took {(time.perf_counter() - began) / 60:.0f} minutes; {_load()}. {absent}".rstrip(),
        "",
        "| what | measured | quartiles | target | reached |",
        "|---|---|---|---|---|",
        *(
            f"| {what} | {measured} | {spread} | {target} | {'yes' if ok else '**no**'} |"
            for what, measured, spread, target, ok in report.rows
        ),
        "",
        "## By size",
        "",
        "Time per call as measured, not scaled.",
        "",
        *sizes,
        "",
    ]
    written = HERE / "RESULTS.md"
    _, title, section = written.read_text(encoding="utf-8").partition(scale.TITLE)  # of benchmarks/scale.py
    written.write_text("\n".join(lines) + (f"\n{title}{section}"), encoding="utf-8")


def _load() -> str:
    """Return what else the machine did."""
    busy, cores = os.getloadavg()[2], os.cpu_count()
    return f"{busy:.1f} programs ran on {cores} cores on average in the last 15 minutes, this one among them"


def _processor() -> str:
    try:
        info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        return next(
            line.partition(":")[2].strip() for line in info.splitlines() if line.startswith("model name")
        )
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


if __name__ == "__main__":
    main()
