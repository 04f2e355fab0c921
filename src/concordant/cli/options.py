"""Options that several commands share, as data.

The defaults are those of the functions. Only --workers differs: a command uses all cores.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from concordant.cli.command import Option, found
from concordant.cli.output import FORMATS
from concordant.cli.paths import LISTS, READS, WRITES, drawable, need
from concordant.cli.program import DEBUG
from concordant.errors import ArgumentError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# --- what a shell offers, when the user presses the tabulator ---


def coefficient_names(context: click.Context, _parameter: object, incomplete: str) -> list[CompletionItem]:
    """Offer the coefficients that a command takes: of lists for `runs`, of scores for the others."""
    from click.shell_completion import CompletionItem

    from concordant.coefficients.declaration import REGISTRY

    kinds = {"runs": ("lists",), "axioms": ("scores", "graded_lists", "graded_items")}
    taken = kinds.get(context.info_name or "", ("scores",))
    return [
        CompletionItem(name, help=each.question)
        for name, each in REGISTRY.items()
        if each.inputs in taken and name.startswith(incomplete)
    ]


folder_names = click.Path(file_okay=False).shell_complete

# --- checks of values, before any work ---

_Callback = Callable[[click.Context, click.Parameter, Any], Any]


def _each(check: str, *further: object) -> _Callback:
    """Return a callback that checks every value of an option, by the name of its parameter."""

    def call(_context: click.Context, option: click.Parameter, value: object) -> Any:
        for each in value if isinstance(value, tuple) else (value,):
            if each is not None:
                found(check)(option.name, each, *further)
        return value

    return call


def _all(check: str) -> _Callback:
    """Return a callback that checks the value of an option, or all its values at once."""

    def call(_context: click.Context, _option: click.Parameter, value: object) -> Any:
        if value != ():
            found(check)(value)
        return value

    return call


def named(context: click.Context, _option: click.Parameter, value: Any) -> Any:
    """Take NAME=FILE apart, unless a file is called so."""
    about = context.params.setdefault("about_files", {})

    def file_of(text: str) -> str:
        name, _, path = text.partition("=")
        if not name or not path or os.path.exists(text):  # noqa: PTH110 - false for what cannot be a path
            return text
        about[path] = {"name": name}
        return path

    return tuple(map(file_of, value)) if isinstance(value, tuple) else file_of(value)


def _judges(context: click.Context, _option: click.Parameter, path: str | None) -> str | None:
    """Add the judges of a table to the estimates, which were read before."""
    if path is not None:
        table = found("reading.text_tables.read_judges")(path)
        context.params["about_files"] |= table
        context.params["estimates"] += tuple(table)
    return path


def _patterns(context: click.Context, _option: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Put the lines of FILE in place of @FILE."""
    lists = [text[1:] for text in value if text.startswith("@")]
    context.meta.setdefault(LISTS, []).extend(lists)
    lines = (line.strip() for path in lists for line in found("reading.files.read_text")(path).split("\n"))
    return (*(text for text in value if not text.startswith("@")), *filter(None, lines))


def _address(_context: object, _option: object, text: str | None) -> str | None:
    """Refuse what is no address of a scheduler, and a cluster without its library."""
    if text is None or text == "local":
        return text
    if "://" not in text:
        wanted = "write local, or the address of a scheduler, such as tcp://host:8786"
        raise ArgumentError(f"--cluster: {wanted}, got {text!r}")
    need("a cluster", "cluster", {"distributed": "distributed"})
    return text


def whole(spec: str, text: str, least: int = 1, **settings: Any) -> Option:
    """Return an option for a whole number from `least` up."""
    return Option(spec, text, type=int, callback=_each("checks.whole_number", least), **settings)


def share(spec: str, text: str, **settings: Any) -> Option:
    """Return an option for a number between 0 and 1."""
    return Option(spec, text, type=float, callback=_each("checks.proportion"), **settings)


