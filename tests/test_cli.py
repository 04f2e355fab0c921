"""The program as a user runs it: in a process of its own, on files."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import concordant as cd

ENVIRONMENT = {**os.environ, "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": ""}


def run(*arguments, cwd=None, stdin=None, **options):
    return subprocess.run(
        [sys.executable, "-m", "concordant", *map(str, arguments)],
        capture_output=True, text=True, check=False, cwd=cwd, input=stdin, env=ENVIRONMENT, timeout=120, **options,
    )  # fmt: skip


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A small collection with its files, and tables of scores made from it."""
    folder = tmp_path_factory.mktemp("data")
    made = cd.simulate.collection(n_topics=8, n_systems=9, n_documents=80, depth=40, pool_depth=10, rng=3)
    made.write(folder)
    for name in ("human", "noisy", "partial"):
        scores = cd.evaluate(folder / f"{name}.qrels", folder / "runs" / "*", ["AP", "nDCG@10"])
        cd.write_scores(scores, folder / f"{name}.csv")
        cd.write_scores(scores["AP"], folder / f"{name}_ap.csv", format="wide")
    cd.write_scores(
        cd.read_scores(folder / "human.csv").select(topics=["401", "402", "403"]), folder / "few.csv"
    )
    return folder


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


# --- the commands -----------------------------------------------------------------------------------------------


def test_corr_gives_what_the_library_gives(folder):
    result = run(
        "corr",
        "human.csv",
        "noisy.csv",
        "partial.csv",
        "-c",
        "tau_ap_b",
        "-c",
        "tau_b(0.05)@5",
        "--format",
        "csv",
        cwd=folder,
    )
    assert result.returncode == 0, result.stderr
    found = rows_of(result.stdout)
    assert len(found) == 4  # two estimates by two measures
    for row in found:
        x, y = (
            cd.read_scores(folder / f"{name}.csv").mean(row["measure"]) for name in ("human", row["estimate"])
        )
        assert float(row["tau_ap_b"]) == cd.tau_ap_b(x, y)
        assert float(row["tau_b(0.05)@5"]) == cd.get("tau_b(0.05)@5")(x, y)


def test_corr_reads_every_format_gz_and_standard_input(folder, tmp_path):
    expected = run("corr", "human_ap.csv", "noisy_ap.csv", "--format", "csv", cwd=folder).stdout.split(",")[
        -2:
    ]
    scores = cd.read_scores(folder / "noisy.csv")["AP"]
    names = []
    for name, format in (
        ("a.csv", "long"),
        ("b.tsv", "wide"),
        ("c.jsonl", None),
        ("d.parquet", None),
        ("e.csv.gz", "wide"),
    ):
        cd.write_scores(scores, tmp_path / name, format=format)
        names.append(tmp_path / name)
    evals = tmp_path / "evals"
    evals.mkdir()
    for system in scores.systems:
        own = scores.select(systems=[system])
        text = "".join(f"AP\t{t}\t{v!r}\n" for _, t, _, v in own.rows())
        (evals / f"{system}.eval").write_text(
            text + f"runid\tall\t{system}\nAP\tall\t{own.mean()[system]!r}\n"
        )
    names.append(evals / "*.eval")
    for name in names:
        result = run("corr", folder / "human_ap.csv", name, "--format", "csv")
        assert result.returncode == 0, (name, result.stderr)
        assert result.stdout.split(",")[-2:] == expected, name
    piped = run(
        "corr", folder / "human_ap.csv", "-", "--format", "csv", stdin=(folder / "noisy_ap.csv").read_text()
    )
    assert piped.stdout.split(",")[-2:] == expected
    packed = subprocess.run(
        [sys.executable, "-m", "concordant", "corr", str(folder / "human_ap.csv"), "-", "--format", "csv"],
        input=gzip.compress((folder / "noisy_ap.csv").read_bytes()), capture_output=True, check=False, env=ENVIRONMENT,
    )  # fmt: skip
    assert packed.stdout.decode().split(",")[-2:] == expected


def test_corr_of_runs_and_judgements_is_that_of_their_scores(folder):
    by_runs = run(
        "corr",
        "human.qrels",
        "noisy.qrels",
        "--runs",
        "runs/*",
        "-m",
        "AP",
        "-m",
        "nDCG@10",
        "--format",
        "csv",
        cwd=folder,
    )
    by_tables = run("corr", "human.csv", "noisy.csv", "--format", "csv", cwd=folder)
    assert by_runs.returncode == 0, by_runs.stderr
    assert by_runs.stdout == by_tables.stdout


def test_judge_answers_everything(folder):
    arguments = [
        "judge",
        "--runs",
        "runs/*",
        "--qrels",
        "human.qrels",
        "--judge",
        "noisy.qrels",
        "--judge",
        "partial.qrels",
        "-m",
        "nDCG@10",
        "--top",
        "5",
    ]
    result = run(*arguments, "--format", "json", cwd=folder)
    assert result.returncode == 0, result.stderr
    tables = json.loads(result.stdout)["tables"]
    assert list(tables) == [
        "agreement", "comparison", "topics", "significance", "labels", "confusion", "reasons", "moved", "flipped"
    ]  # fmt: skip
    human, noisy = (cd.read_scores(folder / f"{n}.csv")["nDCG@10"] for n in ("human", "noisy"))
    x, y = human.mean(), noisy.mean()
    agreement = {(row["judge"], row["systems"]): row for row in tables["agreement"]}
    assert agreement["noisy", "all 9"]["tau_b"] == cd.tau_b(x, y)
    assert agreement["noisy", "top 5"]["tau_ap_b"] == cd.get("tau_ap_b@5")(x, y)
    topic_values = [cd.tau_b(a, b) for a, b in zip(human.values[0], noisy.values[0], strict=True)]
    first = tables["topics"][0]
    assert first["mean"] == pytest.approx(np.nanmean(topic_values), abs=1e-12)
    assert first["minimum"] == np.nanmin(topic_values)
    # Labels, by scikit-style confusion of all common documents.
    true, other = cd.read_qrels(folder / "human.qrels"), cd.read_qrels(folder / "noisy.qrels")
    pairs = np.array([(g, other[t][d]) for t, docs in true.items() for d, g in docs.items()])
    confusion = np.array(
        [[row[f"grade {g}"] for g in range(4)] for row in tables["confusion"] if row["judge"] == "noisy"]
    )
    expected = np.zeros((4, 4), dtype=int)
    np.add.at(expected, tuple(pairs.T), 1)
    assert np.array_equal(confusion, expected)
    share = confusion / confusion.sum()
    chance = (share.sum(0) * share.sum(1)).sum()
    label = tables["labels"][0]
    assert label["kappa of grades"] == pytest.approx((np.trace(share) - chance) / (1 - chance), abs=1e-12)
    # Pairs that flipped, all of them counted.
    systems = list(x)
    n_flipped = sum((x[a] - x[b]) * (y[a] - y[b]) < 0 for i, a in enumerate(systems) for b in systems[:i])
    assert f"noisy: {n_flipped} of 36 pairs" in result.stdout
    for row in tables["flipped"]:
        assert row["truth difference"] > 0 > row["judge difference"]
    for row in tables["moved"]:
        assert row["gain"] == row["truth rank"] - row["judge rank"] != 0


