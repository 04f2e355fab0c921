"""`label_agreement`: judgements compared document by document, recomputed from the files."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from reference.labels import kappa as kappa_of, ordinal_alpha

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


# --- weighted kappa, alpha, shift, thresholds; intervals over topics --------------------------------------

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "labels.json").read_text())
WEIGHTS = {None: "kappa_of_grades", "linear": "kappa_linear", "quadratic": "kappa_quadratic"}


def compared(a, b, topics=1):
    """The agreement of two lists of labels; None is missing. Documents go to the topics in turn."""
    sides = [
        {
            f"q{t}": {f"d{i}": grade for i, grade in enumerate(side) if i % topics == t and grade is not None}
            for t in range(topics)
        }
        for side in (a, b)
    ]
    return cd.label_agreement(sides[0], {"llm": sides[1]})


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["id"])
def test_golden(case):
    """kappa, alpha, shift and thresholds, by exact arithmetic elsewhere."""
    result, value, kind = compared(*case["args"], topics=2), case["value"], case["function"]
    if kind == "at_thresholds":
        names = ("precision", "recall", "f1", "accuracy", "kappa")
        found = {(row.grade, row.estimate_grade): row for row in result.thresholds}
        assert len(found) == len(value)
        for row in value:
            own = found[row["reference"], row["rater"]]
            assert [getattr(own, n) for n in names] == pytest.approx([row[n] for n in names], abs=1e-12)
        return
    names = {"kappa": WEIGHTS[case["kwargs"].get("weights")], "krippendorff_alpha": "alpha_ordinal"}
    expected = math.nan if value is None else value["mean"] if kind == "shift" else value
    found = getattr(result.labels[0], names.get(kind, "shift"))
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("seed", range(12))
def test_labels_against_the_literal_formulas(seed):
    """All documents, and topic by topic; some grades lie apart, and some are negative.

    Kappa was also compared with scikit-learn 1.9.1 and alpha with krippendorff 0.9.0 on 60 such cases: the
    largest difference was 2e-16.
    """
    rng = np.random.default_rng(seed)
    grades = np.sort(rng.choice(np.arange(-2, 9), rng.integers(2, 6), replace=False))
    a = rng.choice(grades, 90).tolist()
    b = np.where(rng.random(90) < 0.5, a, rng.choice(grades, 90)).tolist()
    result = compared(a, b, topics=6)
    whole = [(result.labels[0], a, b)]
    parts = [(row, a[t::6], b[t::6]) for t, row in enumerate(result.topic_labels)]
    for row, own, other in whole + parts:
        assert row.documents == len(own)
        assert row.same_grade == sum(x == y for x, y in zip(own, other, strict=True)) / len(own)
        expected = [kappa_of(own, other, weights) for weights in ("linear", "quadratic")]
        expected += [ordinal_alpha(own, other), (sum(other) - sum(own)) / len(own)]
        found = [row.kappa_linear, row.kappa_quadratic, row.alpha_ordinal, row.shift]
        assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_intervals_are_by_the_jackknife_over_topics():
    """Each topic is left out in turn, with the quantile of Student's t of SciPy."""
    rng = np.random.default_rng(0)
    a, noise = rng.integers(0, 4, 120), rng.integers(0, 4, 120)
    b = np.where(rng.random(120) < 0.6, a, noise)
    topics = 8
    result, place = compared(a.tolist(), b.tolist(), topics), np.arange(120) % topics
    row, half = result.labels[0], scipy.stats.t.ppf(0.975, topics - 1)
    (found,) = (each for each in result.thresholds if each.grade == each.estimate_grade == 2)
    both = [
        (row.kappa_linear, row.kappa_linear_interval),
        (row.kappa_quadratic, row.kappa_quadratic_interval),
    ]
    both += [(row.alpha_ordinal, row.alpha_ordinal_interval), (row.shift, row.shift_interval)]
    both += [(found.precision, found.precision_interval), (found.recall, found.recall_interval)]

    def literal(x, y):
        hits = ((x > 1) & (y > 1)).sum()
        own = x.tolist(), y.tolist()
        kappas = kappa_of(*own, "linear"), kappa_of(*own, "quadratic"), ordinal_alpha(*own)
        return *kappas, (y - x).mean(), hits / (y > 1).sum(), hits / (x > 1).sum()

    without = np.array([literal(a[place != t], b[place != t]) for t in range(topics)])
    errors = np.sqrt((topics - 1) / topics * ((without - without.mean(0)) ** 2).sum(0))
    for (value, interval), known, error in zip(both, literal(a, b), errors, strict=True):
        assert value == pytest.approx(known, abs=1e-12)
        assert interval == pytest.approx((value - half * error, value + half * error), abs=1e-9)
    assert compared(a.tolist(), b.tolist(), 4).labels[0].shift_interval is None  # fewer than five topics
    assert compared(a.tolist(), a.tolist(), 8).labels[0].kappa_quadratic_interval is None  # nothing changes
    none = cd.label_agreement({"q1": {"d": 1}}, {"llm": {"q1": {"d": 1}}}, confidence_level=None)
    assert none.options["confidence_level"] is None