def numbers(spec: str, text: str, kind: type = float) -> Option:
    """Return an option for numbers that are separated by commas."""

    def read(_context: object, option: click.Parameter, typed: str | None) -> list[Any] | None:
        if typed is None:
            return None
        name, parts = option.opts[0], typed.split(",")
        if any(re.fullmatch(r"\s*0\d+\s*", part, re.ASCII) for part in parts):
            what = "has a number such as 05, as after a decimal comma; write 0.05 with a point"
            raise ArgumentError(f"{name}: {typed!r} {what}")
        try:
            return [kind(part) for part in parts]
        except ValueError:
            what = "whole numbers" if kind is int else "numbers"
            raise ArgumentError(f"{name}: expected {what} with commas between, found {typed!r}") from None

    return Option(spec, text, callback=read)


def words(_context: Any, _option: click.Parameter, typed: str | None) -> list[str] | None:
    """Return words that are separated by commas."""
    return None if typed is None else [word.strip() for word in typed.split(",")]


_OF_TABLES = ("!runs", "files")
_OF_INTERVALS = ("interval",)

# --- data ---

REFERENCE = click.Argument(["reference"], type=READS)
BOTH_SIDES = (REFERENCE, click.Argument(["estimate"], type=READS, callback=named))
JUDGES = Option(
    "--judges FILE",
    "Read the judges from this table, with the columns name and file (relative to the table), and, if you "
    "like, category and colour.",
    type=READS,
    callback=_judges,
)
NAMED: dict[str, Any] = {"type": READS, "callback": named, "is_eager": True}  # before --judges adds some


def judges(text: str) -> tuple[Option, ...]:
    """Return the options for files of judges."""
    return Option("--judge --estimate estimates [NAME=]FILE*", text, **NAMED), JUDGES


def files(metavar: str, required: bool = True, **settings: Any) -> click.Argument:
    """Return the argument for several files."""
    return click.Argument(["files"], nargs=-1, required=required, type=READS, metavar=metavar, **settings)


def runs(required: bool = False) -> Option:
    """Return the option for runs."""
    with_judgements = "" if required else ", with judgements"
    return Option(
        "--runs FILES*",
        f"Read TREC runs, such as runs/*{with_judgements}. Further files of the same folder may follow.",
        type=READS,
        required=required,
    )


NAMES = Option("--names tag|file", "Name the systems of runs by the run tag or by the file.", needs=("runs",))
UNJUDGED = Option(
    "--unjudged not-relevant|left-out|error",
    "What a document is that has no judgement, or a label that failed, such as N/A: not relevant, left out "
    "of the runs, or an error.",
    needs=("runs",),
)


def measures(text: str, **settings: Any) -> Option:
    """Return the option for measures."""
    return Option("-m --measure measures NAME*", text, **settings)


TABLES = (
    measures(
        "Use this measure, such as AP or nDCG@10. Repeat the option for several. By default all measures "
        "that tables have in common are used, and AP for runs; with 'all', each measure of the reference is "
        "compared with each of the other tables. SIDE:NAME, as gpt:score, chooses that of one side."
    ),
    Option(
        "--input-format table|markdown|trec_eval|ir_measures|ir_measures4|tot|ranking|order|jsonl|json|"
        "parquet|arrow|workbook",
        "Format of score tables. By default it is recognised.",
        needs=_OF_TABLES,
    ),
    Option(
        "--columns [TABLE:]KIND=NAME*",
        "What a column of a table holds, such as system=Model or value=Score, for all files or for one. "
        "Repeat the option for several.",
        needs=_OF_TABLES,
    ),
    Option(
        "--systems rows|columns",
        "Where a table has its systems. By default the names of its columns decide.",
        needs=_OF_TABLES,
    ),
    Option(
        "--headers measures|topics",
        "What the columns are in a table with systems in rows. By default they are measures, or topics if "
        "their names are numbers. With measures, each file without a column for systems is a system.",
        needs=_OF_TABLES,
    ),
    Option("--decimal .|,", "Decimal sign of the numbers. By default the numbers decide.", needs=_OF_TABLES),
    Option("--sheet NAME", "Read this sheet of a workbook.", needs=_OF_TABLES),
    Option(
        "--lower-is-better MEASURE*",
        "Measure of which the smallest score is the best; 'all' means all measures. Known names, such as "
        "RMSE, loss and rank, need not be given. Repeat the option for several.",
        needs=_OF_TABLES,
    ),
    Option(
        "--on-duplicate error|first|best|mean",
        "What to do with a system that a table has twice: refuse it, keep the first or the best score, or "
        "take the mean.",
        needs=_OF_TABLES,
    ),
    Option(
        "--plus-minus se|ci",
        "What a number after plus-minus is: the standard error of a score, or half of its 0.95 confidence "
        "interval. By default it is not used.",
        needs=_OF_TABLES,
    ),
)

