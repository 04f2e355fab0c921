"""`cd.grouped` inside Spark, by the code of docs/guides/clusters.md: the bits of one process."""

import os
import sys

import numpy as np
import pytest
from support.documents import block_of, run_block

import concordant as cd

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyspark")

import pyarrow.parquet as pq

pytestmark = [
    pytest.mark.integration,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets to the JVM
]

BLOCK = block_of("mapInArrow")
ASK = {"by": "query", "x": "human", "y": "model", "coefficients": ["tau_b"]}
PARTITIONS = 8


@pytest.fixture(scope="module")
def spark():
    """Spark in local mode: two threads of a JVM, each with a Python process of its own."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": str(PARTITIONS),
        # Spark would put small partitions together, so that few rows would be one partition.
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "50",  # so that groups go on from batch to batch
    }
    builder = SparkSession.builder.master("local[2]").appName("concordant")
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def rows(n_rows, n_queries, key, seed=0, without=0.0):
    """Return rows of queries in no order, the judgements of a human and the scores of a model, with ties."""
    rng = np.random.default_rng(seed)
    query = rng.integers(0, n_queries, n_rows)
    human = rng.integers(0, 4, n_rows).astype(float)
    model = np.round(rng.random(n_rows) + 0.1 * human, 2)
    absent = rng.random((2, n_rows)) < without
    return pa.table(
        {
            "query": pa.array([f"q{i}" for i in query] if key == "string" else query - 5),
            "document": rng.permutation(n_rows),
            "human": pa.array(human, mask=absent[0]),
            "model": pa.array(model, mask=absent[1]),
        }
    )


def frame_of(spark, table, folder, files=3):
    """Return the rows as a data frame of Spark, read from several files."""
    folder.mkdir()
    size = -(-len(table) // files)
    for i in range(files):
        pq.write_table(table.slice(i * size, size), folder / f"{i}.parquet")
    return spark.read.parquet(str(folder))


def answered(logs, block=BLOCK):
    """Run the code of the document, and return its answer as a table."""
    return run_block(block, logs=logs)["answer"].toArrow()


def assert_same_bits(found, expected):
    """Compare all columns; the order of the queries is not that of one process."""
    assert found.schema.names == expected.schema.names
    found, expected = found.sort_by("query"), expected.sort_by("query")
    for name in expected.schema.names:
        here, there = (table.column(name).combine_chunks() for table in (expected, found))
        assert here.null_count == there.null_count == 0
        assert here.type == there.type
        if pa.types.is_string(here.type):
            assert here.to_pylist() == there.to_pylist()
        else:
            assert here.to_numpy().tobytes() == there.to_numpy().tobytes()


@pytest.mark.parametrize("key", ["string", "long"])
def test_the_bits_are_those_of_one_process(spark, tmp_path, key):
    """With names and with numbers as keys, and with queries that are larger than a batch."""
    table = rows(6000, 40, key)
    block = BLOCK.replace("query string", f"query {key}")
    assert f"query {key}" in block
    logs = frame_of(spark, table, tmp_path / "logs")
    assert_same_bits(answered(logs, block), cd.grouped(table, **ASK))


def test_a_query_is_in_one_partition(spark, tmp_path):
    """After the repartition; before it, the rows of a query are in several, and several are used."""
    from pyspark.sql import functions

    logs = frame_of(spark, rows(2000, 30, "string"), tmp_path / "logs")

    def partitions(frame):
        found = frame.select("query", functions.spark_partition_id().alias("at")).distinct().collect()
        return {(row["query"], row["at"]) for row in found}

    before, after = partitions(logs.repartition(4)), partitions(logs.repartition("query"))
    assert len(before) > 30
    assert len(after) == 30
    assert len({at for _, at in after}) > 1


def test_scores_that_are_null_are_as_in_one_process(spark, tmp_path):
    """NaN for the query, or left out, as nan_policy says."""
    table = rows(4000, 50, "string", without=0.004)
    logs = frame_of(spark, table, tmp_path / "logs")
    expected = cd.grouped(table, **ASK)
    some = np.isnan(expected["tau_b"].to_numpy())
    assert some.any()
    assert not some.all()
    assert_same_bits(answered(logs), expected)
    omitting = BLOCK.replace('coefficients=["tau_b"]', 'coefficients=["tau_b"], nan_policy="omit"')
    assert "omit" in omitting
    left = cd.grouped(table, **ASK, nan_policy="omit")
    assert left["n"].to_pylist() != expected["n"].to_pylist()
    assert_same_bits(answered(logs, omitting), left)


def test_partitions_without_rows_give_nothing(spark, tmp_path):
    """Fewer queries than partitions; and no rows at all."""
    table = rows(300, 3, "string")
    logs = frame_of(spark, table, tmp_path / "logs")
    assert logs.repartition("query").rdd.getNumPartitions() == PARTITIONS
    assert_same_bits(answered(logs), cd.grouped(table, **ASK))
    nothing = answered(logs.where("query = 'none'"))
    assert nothing.num_rows == 0
    assert nothing.schema.names == ["query", "n", "tau_b"]


def test_the_order_within_a_query_does_not_matter(spark, tmp_path):
    """Rows that arrive in another order give the same bits, for all coefficients of scores with ties."""
    table = rows(3000, 20, "string")
    names = [name for name, c in cd.REGISTRY.items() if c.inputs == "scores" and c.ties != "error"]
    assert len(names) > 5
    block = BLOCK.replace('["tau_b"]', repr(names)).replace(
        ", tau_b double", "".join(f", {name} double" for name in names)
    )
    logs = frame_of(spark, table, tmp_path / "logs").repartition(5)  # deals the rows out in turn
    shuffled = table.take(np.random.default_rng(7).permutation(len(table)))
    assert_same_bits(answered(logs, block), cd.grouped(shuffled, **ASK | {"coefficients": names}))


def test_an_error_of_a_partition_has_its_sentence(spark, tmp_path):
    """What cd.grouped refuses can be read in the error of Spark."""
    from pyspark.errors import PythonException

    logs = frame_of(spark, rows(300, 3, "string"), tmp_path / "logs")
    block = BLOCK.replace('coefficients=["tau_b"]', 'coefficients=["tau_ap"]').replace(", tau_b", ", tau_ap")
    with pytest.raises(PythonException, match=r"has tied items .* use tau_ap_a, tau_ap_b or tau_ap_e"):
        answered(logs, block)


def test_two_million_rows(spark, tmp_path):
    """With the batches and the partitions that Spark chooses itself."""
    table = rows(2_000_000, 20_000, "string", seed=1)
    logs = frame_of(spark, table, tmp_path / "logs")
    own = {
        "spark.sql.adaptive.coalescePartitions.enabled": "true",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
    }
    before = {name: spark.conf.get(name) for name in own}
    try:
        for name, value in own.items():
            spark.conf.set(name, value)
        found = answered(logs)
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)
    assert sum(found["n"].to_pylist()) == 2_000_000
    assert_same_bits(found, cd.grouped(table, **ASK))
