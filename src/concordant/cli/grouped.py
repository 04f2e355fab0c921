"""The command for many groups in large files: grouped."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concordant.cli.command import Default, Effect, Option, named
from concordant.cli.completing import coefficient_names
from concordant.cli.debug import debug
from concordant.cli.options import given
from concordant.cli.output import tell
from concordant.cli.paths import READS, WRITES
from concordant.cli.progress import Progress
from concordant.errors import fail

if TYPE_CHECKING:
    from concordant.io import Scan

__all__ = ["COMMANDS"]

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
    help="Whether the rows of each group are adjacent. If not, they are first written to temporary files.",
)
@click.option(
    "--nan-policy",
    type=click.Choice(["propagate", "raise", "omit"]),
    cls=Default,
    of="comparison.grouped",
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
@click.option(
    "--resume",
    metavar="FOLDER",
    cls=Option,
    effects=(Effect(lambda how: how["adjacent"], "with --no-adjacent"),),
    help="Keep what is known after each file in this folder, and use what is there.",
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

    from concordant.coefficients import chosen
    from concordant.comparison import grouped as run
    from concordant.errors import UndefinedWarning
    from concordant.io import scan

    asked = chosen(how.pop("coefficients"), "")
    source = scan(files, list(dict.fromkeys([*by, x, y])))
    with Progress("reading rows") as progress, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UndefinedWarning)
        found = run(_Counted(source, progress), by=list(by), x=x, y=y, coefficients=asked, **given(how, *how))
    for each in caught:
        tell(str(each.message))
    _write(found, output)


class _Counted(Iterator[Any]):
    """A stream of batches that shows how many rows were read."""

    def __init__(self, source: Scan, progress: Progress) -> None:
        self.source, self.progress = source, progress
        self.schema, self.total, self.done = source.schema, source.n_rows, 0
        self.batches = self._counted(source)

    def __next__(self) -> Any:
        return next(self.batches)

    def parts(self) -> Iterator[tuple[str, Iterator[Any]]]:
        for checksum, batches in self.source.parts():
            yield checksum, self._counted(batches)

    def _counted(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            yield batch
            self.done += batch.num_rows
            if self.total is not None:
                self.progress(self.done, self.total)


def _write(table: Any, output: str | None) -> None:
    import io

    import pyarrow as pa

    from concordant.io import write_whole

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


COMMANDS = (grouped,)
