"""The systems behind a coefficient: scores, ranks and the order of every pair, against literal loops."""

from __future__ import annotations

import itertools
import re
import statistics
import tracemalloc

import numpy as np
import pytest
from scipy import stats

import concordant as cd
from concordant.questions.systems import by_order


@pytest.fixture(scope="module")
def sides():
    """Seven systems on twelve topics; the last two tie under the reference."""
    rng = np.random.default_rng(4)
    own = np.linspace(0.8, 0.2, 7) + rng.normal(0, 0.15, (12, 7))
    own[:, 6] = own[::-1, 5]  # the same scores on other topics: the same mean
    other = own + rng.normal(0, 0.3, (12, 7))
    names = list("gfedcba")
    return cd.Scores(own, systems=names), cd.Scores(other, systems=names)


@pytest.fixture(scope="module")
def judged(sides):
    """What judge finds about one estimate."""
    return cd.judge(sides[0], {"llm": sides[1]}, ["tau_b"], resampling=cd.Resampling(n_resamples=99))


def rank(means, system):
    """Return 1 plus the number of systems that are better."""
    return 1 + sum(value > means[system] for value in means.values())


def test_scores_and_ranks_are_those_of_the_means(sides, judged):
    """Each record has the mean of both sides, its rank, and how many ranks it gains."""
    x, y = (side.mean() for side in sides)
    assert sorted(each.system for each in judged.systems) == sorted(x)
    for each in judged.systems:
        assert (each.reference_score, each.estimate_score) == (x[each.system], y[each.system])
        assert each.reference_rank == rank(x, each.system)
        assert each.estimate_rank == rank(y, each.system)
        assert each.gain == each.reference_rank - each.estimate_rank


def test_the_best_system_of_the_reference_comes_first(judged):
    """Systems are ordered by the rank of the reference; two share the sixth rank."""
    assert [each.reference_rank for each in judged.systems] == [1, 2, 3, 4, 5, 6, 6]


def test_intervals_of_scores_are_those_of_student(sides, judged):
    """Mean -+ t s / sqrt(n)."""
    values = dict(zip(sides[0].systems, sides[0].values[0].T.tolist(), strict=True))
    for each in judged.systems:
        own = values[each.system]
        half = stats.t.ppf(0.975, len(own) - 1) * statistics.stdev(own) / len(own) ** 0.5
        assert each.reference_interval.low == pytest.approx(statistics.mean(own) - half, abs=1e-12)
        assert each.reference_interval.high == pytest.approx(statistics.mean(own) + half, abs=1e-12)


def test_every_pair_of_systems_once(sides, judged):
    """In the order of the reference; of two that it ties, the better one by the estimate comes first."""
    x, y = (side.mean() for side in sides)
    order = [each.system for each in judged.systems]
    found = [(each.better, each.worse) for each in judged.pairs]
    assert found == list(itertools.combinations(order, 2))
    assert len(found) == 21
    for each in judged.pairs:
        assert each.reference_difference == x[each.better] - x[each.worse] >= 0
        assert each.estimate_difference == y[each.better] - y[each.worse]
        assert each.reference_difference > 0 or each.estimate_difference >= 0
    assert {each.estimate_difference < 0 for each in judged.pairs} == {True, False}
    assert sum(each.reference_difference == 0 for each in judged.pairs) == 1


def test_pairs_are_tested_on_both_sides(sides, judged):
    """By the tests of tied_by_significance."""
    tied = [cd.tied_by_significance(side) for side in sides]
    place = {system: i for i, system in enumerate(sides[0].systems)}
    for each in judged.pairs:
        i, j = place[each.better], place[each.worse]
        assert [each.reference_pvalue, each.estimate_pvalue] == [own.pvalues[i, j] for own in tied]
        assert [own.tied[i, j] for own in tied] == [
            each.reference_pvalue >= 0.05,
            each.estimate_pvalue >= 0.05,
        ]


def test_pairs_of_a_table_are_counted_as_a_loop_counts_them(sides, judged):
    """Same, opposite and tied."""
    x, y = (side.mean() for side in sides)
    signs = {frozenset((a, b)): np.sign((x[a] - x[b]) * (y[a] - y[b])) for a in x for b in x if a != b}
    assert {(each.estimate, each.measure) for each in judged.pairs} == {("llm", ("score", "score"))}
    assert by_order(judged.systems) == {
        "same": sum(sign > 0 for sign in signs.values()),
        "opposite": sum(sign < 0 for sign in signs.values()),
        "tied once": sum(sign == 0 for sign in signs.values()),
        "tied twice": 0,
    }
    assert len(judged.pairs) == 21


def test_tied_pairs_are_counted():
    """On both sides, or on one of them, which is what is left."""
    x, y = {"a": 2.0, "b": 1.0, "c": 1.0, "d": 0.0}, {"a": 1e-200, "b": 5e-201, "c": 5e-201, "d": 5e-201}
    found = by_order(cd.correlate(x, {"y": y}, "tau_b").systems)
    assert list(found.values()) == [3, 0, 2, 1]  # a first; b and c are tied twice, others by y


