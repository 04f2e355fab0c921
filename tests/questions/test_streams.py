"""`grouped` of a stream of Arrow batches: the same as of the whole table, in the memory of a batch."""

from __future__ import annotations

import itertools
import subprocess
import sys
import warnings

import numpy as np
import pytest

import concordant as cd

pa = pytest.importorskip("pyarrow")
pytest.importorskip("narwhals")
from pyarrow import csv, feather, parquet

ASK = {"by": "query", "x": "human", "y": "model", "coefficients": ["tau_b", "tau_ap_b"]}


def table_of(sizes, seed=0):
    """Return a table with groups of some sizes, one after the other."""
    rng = np.random.default_rng(seed)
    names = np.repeat([f"q{k}" for k in range(len(sizes))], sizes)
    n = len(names)
    return pa.table({"query": names, "human": rng.integers(0, 4, n), "model": rng.random(n), "other": names})


def same(found, expected):
    """Compare two tables; nan is equal to nan."""
    assert found.schema.equals(expected.schema)
    for name in found.column_names:
        np.testing.assert_array_equal(found[name].to_numpy(), expected[name].to_numpy())
    return True


def stream_of(table, cuts):
    """Return a reader of batches that end at the cuts."""
    ends = [0, *sorted(cuts), len(table)]
    batches = [
        batch
        for start, end in itertools.pairwise(ends)
        for batch in table.slice(start, end - start).combine_chunks().to_batches()
        or [pa.RecordBatch.from_pylist([], schema=table.schema)]
    ]
    return pa.RecordBatchReader.from_batches(table.schema, batches)


@pytest.mark.parametrize("seed", range(12))
def test_the_cuts_between_batches_do_not_matter(seed):
    """Groups are carried across the borders of batches, also through several batches and empty ones."""
    rng = np.random.default_rng(seed)
    table = table_of(rng.integers(1, 12, 9).tolist(), seed)
    cuts = rng.integers(0, len(table) + 1, int(rng.integers(0, 25))).tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert same(cd.grouped(stream_of(table, cuts), **ASK), cd.grouped(table, **ASK))


def test_a_group_may_be_longer_than_many_batches():
    """One group in a hundred batches."""
    table = table_of([200])
    assert same(cd.grouped(stream_of(table, range(0, 200, 2)), **ASK), cd.grouped(table, **ASK))


