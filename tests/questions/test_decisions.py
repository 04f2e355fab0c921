"""What `judge` decides, on data that is made so that the answer is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

import concordant as cd
from concordant.statistics.resampling import TopicSample, started

HOW = cd.Resampling(n_resamples=299, rng=1)
N, K = 40, 20
SYSTEMS = [f"{'abcd'[k % 4]}-{k:02d}" for k in range(K)]


def made(values, measures=("AP",)) -> cd.Scores:
    """Return scores with names."""
    values = np.asarray(values)
    values = values[None] if values.ndim == 2 else values
    systems = SYSTEMS[: values.shape[2]]
    return cd.Scores(values, measures=list(measures), systems=systems, topics=range(values.shape[1]))


def human(seed=0, k=K, n=N, spread=0.6, noise=0.15):
    """Return scores of systems of different quality."""
    rng = np.random.default_rng(seed)
    return rng.normal(np.linspace(0.2 + spread, 0.2, k), noise, (n, k))


def noisy(values, noise, seed=1):
    """Return the scores with noise."""
    return values + np.random.default_rng(seed).normal(0, noise, values.shape)


def shuffled(values, seed=2):
    """Return scores of systems that have nothing to do with the given ones."""
    return noisy(values[:, np.random.default_rng(seed).permutation(values.shape[1])], 0.05)


# --- as close as other topics, at least a floor -------------------------------------------------------------

CASES = {
    "nearly perfect": (
        human(),
        noisy(human(), 0.01),
        "shown",
        "llm ranks the 20 systems in exactly the same order",
    ),
    "good": (human(), noisy(human(), 0.05), "shown", "llm is shown to be as close"),
    "random": (human(), shuffled(human()), "shown not to be", "llm is shown to be less close"),
    "as noisy as topics": (human(), noisy(human(), 0.25), "not decided", "Whether llm is as close"),
    "equal systems": (
        human(spread=0.0),
        noisy(human(spread=0.0), 0.01),
        "not decided",
        "These topics do not",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_judge_is_as_close_as_other_topics_or_not(case):
    """Or that is not decided; with an order that the topics do not show, nothing is compared."""
    x, y, decision, said = CASES[case]
    result = cd.judge(made(x), {"llm": made(y)}, "tau_b", resampling=HOW)
    (row,) = result.agreement
    assert row.as_close == decision
    assert [sentence.startswith(said) for sentence in result.verdict].count(True) == 1
    shows = result.reliability[0].pvalue <= 0.05
    assert shows == (case != "equal systems")
    assert any(" other topics would be" in sentence for sentence in result.verdict) == shows


def test_below_five_topics_the_value_stands_alone():
    """No decision, no floor, no interval for other systems."""
    result = cd.judge(made(human(n=4)), made(noisy(human(n=4), 0.01)), "tau_b", at_least=0.1, resampling=HOW)
    (row,) = result.agreement
    assert (row.as_close, row.at_least) == ("not decided", "not decided")
    assert (row.floor, row.other_systems) == (None, None)
    assert (
        "Whether tau_b of the estimate is at least 0.1 is not decided; no floor is known." in result.verdict
    )


@pytest.mark.parametrize(("noise", "floor", "decision"), [
    (0.01, 0.5, "shown"), (0.01, 0.99, "not decided"), (0.9, 0.95, "shown not to be"),
    (0.25, 0.93, "not decided"),
])  # fmt: skip
def test_a_floor_has_three_answers(noise, floor, decision):
    """By the ends of one-sided intervals: the floor that is passed, and no other."""
    x = human()
    for question in (cd.judge, cd.correlate):
        (row,) = question(made(x), made(noisy(x, noise)), "tau_b", at_least=floor, resampling=HOW).agreement
        assert row.at_least == decision
        assert (row.floor >= floor) == (decision == "shown")
        again = question(made(x), made(noisy(x, noise)), "tau_b", at_least=row.floor, resampling=HOW)
        assert again.agreement[0].at_least == "shown"


# --- what must not change an answer -------------------------------------------------------------------------


def flat(result, names):
    """Return the numbers and words of tables, without those in units of scores."""
    tables = result.to_dict()["tables"]
    units = {"effect", "regret", "regret_low", "regret_high"}
    return [
        {key: value for key, value in row.items()
            if key not in units and not (name == "groups" and key in ("low", "high"))}
        for name in names
        for row in tables[name]
    ]  # fmt: skip


@pytest.mark.parametrize("factor", [128.0, 100.0])
@pytest.mark.parametrize("side", ["judge", "reference"])
def test_the_scale_of_scores_changes_nothing(factor, side):
    """No p-value, interval or decision, anywhere."""
    x, judges = human(), {"one": noisy(human(), 0.1), "two": noisy(human(), 0.3, 5)}
    names = ("agreement", "judges", "best", "comparison", "topics", "each_topic", "reliability", "groups")
    found = []
    for scale in (1.0, factor):
        own = {"one": made(judges["one"] * (scale if side == "judge" else 1)), "two": made(judges["two"])}
        reference = made(x * (scale if side == "reference" else 1))
        how = {"at_least": 0.7, "group_by": "^[a-d]", "resampling": HOW}
        found.append(cd.judge(reference, own, ["tau_ap_b", "tau_b"], **how))
    same, other = (flat(result, names) for result in found)
    for row, scaled in zip(same, other, strict=True):
        numbers = {key: value for key, value in row.items() if isinstance(value, float)}
        assert {key: scaled[key] for key in numbers} == pytest.approx(numbers, abs=1e-9)
        assert {k: v for k, v in scaled.items() if k not in numbers} == {
            k: v for k, v in row.items() if k not in numbers
        }
    assert [s.system for s in found[0].systems] == [s.system for s in found[1].systems]


def test_a_second_measure_changes_no_pvalue_of_the_first():
    """One family for each measure and coefficient."""
    x = human()
    judges = {name: np.stack([noisy(x, noise, k), noisy(x, 0.5, k + 9)]) for k, (name, noise) in
        enumerate({"a": 0.05, "b": 0.2, "c": 0.6}.items())}  # fmt: skip
    both = ("AP", "RR")
    two = cd.judge(
        made(np.stack([x, x]), both), {n: made(v, both) for n, v in judges.items()}, resampling=HOW
    )
    one = cd.judge(made(x), {n: made(v[0]) for n, v in judges.items()}, resampling=HOW)
    for name in ("comparison", "best", "agreement"):
        first = [row for row in getattr(two, name) if "AP" in np.atleast_1d(row.measure)]
        assert first == list(getattr(one, name))
    assert len({d.pvalue_adjusted for d in one.comparison}) > 2


# --- doubts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("k", "order", "doubt", "p_is_small"), [
    (6, [0, 1, 2, 3, 4, 5], "", True),
    (6, [1, 2, 0, 3, 5, 4], "; systems in random order can explain it (p = 0.14)", False),
    (12, [1, 0, 2, 3, 5, 4, 6, 7, 9, 8, 10, 11], "", True),
    (4, [0, 2, 1, 3], "; these are too few systems for a test", False),
])  # fmt: skip
def test_luck_with_these_systems_is_a_doubt(k, order, doubt, p_is_small):
    """The interval over topics is above 0 in all cases; one says that only if the test does."""
    x = np.random.default_rng(3).normal(np.linspace(0.9, 0.1, k), 0.01, (N, k))
    result = cd.correlate(made(x), made(x[:, order]), "tau_b", resampling=HOW)
    (row,) = result.agreement
    assert row.interval.low > 0
    assert (row.pvalue <= 0.05) == p_is_small
    value = f"tau_b {row.value:.2f} [{row.interval.low:.2f}, {row.interval.high:.2f}]"
    exact = f"The estimate ranks the {k} systems in exactly the same order as the reference: {value}"
    plain = f"The estimate and the reference have {value} on the {k} systems"
    assert result.verdict[0] == f"{exact if order == sorted(order) else plain}{doubt}."


@pytest.mark.parametrize(("noise", "crosses"), [(0.3, True), (0.02, False)])
def test_an_interval_that_holds_0_is_a_doubt(noise, crosses):
    """Other topics may change the sign, though luck with these systems does not explain the value."""
    x = np.random.default_rng(3).normal(np.linspace(0.6, 0.4, 20), 0.2, (6, 20))
    result = cd.correlate(made(x), made(noisy(x, noise, 26)), "tau_b", resampling=HOW)
    (row,) = result.agreement
    assert row.pvalue < 0.05
    assert (row.interval.low <= 0 <= row.interval.high) == crosses
    assert result.verdict[0].endswith("; other topics may change its sign.") == crosses


# --- groups, failures, the top, ranks -----------------------------------------------------------------------


@pytest.mark.parametrize(("by", "word"), [(0.2, "favours"), (-0.2, "puts down")])
def test_a_favoured_group_is_found_and_named(by, word):
    """The interval of its effect holds what was added; no other group is named."""
    x = human()
    more = np.array([by if name.startswith("b") else 0.0 for name in SYSTEMS])
    result = cd.judge(made(x), {"llm": made(noisy(x, 0.02) + more)}, group_by="^[a-d]", resampling=HOW)
    rows = {row.group: row for row in result.groups}
    assert [name for name, row in rows.items() if row.pvalue is not None and row.pvalue <= 0.05] == ["b"]
    assert rows["b"].interval.low <= by <= rows["b"].interval.high
    assert rows["b"].systems == 5
    assert rows["b"].ranks * by > 0
    (said,) = (line for line in result.beside if line.startswith("Favoured"))
    assert said.startswith(f"Favoured: llm {word} b (5 systems): {rows['b'].effect:+.2f} [")
    assert said.endswith(f" ranks; without it tau_ap_b is {rows['b'].value:.2f}")


@pytest.mark.parametrize("reversed_topics", [0, 1, 2, 10])
def test_failing_topics_are_counted_and_limit_the_floor(reversed_topics):
    """If they are rare, no floor above what such failures would leave is passed; many are noise."""
    x = human(n=50)
    y = noisy(x, 0.01)
    y[:reversed_topics] = -y[:reversed_topics]
    y[:1] = 0.5 if reversed_topics == 1 else y[:1]  # a topic without an order fails too
    result = cd.judge(made(x), made(y), ["tau_ap_b", "tau_b"], resampling=HOW)
    (own,) = result.judges
    assert own.failing == reversed_topics
    f, n = reversed_topics, 50
    chance = sum(
        math.comb(n, i) * own.failing_share**i * (1 - own.failing_share) ** (n - i) for i in range(f + 1)
    )
    assert chance == pytest.approx(0.05)  # so many or fewer are seen
    if reversed_topics <= 2:
        assert own.if_failing < result.agreement[0].value
        assert result.agreement[0].floor <= own.if_failing
    else:
        assert own.if_failing is None
    assert any(line.startswith("Failing topics of") for line in result.beside) == (reversed_topics <= 2)


@pytest.mark.parametrize(("judge", "winner", "rank", "regret", "common", "union"), [
    ([0.9, 0.8, 0.7, 0.6, 0.5], "a-00", 1, 0.0, 2.0, 1.0),
    ([0.8, 0.9, 0.7, 0.6, 0.5], "b-01", 2, 0.1, 2.0, -1.0),
    ([0.9, 0.9, 0.7, 0.6, 0.5], "a-00, b-01", 1.5, 0.05, 2.0, None),
    ([0.5, 0.6, 0.9, 0.6, 0.1], "c-02", 3, 0.3, 0.5, -3 / math.sqrt(30)),
])  # fmt: skip
def test_the_winner_and_the_top(judge, winner, rank, regret, common, union):
    """Ties count in part: two winners share their ranks and losses, and a tie at the cut is half in."""
    means = np.array([0.9, 0.8, 0.6, 0.4, 0.2])
    both = [made(np.tile(own, (6, 1)) + np.linspace(0, 0.01, 6)[:, None]) for own in (means, judge)]
    (own,) = cd.judge(both[0], both[1], "tau_b", top=2, resampling=HOW).judges
    assert (own.winner, own.winner_rank, own.top) == (winner, rank, 2)
    assert (own.regret, own.common) == pytest.approx((regret, common))
    assert own.tau_union == (union if union is None else pytest.approx(union))
    assert own.regret_interval.low <= own.regret <= own.regret_interval.high + 1e-12


def test_the_pairs_that_are_kept_are_counted():
    """Of those that differ significantly by the reference."""
    x = human()
    result = cd.judge(made(x), made(noisy(x, 0.4)), "tau_b", resampling=HOW)
    (own,) = result.judges
    pairs = [p for p in result.pairs if p.reference_pvalue < 0.05]
    signs = [p.estimate_difference > 0 for p in pairs]
    assert (own.significant, own.kept, own.reversed) == (len(pairs), sum(signs), len(pairs) - sum(signs))
    assert own.kept > 0


@pytest.mark.parametrize("equal", [False, True])
def test_rank_sets_contain_the_true_ranks(equal):
    """Of all systems at once, in nearly all samples; and the best system may be the first."""
    held = 0
    for seed in range(20):
        x = human(seed, k=8, spread=0.0 if equal else 0.4)
        rows = cd.correlate(made(x), made(x), "tau_b", resampling=cd.Resampling(n_resamples=9)).systems
        true = {name: (1, 8) if equal else (k + 1, k + 1) for k, name in enumerate(SYSTEMS[:8])}
        held += all(r.reference_ranks.low <= true[r.system][0] and true[r.system][1] <= r.reference_ranks.high
            for r in rows)  # fmt: skip
        assert all(r.reference_first == (r.reference_ranks.low == 1) or not r.reference_first for r in rows)
        letters = {r.system: set(r.reference_groups) for r in rows}
        assert all(letters.values())
    assert held >= 19


def test_ends_are_within_the_bounds_of_the_coefficient():
    """A coefficient from 0 to 100, at different levels of confidence."""
    of_percent = cd.results.Coefficient(
        "per_cent", lambda x, y: 50 + 50 * cd.tau_b(x, y), bounds=(0.0, 100.0)
    )
    rng = np.random.default_rng(4)
    x = rng.normal(np.linspace(0, 1, 12), 0.3, (20, 12))
    y = x + rng.normal(0, 0.1, x.shape)
    widths = []
    for level in (0.5, 0.95, 0.999):
        how = cd.Resampling(n_resamples=199, rng=1, confidence_level=level)
        (row,) = cd.judge(x, {"llm": y}, [of_percent], resampling=how).agreement
        low, high = row.other_systems
        assert 0 <= low < row.value < high <= 100
        assert 50 < row.floor < row.value
        ends = row.interval_without_luck
        assert 50 < ends.low <= row.without_luck <= ends.high <= 100
        widths.append(ends.low)
    assert widths[0] > widths[1] > widths[2]


def test_joint_intervals_widen_with_the_level_as_student_t_does():
    """Of ten topics; by hand from the joint resamples."""
    rng = np.random.default_rng(2)
    x = rng.normal(np.linspace(0, 1, 8), 0.3, (10, 8))
    judges = {name: x + rng.normal(0, 0.5, x.shape) for name in ("a", "b")}
    how = cd.Resampling(n_resamples=999, rng=1, confidence_level=0.99)
    study = cd.Study(x, judges)
    drawn = TopicSample(study.pairings, [cd.coefficient("tau_b")], started(how)).draw()
    values, errors = drawn.distribution, drawn.distribution.std(axis=1, ddof=1)
    t = np.abs(values - values.mean(axis=1, keepdims=True)) / errors[:, None]
    wider = math.sqrt(10 / 9) * scipy.stats.t.ppf(0.995, 9) / scipy.stats.norm.ppf(0.995)
    half = np.quantile(t.max(axis=0), 0.99) * wider * errors
    for own, reach in zip(cd.judge(x, judges, "tau_b", resampling=how).best, half, strict=True):
        assert own.interval.low <= max(own.value - reach, -1.0) + 1e-9
        assert own.interval.high >= min(own.value + reach, 1.0) - 1e-9


def test_a_group_is_favoured_at_the_level_of_the_result():
    """A p-value of 0.04 is none at 0.999."""
    rng = np.random.default_rng(3)
    names = [f"{'gpt' if i % 4 == 0 else f'x{i % 4}'}-{i}" for i in range(24)]
    x = cd.Scores(rng.normal(np.linspace(0, 1, 24), 0.2, (1, 30, 24)), systems=names)
    gain = 0.06 * np.array([name.startswith("gpt") for name in names])
    y = cd.Scores(x.values + gain + rng.normal(0, 0.1, x.values.shape), systems=names)
    said = {}
    for level in (0.95, 0.999999):
        how = cd.Resampling(n_resamples=99, rng=1, confidence_level=level)
        result = cd.judge(x, {"llm": y}, ["tau_b"], group_by="^[^-]+", resampling=how)
        (group,) = (each for each in result.groups if each.group == "gpt")
        said[level] = any("favours gpt" in line for line in result.beside)
        assert said[level] == (group.pvalue <= 1 - level)
    assert said == {0.95: True, 0.999999: False}


def test_plan_and_difference_draw_the_same_topics():
    """So that their standard errors are the same."""
    x, noise = human(), np.random.default_rng(1).normal(0, 0.2, (2, N, K))
    both = {"a": made(x + noise[0]), "b": made(x + noise[1])}
    planned = cd.plan(made(x), estimates=both, agreement="tau_b", resampling=HOW).needed[-1]
    found = cd.difference(made(x), both["a"], both["b"], "tau_b", resampling=HOW)
    assert planned.now == pytest.approx(found.statistic)
    assert planned.standard_error == pytest.approx(found.standard_error)


def test_grades_are_refused_where_they_mean_nothing():
    """For scores on topics."""
    with pytest.raises(cd.ArgumentError, match="grades are for two rankings"):
        cd.explain(made(human()), made(human(1)), ["tau_b"], grades=[1, 2])
