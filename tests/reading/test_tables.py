"""Tables of scores: every format, plain and packed, and what they become."""

from __future__ import annotations

import gzip
import io
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import concordant as cd

VALUES = {"401": (0.2, 0.5, 0.25), "402": (0.4, 0.3, 0.35), "403": (0.1, 0.1, 0.6)}
SYSTEMS = ("bm25", "dense", "rm3")
WIDE = "topic,bm25,dense,rm3\n401,0.2,0.5,0.25\n402,0.4,0.3,0.35\n403,0.1,0.1,0.6\n"
CELLS = [(t, s, v) for t, row in VALUES.items() for s, v in zip(SYSTEMS, row, strict=True)]

JSON_WITH_AVERAGES = (
    '{"topic": 1, "system": "a", "value": 0.1}\n{"topic": 1, "system": "b", "value": 0.2}\n'
    '{"topic": "all", "system": "a", "value": 0.1}\n'
)


def read(text, **how):
    return cd.read_scores(io.StringIO(text), **how)


@pytest.mark.parametrize("format", [None, "given"])
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("table", WIDE),
        ("table", WIDE.replace(",", "\t")),
        ("table", WIDE.replace(",", ";")),
        ("table", "\ufeff" + WIDE.replace("\n", "\r\n")),
        (
            "table",
            '"topic","bm25","dense","rm3"\n"401","0.2",".5",2.5e-1\n402,4e-1,0.3,0.35\n\n403,0.1,0.1,+0.6\n',
        ),
        ("table", WIDE.removeprefix("topic,")),  # as R writes row names
        ("table", "topic,system,value\n" + "".join(f"{t},{s},{v}\n" for t, s, v in CELLS)),
        ("jsonl", "".join(f'{{"query_id": {t}, "run": "{s}", "score": {v}}}\n' for t, s, v in CELLS)),
    ],
)
def test_formats_give_the_same_scores(tmp_path, kind, text, format):
    """From a path, a text, a pattern, an open file; plain, or packed whatever the name says."""
    path = tmp_path / "scores.txt"
    path.write_bytes(text.encode())
    packed = tmp_path / "scores.bin"
    packed.write_bytes(gzip.compress(text.encode()))
    for source in (path, str(path), packed, tmp_path / "*.txt", path.open("rb"), path.open()):
        found = cd.read_scores(source, format=kind if format else None)
        assert found.topics == tuple(VALUES)
        assert found.systems == SYSTEMS
        assert np.array_equal(found.values, [list(VALUES.values())])
        if hasattr(source, "close"):
            source.close()


def test_a_table_without_topics_numbers_them():
    """From 0 up, as text, as NumPy and pandas do."""
    found = read("s1,s2\n0.1,0.2\n0.3,0.4\n")
    assert found.topics == ("0", "1")
    assert found.systems == ("s1", "s2")


@pytest.mark.parametrize("name", ["s.csv", "s.tsv", "s.csv.gz", "s.jsonl", "s.jsonl.gz", "s.parquet"])
def test_what_is_written_is_read_again(tmp_path, name):
    """All digits, names with marks in them, and missing scores; nothing else is left in the folder."""
    rng = np.random.default_rng(1)
    values = rng.random((2, 5, 4))
    values[0, 2, 1] = math.nan
    scores = cd.Scores(values, measures=["AP", "RR"], topics=["q,1", 'q"2', "q 3", "ü", "5"])
    cd.write_scores(scores, tmp_path / name)
    assert cd.read_scores(tmp_path / name) == scores
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_wide_tables_hold_one_measure(tmp_path):
    """Two are refused, and nothing is written."""
    scores = read(WIDE)
    cd.write_scores(scores, tmp_path / "w.csv", format="wide")
    assert np.array_equal(cd.read_scores(tmp_path / "w.csv").values, scores.values)
    with pytest.raises(cd.ArgumentError, match=r"^write_scores: there are 2 measures"):
        cd.write_scores(cd.Scores(np.ones((2, 1, 1)), measures=["a", "b"]), tmp_path / "x.csv", format="wide")
    assert not (tmp_path / "x.csv").exists()


@pytest.mark.parametrize("name", ["id", "topic_number", "Query ID", "qid", "TOPIC"])
def test_the_column_of_topics_is_found_wherever_it_is(tmp_path, name):
    """In the first column, in another, in a DataFrame, and in the index of a parquet file."""
    expected = ("401", "402")
    assert read(f"{name},a,b\n401,0.1,0.2\n402,0.3,0.4\n").topics == expected
    at_the_end = read(f"a,b,{name}\n0.1,0.2,401\n0.3,0.4,402\n")
    assert at_the_end.topics == (("0", "1") if name == "id" else expected)
    assert at_the_end.systems == ("a", "b")
    frame = pd.DataFrame({"a": [0.1, 0.3], "b": [0.2, 0.4]}, index=pd.Index([401, 402], name=name))
    assert cd.read_scores(frame.reset_index()).topics == expected
    for index_name in (name, None):
        frame.rename_axis(index_name).to_parquet(tmp_path / "t.parquet")
        found = cd.read_scores(tmp_path / "t.parquet")
        assert (found.topics, found.systems) == (expected, ("a", "b"))


