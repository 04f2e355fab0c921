"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concordant.cli._output import FORMATS, Progress

if TYPE_CHECKING:
    from concordant.io.trec import Qrels
    from concordant.scores import Scores

Command = Callable[..., Any]


def output(command: Command) -> Command:
    """Add the options that say where the result goes."""
    for option in (
        click.option("--table", metavar="NAME", help="Only this table of the result."),
        click.option("-o", "--output", metavar="FILE", help="Write to a file: whole, or not at all."),
        click.option(
            "--format",
            type=click.Choice(FORMATS),
            default="table",
            show_default=True,
            help="Format of the result.",
        ),
        click.option("--debug", is_flag=True, help="On an error, show where in the program it happened."),
    ):
        command = option(command)
    return command


def coefficients(default: Sequence[str], several: bool = True) -> Callable[[Command], Command]:
    """Add the option for coefficients."""
    return click.option(
        "-c",
        "--coefficient",
        "coefficients",
        metavar="NAME",
        multiple=several,
        default=tuple(default) if several else default[0],
        show_default=True,
        help="Coefficient, such as tau_ap_b, 'tau_b(0.05)' or 'tau_ap_b@10'"
        + ("; repeat for several." if several else ".")
        + " See 'concordant list'.",
    )


def _with(command: Command, *options: Command) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


names = click.option(
    "--names",
    type=click.Choice(["tag", "file"]),
    default="tag",
    show_default=True,
    help="Name the systems of runs by run tag or by file.",
)
runs = click.option(
    "--runs", metavar="FILES", multiple=True, help="TREC runs, such as 'runs/*'; with judgements."
)
processes = click.option(
    "--workers",
    type=int,
    default=-1,
    metavar="N",
    help="Processes for evaluating runs, and threads; by default all cores.",
)


def tables(command: Command) -> Command:
    """Add the options that say how to read tables of scores."""
    return _with(
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
            type=click.Choice(["wide", "long", "trec_eval", "ir_measures", "jsonl", "parquet"]),
            help="Format of score tables; by default it is found out.",
        ),
        click.option(
            "--columns",
            metavar="KIND=NAME",
            multiple=True,
            help="Column of a long table, such as system=model; repeat.",
        ),
    )


def inputs(command: Command) -> Command:
    """Add the options that say how to read scores and bring them together."""
    return _with(
        command,
        runs,
        tables,
        processes,
        names,
        click.option(
            "--on-missing",
            type=click.Choice(["error", "drop", "zero"]),
            help="Systems and topics on one side only: refuse, leave out, or count as 0. By default systems are refused, and "
            "topics that a system did not answer count as 0.",
        ),
    )


RESAMPLES = 4999  # half of what the functions take, so that a command answers at once


def intervals(command: Command) -> Command:
    """Add the options for intervals over topics."""
    return _with(
        command,
        click.option(
            "--interval/--no-interval",
            default=True,
            show_default=True,
            help="Show intervals over topics, where there are topics; judge also compares the judges.",
        ),
        click.option(
            "--confidence",
            metavar="LEVEL",
            type=float,
            default=0.95,
            show_default=True,
            help="Of the intervals.",
        ),
        click.option(
            "--method",
            type=click.Choice(["simex", "percentile", "basic", "bca"]),
            default="simex",
            show_default=True,
            help="Of the intervals; see the documentation of bootstrap.",
        ),
        click.option(
            "--resamples",
            metavar="N",
            type=int,
            default=RESAMPLES,
            show_default=True,
            help="For the intervals.",
        ),
        click.option(
            "--seed", type=int, default=0, show_default=True, help="The same seed gives the same result."
        ),
    )


def how_sure(how: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options for intervals, as the functions take them."""
    return {
        "confidence_level": how["confidence"] if how["interval"] else None,
        "method": how["method"],
        "n_resamples": how["resamples"],
        "rng": how["seed"],
        "workers": how["workers"],
    }


def names_of(paths: Sequence[str]) -> list[str]:
    """Name files by their stem, or by their path where stems are the same."""
    from concordant.io._files import stem_of

    stems = [stem_of(path) for path in paths]
    return [path if stems.count(stem) > 1 else stem for path, stem in zip(paths, stems, strict=True)]


def check(paths: Sequence[str], how: Mapping[str, Any]) -> None:
    """Refuse files that are named twice, and an output that is one of them."""
    output = how.get("output")
    if output is not None and any(_same_file(output, path) for path in paths):
        raise ValueError(
            f"{output}: is one of the inputs, and the result would replace it; give -o another name"
        )
    twice = [path for path in paths if paths.count(path) > 1]
    if twice[:1] == ["-"]:
        raise ValueError("standard input (-) can be read once only")
    if twice:
        raise ValueError(f"{twice[0]}: is given twice; a file compared with itself says nothing")


def _same_file(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)
    except OSError:  # one of them does not exist, or is standard input
        return False


def load_judged(paths: Sequence[str], how: Mapping[str, Any]) -> tuple[dict[str, Scores], dict[str, Qrels]]:
    """Read judgements, and evaluate the runs by each."""
    from concordant.evaluation import evaluate_under
    from concordant.io.trec import read_qrels

    check(paths, how)
    qrels = {name: read_qrels(path) for name, path in zip(names_of(paths), paths, strict=True)}
    with Progress("evaluating runs") as progress:
        scores = evaluate_under(
            qrels, how["runs"], how["measures"] or ("AP",), how["names"], how["on_missing"] or "zero", how["workers"],
            progress,
        )  # fmt: skip
    return scores, qrels


def load(paths: Sequence[str], how: Mapping[str, Any]) -> dict[str, Scores]:
    """Read the files named on the command line: score tables, or with --runs judgements."""
    if how["runs"]:
        return load_judged(paths, how)[0]
    from concordant.io.tables import read_scores

    check(paths, how)
    columns = columns_of(how)
    wanted = list(dict.fromkeys(how["measures"]))
    found = {}
    for name, path in zip(names_of(paths), paths, strict=True):
        scores = read_scores(path, format=how["input_format"], columns=columns)
        if wanted:
            known = [measure for measure in wanted if measure in scores.measures]
            if not known:
                have = ", ".join(scores.measures[:8])
                raise ValueError(f"{path}: has none of the measures {', '.join(wanted)}; it has {have}")
            scores = scores.select(measures=known)
        found[name] = scores
    unknown = [m for m in wanted if not any(m in scores.measures for scores in found.values())]
    if unknown:
        raise ValueError(f"no file has the measure {unknown[0]!r}")
    return found


def columns_of(how: Mapping[str, Any]) -> dict[str, str]:
    """Return what --columns says."""
    return dict(_column(text) for text in how["columns"])


def _column(text: str) -> tuple[str, str]:
    kind, equals, name = text.partition("=")
    if not equals or not name:
        raise ValueError(f"--columns: write KIND=NAME, such as system=model, got {text!r}")
    return kind, name
