"""The commands: each parses, calls, prints."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concordant import __version__
from concordant.cli import _options
from concordant.cli._output import Progress, emit, tell

if TYPE_CHECKING:
    from concordant.report import Report

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


class Program(click.Group):
    """Lists commands in the order in which they are written."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands."""
        return list(self.commands)


@click.group(cls=Program, context_settings=SETTINGS)
@click.version_option(__version__, prog_name="concordant")
@click.option("--debug", is_flag=True, help="On an error, show where in the program it happened.")
def program(debug: bool) -> None:
    """Say how well two rankings agree.

    \b
    Examples:
      concordant corr human.csv gpt.csv
      concordant judge --runs 'runs/*' --qrels human.qrels --judge gpt.qrels -m nDCG@10
      concordant demo
    """


def _answer(report: Report, how: dict[str, Any]) -> None:
    emit(report, how["format"], how["output"], how["table"])


def _check(report: Report, table: str, least: float | None) -> int:
    """Say which values are below --min; return the exit code."""
    if least is None:
        return 0
    if math.isnan(least):
        raise ValueError("--min must be a number, got nan")
    shown, below = report[table], []
    first = next(c for c, column in enumerate(shown.columns) if not isinstance(column, str))
    for row in shown.rows:
        label = ", ".join(cell for cell in row[:first] if isinstance(cell, str))
        for column, value in zip(shown.columns[first:], row[first:], strict=True):
            if isinstance(column, str) or value is None:  # ends of intervals; what has no value of its own
                continue
            if math.isnan(value):
                below.append(f"{column} of {label} is undefined, which is not {least:g} or more")
            elif value < least:
                below.append(f"{column} of {label} is {value:.4f}, below {least:g}")
    for each in below:
        tell(each)
    return 1 if below else 0


least = click.option(
    "--min", "least", type=float, metavar="VALUE", help="End with code 1 if any value is below this."
)


@program.command(no_args_is_help=True)
@click.argument("truth")
@click.argument("estimates", nargs=-1, required=True, metavar="ESTIMATE...")
@_options.coefficients(["tau_b", "tau_ap_b"])
@least
@_options.intervals
@_options.inputs
@_options.output
def corr(
    truth: str, estimates: tuple[str, ...], coefficients: tuple[str, ...], least: float | None, **how: Any
) -> int:
    """Correlate rankings of systems by mean score.

    TRUTH and each ESTIMATE are score tables (topic x system CSV or TSV, long CSV, trec_eval -q or ir_measures -q output,
    JSON lines, parquet; plain or .gz; "-" for standard input), or judgements if --runs are given. Where there are topics,
    each value has an interval over them; below are the pairs of systems that cost most.

    \b
    Examples:
      concordant corr human.csv gpt.csv umbrela.csv -c tau_ap_b -c "tau_b(0.05)@10"
      concordant corr full.csv.gz half.csv.gz --min 0.9
      concordant corr --runs 'runs/*' human.qrels gpt.qrels -m AP -m nDCG@10
    """
    from concordant.judging import correlate

    scores = _options.load((truth, *estimates), how)
    name, *others = scores
    with Progress("resampling topics") as progress:
        report = correlate(
            scores[name], {other: scores[other] for other in others}, coefficients, on_missing=how["on_missing"],
            progress=progress, **_options.how_sure(how),
        )  # fmt: skip
    _answer(report, how)
    return _check(report, "correlation", least)


