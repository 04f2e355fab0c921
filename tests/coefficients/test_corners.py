"""Corners where values were wrong once."""

from fractions import Fraction

import numpy as np
import pytest
import reference
from support import quiet

import concordant as cd
from concordant.coefficients.costs import into_range

pytestmark = quiet

TINY = float(np.finfo(float).smallest_subnormal)


def test_the_slack_of_a_threshold_is_one_for_the_ranking():
    """With a slack for each pair, "above by more than the threshold" is not monotone: tau_b was -1.2247."""
    x = [1.7499999999999993, -1.7499999999999998, -1.75, -1.75]
    y = [0, 1, 2, 3]
    threshold = (3.4999999999999973, 0)
    value = cd.tau_b(x, y, threshold=threshold)
    assert -1 <= value <= 1 or np.isnan(value)
    expected = reference.tau_b(x, y, *threshold)
    assert value == pytest.approx(expected, abs=1e-15, nan_ok=True)


@pytest.mark.parametrize("seed", range(40))
def test_thresholds_at_the_edge_of_a_difference(seed):
    """Scores a few roundings apart, thresholds a few roundings from a difference."""
    rng = np.random.default_rng(seed)
    size = float(rng.choice([1.0, 1.75, 1e6, 2.0**-40]))
    x = size * (rng.choice([-1, 1], 7) + rng.integers(-6, 7, 7) * 2.0**-52)
    y = rng.permutation(7).astype(float)
    i, j = rng.choice(7, 2, replace=False)
    w = abs(float(x[i] - x[j])) + size * float(rng.integers(-8, 9)) * 2.0**-52
    if reference.too_wide(x.tolist(), w):
        w += size
    for name in ("tau_a", "tau_b", "tau_e", "tau_ap_a", "tau_ap_b", "tau_ap_e"):
        found = getattr(cd, name)(x, y, threshold=(max(w, 0.0), 0.0))
        expected = getattr(reference, name)(x.tolist(), y.tolist(), max(w, 0.0), 0.0)
        assert found == pytest.approx(expected, abs=1e-12, nan_ok=True), name
        assert not abs(found) > 1


X, Y = [0.1, 0.5, 0.9, 0.3, -1e15], [0.2, 0.4, 0.8, 0.1, -1e15]
LABELLED = dict(zip("abcde", X, strict=True)), dict(zip("abcde", Y, strict=True))
ARRAYS = np.array([X, X]), np.array([Y, Y])
APART = cd.TieRelation(np.eye(5, dtype=bool))


@pytest.mark.parametrize(
    ("call", "where"),
    [
        (lambda: cd.tau_a(X, Y, threshold=0.01), "x is -1e+15 at position 4,"),
        (lambda: cd.tau_b(X, Y, threshold=0.01), "x is -1e+15 at position 4,"),
        (lambda: cd.tau_ap_e(X, Y, threshold=0.01), "x is -1e+15 at position 4,"),
        (lambda: cd.tau_b(*LABELLED, threshold=(0, 0.01)), "y is -1e+15 at 'e',"),
        (lambda: cd.tau_b(*ARRAYS, threshold=0.01), "x is -1e+15 at index (0, 4),"),
        (lambda: cd.tau_b(*ARRAYS, threshold=0.01, workers=2, axis=1), "x is -1e+15 at index (0, 4),"),
        (lambda: cd.tau_b(X, Y, threshold=(APART, 0.01)), "y is -1e+15 at position 4,"),
        (lambda: cd.counts(X, Y, threshold=0.01), "x is -1e+15 at position 4,"),
        (lambda: cd.counts(X, Y, threshold=0.01, per_item=True), "x is -1e+15 at position 4,"),
        (lambda: cd.explain(*LABELLED, "tau_b(0.01)"), "x is -1e+15 at 'e',"),
        (lambda: cd.compare(*LABELLED, ["tau_a", "tau_b(0.01)"]), "x is -1e+15 at 'e',"),
        (lambda: cd.sweep(*LABELLED, "tau_b", thresholds=[0, 0.01]), "x is -1e+15 at 'e',"),
        (lambda: cd.correlate(*LABELLED, ["tau_b(0.01)"]), "x is -1e+15 at 'e',"),
        (lambda: cd.matrix([X, Y], "tau_b(0.01)"), "x is -1e+15 at ranking 0, position 4,"),
        (lambda: cd.grouped(X + X, Y + Y, [1] * 5 + [2] * 5, "tau_b(0.01)"), "at position 4 in group 1,"),
        (lambda: cd.grouped(X, Y, [1] * 5, "rbo(threshold=0.01)"), "at position 4 in group 1,"),
        (lambda: cd.rbo(*LABELLED, threshold=0.01), "x is -1e+15 at 'e',"),
        (lambda: cd.permutation_test(*LABELLED, "tau_b(0.01)"), "x is -1e+15 at 'e',"),
    ],
)
def test_a_score_whose_rounding_exceeds_the_threshold_is_refused(call, where):
    """The slack for the rounding of -1e15 is 0.9: with it, a threshold of 0.01 tied all other scores."""
    with pytest.raises(cd.ArgumentError) as error:
        call()
    assert where in str(error.value)
    assert "a threshold of 0.01; if it stands for a missing score, drop the item, or use" in str(error.value)


