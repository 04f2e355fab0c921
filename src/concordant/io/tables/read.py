"""Reading scores from files of any format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, TypeAlias

from concordant.errors import ArgumentError, fail, public
from concordant.io.files import Source, decoded, expand, name_of, read_bytes, shown
from concordant.io.tables.cells import Row
from concordant.io.tables.ir_measures_output import read_ir_measures
from concordant.io.tables.jsonl import read_jsonl
from concordant.io.tables.long import read_long
from concordant.io.tables.parquet import read_parquet
from concordant.io.tables.recognise import recognise
from concordant.io.tables.trec_eval import read_trec_eval
from concordant.io.tables.wide import read_wide
from concordant.rankings import one_of
from concordant.scores import Scores
from concordant.tables import Note

__all__ = ["FORMATS", "Format", "read_scores"]

Format: TypeAlias = Literal["wide", "long", "trec_eval", "ir_measures", "jsonl", "parquet"]

_READERS: dict[str, Callable[[Source, Any, Mapping[str, str]], Iterator[Row]]] = {
    "wide": read_wide,
    "long": read_long,
    "trec_eval": read_trec_eval,
    "ir_measures": read_ir_measures,
    "jsonl": read_jsonl,
    "parquet": read_parquet,
}

FORMATS = tuple(_READERS)


@public
def read_scores(
    paths: Source | Iterable[Source],
    *,
    format: Format | None = None,
    columns: Mapping[str, str] | None = None,
) -> Scores:
    r"""Read scores of systems on topics from files.

    Parameters
    ----------
    paths : path, pattern, open file, or a list of these
        Plain or packed with gzip; "-" is standard input. Files that hold one system each, such as the output
        of ``trec_eval -q``, are read together.
    format : {"wide", "long", "trec_eval", "ir_measures", "jsonl", "parquet"}, optional
        By default the format is recognised.

        wide
            CSV or TSV with a header of system names and one row for each topic. The column of topics may
            be absent.
        long
            CSV or TSV with columns measure (optional), topic, system, value. A table of means needs only
            system and value.
        trec_eval
            The output of ``trec_eval -q``: lines of measure, topic, value. The rows of topic "all" are
            averages; they are checked against the means of the scores.
        ir_measures
            The output of ``ir_measures -q``: lines of topic, measure, value.
        jsonl
            JSON lines with keys measure (optional), topic, system (by default the name of the file), value.
        parquet
            A long or a wide table.
    columns : mapping, optional
        Which columns of a long table hold what, such as ``{"system": "model"}``.

    Returns
    -------
    Scores

    Raises
    ------
    InputError
        The message names the file, the line and the next step.

    Examples
    --------
    >>> import concordant as cd, io
    >>> cd.read_scores(io.StringIO("topic,bm25,dense\n401,0.2,0.5\n402,0.4,0.3\n"))
    <Scores: 1 measure, 2 topics, 2 systems>
    """
    if format is not None:
        one_of("format", format, FORMATS)
    rows: list[Row] = []
    origin: dict[tuple[str, str, str], str] = {}
    notes: list[Note] = []
    sources = expand(paths)
    for source in sources:
        name = name_of(source)
        with_averages = False
        for row in _rows(source, format, columns or {}):
            measure, topic, system, _ = row
            if topic == "all":
                with_averages = True
                continue
            key = measure, topic, system
            if key in origin:
                where = "" if origin[key] == name else f" (also in {origin[key]})"
                two = f"system {shown(system)} has two scores for topic {shown(topic)} by {measure}{where}"
                fail(name, None, f"{two}; keep one")
            origin[key] = name
            rows.append(row)
        if with_averages:
            notes.append(Note("averages_left_out", name))
    if not rows:
        fail(name_of(sources[0]), None, "holds no scores")
    return Scores.from_rows(rows).noted(*notes)


def _rows(source: Source, format: Format | None, columns: Mapping[str, str]) -> Iterator[Row]:
    """Yield the scores of one file."""
    name = name_of(source)
    data = read_bytes(source)
    try:
        if format == "parquet" or (format is None and data[:4] == b"PAR1"):
            yield from read_parquet(source, data, columns)
        else:
            text = decoded(name, data)
            found = format or recognise(name, text, columns)
            yield from _READERS[found](source, text, columns)
    except ArgumentError as error:  # about the columns of the table
        fail(name, None, error.text)
