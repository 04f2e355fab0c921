"""Decisions about judges and boards: golden values of the definitions, and literal forms."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.special
import scipy.stats

import concordant as cd
from concordant.statistics import decisions
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.distributions import (
    beta_below,
    beta_quantile,
    f_above,
    gamma_below,
    gamma_cut_mean,
    gamma_cut_quantile,
    t_table,
)
from concordant.statistics.faults import favoured
from concordant.statistics.ranks import (
    letters_of,
    may_be_first,
    not_told_apart,
    pvalues_above,
    rank_sets,
    surely_above,
)
from concordant.statistics.simultaneous import stepped_down
from concordant.statistics.topic_luck import Expected, TopicLuck, moments_of_pairs

CASES = json.loads((Path(__file__).parents[1] / "golden" / "decide.json").read_text())
WORDS = {
    "shown": ("shown to be as close", "shown to be at least"),
    "shown not to be": ("shown to be less close", "shown to be less"),
    "not decided": ("not decided",) * 2,
}


def array(values):
    return np.array(values, dtype=float)


def reliability(x):
    luck = TopicLuck(array(x))
    plain = math.nan if math.isnan(luck.f) else max(0.0, 1 - 1 / luck.f)
    return {
        "F": luck.f,
        "p": luck.pvalue,
        "B": luck.reliability,
        "B_anova": plain,
        "epsilon": luck.epsilon,
    }


def expected(x, kind, coefficient, m=None):
    n = len(x)
    return TopicLuck(array(x)).expected(kind, (m or n) / n)[coefficient == "tau_ap_b"]


def expected_interval(x, kind, coefficient, m=None):
    found = expected(x, kind, coefficient, m)
    return [found.value, *found.interval]


def as_close(x, c, s, coefficient, margin=0.0, m=None):
    luck, c = TopicLuck(array(x)), math.nan if c is None else c
    order = luck.shows_an_order and not (coefficient == "tau_ap_b" and luck.has_ties)
    decision, *rest = decisions.as_close(c, s, expected(x, "other", coefficient, m), len(x), order, margin)
    return [WORDS[decision][0], *rest]


def without_luck(n, of_four, of_half, s):
    value, interval = decisions.without_luck(n, of_four, of_half, s, 0.95, (-1.0, 1.0))
    return [value, *interval]


def over_systems(x, y, groups, coefficient="tau_b"):
    x, y, names = array(x), array(y), np.array(groups)
    without = [cd.REGISTRY[coefficient].function(x[names != g], y[names != g]) for g in dict.fromkeys(groups)]
    return decisions.variance_over_systems(np.array(without))


def wide_interval(c, s, variance, n, groups, level=0.95, predict=False):
    scale = math.sqrt(2) if predict else 1.0
    return list(decisions.wide_interval(c, scale * s, scale**2 * variance, n, groups, level, (-1.0, 1.0)))


def one_sided(c, draws, n):
    return list(decisions.one_sided_ends(c, array(draws), n, 0.05, (-1.0, 1.0)))


def at_least(c, draws, n, floor):
    return WORDS[decisions.at_least(*decisions.one_sided_ends(c, array(draws), n, 0.05, (-1.0, 1.0)), floor)][
        1
    ]


def top(x, y, k):
    x, y = array(x), array(y)
    found = decisions.top(x, y, k)
    union = found.union
    constant = not union.any() or np.ptp(x[union]) == 0 or np.ptp(y[union]) == 0
    tau = math.nan if constant else cd.tau_b(x[union], y[union])
    values = {name: getattr(found, name) for name in ("winner_rank", "winner_same", "regret", "overlap")}
    return {**values, "common": k * found.overlap, "tau_union": tau}


def topics_for_width(n, half, wanted):
    return list(decisions.topics_for_width(n, half, wanted) or (None, None, None))


def groups_favoured(x, y, groups, level=0.95):
    rows = []
    for each in favoured(array(x), array(y), groups, level=level):
        low, high = each.interval or (None, None)
        own = {"effect": each.effect, "low": low, "high": high, "ranks": each.ranks}
        rows.append({"group": each.group, "systems": each.systems, **own, "p_adjusted": each.pvalue})
        assert (each.effect is None) == (each.not_tested is not None)
    return rows


FUNCTIONS = {
    "reliability": reliability,
    "expected_interval": expected_interval,
    "as_close": as_close,
    "without_luck": without_luck,
    "over_systems": over_systems,
    "wide_interval": wide_interval,
    "one_sided": one_sided,
    "at_least": at_least,
    "top": top,
    "topics_for_width": topics_for_width,
    "favoured": groups_favoured,
}


def differs(found, wanted):
    """Return where a value differs from the golden one; null is nan."""
    if isinstance(wanted, dict):
        return [key for key in wanted if key in found and differs(found[key], wanted[key])]
    if isinstance(wanted, list):
        return [i for i, (a, b) in enumerate(zip(found, wanted, strict=True)) if differs(a, b)]
    if wanted is None:
        return found is not None and not math.isnan(found)
    if isinstance(wanted, str) and wanted != "inf":
        return found != wanted
    return found is None or not (found == float(wanted) or abs(found - float(wanted)) <= 1e-9)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_golden_values(name):
    """All cases of a function, to 1e-9."""
    own = [case for case in CASES if case["function"] == name]
    assert own
    wrong = {}
    for case in own:
        found = FUNCTIONS[name](*case["args"], **case["kwargs"])
        if where := differs(found, case["value"]):
            wrong[case["id"], case["note"]] = where, found
    assert not wrong


def test_distributions_are_those_of_scipy():
    """Incomplete gamma and beta functions, their quantiles, F, and the table of Student's t."""
    rng = np.random.default_rng(1)
    for _ in range(100):
        a, b, c = 10 ** rng.uniform(-0.3, 2.3), 10 ** rng.uniform(-3, 3), 10 ** rng.uniform(-0.3, 2.3)
        p, f = rng.uniform(), 10 ** rng.uniform(-2, 3)
        assert gamma_below(a, b) == pytest.approx(scipy.special.gammainc(a, b), abs=1e-12)
        below = scipy.special.gammainc(a, b)
        if below > 1e-250:
            mean = a / b * scipy.special.gammainc(a + 1, b) / below
            assert gamma_cut_mean(a, b) == pytest.approx(mean, rel=1e-9)
            wanted = scipy.special.gammaincinv(a, p * below) / b
            assert gamma_cut_quantile(a, b, p) == pytest.approx(wanted, rel=1e-9)
        assert beta_below(a, c, p) == pytest.approx(scipy.special.betainc(a, c, p), abs=1e-11)
        assert beta_quantile(a, c, p) == pytest.approx(scipy.special.betaincinv(a, c, p), abs=1e-11)
        assert f_above(f, a, c) == pytest.approx(scipy.stats.f.sf(f, a, c), abs=1e-11)
        assert gamma_cut_quantile(a, 0.0, p) == pytest.approx(p ** (1 / a))  # the density is x^(a - 1)
        assert gamma_cut_quantile(a, math.inf, p) == 0
    t = np.abs(rng.standard_t(3, 2000))
    for freedom in (1, 2, 3, 4, 9, 24, 49, 249):
        assert np.abs(t_table(freedom)(t) - (2 * scipy.special.stdtr(freedom, t) - 1)).max() < 1e-11
        assert t_table(freedom)(np.array([0.0, np.inf])).tolist() == [0.0, 1.0]


