"""`predict`: against literal loops over splits, and what it says of the systems that it leaves out."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import concordant as cd

predict = cd.experiments.predict


class Halves:
    """A coefficient that only notes which topics the means on both sides are from."""

    def __init__(self):
        self.seen = []

    def __call__(self, x, y):
        self.seen.append(tuple(tuple(np.flatnonzero(side).tolist()) for side in (x, y)))
        return 0.0


def splits_drawn(n_topics, n_splits, **options):
    """Return the splits that `predict` draws, as topics of both halves.

    The system k has a score on topic k only, so that a mean above 0 shows that the topic is in the half.
    """
    halves = Halves()
    predict(np.eye(n_topics), [halves], n_splits=n_splits, **options)
    return halves.seen


@pytest.mark.parametrize(("n_topics", "size"), [(6, None), (7, None), (8, 4), (8, 5)])
def test_the_halves_are_disjoint_and_the_larger_is_for_the_estimate(n_topics, size):
    """Every split has two parts without a common topic, of half of the topics each."""
    topics = {} if size is None else {"topics": [size]}
    size = size or n_topics
    splits = splits_drawn(n_topics, 50, rng=1, **topics)
    assert len(splits) == 50
    for first, second in splits:
        assert (len(first), len(second)) == (size // 2, size - size // 2)
        assert not set(first) & set(second)


@pytest.mark.parametrize(("n_topics", "size"), [(4, 4), (5, 5), (5, 3)])
def test_all_splits_are_equally_likely(n_topics, size):
    """All splits of a few topics occur, as often as chance has it."""
    possible = [
        (first, second)
        for first in combinations(range(n_topics), size // 2)
        for second in combinations([t for t in range(n_topics) if t not in first], size - size // 2)
    ]
    drawn = Counter(splits_drawn(n_topics, 200 * len(possible), topics=[size], rng=3))
    assert set(drawn) == set(possible)
    assert stats.chisquare([drawn[split] for split in possible]).pvalue > 0.01


def test_a_prediction_is_the_mean_of_a_literal_loop_over_splits(two_measures):
    """Each split is a permutation of the topics; the reference has its first half, the estimate the rest."""
    scores = two_measures
    result = predict(scores, ["tau_b", "tau_ap_a(0.05)", "tau"], n_splits=40, rng=3)
    orders = np.random.default_rng(3).permuted(np.tile(np.arange(20), (40, 1)), axis=1)
    assert [(p.reference, p.estimate) for p in result][::3] == [
        ("AP", "AP"),
        ("AP", "P@10"),
        ("P@10", "AP"),
        ("P@10", "P@10"),
    ]
    for prediction in result:
        values, undefined = [], 0
        for order in orders:
            first, second = ([scores.topics[t] for t in half] for half in (order[:10], order[10:]))
            x = scores.select(topics=first).mean(prediction.reference)
            y = scores.select(topics=second).mean(prediction.estimate)
            try:
                values.append(float(prediction.coefficient(x, y)))
            except cd.TiesError:
                undefined += 1
        assert (prediction.splits, prediction.undefined, prediction.topics) == (40, undefined, 20)
        if values:
            assert prediction.mean == math.fsum(values) / len(values)
            assert prediction.sd == pytest.approx(np.std(values, ddof=1), abs=1e-12)
    assert any(p.undefined for p in result if p.coefficient.name == "tau")


def test_a_prediction_is_compared_with_self_prediction_split_by_split(two_measures):
    """A coefficient of one's own that remembers its values: the difference is within splits."""
    found = {}

    def remembered(x, y):
        value = cd.tau_b(x, y)
        found.setdefault("values", []).append(value)
        return value

    result = predict(two_measures, [remembered], n_splits=30, rng=2)
    values = np.array(found["values"]).reshape(2, 2, 30)
    for p, (i, j) in zip(result, [(0, 0), (0, 1), (1, 0), (1, 1)], strict=True):
        gain = values[i, j] - values[i, i]
        assert (p.difference is None) == (p.won is None) == (i == j)
        if i != j:
            assert p.difference == pytest.approx(gain.mean(), abs=1e-12)
            assert p.won == pytest.approx((gain > 1e-12).mean())


def test_smaller_sets_of_topics_are_drawn(two_measures):
    """There is a prediction for each number of topics, and more topics predict better."""
    result = predict(two_measures, "tau_b", n_splits=50, topics=[4, 10], rng=1)
    assert [p.topics for p in result] == [4] * 4 + [10] * 4
    by_size = {p.topics: p.mean for p in result if p.reference == p.estimate == "AP"}
    assert by_size[4] < by_size[10]


def test_one_number_of_topics_need_not_be_a_list(two_measures):
    """Text is refused in one sentence."""
    one = predict(two_measures, "tau_b", topics=4, n_splits=9)
    assert one == predict(two_measures, "tau_b", topics=[4], n_splits=9)
    assert one.options["topics"] == [4]
    with pytest.raises(cd.ArgumentTypeError, match=r"^predict: topics must be a number or several, got "):
        predict(two_measures, "tau_b", topics="4")


