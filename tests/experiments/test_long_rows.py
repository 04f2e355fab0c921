"""Rows in a temporary file: the numbers with given ranks are those of a sorted row."""

from pathlib import Path

import numpy as np
import pytest

import concordant as cd
from concordant.experiments import long_rows  # what is kept in memory is not an option of users
from concordant.experiments.long_rows import LongRows

SIZES = [70, 70, 61]
RNG = np.random.default_rng(0)
ROWS = {
    "all over": RNG.normal(0, 1, 201) * 10.0 ** RNG.integers(-300, 300, 201),
    "near each other": 1 - RNG.random(201) * 1e-13,
    "ties, of both signs": RNG.integers(-3, 4, 201) / 4,
    "all the same": np.ones(201),
    "zeros of both signs": np.where(RNG.random(201) < 0.5, 0.0, -0.0),
    "extremes": np.repeat([np.inf, -np.inf, 5e-324], 67),
    "some undefined": np.where(RNG.random(201) < 0.4, np.nan, RNG.random(201).round(1)),
}


@pytest.mark.parametrize("in_memory", [True, False])
def test_ranks_are_those_of_a_sorted_row(in_memory, monkeypatch):
    """Every rank of every row, and the first column, second column, ... that has the number."""
    monkeypatch.setattr(long_rows, "_IN_MEMORY", 10**9 if in_memory else 0)
    every = np.array(list(ROWS.values()))
    with LongRows(len(every), SIZES) as rows:
        for number in (2, 0, 1):
            rows.put(number, every[:, 70 * number : 70 * number + SIZES[number]])
        for k, row in enumerate(every):
            assert np.concatenate(list(rows.row(k))).tobytes() == row.tobytes()
            defined = np.flatnonzero(~np.isnan(row))
            order = defined[np.argsort(row[defined], kind="stable")]
            ranks = range(len(defined))
            assert rows.n_defined(k) == len(defined)
            found = rows.ranked(k, ranks)
            assert [each.value for each in found] == row[order].tolist()
            columns = [rows.column(k, v, rank - below) for rank, (v, below) in enumerate(found)]
            assert columns == order.tolist()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no disk that is always full")
def test_a_full_disk_is_told(monkeypatch):
    """The message says where space is needed."""
    monkeypatch.setattr(long_rows, "_IN_MEMORY", 0)
    with LongRows(1, [3]) as rows, Path("/dev/full").open("r+b", buffering=0) as full:
        rows.file.close()
        rows.file = full
        with pytest.raises(cd.ArgumentError, match=r"temporary file cannot be written .* TMPDIR"):
            rows.put(0, np.zeros((1, 3)))
