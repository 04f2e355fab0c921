"""Runs against runs."""

from __future__ import annotations

import json
import math
from itertools import combinations
from statistics import fmean

import numpy as np
import pytest
from support.program import run
from support.schema import without_provenance

import concordant as cd
from concordant.reading.trec_runs import run_text, trec_ranking


def made(seed, n_topics=6, n_documents=30, decimals=1):
    """A run whose scores have ties."""
    rng = np.random.default_rng(seed)
    topics = {}
    for t in range(n_topics):
        documents = rng.permutation(40)[: n_documents - t]
        scores = rng.normal(-documents / 20, 0.3).round(decimals)
        topics[f"q{t}"] = {f"d{d}": float(s) for d, s in zip(documents, scores, strict=True)}
    return topics


RUNS = {name: made(seed) for seed, name in enumerate(("bm25", "dense", "splade", "rm3"))}


def by_pair(found):
    """The records by pair and measure."""
    return {(each.run, each.other, each.measure): each for each in found.pairs}


def overlap(x, y, k):
    """The share of common documents among the first k, ties broken in all ways: item by item."""

    def seen(scores):
        found = {}
        for document, score in scores.items():
            above = sum(other > score for other in scores.values())
            tied = sum(other == score for other in scores.values())
            found[document] = min(max((k - above) / tied, 0.0), 1.0)
        return found

    a, b = seen(x), seen(y)
    return math.fsum(a[d] * b[d] for d in a if d in b) / min(k, max(len(x), len(y)))


def test_each_value_is_that_of_the_lists_of_a_topic():
    """All pairs, all topics; the mean, the extremes and where they are."""
    found = cd.compare_runs(RUNS, ["rbo(p=0.8, ties=b)", "kendall_distance(normalize=True)"], depth=5)
    records = by_pair(found)
    assert len(found.pairs) == 6 * 3
    values = {(each.run, each.other, each.topic, each.measure): each.value for each in found.topics}
    for one, other in combinations(RUNS, 2):
        expected = {
            "rbo(p=0.8, ties=b)": lambda x, y: cd.rbo(x, y, p=0.8, ties="b"),
            "kendall_distance(normalize=True)": lambda x, y: cd.kendall_distance(x, y, normalize=True),
            "overlap@5": lambda x, y: overlap(x, y, 5),
        }
        for measure, function in expected.items():
            own = {t: function(RUNS[one][t], RUNS[other][t]) for t in RUNS[one]}
            record = records[one, other, measure]
            assert record.mean == pytest.approx(fmean(own.values()), abs=1e-12)
            assert record.least == pytest.approx(min(own.values()), abs=1e-12)
            assert record.largest == pytest.approx(max(own.values()), abs=1e-12)
            assert own[record.topic_of_least] == pytest.approx(record.least)
            assert record.topics == 6
            assert record.interval.low <= record.mean <= record.interval.high
            for topic, value in own.items():
                assert values[one, other, topic, measure] == pytest.approx(value, abs=1e-12)


def test_the_matrix_and_the_topics_that_differ_most():
    """Both ways, each run with itself; the smallest overlaps of all pairs and topics."""
    found = cd.compare_runs(RUNS, n_worst=4)
    cells = {(each.run, each.other): each.value for each in found.matrix}
    records = by_pair(found)
    for one, other in combinations(RUNS, 2):
        assert cells[one, other] == cells[other, one] == records[one, other, "rbo"].mean
    for name, topics in RUNS.items():
        assert cells[name, name] == pytest.approx(fmean(cd.rbo(x, x) for x in topics.values()))
    every = sorted(each.value for each in found.topics if each.measure == "rbo")
    assert [each.value for each in found.worst] == every[:4]
    far = cd.compare_runs(RUNS, "kendall_distance", n_worst=2)
    every = sorted((each.value for each in far.topics if each.measure == "kendall_distance"), reverse=True)
    assert [each.value for each in far.worst] == every[:2]
    two = cd.compare_runs({name: RUNS[name] for name in ("bm25", "dense")})
    assert two.matrix is None


def test_the_order_of_trec_eval_has_no_ties():
    """Equal scores are put in the order of the names, descending; ties do not matter then."""
    found = by_pair(cd.compare_runs(RUNS, "rbo", order="trec_eval"))
    for (one, other, measure), record in found.items():
        if measure == "rbo":
            sides = ([list(trec_ranking(documents)) for documents in RUNS[n].values()] for n in (one, other))
            own = [cd.rbo(x, y) for x, y in zip(*sides, strict=True)]
            assert record.mean == pytest.approx(fmean(own), abs=1e-14)
    assert found == by_pair(cd.compare_runs(RUNS, "rbo(ties=a)", order="trec_eval"))


