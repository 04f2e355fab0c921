"""Files that are broken in every way that came to mind: one sentence with the file and the line."""

from __future__ import annotations

import gzip

import pytest
from support.program import run, run_process

GOOD = b"topic,a,b,c\n1,0.1,0.2,0.3\n2,0.2,0.1,0.4\n"
LONG = b"measure,topic,system,value\nAP,1,a,0.1\nAP,1,b,0.2\n"
PACKED = gzip.compress(GOOD * 50, mtime=0)

BROKEN_TABLES = {
    "empty": (b"", "t: is empty"),
    "blank": (b" \n\n", "t: is empty"),
    "header only": (b"topic,a,b\n", "t: has a header and no rows"),
    "short row": (GOOD + b"3,0.1,0.2\n", "t:4: expected 4 columns, found 3: '3,0.1,0.2'"),
    "long row": (GOOD + b"3,0.1,0.2,0.3,0.4\n", "t:4: expected 4 columns, found 5"),
    "text for a number": (
        GOOD + b"3,0.1,high,0.3\n",
        "t:4: column 'b': 'high' is not a number",
    ),
    "inf": (GOOD + b"3,0.1,-inf,0.3\n", "t:4: column 'b': '-inf' is not finite; leave the cell empty"),
    "overflow": (
        GOOD + b"3,0.1,1e999,0.3\n",
        "t:4: column 'b': '1e999' is too large",
    ),
    "underscore": (GOOD + b"3,0.1,1_0,0.3\n", "t:4: column 'b': '1_0' is not a number"),
    "decimal comma": (
        b'topic,a,b,c\n1,"12,345","1,500",3\n',
        "t:2: column 'a': '12,345' has a comma; is it a decimal comma or does it group thousands?",
    ),
    "not UTF-8": (GOOD + b"caf\xe9,1,2,3\n", "t:4: byte 0xe9 is not UTF-8"),
    "UTF-16": (GOOD.decode().encode("utf-16"), "t:1: the text is UTF-16; save it as UTF-8"),
    "zero byte": (GOOD + b"3,0.1,\x00,0.3\n", "t:4: holds a zero byte"),
    "truncated gz": (PACKED[:-20], "t: the gzip data ends too early"),
    "damaged gz": (PACKED[:-6] + b"xxxxxx", "t: the gzip data is damaged"),
    "duplicate system": (b"topic,a,b,a\n1,0.1,0.2,0.3\n", "t:1: column 'a' is in the header twice"),
    "nameless system": (b"topic,a,,c\n1,0.1,0.2,0.3\n", "t:1: column 3 has no system name"),
    "duplicate topic": (
        GOOD + b"1,0.1,0.2,0.3\n",
        "t:4: system 'a' has two scores for topic '1' by t, first in line 2",
    ),
    "nameless topic": (GOOD + b",0.1,0.2,0.3\n", "t:4: the topic is empty"),
    "no header": (
        b"0.1,0.2,0.3\n0.3,0.1,0.2\n",
        "t:1: the first line holds numbers; it must name the columns",
    ),
    "open quote": (GOOD + b'3,"0.1,0.2,0.3\n', "t:4: broken CSV: unexpected end of data"),
    "long, two scores": (
        LONG + b"AP,1,a,0.3\n",
        "t:4: system 'a' has two scores for topic '1' by AP, first in line 2",
    ),
    "long, no measure": (LONG + b",1,c,0.3\n", "t:4: the measure is empty"),
    "long, short row": (LONG + b"AP,1,c\n", "t:4: expected 4 columns, found 3"),
    "long, text": (LONG + b"AP,1,c,much\n", "t:4: column 'value': 'much' is not a number"),
    "averages wrong": (
        b"map 1 0.2\nmap 2 0.4\nmap all 0.5\n",
        "t:3: map of topic 'all' is 0.5, the mean of the 2 topics is 0.3000",
    ),
    "trec_eval columns": (
        b"map 1 0.2\nmap 2 0.4\nmap all 0.3\nmap 3\n",
        "t:4: expected 3 columns, found 2: 'map 3'",
    ),
    "trec_eval text": (
        b"map 1 0.2\nmap 2 many\nmap all 0.3\n",
        "t:2: column 'value': 'many' is not a number",
    ),
    "counts only": (b"num_q all 50\nnum_ret all 100\n", "t: holds no scores"),
    "broken JSON": (b'{"topic": "1", "system": "a", "value": 0.1}\n{"topic": \n', "t:2: broken JSON: "),
    "JSON list": (
        b'{"topic": "1", "system": "a", "value": 0.1}\n[1]\n',
        "t:2: expected an object with topic, system and value",
    ),
    "JSON without value": (
        b'{"topic": "1", "system": "a"}\n',
        "t: no column holds scores; there are topic, system",
    ),
    "JSON text": (
        b'{"topic": "1", "system": "a", "value": "good"}\n',
        "t: column 'value' holds text, not scores",
    ),
    "JSON Infinity": (
        b'{"topic": "1", "system": "a", "value": Infinity}\n',
        "t:1: column 'value': 'inf' is not finite",
    ),
    "JSON label": (
        b'{"topic": [], "system": "a", "value": 1}\n',
        "t:1: 'topic' must be a text or a number, found '[]'",
    ),
    "JSON huge": (
        b'{"topic": 1, "system": "a", "value": 1' + b"0" * 400 + b"}\n",
        "t:1: column 'value': '1000",
    ),
    "JSON surrogate": (b'{"topic": 1, "system": "\\ud800", "value": 1}\n', "t:1: holds a broken character"),
    "nameless numbers": (
        b"number,a,b\n401,0.1,0.2\n402,0.3,0.4\n",
        "t:1: the first column, 'number', holds different whole numbers beside scores; name it 'topic'",
    ),
    "old line ends": (b"topic,a,b\r1,0.1,0.2\r2,0.3,0.4\r", "t:1: "),
    "huge sum": (
        b"topic,a,b,c\n1,1e308,0.2,0.3\n2,1e308,0.1,0.2\n",
        "the sum of the scores of a system over topics is too large for a float",
    ),
    "trec_eval or not": (
        b"x1 y1 0.5\nx2 y1 0.3\nx1 y2 0.5\n x1 y3 0.1\n",
        "t:1: is this the output of trec_eval or of ir_measures?",
    ),
    "a run": (b"1 Q0 d1 1 0.5 bm25\n", "t:1: this is a run, not a table of scores"),
    "judgements": (b"1 0 d1 1\n1 0 d2 0\n", "t:1: this looks like judgements (qrels), not a table of scores"),
    "prose": (b"hello big\nworld, it is\n", "t:1: cannot tell the format of 'hello big'"),
    "a column that tells rows apart": (
        b"model,seed,score\na,1,0.5\na,2,0.25\nb,1,0.5\nb,2,0.25\n",
        "t:3: system 'a' has two scores by score, first in line 2; 'seed' tells the rows apart: say what",
    ),
    "segments": (
        b"a\t0.5\na\t0.25\na\t0.25\nb\t0.5\nb\t0.25\nb\t0.1\nc\t0.5\nc\t0.1\n",
        "t:3: system 'a' appears 3 times, and 'c' 2 times; remove duplicates, or write None for",
    ),
    "nothing is a number": (
        b"model,grade\na,1st\nb,9/10\n",
        "t: no column holds scores; there are model, grade; column 'grade': '1st' is not a number",
    ),
    "brackets": (b"[a b] c\n", "t:1: '[a b] c' is not JSON; in an order, tied names are in parentheses"),
    "numbers of an order": (
        b"1. a\n2. b\n2. c\n",
        "t: the numbers before the names are 1, 2, 2, and do not count up from 1",
    ),
    "a point among commas": (
        b"model;x;y\na;0.5;0,5\nb;0,25;0,1\n",
        "t:2: column 'x': '0.5' has a point, and other cells have a decimal comma",
    ),
    "other systems": (
        b"topic,x,y\n1,0.1,0.2\n",
        "no system is in common: reference has a, b, c; t has x, y; pair the names",
    ),
}

