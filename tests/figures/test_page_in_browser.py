"""The page of a result in a real browser: what a reader sees, points at, chooses and takes away."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import time
import unicodedata
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from support import pages
from support.hostile import HOSTILE

import concordant as cd
from concordant.figures.converted_tables import Tables
from concordant.figures.judge_values import finding

pytest.importorskip("altair", reason="the page needs altair: pip install 'concordant[plot]'")
playwright = pytest.importorskip(
    "playwright.sync_api", reason="the browser is driven by playwright: pip install playwright"
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt install chromium")

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
TABLE_ROWS = "#table-{} tbody tr"


@pytest.fixture(scope="module")
def tab():
    """One tab of Chromium without a window: each page that is opened in it replaces the one before."""
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.set_default_timeout(120_000)  # milliseconds; other processes use this machine too
        page.said, page.shared = [], None
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("dialog", lambda dialog: (page.said.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: request.url == page.own or page.said.append(request.url))
        yield page
        browser.close()


@pytest.fixture(scope="module")
def result():
    return pages.judged()


@pytest.fixture(scope="module")
def file(result, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    cd.report(result, path)
    return path


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A page with few rows, because axe looks at every cell."""
    path = tmp_path_factory.mktemp("page") / "small.html"
    cd.report(pages.judged([f"system-{i}" for i in range(4)], n_topics=3), path)
    return path


@pytest.fixture
def show(tab):
    """Give a function that opens a page; at the end nothing was said, asked or loaded by any."""
    tab.said.clear()

    def show(file, color_scheme="light", width=1200):
        tab.own, tab.shared = Path(file).as_uri(), None
        tab.set_viewport_size({"width": width, "height": 900})
        tab.emulate_media(color_scheme=color_scheme, media="screen")
        tab.goto(tab.own)
        tab.wait_for_selector("html[data-ready]")
        return tab

    yield show
    assert tab.said == []


STATE = """() => [
    ...[...document.querySelectorAll("select, #search")].map(each => each.value),
    ...document.querySelectorAll("[aria-sort], tr.marked"),
    document.getElementById("status").textContent,
].filter(each => each !== "")"""


@pytest.fixture
def page(show, tab, file):
    """The page of the result. Tests in a row share it: each leaves it as it was, nothing chosen."""
    if tab.shared != file:
        show(file)
    yield tab
    tab.mouse.move(0, 0)
    tab.wait_for_selector("tr.marked", state="detached")
    assert tab.evaluate(STATE) == []
    tab.shared = file


def rows(page, table):
    """Return the texts of the cells of a table, open or not."""
    page.evaluate(f"document.getElementById('table-{table}').open = true")
    page.wait_for_selector(f"#table-{table} tbody")
    found = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    return page.locator(TABLE_ROWS.format(table)).evaluate_all(found)


def heads(page, table):
    return page.locator(f"#table-{table} th").evaluate_all("all => all.map(head => head.textContent)")


def column(page, table, name):
    found = rows(page, table)
    place = heads(page, table).index(name)
    return [row[place] for row in found]


def signals(page, name):
    """Return what the figures that know a signal have for it."""
    return page.evaluate(
        f"concordantPage.figures.map(each => each.signal('{name}')).filter(each => each !== undefined)"
    )


def until(page, condition):
    """Wait for a condition; Playwright's own waiting calls eval in the page, which its policy forbids."""
    end = time.monotonic() + 30
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        time.sleep(0.02)


def unfold(page):
    """Open all that is folded; figures are drawn when they are opened."""
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    until(
        page,
        "document.querySelectorAll('figure svg').length === document.querySelectorAll('figure').length",
    )


def marked(page, table):
    return page.locator(f"#table-{table} tr.marked td:nth-child(3)").all_text_contents()


def test_the_numbers_on_the_page_are_those_of_the_result(page, result):
    """Of all tables, in their order, with four decimals."""
    assert column(page, "agreement", "value") == [f"{each.value:.4f}" for each in result.agreement]
    assert column(page, "agreement", "interval") == [
        f"[{each.interval.low:.4f}, {each.interval.high:.4f}]" for each in result.agreement
    ]
    systems = result.systems
    assert column(page, "systems", "reference score") == [f"{each.reference_score:.4f}" for each in systems]
    assert column(page, "systems", "estimate rank") == [str(each.estimate_rank) for each in systems]
    for table in result.tables:
        assert len(rows(page, table.name)) == min(200, len(table.records)), table.name


