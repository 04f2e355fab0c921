"""`concordant grouped`: large files, batch by batch."""

from __future__ import annotations

import numpy as np
import pytest
from support.program import run

import concordant as cd

pa = pytest.importorskip("pyarrow")
from pyarrow import csv, feather, parquet

ASK = ["--by", "query", "-x", "human", "-y", "model", "-c", "tau_b", "-c", "tau_ap_b"]


@pytest.fixture
def table(tmp_path):
    """Thirty groups in two Parquet files, the sixteenth in both."""
    rng = np.random.default_rng(0)
    found = pa.table(
        {
            "query": np.repeat([f"q{k}" for k in range(30)], 10),
            "human": rng.integers(0, 4, 300),
            "model": rng.random(300),
        }
    )
    (tmp_path / "logs").mkdir()
    parquet.write_table(found.slice(0, 155), tmp_path / "logs" / "1.parquet", row_group_size=7)
    parquet.write_table(found.slice(155), tmp_path / "logs" / "2.parquet", row_group_size=50)
    return found


def expected(table):
    """Return what the library says of the whole table."""
    return cd.grouped(table, by="query", x="human", y="model", coefficients=["tau_b", "tau_ap_b"])


@pytest.mark.parametrize("name", ["out.parquet", "out.arrow", "out.csv"])
def test_the_result_is_that_of_the_whole_table(table, tmp_path, name):
    """In each of the formats, from a pattern and from a folder."""
    read = {"parquet": parquet.read_table, "arrow": feather.read_table, "csv": csv.read_csv}
    for files in ("logs/*.parquet", "logs"):
        result = run("grouped", files, *ASK, "-o", name, cwd=tmp_path)
        assert (result.returncode, result.stderr) == (0, f"concordant: wrote {name}: 30 groups\n")
        assert read[name.partition(".")[2]](tmp_path / name).equals(expected(table))


def test_without_a_file_it_is_csv(table, tmp_path):
    """On standard output, with all digits."""
    result = run("grouped", "logs", *ASK, cwd=tmp_path)
    assert csv.read_csv(pa.BufferReader(result.stdout.encode())).equals(expected(table))


def test_rows_that_are_not_adjacent(table, tmp_path):
    """They are refused with the option that takes them."""
    order = np.random.default_rng(1).permutation(300)
    shuffled = table.take(order)
    parquet.write_table(shuffled, tmp_path / "mixed.parquet")
    refused = run("grouped", "mixed.parquet", *ASK, cwd=tmp_path)
    assert refused.returncode == 2
    assert "are not adjacent; sort the data by query, or give --no-adjacent, which" in refused.stderr
    result = run("grouped", "mixed.parquet", *ASK, "--no-adjacent", "-o", "out.parquet", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert parquet.read_table(tmp_path / "out.parquet").equals(expected(shuffled))


def test_groups_without_a_value_are_told(tmp_path):
    """In one line, and the value is missing."""
    parquet.write_table(pa.table({"q": [1, 1, 2], "a": [1, 2, 3], "b": [2, 1, 3]}), tmp_path / "t.parquet")
    result = run("grouped", "t.parquet", "--by", "q", "-x", "a", "-y", "b", "-c", "tau_b", cwd=tmp_path)
    assert (
        result.stderr == "concordant: tau_b is undefined for 1 of 2 pairs of rankings: fewer than two items\n"
    )
    assert result.stdout.splitlines()[0] == "q,n,tau_b"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--by", "no"], "logs/1.parquet: there is no column 'no'; there are query, human, model"),
        (["-c", "tau_bb"], "there is no coefficient 'tau_bb'; did you mean tau_b"),
        (["-o", "x.docx"], "x.docx: the result is written to .parquet, .arrow, .feather, .csv"),
        (["-o", "logs/1.parquet"], "logs/1.parquet: is one of the inputs"),
        (["--workers", "0"], "--workers must be"),
    ],
)
def test_wrong_use_is_one_sentence(table, tmp_path, options, message):
    """And nothing is written."""
    result = run("grouped", "logs/1.parquet", *ASK, *options, cwd=tmp_path)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]
