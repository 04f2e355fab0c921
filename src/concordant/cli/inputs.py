"""From options and paths to scores: tables of scores, or judgements with runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.cli.command import How, given
from concordant.cli.output import Progress, tell
from concordant.errors import ArgumentError, InputError, fail

if TYPE_CHECKING:
    from concordant.reading.qrels import Qrels
    from concordant.reading.read_scores import ReadOptions
    from concordant.scores.scores import Scores
    from concordant.study.study import Study


def study_of_files(paths: Sequence[str], how: How) -> Study:
    """Return the study of score tables, or with --runs of judgements; the first is the reference."""
    if len(paths) == 1 and not how["runs"]:
        how = {**how, "headers": how["headers"] or "measures"}  # columns are the sides
    return _study(_sides(named(paths, how), how), how)


def study_of_judgements(paths: Sequence[str], how: How) -> tuple[Study, dict[str, Any]]:
    """Evaluate the runs by each of the judgements; also return the judgements, as `judge` takes them."""
    sides, qrels = _judged(named(paths, how), how)
    own = qrels.pop(next(iter(qrels)))
    return _study(sides, how), {"qrels": own, "estimate_qrels": qrels}


def study_of_sides(paths: Mapping[str, str], how: How) -> Study:
    """Return the study of files of which none is the reference."""
    return _study(_sides(paths, how), how, has_reference=False)


def judges_below(truth: str, paths: Sequence[str], folder: str, how: How) -> Study:
    """Return the study of a table and of those files of a folder that are tables; others are told and noted.

    By default each measure of the reference is compared with each of the other tables.
    """
    from concordant.reading.files import names_of
    from concordant.reading.read_scores import read_tables
    from concordant.results.note import Note

    asked = any(how[name] for name in ("measures", "reference_measures", "estimate_measures"))
    how = {**how, "runs": ()} | ({} if asked else {"measures": ("all",)})
    sides, skipped = _read({"reference": truth}, how), list[Note]()
    names = names_of([Path(path).relative_to(folder) for path in paths], "reference")
    for name, path in zip(names, paths, strict=True):
        both = {"reference": sides["reference"], name: path}
        try:
            sides[name] = read_tables(both, {name: _options([path], paths, how)})[name]
        except InputError as error:
            text = f"skipped, because it is no table of scores: {error.text}"
            skipped.append(Note("file_skipped", text=text, lost=True))
            tell(str(skipped[-1]))
    if len(sides) < 2:
        fail(folder, None, "holds no table of scores; give the folder with the tables of the judges")
    study = _study(sides, how)
    study.alignment_notes += tuple(skipped)
    return study


def named(paths: Sequence[str], how: How) -> dict[str, str]:
    """Return the files by name; a file or a name that is given twice is refused."""
    from concordant.reading.files import names_of

    _check(paths)
    given = {path: about["name"] for path, about in how.get("about_files", {}).items()}
    found: dict[str, str] = {}
    for path, own in zip(paths, names_of(paths, "reference"), strict=True):
        # The name of the reference is never shown, so that an estimate may have it.
        name = given.get(path, own if found or own not in given.values() else path)
        if name in (*found, "reference"):
            raise ArgumentError(f"two files are called {name!r}; give one another name, as NAME=FILE")
        found[name] = path
    return found


def scores_of_files(paths: Sequence[str], how: How) -> Scores:
    """Read score tables as one."""
    from concordant.study.names import with_measures

    found = _read({"": paths}, how)
    return (with_measures(found, how["measures"]) if how["measures"] else found)[""]


def _study(sides: dict[str, Scores], how: How, has_reference: bool = True) -> Study:
    from concordant.reading.text_tables import read_pairs
    from concordant.study.study import Study

    by_name = ("include", "exclude", "include_topics", "exclude_topics")
    options = given(how, ("on_missing", "topics", "match", "dataset", *by_name))
    if not how["runs"]:
        options |= given(how, ("measures", "reference_measures", "estimate_measures"))
    elif how.get("reference_measures") or how.get("estimate_measures"):
        options["measures"] = "all"  # those of each side that were evaluated
    if how.get("rename") is not None:
        options["rename"] = read_pairs(how["rename"], "an old and a new name")
    if how.get("unmatched") is not None:
        _write_unmatched(sides, how["unmatched"], options.get("rename"))
    if not has_reference:
        return Study.of_sides(sides, **options)
    options["judges"] = [each for each in how.get("about_files", {}).values() if len(each) > 1]
    return Study(sides.pop(next(iter(sides))), sides or None, **options)


def _write_unmatched(sides: Mapping[str, Scores], path: str, rename: Mapping[str, str] | None) -> None:
    """Write the systems that the first side lacks, with the nearest names there."""
    from concordant.cli.output import write
    from concordant.results.markup import csv_text
    from concordant.study.names import matched, proposed_names

    found = proposed_names(matched(sides, "loose", rename))
    write(path, csv_text(found), "; edit it and give it as --rename")


def _sides(paths: Mapping[str, str], how: How) -> dict[str, Scores]:
    return _judged(paths, how)[0] if how["runs"] else _read(paths, how)


def _judged(paths: Mapping[str, str], how: How) -> tuple[dict[str, Scores], dict[str, Qrels]]:
    from concordant.reading.evaluate import evaluate_under
    from concordant.reading.measure_names import measures_of
    from concordant.reading.qrels import read_qrels

    if "all" in how["measures"]:
        raise ArgumentError("-m all is for tables; name the measures to compute, such as -m AP")
    own, others = (
        measures_of(how.get(f"{side}_measures") or how["measures"] or ("AP",))
        for side in ("reference", "estimate")
    )
    with _reading(paths.values()):
        qrels = {name: read_qrels(path) for name, path in paths.items()}
    with Progress("evaluating runs") as progress:
        scores = evaluate_under(
            {name: (each, others if place else own) for place, (name, each) in enumerate(qrels.items())},
            how["runs"],
            progress=progress,
            **given(how, ("names", "on_missing", "unjudged", "workers")),
        )
    return scores, qrels


def _reading(paths: Iterable[str]) -> Progress:
    """Return the progress of reading files, which names the first few without their folders."""
    from concordant.results.words import some

    return Progress(f"reading {some([Path(path).name for path in paths])}")


def _check(paths: Sequence[str]) -> None:
    """Refuse files that are given twice."""
    twice = [path for path in paths if paths.count(path) > 1]
    if twice[:1] == ["-"]:
        raise ArgumentError("standard input (-) can be read only once")
    if twice:
        fail(twice[0], None, "is given twice; give two different files")


def _read(paths: Mapping[str, str | Sequence[str]], how: How) -> dict[str, Scores]:
    from concordant.reading.read_scores import read_tables

    files = {name: [each] if isinstance(each, str) else each for name, each in paths.items()}
    every = [path for each in files.values() for path in each]
    _check(every)
    with _reading(every):
        return read_tables(paths, {name: _options(each, every, how) for name, each in files.items()})


def _options(paths: Sequence[str], every: Sequence[str], how: How) -> ReadOptions:
    """Return how a table is read."""
    from concordant.reading.read_scores import ReadOptions

    own, shared = _columns(how, paths, every)
    asked = ("measures", "reference_measures", "estimate_measures")
    return ReadOptions(
        format=how["input_format"],
        columns=own if len(every) > 1 else shared | own,
        shared_columns=shared if len(every) > 1 else {},
        lower_is_better=how.get("lower_is_better", ()),
        measures=[measure for name in asked for measure in how.get(name) or ()],
        **given(how, ("systems", "headers", "decimal", "sheet", "on_duplicate", "plus_minus")),
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
            kinds, kind = found[0 if colon else 1], short if colon else kind
            if kinds.get(kind, name) != name:
                both = f"{kind}={kinds[kind]} and {kind}={name}"
                raise ArgumentError(f"--columns: {both} for the same table; give one of them")
            kinds[kind] = name
    return found
