"""Writing scores to files."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np

from concordant.checks import one_of
from concordant.errors import public
from concordant.reading.files import write_whole
from concordant.reading.header_words import counts_down
from concordant.reading.table_files import as_parquet
from concordant.results.markup import csv_text, json_text
from concordant.results.xlsx import workbook_of_rows
from concordant.scores.scores import COLUMNS, Scores, derived

WrittenFormat: TypeAlias = Literal["long", "wide", "jsonl", "parquet", "xlsx"]
WRITTEN_FORMATS: tuple[str, ...] = get_args(WrittenFormat)

_ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".xlsx": "xlsx"}


@public
def write_scores(
    scores: Scores, path: str | os.PathLike[str], *, format: WrittenFormat | None = None
) -> None:
    """Write scores to a file, which appears complete or not at all. Missing scores are left out.

    Parameters
    ----------
    scores : Scores
        The scores.
    path : path
        The file. It is packed with gzip if its name ends in .gz.
    format : {"long", "wide", "jsonl", "parquet", "xlsx"}, optional
        The format. By default the ending decides: .jsonl, .parquet or .xlsx; otherwise a long CSV, or TSV if
        the name has .tsv. A wide table holds one measure. A workbook holds 16 digits of each number, the
        other formats hold all.

    Notes
    -----
    A name in a CSV or TSV that begins with =, +, - or @ gets a quote (') before it, so that a spreadsheet
    does not read it as a formula. A name with control characters begins with a quote and a backslash, and has
    escapes. Scores of which the smallest is the best have the sign that they had when they were read, except
    in a wide table, and an arrow after the name of the measure if it does not tell. `read_scores` undoes all.

    Examples
    --------
    >>> import tempfile
    >>> import concordant as cd
    >>> scores = cd.Scores([[0.2, 0.5], [0.4, 0.3]], systems=["bm25", "dense"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cd.write_scores(scores, folder + "/scores.csv.gz")
    ...     cd.read_scores(folder + "/scores.csv.gz") == scores
    True
    """
    suffixes = Path(path).suffixes
    chosen: str = format or next((_ENDINGS[s] for s in reversed(suffixes) if s in _ENDINGS), "long")
    one_of("format", chosen, WRITTEN_FORMATS)
    if chosen == "parquet":
        write_whole(path, as_parquet(_as_in_files(scores)))
    elif chosen == "xlsx":
        rows = map(list, _as_in_files(scores).rows())
        write_whole(path, workbook_of_rows({"scores": [list(COLUMNS), *rows]}))
    else:
        write_whole(path, as_text(scores, chosen, "\t" if ".tsv" in suffixes else ","))


def as_text(scores: Scores, format: str, mark: str = ",") -> str:
    """Return scores as a long or wide table, or as JSON lines."""
    one_of("format", format, ("long", "wide", "jsonl"))
    scores = scores if format == "wide" else _as_in_files(scores)
    if format == "jsonl":
        rows = (dict(zip(COLUMNS, row, strict=True)) for row in scores.rows())
        return "".join(map(json_text, rows))
    if format == "long":
        return csv_text([list(COLUMNS), *scores.rows()], mark)
    _, values = scores.one_measure()
    by_topic = zip(scores.topics, values.tolist(), strict=True)
    cells = ([topic, *(None if math.isnan(value) else value for value in row)] for topic, row in by_topic)
    return csv_text([["topic", *scores.systems], *cells], mark)


def _as_in_files(scores: Scores) -> Scores:
    """Return scores with the signs that they had, and an arrow after a name that tells another end."""
    lower = [measure in scores.lower_is_better for measure in scores.measures]
    told = [down == counts_down(measure) for down, measure in zip(lower, scores.measures, strict=True)]
    if not any(lower) and all(told):
        return scores
    arrows = [
        "" if known else " \u2193" if down else " \u2191" for down, known in zip(lower, told, strict=True)
    ]
    names = [measure + arrow for measure, arrow in zip(scores.measures, arrows, strict=True)]
    values = np.where(np.array(lower)[:, None, None], -scores.values, scores.values) + 0.0
    values.flags.writeable = False
    return derived(scores, values=values).with_measures(names)
