"""Work on a real Dask cluster of two processes: the same bytes as alone, also if one of them is killed."""

import json
import os
import signal
import sys

import numpy as np
import pytest
from support.commands import write_collection
from support.program import run
from support.work import Counting

import concordant as cd

distributed = pytest.importorskip("distributed")

RNG = np.random.default_rng(0)
HUMAN = RNG.normal(np.linspace(0.6, 0.3, 12), 0.1, (30, 12))
NOISY = HUMAN + RNG.normal(0, 0.2, HUMAN.shape)

# Dask and its server leave files to be closed by the garbage collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def client():
    """A cluster of two processes that can be reached from this computer alone."""
    import logging

    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # a free port
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_the_cluster_gives_the_same_bytes_as_one_process(client, folder, monkeypatch):
    """For evaluate, of files whose names the workers see from another folder, predict and judge."""
    monkeypatch.chdir(folder)
    with client.get_executor(pure=False) as executor:
        asked = ("human.qrels", "runs/*", ["AP", "nDCG@10"])
        here, there = cd.evaluate(*asked), cd.evaluate(*asked, executor=executor)
        assert here.values.tobytes() == there.values.tobytes()
        assert (here.topics, here.systems, here.notes) == (there.topics, there.systems, there.notes)
        scores = cd.Scores(np.stack([HUMAN, NOISY]), measures=["AP", "P@10"])
        for call in (
            lambda **how: cd.experiments.predict(scores, n_splits=200, **how),
            lambda **how: cd.judge(HUMAN, {"noisy": NOISY}, resampling=cd.Resampling(n_resamples=199, **how)),
            lambda **how: cd.compare_runs("runs/*", **how),
        ):
            assert call(executor=executor).to_json() == call().to_json()
        with pytest.raises(cd.InputError, match=r"^few\.csv:1: "):
            cd.evaluate("human.qrels", ["few.csv"], "AP", executor=executor)
        # 5 MB, about once for each worker, and a little for each piece
        large = cd.Scores(np.random.default_rng(0).random((1, 50, 12_500)))
        counting = Counting(executor)
        cd.experiments.predict(large, "pearson_r", n_splits=64, executor=counting)
        assert large.values.nbytes < counting.sent < 4 * large.values.nbytes


@pytest.mark.slow
def test_a_worker_that_is_killed_changes_nothing(client):
    """The work ends, with the same bytes."""
    killed = []

    def kill(done, total):
        if not killed and 0.2 * total < done < total:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    ask = {"n_systems": 50, "n_pairs": 20_000}
    with client.get_executor(pure=False) as executor:
        there = cd.experiments.gaps(**ask, executor=executor, progress=kill)
    assert killed
    assert there.to_json() == cd.experiments.gaps(**ask).to_json()


def test_the_program_works_on_the_cluster(client, wide):
    """--cluster takes the address of a scheduler; the output is the same."""
    command = ["correlate", "human.csv", "gpt.csv", "--n-resamples", "99", "--format", "json"]
    there = run(*command, "--cluster", client.scheduler.address, cwd=wide)
    assert there.returncode == 0, there.stderr
    assert there.stdout == run(*command, cwd=wide).stdout
    assert json.loads(there.stdout)["function"] == "correlate"


@pytest.mark.parametrize("command", ["correlate", "evaluate", "runs", "experiment predict"])
def test_processes_of_this_computer_need_no_dask(tmp_path, monkeypatch, command):
    """--cluster local starts as many processes as --workers says; the output is the same."""
    words = [word for word in write_collection(tmp_path)[command] if word not in ("--workers", "1")]
    alone = run(*words, cwd=tmp_path)
    monkeypatch.setitem(sys.modules, "distributed", None)
    for workers in ("1", "2"):
        there = run(*words, "--cluster", "local", "--workers", workers, cwd=tmp_path)
        assert (there.returncode, there.stdout) == (0, alone.stdout), there.stderr


def test_an_address_without_a_scheduler_is_refused(wide):
    """With a sentence; what is no address, before anything is done."""
    wrong = run("experiment predict", "human.csv", "--cluster", "somewhere", cwd=wide)
    assert wrong.returncode == 2
    assert wrong.stderr == (
        "concordant experiment predict: --cluster: write local, or the address of a scheduler, such as "
        "tcp://host:8786, got 'somewhere'\n"
    )


@pytest.mark.parametrize(
    "where", ["ucx://x", "tcp://127.0.0.1", "tls://127.0.0.1:1", "inproc://x", "://", "ftp://x"]
)
def test_an_address_that_dask_cannot_use_is_refused(wide, refused, where):
    """Whatever its libraries raise for it."""
    result = run("correlate", "human.csv", "gpt.csv", "--cluster", where, cwd=wide)
    refused(result, f"concordant correlate: --cluster: no scheduler answers at {where} (")
