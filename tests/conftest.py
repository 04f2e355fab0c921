"""The fixtures that tests share. Folders are read only: a test that writes uses `tmp_path`."""

import contextlib
import ctypes
import functools
import signal
import sys

import numpy as np
import pytest
from hypothesis import settings

import concordant as cd
from concordant import _core

# The number of examples, in percent of what a test asks for.
settings.register_profile("some", max_examples=20)
settings.register_profile("all", max_examples=100)
settings.load_profile("some")

# What a shell starts behind `&` ignores Ctrl-C, and so would the programs that the tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_runtest_setup(item):
    """Let `make coverage` note which test runs a line, for `make mutation`."""
    running = sys.modules.get("coverage")
    measured = running and running.Coverage.current()
    if measured:
        measured.switch_context(item.nodeid.partition("[")[0])


def pytest_sessionfinish():
    """Let a core that counts its lines (`make coverage`) write the counts, before a worker is ended."""
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(_core.__file__).__gcov_dump()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A small collection with its files, and tables of scores made from it."""
    folder = tmp_path_factory.mktemp("data")
    made = cd.experiments.simulate.collection(
        n_topics=8, n_systems=9, n_documents=80, depth=40, pool_depth=10, rng=3
    )
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


# --- the program ---


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


@pytest.fixture
def small_demo(monkeypatch):
    """Let the demonstration simulate a collection that is soon judged."""
    module = sys.modules[cd.experiments.demo.__module__]
    how = {"n_topics": 6, "n_systems": 12, "n_documents": 60, "depth": 30}
    monkeypatch.setattr(module, "collection", functools.partial(cd.experiments.simulate.collection, **how))


# --- intervals ---


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


# --- files ---


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


# --- judging ---


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
