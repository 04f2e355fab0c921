"""Figures of the experiments: drawn from the records, to every kind of file."""

from __future__ import annotations

import re
import struct
import sys
from collections import Counter

import numpy as np
import pytest
from support.hostile import HOSTILE

import concordant as cd
from concordant.figures.draw import figure_bytes, figure_names, spec_of
from concordant.results.words import number

vlc = pytest.importorskip("vl_convert", reason="figures need concordant[plot]")
pytest.importorskip("altair", reason="figures need concordant[plot]")

ex = cd.experiments
FIGURES = [
    ("predict", "measures"),
    ("curves", "measures"),
    ("swap", "weights"),
    ("pool", "shares"),
    ("pool", "scatter"),
    ("grades", "values"),
    ("reuse", "systems"),
    ("stability", "rates"),
]
each_figure = pytest.mark.parametrize(("name", "figure"), FIGURES)


@pytest.fixture(scope="module")
def results(two_measures, folder):
    """A small result of every experiment; of `predict` a table and curves."""
    files = (folder / "human.qrels", folder / "runs" / "*")
    both = np.concatenate([two_measures.values, two_measures.values.mean(axis=0, keepdims=True)])
    three = cd.Scores(both, measures=["AP", "P@10", "both"])
    return {
        "predict": ex.predict(two_measures, ["tau_b", "tau"], n_splits=20, rng=1),
        "curves": ex.predict(two_measures, ["tau_b", "tau_ap_b"], n_splits=20, topics=[8, 4], rng=1),
        "swap": ex.swap(two_measures["AP"], n_draws=5, n_swaps=2, rng=1),
        "pool": ex.pool(*files, ["tau_b"], percents=[10, 100], n_replicates=2, rng=1),
        "grades": ex.grades(*files, rng=1),
        "reuse": ex.reuse(*files, depth=15, group_by="^[a-z]+"),
        "stability": ex.stability(three, n_draws=20, n_resamples=20, topics=[4, 10], rng=1),
    }


@pytest.fixture(scope="module")
def drawings(results):
    """Every figure as svg."""
    return {(name, figure): figure_bytes(results[name], "svg", figure) for name, figure in FIGURES}


def scene(result, figure):
    """Return all marks of a figure that show data, and its panels' names: lists of items by kind and role."""
    spec = spec_of(result, figure)
    found = {}

    def walk(part):
        if isinstance(part, dict):
            if "marktype" in part:
                key = part["marktype"], part.get("role")
                found.setdefault(key, []).append(part["items"])
            part = list(part.values())
        if isinstance(part, list):
            for each in part:
                walk(each)

    walk(vlc.vegalite_to_scenegraph(spec, vl_version="6.4"))
    return found


def shown(result, figure, kind):
    """Return the items of all marks of one kind, over all panels."""
    return [item for items in scene(result, figure).get((kind, "mark"), []) for item in items]


def words(result, figure):
    """Return title and subtitle of a figure."""
    title = spec_of(result, figure)["title"]
    return " ".join(title["text"]), " ".join(title["subtitle"])


@pytest.mark.parametrize("width", [8.5, 17.5])
@pytest.mark.parametrize(("name", "figure"), FIGURES)
def test_text_has_the_same_size_at_any_width(results, name, figure, width):
    """The smallest letters have seven points, the title nine and a half."""
    svg = figure_bytes(results[name], "svg", figure, width).decode()
    (across,) = re.findall(r'viewBox="0 0 (\S+)', svg)
    sizes = {
        float(size) * width / 2.54 * 72 / float(across) for size in re.findall(r'font-size="([\d.]+)px"', svg)
    }
    assert min(sizes) >= 7
    assert max(sizes) == pytest.approx(13 * 8 / 11, abs=0.15)


def test_a_column_of_a_paper_has_fewer_panels_side_by_side(results):
    """It is as wide as it is told to be in every kind of file."""
    swap = results["swap"]
    assert [spec_of(swap, "weights", width)["columns"] for width in (None, 17, 8.5, 5)] == [3, 3, 2, 1]
    svg = figure_bytes(swap, "svg", "weights", 8.5).decode()
    assert svg.count('width="8.5cm"') == 1
    (box,) = re.findall(rb"MediaBox \[0 0 (\S+) ", figure_bytes(swap, "pdf", "weights", 8.5))
    assert float(box) / 72 * 2.54 == pytest.approx(8.5, abs=0.001)
    png = figure_bytes(swap, "png", "weights", 8.5)
    (pixels,), (per_metre,) = (struct.unpack(">I", png[k : k + 4]) for k in (16, png.index(b"pHYs") + 4))
    assert 100 * pixels / per_metre == pytest.approx(8.5, abs=0.01)


