"""Scores, exact sums and studies: what the tests of files said about them."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from support import examples

import concordant as cd
from concordant.scores.means import exact_sums, snap

ANY = st.floats(-1e6, 1e6) | st.floats(allow_nan=False, allow_infinity=False)
ROW = st.lists(st.floats(-1, 1) | st.floats(0, 1e3), min_size=3, max_size=3)


@given(st.lists(ANY, min_size=1, max_size=30))
@examples(300)
def test_snapping_is_rounding_to_12_digits(values):
    """As Python rounds when it writes a number."""
    expected = [float(f"{value:.12g}") for value in values]
    assert snap(np.array(values)).tolist() == expected


@given(st.lists(ROW, min_size=1, max_size=40), st.integers(0, 2**32))
@examples(200)
def test_sums_are_those_of_exact_arithmetic(rows, seed):
    """To the last bit or so, in any order of the topics."""
    values = np.array(rows)
    weights = np.random.default_rng(seed).integers(0, 4, (3, len(rows)))
    order = np.random.default_rng(seed).permutation(len(rows))
    found = exact_sums(weights, values)
    largest = Fraction(np.abs(values).max())
    for r in range(3):
        for c in range(3):
            exact = sum(Fraction(float(v)) * int(w) for v, w in zip(values[:, c], weights[r], strict=True))
            assert abs(Fraction(float(found[r, c])) - exact) <= abs(exact) / 2**52 + largest / 2**75
    assert np.array_equal(exact_sums(weights[:, order], values[order]), found)


def test_means_that_differ_by_rounding_errors_are_tied():
    """0.1 + 0.2 and 0.3 + 0: the same mean, told apart by NumPy's and even by exact sums of doubles."""
    scores = cd.Scores([[0.1, 0.3, 0.2], [0.2, 0.0, 0.2]], systems=["a", "b", "c"])
    means = scores.mean()
    assert means["a"] == means["b"] == 0.15
    assert (means.n_tied, means.n_tied_by_rounding) == (2, 2)
    assert cd.tau_b(means, {"c": 3, "b": 2, "a": 1}) == cd.tau_b([0.15, 0.15, 0.2], [1, 2, 3])


def test_slices_are_by_label():
    """In the order asked for; a label that is not there is named beside those that are."""
    table = [[0.2, 0.5, 0.25], [0.4, 0.3, 0.35], [0.1, 0.1, 0.6]]
    wide = cd.Scores(table, topics=["401", "402", "403"], systems=["bm25", "dense", "rm3"])
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
    """They are filled, or their topics left out, only when asked for."""
    scores = cd.read_scores({"q1": {"a": 1.0, "b": 0.5}, "q2": {"a": 0.5}})
    assert scores.missing() == [("score", "q2", "b")]
    with pytest.raises(ValueError, match="score of system 'b' is missing for topic 'q2'"):
        scores.mean()
    assert dict(scores.fill().mean()) == {"a": 0.75, "b": 0.25}
    assert scores.complete().topics == ("q1",)


NAMELESS = pd.DataFrame({"topic": [401, None], "system": ["a", "a"], "value": [1.0, 2.0]})


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: cd.Scores([[1, 2]], systems=["a"]), "there are 1 systems and 2 in values"),
        (lambda: cd.Scores([[1, 2]], systems=["a", "a"]), "duplicate system 'a'"),
        (lambda: cd.Scores([[1, math.inf]]), "must be finite"),
        (lambda: cd.Scores(np.zeros((1, 1, 1, 1))), "got shape"),
        (lambda: cd.read_scores({"m": {"t": {"s": {"x": 1}}}}), "got 4 levels"),
        (lambda: cd.read_scores({"q1": {"a": 0.1}, "q2": 0.3}), "scores at different levels"),
        (lambda: cd.read_scores({"a": [0.1, 0.4], "b": [0.3, 0.2]}), "got several for 'a'"),
        (lambda: cd.read_scores(NAMELESS), "the topic is empty"),
        (lambda: cd.Scores([1, 2]).select(systems="1"), "must be a list of labels"),
        (lambda: cd.Scores.from_rows([("m", "t", "s", 1.0)] * 2), "has two scores"),
    ],
)
def test_scores_that_make_no_sense_are_refused(build, message):
    """With one sentence that begins with the name of the class or function."""
    with pytest.raises((ValueError, TypeError), match=f"^(Scores|read_scores): .*{message}"):
        build()


def test_empty_parts_of_a_mapping_are_missing_scores():
    """A topic without any score is no topic."""
    assert cd.read_scores({"q1": {}, "q2": {"a": 0.1}}).topics == ("q2",)


