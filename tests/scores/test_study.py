"""Studies: a reference and its estimates, aligned once, with measures paired and means taken once."""

from __future__ import annotations

import io
from unittest import mock

import numpy as np
import pandas as pd
import pytest

import concordant as cd
from concordant.results.note import Note
from concordant.study.pairing import Measures
from concordant.study.study import study_of

TOPICS, SYSTEMS = ["q1", "q2", "q3"], ["a", "b", "c", "d"]
RNG = np.random.default_rng(0)
HUMAN, LLM = RNG.random((2, 3, 4))


def scores(values=HUMAN, **labels):
    return cd.Scores(values, **{"topics": TOPICS, "systems": SYSTEMS, **labels})


def nested(table):
    rows = zip(TOPICS, table.tolist(), strict=True)
    return {topic: dict(zip(SYSTEMS, row, strict=True)) for topic, row in rows}


FORMS = {
    "Scores": scores,
    "mapping": nested,
    "mapping by measure": lambda table: {"score": nested(table)},
    "wide frame": lambda table: pd.DataFrame(table, index=TOPICS, columns=SYSTEMS),
    "long frame": lambda table: scores(table).to_frame(),
    "shuffled frame": lambda table: scores(table).to_frame().sample(frac=1, random_state=1),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("other", ["Scores", "mapping"])
def test_whatever_holds_the_scores_gives_the_same_study(form, other):
    """Either side may be anything; systems and topics are brought to one order."""
    expected = cd.Study(scores(HUMAN), {"llm": scores(LLM)})
    found = cd.Study(FORMS[other](HUMAN), {"llm": FORMS[form](LLM)})
    assert found.reference == expected.reference
    assert found.estimates["llm"] == expected.estimates["llm"]
    assert [note for note in found.notes if note.kind != "read_as"] == list(expected.notes) == []
    (one,), (two,) = found.pairings, expected.pairings
    assert one.subject == two.subject == "llm by score"
    coefficients = [cd.coefficient("tau_b"), cd.coefficient("pearson_rank")]
    for a, b in zip(one.of_means(coefficients), two.of_means(coefficients), strict=True):
        assert a.values.tolist() == b.values.tolist()


def test_arrays_are_aligned_by_place():
    """Without labels, both sides number their topics and systems."""
    found = cd.Study(HUMAN, {"llm": LLM.tolist()})
    assert np.array_equal(found.reference.values[0], HUMAN)
    assert np.array_equal(found.estimates["llm"].values[0], LLM)
    assert found.systems == ("0", "1", "2", "3")


@pytest.mark.parametrize(
    "estimate",
    [
        LLM,
        scores(LLM, topics=["0", "1", "2"], systems=["0", "1", "2", "3"]),
        dict(zip("0123", LLM.mean(axis=0).tolist(), strict=True)),
        pd.DataFrame(LLM, index=["0", "1", "2"], columns=list("0123")),
    ],
    ids=["array", "Scores", "means", "frame"],
)
def test_one_estimate_alone_is_called_estimate(estimate):
    """No mapping of names is needed for one."""
    assert list(cd.Study(HUMAN, estimate).estimates) == ["estimate"]


@pytest.mark.parametrize("n_estimates", [1, 4])
def test_means_are_taken_once_per_side_and_measure(n_estimates):
    """However many estimates, coefficients and questions there are."""
    measures = ["AP", "RR"]
    values = np.random.default_rng(1).random((n_estimates + 1, 2, 30, 6))
    sides = [cd.Scores(each, measures=measures) for each in values]
    estimates = {f"e{k}": side for k, side in enumerate(sides[1:])}
    taken = []

    def mean(self, measure=None):
        taken.append(measure)
        return original(self, measure)

    original = cd.Scores.mean
    with mock.patch.object(cd.Scores, "mean", mean):
        study = cd.Study(sides[0], estimates)
        for pairing in study.pairings:
            pairing.of_means([cd.coefficient("tau_b")])
            pairing.of_means([cd.coefficient("tau_ap_b"), cd.coefficient("tau_gap")])
        assert study.in_common() is study
    assert sorted(taken) == sorted(measures * (n_estimates + 1))
    assert len(study.pairings) == 2 * n_estimates
    assert study.pairings[0].reference is study.pairings[-2].reference


@pytest.mark.parametrize("question", ["correlate", "judge"])
def test_questions_take_the_means_of_a_study_once(question):
    """Intervals, reasons and several coefficients need no more means than the study has."""
    values = np.random.default_rng(2).random((3, 25, 6))
    taken = []

    def mean(self, measure=None):
        taken.append(measure)
        return original(self, measure)

    original = cd.Scores.mean
    with mock.patch.object(cd.Scores, "mean", mean):
        ask = getattr(cd, question)
        ask(
            values[0],
            {"a": values[1], "b": values[2]},
            ["tau_b", "tau_ap_b"],
            resampling=cd.Resampling(n_resamples=500),
        )
    assert len(taken) == 3


def test_measures_of_the_same_name_are_paired():
    """Those on one side only are left out with a note."""
    human = cd.Scores(np.stack([HUMAN, LLM]), measures=["AP", "RR"])
    llm = cd.Scores(np.stack([LLM, HUMAN]), measures=["RR", "nDCG"])
    study = cd.Study(human, {"llm": llm})
    assert [pairing.measures for pairing in study.pairings] == [Measures("RR", "RR")]
    assert list(map(str, study.notes)) == ["llm: measures on one side only were left out: AP, nDCG"]
    assert (study.pairings[0].name, study.pairings[0].reference.measure) == ("llm", "RR")
    assert np.array_equal(study.pairings[0].reference.values, LLM)
    assert np.array_equal(study.pairings[0].estimate.values, LLM)


def test_a_side_with_one_measure_is_paired_with_each_of_the_other():
    """Their names stand side by side; several different ones on both sides are refused."""
    human = cd.Scores(np.stack([HUMAN, LLM]), measures=["AP", "RR"])
    study = cd.Study(human, {"llm": cd.Scores(LLM, measures=["nDCG"])})
    assert [str(pairing.measures) for pairing in study.pairings] == ["AP / nDCG", "RR / nDCG"]
    assert study.pairings[0].subject == "llm by AP / nDCG"
    assert str(Measures("AP", "AP")) == "AP"
    other = cd.Scores(np.stack([HUMAN, LLM]), measures=["P@5", "P@10"])
    message = (
        "no measure in common: the reference has AP, RR, llm has P@5, P@10; choose some, such as "
        "reference_measures='AP' estimate_measures='P@5', or compare all with all by measures='all'"
    )
    with pytest.raises(cd.ArgumentError) as error:
        _ = cd.Study(human, {"llm": other}).pairings
    assert error.value.text == message


@pytest.mark.parametrize(
    ("how", "pairs"),
    [
        ({"measures": "all"}, "AP-AP AP-P@5 RR-AP RR-P@5"),
        ({"measures": ["all"]}, "AP-AP AP-P@5 RR-AP RR-P@5"),
        ({"reference_measures": ["RR"], "estimate_measures": ["P@5", "AP"]}, "RR-P@5 RR-AP"),
        ({"reference_measures": "recip_rank"}, "RR-AP RR-P@5"),
        ({"estimate_measures": "precision@5"}, "AP-P@5 RR-P@5"),
        ({}, "AP-AP"),
    ],
)
def test_measures_of_each_side_are_compared_each_with_each(how, pairs):
    human = cd.Scores(np.stack([HUMAN, LLM]), measures=["AP", "RR"])
    llm = cd.Scores(np.stack([LLM, HUMAN]), measures=["AP", "P@5"])
    study = cd.Study(human, {"llm": llm}, **how)
    assert ["-".join(pairing.measures) for pairing in study.pairings] == pairs.split()
    assert ["-".join(pairing.measures) for pairing in study.in_common().pairings] == pairs.split()
    last = study.pairings[-1].reference
    assert np.array_equal(last.values, LLM if last.measure == "RR" else HUMAN)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (
            {"measures": ["AP"], "reference_measures": ["AP"]},
            "give measures, which both sides have, or refer",
        ),
        ({"reference_measures": ["P@5"]}, "reference does not have the measure P@5; it has AP, RR"),
        ({"estimate_measures": ["RR"]}, "llm does not have the measure RR; it has AP, P@5"),
        ({"measures": ["all", "AP"]}, "reference does not have the measure all; it has AP, RR"),
    ],
)
def test_measures_that_a_side_does_not_have_are_refused(how, message):
    human = cd.Scores(np.stack([HUMAN, LLM]), measures=["AP", "RR"])
    llm = cd.Scores(np.stack([LLM, HUMAN]), measures=["AP", "P@5"])
    with pytest.raises(cd.ArgumentError, match=message):
        cd.Study(human, {"llm": llm}, **how)


