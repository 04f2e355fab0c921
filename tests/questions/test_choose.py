"""The choice of a coefficient, from what the coefficients declare."""

from __future__ import annotations

import functools
import inspect
import math
from itertools import product

import pytest

import concordant as cd
from concordant.questions.choose import questions

ANSWERS = {
    "symmetric": (False, True),
    "same_items": (True, False),
    "grades": ("items", "lists", False),
    "gaps": ("both", "reference", False),
    "ties": ("error", "indiscernible", "undecided", "ignored", "equality", "values"),
    "top_weighted": (True, False),
    "threshold": (True, False),
}

# Radja 2018, table 3.1, and its extension.
CHOICES = [
    ({"ties": "error", "top_weighted": False}, "tau", "cd.tau(x, y)"),
    ({"ties": "error", "top_weighted": True}, "tau_ap", "cd.tau_ap(x, y)"),
    (
        {"ties": "error", "top_weighted": True, "symmetric": True},
        "tau_ap",
        "cd.tau_ap(x, y, symmetric=True)",
    ),
    ({"ties": "undecided", "top_weighted": False}, "tau_a", "cd.tau_a(x, y)"),
    ({"ties": "undecided", "top_weighted": True}, "tau_ap_a", "cd.tau_ap_a(x, y)"),
    ({"ties": "ignored", "top_weighted": False}, "tau_b", "cd.tau_b(x, y)"),
    ({"ties": "ignored", "top_weighted": True}, "tau_ap_b", "cd.tau_ap_b(x, y)"),
    ({"ties": "equality", "top_weighted": False}, "tau_e", "cd.tau_e(x, y)"),
    ({"ties": "equality", "top_weighted": True}, "tau_ap_e", "cd.tau_ap_e(x, y)"),
    (
        {"ties": "undecided", "threshold": True, "top_weighted": False},
        "tau_a",
        "cd.tau_a(x, y, threshold=w)",
    ),
    (
        {"ties": "ignored", "threshold": True, "top_weighted": True},
        "tau_ap_b",
        "cd.tau_ap_b(x, y, threshold=w)",
    ),
    (
        {"ties": "equality", "threshold": True, "top_weighted": True},
        "tau_ap_e",
        "cd.tau_ap_e(x, y, threshold=w)",
    ),
    ({"gaps": "both", "top_weighted": False}, "pearson_r", "cd.pearson_r(x, y)"),
    ({"gaps": "both", "top_weighted": True}, "pearson_rank", "cd.pearson_rank(x, y)"),
    ({"gaps": "reference"}, "tau_gap", "cd.tau_gap(x, y)"),
    (
        {"gaps": "both", "top_weighted": True, "symmetric": True},
        "pearson_rank",
        "cd.pearson_rank(x, y, symmetric=True)",
    ),
    ({"grades": "items", "top_weighted": False}, "tau_dw", "cd.tau_dw(x, y, grades)"),
    ({"grades": "items", "top_weighted": True}, "tau_ap_dw", "cd.tau_ap_dw(x, y, grades)"),
    (
        {"grades": "lists", "gaps": "both", "top_weighted": False},
        "tau_ac",
        "cd.tau_ac(x_grades, y_grades, max_grade=m)",
    ),
    (
        {"grades": "lists", "gaps": "both", "top_weighted": True},
        "tau_ap_ac",
        "cd.tau_ap_ac(x_grades, y_grades, max_grade=m)",
    ),
    (
        {"grades": "lists", "gaps": False, "top_weighted": False},
        "tau_sc",
        "cd.tau_sc(x_grades, y_grades, max_grade=m)",
    ),
]


# Radja 2018, table 3.1: what a tie means, and when items are tied, in the columns truth against observer, and
# observer against observer; Kendall's tau and the AP correlation.
TABLE = [
    ({"ties": "error"}, ("tau", "tau")),
    ({"ties": "indiscernible", "threshold": False}, ("tau_a", "tau_b")),
    ({"ties": "equality", "threshold": False}, ("tau_e", "tau_e")),
    ({"ties": "indiscernible", "threshold": True}, ("tau_a", "tau_b")),
    ({"ties": "equality", "threshold": True}, ("tau_e", "tau_e")),
]


@pytest.mark.parametrize(("answers", "names"), TABLE)
@pytest.mark.parametrize("observers", [False, True])
def test_table_3_1_of_the_thesis_comes_out(answers, names, observers):
    """The first question is whether one ranking is the truth; the call has a threshold if asked for."""
    for top_weighted in (False, True):
        name = names[observers].replace("tau", "tau_ap") if top_weighted else names[observers]
        choice = cd.choose(symmetric=observers, top_weighted=top_weighted, **answers)
        assert (choice.open, choice.coefficient.name) == ("", name)
        assert ("threshold=w" in choice.call) == answers.get("threshold", False)
    assert cd.choose(ties="indiscernible", top_weighted=False).open == "symmetric"
    assert questions().splitlines()[2] == "Are both rankings made by observers, or is one of them the truth?"


