"""The columns of long tables, and the names by which they are recognised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from concordant.errors import ArgumentError, option

__all__ = ["COLUMNS", "find_columns", "is_column"]

# The columns of a long table, and the other names under which they are known, in lower case and without
# punctuation.
COLUMNS = {
    "measure": ("measure", "metric"),
    "topic": (
        "topic",
        "topics",
        "query",
        "queries",
        "qid",
        "queryid",
        "topicid",
        "id",
        "querynumber",
        "topicnumber",
        "topicno",
        "qno",
        "index",
        "indexlevel0",
        "unnamed0",
    ),
    "system": ("system", "run", "runid", "systemid", "systemname", "model", "name", "tag"),
    "value": ("value", "score"),
}


def is_column(name: str, kind: str) -> bool:
    """Say whether a column of this name is known to hold measures, topics, systems or values."""
    return "".join(c for c in name.lower() if c.isalnum()) in COLUMNS[kind]


def find_columns(names: Sequence[str], given: Mapping[str, str]) -> dict[str, str] | None:
    """Find the columns of a long table; None if it is not one.

    The column of measures may be absent; in a table of means also that of topics.
    """
    unknown = [kind for kind in given if kind not in COLUMNS]
    if unknown:
        raise ArgumentError(f"{option('columns')}: there is no {unknown[0]!r}; give {', '.join(COLUMNS)}")
    absent = [name for name in given.values() if name not in names]
    if absent:
        raise ArgumentError(
            f"{option('columns')}: there is no column {absent[0]!r}; there are {', '.join(names)}"
        )
    found = dict(given)
    for kind in COLUMNS:
        matches = [name for name in names if is_column(name, kind) and name not in found.values()]
        if kind not in found and matches:
            found[kind] = matches[0]
    means = len(found) == len(names)  # nothing but systems and their values, by measure or not
    return found if {"system", "value"} <= set(found) and ("topic" in found or means) else None