def test_all_figures_are_tested(results):
    """Every figure of every experiment is in the list above."""
    there = {(type(result), name) for result in results.values() for name in figure_names(type(result))}
    assert {(type(results[name]), figure) for name, figure in FIGURES} == there


@each_figure
@pytest.mark.parametrize("again", [("pool", "swap"), pytest.param(None, marks=pytest.mark.slow)])
def test_the_same_result_gives_the_same_svg(results, drawings, name, figure, again):
    """Every figure is drawn, and one of each of these kinds of result, or of all, a second time."""
    first = drawings[name, figure]
    assert first.startswith(b"<svg ")
    if figure == figure_names(type(results[name]))[0] and name in (again or results):
        assert figure_bytes(results[name], "svg", figure) == first
    if figure in ("measures", "scatter"):
        for kind, start in (("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-1.")):
            assert figure_bytes(results[name], kind, figure).startswith(start)


@each_figure
@pytest.mark.parametrize("validated", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_marks_tell_their_numbers(results, name, figure, validated):
    """All marks that show records have a tooltip."""
    validated = validated or figure in ("measures", "scatter")
    spec = cd.plot(results[name], figure).to_dict() if validated else spec_of(results[name], figure)

    def units(part):
        if "mark" in part:
            yield part
        inside = [*part.get("layer", []), *part.get("vconcat", [])]
        for inner in [*inside, *([part["spec"]] if "spec" in part else [])]:
            yield from units(inner)

    for unit in units(spec):
        if "strokeDash" not in unit["mark"]:  # the diagonal shows no record
            assert unit["encoding"]["tooltip"]


@each_figure
def test_titles_fit(results, drawings, name, figure):
    """No line of a title is wider than the figure."""
    width = float(re.search(r'width="([\d.]+)"', drawings[name, figure].decode())[1])
    title = spec_of(results[name], figure)["title"]
    assert max(map(len, title["text"])) * 6.5 < width + 20
    assert title["subtitle"]


def test_a_loaded_result_is_drawn_like_the_one_that_was_saved(results, tmp_path):
    """Nothing but the saved numbers is needed to draw."""
    for name, figure in FIGURES:
        results[name].save(tmp_path / name)
        loaded = ex.load(tmp_path / name)
        assert spec_of(loaded, figure) == spec_of(results[name], figure), name


def test_cells_hold_the_means_of_predict():
    """Each cell shows its mean; one without a value is grey and says so."""
    x = np.random.default_rng(0).random((2, 20, 8))
    x[1, :, 1] = x[1, :, 0]  # tied by the second measure, whatever the topics
    result = ex.predict(cd.Scores(x, measures=["AP", "P@10"]), ["tau", "tau_b"], n_splits=5, rng=1)
    texts = [item["text"] for item in shown(result, "measures", "text")]
    own = [each for each in result if str(each.coefficient) == "tau"]
    expected = ["-" if each.mean is None else f"{each.mean:.2f}".replace("-", "−") for each in own]
    assert Counter(texts) == Counter(expected)
    assert "-" in texts
    cells = Counter(item["fill"] for item in shown(result, "measures", "rect") if "fill" in item)
    assert cells["#cccccc"] == expected.count("-")
    assert cells.total() == len(expected)


def test_text_on_dark_cells_is_white():
    """The colour of text depends on the shade."""
    rng = np.random.default_rng(1)
    values = [rng.normal(np.linspace(0.2, 0.8, 12), sd, (20, 12)) for sd in (0.02, 2)]
    result = ex.predict(cd.Scores(np.stack(values), measures=["AP", "P@10"]), ["tau_b"], n_splits=50, rng=1)
    means = {f"{each.mean:.2f}".replace("-", "\N{MINUS SIGN}"): each.mean for each in result}
    ink = {means[item["text"]]: item["fill"] for item in shown(result, "measures", "text")}
    assert ink[max(ink)] == "white"
    assert ink[min(ink)] == "black"


def test_curves_go_through_all_means(results):
    """With several numbers of topics, a point for each record of a coefficient, a panel for each measure."""
    result = results["curves"]
    own = [each for each in result.predictions if str(each.coefficient) == "tau_b"]
    assert len(shown(result, "measures", "symbol")) == len(own)
    headers = [item["text"] for items in scene(result, "measures")["text", "title-text"] for item in items]
    said = [text[0] if isinstance(text, list) else text for text in headers]
    assert [text for text in said if text.startswith("reference: ")] == ["reference: AP", "reference: P@10"]


def test_points_lie_where_the_scores_are(results):
    """The positions of the points of `reuse`, taken back to scores, are the scores of the systems."""
    result = results["reuse"]
    domain = cd.plot(result).to_dict()["layer"][1]["encoding"]["x"]["scale"]["domain"]
    low, high = domain

    def back(pixels):
        return low + pixels / 320 * (high - low)

    points = [(back(item["x"]), back(320 - item["y"])) for item in shown(result, "systems", "symbol")]
    assert points == [pytest.approx((each.score, each.score_without)) for each in result.systems]


def test_the_title_counts_the_systems_that_lose(results):
    """The sentence is about the records."""
    result = results["reuse"]
    n = sum(each.difference < 0 for each in result.systems)
    title, data = words(result, "systems")
    assert title.startswith(
        f"All {n} systems" if n == len(result.systems) else f"{n} of {len(result.systems)}"
    )
    for each in result.correlations:
        assert f"{each.coefficient} {number(each.value)}" in data


def test_each_pair_of_runs_is_counted_once(results):
    """The squares of a panel hold as many pairs as the extension compares."""
    result = results["grades"]
    squares = cd.plot(result, "values").to_dict()["datasets"]["squares"]
    for each in result:
        own = [row for row in squares if row["panel"] == f"{each.extension} · against {each.base}"]
        assert sum(row["count"] for row in own) == each.pairs
        assert all(-1 <= row["low"] < row["high"] <= 1 for row in own)
    assert len(shown(result, "values", "rect")) == len(squares)


def test_shares_are_drawn_from_all_samples(results):
    """A point for each sample and both summaries, an undefined one as a dash."""
    result = results["pool"]
    values = [value for each in result for value in (each.of_means, each.mean_of_topics)]
    assert len(shown(result, "shares", "symbol")) == sum(value is not None for value in values)
    assert len(shown(result, "shares", "text")) == sum(value is None for value in values)


def test_costs_that_are_undefined_are_grey():
    """With ties a coefficient that refuses them has no costs; its panel stays, in grey."""
    x = np.round(np.random.default_rng(0).random((20, 6)), 2)
    x[:, 1] = x[:, 0]
    result = ex.swap(x, ["tau", "tau_b"], n_swaps=1, n_draws=5, rng=1)
    cells = Counter(item["fill"] for item in shown(result, "weights", "rect"))
    assert cells["#cccccc"] == sum(each.weight is None for each in result.weights) > 0
    assert cells.total() == len(result.weights)


def test_titles_claim_what_holds_for_all_coefficients():
    """A measure that predicts all others best is named, and no measure if there is none."""
    rng = np.random.default_rng(1)
    quality = np.linspace(0.2, 0.8, 12)
    sharp, blurred = (rng.normal(quality, sd, (20, 12)) for sd in (0.02, 0.4))
    scores = cd.Scores(np.stack([sharp, blurred]), measures=["sharp", "blurred"])
    result = ex.predict(scores, ["tau_b"], n_splits=50, rng=1)
    assert words(result, "measures")[0].startswith(
        "On average, sharp on half of the topics predicts every measure"
    )
    same = cd.Scores(np.stack([sharp, sharp]), measures=["one", "other"])
    result = ex.predict(same, ["tau_b"], n_splits=50, rng=1)
    assert words(result, "measures")[0].startswith("How well a measure")


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
@pytest.mark.parametrize("n_drawn", [12, pytest.param(len(HOSTILE), marks=pytest.mark.slow)])
def test_all_names_can_be_drawn(kind, n_drawn):
    """Scripts, quotes, other alphabets and long names are text, nothing else."""
    names = [name for name in HOSTILE if kind != "pdf" or name.isascii()]  # some emoji cannot be in a PDF
    values = np.random.default_rng(0).random((12, 12, len(names)))
    for start in range(0, min(len(names), n_drawn), 12):  # each measure is drawn with each
        some = names[start : start + 12]
        scores = cd.Scores(values[: len(some)], measures=some, systems=names)
        result = ex.predict(scores, ["tau_b"], n_splits=5, topics=[4, 12], rng=1)
        for figure in figure_names(type(result)) if kind == "svg" else ["measures"]:
            assert b"<script" not in figure_bytes(result, kind, figure)
    swapped = ex.swap(scores.select(measures=some[:1]), ["tau_b"], n_swaps=1, n_draws=2, rng=1)
    for figure in figure_names(type(swapped)):
        assert b"<script" not in figure_bytes(swapped, kind, figure)


def test_a_wrong_name_is_answered_with_those_that_there_are(results):
    """The message lists the figures."""
    expected = r"^plot: figure: there is no figure 'x'; there are shares, scatter$"
    with pytest.raises(cd.ArgumentError, match=expected):
        cd.plot(results["pool"], "x")


def test_what_is_no_result_is_refused():
    """The message says what was given."""
    with pytest.raises(cd.ArgumentTypeError, match=r"^plot: takes a result that has figures, got int"):
        cd.plot(3)
    with pytest.raises(cd.ArgumentTypeError, match=r"^plot: takes a result that has figures, got GapsResult"):
        cd.plot(ex.gaps(n_pairs=2, rng=1))


def test_a_choice_that_a_figure_does_not_offer_is_refused(results):
    """The message names it."""
    with pytest.raises(cd.ArgumentError, match=r"^plot: estimate has no effect on this figure; leave it out"):
        cd.plot(results["pool"], estimate="llm")


@pytest.mark.parametrize("library", ["altair", "vl_convert"])
def test_a_missing_library_is_named(results, monkeypatch, library):
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=r"altair and vl-convert-python.*concordant\[plot\]"):
        cd.plot(results["pool"])


