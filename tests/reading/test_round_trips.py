"""Scores written in every format, orientation, separator and decimal sign come back as they were."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import sys
import zipfile

import numpy as np
import pytest
from hypothesis import given, strategies as st
from support import examples

import concordant as cd
from concordant.reading.header_words import is_word, kind_of_column

NAME = st.from_regex(r"[A-Za-z][A-Za-z0-9_.:-]{2,10}", fullmatch=True).filter(
    lambda name: (
        name.lower() not in ("nan", "none", "null", "true", "false", "inf", "infinity", "missing")
        and not is_word(name, "summary")
        and kind_of_column(name) == ""
    )
)
NUMBER = st.floats(-1e6, 1e6).map(lambda value: value + 0.0) | st.integers(-50, 50).map(float)


@st.composite
def tables(draw):
    n_systems, n_topics = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    names = draw(st.lists(NAME, min_size=n_systems, max_size=n_systems, unique_by=str.lower))
    values = draw(st.lists(NUMBER, min_size=n_systems * n_topics, max_size=n_systems * n_topics))
    return names, [f"q{k + 1}" for k in range(n_topics)], np.array(values).reshape(n_topics, n_systems)


def _text(rows, mark, decimal):
    def cell(value):
        text = repr(value) if isinstance(value, float) else value
        return text.replace(".", ",") if isinstance(value, float) and decimal == "," else text

    out = io.StringIO()
    csv.writer(out, delimiter=mark, lineterminator="\n").writerows(
        [[cell(value) for value in row] for row in rows]
    )
    return out.getvalue()


def _columns(names, topics, values):
    return [["topic", *names], *([topic, *row] for topic, row in zip(topics, values.tolist(), strict=True))]


def _rows(names, topics, values):
    return [["model", *topics], *([name, *row] for name, row in zip(names, values.T.tolist(), strict=True))]


def _long(names, topics, values):
    pairs = [(t, s) for t in range(len(topics)) for s in range(len(names))]
    return [["topic", "system", "value"], *([topics[t], names[s], float(values[t, s])] for t, s in pairs)]


@given(table=tables())
@examples(25)
def test_text_in_every_orientation(table):
    names, topics, values = table
    for layout, mark, decimal in itertools.product((_columns, _rows, _long), ",;\t", ".,"):
        text = _text(layout(*table), mark, decimal)
        found = cd.read_scores(io.StringIO(text), decimal=decimal)
        assert list(found.systems) == names
        assert list(found.topics) == topics
        assert np.array_equal(found.values[0], values)
        own = cd.read_scores(io.StringIO(text)) if decimal == "." else found
        assert own == found


@given(table=tables())
@examples(25)
def test_other_formats(table, tmp_path_factory):
    """JSON, parquet, workbooks, lines cut by spaces."""
    names, topics, values = table
    folder = tmp_path_factory.mktemp("formats")
    scores = cd.Scores(values, topics=topics, systems=names, measures=["M1"])
    for ending in ("csv", "tsv", "csv.gz", "jsonl", "parquet"):
        cd.write_scores(scores, folder / f"t.{ending}")
        assert cd.read_scores(folder / f"t.{ending}") == scores
    cd.write_scores(scores, folder / "t.xlsx")  # a workbook holds 16 digits
    found = cd.read_scores(folder / "t.xlsx")
    assert (found.systems, found.topics, found.measures) == (scores.systems, scores.topics, scores.measures)
    np.testing.assert_allclose(found.values, scores.values, rtol=1e-15)
    header, *rows = _long(*table)
    objects = [dict(zip(header, row, strict=True)) | {"measure": "M1"} for row in rows]
    assert cd.read_scores(io.StringIO(json.dumps(objects))) == scores
    lines = {
        "tot": [f"{s} M1 {t} {v!r}" for t, s, v in rows],
        "ir_measures4": [f"{s} {t} M1 {v!r}" for t, s, v in rows],
        "ranking": [f"{t} Q0 {s} 1 {v!r} M1" for t, s, v in rows],
    }
    for format, content in lines.items():
        assert cd.read_scores(io.StringIO("\n".join(content) + "\n"), format=format) == scores


def test_workbooks(tmp_path):
    """xlsx, by hand of another library; a sheet has to be named if several hold something."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        ["Model", "MMLU", "Votes", "License"],
        ["gpt", 0.8125, 120, "MIT"],
        ["llama", None, 90, "GPL"],
    ):
        sheet.append(row)
    book.create_sheet("empty")
    book.save(tmp_path / "board.xlsx")
    found = cd.read_scores(tmp_path / "board.xlsx")
    assert (found.systems, found.measures) == (("gpt", "llama"), ("MMLU",))
    assert found.values[0, 0, 0] == 0.8125
    assert math.isnan(found.values[0, 0, 1])
    book["empty"].append(["about this table"])
    book.save(tmp_path / "two.xlsx")
    with_text = cd.read_scores(tmp_path / "two.xlsx")
    assert with_text.systems == ("gpt", "llama")
    assert "sheet Sheet, the only one with numbers" in with_text.source.remarks
    book["empty"].append(["version", 2])
    book.save(tmp_path / "two.xlsx")
    with pytest.raises(cd.InputError, match="has several sheets: Sheet, empty; say which with sheet='Sheet'"):
        cd.read_scores(tmp_path / "two.xlsx")
    assert cd.read_scores(tmp_path / "two.xlsx", sheet="Sheet") == found
    book["Sheet"].append(["phi", "=B2*2", 3, "MIT"])  # nobody has computed it
    book.remove(book["empty"])
    book.save(tmp_path / "formula.xlsx")
    found = cd.read_scores(tmp_path / "formula.xlsx")
    assert math.isnan(found.values[0, 0, 2])
    assert "formulas have no values until a spreadsheet program saves the workbook" in str(found.notes[0])
    (tmp_path / "broken.xlsx").write_bytes(b"PK\x03\x04 nonsense")
    with pytest.raises(cd.InputError, match="is a workbook that cannot be read"):
        cd.read_scores(tmp_path / "broken.xlsx")


