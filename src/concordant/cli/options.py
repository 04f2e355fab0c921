"""Options that several commands share.

The defaults of options are those of the functions. Only --workers differs: a command uses all cores.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from concordant.cli.output import FORMATS, ReaderGone
from concordant.cli.paths import READS, WRITES, check_paths, format_of
from concordant.errors import ArgumentError, calling, option_names

__all__ = [
    "Command",
    "Default",
    "alpha",
    "coefficients",
    "debug",
    "given",
    "input_options",
    "interval_options",
    "named",
    "names",
    "numbers",
    "on_missing",
    "output_options",
    "runs",
    "seed",
    "speaking",
    "table_options",
    "with_options",
    "workers",
]

Command = Callable[..., Any]

# Parameters of functions whose options have another name.
_TYPED = {
    "rng": "--seed",
    "coefficients": "-c",
    "coefficient": "-c",
    "measures": "-m",
    "format": "--input-format",
}


_YES_OR_NO = ("top_weighted", "threshold", "symmetric")  # options that are flags


def _as_typed(parameter: str, value: object) -> str:
    name = _TYPED.get(parameter, f"--{parameter.replace('_', '-')}")
    if parameter in _YES_OR_NO and value is not None:
        return name if value else f"--no-{parameter.replace('_', '-')}"
    return name if value is None else f"{name} {'no' if value is False else value}"


@contextmanager
def speaking(command: str) -> Iterator[None]:
    """Let errors name the command and its options, not the functions that it calls."""
    with calling(f"concordant {command}"), option_names(_as_typed):
        yield


class _Spoken(click.Command):
    """A command whose errors name it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; some are checked here."""
        with speaking(self.name or ""):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, if its files can be read and written."""
        with speaking(self.name or ""):
            check_paths(ctx)
            if "format" in ctx.params:
                ctx.params["format"] = format_of(ctx.params)
            try:
                return super().invoke(ctx)
            except BrokenPipeError:  # for which click would end the program with 1
                raise ReaderGone from None


def named(name: str, **settings: Any) -> Callable[[Command], click.Command]:
    """Make a command of a function."""
    return click.command(name, cls=_Spoken, **settings)


class Default(click.Option):
    """An option whose default is that of the function that the command calls; help shows the default.

    Its value is checked before any work: a whole number from `least` on, or a share between 0 and 1.
    """

    def __init__(
        self,
        *names: Any,
        of: str,
        parameter: str = "",
        least: int | None = None,
        share: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__(*names, **settings)
        self.of, self.parameter = of, parameter or (self.name or "")
        self.least, self.share = least, share

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Read the value and check it."""
        found = super().type_cast_value(ctx, value)
        if found is None or found == ():
            return found
        if self.least is not None or self.share:
            from concordant.rankings import proportion, whole_number

            for each in found if isinstance(found, tuple) else (found,):
                if self.share:
                    proportion(self.parameter, each)
                else:
                    whole_number(self.parameter, each, self.least or 0)
        elif self.parameter == "coefficients":
            from concordant.coefficients import chosen

            chosen(found, "")
        return found

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Show the default of the function."""
        record = super().get_help_record(ctx)
        if record is None:
            return None
        value = inspect.signature(_function(self.of)).parameters[self.parameter].default
        if self.parameter == "coefficients" and value is None:
            from concordant.coefficients import usual

            value = [str(c) for c in usual(self.of.rpartition(".")[2])]
        if value is None or value == ():
            return record
        text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        return record[0], f"{record[1]}  [default: {text}]"


def given(how: Mapping[str, Any], *parameters: str) -> dict[str, Any]:
    """Return the options that were given, under the names of the function's parameters."""
    return {name: how[name] for name in parameters if how.get(name) is not None and how[name] != ()}


def with_options(command: Command, *options: Command) -> Command:
    """Add options, so that help lists them in this order."""
    for each in reversed(options):
        command = each(command)
    return command


def _checked_workers(_context: Any, _option: Any, number: int) -> int:
    from concordant.rankings import n_workers

    if number != -1:
        n_workers(number)
    return number


debug = click.option(
    "--debug", is_flag=True, expose_value=False, help="On an error, show where in the program it happened."
)
names = click.option(
    "--names",
    type=click.Choice(["tag", "file"]),
    cls=Default,
    of="io.evaluate",
    help="Name the systems of runs by run tag or by file.",
)
runs = click.option(
    "--runs", metavar="FILES", type=READS, multiple=True, help="TREC runs, such as 'runs/*'; with judgements."
)
workers = click.option(
    "--workers",
    type=int,
    default=-1,
    metavar="N",
    callback=_checked_workers,
    help="Threads, and processes for evaluating runs; by default all cores.",
)


def output_options(of: str) -> Callable[[Command], Command]:
    """Add the options that say where the result of a function goes."""

    def check(_context: Any, _option: Any, table: str | None) -> str | None:
        if table is not None and table not in (there := _tables_of(of)):
            raise ArgumentError(f"--table: there is no table {table!r}; there are {', '.join(there)}")
        return table

    def add(command: Command) -> Command:
        return with_options(
            command,
            debug,
            click.option(
                "--format",
                type=click.Choice(FORMATS),
                help="Output format; by default that of the ending of the output file, else table.",
            ),
            click.option(
                "-o", "--output", metavar="FILE", type=WRITES, help="Write to a file: whole, or not at all."
            ),
            click.option("--table", metavar="NAME", callback=check, help="Only this table of the result."),
        )

    return add


def _tables_of(of: str) -> tuple[str, ...]:
    """Return the names of the tables that the result of a function may have."""
    function = _function(of)
    kind = str(function.__annotations__["return"]).partition(" ")[0]
    names: tuple[str, ...] = getattr(importlib.import_module(function.__module__), kind).table_names()
    return names


def _function(of: str) -> Any:
    module, _, name = of.rpartition(".")
    return getattr(importlib.import_module(f"concordant.{module}"), name)


def coefficients(of: str, several: bool = True) -> Callable[[Command], Command]:
    """Add the option for coefficients."""
    more = "; repeat for several" if several else ""
    return click.option(
        "-c",
        "--coefficient",
        "coefficients",
        metavar="NAME",
        multiple=several,
        cls=Default,
        of=of,
        parameter="coefficients",
        help=f"Coefficient, with threshold and top k as in 'NAME(0.05)@10'{more}. See 'concordant list'.",
    )


def on_missing(of: str) -> Callable[[Command], Command]:
    """Add the option for systems and topics on one side only."""
    return click.option(
        "--on-missing",
        type=click.Choice(["error", "drop", "zero"]),
        cls=Default,
        of=of,
        help="Systems and topics on one side only: refuse, leave out, or count as 0. By default systems "
        "are refused, and topics that a system did not answer count as 0.",
    )


_WITH_TOPICS = tuple(f"judging.{name}" for name in ("correlate", "judge", "explain_scores", "sweep"))


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
    help="Names of systems: the same to the letter, which is the default, or but for case, spaces, hyphens and "
    "Unicode form.",
)
rename = click.option(
    "--rename", metavar="FILE", type=READS, help="Other names of systems: a CSV file with lines OLD,NEW."
)


