"""Scores of systems on topics: what they are built from, hold and print."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import concordant as cd
from concordant.results.note import Note

TABLE = {"q1": {"a": 0.5, "b": 0.25}, "q2": {"a": 1.0}}


def test_scores_print_what_they_hold():
    """Sizes in words, and how many scores are missing."""
    assert repr(cd.Scores([[0.1, 0.2]])) == "<Scores: 1 measure, 1 topic, 2 systems>"
    found = cd.read_scores(TABLE)
    assert repr(found) == "<Scores: 1 measure, 2 topics, 2 systems, 1 scores missing>"
    assert repr(found.fill().mean()) == "mean score of 2 systems over 2 topics\na: 0.7500\nb: 0.1250"


def test_labels_are_numbers_from_0_unless_given():
    """The only measure of an array is called score; of a three-dimensional one all are numbered."""
    two = cd.Scores(np.zeros((2, 3)))
    assert (two.measures, two.topics, two.systems) == (("score",), ("0", "1"), ("0", "1", "2"))
    assert cd.Scores(np.zeros((2, 1, 1))).measures == ("0", "1")
    assert cd.Scores([0.1, 0.2], systems=[7, 8]).systems == ("7", "8")


def test_rows_and_frames_hold_what_is_not_missing():
    """From rows to scores and back."""
    found = cd.read_scores(TABLE)
    rows = [("score", "q1", "a", 0.5), ("score", "q1", "b", 0.25), ("score", "q2", "a", 1.0)]
    assert list(found.rows()) == rows
    assert cd.Scores.from_rows(rows) == found
    frame = found.to_frame()
    assert list(frame.columns) == ["measure", "topic", "system", "value"]
    assert list(frame.itertuples(index=False, name=None)) == rows
    assert cd.Scores.from_rows([]).values.shape == (0, 0, 0)


def test_values_do_not_change_with_the_array_they_came_from():
    """They are a copy, and cannot be written to."""
    own = np.zeros((2, 2))
    found = cd.Scores(own)
    own[0, 0] = 1
    assert not found.values.any()
    with pytest.raises(ValueError, match="read-only"):
        found.values[0, 0, 0] = 1


def test_notes_stay_with_scores():
    """Whatever is selected or filled."""
    note = Note("checked", text="checked by hand")
    found = cd.Scores(np.eye(2), systems=["a", "b"], notes=[note])
    assert found.notes == (note,)
    for other in (found.fill(), found.complete(), found.select(systems=["a"]), found["score"]):
        assert other.notes == (note,)
    assert found.noted(note).notes == (note, note)
    assert found == cd.Scores(np.eye(2), systems=["a", "b"])  # notes are remarks, not scores


def test_topics_read_by_pandas_as_floats_keep_their_names():
    """Beside a missing value pandas makes 401.0 of 401."""
    frame = pd.DataFrame({"topic": [401.0, 402.0], "system": ["a", "a"], "value": [0.1, 0.2]})
    assert cd.read_scores(frame).topics == ("401", "402")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.mean("RR"), "there is no measure 'RR'; there are score"),
        (lambda s: s["RR"], "there is no measure 'RR'; there are score"),
        (lambda s: s.select(topics=[]).mean(), "there are no topics to average over"),
        (lambda s: s.select(systems="a"), "systems must be a list of labels, got 'a'"),
        (
            lambda s: cd.read_scores(s.to_frame(), columns={"who": "system"}),
            "read_scores: columns: there is no 'who'; give measure, topic, system, value, cluster, repeat",
        ),
        (
            lambda s: cd.read_scores(s.to_frame(), columns={"system": "who"}),
            "read_scores: columns: there is no column 'who'; there are measure, topic, system, value",
        ),
    ],
)
def test_mistakes_are_one_sentence(call, message):
    """It begins with the name of the class or function that the user knows."""
    with pytest.raises((cd.ArgumentError, cd.ArgumentTypeError)) as error:
        call(cd.read_scores(TABLE))
    assert str(error.value).removeprefix("Scores: ") == message


def test_missing_scores_say_how_to_go_on():
    """Which score is missing, and the two ways to do without it."""
    with pytest.raises(cd.ArgumentError) as error:
        cd.read_scores(TABLE).mean()
    assert str(error.value) == (
        "Scores: score of system 'b' is missing for topic 'q2'; use fill() to set what is missing to 0, or "
        "complete() to keep the topics that all systems answered"
    )


def test_derived_scores_share_the_array():
    """It is copied and checked once; only a selection or other values need a new one."""
    found = cd.Scores(np.ones((2, 2, 3)), measures=["AP", "RR"], lower_is_better=["RR"])
    note = Note("checked", text="checked by hand")
    for other in (
        found.noted(note),
        found.with_measures(["map", "rr"]),
        found.with_topics(["q1", "q2"]),
        found.select(),
        found.complete(),
    ):
        assert other.values is found.values
    part = found.select(systems=["2", "0"])
    assert part.values.shape == (2, 2, 2)
    assert not part.values.flags.writeable
    assert (part.lower_is_better, found.with_measures(["map", "rr"]).lower_is_better) == ({"RR"}, {"rr"})


def test_the_source_says_how_scores_were_read(tmp_path):
    """Code asks the source, not the notes; scores made by hand have an empty one."""
    (tmp_path / "board.csv").write_text("Rank,model,acc\n1,a,88%\n2,b,81%\n")
    source = cd.read_scores(tmp_path / "board.csv").source
    assert (source.name, source.read_as, source.named) == (str(tmp_path / "board.csv"), "rows", True)
    assert (source.left_out, source.remarks) == (("Rank",), ("numbers are percentages",))
    assert cd.read_scores(TABLE).source.read_as == "a mapping {topic: {system: score}}"
    assert (cd.Scores([[0.1]]).source.name, cd.Scores([[0.1]]).source.read_as) == ("", "")
    assert cd.read_scores(TABLE).fill()["score"].source == cd.read_scores(TABLE).source


def test_options_of_files_are_not_for_data_in_memory():
    with pytest.raises(cd.ArgumentError, match="read_scores: format is for files, got dict"):
        cd.read_scores(TABLE, format="table")
    with pytest.raises(cd.ArgumentError, match="read_scores: sheet is for files, got list"):
        cd.read_scores([[0.1, 0.2]], sheet="Scores")