@pytest.mark.parametrize(("answers", "name", "call"), CHOICES)
def test_the_choices_of_the_paper_are_made(answers, name, call):
    """The coefficient, its question, the call to make, and what else would fit."""
    choice = cd.choose(**answers)
    assert choice.coefficient.name == name
    assert choice.call == call
    assert choice.open == ""
    assert choice.coefficient.question
    others = [str(each.coefficient) for each in choice.candidates[1:]]
    assert choice.verdict[0] == f"{name} fits: {choice.coefficient.question}"
    assert all(other in choice.verdict[1] for other in others)
    assert repr(choice).splitlines()[0] == call


def test_the_call_that_is_advised_runs():
    """As it stands, with rankings, grades and a threshold of the user."""
    grades = [2, 1, 0]
    names = {"cd": cd, "x": [3, 2, 1], "y": [3, 1, 2], "w": 0.5, "m": 2}
    names |= {"grades": grades, "x_grades": grades, "y_grades": grades[::-1]}
    for answers, _, _ in CHOICES:
        assert -1 <= eval(cd.choose(**answers).call, names) <= 1


@functools.cache
def every_choice():
    """All sets of answers, each with its choice, or with the error."""
    found = []
    for given in product(*((None, *answers) for answers in ANSWERS.values())):
        answers = {name: answer for name, answer in zip(ANSWERS, given, strict=True) if answer is not None}
        if answers:
            try:
                found.append((answers, cd.choose(**answers), None))
            except cd.ArgumentError as error:
                found.append((answers, None, error))
    return found


def meanings(answers, c):
    """What a tie may mean; what is indiscernible depends on whether one side is the truth."""
    by_side = {False: ("undecided",), True: ("ignored",), None: ("undecided", "ignored")}
    ties = answers.get("ties", c.ties)
    return by_side[answers.get("symmetric")] if ties == "indiscernible" else (ties,)


def fits(c, answers):
    """Whether what a coefficient declares is what was answered."""
    both = c.symmetric or "symmetric" in inspect.signature(c.function).parameters
    return (
        (both or not answers.get("symmetric"))
        and c.inputs
        == {"items": "graded_items", "lists": "graded_lists"}.get(
            answers.get("grades"), "scores" if answers.get("same_items", True) else "lists"
        )
        and answers.get("same_items", True) == (c.inputs != "lists")
        and c.gaps == (answers.get("gaps", c.gaps) or "none")
        and c.ties in meanings(answers, c)
        and c.top_weighted is answers.get("top_weighted", c.top_weighted)
        and (c.thresholds or not answers.get("threshold"))
    )


def test_every_set_of_answers_gives_a_coefficient_a_question_or_an_error():
    """What an answer says is true of all candidates; what is open is a question not yet answered."""
    for answers, choice, _ in every_choice():
        if choice is None:
            continue
        assert choice.candidates, answers
        assert all(fits(each.coefficient, answers) for each in choice.candidates), answers
        assert (choice.coefficient is None) == bool(choice.open) == (not choice.call)
        if choice.open:
            assert choice.open in ANSWERS
            assert choice.open not in answers
            assert choice.verdict[1].startswith("Still open: ")
            assert choice.next_step().count(f"{choice.open}=") == len(ANSWERS[choice.open])
        else:
            assert choice.coefficient is choice.candidates[0].coefficient
            assert ("threshold=w" in choice.call) == answers.get("threshold", False)


def test_without_an_answer_neither_grades_nor_gaps_are_meant():
    """Then all coefficients of two scorings that look at the order alone fit, and are all asked about."""
    choice = cd.choose(symmetric=False)
    expected = [c.name for c in cd.REGISTRY.values() if c.inputs == "scores" and c.gaps == "none"]
    assert [str(each.coefficient) for each in choice.candidates] == expected
    assert choice.open == "ties"
    words = ("error", "indiscernible", "undecided", "ignored", "equality")
    answers = f"{', '.join(f'ties={word!r}' for word in words)} or ties='values'"
    assert choice.verdict == (f"{len(expected)} coefficients fit.", "Still open: What does a tie mean?")
    assert repr(choice).splitlines()[0] == f"answer {answers}"


def test_what_is_chosen_for_two_equal_sides_is_symmetric():
    """By its declaration, or by the call."""
    for answers, choice, _ in every_choice():
        if choice is not None and choice.coefficient is not None and answers.get("symmetric"):
            assert choice.coefficient.symmetric or "symmetric=True" in choice.call, answers


