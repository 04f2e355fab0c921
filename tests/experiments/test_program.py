"""The experiments as commands: without data, on files, and what is refused."""

from __future__ import annotations

import json
from functools import partial

import pytest
from support.program import run, run_process

import concordant as cd

ex = cd.experiments
PLOT = "the file must end in .png, .svg, .pdf or .html, got"
FEWER = {
    "experiment predict": ["--n-splits", "20"],
    "experiment swap": ["--n-draws", "5"],
    "experiment gaps": ["--n-pairs", "50"],
    "experiment pool": ["--percents", "10,100"],
    "experiment grades": ["--depth", "10"],
    "experiment reuse": [],
    "experiment stability": ["--n-draws", "20", "--n-resamples", "20"],
}


@pytest.mark.parametrize("command", FEWER)
def test_every_experiment_runs_without_data(tmp_path, command, monkeypatch):
    """Output, figure and saved result are the same bytes with one worker and with two."""
    smaller = partial(ex.simulate.collection, n_topics=20, n_documents=150, depth=40)
    monkeypatch.setattr(ex.simulate, "collection", smaller)
    drawn = [] if command == "experiment gaps" else ["--plot", "f.svg"]
    options = ["--seed", "3", *drawn, "-o", "r.json", "-o", "r.csv"]
    outputs = []
    for workers in ("1", "2"):
        result = run(command, *FEWER[command], *options, "--workers", workers, cwd=tmp_path)
        assert result.returncode == 0, result.stderr
        saved = (tmp_path / "r.json").read_bytes()
        assert json.loads(saved)["command"].endswith(" -o r.json -o r.csv")
        figure = (tmp_path / "f.svg").read_bytes() if drawn else b""
        outputs.append(((tmp_path / "r.csv").read_text(encoding="utf-8"), figure, saved))
    assert outputs[0] == outputs[1]
    loaded = ex.load(tmp_path / "r.json")
    assert loaded.function == command.removeprefix("experiment ")
    assert loaded.to_csv() == outputs[0][0]
    assert ("simulated collection" in result.stderr) == ("gaps" not in command)


def test_experiments_run_on_files(two_measures, tmp_path):
    """The output is that of the function, with the same seed by default."""
    for measure in two_measures.measures:
        cd.write_scores(two_measures[measure], tmp_path / f"{measure}.csv", format="wide")
    command = [
        "experiment predict",
        "AP.csv",
        "P@10.csv",
        "-c",
        "tau_b",
        "--n-splits",
        "30",
        "--format",
        "csv",
    ]
    result = run_process(*command, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout == ex.predict(two_measures, "tau_b", n_splits=30).to_csv()
    wrong = run(*command, "--plot", "x.doc", cwd=tmp_path)
    assert wrong.returncode == 2
    assert wrong.stderr == f"concordant experiment predict: --plot: {PLOT} 'x.doc'\n"


def test_a_figure_that_cannot_be_drawn_is_refused_before_anything_is_computed(tmp_path):
    """A wrong ending or folder ends the program at once."""
    command = ["experiment predict", "--n-splits", "9", "-o", "r.json"]
    result = run(*command, "--plot", "x.gif", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == f"concordant experiment predict: --plot: {PLOT} 'x.gif'\n"
    assert not (tmp_path / "r.json").exists()
    result = run(*command, "--plot", "no/such/x.png", cwd=tmp_path)
    assert result.returncode == 2
    assert "no/such does not exist; make it first" in result.stderr
    assert not (tmp_path / "r.json").exists()
