"""Intervals by simulation, where the value that they should hold is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

import concordant as cd


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_b", "pearson_r"])
def test_the_interval_over_topics_covers_the_value_for_unlimited_topics(name):
    """As in docs/inference.md, with fewer repetitions; percentiles alone do not."""
    c = cd.get(name)
    rng = np.random.default_rng(11)
    hits = {"simex": 0, "percentile": 0}
    repetitions = 150
    for _ in range(repetitions):
        mean = rng.normal(0.3, 0.08, 60)
        judged = mean + rng.normal(0, 0.04, 60)
        noise = rng.normal(0, 0.15, (2, 50, 60))
        reference, llm = mean + noise[0], judged + 0.7 * noise[0] + math.sqrt(0.51) * noise[1]
        true_value = c(mean, judged)
        for method in hits:
            found = cd.bootstrap(reference, llm, c, n_resamples=400, method=method, rng=rng)
            low, high = found.confidence_interval
            hits[method] += low <= true_value <= high
    assert 0.89 <= hits["simex"] / repetitions <= 0.99
    assert hits["percentile"] < hits["simex"]


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_b", "tau_gap"])
def test_the_jackknife_interval_covers_the_expected_value(name):
    """Of rankings with a correlation of 0.7, 30 items each."""
    c = cd.get(name)
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
