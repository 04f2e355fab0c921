"""Measures of each side, the lines of jsonl and prototext, and the evaluator of a folder of judges."""

import json
import math

import numpy as np
import pytest
from support.program import run

import concordant as cd

RUNS = [f"r{i}" for i in range(7)]
FEW = ["--n-resamples", "99"]


def _lines(measures, noise, rng, form):
    quality = np.linspace(0, 1, len(RUNS))
    for measure in measures:
        values = np.round(quality + rng.normal(0, noise, (6, len(RUNS))), 4)
        for t, s in np.ndindex(values.shape):
            yield form(RUNS[s], str(t + 1), measure, values[t, s].item())


@pytest.fixture
def place(tmp_path):
    """A truth in jsonl; judges in other formats, in folders; and files that are no tables."""
    rng = np.random.default_rng(1)
    (tmp_path / "judges" / "team").mkdir(parents=True)
    keys = ("run_id", "topic_id", "measure", "value")
    truth = _lines(["nuggets", "f1"], 0.1, rng, lambda *row: json.dumps(dict(zip(keys, row, strict=True))))
    tot = _lines(["rubric", "f1"], 0.3, rng, lambda s, t, m, v: f"{s} {m} {t} {v}")
    table = _lines(["rubric"], 0.6, rng, lambda s, t, m, v: f"{m},{t},{s},{v}")
    files = {
        "truth.jsonl": truth,
        "judges/gpt.txt": tot,
        "judges/team/llama.csv": ["measure,topic,system,value", *table],
        "judges/README.md": ["Judges of the", "campaign, and how they were made."],
        "judges/.hidden": ["x"],
    }
    for name, lines in files.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "judges" / "binary.bin").write_bytes(bytes(range(256)))
    return tmp_path


def test_all_measures_are_compared_with_all(place):
    """By the command and by the function; the lines have the keys of autojudge-evaluate."""
    typed = ["--reference", "truth.jsonl", "--judge", "judges/gpt.txt", "-m", "all"]
    how = ["-c", "kendall", "-c", "tau_b(0.1)", "-c", "spearman@5", *FEW, "--dataset", "ragtime"]
    result = run("judge", *typed, *how, "-o", "a.jsonl", "-o", "a.json", cwd=place)
    assert result.returncode == 0, result.stderr
    study = cd.Study(place / "truth.jsonl", place / "judges" / "gpt.txt", measures="all", dataset="ragtime")
    coefficients = ["kendall", "tau_b(0.1)", "spearman@5"]
    found = cd.judge(study, None, coefficients, resampling=cd.Resampling(n_resamples=99))
    text = (place / "a.jsonl").read_text()
    assert text == found.to_jsonl()
    lines = list(map(json.loads, text.splitlines()))
    names = [(line["Dataset"], line["Judge"], line["TruthMeasure"], line["EvalMeasure"]) for line in lines]
    assert names == [
        ("ragtime", "gpt", truth, own) for truth in ("nuggets", "f1") for own in ("rubric", "f1")
    ]
    assert list(lines[0])[4:7] == ["kendall", "kendall_low", "kendall_high"]
    assert list(lines[0])[7::3] == ["tau_b(0.1)", "spearman@5"]
    for line, row in zip(lines, found.agreement[::3], strict=True):
        assert (line["kendall"], line["kendall_low"], line["kendall_high"]) == (row.value, *row.interval)


@pytest.mark.parametrize(
    ("options", "pairs"),
    [
        ("--reference-measure nuggets --judge-measure rubric", "nuggets-rubric"),
        ("--reference-measure nuggets", "nuggets-rubric nuggets-f1"),
        ("--estimate-measure rubric", "nuggets-rubric f1-rubric"),
        ("", "f1-f1"),
    ],
)
def test_measures_of_each_side_may_be_chosen(place, options, pairs):
    for command in (
        "correlate truth.jsonl judges/gpt.txt --no-interval",
        "by-topic truth.jsonl judges/gpt.txt",
    ):
        result = run(*command.split(), *options.split(), "--format", "json", cwd=place)
        assert result.returncode == 0, result.stderr
        rows = next(iter(json.loads(result.stdout)["tables"].values()))
        assert (
            list(dict.fromkeys(f"{row['measure']}-{row['estimate_measure']}" for row in rows))
            == pairs.split()
        )


def test_runs_may_have_a_measure_for_each_side(folder):
    typed = "correlate --runs runs/* human.qrels noisy.qrels --no-interval -c tau_b --format csv"
    sides = ["--reference-measure", "AP", "--judge-measure", "p@5", "--judge-measure", "AP"]
    result = run(*typed.split(), *sides, cwd=folder)
    assert [line.split(",")[1:3] for line in result.stdout.splitlines()[1:]] == [["AP", "P@5"], ["AP", "AP"]]


def test_undefined_values_are_null_and_nan():
    flat = {"q1": {"a": 1, "b": 1, "c": 1}}
    found = cd.correlate({"q1": {"a": 1, "b": 2, "c": 3}}, {"flat": flat}, "tau_b", resampling=None)
    assert json.loads(found.to_jsonl())["kendall"] is None
    assert math.isnan(found.agreement[0].value)
    assert found.to_prototext().splitlines()[4:7] == [
        *("measure {", '  key: "kendall score score"', '  value: "nan"'),
    ]


