"""Text: the format of a file; tables of CSV, TSV and Markdown; the output of evaluation programs."""

from __future__ import annotations

import ast
import csv
import io
import itertools
import math
import operator
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from concordant.errors import fail, option, shown
from concordant.reading.cells import (
    NUMBER,
    PLAIN,
    WORDS_FOR_MISSING,
    Column,
    Decimal,
    check_cell_lengths,
    column_of_codes,
    columns_of,
    decimal_mark,
    may_group,
    texts_of_codes,
    without_links,
)
from concordant.reading.files import FileLike, limit, name_of, read_text, stem_of
from concordant.reading.header_words import find_columns, is_numbered, is_word, kind_of_column
from concordant.reading.measure_names import is_measure_name
from concordant.reading.readings import Grid, Reading
from concordant.results.markup import FORMULA
from concordant.results.words import some
from concordant.scores.scores import coded

Line: TypeAlias = tuple[int, list[str]]
"""The number of a line, and its cells."""

_ESCAPE = re.compile(r"\\(?:[\\nrt]|x[0-9a-f]{2}|u[0-9a-f]{4})")
_QUOTED_FORMULA = re.compile(f"^'(?={FORMULA.pattern})")  # as `csv_text` writes it


def split(lines: Sequence[str], mark: str) -> list[list[str]]:
    """Split the first lines of a table; return nothing if this is not possible."""
    try:
        return [row for row in csv.reader(lines[:20], delimiter=mark, strict=False) if row]
    except csv.Error:
        return []


def delimiter(lines: Sequence[str]) -> str | None:
    """Find the mark between columns: the one with which most lines have as many parts as the first."""
    best, score = None, 0.0
    for mark in "\t,;":
        rows = split(lines, mark)
        if not rows or len(rows[0]) < 2:
            continue
        alike = sum(len(row) - len(rows[0]) in (0, 1) for row in rows[1:]) / max(len(rows) - 1, 1)
        if alike > score or best is None:
            best, score = mark, alike
    return best


def mark_of(text: str) -> str:
    """Return the mark between the columns of a table."""
    return delimiter([line for line in text[:50_000].split("\n") if line.strip()]) or ","


def unquoted(cell: str) -> str:
    """Return a name as it was before `csv_text` quoted and escaped it."""
    if cell.startswith("'\\"):
        return _ESCAPE.sub(lambda found: str(ast.literal_eval(f"'{found[0]}'")), cell[2:])
    return _QUOTED_FORMULA.sub("", cell)


@contextmanager
def _csv_reader(text: str, mark: str) -> Iterator[Any]:
    usual = csv.field_size_limit(limit("CONCORDANT_MAX_CELL"))  # this setting is global
    try:
        yield csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    finally:
        csv.field_size_limit(usual)


def rows_of_text(name: str, text: str, mark: str) -> list[Line]:
    """Return the rows of a CSV or TSV that are not blank, with the line at which they start."""
    rows, line = [], 1
    with _csv_reader(text, mark) as reader:
        try:
            for row in reader:
                if row and (len(row) > 1 or row[0].strip()):  # not a blank line
                    rows.append((line, row))
                line = reader.line_num + 1
        except csv.Error as error:
            if "field limit" in str(error):
                long = f"a cell has more than {limit('CONCORDANT_MAX_CELL')} characters; is a quote missing?"
                fail(name, line, f"{long} If not, set CONCORDANT_MAX_CELL to a larger number")
            fail(name, reader.line_num, f"broken CSV: {error}")
    return [(line, list(map(unquoted, row))) for line, row in rows] if "'" in text else rows


