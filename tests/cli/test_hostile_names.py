"""Names that a terminal, a spreadsheet, Markdown, LaTeX or HTML would obey."""

import csv
import io
import json
import re
import unicodedata
import zipfile

import numpy as np
import pytest
from hypothesis import given, strategies as st
from markdown_it import MarkdownIt
from support import examples
from support.commands import COMMANDS, write_collection
from support.hostile import HOSTILE
from support.program import run

import concordant as cd
from concordant.cli.program import all_commands


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Two tables whose systems have these names, and an estimate with such a name."""
    folder = tmp_path_factory.mktemp("hostile")
    rng = np.random.default_rng(0)
    values = rng.normal(np.arange(len(HOSTILE)), 0.1, (12, len(HOSTILE)))
    for name, each in (("reference", values), ("\x1b[31mjudge<b>", np.roll(values, 1, axis=1))):
        scores = cd.Scores(each, systems=HOSTILE, topics=range(12))
        cd.write_scores(scores, folder / f"{name}.csv")
    return folder


def _controls(text):
    return {
        c for c in set(text) if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    }


def _command(kind):
    names = ["reference.csv", "\x1b[31mjudge<b>.csv"]
    if kind == "judge":
        return ["judge", "--reference", names[0], "--judge", names[1], "--n-resamples", "99"]
    return [kind, *names, *(["--n-resamples", "99"] if kind == "correlate" else [])]


# Controls but for ends of lines, separators of lines, and what turns the direction of writing.
OBEYED = {*map(chr, (*range(32), *range(0x7F, 0xA0))), *"\u2028\u2029\u202a\u202b\u202c\u202d\u202e"}
OBEYED = OBEYED.union("\u2066\u2067\u2068\u2069") - {"\n"}
ABOUT_NOTHING = ("coefficients list", "coefficients axioms")
DRAWN_LIKE_OTHERS = ("experiment swap", "experiment pool", "experiment grades")
OF_RESULTS = ("txt", "csv", "json", "md", "tex", "xlsx", "html")
JUDGE, COLUMN = "\x1b[31m=judge<b>\x9b\u202e", "=\x1b[2J\u2066column"


def _texts(path):
    """Return the text of a file; of a workbook, its parts."""
    if path.suffix != ".xlsx":
        return path.read_bytes().decode()
    with zipfile.ZipFile(path) as book:
        return "".join(book.read(name).decode().replace("\r\n", "\n") for name in book.namelist())


@pytest.mark.usefixtures("small_demo")
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in DRAWN_LIKE_OTHERS else [])
        for name in COMMANDS
        if name not in ABOUT_NOTHING
    ],
)
def test_no_command_lets_a_control_character_through(tmp_path, command):
    """Of systems, topics, groups, judges, measures, columns, files and folders; to no stream or format."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    words = write_collection(here, HOSTILE, JUDGE, COLUMN)[command]
    endings = {"grouped": ["csv"], "evaluate": ["csv", "tsv", "jsonl", "xlsx"]}.get(command)
    options = {option for each in all_commands()[command].params for option in each.opts}
    each = [["-o", there / f"x.{ending}"] for ending in endings or OF_RESULTS]
    each += [["--plot", there / "x.svg"]] if "--plot" in options else []
    whole = ["-o", "-", *(word for pair in each for word in pair)]
    ended = [run(*words, *how, cwd=here, columns=80) for how in ([[], *each] if endings else [whole])]
    assert {result.returncode for result in ended} == {0}, ended
    painted = re.compile(r"\x1b\[(?:0|1|2|32|33)m")  # by the program; no name has one of these
    shown = {path.name: _texts(path) for path in there.iterdir()}
    shown["streams"] = "".join(painted.sub("", result.stdout) + result.stderr for result in ended)
    shown["x.tsv"] = shown.get("x.tsv", "").replace("\t", "")
    assert {name: found for name, text in shown.items() if (found := OBEYED & set(text))} == {}
    assert not [name for name, text in shown.items() if "two\nlines" in text]
    for row in csv.reader(io.StringIO(shown.get("x.csv", ""))):
        assert not [cell for cell in row if cell[:1] in ("=", "+", "-", "@", "＝") and not _is_number(cell)]


def _is_number(cell):
    try:
        return bool(float(cell)) or True
    except ValueError:
        return False


def test_json_gives_the_names_back(tables):
    """Escapes are those of JSON."""
    result = run(*_command("judge"), "--format", "json", cwd=tables)
    found = json.loads(result.stdout)
    assert {row["estimate"] for row in found["tables"]["agreement"]} == {"\x1b[31mjudge<b>"}
    assert {row["system"] for row in found["tables"]["systems"]} == set(HOSTILE)