def test_predictions_that_beat_self_prediction_are_framed():
    """A frame for each; the number of splits stands in cells where not all count."""
    rng = np.random.default_rng(1)
    good = rng.normal(np.linspace(0.6, 0.3, 10), 0.05, (20, 10))
    values = np.stack([good, np.round(good + rng.normal(0, 0.2, good.shape), 1)])
    result = ex.predict(cd.Scores(values, measures=["AP", "P@10"]), ["tau"], n_splits=40, rng=1)
    better = [
        each for each in result if each.difference is not None and each.difference > 0 and each.won > 0.5
    ]
    frames = [item for item in shown(result, "measures", "rect") if item.get("stroke") == "black"]
    assert len(frames) == len(better) > 0
    counted = {str(each.splits - each.undefined) for each in result if 0 < each.undefined < each.splits}
    assert counted
    assert counted <= {str(item["text"]) for item in shown(result, "measures", "text")}


def test_a_coefficient_has_a_row_of_curves_of_its_own():
    """Also with more measures than fit into three columns."""
    scores = cd.Scores(np.random.default_rng(0).random((4, 10, 6)), measures=list("abcd"))
    result = ex.predict(scores, ["tau_b", "tau_ap_b"], n_splits=3, topics=[4, 8])
    assert spec_of(result, "measures")["columns"] == 4
    assert spec_of(result, "measures", coefficient="tau_ap_b")["title"]["subtitle"][0] == "tau_ap_b"


