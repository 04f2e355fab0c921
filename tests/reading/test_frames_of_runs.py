"""Judgements and runs as data frames of any library."""

import pytest
from support.frames import KINDS, frame_of

import concordant as cd

pytest.importorskip("narwhals")
each_kind = pytest.mark.parametrize("kind", KINDS)


@each_kind
def test_judgements_and_runs_may_be_frames_of_any_kind(kind):
    """The columns are found by their names; other columns are not read."""
    pytest.importorskip("ir_measures")
    ids = {"query_id": ["q1", "q1"], "doc_id": ["d1", "d2"], "comment": ["x", "y"]}
    qrels, run = frame_of(kind, {**ids, "relevance": [1, 0]}), frame_of(kind, {**ids, "score": [1.0, 2.0]})
    assert cd.evaluate(qrels, {"run": run}, "RR").values.item() == 0.5
