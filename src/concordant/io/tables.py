"""Tables of scores: reading whatever format they come in, and writing them."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from concordant.io._files import (
    NUMBER,
    InputError,
    Source,
    decoded,
    expand,
    fail,
    name_of,
    read_bytes,
    shown,
    stem_of,
    write_whole,
)
from concordant.scores import COLUMNS, Scores, find_columns, is_column

__all__ = ["read_scores", "write_scores"]

Row = tuple[str, str, str, float]
_NOT_A_MEASURE = ("runid", "num_", "prefs_num_", "relstring")  # how the names begin


def read_scores(
    paths: Source | Iterable[Source],
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Scores:
    r"""Read scores of systems on topics from files.

    Parameters
    ----------
    paths : path, pattern, open file, or several
        Plain or gzip; "-" is standard input. Files that hold one system each, such as the output of ``trec_eval -q``,
        are read together.
    format : {"wide", "long", "trec_eval", "ir_measures", "jsonl", "parquet"}, optional
        By default it is found out.

        wide
            CSV or TSV, a header of system names, one row for each topic, an optional first column of topics.
        long
            CSV or TSV with columns measure (optional), topic, system, value; of means, system and value will do.
        trec_eval
            The output of ``trec_eval -q``: lines of measure, topic, value. The rows of topic "all" are not scores; they
            are checked against the mean of the others.
        ir_measures
            The output of ``ir_measures -q``: lines of topic, measure, value.
        jsonl
            JSON lines with keys measure (optional), topic, system (by default the name of the file), value.
        parquet
            A long or a wide table.
    columns : mapping, optional
        Which columns hold what in long tables, such as ``{"system": "model"}``.

    Returns
    -------
    Scores

    Raises
    ------
    InputError
        Names the file, the line, and what to do.

    Examples
    --------
    >>> import concordant as cd, io
    >>> cd.read_scores(io.StringIO("topic,bm25,dense\n401,0.2,0.5\n402,0.4,0.3\n"))
    <Scores: 1 measure, 2 topics, 2 systems>
    """
    if format is not None and format not in READERS:
        raise ValueError(f"read_scores: format must be one of {', '.join(READERS)}, got {format!r}")
    rows: list[Row] = []
    origin: dict[tuple[str, str, str], str] = {}
    notes: list[str] = []
    sources = expand("read_scores", paths)
    for source in sources:
        name = name_of(source)
        data = read_bytes(source)
        is_parquet = format == "parquet" or (format is None and data[:4] == b"PAR1")
        content: Any = data if is_parquet else decoded(name, data)
        found = format or ("parquet" if is_parquet else _detect(name, content, columns or {}))
        n_averages = 0
        try:
            for row in READERS[found](source, content, columns or {}):
                if row[1] == "all":
                    n_averages += 1
                    continue
                key = row[:3]
                if key in origin:
                    where = "" if origin[key] == name else f" (also in {origin[key]})"
                    fail(
                        name,
                        None,
                        f"system {shown(row[2])} has two scores for topic {shown(row[1])} by {row[0]}{where}; keep one",
                    )
                origin[key] = name
                rows.append(row)
        except InputError:
            raise
        except ValueError as error:  # of a table as a whole
            fail(name, None, str(error).removeprefix("Scores: ").removeprefix("columns: "))
        if n_averages:
            notes.append(f"{name}: rows of topic 'all' are averages, not scores, and were left out")
    if not rows:
        fail(name_of(sources[0]), None, "holds no scores")
    return Scores.of_rows(rows).noted(*notes)


def _number(name: str, line: int, text: str, whose: str) -> float:
    """Read one score. An empty cell is a score that is missing."""
    text = text.strip()
    if text == "":
        return math.nan
    if NUMBER.fullmatch(text):
        value = float(text)
        if math.isfinite(value):
            return value
    if text.lower().lstrip("+-") in ("nan", "na", "null", "none", "inf", "infinity") or NUMBER.fullmatch(
        text
    ):
        fail(
            name,
            line,
            f"the score of {whose} is {shown(text)}; scores must be finite, leave the cell empty for one that is missing",
        )
    comma = " (a decimal comma? write a point)" if re.fullmatch(r"[+-]?\d+,\d+", text) else ""
    return fail(name, line, f"the score of {whose} must be a number, found {shown(text)}{comma}")


def _split(lines: Sequence[str], mark: str) -> list[list[str]]:
    """Split the first lines of a table; none if this cannot be."""
    try:
        return [row for row in csv.reader(lines[:20], delimiter=mark, strict=False) if row]
    except csv.Error:
        return []


def _delimiter(lines: Sequence[str]) -> str | None:
    """Find the mark between columns: the one that cuts most lines into as many parts as the first."""
    best, score = None, 0.0
    for mark in "\t,;":
        rows = _split(lines, mark)
        if not rows or len(rows[0]) < 2:
            continue
        alike = sum(len(row) - len(rows[0]) in (0, 1) for row in rows[1:]) / max(len(rows) - 1, 1)
        if alike > score or best is None:
            best, score = mark, alike
    return best


# What the two programs call measures.
_TREC_EVAL = re.compile(
    r"(gm_)?(map|bpref|infAP|ndcg|Rprec|Rndcg|recip_rank|G|binG|yaap|11pt_avg|runid)|map_avgjg|(P|recall|ndcg_cut|map_cut|success|"
    r"relative_P|set|num|iprec_at_recall|utility|ndcg_rel|ndcg_exp|Rprec_mult|Rprec_mult_avgjg|P_avgjg|prefs|relstring)_.*"
)
_IR_MEASURES = re.compile(r"[A-Za-z][A-Za-z_0-9]*(\(.*\))?(@\d+)?")


def _detect(name: str, text: str, columns: Mapping[str, str]) -> str:
    """Find out the format of a text."""
    lines = [line for line in text.split("\n") if line.strip()]
    if lines[0].lstrip().startswith("{"):
        return "jsonl"
    mark = _delimiter(lines)
    header = _split(lines, mark)[0] if mark is not None and _split(lines, mark) else []
    if columns and header:
        return "long"
    if find_columns(header, {}) is not None:
        return "long"
    if header and is_column(header[0], "topic"):
        return "wide"
    parts = [line.split() for line in lines]
    first = parts[:10]
    if all(len(part) == 6 and part[1].upper() == "Q0" for part in first):
        fail(name, 1, "this is a run, not a table of scores; give runs with judgements: --runs and --qrels")
    if all(len(part) == 4 and NUMBER.fullmatch(part[3]) for part in first) and mark not in (",", ";"):
        fail(
            name,
            1,
            "this looks like judgements (qrels), not a table of scores; give them as --qrels or --judge",
        )
    three = [part for part in parts if len(part) == 3]  # the others are for the reader to refuse
    if len(parts[0]) == 3 and 2 * len(three) > len(parts) and mark not in (",", ";"):
        if NUMBER.fullmatch(three[0][2]) or three[0][0] == "runid":
            if any(part[1] == "all" for part in three) or all(
                _TREC_EVAL.fullmatch(part[0]) for part in three
            ):
                return "trec_eval"
            if any(part[0] == "all" for part in three):
                return "ir_measures"
            # Topics are many, measures few; a measure is no number.
            seconds = {part[1] for part in three}
            if len(seconds) <= len({part[0] for part in three}) and all(map(_IR_MEASURES.fullmatch, seconds)):
                return "ir_measures"
            fail(
                name,
                1,
                "is this the output of trec_eval or of ir_measures? say so with format= or --input-format",
            )
        elif mark is None:
            fail(
                name,
                1,
                f"cannot tell the format of {shown(lines[0].strip())}; give it with format= or --input-format",
            )
    if mark is None:
        if len(lines) > 1 and all(NUMBER.fullmatch(line.strip()) for line in lines[1:]):
            return "wide"  # one system
        fail(
            name,
            1,
            f"cannot tell the format of {shown(lines[0].strip())}; give it with format= or --input-format",
        )
    return "wide"


Cells = tuple[list[str], Iterable[tuple[int, list[str]]]]


def _cells(name: str, text: str) -> Cells:
    """Return the header of a CSV or TSV, and its rows with the line they start at."""
    mark = _delimiter([line for line in text.split("\n") if line.strip()]) or ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)

    def rows() -> Iterator[tuple[int, list[str]]]:
        line = 1
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                fail(name, reader.line_num, f"broken CSV: {error}")
            if row and (len(row) > 1 or row[0].strip()):  # not a blank line
                yield line, row
            line = reader.line_num + 1

    found = rows()
    return [cell.strip() for cell in next(found)[1]], found


def _read_wide(source: Source, text: str, _columns: Mapping[str, str]) -> Iterator[Row]:
    yield from _wide_rows(source, *_cells(name_of(source), text))


def _wide_rows(source: Source, header: list[str], found: Iterable[tuple[int, list[str]]]) -> Iterator[Row]:
    name, measure = name_of(source), stem_of(source)
    rows = list(found)
    if not rows:
        fail(name, None, "has a header and no rows")
    if all(len(row) > 1 and row[-1].strip() == "" for _, row in rows) and (
        header[-1] == "" or all(len(row) == len(header) + 1 for _, row in rows)
    ):  # lines that end with a mark
        header = header[:-1] if header[-1] == "" else header
        rows = [(line, row[:-1]) for line, row in rows]
    topic_at = _topic_column(name, header, rows)
    longer = {len(row) for _, row in rows} == {len(header) + 1}
    if (
        topic_at == 0 and longer and not is_column(header[0], "topic")
    ):  # as R writes it: no header over row names
        header = ["", *header]
    systems = [cell for i, cell in enumerate(header) if i != topic_at]
    for i, system in enumerate(header):
        if i != topic_at and system == "":
            fail(name, 1, f"column {i + 1} has no system name in the header")
    twice = [system for system in systems if systems.count(system) > 1]
    if twice:
        fail(name, 1, f"system {shown(twice[0])} is in the header twice; names must be different")
    seen: dict[str, int] = {}
    for number, (line, row) in enumerate(rows, 1):
        if len(row) != len(header):
            fail(name, line, f"expected {len(header)} columns, found {len(row)}: {shown(','.join(row))}")
        topic = str(number) if topic_at is None else row[topic_at].strip()
        if topic == "":
            fail(name, line, "the topic is empty")
        if topic in seen:
            fail(name, line, f"topic {shown(topic)} is there twice, first in line {seen[topic]}")
        seen[topic] = line
        cells = [cell for i, cell in enumerate(row) if i != topic_at]
        for system, cell in zip(systems, cells, strict=True):
            yield measure, topic, system, _number(name, line, cell, f"system {shown(system)}")


def _size(cell: str) -> float:
    return float(cell) if NUMBER.fullmatch(cell.strip()) else 0.0


def _topic_column(name: str, header: list[str], rows: list[tuple[int, list[str]]]) -> int | None:
    """Find the column of topics, by its name, by R's way of writing, or because it holds no numbers."""
    known = [i for i, cell in enumerate(header) if is_column(cell, "topic")]
    if header[0] == "" or (not known and {len(row) for _, row in rows} == {len(header) + 1}):
        return 0
    # Away from the first column, names that could be a system's do not count.
    known = [i for i in known if i == 0 or header[i].lower() not in ("id", "index")]
    if known:
        return known[0]
    first = [row[0].strip() for _, row in rows]
    if len(header) > 1 and all(cell and not NUMBER.fullmatch(cell) for cell in first):
        return 0
    if len(header) > 1 and all(map(NUMBER.fullmatch, header)):
        fail(name, 1, "the first line holds numbers; it must name the systems")
    others = [cell for _, row in rows for cell in row[1:]]
    if (
        len(set(first)) == len(first) > 1
        and all(re.fullmatch(r"\d+", cell) for cell in first)
        and (
            any("." in cell for cell in others)
            or min(map(int, first)) > max(map(_size, others), default=math.inf)
        )
    ):
        fail(
            name,
            1,
            f"the first column, {shown(header[0])}, holds different whole numbers beside scores; name it 'topic' if these are "
            "topics, or write its scores with a decimal point",
        )
    return None


