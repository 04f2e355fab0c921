"""Every command answers what its function answers: the same numbers, notes, options and defaults."""

from __future__ import annotations

import importlib
import inspect
import json
from unittest import mock

import click
import pytest
from support.program import run
from support.schema import check, without_provenance

import concordant as cd
from concordant import comparison, judging
from concordant.cli.command import Default
from concordant.cli.program import program

ex = cd.experiments
TABLES = ["human.csv", "noisy.csv"]
JUDGED = ["--reference", "human.csv", "--judge", "noisy.csv", "--judge", "partial.csv"]
RUNS = ["--runs", "runs/*", "--qrels", "human.qrels"]
FEW = {"n_resamples": 60, "rng": 3, "confidence_level": 0.8, "method": "percentile"}
AS_TYPED = ["--n-resamples", "60", "--seed", "3", "--confidence-level", "0.8", "--method", "percentile"]


class Data:
    """What the files of the folder hold."""

    def __init__(self, folder):
        self.folder = folder
        self.qrels, self.runs = folder / "human.qrels", folder / "runs" / "*"
        names = ("human", "noisy", "partial")
        self.human, self.noisy, self.partial = (cd.read_scores(folder / f"{n}.csv") for n in names)
        self.ap = cd.read_scores(folder / "human_ap.csv")
        self.few = cd.read_scores(folder / "few.csv")
        self.both = {"noisy": self.noisy, "partial": self.partial}

    def judged(self):
        by = {n: cd.evaluate(self.folder / f"{n}.qrels", self.runs, "AP") for n in ("human", "noisy")}
        qrels = {n: cd.read_qrels(self.folder / f"{n}.qrels") for n in ("human", "noisy")}
        return cd.judge(
            by["human"],
            {"noisy": by["noisy"]},
            qrels=qrels["human"],
            estimate_qrels={"noisy": qrels["noisy"]},
        )


# For each command the arguments without any option, and the function without any option.
BARE = {
    "correlate": (TABLES, lambda d: cd.correlate(d.human, {"noisy": d.noisy})),
    "judge": (JUDGED, lambda d: cd.judge(d.human, d.both)),
    "by-topic": (TABLES, lambda d: cd.by_topic(d.human, d.noisy)),
    "explain": (TABLES, lambda d: judging.explain_scores(d.human, d.noisy)),
    "matrix": (TABLES, lambda d: judging.matrix_of_scores({"human": d.human, "noisy": d.noisy})),
    "sweep": (TABLES, lambda d: cd.sweep(d.human, d.noisy)),
    "plan": (["human.csv"], lambda d: cd.plan(d.human)),
    "runs": (["runs/*"], lambda d: cd.compare_runs(d.runs)),
    "choose": (["--ties", "ignored"], lambda _: cd.choose(ties="ignored")),
    "list": ([], lambda _: comparison.listing()),
    "axioms": (["tau_ap"], lambda _: cd.experiments.axioms("tau_ap")),
    "predict": (["human.csv"], lambda d: ex.predict(d.human)),
    "swap": (["human_ap.csv"], lambda d: ex.swap(d.ap)),
    "pool": (RUNS, lambda d: ex.pool(d.qrels, d.runs)),
    "grades": (RUNS, lambda d: ex.grades(d.qrels, d.runs)),
    "reuse": (RUNS, lambda d: ex.reuse(d.qrels, d.runs)),
}