def test_numbers_that_are_nearly_one_are_not_one_and_no_interval_is_an_empty_cell(show, file, tmp_path):
    """Only 1 itself is 1.0000, and a zero has no sign."""
    before, start, rest = file.read_text(encoding="utf-8").partition('id="data">')
    text, end, after = rest.partition("</script>")
    data = json.loads(text)
    (table,) = (each for each in data["tables"] if each["name"] == "agreement")
    cells = dict(zip(table["columns"], table["cells"], strict=True))
    cells["value"][:4] = [0.9999999996, -0.9999999996, 1.0, -0.0]
    cells["low"][0] = cells["high"][0] = None
    other = tmp_path / "other.html"
    other.write_text(
        before + start + json.dumps(data).replace("<", "\\u003c") + end + after, encoding="utf-8"
    )
    page = show(other)
    assert column(page, "agreement", "value")[:4] == [">0.9999", "<-0.9999", "1.0000", "0.0000"]
    assert column(page, "agreement", "interval")[0] == ""


def test_every_figure_is_drawn(show, file):
    """With a heading, and a link that opens its table."""
    page = show(file)
    unfold(page)
    names = page.locator("figure").evaluate_all("all => all.map(each => each.dataset.figure)")
    assert names == ["judges", "ranks", "significance", "topics"]
    assert page.locator("figure svg").count() == len(names)
    described = page.locator("figure [role=img]").evaluate_all("all => all.map(each => each.ariaLabel)")
    assert len(described) == len(names)
    assert all("The numbers are in the table" in each for each in described)
    page.locator("figure[data-figure=ranks] a").first.click()
    assert page.locator("#table-systems").get_attribute("open") is not None
    assert page.locator("#table-systems tbody tr").first.is_visible()


def test_choosing_changes_figures_and_tables(page):
    """Of all judges those chosen; all come back."""
    everything = rows(page, "systems")
    assert set(signals(page, "estimate")) == {"fine"}
    page.select_option("#choose-estimate", label="rough")
    page.select_option("#choose-measure", label="RR")
    assert set(signals(page, "estimate")) == {"rough"}
    assert set(signals(page, "measure")) == {"RR"}
    assert set(column(page, "systems", "estimate")) == {"rough"}
    assert set(column(page, "agreement", "measure")) == {"RR"}
    assert (
        "rough against the reference, RR: " in page.locator("figure[data-figure=ranks] .shows").text_content()
    )
    assert (signals(page, "chosen_estimate"), signals(page, "chosen_measure")) == (["rough"], ["RR"])
    full = "all => all.filter(each => !(Number(each.getAttribute('opacity') ?? 1) < 1)).length"
    points = page.locator("figure[data-figure=judges] .mark-symbol.role-mark path[aria-label*=judge]")
    assert points.evaluate_all(full) == 1 < points.count()
    page.select_option("#choose-estimate", label="all")
    page.select_option("#choose-measure", label="all")
    assert rows(page, "systems") == everything
    assert points.evaluate_all(full) == points.count()
    assert set(signals(page, "estimate")) == {"fine"}


def test_a_system_pointed_at_is_marked_everywhere(page, result):
    """In the figures and in the tables, until the pointer leaves; a click keeps it."""
    names = {each.system for each in result.systems}
    rows(page, "systems")
    unfold(page)
    mark = page.locator("figure[data-figure=ranks] .mark-symbol path").nth(3)
    mark.scroll_into_view_if_needed()
    mark.hover(force=True)
    page.wait_for_selector("#table-systems tr.marked", state="attached")
    (name,) = set(marked(page, "systems"))
    assert name in names
    assert set(signals(page, "system")) == {name}
    assert len(signals(page, "system")) > 1
    mark.click(force=True)
    page.mouse.move(5, 5)
    page.wait_for_timeout(100)
    assert set(marked(page, "systems")) == {name}
    assert page.locator("#search").input_value() == name
    page.locator("#search").fill("")
    assert set(signals(page, "system")) == {None}
    assert marked(page, "systems") == []


def test_a_row_of_a_table_marks_its_system(page):
    """The figures follow the pointer over a table."""
    rows(page, "systems")
    row = page.locator("#table-systems tbody tr").nth(2)
    name = row.locator("td").nth(2).text_content()
    row.hover()
    page.wait_for_selector("#table-systems tr.marked")
    assert set(signals(page, "system")) == {name}


