"""The charts of matrices, runs, curves, costs and topics: drawn from the records, in every case."""

from __future__ import annotations

import dataclasses
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from support.drawings import SVG, svg
from support.hostile import HOSTILE

import concordant as cd
from concordant.figures.converted_tables import Tables
from concordant.figures.draw import figure_bytes, figures_of, spec_of


def texts(tree):
    """Return all texts of a figure."""
    lines = [each.findall(f"{SVG}tspan") or [each] for each in tree.iter(f"{SVG}text")]
    return ["".join(line.itertext()) for one in lines for line in one]


def marks(tree, kind):
    """Return what the marks of a kind say of themselves: a dictionary for each."""
    found = []
    for group in tree.iter(f"{SVG}g"):
        if group.get("aria-roledescription") == f"{kind} mark container":
            said = [each.get("aria-label") for each in group]
            found += [dict(part.split(": ", 1) for part in text.split("; ")) for text in said if text]
    return found


def sides(names, seed=0, noise=0.1, measures=("AP",), topics=8):
    """Make scores of systems on topics, by measures."""
    rng = np.random.default_rng(seed)
    base = np.linspace(0.7, 0.3, len(names))
    names_of_topics = [f"t{t}" for t in range(topics)] if isinstance(topics, int) else topics
    rows = [
        {"topic": t, "system": s, "measure": m, "score": float(v)}
        for m in measures
        for t in names_of_topics
        for s, v in zip(names, base + rng.normal(0, noise, len(names)), strict=True)
    ]
    pd = pytest.importorskip("pandas")
    return cd.read_scores(pd.DataFrame(rows))


def random_runs(names, topics, seed=0):
    """Make runs of six documents."""
    rng = np.random.default_rng(seed)
    documents = list("abcdefghij")
    return {
        name: {
            t: dict(zip(rng.permutation(documents)[:6].tolist(), rng.random(6), strict=True)) for t in topics
        }
        for name in names
    }


@pytest.fixture(scope="module")
def two():
    """Two sides of six systems by three measures."""
    systems = list("abcdef")
    measures = ("AP", "RR", "P@10")
    return sides(systems, measures=measures), sides(systems, 1, measures=measures)


@pytest.fixture(scope="module")
def results(two):
    """A small result of every kind, of one coefficient or ranking and of several."""
    runs = random_runs(["r1", "r2", "r3"], ["q1", "q2", "q3"])
    x, y = {"a": 4, "b": 3, "c": 2, "d": 1}, {"a": 3, "b": 4, "c": 1, "d": 1}
    return {
        "by_topic": cd.by_topic(*two, resampling=cd.Resampling(n_resamples=50)),
        "by one": cd.by_topic(*two, "tau_b", resampling=None),
        "matrix": cd.matrix({"x": two[0], "y": two[1]}),
        "named": cd.matrix({"x": x, "y": y}, "tau_b"),
        "runs": cd.compare_runs(runs),
        "two runs": cd.compare_runs({name: runs[name] for name in ("r1", "r2")}, confidence_level=None),
        "many runs": cd.compare_runs(random_runs([f"r{k}" for k in range(8)], ["q1", "q2"])),
        "sweep": cd.sweep(*two),
        "one curve": cd.sweep(*two, "tau_b", thresholds=[0, 0.1]),
        "explain": cd.explain(*two, ["tau_b", "tau_ap_b"]),
        "explain one": cd.explain(x, y, "tau_ap_b"),
        "explain lists": cd.explain(list("abcdef"), list("bacxyz"), "rbo"),
        "plan": cd.plan(two[0]),
        "plan one": cd.plan(two[0], "tau", n_topics=10, resampling=None),
    }


@pytest.mark.parametrize(
    "kind",
    [
        *("by_topic", "matrix", "runs", "many runs", "sweep", "explain", "explain lists", "plan"),
        *(
            pytest.param(kind, marks=pytest.mark.slow)
            for kind in ("by one", "named", "two runs", "one curve", "explain one", "plan one")
        ),
    ],
)
def test_every_figure_of_every_result_is_drawn(results, kind):
    """Each has a title and marks."""
    for name, _ in figures_of(Tables(results[kind])):
        tree = svg(results[kind], name)
        assert any(each.get("aria-roledescription") == "title" for each in tree.iter()), name
        assert len(texts(tree)) > 4, name


def test_the_same_result_gives_the_same_file(results):
    """As svg; it begins as files of its kind do."""
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<svg"), ("pdf", b"%PDF")):
        assert figure_bytes(results["plan"], kind).startswith(start)
    for kind in ("matrix", "sweep"):  # with a gradient, and with clips
        assert figure_bytes(results[kind], "svg") == figure_bytes(results[kind], "svg")


