"""Files in: every format, plain and packed, and what they become."""

from __future__ import annotations

import gzip
import io
import math
import shutil
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import concordant as cd
from concordant.io._files import write_whole
from concordant.io.trec import in_trec_order
from concordant.scores import exact_sums, snap

WIDE = "topic,bm25,dense,rm3\n401,0.2,0.5,0.25\n402,0.4,0.3,0.35\n403,0.1,0.1,0.6\n"


@pytest.fixture
def wide():
    return cd.read_scores(io.StringIO(WIDE))


# --- Scores -----------------------------------------------------------------------------------------------------


@given(
    st.lists(st.floats(-1e6, 1e6) | st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30)
)
@settings(max_examples=300, deadline=None)
def test_snapping_is_rounding_to_12_digits(values):
    expected = [float(f"{value:.12g}") for value in values]
    assert snap(np.array(values)).tolist() == expected


@given(
    st.lists(st.lists(st.floats(-1, 1) | st.floats(0, 1e3), min_size=3, max_size=3), min_size=1, max_size=40),
    st.integers(0, 2**32),
)
@settings(max_examples=200, deadline=None)
def test_sums_are_those_of_exact_arithmetic(rows, seed):
    values = np.array(rows)
    weights = np.random.default_rng(seed).integers(0, 4, (3, len(rows)))
    order = np.random.default_rng(seed).permutation(len(rows))
    found = exact_sums(weights, values)
    for r in range(3):
        for c in range(3):
            exact = sum(Fraction(float(v)) * int(w) for v, w in zip(values[:, c], weights[r], strict=True))
            assert (
                abs(Fraction(float(found[r, c])) - exact)
                <= abs(exact) / 2**52 + Fraction(np.abs(values).max()) / 2**75
            )
    assert np.array_equal(exact_sums(weights[:, order], values[order]), found)


def test_means_that_differ_by_rounding_errors_are_tied():
    """0.1 + 0.2 and 0.3 + 0: the same mean, told apart by NumPy's and even by exact sums of doubles."""
    scores = cd.Scores([[0.1, 0.3, 0.2], [0.2, 0.0, 0.2]], systems=["a", "b", "c"])
    means = scores.mean()
    assert means["a"] == means["b"] == 0.15
    assert (means.n_tied, means.n_tied_by_rounding) == (2, 2)
    assert cd.tau_b(means, {"c": 3, "b": 2, "a": 1}) == cd.tau_b([0.15, 0.15, 0.2], [1, 2, 3])


def test_scores_are_built_from_arrays_frames_and_mappings_alike(wide):
    table = [[0.2, 0.5, 0.25], [0.4, 0.3, 0.35], [0.1, 0.1, 0.6]]
    topics, systems = ["401", "402", "403"], ["bm25", "dense", "rm3"]
    frame = pd.DataFrame(table, index=topics, columns=systems)
    plain = cd.Scores(table, topics=topics, systems=systems)
    nested = {topic: dict(zip(systems, row, strict=True)) for topic, row in zip(topics, table, strict=True)}
    assert plain == cd.Scores.of(frame) == cd.Scores.of(nested) == cd.Scores.of({"score": nested})
    assert cd.Scores.of(frame.rename_axis("topic").reset_index()) == plain
    assert cd.Scores.of(pl.from_pandas(frame.rename_axis("topic").reset_index())) == plain
    assert cd.Scores.of(plain.to_frame()) == cd.Scores.of(pl.from_pandas(plain.to_frame())) == plain
    renamed = plain.to_frame().rename(columns={"system": "who"})
    assert cd.Scores.of(renamed, columns={"system": "who"}) == plain
    assert np.array_equal(wide.values, plain.values)


def test_slices_by_label(wide):
    part = wide.select(topics=["403", "401"], systems=["rm3"])
    assert part.values.tolist() == [[[0.6], [0.25]]]
    assert (part.topics, part.systems) == (("403", "401"), ("rm3",))
    both = cd.Scores(np.ones((2, 1, 1)), measures=["AP", "RR"])
    assert both["RR"].measures == ("RR",)
    with pytest.raises(ValueError, match=r"there are 2 measures \(AP, RR\); choose one"):
        both.mean()
    with pytest.raises(ValueError, match="there is no system 'dpr'; there are bm25, dense, rm3"):
        wide.select(systems=["dpr"])


