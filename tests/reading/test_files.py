"""Files: read whole, written whole or not at all."""

from __future__ import annotations

import gzip
import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import concordant as cd
from concordant.reading.files import expand, name_of, read_text, stem_of, write_whole


def test_packed_files_are_the_same_bytes_each_time(tmp_path):
    """No time and no name is packed with the data."""
    scores = cd.Scores([[0.5, 0.25]], measures=["AP"])
    for name in ("a.csv.gz", "b.csv.gz"):
        cd.write_scores(scores, tmp_path / name)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()).startswith(b"measure,topic,system,value\n")


def test_an_interrupted_write_leaves_what_was_there(tmp_path):
    """Killed in the middle of writing: the old file is whole, and no other file is called like it."""
    target = tmp_path / "scores.csv"
    target.write_text("old")
    code = f"""
import os, sys
from concordant.reading.files import write_whole
def slow(handle):
    print("writing", flush=True)
    import time; time.sleep(60)
os.fsync = slow
write_whole({str(target)!r}, "new" * 1000)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout.readline() == "writing\n"
    process.send_signal(signal.SIGINT)
    process.wait(timeout=20)
    process.stdout.close()
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["scores.csv"]


def test_a_failed_write_leaves_nothing(tmp_path):
    """A folder that does not exist, and a folder in place of a file, are refused."""
    with pytest.raises(cd.InputError, match=r"folder\.csv: cannot be written: No such file or directory"):
        write_whole(tmp_path / "no" / "such" / "folder.csv", "x")
    with pytest.raises(cd.InputError, match="is a folder; give the name of a file"):
        write_whole(tmp_path, "x")
    assert list(tmp_path.iterdir()) == []


def test_written_files_have_usual_permissions(tmp_path):
    """The permissions are those of any new file, not those of a temporary one."""
    write_whole(tmp_path / "a", "x")
    (tmp_path / "b").write_text("x")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_links_and_permissions_stay(tmp_path, monkeypatch):
    """Writing to a link replaces what it points to and keeps its permissions; long names are no trouble."""
    (tmp_path / "real").write_text("old")
    (tmp_path / "real").chmod(0o600)
    (tmp_path / "link").symlink_to("real")
    modes = []
    monkeypatch.setattr("os.fsync", lambda file: modes.append(os.fstat(file).st_mode & 0o777))
    write_whole(tmp_path / "link", "new")
    assert modes == [0o600]  # nobody else can read the file before it has its name
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o600
    write_whole(tmp_path / ("n" * 250), "x")


def test_patterns_stand_for_files_each_once_and_sorted(tmp_path):
    """Paths and patterns may overlap; a file whose name looks like a pattern is that file."""
    for name in ("b", "a", "c[1]"):
        (tmp_path / name).write_text("x")
    (tmp_path / "folder").mkdir()
    found = expand([tmp_path / "c[1]", tmp_path / "b", tmp_path / "*"])
    assert found == [str(tmp_path / name) for name in ("c[1]", "b", "a")]
    assert expand("-") == ["-"]
    opened = io.StringIO("x")
    assert expand(opened) == [opened]


@pytest.mark.parametrize(
    ("paths", "error", "message"),
    [
        ("{folder}/*.nope", cd.InputError, "no file matches; check the folder, and quote the pattern"),
        ("{folder}", cd.InputError, "is a folder without files"),
        ([], cd.ArgumentError, "no files were given"),
        (3, cd.ArgumentTypeError, "must be files, Scores, a DataFrame, a mapping or an array, got int"),
    ],
)
def test_paths_that_name_no_file_are_refused(tmp_path, paths, error, message):
    """The message says what to give instead."""
    given = paths.format(folder=tmp_path) if isinstance(paths, str) else paths
    with pytest.raises(error, match=message):
        cd.read_scores(given)


@pytest.mark.parametrize(
    ("path", "name", "stem"),
    [
        ("a/b.csv.gz", "a/b.csv.gz", "b"),
        ("x.run", "x.run", "x"),
        (Path("q.v2.qrels"), "q.v2.qrels", "q.v2"),
        ("-", "standard input", "standard input"),
    ],
)
def test_files_are_named_by_their_stem(path, name, stem):
    """Known endings are no part of a name, other dots are."""
    assert (name_of(path), stem_of(path)) == (name, stem)


@pytest.mark.parametrize("open_as", ["rb", "r"])
def test_open_files_are_read_as_text_or_bytes(tmp_path, open_as):
    """A byte order mark is dropped either way."""
    (tmp_path / "t").write_bytes("\ufeffé".encode())
    with (tmp_path / "t").open(open_as) as file:
        assert read_text(file) == "é"


def test_writing_leaves_the_umask_of_the_process_alone(tmp_path, monkeypatch):
    """Other threads create files too."""
    monkeypatch.setattr(os, "umask", lambda _: pytest.fail("the umask was changed"))
    write_whole(tmp_path / "new", "text")
    write_whole(tmp_path / "new", "again")
    assert (tmp_path / "new").read_text() == "again"


def test_a_new_file_has_the_permissions_that_the_umask_leaves(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", "text")
    finally:
        os.umask(before)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640