# Measures of each side, if they have different names.
SIDES = (
    Option(
        "-x --reference-measure reference_measures NAME*",
        "Use this measure of the reference, and compare it with each measure of the other side. With one "
        "table, it is the column of the reference. Repeat the option for several.",
        needs=("!measures",),
    ),
    Option(
        "-y --judge-measure --estimate-measure estimate_measures NAME*",
        "Use this measure of the judges, or estimates, and compare it with each measure of the reference. "
        "With one table, it is the column of an estimate. Repeat the option for several.",
        needs=("!measures",),
    ),
)

TOPICS = Option(
    "--topics common|own",
    "Compare on the topics that both sides have, or take each mean over the topics of its own side.",
)

# --- work ---


def workers(what: str, *needs: str) -> Option:
    """Return the option for the number of workers."""
    return Option(
        "--workers N",
        f"Number of {what}. By default all cores are used.",
        type=int,
        default=-1,
        needs=needs,
        callback=_all("checks.n_workers"),
    )


WORKERS = workers("threads, and of processes that evaluate runs", "interval|runs")
WORKERS_OF_RUNS = workers("processes that evaluate runs", "runs")
WORK = (
    Option(
        "--cluster ADDRESS",
        "Use a Dask cluster, tcp://HOST:PORT, or processes on this computer: local.",
        callback=_address,
    ),
)


ALIGNED = (
    Option(
        "--on-missing error|drop|zero",
        "What to do with systems and topics that are on one side only: refuse them, leave them out, or "
        "set their scores to 0. By default systems are refused, and missing topics of a system set to 0.",
    ),
    Option(
        "--match exact|loose",
        "How names of systems are matched: exactly, or by their normal form, without case, spaces, hyphens "
        "and the organisation before a slash. Two numbers never become one.",
    ),
    Option("--rename FILE", "Rename systems by this CSV file, with lines OLD,NEW.", type=READS),
    *(
        Option(
            f"--{word}{topics and '-topics'} PATTERN*",
            f"{what} the {topics or 'systems'} of this name or pattern, such as 'a*'; @FILE means the "
            "lines of FILE. Repeat the option for several.",
            callback=_patterns,
        )
        for topics in ("", "topics")
        for word, what in (("include", "Keep only"), ("exclude", "Leave out"))
    ),
)


UNMATCHED = Option(
    "--unmatched FILE",
    "Write the systems that the first file lacks, each with the nearest name there, to this CSV file, to be "
    "edited and given as --rename.",
    type=WRITES,
)


def of_study(*further: Option, workers: Option = WORKERS, drawn: bool = True) -> tuple[click.Option, ...]:
    """Return the options for reading and aligning scores, further ones, and those for work and output."""
    output = DRAWN if drawn else OUTPUT
    return (runs(), *TABLES, workers, NAMES, UNJUDGED, *ALIGNED, UNMATCHED, *further, *WORK, *output)


# --- coefficients, intervals, tests ---


def coefficients(text: str, **settings: Any) -> Option:
    """Return the option for coefficients."""
    return Option(
        "-c --coefficient coefficients NAME*",
        f"{text} See 'concordant coefficients'.",
        shell_complete=coefficient_names,
        **{"callback": _all("coefficients.declaration.chosen"), **settings},
    )


