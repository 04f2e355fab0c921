"""Intervals and tests: against literal loops, against SciPy, and by simulation with a known truth."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import concordant as cd
from concordant import _reference as reference
from concordant._resampling import t_quantile
from concordant.scores import snap


def collection(seed=0, n_topics=30, n_systems=12, noise=0.1):
    """Scores of systems by the truth, and by a judge who adds noise."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(np.linspace(0.6, 0.3, n_systems), 0.15, (n_topics, n_systems))
    return truth, truth + rng.normal(0, noise, truth.shape)


def same_winner(x, y):
    return float(x.argmax() == y.argmax())


# --- topics ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_b(0.02)", "tau_gap", "tau_ap_b@5", "pearson_rank"])
def test_resamples_are_those_of_a_literal_loop(name):
    truth, llm = collection()
    c = cd.get(name)
    found = cd.bootstrap(truth, llm, c, n_resamples=50, method="percentile", rng=7)
    drawn = np.random.default_rng(7).integers(0, 30, (50, 30))
    for row, value in zip(drawn, found.bootstrap_distribution, strict=True):
        x, y = (snap(np.array([math.fsum(s[row, k]) / 30 for k in range(12)])) for s in (truth, llm))
        assert value == c(x, y)
    assert found.statistic == c(cd.Scores(truth).mean(), cd.Scores(llm).mean())
    assert found.standard_error == pytest.approx(found.bootstrap_distribution.std(ddof=1))


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_intervals_are_those_of_scipy_for_the_same_resamples(method):
    truth, llm = collection(noise=0.3)
    found = cd.bootstrap(truth, llm, "pearson_r", n_resamples=999, method=method, rng=1)

    def statistic(topics):
        topics = topics.astype(int)
        return cd.pearson_r(truth[topics].mean(axis=0), llm[topics].mean(axis=0))

    theirs = scipy.stats.bootstrap(
        (np.arange(30),),
        statistic,
        n_resamples=0,
        vectorized=False,
        method={"bca": "BCa"}.get(method, method),
        bootstrap_result=found,
    )
    within = np.clip(theirs.confidence_interval, -1, 1)  # no correlation is beyond
    assert found.confidence_interval == pytest.approx(tuple(within), abs=1e-9)


@pytest.mark.parametrize("sign", [1, -1])
def test_simex_moves_the_percentiles_back_by_two_and_three_steps_of_noise(sign):
    """What resampling resamples takes off, found here from resamples of its own; noise takes off from both signs."""
    truth, llm = collection(n_topics=40, n_systems=25, noise=1.0)
    llm = sign * llm
    moved = cd.bootstrap(truth, llm, "pearson_r", method="simex", rng=2)
    rng = np.random.default_rng(3)
    once = rng.integers(0, 40, (20000, 40))
    again = np.take_along_axis(once, rng.integers(0, 40, once.shape), axis=1)
    values = [cd.pearson_r(truth[rows].mean(axis=1), llm[rows].mean(axis=1)) for rows in (once, again)]
    step = values[0].mean() - values[1].mean()
    assert step * sign > 0
    wide = scipy.stats.norm.cdf(math.sqrt(40 / 39) * scipy.stats.t.ppf(0.975, 39))  # Hesterberg 2015
    low, high = np.quantile(values[0], [1 - wide, wide])
    expected = (low + 2 * step, high + 3 * step) if sign > 0 else (low + 3 * step, high + 2 * step)
    assert moved.confidence_interval == pytest.approx(expected, abs=0.02)


def test_the_simex_interval_holds_the_statistic():
    for seed in range(30):
        truth, llm = collection(seed, n_topics=8, n_systems=5, noise=0.5)
        found = cd.bootstrap(truth, llm, "tau_b", n_resamples=99, rng=seed)
        low, high = found.confidence_interval
        assert -1 <= low <= found.statistic <= high <= 1


