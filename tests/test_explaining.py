"""What items and pairs cost: literal brute force, sums, and sentences."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import concordant as cd
from concordant import _core
from concordant import _reference as reference
from concordant._costs import COSTS, GRADED, PROFILES
from concordant._reference import sign
from concordant._unbiased import default_a

# --- literal costs of pairs, none of which shares anything with the package ---------------------------------------


def orders(groups):
    """All orders of the items that keep the groups, best first, in their order."""
    for parts in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield list(itertools.chain(*parts))


def groups_by(y, key):
    """Items from best to worst, those with the same key together."""
    found = []
    for i in sorted(range(len(y)), key=lambda i: -y[i]):
        if found and key(found[-1][0]) == key(i):
            found[-1].append(i)
        else:
            found.append([i])
    return found


def add(costs, i, j, cost):
    costs[frozenset((i, j))] = costs.get(frozenset((i, j)), 0) + cost


def kendall(x, y, w_x, w_y, cost):
    n = len(x)
    return {
        frozenset((i, j)): Fraction(cost(sign(x[i], x[j], w_x), sign(y[i], y[j], w_y)), n * (n - 1) // 2)
        for i, j in itertools.combinations(range(n), 2)
    }


def weighted_tau_b(x, y, weight, w_x=0.0, w_y=0.0):
    pairs = list(itertools.combinations(range(len(x)), 2))
    signs = {(i, j): (sign(x[i], x[j], w_x), sign(y[i], y[j], w_y)) for i, j in pairs}
    both = sum(weight(*p) for p in pairs if signs[p][0] and signs[p][1])
    only_x = sum(weight(*p) for p in pairs if signs[p][0] and not signs[p][1])
    only_y = sum(weight(*p) for p in pairs if signs[p][1] and not signs[p][0])
    root = math.sqrt((both + only_x) * (both + only_y))
    rest = (root - both) / (only_x + only_y) if only_x + only_y else 0
    found = {}
    for p in pairs:
        s_x, s_y = signs[p]
        factor = 2 if s_x * s_y == -1 else rest if (s_x == 0) != (s_y == 0) else 0
        found[frozenset(p)] = factor * weight(*p) / root
    return found


def ap_by_orders(x, y, groups, cost):
    """The mean over orders of cost / (items above the lower) / (n - 1)."""
    n, found = len(x), {}
    every = list(orders(groups))
    for order in every:
        for place in range(1, n):
            for above in range(place):
                i, j = order[place], order[above]
                add(found, i, j, Fraction(cost(i, j), place * (n - 1) * len(every)))
    return found


def ap_ties(x, y, w_x, w_y, tied, found):
    n = len(x)
    above = [[j for j in range(n) if sign(y[j], y[i], w_y) == 1] for i in range(n)]
    pivots = [i for i in range(n) if above[i]]
    for i in pivots:
        for j in above[i]:
            score = {1: 1, -1: -1, 0: tied}[sign(x[j], x[i], w_x)]
            add(found, i, j, Fraction(1 - score, 2 * len(pivots) * len(above[i])))


def gaps(x, y):
    x = [Fraction(v) for v in x]
    n, found, weight = len(x), {}, Fraction(0)
    for i in range(n):
        above = [j for j in range(n) if y[j] > y[i]]
        level = [j for j in range(n) if y[j] == y[i] and j != i]
        t = len(level) + 1
        for k in range(t):
            share = Fraction(k, t - 1) if t > 1 else Fraction(0)
            mass = sum(abs(x[j] - x[i]) for j in above) + share * sum(abs(x[j] - x[i]) for j in level)
            if mass:
                weight += Fraction(1, t)
                for j in above + level:
                    part = share if j in level else 1
                    add(found, i, j, part * (abs(x[j] - x[i]) - (x[j] - x[i])) / mass / t)
    return {pair: cost / weight for pair, cost in found.items()}


def moments(x, y):
    n = len(x)
    u, v = ((np.array(s) - np.mean(s)) / math.sqrt(np.sum((np.array(s) - np.mean(s)) ** 2)) for s in (x, y))
    return {
        frozenset((i, j)): ((u[i] - u[j]) - (v[i] - v[j])) ** 2 / (2 * n)
        for i, j in itertools.combinations(range(n), 2)
    }


def cosines(x, y):
    fx, fy = [Fraction(v) for v in x], [Fraction(v) for v in y]
    n, found = len(x), {}
    weight = {i: fx[i] - min(fx) for i in range(n) if fx[i] < max(fx)}
    for i, own in weight.items():
        above = [j for j in range(n) if fx[j] > fx[i]]
        length_x, length_y = (math.sqrt(sum((f[j] - f[i]) ** 2 for j in above)) for f in (fx, fy))
        for j in above:
            u, v = (fx[j] - fx[i]) / length_x, (fy[j] - fy[i]) / length_y if length_y else None
            cost = u * u if v is None else (u - v) ** 2 / 2
            add(found, i, j, cost * float(own / sum(weight.values())))
    return found


def midranks(v):
    return [sum(b < a for b in v) + (sum(b == a for b in v) + 1) / 2 for a in v]


def literal(name, x, y, w_x, w_y):
    """The cost of every pair of items."""

    def s(i, j):
        return sign(x[i], x[j], w_x), sign(y[i], y[j], w_y)

    def unresolved(i, j):
        s_x, s_y = s(i, j)
        return 1 - s_x * s_y

    def judged(i, j):
        s_x, s_y = s(i, j)
        return 0 if s_x == s_y else 2

    if name in ("tau", "tau_a"):
        return kendall(x, y, w_x, w_y, lambda s_x, s_y: 1 - s_x * s_y)
    if name == "tau_e":
        return kendall(x, y, w_x, w_y, lambda s_x, s_y: 0 if s_x == s_y else 2)
    if name == "tau_b":
        return weighted_tau_b(x, y, lambda _i, _j: 1, w_x, w_y)
    if name in ("tau_ap", "tau_ap_a"):
        tied = [frozenset(k for k in range(len(y)) if sign(y[k], y[i], w_y) == 0) for i in range(len(y))]
        return ap_by_orders(x, y, groups_by(y, lambda i: tied[i]), unresolved)
    if name == "tau_ap_e":
        return ap_by_orders(x, y, groups_by(y, lambda i: y[i]), judged)
    if name == "tau_ap_b":
        found = {}
        ap_ties(x, y, w_x, w_y, -1, found)
        ap_ties(y, x, w_y, w_x, -1, found)
        return found
    if name == "tau_gap":
        return gaps(x, y)
    if name == "tau_h":
        found = {}
        for first, second in ((x, y), (y, x)):
            keys = list(zip(first, second, strict=True))
            ranks = sorted(range(len(x)), key=lambda i, keys=keys: keys[i], reverse=True)
            of = {i: r for r, i in enumerate(ranks)}
            mean = [np.mean([1 / (1 + of[j]) for j in of if keys[j] == keys[i]]) for i in range(len(x))]
            part = weighted_tau_b(x, y, lambda i, j, mean=mean: mean[i] + mean[j])
            for pair, cost in part.items():
                found[pair] = found.get(pair, 0) + cost / 2
        return found
    if name == "pearson_rank":
        return cosines(x, y)
    if name == "pearson_r":
        return moments(x, y)
    assert name == "spearman_rho"
    return moments(midranks(x), midranks(y))


THRESHOLDS = ("tau_a", "tau_b", "tau_e", "tau_ap_a", "tau_ap_b", "tau_ap_e")


@st.composite
def cases(draw):
    n = draw(st.integers(2, 6))
    name = draw(st.sampled_from(sorted(COSTS)))
    scores = st.integers(0, 4 if name not in ("tau", "tau_ap") else 1000).map(float)
    unique = name in ("tau", "tau_ap")
    x, y = (draw(st.lists(scores, min_size=n, max_size=n, unique=unique)) for _ in range(2))
    w_x, w_y = (
        (draw(st.sampled_from([0.0, 1.0, 2.0])), draw(st.sampled_from([0.0, 1.0, 2.0])))
        if name in THRESHOLDS
        else (0.0, 0.0)
    )
    return name, x, y, w_x, w_y


def coefficient(name, w_x, w_y):
    return f"{name}({w_x}, {w_y})" if name in THRESHOLDS else name


@given(cases())
@settings(max_examples=600, deadline=None)
@pytest.mark.filterwarnings("ignore::concordant.UndefinedWarning")
def test_shares_and_pairs_are_those_of_brute_force(case):
    name, x, y, w_x, w_y = case
    why = cd.explain(x, y, coefficient(name, w_x, w_y), most=15)
    if math.isnan(why.statistic):
        assert np.isnan(why.shares).all()
        return
    costs = literal(name, x, y, w_x, w_y)
    expected = [float(sum(cost for pair, cost in costs.items() if i in pair)) / 2 for i in range(len(x))]
    np.testing.assert_allclose(why.shares, expected, atol=1e-13)
    assert math.fsum(why.shares) == 1 - why.statistic
    costly = sorted((float(cost) for cost in costs.values() if cost > 1e-15), reverse=True)
    assert why.n_pairs == len(costly)
    assert [pair.cost for pair in why.pairs] == pytest.approx(costly, abs=1e-11)
    for pair in why.pairs:
        assert pair.cost == pytest.approx(float(costs[frozenset((pair.better, pair.worse))]), abs=1e-11)
        assert pair.truth_difference == x[pair.better] - x[pair.worse] >= 0
        assert pair.estimate_difference == y[pair.better] - y[pair.worse]


OPTIONS = [
    "tau_ap_b(0.5, 1, tied=neutral)", "tau_ap_a(1, 2, symmetric=True)", "tau_ap_e(2, 0.5, symmetric=True)",
    "tau_gap(symmetric=True)", "pearson_rank(symmetric=True)", "tau_b(1)@20", "tau_ap_b@20",
]  # fmt: skip


@pytest.mark.parametrize(
    "name", [*sorted(set(COSTS) - {"tau", "tau_ap"}), "tau_ap_a(1)", "tau_e(2, 1)", *OPTIONS]
)
def test_the_fast_sums_are_those_over_all_pairs(name):
    """The costs of pairs, which brute force confirms for few items, added up one by one."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 40, 120) / 2.0
    y = x + rng.integers(0, 30, 120) / 2.0
    why = cd.explain(x, y, name, most=10**6)
    sums = np.zeros(120)
    for pair in why.pairs:
        sums[[pair.better, pair.worse]] += pair.cost / 2
    np.testing.assert_allclose(why.shares, sums, atol=1e-9)
    assert math.fsum(why.shares) == 1 - why.statistic
    assert why.statistic == cd.get(name)(x, y)
    assert (why.shares >= 0).all()


