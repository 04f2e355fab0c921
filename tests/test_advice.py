"""The axioms as a tool, and the choice of a coefficient."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import concordant as cd

# What the definitions say. Kendall and AP families: axioms 1, 2 and 5 without ties; gaps: not zero-centred.
EXPECTED = {
    "tau": ("holds", "holds", "holds"),
    "tau_a": ("holds without ties", "holds without ties", "holds"),
    "tau_b": ("holds", "holds", "holds"),
    "tau_e": ("holds", "holds without ties", "holds without ties"),
    "tau_ap": ("holds", "holds", "holds"),
    "tau_ap_a": ("holds without ties", "holds without ties", "holds"),
    "tau_gap": ("holds", "holds", "fails"),
    "pearson_rank": ("fails", "fails", "fails"),
    "pearson_r": ("fails", "fails", "holds"),
    "spearman_rho": ("holds", "holds", "holds"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_axioms_of_scores(name):
    found = cd.axioms(name).to_dict()
    assert (found[1], found[2], found[5]) == EXPECTED[name]
    assert found[3] == found[4] == "does not apply"


@pytest.mark.parametrize("weight", ["tau", "tau_ap", "tau_h"])
def test_axioms_of_profiles(weight):
    """sc fails axiom 4, ac holds 3, 4 and 5; dw holds 1, 2 and 4, and 5 with equal weights only."""
    no = "does not apply"
    assert cd.axioms(f"{weight}_sc").to_dict() == {1: no, 2: no, 3: "holds", 4: "fails", 5: "holds"}
    assert cd.axioms(f"{weight}_ac").to_dict() == {1: no, 2: no, 3: "holds", 4: "holds", 5: "holds"}
    centred = "holds" if weight == "tau" else "fails"
    assert cd.axioms(f"{weight}_dw").to_dict() == {1: "holds", 2: "holds", 3: "fails", 4: "holds", 5: centred}


def test_a_biased_a_is_found():
    assert cd.axioms("tau_ac(a=-0.7)")[5].status == "fails"
    assert cd.axioms("tau_sc(a=0)")[5].status == "fails"


def test_counterexamples_are_real_and_small():
    against = cd.axioms("tau_gap")[5].counterexample
    assert against.startswith("x = [3, 2, 0], y = [2, 1, 0]: mean over all orders of y")
    assert cd.axioms("tau_sc")[4].counterexample.startswith("x_grades = [0, 2, 1], y_grades = [1, 2, 0]")
    assert cd.tau_sc([0, 2, 1], [1, 2, 0]) > -1
    assert cd.axioms("tau_a")[1].counterexample == "x = [0, 0], y = [0, 0]: 0, not 1"


def test_axioms_of_a_users_own_function():
    def always_one(x, y):
        return 1.0

    def backwards(x_grades, y_grades):
        return -1.0 if np.array_equal(x_grades, y_grades[::-1]) else 1.0

    def with_grades(x, y, grades):
        return float(np.sign(x[0] - x[1]) * np.sign(y[0] - y[1]))

    found = cd.axioms(always_one)
    assert found.to_dict() == {1: "holds", 2: "fails", 3: "does not apply", 4: "does not apply", 5: "fails"}
    assert found.coefficient == "always_one"
    assert cd.axioms(backwards).to_dict()[4] == "holds"
    assert cd.axioms(backwards).to_dict()[3] == "fails"
    assert cd.axioms(with_grades).to_dict()[1] == "holds"
    assert cd.axioms(lambda a, b: 1.0, inputs="profiles").to_dict()[3] == "holds"


def test_axioms_print_as_a_table_and_obey_their_seed():
    table = repr(cd.axioms("tau_b"))
    assert table.splitlines()[0].startswith("axiom  of tau_b")
    assert len(table.splitlines()) == 7
    assert cd.axioms("pearson_rank", rng=3) == cd.axioms("pearson_rank", rng=3)
    with pytest.raises(IndexError, match="numbered 1 to 5, got 0"):
        cd.axioms("tau_b")[0]
    with pytest.raises(ValueError, match="inputs must be 'scores', 'profiles' or 'graded', got 'x'"):
        cd.axioms("tau_b", inputs="x")


# Radja 2018, table 3.1, and its extension.
CHOICES = [
    ({"what": "none", "head": False}, "tau", "cd.tau(x, y)"),
    ({"what": "none", "head": True}, "tau_ap", "cd.tau_ap(x, y)"),
    ({"what": "none", "head": True, "where": "observers"}, "tau_ap", "cd.tau_ap(x, y, symmetric=True)"),
    ({"where": "truth", "what": "indiscernible", "head": False}, "tau_a", "cd.tau_a(x, y)"),
    ({"where": "truth", "what": "indiscernible", "head": True}, "tau_ap_a", "cd.tau_ap_a(x, y)"),
    ({"where": "observers", "what": "indiscernible", "head": False}, "tau_b", "cd.tau_b(x, y)"),
    ({"where": "observers", "what": "indiscernible", "head": True}, "tau_ap_b", "cd.tau_ap_b(x, y)"),
    ({"what": "equal", "head": False}, "tau_e", "cd.tau_e(x, y)"),
    ({"what": "equal", "head": True}, "tau_ap_e", "cd.tau_ap_e(x, y)"),
    (
        {"where": "truth", "what": "indiscernible", "when": "threshold", "head": False},
        "tau_a",
        "cd.tau_a(x, y, threshold=w)",
    ),
    (
        {"where": "observers", "what": "indiscernible", "when": "threshold", "head": True},
        "tau_ap_b",
        "cd.tau_ap_b(x, y, threshold=w)",
    ),
    ({"what": "equal", "when": "threshold", "head": True}, "tau_ap_e", "cd.tau_ap_e(x, y, threshold=w)"),
    ({"gaps": "both", "head": False}, "pearson_r", "cd.pearson_r(x, y)"),
    ({"gaps": "both", "head": True}, "pearson_rank", "cd.pearson_rank(x, y)"),
    ({"gaps": "reference"}, "tau_gap", "cd.tau_gap(x, y)"),
    (
        {"gaps": "both", "head": True, "where": "observers"},
        "pearson_rank",
        "cd.pearson_rank(x, y, symmetric=True)",
    ),
    ({"grades": "items", "head": False}, "tau_dw", "cd.tau_dw(x, y, grades)"),
    ({"grades": "items", "head": True}, "tau_ap_dw", "cd.tau_ap_dw(x, y, grades)"),
    ({"grades": "profiles", "head": False}, "tau_ac", "cd.tau_ac(x_grades, y_grades, max_grade=m)"),
    ({"grades": "profiles", "head": True}, "tau_ap_ac", "cd.tau_ap_ac(x_grades, y_grades, max_grade=m)"),
]


@pytest.mark.parametrize(("answers", "name", "call"), CHOICES)
def test_choices(answers, name, call):
    choice = cd.choose(**answers)
    assert choice.coefficient.name == name
    assert choice.call == call
    assert choice.reason
    assert repr(choice) == f"{name}: {choice.reason}\n{call}"


def test_the_call_that_is_advised_runs():
    x, y, grades = [3, 2, 1], [3, 1, 2], [2, 1, 0]
    names = {
        "cd": cd,
        "x": x,
        "y": y,
        "grades": grades,
        "w": 0.5,
        "x_grades": grades,
        "y_grades": grades[::-1],
        "m": 2,
    }
    for answers, _, _ in CHOICES:
        assert -1 <= eval(cd.choose(**answers).call, names) <= 1


def test_every_set_of_answers_gives_a_coefficient_or_a_question():
    options = {
        "where": (None, "truth", "observers"),
        "what": (None, "none", "indiscernible", "equal"),
        "when": (None, "same", "threshold"),
        "head": (None, True, False),
        "gaps": (None, "both", "reference", False),
        "grades": (None, "items", "profiles", False),
    }
    for answers in product(*options.values()):
        contradictory = (answers[4] and answers[5]) or (
            answers[2] == "threshold" and (answers[1] == "none" or answers[4] or answers[5])
        )
        if any(answer is not None for answer in answers) and not contradictory:
            choice = cd.choose(**dict(zip(options, answers, strict=True)))
            assert (choice.coefficient is None) == bool(choice.question)
            if (
                choice.coefficient is not None
                and choice.coefficient.inputs == "scores"
                and answers[3] is not None
            ):
                assert choice.coefficient.head_weighted == answers[3]


def test_without_answers_the_tree_is_printed(capsys):
    assert cd.choose() is None
    printed = capsys.readouterr().out
    for name in cd.REGISTRY:
        assert name in printed, name


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"where": "here"}, "where must be 'truth' or 'observers', got 'here'"),
        ({"head": "yes"}, "head must be True or False, got 'yes'"),
        ({"grades": "items", "gaps": "both"}, "no coefficient counts both"),
        ({"what": "none", "when": "threshold"}, "a threshold makes ties"),
        ({"gaps": "some"}, "gaps must be 'both', 'reference' or False, got 'some'"),
    ],
)
def test_wrong_answers(answers, message):
    with pytest.raises(ValueError, match=message):
        cd.choose(**answers)


def test_what_was_never_defined_is_not_said_to_hold():
    found = cd.axioms(lambda x, y: float("nan"))
    assert {verdict.status for verdict in found} == {"does not apply"}
    assert found[1].counterexample == "undefined in all cases tried"


def test_axioms_of_bound_options_and_cuts():
    assert cd.axioms("tau_sc(max_grade=2)").to_dict()[5] == "holds"
    assert cd.axioms("tau_b@2").to_dict()[1] == "holds"

    def without_scale(x_grades, y_grades):
        return cd.tau_sc(x_grades, y_grades)

    assert cd.axioms(without_scale)[5].status == "fails"