def test_all_ordered_pairs_step_down():
    """A literal loop: the largest t first, against the largest deviation of the pairs not yet passed."""
    rng = np.random.default_rng(2)
    values = np.array([0.9, 0.8, 0.78, 0.5])
    draws = values[:, None] - 0.05 + rng.normal(0, 0.04, (4, 500)) + rng.normal(0, 0.05, 500)
    n, alpha = 30, 0.1
    wider = math.sqrt(n / (n - 1)) * scipy.stats.t.ppf(0.95, n - 1) / scipy.stats.norm.ppf(0.95)
    t, deviation = {}, {}
    for i, j in itertools.permutations(range(4), 2):
        gap = draws[i] - draws[j]
        t[i, j] = (values[i] - values[j]) / gap.std(ddof=1)
        deviation[i, j] = (gap - gap.mean()) / gap.std(ddof=1) * wider
    left, literal, so_far = sorted(t, key=lambda pair: -t[pair]), {}, 0.0
    while left:
        largest = np.max([deviation[pair] for pair in left], axis=0)
        so_far = max(so_far, (1 + (largest >= t[left[0]]).sum()) / 501)
        literal[left.pop(0)] = so_far
    pairs = list(itertools.combinations(range(4), 2))
    found, errors = stepped_down(
        np.array([values[i] - values[j] for i, j in pairs]),
        np.array([draws[i] - draws[j] for i, j in pairs]),
        [n] * len(pairs),
        alpha,
    )
    assert found.tolist() == pytest.approx([literal[pair] for pair in pairs])
    assert errors.tolist() == pytest.approx([(draws[i] - draws[j]).std(ddof=1) for i, j in pairs])
    never, _ = stepped_down(np.array([0.1, math.nan]), np.full((2, 50), 0.1), [n, n], alpha)
    assert np.isnan(never).all()


