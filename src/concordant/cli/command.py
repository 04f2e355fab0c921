"""One class of commands and one of options: errors name them; wrong options are refused before any work."""

from __future__ import annotations

import importlib
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from concordant.cli.output import FOR_PEOPLE, OF_AGREEMENT, Progress, emit, tell
from concordant.cli.paths import check_paths, outputs_of, page_ahead, with_further_files
from concordant.errors import ArgumentError, calling, option_names

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from concordant.statistics.resampling import Resampling

How = Mapping[str, Any]

# Where a default is looked up if the function of a command does not have the parameter.
_DEFAULTS = ("statistics.resampling.Resampling", "study.study.Study", "reading.evaluate.evaluate")
# Parameters that no option of a command has as its name.
_TYPED = {"coefficients": "-c", "coefficient": "-c", "measures": "-m", "format": "--input-format"}

# The headings of --help-all, with the parameters below them; those of no heading are the question.
_HEADINGS = {
    "Input": "runs qrels reference estimates judges simulated names unjudged reference_measures measures "
    "estimate_measures input_format columns systems headers decimal sheet lower_is_better on_duplicate "
    "plus_minus on_missing match rename include exclude include_topics exclude_topics unmatched by x y order",
    "Question": "",
    "Intervals": "interval confidence_level method n_resamples rng",
    "Output": "output plot figure width no_title caption highlight table details format dataset "
    "overwrite debug help_all _click_default_help help",
    "Large data": "workers cluster adjacent",
}
# Those that --help shows if a command has many; of its own question the first two.
_FIRST = ("runs", "qrels", "reference", "estimates", "measures", "interval", "output", "plot", "help_all")
_MANY, _WIDE = 8, 70


def _help_all(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        ctx.meta["help_all"] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


_HELP_ALL = click.Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_help_all,
    help="Show all options of this command.",
)


def broken(command: str) -> str:
    """Break a long command before its options, as a shell reads it."""
    lines = [""]
    for word in re.split(r" (?=-)", command):
        if lines[-1] and len(lines[-1]) + len(word) > _WIDE:
            lines.append(f"    {word}")
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return " \\\n".join(lines)


def in_a_line(text: str, room: int) -> str:
    """Return the beginning of a help text that fits: up to a sentence, a clause or a word."""
    text = re.sub(r"  \[default: .*", "", text)
    for end in (r"\.(?= |$)", r"[;:] ", r", (?!such|\.)| \("):
        fitting = [found.start() for found in re.finditer(end, text) if found.start() < room]
        if fitting:
            return f"{text[: fitting[0 if end.startswith('.') else -1]]}."
    return f"{text[: room - 3].rpartition(' ')[0]}..."


def by_heading(command: click.Command, ctx: click.Context) -> dict[str, list[click.Option]]:
    """Return the options of a command under the headings of its help."""
    places = {name: (title, n) for title, names in _HEADINGS.items() for n, name in enumerate(names.split())}
    shown = [each for each in command.get_params(ctx) if isinstance(each, click.Option) and not each.hidden]
    found: dict[str, list[click.Option]] = {title: [] for title in _HEADINGS}
    for each in sorted(shown, key=lambda option: places.get(option.name or "", ("", 0))[1]):
        found[places.get(each.name or "", ("Question", 0))[0]].append(each)
    return {title: several for title, several in found.items() if several}


