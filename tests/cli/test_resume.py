"""--resume: the same bytes as without it, whatever happens in between."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest
from support.program import run

from concordant.cli.output import command_line

JUDGE = [
    *("judge", "--runs", "runs/*", "--qrels", "human.qrels", "--judge", "noisy.qrels", "-m", "AP"),
    *("--n-resamples", "600", "--format", "json", "--workers", "2"),
]
RUNS = ["human.qrels", "noisy.qrels", "--runs", "runs/*"]
COMMANDS = {
    "evaluate": ["evaluate", "--runs", "runs/*", "--qrels", "human.qrels", "-m", "AP", "-m", "nDCG@10"],
    "judge": JUDGE,
    "correlate": ["correlate", "human.csv", "noisy.csv", "--n-resamples", "99", "--format", "csv"],
    "by-topic": ["by-topic", "human_ap.csv", "noisy_ap.csv", "--n-resamples", "99", "--format", "csv"],
    "explain": ["explain", *RUNS, "-m", "AP", "--format", "csv"],
    "sweep": ["sweep", *RUNS, "-m", "AP", "--format", "csv"],
    "matrix": ["matrix", "human.csv", "few.csv", "-m", "AP", "--format", "json"],
    "matrix of runs": ["matrix", *RUNS, "-m", "AP", "-m", "nDCG@10", "--format", "json"],
    "runs": ["runs", "runs/*", "--format", "json"],
    "plan": ["plan", "human.csv", "--method", "resampling", "--n-resamples", "50", "--format", "csv"],
    "predict": ["experiment predict", "human.csv", "--n-splits", "60", "--format", "csv"],
    "swap": ["experiment swap", "human.csv", "-m", "AP", "--n-swaps", "1", "--format", "csv"],
    "gaps": ["experiment gaps", "--n-pairs", "90", "--n-systems", "5", "--format", "json"],
    "pool": [
        "experiment pool",
        "--runs",
        "runs/*",
        "--qrels",
        "human.qrels",
        "--percents",
        "20,100",
        "--format",
        "csv",
    ],
    "grades": ["experiment grades", "--runs", "runs/*", "--qrels", "human.qrels", "--format", "csv"],
    "reuse": ["experiment reuse", "--runs", "runs/*", "--qrels", "human.qrels", "--format", "csv"],
}

# Only by `make slow`: the others keep pieces of every kind of work but those of the last two.
ALIKE = ("explain", "sweep", "matrix", "matrix of runs", "grades", "reuse")


@pytest.fixture
def own(folder, tmp_path):
    """The files of the collection, to change and to write beside."""
    shutil.copytree(folder, tmp_path / "own")
    return tmp_path / "own"


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name in ALIKE else []) for name in COMMANDS],
)
def test_work_that_is_taken_up_gives_the_same_bytes(name, own):
    """Once everything is kept, and once everything is there."""
    command = COMMANDS[name]
    whole = run(*command, cwd=own)
    assert whole.returncode == 0, whole.stderr
    for _ in range(2):
        resumed = run(*command, "--resume", "kept", cwd=own)
        assert resumed.stdout == whole.stdout
    assert ", 0 were computed" in resumed.stderr


def test_the_command_has_the_same_words_however_it_is_done(monkeypatch):
    """So that a result that tells its command has the same bytes."""
    whole = ["judge", "--judge", "b.csv", "--top", "3", "-o", "x.json", "-o", "x.html"]
    for more in (["--workers", "3"], ["--resume=kept"], ["--cluster", "local", "--workers=2"]):
        for place in (1, 3, len(whole)):
            monkeypatch.setattr("sys.argv", ["concordant", *whole[:place], *more, *whole[place:]])
            assert command_line() == whole


def test_pieces_are_not_kept_in_a_file(own, refused):
    result = run("correlate", "human.csv", "noisy.csv", "--resume", "human.csv", cwd=own)
    refused(result, "human.csv is a file; give a folder")


def test_a_changed_input_or_option_is_noticed(own):
    """Nothing that was kept is used for another question; what is the same is used."""
    command = COMMANDS["evaluate"]
    run(*command, "--resume", "kept", cwd=own)
    changed = min((own / "runs").iterdir())
    lines = changed.read_text(encoding="utf-8").splitlines()
    changed.write_text("\n".join(lines[:-5]) + "\n", encoding="utf-8")
    again = run(*command, "--resume", "kept", cwd=own)
    assert "concordant: 8 pieces were in kept, 1 were computed" in again.stderr
    assert again.stdout == run(*command, cwd=own).stdout
    other = run(*command, "-m", "P@5", "--resume", "kept", cwd=own)
    assert "concordant: 0 pieces were in kept, 9 were computed" in other.stderr
    assert other.stdout == run(*command, "-m", "P@5", cwd=own).stdout


KILLED = {
    "judge": JUDGE,
    "gaps": ["experiment gaps", "--n-pairs", "20000", "--n-systems", "40", "--format", "json"],
    "plan": ["plan", "human.csv", "--method", "resampling", "--n-resamples", "30000", "--format", "json"],
}


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system cannot kill")
@pytest.mark.parametrize(
    ("name", "times"),
    [("judge", 2), *(pytest.param(name, 7, marks=pytest.mark.slow) for name in KILLED)],
)
def test_work_that_is_killed_at_any_moment_is_taken_up(name, times, own):
    """Killed at a random moment, and after one more piece, it ends with the bytes of one left alone."""
    command = [*KILLED[name][0].split(), *KILLED[name][1:]]
    whole = run(*command, cwd=own)
    assert whole.returncode == 0, whole.stderr
    moments = random.Random(1)
    killed = reused = 0

    def pieces():
        return len(list((own / "kept").glob("[0-9a-f]*")))

    while killed < times:
        with subprocess.Popen(
            [sys.executable, "-m", "concordant", *command, "--resume", "kept"],
            cwd=own,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            if killed % 2:  # in the middle, on a machine of any speed: after one more piece
                n_kept = pieces()
                while process.poll() is None and pieces() == n_kept:
                    time.sleep(0.01)
                time.sleep(moments.uniform(0, 0.1))
            else:
                time.sleep(moments.uniform(0.3, 1.5))
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
                process.communicate()
                killed += 1
                reused = max(reused, pieces())
                continue
            found, _ = process.communicate()
            assert found.decode() == whole.stdout
            shutil.rmtree(own / "kept")  # once more from the beginning
    last = run(*command, "--resume", "kept", cwd=own)
    assert last.stdout == whole.stdout
    assert reused > 0
