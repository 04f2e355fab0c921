"""Many pairs of rankings in one call: the bits of single calls, for any number of threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from support import quiet
from support.strategies import TIES, random_pair

import concordant as cd
from concordant.coefficients import evaluation

NAMES = [
    "tau_a",
    "tau_b(0.1)",
    "tau_e(0.1, 0.2)",
    "tau_ap_a(0.1)",
    "tau_ap_b",
    "tau_ap_b(0.1, tied=neutral)",
    "tau_ap_e(0.1)",
]
same = np.testing.assert_array_equal


@quiet
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("name", NAMES)
def test_a_batch_gives_the_bits_of_single_calls_for_any_number_of_threads(name, ties):
    """Broadcast on either side, in any shape, by any number of workers."""
    c = cd.coefficient(name)
    rows = [random_pair(seed, 37, ties) for seed in range(300)]
    x, y = (np.stack(side) for side in zip(*rows, strict=True))
    single = [c(a, b) for a, b in rows]
    for workers in (1, 2, 3, -1):
        same(c(x, y, workers=workers), single)
        same(c(x[0], y, workers=workers), [c(x[0], b) for b in y])
        same(c(x, y[0], workers=workers), [c(a, y[0]) for a in x])
    same(c(x.reshape(3, 100, 37), y.reshape(3, 100, 37)).ravel(), single)


def test_selections_of_many_pairs_are_made_in_parts(monkeypatch):
    """Copies of some pairs at a time give what copies of all at once give."""
    rows = np.random.default_rng(0).integers(0, 9, (12, 20)).astype(float)
    rows[3, 4] = np.nan
    whole = [cd.matrix(rows, name, nan_policy="omit") for name in ("tau_ap_a@5", "tau_ap_a")]
    monkeypatch.setattr(evaluation, "_MOST_COPIED", 100)
    parts = [cd.matrix(rows, name, nan_policy="omit") for name in ("tau_ap_a@5", "tau_ap_a")]
    for a, b in zip(whole, parts, strict=True):
        same(a, b)


def test_threads_do_not_share_memory():
    """Calls from several Python threads at once give what one gives."""
    data = [random_pair(seed, 500, "few") for seed in range(60)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda pair: cd.tau_ap_b(*pair), data))
    assert together == [cd.tau_ap_b(*pair) for pair in data]
