"""Verdicts: the sentences say what the records carry, in every case, and no more."""

from __future__ import annotations

import functools
import re

import numpy as np
import pytest
from support.verdicts import changed, wrong

import concordant as cd

FEW = cd.Resampling(n_resamples=99, rng=4)
SYSTEMS = [f"s{k}" for k in range(12)]
TOPICS = [f"q{k}" for k in range(30)]


def scores(
    noise: float, seed: int = 0, measures: tuple[str, ...] = ("AP",), sign: float = 1.0, n_topics: int = 30
) -> cd.Scores:
    """Return scores of 12 systems whose order is clear, with some noise of their own."""
    shared = np.random.default_rng(0).normal(np.linspace(0.6, 0.3, 12), 0.15, (n_topics, 12))
    own = np.random.default_rng(seed).normal(0, noise or 1e-9, (len(measures), n_topics, 12))
    topics = [f"q{k}" for k in range(n_topics)]
    return cd.Scores(sign * shared + own, measures=measures, topics=topics, systems=SYSTEMS)


def means(values: cd.Scores) -> dict[str, float]:
    """Return the means without topics."""
    return dict(values.mean())


# --- judge and correlate ------------------------------------------------------------------------------------


def test_two_judges():
    """How well the best agrees, how much better it is, what is in the opposite order, and how good it is."""
    result = cd.judge(scores(0), {"good": scores(0.1, 1), "bad": scores(1.5, 2)}, resampling=FEW)
    best = next(r for r in result.agreement if (r.estimate, str(r.coefficient)) == ("good", "tau_ap_b"))
    (other,) = (r for r in result.comparison if str(r.coefficient) == "tau_ap_b")
    opposite = [p for p in result.pairs if p.estimate == "good" and opposed(p)]
    significant = [p for p in opposite if p.reference_pvalue < 0.05]
    first, second, third, fourth, fifth, *rest = result.verdict
    start, tail = first.split(": ")
    assert start == "good agrees with the reference on the order of 12 systems by AP"
    ends = f"[{best.interval.low:.2f}, {best.interval.high:.2f}]"
    assert tail == f"tau_ap_b {best.value:.2f} {ends}, p = {best.pvalue:.4f} for systems in random order."
    ends = f"[{other.interval.low:.2f}, {other.interval.high:.2f}]"
    p = f"p = {other.pvalue_adjusted:.4f}"
    assert second == f"It is better than bad by {other.difference:.2f} {ends}, {p}."
    assert third.startswith(f"{len(opposite)} of 66 pairs of systems are in the opposite order under good")
    assert third.endswith("; none of these differs significantly by the reference.") == (not significant)
    assert fourth == (
        "Whether it is as close to the reference as 30 other topics would be "
        f"({best.other_topics:.2f} expected) is not decided."
    )
    assert fifth.startswith("Its winner, s")
    assert [each.split(" ")[:2] for each in rest] == [["On", "none"]]


def opposed(pair):
    """Return whether the two sides have a pair of systems in opposite orders."""
    return pair.reference_difference * pair.estimate_difference < 0


@pytest.mark.parametrize("question", [cd.judge, cd.correlate, cd.by_topic])
@pytest.mark.parametrize(
    "asked",
    [["tau_b", "tau_ap_b"], ["tau_ap_b", "tau_b"], ["pearson_r", "tau_ap_b"], ["tau_b"], "tau_h", None],
)
def test_a_verdict_is_about_the_first_coefficient_asked_for(question, asked):
    """By default that is tau_ap_b, which counts the top more; the number is that of the record."""
    given = () if asked is None else (asked,)
    result = question(scores(0), scores(0.2, 1), *given, resampling=None)
    (first, *_) = ["tau_ap_b"] if asked is None else [asked] if isinstance(asked, str) else asked
    rows = result.summary if question is cd.by_topic else result.agreement
    value = next(
        getattr(r, "value", getattr(r, "of_means", None)) for r in rows if str(r.coefficient) == first
    )
    named = re.findall(r"\b(?:tau\w*|pearson_r)\b", result.verdict[0])
    assert named == [first]
    assert re.search(rf"\b{first}\b.* {value:.2f}\.$", result.verdict[0])
    if question is not cd.by_topic:
        assert {p.cost for p in result.pairs} == {
            p.cost for p in question(scores(0), scores(0.2, 1), [first], resampling=None).pairs
        }