def test_who_is_surely_above_whom():
    """A literal loop over ordered pairs, with moderated variances and Holm's correction."""
    rng = np.random.default_rng(3)
    x = rng.normal(np.linspace(0.8, 0.3, 7), 0.2, (20, 7))
    n, k = x.shape
    variances = {
        pair: (x[:, pair[0]] - x[:, pair[1]]).var(ddof=1) for pair in itertools.permutations(range(k), 2)
    }
    median = np.median([variances[pair] for pair in itertools.combinations(range(k), 2)])
    p = {}
    for (i, j), own in variances.items():
        moderated = ((n - 1) * own + 10 * median) / (n - 1 + 10)
        t = (x[:, i] - x[:, j]).mean() / math.sqrt(moderated / n)
        p[i, j] = scipy.stats.t.sf(t, n - 1)
    found = pvalues_above(x)
    assert all(found[pair] == pytest.approx(p[pair], abs=1e-12) for pair in p)
    rejected, above = True, np.zeros((k, k), dtype=bool)
    for rank, pair in enumerate(sorted(p, key=p.__getitem__)):
        rejected = rejected and p[pair] * (len(p) - rank) <= 0.05
        above[pair] = rejected
    assert (surely_above(found, 0.05) == above).all()
    ranks = rank_sets(above)
    for i in range(k):
        assert ranks[i].tolist() == [1 + above[:, i].sum(), k - above[i].sum()]
    firsts = [not any(p[i, j] <= 0.05 / (k - 1) for i in range(k) if i != j) for j in range(k)]
    assert may_be_first(found, 0.05).tolist() == firsts
    apart = above | above.T
    literal = [
        set(group)
        for size in range(1, k + 1)
        for group in itertools.combinations(range(k), size)
        if not any(apart[pair] for pair in itertools.combinations(group, 2))
    ]
    maximal = [group for group in literal if not any(group < other for other in literal)]
    groups = not_told_apart(above, x.mean(axis=0))
    assert sorted(map(sorted, groups)) == sorted(map(sorted, maximal))
    letters = letters_of(above, x.mean(axis=0))
    assert letters == ["".join(chr(97 + g) for g in range(len(groups)) if i in groups[g]) for i in range(k)]
    assert (pvalues_above(np.ones((8, 3))) == 1).all()


