"""No command writes over a file that it reads."""

import os
import shutil

import click
import pytest
from support.program import run

from concordant.cli.paths import READS, WRITES
from concordant.cli.program import all_commands


@pytest.fixture
def own(folder, tmp_path):
    """A copy of the collection, which a test may lose."""
    for path in ("human.csv", "noisy.csv", "human_ap.csv", "human.qrels", "noisy.qrels"):
        shutil.copy(folder / path, tmp_path)
    shutil.copytree(folder / "runs", tmp_path / "runs")
    (tmp_path / "link.csv").symlink_to("noisy.csv")
    os.link(tmp_path / "noisy.csv", tmp_path / "hard.csv")
    shutil.copy(folder / "human_ap.csv", tmp_path / "table.png")
    return tmp_path


JUDGE = "judge --runs runs/* --qrels human.qrels --judge noisy.qrels"
LOSSES = [
    ("evaluate --qrels human.qrels --runs runs/* -m AP -o human.qrels", "human.qrels"),
    ("evaluate --qrels human.qrels --runs runs/* -m AP -o {run}", "{run}"),
    (f"{JUDGE} -o {{run}}", "{run}"),
    (f"{JUDGE} -o noisy.qrels", "noisy.qrels"),
    (f"{JUDGE} -o runs/../human.qrels", "human.qrels"),
    ("judge --reference human.csv --judge noisy.csv -o human.csv", "human.csv"),
    ("correlate human.csv noisy.csv -o noisy.csv", "noisy.csv"),
    ("correlate human.csv noisy.csv -o link.csv", "noisy.csv"),
    ("correlate human.csv link.csv -o noisy.csv", "noisy.csv"),
    ("correlate human.csv noisy.csv -o hard.csv", "noisy.csv"),
    ("correlate human.csv ./*ois*.csv -o noisy.csv", "noisy.csv"),
    ("by-topic human.csv noisy.csv -o noisy.csv", "noisy.csv"),
    ("explain human.csv noisy.csv -o noisy.csv", "noisy.csv"),
    ("matrix human.csv noisy.csv -o noisy.csv", "noisy.csv"),
    ("sweep human.csv noisy.csv -m AP -o noisy.csv", "noisy.csv"),
    ("experiment swap human_ap.csv --save human_ap.csv", "human_ap.csv"),
    ("experiment swap human_ap.csv -o human_ap.csv", "human_ap.csv"),
    ("experiment swap table.png --plot table.png", "table.png"),
    ("experiment predict human.csv --save human.csv", "human.csv"),
    ("experiment gaps --sample human_ap.csv --save human_ap.csv", "human_ap.csv"),
    ("experiment pool --runs runs/* --qrels human.qrels --save {run}", "{run}"),
    ("experiment reuse --runs runs/* --qrels human.qrels --save human.qrels", "human.qrels"),
    ("experiment grades --runs runs/* --qrels human.qrels -o human.qrels", "human.qrels"),
]


@pytest.mark.parametrize(("typed", "victim"), LOSSES)
def test_an_input_is_never_overwritten(own, refused, typed, victim):
    """Whatever the option, and through links, patterns and other names of the same file."""
    first_run = min(path.name for path in (own / "runs").iterdir())
    fill = {"run": f"runs/{first_run}"}
    victim = own / victim.format(**fill)
    before = victim.read_bytes()
    names = sorted(own.iterdir())
    result = run(*typed.format(**fill).split(), cwd=own)
    refused(result, "and the result would replace it; give --")
    assert victim.read_bytes() == before
    assert sorted(own.iterdir()) == names


def test_two_outputs_have_two_names(own, refused):
    result = run("experiment swap", "human_ap.csv", "--save", "x.json", "-o", "./x.json", cwd=own)
    refused(result, "name the same file")
    assert not (own / "x.json").exists()


def test_other_files_are_replaced(own):
    """Whole: the permissions stay, and a link still leads to the file."""
    (own / "old.csv").write_text("old")
    (own / "old.csv").chmod(0o640)
    (own / "to_old.csv").symlink_to("old.csv")
    result = run("correlate", "human.csv", "noisy.csv", "--n-resamples", "99", "-o", "to_old.csv", cwd=own)
    assert result.returncode == 0, result.stderr
    assert (own / "to_old.csv").is_symlink()
    assert (own / "old.csv").read_text().startswith("estimate,")
    assert (own / "old.csv").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("command", all_commands())
def test_every_option_for_a_file_says_whether_it_is_read_or_written(command):
    """So that the check sees it: a new option cannot be forgotten."""
    for each in all_commands()[command].params:
        shown = (each.metavar or each.name or "").upper()
        names_a_file = "FILE" in shown or (
            isinstance(each, click.Argument) and each.name not in ("coefficient", "shell")
        )
        if names_a_file and each.name != "folder":
            assert each.type in (READS, WRITES), each.name
