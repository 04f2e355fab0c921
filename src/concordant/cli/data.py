"""The commands that make data: evaluate, demo."""

from __future__ import annotations

import sys
from typing import Any

import click

from concordant.cli.command import Default, named
from concordant.cli.completing import folder_names
from concordant.cli.debug import debug
from concordant.cli.elsewhere import work_options
from concordant.cli.options import coefficients, given, names, runs, workers
from concordant.cli.output import emit, tell
from concordant.cli.output_options import output_options
from concordant.cli.paths import READS, WRITES
from concordant.cli.progress import Progress
from concordant.errors import fail, visible

__all__ = ["COMMANDS"]


def _writable_ending(_context: Any, _option: Any, path: str | None) -> str | None:
    from pathlib import Path

    ending = Path((path or "").removesuffix(".gz")).suffix.lower()
    if ending in (".xls", ".ods", ".json", ".html", ".pdf"):
        endings = ".csv, .tsv, .jsonl, .parquet and .xlsx, also with .gz"
        fail(str(path), None, f"ends in {ending}, which is not written; endings are {endings}")
    return path


@named("evaluate", no_args_is_help=True)
@click.option("--qrels", metavar="FILE", type=READS, required=True, help="The judgements.")
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
    of="io.evaluate",
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
    from concordant.io import as_text, evaluate as run, write_scores

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
@coefficients("judging.judge")
@workers
@output_options("judging.judge")
def demo(folder: str, seed: int, overwrite: bool, **how: Any) -> None:
    """Simulate a small test collection with two imperfect judges, write its TREC files, and judge them.

    \b
    Example:
      concordant demo my-folder --seed 7
    """
    import glob
    import shlex

    from concordant import experiments
    from concordant.coefficients import chosen

    chosen(
        how["coefficients"] or None, "judge"
    )  # an unknown coefficient is refused before anything is written
    with Progress("simulating a collection") as progress:
        written = experiments.write_collection(folder, seed, overwrite)
        result = experiments.demo(
            written,
            how["coefficients"] or None,
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


COMMANDS = (evaluate, demo)