def _read_long(source: Source, text: str, columns: Mapping[str, str]) -> Iterator[Row]:
    yield from _long_rows(source, *_cells(name_of(source), text), columns)


def _long_rows(
    source: Source, header: list[str], rows: Iterable[tuple[int, list[str]]], columns: Mapping[str, str]
) -> Iterator[Row]:
    name = name_of(source)
    if len(set(header)) < len(header):
        fail(name, 1, "two columns have the same name")
    found = find_columns(header, columns)
    if found is None:
        fail(
            name,
            1,
            f"needs columns topic, system and value, has {shown(', '.join(header))}; say which is which with columns= or "
            "--columns system=model",
        )
    place = {kind: header.index(column) for kind, column in found.items()}
    for line, row in rows:
        if len(row) != len(header):
            fail(name, line, f"expected {len(header)} columns, found {len(row)}: {shown(','.join(row))}")
        cells = {kind: row[i].strip() for kind, i in place.items()}
        for kind in ("measure", "topic", "system"):
            if cells.get(kind) == "":
                fail(name, line, f"the {kind} is empty")
        value = _number(name, line, cells["value"], f"system {shown(cells['system'])}")
        yield cells.get("measure", stem_of(source)), cells.get("topic", "1"), cells["system"], value


def _three(source: Source, text: str) -> Iterator[tuple[int, list[str]]]:
    name = name_of(source)
    for line, content in enumerate(text.split("\n"), 1):
        parts = content.split()
        if parts and len(parts) != 3:
            fail(name, line, f"expected 3 columns, found {len(parts)}: {shown(content.strip())}")
        if parts:
            yield line, parts


