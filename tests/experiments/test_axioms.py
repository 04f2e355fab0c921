"""The five axioms as a check of any coefficient."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
import pytest
import reference
from support import quiet

import concordant as cd

axioms = cache(cd.experiments.axioms)


def statuses(found):
    """Return the status of each axiom by its number."""
    return {each.axiom: each.status for each in found}


# What the definitions say. Kendall and AP families: axioms 1, 2 and 5 without ties; gaps: not zero-centred.
EXPECTED = {
    "tau": ("holds", "holds", "holds"),
    "tau_a": ("holds without ties", "holds without ties", "holds"),
    "tau_b": ("holds", "holds", "holds"),
    "tau_c": ("holds without ties", "holds without ties", "holds"),
    "gamma": ("holds", "holds", "holds without ties"),
    "somers_d": ("holds", "holds", "holds"),
    "tau_e": ("holds", "holds without ties", "holds without ties"),
    "tau_ap": ("holds", "holds", "holds"),
    "tau_ap_a": ("holds without ties", "holds without ties", "holds"),
    "tau_ap_b": ("holds", "holds", "holds without ties"),
    "tau_ap_e": ("holds", "holds without ties", "holds without ties"),
    "tau_h": ("holds", "holds", "holds without ties"),
    "tau_gap": ("holds", "holds", "fails"),
    "pearson_rank": ("fails", "fails", "fails"),
    "pearson_r": ("fails", "fails", "holds"),
    "spearman_rho": ("holds", "holds", "holds"),
}


def test_the_axioms_of_every_coefficient_of_scores_are_known():
    """None is left out of the table above."""
    assert set(EXPECTED) == {c.name for c in cd.REGISTRY.values() if c.inputs == "scores"}


@pytest.mark.parametrize("name", EXPECTED)
def test_axioms_of_scores(name):
    """Axioms 1, 2 and 5 as the definitions have it; 3 and 4 are about grades."""
    found = statuses(axioms(name))
    assert (found[1], found[2], found[5]) == EXPECTED[name]
    assert found[3] == found[4] == "does not apply"


@quiet
@pytest.mark.parametrize("name", [name for name in EXPECTED if EXPECTED[name][2] != "holds"])
def test_the_literal_formulas_are_not_centred_either(name):
    """What fails axiom 5 fails it by the formula of the paper, with the mean that was told."""
    against = axioms(name).checks[4].counterexample
    given, told = against.split(": mean over all orders of y ")
    lists = dict(part.split(" = ") for part in given.replace("], y", "]; y").split("; "))
    x, y = ([float(v) for v in lists[side].strip("[]").split(",")] for side in ("x", "y"))
    mean = np.mean([getattr(reference, name)(x, order) for order in permutations(y)])
    assert mean == pytest.approx(float(told.removesuffix(", not 0")), abs=1e-5)
    assert abs(mean) > 1e-3


@pytest.mark.parametrize(
    "weight",
    ["tau_ap", pytest.param("tau", marks=pytest.mark.slow), pytest.param("tau_h", marks=pytest.mark.slow)],
)
def test_axioms_of_grades(weight):
    """sc fails axiom 4, ac holds 3, 4 and 5; dw holds 1, 2 and 4, and 5 with equal weights only."""
    no = "does not apply"
    assert statuses(axioms(f"{weight}_sc")) == {
        1: no,
        2: no,
        3: "holds",
        4: "fails",
        5: "holds",
    }
    assert statuses(axioms(f"{weight}_ac")) == {
        1: no,
        2: no,
        3: "holds",
        4: "holds",
        5: "holds",
    }
    centred = "holds" if weight == "tau" else "fails"
    expected = {1: "holds", 2: "holds", 3: "fails", 4: "holds", 5: centred}
    assert statuses(axioms(f"{weight}_dw")) == expected


def test_a_biased_a_is_found():
    """An a of one's own is not centred."""
    assert axioms("tau_ac(a=-0.7)").checks[4].status == "fails"
    assert axioms("tau_sc(a=0)").checks[4].status == "fails"


