"""The simulated collection and its files."""

from __future__ import annotations

import numpy as np
import pytest

import concordant as cd


def test_the_collection_obeys_its_seed(tmp_path):
    """The same seed gives the same collection, and its files hold what it holds."""
    small = {"n_topics": 3, "n_systems": 5, "n_documents": 60, "depth": 30}
    one, same, other = (cd.experiments.simulate.collection(**small, rng=seed) for seed in (1, 1, 2))
    assert one.qrels == same.qrels
    assert one.runs == same.runs
    assert one.judges == same.judges
    assert one.runs != other.runs
    one.write(tmp_path)
    assert cd.read_qrels(tmp_path / "human.qrels") == one.qrels
    for name, topics in one.runs.items():
        run = cd.read_run(tmp_path / "runs" / f"{name}.run")
        assert run.name == name
        assert run.topics == topics


def test_the_partial_judge_favours_the_neural_systems():
    """The errors of the partial judge are to the advantage of one family, those of the noisy one are not."""
    made = cd.experiments.simulate.collection(n_topics=20, rng=4)
    gains = {}
    for name, qrels in made.judges.items():
        relevant = {t: {d for d, g in docs.items() if g > 0} for t, docs in qrels.items()}
        true = {t: {d for d, g in docs.items() if g > 0} for t, docs in made.qrels.items()}
        by_family = {}
        for system, topics in made.runs.items():
            top = {t: sorted(docs, key=docs.get, reverse=True)[:10] for t, docs in topics.items()}
            gain = sum(len(set(d) & relevant[t]) - len(set(d) & true[t]) for t, d in top.items())
            by_family.setdefault(system.split("-")[0], []).append(gain)
        means = {family: np.mean(g) for family, g in by_family.items()}
        gains[name] = means.pop("neural") - np.mean(list(means.values()))
    assert gains["partial"] > 10
    assert abs(gains["noisy"]) < 10


@pytest.mark.parametrize("name", ["n_topics", "n_systems", "n_documents", "depth", "pool_depth"])
@pytest.mark.parametrize("bad", [0, -1, 1.5, True, "3"])
def test_a_collection_of_nonsense_is_refused(name, bad):
    """Every size is a whole number from 1 up."""
    with pytest.raises(ValueError, match=f"{name} must be a whole number from 1 up"):
        cd.experiments.simulate.collection(**{name: bad})
