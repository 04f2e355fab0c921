"""Rankings of few distinct scores are counted in a table, which gives the same bits as sorting them."""

from __future__ import annotations

import functools
import operator

import numpy as np
import pytest

import concordant as cd
from concordant import _core as core

NAMES = list(core.FIELDS)
COUNTED = [name for name in NAMES if not name.startswith(("broken", "gap", "rank", "moment"))]
WITH_THRESHOLD = [name for name in COUNTED if not name.startswith(("by_", "midrank", "levels"))]


def _rankings(seed, n, x_values, y_values):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, x_values, n) / 10 - 0.2
    return x, np.where(rng.random(n) < 0.5, x, rng.integers(0, y_values, n) / 7)


def _fields(x, y, fields, threshold_x=0.0, threshold_y=0.0, beside=()):
    """Return fields of a pair; what is needed for others is computed too."""
    needs = functools.reduce(operator.or_, (core.FIELDS[name].need for name in (*fields, *beside)))
    plan = core.Plan(needs, False, [NAMES.index(name) for name in fields])
    return core.pair(x, y, threshold_x, threshold_y, plan)


@pytest.mark.parametrize("n", [16, 40, 97, 600, 5000])
@pytest.mark.parametrize(("x_values", "y_values"), [(2, 2), (4, 5), (1, 3), (30, 30)])
def test_the_table_gives_the_bits_of_the_sweep(n, x_values, y_values):
    """The range over broken ties needs the sorted scores, so that with it all is computed from them."""
    x, y = _rankings(n, n, x_values, y_values)
    for one, other in ((x, y), (y, x), (x, x), (x, -x)):
        assert _fields(one, other, COUNTED) == _fields(one, other, COUNTED, beside=["broken_for"])
        for thresholds in ((0.1, 0.1), (0.25, 0.0), (0.0, 0.3), (2.0, 0.15)):
            by_table = _fields(one, other, WITH_THRESHOLD, *thresholds)
            assert by_table == _fields(one, other, WITH_THRESHOLD, *thresholds, beside=["broken_for"])


def test_zero_has_no_sign_and_what_is_not_finite_is_found():
    """-0.0 is 0.0; NaN and infinity are left to the caller."""
    x, y = _rankings(1, 6000, 4, 5)
    x = x.round(1)
    assert (x == 0).any()
    assert cd.tau_b(np.where(x == 0, -0.0, x), y) == cd.tau_b(x + 0.0, y)
    alternating = np.where((x == 0) & (np.arange(6000) % 2 == 0), -0.0, x)
    assert cd.tau_b(alternating, y) == cd.tau_b(x + 0.0, y)
    for bad in (np.nan, np.inf):
        x[5000] = bad
        assert _fields(x, y, COUNTED) is None


def test_only_some_rankings_of_a_table_are_of_few_scores():
    """Each pair has the value that it has alone, by one thread and by two."""
    rng = np.random.default_rng(2)
    table = rng.integers(0, 4, (12, 97)).astype(float)
    table[::3] = rng.random((4, 97))
    alone = np.array([[float(cd.tau_ap_b(a, b)) for b in table] for a in table])
    for workers in (1, 2):
        assert np.array_equal(np.asarray(cd.matrix(table, "tau_ap_b", workers=workers)), alone)
        assert np.array_equal(cd.tau_ap_b(table[1], table, workers=workers), alone[1])
        across = cd.tau_ap_b(table, table[::-1], workers=workers)
        assert np.array_equal(across, alone[np.arange(12), np.arange(12)[::-1]])
