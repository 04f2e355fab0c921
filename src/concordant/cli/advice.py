"""The commands about coefficients: choose, list, axioms."""

from __future__ import annotations

import sys
from typing import Any

import click

from concordant.cli.command import named
from concordant.cli.options import seed
from concordant.cli.output import emit
from concordant.cli.output_options import output_options

__all__ = ["COMMANDS"]


@named("choose")
@click.option(
    "--same-items/--no-same-items", default=None, help="Do both sides hold the same items? By default yes."
)
@click.option(
    "--grades", type=click.Choice(["items", "lists", "no"]), help="Should the grades of documents agree?"
)
@click.option(
    "--gaps", type=click.Choice(["reference", "both", "no"]), help="Do differences between scores count?"
)
@click.option(
    "--ties",
    type=click.Choice(["error", "undecided", "ignored", "equality", "values"]),
    help="What a tie means.",
)
@click.option(
    "--top-weighted/--no-top-weighted", default=None, help="Does the top of the ranking count more?"
)
@click.option("--threshold/--no-threshold", default=None, help="Are items tied up to a threshold?")
@click.option("--symmetric/--no-symmetric", default=None, help="Is neither side the reference?")
@output_options("comparison.choose")
def choose(**how: Any) -> None:
    """Advise which coefficient fits the question. Without options, print all questions.

    \b
    Example:
      concordant choose --ties undecided --top-weighted --threshold
    """
    from concordant.comparison import choose as run, questions

    asked = ("same_items", "grades", "gaps", "ties", "top_weighted", "threshold", "symmetric")
    answers: dict[str, Any] = {
        name: False if how[name] == "no" else how[name] for name in asked if how[name] is not None
    }
    if not answers:
        if how["format"] != "table" or how["output"] or how["table"]:
            raise click.UsageError("answer at least one question for a result to write")
        sys.stdout.write(questions() + "\n")
        return
    choice = run(**answers)
    if choice is None:
        return
    if how["format"] == "table" and not any(how[name] for name in ("output", "table", "details")):
        sys.stdout.write(f"{choice!r}\n")
    else:
        emit(choice, how)


@named("list")
@output_options("comparison.listing")
def list_coefficients(**how: Any) -> None:
    """List all coefficients and what they declare.

    \b
    Example:
      concordant list --format markdown
    """
    from concordant.comparison import listing

    emit(listing(), how)


@named("axioms", no_args_is_help=True)
@click.argument("coefficient")
@seed("comparison.axioms")
@output_options("comparison.axioms")
def axioms(coefficient: str, rng: int | None, **how: Any) -> None:
    """Try the five axioms of graded rankings on a coefficient.

    \b
    Example:
      concordant axioms tau_ap_b
    """
    from concordant.comparison import axioms as run

    emit(run(coefficient) if rng is None else run(coefficient, rng=rng), how)


COMMANDS = (choose, list_coefficients, axioms)