def test_names_of_measures_stay_those_of_the_files_if_each_is_compared_with_each():
    """Otherwise the estimate gets the names of the reference."""
    human, llm = cd.Scores(HUMAN, measures=["nDCG@10"]), cd.Scores(LLM, measures=["ndcg_cut_10"])
    names = {how: cd.Study(human, {"llm": llm}, measures=how).pairings[0].measures for how in (None, "all")}
    assert names == {None: ("nDCG@10", "nDCG@10"), "all": ("nDCG@10", "ndcg_cut_10")}


def test_a_measure_with_two_spellings_on_a_side_is_not_guessed():
    both = cd.Scores(np.stack([HUMAN, LLM]), measures=["MAP", "AP"])
    assert cd.Study(both, {"llm": both}, measures=["AP"]).pairings[0].measures == ("AP", "AP")
    with pytest.raises(cd.ArgumentError, match="does not have the measure map; it has MAP, AP"):
        cd.Study(both, {"llm": both}, measures=["map"])


def test_on_common_topics_leaves_out_what_not_all_sides_have():
    """With a note in place of the one about different topics; ties are those of the means that are left."""
    human = cd.Scores([[0.1, 0.2], [0.3, 0.2], [0.5, 0.6]], topics=TOPICS, systems=["a", "b"])
    llm = cd.Scores([[0.4, 0.1], [0.2, 0.7]], topics=["q2", "q1"], systems=["b", "a"])
    study = cd.Study(human, {"llm": llm})
    assert [note.kind for note in study.notes] == ["topics_differ"]
    assert study.notes[0].values == {"sizes": {"reference": 3, "llm": 2}, "common": 2, "own": False}
    common = study.in_common()
    assert common.reference.topics == common.estimates["llm"].topics == ("q1", "q2")
    assert common.estimates["llm"].values[0].tolist() == [[0.7, 0.2], [0.1, 0.4]]
    assert common.dropped_topics == ("q3",)
    assert [note.kind for note in common.notes] == ["topics_not_in_common", "ties_in_means"]
    assert common.notes[0].values == {"topics": ("q3",)}
    about = {"tied": 2, "systems": 2, "measure": "score", "by_rounding": 0}
    assert (common.notes[1].subject, common.notes[1].values) == ("reference", about)
    pairing = study.pairings[0]
    assert pairing.on_common_topics.reference.mean == common.pairings[0].reference.mean
    with pytest.raises(cd.ArgumentError, match="the sides have no topic in common"):
        cd.Study(human, {"e": cd.Scores([[0.1, 0.2]], topics=["z"], systems=["a", "b"])}).in_common()


