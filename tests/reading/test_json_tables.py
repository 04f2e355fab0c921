"""Tables in JSON: the shapes in which people and programs write them, and what is wrong with them."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from support.program import run

import concordant as cd

BOARD = {"gpt-4": {"mmlu": 0.8, "gsm8k": 0.9}, "llama": {"mmlu": 0.6, "gsm8k": 0.5}}
FRAME = pd.DataFrame({"model": ["a", "b", "c"], "mmlu": [0.5, 0.25, 0.75], "passed": [True, False, True]})
HELM = [
    {
        "title": "Accuracy",
        "header": [{"value": "Model"}, {"value": "MMLU", "lower_is_better": False}],
        "rows": [[{"value": "a"}, {"value": 0.5}], [{"value": "b"}, {"description": "no runs"}]],
    },
    {"title": "Efficiency", "header": [{"value": "Model"}, {"value": "x"}], "rows": [[{"value": "a"}, 3]]},
]
HARNESS = {
    "results": {
        "hellaswag": {"alias": "h", "acc,none": 0.5, "acc_stderr,none": 0.01, "acc_norm,none": 0.6},
        "gsm8k": {"exact_match,strict-match": 0.4, "exact_match_stderr,strict-match": "N/A"},
    },
    "versions": {"hellaswag": 1},
    "model_name": "org/m",
}
INSPECT = {
    "status": "success",
    "eval": {"task": "arc", "model": "openai/gpt-4"},
    "results": {
        "scores": [{"name": "match", "metrics": {"accuracy": {"value": 0.5}, "stderr": {"value": 0.1}}}]
    },
    "samples": [
        {"id": 7, "epoch": 1, "scores": {"match": {"value": "C"}, "length": {"value": 12}}},
        {"id": 8, "epoch": 1, "scores": {"match": {"value": "I"}, "length": {"value": 30.5}}},
        {"id": 9, "epoch": 1, "scores": {"match": {"value": "P"}, "length": {"value": 0}}},
    ],
}
SWE = {
    "total_instances": 3,
    "submitted_ids": ["x-1", "x-2"],
    "resolved_ids": ["x-2"],
    "incomplete_ids": ["x-3"],
}


def read(tmp_path, data, name="lead.json", **how):
    path = tmp_path / name
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return cd.read_scores(path, **how)


def cells(scores):
    """The scores that are there, by measure, topic and system."""
    return {row[:3]: row[3] for row in scores.rows() if not math.isnan(row[3])}


MEANS = {("mmlu", "all", s): v for s, v in (("a", 0.5), ("b", 0.25), ("c", 0.75))}
MEANS |= {("passed", "all", s): v for s, v in (("a", 1), ("b", 0), ("c", 1))}
OF_TWO = {
    ("mmlu", "all", "x"): 0.8,
    ("mmlu", "all", "y"): 0.71,
    ("f1", "all", "x"): 80,
    ("f1", "all", "y"): 71,
}
SHAPES = {
    **{
        orient: (FRAME.to_json(orient=orient), MEANS)
        for orient in ("records", "columns", "index", "split", "table")
    },
    "lines": (FRAME.to_json(orient="records", lines=True), MEANS),
    "an index that names the models": (FRAME.set_index("model").to_json(orient="table"), MEANS),
    "columns as lists": (FRAME.to_dict("list"), MEANS),
    "over lines, from the first": (
        FRAME.to_json(orient="split").replace(':{"', ':{\n"').replace("[", "[\n"),
        MEANS,
    ),
    "numbers as text": (
        [{"model": "x", "mmlu": "0.8", "f1": "80 %"}, {"model": "y", "mmlu": "0.71 ± 0.02", "f1": "71%"}],
        OF_TWO,
    ),
    "nested": (
        [
            {"model": "x", "scores": {"mmlu": 0.8, "f1": 80}},
            {"model": "y", "scores": {"mmlu": 0.71, "f1": "71"}},
        ],
        OF_TWO,
    ),
    "nested under two names": (
        [
            {"model": "x", "dev": {"f1": 0.5}, "test": {"f1": 0.25}},
            {"model": "y", "dev": {"f1": 1}, "test": None},
        ],
        {("dev.f1", "all", "x"): 0.5, ("dev.f1", "all", "y"): 1, ("test.f1", "all", "x"): 0.25},
    ),
    "settings are no scores": (
        [
            {"model": m, "settings": {"dtype": "fp16", "top_p": 0.9}, "acc": v}
            for m, v in (("x", 0.5), ("y", 1))
        ],
        {("acc", "all", "x"): 0.5, ("acc", "all", "y"): 1},
    ),
    "objects with text": (
        {"x": {"f1": 0.5, "organisation": "A"}, "y": {"f1": 1, "organisation": "B"}},
        {("f1", "all", "x"): 0.5, ("f1", "all", "y"): 1},
    ),
    "objects of one measure": (
        {"x": {"f1": 0.5}, "y": {"f1": 1}},
        {("f1", "all", "x"): 0.5, ("f1", "all", "y"): 1},
    ),
    "one measure of systems": ({"f1": {"x": 0.5, "y": 1}}, {("f1", "all", "x"): 0.5, ("f1", "all", "y"): 1}),
    "names of measures": (
        {"x": {"AP": 0.5, "P_10": 1}, "y": {"AP": 0.25, "P_10": None}},
        {("AP", "all", "x"): 0.5, ("AP", "all", "y"): 0.25, ("P_10", "all", "x"): 1},
    ),
    "topics": (
        {"q1": {"x": 1, "y": 2}, "q2": {"x": 3, "y": 4}},
        {("lead", "q1", "x"): 1, ("lead", "q1", "y"): 2, ("lead", "q2", "x"): 3, ("lead", "q2", "y"): 4},
    ),
    "HELM": (HELM[0], {("MMLU", "all", "a"): 0.5}),
    "lm-evaluation-harness": (
        HARNESS,
        {
            ("hellaswag/acc", "all", "org/m"): 0.5,
            ("hellaswag/acc_norm", "all", "org/m"): 0.6,
            ("gsm8k/exact_match,strict-match", "all", "org/m"): 0.4,
        },
    ),
    "lm-evaluation-harness of old": (
        {"results": {"arc": {"acc": 0.5}}, "config": {"model_args": "pretrained=org/m,dtype=x"}},
        {("arc/acc", "all", "org/m"): 0.5},
    ),
    "lighteval": (
        {"results": {"arc|0": {"acc": 0.5}}, "config_general": {"model_name": "org/m"}},
        {("arc|0/acc", "all", "org/m"): 0.5},
    ),
    "Inspect": (
        INSPECT,
        {("match", t, "openai/gpt-4"): v for t, v in (("7", 1), ("8", 0), ("9", 0.5))}
        | {("length", t, "openai/gpt-4"): v for t, v in (("7", 12), ("8", 30.5), ("9", 0))},
    ),
    "Inspect, several epochs": (
        INSPECT | {"samples": [INSPECT["samples"][0] | {"epoch": k} for k in (1, 2)]},
        {("match/accuracy", "all", "openai/gpt-4"): 0.5},
    ),
    "SWE-bench": (SWE, {("resolved", t, "lead"): v for t, v in (("x-1", 0), ("x-2", 1), ("x-3", 0))}),
    "SWE-bench, instances": (
        {"x-1": {"resolved": False, "tests": {}}, "x-2": {"resolved": True, "tests": {}}},
        {("resolved", "x-1", "lead"): 0, ("resolved", "x-2", "lead"): 1},
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_its_numbers(shape, tmp_path):
    data, expected = SHAPES[shape]
    assert cells(read(tmp_path, data)) == expected


def test_what_is_no_score_is_named(tmp_path):
    found = read(tmp_path, HARNESS).source.left_out
    assert found == ("hellaswag/acc stderr", "gsm8k/exact_match,strict-match stderr")
    rows = [{"model": m, "annotator": "J. D.", "more": {"a": "b"}, "tags": ["x"], "acc": 1} for m in "xy"]
    found = read(tmp_path, rows).source
    assert (found.left_out, found.remarks) == (("annotator",), ("nested columns were left out: more, tags",))


def test_an_object_of_objects_that_may_be_either_is_decided_by_the_user_or_the_other_table(tmp_path):
    either = (
        r"lead.json: the systems may be in rows \(2: gpt-4, llama\) or in columns \(2: mmlu, gsm8k\); say"
    )
    with pytest.raises(cd.InputError, match=either):
        read(tmp_path, BOARD)
    rows, columns = (read(tmp_path, BOARD, systems=systems) for systems in ("rows", "columns"))
    assert cells(rows)["gsm8k", "all", "llama"] == cells(columns)["llama", "all", "gsm8k"] == 0.5
    assert rows.source.remarks == ("the outer keys are systems",)
    assert columns.source.remarks == ("the inner keys are systems",)
    topics = read(tmp_path, BOARD, systems="rows", headers="topics")
    assert (topics.topics, topics.systems) == (("mmlu", "gsm8k"), ("gpt-4", "llama"))
    (tmp_path / "human.csv").write_text("model,rating\ngpt-4,1200\nllama,1100\n")
    study = cd.Study(tmp_path / "human.csv", tmp_path / "lead.json")
    assert study.estimates["lead"].measures == ("mmlu", "gsm8k")
    turned = {
        measure: {system: own[measure] for system, own in BOARD.items()} for measure in ("mmlu", "gsm8k")
    }
    read_again = read(tmp_path, turned, "turned.json", systems="columns")
    assert cells(read_again) == cells(rows)


def test_one_of_several_tables_of_helm_is_chosen(tmp_path):
    with pytest.raises(
        cd.InputError, match="has several tables: Accuracy, Efficiency; say which with sheet='Accu"
    ):
        read(tmp_path, HELM)
    assert cells(read(tmp_path, HELM, sheet="Efficiency")) == {("x", "all", "a"): 3}
    with pytest.raises(cd.InputError, match="has no table 'x'; it has Accuracy, Efficiency"):
        read(tmp_path, HELM, sheet="x")


def sample(doc, value, filter="none", **more):
    return {
        "doc_id": doc,
        "doc": {"label": 1},
        "filtered_resps": ["a"],
        "filter": filter,
        "acc": value,
    } | more


def harness_folder(folder):
    """Three models; the third of four documents is right for a model, the second for two, ..."""
    for k, model in enumerate(("org__a", "org__b", "org__c")):
        path = folder / model
        path.mkdir(parents=True)
        rows = [sample(doc, float(doc >= k), metrics=["acc"], n=3) for doc in range(3)]
        for task in ("arc", "gsm8k"):
            lines = "\n".join(map(json.dumps, rows))
            (path / f"samples_{task}_2025-01-01T10-00-00.123.jsonl").write_text(lines)
        results = {
            "results": {"arc": {"acc,none": k / 4}},
            "configs": {},
            "model_name": model.replace("__", "/"),
        }
        (path / "results_2025-01-01T10-00-00.123.json").write_text(json.dumps(results))


def test_folders_of_lm_evaluation_harness(tmp_path):
    harness_folder(tmp_path / "out")
    samples = cd.read_scores(tmp_path / "out" / "**" / "samples_arc_*.jsonl")
    assert samples.measures == ("arc/acc",)
    assert samples.topics == ("arc/0", "arc/1", "arc/2")
    assert dict(samples.mean("arc/acc")) == {
        "org__a": 1,
        "org__b": pytest.approx(2 / 3),
        "org__c": pytest.approx(1 / 3),
    }
    results = cd.read_scores(tmp_path / "out" / "**" / "results_*.json")
    assert cells(results) == {("arc/acc", "all", f"org/{s}"): k / 4 for k, s in enumerate("abc")}
    with pytest.raises(
        cd.ArgumentError, match="arc/acc and gsm8k/acc have no topic in common; read them apart, by"
    ):
        cd.read_scores(tmp_path / "out" / "**" / "samples_*")
    with pytest.raises(
        cd.ArgumentError, match="holds means and other files hold scores of topics; read them apart"
    ):
        cd.read_scores(tmp_path / "out")


def test_samples_with_two_filters_have_two_measures(tmp_path):
    rows = [sample(doc, float(doc), filter) for doc in range(2) for filter in ("strict", "none")]
    found = read(tmp_path, "\n".join(map(json.dumps, rows)), "samples_x_2025-01-01T1.jsonl")
    assert found.measures == ("x/acc,strict", "x/acc")
    assert found.systems == (tmp_path.name,)
    assert np.array_equal(found.values[:, :, 0], [[0, 1], [0, 1]])


BROKEN = {
    "values": (
        "[[1, 2], [3, 4]]",
        "expected a list of objects, such as",
    ),
    "short row": (
        '{"columns": ["model", "x"], "data": [["a"]]}',
        """expected rows of 2 cells, found '["a"]'""",
    ),
    "no row": ('{"header": ["model", "x"], "rows": [3]}', "expected rows of 2 cells, found '3'"),
    "no objects": ("[]", "holds no objects"),
    "no columns": ("{}", "holds no objects"),
    "numbers": ("[1, 2]", """expected a list of objects, such as {"system": ...}, found '1' in it"""),
    "nested deeper": ('{"a": {"b": {"c": 1}}, "d": "x"}', "no column holds scores; there are d"),
    "promptfoo": (
        '{"evalId": "x", "results": {"results": [{"score": 1}]}}',
        "no column holds scores; there are",
    ),
    "results of something": (
        '{"results": {"gpt": {"f1": 1}}, "date": "x"}',
        "no column holds scores; there are",
    ),
    "cut off": ('{"a": {\n"x": 1', ":1: broken JSON: Expecting property name enclosed in double quotes: "),
    "twice": ('{"a": {"x": 1, "x": 2}}', ":1: key 'x' appears twice in an object; keep one"),
    "column twice": (
        '{"columns": ["model", "x", "x"], "data": [["a", 1, 2]]}',
        "column 'x' is in the header twice",
    ),
    "Inspect, stopped": (
        json.dumps(INSPECT | {"status": "error"}),
        "the evaluation has the status 'error'; run it",
    ),
    "Inspect, damaged": (
        json.dumps(INSPECT | {"samples": [{"scores": {}}]}),
        "looks like a log of Inspect, and a part is missing or of another kind: 'id'",
    ),
    "Inspect, a list of scores": (
        json.dumps(INSPECT | {"samples": [{"id": 1, "scores": {"match": {"value": [1, 2]}}}]}),
        ":1: 'value' must be a text or a number, found '[1, 2]'",
    ),
    "harness, damaged": ('{"results": {"arc": {"acc": {"x": 1}}}, "versions": {}}', "no column holds scores"),
    "a word among numbers": (
        '[{"model": "a", "f1": 1}, {"model": "b", "f1": "good"}]',
        "'good' is not a number",
    ),
    "half a character": ('[{"model": "\\ud800", "f1": 1}]', ":1: holds a broken character: "),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_wrong_is_said_in_one_sentence(kind, tmp_path):
    text, sentence = BROKEN[kind]
    with pytest.raises(cd.InputError) as error:
        read(tmp_path, text)
    assert sentence in str(error.value)
    assert "lead.json" in str(error.value)
    assert "\n" not in str(error.value)


def test_the_command_reads_them(tmp_path):
    """Three models: mmlu and the ratings order two of three pairs alike, so that tau_b is 1/3."""
    board = {m: {"mmlu": v, "gsm8k": w} for m, v, w in (("a", 0.7, 1), ("b", 0.8, 2), ("c", 0.6, 3))}
    (tmp_path / "board.json").write_text(json.dumps(board))
    (tmp_path / "human.md").write_text(
        "| Model | Rating |\n|:--|--:|\n| **[a](x)** | 3 |\n| b | 2 |\n| c | 1 |\n"
    )
    how = ["-c", "tau_b", "--no-interval", "--format", "json"]
    result = run("correlate", "human.md", "board.json", *how, cwd=tmp_path)
    rows = json.loads(result.stdout)["tables"]["agreement"]
    found = {row["estimate_measure"]: row for row in rows}
    assert [found[m]["value"] for m in ("mmlu", "gsm8k")] == [pytest.approx(1 / 3), -1]
    harness_folder(tmp_path / "out")
    reference = {"results": {"arc": {"acc": 0}}}
    for k, model in enumerate("abc"):
        content = reference | {"results": {"arc": {"acc": -k}}, "versions": {}, "model_name": f"org/{model}"}
        (tmp_path / f"r{model}.json").write_text(json.dumps(content))
    result = run("correlate", "r*.json", "out/**/results_*.json", *how, cwd=tmp_path)
    assert json.loads(result.stdout)["tables"]["agreement"][0]["value"] == -1
