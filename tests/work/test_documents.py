"""What docs/guides/clusters.md says."""

import inspect
import re

import numpy as np
import pytest
from support.documents import PAGE, block_of, run_block

import concordant as cd

TEXT = PAGE.read_text(encoding="utf-8")
IN_ONE_PROCESS = {"board", "labels"}  # as the page says


def test_the_functions_with_an_executor_are_those_of_the_table():
    """All of them, and no other."""
    section = TEXT.partition("## Executors\n")[2].partition("\n## ")[0]
    table = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    named = {name.removeprefix("experiments.") for row in table for name in re.findall(r"`([\w.]+)`", row)}
    public = [*(getattr(cd, name) for name in dir(cd)), *vars(cd.experiments).values()]
    found = {
        each.__name__
        for each in public
        if inspect.isfunction(each) and {"executor", "resampling"} & set(inspect.signature(each).parameters)
    }
    assert named == found - IN_ONE_PROCESS


def test_the_function_for_a_partition_of_spark_takes_its_batches():
    """Groups go on from batch to batch; a partition without rows gives nothing."""
    pa = pytest.importorskip("pyarrow")
    rng = np.random.default_rng(0)
    queries = np.repeat([f"q{i}" for i in range(20)], 10)
    table = pa.table({"query": queries, "human": rng.random(200), "model": rng.random(200)})
    made = run_block(block_of("mapInArrow").partition("\nanswer =")[0])
    found = pa.Table.from_batches(made["of_partition"](iter(table.to_batches(max_chunksize=33))))
    whole = cd.grouped(table, by="query", x="human", y="model", coefficients=["tau_b"])
    assert found.to_pydict() == whole.to_pydict()
    assert found.column_names == ["query", "n", "tau_b"]
    assert list(made["of_partition"](iter([]))) == []
