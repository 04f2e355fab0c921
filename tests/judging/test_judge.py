"""`judge`: every field against the function, or the literal computation, that it stands for."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

import concordant as cd
from concordant.coefficients import bundle, compute

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
        expected = cd.bootstrap(reference, estimates[r.estimate], text, measure=r.measure[0], **FEW)
        assert r.value == expected.statistic
        assert (r.interval.low, r.interval.high) == expected.confidence_interval
        means = sorted(reference.mean(r.measure[0]).values(), reverse=True)
        assert r.n == (sum(value >= means[4] for value in means) if r.top else 14)


def test_a_coefficient_with_a_cut_of_its_own_has_one_value(reference, estimates):
    """tau_b@3 is not cut again at 5."""
    found = cd.judge(
        reference["AP"], estimates["good"]["AP"], ["tau_b@3", "tau_b"], top=[5], confidence_level=None
    )
    assert [(str(r.coefficient), r.top, r.n) for r in found] == [
        ("tau_b@3", 3, 3),
        ("tau_b", None, 14),
        ("tau_b", 5, 5),
    ]


def test_a_top_that_there_is_not_is_noted(reference, estimates):
    """All 14 systems are no top 20."""
    found = cd.judge(reference["AP"], estimates["good"]["AP"], "tau_b", top=[20], confidence_level=None)
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
            reference, estimates[d.best], estimates[d.other], d.coefficient, measure=d.measure, **FEW
        )
        assert (d.difference, d.pvalue, d.topics) == (expected.statistic, expected.pvalue, 24)
        assert (d.interval.low, d.interval.high) == expected.confidence_interval
        assert d.pvalue_holm == d.pvalue_bh == d.pvalue  # there is only one
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
        expected = cd.difference(reference["AP"], estimates[best], estimates[d.other], "tau_b", **FEW)
        assert (d.difference, d.pvalue, d.interval) == (
            expected.statistic,
            expected.pvalue,
            expected.confidence_interval,
        )
        assert d.topics == (12 if "half" in (best, d.other) else 24)
    pvalues = [d.pvalue for d in found.comparison]
    assert [d.pvalue_holm for d in found.comparison] == cd.adjust_pvalues(pvalues).tolist()
    assert [d.pvalue_bh for d in found.comparison] == cd.adjust_pvalues(pvalues, "bh").tolist()
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
    assert str(notes["undefined"]) == "constant by AP: tau_b is undefined: all items are tied in x or in y"


def test_an_estimate_with_one_topic_has_no_interval_and_no_comparison(reference, estimates):
    """Notes say so; the others have theirs."""
    one = estimates["fair"]["AP"].select(topics=["0"])
    found = cd.judge(reference["AP"], {"one": one, "good": estimates["good"]["AP"]}, "tau_b", top=(), **FEW)
    intervals = {r.estimate: r.interval for r in found.agreement}
    assert intervals["one"] is None
    assert intervals["good"] is not None
    notes = {(note.kind, note.subject) for note in found.notes}
    assert {("one_topic", "one"), ("one_topic_no_test", "one"), ("not_compared_topics", "")} <= notes
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
    found = cd.judge(reference["AP"].values[0], {"tied": values}, "tau", confidence_level=None)
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
    found = cd.judge(reference, estimates, ["tau_b", "tau_ap_b"], top=[5], confidence_level=None)
    assert found.comparison is None
    assert found.significance == result.significance
    assert (found.moved, found.reversed, found.topics) == (result.moved, result.reversed, result.topics)
    assert found.options == {"coefficients": ["tau_b", "tau_ap_b"], "top": [5], "alpha": 0.05}


def test_another_level_is_told(reference, estimates):
    """alpha is an option of the result."""
    found = cd.judge(reference, estimates, "tau_b", alpha=0.3, confidence_level=None)
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
    found = cd.judge(reference, estimates, "tau_b", n_worst=n_worst, confidence_level=None, alpha=None)
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
    same = cd.correlate(reference, estimates, ["tau_b", "tau_ap_b"], confidence_level=None)
    assert result.reasons == same.reasons


# --- what is left out ---------------------------------------------------------------------------------------


def test_what_was_not_asked_for_is_none(reference, estimates):
    """No intervals, no significance, no reasons, no labels: None, and no table."""
    found = cd.judge(reference, estimates, "tau_b", confidence_level=None, alpha=None, n_reasons=0)
    assert all(r.interval is None for r in found.agreement)
    for name in ("comparison", "significance", "reasons", "labels", "confusion"):
        assert getattr(found, name) is None
    assert [table.name for table in found.tables] == ["agreement", "topics", "moved", "reversed"]
    assert found.options == {"coefficients": ["tau_b"], "top": [10], "alpha": None}
    with pytest.raises(cd.ArgumentError, match="there is no table 'comparison'; there are agreement, topics"):
        found.table("comparison")


def test_labels_are_those_of_label_agreement(folder):
    """With the judgements themselves, their own agreement is part of the result."""
    reference = cd.read_scores(folder / "human.csv")
    estimates = {name: cd.read_scores(folder / f"{name}.csv") for name in ("noisy", "partial")}
    qrels = {name: folder / f"{name}.qrels" for name in estimates}
    found = cd.judge(
        reference,
        estimates,
        "tau_b",
        qrels=folder / "human.qrels",
        estimate_qrels=qrels,
        confidence_level=None,
    )
    expected = cd.label_agreement(folder / "human.qrels", qrels)
    assert found.labels == expected.labels
    assert found.confusion == expected.confusion


def test_a_study_gives_the_same_as_its_parts(result, reference, estimates):
    """A study is aligned already; nothing else may be given with it."""
    study = cd.Study(reference, estimates)
    found = cd.judge(study, None, ["tau_b", "tau_ap_b"], top=[5], **FEW)
    assert found.to_dict() == result.to_dict()
    with pytest.raises(cd.ArgumentTypeError, match=r"^judge: a Study has its estimates already"):
        cd.judge(study, estimates)


def test_workers_change_no_bit_and_the_seed_does(result, reference, estimates):
    """The same result from two threads; other intervals from another seed."""
    again = cd.judge(reference, estimates, ["tau_b", "tau_ap_b"], top=[5], workers=2, **FEW)
    assert again.to_dict() == result.to_dict()
    other = cd.judge(reference, estimates, ["tau_b", "tau_ap_b"], top=[5], n_resamples=99, rng=5)
    assert other.agreement != result.agreement
    assert [r.value for r in other.agreement] == [r.value for r in result.agreement]


def test_an_estimate_of_other_measures_is_compared_by_name(reference, estimates):
    """Where the measure of an estimate has another name, the comparison tells it."""
    named = {
        name: cd.Scores(scores["AP"].values, measures=[name], topics=range(24), systems=reference.systems)
        for name, scores in estimates.items()
    }
    (d,) = cd.judge(reference["AP"], named, "tau_b", **FEW).comparison
    assert (d.best, d.best_measure, d.other, d.other_measure) == ("good", "good", "fair", "fair")
    assert d.difference == (
        cd.difference(reference["AP"], named["good"], named["fair"], "tau_b", **FEW).statistic
    )


def test_iteration_frames_and_dictionaries(result):
    """The first table is the agreement; fields are the columns."""
    assert list(result) == list(result.agreement)
    content = result.to_dict()
    assert content["function"] == "judge"
    assert list(content["tables"]) == [table.name for table in result.tables]
    assert [t.name for t in result.tables] == [
        "agreement",
        "comparison",
        "topics",
        "significance",
        "reasons",
        "moved",
        "reversed",
    ]
    for table in result.tables:
        frame = result.to_frame(table.name)
        assert list(frame.columns) == list(table.columns)
        assert len(frame) == len(table.records) == len(content["tables"][table.name])
    row, d = content["tables"]["comparison"][0], result.comparison[0]
    assert (row["low"], row["high"], row["pvalue"]) == (*d.interval, d.pvalue)
    assert content["options"] == {
        "coefficients": ["tau_b", "tau_ap_b"],
        "top": [5],
        "confidence_level": 0.95,
        "method": "simex",
        "n_resamples": 99,
        "seed": 4,
        "alpha": 0.05,
    }


def test_progress_counts_up_to_its_total(reference, estimates):
    """Intervals and comparisons are one count that never falls."""
    reports = []
    cd.judge(reference, estimates, "tau_b", progress=lambda *each: reports.append(each), **FEW)
    assert reports[-1][0] == reports[-1][1]
    assert reports == sorted(reports)


def test_one_top_need_not_be_a_list(result, reference, estimates):
    """The options hold it as a list."""
    found = cd.judge(reference, estimates, ["tau_b", "tau_ap_b"], top=5, **FEW)
    assert found.to_dict() == result.to_dict()
    with pytest.raises(cd.ArgumentTypeError, match=r"^judge: top must be a number or several, got "):
        cd.judge(reference, estimates, "tau_b", top="5")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"top": [1]}, "top must be numbers of systems from 2 up, got 1"),
        ({"top": [True]}, "top must be numbers of systems from 2 up, got True"),
        ({"n_worst": -1}, "n_worst must be a whole number from 0 up, got -1"),
        ({"n_reasons": -1}, "n_reasons must be a whole number from 0 up, got -1"),
        ({"alpha": 5}, "alpha must be a number between 0 and 1, got 5"),
        ({"confidence_level": 0}, "confidence_level must be a number between 0 and 1, got 0"),
    ],
)
def test_wrong_options_are_refused(reference, estimates, options, message):
    """One sentence says what is wrong, after the name of the function."""
    with pytest.raises(cd.ArgumentError, match=f"^judge: {message}"):
        cd.judge(reference, estimates, "tau_b", **options)


def test_sides_without_a_common_topic_are_refused(reference, estimates):
    """The message asks whether the topics have the same names."""
    other = cd.Scores(
        estimates["good"]["AP"].values, measures=["AP"], systems=reference.systems, topics=range(50, 74)
    )
    with pytest.raises(cd.ArgumentError, match=r"^judge: good and the reference have no topic in common"):
        cd.judge(reference["AP"], {"good": other}, "tau_b")


# --- aligned once -------------------------------------------------------------------------------------------


class CountingCore:
    """The core, which notes all pairs of rankings that it is given."""

    def __init__(self, core, n):
        self.core, self.n, self.seen = core, n, Counter()

    def __getattr__(self, name):
        return getattr(self.core, name)

    def note(self, x, y):
        if len(x) == self.n:
            self.seen[np.asarray(x).tobytes(), np.asarray(y).tobytes()] += 1

    def pair(self, x, y, *others):
        self.note(x, y)
        return self.core.pair(x, y, *others)

    def pairs(self, x, x_offsets, y, y_offsets, pair_x, pair_y, *others):
        for i, j in zip(pair_x, pair_y, strict=True):
            self.note(x[x_offsets[i] : x_offsets[i + 1]], y[y_offsets[j] : y_offsets[j + 1]])
        return self.core.pairs(x, x_offsets, y, y_offsets, pair_x, pair_y, *others)


@pytest.mark.parametrize(
    ("coefficients", "top"),
    [
        (["tau_b"], ()),
        (["tau_b", "tau_ap_b", "tau_h", "pearson_rank", "tau_gap", "spearman_rho"], (3, 5, 10)),
        (["tau_b", "tau_b(0.02)", "tau_e(0.05)", "tau_ap_e(symmetric=True)", "tau_b@4"], (5,)),
    ],
)
@pytest.mark.parametrize("names", [("good",), ("fair", "good"), ("good", "fair", "poor")])
def test_each_pair_of_mean_rankings_is_evaluated_once(
    monkeypatch, reference, sides, names, coefficients, top
):
    """Whatever the number of coefficients and cuts, with intervals, comparisons, significance and reasons.

    The mean of each side by each measure is taken once, too.
    """
    estimates = {name: sides[name] for name in names}
    means = {name: {m: s.mean(m) for m in s.measures} for name, s in sides.items()}
    rows = {
        (name, m): np.array(list(of.values())).tobytes() for name, by in means.items() for m, of in by.items()
    }
    counting = CountingCore(compute.core, len(reference.systems))
    monkeypatch.setattr(compute, "core", counting)
    monkeypatch.setattr(bundle, "core", counting)
    taken = Counter()
    mean = cd.Scores.mean

    def counted(scores, measure=None):
        taken[scores.values.tobytes(), measure] += 1
        return mean(scores, measure)

    monkeypatch.setattr(cd.Scores, "mean", counted)
    cd.judge(reference, estimates, coefficients, top=top, n_resamples=29, rng=1)
    expected = Counter({(rows["reference", m], rows[name, m]): 1 for name in names for m in ("AP", "P@10")})
    of_means = set(rows.values())
    found = Counter({pair: times for pair, times in counting.seen.items() if set(pair) <= of_means})
    back = Counter({pair[::-1]: times for pair, times in expected.items()})
    symmetric = any("symmetric" in text for text in coefficients)  # the mean of both directions
    assert found == expected + (back if symmetric else Counter())
    assert sum(counting.seen.values()) > sum(found.values())  # resamples and topics were noted as well
    assert taken == Counter(
        {(side.values.tobytes(), m): 1 for side in (reference, *estimates.values()) for m in ("AP", "P@10")}
    )