def test_a_scale_of_many_grades_has_the_diagonal_of_thresholds_only():
    """Up to ten grades all pairs are listed."""
    assert len(compared(range(10), range(10)).thresholds) == 81
    assert [(row.grade, row.estimate_grade) for row in compared(range(11), range(11)).thresholds] == [
        (grade, grade) for grade in range(1, 11)
    ]


def test_the_verdict_names_the_quadratic_kappa_of_more_than_two_grades():
    """With two grades all kinds of kappa are the same."""
    graded, binary = compared([0, 1, 2, 2], [0, 1, 2, 1]), compared([0, 1, 1, 0], [0, 1, 0, 0])
    assert "quadratic 0.80" in graded.verdict[0]
    assert "quadratic" not in binary.verdict[0]
    labels = {"q": {"a": 0, "b": 1, "c": 2}}
    swapped = {"q": {"a": 1, "b": 0, "c": 2}}
    many = cd.label_agreement(labels, {"x": labels, "y": swapped, "z": swapped, "u": swapped})
    assert "x agrees most with the reference on the grades (quadratic kappa 1.00), y least" in many.verdict[0]


def test_failed_labels_are_counted_and_not_compared():
    """In a column and in a note about the judge; the others are compared."""
    llm = {"q1": {"a": "2", "b": "N/A", "c": None, "d": float("nan")}}
    result = cd.label_agreement({"q1": {"a": 2, "b": 1, "c": 0, "d": 0}}, {"llm": llm})
    (row,) = result.labels
    assert (row.documents, row.reference_only, row.failed, row.same_grade) == (1, 3, 3, 1.0)
    (note,) = result.notes
    assert (note.kind, note.subject, note.values["failed"]) == (
        "failed_labels",
        "llm",
        {"N/A": 1, "None": 1, "nan": 1},
    )
    assert note.text.startswith("3 labels of 4 are missing or failed ('N/A', 'None', 'nan'); such documents")


def drawn(rng, topics):
    """Grades of 40 documents a topic; the judge has noise, and a bias of its own on each topic."""
    quality = rng.normal(0, 1, (topics, 1)) + rng.normal(0, 1, (topics, 40))
    judged = quality + rng.normal(0.2, 0.6, (topics, 1)) + rng.normal(0, 0.8, (topics, 40))
    sides = (np.digitize(side, [-0.2, 0.8, 1.6]).tolist() for side in (quality, judged))
    return [
        {f"q{t}": {f"d{i}": g for i, g in enumerate(row)} for t, row in enumerate(side)} for side in sides
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("topics", "least"), [(5, 0.92), (25, 0.92)])
def test_intervals_over_topics_hold_the_true_value(topics, least):
    """docs/guides/judges.md has the shares of 600 draws: 0.93 to 0.96."""
    rng = np.random.default_rng(1)
    names = ("kappa_linear", "kappa_quadratic", "alpha_ordinal", "shift")

    def row(n):
        human, llm = drawn(rng, n)
        return cd.label_agreement(human, {"llm": llm}).labels[0]

    true, held = row(20_000), np.zeros(4)
    for _ in range(400):
        own = row(topics)
        ends = [getattr(own, f"{name}_interval") for name in names]
        held += [low <= getattr(true, name) <= high for name, (low, high) in zip(names, ends, strict=True)]
    assert (held / 400 >= least).all(), held / 400