BROKEN_RUNS = {
    "columns": (b"1 Q0 d1 1 0.5 x\n1 Q0 d2 2 0.4\n", "t:2: expected 6 columns, found 5: '1 Q0 d2 2 0.4'"),
    "cut off": (
        b"1 Q0 d1 1 0.5 x\n1 Q0 d2 2\n",
        "t:2: expected 6 columns, found 4: '1 Q0 d2 2'; fix this line",
    ),
    "judgements": (b"1 0 d1 1\n", "t:1: expected 6 columns, found 4: '1 0 d1 1'; this looks like judgements"),
    "text score": (b"1 Q0 d1 1 high x\n", "t:1: score must be a finite number, found 'high'"),
    "underscore": (b"1 Q0 d1 1 1_0 x\n", "t:1: score must be a finite number, found '1_0'"),
    "nan": (b"1 Q0 d1 1 0.5 x\n1 Q0 d2 2 nan x\n", "t:2: score must be a finite number, found 'nan'"),
    "inf": (b"1 Q0 d1 1 inf x\n", "t:1: score must be a finite number, found 'inf'"),
    "duplicate document": (
        b"1 Q0 d1 1 0.5 x\n1 Q0 d1 2 0.4 x\n",
        "t:2: document 'd1' appears twice for topic '1'",
    ),
    "two tags": (b"1 Q0 d1 1 0.5 x\n1 Q0 d2 2 0.4 y\n", "t:2: run tag 'y' after 'x'"),
    "empty": (b"", "t: is empty"),
    "not UTF-8": (b"1 Q0 d\xff 1 0.5 x\n", "t:1: byte 0xff is not UTF-8"),
    "truncated gz": (gzip.compress(b"1 Q0 d1 1 0.5 x\n" * 99)[:-9], "t: the gzip data ends too early"),
    "other topics": (
        b"q1 Q0 d1 1 0.5 x\n",
        "t: none of its topics has judgements in ",
    ),
}

