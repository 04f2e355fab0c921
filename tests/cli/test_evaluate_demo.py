"""concordant evaluate and demo: the commands that make data."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest
from support.program import run

import concordant as cd

ROOT = Path(__file__).parents[2]
ARGUMENTS = ["evaluate", "--runs", "runs/*", "--qrels", "human.qrels"]


def test_evaluate_writes_what_the_library_computes(folder, tmp_path):
    """To a file or to standard output."""
    target = tmp_path / "s.csv.gz"
    result = run(*ARGUMENTS, "-m", "AP", "-m", "nDCG@10", "-o", target, cwd=folder)
    assert result.returncode == 0, result.stderr
    assert result.stdout == ""
    assert result.stderr.endswith(f"concordant: wrote {target}\n")
    assert cd.read_scores(target) == cd.read_scores(folder / "human.csv")
    for output in ([], ["-o", "-"]):
        printed = run(*ARGUMENTS, "-m", "AP", *output, cwd=folder)
        assert cd.read_scores(io.StringIO(printed.stdout)) == cd.read_scores(folder / "human.csv")["AP"]


@pytest.mark.parametrize("name", ["s.tsv", "s.jsonl", "s.parquet", "s.parquet.gz"])
def test_evaluate_writes_every_format(folder, tmp_path, name):
    """By the ending of the name."""
    assert run(*ARGUMENTS, "-m", "AP", "-o", tmp_path / name, cwd=folder).returncode == 0
    assert cd.read_scores(tmp_path / name) == cd.read_scores(folder / "human.csv")["AP"]


def test_evaluate_tells_notes_on_standard_error(tmp_path):
    """So that standard output is a table and nothing else."""
    (tmp_path / "q").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 1 x\n")
    arguments = ["evaluate", "--runs", "r", "--qrels", "q", "-m", "AP"]
    result = run(*arguments, cwd=tmp_path)
    assert result.stdout == "measure,topic,system,value\nAP,1,x,1.0\nAP,2,x,0.0\n"
    assert result.stderr == (
        "concordant: 1 run evaluated by 2 judgements of 2 topics\n"
        "concordant: 1 unanswered topic was set to 0 (run x)\n"
    )
    kept = run(*arguments, "--on-missing", "keep", cwd=tmp_path)
    assert kept.stdout == "measure,topic,system,value\nAP,1,x,1.0\n"
    refused = run(*arguments, "--on-missing", "error", cwd=tmp_path)
    advice = "set it to 0 with --on-missing zero, or leave out the topic with --on-missing drop"
    assert refused.stderr == f"concordant: run 'x' has no answer for topic '2'; {advice}\n"


@pytest.mark.parametrize("measure", ["P@0", "P@99999999999999999999", "AP(rel=0)", "nDCG@0"])
def test_measures_that_would_crash_a_provider_are_refused(folder, refused, measure):
    """Before a provider sees them."""
    result = run(*ARGUMENTS, "-m", measure, cwd=folder)
    refused(result, f"concordant evaluate: {measure!r}: the cutoff and rel must be from 1 to 1000000")


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demonstration in a folder of its own, and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    return folder, run("demo", "here", cwd=folder)


def test_the_demo_writes_files_judges_and_explains(demo):
    """With numbers of its own."""
    folder, result = demo
    assert result.returncode == 0, result.stderr
    assert len(list((folder / "here" / "runs").iterdir())) == 24
    assert result.stdout.startswith("Wrote 27 files to here: 24 runs and 3 sets of judgements\n")
    assert "what to see: the judges label documents about equally well" in result.stdout


def test_the_demo_names_a_command_that_prints_the_same(demo):
    """The verdict and the table, to the last digit."""
    folder, result = demo
    command = re.search(r"The same as: concordant (.*)", result.stdout).group(1)
    again = run(*shlex.split(command), cwd=folder)
    assert again.returncode == 0, again.stderr
    own = result.stdout.partition(command)[2].strip()
    assert own.startswith(
        "Can a judge replace the reference?   24 systems, 50 topics, nDCG@10 (reference human.qr"
    )
    assert again.stdout.startswith(own[: own.index("! what to see")])


def test_the_readme_shows_what_is_printed(demo):
    """The verdict of the demonstration; its code is run as it stands. It fits on a page."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"\n((?:> .*\n)+)\n<img ", readme)
    verdict = next(line for line in demo[1].stdout.split("\n") if line.startswith("Whether noisy"))
    assert " ".join(line.removeprefix("> ") for line in said.strip().split("\n")) == verdict
    assert readme.count("\n") <= 45
    kappas = re.search(r"kappa (0\.\d+) for noisy and (0\.\d+) for partial", demo[1].stdout)
    assert f"{kappas[2]} against {kappas[1]}" in " ".join(readme.split())


def test_the_start_page_explains_what_the_demo_prints(demo):
    """Every sentence that it quotes is in the answer, but for how it ends."""
    page = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")
    verdict = next(line for line in demo[1].stdout.split("\n") if line.startswith("Whether noisy"))
    quotes = re.findall(r'^\d\. \*\*"(.+?)[.]?"\*\*', page, re.MULTILINE | re.DOTALL)
    assert len(quotes) == 4
    for quote in quotes:
        assert " ".join(quote.split()) in verdict


@pytest.mark.usefixtures("small_demo")
def test_the_demo_replaces_files_only_when_told(tmp_path, refused):
    """The same seed gives the same, another does not."""
    result = run("demo", "here", cwd=tmp_path)
    message = "concordant: here: is not empty; give another folder, or --overwrite to replace its files"
    refused(run("demo", "here", cwd=tmp_path), message)
    assert run("demo", "here", "--overwrite", cwd=tmp_path).stdout == result.stdout
    other = run("demo", "here", "--overwrite", "--seed", "2", cwd=tmp_path)
    assert other.returncode == 0
    assert other.stdout != result.stdout
    (tmp_path / "file").write_text("x")
    refused(run("demo", "file", cwd=tmp_path), "concordant: file: is a file; give the name of a folder")


@pytest.mark.usefixtures("small_demo")
@pytest.mark.parametrize("name", ["my [1] folder", "it's; echo"])
def test_the_demo_takes_a_folder_with_marks_and_spaces(tmp_path, name):
    """And the command that it names does so too, also in a shell."""
    result = run("demo", name, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(f"Wrote 15 files to {name}: 12 runs and 3 sets of judgements\n")
    command = re.search(r"The same as: concordant (.*)", result.stdout).group(1)
    again = run(*shlex.split(command), cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert result.stdout.split("\n\n")[2] == again.stdout.split("\n\n")[1]


@pytest.mark.usefixtures("small_demo")
def test_the_demo_has_nothing_but_comments_around_latex(tmp_path):
    """What stands before a table begins with a percent sign."""
    result = run("demo", "here", "--format", "latex", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    outside = re.sub(r"\\begin\{table\}.*?\\end\{table\}", "", result.stdout, flags=re.DOTALL)
    assert all(line.startswith("%") for line in outside.splitlines() if line)
