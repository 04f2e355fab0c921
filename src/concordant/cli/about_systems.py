"""The commands about systems: correlate, judge, by-topic, explain, matrix, sweep."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from concordant.cli.command import Default, Effect, named
from concordant.cli.completing import coefficient_names
from concordant.cli.elsewhere import work_options
from concordant.cli.inputs import read_judged, read_sides
from concordant.cli.options import (
    alpha,
    coefficients,
    given,
    input_options,
    interval_options,
    level_options,
    numbers,
    output_options,
    seed,
)
from concordant.cli.output import emit, tell
from concordant.cli.paths import READS
from concordant.cli.progress import Progress
from concordant.errors import ArgumentError

if TYPE_CHECKING:
    from concordant.questions.correlate import CorrelateResult
    from concordant.questions.judge import JudgeResult


_INTERVALS = ("confidence_level", "method", "n_resamples", "rng", "workers", "on_missing", "topics")

least = click.option(
    "--min",
    "least",
    type=float,
    metavar="VALUE",
    help="End with exit code 1 if any value is below this number.",
)


def _how_sure(how: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options for intervals, as the functions take them."""
    return given(how, *_INTERVALS) | ({} if how["interval"] else {"confidence_level": None})


def _check(result: CorrelateResult | JudgeResult, least: float | None) -> int:
    """Print which values are below --min, and return the exit code."""
    if least is None:
        return 0
    code = 0
    for each in result.agreement:
        scope = f", top {each.top}" if each.top is not None else ""
        which = f"{each.coefficient} of {each.estimate}, {each.measure}{scope}"
        if math.isnan(each.value):
            tell(f"{which} is undefined, which is not {least:g} or more")
            code = 1
        elif each.value < least:
            tell(f"{which} is {each.value:.4f}, below {least:g}")
            code = 1
    return code


def _checked_least(least: float | None) -> float | None:
    if least is not None and math.isnan(least):
        raise ArgumentError("--min must be a number, got nan")
    return least


@named("correlate", no_args_is_help=True)
@click.argument("reference", type=READS)
@click.argument("estimates", nargs=-1, required=True, type=READS, metavar="ESTIMATE...")
@coefficients("questions.correlate.correlate")
@click.option(
    "--n-reasons",
    metavar="N",
    type=int,
    cls=Default,
    least=0,
    of="questions.correlate.correlate",
    help="How many of the most costly pairs of systems to list.",
)
@least
@interval_options("questions.correlate.correlate")
@input_options("questions.correlate.correlate")
@work_options
@output_options("questions.correlate.correlate", figures=True)
def correlate(reference: str, estimates: tuple[str, ...], least: float | None, **how: Any) -> int:
    """Correlate rankings of systems by mean score.

    REFERENCE and each ESTIMATE are score tables (CSV, TSV, workbooks, JSON, parquet, the output of trec_eval
    or ir_measures, names in order; plain or .gz; "-" for standard input), or judgements if --runs are given.
    A note says how each file was read. If there are topics, each value has a confidence interval over topics.
    --details also shows the pairs of systems that cost most, and every system on both sides.

    \b
    Examples:
      concordant correlate human.csv gpt.csv umbrela.csv -c tau_ap_b -c "tau_b(0.05)@10"
      concordant correlate full.csv.gz half.csv.gz --topics own --min 0.9
      concordant correlate --runs 'runs/*' human.qrels gpt.qrels -m AP -m nDCG@10
    """
    from concordant.questions.correlate import correlate as run

    least = _checked_least(least)
    scores = read_sides((reference, *estimates), how)
    own = scores.pop(next(iter(scores)))
    options = given(how, "coefficients", "n_reasons")
    if how["plot"] is not None or how["format"] == "html":
        options["alpha"] = 0.05  # figures mark pairs that differ significantly
    with Progress("resampling topics") as progress:
        result = run(own, scores, progress=progress, **options, **_how_sure(how))
    emit(result, how)
    return _check(result, least)


