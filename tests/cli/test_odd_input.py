"""Input that used to be an internal error."""

import subprocess
import sys

import pytest
from support.program import run

import concordant as cd


def test_standard_input_may_be_closed(folder):
    """As `concordant ... <&-` leaves it."""
    code = "import os, sys; os.close(0); os.execv(sys.executable, [sys.executable, '-m', *sys.argv[1:]])"
    for command in (
        ["correlate", "human.csv", "-"],
        ["judge", "--runs", "runs/*", "--qrels", "human.qrels", "--judge", "-"],
        ["evaluate", "--runs", "runs/*", "--qrels", "-", "-m", "AP"],
    ):
        result = subprocess.run(
            [sys.executable, "-c", code, "concordant", *command],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
        )
        assert result.returncode == 2
        assert result.stderr == "concordant: standard input: is closed; give the name of a file\n"


@pytest.mark.parametrize(
    "command",
    [
        ["correlate", "human.csv", ""],
        ["matrix", "", "human.csv"],
        ["judge", "--runs", "", "--qrels", "human.qrels", "--judge", "noisy.qrels"],
        ["judge", "--runs", "runs/*", "--qrels", "", "--judge", "noisy.qrels"],
        ["evaluate", "--runs", "runs/*", "--qrels", "", "-m", "AP"],
        ["experiment swap", ""],
    ],
)
def test_a_file_without_a_name(folder, refused, command):
    refused(run(*command, cwd=folder), "the name of a file is empty; give a path")


DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    "content",
    [
        DEEP,
        '{"function": ' + DEEP + "}",
        "{}",
        "[]",
        "null",
        "1" * 5000,
        '{"function": "predict"}',
        "\ud800".encode("utf-8", "surrogatepass"),
    ],
    ids=["deep", "deep inside", "empty", "a list", "null", "a long number", "half", "not text"],
)
def test_load_takes_only_saved_results(tmp_path, content):
    """Anything else is one sentence about the file."""
    path = tmp_path / "r.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(cd.InputError) as caught:
        cd.experiments.load(path)
    assert str(caught.value).startswith(f"{path}")
    assert "\n" not in str(caught.value)


def test_a_line_of_json_may_be_deep(tmp_path, refused):
    (tmp_path / "t.jsonl").write_text('{"system": "a", "value": 1, "x": ' + DEEP + "}\n")
    refused(run("correlate", "t.jsonl", "t.jsonl", cwd=tmp_path), "t.jsonl")


@pytest.mark.parametrize(
    "grade", ["1" * 5000, "-" + "9" * 5000, "0" * 5000 + "1", "1" * 8, "1e3", "1_0", "٣"]
)
def test_a_grade_that_is_no_small_whole_number(tmp_path, grade):
    path = tmp_path / "q"
    path.write_text(f"1 0 d1 1\n1 0 d2 {grade}\n")
    with pytest.raises(cd.InputError, match=r"q:2: "):
        cd.read_qrels(path)


@pytest.mark.parametrize("num_q", ["1" * 5000, "1e999", "-3", "x", "99999999999999999999"])
def test_a_number_of_topics_that_cannot_be(tmp_path, num_q):
    """trec_eval writes how many topics it averaged over."""
    path = tmp_path / "out.txt"
    rows = ["runid all a", "map 1 0.5", "map 2 0.7", f"num_q all {num_q}", "map all 0.6"]
    path.write_text("\n".join("\t".join(row.split()) for row in rows) + "\n")
    with pytest.raises(cd.InputError, match=r"out.txt(:\d+)?: ") as caught:
        cd.read_scores(path)
    assert len(str(caught.value)) < 400


def test_a_killed_worker_is_a_sentence(folder, tmp_path):
    """As when the system runs out of memory."""
    code = """
import multiprocessing, os, signal, sys
multiprocessing.set_start_method("fork")  # so that the processes have what is replaced here
import concordant.reading.evaluate
from concordant.cli import main
module = sys.modules["concordant.reading.evaluate"]
def die(shared, source, threads):
    os.kill(os.getpid(), signal.SIGKILL)
module._Evaluator.scores_of = die
die.__module__, die.__qualname__ = module.__name__, "_Evaluator.scores_of"
sys.argv = ["concordant", *"evaluate --runs runs/* --qrels human.qrels -m AP --workers 2".split()]
main()
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=folder
    )
    assert result.returncode == 2
    assert result.stderr.startswith("concordant evaluate: a process was ended by the system")
    assert "--workers" in result.stderr
    assert result.stderr.count("\n") == 1
