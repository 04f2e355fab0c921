"""Options that several commands share.

The defaults of options are those of the functions. Only --workers differs: a command uses all cores.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from concordant.cli.command import Command, Default, Effect, Option, function_of
from concordant.cli.completing import coefficient_names
from concordant.cli.debug import debug
from concordant.cli.output import FORMATS
from concordant.cli.paths import READS, WRITES
from concordant.errors import ArgumentError, missing_library

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


# The conditions under which options have an effect.
WITH_RUNS = Effect(lambda how: bool(how["runs"]), "without --runs")
OF_SIMULATED = Effect(lambda how: not how["runs"], "with --runs, because nothing is simulated")
_OF_TABLES = (
    Effect(lambda how: not how["runs"], "with --runs, which are not tables"),
    Effect(lambda how: how.get("files") != (), "without a table"),
)
_OF_INTERVALS = Effect(lambda how: bool(how["interval"]), "with --no-interval")
_OF_WORK = Effect(
    lambda how: bool(how.get("runs")) or how.get("interval") is not False,
    "with --no-interval and without --runs",
)


def given(how: Mapping[str, Any], *parameters: str) -> dict[str, Any]:
    """Return the options that were given, under the names of the function's parameters."""
    return {name: how[name] for name in parameters if how.get(name) is not None and how[name] != ()}


def with_options(command: Command, *options: Command) -> Command:
    """Add options, so that help lists them in this order."""
    for each in reversed(options):
        command = each(command)
    return command


def _checked_workers(_context: Any, _option: Any, number: int) -> int:
    from concordant.checks import n_workers

    if number != -1:
        n_workers(number)
    return number


names = click.option(
    "--names",
    type=click.Choice(["tag", "file"]),
    cls=Default,
    of="reading.evaluate.evaluate",
    effects=(WITH_RUNS,),
    help="Name the systems of runs by the run tag or by the file.",
)


def runs(required: bool = False) -> Callable[[Command], Command]:
    """Add the option for runs."""
    with_judgements = "" if required else ", with judgements"
    return click.option(
        "--runs",
        metavar="FILES",
        type=READS,
        multiple=True,
        required=required,
        help=f"Read TREC runs, such as runs/*{with_judgements}. Further files of the same folder may follow.",
    )


def _workers(effect: Effect, what: str) -> Callable[[Command], Command]:
    return click.option(
        "--workers",
        type=int,
        default=-1,
        metavar="N",
        cls=Option,
        effects=(effect,),
        callback=_checked_workers,
        help=f"{what}. By default all cores are used.",
    )


workers = _workers(_OF_WORK, "Number of threads, and of processes that evaluate runs")
workers_of_runs = _workers(WITH_RUNS, "Number of processes that evaluate runs")


workers_here = click.option(
    "--workers",
    type=int,
    default=-1,
    metavar="N",
    callback=_checked_workers,
    help="Number of threads, and of processes that evaluate runs. By default all cores are used.",
)


def coefficients(of: str, several: bool = True) -> Callable[[Command], Command]:
    """Add the option for coefficients."""
    more = " Repeat the option for several." if several else ""
    return click.option(
        "-c",
        "--coefficient",
        "coefficients",
        metavar="NAME",
        shell_complete=coefficient_names,
        multiple=several,
        cls=Default,
        of=of,
        parameter="coefficients",
        help=f"Compute this coefficient, with threshold and top k as in 'NAME(0.05)@10'.{more} See "
        "'concordant list'.",
    )


def on_missing(of: str) -> Callable[[Command], Command]:
    """Add the option for systems and topics on one side only."""
    return click.option(
        "--on-missing",
        type=click.Choice(["error", "drop", "zero"]),
        cls=Default,
        of=of,
        help="What to do with systems and topics that are on one side only: refuse them, leave them out, or "
        "count them as 0. By default systems are refused, and unanswered topics of a system count as 0.",
    )


_WITH_TOPICS = (
    "study.study.Study",
    *(f"questions.{name}.{name}" for name in ("correlate", "judge", "sweep")),
)


def topics(of: str) -> Callable[[Command], Command]:
    """Add the option for the topics that are averaged over."""
    return click.option(
        "--topics",
        type=click.Choice(["common", "own"]),
        cls=Default,
        of=of,
        help="Compare on the topics that both sides have, or take each mean over the topics of its own side.",
    )


