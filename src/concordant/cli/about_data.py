"""The commands on runs and on many groups, and those that make data: runs, grouped, evaluate, demo."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import click

from concordant.cli import options
from concordant.cli.command import Option, answer, ask, command
from concordant.cli.options import whole
from concordant.cli.output import Progress, emit, say, tell, write
from concordant.cli.paths import READS, WRITES, ending_in, ending_of
from concordant.cli.program import DEBUG
from concordant.errors import ArgumentError

_OF_SCORES = ("!order=trec_eval",)


@command(
    "runs",
    "questions.compare_runs.compare_runs",
    options.files("RUN RUN..."),
    options.coefficients(
        "Compute this coefficient of lists, such as 'NAME(p=0.95, ties=b)'. Repeat the option for several.",
        callback=None,
    ),
    whole("--depth K", "Depth of the overlap: the number of first documents that are compared.", 1),
    Option("--order scores|trec_eval", "Treat equal scores as ties, or order them as trec_eval does."),
    Option(
        "--threshold W", "Scores that differ by no more than this are ties.", type=float, needs=_OF_SCORES
    ),
    Option("--names tag|file", "Name runs by their tag or by their file."),
    whole("--n-worst N", "How many of the topics that differ most to list.", 0),
    *(*options.LEVEL, options.workers("threads"), *options.WORK, *options.DRAWN),
)
def runs(files: tuple[str, ...], **how: Any) -> int:
    """Compare runs with each other: how much their lists of documents agree.

    Each RUN is a TREC run, a pattern, or a folder of runs; plain or .gz. All pairs are compared topic by
    topic, and on average with confidence intervals over topics. --details also lists the topics that differ
    most. Documents with equal scores are tied. Judgements are not needed.

    \b
    Examples:
      concordant runs bm25.run dense.run -c 'rbo(p=0.95)'
      concordant runs runs/ --order trec_eval --table matrix --format csv -o overlap.csv
    """
    from concordant.reading.files import expand

    paths = expand(files)
    if len(paths) < 2:
        raise ArgumentError("there is only one run; give two or more, or a folder")
    return answer(how, paths, says="comparing topics")


def _output(text: str, *endings: str) -> Option:
    usual = f"{text} By default CSV is printed."
    return Option("-o --output FILE", usual, type=WRITES, callback=ending_in(*endings))


@command(
    "evaluate",
    "reading.evaluate.evaluate",
    Option("--qrels FILE", "Read the judgements from this file.", type=READS, required=True),
    options.runs(required=True),
    options.measures(
        "Compute this measure, such as AP or nDCG@10. Repeat the option for several.", required=True
    ),
    _output(
        "Write the scores to this file: .csv, .tsv, .jsonl, .parquet or .xlsx, also with .gz.",
        *("", ".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".parquet", ".xlsx"),
    ),
    *(options.NAMES, options.UNJUDGED),
    Option("--on-missing error|drop|zero|keep", "What to do with topics that a run did not answer."),
    *(options.WORKERS, *options.WORK, DEBUG),
)
def evaluate(output: str | None, **how: Any) -> None:
    """Evaluate runs by judgements and write a table of scores.

    \b
    Example:
      concordant evaluate --runs 'runs/*.gz' --qrels human.qrels -m AP -m nDCG@10 -o scores.csv.gz
    """
    from concordant.reading.write_scores import as_text, write_scores

    scores = ask(how, says="evaluating runs")
    for note in scores.notes:
        tell(str(note))
    if output is None or output == "-":
        say(as_text(scores, "long"))
    else:
        write_scores(scores, output)
        tell(f"wrote {output}")


@command(
    "demo",
    "experiments.demo.demo",
    click.Argument(
        ["folder"],
        nargs=-1,
        metavar="[metrics|board|benchmarks] [FOLDER]",
        shell_complete=options.folder_names,
    ),
    Option("--seed rng N", "Use this seed for the simulated collection.", type=click.IntRange(min=0)),
    Option("--overwrite", "Replace the files of an earlier demonstration.", is_flag=True),
    *(options.COEFFICIENTS, options.WORKERS, *options.OUTPUT),
    result="results.result.Result",
)
def demo(folder: tuple[str, ...], **how: Any) -> None:
    """Simulate a small test collection with two imperfect judges, write its TREC files, and judge them.

    With the word metrics, simulate metrics of machine translation for two language pairs, write the files of
    mt-metrics-eval, and compare the metrics. With the word board, simulate ten models on 300 questions, write
    their scores, and say which ranks are real. With the word benchmarks, simulate ten benchmarks, write a
    table of each, and say whether the one called new agrees with the others. FOLDER is by default
    concordant-demo, with -metrics, -board or -benchmarks.

    \b
    Examples:
      concordant demo my-folder --seed 7
      concordant demo metrics my-folder
      concordant demo board
      concordant demo benchmarks
    """
    import glob
    import shlex

    what = folder[0] if folder[:1] in (("metrics",), ("board",), ("benchmarks",)) else ""
    target, *others = folder[bool(what) :] or (f"concordant-demo{what and '-'}{what}",)
    if others:
        raise click.UsageError(f"Got unexpected extra argument ({others[0]}); give one folder")
    if what:
        if how["coefficients"]:
            raise click.UsageError(f"-c has no effect on {what}; leave it out")
        with Progress("exchanging scores" if what == "metrics" else "comparing systems") as progress:
            result = ask(how, target, what=what, progress=progress)
        data = target if what == "metrics" else f"{target}/scores.csv"
        again = f"{what} {shlex.quote(data)}"
        if what == "benchmarks":
            tables = (shlex.quote(f"{target}/{name}") for name in ("new.csv", "boards"))
            again = "correlate {} {}/*.csv --on-missing drop".format(*tables)
        n_files = sum(path.suffix in (".score", ".csv") for path in Path(target).rglob("*"))
        wrote = f"Wrote {n_files} {'files' if n_files > 1 else 'file'} to {target}"
        emit(result, how, wrote, f"The same as: concordant {again}")
        return
    with Progress("simulating a collection") as progress:
        evaluating, resampling = progress.of("evaluating runs"), progress.of("resampling topics")
        result = ask(how, target, evaluating=evaluating, progress=resampling)
    human, *files = (f"{target}/{name}.qrels" for name in ("human", "noisy", "partial"))
    judges = " ".join(f"--judge {shlex.quote(path)}" for path in files)
    runs = shlex.quote(f"{glob.escape(target)}/runs/*.run")
    data = f"--runs {runs} --qrels {shlex.quote(human)} {judges}"
    n_runs = len(list(Path(target, "runs").iterdir()))
    wrote = f"Wrote {n_runs + 3} files to {target}: {n_runs} runs and 3 sets of judgements"
    emit(result, how, wrote, f"The same as: concordant judge {data} -m nDCG@10")


@command(
    "show",
    "experiments.experiment.load",
    *(options.files("FILE..."), *options.DRAWN),
    result="results.result.Result",
)
def show(files: tuple[str, ...], **how: Any) -> int:
    """Show a saved result again: print it, write it in other formats, or draw it.

    FILE is what -o answer.json wrote, or to_json() in Python; plain or .gz. Nothing is computed
    again. Several results of judge, or of correlate, become one table; --dataset of these commands names
    the data of each.

    \b
    Examples:
      concordant show answer.json -o answer.tex -o answer.html --plot ranks=ranks.pdf
      concordant show trec8.json robust.json -o both.tex
    """
    return answer(how, *files, says="")


@command(
    "grouped",
    "questions.grouped.grouped",
    options.files("FILE..."),
    Option(
        "--by COLUMN*",
        "Group the rows by the values of this column. Repeat the option for several columns.",
        required=True,
    ),
    Option("-x COLUMN", "Read the reference scores from this column.", required=True),
    Option("-y COLUMN", "Read the estimated scores from this column.", required=True),
    options.coefficients("Compute this coefficient. Repeat the option for several.", required=True),
    Option(
        "--adjacent/--no-adjacent",
        "Whether the rows of each group are adjacent. If not, DuckDB sorts them first.",
        default=True,
        show_default=True,
    ),
    Option(
        "--nan-policy propagate|raise|omit",
        "What to do with missing scores: give the group no value, refuse them, or leave the item out.",
    ),
    options.workers("threads"),
    _output(
        "Write the result to this file: Parquet, Arrow (.arrow, .feather) or CSV.",
        *(".parquet", ".arrow", ".feather", ".csv"),
    ),
    DEBUG,
)
def grouped(files: tuple[str, ...], by: tuple[str, ...], output: str | None, **how: Any) -> None:
    """Correlate within each of many groups, in files of any size.

    Each FILE is a Parquet, Arrow or CSV file, a pattern or a folder. The files are read batch by batch, so
    that memory holds a batch, the largest group and the result, which has a row for each group.

    \b
    Example:
      concordant grouped 'logs/*.parquet' --by query -x human -y model -c tau_b -o out.parquet
    """
    import warnings

    from concordant.errors import UndefinedWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UndefinedWarning)
        found = ask(how, files, says="reading rows", by=list(by))
    for each in caught:
        tell(str(each.message))
    _write(found, output)


def _write(table: Any, output: str | None) -> None:
    if output is None or output == "-":
        say(_csv(table))
        return
    import pyarrow as pa
    from pyarrow import parquet

    content, ending = pa.BufferOutputStream(), ending_of(output)
    if ending == ".parquet":
        parquet.write_table(table, content)
    elif ending != ".csv":
        with pa.ipc.new_file(content, table.schema) as writer:
            writer.write_table(table)
    text = _csv(table) if ending == ".csv" else content.getvalue().to_pybytes()
    write(output, text, f": {table.num_rows} groups")


def _csv(table: Any) -> str:
    """Return a table of Arrow as CSV; only some of its rows are objects of Python at a time."""
    import pyarrow as pa

    from concordant.results.markup import csv_text

    def cells(column: Any) -> list[Any]:
        if pa.types.is_temporal(column.type) or pa.types.is_boolean(column.type):
            column = column.cast(pa.string())
        found = column.to_pylist()
        return [cell.decode(errors="backslashreplace") if isinstance(cell, bytes) else cell for cell in found]

    batches = table.to_batches(max_chunksize=1 << 16)
    rows = (row for batch in batches for row in zip(*map(cells, batch.columns), strict=True))
    return csv_text(itertools.chain([table.column_names], rows))
