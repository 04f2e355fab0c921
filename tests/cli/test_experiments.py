"""The commands that run experiments: what they print, save and say. Their numbers are compared elsewhere."""

from __future__ import annotations

import json

import pytest
from support.program import run
from support.schema import check, without_provenance

import concordant as cd

RUNS = ["--runs", "runs/*", "--qrels", "human.qrels"]
COMMANDS = {
    "experiment predict": ["human.csv", "--n-splits", "20"],
    "experiment swap": ["human_ap.csv", "--n-draws", "5"],
    "experiment gaps": ["-d", "uniform", "--n-pairs", "20"],
    "experiment pool": [*RUNS, "--percents", "30,100"],
    "experiment grades": [*RUNS, "--depth", "10"],
    "experiment reuse": RUNS,
    "experiment stability": ["human.csv", "--n-draws", "9", "--n-resamples", "9"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_text_shows_the_first_table_and_json_all(folder, tmp_path, command):
    """Another one by its name."""
    arguments = [command, *COMMANDS[command]]
    tables = json.loads(run(*arguments, "--format", "json", cwd=folder).stdout)["tables"]
    first, *others = tables
    saved = tmp_path / "saved.json"
    text = run(*arguments, "-o", "-", "-o", saved, cwd=folder)
    assert text.returncode == 0, text.stderr
    result = cd.experiments.load(saved)
    assert text.stdout.startswith(f"{result.to_text(width=None, more='')}".rstrip("\n"))
    assert [each.title for each in result.tables if each.title in text.stdout.splitlines()] == [
        result.table(first).title
    ]
    everything = run(*arguments, "--details", cwd=folder).stdout.splitlines()
    assert all(each.title in everything for each in result.tables)
    for other in others:
        only = run(*arguments, "--table", other, "--format", "json", cwd=folder)
        assert json.loads(only.stdout)["tables"] == {other: tables[other]}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_result_that_is_saved_is_whole(folder, tmp_path, command):
    """It holds what is printed, and can be loaded again."""
    arguments = [command, *COMMANDS[command]]
    target = tmp_path / "result.json.gz"
    result = run(*arguments, "-o", target, cwd=folder)
    assert result.returncode == 0, result.stderr
    assert result.stderr.splitlines()[0] == f"concordant: wrote {target}"
    saved = cd.experiments.load(target).to_dict()
    printed = json.loads(run(*arguments, "--format", "json", cwd=folder).stdout)
    assert without_provenance(saved) == without_provenance(printed)
    assert saved["inputs"] == printed["inputs"]
    check(saved)


@pytest.mark.parametrize("command", ["experiment predict", "experiment swap"])
def test_tables_may_be_several_files(folder, tmp_path, command):
    """Of one measure each, which is the name of the file; -m chooses among them."""
    human = cd.read_scores(folder / "human.csv")
    for measure, name in (("AP", "ap"), ("nDCG@10", "ndcg")):
        cd.write_scores(human[measure], tmp_path / f"{name}.csv", format="wide")
    measures = ["-m", "ndcg"] if command == "experiment swap" else []
    result = run(command, "ap.csv", "ndcg.csv", *measures, "--format", "json", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    if command == "experiment predict":
        assert answer["options"]["measures"] == ["ap", "ndcg"]
    else:
        alone = json.loads(run("experiment swap", "ndcg.csv", "--format", "json", cwd=tmp_path).stdout)
        assert answer["tables"] == alone["tables"]
