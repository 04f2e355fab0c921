"""Options that cannot have an effect are refused before any file is read."""

from unittest import mock

import pytest
from support.program import run

from concordant.cli.command import _FACTS, Option
from concordant.cli.program import all_commands

TABLES = "correlate human.csv noisy.csv"
RUNS = "correlate --runs runs/* human.qrels noisy.qrels"
NO_EFFECT = [
    (f"{TABLES} --names file", "--names has no effect without --runs; leave it out"),
    (f"{RUNS} --columns system=x", "--columns has no effect with --runs; leave it out"),
    (f"{RUNS} --input-format table", "--input-format has no effect with --runs"),
    (f"{TABLES} --no-interval --n-resamples 50", "--n-resamples has no effect with --no-interval"),
    (f"{TABLES} --no-interval --method basic", "--method has no effect with --no-interval"),
    (f"{TABLES} --no-interval --seed 1", "--seed has no effect with --no-interval"),
    (f"{TABLES} --no-interval --confidence-level 0.9", "--confidence-level has no effect with --no-interval"),
    (f"{TABLES} --no-interval --workers 2", "--workers has no effect with --no-interval and without --runs"),
    ("judge --reference human.csv --judge noisy.csv --no-interval --seed 1", "--seed has no effect"),
    ("by-topic human.csv noisy.csv --no-interval --seed 1", "--seed has no effect"),
    ("by-topic human.csv noisy.csv --details --table topics", "--details has no effect with --table"),
    (f"{TABLES} --details --format csv", "--details has no effect without a format for people"),
    (f"{TABLES} --details -o out.json", "--details has no effect without a format for people"),
    ("sweep human.csv noisy.csv --workers 2", "--workers has no effect without --runs"),
    ("plan human.csv --within 0.1", "--within has no effect without --judge"),
    ("correlate human.csv noisy.csv --strict", "--strict has no effect without --at-least"),
    ("plan human.csv --seed 1", "--seed has no effect without --judge and without --subset and"),
    (
        "plan human.csv --method ml --n-resamples 50",
        "--n-resamples has no effect without --judge and without --method resampling",
    ),
    ("plan human.csv --no-interval --confidence-level 0.9", "--confidence-level has no effect with --no-int"),
    ("explain human.csv noisy.csv --names tag", "--names has no effect without --runs"),
    ("experiment predict human.csv --names tag", "--names has no effect without --runs"),
    ("experiment predict --columns system=x", "--columns has no effect without a file"),
    ("experiment swap --input-format table", "--input-format has no effect without a file"),
    ("experiment predict human.csv --bottom-by AP", "--bottom-by has no effect without --drop-bottom"),
    ("experiment grades --simulated 3 --depth 5", "--depth has no effect with --simulated"),
    (
        "experiment reuse --runs runs/* --qrels human.qrels --seed 1",
        "--seed has no effect with --runs; leave",
    ),
    ("coefficients choose --table answers", "answer at least one question"),
]


@pytest.mark.parametrize(("typed", "message"), NO_EFFECT)
def test_an_option_without_an_effect_is_refused(folder, refused, typed, message):
    """With one sentence that says why, before any file is read."""
    if "choose" in typed:
        from concordant.questions.choose import Choice

        typed = f"coefficients choose --table {Choice.table_names()[0]}"
    with mock.patch("concordant.reading.files._contents", side_effect=AssertionError("a file was read")):
        refused(run(*typed.split(), cwd=folder), message)


WITH_EFFECT = [
    f"{RUNS} --names file --no-interval --workers 2",
    f"{TABLES} --input-format table --columns system=system --no-interval",
    "sweep --runs runs/* human.qrels noisy.qrels --workers 1",
    "matrix human.csv --workers 1",
    "experiment predict human.csv --drop-bottom 0.1 --bottom-by AP --n-splits 2",
]


@pytest.mark.parametrize("typed", WITH_EFFECT)
def test_an_option_with_an_effect_is_taken(folder, typed):
    result = run(*typed.split(), cwd=folder)
    assert result.returncode == 0, result.stderr


def test_a_condition_names_parameters():
    """So that no misspelt condition always holds."""
    every = {*_FACTS, *(each.name for command in all_commands().values() for each in command.params)}
    for command in all_commands().values():
        for each in command.params:
            for need in each.needs if isinstance(each, Option) else ():
                names = {part.removeprefix("!").partition("=")[0] for part in need.split("|")}
                assert names <= every, (command.name, each.name)
