"""`labels`: raters compared label by label, against literal formulas, golden values and other packages."""

from __future__ import annotations

import functools
import itertools
import json
import math
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
import pytest
import scipy.stats
import sklearn.metrics
from reference import gamma, somers_d, tau_b, tau_c
from reference.labels import alpha, gwet_ac, kappa as kappa_of, ordinal_alpha, percent
from support import quiet
from support.program import run

import concordant as cd
from concordant.statistics.rater_agreement import alt_test, alt_test_rankings

pytestmark = quiet
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "labels.json").read_text())
WEIGHTS = {None: "kappa", "linear": "kappa_linear", "quadratic": "kappa_quadratic"}
LEVELS = ["poor", "fair", "good"]


@pytest.fixture(scope="module")
def result(folder):
    """Two judges of the same documents."""
    return cd.labels({n: folder / f"{n}.qrels" for n in ("human", "noisy", "partial")}, reference="human")


def compared(a, b, topics=0, levels=None):
    """Two lists of labels, None is missing; items go to the topics in turn, if there are any."""
    frame = pd.DataFrame({"ref": a, "llm": b}, dtype=object)
    if topics:
        frame.insert(0, "topic", [f"q{i % topics}" for i in range(len(frame))])
        frame.insert(1, "item", range(len(frame)))
    return cd.labels(frame, reference="ref", levels=levels)


@pytest.mark.parametrize("undefined", [1, -1])
def test_an_undefined_agreement_of_rankings_leaves_out_one_annotator_of_one_topic(undefined):
    """As if the two agreed with this annotator as they do with the other one, whichever of them lacks it."""
    agreement = np.random.default_rng(3).uniform(size=(12, 4, 3))  # topics x three annotators and a judge
    same = agreement.copy()
    agreement[4, 0 if undefined == 1 else -1, 1] = np.nan
    same[4, [0, -1], 1] = same[4, [0, -1], 2]
    found, expected = (alt_test_rankings(each, epsilon=0.1).annotators[0] for each in (agreement, same))
    assert found == expected


def overall(table, **how):
    """The values of all raters, of items x raters."""
    raters = {f"r{j}": [row[j] for row in table] for j in range(len(table[0]))}
    return {each.coefficient: each for each in cd.labels(raters, **how).overall}


# --- two raters ---


@pytest.mark.parametrize("name", ["noisy", "partial"])
def test_confusion_is_that_of_literal_counts(result, folder, name):
    """Of all documents of judgements; the items of a topic belong together."""
    human, other = cd.read_qrels(folder / "human.qrels"), cd.read_qrels(folder / f"{name}.qrels")
    expected = np.zeros((4, 4), dtype=int)
    for topic, documents in human.items():
        for document, grade in documents.items():
            expected[grade, other[topic][document]] += 1
    own = [each for each in result.confusion if each.rater == name]
    assert [each.n for each in own] == expected.ravel().tolist()
    assert [(each.label, each.rater_label) for each in own] == list(itertools.product(range(4), repeat=2))
    (row,) = (each for each in result.raters if each.rater == name)
    assert (row.n, row.reference_only, row.rater_only) == (expected.sum(), 0, 0)
    assert row.percent == np.trace(expected) / expected.sum()
    assert len({each.topic for each in result.topic_labels}) == len(human)


def test_items_that_one_side_labelled_are_counted():
    """Only items that both labelled are compared."""
    human = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1}}
    llm = {"q1": {"a": 1, "b": -1, "d": 1}, "q3": {"a": 1, "b": 1}}
    (row,) = cd.labels({"human": human, "llm": llm}, reference="human").raters
    assert (row.n, row.reference_only, row.rater_only, row.percent) == (2, 2, 3, 0.0)