def _read_trec_eval(source: Source, text: str, _columns: Mapping[str, str]) -> Iterator[Row]:
    """Read one run or several, one after the other: a run ends with its rows of topic "all"."""
    name = name_of(source)
    rows: list[tuple[str, str, float]] = []
    every: dict[str, tuple[int, str]] = {}
    runs: list[tuple[list[tuple[str, str, float]], dict[str, tuple[int, str]]]] = [(rows, every)]
    for line, (measure, topic, text_value) in _three(source, text):
        if topic == "all":
            every[measure] = (line, text_value)
            continue
        if every:
            rows, every = [], {}
            runs.append((rows, every))
        if measure.startswith(_NOT_A_MEASURE):
            continue
        rows.append((measure, topic, _number(name, line, text_value, f"topic {shown(topic)}")))
    for rows, every in runs:
        if not rows:
            fail(
                name,
                None,
                "holds only averages (topic 'all'); run trec_eval with -q for the scores of each topic",
            )
        if len(runs) > 1 and "runid" not in every:
            fail(name, None, "holds several runs, and one has no line 'runid all'; use one file for each run")
        system = every["runid"][1] if "runid" in every else stem_of(source)
        _check_averages(name, rows, every)
        for measure, topic, value in rows:
            yield measure, topic, system, value


