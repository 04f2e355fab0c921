"""`metrics`: folders of mt-metrics-eval, tasks, averages, clusters, and what is left out."""

from __future__ import annotations

import json

import numpy as np
import pytest
from support.program import run

import concordant as cd
from concordant.experiments.simulate import metric_files, metric_scores

KINDS = ("soft pairwise accuracy", "acc_eq", "pairwise accuracy")


@pytest.fixture(scope="module")
def made():
    return metric_scores(5, 40, rng=2)


@pytest.fixture
def folder(made, tmp_path):
    """A folder of mt-metrics-eval with simulated scores."""
    for path, text in metric_files(made, tmp_path / "wmt").items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "wmt"


def without_reference(made):
    """Return the same scores without the reference translation."""

    def systems(own):
        return {name: scores for name, scores in own.items() if name != "refA"}

    return {
        pair: (systems(human), {name: systems(own) for name, own in metrics.items()})
        for pair, (human, metrics) in made.items()
    }


def values(result):
    """Return the value of each metric in each task."""
    return {(each.language_pair, each.task, each.metric): each.value for each in result.tasks}


def test_a_folder_and_its_scores_give_the_same_answer(made, folder):
    """Scores with None are the scores of the files; human references are left out, and a note says so."""
    found, own = cd.metrics(folder, rng=1), cd.metrics(without_reference(made), rng=1)
    assert found.to_dict()["tables"] == own.to_dict()["tables"]
    assert [str(note) for note in found.notes] == [
        f"{pair}: left out reference translations: refA" for pair in ("en-de", "ja-zh")
    ]


def test_values_are_those_of_the_functions(made):
    """Task by task; the average is their mean, and pairwise accuracy is pooled."""
    data = without_reference(made)
    found = cd.metrics(data)
    by_task = values(found)
    for pair, (human, metrics) in data.items():
        for name, own in metrics.items():
            calibrated = cd.calibrate_ties(human, own)
            assert by_task[pair, "acc_eq", name] == calibrated.accuracy
            assert by_task[pair, "pairwise accuracy", name] == cd.pairwise_accuracy(human, own)
            records = [each for each in found.tasks if each.epsilon is not None]
            record = next(each for each in records if (each.language_pair, each.metric) == (pair, name))
            assert (record.epsilon, record.cross_fitted) == (calibrated.epsilon, calibrated.cross_fitted)
    for each in found.metrics:
        tasks = [by_task[pair, kind, each.metric] for pair in data for kind in KINDS[:2]]
        assert each.average == pytest.approx(np.mean(tasks), abs=1e-12)
        both = [(human, metrics[each.metric]) for human, metrics in data.values()]
        assert each.pairwise_accuracy == cd.pairwise_accuracy(*map(list, zip(*both, strict=True)))


def test_enumerated_flips_give_the_soft_accuracy():
    """Few segments, so that nothing is random."""
    human = [[4, 3, 1, 2], [2, 2, 0, 1], [1, 3, 0, 0]]
    near, far = [[9, 8, 5, 6], [7, 5, 1, 2], [1, 6, 0, 3]], [[1, 3, 2, 1], [5, 0, 4, 2], [3, 3, 1, 4]]
    found = values(cd.metrics({"en-de": (human, {"near": near, "far": far})}))
    for name, own in (("near", near), ("far", far)):
        assert found["en-de", KINDS[0], name] == cd.soft_pairwise_accuracy(human, own)


def test_names_and_order_do_not_matter(made):
    """Language pairs, systems and metrics in another order give the same tables."""
    data = without_reference(made)

    def turned(own):
        return dict(reversed(own.items()))

    other = {
        pair: (turned(human), turned({name: turned(own) for name, own in metrics.items()}))
        for pair, (human, metrics) in turned(data).items()
    }
    assert cd.metrics(data).to_dict()["tables"] == cd.metrics(other, workers=2).to_dict()["tables"]