@program.command(no_args_is_help=True)
@click.option("--qrels", metavar="FILE", help="The true judgements, with --runs.")
@click.option("--truth", metavar="FILE", help="The true scores, a table, instead of --runs and --qrels.")
@click.option(
    "--judge",
    "judges",
    metavar="FILE",
    multiple=True,
    required=True,
    help="Judgements (or scores) of a judge; repeat.",
)
@_options.coefficients(["tau_b", "tau_ap_b"])
@click.option(
    "--top",
    metavar="K",
    type=int,
    multiple=True,
    default=(10,),
    show_default=True,
    help="Also among the best K systems of the truth; repeat.",
)
@click.option(
    "--worst", metavar="N", type=int, default=5, show_default=True, help="How many moves and flips to list."
)
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="Level at which pairs of systems differ significantly.",
)
@least
@_options.intervals
@_options.inputs
@_options.output
def judge(
    qrels: str | None, truth: str | None, judges: tuple[str, ...], coefficients: tuple[str, ...], top: tuple[int, ...],
    worst: int, alpha: float, least: float | None, **how: Any,
) -> int:  # fmt: skip
    """Say how well judges rank the systems compared with the truth.

    Evaluates all runs under each set of judgements; or takes score tables. Answers: each judge against the truth, overall
    and among the best systems, with intervals over topics; whether the best judge is better than the others; topic by topic;
    which pairs of systems differ significantly; agreement of the judgements themselves; what costs most; which systems gain
    and lose most ranks; which pairs of systems change order.

    \b
    Examples:
      concordant judge --runs 'runs/*' --qrels human.qrels --judge gpt.qrels --judge umbrela.qrels -m nDCG@10
      concordant judge --truth human.csv --judge gpt.csv -c tau_ap_b --top 5 --format json -o answer.json
    """
    from concordant import judging

    if worst < 0:
        raise ValueError(f"--worst must be 0 or more, got {worst}")
    true_labels, labels = None, {}
    if how["runs"]:
        if qrels is None or truth is not None:
            raise click.UsageError("with --runs, give the true judgements with --qrels, and no --truth")
        scores, read = _options.load_judged([qrels, *judges], how)
        true_labels, *others_labels = read.values()
        labels = dict(zip(list(read)[1:], others_labels, strict=True))
    else:
        if truth is None or qrels is not None:
            raise click.UsageError("give --runs and --qrels, or --truth, with --judge")
        scores = _options.load([truth, *judges], how)
    name, *others = scores
    with Progress("resampling topics") as progress:
        report = judging.judge(
            scores[name], {other: scores[other] for other in others}, coefficients, top=top, qrels=true_labels,
            judge_qrels=labels, n_worst=worst, alpha=alpha, on_missing=how["on_missing"], progress=progress,
            **_options.how_sure(how),
        )  # fmt: skip
    _answer(report, how)
    return _check(report, "agreement", least)


@program.command(no_args_is_help=True)
@click.argument("truth")
@click.argument("estimate")
@click.option("--each", is_flag=True, help="Also list every topic.")
@_options.coefficients(["tau_b", "tau_ap_b"])
@_options.intervals
@_options.inputs
@_options.output
def topics(truth: str, estimate: str, each: bool, coefficients: tuple[str, ...], **how: Any) -> None:
    """Correlate topic by topic, beside the correlation of means.

    \b
    Example:
      concordant topics human.csv gpt.csv -c tau_ap_b --each
    """
    from dataclasses import replace

    from concordant.judging import by_topic

    x, y = _options.load((truth, estimate), how).values()
    with Progress("resampling topics") as progress:
        report = by_topic(
            x, y, coefficients, on_missing=how["on_missing"], progress=progress, **_options.how_sure(how)
        )
    if not each and how["table"] != "each":
        report = replace(report, tables=report.tables[:1])
    _answer(report, how)


@program.command(no_args_is_help=True)
@click.argument("truth")
@click.argument("estimate")
@click.option(
    "--most", metavar="N", type=int, default=10, show_default=True, help="How many pairs and systems to list."
)
@_options.coefficients(["tau_ap_b"])
@_options.inputs
@_options.output
def explain(truth: str, estimate: str, most: int, coefficients: tuple[str, ...], **how: Any) -> None:
    """Say why two rankings of systems do not agree more.

    Lists the pairs of systems that take most off a coefficient, the systems without which it is highest, and what each system
    costs; the costs of all systems sum to 1 - c.

    \b
    Example:
      concordant explain human.csv gpt.csv -c tau_ap_b --most 5
    """
    from concordant.judging import explained

    x, y = _options.load((truth, estimate), how).values()
    report = explained(x, y, coefficients, most=most, on_missing=how["on_missing"], workers=how["workers"])
    _answer(report, how)


@program.command(no_args_is_help=True)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@_options.coefficients(["tau_ap_b"], several=False)
@_options.inputs
@_options.output
def matrix(files: tuple[str, ...], coefficients: str, **how: Any) -> None:
    """Correlate all pairs of rankings: each file, and each measure in it, is one.

    The row is the reference, the column the estimate.

    \b
    Example:
      concordant matrix ap.csv p10.csv rr.csv -c tau_ap
    """
    import warnings

    from concordant import many
    from concordant._questions import chosen
    from concordant.alignment import align
    from concordant.report import Report, Table

    (c,) = chosen("matrix", coefficients)
    loaded = _options.load(files, how)
    aligned = align(*loaded.values(), on_missing=how["on_missing"], names=list(loaded))
    means = {}
    for name, scores in zip(loaded, (aligned.truth, *aligned.estimates), strict=True):
        for measure in scores.measures:
            label = (
                name if len(scores.measures) == 1 else measure if len(loaded) == 1 else f"{name} {measure}"
            )
            means[label] = scores.mean(measure)
    if len(means) < 2:
        raise ValueError(
            "matrix: there is one ranking only; give several files, or one with several measures"
        )
    with warnings.catch_warnings(record=True) as undefined:
        warnings.simplefilter("always")
        values = many.matrix(means, c)
    notes = (*aligned.notes, *(str(each.message) for each in undefined))
    corner = "ranking"
    while corner in means:
        corner += "_"
    rows = tuple((label, *row) for label, row in zip(means, values.tolist(), strict=True))
    title = f"{c} of {len(aligned.truth.systems)} systems, row against column"
    _answer(Report("", (Table("matrix", title, (corner, *means), rows),), notes), how)


