"""Measure time and memory against size, and work out what to expect at a hundred times the size.

Every measurement is a process of its own, with those that it starts. Its memory is the sum over all of them,
looked at every 50 ms, in which a page that several processes share counts once. The section "By size of the
collection" of RESULTS.md is written anew, and so is what docs/guides/clusters.md says of it.

    python benchmarks/scale.py                         some minutes; writes both files
    python benchmarks/scale.py --quick                 small sizes; writes nothing
    python benchmarks/scale.py --only runs matrix      some of the tables; the others stay
    python benchmarks/scale.py --documents             measures nothing, and writes what the document says
"""

from __future__ import annotations

import argparse
import math
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "guides" / "clusters.md"
TITLE = "## By size of the collection"
JUDGES = ("first", "second", "third")


# --- the memory of a process and of those that it starts ---


class Watch(threading.Thread):
    """Looks at the memory of a process and of all its descendants, and keeps the highest sum in bytes."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self.root, self.peak, self.ended = root, 0, threading.Event()

    def run(self) -> None:
        """Look until told to end."""
        while not self.ended.wait(0.05):
            self.peak = max(self.peak, sum(map(_memory, _tree(self.root))))


def _tree(root: int) -> Iterator[int]:
    yield root
    try:
        for task in Path(f"/proc/{root}/task").iterdir():
            for child in (task / "children").read_text(encoding="ascii").split():
                yield from _tree(int(child))
    except OSError:  # it has ended
        return


def _memory(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return 1024 * next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def measured(command: list[str], folder: Path | None = None) -> tuple[float, int, str]:
    """Run a command; return its seconds, the peak of its memory in bytes, and what it printed."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        watch = Watch(process.pid)
        watch.start()
        printed, complaint = process.communicate()
        seconds = time.perf_counter() - start
        watch.ended.set()
        watch.join()
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)[:300]}\n{complaint}")
    return seconds, watch.peak, printed


# --- the data ---


def write_collection(folder: Path, n_runs: int, n_topics: int, depth: int) -> None:
    """Write runs, and the judgements of a human and of three judges, who err more and more.

    All lines of a run have the same length, so that NumPy can lay out a whole file.
    """
    rng = np.random.default_rng(1)
    n_documents, n_judged = 3 * depth, depth // 2
    relevance = rng.normal(size=(n_topics, n_documents)).astype(np.float32)
    topics = range(401, 401 + n_topics)
    texts = [[f"{t} Q0 D{t}-{d:05d} ".encode() for d in range(n_documents)] for t in topics]
    heads = np.array(texts).view(np.uint8).reshape(n_topics, n_documents, -1)
    texts = [f"{rank:4d} {depth + 1 - rank:4d}.5 ".encode() for rank in range(1, depth + 1)]
    tails = np.array(texts).view(np.uint8).reshape(depth, -1)
    (folder / "runs").mkdir(parents=True)
    for r in range(n_runs):
        noise = rng.standard_normal(relevance.shape, dtype=np.float32)
        found = np.argsort(noise - (0.3 + r / n_runs) * relevance, axis=1)[:, :depth]
        tag = np.frombuffer(f"system-{r:04d}\n".encode(), np.uint8)
        lines = np.concatenate(
            [
                np.take_along_axis(heads, found[:, :, None], axis=1),
                np.broadcast_to(tails, (n_topics, *tails.shape)),
                np.broadcast_to(tag, (n_topics, depth, len(tag))),
            ],
            axis=2,
        )
        (folder / "runs" / f"{r:04d}.run").write_bytes(lines.tobytes())
    judged = np.argsort(0.5 * rng.normal(size=relevance.shape) - relevance, axis=1)[:, :n_judged]
    for name, error in zip(("human", *JUDGES), (0.0, 0.3, 0.7, 1.5), strict=True):
        seen = relevance + error * rng.normal(size=relevance.shape)
        grades = np.digitize(seen, [0.8, 1.5, 2.1])
        rows = [
            f"{t} 0 D{t}-{d:05d} {grades[i, d]}\n" for i, t in enumerate(topics) for d in judged[i].tolist()
        ]
        (folder / f"{name}.qrels").write_text("".join(rows), encoding="utf-8")


# --- what is measured ---