def test_every_coefficient_of_the_package_can_be_reached():
    """As a candidate when nothing is open."""
    settled, left = set(), set()
    for _, choice, _ in every_choice():
        if choice is not None:
            names = {each.coefficient.name for each in choice.candidates}
            left |= names
            settled |= set() if choice.open else names
    assert left == set(cd.REGISTRY)
    assert settled == set(cd.REGISTRY)


@pytest.mark.slow
def test_answers_are_refused_only_if_no_coefficient_fits():
    """One sentence that repeats the answers that count, and only these."""
    refused = 0
    for answers, choice, error in every_choice():
        scores = {"grades": False, "gaps": False} if "grades" not in answers else {}
        fitting = [c for c in cd.REGISTRY.values() if fits(c, {**scores, **answers})]
        assert (choice is None) == (not fitting), answers
        if error is not None:
            refused += 1
            given = ", ".join(f"{key}={value!r}" for key, value in answers.items())
            assert str(error) == f"choose: no coefficient fits {given}; change one of the answers"
    assert refused > 100


def test_a_coefficient_registered_at_run_time_is_among_the_candidates():
    """Its declaration says where it fits; without a declaration of ties it fits nowhere."""
    try:

        @cd.register(ties="equality", symmetric=True, question="do the two agree by my own lights?")
        def mine(x, y, *, threshold=0.0):
            return 0.0

        @cd.register(ties="undecided", gaps="reference", top_weighted=True)
        def my_gap(x, y):
            return 0.0

        @cd.register()
        def undeclared(x, y):
            return 0.0

        def candidates(**answers):
            return [str(each.coefficient) for each in cd.choose(**answers).candidates]

        assert candidates(ties="equality", top_weighted=False) == ["tau_e", "mine"]
        assert candidates(ties="equality", top_weighted=False, threshold=True) == ["tau_e", "mine"]
        assert candidates(gaps="reference", ties="undecided") == ["my_gap"]
        assert cd.choose(gaps="reference", ties="undecided").call == "cd.my_gap(x, y)"
        assert "undeclared" not in candidates(symmetric=True)
        assert "do the two agree by my own lights?" in cd.choose(ties="equality").to_text()
        assert "mine" in questions()
        assert "undeclared" not in questions()
    finally:
        for name in ("mine", "my_gap", "undeclared"):
            cd.REGISTRY.pop(name, None)


def test_without_answers_the_questions_are_printed(capsys):
    """All coefficients of the package stand beside the answers that lead to them."""
    assert cd.choose() is None
    printed = capsys.readouterr().out
    assert printed == questions() + "\n"
    for name in cd.REGISTRY:
        assert name in printed, name
    for name in ("same_items", "grades", "gaps", "ties", "top_weighted", "threshold"):
        assert all(f"\n  {name}={answer!r} " in printed for answer in ANSWERS[name])


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"grades": "here"}, "grades must be 'items', 'lists' or False, got 'here'"),
        ({"top_weighted": "yes"}, "top_weighted must be True or False, got 'yes'"),
        ({"symmetric": 1}, "symmetric must be True or False, got 1"),
        (
            {"ties": "x"},
            "ties must be 'error', 'indiscernible', 'undecided', 'ignored', 'equality' or 'values', got 'x'",
        ),
        ({"gaps": "some"}, "gaps must be 'both', 'reference' or False, got 'some'"),
        (
            {"grades": "items", "gaps": "both"},
            "no coefficient fits grades='items', gaps='both'; change one of the answers",
        ),
        (
            {"ties": "error", "threshold": True},
            "no coefficient fits ties='error', threshold=True; change one of the answers",
        ),
    ],
)
def test_wrong_and_contradictory_answers_are_one_sentence(answers, message):
    """It begins with the name of the function and repeats the answers."""
    with pytest.raises(cd.ArgumentError) as error:
        cd.choose(**answers)
    assert str(error.value) == f"choose: {message}"
    assert error.value.text == message


def test_the_alternatives_on_scores_are_what_correlate_gives(reference, sides):
    """For every measure; the answer that leads to each stands beside it."""
    study = cd.Study(reference, {"fair": sides["fair"]})
    choice = cd.choose(study, ties="ignored", top_weighted=True)
    names = list(dict.fromkeys(str(each.coefficient) for each in choice.alternatives))
    assert names[0] == "tau_ap_b"
    for each in choice.alternatives:
        x, y = (side.mean(each.measure) for side in (reference, sides["fair"]))
        refused = each.coefficient.ties == "error" and len(set(x.values())) < len(x)
        assert each.value == pytest.approx(math.nan if refused else each.coefficient(x, y), nan_ok=True)
    assert {each.other_answer for each in choice.alternatives if each.coefficient.name == "tau_b"} == {
        "top_weighted=False"
    }
    assert len(cd.choose(reference, sides["fair"]).alternatives) > len(choice.alternatives)
    with pytest.raises(cd.ArgumentError, match="coefficients of grades take more than two sides"):
        cd.choose(reference, sides["fair"], grades="items")
