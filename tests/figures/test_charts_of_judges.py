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
from concordant.figures.draw import figure_bytes, figure_names, spec_of
from concordant.figures.judge_values import finding
from concordant.figures.two_rankings import classes, pair_class

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
    grouped = {name: HOSTILE[k % 3] for k, name in enumerate(HOSTILE)}
    flat = cd.Scores(np.ones((1, 12, 5)), measures=["AP"], systems=[f"s{i}" for i in range(5)])
    return {
        "one judge": judged(5, [0.05]),
        "three measures": judged(24, [0.1, 0.6], measures=three),
        "thirty judges": judged(6, [0.02 * i for i in range(30)], n_topics=42),
        "no intervals": judged(6, [0.1, 0.2], resampling=None),
        "lower is better": judged(6, [0.1], measures=("error",), lower=("error",)),
        "hostile": cd.judge(made(len(HOSTILE), **named), ours, resampling=FEW, group_by=grouped),
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
    "correlated": {"judges"},
    "many systems": {"judges"},
    "means": {"judges", "significance"},
    "hostile": set(),  # this has groups
}


def lacking(case):
    """Return the figures for which a result lacks the data: most have no groups of systems."""
    return LACKING.get(case, set()) | ({"groups"} if case != "hostile" else set())


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
        if figure not in lacking(case):
            assert len(drawn(results[case], figure)) > 20, figure


def test_a_figure_that_cannot_be_drawn_says_so(results):
    """A result that lacks what a figure shows is told so; for all others there is a drawing to make."""
    for case, result in results.items():
        for figure in figure_names(type(result)):
            if figure in lacking(case):
                with pytest.raises(cd.ArgumentError, match="does not hold what the figure"):
                    cd.plot(result, figure)
            else:
                assert spec_of(result, figure)["title"], (case, figure)


def test_groups_show_the_value_without_each_of_them():
    """A dot for each judge and group, in two panels; the group that changes most is in the title."""
    groups = {f"s{i}": ("neural", "lexical", "dense")[i % 3] for i in range(18)}
    lifted = made(18, noise=0.02)
    names = lifted.systems
    values = lifted.values + 0.5 * np.array([groups[name] == "neural" for name in names])
    partial = cd.Scores(values, systems=names, topics=lifted.topics, measures=lifted.measures)
    result = cd.judge(made(18), {"partial": partial, "good": lifted}, resampling=FEW, group_by=groups)
    elements = drawn(result, "groups")
    points = [row for row in labels(elements, "point") if "group" in row]
    assert len(points) == 2 * len(result.groups) == 12
    most = max(result.groups, key=lambda row: abs(row.change))
    assert (most.estimate, most.group) == ("partial", "neural")
    title = " ".join(spec_of(result, "groups")["title"]["text"])
    both = f"{most.value - most.change:.2f} to {most.value:.2f}"
    assert title == f"Without neural, tau_ap_b of partial rises from {both}"
    assert "neural" in texts(elements)
    narrow, wide = (spec_of(result, "groups", width) for width in (8.5, 17.5))
    assert len(narrow["vconcat"]) == len(wide["hconcat"]) == 2


@pytest.mark.parametrize("width", [8.5, 17.5])
@pytest.mark.parametrize("case", ["three measures", pytest.param("hostile", marks=pytest.mark.slow)])
def test_text_has_the_same_size_at_any_width(results, case, width):
    """At least seven points in a column of a paper."""
    for figure in set(figure_names(type(results[case]))) - lacking(case):
        drawing = figure_bytes(results[case], "svg", figure, width).decode()
        (across,) = re.findall(r'viewBox="0 0 (\S+)', drawing)
        sizes = set(map(float, re.findall(r'font-size="([\d.]+)px"', drawing)))
        points = [size * width / 2.54 * 72 / float(across) for size in sizes]
        assert min(points) >= 7, figure
        assert max(points) < 9.7, figure


def test_a_figure_without_title_has_its_words_as_caption(results):
    """What is shown, how many systems and topics, the method and the seed."""
    result = results["three measures"]
    chart = cd.plot(result, "ranks", title=False)
    assert "title" not in chart.to_dict()
    for said in ("24 systems, 12 topics", "tau_ap_b", "95% confidence intervals", "resamples, seed 0"):
        assert said in chart.description


def test_the_first_figure_is_the_one_that_people_want(results):
    """For judges the picture of judges; for a single estimate the ranks, because there is one value."""
    for kind in (cd.results.CorrelateResult, cd.results.JudgeResult):
        assert figure_names(kind)[:2] == ("judges", "ranks")
    assert "rank by the reference" in texts(drawn(results["correlated"], None))
    assert "reversed: significant differences" in " ".join(texts(drawn(results["one judge"], None)))


