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
    "JSON lines": (
        '{"query_id": "401", "doc_id": "d1", "label": 2}\n{"query_id": "401", "doc_id": "d2", "label": 0}\n'
        '{"query_id": "402", "doc_id": "d1", "label": 1}\n'
    ),
    "numbers as text, ids as numbers": (
        '{"QID": 401, "DocNo": "d1", "Rating": "2"}\n{"QID": 401, "DocNo": "d2", "Rating": "0.0"}\n\n'
        '{"QID": 402, "DocNo": "d1", "Rating": 1.0, "cost": 0.1}\n'
    ),
    "texts beside the ids": (
        '[{"qid": "401", "query": "cats", "docid": "d1", "doc": "A", "prediction": "O: 2", "judgment": 2},'
        ' {"qid": "401", "query": "cats", "docid": "d2", "doc": "B", "prediction": "O: 0", "judgment": 0},'
        ' {"qid": "402", "query": "dogs", "docid": "d1", "doc": "A cat", "prediction": "1", "judgment": 1}]'
    ),
    "candidates, as UMBRELA": (
        '{"query": {"qid": "401", "text": "cats"}, "candidates": [{"docid": "d1", "doc": {"segment": "A"}, '
        '"judgment": 2}, {"docid": "d2", "score": 0.3, "judgment": 0}]}\n'
        '{"query": {"qid": "402", "text": "dogs"}, "candidates": [{"docid": "d1", "judgment": 1}]}\n'
    ),
    "only a score": (
        '{"request_id": "401", "pid": "d1", "score": 2}\n{"request_id": "401", "pid": "d2", "score": 0}\n'
        '{"request_id": "402", "pid": "d1", "score": 1}\n'
    ),
    "topics of documents": '{"401": {"d1": 2, "d2": 0}, "402": {"d1": "1"}}',
    "the same twice": "401 0 d1 2\n401 0 d2 0\n402 0 d1 1\n401 0 d1 2\n",
    "failed": "401 0 d1 2\n401 0 d2 0\n402 0 d1 1\n402 0 d2 N/A\n402 0 d3 \n402 0 d4 error\n",
    "failed in a table": "qid,pid,prediction\n401,d1,2\n401,d2,0\n402,d1,1\n402,d2,\n402,d3,None\n402,d4,-\n",
    "failed in JSON": (
        '{"qid": "401", "docid": "d1", "label": 2}\n{"qid": "401", "docid": "d2", "label": 0}\n'
        '{"qid": "402", "docid": "d1", "label": 1}\n{"qid": "402", "docid": "d2", "label": null}\n'
        '{"qid": "402", "docid": "d3", "error": "timeout"}\n{"qid": "402", "docid": "d4", "label": NaN}\n'
    ),
    "blanks": "# made today\n\nquery_id, doc_id, relevance\n401, d1, 2\n\n401, d2, 0\n# end\n402, d1, 1\n",
}


@pytest.mark.parametrize("kind", GOOD)
def test_judgements_are_read(tmp_path, kind):
    (tmp_path / "q").write_bytes(GOOD[kind].encode())
    found = cd.read_qrels(tmp_path / "q")
    assert found == QRELS
    assert sum(found.failed.values()) == (3 if kind.startswith("failed") else 0)
    assert found.repeated == (1 if kind == "the same twice" else 0)


WRONG = {
    "half a grade": ("401 0 d1 1.5\n", "q:1: relevance must be a whole number up to a million, found '1.5'"),
    "half a grade of a table": ("qid,doc,rel\n1,a,1\n1,b,0.5\n", "q:3: relevance must be a whole number"),
    "exponent": ("401 0 d1 1e1\n", "q:1: relevance must be a whole number up to a million, found '1e1'"),
    "huge": ("401 0 d1 9999999.0\n", "q:1: relevance must be a whole number up to a million"),
    "comments only": ("# one\n\n# two\n", "q: has no judgements, only comments"),
    "header only": ("qid,doc,rel\n", "q: has no judgements"),
    "short row": ("qid,doc,rel\n1,a,1\n1,b\n", "q:3: expected 3 columns, found 2: '1,b'; fix this line"),
    "long row": ("qid\tdoc\trel\n1\ta\t1\t0\n", "q:2: expected 3 columns, found 4"),
    "a word": (
        "qid,doc,rel\n1,a,good\n",
        "q:2: relevance must be a whole number up to a million, found 'good'",
    ),
    "two labels": (
        '{"qid": 1, "docid": 2, "label": 1, "grade": 2}',
        "q:1: both 'label' and 'grade' may be the rel",
    ),
    "no document": (
        '{"model": "x", "query": "cats", "passage": "A cat", "judgment": 2}',
        "q: there is no key for the document among model, query, passage, judgment; rename keys to",
    ),
    "candidates without a name": (
        '{"qid": 1, "candidates": ["A", {"docid": "d", "label": 1}]}',
        "q:1: the document is",
    ),
    "a list in JSON lines": (
        '{"qid": 1, "docid": 2, "label": 1}\n[1]\n',
        "q:2: expected an object with topic, doc",
    ),
    "broken JSON": ('{"qid": 1, "docid"\n', "q:1: broken JSON"),
    "a true label": (
        '{"qid": 1, "docid": 2, "label": true}',
        "q:1: relevance must be a whole number up to a mil",
    ),
    "another grade": (
        '{"qid": 1, "docid": 2, "label": 1}\n{"qid": 1, "docid": 2, "label": "2"}',
        "q:2: document '2' is judged twice for topic '1', 1 and 2; keep one judgement",
    ),
    "an empty list": ("[]", "q: there is no key for the topic among no keys"),
    "all failed": ("qid,doc,rel\n1,a,\n1,b,N/A\n", "q: all labels are missing or failed ('', 'N/A'); label"),
    "no topic": ("qid,doc,rel\n,a,1\n", "q:2: the topic is empty; fix this line"),
    "no document in a table": ("qid,doc,rel\n1, ,1\n", "q:2: the document is empty; fix this line"),
    "two topics": ("qid,topic,doc,rel\n1,1,a,1\n", "q:1: both 'qid' and 'topic' may be the topic; rename or"),
    "twice": (
        "qid,doc,rel\n1,a,1\n1,a,2\n",
        "q:3: document 'a' is judged twice for topic '1', 1 and 2; keep",
    ),
    "all": ("qid,doc,rel\nall,a,1\n", "q:2: topic 'all' stands for the average over topics"),
    "open quote": ('qid,doc,rel\n1,"a,1\n', "q:2: broken CSV: unexpected end of data"),
    "no header": ("401,0,d1,1\n", "a table needs a header, such as query_id,doc_id,relevance"),
    "header with blanks": (
        "query_id doc_id relevance\n1 a 1\n",
        "a table needs a header, such as query_id,doc_id,relevance, with commas or tabs between",
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