@program.command(no_args_is_help=True)
@click.argument("truth")
@click.argument("estimate")
@click.option(
    "--thresholds", metavar="W,W,...", help="The thresholds; by default 51 up to the range of the means."
)
@_options.coefficients(["tau_b", "tau_e"])
@_options.inputs
@_options.output
def sweep(
    truth: str, estimate: str, thresholds: str | None, coefficients: tuple[str, ...], **how: Any
) -> None:
    """Follow coefficients as the threshold grows up to which a difference is a tie, and say where they turn.

    \b
    Example:
      concordant sweep human.csv gpt.csv -c tau_e -c tau_ap_e --thresholds 0,0.01,0.02,0.05,0.1
    """
    from concordant import judging

    x, y = _options.load((truth, estimate), how).values()
    steps = None if thresholds is None else [_number("--thresholds", text) for text in thresholds.split(",")]
    _answer(judging.sweep(x, y, coefficients, thresholds=steps, on_missing=how["on_missing"]), how)


def _number(option: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{option}: expected numbers with commas between, found {text!r}") from None


@program.command(no_args_is_help=True)
@click.option("--qrels", metavar="FILE", required=True, help="The judgements.")
@click.option("--runs", metavar="FILES", multiple=True, required=True, help="TREC runs, such as 'runs/*'.")
@click.option(
    "-m",
    "--measure",
    "measures",
    metavar="NAME",
    multiple=True,
    required=True,
    help="Measure, such as AP or nDCG@10; repeat.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="CSV, .tsv, .jsonl or .parquet, also with .gz; by default CSV to standard output.",
)
@_options.names
@click.option(
    "--on-missing",
    type=click.Choice(["error", "drop", "zero", "keep"]),
    default="zero",
    show_default=True,
    help="Topics that a run did not answer.",
)
@_options.processes
@click.option("--debug", is_flag=True, help="On an error, show where in the program it happened.")
def evaluate(
    qrels: str, runs: tuple[str, ...], measures: tuple[str, ...], output: str | None, names: str, on_missing: str, workers: int,
    debug: bool,  # noqa: ARG001
) -> None:  # fmt: skip
    """Evaluate runs by judgements and write a table of scores.

    \b
    Example:
      concordant evaluate --runs 'runs/*.gz' --qrels human.qrels -m AP -m nDCG@10 -o scores.csv.gz
    """
    from concordant import evaluation
    from concordant.io.tables import as_text, write_scores

    with Progress("evaluating runs") as progress:
        scores = evaluation.evaluate(
            qrels, runs, measures, names=names, on_missing=on_missing, workers=workers, progress=progress
        )
    for note in scores.notes:
        tell(note)
    if output is None or output == "-":
        sys.stdout.write(as_text(scores, "long", ","))
    else:
        write_scores(scores, output)
        tell(f"wrote {output}")


@program.command()
@click.option(
    "--where", type=click.Choice(["truth", "observers"]), help="Is x the truth, or are both observers?"
)
@click.option("--what", type=click.Choice(["none", "indiscernible", "equal"]), help="What a tie means.")
@click.option("--when", type=click.Choice(["same", "threshold"]), help="When two items are tied.")
@click.option("--head/--no-head", default=None, help="Does the head of the ranking count more?")
@click.option(
    "--gaps", type=click.Choice(["reference", "both", "no"]), help="Do differences between scores count?"
)
@click.option(
    "--grades", type=click.Choice(["items", "profiles", "no"]), help="Should the grades of documents agree?"
)
@_options.output
def choose(
    where: str | None, what: str | None, when: str | None, head: bool | None, gaps: str | None, grades: str | None,
    **how: Any,
) -> None:  # fmt: skip
    """Advise which coefficient fits the question. Without options, print all questions.

    \b
    Example:
      concordant choose --where truth --what indiscernible --when threshold --head
    """
    from concordant import choosing
    from concordant.report import Report, Table

    answers: dict[str, Any] = {
        "where": where,
        "what": what,
        "when": when,
        "head": head,
        "gaps": gaps,
        "grades": grades,
    }
    answers = {key: False if value == "no" else value for key, value in answers.items() if value is not None}
    if not answers:
        if how["format"] != "table" or how["output"]:
            raise click.UsageError("answer at least one question for a result to write")
        sys.stdout.write(choosing.TREE + "\n")
        return
    choice = choosing.choose(**answers)
    if choice is None:
        return
    row = (choice.coefficient, choice.reason, choice.call, choice.question)
    table = Table("choice", "Advice", ("coefficient", "reason", "call", "still open"), (row,))
    if how["format"] == "table" and not how["output"] and not how["table"]:
        sys.stdout.write(f"{choice!r}\n")
    else:
        _answer(Report("", (table,)), how)


@program.command("list")
@_options.output
def list_coefficients(**how: Any) -> None:
    """List all coefficients and what they are for.

    \b
    Example:
      concordant list --format markdown
    """
    import concordant as cd
    from concordant.report import Report, Table

    rows = tuple(
        (c, c.question, c.symmetric, c.head_weighted, c.gap_sensitive, c.ties, c.thresholds, c.inputs)
        for c in cd.REGISTRY.values()
    )
    columns = ("coefficient", "question", "symmetric", "head", "gaps", "ties", "threshold", "input")
    _answer(Report("", (Table("coefficients", "Coefficients", columns, rows),)), how)


@program.command(no_args_is_help=True)
@click.argument("coefficient")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="For the cases that are drawn at random."
)
@_options.output
def axioms(coefficient: str, seed: int, **how: Any) -> None:
    """Try the five axioms of relevance profiles on a coefficient.

    \b
    Example:
      concordant axioms tau_ap_b
    """
    import concordant as cd
    from concordant.report import Report, Table

    found = cd.axioms(coefficient, rng=seed)
    rows = tuple((v.axiom, v.statement, v.status, v.cases, v.counterexample) for v in found)
    columns = ("axiom", "statement", "status", "cases", "smallest counterexample, or why not")
    _answer(Report("", (Table("axioms", f"Axioms, of {found.coefficient}", columns, rows),)), how)