def test_ranks_show_both_orders_and_name_those_that_moved_most(results):
    """Names are in the order of each side; the largest moves are coloured and have their number."""
    result = results["three measures"]
    elements = drawn(result, "ranks", estimate="judge1", measure="AP")
    rows = [row for row in result.systems if (row.estimate, row.measure[0]) == ("judge1", "AP")]
    right = [
        each for each in elements if each.get("text-anchor") == "start" and re.match(r"s\d+", each.text or "")
    ]
    heights = [float(re.search(r",([\d.]+)\)", each.get("transform"))[1]) for each in right]
    order = [each.text for _, each in sorted(zip(heights, right, strict=True), key=lambda pair: pair[0])]
    by_estimate = sorted(rows, key=lambda row: row.estimate_rank)
    assert [name.split()[0] for name in order] == [row.system for row in by_estimate]
    moved = dict(name.split() for name in order if " " in name)
    gains = {row.system: row.gain for row in rows}
    assert moved == {name: f"{gains[name]:+d}".replace("-", "−") for name in moved}
    largest = max(map(abs, gains.values()))
    assert min(abs(gains[name]) for name in moved) >= largest / 2
    coloured = [each for each in right if each.get("fill") == "#a84300"]
    assert {each.text.split()[0] for each in coloured} == set(moved)
    assert 0 < len(moved) <= 8


def test_ranks_highlight_what_matches_a_pattern(results):
    """Instead of those that moved most; a pattern without a match, or for another figure, is refused."""
    result = results["three measures"]
    said = texts(drawn(result, None, highlight="s1?"))
    assert sum(bool(re.fullmatch(r"s1\d [+−]?\d+", text)) for text in said) == 10
    assert "s1?: 10 systems" in " ".join(said)
    with pytest.raises(cd.ArgumentError, match="highlight: no system matches 'x\\*'; there are s0, s4, "):
        cd.plot(result, "ranks", highlight="x*")
    with pytest.raises(cd.ArgumentError, match="highlight has no effect on this figure"):
        cd.plot(result, "judges", highlight="s1*")


@pytest.mark.parametrize(
    ("gains", "said"),
    [
        ({}, "No system moves under the estimate"),
        ({"s3": 1.5}, "No system moves by more than 1 rank under the estimate"),
        ({"s9": 7.5}, "The estimate lifts 1 system by 7 ranks"),
        ({"s2": -7.5}, "The estimate lowers 1 system by 7 ranks"),
        ({"s1": -6.5, "s9": 6.5}, "2 of 12 systems move by 7 ranks or more under the estimate"),
    ],
)
def test_the_title_of_ranks_says_what_moved(gains, said):
    """A title is computed; none claims more than the ranks show."""
    x = {f"s{i}": 12.0 - i for i in range(12)}
    y = {name: value + gains.get(name, 0) for name, value in x.items()}
    assert said in " ".join(texts(drawn(cd.correlate(x, y, resampling=None), "ranks")))


def test_different_names_never_become_the_same():
    """Long names that differ only in the middle, at the end, or at the start, in every figure of judges."""
    long = [f"{a}-team-with-a-long-name-{m}-and-an-ending-{z}" for a in "ab" for m in "xy" for z in "12"]
    result = cd.judge(
        made(8, names=long),
        {name: made(8, names=long, noise=0.3, seed=7) for name in long[:3]},
        resampling=FEW,
    )
    for figure, times in (
        ("judges", 3),
        ("ranks", 16),
        ("significance", 14),
        ("topics", 3),
    ):
        names = [text for text in texts(drawn(result, figure)) if "…" in text and ":" not in text]
        short = [name.split(" ")[0] for name in names if re.fullmatch(r"\S+( [+−]?\d+)?", name)]
        assert len(short) == times, (figure, short)
        assert len(set(short)) == (3 if times == 3 else 8), (figure, short)


def test_axes_of_ranks_have_whole_numbers_from_one_on():
    """There is no rank 0, and none of 0.6."""
    n = 60
    lines = drawn(judged(n, [0.3]), "ranks")
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
    assert sorted(
        (row["system"], int(row["rank by the reference"]), int(row["rank by the estimate"])) for row in points
    ) == sorted((row.system, row.reference_rank, row.estimate_rank) for row in result.systems)


