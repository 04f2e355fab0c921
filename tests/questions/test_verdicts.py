"""Verdicts: the sentences say what the records carry, in every case, and no more."""

from __future__ import annotations

import functools
import re

import numpy as np
import pytest
from support.verdicts import answer, changed, wrong

import concordant as cd
from concordant.results.table import shown

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


def first(result, name: str, c: str = "tau_ap_b"):
    """Return the record of an estimate and a coefficient."""
    return next(r for r in result.agreement if (r.estimate, str(r.coefficient)) == (name, c))


def with_ends(row) -> str:
    """Return a value and its interval."""
    return f"{row.value:.2f} [{row.interval.low:.2f}, {row.interval.high:.2f}]"


def test_two_judges():
    """How close the best is beside other topics, what it keeps, and how much better it is than the other."""
    result = cd.judge(scores(0), {"good": scores(0.1, 1), "bad": scores(1.5, 2)}, resampling=FEW)
    good, by_tau = first(result, "good"), first(result, "good", "tau_b")
    (other,) = (r for r in result.comparison if str(r.coefficient) == "tau_ap_b")
    known = {
        name: [p for p in result.pairs if p.estimate == name and p.reference_pvalue < 0.05]
        for name in ("good", "bad")
    }
    kept = sum(p.estimate_difference > 0 for p in known["good"])
    n = sum(p.estimate_difference < 0 for p in known["bad"])
    winner = next(s for s in result.systems if s.estimate == "bad" and s.estimate_rank == 1)
    assert (good.as_close, by_tau.as_close) == ("not decided", "not decided")
    assert kept == len(known["good"])
    ends = f"[{other.interval.low:.2f}, {other.interval.high:.2f}]"
    whether = "Whether good is as close to the reference as 30 other topics would be is not decided: "
    value = f"tau_ap_b {with_ends(good)} (other topics {good.other_topics:.2f})"
    also = f"by tau_b {with_ends(by_tau)} too ({by_tau.other_topics:.2f})"
    same = "reverses none, shares 10 of the best 10, and has the same winner"
    rank = f"has rank {winner.reference_rank} by the reference"
    assert result.verdict == (
        f"{whether}{value}; {also}.",
        f"It keeps {kept} of {kept} significant differences, {same}.",
        f"It is better than bad by {other.difference:.2f} {ends}, p = {other.pvalue_adjusted:.4f}.",
        f"bad reverses {n} significant differences; its winner, {winner.system}, {rank}.",
    )


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
    (c, *_) = ["tau_ap_b"] if asked is None else [asked] if isinstance(asked, str) else asked
    rows = result.summary if question is cd.by_topic else result.agreement
    value = next(getattr(r, "value", getattr(r, "of_means", None)) for r in rows if str(r.coefficient) == c)
    named = re.findall(r"\b(?:tau\w*|pearson_r)\b", result.verdict[0])
    assert named == [c]
    assert re.search(rf"\b{c}\b.* {value:.2f}(?: on the 12 systems)?\.$", result.verdict[0])
    if question is not cd.by_topic:
        assert {p.cost for p in result.pairs} == {
            p.cost for p in question(scores(0), scores(0.2, 1), [c], resampling=None).pairs
        }


def test_thirty_judges_take_few_sentences_and_a_row_each():
    """Those worse than the best and those not told apart are counted, as the comparison says."""
    judges = {f"judge{k}": scores(0.05 + 0.1 * k, k + 1, n_topics=42) for k in range(30)}  # t is soon known
    result = cd.judge(scores(0, n_topics=42), judges, "tau_b", resampling=FEW)
    top = max(result.agreement, key=lambda r: r.value).estimate
    worse = [d for d in result.comparison if d.estimate == top and d.pvalue_adjusted < 0.05]
    assert 3 < len(worse) < 26
    said = " ".join(result.verdict)
    assert len(result.verdict) <= 6
    assert f" and {29 - len(worse) - 2} other judges are not told apart from it." in said
    largest = max(d.pvalue_adjusted for d in worse)
    assert f" and {len(worse) - 2} other judges are worse (adjusted p at most {largest:.4f})." in said
    assert [row[0] for row in result.answer().rows[:1]] == [top]
    assert len(result.answer().rows) == 31


def test_judges_with_the_same_value_are_not_told_apart():
    """The first by name is told; the other is not worse."""
    sides = {"two": scores(0), "one": scores(0), "bad": scores(1.5, 2)}
    result = cd.judge(scores(0), sides, resampling=FEW)
    value = f"{with_ends(first(result, 'one'))}, shown to be as close as other topics would be (0.78)"
    assert result.verdict[0] == (
        f"one ranks the 12 systems in exactly the same order as the reference: tau_ap_b {value}."
    )
    assert result.verdict[2] == "two is not told apart from it."
    assert result.verdict[3].startswith("bad is worse (adjusted p = ")
    assert [row[0] for row in result.answer().rows[:3]] == ["one", "two", "bad"]


