"""concordant correlate: rankings of systems by their means, from every kind of file."""

from __future__ import annotations

import csv
import gzip
import io
import json

import pytest
from support.program import run, run_process

import concordant as cd


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def values_of(result):
    """Return the values of a CSV with its intervals, whatever the names of estimates and measures."""
    assert result.returncode == 0, result.stderr
    return [(row["coefficient"], row["value"], row["low"], row["high"]) for row in rows_of(result.stdout)]


def test_correlate_gives_what_the_coefficients_give(folder):
    """Two estimates by two measures, a row for each coefficient, with all digits."""
    arguments = ["human.csv", "noisy.csv", "partial.csv", "-c", "tau_ap_b", "-c", "tau_b(0.05)@5"]
    result = run("correlate", *arguments, "--format", "csv", cwd=folder)
    assert result.returncode == 0, result.stderr
    found = rows_of(result.stdout)
    assert len(found) == 8
    for row in found:
        names = ("human", row["estimate"])
        x, y = (cd.read_scores(folder / f"{name}.csv").mean(row["measure"]) for name in names)
        assert row["measure"] == row["estimate_measure"]
        assert float(row["value"]) == cd.coefficient(row["coefficient"])(x, y)


@pytest.fixture(scope="module")
def expected(folder):
    """The values of the noisy judge by AP."""
    return values_of(run("correlate", "human_ap.csv", "noisy_ap.csv", "--format", "csv", cwd=folder))


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.csv", "long"),
        ("b.tsv", "wide"),
        ("c.jsonl", None),
        ("d.parquet", None),
        ("e.csv.gz", "wide"),
    ],
)
def test_correlate_reads_every_format(folder, tmp_path, expected, name, format):
    """To the last digit, intervals as well."""
    cd.write_scores(cd.read_scores(folder / "noisy.csv")["AP"], tmp_path / name, format=format)
    found = run("correlate", folder / "human_ap.csv", tmp_path / name, "--format", "csv")
    assert values_of(found) == expected


def test_correlate_reads_the_output_of_trec_eval(folder, tmp_path, expected):
    """One file for each run, all of them by a pattern."""
    scores = cd.read_scores(folder / "noisy.csv")["AP"]
    for system in scores.systems:
        own = scores.select(systems=[system])
        text = "".join(f"AP\t{t}\t{v!r}\n" for _, t, _, v in own.rows())
        text += f"runid\tall\t{system}\nAP\tall\t{own.mean()[system]!r}\n"
        (tmp_path / f"{system}.eval").write_text(text)
    found = run("correlate", folder / "human_ap.csv", tmp_path / "*.eval", "--format", "csv")
    assert values_of(found) == expected


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_correlate_reads_standard_input(folder, expected, pack):
    """Plain and packed."""
    given = pack((folder / "noisy_ap.csv").read_bytes())
    found = run("correlate", folder / "human_ap.csv", "-", "--format", "csv", stdin=given)
    assert values_of(found) == expected


def test_a_process_reads_standard_input(folder, expected):
    """The same in a process of its own."""
    given = (folder / "noisy_ap.csv").read_text()
    found = run_process("correlate", folder / "human_ap.csv", "-", "--format", "csv", stdin=given)
    assert values_of(found) == expected


def test_correlate_of_runs_and_judgements_is_that_of_their_scores(folder):
    """To the last byte."""
    measures = ["-m", "AP", "-m", "nDCG@10"]
    by_runs = run(
        "correlate",
        "human.qrels",
        "noisy.qrels",
        "--runs",
        "runs/*",
        *measures,
        "--format",
        "csv",
        cwd=folder,
    )
    by_tables = run("correlate", "human.csv", "noisy.csv", "--format", "csv", cwd=folder)
    assert by_runs.returncode == 0, by_runs.stderr
    assert by_runs.stdout == by_tables.stdout


