"""Memory hardly grows with the number of runs."""

import tracemalloc

import numpy as np
import pytest

import concordant as cd

N_TOPICS, DEPTH = 5, 1000  # a run is about 1 MB as a dict
NAMES = {f"t{t}": [f"document-{t}-{d:06d}" for d in range(2 * DEPTH)] for t in range(N_TOPICS)}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Judgements, and twelve runs of the same documents in other orders."""
    folder = tmp_path_factory.mktemp("runs")
    rng = np.random.default_rng(0)
    for r in range(12):
        lines = [
            f"{topic} Q0 {names[d]} 0 {DEPTH - place} run{r}\n"
            for topic, names in NAMES.items()
            for place, d in enumerate(rng.permutation(2 * DEPTH)[:DEPTH].tolist())
        ]
        (folder / f"{r:02d}.run").write_text("".join(lines), encoding="utf-8")
    judged = [f"{t} 0 {name} {i % 3}\n" for t, names in NAMES.items() for i, name in enumerate(names[::40])]
    (folder / "qrels").write_text("".join(judged), encoding="utf-8")
    return folder


def peak(call):
    """Return the most bytes that Python and NumPy held during a call."""
    call()  # what is loaded once does not count
    tracemalloc.start()
    call()
    _, found = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return found


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda folder, runs: cd.evaluate(folder / "qrels", runs, ["AP", "P@10"]), id="evaluate"),
        pytest.param(lambda folder, runs: cd.compare_runs(runs, "rbo"), id="compare_runs"),
    ],
)
def test_a_run_is_not_kept(files, call):
    """Eight runs more take less than an eighth of a MB each, a tenth of what a run takes while it is read."""
    paths = sorted(files.glob("*.run"))
    few, many = (peak(lambda n=n: call(files, paths[:n])) for n in (4, 12))
    assert few > 1e6
    assert (many - few) / 8 < 0.125e6