def test_every_coefficient_is_explained():
    known = {"scores": COSTS, "profiles": PROFILES, "graded": GRADED}
    for inputs, costs in known.items():
        assert set(costs) == {c.name for c in cd.REGISTRY.values() if c.inputs == inputs}


@pytest.mark.parametrize("a", [None, 0.25])
@pytest.mark.parametrize("name", sorted(PROFILES))
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=7))
@settings(max_examples=40, deadline=None)
def test_lists_of_grades_are_explained_by_positions(name, a, pairs_of_grades):
    x, y = map(list, zip(*pairs_of_grades, strict=True))
    kind, weight = name[-2:], {"tau": "tau", "tau_ap": "ap", "tau_h": "h"}[name[:-3]]
    why = cd.explain(x, y, name if a is None else f"{name}(a={a})", most=30)
    score = Fraction(default_a(kind, max(*x, *y) + 1, len(x), weight) if a is None else a)
    c, n = {"sc": reference.c_sc, "ac": reference.c_ac}[kind], len(x)
    weights = {
        (i, j): reference._pair_weight(weight, i + 1, j + 1) for i, j in itertools.combinations(range(n), 2)
    }
    costs = {p: w * (1 - c(x, y, *p, score)) / sum(weights.values()) for p, w in weights.items()}
    shares = [float(sum(cost for p, cost in costs.items() if i in p)) / 2 for i in range(n)]
    np.testing.assert_allclose(why.shares, shares, atol=1e-13)
    assert math.fsum(why.shares) == 1 - why.statistic
    assert [p.cost for p in why.pairs] == pytest.approx(
        sorted((float(v) for v in costs.values() if v > 1e-15), reverse=True)
    )
    assert why.items[0] == "position 1"