def test_counterexamples_are_real_and_small():
    """The first of all small cases that is against the axiom."""
    against = axioms("tau_gap").checks[4].counterexample
    assert against.startswith("x = [3, 2, 0], y = [2, 1, 0]: mean over all orders of y")
    assert axioms("tau_sc").checks[3].counterexample.startswith("x_grades = [0, 2, 1], y_grades = [1, 2, 0]")
    assert cd.tau_sc([0, 2, 1], [1, 2, 0]) > -1
    assert axioms("tau_a").checks[0].counterexample == "x = [0, 0], y = [0, 0]: 0, not 1"


def test_a_verdict_has_a_counterexample_or_a_reason_or_neither():
    """None, not an empty text, where there is nothing to say."""
    for name in ("tau_a", "tau_b", "tau_gap", "tau_sc"):
        for verdict in axioms(name):
            against = verdict.status in ("fails", "holds without ties")
            assert (verdict.counterexample is not None) == against
            assert (verdict.reason is not None) == (verdict.status == "does not apply")
    assert axioms("tau_a(0.1)").coefficient == cd.coefficient("tau_a(0.1)")


def test_axioms_of_a_users_own_function():
    """The names of its parameters say what it compares, unless `inputs` does."""

    def always_one(x, y):
        return 1.0

    def backwards(x_grades, y_grades):
        return -1.0 if np.array_equal(x_grades, y_grades[::-1]) else 1.0

    def with_grades(x, y, grades):
        return float(np.sign(x[0] - x[1]) * np.sign(y[0] - y[1]))

    found = axioms(always_one)
    expected = {1: "holds", 2: "fails", 3: "does not apply", 4: "does not apply", 5: "fails"}
    assert statuses(found) == expected
    assert found.coefficient == cd.coefficient(always_one)
    assert axioms(backwards).checks[3].status == "holds"
    assert axioms(backwards).checks[2].status == "fails"
    assert axioms(with_grades).checks[0].status == "holds"
    assert axioms(lambda a, b: 1.0, inputs="graded_lists").checks[2].status == "holds"


def test_axioms_print_as_a_table_and_obey_their_seed():
    """A verdict, a title and five lines; the same seed gives the same checks."""
    found = axioms("tau_b")
    lines = found.to_text(width=None).splitlines()
    assert lines[4].split() == ["axiom", "statement", "status", "cases", "reason"]
    assert [line.split()[0] for line in lines[6:]] == ["1", "2", "3", "4", "5"]
    assert list(found) == list(found.checks)
    again = cd.experiments.axioms("pearson_rank", rng=3)
    assert axioms("pearson_rank", rng=3).checks == again.checks
    message = "^axioms: inputs must be 'scores', 'graded_lists' or 'graded_items', got 'x'"
    with pytest.raises(cd.ArgumentError, match=message):
        axioms("tau_b", inputs="x")


def test_what_was_never_defined_is_not_said_to_hold():
    """Cases without a value are no cases."""
    found = axioms(lambda x, y: float("nan"))
    assert {verdict.status for verdict in found} == {"does not apply"}
    assert (found.checks[0].counterexample, found.checks[0].reason) == (None, "undefined in all cases tried")


@pytest.mark.slow
def test_axioms_of_bound_options_and_cuts():
    """Options and cuts stay with the coefficient; without the scale of the grades, axiom 5 fails."""
    assert axioms("tau_sc(max_grade=2)").checks[4].status == "holds"
    assert axioms("tau_b@2").checks[0].status == "holds"

    def without_scale(x_grades, y_grades):
        return cd.tau_sc(x_grades, y_grades)

    assert axioms(without_scale).checks[4].status == "fails"


def test_what_is_not_a_number_is_refused():
    """A function of grades that returns text is one sentence."""
    with pytest.raises(cd.ArgumentTypeError, match=r"^axioms: .* must return a number, got 'one'"):
        axioms(lambda x, y: "one", inputs="graded_lists")