# Each is a process of its own with one thread, which prints the seconds of the processor for the call alone.
CALLS = {
    "grouped": """
n_rows, per_batch = int(sys.argv[1]), 1_000_000
rng = np.random.default_rng(0)
import pyarrow as pa
human, model = rng.integers(0, 4, per_batch).astype(float), rng.random(per_batch)
queries = np.repeat(np.arange(per_batch // 100), 100)
def batches():
    for i in range(n_rows // per_batch):
        columns = queries + i * (per_batch // 100), human, model
        yield pa.RecordBatch.from_arrays(list(map(pa.array, columns)), names=["query", "human", "model"])
call = lambda: cd.grouped(batches(), by="query", x="human", y="model", coefficients=["tau_b"])
""",
    "matrix": """
rankings = np.random.default_rng(0).random((int(sys.argv[1]), 200))
call = lambda: cd.matrix(rankings, "tau_b")
""",
    "bootstrap": """
rng = np.random.default_rng(0)
n_systems, n_topics = map(int, sys.argv[1:])
human = rng.normal(np.linspace(0.6, 0.3, n_systems), 0.15, (n_topics, n_systems))
model = human + rng.normal(0, 0.1, human.shape)
call = lambda: cd.bootstrap(human, model, "tau_b", resampling=cd.Resampling(rng=1))
""",
    "items": """
x, noise = np.random.default_rng(0).random((2, int(sys.argv[1])))
y = x + noise
cd.tau_b(x[:2], y[:2])  # loads it
call = lambda: cd.tau_b(x, y)
""",
    "judge": """
rng = np.random.default_rng(0)
n_systems, n_topics, n_judges = map(int, sys.argv[1:])
human = rng.normal(np.linspace(0.6, 0.3, n_systems), 0.15, (n_topics, n_systems))
judges = {f"judge {i}": human + rng.normal(0, 0.1 * i, human.shape) for i in range(1, n_judges + 1)}
call = lambda: cd.judge(human, judges, resampling=cd.Resampling(rng=1))
""",
    "compare_runs": """
paths = sorted(Path("runs").iterdir())[: int(sys.argv[1])]
call = lambda: cd.compare_runs(paths, workers=1)
""",
}
AROUND = """
import sys, time
from pathlib import Path
import numpy as np
import concordant as cd
{}
start = time.process_time()
answer = call()
print(time.process_time() - start)
"""


@dataclass
class Row:
    """One size: what was measured, in seconds and bytes."""

    size: tuple[int, ...]
    seconds: float
    memory: int
    others: tuple[float, ...] = ()


def of_call(name: str, *size: int, folder: Path | None = None) -> Row:
    """Measure one call in a process of its own, in which NumPy uses one thread."""
    python = ["env", "OPENBLAS_NUM_THREADS=1", sys.executable, "-W", "ignore"]
    command = [*python, "-c", AROUND.format(CALLS[name]), *map(str, size)]
    _, memory, printed = measured(command, folder)
    return Row(size, float(printed), memory)


def of_judge(folder: Path, n_runs: int) -> Row:
    """Judge from run files, alone and with `--cluster local` of two processes; the bytes must be the same."""
    command = [
        sys.executable,
        "-m",
        "concordant",
        "judge",
        "--qrels",
        "human.qrels",
        "-m",
        "nDCG@10",
        "-m",
        "AP",
    ]
    for judge in JUDGES:
        command += ["--judge", f"{judge}.qrels"]
    command += ["--format", "json", "-o", "answer.json"]
    command += ["--runs", *(f"runs/{r:04d}.run" for r in range(n_runs))]
    answers, found = [], []
    for how in (["--workers", "1"], ["--workers", "2", "--cluster", "local"]):
        seconds, memory, _ = measured([*command, *how], folder)
        found += [seconds, memory]
        answers.append((folder / "answer.json").read_bytes())
    if answers[0] != answers[1]:
        sys.exit(f"judge of {n_runs} runs: the cluster gave other bytes than one process")
    return Row((n_runs,), found[0], int(found[1]), (found[2], found[3]))


# --- how it grows ---


@dataclass(frozen=True)
class Law:
    """A formula of the size, whose factors are fitted: text for each term, and its value."""

    terms: dict[str, Callable[..., float]]

    def fit(self, sizes: list[tuple[int, ...]], values: list[float]) -> np.ndarray:
        """Return the factors, none of them negative, with the least squares of the relative errors."""
        from scipy.optimize import nnls

        rows = np.array([[term(*size) for term in self.terms.values()] for size in sizes], dtype=float)
        weights = 1 / np.array(values)
        scales = rows.max(axis=0)  # terms of like size, so that the numbers are exact enough
        return nnls(rows * weights[:, None] / scales, np.array(values) * weights)[0] / scales

    def at(self, factors: np.ndarray, size: tuple[int, ...]) -> float:
        """Return the value of the formula."""
        return float(sum(f * term(*size) for f, term in zip(factors, self.terms.values(), strict=True)))

    def text(self, factors: np.ndarray, show: Callable[[float], str]) -> str:
        """Return the formula with its factors; terms that vanish are left out."""
        parts = [
            show(f) + (f" x {name}" if name else "")
            for f, name in zip(factors, self.terms, strict=True)
            if f > 0
        ]
        return " + ".join(parts)