def test_search_finds_a_system(page):
    """By a part of its name if no other has it; else it says how many have."""
    rows(page, "systems")
    search, status = page.locator("#search"), page.locator("#status")
    search.fill("SYSTEM-7")
    assert set(marked(page, "systems")) == {"system-7"}
    assert set(signals(page, "system")) == {"system-7"}
    search.fill("system")
    assert marked(page, "systems") == []
    assert status.text_content().startswith("10 systems have this")
    search.fill("nobody")
    assert status.text_content() == "No system has this in its name."
    search.fill("system-7")
    search.press("Escape")
    assert (search.input_value(), status.text_content()) == ("", "")
    assert set(signals(page, "system")) == {None}


def test_tables_are_sorted_by_their_heads(page, result):
    """The best first, the last first, and back to the order of the result."""
    before = column(page, "systems", "gain")
    page.locator("#table-systems th button", has_text="reference rank").first.click()
    assert column(page, "systems", "reference rank")[0] == "1"
    page.locator("#table-systems th button", has_text="estimate").first.click()
    button = page.locator("#table-systems th button", has_text="gain")
    head = page.locator("#table-systems th", has_text="gain")
    for direction, expected in (
        ("descending", sorted(before, key=int, reverse=True)),
        ("ascending", sorted(before, key=int)),
        (None, before),
    ):
        button.click()
        assert head.get_attribute("aria-sort") == direction
        assert column(page, "systems", "gain") == expected


def test_long_tables_show_their_first_rows(show, tmp_path):
    """The rest on request; a system that is searched is there at once."""
    names = [f"s{i}" for i in range(42)]
    cd.report(pages.judged(names, list("abcde"), n_topics=5, measures=("AP",)), tmp_path / "long.html")
    page = show(tmp_path / "long.html")
    assert len(rows(page, "systems")) == 200
    page.locator("#search").fill("s41")
    assert len(rows(page, "systems")) == 201
    assert marked(page, "systems") == ["s41"] * 5
    page.locator("#table-systems button", has_text="Show all 210").click()
    assert len(rows(page, "systems")) == 210


def test_the_keyboard_is_enough(show, file):
    """The first stop skips to the answer; then come the controls, and the heads of an open table."""
    page = show(file)
    rows(page, "agreement")
    seen = []
    for _ in range(90):
        page.keyboard.press("Tab")
        here = page.evaluate("[document.activeElement.id, document.activeElement.textContent]")
        seen.append(here[0] or here[1])
        if here[0] == "choose-estimate":
            page.keyboard.press("ArrowDown")
        if here[0] == "search":
            page.keyboard.type("system-4")
        if here[1] == "value":
            page.keyboard.press("Enter")
            break
    assert seen[0] == "Skip to the answer"
    assert [each for each in seen if each in ("choose-estimate", "search", "value")] == [
        "choose-estimate",
        "search",
        "value",
    ]
    assert set(column(page, "agreement", "estimate")) == {"fine"}
    values = column(page, "agreement", "value")
    assert values == sorted(values, reverse=True)
    assert set(signals(page, "system")) == {"system-4"}


