"""The commands that make data: evaluate, demo."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from concordant.cli.command import Default, named
from concordant.cli.completing import coefficient_names, folder_names
from concordant.cli.debug import debug
from concordant.cli.elsewhere import work_options
from concordant.cli.options import coefficients, given, names, output_options, runs, workers
from concordant.cli.output import emit, tell
from concordant.cli.paths import READS, WRITES
from concordant.cli.progress import Progress
from concordant.errors import fail, visible


def _writable_ending(_context: Any, _option: Any, path: str | None) -> str | None:
    from pathlib import Path

    ending = Path((path or "").removesuffix(".gz")).suffix.lower()
    if ending in (".xls", ".ods", ".json", ".html", ".pdf"):
        endings = ".csv, .tsv, .jsonl, .parquet and .xlsx, also with .gz"
        fail(str(path), None, f"ends in {ending}, which is not written; endings are {endings}")
    return path


@named("evaluate", no_args_is_help=True)
@click.option(
    "--qrels", metavar="FILE", type=READS, required=True, help="Read the judgements from this file."
)
@runs(required=True)
@click.option(
    "-m",
    "--measure",
    "measures",
    metavar="NAME",
    multiple=True,
    required=True,
    help="Compute this measure, such as AP or nDCG@10. Repeat the option for several.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=WRITES,
    callback=_writable_ending,
    help="Write the scores to this file: .csv, .tsv, .jsonl, .parquet or .xlsx, also with .gz. By default "
    "CSV is printed.",
)
@names
@click.option(
    "--on-missing",
    type=click.Choice(["error", "drop", "zero", "keep"]),
    cls=Default,
    of="reading.evaluate.evaluate",
    help="What to do with topics that a run did not answer.",
)
@workers
@work_options
@debug
def evaluate(output: str | None, **how: Any) -> None:
    """Evaluate runs by judgements and write a table of scores.

    \b
    Example:
      concordant evaluate --runs 'runs/*.gz' --qrels human.qrels -m AP -m nDCG@10 -o scores.csv.gz
    """
    from concordant.reading.evaluate import evaluate as run
    from concordant.reading.write_scores import as_text, write_scores

    with Progress("evaluating runs") as progress:
        scores = run(progress=progress, **given(how, *how))
    for note in scores.notes:
        tell(str(note))
    if output is None or output == "-":
        text = as_text(scores, "long")
        if sys.stdout.isatty():
            text = "\n".join(map(visible, text.split("\n")))
        sys.stdout.write(text)
    else:
        write_scores(scores, output)
        tell(f"wrote {output}")


@named("demo")
@click.argument("folder", default="concordant-demo", shell_complete=folder_names)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Use this seed for the simulated collection.",
)
@click.option("--overwrite", is_flag=True, help="Replace the files of an earlier demonstration.")
@coefficients("questions.judge.judge")
@workers
@output_options("questions.judge.judge")
def demo(folder: str, seed: int, overwrite: bool, **how: Any) -> None:
    """Simulate a small test collection with two imperfect judges, write its TREC files, and judge them.

    \b
    Example:
      concordant demo my-folder --seed 7
    """
    import glob
    import shlex

    from concordant import experiments

    with Progress("simulating a collection") as progress:
        written = experiments.write_collection(folder, seed, overwrite)
        result = experiments.demo(
            written,
            **given(how, "coefficients"),
            workers=how["workers"],
            evaluating=progress.of("evaluating runs"),
            progress=progress.of("resampling topics"),
        )
    files = dict(written.judgements)
    human = files.pop("human")
    judges = " ".join(f"--judge {shlex.quote(path)}" for path in files.values())
    same = (
        f"concordant judge --runs '{glob.escape(folder)}/runs/*.run' --qrels {shlex.quote(human)} "
        f"{judges} -m nDCG@10"
    )
    n_files = len(written.runs) + len(written.judgements)
    emit(
        result,
        how,
        f"Wrote {n_files} files to {folder}: {len(written.runs)} runs and {len(written.judgements)} sets of "
        "judgements\n"
        f"The same as: {same}",
    )


_ENDINGS = (".parquet", ".arrow", ".feather", ".csv")


def _ending(_context: Any, _option: Any, path: str | None) -> str | None:
    if path is not None and path != "-" and Path(path).suffix.lower() not in _ENDINGS:
        fail(path, None, f"the result is written to {', '.join(_ENDINGS)}; give one of these endings")
    return path


@named("grouped", no_args_is_help=True)
@click.argument("files", nargs=-1, required=True, type=READS, metavar="FILE...")
@click.option(
    "--by",
    metavar="COLUMN",
    multiple=True,
    required=True,
    help="Group the rows by the values of this column. Repeat the option for several columns.",
)
@click.option("-x", metavar="COLUMN", required=True, help="Read the reference scores from this column.")
@click.option("-y", metavar="COLUMN", required=True, help="Read the estimated scores from this column.")
@click.option(
    "-c",
    "--coefficient",
    "coefficients",
    metavar="NAME",
    shell_complete=coefficient_names,
    multiple=True,
    required=True,
    help="Compute this coefficient. Repeat the option for several. See 'concordant list'.",
)
@click.option(
    "--adjacent/--no-adjacent",
    default=True,
    show_default=True,
    help="Whether the rows of each group are adjacent. If not, DuckDB sorts them first.",
)
@click.option(
    "--nan-policy",
    type=click.Choice(["propagate", "raise", "omit"]),
    cls=Default,
    of="questions.grouped.grouped",
    help="What to do with missing scores: give the group no value, refuse them, or leave the item out.",
)
@click.option(
    "--workers", type=int, default=-1, metavar="N", help="Number of threads. By default all cores are used."
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=WRITES,
    callback=_ending,
    help="Write the result to this file: Parquet, Arrow (.arrow, .feather) or CSV. By default CSV is "
    "printed.",
)
@debug
def grouped(
    files: tuple[str, ...], by: tuple[str, ...], x: str, y: str, output: str | None, **how: Any
) -> None:
    """Correlate within each of many groups, in files of any size.

    Each FILE is a Parquet, Arrow or CSV file, a pattern or a folder. The files are read batch by batch, so
    that memory holds a batch, the largest group and the result, which has a row for each group.

    \b
    Example:
      concordant grouped 'logs/*.parquet' --by query -x human -y model -c tau_b -o out.parquet
    """
    import warnings

    from concordant.coefficients.text_form import chosen
    from concordant.errors import UndefinedWarning
    from concordant.questions.grouped import grouped as run

    asked = chosen(how.pop("coefficients"))
    with Progress("reading rows") as progress, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UndefinedWarning)
        options = given(how, *how) | {"progress": progress}
        found = run(files, by=list(by), x=x, y=y, coefficients=asked, **options)
    for each in caught:
        tell(str(each.message))
    _write(found, output)


def _write(table: Any, output: str | None) -> None:
    import io

    import pyarrow as pa

    from concordant.reading.files import write_whole

    content = io.BytesIO()
    ending = Path(output or "-.csv").suffix.lower()
    if ending == ".parquet":
        from pyarrow import parquet

        parquet.write_table(table, content)
    elif ending in (".arrow", ".feather"):
        with pa.ipc.new_file(content, table.schema) as writer:
            writer.write_table(table)
    else:
        from pyarrow import csv

        csv.write_csv(table, content)
    if output is None or output == "-":
        sys.stdout.write(content.getvalue().decode())
    else:
        write_whole(output, content.getvalue())
        tell(f"wrote {output}: {table.num_rows} groups")


COMMANDS = (evaluate, demo, grouped)
