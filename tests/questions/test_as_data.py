"""Answers as data: a program that reads the JSON knows what was asked and what came out."""

from __future__ import annotations

import json

import pytest

import concordant as cd


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda: cd.matrix({"a": [3, 2, 1], "b": [2, 3, 1]}, "tau_b"), {"coefficient": "tau_b"}),
        (lambda: cd.experiments.axioms("tau_b"), {"coefficient": "tau_b"}),
        (lambda: cd.choose(gaps="reference"), {"call": "cd.tau_gap(x, y)"}),
        (lambda: cd.choose(ties="equality"), {"open": cd.choose(ties="equality").open}),
    ],
    ids=["matrix", "axioms", "choose", "choose, open"],
)
def test_a_dictionary_holds_the_fields_beside_the_tables(answer, told):
    """Such as the coefficient, its value, the call that is advised and the question that is open."""

    def pairs(found):
        for key, value in found.items():
            yield key, value
            if isinstance(value, dict):
                yield from pairs(value)

    found = list(pairs(json.loads(answer().to_json())))
    for pair in told.items():
        assert pair in found
