"""Commands and options: errors name them, and wrong options are refused before any work."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from concordant.cli.elsewhere import done_by
from concordant.cli.output import ReaderGone
from concordant.cli.paths import READS, check_paths, format_of, with_further_files
from concordant.errors import ArgumentError, calling, option_names

Command = Callable[..., Any]

# Parameters of functions whose options have different names.
_TYPED = {
    "rng": "--seed",
    "coefficients": "-c",
    "coefficient": "-c",
    "measures": "-m",
    "format": "--input-format",
}


_YES_OR_NO = ("adjacent", "same_items", "top_weighted", "threshold", "symmetric")  # options that are flags


def _as_typed(parameter: str, value: object) -> str:
    name = _TYPED.get(parameter, f"--{parameter.replace('_', '-')}")
    if parameter in _YES_OR_NO and isinstance(value, bool):
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
            several = [p for p in self.params if isinstance(p, click.Option) and p.multiple]
            files = {name for p in several if p.type is READS for name in p.opts}
            spread, taken = with_further_files(args, files)
            try:
                return super().parse_args(ctx, spread)
            except click.MissingParameter as error:
                if not taken or not isinstance(error.param, click.Argument):
                    raise
                name, last = taken[-1]
                what = f"{error.format_message().rstrip('.')}; {name} took the files up to {last}"
                raise click.UsageError(f"{what}; if one of them is meant, give {name} last", ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, if its options have an effect and its files can be read and written."""
        with speaking(self.name or ""):
            asked, shown = ctx.params.get("format"), ctx.params.get("shard") is None
            if "format" in ctx.params:  # the file of a part does not contain the provenance
                ctx.params["format"] = format_of(ctx.params) if shown else asked or "table"
            _check_effects(ctx)
            if "format" in ctx.params and not shown:
                ctx.params["format"] = asked
            check_paths(ctx)
            try:
                with done_by(ctx):
                    return super().invoke(ctx)
            except BrokenPipeError:  # for which click would end the program with 1
                raise ReaderGone from None


def named(name: str, **settings: Any) -> Callable[[Command], click.Command]:
    """Make a command of a function."""
    return click.command(name, cls=_Spoken, **settings)


class Effect(NamedTuple):
    """A condition on other options without which an option has no effect, and the words for the message."""

    holds: Callable[[Mapping[str, Any]], bool]
    otherwise: str


class Option(click.Option):
    """An option that declares when it has an effect; otherwise it is refused."""

    def __init__(self, *names: Any, effects: tuple[Effect, ...] = (), **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.effects = effects


def _check_effects(context: click.Context) -> None:
    for each in context.command.params:
        if not isinstance(each, Option):
            continue
        source = context.get_parameter_source(each.name or "")
        if source not in (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT):
            continue
        for effect in each.effects:
            if not effect.holds(context.params):
                name = max(each.opts, key=len)
                raise ArgumentError(f"{name} has no effect {effect.otherwise}; leave it out")


class Default(Option):
    """An option with the default of the function that the command calls; the help shows the default.

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
            from concordant.checks import proportion, whole_number

            for each in found if isinstance(found, tuple) else (found,):
                if self.share:
                    proportion(self.parameter, each)
                else:
                    whole_number(self.parameter, each, self.least or 0)
        elif self.parameter == "coefficients":
            from concordant.coefficients.text_form import chosen

            chosen(found)
        return found

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Show the default of the function."""
        record = super().get_help_record(ctx)
        if record is None:
            return None
        value = inspect.signature(function_of(self.of)).parameters[self.parameter].default
        if value is None or value == ():
            return record
        text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        return record[0], f"{record[1]}  [default: {text}]"


def function_of(of: str) -> Any:
    """Return a function by its folder and name, such as ``"questions.correlate.correlate"``."""
    module, _, name = of.rpartition(".")
    return getattr(importlib.import_module(f"concordant.{module}"), name)
