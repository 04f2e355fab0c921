"""Where results go: formats, files, terminals, pipes, and the exit code of a check."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import subprocess
import sys

import pytest
from support.program import run, run_process

import concordant as cd

ARGUMENTS = ["correlate", "human.csv", "noisy.csv", "--n-resamples", "50"]
ENVIRONMENT = {**os.environ, "COLUMNS": "200"}
START = {
    "table": "Is it the same ranking?   9 systems, 8 topics, AP, nDCG@10 (reference human.csv)\n\nBy AP, ",
    "csv": "estimate,measure,",
    "json": "{",
    "latex": "% By AP, noisy has ",
    "markdown": "By AP, noisy has ",
    "html": "<!DOCTYPE html>",
}


def inputs_of(folder):
    """Return what a result says about its two files."""
    contents = {name: (folder / name).read_bytes() for name in ("human.csv", "noisy.csv")}
    return [
        {"file": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in contents.items()
    ]


@pytest.mark.parametrize("format", START)
def test_every_format_goes_to_a_file_or_to_standard_output(folder, tmp_path, format):
    """With the same bytes; a line on standard error says which file was written."""
    printed = run(*ARGUMENTS, "--format", format, cwd=folder)
    target = tmp_path / "out"
    written = run(*ARGUMENTS, "--format", format, "-o", target, cwd=folder)
    assert printed.returncode == written.returncode == 0
    assert written.stdout == ""
    assert written.stderr == f"{printed.stderr}concordant: wrote {target}\n"
    saved = target.read_text()
    if format in ("html", "json"):  # which say the command
        saved = saved.replace(f" -o {target}", "")
    assert saved == printed.stdout
    assert printed.stdout.startswith(START[format])


@pytest.mark.parametrize(
    ("format", "method"),
    [("table", "to_text"), ("latex", "to_latex"), ("markdown", "to_markdown")],
)
def test_formats_are_those_of_the_result(folder, format, method):
    """Text, LaTeX and Markdown, to the last character."""
    sides = (cd.read_scores(folder / f"{name}.csv") for name in ("human", "noisy"))
    human, noisy = sides
    result = cd.correlate(human, {"noisy": noisy}, resampling=cd.Resampling(n_resamples=50))
    printed = run(*ARGUMENTS, "--format", format, cwd=folder).stdout
    if format != "table":
        assert printed == getattr(result, method)()
    else:
        more = "More: --details, or --table NAME: {tables}"
        assert printed == result.to_text(width=None, more=more)
        assert run(*ARGUMENTS, "--details", cwd=folder).stdout == result.to_text(True, None)
        assert run(*ARGUMENTS, "--table", "pairs", cwd=folder).stdout == result.to_text(
            width=None, table="pairs"
        )


@pytest.mark.parametrize("ending", ["txt", "csv", "json", "tex", "md", "html", "htm"])
def test_the_ending_of_the_file_chooses_the_format(folder, tmp_path, ending):
    """In upper case too."""
    formats = {"txt": "table", "tex": "latex", "md": "markdown", "htm": "html"}
    target = tmp_path / f"out.{ending.upper()}"
    assert run(*ARGUMENTS, "-o", target, cwd=folder).returncode == 0
    assert target.read_text().startswith(START[formats.get(ending, ending)])


def test_a_workbook_is_that_of_the_result(folder, tmp_path):
    """To the last byte, each time, also with one table alone, if the result says the same command."""
    human, noisy = (cd.read_scores(folder / f"{name}.csv") for name in ("human", "noisy"))
    result = cd.correlate(human, {"noisy": noisy}, resampling=cd.Resampling(n_resamples=50))
    for more, expected in (([], result), (["--table", "pairs"], result.only("pairs"))):
        typed = [*ARGUMENTS, *more, "-o", tmp_path / "out.xlsx"]
        assert run(*typed, cwd=folder).returncode == 0
        inputs = inputs_of(folder)
        provenance = {"command": f"concordant {' '.join(map(str, typed))}", "inputs": inputs}
        told = dataclasses.replace(expected, provenance=provenance)
        assert (tmp_path / "out.xlsx").read_bytes() == told.to_xlsx()


def test_an_experiment_writes_all_tables_to_a_workbook(folder, tmp_path):
    import openpyxl

    target = tmp_path / "swap.xlsx"
    assert run("experiment swap", "human_ap.csv", "--n-draws", "5", "-o", target, cwd=folder).returncode == 0
    names = openpyxl.load_workbook(target).sheetnames
    assert names[-2:] == ["notes", "about"]
    assert names[:-2] == [t.name for t in cd.experiments.swap(cd.read_scores(folder / "human_ap.csv")).tables]


def test_a_workbook_without_its_library_is_refused_before_any_file_is_read(folder, tmp_path, refused):
    from unittest import mock

    with mock.patch("importlib.util.find_spec", return_value=None):
        result = run(*ARGUMENTS, "-o", tmp_path / "out.xlsx", cwd=folder)
    refused(result, "a workbook needs XlsxWriter: pip install 'concordant[sheets]'")


def test_a_page_says_the_command_and_the_files(folder, tmp_path):
    """With the checksums of the files; the rest is the page of the library, with significance tested."""
    target = tmp_path / "report.html"
    assert run(*ARGUMENTS, "-o", target, cwd=folder).returncode == 0
    page = target.read_text(encoding="utf-8")
    assert f"<code>concordant {' '.join(ARGUMENTS)} -o {target}</code>" in page
    for name in ("human.csv", "noisy.csv"):
        assert f"<code>{hashlib.sha256((folder / name).read_bytes()).hexdigest()}</code>" in page
    human, noisy = (cd.read_scores(folder / f"{name}.csv") for name in ("human", "noisy"))
    inputs = inputs_of(folder)
    told = {"command": f"concordant {' '.join(ARGUMENTS)} -o {target}", "inputs": inputs}
    result = cd.correlate(human, {"noisy": noisy}, resampling=cd.Resampling(n_resamples=50))
    cd.report(dataclasses.replace(result, provenance=told), tmp_path / "own.html")
    assert (tmp_path / "own.html").read_text(encoding="utf-8") == page


def test_a_page_of_one_table_has_no_figures(folder):
    """It needs no library, and is small."""
    from unittest import mock

    with mock.patch("importlib.util.find_spec", return_value=None):
        page = run(*ARGUMENTS, "--format", "html", "--table", "pairs", cwd=folder).stdout
    assert page.startswith("<!DOCTYPE html>")
    assert len(page) < 100_000


def test_a_page_without_its_libraries_is_refused_before_any_file_is_read(folder, tmp_path, refused):
    """Whether the ending asks for it or the option."""
    from unittest import mock

    for arguments in (["-o", tmp_path / "out.html"], ["--format", "html"]):
        with mock.patch("importlib.util.find_spec", return_value=None):
            result = run("correlate", "no.csv", "noisy.csv", *arguments, cwd=folder)
        refused(
            result, "a page with figures needs altair and vl-convert-python: pip install 'concordant[plot]'"
        )


def test_csv_holds_one_table_and_says_so(folder):
    """Which others there are, and what was lost, go to standard error."""
    first = run(*ARGUMENTS, "--format", "csv", cwd=folder)
    told = first.stderr.splitlines()
    assert told[0].startswith(
        "concordant: csv holds the first table, agreement; others with --table: systems, pairs"
    )
    answer = json.loads(run(*ARGUMENTS, "--format", "json", cwd=folder).stdout)
    notes = [
        ": ".join(filter(None, (note["subject"], note["text"]))) for note in answer["notes"] if note["lost"]
    ]
    assert len(notes) < len(answer["notes"])
    assert told[1:] == [f"concordant: {note}" for note in notes]
    pairs = run(*ARGUMENTS, "--format", "csv", "--table", "pairs", cwd=folder)
    assert pairs.stdout.startswith("estimate,measure,estimate_measure,better,worse,reference_difference,")


def test_one_table_may_be_chosen(folder):
    """By the name of its field, in every format."""
    chosen = run(*ARGUMENTS, "--table", "pairs", "--format", "json", cwd=folder)
    whole = run(*ARGUMENTS, "--format", "json", cwd=folder)
    assert json.loads(chosen.stdout)["tables"] == {"pairs": json.loads(whole.stdout)["tables"]["pairs"]}


@pytest.mark.parametrize("command", ["correlate", "by-topic", "explain"])
def test_an_output_never_replaces_an_input(wide, refused, command):
    """However its name is written."""
    before = (wide / "gpt.csv").read_bytes()
    result = run(command, "human.csv", "gpt.csv", "-o", "./gpt.csv", cwd=wide)
    message = "concordant: ./gpt.csv: is the same file as the input gpt.csv, and the result would replace it"
    refused(result, message + "; give --output another name")
    assert (wide / "gpt.csv").read_bytes() == before


def test_tables_for_a_terminal_are_plain_in_a_pipe(folder):
    """Colours are for people who look at them."""
    assert "\x1b" not in run(*ARGUMENTS, cwd=folder).stdout
    seen = run(*ARGUMENTS, cwd=folder, columns=200).stdout
    assert "\x1b[" in seen
    assert "tau_ap_b" in seen


@pytest.mark.parametrize(
    ("floor", "strict", "code", "said"),
    [
        ("-1", True, 0, None),
        ("0.2", False, 0, None),
        (
            "0.9",
            False,
            0,
            "is not shown to be, or not to be, at least 0.9; the largest floor that is passed is 0.",
        ),
        (
            "0.9",
            True,
            1,
            "is not shown to be, or not to be, at least 0.9; the largest floor that is passed is 0.",
        ),
        ("0.999", False, 1, "is shown to be less than 0.999; the largest floor that is passed is "),
    ],
)
@pytest.mark.parametrize("command", ["correlate", "judge"])
def test_a_floor_that_is_not_reached_ends_with_1(wide, command, floor, strict, code, said):
    """Not decided only if that is wanted; the answer is printed all the same, with the decision."""
    judge = "gpt.csv" if floor != "0.999" else "llama.csv"
    sides = ["human.csv", judge] if command == "correlate" else ["--reference", "human.csv", "--judge", judge]
    arguments = [command, *sides, "-c", "tau_b", "--n-resamples", "199", "--at-least", floor]
    found = run(*arguments, *(["--strict"] if strict else []), cwd=wide)
    assert found.returncode == code
    assert (found.stderr == "") if said is None else (f"tau_b of {judge[:-4]}, score {said}" in found.stderr)
    answer = json.loads(run(*arguments, "--format", "json", cwd=wide).stdout)
    decision = {None: "shown", "is n": "not decided", "is s": "shown not to be"}[said and said[:4]]
    assert answer["tables"]["agreement"][0]["at_least"] == decision
    assert answer["options"]["at_least"] == float(floor)


def test_a_floor_that_cannot_be_tested_ends_with_1(tmp_path):
    """An undefined value, whatever the floor; means without topics. With few topics it is not decided."""
    tables = {"x": "a,b\n1,1\n", "y": "a,b\n1,2\n", "z": "a,b\n1,3\n"}
    tables |= dict.fromkeys(("few", "same"), "topic,a,b\n1,1,2\n2,1,3\n")
    for name, text in tables.items():
        (tmp_path / f"{name}.csv").write_text(text)
    for sides, code, said in (
        ("x y", 1, "tau_b of y, score is undefined, which is not -1 or more"),
        ("y z", 1, "tau_b of z, score has no interval over topics, so that -1 was not tested"),
        (
            "few same",
            0,
            "tau_b of same, score is not shown to be, or not to be, at least -1; no floor is known",
        ),
        (
            "few same --strict",
            1,
            "tau_b of same, score is not shown to be, or not to be, at least -1; no floor is known",
        ),
    ):
        names = [f"{name}.csv" if name.isalpha() else name for name in sides.split()]
        result = run("correlate", *names, "-c", "tau_b", "--at-least", "-1", cwd=tmp_path)
        assert (result.returncode, result.stderr) == (code, f"concordant: {said}\n")


def test_a_closed_pipe_is_no_error(folder):
    """The reader may go after ten bytes."""
    command = f"{sys.executable} -m concordant {' '.join(ARGUMENTS)} --format json | head -c 10"
    result = subprocess.run(command, shell=True, capture_output=True, cwd=folder, check=False)
    assert result.stderr == b""
    assert len(result.stdout) == 10


def test_closed_output_is_no_error():
    """There is nobody to tell."""
    command = f"{sys.executable} -m concordant coefficients >&-"
    closed = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert closed.returncode == 0, closed.stderr


def test_output_without_greek_letters_shows_their_numbers(tmp_path):
    """A terminal that lacks a character is no reason to end."""
    named = "topic,alpha-\u03b1,b\n1,0.5,0.2\n"
    (tmp_path / "greek.csv").write_text(named, encoding="utf-8")
    (tmp_path / "other.csv").write_text(named.replace("0.5", "0.1"), encoding="utf-8")
    arguments = ["judge", "--reference", "greek.csv", "--judge", "other.csv", "--details"]
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "ascii:strict"}
    greek = run_process(*arguments, cwd=tmp_path, env=environment)
    assert greek.returncode == 0, greek.stderr
    assert "alpha-\\u03b1" in greek.stdout
    rows = ["topic,a,b,c", *(f"{t},0.{t},0.{9 - t},0.5" for t in range(1, 9))]
    for name in ("x.csv", "y.csv", "z.csv"):
        (tmp_path / name).write_text("\n".join(rows), encoding="utf-8")
    drawn = run_process("correlate", "x.csv", "y.csv", "z.csv", cwd=tmp_path, env=environment)
    assert drawn.returncode == 0, drawn.stderr
    assert re.search(r"\|-*o", drawn.stdout)
    assert "\\u" not in drawn.stdout


def test_progress_goes_to_standard_error():
    """A line after two seconds where there is no terminal."""
    code = """
import time
from unittest import mock
from concordant.cli.output import Progress
with mock.patch("time.monotonic", side_effect=[0.0, 0.1, 2.1, 2.2]), Progress("working") as progress:
    progress(0, 3)
    progress(1, 3)
    progress(3, 3)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == ""
    assert result.stderr == "concordant: working: 1 of 3\n"
