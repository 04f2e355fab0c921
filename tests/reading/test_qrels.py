"""Judgements as people write them: lines of TREC with comments, and tables with a header."""

import pickle

import pandas as pd
import pytest

import concordant as cd
from concordant.reading.qrels import qrels_of

QRELS = {"401": {"d1": 2, "d2": 0}, "402": {"d1": 1}}
GOOD = {
    "trec": "401 0 d1 2\n401 0 d2 0\n402 0 d1 1\n",
    "tabs": "401\t0\td1\t2\n401\t0\td2\t0\n402\t0\td1\t1\n",
    "comments": "# by people\n401 0 d1 2\n\n  # 402 0 d2 1\n401 0 d2 0\n#\n402 0 d1 1\n",
    "windows": "401 0 d1 2\r\n\r\n401 0 d2 0\r\n402 0 d1 1\r\n",
    "whole numbers": "401 0 d1 2.0\n401 0 d2 0.\n402 0 d1 +1.00\n",
    "csv": "query_id,doc_id,relevance\n401,d1,2\n401,d2,0\n402,d1,1\n",
    "csv of all columns": "topic,iteration,docid,rel\n401,0,d1,2\n401,0,d2,0\n402,0,d1,1\n",
    "semicolons": "qid;docno;label\n401;d1;2\n401;d2;0\n402;d1;1\n",
    "tsv": "Query ID\tDocument\tGrade\n401\td1\t2\n401\td2\t0\n402\td1\t1\n",
    "BEIR": "query-id\tcorpus-id\tscore\n401\td1\t2\n401\td2\t0\n402\td1\t1\n",
    "another order": "rel,doc,judge,topic\n2,d1,x,401\n0,d2,x,401\n1,d1,y,402\n",
    "quotes": '"query_id","doc_id","relevance"\n"401","d1","2"\n401,"d2",0\n402,d1,1.0\n',
    "blanks": "# made today\n\nquery_id, doc_id, relevance\n401, d1, 2\n\n401, d2, 0\n# end\n402, d1, 1\n",
}


@pytest.mark.parametrize("kind", GOOD)
def test_judgements_are_read(tmp_path, kind):
    (tmp_path / "q").write_bytes(GOOD[kind].encode())
    assert cd.read_qrels(tmp_path / "q") == QRELS


WRONG = {
    "half a grade": ("401 0 d1 1.5\n", "q:1: relevance must be a whole number up to a million, found '1.5'"),
    "half a grade of a table": ("qid,doc,rel\n1,a,1\n1,b,0.5\n", "q:3: relevance must be a whole number"),
    "exponent": ("401 0 d1 1e1\n", "q:1: relevance must be a whole number up to a million, found '1e1'"),
    "huge": ("401 0 d1 9999999.0\n", "q:1: relevance must be a whole number up to a million"),
    "comments only": ("# one\n\n# two\n", "q: has no judgements, only comments"),
    "header only": ("qid,doc,rel\n", "q: has a header and no judgements"),
    "short row": ("qid,doc,rel\n1,a,1\n1,b\n", "q:3: expected 3 columns, found 2: '1,b'; fix this line"),
    "long row": ("qid\tdoc\trel\n1\ta\t1\t0\n", "q:2: expected 3 columns, found 4"),
    "no grade": ("qid,doc,rel\n1,a,\n", "q:2: relevance must be a whole number up to a million, found ''"),
    "no topic": ("qid,doc,rel\n,a,1\n", "q:2: the topic is empty; fix this line"),
    "no document": ("qid,doc,rel\n1, ,1\n", "q:2: the document is empty; fix this line"),
    "two topics": ("qid,topic,doc,rel\n1,1,a,1\n", "q:1: both 'qid' and 'topic' may be the topic; rename or"),
    "twice": ("qid,doc,rel\n1,a,1\n1,a,1\n", "q:3: document 'a' is judged twice for topic '1'; keep one"),
    "all": ("qid,doc,rel\nall,a,1\n", "q:2: topic 'all' stands for the average over topics"),
    "open quote": ('qid,doc,rel\n1,"a,1\n', "q:2: broken CSV: unexpected end of data"),
    "no header": ("401,0,d1,1\n", "a table needs a header, such as query_id,doc_id,relevance"),
    "header with blanks": (
        "query_id doc_id relevance\n1 a 1\n",
        "a header needs columns for topic, document and relevance, with commas or tabs between",
    ),
    "a run": ("# bm25\n1 Q0 d1 1 0.5 x\n", "q:2: expected 4 columns, found 6: '1 Q0 d1 1 0.5 x'; this looks"),
    "scores of a run": ("query_id,doc_id,score\n1,a,3\n", "q:1: expected 4 columns, found 1"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_judgements_that_cannot_be_get_one_sentence_with_the_line(tmp_path, kind):
    content, message = WRONG[kind]
    (tmp_path / "q").write_text(content)
    with pytest.raises(cd.InputError) as caught:
        cd.read_qrels(tmp_path / "q")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_table_of_judgements_evaluates_as_the_lines_do(tmp_path, write_run):
    write_run(tmp_path / "r", {"401": {"d2": 2, "d1": 1}, "402": {"d1": 1}}, "x")
    found = []
    for content in GOOD.values():
        (tmp_path / "q").write_bytes(content.encode())
        found.append(cd.evaluate(tmp_path / "q", tmp_path / "r", ["AP", "nDCG"]))
    assert all(each == found[0] for each in found)


def test_judgements_are_checked_once(tmp_path):
    """What is checked is taken as it is, wherever judgements are asked for."""
    (tmp_path / "q").write_text(GOOD["trec"])
    read = cd.read_qrels(tmp_path / "q")
    made = cd.Qrels(QRELS)
    assert (read.name, made.name) == (str(tmp_path / "q"), "")
    assert read == made == QRELS
    assert qrels_of(read) is read
    assert cd.Qrels(read)["401"] is read["401"]
    assert pickle.loads(pickle.dumps(read)) == read
    assert repr(made) == "<Qrels: 2 topics, 3 judgements>"
    with pytest.raises(cd.ArgumentError, match="Qrels: judgements: relevance must be a whole number"):
        cd.Qrels({"401": {"d1": 0.5}})


def test_a_header_with_two_words_for_a_topic_is_refused_only_in_files():
    """A frame of pyterrier has both; the word for the id is the more usual one."""
    frame = pd.DataFrame({"query": ["cats"], "qid": ["401"], "docno": ["d1"], "label": [2]})
    assert cd.Qrels(frame) == {"401": {"d1": 2}}