@named("judge", no_args_is_help=True)
@click.option(
    "--qrels",
    metavar="FILE",
    type=READS,
    help="Read the reference judgements from this file; used with --runs.",
)
@click.option(
    "--reference",
    metavar="FILE",
    type=READS,
    help="Read the reference scores from this table, instead of --runs and --qrels.",
)
@click.option(
    "--judge",
    "--estimate",
    "estimates",
    metavar="FILE",
    type=READS,
    multiple=True,
    required=True,
    help="Read the judgements (or scores) of a judge from this file. Repeat the option for several judges, "
    "or let further files of the same folder follow.",
)
@coefficients("questions.judge.judge")
@click.option(
    "--top",
    metavar="K",
    type=int,
    multiple=True,
    cls=Default,
    least=2,
    of="questions.judge.judge",
    help="Also compare the best K systems of the reference. Repeat the option for several.",
)
@click.option(
    "--n-worst",
    metavar="N",
    type=int,
    cls=Default,
    least=0,
    of="questions.judge.judge",
    help="How many of the systems that moved most, and of the pairs in the opposite order, to list.",
)
@click.option(
    "--n-reasons",
    metavar="N",
    type=int,
    cls=Default,
    least=0,
    of="questions.judge.judge",
    help="How many of the most costly pairs of systems to list.",
)
@alpha("questions.judge.judge")
@click.option(
    "--group-by",
    metavar="REGEX",
    help="Leave out each group of systems in turn. Systems are one group if this regular expression "
    "matches the same text in their names, as '^[^-]+'.",
)
@least
@interval_options("questions.judge.judge")
@input_options("questions.judge.judge")
@work_options
@output_options("questions.judge.judge", figures=True)
def judge(
    qrels: str | None, reference: str | None, estimates: tuple[str, ...], least: float | None, **how: Any
) -> int:
    """Judge how well estimates rank the systems, compared with the reference.

    The command evaluates all runs under each set of judgements, or reads score tables. It reports the
    agreement of each judge with the reference, for all systems and for the best ones, with confidence
    intervals over topics. --details also shows whether the best judge is better than the others, the
    agreement topic by topic, which pairs of systems differ significantly, the agreement of the judgements,
    what costs most, which systems gain and lose most ranks, and which pairs of systems change order.

    \b
    Examples:
      concordant judge --runs 'runs/*' --qrels human.qrels --judge gpt.qrels --judge umbrela.qrels -m nDCG@10
      concordant judge --reference human.csv --judge gpt.csv -c tau_ap_b --top 5 --format json -o answer.json
    """
    from concordant.questions.judge import judge as run

    least = _checked_least(least)
    labels: dict[str, Any] = {}
    if how["runs"]:
        if qrels is None or reference is not None:
            raise click.UsageError(
                "with --runs, give the reference judgements with --qrels, and no --reference"
            )
        scores, read = read_judged([qrels, *estimates], how)
        labels = {"qrels": read.pop(next(iter(read))), "estimate_qrels": read}
    else:
        if reference is None or qrels is not None:
            raise click.UsageError("give --runs and --qrels, or --reference, with --judge")
        scores = read_sides([reference, *estimates], how)
    own = scores.pop(next(iter(scores)))
    options = given(how, "coefficients", "top", "n_worst", "n_reasons", "alpha", "group_by")
    with Progress("resampling topics") as progress:
        result = run(own, scores, progress=progress, **labels, **options, **_how_sure(how))
    emit(result, how)
    return _check(result, least)


@named("by-topic", no_args_is_help=True)
@click.argument("reference", type=READS)
@click.argument("estimate", type=READS)
@coefficients("questions.by_topic.by_topic")
@interval_options("questions.by_topic.by_topic")
@input_options("questions.by_topic.by_topic")
@work_options
@output_options("questions.by_topic.by_topic", figures=True)
def by_topic(reference: str, estimate: str, **how: Any) -> None:
    """Correlate rankings of systems topic by topic, and by their means.

    \b
    Example:
      concordant by-topic human.csv gpt.csv -c tau_ap_b --details
    """
    from concordant.questions.by_topic import by_topic as run

    x, y = read_sides((reference, estimate), how).values()
    with Progress("resampling topics") as progress:
        result = run(x, y, progress=progress, **given(how, "coefficients"), **_how_sure(how))
    emit(result, how)