def test_missing_scores_are_named_and_never_averaged_over():
    scores = cd.Scores.of({"q1": {"a": 1.0, "b": 0.5}, "q2": {"a": 0.5}})
    assert scores.missing() == [("score", "q2", "b")]
    with pytest.raises(ValueError, match="score of system 'b' is missing for topic 'q2'"):
        scores.mean()
    assert dict(scores.fill().mean()) == {"a": 0.75, "b": 0.25}
    assert scores.complete().topics == ("q1",)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: cd.Scores([[1, 2]], systems=["a"]), "there are 1 systems and 2 in values"),
        (lambda: cd.Scores([[1, 2]], systems=["a", "a"]), "system 'a' is there twice"),
        (lambda: cd.Scores([[1, math.inf]]), "must be finite"),
        (lambda: cd.Scores(np.zeros((1, 1, 1, 1))), "got shape"),
        (lambda: cd.Scores.of({"m": {"t": {"s": {"x": 1}}}}), "got 4 levels"),
        (lambda: cd.Scores([1, 2]).select(systems="1"), "must be a list of labels"),
        (lambda: cd.Scores.of_rows([("m", "t", "s", 1.0)] * 2), "has two scores"),
    ],
)
def test_scores_that_make_no_sense_are_refused(build, message):
    with pytest.raises((ValueError, TypeError), match=message):
        build()


# --- readers and writers ----------------------------------------------------------------------------------------

TREC_EVAL = "\n".join(
    f"{measure:<22}\t{topic}\t{value}"
    for measure, topic, value in [
        ("num_rel", "401", "3"), ("map", "401", "0.2000"), ("P_10", "401", "0.1000"),
        ("map", "402", "0.4000"), ("P_10", "402", "0.3000"),
        ("runid", "all", "bm25"), ("num_q", "all", "2"), ("num_rel", "all", "3"), ("map", "all", "0.3000"),
        ("gm_map", "all", "0.2828"), ("P_10", "all", "0.2000"),
    ]
)  # fmt: skip


@pytest.mark.parametrize("format", [None, "given"])
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("wide", WIDE),
        ("wide", WIDE.replace(",", "\t")),
        ("wide", WIDE.replace(",", ";")),
        ("wide", "\ufeff" + WIDE.replace("\n", "\r\n")),
        ("wide", '"topic","bm25","dense","rm3"\n"401","0.2",".5",2.5e-1\n402,4e-1,0.3,0.35\n\n403,0.1,0.1,+0.6\n'),
        ("wide", "bm25,dense,rm3\n401,0.2,0.5,0.25\n402,0.4,0.3,0.35\n403,0.1,0.1,0.6\n"),  # as R writes row names
        ("long", "topic,system,value\n" + "".join(
            f"{t},{s},{v}\n" for t, row in (("401", (0.2, 0.5, 0.25)), ("402", (0.4, 0.3, 0.35)), ("403", (0.1, 0.1, 0.6)))
            for s, v in zip(("bm25", "dense", "rm3"), row, strict=True))),
        ("jsonl", "".join(
            f'{{"query_id": {t}, "run": "{s}", "score": {v}}}\n'
            for t, row in ((401, (0.2, 0.5, 0.25)), (402, (0.4, 0.3, 0.35)), (403, (0.1, 0.1, 0.6)))
            for s, v in zip(("bm25", "dense", "rm3"), row, strict=True))),
    ],
)  # fmt: skip
def test_formats_give_the_same_scores(tmp_path, wide, kind, text, format):
    path = tmp_path / "scores.txt"
    path.write_bytes(text.encode())
    packed = tmp_path / "scores.bin"  # packed, whatever its name says
    packed.write_bytes(gzip.compress(text.encode()))
    for source in (path, str(path), packed, tmp_path / "*.txt", path.open("rb"), path.open()):
        found = cd.read_scores(source, format=kind if format else None)
        assert found.topics == wide.topics
        assert found.systems == wide.systems
        assert np.array_equal(found.values, wide.values)
        if hasattr(source, "close"):
            source.close()


def test_a_table_without_topics_numbers_them():
    found = cd.read_scores(io.StringIO("s1,s2\n0.1,0.2\n0.3,0.4\n"))
    assert found.topics == ("1", "2")
    assert found.systems == ("s1", "s2")