def _one(*_size: int) -> float:
    return 1.0


@dataclass(frozen=True)
class Table:
    """What is measured, and how its time and its memory grow."""

    title: str
    about: str
    sizes: tuple[str, ...]  # what each number of a size counts
    time: Law
    memory: Law
    last: tuple[int, ...]  # a hundred times the size
    cluster: bool = False


def _linear(name: str) -> Law:
    return Law({"": _one, name: lambda n: n})


def _square(name: str) -> Law:
    return Law({"": _one, f"{name}²": lambda n: n * n})


def _both(name: str) -> Law:
    return Law({"": _one, name: lambda n: n, f"{name}²": lambda n: n * n})


# Resamples are computed in batches of about a million scores. With 100 topics a batch is full from 100 runs
# on; with fewer runs all resamples are one batch, which is smaller.
_BATCHED = Law({"": _one, "min(runs, 100)": lambda n: min(n, 100), "runs": lambda n: n})


TABLES = {
    "items": Table(
        "one coefficient: items",
        "`cd.tau_b` of two rankings, one thread.",
        ("items",),
        _linear("items"),
        _linear("items"),
        (2_000_000_000,),
    ),
    "runs": Table(
        "judge, from run files",
        "`concordant judge --runs`: runs x 100 topics x 1,000 documents, three judges, AP and nDCG@10; the "
        "whole command. The output of two processes (`--cluster local`) has the same bytes as that of one.",
        ("runs",),
        _linear("runs"),
        _BATCHED,
        (20_000,),
        cluster=True,
    ),
    "systems": Table(
        "judge, from scores: systems",
        "`cd.judge` of systems x 100 topics, three judges, one process: what follows after the evaluation.",
        ("systems",),
        _both("systems"),
        _both("systems"),
        (20_000,),
    ),
    "topics": Table(
        "judge, from scores: topics",
        "`cd.judge` of 200 systems x topics, three judges, one process.",
        ("topics",),
        _linear("topics"),
        _linear("topics"),
        (10_000,),
    ),
    "judges": Table(
        "judge, from scores: judges",
        "`cd.judge` of 100 systems x 50 topics x judges, one process.",
        ("judges",),
        _both("judges"),  # all pairs of judges are compared
        _linear("judges"),
        (1600,),
    ),
    "grouped": Table(
        "grouped",
        "`cd.grouped` of a stream of batches of a million rows, groups of 100 rows, `tau_b`, one thread.",
        ("rows",),
        _linear("rows"),
        _linear("rows"),
        (10_000_000_000,),
    ),
    "matrix": Table(
        "matrix",
        "`cd.matrix` of rankings of 200 items, `tau_b`, one thread.",
        ("rankings",),
        _square("rankings"),
        _square("rankings"),
        (400_000,),
    ),
    "bootstrap": Table(
        "bootstrap",
        "`cd.bootstrap` of `tau_b`, 4,999 resamples of the topics, one thread.",
        ("systems", "topics"),
        Law({"": _one, "systems": lambda s, _t: s, "systems x topics": lambda s, t: s * t}),
        Law({"": _one, "systems": lambda s, _t: s, "systems x topics": lambda s, t: s * t}),
        (4000, 4000),
    ),
    "compare_runs": Table(
        "compare_runs",
        "`cd.compare_runs` of run files, all pairs, 100 topics x 1,000 documents, one process.",
        ("runs",),
        _both("runs"),
        _both("runs"),  # the answer has a value for each pair
        (10_000,),
    ),
}
SIZES: dict[str, list[tuple[int, ...]]] = {
    "items": [(20_000,), (200_000,), (2_000_000,), (20_000_000,)],
    "judges": [(2,), (4,), (8,), (16,)],
    "runs": [(25,), (50,), (100,), (200,)],
    "systems": [(200,), (400,), (800,), (1600,)],
    "topics": [(100,), (200,), (400,), (800,)],
    "grouped": [(1_000_000,), (10_000_000,), (100_000_000,)],
    "matrix": [(500,), (1000,), (2000,), (4000,)],
    "bootstrap": [(100, 50), (400, 50), (1600, 50), (100, 400), (400, 400)],
    "compare_runs": [(25,), (50,), (75,), (100,)],
}
SMALL: dict[str, list[tuple[int, ...]]] = {
    "items": [(20_000,), (200_000,)],
    "judges": [(1,), (2,), (4,)],
    "runs": [(4,), (8,)],
    "systems": [(20,), (40,), (80,)],
    "topics": [(20,), (40,)],
    "grouped": [(1_000_000,), (2_000_000,)],
    "matrix": [(50,), (100,)],
    "bootstrap": [(20, 20), (40, 20), (40, 40)],
    "compare_runs": [(2,), (4,), (8,)],
}


