"""The commands that run experiments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from concordant.cli.command import Command, Default, Effect, Option, named
from concordant.cli.elsewhere import work_options
from concordant.cli.inputs import read_named_tables
from concordant.cli.options import (
    OF_SIMULATED,
    alpha,
    coefficients,
    given,
    names,
    numbers,
    output_options,
    runs,
    seed,
    table_options,
    with_options,
    workers,
)
from concordant.cli.output import emit, tell
from concordant.cli.paths import READS, WRITES
from concordant.cli.progress import Progress
from concordant.cli.record import with_provenance

if TYPE_CHECKING:
    from concordant.experiments.experiment import ExperimentResult
    from concordant.scores.scores import Scores


SEED = 0  # the seed of simulated data is that of the experiments


def _running(of: str, random: bool = True) -> Callable[[Command], Command]:
    """Add the options of every experiment."""

    def add(command: Command) -> Command:
        return with_options(
            command,
            seed(of)
            if random
            else click.option(
                "--seed",
                "rng",
                type=click.IntRange(min=0),
                cls=Option,
                effects=(OF_SIMULATED,),
                help="Use this seed for the simulated data.",
            ),
            workers,
            work_options,
            click.option(
                "--save",
                metavar="FILE",
                type=WRITES,
                help="Save the whole result as JSON, for cd.experiments.load.",
            ),
            output_options(of, figures=True),
        )

    return add


def _collection_data(command: Command) -> Command:
    """Add the options for runs and judgements."""
    return with_options(
        command,
        runs(),
        click.option(
            "--qrels",
            metavar="FILE",
            type=READS,
            help="Read the judgements from this file; used with --runs.",
        ),
        names,
    )


def _data(command: Command) -> Command:
    """Add the options for scores, from tables or from runs."""
    return click.argument("files", nargs=-1, type=READS, metavar="[SCORES]...")(
        table_options(_collection_data(command))
    )


@contextmanager
def _collection(how: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Return the judgements and runs of the command line, or those of a simulated collection."""
    if bool(how["runs"]) != (how["qrels"] is not None):
        raise click.UsageError("give both --runs and --qrels, or neither for a simulated collection")
    if how["runs"]:
        yield how["qrels"], how["runs"]
        return
    import tempfile

    from concordant.experiments import simulate

    tell("no data given: a simulated collection of 24 systems and 50 topics")
    with tempfile.TemporaryDirectory() as folder:
        simulate.collection(rng=SEED if how["rng"] is None else how["rng"]).write(folder)
        yield f"{folder}/human.qrels", f"{folder}/runs/*.run"


def _scores(files: tuple[str, ...], how: dict[str, Any], default: tuple[str, ...]) -> Scores:
    """Read scores from tables or runs; of a simulated collection if there are neither."""
    from concordant.reading.evaluate import evaluate

    if files:
        if how["runs"] or how["qrels"] is not None:
            raise click.UsageError("give tables, or --runs and --qrels")
        return read_named_tables({"": list(files)}, how)[""]
    with _collection(how) as (qrels, own_runs), Progress("evaluating runs") as progress:
        measures = how["measures"] or default
        options = given(how, "names", "workers")
        return evaluate(qrels, own_runs, measures, progress=progress, **options)


def _finish(result: ExperimentResult[Any], how: dict[str, Any]) -> None:
    """Print, save and draw a result."""
    if how["save"]:
        result = with_provenance(result)
        result.save(how["save"])
        tell(f"wrote {how['save']}")
    emit(result, how)


def _number(of: str, name: str, text: str, least: int = 1, *effects: Effect) -> Callable[[Command], Command]:
    """Add an option for a whole number."""
    return click.option(
        name, metavar="N", type=int, cls=Default, least=least, of=of, effects=effects, help=text
    )


_OF_LISTS = Effect(lambda how: how["simulated"] is None, "with --simulated")


