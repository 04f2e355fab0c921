"""Scores that are missing, and rows whose names are their places."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import polars as pl
import pytest

import concordant as cd

FRAME = pd.DataFrame(np.random.default_rng(1).random((50, 8)), columns=list("abcdefgh"))


def read(text, **how):
    return cd.read_scores(io.StringIO(text), **how)


@pytest.mark.parametrize(
    "part",
    [
        lambda frame: frame.sample(frac=1, random_state=1),
        lambda frame: frame.iloc[10:],
        lambda frame: frame.iloc[::2],
        lambda frame: frame[frame.a > 0.3],
        lambda frame: frame.iloc[::-1],
        lambda frame: frame.sort_values("b"),
        lambda frame: frame.sort_values("b").reset_index(),
        lambda frame: frame.rename_axis("qid"),
    ],
)
def test_rows_of_a_data_frame_are_known_by_its_index(part):
    """However it was shuffled, cut or filtered: each topic agrees with itself."""
    found = cd.Study(FRAME, {"part": part(FRAME)}, topics="common")
    (pairing,) = found.pairings
    np.testing.assert_array_equal(pairing.reference.values, pairing.estimate.values)
    assert pairing.of_means([cd.coefficient("tau_b")])[0].values.tolist() == [1.0]
    by_topic = cd.by_topic(FRAME, part(FRAME), "tau_b", resampling=None)
    assert {topic.value for topic in by_topic.topics} == {1.0}


def test_rows_without_names_are_the_same_everywhere():
    """Arrays, frames with and without an index, and files: all count from 0."""
    expected = cd.read_scores(FRAME.to_numpy()).topics
    assert expected[:2] == ("0", "1")
    assert cd.read_scores(FRAME).topics == expected
    assert cd.read_scores(pl.from_pandas(FRAME)).topics == expected
    assert read(FRAME.to_csv(index=False)).topics == expected
    assert read(FRAME.to_csv()).topics == expected


def test_topics_counted_from_0_and_from_1_are_not_mixed():
    """They would be compared with their neighbours."""
    counted = read("topic,a,b\n1,0.5,0.25\n2,0.5,0.75\n")
    with pytest.raises(
        cd.ArgumentError, match="topics of reference are 0 to 1, those of s 1 to 2; name them alike"
    ):
        cd.Study(
            [[0.5, 0.25], [0.5, 0.75]], {"s": counted.select(systems=["a", "b"])}, rename={"0": "a", "1": "b"}
        )
    found = cd.Study(counted, {"s": counted.with_topics(["0", "1"])}, on_missing="drop")
    assert found.reference.topics == ("1",)


def test_an_index_beside_names_is_no_name():
    """A leaderboard that was filtered has numbers for an index."""
    board = pd.DataFrame({"model": list("xyz"), "acc": [0.5, 0.25, 0.125]})
    found = cd.read_scores(board[board.acc != 0.25])
    assert (found.systems, found.measures) == (("x", "z"), ("acc",))
    topics = pd.DataFrame({"topic": ["q1", "q2", "q3"], "a": [0.1, 0.2, 0.3], "b": [0.2, 0.1, 0.3]})
    assert cd.read_scores(topics.iloc[1:]).topics == ("q2", "q3")
    assert cd.read_scores(topics.iloc[1:]).systems == ("a", "b")


def test_an_index_of_several_levels_is_read_by_their_names():
    """Of a Series, and of a frame; levels without names are refused with the next step."""
    index = pd.MultiIndex.from_product([["q1", "q2"], ["x", "y"]], names=["qid", "system"])
    series = pd.Series([0.1, 0.2, 0.3, 0.4], index=index)
    expected = cd.Scores([[0.1, 0.2], [0.3, 0.4]], topics=["q1", "q2"], systems=["x", "y"])
    assert cd.read_scores(series) == expected
    assert cd.read_scores(series.to_frame("value")) == expected
    with pytest.raises(
        cd.ArgumentError, match=r"levels level_0, level_1; name them, such as series.rename_axis"
    ):
        cd.read_scores(series.rename_axis([None, None]))


LOW = "topic,a,b\n1,0.5,0.25\n2,0.5,\n"
FULL = "topic,a,b\n1,0.5,0.25\n2,0.5,0.75\n"


@pytest.mark.parametrize("on_missing", [None, "zero"])
def test_a_missing_score_is_never_the_best(on_missing):
    """Where the smallest is the best, 0 would be."""
    sides = [read(text, lower_is_better="all") for text in (LOW, FULL)]
    with pytest.raises(
        cd.ArgumentError, match="0 would be the best score; leave it out with on_missing='drop'"
    ):
        cd.Study(sides[0], sides[1], on_missing=on_missing)
    with pytest.raises(cd.ArgumentError, match="0 would be a good score"):
        sides[0].fill()
    assert cd.Study(sides[0], sides[1], on_missing="drop").dropped_topics == ("2",)
    assert cd.Study(read(LOW), read(FULL)).notes[-1].kind != "lower_is_better"
    fewer = sides[1].select(systems=["a"])
    with pytest.raises(cd.ArgumentError, match="'b' has no the open file; the smallest"):
        cd.Study(sides[1], fewer, on_missing="zero")


def test_which_end_is_good_stays_with_the_scores():
    """Whatever is selected or renamed; and holds for the other side too."""
    low = read("model,Zap ↓,BLEU\na,0.5,30\nb,0.25,20\n")
    assert low.lower_is_better == {"Zap"}
    assert low.select(systems=["a"]).lower_is_better == low.fill().lower_is_better == {"Zap"}
    assert low.select(measures=["BLEU"]).lower_is_better == frozenset()
    assert low.with_measures(["ter", "bleu"]).lower_is_better == {"ter"}
    other = pd.DataFrame({"model": ["a", "b"], "Zap": [0.5, 0.25]})
    study = cd.Study(low, {"other": other})
    assert study.pairings[0].of_means([cd.coefficient("tau_b")])[0].values.tolist() == [1.0]
    assert "other: the smallest Zap is the best; its sign was changed" in map(str, study.notes)


@pytest.mark.parametrize("on_missing", [None, "drop"])
def test_a_system_without_a_mean_is_left_out(on_missing):
    """There is no topic to leave out, and nobody said 0."""
    human, llm = read("model,A,B\na,1,2\nb,,1\nc,3,4\n"), read("model,A,B\na,1,2\nb,2,3\nc,3,4\n")
    study = cd.Study(human, {"llm": llm}, on_missing=on_missing)
    assert [pairing.common_systems() for pairing in study.pairings] == [["a", "c"], ["a", "b", "c"]]
    assert study.dropped_systems == ()
    assert "reference: left out where it has no score, 1 model: b" in map(str, study.notes)
    zero = cd.Study(human, {"llm": llm}, on_missing="zero")
    assert zero.reference.values[0, 0].tolist() == [1, 0, 3]
    with pytest.raises(cd.ArgumentError, match="reference has no A of system 'b'"):
        cd.Study(human, {"llm": llm}, on_missing="error")
    lone = cd.Study(read("model,A,B\na,1,\nb,,1\n"), read("model,A,B\na,1,2\nb,2,3\n"))
    with pytest.raises(
        cd.ArgumentError, match="no two systems have a score on both sides, of 2: a, b; choose"
    ):
        cd.correlate(lone)


def test_a_topic_without_any_score_is_not_a_topic_of_its_side():
    """Nor does it count as 0 for all systems there."""
    study = cd.Study(
        read("topic,a,b\n1,0.5,0.25\n2,,\n"), {"llm": read("topic,a,b\n1,0.5,0.25\n2,0.1,0.9\n")}
    )
    (pairing,) = study.pairings
    assert pairing.estimate.topics == ("1",)
    assert "reference: left out 1 topic without any score on this side: 2" in map(str, study.notes)


def test_cells_of_a_data_frame_are_read_as_those_of_files():
    """Percent signs, decimal commas, spreads, words for what is missing; digits that are names stay names."""
    frame = pd.DataFrame(
        {"model": ["1", "2"], "acc": ["88.7%", "80%"], "f": ["0.81 \u00b1 0.02", "-"], "g": [0.5, "-"]}
    )
    found = cd.read_scores(frame)
    assert (found.systems, found.measures) == (("1", "2"), ("acc", "f", "g"))
    assert found.values[:, 0, 0].tolist() == [88.7, 0.81, 0.5]
    assert found.values[0, 0, 1] == 80
    assert np.isnan(found.values[1:, 0, 1]).all()
    comma = pd.DataFrame({"model": ["a", "b"], "f": ["0,81", "0,5"]})
    assert cd.read_scores(comma).values.ravel().tolist() == [0.81, 0.5]
    with pytest.raises(cd.ArgumentError, match="column 'f': row 1: 'high' is not a number"):
        cd.read_scores(pd.DataFrame({"model": ["a", "b"], "f": ["0.5", "high"]}))


def test_mappings_say_how_they_were_read():
    """So that topics that were meant as systems are seen."""
    (note,) = cd.read_scores({"q1": {"a": 1, "b": 2}, "q2": {"a": 1, "b": 3}}).notes
    assert str(note) == "a mapping {topic: {system: score}}: 2 systems, 2 topics"
    (means,) = cd.read_scores({"a": 1, "b": 2}).notes
    assert str(means) == "a mapping {system: score}: 2 systems"


def test_the_first_of_several_rankings_is_not_called_the_reference(tmp_path):
    """In the notes of a matrix, each file has its own name."""
    from support.program import run

    for name in ("x", "y", "z"):
        (tmp_path / f"{name}.csv").write_text("topic,a,b,c\n1,0.5,0.25,0.1\n2,0.5,0.75,0.2\n")
    result = run("matrix", "x.csv", "y.csv", "z.csv", "--details", cwd=tmp_path)
    assert "x: x.csv, y: y.csv and z: z.csv: systems in columns" in result.stdout
    assert "reference: x.csv" not in result.stdout
