"""All coefficients and what they declare, as a result."""

from __future__ import annotations

import concordant as cd
from concordant.questions.choose import listing


def test_the_listing_has_what_every_coefficient_declares():
    """One record for each coefficient of the registry, in its order, with plain values for programs."""
    found = listing()
    assert [str(each.coefficient) for each in found] == list(cd.REGISTRY)
    for row, c in zip(found.table().to_dicts(), cd.REGISTRY.values(), strict=True):
        assert row == {
            "coefficient": c.name,
            "question": c.question,
            "symmetric": c.symmetric,
            "top_weighted": c.top_weighted,
            "gaps": c.gaps,
            "ties": c.ties,
            "threshold": c.thresholds,
            "inputs": c.inputs,
        }