def test_correlate_has_intervals_where_there_are_topics(folder):
    """Those of bootstrap; and the costs of explain, with intervals and without."""
    arguments = ["correlate", "human.csv", "noisy.csv", "-m", "nDCG@10", "-c", "tau_ap_b", "--format", "json"]
    how = ["--n-resamples", "200", "--method", "percentile", "--confidence-level", "0.9"]
    result = run(*arguments, *how, cwd=folder)
    assert result.returncode == 0, result.stderr
    (row,) = json.loads(result.stdout)["tables"]["agreement"]
    human, noisy = (cd.read_scores(folder / f"{n}.csv")["nDCG@10"] for n in ("human", "noisy"))
    found = cd.bootstrap(
        human,
        noisy,
        "tau_ap_b",
        resampling=cd.Resampling(n_resamples=200, method="percentile", confidence_level=0.9, rng=0),
    )
    assert (row["low"], row["high"]) == found.confidence_interval
    without = run(*arguments, "--no-interval", cwd=folder)
    (plain,) = json.loads(without.stdout)["tables"]["agreement"]
    decided = ["low", "high", "pvalue", "floor", "other_systems_low", "other_systems_high"]
    assert plain == {**row, **dict.fromkeys(decided)}
    assert None not in [row[name] for name in decided]
    explained = cd.explain(human, noisy, "tau_ap_b", most=3).pairs
    for answer in (result, without):
        pairs = {(row["better"], row["worse"]): row for row in json.loads(answer.stdout)["tables"]["pairs"]}
        assert [pairs[each.better, each.worse]["cost"] for each in explained] == [e.cost for e in explained]


def test_the_method_is_written_in_any_case(folder):
    """BCa, bca and BCA are the same."""
    arguments = ["correlate", "human_ap.csv", "noisy_ap.csv", "--n-resamples", "100", "--method"]
    found = {run(*arguments, method, cwd=folder).stdout for method in ("BCa", "bca", "BCA")}
    assert len(found) == 1
    assert "BCa" in found.pop()


def test_the_same_seed_prints_the_same_and_another_does_not(folder):
    """With one worker and with two."""
    arguments = ["correlate", "human.csv", "noisy.csv", "-m", "nDCG@10", "--n-resamples", "100"]
    first, again, other = (run(*arguments, "--seed", seed, cwd=folder).stdout for seed in "112")
    assert first == again
    assert first.replace("seed 1", "") != other.replace("seed 2", "")
    one, two = (run(*arguments, "--workers", workers, cwd=folder).stdout for workers in "12")
    assert one == two