class Option(click.Option):
    """An option. Its default is that of the function of its command, and the help shows it.

    `spec` is the option as help shows it, such as ``"--top K"``, ``"--names tag|file"`` or, if the parameter
    has another name, ``"--seed rng N"``: what follows the names is what to type, or the words to choose from;
    a star after it, as in ``"--top K*"``, means that the option may be repeated.
    `needs` are the conditions without which the option has no effect; it is then refused. Each names a
    parameter that must be given: ``"runs"``; must not be: ``"!runs"``; or must have a value: ``"method=ml"``;
    with a bar between several, one of them. A parameter that the command lacks is as it must be. `offers`
    returns, for the class of the result, the names that the option takes; the help lists them.
    """

    def __init__(
        self,
        spec: str,
        text: str,
        *,
        needs: Sequence[str] = (),
        offers: Callable[[Any], Sequence[str]] | None = None,
        **settings: Any,
    ) -> None:
        *names, last = spec.removesuffix("*").split()
        if not names or last.startswith("-") or (last.isidentifier() and last.islower()):
            names.append(last)
        elif "|" in last:
            settings["type"] = click.Choice(last.split("|"), case_sensitive=False)
        else:
            settings["metavar"] = last
        if offers is not None:
            settings["shell_complete"] = self._offered_for
        super().__init__(names, help=text, multiple=spec.endswith("*"), **settings)
        self.needs, self.offers = needs, offers
        self.has_own_default = self.is_flag or "default" in settings

    def type_cast_value(self, ctx: click.Context, value: object) -> Any:
        """Refuse a name that is not offered, before any work."""
        name = super().type_cast_value(ctx, value)
        known = self._offered(ctx) if self.offers is not None and name is not None else ()
        if known and name not in known:
            there = f"there is no {self.name} {name!r}; there are {', '.join(known)}"
            raise ArgumentError(f"--{self.name}: {there}")
        return name

    def _offered(self, ctx: click.Context) -> Sequence[str]:
        assert self.offers is not None
        assert isinstance(ctx.command, Command)
        return self.offers(ctx.command.result_class)

    def _offered_for(self, ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
        return [name for name in self._offered(ctx) if name.startswith(incomplete)]

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Show the default of the function, or the names that are offered."""
        record = super().get_help_record(ctx)
        if record is None or not isinstance(ctx.command, Command):
            return record
        if self.offers is not None:
            return record[0], f"{record[1]} {', '.join(self._offered(ctx)) or 'those of the result'}."
        default = None if self.has_own_default else ctx.command.default_of(self.name or "")
        if default is None or default == ():
            return record
        text = ", ".join(map(str, default)) if isinstance(default, list | tuple) else str(default)
        return record[0], f"{record[1]}  [default: {text}]"

    def refuse_without_effect(self, ctx: click.Context) -> None:
        """Refuse the option if it was given and has no effect."""
        source = ctx.get_parameter_source(self.name or "")
        if source in (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT):
            for conditions in (need.split("|") for need in self.needs):
                lacking = list(filter(None, (_lacking(each, ctx) for each in conditions)))
                if len(lacking) == len(conditions):
                    name, otherwise = max(self.opts, key=len), " and ".join(lacking)
                    raise ArgumentError(f"{name} has no effect {otherwise}; leave it out")


# Conditions that follow from several parameters, in words.
_FACTS = {
    "for_people": "a format for people: table, latex or markdown",
    "unnamed": "--plot FILE",
    "picture": "--plot FILE of a picture",
    "ranks": "--plot ranks=FILE",
}


def _facts(how: How) -> dict[str, bool]:
    """Return which conditions hold."""
    figures = how.get("figures", {})
    names = [name or how["figure"] for name in figures.values()]
    return {
        "for_people": any(format in FOR_PEOPLE for _, format in how["outputs"]),
        "unnamed": None in figures.values(),
        "picture": any(not file.endswith(".html") for file in figures),
        "ranks": any(name in (None, "ranks") for name in names),
    }


def _lacking(need: str, ctx: click.Context) -> str:
    """Return the words for a condition of an option that does not hold, such as "without --runs"; else ""."""
    name, _, value = need.removeprefix("!").partition("=")
    own = next((each for each in ctx.command.params if each.name == name), None)
    if own is None and name not in ctx.params:
        return ""
    found, wanted = ctx.params[name], not need.startswith("!")
    is_given = found == value if value else not (found is None or found is False or found == ())
    if is_given == wanted:
        return ""
    if own is None:
        return f"without {_FACTS[name]}"
    if wanted and own.secondary_opts:
        return f"with {own.secondary_opts[0]}"
    typed = next((name for name in own.opts if name.startswith("--")), "a file")
    return f"{'without' if wanted else 'with'} {typed}{value and ' '}{value}"


class Command(click.Command):
    """A command that calls the function `of`, such as ``"questions.judge.judge"``. Its errors name it.

    `result` is the class of what the function returns; it is given if the annotation does not say it.
    """

    def __init__(self, *arguments: Any, of: str, result: str = "", **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.of, self.result = of, result
        if len(self.params) > _MANY:
            self.params.append(_HELP_ALL)

    def _in_short(self, ctx: click.Context) -> bool:
        return _HELP_ALL in self.params and "help_all" not in ctx.meta

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does and its examples; in short the first of both."""
        blocks = inspect.cleandoc(self.help or "").split("\n\n")
        examples = next((block for block in blocks if block.startswith("\b\nExample")), None)
        if examples is not None:
            title, *commands = examples.removeprefix("\b\n").split("\n")
            short = self._in_short(ctx)
            typed = [broken(each.strip()).replace("\n", "\n  ") for each in commands[: 1 if short else None]]
            blocks[blocks.index(examples)] = "\n  ".join([f"\b\n{title}", *typed])
            blocks = [blocks[0], f"\b\nExample:\n  {typed[0]}"] if short else blocks
        formatter.write_paragraph()
        with formatter.indentation():
            for block in blocks:
                formatter.write_text(block)
                if not self._in_short(ctx) and block is not blocks[-1]:
                    formatter.write_paragraph()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under headings; in short those that are used most, each in a line."""
        short = self._in_short(ctx)
        sections: dict[str, list[tuple[str, str]]] = {}
        most = 30
        for title, several in by_heading(self, ctx).items():
            own = (
                several[:2] if title == "Question" else [p for p in several if p.required or p.name in _FIRST]
            )
            rows = [record for each in (own if short else several) if (record := each.get_help_record(ctx))]
            sections[title] = rows
        if short:  # of the names of an option the first, and a short and a long one
            first = re.compile(r"(-\w, )?(--[\w-]+)(?:, --[\w-]+)*( .*)?")
            named = {
                title: [(first.sub(r"\1\2\3", names), text) for names, text in rows]
                for title, rows in sections.items()
            }
            most = max(len(names) for rows in named.values() for names, _ in rows)
            room = formatter.width - most - 4
            sections = {
                title: [(f"{names:<{most}}", in_a_line(text, room)) for names, text in rows]
                for title, rows in named.items()
            }
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows, col_max=most)

    @property
    def function(self) -> Any:
        """The function."""
        return found(self.of)

    @property
    def result_class(self) -> type:
        """The class of what the function returns."""
        if self.result:
            return found(self.result)  # type: ignore[no-any-return]
        # Only this annotation is resolved: others name what is imported for type checkers alone.
        own = types.SimpleNamespace(__annotations__={"return": self.function.__annotations__["return"]})
        hint = typing.get_type_hints(own, vars(importlib.import_module(self.function.__module__)))["return"]
        kind: type = next(each for each in (*typing.get_args(hint), hint) if isinstance(each, type))
        return kind

    def default_of(self, parameter: str) -> Any:
        """Return the default of a parameter; None if it has none."""
        for of in (self.of, *_DEFAULTS):
            known = inspect.signature(found(of)).parameters
            if parameter in known:
                default = known[parameter].default
                return None if default is inspect.Parameter.empty else default
        return None

    @contextmanager
    def _speaking(self, ctx: click.Context) -> Iterator[None]:
        """Let errors name the command and its options, not the functions that it calls."""
        with calling(ctx.command_path), option_names(self._as_typed):
            yield

    def _as_typed(self, parameter: str, value: object) -> str:
        name = _TYPED.get(parameter, f"--{parameter.replace('_', '-')}")
        for own in self.params:
            if own.name == parameter and parameter not in _TYPED and isinstance(own, click.Option):
                if own.secondary_opts and isinstance(value, bool):
                    return own.opts[0] if value else own.secondary_opts[0]
                name = own.opts[0]
        return name if value is None else f"{name} {'no' if value is False else value}"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; some are checked here."""
        with self._speaking(ctx):
            spread, taken = with_further_files(args, self.params)
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
        from concordant.reading.files import inputs_kept

        with self._speaking(ctx), inputs_kept():
            if "format" in ctx.params:
                ctx.params["outputs"] = outputs_of(ctx.params)
                _refuse_lines(self, ctx.params)
                ctx.params |= _facts(ctx.params)
            for each in self.params:
                if isinstance(each, Option):
                    each.refuse_without_effect(ctx)
            check_paths(ctx)
            try:
                with page_ahead(ctx.params), _working_as(ctx.params):
                    return super().invoke(ctx)
            except BrokenPipeError:  # the reader has ended, as after `| head`; click would end with 1
                raise click.exceptions.Exit(0) from None


@contextmanager
def _working_as(how: dict[str, Any]) -> Iterator[None]:
    """Let all work be done by the executor of --cluster, if it was given."""
    cluster = how.pop("cluster", None)
    if cluster is None:
        yield
        return
    from concordant.work import working

    with _executor(cluster, how.get("workers", -1)) as executor, working(executor):
        yield


@contextmanager
def _executor(address: str, workers: int) -> Iterator[Executor]:
    """Provide processes of this computer, or those of a Dask cluster."""
    if address == "local":  # no Dask: every user of this computer could send code to its scheduler
        from concordant.checks import n_workers
        from concordant.work import own_processes

        with own_processes(n_workers(workers)) as pool:
            yield pool
        return
    from distributed import Client

    with ExitStack() as stack:
        try:
            client = stack.enter_context(Client(address, timeout=20))  # type: ignore[no-untyped-call]
        except Exception as error:  # noqa: BLE001 - whatever Dask and its libraries raise for an address
            why = f"{type(error).__name__}: {error}".partition("\n")[0].removesuffix(": ")
            raise ArgumentError(
                f"--cluster: no scheduler answers at {address} ({why}); start one with dask scheduler, and "
                "give the address that it prints"
            ) from None
        _check_versions(client)
        yield stack.enter_context(client.get_executor(pure=False))


def _check_versions(client: Any) -> None:
    """Refuse workers that have other versions."""
    from concordant.work import versions

    try:
        theirs = client.run(versions)
    except ModuleNotFoundError as error:
        raise ArgumentError(f"--cluster: the workers lack {error.name}; install it there too") from None
    for worker, found in theirs.items():
        if found != versions():
            raise ArgumentError(
                f"--cluster: the worker {worker} has {found}, this program has {versions()}; install the "
                "same there"
            )


def _refuse_lines(of: Command, how: How) -> None:
    """Refuse a format of the table agreement for other tables."""
    formats = [format for _, format in how["outputs"] if format in OF_AGREEMENT]
    if formats and (how["table"] not in (None, "agreement") or not hasattr(of.result_class, "agreement")):
        raise ArgumentError(f"{formats[0]} holds the table agreement of correlate and judge, no other one")


def found(of: str) -> Any:
    """Return what a module has under this name, such as ``"questions.judge.judge"``."""
    module, _, name = of.rpartition(".")
    return getattr(importlib.import_module(f"concordant.{module}"), name)


def command(
    name: str, of: str, *params: click.Parameter, **settings: Any
) -> Callable[[Callable[..., Any]], Command]:
    """Make a command of a function that gets its options; the help is the docstring."""
    settings.setdefault("no_args_is_help", any(each.required for each in params))
    return click.command(name, cls=Command, of=of, params=list(params), **settings)


def given(how: How, names: Mapping[str, Any] | Sequence[str]) -> dict[str, Any]:
    """Return the options that were given, of those with these names."""
    return {name: how[name] for name in names if how.get(name) is not None and how[name] != ()}


def resampling_of(how: How, known: Mapping[str, Any]) -> Resampling | None:
    """Return how topics are resampled, without options that the function has itself; None: --no-interval."""
    from concordant.statistics.resampling import Resampling

    names = ("confidence_level", "n_resamples", "method", "rng", "workers")
    options = given(how, [name for name in names if name not in known])
    return Resampling(**options) if how["interval"] else None


def ask(how: How, *data: object, says: str = "", **own: Any) -> Any:
    """Call the function of this command with the data and those options that it takes.

    `says` is what the progress is called; without it none is shown.
    """
    function = click.get_current_context().command.function  # type: ignore[attr-defined]
    known = inspect.signature(function).parameters
    options = given(how, known)
    if how.get("groups") is not None:
        options["group_by"] = found("reading.text_tables.read_pairs")(
            how["groups"], "a system and its group", header=True
        )
    if "resampling" in known and "interval" in how:
        options["resampling"] = resampling_of(how, known)
    elif not how.get("interval", True):
        options["confidence_level"] = None
    with Progress(says) if says else nullcontext() as progress:
        if "progress" in known:
            options["progress"] = progress
        return function(*data, **options | own)


def answer(how: How, *data: object, says: str, **own: Any) -> int:
    """Call the function of this command, print the result, and return the exit code."""
    result = ask(how, *data, says=says, **own)
    emit(result, how)
    floor = how.get("at_least")
    reasons = [] if floor is None else list(found("testing.not_shown")(result, floor))
    for sentence, _ in reasons:
        tell(sentence)
    return int(any(decided or how["strict"] for _, decided in reasons))