def test_judge_says_how_sure_it_is(folder):
    """Intervals, the best judge against the others, significance and reasons, as the functions give them."""
    arguments = [
        "judge",
        "--truth",
        "human.csv",
        "--judge",
        "noisy.csv",
        "--judge",
        "partial.csv",
        "-m",
        "nDCG@10",
        "-c",
        "tau_b",
    ]
    result = run(
        *arguments, "--top", "5", "--resamples", "300", "--seed", "4", "--format", "json", cwd=folder
    )
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    tables = answer["tables"]
    human, noisy, partial = (
        cd.read_scores(folder / f"{n}.csv")["nDCG@10"] for n in ("human", "noisy", "partial")
    )
    for row in tables["agreement"]:
        c = "tau_b" if row["systems"].startswith("all") else "tau_b@5"
        found = cd.bootstrap(
            human, {"noisy": noisy, "partial": partial}[row["judge"]], c, n_resamples=300, rng=4
        )
        assert row["tau_b"] == found.statistic
        assert (row["tau_b low"], row["tau_b high"]) == found.confidence_interval
    values = {row["judge"]: row["tau_b"] for row in tables["agreement"] if row["systems"].startswith("all")}
    (row,) = tables["comparison"]
    assert (row["best"], row["other"]) == tuple(sorted(values, key=lambda name: -values[name]))
    by_name = {"noisy": noisy, "partial": partial}
    found = cd.difference(human, by_name[row["best"]], by_name[row["other"]], "tau_b", n_resamples=300, rng=4)
    assert row["p"] == row["p (Holm)"] == row["p (BH)"] == found.pvalue
    assert (row["low"], row["high"]) == found.confidence_interval
    assert row["difference"] == found.statistic
    pairs = cd.significant_pairs(human, noisy)
    counted = [list(row.values())[2:] for row in tables["significance"] if row["judge"] == "noisy"]
    assert counted == [
        [pairs.agree, pairs.opposed, pairs.truth_only, pairs.estimate_only, pairs.neither, len(human.topics)]
    ]
    reasons = [row["reason"] for row in tables["reasons"] if row["judge"] == "noisy"]
    assert reasons == cd.explain(human, noisy, "tau_b").reasons(3)
    assert any("simex, 300 resamples" in note and "seed 4" in note for note in answer["notes"])


def test_three_judges_are_compared_with_corrections(folder):
    arguments = [
        "judge",
        "--truth",
        "human.csv",
        "--judge",
        "noisy.csv",
        "--judge",
        "partial.csv",
        "--judge",
        "half.csv",
    ]
    human = cd.read_scores(folder / "human.csv")
    cd.write_scores(human.select(topics=human.topics[:3]), folder / "half.csv")
    result = run(
        *arguments, "-m", "nDCG@10", "-c", "tau_b", "--resamples", "200", "--format", "json", cwd=folder
    )
    assert result.returncode == 0, result.stderr
    rows = json.loads(result.stdout)["tables"]["comparison"]
    assert len(rows) == 2
    assert [row["p (Holm)"] for row in rows] == pytest.approx(cd.adjust_pvalues([row["p"] for row in rows]))
    assert [row["p (BH)"] for row in rows] == pytest.approx(
        cd.adjust_pvalues([row["p"] for row in rows], "bh")
    )


def test_corr_has_intervals_where_there_are_topics(folder):
    arguments = ["corr", "human.csv", "noisy.csv", "-m", "nDCG@10", "-c", "tau_ap_b"]
    result = run(
        *arguments,
        "--resamples",
        "200",
        "--method",
        "percentile",
        "--confidence",
        "0.9",
        "--format",
        "json",
        cwd=folder,
    )
    assert result.returncode == 0, result.stderr
    (row,) = json.loads(result.stdout)["tables"]["correlation"]
    human, noisy = (cd.read_scores(folder / f"{n}.csv")["nDCG@10"] for n in ("human", "noisy"))
    found = cd.bootstrap(
        human, noisy, "tau_ap_b", n_resamples=200, method="percentile", confidence_level=0.9, rng=0
    )
    assert (row["tau_ap_b low"], row["tau_ap_b high"]) == found.confidence_interval
    without = run(*arguments, "--no-interval", "--format", "json", cwd=folder)
    (plain,) = json.loads(without.stdout)["tables"]["correlation"]
    assert list(plain) == ["estimate", "measure", "systems", "tau_ap_b"]
    assert plain["tau_ap_b"] == row["tau_ap_b"]
    reasons = json.loads(without.stdout)["tables"]["reasons"]
    assert [row["reason"] for row in reasons] == cd.explain(human, noisy, "tau_ap_b").reasons(3)


def test_the_same_seed_prints_the_same_and_another_does_not(folder):
    arguments = ["corr", "human.csv", "noisy.csv", "-m", "nDCG@10", "--resamples", "100"]
    first, again, other = (run(*arguments, "--seed", seed, cwd=folder).stdout for seed in "112")
    assert first == again
    assert first.replace("seed 1", "") != other.replace("seed 2", "")
    one, two = (run(*arguments, "--workers", workers, cwd=folder).stdout for workers in "12")
    assert one == two