match = click.option(
    "--match",
    type=click.Choice(["exact", "loose"]),
    help="How names of systems are matched: exactly, which is the default, or without regard to case, "
    "spaces, hyphens and Unicode form.",
)
rename = click.option(
    "--rename", metavar="FILE", type=READS, help="Rename systems by this CSV file, with lines OLD,NEW."
)


def seed(of: str, *effects: Effect) -> Callable[[Command], Command]:
    """Add the option for the seed."""
    return click.option(
        "--seed",
        "rng",
        type=click.IntRange(min=0),
        cls=Default,
        of=of,
        parameter="rng",
        effects=effects,
        help="Seed of the random numbers. The same seed gives the same result.",
    )


def alpha(of: str) -> Callable[[Command], Command]:
    """Add the option for the level of tests."""
    return click.option(
        "--alpha",
        type=float,
        cls=Default,
        share=True,
        of=of,
        help="Level of the tests of whether two systems differ significantly.",
    )


def table_options(command: Command) -> Command:
    """Add the options that say how to read tables of scores."""
    return with_options(
        command,
        click.option(
            "-m",
            "--measure",
            "measures",
            metavar="NAME",
            multiple=True,
            help="Use this measure, such as AP or nDCG@10. Repeat the option for several. By default all "
            "measures of a table are used.",
        ),
        click.option(
            "--input-format",
            type=click.Choice(
                [
                    *("table", "trec_eval", "ir_measures", "ir_measures4", "tot", "ranking", "order"),
                    *("jsonl", "json", "parquet", "workbook"),
                ]
            ),
            cls=Option,
            effects=_OF_TABLES,
            help="Format of score tables. By default it is recognised.",
        ),
        click.option(
            "--columns",
            metavar="[TABLE:]KIND=NAME",
            multiple=True,
            cls=Option,
            effects=_OF_TABLES,
            help="What a column of a table holds, such as system=Model or value=Score, for all files or "
            "for one. Repeat the option for several.",
        ),
        click.option(
            "--systems",
            type=click.Choice(["rows", "columns"]),
            cls=Option,
            effects=_OF_TABLES,
            help="Where a table has its systems. By default the names of its columns decide.",
        ),
        click.option(
            "--headers",
            type=click.Choice(["measures", "topics"]),
            cls=Option,
            effects=_OF_TABLES,
            help="What the columns are in a table with systems in rows. By default they are measures, or "
            "topics if their names are numbers. With measures, each file without a column for systems is a "
            "system.",
        ),
        click.option(
            "--decimal",
            type=click.Choice([".", ","]),
            cls=Option,
            effects=_OF_TABLES,
            help="Decimal sign of the numbers. By default the numbers decide.",
        ),
        click.option(
            "--sheet", metavar="NAME", cls=Option, effects=_OF_TABLES, help="Read this sheet of a workbook."
        ),
        click.option(
            "--lower-is-better",
            metavar="MEASURE",
            multiple=True,
            cls=Option,
            effects=_OF_TABLES,
            help="Measure of which the smallest score is the best, such as RMSE; 'all' means all measures. "
            "Repeat the option for several.",
        ),
    )


def input_options(of: str, threads: bool = True) -> Callable[[Command], Command]:
    """Add the options for reading and aligning scores; `threads` says whether the function has workers."""

    def add(command: Command) -> Command:
        own = workers if threads else workers_of_runs
        options: list[Command] = [runs(), table_options, own, names, on_missing(of), match, rename]
        if of in _WITH_TOPICS:
            options.append(topics(of))
        return with_options(command, *options)

    return add


def level_options(of: str) -> Callable[[Command], Command]:
    """Add the options for intervals and their level."""

    def add(command: Command) -> Command:
        return with_options(
            command,
            click.option(
                "--interval/--no-interval",
                default=True,
                show_default=True,
                help="Whether to compute confidence intervals over topics.",
            ),
            click.option(
                "--confidence-level",
                metavar="LEVEL",
                type=float,
                cls=Default,
                share=True,
                of=of,
                effects=(_OF_INTERVALS,),
                help="Confidence level of the intervals.",
            ),
        )

    return add


def interval_options(of: str) -> Callable[[Command], Command]:
    """Add the options for intervals over topics."""

    def add(command: Command) -> Command:
        return with_options(
            command,
            level_options(of),
            click.option(
                "--method",
                type=click.Choice(["standard", "percentile", "basic", "BCa", "simex"], case_sensitive=False),
                cls=Default,
                of=of,
                effects=(_OF_INTERVALS,),
                help="Method of the intervals. See the documentation of bootstrap.",
            ),
            click.option(
                "--n-resamples",
                metavar="N",
                type=int,
                cls=Default,
                least=2,
                of=of,
                effects=(_OF_INTERVALS,),
                help="Number of resamples of the topics.",
            ),
            seed(of, _OF_INTERVALS),
        )

    return add