def test_downloads_are_the_data(page, result):
    """The JSON of the result, and each table as CSV."""
    with page.expect_download() as download:
        page.locator("#download-json").click()
    assert download.value.suggested_filename == "concordant-judge.json"
    content = Path(download.value.path()).read_text(encoding="utf-8")
    assert json.loads(content) == json.loads(result.to_json())
    rows(page, "pairs")
    with page.expect_download() as download:
        page.locator("#table-pairs button", has_text="CSV").click()
    found = list(csv.reader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8"))))
    expected = list(csv.reader(io.StringIO(result.to_csv("pairs"))))
    assert found[0] == expected[0]
    assert [[_number(cell) for cell in row] for row in found] == [
        [_number(cell) for cell in row] for row in expected
    ]


def _number(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


def _visible(name):
    """Return a name as the page shows it: what does something, or is not seen, is an escape."""

    def escape(c):
        digits = 2 if ord(c) < 256 else 4
        return f"\\{'x' if digits == 2 else 'u'}{ord(c):0{digits}x}"

    hidden = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    return "".join(escape(c) if unicodedata.category(c) in hidden else c for c in name)


@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_hostile_names_do_nothing(show, tmp_path, step):
    """No element comes from a name, pointed at or searched; the names are there to read."""
    result = pages.judged(HOSTILE, pages.HOSTILE_JUDGES, measures=("AP",))
    cd.report(result, tmp_path / "hostile.html")
    page = show(tmp_path / "hostile.html")
    assert page.locator(".failed").count() == 0
    unfold(page)
    found = column(page, "systems", "system")
    assert set(found[: len(HOSTILE)]) == set(map(_visible, HOSTILE))
    marks = page.locator("figure[data-figure=ranks] .mark-symbol path")
    for k in range(0, len(HOSTILE), step):
        marks.nth(k).hover(force=True)
    page.mouse.move(0, 0)  # nothing is pointed at
    for name in HOSTILE[::step]:
        if name.isprintable():  # what a person can type
            page.locator("#search").fill(name)
            assert len(marked(page, "systems")) == len(pages.HOSTILE_JUDGES), name
    for judge in pages.HOSTILE_JUDGES:
        page.select_option("#choose-estimate", label=judge)
        assert set(column(page, "systems", "estimate")) == {judge}
        assert page.locator("figure[data-figure=ranks] .mark-symbol path").count() > len(HOSTILE)
    counts = "['img', 'script', 'iframe', 'b'].map(tag => document.querySelectorAll(tag).length)"
    assert page.evaluate(counts) == [0, 4, 0, 0]


NAMES = HOSTILE[:6]


def _scores(noise=0.0):
    rng = np.random.default_rng(2)
    values = rng.normal(np.linspace(0.7, 0.3, 6), 0.1, (2, 6, 6)) + rng.normal(0, noise, (2, 6, 6))
    return cd.Scores(values, systems=NAMES, measures=NAMES[:2], topics=NAMES)


def _runs(folder):
    for name in NAMES[:3]:
        lines = [
            f"{topic} Q0 {len(name) * k % 17} {k} {20 - k} {name}\n" for topic in NAMES for k in range(9)
        ]
        (folder / name).write_text("".join(lines), encoding="utf-8")
    return cd.compare_runs(folder / "*")


KINDS = {
    "correlate": lambda _: cd.correlate(
        _scores(), dict.fromkeys(NAMES[:2], _scores(0.1)), resampling=cd.Resampling(n_resamples=20)
    ),
    "by_topic": lambda _: cd.by_topic(_scores(), _scores(0.1), resampling=cd.Resampling(n_resamples=20)),
    "sweep": lambda _: cd.sweep(_scores(), _scores(0.1)),
    "explain": lambda _: cd.explain(_scores(), _scores(0.1)),
    "matrix": lambda _: cd.matrix({"__proto__": _scores(), "constructor": _scores(0.1)}),
    "plan": lambda _: cd.plan(_scores()),
    "runs": _runs,
    "predict": lambda _: cd.experiments.predict(_scores(), ["tau_b"], n_splits=9, rng=1),
    "swap": lambda _: cd.experiments.swap(_scores()["toString"], n_draws=5, n_swaps=2, rng=1),
}


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=[pytest.mark.slow] if kind in ("sweep", "plan", "matrix", "swap") else [])
        for kind in KINDS
    ],
)
def test_every_kind_of_result_has_a_page(show, tmp_path, kind):
    """With its figures, and without a word of complaint, whatever names there are."""
    (tmp_path / "data").mkdir()
    result = KINDS[kind](tmp_path / "data")
    cd.report(result, tmp_path / "page.html")
    page = show(tmp_path / "page.html")
    assert (page.locator("figure svg").count() > 0) == (kind != "explain")  # tables say it all
    assert page.locator(".failed, img, b").count() == 0
    assert len(rows(page, result.table().name)) == min(200, len(result.table().records))