def test_a_seed_is_obeyed(made):
    """And recorded."""
    found = [cd.metrics(made, n_resamples=50, rng=seed).to_dict() for seed in (1, 1, 2)]
    assert found[0] == found[1]
    assert found[0]["tables"]["pairs"] != found[2]["tables"]["pairs"]
    assert found[0]["seed"] == 1


def test_planted_effects_are_found():
    """The partial metric falls behind at system level, the twins share a cluster there, noise is the last."""
    found = cd.metrics(without_reference(metric_scores(9, 200, rng=1)))
    for pair in ("en-de", "ja-zh"):
        own = [each for each in found.tasks if (each.language_pair, each.task) == (pair, KINDS[0])]
        assert {each.cluster for each in own if each.metric in ("keen", "twin")} == {1}
    assert found.metrics[-1].metric == "noise"
    of = values(found)
    for pair in ("en-de", "ja-zh"):
        assert of[pair, KINDS[0], "partial"] < of[pair, KINDS[0], "keen"] - 0.05
        assert of[pair, "acc_eq", "partial"] > of[pair, "acc_eq", "lexical"]


def test_equal_metrics_share_their_clusters(made):
    """p of equal metrics is 1, so that they are never told apart."""
    human, metrics = without_reference(made)["en-de"]
    found = cd.metrics({"en-de": (human, {"b": metrics["keen"], "a": metrics["keen"]})})
    assert [(each.metric, each.cluster) for each in found.metrics] == [("a", 1), ("b", 1)]
    assert {each.pvalue for each in found.pairs} == {1.0}


def test_an_incomplete_metric_is_left_out_and_named(folder):
    """It is not filled with 0; it has no average, and the others have theirs."""
    path = folder / "metric-scores" / "en-de" / "twin-refA.seg.score"
    human = (folder / "human-scores" / "en-de.mqm.seg.score").read_text(encoding="utf-8").splitlines()
    lines = path.read_text(encoding="utf-8").splitlines()
    place = next(k for k, line in enumerate(human) if not line.endswith("None"))
    lines[place] = lines[place].split("\t")[0] + "\tNone"
    path.write_text("\n".join(lines), encoding="utf-8")
    (folder / "metric-scores" / "ja-zh" / "noise-src.seg.score").write_text(
        "".join(f"{line.split()[0]}\t1\n" for line in lines), encoding="utf-8"
    )
    found = cd.metrics(folder)
    assert {each.metric for each in found.metrics if each.average is None} == {"twin", "noise"}
    assert found.metrics[0].average is not None
    assert ("en-de", "acc_eq", "twin") not in values(found)
    notes = [str(note) for note in found.notes]
    assert any("en-de: twin has no score for 1 of the" in note for note in notes)
    assert "ja-zh: noise gives all translations the same score, and is left out" in notes
    assert "-" in found.to_text()


def test_reference_translations_may_be_systems(folder):
    """Except those that the metrics use; systems may be excluded."""
    for path in (folder / "metric-scores").rglob("*-refA*"):
        path.rename(path.with_name(path.name.replace("-refA", "-refB")))
    assert "refA" not in str(cd.metrics(folder, references=True, n_resamples=20).notes)
    assert "left out reference translations: refA" in str(cd.metrics(folder, n_resamples=20).notes)
    fewer = cd.metrics(folder, exclude=["system1", "system2"], n_resamples=20)
    assert {each.n for each in fewer.tasks if each.task == KINDS[0]} == {3}


def test_the_table_is_that_of_the_findings(folder):
    """A row for each metric, a column for each task, in LaTeX too."""
    found = cd.metrics(folder)
    grid = found.answer()
    assert grid.header == ["cluster", "metric", "average"] + [
        f"{pair} {name}" for pair in ("en-de", "ja-zh") for name in ("SPA", "acc_eq")
    ]
    assert [row[1] for row in grid.rows] == [each.metric for each in found.metrics]
    assert r"en-de acc\_eq" in found.to_latex()
    assert "SPA: soft pairwise accuracy" in found.to_latex()