BROKEN_QRELS = {
    "columns": (b"401 0 d1 1\n401 0 d2\n", "t:2: expected 4 columns, found 3: '401 0 d2'; fix this line"),
    "a run": (
        b"1 Q0 d1 1 0.5 x\n",
        "t:1: expected 4 columns, found 6: '1 Q0 d1 1 0.5 x'; this looks like a run",
    ),
    "text": (b"401 0 d1 yes\n", "t:1: relevance must be a whole number up to a million, found 'yes'"),
    "fraction": (b"401 0 d1 0.5\n", "t:1: relevance must be a whole number up to a million, found '0.5'"),
    "huge": (b"401 0 d1 99999999999999999999\n", "t:1: relevance must be a whole number up to a million"),
    "topic all": (b"all 0 d1 1\n", "t:1: topic 'all' stands for the average over topics"),
    "judged twice": (b"401 0 d1 1\n401 0 d1 0\n", "t:2: document 'd1' is judged twice for topic '401'"),
    "empty": (b"\n", "t: is empty"),
}


@pytest.mark.parametrize("kind", BROKEN_TABLES)
def test_broken_tables_get_one_sentence(tmp_path, refused, kind):
    """And no output is written."""
    content, message = BROKEN_TABLES[kind]
    (tmp_path / "good.csv").write_bytes(GOOD)
    (tmp_path / "t").write_bytes(content)
    result = run("correlate", "good.csv", "t", "-o", "out", cwd=tmp_path)
    refused(result, message)
    about_files = kind not in ("huge sum", "other systems")
    assert result.stderr.startswith("concordant: t:" if about_files else "concordant correlate: ")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", BROKEN_RUNS)
def test_broken_runs_get_one_sentence(folder, tmp_path, refused, kind):
    """That begins with the file."""
    content, message = BROKEN_RUNS[kind]
    (tmp_path / "t").write_bytes(content)
    arguments = ["--runs", "t", "--qrels", folder / "human.qrels", "-m", "AP"]
    refused(run("evaluate", *arguments, cwd=tmp_path), f"concordant: {message}")


@pytest.mark.parametrize("kind", BROKEN_QRELS)
def test_broken_judgements_get_one_sentence(folder, tmp_path, refused, kind):
    """That begins with the file."""
    content, message = BROKEN_QRELS[kind]
    (tmp_path / "t").write_bytes(content)
    arguments = ["--runs", folder / "runs" / "*", "--qrels", "t", "-m", "AP"]
    refused(run("evaluate", *arguments, cwd=tmp_path), f"concordant: {message}")


def test_a_broken_file_gets_one_sentence_from_a_process_too(tmp_path, refused):
    """With the exit code 2."""
    (tmp_path / "good.csv").write_bytes(GOOD)
    (tmp_path / "t").write_bytes(BROKEN_TABLES["short row"][0])
    refused(
        run_process("correlate", "good.csv", "t", cwd=tmp_path),
        f"concordant: {BROKEN_TABLES['short row'][1]}",
    )