def _check_averages(
    name: str, rows: list[tuple[str, str, float]], every: Mapping[str, tuple[int, str]]
) -> None:
    """Compare the averages in a file with those of its scores, as printed with four decimals."""
    n_topics = int(every["num_q"][1]) if every.get("num_q", (0, ""))[1].isdigit() else 0
    by_measure: dict[str, list[float]] = {}
    for measure, _, value in rows:
        by_measure.setdefault(measure, []).append(value)
    for measure, values in by_measure.items():
        if measure not in every or measure.startswith(("gm_", "GMAP")):
            continue
        line, text = every[measure]
        average = _number(name, line, text, "topic 'all'")
        decimals = len(text.partition(".")[2].partition("e")[0])
        within = 1.01 * 10.0**-decimals  # half a unit by rounding the average, half by rounding the scores
        total = math.fsum(values)
        # trec_eval -c averages over all topics, and prints only those that the run answered.
        if all(abs(total / n - average) > within for n in {len(values), max(n_topics, len(values))}):
            fail(
                name,
                line,
                f"{measure} of topic 'all' is {text}, the mean of the {len(values)} topics is {total / len(values):.4f}; "
                "lines are missing or come from another run",
            )


def _read_ir_measures(source: Source, text: str, _columns: Mapping[str, str]) -> Iterator[Row]:
    name = name_of(source)
    rows: list[tuple[str, str, float]] = []
    every: dict[str, tuple[int, str]] = {}
    for line, (topic, measure, value) in _three(source, text):
        if topic == "all":
            every[measure] = (line, value)
        else:
            rows.append((measure, topic, _number(name, line, value, f"topic {shown(topic)}")))
    if not rows:
        fail(
            name,
            None,
            "holds only averages (topic 'all'); run ir_measures with -q for the scores of each topic",
        )
    _check_averages(name, rows, {key: value for key, value in every.items() if not key.startswith("Num")})
    for measure, topic, number in rows:
        yield measure, topic, stem_of(source), number


