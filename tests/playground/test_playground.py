"""The playground gives the values, intervals and sentences of the package, in Node and in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from support.program import run

import concordant as cd
from concordant.reading.header_words import counts_down
from concordant.results.words import number, pvalue
from concordant.statistics.distributions import t_quantile

HERE = Path(__file__)
FILE = HERE.parents[2] / "build" / "playground" / "concordant-playground.html"
NODE = shutil.which("node")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(not FILE.exists(), reason="the playground is not built: make playground")

OFFERED = [
    *(
        "tau",
        "tau_a",
        "tau_b",
        "tau_e",
        "tau_c",
        "gamma",
        "somers_d",
        "tau_ap",
        "tau_ap_a",
        "tau_ap_b",
        "tau_ap_e",
        "tau_h",
        "tau_gap",
    ),
    *("pearson_rank", "pearson_r", "spearman_rho"),
]
README = """system,human,judge
monot5,0.55,0.63
colbert,0.52,0.61
splade,0.51,0.63
bm25,0.42,0.50
tfidf,0.32,0.41
"""


def table(values, columns, backwards=False):
    """Return a table as CSV, if wanted with its rows in the opposite order."""
    lines = [",".join([f"q{t}", *(repr(float(value)) for value in row)]) for t, row in enumerate(values)]
    return "\n".join([",".join(["topic", *columns]), *(lines[::-1] if backwards else lines)])


def two_tables(seed, n_topics, n_systems, noise, decimals):
    rng = np.random.default_rng(seed)
    reference = rng.normal(np.linspace(0.6, 0.3, n_systems), 0.1, (n_topics, n_systems))
    estimate = reference + rng.normal(0, noise, reference.shape)
    return reference.round(decimals), estimate.round(decimals)


TABLES = {
    "few": two_tables(1, 20, 8, 0.2, 3),
    "ties": two_tables(2, 12, 6, 0.4, 1),
    "many": two_tables(3, 50, 24, 0.1, 3),
    "same": (two_tables(4, 6, 5, 0, 3)[0],) * 2,
    "reversed": (two_tables(5, 30, 12, 0, 3)[0], -two_tables(5, 30, 12, 0, 3)[0]),
    "constant": (two_tables(6, 5, 4, 0, 3)[0], np.ones((5, 4))),
    "two": two_tables(7, 2, 3, 0.1, 2),
}
COLUMNS = {
    "README": ([0.55, 0.52, 0.51, 0.42, 0.32], [0.63, 0.61, 0.63, 0.50, 0.41]),
    "untied": ([9.0, 8, 7, 6, 5, 4, 3, 2, 1, 0], [9.0, 7, 8, 6, 5, 4, 3, 1, 2, 0.5]),
    "two": ([1.0, 2.0], [2.0, 1.0]),
    "tied": ([1.0, 1.0, 2.0, 3.0, 3.0, 4.0], [2.0, 1.0, 1.0, 5.0, 5.0, 6.0]),
}
FAULTS = {
    "reference: there are no scores; paste a table or drop a file": ("", ""),
    "reference, line 3: 'x' is not a number; fix it or remove the line": ("s,a,b\nu,1,2\nv,x,2", ""),
    "reference, line 2: '1,200' has a comma; is it a decimal comma or does it group thousands? write a "
    "decimal point": ("s;a;b\nu;1,200;2\nv;1;2", ""),
    "reference: a score is missing; add it, or use the program: concordant correlate": (
        "topic,a,b\nq,1,2\nr,,2",
        "topic,a,b\nq,1,2\nr,3,2",
    ),
    "reference, line 1: there is only one column; give names and scores": ("0.5\n0.4", "0.1\n0.3"),
    "reference: no cell is a number; paste names and scores": ("hello there\nand more", ""),
    "reference: this page reads columns and tables of text, not JSON or HTML; use the program: concordant "
    "correlate": ('{"a": 1}', '{"a": 2}'),
    "reference, line 2: expected 3 columns, found 5; if commas are decimal signs, put tabs or semicolons "
    "between columns": ("s,a,b\nu,0,5,0,4", ""),
    "reference: the first column is called 'query', so that the rows are topics; call it system if they are "
    "ranked": ("query,a,b\nq,1,2\nr,3,2", ""),
    "reference: are the columns 'ap', 'rr' topics or measures? choose \"rows\" if they are topics, or give "
    "one column of scores": ("model,ap,rr\nu,1,2\nv,3,2", "model,ap,rr\nu,1,2\nv,3,2"),
    "reference: choose whether systems are in columns or in rows; the first line does not tell": (
        "item,a,b\nu,1,2\nv,3,2",
        "item,a,b\nu,1,2\nv,3,2",
    ),
    "reference, line 4: expected 3 columns, found 2": ("s,a,b\nu,1,2\n\nv,2", ""),
    "reference, line 3: 'u' appears twice, first in line 2": ("s,a,b\nu,1,2\nu,3,2", ""),
    "estimate, line 3: 'w' is not in reference; add it there or remove it": ("u,1\nv,2", "s,a\nu,1\nw,2"),
    "estimate, line 1: 'c' is not in reference; add it there or remove it": (
        "topic,a,b\nq,1,2\nr,1,2",
        "topic,a,c\nq,1,2\nr,1,2",
    ),
    "reference, line 2: a quotation mark is not closed; close it or remove it": ('s,a\n"u,1', ""),
    "there are 1001 systems, and this page takes 1000; use the program: concordant correlate": (
        "\n".join(f"s{k} {k} {k}" for k in range(1001)),
        "",
    ),
}
_H, _J = [0.55, 0.52, 0.51, 0.42, 0.32, 0.47], [0.63, 0.61, 0.63, 0.50, 0.41, 0.40]
_NAMES = ["monot5", "colbert", "splade", "bm25", "tfidf", "ance"]


def _pasted(head, separator, comma=False, end="\n"):
    rows = [head, *([name, str(a), str(b)] for name, a, b in zip(_NAMES, _H, _J, strict=True))]
    text = end.join(separator.join(row) for row in rows) + end
    return text.replace(".", ",") if comma else text


# What people paste: the same files give the same sentences on the command line; -x and -y name columns.
PASTED = {
    "CSV with a header": ("system,score\na,1\nb,3\nc,2\n", "system,score\nc,1\nb,3\na,2\n"),
    "other measures": ("system,AP\na,1\nb,3\nc,2\n", "system,nDCG\nc,1\nb,3\na,2\n"),
    "columns of a spreadsheet": (_pasted(["model", "human", "judge"], "\t", end="\r\n"), ""),
    "with an empty column": (_pasted(["system", "human", "judge"], "\t", end="\t\n"), ""),
    "decimal commas": (_pasted(["run", "human", "judge"], ";", comma=True), ""),
    "decimal commas with tabs": (_pasted(["system", "human", "judge"], "\t", comma=True), ""),
    "missing cells": ("system,human,judge\na,1,2\nb,,3\nc,4,5\nd,2,NA\ne,6,1\n", ""),
    "a missing cell of one file": ("system,AP\na,1\nb,-\nc,2\nd,4\n", "system,AP\na,1\nb,3\nc,2\nd,1\n"),
    "ties": ("system,human,judge\na,1,1\nb,1,2\nc,2,2\nd,3,1\ne,3,3\n", ""),
    "percentages": ("system,human,judge\na,50%,2\nb,20%,3\nc,40%,5\n", ""),
    "a table of Markdown": (
        "| model | human | judge |\n|---|--:|--:|\n| a | 1 | 2 |\n| b | 2 | 3 |\n| c | 4 | 1 |\n",
        "",
    ),
    "lower is better": ("system,RMSE\na,1\nb,2\nc,3\nd,4\n", "system,score\na,4\nb,3\nc,1\nd,1.5\n"),
    "an arrow": ("system,human,WER \u2193\na,9,4\nb,7,3\nc,3,5\n", ""),
    "a mean": ("team,AP\na,1\nb,3\nc,2\nmean,2\n", "team,AP\na,3\nb,2\nc,1\nmean,2\n"),
    "systems in rows": (
        "model,q1,q2,q3\na,.1,.2,.4\nb,.2,.4,.3\nc,.5,.6,.7\n",
        "model,q3,q1,q2\na,.2,.2,.4\nb,.1,.4,.3\nc,.5,.3,.7\n",
    ),
    "systems in columns": (
        "query,a,b,c\n1,.1,.2,.4\n2,.2,.4,.3\n3,.5,.6,.7\nall,.3,.4,.5\n",
        "query,b,a,c\n3,.2,.2,.4\n2,.1,.4,.3\n1,.5,.3,.7\nall,.3,.3,.5\n",
    ),
    "10,000 topics": tuple(
        "topic,a,b,c\n" + "".join(f"{t},{t % 7},{t % k},{t % 11}\n" for t in range(10_000)) for k in (5, 13)
    ),
}
DIRECTIONS = [
    *("WER", "WER \u2193", "accuracy \u2191", "loss", "validation loss", "neg_log_loss", "1-WER", "Rang"),
    *("rank_human", "mean rank", "recip_rank", "rank-biased precision", "Rank-1", "Rank-1 accuracy"),
    *("latency (ms)", "time_s", "Price", "RMSE", "word error rate", "error rate reduction", "WER reduction"),
    *("perplexity wiki", "toxicity", "AP", "nDCG@10", "rankHuman", "Spearman rank", "brier score"),
    *("p-value", "standard_error", "cost %", "score", ""),
]
NUMBERS = [
    0.125,
    0.375,
    -0.625,
    0.005,
    0.998,
    0.99996,
    1.0,
    1 - 1e-13,
    0.0,
    2e-5,
    -0.3,
    12.345,
    2.5,
    1e10,
    3.0,
]
QUANTILES = [[0.975, 1], [0.975, 19], [0.001, 40], [0.9, 41], [0.025, 999]]


@pytest.fixture(scope="module")
def node():
    if NODE is None:
        pytest.skip("needs Node: apt install nodejs")
    names = {"reference": "human.csv", "estimate": "gpt.csv"}
    questions = []
    for x, y in TABLES.values():
        systems = [f"s{k}" for k in range(x.shape[1])]
        texts = {"reference": table(x, systems), "estimate": table(y, systems, backwards=True)}
        questions.append({**texts, "names": names, "seed": 7})
    for x, y in COLUMNS.values():
        text = "\n".join(f"s{k}\t{a}\t{b}" for k, (a, b) in enumerate(zip(x, y, strict=True)))
        questions.append({"reference": text, "estimate": "", "names": {}, "seed": 0})
    questions += [{"reference": a, "estimate": b, "names": {}, "seed": 0} for a, b in FAULTS.values()]
    for a, b in PASTED.values():
        questions.append({"reference": a, "estimate": b, "names": names if b else {}, "seed": 0})
    asked = {"questions": questions, "numbers": NUMBERS, "quantiles": QUANTILES, "names": DIRECTIONS}
    command = [NODE, str(HERE.with_name("run.js")), str(FILE)]
    found = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    answers = json.loads(found.stdout)
    kinds = [*(("table", name) for name in TABLES), *(("columns", name) for name in COLUMNS), *FAULTS]
    kinds += [("pasted", name) for name in PASTED]
    return dict(zip(kinds, answers.pop("found"), strict=True)) | answers


def expected(reference, estimate, name, seed):
    """Return the result of the package, and its rows; a coefficient that refuses ties may have none."""
    how = cd.Resampling(rng=seed)
    rest = [each for each in OFFERED if each not in ("tau_ap_b", "tau", "tau_ap")]
    result = cd.correlate(reference, {name: estimate}, ["tau_ap_b", *rest], resampling=how)
    rows = {str(row.coefficient): row for row in result.agreement}
    for refusing in ("tau", "tau_ap"):
        try:
            own = cd.correlate(reference, {name: estimate}, [refusing], resampling=how)
        except cd.TiesError:
            continue
        rows[refusing] = own.agreement[0]
    return result, rows


def compare(found, result, rows):
    assert [name for name, *_ in found["values"]] == OFFERED
    for name, value, interval, why in found["values"]:
        if name not in rows:
            assert (value, interval) == (None, None)
            assert why.startswith("there are ties; use "), name
            continue
        row = rows[name]
        assert why == row.undefined, name
        if why is None:
            assert value == row.value, name  # to the last digit
            assert (interval is None) == (row.interval is None), name
            if interval is not None:
                np.testing.assert_allclose(interval, row.interval, rtol=0, atol=1e-9, err_msg=name)
    assert found["verdict"] == list(result.verdict)
    assert found["systems"] == [
        [each.system, each.reference_rank, each.estimate_rank] for each in result.systems
    ]


@pytest.mark.parametrize("name", TABLES)
def test_tables_give_the_values_intervals_and_sentences_of_correlate(node, name):
    """With the same draws of topics and of orders; topics are aligned by name."""
    x, y = TABLES[name]
    systems, topics = [f"s{k}" for k in range(x.shape[1])], [f"q{k}" for k in range(len(x))]
    sides = [cd.Scores(each, systems=systems, topics=topics) for each in (x, y)]
    compare(node["table", name], *expected(*sides, "gpt", 7))


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_give_the_values_intervals_and_sentences_of_correlate(node, name):
    """The intervals are over systems."""
    sides = [{f"s{k}": value for k, value in enumerate(each)} for each in COLUMNS[name]]
    compare(node["columns", name], *expected(*sides, "estimate", 0))


@pytest.mark.parametrize("sentence", FAULTS)
def test_a_fault_is_told_with_its_line(node, sentence):
    assert node[sentence] == {"error": sentence}


@pytest.mark.parametrize("name", PASTED)
def test_what_people_paste_is_read_as_the_command_reads_it(node, name, tmp_path, monkeypatch):
    """The same files give the same sentences."""
    monkeypatch.chdir(tmp_path)
    a, b = PASTED[name]
    Path("human.csv").write_text(a, encoding="utf-8")
    Path("gpt.csv").write_text(b, encoding="utf-8")
    columns = [each.strip() for each in re.split(r"[\t;,|]", a.splitlines()[0]) if each.strip()]
    one, two = (each.rstrip(" \u2193") for each in columns[-2:])
    sides = ["human.csv", "gpt.csv"] if b else ["human.csv", "-x", one, "-y", two]
    run("correlate", *sides, "-o", "answer.json", "--seed", "0")
    said = json.loads(Path("answer.json").read_text(encoding="utf-8"))["verdict"]
    assert node["pasted", name]["verdict"] == said


def test_names_of_measures_have_the_direction_of_the_package(node):
    assert node["down"] == [counts_down(name) for name in DIRECTIONS]


def test_every_coefficient_of_scores_is_offered_or_named(node):
    """Those that are not offered stand on the page."""
    page = FILE.read_text(encoding="utf-8")
    start = page.index('"others": ') + len('"others": ')
    others, _ = json.JSONDecoder().raw_decode(page[start:])
    assert sorted([*OFFERED, *others]) == sorted(cd.REGISTRY)


def test_numbers_are_written_as_in_the_package(node):
    assert node["told"] == [[number(v), pvalue(abs(v)), f"{v:g}"] for v in NUMBERS]
    np.testing.assert_allclose(node["quantiles"], [t_quantile(*each) for each in QUANTILES], rtol=1e-11)


# --- in a browser ---


@pytest.fixture(scope="module")
def tab():
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="the browser is driven by playwright: pip install playwright"
    )
    if CHROMIUM is None:
        pytest.skip("needs Chromium: apt install chromium")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=flags)
        page = browser.new_page()
        page.set_default_timeout(120_000)
        page.said = []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("request", lambda request: request.url == FILE.as_uri() or page.said.append(request.url))
        yield page
        browser.close()


@pytest.fixture
def page(tab):
    """The page as it is opened; at the end nothing was said or loaded."""
    tab.said.clear()
    tab.set_viewport_size({"width": 1200, "height": 900})
    tab.emulate_media(color_scheme="light", media="screen")
    tab.goto(FILE.as_uri())
    tab.wait_for_selector("html[data-ready]")
    yield tab
    assert tab.said == []


def test_the_page_gives_the_answer(page):
    """Of README's example: the sentences, the values, and a line for each system."""
    page.locator("#reference").fill(README)
    page.locator("button[type=submit]").click()
    page.wait_for_selector("#answer:not([hidden])")
    human, judge = (
        {line.split(",")[0]: float(line.split(",")[k]) for line in README.splitlines()[1:]} for k in (1, 2)
    )
    said = page.locator("#verdict p").all_text_contents()
    assert said == list(cd.correlate(human, {"judge": judge}).verdict)
    cells = "all => all.map(row => [row.cells[0].textContent, row.cells[1].textContent])"
    values = page.locator("#coefficients tbody tr").evaluate_all(cells)
    assert dict(values)["tau_b"] == number(cd.tau_b(human, judge))
    assert dict(values)["tau_ap"] == "-"  # it refuses ties
    assert page.locator("#ranks line").count() == 5
    with page.expect_download() as download:
        page.locator("#download").click()
    rows = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    (row,) = (row.split(",") for row in rows if row.startswith("tau_b,"))
    assert float(row[1]) == cd.tau_b(human, judge)


