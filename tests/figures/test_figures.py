"""Figures of nearly empty results, and what cannot be drawn: a sentence, never a crash."""

from __future__ import annotations

import re

import numpy as np
import pytest

import concordant as cd

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

from concordant.figures.draw import figure_bytes, figure_names, spec_of

ex = cd.experiments


def scores(n_systems, n_topics, *, flat=False, seed=0):
    """Make scores of few systems; all are the same if they are to be flat."""
    values = np.random.default_rng(seed).random((1, n_topics, n_systems))
    values = np.ones_like(values) if flat else values
    return cd.Scores(values, measures=["AP"], systems=[f"s{i}" for i in range(n_systems)])


def apart(n_systems, n_topics=20):
    """Make scores of systems that all differ significantly."""
    noise = np.random.default_rng(0).normal(0, 0.01, (1, n_topics, n_systems))
    systems = [f"s{i}" for i in range(n_systems)]
    return cd.Scores(noise + np.arange(n_systems), measures=["AP"], systems=systems)


QUESTIONS = {
    "correlate": lambda x, y: cd.correlate(x, {"y": y}, resampling=cd.Resampling(n_resamples=20)),
    "judge": lambda x, y: cd.judge(x, {"y": y, "x": x}, resampling=cd.Resampling(n_resamples=20)),
    "judge without intervals": lambda x, y: cd.judge(x, {"y": y}, resampling=None),
    "by_topic": lambda x, y: cd.by_topic(x, y, resampling=cd.Resampling(n_resamples=20)),
    "matrix": lambda x, y: cd.matrix({"x": x, "y": y}),
    "sweep": cd.sweep,
    "plan": lambda x, _: cd.plan(x),
    "swap": lambda x, _: ex.swap(x, n_draws=2, n_swaps=1, rng=1),
}


def drawn(result):
    """Draw all figures that a result holds, and return their names; the others are refused in a sentence."""
    found = []
    for name in figure_names(type(result)):
        try:
            figure = figure_bytes(result, "svg", name)
        except cd.ArgumentError as error:
            said = str(error)
            figure = b""
        if figure:
            found.append(name)
        else:
            assert f"this result does not hold what the figure '{name}' shows" in said
    return found


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    ("n_systems", "n_topics", "flat"),
    [
        (2, 1, (False, True)),
        (3, 2, (True, True)),
        pytest.param(2, 1, (True, True), marks=pytest.mark.slow),
        pytest.param(3, 2, (False, True), marks=pytest.mark.slow),
    ],
)
def test_nearly_empty_results_are_drawn_or_refused(question, n_systems, n_topics, flat):
    """Two or three systems, one topic, all scores the same: each figure is drawn or left out."""
    x, y = (scores(n_systems, n_topics, flat=each, seed=k) for k, each in enumerate(flat))
    try:
        result = QUESTIONS[question](x, y)
    except cd.ConcordantError:  # the question itself needs more
        return
    drawn(result)


@pytest.mark.parametrize("other", [{"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 1.0}])
def test_two_means_are_drawn(other):
    """Two systems with means alone, in the same order or tied."""
    means = {"a": 1.0, "b": 2.0}
    assert "ranks" in drawn(cd.correlate(means, {"other": other}, resampling=cd.Resampling(n_resamples=20)))


def test_a_name_that_a_pdf_cannot_hold_is_told_in_a_sentence():
    """vl-convert cannot embed some emoji in a PDF; png and svg have them."""
    scores_of = {"\N{ROCKET}": 1.0, "b": 2.0, "c": 3.0}
    result = cd.correlate(scores_of, {"other": scores_of}, resampling=None)
    said = ""
    try:
        figure_bytes(result, "pdf")  # drawn where the computer has a font that can be embedded
    except cd.ArgumentError as error:
        said = str(error)
    assert said == "" or "characters that a PDF cannot hold, such as some emoji; draw svg or png" in said
    assert figure_bytes(result, "png").startswith(b"\x89PNG")


def test_what_vl_convert_says_becomes_one_line(monkeypatch):
    """An error of the drawing library is an error of the arguments, without a line break."""
    import vl_convert

    def fails(*_, **__):
        raise ValueError("Vega-Lite to PNG conversion failed:\n  something else")

    monkeypatch.setattr(vl_convert, "vegalite_to_png", fails)
    with pytest.raises(cd.ArgumentError) as told:
        figure_bytes(cd.correlate({"a": 1, "b": 2}, {"y": {"a": 1, "b": 2}}, resampling=None), "png")
    assert "cannot be drawn as png: Vega-Lite to PNG conversion failed: something else" in str(told.value)
    assert "\n" not in str(told.value)


def words(result, figure):
    """Return all text of a figure."""
    return " ".join(re.findall(r">([^<>]+)</(?:text|tspan)>", figure_bytes(result, "svg", figure).decode()))


def test_the_threshold_is_a_tie_too():
    """Differences up to the threshold are ties, also those equal to it."""
    result = cd.sweep(scores(5, 4), scores(5, 4, seed=1))
    assert "threshold: differences up to this are ties" in words(result, "thresholds")


def test_circles_of_a_plan_are_explained_if_there_are_some():
    """Where the target is reached with fewer topics than the axis shows, no circle is drawn."""
    spread = scores(8, 40).values + np.linspace(0, 0.3, 8)
    assert "Line: the target, 0.9." in words(cd.plan(apart(3)), "plan")
    within = cd.plan(spread[0], "tau", target=round(cd.plan(spread[0], "tau").curve[2].expected, 2))
    assert "Line and circles: the target" in words(within, "plan")
    (need,) = within.needed
    assert f"{need.topics} [{need.at_least}, {need.at_most or 'no end'}]" in words(within, "plan")
    equal = cd.plan(scores(8, 40))
    assert "No number of topics is known to reach" in words(equal, "plan")


def test_topics_with_the_same_value_are_not_called_the_lowest():
    """Where all topics agree perfectly, none is one to look at."""
    x = apart(4)
    result = cd.judge(x, {"same": x, "other": scores(4, 20)}, resampling=cd.Resampling(n_resamples=20))
    lowest = {each["estimate"]: each["text"] for each in spec_of(result, "topics")["datasets"]["lowest"]}
    assert lowest["same"] == ""
    assert lowest["other"] != ""
