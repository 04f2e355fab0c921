"""However many judges, measures and samples there are, each file is read once."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from unittest import mock

import pytest
from support.program import run

import concordant as cd
from concordant.reading import qrels, trec_runs


@pytest.fixture
def opened(folder):
    """Count how often each file of the folder is opened, and how often runs and judgements are parsed."""
    seen, real = Counter(), io.open

    def counting(file, mode="r", *arguments, **options):
        if isinstance(file, str | Path) and Path(file).resolve().is_relative_to(folder):
            seen[Path(file).name] += 1
        return real(file, mode, *arguments, **options)

    with mock.patch("io.open", counting), mock.patch("builtins.open", counting):
        yield seen


@pytest.fixture
def once(folder, opened):
    """Give a function that says whether all runs and these judgements were opened, each once."""

    def check(*judgements):
        return opened == Counter([*judgements, *(path.name for path in (folder / "runs").iterdir())])

    return check


def test_judge_reads_each_file_once(folder, once):
    """For two judges and two measures."""
    arguments = [
        "judge",
        "--runs",
        "runs/*",
        "--qrels",
        "human.qrels",
        "--workers",
        "1",
        "--n-resamples",
        "20",
    ]
    judges = ["--judge", "noisy.qrels", "--judge", "partial.qrels", "-m", "AP", "-m", "nDCG@10"]
    result = run(*arguments, *judges, cwd=folder)
    assert result.returncode == 0, result.stderr
    assert once("human.qrels", "noisy.qrels", "partial.qrels")


def test_correlate_reads_each_file_once(folder, once):
    """Judgements and runs, and tables of scores."""
    arguments = ["--runs", "runs/*", "-m", "AP", "-m", "RR", "--workers", "1", "--n-resamples", "20"]
    result = run("correlate", "human.qrels", "noisy.qrels", *arguments, cwd=folder)
    assert result.returncode == 0, result.stderr
    assert once("human.qrels", "noisy.qrels")


@pytest.mark.parametrize("command", ["correlate", "by-topic", "explain", "sweep", "matrix"])
def test_tables_are_read_once(folder, opened, command):
    """By every command that takes them."""
    assert run(command, "human.csv", "noisy.csv", cwd=folder).returncode == 0
    assert opened == {"human.csv": 1, "noisy.csv": 1}


def test_pool_reads_each_file_once(folder, once):
    """For four shares and two samples of each."""
    cd.experiments.pool(
        folder / "human.qrels", folder / "runs" / "*", percents=[10, 30, 50, 100], n_replicates=2
    )
    assert once("human.qrels")


def test_reuse_reads_each_file_once(folder, once):
    """Though every run is evaluated twice, by different judgements."""
    cd.experiments.reuse(folder / "human.qrels", folder / "runs" / "*", depth=10)
    assert once("human.qrels")


def test_grades_reads_each_file_once(folder, once):
    """Though every run is compared with every other."""
    cd.experiments.grades(folder / "human.qrels", folder / "runs" / "*", depth=10)
    assert once("human.qrels")


def test_evaluate_parses_each_file_once(folder):
    """Whatever the number of measures."""
    real_run, real_qrels = trec_runs._run_of, qrels._of_file
    with (
        mock.patch("concordant.reading.trec_runs._run_of", side_effect=real_run) as runs,
        mock.patch("concordant.reading.qrels._of_file", side_effect=real_qrels) as read,
    ):
        cd.evaluate(folder / "human.qrels", folder / "runs" / "*", ["AP", "RR", "nDCG@10", "P@5"])
    assert runs.call_count == len(list((folder / "runs").iterdir()))
    assert read.call_count == 1