def test_a_judge_that_is_not_shown_to_be_better():
    """Two judges with the same noise are not told apart."""
    result = cd.judge(scores(0), {"one": scores(0.3, 1), "two": scores(0.3, 2)}, resampling=FEW)
    (row,) = (r for r in result.comparison if str(r.coefficient) == "tau_ap_b")
    assert row.pvalue_adjusted > 0.05
    said = f"{row.estimate} agrees", f"It is not told apart from {row.other}: the difference is "
    assert [a.startswith(b) for a, b in zip(result.verdict, said, strict=False)] == [True, True]


def test_thirty_judges_take_few_sentences():
    """The best, how many may be the best, the worst; and no one that may be the best is called worse."""
    judges = {f"judge{k}": scores(0.05 + 0.1 * k, k + 1, n_topics=42) for k in range(30)}  # t is soon known
    result = cd.judge(scores(0, n_topics=42), judges, "tau_b", resampling=FEW)
    may = [r.estimate for r in result.best if r.may_be_best]
    assert len(result.verdict) <= 8
    assert f" {len(may)} may be the best" in " ".join(result.verdict)
    worst = min(result.agreement, key=lambda r: r.value)
    assert f"The smallest value is that of {worst.estimate}: " in " ".join(result.verdict)
    compared = next(s for s in result.verdict if s.startswith("It is "))
    better = (
        compared.partition("better than")[2] if "not told" not in compared else compared.partition("but")[2]
    )
    assert not [name for name in may if re.search(rf"\b{name}\b", better.partition(";")[0])]
    assert "adjusted p" in compared


def test_judges_tied_at_the_best_are_both_named():
    """The difference between them is not told."""
    result = cd.judge(scores(0), {"one": scores(0), "same": scores(0), "bad": scores(1.5, 2)}, resampling=FEW)
    assert result.verdict[0].startswith(
        "one ranks the 12 systems in exactly the same order as the reference by AP"
    )
    assert result.verdict[1:3] == ("same has the same value.", result.verdict[2])
    assert result.verdict[2].startswith("It is better than bad by ")
    assert "None of 66 pairs of systems is in the opposite order under one." in result.verdict


def test_an_interval_below_0_reverses_the_order():
    """An interval below 0; how many pairs differ significantly by the reference is counted."""
    result = cd.judge(scores(0), {"upside": scores(0.05, sign=-1.0)}, resampling=FEW)
    assert result.verdict[0].startswith(
        "upside tends to reverse the reference's order of the 12 systems by AP: tau_ap_b -"
    )
    opposite = [p for p in result.pairs if opposed(p)]
    n = sum(p.reference_pvalue < 0.05 for p in opposite)
    assert n > 3
    assert result.verdict[1].startswith(f"{len(opposite)} of 66 pairs of systems are in the opposite order; ")
    assert result.verdict[1].endswith(f"; {n} of these differ significantly by the reference.")


@pytest.mark.parametrize(("alpha", "n"), [(1e-6, 4), (1e-7, 2), (1e-8, 1), (1e-10, 0)])
def test_few_significant_pairs_in_the_opposite_order_are_named(alpha, n):
    """They are in the table of pairs; more than three are only counted."""
    swapped = scores(0).values.copy()
    swapped[:, :, [0, 11]] = swapped[:, :, [11, 0]]
    swapped[:, :, 1:11] = scores(0).values[:, :, 1:11] * 1e-6 + np.linspace(0.45, 0.44, 10)
    estimate = cd.Scores(swapped, measures=["AP"], topics=TOPICS, systems=SYSTEMS)
    how = cd.Resampling(n_resamples=99, confidence_level=1 - alpha)
    result = cd.judge(scores(0), {"x": estimate}, resampling=how)
    found = [p for p in result.pairs if opposed(p) and p.reference_pvalue < alpha]
    names = "; ".join(f"{p.better} and {p.worse}" for p in found)
    (said,) = (s for s in result.verdict if "opposite order" in s and "pairs" in s)
    assert len(found) == n
    assert said.endswith(f"significantly by the reference{f' ({names})' if 1 <= n <= 3 else ''}.")
    counted = {0: "none of these differs", 1: "1 of these differs"}.get(n, f"{n} of these differ")
    assert f"; {counted} significantly" in said


