"""`grades`: coefficients with and without grades, recomputed from the files."""

from __future__ import annotations

import numpy as np
import pytest

import concordant as cd

grades = cd.experiments.grades


@pytest.fixture(scope="module")
def result(folder):
    """The experiment on the first 20 documents of each run."""
    return grades(folder / "human.qrels", folder / "runs" / "*", depth=20, rng=1)


def by_pair(result):
    """Return the values of each pair of runs and topic by the name of the coefficient."""
    found = {}
    for each in result.pairs:
        key = each.run, each.other_run, each.topic, each.documents
        found.setdefault(key, {})[str(each.coefficient)] = each.value
    return found


def test_the_values_are_those_of_the_documents_in_common(result, folder):
    """Every seventeenth pair of runs and topic is recomputed from the files."""
    qrels = cd.read_qrels(folder / "human.qrels")
    runs = {run.name: run.topics for run in map(cd.read_run, (folder / "runs").iterdir())}
    found = by_pair(result)
    left_out = sum(note.values["lists"] for note in result.notes if note.kind == "short_lists")
    assert len(found) + left_out == 36 * 8
    for (run, other_run, topic, documents), values in list(found.items())[::17]:
        lists = [sorted(runs[k][topic].items(), key=lambda item: -item[1])[:20] for k in (run, other_run)]
        x, y = map(dict, lists)
        common = [d for d in x if d in y]
        assert documents == len(common)
        in_x, in_y = [x[d] for d in common], [y[d] for d in common]
        own = {d: qrels[topic].get(d, 0) for d in common}
        assert values["tau"] == pytest.approx(cd.tau(in_x, in_y))
        assert values["tau_ap"] == pytest.approx(cd.tau_ap(in_x, in_y))
        of_x = [own[d] for d in sorted(common, key=x.get, reverse=True)]
        of_y = [own[d] for d in sorted(common, key=y.get, reverse=True)]
        counted = np.bincount(of_x)
        for name, kind, weight in (("tau_ac", "ac", "tau"), ("tau_h_sc", "sc", "h")):
            a = np.nan_to_num(cd.unbiased_a(kind, counted, weight=weight))
            assert values[name] == pytest.approx(getattr(cd, name)(of_x, of_y, a=a))
        if values["tau_dw"] is not None:
            assert values["tau_dw"] == pytest.approx(cd.tau_dw(in_x, in_y, list(own.values())))


def test_every_extension_is_compared_with_the_base_of_its_weights(result):
    """Nine coefficients with grades; the mean is of the absolute differences where both are defined."""
    bases = {str(each.extension): str(each.base) for each in result}
    assert bases == {
        "tau_sc": "tau",
        "tau_ac": "tau",
        "tau_dw": "tau",
        "tau_ap_sc": "tau_ap",
        "tau_ap_ac": "tau_ap",
        "tau_ap_dw": "tau_ap",
        "tau_h_sc": "tau_h",
        "tau_h_ac": "tau_h",
        "tau_h_dw": "tau_h",
    }
    found = by_pair(result)
    for each in result:
        both = [(values[str(each.base)], values[str(each.extension)]) for values in found.values()]
        differences = [abs(a - b) for a, b in both if a is not None and b is not None]
        assert (each.pairs, each.undefined) == (len(differences), len(found) - len(differences))
        assert each.mean_difference == pytest.approx(np.mean(differences))
        four = (each.first_quartile, each.median, each.third_quartile, each.maximum)
        assert four == pytest.approx(np.quantile(differences, [0.25, 0.5, 0.75, 1]).tolist())


def test_whole_lists_and_a_given_a(folder):
    """Lists of all documents of both runs, as long as the shorter one, with the a asked for or their own."""
    qrels = cd.read_qrels(folder / "human.qrels")
    runs = {run.name: run.topics for run in map(cd.read_run, (folder / "runs").iterdir())}
    how = {
        "qrels": folder / "human.qrels",
        "runs": folder / "runs" / "*",
        "depth": 20,
        "rng": 1,
        "whole": True,
    }
    given, own = grades(**how, a=-0.7), grades(**how)
    assert (given.options["a"], own.options["a"], own.options["whole"]) == (-0.7, None, True)
    unlike = 0
    for result in (given, own):
        for (run, other_run, topic, _), values in list(by_pair(result).items())[::23]:
            lists = [sorted(runs[k][topic].items(), key=lambda item: -item[1])[:20] for k in (run, other_run)]
            x, y = ([max(qrels[topic].get(d, 0), 0) for d, _ in each] for each in lists)
            counted = [np.bincount(each, minlength=5) for each in (x, y)]
            unlike += bool((counted[0] != counted[1]).any())
            a = -0.7 if result is given else np.nan_to_num(cd.unbiased_a("ac", counted[0], other=counted[1]))
            assert values["tau_ac"] == pytest.approx(cd.tau_ac(x, y, a=a))
    assert unlike


def test_the_result_does_not_depend_on_workers(result, folder):
    """Threads change no bit."""
    assert result == grades(folder / "human.qrels", folder / "runs" / "*", depth=20, rng=1, workers=2)


def test_ties_within_a_run_are_shuffled_and_counted(tmp_path):
    """Which of two tied documents is first depends on the seed."""
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n1 0 c 2\n")
    for name, values in (("x", (1, 1, 2)), ("y", (1, 2, 3))):
        lines = [f"1 Q0 {d} 0 {v} {name}\n" for d, v in zip("abc", values, strict=True)]
        (tmp_path / name).write_text("".join(lines))
    runs = [tmp_path / "x", tmp_path / "y"]
    (note,) = grades(tmp_path / "q", runs, rng=1).notes
    assert (note.kind, note.values) == ("ties_shuffled", {"documents": 2, "where": "run"})
    found = {grades(tmp_path / "q", runs, rng=seed).pairs[0].value for seed in range(12)}
    assert len(found) == 2


def test_the_simulated_items_stand_in_for_runs():
    """Pairs of simulated systems are compared; the note says which average nDCG they have."""
    scores = np.random.default_rng(3).random((4, 12))
    items = cd.experiments.simulate.GradedItems(
        scores, np.arange(12) % 3, np.full(4, 0.5), np.array([0.4, 0.5, 0.6, 0.5])
    )
    result = grades(simulated=items, rng=1)
    found = by_pair(result)
    assert next(iter(found)) == ("system 1", "system 2", "simulated", 12)
    assert len(found) == 6
    values = found["system 1", "system 2", "simulated", 12]
    assert values["tau"] == cd.tau(scores[0], scores[1])
    assert values["tau_dw"] == cd.tau_dw(scores[0], scores[1], items.grades)
    assert str(result.notes[0]) == "average nDCG from 0.40 to 0.60, at most 0.10 off target"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give judgements and runs, or simulated items"),
        ({"qrels": {"1": {"a": 0}}, "runs": []}, "no document is relevant"),
        ({"qrels": {"1": {"a": 1}}, "runs": [], "a": "x"}, "a must be a number"),
        ({"depth": 1}, "depth must be a whole number from 2 up"),
    ],
)
def test_wrong_options_are_refused(options, message):
    """One sentence says what is wrong, after the name of the function."""
    with pytest.raises(cd.ArgumentError, match=f"^grades: {message}"):
        grades(**options)
