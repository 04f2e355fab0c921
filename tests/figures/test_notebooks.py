"""What a notebook shows: tables with the numbers, and no name that becomes part of the page."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from support.hostile import HOSTILE

import concordant as cd

NAMES = [name for name in HOSTILE if name.isprintable()][:20]  # as many as a notebook shows
VALUES = np.linspace(0.9, 0.2, len(NAMES))


# The attributes of the pictures of intervals.
DRAWN = ("x1", "x2", "y1", "y2", "cx", "cy", "r", "stroke", "stroke-width", "fill")


class Page(HTMLParser):
    """The elements and the texts of a piece of HTML."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.texts, self.open = set(), [], []
        self.figures = self.ended = self.depth = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag == "svg" and "viewbox" in dict(attrs):  # the figure, which tests of figures read
            self.figures += 1
        if self.figures > self.ended:
            self.depth += tag == "svg"
            return
        self.tags.add(tag)
        self.open.append(tag)
        drawn = {"width", "height", "aria-hidden", *DRAWN} if tag in ("svg", "line", "circle") else set()
        assert {name for name, _ in attrs} <= {"style", "colspan"} | drawn

    def handle_endtag(self, tag):
        if self.figures > self.ended:
            self.depth -= tag == "svg"
            self.ended += self.depth == 0
            return
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.figures == self.ended:
            self.texts.append(data)


SCORES = cd.Scores(
    np.stack([VALUES, VALUES[::-1] / 2])[:, None].repeat(3, 1), measures=NAMES[:2], systems=NAMES
)
SHOWN = {
    "scores": SCORES,
    "means": SCORES.mean(NAMES[0]),
    "result": cd.correlate(SCORES, {NAMES[2]: SCORES}, "tau_b", resampling=cd.Resampling(n_resamples=9)),
    "systems": cd.correlate(SCORES, {NAMES[2]: SCORES}, "tau_b", resampling=None).only("systems"),
    "matrix": cd.matrix({NAMES[0]: VALUES, NAMES[2]: VALUES[::-1]}, "tau_b"),
    "comparison": cd.compare(dict(zip(NAMES, VALUES, strict=True)), dict(zip(NAMES, VALUES, strict=True))),
}


@pytest.mark.parametrize("name", SHOWN)
def test_names_are_text(name):
    """Whatever they look like; the elements are those of tables and paragraphs."""
    page = Page(SHOWN[name]._repr_html_())
    allowed = {"p", "ol", "table", "thead", "tbody", "tr", "th", "td", "h4", "ul", "li", "code"}
    allowed |= {"div", "tfoot", "svg", "line", "circle", "details", "summary"}
    assert page.tags <= allowed
    assert page.open == []


@pytest.mark.parametrize("name", ["scores", "means", "systems"])
def test_every_name_is_there(name):
    """As it is written."""
    assert set(NAMES) <= set(Page(SHOWN[name]._repr_html_()).texts)


def cells(html):
    """Return the rows of the body of a table."""
    body = html.partition("<tbody>")[2]
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in body.split("</tr>")[:-1]]


def test_scores_show_means_by_measure():
    """The best by the first measure first; what is missing is left out; 20 systems at most."""
    scores = cd.read_scores({"q1": {"a": 0.5, "b": 0.25, "c": 0.75}, "q2": {"a": 1.0, "c": 0.8}})
    html = scores._repr_html_()
    assert html.startswith("<p>Scores: 1 measure, 2 topics, 3 systems, 1 scores missing; means:</p>")
    assert cells(html) == [["c", "0.7750"], ["a", "0.7500"], ["b", "0.2500"]]
    many = cd.Scores(np.random.default_rng(0).random((2, 3, 25)))._repr_html_()
    assert len(cells(many)) == 20
    assert many.endswith("<p>... and 5 more</p>")


def test_means_show_numbers_at_the_prompt_and_in_a_notebook():
    """Name and value, the best first, shortened after twenty."""
    means = cd.Scores([[0.1, 0.3, 0.3]], systems=["a", "b", "c\x1b[31m"]).mean()
    head = "mean score of 3 systems over 1 topic, 2 tied"
    assert repr(means) == f"{head}\nb: 0.3000\nc\\x1b[31m: 0.3000\na: 0.1000"
    assert cells(means._repr_html_())[0] == ["b", "0.3000"]
    lines = repr(cd.Scores(np.arange(50.0)[None]).mean()).splitlines()
    assert len(lines) == 22
    assert lines[1] == "49: 49.0000"
    assert lines[-1] == "... and 30 more"


def test_a_result_shows_its_main_figure_and_folds_the_rest():
    """Tuples of records are tables; without the library that draws there is no figure."""
    pytest.importorskip("vl_convert")
    result = SHOWN["result"]
    html = result._repr_html_()
    assert Page(html).figures == 1
    assert html.count("<details>") >= len(result.left_out())
    assert "http" not in html.replace("http://www.w3.org/", "")
    assert len(cells(result.agreement._repr_html_())) == len(result.agreement)


def test_without_a_library_that_draws_there_is_no_figure(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    assert Page(SHOWN["result"]._repr_html_()).figures == 0