@pytest.mark.parametrize("method", ["simex", "percentile", "bca"])
def test_a_seed_is_obeyed_bitwise_for_any_number_of_workers(method):
    truth, llm = collection(n_systems=40)
    how = {"n_resamples": 500, "method": method}
    first = cd.bootstrap(truth, llm, "tau_gap", rng=5, **how)
    for workers in (1, 2, 3, -1):
        again = cd.bootstrap(truth, llm, "tau_gap", rng=5, workers=workers, **how)
        assert (again.bootstrap_distribution == first.bootstrap_distribution).all()
        assert again.confidence_interval == first.confidence_interval
    assert first.seed == 5
    other = cd.bootstrap(truth, llm, "tau_gap", rng=6, **how)
    assert (other.bootstrap_distribution != first.bootstrap_distribution).any()
    fresh = cd.bootstrap(truth, llm, "tau_gap", **how)
    repeated = cd.bootstrap(truth, llm, "tau_gap", rng=fresh.seed, **how)
    assert (repeated.bootstrap_distribution == fresh.bootstrap_distribution).all()
    generator = cd.bootstrap(truth, llm, "tau_gap", rng=np.random.default_rng(5), **how)
    assert (generator.bootstrap_distribution == first.bootstrap_distribution).all()
    assert generator.seed is None


def test_the_order_of_systems_does_not_show():
    truth, llm = collection()
    order = np.random.default_rng(3).permutation(12)
    one, other = (
        cd.bootstrap(truth[:, k], llm[:, k], "tau_ap_b", n_resamples=99, rng=1)
        for k in (np.arange(12), order)
    )
    assert (one.bootstrap_distribution == other.bootstrap_distribution).all()
    assert one.confidence_interval == other.confidence_interval


def test_the_truth_compared_with_itself_is_certain():
    truth, _ = collection()
    same = cd.bootstrap(truth, truth, "tau_ap_b", n_resamples=99, rng=1)
    assert same.confidence_interval == (1.0, 1.0)
    assert same.standard_error == 0
    assert same.statistic == 1


def test_topics_that_one_side_lacks_stay_out_of_its_means():
    truth, llm = collection(n_topics=20)
    half = cd.Scores(llm[:10], topics=range(1, 11))
    found = cd.bootstrap(truth, half, "tau_b", n_resamples=40, method="percentile", rng=3)
    assert found.n == 20
    assert found.statistic == cd.tau_b(cd.Scores(truth).mean(), half.mean())
    drawn = np.random.default_rng(3).integers(0, 20, (40, 20))
    for row, value in zip(drawn, found.bootstrap_distribution, strict=True):
        own = row[row < 10]
        y = snap(np.array([math.fsum(llm[own, k]) / len(own) for k in range(12)]))
        assert value == cd.tau_b(snap(np.array([math.fsum(truth[row, k]) / 20 for k in range(12)])), y)


def test_resamples_without_a_value_are_counted():
    """With two topics, half of the resamples hold one of them twice, where the judge ties all systems."""
    truth = [[0.1, 0.2, 0.3], [0.3, 0.1, 0.2]]
    llm = [[0.5, 0.5, 0.5], [0.1, 0.2, 0.3]]
    found = cd.bootstrap(truth, llm, "tau_b", n_resamples=400, rng=1)
    undefined = int(np.isnan(found.bootstrap_distribution).sum())
    assert found.n_undefined == undefined
    assert 60 < undefined < 140  # a quarter
    assert "undefined" in repr(found)
    assert not math.isnan(found.confidence_interval.low)


def test_an_undefined_statistic_has_no_interval_and_says_why():
    truth, _ = collection()
    with pytest.warns(cd.UndefinedWarning, match="all items are tied"):
        found = cd.bootstrap(truth, np.ones_like(truth), "tau_b", n_resamples=9, rng=1)
    assert math.isnan(found.statistic)
    assert all(map(math.isnan, found.confidence_interval))


def test_bca_has_no_interval_where_all_resamples_are_on_one_side():
    truth, llm = collection(n_topics=30, n_systems=60, noise=0.02)
    found = cd.bootstrap(truth, llm, "pearson_r", n_resamples=30, method="bca", rng=1)
    assert (found.bootstrap_distribution < found.statistic).all()
    assert all(map(math.isnan, found.confidence_interval))
    assert "there is no interval by bca" in repr(found)


def test_bca_has_no_interval_where_all_resamples_are_one_other_value():
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 2, 4))
    found = cd.bootstrap(a, b, "tau_b", n_resamples=2, method="bca", rng=4)
    assert all(map(math.isnan, found.confidence_interval))


