"""concordant explain, matrix and sweep."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from support.program import run

import concordant as cd


def test_explain_names_pairs_and_systems(folder, refused):
    """Those of cd.explain; the costs of all systems sum to what is missing to 1."""
    arguments = ["explain", "human.csv", "noisy.csv", "-m", "nDCG@10", "-c", "tau_ap_b", "--format", "json"]
    result = run(*arguments, "--most", "4", cwd=folder)
    assert result.returncode == 0, result.stderr
    tables = json.loads(result.stdout)["tables"]
    human, noisy = (cd.read_scores(folder / f"{n}.csv")["nDCG@10"].mean() for n in ("human", "noisy"))
    why = cd.explain(human, noisy, "tau_ap_b", most=4)
    assert [row["cost"] for row in tables["pairs"]] == [pair.cost for pair in why.pairs]
    assert [(row["better"], row["worse"]) for row in tables["pairs"]] == [
        (p.better, p.worse) for p in why.pairs
    ]
    assert [row["item"] for row in tables["removals"]] == [removal.item for removal in why.removals]
    assert tables["explained"][0]["value"] == why.value
    assert tables["explained"][0]["costly_pairs"] == why.explained[0].costly_pairs
    every = tables["items"]
    assert len(every) == len(human)
    assert sum(row["cost"] for row in every) == pytest.approx(1 - why.value)
    assert sum(row["share"] for row in every) == pytest.approx(1)
    wrong = run("explain", "human.csv", "noisy.csv", "--most", "-1", cwd=folder)
    refused(wrong, "concordant explain: --most must be a whole number from 0 up, got -1")


def test_matrix_has_a_cell_for_every_pair_of_files_or_measures(folder):
    """The row is the reference; names are those of files, or of measures if there is one file."""
    names = ("human", "noisy", "partial")
    files = [f"{name}_ap.csv" for name in names]
    result = run("matrix", *files, "-c", "tau_ap", "--format", "json", cwd=folder)
    assert result.returncode == 0, result.stderr
    cells = json.loads(result.stdout)["tables"]["matrix"]
    found = np.array([cell["value"] for cell in cells]).reshape(3, 3)
    means = [cd.read_scores(folder / file).mean() for file in files]
    assert np.array_equal(found, cd.matrix(means, "tau_ap"))
    assert [cell["reference"] for cell in cells[::3]] == [f"{name}_ap" for name in names]
    assert [cell["estimate"] for cell in cells[:3]] == [f"{name}_ap" for name in names]
    measures = run("matrix", "human.csv", cwd=folder)
    assert measures.returncode == 0
    assert re.search(r"reference +AP +nDCG@10", measures.stdout)
    both = run("matrix", "human.csv", "noisy.csv", cwd=folder)
    assert re.search(r"reference +human AP +human nDCG@10 +noisy AP +noisy nDCG@10", both.stdout)


@pytest.mark.parametrize("name", ["ranking", "reference", "estimate"])
def test_a_file_may_be_called_like_a_column_of_the_matrix(folder, tmp_path, name):
    """Its cells are there all the same; one called like the reference keeps its ending."""
    (tmp_path / "base.csv").write_bytes((folder / "human_ap.csv").read_bytes())
    (tmp_path / f"{name}.csv").write_bytes((folder / "noisy_ap.csv").read_bytes())
    result = run("matrix", "base.csv", f"{name}.csv", "-c", "tau_b", "--format", "json", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    cells = {
        (c["reference"], c["estimate"]): c["value"] for c in json.loads(result.stdout)["tables"]["matrix"]
    }
    name = "reference.csv" if name == "reference" else name
    assert list(cells) == [("base", "base"), ("base", name), (name, "base"), (name, name)]
    assert cells["base", name] == cells[name, "base"] != 1.0


def test_undefined_values_of_a_matrix_are_noted(tmp_path):
    """Once, with how many there are."""
    (tmp_path / "x.csv").write_text("a,b\n1.5,1.5\n")
    (tmp_path / "y.csv").write_text("a,b\n1.5,2.5\n")
    result = run("matrix", "x.csv", "y.csv", "-c", "tau_b", cwd=tmp_path)
    assert result.stderr == ""
    assert "! tau_b is undefined for 2 of 3 pairs of rankings" in result.stdout


def test_a_missing_score_in_one_file_may_count_as_zero(tmp_path, refused):
    """One file with two measures is a study too; the notes say what was done."""
    ap, rr = {"a": 3, "b": 2, "c": 1}, {"a": 1.5, "b": 2, "c": 1}
    rows = [f"{m},{t},{s},{v}" for m in ("AP", "RR") for t in (1, 2) for s, v in ap.items()]
    rows.remove("RR,2,a,3")
    (tmp_path / "one.csv").write_text("\n".join(["measure,topic,system,value", *rows]) + "\n")
    result = run("matrix", "one.csv", "-c", "tau_b", "--on-missing", "zero", "--format", "json", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    cells = {(c["reference"], c["estimate"]): c["value"] for c in answer["tables"]["matrix"]}
    assert cells["AP", "RR"] == cells["RR", "AP"] == pytest.approx(cd.tau_b(ap, rr))
    assert [note["kind"] for note in answer["notes"]] == ["read_as", "scores_as_zero"]
    refused(run("matrix", "one.csv", "--on-missing", "error", cwd=tmp_path), "concordant matrix: ")


def test_a_matrix_has_one_coefficient(folder, refused):
    """Two are wrong use."""
    result = run("matrix", "human.csv", "-c", "tau_b", "-c", "tau_e", cwd=folder)
    refused(result, "concordant matrix: a matrix has one coefficient, got 2; see concordant matrix --help")


def test_sweep_at_given_thresholds(tmp_path):
    """tau_e falls while ties come on one side first, and is 1 when all are tied on both (Radja 2018, 5.2)."""
    (tmp_path / "x.csv").write_text("a,b,c\n0.1,0.2,0.9\n")
    (tmp_path / "y.csv").write_text("a,b,c\n0.1,0.5,0.9\n")
    arguments = ["-c", "tau_e", "--thresholds", "0,0.1,0.4,0.8", "--format", "json"]
    tables = json.loads(run("sweep", "x.csv", "y.csv", *arguments, cwd=tmp_path).stdout)["tables"]
    values = [row["value"] for row in tables["curves"]]
    assert [row["threshold"] for row in tables["curves"]] == [0, 0.1, 0.4, 0.8]
    assert values[0] == values[-1] == 1.0
    assert min(values) < 0.5


def test_sweep_with_thresholds_of_each_side(tmp_path, refused):
    """The estimate's thresholds are an option of their own; what they cannot be is said in one sentence."""
    (tmp_path / "x.csv").write_text("a,b,c\n0.5,0.4,0.1\n")
    (tmp_path / "y.csv").write_text("a,b,c\n0.4,0.5,0.2\n")
    sides, given = ["sweep", "x.csv", "y.csv", "-c", "tau_b"], ["--thresholds", "0,0.1"]
    result = run(*sides, *given, "--estimate-thresholds", "0", "--format", "json", cwd=tmp_path)
    rows = json.loads(result.stdout)["tables"]["curves"]
    assert [(row["estimate_threshold"], row["threshold"]) for row in rows] == [(0, 0), (0, 0.1)]
    # a and b are tied by x alone: 2 of 3 pairs over the root of 2 times 3.
    assert [row["value"] for row in rows] == pytest.approx([1 / 3, 2 / 6**0.5])
    told = "--estimate-thresholds must be numbers from 0 up, got [-1.0]"
    refused(run(*sides, "--estimate-thresholds=-1", cwd=tmp_path), told)


def test_one_system_is_undefined_for_its_own_reason(tmp_path):
    """Not because of a threshold; small thresholds are shown as they are."""
    (tmp_path / "x.csv").write_text("topic,a\n1,0.5\n")
    (tmp_path / "y.csv").write_text("topic,a\n1,0.6\n")
    result = run("sweep", "x.csv", "y.csv", "--thresholds", "0,0.00001", cwd=tmp_path)
    assert "fewer than two" in result.stdout
    assert "1e-05" in result.stdout
