"""Every command answers what its function answers: the same numbers, notes, options and defaults."""

from __future__ import annotations

import functools
import html
import json
from unittest import mock

import click
import numpy as np
import pytest
from support.program import run
from support.schema import check, without_provenance

import concordant as cd
from concordant.cli.command import Command, Option
from concordant.cli.program import all_commands
from concordant.experiments.simulate import metric_files
from concordant.questions.choose import listing

ex = cd.experiments
TABLES = ["human.csv", "noisy.csv"]
JUDGED = ["--reference", "human.csv", "--judge", "noisy.csv", "--judge", "partial.csv"]
RUNS = ["--runs", "runs/*", "--qrels", "human.qrels"]
FEW = cd.Resampling(n_resamples=60, rng=3, confidence_level=0.8, method="percentile")
AS_TYPED = ["--n-resamples", "60", "--seed", "3", "--confidence-level", "0.8", "--method", "percentile"]


def study(d, name="noisy", **how):
    """Return the study of the reference and one judge."""
    return cd.Study(d.human, {name: getattr(d, name)}, **how)


class Data:
    """What the files of the folder hold."""

    def __init__(self, folder):
        self.folder = folder
        self.qrels, self.runs = folder / "human.qrels", folder / "runs" / "*"
        names = ("human", "noisy", "partial", "few")
        self.human, self.noisy, self.partial, self.few = (cd.read_scores(folder / f"{n}.csv") for n in names)
        self.ap = cd.read_scores(folder / "human_ap.csv")
        self.both = {"noisy": self.noisy, "partial": self.partial}
        self.wmt = folder / "wmt"
        for path, text in metric_files(ex.simulate.metric_scores(4, 12, rng=1), self.wmt).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

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
    "by-topic": (TABLES, lambda d: cd.by_topic(study(d))),
    "explain": (TABLES, lambda d: cd.explain(study(d))),
    "matrix": (TABLES, lambda d: cd.matrix({"human": d.human, "noisy": d.noisy})),
    "sweep": (TABLES, lambda d: cd.sweep(study(d))),
    "plan": (["human.csv"], lambda d: cd.plan(d.human)),
    "board": (["human.csv"], lambda d: cd.board(d.human)),
    "runs": (["runs/*"], lambda d: cd.compare_runs(d.runs)),
    "metrics": (["wmt"], lambda d: cd.metrics(d.wmt)),
    "labels": (
        ["human.qrels", "noisy.qrels"],
        lambda d: cd.labels({n: d.folder / f"{n}.qrels" for n in ("human", "noisy")}),
    ),
    "coefficients identify": (
        [*TABLES, "--value", "0.5"],
        lambda d: cd.identify(study(d), value="0.5"),
    ),
    "coefficients choose": (["--ties", "ignored"], lambda _: cd.choose(ties="ignored")),
    "coefficients list": ([], lambda _: listing()),
    "coefficients axioms": (["tau_ap"], lambda _: cd.experiments.axioms("tau_ap")),
    "experiment predict": (["human.csv"], lambda d: ex.predict(d.human)),
    "experiment swap": (["human_ap.csv"], lambda d: ex.swap(d.ap)),
    "experiment pool": (RUNS, lambda d: ex.pool(d.qrels, d.runs)),
    "experiment grades": (RUNS, lambda d: ex.grades(d.qrels, d.runs)),
    "experiment reuse": (RUNS, lambda d: ex.reuse(d.qrels, d.runs)),
    "experiment stability": (["human.csv"], lambda d: ex.stability(d.human)),
}

