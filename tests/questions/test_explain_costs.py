"""What pairs and items cost, against brute force that shares nothing with the package."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from reference import _pair_weight, c_ac, c_sc, graded_items, sign
from support import examples, quiet

import concordant as cd
from concordant.coefficients.unbiased import default_a

SCORES, LISTS, ITEMS = (
    [c.name for c in cd.REGISTRY.values() if c.inputs == inputs]
    for inputs in ("scores", "graded_lists", "graded_items")
)
THRESHOLDS = [name for name in SCORES if cd.REGISTRY[name].thresholds]
UNTIED = ("tau", "tau_ap")
WEIGHTS = {"tau": "tau", "tau_ap": "ap", "tau_h": "h"}


def shares(why):
    """Return the costs of the items in their order; those of positions are in the order of the lists."""
    by = {each.item: each.cost for each in why.items}
    return np.array([by[item] for item in sorted(by)])


# Literal costs of pairs, none of which shares anything with the package.


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
        frozenset((i, j)): Fraction(cost(sign(x, i, j, w_x), sign(y, i, j, w_y)), n * (n - 1) // 2)
        for i, j in itertools.combinations(range(n), 2)
    }


def weighted_tau_b(x, y, weight, w_x=0.0, w_y=0.0):
    pairs = list(itertools.combinations(range(len(x)), 2))
    signs = {(i, j): (sign(x, i, j, w_x), sign(y, i, j, w_y)) for i, j in pairs}
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
    above = [[j for j in range(n) if sign(y, j, i, w_y) == 1] for i in range(n)]
    pivots = [i for i in range(n) if above[i]]
    for i in pivots:
        for j in above[i]:
            score = {1: 1, -1: -1, 0: tied}[sign(x, j, i, w_x)]
            add(found, i, j, Fraction(1 - score, 2 * len(pivots) * len(above[i])))


def gaps(x, y, w_x=0):
    x = [Fraction(v) for v in x]
    gap = [[b - a if abs(b - a) > w_x else Fraction(0) for b in x] for a in x]
    n, found, weight = len(x), {}, Fraction(0)
    for i in range(n):
        above = [j for j in range(n) if y[j] > y[i]]
        level = [j for j in range(n) if y[j] == y[i] and j != i]
        t = len(level) + 1
        for k in range(t):
            share = Fraction(k, t - 1) if t > 1 else Fraction(0)
            mass = sum(abs(gap[i][j]) for j in above) + share * sum(abs(gap[i][j]) for j in level)
            if mass:
                weight += Fraction(1, t)
                for j in above + level:
                    part = share if j in level else 1
                    add(found, i, j, part * (abs(gap[i][j]) - gap[i][j]) / mass / t)
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


def of_counts(name, x, y, w_x, w_y):
    """gamma, Somers' D and tau_c: one weight for all pairs, and what a tied pair costs."""
    pairs = list(itertools.combinations(range(len(x)), 2))
    signs = {p: (sign(x, *p, w_x), sign(y, *p, w_y)) for p in pairs}
    both = sum(s_x != 0 != s_y for s_x, s_y in signs.values())
    only_y = sum(s_x != 0 == s_y for s_x, s_y in signs.values())
    n, k = len(x), min(len(set(x)), len(set(y)))
    total = {"gamma": both, "somers_d": both + only_y, "tau_c": n * n * Fraction(k - 1, 2 * k)}[name]
    rest = (total - both) / (len(pairs) - both) if name == "tau_c" and len(pairs) > both else 0
    tied = {"gamma": (0, 0, 0), "somers_d": (0, 1, 0), "tau_c": (rest, rest, rest)}[name]
    kind = {(True, False): 0, (False, True): 1, (True, True): 2}  # tied in x only, in y only, in both
    return {
        frozenset(p): Fraction(1 - s_x * s_y if s_x and s_y else tied[kind[s_x == 0, s_y == 0]]) / total
        for p, (s_x, s_y) in signs.items()
    }


def midranks(v):
    return [sum(b < a for b in v) + (sum(b == a for b in v) + 1) / 2 for a in v]