def test_trec_eval_output_of_several_runs(tmp_path):
    (tmp_path / "a.eval").write_text(TREC_EVAL)
    (tmp_path / "b.eval").write_text(TREC_EVAL.replace("bm25", "ql"))
    found = cd.read_scores(tmp_path / "*.eval")
    assert found.measures == ("map", "P_10")
    assert found.systems == ("bm25", "ql")
    assert found["map"].mean()["bm25"] == 0.3
    joined = cd.read_scores(io.StringIO(TREC_EVAL + "\n" + TREC_EVAL.replace("bm25", "ql")))
    assert joined == found


def test_trec_eval_averages_over_unanswered_topics_too():
    """With -c, num_q counts topics that the run did not answer, and the averages are over these."""
    over_four = TREC_EVAL.replace("num_q                 \tall\t2", "num_q                 \tall\t4")
    over_four = over_four.replace("all\t0.3000", "all\t0.1500").replace("all\t0.2000", "all\t0.1000")
    assert cd.read_scores(io.StringIO(over_four)).systems == ("bm25",)


def test_ir_measures_output(tmp_path):
    path = tmp_path / "bm25.txt"
    path.write_text(
        "401\tAP\t0.2000\n401\tnDCG@10\t0.3\n402\tAP\t0.4\n402\tnDCG@10\t0.5\nall\tAP\t0.3000\nall\tnDCG@10\t0.4\n"
    )
    found = cd.read_scores(path)
    assert (found.measures, found.systems) == (("AP", "nDCG@10"), ("bm25",))
    assert found.mean("AP")["bm25"] == 0.3


@pytest.mark.parametrize("name", ["s.csv", "s.tsv", "s.csv.gz", "s.jsonl", "s.jsonl.gz", "s.parquet"])
def test_what_is_written_is_read_again(tmp_path, name):
    rng = np.random.default_rng(1)
    values = rng.random((2, 5, 4))
    values[0, 2, 1] = math.nan
    scores = cd.Scores(values, measures=["AP", "RR"], topics=["q,1", 'q"2', "q 3", "ü", "5"])
    cd.write_scores(scores, tmp_path / name)
    assert cd.read_scores(tmp_path / name) == scores
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_wide_tables_hold_one_measure(tmp_path, wide):
    cd.write_scores(wide, tmp_path / "w.csv", format="wide")
    assert np.array_equal(cd.read_scores(tmp_path / "w.csv").values, wide.values)
    with pytest.raises(ValueError, match="2 measures"):
        cd.write_scores(cd.Scores(np.ones((2, 1, 1)), measures=["a", "b"]), tmp_path / "x.csv", format="wide")


