"""Lines separated by spaces, as programs of evaluation campaigns write them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from concordant.errors import fail, option, shown
from concordant.reading.cells import NUMBER, Row, number
from concordant.reading.files import Source, name_of, stem_of
from concordant.reading.header_words import is_numbered
from concordant.reading.readings import ALL


class Spaced(NamedTuple):
    """A format: the content of each column."""

    title: str
    columns: tuple[str, ...]


SPACED = {
    "tot": Spaced("lines of run, measure, topic, value", ("system", "measure", "topic", "value")),
    "ir_measures4": Spaced("lines of run, topic, measure, value", ("system", "topic", "measure", "value")),
    "ranking": Spaced(
        "lines of topic, Q0, run, rank, value, measure", ("topic", "", "system", "", "value", "measure")
    ),
}

# The names of measures in the two programs.
_TREC_EVAL = re.compile(
    r"(gm_)?(map|bpref|infAP|ndcg|Rprec|Rndcg|recip_rank|G|binG|yaap|11pt_avg|runid)|map_avgjg|"
    r"(P|recall|ndcg_cut|map_cut|success|relative_P|set|num|iprec_at_recall|utility|ndcg_rel|ndcg_exp|Rprec_mult|"
    r"Rprec_mult_avgjg|P_avgjg|prefs|relstring)_.*"
)
_IR_MEASURES = re.compile(r"[A-Za-z][A-Za-z_0-9+-]*(\(.*\))?(@\d+)?")


def spaced_format(name: str, parts: Sequence[list[str]]) -> str | None:
    """Recognise a format by its first lines; refuse runs and judgements."""
    first = parts[:200]
    if all(len(part) == 6 and part[1].upper() == "Q0" for part in first[:10]):
        if len({part[5] for part in first if len(part) == 6}) > 1 or re.search(r"@\d+$", first[0][5]):
            return "ranking"
        instead = f"evaluate it by judgements, given as {option('runs')}"
        ranking = f"if its third column names systems, say {option('format', 'ranking')}"
        fail(name, 1, f"this is a run, not a table of scores; {instead}; {ranking}")
    if all(len(part) == 4 and _is_value(part[3]) for part in first[:10]):
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


def _is_value(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None or text.lower() in ("none", "nan")


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


def read_spaced(source: Source, text: str, format: str) -> Iterator[Row]:
    """Read lines of a format."""
    name, columns = name_of(source), SPACED[format].columns
    for line, content in enumerate(text.split("\n"), 1):
        parts = content.split()
        if not parts or parts[0].startswith("#"):
            continue
        if len(parts) != len(columns):
            found = f"expected {len(columns)} columns, found {len(parts)}: {shown(content.strip())}"
            fail(name, line, f"{found}; mend the line")
        cells = dict(zip(columns, parts, strict=True))
        value = number(name, line, cells["value"], f"system {shown(cells['system'])}")
        yield cells.get("measure", stem_of(source)), cells["topic"], cells["system"], value


_NOT_A_MEASURE = ("runid", "num_", "prefs_num_", "relstring")  # how the names begin


def read_trec_eval(source: Source, text: str) -> Iterator[Row]:
    """Read one run or several, one after the other: a run ends with its rows of topic "all"."""
    name = name_of(source)
    rows: list[TopicRow] = []
    averages: Averages = {}
    runs = [(rows, averages)]
    for line, (measure, topic, value) in three_columns(source, text):
        if topic == "all":
            averages[measure] = (line, value)
            continue
        if set(averages) - {"runid"}:
            rows, averages = [], {}
            runs.append((rows, averages))
        if not measure.startswith(_NOT_A_MEASURE):
            rows.append((measure, topic, number(name, line, value, f"topic {shown(topic)}")))
    for of_topics, averages in runs:
        rows = of_topics or only_averages(name, averages, _NOT_A_MEASURE)
        if len(runs) > 1 and "runid" not in averages:
            fail(name, None, "holds several runs, and one has no line 'runid all'; use one file for each run")
        system = averages["runid"][1] if "runid" in averages else stem_of(source)
        line, counted = averages.get("num_q", (0, "0"))
        if not COUNT.fullmatch(counted):
            fail(name, line, f"num_q must be a number of topics, found {shown(counted)}")
        if rows[0][1] != ALL:
            check_averages(name, rows, averages, averages.get("num_q", (0, ""))[1])
        for measure, topic, score in rows:
            yield measure, topic, system, score


def read_ir_measures(source: Source, text: str) -> Iterator[Row]:
    """Read one run; the system is the name of the file."""
    name, system = name_of(source), stem_of(source)
    rows: list[TopicRow] = []
    averages: Averages = {}
    for line, (topic, measure, value) in three_columns(source, text):
        if topic == "all":
            averages[measure] = (line, value)
        else:
            rows.append((measure, topic, number(name, line, value, f"topic {shown(topic)}")))
    if not rows:
        for measure, _, score in only_averages(name, averages, ("Num",)):
            yield measure, ALL, system, score
        return
    # Counts, such as NumQ, are sums and not means.
    means = {measure: found for measure, found in averages.items() if not measure.startswith("Num")}
    check_averages(name, rows, means)
    for measure, topic, score in rows:
        yield measure, topic, system, score


TopicRow: TypeAlias = tuple[str, str, float]
"""Measure, topic, score."""

Averages: TypeAlias = dict[str, tuple[int, str]]
"""For each measure the line of its average, and the average as it is printed."""

COUNT = re.compile(r"\d{1,9}", re.ASCII)


def three_columns(source: Source, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the parts of each line."""
    for line, content in enumerate(text.split("\n"), 1):
        parts = content.split()
        if parts and len(parts) != 3:
            what = f"expected 3 columns, found {len(parts)}: {shown(content.strip())}; mend the line"
            fail(name_of(source), line, what)
        if parts:
            yield line, parts


def only_averages(name: str, averages: Averages, counts: tuple[str, ...]) -> list[TopicRow]:
    """Return the averages of a run without scores of topics: its means, which can be ranked."""
    rows = [
        (measure, ALL, number(name, line, text, f"topic {ALL!r}"))
        for measure, (line, text) in averages.items()
        if not measure.startswith(counts)
    ]
    if not rows:
        fail(name, None, "holds no scores")
    return rows


def check_averages(
    name: str, rows: Sequence[TopicRow], averages: Mapping[str, tuple[int, str]], n_topics: str = ""
) -> None:
    """Compare the averages in a file with the means of its scores, both with four decimals."""
    total_topics = int(n_topics) if COUNT.fullmatch(n_topics) else 0
    by_measure: dict[str, list[float]] = {}
    for measure, _, value in rows:
        by_measure.setdefault(measure, []).append(value)
    for measure, values in by_measure.items():
        if measure not in averages or measure.startswith(("gm_", "GMAP")):
            continue
        line, text = averages[measure]
        average = number(name, line, text, "topic 'all'")
        decimals = len(text.partition(".")[2].partition("e")[0])
        within = (
            1.01 * 10.0**-decimals
        )  # half a unit from rounding the average, half from rounding the scores
        total, n = math.fsum(values), len(values)
        # trec_eval -c averages over all topics, and prints only those that the run answered.
        if all(abs(total / count - average) > within for count in {n, max(total_topics, n)}):
            differ = f"{measure} of topic 'all' is {text}, the mean of the {n} topics is {total / n:.4f}"
            fail(name, line, f"{differ}; lines are missing or come from another run")