@pytest.mark.parametrize(
    ("sides", "words"),
    [
        ((scores(0), scores(0.05, sign=-1.0)), "; it tends to reverse the reference's order."),
        ((scores(0), scores(3, 7)), f"; systems in random order can explain it ({0})."),
        ((scores(0), scores(0.1, 1)), None),
    ],
)
def test_doubts_follow_the_value(sides, words):
    """That luck with these systems explains it, or that the order is reversed; nothing otherwise."""
    result = cd.correlate(sides[0], {"x": sides[1]}, resampling=FEW)
    row, said = first(result, "x"), result.verdict[0]
    start = f"x and the reference have tau_ap_b {with_ends(row)} on the 12 systems"
    words = words and words.replace("(0)", f"(p = {row.pvalue:.2f})")
    assert said == start + (words or ".")


def test_nothing_is_called_significant_that_was_not_tested():
    """Pairs of means are not."""
    sides = scores(0), {"x": scores(0.5, 1)}
    for question in (cd.judge, cd.correlate):
        assert "significant" in " ".join(question(*sides, resampling=FEW).verdict)
    assert "significant" not in " ".join(
        cd.judge(means(sides[0]), {"x": means(sides[1]["x"])}, resampling=FEW).verdict
    )


def test_without_intervals_there_is_no_claim():
    """Neither of closeness nor of a difference."""
    result = cd.judge(scores(0), {"x": scores(0.2, 1), "y": scores(0.9, 2)}, resampling=None)
    x, y = (first(result, name).value for name in "xy")
    assert result.verdict[0] == f"x and the reference have tau_ap_b {x:.2f} on the 12 systems."
    assert result.verdict[2] == f"y ({y:.2f}) was not compared with it."
    assert "[" not in result.to_text()


def test_one_table_alone_has_the_words_of_its_records():
    """What is left out may have been computed."""
    result = cd.judge(scores(0), {"x": scores(0.2, 1), "y": scores(0.9, 2)}, resampling=FEW)
    alone = result.only("agreement")
    said = f"x and the reference have tau_ap_b {with_ends(first(result, 'x'))} on the 12 systems."
    assert alone.verdict == alone.only("agreement").verdict == (said,)
    assert "tau_ap_b" in alone.to_text() + alone.to_latex()
    for name in [table.name for table in result.tables[1:]]:
        one = result.only(name)
        assert (one.verdict, one.beside, one.caption) == ((), (), "")
        assert one.table().title in one.to_text(width=None) + one._repr_html_()


def test_means_have_intervals_over_systems_and_a_test_of_unrelated_rankings():
    """The caption says so, and no number of topics is told."""
    sides = means(scores(0)), {"x": means(scores(0.2, 1)), "y": means(scores(3, 7))}
    result = cd.judge(*sides, resampling=FEW)
    x, y = (first(result, name) for name in "xy")
    assert x.pvalue < 0.05 < y.pvalue
    assert result.verdict[0] == f"x and the reference have tau_ap_b {with_ends(x)} on the 12 systems."
    assert result.verdict[2] == f"y ({y.value:.2f}) was not compared with it."
    alone = cd.judge(sides[0], {"y": sides[1]["y"]}, resampling=FEW)
    assert alone.verdict[0].endswith(f"; systems in random order can explain it (p = {y.pvalue:.2f}).")
    assert result.question == "Can a judge replace the reference?   12 systems"
    assert "12 systems; 0.95 confidence intervals (jackknife over the systems)." in result.caption
    assert {each.topics for each in result.judges} == {0}


def test_an_undefined_value_says_why():
    """The reason of the note; a judge that has a value comes first, also in the table."""
    why = "tau_ap_b is undefined for flat by AP: all systems are tied in the reference or in the estimate."
    assert cd.judge(scores(0), {"flat": constant()}, resampling=FEW).verdict == (why,)
    both = cd.judge(scores(0), {"flat": constant(), "x": scores(0.1, 1)}, resampling=FEW)
    assert both.verdict[0].startswith("Whether x is as close")
    assert both.verdict[-1] == why
    assert [row[0] for row in both.answer().rows[:2]] == ["x", "flat"]
    assert sum("undefined" in line for line in both.to_text(width=None).splitlines()) == 3  # and two notes


