"""One rule for cells in every format; links as names; cells with two scores; Markdown and Arrow."""

from __future__ import annotations

import io
import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet
from support.program import run

import concordant as cd

ROWS = [("a", "q1"), ("a", "q2"), ("b", "q1"), ("b", "q2")]


def _jsonl(columns):
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return "\n".join(map(json.dumps, rows)).encode()


def _packed(write, columns):
    file = io.BytesIO()
    write(pa.table(columns), file)
    return file.getvalue()


def _markdown(columns):
    rows = [list(columns), ["---"] * len(columns), *zip(*columns.values(), strict=True)]
    return "\n".join("|" + "|".join("" if c is None else str(c) for c in row) + "|" for row in rows).encode()


def _workbook(columns):
    file = io.BytesIO()
    pd.DataFrame(columns).to_excel(file, index=False)
    return file.getvalue()


FORMATS = {
    "csv": lambda columns: pd.DataFrame(columns).to_csv(index=False).encode(),
    "jsonl": _jsonl,
    "json": lambda columns: pd.DataFrame(columns).to_json(orient="records").encode(),
    "split": lambda columns: pd.DataFrame(columns).to_json(orient="split").encode(),
    "parquet": lambda columns: _packed(parquet.write_table, columns),
    "arrow": lambda columns: _packed(feather.write_feather, columns),
    "arrow, packed": lambda columns: _packed(lambda t, f: feather.write_feather(t, f, "zstd"), columns),
    "markdown": _markdown,
    "workbook": _workbook,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
}
CELLS = {
    "booleans": ([True, False, True, True], [1, 0, 1, 1]),
    "a missing boolean": ([True, None, False, True], [1, math.nan, 0, 1]),
    "whole numbers as text": (["71", "80", "3", "0"], [71, 80, 3, 0]),
    "numbers as text": (["0.71", "0.5", "1e-2", "-3"], [0.71, 0.5, 0.01, -3]),
    "percent": (["71 %", "80.5%", "3%", "0 %"], [71, 80.5, 3, 0]),
    "spread": (["12.3 \u00b1 0.4", "1 (0.2)", "2", "3"], [12.3, 1, 2, 3]),
    "words for missing": (["0.5", "N/A", "-", "0.25"], [0.5, math.nan, math.nan, 0.25]),
    "decimal commas": (["0,5", "1,25", "2,0", "3,75"], [0.5, 1.25, 2, 3.75]),
    "numbers": ([0.5, 1.5, -2.0, 3.25], [0.5, 1.5, -2, 3.25]),
    "missing numbers": ([0.5, None, 0.75, 1.0], [0.5, math.nan, 0.75, 1]),
}


def read(tmp_path, format, columns):
    made = FORMATS[format](columns)
    if not isinstance(made, bytes):
        return cd.read_scores(made)
    (tmp_path / "times").write_bytes(made)
    return cd.read_scores(tmp_path / "times")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("cells", CELLS)
def test_cells_are_read_alike_and_a_single_column_keeps_its_name(cells, format, tmp_path):
    """Booleans were left out once, and the column beside them was the score, under the name of the file."""
    written, expected = CELLS[cells]
    long = {"model": [s for s, _ in ROWS], "qid": [t for _, t in ROWS], "correct": written}
    found = read(tmp_path, format, long)
    assert (found.measures, found.topics, found.systems) == (("correct",), ("q1", "q2"), ("a", "b"))
    assert np.array_equal(found.values[0].T.ravel(), expected, equal_nan=True)
    both = read(tmp_path, format, long | {"seconds": [1, 2, 0, 4]})
    assert (both.measures, both.source.left_out) == (("correct",), ("seconds",))
    assert np.array_equal(both.values[0], found.values[0], equal_nan=True)


@pytest.mark.parametrize("format", FORMATS)
def test_a_column_called_score_has_no_name(format, tmp_path):
    long = {"model": [s for s, _ in ROWS], "qid": [t for _, t in ROWS], "score": [1.0, 2.0, 3.0, 4.0]}
    found = read(tmp_path, format, long)
    assert not found.source.named
    assert found.measures == (("score",) if format in ("pandas", "polars") else ("times",))


@pytest.mark.parametrize("format", FORMATS)
def test_a_word_among_numbers_is_refused_with_its_row(format, tmp_path):
    columns = {"model": ["x", "y", "z"], "F1": ["0.5", "good", "1"]}
    with pytest.raises(cd.ConcordantError, match=r"column 'F1': (row 1: )?'good' is not a number"):
        read(tmp_path, format, columns)


@pytest.mark.parametrize("format", FORMATS)
def test_cells_with_two_scores_are_told(format, tmp_path):
    columns = {"model": ["x", "y"], "URL": ["https://x", "https://y"], "MNLI": ["94.2/92.3", "91 / 90.1"]}
    columns |= {"CoLA": [60.5, 50.5]}
    found = read(tmp_path, format, columns)
    assert (found.measures, found.source.left_out) == (("CoLA",), ("URL", "MNLI"))
    assert found.source.remarks == (
        "MNLI was left out: '94.2/92.3' holds two scores; make two columns of it",
    )
    with pytest.raises(
        cd.ConcordantError, match=r"column 'MNLI': .*'5/4' (is not a number|holds two scores)"
    ):
        read(tmp_path, format, {"model": ["x", "y"], "MNLI": ["5/4", "3"]})


