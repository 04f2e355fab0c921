"""`swap`: swaps of both kinds, and what each costs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import concordant as cd
from concordant.statistics.significance import paired_t_tests

swap = cd.experiments.swap
KINDS = ("significant", "not significant")


def test_paired_t_tests_are_those_of_scipy(two_measures):
    """All pairs of systems at once give the p-values of single tests."""
    values = two_measures.values[0]
    found = paired_t_tests(values)
    for i in range(values.shape[1]):
        for j in range(i):
            assert found[i, j] == pytest.approx(stats.ttest_rel(values[:, i], values[:, j]).pvalue, rel=1e-9)
    assert (np.diag(found) == 1).all()


def test_pairs_are_swapped_within_their_kind(two_measures):
    """Large gaps cost tau_gap more than tau_ap, small ones less (Gao and Oard 2015)."""
    options = {"measure": "AP", "n_swaps": 2, "n_draws": 30, "rng": 1}
    result = swap(two_measures, ["tau_ap", "tau_gap"], **options)
    found = {(each.pairs, str(each.coefficient)): each for each in result}
    assert list(found) == [(kind, c) for kind in KINDS for c in ("tau_ap", "tau_gap")]
    assert found["significant", "tau_gap"].mean < found["not significant", "tau_gap"].mean
    for kind in KINDS:
        draw = [each for each in result.draws if each.pairs == kind]
        assert sorted(each.rank_after for each in draw) == list(range(1, 13))
        assert sum(each.rank != each.rank_after for each in draw) in (2, 3, 4)
    assert len(result.pairs) == 66
    assert result == swap(two_measures, ["tau_ap", "tau_gap"], **options, workers=2)


def test_the_values_are_those_of_a_literal_loop(two_measures):
    """The generator chooses pairs of one kind without replacement; their systems change places in turn."""
    result = swap(two_measures["AP"], ["tau_ap", "tau_b"], n_swaps=3, n_draws=7, alpha=0.01, rng=5)
    means = two_measures["AP"].mean()
    order = sorted(means, key=means.get, reverse=True)
    reference = np.array([means[s] for s in order])
    values = two_measures.values[0][:, [two_measures.systems.index(s) for s in order]]
    pairs = [(i, j) for i in range(12) for j in range(i + 1, 12)]
    pvalues = [paired_t_tests(values)[pair] for pair in pairs]
    source = np.random.default_rng(5)
    for kind, wanted in zip(KINDS, (True, False), strict=True):
        candidates = [k for k, p in enumerate(pvalues) if (p < 0.01) == wanted]
        found: dict[str, list[float]] = {"tau_ap": [], "tau_b": []}
        for _ in range(7):
            estimate = reference.copy()
            for k in source.choice(candidates, 3, replace=False):
                estimate[list(pairs[k])] = estimate[list(pairs[k])][::-1]
            for name, own in found.items():
                own.append(float(cd.coefficient(name)(reference, estimate)))
        for each in result:
            if each.pairs == kind:
                own = found[str(each.coefficient)]
                assert each.mean == pytest.approx(np.mean(own), abs=1e-12)
                assert each.sd == pytest.approx(np.std(own, ddof=1), abs=1e-12)
                assert (each.draws, each.undefined) == (7, 0)
    share = sum(p < 0.01 for p in pvalues) / 66
    (note,) = result.notes
    assert (note.kind, note.values["pairs"], note.values["alpha"]) == ("share_significant", 66, 0.01)
    assert note.values["share"] == pytest.approx(share)
    assert [each.pvalue for each in result.pairs] == pvalues


@pytest.mark.parametrize("name", ["tau_gap", "tau_b", "tau_ap_b", "tau_h", "pearson_rank", "pearson_r"])
def test_weights_are_the_costs_of_all_swaps(two_measures, name):
    """A weight is 1 - c after the swap, rescaled to run from 0 to 1."""
    result = swap(two_measures["P@10"], [name], n_swaps=1, n_draws=2)
    x = np.sort(list(two_measures["P@10"].mean().values()))[::-1]
    costs = []
    for each in result.weights:
        y = x.copy()
        y[[each.rank - 1, each.other_rank - 1]] = y[[each.other_rank - 1, each.rank - 1]]
        costs.append(1 - cd.coefficient(name)(x, y))
    low, high = min(costs), max(costs)
    expected = [(cost - low) / (high - low) for cost in costs]
    assert [each.weight for each in result.weights] == pytest.approx(expected, abs=1e-12)


@pytest.fixture(scope="module")
def tied():
    """Scores of 8 systems, two of which are the same."""
    values = np.random.default_rng(1).normal(np.linspace(1, 0, 8), 0.3, (20, 8))
    values[:, 4] = values[:, 3]
    return values


def test_tied_means_leave_coefficients_undefined_with_a_note(tied):
    """A coefficient that refuses ties has no values; the others have."""
    result = swap(tied, ["tau_ap", "tau_b"], n_swaps=2, n_draws=5, rng=1)
    found = {(each.pairs, str(each.coefficient)): each for each in result}
    assert found["significant", "tau_ap"].undefined == 5
    assert found["significant", "tau_ap"].mean is None
    assert found["significant", "tau_b"].mean is not None
    (note,) = (note for note in result.notes if note.kind == "undefined_swaps")
    assert str(note) == "tau_ap is undefined for 28 of 28 single swaps: there are ties"


def test_too_few_pairs_to_swap_are_noted(tied):
    """Where there are fewer pairs of a kind than swaps there is no value, and a note tells it."""
    result = swap(tied, ["tau_b"], n_swaps=25, n_draws=2, rng=1)
    notes = [note for note in result.notes if note.kind == "too_few_pairs"]
    assert notes
    for note in notes:
        assert str(note).endswith("significantly; 25 are to be swapped")
        (each,) = (each for each in result if each.pairs == note.values["kind"])
        assert (each.mean, each.draws, each.undefined) == (None, 0, None)


def test_missing_scores_count_as_0_with_a_note():
    """Only those of the chosen measure are counted."""
    values = np.random.default_rng(1).random((10, 6))
    values[2, 3] = np.nan
    notes = swap(values, ["tau_b"], n_swaps=1, n_draws=2, rng=1).notes
    assert [note.values for note in notes if note.kind == "missing_as_zero"] == [{"scores": 1}]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_swaps": 0}, "n_swaps must be a whole number from 1 up"),
        ({"n_draws": 0}, "n_draws must be a whole number from 1 up"),
        ({"alpha": 5}, "alpha must be a number between 0 and 1, got 5"),
        ({"measure": "RR"}, "there is no measure 'RR'"),
    ],
)
def test_wrong_options_are_refused(tied, options, message):
    """One sentence says what is wrong, after the name of the function."""
    with pytest.raises(cd.ArgumentError, match=f"^swap: {message}"):
        swap(tied, "tau_b", **options)
