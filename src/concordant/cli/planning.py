"""The command for numbers of topics: plan."""

from __future__ import annotations

from typing import Any

import click

from concordant.cli.command import Default, Effect, named
from concordant.cli.completing import coefficient_names
from concordant.cli.elsewhere import work_options
from concordant.cli.options import given, input_options, level_options, numbers, seed
from concordant.cli.output import emit
from concordant.cli.output_options import output_options
from concordant.cli.paths import READS
from concordant.cli.progress import Progress
from concordant.cli.read import read_sides

__all__ = ["COMMANDS"]

_OF = "inference.plan"
_OF_RESAMPLING = Effect(lambda how: how["method"] == "resampling", "without --method resampling")
_OPTIONS = ("coefficients", "target", "on_missing", "confidence_level", "n_resamples", "method", "rng")


@named("plan", no_args_is_help=True)
@click.argument("scores", type=READS)
@click.option(
    "--target",
    metavar="VALUE",
    type=float,
    cls=Default,
    share=True,
    of=_OF,
    help="The expected correlation that is wanted.",
)
@click.option(
    "--topics",
    metavar="N,N,...",
    help="Numbers of topics. By default they are some from 10 to 1000, and that of the scores.",
)
@click.option(
    "-c",
    "--coefficient",
    "coefficients",
    metavar="NAME",
    shell_complete=coefficient_names,
    multiple=True,
    cls=Default,
    of=_OF,
    help="Compute this coefficient. Repeat the option for several.",
)
@level_options(_OF)
@click.option(
    "--method",
    type=click.Choice(["msqd", "ml", "resampling"]),
    cls=Default,
    of=_OF,
    help="How the spread of differences is estimated. See the documentation of expected.",
)
@click.option(
    "--n-resamples",
    metavar="N",
    type=int,
    cls=Default,
    least=2,
    of=_OF,
    effects=(_OF_RESAMPLING,),
    help="Number of resamples of the topics.",
)
@seed(_OF, _OF_RESAMPLING)
@input_options(_OF, threads=False)
@work_options
@output_options(_OF, figures=True)
def plan(scores: str, topics: str | None, **how: Any) -> None:
    """Plan the number of topics: the expected correlation of a ranking with the true ranking.

    SCORES is a score table with topics, or judgements if --runs are given. The true ranking is that by
    unlimited topics of the same kind.

    \b
    Example:
      concordant plan human.csv -c tau --target 0.9
    """
    from concordant.inference import plan as run

    steps = numbers("topics", topics, int)
    (own,) = read_sides((scores,), how).values()
    options = given(how, *_OPTIONS) | ({} if how["interval"] else {"confidence_level": None})
    with Progress("planning"):
        result = run(own, topics=steps, **options)
    emit(result, how)


COMMANDS = (plan,)