def test_a_threshold_ties_scores():
    """As for the coefficient itself."""
    found = by_pair(cd.compare_runs(RUNS, "rbo", threshold=0.25))["bm25", "dense", "rbo"]
    own = [cd.rbo(RUNS["bm25"][t], RUNS["dense"][t], threshold=0.25) for t in RUNS["bm25"]]
    assert found.mean == pytest.approx(fmean(own), abs=1e-14)
    message = "threshold makes ties, and order='trec_eval' has none"
    with pytest.raises(cd.ArgumentError, match=f"^compare_runs: {message}"):
        cd.compare_runs(RUNS, threshold=0.1, order="trec_eval")


def test_pairs_are_compared_on_the_topics_that_both_have():
    """With a note; without any in common, an error."""
    some = {**RUNS, "short": {"q0": RUNS["bm25"]["q0"], "q9": {"d1": 1.0}}}
    found = cd.compare_runs(some)
    assert by_pair(found)["bm25", "short", "rbo"].topics == 1
    assert by_pair(found)["bm25", "short", "rbo"].interval is None
    assert by_pair(found)["bm25", "dense", "rbo"] == by_pair(cd.compare_runs(RUNS))["bm25", "dense", "rbo"]
    assert "topics_of_pairs" in [note.kind for note in found.notes]
    with pytest.raises(cd.ArgumentError, match=r"^compare_runs: runs 'bm25' and 'other' have no topic"):
        cd.compare_runs({"bm25": RUNS["bm25"], "other": {"x": {"d1": 1.0}}})


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_threads_and_other_runs_change_nothing(workers):
    """To the last bit."""
    all_of_them = by_pair(cd.compare_runs(RUNS, workers=workers))
    for pair in combinations(RUNS, 2):
        alone = by_pair(cd.compare_runs({name: RUNS[name] for name in pair}))
        assert all(all_of_them[key] == record for key, record in alone.items())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"coefficients": "tau_b"}, "tau_b does not compare lists of documents; choose one that does"),
        ({"coefficients": "rbo(threshold=0.1)"}, r"rbo\(threshold=0.1\): give the threshold as threshold"),
        ({"coefficients": []}, "coefficients: none was given"),
        ({"coefficients": "rbo(p=2)"}, r"'rbo\(p=2\)': p must be a number between 0 and 1, got 2"),
        ({"coefficients": "rbo(ties=c)"}, r"'rbo\(ties=c\)': ties must be 'a', 'b' or 'w', got 'c'"),
        ({"depth": 0}, "depth must be a whole number from 1 up, got 0"),
        ({"order": "names"}, "order must be 'scores' or 'trec_eval', got 'names'"),
        ({"threshold": -1}, "threshold must be a number >= 0"),
        ({"n_worst": -1}, "n_worst must be a whole number from 0 up"),
        ({"confidence_level": 1}, "confidence_level must be a number between 0 and 1"),
    ],
)
def test_wrong_options_are_refused(options, message):
    """In one sentence."""
    with pytest.raises(cd.ArgumentError, match=f"^compare_runs: {message}"):
        cd.compare_runs(RUNS, **options)


def test_one_run_is_too_few():
    """There is nothing to compare it with."""
    with pytest.raises(cd.ArgumentError, match=r"^compare_runs: takes two runs or more, got 1"):
        cd.compare_runs({"bm25": RUNS["bm25"]})


# --- the command -----------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    """The runs as files in a folder."""
    (tmp_path / "runs").mkdir()
    for name, topics in RUNS.items():
        (tmp_path / "runs" / f"{name}.run").write_text(run_text(name, topics))
    return tmp_path


def test_the_command_answers_as_the_function_does(files):
    """Two runs, a folder, a pattern; options reach the function."""
    for arguments, options in (
        (["runs/bm25.run", "runs/dense.run"], {}),
        (["runs"], {"coefficients": ["rbo(p=0.7, ties=w)"], "depth": 7, "n_worst": 2}),
        (["runs/*"], {"order": "trec_eval", "confidence_level": 0.8}),
        (["runs/*"], {"threshold": 0.2, "confidence_level": None, "names": "file", "coefficients": ["rba"]}),
    ):
        typed = []
        for key, value in options.items():
            if key == "confidence_level" and value is None:
                typed.append("--no-interval")
            else:
                name = {"rng": "seed", "coefficients": "coefficient"}.get(key, key).replace("_", "-")
                typed += [f"--{name}", value[0] if isinstance(value, list) else value]
        result = run("runs", *arguments, *typed, "--format", "json", cwd=files)
        assert result.returncode == 0, result.stderr
        paths = [files / each for each in arguments]
        expected = json.loads(cd.compare_runs(paths, **options).to_json())
        assert without_provenance(json.loads(result.stdout)) == without_provenance(expected)


