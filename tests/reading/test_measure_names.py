"""The names of trec_eval are read as those of ir_measures, and a misspelt name gets the right suggestion."""

import pytest

import concordant as cd
from concordant.reading.measure_names import ir_measures_name, measures_of

NAMES = {
    "map": "AP",
    "map_cut_10": "AP@10",
    "P_10": "P@10",
    "P_1000": "P@1000",
    "recall_100": "R@100",
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "infAP": "infAP",
    "success_10": "Success@10",
    "iprec_at_recall_0.00": "IPrec@0.0",
    "iprec_at_recall_0.10": "IPrec@0.1",
    "iprec_at_recall_1.00": "IPrec@1.0",
    "num_q": "NumQ",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRet(rel=1)",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_map": "SetAP",
    "set_F": "SetF",
    "set_relative_P": "SetP(relative=True)",
    "P.10": "P@10",  # as it is asked for with trec_eval -m
    "ndcg_cut.10": "nDCG@10",
    "iprec_at_recall..10": "IPrec@0.1",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_trec_eval_is_read_as_that_of_ir_measures(name):
    assert ir_measures_name(name) == NAMES[name]
    assert list(map(str, measures_of(name))) == [NAMES[name]]


@pytest.mark.parametrize("name", [name for name in NAMES if ".." not in name])
def test_ir_measures_reads_the_same_names_so(name):
    from ir_measures import parse_trec_measure

    assert list(map(str, parse_trec_measure(name))) == [NAMES[name]]


OTHERS = [
    "AP",
    "nDCG@10",
    "MAP",
    "P",
    "P_",
    "P_0",
    "P_x",
    "ndcg_cut",
    "gm_map",
    "rbp",
    "iprec_at_recall_1.5",
    "",
]


@pytest.mark.parametrize("name", OTHERS)
def test_other_names_are_not_those_of_trec_eval(name):
    """trec_eval's rbp weighs grades, RBP here does not; gm_map is a mean over topics."""
    assert ir_measures_name(name) is None


def test_scores_have_the_names_of_ir_measures():
    """So that a table made with either name fits the other; a measure is there once."""
    qrels, run = {"1": {"a": 1}}, {"r": {"1": {"a": 1.0}}}
    assert cd.evaluate(qrels, run, ["map", "AP", "P_5"]).measures == ("AP", "P@5")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ndcg10", "nDCG@10"),
        ("ndcg_cut", "nDCG"),
        ("mapp", "AP"),
        ("P10", "P@10"),
        ("recip_rnk", "RR"),
        ("bpref@10", "Bpref"),
        ("iprec", "IPrec@0.1"),
        ("APP", "AP"),
    ],
)
def test_a_misspelt_measure_gets_the_right_suggestion(name, meant):
    with pytest.raises(cd.ArgumentError, match=f"there is no measure {name!r}; did you mean {meant}\\?$"):
        measures_of(name)
    assert list(map(str, measures_of(meant))) == [meant]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        *[
            ("ndcg@10", "nDCG@10"),
            ("NDCG_10", "nDCG@10"),
            ("ndcg_cut_10", "nDCG@10"),
            ("Map", "AP"),
            ("MAP", "AP"),
        ],
        *[("map@100", "AP@100"), ("p@10", "P@10"), ("precision@5", "P@5"), ("recall@100", "R@100")],
        *[
            ("mrr", "RR"),
            ("mrr@10", "RR@10"),
            ("recip_rank", "RR"),
            ("rprec", "Rprec"),
            ("Success@1", "Success@1"),
        ],
    ],
)
def test_usual_spellings_are_understood(name, meant):
    """As measures to compute, and as measures of a table under any other spelling."""
    assert list(map(str, measures_of(name))) == [meant]
    table = {meant: {"q1": {"a": 1, "b": 2}}, "other": {"q1": {"a": 2, "b": 1}}}
    assert cd.Study(table, {"same": table}, measures=[name]).pairings[0].measures == (meant, meant)


def test_mrr_at_10_is_rr_at_10():
    """ir_measures knows some names itself."""
    assert list(map(str, measures_of(["MRR@10", "MAP"]))) == ["RR@10", "AP"]


@pytest.mark.parametrize("name", ["bogus", "xyz@3", "", "@10", "10"])
def test_what_is_near_to_nothing_gets_no_suggestion(name):
    with pytest.raises(cd.ArgumentError) as caught:
        measures_of(name)
    assert "did you mean" not in str(caught.value)


PARAMETERS = ["AP(rel=2)@100", "nDCG(gains={1:3,2:7})@5", "nDCG(dcg='exp-log2')@20", "IPrec@0.1", "infAP"]


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters_are_read_as_ir_measures_writes_them(name):
    assert [str(each) for each in measures_of([name])] == [name]
    assert measures_of(["RBP(p=0.5, rel=2)"])[0].params == {"p": 0.5, "rel": 2}


@pytest.mark.parametrize("name", ["AP@-1", "AP(2)", "AP@[1]", "AP; RR", "AP.x", "RBP(p=x)"])
def test_what_is_no_measure_is_not_read(name):
    with pytest.raises(cd.ArgumentError, match="cannot read the measure"):
        measures_of(name)
