"""Sums and means that do not depend on the order of anything."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import concordant as cd
from concordant.scores.means import exact_means, exact_sums, snap
from concordant.statistics.ranks import intervals_of_means


def test_a_system_with_huge_scores_takes_no_digits_from_the_others():
    """Each column of scores has its own exponent."""
    means = cd.Scores([[1e30, 0.3, 0.123456789012], [1e30, 0.3, 0.123456789012]]).mean()
    assert list(means.values()) == [1e30, 0.3, 0.123456789012]
    found = cd.bootstrap(
        [[1e30, 0.3, 0.5]] * 2, [[3.0, 1.0, 2.0]] * 2, "tau_b", resampling=cd.Resampling(n_resamples=9, rng=1)
    )
    assert found.statistic == 1


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1.0, 1e300])
def test_means_have_the_same_digits_at_every_scale(scale):
    """From the smallest doubles up, the mean is the exact one to 12 digits."""
    values = np.array([[7.0, 3.0], [2.0, 9.0], [4.0, 1.0]]) * scale
    means = cd.Scores(values).mean()
    for mean, column in zip(means.values(), values.T, strict=True):
        exact = sum(map(Fraction, column.tolist())) / 3
        assert mean == float(f"{float(exact):.12g}")


def test_the_order_of_topics_and_systems_changes_no_bit():
    """Also not of weighted sums, which resamples are."""
    rng = np.random.default_rng(0)
    values, weights = rng.normal(size=(200, 30)), rng.integers(0, 5, (40, 200))
    topics, systems = rng.permutation(200), rng.permutation(30)
    found = exact_sums(weights, values)
    moved = exact_sums(weights[:, topics], values[np.ix_(topics, systems)])
    assert np.array_equal(moved, found[:, systems])


@pytest.mark.parametrize(
    "kind",
    ["continuous", "decimals", "whole", "signs", "far", "tiny", "halves", "zeros", "missing", "infinite"],
)
@pytest.mark.parametrize("n_topics", [1, 2, 7, 50, 800])
def test_weighted_means_are_those_of_exact_sums(kind, n_topics):
    """Whichever digits the second slice decides; also without any topic."""
    rng = np.random.default_rng(n_topics)
    values = rng.random((n_topics, 40))
    values = {
        "continuous": values,
        "decimals": values.round(4),
        "whole": np.floor(values * 9),
        "signs": values - 0.5,
        "far": values * 10.0 ** rng.integers(-30, 5, values.shape),
        "tiny": values * 1e-305,
        "halves": 0.1 + (values * 1e3).round() / 1e12 + 5e-13,
        "zeros": values * (rng.random(values.shape) < 0.1),
        "missing": np.where(rng.random(values.shape) < 0.01, np.nan, values),
        "infinite": values * 1e303,
    }[kind]
    weights = rng.multinomial(n_topics, np.full(n_topics, 1 / n_topics), 60)
    weights[0], weights[1] = 0, 3
    with np.errstate(invalid="ignore"):
        try:
            expected = snap(exact_sums(weights, values) / weights.sum(axis=1, keepdims=True))
        except cd.ArgumentError:
            with pytest.raises(cd.ArgumentError):
                exact_means(weights, values)
            return
    np.testing.assert_array_equal(exact_means(weights, values), expected)
    if kind in ("continuous", "decimals"):
        for row in range(1, 4):
            for column in range(10):
                terms = zip(weights[row].tolist(), values[:, column].tolist(), strict=True)
                exact = sum(times * Fraction(value) for times, value in terms) / int(weights[row].sum())
                assert expected[row, column] == float(f"{float(exact):.12g}")


def test_a_sum_beyond_the_largest_double_is_one_sentence():
    """Not an infinite mean."""
    with pytest.raises(cd.ArgumentError, match=r"^Scores: the sum of the scores of a system over topics is"):
        cd.Scores([[1.7e308, 1.0], [1.7e308, 2.0]]).mean()


@pytest.mark.parametrize("value", [0.0, -0.0, math.nan, math.inf, -math.inf, 5e-324, -1.5, 1e308])
def test_what_has_few_digits_is_not_rounded(value):
    """Zero, infinity and nan among them."""
    found = snap(np.array([value, 0.1 + 0.2]))
    np.testing.assert_array_equal(found, [float(f"{value:.12g}"), 0.3])


def test_rounding_keeps_the_shape():
    """Rows of means of resamples are rounded at once."""
    values = np.random.default_rng(1).random((3, 4))
    expected = [[float(f"{v:.12g}") for v in row] for row in values.tolist()]
    assert snap(values).tolist() == expected
    assert snap(values.T).T.tolist() == expected
    assert snap(np.empty((0, 4))).shape == (0, 4)


@pytest.mark.parametrize("unit", [2.0**-1000, 2.0**600, 2.0**1000])
def test_intervals_of_means_do_not_depend_on_the_unit(unit):
    """Squares of the deviations overflowed: the interval was infinite, with a warning of NumPy."""
    values = np.random.default_rng(0).random((5, 3))
    plain, scaled = (intervals_of_means(values * factor, 0.95) for factor in (1.0, unit))
    assert [(each.low * unit, each.high * unit) for each in plain] == [(e.low, e.high) for e in scaled]


def test_a_resampled_sum_that_is_too_large_is_named():
    """The sum over the topics exists, but not that over a resample; the message was "x is infinite"."""
    scores = {
        f"q{k}": {"a": score, "b": 1.0, "c": 2.0} for k, score in enumerate((-1.7e308, 1.7e308, 0.5, 0.1))
    }
    with pytest.raises(
        cd.ArgumentError, match="over topics is too large for a float; replace scores that stand"
    ):
        cd.bootstrap(scores, scores, "tau_b", resampling=cd.Resampling(n_resamples=50, rng=1))