@named("predict")
@_data
@coefficients("experiments.predict")
@_number("experiments.predict", "--n-splits", "Number of random splits of the topics.")
@click.option(
    "--topics",
    metavar="N,N,...",
    help="Numbers of topics to draw and split, such as 10,20,30. By default all topics are used.",
)
@click.option(
    "--drop", metavar="NAME", multiple=True, help="Leave out this system. Repeat the option for several."
)
@click.option(
    "--drop-duplicates",
    is_flag=True,
    help="Leave out systems that have all scores in common with an earlier one.",
)
@click.option(
    "--drop-bottom",
    metavar="SHARE",
    type=float,
    help="Then leave out this share of the systems, the worst ones, such as 0.25.",
)
@click.option(
    "--bottom-by",
    metavar="MEASURE",
    cls=Option,
    effects=(Effect(lambda how: bool(how["drop_bottom"]), "without --drop-bottom"),),
    help="Use this measure to find the worst systems. By default it is the first.",
)
@_running("experiments.predict")
def predict(files: tuple[str, ...], topics: str | None, **how: Any) -> None:
    """Show how well a measure on half of the topics predicts a measure on the other half.

    The command correlates system means of all pairs of measures across random halves of the topics (Webber et
    al., SIGIR 2008). Without data, it uses a simulated collection.

    \b
    Example:
      concordant predict ap.csv p10.csv rr.csv --systems columns -c tau_b -c "tau_b(0.05)" --plot predict.pdf
    """
    from concordant.experiments.predict import predict as run

    sizes = numbers("topics", topics, int)
    scores = _scores(files, how, ("AP", "P@10", "nDCG@10"))
    options = given(
        how,
        "coefficients",
        "n_splits",
        "drop",
        "drop_duplicates",
        "drop_bottom",
        "bottom_by",
        "rng",
        "workers",
    )
    with Progress("splits") as progress:
        result = run(scores, topics=sizes, progress=progress, **options)
    _finish(result, how)


@named("swap")
@_data
@coefficients("experiments.swap")
@_number("experiments.swap", "--n-swaps", "Number of pairs that are swapped in each draw.")
@_number("experiments.swap", "--n-draws", "Number of random draws.")
@alpha("experiments.swap")
@_running("experiments.swap")
def swap(files: tuple[str, ...], **how: Any) -> None:
    """Show coefficients after swaps of systems that differ significantly, and of systems that do not.

    The command makes paired t-tests of all pairs of systems, random swaps, and the weight of every pair (Gao
    and Oard, SIGIR 2015). Without data, it uses a simulated collection.

    \b
    Example:
      concordant swap ap.csv --n-draws 1000 --plot swap.pdf
    """
    from concordant.experiments.swap import swap as run

    scores = _scores(files, how, ("AP",))
    options = given(how, "coefficients", "n_swaps", "n_draws", "alpha", "rng", "workers")
    with Progress("swaps") as progress:
        result = run(scores, progress=progress, **options)
    _finish(result, how)


@named("gaps")
@coefficients("experiments.gaps")
@click.option(
    "-d",
    "--distribution",
    "distributions",
    multiple=True,
    cls=Default,
    of="experiments.gaps",
    help="uniform, normal, zipf, lognormal, or sample; repeat. Each is the reference for itself and for "
    "those after it.",
)
@click.option(
    "--sample",
    metavar="FILE",
    type=READS,
    help="Draw the distribution 'sample' from the mean scores of the systems in this table.",
)
@_number("experiments.gaps", "--n-systems", "Number of systems in each sample.", 2)
@_number("experiments.gaps", "--n-pairs", "Number of pairs of samples.")
@_running("experiments.gaps")
def gaps(distributions: tuple[str, ...], sample: str | None, **how: Any) -> None:
    """Show the coefficients of scores in the same order with different gaps.

    The command correlates sorted samples of two distributions (Gao, Bagdouri and Oard, SIGIR 2016).

    \b
    Example:
      concordant gaps -d zipf -d uniform --plot gaps.pdf
    """
    from concordant.experiments.gaps import gaps as run
    from concordant.reading.read_scores import read_scores

    options = given(how, "coefficients", "n_systems", "n_pairs", "rng", "workers")
    if sample is not None:
        with Progress(f"reading {sample}"):
            scores = read_scores(sample)
        if scores.missing():
            tell(f"{sample}: {len(scores.missing())} missing scores count as 0")
        options["sample"] = list(scores.fill().mean().values())
        if "sample" not in distributions:
            usual = inspect.signature(run).parameters["distributions"].default
            distributions = (*(distributions or usual), "sample")
    with Progress("distributions") as progress:
        result = run(*([distributions] if distributions else []), progress=progress, **options)
    _finish(result, how)


