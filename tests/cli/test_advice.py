"""concordant choose, list and axioms."""

from __future__ import annotations

import json
import shlex
import time

import pytest
from support.program import run
from support.schema import check, without_provenance
from support.terminal import Terminal

import concordant as cd


def test_choose_says_which_coefficient_fits():
    """As cd.choose does, with the command to type instead of the call in Python."""
    result = run("coefficients choose", "--ties", "undecided", "--top-weighted", "--threshold")
    assert result.returncode == 0, result.stderr
    choice = cd.choose(ties="undecided", top_weighted=True, threshold=True)
    assert choice.coefficient.name == "tau_ap_a"
    command, _, said, *_ = result.stdout.splitlines()
    assert command == "concordant correlate human.csv gpt.csv -c 'tau_ap_a(0.05)'"
    assert said.startswith("tau_ap_a fits: how accurately")
    assert choice.verdict[0] in " ".join(result.stdout.split())


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
    told = json.loads(run("coefficients choose", *arguments, "--format", "json").stdout)
    assert without_provenance(told) == without_provenance(cd.choose(**answers).to_dict())
    assert told["options"] == answers


def test_choose_without_answers_asks(refused):
    """All questions, as text only, with the answers as they are typed."""
    printed = run("coefficients choose").stdout
    assert printed.startswith("Which coefficient?")
    assert all(f"\n  {typed} " in printed for typed in ("--grades no", "--ties error", "--no-threshold"))
    assert "='" not in printed
    assert max(map(len, printed.splitlines())) <= 80
    refused(
        run("coefficients choose", "--format", "json"),
        "concordant coefficients choose: answer at least one question",
    )


def test_choose_says_what_is_still_open():
    """And which coefficients fit."""
    result = run("coefficients choose", "--ties", "undecided")
    assert result.returncode == 0
    assert result.stdout.splitlines()[0] == "answer --top-weighted or --no-top-weighted"
    said = (
        "3 coefficients fit: tau_a, tau_c and tau_ap_a. Still open: Should the top of the ranking count more?"
    )
    assert said in " ".join(result.stdout.split())


def values_of(result):
    """Return the values of the table of alternatives by coefficient and measure."""
    assert result.returncode == 0, result.stderr
    content = json.loads(result.stdout)
    check(content)
    return {(row["coefficient"], row["measure"]): row for row in content["tables"]["alternatives"]}


def test_choose_shows_what_the_alternatives_give_on_two_tables(folder):
    """Those that one other answer leads to, with the values that correlate gives."""
    typed = ["coefficients choose", "human.csv", "noisy.csv", "--ties", "ignored", "--top-weighted"]
    found = values_of(run(*typed, "--format", "json", cwd=folder))
    names = list(dict.fromkeys(name for name, _ in found))
    assert names == ["tau_ap_b", "tau_ap", "tau_ap_a", "tau_ap_e", "tau_b", "tau_ap_b(0.05)"]
    human, noisy = (cd.read_scores(folder / f"{name}.csv") for name in ("human", "noisy"))
    for each in cd.correlate(human, noisy, names, resampling=None):
        assert found[str(each.coefficient), each.measure.measure]["value"] == each.value
    assert found["tau_ap_b", "AP"]["other_answer"] is None
    assert found["tau_b", "AP"]["other_answer"] == "--no-top-weighted"
    text = run(*typed, cwd=folder).stdout
    assert text.startswith("concordant correlate human.csv noisy.csv -c tau_ap_b\n")
    assert "What the alternatives give\n\ncoefficient" in text


def test_a_coefficient_that_refuses_ties_has_no_value_and_a_note(wide):
    """The others have theirs."""
    result = run(
        "coefficients choose", "human.csv", "constant.csv", "--ties", "error", "--top-weighted", cwd=wide
    )
    assert result.returncode == 0, result.stderr
    assert "tau_ap is undefined: " in " ".join(result.stdout.split())
    assert "y has tied items" in result.stdout


