"""`stability`: golden values, literal loops, and what it says of measures and coefficients."""

from __future__ import annotations

import json
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import concordant as cd
from concordant.experiments.stability import bootstrap_tests

stability = cd.experiments.stability
GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "stability.json").read_text())
each_case = pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["id"])


@pytest.fixture(scope="module")
def three():
    """Scores of 8 systems on 12 topics by three measures, of which the last has much noise."""
    rng = np.random.default_rng(2)
    quality, difficulty = np.linspace(0.7, 0.3, 8), rng.normal(0, 0.1, (12, 1))
    noise = rng.normal(0, [[[0.05]], [[0.1]], [[0.3]]], (3, 12, 8))
    return cd.Scores(quality + difficulty + noise, measures=["AP", "P@10", "RR"])


@each_case
def test_golden_values(case, monkeypatch):
    """All subsets of few topics are used; resamples are those of the case."""
    (values,), options, expected = case["args"], case["kwargs"], case["value"]
    every = {"n_draws": 10_000, "topics": options.get("size", 2)}
    if case["function"] == "error_rate":
        found = stability(values, **every, fuzziness=options["fuzz"], of=options["of"]).rates[0]
        assert {name: getattr(found, name) for name in expected} == pytest.approx(expected, abs=1e-12)
    elif case["function"] == "swap_rate":
        monkeypatch.setattr(sys.modules["concordant.experiments.stability"], "_WIDTH", options["width"])
        rows, last = stability(values, **every).swaps, options["bins"] - 1
        numbers = [row.comparisons for row in rows]
        assert [*numbers[:last], sum(numbers[last:])] == expected["number"]
        for name in ("swap_rate", "conflict_rate"):
            counts = [round((getattr(row, name) or 0) * row.comparisons) for row in rows]
            shares = zip([*counts[:last], sum(counts[last:])], expected["number"], strict=True)
            assert [many / n if n else None for many, n in shares] == pytest.approx(expected[name])
    elif options["test"] == "t":
        found = stability(values, **every, alpha=options["level"])
        assert [row.pvalue for row in found.pvalues] == pytest.approx(expected["curve"], abs=1e-12)
        assert found.rates[0].power == expected["power"]
    else:
        drawn = np.array([np.bincount(row, minlength=len(values)) for row in options["resamples"]])
        pvalues, required = bootstrap_tests(np.array(values), drawn, options["level"])
        assert sorted(pvalues, reverse=True) == pytest.approx(expected["curve"], abs=1e-12)
        assert (pvalues < options["level"]).mean() == expected["power"]
        assert required == pytest.approx(expected["required"], abs=1e-12)


def test_coefficients_compare_pairs_of_measures(three):
    """The error over all subsets of 3 of 12 topics is that of a literal loop; so is the reference."""
    for reference, pairs in ((None, list(combinations(range(3), 2))), ("P@10", [(1, 0), (1, 2)])):
        result = stability(three, "tau_ap", topics=3, reference=reference, n_draws=220, fuzziness=0.1)
        wrong = tied = total = 0
        values = []
        for subset in combinations(range(12), 3):
            means = [cd.Scores(three.values[m][list(subset)]).mean() for m in range(3)]
            values.append([cd.tau_ap(means[i], means[j]) for i, j in pairs])
        for a, b in combinations(np.array(values).T, 2):
            close = np.abs(a - b) <= 0.1 * np.minimum(abs(a), abs(b)) + 1e-12
            wrong += min(((a > b) & ~close).sum(), ((a < b) & ~close).sum())
            tied, total = tied + close.sum(), total + len(a)
        (row,) = (row for row in result.rates if row.what == "coefficient")
        assert (row.name, row.error, row.ties) == ("tau_ap", wrong / total, tied / total)
        assert (row.comparisons, row.topics) == (total, 3)