@program.command()
@click.argument("folder", default="concordant-demo")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="The collection that is simulated.",
)
@click.option("--overwrite", is_flag=True, help="Replace the files of an earlier demonstration.")
@_options.coefficients(["tau_b", "tau_ap_b"])
@_options.output
def demo(folder: str, seed: int, overwrite: bool, coefficients: tuple[str, ...], **how: Any) -> None:
    """Simulate a small test collection with two imperfect judges, write its TREC files, and judge them.

    \b
    Example:
      concordant demo my-folder --seed 7
    """
    import glob
    import shlex
    from dataclasses import replace

    from concordant import judging, simulate
    from concordant.evaluation import evaluate_under

    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise ValueError(f"{folder}: is a file; give the name of a folder")
    if target.exists() and any(target.iterdir()) and not overwrite:
        raise ValueError(
            f"{folder}: is not empty; give another folder, or --overwrite to replace the files there"
        )
    made = simulate.collection(rng=seed)
    written = made.write(target)
    files = {name: str(target / f"{name}.qrels") for name in ("human", *made.judges)}
    runs = [str(path) for path in written if path.suffix == ".run"]
    with Progress("evaluating runs") as progress:
        scores = evaluate_under(files, runs, ["nDCG@10"], workers=1, progress=progress)
    truth = scores.pop("human")
    with Progress("resampling topics") as progress:
        report = judging.judge(
            truth, scores, coefficients, qrels=made.qrels, judge_qrels=made.judges, confidence_level=0.95, alpha=0.05, rng=0,
            n_resamples=_options.RESAMPLES,
            workers=-1, progress=progress,
        )  # fmt: skip
    judges = " ".join(f"--judge {shlex.quote(files[name])}" for name in made.judges)
    pattern = f"{glob.escape(folder)}/runs/*.run"
    title = (
        f"Wrote {len(written)} files to {folder}: {made!r}\nThe same as: concordant judge --runs '{pattern}' "
        f"--qrels {shlex.quote(files['human'])} {judges} -m nDCG@10"
    )
    _answer(replace(report, title=title, notes=(*report.notes, *_what_to_see(report))), how)


def _what_to_see(report: Report) -> list[str]:
    """Explain the demonstration by its own numbers."""
    labels = {row["judge"]: row for row in report["labels"].to_dicts()}
    agreement = {
        row["judge"]: row for row in report["agreement"].to_dicts() if row["systems"].startswith("all")
    }
    coefficient = str(report["agreement"].columns[3])
    gains = [
        row["system"] for row in report["moved"].to_dicts() if row["judge"] == "partial" and row["gain"] > 0
    ]
    first = (
        f"what to see: the judges label documents about equally well (kappa {labels['noisy']['kappa of grades']:.2f} and "
        f"{labels['partial']['kappa of grades']:.2f}), but rank the systems differently well ({coefficient} "
        f"{agreement['noisy'][coefficient]:.2f} and {agreement['partial'][coefficient]:.2f})"
    )
    lines = [first]
    neural = sum(name.startswith("neural") for name in gains)
    if gains:
        lines.append(
            f"errors at random average out over topics; those of the partial judge do not: of the {len(gains)} systems "
            f"that gain most under it, {neural} are neural, the family it favours"
        )
    return lines
