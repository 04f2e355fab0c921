"""Output files appear whole or not at all: under kill -9, on a full disk, with two writers.

A closed pipe and a read-only folder are refused or ignored without a traceback. Every command, on files and
folders with names of random characters, leaves its inputs as they are, and lets no control character through.
Run by `make fuzz`.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from clock import run

import concordant as cd

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.commands import write_collection
from support.program import run as ended

# What a terminal obeys, then what a table, a page, a shell, a pattern or a spreadsheet might.
NASTY = [chr(c) for c in (*range(1, 32), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A))]
OBEYED = len(NASTY)
NASTY += [*"=+-@'\"\\<>&|*?[]{}$%#~^_`,;:.!( )", *"aéß名\u200d\u200c\ufeff\u0301\U0001f600＝1"]

FOLDER = Path(tempfile.mkdtemp(prefix="fuzz-"))
OLD, NEW = b"old\n" * 1000, b"new\n" * 2_000_000
WRITE = """
import sys
from concordant.reading.files import write_whole
word, size, path = sys.argv[1:]
print("ready", flush=True)
for _ in range(10_000):
    write_whole(path, (word + "\\n").encode() * int(size))
"""

# The first run loads what the other user may not be able to read: Python itself.
AS_NOBODY = """
import contextlib, difflib, io, os, sys
from concordant.cli import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    usual, sys.argv = sys.argv, ["concordant", *sys.argv[1:-2]]
    main()
os.setgid(65534)
os.setuid(65534)
sys.argv = usual
main()
"""


def _writer(word: str, size: int, path: Path, **how: object) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE, word, str(size), str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **how,
    )  # type: ignore[call-overload]
    process.stdout.readline()
    return process


def _end(*processes: subprocess.Popen[bytes]) -> None:
    for process in processes:
        process.send_signal(signal.SIGKILL)
    for process in processes:
        process.communicate()


def killed(rng: np.random.Generator) -> None:
    """Whenever a writer is killed, the file is the old one or the new one."""
    path = FOLDER / "killed"
    path.write_bytes(OLD)
    process = _writer("new", 2_000_000, path)
    time.sleep(float(rng.random()) * 0.2)
    _end(process)
    assert path.read_bytes() in (OLD, NEW)
    for left in FOLDER.glob(".concordant-*"):  # a name of its own, so that nobody takes it for the file
        left.unlink()


def two_writers(rng: np.random.Generator) -> None:
    """Every reader sees the whole file of one of them."""
    path = FOLDER / "shared"
    path.write_bytes(OLD)
    writers = [_writer(word, 200_000, path) for word in ("one", "two")]
    end = time.monotonic() + float(rng.random())
    while time.monotonic() < end:
        found = path.read_bytes()
        assert found in (OLD, b"one\n" * 200_000, b"two\n" * 200_000)
    _end(*writers)
    for left in FOLDER.glob(".concordant-*"):
        left.unlink()


def _command(*arguments: object, **how: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "concordant", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        **how,
    )  # type: ignore[call-overload]


def full_disk(rng: np.random.Generator) -> None:
    """No room for the file: the old one stays, one sentence, no rest."""
    folder = FOLDER / "full"
    folder.mkdir(exist_ok=True)
    path = folder / "result.json"
    path.write_bytes(OLD)
    most = int(rng.integers(0, 500))

    def small() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    result = _command(
        "correlate", TABLES / "a.csv", TABLES / "b.csv", "--n-resamples", "99", "-o", path, preexec_fn=small,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert result.returncode == 2, result
    assert "result.json: cannot be written: " in result.stderr, result
    assert result.stderr.count("\n") == 1, result
    assert path.read_bytes() == OLD
    assert list(folder.iterdir()) == [path]


def closed_pipe(rng: np.random.Generator) -> None:
    """The reader of the output goes away: the end, without a word."""
    process = subprocess.Popen(
        [sys.executable, "-m", "concordant", "coefficients"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.read(int(rng.integers(0, 50)))
    process.stdout.close()
    stderr = process.stderr.read()
    assert process.wait() == 0, stderr
    assert stderr == b""
    process.stderr.close()


def another_user(_: np.random.Generator) -> None:
    """A folder in which the user may not write is refused before any work."""
    if os.getuid() != 0:
        return
    folder = FOLDER / "theirs"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    FOLDER.chmod(0o755)
    command = ["correlate", TABLES / "a.csv", TABLES / "b.csv", "--n-resamples", "99"]
    result = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, *command, "-o", folder / "x.csv"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2, result
    assert "cannot be written to; choose another" in result.stderr, result
    assert list(folder.iterdir()) == []


def every_command(rng: np.random.Generator) -> None:
    """The output is a new file, or one of the inputs, by its own name or through a link."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as place:
        here, there = Path(place, "here"), Path(place, "there")
        here.mkdir()
        there.mkdir()
        judge, column, *names = dict.fromkeys(
            "".join(rng.choice(NASTY, rng.integers(1, 9))) for _ in range(9)
        )
        try:
            commands = write_collection(here, tuple(names), judge, column)
        except (cd.ConcordantError, OSError):  # a name that no table or file can have
            return
        words = commands[str(rng.choice(list(commands)))]
        ending = str(rng.choice(["csv", "json", "md", "tex", "txt", "xlsx", "html"]))
        files = [path for path in here.glob("**/*") if path.is_file()]
        before = {p: p.read_bytes() for p in files if {p.name, p.parent.name} & set(words)}
        target = there / f"x.{ending}"
        if before and rng.random() < 0.5:
            victim = list(before)[int(rng.integers(len(before)))]
            [target.hardlink_to, target.symlink_to][int(rng.integers(2))](victim)
        result = ended(*words, "-o", target, cwd=here, columns=80)
        assert before == {path: path.read_bytes() for path in before}, words
        assert "internal error" not in result.stderr, (words, result.stderr)
        text = result.stdout.replace("\x1b[1m", "").replace("\x1b[0m", "") + result.stderr
        if ending != "xlsx" and target.exists() and result.returncode == 0:
            text += target.read_bytes().decode()
        assert not set(NASTY[:OBEYED]) & set(text) - {"\n"}, (words, text)


def _tables() -> Path:
    folder = FOLDER / "tables"
    folder.mkdir()
    rng = np.random.default_rng(0)
    scores = rng.random((20, 8))
    for name, values in (("a", scores), ("b", scores + 0.1 * rng.random(scores.shape))):
        cd.write_scores(cd.Scores(values, measures=["AP"]), folder / f"{name}.csv")
    return folder


TABLES = _tables()
CASES = [killed, killed, two_writers, full_disk, closed_pipe, another_user, *[every_command] * 9]


def case(rng: np.random.Generator) -> None:
    CASES[int(rng.integers(len(CASES)))](rng)


if __name__ == "__main__":
    run(case, "outputs")
