"""A small part of the benchmarks that a busy machine does not disturb: ratios to work of NumPy and Python.

Each row is a piece of work beside a yardstick of the same kind. Both are measured in turns in one process, by
the time of the processor; the shortest times count, and only their ratio is used.

    python benchmarks/ratios.py                    print the ratios, and those that are stored
    python benchmarks/ratios.py --check            fail at 1.5 times a stored ratio; `make bench-check`
    python benchmarks/ratios.py --store            write ratios.json
    python benchmarks/ratios.py --history VERSION  write the line of a version in HISTORY.md
    python benchmarks/ratios.py --compare REV      measure another commit in turns; `make bench-compare`

A comparison has more rows, which take longer: boards, pages, runs, commands.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Threads of a library wait actively, which counts as work.
os.environ.update(dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

import numpy as np
import scale

HERE = Path(__file__).parent
STORED, HISTORY = HERE / "ratios.json", HERE / "HISTORY.md"
LOSS = 1.5  # of a ratio, which fails the check
TRIES = 4  # a row that looks slow is measured again
Work = Callable[[], object]


def rows() -> dict[str, tuple[Work, Work]]:
    """Return the work and the yardstick of each row; only what version 0.2.0 has too."""
    import concordant as cd

    rng = np.random.default_rng(1)
    short = rng.random((64, 50))
    long = rng.random(200_000)
    noisy = long + rng.random(len(long))
    batch = rng.random((2000, 97))
    grades = rng.integers(0, 4, (2, 200_000)).astype(float)
    graded = rng.integers(0, 5, (2, 2000, 97)).astype(float)
    names = [f"document-{k:05d}" for k in range(2000)]
    listed = [[names[k] for k in rng.permutation(2000)[:1000]] for _ in range(2)]
    truth = rng.random((20, 30))
    systems = [f"system {k}" for k in range(30)]
    topics = [f"topic {k}" for k in range(20)]
    judges = {
        f"judge {j}": cd.Scores(truth + rng.random(truth.shape) / (j + 1), systems=systems, topics=topics)
        for j in range(2)
    }
    human = cd.Scores(truth, systems=systems, topics=topics)
    answer = cd.judge(human, judges)
    folder = tempfile.mkdtemp()

    def table() -> object:
        return np.bincount(grades[0].astype(np.intp) * 4 + grades[1].astype(np.intp), minlength=16)

    def page() -> None:
        cd.report(answer, f"{folder}/page.html")
        Path(f"{folder}/page.html").unlink()

    def sort(values: np.ndarray) -> Work:
        return lambda: np.argsort(values, kind="stable")

    def count(n: int) -> Work:
        def counted() -> int:
            total = 0
            for k in range(n):
                total += k & 7
            return total

        return counted

    return {
        "tau_b, n = 50": (
            lambda: [cd.tau_b(x, y) for x, y in zip(short, short[::-1], strict=True)],
            sort(short),
        ),
        "tau_ap_b, n = 200,000": (lambda: cd.tau_ap_b(long, noisy), sort(long)),
        "tau_h, n = 200,000": (lambda: cd.tau_h(long, noisy), sort(long)),
        "batch of tau_b, 2,000 x 97": (lambda: cd.tau_b(batch, batch[::-1]), sort(batch)),
        "matrix of tau_b, 100 x 97": (lambda: cd.matrix(batch[:100], "tau_b"), sort(batch)),
        "4 grades, tau_b, n = 200,000": (lambda: cd.tau_b(*grades), table),
        "4 grades, spearman_rho, n = 200,000": (lambda: cd.spearman_rho(*grades), table),
        "5 grades, batch of tau_ap_b, 2,000 x 97": (lambda: cd.tau_ap_b(*graded), sort(batch)),
        "rbo of two lists of 1,000 names": (
            lambda: cd.rbo(*listed),
            lambda: dict(zip(listed[0], listed[1], strict=True)),
        ),
        "judge, 2 judges x 30 systems x 20 topics": (lambda: cd.judge(human, judges), count(1_000_000)),
        "page of that answer": (page, count(1_000_000)),
    }


def long_rows() -> dict[str, Work]:
    """Return work that takes longer, for comparisons of two versions."""
    import concordant as cd

    rng = np.random.default_rng(1)
    folder = Path(tempfile.mkdtemp())

    def board(n_judges: int, n_systems: int, n_topics: int) -> tuple[cd.Scores, dict[str, cd.Scores]]:
        names = {"systems": [f"s{k}" for k in range(n_systems)], "topics": [f"t{k}" for k in range(n_topics)]}
        truth = np.clip(rng.normal(rng.normal(0.4, 0.1, n_systems), 0.15, (n_topics, n_systems)), 0, 1)
        errors = [rng.normal(0, 0.05 * (j + 1), truth.shape) for j in range(n_judges)]
        judges = {f"judge {j}": cd.Scores(np.clip(truth + e, 0, 1), **names) for j, e in enumerate(errors)}
        return cd.Scores(truth, **names), judges

    small, large = board(5, 100, 50), board(3, 800, 100)
    answer = cd.judge(*small)

    def page() -> None:
        (folder / "page.html").unlink(missing_ok=True)
        cd.report(answer, str(folder / "page.html"))

    tables = []
    for name, scores in (("a", small[0]), ("b", small[1]["judge 0"])):
        tables.append(str(folder / f"{name}.csv"))
        cd.write_scores(scores, tables[-1], format="wide")
    scale.write_collection(folder / "runs of TREC", 4, 100, 1000)
    runs = sorted(map(str, (folder / "runs of TREC" / "runs").iterdir()))
    qrels = [str(folder / "runs of TREC" / f"{name}.qrels") for name in ("human", *scale.JUDGES)]

    def evaluate() -> None:
        for each in qrels:
            cd.evaluate(each, runs, ["AP", "nDCG@10"])

    def command(*words: str) -> Work:
        return lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True)

    x = rng.random((2, 500_000))
    groups = np.repeat(np.arange(1000), 500)
    first = "import concordant; import numpy as np; concordant.tau_b(np.arange(50.), np.arange(50.))"
    return {
        "judge, 5 judges x 100 systems x 50 topics": lambda: cd.judge(*small),
        "the page of that answer": page,
        "judge, 3 judges x 800 systems x 100 topics": lambda: cd.judge(*large),
        "bootstrap of tau_b, 100 systems x 50 topics": lambda: cd.bootstrap(*_first(small), "tau_b"),
        "grouped, 1,000 groups of 500, tau_b": lambda: cd.grouped(*x, groups, "tau_b"),
        "tau_gap with a threshold, n = 500,000": lambda: cd.tau_gap(*x, threshold=0.01),
        "evaluate 4 runs x 100 topics x 1,000 documents by 4 judgements": evaluate,
        "compare_runs of these runs": lambda: cd.compare_runs(runs),
        "import numpy": command("-c", "import numpy"),
        "import and a first result": command("-c", first),
        "concordant correlate": command("-m", "concordant", "correlate", *tables),
        "concordant correlate --no-interval": command(
            "-m", "concordant", "correlate", *tables, "--no-interval"
        ),
    }


def _first(board: tuple[Any, dict[str, Any]]) -> tuple[Any, Any]:
    return board[0], board[1]["judge 0"]


def processor_time() -> float:
    """Return the seconds of the processor of this process, and of those that it started and that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def seconds_of(work: Work, least: float) -> float:
    """Return the seconds of the processor of one call, of as many as take a while."""
    calls, taken = 0, 0.0
    while taken < least:
        start = processor_time()
        work()
        taken += processor_time() - start
        calls += 1
    return taken / calls


