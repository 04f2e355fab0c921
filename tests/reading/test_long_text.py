"""Long tables of many rows are read with pyarrow or without, to the same scores."""

import io
import sys

import numpy as np
import pytest

import concordant as cd
from concordant.reading import text_tables as long_text


@pytest.fixture
def table(monkeypatch):
    """A table that is worth a library, with names that need care."""
    monkeypatch.setattr(long_text, "_WORTH_A_LIBRARY", 10)
    rng = np.random.default_rng(0)
    scores = cd.Scores(
        rng.random((2, 30, 5)) * 10.0 ** rng.integers(-30, 30, (2, 30, 5)),
        measures=["AP", "=P(10)"],
        topics=[f"q,{k}" for k in range(30)],
        systems=["a b", 'c"d', "'=e", "f\ng", "héé"],
    )
    from concordant.reading.write_scores import as_text

    return scores, as_text(scores, "long")


@pytest.mark.parametrize("library", [True, False])
def test_pyarrow_gives_the_same_scores(table, library, monkeypatch):
    """To the last bit, and the same as without it."""
    scores, text = table
    used = []
    if library:
        pytest.importorskip("pyarrow")
        read = long_text._coded_by_pyarrow
        monkeypatch.setattr(long_text, "_coded_by_pyarrow", lambda *how: used.append(read(*how)) or used[-1])
    else:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert cd.read_scores(io.StringIO(text)) == scores
    assert len(used) == library
    assert None not in used


@pytest.mark.parametrize("library", [True, False])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic,system,value\n1,a,0.5\n1,b,x1\n", ":3: column 'value': 'x1' is not a number"),
        ("topic,system,value\n1,a,0.5\n1,b\n", ":3: expected 3 columns, found 2"),
        ("topic,system,value\n1,a,0.5\n1,,0.25\n", ":3: the system is empty"),
        ("topic,system,value\n1,a,0.5\n1,a,0.25\n", ":3: system 'a' has two scores for topic '1'"),
        ("topic,system,value\n1,a,0.5\n1,b,inf\n", ":3: column 'value': 'inf' is not finite"),
    ],
)
def test_faults_are_told_with_their_line(library, text, message, monkeypatch):
    """Whether or not pyarrow read the table first."""
    monkeypatch.setattr(long_text, "_WORTH_A_LIBRARY", 10)
    if not library:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(cd.InputError, match=message):
        cd.read_scores(io.StringIO(text))


def test_odd_cells_of_a_long_table_are_read_all_the_same(monkeypatch):
    """By the reader of single cells."""
    monkeypatch.setattr(long_text, "_WORTH_A_LIBRARY", 10)
    found = cd.read_scores(io.StringIO("topic,system,value\n1,a,88.7%\n1,b,81%\n2,a,NA\n2,b,7%\n"))
    assert found.values[0, 0].tolist() == [88.7, 81.0]
    assert np.isnan(found.values[0, 1, 0])


WIDE = {
    "questions in rows": ("question,gpt,llama\nq1,0.5,1\nq2,2,0.25\nq3,1e-2,-3\nq4,0.1,7\n", True),
    "systems in rows": ("model;MMLU;GSM8K\ngpt;0.5;0.7\nllama;0.25;0.5\nqwen;0.125;0.1\n", True),
    "whole numbers": ("item\thuman\tgpt\n1\t3\t4\n2\t1\t1\n3\t5\t5\n", True),
    "percent signs": ("model,a,b\ngpt,50%,0.7\nllama,25%,0.5\nqwen,5%,0.5\n", False),
    "a missing score at the end": ("model,a,b\ngpt,0.5,0.7\nllama,0.25,0.5\nqwen,0.25,\n", False),
    "a late quote": ('model,a,b\ngpt,0.5,0.7\nllama,0.25,0.5\n"q,wen",0.25,0.1\n', False),
    "a late comment": ("model,a,b\ngpt,0.5,0.7\nllama,0.25,0.5\n# end,,\n", False),
    "a late blank line": ("model,a,b\ngpt,0.5,0.7\nllama,0.25,0.5\n\nqwen,1,2\n", False),
    "a late comma": ("model;a;b\ngpt;0.5;0.7\nllama;0.25;0.5\nqwen;x,y;1\n", False),
    "a short line": ("model,a,b\ngpt,0.5,0.7\nllama,0.25,0.5\nqwen,1\n", False),
    "a late infinity": ("model,a,b\ngpt,0.5,0.7\nllama,0.25,0.5\nqwen,inf,1\n", False),
    "no header": ("gpt,0.5\nllama,0.25\nqwen,0.75\n", False),
    "thousands or not": ("model,a,b\ngpt,1.234,0.7\nllama,987,0.5\nqwen,2.345,1\n", False),
}


@pytest.mark.parametrize("kind", WIDE)
def test_a_large_wide_table_is_read_by_a_library_as_without_it(kind, monkeypatch):
    pytest.importorskip("pyarrow")
    content, by_library = WIDE[kind]
    seen = []
    own = long_text._wide_grid

    def watched(*arguments):
        seen.append(own(*arguments))
        return seen[-1]

    def read(size):
        monkeypatch.setattr(long_text, "_WORTH_A_LIBRARY", size)
        try:
            scores = cd.read_scores(io.StringIO(content))
        except cd.ConcordantError as error:
            return str(error)
        return scores.values.tolist(), scores.labels, scores.source, list(map(str, scores.notes))

    monkeypatch.setattr(long_text, "_wide_grid", watched)
    assert repr(read(0)) == repr(read(10**9))
    assert [each is not None for each in seen] == [by_library, False]
