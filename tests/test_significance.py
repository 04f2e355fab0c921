"""Ties by a relation: as thresholds where these make it, literally where they do not; and tests of pairs of systems."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import pairs_with_thresholds

import concordant as cd
from concordant._reference import sign
from concordant.significance import paired_randomisation_tests, paired_t_tests

WITH_TIES = [cd.tau_a, cd.tau_b, cd.tau_e, cd.tau_ap_a, cd.tau_ap_b, cd.tau_ap_e]


def relation_of(values, w):
    n = len(values)
    return cd.TieRelation(
        np.array(
            [[sign(values[i], values[j], w) == 0 for j in range(n)] for i in range(n)], dtype=bool
        ).reshape(n, n)
    )


@given(pairs_with_thresholds(min_size=2, max_size=9))
@settings(max_examples=200, deadline=None)
@pytest.mark.filterwarnings("ignore::concordant.UndefinedWarning")
def test_a_relation_made_by_thresholds_gives_what_thresholds_give(case):
    x, y, (w_x, w_y) = case
    r_x, r_y = relation_of(x, w_x), relation_of(y, w_y)
    for f in WITH_TIES:
        expected = f(x, y, threshold=(w_x, w_y))
        for ties in ((r_x, r_y), (r_x, w_y), (w_x, r_y)):
            assert f(x, y, threshold=ties) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    neutral = {"tied": "neutral"}
    assert cd.tau_ap_b(x, y, threshold=(r_x, r_y), **neutral) == pytest.approx(
        cd.tau_ap_b(x, y, threshold=(w_x, w_y), **neutral), abs=1e-12, nan_ok=True
    )
    for f in (cd.tau_ap_a, cd.tau_ap_e):
        both = f(x, y, threshold=(r_x, r_y), symmetric=True)
        assert both == pytest.approx(f(x, y, threshold=(w_x, w_y), symmetric=True), abs=1e-12, nan_ok=True)
    assert cd.counts(x, y, threshold=(r_x, r_y)) == cd.counts(x, y, threshold=(w_x, w_y))


# --- literal definitions under any relation ------------------------------------------------------------------------


def signs(values, tied):
    n = len(values)
    return [[0 if tied[i][j] else int(np.sign(values[i] - values[j])) for j in range(n)] for i in range(n)]


def literal(name, x, y, s_x, s_y):
    """DEFINITIONS of the threshold forms with "tied" replaced; None where there is no value."""
    n = len(x)
    pairs = list(itertools.combinations(range(n), 2))
    net = sum(s_x[i][j] * s_y[i][j] for i, j in pairs)
    if name == "tau_a":
        return Fraction(net, len(pairs))
    if name == "tau_b":
        untied = [sum(s[i][j] != 0 for i, j in pairs) for s in (s_x, s_y)]
        return net / math.sqrt(untied[0] * untied[1]) if all(untied) else None
    if name == "tau_e":
        return Fraction(2 * sum(s_x[i][j] == s_y[i][j] for i, j in pairs), len(pairs)) - 1
    if name == "tau_ap_b":
        sides = []
        for walked, other in ((s_y, s_x), (s_x, s_y)):
            above = [[j for j in range(n) if walked[j][i] == 1] for i in range(n)]
            means = [
                Fraction(sum(1 if other[j][i] == 1 else -1 for j in above[i]), len(above[i]))
                for i in range(n)
                if above[i]
            ]
            if not means:
                return None
            sides.append(sum(means) / len(means))
        return sum(sides) / 2
    assert name == "tau_ap_e"
    total, count = Fraction(0), 0
    groups = [[i for i in range(n) if y[i] == v] for v in sorted(set(y), reverse=True)]
    for parts in itertools.product(*map(itertools.permutations, groups)):
        order, count = list(itertools.chain(*parts)), count + 1
        for place in range(1, n):
            i = order[place]
            total += Fraction(sum(s_x[j][i] == s_y[j][i] for j in order[:place]), place)
    return 2 * total / count / (n - 1) - 1


@st.composite
def relations(draw):
    n = draw(st.integers(2, 5))
    x, y = (draw(st.lists(st.integers(0, 4).map(float), min_size=n, max_size=n)) for _ in range(2))
    tied = []
    for _ in range(2):
        one = np.eye(n, dtype=bool)
        for i, j in itertools.combinations(range(n), 2):
            one[i, j] = one[j, i] = draw(st.booleans())
        tied.append(one)
    return x, y, *tied


@given(relations())
@settings(max_examples=200, deadline=None)
@pytest.mark.filterwarnings("ignore::concordant.UndefinedWarning")
def test_any_relation_gives_the_definition_with_tied_replaced(case):
    x, y, tied_x, tied_y = case
    s_x, s_y = signs(x, tied_x), signs(y, tied_y)
    ties = cd.TieRelation(tied_x), cd.TieRelation(tied_y)
    for name in ("tau_a", "tau_b", "tau_e", "tau_ap_b", "tau_ap_e"):
        expected = literal(name, x, y, s_x, s_y)
        found = getattr(cd, name)(x, y, threshold=ties)
        assert found == pytest.approx(
            math.nan if expected is None else float(expected), abs=1e-12, nan_ok=True
        )


def test_stepping_needs_equal_tied_sets_that_stand_together():
    """1 and 3 are tied with the same items, those two; 2 stands between them."""
    tied = np.eye(4, dtype=bool)
    tied[0, 2] = tied[2, 0] = True
    x = [4.0, 3.0, 2.0, 1.0]
    with pytest.raises(ValueError, match=r"tau_ap_a: stepping is not defined.*use tau_ap_b or tau_ap_e"):
        cd.tau_ap_a(x, x, threshold=cd.TieRelation(tied))
    adjacent = np.eye(4, dtype=bool)
    adjacent[1, 2] = adjacent[2, 1] = True
    expected = cd.tau_ap_a([4, 2.5, 2.5, 1], [4, 2.5, 2.5, 1])
    assert cd.tau_ap_a(x, x, threshold=cd.TieRelation(adjacent)) == pytest.approx(expected)


def test_stepping_needs_equal_scores_to_be_tied_with_the_same_items():
    tied = np.eye(3, dtype=bool)
    tied[0, 2] = tied[2, 0] = True
    with pytest.raises(ValueError, match="stepping is not defined"):
        cd.tau_ap_a([3.0, 2.0, 1.0], [2.0, 2.0, 1.0], threshold=(0.0, cd.TieRelation(tied)))


def test_a_relation_is_aligned_by_label():
    tied = np.eye(3, dtype=bool)
    tied[0, 1] = tied[1, 0] = True
    relation = cd.TieRelation(tied, labels=("a", "b", "c"))
    x, y = {"c": 1, "b": 2, "a": 3}, {"a": 2, "b": 3, "c": 1}
    assert cd.counts(x, y, threshold=relation) == (2, 0, 0, 0, 1)
    with pytest.raises(ValueError, match="only in the rankings: 'd'"):
        cd.tau_b({"a": 1, "b": 2, "d": 3}, {"a": 1, "b": 2, "d": 3}, threshold=relation)


def test_a_relation_does_not_change_with_the_array_it_was_made_of():
    own = np.eye(3, dtype=bool)
    relation = cd.TieRelation(own)
    own[0, 1] = True
    assert not relation.tied[0, 1]
    with pytest.raises(ValueError, match="read-only"):
        relation.tied[0, 1] = True


def test_one_relation_holds_for_every_row_of_a_batch():
    rng = np.random.default_rng(0)
    x, y = rng.random(6), rng.random((4, 6))
    relation = relation_of(x, 0.3)
    rows = [cd.tau_ap_b(x, row, threshold=(relation, 0.0)) for row in y]
    assert cd.tau_ap_b(x, y, threshold=(relation, 0.0)).tolist() == rows


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cd.TieRelation([[True, False]]), "square array"),
        (lambda: cd.TieRelation([[1.0, 0.0], [0.0, 1.0]]), "square array of True and False"),
        (lambda: cd.TieRelation([[True, True], [False, True]]), "symmetric"),
        (lambda: cd.TieRelation([[False]]), "tied with itself"),
        (lambda: cd.TieRelation([[True]], labels=["a", "b"]), "2 labels for 1 items"),
        (lambda: cd.TieRelation(np.eye(2, dtype=bool), labels=["a", "a"]), "two items have the same label"),
        (lambda: cd.tau_b([1, 2, 3], [1, 2, 3], threshold=cd.TieRelation([[True]])), "between 1 items and the rankings have 3"),
        (lambda: cd.tau_b([1, 2], [1, 2], threshold=(cd.TieRelation(np.eye(2, dtype=bool)), -1)), "threshold must be"),
        (lambda: cd.profile([1, 2], [1, 2], threshold=cd.TieRelation(np.eye(2, dtype=bool))), "threshold must be"),
    ],
)  # fmt: skip
def test_relations_that_are_none_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# --- tests of pairs of systems -------------------------------------------------------------------------------------


def scores(seed=0, n_topics=25, spread=0.3):
    rng = np.random.default_rng(seed)
    return rng.normal(np.linspace(0.5, 0.5 - spread, 6), 0.15, (n_topics, 6))


def test_t_tests_are_those_of_scipy():
    values = scores()
    found = paired_t_tests(values)
    for i, j in itertools.combinations(range(6), 2):
        assert found[i, j] == pytest.approx(scipy.stats.ttest_rel(values[:, i], values[:, j]).pvalue)
    assert paired_t_tests(np.ones((3, 2))).tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_randomisation_tests_with_few_topics_are_exact():
    values = scores(n_topics=8)
    found = paired_randomisation_tests(values, 999, np.random.default_rng(0))
    for i, j in itertools.combinations(range(6), 2):
        theirs = scipy.stats.permutation_test(
            (values[:, i], values[:, j]),
            lambda a, b: np.mean(a - b),
            permutation_type="samples",
            vectorized=False,
        )
        assert found[i, j] == found[j, i] == pytest.approx(theirs.pvalue)


def test_random_randomisation_tests_are_close_to_t_tests_and_obey_the_seed():
    values = scores(n_topics=40, spread=0.2)
    found = paired_randomisation_tests(values, 4000, np.random.default_rng(1))
    assert np.abs(found - paired_t_tests(values)).max() < 0.03
    again = cd.tied_by_significance(values, test="randomisation", correction="bh", rng=1)
    same = cd.tied_by_significance(values, test="randomisation", correction="bh", rng=1)
    assert (again.pvalues == same.pvalues).all()
    other = cd.tied_by_significance(values, test="randomisation", correction="bh", rng=2)
    assert (again.pvalues != other.pvalues).any()


@pytest.mark.parametrize("correction", ["holm", "bh", None])
def test_the_relation_ties_what_does_not_differ_significantly(correction):
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


def test_holm_after_too_few_random_exchanges_is_refused():
    with pytest.raises(ValueError, match="use more resamples, test='t' or correction='bh'"):
        cd.tied_by_significance(scores(), test="randomisation", n_resamples=200)
    with pytest.raises(ValueError, match="use more topics"):
        cd.tied_by_significance(scores(n_topics=5), test="randomisation")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"alpha": 5}, "alpha must be a number between 0 and 1, got 5"),
        ({"test": "z"}, "'t' or 'randomisation', got 'z'"),
        ({"correction": "bonferroni"}, "'holm', 'bh' or None"),
    ],
)
def test_wrong_options_are_refused(how, message):
    with pytest.raises(ValueError, match=message):
        cd.tied_by_significance(scores(), **how)


@pytest.mark.parametrize("test", ["t", "randomisation"])
def test_means_that_differ_by_rounding_only_are_tied(test):
    """0.1 + 0.2 and 0.3 differ by nothing that a topic says."""
    level = np.linspace(0, 1, 10)
    a = np.column_stack([np.full(10, 0.1 + 0.2), np.full(10, 0.3), level])
    b = np.column_stack([np.full(10, 0.2), np.full(10, 0.3), level])
    assert cd.tied_by_significance(a, test=test, correction=None, rng=1).tied[0, 1]
    assert not cd.tied_by_significance(b, test=test, correction=None, rng=1).tied[0, 1]
    assert cd.significant_pairs(a[:, :2], b[:, :2], test=test, correction=None, rng=1).estimate_only == 1


@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1e160, 1e300])
@pytest.mark.parametrize("test", ["t", "randomisation"])
def test_the_scale_of_scores_does_not_matter(test, scale):
    values = scores()
    expected = cd.tied_by_significance(values, test=test, correction="bh", rng=1)
    found = cd.tied_by_significance(values * scale, test=test, correction="bh", rng=1)
    np.testing.assert_allclose(found.pvalues, expected.pvalues, atol=1e-9)


def test_one_huge_system_does_not_hide_the_others():
    b = np.random.default_rng(1).random(12)
    table = np.column_stack([np.full(12, 1e30), b, b - 0.3])
    found = cd.tied_by_significance(table, test="randomisation", correction=None, rng=1)
    assert found.pvalues[1, 2] == 2 / 2**12


def test_missing_scores_and_single_topics_are_refused():
    values = scores()
    values[3, 2] = math.nan
    with pytest.raises(ValueError, match="missing for topic"):
        cd.tied_by_significance(values)
    with pytest.raises(ValueError, match="two topics at least"):
        cd.tied_by_significance({"a": 1, "b": 2})


def test_pairs_are_counted_by_where_they_differ_significantly():
    truth, estimate = scores(1), scores(2) + np.array([0, 0, 0.5, 0, 0, 0])
    found = cd.significant_pairs(truth, estimate)
    counts = dict.fromkeys(("agree", "opposed", "truth_only", "estimate_only", "neither"), 0)
    x, y = (cd.tied_by_significance(side) for side in (truth, estimate))
    for i, j in itertools.combinations(range(6), 2):
        in_x, in_y = not x.tied[i, j], not y.tied[i, j]
        same = (truth[:, i].mean() > truth[:, j].mean()) == (estimate[:, i].mean() > estimate[:, j].mean())
        kind = (
            ("agree" if same else "opposed")
            if in_x and in_y
            else "truth_only"
            if in_x
            else "estimate_only"
            if in_y
            else "neither"
        )
        counts[kind] += 1
    assert {name: getattr(found, name) for name in counts} == counts
    assert found.n_pairs == 15
    assert min(counts["agree"], counts["opposed"], counts["neither"]) > 0
    assert "\n" not in repr(found)


def test_pairs_are_counted_on_the_topics_that_both_sides_have():
    truth, estimate = cd.Scores(scores(1)), cd.Scores(scores(2)[:12], topics=range(1, 13))
    found = cd.significant_pairs(truth, estimate)
    same = cd.significant_pairs(truth.select(topics=truth.topics[:12]), estimate)
    assert (found.agree, found.truth_only, found.neither) == (same.agree, same.truth_only, same.neither)
    assert found.notes[0].startswith("left out topics that not all sides have: 13, 14")
    assert same.notes == ()
    with pytest.raises(ValueError, match="no topic in common"):
        cd.significant_pairs(truth, cd.Scores(scores(2), topics=[f"q{t}" for t in range(25)]))