def test_means_without_topics_have_no_intervals(folder):
    for name, order in (("x", "0.3,0.2,0.1"), ("y", "0.3,0.1,0.2")):
        (folder / f"{name}.csv").write_text(f"topic,a,b,c\n1,{order}\n")
    result = run("corr", "x.csv", "y.csv", "--format", "csv", "-c", "tau_b", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "estimate,measure,systems,tau_b\ny,x / y,3,0.3333333333333333\n"
    judged = run(
        "judge", "--truth", "x.csv", "--judge", "y.csv", "--top", "2", "--format", "json", cwd=folder
    )
    assert judged.returncode == 0, judged.stderr
    assert "tau_b low" not in json.loads(judged.stdout)["tables"]["agreement"][0]
    topics = run("topics", "x.csv", "y.csv", cwd=folder)
    assert topics.returncode == 0, topics.stderr
    assert "low" not in topics.stdout


def test_topics_has_intervals_of_both_means(folder):
    arguments = ["topics", "human.csv", "noisy.csv", "-m", "nDCG@10", "-c", "tau_b", "--resamples", "200"]
    result = run(*arguments, "--format", "json", cwd=folder)
    assert result.returncode == 0, result.stderr
    (row,) = json.loads(result.stdout)["tables"]["topics"]
    human, noisy = (cd.read_scores(folder / f"{n}.csv")["nDCG@10"] for n in ("human", "noisy"))
    found = cd.bootstrap(human, noisy, "tau_b", n_resamples=200, rng=0)
    assert (row["of means low"], row["of means high"]) == found.confidence_interval
    assert row["mean low"] < row["mean"] < row["mean high"]
    plain = run(*arguments, "--no-interval", "--format", "json", cwd=folder)
    assert "mean low" not in json.loads(plain.stdout)["tables"]["topics"][0]


def test_explain_names_pairs_and_systems(folder):
    arguments = ["explain", "human.csv", "noisy.csv", "-m", "nDCG@10", "-c", "tau_ap_b", "--most", "4"]
    result = run(*arguments, "--format", "json", cwd=folder)
    assert result.returncode == 0, result.stderr
    tables = json.loads(result.stdout)["tables"]
    human, noisy = (cd.read_scores(folder / f"{n}.csv")["nDCG@10"] for n in ("human", "noisy"))
    why = cd.explain(human, noisy, "tau_ap_b", most=4)
    assert [row["cost"] for row in tables["pairs"]] == [pair.cost for pair in why.pairs]
    assert [row["item"] for row in tables["removals"]] == [removal.item for removal in why.removals]
    assert tables["explained"][0]["value"] == why.statistic
    assert tables["explained"][0]["pairs that cost"] == why.n_pairs
    assert len(tables["items"]) == 4
    every = json.loads(run(*arguments[:-1], "99", "--format", "json", cwd=folder).stdout)["tables"]["items"]
    assert sum(row["cost"] for row in every) == pytest.approx(1 - why.statistic)
    assert sum(row["share"] for row in every) == pytest.approx(1)
    wrong = run("explain", "human.csv", "noisy.csv", "--most", "-1", cwd=folder)
    assert wrong.returncode == 2
    assert "most must be a whole number from 0 up" in wrong.stderr
    assert "Traceback" not in wrong.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--confidence", "95"], "confidence_level must be a number between 0 and 1, got 95"),
        (["--resamples", "1"], "n_resamples must be a whole number from 2 up"),
        (["--seed", "-3"], "rng must be"),
        (["--method", "bootstrap"], "Invalid value for '--method'"),
    ],
)
def test_wrong_options_for_intervals_are_one_sentence(folder, options, message):
    result = run("corr", "human.csv", "noisy.csv", *options, cwd=folder)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.fixture
def wide(tmp_path):
    """Wide tables, whose measure is the name of the file: one judge without half of the topics, one who is constant."""
    rng = np.random.default_rng(0)
    truth = rng.normal(np.linspace(0.6, 0.3, 10), 0.1, (30, 10))
    noise = rng.normal(0, 0.1, (2, 30, 10))
    tables = {
        "human": (truth, 30), "gpt": (truth + noise[0], 30), "llama": (truth + 4 * noise[1], 30), "half": (truth + noise[0], 15),
        "constant": (np.ones_like(truth), 30), "one": (truth, 1),
    }  # fmt: skip
    for name, (values, n_topics) in tables.items():
        scores = cd.Scores(values[:n_topics], topics=range(n_topics), systems=[f"s{i}" for i in range(10)])
        lines = [",".join(["topic", *scores.systems])]
        lines += [
            ",".join([t, *map(repr, row.tolist())])
            for t, row in zip(scores.topics, scores.values[0], strict=True)
        ]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def judged(folder, *judges, **options):
    arguments = ["judge", "--truth", "human.csv", "-c", "tau_b", "--resamples", "99", "--format", "json"]
    result = run(
        *arguments, *(part for name in judges for part in ("--judge", f"{name}.csv")), cwd=folder, **options
    )
    assert result.returncode == 0, result.stderr
    assert "Warning" not in result.stderr
    return json.loads(result.stdout)


def test_judges_are_compared_whatever_their_tables_are_called(wide):
    (row,) = judged(wide, "gpt", "llama")["tables"]["comparison"]
    human, gpt, llama = (cd.read_scores(wide / f"{name}.csv") for name in ("human", "gpt", "llama"))
    found = cd.difference(human, gpt, llama, "tau_b", n_resamples=99, rng=0)
    assert (row["best"], row["other"], row["topics"]) == ("gpt", "llama", 30)
    assert (row["difference"], row["p"]) == (found.statistic, found.pvalue)


def test_judges_with_different_topics_are_compared_on_those_that_both_have(wide):
    answer = judged(wide, "half", "gpt", "llama")
    best = max(answer["tables"]["agreement"], key=lambda row: row["tau_b"])["judge"]
    rows = answer["tables"]["comparison"]
    assert {row["best"] for row in rows} == {best}
    topics = {frozenset((row["best"], row["other"])): row["topics"] for row in rows}
    for pair, n in topics.items():
        assert n == (15 if "half" in pair else 30)
        told = any(
            note.startswith(" and ".join([best, *(pair - {best})]) + " are compared on the 15")
            for note in answer["notes"]
        )
        assert told == ("half" in pair)
    assert [row["topics"] for row in answer["tables"]["significance"]] == [15, 30, 30]
    assert any(note.startswith("half: of 15 topics intervals are too narrow") for note in answer["notes"])


def test_coefficients_that_refuse_ties_are_undefined_where_topics_have_ties(wide):
    lines = (wide / "gpt.csv").read_text().splitlines()
    cells = lines[3].split(",")
    lines[3] = ",".join(
        [*cells[:2], cells[1], *cells[3:]]
    )  # two systems tie on one topic, not in their means
    (wide / "tied.csv").write_text("\n".join(lines) + "\n")
    arguments = [
        "--truth",
        "human.csv",
        "--judge",
        "tied.csv",
        "-c",
        "tau",
        "--no-interval",
        "--format",
        "json",
    ]
    result = run("judge", *arguments, cwd=wide)
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    assert answer["tables"]["agreement"][0]["tau"] > 0
    assert answer["tables"]["topics"][0]["undefined"] == 1
    assert "tied: tau is undefined for 1 topics: there are ties" in answer["notes"]


def test_a_judge_without_a_value_is_left_out_of_the_comparison_with_a_note(wide):
    answer = judged(wide, "gpt", "llama", "constant")
    assert [row["other"] for row in answer["tables"]["comparison"]] == ["llama"]
    assert "not compared with other judges, because tau_b is undefined: constant" in answer["notes"]
    assert any(
        note.startswith("constant by human / constant: tau_b is undefined: all items")
        for note in answer["notes"]
    )


@pytest.mark.parametrize("command", ["corr", "topics", "explain"])
def test_undefined_values_are_told_in_notes_not_as_warnings(wide, command):
    result = run(command, "human.csv", "constant.csv", cwd=wide)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert "undefined: all items are tied in x or in y" in result.stdout


def test_one_topic_on_one_side_gives_no_interval_and_says_so(wide):
    answer = judged(wide, "one", "gpt")
    rows = {row["judge"]: row for row in answer["tables"]["agreement"]}
    assert rows["one"]["tau_b low"] is None
    assert rows["gpt"]["tau_b low"] is not None
    assert "one: there is one topic only, so that there are no intervals over topics" in answer["notes"]


def test_significance_does_not_depend_on_intervals(wide):
    result = run(
        "judge", "--truth", "human.csv", "--judge", "gpt.csv", "--no-interval", "--format", "json", cwd=wide
    )
    tables = json.loads(result.stdout)["tables"]
    assert "significance" in tables
    assert "comparison" not in tables
    wrong = run("judge", "--truth", "human.csv", "--judge", "gpt.csv", "--alpha", "5", cwd=wide)
    assert "judge: alpha must be a number between 0 and 1, got 5" in wrong.stderr