def seed(of: str) -> Callable[[Command], Command]:
    """Add the option for the seed."""
    return click.option(
        "--seed",
        "rng",
        type=click.IntRange(min=0),
        cls=Default,
        of=of,
        parameter="rng",
        help="Seed of the random numbers: the same seed gives the same result.",
    )


def alpha(of: str) -> Callable[[Command], Command]:
    """Add the option for the level of tests."""
    return click.option(
        "--alpha",
        type=float,
        cls=Default,
        share=True,
        of=of,
        help="Level at which pairs of systems differ significantly.",
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
            help="Measure, such as AP or nDCG@10; repeat. Of tables, by default all.",
        ),
        click.option(
            "--input-format",
            type=click.Choice(
                [
                    *("table", "trec_eval", "ir_measures", "ir_measures4", "tot", "ranking", "order"),
                    *("jsonl", "json", "parquet", "workbook"),
                ]
            ),
            help="Format of score tables; by default it is recognised.",
        ),
        click.option(
            "--columns",
            metavar="[TABLE:]KIND=NAME",
            multiple=True,
            help="Column of a table, such as system=Model or value=Score, for all files or for one; repeat.",
        ),
        click.option(
            "--systems",
            type=click.Choice(["rows", "columns"]),
            help="Where a table has its systems; by default the names of its columns decide.",
        ),
        click.option(
            "--headers",
            type=click.Choice(["measures", "topics"]),
            help="What the columns of a table with systems in rows are; by default measures, or topics if "
            "their names are numbers.",
        ),
        click.option(
            "--decimal", type=click.Choice([".", ","]), help="Decimal sign; by default the numbers decide."
        ),
        click.option("--sheet", metavar="NAME", help="Sheet of a workbook."),
        click.option(
            "--lower-is-better",
            metavar="MEASURE",
            multiple=True,
            help="Measure of which the smallest score is the best, such as RMSE; 'all' for all; repeat.",
        ),
    )


def input_options(of: str) -> Callable[[Command], Command]:
    """Add the options that say how to read scores and align them."""

    def add(command: Command) -> Command:
        options: list[Command] = [runs, table_options, workers, names, on_missing(of), match, rename]
        if of in _WITH_TOPICS:
            options.append(topics(of))
        return with_options(command, *options)

    return add


def interval_options(of: str) -> Callable[[Command], Command]:
    """Add the options for intervals over topics."""

    def add(command: Command) -> Command:
        return with_options(
            command,
            click.option(
                "--interval/--no-interval",
                default=True,
                show_default=True,
                help="Show intervals over topics.",
            ),
            click.option(
                "--confidence-level",
                metavar="LEVEL",
                type=float,
                cls=Default,
                share=True,
                of=of,
                help="Level of the intervals.",
            ),
            click.option(
                "--method",
                type=click.Choice(["simex", "percentile", "basic", "BCa"], case_sensitive=False),
                cls=Default,
                of=of,
                help="Method of the intervals; see the documentation of bootstrap.",
            ),
            click.option(
                "--n-resamples",
                metavar="N",
                type=int,
                cls=Default,
                least=2,
                of=of,
                help="Resamples of the topics.",
            ),
            seed(of),
        )

    return add


def numbers(name: str, text: str | None, kind: type = float) -> list[Any] | None:
    """Read numbers with commas between."""
    if text is None:
        return None
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        what = "whole numbers" if kind is int else "numbers"
        raise ArgumentError(f"--{name}: expected {what} with commas between, found {text!r}") from None
