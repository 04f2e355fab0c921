"""Results for the tests of pages, and how their data is read back."""

from __future__ import annotations

from html import escape

import numpy as np

import concordant as cd
from support.hostile import HOSTILE

__all__ = ["HOSTILE_JUDGES", "JUDGES", "escaped", "judged", "tables"]

JUDGES = ["fine", "rough"]
HOSTILE_JUDGES = HOSTILE[:5]


def judged(names=None, judges=JUDGES, *, measures=("AP", "RR"), n_topics=12, n_resamples=49):
    """Return the result of `judge` for systems and judges of these names; later judges are worse."""
    names = names or [f"system-{i}" for i in range(10)]
    rng = np.random.default_rng(1)
    scores = rng.normal(np.linspace(0.7, 0.3, len(names)), 0.1, (len(measures), n_topics, len(names)))
    parts = {"systems": names, "measures": list(measures)}
    estimates = {
        judge: cd.Scores(scores + rng.normal(0, 0.03 + 0.3 * k, scores.shape), **parts)
        for k, judge in enumerate(judges)
    }
    return cd.judge(cd.Scores(scores, **parts), estimates, resampling=cd.Resampling(n_resamples=n_resamples))


def tables(data):
    """Return the tables in the data of a page as the JSON of a result has them."""
    found = {}
    for table in data["tables"]:
        columns = [_cells(column) for column in table["cells"]]
        rows = zip(*columns, strict=True) if table["n"] else []
        found[table["name"]] = [dict(zip(table["columns"], row, strict=True)) for row in rows]
    return found


def _cells(column):
    if isinstance(column, list):
        return column
    return [None if k is None else column["texts"][k] for k in column["at"]]


def escaped(text):
    """Return text as HTML has it."""
    return escape(text)
