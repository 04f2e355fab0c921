"""The expected correlation of a ranking with the true one: golden values, formulas, ties, intervals."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.special
import scipy.stats

import concordant as cd
from concordant.statistics.distributions import t_below
from concordant.statistics.permutation import untied_of
from concordant.statistics.reliability import Reliability
from concordant.study.pairing import Measured

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "inference.json").read_text())
CASES = [case for case in GOLDEN if case["function"] == "expected"]
NAMES = ["tau", "tau_ap"]


def value_of(scores, name, n_topics=None, method="msqd", resampling=None):
    """Return the expected correlation for a number of topics; by default for those of the scores."""
    scores = np.asarray(scores)
    asked = len(scores) if n_topics is None else n_topics
    (point,) = cd.plan(scores, name, n_topics=asked, method=method, resampling=resampling).curve
    return point.expected


def reliability(scores, method):
    """Return what `plan` computes with."""
    return Reliability(Measured(cd.Scores(scores), "score"), method)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_golden_values(case):
    scores = np.array(case["scores"])
    for key, expected in case["value"].items():
        name, _, more = key.partition(" at ")
        n_topics = 4 * len(scores) if more else None
        assert value_of(scores, name, n_topics=n_topics, **case["kwargs"]) == pytest.approx(
            expected, abs=1e-9
        )


def test_systems_with_the_same_mean_stay_in_either_order():
    """However many topics there are: one of three pairs is a coin."""
    scores = [[1.0, 0.0, -1.0], [0.0, 1.0, -1.0], [0.5, 0.5, -1.5]]
    assert reliability(scores, "msqd").limit(cd.coefficient("tau")) == pytest.approx(2 / 3)


@pytest.mark.parametrize("freedom", [1, 2, 3, 10, 49, 200, 999])
def test_students_t_is_scipys(freedom):
    t = np.array([-math.inf, -1e9, -40, -5, -2, -0.5, 0, 0.1, 3, math.inf])
    assert t_below(t, freedom) == pytest.approx(scipy.stats.t.cdf(t, freedom), abs=1e-13)


def literal(scores, name, method, n_topics):
    """Return the formulas of the paper, pair by pair; means must differ."""
    t, n = scores.shape
    ranked = scores[:, np.argsort(-scores.mean(axis=0))]
    total = 0.0
    for j in range(1, n):
        for i in range(j):
            d = ranked[:, i] - ranked[:, j]
            if method == "ml":
                c = math.sqrt((t - 1) / 2) * scipy.special.gamma((t - 1) / 2) / scipy.special.gamma(t / 2)
                spread = d.std(ddof=1) * c
            else:
                e = scipy.special.erfinv(2 * scipy.stats.rankdata(d) / (t + 1) - 1)
                spread = math.sqrt(2) * (d @ e) / (2 * (e @ e))
            p = scipy.stats.t.cdf(-d.mean() * math.sqrt(n_topics) / spread, t - 1)
            total += p / (j if name == "tau_ap" else 1)
    return 1 - 2 * total / (n - 1 if name == "tau_ap" else n * (n - 1) / 2)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", ["ml", "msqd"])
def test_it_is_the_formula_with_ties_among_differences(method, name):
    """Scores in tenths: some pairs have tied differences, some have none."""
    rng = np.random.default_rng(3)
    scores = np.round(rng.normal(np.linspace(0.7, 0.2, 9), 0.2, (21, 9)), 1)
    scores[:, ::3] += rng.normal(0, 0.01, (21, 3))
    assert len(set(scores.mean(axis=0).round(9))) == 9
    for n_topics in (21, 5, 300):
        expected = literal(scores, name, method, n_topics)
        assert value_of(scores, name, method=method, n_topics=n_topics) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("method", ["ml", "msqd"])
def test_systems_that_differ_by_the_same_on_every_topic_keep_their_order(method):
    """The spread of their differences is 0."""
    one = np.random.default_rng(6).integers(0, 9, 12).astype(float)
    assert value_of(np.stack([one, one + 2], axis=1), "tau", method=method, n_topics=1) == 1.0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_resamples", [4_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_resampling_is_the_mean_agreement_with_resamples(name, n_resamples):
    """With as many resamples the mean of the coefficient for undecided ties is the same up to chance."""
    rng = np.random.default_rng(4)
    scores = np.round(rng.normal(np.linspace(0.6, 0.4, 8), 0.2, (15, 8)), 1)
    draws = scores[rng.integers(0, 15, (n_resamples, 15))].mean(axis=1).round(12)
    means = scores.mean(axis=0).round(12)
    expected = cd.coefficient(f"{name}_a")(draws, means)
    how = cd.Resampling(n_resamples=n_resamples, rng=1)
    found = value_of(scores, name, method="resampling", resampling=how)
    assert found == pytest.approx(expected.mean(), abs=6 * expected.std() / math.sqrt(n_resamples))
    how = cd.Resampling(n_resamples=99, rng=1)
    assert value_of(scores, name, method="resampling", resampling=how) == value_of(
        scores, name, method="resampling", resampling=how
    )


@pytest.mark.parametrize("name", NAMES)
def test_systems_with_the_same_mean_take_all_orders(name):
    """The mean over the orders of tied systems; their order in the data does not matter."""
    rng = np.random.default_rng(5)
    scores = rng.integers(0, 16, (8, 6)) / 16.0
    scores[:, 4] = scores[rng.permutation(8), 1]  # the same mean, other scores
    scores[:, 5] = scores[:, 1]  # the same scores
    untied = untied_of(cd.coefficient(name))
    means = scores.mean(axis=0)
    sample = reliability(scores, "ml")
    found = value_of(scores, name, method="ml")
    orders = []
    for one in itertools.permutations(range(6)):
        if all(means[a] >= means[b] for a, b in itertools.pairwise(one)):
            p = np.zeros((6, 6))
            places = {int(system): k for k, system in enumerate(sample.systems)}
            for (i, j), each in zip(
                zip(sample.first, sample.second, strict=True), sample.reversals(8), strict=True
            ):
                p[i, j] = p[j, i] = each
            above = [sum(p[places[one[i]], places[one[j]]] for i in range(j)) for j in range(1, 6)]
            divisor = untied.divisor(np.arange(1, 6))
            orders.append(1 - 2 * (above / divisor).sum() / (np.arange(1, 6) / divisor).sum())
    assert len(orders) == 6
    assert found == pytest.approx(np.mean(orders), abs=1e-12)
    shuffled = scores[rng.permutation(8)][:, rng.permutation(6)]
    assert value_of(shuffled, name, method="ml") == pytest.approx(found, abs=1e-12)
    text = cd.plan(scores, name, method="ml").to_text(width=None)
    assert "3 pairs of systems with the same mean may be in either order" in text


def test_it_grows_with_topics_to_one(collection):
    scores, _ = collection()
    values = [value_of(scores, "tau_ap", n_topics=n) for n in (5, 10, 30, 100, 1000, 10**6)]
    assert values == sorted(values)
    assert values[0] < 0.7
    assert values[-1] > 0.98


@pytest.mark.parametrize("method", ["ml", "msqd", "resampling"])
def test_the_published_methods_have_no_intervals(collection, method):
    """They are there for reproduction."""
    scores, _ = collection()
    planned = cd.plan(scores, "tau", method=method, resampling=cd.Resampling(n_resamples=99, rng=1))
    assert all(each.interval is None and each.other_topics is None for each in planned.curve)
    assert [(each.at_least, each.at_most) for each in planned.needed] == [(None, None)]