def test_systems_on_one_side_only_are_refused_dropped_or_zero():
    """As on_missing says."""
    x = {"q": {"a": 1.0, "b": 2.0, "c": 3.0}}
    y = {"q": {"c": 1.0, "a": 2.0}}
    with pytest.raises(ValueError, match=r"^Study: estimate lacks 1 system that another side has: b"):
        cd.Study(x, {"estimate": y})
    dropped = cd.Study(x, {"estimate": y}, on_missing="drop")
    assert dropped.reference.systems == dropped.estimates["estimate"].systems == ("a", "c")
    assert dropped.dropped_systems == ("b",)
    zero = cd.Study(x, {"estimate": y}, on_missing="zero")
    assert dict(zero.estimates["estimate"].mean()) == {"a": 2.0, "b": 0.0, "c": 1.0}
    with pytest.raises(ValueError, match="no system is in common: reference has a; estimate has b"):
        cd.Study({"a": 1.0}, {"estimate": {"b": 1.0}}, on_missing="drop")


def test_topics_on_one_side_only_are_kept_dropped_or_refused():
    """By default both means are over the topics in common, and a note says so."""
    x = {"q1": {"a": 1.0, "b": 2.0}, "q2": {"a": 3.0, "b": 1.0}}
    y = {"estimate": {"q1": {"a": 1.0, "b": 2.0}}}
    own = cd.Study(x, y)
    assert len(own.reference.topics) == 2
    sizes = {"reference": 2, "estimate": 1}
    (note,) = [note for note in own.notes if note.kind != "read_as"]
    assert (note.kind, note.values) == ("topics_differ", {"sizes": sizes, "common": 1, "own": False})
    assert str(note) == "estimate: 1 topic, reference 2, 1 in common; both means are over these"
    assert [dict(side.mean) for side in (own.pairings[0].reference, own.pairings[0].estimate)] == [
        {"a": 1, "b": 2}
    ] * 2
    apart = cd.Study(x, y, topics="own")
    assert dict(apart.pairings[0].reference.mean) == {"a": 2, "b": 1.5}
    assert any("each mean is over its own topics" in str(note) for note in apart.notes)
    assert cd.Study(x, y, on_missing="drop").reference.topics == ("q1",)
    with pytest.raises(ValueError, match="estimate lacks 1 topic"):
        cd.Study(x, y, on_missing="error")


def test_scores_that_one_system_lacks_are_zero_dropped_or_refused():
    """By default they are set to 0, as trec_eval -c has it."""
    x = {"q1": {"a": 0.1, "b": 0.2}, "q2": {"a": 0.3}}
    study = cd.Study(x, {"estimate": x})
    assert study.reference.values.tolist() == [[[0.1, 0.2], [0.3, 0]]]
    assert "reference: 1 missing score was set to 0 (system b)" in map(str, study.notes)
    assert cd.Study(x, {"estimate": x}, on_missing="drop").reference.topics == ("q1",)
    with pytest.raises(ValueError, match="reference has no score of system 'b' for topic 'q2'"):
        cd.Study(x, {"estimate": x}, on_missing="error")


def test_ties_among_means_are_noted():
    """With how many systems share a mean."""
    x = {"q": {"a": 1.0, "b": 1.0, "c": 2.0}}
    notes = map(str, cd.Study(x, {"estimate": x}).notes)
    assert "reference: 2 of 3 systems share their mean score with another" in notes


def test_dropping_a_topic_drops_it_on_all_sides():
    """A score that one system lacks on one side costs the topic on both."""
    x = {
        "q1": {"a": 0.1, "b": 0.2, "c": 0.3},
        "q2": {"a": 0.9, "b": 0.2, "c": 0.1},
        "q3": {"a": 0.5, "b": 0.4, "c": 0.35},
    }
    y = {topic: dict(row) for topic, row in x.items()}
    del y["q2"]["c"]
    study = cd.Study(x, {"y": y}, on_missing="drop")
    assert study.reference.topics == study.estimates["y"].topics == ("q1", "q3")
    assert study.dropped_topics == ("q2",)
    assert (
        cd.correlate(cd.Study(x, {"y": y}, on_missing="drop"), coefficients="tau_b").agreement[0].value == 1.0
    )


def test_topics_that_count_as_zero_are_added():
    """So that thresholds apply to means over the same topics."""
    two = {"q1": {"a": 0.1, "b": 0.2, "c": 0.3}, "q2": {"a": 0, "b": 0, "c": 0}}
    found = cd.correlate(
        cd.Study(two, {"e": {"q1": two["q1"]}}, on_missing="zero"), coefficients="tau_e(0.06)"
    )
    assert found.agreement[0].value == 1.0


def test_a_series_is_aligned_by_its_index():
    """Not by position."""
    x, y = pd.Series({"a": 0.1, "b": 0.2, "c": 0.3}), pd.Series({"c": 0.3, "b": 0.2, "a": 0.1})
    assert cd.correlate(x, {"e": y}, "tau_b").agreement[0].value == 1.0
