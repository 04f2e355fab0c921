"""Each formula as its paper writes it: slow, literal, in exact arithmetic.

Nothing here is shared with the fast code: pairs are compared one by one, sums are fractions or whole numbers,
and only the last step, a square root or the conversion to a float, rounds; where terms have denominators of
thousands of digits, the last step of each term. What several formulas ask of the same scores, the signs of
all pairs, is remembered.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import combinations

Scores = Sequence[float]


def sign(v: Scores, i: int, j: int, w: float) -> int:
    """Sign of v[i] - v[j]; 0 within the threshold, if there is one with a slack of a few roundings."""
    return _sign(v[i] - v[j], _reach(v, w))


def signs(v: Scores, w: float) -> list[list[int]]:
    """Signs of v[i] - v[j] for all i and all j."""
    return _signs(tuple(v), w)


@lru_cache(maxsize=64)
def _signs(v: tuple[float, ...], w: float) -> list[list[int]]:
    reach = _reach(v, w)
    return [[_sign(a - b, reach) for b in v] for a in v]


def _sign(difference: float, reach: float) -> int:
    if abs(difference) <= reach:
        return 0
    return 1 if difference > 0 else -1


def _reach(v: Scores, w: float) -> float:
    return w + 4 * sys.float_info.epsilon * max(map(abs, v), default=0.0) if w > 0 else 0.0


def _whole(v: Scores) -> list[int]:
    """Return the scores as whole numbers, all multiplied by one power of two."""
    exact = [Fraction(each) for each in v]
    scale = max((each.denominator for each in exact), default=1)
    return [int(each * scale) for each in exact]


def too_wide(v: Scores, w: float) -> bool:
    """Whether that slack exceeds a thousandth of the threshold."""
    return w > 0 and len(v) > 0 and 4 * sys.float_info.epsilon * max(map(abs, v)) > 1e-3 * w


def _walk(y: Scores) -> list[int]:
    """Items from the best y to the worst; equal y in input order."""
    return sorted(range(len(y)), key=lambda i: -y[i])


def counts(x: Scores, y: Scores, w_x: float = 0.0, w_y: float = 0.0) -> tuple[int, int, int, int, int]:
    """Pairs that are concordant, discordant, tied in x only, in y only, in both."""
    return _counts(tuple(x), tuple(y), w_x, w_y)


@lru_cache(maxsize=64)
def _counts(
    x: tuple[float, ...], y: tuple[float, ...], w_x: float, w_y: float
) -> tuple[int, int, int, int, int]:
    signs_x, signs_y = signs(x, w_x), signs(y, w_y)
    c = d = t_x = t_y = t_2 = 0
    for i, j in combinations(range(len(x)), 2):
        s_x, s_y = signs_x[i][j], signs_y[i][j]
        c += s_x * s_y == 1
        d += s_x * s_y == -1
        t_x += s_x == 0 != s_y
        t_y += s_x != 0 == s_y
        t_2 += s_x == 0 == s_y
    return c, d, t_x, t_y, t_2


def tau(x: Scores, y: Scores) -> float:
    """Radja eq. 2.2."""
    return tau_a(x, y)


def tau_a(x: Scores, y: Scores, w_x: float = 0.0, w_y: float = 0.0) -> float:
    """Radja eq. 2.3 and 6.1."""
    n = len(x)
    if n < 2:
        return math.nan
    c, d, *_ = counts(x, y, w_x, w_y)
    return float(Fraction(c - d, n * (n - 1) // 2))


def tau_b(x: Scores, y: Scores, w_x: float = 0.0, w_y: float = 0.0) -> float:
    """Radja eq. 2.4 and 6.3."""
    c, d, t_x, t_y, _ = counts(x, y, w_x, w_y)
    untied_x, untied_y = c + d + t_y, c + d + t_x
    if untied_x == 0 or untied_y == 0:
        return math.nan
    return (c - d) / math.sqrt(untied_x * untied_y)


def tau_e(x: Scores, y: Scores, w_x: float = 0.0, w_y: float = 0.0) -> float:
    """Radja eq. 5.1 and 6.6, with thresholded signs throughout."""
    n = len(x)
    if n < 2:
        return math.nan
    c, _, _, _, t_2 = counts(x, y, w_x, w_y)
    return float(2 * Fraction(c + t_2, n * (n - 1) // 2) - 1)


def tau_c(x: Scores, y: Scores) -> float:
    """Stuart (1953): 2 (C - D) / (n^2 (k - 1) / k), k the smaller number of distinct values."""
    c, d, *_ = counts(x, y)
    n, k = len(x), min(len(set(x)), len(set(y)))
    return float(2 * Fraction(c - d) / (n * n * Fraction(k - 1, k))) if k >= 2 else math.nan


def gamma(x: Scores, y: Scores, w_x: float = 0.0, w_y: float = 0.0) -> float:
    """Goodman and Kruskal (1954), section 6.3."""
    c, d, *_ = counts(x, y, w_x, w_y)
    return float(Fraction(c - d, c + d)) if c + d else math.nan


def somers_d(x: Scores, y: Scores, w_x: float = 0.0, w_y: float = 0.0, dependent: str = "y") -> float:
    """Somers (1962): (C - D) / (C + D + T), T the pairs tied in the dependent ranking only."""
    c, d, t_x, t_y, _ = counts(x, y, w_x, w_y)
    tied = {"y": Fraction(t_y), "x": Fraction(t_x), "both": Fraction(t_x + t_y, 2)}[dependent]
    return float((c - d) / (c + d + tied)) if c + d + tied else math.nan


def tau_ap(x: Scores, y: Scores) -> float:
    """Radja eq. 2.5: the share of concordant items above each item of y."""
    n = len(x)
    if n < 2:
        return math.nan
    order = _walk(y)
    total = Fraction(0)
    for position in range(2, n + 1):
        i = order[position - 1]
        concordant = sum(x[j] > x[i] for j in order[: position - 1])
        total += Fraction(concordant, position - 1)
    return float(Fraction(2, n - 1) * total - 1)


def tau_ap_a(x: Scores, y: Scores, w_x: float = 0.0, w_y: float = 0.0) -> float:
    """Radja eq. 4.4 and 6.2, with stepping: a group is the items of y tied with exactly the same items."""
    n = len(x)
    if n < 2:
        return math.nan
    order = _walk(y)
    s_x, s_y = signs(x, w_x), signs(y, w_y)
    tied_with = [frozenset(k for k in range(n) if s_y[i][k] == 0) for i in range(n)]
    total = Fraction(0)
    for i in range(n):
        group = [position for position, j in enumerate(order, start=1) if tied_with[j] == tied_with[i]]
        p, t = group[0], len(group)
        if p == 1:
            continue
        net = sum(s_x[i][j] * s_y[i][j] for j in order[: p - 1])
        total += net * Fraction(1, t) * _harmonic(p, t)
    return float(total / (n - 1))


@cache
def _harmonic(p: int, t: int) -> Fraction:
    return sum((Fraction(1, p + k - 2) for k in range(1, t + 1)), Fraction(0))


def tau_ap_a_two_term(x: Scores, y: Scores) -> float:
    """Radja eq. 2.8: concordant items above the group, and half of those within it."""
    n = len(x)
    if n < 2:
        return math.nan
    total = Fraction(0)
    for i in range(n):
        p, t = 1 + sum(b > y[i] for b in y), list(y).count(y[i])
        if p > 1:
            concordant = sum(y[j] > y[i] and x[j] > x[i] for j in range(n))
            total += concordant * Fraction(1, t) * _harmonic(p, t)
        total += Fraction(1, 2) * sum(Fraction(k, t * (p + k - 1)) for k in range(1, t))
    return float(Fraction(2, n - 1) * total - 1)


def spans(y: Scores, tied: Sequence[Sequence[bool]]) -> list[list[int]]:
    """Levels of equal y, best first, joined while all their items are tied with the same items."""
    sets = [frozenset(k for k, each in enumerate(row) if each or y[k] == y[i]) for i, row in enumerate(tied)]
    found: list[list[int]] = []
    for level in sorted(set(y), reverse=True):
        items = [i for i in range(len(y)) if y[i] == level]
        if found and len({sets[i] for i in (*found[-1], *items)}) == 1:
            found[-1] += items
        else:
            found.append(items)
    return found


def fuzzy(v: Scores, percent: float, of: str = "smaller") -> list[list[bool]]:
    """Buckley and Voorhees: scores tied within a share of the smaller, or the larger, one."""
    pick = {"smaller": min, "larger": max}[of]
    slack = 8 * sys.float_info.epsilon
    return [[abs(a - b) <= (percent / 100 + slack) * pick(abs(a), abs(b)) for b in v] for a in v]


def tau_ap_ties(x: Scores, y: Scores, w_x: float, w_y: float, tied_other: int) -> Fraction | None:
    """Radja eq. 4.8 and 6.5: the items of y above those tied with i; None if no item has any."""
    s_x, s_y = signs(x, w_x), signs(y, w_y)
    score = {1: 1, -1: -1, 0: tied_other}
    terms = []
    for i in range(len(x)):
        above = [j for j in range(len(x)) if s_y[j][i] == 1]
        if above:
            terms.append(Fraction(sum(score[s_x[j][i]] for j in above), len(above)))
    return sum(terms, Fraction(0)) / len(terms) if terms else None


def tau_ap_b(
    x: Scores,
    y: Scores,
    w_x: float = 0.0,
    w_y: float = 0.0,
    tied: str = "discordant",
    walks: str = "both",
) -> float:
    """Radja eq. 4.7 and 6.4; `tied` is the score of a pair tied in the other ranking, -1 or 0."""
    tied_other = {"discordant": -1, "neutral": 0}[tied]
    one = tau_ap_ties(x, y, w_x, w_y, tied_other)
    other = tau_ap_ties(y, x, w_y, w_x, tied_other)
    values = {"y": [one], "x": [other], "both": [one, other]}[walks]
    return math.nan if None in values else float(sum(values) / len(values))


def tau_ap_e(x: Scores, y: Scores, w_x: float = 0.0, w_y: float = 0.0) -> float:
    """Radja eq. 5.2 and 6.7, the mean over all orders of items with equal y.

    Given its slot s in its group of t, the s - 1 items of the group above an item are a random subset of the
    others.
    """
    n = len(x)
    if n < 2:
        return math.nan
    s_x, s_y = signs(x, w_x), signs(y, w_y)
    total = Fraction(0)
    for i in range(n):
        agree = [j for j in range(n) if j != i and s_x[i][j] == s_y[i][j]]
        q = sum(y[j] > y[i] for j in range(n))
        t = sum(y[j] == y[i] for j in range(n))
        a = sum(y[j] > y[i] for j in agree)
        g = sum(y[j] == y[i] for j in agree)
        for s in range(1, t + 1):
            if q + s > 1:
                within = Fraction(g * (s - 1), t - 1) if t > 1 else Fraction(0)
                total += Fraction(1, t) * (a + within) / (q + s - 1)
    return float(Fraction(2, n - 1) * total - 1)


# --- gaps, weights, moments ---


def tau_gap(x: Scores, y: Scores, tied_in_x: Sequence[Sequence[bool]] | None = None) -> float:
    """Gao and Oard 2015, eq. 3; items with equal y stand at each of their places, with expected gap sums.

    Pairs that are tied in x have no gap.
    """
    fx = _whole(x)
    no_gap = tied_in_x or [[False] * len(x)] * len(x)
    terms, weight = [], Fraction(0)
    for i in range(len(x)):
        gaps = [0 if no_gap[i][j] else fx[j] - fx[i] for j in range(len(x))]
        above = [gaps[j] for j in range(len(x)) if y[j] > y[i]]
        tied = [gaps[j] for j in range(len(x)) if y[j] == y[i] and j != i]
        t, whole = len(tied) + 1, max(len(tied), 1)
        signed_above, signed_tied = whole * sum(above), sum(tied)
        mass_above, mass_tied = whole * sum(map(abs, above)), sum(map(abs, tied))
        for k in range(t):  # of the tied items, the share k / (t - 1) stands above
            if mass := mass_above + k * mass_tied:
                terms.append(float(Fraction(signed_above + k * signed_tied, t * mass)))
                weight += Fraction(1, t)
    return math.fsum(terms) / float(weight) if weight else math.nan


def pearson_rank(x: Scores, y: Scores, scale: str = "minmax") -> float:
    """Gao, Bagdouri and Oard 2016, eq. 1, with x brought to [0, 1] or as given."""
    fx, fy = _whole(x), _whole(y)
    least = min(fx, default=0) if scale == "minmax" else 0
    total = weight = Fraction(0)
    for i in range(len(x)):
        above = [j for j in range(len(x)) if x[j] > x[i]]
        if above:
            xy = sum((fx[j] - fx[i]) * (fy[j] - fy[i]) for j in above)
            xx = sum((fx[j] - fx[i]) * (fx[j] - fx[i]) for j in above)
            yy = sum((fy[j] - fy[i]) * (fy[j] - fy[i]) for j in above)
            cosine = _signed_root(Fraction(xy * xy, xx * yy), xy) if yy else 0.0
            share = Fraction(fx[i] - least, max(fx) - least)
            total += share * Fraction(cosine)
            weight += share
    return float(total / weight) if weight else math.nan


def _signed_root(square: Fraction, sign_of: float) -> float:
    return -math.sqrt(square) if sign_of < 0 else math.sqrt(square)


def tau_h(x: Scores, y: Scores, rank: str = "both") -> float:
    """Vigna 2015: weights 1 / (1 + r_i) + 1 / (1 + r_j), the mean of ranks by x then y and by y then x."""
    n = len(x)
    s_x, s_y = signs(x, 0), signs(y, 0)
    one = math.lcm(*range(1, n + 1))  # in its parts, the weights are whole numbers
    values = []
    for first, second in {"both": ((x, y), (y, x)), "x": ((x, y),), "y": ((y, x),)}[rank]:
        order = sorted(range(n), key=lambda i: (first[i], second[i]), reverse=True)
        r = {item: rank for rank, item in enumerate(order)}
        net = untied_x = untied_y = 0
        for i, j in combinations(range(n), 2):
            w = one // (1 + r[i]) + one // (1 + r[j])
            net += w * s_x[i][j] * s_y[i][j]
            untied_x += w * abs(s_x[i][j])
            untied_y += w * abs(s_y[i][j])
        if not untied_x or not untied_y:
            return math.nan
        values.append(_signed_root(Fraction(net * net, untied_x * untied_y), net))
    return sum(values) / len(values)


def pearson_r(x: Scores, y: Scores) -> float:
    """Covariance over the root of the product of the variances."""
    n, fx, fy = len(x), _whole(x), _whole(y)
    if len(set(x)) < 2 or len(set(y)) < 2:
        return math.nan
    sum_x, sum_y = sum(fx), sum(fy)  # all deviations times n are whole numbers
    xy = sum((n * a - sum_x) * (n * b - sum_y) for a, b in zip(fx, fy, strict=True))
    xx = sum((n * a - sum_x) * (n * a - sum_x) for a in fx)
    yy = sum((n * b - sum_y) * (n * b - sum_y) for b in fy)
    return _signed_root(Fraction(xy * xy, xx * yy), xy)


def spearman_rho(x: Scores, y: Scores) -> float:
    """Pearson's r of the mid-ranks."""

    def midranks(v: Scores) -> list[float]:
        return [sum(b < a for b in v) + (sum(b == a for b in v) + 1) / 2 for a in v]

    return pearson_r(midranks(x), midranks(y))