def test_swapped_pairs_and_significance_are_marked(results):
    """A cross for each swap of the first draws, and a dot for each pair that does not differ."""
    result = results["swap"]
    crossed = [each for each in result.pairs if each.swapped]
    assert len(crossed) == 4  # two of each kind
    assert {each.pvalue < 0.05 for each in crossed} == {True, False}
    dots = [each for each in result.weights if each.pvalue >= 0.05]
    panels = len({str(each.coefficient) for each in result.weights})
    assert len(shown(result, "weights", "symbol")) == len(dots) + 4 * panels > 4 * panels
    assert "crosses: the first swaps" in words(result, "weights")[1]
    moved = {each.system for each in result.draws if each.rank != each.rank_after}
    assert moved == {name for each in crossed for name in (each.better, each.worse)}


def test_pool_shows_means_and_chosen_topics(results):
    """A point for each system, share and row; topics that agree most and least are among those shown."""
    result = results["pool"]
    systems, percents = (
        len({each.system for each in result.scatter}),
        {each.percent for each in result.scatter},
    )
    assert len(shown(result, "scatter", "symbol")) == systems * len(percents) * 4  # the means, three topics
    own = [each for each in result.topics if each.percent == min(percents) and each.value is not None]
    ends = min(own, key=lambda each: each.value), max(own, key=lambda each: each.value)
    title, _ = words(result, "scatter")
    assert all(f"on topic {each.topic}" in title for each in ends)