def test_a_figure_that_the_result_lacks_is_refused(results):
    """The message says what it needs; of runs the matrix is always drawn."""
    one = cd.correlate([3, 2, 1], {"y": [1, 2, 3]}, resampling=None)
    with pytest.raises(cd.ArgumentError, match="not hold what the figure 'judges' shows; it needs several"):
        cd.plot(one, "judges")
    for name in ("runs", "many runs"):
        assert any(text.startswith("Mean rbo of two runs is ") for text in texts(svg(results[name])))


# --- heat maps --------------------------------------------------------------------------------------------


def test_a_heat_map_shows_each_value_once(results):
    """The cells are the records but for the diagonal, with the value as text in each."""
    result = results["matrix"]
    tree = svg(result)
    cells = {(m["reference"], m["estimate"]): m["tau_ap_b"] for m in marks(tree, "rect")}
    others = [each for each in result.matrix if each.reference != each.estimate]
    assert cells == {(each.reference, each.estimate): f"{each.value:.4f}" for each in others}
    shown = texts(tree)
    assert all(f"{each.value:.2f}".replace("-", "\N{MINUS SIGN}") in shown for each in others)


@pytest.mark.parametrize(
    ("values", "ends"), [((0.62, 0.65), (0, 1)), ((-0.1, 0.3), (-1, 1)), ((2, 7), (0, 7))]
)
def test_the_same_value_has_the_same_shade(values, ends):
    """The ends of the shades do not follow the values, unless these are beyond 1."""
    x = {name: [1, 2, 3] for name in "abc"}
    result = cd.matrix(x, "tau_b")
    cells = [
        dataclasses.replace(cell, value=float(values[k % 2])) if cell.reference != cell.estimate else cell
        for k, cell in enumerate(result.matrix)
    ]
    colour = spec_of(dataclasses.replace(result, matrix=tuple(cells)))["layer"][0]["encoding"]["color"]
    assert (colour["scale"]["domain"][0], colour["scale"]["domain"][-1]) == ends


def test_the_axes_say_which_is_the_reference_unless_it_is_the_same_both_ways(results):
    """tau_ap_b of x against y is not that of y against x; of runs, neither is a reference."""
    x, y = {"a": 4, "b": 3, "c": 2, "d": 1}, {"a": 1, "b": 4, "c": 3, "d": 1}
    assert {"reference", "estimate"} <= set(texts(svg(cd.matrix({"x": x, "y": y}, "tau_ap_a"))))
    assert not {"reference", "estimate"} & set(texts(svg(cd.matrix({"x": x, "y": y}, "tau_b"))))
    assert not {"reference", "estimate"} & set(texts(svg(results["runs"], "matrix")))


