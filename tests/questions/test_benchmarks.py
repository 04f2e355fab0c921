"""A ranking among many without topics: rows, decisions, aggregates, causes, sizes, Kendall's W."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from support.program import run

import concordant as cd
from concordant.experiments.simulate import benchmark_scores
from concordant.statistics.several_rankings import with_others

MODELS = [f"m{k:02d}" for k in range(30)]


def board(rng, error=0.3, n=30):
    ability = np.linspace(2, -2, 30)
    scores = ability + error * rng.normal(size=30)
    return {MODELS[k]: float(scores[k]) for k in np.sort(rng.permutation(30)[:n])}


@pytest.fixture(scope="module")
def made():
    """A new benchmark, seven others of 24 models, and one that shares three models."""
    rng = np.random.default_rng(7)
    new, others = board(rng), {f"b{k}": board(rng, n=24) for k in range(7)}
    others["tiny"] = dict(list(board(rng).items())[:3])
    return new, others


@pytest.fixture(scope="module")
def result(made):
    new, others = made
    return cd.correlate(cd.Study(new, others, on_missing="drop"))


def test_tau_b_comes_first_without_topics(result):
    assert result.options["coefficients"] == ["tau_b", "tau_ap_b"]
    two = cd.correlate(
        {"a": 3, "b": 2, "c": 1}, {"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 1, "b": 2, "c": 3}}
    )
    assert two.options["coefficients"] == ["tau_ap_b", "tau_b"]
    assert two.standing is None


def test_rows_are_sorted_and_say_on_how_many_models(result, made):
    grid = result.answer()
    assert [str(head).split(" [")[0] for head in grid.header] == [
        *("estimate", "tau_b", "tau_ap_b", "n", "top 10", "winner", "others", "aggregate"),
    ]
    values = [row[1].value for row in grid.rows[:7]]
    assert values == sorted(values, reverse=True)
    assert [row[3] for row in grid.rows[:8]] == [24] * 7 + [3]
    new, others = made
    for row in grid.rows[:7]:
        shared = [model for model in new if model in others[row[0]]]
        expected = cd.tau_b([new[m] for m in shared], [others[row[0]][m] for m in shared])
        assert row[1].value == pytest.approx(expected)


def test_too_few_models_have_no_value(result):
    (row,) = (
        each for each in result.agreement if each.estimate == "tiny" and str(each.coefficient) == "tau_b"
    )
    assert math.isnan(row.value)
    assert (row.n, row.undefined, row.interval, row.pvalue) == (3, "only 3 systems in common", None, None)
    assert "tiny" not in {each.estimate for each in result.judges}
    assert "tiny shares fewer than 5 systems with it: too few for a value." in result.verdict
    assert json.loads(result.to_json())["tables"]["agreement"][-1]["value"] is None


def test_no_model_in_common_is_told_too(made):
    new, others = made
    alien = {f"x{k}": k for k in range(6)}
    more = {"alien": alien, "both": alien | others["b0"]}
    found = cd.correlate(cd.Study(new, {**others, **more}, on_missing="drop"), resampling=None)
    assert "alien" not in {each.estimate for each in found.agreement}
    told = "alien: left out: fewer than two systems have a score on both sides by score"
    assert told in " ".join(str(found).split())


def test_the_aggregate_of_each_is_without_itself(result, made):
    """As `with_others` has it; that of the new benchmark has all others."""
    new, others = made
    every = dict.fromkeys(m for scores in (new, *others.values()) for m in scores)
    table = np.array([[scores.get(m, math.nan) for m in every] for scores in (new, *others.values())])
    c = cd.coefficient("tau_b")
    expected = dict(zip(others, with_others(table[1:], "win_rate", c), strict=True))
    for each in result.judges:
        value, n = expected[each.estimate]
        assert (each.aggregate, each.aggregate_n) == (pytest.approx(value), n)
    (standing,) = result.standing
    value, n = with_others(table, "win_rate", c)[0]
    assert (standing.aggregate, standing.aggregate_n) == (pytest.approx(value), n)


def test_the_new_benchmark_is_taken_out_of_the_others(made):
    new, others = made
    found = cd.correlate(cd.Study(new, {**others, "copy": new}, on_missing="drop"), resampling=None)
    assert "copy" not in {each.estimate for each in found.agreement}
    assert [note.values for note in found.notes if note.kind == "itself_left_out"] == [
        {"estimates": ["copy"]}
    ]
    alone = cd.correlate(new, {"copy": new}, resampling=None)
    assert alone.agreement[0].value == 1


def test_a_benchmark_like_the_others_is_not_told_apart(result):
    (standing,) = result.standing
    assert standing.decision == "not told apart"
    assert standing.interval.low < 0 < standing.interval.high
    assert standing.difference == pytest.approx(standing.agreement - standing.others)
    assert result.verdict[0].startswith("The reference is not told apart from the other 7 rankings: tau_b 0.")


def test_the_planted_benchmark_and_its_models_are_found():
    made = benchmark_scores(rng=1)
    new = made.pop("new")
    found = cd.correlate(cd.Study(new, made, on_missing="drop"))
    assert found.standing[0].decision == "less"
    assert "agrees less with the other 9 rankings than these do with each other" in found.verdict[0]
    worst = [each.system for each in found.causes[:4]]
    assert all(name.endswith("-chat") for name in worst)
    assert found.beside[0].startswith("Disagreement: mean tau_b is 0.")


def test_causes_are_means_without_each_model(result, made):
    new, others = made
    shared = {name: [m for m in new if m in scores] for name, scores in others.items() if name != "tiny"}

    def mean(without):
        kept = {name: [m for m in own if m != without] for name, own in shared.items()}
        values = [
            cd.tau_b([new[m] for m in own], [others[name][m] for m in own]) for name, own in kept.items()
        ]
        return float(np.mean(values))

    for each in (result.causes[0], result.causes[-1]):
        assert each.value == pytest.approx(mean(None))
        assert each.without == pytest.approx(mean(each.system))
        assert each.benchmarks == sum(each.system in own for own in shared.values())


def test_kendalls_w_of_all_rankings(made):
    """Of complete rankings it is that of all; `matrix` has the same."""
    rng = np.random.default_rng(3)
    boards = {f"b{k}": board(rng) for k in range(5)}
    found = cd.correlate(boards["b0"], {name: scores for name, scores in boards.items() if name != "b0"})
    (standing,) = found.standing
    of_means = cd.Study.of_sides(boards)
    square = cd.matrix(of_means, "tau_b")
    assert square.kendall_w == pytest.approx(standing.kendall_w)
    assert (square.kendall_n, standing.kendall_n) == (30, 30)
    ranks = np.array([[sum(v <= own for v in b.values()) for own in b.values()] for b in boards.values()])
    s = ((ranks.sum(axis=0) - ranks.sum() / 30) ** 2).sum()
    assert standing.kendall_w == pytest.approx(12 * s / (25 * (30**3 - 30)))  # without ties
    assert any(
        sentence.startswith("Kendall's W of all 5 rankings on 30 systems is 0.9")
        for sentence in square.verdict
    )
    assert cd.matrix({"a": [1, 2, 3], "b": [2, 1, 3]}, "tau_b").kendall_w is None


def test_sizes_have_the_three_ways(result):
    assert {each.drawn for each in result.sizes} == {"random", "top", "adjacent"}
    assert {each.n for each in result.sizes} == {5, 7, 10, 15, 20, 24}
    assert {each.benchmarks for each in result.sizes} == {7}


def test_the_same_seed_gives_the_same_result(made):
    new, others = made
    study = cd.Study(new, others, on_missing="drop")
    one, two = (cd.correlate(study, resampling=cd.Resampling(rng=5)).to_dict() for _ in range(2))
    assert one["tables"] == two["tables"]


def test_the_figures_show_all_rows(result):
    pytest.importorskip("vl_convert")
    from concordant.figures.draw import spec_of

    judges = spec_of(result, "judges")
    assert "not told apart from the others" in " ".join(judges["title"]["text"])
    assert len(judges["datasets"]["own_judges"]) == 14  # two coefficients


def test_the_command_takes_the_reference_out_of_its_own_folder(made, tmp_path):
    new, others = made
    for name, scores in {"new": new, **others}.items():
        text = "".join(f"{model},{score}\n" for model, score in scores.items())
        (tmp_path / f"{name}.csv").write_text(f"model,score\n{text}")
    files = sorted(path.name for path in tmp_path.glob("*.csv"))
    ended = run("correlate", "new.csv", *files, "--on-missing", "drop", "--format", "json", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    answer = json.loads(ended.stdout)
    assert len({row["estimate"] for row in answer["tables"]["agreement"]}) == 8
    assert "the reference itself, new.csv, was left out of the estimates" in str(answer["notes"])
    twice = run("correlate", "new.csv", "new.csv", cwd=tmp_path)
    assert "is given twice" in twice.stderr