def numbers(name: str, text: str | None, kind: type = float) -> list[Any] | None:
    """Read numbers that are separated by commas."""
    if text is None:
        return None
    if any(re.fullmatch(r"\s*0\d+\s*", part, re.ASCII) for part in text.split(",")):
        raise ArgumentError(
            f"--{name}: {text!r} has a number such as 05, as after a decimal comma; write 0.05 with a point"
        )
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        what = "whole numbers" if kind is int else "numbers"
        raise ArgumentError(f"--{name}: expected {what} with commas between, found {text!r}") from None


_OF_DETAILS = (
    Effect(lambda how: how["table"] is None, "with --table"),
    Effect(lambda how: how["format"] != "csv", "in csv, which holds one table; choose it with --table"),
    Effect(lambda how: how["format"] in ("table", "latex", "markdown"), "in a format that holds everything"),
)
_OF_FIGURES = Effect(lambda how: how["plot"] is not None, "without --plot")


class OneOf(Option):
    """An option that names a part of the result of a function; the help lists the names."""

    def __init__(self, *names: Any, part: str, of: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.part, self.of = part, of

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Refuse an unknown name before any work."""
        found = super().type_cast_value(ctx, value)
        if found is not None and found not in (there := _names(self.part, self.of)):
            raise ArgumentError(
                f"--{self.part}: there is no {self.part} {found!r}; there are {', '.join(there)}"
            )
        return found

    def shell_complete(self, _ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the names."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in _names(self.part, self.of) if name.startswith(incomplete)]

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """List the names."""
        record = super().get_help_record(ctx)
        return (
            None if record is None else (record[0], f"{record[1]} {', '.join(_names(self.part, self.of))}.")
        )


def _names(part: str, of: str) -> tuple[str, ...]:
    """Return the names of the tables or figures that the result of a function may have."""
    function = function_of(of)
    name = str(function.__annotations__["return"]).partition(" ")[0]
    kind = getattr(importlib.import_module(function.__module__), name)
    if part == "table":
        tables: tuple[str, ...] = kind.table_names()
        return tables
    from concordant.figures.draw import figure_names

    return figure_names(kind)


def _drawable(_context: Any, _option: Any, path: str | None) -> str | None:
    """Refuse a figure that cannot be drawn, before any work."""
    if path is None:
        return None
    from importlib.util import find_spec
    from pathlib import Path

    if Path(path).suffix.lower() not in (".html", ".pdf", ".png", ".svg"):
        raise ArgumentError(f"--plot: the file must end in .png, .svg, .pdf or .html, got {path!r}")
    if find_spec("altair") is None or find_spec("vl_convert") is None:
        raise missing_library("a figure", "altair and vl-convert-python", "plot")
    return path


def output_options(of: str, figures: bool = False) -> Callable[[Command], Command]:
    """Add the options for the output of a function; `figures` says whether it can be drawn."""
    drawing = (
        click.option(
            "--plot",
            metavar="FILE",
            type=WRITES,
            callback=_drawable,
            help="Draw a figure to this file: .png, .svg, .pdf or .html.",
        ),
        click.option(
            "--figure",
            metavar="NAME",
            cls=OneOf,
            part="figure",
            of=of,
            effects=(_OF_FIGURES,),
            help="Which figure to draw. By default it is the first of:",
        ),
    )

    def add(command: Command) -> Command:
        return with_options(
            command,
            debug,
            click.option(
                "--format",
                type=click.Choice(FORMATS),
                help="Format of the output. By default the ending of the output file decides; otherwise it "
                "is a table.",
            ),
            click.option(
                "-o",
                "--output",
                metavar="FILE",
                type=WRITES,
                help="Write the result to this file, completely or not at all.",
            ),
            click.option(
                "--table",
                metavar="NAME",
                cls=OneOf,
                part="table",
                of=of,
                help="Show only this table of the result, with all digits. The tables are:",
            ),
            click.option(
                "--details",
                is_flag=True,
                cls=Option,
                effects=_OF_DETAILS,
                help="Show all tables with all digits.",
            ),
            *(drawing if figures else ()),
        )

    return add