def test_three_columns_are_told_apart():
    """The output of trec_eval, that of ir_measures, wide and long tables."""
    found = read("q1\tAP\t0.5\nq2\tAP\t0.3\n")
    assert (found.measures, found.topics) == (("AP",), ("q1", "q2"))
    many = "".join(f"t{i}\tnDCG@10\t0.5\nt{i}\tAP\t0.25\n" for i in range(1500)) + "all\tAP\t0.25\n"
    assert read(many).measures == ("nDCG@10", "AP")
    assert read("map\tq1\t0.5\nmap\tq2\t0.3\n").topics == ("q1", "q2")
    assert read("topic\t1\t2\n401\t0.2\t0.5\n402\t0.1\t0.3\n").systems == ("1", "2")
    assert read("topic\t1\t2\t3\n401\t0.2\t0.5\t1\n402\t0.1\t0.3\t2\n").systems == ("1", "2", "3")
    assert read("topic\tsystem\tvalue\n1\tbm25\t0.5\n1\tql\t0.4\n").systems == ("bm25", "ql")


@pytest.mark.parametrize(
    "text",
    [
        "topic,a,b\n1,0.1,0.2\nall,0.1,0.2\n",
        "topic,system,value\n1,a,0.1\n1,b,0.2\nall,a,0.1\n",
        JSON_WITH_AVERAGES,
    ],
)
def test_rows_of_topic_all_are_averages_everywhere(text):
    """They are left out, and a note names the file."""
    found = read(text)
    assert found.topics == ("1",)
    assert found.notes[1].values == {"names": ("all",), "of": "topic"}
    sentence = "the open file: rows of topic 'all' are averages, not scores, and were left out"
    assert str(found.notes[1]) == sentence


def test_a_row_without_scores_keeps_its_place():
    """Its topic has its number, and its scores are missing."""
    missing = read("a,b\n0.1,0.2\n,\n0.5,0.4\n").missing()
    assert missing == [("the open file", "1", "a"), ("the open file", "1", "b")]


def test_marks_within_names_are_no_delimiters(tmp_path):
    """Commas, semicolons and tabs in names of systems survive, written and read."""
    quoted = read('topic,"bm25;k1=1;b=0.7","rm3;k1=2;b=1"\n1,0.1,0.2\n')
    assert quoted.systems == ("bm25;k1=1;b=0.7", "rm3;k1=2;b=1")
    assert read("topic\tx(k=1,b=1)\ty(k=1,b=2)\n1\t0.1\t0.2\n").systems == ("x(k=1,b=1)", "y(k=1,b=2)")
    scores = cd.Scores([[0.5, 0.25]], systems=["a,b;c", "d\te"], measures=["AP"])
    for name in ("s.parquet", "s.parquet.gz", "s.csv", "s.tsv"):
        cd.write_scores(scores, tmp_path / name)
        assert cd.read_scores(tmp_path / name) == scores


def test_lines_may_end_with_a_mark():
    """If all do, in the header as well or not; a last column with scores and no name is refused."""
    expected = cd.Scores(
        [[0.2, 0.3], [0.5, 0.6]], topics=["401", "402"], systems=["a", "b"], measures=["the open file"]
    )
    for text in ("topic,a,b\n401,0.2,0.3,\n402,0.5,0.6,\n", "topic,a,b,\n401,0.2,0.3,\n402,0.5,0.6,\n"):
        assert read(text) == expected
    assert read("a,b\n0.2,0.3,\n0.5,0.6,\n").systems == ("a", "b")
    with pytest.raises(cd.InputError, match="expected 3 columns, found 4"):
        read("topic,a,b\n401,0.2,0.3,0.4\n402,0.5,0.6,0.7\n")


def test_whole_numbers_above_all_scores_are_no_system():
    """They may be topics under a name that is not known; the user has to say."""
    with pytest.raises(cd.InputError, match="name it 'topic' if these are topics"):
        read("q,a,b\n401,0,1\n402,1,1\n403,1,0\n")
    assert read("x,a,b\n3,5,1\n4,1,1\n").systems == ("x", "a", "b")


def test_columns_of_a_long_table_can_be_named():
    """And those that JSON lines lack are named in the message."""
    named = {"topic": "question", "system": "engine", "value": "points"}
    text = "question,engine,points\n1,a,0.5\n1,b,0.25\n"
    assert read(text, columns=named).systems == ("a", "b")
    with pytest.raises(
        cd.InputError, match="columns: there is no column 'modle'; there are topic, model, value"
    ):
        read('{"topic": 1, "model": "a", "value": 1}\n', columns={"system": "modle"})
    with pytest.raises(cd.InputError, match="the open file: columns: there is no column 'modle'"):
        read(text, columns={**named, "system": "modle"})


def test_the_format_is_one_that_is_known():
    """The message lists them."""
    with pytest.raises(
        cd.ArgumentError, match=r"^read_scores: format must be 'table', .* or 'workbook', got 'xml'"
    ):
        read(WIDE, format="xml")
    with pytest.raises(cd.ArgumentError, match=r"^write_scores: format must be 'long', .* got 'xml'"):
        cd.write_scores(read(WIDE), "x", format="xml")