def test_packed_files_are_the_same_bytes_each_time(tmp_path, wide):
    for name in ("a.csv.gz", "b.csv.gz"):
        cd.write_scores(wide, tmp_path / name)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_an_interrupted_write_leaves_what_was_there(tmp_path):
    """Killed in the middle of writing: the old file is whole, and no other file is called like it."""
    target = tmp_path / "scores.csv"
    target.write_text("old")
    code = f"""
import os, sys
from concordant.io import _files
real = os.fsync
def slow(handle):
    print("writing", flush=True)
    import time; time.sleep(60)
os.fsync = slow
_files.write_whole({str(target)!r}, "new" * 1000)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "writing\n"
    process.send_signal(signal.SIGINT)
    process.wait(timeout=20)
    process.stdout.close()
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["scores.csv"]


def test_a_failed_write_leaves_nothing(tmp_path):
    with pytest.raises(cd.InputError, match="cannot be written"):
        write_whole(tmp_path / "no" / "such" / "folder.csv", "x")
    with pytest.raises(cd.InputError, match="is a folder"):
        write_whole(tmp_path, "x")
    assert list(tmp_path.iterdir()) == []


def test_written_files_have_usual_permissions(tmp_path):
    write_whole(tmp_path / "a", "x")
    (tmp_path / "b").write_text("x")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


# --- runs and judgements ----------------------------------------------------------------------------------------


def write_run(path, topics, tag):
    lines = [f"{t} Q0 {d} 0 {score} {tag}" for t, docs in topics.items() for d, score in docs.items()]
    path.write_text("\n".join(lines) + "\n")


def random_collection(tmp_path, rng, n_runs=3, n_topics=6, ties=True):
    """Runs with many tied scores, some topics unanswered, some documents unjudged, negative grades."""
    qrels = {
        str(t): {f"d{d}": int(rng.integers(-1, 4)) for d in rng.permutation(40)[:25]}
        for t in range(1, n_topics + 1)
    }
    lines = [f"{t} 0 {d} {rel}" for t, docs in qrels.items() for d, rel in docs.items()]
    (tmp_path / "qrels").write_text("\n".join(lines) + "\n")
    (tmp_path / "runs").mkdir()
    for r in range(n_runs):
        topics = {
            t: {
                f"d{d}": (int(rng.integers(0, 5)) if ties else rng.random()) for d in rng.permutation(40)[:20]
            }
            for t in qrels
            if r != 1 or t != "2"
        }
        write_run(tmp_path / "runs" / f"r{r}", topics, f"sys{r}")
    return qrels


def test_evaluation_is_that_of_trec_eval(tmp_path):
    """Through pytrec_eval, trec_eval's own code, given the runs as they are: ties, negative grades, missing topics."""
    import pytrec_eval

    rng = np.random.default_rng(3)
    qrels = random_collection(tmp_path, rng)
    names = {
        "AP": "map",
        "P@10": "P_10",
        "nDCG@10": "ndcg_cut_10",
        "RR": "recip_rank",
        "Bpref": "bpref",
        "infAP": "infAP",
    }
    scores = cd.evaluate(tmp_path / "qrels", tmp_path / "runs" / "*", list(names))
    for r in range(3):
        run = cd.read_run(tmp_path / "runs" / f"r{r}")
        theirs = pytrec_eval.RelevanceEvaluator(qrels, set(names.values())).evaluate(run.topics)
        for m, name in enumerate(names):
            for t, topic in enumerate(scores.topics):
                expected = theirs[topic][names[name]] if topic in theirs else 0.0
                assert scores.values[m, t, r] == pytest.approx(expected, abs=1e-12), (name, topic, r)
    assert scores.systems == ("sys0", "sys1", "sys2")
    assert "1 unanswered topics count as 0, of 1 runs: sys1" in scores.notes


def test_every_provider_sees_the_order_of_trec_eval(tmp_path):
    """RR@10 has another provider than RR; both must break ties alike."""
    rng = np.random.default_rng(5)
    random_collection(tmp_path, rng, n_topics=20)
    scores = cd.evaluate(tmp_path / "qrels", tmp_path / "runs" / "*", ["RR", "RR@1000"])
    assert np.array_equal(scores["RR"].values, scores["RR@1000"].values)


@given(
    st.dictionaries(
        st.text("abcxyz0123é", min_size=1), st.sampled_from([0.1, 0.1 + 1e-12, 0.5, 2.0, -1.0]), min_size=1
    )
)
@settings(max_examples=200, deadline=None)
def test_order_of_trec_eval(documents):
    """By score as a single-precision float, then by document, both descending."""
    ranked = sorted(documents, key=lambda d: (np.float32(documents[d]), d.encode()), reverse=True)
    found = in_trec_order(documents)
    assert sorted(found, key=found.get, reverse=True) == ranked
    assert len(set(found.values())) == len(found)


def test_rbp_of_the_paper(tmp_path):
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n1 0 c 2\n")
    write_run(tmp_path / "r", {"1": {"a": 3, "b": 2, "c": 1}}, "x")
    scores = cd.evaluate(tmp_path / "q", tmp_path / "r", "RBP(p=0.5)")
    assert scores.values.item() == pytest.approx(0.5 * (1 + 0.25), abs=1e-9)  # Moffat and Zobel 2008, eq. 1


def test_the_rank_column_is_ignored_and_order_of_lines_too(tmp_path):
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "r").write_text("1 Q0 b 1 0.1 x\n1 Q0 a 2 0.9 x\n")
    assert cd.evaluate(tmp_path / "q", tmp_path / "r", "RR").values.item() == 1.0


def test_scores_do_not_depend_on_workers(tmp_path):
    random_collection(tmp_path, np.random.default_rng(7), n_runs=5)
    seen = []
    one = cd.evaluate(tmp_path / "qrels", tmp_path / "runs" / "*", ["AP", "nDCG@5"])
    two = cd.evaluate(
        tmp_path / "qrels",
        tmp_path / "runs" / "*",
        ["AP", "nDCG@5"],
        workers=2,
        progress=lambda *p: seen.append(p),
    )
    assert one == two
    assert one.notes == two.notes
    assert seen[0] == (0, 5)
    assert seen[-1] == (5, 5)


