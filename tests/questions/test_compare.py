"""Several coefficients of the same two rankings: a mapping that also takes batches."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest
from support.strategies import random_pair

import concordant as cd

SCORES = [c.name for c in cd.REGISTRY.values() if c.inputs == "scores"]
WITH_TIES = [name for name in SCORES if cd.REGISTRY[name].ties != "error"]


def test_a_comparison_is_a_mapping_of_text_forms_to_values():
    """It has the bits of single calls, knows other spellings, and keeps what it was asked."""
    x, y = random_pair(1, 30, "few")
    names = ["tau_b", "tau_ap_b(0.05)@10", "tau_e(0.1, 0.2)", "tau_gap"]
    found = cd.compare(x, y, names)
    assert isinstance(found, Mapping)
    assert dict(found) == {name: cd.coefficient(name)(x, y) for name in names}
    assert found["tau_ap_b(threshold=0.05)@10"] == found["tau_ap_b(0.05)@10"]
    assert [str(c) for c in found.coefficients] == list(found) == names
    assert [each.value for each in found.compared] == list(found.values())
    assert found.notes == ()
    assert {each.undefined for each in found.compared} == {None}
    assert (found.n, len(found)) == (30, 4)
    assert "tau_e" not in found


def test_what_is_no_coefficient_is_not_in_a_comparison():
    """As in every mapping, `in` and `get` answer instead of raising."""
    found = cd.compare([3, 2, 1], [3, 1, 2], ["tau_b"])
    assert "tau_bb" not in found
    assert found.get("tau_bb") is None
    for wrong in ("nonsense", "tau_b(-1)", "tau_b(", 3):
        with pytest.raises(KeyError) as error:
            found[wrong]
        assert error.value.args == (wrong,)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_comparison_of_batches_has_the_values_of_each_row(workers):
    """Items may be on any axis; values have the shape of the others, for any number of workers."""
    rows = [random_pair(seed, 25, "few") for seed in range(8)]
    x, y = (np.stack(side) for side in zip(*rows, strict=True))
    single = [dict(cd.compare(a, b, WITH_TIES)) for a, b in rows]
    for found in (
        cd.compare(x, y, WITH_TIES, workers=workers),
        cd.compare(x.T, y.T, WITH_TIES, axis=0, workers=workers),
    ):
        for name in WITH_TIES:
            assert found[name].tolist() == [values[name] for values in single]
        assert found.n == 25
    assert "8 values" in repr(found)


def test_coefficients_that_refuse_ties_have_a_reason_unless_they_were_asked_for():
    """By default all coefficients of scores are tried; one that was named and refuses is an error."""
    x, y = [3, 2, 2, 1], [4, 3, 2, 1]
    found = cd.compare(x, y)
    assert list(found) == SCORES
    for each in found.compared:
        refused = each.coefficient.ties == "error"
        assert math.isnan(each.value) == refused == bool(each.undefined)
    with pytest.raises(cd.TiesError):
        cd.compare(x, y, ["tau_b", "tau"])