@named("pool")
@_collection_data
@coefficients("experiments.pool")
@click.option(
    "--percents",
    metavar="P,P,...",
    help="Shares of the judgements to keep, in per cent. By default they are 1,2,3,4,5,10,15,...,100.",
)
@_number("experiments.pool", "--n-replicates", "Number of samples for each share.")
@_running("experiments.pool")
def pool(percents: str | None, **how: Any) -> None:
    """Show how the ranking of systems changes if only a share of the judgements is used.

    The command compares inferred AP from a random share of the judgements with AP from all judgements (Yilmaz
    and Aslam, CIKM 2006). Without data, it uses a simulated collection.

    \b
    Example:
      concordant pool --runs 'runs/*' --qrels human.qrels --percents 5,10,30,100 --plot pool.pdf
    """
    from concordant.experiments.pool import pool as run

    shares = numbers("percents", percents)
    options = given(how, "coefficients", "n_replicates", "names", "rng", "workers")
    options |= {} if shares is None else {"percents": shares}
    with _collection(how) as (qrels, own_runs), Progress("evaluating runs") as progress:
        result = run(qrels, own_runs, progress=progress, **options)
    _finish(result, how)


@named("grades")
@_collection_data
@_number(
    "experiments.grades", "--depth", "Number of first documents of each run that are compared.", 2, _OF_LISTS
)
@_number(
    "experiments.grades",
    "--least",
    "Leave out pairs of lists with fewer documents in common.",
    2,
    _OF_LISTS,
)
@click.option(
    "--simulated",
    metavar="N",
    type=click.IntRange(min=1),
    help="Use N simulated systems with average nDCG from 0.1 to 0.9, instead of runs.",
)
@_running("experiments.grades")
def grades(simulated: int | None, **how: Any) -> None:
    """Show how much the grades of documents change the coefficients of two runs.

    The command compares all pairs of runs for all topics, on the documents that both have (Vezzuto). Without
    data, it uses a simulated collection.

    \b
    Example:
      concordant grades --runs 'runs/*' --qrels graded.qrels --plot grades.png
    """
    from concordant.experiments import simulate
    from concordant.experiments.grades import grades as run

    options = given(how, "depth", "least", "rng", "workers")
    if simulated is not None:
        if how["runs"] or how["qrels"]:
            raise click.UsageError("give --simulated, or --runs and --qrels")
        with Progress("simulating systems"):
            items = simulate.graded_items(simulated, rng=SEED if how["rng"] is None else how["rng"])
            result = run(simulated=items, **options)
        _finish(result, how)
        return
    with _collection(how) as (qrels, own_runs), Progress("pairs of lists") as progress:
        result = run(qrels, own_runs, progress=progress, **given(how, "names"), **options)
    _finish(result, how)


@named("reuse")
@_collection_data
@coefficients("experiments.reuse")
@click.option(
    "-m",
    "--measure",
    metavar="NAME",
    cls=Default,
    of="experiments.reuse",
    help="Score the runs by this measure of ir_measures.",
)
@_number(
    "experiments.reuse",
    "--depth",
    "Depth of the pool: the number of first documents of each run that were judged.",
)
@click.option(
    "--group-by",
    metavar="REGEX",
    help="Regular expression: runs are one group if it matches the same text in their names, as '^[^-]+'.",
)
@_running("experiments.reuse", random=False)
def reuse(**how: Any) -> None:
    """Show whether judgements can be used for systems that did not contribute to the pool.

    The command removes, for each run or group of runs, the judgements that only it brought to the pool, and
    scores it again (figure 1 of Gao, Bagdouri and Oard, SIGIR 2016). Without data, it uses a simulated
    collection.

    \b
    Example:
      concordant reuse --runs 'runs/*' --qrels human.qrels --depth 100 --group-by '^[^-]+' --plot reuse.pdf
    """
    from concordant.experiments.reuse import reuse as run

    options = given(how, "coefficients", "measure", "depth", "group_by", "names", "workers")
    with _collection(how) as (qrels, own_runs), Progress("groups of runs") as progress:
        result = run(qrels, own_runs, progress=progress, **options)
    _finish(result, how)


COMMANDS = (predict, pool, swap, gaps, grades, reuse)
