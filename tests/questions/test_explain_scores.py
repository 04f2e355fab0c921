"""Explanations of scores: what `explain` says, for all measures."""

from __future__ import annotations

import math

import concordant as cd


def test_explanations_are_those_of_explain(reference, sides):
    """For each measure and coefficient: value, pairs, removals and the costs of systems."""
    names = ["tau_b", "tau_ap_b"]
    result = cd.explain(cd.Study(reference, {"fair": sides["fair"]}), coefficients=names, most=6)
    assert [(e.measure[0], str(e.coefficient)) for e in result] == [
        (m, c) for m in reference.measures for c in names
    ]
    for each in result:
        x, y = reference.mean(each.measure[0]), sides["fair"].mean(each.measure[1])
        why = cd.explain(x, y, each.coefficient, most=6)
        assert (each.estimate, each.value, each.n) == ("fair", why.value, 14)
        assert each.costly_pairs == why.explained[0].costly_pairs

        def own(records, each=each):
            key = each.measure, each.coefficient
            return [record for record in records if (record.measure, record.coefficient) == key]

        assert [(p.better, p.worse, p.cost) for p in own(result.pairs)] == [
            (p.better, p.worse, p.cost) for p in why.pairs
        ]
        assert [(p.reference_difference, p.estimate_difference) for p in own(result.pairs)] == [
            (p.reference_difference, p.estimate_difference) for p in why.pairs
        ]
        assert [(r.item, r.value, r.gain) for r in own(result.removals)] == [
            (r.item, r.value, r.gain) for r in why.removals
        ]
        assert [(i.item, i.cost) for i in own(result.items)] == [(i.item, i.cost) for i in why.items]
    first, second = (str(each.coefficient) for each in result.explained[:2])
    assert result.verdict[0].startswith(f"{first} of fair by AP is ")
    assert any(said.startswith(f"{second} of fair by AP is ") for said in result.verdict)
    assert result.options == {"most": 6}


def test_an_undefined_value_is_explained_by_a_note(reference, constant):
    """There is no warning and no pair."""
    result = cd.explain(reference["AP"], constant, "tau_b")
    assert math.isnan(result.explained[0].value)
    assert result.pairs == ()
    assert result.explained[0].undefined == "all systems are tied in the reference or in the estimate"
    assert any(
        "undefined: all systems are tied in the reference or in the estimate" in str(note)
        for note in result.notes
    )
