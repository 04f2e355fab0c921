"""Reading scores from files of any format, and from data in memory."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePath
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from concordant.checks import one_of
from concordant.errors import ArgumentError, fail, option, public
from concordant.rankings.order_text import order_of, scores_of_groups
from concordant.reading.battles import battles_of, scores_of_battles
from concordant.reading.cells import Decimal
from concordant.reading.files import (
    FileLike,
    are_files,
    decoded,
    expand,
    is_file_like,
    name_of,
    read_bytes,
    stem_of,
)
from concordant.reading.from_memory import ScoresLike, grid_or_scores
from concordant.reading.header_words import check_columns, is_numbered
from concordant.reading.json_tables import grid_of_json
from concordant.reading.measure_names import is_measure_name
from concordant.reading.orientation import readings_of_grid
from concordant.reading.readings import (
    Grid,
    Headers,
    OnDuplicate,
    PlusMinus,
    Reading,
    SystemsIn,
    check_full,
    decided,
    directed,
    reading_note,
)
from concordant.reading.table_files import grid_of_arrow, grid_of_workbook
from concordant.reading.text_tables import (
    grid_of_markdown,
    grid_of_text,
    mark_of,
    read_program_output,
    recognise,
    recognise_bytes,
)
from concordant.results.words import some
from concordant.scores.scores import ALL, AXES, COLUMNS, Scores, Source, derived

_Lines: TypeAlias = Literal["trec_eval", "ir_measures", "ir_measures4", "tot", "ranking", "order"]
Format: TypeAlias = Literal["table", "markdown", _Lines, "jsonl", "json", "parquet", "arrow", "workbook"]


IN_ORDER = "names in order, best first"  # how such files are read


@dataclass(frozen=True)
class ReadOptions:
    """How a table of scores is read; see `read_scores`."""

    measure: str | None = None
    format: Format | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    systems: SystemsIn | None = None
    headers: Headers | None = None
    decimal: Decimal | None = None
    sheet: str | None = None
    lower_is_better: Sequence[str] = ()
    on_duplicate: OnDuplicate = "error"
    plus_minus: PlusMinus | None = None
    shared_columns: Mapping[str, str] = field(default_factory=dict)  # only for tables that have these columns
    measures: Sequence[str] = ()  # columns that hold scores, whatever their names say

    def __post_init__(self) -> None:
        """Check what can be checked without a table."""
        words = {"format": Format, "systems": SystemsIn, "headers": Headers, "decimal": Decimal}
        words |= {"on_duplicate": OnDuplicate, "plus_minus": PlusMinus}
        for name, known in words.items():
            if getattr(self, name) is not None:
                one_of(name, getattr(self, name), get_args(known))

    def columns_among(self, names: Sequence[str]) -> dict[str, str]:
        """Return the given columns that a table has."""
        shared = {kind: name for kind, name in self.shared_columns.items() if name in names}
        return shared | dict(self.columns)


@public
def read_scores(
    data: ScoresLike,
    *,
    measure: str | None = None,
    format: Format | None = None,
    columns: Mapping[str, str] | None = None,
    systems: SystemsIn | None = None,
    headers: Headers | None = None,
    decimal: Decimal | None = None,
    sheet: str | None = None,
    lower_is_better: Iterable[str] = (),
    on_duplicate: OnDuplicate = "error",
    plus_minus: PlusMinus | None = None,
) -> Scores:
    r"""Read scores of systems from files, or from data in memory.

    Parameters
    ----------
    data : path, pattern, folder, open file, or a list of these; or Scores, DataFrame, mapping or array_like
        Files, plain or packed with gzip; "-" is standard input. Several files are read as one table, such as
        the output of ``trec_eval -q`` for each run. Data in memory is one of:

        - a data frame of pandas, polars, pyarrow, DuckDB or modin: long (columns measure, topic, system,
          value), with systems in rows (a column such as "model", the other columns are measures), or with
          systems in columns (rows are topics);
        - an xarray.DataArray, whose dimensions are found by their names, or by their order as in an array;
        - a mapping ``{measure: {topic: {system: score}}}``, ``{topic: {system: score}}`` or
          ``{system: score}``;
        - an array as for `Scores`.
    measure : str, optional
        The name of the measure if the data does not name it; by default the name of the file, or "score".
    format : str, optional
        The format of files; by default it is recognised.

        table
            CSV or TSV: systems in rows, systems in columns, or one score per row. See `systems`.
        trec_eval, ir_measures
            The output of these programs: lines of measure, topic, value; or of topic, measure, value.
        tot, ir_measures4, ranking
            Lines of run, measure, topic, value; of run, topic, measure, value; of topic, Q0, run, rank,
            value, measure.
        order
            Names, best first; tied names are in parentheses. See `ranking`.
        markdown
            A table of Markdown, with a line such as ``|---|---|`` below its header.
        jsonl, json
            JSON objects, one per line or in a list; or another shape of a table, see the page on files.
        parquet, arrow, workbook
            Parquet files; Arrow files, also called feather; and workbooks of the formats xlsx, xls and ods.
    columns : mapping, optional
        Which columns hold what, such as ``{"system": "Model", "value": "Score"}``. The scores of all values
        of a column for "repeat", such as seeds, are averaged; a column for "cluster" holds what topics belong
        to, such as the passage of a question.
    systems : {"rows", "columns"}, optional
        Where the systems are in a table or data frame. By default the names of the columns decide; see the
        page on files.
    headers : {"measures", "topics"}, optional
        What the columns are if systems are in rows. By default measures, or topics if the names of the
        columns are numbers. With "measures", each file is a system, if the files have the same columns and no
        column for systems.
    decimal : {".", ","}, optional
        The decimal sign. By default the numbers decide.
    sheet : str, optional
        The sheet of a workbook.
    lower_is_better : iterable of str, optional
        Measures of which the smallest score is the best; their sign is changed. "all" means all measures.
        Known names, such as RMSE, loss and rank, need not be given.
    on_duplicate : {"error", "first", "best", "mean"}
        What to do about a system that a table has twice: refuse it, keep the first or the best score, or take
        the mean.
    plus_minus : {"se", "ci"}, optional
        What a number after plus-minus is, as in 71.2 +- 0.4: the standard error of the score, or half the
        width of its 0.95 confidence interval. By default it is not used. Columns of errors need no option.

    Returns
    -------
    Scores
        The scores. ``source`` holds how they were read, and a note tells it.

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
    the open file: models in rows: 2 models, 2 measures (MMLU, GSM8K)
    >>> cd.read_scores({"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4}}).missing()
    [('score', 'q2', 'dense')]
    """
    lower = (lower_is_better,) if isinstance(lower_is_better, str) else tuple(lower_is_better)
    how = ReadOptions(
        measure, format, columns or {}, systems, headers, decimal, sheet, lower, on_duplicate, plus_minus
    )
    return read_tables({"": data}, {"": how})[""]


def read_tables(tables: Mapping[str, Any], how: Mapping[str, ReadOptions] | None = None) -> dict[str, Scores]:
    """Read several tables, files or in memory; if one can be read in two ways, the others decide."""
    every = {name: ReadOptions() for name in tables} | dict(how or {})
    given = {
        name: list(data) if isinstance(data, Iterator) and not is_file_like(data) else data
        for name, data in tables.items()
    }
    headers: list[Sequence[str]] = []  # the columns of each table
    ways = {
        name: [_ways(each, every[name], headers) for each in (expand(data) if are_files(data) else [data])]
        for name, data in given.items()
    }
    chosen = iter(decided([each for own in ways.values() for each in own]))
    found = {}
    for name, own in ways.items():
        scores = _joined(_files_as_one([next(chosen) for _ in own], every[name]))
        source, measure = scores.source, every[name].measure
        if measure is not None and not source.named:
            scores = scores.with_measures([measure])
        if source.read_as and scores is not given[name]:
            scores = derived(scores, notes=(reading_note(scores), *scores.notes))
        lower = every[name].lower_is_better
        found[name] = directed(scores, scores.measures if ALL in lower else lower)
    of_files = list(dict.fromkeys(itertools.chain(*headers)))
    for each in every.values():
        check_columns(of_files, each.shared_columns)
    asked = {measure for each in every.values() for measure in each.lower_is_better} - {ALL}
    there = dict.fromkeys(measure for each in found.values() for measure in each.measures)
    for unknown in sorted(asked - set(there))[:1]:
        raise ArgumentError(
            f"{option('lower_is_better')}: there is no measure {unknown!r}; there are {', '.join(there)}"
        )
    return found


def _ways(data: Any, how: ReadOptions, headers: list[Sequence[str]]) -> Sequence[Scores | Reading]:
    """Return the ways in which a table can be read, and add its columns to `headers`."""
    is_file = are_files(data)
    if not is_file and (how.format is not None or how.sheet is not None):
        name = "format" if how.sheet is None else "sheet"
        raise ArgumentError(f"{option(name)} is for files, got {type(data).__name__}")
    grid = grid_of_file(data, how) if is_file else grid_or_scores(data, how.decimal)
    if not isinstance(grid, Grid):
        return [grid]
    headers.append(grid.names)
    if (battles := battles_of(grid)) is not None:
        return [scores_of_battles(battles)]
    grid = replace(grid, wanted=how.measures)
    try:
        check_columns(grid.names, how.columns_among(grid.names))
        grid, beside = grid.parted(how.columns_among(grid.names))
        once = how.on_duplicate == "error" and "repeat" not in beside
        systems, grids = how.systems, [grid]
        if grid.turned is not None:
            both = {"rows": grid, "columns": grid.turned}
            systems, grids = None, [*both.values()] if systems is None else [both[systems]]
        asked = ((own, _of_cells(how, own.names), systems, how.headers, once) for own in grids)
        return [
            replace(
                way,
                on_duplicate=how.on_duplicate,
                said_lower=how.lower_is_better,
                plus_minus=how.plus_minus,
                **beside,
            )
            for way in itertools.chain(*itertools.starmap(readings_of_grid, asked))
        ]
    except ArgumentError as error:  # about the columns of the table
        if is_file:
            fail(grid.where, None, error.text)
        raise


def _of_cells(how: ReadOptions, names: Sequence[str]) -> dict[str, str]:
    """Return the given columns of a table, without those for clusters and repeats."""
    return {kind: name for kind, name in how.columns_among(names).items() if kind in COLUMNS}


def grid_of_file(source: FileLike, how: ReadOptions) -> Grid | Reading | Scores:
    """Return the columns of a file; of the output of a program how it is read, of an order the scores."""
    data, size = read_bytes(source)
    format: str | None = how.format or recognise_bytes(data)
    if format in ("parquet", "arrow"):
        return grid_of_arrow(source, data, size, format, how.decimal)
    if format == "workbook":
        return grid_of_workbook(source, data, size, how.sheet, how.decimal)
    name = name_of(source)
    text = decoded(name, data, size)
    del data
    mark = ""
    if format is None:
        format, mark = recognise(name, text)
    if format in ("jsonl", "json"):
        return grid_of_json(source, text, size, format, how.decimal, how.sheet)
    if format == "markdown":
        return grid_of_markdown(source, text, how.decimal)
    if format == "table":
        long = how.columns_among if how.systems is None else None
        return grid_of_text(source, text, mark or mark_of(text), how.decimal, long)
    if format == "order":
        return _order(source, text)
    return read_program_output(source, text, format, how.decimal or ".")


def _order(source: FileLike, text: str) -> Scores:
    try:
        lines = (line for line in text.split("\n") if not line.startswith("#"))
        groups, header, numbered = order_of("\n".join(lines))
        scores = scores_of_groups(groups)
    except ArgumentError as error:
        fail(name_of(source), None, error.text)
    remarks = ("the numbers before the names were removed",) if numbered else ()
    of = Source(name_of(source), IN_ORDER, False, (header,) if header else (), remarks)
    return Scores([*scores.values()], measures=[stem_of(source)], topics=[ALL], systems=scores, source=of)


def _files_as_one(parts: Sequence[Scores], how: ReadOptions) -> Sequence[Scores]:
    """Return the scores of each file as parts of one table.

    Files without a column for systems, which have the same columns:

    - one column: each file is a system, the column is the measure;
    - columns with names of measures (AP, ndcg_cut_10): the same;
    - files with names of measures: each file is a measure, the columns are systems;
    - otherwise both are possible, and the user must say which.

    Files whose rows are numbered, such as those of an answer a line with its id, are systems too.
    """
    if len(parts) < 2 or how.systems == "columns":
        return parts
    if all(part.source.read_as == "rows" and is_numbered(part.systems) for part in parts):
        return [_of_one_system(part, stem_of(part.source.name)) for part in parts]
    if any(part.source.read_as != "columns" or len(part.measures) > 1 for part in parts):
        return parts
    columns, stems = parts[0].systems, [stem_of(part.source.name) for part in parts]
    if any(part.systems != columns for part in parts):
        lone = all(len(part.systems) == 1 for part in parts)
        return [part.with_measures(["score"]) for part in parts] if lone else parts
    as_systems = len(columns) == 1 or all(map(is_measure_name, columns)) or how.headers == "measures"
    if not as_systems and all(map(is_measure_name, stems)):
        return parts
    if not as_systems:
        either = f"systems, and the files measures ({option('systems', 'columns')})"
        other = f"measures, and each file a system ({option('headers', 'measures')})"
        what = f"the columns {some(columns, 3)} are those of {parts[0].source.name} too: they may be {either}"
        fail(parts[1].source.name, None, f"{what}, or {other}; say which")
    return [_of_one_system(part, stem) for part, stem in zip(parts, stems, strict=True)]


def _of_one_system(scores: Scores, system: str) -> Scores:
    """Return the scores of one system, whose columns were taken as systems, or whose rows."""
    source = replace(scores.source, read_as="files", nouns=())
    if scores.source.read_as == "rows":
        values = scores.values.transpose(0, 2, 1)
        return derived(
            scores, values=values, topics=scores.systems, systems=(system,), source=source, errors={}
        )
    values = scores.values[0].T[:, :, None]  # measures x topics x 1
    return derived(scores, values=values, measures=scores.systems, systems=(system,), source=source)


_APART = "read them apart, by patterns such as 'evals/**/samples_*.jsonl'"


def _joined(parts: Sequence[Scores]) -> Scores:
    """Put the scores of several files into one table; a score that two files have is an error."""
    if len(parts) == 1:
        return parts[0]
    names = [part.source.name for part in parts]
    lower = {measure for part in parts for measure in part.lower_is_better}
    parts = [directed(part, lower) for part in parts]
    by_axis = zip(*(part.labels for part in parts), strict=True)
    labels = [list(dict.fromkeys(itertools.chain(*own))) for own in by_axis]
    if ALL in labels[1] and len(labels[1]) > 1:
        lone = next(part.source.name for part in parts if part.topics == (ALL,))
        raise ArgumentError(f"{lone} holds means and other files hold scores of topics; {_APART}")
    check_full(labels, sum(part.values.size for part in parts), partial(fail, names[-1], None))
    places = [{label: i for i, label in enumerate(own)} for own in labels]
    table = np.full([len(own) for own in labels], math.nan)
    owner = np.full(table.shape, -1, dtype=np.int32)
    for k, part in enumerate(parts):
        index = np.ix_(*([at[label] for label in own] for at, own in zip(places, part.labels, strict=True)))
        known = ~np.isnan(part.values)
        for m, t, s in np.argwhere(known & (owner[index] >= 0))[:1].tolist():
            other = names[int(owner[index][m, t, s])]
            two = f"system {part.systems[s]!r} has two scores for topic {part.topics[t]!r}"
            fail(names[k], None, f"{two} by {part.measures[m]} (also in {other}); keep one")
        table[index] = np.where(known, part.values, table[index])
        owner[index] = np.where(known, k, owner[index])
    told = np.any(~np.isnan(table), axis=2)  # measures x topics
    for k in np.flatnonzero(~np.any(told & told[0], axis=1) & np.any(told, axis=1))[:1].tolist():
        two = f"{labels[0][0]} and {labels[0][k]} have no topic in common"
        raise ArgumentError(f"{names[0]} and other files: {two}; {_APART}")
    left_out = tuple(dict.fromkeys(name for part in parts for name in part.source.left_out))
    remarks = tuple(dict.fromkeys(remark for part in parts for remark in part.source.remarks))
    which = f"{len(parts)} files, {PurePath(names[0]).name} to {PurePath(names[-1]).name}"
    source = Source(which, parts[0].source.read_as, True, left_out, remarks)
    about: dict[str, Any] = dict(zip(AXES, labels, strict=True)) | {"source": source}
    notes = [note for part in parts for note in part.notes]
    clusters = {topic: own for part in parts for topic, own in part.clusters.items()}
    return Scores(table, notes=notes, lower_is_better=lower, clusters=clusters, **about)
