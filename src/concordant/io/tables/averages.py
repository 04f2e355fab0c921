"""Lines of three columns, where topic "all" is the average of the others."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from concordant.errors import fail
from concordant.io.files import Source, name_of, shown
from concordant.io.tables.cells import number
from concordant.scores import ALL

__all__ = ["COUNT", "Averages", "TopicRow", "check_averages", "only_averages", "three_columns"]

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
