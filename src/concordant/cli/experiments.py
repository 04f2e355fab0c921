"""The commands that run experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from concordant.cli import _options
from concordant.cli._output import Progress, emit, tell
from concordant.cli.commands import _number, program

if TYPE_CHECKING:
    from concordant.experiments import Result
    from concordant.scores import Scores

Command = Callable[..., Any]


def _drawable(_context: Any, _option: Any, path: str | None) -> str | None:
    """Refuse a figure that cannot be drawn before anything is computed."""
    if path is None:
        return None
    from importlib.util import find_spec
    from pathlib import Path

    if Path(path).suffix.lower() not in (".pdf", ".png", ".svg"):
        raise ValueError(f"--plot: the file must end in .pdf, .png or .svg, got {path!r}")
    if find_spec("matplotlib") is None:
        raise ImportError("figures need matplotlib: pip install 'concordant[plot]'")
    return path


def running(command: Command) -> Command:
    """Add the options of every experiment."""
    for option in (
        click.option(
            "--plot", metavar="FILE", callback=_drawable, help="Draw the figure: .pdf, .png or .svg."
        ),
        click.option(
            "--save", metavar="FILE", help="Save the whole result, as JSON, for cd.experiments.Result.load."
        ),
        click.option(
            "--workers",
            type=int,
            default=-1,
            metavar="N",
            help="Threads or processes, where the work can be shared; by default all cores.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=1,
            show_default=True,
            help="The same seed gives the same result.",
        ),
    ):
        command = option(command)
    return _options.output(command)


qrels_option = click.option("--qrels", metavar="FILE", help="Judgements, with --runs.")


def collection_data(command: Command) -> Command:
    """Add the options for runs and judgements."""
    for option in (_options.names, qrels_option, _options.runs):
        command = option(command)
    return command


def data(command: Command) -> Command:
    """Add the options for scores, from tables or from runs."""
    return click.argument("files", nargs=-1, metavar="[SCORES]...")(collection_data(_options.tables(command)))


@contextmanager
def collection(how: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Give the judgements and runs named on the command line, or those of a simulated collection."""
    if bool(how["runs"]) != (how["qrels"] is not None):
        raise click.UsageError("give both --runs and --qrels, or neither for a simulated collection")
    if how["runs"]:
        yield how["qrels"], how["runs"]
        return
    import tempfile

    from concordant import simulate

    tell("no data given: a simulated collection of 24 systems and 50 topics")
    with tempfile.TemporaryDirectory() as folder:
        simulate.collection(rng=how["seed"]).write(folder)
        yield f"{folder}/human.qrels", f"{folder}/runs/*.run"


def load(files: tuple[str, ...], how: dict[str, Any], default: tuple[str, ...]) -> Scores:
    """Read one object from tables or runs; of a simulated collection if there are neither."""
    from concordant.evaluation import evaluate
    from concordant.io.tables import read_scores

    if files:
        if how["runs"] or how["qrels"] is not None:
            raise click.UsageError("give tables, or --runs and --qrels")
        scores = read_scores(files, format=how["input_format"], columns=_options.columns_of(how))
        return scores.select(measures=dict.fromkeys(how["measures"])) if how["measures"] else scores
    with collection(how) as (qrels, runs), Progress("evaluating runs") as progress:
        return evaluate(
            qrels,
            runs,
            how["measures"] or default,
            names=how["names"],
            workers=how["workers"],
            progress=progress,
        )


def finish(result: Result, how: dict[str, Any]) -> None:
    """Print, save and draw a result."""
    if how["save"]:
        result.save(how["save"])
        tell(f"wrote {how['save']}")
    emit(
        result,
        how["format"],
        how["output"],
        how["table"] or (None if how["format"] == "json" else result.tables[0].name),
    )
    if how["plot"]:
        save_figure(result, how["plot"])


def save_figure(result: Result, path: str) -> None:
    """Draw to a file, which appears whole or not at all."""
    import io
    from pathlib import Path

    import matplotlib as mpl

    kind = Path(path).suffix.lstrip(".").lower()
    mpl.use("Agg")
    import numpy as np

    from concordant.io._files import write_whole
    from concordant.plotting import plot

    axes = np.atleast_1d(np.asarray(plot(result), dtype=object))
    content = io.BytesIO()
    metadata = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(kind, {})
    with mpl.rc_context({"svg.hashsalt": "concordant"}):
        axes.ravel()[0].figure.savefig(content, format=kind, dpi=100, metadata=metadata)
    write_whole(path, content.getvalue())
    tell(f"wrote {path}")