# The same with options.
WITH_OPTIONS = {
    "correlate": (
        [*TABLES, "-c", "tau_h", "-c", "tau_b(0.05)@5", "--n-reasons", "1", *AS_TYPED],
        lambda d: cd.correlate(d.human, {"noisy": d.noisy}, ["tau_h", "tau_b(0.05)@5"], **FEW),
    ),
    "correlate, few topics": (
        ["human.csv", "few.csv", "--no-interval", "--on-missing", "drop"],
        lambda d: cd.correlate(cd.Study(d.human, {"few": d.few}, on_missing="drop"), resampling=None),
    ),
    "judge": (
        [
            *JUDGED,
            "-c",
            "tau_b",
            "--top",
            "3",
            "--top",
            "5",
            "--n-worst",
            "2",
            "--n-reasons",
            "0",
            "--alpha",
            "0.1",
            *AS_TYPED,
        ],
        lambda d: cd.judge(d.human, d.both, "tau_b", top=(3, 5), alpha=0.1, **FEW),
    ),
    "judge, of runs": ([*RUNS, "--judge", "noisy.qrels"], Data.judged),
    "by-topic": (
        [*TABLES, "-c", "tau_gap", *AS_TYPED],
        lambda d: cd.by_topic(d.human, d.noisy, "tau_gap", **FEW),
    ),
    "explain": (
        [*TABLES, "-c", "tau_gap", "-c", "tau_b", "--most", "2"],
        lambda d: judging.explain_scores(d.human, d.noisy, ["tau_gap", "tau_b"], most=2),
    ),
    "matrix": (["human.csv", "-c", "tau_h"], lambda d: judging.matrix_of_scores({"human": d.human}, "tau_h")),
    "sweep": (
        [*TABLES, "-c", "tau_e", "--thresholds", "0,0.01,0.1"],
        lambda d: cd.sweep(d.human, d.noisy, "tau_e", thresholds=[0, 0.01, 0.1]),
    ),
    "plan": (
        [
            *("human.csv", "-m", "AP", "-c", "tau_ap", "--target", "0.7", "--topics", "20,5"),
            *("--confidence-level", "0.8", "--method", "resampling", "--n-resamples", "60", "--seed", "3"),
        ],
        lambda d: cd.plan(
            d.human["AP"], "tau_ap", target=0.7, topics=[5, 20], **{**FEW, "method": "resampling"}
        ),
    ),
    "plan, without intervals": (
        ["human.csv", "--no-interval", "--on-missing", "drop"],
        lambda d: cd.plan(d.human, confidence_level=None, on_missing="drop"),
    ),
    "runs": (
        ["runs/*", "--p", "0.8", "--ties", "b", "--depth", "5", "--n-worst", "2", "--no-interval"],
        lambda d: cd.compare_runs(d.runs, p=0.8, ties="b", depth=5, n_worst=2, confidence_level=None),
    ),
    "axioms": (["pearson_r", "--seed", "5"], lambda _: cd.experiments.axioms("pearson_r", rng=5)),
    "predict": (
        [
            "human.csv",
            "-c",
            "tau_b",
            "--n-splits",
            "50",
            "--topics",
            "4,6",
            "--drop-bottom",
            "0.25",
            "--drop-duplicates",
            "--drop",
            "dense-2",
            "--bottom-by",
            "nDCG@10",
            "--seed",
            "7",
        ],
        lambda d: ex.predict(
            d.human,
            "tau_b",
            n_splits=50,
            topics=[4, 6],
            drop_bottom=0.25,
            rng=7,
            drop_duplicates=True,
            drop=["dense-2"],
            bottom_by="nDCG@10",
        ),
    ),
    "predict, of runs": (
        [*RUNS, "-m", "AP", "-m", "RR"],
        lambda d: ex.predict(cd.evaluate(d.qrels, d.runs, ["AP", "RR"])),
    ),
    "swap": (
        [
            "human.csv",
            "-m",
            "AP",
            "-c",
            "tau_ap",
            "--n-swaps",
            "2",
            "--n-draws",
            "9",
            "--alpha",
            "0.2",
            "--seed",
            "1",
        ],
        lambda d: ex.swap(d.human["AP"], "tau_ap", n_swaps=2, n_draws=9, alpha=0.2, rng=1),
    ),
    "gaps": (
        [
            "-d",
            "zipf",
            "-d",
            "uniform",
            "-c",
            "tau_gap",
            "--n-systems",
            "8",
            "--n-pairs",
            "90",
            "--seed",
            "2",
        ],
        lambda _: ex.gaps(["zipf", "uniform"], "tau_gap", n_systems=8, n_pairs=90, rng=2),
    ),
    "gaps, of a sample": (
        ["--sample", "human_ap.csv", "--n-pairs", "90"],
        lambda d: ex.gaps(
            ["zipf", "normal", "uniform", "sample"], n_pairs=90, sample=list(d.ap.mean().values())
        ),
    ),
    "pool": (
        [
            *RUNS,
            "-c",
            "tau_b",
            "--percents",
            "10,50",
            "--n-replicates",
            "2",
            "--names",
            "file",
            "--seed",
            "9",
        ],
        lambda d: ex.pool(d.qrels, d.runs, "tau_b", percents=[10, 50], n_replicates=2, names="file", rng=9),
    ),
    "grades": (
        [*RUNS, "--depth", "20", "--least", "5", "--seed", "4"],
        lambda d: ex.grades(d.qrels, d.runs, depth=20, least=5, rng=4),
    ),
    "reuse": (
        [*RUNS, "-c", "tau_b", "-m", "nDCG@10", "--depth", "10", "--group-by", "^[^-]+"],
        lambda d: ex.reuse(d.qrels, d.runs, "tau_b", measure="nDCG@10", depth=10, group_by="^[^-]+"),
    ),
}


