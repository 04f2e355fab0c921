"""Functions with an executor give the same bits for every executor and every size of pieces."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import concordant as cd
from concordant import work

RNG = np.random.default_rng(0)
HUMAN = RNG.normal(np.linspace(0.6, 0.3, 9), 0.1, (15, 9))
JUDGES = {name: HUMAN + RNG.normal(0, noise, HUMAN.shape) for name, noise in (("a", 0.1), ("b", 0.4))}
TWO = cd.Scores(np.stack([HUMAN, JUDGES["a"]]), measures=["AP", "P@10"])
RUNS = {
    f"r{r}": {
        f"q{q}": {f"d{d}": float(v) for d, v in enumerate(np.random.default_rng([r, q]).integers(0, 9, 20))}
        for q in range(5)
        if (q + r) % 4
    }
    for r in range(5)
}
QRELS = {f"q{q}": {f"d{d}": (q * d) % 3 for d in range(20)} for q in range(5)}
ITEMS = {
    "bootstrap": lambda **how: cd.bootstrap(
        HUMAN, JUDGES["a"], "tau_b", resampling=cd.Resampling(n_resamples=99, rng=1, **how)
    ),
    "by exchange": lambda **how: cd.difference(
        HUMAN, *JUDGES.values(), exchange=True, resampling=cd.Resampling(n_resamples=99, rng=1, **how)
    ),
    "difference": lambda **how: cd.difference(
        HUMAN, *JUDGES.values(), "tau_b", resampling=cd.Resampling(n_resamples=99, rng=1, **how)
    ),
    "permutation_test": lambda **how: cd.permutation_test(
        HUMAN[0], HUMAN[1], "tau_b", n_resamples=99, rng=1, **how
    ),
    "all orders": lambda **how: cd.permutation_test(HUMAN[0][:4], HUMAN[1][:4], "tau_ap_b", **how),
    "orders of lists": lambda **how: cd.permutation_test(
        list("abcdefgh"), list("badcxyz"), "rbo", n_resamples=99, rng=1, **how
    ),
    "all orders of lists": lambda **how: cd.permutation_test("a b c d e", "a (b x) c", "rbo", **how),
    "judge": lambda **how: cd.judge(HUMAN, JUDGES, resampling=cd.Resampling(n_resamples=99, **how)),
    "correlate": lambda **how: cd.correlate(
        HUMAN, JUDGES, resampling=cd.Resampling(n_resamples=99, method="BCa", **how)
    ),
    "by_topic": lambda **how: cd.by_topic(
        HUMAN, JUDGES["a"], resampling=cd.Resampling(n_resamples=99, **how)
    ),
    "plan": lambda **how: cd.plan(TWO, method="resampling", resampling=cd.Resampling(n_resamples=99, **how)),
    "compare_runs": lambda **how: cd.compare_runs(RUNS, **how),
    "evaluate": lambda **how: cd.evaluate(QRELS, RUNS, ["AP", "nDCG@5"], **how),
    "predict": lambda **how: cd.experiments.predict(TWO, n_splits=70, topics=[6, 15], **how),
    "stability": lambda **how: cd.experiments.stability(TWO, n_draws=70, topics=[6, 7], **how),
    "gaps": lambda **how: cd.experiments.gaps(n_systems=6, n_pairs=70, **how),
    "pool": lambda **how: cd.experiments.pool(QRELS, RUNS, percents=[20, 100], **how),
    "reuse": lambda **how: cd.experiments.reuse(QRELS, RUNS, depth=5, **how),
    "grades": lambda **how: cd.experiments.grades(QRELS, RUNS, **how),
    "swap": lambda **how: cd.experiments.swap(TWO["AP"], n_swaps=1, n_draws=5, **how),
}


def content(result):
    """Return all numbers of a result, to the last bit."""
    if isinstance(result, cd.Scores):
        return result.values.tobytes(), result.topics, result.systems, [str(note) for note in result.notes]
    if hasattr(result, "to_dict"):
        return repr(result.to_dict())
    arrays = [v.tobytes() for v in vars(result).values() if isinstance(v, np.ndarray)]
    return repr(result), arrays


@pytest.fixture(scope="module")
def executors():
    """Threads, and processes."""
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2) as processes:
        yield threads, processes


@pytest.mark.parametrize("name", ITEMS)
@pytest.mark.parametrize("numbers", [(3, 1000), pytest.param((3, 32, 1000), marks=pytest.mark.slow)])
def test_every_executor_and_size_of_pieces_gives_the_same_bits(name, numbers, executors, monkeypatch):
    """Alone, in threads, in processes; in 3, 32 and 1000 pieces."""
    alone = content(ITEMS[name]())
    monkeypatch.setattr(work, "_LEAST", 10**9)
    for pieces in numbers:
        monkeypatch.setattr(work, "_PIECES", pieces)
        for executor in executors if pieces == 3 else executors[:1]:
            assert content(ITEMS[name](executor=executor)) == alone


def test_every_function_with_an_executor_is_tried_here():
    """A new one is tried too."""
    import inspect

    public = {name: getattr(cd, name) for name in dir(cd)}
    public |= {name: getattr(cd.experiments, name) for name in cd.experiments.__all__}
    found = {
        name
        for name, value in public.items()
        if inspect.isfunction(value) and {"executor", "resampling"} & set(inspect.signature(value).parameters)
    }
    in_one_process = {"board", "labels"}  # as docs/guides/clusters.md says
    assert found - in_one_process == {name for name in ITEMS if " " not in name}
