"""Matrices of scores: what `matrix` says, for all sides and measures."""

from __future__ import annotations

import math

import pytest

import concordant as cd


def test_a_matrix_has_the_values_of_single_calls(reference, sides):
    """Each side by each measure is a ranking; rows are the reference."""
    result = cd.matrix({name: sides[name] for name in ("reference", "good", "fair")}, "tau_ap_b")
    names = [f"{side} {m}" for side in ("reference", "good", "fair") for m in ("AP", "P@10")]
    assert [(c.reference, c.estimate) for c in result] == [(a, b) for a in names for b in names]
    for cell in result:
        x, y = (sides[name.split()[0]].mean(name.split()[1]) for name in (cell.reference, cell.estimate))
        assert cell.value == pytest.approx(cd.tau_ap_b(x, y), abs=1e-12)
    assert result.options == {}
    assert result.coefficient == cd.coefficient("tau_ap_b")


def test_rankings_are_named_by_what_tells_them_apart(reference, sides):
    """By the side if it has one measure, by the measure if there is one side."""
    one = cd.matrix({"x": reference})
    assert {cell.reference for cell in one} == {"AP", "P@10"}
    several = cd.matrix({"x": reference["AP"], "y": sides["fair"]["AP"]})
    assert {cell.reference for cell in several} == {"x", "y"}
    assert one.to_text().splitlines()[4].split() == ["reference", "AP", "P@10"]


def test_one_ranking_has_no_matrix(reference):
    """The message says what to give."""
    with pytest.raises(cd.ArgumentError, match="there is only one ranking; give several files"):
        cd.matrix({"x": reference["AP"]})


def test_undefined_values_of_a_matrix_are_counted(reference, constant):
    """A note says of how many pairs and why."""
    result = cd.matrix({"x": reference["AP"], "y": constant}, "tau_b")
    (note,) = (note for note in result.notes if note.kind == "undefined_in_matrix")
    assert note.values["coefficient"] == "tau_b"
    assert note.values["reason"] == "all systems are tied in the reference or in the estimate"
    assert any(cell.value is None or math.isnan(cell.value) for cell in result)