@pytest.fixture(scope="module")
def data(folder):
    return Data(folder)


def same(data, command, arguments, function):
    result = run(command, *arguments, "--format", "json", cwd=data.folder)
    assert result.returncode == 0, result.stderr
    found, expected = json.loads(result.stdout), json.loads(function(data).to_json())
    assert found["tables"] == expected["tables"]
    assert found["notes"] == expected["notes"]
    assert found["command"].startswith(f"concordant {command}")
    assert without_provenance(found) == without_provenance(expected)
    check(found)
    check(expected)


@pytest.mark.parametrize("command", BARE)
def test_without_options_a_command_answers_as_its_function_does(data, command):
    """So the defaults are the same."""
    same(data, command, *BARE[command])


@pytest.mark.parametrize("case", WITH_OPTIONS)
def test_with_options_a_command_answers_as_its_function_does(data, case):
    """Every option reaches its parameter."""
    same(data, case.partition(",")[0], *WITH_OPTIONS[case])


def test_keys_of_json_are_names_of_fields(data):
    """No prose, so that programs can rely on them."""
    for command, (arguments, _) in BARE.items():
        answer = json.loads(run(command, *arguments, "--format", "json", cwd=data.folder).stdout)
        keys = {key for rows in answer["tables"].values() for row in rows for key in row}
        keys |= {*answer, *answer["tables"], *answer["options"], *answer["values"]}
        assert all(key.isidentifier() and key.islower() for key in keys)


def test_gaps_leaves_its_defaults_to_the_function():
    """It is slow with these, so that only what the command passes on is looked at."""
    real = ex.gaps
    with mock.patch.object(
        cd.experiments, "gaps", side_effect=lambda **how: real(**how, n_pairs=20)
    ) as passed:
        assert run("gaps").returncode == 0
    assert set(passed.call_args.kwargs) == {"workers", "progress"}


FUNCTIONS = {
    "correlate": cd.correlate,
    "judge": cd.judge,
    "by-topic": cd.by_topic,
    "explain": judging.explain_scores,
    "matrix": judging.matrix_of_scores,
    "sweep": cd.sweep,
    "plan": cd.plan,
    "runs": cd.compare_runs,
    "grouped": cd.grouped,
    "evaluate": cd.evaluate,
    "axioms": cd.experiments.axioms,
    "predict": ex.predict,
    "swap": ex.swap,
    "gaps": ex.gaps,
    "pool": ex.pool,
    "grades": ex.grades,
    "reuse": ex.reuse,
}
OF_THE_PROGRAM = {"debug", "format", "interval", "workers", "details", "overwrite", "drop_duplicates"}


def default_of(option):
    """Return the default of the parameter that an option stands for, in the function that it names."""
    module, _, name = option.of.rpartition(".")
    function = getattr(importlib.import_module(f"concordant.{module}"), name)
    return inspect.signature(function).parameters[option.parameter].default


@pytest.mark.parametrize("command", [name for name in program.commands if name not in ("demo", "choose")])
def test_no_option_has_a_default_that_differs_from_that_of_the_function(command):
    """Workers are all cores, which changes no result; demo has the seed of its collection."""
    parameters = inspect.signature(FUNCTIONS[command]).parameters if command in FUNCTIONS else {}
    reader = inspect.signature(cd.evaluate).parameters
    for option in program.commands[command].params:
        if not isinstance(option, click.Option) or option.name in OF_THE_PROGRAM:
            continue
        default = option.get_default(click.Context(program.commands[command]))
        has_its_own = isinstance(default, str | int | float | tuple | list) and default != ()
        if isinstance(option, Default):
            assert not has_its_own, option.name
            assert option.parameter in (reader if option.of == "reading.evaluate.evaluate" else parameters), (
                option.name
            )
            default_of(option)
        elif has_its_own:
            function = parameters if option.name in parameters else reader
            assert default == function[option.name].default, option.name


@pytest.mark.parametrize("command", FUNCTIONS)
def test_help_shows_the_defaults_of_the_function(command):
    """As the function has them now."""
    text = " ".join(run(command, "--help").stdout.split())
    for option in program.commands[command].params:
        if isinstance(option, Default) and isinstance(default_of(option), int | float | str):
            assert f"[default: {default_of(option)}]" in text, option.name