def test_values_by_topic_are_those_of_each_row():
    """A topic with ties is undefined for a coefficient that refuses them, not an error."""
    human, llm = HUMAN.copy(), LLM.copy()
    llm[1, 0] = llm[1, 1]
    (pairing,) = cd.Study(human, {"llm": llm}).pairings
    tau, tau_b = pairing.of_topics([cd.coefficient("tau"), cd.coefficient("tau_b")])
    assert tau_b.values.tolist() == [cd.tau_b(x, y) for x, y in zip(human, llm, strict=True)]
    assert np.isnan(tau.values).tolist() == [False, True, False]
    tied = human.copy()
    tied[:, 0] = tied[:, 1]
    with pytest.raises(cd.TiesError):
        cd.Study(tied, {"llm": llm}).pairings[0].of_means([cd.coefficient("tau")])


def test_notes_of_the_scores_are_about_their_side():
    """The name of the side goes in front."""
    note = Note("missing_as_zero", subject="x.csv", text="2 missing scores were set to 0")
    study = cd.Study(scores().noted(note), {"llm": scores(LLM).noted(note)})
    assert [each.subject for each in study.notes] == ["reference: x.csv", "llm: x.csv"]
    assert str(study.notes[1]) == "llm: x.csv: 2 missing scores were set to 0"


def test_a_study_prints_its_size_and_notes():
    """One line, and one for each note."""
    found = cd.Study(scores(), {"llm": scores(LLM).select(systems=["d", "a", "b"])}, on_missing="drop")
    lines = [
        "3 systems on 3 topics, 1 estimate",
        "- dropped 1 system that is missing on at least one side: c",
    ]
    assert repr(found).splitlines() == lines
    assert found.systems == ("a", "b", "d")
    assert found.dropped_systems == ("c",)
    assert list(found.sides) == ["reference", "llm"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cd.Study(scores(), {}), "there are no estimates; give at least one"),
        (
            lambda: cd.Study(scores(), {"reference": scores()}),
            "an estimate cannot be called 'reference'; choose another name",
        ),
        (
            lambda: cd.Study(scores(), {"e": scores()}, on_missing="ignore"),
            "on_missing must be 'error', 'drop' or 'zero', got 'ignore'",
        ),
        (
            lambda: cd.Study(scores(), {"e": scores().select(systems=["a"])}),
            (
                "e lacks 3 systems that another side has: b, c, d; keep those in common with "
                "on_missing='drop', or set them to 0 with on_missing='zero'"
            ),
        ),
    ],
)
def test_studies_that_cannot_be_are_one_sentence(make, message):
    """That begins with the name of the class."""
    with pytest.raises(cd.ArgumentError) as error:
        make()
    assert str(error.value) == f"Study: {message}"


