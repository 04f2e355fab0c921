"""The answers in words about coefficients and about two rankings."""

from __future__ import annotations

import numpy as np
import pytest
from support.verdicts import changed, wrong

import concordant as cd
from concordant.questions.choose import listing


def test_axioms_are_grouped_by_what_was_found():
    """Each axiom is named once."""
    assert cd.experiments.axioms("tau_b").verdict == (
        "tau_b: axioms 1, 2 and 5 hold, axioms 3 and 4 do not apply, in the cases tried.",
    )
    found = cd.experiments.axioms("tau_sc")
    (said,) = found.verdict
    for each in found.checks:
        assert str(each.axiom) in said


def test_choose_names_what_fits_or_what_is_open():
    """The coefficient with its question, and others that fit."""
    choice = cd.choose(ties="ignored", top_weighted=True, threshold=True)
    assert choice.verdict[0] == f"{choice.coefficient.name} fits: {choice.coefficient.question}"
    still_open = cd.choose(ties="equality")
    assert still_open.verdict == (
        "2 coefficients fit: tau_e and tau_ap_e.",
        "Still open: Should the top of the ranking count more?",
    )


def test_the_list_is_counted():
    """As many as are registered."""
    number, forms = listing().verdict
    assert number == f"There are {len(cd.REGISTRY)} coefficients."
    assert forms == "Write name, or name(0.05)@10 with threshold and top."
    assert max(map(len, listing().to_text().splitlines())) <= 80


@pytest.mark.parametrize("coefficient", ["tau_b", "tau_ap_b", "pearson_r", "rbo"])
def test_every_number_of_an_explanation_is_that_of_its_record(coefficient):
    """No other number would be accepted."""
    rng = np.random.default_rng(1)
    x, y = (dict(zip("abcdefghij", rng.random(10).tolist(), strict=True)) for _ in range(2))
    if coefficient == "rbo":
        x, y = (sorted(side, key=side.get) for side in (x, y))
    why = cd.explain(x, y, coefficient)
    assert len(why.verdict) > 1
    assert wrong(why) == []
    assert [other for other in changed(why.verdict) if not wrong(why, other)] == []


def test_explanations_of_nothing():
    """A value of 1, and one that is undefined."""
    assert cd.explain([1, 2, 3], [1, 2, 3], "tau_b").verdict == (
        "tau_b is 1.00, over 3 items.",
        "No pair lowers it.",
    )
    with pytest.warns(cd.UndefinedWarning):
        why = cd.explain([1, 1, 1], [1, 2, 3], "tau_b")
    assert why.verdict == ("tau_b is undefined: all items are tied in x or in y.",)
    assert cd.explain(["a", "b"], ["a", "b"], "rbo").verdict[1:] == ("No depth lowers it.",)
