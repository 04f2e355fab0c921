"""Several files read as one table: whether each file is a system, or a measure."""

from __future__ import annotations

from collections.abc import Sequence

from concordant.errors import fail, option
from concordant.io.files import Source, name_of, stem_of
from concordant.io.measure_names import is_measure_name
from concordant.scores import Headers, Scores, SystemsIn
from concordant.tables import Note, some

__all__ = ["files_as_one"]


def files_as_one(
    parts: Sequence[Scores], sources: Sequence[Source], systems: SystemsIn | None, headers: Headers | None
) -> list[Scores]:
    """Return the scores of each file as parts of one table.

    Files without a column for systems, which have the same columns:

    - one column: each file is a system, the column is the measure;
    - columns with names of measures (AP, ndcg_cut_10): the same;
    - files with names of measures: each file is a measure, the columns are systems;
    - otherwise both are possible, and the user must say which.
    """
    found = list(parts)
    in_columns = all(_systems_in(part) == "columns" for part in parts)
    if len(parts) < 2 or not in_columns or systems == "columns" or any(len(p.measures) > 1 for p in parts):
        return found
    columns, stems = parts[0].systems, [stem_of(source) for source in sources]
    if any(part.systems != columns for part in parts):
        lone = all(len(part.systems) == 1 for part in parts)
        return [part.with_measures(["score"]) for part in found] if lone else found
    as_systems = len(columns) == 1 or all(map(is_measure_name, columns)) or headers == "measures"
    if not as_systems and all(map(is_measure_name, stems)):
        return found
    if not as_systems:
        either = f"systems, and the files measures ({option('systems', 'columns')})"
        other = f"measures, and each file a system ({option('headers', 'measures')})"
        what = f"the columns {some(columns, 3)} are those of {name_of(sources[0])} too: they may be {either}"
        fail(name_of(sources[1]), None, f"{what}, or {other}; say which")
    return [_of_one_system(part, stem) for part, stem in zip(found, stems, strict=True)]


def _systems_in(scores: Scores) -> str:
    return next((str(note.values["systems_in"]) for note in scores.notes if note.kind == "read_as"), "")


def _of_one_system(scores: Scores, system: str) -> Scores:
    """Return scores whose systems are the measures of one system."""
    values = scores.values[0].T[:, :, None]  # measures x topics x 1
    notes = [
        Note(note.kind, note.subject, {**note.values, "systems_in": "files"})
        if note.kind == "read_as"
        else note
        for note in scores.notes
    ]
    return Scores(values, measures=scores.systems, topics=scores.topics, systems=[system], notes=notes)
