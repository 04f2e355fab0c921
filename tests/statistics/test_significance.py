"""Which systems differ significantly: tests of pairs, as ties and as counts."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats

import concordant as cd
from concordant.statistics.significance import paired_t_tests


def scores(seed=0, n_topics=25, spread=0.3):
    rng = np.random.default_rng(seed)
    return rng.normal(np.linspace(0.5, 0.5 - spread, 6), 0.15, (n_topics, 6))


def test_t_tests_are_those_of_scipy():
    """Every pair of columns; columns that are the same have p = 1."""
    values = scores()
    found = paired_t_tests(values)
    for i, j in itertools.combinations(range(6), 2):
        assert found[i, j] == pytest.approx(scipy.stats.ttest_rel(values[:, i], values[:, j]).pvalue)
    assert paired_t_tests(np.ones((3, 2))).tolist() == [[1.0, 1.0], [1.0, 1.0]]


@pytest.mark.parametrize("correction", ["holm", "bh", None])
def test_the_relation_ties_what_does_not_differ_significantly(correction):
    """After the correction, with the labels of the systems."""
    values = cd.Scores(scores(spread=0.25), systems=list("abcdef"))
    relation = cd.tied_by_significance(values, 0.05, correction=correction)
    plain = paired_t_tests(values.values[0])
    upper = np.triu_indices(6, 1)
    expected = plain[upper] if correction is None else cd.adjust_pvalues(plain[upper], correction)
    assert relation.pvalues[upper] == pytest.approx(expected)
    assert (relation.tied[upper] == (expected >= 0.05)).all()
    assert relation.labels == tuple("abcdef")
    assert 0 < relation.n_tied < 15
    reordered = dict(reversed(list(values.mean().items())))
    assert cd.tau_b(reordered, values.mean(), threshold=relation) == 1


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"alpha": 5}, "^tied_by_significance: alpha must be a number between 0 and 1, got 5"),
        ({"correction": "bonferroni"}, "'holm', 'bh', 'by' or None"),
    ],
)
def test_wrong_options_are_refused(how, message):
    """In a sentence that begins with the name of the function."""
    with pytest.raises(cd.ArgumentError, match=message):
        cd.tied_by_significance(scores(), **how)


def test_means_that_differ_by_rounding_only_are_tied():
    """0.1 + 0.2 and 0.3 differ by nothing that a topic says."""
    level = np.linspace(0, 1, 10)
    a = np.column_stack([np.full(10, 0.1 + 0.2), np.full(10, 0.3), level])
    b = np.column_stack([np.full(10, 0.2), np.full(10, 0.3), level])
    assert cd.tied_by_significance(a, correction=None).tied[0, 1]
    assert not cd.tied_by_significance(b, correction=None).tied[0, 1]


@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1e160, 1e300])
def test_the_scale_of_scores_does_not_matter(scale):
    """Squares of scores neither overflow nor vanish."""
    values = scores()
    expected = cd.tied_by_significance(values, correction="bh")
    found = cd.tied_by_significance(values * scale, correction="bh")
    np.testing.assert_allclose(found.pvalues, expected.pvalues, atol=1e-9)


def test_one_huge_system_does_not_hide_the_others():
    """Rounding is relative to the two systems of a pair."""
    b = np.random.default_rng(1).random(12)
    table = np.column_stack([np.full(12, 1e30), b, b - 0.3])
    found = cd.tied_by_significance(table, correction=None)
    assert found.pvalues[1, 2] < 1e-9


def test_missing_scores_and_single_topics_are_refused():
    """Neither can be tested."""
    values = scores()
    values[3, 2] = math.nan
    with pytest.raises(cd.ArgumentError, match="missing for topic"):
        cd.tied_by_significance(values)
    with pytest.raises(cd.ArgumentError, match="a test needs at least two topics, got 1"):
        cd.tied_by_significance({"a": 1, "b": 2})
