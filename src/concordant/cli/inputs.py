"""Read the inputs of a command: tables of scores, or judgements with runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.cli.options import given
from concordant.cli.progress import Progress
from concordant.errors import ArgumentError, fail

if TYPE_CHECKING:
    from concordant.reading.qrels import Qrels
    from concordant.reading.read_scores import ReadOptions
    from concordant.scores.scores import Scores


def _listed(paths: Sequence[str]) -> str:
    """Return the names of the first few files, without their folders."""
    from concordant.results.note_sentences import some

    return some([Path(path).name for path in paths])


def _check(paths: Sequence[str]) -> None:
    """Refuse files that are given twice."""
    twice = [path for path in paths if paths.count(path) > 1]
    if twice[:1] == ["-"]:
        raise ArgumentError("standard input (-) can be read only once")
    if twice:
        fail(twice[0], None, "is given twice; give two different files")


def read_judged(paths: Sequence[str], how: Mapping[str, Any]) -> tuple[dict[str, Scores], dict[str, Qrels]]:
    """Read judgements, and evaluate the runs by each."""
    from concordant.reading.evaluate import Judged, evaluate_under
    from concordant.reading.files import names_of
    from concordant.reading.measure_names import measures_of
    from concordant.reading.qrels import read_qrels

    _check(paths)
    measures = measures_of(how["measures"] or ("AP",))
    names = names_of(paths, "reference")
    with Progress(f"reading {_listed(paths)}"):
        qrels = {name: read_qrels(path) for name, path in zip(names, paths, strict=True)}
    with Progress("evaluating runs") as progress:
        scores = evaluate_under(
            {name: Judged(own, measures) for name, own in qrels.items()},
            how["runs"],
            progress=progress,
            **given(how, "names", "on_missing", "workers"),
        )
    return _named_alike(scores, how), qrels


def read_sides(paths: Sequence[str], how: Mapping[str, Any]) -> dict[str, Scores]:
    """Read the files named on the command line: score tables, or with --runs judgements."""
    if how["runs"]:
        return read_judged(paths, how)[0]
    from concordant.reading.files import names_of

    _check(paths)
    named = dict(zip(names_of(paths, "reference"), paths, strict=True))
    return _named_alike(read_named_tables(named, how), how)


def _named_alike(sides: dict[str, Scores], how: Mapping[str, Any]) -> dict[str, Scores]:
    """Match and rename systems, as --match and --rename say; measures have one name on all sides."""
    from concordant.reading.text_tables import read_names
    from concordant.study.names import matched, measures_alike

    path = how.get("rename")
    rename = None if path is None else read_names(path)
    return matched(measures_alike(sides), how.get("match") or "exact", rename)


def read_named_tables(paths: Mapping[str, str | Sequence[str]], how: Mapping[str, Any]) -> dict[str, Scores]:
    """Read tables of scores by name, and keep the measures that were asked for."""
    from concordant.reading.read_scores import read_tables
    from concordant.study.names import with_measures

    listed = [path for each in paths.values() for path in ([each] if isinstance(each, str) else each)]
    _check(listed)
    with Progress(f"reading {_listed(listed)}"):
        found = read_tables(paths, {name: _options(each, listed, how) for name, each in paths.items()})
    return with_measures(found, how["measures"]) if how["measures"] else found


def _options(path: str | Sequence[str], every: Sequence[str], how: Mapping[str, Any]) -> ReadOptions:
    from concordant.reading.read_scores import ReadOptions

    given = {key: how[key] for key in ("systems", "headers", "decimal", "sheet") if how.get(key) is not None}
    own, shared = columns_of(how, [path] if isinstance(path, str) else path, every)
    return ReadOptions(
        format=how["input_format"],
        columns=own if len(every) > 1 else shared | own,
        shared_columns=shared if len(every) > 1 else {},
        lower_is_better=how.get("lower_is_better", ()),
        **given,
    )


def columns_of(
    how: Mapping[str, Any], own: Sequence[str], every: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the columns of --columns for a file (TABLE:KIND=NAME), and for all files (KIND=NAME)."""
    found: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for text in how["columns"]:
        kind, equals, name = text.partition("=")
        file, colon, short = kind.rpartition(":")
        if not equals or not name:
            raise ArgumentError(f"--columns: write KIND=NAME, such as system=model, got {text!r}")
        if colon and file not in every:
            raise ArgumentError(f"--columns: {file!r} is not one of the files; there are {', '.join(every)}")
        if not colon or file in own:
            found[0 if colon else 1][short if colon else kind] = name
    return found