def test_a_script_that_is_put_in_does_not_run(show, file):
    """The policy of the page stops it, and what it would load."""
    page = show(file)
    page.evaluate(
        """() => {
        const script = document.createElement("script");
        script.textContent = "window.hacked = 1";
        document.body.append(script);
        const box = document.createElement("div");
        box.innerHTML = '<img src="https://example.org/x.png" onerror="window.hacked = 2">';
        document.body.append(box);
        }"""
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.hacked") is None
    said = [each for each in page.said if each != "https://example.org/x.png"]
    assert len(said) >= 2
    assert all("Content Security Policy" in each for each in said)
    page.said.clear()


@pytest.mark.parametrize("widths", [(320, 1200), (2000, 400)])
def test_the_page_never_scrolls_sideways(show, file, widths):
    """Figures and tables that are too wide scroll in their own box, also if the window changes its size."""
    page = show(file, width=widths[0])
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(100)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_first_screen_has_the_answer(show, file, result):
    """Title, sentences, the picture of judges and the table, at 1400 by 900, with nothing cut."""
    page = show(file, width=1400)
    assert page.title() == page.locator("h1").text_content() == finding(result)
    for part in ("h1", ".said:not([hidden]) p", "#first-figure svg", ".answer:not([hidden]) table"):
        for k in range(page.locator(part).count()):
            box = page.locator(part).nth(k).bounding_box()
            assert box["y"] >= 0, part
            assert box["y"] + box["height"] <= 900, part
            assert box["x"] + box["width"] <= 1400, part
    cells = page.locator(".answer:not([hidden]) td").all_text_contents()
    assert {"fine", "rough"} <= set(cells)
    said = page.locator(".said:not([hidden]) p").all_text_contents()
    assert said == list(result.verdict)


def test_menus_change_the_answer_and_are_kept_in_the_address(show, file, result):
    """Sentences, rows and the title; a link restores what was chosen, and a link to a part keeps it."""
    page = show(file)
    before = page.locator(".said:not([hidden])").text_content()
    page.select_option("#choose-estimate", label="rough")
    page.select_option("#choose-measure", label="RR")
    assert "rough" in page.locator("h1").text_content() == page.title()
    said = page.locator(".said:not([hidden]) p").all_text_contents()
    assert said == list(Tables(result).narrowed(estimate="rough", measure="RR").verdict)
    rows_shown = page.locator(".answer:not([hidden]) tbody td:first-child").all_text_contents()
    assert rows_shown == ["rough"]
    assert page.evaluate("location.hash") == "#estimate=rough&measure=RR"
    page.locator("nav a", has_text="Notes").click()
    until(page, "location.hash === '#estimate=rough&measure=RR'")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert set(signals(page, "estimate")) == {"rough"}
    assert page.locator(".said:not([hidden]) p").all_text_contents() == said
    assert page.locator("#choose-measure option:checked").text_content() == "RR"
    page.evaluate("location.hash = '#coefficient=tau_b'")
    until(page, "document.getElementById('choose-estimate').value === ''")
    assert set(signals(page, "coefficient")) == {"tau_b"}
    assert page.locator(".answer:not([hidden]) p").first.text_content().startswith("tau_b, ")
    page.evaluate("location.hash = '#measure=nobody'")
    until(page, "document.getElementById('choose-coefficient').value === ''")
    assert page.locator(".said:not([hidden])").text_content() == before


def test_tooltips_speak_in_words(show, file):
    """A mark says what it shows, and not by the names of columns."""
    page = show(file)
    page.locator("figure[data-figure=judges] .mark-symbol path").first.hover(force=True)
    page.wait_for_selector("#vg-tooltip-element.visible")
    said = page.locator("#vg-tooltip-element td.key").all_text_contents()
    assert {"judge", "measure", "interval from", "pairs of systems"} <= set(said)
    assert not any("_" in key for key in said)


def pages_of(pdf):
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


def test_on_paper_there_are_two_pages_and_they_are_light(show, file):
    """Also if the screen is dark; what is of no use on paper is hidden. A button prints the rest too."""
    page = show(file, color_scheme="dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.emulate_media(media="print", color_scheme="dark")
    for hidden in ("#controls", "#tables", "#notes", "#origin", "#more"):
        assert not page.locator(hidden).is_visible(), hidden
    assert page.locator("figure svg:visible").count() == 4
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (dark, light) == ("rgb(21, 23, 27)", "rgb(255, 255, 255)")
    assert page.evaluate("getComputedStyle(document.querySelector('figure svg')).filter") == "none"
    assert pages_of(page.pdf(prefer_css_page_size=True)) == 2
    page.emulate_media(media="screen")
    page.evaluate(
        "window.print = () => (window.printed = document.querySelectorAll('details:not([open])').length)"
    )
    page.locator("#print-all").click()
    until(
        page,
        "window.printed === 0 && document.querySelectorAll('#tables details[open]').length === 0",
    )


@pytest.mark.skipif(
    find_spec("axe_playwright_python") is None, reason="needs axe-core: pip install axe-playwright-python"
)
@pytest.mark.parametrize(
    ("scheme", "width"),
    [pytest.param(*each, marks=pytest.mark.slow) for each in (("dark", 400), ("light", 1200))],
)
def test_axe_finds_no_fault(show, small, scheme, width):
    """With all tables open, and a system marked, in light and wide and in dark and narrow.

    Two rows of each table are looked at, and the marked ones: axe takes milliseconds for every cell.
    """
    axe = Path(find_spec("axe_playwright_python").origin).with_name("axe.min.js")
    page = show(small)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.locator("#search").fill("system-2")
    page.wait_for_selector("tr.marked:nth-child(n+3)")
    page.evaluate(
        "document.querySelectorAll('tbody tr:nth-child(n+3):not(.marked)').forEach(each => each.remove())"
    )
    page.evaluate(axe.read_text(encoding="utf-8"))
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found] == []
