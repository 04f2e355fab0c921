"""The formulas that the pages of the coefficients show, each written out literally, against the functions."""

from __future__ import annotations

import math
import re
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

import concordant as cd

EACH = list(cd.REGISTRY.values())


@pytest.mark.parametrize("c", EACH, ids=str)
def test_every_coefficient_declares_a_formula(c):
    """A formula between dollars begins with the symbol of the coefficient, and its braces are balanced."""
    formulas = re.findall(r"\$\$(.+?)\$\$", c.formula, re.DOTALL)
    assert formulas
    assert (
        formulas[0].replace("{", "").replace("}", "").startswith(c.symbol.replace("{", "").replace("}", ""))
    )
    for text in formulas:
        assert text.count("{") == text.count("}")
        assert text.count(r"\left(") == text.count(r"\right)")
        assert text.count(r"\begin") == text.count(r"\end")
    assert c.formula.count("$") % 2 == 0


def sign(a, b):
    return (a > b) - (a < b)


def pairs(n):
    return list(combinations(range(n), 2))


def by(scores):
    """Return the items, best first."""
    return sorted(range(len(scores)), key=lambda i: -scores[i])


def tau_a(x, y):
    c = sum(sign(x[i], x[j]) * sign(y[i], y[j]) > 0 for i, j in pairs(len(x)))
    d = sum(sign(x[i], x[j]) * sign(y[i], y[j]) < 0 for i, j in pairs(len(x)))
    return (c - d) / math.comb(len(x), 2)


def tau_b(x, y):
    u_x, u_y = (sum(s[i] != s[j] for i, j in pairs(len(x))) for s in (x, y))
    return tau_a(x, y) * math.comb(len(x), 2) / math.sqrt(u_x * u_y)


def tau_e(x, y):
    c = sum(sign(x[i], x[j]) * sign(y[i], y[j]) > 0 for i, j in pairs(len(x)))
    t = sum(x[i] == x[j] and y[i] == y[j] for i, j in pairs(len(x)))
    return 2 * (c + t) / math.comb(len(x), 2) - 1


def tau_ap(x, y):
    order, n = by(y), len(x)
    terms = [sum(x[order[j]] > x[order[i - 1]] for j in range(i - 1)) / (i - 1) for i in range(2, n + 1)]
    return 2 / (n - 1) * sum(terms) - 1


def tau_ap_a(x, y):
    n, total = len(x), 0.0
    p = [1 + sum(v > y[i] for v in y) for i in range(n)]
    t = [sum(v == y[i] for v in y) for i in range(n)]
    for i in range(n):
        if p[i] > 1:
            inner = sum(sign(x[i], x[j]) * sign(y[i], y[j]) for j in range(n) if p[j] < p[i])
            total += inner / t[i] * sum(1 / (p[i] + k - 2) for k in range(1, t[i] + 1))
    return total / (n - 1)


def tau_ap_b(x, y):
    def f(x, y):
        above = [[j for j in range(len(x)) if y[j] > y[i]] for i in range(len(x))]
        m = sum(bool(a) for a in above)
        return sum(sum(1 if x[j] > x[i] else -1 for j in a) / len(a) for i, a in enumerate(above) if a) / m

    return (f(x, y) + f(y, x)) / 2


def tau_ap_e(x, y):
    n = len(x)

    def of(order):
        total = 0.0
        for i in range(2, n + 1):
            one = order[i - 1]
            e = sum(sign(x[one], x[j]) == sign(y[one], y[j]) for j in order[: i - 1])
            total += e / (i - 1)
        return 2 / (n - 1) * total - 1

    falls = [o for o in permutations(range(n)) if all(y[a] >= y[b] for a, b in pairwise(o))]
    return sum(map(of, falls)) / len(falls)


def tau_h(x, y):
    def v(first, second):
        order = sorted(range(len(x)), key=lambda i: (-first[i], -second[i]))
        r = {item: k + 1 for k, item in enumerate(order)}
        w = {(i, j): 1 / r[i] + 1 / r[j] for i, j in pairs(len(x))}
        top = sum(w[i, j] * sign(x[i], x[j]) * sign(y[i], y[j]) for i, j in w)
        sums = [sum(w[i, j] * abs(sign(s[i], s[j])) for i, j in w) for s in (x, y)]
        return top / math.sqrt(sums[0] * sums[1])

    return (v(x, y) + v(y, x)) / 2