def test_what_became_of_missing_scores_and_topics_is_told():
    truth, llm = collection(n_topics=30)
    holes = truth.copy()
    holes[3, 2] = math.nan
    assert any(
        "missing" in note or "0" in note
        for note in cd.bootstrap(holes, llm, "tau_b", n_resamples=9, rng=1).notes
    )
    part = cd.Scores(llm[:20], topics=range(1, 21))
    found = cd.difference(truth, llm, part, "tau_b", n_resamples=9, rng=1)
    assert any(
        note.startswith("left out topics that not all sides have: 21, 22, 23, 24") for note in found.notes
    )
    assert "left out topics" in repr(found)
    few = cd.bootstrap(truth[:8], llm[:8], "tau_b", n_resamples=500, rng=1)
    assert few.notes == ("of 8 topics intervals are too narrow, the more so the more systems there are",)
    assert cd.bootstrap(truth, llm, "tau_b", n_resamples=500, rng=1).notes == ()
    assert cd.bootstrap(truth, llm, "tau_b", n_resamples=9, rng=1).notes == (
        "of 9 resamples the ends of intervals are uncertain",
    )
    smaller_side = cd.bootstrap(
        truth, cd.Scores(llm[:12], topics=range(1, 13)), "tau_b", n_resamples=500, rng=1
    )
    assert any(note.startswith("of 12 topics intervals are too narrow") for note in smaller_side.notes)
    apart = cd.bootstrap(truth, cd.Scores(llm, topics=range(101, 131)), "tau_b", n_resamples=500, rng=1)
    assert any("no topic in common, and were resampled as such" in note for note in apart.notes)


def test_the_p_value_of_a_difference_does_not_depend_on_the_method_of_its_interval():
    truth, a = collection(1, noise=0.2)
    _, b = collection(1, noise=0.5)
    found = [
        cd.difference(truth, a, b, "tau_b", n_resamples=200, method=m, rng=1)
        for m in ("simex", "percentile", "bca")
    ]
    assert len({result.pvalue for result in found}) == 1
    assert len({result.confidence_interval for result in found}) == 3


def test_undefined_is_told_once_for_each_judge():
    truth, llm = collection()
    with pytest.warns(cd.UndefinedWarning) as told:
        cd.difference(truth, llm, np.ones_like(truth), "tau_b", n_resamples=9, rng=1)
    assert len(told) == 1


def test_each_side_needs_two_topics():
    truth, llm = collection()
    with pytest.raises(ValueError, match="each side needs two topics at least, got 1"):
        cd.bootstrap(cd.Scores(truth[:1]), llm, "tau_b")


def test_a_function_of_ones_own_has_intervals_and_tests():
    truth, llm = collection()
    found = cd.bootstrap(truth, llm, same_winner, n_resamples=200, method="percentile", rng=1)
    assert set(found.bootstrap_distribution) <= {0.0, 1.0}
    x, y = np.arange(5.0), np.array([0.0, 1, 2, 4, 3])
    assert cd.permutation_test(x, y, same_winner).pvalue == pytest.approx(1)
    assert cd.jackknife_interval(x, y, same_winner).confidence_interval.low < 0
    assert cd.difference(truth, llm, llm, same_winner, n_resamples=20, rng=1).pvalue == 1


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"over": "systems"}, "jackknife_interval"),
        ({"method": "BCa"}, "'simex', 'percentile', 'basic' or 'bca', got 'BCa'"),
        ({"confidence_level": 95}, "between 0 and 1, got 95"),
        ({"n_resamples": 0}, "n_resamples must be a whole number from 2 up, got 0"),
        ({"n_resamples": 99.0}, "n_resamples must be a whole number"),
        ({"rng": -1}, "rng must be"),
        ({"workers": 0}, "workers must be"),
        ({"measure": "AP"}, "no measure 'AP'"),
    ],
)
def test_wrong_options_are_refused(how, message):
    truth, llm = collection()
    with pytest.raises(ValueError, match=message):
        cd.bootstrap(truth, llm, "tau_b", **how)


