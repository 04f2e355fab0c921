"""What files, frames and mappings have in common: the same scores."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import polars as pl

import concordant as cd

WIDE = "topic,bm25,dense,rm3\n401,0.2,0.5,0.25\n402,0.4,0.3,0.35\n403,0.1,0.1,0.6\n"


def test_scores_are_built_from_files_arrays_frames_and_mappings_alike():
    """Wide and long, pandas and polars, with topics as index or as a column."""
    table = [[0.2, 0.5, 0.25], [0.4, 0.3, 0.35], [0.1, 0.1, 0.6]]
    topics, systems = ["401", "402", "403"], ["bm25", "dense", "rm3"]
    frame = pd.DataFrame(table, index=topics, columns=systems)
    plain = cd.Scores(table, topics=topics, systems=systems)
    nested = {topic: dict(zip(systems, row, strict=True)) for topic, row in zip(topics, table, strict=True)}
    build = cd.read_scores
    assert plain == build(frame) == build(nested) == build({"score": nested})
    assert build(frame.rename_axis("topic").reset_index()) == plain
    assert build(pl.from_pandas(frame.rename_axis("topic").reset_index())) == plain
    assert build(plain.to_frame()) == build(pl.from_pandas(plain.to_frame())) == plain
    renamed = plain.to_frame().rename(columns={"system": "who"})
    assert build(renamed, columns={"system": "who"}) == plain
    assert np.array_equal(cd.read_scores(io.StringIO(WIDE)).values, plain.values)


def test_a_table_of_systems_and_their_means_needs_no_topic(tmp_path):
    """In a file and in a DataFrame."""
    (tmp_path / "means.csv").write_text("system,score\nbm25,0.3\nql,0.2\n")
    scores = cd.read_scores(tmp_path / "means.csv")
    assert (scores.systems, scores.topics) == (("bm25", "ql"), ("all",))
    assert dict(scores.mean()) == {"bm25": 0.3, "ql": 0.2}
    frame = pd.DataFrame({"system": ["bm25", "ql"], "value": [0.3, 0.2]})
    assert dict(cd.read_scores(frame).mean()) == {"bm25": 0.3, "ql": 0.2}
