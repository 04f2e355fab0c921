"""What no command does, whatever it reads: connect, run code, or write elsewhere than where it is told."""

import functools
import json
import os
import sys
from pathlib import Path

import pytest
from support.commands import COMMANDS, write_collection
from support.program import run

import concordant as cd

_seen = None  # what happens while a test looks
_RUNS = ("pickle.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "ctypes.dlopen")
_CONNECTS = (
    "socket.bind",
    "socket.connect",
    "socket.getaddrinfo",
    "socket.send",
    "urllib.",
    "http.",
    "ftplib.",
)
_WRITES = (
    "os.mkdir",
    "os.rename",
    "os.remove",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "os.chmod",
)


def _look(event, arguments):
    if _seen is None:
        return
    if event.startswith((*_RUNS, *_CONNECTS)):
        _seen.append((event, ""))
    elif event.startswith(_WRITES) or (event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR)):
        paths = arguments[:2] if event in ("os.rename", "os.link", "os.symlink") else arguments[:1]
        _seen.extend((event, os.path.realpath(path)) for path in paths if isinstance(path, str | os.PathLike))


_add_hook = functools.cache(
    lambda: sys.addaudithook(_look)
)  # it cannot be taken away, so that it mostly sleeps


@pytest.fixture
def strange(monkeypatch):
    """Give a function that runs a command, and returns what it did other than write to some places."""
    _add_hook()

    def asked(*words, cwd, places):
        seen = []
        monkeypatch.setattr(sys.modules[__name__], "_seen", seen)
        result = run(*words, cwd=cwd)
        monkeypatch.setattr(sys.modules[__name__], "_seen", None)
        assert seen or result.returncode  # the hook looks
        usual = [os.devnull, *map(str, places)]
        return result, [
            each for each in seen if not each[1].startswith(tuple(usual)) and "__pycache__" not in each[1]
        ]

    return asked


@pytest.mark.usefixtures("small_demo")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_connects_to_nobody_and_writes_only_what_it_is_told(tmp_path, strange, command):
    """It starts no program and loads no object from a file; only a demonstration also has a folder."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    words = write_collection(here)[command]
    places = [there, here / "noisy/"] if command == "demo" else [there]
    result, other = strange(*words, "-o", there / "x.csv", cwd=here, places=places)
    assert (result.returncode, other) == (0, []), result.stderr
    assert [path.name for path in there.iterdir()] == ["x.csv"]


@pytest.mark.parametrize(
    "function", ["os.system", "concordant.cli.main.main", "swap.__class__", "ExperimentResult"]
)
def test_a_saved_result_chooses_no_class(tmp_path, function):
    """Only the names of the experiments are known; a path and a command in it are text."""
    path = tmp_path / "x.json"
    cd.experiments.gaps(["uniform"], ["tau_b"], n_systems=5, n_pairs=3).save(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, "function": function}), encoding="utf-8")
    with pytest.raises(cd.InputError, match="is not a saved result"):
        cd.experiments.load(path)


def test_the_table_of_promises_names_tests_that_exist():
    """And each promise has one."""
    root = Path(__file__).parents[2]
    rows = [
        line
        for line in (root / "SECURITY.md").read_text(encoding="utf-8").split("\n")
        if line.startswith("| ")
    ]
    promises = [row for row in rows if "| test |" not in row]
    assert len(promises) > 12
    for row in promises:
        named = [word for word in row.rsplit("|", 2)[1].split("`")[1::2] if "/" in word]
        assert named, row
        assert all((root / name).is_file() for name in named), row