@pytest.mark.parametrize("name", sorted(GRADED))
@given(st.data())
@settings(max_examples=40, deadline=None)
@pytest.mark.filterwarnings("ignore::concordant.UndefinedWarning")
def test_graded_items_are_explained(name, data):
    n = data.draw(st.integers(2, 7))
    x, y = (data.draw(st.permutations(range(n))) for _ in range(2))
    grades = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    weight = {"tau": "tau", "tau_ap": "ap", "tau_h": "h"}[name[:-3]]
    why = cd.explain(x, y, name, grades=grades, most=30)
    assert why.statistic == pytest.approx(reference.graded_coefficient(weight, x, y, grades), nan_ok=True)
    if math.isnan(why.statistic):
        return
    place_x, place_y = ([sum(b > a for b in v) + 1 for a in v] for v in (x, y))
    weights, opposed = {}, {}
    for i, j in itertools.combinations(range(n), 2):
        top = max(grades[i], grades[j])
        by_y, by_x = (reference._pair_weight(weight, *sorted((p[i], p[j]))) for p in (place_y, place_x))
        each = (by_x + by_y) / 2 if weight == "h" else by_y
        weights[i, j] = each * (Fraction(abs(grades[i] - grades[j]), top) if top else 0)
        opposed[i, j] = (x[i] - x[j]) * (y[i] - y[j]) < 0
    costs = {p: 2 * w / sum(weights.values()) if opposed[p] else 0 for p, w in weights.items()}
    shares = [float(sum(cost for p, cost in costs.items() if i in p)) / 2 for i in range(n)]
    np.testing.assert_allclose(why.shares, shares, atol=1e-13)