# --- graded lists, graded items ---


def _pair_weight(weight: str, i: int, j: int) -> Fraction:
    """Weight of the pair of positions i < j, counted from 1."""
    return {"tau": Fraction(1), "ap": Fraction(1, j - 1), "h": Fraction(1, i) + Fraction(1, j)}[weight]


def _agreement(s_x: int, s_y: int, a: Fraction) -> Fraction:
    """Vezzuto eq. 6: 1 for equal signs, a if exactly one is zero, else -1."""
    return Fraction(1) if s_x == s_y else a if 0 in (s_x, s_y) else Fraction(-1)


def _closeness(x_i: int, x_j: int, y_i: int, y_j: int) -> Fraction:
    """Vezzuto eq. 5; 0 / 0 is 1."""
    total = x_i + x_j + y_i + y_j
    return 1 - Fraction(abs(x_i + x_j - y_i - y_j), total) if total else Fraction(1)


def c_sc(x: Sequence[int], y: Sequence[int], i: int, j: int, a: Fraction) -> Fraction:
    """Agreement by signs of the positions i < j, counted from 0."""
    return _agreement(sign(x, j, i, 0), sign(y, j, i, 0), a)


def c_ac(x: Sequence[int], y: Sequence[int], i: int, j: int, a: Fraction) -> Fraction:
    """Vezzuto eq. 4, signs taken as later less earlier position."""
    m_i, m_j = len(x) - 1 - i, len(x) - 1 - j
    if x[i] == y[i] == y[m_i] and x[j] == y[j] == y[m_j] and (x[m_i] != y[m_i] or x[m_j] != y[m_j]):
        return Fraction(0)
    differ = x[i] != y[i] or x[j] != y[j]
    reversed_y = x[i] == y[m_i] and x[j] == y[m_j]
    reversed_x = y[i] == x[m_i] and y[j] == x[m_j]
    if differ and (reversed_y or reversed_x):
        # position m_j comes before m_i
        return _agreement(sign(x, j, i, 0), sign(y, m_i, m_j, 0), a) * _closeness(x[i], x[j], y[m_i], y[m_j])
    return c_sc(x, y, i, j, a) * _closeness(x[i], x[j], y[i], y[j])