def test_several_columns_make_a_group():
    """A group ends where any of them changes."""
    table = table_of([10, 10]).append_column("half", pa.array([k // 5 for k in range(20)]))
    ask = ASK | {"by": ["query", "half"]}
    found = cd.grouped(stream_of(table, [3, 7, 12]), **ask)
    assert same(found, cd.grouped(table, **ask))
    assert found.num_rows == 4


@pytest.mark.parametrize("cuts", [[4], [2, 8, 11]], ids=str)
def test_a_group_that_comes_again_is_refused(cuts):
    """The message names it and both ways out; within a batch its rows are found wherever they are."""
    table = pa.concat_tables([table_of([5, 5]), table_of([5])])
    message = (
        r"^grouped: the rows of group 'q0' are not adjacent; sort the data by query, or give adjacent=False, "
        "which sorts it in DuckDB"
    )
    with pytest.raises(cd.ArgumentError, match=message):
        cd.grouped(stream_of(table, cuts), **ASK)


def test_groups_of_a_long_stream_that_come_again_are_noticed_early():
    """Thousands of groups are checked before the stream ends."""
    rng = np.random.default_rng(1)
    read = 0

    def batches():
        nonlocal read
        for _ in range(100):
            read += 1
            names = np.repeat(np.arange(2000), 3)
            yield pa.record_batch({"query": names, "human": rng.random(6000), "model": rng.random(6000)})

    with pytest.raises(cd.ArgumentError, match="not adjacent"):
        cd.grouped(batches(), **ASK)
    assert read < 10


@pytest.mark.parametrize("seed", range(4))
def test_groups_that_are_not_adjacent_are_sorted_by_duckdb(seed, tmp_path, monkeypatch):
    """The answer is that of the whole table, in the order in which groups are first seen; no file is left."""
    pytest.importorskip("duckdb")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    rng = np.random.default_rng(seed)
    table = table_of(rng.integers(2, 12, 40).tolist(), seed)
    table = table.take(rng.permutation(len(table)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = cd.grouped(stream_of(table, [10, 50, 51, 120]), **ASK, adjacent=False)
        assert same(found, cd.grouped(table, **ASK))
    assert list(tmp_path.iterdir()) == []


def test_zero_and_minus_zero_are_one_group():
    """As they are equal."""
    table = pa.table({"query": [0.0, -0.0, 0.0], "human": [1, 2, 3], "model": [1, 2, 3]})
    for adjacent in (True, False):
        assert cd.grouped(stream_of(table, [1, 2]), **ASK, adjacent=adjacent)["n"].to_pylist() == [3]


def test_an_empty_stream_has_no_groups():
    """The answer has its columns."""
    for adjacent in (True, False):
        found = cd.grouped(stream_of(table_of([]), []), **ASK, adjacent=adjacent)
        assert found.column_names == ["query", "n", "tau_b", "tau_ap_b"]
        assert found.num_rows == 0
    with pytest.raises(cd.ArgumentError, match="the stream holds no batch"):
        cd.grouped(iter([]), **ASK)


def test_an_iterator_of_batches_is_a_stream():
    """As a function of Spark's mapInArrow gets it."""
    table = table_of([4, 6])
    batches = table.to_batches(max_chunksize=3)
    for stream in (iter(batches), itertools.chain(batches[:1], batches[1:]), (each for each in batches)):
        assert same(cd.grouped(stream, **ASK), cd.grouped(table, **ASK))
    with pytest.raises(cd.ArgumentTypeError, match="a stream must hold batches of Arrow, got int"):
        cd.grouped(iter([3]), **ASK)


def test_other_libraries_stream_too():
    """DuckDB gives a reader; anything with __arrow_c_stream__ is read."""
    duckdb = pytest.importorskip("duckdb")
    table = table_of([4, 6, 5])

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return table.__arrow_c_stream__(requested_schema)

    expected = cd.grouped(table, **ASK)
    assert same(cd.grouped(Stream(), **ASK), expected)
    rows = table  # noqa: F841 - DuckDB finds it by its name
    relation = duckdb.sql("SELECT * FROM rows")
    # Older versions have another name for it.
    reader = getattr(relation, "to_arrow_reader", None) or relation.fetch_record_batch
    assert same(cd.grouped(reader(4), **ASK), expected)


def test_names_of_a_dictionary_may_change_from_batch_to_batch():
    """Each batch has a dictionary of its own."""
    parts = [
        pa.table({"query": pa.array(names).dictionary_encode(), "human": [1, 2, 3], "model": [2, 1, 3]})
        for names in (["a", "a", "b"], ["b", "c", "c"])
    ]
    found = cd.grouped(iter([part.to_batches()[0] for part in parts]), **ASK)
    assert found["n"].to_pylist() == [2, 2, 2]
    assert found["query"].to_pylist() == ["a", "b", "c"]


def test_what_is_wrong_is_said():
    """Missing columns, groups without a name, NaN that is refused."""
    table = table_of([3, 3])
    with pytest.raises(
        cd.ArgumentError, match=r"there is no column 'nope'; there are query, human, model, other"
    ):
        cd.grouped(stream_of(table, []), **ASK | {"x": "nope"})
    broken = pa.table({"query": ["a", None], "human": [1, 2], "model": [1, 2]})
    with pytest.raises(cd.ArgumentError, match="column 'query' has items without a label"):
        cd.grouped(stream_of(broken, []), **ASK)


def test_there_is_one_warning_for_all_batches():
    """It counts the groups of the whole stream."""
    table = table_of([1] * 30 + [4])
    with pytest.warns(cd.UndefinedWarning, match=r"for 30 of 31 pairs") as caught:
        cd.grouped(stream_of(table, range(0, 30, 3)), **ASK | {"coefficients": "tau_b"})
    assert len(caught) == 1


@pytest.mark.parametrize("ending", ["parquet", "feather", "csv"])
def test_files_are_read_batch_by_batch(tmp_path, ending):
    """A pattern stands for its files in the order of their names; a group may go on in the next file."""
    table = table_of([7, 9, 4])
    write = {"parquet": parquet.write_table, "feather": feather.write_feather, "csv": csv.write_csv}[ending]
    write(table.slice(0, 10), tmp_path / f"1.{ending}")
    write(table.slice(10), tmp_path / f"2.{ending}")
    found = cd.grouped(f"{tmp_path}/*.{ending}", **ASK)
    assert same(found, cd.grouped(table, **ASK))
    assert same(cd.grouped(tmp_path, **ASK), found)
    files = [tmp_path / f"1.{ending}", str(tmp_path / f"2.{ending}")]
    assert same(cd.grouped(files, **ASK), found)


def test_files_that_do_not_fit_are_refused(tmp_path):
    """Other columns, other types, what is no such file: each names the file."""
    parquet.write_table(table_of([3]), tmp_path / "1.parquet")
    parquet.write_table(table_of([3]).drop_columns(["model"]), tmp_path / "2.parquet")
    with pytest.raises(cd.InputError, match=r"2\.parquet: there is no column 'model'; there are query"):
        cd.grouped(f"{tmp_path}/*.parquet", **ASK)
    with pytest.raises(cd.InputError, match=r"1\.parquet: there is no column 'nope'"):
        cd.grouped(tmp_path / "1.parquet", **ASK | {"x": "nope"})
    parquet.write_table(table_of([3]).set_column(2, "model", pa.array(list("abc"))), tmp_path / "2.parquet")
    with pytest.raises(cd.InputError, match=r"2\.parquet: has columns of other types than .*1\.parquet: "):
        cd.grouped(f"{tmp_path}/*.parquet", **ASK)
    (tmp_path / "3.parquet").write_text("no parquet")
    with pytest.raises(cd.InputError, match=r"3\.parquet: cannot be read"):
        cd.grouped(tmp_path / "3.parquet", **ASK)
    (tmp_path / "4.docx").write_text("no table")
    with pytest.raises(cd.InputError, match=r"4\.docx: is not read as a stream"):
        cd.grouped(tmp_path / "4.docx", **ASK)


MEMORY = """
import resource, numpy as np, pyarrow as pa, concordant as cd
def batches(n):
    rng = np.random.default_rng(0)
    for k in range(n):
        names = np.arange(k * 2**18, (k + 1) * 2**18) // 1000
        yield pa.record_batch({"query": names, "human": rng.random(2**18), "model": rng.random(2**18)})
ask = dict(by="query", x="human", y="model", coefficients="tau_b")
cd.grouped(batches(4), **ask)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
cd.grouped(batches(40), **ask)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_memory_does_not_grow_with_the_stream():
    """Ten million rows, 240 MB, take no more than 40 MB above one million."""
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 40_000
