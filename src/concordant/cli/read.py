"""The inputs that a command names: tables of scores, or judgements with runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from concordant.cli.options import given
from concordant.cli.output import Progress
from concordant.errors import ArgumentError, fail

if TYPE_CHECKING:
    from concordant.io import Qrels
    from concordant.scores import Scores

__all__ = ["columns_of", "read_judged", "read_sides"]


def _names_of(paths: Sequence[str]) -> list[str]:
    """Name files by their stem, or by their path where stems are the same or the word for the reference."""
    from concordant.io import stem_of

    stems = [stem_of(path) for path in paths]
    names = [
        path if stems.count(stem) > 1 or stem == "reference" else stem
        for path, stem in zip(paths, stems, strict=True)
    ]
    return [f"./{name}" if name == "reference" else name for name in names]


def _check(paths: Sequence[str]) -> None:
    """Refuse files that are named twice."""
    twice = [path for path in paths if paths.count(path) > 1]
    if twice[:1] == ["-"]:
        raise ArgumentError("standard input (-) can be read only once")
    if twice:
        fail(twice[0], None, "is given twice; give two different files")


def read_judged(paths: Sequence[str], how: Mapping[str, Any]) -> tuple[dict[str, Scores], dict[str, Qrels]]:
    """Read judgements, and evaluate the runs by each."""
    from concordant.io import Judged, evaluate_under, measures_of, read_qrels

    _check(paths)
    measures = measures_of(how["measures"] or ("AP",))
    qrels = {name: read_qrels(path) for name, path in zip(_names_of(paths), paths, strict=True)}
    with Progress("evaluating runs") as progress:
        scores = evaluate_under(
            {
                name: Judged(own, measures, path)
                for (name, own), path in zip(qrels.items(), paths, strict=True)
            },
            how["runs"],
            progress=progress,
            **given(how, "names", "on_missing", "workers"),
        )
    return scores, qrels


def read_sides(paths: Sequence[str], how: Mapping[str, Any]) -> dict[str, Scores]:
    """Read the files named on the command line: score tables, or with --runs judgements."""
    if how["runs"]:
        return read_judged(paths, how)[0]
    from concordant.io import read_scores

    _check(paths)
    columns = columns_of(how)
    wanted = list(dict.fromkeys(how["measures"]))
    found = {}
    for name, path in zip(_names_of(paths), paths, strict=True):
        scores = read_scores(path, format=how["input_format"], columns=columns)
        if wanted:
            known = [measure for measure in wanted if measure in scores.measures]
            # A table of one measure may be compared with one of another.
            if not known or (len(known) < len(wanted) and len(scores.measures) > 1):
                absent = ", ".join(measure for measure in wanted if measure not in known)
                have = ", ".join(scores.measures[:8])
                fail(path, None, f"does not have the measure {absent}; it has {have}")
            scores = scores.select(measures=known)
        found[name] = scores
    unknown = [m for m in wanted if not any(m in scores.measures for scores in found.values())]
    if unknown:
        raise ArgumentError(f"no file has the measure {unknown[0]!r}")
    return found


def columns_of(how: Mapping[str, Any]) -> dict[str, str]:
    """Return what --columns says."""
    found = {}
    for text in how["columns"]:
        kind, equals, name = text.partition("=")
        if not equals or not name:
            raise ArgumentError(f"--columns: write KIND=NAME, such as system=model, got {text!r}")
        found[kind] = name
    return found