def blocks(n, seed=0):
    """Return rankings that are alike in two groups, which alternate."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(2, 30))
    return {f"{'ab'[k % 2]}{k}": base[k % 2] + 0.3 * rng.normal(size=30) for k in range(n)}


@pytest.mark.parametrize(("coefficient", "n"), [("tau_b", 8), ("tau_ap_b", 8), ("tau_b", 60)])
def test_similar_rankings_stand_beside_each_other(coefficient, n):
    """Two groups that alternate in the input are two blocks in the figure."""
    spec = spec_of(cd.matrix(blocks(n), coefficient))
    order = spec["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert spec["layer"][0]["encoding"]["y"]["scale"]["domain"] == order
    assert len(set(order)) == n
    letters = "".join(name[0] for name in order)
    assert letters in {"a" * (n // 2) + "b" * (n // 2), "b" * (n // 2) + "a" * (n // 2)}


def test_distances_are_ordered_by_similarity_too():
    """Small distances are beside each other, not large ones."""
    lists = {"a1": list("abcdef"), "b1": list("uvwxyz"), "a2": list("abcdfe"), "b2": list("uvwxzy")}
    chart = spec_of(cd.matrix(lists, "kendall_distance(normalize=True)"))
    order = chart["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert {name[0] for name in order[:2]} in ({"a"}, {"b"})


def contrast(one, other):
    """Return the contrast of two colours by WCAG."""

    def light(colour):
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)]
        line = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * line[0] + 0.7152 * line[1] + 0.0722 * line[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("low", [-1.0, 0.0])
def test_values_are_readable_on_every_shade(low):
    """Black or white, whichever has the contrast of 4.5 that text needs."""
    n = 14
    values = np.linspace(low, 1, n * n).reshape(n, n)
    x = {f"r{k}": list(range(3)) for k in range(n)}
    cells = [
        dataclasses.replace(cell, value=value)
        for cell, value in zip(cd.matrix(x, "tau_b").matrix, values.ravel().tolist(), strict=True)
    ]
    chart = cd.plot(dataclasses.replace(cd.matrix(x, "tau_b"), values=values, matrix=cells))
    tree = ET.fromstring(chart_svg(chart))
    groups = [g for g in tree.iter(f"{SVG}g") if "mark container" in (g.get("aria-roledescription") or "")]
    fills, inks = {}, {}
    for group in groups:
        for each in group:
            said = re.match(r"estimate: (\w+); reference: (\w+)", each.get("aria-label") or "")
            if said and "rect" in group.get("aria-roledescription"):
                fills[said.groups()] = each.get("fill")
            elif said:
                inks[said.groups()] = {"white": "255, 255, 255", "black": "0, 0, 0"}[each.get("fill")]
    assert len(fills) == len(inks) == n * n - n
    assert min(contrast(fills[cell], inks[cell]) for cell in fills) >= 4.5


def chart_svg(chart):
    """Draw a chart."""
    import vl_convert as vlc

    return vlc.vegalite_to_svg(chart.to_dict())


@pytest.mark.filterwarnings("ignore::concordant.UndefinedWarning")
def test_undefined_values_are_seen():
    """They are cells of their own, with a sign in each, and counted."""
    result = cd.matrix({"x": [1, 2, 3], "y": [2, 1, 3], "same": [1, 1, 1]}, "tau_b")
    tree = svg(result)
    assert sum(m["tau_b"] == "undefined" for m in marks(tree, "rect")) == 4
    assert texts(tree).count("-") == 4
    assert "Grey: undefined (4 of 6)." in " ".join(texts(tree))


def test_many_rankings_have_no_values_in_the_cells():
    """60 rankings are cells of 10 pixels."""
    tree = svg(cd.matrix(blocks(60), "tau_b"))
    assert len(marks(tree, "rect")) == 3600 - 60
    assert not [text for text in texts(tree) if re.fullmatch(r"-?\.\d\d", text)]


# --- curves -----------------------------------------------------------------------------------------------


def test_a_curve_is_its_records_and_ends_where_it_is_undefined(two):
    """Every defined value is a point; a cross marks the last before an undefined one."""
    result = cd.sweep(*two, ["tau_b"])
    tree = svg(result)
    defined = [each for each in result.curves if not np.isnan(each.value)]
    assert len(defined) < len(result.curves)
    points = [m for m in marks(tree, "symbol") if "value" in m]
    shown = sorted(m["value"] for m in points if "undefined beyond" not in m)
    assert len(shown) == len(defined)
    crosses = [m for m in marks(tree, "symbol") if "undefined beyond" in m]
    assert len(crosses) == 3


def test_panels_of_measures_share_their_vertical_axis(two):
    """Three measures, one scale."""
    spec = spec_of(cd.sweep(*two))
    domains = [panel["layer"][0]["encoding"]["y"]["scale"]["domain"] for panel in spec["vconcat"]]
    assert len(domains) == 3
    assert domains[0] == domains[1] == domains[2]


def test_each_threshold_of_the_estimate_has_a_panel(two):
    """Its points are those of its own curve."""
    how = {"thresholds": [0, 0.1], "estimate_thresholds": [0, 0.05, 0.1]}
    result = cd.sweep(two[0]["AP"], two[1]["AP"], "tau_b", **how)
    tree = svg(result)
    titles = [text for text in texts(tree) if "threshold of the estimate" in text]
    assert titles == [f"AP; threshold of the estimate {w:g}" for w in how["estimate_thresholds"]]
    points = [m for m in marks(tree, "symbol") if "value" in m]
    assert sorted(float(m["value"]) for m in points) == pytest.approx(
        sorted(each.value for each in result), abs=1e-4
    )


def test_tops_tell_how_many_systems_are_compared(two):
    """A point for each k."""
    result = cd.sweep(*two, "tau_b")
    points = [m for m in marks(svg(result, "tops"), "symbol") if "systems compared" in m]
    assert len(points) == sum(not np.isnan(each.value) for each in result.tops)
    assert {m["top"] for m in points} == {str(each.top) for each in result.tops}


def test_a_plan_marks_the_topics_that_are_needed():
    """The numbers of the figure are those of the result."""
    scores = np.random.default_rng(0).normal(np.linspace(0.6, 0.3, 12), 0.15, (50, 12))
    result = cd.plan(scores)
    tree = svg(result)
    points = marks(tree, "symbol")
    needed = {m["topics needed"] for m in points if "topics needed" in m}
    assert needed == {str(each.topics) for each in result.needed}
    shown = sorted(m["expected"] for m in points if "expected" in m)
    assert shown == sorted(f"{each.expected:.4f}" for each in result.curve)
    assert result.needed[0].available == 50
    assert "than the 50 of the scores" in " ".join(texts(tree))


# --- costs and topics -------------------------------------------------------------------------------------


def test_costs_are_largest_first(two):
    """The bars of systems are the records in their order."""
    result = cd.explain(*two, ["tau_ap_b"])
    bars = [m for m in marks(svg(result), "rect") if "item" in m]
    below = [e.measure for e in result.explained if e.value < 1]
    assert 0 < len(below) < 3  # by one measure there is nothing to explain
    items = [each for each in result.items if each.measure in below and each.cost > 0]
    assert [m["item"] for m in bars] == [each.item for each in items]
    for mark, each in zip(bars, items, strict=True):
        assert float(mark["cost"]) == pytest.approx(each.cost, abs=1e-6)


def test_pairs_of_equal_cost_are_not_special():
    """They are not drawn, as they are not listed."""
    n = 12
    result = cd.explain(dict(enumerate(range(n))), dict(enumerate(range(n, 0, -1))), "tau_b")
    said = " ".join(texts(svg(result)))
    assert result.pairs == ()
    assert "what each item costs" in said
    assert "pairs that cost most" not in said


def test_depths_of_lists_are_their_costs(results):
    """A bar for each depth."""
    result = results["explain lists"]
    bars = [m for m in marks(svg(result), "rect") if "weight" in m]
    assert [float(m["cost"]) for m in bars] == pytest.approx([each.cost for each in result.depths], abs=1e-5)


def test_every_topic_is_a_dot_and_the_lowest_is_named():
    """Undefined ones are counted; the mean of the topics and the value of the means have their numbers."""
    rng = np.random.default_rng(0)
    x = rng.normal(np.linspace(0.6, 0.3, 6), 0.15, (1000, 6))
    y = x + rng.normal(0, 0.2, x.shape)
    x[:3] = 0.5
    result = cd.by_topic(x, y, "tau_b", resampling=cd.Resampling(n_resamples=20))
    tree = svg(result)
    points = [m for m in marks(tree, "symbol") if "topic" in m]
    values = {m["topic"]: m["value"].replace("\N{MINUS SIGN}", "-") for m in points if "value" in m}
    assert values == {e.topic: f"{e.value:.4f}" for e in result.topics if not np.isnan(e.value)}
    (one,) = result.summary
    assert {"3 undefined", one.topic_of_minimum, f"{one.mean:.2f}", f"{one.of_means:.2f}"} <= set(texts(tree))


# --- names ------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::concordant.UndefinedWarning")
@pytest.mark.parametrize("most", [1, pytest.param(None, marks=pytest.mark.slow)])
def test_names_of_any_kind_are_drawn_and_stay_text(capfd, most):
    """No name breaks a figure, becomes markup, or takes more room than its place."""
    sides_of = [sides(HOSTILE, seed, measures=HOSTILE[:2], topics=HOSTILE) for seed in range(3)]
    named = {name: np.roll(range(6), k) for k, name in enumerate(HOSTILE)}
    results = [
        cd.by_topic(*sides_of[:2], resampling=cd.Resampling(n_resamples=20)),
        cd.sweep(*sides_of[:2]),
        cd.plan(sides_of[0]),
        cd.explain(*sides_of[:2], ["tau_b", "tau_ap_b"]),
        cd.matrix(dict(zip(HOSTILE[:3], sides_of, strict=True))),
        cd.matrix(named, "tau_b"),
        cd.compare_runs(random_runs(HOSTILE[:5], HOSTILE)),
        cd.compare_runs(random_runs(HOSTILE, HOSTILE[:2])),
        cd.explain(HOSTILE, HOSTILE[::-1], "rbo"),
    ]
    for result in results:
        for name, _ in list(figures_of(Tables(result)))[:most]:
            tree = svg(result, name)
            assert {each.tag.removeprefix(SVG) for each in tree.iter()} <= {
                *("svg", "g", "rect", "path", "line", "text", "tspan", "circle", "image"),
                *("defs", "clipPath", "linearGradient", "stop"),
            }
            assert float(tree.get("width")) < 1300, name
            assert max(map(len, texts(tree))) < 130
    assert "ERROR" not in "".join(capfd.readouterr())
