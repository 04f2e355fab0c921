"""Runs, judgements and measures in the forms in which users have them: the same scores as from files."""

from __future__ import annotations

import copy
import io
from fractions import Fraction

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pytest

import concordant as cd
from concordant.reading.qrels import qrels_of
from concordant.reading.trec_runs import each_run

MEASURES = ["AP", "nDCG@10", "P(rel=2)@5", "RR"]


@pytest.fixture
def files(tmp_path, random_collection):
    """The judgements, the runs by name, and the scores of their files."""
    qrels = random_collection(13)
    runs = [cd.read_run(tmp_path / "runs" / f"r{r}") for r in range(3)]
    expected = cd.evaluate(tmp_path / "qrels", tmp_path / "runs" / "*", MEASURES)
    assert np.ptp(expected.values) > 0
    return qrels, {run.name: run.topics for run in runs}, expected


def rows(topics):
    return [(t, d, value) for t, docs in topics.items() for d, value in docs.items()]


def pandas_frame(topics, *names):
    return pd.DataFrame(rows(topics), columns=list(names))


def polars_frame(topics, *names):
    return pl.DataFrame(rows(topics), schema=list(names), orient="row")


QRELS = {
    "mapping": lambda qrels: qrels,
    "NumPy grades": lambda q: {t: {d: np.int64(g) for d, g in docs.items()} for t, docs in q.items()},
    "whole floats": lambda q: {int(t): {d: float(g) for d, g in docs.items()} for t, docs in q.items()},
    "pandas": lambda q: pandas_frame(q, "query_id", "doc_id", "relevance"),
    "pandas, as PyTerrier": lambda q: pandas_frame(q, "qid", "docno", "label"),
    "pandas, other order": lambda q: pandas_frame(q, "topic", "document", "grade")[
        ["grade", "document", "topic"]
    ],
    "polars": lambda q: polars_frame(q, "query_id", "doc_id", "relevance"),
    "ir_measures": lambda q: [ir_measures.Qrel(*row) for row in rows(q)],
    "ir_measures, once": lambda q: (ir_measures.Qrel(*row) for row in rows(q)),
    "open file": lambda q: io.StringIO("".join(f"{t} 0 {d} {g}\n" for t, d, g in rows(q))),
}


@pytest.mark.parametrize("form", QRELS)
def test_judgements_of_every_form_give_the_scores_of_files(tmp_path, files, form):
    """Bit for bit."""
    qrels, _, expected = files
    found = cd.evaluate(QRELS[form](qrels), tmp_path / "runs" / "*", MEASURES)
    assert found == expected
    assert found.notes == expected.notes


def scored(kind):
    return lambda runs: {
        name: {t: {d: kind(score) for d, score in docs.items()} for t, docs in topics.items()}
        for name, topics in runs.items()
    }


def as_file(tag, topics):
    return io.StringIO("".join(f"{t} Q0 {d} 0 {value} {tag}\n" for t, d, value in rows(topics)))


def documents(topics):
    return (ir_measures.ScoredDoc(*row) for row in rows(topics))


RUNS = {
    "mappings": lambda runs: runs,
    "whole numbers": scored(int),
    "fractions": scored(Fraction),
    "NumPy scores": scored(np.float64),
    "pandas": lambda r: {n: pandas_frame(ts, "query_id", "doc_id", "score") for n, ts in r.items()},
    "pandas, as PyTerrier": lambda r: {n: pandas_frame(ts, "qid", "docno", "score") for n, ts in r.items()},
    "polars": lambda r: {n: polars_frame(ts, "query_id", "doc_id", "score") for n, ts in r.items()},
    "Runs": lambda r: [cd.results.Run(n, ts) for n, ts in r.items()],
    "Runs by other names": lambda r: {n: cd.results.Run("x", ts) for n, ts in r.items()},
    "Runs, once": lambda r: (cd.results.Run(n, ts) for n, ts in r.items()),
    "ir_measures": lambda r: {n: list(documents(ts)) for n, ts in r.items()},
    "ir_measures, once": lambda r: {n: documents(ts) for n, ts in r.items()},
    "mixed": lambda r: [cd.results.Run(n, ts) if n != "sys1" else as_file(n, ts) for n, ts in r.items()],
    "open files by name": lambda r: {n: as_file("x", ts) for n, ts in r.items()},
}


