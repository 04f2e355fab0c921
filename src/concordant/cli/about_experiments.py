"""The commands that run experiments."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from concordant.cli import options
from concordant.cli.command import How, Option, answer, command, given
from concordant.cli.inputs import scores_of_files
from concordant.cli.options import numbers, share, whole
from concordant.cli.output import Progress, tell
from concordant.cli.paths import READS

if TYPE_CHECKING:
    from concordant.scores.scores import Scores


_QRELS = Option("--qrels FILE", "Read the judgements from this file; used with --runs.", type=READS)
_COLLECTION = (options.runs(), _QRELS, options.NAMES)
_DATA = (options.files("[SCORES]...", required=False), *options.TABLES, *_COLLECTION)
_UNDRAWN = (options.WORKERS, *options.WORK, *options.OUTPUT)
_OUTPUT = (*_UNDRAWN, *options.DRAW)
_RUNNING = (options.seed(), *_OUTPUT)


@contextmanager
def _collection(how: How) -> Iterator[tuple[str, Any]]:
    """Provide the judgements and runs of the command line, or those of a simulated collection."""
    if bool(how["runs"]) != (how["qrels"] is not None):
        raise click.UsageError("give both --runs and --qrels, or neither for a simulated collection")
    if how["runs"]:
        yield how["qrels"], how["runs"]
        return
    import tempfile

    from concordant.experiments import simulate

    tell("no data given: a simulated collection of 24 systems and 50 topics")
    with tempfile.TemporaryDirectory() as folder:
        simulate.collection(rng=how["rng"] or 0).write(folder)
        yield f"{folder}/human.qrels", f"{folder}/runs/*.run"


def _scores(files: tuple[str, ...], how: How, *default: str) -> Scores:
    """Read scores from tables or runs; of a simulated collection if there are neither."""
    from concordant.reading.evaluate import evaluate

    if files:
        if how["runs"] or how["qrels"] is not None:
            raise click.UsageError("give tables, or --runs and --qrels")
        return scores_of_files(files, how)
    with _collection(how) as (qrels, own_runs), Progress("evaluating runs") as progress:
        own = given(how, ("names", "workers"))
        return evaluate(qrels, own_runs, how["measures"] or default, progress=progress, **own)


def _answer_on_collection(how: How, says: str, **own: Any) -> int:
    with _collection(how) as (qrels, own_runs):
        return answer(how, says=says, qrels=qrels, runs=own_runs, **own)


@command(
    "predict",
    "experiments.predict.predict",
    *(*_DATA, options.COEFFICIENTS),
    whole("--n-splits N", "Number of random splits of the topics."),
    numbers(
        "--topics N,N,...",
        "Numbers of topics to draw and split, such as 10,20,30. By default all topics are used.",
        int,
    ),
    Option("--drop NAME*", "Leave out this system. Repeat the option for several."),
    Option(
        "--drop-bottom SHARE",
        "Then leave out this share of the systems, the worst ones, such as 0.25.",
        type=float,
    ),
    Option(
        "--bottom-by MEASURE",
        "Use this measure to find the worst systems. By default it is the first.",
        needs=("drop_bottom",),
    ),
    *_RUNNING,
)
def predict(files: tuple[str, ...], **how: Any) -> int:
    """Show how well a measure on half of the topics predicts a measure on the other half.

    The command correlates system means of all pairs of measures across random halves of the topics (Webber et
    al., SIGIR 2008). Without data, it uses a simulated collection.

    \b
    Example:
      concordant experiment predict ap.csv p10.csv rr.csv --systems columns -c tau_b --plot predict.pdf
    """
    return answer(how, _scores(files, how, "AP", "P@10", "nDCG@10"), says="splits")


@command(
    "swap",
    "experiments.swap.swap",
    *(*_DATA, options.COEFFICIENTS),
    whole("--n-swaps N", "Number of pairs that are swapped in each draw."),
    whole("--n-draws N", "Number of random draws."),
    *(share("--alpha", "Level of the tests of whether two systems differ significantly."), *_RUNNING),
)
def swap(files: tuple[str, ...], **how: Any) -> int:
    """Show coefficients after swaps of systems that differ significantly, and of systems that do not.

    The command makes paired t-tests of all pairs of systems, random swaps, and the weight of every pair (Gao
    and Oard, SIGIR 2015). Without data, it uses a simulated collection.

    \b
    Example:
      concordant experiment swap ap.csv --n-draws 1000 --plot swap.pdf
    """
    return answer(how, _scores(files, how, "AP"), says="swaps")


@command(
    "gaps",
    "experiments.gaps.gaps",
    options.COEFFICIENTS,
    Option(
        "-d --distribution distributions*",
        "uniform, normal, zipf or lognormal; repeat. Each is the reference for itself and those after it.",
    ),
    whole("--n-systems N", "Number of systems in each sample.", 2),
    whole("--n-pairs N", "Number of pairs of samples."),
    *(options.seed(), *_UNDRAWN),
)
def gaps(**how: Any) -> int:
    """Show the coefficients of scores in the same order with different gaps.

    The command correlates sorted samples of two distributions (Gao, Bagdouri and Oard, SIGIR 2016).

    \b
    Example:
      concordant experiment gaps -d zipf -d uniform -o gaps.tex
    """
    return answer(how, says="distributions")


@command(
    "pool",
    "experiments.pool.pool",
    *(*_COLLECTION, options.COEFFICIENTS),
    numbers("--percents P,P,...", "Shares of the judgements to keep, in per cent."),
    whole("--n-replicates N", "Number of samples for each share."),
    *_RUNNING,
)
def pool(**how: Any) -> int:
    """Show how the ranking of systems changes if only a share of the judgements is used.

    The command compares inferred AP from a random share of the judgements with AP from all judgements (Yilmaz
    and Aslam, CIKM 2006). Without data, it uses a simulated collection.

    \b
    Example:
      concordant experiment pool --runs 'runs/*' --qrels human.qrels --percents 5,10,30,100 --plot pool.pdf
    """
    return _answer_on_collection(how, "evaluating runs")


@command(
    "grades",
    "experiments.grades.grades",
    *_COLLECTION,
    whole("--depth N", "Number of first documents of each run that are compared.", 2, needs=("!simulated",)),
    Option("--whole", "Compare whole lists by position, not only documents in common.", is_flag=True),
    Option(
        "--a A",
        "Score of a pair that is tied in one list only. By default it is the unbiased one.",
        type=float,
    ),
    Option(
        "--simulated N",
        "Use N simulated systems with average nDCG from 0.1 to 0.9, instead of runs.",
        type=click.IntRange(min=1),
    ),
    *_RUNNING,
)
def grades(simulated: int | None, **how: Any) -> int:
    """Show how much the grades of documents change the coefficients of two runs.

    The command compares all pairs of runs for all topics, on the documents that both have (Vezzuto). Without
    data, it uses a simulated collection.

    \b
    Example:
      concordant experiment grades --runs 'runs/*' --qrels graded.qrels --plot grades.png
    """
    if simulated is None:
        return _answer_on_collection(how, "pairs of lists")
    if how["runs"] or how["qrels"]:
        raise click.UsageError("give --simulated, or --runs and --qrels")
    from concordant.experiments import simulate

    with Progress("simulating systems"):
        items = simulate.graded_items(simulated, rng=how["rng"] or 0)
    return answer(how, says="simulated systems", simulated=items)


@command(
    "reuse",
    "experiments.reuse.reuse",
    *(*_COLLECTION, options.COEFFICIENTS),
    Option("-m --measure NAME", "Score the runs by this measure of ir_measures."),
    whole(
        "--depth N",
        "Depth of the pool: the number of first documents of each run that were judged. By default that to "
        "which half of the runs are judged.",
    ),
    *(*options.GROUP_BY, options.seed("!runs"), *_OUTPUT),
)
def reuse(**how: Any) -> int:
    """Show whether judgements can be used for systems that did not contribute to the pool.

    The command removes, for each run or group of runs, the judgements that only it brought to the pool, and
    scores it again (figure 1 of Gao, Bagdouri and Oard, SIGIR 2016). Without data, it uses a simulated
    collection, whose systems are grouped by family.

    \b
    Example:
      concordant experiment reuse --runs 'runs/*' --qrels human.qrels --group-by '^[^-]+'
    """
    families = {"group_by": "^[a-z]+"}  # of simulated systems
    own = {} if how["runs"] or how["group_by"] else families
    return _answer_on_collection(how, "groups of runs", **own)


@command(
    "stability",
    "experiments.stability.stability",
    *(*_DATA, options.COEFFICIENTS),
    numbers("--topics N,N,...", "Numbers of topics of a subset. By default half of the topics.", int),
    Option("--reference MEASURE", "Let coefficients compare all other measures with this one."),
    whole("--n-draws N", "Number of random subsets of the topics."),
    Option("--fuzziness SHARE", "Values that differ by no more than this share are ties.", type=float),
    Option("--of smaller|larger|absolute", "The value of which --fuzziness is a share, or no share at all."),
    share("--alpha", "Level of the tests, and the rate of swaps for which a difference is sought."),
    Option("--test t|bootstrap", "Test of two systems."),
    *(whole("--n-resamples N", "Number of bootstrap resamples of the topics."), *_RUNNING),
)
def stability(files: tuple[str, ...], **how: Any) -> int:
    """Show how often other topics lead to another conclusion, by each measure and by each coefficient.

    The command gives error rates and ties (Buckley and Voorhees, SIGIR 2000), swap rates by difference
    (Voorhees and Buckley, SIGIR 2002) and discriminative power (Sakai, SIGIR 2006). Without data, it uses a
    simulated collection.

    \b
    Example:
      concordant experiment stability ap.csv p10.csv rr.csv --systems columns --topics 25 --plot stability.pdf
    """
    return answer(how, _scores(files, how, "AP", "P@10", "nDCG@10", "RR"), says="subsets of topics")