def test_what_a_run_did_not_answer(tmp_path):
    random_collection(tmp_path, np.random.default_rng(9))
    how = (tmp_path / "qrels", tmp_path / "runs" / "*", "AP")
    assert cd.evaluate(*how).values[0, 1, 1] == 0
    assert math.isnan(cd.evaluate(*how, on_missing="keep").values[0, 1, 1])
    dropped = cd.evaluate(*how, on_missing="drop")
    assert dropped.topics == ("1", "3", "4", "5", "6")
    assert any("dropped 1 topics that not all runs answered: 2" in note for note in dropped.notes)
    with pytest.raises(cd.InputError, match="run 'sys1' has no answer for topic '2'"):
        cd.evaluate(*how, on_missing="error")


def test_systems_may_be_named_by_file(tmp_path):
    random_collection(tmp_path, np.random.default_rng(1))
    assert cd.evaluate(tmp_path / "qrels", tmp_path / "runs" / "*", "AP", names="file").systems == (
        "r0",
        "r1",
        "r2",
    )


def test_topics_without_relevant_documents_are_noted(tmp_path):
    (tmp_path / "q").write_text("1 0 a 1\n2 0 a 0\n")
    write_run(tmp_path / "r", {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}}, "x")
    notes = cd.evaluate(tmp_path / "q", tmp_path / "r", "AP").notes
    assert notes[0].startswith("no relevant documents are known for topic 2")
    assert notes[1] == "topics without judgements were left out of 1 runs: x"


def test_huge_ids_and_negative_grades_are_fine(tmp_path):
    doc = "d" * 200_000
    (tmp_path / "q").write_text(f"1 0 {doc} 1\n1 0 b -2\n")
    write_run(tmp_path / "r", {"1": {doc: 1, "b": 2}}, "x")
    assert cd.evaluate(tmp_path / "q", tmp_path / "r", "RR").values.item() == 0.5


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("map", "did you mean MAP"),
        ("bogus", "there is no measure 'bogus'"),
        ("nDCG@x", "cannot read the measure"),
        ("P(foo=1)@5", "has no parameter 'foo'"),
        ("P", "cannot be computed"),
    ],
)
def test_measures_that_cannot_be(tmp_path, measure, message):
    (tmp_path / "q").write_text("1 0 a 1\n")
    write_run(tmp_path / "r", {"1": {"a": 1}}, "x")
    with pytest.raises(ValueError, match=message):
        cd.evaluate(tmp_path / "q", tmp_path / "r", measure)


# --- alignment --------------------------------------------------------------------------------------------------


def test_systems_on_one_side_only():
    x = {"q": {"a": 1.0, "b": 2.0, "c": 3.0}}
    y = {"q": {"c": 1.0, "a": 2.0}}
    with pytest.raises(ValueError, match="estimate lacks 1 system that another side has: b"):
        cd.align(x, y)
    dropped = cd.align(x, y, on_missing="drop")
    assert dropped.truth.systems == dropped.estimates[0].systems == ("a", "c")
    assert dropped.dropped_systems == ("b",)
    zero = cd.align(x, y, on_missing="zero")
    assert dict(zero.estimates[0].mean()) == {"a": 2.0, "b": 0.0, "c": 1.0}
    with pytest.raises(ValueError, match="no system in common"):
        cd.align({"a": 1.0}, {"b": 1.0}, on_missing="drop")


def test_topics_on_one_side_only():
    x = {"q1": {"a": 1.0, "b": 2.0}, "q2": {"a": 3.0, "b": 1.0}}
    y = {"q1": {"a": 1.0, "b": 2.0}}
    own = cd.align(x, y)
    assert len(own.truth.topics) == 2
    assert "different topics (truth has 2, estimate has 1, 1 in common)" in own.notes[0]
    assert cd.align(x, y, on_missing="drop").truth.topics == ("q1",)
    with pytest.raises(ValueError, match="estimate lacks 1 topic"):
        cd.align(x, y, on_missing="error")


