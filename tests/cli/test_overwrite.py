"""No command writes over a file that it reads."""

import os
import shutil
import subprocess
import sys

import click
import pytest
from support.commands import COMMANDS, write_collection
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
    (f"{JUDGE} --format csv -o {{run}}", "{run}"),
    (f"{JUDGE} --format csv -o noisy.qrels", "noisy.qrels"),
    (f"{JUDGE} --format csv -o runs/../human.qrels", "human.qrels"),
    ("judge --reference human.csv --judge noisy.csv -o human.csv", "human.csv"),
    ("correlate human.csv noisy.csv -o noisy.csv", "noisy.csv"),
    ("correlate human.csv noisy.csv -o link.csv", "noisy.csv"),
    ("correlate human.csv link.csv -o noisy.csv", "noisy.csv"),
    ("correlate human.csv noisy.csv -o hard.csv", "noisy.csv"),
    ("correlate human.csv ./*ois*.csv -o noisy.csv", "noisy.csv"),
    ("by-topic human.csv noisy.csv -o noisy.csv", "noisy.csv"),
    ("explain human.csv noisy.csv -o noisy.csv", "noisy.csv"),
    ("matrix human.csv noisy.csv -o noisy.csv", "noisy.csv"),
    ("board human.csv -o human.csv", "human.csv"),
    ("sweep human.csv noisy.csv -m AP -o noisy.csv", "noisy.csv"),
    ("experiment swap human_ap.csv -o human_ap.csv", "human_ap.csv"),
    ("experiment swap table.png --plot table.png", "table.png"),
    ("experiment predict human.csv -o human.csv", "human.csv"),
    ("experiment pool --runs runs/* --qrels human.qrels --format csv -o {run}", "{run}"),
    ("experiment reuse --runs runs/* --qrels human.qrels --format csv -o human.qrels", "human.qrels"),
    ("experiment grades --runs runs/* --qrels human.qrels --format csv -o human.qrels", "human.qrels"),
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


def test_evaluate_refuses_the_endings_of_its_inputs(own, refused):
    """Before it looks at them."""
    before = (own / "human.qrels").read_bytes()
    result = run(
        *["evaluate", "--qrels", "human.qrels", "--runs", "runs/*", "-m", "AP", "-o", "human.qrels"], cwd=own
    )
    refused(result, "human.qrels: the result is written to .csv")
    assert (own / "human.qrels").read_bytes() == before


def _writes(command):
    """Return the options of a command that name a file to write."""
    return [max(each.opts, key=len) for each in all_commands()[command].params if each.type is WRITES]


def test_every_command_that_reads_and_writes_is_tried():
    assert {name for name in all_commands() if _writes(name)} == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_writes_over_what_it_reads(tmp_path, refused, command):
    """By any option, to any of its files, also those of a folder, through a link of either kind."""
    words = write_collection(tmp_path)[command]
    inputs = [path for path in tmp_path.glob("**/*.*") if {*path.relative_to(tmp_path).parts} & set(words)]
    assert bool(inputs) == any(each.type is READS for each in all_commands()[command].params)
    before = {path: path.read_bytes() for path in inputs}
    for option in _writes(command):
        more = ["--plot", "figure.svg"] if option == "--caption" else []
        for path in inputs:
            link = tmp_path / f"link{'.svg' if option == '--plot' else '.csv'}"
            for make in (link.hardlink_to, link.symlink_to):
                make(path)
                refused(
                    run(*words, *more, option, link, cwd=tmp_path),
                    f"link{link.suffix}: is the same file as the",
                )
                link.unlink()
    assert before == {path: path.read_bytes() for path in inputs}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            "correlate - noisy.csv -o human.csv < human.csv",
            "is the same file as the input standard input",
        ),
        (
            "correlate /dev/stdin noisy.csv -o human.csv < human.csv",
            "is the same file as the input /dev/stdin",
        ),
        (
            "correlate human.csv noisy.csv >> noisy.csv",
            "output: is the same file as the input noisy.csv",
        ),
    ],
)
def test_a_file_that_a_shell_opens_is_kept(own, typed, said):
    """As standard input, or at the end of which standard output would be written."""
    before = {path: path.read_bytes() for path in own.glob("*.csv")}
    command = f"{sys.executable} -m concordant {typed}"
    ended = subprocess.run(command, shell=True, cwd=own, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert said in ended.stderr
    assert before == {path: path.read_bytes() for path in own.glob("*.csv")}


@pytest.mark.parametrize("command", ["correlate", "evaluate", "grouped", "runs", "experiment gaps"])
def test_a_file_is_kept_also_if_no_option_says_that_it_is_read(tmp_path, monkeypatch, command):
    """The rule holds where files are opened and where they are written, also if other processes read."""
    monkeypatch.setattr("concordant.cli.paths.READS", None)
    words = write_collection(tmp_path)[command]
    for path in [path for path in tmp_path.glob("**/*.*") if {path.name, path.parent.name} & set(words)]:
        (tmp_path / "link.csv").symlink_to(path)
        before = path.read_bytes()
        result = run(*words, "-o", "link.csv", cwd=tmp_path)
        assert (result.returncode, path.read_bytes()) == (2, before)
        assert "and the result would replace it" in result.stderr
        (tmp_path / "link.csv").unlink()


def test_a_file_that_the_system_protects_is_not_replaced(own, refused, monkeypatch):
    """Though its folder would allow it; root, who may run this test, may write to it."""
    import concordant.cli.paths as module

    def closed(path, flags):
        raise PermissionError(13, "Permission denied", path)

    (own / "old.csv").write_text("old")
    monkeypatch.setattr(module.os, "open", closed)
    result = run("correlate", "human.csv", "noisy.csv", "-o", "old.csv", cwd=own)
    refused(result, "old.csv: cannot be written: Permission denied; give --output another name")


def test_a_library_may_read_and_then_replace(own):
    """The rule is that of commands; in Python a user may know better."""
    import concordant as cd

    scores = cd.read_scores(own / "human.csv")
    cd.write_scores(scores, own / "human.csv")
    assert cd.read_scores(own / "human.csv") == scores


@pytest.mark.usefixtures("small_demo")
@pytest.mark.parametrize("harm", ["foreign", "changed", "link", "folder"])
def test_a_demonstration_replaces_only_its_own_files(tmp_path, refused, harm):
    """Not those that somebody put there or changed, nor what links of its folder lead to."""
    here, precious = tmp_path / "here", tmp_path / "precious"
    precious.mkdir()
    (precious / "dense-02.run").write_text("mine")
    run_demo = ["demo", "here", "--overwrite"]
    if harm == "foreign":
        here.mkdir()
        (here / "noisy.qrels").write_text("mine")
    else:
        assert run(*run_demo, cwd=tmp_path).returncode == 0
    if harm == "changed":
        (here / "noisy.qrels").write_text("mine")
    elif harm == "link":
        (here / "noisy.qrels").unlink()
        (here / "noisy.qrels").symlink_to(precious / "dense-02.run")
    elif harm == "folder":
        shutil.rmtree(here / "runs")
        (here / "runs").symlink_to(precious)
    before = {path: path.read_bytes() for path in tmp_path.glob("**/*.*") if path.is_file()}
    said = "is a link, which" if harm in ("link", "folder") else "was not written by a demonstration, or was"
    refused(run(*run_demo, cwd=tmp_path), said)
    assert before == {path: path.read_bytes() for path in tmp_path.glob("**/*.*") if path.is_file()}


def test_two_outputs_have_two_names(own, refused):
    result = run("experiment swap", "human_ap.csv", "-o", "x.json", "-o", "./x.json", cwd=own)
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
