"""The command that compares runs: runs."""

from __future__ import annotations

from typing import Any

import click

from concordant.cli.command import Default, Effect, named
from concordant.cli.completing import coefficient_names
from concordant.cli.elsewhere import work_options
from concordant.cli.options import given, level_options, output_options
from concordant.cli.output import emit
from concordant.cli.paths import READS
from concordant.cli.progress import Progress

_OF = "questions.compare_runs.compare_runs"
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
    help="Compute this coefficient of lists, such as 'NAME(p=0.95, ties=b)'. Repeat the option for "
    "several. See 'concordant list'.",
)
@click.option(
    "--p",
    type=float,
    metavar="P",
    cls=Default,
    share=True,
    of=_OF,
    help="Persistence, between 0 and 1: the smaller it is, the more the top counts.",
)
@click.option(
    "--ties",
    type=click.Choice(["a", "b", "w"]),
    cls=Default,
    of=_OF,
    effects=(_OF_SCORES,),
    help="Treatment of ties: an unknown order (a), the same but with 1 for equal lists (b), or equality (w).",
)
@click.option(
    "--depth",
    type=int,
    metavar="K",
    cls=Default,
    least=1,
    of=_OF,
    help="Depth of the overlap: the number of first documents that are compared.",
)
@click.option(
    "--order",
    type=click.Choice(["scores", "trec_eval"]),
    cls=Default,
    of=_OF,
    help="Treat equal scores as ties, or order them as trec_eval does.",
)
@click.option(
    "--threshold",
    type=float,
    metavar="W",
    cls=Default,
    of=_OF,
    effects=(_OF_SCORES,),
    help="Scores that differ by no more than this are ties.",
)
@click.option(
    "--names",
    type=click.Choice(["tag", "file"]),
    cls=Default,
    of=_OF,
    help="Name runs by their tag or by their file.",
)
@click.option(
    "--n-worst",
    type=int,
    metavar="N",
    cls=Default,
    least=0,
    of=_OF,
    help="How many of the topics that differ most to list.",
)
@level_options(_OF)
@click.option(
    "--workers", type=int, default=-1, metavar="N", help="Number of threads. By default all cores are used."
)
@work_options
@output_options(_OF, figures=True)
def runs(files: tuple[str, ...], **how: Any) -> None:
    """Compare runs with each other: how much their lists of documents agree.

    Each RUN is a TREC run, a pattern, or a folder of runs; plain or .gz. All pairs are compared topic by
    topic, and on average with confidence intervals over topics. --details also lists the topics that differ
    most. Documents with equal scores are tied. Judgements are not needed.

    \b
    Examples:
      concordant runs bm25.run dense.run --p 0.95
      concordant runs runs/ --order trec_eval --table matrix --format csv -o overlap.csv
    """
    from concordant.errors import ArgumentError
    from concordant.questions.compare_runs import compare_runs
    from concordant.reading.files import expand

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