def test_graded_items_need_grades_and_others_take_none():
    x, y, grades = {"a": 3, "b": 2, "c": 1}, {"c": 3, "b": 2, "a": 1}, {"b": 0, "a": 1, "c": 2}
    why = cd.explain(x, y, "tau_dw", grades=grades)
    assert why.statistic == cd.tau_dw(x, y, grades)
    assert {why.pairs[0].better, why.pairs[0].worse} == {"a", "b"}
    with pytest.raises(TypeError, match=r"tau_dw needs the grades of the items.*grades="):
        cd.explain(x, y, "tau_dw")
    with pytest.raises(TypeError, match="tau_b takes no grades"):
        cd.explain(x, y, "tau_b", grades=grades)


@pytest.mark.parametrize("name", sorted(set(COSTS)))
def test_a_perfect_estimate_costs_nothing(name):
    x = np.random.default_rng(1).permutation(50).astype(float)
    why = cd.explain(x, x, name)
    assert not why.shares.any()
    assert why.pairs == ()
    assert why.removals == ()
    assert "no pair of items costs anything" in repr(why)


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_a(0.3)", "tau_h", "tau_gap", "tau_ap_e"])
def test_shares_follow_their_items(name):
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 9, (2, 40)) / 4.0
    order = rng.permutation(40)
    one, other = cd.explain(x, y, name), cd.explain(x[order], y[order], name)
    np.testing.assert_allclose(other.shares, one.shares[order], atol=1e-15)


