"""Accuracies of metrics, tests of two metrics, and clusters, by golden values and by literal references."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from reference import metrics as literal
from support import examples

import concordant as cd
from concordant.statistics import metric_accuracy

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "metrics.json").read_text(encoding="utf-8"))


def cases(function):
    """Return the golden cases of a function."""
    return [pytest.param(each, id=each["id"]) for each in GOLDEN if each["function"] == function]


def near(value):
    """Return what a golden value, or a fraction, is compared with."""
    return pytest.approx(math.nan if value is None else float(value), abs=1e-12, nan_ok=True)


def array(table):
    """Return a table with nan for None."""
    return np.array(table, dtype=float)


@pytest.mark.parametrize("case", cases("acc_eq"))
def test_golden_values_of_acc_eq(case):
    """At two thresholds, and calibrated."""
    found, by = cd.calibrate_ties(*case["args"], **case["kwargs"]), case["kwargs"]["by"]
    pairs = metric_accuracy.pairs_of_groups(*metric_accuracy.both_tables(*case["args"]), by)
    at_half = metric_accuracy.share_of(metric_accuracy.right_at(pairs, 0.5), pairs)
    found = {"at_0": found.without_ties, "epsilon": found.epsilon, "accuracy": found.accuracy}
    assert {**found, "at_half": at_half} == {key: near(value) for key, value in case["value"].items()}


@pytest.mark.parametrize("case", cases("calibrate"))
def test_golden_values_of_calibration(case):
    """Groups of different sizes count alike."""
    size = max(len(human) for human, _ in case["args"])
    sides = [[own[k] + [None] * (size - len(own[k])) for own in case["args"]] for k in (0, 1)]
    human, metric = (np.array(side, dtype=float).T for side in sides)
    found = cd.calibrate_ties(human, np.nan_to_num(metric))
    assert found.epsilon == near(case["value"]["epsilon"])
    assert found.accuracy == near(case["value"]["accuracy"])
    assert found.without_ties == near(case["value"]["at 0"])


@pytest.mark.parametrize("case", cases("pairwise_accuracy"))
def test_golden_values_of_pairwise_accuracy(case):
    """Language pairs are pooled."""
    human, metric = zip(*case["args"][0], strict=True)
    assert cd.pairwise_accuracy(list(human), list(metric)) == near(case["value"])


@pytest.mark.parametrize("case", cases("soft_pairwise_accuracy"))
def test_golden_values_of_soft_pairwise_accuracy(case):
    """With all flips."""
    assert cd.soft_pairwise_accuracy(*case["args"], **case["kwargs"]) == near(case["value"])


def permuted(human, first, second, unit):
    """Return second - first pairwise accuracy after each exchange, and their p-value."""
    z = np.array([metric_accuracy.standardised(human, own) for own in (first, second)])
    exchanges = metric_accuracy.exchanges_of(human, unit, 10, None)
    null = metric_accuracy.null_deltas(human, z, exchanges, None)[0]
    delta = cd.pairwise_accuracy(human, second) - cd.pairwise_accuracy(human, first)
    return delta, metric_accuracy.pvalue_of_delta(delta, null, exchanges.exact)


OF_SYSTEMS = [each for each in cases("perm_both") if each.values[0]["kwargs"]["statistic"] != "acc_eq"]


@pytest.mark.parametrize("case", OF_SYSTEMS)
def test_golden_values_of_perm_both(case):
    """All exchanges of cells, items or systems; for acc_eq, the test of outcomes takes its place."""
    delta, pvalue = permuted(*map(array, case["args"]), case["kwargs"]["unit"])
    assert (delta, pvalue) == (near(case["value"]["delta"]), near(case["value"]["p"]))


def outcomes(human, metric, epsilon, by):
    """Return which pairs are right."""
    return metric_accuracy.outcomes_of(metric_accuracy.pairs_of_groups(human, metric, by), epsilon)


@pytest.mark.parametrize("case", cases("perm_pairs"))
def test_golden_values_of_perm_pairs(case):
    """Each metric keeps its epsilon."""
    (human, *metrics), by = map(array, case["args"]), case["kwargs"]["by"]
    both = zip(metrics, case["kwargs"]["epsilon"], strict=True)
    found = metric_accuracy.compared_outcomes(*(outcomes(human, own, epsilon, by) for own, epsilon in both))
    assert float(found.delta) == near(case["value"]["delta"])
    assert found.pvalue(10, np.random.default_rng(0)) == near(case["value"]["p"])


@pytest.mark.parametrize("case", cases("clusters"))
def test_golden_values_of_clusters(case):
    """By both rules."""
    values, pvalues = case["args"]
    level, rule = case["kwargs"]["level"], case["kwargs"]["rule"]
    found = metric_accuracy.clusters(values, np.array(pvalues), level, rule)
    assert found == case["value"]


# --- literal references ---


@st.composite
def translations(draw, n_metrics=1):
    """Return human scores, some of them missing, and scores of metrics, with ties."""
    n, s = draw(st.integers(2, 4)), draw(st.integers(1, 4))

    def table(cell):
        return draw(st.lists(st.lists(cell, min_size=s, max_size=s), min_size=n, max_size=n))

    human = table(st.one_of(st.integers(0, 2), st.none()))
    metrics = [table(st.integers(0, 6).map(lambda k: k / 4)) for _ in range(n_metrics)]
    return human, *metrics


@given(translations(), st.sampled_from(["item", "system", "none"]))
@examples(150)
def test_calibration_is_the_literal_one(case, by):
    """The smallest of the best differences."""
    human, metric = case
    found, groups = cd.calibrate_ties(human, metric, by=by), literal.groups(human, metric, by)
    if not groups:
        assert found.groups == 0
        assert math.isnan(found.accuracy)
        return
    epsilon, accuracy = literal.calibrate(groups)
    assert (found.epsilon, found.accuracy) == (float(epsilon), near(accuracy))
    assert found.without_ties == near(literal.acc_eq(groups, 0))
    assert found.groups == len(groups)


@given(translations(), st.sampled_from(["item", "system", "none"]))
@examples(80)
def test_sorting_in_bins_finds_the_same_epsilon(case, by):
    """For more pairs than are sorted at once."""
    pairs = metric_accuracy.pairs_of_groups(*metric_accuracy.both_tables(*case), by)
    with pytest.MonkeyPatch.context() as patch:
        expected = metric_accuracy.calibrated(pairs)
        patch.setattr(metric_accuracy, "_MOST_PAIRS", -1)
        assert metric_accuracy.calibrated(pairs) == pytest.approx(expected, nan_ok=True, abs=0)


def test_the_cross_fitted_value_has_the_epsilon_of_the_other_half():
    """Even and odd segments, as the definition says."""
    rng = np.random.default_rng(5)
    human = rng.integers(0, 3, (4, 9)).astype(float)
    metric = (human + rng.integers(-8, 9, human.shape) / 8).tolist()
    halves = [literal.groups(human[:, k::2].tolist(), [r[k::2] for r in metric], "item") for k in (0, 1)]
    found = [
        literal.acc_eq(own, literal.calibrate(other)[0]) * len(own) for own, other in (halves, halves[::-1])
    ]
    assert cd.calibrate_ties(human, metric).cross_fitted == near(sum(found) / 9)


def test_acc_eq_is_that_of_tau_e():
    """(1 + tau_e) / 2, with the threshold on the metric only, also where decimals are not exact."""
    rng = np.random.default_rng(3)
    human, metric = rng.integers(0, 3, (12, 1)) / 1.0, rng.integers(0, 30, (12, 1)) / 10
    found = cd.calibrate_ties(human, metric)
    tau = cd.tau_e(human[:, 0], metric[:, 0], threshold=(0, found.epsilon))
    assert found.accuracy == near((1 + tau) / 2)
    assert found.epsilon > 0


@given(translations(), st.sampled_from(["half", "count"]))
@examples(100)
def test_soft_pairwise_accuracy_is_the_literal_one(case, ties):
    """Each pair of systems on the segments that both have."""
    human, metric = case
    shared = [
        any(a is not None and b is not None for a, b in zip(x, y, strict=True))
        for x, y in itertools.combinations(human, 2)
    ]
    found = cd.soft_pairwise_accuracy(human, metric, ties=ties)
    expected = literal.soft_pairwise_accuracy(human, metric, ties) if any(shared) else None
    assert found == near(expected)


@given(translations())
@examples(100)
def test_pairwise_accuracy_is_the_literal_one(case):
    """0 agrees with 0 only."""
    human, metric = case
    expected = None
    if len(literal.means(human, metric)) > 1:
        expected = literal.pairwise_accuracy((human, metric))
    assert cd.pairwise_accuracy(human, metric) == near(expected)


@given(translations(2), st.sampled_from([0.0, 0.25, 1.0]), st.sampled_from(["item", "none"]))
@examples(100)
def test_the_test_of_outcomes_is_the_literal_one(case, epsilon, by):
    """For groups of several sizes too, where steps of several sizes are convolved."""
    human, *metrics = case
    steps = sum(len(own) * (len(own) - 1) // 2 for own in literal.groups(human, metrics[0], by))
    if not 0 < steps <= 12:
        return
    sides = [metric_accuracy.both_tables(human, own) for own in metrics]
    found = metric_accuracy.compared_outcomes(*(outcomes(*side, epsilon, by) for side in sides))
    delta, pvalue = literal.perm_pairs(human, *metrics, (epsilon, epsilon), by)
    assert found.delta == delta
    assert found.pvalue(10, np.random.default_rng(0)) == near(pvalue)


@pytest.mark.parametrize("unit", ["cell", "item", "system"])
@pytest.mark.parametrize("missing", [False, True])
def test_perm_both_is_the_literal_one(unit, missing):
    """Exchange, then take p-values by all flips; with scores that people did not give, too."""
    rng = np.random.default_rng(8)
    human = rng.integers(0, 4, (3, 4)).astype(float)
    if missing:
        human[0, 1] = human[2, 3] = np.nan
    first, second = rng.normal(size=(2, 3, 4))
    z = np.array([metric_accuracy.standardised(human, own) for own in (first, second)])
    exchanges = metric_accuracy.exchanges_of(human, unit, 10, None)
    assert exchanges.exact
    flips = metric_accuracy.flips_of(human, 1000, rng)
    found = metric_accuracy.null_deltas(human, z, exchanges, flips, "half")[0]
    people = [[None if v != v else v for v in row] for row in human.tolist()]  # noqa: PLR0124
    units = {
        "cell": list(map(tuple, np.argwhere(~np.isnan(human)).tolist())),
        "item": range(4),
        "system": range(3),
    }
    expected = []
    for chosen in itertools.product((False, True), repeat=len(units[unit])):
        moved = {each for each, yes in zip(units[unit], chosen, strict=True) if yes}
        swap = [[{"cell": (i, s), "item": s, "system": i}[unit] in moved for s in range(4)] for i in range(3)]
        sides = np.where(swap, z[1], z[0]), np.where(swap, z[0], z[1])
        one, other = (literal.soft_pairwise_accuracy(people, side.tolist(), "half") for side in sides)
        expected.append(float(other - one))
    assert sorted(found) == pytest.approx(sorted(expected), abs=1e-12)
    # The exchange of everything is the observed difference with the other sign.
    assert found[0] == pytest.approx(-found[-1], abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_exchanges_that_tie_systems_or_touch_few_scores_count_as_the_literal_ones(seed):
    """Scores of 0 and 1 tie systems often; one system has a single human score, and one has none."""
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 2, (5, 3)).astype(float)
    human[3, 1:] = human[4] = np.nan
    known = ~np.isnan(human)
    one, other = rng.integers(0, 2, (2, 5, 3)) * known.astype(float)
    exchanges = metric_accuracy.exchanges_of(human, "cell", 10, None)
    found = metric_accuracy.null_deltas(human, np.array([one, other]), exchanges, None)[0]
    expected = []
    for chosen in itertools.product((0, 1), repeat=int(known.sum())):
        swap = np.zeros(human.shape, dtype=bool)
        swap[known] = chosen
        sides = np.where(swap, other, one), np.where(swap, one, other)
        first, second = (cd.pairwise_accuracy(human, side) for side in sides)
        expected.append(second - first)
    assert len(set(np.round(expected, 12))) > 3
    assert sorted(found) == pytest.approx(sorted(expected), abs=1e-12)


@pytest.mark.parametrize(("n", "exact"), [(16, True), (17, False)])
def test_all_exchanges_of_16_units_are_tried(n, exact):
    """2^16 at most; beyond that, and without a generator, none are made."""
    found = metric_accuracy.exchanges_of(np.zeros((2, n)), "item", 10, None)
    assert found.exact == exact
    assert found.masks.shape == ((2**16 if exact else 0), n)
    assert len(np.unique(found.masks, axis=0)) == len(found.masks)


def test_threads_and_blocks_do_not_change_the_test(monkeypatch):
    """Neither how many exchanges are in memory at a time."""
    rng = np.random.default_rng(2)
    human, z = rng.normal(size=(5, 30)), rng.normal(size=(3, 5, 30))
    exchanges = metric_accuracy.exchanges_of(human, "cell", 50, rng)
    flips = metric_accuracy.flips_of(human, 100, rng)
    expected = metric_accuracy.null_deltas(human, z, exchanges, flips)
    monkeypatch.setattr(metric_accuracy, "_AT_ONCE", 3000)
    assert (metric_accuracy.null_deltas(human, z, exchanges, flips, threads=2) == expected).all()


# --- properties ---


def test_a_metric_that_equals_people_is_always_right():
    """Exactly 1."""
    human = np.random.default_rng(0).integers(0, 5, (6, 40)).astype(float)
    human[1, 3] = np.nan
    assert cd.pairwise_accuracy(human, human) == 1.0
    assert cd.soft_pairwise_accuracy(human, human) == 1.0
    assert cd.calibrate_ties(human, human).accuracy == 1.0


def test_ties_by_half_do_not_depend_on_the_order_of_the_systems():
    """Those of the published program do."""
    rng = np.random.default_rng(1)
    human, metric = rng.integers(0, 3, (2, 6, 500)).astype(float)
    for ties, same in (("half", True), ("count", False)):
        found = [
            cd.soft_pairwise_accuracy(human[o], metric[o], ties=ties)
            for o in (slice(None), slice(None, None, -1))
        ]
        assert (found[0] == pytest.approx(found[1], abs=1e-12)) is same


@pytest.mark.parametrize("soft", [False, True])
def test_each_pair_of_metrics_is_tested_as_if_there_were_no_others(soft):
    """All are moved relative to the first one."""
    human, *metrics = np.random.default_rng(7).normal(size=(5, 5, 8))
    exchanges = metric_accuracy.exchanges_of(human, "item", 0, None)
    flips = metric_accuracy.flips_of(human, 99, np.random.default_rng(0)) if soft else None
    together = metric_accuracy.null_deltas(human, np.array(metrics), exchanges, flips)
    for row, pair in zip(together, itertools.combinations(metrics, 2), strict=True):
        (alone,) = metric_accuracy.null_deltas(human, np.array(pair), exchanges, flips)
        assert row == pytest.approx(alone, abs=1e-12)


def test_a_seed_is_obeyed():
    """With more flips than are enumerated."""
    human, metric = np.random.default_rng(4).normal(size=(2, 4, 40))
    found = [cd.soft_pairwise_accuracy(human, metric, rng=seed) for seed in (1, 1, 2)]
    assert found[0] == cd.soft_pairwise_accuracy(human, metric, n_resamples=1000, rng=1)
    assert found[0] == found[1] != found[2]


def test_systems_are_aligned_by_name():
    """And missing scores are not 0."""
    human = {"A": [1, 2, None], "B": [3, 3, 9]}
    assert cd.pairwise_accuracy(human, {"B": [5, 6, 0], "A": [1, 2, 90]}) == 1.0


@pytest.mark.parametrize(
    ("human", "metric", "says"),
    [
        (
            [[1, 2], [3]],
            [[1, 2], [3, 4]],
            "human must be a table of systems x segments, got rows of different",
        ),
        ([[1, "a"]], [[1, 2]], "something that is not a number"),
        ([1, 2], [1, 2], "got 1 dimensions"),
        ([[1, 2]], [[1, 2, 3]], r"the same shape, got \(1, 2\) and \(1, 3\)"),
        ([[1, 2]], [[1, None]], "no score of system 0 for segment 1, which has a human score"),
        ({"A": [1], "B": [2]}, {"A": [1], "C": [2]}, "different systems: 'B' is only in one"),
        ([[1, math.inf]], [[1, 2]], "human has an infinite score"),
    ],
)
def test_bad_tables_are_refused(human, metric, says):
    """In one sentence."""
    with pytest.raises(cd.ArgumentError, match=says):
        cd.soft_pairwise_accuracy(human, metric)


def test_wmt_puts_equal_values_into_clusters_one_by_one():
    """So that its clusters depend on the order; ours do not."""
    values, pvalues = [0.9, 0.5, 0.5], np.full((3, 3), 0.5)
    pvalues[0, 2] = 0.01
    assert metric_accuracy.clusters(values, pvalues, 0.05, None) == [1, 1, 2]
    assert metric_accuracy.clusters(values, pvalues, 0.05, "greedy") == [1, 2, 2]
    assert metric_accuracy.clusters(values, pvalues, 0.05, "cut") == [1, 1, 1]
    assert metric_accuracy.clusters([math.nan, 0.5], np.full((2, 2), 0.5), 0.05, "greedy") == [None, 1]


@pytest.mark.parametrize("rule", [None, "greedy", "cut"])
@pytest.mark.parametrize(("pvalue", "expected"), [(0.05, [1, 2]), (0.051, [1, 1])])
def test_a_pvalue_at_the_level_begins_a_cluster(rule, pvalue, expected):
    """Of two metrics, by every rule: 0.05 is significant at the level 0.05."""
    pvalues = np.array([[1.0, pvalue], [1.0, 1.0]])
    assert metric_accuracy.clusters([0.9, 0.8], pvalues, 0.05, rule) == expected


@pytest.mark.parametrize(("n_resamples", "flips"), [(8, 8), (7, 7), (9, 8)])
def test_all_flips_of_three_segments_are_made_if_as_many_are_asked_for(n_resamples, flips):
    """There are eight; the observed one comes before them."""
    found = metric_accuracy.flips_of(np.zeros((2, 3)), n_resamples, np.random.default_rng(0))
    assert found.signs.shape == (3, flips + 1)
    assert (found.signs[:, 0] == 1).all()
    assert n_resamples < 8 or len(np.unique(found.signs[:, 1:], axis=1).T) == 8


def test_winning_ten_thousand_fair_games_has_the_smallest_pvalue():
    """2^-10000 is told as 2^-1000."""
    assert metric_accuracy.tail_of_signs({1: 10_000}, 10_000) == 2.0**-1000
    assert metric_accuracy.tail_of_signs({1: 3}, 3) == 2.0**-3


def test_random_exchanges_of_outcomes_move_the_difference_up_as_often_as_down():
    """Of n outcomes of weight w / total the variance is n (w / total)^2; bounds are five standard errors."""
    test = metric_accuracy.PairTest(Fraction(1, 10), {1: 30, 3: 8}, 100)
    found = test.draws(20_000, np.random.default_rng(1))
    spread = math.sqrt(30 * 0.01**2 + 8 * 0.03**2)
    assert abs(found.mean()) < 5 * spread / math.sqrt(20_000)
    assert found.std() == pytest.approx(spread, rel=5 / math.sqrt(40_000))
    assert np.abs(found).max() <= 0.54 + 1e-12