BY_NAME = "give them by name, such as {'gpt': {topic: {system: score}}}"


@pytest.mark.parametrize(
    ("estimates", "message"),
    [
        (nested(LLM), f"the estimates have the topics of the reference for names; {BY_NAME}"),
        ([scores(), scores(LLM)], "give several estimates by name, such as {'gpt': scores}, not as a list"),
        (["llm.csv", scores()], "give several estimates by name, such as {'gpt': scores}, not as a list"),
    ],
    ids=["one mapping of topics", "list", "a file among scores"],
)
@pytest.mark.parametrize("function", [cd.Study, cd.correlate])
def test_estimates_given_the_wrong_way_are_one_sentence_that_says_what_to_do(function, estimates, message):
    """Whoever is asked."""
    with pytest.raises(cd.ArgumentTypeError) as error:
        function(scores(), estimates)
    assert str(error.value) == f"{function.__name__}: {message}"


def test_a_study_is_taken_in_place_of_its_parts():
    """Where a study is asked for, one that is made already is used as it is; with more beside it, refused."""
    study = cd.Study(scores(), {"llm": scores(LLM)})
    assert study_of(study) is study
    with pytest.raises(cd.ArgumentTypeError, match="a Study has its estimates already; give it alone"):
        study_of(study, {"llm": scores(LLM)})
    with pytest.raises(cd.ArgumentTypeError, match="there are no estimates; give at least one, by name"):
        study_of(scores())


def test_measures_without_a_name_are_the_same_measure(tmp_path):
    """The measure of a table that names none is called by its file; two such files are one measure."""
    rows = "topic,bm25,dense\nq1,0.1,0.2\nq2,0.3,0.5\n"
    for name in ("human", "gpt"):
        (tmp_path / f"{name}.csv").write_text(rows)
    human, gpt = (cd.read_scores(tmp_path / f"{name}.csv") for name in ("human", "gpt"))
    study = cd.Study(human, {"gpt": gpt})
    assert [str(pairing.measures) for pairing in study.pairings] == ["score"]
    nested = {"q1": {"bm25": 0.1, "dense": 0.2}, "q2": {"bm25": 0.3, "dense": 0.5}}
    study = cd.Study(nested, {"gpt": gpt})
    assert [str(pairing.measures) for pairing in study.pairings] == ["score"]
    assert gpt.measures == ("gpt",)
    (tmp_path / "means.csv").write_text("system,value\nbm25,0.1\ndense,0.2\n")
    study = cd.Study(cd.read_scores(tmp_path / "means.csv"), {"x": {"bm25": 0.1, "dense": 0.2}})
    assert [str(pairing.measures) for pairing in study.pairings] == ["score"]


def test_measures_that_have_names_keep_them(tmp_path):
    """Also if they differ, or only one side has one; and the same name in two folders is a name."""
    (tmp_path / "human.csv").write_text("system,AP\nbm25,0.1\ndense,0.2\n")
    (tmp_path / "gpt.csv").write_text("system,RR\nbm25,0.1\ndense,0.2\n")
    wide = "topic,bm25,dense\nq1,0.1,0.2\nq2,0.3,0.5\n"
    (tmp_path / "own.csv").write_text(wide)
    read = {name: cd.read_scores(tmp_path / f"{name}.csv") for name in ("human", "gpt", "own")}
    found = cd.Study(read["human"], {"gpt": read["gpt"], "own": read["own"]})
    assert [str(pairing.measures) for pairing in found.pairings] == ["AP / RR", "AP / own"]
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "own.csv").write_text(wide)
    same = cd.Study(read["own"], {"other": cd.read_scores(tmp_path / "more" / "own.csv")})
    assert [str(pairing.measures) for pairing in same.pairings] == ["own"]


SPELLINGS = {"human.csv": "system,map,P_10\n", "gpt.csv": "system,AP,P@10\n", "llama.csv": "system,AP,P@10\n"}
ROWS = "bm25,0.1,0.3\ndense,0.2,0.1\nrm3,0.3,0.2\n"