def test_a_table_of_one_topic_has_no_intervals_over_topics(tmp_path):
    """Those over three systems hold every value."""
    for name, order in (("x", "0.3,0.2,0.1"), ("y", "0.3,0.1,0.2")):
        (tmp_path / f"{name}.csv").write_text(f"topic,a,b,c\n1,{order}\n")
    result = run("correlate", "x.csv", "y.csv", "--format", "csv", "-c", "tau_b", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    header = "estimate,measure,estimate_measure,top,n,coefficient,value,low,high,pvalue,undefined,topics,"
    assert result.stdout.startswith(header)
    assert result.stdout.splitlines()[1].startswith(
        "y,score,score,,3,tau_b,0.3333333333333333,-1.0,1.0,1.0,,,"
    )
    arguments = ["--reference", "x.csv", "--judge", "y.csv", "--top", "2", "--format", "json"]
    judged = run("judge", *arguments, cwd=tmp_path)
    assert judged.returncode == 0, judged.stderr
    assert {row["low"] for row in json.loads(judged.stdout)["tables"]["agreement"]} == {-1}
    for command in ("correlate", "by-topic"):
        shown = run(command, "x.csv", "y.csv", cwd=tmp_path)
        assert shown.returncode == 0, shown.stderr
        assert "the same number of topics" not in shown.stdout


def test_few_topics_are_told(wide):
    """A note says that intervals of few topics are too narrow."""
    for name in ("human", "gpt"):
        lines = (wide / f"{name}.csv").read_text().splitlines()
        (wide / f"{name}-few.csv").write_text("\n".join(lines[:13]) + "\n")
    result = run(
        "correlate", "human-few.csv", "gpt-few.csv", "--n-resamples", "50", "--method", "bca", cwd=wide
    )
    assert "with only 12 topics intervals by BCa are too narrow" in result.stdout
    assert "with only 50 resamples the ends of the intervals are uncertain" in result.stdout


@pytest.mark.parametrize(
    "command",
    [
        ["correlate", "--n-resamples", "50"],
        ["by-topic", "--n-resamples", "50"],
        ["explain"],
    ],
)
def test_undefined_values_are_told_in_notes_not_as_warnings(wide, command):
    """Standard error stays empty."""
    result = run(*command, "human.csv", "constant.csv", cwd=wide)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert "undefined: all systems are tied in the reference or in the estimate" in result.stdout


def test_alignment_is_reported_and_chosen(folder, tmp_path, refused):
    """Systems on one side only are refused, dropped or 0; topics on one side only are told."""
    other = cd.read_scores(folder / "noisy.csv")
    cd.write_scores(other.select(systems=other.systems[:7]), tmp_path / "seven.csv")
    arguments = ["correlate", folder / "human.csv", tmp_path / "seven.csv"]
    message = "concordant correlate: seven lacks 2 systems that another side has: "
    advice = "keep those in common with --on-missing drop, or set them to 0 with --on-missing zero"
    refused(run(*arguments), message)
    refused(run(*arguments), advice)
    assert (
        "dropped 2 systems that are missing on at least one side: "
        in run(*arguments, "--on-missing", "drop").stdout
    )
    assert (
        "seven: the scores of 2 missing systems were set to 0: "
        in run(*arguments, "--on-missing", "zero").stdout
    )
    few = run("correlate", folder / "human.csv", folder / "few.csv", "--topics", "common")
    assert "! few: 3 topics, reference 8, 3 in common; both means are over these\n" in few.stdout
    part = run("correlate", folder / "human.csv", folder / "few.csv")
    assert (
        "! few: one side is a part of the other, 3 of 8 topics with the same scores; the part" in part.stdout
    )
    assert "few against the rest" in part.stdout


def test_columns_of_a_long_table_can_be_named(folder, tmp_path):
    """With --columns, once for each kind."""
    for name in ("human", "noisy"):
        text = (folder / f"{name}.csv").read_text()
        renamed = text.replace("measure,topic,system,value", "measure,question,engine,points")
        (tmp_path / f"{name}.csv").write_text(renamed)
    named = ("--columns", "topic=question", "--columns", "system=engine", "--columns", "value=points")
    result = run("correlate", "human.csv", "noisy.csv", *named, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    first, *rest = result.stdout.splitlines()
    assert "9 engines, 8 questions" in first
    usual = run("correlate", "human.csv", "noisy.csv", cwd=folder).stdout
    words = (("engine", "system"), ("question", "topic"))
    for own, word in words:
        first, rest = first.replace(own, word), [line.replace(own, word) for line in rest]
    assert [line.split() for line in [first, *rest]] == [line.split() for line in usual.splitlines()]


@pytest.mark.parametrize("name", ["reference.csv", "reference", "truth.csv", "estimate.csv", "value.csv"])
def test_names_of_files_do_not_matter(folder, tmp_path, expected, name):
    """A file may be called like a word of the library, or like a column of the result."""
    (tmp_path / "base.csv").write_bytes((folder / "human_ap.csv").read_bytes())
    (tmp_path / name).write_bytes((folder / "noisy_ap.csv").read_bytes())
    for option in ("drop", "zero", "error"):
        how = ["--on-missing", option, "--format", "csv"]
        assert values_of(run("correlate", "base.csv", name, *how, cwd=tmp_path)) == expected


def test_measures_on_one_side_only_are_noted(folder, tmp_path, refused):
    """One that no file has is refused."""
    cd.write_scores(cd.read_scores(folder / "noisy.csv")["AP"], tmp_path / "one.csv")
    arguments = ["correlate", folder / "human.csv", tmp_path / "one.csv", "-m", "AP"]
    result = run(*arguments, "-m", "nDCG@10", "-m", "AP")
    assert "one: measures on one side only were left out: nDCG@10" in result.stdout
    refused(run(*arguments, "-m", "P@3"), "human.csv: does not have the measure P@3; it has AP, nDCG@10")


def test_names_of_trec_eval_are_those_of_ir_measures(folder, tmp_path):
    """In -m, and where the files call a measure differently; a note says so."""
    human = cd.read_scores(folder / "human.csv")
    noisy = cd.read_scores(folder / "noisy.csv").with_measures(["map", "ndcg_cut_10"])
    cd.write_scores(human, tmp_path / "human.csv")
    cd.write_scores(noisy, tmp_path / "noisy.csv")
    result = run("correlate", "human.csv", "noisy.csv", "-m", "map", "--format", "json", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    assert {row["measure"] for row in answer["tables"]["agreement"]} == {"AP"}
    (note,) = [note for note in answer["notes"] if note["kind"] == "measures_renamed"]
    assert (note["subject"], note["text"]) == ("noisy", "two names for one measure: map is AP")


def test_names_that_differ_in_case_are_pointed_out_and_joined(tmp_path, refused):
    """With --match loose, or --rename."""
    (tmp_path / "a.csv").write_text("model,score\nBM25,3\nRM-3,2\nDense Model,1\n")
    (tmp_path / "b.csv").write_text("model,score\nbm25,3\nrm3,1\ndense\u00a0model,2\n")
    message = (
        r"'BM25' and 'bm25', 'RM-3' and 'rm3', 'Dense Model' and 'dense\xa0model' differ only in spelling"
    )
    refused(run("correlate", "a.csv", "b.csv", cwd=tmp_path), message)
    loose = run("correlate", "a.csv", "b.csv", "--match", "loose", "-c", "tau_b", cwd=tmp_path)
    assert loose.returncode == 0, loose.stderr
    assert "b: renamed 3 systems: bm25 to BM25, rm3 to RM-3" in loose.stdout
    (tmp_path / "names.csv").write_text("bm25,BM25\nrm3,RM-3\ndense\u00a0model,Dense Model\n")
    renamed = run("correlate", "a.csv", "b.csv", "--rename", "names.csv", "-c", "tau_b", cwd=tmp_path)
    assert renamed.stdout == loose.stdout


def test_leaderboards_are_read_with_systems_in_rows(tmp_path):
    """The commonest table there is; the details say how it was read."""
    (tmp_path / "a.csv").write_text("model,MMLU,GSM8K,Average\nw,1,2,1.5\nx,2,3,2.5\ny,3,1,2\nz,4,4,4\n")
    (tmp_path / "b.csv").write_text("model,MMLU,GSM8K,Average\nw,1,2,1.5\nx,3,3,3\ny,2,1,1.5\nz,4,4,4\n")
    result = run("correlate", "a.csv", "b.csv", "-c", "tau_b", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(
        "Is it the same ranking?   4 models, MMLU, GSM8K, Average (reference a.csv)\n"
    )
    sections = [line for line in result.stdout.splitlines() if line.startswith("-- ")]
    assert sections == ["-- MMLU --", "-- GSM8K --", "-- Average --"]
    details = run("correlate", "a.csv", "b.csv", "-c", "tau_b", "--details", cwd=tmp_path).stdout
    both = "- reference: a.csv and b: b.csv"
    assert f"{both}: models in rows: 4 models, 3 measures (MMLU, GSM8K, Average)" in details


def test_topics_in_common_or_its_own(wide):
    """By default both means are over the topics in common; --topics own takes each over its own."""
    common = json.loads(
        run("correlate", "human.csv", "half.csv", "-c", "tau_b", "--format", "json", cwd=wide).stdout
    )
    own = json.loads(
        run(
            "correlate",
            "human.csv",
            "half.csv",
            "-c",
            "tau_b",
            "--topics",
            "own",
            "--format",
            "json",
            cwd=wide,
        ).stdout
    )
    human, half = cd.read_scores(wide / "human.csv"), cd.read_scores(wide / "half.csv")
    part = human.select(topics=half.topics)
    assert common["tables"]["agreement"][0]["value"] == cd.tau_b(part.mean(), half.mean())
    assert own["tables"]["agreement"][0]["value"] == cd.tau_b(human.mean(), half.mean())


def test_a_matrix_is_over_the_topics_of_each_pair(wide):
    """And shows how many these are."""
    answer = json.loads(
        run("matrix", "human.csv", "gpt.csv", "half.csv", "-c", "tau_b", "--format", "json", cwd=wide).stdout
    )
    topics = {(row["reference"], row["estimate"]): row["value"] for row in answer["tables"]["topics"]}
    assert topics["human", "gpt"] == 30
    assert topics["human", "half"] == topics["half", "half"] == 15
    human, half = cd.read_scores(wide / "human.csv"), cd.read_scores(wide / "half.csv")
    values = {(row["reference"], row["estimate"]): row["value"] for row in answer["tables"]["matrix"]}
    assert values["human", "half"] == cd.tau_b(human.select(topics=half.topics).mean(), half.mean())
