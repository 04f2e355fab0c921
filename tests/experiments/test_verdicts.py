"""The answers of experiments in words: every number is that of its record."""

from __future__ import annotations

import numpy as np
import pytest
from support.verdicts import changed, wrong

import concordant as cd


def two_measures() -> cd.Scores:
    """Return scores of 10 systems on 20 topics."""
    values = np.random.default_rng(0).normal(np.linspace(0.7, 0.3, 10), 0.1, (2, 20, 10))
    return cd.Scores(values, measures=["AP", "RR"], systems=[f"s{k}" for k in range(10)])


def three_measures() -> cd.Scores:
    """Return the same, and the mean of both measures."""
    two = two_measures()
    values = np.concatenate([two.values, two.values.mean(axis=0, keepdims=True)])
    return cd.Scores(values, measures=["AP", "RR", "both"], systems=two.systems)


RESULTS = {
    "predict": lambda _: cd.experiments.predict(two_measures(), ["tau_b", "tau_ap_b"], n_splits=20),
    "predict one": lambda _: cd.experiments.predict(two_measures()["AP"], "tau_b", n_splits=20),
    "swap": lambda _: cd.experiments.swap(two_measures(), measure="AP", n_draws=5),
    "gaps": lambda _: cd.experiments.gaps(n_pairs=200),
    "pool": lambda folder: cd.experiments.pool(
        folder / "human.qrels", folder / "runs" / "*", percents=[10, 50, 100], n_replicates=2
    ),
    "grades": lambda folder: cd.experiments.grades(folder / "human.qrels", folder / "runs" / "*"),
    "stability": lambda _: cd.experiments.stability(three_measures(), n_draws=20, n_resamples=20),
    "reuse": lambda folder: cd.experiments.reuse(folder / "human.qrels", folder / "runs" / "*", depth=10),
}


@pytest.mark.parametrize("experiment", RESULTS)
def test_every_number_of_a_verdict_is_that_of_its_record(experiment, folder, tmp_path):
    """No other number would be accepted; and a result that was saved says the same."""
    result = RESULTS[experiment](folder)
    assert result.verdict
    assert wrong(result) == []
    others = list(changed(result.verdict))
    assert len(others) > 3
    assert [other for other in others if not wrong(result, other)] == []
    result.save(tmp_path / "result.json")
    assert cd.experiments.load(tmp_path / "result.json").verdict == result.verdict


def test_the_best_and_the_worst_prediction():
    """By the mean of the main coefficient."""
    result = RESULTS["predict"](None)
    rows = [row for row in result.predictions if str(row.coefficient) == "tau_b"]
    high = max(rows, key=lambda row: row.mean)
    target = "itself" if high.reference == high.estimate else high.reference
    said = f"{high.estimate} predicts {target} best across random halves of 20 topics"
    assert result.verdict[0].startswith(f"{said}, with a mean tau_b of {high.mean:.2f}")


def test_swaps_of_both_kinds():
    """Those of pairs that do not differ significantly come first."""
    result = RESULTS["swap"](None)
    means = {(row.pairs, str(row.coefficient)): row.mean for row in result.swaps}
    c = "pearson_r"
    assert f"{c} {means['not significant', c]:.2f} and {means['significant', c]:.2f}" in result.verdict[0]


def test_a_coefficient_without_a_value_says_so():
    """All scores the same: one for which ties are an error has none."""
    flat = cd.Scores(np.ones((3, 4)), systems=list("abcd"))
    assert cd.experiments.predict(flat, "tau_b", n_splits=5).verdict == (
        "tau_b is undefined for all splits of 3 topics.",
    )


def test_equal_predictions_have_no_best_and_worst():
    """All have the same mean."""
    values = np.tile(np.linspace(1, 0, 5), (2, 8, 1))
    scores = cd.Scores(values, measures=["AP", "RR"], systems=list("abcde"))
    assert cd.experiments.predict(scores, "tau_b", n_splits=5).verdict == (
        "All 4 predictions across random halves of 8 topics have a mean tau_b of 1.00.",
    )


@pytest.mark.parametrize("n_swaps", [1, 5])
def test_swaps_that_cannot_be_made(n_swaps):
    """Three systems that all differ: no pair does not differ, and there are no five pairs."""
    values = np.random.default_rng(0).normal([0.9, 0.5, 0.1], 0.01, (20, 3))
    (said,) = cd.experiments.swap(cd.Scores(values, systems=list("abc")), n_swaps=n_swaps, n_draws=5).verdict
    if n_swaps == 5:
        start = (
            "There is no value after swaps of 5 pairs that do not differ significantly and of 5 pairs that do"
        )
        assert said == f"{start}; the notes say why."
    else:
        assert said.startswith(
            "Mean values after swaps of 1 pair that does not differ significantly and of 1 pair that does: "
        )


def test_a_system_without_a_group_brought_judgements_itself(folder):
    """A group is only told of where runs were grouped."""
    runs = folder / "human.qrels", folder / "runs" / "*"
    assert "only the system itself brought" in cd.experiments.reuse(*runs, depth=10).verdict[0]
    grouped = cd.experiments.reuse(*runs, depth=10, group_by="^[^-]+")
    assert "only a system's own group brought" in grouped.verdict[0]
