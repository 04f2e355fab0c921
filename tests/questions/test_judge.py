"""`judge`: every field against the function, or the literal computation, that it stands for."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import concordant as cd

FEW = cd.Resampling(n_resamples=99, rng=4)


@pytest.fixture(scope="module")
def result(reference, estimates):
    """Two estimates judged by two measures and two coefficients."""
    return cd.judge(reference, estimates, ["tau_b", "tau_ap_b"], top=5, resampling=FEW)


# --- agreement and comparison -------------------------------------------------------------------------------


def test_agreement_is_that_of_bootstrap(result, reference, estimates):
    """Bit for bit, with the same seed; the p-value is that of the test over systems."""
    found = [(r.estimate, r.measure[0], str(r.coefficient)) for r in result.agreement]
    assert found == [(e, m, c) for e in estimates for m in ("AP", "P@10") for c in ("tau_b", "tau_ap_b")]
    for r in result.agreement:
        scores, (measure, _) = estimates[r.estimate], r.measure
        expected = cd.bootstrap(reference, scores, r.coefficient, measure=measure, resampling=FEW)
        assert (r.value, r.interval) == (expected.statistic, expected.confidence_interval)
        means = reference.mean(measure), scores.mean(measure)
        over = {"n_resamples": 99, "method": "auto", "rng": FEW.rng}
        assert r.pvalue == cd.permutation_test(*means, r.coefficient, **over).pvalue
        assert (r.n, r.top) == (14, None)


def test_a_coefficient_with_a_cut_of_its_own_has_one_value(reference, estimates):
    """tau_b@3 is not cut again, and no rows of the best systems come by themselves."""
    found = cd.judge(reference["AP"], estimates["good"]["AP"], ["tau_b@3", "tau_b"], top=5, resampling=None)
    assert [(str(r.coefficient), r.top, r.n) for r in found] == [("tau_b@3", 3, 3), ("tau_b", None, 14)]


def test_the_comparison_is_that_of_difference(result, reference, estimates):
    """The better by each measure and coefficient first, with the same seed."""
    assert [(d.measure, str(d.coefficient)) for d in result.comparison] == [
        (m, c) for m in ("AP", "P@10") for c in ("tau_b", "tau_ap_b")
    ]
    for d in result.comparison:
        values = {
            name: d.coefficient(reference.mean(d.measure), scores.mean(d.measure))
            for name, scores in estimates.items()
        }
        assert (d.estimate, d.other) == tuple(sorted(values, key=values.__getitem__, reverse=True))
        both = estimates[d.estimate], estimates[d.other]
        expected = cd.difference(reference, *both, d.coefficient, measure=d.measure, resampling=FEW)
        assert (d.difference, d.pvalue, d.topics) == (expected.statistic, expected.pvalue, 24)
        assert d.interval == expected.confidence_interval
        assert d.pvalue <= d.pvalue_adjusted <= 1
        assert (d.estimate_measure, d.other_measure) == (None, None)


def test_estimates_on_fewer_topics_are_compared_on_common_ones(reference, sides):
    """All pairs, none with itself, each with its number of topics; a note says so; none is in bold."""
    names = ("half", "poor", "good", "fair")
    estimates = {name: sides[name]["AP"] for name in names}
    found = cd.judge(reference["AP"], estimates, "tau_b", resampling=FEW)
    pairs = [frozenset((d.estimate, d.other)) for d in found.comparison]
    assert pairs == [frozenset(pair) for pair in itertools.combinations(names, 2)]
    for d in found.comparison:
        expected = cd.difference(reference["AP"], estimates[d.estimate], estimates[d.other], "tau_b")
        assert (d.difference, d.topics) == (expected.statistic, expected.n)
        assert d.topics == (12 if "half" in (d.estimate, d.other) else 24)
        assert d.difference >= 0
        assert d.interval.low <= d.difference <= d.interval.high
    told = [str(note) for note in found.notes if note.kind == "compared_on_fewer_topics"]
    same = "pairs of estimates are compared on the topics that both and the reference have, 12 or more"
    assert told == [same]
    few = {**estimates, "four": sides["fair"]["AP"].select(topics=["0", "1", "2", "3"])}
    found = cd.judge(reference["AP"], few, "tau_b", resampling=FEW)
    assert not any("four" in (d.estimate, d.other) for d in found.comparison)
    (note,) = (note for note in found.notes if note.kind == "not_compared_topics")
    assert str(note).startswith("not compared, because they share fewer than five topics: half and four")


def test_one_estimate_is_compared_with_none(reference, estimates):
    """The field is None."""
    assert cd.judge(reference["AP"], estimates["good"]["AP"], "tau_b", resampling=FEW).comparison is None


def test_an_estimate_without_a_value_is_left_out_of_the_comparison(reference, estimates):
    """A note says why."""
    constant = cd.Scores(np.ones((24, 14)), measures=["AP"], topics=range(24), systems=reference.systems)
    every = {"good": estimates["good"]["AP"], "constant": constant, "fair": estimates["fair"]["AP"]}
    found = cd.judge(reference["AP"], every, "tau_b", resampling=FEW)
    assert [d.other for d in found.comparison] == ["fair"]
    notes = {note.kind: note for note in found.notes}
    why = "not compared with the others, because tau_b is undefined: constant"
    assert str(notes["not_compared_undefined"]) == why
    assert next(r for r in found.agreement if r.estimate == "constant").undefined == (
        "all systems are tied in the reference or in the estimate"
    )
    assert (
        str(notes["undefined"])
        == "constant by AP: tau_b is undefined: all systems are tied in the reference or in the estimate"
    )


def test_an_estimate_with_one_topic_has_an_interval_over_systems_and_no_comparison(reference, estimates):
    """Notes say so; the others have theirs."""
    one = estimates["fair"]["AP"].select(topics=["0"])
    found = cd.judge(reference["AP"], {"one": one, "good": estimates["good"]["AP"]}, "tau_b", resampling=FEW)
    floors = {r.estimate: r.floor for r in found.agreement}
    assert floors["one"] is None
    assert floors["good"] is not None
    notes = {(note.kind, note.subject) for note in found.notes}
    assert {("over_systems", "one"), ("one_topic_no_test", "one"), ("not_compared_topics", "")} <= notes
    assert not found.comparison
    assert {p.estimate for p in found.pairs if p.reference_pvalue is not None} == {"good"}


# --- topics and significance --------------------------------------------------------------------------------


def test_topics_are_those_of_a_literal_loop(result, reference, estimates):
    """Mean, minimum and maximum over the topics, and which topics they are."""
    assert len(result.topics) == len(result.agreement)
    for each in result.topics:
        m = reference.measures.index(each.measure[0])
        rows = zip(reference.values[m], estimates[each.estimate].values[m], strict=True)
        values = [float(each.coefficient(x, y)) for x, y in rows]
        assert each.mean == math.fsum(values) / 24
        assert (each.minimum, each.maximum) == (min(values), max(values))
        assert each.topic_of_minimum == reference.topics[values.index(min(values))]
        assert each.topic_of_maximum == reference.topics[values.index(max(values))]
        assert (each.topics, each.undefined, each.reason) == (24, 0, None)


def test_a_topic_with_ties_is_undefined_for_a_coefficient_that_refuses_them(reference, estimates):
    """The means have no ties, so that there is a value for these."""
    values = estimates["good"]["AP"].values[0].copy()
    values[2, 1] = values[2, 0]
    found = cd.judge(reference["AP"].values[0], {"tied": values}, "tau", resampling=None)
    (each,) = found.topics
    assert found.agreement[0].value > 0
    assert (each.undefined, each.topics, each.reason) == (1, 24, "there are ties")
    (note,) = (note for note in found.notes if note.kind == "undefined_topics")
    assert str(note) == "tied: tau is undefined for 1 topic: there are ties"


def significant(pairs, alpha=0.05):
    """Count pairs: which side finds a significant difference, and whether the orders are opposite."""
    return Counter(
        (
            p.reference_pvalue < alpha,
            p.estimate_pvalue < alpha,
            p.reference_difference * p.estimate_difference < 0,
        )
        for p in pairs
    )


def of(records, estimate, measure):
    """Return the records of one estimate and measure."""
    return [r for r in records if (r.estimate, r.measure[0]) == (estimate, measure)]


def test_pvalues_of_pairs_are_those_of_paired_t_tests(result, reference, estimates):
    """With Holm's correction, on both sides; the counts are those of a loop over t-tests of SciPy."""
    assert len(result.pairs) == 4 * 91
    pairs = [(i, j) for i in range(14) for j in range(i)]
    for estimate, scores in estimates.items():
        own = of(result.pairs, estimate, "AP")  # by P@10 two systems are the same, and have no t-test
        known = {frozenset((p.better, p.worse)): (p.reference_pvalue, p.estimate_pvalue) for p in own}
        assert len(known) == 91
        signs, names = [], reference.systems
        for side, each in enumerate((reference["AP"], scores["AP"])):
            values, means = each.values[0], list(each.mean().values())
            adjusted = cd.adjust_pvalues([ttest(values[:, i], values[:, j]) for i, j in pairs])
            found = [known[frozenset((names[i], names[j]))][side] for i, j in pairs]
            assert found == pytest.approx(adjusted.tolist(), abs=1e-9)
            signs.append(
                [np.sign(means[i] - means[j]) * (p < 0.05) for (i, j), p in zip(pairs, adjusted, strict=True)]
            )
        kinds = Counter((int(a), int(b)) for a, b in zip(*signs, strict=True))
        counts = significant(own)
        assert counts[True, True, False] == kinds[1, 1] + kinds[-1, -1]
        assert counts[True, True, True] == kinds[1, -1] + kinds[-1, 1]
        assert counts[True, False, False] + counts[True, False, True] == kinds[1, 0] + kinds[-1, 0]
        assert counts[False, True, False] + counts[False, True, True] == kinds[0, 1] + kinds[0, -1]
        assert counts[False, False, False] + counts[False, False, True] == kinds[0, 0]