def measured(pair: tuple[Work, Work], rounds: int = 5, least: float = 0.01) -> tuple[float, float]:
    """Return the shortest seconds of work and yardstick, in turns."""
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for k, work in enumerate(pair):
            best[k] = min(best[k], seconds_of(work, least))
    return best[0], best[1]


def ratio_of(pair: tuple[Work, Work]) -> float:
    """Return the ratio of work to yardstick."""
    ours, yardstick = measured(pair)
    return ours / yardstick


def check() -> int:
    """Print the rows that are slower than stored; 0 if there are none."""
    stored, slow = json.loads(STORED.read_text(encoding="utf-8")), []
    for name, pair in rows().items():
        limit, best = LOSS * stored[name], float("inf")
        for _ in range(TRIES):
            best = min(best, ratio_of(pair))
            if best <= limit:
                break
        if best > limit:
            slow.append(f"{name}: {best:.3g} times the yardstick, stored {stored[name]:.3g}")
    for each in slow:
        print(f"slower than before: {each}; find the cause, or store it by benchmarks/ratios.py --store")
    return bool(slow)


def write_history(version: str) -> None:
    """Write the line of a version."""
    found = {name: ratio_of(pair) for name, pair in rows().items()}
    head = [f"| version | date | {' | '.join(found)} |", "|---|---|" + "---|" * len(found)]
    text = HISTORY.read_text(encoding="utf-8") if HISTORY.exists() else ""
    lines = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| version")]
    kept = [line for line in lines if not line.startswith(f"| {version} |")]
    cells = " | ".join(f"{each:.3g}" for each in found.values())
    kept.append(f"| {version} | {datetime.date.today():%Y-%m-%d} | {cells} |")
    title = "# Speed by version\n\nRatios to yardsticks of `benchmarks/ratios.py`; smaller is faster.\n"
    HISTORY.write_text("\n".join([title, *head, *kept, ""]), encoding="utf-8")