@pytest.mark.parametrize("name", ["tau_b", "tau_ap_b(0.1)", "tau_gap", "pearson_rank", "tau_ap_b@15"])
def test_removals_are_those_of_leaving_each_item_out(name):
    rng = np.random.default_rng(3)
    x = rng.random(30)
    y = x + rng.random(30)
    c = cd.get(name)
    why = cd.explain(x, y, c, most=4)
    without = [c(np.delete(x, i), np.delete(y, i)) for i in range(30)]
    best = sorted(range(30), key=lambda i: -without[i])[:4]
    assert [r.item for r in why.removals] == best
    for r in why.removals:
        assert r.statistic == pytest.approx(without[r.item])
        assert r.gain == pytest.approx(without[r.item] - why.statistic)
        assert r.gain > 0


def test_sentences_name_the_items():
    truth = {"bm25+rm3": 0.341, "colbert": 0.300, "ql": 0.1}
    estimate = {"colbert": 0.412, "bm25+rm3": 0.400, "ql": 0.2}
    why = cd.explain(truth, estimate, "tau_ap")
    assert why.reasons() == ["bm25+rm3 and colbert: truth +0.041, estimate -0.012, costs 1.000"]
    assert str(why.removals[0]) == "without bm25+rm3: 1.0000 (+1.0000)"
    assert list(why.to_report()) == ["pairs", "removals", "items"]
    assert why.to_report()["items"].to_dicts()[0] == {"item": "bm25+rm3", "cost": 0.5, "share": 0.5}


def test_pairs_of_equal_cost_come_by_their_difference():
    x = [10.0, 9.0, 5.0, 1.0]
    why = cd.explain(x, x[::-1], "tau_b", most=3)
    assert [(p.better, p.worse) for p in why.pairs] == [(0, 3), (1, 3), (0, 2)]
    assert why.n_pairs == 6


def test_scores_are_explained_by_their_means():
    values = np.random.default_rng(0).random((2, 10, 5))
    one, other = (cd.Scores(v, systems=list("abcde")) for v in values)
    assert cd.explain(one, other, "tau_b").pairs == cd.explain(one.mean(), other.mean(), "tau_b").pairs


def test_of_very_many_items_the_costliest_are_looked_at():
    rng = np.random.default_rng(5)
    x = np.arange(3000.0)
    y = x + rng.random(3000)
    y[[10, 2990]] = y[[2990, 10]]
    why = cd.explain(x, y, "tau_b", most=2)
    assert {why.pairs[0].better, why.pairs[0].worse} == {10, 2990}
    assert {r.item for r in why.removals} == {10, 2990}
    assert math.fsum(why.shares) == 1 - why.statistic
    assert any("largest shares" in note for note in why.notes)


def test_a_function_of_ones_own_has_removals_only():
    def same_winner(x, y):
        return float(x.argmax() == y.argmax())

    why = cd.explain([3, 2, 1], [2, 3, 1], same_winner)
    assert why.shares is None
    assert [r.item for r in why.removals] == [0, 1]
    assert "not known to be a sum over pairs" in why.notes[0]
    assert list(why.to_report()) == ["pairs", "removals"]


def test_nan_is_refused_with_advice_that_can_be_followed():
    with pytest.raises(ValueError, match=r"explain: y is NaN at position 0; drop the item$"):
        cd.explain([1, 2], [math.nan, 2], "tau_b")


def test_what_has_no_value_is_not_explained():
    with pytest.warns(cd.UndefinedWarning, match="tied"):
        why = cd.explain([1, 1], [1, 2], "tau_b")
    assert np.isnan(why.shares).all()
    assert "undefined: all items are tied in x or in y" in why.notes
    with pytest.raises(cd.TiesError):
        cd.explain([1, 1], [1, 2], "tau")
    with pytest.raises(ValueError, match="most must be a whole number from 0 up"):
        cd.explain([1, 2], [1, 2], "tau_b", most=-1)


def test_no_pairs_are_listed_if_none_are_asked_for():
    why = cd.explain([3, 2, 1], [2, 3, 1], "tau_b", most=0)
    assert why.pairs == why.removals == ()
    assert why.n_pairs == 1


