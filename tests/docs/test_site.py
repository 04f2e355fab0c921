"""The site in a real browser, as a reader sees it. `make docs-test` builds it first."""

from __future__ import annotations

import re
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

import pytest

import concordant as cd
from concordant.cli.program import all_commands

playwright = pytest.importorskip(
    "playwright.sync_api", reason="the browser is driven by playwright: pip install playwright"
)
SITE = Path(__file__).parent.parent.parent / "docs" / "_build" / "html"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.docs,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt install chromium"),
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="the site is not built: make docs"),
]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
# One of each kind.
KINDS = [
    "index",
    "start",
    "which",
    "gallery/index",
    "playground",
    "concordant-playground",
    "guides/index",
    "guides/r",
    "guides/csv",
    "guides/intervals",
    "guides/judges",
    "guides/leaderboards",
    "guides/lists",
    "guides/measures",
    "guides/planning",
    "reference/index",
    "reference/api/index",
    "reference/coefficients/index",
    "reference/coefficients/tau_ap_a",
    "reference/api/judge",
    "reference/api/results.Agreement",
    "reference/commands/judge",
    "speed",
    "citing",
]


DOCS = SITE.parent.parent
WRITTEN = sorted(
    path.relative_to(DOCS).with_suffix("").as_posix()
    for pattern in ("*.md", "[!_]*/*.md", "background/papers/*.md")
    for path in DOCS.glob(pattern)
)


@pytest.fixture(scope="session")
def browser():
    """Chromium without a window."""
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and prints nothing."""

    def log_message(self, *_):
        """Print nothing."""


@pytest.fixture(scope="session")
def address():
    """The address of the site, served from this computer."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def show(browser, address):
    """Give a function that opens a page; at the end nothing was missing, wrong, or asked of the network."""
    faults, opened = [], []

    def show(name, **how):
        page = browser.new_page(**({"viewport": {"width": 1200, "height": 900}} | how))
        page.on("console", lambda said: said.type in ("error", "warning") and faults.append(said.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("response", lambda got: got.status >= 400 and faults.append(f"{got.status} {got.url}"))
        page.on(
            "request",
            lambda asked: asked.url.startswith((address, "data:", "blob:")) or faults.append(asked.url),
        )
        page.goto(f"{address}/{name}", wait_until="networkidle")
        opened.append(page)
        return page

    yield show
    for page in opened:
        page.close()
    assert faults == []


def test_search_finds_a_coefficient(show):
    """Searching for rbo lists its page first among the pages of the reference, with a link that works."""
    page = show("search.html?q=rbo")
    page.wait_for_selector("#search-results li a")
    links = page.locator("#search-results li a").evaluate_all(
        "all => all.map(each => each.getAttribute('href'))"
    )
    assert any("reference/coefficients/rbo.html" in link for link in links[:5]), links
    page.locator("#search-results li a[href*='reference/coefficients/rbo.html']").first.click()
    page.wait_for_load_state("networkidle")
    assert page.locator("h1").inner_text().startswith("rbo")


# What people type, and the pages that must come first, in this order.
SEARCHED = {
    "weighted kappa": ["guides/judges"],
    "p-value": ["background/inference"],
    "LLM judge": ["guides/judges"],
    "Kendall": ["reference/coefficients/tau_b"],
    "csv": ["guides/csv", "reference/files"],
    "ties": ["which"],
    "install": ["start"],
    "tau_ap_e": ["reference/coefficients/tau_ap_e"],
    "confidence interval": ["guides/intervals"],
    "lower is better": ["reference/files"],
    "scikit-learn": ["guides/sklearn"],
}


@pytest.mark.parametrize("words", SEARCHED)
def test_search_finds_first_what_is_meant(show, words):
    """Typed into the field of any page, as a reader does; the keyboard opens it."""
    page = show("guides/csv.html")
    page.keyboard.press("Control+k")
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    page.wait_for_selector("#search-results li a")
    found = page.locator("#search-results li a").evaluate_all(
        "all => all.map(each => each.getAttribute('href').replace(/\\.html.*/, ''))"
    )
    first = list(dict.fromkeys(found))
    assert first[: len(SEARCHED[words])] == SEARCHED[words], first[:5]


@pytest.mark.parametrize("name", cd.REGISTRY)
def test_formulas_are_rendered(show, name):
    """Every formula becomes MathJax output that takes up room, and none has an error in it."""
    page = show(f"reference/coefficients/{name}.html")
    page.wait_for_selector("div.math mjx-container")
    assert page.locator(".math").count() == page.locator(".math mjx-container").count()
    assert page.locator("mjx-merror, .math:text('$')").count() == 0
    box = page.locator("div.math mjx-container").first.bounding_box()
    assert box["width"] > 60
    assert box["height"] > 15


@pytest.mark.parametrize(
    ("name", "scheme", "width"),
    [
        *((name, *(("light", 1200), ("dark", 400))[k % 2]) for k, name in enumerate(KINDS)),
        ("index", "dark", 400),
        ("start", "light", 1200),
        ("start", "dark", 400),
    ],
)
def test_axe_finds_no_serious_fault(show, name, scheme, width):
    """Neither on a wide screen nor on a phone, neither light nor dark; kinds of pages take turns."""
    if find_spec("axe_playwright_python") is None:
        pytest.skip("needs axe-core: pip install axe-playwright-python")
    axe = Path(find_spec("axe_playwright_python").origin).with_name("axe.min.js")
    page = show(f"{name}.html", color_scheme=scheme, viewport={"width": width, "height": 900})
    page.evaluate(axe.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run({preload: false})")["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in serious] == []


@pytest.mark.parametrize("name", sorted({*WRITTEN, *KINDS, "reference/coefficients/tau_h_ac"}))
def test_nothing_scrolls_sideways_on_a_phone(show, name):
    """At 400 pixels the page is as wide as the screen; wide tables and formulas scroll by themselves."""
    page = show(f"{name}.html", viewport={"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    beyond = page.evaluate(
        """() => [...document.querySelectorAll('.bd-article *')].filter(each => {
            const box = each.getBoundingClientRect();
            if (box.right <= 401 || box.width === 0) return false;
            for (let above = each.parentElement; above; above = above.parentElement)
                if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(above).overflowX)) return false;
            return true;
        }).map(each => each.outerHTML.slice(0, 80))"""
    )
    assert beyond == []


def test_every_name_is_described_somewhere():
    """Each public name, and each command, is a heading or a definition in the pages that were built."""
    defined = set()
    for path in (SITE / "reference").rglob("*.html"):
        defined |= set(re.findall(r'id="(concordant\.[\w.]+)"', path.read_text(encoding="utf-8")))
    assert (
        not {f"concordant.{name}" for name in cd.__all__ if name not in ("experiments", "results")} - defined
    )
    for name in all_commands():
        page = SITE / f"reference/commands/{name.replace(' ', '-')}.html"
        assert f"concordant {name}<" in page.read_text(encoding="utf-8")


def test_nothing_is_loaded_from_elsewhere():
    """No page names a script, a style or a picture of another server."""
    pattern = re.compile(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=\"(?:https?:)?//[^\"]+\"[^>]*>")
    for path in SITE.rglob("*.html"):
        found = [
            tag for tag in pattern.findall(path.read_text(encoding="utf-8")) if 'rel="canonical"' not in tag
        ]
        assert found == [], path
