"""From options and paths to scores: tables of scores, or judgements with runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.cli.command import How, given
from concordant.cli.progress import Progress
from concordant.errors import ArgumentError, fail

if TYPE_CHECKING:
    from concordant.reading.qrels import Qrels
    from concordant.reading.read_scores import ReadOptions
    from concordant.scores.scores import Scores
    from concordant.study.study import Study


def study_of_files(paths: Sequence[str], how: How) -> Study:
    """Return the study of files: the first is the reference, the others are estimates."""
    return _study(sides_of_files(paths, how), how)


def study_of_judgements(paths: Sequence[str], how: How) -> tuple[Study, dict[str, Any]]:
    """Evaluate the runs by each of the judgements; also return the judgements, as `judge` takes them."""
    sides, qrels = _judged(paths, how)
    own = qrels.pop(next(iter(qrels)))
    return _study(sides, how), {"qrels": own, "estimate_qrels": qrels}


def _study(sides: dict[str, Scores], how: How) -> Study:
    from concordant.study.study import Study

    reference = sides.pop(next(iter(sides)))
    return Study(reference, sides, **given(how, ("on_missing", "topics")))


def sides_of_files(paths: Sequence[str], how: How) -> dict[str, Scores]:
    """Read the files named on the command line: score tables, or with --runs judgements."""
    if how["runs"]:
        return _judged(paths, how)[0]
    _check(paths)
    found = read_named_tables(dict(zip(_names_of(paths), paths, strict=True)), how)
    return _named_alike(_measures_alike(found), how)


def _judged(paths: Sequence[str], how: How) -> tuple[dict[str, Scores], dict[str, Qrels]]:
    from concordant.reading.evaluate import Judged, evaluate_under
    from concordant.reading.measure_names import measures_of
    from concordant.reading.qrels import read_qrels

    _check(paths)
    measures = measures_of(how["measures"] or ("AP",))
    names = dict(zip(_names_of(paths), paths, strict=True))
    with Progress(f"reading {_listed(paths)}"):
        qrels = {name: read_qrels(path) for name, path in names.items()}
    with Progress("evaluating runs") as progress:
        scores = evaluate_under(
            {name: Judged(own, measures, names[name]) for name, own in qrels.items()},
            how["runs"],
            progress=progress,
            **given(how, ("names", "on_missing", "workers")),
        )
    return _named_alike(scores, how), qrels


def _names_of(paths: Sequence[str]) -> list[str]:
    """Name files by their stem, or by their path if stems are equal or the word for the reference."""
    from concordant.reading.files import stem_of

    stems = [stem_of(path) for path in paths]
    names = [
        path if stems.count(stem) > 1 or stem == "reference" else stem
        for path, stem in zip(paths, stems, strict=True)
    ]
    return [f"./{name}" if name == "reference" else name for name in names]


def _listed(paths: Sequence[str]) -> str:
    """Return the names of the first few files, without their folders."""
    from concordant.results.words import some

    return some([Path(path).name for path in paths])


def _check(paths: Sequence[str]) -> None:
    """Refuse files that are given twice."""
    twice = [path for path in paths if paths.count(path) > 1]
    if twice[:1] == ["-"]:
        raise ArgumentError("standard input (-) can be read only once")
    if twice:
        fail(twice[0], None, "is given twice; give two different files")


def _named_alike(sides: dict[str, Scores], how: How) -> dict[str, Scores]:
    """Match and rename systems, as --match and --rename say."""
    from concordant.reading.text_tables import read_names
    from concordant.study.names import matched

    path = how.get("rename")
    return matched(sides, how.get("match") or "exact", None if path is None else read_names(path))


def read_named_tables(paths: Mapping[str, str | Sequence[str]], how: How) -> dict[str, Scores]:
    """Read tables of scores by name, and keep the measures that were asked for."""
    from concordant.reading.read_scores import read_tables

    listed = [path for each in paths.values() for path in ([each] if isinstance(each, str) else each)]
    _check(listed)
    with Progress(f"reading {_listed(listed)}"):
        found = read_tables(paths, {name: _options(each, listed, how) for name, each in paths.items()})
    wanted = list(dict.fromkeys(how["measures"]))
    for name, scores in found.items() if wanted else ():
        known = [measure for measure in map(_known_as(scores), wanted) if measure is not None]
        # A table of one measure may be compared with one of another.
        if not known or (len(known) < len(wanted) and len(scores.measures) > 1):
            absent = ", ".join(each for each in wanted if _known_as(scores)(each) is None)
            path = paths[name]
            have = ", ".join(scores.measures[:8])
            fail(
                path if isinstance(path, str) else name,
                None,
                f"does not have the measure {absent}; it has {have}",
            )
        found[name] = scores.select(measures=known)
    unknown = [each for each in wanted if all(_known_as(scores)(each) is None for scores in found.values())]
    if unknown:
        raise ArgumentError(f"no file has the measure {unknown[0]!r}")
    return found


def _plain_name(measure: str) -> str:
    """Return the name in ir_measures for a name of trec_eval; any other name is unchanged."""
    from concordant.reading.measure_names import ir_measures_name

    return ir_measures_name(measure) or measure


def _known_as(scores: Scores) -> Callable[[str], str | None]:
    """Return a function that finds a measure by its name here or in trec_eval or ir_measures."""
    known = {_plain_name(measure): measure for measure in scores.measures}
    return lambda measure: measure if measure in scores.measures else known.get(_plain_name(measure))


def _measures_alike(sides: dict[str, Scores]) -> dict[str, Scores]:
    """Give measures the names of the first side, where trec_eval and ir_measures call them differently."""
    from concordant.results.note import Note

    known = _known_as(next(iter(sides.values())))
    found = {}
    for name, side in sides.items():
        names = {each: known(each) or each for each in side.measures}
        changed = {old: new for old, new in names.items() if old != new}
        if changed and len(set(names.values())) == len(names):
            found[name] = side.with_measures(list(names.values())).noted(
                Note("measures_renamed", values={"names": changed})
            )
        else:
            found[name] = side
    return found


def _options(path: str | Sequence[str], every: Sequence[str], how: How) -> ReadOptions:
    """Return how a table is read."""
    from concordant.reading.read_scores import ReadOptions

    own, shared = _columns(how, [path] if isinstance(path, str) else path, every)
    return ReadOptions(
        format=how["input_format"],
        columns=own if len(every) > 1 else shared | own,
        shared_columns=shared if len(every) > 1 else {},
        lower_is_better=how.get("lower_is_better", ()),
        **given(how, ("systems", "headers", "decimal", "sheet")),
    )


def _columns(how: How, own: Sequence[str], every: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
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
