"""Intervals by simulation, where the value that they should hold is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

import concordant as cd
from concordant.statistics.resampling import TopicSample, started


@pytest.mark.parametrize(
    ("n_systems", "n_topics", "off", "shared", "repetitions"),
    [
        pytest.param(60, 50, 0.04, 0.7, 20, marks=pytest.mark.slow, id="a noisy judge of many systems"),
        pytest.param(10, 25, 0.01, 0.95, 20, marks=pytest.mark.slow, id="a close one"),
        pytest.param(20, 25, 0.04, 0.7, 10, marks=pytest.mark.slow, id="a noisy judge"),
        pytest.param(3, 50, 0.0, 0.99, 20, id="three systems"),
        pytest.param(20, 5, 0.04, 0.7, 20, id="five topics"),
    ],
)
def test_the_interval_over_topics_covers_what_is_expected_of_as_many(
    n_systems, n_topics, off, shared, repetitions
):
    """As in docs/background/inference.md, with fewer repetitions; the basic interval does not."""
    names = ("tau_b", "tau_ap_b", "tau_gap")
    coefficients = [cd.coefficient(name) for name in names]
    rng = np.random.default_rng(11)
    own = math.sqrt(1 - shared**2)
    hits = {"standard": np.zeros(3), "basic": np.zeros(3)}
    populations = 10
    for _ in range(populations):
        mean = rng.normal(0.3, 0.08, n_systems)
        judged = mean + rng.normal(0, 1, n_systems) * off
        noise, other = rng.normal(0, 0.15 / math.sqrt(n_topics), (2, 4000, n_systems))
        expected = [c(mean + noise, judged + shared * noise + own * other).mean() for c in coefficients]
        for _ in range(repetitions):
            noise, other = rng.normal(0, 0.15, (2, n_topics, n_systems))
            sides = mean + noise, judged + shared * noise + own * other
            how = started(cd.Resampling(n_resamples=400, rng=rng))
            found = TopicSample(cd.Study(*sides).pairings, coefficients, how).draw()
            for method, count in hits.items():
                ends = [found.interval(k, method, 0.95) for k in range(len(coefficients))]
                count += [e.low <= v <= e.high for e, v in zip(ends, expected, strict=True)]
    shares = hits["standard"] / (populations * repetitions)
    assert shares.min() >= 0.9  # 0.95, and two to three standard errors
    assert hits["basic"].min() < 0.9 * populations * repetitions


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_b", "tau_gap"])
def test_the_jackknife_interval_covers_the_expected_value(name):
    """Of rankings with a correlation of 0.7, 30 items each."""
    c = cd.coefficient(name)
    rng = np.random.default_rng(5)

    def draw(*shape):
        x = rng.normal(size=shape)
        return x, 0.7 * x + math.sqrt(0.51) * rng.normal(size=shape)

    expected = c(*draw(20000, 30)).mean()
    hits = 0
    for _ in range(200):
        low, high = cd.jackknife_interval(*draw(30), c).confidence_interval
        hits += low <= expected <= high
    assert 0.91 <= hits / 200 <= 0.99
