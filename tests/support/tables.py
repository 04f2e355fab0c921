"""What a table of scores must give when it is read."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np

import concordant as cd


def gives(**expected: Any) -> dict[str, Any]:
    return expected


def gives_what_it_must(text: str, how: dict[str, Any], expected: dict[str, Any]) -> cd.Scores:
    """Read a table; compare systems, measures, topics, scores, and the notes of how it was read."""
    found = cd.read_scores(io.StringIO(text), **how)
    for label in ("systems", "measures", "topics"):
        if label in expected:
            assert list(getattr(found, label)) == expected[label]
    if "score" in expected:
        measure, topic, system, value = expected["score"]
        one = found.select(measures=[measure], topics=[topic], systems=[system])
        assert one.values.item() == value
    if "values" in expected:
        assert found.values.ravel().tolist() == expected["values"]
    if "missing" in expected:
        assert int(np.isnan(found.values).sum()) == expected["missing"]
    (note,) = [note for note in found.notes if note.kind == "read_as"]
    assert note.values["systems"] == len(found.systems)
    assert list(note.values["left_out"]) == expected.get("left_out", list(note.values["left_out"]))
    assert list(note.values["lower"]) == expected.get("lower", list(note.values["lower"]))
    sums = [name for note in found.notes if note.kind == "averages_left_out" for name in note.values["names"]]
    assert sums == expected.get("sums", sums)
    json.dumps([note.to_dict() for note in found.notes])
    return found