@pytest.mark.parametrize(
    ("form", "workers"), [*((form, 1) for form in RUNS), ("mappings", 2), ("polars", 2), ("mixed", 2)]
)
def test_runs_of_every_form_give_the_scores_of_files(files, form, workers):
    """Bit for bit, in one process and in two; open files and what can be read once stay in one."""
    qrels, runs, expected = files
    found = cd.evaluate(qrels, RUNS[form](runs), MEASURES, workers=workers)
    assert found == expected
    assert found.notes == expected.notes


def test_paths_by_name_give_the_scores_of_files(tmp_path, files):
    """Under the names given, whatever tags the files have."""
    qrels, runs, expected = files
    paths = {f"my {n}": tmp_path / "runs" / f"r{r}" for r, n in enumerate(runs)}
    found = cd.evaluate(qrels, paths, MEASURES)
    assert found.systems == ("my sys0", "my sys1", "my sys2")
    assert np.array_equal(found.values, expected.values)
    assert np.array_equal(cd.evaluate(qrels, list(paths.values()), MEASURES).values, expected.values)


@pytest.mark.parametrize("form", ["mappings", "pandas", "polars", "ir_measures"])
def test_one_run_needs_no_name(files, form):
    """It is called "run"; a Run has its own name."""
    qrels, runs, expected = files
    one = RUNS[form](runs)["sys0"]
    found = cd.evaluate(qrels, one, MEASURES)
    assert found.systems == ("run",)
    assert np.array_equal(found.values, expected.values[:, :, :1])
    assert cd.evaluate(qrels, cd.results.Run("sys0", runs["sys0"]), MEASURES) == expected.select(
        systems=["sys0"]
    )


def test_measures_are_names_or_objects_alike(files):
    """One alone, a list, a set of one, or what can be read once; each is computed once."""
    qrels, runs, expected = files
    objects = [ir_measures.AP, ir_measures.nDCG @ 10, ir_measures.P(rel=2) @ 5, ir_measures.RR]
    assert cd.evaluate(qrels, runs, objects) == expected
    assert cd.evaluate(qrels, runs, iter([*objects, "AP", "RR"])) == expected
    assert cd.evaluate(qrels, runs, ir_measures.AP) == cd.evaluate(qrels, runs, "AP") == expected["AP"]


def test_what_is_in_memory_is_not_changed(files):
    """Neither judgements nor runs, mappings nor frames."""
    qrels, runs, _ = files
    frames = pandas_frame(qrels, "qid", "docno", "label"), RUNS["pandas"](runs)
    given = {"qrels": qrels, "runs": runs}
    before, before_frames = copy.deepcopy(given), copy.deepcopy(frames)
    cd.evaluate(qrels, runs, MEASURES)
    cd.evaluate(
        qrels, [cd.results.Run(name, topics) for name, topics in runs.items()], MEASURES, on_missing="drop"
    )
    cd.evaluate(*frames, MEASURES)
    assert given == before
    pd.testing.assert_frame_equal(frames[0], before_frames[0])
    for name, frame in frames[1].items():
        pd.testing.assert_frame_equal(frame, before_frames[1][name])


def test_results_do_not_share_memory_with_what_was_given():
    """Changing the judgements later changes nothing."""
    qrels = {"1": {"a": 1}}
    held = qrels_of(qrels)
    qrels["1"]["a"] = 0
    assert held == {"1": {"a": 1}}


def test_a_topic_without_documents_is_a_topic():
    """In a mapping of judgements; in a run it is a topic without an answer."""
    qrels = {"1": {"a": 1}, "2": {}}
    scores = cd.evaluate(qrels, {"x": {"1": {"a": 1.0}}, "y": {"1": {"a": 1.0}, "2": {}}}, "RR")
    assert scores.topics == ("1", "2")
    assert scores.values.tolist() == [[[1.0, 1.0], [0.0, 0.0]]]


def test_runs_are_read_for_other_uses_too(tmp_path, files):
    """With their scores, one after another."""
    _, runs, _ = files
    assert {run.name: run.topics for run in each_run(tmp_path / "runs" / "*")} == runs
    assert [run.name for run in each_run(tmp_path / "runs" / "*", names="file")] == ["r0", "r1", "r2"]


Q = {"1": {"d": 1}}
R = {"1": {"d": 1.0}}
WHOLE = "relevance must be a whole number"


