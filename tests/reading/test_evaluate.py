"""Runs evaluated by judgements: the scores of trec_eval, whatever is missing or tied."""

from __future__ import annotations

import math
import shutil

import numpy as np
import pytest

import concordant as cd
from concordant.reading.evaluate import evaluate_under
from concordant.reading.measure_names import measures_of
from concordant.reading.qrels import read_qrels


def test_evaluation_is_that_of_trec_eval(tmp_path, random_collection):
    """Through pytrec_eval, the code of trec_eval, given the runs as they are: ties, negative grades, gaps."""
    import pytrec_eval

    qrels = random_collection(3)
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
    assert "1 unanswered topic was set to 0 (run sys1)" in map(str, scores.notes)


def test_every_provider_sees_the_order_of_trec_eval(tmp_path, random_collection):
    """RR@10 has another provider than RR; both must break ties alike."""
    random_collection(5, n_topics=20)
    scores = cd.evaluate(tmp_path / "qrels", tmp_path / "runs" / "*", ["RR", "RR@1000"])
    assert np.array_equal(scores["RR"].values, scores["RR@1000"].values)


def test_rbp_is_that_of_its_paper(tmp_path, write_run):
    """Moffat and Zobel 2008, equation 1: any grade above 0 is relevant."""
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n1 0 c 2\n")
    write_run(tmp_path / "r", {"1": {"a": 3, "b": 2, "c": 1}}, "x")
    scores = cd.evaluate(tmp_path / "q", tmp_path / "r", "RBP(p=0.5)")
    assert scores.values.item() == pytest.approx(0.5 * (1 + 0.25), abs=1e-9)


def test_rbp_has_levels_and_a_cutoff(tmp_path, write_run):
    """Beside other measures, for runs in trec_eval's order, by the definition."""
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 1\n")
    write_run(tmp_path / "r", {"1": {"a": 3, "b": 2, "c": 1}, "2": {"b": 1, "a": 1}}, "x")
    names = ["RBP(p=0.5,rel=2)", "AP", "RBP(rel=1)@2"]
    scores = cd.evaluate(tmp_path / "q", tmp_path / "r", names)
    assert scores.measures == tuple(names)
    assert scores.values[0].ravel().tolist() == pytest.approx([0.5 * 0.25, 0], abs=1e-12)
    assert scores.values[2].ravel().tolist() == pytest.approx([0.2, 0.2 * 0.8], abs=1e-12)


@pytest.mark.parametrize("p", ["0", "1", "1.5"])
def test_the_persistence_of_rbp_is_a_share(tmp_path, write_run, p):
    (tmp_path / "q").write_text("1 0 a 1\n")
    write_run(tmp_path / "r", {"1": {"a": 3}}, "x")
    with pytest.raises(cd.ArgumentError, match="p must be a number between 0 and 1"):
        cd.evaluate(tmp_path / "q", tmp_path / "r", f"RBP(p={p})")


def test_scores_do_not_depend_on_workers(tmp_path, random_collection):
    """One process and two give the same scores and notes, and progress counts runs."""
    random_collection(7, n_runs=5)
    how = (tmp_path / "qrels", tmp_path / "runs" / "*", ["AP", "nDCG@5"])
    seen = []
    one = cd.evaluate(*how)
    two = cd.evaluate(*how, workers=2, progress=lambda *p: seen.append(p))
    assert one == two
    assert one.notes == two.notes
    assert seen[0] == (0, 5)
    assert seen[-1] == (5, 5)


def test_what_a_run_did_not_answer_is_zero_dropped_refused_or_kept(tmp_path, random_collection):
    """Each value of on_missing does what it says."""
    random_collection(9)
    how = (tmp_path / "qrels", tmp_path / "runs" / "*", "AP")
    assert cd.evaluate(*how).values[0, 1, 1] == 0
    assert math.isnan(cd.evaluate(*how, on_missing="keep").values[0, 1, 1])
    dropped = cd.evaluate(*how, on_missing="drop")
    assert dropped.topics == ("1", "3", "4", "5", "6")
    assert "dropped 1 topic that not all runs answered: 2" in map(str, dropped.notes)
    assert "dropped 1 topic that not all runs answered: 2" in map(str, dropped.notes)
    with pytest.raises(
        cd.InputError, match=r"^run 'sys1' has no answer for topic '2'; set it to 0 with "
    ) as e:
        cd.evaluate(*how, on_missing="error")
    assert str(e.value).endswith("with on_missing='zero', or leave out the topic with on_missing='drop'")


def test_systems_may_be_named_by_file(tmp_path, random_collection):
    """Tags are the default."""
    random_collection(1)
    how = (tmp_path / "qrels", tmp_path / "runs" / "*", "AP")
    assert cd.evaluate(*how, names="file").systems == ("r0", "r1", "r2")
    assert cd.evaluate(*how, names="tag").systems == cd.evaluate(*how).systems == ("sys0", "sys1", "sys2")