def test_scores_that_one_system_lacks():
    x = {"q1": {"a": 1.0, "b": 2.0}, "q2": {"a": 3.0}}
    assert cd.align(x, x).truth.values.tolist() == [[[1, 2], [3, 0]]]
    assert "truth: 1 missing score count as 0, of 1 system: b" in cd.align(x, x).notes
    assert cd.align(x, x, on_missing="drop").truth.topics == ("q1",)
    with pytest.raises(ValueError, match="truth has no score of system 'b' for topic 'q2'"):
        cd.align(x, x, on_missing="error")


def test_ties_among_means_are_reported():
    x = {"q": {"a": 1.0, "b": 1.0, "c": 2.0}}
    assert "truth: 2 of 3 systems share their mean score with another" in cd.align(x, x).notes


# --- the simulated collection -----------------------------------------------------------------------------------


def test_the_collection_obeys_its_seed(tmp_path):
    small = {"n_topics": 3, "n_systems": 5, "n_documents": 60, "depth": 30}
    one, same, other = (cd.simulate.collection(**small, rng=seed) for seed in (1, 1, 2))
    assert one.qrels == same.qrels
    assert one.runs == same.runs
    assert one.judges == same.judges
    assert one.runs != other.runs
    one.write(tmp_path)
    assert cd.read_qrels(tmp_path / "human.qrels") == one.qrels
    for name, topics in one.runs.items():
        run = cd.read_run(tmp_path / "runs" / f"{name}.run")
        assert run.name == name
        assert run.topics == topics


def test_the_partial_judge_favours_the_neural_systems():
    made = cd.simulate.collection(n_topics=20, rng=4)
    gains = {}
    for name, qrels in made.judges.items():
        relevant = {t: {d for d, g in docs.items() if g > 0} for t, docs in qrels.items()}
        true = {t: {d for d, g in docs.items() if g > 0} for t, docs in made.qrels.items()}
        by_family = {}
        for system, topics in made.runs.items():
            top = {t: sorted(docs, key=docs.get, reverse=True)[:10] for t, docs in topics.items()}
            gain = sum(len(set(d) & relevant[t]) - len(set(d) & true[t]) for t, d in top.items())
            by_family.setdefault(system.split("-")[0], []).append(gain)
        means = {family: np.mean(g) for family, g in by_family.items()}
        gains[name] = means.pop("neural") - np.mean(list(means.values()))
    assert gains["partial"] > 10
    assert abs(gains["noisy"]) < 10


@pytest.mark.parametrize("name", ["n_topics", "n_systems", "n_documents", "depth", "pool_depth"])
@pytest.mark.parametrize("bad", [0, -1, 1.5, True, "3"])
def test_a_collection_of_nonsense(name, bad):
    with pytest.raises(ValueError, match=f"{name} must be a whole number from 1 up"):
        cd.simulate.collection(**{name: bad})


# --- unusual use --------------------------------------------------------------------------------------------------


def read(text, **how):
    return cd.read_scores(io.StringIO(text), **how)


def test_topics_of_any_name_reach_every_provider(tmp_path):
    """gdeval, which computes ERR, cuts names at hyphens and takes only numbers."""
    if shutil.which("perl") is None:
        pytest.skip("gdeval is a perl program")
    (tmp_path / "q").write_text("wt-1 0 d1 1\nwt-2 0 d1 2\nall-x 0 d1 1\n")
    (tmp_path / "r").write_text("wt-1 Q0 d1 1 3 A\nwt-2 Q0 d1 1 3 A\nall-x Q0 d2 1 3 A\n")
    scores = cd.evaluate(tmp_path / "q", tmp_path / "r", "ERR@5")
    assert scores.values.ravel().tolist() == [0.0625, 0.1875, 0.0]  # (2^g - 1) / 16 at rank 1


def test_dropping_a_topic_drops_it_on_all_sides():
    x = {
        "q1": {"a": 0.1, "b": 0.2, "c": 0.3},
        "q2": {"a": 0.9, "b": 0.2, "c": 0.1},
        "q3": {"a": 0.5, "b": 0.4, "c": 0.35},
    }
    y = {topic: dict(row) for topic, row in x.items()}
    del y["q2"]["c"]
    aligned = cd.align(x, y, on_missing="drop")
    assert aligned.truth.topics == aligned.estimates[0].topics == ("q1", "q3")
    assert aligned.dropped_topics == ("q2",)
    assert cd.correlate(x, {"y": y}, "tau_b", on_missing="drop")["correlation"].rows[0][-1] == 1.0