def test_the_options_of_intervals_are_part_of_the_json(wide):
    config = judged(wide, "gpt")["config"]
    assert config == {"confidence_level": 0.95, "method": "simex", "n_resamples": 99, "seed": 0}


def test_intervals_of_the_mean_over_topics_name_their_own_method(wide):
    answer = json.loads(
        run("topics", "human.csv", "gpt.csv", "-c", "tau_b", "--format", "json", cwd=wide).stdout
    )
    assert "mean low and mean high: percentiles of resamples of the topics' values" in answer["notes"]
    (row,) = answer["tables"]["topics"]
    human, gpt = (cd.read_scores(wide / f"{name}.csv") for name in ("human", "gpt"))
    values = cd.tau_b(human.values[0], gpt.values[0])
    drawn = np.random.default_rng(0).integers(0, 30, (4999, 30))
    expected = np.quantile(values[drawn].mean(axis=1), [0.025, 0.975])
    assert [row["mean low"], row["mean high"]] == pytest.approx(expected.tolist())


def test_few_topics_are_told(wide):
    for name in ("human", "gpt"):
        lines = (wide / f"{name}.csv").read_text().splitlines()
        (wide / f"{name}-few.csv").write_text("\n".join(lines[:13]) + "\n")
    result = run("corr", "human-few.csv", "gpt-few.csv", "--resamples", "50", cwd=wide)
    assert "of 12 topics intervals are too narrow" in result.stdout


@pytest.mark.parametrize("command", ["corr", "topics", "explain"])
def test_an_output_never_replaces_an_input(wide, command):
    before = (wide / "gpt.csv").read_bytes()
    result = run(command, "human.csv", "gpt.csv", "-o", "./gpt.csv", cwd=wide)
    assert result.returncode == 2
    assert "is one of the inputs, and the result would replace it" in result.stderr
    assert (wide / "gpt.csv").read_bytes() == before


def test_judge_takes_tables_too(folder):
    runs = run(
        "judge",
        "--runs",
        "runs/*",
        "--qrels",
        "human.qrels",
        "--judge",
        "noisy.qrels",
        "-m",
        "AP",
        "-m",
        "nDCG@10",
        "--table",
        "agreement",
        "--format",
        "csv",
        cwd=folder,
    )
    tables = run(
        "judge",
        "--truth",
        "human.csv",
        "--judge",
        "noisy.csv",
        "--table",
        "agreement",
        "--format",
        "csv",
        cwd=folder,
    )
    assert runs.returncode == tables.returncode == 0, runs.stderr + tables.stderr
    assert runs.stdout == tables.stdout


def test_topics_counts_what_is_undefined_and_says_why(tmp_path):
    (tmp_path / "x.csv").write_text("a,b,c\n1,2,3\n1,1,1\n3,2,1\n")
    (tmp_path / "y.csv").write_text("a,b,c\n1,2,3\n1,2,3\n1,2,3\n")
    result = run("topics", "x.csv", "y.csv", "-c", "tau_b", "--each", "--format", "json", cwd=tmp_path)
    tables = json.loads(result.stdout)["tables"]
    (summary,) = tables["topics"]
    assert (summary["mean"], summary["minimum"], summary["maximum"]) == (0.0, -1.0, 1.0)
    assert (summary["topics"], summary["undefined"]) == (3, 1)
    assert "tied" in summary["why undefined"]
    assert [row["tau_b"] for row in tables["each"]] == [1.0, None, -1.0]


def test_matrix_of_files_and_measures(folder):
    result = run(
        "matrix",
        "human_ap.csv",
        "noisy_ap.csv",
        "partial_ap.csv",
        "-c",
        "tau_ap",
        "--format",
        "csv",
        cwd=folder,
    )
    assert result.returncode == 0, result.stderr
    found = np.array([[float(v) for v in list(row.values())[1:]] for row in rows_of(result.stdout)])
    means = [cd.read_scores(folder / f"{n}_ap.csv").mean() for n in ("human", "noisy", "partial")]
    assert np.array_equal(found, cd.matrix(means, "tau_ap"))
    measures = run("matrix", "human.csv", cwd=folder)
    assert measures.returncode == 0
    assert re.search(r"ranking +AP +nDCG@10", measures.stdout)


def test_sweep_says_where_the_curve_turns(tmp_path):
    """tau_e falls while ties come on one side first, and is 1 when all are tied on both sides (Radja 2018, 5.2)."""
    (tmp_path / "x.csv").write_text("a,b,c\n0.1,0.2,0.9\n")
    (tmp_path / "y.csv").write_text("a,b,c\n0.1,0.5,0.9\n")
    result = run(
        "sweep",
        "x.csv",
        "y.csv",
        "-c",
        "tau_e",
        "--thresholds",
        "0,0.1,0.4,0.8",
        "--format",
        "json",
        cwd=tmp_path,
    )
    tables = json.loads(result.stdout)["tables"]
    values = [row["tau_e"] for row in tables["sweep"]]
    assert values[0] == values[-1] == 1.0
    assert min(values) < 0.5
    assert [(row["threshold"], row["turn"]) for row in tables["turns"]] == [(0.1, "minimum")]


def test_evaluate_writes_what_the_library_computes(folder, tmp_path):
    target = tmp_path / "s.csv.gz"
    result = run(
        "evaluate",
        "--runs",
        "runs/*",
        "--qrels",
        "human.qrels",
        "-m",
        "AP",
        "-m",
        "nDCG@10",
        "-o",
        target,
        cwd=folder,
    )
    assert result.returncode == 0, result.stderr
    assert cd.read_scores(target) == cd.read_scores(folder / "human.csv")
    printed = run("evaluate", "--runs", "runs/*", "--qrels", "human.qrels", "-m", "AP", cwd=folder)
    assert cd.read_scores(io.StringIO(printed.stdout)) == cd.read_scores(folder / "human.csv")["AP"]


def test_choose_list_and_axioms():
    assert (
        "tau_ap_a"
        in run("choose", "--where", "truth", "--what", "indiscernible", "--when", "same", "--head").stdout
    )
    assert run("choose").stdout.startswith("Which coefficient?")
    listed = json.loads(run("list", "--format", "json").stdout)["tables"]["coefficients"]
    assert [row["coefficient"] for row in listed] == list(cd.REGISTRY)
    axioms = json.loads(run("axioms", "tau_b", "--format", "json").stdout)["tables"]["axioms"]
    assert {row["axiom"]: row["status"] for row in axioms} == cd.axioms("tau_b").to_dict()