def test_correlate_and_judge_test_the_same_pairs(sides):
    """At the level 1 - that of confidence."""
    few = cd.Resampling(n_resamples=99)
    tested = cd.correlate(sides[0], {"llm": sides[1]}, ["tau_b"], resampling=few)
    judged = cd.judge(sides[0], {"llm": sides[1]}, ["tau_b"], resampling=few)
    assert tested.pairs == judged.pairs
    assert tested.options["alpha"] == 0.05


def test_means_alone_have_no_intervals():
    """Without topics there are scores and ranks, and pairs that were not tested."""
    found = cd.judge({"a": 0.5, "b": 0.4, "c": 0.1}, {"llm": {"a": 0.3, "b": 0.4, "c": 0.2}}, ["tau_b"])
    for each in found.systems:
        assert each.reference_interval is each.estimate_ranks is each.reference_ranks is None
    assert [(p.better, p.worse, p.estimate_difference < 0, p.reference_pvalue) for p in found.pairs] == [
        ("a", "b", True, None),
        ("a", "c", False, None),
        ("b", "c", False, None),
    ]


def test_scores_of_which_the_smallest_is_best_keep_their_sign():
    """The score is the one of the file, the rank that of the smallest."""
    values = -np.array([[0.5, 0.2, 0.9], [0.6, 0.1, 0.8]])
    side = cd.Scores(values, systems=["a", "b", "c"], measures=["RMSE"], lower_is_better=["RMSE"])
    found = cd.correlate(side, {"same": side}, ["tau_b"], resampling=cd.Resampling(n_resamples=99))
    first = found.systems[0]
    assert (first.system, first.reference_rank) == ("b", 1)
    assert first.reference_score == pytest.approx(0.15)
    assert first.reference_interval.low < 0.15 < first.reference_interval.high


def test_ranks_over_resamples(judged):
    """The interval of a rank holds the rank, and a sure system stays first."""
    for each in judged.systems:
        assert 1 <= each.reference_ranks.low <= each.reference_rank <= each.reference_ranks.high <= 7
    rng = np.random.default_rng(1)
    clear = cd.Scores(np.array([10.0, 5.0, 0.0]) + rng.normal(0, 0.1, (9, 3)), systems=["a", "b", "c"])
    found = cd.correlate(clear, {"same": clear}, ["tau_b"], resampling=cd.Resampling(n_resamples=99))
    assert [tuple(each.estimate_ranks) for each in found.systems] == [(1, 1), (2, 2), (3, 3)]


def test_each_topic_has_its_value(sides, judged):
    """The values of topics are those of the topics alone."""
    for each, topic in itertools.zip_longest(judged.each_topic, sides[0].topics):
        x, y = (side.select(topics=[topic]).mean() for side in sides)
        assert each.topic == topic
        assert each.value == cd.tau_b(x, y)


def test_many_pairs_are_left_out_with_a_note(sides, monkeypatch, tmp_path):
    """10,000 systems have 50 million pairs, which took 2.7 GB; what grows with n is still told."""
    whole = cd.judge(*sides, "tau_b", resampling=cd.Resampling(n_resamples=9))
    monkeypatch.setenv("CONCORDANT_MAX_PAIRS", "20")
    short = cd.judge(*sides, "tau_b", resampling=cd.Resampling(n_resamples=9))
    assert short.pairs is None
    for a, b in zip(short.agreement, whole.agreement, strict=True):
        assert (a.value, a.interval, a.floor) == (b.value, b.interval, b.floor)
        assert (a.as_close, short.reliability) == (None, ())
    assert short.systems[0].estimate_ranks is None
    assert short.verdict[0].startswith("The estimate and the reference have tau_b ")
    assert re.match(r"It has \d+ of 21 pairs of systems in the opposite order", short.verdict[1])
    told = [note.text for note in short.notes if note.kind == "pairs_left_out"]
    assert len(told) == 1
    assert "there are 21 pairs of systems, more than 20; set CONCORDANT_MAX_PAIRS to a larger" in told[0]
    assert short.reliability == ()
    assert "pairs" not in short.to_dict()["tables"]
    with pytest.raises(cd.ArgumentError, match="needs fewer pairs of systems, or a larger CONCORDANT_MAX"):
        short.table("pairs")
    cd.report(short, tmp_path / "page.html")
    for ask in (cd.plan, cd.tied_by_significance):
        with pytest.raises(cd.ArgumentError, match=": there are 21 pairs of systems, more than 20; set CONC"):
            ask(sides[0])


def test_memory_does_not_grow_with_the_pairs_of_systems():
    """5,000 systems have 12 million pairs."""
    rng = np.random.default_rng(0)
    x = rng.permutation(5_000).astype(float)
    names = [f"s{i}" for i in range(len(x))]
    x, y = (dict(zip(names, v.tolist(), strict=True)) for v in (x, x + rng.normal(0, 100, len(x))))
    tracemalloc.start()
    found = cd.correlate(x, {"y": y}, "tau_b", resampling=None)
    assert found.verdict
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30e6