def tau_gap(x, y):
    terms = []
    for i in range(len(x)):
        gaps = [x[j] - x[i] for j in range(len(x)) if y[j] > y[i]]
        if any(gaps):
            terms.append(sum(gaps) / sum(map(abs, gaps)))
    return sum(terms) / len(terms)


def pearson_rank(x, y):
    top = bottom = 0.0
    for i in range(len(x)):
        above = [j for j in range(len(x)) if x[j] > x[i]]
        if above:
            squares = sum((x[j] - x[i]) ** 2 for j in above) * sum((y[j] - y[i]) ** 2 for j in above)
            product = sum((x[j] - x[i]) * (y[j] - y[i]) for j in above)
            weight = (x[i] - min(x)) / (max(x) - min(x))
            top += weight * (product / math.sqrt(squares) if squares else 0.0)
            bottom += weight
    return top / bottom


def pearson_r(x, y):
    a, b = (np.asarray(s) - np.mean(s) for s in (x, y))
    return (a @ b) / math.sqrt((a @ a) * (b @ b))


def spearman_rho(x, y):
    def ranks(s):
        return [sum(v > u for v in s) + (1 + sum(v == u for v in s)) / 2 for u in s]

    return pearson_r(ranks(x), ranks(y))


SCORES = {f.__name__: f for f in (tau_a, tau_b, tau_e, tau_ap_a, tau_ap_b, tau_ap_e, tau_h, pearson_rank)}
SCORES |= {"pearson_r": pearson_r, "spearman_rho": spearman_rho}
UNTIED = {"tau": tau_a, "tau_ap": tau_ap, "tau_gap": tau_gap}


@pytest.mark.parametrize("name", [*SCORES, *UNTIED])
def test_formulas_of_scores(name):
    """The formula of the page gives the value of the function, with ties where they are allowed."""
    rng = np.random.default_rng(5)
    for n in (3, 4, 5, 6, 6, 6):
        x, y = rng.integers(0, 4, n).tolist(), rng.integers(0, 4, n).tolist()
        if name in UNTIED:
            x, y = rng.random(n).tolist(), rng.random(n).tolist()
        if len(set(x)) < 3 or len(set(y)) < 2:
            continue
        formula = UNTIED.get(name) or SCORES[name]
        assert getattr(cd, name)(x, y) == pytest.approx(formula(x, y), abs=1e-12), (x, y)


def score(g, h, g_2, h_2, a):
    one, two = sign(h, g), sign(h_2, g_2)
    return 1 if one == two else a if 0 in (one, two) else -1


def level(g, h, g_2, h_2, a):
    four = g + h + g_2 + h_2
    return score(g, h, g_2, h_2, a) * (1 - (abs(g + h - g_2 - h_2) / four if four else 0))


def c_sc(x, y, i, j, a):
    return score(x[i], x[j], y[i], y[j], a)


def c_ac(x, y, i, j, a):
    k, m = len(x) - 1 - i, len(x) - 1 - j
    if x[i] == y[i] == y[k] and x[j] == y[j] == y[m] and (x[k], x[m]) != (y[k], y[m]):
        return 0
    reversed_ = (x[i], x[j]) == (y[k], y[m]) or (y[i], y[j]) == (x[k], x[m])
    if (x[i], x[j]) != (y[i], y[j]) and reversed_:
        return level(x[i], x[j], y[m], y[k], a)
    return level(x[i], x[j], y[i], y[j], a)


WEIGHTS = {"tau_": lambda i, j: 1, "tau_ap_": lambda i, j: 1 / (j - 1), "tau_h_": lambda i, j: 1 / i + 1 / j}


@pytest.mark.parametrize("start", WEIGHTS)
@pytest.mark.parametrize("kind", ["sc", "ac"])
def test_formulas_of_graded_lists(start, kind):
    """The formula of the page gives the value of the function, for a given a."""
    rng, scores = np.random.default_rng(6), {"sc": c_sc, "ac": c_ac}[kind]
    for _ in range(60):
        n = int(rng.integers(2, 7))
        x, y = rng.integers(0, 3, n).tolist(), rng.integers(0, 3, n).tolist()
        if rng.random() < 0.3:
            y = x[::-1]
        w = {(i, j): WEIGHTS[start](i + 1, j + 1) for i, j in pairs(n)}
        value = sum(w[i, j] * scores(x, y, i, j, -0.3) for i, j in w) / sum(w.values())
        assert getattr(cd, start + kind)(x, y, a=-0.3) == pytest.approx(value, abs=1e-12), (x, y)