def _read_jsonl(source: Source, text: str, columns: Mapping[str, str]) -> Iterator[Row]:
    name = name_of(source)
    for line, content in enumerate(text.split("\n"), 1):
        if not content.strip():
            continue
        try:
            row = json.loads(content)
        except json.JSONDecodeError as error:
            fail(name, line, f"broken JSON: {error.msg}: {shown(content.strip())}")
        except RecursionError:
            fail(name, line, f"broken JSON: nested too deeply: {shown(content.strip())}")
        if not isinstance(row, dict):
            fail(
                name, line, f"expected an object with topic, system and value, found {shown(content.strip())}"
            )
        keys = {kind: _key(row, kind, columns) for kind in COLUMNS}
        absent = [columns[kind] for kind in columns if not keys.get(kind)]
        if absent:
            fail(
                name,
                line,
                f"has no {absent[0]!r}, which columns= or --columns names: {shown(content.strip())}",
            )
        for kind in ("topic", "value"):
            if not keys[kind]:
                fail(name, line, f"has no {kind!r}: {shown(content.strip())}")
        cells = {kind: row[key] for kind, key in keys.items() if key}
        for kind in ("measure", "topic", "system"):
            if kind in cells and (
                isinstance(cells[kind], bool) or not isinstance(cells[kind], str | int) or cells[kind] == ""
            ):
                fail(
                    name,
                    line,
                    f"the {kind} must be a text or a whole number, found {shown(str(cells[kind]))}",
                )
        value = cells["value"]
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            fail(name, line, f"the value must be a number, found {shown(str(value))}")
        try:
            number = math.nan if value is None else float(value)
        except OverflowError:
            number = math.inf
        if value is not None and not math.isfinite(number):
            fail(
                name,
                line,
                f"the value is {number}; scores must be finite, leave out the line of one that is missing",
            )
        try:
            "".join(map(str, cells.values())).encode()
        except UnicodeEncodeError:
            fail(name, line, f"holds a broken character: {shown(ascii(content.strip()))}")
        system = str(cells.get("system", stem_of(source)))
        yield str(cells.get("measure", stem_of(source))), str(cells["topic"]), system, number