def test_nothing_is_called_significant_that_was_not_tested():
    """Pairs of means are not."""
    sides = scores(0), {"x": scores(0.5, 1)}
    for question in (cd.judge, cd.correlate):
        assert "significant" in " ".join(question(*sides, resampling=FEW).verdict)
    assert "significant" not in " ".join(
        cd.judge(means(sides[0]), {"x": means(sides[1]["x"])}, resampling=FEW).verdict
    )


def test_without_intervals_there_is_no_claim():
    """Neither of agreement nor of a difference."""
    result = cd.judge(scores(0), {"x": scores(0.2, 1), "y": scores(0.9, 2)}, resampling=None)
    value = {
        r.estimate: r.value for r in result.agreement if str(r.coefficient) == "tau_ap_b" and r.top is None
    }
    assert result.verdict[:2] == (
        f"On the order of 12 systems by AP, tau_ap_b between x and the reference is {value['x']:.2f}.",
        f"The value of y ({value['y']:.2f}) is smaller; the difference was not tested.",
    )


def test_one_table_alone_does_not_say_that_nothing_was_tested():
    """What is left out may have been computed."""
    result = cd.judge(scores(0), {"x": scores(0.2, 1), "y": scores(0.9, 2)}, resampling=FEW).only("agreement")
    assert result.verdict[1].startswith("The value of y (")
    assert not any("tested" in sentence for sentence in result.verdict)
    assert result.only("agreement").verdict == result.verdict
    assert cd.judge(scores(0), {"x": scores(0.2, 1)}, resampling=FEW).only("topics").verdict == ()


def test_means_have_intervals_over_systems_and_a_test_of_unrelated_rankings():
    """The test decides about the words."""
    result = cd.judge(
        means(scores(0)), {"x": means(scores(0.2, 1)), "y": means(scores(3, 7))}, resampling=FEW
    )
    first, second = (
        next(r for r in result.agreement if (r.estimate, str(r.coefficient)) == (name, "tau_ap_b"))
        for name in "xy"
    )
    assert first.pvalue < 0.05
    assert result.verdict[0].startswith("x agrees with the reference on the order of 12 systems: tau_ap_b ")
    assert result.verdict[0].endswith(f"], p = {first.pvalue:.4f} for systems in random order.")
    assert (
        result.verdict[1] == f"The value of y ({second.value:.2f}) is smaller; the difference was not tested."
    )
    assert second.pvalue > 0.05
    alone = cd.judge(means(scores(0)), {"y": means(scores(3, 7))}, resampling=FEW)
    assert alone.verdict[0].startswith(
        "y is not shown to agree with the reference on the order of 12 systems: "
    )


def test_an_undefined_value_says_why():
    """The reason of the note; a judge that has a value comes first."""
    constant = cd.Scores(np.ones((30, 12)), measures=["AP"], topics=TOPICS, systems=SYSTEMS)
    why = "tau_ap_b is undefined for flat by AP: all systems are tied in the reference or in the estimate."
    assert cd.judge(scores(0), {"flat": constant}, resampling=FEW).verdict == (why,)
    both = cd.judge(scores(0), {"flat": constant, "x": scores(0.1, 1)}, resampling=FEW).verdict
    assert both[0].startswith("x agrees")
    assert both[-1] == why


def test_a_few_measures_have_sentences_of_their_own_and_many_are_summed_up():
    """Up to three."""
    three, four = ("AP", "RR", "P@10"), ("AP", "RR", "P@10", "bpref")
    few = cd.judge(scores(0, 0, three), {"x": scores(0.1, 1, three)}, resampling=FEW).verdict
    assert [m for m in three for s in few if s.startswith("x agrees") and f" by {m}: " in s] == list(three)
    sides = scores(0, 0, four), {"x": scores(0.3, 1, four), "y": scores(1.5, 2, four)}
    many = cd.judge(*sides, resampling=FEW)
    assert len(many.verdict) == 2
    assert many.verdict[0].startswith(
        "Over 4 measures, tau_ap_b with the reference on the order of 12 systems is from "
    )
    assert many.verdict[1] == "x has the largest value by 4 of 4 measures."


