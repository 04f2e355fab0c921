"""The JSON schema of results: it is that of the classes, and every result is what it says."""

from __future__ import annotations

import copy
import functools
import importlib.util
import json
import re
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from support.schema import PATH, check, validator

import concordant as cd
from concordant.questions.choose import listing

pytestmark = pytest.mark.filterwarnings("ignore::concordant.UndefinedWarning")

ROOT = Path(__file__).parent.parent.parent
RNG = np.random.default_rng(0)
HUMAN = RNG.normal(np.linspace(0.6, 0.3, 6), 0.1, (5, 6))
SIDES = HUMAN, {"a": HUMAN + RNG.normal(0, 0.1, HUMAN.shape), "b": np.ones_like(HUMAN)}
LISTS = ["d1", "d2", "d3"], ["d2", "d4", "d1"]
ex = cd.experiments


def generator():
    """Load docs/tools/schema.py."""
    spec = importlib.util.spec_from_file_location("schema_of_results", ROOT / "docs" / "tools" / "schema.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# A call for every class of results; of some several, with what is undefined, not asked for, or not there.
TRANSLATIONS = [[0, -1], [-2, 0]]
CALLS = {
    "correlate": lambda _: cd.correlate(*SIDES, resampling=cd.Resampling(n_resamples=20)),
    "correlate, means": lambda _: cd.correlate(HUMAN[0], SIDES[1]["a"][0], "tau_b"),
    "correlate, a part": lambda _: cd.correlate(*SIDES, "tau_b", resampling=None).only("systems"),
    "judge": lambda _: cd.judge(*SIDES, top=3, group_by="^.", resampling=cd.Resampling(n_resamples=20)),
    "judge, of runs": lambda d: cd.judge(
        cd.evaluate(d / "human.qrels", d / "runs" / "*", "AP"),
        {"noisy": cd.evaluate(d / "noisy.qrels", d / "runs" / "*", "AP")},
        qrels=cd.read_qrels(d / "human.qrels"),
        estimate_qrels={"noisy": cd.read_qrels(d / "noisy.qrels")},
        resampling=cd.Resampling(n_resamples=20),
    ),
    "by_topic": lambda _: cd.by_topic(
        HUMAN, SIDES[1]["b"], "tau_b", resampling=cd.Resampling(n_resamples=20)
    ),
    "explain of scores": lambda _: cd.explain(cd.Study(*SIDES), coefficients=["tau_b", "pearson_r"]),
    "explain": lambda _: cd.explain({"x": 1, 2: 2, (3, "y"): 3}, {"x": 2, 2: 1, (3, "y"): 3}, "tau_b"),
    "explain, undefined": lambda _: cd.explain([1, 2, 3], [1, 1, 1], "tau_b"),
    "explain of lists": lambda _: cd.explain(*LISTS, "rbo"),
    "matrix": lambda _: cd.matrix({"a": cd.Scores(HUMAN), "b": cd.Scores(SIDES[1]["b"])}),
    "matrix of rankings": lambda _: cd.matrix({"a": [3, 2, 1], "b": [1, 1, 1]}, "tau_b"),
    "compare": lambda _: cd.compare([3, 2, 1], [1, 1, 1]),
    "compare batches": lambda _: cd.compare([[3, 2, 1], [1, 2, 3]], [1, 1, 2], ["tau_b"]),
    "counts": lambda _: cd.counts([3, 2, 1], [1, 1, 1]),
    "counts of batches": lambda _: cd.counts([[3, 2, 1], [1, 2, 3]], [1, 1, 2]),
    "counts of items": lambda _: cd.counts([3, 2, 1], [1, 1, 1], per_item=True),
    "tie_range": lambda _: cd.tie_range([3, 2, 1], [1, 1, 2]),
    "tie_range of batches": lambda _: cd.tie_range([[3, 2, 1], [1, 2, 3]], [1, 1, 2]),
    "sweep": lambda _: cd.sweep(HUMAN, SIDES[1]["a"], thresholds=[0, 0.1]),
    "compare_runs": lambda d: cd.compare_runs(d / "runs" / "*"),
    "metrics": lambda _: cd.metrics({"en-de": (TRANSLATIONS, {"a": TRANSLATIONS, "b": [[1, 2], [3, 1]]})}),
    "board": lambda _: cd.board(HUMAN, resampling=cd.Resampling(n_resamples=20)),
    "calibrate_ties": lambda _: cd.calibrate_ties(TRANSLATIONS, [[1, 2], [3, 1]]),
    "plan": lambda _: cd.plan(HUMAN, method="resampling", resampling=cd.Resampling(n_resamples=20)),
    "bootstrap": lambda _: cd.bootstrap(
        HUMAN, SIDES[1]["a"], "tau_b", resampling=cd.Resampling(n_resamples=20)
    ),
    "difference": lambda _: cd.difference(
        HUMAN, *SIDES[1].values(), "tau_a", resampling=cd.Resampling(n_resamples=20)
    ),
    "permutation_test": lambda _: cd.permutation_test([1, 2, 3], [1, 3, 2], "tau_b"),
    "jackknife_interval": lambda _: cd.jackknife_interval([1, 2, 3, 4], [1, 3, 2, 4], "tau_b"),
    "labels": lambda d: cd.labels({n: d / f"{n}.qrels" for n in ("human", "noisy")}, reference="human"),
    "labels of words": lambda _: cd.labels(
        {"a": ["no", "yes", "no"] * 12, "b": ["no", "no", "no"] * 12, "j": ["no", "yes", "yes"] * 12},
        annotators=["a", "b"],
    ),
    "identify": lambda _: cd.identify([4, 3, 2, 1], [4, 4, 1, 2], "0.55"),
    "choose": lambda _: cd.choose(ties="ignored", top_weighted=True),
    "choose on scores": lambda _: cd.choose(HUMAN, SIDES[1]["a"], ties="ignored", top_weighted=True),
    "choose, open": lambda _: cd.choose(ties="equality"),
    "list": lambda _: listing(),
    "axioms": lambda _: cd.experiments.axioms("tau_b"),
    "predict": lambda _: ex.predict(cd.Scores(HUMAN), "tau_b", n_splits=5),
    "gaps": lambda _: ex.gaps(n_pairs=5),
    "swap": lambda _: ex.swap(cd.Scores(HUMAN), n_draws=2, n_swaps=1),
    "pool": lambda d: ex.pool(d / "human.qrels", d / "runs" / "*", "tau_b", percents=[10, 100]),
    "grades": lambda d: ex.grades(d / "human.qrels", d / "runs" / "*"),
    "reuse": lambda d: ex.reuse(d / "human.qrels", d / "runs" / "*", depth=10),
    "stability": lambda _: ex.stability(cd.Scores(HUMAN), topics=1, n_draws=9),
}


def test_the_schema_is_that_of_the_classes():
    """Run 'make readme' if it is not."""
    assert PATH.read_text(encoding="utf-8") == generator().text()


@pytest.fixture(scope="module")
def made(folder):
    """Return a function that returns the result of a call, which is made once."""
    return functools.cache(lambda call: CALLS[call](folder))


@pytest.mark.parametrize("call", CALLS)
def test_the_json_of_a_result_is_what_the_schema_says(made, call):
    """Also where a value is undefined, or a table was not asked for."""
    check(json.loads(made(call).to_json()))


@pytest.mark.parametrize("call", CALLS)
def test_a_loaded_result_is_the_same_in_every_rendering(made, tmp_path, call):
    """JSON, text, LaTeX and Markdown have the same letters; also if one of its tables was saved alone."""
    result = made(call)
    (tmp_path / "r.json").write_text(result.to_json(), encoding="utf-8")
    loaded = cd.results.load(tmp_path / "r.json")
    assert type(loaded) is type(result)
    assert loaded.to_json() == result.to_json()
    for how in ("to_text", "to_latex", "to_markdown"):
        assert getattr(loaded, how)() == getattr(result, how)()
    if len(result.to_json()) < 200_000:  # which is slow
        assert loaded.to_markdown(details=True) == result.to_markdown(details=True)
    for name in [table.name for table in result.tables if table.name != "values"][1:]:
        assert cd.results.load(result.only(name).to_dict()).to_json() == result.only(name).to_json()


def test_every_class_of_results_is_tried(made):
    """A new one needs a call here."""
    assert {type(made(call)) for call in CALLS} == set(generator().results())


@pytest.fixture(scope="module")
def answer():
    """Return the JSON of a result with everything that can be changed."""
    return json.loads(cd.judge(*SIDES, resampling=cd.Resampling(n_resamples=20)).to_json())


def _renamed(place, key):
    place[f"{key}_"] = place.pop(key)


CHANGES = {
    "a key is renamed": lambda a: _renamed(a, "seed"),
    "a key is added": lambda a: a.update(more=1),
    "a key is gone": lambda a: a.pop("command"),
    "a column is renamed": lambda a: _renamed(a["tables"]["agreement"][0], "pvalue"),
    "a column is gone": lambda a: a["tables"]["systems"][1].pop("gain"),
    "a number is a text": lambda a: a["tables"]["agreement"][0].update(value="0.5"),
    "a name is null": lambda a: a["tables"]["agreement"][0].update(estimate=None),
    "a table of another function": lambda a: a["tables"].update(curves=[]),
    "a value of another function": lambda a: a["values"].update(coefficient="tau_b"),
    "another function": lambda a: a.update(function="sweep"),
    "an unknown function": lambda a: a.update(function="guess"),
    "another version": lambda a: a.update(format_version=2),
    "an option with a space": lambda a: a["options"].update({"two words": 1}),
    "a note without its sentence": lambda a: a["notes"][0].pop("text"),
    "an input without its checksum": lambda a: a.update(inputs=[{"file": "a.csv", "bytes": 1}]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_changed_is_refused(answer, change):
    """So a test fails when a key changes, and the version of the format with it."""
    changed = copy.deepcopy(answer)
    check(changed)
    CHANGES[change](changed)
    with pytest.raises(jsonschema.ValidationError):
        check(changed)


def test_the_example_of_the_page_is_a_result():
    """It is complete, and of this version."""
    page = (ROOT / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    check(json.loads(example))
    for name in validator().schema["properties"]:
        assert f"`{name}`" in page, name