def test_noise_costs_and_topics_help(three):
    """The noisy measure errs more, needs a larger difference, and tells less apart."""
    result = stability(three, topics=[3, 6], rng=1)
    rows = {(row.name, row.topics): row for row in result.rates}
    assert rows["AP", 6].error < rows["AP", 3].error < rows["RR", 3].error
    assert rows["AP", 6].difference_needed < (rows["RR", 6].difference_needed or 1)
    assert rows["AP", 6].power > rows["RR", 6].power >= rows["RR", 6].power_holm
    assert [row.topics for row in result.rates] == [3] * 7 + [6] * 7
    assert {row.name for row in result.swaps} == {name for name, _ in rows}
    shares = [row.pvalue < 0.05 for row in result.pvalues if row.name == "RR"]
    assert np.mean(shares) == rows["RR", 6].power


def test_the_difference_needed_is_where_swaps_stay_rare(three):
    """From there on no interval with comparisons has more than 5 % of swaps, and the one before has."""
    result = stability(three, topics=6, rng=1)
    for rate in result.rates:
        own = [row for row in result.swaps if row.name == rate.name and row.swap_rate is not None]
        many = [row.difference for row in own if row.swap_rate > 0.05]
        if rate.difference_needed is None:
            assert many[-1] == own[-1].difference
        else:
            assert rate.difference_needed == pytest.approx(max(many, default=-0.01) + 0.01)


def test_bootstrap_and_t_tests_tell_about_the_same_apart(three):
    """Without variance, a difference is always found; equal systems never."""
    t, bootstrap = (stability(three, test=test, rng=1).rates[0] for test in ("t", "bootstrap"))
    assert abs(t.power - bootstrap.power) < 0.2
    assert (t.required_difference, bootstrap.required_difference > 0) == (None, True)
    flat = np.tile([0.5, 0.5, 0.25], (6, 1))
    assert sorted(row.pvalue for row in stability(flat, test="bootstrap").pvalues) == [0, 0, 1]


def test_the_result_does_not_depend_on_workers_and_follows_the_seed(three):
    """With more subsets than draws these are random."""
    one = stability(three, n_draws=50, rng=3)
    assert one == stability(three, n_draws=50, rng=3, workers=2)
    assert one.rates != stability(three, n_draws=50, rng=4).rates


def test_what_is_left_out_is_said(three):
    """Two measures are one pair, which has nothing to be compared with; missing scores are set to 0."""
    values = three.values[:2].copy()
    values[0, 0, 0] = np.nan
    result = stability(cd.Scores(values, measures=["AP", "P@10"]), topics=8, n_draws=9)
    assert [note.kind for note in result.notes] == ["missing_as_zero", "too_few_measures"]
    assert {row.what for row in result.rates} == {"measure"}
    assert result.swaps == ()  # 8 topics and 8 others are more than 12


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"topics": 12}, "there are 12 topics; choose from 1 to 11, got [12]"),
        ({"topics": 0}, "topics must be a whole number from 1 up, got 0"),
        ({"n_draws": 0}, "n_draws must be a whole number from 1 up, got 0"),
        ({"n_resamples": 0}, "n_resamples must be a whole number from 1 up, got 0"),
        ({"fuzziness": -0.1}, "fuzziness must be a number from 0 up, got -0.1"),
        ({"of": "both"}, "of must be 'smaller', 'larger' or 'absolute', got 'both'"),
        ({"test": "z"}, "test must be 't' or 'bootstrap', got 'z'"),
        ({"alpha": 1}, "alpha must be a number between 0 and 1, got 1"),
        ({"reference": "MAP"}, "there is no measure 'MAP'"),
    ],
)
def test_wrong_options_are_refused(three, options, message):
    """One sentence says what is wrong, after the name of the function."""
    with pytest.raises(cd.ArgumentError) as error:
        stability(three, **options)
    assert str(error.value).startswith(f"stability: {message}")


def test_one_system_cannot_be_compared():
    """The message says how many there are."""
    with pytest.raises(cd.ArgumentError, match=r"^stability: needs at least two systems, got 1"):
        stability([[0.1], [0.2], [0.3]])
