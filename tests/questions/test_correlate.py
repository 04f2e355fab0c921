"""`correlate`: values and intervals of `bootstrap`, costs of pairs of `explain`, from one study."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from support.schema import check

import concordant as cd
from concordant.results.words import with_interval

COEFFICIENTS = ["tau_b", "tau_ap_b(0.02)", "pearson_rank", "tau_gap@5"]


@pytest.mark.parametrize(
    "options",
    [
        {"rng": 4},
        {"rng": 0, "method": "percentile", "confidence_level": 0.9},
        {"rng": 1, "method": "BCa"},
        {"rng": 2, "method": "basic", "workers": 2},
    ],
)
def test_values_and_intervals_are_those_of_bootstrap(reference, estimates, options):
    """Bit for bit, with the same seed, for all estimates, measures and coefficients at once."""
    how = cd.Resampling(n_resamples=99, **options)
    result = cd.correlate(reference, estimates, COEFFICIENTS, resampling=how)
    found = [(r.estimate, r.measure, str(r.coefficient)) for r in result]
    assert found == [(e, (m, m), c) for e in estimates for m in ("AP", "P@10") for c in COEFFICIENTS]
    for r in result.agreement:
        expected = cd.bootstrap(
            reference, estimates[r.estimate], r.coefficient, measure=r.measure, resampling=how
        )
        assert r.value == expected.statistic
        assert (r.interval.low, r.interval.high) == expected.confidence_interval
        assert r.value == r.coefficient(
            reference.mean(r.measure[0]), estimates[r.estimate].mean(r.measure[1])
        )
        assert r.top == r.coefficient.top
        assert r.n == (5 if r.top else 14)


def test_the_options_of_the_intervals_are_part_of_the_result(reference, estimates):
    """Result and note hold the level, the method, the number of resamples and the seed."""
    result = cd.correlate(reference, estimates, "tau_b", resampling=cd.Resampling(n_resamples=99, rng=7))
    intervals = {"confidence_level": 0.95, "method": "standard", "n_resamples": 99, "seed": 7}
    assert result.options == {"coefficients": ["tau_b"], "top": 10, "alpha": 0.05, **intervals}
    (note,) = (note for note in result.notes if note.kind == "intervals")
    assert note.values == {**intervals, "topics": 24}
    assert str(note) == (
        "0.95 confidence intervals for the coefficient expected with the same number of topics (standard, 99 "
        "resamples of 24 topics, seed 7)"
    )


def test_the_default_seed_is_0_and_a_fresh_one_is_told(reference, estimates):
    """Every result can be repeated."""
    first = cd.correlate(reference, estimates, "tau_b", resampling=cd.Resampling(n_resamples=99))
    assert first.options["seed"] == 0
    assert (
        first.agreement
        == cd.correlate(
            reference, estimates, "tau_b", resampling=cd.Resampling(n_resamples=99, rng=0)
        ).agreement
    )
    for rng in (None, np.random.default_rng(3)):
        fresh = cd.correlate(reference, estimates, "tau_b", resampling=cd.Resampling(n_resamples=99, rng=rng))
        seed = fresh.options["seed"]
        assert fresh.agreement != first.agreement
        again = cd.correlate(
            reference, estimates, "tau_b", resampling=cd.Resampling(n_resamples=99, rng=seed)
        )
        assert again.agreement == fresh.agreement


def test_without_a_confidence_level_there_are_no_intervals(reference, estimates):
    """The values are the same; nothing is said of intervals."""
    plain = cd.correlate(reference, estimates, COEFFICIENTS, resampling=None)
    full = cd.correlate(reference, estimates, COEFFICIENTS, resampling=cd.Resampling(n_resamples=9))
    assert all(r.interval is None for r in plain)
    assert [r.value for r in plain] == [r.value for r in full]
    assert plain.options == {"coefficients": COEFFICIENTS, "top": 10, "alpha": 0.05}
    assert not {"intervals", "few_resamples"} & {note.kind for note in plain.notes}
    assert {"intervals", "few_resamples"} <= {note.kind for note in full.notes}


@pytest.mark.parametrize(
    "name", ["tau_b", "tau_ap_b", "tau_ap_b(0.02)", "pearson_rank", "tau_gap", "tau_b@5"]
)
def test_costs_of_pairs_are_those_of_explain(reference, estimates, name):
    """Every pair that costs something, for each estimate and measure; the others cost nothing, or None."""
    result = cd.correlate(reference, estimates, [name, "tau_h"], resampling=None)
    assert len(result.pairs) == 2 * 2 * 91
    for estimate, scores in estimates.items():
        for measure in ("AP", "P@10"):
            own = [p for p in result.pairs if (p.estimate, p.measure[0]) == (estimate, measure)]
            why = cd.explain(reference.mean(measure), scores.mean(measure), name, most=91)
            expected = {frozenset((pair.better, pair.worse)): pair for pair in why.pairs}
            costly = [p for p in own if p.cost is not None and p.cost > 1e-18]
            assert {frozenset((p.better, p.worse)) for p in costly} == set(expected)
            for p in costly:
                pair = expected[frozenset((p.better, p.worse))]
                assert p.cost == pytest.approx(pair.cost, abs=1e-12)
                assert abs(p.reference_difference) == abs(pair.reference_difference)
                assert abs(p.estimate_difference) == abs(pair.estimate_difference)
            known = [p for p in own if p.cost is not None]
            assert len(known) == (10 if name == "tau_b@5" else 91)  # pairs of the best five
            assert math.fsum(p.cost for p in known) == pytest.approx(1 - why.value, abs=1e-9)


def test_the_most_costly_pairs_are_those_of_explain(reference, estimates):
    """In the same order, by cost, then by the difference of the reference."""
    result = cd.correlate(reference["AP"], {"fair": estimates["fair"]["AP"]}, "tau_ap_b", resampling=None)
    worst = sorted(result.pairs, key=lambda p: (-p.cost, -p.reference_difference, p.estimate_difference))[:3]
    why = cd.explain(reference["AP"].mean(), estimates["fair"]["AP"].mean(), "tau_ap_b", most=3).pairs
    found = [(p.better, p.worse, p.reference_difference, p.estimate_difference) for p in worst]
    assert found == [(r.better, r.worse, r.reference_difference, r.estimate_difference) for r in why]
    assert [p.cost for p in worst] == pytest.approx([r.cost for r in why], abs=1e-15)


def test_a_function_of_ones_own_has_no_costs_of_pairs(reference, estimates):
    """They are not known; the other columns are."""

    def nearest(x, y):
        return 1 - float(np.abs(np.argsort(np.argsort(x)) - np.argsort(np.argsort(y))).max()) / 14

    sides = reference["AP"], {"fair": estimates["fair"]["AP"]}
    found = cd.correlate(*sides, nearest, resampling=None).pairs
    assert {p.cost for p in found} == {None}
    known = cd.correlate(*sides, "tau_b", resampling=None).pairs
    assert list(found) == [replace(p, cost=None) for p in known]


def test_a_study_gives_the_same_as_its_parts(reference, estimates):
    """A study is aligned already; nothing else may be given with it."""
    study = cd.Study(reference, estimates)
    how = cd.Resampling(n_resamples=99, rng=3)
    assert cd.correlate(study, None, "tau_b", resampling=how).to_dict() == (
        cd.correlate(reference, estimates, "tau_b", resampling=how).to_dict()
    )
    with pytest.raises(cd.ArgumentTypeError, match=r"^correlate: a Study has its estimates already"):
        cd.correlate(study, estimates)
    with pytest.raises(cd.ArgumentTypeError, match=r"^correlate: there are no estimates"):
        cd.correlate(reference)


def test_one_estimate_may_be_given_alone(reference, estimates):
    """Its name is estimate."""
    alone = cd.correlate(reference, estimates["good"], "tau_b", resampling=None)
    named = cd.correlate(reference, {"estimate": estimates["good"]}, "tau_b", resampling=None)
    assert alone.to_dict() == named.to_dict()
    assert {r.estimate for r in alone} == {"estimate"}


def test_a_single_measure_is_compared_with_every_other(reference, estimates):
    """Measures of the same name are compared; a single one of another name, with all."""
    other = cd.Scores(
        estimates["good"]["AP"].values, measures=["RR"], topics=reference.topics, systems=reference.systems
    )
    result = cd.correlate(reference, {"good": other}, "tau_b", resampling=None)
    assert [r.measure for r in result] == [("AP", "RR"), ("P@10", "RR")]
    assert [str(r.measure) for r in result] == ["AP / RR", "P@10 / RR"]
    for r in result:
        assert r.value == cd.tau_b(reference.mean(r.measure.measure), other.mean())


def test_different_topics_are_noted_and_means_are_over_their_own(reference, sides):
    """The estimate has half of the topics; its interval is that of `bootstrap`."""
    how = cd.Resampling(n_resamples=99, method="BCa", rng=0)
    result = cd.correlate(reference["AP"], {"half": sides["half"]["AP"]}, "tau_b", resampling=how)
    expected = cd.bootstrap(reference["AP"], sides["half"]["AP"], "tau_b", resampling=how)
    (found,) = result
    assert (found.value, found.interval) == (expected.statistic, expected.confidence_interval)
    kinds = {note.kind: note for note in result.notes}
    assert kinds["few_topics"].values == {"topics": 12, "method": "BCa"}
    assert kinds["few_topics"].subject == "half"
    assert str(kinds["few_topics"]) == (
        "half: with only 12 topics intervals by BCa are too narrow; use the method standard"
    )
    assert "topics_differ" in kinds


def test_means_without_topics_have_intervals_and_tests_over_systems():
    """Those of jackknife_interval and permutation_test; a note tells which."""
    x = dict(zip("abcdefgh", np.linspace(0.1, 0.9, 8).tolist(), strict=True))
    y = dict(zip("abcdefgh", [0.2, 0.1, 0.3, 0.5, 0.4, 0.7, 0.8, 0.6], strict=True))
    result = cd.correlate(x, {"y": y}, "tau_b", resampling=cd.Resampling(n_resamples=500))
    (found,) = result
    assert found.interval == cd.jackknife_interval(x, y, "tau_b").confidence_interval
    assert found.pvalue == cd.permutation_test(x, y, "tau_b", method="exact").pvalue
    (note,) = [note for note in result.notes if note.kind not in ("read_as", "one_topic_no_test")]
    assert str(note) == (
        "y: there are no scores of several topics, so the 0.95 confidence intervals are over the systems "
        "(jackknife)"
    )
    (few,) = cd.correlate({"a": 3, "b": 2, "c": 1}, {"y": {"a": 3, "b": 1, "c": 2}}, "tau_b")
    assert (few.interval, few.pvalue) == ((-1.0, 1.0), 1.0)


def test_an_undefined_value_is_a_note_and_not_a_warning(reference):
    """The value is nan in the record, None for programs, a dash for people; the record has the reason."""
    constant = cd.Scores(np.ones((24, 14)), measures=["AP"], topics=range(24), systems=reference.systems)
    result = cd.correlate(
        reference["AP"], {"constant": constant}, "tau_b", resampling=cd.Resampling(n_resamples=9)
    )
    (found,) = result
    assert math.isnan(found.value)
    assert found.interval is None
    assert found.undefined == "all systems are tied in the reference or in the estimate"
    assert result.to_dict()["tables"]["agreement"][0]["value"] is None
    assert {pair.cost for pair in result.pairs} == {None}
    notes = {note.kind: str(note) for note in result.notes}
    assert (
        notes["undefined"]
        == "constant by AP: tau_b is undefined: all systems are tied in the reference or in the estimate"
    )


def test_ties_are_an_error_for_a_coefficient_that_refuses_them(reference, estimates):
    """The message begins with the function that was called and names the systems."""
    with pytest.raises(cd.TiesError, match=r"^correlate: x has tied items \('s4', 's5' at .*use tau_a"):
        cd.correlate(reference["P@10"], estimates["good"]["P@10"], "tau")


def test_systems_on_one_side_only_are_an_error_or_dropped(reference, estimates):
    """What was dropped is noted."""
    fewer = estimates["good"]["AP"].select(systems=reference.systems[1:])
    with pytest.raises(cd.ArgumentError, match=r"^correlate: "):
        cd.correlate(reference["AP"], {"good": fewer}, "tau_b")
    result = cd.correlate(
        cd.Study(reference["AP"], {"good": fewer}, on_missing="drop"), coefficients="tau_b", resampling=None
    )
    assert result.agreement[0].n == 13
    assert {note.kind: note.values for note in result.notes}["systems_dropped"] == {"systems": ("s0",)}


def test_a_result_becomes_frames_dictionaries_and_text(reference, estimates):
    """An interval is two columns, low and high; measures are measure and estimate_measure."""
    result = cd.correlate(
        reference, estimates, ["tau_b", "tau_ap_b(0.02)"], resampling=cd.Resampling(n_resamples=99)
    )
    columns = ["estimate", "measure", "estimate_measure", "top", "n", "coefficient", "value"]
    columns += ["low", "high", "pvalue", "undefined", "topics", "other_systems_low", "other_systems_high"]
    columns += ["floor", "at_least", "other_topics", "as_close", "without_luck"]
    columns += ["without_luck_low", "without_luck_high"]
    frame = result.to_frame()
    assert list(frame.columns) == columns
    rows = result.to_dict()["tables"]["agreement"]
    assert list(result) == list(result.agreement)
    for row, r, (_, line) in zip(rows, result, frame.iterrows(), strict=True):
        assert list(row) == columns
        assert (row["estimate"], row["measure"], row["estimate_measure"]) == (r.estimate, *r.measure)
        assert (row["low"], row["high"]) == r.interval
        assert (row["value"], row["coefficient"]) == (r.value, str(r.coefficient))
        assert (line["value"], line["low"], line["high"]) == (r.value, *r.interval)
    content = result.to_dict()
    assert json.loads(result.to_json()) == content
    check(content)
    assert (content["function"], list(content["tables"])) == (
        "correlate",
        ["agreement", "systems", "pairs", "judges"],
    )
    assert result.to_csv().splitlines()[0] == ",".join(columns)
    assert result.to_csv("pairs").splitlines()[0] == (
        "estimate,measure,estimate_measure,better,worse,reference_difference,estimate_difference,"
        "reference_pvalue,estimate_pvalue,cost"
    )
    first = result.agreement[0]
    text = f"{first.value:.4f}  [{first.interval.low:.4f}, {first.interval.high:.4f}]"
    assert text in result.to_text(details=True)
    assert with_interval(first.value, first.interval) in result.to_text()
    assert repr(result) == result.to_text().rstrip("\n")
    assert result.only("pairs").tables == (result.table("pairs"),)


def test_progress_counts_up_to_its_total(reference, estimates):
    """The last report is the whole, and no report is above it."""
    reports = []
    cd.correlate(
        reference,
        estimates,
        "tau_b",
        progress=lambda *each: reports.append(each),
        resampling=cd.Resampling(n_resamples=99),
    )
    assert reports[-1] == (99, 99)
    assert all(0 < done <= total for done, total in reports)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"coefficients": "tau_bb"}, "there is no coefficient 'tau_bb'"),
        ({"at_least": 2}, "at_least must be a number from -1 to 1, got 2"),
        ({"at_least": 0.5, "resampling": None}, "at_least needs resampling"),
    ],
)
def test_wrong_options_are_refused(reference, estimates, options, message):
    """One sentence says what is wrong, after the name of the function."""
    with pytest.raises(cd.ArgumentError, match=f"^correlate: {message}"):
        cd.correlate(reference, estimates, **options)