def test_parquet_leaves_no_threads_behind(tmp_path):
    """Threads of pyarrow that outlive a short program abort it, with code 134, one time in ten."""
    tasks = Path("/proc/self/task")
    if not tasks.exists():
        pytest.skip("counts threads as Linux shows them")
    code = """
import sys
from pathlib import Path
import pyarrow.parquet
import concordant as cd
scores = cd.Scores([[0.5, 0.25]], measures=["AP"])
cd.read_scores, cd.write_scores
before = len(list(Path("/proc/self/task").iterdir()))
cd.write_scores(scores, sys.argv[1])
assert cd.read_scores(sys.argv[1]) == scores
print(len(list(Path("/proc/self/task").iterdir())) - before)
"""
    command = [sys.executable, "-c", code, str(tmp_path / "s.parquet")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "0\n"


# One file in each format: two systems by AP, on topics 1 and 2, with rows "all" of which one is given.
def _with_average(format, average):
    rows = [("a", "1", 0.2), ("a", "2", 0.4), ("a", "all", average), ("b", "1", 0.5), ("b", "2", 0.8)]
    rows.append(("b", "all", 0.65))
    forms = {
        "tot": lambda s, t, v: f"{s} AP {t} {v}",
        "ir_measures4": lambda s, t, v: f"{s} {t} AP {v}",
        "ranking": lambda s, t, v: f"{t} Q0 {s} 0 {v} AP@5",
        "jsonl": lambda s, t, v: json.dumps({"run_id": s, "topic_id": t, "measure": "AP", "value": v}),
        "table": lambda s, t, v: f"AP,{t},{s},{v}",
    }
    head = ["measure,topic,system,value"] if format == "table" else []
    return "\n".join([*head, *(forms[format](*row) for row in rows)]) + "\n"


@pytest.mark.parametrize("format", ["tot", "ir_measures4", "ranking", "jsonl", "table"])
@pytest.mark.parametrize(
    ("average", "differs"),
    [(0.3, False), (0.30000000000000004, False), (0.6, False), (0.3333, True), (0.29, False), (0.5, True)],
)
def test_rows_of_topic_all_are_compared_with_the_means(format, average, differs):
    """Up to their rounding (0.65 has two decimals); a sum is not a mistake. The means are those of topics."""
    found = cd.read_scores(io.StringIO(_with_average(format, average)), format=format)
    told = [str(note) for note in found.notes if note.kind == "averages_differ"]
    assert found.mean()["a"] == pytest.approx(0.3)
    if not differs:
        assert told == []
        return
    measure = "AP@5" if format == "ranking" else "AP"
    such = f"such as {measure} of a, {average:g}, where the mean of the topics is 0.3; these means are used"
    differs = "1 score of topic 'all' differs from the means of the topics"
    assert told == [f"the open file: {differs}, {such}. Are lines missing?"]


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("trec_eval", "map 1 0.2\nmap 2 0.4\nmap all 0.5\n"),
        ("ir_measures", "1 AP 0.2\n2 AP 0.4\nall AP 0.5\n"),
    ],
)
def test_files_of_one_run_with_other_averages_are_refused(format, text):
    with pytest.raises(cd.InputError, match=r"of topic 'all' is 0.5, the mean of the 2 topics is 0.3000"):
        cd.read_scores(io.StringIO(text), format=format)


def test_averages_over_unanswered_topics_and_geometric_means_are_no_mistakes():
    """As trec_eval -c has them: b answered one topic of two."""
    text = "a AP 1 0.2\na AP 2 0.4\na AP all 0.3\nb AP 1 0.5\nb AP all 0.25\n"
    text += "a gm_ap 1 0.2\na gm_ap 2 0.4\na gm_ap all 0.28\n"
    found = cd.read_scores(io.StringIO(text), format="tot")
    assert [note.kind for note in found.notes] == ["read_as", "averages_left_out"]


@pytest.mark.parametrize("format", ["tot", "ir_measures4", "ranking", "jsonl", "table"])
def test_a_run_with_a_row_all_only_is_compared_by_its_mean(format):
    """Then all systems are, by the same rows, and a note says so."""
    lines = _with_average(format, 0.3).split("\n")
    text = "\n".join(line for line in lines if not re.search(r"0\.[58]\b", line))  # the topics of b
    found = cd.read_scores(io.StringIO(text), format=format)
    assert (found.topics, dict(found.mean())) == (("all",), {"a": 0.3, "b": 0.65})
    told = "b has only a row of topic 'all', so that all systems are compared by these rows, without topics"
    assert str(found.notes[1]) == f"the open file: {told}"


def test_a_measure_with_rows_all_only_is_left_out():
    text = "a AP 1 0.2\na AP 2 0.4\na AP all 0.3\na RR all 0.7\n"
    found = cd.read_scores(io.StringIO(text), format="tot")
    assert found.measures == ("AP",)
    assert str(found.notes[2]) == "the open file: left out measures that only have rows of topic 'all': RR"
