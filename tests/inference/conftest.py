"""Scores that the tests of intervals share."""

import numpy as np
import pytest


def _collection(seed=0, n_topics=30, n_systems=12, noise=0.1):
    rng = np.random.default_rng(seed)
    reference = rng.normal(np.linspace(0.6, 0.3, n_systems), 0.15, (n_topics, n_systems))
    return reference, reference + rng.normal(0, noise, reference.shape)


@pytest.fixture(scope="session")
def collection():
    """Make scores of systems by the reference, and by a judge who adds noise."""
    return _collection


@pytest.fixture(scope="session")
def same_winner():
    """A coefficient of one's own, which declares nothing."""
    return lambda x, y: float(x.argmax() == y.argmax())
