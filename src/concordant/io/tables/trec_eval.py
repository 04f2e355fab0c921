"""The output of ``trec_eval -q``: lines of measure, topic, value."""

from __future__ import annotations

from collections.abc import Iterator

from concordant.errors import fail
from concordant.io.files import Source, name_of, shown, stem_of
from concordant.io.tables.averages import (
    COUNT,
    Averages,
    TopicRow,
    check_averages,
    only_averages,
    three_columns,
)
from concordant.io.tables.cells import Row, number
from concordant.scores import ALL

__all__ = ["read_trec_eval"]

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