def weight_dw(start, r_x, r_y, i, j):
    if start == "tau_h_":
        return (1 / r_x[i] + 1 / r_x[j] + 1 / r_y[i] + 1 / r_y[j]) / 2
    return 1 if start == "tau_" else 1 / (max(r_y[i], r_y[j]) - 1)


@pytest.mark.parametrize("start", WEIGHTS)
def test_formulas_of_graded_items(start):
    """The formula of the page gives the value of the function."""
    rng = np.random.default_rng(7)
    for _ in range(20):
        x, y, g = rng.random(6).tolist(), rng.random(6).tolist(), rng.integers(0, 3, 6).tolist()
        r_x, r_y = ([1 + sum(v > u for v in s) for u in s] for s in (x, y))
        top = bottom = 0.0
        for i, j in pairs(6):
            d = abs(g[i] - g[j]) / max(g[i], g[j]) if g[i] or g[j] else 0
            w = d * weight_dw(start, r_x, r_y, i, j)
            top += w * sign(x[i], x[j]) * sign(y[i], y[j])
            bottom += w
        if bottom:
            assert getattr(cd, start + "dw")(x, y, g) == pytest.approx(top / bottom, abs=1e-12)


LISTS = [
    ("a b c d", "b a e"),
    ("a b c", "d e"),
    ("(a b) c d", "b (a e) f g"),
    ("red (blue green) yellow pink", "(blue red) white (yellow black purple) green"),
    ("a", "(b c a) (d e)"),
]


def places(text):
    """Return the first and the last rank of each item."""
    found, start = {}, 1
    for group in re.findall(r"\(([^)]*)\)|(\w+)", text):
        names = (group[0] or group[1]).split()
        found |= {name: (start, start + len(names) - 1) for name in names}
        start += len(names)
    return found


@pytest.mark.parametrize(("x", "y"), LISTS)
def test_formula_of_overlap(x, y):
    """The formula of the page gives the value of rbo with ties="a"."""
    p, (short, long) = 0.8, sorted((places(x), places(y)), key=len)
    s, l = len(short), len(long)

    def part(place, d):
        t, b = place
        return 1 if d >= b else (d - t + 1) / (b - t + 1) if d >= t else 0

    def overlap(d):
        return sum(part(short[e], d) * part(long[e], d) for e in short if e in long)

    def agreement(d):
        if d <= s:
            return overlap(d) / d
        parts = [v for v in (part(long[e], d) for e in long if e not in short) if v]
        return (overlap(d) + (d - s) * agreement(s) * sum(parts) / len(parts)) / d

    tail = (overlap(l) + (l - s) * agreement(s)) / l * p ** (l + 1) / (1 - p)
    value = (1 - p) / p * (sum(agreement(d) * p**d for d in range(1, l + 1)) + tail)
    assert cd.rbo(x, y, p=p) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(("x", "y"), LISTS)
def test_formulas_of_other_lists(x, y):
    """The formulas of the pages give the values of rba, kendall_distance and footrule."""
    one, two, p = places(x), places(y), 0.8

    def weight(place):
        t, b = place
        return sum((1 - p) * p ** (k - 1) for k in range(t, b + 1)) / (b - t + 1)

    aligned = sum(math.sqrt(weight(one[e]) * weight(two[e])) for e in one if e in two)
    assert cd.rba(x, y, p=p) == pytest.approx(aligned, abs=1e-12)
    items, (l_x, l_y), q = sorted({*one, *two}), (len(one), len(two)), 0.25
    r_x, r_y = ({e: sum(own.get(e, (len(own) + 1, len(items)))) / 2 for e in items} for own in (one, two))
    signs = [(sign(r_x[a], r_x[b]), sign(r_y[a], r_y[b])) for a, b in combinations(items, 2)]
    distance = sum(a * b < 0 for a, b in signs) + q * sum((a == 0) != (b == 0) for a, b in signs)
    assert cd.kendall_distance(x, y, penalty=q) == pytest.approx(distance, abs=1e-12)
    scale = l_x * l_y + q * (math.comb(l_x, 2) + math.comb(l_y, 2))
    assert cd.kendall_distance(x, y, penalty=q, normalize=True) == pytest.approx(distance / scale, abs=1e-12)
    assert cd.footrule(x, y) == pytest.approx(sum(abs(r_x[e] - r_y[e]) for e in items), abs=1e-12)
