"""Measure time and memory against the size of the data, and work out what to expect at a hundred times the size.

Every measurement is a process of its own, with those that it starts. Its memory is the sum over all of them,
looked at every 20 ms, in which a page that several processes share counts once. The section "By size of the
collection" of RESULTS.md is written anew, and so is what docs/guides/clusters.md says of it.

    python benchmarks/scale.py             some minutes; writes both files
    python benchmarks/scale.py --quick     small sizes; writes nothing
    python benchmarks/scale.py --documents writes what the document says, from the figures in RESULTS.md
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
        while not self.ended.wait(0.02):
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

# Each is a process of its own, which prints the seconds of the call alone.
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
call = lambda: cd.bootstrap(human, model, "tau_b", n_resamples=4999, rng=1)
""",
    "judge": """
rng = np.random.default_rng(0)
n_systems, n_topics = map(int, sys.argv[1:])
human = rng.normal(np.linspace(0.6, 0.3, n_systems), 0.15, (n_topics, n_systems))
judges = {f"judge {i}": human + rng.normal(0, 0.1 * i, human.shape) for i in (1, 2, 3)}
call = lambda: cd.judge(human, judges, rng=1)
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
start = time.perf_counter()
answer = call()
print(time.perf_counter() - start)
"""


@dataclass
class Row:
    """One size: what was measured, in seconds and bytes."""

    size: tuple[int, ...]
    seconds: float
    memory: int
    others: tuple[float, ...] = ()


def of_call(name: str, *size: int, folder: Path | None = None) -> Row:
    """Measure one call in a process of its own."""
    command = [sys.executable, "-W", "ignore", "-c", AROUND.format(CALLS[name]), *map(str, size)]
    _, memory, printed = measured(command, folder)
    return Row(size, float(printed), memory)


def of_judge(folder: Path, n_runs: int) -> Row:
    """Judge from run files, alone and on a Dask cluster of two processes; the bytes must be the same."""
    command = [sys.executable, "-m", "concordant", "judge", "--qrels", "human.qrels", "-m", "nDCG@10", "-m", "AP"]
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
