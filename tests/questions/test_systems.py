"""The systems behind a coefficient: scores, ranks and the order of every pair, against literal loops."""

from __future__ import annotations

import itertools
import statistics

import numpy as np
import pytest
from scipy import stats

import concordant as cd

LETTERS = {(True, True): "b", (True, False): "r", (False, True): "e", (False, False): "n"}


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


def test_the_order_of_every_pair(sides, judged):
    """Pairs are counted as a loop counts them, and each has its letter."""
    x, y = (side.mean() for side in sides)
    tied = [cd.tied_by_significance(side) for side in sides]
    place = {system: i for i, system in enumerate(sides[0].systems)}
    order = [each.system for each in judged.systems]
    counts = {"same": 0, "opposite": 0, "tied": 0, "opposite_significant": 0}
    rows = []
    for i, one in enumerate(order):
        letters = ""
        for other in order[i + 1 :]:
            sign = (x[one] - x[other]) * (y[one] - y[other])
            kind = "tied" if sign == 0 else "same" if sign > 0 else "opposite"
            counts[kind] += 1
            both = tuple(not each.tied[place[one], place[other]] for each in tied)
            letters += LETTERS[both].upper() if sign < 0 else LETTERS[both]
            counts["opposite_significant"] += sign < 0 and both[0]
        rows.append(letters)
    (found,) = judged.order
    assert {name: getattr(found, name) for name in counts} == counts
    assert found.pairs == 21
    assert [(each.system, each.letters) for each in judged.pair_map] == list(zip(order, rows, strict=True))
    assert any(letter.isupper() for row in rows for letter in row)


def test_the_letters_agree_with_the_counts_of_significance(judged):
    """Both, reference only, estimate only and neither are counted the same."""
    letters = "".join(each.letters for each in judged.pair_map)
    (found,) = judged.significance
    assert letters.count("B") == found.opposed
    assert letters.count("b") == found.agree
    assert sum(letters.count(each) for each in "rR") == found.reference_only
    assert sum(letters.count(each) for each in "eE") == found.estimate_only


def test_without_tests_a_pair_is_untested(sides):
    """correlate tests only if it is asked to."""
    found = cd.correlate(sides[0], {"llm": sides[1]}, ["tau_b"], resampling=cd.Resampling(n_resamples=99))
    assert set("".join(each.letters for each in found.pair_map)) <= {"u", "U"}
    assert found.order[0].opposite_significant is None
    tested = cd.correlate(
        sides[0], {"llm": sides[1]}, ["tau_b"], alpha=0.05, resampling=cd.Resampling(n_resamples=99)
    )
    judged = cd.judge(sides[0], {"llm": sides[1]}, ["tau_b"], resampling=cd.Resampling(n_resamples=99))
    assert (tested.order, tested.pair_map) == (judged.order, judged.pair_map)
    assert tested.options["alpha"] == 0.05


def test_means_alone_have_no_intervals():
    """Without topics there are scores and ranks, and pairs that were not tested."""
    found = cd.judge({"a": 0.5, "b": 0.4, "c": 0.1}, {"llm": {"a": 0.3, "b": 0.4, "c": 0.2}}, ["tau_b"])
    for each in found.systems:
        assert each.reference_interval is each.estimate_ranks is each.reference_ranks is None
    assert [each.letters for each in found.pair_map] == ["Uu", "u", ""]


def test_scores_of_which_the_smallest_is_best_keep_their_sign():
    """The score is the one of the file, the rank that of the smallest."""
    values = -np.array([[0.5, 0.2, 0.9], [0.6, 0.1, 0.8]])
    side = cd.Scores(values, systems=["a", "b", "c"], measures=["RMSE"], lower=["RMSE"])
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
