"""Measures that are computed here, and the numbers of trec_eval 10."""

import numpy as np
import pytest

import concordant as cd

# Of the test data of trec_eval 10 (10.0-rc2, test/out.test.aqc), topic 303 has 10 relevant documents. Its run
# has 84, and the relevant ones of them are at these ranks: they follow from relstring, recall_* and
# iprec_at_recall_*. The numbers are those of that file.
RANKS = (3, 4, 5, 7, 13, 18)
TREC_EVAL_10 = {
    "num_ret": 84,
    "num_rel": 10,
    "num_rel_ret": 6,
    "map": 0.2723,
    "Rprec": 0.4000,
    "recip_rank": 0.3333,
    "iprec_at_recall_0.00": 0.6000,
    "iprec_at_recall_0.10": 0.6000,
    "iprec_at_recall_0.20": 0.6000,
    "iprec_at_recall_0.30": 0.6000,
    "iprec_at_recall_0.40": 0.5714,
    "iprec_at_recall_0.50": 0.3846,
    "iprec_at_recall_0.60": 0.3333,
    "iprec_at_recall_0.70": 0.0000,
    "iprec_at_recall_1.00": 0.0000,
    "P_5": 0.6000,
    "P_10": 0.4000,
    "P_15": 0.3333,
    "P_1000": 0.0060,
    "recall_5": 0.3000,
    "recall_15": 0.5000,
    "recall_1000": 0.6000,
    "ndcg": 0.4730,
    "ndcg_cut_5": 0.4469,
    "ndcg_cut_10": 0.3633,
    "ndcg_cut_15": 0.4211,
    "map_cut_5": 0.1433,
    "map_cut_10": 0.2005,
    "map_cut_15": 0.2389,
    "success_1": 0.0000,
    "success_5": 1.0000,
    "set_P": 0.0714,
    "set_relative_P": 0.6000,
    "set_recall": 0.6000,
    "set_map": 0.0429,
    "set_F": 0.1277,
    "RBP(p=0.9)": 0.3176,  # called rbp there; grades are 0 and 1
}


@pytest.fixture
def topic_303():
    run = {f"d{rank}": float(-rank) for rank in range(1, 85)}
    grades = {document: int(int(document[1:]) in RANKS) for document in run}
    return grades | {f"unseen{i}": 1 for i in range(4)}, run


@pytest.mark.parametrize("name", TREC_EVAL_10)
def test_a_topic_has_the_numbers_of_trec_eval_10(topic_303, name):
    grades, run = topic_303
    value = cd.evaluate({"303": grades}, {"303": run}, name).values.item()
    assert round(value, 4) == TREC_EVAL_10[name]


def test_the_relevant_documents_of_an_unanswered_topic_are_counted(topic_303):
    """As trec_eval -c does: num_rel of all is 561 there, 77 of them of topic 302, which has no answer."""
    grades, run = topic_303
    qrels = {"302": {f"d{i}": 2 * (i < 77) for i in range(90)}, "303": grades}
    scores = cd.evaluate(qrels, {"303": run}, ["num_rel", "NumRel(rel=2)", "num_q", "num_ret", "map"])
    assert scores.values[:, 0, 0].tolist() == [77, 77, 1, 0, 0]
    assert scores.values[:4, 1, 0].tolist() == [10, 0, 1, 84]
    assert "1 unanswered topic was set to 0 (run run)" in map(str, scores.notes)
    kept = cd.evaluate(qrels, {"303": run}, "num_rel", on_missing="keep")
    assert np.isnan(kept.values[0, 0, 0])


def precision_at_recall(ranks, n_relevant, recall):
    run = {f"d{rank}": float(-rank) for rank in range(1, 41)}
    grades = {f"d{rank}": 1 for rank in ranks} | {f"unseen{i}": 1 for i in range(n_relevant - len(ranks))}
    ours = cd.evaluate({"1": grades}, {"1": run}, f"IPrec@{recall}").values.item()
    import pytrec_eval

    name = f"iprec_at_recall_{recall:.2f}"
    theirs = pytrec_eval.RelevanceEvaluator({"1": grades}, {name}).evaluate({"1": run})["1"][name]
    return ours, theirs


