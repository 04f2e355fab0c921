"""Lines separated by spaces, as programs of evaluation campaigns write them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from concordant.errors import fail, shown
from concordant.reading.cells import number
from concordant.reading.files import FileLike, name_of, stem_of
from concordant.scores.scores import ALL

Row: TypeAlias = tuple[str, str, str, float]
"""Measure, topic, system, score."""

# What each column holds; other columns are ignored.
_COLUMNS = {
    "tot": ("run", "measure", "topic", "value"),
    "ir_measures4": ("run", "topic", "measure", "value"),
    "ranking": ("topic", "Q0", "run", "rank", "value", "measure"),
}
TITLES = {
    "trec_eval": "output of trec_eval",
    "ir_measures": "output of ir_measures",
    **{format: f"lines of {', '.join(columns)}" for format, columns in _COLUMNS.items()},
}


def read_program_output(source: FileLike, text: str, format: str) -> Iterator[Row]:
    """Read the scores of one run or several."""
    readers: dict[str, Callable[[FileLike, str], Iterator[Row]]]
    readers = {"trec_eval": _read_trec_eval, "ir_measures": _read_ir_measures}
    return readers[format](source, text) if format in readers else _read_columns(source, text, format)


def _lines(source: FileLike, text: str, width: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the parts of each line."""
    for line, content in enumerate(text.split("\n"), 1):
        parts = content.split()
        if not parts or (width > 3 and parts[0].startswith("#")):
            continue
        if len(parts) != width:
            found = f"expected {width} columns, found {len(parts)}: {shown(content.strip())}"
            fail(name_of(source), line, f"{found}; fix this line")
        yield line, parts


def _read_columns(source: FileLike, text: str, format: str) -> Iterator[Row]:
    columns = _COLUMNS[format]
    for line, parts in _lines(source, text, len(columns)):
        cells = dict(zip(columns, parts, strict=True))
        value = number(name_of(source), line, cells["value"], f"system {shown(cells['run'])}")
        yield cells["measure"], cells["topic"], cells["run"], value


_NOT_A_MEASURE = ("runid", "num_", "prefs_num_", "relstring")  # how the names begin


def _read_trec_eval(source: FileLike, text: str) -> Iterator[Row]:
    """Read one run or several, one after the other: a run ends with its rows of topic "all"."""
    name = name_of(source)
    rows: list[_TopicRow] = []
    averages: _Averages = {}
    runs = [(rows, averages)]
    for line, (measure, topic, value) in _lines(source, text, 3):
        if topic == "all":
            averages[measure] = (line, value)
            continue
        if set(averages) - {"runid"}:
            rows, averages = [], {}
            runs.append((rows, averages))
        if not measure.startswith(_NOT_A_MEASURE):
            rows.append((measure, topic, number(name, line, value, f"topic {shown(topic)}")))
    for of_topics, averages in runs:
        rows = of_topics or _only_averages(name, averages, _NOT_A_MEASURE)
        if len(runs) > 1 and "runid" not in averages:
            fail(name, None, "holds several runs, and one has no line 'runid all'; use one file for each run")
        system = averages["runid"][1] if "runid" in averages else stem_of(source)
        line, counted = averages.get("num_q", (0, "0"))
        if not _COUNT.fullmatch(counted):
            fail(name, line, f"num_q must be a number of topics, found {shown(counted)}")
        if rows[0][1] != ALL:
            _check_averages(name, rows, averages, int(counted))
        for measure, topic, score in rows:
            yield measure, topic, system, score


def _read_ir_measures(source: FileLike, text: str) -> Iterator[Row]:
    """Read one run; the system is the name of the file."""
    name, system = name_of(source), stem_of(source)
    rows: list[_TopicRow] = []
    averages: _Averages = {}
    for line, (topic, measure, value) in _lines(source, text, 3):
        if topic == "all":
            averages[measure] = (line, value)
        else:
            rows.append((measure, topic, number(name, line, value, f"topic {shown(topic)}")))
    # Counts, such as NumQ, are sums and not means.
    means = {measure: found for measure, found in averages.items() if not measure.startswith("Num")}
    _check_averages(name, rows, means)
    for measure, topic, score in rows or _only_averages(name, averages, ("Num",)):
        yield measure, topic, system, score


_TopicRow: TypeAlias = tuple[str, str, float]
"""Measure, topic, score."""

_Averages: TypeAlias = dict[str, tuple[int, str]]
"""For each measure the line of its average, and the average as it is printed."""

_COUNT = re.compile(r"\d{1,9}", re.ASCII)


def _only_averages(name: str, averages: _Averages, counts: tuple[str, ...]) -> list[_TopicRow]:
    """Return the averages of a run without scores of topics: its means, which can be ranked."""
    rows = [
        (measure, ALL, number(name, line, text, f"topic {ALL!r}"))
        for measure, (line, text) in averages.items()
        if not measure.startswith(counts)
    ]
    if not rows:
        fail(name, None, "holds no scores")
    return rows


def _check_averages(
    name: str, rows: Sequence[_TopicRow], averages: Mapping[str, tuple[int, str]], n_topics: int = 0
) -> None:
    """Compare the averages in a file with the means of its scores, both with four decimals."""
    by_measure: dict[str, list[float]] = {}
    for measure, _, value in rows:
        by_measure.setdefault(measure, []).append(value)
    for measure, values in by_measure.items():
        if measure not in averages or measure.startswith(("gm_", "GMAP")):
            continue
        line, text = averages[measure]
        average = number(name, line, text, "topic 'all'")
        decimals = len(text.partition(".")[2].partition("e")[0])
        within = 1.01 * 10.0**-decimals  # half a unit from rounding the average, half from the scores
        total, n = math.fsum(values), len(values)
        # trec_eval -c averages over all topics, and prints only those that the run answered.
        if all(abs(total / count - average) > within for count in {n, max(n_topics, n)}):
            differ = f"{measure} of topic 'all' is {text}, the mean of the {n} topics is {total / n:.4f}"
            fail(name, line, f"{differ}; lines are missing or come from another run")
