"""The output of trec_eval -q and of ir_measures -q."""

from __future__ import annotations

import io

import concordant as cd

TREC_EVAL = "\n".join(
    f"{measure:<22}\t{topic}\t{value}"
    for measure, topic, value in [
        ("num_rel", "401", "3"),
        ("map", "401", "0.2000"),
        ("P_10", "401", "0.1000"),
        ("map", "402", "0.4000"),
        ("P_10", "402", "0.3000"),
        ("runid", "all", "bm25"),
        ("num_q", "all", "2"),
        ("num_rel", "all", "3"),
        ("map", "all", "0.3000"),
        ("gm_map", "all", "0.2828"),
        ("P_10", "all", "0.2000"),
    ]
)


def test_trec_eval_output_of_several_runs_is_read(tmp_path):
    """In several files, or one after the other in one file."""
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


def test_counts_in_trec_eval_output_are_not_measures():
    """Nor are texts of relevance."""
    text = (
        "num_nonrel_judged_ret\t1\t3\nmap\t1\t0.5\nrelstring_10\t1\t'0101'\n"
        "num_nonrel_judged_ret\tall\t9\nmap\tall\t0.5\n"
    )
    assert cd.read_scores(io.StringIO(text)).measures == ("map",)


def test_ir_measures_output_is_read(tmp_path):
    """The system is the name of the file."""
    path = tmp_path / "bm25.txt"
    path.write_text(
        "401\tAP\t0.2000\n401\tnDCG@10\t0.3\n402\tAP\t0.4\n402\tnDCG@10\t0.5\nall\tAP\t0.3000\nall\tnDCG@10\t0.4\n"
    )
    found = cd.read_scores(path)
    assert (found.measures, found.systems) == (("AP", "nDCG@10"), ("bm25",))
    assert found.mean("AP")["bm25"] == 0.3
