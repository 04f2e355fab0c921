"""Explanations and matrices of scores: what `explain` and `matrix` say, for all measures."""

from __future__ import annotations

import math

import numpy as np
import pytest

import concordant as cd
from concordant.judging import explain_scores, matrix_of_scores


def test_explanations_are_those_of_explain(reference, sides):
    """For each measure and coefficient: value, pairs, removals and the costs of systems."""
    names = ["tau_b", "tau_ap_b"]
    result = explain_scores(reference, sides["fair"], names, most=6)
    assert [(e.measure[0], str(e.coefficient)) for e in result] == [
        (m, c) for m in reference.measures for c in names
    ]
    for each in result:
        x, y = reference.mean(each.measure[0]), sides["fair"].mean(each.measure[1])
        why = cd.explain(x, y, each.coefficient, most=6)
        assert (each.value, each.systems, each.pairs_that_cost) == (why.value, 14, why.n_pairs)

        def own(records, each=each):
            key = each.measure, each.coefficient
            return [record for record in records if (record.measure, record.coefficient) == key]

        assert [(p.better, p.worse, p.cost) for p in own(result.pairs)] == [
            (p.better, p.worse, p.cost) for p in why.pairs
        ]
        assert [(p.reference_difference, p.estimate_difference) for p in own(result.pairs)] == [
            (p.reference_difference, p.estimate_difference) for p in why.pairs
        ]
        assert [(r.system, r.value, r.gain) for r in own(result.removals)] == [
            (r.item, r.value, r.gain) for r in why.removals
        ]
        assert [(i.system, i.cost) for i in own(result.items)] == [
            (i.item, i.cost) for i in why.item_costs[:6]
        ]
    (note,) = (note for note in result.notes if note.kind == "items_listed")
    assert str(note) == "the 6 items that cost most, of 14"
    assert result.options == {"most": 6}


def test_an_undefined_value_is_explained_by_a_note(reference):
    """There is no warning and no pair."""
    result = explain_scores(reference["AP"], constant(reference), "tau_b")
    assert math.isnan(result.explained[0].value)
    assert result.pairs == ()
    assert any("undefined: all items are tied in x or in y" in str(note) for note in result.notes)


def constant(reference):
    """Return scores that say nothing."""
    return cd.Scores(np.ones((24, 14)), measures=["AP"], topics=reference.topics, systems=reference.systems)


def test_a_matrix_has_the_values_of_single_calls(reference, sides):
    """Each side by each measure is a ranking; rows are the reference."""
    result = matrix_of_scores({name: sides[name] for name in ("reference", "good", "fair")}, "tau_ap_b")
    names = [f"{side} {m}" for side in ("reference", "good", "fair") for m in ("AP", "P@10")]
    assert [(c.reference, c.estimate) for c in result] == [(a, b) for a in names for b in names]
    for cell in result:
        x, y = (sides[name.split()[0]].mean(name.split()[1]) for name in (cell.reference, cell.estimate))
        assert cell.value == pytest.approx(cd.tau_ap_b(x, y), abs=1e-12)
    assert result.options == {"coefficient": "tau_ap_b"}
    assert result.coefficient == cd.get("tau_ap_b")


def test_rankings_are_named_by_what_tells_them_apart(reference, sides):
    """By the side if it has one measure, by the measure if there is one side."""
    one = matrix_of_scores({"x": reference})
    assert {cell.reference for cell in one} == {"AP", "P@10"}
    several = matrix_of_scores({"x": reference["AP"], "y": sides["fair"]["AP"]})
    assert {cell.reference for cell in several} == {"x", "y"}
    assert one.to_text().splitlines()[2].split() == ["reference", "AP", "P@10"]


def test_one_ranking_has_no_matrix(reference):
    """The message says what to give."""
    with pytest.raises(cd.ArgumentError, match="there is only one ranking; give several files"):
        matrix_of_scores({"x": reference["AP"]})


def test_undefined_values_of_a_matrix_are_counted(reference):
    """A note says of how many pairs and why."""
    result = matrix_of_scores({"x": reference["AP"], "y": constant(reference)}, "tau_b")
    (note,) = (note for note in result.notes if note.kind == "undefined_in_matrix")
    assert note.values["coefficient"] == "tau_b"
    assert note.values["reason"] == "all items are tied in x or in y"
    assert any(cell.value is None or math.isnan(cell.value) for cell in result)