COEFFICIENTS = coefficients(
    "Compute this coefficient, with threshold and top k as in 'NAME(0.05)@10' or 'NAME(5%)'. Repeat the "
    "option for several."
)
AT_LEAST = (
    Option(
        "--at-least FLOOR",
        "Test whether each value is at least this number, by the lower end of a one-sided interval over "
        "topics. End with exit code 1 if one is shown to be less.",
        type=float,
        callback=_each("checks.correlation"),
        needs=_OF_INTERVALS,
    ),
    Option(
        "--strict",
        "With --at-least: end with exit code 1 also if it is not decided.",
        is_flag=True,
        needs=("at_least",),
    ),
)
DATASET = Option("--dataset NAME", "Name the data in the result, and in each line of jsonl.")
GROUP_BY = (
    Option(
        "--group-by REGEX",
        "Compare groups of systems: each is left out in turn, and judge tests which of them it favours. "
        "Systems are one group if this regular expression matches the same text in their names, as '^[^-]+'. "
        "A system that it does not match is on its own.",
    ),
    Option(
        "--groups FILE",
        "Read the groups from this CSV file, with lines SYSTEM,GROUP. A first line system,group is a header.",
        type=READS,
        needs=("!group_by",),
    ),
)


def seed(*needs: str) -> Option:
    """Return the option for the seed."""
    return Option(
        "--seed rng N",
        "Seed of the random numbers. The same seed gives the same result.",
        type=click.IntRange(min=0),
        needs=needs,
    )


def n_resamples(*needs: str) -> Option:
    """Return the option for the number of resamples."""
    return whole("--n-resamples N", "Number of resamples of the topics.", 2, needs=needs)


LEVEL = (
    Option(
        "--interval/--no-interval",
        "Compute confidence intervals over topics, or none.",
        default=True,
        show_default=True,
    ),
    share("--confidence-level LEVEL", "Confidence level of the intervals.", needs=_OF_INTERVALS),
)
INTERVALS = (
    *LEVEL,
    Option(
        "--method standard|percentile|basic|BCa",
        "Method of the intervals. See the documentation of bootstrap.",
        needs=_OF_INTERVALS,
    ),
    n_resamples(*_OF_INTERVALS),
    seed(*_OF_INTERVALS),
)

# --- output ---


OUTPUT = (
    DEBUG,
    Option(
        f"--format {'|'.join(FORMATS)}",
        "Format of the output. By default the ending of the output file decides; otherwise it is a table.",
    ),
    Option(
        "-o --output FILE*",
        "Write the result to this file, completely or not at all. Repeat the option for several formats "
        "of the same result.",
        type=WRITES,
    ),
    Option(
        "--table NAME",
        "Show only this table of the result, with all digits. The tables are:",
        offers=lambda kind: kind.table_names() if kind.function else (),  # a saved result is of any kind
    ),
    Option("--details", "Show all tables with all digits.", is_flag=True, needs=("!table", "for_people")),
)


def _centimetres(_context: object, _option: object, typed: str | None) -> float | None:
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+) *(cm)?", typed or "", re.ASCII)
    if typed is not None and (found is None or not 4 <= float(found[1]) <= 100):
        raise ArgumentError(f"--width must be 4cm to 100cm, such as 8.5cm, got {typed!r}")
    return None if found is None else float(found[1])


DRAW = (
    Option(
        "--plot [FIGURE=]FILE*",
        "Draw a figure to this file: .png, .svg, .pdf or .html. The name of a figure before = chooses it. "
        "Repeat the option for several.",
        type=WRITES,
        callback=drawable,
    ),
    Option(
        "--figure NAME",
        "Which figure to draw to each FILE that names none. By default it is the first of:",
        offers=lambda kind: found("figures.draw.figure_names")(kind),  # noqa: PLW0108 - when used
        needs=("unnamed",),
    ),
    Option(
        "--width CM",
        "How wide figures are: 8.5cm for one column of a paper, 17.5cm for two. Text always has 8 points.",
        callback=_centimetres,
        needs=("picture",),
    ),
    Option("--no-title", "Draw figures without title and explanation.", is_flag=True, needs=("picture",)),
    Option(
        "--caption FILE",
        "Write the title and the explanation of the figures to this file, for a paper: what is shown, the "
        "number of systems and topics, the method and the seed. A file .tex is LaTeX.",
        type=WRITES,
        needs=("picture",),
    ),
    Option(
        "--highlight PATTERN",
        "In the figure ranks, colour and name the systems that match this pattern, such as 'neural*'.",
        needs=("ranks",),
    ),
)
DRAWN = (*OUTPUT, *DRAW)
