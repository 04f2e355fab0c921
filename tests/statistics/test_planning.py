"""How many topics are needed: for a reliable ranking, and to tell two judges apart."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

import concordant as cd


def value_of(scores, name, n_topics, **options):
    return cd.expected(scores, name, n_topics=n_topics, confidence_level=None, **options).statistic


@pytest.mark.parametrize("method", ["msqd", "ml", "resampling"])
@pytest.mark.parametrize("name", ["tau", "tau_ap"])
def test_the_number_of_topics_is_the_smallest_that_reaches_the_target(collection, name, method):
    scores, _ = collection()
    options = {"method": method, "n_resamples": 400, "rng": 2}
    for target in (0.3, 0.8, 0.93):
        found = cd.topics_needed(scores, name, target=target, **options)
        assert value_of(scores, name, found.n_topics, **options) >= target
        assert found.n_topics == 1 or value_of(scores, name, found.n_topics - 1, **options) < target
    assert found.expected == value_of(scores, name, 30, **options)
    assert repr(found).startswith(
        f"{found.n_topics} such topics are enough for an expected correlation of 0.93"
    )


def test_systems_with_the_same_scores_keep_the_target_out_of_reach(collection):
    """The reason names them; without one of them the target is reached."""
    scores, _ = collection(n_systems=6)
    scores[:, 3] = scores[:, 4]
    named = cd.Scores(scores, systems=list("abcdef"))
    found = cd.topics_needed(named, "tau", target=0.95)
    assert found.n_topics is None
    limit = 1 - 2 * 0.5 / 15
    assert repr(found).startswith("no number of topics is enough for an expected correlation of 0.95 (tau)")
    assert f"expected to be {limit:.4f} at most, because systems have the same mean: d and e" in repr(found)
    assert cd.topics_needed(named, "tau", target=0.9).n_topics > 1
    assert cd.topics_needed(named.select(systems=list("abcdf")), "tau", target=0.95).n_topics > 1
    planned = cd.plan(named, "tau", target=0.95)
    assert planned.needed[0].topics is None
    assert "d and e" in planned.to_text()


def test_a_target_that_only_millions_of_topics_reach_is_none(collection):
    """Two systems that hardly differ."""
    scores, _ = collection(n_systems=2)
    scores[:, 1] = scores[np.random.default_rng(0).permutation(30), 0]
    scores[0, 1] += 1e-6
    found = cd.topics_needed(scores, "tau", target=0.9)
    assert found.n_topics is None
    assert repr(found).endswith("; more than 67,108,864 topics would be needed")


def test_a_plan_has_the_values_and_intervals_of_expected(two_measures):
    """For each measure, coefficient and number of topics; that of the scores is among them."""
    planned = cd.plan(two_measures, confidence_level=0.9)
    assert {(each.measure, str(each.coefficient)) for each in planned} == {
        (measure, name) for measure in ("AP", "P@10") for name in ("tau", "tau_ap")
    }
    assert 20 in {each.topics for each in planned}
    for each in planned.curve[::7]:
        same = cd.expected(
            two_measures,
            each.coefficient,
            measure=each.measure,
            n_topics=each.topics,
            confidence_level=0.9,
        )
        assert each.expected == same.statistic
        assert each.interval == pytest.approx(same.confidence_interval)
    for each in planned.needed:
        single = cd.topics_needed(two_measures, each.coefficient, measure=each.measure)
        assert each.topics == single.n_topics
    assert list(planned.to_frame().columns) == ["measure", "coefficient", "topics", "expected", "low", "high"]


def test_a_plan_counts_missing_scores_as_judge_does():
    """As 0 by default; or it drops the topic, or refuses it."""
    scores = np.random.default_rng(1).random((6, 4))
    scores[2, 1] = math.nan
    filled = np.nan_to_num(scores)
    assert cd.plan(scores, "tau", topics=6).curve[0].expected == value_of(filled, "tau", 6)
    dropped = cd.plan(scores, "tau", topics=5, on_missing="drop").curve[0].expected
    assert dropped == value_of(np.delete(scores, 2, axis=0), "tau", 5)
    with pytest.raises(cd.ArgumentError, match=r"^plan: .* has no score of system '1'"):
        cd.plan(scores, "tau", on_missing="error")


def test_planning_refuses_what_it_cannot_use(collection):
    scores, judge = collection()
    with pytest.raises(
        cd.ArgumentError, match=r"^topics_needed: target must be a number between 0 and 1, got 1"
    ):
        cd.topics_needed(scores, "tau", target=1)
    with pytest.raises(cd.ArgumentError, match=r"^topics_needed: coefficient must be one of 'tau'"):
        cd.topics_needed(scores, "pearson_r")
    with pytest.raises(cd.ArgumentError, match=r"^plan: topics must be a whole number from 1 up, got 0"):
        cd.plan(scores, topics=[0, 5])
    with pytest.raises(cd.ArgumentError, match=r"^plan: topics: none was given"):
        cd.plan(scores, topics=[])
    with pytest.raises(
        cd.ArgumentError, match=r"^plan: the reliability of a ranking needs the scores of two topics"
    ):
        cd.plan({"a": 1.0, "b": 2.0})
    with pytest.raises(cd.ArgumentError, match=r"^topics_to_tell: power must be a number between 0 and 1"):
        cd.topics_to_tell(scores, judge, judge, "tau_b", power=80)


# --- two judges ---


def test_topics_to_tell_judges_apart_are_those_of_the_formula(collection):
    """T ((z + z) s / d)^2; power and level move it as they should."""
    scores, good = collection(noise=0.05)
    poor = scores + np.random.default_rng(9).normal(0, 0.6, scores.shape)
    found = cd.topics_to_tell(scores, good, poor, "tau_b", rng=1)
    z = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
    means = [side.mean(axis=0) for side in (scores, good, poor)]
    difference = cd.tau_b(means[0], means[1]) - cd.tau_b(means[0], means[2])
    assert found.statistic == pytest.approx(difference)
    assert found.n_topics == math.ceil(30 * (z * found.standard_error / difference) ** 2)
    low, high = found.confidence_interval
    assert 2 <= low < found.n_topics < high
    more = cd.topics_to_tell(scores, good, poor, "tau_b", rng=1, power=0.95, alpha=0.01)
    assert more.n_topics > found.n_topics
    back = cd.topics_to_tell(scores, poor, good, "tau_b", rng=1)
    assert (back.n_topics, back.statistic) == (found.n_topics, -found.statistic)
    assert repr(found).startswith(f"{found.n_topics} topics are enough to find the difference +0.")


def test_the_standard_error_is_that_of_the_bootstrap_of_the_difference(collection):
    scores, a = collection(noise=0.1)
    b = scores + np.random.default_rng(9).normal(0, 0.4, scores.shape)
    found = cd.topics_to_tell(scores, a, b, "tau_ap_b", rng=1, n_resamples=4000)
    theirs = cd.difference(scores, a, b, "tau_ap_b", resampling=cd.Resampling(rng=2, n_resamples=4000))
    assert found.standard_error == pytest.approx(theirs.standard_error, rel=0.08)


def test_equal_judges_cannot_be_told_apart(collection):
    scores, a = collection()
    found = cd.topics_to_tell(scores, a, a, "tau_b", rng=1)
    assert found.n_topics is None
    assert "no number of topics is enough" in repr(found)
    b = scores + np.random.default_rng(10).normal(0, 0.1, scores.shape)
    close = cd.topics_to_tell(scores, a, b, "tau_b", rng=1)
    assert math.isinf(close.confidence_interval.high)
    assert "to unlimited" in repr(close)
    assert close.n_topics > 30
    assert f"{close.n_topics} topics are an extrapolation from 30" in repr(close)


def test_the_curve_is_between_0_and_1_and_does_not_run_away():
    """For many more topics than there are, too."""
    scores = np.random.default_rng(0).normal(np.linspace(0.6, 0.3, 12), 0.15, (50, 12))
    for c in ("tau", "tau_ap"):
        ends = [each.interval.low for each in cd.plan(scores, c, topics=[50, 60, 100, 200, 1000]).curve]
        assert ends == sorted(ends)
        assert ends[0] > 0.7
    few = cd.plan(scores[:3], "tau", topics=[3, 10]).curve
    assert all(0 <= each.interval.low <= each.expected <= each.interval.high <= 1 for each in few)


def test_a_plan_claims_no_more_than_an_expectation():
    """Enough is what is expected, with the interval near that number of topics."""
    scores = np.random.default_rng(0).normal(np.linspace(0.6, 0.3, 12), 0.15, (50, 12))
    planned = cd.plan(scores, "tau", topics=[25, 50, 100], target=0.94)
    at = planned.curve[2]
    ends = f"[{at.interval.low:.2f}, {at.interval.high:.2f}]"
    assert planned.verdict[1] == (
        f"For 0.94, {planned.needed[0].topics} topics are expected to be enough, which extrapolates from 50; "
        f"the expectation for 100 is {at.expected:.2f} {ends}."
    )
    assert cd.plan(scores, "tau", target=0.9).verdict[1].endswith(" topics are expected to be enough.")


@pytest.mark.parametrize("details", [False, True])
def test_a_plan_without_intervals_shows_none(details):
    """Two systems are too few for them."""
    planned = cd.plan(np.random.default_rng(0).normal([0.6, 0.5], 0.1, (20, 2)), "tau")
    assert all(row.interval is None for row in planned.curve)
    for text in (planned.to_text(details=details), planned.to_markdown(details=details)):
        assert "nan" not in text
        assert "[-" not in text