def test_topics_that_count_as_zero_are_added():
    two = {"q1": {"a": 0.1, "b": 0.2, "c": 0.3}, "q2": {"a": 0, "b": 0, "c": 0}}
    found = cd.correlate(two, {"e": {"q1": two["q1"]}}, "tau_e(0.06)", on_missing="zero")
    assert found["correlation"].rows[0][-1] == 1.0


def test_a_series_is_aligned_by_its_index():
    x, y = pd.Series({"a": 0.1, "b": 0.2, "c": 0.3}), pd.Series({"c": 0.3, "b": 0.2, "a": 0.1})
    assert cd.correlate(x, {"e": y}, "tau_b")["correlation"].rows[0][-1] == 1.0


@pytest.mark.parametrize("name", ["id", "topic_number", "Query ID", "qid", "TOPIC"])
def test_the_column_of_topics_is_found_wherever_it_is(tmp_path, name):
    expected = ("401", "402")
    assert read(f"{name},a,b\n401,0.1,0.2\n402,0.3,0.4\n").topics == expected
    at_the_end = read(f"a,b,{name}\n0.1,0.2,401\n0.3,0.4,402\n")
    assert at_the_end.topics == (("1", "2") if name == "id" else expected)  # a system may be called id
    frame = pd.DataFrame({"a": [0.1, 0.3], "b": [0.2, 0.4]}, index=pd.Index([401, 402], name=name))
    assert cd.Scores.of(frame.reset_index()).topics == expected
    for index_name in (name, None):
        frame.rename_axis(index_name).to_parquet(tmp_path / "t.parquet")
        found = cd.read_scores(tmp_path / "t.parquet")
        assert (found.topics, found.systems) == (expected, ("a", "b"))


def test_three_columns_are_told_apart():
    found = read("q1\tAP\t0.5\nq2\tAP\t0.3\n")
    assert (found.measures, found.topics) == (("AP",), ("q1", "q2"))
    many = "".join(f"t{i}\tnDCG@10\t0.5\nt{i}\tAP\t0.25\n" for i in range(1500)) + "all\tAP\t0.25\n"
    assert read(many).measures == ("nDCG@10", "AP")
    assert read("map\tq1\t0.5\nmap\tq2\t0.3\n").topics == ("q1", "q2")
    assert read("topic\t1\t2\n401\t0.2\t0.5\n402\t0.1\t0.3\n").systems == ("1", "2")
    assert read("topic\t1\t2\t3\n401\t0.2\t0.5\t1\n402\t0.1\t0.3\t2\n").systems == ("1", "2", "3")
    assert read("topic\tsystem\tvalue\n1\tbm25\t0.5\n1\tql\t0.4\n").systems == ("bm25", "ql")


def test_rows_of_topic_all_are_averages_everywhere():
    for text in (
        "topic,a,b\n1,0.1,0.2\nall,0.1,0.2\n",
        "topic,system,value\n1,a,0.1\n1,b,0.2\nall,a,0.1\n",
        '{"topic": 1, "system": "a", "value": 0.1}\n{"topic": 1, "system": "b", "value": 0.2}\n{"topic": "all", "system": "a", "value": 0.1}\n',
    ):
        found = read(text)
        assert found.topics == ("1",)
        assert found.notes == (
            "the open file: rows of topic 'all' are averages, not scores, and were left out",
        )


def test_a_row_without_scores_keeps_its_place():
    assert read("a,b\n0.1,0.2\n,\n0.5,0.4\n").missing() == [
        ("the open file", "2", "a"),
        ("the open file", "2", "b"),
    ]


def test_marks_within_names_are_no_delimiters(tmp_path):
    assert read('topic,"bm25;k1=1;b=0.7","rm3;k1=2;b=1"\n1,0.1,0.2\n').systems == (
        "bm25;k1=1;b=0.7",
        "rm3;k1=2;b=1",
    )
    assert read("topic\tx(k=1,b=1)\ty(k=1,b=2)\n1\t0.1\t0.2\n").systems == ("x(k=1,b=1)", "y(k=1,b=2)")
    scores = cd.Scores([[0.5, 0.25]], systems=["a,b;c", "d\te"], measures=["AP"])
    for name in ("s.parquet", "s.parquet.gz", "s.csv", "s.tsv"):
        cd.write_scores(scores, tmp_path / name)
        assert cd.read_scores(tmp_path / name) == scores