def graded_lists(kind: str, weight: str, x: Sequence[int], y: Sequence[int], a: float) -> float:
    """Return tau_sc and so on: the weighted mean agreement of all pairs of positions."""
    c = {"sc": c_sc, "ac": c_ac}[kind]
    total = mass = Fraction(0)
    for i, j in combinations(range(len(x)), 2):
        w = _pair_weight(weight, i + 1, j + 1)
        total += w * c(x, y, i, j, Fraction(a))
        mass += w
    return float(total / mass) if mass else math.nan


def graded_items(weight: str, x: Scores, y: Scores, grades: Sequence[int]) -> float:
    """Return tau_dw and so on, Vezzuto eq. 3: a pair of items weighs the distance of its grades."""
    n = len(x)
    p_x, p_y = ({item: k for k, item in enumerate(_walk(v), start=1)} for v in (x, y))
    total = mass = Fraction(0)
    for i, j in combinations(range(n), 2):
        top = max(grades[i], grades[j])
        d = Fraction(abs(grades[i] - grades[j]), top) if top else Fraction(0)
        in_x, in_y = sorted((p_x[i], p_x[j])), sorted((p_y[i], p_y[j]))
        w = _pair_weight(weight, *in_y)
        if weight == "h":
            w = (w + _pair_weight(weight, *in_x)) / 2
        total += w * d * sign(x, i, j, 0) * sign(y, i, j, 0)
        mass += w * d
    return float(total / mass) if mass else math.nan


tau_sc, tau_ap_sc, tau_h_sc = (partial(graded_lists, "sc", weight) for weight in ("tau", "ap", "h"))
tau_ac, tau_ap_ac, tau_h_ac = (partial(graded_lists, "ac", weight) for weight in ("tau", "ap", "h"))
tau_dw, tau_ap_dw, tau_h_dw = (partial(graded_items, weight) for weight in ("tau", "ap", "h"))