def test_each_measure_has_one_sentence():
    """Up to six."""
    six, seven = tuple("ABCDEF"), tuple("ABCDEFG")
    told = cd.judge(scores(0, 0, six), {"x": scores(0.1, 1, six)}, resampling=FEW).verdict
    assert [each[:14] for each in told] == [f"By {m}, x has ta" for m in six]
    sides = scores(0, 0, seven), {"x": scores(0.3, 1, seven), "y": scores(1.5, 2, seven)}
    many = cd.judge(*sides, resampling=FEW)
    assert len(many.verdict) == 7
    assert many.verdict[-2].startswith("By F, x is the closest: tau_ap_b ")
    assert many.verdict[-1] == "There is 1 more measure."


def test_measures_of_other_names_are_named_beside_the_estimate():
    """One measure on each side."""
    result = cd.correlate(scores(0), {"x": scores(0.2, 1, ("RR",))}, resampling=FEW)
    assert result.verdict[0].startswith("x by RR and the reference have tau_ap_b ")
    assert result.question.endswith("12 systems, 30 topics, AP")


def test_an_estimate_without_a_name_is_the_estimate():
    """A sentence begins with a capital letter."""
    plain = cd.correlate(scores(0), scores(0.1, 1), resampling=None)
    assert plain.verdict[0].startswith("The estimate and the reference have tau_ap_b ")
    assert plain.answer().rows[0][0] == "the estimate"


