"""Completion, in the shells themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from support.program import run

from concordant.cli.program import all_commands

WORDS = [
    ("concordant ju", ["judge"]),
    ("concordant correlate hu", ["human.csv"]),
    ("concordant correlate a.csv b.csv -c tau_ap", ["tau_ap", "tau_ap_a", "tau_ap_b", "tau_ap_e"]),
    ("concordant runs a.run b.run -c rb", ["rbo", "rba"]),
    ("concordant judge --table rel", ["reliability"]),
    ("concordant expe", ["experiment"]),
    ("concordant experiment sw", ["swap"]),
    ("concordant experiment swap --fig", ["--figure"]),
    ("concordant coefficients ch", ["choose"]),
    ("concordant coefficients axioms tau_ap_a", ["tau_ap_a", "tau_ap_ac"]),
    ("concordant judge --judge a.qrels --fig", ["--figure"]),
    ("concordant demo pie", ["pieces"]),
    ("concordant completion z", ["zsh"]),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a program, a table and a folder."""
    place = tmp_path_factory.mktemp("place")
    (place / "bin").mkdir()
    program = place / "bin" / "concordant"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m concordant "$@"\n')
    program.chmod(0o755)
    (place / "human.csv").touch()
    (place / "pieces").mkdir()
    for shell in ("bash", "zsh", "fish"):
        (place / f"script.{shell}").write_text(run("completion", shell).stdout)
    return place


def ask(place, *command):
    environment = {**os.environ, "PATH": f"{place / 'bin'}:{os.environ['PATH']}", "HOME": str(place)}
    result = subprocess.run(
        command, capture_output=True, text=True, cwd=place, env=environment, timeout=60, check=True
    )
    assert result.stderr == ""
    return result.stdout


@pytest.mark.parametrize(("typed", "offered"), WORDS)
def test_what_is_offered(place, typed, offered):
    """Commands of groups, options, and their values; files and folders are left to the shell."""
    typed = typed.split()
    environment = {"COMP_WORDS": " ".join(typed), "COMP_CWORD": str(len(typed) - 1)}
    answer = run("", cwd=place, env={**environment, "_CONCORDANT_COMPLETE": "bash_complete"}).stdout
    kinds = [line.split(",", 1) for line in answer.splitlines()]
    left = [["file" if "." in word else "dir", typed[-1]] for word in offered]
    assert kinds in ([["plain", word] for word in offered], left)


some_and_all = pytest.mark.parametrize(
    "asked", [WORDS[:4], pytest.param(WORDS, marks=pytest.mark.slow)], ids=["some", "all"]
)


@some_and_all
def test_bash_completes(place, asked):
    """Commands, options, and their values; files are left to bash, which is told so."""
    lines = ["source script.bash", "compopt() { COMPREPLY=($(compgen -f -- ${COMP_WORDS[COMP_CWORD]})); }"]
    for words, _ in asked:
        last = len(words.split()) - 1
        lines += [f"COMP_WORDS=({words})", f"COMP_CWORD={last}", "COMPREPLY=()"]
        lines += ["_concordant_completion concordant", 'echo "${COMPREPLY[@]}"']
    answers = ask(place, "bash", "--norc", "-c", "\n".join(lines)).splitlines()
    assert [answer.split() for answer in answers] == [offered for _, offered in asked]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@some_and_all
def test_fish_completes(place, asked):
    """The same."""
    for words, offered in asked:
        answer = ask(place, "fish", "--no-config", "-c", f"source script.fish; complete -C '{words}'")
        assert [line.split("\t")[0].rstrip("/") for line in answer.splitlines()] == sorted(offered)


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_knows_who_completes(place):
    """A script can press no tabulator in zsh; it shows that the function is there."""
    lines = "autoload -Uz compinit; compinit -u -D; source script.zsh; print $_comps[concordant]"
    assert ask(place, "zsh", "-f", "-c", lines) == "_concordant_completion\n"


def test_nothing_is_offered_where_nothing_fits(place):
    """A wrong value before does no harm."""
    for words in ("concordant zz", "concordant judge --table nonsense --top x --zz"):
        environment = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
        settings = [f"{name}={value}" for name, value in environment.items()]
        assert ask(place, "env", *settings, "_CONCORDANT_COMPLETE=bash_complete", "concordant") == "\n"


def test_every_coefficient_option_offers_coefficients():
    """No command is forgotten."""
    for command in all_commands().values():
        for each in command.params:
            if each.name in ("coefficients", "coefficient"):
                assert each._custom_shell_complete is not None, command.name