def test_measures_of_other_names_are_both_named():
    """One measure on each side."""
    result = cd.judge(scores(0), {"x": scores(0.2, 1, ("RR",))}, resampling=FEW)
    assert " by AP of the reference and RR of x: tau_ap_b " in result.verdict[0]


def test_an_estimate_without_a_name_is_the_estimate():
    """A sentence begins with a capital letter."""
    assert (
        cd.correlate(scores(0), scores(0.1, 1), resampling=FEW)
        .verdict[0]
        .startswith("The estimate agrees with the reference")
    )
    plain = cd.correlate(scores(0), scores(0.1, 1), resampling=None).verdict[0]
    assert plain.startswith(
        "On the order of 12 systems by AP, tau_ap_b between the estimate and the reference"
    )


def test_what_a_terminal_would_obey_is_shown():
    """Names may be anything."""
    result = cd.correlate(scores(0), {"\x1b[31mred": scores(0.1, 1)}, resampling=None)
    assert " between \\x1b[31mred and the reference is " in result.verdict[0]


# --- the other questions ------------------------------------------------------------------------------------


def test_by_topic_tells_means_and_topics():
    """With the topics at both ends, and how many are undefined."""
    flat = scores(0.2, 1).values.copy()
    flat[:, 3] = 0.5
    estimate = cd.Scores(flat, measures=["AP"], topics=TOPICS, systems=SYSTEMS)
    result = cd.by_topic(scores(0), estimate, "tau_b", resampling=None)
    (row,) = result.summary
    low = f"{row.minimum:.2f} (topic {row.topic_of_minimum})"
    high = f"{row.maximum:.2f} (topic {row.topic_of_maximum})"
    assert result.verdict == (
        f"tau_b of the mean scores by AP is {row.of_means:.2f}.",
        f"Per topic, its mean over 29 topics is {row.mean:.2f}, ranging from {low} to {high}.",
        "It is undefined for 1 of 30 topics: all systems are tied in the reference or in the estimate.",
    )


def test_sweep_tells_where_the_curve_begins_and_its_ends():
    """And where it is undefined."""
    x, y = {"a": 0.5, "b": 0.4, "c": 0.1}, {"a": 0.4, "b": 0.5, "c": 0.2}
    assert cd.sweep(x, y, "tau_b", thresholds=[0, 0.1, 0.4]).verdict == (
        "tau_b is 0.33 at threshold 0, is smallest there and largest at 0.1 (1.00).",
        "It is undefined from threshold 0.4 on.",
    )
    assert cd.sweep(x, x, "tau_b", thresholds=[0, 0.01]).verdict == (
        "tau_b is 1.00 at every threshold where it has a value.",
    )


def test_explain_names_the_pair_that_costs_most():
    """And the system to remove."""
    x = {"a": 0.42, "b": 0.39, "c": 0.35, "d": 0.30}
    result = cd.explain(cd.Study(x, {"y": {"a": 0.51, "b": 0.40, "c": 0.46, "d": 0.33}}))
    assert result.verdict == (
        "tau_ap_b of y is 0.67, over 4 systems.",
        "Only one pair lowers it: b and c, by 0.33.",
        "Without b or c it is higher by 0.33.",
    )


def test_explain_does_not_list_pairs_of_equal_cost():
    """They are counted in the verdict; with few, all are listed."""
    sides = scores(0), scores(1.5, 2)
    result = cd.explain(*sides, "tau_b")
    (row,) = result.explained
    cost = (1 - row.value) / row.costly_pairs
    assert row.costly_pairs > 5
    assert result.pairs == ()
    assert result.verdict[1] == (
        f"Each of the {row.costly_pairs} pairs that lower it costs {cost:.4f}, so none is listed."
    )
    assert cd.explain(*sides, "tau_b", most=row.costly_pairs).pairs != ()
    judged = cd.judge(sides[0], {"x": sides[1]}, "tau_b", resampling=None)
    costs = [p.cost for p in judged.pairs if p.cost > 0]
    assert len(costs) == row.costly_pairs
    assert costs == pytest.approx([cost] * len(costs))