def test_the_picture_of_judges_shows_the_answer(results):
    """Each judge by each measure: value, interval, top, reversed pairs; what other topics would reach."""
    result = results["three measures"]
    elements = drawn(result, "judges")
    shown = {(row["judge"], row["measure"]): row for row in labels(elements, "point")}
    main = [row for row in result.agreement if row.coefficient == result.agreement[0].coefficient]
    assert len(shown) == len(main) == 6
    judged = {(each.estimate, each.measure): each for each in result.judges}
    for row in main:
        found, each = shown[row.estimate, row.measure[0]], judged[row.estimate, row.measure]
        ends = tuple(f"{end:.4f}".replace("-", "−") for end in row.interval)
        assert (found["interval from"], found["to"]) == ends
        assert float(found["common systems of the top"]) == each.common
        assert found["pairs of systems"] == f"reversed {each.reversed} of {each.significant}"
    said = texts(elements)
    assert sum(text.startswith("12 other topics: ") for text in said) == 3
    assert {"tau_ap_b with the reference", "top 10 in common"} <= set(said)
    other = texts(drawn(result, "judges", coefficient="tau_b"))
    assert "tau_b with the reference" in other
    values = [f"{row.value:.2f}" for row in result.agreement if str(row.coefficient) == "tau_b"]
    assert set(values) <= set(other)


def test_judges_have_the_colours_and_the_order_of_the_answer(results):
    """Blue is not told apart from the best, grey is worse: as the table says it."""
    result = results["thirty judges"]
    grid = result.answer()
    points = [each for each in drawn(result, "judges") if each.get("aria-roledescription") == "point"]
    rows = {re.search("judge: ([^;]+)", each.get("aria-label"))[1]: each.get("fill") for each in points}
    names = [row[0] for row in grid.rows]
    assert {name for name, colour in rows.items() if colour == "#0072B2"} == {names[r] for r, _ in grid.best}
    assert {name for name, colour in rows.items() if colour == "#8c8c8c"} == {names[r] for r, _ in grid.worse}
    assert [text for text in texts(drawn(result, "judges")) if text in rows] == names[:30]


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("three measures", "judge0 is the closest to the reference by all 3 measures"),
        ("undefined", "fair is the closest to the reference, not told apart from good"),
        ("no intervals", "judge0 is the closest to the reference: tau_ap_b"),
        ("one judge", "judge0"),
        ("several measures", "is the closest to the reference: tau_ap_b"),
    ],
)
def test_the_title_is_the_finding(results, case, said):
    """Computed from the records, as the answer computes it."""
    assert said in finding(results[case])
    assert len(finding(results[case])) <= 110


def test_undefined_values_are_visible(results):
    """They are written where the value would be."""
    result = results["undefined"]
    assert texts(drawn(result, "judges")).count("undefined") == 1
    assert any(text.startswith("12 undefined") for text in texts(drawn(result, "topics")))


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
    assert result.topics[0].topic_of_minimum in texts(elements)


def test_the_title_says_what_was_chosen(results):
    """By default the best judge and the first measure."""
    result = results["three measures"]
    value = {(row.estimate, row.measure[0]): f"{row.value:.2f}" for row in reversed(result.agreement)}
    for figure in ("ranks", "significance"):
        said = f"judge0 against the reference, AP: tau_ap_b {value['judge0', 'AP']}"
        assert said in " ".join(texts(drawn(result, figure)))
        chosen = " ".join(texts(drawn(result, figure, estimate="judge1", measure="RR")))
        assert f"judge1 against the reference, RR: tau_ap_b {value['judge1', 'RR']}" in chosen


def test_a_choice_that_is_not_there_is_answered_with_those_that_are(results):
    """The same holds for measures that are named by both sides."""
    result = results["three measures"]
    with pytest.raises(
        cd.ArgumentError, match="estimate: there is no estimate 'x'; there are judge0, judge1"
    ):
        cd.plot(result, "ranks", estimate="x")
    with pytest.raises(cd.ArgumentError, match="measure has no effect on this figure"):
        cd.plot(result, "judges", measure="AP")
    several = results["several measures"]
    with pytest.raises(cd.ArgumentError, match=r"there are AP / P@10, AP / RR$"):
        cd.plot(several, "ranks", measure="AP")
    assert "a against the reference, AP / RR" in " ".join(texts(drawn(several, "ranks", measure="AP / RR")))


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
    shown = [row for row in labels(drawn(result, None), "point") if "judge" in row]
    assert len(shown) == len(names) * (len(names) + 1)


def test_the_system_that_is_pointed_at_stands_out(results):
    """The others are faint."""
    result = results["many systems"]
    spec = spec_of(result, "ranks")
    (param,) = (each for each in spec["params"] if each["name"] == "system")
    param["value"] = "s2"
    import vl_convert as vlc

    elements = ElementTree.fromstring(vlc.vegalite_to_svg(spec, vl_version="6.4")).iter()
    points = [each for each in elements if each.get("aria-roledescription") == "point"]
    strong = [each for each in points if float(each.get("opacity")) > 0.5]
    assert len(points) == 129
    assert ["system: s2" in each.get("aria-label") for each in strong] == [True]
