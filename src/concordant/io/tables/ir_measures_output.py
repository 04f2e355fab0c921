"""The output of ``ir_measures -q``: lines of topic, measure, value."""

from __future__ import annotations

from collections.abc import Iterator

from concordant.io.files import Source, name_of, shown, stem_of
from concordant.io.tables.averages import Averages, TopicRow, check_averages, only_averages, three_columns
from concordant.io.tables.cells import Row, number
from concordant.scores import ALL

__all__ = ["read_ir_measures"]


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
