"""Corners where values were wrong once."""

from fractions import Fraction

import numpy as np
import pytest
import reference
from support import quiet

import concordant as cd

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
    for name in ("tau_a", "tau_b", "tau_e", "tau_ap_a", "tau_ap_b", "tau_ap_e"):
        found = getattr(cd, name)(x, y, threshold=(max(w, 0.0), 0.0))
        expected = getattr(reference, name)(x.tolist(), y.tolist(), max(w, 0.0), 0.0)
        assert found == pytest.approx(expected, abs=1e-12, nan_ok=True), name
        assert not abs(found) > 1


@pytest.mark.parametrize("name", ["tau_gap", "pearson_rank", "pearson_r"])
@pytest.mark.parametrize("unit", [TINY, 3 * TINY, 2.0**-1040, 2.0**-1022, 1e-300, 1e300])
@pytest.mark.parametrize("seed", range(8))
def test_the_unit_of_the_scores_does_not_matter(name, unit, seed):
    """Not even if scores are subnormal numbers: values were wrong by up to 1.33."""
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 40, (2, 9)).astype(float)
    f = getattr(cd, name)
    assert f(x * unit, y * unit) == pytest.approx(f(x, y), abs=1e-12, nan_ok=True)
    assert f(x * unit, y) == pytest.approx(f(x, y), abs=1e-12, nan_ok=True)
    assert f(x, y * unit) == pytest.approx(f(x, y), abs=1e-12, nan_ok=True)


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
