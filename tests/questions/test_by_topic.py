"""`by_topic`: coefficients topic by topic, beside those of the means."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

import concordant as cd

NAMES = ["tau_b", "tau_ap_b(0.02)"]


@pytest.fixture(scope="module")
def result(reference, sides):
    """Two measures and two coefficients."""
    return cd.by_topic(reference, sides["fair"], NAMES, resampling=cd.Resampling(n_resamples=200, rng=3))


def test_each_topic_has_the_value_of_a_single_call(result, reference, sides):
    """A record for each measure, topic and coefficient."""
    assert len(result.topics) == 2 * 24 * 2
    for each in result.topics:
        m, t = reference.measures.index(each.measure[0]), reference.topics.index(each.topic)
        assert each.value == each.coefficient(reference.values[m, t], sides["fair"].values[m, t])
    found = [(each.measure[0], each.topic, str(each.coefficient)) for each in result.topics]
    assert found == [(m, t, c) for m in reference.measures for t in reference.topics for c in NAMES]


def test_the_summary_is_that_of_a_literal_loop(result):
    """Mean, extremes and where they are."""
    for each in result.summary:
        own = [t for t in result.topics if (t.measure, t.coefficient) == (each.measure, each.coefficient)]
        values = {t.topic: t.value for t in own}
        assert each.mean == math.fsum(values.values()) / 24
        assert (each.minimum, each.maximum) == (min(values.values()), max(values.values()))
        assert values[each.topic_of_minimum] == each.minimum
        assert values[each.topic_of_maximum] == each.maximum
        assert (each.topics, each.undefined, each.reason) == (24, 0, None)


def test_the_value_of_the_means_is_that_of_bootstrap(result, reference, sides):
    """Bit for bit, with the same seed."""
    for each in result:
        expected = cd.bootstrap(
            reference,
            sides["fair"],
            each.coefficient,
            measure=each.measure,
            resampling=cd.Resampling(n_resamples=200, rng=3),
        )
        assert (each.of_means, each.interval) == (expected.statistic, expected.confidence_interval)


def test_the_interval_of_the_mean_is_by_students_t(result):
    """A note names the method."""
    for each in result:
        own = [t for t in result.topics if (t.measure, t.coefficient) == (each.measure, each.coefficient)]
        values = np.array([t.value for t in own])
        expected = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.95)
        assert each.interval_of_mean == pytest.approx((expected.low, expected.high), abs=1e-7)
        assert each.interval_of_mean.low < each.mean < each.interval_of_mean.high
    (note,) = (note for note in result.notes if note.kind == "intervals_of_means_of_topics")
    assert str(note) == "the interval of the mean over topics is by Student's t"


def test_without_a_confidence_level_there_are_no_intervals(result, reference, sides):
    """The values are the same."""
    plain = cd.by_topic(reference, sides["fair"], NAMES, resampling=None)
    assert all(each.interval is None and each.interval_of_mean is None for each in plain)
    assert [each.of_means for each in plain] == [each.of_means for each in result]
    assert [(e.topic, e.value) for e in plain.topics] == [(e.topic, e.value) for e in result.topics]
    assert {(e.influence, e.failing) for e in plain.topics} == {(None, None)}
    assert plain.options == {"coefficients": NAMES}


def test_topics_on_one_side_only_are_left_out(reference, sides):
    """The means are of the topics in common; a note tells those left out."""
    found = cd.by_topic(reference["AP"], sides["half"]["AP"], "tau_b", resampling=None)
    assert len(found.topics) == 12
    common = reference["AP"].select(topics=sides["half"].topics)
    assert found.summary[0].of_means == cd.tau_b(common.mean(), sides["half"]["AP"].mean())
    (note,) = (note for note in found.notes if note.kind == "topics_not_in_common")
    assert note.values["topics"] == tuple(map(str, range(12, 24)))


def test_a_topic_without_a_value_is_counted_with_the_reason():
    """The mean is over the others."""
    human = {"q1": {"a": 0.2, "b": 0.5, "c": 0.3}, "q2": {"a": 0.4, "b": 0.3, "c": 0.2}}
    llm = {"q1": {"a": 0.3, "b": 0.6, "c": 0.1}, "q2": {"a": 0.5, "b": 0.5, "c": 0.5}}
    found = cd.by_topic(human, llm, ["tau_b"], resampling=None)
    (each,) = found
    assert (each.undefined, each.topics, each.mean) == (1, 2, 1 / 3)
    assert each.reason == "all systems are tied in the reference or in the estimate"
    assert found.topics[0].value == 1 / 3
    assert math.isnan(found.topics[1].value)


def test_frames_and_dictionaries(result):
    """Intervals are columns low and high, mean_low and mean_high."""
    row, each = result.to_dict()["tables"]["summary"][0], result.summary[0]
    assert (row["low"], row["high"]) == each.interval
    assert (row["mean_low"], row["mean_high"]) == each.interval_of_mean
    frame = result.to_frame("topics")
    head = ["estimate", "measure", "estimate_measure", "topic", "coefficient", "value"]
    assert list(frame.columns) == [*head, "influence", "failing"]
    assert len(frame) == len(result.topics)
    assert list(result) == list(result.summary)


def test_the_mean_of_every_side_is_taken_once(monkeypatch, reference, sides):
    """By each measure."""
    calls = []
    mean = cd.Scores.mean
    monkeypatch.setattr(
        cd.Scores, "mean", lambda self, measure=None: calls.append(measure) or mean(self, measure)
    )
    cd.by_topic(reference, sides["fair"], NAMES, resampling=cd.Resampling(n_resamples=9))
    assert sorted(calls) == ["AP", "AP", "P@10", "P@10"]


def test_a_mean_of_equal_values_has_no_interval():
    """A judge with the same scores has 1 on every topic; that shows no spread, and a note says so."""
    scores = np.random.default_rng(0).random((12, 6))
    (found,) = cd.by_topic(scores, scores, "tau_b", resampling=cd.Resampling(n_resamples=99)).summary
    assert (found.mean, found.interval_of_mean) == (1.0, None)
    notes = [
        str(note)
        for note in cd.by_topic(scores, scores, "tau_b", resampling=cd.Resampling(n_resamples=99)).notes
    ]
    assert any("tau_b is the same on all topics" in note for note in notes)