@pytest.fixture
def spelled(tmp_path, monkeypatch):
    """Tables that call the same measures as trec_eval does, and as ir_measures does."""
    monkeypatch.chdir(tmp_path)
    for name, header in SPELLINGS.items():
        (tmp_path / name).write_text(header + ROWS)
    return tmp_path


def test_measures_of_two_spellings_are_paired(spelled):
    """As the command pairs them: whether files, scores or frames are given."""
    for read in (str, cd.read_scores, pd.read_csv):
        study = cd.Study(read("human.csv"), {"gpt": read("gpt.csv")})
        assert [str(pairing.measures) for pairing in study.pairings] == ["map", "P_10"]
        assert "gpt: two names for one measure: AP is map, P@10 is P_10" in map(str, study.notes)
    result = cd.correlate("human.csv", "gpt.csv", "tau_b", resampling=None)
    assert [(row.estimate, str(row.measure), row.value) for row in result.agreement] == [
        ("gpt", "map", 1.0),
        ("gpt", "P_10", 1.0),
    ]


@pytest.mark.parametrize("wanted", ["map", "AP"])
def test_measures_are_chosen_by_any_spelling(spelled, wanted):
    study = cd.Study("human.csv", ["gpt.csv", "llama.csv"], measures=[wanted])
    assert [str(pairing.measures) for pairing in study.pairings] == ["map", "map"]
    assert list(study.sides) == ["reference", "gpt", "llama"]
    with pytest.raises(cd.InputError, match=r"^human.csv: does not have the measure RR; it has map, P_10"):
        cd.Study("human.csv", "gpt.csv", measures=["RR"])
    with pytest.raises(cd.ArgumentError, match="Study: reference does not have the measure RR; it has score"):
        cd.Study(scores(), scores(LLM), measures=["RR"])
    with pytest.raises(cd.InputError, match=r"^no.csv: no such file"):
        cd.Study("human.csv", {"gpt": "no.csv"})


def test_files_of_a_study_are_named_by_their_stems(spelled):
    """By their paths if the stems are equal, or one is the word for the reference."""
    (spelled / "more").mkdir()
    for name in ("more/gpt.csv", "reference.csv"):
        (spelled / name).write_text(SPELLINGS["gpt.csv"] + ROWS)
    study = cd.Study("human.csv", ["gpt.csv", "more/gpt.csv", "reference.csv"])
    assert list(study.estimates) == ["gpt.csv", "more/gpt.csv", "reference.csv"]
    with pytest.raises(cd.ArgumentError, match="two estimates have the same name; give them by name"):
        cd.Study("human.csv", [io.StringIO("a,1\n"), io.StringIO("a,1\n")])


def test_files_of_a_study_are_read_together(tmp_path):
    """A table that can be read in two ways has the systems of the other; alone it is refused."""
    either = "name,x,y,z\na,1,2,3\nb,3,2,1\nc,2,1,3\n"
    (tmp_path / "either.csv").write_text(either)
    (tmp_path / "sure.csv").write_text("topic,x,y,z\nq,3,2,1\n")
    with pytest.raises(cd.InputError, match=r"the systems may be in rows .* or in columns"):
        cd.read_scores(io.StringIO(either.replace("name", "id")))
    (tmp_path / "either.csv").write_text(either.replace("name", "id"))
    study = cd.Study(tmp_path / "sure.csv", tmp_path / "either.csv", topics="own")
    assert study.systems == ("x", "y", "z")
    assert study.estimates["either"].source.read_as == "columns"


def test_a_study_of_sides_has_no_reference():
    """The first side keeps its name, also in notes."""
    study = cd.Study.of_sides({"human": nested(HUMAN), "llm": nested(LLM)})
    assert list(study.sides) == ["human", "llm"]
    assert [note.subject for note in study.alignment_notes] == ["human", "llm"]


def test_names_of_measures_given_by_hand_are_names(tmp_path):
    """Only a name that reading made up may be replaced."""
    (tmp_path / "a.csv").write_text("topic,x,y\n1,0.5,0.25\n")
    made_up = cd.read_scores(tmp_path / "a.csv")
    assert (made_up.measures, made_up.source.named) == (("a",), False)
    named = cd.read_scores(tmp_path / "a.csv", measure="AP")
    assert (named.measures, named.source.named) == (("AP",), True)
    assert made_up.with_measures(["AP"]).source.named
    assert cd.read_scores([[0.5, 0.25]], measure="AP").measures == ("AP",)
