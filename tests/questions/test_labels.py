"""`label_agreement`: judgements compared document by document, recomputed from the files."""

from __future__ import annotations

import math

import numpy as np
import pytest

import concordant as cd


@pytest.fixture(scope="module")
def result(folder):
    """Two judges of the same documents."""
    return cd.label_agreement(
        folder / "human.qrels", {name: folder / f"{name}.qrels" for name in ("noisy", "partial")}
    )


def kappa(table):
    """Cohen's kappa of a table of counts, by its definition in shares."""
    share = table / table.sum()
    chance = (share.sum(0) * share.sum(1)).sum()
    return (np.trace(share) - chance) / (1 - chance)


@pytest.mark.parametrize("name", ["noisy", "partial"])
def test_confusion_and_kappa_are_those_of_literal_counts(result, folder, name):
    """The confusion of all documents, and kappa of grades and of relevance."""
    human, other = cd.read_qrels(folder / "human.qrels"), cd.read_qrels(folder / f"{name}.qrels")
    expected = np.zeros((4, 4), dtype=int)
    for topic, documents in human.items():
        for document, grade in documents.items():
            expected[grade, other[topic][document]] += 1
    found = np.zeros((4, 4), dtype=int)
    own = [each for each in result.confusion if each.estimate == name]
    for each in own:
        found[each.grade, each.estimate_grade] = each.documents
    assert len(own) == 16
    assert np.array_equal(found, expected)
    (label,) = (each for each in result.labels if each.estimate == name)
    assert (label.documents, label.reference_only, label.estimate_only) == (expected.sum(), 0, 0)
    assert label.same_grade == np.trace(expected) / expected.sum()
    assert label.kappa_of_grades == pytest.approx(kappa(expected), abs=1e-12)
    binary = np.array(
        [[expected[0, 0], expected[0, 1:].sum()], [expected[1:, 0].sum(), expected[1:, 1:].sum()]]
    )
    assert label.same_relevance == np.trace(binary) / binary.sum()
    assert label.kappa_of_relevance == pytest.approx(kappa(binary), abs=1e-12)


def test_documents_that_one_side_judged_are_counted():
    """Only documents that both judged are compared; negative grades are not relevant."""
    human = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1}}
    llm = {"q1": {"a": 1, "b": -1, "d": 1}, "q3": {"a": 1, "b": 1}}
    (label,) = cd.label_agreement(human, {"llm": llm})
    assert (label.documents, label.reference_only, label.estimate_only) == (2, 2, 3)
    assert (label.same_grade, label.same_relevance, label.kappa_of_relevance) == (0.0, 1.0, 1.0)


def test_kappa_is_undefined_where_there_is_nothing_to_agree_on():
    """If both give all documents the same grade, or judged no document in common."""
    same = {"q1": {"a": 1, "b": 1}}
    (label,) = cd.label_agreement(same, {"same": same})
    assert label.same_grade == 1.0
    assert math.isnan(label.kappa_of_grades)
    (label,) = cd.label_agreement(same, {"other": {"q2": {"a": 1}}})
    assert label.documents == 0
    assert math.isnan(label.same_relevance)


def test_frames_and_text(result):
    """For people the grades of the estimate are columns."""
    assert list(result.to_frame("confusion").columns) == ["estimate", "grade", "estimate_grade", "documents"]
    table = result.table("confusion")
    assert table.to_text().splitlines()[0].split() == ["estimate", "grade", "0", "1", "2", "3"]
    assert list(result) == list(result.labels)
    assert result.to_dict()["function"] == "label_agreement"


@pytest.mark.parametrize("estimates", [{}, {"q1": {"a": 1}}, [1]])
def test_estimates_without_names_are_refused(estimates):
    """The message shows how to name them."""
    with pytest.raises(cd.ArgumentTypeError, match=r"^label_agreement: give the estimates by name"):
        cd.label_agreement({"q1": {"a": 1}}, estimates)