def test_scores_and_thresholds_that_go_together_are_compared():
    assert cd.tau_b(X, Y, threshold=900) == 1  # what the error recommends
    assert cd.tau_b([*X[:4], 1e9], [*Y[:4], 1e9], threshold=0.01) == pytest.approx(0.8)
    assert cd.tau_b([*X[:4], 1e15], [*Y[:4], np.nan], threshold=0.01, nan_policy="omit") == pytest.approx(
        2 / 3
    )
    assert np.isnan(cd.tau_b([X, X], [[*Y[:4], np.nan]] * 2, threshold=0.01)).all()


def extreme(rng, n):
    """Scores that span up to 600 orders of magnitude."""
    exponents = rng.integers(-1080, 1025, n)
    values = {
        0: lambda: np.ldexp(rng.uniform(0.5, 1, n), exponents),
        1: lambda: rng.choice([TINY, 2.3e-308, 1e-300, 1e-160, 1.0, 1e150, 1e300, 1.7e308], n),
        2: lambda: rng.permutation(n).astype(float),
        3: lambda: rng.choice([1.0, TINY, 0.0], n) * (1 + rng.integers(0, 4, n) * 2.0**-52),
        4: lambda: rng.integers(0, 9, n) * float(rng.choice([TINY, 1e-308, 2.0**1020])),
    }[int(rng.integers(5))]()
    return values * rng.choice([-1, 1], n) if rng.random() < 0.6 else values


@pytest.mark.parametrize("name", ["pearson_rank", "tau_gap", "pearson_r"])
def test_scores_of_very_different_sizes(name):
    """Wrong once: small gaps beside a huge score, and beside a huge score that x ties. Right, or refused."""
    refused = []
    for seed in range(400):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(3, 8))
        x, y = extreme(rng, n), extreme(rng, n)
        expected = getattr(reference, name)(x.tolist(), y.tolist())
        try:
            found = cd.explain(x, y, name) if np.isfinite(expected) and seed % 2 else None
            assert getattr(cd, name)(x, y) == pytest.approx(expected, abs=1e-12, nan_ok=True), seed
        except cd.ArgumentError as error:
            refused.append((str(error), max(abs(x).max(), abs(y).max())))
        else:
            if found is not None and found.items is not None:
                assert sum(item.cost for item in found.items) == pytest.approx(1 - expected, abs=1e-9), seed
    said = "cannot add gaps of such different sizes; replace the scores or drop the items"
    assert all(text.endswith(said) and largest > 1e258 for text, largest in refused)
    assert (name == "pearson_r") == (not refused)
    assert len(refused) < 120


def test_the_side_whose_gaps_are_refused_is_named():
    plain, wide = [1.0, 2.0, 3.0], [1.7e308, TINY, 1.0]
    assert cd.tau_gap(plain, wide) == cd.tau_gap(plain, [3, 1, 2])  # y gives only an order
    said = "y is 4.94066e-324 at position 1 and 1.7e+308 at position 0, and tau_gap cannot add gaps"
    with pytest.raises(cd.ArgumentError, match=said.replace("+", r"\+")):
        cd.tau_gap(plain, wide, symmetric=True)
    with pytest.raises(cd.ArgumentError, match=r"x is .* at index \(1, 1\)"):
        cd.tau_gap([plain, wide], plain)


@pytest.mark.parametrize("name", ["tau_gap", "pearson_rank", "pearson_r"])
@pytest.mark.parametrize("unit", [TINY, 3 * TINY, 2.0**-1040, 2.0**-1022, 1e-300, 1e300])
def test_the_unit_of_the_scores_does_not_matter(name, unit):
    """Not even if scores are subnormal numbers: values were wrong by up to 1.33."""
    f = getattr(cd, name)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        x, y = rng.integers(0, 40, (2, 9)).astype(float)
        assert f(x * unit, y * unit) == pytest.approx(f(x, y), abs=1e-12, nan_ok=True), seed
        assert f(x * unit, y) == pytest.approx(f(x, y), abs=1e-12, nan_ok=True), seed
        assert f(x, y * unit) == pytest.approx(f(x, y), abs=1e-12, nan_ok=True), seed


def test_subnormal_scores_beside_large_ones():
    """Differences of the small ones count where the definition says so."""
    x = [1.0, 3 * TINY, 2 * TINY, TINY]
    y = [4.0, 1.0, 2.0, 3.0]
    exact_x, exact_y = ([Fraction(v) for v in side] for side in (x, y))
    assert cd.tau_gap(x, y) == pytest.approx(float(reference.tau_gap(exact_x, exact_y)), abs=1e-12)


def test_lists_with_many_grades_are_refused_with_the_reason():
    """The work grows with the number of positions times that of different pairs of grades."""
    grades = np.random.default_rng(0).integers(0, 1000, 200_000)
    with pytest.raises(cd.ArgumentError, match="too many different grades; the time grows"):
        cd.tau_ac(grades, grades[::-1], a=0.1)
    few = grades[:3000]
    assert cd.tau_ac(few, few, a=0.1) == 1.0


@pytest.mark.parametrize(
    ("exponent", "shift"), [(0, 930), (929, 1), (930, 0), (980, 0), (981, -50), (1024, -50)]
)
def test_scores_are_brought_into_a_range_in_which_sums_and_inverses_are_finite(exponent, shift):
    """By a power of two, which changes no digit: up to 2^930, or by 2^-50 from 2^980 on."""
    values = np.ldexp([0.5, -0.75], exponent)
    assert into_range(values).tolist() == np.ldexp(values, shift).tolist()
