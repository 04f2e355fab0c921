"""Ctrl-C and SIGTERM end the program and its processes."""

import os
import signal
import socket
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
    made = cd.experiments.simulate.collection(n_topics=60, n_systems=2, n_documents=1500, depth=1000, rng=0)
    made.write(folder)
    for path in list((folder / "runs").iterdir()):
        text = path.read_text(encoding="utf-8")
        for k in range(7):
            name = f"{path.stem}-{k}"
            copy = text.replace(f" {path.stem}\n", f" {name}\n")
            path.with_stem(name).write_text(copy, encoding="utf-8")
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


def _listening(pid):
    """Return the sockets of a process at which others can connect, of TCP or of this computer."""
    open_, inodes = set(), set()
    for path in Path(f"/proc/{pid}/fd").iterdir():
        try:
            open_.add(str(path.readlink()))
        except OSError:  # it was closed just now
            continue
    for kind, listens, inode in (("tcp", "0A", 9), ("tcp6", "0A", 9), ("unix", "00010000", 6)):
        rows = map(str.split, Path(f"/proc/net/{kind}").read_text().splitlines()[1:])
        inodes.update(f"socket:[{row[inode]}]" for row in rows if row[3] == listens)
    return open_ & inodes


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="needs /proc to find processes and sockets")
@pytest.mark.parametrize(
    ("sent", "code", "said", "more"),
    [
        (signal.SIGTERM, 143, "concordant: terminated", []),
        (signal.SIGINT, 130, "concordant: interrupted", []),
        (signal.SIGINT, 130, "concordant: interrupted", ["--cluster", "local"]),
        (signal.SIGKILL, -9, "", []),
    ],
)
def test_no_process_is_left_behind(much, sent, code, said, more):
    """Even if the program is killed and can do nothing about it; and no other user can send it work."""
    with socket.create_server(("127.0.0.1", 0)):
        assert _listening(os.getpid())  # the test sees what is there
    command = [
        "evaluate",
        "--runs",
        "runs/*",
        "--qrels",
        "human.qrels",
        "-m",
        "AP",
        "-m",
        "Bpref",
        "--workers",
        "2",
        *more,
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
    for _ in range(4):
        assert not any(_listening(pid) for pid in (process.pid, *workers))
        time.sleep(0.02)
    start = time.monotonic()
    os.kill(process.pid, sent)
    _, stderr = process.communicate(timeout=20)
    took = time.monotonic() - start
    assert process.returncode == code
    told = [
        line for line in stderr.splitlines() if line and not line.endswith("s left")
    ]  # on a slow computer
    if sent == signal.SIGKILL:  # from Python 3.14 on, Python says that it removes the semaphores
        told = [line for line in told if "resource_tracker" not in line and line.strip() != "warnings.warn("]
    assert told == [said][: bool(said)]
    assert took < 1
    while any(map(_alive, workers)):
        assert time.monotonic() < start + 10, "processes are left"
        time.sleep(0.02)
    assert not (much / "out.csv").exists()
    assert not list(much.glob(".concordant-*"))


_INTERRUPTED_IMPORT = """
import os, signal, sys
from concordant.cli import main

class Finder:
    def find_spec(name, path, target=None):
        if name == "concordant._core":
            try:
                os.kill(os.getpid(), signal.{sent})
            except KeyboardInterrupt:  # as C libraries do while they are imported
                raise ImportError("datetime") from None

sys.meta_path.insert(0, Finder)
sys.argv = ["concordant", "coefficients", "axioms", "tau_b"]
main()
"""


@pytest.mark.parametrize(("sent", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_library_that_is_interrupted_while_it_is_imported_is_not_blamed(sent, code):
    """It may raise an ImportError, which is not the reason why the program ends."""
    script = _INTERRUPTED_IMPORT.format(sent=sent)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    said = {130: "interrupted", 143: "terminated"}[code]
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "", f"\nconcordant: {said}\n")
