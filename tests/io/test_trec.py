"""TREC runs and judgements, as trec_eval reads them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import concordant as cd
from concordant.io import in_trec_order, trec_ranking, write_qrels, write_run

SCORES = st.sampled_from([0.1, 0.1 + 1e-12, 0.5, 2.0, -1.0])


@given(st.dictionaries(st.text("abcxyz0123é", min_size=1), SCORES, min_size=1))
@settings(max_examples=200, deadline=None)
def test_documents_are_in_the_order_of_trec_eval(documents):
    """By score as a single-precision float, then by document, both descending."""
    ranked = sorted(documents, key=lambda d: (np.float32(documents[d]), d.encode()), reverse=True)
    found = in_trec_order(documents)
    assert sorted(found, key=found.get, reverse=True) == ranked
    assert len(set(found.values())) == len(found)
    assert list(trec_ranking(documents)) == ranked


def test_the_rank_column_and_the_order_of_lines_are_ignored(tmp_path):
    """Only scores and names order documents."""
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "r").write_text("1 Q0 b 1 0.1 x\n1 Q0 a 2 0.9 x\n")
    assert cd.evaluate(tmp_path / "q", tmp_path / "r", "RR").values.item() == 1.0


def test_huge_ids_and_negative_grades_are_fine(tmp_path, write_run):
    """Grades below 0 are not relevant, and names have no limit."""
    doc = "d" * 200_000
    (tmp_path / "q").write_text(f"1 0 {doc} 1\n1 0 b -2\n")
    write_run(tmp_path / "r", {"1": {doc: 1, "b": 2}}, "x")
    assert cd.evaluate(tmp_path / "q", tmp_path / "r", "RR").values.item() == 0.5


def test_a_run_that_is_written_is_read_again(tmp_path):
    """Topics, documents, scores and the tag stay; lines of one topic need not be together."""
    topics = {"1": {"a": 0.5, "b": 0.25}, "2": {"c": 3.0}}
    write_run(tmp_path / "r.gz", "bm25", topics)
    assert cd.read_run(tmp_path / "r.gz") == ("bm25", topics)
    (tmp_path / "mixed").write_text("1 Q0 a 0 0.5 x\n2 Q0 c 0 3 x\n\n1 Q0 b 0 .25 x\n")
    assert cd.read_run(tmp_path / "mixed").topics == topics


def test_judgements_that_are_written_are_read_again(tmp_path):
    """Grades are whole numbers with any sign."""
    qrels = {"1": {"a": 2, "b": -1}, "2": {"c": 0}}
    write_qrels(tmp_path / "q", qrels)
    assert cd.read_qrels(tmp_path / "q") == qrels


def test_judgements_are_one_file():
    """A list of files is refused by its type."""
    with pytest.raises(cd.ArgumentTypeError, match="expected a path or an open file, got list"):
        cd.read_qrels(["q.qrels"])