def test_the_command_prints_tables(files):
    """The matrix; on request the pairs, the topics that differ most, and every topic."""
    result = run("runs", "runs", "--no-interval", cwd=files)
    assert result.returncode == 0, result.stderr
    assert "rbo of all pairs, mean over topics" in result.stdout
    others = ["Topics that differ most, by rbo", "Agreement of runs, over topics", "Each topic"]
    assert not any(title in result.stdout for title in others)
    details = run("runs", "runs", "--details", cwd=files).stdout
    assert all(title in details for title in others)
    matrix = run("runs", "runs", "--table", "matrix", "--format", "csv", cwd=files).stdout
    assert len(matrix.splitlines()) == 1 + 16


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["runs/bm25.run"], "there is only one run; give two or more, or a folder"),
        (["runs", "-c", "rbo(p=1)"], "p must be a number between 0 and 1"),
        (["runs", "--depth", "0"], "--depth must be a whole number from 1 up"),
        (["runs", "-c", "tau_b"], "tau_b does not compare lists of documents"),
        (
            ["runs", "--confidence-level", "0.9", "--no-interval"],
            "--confidence-level has no effect with --no-interval",
        ),
        (["runs/bm25.run", "nowhere.run"], "nowhere.run"),
    ],
)
def test_wrong_calls_of_the_command_are_refused(files, refused, arguments, message):
    """In one sentence that names the option."""
    refused(run("runs", *arguments, cwd=files), message)


# --- ir_measures -----------------------------------------------------------------------------------------


def test_overlap_as_a_measure_of_ir_measures():
    """Per topic and aggregated by ir_measures; the same numbers; a topic that the other run lacks has 0."""
    ir_measures = pytest.importorskip("ir_measures")
    from concordant.measures import RBO

    other = {topic: documents for topic, documents in RUNS["dense"].items() if topic != "q5"}
    qrels = {topic: {"d1": 1, "d2": 0} for topic in RUNS["bm25"]}
    measure = RBO(cd.results.Run("dense", other), p=0.8, ties="b")
    assert str(measure) == "RBO(p=0.8,ties=b,to=dense)"
    found = {each.query_id: each.value for each in ir_measures.iter_calc([measure], qrels, RUNS["bm25"])}
    expected = {t: cd.rbo(RUNS["bm25"][t], other.get(t, {}), p=0.8, ties="b") for t in RUNS["bm25"]}
    assert found == pytest.approx(expected)
    assert found["q5"] == 0
    both = ir_measures.calc_aggregate([ir_measures.AP, measure], qrels, RUNS["bm25"])
    assert both[measure] == pytest.approx(fmean(expected.values()))
    assert 0 <= both[ir_measures.AP] <= 1
    frame = pytest.importorskip("pandas").DataFrame(
        [(t, d, s) for t, docs in RUNS["bm25"].items() for d, s in docs.items()],
        columns=["query_id", "doc_id", "score"],
    )
    assert ir_measures.calc_aggregate([measure], qrels, frame)[measure] == pytest.approx(both[measure])


def test_wrong_measures_are_refused(files):
    """Before anything is evaluated."""
    from concordant.measures import RBO

    with pytest.raises(cd.ArgumentError, match=r"^RBO: p must be a number between 0 and 1, got 1"):
        RBO(RUNS["bm25"], p=1)
    with pytest.raises(cd.ArgumentError, match=r"^RBO: takes one run to compare with, got 4"):
        RBO(files / "runs")
    assert str(RBO(files / "runs" / "rm3.run")) == "RBO(p=0.9,ties=a,to=rm3)"


def test_a_matrix_of_runs_has_no_reference():
    """Its corner names runs."""
    found = cd.compare_runs(RUNS)
    assert found.table("matrix").grid().header[0] == "run"
    assert found.table("matrix").columns == ("run", "other", "value")


def test_the_note_on_student_is_there_where_an_interval_is():
    """Neither without intervals, nor of a single topic; it names the table that has them."""
    kind = "intervals_of_means_of_topics"
    found = cd.compare_runs(RUNS)
    assert kind in {note.kind for note in found.notes}
    assert "the interval of the mean over topics is by Student's t" in map(str, found.notes)
    one_topic = {name: dict(list(topics.items())[:1]) for name, topics in RUNS.items()}
    for alone in (cd.compare_runs(RUNS, confidence_level=None), cd.compare_runs(one_topic)):
        assert kind not in {note.kind for note in alone.notes}


def test_runs_with_different_topics_say_how_many_are_in_common():
    """From the pair with the fewest to the one with most."""
    runs = {name: dict(list(topics.items())[: 2 + k]) for k, (name, topics) in enumerate(RUNS.items())}
    found = cd.compare_runs(runs)
    sizes = [each.topics for each in found.pairs]
    (note,) = (note for note in found.notes if note.kind == "topics_of_pairs")
    assert note.values == {"least": min(sizes), "most": max(sizes)}
    assert str(note).endswith(f"on the topics that both have, from {min(sizes)} to {max(sizes)} topics")