def test_one_topic_is_refused_with_what_to_use_instead():
    with pytest.raises(ValueError, match=r"two topics at least, got 1.*jackknife_interval"):
        cd.bootstrap({"a": 1, "b": 2}, {"a": 1, "b": 2}, "tau_b")


def test_coefficients_of_graded_lists_are_refused():
    truth, llm = collection()
    with pytest.raises(ValueError, match="tau_sc compares graded lists"):
        cd.bootstrap(truth, llm, "tau_sc")


def test_ties_are_refused_by_the_coefficients_that_do_so():
    truth = [[0.1, 0.1, 0.3], [0.3, 0.3, 0.2]]
    with pytest.raises(cd.TiesError, match="tau_ap"):
        cd.bootstrap(truth, truth, "tau_ap", n_resamples=9)


# --- coverage ----------------------------------------------------------------------------------------------------


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
        truth, llm = mean + noise[0], judged + 0.7 * noise[0] + math.sqrt(0.51) * noise[1]
        true_value = c(mean, judged)
        for method in hits:
            low, high = cd.bootstrap(
                truth, llm, c, n_resamples=400, method=method, rng=rng
            ).confidence_interval
            hits[method] += low <= true_value <= high
    assert 0.89 <= hits["simex"] / repetitions <= 0.99
    assert hits["percentile"] < hits["simex"]


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_b", "tau_gap"])
def test_the_jackknife_interval_covers_the_expected_value(name):
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


# --- items -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_a(0.1)", "tau_h", "spearman_rho", "tau_ap_b@8"])
def test_the_jackknife_is_that_of_a_literal_loop(name):
    rng = np.random.default_rng(2)
    x = rng.integers(0, 20, 15) / 10
    y = x + rng.integers(0, 10, 15) / 10
    c = cd.get(name)
    found = cd.jackknife_interval(x, y, c)
    without = [c(np.delete(x, i), np.delete(y, i)) for i in range(15)]
    error = math.sqrt(14 / 15 * sum((v - np.mean(without)) ** 2 for v in without))
    assert found.standard_error == pytest.approx(error)
    half = scipy.stats.t.ppf(0.975, 14) * error / (1 - found.statistic**2)
    ends = np.tanh([np.arctanh(found.statistic) - half, np.arctanh(found.statistic) + half])
    assert found.confidence_interval == pytest.approx(tuple(ends), abs=1e-5)


def test_perfect_agreement_has_an_interval_of_no_width():
    assert cd.jackknife_interval([3, 2, 1], [3, 2, 1], "tau_b").confidence_interval == (1.0, 1.0)
    assert cd.jackknife_interval([3, 2, 1], [1, 2, 3], "tau_b").confidence_interval == (-1.0, -1.0)


def test_other_bounds_are_brought_to_fishers_scale():
    @cd.coefficient(bounds=(0, 1), symmetric=True)
    def share_of_pairs(x, y):
        return (float(cd.tau_a(x, y)) + 1) / 2

    try:
        x, y = np.random.default_rng(1).normal(size=(2, 40))
        mine, theirs = cd.jackknife_interval(x, y, "share_of_pairs"), cd.jackknife_interval(x, y, "tau_a")
        scaled = [2 * end - 1 for end in mine.confidence_interval]
        assert scaled == pytest.approx(tuple(theirs.confidence_interval))
    finally:
        del cd.REGISTRY["share_of_pairs"]


def test_one_bound_is_obeyed():
    @cd.coefficient(bounds=(0, math.inf))
    def mean_distance(x, y):
        return float(np.abs(x - y).mean())

    try:
        low, high = cd.jackknife_interval([1, 2, 3], [1, 2, 9], "mean_distance").confidence_interval
        assert low == 0
        assert high == pytest.approx(2 + scipy.stats.t.ppf(0.975, 2) * 2, rel=1e-6)
    finally:
        del cd.REGISTRY["mean_distance"]


def test_the_scale_of_grades_stays_when_a_position_is_left_out():
    x, y = [3, 1, 0, 1, 0, 1, 0, 1], [3, 0, 1, 0, 0, 1, 1, 0]
    inferred, given = (
        cd.jackknife_interval(x, y, c).standard_error for c in ("tau_sc", "tau_sc(max_grade=3)")
    )
    assert inferred == given