@named("explain", no_args_is_help=True)
@click.argument("reference", type=READS)
@click.argument("estimate", type=READS)
@click.option(
    "--most",
    metavar="N",
    type=int,
    cls=Default,
    least=0,
    of="questions.explain.explain",
    help="How many pairs and how many systems to list.",
)
@click.option(
    "-c",
    "--coefficient",
    "coefficients",
    metavar="NAME",
    shell_complete=coefficient_names,
    multiple=True,
    help="Coefficient, with threshold and top k as in 'NAME(0.05)@10'; repeat for several. "
    "See 'concordant list'.",
)
@input_options("study.study.Study")
@work_options
@output_options("questions.explain.explain", figures=True)
def explain(reference: str, estimate: str, **how: Any) -> None:
    """Explain a coefficient c of two rankings of systems: what takes most off its value.

    The command lists the pairs of systems that cost most. --details also lists the systems without which the
    coefficient is highest, and the cost of each system. The costs of all systems sum to 1 - c.

    \b
    Example:
      concordant explain human.csv gpt.csv -c tau_ap_b --most 5
    """
    from concordant.questions.explain import explain as run
    from concordant.study.study import Study

    own, *other = read_sides((reference, estimate), how).items()
    study = Study(own[1], dict(other), **given(how, "on_missing", "topics"))
    with Progress("explaining"):
        result = run(study, **given(how, "coefficients", "most", "workers"))
    emit(result, how)


@named("matrix", no_args_is_help=True)
@click.argument("files", nargs=-1, required=True, type=READS, metavar="FILE...")
@click.option(
    "-c",
    "--coefficient",
    "coefficients",
    metavar="NAME",
    shell_complete=coefficient_names,
    multiple=True,
    help="Compute this coefficient, with threshold and top k as in 'NAME(0.05)@10'. See 'concordant list'.",
)
@input_options("questions.matrix.matrix")
@work_options
@output_options("questions.matrix.matrix", figures=True)
def matrix(files: tuple[str, ...], **how: Any) -> None:
    """Correlate all pairs of rankings: each measure of each file is a ranking.

    The row is the reference, the column the estimate.

    \b
    Example:
      concordant matrix ap.csv p10.csv rr.csv -c tau_ap_b
    """
    from concordant.questions.matrix import matrix as run

    asked = how["coefficients"]
    if len(asked) > 1:
        raise click.UsageError(f"a matrix has one coefficient, got {len(asked)}")
    options = given(how, "on_missing", "workers") | ({"coefficient": asked[0]} if asked else {})
    sides = read_sides(files, how)
    with Progress("comparing all pairs"):
        result = run(sides, **options)
    emit(result, how)


@named("sweep", no_args_is_help=True)
@click.argument("reference", type=READS)
@click.argument("estimate", type=READS)
@click.option(
    "--thresholds",
    metavar="W,W,...",
    help="The thresholds. By default 51 thresholds from 0 to the range of the means are used.",
)
@coefficients("questions.sweep.sweep")
@input_options("questions.sweep.sweep", threads=False)
@work_options
@output_options("questions.sweep.sweep", figures=True)
def sweep(reference: str, estimate: str, thresholds: str | None, **how: Any) -> None:
    """Show coefficients for growing thresholds up to which a difference is a tie, and where they turn.

    \b
    Example:
      concordant sweep human.csv gpt.csv -c tau_b -c tau_ap_b --thresholds 0,0.01,0.02,0.05,0.1
    """
    from concordant.questions.sweep import sweep as run

    steps = numbers("thresholds", thresholds)
    x, y = read_sides((reference, estimate), how).values()
    with Progress("trying thresholds"):
        result = run(x, y, thresholds=steps, **given(how, "coefficients", "on_missing", "topics"))
    emit(result, how)


_OF = "questions.plan.plan"
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
    from concordant.questions.plan import plan as run

    steps = numbers("topics", topics, int)
    (own,) = read_sides((scores,), how).values()
    options = given(how, *_OPTIONS) | ({} if how["interval"] else {"confidence_level": None})
    with Progress("planning"):
        result = run(own, topics=steps, **options)
    emit(result, how)


COMMANDS = (correlate, judge, by_topic, explain, matrix, sweep, plan)
