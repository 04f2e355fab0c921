"""The commands about coefficients: choose, identify, list, axioms."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

import click

from concordant.cli import options
from concordant.cli.command import Option, answer, ask, command
from concordant.cli.inputs import study_of_files
from concordant.cli.output import emit, say

if TYPE_CHECKING:
    from concordant.questions.choose import Choice


@command("list", "questions.choose.listing", *options.OUTPUT)
def listed(**how: Any) -> int:
    """List all coefficients and what they declare.

    \b
    Example:
      concordant coefficients list --format markdown
    """
    return answer(how, says="listing")


@command(
    "axioms",
    "experiments.axioms.axioms",
    click.Argument(["coefficient"], shell_complete=options.coefficient_names),
    *(options.seed(), *options.OUTPUT),
)
def axioms(**how: Any) -> int:
    """Check the five axioms of correlation of graded rankings for a coefficient.

    \b
    Example:
      concordant coefficients axioms tau_ap_b
    """
    return answer(how, says="trying the axioms")


@command(
    "identify",
    "questions.identify.identify",
    *options.BOTH_SIDES,
    Option("--value NUMBER", "The number as it is printed, such as 0.736.", required=True),
    Option("--thresholds W,W,...", "Thresholds to try beside 0, such as 0.01,5%.", callback=options.words),
    *(*options.TABLES, *options.ALIGNED, *options.OUTPUT),
)
def identify(reference: str, estimate: str, **how: Any) -> int:
    """Find which coefficient, in which variant, of what, gives a printed number.

    All coefficients of scores and their variants are tried on the mean scores, as a mean over topics and on
    all scores together, with ties as they are and broken by the order of the systems.

    \b
    Examples:
      concordant coefficients identify human.csv gpt.csv --value 0.736
      concordant coefficients identify human.csv gpt.csv --value 0.74 --thresholds 0.01,5%
    """
    return answer(how, study_of_files((reference, estimate), {**how, "runs": ()}), says="trying coefficients")


@command(
    "choose",
    "questions.choose.choose",
    Option("--symmetric/--no-symmetric", "Are both made by observers, or is one the truth?", default=None),
    Option("--same-items/--no-same-items", "Do both sides hold the same items? Usually yes.", default=None),
    Option("--grades items|lists|no", "Should the grades of documents agree?"),
    Option("--gaps reference|both|no", "Do differences between scores matter, besides the order?"),
    Option("--ties error|indiscernible|undecided|ignored|equality|values", "What does a tie mean?"),
    Option("--top-weighted/--no-top-weighted", "Does the top of the ranking count more?", default=None),
    Option("--threshold/--no-threshold", "Are items tied up to a threshold?", default=None),
    *(options.files("[REFERENCE ESTIMATE]", required=False), *options.OUTPUT),
)
def choose(files: tuple[str, ...], **how: Any) -> None:
    """Advise which coefficient fits the question.

    Without options, it asks one question after the other on a terminal, and prints all questions elsewhere.
    With two score tables (or two runs, if their items are not the same), it also shows the values of the
    coefficient and of its alternatives, so that you see whether the choice changes the number.

    \b
    Examples:
      concordant coefficients choose
      concordant coefficients choose --ties undecided --top-weighted --threshold
      concordant coefficients choose human.csv gpt.csv --ties ignored --top-weighted
    """
    from concordant.questions.choose import QUESTIONS, questions

    if len(files) not in (0, 2):
        raise click.UsageError(f"give two files, a reference and an estimate, or none; got {len(files)}")
    asked = {each.name: how[each.name] for each in QUESTIONS if how[each.name] is not None}
    answers: dict[str, Any] = {name: value != "no" and value for name, value in asked.items()}
    plain = how["outputs"] == [(None, "table")] and how["table"] is None and not how["details"]
    if not answers and sys.stdin.isatty() and sys.stdout.isatty() and plain:
        answers = _ask()
    elif not answers and not files:
        if not plain:
            raise click.UsageError("answer at least one question for a result to write")
        say(questions() + "\n")
        return
    sides = _read(files, answers) if files else ()
    choice = ask({}, *sides, says="comparing", **answers or {"same_items": True})
    emit(choice, how, _next_step(choice, files))


def _ask() -> dict[str, Any]:
    """Ask the questions that matter, one after the other."""
    from concordant.questions.choose import questions_left

    answers: dict[str, Any] = {}
    for question, offered in questions_left(answers):
        words = {_word(each): each for each in offered}
        width = max(map(len, words))
        click.echo(question.text)
        for number, (word, meant) in enumerate(words.items(), 1):
            meaning = question.answers[meant].removeprefix(word).removeprefix(", ")
            click.echo(f"  {number}  {word:<{width}}  {meaning}".rstrip())
        usual = _word(question.usual) if question.usual in offered else "do not know"
        typed = click.prompt(
            f"A number or a word [Enter: {usual}]",
            default=usual,
            show_default=False,
            value_proc=functools.partial(_understood, words=words, usual=usual),
        )
        click.echo()
        if typed is not None:
            answers[question.name] = typed
    return answers


def _word(answer: Any) -> str:
    """Return an answer as it is typed."""
    return {True: "yes", False: "no"}.get(answer, str(answer))


def _understood(typed: str, words: dict[str, Any], usual: str) -> Any:
    """Return the answer for a number, a word or the beginning of a word; None if the user does not know."""
    text = typed.strip().lower()
    if text.isdecimal() and 1 <= int(text) <= len(words):
        return list(words.values())[int(text) - 1]
    matching = [word for word in (*words, usual) if text and word.startswith(text)]
    if text in matching or len(set(matching)) == 1:
        return words.get(text if text in matching else matching[0])
    raise click.UsageError(f"answer with a number from 1 to {len(words)}, or one of {', '.join(words)}")


def _read(files: tuple[str, ...], answers: dict[str, Any]) -> tuple[Any, ...]:
    """Read two tables; runs, which need not hold the same items, are read when they are compared."""
    if answers.get("same_items") is False:
        return files
    nothing = {"runs": (), "measures": (), "input_format": None, "columns": ()}
    return (study_of_files(files, nothing),)


def _next_step(choice: Choice, files: tuple[str, ...]) -> str:
    """Return the command that uses the coefficient, or the call in Python, or what to answer."""
    import shlex

    if choice.coefficient is None:
        return choice.next_step()
    if choice.coefficient.inputs.startswith("graded"):
        return f"in Python: {choice.call}"
    of_lists = choice.coefficient.inputs == "lists"
    names = files or (("one.run", "other.run") if of_lists else ("human.csv", "gpt.csv"))
    command = ["concordant", "runs" if of_lists else "correlate", *names, "-c", choice.expression]
    if of_lists and choice.options.get("threshold"):
        command += ["--threshold", "0.05"]
    return shlex.join(command)
