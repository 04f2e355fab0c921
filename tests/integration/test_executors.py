"""Engines besides Dask's own cluster, by the code of docs/guides/clusters.md: the bytes of one process."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.documents import block_of, run_block

import concordant as cd

pytestmark = [
    pytest.mark.integration,
    # Dask and its server leave files to be closed by the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

PROGRAMS = Path(sys.executable).parent  # of this environment


def replaced(text, **by):
    """Return the text with an option of a call set to another value; refuse one that is not there."""
    for name, value in by.items():
        (keyword,) = (
            each
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Call)
            for each in node.keywords
            if each.arg == name
        )
        text = text.replace(f"{name}={ast.get_source_segment(text, keyword.value)}", f"{name}={value!r}")
    return text


def run_here(command, folder, **environment):
    """Run a program in a folder, with those of this environment before others."""
    path = f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        env={**os.environ, "PATH": path, **environment},
    )
    assert result.returncode == 0, result.stderr
    return result


def test_loky(two_measures):
    """Processes that are used again for the next call."""
    pytest.importorskip("loky")
    block = block_of("get_reusable_executor")
    made = run_block(replaced(block, max_workers=2), cd=cd, scores=two_measures)
    try:
        assert made["result"].to_json() == cd.experiments.predict(two_measures).to_json()
        human = two_measures.values[0]
        noisy = human + np.random.default_rng(0).normal(0, 0.1, human.shape)
        asked = {"noisy": noisy}
        there = cd.judge(human, asked, resampling=cd.Resampling(n_resamples=199, executor=made["executor"]))
        assert there.to_json() == cd.judge(human, asked, resampling=cd.Resampling(n_resamples=199)).to_json()
    finally:
        made["executor"].shutdown(wait=True)


def test_mpi(tmp_path):
    """Three processes, one of which hands out the work."""
    pytest.importorskip("mpi4py")
    mpiexec = shutil.which("mpiexec", path=f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")
    if mpiexec is None:
        pytest.skip("there is no mpiexec")
    (tmp_path / "script.py").write_text(
        replaced(block_of("MPIPoolExecutor"), n_pairs=20_000), encoding="utf-8"
    )
    many = ["--allow-run-as-root", "--oversubscribe"]
    run_here([mpiexec, "-n", "3", *many, sys.executable, "-m", "mpi4py.futures", "script.py"], tmp_path)
    cd.experiments.gaps(n_pairs=20_000).save(tmp_path / "alone.json")
    assert (tmp_path / "gaps.json").read_bytes() == (tmp_path / "alone.json").read_bytes()


def test_dask_jobqueue(folder, tmp_path):
    """The script for Slurm, with its jobs started as processes of this computer instead of by sbatch."""
    pytest.importorskip("dask_jobqueue")
    text = replaced(block_of("SLURMCluster"), cores=1, processes=1, memory="1GB", jobs=2, n_splits=200)
    here = text.replace(
        "from dask_jobqueue import SLURMCluster",
        "from dask_jobqueue.local import LocalCluster as SLURMCluster",
    )
    assert here != text
    (tmp_path / "script.py").write_text(here, encoding="utf-8")
    (tmp_path / "runs").symlink_to(folder / "runs")
    shutil.copy(folder / "human.qrels", tmp_path)
    run_here([sys.executable, "script.py"], tmp_path)
    scores = cd.evaluate(folder / "human.qrels", folder / "runs" / "*", ["AP", "nDCG@10"])
    cd.experiments.predict(scores, n_splits=200).save(tmp_path / "alone.json")
    assert (tmp_path / "predict.json").read_bytes() == (tmp_path / "alone.json").read_bytes()


def test_the_jobs_that_slurm_would_get():
    """dask-jobqueue takes the options of the document, and asks Slurm for what the document says."""
    dask_jobqueue = pytest.importorskip("dask_jobqueue")
    tree = ast.parse(block_of("SLURMCluster"))
    (call,) = (
        n for n in ast.walk(tree) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "SLURMCluster"
    )
    options = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
    with dask_jobqueue.SLURMCluster(
        **options, scheduler_options={"dashboard_address": "127.0.0.1:0"}
    ) as cluster:
        script = cluster.job_script()
    for line in ("-p normal", "-n 1", "--cpus-per-task=16", "-t 02:00:00"):
        assert f"#SBATCH {line}\n" in script
    assert " --nthreads 1 " in script
    assert " --nworkers 16 " in script
