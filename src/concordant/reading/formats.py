"""The format of a file, found from its first bytes and lines; and the output of evaluation programs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from concordant.errors import fail, option, shown
from concordant.reading.cells import NUMBER, WORDS_FOR_MISSING, columns_of
from concordant.reading.files import FileLike, name_of, stem_of
from concordant.reading.header_words import is_numbered, is_word
from concordant.reading.readings import Grid, Reading
from concordant.reading.text_tables import delimiter, markdown_rules, split

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

_Line: TypeAlias = tuple[int, list[str]]
"""The number of a line, and its parts."""


def read_program_output(source: FileLike, text: str, format: str) -> Reading:
    """Read the scores of one run or several, as a long table."""
    name, columns, stem = name_of(source), _COLUMNS[format], stem_of(source)
    lines: list[_Line] = []
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
    found_columns = columns_of(_LONG, [cells[each] for each in _LONG], ".")
    line_of = [line for line, _ in lines].__getitem__
    grid = Grid(name, stem, found_columns, len(lines), line_of, title=title)
    return Reading(grid, "long", (3,), system=0, topic=1, measure=2)


def _with_systems(name: str, stem: str, format: str, lines: Sequence[_Line]) -> Iterator[_Line]:
    """Add the system to the lines of one run; or of several of trec_eval: each ends with rows of topic "all".

    Without a line "runid all", the system is the name of the file. The averages are left out, unless a run
    has nothing else.
    """
    of_trec_eval, counts = format == "trec_eval", _NO_MEANS[format]
    rows: list[_Line] = []
    averages: dict[str, _Line] = {}
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


def _check_averages(name: str, rows: Sequence[_Line], averages: Mapping[str, _Line], of_measure: int) -> None:
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