def test_matrix_names_the_pairs_at_both_ends():
    """If several pairs have the same value, it says how many."""
    sides = {"one": scores(0), "two": scores(0.1, 1), "far": scores(2, 2)}
    result = cd.matrix(sides)
    cells = [c for c in result if c.reference != c.estimate]
    low, high = min(cells, key=lambda c: c.value), max(cells, key=lambda c: c.value)
    most = f"{high.reference} and {high.estimate} agree most (tau_ap_b {high.value:.2f})"
    least = f"{low.reference} and {low.estimate} least ({low.value:.2f})"
    assert result.verdict == (f"Of 3 rankings, {most}, {least}.",)
    tied = cd.matrix({"one": scores(0), "two": scores(0), "three": scores(0), "far": scores(2, 2)})
    assert "Of 4 rankings, 3 pairs agree most (tau_ap_b 1.00), 3 pairs least" in tied.verdict[0]
    same = cd.matrix({"one": scores(0), "two": scores(0)})
    assert same.verdict == ("tau_ap_b is 1.00 for the two rankings.",)


def runs(n: int) -> dict[str, dict[str, dict[str, float]]]:
    """Return runs of 20 documents for three topics."""
    rng = np.random.default_rng(3)
    return {
        f"run{k}": {t: {f"d{i}": float(v) for i, v in enumerate(rng.random(20))} for t in ("q1", "q2", "q3")}
        for k in range(n)
    }


def test_two_runs_by_each_measure():
    """And the topics at both ends by the first."""
    result = cd.compare_runs(runs(2))
    first = result.pairs[0]
    assert result.verdict[0].startswith("run0 and run1, on average over 3 topics: rbo ")
    assert "overlap@10" in result.verdict[0]
    assert result.verdict[1] == (
        f"By rbo they agree least on topic {first.topic_of_least} ({first.least:.2f}) and most on topic "
        f"{first.topic_of_largest} ({first.largest:.2f})."
    )


def test_many_runs_by_a_distance_agree_most_where_it_is_smallest():
    """The topic that differs most is named."""
    result = cd.compare_runs(runs(4), "kendall_distance(normalize=True)", confidence_level=None)
    rows = [r for r in result.pairs if r.measure == result.measure]
    closest = min(rows, key=lambda r: r.mean)
    assert f"Of 6 pairs of 4 runs, {closest.run} and {closest.other} agree most" in result.verdict[0]
    assert result.verdict[1].startswith(
        f"{result.worst[0].run} and {result.worst[0].other} differ most on topic "
    )


def test_labels_of_many_judges():
    """The best and the worst."""
    reference = {"q1": {f"d{k}": k % 2 for k in range(40)}}
    rng = np.random.default_rng(2)
    judges = {
        f"judge{k}": {"q1": {d: g if rng.random() > 0.1 * k else 1 - g for d, g in reference["q1"].items()}}
        for k in range(5)
    }
    few = cd.label_agreement(reference, {"judge0": judges["judge0"]})
    assert few.verdict[0].startswith(
        "judge0 and the reference both judged 40 documents: they agree on relevance for 1.00"
    )
    many = cd.label_agreement(reference, judges)
    assert many.verdict[0].startswith(
        "Of 5 judges, judge0 agrees most with the reference on what is relevant"
    )


# --- all of them --------------------------------------------------------------------------------------------

ABCD = tuple("ABCD")


def constant() -> cd.Scores:
    """Return scores that say nothing."""
    return cd.Scores(np.ones((30, 12)), measures=["AP"], topics=TOPICS, systems=SYSTEMS)


def coarse(noise: float, seed: int) -> cd.Scores:
    """Return scores with tied means."""
    values = np.round(list(scores(noise, seed).mean().values()), 1)
    return cd.Scores(np.tile(values, (30, 1)), measures=["AP"], topics=TOPICS, systems=SYSTEMS)