def test_names_in_prototext_cannot_end_a_block():
    """Nor a key or a value: TIRA splits lines at colons and quotes."""
    x = {"q1": {"a": 1, "b": 2}}
    judge = 'x"\n}\nmeasure {\n  key: "tau\\'
    found = cd.correlate(x, {judge: x}, "tau_b", resampling=None)
    lines = found.to_prototext().splitlines()
    assert lines.count("measure {") == lines.count("}") == 4
    assert all(line.count(":") == 1 and line.count('"') == 2 for line in lines if line.startswith("  "))
    two = cd.correlate(x, {judge: x, "y": x}, "tau_b", resampling=None)
    assert '  key: "kendall y score score"' in two.to_prototext().splitlines()


@pytest.mark.parametrize("more", [[], ["--judge-measure", "rubric"]])
def test_the_evaluator_judges_all_tables_of_a_folder(place, more):
    """The same as judge with -m all; files that are no tables are named."""
    result = run("evaluator", "truth.jsonl", "judges", "out/new", "-c", "kendall", *FEW, *more, cwd=place)
    assert result.returncode == 0, result.stderr
    told = result.stderr.splitlines()
    assert [line.split(": ")[2] for line in told if "skipped" in line] == [
        *("judges/README.md:1", "judges/binary.bin:2"),
    ]
    out = {path.name: path.read_text() for path in (place / "out" / "new").iterdir()}
    assert sorted(out) == ["answer.html", "answer.json", "evaluation.jsonl", "evaluation.prototext"]
    assert told[-1] == "concordant: wrote out/new/evaluation.prototext"
    lines = list(map(json.loads, out["evaluation.jsonl"].splitlines()))
    asked = more or ["-m", "all"]
    judges = ["--judge", "judges/gpt.txt", "--judge", "judges/team/llama.csv"]
    typed = ["judge", "--reference", "truth.jsonl", *judges, "-c", "kendall", *FEW, *asked]
    assert out["evaluation.jsonl"] == run(*typed, "--format", "jsonl", cwd=place).stdout
    assert len(lines) == (4 if more else 6)
    answer = json.loads(out["answer.json"])
    assert [each["file"] for each in answer["inputs"]][:2] == ["truth.jsonl", "judges/README.md"]
    assert [note["kind"] for note in answer["notes"]].count("file_skipped") == 2
    blocks = out["evaluation.prototext"].split("measure {")[1:]
    assert len(blocks) == 3 * len(lines)


def test_equal_names_in_folders_are_told_apart_and_choose_no_path(place):
    """A judge is named by its place in the folder, and only the four names of files are written."""
    (place / "judges" / "team" / "gpt.txt").write_text((place / "judges" / "gpt.txt").read_text())
    result = run("evaluator", "truth.jsonl", "judges", "out", "-c", "tau_b", "--no-interval", cwd=place)
    assert result.returncode == 0, result.stderr
    lines = map(json.loads, (place / "out" / "evaluation.jsonl").read_text().splitlines())
    assert list(dict.fromkeys(line["Judge"] for line in lines)) == ["gpt.txt", "team/gpt.txt", "llama"]
    assert {path.name for path in place.iterdir()} == {"truth.jsonl", "judges", "out"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("truth.jsonl no out", "no: is not a folder; give the folder with the tables of the judges"),
        ("truth.jsonl judges judges/out", "judges/out: is in the folder that is read, "),
        (
            "truth.jsonl judges truth.jsonl",
            "truth.jsonl: is not a folder that can be written to; choose anoth",
        ),
        ("truth.jsonl empty out", "empty: holds no table of scores; give the folder with the tables"),
        ("no.jsonl judges out", "no.jsonl: no such file; check its name and folder"),
        ("truth.jsonl judges out --judge-measure x", "judges/gpt.txt: does not have the measure x; it has "),
    ],
)
def test_the_evaluator_refuses_before_it_writes(place, refused, words, message):
    (place / "empty").mkdir()
    for name in ("README.md", "binary.bin"):  # what is skipped is told
        (place / "judges" / name).unlink()
    refused(run("evaluator", *words.split(), cwd=place), f"concordant: {message}")
    assert not (place / "out").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "correlate --runs judges/* truth.jsonl judges/gpt.txt -m all",
            "-m all is for tables; name the meas",
        ),
        (
            "matrix truth.jsonl judges/gpt.txt --format jsonl",
            "jsonl holds the table agreement of correlate and",
        ),
        ("by-topic truth.jsonl judges/gpt.txt -o x.prototext", "prototext holds the table agreement of"),
        (
            "correlate truth.jsonl judges/gpt.txt --table systems -o x.jsonl",
            "jsonl holds the table agreement",
        ),
        (
            "correlate truth.jsonl judges/team/llama.csv judges/gpt.txt -m f1 --judge-measure rubric",
            "--estimate-measure has no effect with --measure; leave it out",
        ),
    ],
)
def test_formats_and_options_that_do_not_fit_are_refused(place, refused, words, message):
    refused(run(*words.split(), cwd=place), f"concordant {words.split()[0]}: {message}")
    assert not list(place.glob("x.*"))
