"""Reading scores from files of any format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

import numpy as np

from concordant.checks import one_of
from concordant.errors import ArgumentError, fail, option, public
from concordant.rankings.order_text import order_of, scores_of_groups
from concordant.reading.cells import Decimal, Row, split
from concordant.reading.files import Source, decoded, expand, name_of, read_bytes, stem_of
from concordant.reading.formats import recognise, recognise_bytes
from concordant.reading.grid import Grid
from concordant.reading.header_words import COLUMNS, find_columns
from concordant.reading.json_tables import grid_of_json
from concordant.reading.measure_names import is_measure_name
from concordant.reading.orientation import Headers, SystemsIn, layouts_of
from concordant.reading.parquet import grid_of_parquet
from concordant.reading.program_output import SPACED, read_ir_measures, read_spaced, read_trec_eval
from concordant.reading.readings import (
    ALL,
    Reading,
    coded,
    decided,
    in_one_direction,
    joined,
    lower_first,
    read_as,
    reading_of,
    scores_of_codes,
    without_averages,
)
from concordant.reading.spreadsheets import grid_of_workbook
from concordant.reading.text_tables import grid_of_long_text, grid_of_text
from concordant.results.note import Note
from concordant.results.words import some
from concordant.scores.scores import Scores

Format: TypeAlias = Literal[
    "table",
    "trec_eval",
    "ir_measures",
    "ir_measures4",
    "tot",
    "ranking",
    "order",
    "jsonl",
    "json",
    "parquet",
    "workbook",
]

FORMATS: tuple[str, ...] = get_args(Format)

_TITLES = {
    "trec_eval": "output of trec_eval",
    "ir_measures": "output of ir_measures",
    "order": "names in order, best first",
    **{format: spaced.title for format, spaced in SPACED.items()},
}


@dataclass(frozen=True)
class ReadOptions:
    """How files of scores are read; see `read_scores`."""

    format: Format | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    systems: SystemsIn | None = None
    headers: Headers | None = None
    decimal: Decimal | None = None
    sheet: str | None = None
    lower_is_better: Sequence[str] = ()
    shared_columns: Mapping[str, str] = field(default_factory=dict)  # only for files that have these columns

    def columns_among(self, names: Sequence[str]) -> dict[str, str]:
        """Return the given columns that a table has."""
        return {kind: name for kind, name in self.shared_columns.items() if name in names} | dict(
            self.columns
        )

    def __post_init__(self) -> None:
        """Check what can be checked without a file."""
        for name, value, known in (
            ("format", self.format, FORMATS),
            ("systems", self.systems, get_args(SystemsIn)),
            ("headers", self.headers, get_args(Headers)),
            ("decimal", self.decimal, get_args(Decimal)),
        ):
            if value is not None:
                one_of(name, value, known)


@public
def read_scores(
    paths: Source | Iterable[Source],
    *,
    format: Format | None = None,
    columns: Mapping[str, str] | None = None,
    systems: SystemsIn | None = None,
    headers: Headers | None = None,
    decimal: Decimal | None = None,
    sheet: str | None = None,
    lower_is_better: Iterable[str] = (),
) -> Scores:
    r"""Read scores of systems from files.

    Parameters
    ----------
    paths : path, pattern, folder, open file, or a list of these
        The files, plain or packed with gzip; "-" is standard input. Several files are read as one table, such
        as the output of ``trec_eval -q`` for each run.
    format : str, optional
        The format; by default it is recognised.

        table
            CSV or TSV: systems in rows, systems in columns, or one score per row. See `systems`.
        trec_eval, ir_measures
            The output of these programs: lines of measure, topic, value; or of topic, measure, value.
        tot, ir_measures4, ranking
            Lines of run, measure, topic, value; of run, topic, measure, value; of topic, Q0, run, rank,
            value, measure.
        order
            Names, best first; tied names are in parentheses. See `ranking`.
        jsonl, json
            JSON objects, one per line or in a list.
        parquet, workbook
            Parquet files, and workbooks of the formats xlsx, xls and ods.
    columns : mapping, optional
        Which columns hold what, such as ``{"system": "Model", "value": "Score"}``.
    systems : {"rows", "columns"}, optional
        Where the systems are in a table. By default the names of the columns decide; see the page on files.
    headers : {"measures", "topics"}, optional
        What the columns are if systems are in rows. By default measures, or topics if the names of the
        columns are numbers. With "measures", each file is a system, if the files have the same columns and no
        column for systems.
    decimal : {".", ","}, optional
        The decimal sign. By default the numbers decide.
    sheet : str, optional
        The sheet of a workbook.
    lower_is_better : iterable of str, optional
        Measures of which the smallest score is the best, such as RMSE; their sign is changed. "all" means
        all measures.

    Returns
    -------
    Scores
        The scores, with a note that tells how each file was read.

    Raises
    ------
    InputError
        The message names the file, the line and the next step.

    Examples
    --------
    >>> import concordant as cd, io
    >>> scores = cd.read_scores(io.StringIO("model,MMLU,GSM8K\ngpt,0.8,0.9\nllama,0.6,0.4\n"))
    >>> scores
    <Scores: 2 measures, 1 topic, 2 systems>
    >>> print(scores.notes[0])
    the open file: systems in rows: 2 systems, 2 measures (MMLU, GSM8K)
    """
    lower = (lower_is_better,) if isinstance(lower_is_better, str) else tuple(lower_is_better)
    how = ReadOptions(format, columns or {}, systems, headers, decimal, sheet, lower)
    return read_tables({"": paths}, {"": how})[""]


def read_tables(
    paths: Mapping[str, Source | Iterable[Source]], how: Mapping[str, ReadOptions]
) -> dict[str, Scores]:
    """Read several tables; if a table can be read in two ways, the other tables decide."""
    sources = {name: expand(each) for name, each in paths.items()}
    tables: list[Sequence[str]] = []
    readings = {
        name: [_readings(source, how[name], tables) for source in own] for name, own in sources.items()
    }
    every = [each for own in readings.values() for each in own]
    try:
        chosen = iter(decided(every))
    except ArgumentError as error:
        unclear = next(each[0].where for each in every if len(each) > 1)
        fail(unclear, None, error.text)
    found = {}
    for name, own in readings.items():
        parts = [next(chosen).scores() for _ in own]
        parts = files_as_one(parts, sources[name], how[name].systems, how[name].headers)
        scores = joined(parts, [name_of(source) for source in sources[name]])
        found[name] = _directed(scores, how[name].lower_is_better)
    found = in_one_direction(found)
    _refuse_unknown_columns(tables, how.values())
    asked = {measure for each in how.values() for measure in each.lower_is_better} - {ALL}
    unknown = sorted(
        measure for measure in asked if not any(measure in each.measures for each in found.values())
    )
    if unknown:
        there = ", ".join(dict.fromkeys(measure for each in found.values() for measure in each.measures))
        raise ArgumentError(
            f"{option('lower_is_better')}: there is no measure {unknown[0]!r}; there are {there}"
        )
    return found


def _directed(scores: Scores, lower: Sequence[str]) -> Scores:
    asked = [measure for measure in scores.measures if measure in lower or ALL in lower]
    measures = tuple(measure for measure in asked if measure not in scores.lower)
    if not measures:
        return scores
    return lower_first(scores, measures).noted(Note("lower_is_better", values={"measures": measures}))


def _refuse_unknown_columns(tables: Sequence[Sequence[str]], how: Iterable[ReadOptions]) -> None:
    for kind, name in {item for each in how for item in each.shared_columns.items()}:
        if kind not in COLUMNS:
            raise ArgumentError(f"{option('columns')}: there is no {kind!r}; give {', '.join(COLUMNS)}")
        if not any(name in names for names in tables):
            raise ArgumentError(f"{option('columns')}: no file has a column {name!r}")


def _readings(source: Source, how: ReadOptions, tables: list[Sequence[str]]) -> list[Reading]:
    """Return the ways in which a file can be read, and add its columns to `tables`."""
    grid = _grid(source, how)
    if isinstance(grid, Reading):
        return [grid]
    tables.append(grid.names)
    try:
        layouts = layouts_of(grid, how.columns_among(grid.names), how.systems, how.headers)
    except ArgumentError as error:  # about the columns of the table
        fail(name_of(source), None, error.text)
    return [reading_of(grid, layout) for layout in layouts]


def _grid(source: Source, how: ReadOptions) -> Grid | Reading:
    data = read_bytes(source)
    format: str | None = how.format or recognise_bytes(data)
    if format == "parquet":
        return grid_of_parquet(source, data)
    if format == "workbook":
        return grid_of_workbook(source, data, how.sheet, how.decimal)
    name = name_of(source)
    text = decoded(name, data)
    del data
    mark = ""
    if format is None:
        format, mark = recognise(name, text)
    if format in ("jsonl", "json"):
        return grid_of_json(source, text, format)
    if format == "table":
        return _table(source, text, mark or recognise_mark(text), how)
    if format == "order":
        return _order(source, text)
    rows = {"trec_eval": read_trec_eval, "ir_measures": read_ir_measures}
    read = rows[format](source, text) if format in rows else read_spaced(source, text, format)
    return _of_rows(source, format, read)


def recognise_mark(text: str) -> str:
    """Return the mark between the columns of a table."""
    from concordant.reading.cells import delimiter

    return delimiter([line for line in text[:50_000].split("\n") if line.strip()]) or ","


def _table(source: Source, text: str, mark: str, how: ReadOptions) -> Grid:
    if mark == " ":
        text, mark = "\n".join("\t".join(line.split()) for line in text.split("\n")), "\t"
    first = split(text.split("\n", 1)[:1], mark)
    header = [cell.strip() for cell in first[0]] if first else []
    if how.systems is None and len(set(header)) == len(header):
        try:
            found = find_columns(header, how.columns_among(header))
        except ArgumentError:
            found = {}
        if {"topic", "system", "value"} <= set(found):
            places = {kind: header.index(column) for kind, column in found.items()}
            labels = [place for kind, place in places.items() if kind != "value"]
            grid = grid_of_long_text(source, text, header, mark, labels, places["value"])
            if grid is not None and _is_fine(grid, labels):
                return grid
    return grid_of_text(source, text, mark, how.decimal)


def _is_fine(grid: Grid, labels: Sequence[int]) -> bool:
    """Say whether no score appears twice; if one does, the reader of single cells finds its line."""
    known = [codes for place in labels if (codes := grid.columns[place].codes) is not None]
    shape = tuple(len(names) for _, names in known)
    if np.prod(shape, dtype=np.float64) > 1_000_000 + 200 * grid.n_rows:
        return False
    seen = np.zeros(shape, dtype=np.bool_)
    seen[tuple(codes for codes, _ in known)] = True
    return int(np.count_nonzero(seen)) == grid.n_rows


def _of_rows(source: Source, format: str, rows: Iterator[Row]) -> Reading:
    name = name_of(source)
    listed = list(rows)
    if not listed:
        fail(name, None, "holds no scores")
    parts = [coded([row[k] for row in listed]) for k in range(3)]  # type: ignore[misc]
    values = np.array([row[3] for row in listed], dtype=np.float64)
    scores = scores_of_codes(
        [codes for codes, _ in parts],
        [labels for _, labels in parts],
        values,
        lambda _row, what: fail(name, None, what),
    )
    scores = without_averages(scores, name)
    return _plain_reading(source, scores, _TITLES[format])


def _plain_reading(
    source: Source, scores: Scores, title: str, left_out: Sequence[str] = (), remarks: Sequence[str] = ()
) -> Reading:
    name = name_of(source)
    note = read_as(scores, name, stem_of(source), title, left_out, remarks)
    return Reading(name, scores.systems, title, lambda: scores.noted(note))


def _order(source: Source, text: str) -> Reading:
    try:
        found = order_of("\n".join(line for line in text.split("\n") if not line.startswith("#")))
        scores = scores_of_groups(found.groups)
    except ArgumentError as error:
        fail(name_of(source), None, error.text)
    table = Scores([[list(scores.values())]], measures=[stem_of(source)], topics=[ALL], systems=list(scores))
    left_out = (found.header,) if found.header else ()
    remarks = ("the numbers before the names were taken off",) if found.numbered else ()
    return _plain_reading(source, table, _TITLES["order"], left_out, remarks)


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
        Note(note.kind, subject=note.subject, values={**note.values, "systems_in": "files"})
        if note.kind == "read_as"
        else note
        for note in scores.notes
    ]
    return Scores(values, measures=scores.systems, topics=scores.topics, systems=[system], notes=notes)