def literal(name, x, y, w_x, w_y):
    """The cost of every pair of items."""

    def s(i, j):
        return sign(x, i, j, w_x), sign(y, i, j, w_y)

    def undecided(i, j):
        s_x, s_y = s(i, j)
        return 1 - s_x * s_y

    def equality(i, j):
        s_x, s_y = s(i, j)
        return 0 if s_x == s_y else 2

    if name in ("tau", "tau_a"):
        return kendall(x, y, w_x, w_y, lambda s_x, s_y: 1 - s_x * s_y)
    if name == "tau_e":
        return kendall(x, y, w_x, w_y, lambda s_x, s_y: 0 if s_x == s_y else 2)
    if name == "tau_b":
        return weighted_tau_b(x, y, lambda _i, _j: 1, w_x, w_y)
    if name in ("tau_ap", "tau_ap_a"):
        tied = [frozenset(k for k in range(len(y)) if sign(y, k, i, w_y) == 0) for i in range(len(y))]
        return ap_by_orders(x, y, groups_by(y, lambda i: tied[i]), undecided)
    if name == "tau_ap_e":
        return ap_by_orders(x, y, groups_by(y, lambda i: y[i]), equality)
    if name == "tau_ap_b":
        found = {}
        ap_ties(x, y, w_x, w_y, -1, found)
        ap_ties(y, x, w_y, w_x, -1, found)
        return found
    if name == "tau_gap":
        return gaps(x, y, w_x)
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
    if name in ("tau_c", "gamma", "somers_d"):
        return of_counts(name, x, y, w_x, w_y)
    if name == "pearson_rank":
        return cosines(x, y)
    if name == "pearson_r":
        return moments(x, y)
    assert name == "spearman_rho"
    return moments(midranks(x), midranks(y))


@st.composite
def cases(draw):
    n = draw(st.integers(2, 6))
    name = draw(st.sampled_from(SCORES))
    scores = st.integers(0, 1000 if name in UNTIED else 4).map(float)
    unique = name in UNTIED
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
@examples(600)
@quiet
def test_shares_and_pairs_are_those_of_brute_force(case):
    """All coefficients of scores, with ties and thresholds: each pair, its order, the share of each item."""
    name, x, y, w_x, w_y = case
    why = cd.explain(x, y, coefficient(name, w_x, w_y), most=15)
    if math.isnan(why.value):
        assert why.items == ()
        return
    costs = literal(name, x, y, w_x, w_y)
    expected = [float(sum(cost for pair, cost in costs.items() if i in pair)) / 2 for i in range(len(x))]
    np.testing.assert_allclose(shares(why), expected, atol=1e-13)
    assert math.fsum(shares(why)) == 1 - why.value
    costly = sorted((float(cost) for cost in costs.values() if cost > 1e-15), reverse=True)
    assert why.explained[0].costly_pairs == len(costly)
    assert [pair.cost for pair in why.pairs] == pytest.approx(costly, abs=1e-11)
    for pair in why.pairs:
        assert pair.cost == pytest.approx(float(costs[frozenset((pair.better, pair.worse))]), abs=1e-11)
        assert pair.reference_difference == x[pair.better] - x[pair.worse] >= 0
        assert pair.estimate_difference == y[pair.better] - y[pair.worse]


OPTIONS = [
    "tau_ap_a(1)",
    "tau_e(2, 1)",
    "tau_ap_b(0.5, 1, tied=neutral)",
    "tau_ap_a(1, 2, symmetric=True)",
    "tau_ap_e(2, 0.5, symmetric=True)",
    "tau_gap(symmetric=True)",
    "pearson_rank(symmetric=True)",
    "tau_gap(1)",
    "tau_gap(10%, 1, symmetric)",
    "tau_b(10%)",
    "tau_ap_a(20% of larger)",
    "tau_ap_b(1, walks=y)",
    "tau_ap_b(1, tied=neutral, walks=x)",
    "tau_h(rank=x)",
    "somers_d(1, dependent=x)",
    "somers_d(dependent=both)",
    "pearson_rank(scale=none)",
    "pearson_rank(scale=none, symmetric)",
    "tau_ap_a(form=two_term)",
    "tau_ap_a(form=two_term, symmetric)",
    "tau_b(1)@20",
    "tau_ap_b@20",
]