def test_values_are_undefined_where_there_is_nothing_to_agree_on():
    """If both give all items the same label, AC1 is 1 with given levels; or no item in common."""
    row = compared([1, 1], [1, 1]).raters[0]
    assert (row.percent, math.isnan(row.kappa), math.isnan(row.alpha_nominal)) == (1.0, True, True)
    given = cd.labels({"a": [1, 1], "b": [1, 1]}, levels=[0, 1]).raters[0]
    assert (given.ac1, math.isnan(given.kappa)) == (1.0, True)
    row = compared([1, None, 2], [None, 1, None]).raters[0]
    assert (row.n, math.isnan(row.percent), math.isnan(row.shift)) == (0, True, True)
    assert "ref and llm labelled no item in common." in compared([1, None], [None, 1]).verdict


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: f"{case['function']} {case['id']}")
def test_golden(case):
    """Every value of the golden file, by exact arithmetic elsewhere."""
    kind, args, kwargs, value = (case[key] for key in ("function", "args", "kwargs", "value"))
    expected = math.nan if value is None else value
    if kind == "alt_test":
        judge, humans = args
        items = sorted({*judge, *itertools.chain(*humans.values())})
        own = np.array([[each.get(i, math.nan) for each in (judge, *humans.values())] for i in items])
        found = alt_test(own[:, 0], own[:, 1:], **{"score": "accuracy", **kwargs})
    elif kind == "alt_test_rankings":
        sides, m = np.array([*args[1].values(), args[0]], dtype=float), len(args[1])
        pairs = [[[cd.tau_b(x, y) for x in sides[:m, t]] for y in sides[:, t]] for t in range(sides.shape[1])]
        found = alt_test_rankings(np.array(pairs), epsilon=kwargs["epsilon"])
    elif kind in ("gwet_ac", "percent_agreement") or (kind == "krippendorff_alpha" and len(args) == 1):
        levels = kwargs.get("categories")
        names = {"nominal": "alpha (nominal)", "ordinal": "alpha (ordinal)", "interval": "alpha (interval)"}
        names |= {"pairs": "percent of pairs", "all": "percent of items", None: "AC1"}
        names |= {each: f"AC2 ({each})" for each in ("linear", "quadratic")}
        names["ordinal" if kind == "gwet_ac" else ""] = "AC2 (ordinal)"
        if all(label is None for row in args[0] for label in row) or len(args[0][0]) < 2:
            return
        key = next(iter([kwargs[k] for k in ("level", "weights", "kind") if k in kwargs]))
        seen = {label for row in args[0] for label in row if label is not None}
        if levels is not None and len(levels) < 2:
            levels = None
        assert seen <= set(levels or seen)
        own = overall(args[0], levels=levels)[names[key]]
        assert own.value == pytest.approx(expected, abs=1e-12, nan_ok=True)
        return
    if kind.startswith("alt_test"):
        tested = dict(zip(humans if kind == "alt_test" else args[1], found.annotators, strict=True))
        assert found.winning_rate == pytest.approx(expected["winning_rate"], abs=1e-12, nan_ok=True)
        assert found.advantage == pytest.approx(expected["advantage"], abs=1e-12, nan_ok=True)
        assert {name: each.pvalue for name, each in tested.items() if each} == pytest.approx(expected["p"])
        assert [name for name, each in tested.items() if each and each.rejected] == expected["rejected"]
        return
    result = compared(*args, topics=2, levels=kwargs.get("categories"))
    if kind == "at_thresholds":
        names = ("precision", "recall", "f1", "accuracy", "kappa")
        by = {(row.label, row.rater_label): row for row in result.thresholds}
        assert len(by) == len(value)
        for row in value:
            own = by[row["reference"], row["rater"]]
            assert [getattr(own, n) for n in names] == pytest.approx([row[n] for n in names], abs=1e-12)
        return
    names = {"kappa": WEIGHTS[kwargs.get("weights")], "krippendorff_alpha": "alpha_ordinal"}
    expected = value["mean"] if kind == "shift" and value else expected
    own = getattr(result.raters[0], names.get(kind, "shift"))
    assert own == pytest.approx(expected, abs=1e-12, nan_ok=True)


def sample(seed, n=90):
    """Labels of two raters; some grades lie apart, and some are negative."""
    rng = np.random.default_rng(seed)
    grades = np.sort(rng.choice(np.arange(-2, 9), rng.integers(2, 6), replace=False))
    a = rng.choice(grades, n).tolist()
    return a, np.where(rng.random(n) < 0.5, a, rng.choice(grades, n)).tolist()