def test_the_demo_writes_files_judges_and_explains(tmp_path):
    result = run("demo", "here", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert len(list((tmp_path / "here" / "runs").iterdir())) == 24
    assert "what to see: the judges label documents about equally well" in result.stdout
    command = re.search(r"The same as: concordant (.*)", result.stdout).group(1)
    again = subprocess.run(
        f"{sys.executable} -m concordant {command}", shell=True, capture_output=True, text=True, check=True, cwd=tmp_path, env=ENVIRONMENT
    )  # fmt: skip
    table = result.stdout[result.stdout.index("Ranking of systems") : result.stdout.index("Notes")]
    assert table in again.stdout
    readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"```\n(judge    measure.*?)```", readme, re.DOTALL).group(1)
    assert shown in result.stdout
    refused = run("demo", "here", cwd=tmp_path)
    assert refused.returncode == 2
    assert "here: is not empty" in refused.stderr
    assert run("demo", "here", "--overwrite", cwd=tmp_path).stdout == result.stdout
    assert run("demo", "there", "--seed", "2", cwd=tmp_path).stdout != result.stdout


# --- output -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["table", "csv", "json", "latex", "markdown"])
def test_every_format_to_a_file_or_standard_output(folder, tmp_path, format):
    printed = run("corr", "human.csv", "noisy.csv", "--format", format, cwd=folder)
    target = tmp_path / "out"
    written = run("corr", "human.csv", "noisy.csv", "--format", format, "-o", target, cwd=folder)
    assert printed.returncode == written.returncode == 0
    assert written.stdout == ""
    assert target.read_text() == printed.stdout
    start = {
        "table": "Rankings",
        "csv": "estimate,",
        "json": "{",
        "latex": "% Rankings",
        "markdown": "## Rankings",
    }
    assert printed.stdout.startswith(start[format])


def test_tables_for_a_terminal_are_plain_in_a_pipe(folder):
    plain = run("corr", "human.csv", "noisy.csv", cwd=folder).stdout
    assert "\x1b" not in plain
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "concordant", "corr", "human.csv", "noisy.csv"],
        stdout=follower, stderr=subprocess.DEVNULL, cwd=folder, env={**ENVIRONMENT, "TERM": "xterm-256color"},
    )  # fmt: skip
    os.close(follower)
    seen = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:
            break
        if not part:
            break
        seen += part
    os.close(leader)
    assert process.wait() == 0
    assert b"\x1b[" in seen
    assert b"tau_ap_b" in seen


def test_a_check_ends_with_1(folder):
    assert run("corr", "human.csv", "noisy.csv", "--min", "-1", cwd=folder).returncode == 0
    failed = run("corr", "human.csv", "noisy.csv", "--min", "0.9999", cwd=folder)
    assert failed.returncode == 1
    assert re.search(r"concordant: tau_b of noisy, AP is 0\.\d{4}, below 0\.9999", failed.stderr)
    assert failed.stdout.startswith("Rankings")
    assert (
        run("judge", "--truth", "human.csv", "--judge", "noisy.csv", "--min", "1", cwd=folder).returncode == 1
    )