@pytest.mark.parametrize(
    ("n_relevant", "recall", "first"),
    [
        (12, 0.1, 1),
        (14, 0.1, 1),
        (15, 0.1, 2),
        (5, 0.5, 3),
        (5, 0.3, 2),
        (4, 0.1, 1),
        (7, 0.6, 4),
        (12, 0.0, 1),
    ],
)
def test_interpolated_precision_rounds_the_recall_to_the_nearest_document(n_relevant, recall, first):
    """Halves up, as C's lround does, which trec_eval 10 calls."""
    ranks = (1, 4, 9, 16)  # precision 1, 2/4, 3/9, 4/16
    ours, _ = precision_at_recall(ranks, n_relevant, recall)
    assert ours == pytest.approx(first / first**2, abs=1e-12)


def test_interpolated_precision_of_trec_eval_9_differs():
    """It adds 0.9 and cuts off: 1.2 documents become 2, not 1. pytrec_eval has this version."""
    assert precision_at_recall((1, 10), 12, 0.1) == (1.0, pytest.approx(0.2))


@pytest.mark.parametrize("seed", range(5))
def test_interpolated_precision_is_the_same_where_nothing_is_rounded(seed):
    """For 10, 20 or 30 relevant documents and tenths of recall, both versions agree."""
    rng = np.random.default_rng(seed)
    n_relevant = int(rng.choice([10, 20, 30]))
    ranks = sorted(int(r) for r in rng.permutation(np.arange(1, 41))[: int(rng.integers(0, 10))])
    for recall in np.arange(11) / 10:
        ours, theirs = precision_at_recall(ranks, n_relevant, float(recall))
        assert ours == pytest.approx(theirs, abs=1e-12)


def test_interpolated_precision_has_levels_and_may_skip_what_is_not_judged():
    qrels = {"1": {"a": 1, "b": 2, "c": 0, "e": -1}}
    run = {"1": {"x": 9.0, "e": 8.0, "a": 7.0, "c": 6.0, "b": 5.0}}
    names = ["IPrec@0.5", "IPrec(rel=2)@1.0", "IPrec(judged_only=True)@0.5"]
    assert cd.evaluate(qrels, run, names).values.ravel().tolist() == pytest.approx([2 / 5, 1 / 5, 1.0])


@pytest.mark.parametrize("seed", range(20))
def test_frequent_measures_have_the_values_of_pytrec_eval_to_the_last_digit(seed):
    """Ties, documents without a judgement, grades from -2 to 4, topics without relevant documents."""
    import pytrec_eval

    rng = np.random.default_rng(seed)
    documents = [f"d{i}" for i in range(int(rng.integers(1, 400)))]
    qrels = {
        f"q{t}": {d: int(rng.integers(-2, 5 if t else 1)) for d in documents if rng.random() < 0.6} | {"u": 0}
        for t in range(6)
    }
    run = {
        topic: {
            d: float(np.round(rng.random(), int(rng.integers(1, 4)))) for d in documents if rng.random() < 0.7
        }
        for topic in qrels
    }
    run = {topic: found or {"u": 1.0} for topic, found in run.items()}
    for level in (1, 2, 3):
        names = {
            f"AP(rel={level})": "map",
            f"RR(rel={level})": "recip_rank",
            **{f"P(rel={level})@{k}": f"P_{k}" for k in (1, 5, 10, 100)},
            **(
                {f"nDCG@{k}": f"ndcg_cut_{k}" for k in (1, 5, 10, 100)} | {"nDCG": "ndcg"}
                if level == 1
                else {}
            ),
        }
        ours = cd.evaluate(qrels, {"run": run}, list(names))
        asked = {"map", "recip_rank", "ndcg", "ndcg_cut.1,5,10,100", "P.1,5,10,100"}
        theirs = pytrec_eval.RelevanceEvaluator(qrels, asked, relevance_level=level).evaluate(run)
        for values, their_name in zip(ours.values[:, :, 0], names.values(), strict=True):
            assert values.tolist() == [theirs[topic][their_name] for topic in ours.topics]


@pytest.mark.parametrize("measure", ["RBP(p=0.5)", "IPrec@1.0", "RR"])
def test_the_order_of_lines_does_not_count(tmp_path, measure):
    """Measures that are computed here see the documents by score, as those of other libraries do."""
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n")
    for name, order in (("up", "ba"), ("down", "ab")):
        lines = [f"1 Q0 {document} 0 {1 if document == 'a' else 0} {name}" for document in order]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    values = cd.evaluate(tmp_path / "q", [tmp_path / "up", tmp_path / "down"], measure).values.ravel()
    assert values.tolist() == [0.5 if "RBP" in measure else 1.0] * 2
