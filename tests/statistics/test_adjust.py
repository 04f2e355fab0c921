"""P-values adjusted for their number."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import concordant as cd


def test_p_values_are_adjusted_as_published():
    """Holm's step by step, Benjamini and Hochberg's as in SciPy; what are no p-values is refused."""
    p = np.random.default_rng(0).random(20) ** 3
    assert cd.adjust_pvalues(p, "bh") == pytest.approx(scipy.stats.false_discovery_control(p))
    order = np.argsort(p)
    holm, most = np.empty(20), 0.0
    for k, i in enumerate(order):
        most = max(most, (20 - k) * p[i])
        holm[i] = min(1.0, most)
    assert cd.adjust_pvalues(p) == pytest.approx(holm)
    message = "^adjust_pvalues: pvalues must be a list of numbers from 0 to 1, got 1.5"
    with pytest.raises(cd.ArgumentError, match=message):
        cd.adjust_pvalues([0.5, 1.5])
    with pytest.raises(cd.ArgumentError, match=r"^adjust_pvalues: method must be 'holm', 'bh' or 'by'"):
        cd.adjust_pvalues([0.5], "bonferroni")


def test_a_mapping_keeps_its_keys():
    """The values are those of a list."""
    p = {"gpt": 0.01, ("llama", 3): 0.04, "other": 0.03}
    found = cd.adjust_pvalues(p)
    assert list(found) == list(p)
    assert list(found.values()) == cd.adjust_pvalues(list(p.values())).tolist()
    assert cd.adjust_pvalues({}) == {}
    assert cd.adjust_pvalues([]).shape == (0,)
