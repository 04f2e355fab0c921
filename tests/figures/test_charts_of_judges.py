"""The figures of judge and correlate: every one is drawn, and shows the numbers of the records."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest
from support.drawings import SVG, svg
from support.hostile import HOSTILE

import concordant as cd

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

from concordant.figures.converted_tables import Tables
from concordant.figures.draw import figure_names, spec_of
from concordant.figures.two_rankings import classes, pair_class, swapped_pairs

FEW = cd.Resampling(n_resamples=99)


def made(n_systems, n_topics=12, noise=0.0, measures=("AP",), names=None, lower=(), seed=0):
    """Return scores of systems whose quality falls from the first to the last."""
    rng, own = np.random.default_rng(1), np.random.default_rng(seed)
    shape = (len(measures), n_topics, n_systems)
    values = rng.normal(np.linspace(0.8, 0.2, n_systems), 0.08, shape) + own.normal(0, 1, shape) * noise
    values = -values if lower else values  # they are held with the other sign
    systems = names or [f"s{i}" for i in range(n_systems)]
    return cd.Scores(values, measures=list(measures), systems=systems, lower_is_better=lower)


def judged(n_systems, noises, **how):
    """Judge estimates with more and more noise."""
    options = {"resampling": how.pop("resampling", FEW)}
    given = {f"judge{i}": made(n_systems, noise=noise, seed=i + 2, **how) for i, noise in enumerate(noises)}
    return cd.judge(made(n_systems, **how), given, **options)


def of_means(n):
    """Correlate two lists of means, with ties."""
    rng = np.random.default_rng(0)
    sides = [{f"s{i}": float(x) for i, x in enumerate(rng.normal(0.5, 0.1, n).round(1))} for _ in range(2)]
    return cd.correlate(sides[0], {"other": sides[1]}, resampling=FEW)


@pytest.fixture(scope="module")
def results():
    """Results of every size and kind."""
    three = ("AP", "P@10", "RR")
    named = {"names": HOSTILE, "measures": HOSTILE[:3]}
    ours = {name: made(len(HOSTILE), noise=0.02 * i, seed=i, **named) for i, name in enumerate(HOSTILE[:4])}
    flat = cd.Scores(np.ones((1, 12, 5)), measures=["AP"], systems=[f"s{i}" for i in range(5)])
    return {
        "one judge": judged(5, [0.05]),
        "three measures": judged(24, [0.1, 0.6], measures=three),
        "thirty judges": judged(6, [0.02 * i for i in range(30)], n_topics=42),
        "no intervals": judged(6, [0.1, 0.2], resampling=None),
        "lower is better": judged(6, [0.1], measures=("error",), lower=("error",)),
        "hostile": cd.judge(made(len(HOSTILE), **named), ours, resampling=FEW),
        "undefined": cd.judge(
            made(5), {"flat": flat, "good": made(5, noise=0.05), "fair": made(5, noise=0.2)}, resampling=FEW
        ),
        "correlated": cd.correlate(made(6), {"a": made(6, noise=0.3)}, resampling=FEW),
        "many systems": cd.correlate(made(129), {"a": made(129, noise=0.4)}, resampling=FEW),
        "several measures": cd.correlate(
            made(5),
            {"a": made(5, noise=0.2, measures=three[1:])},
            resampling=FEW,
        ),
        "means": of_means(20),
    }


LACKING = {
    "one judge": {"best"},
    "no intervals": {"best", "intervals"},
    "lower is better": {"best"},
    "means": {"intervals", "significance"},
}


def drawn(result, figure, **choices):
    """Return the elements of a figure."""
    return list(svg(result, figure, **choices).iter())


def texts(elements):
    """Return all text of a figure."""
    return [each.text for each in elements if each.tag in (f"{SVG}text", f"{SVG}tspan") and each.text]


def labels(elements, kind):
    """Return what each mark of a kind says to those who do not see it, as a dictionary."""
    found = [each.get("aria-label") for each in elements if each.get("aria-roledescription") == kind]
    plain = [label.replace("\u200b", "") for label in found if label]
    return [dict(part.split(": ", 1) for part in label.split("; ")) for label in plain]


@pytest.mark.parametrize(
    "case",
    [
        "three measures",
        pytest.param("thirty judges", marks=pytest.mark.slow),
        "hostile",
        "undefined",
        pytest.param("many systems", marks=pytest.mark.slow),
        *(
            pytest.param(case, marks=pytest.mark.slow)
            for case in (
                "one judge",
                "several measures",
                "no intervals",
                "lower is better",
                "correlated",
                "means",
            )
        ),
    ],
)
def test_every_figure_is_drawn(results, case):
    """Those for which a result has what they show."""
    for figure in figure_names(type(results[case])):
        if figure not in LACKING.get(case, ()):
            assert len(drawn(results[case], figure)) > 20, figure


def test_a_figure_that_cannot_be_drawn_says_so(results):
    """A result that lacks what a figure shows is told so; for all others there is a drawing to make."""
    for case, result in results.items():
        for figure in figure_names(type(result)):
            if figure in LACKING.get(case, ()):
                with pytest.raises(cd.ArgumentError, match="does not hold what the figure"):
                    cd.plot(result, figure)
            else:
                assert spec_of(result, figure)["title"], (case, figure)


def test_the_first_figure_is_the_one_that_people_want():
    """For two rankings the ranks, for judges their agreement."""
    assert figure_names(cd.results.CorrelateResult)[0] == "ranks"
    assert figure_names(cd.results.JudgeResult)[0] == "agreement"


def test_the_points_of_scores_are_the_records(results):
    """Each system of the chosen judge and measure is one point at its scores."""
    result = results["three measures"]
    points = labels(drawn(result, "scores", estimate="judge1", measure="RR"), "point")
    shown = {row["system"]: (row["reference_score"], row["estimate_score"]) for row in points}
    wanted = {
        row.system: (f"{row.reference_score:.4f}", f"{row.estimate_score:.4f}")
        for row in result.systems
        if (row.estimate, row.measure[0]) == ("judge1", "RR")
    }
    assert shown == {name: tuple(s.replace("-", "−") for s in pair) for name, pair in wanted.items()}


def test_scores_have_the_diagonal_only_if_they_are_comparable(results):
    """Scores by two measures are not the same number on both sides."""
    for case, opacity in (("correlated", 1), ("several measures", 0)):
        found = [each for each in drawn(results[case], "scores") if each.get("stroke-dasharray") == "4,3"]
        assert [float(each.get("opacity", 1)) for each in found] == [opacity]


def test_ranks_show_both_orders_and_mark_swapped_pairs(results):
    """Names are in the order of each side; a symbol stands for each significant pair that is swapped."""
    result = results["three measures"]
    elements = drawn(result, "ranks", estimate="judge1", measure="AP")
    rows = [row for row in result.systems if (row.estimate, row.measure[0]) == ("judge1", "AP")]
    shown = [text for text in texts(elements) if re.fullmatch(r"s\d+", text)]
    by_estimate = sorted(rows, key=lambda row: row.estimate_rank)
    assert shown == [row.system for row in rows] + [row.system for row in rows]
    right = [each for each in elements if each.get("text-anchor") == "start" and each.text in shown]
    heights = [float(re.search(r",([\d.]+)\)", each.get("transform"))[1]) for each in right]
    order = [each.text for _, each in sorted(zip(heights, right, strict=True), key=lambda pair: pair[0])]
    assert order == [row.system for row in by_estimate]
    swapped = swapped_pairs(classes(Tables(result))["judge1", "AP", "AP"])
    assert len([row for row in labels(elements, "point") if "better" in row]) == len(swapped) > 0


def test_swapped_pairs_are_explained_only_where_there_are_some():
    """With several judges, the figure says of the one that it shows whether significant pairs are swapped."""
    result = judged(12, [0.001, 0.6])
    found = classes(Tables(result))
    assert [bool(swapped_pairs(found[f"judge{k}", "AP", "AP"])) for k in (0, 1)] == [False, True]
    for judge, said in (("judge0", "no pair that differs significantly"), ("judge1", "× swapped, though")):
        lines = texts(drawn(result, "ranks", estimate=judge))
        assert [line.startswith(said) for line in lines if "no pair" in line or "×" in line] == [True]


@pytest.mark.parametrize(("n", "figure"), [(2, "intervals"), (60, "intervals"), (60, "ranks")])
def test_axes_of_ranks_have_whole_numbers_from_one_on(n, figure):
    """There is no rank 0, and none of 0.6."""
    lines = drawn(judged(n, [0.3]), figure)
    axes = [
        each
        for each in lines
        if "axis" in (each.get("aria-label") or "") and "rank" in each.get("aria-label")
    ]
    ticks = {part.text for axis in axes for part in axis.iter(f"{SVG}text") if part.text[:1].isdigit()}
    assert "1" in ticks
    assert all(tick.isdigit() and 1 <= int(tick) <= n for tick in ticks)


def test_more_systems_than_lines_can_show_become_a_map(results):
    """Each of the 129 systems is a point at its ranks."""
    result = results["many systems"]
    points = labels(drawn(result, "ranks"), "point")
    assert [(row["system"], int(row["reference_rank"]), int(row["estimate_rank"])) for row in points] == [
        (row.system, row.reference_rank, row.estimate_rank) for row in result.systems
    ]


def test_intervals_of_ranks_are_the_records(results):
    """Both sides have a symbol and the ends of their interval."""
    result = results["one judge"]
    points = labels(drawn(result, "intervals"), "point")
    assert len(points) == 2 * len(result.systems)
    ends = {(row["system"], row["side"]): row for row in points}
    for row in result.systems:
        own = ends[row.system, "estimate"]
        assert (int(own["estimate_rank_low"]), int(own["estimate_rank_high"])) == row.estimate_ranks


def test_agreement_shows_each_value_with_its_interval(results):
    """Every judge, measure and coefficient is one point; the reliability of the reference is stated."""
    result = results["three measures"]
    elements = drawn(result, "agreement")
    shown = {
        (row["estimate"], row["measure"], row["coefficient"]): (row["low"], row["high"])
        for row in labels(elements, "point")
    }
    assert shown == {
        (row.estimate, row.measure[0], str(row.coefficient)): tuple(
            f"{end:.4f}".replace("-", "−") for end in row.interval
        )
        for row in result.agreement
    }
    assert sum(text.startswith("12 other topics") for text in texts(elements)) == 3


def test_undefined_values_are_visible(results):
    """They are written where the value would be."""
    result = results["undefined"]
    assert texts(drawn(result, "agreement")).count("undefined") == 2
    assert texts(drawn(result, "heatmap")).count("undefined") == 2
    assert any("undefined: flat" in text for text in texts(drawn(result, "best")))
    assert any(text.startswith("12 undefined") for text in texts(drawn(result, "topics")))


def test_best_fills_the_symbols_of_those_that_may_be_best(results):
    """As many as the records say."""
    result = results["thirty judges"]
    points = labels(drawn(result, "best"), "point")
    shown = Counter(row["kind"] for row in points if "kind" in row)
    first = [row for row in result.best if row.coefficient == result.best[0].coefficient]
    may = sum(row.may_be_best for row in first)
    assert shown == Counter({"may be the best": may, "below the best (p < 0.05)": len(first) - may})
    shown = [row for row in points if "pvalue_adjusted" in row]
    assert {row["estimate"] for row in shown} | {row["other"] for row in shown} == {
        f"judge{i}" for i in range(30)
    }
    best = max(first, key=lambda row: row.value).estimate
    assert [best in (row["estimate"], row["other"]) for row in shown] == [True] * 29
    said = texts(drawn(result, "best"))
    assert "below the best (p < 0.05)" in said
    assert any("one test of all" in line for line in said)


def test_the_heat_map_holds_every_value(results):
    """Rows are judges, columns are measures, and numbers have two digits."""
    result = results["three measures"]
    coefficient = str(result.agreement[1].coefficient)
    shown = [text for text in texts(drawn(result, "heatmap", coefficient=coefficient)) if "." in text]
    wanted = [row for row in result.agreement if row.top is None and str(row.coefficient) == coefficient]
    assert Counter(shown) == Counter(f"{row.value:.2f}".replace("-", "−") for row in wanted)


def test_the_map_of_pairs_counts_like_the_table(results):
    """There are as many cells of each kind as pairs, and as many crosses as opposite pairs."""
    result = results["three measures"]
    elements = drawn(result, "significance", estimate="judge1", measure="P@10")
    cells = labels(elements, "rect mark")
    pairs = [pair for pair in result.pairs if (pair.estimate, pair.measure[0]) == ("judge1", "P@10")]
    found = Counter(found_by for *_, found_by in classes(Tables(result))["judge1", "P@10", "P@10"])
    texts_of = {"both": "both sides", "reference": "the reference only", "estimate": "the estimate only"}
    shown = Counter(cell["significant difference"] for cell in cells)
    assert shown == Counter({texts_of.get(kind, kind): n for kind, n in found.items()})
    opposite = sum(pair.reference_difference * pair.estimate_difference < 0 for pair in pairs)
    assert sum(cell["opposite order"] == "true" for cell in cells) == opposite > 0


def test_pairs_have_classes():
    """The order by the sign of both differences; the sides that find a difference by their p-values."""

    def pair(x, y, p=None, q=None, alpha=0.05):
        return pair_class(x, y, p, q, alpha)

    assert pair(0.2, 0.1) == ("same", "not tested")
    assert pair(0.2, -0.1, 0.01, 0.01) == ("opposite", "both")
    assert pair(0.0, -0.1, 0.9, 0.01) == ("tied", "estimate")
    assert pair(0.2, 0.0, 0.01, 0.05) == ("tied", "reference")
    assert pair(0.2, 0.1, 0.05, 0.9) == ("same", "neither")
    assert pair(0.2, 0.1, 0.01, None) == ("same", "reference")
    assert pair(0.2, 0.1, 0.01, 0.01, alpha=None) == ("same", "not tested")


def test_topics_show_every_topic_and_name_the_lowest(results):
    """The lowest topic is that of the record."""
    result = results["one judge"]
    elements = drawn(result, "topics")
    points = [row for row in labels(elements, "point") if "topic" in row]
    main = result.each_topic[0].coefficient
    assert len(points) == sum(row.coefficient == main for row in result.each_topic) == 12
    (line,) = (text for text in texts(elements) if text.startswith("lowest: "))
    of_main = result.topics[0]
    assert line.startswith(f"lowest: {of_main.topic_of_minimum} ({of_main.minimum:.2f})")


def test_the_title_says_what_was_chosen(results):
    """By default the best judge and the first measure."""
    result = results["three measures"]
    for figure in ("scores", "ranks", "intervals", "significance"):
        assert "judge0 against the reference, AP" in texts(drawn(result, figure))
        chosen = drawn(result, figure, estimate="judge1", measure="RR")
        assert "judge1 against the reference, RR" in texts(chosen)


def test_a_choice_that_is_not_there_is_answered_with_those_that_are(results):
    """The same holds for measures that are named by both sides."""
    result = results["three measures"]
    with pytest.raises(
        cd.ArgumentError, match="estimate: there is no estimate 'x'; there are judge0, judge1"
    ):
        cd.plot(result, "scores", estimate="x")
    with pytest.raises(cd.ArgumentError, match="measure has no effect on this figure"):
        cd.plot(result, "agreement", measure="AP")
    several = results["several measures"]
    with pytest.raises(cd.ArgumentError, match=r"there are AP / P@10, AP / RR$"):
        cd.plot(several, "scores", measure="AP")
    assert "a against the reference, AP / RR" in texts(drawn(several, "scores", measure="AP / RR"))


def test_lower_is_better_is_said(results):
    """The best system is the one with the smallest score."""
    elements = drawn(results["lower is better"], "scores")
    assert "lower is better: error" in texts(elements)


def test_names_never_become_markup(results):
    """A drawing of systems and judges with hostile names holds only its own elements."""
    for figure in figure_names(cd.results.JudgeResult):
        elements = drawn(results["hostile"], figure)
        kinds = {each.tag.removeprefix(SVG) for each in elements}
        assert kinds <= {"svg", "g", "path", "line", "rect", "text", "defs", "clipPath", "tspan"}, figure
        assert not any(key.startswith("on") for each in elements for key in each.attrib)


@pytest.mark.parametrize(
    "start",
    [0, 20, *(pytest.param(k, marks=pytest.mark.slow) for k in (5, 10, 15, *range(25, len(HOSTILE), 5)))],
)
def test_a_measure_may_have_any_name(start):
    """Vega fails on some names if they stand in an expression; the default figure is drawn all the same."""
    names = HOSTILE[start : start + 5]
    x = made(4, measures=(*names, "AP"))
    result = cd.judge(x, dict.fromkeys(names, x), resampling=None)
    assert len(labels(drawn(result, None), "point")) == len(names) * (len(names) + 1) * 2


def test_the_system_that_is_pointed_at_stands_out(results):
    """The others are faint."""
    result = results["correlated"]
    spec = spec_of(result, "scores")
    (param,) = (each for each in spec["params"] if each["name"] == "system")
    param["value"] = "s2"
    import vl_convert as vlc

    elements = ElementTree.fromstring(vlc.vegalite_to_svg(spec, vl_version="6.4")).iter()
    points = [each for each in elements if each.get("aria-roledescription") == "point"]
    strong = [each for each in points if float(each.get("opacity")) > 0.5]
    assert len(points) == 6
    assert ["system: s2" in each.get("aria-label") for each in strong] == [True]