def ttest(x, y):
    """Return the p-value of a paired t-test."""
    return stats.ttest_rel(x, y).pvalue


def test_pairs_are_tested_on_the_topics_in_common(reference, sides):
    """An estimate with half of the topics is compared with the reference on these."""
    found = cd.judge(reference["AP"], {"half": sides["half"]["AP"]}, "tau_b", resampling=None)
    common = reference["AP"].select(topics=sides["half"].topics)
    place = {system: i for i, system in enumerate(reference.systems)}
    for side, name in ((common, "reference_pvalue"), (sides["half"]["AP"], "estimate_pvalue")):
        values = side.values[0]
        pvalues = [ttest(values[:, place[p.better]], values[:, place[p.worse]]) for p in found.pairs]
        assert [getattr(p, name) for p in found.pairs] == pytest.approx(
            cd.adjust_pvalues(pvalues).tolist(), abs=1e-9
        )


def test_what_is_not_resampled_does_not_depend_on_intervals(result, reference, estimates):
    """Without intervals there is no comparison, but the same pairs, topics and ranks."""
    found = cd.judge(reference, estimates, ["tau_b", "tau_ap_b"], top=5, resampling=None)
    assert found.comparison is None
    assert found.best is None
    assert found.pairs == result.pairs
    assert found.reliability == result.reliability
    assert [(e.topic, e.value) for e in found.each_topic] == [(e.topic, e.value) for e in result.each_topic]
    without = [replace(t, interval=None, interval_of_mean=None) for t in result.topics]
    assert list(found.topics) == without
    assert [(s.system, s.gain) for s in found.systems] == [(s.system, s.gain) for s in result.systems]
    assert found.options == {"coefficients": ["tau_b", "tau_ap_b"], "top": 5, "alpha": 0.05}


