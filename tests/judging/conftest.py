"""A reference and estimates of it, by two measures."""

import numpy as np
import pytest

import concordant as cd

SYSTEMS = [f"s{i}" for i in range(14)]


def made(values, n_topics=24):
    """Return scores by two measures, of which P@10 has tied means."""
    p10 = np.round(np.clip(values, 0, 1), 1)
    p10[:, 5] = p10[:, 4]
    both = np.stack([values, p10])[:, :n_topics]
    return cd.Scores(both, measures=["AP", "P@10"], topics=range(n_topics), systems=SYSTEMS)


@pytest.fixture(scope="session")
def sides():
    """Scores of 14 systems: by reference and three estimates on 24 topics, by one more on half of them."""
    rng = np.random.default_rng(8)
    values = rng.normal(np.linspace(0.6, 0.3, 14), 0.15, (24, 14))
    noise = rng.normal(0, 1, (3, 24, 14))
    return {
        "reference": made(values),
        "good": made(values + 0.1 * noise[0]),
        "fair": made(values + 0.4 * noise[1]),
        "poor": made(values + 1.2 * noise[2]),
        "half": made(values + 0.2 * noise[0], 12),
    }


@pytest.fixture(scope="session")
def reference(sides):
    """The reference."""
    return sides["reference"]


@pytest.fixture(scope="session")
def estimates(sides):
    """Two estimates on all topics."""
    return {name: sides[name] for name in ("fair", "good")}


@pytest.fixture(scope="session")
def constant(reference):
    """Scores that say nothing."""
    return cd.Scores(np.ones((24, 14)), measures=["AP"], topics=reference.topics, systems=reference.systems)