def spoil(folder, what):
    """Break a folder in one way, and return options."""
    human = folder / "human-scores" / "en-de.mqm.seg.score"
    metrics = folder / "metric-scores" / "en-de"
    if what == "word":
        human.write_text("system1\tgood\n", encoding="utf-8")
    elif what == "short":
        lines = (metrics / "keen-refA.seg.score").read_text(encoding="utf-8").splitlines()
        (metrics / "keen-refA.seg.score").write_text("\n".join(lines[1:]), encoding="utf-8")
    elif what == "kinds":
        (human.parent / "en-de.esa.seg.score").write_text("x\t1\n", encoding="utf-8")
    elif what == "two":
        (metrics / "keen-refB.seg.score").write_text("x\t1\n", encoding="utf-8")
    elif what == "empty":
        human.write_text("\n", encoding="utf-8")
    return {"pair": {"language_pairs": ["de-en"]}, "all": {"exclude": ["*"]}}.get(what, {})


@pytest.mark.parametrize(
    ("what", "says"),
    [
        (
            "word",
            "en-de.mqm.seg.score:1: expected a system, a tab, and a number or None, got 'system1",
        ),
        ("short", "keen-refA.seg.score: has 39 scores of system1, and the human scores have 40"),
        ("kinds", "has human scores of en-de of several kinds, esa and mqm; choose one with human"),
        ("two", "has scores of keen with refA and with refB; choose one with reference"),
        ("empty", "en-de.mqm.seg.score: is empty"),
        ("pair", "has no language pair 'de-en'; there are en-de, ja-zh"),
        ("all", "has 0 systems left; exclude fewer"),
    ],
)
def test_bad_folders_are_refused(folder, what, says):
    """In one sentence that names the file and the next step."""
    options = spoil(folder, what)
    with pytest.raises(cd.InputError) as caught:
        cd.metrics(folder, **options)
    assert says in str(caught.value)


def test_other_folders_are_refused(tmp_path):
    """With the layout that is wanted; and options for folders have no effect on scores."""
    with pytest.raises(cd.InputError, match=r"human-scores/PAIR.KIND.seg.score"):
        cd.metrics(tmp_path)
    with pytest.raises(cd.ArgumentError, match="human has no effect on scores"):
        cd.metrics({"en-de": ([[1, 2], [2, 3]], {})}, human="mqm")


def test_names_that_there_are_not_are_refused(made):
    """Not left out in silence; one name may be given as text."""
    with pytest.raises(
        cd.ArgumentError, match="there is no language pair 'de-en'; there are en-de and ja-zh"
    ):
        cd.metrics(made, language_pairs=["en-de", "de-en"])
    with pytest.raises(cd.ArgumentError, match="there is no language pair; give one"):
        cd.metrics({})
    one = cd.metrics(made, language_pairs="en-de", exclude="ref*", n_resamples=9)
    assert {(each.language_pair, each.n) for each in one.tasks if each.task != "acc_eq"} == {("en-de", 10)}


def test_the_demonstration_is_a_folder_that_metrics_reads(tmp_path):
    """And shows what the command shows; a second one does not replace other files."""
    shown = run("demo", "metrics", "wmt", "--format", "json", cwd=tmp_path)
    again = run("metrics", "wmt", "--format", "json", cwd=tmp_path)
    assert shown.returncode == again.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["tables"] == json.loads(again.stdout)["tables"]
    refused = run("demo", "metrics", "wmt", cwd=tmp_path)
    assert refused.returncode == 2
    assert "is not empty; give another folder, or --overwrite" in refused.stderr
    assert run("demo", "metrics", "wmt", "--overwrite", "--seed", "2", cwd=tmp_path).returncode == 0
    assert "-c has no effect on metrics" in run("demo", "metrics", "x", "-c", "tau", cwd=tmp_path).stderr