def test_topics_without_relevant_documents_are_noted(tmp_path, write_run):
    """And so are topics of runs that have no judgements."""
    (tmp_path / "q").write_text("1 0 a 1\n2 0 a 0\n")
    write_run(tmp_path / "r", {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}}, "x")
    notes = cd.evaluate(tmp_path / "q", tmp_path / "r", "AP").notes[1:]
    assert (notes[0].kind, notes[0].values) == ("topics_without_relevant", {"topics": ("2",)})
    assert str(notes[0]).startswith("no relevant documents are known for topic 2")
    assert (notes[1].kind, notes[1].values) == ("topics_without_judgements", {"runs": ("x",)})
    assert str(notes[1]) == "topics without judgements were left out of 1 run: x"


def test_only_the_judgements_that_lack_topics_are_noted(tmp_path, write_run):
    """Of several sets of judgements each has its own notes."""
    (tmp_path / "h").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "j").write_text("1 0 a 1\n")
    write_run(tmp_path / "r", {"1": {"a": 1}, "2": {"a": 1}}, "x")
    judged = {name: (read_qrels(tmp_path / name), measures_of(["AP"])) for name in "hj"}
    found = evaluate_under(judged, tmp_path / "r")
    assert found["h"].notes[1:] == ()
    assert list(map(str, found["j"].notes[1:])) == ["topics without judgements were left out of 1 run: x"]


def test_several_judgements_give_what_each_gives_alone(tmp_path, random_collection):
    """Measures may differ between sets of judgements."""
    qrels = random_collection(11)
    half = {topic: dict(list(docs.items())[:12]) for topic, docs in qrels.items()}
    judged = {"all": (qrels, measures_of(["AP"])), "half": (half, measures_of(["RR", "P@5"]))}
    for workers in (1, 2):
        found = evaluate_under(judged, tmp_path / "runs" / "*", workers=workers)
        assert found["all"] == cd.evaluate(qrels, tmp_path / "runs" / "*", "AP")
        assert found["half"] == cd.evaluate(half, tmp_path / "runs" / "*", ["RR", "P@5"])


def test_topics_of_any_name_reach_every_provider(tmp_path):
    """gdeval, which computes ERR, cuts names at hyphens and takes only numbers."""
    if shutil.which("perl") is None:
        pytest.skip("gdeval is a perl program")
    (tmp_path / "q").write_text("wt-1 0 d1 1\nwt-2 0 d1 2\nall-x 0 d1 1\n")
    (tmp_path / "r").write_text("wt-1 Q0 d1 1 3 A\nwt-2 Q0 d1 1 3 A\nall-x Q0 d2 1 3 A\n")
    scores = cd.evaluate(tmp_path / "q", tmp_path / "r", "ERR@5")
    assert scores.values.ravel().tolist() == [0.0625, 0.1875, 0.0]  # (2^g - 1) / 16 at rank 1


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("bogus", "there is no measure 'bogus'"),
        ("nDCG@x", "cannot read the measure"),
        ("P(foo=1)@5", "has no parameter 'foo'"),
        ("P", "'P' needs a cutoff, as in P@10"),
        ("IPrec", "the recall must be a number from 0 to 1, as in IPrec@0.1"),
        ("IPrec@1.5", "the recall must be a number from 0 to 1"),
        ("IPrec(p=1)@0.1", "has no parameter 'p'"),
        ("P@0", "the cutoff and rel must be from 1 to 1000000"),
        ("AP(rel=99999999999999999999)", "the cutoff and rel must be from 1 to 1000000"),
        ("RR(rel=2147483648)", "the cutoff and rel must be from 1 to 1000000"),
        ("AP(rel='x')", "the cutoff and rel must be from 1 to 1000000"),
        ("nDCG(gains={0:1e400})@10", "gains must map grades to gains, whole numbers up to 1000000"),
        ("nDCG(gains=5)", "gains must map grades to gains, whole numbers up to 1000000"),
        ("nDCG(gains={1:9999999999})", "gains must map grades to gains, whole numbers up to 1000000"),
        ([], "no measures were given; name at least one, such as AP"),
        (3, "measures must be names of ir_measures, such as 'nDCG@10', or its measures, got 3"),
    ],
)
def test_measures_that_cannot_be_are_refused(tmp_path, write_run, measure, message):
    """The message begins with the function and says what is wrong with the measure."""
    (tmp_path / "q").write_text("1 0 a 1\n")
    write_run(tmp_path / "r", {"1": {"a": 1}}, "x")
    with pytest.raises((cd.ArgumentError, cd.ArgumentTypeError), match=f"^evaluate: .*{message}"):
        cd.evaluate(tmp_path / "q", tmp_path / "r", measure)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": "path"}, "names must be 'tag' or 'file', got 'path'"),
        ({"on_missing": None}, "on_missing must be 'zero', 'drop', 'error' or 'keep', got None"),
        ({"workers": 0}, "workers must be 1 or more, or -1 for all cores, got 0"),
    ],
)
def test_options_that_cannot_be_are_refused(options, message):
    """Before anything is read."""
    with pytest.raises(cd.ArgumentError, match=f"^evaluate: {message}"):
        cd.evaluate("no.qrels", "no.run", "AP", **options)