def measure(name: str, size: tuple[int, ...], folder: Path) -> Row:
    """Measure one size."""
    if name == "runs":
        return of_judge(folder, *size)
    if name == "compare_runs":
        return of_call(name, *size, folder=folder)
    if name == "systems":
        return Row(size, *_time_and_memory(of_call("judge", *size, 100, 3)))
    if name == "topics":
        return Row(size, *_time_and_memory(of_call("judge", 200, *size, 3)))
    if name == "judges":
        return Row(size, *_time_and_memory(of_call("judge", 100, 50, *size)))
    return of_call(name, *size)


def _time_and_memory(row: Row) -> tuple[float, int]:
    return row.seconds, row.memory


# --- the results as text, and back ---


def as_lines(name: str, rows: list[Row]) -> list[str]:
    """Return the table of RESULTS.md."""
    table = TABLES[name]
    head = [*table.sizes, "seconds", "memory, MB"]
    if table.cluster:
        head += ["seconds with two processes", "memory of all processes, MB"]
    lines = [f"### {table.title}", "", table.about, "", f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for row in rows:
        cells = [f"{n:,}" for n in row.size] + [_figures(row.seconds), f"{row.memory / 1e6:.0f}"]
        if row.others:
            cells += [_figures(row.others[0]), f"{row.others[1] / 1e6:.0f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


def read_back(text: str) -> dict[str, list[Row]]:
    """Return the figures of RESULTS.md."""
    section = text.partition(TITLE)[2]
    found = {}
    for name, table in TABLES.items():
        part = section.partition(f"### {table.title}\n")[2].partition("\n###")[0]
        cells = [line.strip("| ").split(" | ") for line in part.splitlines() if re.match(r"\| [0-9]", line)]
        n = len(table.sizes)
        numbers = [[float(cell.replace(",", "")) for cell in row] for row in cells]
        found[name] = [
            Row(
                tuple(int(each) for each in row[:n]),
                row[n],
                int(row[n + 1] * 1e6),
                (row[n + 2], row[n + 3] * 1e6) if table.cluster else (),
            )
            for row in numbers
        ]
    return found


def _figures(value: float) -> str:
    """Return three figures, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _seconds(value: float) -> str:
    units = (
        ("days", 86400 * 2),
        ("h", 7200),
        ("min", 120),
        ("s", 0.1),
        ("ms", 1e-4),
        ("µs", 1e-7),
        ("ns", 0),
    )
    scale = {"days": 86400, "h": 3600, "min": 60, "s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
    unit = next(name for name, least in units if value >= least)
    return f"{float(f'{value / scale[unit]:.2g}'):,g} {unit}"


def _bytes(value: float) -> str:
    unit, size = next(
        (u, s)
        for u, s in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("bytes", 1))
        if value >= s or s == 1
    )
    return f"{float(f'{value / size:.2g}'):,g} {unit}"


@dataclass(frozen=True)
class Growth:
    """How time and memory grow: the formulas with their factors."""

    what: str
    table: Table
    time: tuple[Law, np.ndarray]
    memory: tuple[Law, np.ndarray]
    off: float  # the largest deviation of a figure from its formula, as a part of it
    exponent: float | None  # of the size, between the two largest; None if a size has several numbers

    def at_last(self) -> tuple[float, float]:
        """Return seconds and bytes at a hundred times the size."""
        (time_law, seconds), (memory_law, memory) = self.time, self.memory
        return time_law.at(seconds, self.table.last), memory_law.at(memory, self.table.last)


def growth_of(what: str, table: Table, rows: list[Row], seconds: list[float], memory: list[float]) -> Growth:
    """Fit the formulas to the figures."""
    sizes = [row.size for row in rows]
    off, fitted = 0.0, []
    for law, values in ((table.time, seconds), (table.memory, memory)):
        factors = law.fit(sizes, values)
        fitted.append((law, factors))
        found = (law.at(factors, size) / value - 1 for size, value in zip(sizes, values, strict=True))
        off = max(off, *map(abs, found))
    exponent = None
    if len(table.sizes) == 1:
        (before,), (last,) = sizes[-2:]
        exponent = math.log(seconds[-1] / seconds[-2]) / math.log(last / before)
    return Growth(what, table, *fitted, off, exponent)


def growths(found: dict[str, list[Row]]) -> list[Growth]:
    """Return how everything that was measured grows."""
    all_of_them = []
    for name, table in TABLES.items():
        rows = found.get(name, [])
        if len(rows) < 2:
            continue
        alone = [row.seconds for row in rows], [float(row.memory) for row in rows]
        if table.cluster:
            there = [row.others[0] for row in rows], [row.others[1] for row in rows]
            all_of_them.append(growth_of(f"{table.title}, one process", table, rows, *alone))
            all_of_them.append(growth_of(f"{table.title}, two processes", table, rows, *there))
        else:
            all_of_them.append(growth_of(table.title, table, rows, *alone))
    return all_of_them


def expectations(found: dict[str, list[Row]]) -> str:
    """Return what the document says: how time and memory grow, and what to expect."""
    every = growths(found)
    lines = [
        "| what | time | exponent | memory | formula off by at most |",
        "|---|---|---|---|---|",
    ]
    for each in every:
        time_text = each.time[0].text(each.time[1], _seconds)
        memory_text = each.memory[0].text(each.memory[1], _bytes)
        power = "" if each.exponent is None else f"{each.exponent:.2f}"
        lines.append(f"| {each.what} | {time_text} | {power} | {memory_text} | {100 * each.off:.0f} % |")
    lines += ["", "| expected, not run | size | time | memory |", "|---|---|---|---|"]
    for each in every:
        size = " x ".join(f"{n:,} {what}" for n, what in zip(each.table.last, each.table.sizes, strict=True))
        seconds, memory = each.at_last()
        lines.append(f"| {each.what} | {size} | {_seconds(seconds)} | {_bytes(memory)} |")
    return "\n".join(lines)


def documented(page: str, found: dict[str, list[Row]]) -> str:
    """Return the document with its generated part made anew."""
    pattern = re.compile(r"(<!-- scale -->\n).*?(<!-- end -->)", re.DOTALL)
    text, times = pattern.subn(lambda m: f"{m[1]}{expectations(found)}\n{m[2]}", page)
    if times != 1:
        sys.exit(f"{PAGE} has lost the markers around its generated part")
    return text


def section(found: dict[str, list[Row]]) -> str:
    """Return the section of RESULTS.md."""
    lines = [
        TITLE,
        "",
        "Each size once, in a process of its own. Memory is the peak of all its processes.",
        "Seconds are those of the processor, but for run files those of the clock.",
        "",
    ]
    for name, rows in found.items():
        lines += as_lines(name, rows)
    return "\n".join(lines)


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--documents", action="store_true")
    parser.add_argument("--only", choices=TABLES, nargs="+", default=list(TABLES))
    asked = parser.parse_args()
    results = HERE / "RESULTS.md"
    found = read_back(results.read_text(encoding="utf-8"))
    if asked.documents:
        asked.only = []
    sizes = SMALL if asked.quick else SIZES
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "collection"
        from_files = [n for table in ("runs", "compare_runs") if table in asked.only for (n,) in sizes[table]]
        if from_files:
            write_collection(folder, max(from_files), *((5, 50) if asked.quick else (100, 1000)))
        for table in asked.only:
            found[table] = []
            for size in sizes[table]:
                row = measure(table, size, folder)
                found[table].append(row)
                others = f"; {_seconds(row.others[0])}, {_bytes(row.others[1])}" if row.others else ""
                what = " x ".join(f"{n:,}" for n in size)
                print(f"{table} {what}: {_seconds(row.seconds)}, {_bytes(row.memory)}{others}", flush=True)
    text = section({name: found[name] for name in TABLES if found.get(name)})
    found = read_back(text)  # the document says what follows from the figures that are printed
    if not asked.quick:
        before = results.read_text(encoding="utf-8").partition(TITLE)[0].rstrip("\n")
        results.write_text(f"{before}\n\n{text}", encoding="utf-8")
        PAGE.write_text(documented(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    print(f"\n{expectations(found)}")


if __name__ == "__main__":
    main()
