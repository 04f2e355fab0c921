"""The commands about systems: correlate, judge, board, by-topic, explain, matrix, sweep, metrics, plan."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from concordant.cli import options
from concordant.cli.command import Option, answer, ask, command
from concordant.cli.inputs import judges_below, named, study_of_files, study_of_judgements, study_of_sides
from concordant.cli.options import numbers, share, whole
from concordant.cli.output import emit
from concordant.cli.paths import READS, outputs_into
from concordant.cli.program import DEBUG
from concordant.errors import fail

TOP = whole("--top K", "How many systems are the top: how many of them both sides share.", 2)


@command(
    "correlate",
    "questions.correlate.correlate",
    options.REFERENCE,
    click.Argument(["estimates"], nargs=-1, metavar="[NAME=]ESTIMATE...", **options.NAMED),
    *(options.JUDGES, options.COEFFICIENTS, TOP, options.DATASET, *options.AT_LEAST, *options.INTERVALS),
    *options.of_study(*options.SIDES, options.TOPICS),
)
def correlate(reference: str, estimates: tuple[str, ...], **how: Any) -> int:
    """Correlate rankings of systems by mean score.

    REFERENCE and each ESTIMATE are score tables (CSV, TSV, workbooks, JSON, parquet, the output of trec_eval
    or ir_measures, names in order; plain or .gz; "-" for standard input), or judgements if --runs are given.
    A note says how each file was read. If there are topics, each value has a confidence interval over topics.
    --details also shows the pairs of systems that cost most, and every system on both sides. NAME=ESTIMATE
    names an estimate, unless a file is called so.

    \b
    Examples:
      concordant correlate human.csv gpt.csv umbrela.csv -c tau_ap_b -c "tau_b(0.05)@10"
      concordant correlate full.csv.gz half.csv.gz --topics own --at-least 0.9
      concordant correlate --runs 'runs/*' human.qrels gpt.qrels -m AP -m nDCG@10
      concordant correlate human.csv gpt.csv -o answer.json -o answer.html
      concordant correlate table.csv -x human -y gpt -y claude
      concordant correlate new.csv boards/*.csv --match loose --on-missing drop
    """
    from concordant.questions.benchmarks import itself_note

    if not estimates and (how["runs"] or not (how["reference_measures"] and how["estimate_measures"])):
        one = "or columns of one table with -x and -y"
        raise click.UsageError(f"Missing argument 'ESTIMATE...'; give one or more, or --judges, {one}")
    others = tuple(path for path in estimates if path != reference)
    alone = len(others) < 2 or len(others) == len(estimates)
    study = study_of_files((reference, *(estimates if alone else others)), how)
    study.alignment_notes += () if alone else (itself_note([Path(reference).name]),)
    return answer(how, study, says="resampling topics")


@command(
    "judge",
    "questions.judge.judge",
    Option("--qrels FILE", "Read the reference judgements from this file; used with --runs.", type=READS),
    Option(
        "--reference FILE",
        "Read the reference scores from this table, instead of --runs and --qrels.",
        type=READS,
    ),
    *options.judges(
        "Read the judgements or scores of this judge. NAME= names the judge, unless a file is "
        "called so. Repeat the option for several judges, or let further files of the same folder follow."
    ),
    options.COEFFICIENTS,
    TOP,
    *(*options.GROUP_BY, options.DATASET, *options.AT_LEAST, *options.INTERVALS),
    *options.of_study(*options.SIDES, options.TOPICS),
    no_args_is_help=True,
)
def judge(qrels: str | None, reference: str | None, estimates: tuple[str, ...], **how: Any) -> int:
    """Judge how well estimates rank the systems, compared with the reference.

    The command evaluates all runs under each set of judgements, or reads score tables. It reports the
    agreement of each judge with the reference, with confidence intervals over topics, and whether a judge is
    as close to the reference as other topics would be. --details also shows which judge is better than
    another, how each finds the top, the agreement topic by topic, which pairs of systems differ
    significantly, the agreement of the judgements, what costs most, which systems gain and lose most ranks,
    and which pairs of systems change order.

    \b
    Examples:
      concordant judge --runs 'runs/*' --qrels human.qrels --judge gpt.qrels --judge umbrela.qrels -m nDCG@10
      concordant judge --reference human.csv --judge GPT-4o=gpt.csv -c tau_ap_b --top 5 -o answer.json
      concordant judge --reference human.csv --judges judges.csv --exclude 'manual*' --groups teams.csv
      concordant judge --reference truth.tot --judge judges/* -m all -c kendall -o correlations.jsonl
    """
    labels: dict[str, Any] = {}
    if not estimates:
        raise click.UsageError("Missing option '--judge' / '--estimate'; give one or more, or --judges")
    if how["runs"]:
        if qrels is None or reference is not None:
            wanted = "give the reference judgements with --qrels, and no --reference"
            raise click.UsageError(f"with --runs, {wanted}")
        study, labels = study_of_judgements((qrels, *estimates), how)
    else:
        if reference is None or qrels is not None:
            raise click.UsageError("give --runs and --qrels, or --reference, with --judge")
        # -x and -y name columns of one table
        alone = {*estimates} == {reference} and how["reference_measures"] and how["estimate_measures"]
        study = study_of_files((reference, *(() if alone else estimates)), how)
    return answer(how, study, says="resampling topics", **labels)


_INPUT = "concordant.input"


def _below(context: click.Context, _: object, folder: str) -> tuple[str, ...]:
    """Return the files of a folder and of the folders in it, without hidden ones."""
    if not Path(folder).is_dir():
        fail(folder, None, "is not a folder; give the folder with the tables of the judges")
    context.meta[_INPUT] = folder
    inside = (each.relative_to(folder) for each in sorted(Path(folder).rglob("*")) if each.is_file())
    return tuple(str(Path(folder, each)) for each in inside if not any(p.startswith(".") for p in each.parts))


def _outside(context: click.Context, _: object, folder: str) -> str:
    """Refuse a folder that cannot be written to, or that would be read."""
    target, read = Path(folder).resolve(), Path(context.meta.get(_INPUT, ".")).resolve()
    if target.is_relative_to(read):
        fail(folder, None, f"is in the folder that is read, {read}; choose another for the output")
    if target.exists() and not (target.is_dir() and os.access(target, os.W_OK | os.X_OK)):
        fail(folder, None, "is not a folder that can be written to; choose another")
    return folder


@command(
    "evaluator",
    "questions.judge.judge",
    click.Argument(["truth"], type=READS),
    click.Argument(["estimates"], nargs=1, type=READS, metavar="INPUT_DIR", callback=_below),
    click.Argument(["folder"], metavar="OUTPUT_DIR", callback=_outside),
    *(options.COEFFICIENTS, options.DATASET, *options.INTERVALS, *options.TABLES, *options.SIDES),
    *(options.WORKERS, *options.ALIGNED, options.TOPICS, *options.WORK, DEBUG),
)
def evaluator(truth: str, estimates: tuple[str, ...], folder: str, **how: Any) -> None:
    """Judge all tables of scores in a folder, as an evaluator of TIRA does.

    TRUTH is the table of the reference. Each file in INPUT_DIR, and in its folders, is the table of a judge,
    in any format; a file that is no such table is named and skipped. Each measure of the reference is
    compared with each of the judges. OUTPUT_DIR gets answer.json, answer.html (if the extra "plot" is
    installed), evaluation.jsonl, which has a line for each judge and its measures, and evaluation.prototext,
    which is written last.

    \b
    Examples:
      concordant evaluator truth.jsonl judges/ out/ -c kendall -c tauap_b
      concordant evaluator $inputDataset/truth.jsonl $inputRun $outputDir
    """
    read = click.get_current_context().meta[_INPUT]
    result = ask(how, judges_below(truth, estimates, read, how), says="resampling topics")
    emit(result, {**how, "table": None, "details": False, "outputs": outputs_into(folder)})


@command(
    "board",
    "questions.board.board",
    click.Argument(["scores"], type=READS),
    Option(
        "--aggregate mean|win_rate|mean_rank|mean_z",
        "What is averaged over items: scores, the share of systems that are beaten, ranks, or z-scores.",
    ),
    Option(
        "--clusters FILE",
        "Read what items belong to from this CSV file, with lines ITEM,CLUSTER; --columns cluster=NAME "
        "names a column instead.",
        type=READS,
    ),
    share("--confidence-level LEVEL", "Confidence level of intervals, rank sets and claims."),
    *(options.n_resamples(), options.seed()),
    *options.of_study(workers=options.WORKERS_OF_RUNS),
)
def board(scores: str, **how: Any) -> int:
    """Say which ranks of a leaderboard are real.

    SCORES is a score table with items (questions, topics, tasks), or judgements if --runs are given. If it
    has a column for each benchmark, the benchmarks are the items. Each system gets the ranks that it may
    have, for all systems at once. Scores of several seeds are averaged with --columns repeat=seed.

    \b
    Examples:
      concordant board scores.csv -o board.md -o board.html
      concordant board samples.jsonl --columns repeat=seed --columns cluster=passage
      concordant board leaderboard.csv --aggregate win_rate --plot board.pdf
    """
    study = study_of_sides({"scores": scores}, how)
    return answer({**how, "interval": True}, study, says="comparing systems")


@command(
    "by-topic",
    "questions.by_topic.by_topic",
    *(*options.BOTH_SIDES, options.COEFFICIENTS, *options.INTERVALS, *options.of_study(*options.SIDES)),
)
def by_topic(reference: str, estimate: str, **how: Any) -> int:
    """Correlate rankings of systems topic by topic, and by their means.

    \b
    Example:
      concordant by-topic human.csv gpt.csv -c tau_ap_b --details
    """
    return answer(how, study_of_files((reference, estimate), how), says="resampling topics")


@command(
    "explain",
    "questions.explain.explain",
    *options.BOTH_SIDES,
    whole("--most N", "How many pairs and how many systems to list.", 0),
    *(options.COEFFICIENTS, *options.of_study(*options.SIDES, options.TOPICS, drawn=False)),
)
def explain(reference: str, estimate: str, **how: Any) -> int:
    """Explain a coefficient c of two rankings of systems: what lowers its value most.

    The command lists the pairs of systems that cost most. --details also lists the systems without which the
    coefficient is highest, and the cost of each system. The costs of all systems sum to 1 - c.

    \b
    Example:
      concordant explain human.csv gpt.csv -c tau_ap_b --most 5
    """
    return answer(how, study_of_files((reference, estimate), how), says="explaining")


@command(
    "matrix",
    "questions.matrix.matrix",
    *(options.files("[NAME=]FILE...", callback=options.named), options.COEFFICIENTS, *options.of_study()),
    result="questions.matrix.Matrix",
)
def matrix(files: tuple[str, ...], coefficients: tuple[str, ...], **how: Any) -> int:
    """Correlate all pairs of rankings: each measure of each file is a ranking.

    The row is the reference, the column the estimate.

    \b
    Example:
      concordant matrix ap.csv p10.csv rr.csv -c tau_ap_b
    """
    if len(coefficients) > 1:
        raise click.UsageError(f"a matrix has one coefficient, got {len(coefficients)}")
    own = {"coefficient": coefficients[0]} if coefficients else {}
    return answer(how, study_of_sides(named(files, how), how), says="comparing all pairs", **own)


@command(
    "sweep",
    "questions.sweep.sweep",
    *options.BOTH_SIDES,
    numbers(
        "--thresholds W,W,...",
        "The thresholds. By default 51 thresholds from 0 to the range of the means are used.",
    ),
    numbers(
        "--estimate-thresholds W,W,...",
        "The thresholds of the estimate, if they are not those of the reference: a curve for each.",
    ),
    *(
        options.COEFFICIENTS,
        *options.of_study(*options.SIDES, options.TOPICS, workers=options.WORKERS_OF_RUNS),
    ),
)
def sweep(reference: str, estimate: str, **how: Any) -> int:
    """Show coefficients for growing thresholds up to which a difference is a tie, and where they turn.

    \b
    Examples:
      concordant sweep human.csv gpt.csv -c tau_b -c tau_ap_b --thresholds 0,0.01,0.02,0.05,0.1
      concordant sweep human.csv gpt.csv --thresholds 0,0.05,0.1 --estimate-thresholds 0,0.1
    """
    return answer(how, study_of_files((reference, estimate), how), says="trying thresholds")


@command(
    "labels",
    "questions.label_raters.labels",
    options.files("[NAME=]FILE...", callback=options.named),
    Option("--reference RATER", "Compare the others with this rater. By default all pairs are compared."),
    Option("--levels LABEL,LABEL,...", "The possible labels, the lowest first.", callback=options.words),
    Option("--rater raters NAME*", "Compare only this rater. Repeat the option for several."),
    Option(
        "--annotator annotators NAME*",
        "Rater that is a person, for the alternative annotator test of the others. Repeat for each.",
    ),
    Option(
        "--epsilon E", "How much better an annotator must be in that test.", type=float, needs=("annotators",)
    ),
    Option("--closeness accuracy|neg_rmse", "How close labels are in that test.", needs=("annotators",)),
    whole("--least-items N", "Least number of items of an annotator in that test.", needs=("annotators",)),
    whole("--most N", "How many items with large disagreement to list.", 0),
    Option(
        "--columns KIND=NAME*",
        "What a column holds: item, topic, system, rater or label. Repeat the option for several.",
    ),
    *(each for each in options.TABLES if each.name in ("input_format", "sheet")),
    *(options.COEFFICIENTS, *options.INTERVALS, *options.OUTPUT),
)
def labels(files: tuple[str, ...], **how: Any) -> int:
    """Compare the labels that raters, such as people and language models, give to the same items.

    FILE is a table with a row for each item and a column for each rater, or with columns item, rater and
    label; a column "topic" says which items belong together, a column "system" which system made an item.
    Several files are judgements (qrels), one file for each rater. The table has a row for each rater, or pair
    of raters. If there are systems and a reference, the answer is also that of judge, for mean labels.
    --details also shows the agreement of all raters, confusion, precision and recall, and the items with the
    largest disagreement.

    \b
    Examples:
      concordant labels labels.csv --reference human
      concordant labels labels.csv --reference human --levels poor,fair,good -o answer.json
      concordant labels labels.csv --annotator ann --annotator bob --annotator cem --epsilon 0.15
      concordant labels human=a.qrels gpt=b.qrels --reference human
    """
    columns = dict(each.partition("=")[::2] for each in how["columns"])
    own = {"columns": columns, "format": how["input_format"]}
    data = named(files, how) if len(files) > 1 else files[0]
    return answer({**how, "columns": ()}, data, says="comparing labels", **own)


@command(
    "metrics",
    "questions.metrics.metrics",
    click.Argument(["data"], metavar="FOLDER", type=READS),
    Option("--language-pair language_pairs NAME*", "Use this language pair. Repeat the option for several."),
    Option("--human KIND", "Use this kind of human scores, such as mqm, if there are several."),
    Option("--reference NAME", "Use metrics with this reference translation, and those without any."),
    Option(
        "--references/--no-references",
        "Whether reference translations are systems, except those that metrics use.",
        default=False,
        show_default=True,
    ),
    Option(
        "--exclude PATTERN*",
        "Leave out the systems of this name or pattern, such as outliers. Repeat the option for several.",
    ),
    Option("--by item|system|none", "Compare translations of one segment, of one system, or all."),
    Option("--system-level soft|pairwise", "Use the soft or the plain pairwise accuracy of systems."),
    Option("--ties half|count", "How a flip with the observed sum counts; count gives official values."),
    Option("--unit cell|item|system", "What two metrics exchange in a test at system level."),
    Option("--rule greedy|cut", "Where a cluster begins. See the documentation of metrics."),
    share("--alpha LEVEL", "Level of the tests."),
    whole("--n-resamples N", "Number of random flips, and of random exchanges."),
    *(options.seed(), options.workers("threads"), *options.OUTPUT),
)
def metrics(data: str, **how: Any) -> int:
    """Compare metrics of machine translation by their agreement with people.

    FOLDER has the layout of mt-metrics-eval: human-scores/en-de.mqm.seg.score and
    metric-scores/en-de/NAME-refA.seg.score, for one or more language pairs. The table has a row for each
    metric and a column for each task: soft pairwise accuracy of systems, and acc_eq of segments with
    calibrated ties, each with its cluster; the first column is the cluster by the average. --details also
    shows the calibrated and the cross-fitted values, and the test of each pair of metrics.

    \b
    Examples:
      concordant metrics wmt24 --human mqm --reference refA -o findings.tex
      concordant metrics wmt24 --language-pair en-de --exclude 'outlier*' --table pairs --format csv
    """
    return answer(how, data, says="exchanging scores")


@command(
    "plan",
    "questions.plan.plan",
    click.Argument(["scores"], type=READS),
    *options.judges(
        "Read the scores (or judgements) of a judge from this file, to plan how many topics show its "
        "agreement. Repeat the option for several judges."
    ),
    share("--target VALUE", "The expected correlation that is wanted."),
    share(
        "--within H",
        "Half the width of the interval that is wanted for the agreement of a judge.",
        needs=("estimates",),
    ),
    numbers(
        "--topics n_topics N,N,...",
        "Numbers of topics. By default they are some from 10 to 1000, and that of the scores.",
        int,
    ),
    Option(
        "--subset",
        "Look for the smallest set of topics that ranks the systems as the rest does, with --target.",
        is_flag=True,
    ),
    *(options.COEFFICIENTS, *options.LEVEL),
    Option(
        "--method posterior|msqd|ml|resampling",
        "How the probability of a wrong order is estimated. See the documentation of plan.",
    ),
    options.n_resamples("estimates|method=resampling", "interval"),
    options.seed("estimates|subset|method=resampling", "interval|subset"),
    *options.of_study(*options.SIDES, workers=options.WORKERS_OF_RUNS),
)
def plan(scores: str, estimates: tuple[str, ...], **how: Any) -> int:
    """Plan the number of topics: the expected correlation of a ranking with the true ranking.

    SCORES is a score table with topics, or judgements if --runs are given. The true ranking is that by
    unlimited topics of the same kind. With --judge, the command also says how many topics show the agreement
    of each judge, and which of two judges agrees better.

    \b
    Examples:
      concordant plan human.csv -c tau --target 0.9
      concordant plan human.csv --judge gpt.csv --judge umbrela.csv --within 0.05
      concordant plan leaderboard.csv --subset --target 0.9
    """
    if estimates:
        return answer(how, study_of_files((scores, *estimates), how), says="planning")
    return answer(how, study_of_sides({"scores": scores}, how), says="planning")
