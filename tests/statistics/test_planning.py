"""How many topics are needed: for a reliable ranking, and to tell two judges apart."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

import concordant as cd
from concordant.statistics.reliability import growing_subset


def value_of(scores, name, n_topics, **options):
    """Return the expected correlation for one number of topics."""
    return cd.plan(scores, name, n_topics=n_topics, **options).curve[0].expected


@pytest.mark.parametrize("method", ["posterior", "msqd", "ml", "resampling"])
@pytest.mark.parametrize("name", ["tau", "tau_ap"])
def test_the_number_of_topics_is_the_smallest_that_reaches_the_target(collection, name, method):
    scores, _ = collection()
    options = {"method": method, "resampling": cd.Resampling(n_resamples=400, rng=2)}
    for target in (0.3, 0.8, 0.93):
        (found,) = cd.plan(scores, name, target=target, n_topics=30, **options).needed
        assert value_of(scores, name, found.topics, **options) >= target
        assert found.topics == 1 or value_of(scores, name, found.topics - 1, **options) < target
        assert (found.target, found.available) == (target, 30)


def test_systems_with_the_same_scores_keep_the_target_out_of_reach(collection):
    """The reason names them; without one of them the target is reached."""
    scores, _ = collection(n_systems=6)
    scores[:, 3] = scores[:, 4]
    named = cd.Scores(scores, systems=list("abcdef"))
    found = cd.plan(named, "tau", target=0.95, method="ml")
    assert found.needed[0].topics is None
    limit = 1 - 2 * 0.5 / 15
    text = found.to_text(width=None)
    assert (
        "An expected tau of 0.95 with the true ranking needs a number of topics that cannot be given" in text
    )
    assert f"expected to be {limit:.4f} at most, because systems have the same mean: d and e" in text
    assert cd.plan(named, "tau", target=0.9, method="ml").needed[0].topics > 1
    assert cd.plan(named.select(systems=list("abcdf")), "tau", target=0.95, method="ml").needed[0].topics > 1


def test_a_target_that_only_millions_of_topics_reach_is_none(collection):
    """Two systems that hardly differ."""
    scores, _ = collection(n_systems=2)
    scores[:, 1] = scores[np.random.default_rng(0).permutation(30), 0]
    scores[0, 1] += 1e-6
    found = cd.plan(scores, "tau", target=0.9, method="ml")
    assert found.needed[0].topics is None
    assert "more than 67,108,864 topics would be needed" in found.to_text(width=None)


def test_a_plan_has_a_row_for_each_measure_coefficient_and_number(two_measures):
    """The number of topics of the scores is among them; one measure alone gives the same rows."""
    how = cd.Resampling(confidence_level=0.9)
    planned = cd.plan(two_measures, resampling=how)
    assert {(each.measure, str(each.coefficient)) for each in planned} == {
        (measure, name) for measure in ("AP", "P@10") for name in ("tau", "tau_ap")
    }
    assert 20 in {each.topics for each in planned}
    alone = cd.plan(two_measures, measure="P@10", resampling=how)
    assert alone.curve == tuple(each for each in planned if each.measure == "P@10")
    assert alone.needed == tuple(each for each in planned.needed if each.measure == "P@10")
    columns = "measure coefficient topics expected low high other_topics other_low other_high"
    assert list(planned.to_frame().columns) == columns.split()


def test_a_plan_counts_missing_scores_as_judge_does():
    """As 0 by default; a study drops the topic, or refuses it."""
    scores = np.random.default_rng(1).random((6, 4))
    scores[2, 1] = math.nan
    filled = np.nan_to_num(scores)
    assert value_of(scores, "tau", 6) == value_of(filled, "tau", 6)
    sides = {"scores": cd.Scores(scores)}
    dropped = cd.plan(cd.Study.of_sides(sides, on_missing="drop"), "tau", n_topics=5).curve[0].expected
    assert dropped == value_of(np.delete(scores, 2, axis=0), "tau", 5)


def test_planning_refuses_what_it_cannot_use(collection):
    scores, judge = collection()
    judges = {"a": judge, "b": judge}
    for options, message in (
        ({"target": 1}, "target must be a number between 0 and 1, got 1"),
        ({"coefficients": "pearson_r"}, "coefficients must be among 'tau', .*, got 'pearson_r'"),
        ({"method": "x"}, "method must be 'msqd', 'ml' or 'resampling', got 'x'"),
        ({"n_topics": [0, 5]}, "n_topics must be a whole number from 1 up, got 0"),
        ({"n_topics": []}, "n_topics: none was given"),
        ({"measure": "AP"}, "there is no measure 'AP'"),
        ({"estimates": judges, "power": 80}, "power must be a number between 0 and 1"),
        ({"resampling": 9}, "resampling must be a Resampling, .* got int"),
    ):
        with pytest.raises((cd.ArgumentError, cd.ArgumentTypeError), match=f"^plan: {message}"):
            cd.plan(scores, **options)
    with pytest.raises(cd.ArgumentError, match=r"^plan: a Study has its estimates already; give it alone"):
        cd.plan(cd.Study(scores, judges), estimates=judges)
    with pytest.raises(cd.ArgumentError, match=r"^plan: the reliability .* needs the scores of two topics"):
        cd.plan({"a": 1.0, "b": 2.0})
    with pytest.raises(cd.ArgumentError, match=r"^plan: a ranking needs two systems or more, got 1"):
        cd.plan(scores[:, :1])


def told(scores, a, b, name, **options):
    """Return the row for two judges, and the text."""
    planned = cd.plan(scores, estimates={"a": a, "b": b}, agreement=name, **options)
    (row,) = (each for each in planned.needed if each.goal == "judge pair")
    return row, planned.to_text(details=True, width=None)


def test_topics_to_tell_judges_apart_are_those_of_the_formula(collection):
    """T ((z + z) s / d)^2, rounded up, and so is the interval; the order of the judges is a sign."""
    scores, good = collection(noise=0.1)
    poor = scores + np.random.default_rng(8).normal(0, 0.8, scores.shape)
    how = cd.Resampling(n_resamples=999, rng=1)
    found, text = told(scores, good, poor, "tau_b", resampling=how)
    z = NormalDist().inv_cdf

    def topics(size, power=0.8, alpha=0.05):
        return math.ceil(30 * ((z(1 - alpha / 2) + z(power)) * found.standard_error / size) ** 2)

    reach = z(0.975) * found.standard_error
    assert found.topics == topics(found.now)
    assert (found.at_least, found.at_most) == (topics(found.now + reach), topics(found.now - reach))
    assert f"needs about {found.topics} topics ({found.at_least} to " in text
    more, _ = told(scores, good, poor, "tau_b", resampling=how, power=0.95, alpha=0.01)
    assert more.topics == topics(found.now, 0.95, 0.01)
    back, _ = told(scores, poor, good, "tau_b", resampling=how)
    assert (back.now, back.topics) == (-found.now, found.topics)
    bare, _ = told(scores, good, poor, "tau_b", resampling=None)
    assert (bare.at_least, bare.at_most) == (None, None)


def test_judges_are_told_apart_pair_by_pair(collection):
    """A study has a row for each pair of its estimates; for one estimate there is none."""
    scores, a = collection(noise=0.1)
    judges = {
        "a": a,
        "b": scores + 0.5 * a,
        "c": scores + np.random.default_rng(9).normal(0, 0.4, scores.shape),
    }
    how = cd.Resampling(n_resamples=99)
    rows = cd.plan(cd.Study(scores, judges), agreement="tau_b", resampling=how).needed[-3:]
    assert [(row.estimate, row.other) for row in rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    two = {name: judges[name] for name in ("a", "c")}
    assert cd.plan(scores, estimates=two, agreement="tau_b", resampling=how).needed[-1] == rows[1]
    assert {row.goal for row in cd.plan(scores, estimates={"a": a}).needed} == {"ranking", "judge"}


def test_the_standard_error_is_that_of_the_bootstrap_of_the_difference(collection):
    scores, a = collection(noise=0.1)
    b = scores + np.random.default_rng(9).normal(0, 0.4, scores.shape)
    found, _ = told(scores, a, b, "tau_ap_b", resampling=cd.Resampling(n_resamples=4000, rng=1))
    theirs = cd.difference(scores, a, b, "tau_ap_b", resampling=cd.Resampling(rng=2, n_resamples=4000))
    assert found.standard_error == pytest.approx(theirs.standard_error, rel=0.08)


def test_equal_judges_cannot_be_told_apart(collection):
    scores, a = collection()
    found, text = told(scores, a, a, "tau_b")
    assert found.topics is None
    assert "needs a number of topics that cannot be given" in text
    b = scores + np.random.default_rng(10).normal(0, 0.1, scores.shape)
    close, text = told(scores, a, b, "tau_b", resampling=cd.Resampling(n_resamples=999, rng=1))
    assert close.at_most is None
    assert " or more)" in text
    assert close.topics > 30
    assert f"{close.topics} topics are an extrapolation from 30" in text


def test_the_curve_is_between_0_and_1_and_does_not_run_away():
    """For many more topics than there are, too."""
    scores = np.random.default_rng(0).normal(np.linspace(0.6, 0.3, 12), 0.15, (50, 12))
    for c in ("tau", "tau_ap"):
        ends = [each.interval.low for each in cd.plan(scores, c, n_topics=[50, 60, 100, 200, 1000]).curve]
        assert ends == sorted(ends)
        assert ends[0] > 0.7
    few = cd.plan(scores[:5], "tau", n_topics=[3, 10]).curve
    assert all(0 <= each.interval.low <= each.expected <= each.interval.high <= 1 for each in few)


def test_a_plan_claims_no_more_than_an_expectation_with_a_range():
    """The ends are the numbers with which the ends of the interval reach the target."""
    scores = np.random.default_rng(0).normal(np.linspace(0.6, 0.3, 12), 0.15, (50, 12))
    planned = cd.plan(scores, "tau", target=0.94)
    (need,) = planned.needed
    assert need.at_least < need.topics < need.at_most
    assert planned.verdict[1] == (
        f"An expected tau of 0.94 with the true ranking needs about {need.topics} topics ("
        f"{need.at_least} to {need.at_most})."
    )
    for n, end in ((need.at_least, "high"), (need.at_most, "low")):
        below, at = (getattr(each.interval, end) for each in cd.plan(scores, "tau", n_topics=[n - 1, n]))
        assert below < 0.94 <= at


def test_equal_systems_get_no_number_of_topics():
    """The sentence that these topics show no order takes its place; the published methods give a number."""
    equal = np.random.default_rng(3).normal(0.5, 0.2, (50, 20))
    planned = cd.plan(equal, "tau")
    (need,) = planned.needed
    assert (need.topics, need.at_least, need.at_most) == (None, None, None)
    assert [note.kind for note in planned.notes] == ["no_order"]
    assert str(planned.notes[0]).startswith("score: these topics do not show an order of these systems (F ")
    assert planned.verdict[1] == (
        "An expected tau of 0.9 with the true ranking needs a number of topics that cannot be given."
    )
    assert cd.plan(equal, "tau", method="ml").needed[0].topics > 50


def test_the_curve_of_other_topics_is_below_that_of_the_truth(collection):
    """Another ranking has luck of its own; with endless topics it is the truth."""
    scores, _ = collection()
    near, far = cd.plan(scores, "tau", n_topics=[30, 10**7])
    assert near.other_interval.low < near.other_topics < near.expected
    assert near.other_interval.high < near.interval.high
    assert far.other_topics < far.expected  # the present ranking still has its luck
    assert near.other_topics == cd.judge(scores, scores, "tau_b", resampling=None).reliability[0].other_topics


def test_topics_to_know_a_judge_are_those_of_the_fourth_power(collection):
    """n (half / within)^4, at least a third and at most 2.5 times; open for close systems and few topics."""
    scores, good = collection(noise=0.1)
    judges = {"good": good, "also": scores + np.random.default_rng(8).normal(0, 0.3, scores.shape)}
    how = cd.Resampling(n_resamples=999, rng=1)
    planned = cd.plan(scores, estimates=judges, agreement="tau_b", within=0.13, resampling=how)
    known = [row for row in planned.needed if row.goal == "judge"]
    assert [row.estimate for row in known] == ["good", "also"]
    for row in known:
        interval = cd.bootstrap(scores, judges[row.estimate], "tau_b", resampling=how).confidence_interval
        assert row.now == (interval.high - interval.low) / 2
        about = 30 * (row.now / 0.13) ** 4
        assert row.topics == math.ceil(about)
        least = 30 if row.now > row.target else 5  # fewer topics do not give a narrower interval
        assert (row.at_least, row.at_most) == (max(least, math.ceil(about / 3)), math.ceil(2.5 * about))
    assert any(f"needs about {row.topics} topics (" in planned.to_text(width=None) for row in known)
    far = cd.plan(scores, estimates={"good": good}, within=0.01, resampling=how).needed[-1]
    assert (far.topics, far.at_least, far.at_most) == (None, None, None)
    few = cd.plan(scores[:10], estimates={"good": good[:10]}, within=0.3, resampling=how).needed[-1]
    assert few.topics >= few.at_least
    assert few.at_most is None


@pytest.mark.parametrize("details", [False, True])
def test_a_plan_without_intervals_shows_none(details):
    """Four topics are too few for them."""
    scores = np.random.default_rng(0).normal(np.linspace(0.9, 0.1, 6), 0.05, (4, 6))
    planned = cd.plan(scores, "tau")
    assert all(row.interval is None for row in planned.curve)
    for text in (planned.to_text(details=details), planned.to_markdown(details=details)):
        assert "nan" not in text
        assert "[-" not in text


def test_a_smaller_set_is_tried_on_systems_that_did_not_choose_it():
    """Of equal systems a set that was chosen looks good on those that chose it, and on no others."""
    rng = np.random.default_rng(5)
    noise = cd.plan(rng.normal(size=(30, 16)), "tau_b", subset=True)
    assert [row.topics for row in noise.subset] == list(range(1, 16))
    assert noise.subset[-1].in_sample > 0.5
    assert abs(noise.subset[-1].held_out) < 0.5
    assert noise.verdict[-1].startswith("No set of up to 15 topics, half of them, reaches tau_b 0.9")
    clear = rng.normal(size=(30, 16)) * 0.05 + np.linspace(2, 0, 16)
    found = cd.plan(clear, "tau_b", subset=True)
    assert found.subset[-1].held_out >= 0.9 > max([0.0, *(row.held_out for row in found.subset[:-1])])
    assert "enough for tau_b 0.9 with the rest" in found.verdict[-1]
    first = found.subset[0]
    rest = np.delete(clear, int(first.topic), axis=0).mean(axis=0)
    assert first.in_sample == pytest.approx(cd.tau_b(rest, clear[int(first.topic)]))
    assert cd.plan(clear, "tau_b").subset is None
    with pytest.raises(
        cd.ConcordantError, match="subset needs 8 systems and 4 topics or more, got 7 systems"
    ):
        cd.plan(clear[:, :7], "tau_b", subset=True)


@pytest.mark.parametrize(("n_systems", "parts"), [(8, 2), (12, 3), (20, 5), (24, 5)])
def test_a_growing_set_is_that_of_the_definition(n_systems, parts):
    """Each part of the systems is held out once; the others choose the topics for it, one after the other."""
    scores = np.random.default_rng(3).normal(np.linspace(1, 0, n_systems), 0.5, (7, n_systems))
    rng = np.random.default_rng(4)
    part = rng.permutation(np.arange(n_systems) % parts)

    def agreement(topics, systems):
        there = np.isin(np.arange(7), topics)
        return cd.tau_b(scores[~there][:, systems].mean(axis=0), scores[there][:, systems].mean(axis=0))

    def grow(topics, systems):
        topics.append(max(set(range(7)) - set(topics), key=lambda t: agreement([*topics, t], systems)))
        return agreement(topics, systems)

    everyone, whole, own = np.full(n_systems, True), [], [[] for _ in range(parts)]
    steps = list(growing_subset(scores, cd.coefficient("tau_b"), np.random.default_rng(4)))
    assert len(steps) == 3
    for size, step in enumerate(steps, 1):
        in_sample = grow(whole, everyone)
        held_out, drawn = [], []
        for k in range(parts):
            grow(own[k], part != k)
            held_out.append(agreement(own[k], part == k))
            drawn += [agreement(rng.permutation(7)[:size], part == k) for _ in range(40)]
        assert step.topic == whole[-1]
        assert step.in_sample == pytest.approx(in_sample)
        assert step.held_out == pytest.approx(np.mean(held_out))
        assert step.random == pytest.approx(np.mean(drawn))


def test_columns_of_benchmarks_are_topics_of_a_plan():
    values = np.random.default_rng(1).random((6, 1, 9))
    scores = cd.Scores(values, measures=list("abcdef"), topics=["all"])
    assert cd.plan(scores, "tau_b").needed[0].available == 6