SIX = ("tau_a", "tau_b", "tau_e", "tau_ap_a", "tau_ap_b", "tau_ap_e")


def _integers(option: str, text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{option}: expected whole numbers with commas between, found {text!r}") from None


@program.command()
@data
@_options.coefficients(SIX)
@click.option(
    "--splits", metavar="N", type=int, default=2000, show_default=True, help="Random splits of the topics."
)
@click.option(
    "--topics", metavar="N,N,...", help="Topics to draw and split, such as 10,20,30; by default all."
)
@click.option("--drop", metavar="NAME", multiple=True, help="Leave out a system; repeat.")
@click.option(
    "--drop-duplicates", is_flag=True, help="Leave out systems with all the scores of an earlier one."
)
@click.option(
    "--drop-bottom", metavar="SHARE", type=float, default=0.0, help="Then leave out the worst, such as 0.25."
)
@click.option(
    "--bottom-by", metavar="MEASURE", help="The measure that says which are worst; the first by default."
)
@running
def predict(
    files: tuple[str, ...], coefficients: tuple[str, ...], splits: int, topics: str | None, drop: tuple[str, ...],
    drop_duplicates: bool, drop_bottom: float, bottom_by: str | None, **how: Any,
) -> None:  # fmt: skip
    """How well does a measure on half of the topics predict a measure on the other half?

    Correlates system means of all pairs of measures across random halves of the topics (Webber et al., SIGIR 2008).
    Without data, on a simulated collection.

    \b
    Example:
      concordant predict ap.csv p10.csv rr.csv -c tau_b -c "tau_b(0.05)" --drop-bottom 0.25 --plot predict.pdf
    """
    from concordant.experiments import predict as run

    scores = load(files, how, ("AP", "P@10", "nDCG@10"))
    sizes = None if topics is None else _integers("--topics", topics)
    with Progress("splits") as progress:
        result = run(
            scores, coefficients, n_splits=splits, topics=sizes, drop=drop, drop_duplicates=drop_duplicates,
            drop_bottom=drop_bottom, bottom_by=bottom_by, rng=how["seed"], workers=how["workers"], progress=progress,
        )  # fmt: skip
    finish(result, how)


@program.command()
@data
@_options.coefficients(["pearson_r", "tau_ap", "tau_gap"])
@click.option(
    "--swaps", metavar="N", type=int, default=5, show_default=True, help="Pairs swapped in each draw."
)
@click.option("--draws", metavar="N", type=int, default=50, show_default=True)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the paired t-tests.")
@running
def swap(
    files: tuple[str, ...], coefficients: tuple[str, ...], swaps: int, draws: int, alpha: float, **how: Any
) -> None:
    """What do coefficients make of swapping systems that differ significantly, or do not?

    Paired t-tests of all pairs of systems, random swaps, and the weight of every pair (Gao and Oard, SIGIR 2015). Without
    data, on a simulated collection.

    \b
    Example:
      concordant swap ap.csv --draws 1000 --plot swap.pdf
    """
    from concordant.experiments import swap as run

    scores = load(files, how, ("AP",))
    with Progress("swaps") as progress:
        result = run(
            scores, coefficients, n_swaps=swaps, n_draws=draws, alpha=alpha, rng=how["seed"], workers=how["workers"],
            progress=progress,
        )  # fmt: skip
    finish(result, how)


@program.command()
@_options.coefficients(["pearson_rank"])
@click.option(
    "-d", "--distribution", "distributions", multiple=True, default=("zipf", "normal", "uniform"), show_default=True,
    help="uniform, normal, zipf, lognormal, or sample; repeat. Each is the reference for itself and for those after it.",
)  # fmt: skip
@click.option(
    "--sample",
    metavar="FILE",
    help="Scores for the distribution 'sample': the means of the systems in a table.",
)
@click.option(
    "--systems", metavar="N", type=int, default=50, show_default=True, help="Systems in each sample."
)
@click.option("--pairs", metavar="N", type=int, default=100_000, show_default=True, help="Pairs of samples.")
@running
def gaps(
    coefficients: tuple[str, ...],
    distributions: tuple[str, ...],
    sample: str | None,
    systems: int,
    pairs: int,
    **how: Any,
) -> None:
    """What do coefficients say of scores in the same order with other gaps?

    Correlates sorted samples of two distributions (Gao, Bagdouri and Oard, SIGIR 2016).

    \b
    Example:
      concordant gaps -d zipf -d uniform --plot gaps.pdf
    """
    from concordant.experiments import gaps as run
    from concordant.io.tables import read_scores

    own = None
    if sample is not None:
        scores = read_scores(sample)
        if scores.missing():
            tell(f"{sample}: {len(scores.missing())} missing scores count as 0")
        own = list(scores.fill().mean().values())
    if own is not None and "sample" not in distributions:
        distributions = (*distributions, "sample")
    with Progress("distributions") as progress:
        result = run(
            distributions, coefficients, sample=own, n_systems=systems, n_pairs=pairs, rng=how["seed"],
            workers=how["workers"], progress=progress,
        )  # fmt: skip
    finish(result, how)


@program.command()
@collection_data
@_options.coefficients(["tau_a", "tau_e", "tau_ap_a", "tau_ap_e"])
@click.option(
    "--percents", metavar="P,P,...", help="Shares of judgements to keep; by default 1,2,3,4,5,10,15,...,100."
)
@click.option(
    "--replicates", metavar="N", type=int, default=1, show_default=True, help="Samples for each share."
)
@running
def pool(coefficients: tuple[str, ...], percents: str | None, replicates: int, **how: Any) -> None:
    """How far can judgements be thinned out before the ranking of systems changes?

    Inferred AP from a random share of the judgements against AP from all (Yilmaz and Aslam, CIKM 2006). Without data, on a
    simulated collection.

    \b
    Example:
      concordant pool --runs 'runs/*' --qrels human.qrels --percents 5,10,30,100 --plot pool.pdf
    """
    from concordant.experiments._pool import PERCENTS
    from concordant.experiments._pool import pool as run

    shares = PERCENTS if percents is None else [_number("--percents", text) for text in percents.split(",")]
    with collection(how) as (qrels, runs), Progress("evaluating runs") as progress:
        result = run(
            qrels, runs, coefficients, percents=shares, n_replicates=replicates, names=how["names"], rng=how["seed"],
            workers=how["workers"], progress=progress,
        )  # fmt: skip
    finish(result, how)


@program.command()
@collection_data
@click.option("--depth", metavar="N", type=int, default=50, show_default=True, help="Documents of each run.")
@click.option(
    "--simulated",
    metavar="N",
    type=int,
    help="Instead of runs, N systems evolved to average nDCG from 0.1 to 0.9.",
)
@running
def profiles(depth: int, simulated: int | None, **how: Any) -> None:
    """How much do the grades of documents change what a coefficient says of two runs?

    All pairs of runs and topics, on the documents that both have (Vezzuto). Without data, on a simulated collection.

    \b
    Example:
      concordant profiles --runs 'runs/*' --qrels graded.qrels --plot profiles.png
    """
    from concordant import simulate
    from concordant.experiments import profiles as run

    if simulated is not None:
        if how["runs"] or how["qrels"]:
            raise click.UsageError("give --simulated, or --runs and --qrels")
        finish(run(simulated=simulate.profiles(simulated, rng=how["seed"]), rng=how["seed"]), how)
        return
    with collection(how) as (qrels, runs), Progress("pairs of lists") as progress:
        result = run(qrels, runs, depth=depth, names=how["names"], rng=how["seed"], progress=progress)
    finish(result, how)


@program.command()
@collection_data
@_options.coefficients(["tau_b", "tau_ap_b", "pearson_rank"])
@click.option(
    "-m", "--measure", metavar="NAME", default="AP", show_default=True, help="Measure of ir_measures."
)
@click.option("--depth", metavar="N", type=int, default=100, show_default=True, help="Depth of the pool.")
@click.option(
    "--group-by",
    metavar="REGEX",
    help="Runs with the same match in their names are a group, such as '^[^-]+'.",
)
@running
def reuse(coefficients: tuple[str, ...], measure: str, depth: int, group_by: str | None, **how: Any) -> None:
    """Can the judgements be used again for systems that did not help to make them?

    Removes for each run, or group of runs, the judgements that only it brought to the pool, and scores it again (figure 1 of
    Gao, Bagdouri and Oard, SIGIR 2016). Without data, on a simulated collection.

    \b
    Example:
      concordant reuse --runs 'runs/*' --qrels human.qrels --depth 100 --group-by '^[^-]+' --plot reuse.pdf
    """
    from concordant.experiments import reuse as run

    with collection(how) as (qrels, runs), Progress("groups of runs") as progress:
        result = run(
            qrels, runs, coefficients, measure=measure, depth=depth, group_by=group_by, names=how["names"],
            workers=how["workers"], progress=progress,
        )  # fmt: skip
    finish(result, how)
