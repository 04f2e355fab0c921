"""Lists that need not hold the same items: depth by depth and pair by pair, as the papers write them.

A list is a sequence of groups of tied items, best first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

Groups = Sequence[Sequence[object]]


def ranks(groups: Groups) -> dict[object, tuple[int, int]]:
    """The top and the bottom rank of the group of each item."""
    found, start = {}, 1
    for group in groups:
        for item in group:
            found[item] = start, start + len(group) - 1
        start += len(group)
    return found


def contribution(ties: str, top: int, bottom: int, d: int) -> Fraction:
    """What an item contributes at depth d (Corsi and Urbano 2024)."""
    if d < top:
        return Fraction(0)
    if ties == "w" or d >= bottom:
        return Fraction(1)
    return Fraction(d - top + 1, bottom - top + 1)


def agreement(x: Groups, y: Groups, ties: str, d: int, beyond: str = "") -> float:
    """The agreement at depth d; `beyond` says what is assumed after the end of the shorter list."""
    r_x, r_y = ranks(x), ranks(y)
    if len(r_x) > len(r_y):
        r_x, r_y = r_y, r_x
    s = len(r_x)
    c_x = {e: contribution(ties, *r, d) for e, r in r_x.items()}
    c_y = {e: contribution(ties, *r, d) for e, r in r_y.items()}
    overlap = sum(c_x[e] * c_y[e] for e in c_x if e in c_y)
    if d > s:
        lacking = [c_y[e] for e in sorted(c_y, key=lambda e: r_y[e]) if e not in c_x]
        if beyond == "max":
            overlap += sum(lacking[: d - s])
        elif beyond == "ext" and s > 0:
            active = [c for c in lacking if c > 0]
            mean = sum(active) / len(active)
            overlap += Fraction(d - s) * mean * Fraction(agreement(x, y, ties, s))
    sum_x, sum_y = (sum(c_x.values()) if d <= s else Fraction(d)), sum(c_y.values())
    if ties == "a":
        return float(overlap / d)
    if ties == "w":
        return float(2 * overlap / (sum_x + sum_y))
    squares_x = sum(c * c for c in c_x.values()) if d <= s else d
    return float(overlap) / (math.sqrt(squares_x) * math.sqrt(sum(c * c for c in c_y.values())))


def rbo(x: Groups, y: Groups, p: float = 0.9, ties: str = "a") -> tuple[float, float, float]:
    """Extrapolated, least and largest value (Webber et al. 2010, eq. 32, 11 and 23)."""
    r_x, r_y = ranks(x), ranks(y)
    s, l = sorted((len(r_x), len(r_y)))
    if l == 0:
        return math.nan, math.nan, math.nan
    common = len(set(r_x) & set(r_y))
    sums = {
        beyond: math.fsum(agreement(x, y, ties, d, beyond) * p**d for d in range(1, l + 1))
        for beyond in ("ext", "min", "max")
    }
    at_s = agreement(x, y, ties, s) if s else 0.0
    sums["ext"] += (common + (l - s) * at_s) / l * p ** (l + 1) / (1 - p)
    sums["min"] += common * (math.log(1 / (1 - p)) - math.fsum(p**d / d for d in range(1, l + 1)))
    f = l + s - common
    sums["max"] += math.fsum((2 * d - l - s + common) / d * p**d for d in range(l + 1, f + 1))
    sums["max"] += p ** (f + 1) / (1 - p)
    ext, least, most = ((1 - p) / p * sums[beyond] for beyond in ("ext", "min", "max"))
    return ext, least, most


def rba(x: Groups, y: Groups, p: float = 0.9) -> float:
    """Moffat et al. (2024): the sum of sqrt(w_1 w_2), w averaged over a tie group."""
    r_x, r_y = ranks(x), ranks(y)
    if not r_x and not r_y:
        return math.nan

    def weight(top: int, bottom: int) -> float:
        return math.fsum((1 - p) * p ** (r - 1) for r in range(top, bottom + 1)) / (bottom - top + 1)

    return math.fsum(math.sqrt(weight(*r_x[e]) * weight(*r_y[e])) for e in r_x if e in r_y)


def _filled(groups: Groups, items: set[object]) -> list[list[object]]:
    """The list with the items that it lacks, tied below all others."""
    lacking = [e for e in items if all(e not in group for group in groups)]
    return [*map(list, groups), lacking] if lacking else [*map(list, groups)]


def kendall_distance(x: Groups, y: Groups, penalty: float = 0.5) -> float:
    """Fagin et al. (2006), section 3: pairs in opposite order, a penalty for those tied in one only."""
    items = {e for groups in (x, y) for group in groups for e in group}
    r_x, r_y = ranks(_filled(x, items)), ranks(_filled(y, items))
    total = 0.0
    for i, j in combinations(items, 2):
        s_x = (r_x[i] > r_x[j]) - (r_x[i] < r_x[j])
        s_y = (r_y[i] > r_y[j]) - (r_y[i] < r_y[j])
        total += 1 if s_x * s_y < 0 else penalty if (s_x == 0) != (s_y == 0) else 0
    return total


def footrule(x: Groups, y: Groups) -> float:
    """Fagin et al. (2006), section 3: the sum of the differences of mid-ranks."""
    items = {e for groups in (x, y) for group in groups for e in group}
    r_x, r_y = ranks(_filled(x, items)), ranks(_filled(y, items))
    return float(sum(abs(Fraction(sum(r_x[e]) - sum(r_y[e]), 2)) for e in items))


def broken(groups: Groups) -> list[list[list[object]]]:
    """All ways of breaking the ties."""
    ways = product(*(permutations(group) for group in groups))
    return [[[e] for group in way for e in group] for way in ways]


def filled_to(depth: int, x: Groups, y: Groups, best: bool) -> tuple[list[object], list[object]]:
    """Both lists filled out in the best or the worst way, as lists of groups."""
    r_x, r_y = ranks(x), ranks(y)
    only_x, only_y = [e for e in r_x if e not in r_y], [e for e in r_y if e not in r_x]
    new = [f"new {k}" for k in range(depth)]
    if not best:
        return (
            [*x, *([f"x {e}"] for e in new[: depth - len(r_x)])],
            [*y, *([f"y {e}"] for e in new[: depth - len(r_y)])],
        )
    x_full, y_full = [*x, *([e] for e in only_y)], [*y, *([e] for e in only_x)]
    n = len(r_x) + len(only_y)
    rest = [[e] for e in new[: depth - n]]
    return [*x_full, *rest], [*y_full, *rest]
