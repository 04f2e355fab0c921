"""TREC runs and judgements, as trec_eval reads them."""

from __future__ import annotations

import io
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from support import examples

import concordant as cd
from concordant.rankings.compiled import core
from concordant.reading import trec_runs
from concordant.reading.trec_runs import in_trec_order, qrels_text, run_text, trec_ranking

SCORES = st.sampled_from([0.1, 0.1 + 1e-12, 0.5, 2.0, -1.0])


@given(st.dictionaries(st.text("abcxyz0123é", min_size=1), SCORES, min_size=1))
@examples(200)
def test_documents_are_in_the_order_of_trec_eval(documents):
    """By score as a single-precision float, then by document, both descending."""
    ranked = sorted(documents, key=lambda d: (np.float32(documents[d]), d.encode()), reverse=True)
    found = in_trec_order(documents)
    assert sorted(found, key=found.get, reverse=True) == ranked
    assert len(set(found.values())) == len(found)
    assert list(trec_ranking(documents)) == ranked


WORDS = st.sampled_from(
    ["1", "q", "d1", "d2", "d3", "é", "#", "0.5", "-1e3", "1_0", "nan", "12345678.125", "."]
)
SPACES = st.sampled_from([" ", "\t", "  ", "\x0b", "\n"])


@given(st.lists(st.tuples(WORDS, SPACES), max_size=30).map(lambda parts: "".join(map("".join, parts))))
@examples(300)
def test_the_core_reads_a_run_as_python_does_or_leaves_it_to_python(text):
    """Also lines of too few or too many words, other blanks, and numbers that only Python knows."""
    for complete in (text, text.replace("\n", " 9 0.25 tag\n")):
        found = core.parse_run(complete)
        if found is not None:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(trec_runs, "core", SimpleNamespace(parse_run=lambda _: None))
                assert tuple(cd.read_run(io.StringIO(complete))) == found


@pytest.mark.parametrize(
    "score", ["1", "-0", "0.1", "007.50", "123456789012345", "0.30000000000000004", "1e-7", "+3"]
)
def test_the_core_reads_scores_to_the_last_bit(score):
    """As `float` does, and the sign of a zero with it."""
    (_, topics) = core.parse_run(f"1 Q0 d 1 {score} tag\r\n")
    assert repr(topics["1"]["d"]) == repr(float(score))


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
    (tmp_path / "r").write_text(run_text("bm25", topics))
    assert cd.read_run(tmp_path / "r") == ("bm25", topics)
    (tmp_path / "mixed").write_text("1 Q0 a 0 0.5 x\n2 Q0 c 0 3 x\n\n1 Q0 b 0 .25 x\n")
    assert cd.read_run(tmp_path / "mixed").topics == topics


def test_judgements_that_are_written_are_read_again(tmp_path):
    """Grades are whole numbers with any sign."""
    qrels = {"1": {"a": 2, "b": -1}, "2": {"c": 0}}
    (tmp_path / "q").write_text(qrels_text(qrels))
    assert cd.read_qrels(tmp_path / "q") == qrels


def test_text_after_the_tag_and_comments_are_ignored():
    """As in trec_eval 10."""
    first = "# my run\n1 Q0 a 1 0.5 bm25 k1 = 0.9\n  # x\n1 Q0 b 2 .25 bm25 # good\n"
    text = f"{first}#1 Q0 c 3 0.1 bm25\n2 Q0 a 1 3 bm25\n"
    assert cd.read_run(io.StringIO(text)) == ("bm25", {"1": {"a": 0.5, "b": 0.25}, "2": {"a": 3.0}})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "1 Q0 doc 7 1 0.5 bm25",
            "found 7 columns, and a number, '0.5', in place of the tag; is there a blank",
        ),
        ("1 Q0 a 1 high bm25 more", "score must be a finite number, found 'high'"),
        ("1 Q0 a 1 1_0 bm25 more", "score must be a finite number, found '1_0'"),
        ("1 Q0 a 1 nan bm25 more", "score must be a finite number, found 'nan'"),
        ("1 Q0 a 1 -Infinity bm25", "score must be a finite number, found '-Infinity'"),
        ("1 Q0 a 1 0.5", "expected 6 columns, found 5: '1 Q0 a 1 0.5'; fix this line"),
        ("1 Q0 b 1 0.5 other tag", "run tag 'other' after 'bm25'; a run has one tag, and a file one run"),
    ],
)
def test_longer_lines_are_refused_where_columns_are_shifted(line, message):
    """A blank in a name would make the rank the score."""
    with pytest.raises(cd.InputError) as caught:
        cd.read_run(io.StringIO(f"# first\n1 Q0 z 1 0.9 bm25\n{line}\n"))
    assert f":3: {message}" in str(caught.value)


def test_a_run_of_comments_is_refused():
    with pytest.raises(cd.InputError, match="has no answers, only comments"):
        cd.read_run(io.StringIO("# nothing\n"))


def test_judgements_are_one_file():
    """A list of files is refused by its type."""
    with pytest.raises(
        cd.ArgumentTypeError, match=r"judgements must be a path, an open file, .* got list of str"
    ):
        cd.read_qrels(["q.qrels"])
