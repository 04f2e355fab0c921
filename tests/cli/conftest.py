"""What tests of the program share: wide tables, and what a refusal is."""

import numpy as np
import pytest

import concordant as cd


@pytest.fixture
def wide(tmp_path):
    """Wide tables, whose measure is the name of the file.

    One judge lacks half of the topics, one says the same of all systems, one has a single topic.
    """
    rng = np.random.default_rng(0)
    human = rng.normal(np.linspace(0.6, 0.3, 10), 0.1, (30, 10))
    noise = rng.normal(0, 0.1, (2, 30, 10))
    tables = {
        "human": (human, 30),
        "gpt": (human + noise[0], 30),
        "llama": (human + 4 * noise[1], 30),
        "half": (human + noise[0], 15),
        "constant": (np.ones_like(human), 30),
        "one": (human, 1),
    }
    for name, (values, n_topics) in tables.items():
        scores = cd.Scores(values[:n_topics], topics=range(n_topics), systems=[f"s{i}" for i in range(10)])
        cd.write_scores(scores, tmp_path / f"{name}.csv", format="wide")
    return tmp_path


@pytest.fixture
def refused():
    """Give a function that checks that the program said one sentence and nothing else."""

    def check(result, message):
        assert result.returncode == 2, result.stdout
        assert result.stderr.startswith("concordant")
        assert message in result.stderr
        assert result.stderr.count("\n") == 1
        assert "Traceback" not in result.stderr
        assert result.stdout == ""

    return check