# The same with options.
WITH_OPTIONS = {
    "labels": (
        [*["human.qrels", "noisy.qrels", "partial.qrels", "--reference", "human", "--most", "3"], *AS_TYPED],
        lambda d: cd.labels(
            {n: d.folder / f"{n}.qrels" for n in ("human", "noisy", "partial")},
            reference="human",
            most=3,
            resampling=FEW,
        ),
    ),
    "labels, alt-test": (
        [
            *["human.qrels", "noisy.qrels", "partial.qrels", "--annotator", "human", "--annotator", "noisy"],
            *["--epsilon", "0.1", "--closeness", "accuracy", "--least-items", "5", "--no-interval"],
        ],
        lambda d: cd.labels(
            {n: d.folder / f"{n}.qrels" for n in ("human", "noisy", "partial")},
            annotators=["human", "noisy"],
            epsilon=0.1,
            closeness="accuracy",
            least_items=5,
            resampling=None,
        ),
    ),
    "coefficients identify": (
        [*TABLES, "--value", "0.70", "--thresholds", "0.01,5%", "-m", "AP"],
        lambda d: cd.identify(study(d, measures=["AP"]), value="0.70", thresholds=["0.01", "5%"]),
    ),
    "correlate": (
        [*TABLES, "-c", "tau_h", "-c", "tau_b(5%, 0.05)@5", "--at-least", "0.1", *AS_TYPED],
        lambda d: cd.correlate(
            study(d), coefficients=["tau_h", "tau_b(5%, 0.05)@5"], at_least=0.1, resampling=FEW
        ),
    ),
    "correlate, few topics": (
        ["human.csv", "few.csv", "--no-interval", "--on-missing", "drop"],
        lambda d: cd.correlate(study(d, "few", on_missing="drop"), resampling=None),
    ),
    "correlate, own topics": (
        ["human.csv", "few.csv", "--topics", "own", "-m", "AP"],
        lambda d: cd.correlate(cd.Study(d.human["AP"], {"few": d.few["AP"]}, topics="own")),
    ),
    "judge": (
        [*JUDGED, *["-c", "tau_b", "--top", "5", "--at-least", "-1", "--group-by", "^[a-z]+"], *AS_TYPED],
        lambda d: cd.judge(
            *(d.human, d.both, "tau_b"), top=5, at_least=-1.0, group_by="^[a-z]+", resampling=FEW
        ),
    ),
    "judge, of runs": ([*RUNS, "--judge", "noisy.qrels"], Data.judged),
    "by-topic": (
        [*TABLES, "-c", "tau_gap", *AS_TYPED],
        lambda d: cd.by_topic(study(d), coefficients="tau_gap", resampling=FEW),
    ),
    "explain": (
        [*TABLES, "-c", "tau_gap(0.01)", "-c", "tau_b", "--most", "2"],
        lambda d: cd.explain(study(d), coefficients=["tau_gap(0.01)", "tau_b"], most=2),
    ),
    "matrix": (["human.csv", "-c", "tau_h"], lambda d: cd.matrix({"human": d.human}, "tau_h")),
    "sweep": (
        [*TABLES, "-c", "tau_e", "--thresholds", "0,0.01,0.1", "--estimate-thresholds", "0,0.05"],
        lambda d: cd.sweep(
            study(d), coefficients="tau_e", thresholds=[0, 0.01, 0.1], estimate_thresholds=[0, 0.05]
        ),
    ),
    "board": (
        ["human.csv", "-m", "AP", "--aggregate", "win_rate", *AS_TYPED[:6]],
        lambda d: cd.board(
            cd.Study.of_sides({"scores": d.human}, measures=["AP"]), aggregate="win_rate", resampling=FEW
        ),
    ),
    "plan": (
        [
            *[
                "human.csv",
                "-m",
                "AP",
                "-c",
                "tau_ap",
                "--target",
                "0.7",
                "--topics",
                "20,5",
                "--confidence-level",
                "0.8",
            ],
            *["--method", "resampling", "--n-resamples", "60", "--seed", "3"],
        ],
        lambda d: cd.plan(
            d.human["AP"],
            "tau_ap",
            target=0.7,
            n_topics=[5, 20],
            method="resampling",
            resampling=cd.Resampling(0.8, 60, rng=3),
        ),
    ),
    "plan, of judges": (
        ["human.csv", "--judge", "noisy.csv", "--judge", "partial.csv", "--within", "0.1", "--seed", "3"],
        lambda d: cd.plan(d.human, estimates=d.both, within=0.1, resampling=cd.Resampling(rng=3)),
    ),
    "plan, without intervals": (
        ["human.csv", "--no-interval", "--on-missing", "drop"],
        lambda d: cd.plan(cd.Study.of_sides({"scores": d.human}, on_missing="drop"), resampling=None),
    ),
    "runs": (
        ["runs/*", "-c", "rbo(p=0.8, ties=b)", "--depth", "5", "--n-worst", "2", "--no-interval"],
        lambda d: cd.compare_runs(*(d.runs, "rbo(p=0.8, ties=b)"), depth=5, n_worst=2, confidence_level=None),
    ),
    "metrics": (
        [
            *("wmt", "--language-pair", "en-de", "--human", "mqm", "--reference", "refA", "--references"),
            *("--exclude", "system2", "--by", "none", "--system-level", "pairwise", "--ties", "count"),
            *("--unit", "item", "--rule", "cut", "--alpha", "0.2", "--n-resamples", "60", "--seed", "3"),
        ],
        lambda d: cd.metrics(
            d.wmt,
            language_pairs=["en-de"],
            human="mqm",
            reference="refA",
            references=True,
            exclude=["system2"],
            by="none",
            system_level="pairwise",
            ties="count",
            unit="item",
            rule="cut",
            alpha=0.2,
            n_resamples=60,
            rng=3,
        ),
    ),
    "coefficients axioms": (["pearson_r", "--seed", "5"], lambda _: ex.axioms("pearson_r", rng=5)),
    "experiment predict": (
        [
            *[
                "human.csv",
                "-c",
                "tau_b",
                "--n-splits",
                "50",
                "--topics",
                "4,6",
                "--drop-bottom",
                "0.25",
            ],
            *["--drop", "dense-2", "--bottom-by", "nDCG@10", "--seed", "7"],
        ],
        lambda d: ex.predict(
            d.human,
            "tau_b",
            n_splits=50,
            topics=[4, 6],
            drop_bottom=0.25,
            rng=7,
            drop=["dense-2"],
            bottom_by="nDCG@10",
        ),
    ),
    "experiment predict, of runs": (
        [*RUNS, "-m", "AP", "-m", "RR"],
        lambda d: ex.predict(cd.evaluate(d.qrels, d.runs, ["AP", "RR"])),
    ),
    "experiment swap": (
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
    "experiment gaps": (
        [
            *("-d", "zipf", "-d", "uniform", "-c", "tau_gap"),
            *("--n-systems", "8", "--n-pairs", "90", "--seed", "2"),
        ],
        lambda _: ex.gaps(["zipf", "uniform"], "tau_gap", n_systems=8, n_pairs=90, rng=2),
    ),
    "experiment pool": (
        [
            *(*RUNS, "-c", "tau_b", "--percents", "10,50"),
            *("--n-replicates", "2", "--names", "file", "--seed", "9"),
        ],
        lambda d: ex.pool(d.qrels, d.runs, "tau_b", percents=[10, 50], n_replicates=2, names="file", rng=9),
    ),
    "experiment grades": (
        [*RUNS, "--depth", "20", "--whole", "--a", "-0.7", "--seed", "4"],
        lambda d: ex.grades(d.qrels, d.runs, depth=20, whole=True, a=-0.7, rng=4),
    ),
    "experiment reuse": (
        [*RUNS, "-c", "tau_b", "-m", "nDCG@10", "--depth", "10", "--group-by", "^[^-]+"],
        lambda d: ex.reuse(d.qrels, d.runs, "tau_b", measure="nDCG@10", depth=10, group_by="^[^-]+"),
    ),
    "experiment stability": (
        [
            *("human.csv", "-c", "tau_b", "--topics", "2,4", "--fuzziness", "0.1", "--of", "absolute"),
            *(
                "--test",
                "bootstrap",
                "--n-resamples",
                "30",
                "--n-draws",
                "40",
                "--seed",
                "2",
            ),
        ],
        lambda d: ex.stability(
            *(d.human, "tau_b"),
            topics=[2, 4],
            fuzziness=0.1,
            of="absolute",
            test="bootstrap",
            n_resamples=30,
            n_draws=40,
            rng=2,
        ),
    ),
}


@pytest.fixture(scope="module")
def data(folder):
    return Data(folder)


@pytest.fixture(scope="module")
def answers(data):
    """What the functions answer without options, which the commands answer too."""
    return {command: function(data) for command, (_, function) in BARE.items()}


def same(place, command, arguments, expected):
    """Check that the whole JSON of a command is that of a result, apart from the command and the files."""
    result = run(command, *arguments, "--format", "json", cwd=place)
    assert result.returncode == 0, result.stderr
    found, own = json.loads(result.stdout), json.loads(expected.to_json())
    assert found["tables"] == own["tables"]
    assert found["notes"] == own["notes"]
    assert found["command"].startswith(f"concordant {command}")
    assert without_provenance(found) == without_provenance(own)


@pytest.mark.parametrize("command", BARE)
def test_without_options_a_command_answers_as_its_function_does(data, answers, command):
    """So the defaults are the same."""
    same(data.folder, command, BARE[command][0], answers[command])


@pytest.mark.parametrize("case", WITH_OPTIONS)
def test_with_options_a_command_answers_as_its_function_does(data, case):
    """Every option reaches its parameter."""
    arguments, function = WITH_OPTIONS[case]
    same(data.folder, case.partition(",")[0], arguments, function(data))


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Tables that differ in the spelling of measures, in their topics, and in what is better."""
    place = tmp_path_factory.mktemp("odd")
    rng = np.random.default_rng(2)
    ap = rng.normal(np.linspace(0.6, 0.3, 8), 0.1, (12, 8))
    both = np.stack([ap, rng.normal(np.linspace(0.5, 0.2, 8), 0.1, (12, 8))])
    noise = rng.normal(0, 0.1, both.shape)
    systems, topics = [f"s{k}" for k in range(8)], range(12)
    for name, values, measures in (
        ("human", both, ["AP", "P@10"]),
        ("spelled", both + noise, ["map", "P_10"]),
        ("noisy", both + noise, ["AP", "P@10"]),
        ("errors", np.abs(both), ["RMSE", "MAE"]),
        ("other_errors", np.abs(both + noise), ["RMSE", "MAE"]),
    ):
        cd.write_scores(
            cd.Scores(values, measures=measures, topics=topics, systems=systems), place / f"{name}.csv"
        )
    cd.write_scores(
        cd.read_scores(place / "noisy.csv").select(topics=["0", "3", "4", "5", "9"]), place / "few.csv"
    )
    return place


FUNCTIONS = {
    "correlate": cd.correlate,
    "by-topic": cd.by_topic,
    "explain": cd.explain,
    "sweep": cd.sweep,
    "judge": cd.judge,
}
LOWER = ["--lower-is-better", "RMSE", "--lower-is-better", "MAE"]
# The reference, the estimate, the options of the command, of reading, and of the study.
ODD = {
    "other spellings": ("human", "spelled", [], {}, {}),
    "other spellings, chosen": ("human", "spelled", ["-m", "map"], {}, {"measures": ["AP"]}),
    "fewer topics": ("human", "few", [], {}, {}),
    "fewer topics, own": ("human", "few", ["--topics", "own"], {}, {"topics": "own"}),
    "fewer topics, dropped": ("human", "few", ["--on-missing", "drop"], {}, {"on_missing": "drop"}),
    "lower is better": ("errors", "other_errors", LOWER, {"lower_is_better": ["RMSE", "MAE"]}, {}),
}


@pytest.mark.parametrize("command", FUNCTIONS)
@pytest.mark.parametrize("case", ODD)
def test_odd_files_are_read_and_aligned_alike(odd, command, case):
    """By the command and by `Study`, which holds all that is decided about them."""
    reference, estimate, typed, reading, how = ODD[case]
    if command == "by-topic" and "own" in case:
        pytest.skip("topics are compared one by one")
    names = [f"{reference}.csv", f"{estimate}.csv"]
    own, other = (cd.read_scores(odd / name, **reading) for name in names)
    expected = FUNCTIONS[command](cd.Study(own, {estimate: other}, **how))
    if command == "judge":
        names = ["--reference", names[0], "--judge", names[1]]
    same(odd, command, [*names, *typed], expected)


def test_every_format_holds_the_same_answer(odd, tmp_path):
    """Of one call or of several: numbers, options, counts and verdict do not depend on what is written."""
    arguments = ["human.csv", "noisy.csv", "--n-resamples", "60"]
    paths = [tmp_path / f"answer.{ending}" for ending in ("json", "xlsx", "md", "csv")]
    several = [part for path in paths for part in ("-o", path)]
    result = run("correlate", *arguments, *several, "-o", "-", cwd=odd)
    assert result.returncode == 0, result.stderr
    assert [line for line in result.stderr.splitlines() if " wrote " in line] == [
        f"concordant: wrote {path}" for path in paths
    ]
    assert result.stdout == run("correlate", *arguments, cwd=odd).stdout
    written = json.loads(paths[0].read_text())
    alone = json.loads(run("correlate", *arguments, "--format", "json", cwd=odd).stdout)
    assert without_provenance(written) == without_provenance(alone)
    assert paths[2].read_text() == run("correlate", *arguments, "--format", "markdown", cwd=odd).stdout
    assert paths[3].read_text() == run("correlate", *arguments, "--format", "csv", cwd=odd).stdout


@pytest.mark.parametrize("command", [pytest.param("correlate", marks=pytest.mark.slow), "judge"])
def test_the_page_holds_what_the_json_holds(odd, tmp_path, command):
    """The page of the same call, and that of a call of its own."""
    names = (
        ["human.csv", "noisy.csv"]
        if command == "correlate"
        else ["--reference", "human.csv", "--judge", "noisy.csv"]
    )
    arguments = [command, *names, "--n-resamples", "60"]
    for outputs in (["-o", "r.json", "-o", "r.html"], ["-o", "r.html"]):
        assert (
            run(*arguments, *(str(tmp_path / x) if x != "-o" else x for x in outputs), cwd=odd).returncode
            == 0
        )
        page = (tmp_path / "r.html").read_text(encoding="utf-8")
        answer = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
        for sentence in answer["verdict"]:
            assert html.escape(sentence, quote=False) in page
        for name, value in answer["options"].items():
            assert name in page, (name, value)


def test_the_json_is_what_the_schema_says(answers):
    """Of every command."""
    for answer in answers.values():
        check(json.loads(answer.to_json()))


def test_keys_of_json_are_names_of_fields(answers):
    """No prose, so that programs can rely on them."""
    for each in answers.values():
        answer = json.loads(each.to_json())
        keys = {key for rows in answer["tables"].values() for row in rows for key in row}
        keys |= {*answer, *answer["tables"], *answer["options"], *answer["values"]}
        assert all(key.isidentifier() and key.islower() for key in keys)


def test_gaps_leaves_its_defaults_to_the_function():
    """It is slow with these, so that only what the command passes on is looked at."""
    passed = {}

    @functools.wraps(ex.gaps)
    def fewer(**how):
        passed.update(how)
        return ex.gaps(**how, n_pairs=20)

    with mock.patch.object(Command, "function", staticmethod(fewer)):
        assert run("experiment gaps").returncode == 0
    assert set(passed) == {"workers", "progress"}


OF_THE_PROGRAM = {
    "debug",
    "format",
    "interval",
    "workers",
    "details",
    "no_title",
    "overwrite",
    "strict",
}


@pytest.mark.parametrize(
    "command", [name for name in all_commands() if name not in ("demo", "coefficients choose", "completion")]
)
def test_no_option_has_a_default_of_its_own(command):
    """Workers are all cores, which changes no result; demo has the seed of its collection."""
    own = all_commands()[command]
    for option in own.params:
        if isinstance(option, click.Option) and option.name not in {*OF_THE_PROGRAM, "help_all"}:
            default = option.get_default(click.Context(own))
            if isinstance(default, str | int | float | tuple | list) and default != ():
                assert default == own.default_of(option.name), option.name


@pytest.mark.parametrize(
    "command", [name for name in all_commands() if name not in ("completion", "coefficients list")]
)
def test_every_option_is_one_of_the_function_or_of_what_it_takes(command):
    """The help shows its default."""
    own = all_commands()[command]
    has_all = any(option.name == "help_all" for option in own.params)
    text = " ".join(run(command, "--help-all" if has_all else "--help").stdout.split())
    for option in own.params:
        if isinstance(option, Option) and not option.has_own_default:
            default = own.default_of(option.name)
            if isinstance(default, int | float | str):
                assert f"[default: {default}]" in text, option.name


@pytest.mark.parametrize(
    "command", [name for name in all_commands() if name not in ("completion", "grouped", "evaluate")]
)
def test_the_class_of_the_result_is_known_before_any_work(answers, command):
    own = all_commands()[command]
    assert own.result_class.table_names()
    assert command not in answers or type(answers[command]) is own.result_class