def test_more_than_26_groups_have_no_letters():
    """A chain of systems of which only neighbours are not told apart."""
    places = np.arange(40)
    above = places[:, None] + 1 < places
    assert not_told_apart(above, -places.astype(float)) is None
    assert letters_of(above, -places.astype(float)) == [None] * 40
    assert len(not_told_apart(above[:20, :20], -places[:20].astype(float))) == 19


def test_the_range_of_topics_follows_the_ends_of_the_interval():
    """A curve through each end of the interval: it never falls with more topics."""
    rng = np.random.default_rng(0)
    luck = TopicLuck(rng.normal(np.linspace(0.6, 0.3, 12), 0.15, (50, 12)))
    for place, own in enumerate(luck.expected("true")):
        for end in own.interval:
            share = luck.share_for(place, "true", end)
            assert luck.values("true", 1.0, 1 - share)[place] == pytest.approx(end, abs=1e-9)
            curve = [luck.values("true", ratio, 1 - share)[place] for ratio in (0.5, 1, 2, 8, 64)]
            assert curve == sorted(curve)


def test_moments_of_pairs_are_those_of_numpy_and_without_each_topic_those_of_the_others():
    """Of all pairs of columns; a topic left out is a table without it."""
    scores = np.random.default_rng(3).normal(np.linspace(0.6, 0.3, 9), 0.15, (14, 9))
    first, second = np.triu_indices(9, 1)
    differences = scores[:, first] - scores[:, second]
    means, squares = moments_of_pairs(scores, 0.0)
    assert means == pytest.approx(differences.mean(axis=0), rel=1e-12)
    assert squares == pytest.approx(differences.var(axis=0) * 14, rel=1e-12)
    for target, found in TopicLuck(scores).without_each().items():
        for t in range(14):
            rest = TopicLuck(np.delete(scores, t, axis=0))
            assert found[:, t] == pytest.approx(rest.values(target), rel=1e-9)


def test_a_tie_with_a_system_outside_the_group_counts_half_a_rank():
    """The judge repeats the scores 0 ... 7 of the systems outside, and adds 2.5 to 2.5 and 3.5.

    At 5 there are five systems below and one beside, at 2.5 there are three below: 5.5 - 3; the same at 6.
    """
    outside = np.arange(8.0)
    x = np.tile(np.append(outside, [2.5, 3.5]), (6, 1))
    y = np.tile(np.append(outside, [5.0, 6.0]), (6, 1))
    (found,) = favoured(x, y, [""] * 8 + ["own"] * 2)
    assert found.effect == pytest.approx(2.5)
    assert found.ranks == 2.5


def test_reversed_topics_keep_the_unit_of_the_scores():
    """A threshold of 10 ties all means of scores near 0 and 1, reversed or not: tau_e is 1."""
    rng = np.random.default_rng(0)
    reference = rng.normal(np.linspace(0.8, 0.2, 8), 0.05, (40, 8))
    judge = reference + rng.normal(0, 0.01, reference.shape)
    how = cd.Resampling(n_resamples=50, rng=1)
    (found,) = cd.correlate(reference, {"judge": judge}, "tau_e(10)", resampling=how).judges
    assert (found.failing, found.if_failing) == (0, 1.0)


@pytest.mark.parametrize(("failing", "rare"), [(0, True), (2, True), (3, False)])
def test_up_to_a_twentieth_of_the_topics_fail_rather_than_err(failing, rare):
    """2 of 40 are a twentieth."""
    rng = np.random.default_rng(0)
    reference = rng.normal(np.linspace(0.8, 0.2, 8), 0.05, (40, 8))
    judge = np.concatenate([1 - reference[:failing], reference[failing:]])
    how = cd.Resampling(n_resamples=50, rng=1)
    (found,) = cd.correlate(reference, {"judge": judge}, "tau_b", resampling=how).judges
    assert (found.failing, found.if_failing is not None) == (failing, rare)