def test_runs_of_the_same_name_are_refused(tmp_path, write_run):
    """The message says how to tell them apart."""
    for name in "ab":
        write_run(tmp_path / name, {"1": {"a": 1}}, "same")
    (tmp_path / "q").write_text("1 0 a 1\n")
    message = r"b: the run is named 'same', as is that in .*a; names='file' names systems by their files"
    with pytest.raises(cd.InputError, match=message):
        cd.evaluate(tmp_path / "q", [tmp_path / "a", tmp_path / "b"], "AP")
    assert cd.evaluate(tmp_path / "q", [tmp_path / "a", tmp_path / "b"], "AP", names="file").systems == (
        "a",
        "b",
    )


# --- documents without a judgement ------------------------------------------------------------------------

JUDGED = {"q1": {"a": 1, "b": 0, "c": -2}, "q2": {"a": "N/A", "b": 1}}
RETRIEVED = {
    "x": {"q1": {"u": 9, "a": 8, "b": 7, "v": 6}, "q2": {"a": 2, "b": 1}},
    "y": {"q1": {"c": 3, "a": 2}, "q2": {"w": 1}, "q9": {"a": 1}},
}


@pytest.mark.parametrize(
    ("measure", "share"), [("P@1", 3 / 4), ("P@2", 3 / 7), ("AP", 4 / 9), ("nDCG@3", 3 / 8)]
)
def test_the_share_of_unjudged_documents_is_up_to_the_cutoff(measure, share):
    """Over all runs and judged topics; 10 documents without a cutoff. A negative grade is a judgement."""
    scores = cd.evaluate(JUDGED, RETRIEVED, [measure, "RR"])
    assert scores.unjudged[measure] == pytest.approx(share, abs=1e-15)
    assert scores["RR"].with_measures(["rr"]).unjudged == {"rr": pytest.approx(4 / 9)}
    (note,) = (note for note in scores.notes if note.kind == "unjudged_documents")
    assert note.values["shares"][measure] == scores.unjudged[measure]
    assert cd.read_scores({"q1": {"x": 0.5}}).unjudged == {}


def test_unjudged_documents_are_not_relevant_or_left_out_or_refused():
    """The condensed list of x on q1 is a, b; y has none on q2; RBP is computed here, the others elsewhere."""
    measures = ["RR", "P@1", "RBP(p=0.5)"]
    default, left = (
        cd.evaluate(JUDGED, RETRIEVED, measures, **own) for own in ({}, {"unjudged": "left-out"})
    )
    assert default.values[0].tolist() == [[0.5, 0.5], [0.5, 0.0]]
    assert left.values[0].tolist() == [[1.0, 0.5], [1.0, 0.0]]
    assert left.values[1].tolist() == [[1.0, 0.0], [1.0, 0.0]]
    assert left.values[2].tolist() == [[0.5, 0.25], [0.5, 0.0]]
    assert left.unjudged == default.unjudged
    texts = [str(note) for note in left.notes]
    assert "1 label of 5 is missing or failed ('N/A'); such documents are left out of the runs" in texts
    assert "grades below 0 count as not relevant (1 judgement: -2)" in texts
    with pytest.raises(
        cd.InputError, match=r"^judgements: 1 label of 5 is missing or failed .*unjudged='left-out'"
    ):
        cd.evaluate(JUDGED, RETRIEVED, "RR", unjudged="error")
    labelled = {**JUDGED, "q2": {"a": 0, "b": 1}}
    with pytest.raises(cd.InputError, match=r"document 'u' of topic 'q1' has no judgement; count such"):
        cd.evaluate(labelled, RETRIEVED, "P@1", unjudged="error")
    assert cd.evaluate(labelled, {"q1": {"a": 2, "b": 1, "u": 0}}, "P@2", unjudged="error").unjudged == {
        "P@2": 0
    }
    with pytest.raises(cd.ArgumentError, match="unjudged"):
        cd.evaluate(JUDGED, RETRIEVED, "RR", unjudged="zero")


@pytest.mark.parametrize("measure", ["AP", "nDCG@10", "P@5", "RR", "RBP", "ERR@20", "IPrec@0.1", "Judged@10"])
def test_a_negative_grade_is_not_relevant(measure):
    """As docs/reference/files.md says; only Bpref, infAP and judged_only take it as not judged."""
    values = []
    for grade in (0, -1, -2):
        qrels = {"q": {"a": 1, "b": grade, "c": 2, "e": grade, "z": 1}}
        values.append(
            cd.evaluate(qrels, {"q": dict(zip("bacde", range(5, 0, -1), strict=True))}, measure).values
        )
    assert np.array_equal(values[0], values[1])
    assert np.array_equal(values[0], values[2])