def test_files_that_are_not_there_get_one_sentence(folder, tmp_path, refused):
    """Nor do folders, patterns without a match, and what is called parquet and is not."""
    human = folder / "human.csv"
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 is not enough")
    refused(
        run("correlate", human, "nope.csv"), "concordant: nope.csv: no such file; check its name and folder"
    )
    (tmp_path / "empty").mkdir()
    refused(run("correlate", human, tmp_path / "empty"), "empty: is a folder without files")
    refused(run("correlate", human, tmp_path / "*.nope"), "no file matches; check the folder")
    message = "broken.parquet: is not a parquet file that can be read"
    refused(run("correlate", human, tmp_path / "broken.parquet"), message)


def test_columns_that_a_table_lacks_get_one_sentence(folder, tmp_path, refused):
    """That says how to name them."""
    (tmp_path / "short.csv").write_text("model,Votes,License\na,1,MIT\n")
    arguments = ["correlate", folder / "human.csv", tmp_path / "short.csv"]
    message = "short.csv: no column holds scores; there are model, Votes, License; say which does with"
    refused(run(*arguments), message)
    refused(run(*arguments, "--columns", "value=Vote"), "short.csv: no column holds scores")
    refused(run(*arguments, "--columns", "topic=Vote", "-c", "tau_b"), "short.csv: no column holds scores")


def test_a_missing_score_does_not_become_the_best(tmp_path, refused):
    """Where the smallest is the best, 0 would be; the option that leaves it out is named, and works."""
    (tmp_path / "a.csv").write_text("topic,x,y,z\n1,0.5,0.25,0.1\n2,0.5,,0.3\n")
    (tmp_path / "b.csv").write_text("topic,x,y,z\n1,0.5,0.25,0.1\n2,0.5,0.75,0.3\n")
    arguments = ["correlate", "a.csv", "b.csv", "--lower-is-better", "all"]
    message = (
        "concordant correlate: reference has no score of system 'y' for topic '2'; the smallest score is "
        "the best, so that 0 would be the best score; leave it out with --on-missing drop"
    )
    refused(run(*arguments, cwd=tmp_path), message)
    refused(run(*arguments, "--on-missing", "zero", cwd=tmp_path), message)
    assert run(*arguments, "--on-missing", "drop", cwd=tmp_path).returncode == 0


def test_a_folder_with_two_readings_gets_both(tmp_path, refused):
    """And the option for each, which works."""
    for side in ("x", "y"):
        (tmp_path / side).mkdir()
        for name, text in (
            ("a", '{"acc": 0.5, "f1": 0.1}'),
            ("b", '{"acc": 0.25, "f1": 0.2}'),
            ("c", '{"acc": 0, "f1": 1}'),
        ):
            (tmp_path / side / f"{name}.json").write_text(text)
    message = (
        "they may be systems, and the files measures (--systems columns), or measures, and each file a system"
    )
    refused(run("correlate", "x", "y", cwd=tmp_path), message)
    result = run("correlate", "x", "y", "--headers", "measures", "--details", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "each file is a system: 3 systems, 2 measures (acc, f1)" in result.stdout
    assert run("correlate", "x", "y", "--systems", "columns", cwd=tmp_path).returncode == 0


def test_runs_of_the_same_name_get_one_sentence(folder, tmp_path, refused):
    """That says how to tell them apart."""
    for name in ("a", "b"):
        (tmp_path / name).write_text("401 Q0 d1 1 0.5 same\n")
    arguments = ["--runs", "a", "--runs", "b", "--qrels", folder / "human.qrels", "-m", "AP"]
    message = (
        "concordant: b: the run is named 'same', as is that in a; --names file names systems by their files"
    )
    refused(run("evaluate", *arguments, cwd=tmp_path), message)


def test_a_broken_run_among_many_is_named_also_by_several_processes(folder, tmp_path, refused):
    """The error travels from the process that found it."""
    (tmp_path / "t").write_text("401 Q0 d1 1 0.5\n")
    runs = ["--runs", folder / "runs" / "*", "--runs", tmp_path / "t"]
    arguments = [*runs, "--qrels", folder / "human.qrels", "-m", "AP", "--workers", "2"]
    refused(run("evaluate", *arguments), "t:1: expected 6 columns, found 5")


def test_what_a_provider_raises_is_a_sentence(tmp_path, refused):
    """With the run and the measure."""
    (tmp_path / "q").write_text("1 0 d1 1\n")
    (tmp_path / "r").write_text("1 Q0 d1 1 1 x\n")
    result = run("evaluate", "--runs", "r", "--qrels", "q", "-m", "Accuracy", cwd=tmp_path)
    refused(result, "concordant: r: ir_measures cannot compute Accuracy")
