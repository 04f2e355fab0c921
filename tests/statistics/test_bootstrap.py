"""Intervals over topics: against literal loops, against SciPy, and by what becomes of odd input."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

import concordant as cd
from concordant.scores.means import snap
from concordant.statistics.ranks import intervals_of_means
from concordant.statistics.resampling import METHODS, deviation, started
from concordant.statistics.simultaneous import joint_intervals, steps_of


def kinds(result):
    """Return the kinds and values of the notes."""
    return [(note.kind, note.values) for note in result.notes]


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_b(0.02)", "tau_gap", "tau_ap_b@5", "pearson_rank"])
def test_resamples_are_those_of_a_literal_loop(name, collection):
    """Topics drawn by the seed, means summed exactly and rounded, one coefficient after another."""
    reference, llm = collection()
    c = cd.coefficient(name)
    found = cd.bootstrap(
        reference, llm, c, resampling=cd.Resampling(n_resamples=50, method="percentile", rng=7)
    )
    drawn = np.random.default_rng(7).integers(0, 30, (50, 30))
    for row, value in zip(drawn, found.bootstrap_distribution, strict=True):
        x, y = (snap(np.array([math.fsum(s[row, k]) / 30 for k in range(12)])) for s in (reference, llm))
        assert value == c(x, y)
    assert found.statistic == c(cd.Scores(reference).mean(), cd.Scores(llm).mean())
    assert found.standard_error == pytest.approx(found.bootstrap_distribution.std(ddof=1))


def test_intervals_of_means_are_those_of_student_within_the_bounds():
    """Of each column the values that are there; of one value, or of equal ones, there is none."""
    values = np.random.default_rng(2).random((6, 4))
    values[2:4, 1] = np.nan
    values[1:, 2] = np.nan
    values[:, 3] = 0.5
    found = intervals_of_means(values, 0.9)
    for each, column in zip(found, values.T[:2], strict=False):
        there = column[~np.isnan(column)]
        theirs = scipy.stats.t.interval(0.9, len(there) - 1, there.mean(), scipy.stats.sem(there))
        assert tuple(each) == pytest.approx(theirs)
    assert found[2:] == [None, None]
    low, high = found[0]
    (within,) = intervals_of_means(values[:, :1], 0.9, (low + 0.01, high - 0.01))
    assert tuple(within) == (low + 0.01, high - 0.01)


@pytest.mark.parametrize("method", ["percentile", "basic", "BCa"])
def test_intervals_are_those_of_scipy_for_the_same_resamples(method, collection):
    """SciPy makes the interval of the distribution that we drew."""
    reference, llm = collection(noise=0.3)
    found = cd.bootstrap(
        reference, llm, "pearson_r", resampling=cd.Resampling(n_resamples=999, method=method, rng=1)
    )

    def statistic(topics):
        topics = topics.astype(int)
        return cd.pearson_r(reference[topics].mean(axis=0), llm[topics].mean(axis=0))

    theirs = scipy.stats.bootstrap(
        (np.arange(30),),
        statistic,
        n_resamples=0,
        vectorized=False,
        method=method,
        bootstrap_result=found,
    )
    within = np.clip(theirs.confidence_interval, -1, 1)  # no correlation is beyond
    assert found.confidence_interval == pytest.approx(tuple(within), abs=1e-9)


def test_the_interval_holds_the_statistic(collection):
    """And stays within the bounds of the coefficient."""
    for seed in range(30):
        reference, llm = collection(seed, n_topics=8, n_systems=5, noise=0.5)
        found = cd.bootstrap(reference, llm, "tau_b", resampling=cd.Resampling(n_resamples=99, rng=seed))
        low, high = found.confidence_interval
        assert -1 <= low <= found.statistic <= high <= 1


@pytest.mark.parametrize("method", ["standard", "percentile", "BCa"])
def test_a_seed_is_obeyed_bitwise_for_any_number_of_workers(method, collection):
    """The result stores a new seed, and the seed that a generator draws; it repeats the result."""
    reference, llm = collection(n_systems=40)
    how = {"n_resamples": 500, "method": method}
    first = cd.bootstrap(reference, llm, "tau_gap", resampling=cd.Resampling(rng=5, **how))
    for workers in (1, 2, 3, -1):
        again = cd.bootstrap(
            reference, llm, "tau_gap", resampling=cd.Resampling(rng=5, workers=workers, **how)
        )
        assert (again.bootstrap_distribution == first.bootstrap_distribution).all()
        assert again.confidence_interval == first.confidence_interval
    assert first.seed == 5
    other = cd.bootstrap(reference, llm, "tau_gap", resampling=cd.Resampling(rng=6, **how))
    assert (other.bootstrap_distribution != first.bootstrap_distribution).any()
    for rng in (None, np.random.default_rng(5)):
        fresh, next_one = (
            cd.bootstrap(reference, llm, "tau_gap", resampling=cd.Resampling(rng=rng, **how))
            for _ in range(2)
        )
        assert fresh.seed != next_one.seed
        repeated = cd.bootstrap(reference, llm, "tau_gap", resampling=cd.Resampling(rng=fresh.seed, **how))
        assert (repeated.bootstrap_distribution == fresh.bootstrap_distribution).all()


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.random.default_rng(5),
        lambda: np.random.PCG64(5),
        lambda: np.random.SeedSequence(5),
        lambda: np.random.RandomState(5),
        lambda: np.int64(5),
    ],
    ids=["Generator", "BitGenerator", "SeedSequence", "RandomState", "integer of NumPy"],
)
def test_every_source_of_random_numbers_of_numpy_is_taken(make, collection):
    """The same state gives the same draws; they start from the seed that the source draws."""
    reference, llm = collection()
    first, again = (
        cd.bootstrap(reference, llm, "tau_b", resampling=cd.Resampling(n_resamples=50, rng=make()))
        for _ in range(2)
    )
    assert (again.bootstrap_distribution == first.bootstrap_distribution).all()
    seed = 5 if isinstance(make(), np.integer) else first.seed
    expected = cd.bootstrap(reference, llm, "tau_b", resampling=cd.Resampling(n_resamples=50, rng=seed))
    assert (expected.bootstrap_distribution == first.bootstrap_distribution).all()


def test_methods_may_be_written_in_any_case(collection):
    """The result tells the name as it is documented."""
    reference, llm = collection()
    for method in METHODS:
        for written in (method, method.lower(), method.upper()):
            found = cd.bootstrap(
                reference, llm, "tau_b", resampling=cd.Resampling(n_resamples=50, rng=1, method=written)
            )
            assert found.options["method"] == method


def test_the_order_of_systems_does_not_show(collection):
    """Not in one bit of one resample."""
    reference, llm = collection()
    order = np.random.default_rng(3).permutation(12)
    one, other = (
        cd.bootstrap(reference[:, k], llm[:, k], "tau_ap_b", resampling=cd.Resampling(n_resamples=99, rng=1))
        for k in (np.arange(12), order)
    )
    assert (one.bootstrap_distribution == other.bootstrap_distribution).all()
    assert one.confidence_interval == other.confidence_interval


def test_the_reference_compared_with_itself_leaves_room_for_an_exchange(collection):
    """Every resample agrees; what 30 topics do not show may have the probability -ln(0.025) / 30."""
    reference, _ = collection()
    same = cd.bootstrap(reference, reference, "tau_ap_b", resampling=cd.Resampling(n_resamples=99, rng=1))
    means = reference.mean(axis=0)
    order = np.argsort(-means)
    exchanged = means.copy()
    exchanged[order[:2]] = exchanged[order[1::-1]]  # the best two: this costs most
    change = 1 - cd.tau_ap_b(means, exchanged)
    assert same.confidence_interval == pytest.approx((1 + math.log(0.025) / 30 * change, 1.0))
    assert same.standard_error == 0
    assert same.statistic == 1


def test_topics_that_one_side_lacks_stay_out_of_its_means(collection):
    """Its means are over the drawn topics that it has."""
    reference, llm = collection(n_topics=20)
    half = cd.Scores(llm[:10], topics=range(10))
    found = cd.bootstrap(
        cd.Study(reference, half, topics="own"),
        coefficient="tau_b",
        resampling=cd.Resampling(n_resamples=40, method="percentile", rng=3),
    )
    assert found.n == 20
    assert found.statistic == cd.tau_b(cd.Scores(reference).mean(), half.mean())
    drawn = np.random.default_rng(3).integers(0, 20, (40, 20))
    for row, value in zip(drawn, found.bootstrap_distribution, strict=True):
        own = row[row < 10]
        y = snap(np.array([math.fsum(llm[own, k]) / len(own) for k in range(12)]))
        assert value == cd.tau_b(snap(np.array([math.fsum(reference[row, k]) / 20 for k in range(12)])), y)


def test_resamples_without_a_value_are_counted():
    """With two topics, half of the resamples hold one of them twice, where the judge ties all systems."""
    reference = [[0.1, 0.2, 0.3], [0.3, 0.1, 0.2]]
    llm = [[0.5, 0.5, 0.5], [0.1, 0.2, 0.3]]
    found = cd.bootstrap(reference, llm, "tau_b", resampling=cd.Resampling(n_resamples=400, rng=1))
    undefined = int(np.isnan(found.bootstrap_distribution).sum())
    assert found.n_undefined == undefined
    assert 60 < undefined < 140  # a quarter
    assert not math.isnan(found.confidence_interval.low)


def test_an_undefined_statistic_has_no_interval_and_says_why(collection):
    """A warning tells the reason."""
    reference, _ = collection()
    with pytest.warns(cd.UndefinedWarning, match="all items are tied"):
        found = cd.bootstrap(
            reference, np.ones_like(reference), "tau_b", resampling=cd.Resampling(n_resamples=9, rng=1)
        )
    assert math.isnan(found.statistic)
    assert all(map(math.isnan, found.confidence_interval))


def test_bca_has_no_interval_where_all_resamples_are_on_one_side(collection):
    """There is no finite correction; a note says so."""
    reference, llm = collection(n_topics=30, n_systems=60, noise=0.02)
    found = cd.bootstrap(
        reference, llm, "pearson_r", resampling=cd.Resampling(n_resamples=30, method="BCa", rng=1)
    )
    assert (found.bootstrap_distribution < found.statistic).all()
    assert all(map(math.isnan, found.confidence_interval))
    assert found.notes[-1].kind == "no_bca_interval"
    assert "there is no interval by BCa" in repr(found)


def test_bca_has_no_interval_where_all_resamples_are_one_other_value():
    """Two resamples of two topics."""
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 2, 4))
    found = cd.bootstrap(a, b, "tau_b", resampling=cd.Resampling(n_resamples=2, method="BCa", rng=4))
    assert all(map(math.isnan, found.confidence_interval))
    assert found.notes[-1].kind == "no_bca_interval"


def test_fewer_than_two_resamples_with_a_value_are_no_interval():
    """The statistic has a value, and a note says why it stands alone."""
    reference, llm = [[0.1, 0.2], [0.2, 0.1], [0.1, 0.3]], [[0.5, 0.5], [0.5, 0.5], [0.1, 0.2]]
    for seed in range(100):
        found = cd.bootstrap(
            reference, llm, "tau_b", resampling=cd.Resampling(n_resamples=2, method="percentile", rng=seed)
        )
        if found.n_undefined:
            break
    assert all(map(math.isnan, found.confidence_interval))
    assert found.statistic == 1
    assert found.notes[-1].kind == "no_interval"


def test_what_became_of_missing_scores_is_told(collection):
    """One score of one system counts as 0; nothing else is remarked about 30 topics and 500 resamples."""
    reference, llm = collection(n_topics=30)
    holes = np.clip(reference, 0, 1)
    holes[3, 2] = math.nan
    found = cd.bootstrap(holes, llm, "tau_b", resampling=cd.Resampling(n_resamples=500, rng=1))
    assert kinds(found) == [("scores_as_zero", {"scores": 1, "systems": ("2",)})]
    assert cd.bootstrap(reference, llm, "tau_b", resampling=cd.Resampling(n_resamples=500, rng=1)).notes == ()
    filled = np.where(np.isnan(holes), 0.0, holes)
    assert (
        found.statistic
        == cd.bootstrap(filled, llm, "tau_b", resampling=cd.Resampling(n_resamples=9, rng=1)).statistic
    )
    assert str(found.notes[0]) in found.to_text(width=None)


def test_few_topics_and_few_resamples_are_told(collection):
    """The side with the fewest topics counts."""
    reference, llm = collection(n_topics=30)
    textbook = {"method": "percentile", "n_resamples": 500, "rng": 1}
    few = cd.bootstrap(reference[:8], llm[:8], "tau_b", resampling=cd.Resampling(**textbook))
    assert kinds(few) == [("few_topics", {"topics": 8, "method": "percentile"})]
    assert (
        cd.bootstrap(reference[:8], llm[:8], "tau_b", resampling=cd.Resampling(n_resamples=500, rng=1)).notes
        == ()
    )
    rough = cd.bootstrap(reference, llm, "tau_b", resampling=cd.Resampling(n_resamples=9, rng=1))
    assert kinds(rough) == [("few_resamples", {"resamples": 9})]
    part = cd.Scores(llm[:12], topics=range(12))
    smaller_side = cd.bootstrap(reference, part, "tau_b", resampling=cd.Resampling(**textbook))
    assert kinds(smaller_side) == [
        ("topics_differ", {"sizes": {"reference": 30, "estimate": 12}, "common": 12, "own": False}),
        ("few_topics", {"topics": 12, "method": "percentile"}),
    ]
    apart = cd.bootstrap(
        reference,
        cd.Scores(llm, topics=range(101, 131)),
        "tau_b",
        resampling=cd.Resampling(n_resamples=500, rng=1),
    )
    assert [note.kind for note in apart.notes] == ["topics_differ", "topics_not_shared"]
    assert apart.notes[0].values["common"] == 0


def test_each_side_needs_two_topics(collection):
    """Also if the other has more."""
    reference, llm = collection()
    with pytest.raises(cd.ArgumentError, match=r"^bootstrap: each side needs at least two topics, got 1"):
        cd.bootstrap(cd.Scores(reference[:1]), llm, "tau_b")


def test_a_function_of_ones_own_has_intervals(collection, same_winner):
    """It is called for each resample."""
    reference, llm = collection()
    found = cd.bootstrap(
        reference, llm, same_winner, resampling=cd.Resampling(n_resamples=200, method="percentile", rng=1)
    )
    assert set(found.bootstrap_distribution) <= {0.0, 1.0}


def test_joint_intervals_are_those_of_each_alone(collection):
    """Whichever other coefficients and estimates share the resamples."""
    reference, llm = collection(noise=0.3)
    _, other = collection(noise=0.5)
    how = started(cd.Resampling(0.9, 200, rng=3))
    coefficients = [cd.coefficient(name) for name in ("tau_b", "tau_gap")]
    study = cd.Study(reference, {"llm": llm, "other": other})
    observed = [pairing.of_means(coefficients) for pairing in study.pairings]
    found = joint_intervals(study.pairings, coefficients, observed, how, steps_of(None, 200))
    for own, side in zip(found.intervals, (llm, other), strict=True):
        for interval, c in zip(own, coefficients, strict=True):
            alone = cd.bootstrap(
                reference, side, c, resampling=cd.Resampling(n_resamples=200, confidence_level=0.9, rng=3)
            )
            assert interval == alone.confidence_interval
    assert [note.kind for note in found.notes] == ["intervals", "few_resamples", "few_resamples"]
    expected = {"confidence_level": 0.9, "method": "standard", "n_resamples": 200, "topics": 30, "seed": 3}
    assert found.notes[0].values == expected
    assert found.groups[0][1].n == 30


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (
            {"method": "studentized"},
            "method must be 'standard', 'percentile', 'basic' or 'BCa', got 'studentized'",
        ),
        ({"method": None}, "method must be 'standard', 'percentile', 'basic' or 'BCa', got None"),
        ({"confidence_level": 95}, "confidence_level must be a number between 0 and 1, got 95"),
        ({"n_resamples": 0}, "n_resamples must be a whole number from 2 up, got 0"),
        ({"n_resamples": 99.0}, "n_resamples must be a whole number from 2 up, got 99.0"),
        ({"rng": -1}, "rng must be 0 or more, got -1"),
        ({"rng": "x"}, "rng must be a whole number, or a Generator, .* of NumPy, got 'x'"),
        ({"workers": 0}, "workers must be 1 or more, or -1 for all cores, got 0"),
    ],
)
def test_wrong_options_are_refused(how, message, collection):
    """In a sentence that begins with the name of what was called."""
    with pytest.raises((cd.ArgumentError, cd.ArgumentTypeError), match=f"^Resampling: {message}"):
        cd.Resampling(**how)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "AP"}, "there is no measure 'AP'; there are score"),
        ({"measure": ("a", "b", "c")}, "measure must be a name, or a pair of names .*, got"),
        ({"resampling": 99}, "resampling must be a Resampling, such as .*, got int"),
    ],
)
def test_wrong_options_of_the_function_are_refused(options, message, collection):
    """In a sentence that begins with the name of the function."""
    reference, llm = collection()
    with pytest.raises((cd.ArgumentError, cd.ArgumentTypeError), match=f"^bootstrap: {message}"):
        cd.bootstrap(reference, llm, "tau_b", **options)


def test_a_study_has_its_estimates(collection):
    """One alone, or one by its name; two for a difference."""
    reference, llm = collection()
    _, other = collection(noise=0.5)
    both = cd.Study(reference, {"llm": llm, "other": other})
    how = cd.Resampling(n_resamples=99)
    expected = cd.bootstrap(reference, llm, resampling=how).confidence_interval
    assert cd.bootstrap(cd.Study(reference, llm), resampling=how).confidence_interval == expected
    assert cd.bootstrap(both, "llm", resampling=how).confidence_interval == expected
    apart = cd.difference(reference, llm, other, resampling=how).confidence_interval
    assert cd.difference(both, resampling=how).confidence_interval == apart
    with pytest.raises(cd.ArgumentTypeError, match=r"^bootstrap: a Study .*; name 1 of them: llm, other"):
        cd.bootstrap(both)
    with pytest.raises(cd.ArgumentTypeError, match=r"^difference: b is missing; give its scores, or a Study"):
        cd.difference(reference, llm)


def test_the_same_options_give_the_same_interval_in_every_function(collection):
    """The topics are drawn from the seed alone, in bootstrap, difference, correlate and judge."""
    reference, llm = collection(noise=0.2)
    _, other = collection(noise=0.5)
    judges = {"llm": llm, "other": other}
    judged = cd.judge(reference, judges, resampling=cd.Resampling(n_resamples=99, rng=3))
    how = cd.Resampling(n_resamples=99, rng=3)
    for row in (each for each in judged.agreement if each.top is None):
        alone = cd.bootstrap(reference, judges[row.estimate], row.coefficient, resampling=how)
        assert row.interval == alone.confidence_interval
    for row in judged.comparison:
        alone = cd.difference(
            reference, judges[row.estimate], judges[row.other], row.coefficient, resampling=how
        )
        assert (row.interval, row.pvalue) == (alone.confidence_interval, alone.pvalue)
        one, two = (
            cd.bootstrap(reference, judges[name], row.coefficient, resampling=how).bootstrap_distribution
            for name in (row.estimate, row.other)
        )
        assert (alone.bootstrap_distribution == one - two).all()


def test_one_topic_is_refused_with_what_to_use_instead():
    """Means alone have no topics to draw."""
    with pytest.raises(cd.ArgumentError, match=r"at least two topics, got 1.*jackknife_interval"):
        cd.bootstrap({"a": 1, "b": 2}, {"a": 1, "b": 2}, "tau_b")


def test_coefficients_of_graded_lists_are_refused(collection):
    """Scores of systems are no lists of grades."""
    reference, llm = collection()
    with pytest.raises(cd.ArgumentError, match=r"^bootstrap: tau_sc compares graded lists"):
        cd.bootstrap(reference, llm, "tau_sc")


def test_ties_are_refused_by_the_coefficients_that_do_so():
    """Ties of the means as they are, not of resamples."""
    reference = [[0.1, 0.1, 0.3], [0.3, 0.3, 0.2]]
    with pytest.raises(cd.TiesError, match="tau_ap"):
        cd.bootstrap(reference, reference, "tau_ap", resampling=cd.Resampling(n_resamples=9))


def test_measures_of_both_sides_are_chosen(two_measures):
    """One name for both, or a pair."""
    both = cd.bootstrap(
        two_measures, two_measures, "tau_b", measure="AP", resampling=cd.Resampling(n_resamples=9, rng=1)
    )
    assert both.statistic == 1
    pair = cd.bootstrap(
        two_measures,
        two_measures,
        "tau_b",
        measure=("AP", "P@10"),
        resampling=cd.Resampling(n_resamples=9, rng=1),
    )
    assert pair.statistic == cd.tau_b(two_measures.mean("AP"), two_measures.mean("P@10"))
    with pytest.raises(cd.ArgumentError, match=r"^bootstrap: there are 2 measures \(AP, P@10\); choose one"):
        cd.bootstrap(two_measures, two_measures, "tau_b")


def test_two_resamples_have_a_standard_error_and_one_has_none():
    """Of 1 and 3 it is the root of 2; values that are not defined are left out."""
    assert deviation(np.array([1.0, np.nan, 3.0])) == pytest.approx(math.sqrt(2))
    assert math.isnan(deviation(np.array([1.0, np.nan])))
