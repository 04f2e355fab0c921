"""Where a result comes from: the command as it was typed, and the files with their checksums."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shlex
import subprocess
import sys
import threading
from unittest import mock

import pytest
from support.program import run, run_process, words

import concordant as cd
from concordant.cli.output import command_line


def told(result):
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def of(path, name):
    data = path.read_bytes()
    return {"file": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def test_the_command_can_be_typed_again(folder, tmp_path):
    """Names with spaces and quotes are quoted for a shell; the answer is the same."""
    odd = "a 'b' $c.csv"
    (tmp_path / odd).write_bytes((folder / "noisy.csv").read_bytes())
    first = told(
        run("correlate", folder / "human.csv", odd, "--no-interval", "--format", "json", cwd=tmp_path)
    )
    words = shlex.split(first["command"])
    assert words[:2] == ["concordant", "correlate"]
    shell = first["command"].replace("concordant", f"{shlex.quote(sys.executable)} -m concordant", 1)
    again = subprocess.run(shell, shell=True, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert json.loads(again.stdout) == first
    assert first["inputs"][1] == of(tmp_path / odd, odd)


def test_every_file_is_listed_once_as_it_is_on_the_disk(folder, tmp_path):
    """Those of patterns and folders one by one; packed files are not unpacked."""
    packed = tmp_path / "noisy.csv.gz"
    packed.write_bytes(gzip.compress((folder / "noisy.csv").read_bytes()))
    (tmp_path / "names.csv").write_text("dense-2,dense-two\n")
    how = ["--rename", tmp_path / "names.csv", "--no-interval", "--format", "json"]
    found = told(run("correlate", "human.csv", packed, *how, cwd=folder))
    expected = [of(folder / "human.csv", "human.csv"), of(packed, str(packed))]
    assert found["inputs"] == [*expected, of(tmp_path / "names.csv", str(tmp_path / "names.csv"))]
    runs = sorted((folder / "runs").iterdir())
    for given in ("runs", "runs/*"):
        found = told(run("runs", given, "--no-interval", "--format", "json", cwd=folder))
        assert found["inputs"] == [of(path, f"runs/{path.name}") for path in runs]


def test_what_can_be_read_only_once_has_no_checksum(folder, tmp_path):
    """Standard input and pipes; the pipe is not opened again, which would wait for ever."""
    text = (folder / "noisy.csv").read_text()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    typed = ["correlate", "-", pipe, "--no-interval", "--format", "json"]
    found = told(run_process(*typed, stdin=text, timeout=60))
    writer.join()
    assert found["inputs"] == [{"file": each, "bytes": None, "sha256": None} for each in ("-", str(pipe))]


def test_files_are_read_for_their_checksums_only_where_these_are_told(folder):
    """Text, CSV, Markdown and LaTeX do without."""
    with mock.patch("hashlib.file_digest", side_effect=AssertionError("read again")):
        for format in ("table", "csv", "markdown", "latex"):
            result = run(
                "correlate", "human.csv", "noisy.csv", "--no-interval", "--format", format, cwd=folder
            )
            assert result.returncode == 0, result.stderr


def test_a_saved_experiment_says_it_too(folder, tmp_path):
    """And it equals the one that Python makes, which does not know any file."""
    path = tmp_path / "swap.json"
    typed = [
        "experiment swap",
        "human_ap.csv",
        "--n-draws",
        "3",
        "--seed",
        "1",
        "-o",
        path,
    ]
    assert run(*typed, cwd=folder).returncode == 0
    loaded = cd.experiments.load(path)
    assert loaded.provenance["command"] == shlex.join(["concordant", *words(*typed)])
    assert loaded.to_dict()["inputs"] == [of(folder / "human_ap.csv", "human_ap.csv")]
    assert loaded == cd.experiments.swap(cd.read_scores(folder / "human_ap.csv"), n_draws=3, rng=1)
    assert loaded.to_dict() == json.loads(path.read_text())


def test_a_result_of_another_format_is_refused(tmp_path):
    """In one sentence that says what to do."""
    content = cd.experiments.gaps(n_pairs=5).to_dict() | {"format_version": 99}
    (tmp_path / "old.json").write_text(json.dumps(content))
    with pytest.raises(
        cd.InputError, match=r"old.json: was saved in format 99, and this is format 1; use the"
    ):
        cd.experiments.load(tmp_path / "old.json")


def test_the_command_has_the_same_words_however_it_is_done(monkeypatch):
    """So that a result that tells its command has the same bytes."""
    whole = ["judge", "--judge", "b.csv", "--top", "3", "-o", "x.json", "-o", "x.html"]
    for more in (["--workers", "3"], ["--cluster", "local", "--workers=2"]):
        for place in (1, 3, len(whole)):
            monkeypatch.setattr("sys.argv", ["concordant", *whole[:place], *more, *whole[place:]])
            assert command_line() == whole