def test_two_scores_that_are_asked_for_are_refused(tmp_path):
    (tmp_path / "t.csv").write_text("model,MNLI,x\na,1/2,3\nb,3/4,5\n")
    with pytest.raises(cd.InputError, match=r"t.csv:2: column 'MNLI': '1/2' holds two scores; make two"):
        cd.read_scores(tmp_path / "t.csv", columns={"value": "MNLI"})


@pytest.mark.parametrize("format", FORMATS)
def test_links_are_names(format, tmp_path):
    page = '<a target="_blank" href="https://x/y" style="color: red">org/m-1</a>  <a href="https://z">\U0001f4d1</a>'
    names = [page, "[GPT-4](https://x) (0613)", "plain [v2]"]
    found = read(tmp_path, format, {"model": names, "F1": [1.5, 2.5, 3.5]})
    assert found.systems == ("org/m-1", "GPT-4 (0613)", "plain [v2]")
    long = {"model": [name for name in names for _ in "12"], "qid": ["1", "2"] * 3, "value": [0.5] * 6}
    assert read(tmp_path, format, long).systems == found.systems


MARKDOWN = """# Results

| Model | **MMLU** | `F1` | note |
|:------|:--------:|-----:|------|
| **[gpt\\_4](https://x)** | __0.8__ | 71 % | a \\| b |
| llama<sup>2</sup> | [0.5](y) | 60 % | |

More text.
"""


def test_a_table_of_markdown(tmp_path):
    path = tmp_path / "board.md"
    path.write_text(MARKDOWN)
    found = cd.read_scores(path)
    assert (found.systems, found.measures) == (("gpt_4", "llama2"), ("MMLU", "F1"))
    assert found.values[:, 0].tolist() == [[0.8, 0.5], [71, 60]]
    assert found.source.left_out == ("note",)
    assert "the text around the table was left out" in found.source.remarks
    bare = "Model | F1\n--- | ---\nx | 1\ny | 2\n"
    assert cd.read_scores(io.StringIO(bare)).values.tolist() == [[[1, 2]]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            MARKDOWN + MARKDOWN,
            "holds 2 tables, in lines 3, 11; keep one, with a line such as",
        ),
        ("| a | b |\n|---|---|\n", "has a header and no rows"),
        (
            "| model | F1 |\n|---|---|\n| x | 1 |\n| y | 2 | 3 |\n",
            ":4: expected 2 columns, found 3: 'y,2,3'",
        ),
        ("| model | F1 |\n|---|---|\n| x | 1 |\n| y | good |\n", ":4: column 'F1': 'good' is not a number"),
    ],
)
def test_broken_tables_of_markdown(text, sentence, tmp_path):
    (tmp_path / "t.md").write_text(text)
    with pytest.raises(cd.InputError) as error:
        cd.read_scores(tmp_path / "t.md", format="markdown")
    assert sentence in str(error.value)


def test_broken_files_of_arrow(tmp_path):
    good = FORMATS["arrow"]({"model": ["x", "y"], "F1": [1.0, 2.0]})
    for data, sentence in (
        (good[:40], "t.arrow: is not an Arrow file that can be read"),
        (
            _packed(feather.write_feather, pa.table({"model": pa.array([], "str"), "x": pa.array([], "f8")})),
            "no rows",
        ),
    ):
        (tmp_path / "t.arrow").write_bytes(data)
        with pytest.raises(cd.InputError, match=sentence):
            cd.read_scores(tmp_path / "t.arrow")


def test_an_index_of_pandas_is_read_from_arrow(tmp_path):
    frame = pd.DataFrame({"AP": [0.5, 0.25], "more": [[1], [2]]}, index=pd.Index(["x", "y"], name="model"))
    feather.write_feather(pa.Table.from_pandas(frame), tmp_path / "t.feather")
    found = cd.read_scores(tmp_path / "t.feather")
    assert (found.systems, found.measures) == (("x", "y"), ("AP",))
    assert found.source.remarks == ("nested columns were left out: more",)


def test_the_command_takes_the_answers_and_not_the_seconds(tmp_path):
    """Model a is right twice, b once, c never, as the ratings say; the slowest is the best."""
    rows = [
        {"model": m, "question_id": q, "correct": q < right, "seconds": right + q / 4}
        for m, right in (("a", 2), ("b", 1), ("c", 0))
        for q in range(2)
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "human.csv").write_text("model,correct\na,3\nb,2\nc,1\n")
    how = ["-c", "tau_b", "--no-interval", "--format", "json"]
    found = json.loads(run("correlate", "human.csv", "answers.jsonl", *how, cwd=tmp_path).stdout)
    rows = found["tables"]["agreement"]
    assert [(row["estimate_measure"], row["value"]) for row in rows] == [("correct", 1)]
