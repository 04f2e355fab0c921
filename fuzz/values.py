"""Values of random input against the literal formulas and SciPy; run under sanitizers by `make fuzz`.

The input is random in every way that the library promises to take: type of the numbers, stride, alignment,
byte order, size, ties, magnitude, extreme ranges, thresholds, groups, relations, graded lists.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from clock import run
from scipy import stats

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import reference
from reference import lists as of_lists

import concordant as cd

WITH_THRESHOLD = ("tau_a", "tau_b", "tau_e", "tau_ap_a", "tau_ap_b", "tau_ap_e")
WITHOUT = ("tau_gap", "pearson_rank", "tau_h", "pearson_r", "spearman_rho")
SIZES = (*range(12), 15, 16, 17, 31, 33)
BOUNDARIES = (63, 64, 65, 128, 150, 151, 152, 153, 255, 256, 257, 258, 1023, 4095, 4096, 4097, 5000)


def extreme(rng: np.random.Generator, n: int) -> np.ndarray:
    """Scores that span up to 600 orders of magnitude, from subnormal numbers to the largest."""
    kind = rng.integers(4)
    if kind == 0:
        values = np.ldexp(rng.uniform(0.5, 1, n), rng.integers(-1080, 1025, n))
    elif kind == 1:
        values = rng.choice([5e-324, 1e-310, 2.3e-308, 1e-300, 1e-160, 1.0, 1e150, 1e300, 1.7e308], n)
    elif kind == 2:
        values = rng.choice([1.7e308, 1.0, 5e-324, 0.0], n) * (1 + rng.integers(0, 4, n) * 2.0**-52)
    else:
        values = np.where(rng.random(n) < 0.1, -(10.0 ** rng.integers(3, 309)), rng.random(n))  # "missing"
    values = values * rng.choice([-1, 1], n) if rng.random() < 0.5 else values
    return np.where(np.isfinite(values), values, 1.7e308)


def scores(rng: np.random.Generator, n: int) -> np.ndarray:
    """Scores with any number of ties and any magnitude."""
    kind = rng.integers(9)
    if kind == 8:
        return extreme(rng, n)
    if kind == 0:
        values = rng.permutation(n).astype(float)
    elif kind == 1:
        values = rng.integers(0, max(2 * n, 1), n) / 10
    elif kind == 2:
        values = rng.integers(0, 4, n) / 10
    elif kind == 3:
        values = rng.normal(size=n)
    elif kind == 4:
        values = 10.0 ** rng.integers(-12, 13, n) * rng.choice([-1, 1], n)
    elif kind == 5:
        values = 1e6 + rng.integers(0, 3 * n + 1, n) / 2**12
    elif kind == 6:
        values = rng.choice([-1.0, 1.0], n) + rng.integers(-6, 7, n) * 2.0**-52
    else:
        values = np.full(n, rng.normal())
    if rng.random() < 0.2:
        values = np.ldexp(values, int(rng.choice([-1070, -1040, -600, 300, 900])))
    if rng.random() < 0.2:
        values = np.where(rng.random(n) < 0.2, 0.0 * rng.choice([-1.0, 1.0], n), values)
    return np.asarray(values, dtype=float)


def disguised(rng: np.random.Generator, values: np.ndarray) -> tuple[Any, np.ndarray]:
    """The same scores in another type, layout or container, and the doubles that they stand for."""
    kind = rng.integers(12)
    if kind == 0:
        return values, values
    if kind == 1:
        return values.tolist(), values
    if kind == 2:
        return np.repeat(values, 3)[::3], values
    if kind == 3:
        return values[::-1].copy()[::-1], values
    if kind == 4:
        return values.astype(values.dtype.newbyteorder()), values
    if kind == 5:
        raw = np.zeros(values.nbytes + 8, dtype=np.uint8)
        start = int(rng.integers(1, 8))
        raw[start : start + values.nbytes] = np.frombuffer(values.tobytes(), dtype=np.uint8)
        return raw[start : start + values.nbytes].view(np.float64), values
    if kind == 6:
        with np.errstate(over="ignore"):
            single = values.astype(np.float32)
        single = np.where(np.isfinite(single), single, 0).astype(np.float32)
        return single, single.astype(float)
    if kind == 7:
        small = (np.argsort(np.argsort(values)) % 100).astype(
            rng.choice([np.int8, np.int16, np.int32, np.uint64])
        )
        return small, small.astype(float)
    if kind == 8:
        frozen = values.copy()
        frozen.flags.writeable = False
        return frozen, values
    if kind == 9:
        return np.asfortranarray(np.stack([values, values]))[1], values
    if kind == 10:
        half = np.clip(values, -6e4, 6e4).astype(np.float16)
        return half, half.astype(float)
    return tuple(values.tolist()), values


def value_of(name: str, x: Any, y: Any, refused: bool, **options: Any) -> Any:
    """Return a value, or None where scores are refused, which must be where they are too extreme."""
    try:
        value = getattr(cd, name)(x, y, **options)
    except cd.ArgumentError:
        if refused:
            return None
        raise
    assert not refused, f"{name} did not refuse {x!r}, {y!r}, {options}"
    return value


def widened(x: np.ndarray, y: np.ndarray, w: tuple[float, float]) -> bool:
    """Whether a threshold is refused, because the rounding of a score is too large for it."""
    return len(x) > 1 and any(reference.too_wide(v.tolist(), each) for v, each in zip((x, y), w, strict=True))


def spans(values: np.ndarray) -> bool:
    """Whether scores span more than sums of gaps can hold."""
    sizes = np.abs(values[values != 0])
    return len(values) > 1 and bool(len(sizes)) and sizes.max() > 2.0**860 and sizes.min() < 2.0**-860


def gaps_lost(name: str, x: np.ndarray, y: np.ndarray) -> bool:
    return (name in ("tau_gap", "pearson_rank") and spans(x)) or (name == "pearson_rank" and spans(y))


def same(found: Any, expected: float, tolerance: float, what: object) -> None:
    value = float(found)
    fine = (math.isnan(value) and math.isnan(expected)) or abs(value - expected) <= tolerance
    assert fine, f"{what}: {value!r}, expected {expected!r}"
    assert not abs(value) > 1, f"{what}: {value!r} is out of bounds"


def threshold(rng: np.random.Generator, values: np.ndarray) -> float:
    """Often at the very edge of a difference."""
    if len(values) < 2 or rng.random() < 0.3:
        return float(rng.choice([0.0, 0.1, 1e-300, 1e300, math.inf]))
    i, j = rng.choice(len(values), 2, replace=False)
    with np.errstate(over="ignore"):
        gap = abs(float(values[i]) - float(values[j]))
    steps = int(rng.integers(-4, 5))
    return max(0.0, gap + steps * float(np.spacing(np.abs(values).max())) if math.isfinite(gap) else 1.0)


def one_pair(rng: np.random.Generator) -> None:
    n = int(rng.choice(SIZES))
    x, exact_x = disguised(rng, scores(rng, n))
    y, exact_y = disguised(rng, scores(rng, n))
    list_x, list_y = exact_x.tolist(), exact_y.tolist()
    w = threshold(rng, exact_x), threshold(rng, exact_y)
    wide = widened(exact_x, exact_y, w)
    for name in WITH_THRESHOLD:
        found = value_of(name, x, y, wide, threshold=w)
        if found is not None:
            same(found, getattr(reference, name)(list_x, list_y, *w), 1e-12, (name, w))
    counted = value_of("counts", x, y, wide, threshold=w)
    if counted is not None:
        numbers = tuple(getattr(counted, name) for name in counted.value_names())
        assert numbers == reference.counts(list_x, list_y, *w)
    for name in WITHOUT:
        found = value_of(name, x, y, gaps_lost(name, exact_x, exact_y))
        if found is not None:
            same(found, getattr(reference, name)(list_x, list_y), 1e-9, name)
    if n and len(set(list_x)) == n == len(set(list_y)):
        for name in ("tau", "tau_ap"):
            same(getattr(cd, name)(x, y), getattr(reference, name)(list_x, list_y), 1e-12, name)


def beside_scipy(rng: np.random.Generator) -> None:
    """Sizes at which the core changes its way; SciPy needs differences that do not overflow."""
    n = int(rng.choice(BOUNDARIES))
    x, y = (rng.integers(0, int(rng.choice([3, 50, 10 * n])), n) / 8 for _ in range(2))
    x, y = x + rng.choice([0.0, 1e5]), y * rng.choice([1.0, -1.0])
    if len(set(x.tolist())) < 2 or len(set(y.tolist())) < 2:
        return
    same(cd.tau_b(x, y), float(stats.kendalltau(x, y).statistic), 1e-12, "kendalltau")
    same(cd.tau_h(x, y), float(stats.weightedtau(x, y).statistic), 1e-9, "weightedtau")
    same(cd.spearman_rho(x, y), float(stats.spearmanr(x, y).statistic), 1e-9, "spearmanr")
    same(cd.pearson_r(x, y), float(stats.pearsonr(x, y).statistic), 1e-9, "pearsonr")
    order = rng.permutation(n)
    for name in (*WITH_THRESHOLD, *WITHOUT):
        f = getattr(cd, name)
        first, again = float(f(x, y)), float(f(x[order], y[order]))
        assert first == again or math.isnan(first), f"{name} depends on the order of the items"


def batches(rng: np.random.Generator) -> None:
    """Rows, groups, all pairs, threads: the same bits as single calls."""
    n, rows = int(rng.choice(SIZES)), int(rng.integers(1, 6))
    x = np.stack([scores(rng, n) for _ in range(rows)])
    y = np.stack([scores(rng, n) for _ in range(rows)])
    name = str(rng.choice([*WITH_THRESHOLD, *WITHOUT]))
    f, workers = getattr(cd, name), int(rng.integers(1, 4))
    if any(gaps_lost(name, a, b) for a in (*x, *y) for b in (*x, *y)):
        return
    single = [float(f(a, b)) for a, b in zip(x, y, strict=True)]

    def equal(found: Any, what: str) -> None:
        assert np.array_equal(np.asarray(found, dtype=float).ravel(), single, equal_nan=True), (name, what)

    equal(f(x, y, workers=workers), "rows")
    equal(f(np.asfortranarray(x.T), y.T, axis=0, workers=workers), "columns")
    if n:
        groups = np.repeat(np.arange(rows), n)
        order = rng.permutation(rows * n)
        values, labels = cd.grouped(
            x.ravel()[order], y.ravel()[order], groups[order], name, workers=workers, return_labels=True
        )
        by_group = dict(zip(labels, values.tolist(), strict=True))
        equal([by_group[group] for group in range(rows)], "groups")
        table = np.asarray(cd.matrix(x, name, workers=workers))
        for i in range(rows):
            for j in range(rows):
                same(table[i, j], float(f(x[i], x[j])), 0.0, (name, "matrix"))


def relations(rng: np.random.Generator) -> None:
    """A relation made by a threshold means what the threshold means."""
    n = int(rng.integers(2, 12))
    x, y = scores(rng, n), scores(rng, n)
    w_x, w_y = threshold(rng, x), threshold(rng, y)
    if widened(x, y, (w_x, w_y)):
        return
    ties = tuple(
        cd.TieRelation(
            np.array([[reference.sign(v.tolist(), i, j, w) == 0 for j in range(n)] for i in range(n)])
        )
        for v, w in ((x, w_x), (y, w_y))
    )
    for name in ("tau_a", "tau_b", "tau_e", "tau_ap_b"):
        expected = float(getattr(cd, name)(x, y, threshold=(w_x, w_y)))
        same(getattr(cd, name)(x, y, threshold=ties), expected, 1e-12, (name, "relation"))


def graded(rng: np.random.Generator) -> None:
    n, top = int(rng.integers(0, 20)), int(rng.integers(1, 6))
    x = rng.integers(0, top + 1, n)
    y = {0: rng.integers(0, top + 1, n), 1: x.copy(), 2: x[::-1], 3: rng.permutation(x)}[int(rng.integers(4))]
    a = float(rng.choice([-1.0, -0.3, 0.0, 0.5]))
    kind = rng.choice([np.int64, np.uint8, np.float32])
    for name in ("tau_sc", "tau_ap_sc", "tau_h_sc", "tau_ac", "tau_ap_ac", "tau_h_ac"):
        expected = getattr(reference, name)(x.tolist(), y.tolist(), a)
        same(getattr(cd, name)(x.astype(kind), y.astype(kind), a=a), expected, 1e-12, (name, a))
    u, v = rng.permutation(n).astype(float), rng.permutation(n) / 7
    for name in ("tau_dw", "tau_ap_dw", "tau_h_dw"):
        expected = getattr(reference, name)(u.tolist(), v.tolist(), x.tolist())
        same(getattr(cd, name)(u, v, x.astype(kind)), expected, 1e-12, name)


def explained(rng: np.random.Generator) -> None:
    """The costs of the items sum to what the value lacks of 1."""
    n = int(rng.integers(3, 30))
    x, y = rng.integers(0, 2 * n, n) / 4, rng.integers(0, 2 * n, n) / 4
    if rng.random() < 0.3:
        x, y = extreme(rng, n), extreme(rng, n)
    name = str(rng.choice([*WITH_THRESHOLD, *WITHOUT]))
    if gaps_lost(name, x, y):
        return
    value = float(getattr(cd, name)(x, y))
    if math.isfinite(value):
        found = cd.explain(x, y, name)
        assert abs(found.explained[0].value - value) < 1e-12
        if found.items is not None:
            assert abs(math.fsum(each.cost for each in found.items) - (1 - value)) < 1e-9, (name, value)


def lists(rng: np.random.Generator) -> None:
    """Lists with different items, as groups, text, integers and scores, against the literal formulas."""
    sides = []
    for _ in range(2):
        items = [int(e) for e in rng.permutation(30)[: rng.integers(0, 25)]]
        cuts = np.flatnonzero(rng.random(len(items)) < rng.choice([0.3, 0.9, 1.0])) + 1
        sides.append([part.tolist() for part in np.split(np.array(items, dtype=int), cuts) if len(part)])
    p, ties = float(rng.choice([0.05, 0.5, 0.9, 0.99, 0.9999])), str(rng.choice(["a", "b", "w"]))
    expected = of_lists.rbo(*sides, p, ties)
    step = int(rng.choice([1, 7, 2**41 + 1]))
    forms: list[Any] = [
        [[[e * step for e in group] for group in side] for side in sides],
        [{e: -float(k) for k, group in enumerate(side) for e in group} for side in sides],
        [cd.Lists([[{f"d{e}" for e in group} for group in side]]) for side in sides],
    ]
    if all(len(group) == 1 for side in sides for group in side):
        forms.append([np.array([e * step for (e,) in side], dtype=np.int64) for side in sides])
        forms.append([[f"d{e}" for (e,) in side] for side in sides])
    x, y = forms[int(rng.integers(len(forms)))]
    same(np.atleast_1d(cd.rbo(x, y, p=p, ties=ties))[0], expected[0], 1e-11, (p, ties, sides))
    if not isinstance(x, cd.Lists):
        found = cd.rbo_bounds(x, y, p=p, ties=ties)
        same(found.min, expected[1], 1e-10, ("min", p, ties, sides))
        same(found.max, expected[2], 1e-10, ("max", p, ties, sides))
    same(np.atleast_1d(cd.rba(x, y, p=p))[0], of_lists.rba(*sides, p), 1e-12, (p, sides))
    for name in ("kendall_distance", "footrule"):  # counts: exact
        value = np.atleast_1d(getattr(cd, name)(x, y))[0]
        assert value == getattr(of_lists, name)(*sides), (name, value, sides)


CASES: list[Callable[[np.random.Generator], None]] = [
    one_pair,
    one_pair,
    beside_scipy,
    batches,
    relations,
    graded,
    explained,
    lists,
]


def case(rng: np.random.Generator) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        CASES[int(rng.integers(len(CASES)))](rng)


if __name__ == "__main__":
    run(case, "values")
