"""`make reproduce` on small tables with the layout of the TREC matrices: topics x systems."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "reproduce.py"


@pytest.fixture
def matrices(tmp_path):
    """Random tables under the names of the TREC matrices; runs are numbered, topics have no names."""
    rng = np.random.default_rng(0)
    for year, n in (("adhoc5", 14), ("adhoc6", 12), ("adhoc8", 100)):
        ap = np.clip(rng.normal(np.linspace(0.5, 0.1, n), 0.15, (20, n)), 0, 1)
        first = 1 / rng.integers(1, 6, ap.shape)
        for name, values in {"ap": ap, "p10": np.round(ap, 1), "rr": first}.items():
            header = ",".join(f"run{k}" for k in range(1, n + 1))
            np.savetxt(tmp_path / f"{year}_{name}.csv", values, "%.4f", ",", header=header, comments="")
    return tmp_path


def test_every_published_experiment_is_repeated(matrices, capsys):
    """Each part prints what the paper has and what is computed, for all systems of the table."""
    loaded = importlib.util.spec_from_file_location("reproduce", EXAMPLE)
    module = importlib.util.module_from_spec(loaded)
    loaded.loader.exec_module(module)
    module.main(matrices, quick=True)
    printed = capsys.readouterr().out
    assert "Prediction across halves of the TREC-8 topics, 72 systems" in printed  # 4 by name, then a quarter
    assert printed.count("largest difference") == 24
    (within,) = re.findall(r"\n(\d+) of 216 cells differ by 0.01 or less; the others:", printed)
    assert len(re.findall(r" thesis -?\d", printed)) == 216 - int(within)
    assert printed.count(" paper ") == 3 + 6  # of gaps and of swap
    assert "adhoc5_ap.csv: systems in columns: 14 systems, 20 topics" in printed
    assert printed.count("published 0.") == 2
    assert printed.count("reference 0.") == 6  # error and ties of three measures