def test_csv_of_a_result_has_no_formula(tables):
    """One quote before it, by a rule that the documents give."""
    result = run(*_command("judge"), "--format", "csv", "--table", "systems", cwd=tables)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    names = {row["system"] for row in rows}
    assert not {name for name in names if name[:1] in "=+-@\t\r"}
    assert {"'=cmd|' /C calc'!A0", "'+1+1", "'-2", "''=quoted", r"'\two\nlines"} <= names


def test_markdown_shows_names_and_nothing_else(tables):
    """Rendered, there is no tag but those of the table, and no link."""
    result = run(*_command("judge"), "--format", "markdown", "--table", "systems", cwd=tables)
    html = MarkdownIt("commonmark").enable("table").render(result.stdout)
    for harm in ("<script", "<img", "<a ", "<code", "<strong", "<em"):
        assert harm not in html
    tokens = MarkdownIt("commonmark").enable("table").parse(result.stdout)
    rows = sum(token.type == "tr_open" for token in tokens)
    cells = sum(token.type in ("td_open", "th_open") for token in tokens)
    header = sum(token.type == "th_open" for token in tokens)
    assert cells == rows * header
    shown = [token.content for token in tokens if token.type == "inline"]
    for name in ("<script>alert(1)</script>", "[click](javascript:alert(1))", "`code` *bold* | cell"):
        plain = [MarkdownIt("commonmark").renderInline(text) for text in shown]
        escaped = name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        assert escaped in plain


def test_latex_has_no_command_of_a_name(tables):
    result = run(*_command("judge"), "--format", "latex", "--table", "systems", cwd=tables)
    assert r"\input{" not in result.stdout
    assert r"\$\textbackslash{}input\{/etc/passwd\}\$ \%" in result.stdout


def test_notebooks_show_names_as_text(tables):
    reference = cd.read_scores(tables / "reference.csv")
    result = cd.judge(
        reference,
        {"<b>j</b>": cd.read_scores(tables / "\x1b[31mjudge<b>.csv")},
        resampling=cd.Resampling(n_resamples=99),
    )
    html = result._repr_html_()
    assert "<script>" not in html
    assert "<b>j</b>" not in html
    assert "<img" not in html
    assert _controls(html) == set()


def test_messages_show_names_as_escapes(tables, refused):
    """Of files, systems and coefficients."""
    refused(
        run("correlate", "reference.csv", "no\x1b2Jsuch.csv", cwd=tables), r"no\x1b2Jsuch.csv: no such file"
    )
    refused(
        run("correlate", "reference.csv", "reference.csv\n", cwd=tables), r"reference.csv\n: no such file"
    )
    refused(run("list\x1b[2J"), r"list\x1b[2J")
    with pytest.raises(cd.ArgumentError) as caught:
        cd.tau_b({"a\x1b[2J": 1, "b": 2}, {"a": 1, "b": 2})
    assert _controls(str(caught.value)) == set()


NAMES = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=12
).filter(lambda name: name.strip() == name and name.lower() not in ("all", "nan"))


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
@given(names=st.lists(NAMES, min_size=2, max_size=5, unique=True))
@examples(60)
def test_names_come_back_from_every_format(ending, names, tmp_path_factory):
    """Also those with a quote before a formula."""
    path = tmp_path_factory.mktemp("names") / f"t.{ending}"
    scores = cd.Scores(
        np.arange(2.0 * len(names)).reshape(2, -1), systems=names, topics=["1", "2"], measures=["m"]
    )
    cd.write_scores(scores, path, format="long" if ending in ("csv", "tsv") else None)
    assert list(cd.read_scores(path).systems) == names


def test_a_page_of_one_table_holds_names_as_text(tables):
    """No name opens a tag or makes a link; the only scripts are those of the page."""
    from html.parser import HTMLParser

    page = run(*_command("judge"), "--format", "html", "--table", "systems", cwd=tables).stdout
    tags = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            tags.append(tag)
            assert not any(name.startswith("on") or name == "src" for name, _ in attributes), attributes
            assert all(value.startswith("#") for name, value in attributes if name == "href")

    Reader().feed(page)
    assert not {"img", "b", "iframe"} & set(tags)
    assert tags.count("script") == 3  # two hold data


def test_a_workbook_holds_names_as_text(tables, tmp_path):
    """Not as formulas or links; control characters are escapes."""
    import openpyxl

    target = tmp_path / "x.xlsx"
    assert run(*_command("explain"), "--most", "40", "-o", target, cwd=tables).returncode == 0
    book = openpyxl.load_workbook(target)
    cells = [cell for sheet in book for row in sheet for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} <= {"s", "n", "b"}
    assert not any(cell.hyperlink for cell in cells)
    texts = {cell.value for cell in cells if cell.data_type == "s"}
    assert {"-2", "+1+1", "@SUM(A1)"} <= texts
    assert _controls("".join(texts)) == set()
