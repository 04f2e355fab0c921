"""What takes longer than two seconds shows that it goes on: a bar on a terminal, little elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import pytest
from support.program import run, run_process
from support.terminal import Terminal

from concordant.cli.output import Progress

HIDDEN_CURSOR = "\x1b[?25l"  # how a bar begins
SHOWN_CURSOR = "\x1b[?25h"


@pytest.fixture
def slow(folder, tmp_path):
    """Give a function that makes a file whose reader has to wait."""

    def make(name, seconds):
        os.mkfifo(tmp_path / name)

        def write():
            with (tmp_path / name).open("w") as file:
                time.sleep(seconds)
                file.write((folder / "noisy.csv").read_text())

        threading.Thread(target=write, daemon=True).start()
        return tmp_path / name

    return make


def test_a_terminal_shows_a_bar_after_two_seconds_and_then_none(folder, slow):
    """With what is done; a name is no markup. The bar is gone before the result comes."""
    path = slow("[bold]x.csv", 3.5)
    with Terminal("correlate", folder / "human.csv", path, "--no-interval") as terminal:
        terminal.wait_for(HIDDEN_CURSOR)
        terminal.wait_for("reading ")
        terminal.wait_for("[bold]x.csv")
        terminal.wait_for(SHOWN_CURSOR)
        rest = terminal.rest()
    assert terminal.returncode == 0, rest
    assert "reading" not in rest
    assert "tau_ap_b" in rest


def test_what_is_short_shows_no_bar(folder):
    """Only the result."""
    with Terminal("correlate", folder / "human.csv", folder / "noisy.csv", "--n-resamples", 50) as terminal:
        terminal.rest()
    assert terminal.returncode == 0
    assert HIDDEN_CURSOR not in terminal.seen


def test_lines_say_how_much_is_done(monkeypatch, capsys):
    """After two seconds, where there is no terminal."""
    now = iter((0, 3, 20))
    monkeypatch.setattr("concordant.cli.output.time.monotonic", lambda: next(now))
    progress = Progress("evaluating")
    progress(2, 20)
    progress(5, 20)
    told = capsys.readouterr().err.splitlines()
    assert [line.partition("evaluating: ")[2] for line in told] == ["2 of 20", "5 of 20"]


@pytest.mark.slow
def test_without_a_terminal_waiting_is_silent(folder, slow):
    """Nothing is on standard error."""
    result = run_process("correlate", folder / "human.csv", slow("x.csv", 2.5), "--no-interval", timeout=60)
    assert result.returncode == 0
    assert result.stderr == ""


@pytest.mark.slow
def test_an_error_removes_the_bar(slow, tmp_path):
    """The sentence stands on a line of its own, and the cursor is there again."""
    (tmp_path / "bad.csv").write_text("no,numbers\nhere,at all\n")
    with Terminal("matrix", slow("y.csv", 3), tmp_path / "bad.csv") as terminal:
        terminal.wait_for(HIDDEN_CURSOR)
        terminal.wait_for(SHOWN_CURSOR)
        rest = terminal.rest()
    assert terminal.returncode == 2
    assert "bad.csv" in rest


NUMBERS = """
import sys, time
from concordant.cli import output as progress
progress._WAIT = 0.1
with progress.Progress("simulating") as shown:
    part = shown.of("counting")
    while shown.bar is None or not shown.bar.live.is_started:
        time.sleep(0.01)
    for done in range(1, 4):
        part(done, 3)
        shown.bar.refresh()
"""


def test_a_bar_has_the_numbers_that_it_is_given():
    """Under the name of the part; after the last number it only moves."""
    import pty

    leader, follower = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", NUMBERS], stderr=follower) as process:
        os.close(follower)
        seen = b""
        while True:
            try:
                seen += os.read(leader, 4096)
            except OSError:
                break
        assert process.wait() == 0
    os.close(leader)
    text = seen.decode()
    assert text.index("simulating") < text.index("counting")
    assert text.index("1/3") < text.index("2/3")
    assert "3/3" not in text


@pytest.mark.parametrize("command", ["explain", "sweep", "matrix", "by-topic"])
def test_nothing_is_started_where_nobody_looks(folder, command):
    """No thread is left, and standard error is empty."""
    before = threading.active_count()
    result = run(command, "human.csv", "noisy.csv", cwd=folder)
    assert (result.returncode, result.stderr) == (0, "")
    assert threading.active_count() == before