def test_another_level_is_told_and_changes_no_pvalue_of_pairs(result, reference, estimates):
    """The level of tests is 1 - that of confidence."""
    how = replace(FEW, confidence_level=0.7)
    found = cd.judge(reference, estimates, ["tau_b", "tau_ap_b"], resampling=how)
    assert (found.options["alpha"], found.options["top"]) == (0.3, 10)
    assert found.pairs == result.pairs


# --- systems and pairs --------------------------------------------------------------------------------------


def ranks(means):
    """Return the rank of each system; tied systems share the better one."""
    return {s: 1 + sum(other > value for other in means.values()) for s, value in means.items()}


def test_gains_and_pairs_in_the_opposite_order_are_those_of_literal_loops(reference, estimates):
    """For both measures, of which one has tied means."""
    found = cd.judge(reference, estimates, "tau_b", resampling=None)
    for estimate, scores in estimates.items():
        for measure in reference.measures:
            x, y = reference.mean(measure), scores.mean(measure)
            before, after = ranks(x), ranks(y)
            own = of(found.systems, estimate, measure)
            assert {s.system: (s.reference_rank, s.estimate_rank, s.gain) for s in own} == {
                s: (before[s], after[s], before[s] - after[s]) for s in x
            }
            expected = {(x[a] - x[b], y[a] - y[b], a, b) for a in x for b in x if x[a] > x[b] and y[a] < y[b]}
            pairs = of(found.pairs, estimate, measure)
            assert len(pairs) == 91
            assert expected == {
                (p.reference_difference, p.estimate_difference, p.better, p.worse)
                for p in pairs
                if p.reference_difference > 0 > p.estimate_difference
            }