def test_an_undefined_value_fails_a_check(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,1\n")
    (tmp_path / "y.csv").write_text("a,b\n1,2\n")
    result = run("corr", "x.csv", "y.csv", "-c", "tau_b", "--min", "-1", cwd=tmp_path)
    assert result.returncode == 1
    assert "tau_b is undefined: " in result.stdout


def test_a_closed_pipe_is_no_error(folder):
    command = f"{sys.executable} -m concordant corr human.csv noisy.csv --format json | head -c 10"
    result = subprocess.run(
        command, shell=True, capture_output=True, cwd=folder, check=False, env=ENVIRONMENT
    )
    assert result.stderr == b""


def test_alignment_is_reported_and_chosen(folder, tmp_path):
    other = cd.read_scores(folder / "noisy.csv")
    cd.write_scores(other.select(systems=other.systems[:7]), tmp_path / "seven.csv")
    human = folder / "human.csv"
    refused = run("corr", human, tmp_path / "seven.csv")
    assert refused.returncode == 2
    assert "lacks 2 systems that another side has" in refused.stderr
    dropped = run("corr", human, tmp_path / "seven.csv", "--on-missing", "drop")
    assert "dropped 2 systems that not all have" in dropped.stdout
    zero = run("corr", human, tmp_path / "seven.csv", "--on-missing", "zero")
    assert "2 systems count as 0" in zero.stdout
    half = run("corr", human, folder / "few.csv")
    assert "the sides have different topics (truth has 8, few has 3, 3 in common)" in half.stdout


# --- start --------------------------------------------------------------------------------------------------------

COMMANDS = [
    "corr", "judge", "topics", "explain", "matrix", "sweep", "evaluate", "choose", "list", "axioms", "demo",
    "predict", "swap", "gaps", "pool", "profiles", "reuse",
]  # fmt: skip


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_has_an_example_and_needs_no_numpy(command):
    arguments = [command] if command else []
    code = f"""
import sys
sys.argv = ["concordant", *{arguments!r}, "--help"]
from concordant.cli import main
try:
    main()
finally:
    assert "numpy" not in sys.modules
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=ENVIRONMENT
    )
    assert result.returncode == 0, result.stderr
    assert re.search(rf"Examples?:\n +concordant {command or 'corr'}", result.stdout)


def test_every_command_is_tested_for_its_help():
    listed = re.findall(r"^  (\w+)  ", run("--help").stdout.split("Commands:")[1], re.MULTILINE)
    assert listed == COMMANDS


def fastest(*command):
    """Return the shortest of several times: what the program needs, not what else the machine does."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True, env=ENVIRONMENT)
        times.append(time.perf_counter() - start)
    return min(times)


def test_the_program_starts_quickly():
    """Help within 0.2 s; commands within 0.2 s of importing NumPy; where Python itself starts in 20 ms or less."""
    allowed = 0.2 * max(1.0, fastest(sys.executable, "-c", "pass") / 0.02)
    assert fastest(sys.executable, "-m", "concordant", "--help") < allowed
    numpy = fastest(sys.executable, "-c", "import numpy")
    assert fastest(sys.executable, "-m", "concordant", "list") - numpy < allowed


def test_the_program_without_its_extra_says_what_to_install(tmp_path):
    (tmp_path / "click.py").write_text("raise ModuleNotFoundError(\"No module named 'click'\", name='click')")
    result = subprocess.run(
        [sys.executable, "-m", "concordant", "list"], capture_output=True, text=True, check=False,
        env={**ENVIRONMENT, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert result.returncode == 2
    assert (
        result.stderr == "concordant: the command line needs click and rich: pip install 'concordant[cli]'\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "No such command 'nonsense'; see concordant --help"),
        (["corr", "a.csv"], "Missing argument 'ESTIMATE...'; see concordant corr --help"),
        (["corr", "{x}", "{y}", "-c", "tau_z"], "there is no coefficient 'tau_z'"),
        (["corr", "{x}", "{y}", "-c", "tau_ac"], "tau_ac compares graded lists, not scores of systems"),
        (
            ["corr", "{x}", "{y}", "-m", "P@10"],
            "human.csv: has none of the measures P@10; it has AP, nDCG@10",
        ),
        (["corr", "{x}", "{x}"], "is given twice"),
        (["corr", "-", "-"], "standard input (-) can be read once only"),
        (["corr", "{x}", "{y}", "--columns", "system"], "--columns: write KIND=NAME, such as system=model"),
        (["corr", "{x}", "{y}", "--format", "xml"], "Invalid value for '--format'"),
        (
            ["corr", "{x}", "{y}", "--table", "nope"],
            "--table: there is no table 'nope'; there are correlation",
        ),
        (["corr", "{x}", "{y}", "-o", "/no/such/folder/x"], "/no/such/folder/x: cannot be written"),
        (["judge", "--judge", "{y}"], "give --runs and --qrels, or --truth"),
        (
            ["judge", "--truth", "{x}", "--judge", "{y}", "--top", "1"],
            "top must be numbers of systems from 2 up",
        ),
        (["judge", "--truth", "{x}", "--judge", "{y}", "--worst", "-1"], "--worst must be 0 or more"),
        (["sweep", "{x}", "{y}", "-c", "tau"], "tau takes no threshold"),
        (["sweep", "{x}", "{y}", "--thresholds", "0,x"], "expected numbers with commas between, found 'x'"),
        (["sweep", "{x}", "{y}", "--thresholds", "-1"], "thresholds must be numbers from 0 up"),
        (["matrix", "{x}", "-m", "AP"], "there is one ranking only"),
        (["axioms", "nope"], "there is no coefficient 'nope'"),
        (["evaluate", "--runs", "{x}", "--qrels", "{x}", "-m", "AP"], "human.csv:1: expected 4 columns"),
    ],
)
def test_wrong_use_gets_one_sentence(folder, arguments, message):
    filled = [a.format(x=folder / "human.csv", y=folder / "noisy.csv") for a in arguments]
    result = run(*filled)
    assert result.returncode == 2, result.stdout
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_debug_shows_where(folder):
    result = run("corr", folder / "human.csv", "nope.csv", "--debug")
    assert result.returncode == 2
    assert "Traceback" in result.stderr
    assert result.stderr.endswith("concordant: nope.csv: no such file; check its name and folder\n")


# --- broken files -------------------------------------------------------------------------------------------------

GOOD = b"topic,a,b,c\n1,0.1,0.2,0.3\n2,0.2,0.1,0.4\n"
LONG = b"measure,topic,system,value\nAP,1,a,0.1\nAP,1,b,0.2\n"
PACKED = gzip.compress(GOOD * 50, mtime=0)

BROKEN_TABLES = {
    "empty": (b"", "t: is empty"),
    "blank": (b" \n\n", "t: is empty"),
    "header only": (b"topic,a,b\n", "t: has a header and no rows"),
    "short row": (GOOD + b"3,0.1,0.2\n", "t:4: expected 4 columns, found 3: '3,0.1,0.2'"),
    "long row": (GOOD + b"3,0.1,0.2,0.3,0.4\n", "t:4: expected 4 columns, found 5"),
    "text for a number": (GOOD + b"3,0.1,high,0.3\n", "t:4: the score of system 'b' must be a number, found 'high'"),
    "nan": (GOOD + b"3,0.1,NaN,0.3\n", "t:4: the score of system 'b' is 'NaN'; scores must be finite"),
    "inf": (GOOD + b"3,0.1,-inf,0.3\n", "t:4: the score of system 'b' is '-inf'; scores must be finite"),
    "overflow": (GOOD + b"3,0.1,1e999,0.3\n", "t:4: the score of system 'b' is '1e999'; scores must be finite"),
    "underscore": (GOOD + b"3,0.1,1_0,0.3\n", "t:4: the score of system 'b' must be a number, found '1_0'"),
    "decimal comma": (b"topic;a;b\n1;0,1;0,2\n", "t:2: the score of system 'a' must be a number, found '0,1' (a decimal comma?"),
    "not UTF-8": (GOOD + b"caf\xe9,1,2,3\n", "t:4: byte 0xe9 is not UTF-8"),
    "UTF-16": (GOOD.decode().encode("utf-16"), "t:1: the text is UTF-16; save it as UTF-8"),
    "zero byte": (GOOD + b"3,0.1,\x00,0.3\n", "t:4: holds a zero byte"),
    "truncated gz": (PACKED[:-20], "t: the gzip data ends too early"),
    "damaged gz": (PACKED[:-6] + b"xxxxxx", "t: the gzip data is damaged"),
    "duplicate system": (b"topic,a,b,a\n1,0.1,0.2,0.3\n", "t:1: system 'a' is in the header twice"),
    "nameless system": (b"topic,a,,c\n1,0.1,0.2,0.3\n", "t:1: column 3 has no system name"),
    "duplicate topic": (GOOD + b"1,0.1,0.2,0.3\n", "t:4: topic '1' is there twice, first in line 2"),
    "nameless topic": (GOOD + b",0.1,0.2,0.3\n", "t:4: the topic is empty"),
    "no header": (b"0.1,0.2,0.3\n0.3,0.1,0.2\n", "t:1: the first line holds numbers; it must name the systems"),
    "open quote": (GOOD + b'3,"0.1,0.2,0.3\n', "t:4: broken CSV: unexpected end of data"),
    "long, two scores": (LONG + b"AP,1,a,0.3\n", "t: system 'a' has two scores for topic '1' by AP; keep one"),
    "long, no measure": (LONG + b",1,c,0.3\n", "t:4: the measure is empty"),
    "long, short row": (LONG + b"AP,1,c\n", "t:4: expected 4 columns, found 3"),
    "long, text": (LONG + b"AP,1,c,much\n", "t:4: the score of system 'c' must be a number, found 'much'"),
    "averages only": (b"map all 0.2\nP_10 all 0.1\n", "t: holds only averages (topic 'all'); run trec_eval with -q"),
    "averages wrong": (b"map 1 0.2\nmap 2 0.4\nmap all 0.5\n", "t:3: map of topic 'all' is 0.5, the mean of the 2 topics is 0.3000"),
    "trec_eval columns": (b"map 1 0.2\nmap 2 0.4\nmap all 0.3\nmap 3\n", "t:4: expected 3 columns, found 2: 'map 3'"),
    "trec_eval text": (b"map 1 0.2\nmap 2 many\nmap all 0.3\n", "t:2: the score of topic '2' must be a number, found 'many'"),
    "ir_measures averages": (b"all AP 0.2\nall RR 0.1\n", "t: holds only averages (topic 'all'); run ir_measures with -q"),
    "broken JSON": (b'{"topic": "1", "system": "a", "value": 0.1}\n{"topic": \n', "t:2: broken JSON: "),
    "JSON list": (b'{"topic": "1", "system": "a", "value": 0.1}\n[1]\n', "t:2: expected an object with topic, system and value"),
    "JSON without value": (b'{"topic": "1", "system": "a"}\n', "t:1: has no 'value'"),
    "JSON text": (b'{"topic": "1", "system": "a", "value": "0.1"}\n', "t:1: the value must be a number, found '0.1'"),
    "JSON NaN": (b'{"topic": "1", "system": "a", "value": NaN}\n', "t:1: the value is nan; scores must be finite"),
    "JSON label": (b'{"topic": [], "system": "a", "value": 1}\n', "t:1: the topic must be a text or a whole number"),
    "JSON huge": (b'{"topic": 1, "system": "a", "value": 1' + b"0" * 400 + b"}\n", "t:1: the value is inf; scores must be finite"),
    "JSON surrogate": (b'{"topic": 1, "system": "\\ud800", "value": 1}\n', "t:1: holds a broken character"),
    "nameless numbers": (b"number,a,b\n401,0.1,0.2\n402,0.3,0.4\n", "t:1: the first column, 'number', holds different whole numbers beside scores; name it 'topic'"),
    "old line ends": (b"topic,a,b\r1,0.1,0.2\r2,0.3,0.4\r", "t:1: "),
    "huge sum": (b"topic,a,b,c\n1,1e308,0.2,0.3\n2,1e308,0.1,0.2\n", "the sum of the t of a system is too large for a float"),
    "trec_eval or not": (b"x1 y1 0.5\nx2 y1 0.3\nx1 y2 0.5\n x1 y3 0.1\n", "t:1: is this the output of trec_eval or of ir_measures?"),
    "a run": (b"1 Q0 d1 1 0.5 bm25\n", "t:1: this is a run, not a table of scores"),
    "judgements": (b"1 0 d1 1\n1 0 d2 0\n", "t:1: this looks like judgements (qrels), not a table of scores"),
    "prose": (b"hello\nworld\n", "t:1: cannot tell the format of 'hello'"),
    "other systems": (b"topic,x,y\n1,0.1,0.2\n", "lacks 2 systems that another side has"),
}  # fmt: skip

BROKEN_RUNS = {
    "columns": (b"1 Q0 d1 1 0.5 x\n1 Q0 d2 2 0.4\n", "t:2: expected 6 columns, found 5: '1 Q0 d2 2 0.4'"),
    "judgements": (b"1 0 d1 1\n", "t:1: expected 6 columns, found 4: '1 0 d1 1'; this looks like judgements"),
    "text score": (b"1 Q0 d1 1 high x\n", "t:1: score must be a number, found 'high'"),
    "underscore": (b"1 Q0 d1 1 1_0 x\n", "t:1: score must be a number, found '1_0'"),
    "nan": (b"1 Q0 d1 1 0.5 x\n1 Q0 d2 2 nan x\n", "t:2: score must be finite, found 'nan'"),
    "inf": (b"1 Q0 d1 1 inf x\n", "t:1: score must be finite, found 'inf'"),
    "duplicate document": (
        b"1 Q0 d1 1 0.5 x\n1 Q0 d1 2 0.4 x\n",
        "t:2: document 'd1' is there twice for topic '1'",
    ),
    "two tags": (b"1 Q0 d1 1 0.5 x\n1 Q0 d2 2 0.4 y\n", "t:2: run tag 'y' after 'x'"),
    "empty": (b"", "t: is empty"),
    "not UTF-8": (b"1 Q0 d\xff 1 0.5 x\n", "t:1: byte 0xff is not UTF-8"),
    "truncated gz": (gzip.compress(b"1 Q0 d1 1 0.5 x\n" * 99)[:-9], "t: the gzip data ends too early"),
    "other topics": (
        b"q1 Q0 d1 1 0.5 x\n",
        "t: none of its topics has judgements: it has 'q1', they have '401'",
    ),
}

BROKEN_QRELS = {
    "columns": (b"401 0 d1 1\n401 0 d2\n", "t:2: expected 4 columns, found 3: '401 0 d2'"),
    "a run": (
        b"1 Q0 d1 1 0.5 x\n",
        "t:1: expected 4 columns, found 6: '1 Q0 d1 1 0.5 x'; this looks like a run",
    ),
    "text": (b"401 0 d1 yes\n", "t:1: relevance must be a whole number up to a million, found 'yes'"),
    "fraction": (b"401 0 d1 0.5\n", "t:1: relevance must be a whole number up to a million, found '0.5'"),
    "huge": (b"401 0 d1 99999999999999999999\n", "t:1: relevance must be a whole number up to a million"),
    "topic all": (b"all 0 d1 1\n", "t:1: topic 'all' stands for the average over topics"),
    "judged twice": (b"401 0 d1 1\n401 0 d1 0\n", "t:2: document 'd1' is judged twice for topic '401'"),
    "empty": (b"\n", "t: is empty"),
}


def refused(result, message):
    assert result.returncode == 2, result.stdout
    assert result.stderr.startswith("concordant: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize("kind", BROKEN_TABLES)
def test_broken_tables(tmp_path, kind):
    content, message = BROKEN_TABLES[kind]
    (tmp_path / "good.csv").write_bytes(GOOD)
    (tmp_path / "t").write_bytes(content)
    refused(run("corr", "good.csv", "t", "-o", "out", cwd=tmp_path), message)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", BROKEN_RUNS)
def test_broken_runs(folder, tmp_path, kind):
    content, message = BROKEN_RUNS[kind]
    (tmp_path / "t").write_bytes(content)
    refused(
        run("evaluate", "--runs", "t", "--qrels", folder / "human.qrels", "-m", "AP", cwd=tmp_path), message
    )


@pytest.mark.parametrize("kind", BROKEN_QRELS)
def test_broken_judgements(folder, tmp_path, kind):
    content, message = BROKEN_QRELS[kind]
    (tmp_path / "t").write_bytes(content)
    refused(
        run("evaluate", "--runs", folder / "runs" / "*", "--qrels", "t", "-m", "AP", cwd=tmp_path), message
    )


def test_other_broken_input(folder, tmp_path):
    human = folder / "human.csv"
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 is not enough")
    (tmp_path / "short.csv").write_text("topic,model,points\n1,a,0.1\n")
    refused(run("corr", human, "nope.csv"), "nope.csv: no such file")
    refused(run("corr", human, tmp_path), "is a folder; name the files in it")
    refused(run("corr", human, tmp_path / "*.nope"), "no file matches")
    refused(run("corr", human, tmp_path / "broken.parquet"), "is not a parquet file that can be read")
    refused(
        run("corr", human, tmp_path / "short.csv", "--input-format", "long"),
        "short.csv:1: needs columns topic, system and value",
    )
    for name in ("a", "b"):
        (tmp_path / name).write_text("401 Q0 d1 1 0.5 same\n")
    refused(
        run(
            "evaluate",
            "--runs",
            "a",
            "--runs",
            "b",
            "--qrels",
            folder / "human.qrels",
            "-m",
            "AP",
            cwd=tmp_path,
        ),
        "b: the run is named 'same', as is that in a; names='file' (--names file)",
    )


def test_a_broken_run_among_many_is_named_also_by_several_processes(folder, tmp_path):
    (tmp_path / "t").write_text("401 Q0 d1 1 0.5\n")
    result = run(
        "evaluate",
        "--runs",
        folder / "runs" / "*",
        "--runs",
        tmp_path / "t",
        "--qrels",
        folder / "human.qrels",
        "-m",
        "AP",
        "--workers",
        "2",
    )
    refused(result, "t:1: expected 6 columns, found 5")


def test_columns_of_a_long_table_can_be_named(folder, tmp_path):
    text = (
        (folder / "noisy.csv")
        .read_text()
        .replace("measure,topic,system,value", "measure,question,engine,points")
    )
    (tmp_path / "noisy.csv").write_text(text)
    named = ("--columns", "topic=question", "--columns", "system=engine", "--columns", "value=points")
    human = (
        (folder / "human.csv")
        .read_text()
        .replace("measure,topic,system,value", "measure,question,engine,points")
    )
    (tmp_path / "human.csv").write_text(human)
    result = run("corr", "human.csv", "noisy.csv", *named, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout == run("corr", "human.csv", "noisy.csv", cwd=folder).stdout


def test_progress_goes_to_standard_error(folder, tmp_path):
    """A line after two seconds where there is no terminal."""
    code = """
import time
from concordant.cli._output import Progress
with Progress("working") as progress:
    progress(0, 3)
    time.sleep(2.1)
    progress(1, 3)
    progress(3, 3)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == ""
    assert re.fullmatch(r"concordant: working: 1 of 3, about \d s left\n", result.stderr)


# --- unusual use --------------------------------------------------------------------------------------------------


def test_judgements_may_come_from_standard_input(folder):
    arguments = [
        "judge",
        "--runs",
        "runs/*",
        "--qrels",
        "-",
        "--judge",
        "noisy.qrels",
        "-m",
        "AP",
        "--format",
        "csv",
    ]
    piped = run(*arguments, cwd=folder, stdin=(folder / "human.qrels").read_text())
    arguments[arguments.index("-")] = "human.qrels"
    assert piped.returncode == 0, piped.stderr
    assert piped.stdout == run(*arguments, cwd=folder).stdout


def test_names_of_files_do_not_matter(folder, tmp_path):
    """A file called truth, and one called like a column of the result."""
    human, noisy = ((folder / f"{n}_ap.csv").read_bytes() for n in ("human", "noisy"))
    for name, content in (("base.csv", human), ("truth.csv", noisy), ("ranking.csv", noisy)):
        (tmp_path / name).write_bytes(content)
    expected = run("corr", "human_ap.csv", "noisy_ap.csv", "--format", "csv", cwd=folder).stdout.split(",")[
        -2:
    ]
    for name in ("truth.csv", "ranking.csv"):
        for option in ("drop", "zero", "error"):
            result = run("corr", "base.csv", name, "--on-missing", option, "--format", "csv", cwd=tmp_path)
            assert result.stdout.split(",")[-2:] == expected, result.stderr
    matrix = json.loads(run("matrix", "base.csv", "ranking.csv", "--format", "json", cwd=tmp_path).stdout)[
        "tables"
    ]["matrix"]
    assert [row["ranking_"] for row in matrix] == ["base", "ranking"]
    assert matrix[0]["ranking"] == matrix[1]["base"] != 1.0


def test_measures_on_one_side_only_are_noted(folder, tmp_path):
    cd.write_scores(cd.read_scores(folder / "noisy.csv")["AP"], tmp_path / "one.csv")
    result = run("corr", folder / "human.csv", tmp_path / "one.csv", "-m", "AP", "-m", "nDCG@10", "-m", "AP")
    assert "one: measures on one side only were left out: nDCG@10" in result.stdout
    refused(
        run("corr", folder / "human.csv", tmp_path / "one.csv", "-m", "AP", "-m", "P@3"),
        "no file has the measure 'P@3'",
    )


def test_a_cut_of_its_own_has_one_value(folder):
    result = run(
        "judge",
        "--truth",
        "human_ap.csv",
        "--judge",
        "noisy_ap.csv",
        "-c",
        "tau_b@5",
        "--top",
        "4",
        "--top",
        "500",
        "--format",
        "json",
        cwd=folder,
    )
    content = json.loads(result.stdout)
    assert [row["systems"] for row in content["tables"]["agreement"]] == ["all 9"]
    assert "there is no top 500: there are 9 systems" in content["notes"]


def test_a_folder_with_brackets_and_spaces(tmp_path):
    result = run("demo", "my [1] folder", "--format", "latex", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("% Wrote 27 files")
    assert all(line.startswith("%") for line in result.stdout.split("\\begin")[0].splitlines() if line)
    command = re.search(r"The same as: concordant (.*)", result.stdout).group(1)
    again = subprocess.run(
        f"{sys.executable} -m concordant {command}",
        shell=True,
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env=ENVIRONMENT,
    )
    assert again.returncode == 0, again.stderr


def test_undefined_values_of_a_matrix_are_noted(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1.5,1.5\n")
    (tmp_path / "y.csv").write_text("a,b\n1.5,2.5\n")
    result = run("matrix", "x.csv", "y.csv", "-c", "tau_b", cwd=tmp_path)
    assert result.stderr == ""
    assert "- tau_b is undefined for 2 of 3 pairs of rankings" in result.stdout


def test_one_system_is_undefined_for_its_own_reason(tmp_path):
    (tmp_path / "x.csv").write_text("topic,a\n1,0.5\n")
    (tmp_path / "y.csv").write_text("topic,a\n1,0.6\n")
    result = run("sweep", "x.csv", "y.csv", "--thresholds", "0,0.00001", cwd=tmp_path)
    assert "fewer than two" in result.stdout
    assert "1e-05" in result.stdout


@pytest.mark.parametrize("measure", ["P@0", "P@99999999999999999999", "AP(rel=0)", "nDCG@0"])
def test_measures_that_would_crash_a_provider(folder, measure):
    result = run("evaluate", "--runs", "runs/*", "--qrels", "human.qrels", "-m", measure, cwd=folder)
    refused(result, "the cutoff must be from 1 to 1000000, and rel 1 or more")


def test_what_a_provider_raises_is_a_sentence(tmp_path):
    (tmp_path / "q").write_text("1 0 d1 1\n")
    (tmp_path / "r").write_text("1 Q0 d1 1 1 x\n")
    refused(
        run("evaluate", "--runs", "r", "--qrels", "q", "-m", "Accuracy", cwd=tmp_path),
        "r: ir_measures cannot compute Accuracy",
    )


def test_closed_and_narrow_output(folder):
    closed = subprocess.run(
        f"{sys.executable} -m concordant list >&-",
        shell=True,
        capture_output=True,
        check=False,
        env=ENVIRONMENT,
    )
    assert closed.returncode == 0, closed.stderr
    named = "topic,alpha-\u03b1,b\n1,0.5,0.2\n"
    (folder / "greek.csv").write_text(named, encoding="utf-8")
    (folder / "other.csv").write_text(named.replace("0.5", "0.1"), encoding="utf-8")
    greek = subprocess.run(
        [sys.executable, "-m", "concordant", "judge", "--truth", "greek.csv", "--judge", "other.csv"],
        capture_output=True, text=True, check=False, cwd=folder, env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii:strict"},
    )  # fmt: skip
    assert greek.returncode == 0, greek.stderr
    assert "alpha-\\u03b1" in greek.stdout
