"""Worked examples of the papers and documented values of ircor, each with its source."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import concordant as cd

PUBLISHED = json.loads(
    (Path(__file__).parent.parent / "golden" / "published.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: f"{case['source']} {case['where']}")
def test_published_values(case):
    """Each example has the value printed, to its digits, or the correct one where the print is wrong."""
    options = {k: tuple(v) if isinstance(v, list) else v for k, v in case.get("options", {}).items()}
    found = getattr(cd, case["coefficient"])(case["x"], case["y"], **options)
    assert found == pytest.approx(case["value"], abs=case["tolerance"])


def test_all_tied_as_the_thesis_says():
    """2.1.2, 4.2: 0. 5.1, 5.2: 1 in both, -1 in one only (6.2's "in either: 1" contradicts this)."""
    tied, untied = [1, 1, 1, 1], [1, 2, 3, 4]
    assert cd.tau_a(untied, tied) == cd.tau_ap_a(untied, tied) == 0
    assert cd.tau_e(tied, tied) == cd.tau_ap_e(tied, tied) == 1
    assert cd.tau_e(untied, tied) == cd.tau_ap_e(untied, tied) == -1
    assert cd.tau_e(untied, untied, threshold=(9, 0)) == cd.tau_ap_e(untied, untied, threshold=(0, 9)) == -1


def test_the_order_of_equal_estimates_does_not_matter():
    """x = 2,1,2,3 and y = 2,2,2,1: tau_ap_e is -2/3 or -1/3 in some orders of tied items, -5/9 on average."""
    assert cd.tau_ap_e([2, 1, 2, 3], [2, 2, 2, 1]) == pytest.approx(-5 / 9, abs=1e-15)


def test_unsigned_integers_are_not_negated():
    """pyircor 0.2.0 gives 0.5 on these, by negating modulo 256."""
    assert cd.tau_ap_b(np.uint8([0, 1, 2]), np.uint8([0, 2, 1])) == 0.0