def grid_of_text(
    source: FileLike,
    text: str,
    mark: str,
    decimal: Decimal | None = None,
    columns: Callable[[Sequence[str]], Mapping[str, str]] | None = None,
) -> Grid:
    """Read a CSV or TSV.

    If `columns` is given, it returns the kinds of columns that the user names for a header. A long table is
    then read by its known columns, which is faster.
    """
    if mark == " ":
        text, mark = "\n".join("\t".join(line.split()) for line in text.split("\n")), "\t"
    long = None if columns is None or decimal == "," else _long_grid(source, text, mark, columns)
    if long is not None:
        return long
    wide = _wide_grid(source, text, mark) if decimal is None else None
    if wide is not None:
        return wide
    rows = rows_of_text(name_of(source), text, mark)
    if not rows:
        fail(name_of(source), None, "is empty")
    return grid_of_cells(source, rows, decimal)


_BAR = re.compile(r"(?<!\\)\|")
_MARKS = re.compile(r"\*\*|__|`|\\(?=[|_*])")
_ITALIC = re.compile(r"^_(.*)_$")


def markdown_rules(lines: Sequence[str]) -> list[int]:
    """Return the places of the lines below the headers of tables in Markdown, such as |---|:-:|."""
    ruled = (k for k, line in enumerate(lines) if k and "-" in line and "|" in line and "|" in lines[k - 1])
    return [k for k in ruled if all(re.fullmatch(":?-+:?", cell) for cell in _cells_of_bars(lines[k]))]


def grid_of_markdown(source: FileLike, text: str, decimal: Decimal | None) -> Grid:
    """Read the only table of a text in Markdown; what stands around it is left out."""
    name, lines = name_of(source), text.split("\n")
    rules = markdown_rules(lines)
    if len(rules) != 1:
        several = f"{len(rules)} tables, in lines {some(rules)}" if rules else "no table"
        fail(name, None, f"holds {several}; keep one, with a line such as |---|---| below its header")
    last = next((k for k in range(rules[0] + 1, len(lines)) if "|" not in lines[k]), len(lines))
    rows = [(k + 1, _cells_of_bars(lines[k])) for k in (rules[0] - 1, *range(rules[0] + 1, last))]
    for _, row in rows:
        check_cell_lengths(name, row)
    around = any(line.strip() for line in (*lines[: rules[0] - 1], *lines[last:]))
    return grid_of_cells(source, rows, decimal, ("the text around the table was left out",) if around else ())


def _cells_of_bars(line: str) -> list[str]:
    cells = _BAR.split(line.strip().removeprefix("|"))
    cells = cells[:-1] if len(cells) > 1 and not cells[-1].strip() else cells
    return [_ITALIC.sub(r"\1", _MARKS.sub("", cell).strip()).strip("*") for cell in cells]


def grid_of_cells(
    source: FileLike, rows: list[Line], decimal: Decimal | None, remarks: tuple[str, ...] = ()
) -> Grid:
    """Make a grid of rows of cells, the first of which is the header, if there is one."""
    name = name_of(source)
    kept = [(line, row) for line, row in rows if not (row[0].lstrip().startswith("#") and not any(row[1:]))]
    if 0 < len(kept) < len(rows):
        rows, remarks = kept, (*remarks, "lines that begin with # were left out")
    filled = [sum(map(bool, row)) for _, row in rows[:2]]
    if len(rows) > 2 and filled[0] == 1 < filled[1] and not any(map(NUMBER.fullmatch, rows[1][1])):
        remarks = (*remarks, f"the title {shown(rows[0][1][0].strip())} was left out")
        rows = rows[1:]
    header, rows = _headed(name, rows)
    if not rows:
        fail(name, None, "has a header and no rows")
    header, rows = _even(header, rows)
    for line, row in rows:
        if len(row) != len(header):
            whole = shown(",".join(row))
            fail(name, line, f"expected {len(header)} columns, found {len(row)}: {whole}; fix this line")
    cells = list(zip(*(row for _, row in rows), strict=True))
    columns = columns_of(header, cells, decimal)
    lines = [line for line, _ in rows]
    return Grid(name, stem_of(source), columns, len(rows), lines.__getitem__, remarks)


