"""`judge` draws topics once: what it says is what `bootstrap` and `difference` say with the same options."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import concordant as cd
from concordant.statistics.resampling import TopicSample

SYSTEMS = [f"s{k}" for k in range(11)]
METHODS = ["standard", "percentile", "basic", "BCa"]


def made(noise: float, seed: int, n_measures: int = 1, n_topics: int = 25) -> cd.Scores:
    """Return scores whose order is clear, with noise of their own."""
    shared = np.random.default_rng(0).normal(np.linspace(0.7, 0.3, 11), 0.15, (25, 11))
    own = np.random.default_rng(seed).normal(0, noise, (n_measures, 25, 11))
    measures, topics = list("ABC")[:n_measures], [f"q{t}" for t in range(n_topics)]
    return cd.Scores((shared + own)[:, :n_topics], measures=measures, topics=topics, systems=SYSTEMS)


@pytest.fixture
def draws(monkeypatch):
    """The number of pairings of each sample of topics that is drawn."""
    found = []
    draw = TopicSample.draw
    monkeypatch.setattr(
        TopicSample, "draw", lambda self, *a, **k: found.append(len(self.pairings)) or draw(self, *a, **k)
    )
    return found


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("question", [cd.judge, cd.correlate])
def test_topics_are_drawn_once_for_all_that_is_said(draws, question, method):
    """Five judges, two coefficients and three measures: one sample with all 15 pairings."""
    judges = {f"j{k}": made(0.1 + 0.2 * k, k + 1, 3) for k in range(5)}
    how = cd.Resampling(n_resamples=49, method=method)
    result = question(made(0.01, 99, 3), judges, ["tau_ap_b", "tau_b"], resampling=how)
    assert draws == [15]
    assert all(row.interval is not None for row in result.agreement)
    assert all(row.reference_ranks is not None for row in result.systems)
    if question is cd.judge:
        assert len(result.comparison) == 3 * 2 * 10
        assert len(result.best) == 3 * 2 * 5


def test_estimates_with_other_topics_have_samples_of_their_own(draws):
    """One for each set of topics, and one for all comparisons, with two pairings for each."""
    judges = {"one": made(0.1, 1), "two": made(0.3, 2), "half": made(0.2, 3, n_topics=12)}
    cd.judge(made(0.01, 99), judges, "tau_b", resampling=cd.Resampling(n_resamples=49))
    assert sorted(draws) == [1, 2, 6]


@pytest.mark.parametrize("seed", [42, pytest.param(0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("method", METHODS)
def test_judge_says_what_bootstrap_and_difference_say(method, seed):
    """Statistic, interval and p-value before adjustment, bit for bit, with the same options."""
    reference = made(0.01, 99, 2)
    judges = {f"j{k}": made(0.1 + 0.3 * k, seed + k, 2) for k in range(4)}
    how = cd.Resampling(n_resamples=99, method=method, rng=seed, confidence_level=0.9)
    result = cd.judge(reference, judges, ["tau_ap_b", "tau_b"], resampling=how)
    assert len(result.comparison) == 2 * 2 * 6
    for d in result.comparison:
        found = cd.difference(
            reference, judges[d.estimate], judges[d.other], d.coefficient, measure=d.measure, resampling=how
        )
        assert (d.difference, d.pvalue, d.topics) == (found.statistic, found.pvalue, 25)
        assert d.interval == found.confidence_interval
    for row in result.agreement:
        found = cd.bootstrap(
            reference, judges[row.estimate], row.coefficient, measure=row.measure, resampling=how
        )
        assert (row.value, row.interval) == (found.statistic, found.confidence_interval)


def test_judge_has_at_most_ten_parameters():
    """What says how to resample is one of them, and how sides are matched is in a Study."""
    for function in (cd.judge, cd.correlate, cd.by_topic, cd.sweep):
        parameters = inspect.signature(function).parameters
        assert len(parameters) <= 10, function.__name__
        assert not {"on_missing", "topics", "rng", "n_resamples", "confidence_level"} & set(parameters)
