"""One ranking beside others: the literal formula, and the rates of wrong decisions."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from reference import peers as reference

import concordant as cd
from concordant.statistics.several_rankings import LEAST_PEERS, LEAST_SHARED, Peers, agreement_by_size, peers

TAU_B = cd.coefficient("tau_b")


def drawn(rng, n_others, n, spread, missing=0.0, own_error=None, error=0.5):
    """Abilities with errors, whose size is lognormal among the rankings; some scores are missing."""
    errors = error * np.exp(spread * rng.normal(size=n_others + 1))
    errors[0] = errors[0] if own_error is None else own_error
    table = rng.normal(size=n) + errors[:, None] * rng.normal(size=(n_others + 1, n))
    table[rng.random(table.shape) < missing] = np.nan
    return table


def names(table):
    return [f"b{k}" for k in range(len(table) - 1)]


@pytest.mark.parametrize("seed", range(8))
def test_differences_are_those_of_the_formula(seed):
    """With ties and missing scores; rankings that share too few systems with two others are left out."""
    rng = np.random.default_rng(seed)
    table = np.round(drawn(rng, 6, 14, 0.4, missing=0.35), 0 if seed % 2 else 3)
    found = peers(table, names(table), TAU_B)
    expected = reference.differences(table.tolist(), LEAST_SHARED)
    assert len(found.differences) == len(expected)
    total = sum(weight for _, weight in expected)
    np.testing.assert_allclose(found.differences, [value for value, _ in expected], atol=1e-12)
    np.testing.assert_allclose(found.weights, [weight / total for _, weight in expected], atol=1e-12)
    mean = sum(value * weight for value, weight in expected) / total
    assert found.difference == pytest.approx(mean, abs=1e-12)
    assert found.n_above == sum(value < 0 for value, _ in expected)


def test_the_order_of_rankings_and_systems_does_not_matter():
    table = drawn(np.random.default_rng(3), 7, 20, 0.3, missing=0.2)
    first = peers(table, names(table), TAU_B)
    moved = np.vstack([table[0], table[:0:-1]])[:, ::-1]
    again = peers(moved, names(table)[::-1], TAU_B)
    assert again.difference == pytest.approx(first.difference, abs=1e-12)
    np.testing.assert_allclose(again.interval(0.95), first.interval(0.95), atol=1e-12)
    np.testing.assert_allclose(again.with_each[::-1], first.with_each, atol=1e-12)


def test_columns_of_one_file_are_not_compared_with_each_other_and_count_as_one():
    """A copy of a column in its own file changes nothing: neither the mean nor the number of others."""
    table = drawn(np.random.default_rng(4), 6, 20, 0.3)
    first = peers(table, names(table), TAU_B)
    twice = peers(np.vstack([table, table[-1:]]), [*names(table), names(table)[-1]], TAU_B)
    assert len(twice.differences) == len(first.differences) == 6
    assert twice.difference == pytest.approx(first.difference, abs=1e-12)
    np.testing.assert_allclose(twice.interval(0.95), first.interval(0.95), atol=1e-12)


def test_fewer_than_five_others_decide_nothing():
    table = drawn(np.random.default_rng(5), LEAST_PEERS - 1, 20, 0.0, own_error=9.0)
    found = peers(table, names(table), TAU_B)
    assert found.interval(0.95) is None
    assert found.decision(0.95) is None
    nothing = peers(np.full((4, 6), np.nan), ["a", "b", "c"], TAU_B)
    assert len(nothing.differences) == 0
    assert math.isnan(nothing.difference)


def rates(n_others, n, spread, missing=0.0, own_error=None, rounds=400):
    """The shares of "less" and "more" among rounds."""
    rng = np.random.default_rng(n_others * 1000 + n)
    tables = (drawn(rng, n_others, n, spread, missing, own_error) for _ in range(rounds))
    found = [peers(table, names(table), TAU_B).decision(0.95) for table in tables]
    return found.count("less") / rounds, found.count("more") / rounds


@pytest.mark.parametrize("n_others", [5, 8, 20])
@pytest.mark.parametrize(
    ("n", "spread", "missing"), [(20, 0.0, 0.0), (20, 0.4, 0.0), (50, 0.4, 0.3), (50, 0.8, 0.0)]
)
def test_a_benchmark_like_the_others_is_called_worse_in_at_most_one_of_twenty(n_others, n, spread, missing):
    """At most 0.05, and 0.03 more for 150 rounds (2.5 standard errors are 0.045)."""
    less, more = rates(n_others, n, spread, missing, rounds=150)
    assert less <= 0.08
    assert more <= 0.08


def test_an_outlier_is_found():
    """An error of 2 among errors of 0.5: all 24 models in nearly all rounds, with a third missing in most."""
    assert rates(8, 24, 0.0, own_error=2.0, rounds=60)[0] > 0.9
    assert rates(12, 40, 0.2, missing=0.3, own_error=3.0, rounds=60)[0] > 0.8


def test_agreement_of_fewer_systems():
    """All systems give the same value however they are drawn; the best and neighbours agree less."""
    rng = np.random.default_rng(2)
    table = drawn(rng, 6, 40, 0.0)
    n_others, found = agreement_by_size(table, TAU_B, np.random.default_rng(0))
    assert n_others == 6
    by = {(each.drawn, each.n): each for each in found}
    whole = np.mean([cd.tau_b(table[0], other) for other in table[1:]])
    for drawn_as in ("random", "top", "adjacent"):
        assert by[drawn_as, 40].value == pytest.approx(whole)
    assert by["random", 5].value > by["adjacent", 5].value
    best = np.argsort(-table[0])[:10]
    assert by["top", 10].value == pytest.approx(
        np.mean([cd.tau_b(table[0][best], o[best]) for o in table[1:]])
    )
    low, high = by["random", 5].ends
    assert low < by["random", 5].value < high
    assert by["top", 5].ends is None


@pytest.mark.parametrize(("n_others", "shown"), [(38, False), (39, True)])
@pytest.mark.parametrize(("side", "word"), [(-1, "less"), (1, "more")])
@pytest.mark.parametrize("other", [-0.01, 0.0])
def test_the_place_among_the_others_must_be_one_of_the_first_twentieth(n_others, shown, side, word, other):
    """Beside one other that is not on its side it is second of m + 1: 2 of 39 is above 0.05, 2 of 40 is not.

    The interval alone would decide: the mean is 0.48, and its standard error below 0.1.
    """
    differences = side * np.array([0.5] * (n_others - 1) + [other])
    weights = np.full(n_others, 1 / n_others)
    mean = float(differences.mean())
    found = Peers(mean, 0.0, differences, weights, np.zeros(n_others), 2.0)
    low, high = found.interval(0.95)
    assert low * high > 0
    assert found.decision(0.95) == (word if shown else "not told apart")


def test_the_interval_is_that_of_one_more_draw():
    """Of five others with equal weights: Student's t with 4 degrees of freedom, and s sqrt(1 + 1 / 5).

    0.99375 is 1 - 0.05 / 8: an eighth of what the level leaves is beyond each end.
    """
    differences = np.array([-0.1, 0.0, 0.05, 0.1, 0.2])
    found = Peers(0.05, 0.0, differences, np.full(5, 0.2), np.zeros(5), 2.0)
    half = scipy.stats.t.ppf(0.99375, 4) * differences.std(ddof=1) * math.sqrt(1 + 1 / 5)
    assert found.interval(0.95) == pytest.approx((0.05 - half, 0.05 + half))


def test_agreement_is_told_for_round_numbers_of_systems_and_for_all():
    """From 5 to 500, and for the 510 that both rankings have."""
    table = np.random.default_rng(0).random((2, 510))
    _, found = agreement_by_size(table, TAU_B, np.random.default_rng(0))
    sizes = [5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 510]
    for drawn_as in ("random", "top", "adjacent"):
        assert [each.n for each in found if each.drawn == drawn_as] == sizes
