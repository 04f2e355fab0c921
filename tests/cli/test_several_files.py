"""A pattern that the shell expands: --runs runs/* becomes --runs a b c, and all of them are runs."""

import json

import pytest
from support.program import run
from support.schema import without_provenance

from concordant.cli.paths import with_further_files
from concordant.cli.program import all_commands


@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        ("--runs r/a r/b r/c human.qrels gpt.qrels", "r/b r/c"),
        ("human.qrels gpt.qrels --runs r/a r/b -m AP", "r/b"),
        ("--runs r/a r/b --judge j/x j/y --runs s/a s/b", "r/b j/y s/b"),
        ("--runs=r/a r/b q/human", "r/b"),
        ("--runs r/a human.qrels", ""),
        ("--runs r/* r/b", ""),  # the shell left the pattern as it is
        ("--runs r/a r/human.qrels r/gpt.qrels", ""),  # judgements are not taken for runs
        ("--runs r/a.qrels r/b.qrels", "r/b.qrels"),  # unless the first is called so too
        ("--runs a.run b.run human.txt gpt.txt", "b.run"),  # where no folder is written, the ending counts
        ("--runs a.run b.run.gz human.txt", "b.run.gz"),
        ("--runs ./a ./b human", "./b"),
        ("--judge gpt.qrels umbrela.qrels -m AP", "umbrela.qrels"),
        ("--runs r/a -- r/b", ""),
        ("--runs r/a - x", ""),
        ("--names r/a r/b", ""),  # takes one value
        ("--runs", ""),
    ],
)
def test_files_of_the_same_folder_up_to_the_next_option_are_taken(typed, taken):
    spread, found = with_further_files(typed.split(), all_commands()["judge"].params)
    assert [file for _, file in found] == taken.split()
    assert [word for word in spread if not word.startswith("--")] == [
        part for word in typed.split() if (part := word.removeprefix("--runs=")) and not part.startswith("--")
    ]
    assert all(spread[spread.index(file) - 1] == name for name, file in found)


@pytest.mark.parametrize("last", [False, True])
def test_runs_that_the_shell_expanded_are_those_of_the_pattern(folder, last):
    files = sorted(str(path.relative_to(folder)) for path in (folder / "runs").iterdir())
    judged = ["human.qrels", "noisy.qrels"]
    how = ["--no-interval", "--format", "json"]
    quoted = run("correlate", "--runs", "runs/*", *judged, *how, cwd=folder)
    given = [*judged, "--runs", *files] if last else ["--runs", *files, *judged]
    expanded = run("correlate", *given, *how, cwd=folder)
    assert expanded.returncode == 0, expanded.stderr
    found, expected = json.loads(expanded.stdout), json.loads(quoted.stdout)
    assert without_provenance(found) == without_provenance(expected)
    assert sorted(each["file"] for each in found["inputs"]) == sorted([*judged, *files])
    assert sorted(map(str, found["inputs"])) == sorted(map(str, expected["inputs"]))


def test_judges_and_runs_may_both_be_several(folder, tmp_path):
    (tmp_path / "judges").mkdir()
    for name in ("noisy", "partial"):
        (tmp_path / "judges" / f"{name}.qrels").write_bytes((folder / f"{name}.qrels").read_bytes())
    judges = sorted(map(str, (tmp_path / "judges").iterdir()))
    files = sorted(map(str, (folder / "runs").iterdir()))
    qrels = ["--qrels", folder / "human.qrels", "--no-interval", "--format", "json"]
    result = run("judge", "--runs", *files, "--judge", *judges, *qrels)
    assert result.returncode == 0, result.stderr
    estimates = {row["estimate"] for row in json.loads(result.stdout)["tables"]["agreement"]}
    assert estimates == {"noisy", "partial"}


def test_evaluate_takes_the_files_that_the_shell_found(folder):
    files = sorted(str(path.relative_to(folder)) for path in (folder / "runs").iterdir())
    quoted = run("evaluate", "--runs", "runs/*", "--qrels", "human.qrels", "-m", "AP", cwd=folder)
    expanded = run("evaluate", "--runs", *files, "--qrels", "human.qrels", "-m", "AP", cwd=folder)
    assert expanded.returncode == 0, expanded.stderr
    assert expanded.stdout == quoted.stdout


def test_files_that_an_option_took_too_many_are_told(refused):
    """All in one folder, with names that tell nothing."""
    result = run("correlate", "--runs", "d/a", "d/b", "d/human", "d/gpt")
    refused(
        result,
        "Missing argument 'REFERENCE'; --runs took the files up to d/gpt; if one of them is meant, give",
    )


@pytest.mark.parametrize("command", ["correlate", "judge", "evaluate", "experiment predict"])
def test_help_says_that_further_files_may_follow(command):
    told = run(command, "--help-all").stdout
    assert "Further files of the same folder may follow" in " ".join(told.split())
