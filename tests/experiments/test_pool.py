"""`pool`: inferred AP computed literally, and how judgements are thinned out."""

from __future__ import annotations

import math

import numpy as np
import pytest

import concordant as cd
from concordant.experiments.pool import thinned

pool = cd.experiments.pool


def inferred_ap(ranked, judgements):
    """Yilmaz and Aslam (2006), equation of section 4.

    The pool is what has a judgement; -1 is not sampled.
    """
    eps = 0.00001
    relevant = sum(rel > 0 for rel in judgements.values())
    total, n_pool, n_rel, n_non = 0.0, 0, 0, 0
    for rank, document in enumerate(ranked, 1):
        rel = judgements.get(document)
        if rel is not None and rel > 0:
            above = rank - 1
            expected = 1.0 / rank
            if above:
                expected += above / rank * (n_pool / above) * ((n_rel + eps) / (n_rel + n_non + 2 * eps))
            total += expected
        n_pool += rel is not None
        n_rel += rel is not None and rel > 0
        n_non += rel == 0
    return total / relevant if relevant else 0.0


def test_pool_is_inferred_ap_against_ap(folder):
    """Samples are drawn for the larger share first; values and errors are those of the means."""
    files = (folder / "human.qrels", folder / "runs" / "*")
    result = pool(*files, ["tau_b"], percents=[20, 100], rng=4)
    full = cd.read_qrels(folder / "human.qrels")
    generator = np.random.default_rng(4)
    thinned(full, 100, generator)
    sample = thinned(full, 20, generator)
    reference = cd.evaluate(*files, "AP")
    runs = {run.name: run.topics for run in map(cd.read_run, sorted((folder / "runs").iterdir()))}
    by_topic = {
        name: {t: inferred_ap(sorted(docs, key=docs.get, reverse=True), sample[t]) for t, docs in own.items()}
        for name, own in runs.items()
    }
    expected = {name: np.mean(list(values.values())) for name, values in by_topic.items()}
    found = {each.percent: each for each in result}
    means = reference.mean()
    assert found[20].of_means == pytest.approx(cd.tau_b(means, expected), abs=1e-12)
    assert found[20].rms_error == pytest.approx(
        math.sqrt(np.mean([(means[s] - expected[s]) ** 2 for s in means])), abs=1e-4
    )
    assert found[100].of_means == pytest.approx(1.0)
    assert found[100].rms_error < 1e-4
    points = [point for point in result.scatter if point.percent == 20]
    assert len(points) == len(reference.topics) * len(reference.systems)
    for point in points:
        assert point.inferred_ap == pytest.approx(by_topic[point.system][point.topic], abs=1e-4)
        t, s = reference.topics.index(point.topic), reference.systems.index(point.system)
        assert point.ap == reference.values[0, t, s]
    assert result == pool(*files, ["tau_b"], percents=[20, 100], rng=4, workers=2)


def test_ties_of_topics_and_what_is_expected_of_systems(folder):
    """Ties are counted literally; what is expected is the mean of the system plus that of the topic."""
    result = pool(folder / "human.qrels", folder / "runs" / "*", ["tau_b"], percents=[5, 100], rng=1)
    own = [each for each in result.scatter if each.percent == 5]
    ap = {(each.system, each.topic): each.ap for each in own}

    def mean(place, name):
        return np.mean([value for key, value in ap.items() if key[place] == name])

    for each in own:
        expected = mean(0, each.system) + mean(1, each.topic) - np.mean(list(ap.values()))
        assert each.expected_ap == pytest.approx(expected, abs=1e-12)
    for row in (row for row in result.topics if row.percent == 5):
        points = [each for each in own if each.topic == row.topic]
        for tied, name in ((row.tied, "ap"), (row.inferred_tied, "inferred_ap")):
            scores = [getattr(each, name) for each in points]
            assert tied == sum(scores.count(score) > 1 for score in scores)
        x, y = ([getattr(each, name) for each in points] for name in ("ap", "inferred_ap"))
        assert row.value == pytest.approx(cd.tau_b(x, y), abs=1e-12)
    assert any(row.inferred_tied for row in result.topics)


def test_thinning_keeps_its_share_and_one_relevant_document():
    """The others are in the pool and not judged."""
    qrels = {"1": {f"d{i}": int(i == 7) for i in range(100)}, "2": {"a": 0, "b": -1}}
    for percent, n in ((1, 1), (10, 10), (33, 33), (100, 100)):
        sample = thinned(qrels, percent, np.random.default_rng(percent))
        assert sum(rel >= 0 for rel in sample["1"].values()) == n
        assert sample["1"]["d7"] == 1
        assert set(sample["1"]) == set(qrels["1"])
    assert thinned(qrels, 100, np.random.default_rng(0)) == qrels


def test_grades_below_minus_one_are_judged(folder):
    """-2 is spam in web tracks: judged, and not relevant."""
    qrels = cd.read_qrels(folder / "human.qrels")
    spam = {
        t: {d: -2 if rel == 0 and i % 2 else rel for i, (d, rel) in enumerate(docs.items())}
        for t, docs in qrels.items()
    }
    n_spam = sum(rel == -2 for docs in spam.values() for rel in docs.values())
    one, other = (pool(q, folder / "runs" / "*", ["tau_b"], percents=[30, 100], rng=1) for q in (qrels, spam))
    assert (one.shares, one.scatter) == (other.shares, other.scatter)
    assert one.scatter
    (note,) = (note for note in other.notes if note.kind == "spam_grades")
    assert str(note) == f"{n_spam} grades below -1 count as judged and not relevant"


def test_shares_that_are_nearly_the_same_are_both_there(folder):
    """Shares are not told apart by their printed digits."""
    files = (folder / "human.qrels", folder / "runs" / "*")
    result = pool(*files, ["tau_b"], percents=[33.333333, 33.333334], rng=1)
    assert [each.percent for each in result] == [33.333334, 33.333333]


def test_one_share_need_not_be_a_list(folder):
    """Text is refused in one sentence."""
    files = (folder / "human.qrels", folder / "runs" / "*")
    one = pool(*files, "tau_b", percents=5, rng=1)
    assert one == pool(*files, "tau_b", percents=[5], rng=1)
    assert one.options["percents"] == [5.0]
    with pytest.raises(cd.ArgumentTypeError, match=r"^pool: percents must be a number or several, got "):
        pool(*files, "tau_b", percents="5")


def test_there_are_as_many_samples_as_replicates(folder):
    """All judgements are one sample, however many replicates there are."""
    files = (folder / "human.qrels", folder / "runs" / "*")
    result = pool(*files, ["tau_b"], percents=[10, 100], n_replicates=3, rng=1)
    assert [(each.percent, each.sample) for each in result] == [(100, 1), (10, 1), (10, 2), (10, 3)]
    assert len({each.rms_error for each in result}) == 4


def test_runs_may_come_from_an_iterator(folder):
    """An iterator of files is read once; a stream of a run is taken, too."""
    files = sorted((folder / "runs").iterdir())
    one = pool(folder / "human.qrels", (f for f in files), ["tau_b"], percents=[50], rng=1)
    assert one == pool(folder / "human.qrels", files, ["tau_b"], percents=[50], rng=1)


@pytest.mark.parametrize("percents", [[], [0], [101], [-1, 5]])
def test_shares_outside_0_to_100_are_refused(folder, percents):
    """One sentence says what is wrong, after the name of the function."""
    with pytest.raises(cd.ArgumentError, match=r"^pool: percents must be above 0 and up to 100, got"):
        pool(folder / "human.qrels", folder / "runs" / "*", percents=percents)
