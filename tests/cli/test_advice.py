"""concordant choose, list and axioms."""

from __future__ import annotations

import json

import pytest
from support.program import run

import concordant as cd


def test_choose_says_which_coefficient_fits():
    """As cd.choose does, with its call."""
    result = run("choose", "--ties", "undecided", "--top-weighted", "--threshold")
    assert result.returncode == 0, result.stderr
    choice = cd.choose(ties="undecided", top_weighted=True, threshold=True)
    assert choice.coefficient.name == "tau_ap_a"
    assert result.stdout == f"{choice!r}\n"
    assert choice.call in result.stdout


@pytest.mark.parametrize(
    ("arguments", "answers"),
    [
        (["--grades", "items"], {"grades": "items"}),
        (["--grades", "no", "--gaps", "no"], {"grades": False, "gaps": False}),
        (["--gaps", "both", "--symmetric"], {"gaps": "both", "symmetric": True}),
        (["--ties", "equality", "--no-top-weighted"], {"ties": "equality", "top_weighted": False}),
        (
            ["--ties", "error", "--no-threshold", "--no-symmetric"],
            {"ties": "error", "threshold": False, "symmetric": False},
        ),
    ],
)
def test_options_of_choose_are_answers(arguments, answers):
    """Also in the negative."""
    assert json.loads(run("choose", *arguments, "--format", "json").stdout) == cd.choose(**answers).to_dict()


def test_choose_without_answers_asks(refused):
    """All questions, as text only, with the answers as they are typed."""
    printed = run("choose").stdout
    assert printed.startswith("Which coefficient?")
    assert all(f"\n  {typed} " in printed for typed in ("--grades no", "--ties error", "--no-threshold"))
    assert "='" not in printed
    refused(run("choose", "--format", "json"), "concordant choose: answer at least one question")


def test_choose_says_what_is_still_open():
    """And how many coefficients fit."""
    result = run("choose", "--ties", "undecided")
    assert result.returncode == 0
    asked = "Should the top of the ranking count more? --top-weighted or --no-top-weighted"
    assert result.stdout == f"2 coefficients fit.\nStill open: {asked}\n"


def test_list_has_all_coefficients():
    """In the order of the registry, with what they declare."""
    listed = json.loads(run("list", "--format", "json").stdout)["tables"]["coefficients"]
    assert [row["coefficient"] for row in listed] == list(cd.REGISTRY)
    for row in listed:
        declared = cd.REGISTRY[row["coefficient"]]
        assert (row["ties"], row["gaps"], row["inputs"]) == (declared.ties, declared.gaps, declared.inputs)


def test_axioms_are_those_of_the_library():
    """With the number of each."""
    found = json.loads(run("axioms", "tau_b", "--format", "json").stdout)["tables"]["verdicts"]
    assert {row["axiom"]: row["status"] for row in found} == cd.axioms("tau_b").statuses()