def few_systems(noise: float, seed: int = 0) -> cd.Scores:
    """Return scores of four systems."""
    return scores(noise, seed).select(systems=["s0", "s3", "s6", "s9"])


def equal(seed: int, own: int = 0) -> cd.Scores:
    """Return scores of systems that are equally good."""
    values = np.random.default_rng(seed).normal(0.5, 0.2, (30, 12))
    values += np.random.default_rng(own).normal(0, 0.1, values.shape)
    return cd.Scores(values, measures=["AP"], topics=TOPICS, systems=SYSTEMS)


def favouring(given: cd.Scores, by: float) -> cd.Scores:
    """Return scores that favour the systems s1, s10 and s11."""
    more = np.array([by if name.startswith("s1") else 0.0 for name in SYSTEMS])
    return cd.Scores(given.values + more, measures=["AP"], topics=TOPICS, systems=SYSTEMS)


def graded(seed: int, n: int) -> tuple[dict, dict]:
    """Return judgements, and those of n judges with more and more errors."""
    rng = np.random.default_rng(seed)
    human = {f"q{t}": {f"d{k}": int(rng.integers(0, 3)) for k in range(30)} for t in range(3)}
    judges = {}
    for k in range(n):
        noisy = lambda g, k=k: g if rng.random() > 0.15 * (k + 1) else int(rng.integers(0, 3))
        judges[f"j{k}"] = {t: {d: noisy(g) for d, g in documents.items()} for t, documents in human.items()}
    return human, judges