def test_very_many_items_are_left_out_in_groups_that_do_not_depend_on_their_order():
    rng = np.random.default_rng(4)
    x, noise = rng.normal(size=(2, 3000))
    y = x + noise
    found = cd.jackknife_interval(x, y, "tau_b")
    assert found.n_groups < found.n
    shuffled = rng.permutation(3000)
    again = cd.jackknife_interval(x[shuffled], y[shuffled], "tau_b")
    assert again.confidence_interval == pytest.approx(tuple(found.confidence_interval), abs=1e-12)
    few = cd.jackknife_interval(x[:2000], y[:2000], "tau_b")
    assert few.n_groups == 2000
    assert few.standard_error == pytest.approx(found.standard_error * math.sqrt(3000 / 2000), rel=0.1)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 40, 41, 1000])
@pytest.mark.parametrize("probability", [0.0005, 0.025, 0.5, 0.975, 0.995, 0.9995])
def test_quantiles_of_t_are_those_of_scipy(freedom, probability):
    expected = scipy.stats.t.ppf(probability, freedom)
    assert t_quantile(probability, freedom) == pytest.approx(expected, rel=1e-6, abs=1e-12)


# --- permutations ------------------------------------------------------------------------------------------------


@given(
    st.permutations(range(6)),
    st.sampled_from(["two-sided", "greater", "less"]),
)
@settings(max_examples=40, deadline=None)
def test_exact_p_values_of_tau_b_are_scipys(order, alternative):
    x = list(range(6))
    found = cd.permutation_test(x, order, "tau_b", alternative=alternative)
    assert found.exact
    assert found.n_resamples == 720
    theirs = scipy.stats.kendalltau(x, order, method="exact", alternative=alternative)
    assert found.statistic == pytest.approx(theirs.statistic)
    assert found.pvalue == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("name", ["tau_b", "tau_ap_b", "tau_e", "tau_gap", "tau_h"])
def test_p_values_with_ties_and_weights_are_those_of_scipys_permutation_test(name, alternative):
    """SciPy tries all 720 permutations; half or more of them are the same order."""
    c = cd.get(name)
    x, y = np.array([3.0, 2, 2, 1, 5, 4]), np.array([1.0, 2, 2, 2, 3, 5])
    found = cd.permutation_test(x, y, c, alternative=alternative)
    assert found.n_resamples == 120  # 6! / 3!, fewer than those of x
    theirs = scipy.stats.permutation_test(
        (y,), lambda v: c(x, v), permutation_type="pairings", alternative=alternative, vectorized=False, n_resamples=10**6
    )  # fmt: skip
    assert found.pvalue == pytest.approx(theirs.pvalue, abs=1e-12)


def test_the_null_distribution_is_the_reference_over_all_orders():
    x, y = [4.0, 3.0, 2.0, 1.0, 0.5], [2.0, 2.0, 1.0, 3.0, 4.0]
    found = cd.permutation_test(x, y, "tau_ap_e")
    every = [reference.tau_ap_e(x, order) for order in set(itertools.permutations(y))]
    assert sorted(found.null_distribution) == pytest.approx(sorted(every))


def test_either_side_may_be_the_one_with_fewer_orders():
    x, y = [1.0, 1, 1, 1, 1, 1, 1, 1, 1, 2], list(range(10))
    one, other = cd.permutation_test(x, y, "tau_a"), cd.permutation_test(y, x, "tau_a")
    assert one.exact
    assert other.exact
    assert one.n_resamples == other.n_resamples == 10
    assert one.pvalue == other.pvalue


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_b", "tau_ap_e", "tau_gap", "pearson_rank"])
def test_p_values_are_uniform_if_the_rankings_are_unrelated(name):
    rng = np.random.default_rng(8)
    values = []
    for _ in range(300):
        x, y = rng.normal(size=(2, 15))
        values.append(cd.permutation_test(x, y, name, alternative="greater", n_resamples=199, rng=rng).pvalue)
    assert scipy.stats.kstest(values, "uniform").pvalue > 0.01
    assert np.mean(np.array(values) <= 0.05) <= 0.09