def _key(row: Mapping[str, Any], kind: str, columns: Mapping[str, str]) -> str:
    if kind in columns:
        return columns[kind] if columns[kind] in row else ""
    return next((key for key in row if is_column(key, kind)), "")


def _read_parquet(source: Source, data: bytes, columns: Mapping[str, str]) -> Iterator[Row]:
    pa, parquet = _pyarrow()
    try:
        # Without threads of its own, which may outlive a short program and abort it.
        table = parquet.ParquetFile(io.BytesIO(data), pre_buffer=False).read(use_threads=False)
    except (OSError, ValueError, pa.ArrowException) as error:
        fail(name_of(source), None, f"is not a parquet file that can be read: {str(error).splitlines()[0]}")
    # pandas writes its index as the last column, and says so.
    index = [i for i in (table.schema.pandas_metadata or {}).get("index_columns", []) if isinstance(i, str)]
    table = table.select([*index, *(name for name in table.column_names if name not in index)])
    names = [str(name) for name in table.column_names]
    columns_of = [
        ["" if cell is None else str(cell) for cell in table.column(i).to_pylist()] for i in range(len(names))
    ]
    rows = list(enumerate(map(list, zip(*columns_of, strict=True)), 2))
    if find_columns(names, columns):
        yield from _long_rows(source, names, rows, columns)
    else:
        yield from _wide_rows(source, names, rows)


READERS: dict[str, Callable[[Source, Any, Mapping[str, str]], Iterator[Row]]] = {
    "wide": _read_wide,
    "long": _read_long,
    "trec_eval": _read_trec_eval,
    "ir_measures": _read_ir_measures,
    "jsonl": _read_jsonl,
    "parquet": _read_parquet,
}


def write_scores(scores: Scores, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write scores to a file, which appears whole or not at all. What is missing is left out.

    Parameters
    ----------
    scores : Scores
    path : path
        Packed if it ends in .gz.
    format : {"long", "wide", "jsonl", "parquet"}, optional
        By default from the ending: .jsonl, .parquet, else long CSV. Wide tables hold one measure.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.write_scores(scores, "scores.csv.gz")  # doctest: +SKIP
    """
    endings = {".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
    suffixes = Path(path).suffixes
    chosen = format or next((endings[s] for s in reversed(suffixes) if s in endings), "long")
    mark = "\t" if ".tsv" in suffixes else ","
    if chosen == "parquet":
        pa, parquet = _pyarrow()
        columns = list(zip(*scores.rows(), strict=True)) or [(), (), (), ()]
        kinds = (pa.string(), pa.string(), pa.string(), pa.float64())
        table = pa.table(
            {kind: pa.array(column, of) for kind, column, of in zip(COLUMNS, columns, kinds, strict=True)}
        )
        packed = io.BytesIO()
        parquet.write_table(table, packed)
        write_whole(path, packed.getvalue())
        return
    write_whole(path, as_text(scores, chosen, mark))


def as_text(scores: Scores, format: str, mark: str) -> str:
    """Return scores as long or wide table, or as JSON lines."""
    text = io.StringIO()
    if format == "jsonl":
        for row in scores.rows():
            text.write(json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False) + "\n")
        return text.getvalue()
    writer = csv.writer(text, delimiter=mark, lineterminator="\n")
    if format == "long":
        writer.writerow(COLUMNS)
        writer.writerows((*row[:3], repr(row[3])) for row in scores.rows())
    elif format == "wide":
        _, values = scores.one_measure()
        writer.writerow(["topic", *scores.systems])
        for topic, row_values in zip(scores.topics, values.tolist(), strict=True):
            writer.writerow([topic, *("" if math.isnan(value) else repr(value) for value in row_values)])
    else:
        raise ValueError(f"write_scores: format must be long, wide, jsonl or parquet, got {format!r}")
    return text.getvalue()


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise ImportError("parquet files need pyarrow: pip install 'concordant[parquet]'") from None
    return pa, parquet