@pytest.mark.parametrize("k", [3, 8])
def test_losses_of_many_rows_are_those_of_each(k):
    """With ties at the top; without an overlap if there are no more than k systems."""
    x, y = np.random.default_rng(5).integers(0, 6, (2, 30, 8)).astype(float)
    among = [decisions.membership(side, k) if k < 8 else None for side in (x, y)]
    regret, overlap = decisions.losses(x, y, k, *among)
    each = [decisions.top(*rows, k) for rows in zip(x, y, strict=True)]
    assert regret == pytest.approx([one.regret for one in each])
    assert overlap == pytest.approx([one.overlap for one in each], nan_ok=True)
    assert np.isnan(overlap).all() == (k >= 8)


@pytest.mark.parametrize(("n_topics", "failing"), [(4, None), (5, 1)])
def test_the_failing_topics_of_fewer_than_five_are_not_counted(n_topics, failing):
    """Nor the largest share that they do not exclude: of 1 in 5, P(at most 1 | share) is 0.05."""
    reference = np.random.default_rng(0).normal(np.linspace(0.8, 0.2, 8), 0.05, (n_topics, 8))
    judge = np.concatenate([1 - reference[:1], reference[1:]])
    how = cd.Resampling(n_resamples=50, rng=1)
    (found,) = cd.correlate(reference, {"judge": judge}, "tau_b", resampling=how).judges
    assert found.failing == failing
    if failing is not None:
        share = found.failing_share
        assert (1 - share) ** 5 + 5 * share * (1 - share) ** 4 == pytest.approx(0.05)


def test_sums_of_topics_and_systems_have_no_residuals_with_or_without_a_topic():
    """What is left is rounding, so that F is infinite, also without each topic in turn."""
    rng = np.random.default_rng(0)
    luck = TopicLuck(rng.random((6, 1)) + rng.random(5))
    assert luck.f == math.inf
    assert (luck._f_without_each() == math.inf).all()


def test_a_pvalue_at_the_level_shows_that_a_system_is_not_the_best():
    """0.05 / 2 for each of two others: 0.025 is enough, 0.026 is not."""
    pvalues = np.ones((3, 3))
    pvalues[0, 1], pvalues[0, 2] = 0.025, 0.026
    assert may_be_first(pvalues).tolist() == [True, False, True]


def test_a_favoured_group_is_measured_without_the_other_favoured_groups():
    """Beside 0 ... 7, which the judge repeats: 50 for one group and 1 for another, once both are found."""
    outside = np.arange(8.0)
    x = np.tile(np.concatenate([outside, [2.5, 3.5], [1.5, 5.5]]), (6, 1))
    y = np.tile(np.concatenate([outside, [52.5, 53.5], [2.5, 6.5]]), (6, 1))
    much, little = favoured(x, y, [""] * 8 + ["much"] * 2 + ["little"] * 2)[::-1]
    assert (much.group, little.group) == ("much", "little")
    assert (much.effect, little.effect) == (pytest.approx(50), pytest.approx(1))
    assert max(much.pvalue, little.pvalue) < 0.05


@pytest.mark.parametrize("n", [2, 5, 40])
def test_the_difference_from_other_topics_has_the_ends_of_the_formula(n):
    """d -+ t(0.95, n - 1) root(s^2 + (e (1 - v^2))^2 + (to the end of the reliability / 1.96)^2)."""
    other = Expected(0.6, ConfidenceInterval(0.5, 0.7), 0.2, 0.55, 0.68)
    own = 0.1**2 + (0.2 * (1 - 0.6**2)) ** 2
    t, z = scipy.stats.t.ppf(0.95, n - 1), scipy.stats.norm.ppf(0.975)
    low, high = (0.05 + sign * t * math.sqrt(own + (to / z) ** 2) for sign, to in ((-1, 0.08), (1, 0.05)))
    _, *found = decisions.as_close(0.65, 0.1, other, n, True)
    assert found == pytest.approx([0.05, low, high])