@pytest.mark.parametrize("name", [*(name for name in SCORES if name not in UNTIED), *OPTIONS])
def test_the_fast_sums_are_those_over_all_pairs(name):
    """The costs of pairs, which brute force confirms for few items, added up one by one."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 40, 120) / 2.0
    y = x + rng.integers(0, 30, 120) / 2.0
    why = cd.explain(x, y, name, most=10**6)
    sums = np.zeros(120)
    for pair in why.pairs:
        sums[[pair.better, pair.worse]] += pair.cost / 2
    np.testing.assert_allclose(shares(why), sums, atol=1e-9)
    assert math.fsum(shares(why)) == 1 - why.value
    assert why.value == cd.coefficient(name)(x, y)
    assert (shares(why) >= 0).all()


def test_every_coefficient_of_the_package_declares_its_costs():
    """So that each can be explained."""
    assert all(c.costs is not None for c in cd.REGISTRY.values() if c.inputs != "lists")


@pytest.mark.parametrize("a", [None, 0.25])
@pytest.mark.parametrize("name", LISTS)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=7))
@examples(40)
def test_lists_of_grades_are_explained_by_positions(name, a, pairs_of_grades):
    """The weight of a pair of positions times what its agreement lacks of 1."""
    x, y = map(list, zip(*pairs_of_grades, strict=True))
    kind, weight = name[-2:], WEIGHTS[name[:-3]]
    why = cd.explain(x, y, name if a is None else f"{name}(a={a})", most=30)
    score = Fraction(default_a(kind, max(*x, *y) + 1, len(x), weight) if a is None else a)
    c, n = {"sc": c_sc, "ac": c_ac}[kind], len(x)
    weights = {(i, j): _pair_weight(weight, i + 1, j + 1) for i, j in itertools.combinations(range(n), 2)}
    costs = {p: w * (1 - c(x, y, *p, score)) / sum(weights.values()) for p, w in weights.items()}
    expected = [float(sum(cost for p, cost in costs.items() if i in p)) / 2 for i in range(n)]
    np.testing.assert_allclose(shares(why), expected, atol=1e-13)
    assert math.fsum(shares(why)) == 1 - why.value
    costly = sorted((float(v) for v in costs.values() if v > 1e-15), reverse=True)
    assert [p.cost for p in why.pairs] == pytest.approx(costly)
    assert {each.item for each in why.items} == {f"position {k}" for k in range(1, n + 1)}


@pytest.mark.parametrize("name", ITEMS)
@given(st.data())
@examples(40)
@quiet
def test_graded_items_are_explained(name, data):
    """A pair that both rankings order oppositely costs twice its weight times the distance of its grades."""
    n = data.draw(st.integers(2, 7))
    x, y = (data.draw(st.permutations(range(n))) for _ in range(2))
    grades = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    weight = WEIGHTS[name[:-3]]
    why = cd.explain(x, y, name, grades=grades, most=30)
    assert why.value == pytest.approx(graded_items(weight, x, y, grades), nan_ok=True)
    if math.isnan(why.value):
        return
    place_x, place_y = ([sum(b > a for b in v) + 1 for a in v] for v in (x, y))
    weights, opposed = {}, {}
    for i, j in itertools.combinations(range(n), 2):
        top = max(grades[i], grades[j])
        by_y, by_x = (_pair_weight(weight, *sorted((p[i], p[j]))) for p in (place_y, place_x))
        each = (by_x + by_y) / 2 if weight == "h" else by_y
        weights[i, j] = each * (Fraction(abs(grades[i] - grades[j]), top) if top else 0)
        opposed[i, j] = (x[i] - x[j]) * (y[i] - y[j]) < 0
    costs = {p: 2 * w / sum(weights.values()) if opposed[p] else 0 for p, w in weights.items()}
    expected = [float(sum(cost for p, cost in costs.items() if i in p)) / 2 for i in range(n)]
    np.testing.assert_allclose(shares(why), expected, atol=1e-13)


@pytest.mark.parametrize("spread", [3, 6, 9, 12])
def test_small_gaps_beside_large_ones_keep_their_shares(spread):
    """Gaps of 10^-12 beside gaps of 10^12."""
    small, large = 10.0**-spread, 10.0**spread
    x, y = [small, 2 * small, 3 * small, large, 2 * large, 5 * large], [2, 2, 2, 1, 1, 1]
    costs = gaps(x, y)
    expected = [float(sum(cost for pair, cost in costs.items() if i in pair)) / 2 for i in range(6)]
    np.testing.assert_allclose(shares(cd.explain(x, y, "tau_gap")), expected, atol=1e-12)