def test_random_orders_obey_their_seed_for_any_number_of_workers():
    x, y = np.random.default_rng(0).normal(size=(2, 40))
    first = cd.permutation_test(x, y, "tau_ap_b", n_resamples=300, rng=1)
    assert not first.exact
    for workers in (2, -1):
        again = cd.permutation_test(x, y, "tau_ap_b", n_resamples=300, rng=1, workers=workers)
        assert (again.null_distribution == first.null_distribution).all()
    other = cd.permutation_test(x, y, "tau_ap_b", n_resamples=300, rng=2)
    assert (other.null_distribution != first.null_distribution).any()
    assert first.pvalue >= 1 / 301


def test_a_permutation_test_refuses_what_it_cannot_use():
    with pytest.raises(ValueError, match="alternative must be"):
        cd.permutation_test([1, 2], [1, 2], "tau_b", alternative="bigger")
    with pytest.raises(ValueError, match="NaN at position 1"):
        cd.permutation_test([1, math.nan], [1, 2], "tau_b")
    with pytest.raises(ValueError, match="takes two rankings, got batches"):
        cd.permutation_test([[1, 2]], [1, 2], "tau_b")
    with pytest.raises(cd.TiesError):
        cd.permutation_test([1, 1], [1, 2], "tau")
    with pytest.warns(cd.UndefinedWarning, match="tied"):
        assert math.isnan(cd.permutation_test([1, 1], [1, 2], "tau_b").pvalue)


@pytest.mark.parametrize("name", [c.name for c in cd.REGISTRY.values() if c.inputs == "profiles"])
def test_the_second_of_two_lists_of_grades_is_reordered(name):
    """Where positions count, to reorder the first is not the same, though it has fewer orders here."""
    x, y = [2, 1, 0, 0, 0, 0], [2, 0, 1, 3, 0, 1]
    found = cd.permutation_test(x, y, name)
    c = cd.get(name)
    null = np.array([c(x, order) for order in sorted(set(itertools.permutations(y)))])
    assert sorted(found.null_distribution) == pytest.approx(sorted(null))
    tails = [np.mean(null >= found.statistic - 1e-12), np.mean(null <= found.statistic + 1e-12)]
    assert found.pvalue == pytest.approx(min(1, 2 * min(tails)))


def test_lists_in_rank_order_take_no_labels():
    for function in (cd.permutation_test, cd.jackknife_interval, cd.explain):
        with pytest.raises(TypeError, match="two lists of grades in rank order; give lists, without labels"):
            function({"a": 3, "b": 2}, {"a": 3, "b": 2}, "tau_sc")


def test_the_unit_of_a_function_does_not_matter():
    def covariance(a, b):
        return float(np.cov(a, b)[0, 1])

    x, y = np.arange(6.0), np.array([1.0, 0, 2, 3, 5, 4])
    expected = cd.permutation_test(x, y, covariance).pvalue
    assert expected < 0.05
    for unit in (1e-8, 1e8):
        assert cd.permutation_test(x * unit, y * unit, covariance).pvalue == expected


# --- two judges --------------------------------------------------------------------------------------------------


def test_with_few_topics_all_ways_of_swapping_are_tried():
    rng = np.random.default_rng(3)
    truth, a, b = rng.random((3, 6, 5))
    found = cd.difference(truth, a, b, "tau_b", n_resamples=99, rng=1)
    assert found.exact
    means = snap(truth.mean(axis=0))
    observed = cd.tau_b(means, snap(a.mean(axis=0))) - cd.tau_b(means, snap(b.mean(axis=0)))
    assert found.statistic == pytest.approx(observed)
    null = []
    for swap in itertools.product([False, True], repeat=6):
        which = np.array(swap)[:, None]
        one, other = np.where(which, b, a), np.where(which, a, b)
        null.append(cd.tau_b(means, snap(one.mean(axis=0))) - cd.tau_b(means, snap(other.mean(axis=0))))
    assert sorted(found.null_distribution) == pytest.approx(sorted(null))
    share = np.mean(np.abs(null) >= abs(observed) - 1e-12)
    assert found.pvalue == pytest.approx(min(1, share))