def test_a_workbook_of_libreoffice(tmp_path):
    """ods: the same table as OpenDocument, with a number, a percentage, an empty cell and a text."""

    def cell(value):
        if value is None:
            return "<table:table-cell/>"
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'

    rows = [
        ["Model", "MMLU", "License"],
        ["gpt", 0.8125, "MIT"],
        ["llama", None, "GPL"],
        ["phi", 0.25, "MIT"],
    ]
    inside = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0"?><office:document-content {spaces}><office:body><office:spreadsheet>'
        f'<table:table table:name="Sheet1">{inside}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<?xml version="1.0"?><m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<m:file-entry m:full-path="/" m:media-type="{kind}"/></m:manifest>'
    )
    with zipfile.ZipFile(tmp_path / "board.ods", "w") as packed:
        packed.writestr("mimetype", kind)
        packed.writestr("META-INF/manifest.xml", manifest)
        packed.writestr("content.xml", content)
    found = cd.read_scores(tmp_path / "board.ods")
    assert (found.systems, found.measures) == (("gpt", "llama", "phi"), ("MMLU",))
    assert found.values[0, 0, [0, 2]].tolist() == [0.8125, 0.25]
    assert math.isnan(found.values[0, 0, 1])


def test_a_workbook_is_called_one_where_it_cannot_be_read(tmp_path, monkeypatch):
    """Without the library that reads it."""
    (tmp_path / "board.xlsx").write_bytes(b"PK\x03\x04")
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(
        cd.MissingLibraryError, match=r"board.xlsx is a workbook .* pip install 'concordant\[sheets\]'"
    ):
        cd.read_scores(tmp_path / "board.xlsx")


def test_a_folder_is_read_as_one_table(tmp_path):
    for system, value in (("a", 0.5), ("b", 0.25)):
        (tmp_path / f"{system}.txt").write_text(
            f"map\t1\t{value}\nmap\t2\t{value}\nrunid\tall\t{system}\nmap\tall\t{value}\n"
        )
    found = cd.read_scores(tmp_path)
    assert (found.systems, found.topics, found.measures) == (("a", "b"), ("1", "2"), ("map",))
    assert str(found.notes[0]) == "2 files, a.txt to b.txt: output of trec_eval: 2 systems, 2 topics"


def test_two_files_decide_together(tmp_path):
    """A table that may be read in two ways is read so that it has systems in common with the other."""
    (tmp_path / "a.csv").write_text("x,bm25,rm3\ncats,0.1,0.2\ndogs,0.4,0.3\n")
    (tmp_path / "b.csv").write_text("model,score\nbm25,0.3\nrm3,0.2\n")
    (tmp_path / "c.csv").write_text("y,bm25,rm3\nbirds,0.1,0.2\nfish,0.4,0.3\n")
    from concordant.reading.read_scores import ReadOptions, read_tables

    def read(*names):
        return read_tables(
            {name: tmp_path / f"{name}.csv" for name in names}, dict.fromkeys(names, ReadOptions())
        )

    assert read("a", "b")["a"].systems == ("bm25", "rm3")
    both = read("a", "c")
    assert both["a"].systems == both["c"].systems == ("bm25", "rm3")
    with pytest.raises(cd.InputError, match="a.csv: the systems may be in rows".replace(".", "[.]")):
        cd.read_scores(tmp_path / "a.csv")
    frames = pytest.importorskip("pandas")
    a, c = (frames.read_csv(tmp_path / f"{name}.csv") for name in "ac")
    assert cd.Study(a, {"c": c}).systems == ("bm25", "rm3")
    with pytest.raises(cd.ArgumentError, match="the systems may be in rows"):
        cd.Study(a, {"a2": a})