def test_pairs_are_those_of_correlate(result, reference, estimates):
    """With the costs of the same coefficient; the cost is that of the first."""
    same = cd.correlate(reference, estimates, ["tau_b", "tau_ap_b"], resampling=None)
    assert result.pairs == same.pairs
    other = cd.correlate(reference, estimates, ["tau_ap_b", "tau_b"], resampling=None)
    assert [p.cost for p in other.pairs] != [p.cost for p in same.pairs]


def test_the_reference_has_the_expected_correlation_of_plan(result, reference):
    """By each measure, with all topics; with tied means only that of tau."""
    rows = [(r.measure, str(r.coefficient), r.topics) for r in result.reliability]
    assert rows == [(m, c, 24) for m in ("AP", "P@10") for c in ("tau_b", "tau_ap_b")]
    for r in result.reliability:
        (planned,) = cd.plan(reference, str(r.coefficient)[:-2], measure=r.measure, n_topics=24)
        if (r.measure, str(r.coefficient)) == ("P@10", "tau_ap_b"):
            assert (r.expected, r.interval, r.other_topics, r.other_interval) == (None,) * 4
        else:
            assert (r.expected, r.other_topics) == (planned.expected, planned.other_topics)
            assert tuple(r.interval) == pytest.approx(tuple(planned.interval))
            assert 0 < r.other_topics < r.expected < 1
        assert r.pvalue < 0.05 < r.reliability


def _several(n_measures, seed=0, n=(8, 10)):
    rng = np.random.default_rng(seed)
    base = rng.random(n[1])
    return cd.Scores(
        base + rng.normal(0, 0.3, (n_measures, *n)), measures=[f"m{i}" for i in range(n_measures)]
    )


def test_contenders_are_judges_by_each_of_their_measures():
    """Within one measure of the reference; the more there are, the wider the intervals that hold jointly."""
    reference, judges = _several(2), {"x": _several(3, 1), "y": _several(2, 2)}
    few = cd.Resampling(n_resamples=199)
    found = cd.judge(cd.Study(reference, judges, measures="all"), None, "tau_b", resampling=few)
    for measure in ("m0", "m1"):
        own = [each for each in found.best if each.measure.measure == measure]
        assert [(c.estimate, c.measure.estimate_measure) for c in own] == [
            *(("x", "m0"), ("x", "m1"), ("x", "m2"), ("y", "m0"), ("y", "m1")),
        ]
        best = max(own, key=lambda c: c.value)
        assert (best.below_best, best.may_be_best) == (0, True)
        pairs = [each for each in found.comparison if each.measure == measure]
        assert len(pairs) == 10
        assert all(each.pvalue_adjusted >= each.pvalue for each in pairs)
    two = cd.Study(reference, judges, reference_measures="m0", estimate_measures="m0")
    alone = cd.judge(two, None, "tau_b", resampling=few)
    assert [each.estimate for each in alone.best] == ["x", "y"]
    key = ("x", ("m0", "m0"))
    wide, narrow = (
        next(c.interval.high - c.interval.low for c in each.best if (c.estimate, c.measure) == key)
        for each in (found, alone)
    )
    assert wide > narrow


def test_pairs_of_very_many_contenders_are_not_compared_and_a_note_says_so():
    """The table best still has all of them."""
    study = cd.Study(_several(1), {"x": _several(21, 1), "y": _several(20, 2)}, measures="all")
    found = cd.judge(study, None, "tau_b", resampling=cd.Resampling(n_resamples=49))
    assert (found.comparison, len(found.best)) == (None, 41)
    assert "41 estimates by m0, more than 40: no pairs are compared" in map(str, found.notes)
    assert found.to_text()
    assert found.verdict


def test_a_judge_that_only_has_means_is_compared_by_them():
    """Beside one that has topics; the interval is over systems."""
    reference, with_topics = _several(1), _several(1, 1)
    means = with_topics.mean()
    found = cd.judge(reference, {"means": dict(means), "topics": with_topics}, "tau_b", group_by="^.")
    alone = cd.judge(reference, {"means": dict(means)}, "tau_b")
    value = found.agreement[0]
    assert value.value == alone.agreement[0].value == cd.tau_b(reference.mean(), means)
    assert (value.topics, value.interval is not None, found.judges[0].topics) == (None, True, 0)
    assert "means: means only" in " ".join(map(str, found.notes))
    assert found.to_text()