def test_a_difference_changes_its_sign_with_the_judges():
    truth, a = collection(1, noise=0.1)
    _, b = collection(1, noise=0.6)
    one = cd.difference(truth, a, b, "tau_ap_b", n_resamples=200, rng=4)
    other = cd.difference(truth, b, a, "tau_ap_b", n_resamples=200, rng=4)
    assert one.statistic == -other.statistic == one.statistic_a - one.statistic_b
    assert one.pvalue == other.pvalue
    assert one.confidence_interval == pytest.approx(tuple(-end for end in other.confidence_interval[::-1]))
    greater = cd.difference(truth, a, b, "tau_ap_b", alternative="greater", n_resamples=200, rng=4)
    less = cd.difference(truth, a, b, "tau_ap_b", alternative="less", n_resamples=200, rng=4)
    assert greater.pvalue < 0.05 < less.pvalue
    assert one.confidence_interval.low > 0


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_b"])
def test_the_difference_test_holds_its_level(name):
    """Judges of the same quality: at most 5 of 100 tests find a difference at 0.05, give or take."""
    rng = np.random.default_rng(12)
    found = []
    for _ in range(300):
        truth = rng.normal(np.linspace(0.6, 0.4, 15), 0.15, (30, 15))
        a, b = (truth + rng.normal(0, 0.2, truth.shape) for _ in range(2))
        found.append(cd.difference(truth, a, b, name, n_resamples=199, method="percentile", rng=rng).pvalue)
    values = np.array(found)
    assert np.mean(values <= 0.05) <= 0.085  # 5 percent, and three standard errors
    assert np.mean(values <= 0.5) >= 0.35


def test_topics_that_not_all_three_have_are_left_out():
    truth, a = collection(n_topics=20)
    b = cd.Scores(a[:12], topics=range(1, 13))
    found = cd.difference(truth, a, b, "tau_b", n_resamples=50, rng=1)
    assert found.n == 12
    assert found.statistic == 0
    with pytest.raises(ValueError, match="difference: the sides have no topic in common"):
        cd.difference(truth, a, cd.Scores(a, topics=[f"q{t}" for t in range(20)]), "tau_b")


def test_p_values_are_adjusted_as_published():
    p = np.random.default_rng(0).random(20) ** 3
    assert cd.adjust_pvalues(p, "bh") == pytest.approx(scipy.stats.false_discovery_control(p))
    order = np.argsort(p)
    holm, most = np.empty(20), 0.0
    for k, i in enumerate(order):
        most = max(most, (20 - k) * p[i])
        holm[i] = min(1.0, most)
    assert cd.adjust_pvalues(p) == pytest.approx(holm)
    with pytest.raises(ValueError, match="numbers from 0 to 1"):
        cd.adjust_pvalues([0.5, 1.5])
    with pytest.raises(ValueError, match="'holm' or 'bh'"):
        cd.adjust_pvalues([0.5], "bonferroni")


# --- results -----------------------------------------------------------------------------------------------------


def test_results_are_frozen_print_in_one_line_and_have_scipys_names():
    truth, llm = collection()
    x, y = truth[0], llm[0]
    results = [
        (cd.bootstrap(truth, llm, "tau_b", n_resamples=20, rng=1), "confidence_interval standard_error bootstrap_distribution"),
        (cd.jackknife_interval(x, y, "tau_b"), "statistic confidence_interval standard_error"),
        (cd.permutation_test(x, y, "tau_b", n_resamples=20, rng=1), "statistic pvalue null_distribution"),
        (cd.difference(truth, llm, llm, "tau_b", n_resamples=20, rng=1), "statistic pvalue confidence_interval null_distribution"),
    ]  # fmt: skip
    for result, names in results:
        assert "\n" not in repr(result)
        assert "tau_b" in repr(result)
        for name in names.split():
            assert hasattr(result, name)
        with pytest.raises(dataclasses.FrozenInstanceError):
            result.statistic = 0
        assert type(result).__module__ == "concordant"


def test_progress_is_told_to_the_end():
    truth, llm = collection(n_systems=300)
    told = []
    cd.bootstrap(truth, llm, "tau_b", n_resamples=4000, rng=1, progress=lambda *now: told.append(now))
    assert told[-1] == (4000, 4000)
    assert len(told) > 1
    told.clear()
    cd.difference(truth, llm, llm, "tau_b", n_resamples=50, rng=1, progress=lambda *now: told.append(now))
    assert told[-1] == (100, 100)