STUDIES = {
    "two judges": lambda seed: cd.judge(
        scores(0), {"x": scores(0.2, seed), "y": scores(0.6, seed + 1)}, resampling=FEW
    ),
    "five judges": lambda seed: cd.judge(
        scores(0),
        {f"e{k}": scores(0.1 + 0.2 * k, seed + k) for k in range(5)},
        ["tau_b", "pearson_r"],
        resampling=FEW,
    ),
    "nine judges": lambda seed: cd.judge(
        scores(0), {f"e{k}": scores(0.1 + 0.5 * k, seed + k) for k in range(9)}, "tau_b", resampling=FEW
    ),
    "clear judges": lambda seed: cd.judge(
        scores(0), {f"e{k}": scores((0.01, 2, 3)[k], seed + k) for k in range(2 + seed % 2)}, resampling=FEW
    ),
    "tied judges": lambda seed: cd.judge(
        scores(0), {"x": scores(0.2, seed), "same": scores(0.2, seed), "far": scores(3, 5)}, resampling=FEW
    ),
    "undefined": lambda seed: cd.judge(
        scores(0), {"flat": constant(), "x": scores(0.2, seed)}, resampling=FEW
    ),
    "ties": lambda seed: cd.judge(
        coarse(0, 0), {"x": coarse(0.2, seed), "y": coarse(0.9, 8)}, resampling=FEW
    ),
    "reversed": lambda seed: cd.judge(
        scores(0), {"x": scores(0.1, seed, sign=-1.0)}, ["tau_b", "tau_h"], resampling=FEW
    ),
    "not centred": lambda seed: cd.judge(scores(0), {"x": scores(0.2, seed)}, "tau_gap", resampling=FEW),
    "scores": lambda seed: cd.judge(scores(0), {"x": scores(0.2, seed)}, "pearson_r", resampling=FEW),
    "the best five": lambda seed: cd.judge(scores(0), {"x": scores(0.2, seed)}, "tau_b@5", resampling=FEW),
    "few systems": lambda seed: cd.judge(few_systems(0), {"x": few_systems(0.3, seed)}, resampling=FEW),
    "a floor": lambda seed: cd.judge(
        scores(0), {"x": scores(0.2, seed)}, "tau_b", at_least=0.02 * (seed % 50), resampling=FEW
    ),
    "a low floor": lambda seed: cd.correlate(
        scores(0), {"x": scores(0.2, seed)}, "tau_b", at_least=0.2, resampling=FEW
    ),
    "a high floor": lambda seed: cd.correlate(
        scores(0), {"x": scores(3, seed)}, "tau_b", at_least=0.9, resampling=FEW
    ),
    "no order": lambda seed: cd.judge(equal(1), {"x": equal(1, seed)}, resampling=FEW),
    "a group": lambda seed: cd.judge(
        scores(0), {"x": favouring(scores(0.01, seed), 0.3)}, group_by="^s1?", resampling=FEW
    ),
    "a group put down": lambda seed: cd.judge(
        scores(0), {"x": favouring(scores(0.01, seed), -0.3)}, group_by="^s1?", resampling=FEW
    ),
    "no intervals": lambda seed: cd.judge(
        scores(0), {f"e{k}": scores(0.4, seed + k) for k in range(3)}, resampling=None
    ),
    "means": lambda seed: cd.judge(means(scores(0)), {"x": means(scores(0.4, seed))}, resampling=FEW),
    "other names": lambda seed: cd.judge(scores(0), {"x": scores(0.4, seed, ("RR",))}, resampling=FEW),
    "two measures": lambda seed: cd.judge(
        scores(0, 0, ("A", "B")),
        {"x": scores(0.4, seed, ("A", "B")), "y": scores(0.4, 9, ("A", "B"))},
        resampling=FEW,
    ),
    "four measures": lambda seed: cd.judge(
        scores(0, 0, ABCD), {"x": scores(0.4, seed, ABCD), "y": scores(0.4, 9, ABCD)}, resampling=FEW
    ),
    "correlate": lambda seed: cd.correlate(
        scores(0), {"x": scores(0.2, seed), "y": scores(0.6, 8)}, resampling=FEW
    ),
    "correlate one": lambda seed: cd.correlate(scores(0), scores(0.2, seed), "tau_b", resampling=FEW),
    "by_topic": lambda seed: cd.by_topic(scores(0), scores(0.2, seed), resampling=FEW),
    "by_topic of four": lambda seed: cd.by_topic(
        scores(0, 0, ABCD), scores(0.2, seed, ABCD), "tau_b", resampling=FEW
    ),
    "sweep": lambda seed: cd.sweep(scores(0), scores(0.2, seed)),
    "sweep of four": lambda seed: cd.sweep(scores(0, 0, ABCD), scores(0.2, seed, ABCD), "tau_e"),
    "explain": lambda seed: cd.explain(scores(0), scores(0.2, seed), ["tau_b", "tau_ap_b", "pearson_r"]),
    "matrix": lambda seed: cd.matrix({f"m{k}": scores(0.2, seed + k) for k in range(4)}),
    "runs": lambda seed: cd.compare_runs(runs(2 + seed % 2)),
    "distances of runs": lambda seed: cd.compare_runs(runs(2 + seed % 2), "kendall_distance(normalize=True)"),
    "plan": lambda _: cd.plan(scores(0)),
    "plan of equal systems": lambda _: cd.plan(equal(1)),
    "plan of judges": lambda seed: cd.plan(
        scores(0), estimates={"x": scores(0.1, seed), "y": scores(0.9, 8)}, within=0.1, resampling=FEW
    ),
    "labels": lambda seed: cd.label_agreement(*graded(seed, 2)),
    "labels of five": lambda seed: cd.label_agreement(*graded(seed, 5)),
}


@functools.cache
def studied(study, seed):
    """Return a result, which nobody changes."""
    return STUDIES[study](seed)


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (20, 300))])
@pytest.mark.parametrize("study", STUDIES)
def test_every_number_of_a_verdict_is_that_of_its_record(study, seed):
    """Each sentence is of a known kind; its numbers, names and claims are those of the record it is about."""
    result = studied(study, seed)
    assert result.verdict
    assert all(sentence.endswith(".") for sentence in result.verdict)
    assert wrong(result) == []


@pytest.mark.parametrize("study", STUDIES)
def test_no_other_number_would_be_accepted(study):
    """If any number of a verdict were the next one, or the one before, the test above would fail."""
    result = studied(study, 1)
    others = list(changed(result.verdict))
    assert len(others) > 3
    assert [other for other in others if not wrong(result, other)] == []
