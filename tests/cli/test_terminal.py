"""What a terminal of 80 columns shows."""

from __future__ import annotations

import json
import os
import re

import pytest
from support.program import run
from support.terminal import written_to_terminal

from concordant.results.text_columns import display_width
from concordant.results.words import with_interval

FEW = ["--n-resamples", "50"]
JUDGED = ["--reference", "human.csv", "--judge", "noisy.csv", "--judge", "partial.csv", *FEW]
COMMANDS = {
    "correlate": ["human.csv", "noisy.csv", *FEW],
    "judge": JUDGED,
    "by-topic": ["human.csv", "noisy.csv", *FEW],
    "explain": ["human.csv", "noisy.csv"],
    "matrix": ["human.csv", "noisy.csv", "partial.csv"],
    "sweep": ["human.csv", "noisy.csv"],
    "plan": ["human.csv"],
    "runs": ["runs/*"],
    "experiment predict": ["human.csv", "--n-splits", "20"],
    "coefficients list": [],
    "coefficients axioms": ["tau_ap_b"],
}


def on_terminal(folder, *arguments, **environment):
    """Return what the program writes to a terminal of 80 columns."""
    result = run(*arguments, cwd=folder, env=environment, columns=80)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_a_terminal_shows_what_the_tests_see(folder):
    """The other tests only say that there is one."""
    arguments = ["correlate", *COMMANDS["correlate"]]
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"COLUMNS": "80", "TERM": "xterm-256color"}
    assert written_to_terminal(arguments, folder, environment) == on_terminal(folder, *arguments)


@pytest.mark.parametrize("command", COMMANDS)
def test_everything_fits_80_columns(folder, command):
    """In short and with details, and no digit is cut: no name is so long that one must be."""
    for more in ([], ["--details"]):
        text = re.sub(r"\x1b\[\d*m", "", on_terminal(folder, command, *COMMANDS[command], *more))
        assert text.strip()
        assert [line for line in text.splitlines() if display_width(line) > 80] == []
        assert not re.search(r"\d…|…\d", text) or "stands for the middle of a long name" in text


def test_the_terminal_shows_every_value_of_the_agreement(folder):
    """As the JSON has it; of the first coefficient with its interval."""
    text = on_terminal(folder, "judge", *JUDGED)
    rows = json.loads(run("judge", *JUDGED, "--format", "json", cwd=folder).stdout)["tables"]["agreement"]
    assert len(rows) > 4
    for row in rows:
        first = row["coefficient"] == rows[0]["coefficient"] and row["low"] is not None
        assert with_interval(row["value"], (row["low"], row["high"]) if first else None) in text


def test_the_question_is_bold_unless_colour_is_not_wanted(folder):
    """The same text apart from that, and into a pipe nothing is painted or wrapped."""
    arguments = ["correlate", *COMMANDS["correlate"]]
    bold = on_terminal(folder, *arguments)
    assert bold.startswith("\x1b[1mIs it the same ranking?   9 systems, 8 topics, ")
    assert "\x1b[33m! noisy: with only 50 resamples" in bold
    plain = on_terminal(folder, *arguments, NO_COLOR="1")
    assert "\x1b" not in plain
    assert "\x1b" not in on_terminal(folder, *arguments, TERM="dumb")
    assert re.sub(r"\x1b\[\d*m", "", bold) == plain
    piped = run(*arguments, cwd=folder).stdout
    for block in (0, 1, -2, -1):  # the table has other columns
        assert "\n" not in piped.split("\n\n")[block].rstrip("\n").replace("\n!", "")
        assert piped.split("\n\n")[block].split() == plain.split("\n\n")[block].split()


def test_the_last_line_lists_the_other_tables(folder):
    """Each of which can be asked for; with all of them there is no such line."""
    arguments = ["correlate", *COMMANDS["correlate"]]
    last = run(*arguments, cwd=folder).stdout.splitlines()[-1]
    start, _, names = last.rpartition(": ")
    assert start == "More: --details, or --table NAME"
    tables = json.loads(run(*arguments, "--format", "json", cwd=folder).stdout)["tables"]
    assert names.split(", ") == list(tables)
    for name in names.split(", "):
        assert run(*arguments, "--table", name, cwd=folder).returncode == 0
    assert "More:" not in run(*arguments, "--details", cwd=folder).stdout


@pytest.mark.parametrize("format", ["latex", "markdown"])
def test_documents_hold_one_table_unless_all_are_asked_for(folder, format):
    """What else there is goes to standard error."""
    arguments = ["correlate", *COMMANDS["correlate"], "--format", format]
    head = {"latex": r"\begin{tabular}", "markdown": "\n| --- "}[format]
    short, whole = run(*arguments, cwd=folder), run(*arguments, "--details", cwd=folder)
    assert short.stdout.count(head) == 1
    assert whole.stdout.count(head) == 4
    others = "agreement, systems, pairs, judges"
    told = f"concordant: more tables with --details, or one of them with --table: {others}\n"
    assert (short.stderr, whole.stderr) == (told, "")


def test_a_table_that_the_answer_has_not_says_what_it_needs(folder, refused):
    """One that could be there; a wrong name is refused before any work."""
    missing = run("judge", *JUDGED, "--table", "confusion", cwd=folder)
    refused(missing, "--table: this answer has no table 'confusion', which needs judgements on both sides")
