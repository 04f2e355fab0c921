"""`judge`: every field against the function, or the literal computation, that it stands for."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

import concordant as cd

FEW = {"n_resamples": 99, "rng": 4}


@pytest.fixture(scope="module")
def result(reference, estimates):
    """Two estimates judged by two measures and two coefficients, also among the best 5."""
    return cd.judge(reference, estimates, ["tau_b", "tau_ap_b"], top=[5], **FEW)


# --- agreement and comparison -------------------------------------------------------------------------------


def test_agreement_is_that_of_bootstrap_for_all_systems_and_the_best(result, reference, estimates):
    """Bit for bit, with the same seed; among the best k it is that of the coefficient with @k."""
    found = [(r.estimate, r.measure[0], r.top, str(r.coefficient)) for r in result.agreement]
    assert found == [
        (e, m, k, c)
        for e in estimates
        for m in ("AP", "P@10")
        for k in (None, 5)
        for c in ("tau_b", "tau_ap_b")
    ]
    for r in result.agreement:
        text = f"{r.coefficient}@5" if r.top else str(r.coefficient)
        expected = cd.bootstrap(
            reference, estimates[r.estimate], text, measure=r.measure[0], resampling=cd.Resampling(**FEW)
        )
        assert r.value == expected.statistic
        assert (r.interval.low, r.interval.high) == expected.confidence_interval
        means = sorted(reference.mean(r.measure[0]).values(), reverse=True)
        assert r.n == (sum(value >= means[4] for value in means) if r.top else 14)


def test_a_coefficient_with_a_cut_of_its_own_has_one_value(reference, estimates):
    """tau_b@3 is not cut again at 5."""
    found = cd.judge(reference["AP"], estimates["good"]["AP"], ["tau_b@3", "tau_b"], top=[5], resampling=None)
    assert [(str(r.coefficient), r.top, r.n) for r in found] == [
        ("tau_b@3", 3, 3),
        ("tau_b", None, 14),
        ("tau_b", 5, 5),
    ]


def test_a_top_that_there_is_not_is_noted(reference, estimates):
    """All 14 systems are no top 20."""
    found = cd.judge(reference["AP"], estimates["good"]["AP"], "tau_b", top=[20], resampling=None)
    assert len(found.agreement) == 1
    assert {note.kind: note.values for note in found.notes}["no_such_top"] == {"top": 20, "systems": 14}


def test_the_comparison_is_that_of_difference(result, reference, estimates):
    """The best by each measure and coefficient against the other, with the same seed."""
    assert [(d.measure, str(d.coefficient)) for d in result.comparison] == [
        (m, c) for m in ("AP", "P@10") for c in ("tau_b", "tau_ap_b")
    ]
    for d in result.comparison:
        values = {
            name: d.coefficient(reference.mean(d.measure), scores.mean(d.measure))
            for name, scores in estimates.items()
        }
        assert (d.best, d.other) == tuple(sorted(values, key=values.__getitem__, reverse=True))
        expected = cd.difference(
            reference,
            estimates[d.best],
            estimates[d.other],
            d.coefficient,
            measure=d.measure,
            resampling=cd.Resampling(**FEW),
        )
        assert (d.difference, d.pvalue, d.topics) == (expected.statistic, expected.pvalue, 24)
        assert (d.interval.low, d.interval.high) == expected.confidence_interval
        assert d.pvalue <= d.pvalue_adjusted <= 1
        assert (d.best_measure, d.other_measure) == (None, None)


def test_several_estimates_are_compared_with_corrections(reference, sides):
    """Estimates with different topics are compared on those that both and the reference have."""
    names = ("half", "poor", "good", "fair")
    estimates = {name: sides[name]["AP"] for name in names}
    found = cd.judge(reference["AP"], estimates, "tau_b", top=(), **FEW)
    values = {r.estimate: r.value for r in found.agreement}
    best = max(values, key=values.__getitem__)
    assert [(d.best, d.other) for d in found.comparison] == [(best, n) for n in names if n != best]
    for d in found.comparison:
        expected = cd.difference(
            reference["AP"], estimates[best], estimates[d.other], "tau_b", resampling=cd.Resampling(**FEW)
        )
        assert (d.difference, d.pvalue, d.interval) == (
            expected.statistic,
            expected.pvalue,
            expected.confidence_interval,
        )
        assert d.topics == (12 if "half" in (best, d.other) else 24)
    pvalues = [d.pvalue for d in found.comparison]
    assert [d.pvalue_adjusted for d in found.comparison] == cd.adjust_pvalues(pvalues).tolist()
    told = [note.values for note in found.notes if note.kind == "compared_on_fewer_topics"]
    fewer = [d for d in found.comparison if d.topics == 12]
    assert told == [{"best": best, "other": d.other, "topics": 12} for d in fewer]
    assert told
    assert [s.topics for s in found.significance] == [12, 24, 24, 24]


def test_one_estimate_is_compared_with_none(reference, estimates):
    """The field is None."""
    assert cd.judge(reference["AP"], estimates["good"]["AP"], "tau_b", **FEW).comparison is None


def test_an_estimate_without_a_value_is_left_out_of_the_comparison(reference, estimates):
    """A note says why."""
    constant = cd.Scores(np.ones((24, 14)), measures=["AP"], topics=range(24), systems=reference.systems)
    every = {"good": estimates["good"]["AP"], "constant": constant, "fair": estimates["fair"]["AP"]}
    found = cd.judge(reference["AP"], every, "tau_b", top=(), **FEW)
    assert [d.other for d in found.comparison] == ["fair"]
    notes = {note.kind: note for note in found.notes}
    assert notes["not_compared_undefined"].values == {"coefficient": "tau_b", "estimates": ("constant",)}
    assert (
        str(notes["undefined"])
        == "constant by AP: tau_b is undefined: all systems are tied in the reference or in the estimate"
    )


def test_an_estimate_with_one_topic_has_an_interval_over_systems_and_no_comparison(reference, estimates):
    """Notes say so; the others have theirs."""
    one = estimates["fair"]["AP"].select(topics=["0"])
    found = cd.judge(reference["AP"], {"one": one, "good": estimates["good"]["AP"]}, "tau_b", top=(), **FEW)
    pvalues = {r.estimate: r.pvalue for r in found.agreement}
    assert pvalues["one"] is not None
    assert pvalues["good"] is None
    notes = {(note.kind, note.subject) for note in found.notes}
    assert {("over_systems", "one"), ("one_topic_no_test", "one"), ("not_compared_topics", "")} <= notes
    assert not found.comparison
    assert [s.estimate for s in found.significance] == ["good"]


# --- topics and significance --------------------------------------------------------------------------------


def test_topics_are_those_of_a_literal_loop(result, reference, estimates):
    """Mean, minimum and maximum over the topics, and which topics they are."""
    assert len(result.topics) == len(result.agreement) / 2
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


def test_significance_is_that_of_significant_pairs(result, reference, estimates):
    """The counts are those of the function, and of paired t-tests in a loop."""
    from scipy import stats

    assert len(result.significance) == 4
    for each in result.significance:
        measure = each.measure[0]
        expected = cd.significant_pairs(reference, estimates[each.estimate], measure=measure)
        counted = (each.agree, each.opposed, each.reference_only, each.estimate_only, each.neither)
        names = ("agree", "opposed", "reference_only", "estimate_only", "neither")
        assert counted == tuple(getattr(expected, name) for name in names)
        assert sum(counted) == 14 * 13 // 2
        if measure == "AP":  # in P@10 two systems are the same, and have no t-test
            signs = []
            for scores in (reference["AP"], estimates[each.estimate]["AP"]):
                values, means = scores.values[0], list(scores.mean().values())
                pairs = [(i, j) for i in range(14) for j in range(i)]
                pvalues = [stats.ttest_rel(values[:, i], values[:, j]).pvalue for i, j in pairs]
                adjusted = cd.adjust_pvalues(pvalues)
                signs.append(
                    [
                        np.sign(means[i] - means[j]) * (p < 0.05)
                        for (i, j), p in zip(pairs, adjusted, strict=True)
                    ]
                )
            kinds = Counter((int(a), int(b)) for a, b in zip(*signs, strict=True))
            assert each.agree == kinds[1, 1] + kinds[-1, -1]
            assert each.opposed == kinds[1, -1] + kinds[-1, 1]
            assert each.reference_only == kinds[1, 0] + kinds[-1, 0]
            assert each.estimate_only == kinds[0, 1] + kinds[0, -1]
            assert each.neither == kinds[0, 0]


def test_significance_does_not_depend_on_intervals(result, reference, estimates):
    """Without intervals there is no comparison, but significance."""
    found = cd.judge(reference, estimates, ["tau_b", "tau_ap_b"], top=[5], resampling=None)
    assert found.comparison is None
    assert found.significance == result.significance
    assert (found.moved, found.reversed, found.topics) == (result.moved, result.reversed, result.topics)
    assert found.options == {"coefficients": ["tau_b", "tau_ap_b"], "top": [5], "alpha": 0.05}


def test_another_level_is_told(reference, estimates):
    """alpha is an option of the result."""
    found = cd.judge(reference, estimates, "tau_b", alpha=0.3, resampling=None)
    assert found.options == {"coefficients": ["tau_b"], "top": [10], "alpha": 0.3}
    pairs = cd.significant_pairs(reference, estimates["fair"], 0.3, measure="AP")
    assert found.significance[0].agree == pairs.agree


# --- moves and reasons --------------------------------------------------------------------------------------


def ranks(means):
    """Return the rank of each system; tied systems share the better one."""
    return {s: 1 + sum(other > value for other in means.values()) for s, value in means.items()}


@pytest.mark.parametrize("n_worst", [0, 2, 5, 100])
def test_moved_systems_and_reversed_pairs_are_those_of_literal_loops(reference, estimates, n_worst):
    """Gains first, then losses; reversed pairs, the clearest by the reference first; all are counted."""
    found = cd.judge(reference, estimates, "tau_b", alpha=None, resampling=None)
    for estimate, scores in estimates.items():
        for measure in reference.measures:
            x, y = reference.mean(measure), scores.mean(measure)
            before, after = ranks(x), ranks(y)
            rows = [(s, before[s], after[s], before[s] - after[s]) for s in x]
            gains = sorted((r for r in rows if r[3] > 0), key=lambda r: (-r[3], r[1], r[0]))[:n_worst]
            losses = sorted((r for r in rows if r[3] < 0), key=lambda r: (r[3], r[1], r[0]))[:n_worst]
            own = [m for m in found.moved if (m.estimate, m.measure[0]) == (estimate, measure)]
            moved = [(m.system, m.reference_rank, m.estimate_rank, m.gain) for m in own]
            assert moved == gains + losses
            pairs = [(x[a] - x[b], y[a] - y[b], a, b) for a in x for b in x if x[a] > x[b] and y[a] < y[b]]
            pairs.sort(key=lambda pair: (-pair[0], pair[1]))
            own = [r for r in found.reversed if (r.estimate, r.measure[0]) == (estimate, measure)]
            assert [
                (r.reference_difference, r.estimate_difference, r.better_by_reference, r.better_by_estimate)
                for r in own
            ] == pairs[:n_worst]
            told = {"pairs": len(pairs), "total": 91, "measure": measure}
            assert told in [
                n.values for n in found.notes if (n.kind, n.subject) == ("pairs_reversed", estimate)
            ]


def test_reasons_are_those_of_correlate(result, reference, estimates):
    """For the rankings of all systems."""
    same = cd.correlate(reference, estimates, ["tau_b", "tau_ap_b"], resampling=None)
    assert result.reasons == same.reasons