def _headed(name: str, rows: list[Line]) -> tuple[list[str], list[Line]]:
    """Separate the header from the rows. Rows of a name and a number need no header."""
    first = [cell.strip() for cell in rows[0][1]]
    numbers = [NUMBER.fullmatch(cell) is not None for cell in first]
    missing = [cell.lower() in WORDS_FOR_MISSING for cell in first]
    known = is_word(first[0], "topic") or is_word(first[0], "system")
    if len(first) == 2 and not numbers[0] and (numbers[1] or (missing[1] and not known)):
        measures = all(is_measure_name(row[0].strip()) for _, row in rows)
        return ["measure" if measures else "system", "value"], rows
    if len(first) > 1 and all(numbers):
        fail(name, 1, "the first line holds numbers; it must name the columns")
    scores = any(numbers[1:]) and all(map(operator.or_, numbers[1:], missing[1:]))
    if len(first) > 2 and scores and len(rows) > 1 and not (known or first[0] == ""):
        fail(name, 1, "the first line holds scores; write a line above it that names the columns")
    return first, rows[1:]


def _even(header: list[str], rows: list[Line]) -> tuple[list[str], list[Line]]:
    """Add a header for row names, which R leaves out; drop the empty last cell if lines end with a mark."""
    known = is_word(header[0], "topic") or is_word(header[0], "system")
    longer = all(len(row) == len(header) + 1 for _, row in rows)
    if all(len(row) > 1 and row[-1].strip() == "" for _, row in rows) and (header[-1:] == [""] or longer):
        header = header[:-1] if header[-1] == "" else header
        return header, [(line, row[:-1]) for line, row in rows]
    return (["", *header] if longer and not known else header), rows


_WORTH_A_LIBRARY = 4_000_000  # characters: loading pyarrow takes as long as reading this many

_Coded: TypeAlias = tuple[list[tuple[Any, Sequence[str]]], Any]
"""For each column of labels the codes of its cells and the labels; and the numbers."""


def _long_grid(
    source: FileLike, text: str, mark: str, columns: Callable[[Sequence[str]], Mapping[str, str]]
) -> Grid | None:
    """Read a long table by its known columns; None if it is not long, or if anything is not plain.

    The reader of single cells then tells the line.
    """
    with suppress(Exception):
        header = [unquoted(cell).strip() for cell in split(text.split("\n", 1)[:1], mark)[0]]
        kinds = find_columns(header, columns(header))
        value = header.index(kinds.pop("value"))
        labels = [header.index(name) for name in kinds.values()]
        times = Counter(map(kind_of_column, header))
        one = times["system"] < 2 and times["measure"] < 2
        if {"topic", "system"} <= set(kinds) and one and header[-1] and len({*header}) == len(header):
            parts, numbers = _coded_columns(text, mark, len(header), labels, value)
            found = [Column(head, list) for head in header]
            found[value] = Column(header[value], list, numbers)
            for place, (codes, cells) in zip(labels, parts, strict=True):
                again, names = coded(without_links(unquoted(cell)).strip() for cell in cells)
                known = (again[codes], names)
                found[place] = Column(header[place], partial(texts_of_codes, *known), codes=known)
            plain = (
                np.isfinite(numbers).all()
                and not may_group(numbers)
                and not any("" in found[k].different_labels for k in labels)
            )
            line = partial(_line_of_row, name_of(source), text, mark)
            grid = Grid(name_of(source), stem_of(source), tuple(found), len(numbers), line)
            return grid if plain else None
    return None


def _line_of_row(name: str, text: str, mark: str, row: int) -> int:
    return rows_of_text(name, text, mark)[row + 1][0]  # after the header


