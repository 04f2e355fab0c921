"""The command about runs: runs."""

from __future__ import annotations

from typing import Any

import click

from concordant.cli.command import Default, Effect, named
from concordant.cli.completing import coefficient_names
from concordant.cli.elsewhere import work_options
from concordant.cli.options import given, level_options
from concordant.cli.output import emit
from concordant.cli.output_options import output_options
from concordant.cli.paths import READS
from concordant.cli.progress import Progress

__all__ = ["COMMANDS"]

_OF = "judging.compare_runs"
_OF_SCORES = Effect(lambda how: how["order"] != "trec_eval", "with --order trec_eval, which has no ties")


@named("runs", no_args_is_help=True)
@click.argument("files", nargs=-1, required=True, type=READS, metavar="RUN RUN...")
@click.option(
    "-c",
    "--coefficient",
    "coefficients",
    metavar="NAME",
    shell_complete=coefficient_names,
    multiple=True,
    help="Coefficient of lists, such as 'NAME(p=0.95, ties=b)'; repeat for several. See 'concordant list'.",
)
@click.option(
    "--p",
    type=float,
    metavar="P",
    cls=Default,
    share=True,
    of=_OF,
    help="Persistence, between 0 and 1.",
)
@click.option(
    "--ties",
    type=click.Choice(["a", "b", "w"]),
    cls=Default,
    of=_OF,
    effects=(_OF_SCORES,),
    help="Treatment of ties: an order not known, likewise with 1 for equal lists, or equality.",
)
@click.option(
    "--depth",
    type=int,
    metavar="K",
    cls=Default,
    least=1,
    of=_OF,
    help="Depth of the overlap.",
)
@click.option(
    "--order",
    type=click.Choice(["scores", "trec_eval"]),
    cls=Default,
    of=_OF,
    help="Take equal scores as ties, or put them in the order of trec_eval.",
)
@click.option(
    "--threshold",
    type=float,
    metavar="W",
    cls=Default,
    of=_OF,
    effects=(_OF_SCORES,),
    help="Scores that differ by no more are ties.",
)
@click.option(
    "--names",
    type=click.Choice(["tag", "file"]),
    cls=Default,
    of=_OF,
    help="Name runs by tag or by file.",
)
@click.option(
    "--n-worst",
    type=int,
    metavar="N",
    cls=Default,
    least=0,
    of=_OF,
    help="How many topics that differ most to list.",
)
@level_options(_OF)
@click.option("--workers", type=int, default=-1, metavar="N", help="Threads; by default all cores.")
@work_options
@output_options(_OF, figures=True)
def runs(files: tuple[str, ...], **how: Any) -> None:
    """Compare runs with each other: how much their lists of documents agree.

    Each RUN is a TREC run, a pattern, or a folder of runs; plain or .gz. All pairs are compared topic by
    topic, on average with intervals over topics; with --details the topics that differ most are listed, too.
    Documents of equal score are tied. Judgements are not needed.

    \b
    Examples:
      concordant runs bm25.run dense.run --p 0.95
      concordant runs runs/ --order trec_eval --table matrix --format csv -o overlap.csv
    """
    from concordant.errors import ArgumentError
    from concordant.io import expand
    from concordant.judging import compare_runs

    paths = expand(files)
    if len(paths) < 2:
        raise ArgumentError("there is only one run; give two or more, or a folder")
    options = given(how, "coefficients", "p", "ties", "depth", "order", "threshold", "names", "n_worst")
    options |= given(how, "confidence_level", "workers")
    if not how["interval"]:
        options["confidence_level"] = None
    with Progress("comparing topics") as progress:
        result = compare_runs(paths, progress=progress, **options)
    emit(result, how)


COMMANDS = (runs,)