def test_counts_in_trec_eval_output_are_not_measures():
    text = "num_nonrel_judged_ret\t1\t3\nmap\t1\t0.5\nrelstring_10\t1\t'0101'\nnum_nonrel_judged_ret\tall\t9\nmap\tall\t0.5\n"
    assert read(text).measures == ("map",)


def test_only_the_judgements_that_lack_topics_are_noted(tmp_path):
    (tmp_path / "h").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "j").write_text("1 0 a 1\n")
    write_run(tmp_path / "r", {"1": {"a": 1}, "2": {"a": 1}}, "x")
    from concordant.evaluation import evaluate_under

    found = evaluate_under({"h": tmp_path / "h", "j": tmp_path / "j"}, tmp_path / "r", "AP")
    assert found["h"].notes == ()
    assert found["j"].notes == ("topics without judgements were left out of 1 runs: x",)


def test_columns_that_json_lines_lack_are_named():
    with pytest.raises(cd.InputError, match="has no 'modle', which columns= or --columns names"):
        read('{"topic": 1, "model": "a", "value": 1}\n', columns={"system": "modle"})


def test_links_and_permissions_stay(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "real").chmod(0o600)
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o600
    write_whole(tmp_path / ("n" * 250), "x")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cd.Scores.of({"q1": {"a": 0.1}, "q2": 0.3}), "scores at different levels"),
        (lambda: cd.read_qrels(["q.qrels"]), "expected a path or an open file, got list"),
        (lambda: cd.evaluate({"1": {"d": 1}}, "r", 3), "measures must be names of ir_measures"),
        (lambda: cd.evaluate({"1": {"d": 1.7}}, "r", "AP"), "relevance must be a whole number, got 1.7"),
        (lambda: cd.Scores.of(pd.DataFrame({"topic": [401, None], "system": ["a", "a"], "value": [1.0, 2.0]})), "has no name"),
    ],
)  # fmt: skip
def test_nonsense_from_python(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_empty_parts_of_a_mapping_are_missing_scores():
    assert cd.Scores.of({"q1": {}, "q2": {"a": 0.1}}).topics == ("q2",)


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
    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "s.parquet")], capture_output=True, text=True, check=True
    )
    assert result.stdout == "0\n"


def test_lines_that_end_with_a_mark():
    expected = cd.Scores(
        [[0.2, 0.3], [0.5, 0.6]], topics=["401", "402"], systems=["a", "b"], measures=["the open file"]
    )
    for text in ("topic,a,b\n401,0.2,0.3,\n402,0.5,0.6,\n", "topic,a,b,\n401,0.2,0.3,\n402,0.5,0.6,\n"):
        assert read(text) == expected
    assert read("a,b\n0.2,0.3,\n0.5,0.6,\n").systems == ("a", "b")
    with pytest.raises(cd.InputError, match="expected 3 columns, found 4"):
        read("topic,a,b\n401,0.2,0.3,0.4\n402,0.5,0.6,0.7\n")


def test_whole_numbers_above_all_scores_are_no_system():
    with pytest.raises(cd.InputError, match="name it 'topic' if these are topics"):
        read("q,a,b\n401,0,1\n402,1,1\n403,1,0\n")
    assert read("x,a,b\n3,5,1\n4,1,1\n").systems == ("x", "a", "b")


def test_every_side_has_a_name_or_none():
    with pytest.raises(ValueError, match="there are 2 sides and 1 names"):
        cd.align({"a": 1.0}, {"a": 1.0}, names=["x"])


def test_a_table_of_systems_and_their_means_needs_no_topic(tmp_path):
    (tmp_path / "means.csv").write_text("system,score\nbm25,0.3\nql,0.2\n")
    scores = cd.read_scores(tmp_path / "means.csv")
    assert (scores.systems, scores.topics) == (("bm25", "ql"), ("1",))
    assert dict(scores.mean()) == {"bm25": 0.3, "ql": 0.2}
    frame = pd.DataFrame({"system": ["bm25", "ql"], "value": [0.3, 0.2]})
    assert dict(cd.Scores.of(frame).mean()) == {"bm25": 0.3, "ql": 0.2}
