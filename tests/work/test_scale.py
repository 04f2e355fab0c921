"""What benchmarks/scale.py makes of its figures, and what docs/guides/clusters.md says of them."""

import importlib.util
import sys
from pathlib import Path

import pytest
from support.documents import PAGE

pytest.importorskip("scipy")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def scale():
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("scale", ROOT / "benchmarks" / "scale.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["scale"] = module  # where its dataclasses look for their types
    spec.loader.exec_module(module)
    yield module
    del sys.modules["scale"]


def test_the_document_says_what_follows_from_the_figures(scale):
    """Its tables are those that are made of RESULTS.md, and all that can be measured is there."""
    found = scale.read_back((ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8"))
    assert [name for name, rows in found.items() if len(rows) > 1] == list(scale.TABLES)
    text = PAGE.read_text(encoding="utf-8")
    assert scale.documented(text, found) == text, "run python benchmarks/scale.py --documents"


def test_a_formula_is_found_again(scale):
    """Of figures that follow it; a term that has no part in them vanishes."""
    law = scale.TABLES["systems"].time
    sizes = [(200,), (400,), (800,)]
    factors = law.fit(sizes, [2 + 3e-6 * n * n for (n,) in sizes])
    assert factors == pytest.approx([2, 0, 3e-6], abs=1e-9)
    assert law.at(factors, (20_000,)) == pytest.approx(1202)
    assert law.text(factors * [1, 0, 1], scale._seconds) == "2 s + 3 µs x systems²"


def test_figures_are_read_back_as_they_were_written(scale):
    """With the columns of the cluster, and with sizes of two numbers."""
    rows = {
        "runs": [
            scale.Row((25,), 1.25, 90_000_000, (2.5, 300e6)),
            scale.Row((1000,), 125, 1_000_000, (9.0, 4e6)),
        ],
        "bootstrap": [scale.Row((100, 50), 0.0123, 50_000_000)],
    }
    found = scale.read_back(scale.section(rows))
    assert {name: found[name] for name in rows} == rows
    assert found["matrix"] == []


@pytest.mark.slow
def test_the_memory_of_processes_that_a_process_starts_counts(scale):
    """A child that fills 80 MB and a grandchild that fills 80 more."""
    fill = "import time; held = bytearray(b'x' * 80_000_000); "
    child = (
        f"import subprocess, sys; {fill}subprocess.run([sys.executable, '-c', {fill + 'time.sleep(1)'!r}])"
    )
    _, memory, _ = scale.measured([sys.executable, "-c", child])
    assert 160e6 < memory < 300e6
