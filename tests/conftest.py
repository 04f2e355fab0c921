"""The fixtures that tests share. Folders are read only: a test that writes uses `tmp_path`."""

import numpy as np
import pytest

import concordant as cd


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A small collection with its files, and tables of scores made from it."""
    folder = tmp_path_factory.mktemp("data")
    made = cd.simulate.collection(n_topics=8, n_systems=9, n_documents=80, depth=40, pool_depth=10, rng=3)
    made.write(folder)
    for name in ("human", "noisy", "partial"):
        scores = cd.evaluate(folder / f"{name}.qrels", folder / "runs" / "*", ["AP", "nDCG@10"])
        cd.write_scores(scores, folder / f"{name}.csv")
        cd.write_scores(scores["AP"], folder / f"{name}_ap.csv", format="wide")
    few = cd.read_scores(folder / "human.csv").select(topics=["401", "402", "403"])
    cd.write_scores(few, folder / "few.csv")
    return folder


@pytest.fixture(scope="session")
def two_measures():
    """Scores of 12 systems on 20 topics by two measures, one of which has ties."""
    rng = np.random.default_rng(5)
    quality = np.linspace(0.2, 0.8, 12)
    ap = np.clip(rng.normal(quality, 0.2, (20, 12)), 0, 1)
    p10 = np.round(np.clip(ap + rng.normal(0, 0.1, ap.shape), 0, 1), 1)
    return cd.Scores(np.stack([ap, p10]), measures=["AP", "P@10"])
