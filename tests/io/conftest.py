"""What tests of files share: runs and judgements with everything that is awkward about them."""

import numpy as np
import pytest


def _write_run(path, topics, tag):
    lines = [f"{t} Q0 {d} 0 {score} {tag}" for t, docs in topics.items() for d, score in docs.items()]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def write_run():
    """Give a function that writes a run whose rank column is nonsense."""
    return _write_run


@pytest.fixture
def random_collection(tmp_path):
    """Give a function that writes runs with tied scores, a topic that one of them does not answer, documents
    that are not judged, and negative grades; it returns the judgements."""

    def make(seed, n_runs=3, n_topics=6):
        rng = np.random.default_rng(seed)
        qrels = {
            str(t): {f"d{d}": int(rng.integers(-1, 4)) for d in rng.permutation(40)[:25]}
            for t in range(1, n_topics + 1)
        }
        lines = [f"{t} 0 {d} {rel}" for t, docs in qrels.items() for d, rel in docs.items()]
        (tmp_path / "qrels").write_text("\n".join(lines) + "\n")
        (tmp_path / "runs").mkdir()
        for r in range(n_runs):
            topics = {
                t: {f"d{d}": int(rng.integers(0, 5)) for d in rng.permutation(40)[:20]}
                for t in qrels
                if r != 1 or t != "2"
            }
            _write_run(tmp_path / "runs" / f"r{r}", topics, f"sys{r}")
        return qrels

    return make