def _coded_columns(text: str, mark: str, width: int, labels: Sequence[int], value: int) -> _Coded:
    """Read the columns of labels and that of numbers; raise an error if a cell is not plain."""
    if len(text) > _WORTH_A_LIBRARY:
        with suppress(ImportError):
            return _coded_by_pyarrow(text, mark, width, labels, value)
    known = [defaultdict[str, int](itertools.count().__next__) for _ in labels]
    parts: list[list[Any]] = []
    with _csv_reader(text, mark) as reader:
        next(reader)
        while rows := list(itertools.islice(reader, 500)):  # few rows at once stay in the cache
            columns = list(zip(*filter(None, rows), strict=True))
            if len(columns) != width or not PLAIN.fullmatch("\n".join(columns[value])):
                raise ValueError("not plain")
            codes = [list(map(own.__getitem__, columns[k])) for own, k in zip(known, labels, strict=True)]
            parts.append([*map(np.array, codes), np.array(columns[value], np.float64)])
    *found, numbers = map(np.concatenate, zip(*parts, strict=True))
    return list(zip(found, map(list, known), strict=True)), numbers


def _coded_by_pyarrow(text: str, mark: str, width: int, labels: Sequence[int], value: int) -> _Coded:
    table = _by_pyarrow(text, mark, width, dict.fromkeys(labels, "string") | {value: "double"})
    found = []
    for place in labels:  # encoding whole columns is faster than reading them as dictionaries
        found.append(_encoded(table.column(str(place))))
        table = table.drop_columns([str(place)])  # the texts are not needed any more
    return found, np.from_dlpack(table.column(str(value)).combine_chunks())


def _by_pyarrow(text: str, mark: str, width: int, kinds: Mapping[int, str]) -> Any:
    """Return columns by the text of their place; a cell of another kind is an error."""
    import pyarrow as pa
    from pyarrow import csv

    named = {str(place): pa.type_for_alias(kind) for place, kind in kinds.items()}
    return csv.read_csv(
        pa.BufferReader(text.encode()),
        read_options=csv.ReadOptions(column_names=list(map(str, range(width))), skip_rows=1),
        parse_options=csv.ParseOptions(delimiter=mark, newlines_in_values='"' in text),
        convert_options=csv.ConvertOptions(
            column_types=named, include_columns=list(named), null_values=[], strings_can_be_null=False
        ),
    )


def _encoded(column: Any) -> tuple[Any, Sequence[str]]:
    """Return the codes of the cells, and the different cells."""
    column = column.combine_chunks().dictionary_encode()
    column = column.chunk(0) if hasattr(column, "chunk") else column
    return np.from_dlpack(column.indices), column.dictionary.to_pylist()  # to_numpy would load pandas


