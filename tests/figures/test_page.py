"""The page of a result, without a browser: what is in it, and that nothing in it can be obeyed."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from support import pages
from support.hostile import HOSTILE

import concordant as cd
from concordant.figures import converted_tables, page as page_module
from concordant.figures.converted_tables import Tables
from concordant.figures.draw import figure_bytes
from concordant.figures.judge_values import finding
from concordant.figures.page import page_of
from concordant.results.result import Result, records
from concordant.results.table import Table

VOID = {"meta", "input", "br", "img", "link", "hr"}


class Parsed(HTMLParser):
    """The elements of a page: those that are open at the end, and the text of scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.open, self.found, self.texts = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.texts.append([tag, dict(attrs), ""])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("script", "style"):
            self.texts[-1][2] += data

    def json(self, name):
        """Return the JSON in the element of this name."""
        return json.loads(next(text for _, attrs, text in self.texts if attrs.get("id") == name))


@pytest.fixture(scope="module")
def result():
    return pages.judged()


@pytest.fixture(scope="module")
def text(result):
    return page_of(result)


@pytest.fixture(scope="module")
def page(text):
    return Parsed(text)


def test_the_page_is_well_formed(page):
    """Every element is closed, and no name is used twice."""
    assert page.open == []
    ids = [attrs["id"] for _, attrs in page.found if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert sum(tag == "h1" for tag, _ in page.found) == 1


def test_the_data_in_the_page_is_that_of_the_result(page, result):
    """To the last digit, and nothing is left out."""
    expected = json.loads(result.to_json())
    assert page.json("about") | {"tables": pages.tables(page.json("data"))} == expected


def test_the_policy_names_the_scripts_and_the_style_of_the_page(page):
    """By their checksums; nothing else is allowed."""
    policy = next(
        attrs["content"] for tag, attrs in page.found if attrs.get("http-equiv") == "Content-Security-Policy"
    )
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    for kind in ("script", "style"):
        texts = [text for tag, attrs, text in page.texts if tag == kind and "type" not in attrs]
        sums = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts]
        assert parts.pop(f"{kind}-src") == " ".join(f"'sha256-{each}'" for each in sums)
    assert parts == {
        "default-src": "'none'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    handlers = [name for _, attrs in page.found for name in attrs if name.startswith("on") or name == "style"]
    assert handlers == []


def test_nothing_is_loaded_from_elsewhere(page):
    """All links are to parts of the page."""
    links = [value for _, attrs in page.found for name, value in attrs.items() if name in ("href", "src")]
    assert len(links) > 3
    assert all(link.startswith("#") for link in links)


def test_without_scripts_the_page_has_the_first_table_and_the_notes(result, text):
    """A reader of mail that runs no script shows them."""
    body = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    table = re.search(r'<div class="answer">(.*?)</table>', body, re.DOTALL)[1]
    grid = result.answer_in_print()  # judges by measures
    assert all(f">{pages.escaped(head)}</th>" in table for head in grid.header)
    assert all(f">{pages.escaped(row[0])}</td>" in table for row in grid.rows)
    assert '<div class="still"' in body  # the first figure
    for note in result.notes:
        assert f'<li dir="auto">{pages.escaped(str(note))}</li>' in body
    for sentence in result.verdict:
        assert pages.escaped(sentence) in body


def test_the_title_is_the_finding(result, text):
    """Of the whole result at first; each choice has its own title, sentences and table."""
    assert f"<title>{finding(result)}</title>" in text
    answers = Parsed(text).json("data")["answers"]
    assert answers[0] == {"choice": {}, "title": finding(result)}
    # Two judges or all, two measures or all, two coefficients.
    assert len(answers) == text.count('<div class="said"') == text.count('<div class="answer"') == 18
    chosen = [each["choice"] for each in answers]
    k = chosen.index({"measure": "RR", "estimate": "rough"})
    narrowed = Tables(result).narrowed(measure="RR", estimate="rough")
    said = text.split('<div class="said"')[k + 1]
    assert all(pages.escaped(sentence) in said for sentence in narrowed.verdict)
    assert answers[k]["title"] == finding(narrowed)
    assert "rough" in finding(narrowed)


def _tips(part):
    """Yield the tooltips in a specification."""
    if isinstance(part, dict):
        yield from [part["tooltip"]] if "tooltip" in part else []
        part = list(part.values())
    for each in part if isinstance(part, list) else ():
        yield from _tips(each)


def test_tooltips_speak_in_words(page):
    """Each line has a title, and no title is the name of a column."""
    for figure in page.json("data")["figures"]:
        found = [each["title"] for tip in _tips(figure["spec"]) for each in tip]
        assert found, figure["name"]
        assert not any("_" in title for title in found), figure["name"]


def test_a_title_without_a_finding_is_that_of_the_figure_or_the_table():
    """A page of one table has the title of the table."""
    matrix = cd.matrix({"a": {"x": 1, "y": 2, "z": 3}, "b": {"x": 2, "y": 1, "z": 3}}, "tau_b")
    assert "<title>tau_b of two rankings is 0.33</title>" in page_of(matrix)
    assert f"<title>{matrix.table().title}</title>" in page_of(matrix.only("matrix"), with_figures=False)


def test_the_papers_of_the_coefficients_are_cited(text):
    """And concordant itself, with its version."""
    cite = re.search(r'<section id="cite".*?</section>', text, re.DOTALL)[0]
    assert f"Version {cd.__version__}" in cite
    assert "Julián Urbano and Mónica Marrero (2017). The Treatment of Ties in AP Correlation." in cite
    assert "{" not in cite


def test_hostile_names_stay_text(page):
    """Elements are those of a page with harmless names."""
    hostile = Parsed(page_of(pages.judged(HOSTILE, pages.HOSTILE_JUDGES, measures=HOSTILE[:3])))
    assert hostile.open == []
    for tag in ("script", "img", "b", "iframe"):
        assert sum(t == tag for t, _ in hostile.found) == sum(t == tag for t, _ in page.found), tag
    assert {row["system"] for row in pages.tables(hostile.json("data"))["systems"]} == set(HOSTILE)


def test_the_same_result_gives_the_same_page(result, text, tmp_path):
    """It holds no date; report writes what the command line writes."""
    cd.report(result, tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == text


def test_a_title_of_ones_own(result, tmp_path):
    """It is text too."""
    cd.report(result, tmp_path / "report.html", title="A <b> & c")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<title>A &lt;b&gt; &amp; c</title>" in text
    assert '<h1 dir="auto">A &lt;b&gt; &amp; c</h1>' in text


def test_what_is_no_result_is_refused(tmp_path):
    """The message says what was given; nothing is written."""
    with pytest.raises(cd.ArgumentTypeError, match=r"^report: takes a result, got int$"):
        cd.report(3, tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []


def test_a_result_without_figures_has_a_page_too():
    """With its tables, and without the program that draws."""
    text = page_of(cd.choose(ties="equality"))
    assert "vegaEmbed=" not in text
    assert len(text) < 100_000
    assert Parsed(text).open == []


def test_a_figure_as_html_is_a_page_with_this_figure(result):
    """And with the tables that it shows."""
    text = figure_bytes(result, "html", "ranks", estimate="rough").decode()
    parsed = Parsed(text)
    data = parsed.json("data")
    (figure,) = data["figures"]
    assert "rough" in figure["heading"]
    assert [table["name"] for table in data["tables"]] == ["systems"]
    params = {param["name"]: param.get("value") for param in data["figures"][0]["spec"]["params"]}
    assert params["estimate"] == "rough"


def test_two_rankings_that_are_explained_have_a_page_too():
    """They have no estimate and no measure to choose."""
    found = cd.explain({"a": 3, "b": 2, "c": 1}, {"a": 2, "b": 3, "c": 1}, "tau_b")
    assert Parsed(page_of(found)).json("data")["choices"] == []


@pytest.mark.parametrize(
    ("code", "bundle"),
    [
        ("import sys; sys.stdout.buffer.write(b'ahead')", "ahead"),
        ("import sys; sys.stdout.buffer.write(b'in part'); sys.exit(1)", "own"),
        ("", "own"),
    ],
)
def test_a_process_bundles_the_javascript_ahead(monkeypatch, code, bundle):
    """If it fails, the page bundles it itself; the process ends with the program, in each case."""
    bundled = SimpleNamespace(javascript_bundle=lambda *_, **__: "own")
    monkeypatch.setattr(page_module, "converter", lambda _: (bundled, "6"))
    monkeypatch.setattr(page_module, "_CODE", code)
    monkeypatch.setattr(page_module, "_library", cache(page_module._library.__wrapped__))
    with page_module.bundling_ahead():
        (process,) = page_module._ahead
        assert page_module._library() == bundle
        with page_module.bundling_ahead():  # nothing is left to bundle
            assert page_module._ahead == [process]
    assert process.returncode is not None
    assert page_module._ahead == []


@pytest.fixture(scope="module")
def large():
    """A study of 100 systems, 5 judges, 3 measures, 50 topics."""
    names = [f"organisation-{i // 5}-run-{i}" for i in range(100)]
    judges = [f"language-model-{k}" for k in range(5)]
    return pages.judged(names, judges, measures=("AP", "nDCG@10", "RR"), n_topics=50, n_resamples=49)


def test_a_page_of_a_large_study_is_small(large):
    """Less than 2 MB: it holds the pairs in the opposite order that cost most, and says how many it has."""
    text = page_of(large)
    assert len(text.encode()) < 2_000_000
    assert len(large.pairs) == 74_250
    parsed = Parsed(text)
    rows = pages.tables(parsed.json("data"))["pairs"]
    assert len(rows) == 1800
    products = [row["reference_difference"] * row["estimate_difference"] for row in rows]
    assert max(products) < 0
    costs = [row["cost"] for row in rows]
    assert costs == sorted(costs, reverse=True)
    lowest = sorted(
        pair.cost for pair in large.pairs if pair.estimate_difference < 0 < pair.reference_difference
    )
    assert costs[0] == lowest[-1]
    said = "the page holds 1,800 of 74,250 rows of the table pairs; the JSON file has all"
    assert said in text
    assert parsed.json("about")["notes"][-1]["text"] == said
    (table,) = (each for each in parsed.json("data")["tables"] if each["name"] == "pairs")
    assert (table["n"], table["total"]) == (1800, 74_250)


@pytest.mark.parametrize("figures", [True, False])
def test_each_table_is_converted_once(result, monkeypatch, figures):
    """Whatever figures and choices there are; no table becomes dictionaries of rows to answer a question."""
    converted = []
    original = converted_tables.columns_of
    count = lambda table: (converted.append(table.name), original(table))[1]
    monkeypatch.setattr(converted_tables, "columns_of", count)
    as_rows = Table.to_dicts
    monkeypatch.setattr(Table, "to_dicts", lambda table: (converted.append(table.name), as_rows(table))[1])
    page_of(result, with_figures=figures)
    converted.remove("values")  # the single values of the result
    assert sorted(converted) == sorted(table.name for table in result.tables)


@dataclass(frozen=True)
class Limit:
    """A record with a number that JSON does not know."""

    name: str
    value: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Limits(Result[Limit]):
    """A result of such records."""

    limits: tuple[Limit, ...] = records(Limit, "Limits")


def test_numbers_that_json_does_not_know_survive():
    """An infinite number is written as one that every reader of JSON takes for it."""
    rows = (Limit("Infinity", math.inf), Limit("least", -math.inf), Limit("none", math.nan))
    parsed = Parsed(page_of(Limits(limits=rows)))
    assert "1e999" in str(parsed.texts)
    values = {row["name"]: row["value"] for row in pages.tables(parsed.json("data"))["limits"]}
    assert values == {"Infinity": math.inf, "least": -math.inf, "none": None}