def test_what_a_terminal_would_obey_is_shown():
    """Names may be anything."""
    result = cd.correlate(scores(0), {"\x1b[31mred": scores(0.1, 1)}, resampling=None)
    assert result.verdict[0].startswith("\\x1b[31mred and the reference have ")
    assert "\x1b" not in result.to_text() + result.to_markdown() + result.to_latex()


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
    """Where it is undefined is a note."""
    x, y = {"a": 0.5, "b": 0.4, "c": 0.1}, {"a": 0.4, "b": 0.5, "c": 0.2}
    assert cd.sweep(x, y, "tau_b", thresholds=[0, 0.1, 0.4]).verdict == (
        "tau_b is 0.33 at threshold 0, is smallest there and largest at 0.1 (1.00).",
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
    assert result.verdict[0] == f"Of 3 rankings, {most}, {least}."
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
    """The best, and how many there are more."""
    reference = {"q1": {f"d{k}": k % 2 for k in range(40)}}
    rng = np.random.default_rng(2)
    judges = {
        f"judge{k}": {"q1": {d: g if rng.random() > 0.1 * k else 1 - g for d, g in reference["q1"].items()}}
        for k in range(5)
    }
    few = cd.labels({"human": reference, "judge0": judges["judge0"]}, reference="human")
    assert few.verdict[0] == (
        "human and judge0 agree almost perfectly on the labels: alpha 1.00, "
        "the same label for 1.00 of 40 items."
    )
    many = cd.labels({"human": reference, **judges}, reference="human")
    assert [line.split(" agree ")[0] for line in many.verdict[:3]] == [
        f"human and judge{k}" for k in range(3)
    ]
    assert many.verdict[3] == "There are 2 more rater pairs."


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
    return cd.Scores(given.values + more, measures=given.measures, topics=TOPICS, systems=SYSTEMS)


def raters(seed: int, n: int) -> dict:
    """Return the judgements of people, and those of n judges with more and more errors."""
    rng = np.random.default_rng(seed)
    human = {f"q{t}": {f"d{k}": int(rng.integers(0, 3)) for k in range(30)} for t in range(3)}
    judges = {}
    for k in range(n):
        noisy = lambda g, k=k: g if rng.random() > 0.15 * (k + 1) else int(rng.integers(0, 3))
        judges[f"j{k}"] = {t: {d: noisy(g) for d, g in documents.items()} for t, documents in human.items()}
    return {"human": human, **judges}


OF_JUDGES = {
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
    "several names": lambda seed: cd.judge(
        scores(0), {n: scores(0.4 * k, seed + k, ("RR", "P")) for k, n in enumerate("xy", 1)}, resampling=FEW
    ),
    "fewer topics": lambda seed: cd.judge(
        scores(0),
        {
            **{f"e{k}": scores(0.1 + 0.4 * k, seed + k) for k in range(3)},
            "half": scores(0.1, seed).select(topics=TOPICS[:12]),
            "upside": scores(0.1, seed, sign=-1.0).select(topics=TOPICS[:20]),
            "three": scores(0.1, seed).select(topics=TOPICS[:3]),
            "most": scores(0.1, seed + 1).select(topics=TOPICS[:28]),
        },
        resampling=FEW,
    ),
    "two of fewer topics": lambda seed: cd.judge(
        scores(0), {"x": scores(0.2, seed), "half": scores(0.1, 8).select(topics=TOPICS[:12])}, resampling=FEW
    ),
    "left out": lambda seed: cd.judge(
        cd.Study(
            scores(0),
            {"x": scores(0.2, seed).select(systems=SYSTEMS[:9], topics=TOPICS[:20])},
            on_missing="drop",
        ),
        resampling=FEW,
    ),
    "one topic": lambda seed: cd.judge(
        scores(0).select(topics=["q0"]), {"x": scores(0.2, seed).select(topics=["q0"])}, resampling=FEW
    ),
    "two systems": lambda seed: cd.judge(
        scores(0).select(systems=["s0", "s8"]),
        {"x": scores(0.2, seed).select(systems=["s0", "s8"]), "y": scores(3, 5).select(systems=["s0", "s8"])},
        resampling=FEW,
    ),
    "same order": lambda seed: cd.judge(scores(0), {"x": scores(0), "y": scores(0.5, seed)}, resampling=FEW),
    "measures with a group": lambda seed: cd.judge(
        scores(0, 0, ("A", "B")),
        {n: favouring(scores(0.01, seed + k, ("A", "B")), 0.3) for k, n in enumerate("xy")},
        group_by="^s1?",
        at_least=0.5,
        resampling=FEW,
    ),
    "two measures": lambda seed: cd.judge(
        scores(0, 0, ("A", "B")),
        {"x": scores(0.4, seed, ("A", "B")), "y": scores(0.4, 9, ("A", "B"))},
        resampling=FEW,
    ),
    "seven measures": lambda seed: cd.judge(
        scores(0, 0, tuple("ABCDEFG")),
        {n: scores(0.4, k, tuple("ABCDEFG")) for n, k in (("x", seed), ("y", 9))},
        resampling=FEW,
    ),
    "correlate": lambda seed: cd.correlate(
        scores(0), {"x": scores(0.2, seed), "y": scores(0.6, 8)}, resampling=FEW
    ),
    "correlate one": lambda seed: cd.correlate(scores(0), scores(0.2, seed), "tau_b", resampling=FEW),
}
STUDIES = OF_JUDGES | {
    "by_topic": lambda seed: cd.by_topic(scores(0), scores(0.2, seed), resampling=FEW),
    "by_topic of four": lambda seed: cd.by_topic(
        scores(0, 0, ABCD), scores(0.2, seed, ABCD), "tau_b", resampling=FEW
    ),
    "sweep": lambda seed: cd.sweep(scores(0), scores(0.2, seed)),
    "sweep of both sides": lambda seed: cd.sweep(
        scores(0), scores(0.2, seed), estimate_thresholds=[0, 0.05, 0.1, 0.3]
    ),
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
    "labels": lambda seed: cd.labels(raters(seed, 2), reference="human"),
    "labels of five": lambda seed: cd.labels(raters(seed, 5), reference="human"),
}


@functools.cache
def studied(study, seed):
    """Return a result, which nobody changes."""
    return STUDIES[study](seed)


def told(result):
    """Return the sentences of the verdict, and the lines below the table."""
    return [*result.verdict, *result.beside]


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (20, 300))])
@pytest.mark.parametrize("study", STUDIES)
def test_every_number_of_a_verdict_is_that_of_its_record(study, seed):
    """Each sentence is of a known kind; its numbers, names and claims are those of the record it is about."""
    result = studied(study, seed)
    assert result.verdict
    assert all(sentence.endswith(".") for sentence in result.verdict)
    assert not any(" table" in sentence or "agrees with the" in sentence for sentence in result.verdict)
    assert wrong(result, told(result)) == []


@pytest.mark.parametrize("study", STUDIES)
def test_no_other_number_would_be_accepted(study):
    """If any number of a verdict were the next one, or the one before, the test above would fail."""
    result = studied(study, 1)
    others = list(changed(told(result)))
    assert len(others) > 3
    assert [other for other in others if not wrong(result, other)] == []


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (20, 300))])
@pytest.mark.parametrize("study", OF_JUDGES)
def test_the_table_below_a_verdict_is_made_of_the_other_tables(study, seed):
    """Rows, their order and sections, and each cell: from the ranks, the pairs and the comparison."""
    grid, should = studied(study, seed).answer(), answer(studied(study, seed))
    assert [str(head) for head in grid.header] == should.pop("header")
    assert [[shown(cell) for cell in row] for row in grid.rows] == should.pop("rows")
    assert {name: getattr(grid, name) for name in should} == should