def _wide_grid(source: FileLike, text: str, mark: str) -> Grid | None:
    """Read a large table by pyarrow; None if it is not large, or if anything is not plain.

    Its first lines say which columns hold numbers. A table with quotes, comments or blank lines is not plain.
    """
    if len(text) <= _WORTH_A_LIBRARY or any(each in text for each in ('"', "'", "\n\n", "\n#", "\r")):
        return None
    with suppress(Exception):
        rows = rows_of_text(name_of(source), text[: text.index("\n", min(10_000, len(text) // 2))], mark)
        first, header = grid_of_cells(source, rows, None), [cell.strip() for cell in rows[0][1]]
        alike = first.names == header and first.n_rows == len(rows) - 1 and "" not in header
        if not alike or first.remarks or any(own.problem for own in first.columns):
            return None
        kinds = {k: "string" if own.numbers is None else "double" for k, own in enumerate(first.columns)}
        table = _by_pyarrow(text, mark, len(header), kinds)
        columns = list[Column]()
        for k, name in enumerate(header):
            if kinds[k] == "double":
                numbers = np.asarray(np.from_dlpack(table.column(k).combine_chunks()), dtype=np.float64)
                texts = partial(_cells_of_column, name_of(source), text, mark, k)
                columns.append(Column(name, texts, numbers))
                if not np.isfinite(numbers).all() or may_group(numbers):
                    return None
            else:
                codes, cells = _encoded(table.column(k))
                if decimal_mark([cells]) == "," or any("," in cell for cell in cells):
                    return None
                columns.append(column_of_codes(name, codes, cells, None))
        line = partial(_line_of_row, name_of(source), text, mark)
        return Grid(name_of(source), stem_of(source), tuple(columns), table.num_rows, line)
    return None


def _cells_of_column(name: str, text: str, mark: str, place: int) -> list[str]:
    return [row[place] for _, row in rows_of_text(name, text, mark)[1:]]


def read_pairs(source: FileLike, what: str, header: bool = False) -> dict[str, str]:
    """Read lines of two names, such as "an old and a new name"; a header begins with a word for systems."""
    name, text = name_of(source), read_text(source)
    mark = mark_of(text)
    found: dict[str, str] = {}
    for place, (line, row) in enumerate(rows_of_text(name, text, mark)):
        if len(row) != 2 or not all(cell.strip() for cell in row):
            fail(name, line, f"expected {what}, found {shown(mark.join(row))}")
        old, new = (cell.strip() for cell in row)
        if header and place == 0 and is_word(old, "system"):
            continue
        if found.get(old, new) != new:
            fail(name, line, f"{shown(old)} has two lines, {shown(found[old])} and {shown(new)}; keep one")
        found[old] = new
    return found


_OF_JUDGES = ("name", "file", "category", "colour")


def read_judges(source: FileLike) -> dict[str, dict[str, str]]:
    """Read a table of judges: the cells of each row by its file, which is relative to the table."""
    name, text = name_of(source), read_text(source)
    (line, header), *rows = rows_of_text(name, text, mark_of(text))
    heads = [cell.strip() for cell in header]
    if not {"name", "file"} <= set(heads) <= {*_OF_JUDGES} or len({*heads}) < len(heads) or not rows:
        columns = f"the columns {', '.join(_OF_JUDGES)}, the last two if you like"
        fail(
            name,
            line,
            f"expected a header with {columns}, and a row for each judge; found {shown(str(heads))}",
        )
    found: dict[str, dict[str, str]] = {}
    for line, row in rows:
        cells = {head: cell.strip() for head, cell in zip(heads, row, strict=False) if cell.strip()}
        if len(row) > len(heads) or not {"name", "file"} <= set(cells):
            fail(name, line, f"expected {', '.join(heads)}, found {shown(','.join(row))}")
        file = os.path.join(os.path.dirname(name), cells.pop("file"))  # noqa: PTH118, PTH120 - "-" stays "-"
        if file in found:
            fail(name, line, f"{shown(file)} is there twice; keep one line")
        found[file] = cells
    return found


# --- the format of a file, and the output of evaluation programs ---

_NAME = re.compile(r"[^\s,;|]+")
_NUMBERED = re.compile(r"\d{1,6}(?:[.)]\s+|[.)]?\t)(?P<name>\S.*)")
_RANK = re.compile(r"[^\s(),;]+|\([^()]+\)")  # a name, or a group of tied names

# The names of measures in the two programs.
_TREC_EVAL = re.compile(
    r"(gm_)?(map|bpref|infAP|ndcg|Rprec|Rndcg|recip_rank|G|binG|yaap|11pt_avg|runid)|map_avgjg|"
    r"(P|recall|ndcg_cut|map_cut|success|relative_P|set|num|iprec_at_recall|utility|ndcg_rel|ndcg_exp|Rprec_mult|"
    r"Rprec_mult_avgjg|P_avgjg|prefs|relstring)_.*"
)
_IR_MEASURES = re.compile(r"[A-Za-z][A-Za-z_0-9+-]*(\(.*\))?(@\d+)?")


def recognise_bytes(data: bytes) -> str | None:
    """Return the format of a file that is not text."""
    if data[:4] == b"PAR1":
        return "parquet"
    if data[:6] == b"ARROW1":
        return "arrow"
    if data[:4] == b"PK\x03\x04" or data[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        return "workbook"
    return None


def recognise(name: str, text: str) -> tuple[str, str]:
    """Return the format of a text, and for a table the mark between its columns."""
    if markdown_rules(text[:50_000].split("\n")):
        return "markdown", ""
    lines = _first_lines(text)
    start = lines[0].lstrip()
    if start.startswith("{"):
        return "jsonl", ""
    if re.match(r"\[\s*[^\W\d]+[\s,\]]", start):
        fail(name, 1, f"{shown(lines[0].strip())} is not JSON; in an order, tied names are in parentheses")
    if start.startswith("["):
        return "json", ""
    if _is_marked_order(lines):
        return "order", ""
    mark = delimiter(lines)
    if mark is None and (below := delimiter(lines[1:])) is not None:  # below a title
        table = split(lines[1:], below)
        mark = below if any(_is_number(cell.strip()) for row in table[1:] for cell in row) else None
    rows = split(lines, mark) if mark is not None else []
    header = [cell.strip() for cell in rows[0]] if rows else []
    # The output of trec_eval may begin with a line "runid all ...".
    words = any(is_word(cell, kind) for cell in header for kind in ("system", "topic"))
    named = words and header[1:2] != ["all"] and not (len(header) == 2 and _is_number(header[1]))
    parts = [line.split() for line in lines]
    if mark not in (",", ";") and not named:
        found = _format_of_lines(name, parts)
        if found is not None:
            return found, ""
        if all(len(part) == 2 and _is_number(part[1]) for part in parts):
            return "table", "\t" if mark == "\t" else " "
    if mark is not None:
        return "table", mark
    if len(lines) > 1 and not _is_number(start) and all(_is_number(line.strip()) for line in lines[1:]):
        return "table", ","  # one system
    if _is_order(text, lines):
        return "order", ""
    names = f"names one a line are {option('format', 'order')}"
    cannot = f"cannot tell the format of {shown(lines[0].strip())}"
    return fail(name, 1, f"{cannot}; give it with {option('format')}; {names}")


def _first_lines(text: str) -> list[str]:
    """Return the lines that are neither blank nor comments."""
    first = text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1
    last = text.rfind("\n", first, first + 50_000) + 1
    start = text[first:last] if last and len(text) - first > 50_000 else text[first:]
    lines = [line for line in start.split("\n") if line.strip()]
    return [line for line in lines if not line.startswith("#")] or lines


def _is_number(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None or text.lower() in WORDS_FOR_MISSING


def _is_marked_order(lines: Sequence[str]) -> bool:
    """Return whether marks show an order: ``a > b``, names in one line, or numbers before names."""
    if len(lines) == 1:
        cells = [cell.strip(" ()") for cell in re.split(r"[>,]", lines[0])]
        named = len(cells) > 1 and all(cells) and not any(map(_is_number, cells))
        known = any(is_word(cell, kind) for cell in cells[:1] for kind in ("system", "topic", "measure"))
        return named and (">" in lines[0] or not known) and "<" not in lines[0]
    if any(line.startswith("(") for line in lines) and all(_RANK.fullmatch(line.strip()) for line in lines):
        return True
    found = [_NUMBERED.fullmatch(line.strip()) for line in lines]
    numbered = all(match is not None and not _is_number(match["name"].strip()) for match in found)
    first = found[0] is not None and lines[0].lstrip().startswith("1")
    return numbered and first and not any("\t" in match["name"] for match in found if match is not None)


def _is_order(text: str, lines: Sequence[str]) -> bool:
    """Return whether this is a list of names: all in one line, or one name or group per line."""
    names = re.findall(r"[^\s()]+", text[:400_000])
    if len(names) < 2 or not all(map(_NAME.fullmatch, names)) or any(map(_is_number, names)):
        return False
    return len(lines) == 1 or all(_RANK.fullmatch(line.strip()) for line in lines)


def _format_of_lines(name: str, parts: Sequence[list[str]]) -> str | None:
    """Recognise the output of a program by its first lines; refuse runs and judgements."""
    first = parts[:200]
    if all(len(part) == 6 and part[1].upper() == "Q0" for part in first[:10]):
        if len({part[5] for part in first if len(part) == 6}) > 1 or re.search(r"@\d+$", first[0][5]):
            return "ranking"
        instead = f"evaluate it by judgements, given as {option('runs')}"
        ranking = f"if its third column names systems, say {option('format', 'ranking')}"
        fail(name, 1, f"this is a run, not a table of scores; {instead}; {ranking}")
    if all(len(p) == 4 and (NUMBER.fullmatch(p[3]) or p[3].lower() in ("none", "nan")) for p in first[:10]):
        return _of_four(name, [part for part in first if len(part) == 4])
    three = [part for part in parts if len(part) == 3]  # the reader refuses other lines
    if len(parts[0]) != 3 or 2 * len(three) <= len(parts):
        return None
    if not NUMBER.fullmatch(three[0][2]) and three[0][0] != "runid":
        return None
    if any(part[1] == "all" for part in three) or all(_TREC_EVAL.fullmatch(part[0]) for part in three):
        return "trec_eval"
    # There are many topics and few measures, and a measure is not a number.
    seconds = {part[1] for part in three}
    few = len(seconds) <= len({part[0] for part in three})
    if any(part[0] == "all" for part in three) or (few and all(map(_IR_MEASURES.fullmatch, seconds))):
        return "ir_measures"
    either = f"{option('format', 'trec_eval')} or {option('format', 'ir_measures')}"
    return fail(name, 1, f"is this the output of trec_eval or of ir_measures? say so with {either}")


def _are_measures(labels: Sequence[str]) -> bool:
    kinds = set(labels)
    return all(map(_IR_MEASURES.fullmatch, kinds)) and not is_numbered(sorted(kinds)) and "all" not in kinds


def _of_four(name: str, parts: Sequence[list[str]]) -> str:
    second, third = [part[1] for part in parts], [part[2] for part in parts]
    whole = all(re.fullmatch(r"-?\d+", part[3]) for part in parts)
    if whole and all(re.fullmatch(r"\d+|Q0", text, re.IGNORECASE) for text in second):
        instead = f"judgements need the runs that they judge, given as {option('runs')}"
        fail(name, 1, f"this looks like judgements (qrels), not a table of scores; {instead}")
    tot, other = _are_measures(second), _are_measures(third)
    if tot != other:
        return "tot" if tot else "ir_measures4"
    if len(set(second)) != len(set(third)) and "all" in (*second, *third):
        return "tot" if "all" in third else "ir_measures4"
    either = f"{option('format', 'tot')} or {option('format', 'ir_measures4')}"
    show = "run, measure, topic, value or run, topic, measure, value"
    return fail(name, 1, f"are these lines of {show}? {shown(' '.join(parts[0]))}; say so with {either}")


# What each column holds; others are ignored.
_COLUMNS = {
    "tot": ("system", "measure", "topic", "value"),
    "ir_measures4": ("system", "topic", "measure", "value"),
    "ranking": ("topic", "Q0", "system", "rank", "value", "measure"),
    "trec_eval": ("measure", "topic", "value"),
    "ir_measures": ("topic", "measure", "value"),
}
_LONG = ("system", "topic", "measure", "value")
# How the names begin of what is not a measure, or is a sum over topics and not a mean.
_NO_MEANS = {"trec_eval": ("runid", "num_", "prefs_num_", "relstring"), "ir_measures": ("Num",)}


def read_program_output(source: FileLike, text: str, format: str, decimal: Decimal) -> Reading:
    """Read the scores of one run or several, as a long table."""
    name, columns, stem = name_of(source), _COLUMNS[format], stem_of(source)
    lines: list[Line] = []
    for line, content in enumerate(text.split("\n"), 1):
        parts = content.split()
        if not parts or (len(columns) > 3 and parts[0].startswith("#")):
            continue
        if len(parts) != len(columns):
            found = f"expected {len(columns)} columns, found {len(parts)}: {shown(content.strip())}"
            fail(name, line, f"{found}; fix this line")
        lines.append((line, parts))
    title = f"lines of {', '.join(columns)}"
    if len(columns) == 3:
        title = f"output of {format}"
        columns, lines = (*columns, "system"), list(_with_systems(name, stem, format, lines))
    if not lines:
        fail(name, None, "holds no scores")
    cells = dict(zip(columns, zip(*(parts for _, parts in lines), strict=True), strict=True))
    found_columns = columns_of(_LONG, [cells[each] for each in _LONG], decimal)
    line_of = [line for line, _ in lines].__getitem__
    grid = Grid(name, stem, found_columns, len(lines), line_of, title=title)
    return Reading(grid, "long", (3,), system=0, topic=1, measure=2)


def _with_systems(name: str, stem: str, format: str, lines: Sequence[Line]) -> Iterator[Line]:
    """Add the system to the lines of one run; or of several of trec_eval: each ends with rows of topic "all".

    Without a line "runid all", the system is the name of the file. The averages are left out, unless a run
    has nothing else.
    """
    of_trec_eval, counts = format == "trec_eval", _NO_MEANS[format]
    rows: list[Line] = []
    averages: dict[str, Line] = {}
    runs = [(rows, averages)]
    for line, parts in lines:
        measure, topic = parts[:2] if of_trec_eval else (parts[1], parts[0])
        if topic == "all":
            averages[measure] = (line, parts)
            continue
        if of_trec_eval and set(averages) - {"runid"}:
            rows, averages = [], {}
            runs.append((rows, averages))
        if not (of_trec_eval and measure.startswith(counts)):
            rows.append((line, parts))
    for rows, averages in runs:
        if len(runs) > 1 and "runid" not in averages:
            fail(name, None, "holds several runs, and one has no line 'runid all'; use one file for each run")
        _check_averages(name, rows, averages, 0 if of_trec_eval else 1)
        system = averages["runid"][1][2] if "runid" in averages else stem
        means = [own for measure, own in averages.items() if not measure.startswith(counts)]
        yield from ((line, [*parts, system]) for line, parts in rows or means)


def _check_averages(name: str, rows: Sequence[Line], averages: Mapping[str, Line], of_measure: int) -> None:
    """Compare the averages in a file with the means of its scores, both with four decimals."""
    line, (*_, counted) = averages.get("num_q", (0, ["0"]))
    if not re.fullmatch(r"\d{1,9}", counted, re.ASCII):
        fail(name, line, f"num_q must be a number of topics, found {shown(counted)}")
    by_measure: dict[str, list[float]] = {}
    for _, parts in rows:
        if NUMBER.fullmatch(parts[2]):
            by_measure.setdefault(parts[of_measure], []).append(float(parts[2]))
    for measure, values in by_measure.items():
        line, (*_, text) = averages.get(measure, (0, [""]))
        if not NUMBER.fullmatch(text) or measure.startswith(("gm_", "GMAP", "Num")):
            continue
        decimals = len(text.partition(".")[2].partition("e")[0])
        within = 1.01 * 10.0**-decimals  # half a unit from rounding the average, half from the scores
        total, n = math.fsum(values), len(values)
        # trec_eval -c averages over all topics, and prints only those that the run answered.
        if all(abs(total / count - float(text)) > within for count in {n, max(int(counted), n)}):
            differ = f"{measure} of topic 'all' is {text}, the mean of the {n} topics is {total / n:.4f}"
            fail(name, line, f"{differ}; lines are missing or come from another run")