def test_the_result_does_not_depend_on_workers_and_follows_the_seed(two_measures):
    """The same seed gives the same bits, with threads too; a drawn seed is told."""
    one = predict(two_measures, ["tau_b", "tau_gap"], n_splits=60, rng=3)
    assert one == predict(two_measures, ["tau_b", "tau_gap"], n_splits=60, rng=3, workers=2)
    other = predict(two_measures, ["tau_b", "tau_gap"], n_splits=60, rng=4)
    assert one != other
    assert one.predictions != other.predictions
    drawn = predict(two_measures, "tau_b", n_splits=5, rng=None)
    assert drawn == predict(two_measures, "tau_b", n_splits=5, rng=drawn.seed)


def test_the_seed_is_0_by_default(two_measures):
    """Without a seed two calls give the same result."""
    found = predict(two_measures, "tau_b", n_splits=5)
    assert found.seed == 0
    assert found == predict(two_measures, "tau_b", n_splits=5, rng=0)


def test_systems_are_left_out_by_name_as_duplicates_and_as_the_worst(two_measures):
    """First those that are named, then those that repeat another, then the bottom; notes say which."""
    scores = two_measures
    values = np.concatenate([scores.values, scores.values[:, :, [3]]], axis=2)
    doubled = cd.Scores(values, measures=scores.measures, systems=[*scores.systems, "copy"])
    options = {"n_splits": 5, "drop": ["11", "copy"], "drop_bottom": 0.25, "rng": 1}
    result = predict(doubled, "tau_b", **options)
    means = doubled.mean("AP")
    worst = sorted((s for s in doubled.systems if s not in ("11", "copy")), key=means.__getitem__)[:2]
    worst = tuple(sorted(worst, key=doubled.systems.index))
    assert [(note.kind, dict(note.values)) for note in result.notes] == [
        ("systems_dropped_by_name", {"systems": ("11", "copy")}),
        ("bottom_dropped", {"systems": worst, "measure": "AP"}),
    ]
    assert [str(note) for note in result.notes] == [
        "dropped by name: 11, copy",
        f"dropped the 2 systems with the lowest mean AP: {', '.join(worst)}",
    ]
    assert result.options["systems"] == 9
    kept = [s for s in doubled.systems if s not in ("11", "copy", *worst)]
    assert result.predictions == predict(doubled.select(systems=kept), "tau_b", n_splits=5, rng=1).predictions


def test_the_options_say_what_was_left_out(two_measures):
    """The options of the result are those of the call."""
    options = {"n_splits": 2, "drop": ["1"], "drop_bottom": 0.2}
    result = predict(two_measures, "tau_b", **options, rng=1)
    assert {name: result.options[name] for name in options} == options
    assert result.options["measures"] == ["AP", "P@10"]
    assert (result.options["topics"], result.options["bottom_by"], result.seed) == ([20], None, 1)


@pytest.mark.parametrize("share", [0.29, 0.57, 0.58])
def test_the_bottom_is_the_share_that_was_asked_for(share):
    """A share such as 0.29, which is not exact in binary, drops 29 of 100 systems."""
    values = np.random.default_rng(0).random((3, 100))
    result = predict(values, "tau_b", n_splits=2, drop_bottom=share, rng=1)
    assert result.options["systems"] == 100 - round(100 * share)


def test_missing_scores_count_as_0_with_a_note():
    """The note is about the systems that are left."""
    values = np.random.default_rng(1).random((10, 6))
    values[2, 3] = np.nan
    result = predict(values, "tau_b", n_splits=3, rng=1)
    assert [(note.kind, note.values["scores"]) for note in result.notes] == [("missing_as_zero", 1)]
    assert result.predictions == predict(np.nan_to_num(values), "tau_b", n_splits=3, rng=1).predictions
    without = predict(values, "tau_b", n_splits=3, drop=["3"], rng=1)
    assert [str(note) for note in without.notes] == ["dropped by name: 3"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_splits": 0}, "n_splits must be a whole number from 1 up"),
        ({"topics": [21]}, "there are 20 topics"),
        ({"topics": [1]}, "topics must be a whole number from 2 up"),
        ({"drop": ["nobody"]}, "there is no system 'nobody'"),
        ({"drop_bottom": 1.0}, "drop_bottom must be a share"),
        ({"drop_bottom": 0.95}, "1 systems are left"),
        ({"bottom_by": "RR", "drop_bottom": 0.1}, "there is no measure 'RR'"),
        ({"bottom_by": "nope"}, "there is no measure 'nope'"),
    ],
)
def test_wrong_options_are_refused(two_measures, options, message):
    """One sentence says what is wrong, after the name of the function."""
    with pytest.raises(cd.ArgumentError, match=f"^predict: {message}"):
        predict(two_measures, "tau_b", **options)