def test_files_are_taken_and_name_the_estimate(page, tmp_path):
    """And faults in them are told at the page; systems may be in rows."""
    x, y = TABLES["few"]
    for name, values in (("human.csv", x), ("gpt.csv", y)):
        (tmp_path / name).write_text(table(values.T, [f"q{k}" for k in range(20)]), encoding="utf-8")
    page.locator("#reference-file").set_input_files(tmp_path / "human.csv")
    page.locator("#estimate-file").set_input_files(tmp_path / "gpt.csv")
    # The policy of the page forbids wait_for_function.
    expect = pytest.importorskip("playwright.sync_api").expect
    expect(page.locator("#estimate")).not_to_have_value("")
    page.select_option("#systems-in", "rows")
    page.locator("#seed").fill("7")
    page.locator("button[type=submit]").click()
    page.wait_for_selector("#answer:not([hidden])")
    sides = [cd.Scores(each, systems=[f"q{k}" for k in range(8)]) for each in (x, y)]
    expected = cd.correlate(sides[0], {"gpt": sides[1]}, resampling=cd.Resampling(rng=7)).verdict
    assert page.locator("#verdict p").all_text_contents() == list(expected)
    page.locator("#estimate").fill("a,b\nc,<img src=x onerror=alert(1)>\nd,1")
    page.locator("button[type=submit]").click()
    assert "'<img src=x onerror=alert(1)>' is not a number" in page.locator("#error").text_content()
    assert page.locator("img").count() == 0
    assert not page.locator("#answer").is_visible()


def test_the_keyboard_is_enough_and_the_answer_is_printed_light(page):
    page.locator("#reference").focus()
    page.keyboard.insert_text(README)
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type") == "submit":
            page.keyboard.press("Enter")
            break
    page.wait_for_selector("#answer:not([hidden])")
    assert page.evaluate("document.activeElement.id") == "answer"
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.locator("#input").is_visible()
    assert page.locator("#ranks svg").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.skipif(
    find_spec("axe_playwright_python") is None, reason="needs axe-core: pip install axe-playwright-python"
)
@pytest.mark.parametrize(("scheme", "width"), [("dark", 400), ("light", 1200)])
def test_axe_finds_no_fault_and_nothing_scrolls_sideways(page, scheme, width):
    axe = Path(find_spec("axe_playwright_python").origin).with_name("axe.min.js")
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.locator("#example").click()
    page.wait_for_selector("#answer:not([hidden])")
    page.evaluate("document.querySelector('details').open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate(axe.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found] == []