def compare(revision: str, rounds: int) -> None:
    """Build another commit beside this one, and print the times of both, measured in turns."""
    root = HERE.parent
    git = ["git", "-C", str(root)]
    name = subprocess.run(
        [*git, "rev-parse", "--short", revision], capture_output=True, text=True, check=True
    ).stdout.strip()
    folder = root / "build" / "compare" / name
    python = folder / "venv" / "bin" / "python"
    if not (folder / "built").exists():
        print(f"building {name} ...", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "source").mkdir(parents=True)
        packed = subprocess.run([*git, "archive", name], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", str(folder / "source")], input=packed, check=True)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
        where = "import sysconfig; print(sysconfig.get_path('purelib'))"
        site = _printed([str(python), "-c", where])
        # The libraries are those of this environment; only concordant itself is another.
        folders = [each for each in sys.path if Path(each).name == "site-packages"]
        Path(site, "libraries.pth").write_text("\n".join(folders), encoding="utf-8")
        install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", site]
        subprocess.run([*install, str(folder / "source")], check=True)
        (folder / "built").touch()
    best: dict[str, dict[str, float]] = {"this": {}, name: {}}
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(rounds):
        for which, program in (("this", sys.executable), (name, str(python))):
            command = [program, "-W", "ignore", str(Path(__file__).resolve()), "--seconds"]
            found = json.loads(_printed(command, environment))
            for row, seconds in found.items():
                best[which][row] = min(best[which].get(row, float("inf")), seconds)
    print(f"| what | this, ms | {name}, ms | times as fast as {name} |\n|---|---|---|---|")
    for row, seconds in best["this"].items():
        other = best[name].get(row, float("nan"))
        print(f"| {row} | {seconds * 1e3:.3g} | {other * 1e3:.3g} | {other / seconds:.2f} |")


def _printed(command: list[str], environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return done.stdout.strip()


def main() -> int:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for option in ("--check", "--store", "--seconds"):
        parser.add_argument(option, action="store_true")
    parser.add_argument("--history", metavar="VERSION")
    parser.add_argument("--compare", metavar="REV")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if asked.check:
        return check()
    if asked.history:
        write_history(asked.history)
    elif asked.compare:
        compare(asked.compare, asked.rounds)
    elif asked.seconds:
        found = {name: measured(pair, 3)[0] for name, pair in rows().items()}
        for name, work in long_rows().items():
            with contextlib.suppress(TypeError):  # an option that this version does not have
                found[name] = seconds_of(work, 0.0001)
        print(json.dumps(found))
    else:
        found = {name: round(ratio_of(pair), 4) for name, pair in rows().items()}
        if asked.store:
            STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
        for name, ratio in found.items():
            print(f"{name:<45} {ratio:>8.3g}  stored {stored.get(name, float('nan')):.3g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
