"""Ctrl-C and SIGTERM end the program and its processes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import concordant as cd


@pytest.fixture(scope="module")
def much(tmp_path_factory):
    """Runs that take some seconds to evaluate."""
    folder = tmp_path_factory.mktemp("much")
    made = cd.experiments.simulate.collection(n_topics=60, n_systems=16, n_documents=1500, depth=1000, rng=0)
    made.write(folder)
    return folder


def _children(pid):
    """Return the processes that a process started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


def _alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to find processes")
@pytest.mark.parametrize(
    ("sent", "code", "said"),
    [
        (signal.SIGTERM, 143, "concordant: terminated"),
        (signal.SIGINT, 130, "concordant: interrupted"),
        (signal.SIGKILL, -9, ""),
    ],
)
def test_no_process_is_left_behind(much, sent, code, said):
    """Even if the program is killed and can do nothing about it."""
    command = [
        "evaluate",
        "--runs",
        "runs/*",
        "--qrels",
        "human.qrels",
        "-m",
        "AP",
        "-m",
        "nDCG",
        "--workers",
        "2",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "concordant", *command, "-o", "out.csv"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=much,
    )
    end = time.monotonic() + 30
    while len(workers := _children(process.pid)) < 2:
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.01)
    time.sleep(0.3)
    start = time.monotonic()
    os.kill(process.pid, sent)
    _, stderr = process.communicate(timeout=20)
    took = time.monotonic() - start
    assert process.returncode == code
    assert stderr.strip() == said
    assert took < 1
    while any(map(_alive, workers)):
        assert time.monotonic() < start + 10, "processes are left"
        time.sleep(0.02)
    assert not (much / "out.csv").exists()
    assert not list(much.glob(".concordant-*"))