@pytest.mark.parametrize("seed", range(12))
def test_two_raters_against_the_literal_formulas(seed):
    """All items, and topic by topic."""
    a, b = sample(seed)
    result = compared(a, b, topics=6)
    row, own = result.raters[0], [a, b]
    both = [list(each) for each in zip(a, b, strict=True)]
    expected = {
        "kappa_linear": kappa_of(a, b, "linear"),
        "kappa_quadratic": kappa_of(a, b, "quadratic"),
        "kappa": kappa_of(a, b),
        **{f"alpha_{kind}": alpha(both, kind) for kind in ("nominal", "ordinal", "interval")},
        "ac1": gwet_ac(both),
        "tau_b": tau_b(*own),
        "tau_c": tau_c(*own),
        "gamma": gamma(*own),
        "somers_d": somers_d(*own),
        "shift": (sum(b) - sum(a)) / len(a),
    }
    found = {name: getattr(row, name) for name in expected}
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)
    for t, topic in enumerate(result.topic_labels):
        x, y = a[t::6], b[t::6]
        assert (topic.topic, topic.n) == (f"q{t}", len(x))
        expected_values = [kappa_of(x, y, "linear"), kappa_of(x, y, "quadratic"), ordinal_alpha(x, y)]
        values = [topic.kappa_linear, topic.kappa_quadratic, topic.alpha_ordinal]
        assert values == pytest.approx(expected_values, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("seed", range(12))
def test_other_packages_have_the_same_values(seed):
    """scikit-learn (its places are grades here), krippendorff and SciPy; some labels are missing."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 4, 80)
    b = np.where(rng.random(80) < 0.5, a, rng.integers(0, 4, 80))
    row = compared(a.tolist(), b.tolist()).raters[0]
    for weights, name in WEIGHTS.items():
        peer = sklearn.metrics.cohen_kappa_score(a, b, weights=weights, labels=range(4))
        assert getattr(row, name) == pytest.approx(peer, abs=1e-12)
    assert row.tau_b == pytest.approx(scipy.stats.kendalltau(a, b).statistic, abs=1e-12)
    assert row.tau_c == pytest.approx(scipy.stats.kendalltau(a, b, variant="c").statistic, abs=1e-12)
    assert row.somers_d == pytest.approx(scipy.stats.somersd(a, b).statistic, abs=1e-12)
    table = np.stack([a, b, rng.integers(0, 4, 80)]).astype(float)
    table[rng.random(table.shape) < 0.2] = np.nan
    found = overall([[None if math.isnan(v) else int(v) for v in item] for item in table.T])
    for level in ("nominal", "ordinal", "interval"):
        peer = krippendorff.alpha(table, level_of_measurement=level)
        assert found[f"alpha ({level})"].value == pytest.approx(peer, abs=1e-12)


# Of irrCAC 0.4.4, whose requirements exclude the libraries of these tests: CAC(frame, weights, categories=
# [1, 2, 3, 4]).gwet() and .krippendorff(), 12 items x 4 raters with missing labels, 15 digits.
IRRCAC = json.loads((Path(__file__).parents[1] / "golden" / "irrcac.json").read_text())


@pytest.mark.parametrize("case", IRRCAC, ids=lambda case: case["id"])
def test_irrcac_has_the_same_values(case):
    """Gwet's AC1 and AC2 with three kinds of weights; Krippendorff's alpha with identity weights."""
    found = overall(case["table"], levels=[1, 2, 3, 4])
    for name, value in case["values"].items():
        assert found[name].value == pytest.approx(value, abs=1e-12), name


@pytest.mark.parametrize("seed", range(8))
def test_all_raters_against_the_literal_formulas(seed):
    """With missing labels; items with one label, or none, too."""
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 3, (25, 4)).tolist()
    table = [[None if rng.random() < 0.3 else label for label in row] for row in table]
    found, expected = overall(table, levels=[0, 1, 2]), {}
    expected |= {f"alpha ({kind})": alpha(table, kind) for kind in ("nominal", "ordinal", "interval")}
    expected |= {f"AC2 ({w})": gwet_ac(table, w, [0, 1, 2]) for w in ("linear", "quadratic", "ordinal")}
    expected |= {"AC1": gwet_ac(table, None, [0, 1, 2])}
    expected |= {"percent of pairs": percent(table), "percent of items": percent(table, "all")}
    assert {name: found[name].value for name in expected} == pytest.approx(expected, abs=1e-12)


def test_w_is_that_of_friedman():
    """Kendall's W = chi2 of Friedman / (m (n - 1)), on items that all labelled."""
    rng = np.random.default_rng(3)
    table = rng.integers(0, 5, (12, 4))
    found = overall([*table.tolist(), [1, None, 2, 3]])["Kendall's W"]
    chi2 = scipy.stats.friedmanchisquare(*table).statistic
    assert found.value == pytest.approx(chi2 / (4 * 11), abs=1e-12)
    assert (found.items, 0 < found.pvalue <= 1) == (12, True)


# --- intervals ---


@pytest.mark.parametrize("topics", [8, 0])
def test_intervals_are_by_the_jackknife(topics):
    """Each topic, or each item, is left out in turn, with the quantile of Student's t of SciPy."""
    rng = np.random.default_rng(0)
    a, noise = rng.integers(0, 4, 120), rng.integers(0, 4, 120)
    b = np.where(rng.random(120) < 0.6, a, noise)
    n = topics or 120
    result, place = compared(a.tolist(), b.tolist(), topics), np.arange(120) % n
    row, half = result.raters[0], scipy.stats.t.ppf(0.975, n - 1)
    (found,) = (each for each in result.thresholds if each.label == each.rater_label == 2)
    names = ("kappa_linear", "alpha_ordinal", "ac1", "tau_c", "gamma", "shift")
    both = [(getattr(row, name), getattr(row, f"{name}_interval")) for name in names]
    both += [(found.precision, found.precision_interval)]
    (overall_alpha,) = (each for each in result.overall if each.coefficient == "alpha (ordinal)")
    both += [(overall_alpha.value, overall_alpha.interval)]

    def literal(x, y):
        own = x.tolist(), y.tolist()
        table = [list(each) for each in zip(*own, strict=True)]
        hits = ((x > 1) & (y > 1)).sum() / (y > 1).sum()
        ordinal = ordinal_alpha(*own)
        some = kappa_of(*own, "linear"), ordinal, gwet_ac(table, None, [0, 1, 2, 3])
        return *some, tau_c(*own), gamma(*own), (y - x).mean(), hits, ordinal

    without = np.array([literal(a[place != t], b[place != t]) for t in range(n)])
    errors = np.sqrt((n - 1) / n * ((without - without.mean(0)) ** 2).sum(0))
    for (value, interval), known, error in zip(both, literal(a, b), errors, strict=True):
        assert value == pytest.approx(known, abs=1e-12)
        assert interval == pytest.approx((value - half * error, value + half * error), abs=1e-9)


def test_there_is_no_interval_without_enough_topics():
    """Fewer than five, or nothing changes, or none were asked for."""
    a, b = [0, 1, 2, 3] * 5, [0, 1, 2, 2] * 5
    assert compared(a, b, 4).raters[0].shift_interval is None
    assert compared(a, a, 8).raters[0].kappa_quadratic_interval is None
    none = cd.labels({"a": a, "b": b}, resampling=None)
    assert none.options["confidence_level"] is None
    assert none.raters[0].kappa_interval is None


def test_a_scale_of_many_grades_has_the_diagonal_of_thresholds_only():
    """Up to ten grades all pairs are listed."""
    assert len(compared(range(10), range(10)).thresholds) == 81
    many = compared(range(11), range(11)).thresholds
    assert [(row.label, row.rater_label) for row in many] == [(grade, grade) for grade in range(1, 11)]


# --- what is read ---

WIDE = "item,human,gpt,claude\na,poor,poor,fair\nb,good,,good\nc,fair,good,N/A\n"
LONG = """item,rater,label
a,human,poor
a,gpt,poor
a,claude,fair
b,human,good
b,claude,good
c,human,fair
c,gpt,good
c,claude,N/A
"""


def rows_of(result):
    """The records of raters, without the number of failed labels, which a long table need not list."""
    return [{**row, "failed": None} for row in result.table("raters").to_dicts()]


def test_wide_and_long_tables_are_the_same(tmp_path):
    """A missing label is not compared, and is never the lowest."""
    results = []
    for name, text in (("wide.csv", WIDE), ("long.csv", LONG)):
        (tmp_path / name).write_text(text)
        results.append(cd.labels(tmp_path / name, reference="human", levels=LEVELS))
    assert rows_of(results[0]) == rows_of(results[1])
    gpt, claude = results[0].raters
    assert (gpt.n, gpt.failed, gpt.shift, claude.n, claude.shift) == (2, 1, 0.5, 2, 0.5)
    assert results[0].items[0].labels == "human poor, gpt poor, claude fair"
    frame = pd.read_csv(tmp_path / "wide.csv")
    assert rows_of(cd.labels(frame, reference="human", levels=LEVELS)) == rows_of(results[0])
    by_item = {
        rater: dict(zip(frame.item, frame[rater], strict=True)) for rater in ("human", "gpt", "claude")
    }
    assert rows_of(cd.labels(by_item, reference="human", levels=LEVELS)) == rows_of(results[0])


def test_without_a_reference_all_pairs_are_compared():
    """In the order of the raters."""
    found = cd.labels({"a": [1, 2, 3], "b": [1, 2, 2], "c": [3, 2, 1]})
    assert [(row.reference, row.rater) for row in found.raters] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [
        row.rater for row in cd.labels({"a": [1, 2], "b": [1, 2], "c": [2, 1]}, raters=["a", "c"]).raters
    ] == ["c"]


@pytest.mark.parametrize(
    ("words", "grades"),
    [
        (("fail", "pass"), ["fail", "pass"]),
        (("No", "Yes"), ["no", "yes"]),
        ((False, True), [0, 1]),
        (("false", "TRUE"), [0, 1]),
        ((0.5, 1), [0.5, 1]),
    ],
)
def test_two_labels_whose_order_is_known(words, grades):
    """Pass and fail, yes and no, truth values; all kinds of kappa are then the same."""
    a, b = [words[k] for k in (0, 1, 1, 0, 1)], [words[k] for k in (0, 1, 0, 0, 1)]
    found = cd.labels({"a": a, "b": b})
    row = found.raters[0]
    assert found.options["levels"] == grades
    assert row.kappa == row.kappa_linear == row.kappa_quadratic == pytest.approx(8 / 13)
    assert row.shift < 0


def test_words_without_an_order_have_nominal_values_only():
    """A note says how to give the order."""
    found = cd.labels({"a": ["cat", "dog", "cow"], "b": ["cat", "dog", "dog"]})
    row = found.raters[0]
    assert row.percent == pytest.approx(2 / 3)
    assert not math.isnan(row.kappa + row.alpha_nominal + row.ac1)
    assert all(math.isnan(v) for v in (row.kappa_linear, row.alpha_ordinal, row.tau_b, row.gamma, row.shift))
    assert found.thresholds == ()
    (note,) = (each for each in found.notes if each.kind == "no_order")
    assert "cat, cow, dog have no order; give it with levels" in note.text
    assert found.items[0].spread == 1


def test_repeated_labels_of_a_rater_are_compared_with_each_other():
    """The first counts against the others."""
    rows = [
        ("a", "h", 1),
        ("a", "g", 1),
        ("a", "g", 1),
        ("b", "h", 2),
        ("b", "g", 2),
        ("b", "g", 1),
        ("b", "g", 2),
    ]
    found = cd.labels(pd.DataFrame(rows, columns=["item", "rater", "label"]), reference="h")
    assert found.raters[0].percent == 1.0
    (row,) = found.consistency
    assert (row.rater, row.items, row.labels, row.always) == ("g", 2, 5, 0.5)
    assert row.percent == pytest.approx((1 + 1 / 3) / 2)
    assert row.alpha == pytest.approx(alpha([[1, 1], [2, 1, 2]], "ordinal"))
    (note,) = (each for each in found.notes if each.kind == "repeated_labels")
    assert note.text == "g labelled items again (3 labels); the first label counts"
    assert cd.labels({"a": [1, 2], "b": [1, 1]}).consistency is None


def test_columns_are_named_and_others_left_out(tmp_path):
    """What is no label is told; a column can be given its meaning."""
    text = "id,comment,n_tokens,worker,answer\n" + "".join(
        f"i{k},text {k},{k},{w},{k % 2}\n" for k in range(6) for w in ("x", "y")
    )
    (tmp_path / "a.csv").write_text(text)
    found = cd.labels(tmp_path / "a.csv", columns={"rater": "worker", "label": "answer", "item": "id"})
    assert (found.raters[0].n, found.raters[0].percent) == (6, 1.0)
    wide = "id,comment,human,gpt\n" + "".join(f"i{k},some text {k},{k % 3},{k % 2}\n" for k in range(40))
    (tmp_path / "b.csv").write_text(wide)
    (note,) = (n for n in cd.labels(tmp_path / "b.csv").notes if n.kind == "columns_left_out")
    assert note.values == {"columns": ["comment"]}


@pytest.mark.parametrize(
    ("data", "how", "message"),
    [
        (WIDE, {"reference": "ann"}, r"there is no rater 'ann'; there are human, gpt, claude"),
        (
            WIDE,
            {"levels": ["poor", "good"]},
            r"x.csv:4: the label 'fair' is not one of the levels poor, good",
        ),
        (WIDE, {"levels": ["poor"]}, r"levels must be two or more different labels, got poor"),
        (WIDE, {"levels": ["2", "1"]}, r"numbers are in their own order, the lowest first"),
        (WIDE, {"annotators": ["human"]}, r"annotators: give two or more"),
        (WIDE, {"columns": {"who": "gpt"}}, r"there is no 'who'; give item, topic, system, rater, label"),
        (WIDE, {"columns": {"rater": "gtp"}}, r"there is no column 'gtp'; there are item, human"),
        (WIDE, {"columns": {"rater": "gpt"}}, r"there is no column for the label; name it"),
        (WIDE, {"epsilon": 2}, r"epsilon must be from 0 to 1, got 2"),
        (WIDE, {"closeness": "near"}, r"closeness must be 'accuracy' or 'neg_rmse', got 'near'"),
        ("item,human\na,1\n", {}, r"x.csv:1: labels need two raters or more; found human among item, human"),
        (
            "item,human,gpt\na,1,x\nb,2,2\n",
            {},
            r"x.csv:2: the label 'x' is not one of the levels 1, 2",
        ),
        ("item,human,gpt\na,,\nb,,\n", {}, r"all labels are missing"),
        ("item,human,gpt\n,1,2\n", {}, r"x.csv:2: the item is empty"),
        ({"a": [1, 2], "b": [1]}, {}, r"every rater needs a label for each item, .*; got a 2, b 1"),
        ({}, {}, r"there are no labels"),
        ({"a": [1, 2], "b": [1, 2]}, {"sheet": "x"}, r"sheet is for tables, got labels by rater"),
        ([1, 2], {}, r"labels must be a path, a DataFrame or \{rater: labels\}, got list"),
    ],
)
def test_bad_input_is_refused(tmp_path, data, how, message):
    """Each in one sentence that names the file and the line."""
    if isinstance(data, str):
        path = tmp_path / "x.csv"
        path.write_text(data)
        data = path
    with pytest.raises((cd.ArgumentError, cd.InputError, cd.ArgumentTypeError), match=message):
        cd.labels(data, **how)


def test_scores_are_no_labels():
    """More than 200 different numbers are compared by correlate."""
    many = np.random.default_rng(0).normal(size=300).tolist()
    with pytest.raises(
        cd.ArgumentError, match="more than 200 different labels; scores are compared by correlate"
    ):
        cd.labels({"a": many, "b": many}, raters=["a", "b"])


# --- systems, and the alternative annotator test ---


@functools.cache
def rated(topics=40, noise=(0.3, 1.0)):
    """Grades of the outputs of 8 systems by two people, a noisy judge, and a partial one."""
    rng = np.random.default_rng(5)
    true = np.linspace(-1, 1, 8) + rng.normal(0, 1, (topics, 8))
    sides = {
        "ann": true + rng.normal(0, noise[0], true.shape),
        "bob": true + rng.normal(0, noise[0], true.shape),
        "noisy": true + rng.normal(0, noise[1], true.shape),
        "partial": true + rng.normal(0, 0.3, true.shape) + np.where(np.arange(8) % 3 == 0, 0.8, -0.2),
    }
    frame = pd.DataFrame({name: np.digitize(own, [-0.7, 0.2, 1.0]).ravel() for name, own in sides.items()})
    frame.insert(0, "question", np.repeat([f"q{t}" for t in range(topics)], 8))
    frame.insert(1, "model", [f"m{s}" for s in range(8)] * topics)
    return frame


def test_systems_are_ranked_by_each_rater():
    """What judge answers for mean labels, beside the labels; the better labels rank worse."""
    frame = rated()
    found = cd.labels(frame, reference="ann")
    tables = {
        n: frame.pivot(index="question", columns="model", values=n) for n in ("ann", "noisy", "partial")
    }
    order = [f"q{t}" for t in range(40)]
    expected = cd.judge(
        *(
            cd.Scores(tables[n].loc[order].to_numpy(), topics=order, measures=["label"])
            for n in ("ann", "noisy")
        )
    )
    value = next(row for row in found.agreement if row.estimate == "noisy")
    assert value.value == pytest.approx(expected.agreement[0].value)
    alphas = {row.rater: row.alpha_ordinal for row in found.raters}
    values = {row.estimate: row.value for row in found.agreement if str(row.coefficient) == "tau_ap_b"}
    assert alphas["partial"] > alphas["noisy"]
    assert values["noisy"] > values["partial"]
    assert any("agrees best on the labels" in sentence for sentence in found.verdict)
    assert found.judges
    assert found.reference == "ann"
    assert cd.labels(frame).agreement is None  # there is no reference


def test_topics_without_a_label_of_a_system_are_left_out():
    """They are not 0, and a note counts them."""
    frame = rated().copy()
    frame.loc[3, "noisy"] = None
    found = cd.labels(frame, reference="ann", raters=["ann", "noisy"], resampling=None)
    assert found.judges[0].topics == 39
    assert "1 topic of 40 lack a label of some system" in [note.text for note in found.notes]


def test_alt_test_of_labels_and_rankings():
    """The judge that is as good passes, in both forms; what did not pass is not said to be worse."""
    found = cd.labels(
        rated(120, (0.8, 0.2)), annotators=["ann", "bob"], raters=["ann", "bob", "noisy", "partial"]
    )
    rows = {(row.rater, row.of): row for row in found.alt_test}
    assert rows["noisy", "labels"].passes
    assert rows["noisy", "rankings"].passes
    assert {row.annotator for row in found.annotators} == {"ann", "bob"}
    failed = cd.labels(rated(), annotators=["ann", "bob"], epsilon=0.0)
    said = " ".join(failed.verdict)
    assert "did not pass the alternative annotator test of labels" in said
    assert "which does not show that it is worse" in said
    few = cd.labels({"a": [1, 0], "b": [1, 0], "j": [1, 1]}, annotators=["a", "b"])
    assert (
        "j is not tested by the alternative annotator test of labels: no annotator has enough items."
        in few.verdict
    )
    assert math.isnan(few.alt_test[0].winning_rate)


def test_the_instances_that_are_needed_suffice():
    """With so many, simulated judges pass in about 80 % of the cases."""
    rng = np.random.default_rng(1)

    def drawn(n):
        truth = rng.integers(0, 2, n)
        humans = np.where(rng.random((n, 3)) < 0.8, truth[:, None], 1 - truth[:, None]).astype(float)
        return np.where(rng.random(n) < 0.8, truth, 1 - truth).astype(float), humans

    needed = alt_test(*drawn(20_000), score="accuracy", epsilon=0.15).needed
    passed = np.mean([alt_test(*drawn(needed), score="accuracy", epsilon=0.15).passes for _ in range(150)])
    assert 0.65 <= passed <= 0.95


def test_the_command_gives_what_the_function_gives(tmp_path):
    """A table, words in an order, and judgements of several raters."""
    path = tmp_path / "labels.csv"
    path.write_text(WIDE)
    text = run(
        "labels", path, "--reference", "human", "--levels", "poor,fair,good", "--format", "json"
    ).stdout
    found, expected = json.loads(text), cd.labels(path, reference="human", levels=LEVELS)
    assert found["tables"] == json.loads(expected.to_json())["tables"]
    assert found["verdict"] == list(expected.verdict)
    assert (
        "item"
        in run(
            "labels", path, "--columns", "item=item", "--levels", "poor,fair,good", "--table", "items"
        ).stdout
    )
    wrong = run("labels", path, "--epsilon", "0.1")
    assert "--epsilon" in wrong.stderr
    assert "without --annotator" in wrong.stderr


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
        return cd.labels({"human": human, "llm": llm}, reference="human").raters[0]

    true, held = row(20_000), np.zeros(4)
    for _ in range(400):
        own = row(topics)
        ends = [getattr(own, f"{name}_interval") for name in names]
        held += [low <= getattr(true, name) <= high for name, (low, high) in zip(names, ends, strict=True)]
    assert (held / 400 >= least).all(), held / 400