@pytest.mark.parametrize("factor", [1e-300, 1e300])
@pytest.mark.parametrize("name", ["tau_gap", "pearson_r", "pearson_rank"])
def test_very_small_and_very_large_scores_are_explained_alike(name, factor):
    rng = np.random.default_rng(6)
    x, y = rng.random((2, 20))
    one, other = cd.explain(x, y, name), cd.explain(x * factor, y * factor, name)
    np.testing.assert_allclose(other.shares, one.shares, atol=1e-12)


@pytest.mark.parametrize(
    ("place", "ends", "before"),
    [([0, 2], [1, 2], [1, 1]), ([0, 1], [2, 1], [1, 1]), ([0, 1], [1, 3], [1, 1]), ([0, 1], [1, 2], [1, 3]), ([-1, 1], [1, 2], [1, 1])],
)  # fmt: skip
def test_the_core_refuses_places_and_ends_beyond_the_items(place, ends, before):
    """These come from the package only; a mistake there must not read foreign memory."""
    integers = [np.array(values) for values in (place, [1, 1], ends, before)]
    with pytest.raises(ValueError, match="places and ends"):
        _core.sums_before(*integers, np.empty(2, dtype=np.int64))


@pytest.mark.parametrize("spread", [3, 6, 9, 12])
def test_small_gaps_beside_large_ones_keep_their_shares(spread):
    small, large = 10.0**-spread, 10.0**spread
    x, y = [small, 2 * small, 3 * small, large, 2 * large, 5 * large], [2, 2, 2, 1, 1, 1]
    costs = gaps(x, y)
    expected = [float(sum(cost for pair, cost in costs.items() if i in pair)) / 2 for i in range(6)]
    np.testing.assert_allclose(cd.explain(x, y, "tau_gap").shares, expected, atol=1e-12)


def test_an_offset_does_not_matter():
    d, y = np.array([0, 1, 2, 3, 4, 5, 7]) / 64, [3, 0, 6, 1, 2, 5, 4.0]
    for name in ("pearson_r", "tau_gap"):
        one, other = cd.explain(d, y, name), cd.explain(1e12 + d, y, name)
        np.testing.assert_allclose(other.shares, one.shares, atol=1e-12)


def test_perfect_correlation_up_to_rounding_costs_nothing():
    x = np.random.default_rng(0).random(8)
    why = cd.explain(x, 3.7 * x + 0.1, "pearson_r")
    assert why.shares.max() <= 1e-15
    assert why.shares.min() >= 0
    assert "no pair of items costs anything" in repr(why)


def test_vectors_of_very_small_gaps_have_a_length():
    one, other = (cd.explain([4, 3, 2, 1, 0], [1, 3, 2, high, 0], "pearson_rank") for high in (1e100, 1e200))
    np.testing.assert_allclose(other.shares, one.shares, atol=1e-9)


def test_very_small_scores_have_gaps():
    one, other = (
        cd.explain(np.array([3, 1, 2, 2.5]) * factor, [1, 2, 2, 4], "tau_gap") for factor in (1, 1e-310)
    )
    np.testing.assert_allclose(other.shares, one.shares, atol=1e-6)  # these doubles have few digits


def test_which_of_many_equal_pairs_are_named_does_not_depend_on_the_order_of_items():
    x = np.arange(2000.0)[::-1]
    order = np.concatenate([np.arange(400, 1600), np.arange(400), np.arange(1600, 2000)])
    assert cd.explain(x[order], -x[order], "tau_a", most=1).pairs[0].truth_difference == 1999


def test_removals_keep_the_scale_of_all_grades():
    x, y = [3, 1, 0, 1, 0, 1, 0, 1], [3, 0, 1, 0, 0, 1, 1, 0]
    inferred, given = cd.explain(x, y, "tau_sc"), cd.explain(x, y, "tau_sc(max_grade=3)")
    assert inferred.removals == given.removals