@pytest.mark.parametrize(
    ("qrels", "message"),
    [
        (3, "judgements must be a path, .* or a list of ir_measures.Qrel, got int"),
        ([1, 2], "judgements must be a path, .* got list of int"),
        ({"1": 3}, "judgements must be {topic: {document: relevance}}, got int for topic '1'"),
        (
            {"1": {"d": 1.7}},
            f"judgements: {WHOLE} up to a million, found '1.7' for document 'd' of topic '1'",
        ),
        ({"1": {"d": True}}, f"judgements: {WHOLE} up to a million, found 'True'"),
        ({"1": {"d": "good"}}, f"judgements: {WHOLE} up to a million, found 'good'"),
        ({"1": {"d": "N/A", "e": None}}, "judgements: all labels are missing or failed"),
        ({"1": {"d": 10**7}}, f"judgements: {WHOLE} up to a million, found '10000000'"),
        (
            {"all": {"d": 1}},
            "judgements: topic 'all' stands for the average over topics; name it differently",
        ),
        ({}, "judgements: has no judgements"),
        ({"1": {1: 1, "1": 0}}, "judgements: document '1' is judged twice for topic '1', 1 and 0; keep one"),
        (pd.DataFrame({"a": [1]}), "judgements: the DataFrame needs columns query_id, doc_id and relevance"),
        ({None: {"d": 1}}, "judgements: a topic has no name; drop its row"),
    ],
)
def test_judgements_that_cannot_be_read_get_one_sentence(qrels, message):
    """It begins with the function that was called."""
    with pytest.raises(cd.ConcordantError, match=f"^evaluate: {message.replace('{', '[{]')}") as caught:
        cd.evaluate(qrels, R, "AP")
    assert isinstance(caught.value, TypeError) == (" must be a path" in message or "{topic" in message)
    assert "\n" not in str(caught.value)


FINITE = "score must be a finite number"


@pytest.mark.parametrize(
    ("runs", "error", "message"),
    [
        (3, TypeError, "runs must be a path or pattern, a run, .* got int; a run is a path"),
        (b"run", TypeError, "runs must be a path or pattern, .* got bytes"),
        ({"x": 3}, TypeError, "run 'x' must be a path, .* got int"),
        ({"x": [1]}, TypeError, "run 'x' must be a path, .* got list of int"),
        (
            {"x": {"1": {"d": "high"}}},
            ValueError,
            f"run 'x': {FINITE}, got 'high' for document 'd' of topic '1'",
        ),
        ({"x": {"1": {"d": float("nan")}}}, ValueError, f"run 'x': {FINITE}, got nan"),
        ({"x": {"1": {"d": True}}}, ValueError, f"run 'x': {FINITE}, got True"),
        ({"x": R, "y": {"1": {}}}, ValueError, "run 'y' has no documents"),
        ([R, R], ValueError, "a run in a list has no name; pass a mapping {name: run}"),
        (
            [cd.results.Run("x", R), cd.results.Run("x", R)],
            ValueError,
            "two runs are named 'x'; rename one of them",
        ),
        ([], ValueError, "there are no runs; give at least one"),
        ({}, ValueError, "there are no runs; give at least one"),
        (
            pd.DataFrame({"qid": [1], "docno": [1]}),
            ValueError,
            "run 'run': the DataFrame needs columns query_id",
        ),
    ],
)
def test_runs_that_cannot_be_read_get_one_sentence(runs, error, message):
    """It begins with the function that was called."""
    with pytest.raises(error, match=f"^evaluate: {message.replace('{', '[{]')}") as caught:
        cd.evaluate(Q, runs, "AP")
    assert isinstance(caught.value, cd.ConcordantError)
    assert "\n" not in str(caught.value)


def test_a_run_without_judged_topics_is_refused():
    """In memory as in a file; the message shows a topic of each."""
    with pytest.raises(
        cd.InputError, match=r"^run 'x': none of its topics has judgements: it has '2', they have '1'"
    ):
        cd.evaluate(Q, {"x": {"2": {"d": 1}}, "y": R}, "AP")


def test_a_pattern_by_name_stands_for_one_file(tmp_path, files):
    """Three files cannot have one name."""
    message = r"^evaluate: .*runs/\* stands for 3 runs; give run 'x' one file"
    with pytest.raises(cd.ArgumentError, match=message):
        cd.evaluate(Q, {"x": tmp_path / "runs" / "*"}, "AP")
