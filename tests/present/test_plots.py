"""Figures: every result has one, drawn from its numbers."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

import concordant as cd
from concordant.present import figure_bytes

mpl.use("Agg")
import matplotlib.pyplot as plt

ex = cd.experiments
PANELS = {"predict": 2, "curves": 1, "gaps": 6, "swap": 6, "pool": 2, "grades": 9, "reuse": 1}


@pytest.fixture(scope="module")
def results(two_measures, folder):
    """A small result of every experiment; of `predict` a table and curves."""
    files = (folder / "human.qrels", folder / "runs" / "*")
    return {
        "predict": ex.predict(two_measures, ["tau_b", "tau"], n_splits=20, rng=1),
        "curves": ex.predict(two_measures, ["tau_b"], n_splits=20, topics=[4, 8], rng=1),
        "gaps": ex.gaps(n_pairs=50, rng=1),
        "swap": ex.swap(two_measures["AP"], n_draws=5, n_swaps=2, rng=1),
        "pool": ex.pool(*files, ["tau_b"], percents=[10, 100], rng=1),
        "grades": ex.grades(*files, rng=1),
        "reuse": ex.reuse(*files, depth=15),
    }


@pytest.fixture(autouse=True)
def no_open_figures():
    """Close what a test drew."""
    yield
    plt.close("all")


@pytest.mark.parametrize("name", PANELS)
def test_every_result_has_its_figure(results, name):
    """There are as many panels as the result needs, and all hold data."""
    axes = np.atleast_1d(np.asarray(cd.plot(results[name]), dtype=object))
    assert len(axes) == PANELS[name]
    assert all(ax.has_data() for ax in axes)


def test_one_panel_is_drawn_where_the_caller_wants_it(results):
    """The Axes given are the Axes returned."""
    _, ax = plt.subplots()
    assert cd.plot(results["reuse"], ax=ax) is ax


def test_several_panels_do_not_fit_on_one_axes(results):
    """The message says how many there are."""
    _, ax = plt.subplots()
    with pytest.raises(cd.ArgumentError, match=r"^plot: this result has 2 panels; leave out ax"):
        cd.plot(results["predict"], ax=ax)


def test_what_is_no_result_is_refused():
    """The message says what was given."""
    with pytest.raises(cd.ArgumentTypeError, match=r"^plot: takes the result of an experiment, got int"):
        cd.plot(3)


def test_the_points_of_a_figure_are_the_numbers_of_the_result(results):
    """A scatter holds each record once."""
    result = results["reuse"]
    points = cd.plot(result).collections[0].get_offsets()
    assert points.tolist() == [[each.score, each.score_without] for each in result.systems]
    axes = cd.plot(results["grades"])
    for ax, each in zip(axes, results["grades"], strict=True):
        assert len(ax.collections[0].get_offsets()) == each.pairs
        assert (ax.get_xlabel(), ax.get_ylabel()) == (str(each.base), str(each.extension))
    texts = [text.get_text() for text in cd.plot(results["predict"])[0].texts]
    assert texts == [f"{each.mean:.2f}" for each in results["predict"] if str(each.coefficient) == "tau_b"]


def test_all_significant_is_not_drawn_as_none():
    """The colours of a panel run from 0 to 1, whichever values occur."""
    x = np.linspace(1, 0, 6) + np.random.default_rng(0).normal(0, 0.001, (30, 6))
    result = ex.swap(x, ["tau_b"], n_swaps=2, rng=1)
    image = cd.plot(result)[0].images[0]
    assert image.get_clim() == (0, 1)
    shown = image.get_array()
    assert (shown[~np.isnan(shown)] == 1).all()


@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_the_same_result_gives_the_same_bytes(results, kind, start):
    """A figure does not hold the date."""
    first, again = (figure_bytes(results["curves"], kind) for _ in range(2))
    assert first.startswith(start)
    assert first == again


def test_a_loaded_result_is_drawn_like_the_one_that_was_saved(results, tmp_path):
    """Nothing but the saved numbers is needed to draw."""
    for name, result in results.items():
        result.save(tmp_path / name)
        assert figure_bytes(ex.load(tmp_path / name), "svg") == figure_bytes(result, "svg"), name
        plt.close("all")