def test_without_answers_all_that_fit_are_shown_on_two_tables(folder):
    """And which question is open."""
    result = run("coefficients choose", "human.csv", "noisy.csv", cwd=folder)
    assert result.returncode == 0, result.stderr
    choice = cd.choose(same_items=True)
    said = f"{len(choice.candidates)} coefficients fit. Still open: What does a tie mean?"
    assert said in result.stdout
    assert all(f"\n{each.coefficient} " in result.stdout for each in choice.candidates)


def test_choose_compares_two_runs_as_lists(folder):
    """The command that is advised gives the same number."""
    typed = ["runs/dense-2.run", "runs/dense-6.run"]
    result = run(
        "coefficients choose", *typed, "--no-same-items", "--ties", "undecided", "--threshold", cwd=folder
    )
    assert result.returncode == 0, result.stderr
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("concordant runs")]
    again = run(*shlex.split(line)[1:], "--no-interval", "--format", "json", cwd=folder)
    assert again.returncode == 0, again.stderr


def test_choose_takes_two_files_or_none(folder, refused):
    """Of scores or runs; grades need more."""
    refused(
        run("coefficients choose", "human.csv", "--ties", "error", cwd=folder),
        "give two files, a reference and an",
    )
    result = run("coefficients choose", "human.csv", "noisy.csv", "--grades", "items", cwd=folder)
    refused(result, "coefficients of grades take more than two sides; leave the data out")


def test_on_a_terminal_choose_asks_one_question_after_the_other(folder):
    """Numbers, words and beginnings of words are answers, Enter is the usual one; else it asks again."""
    with Terminal("coefficients choose", "human.csv", "noisy.csv", cwd=folder) as terminal:
        for asked, typed in (
            ("Are both rankings made by observers, or is one of them the truth?", ""),
            ("Do both sides hold the same items?", ""),
            ("Are the grades of the documents known", "no"),
            ("Do differences between scores", "3"),
            ("What does a tie mean?", "sometimes"),
            ("answer with a number from 1 to", "ignored"),
            ("Should the top of the ranking count more?", "y"),
            ("Are items tied if their scores differ", "yes"),
        ):
            terminal.wait_for(asked)
            terminal.wait_for("A number or a word [Enter: ")
            terminal.type(typed)
        seen = terminal.rest()
    assert terminal.returncode == 0, seen
    assert "concordant correlate human.csv noisy.csv -c 'tau_ap_b(0.05)'" in seen
    assert "What the alternatives give" in seen
    assert "cd." not in seen


def test_what_one_does_not_know_stays_open(folder):
    """All that fit are named then, and the question is said again."""
    with Terminal("coefficients choose", cwd=folder) as terminal:
        for _ in range(5):
            terminal.wait_for("A number or a word [Enter: ")
            terminal.type("")
        seen = terminal.rest("")
    assert terminal.returncode == 0, seen
    assert "Still open: What does a tie mean?" in seen


def test_ctrl_c_ends_the_questions(folder):
    """With the code of an interruption, and no traceback."""
    with Terminal("coefficients choose", cwd=folder) as terminal:
        terminal.wait_for("A number or a word [Enter: ")
        for _ in range(10):
            time.sleep(0.2)
            terminal.type("\x03", enter=False)
            try:
                seen = terminal.rest(seconds=5)
                break
            except TimeoutError:  # Python misses a signal that comes just before it waits for the line
                continue
    assert terminal.returncode == 130
    assert "concordant: interrupted" in seen
    assert "Traceback" not in seen


def test_list_has_all_coefficients():
    """In the order of the registry, with what they declare."""
    listed = json.loads(run("coefficients list", "--format", "json").stdout)["tables"]["coefficients"]
    assert [row["coefficient"] for row in listed] == list(cd.REGISTRY)
    for row in listed:
        declared = cd.REGISTRY[row["coefficient"]]
        assert (row["ties"], row["gaps"], row["inputs"]) == (declared.ties, declared.gaps, declared.inputs)


def test_axioms_are_those_of_the_library():
    """With the number of each."""
    found = json.loads(run("coefficients axioms", "tau_b", "--format", "json").stdout)["tables"]["checks"]
    assert {row["axiom"]: row["status"] for row in found} == {
        each.axiom: each.status for each in cd.experiments.axioms("tau_b")
    }
