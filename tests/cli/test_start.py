"""How the program starts and ends: help, time, what is missing, what interrupts it."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner
from support.program import run, run_process

from concordant import __version__
from concordant.cli.program import all_commands, coefficients, experiment, program

HEADINGS = ["Examples", "Example", "Input", "Question", "Intervals", "Output", "Large data"]
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
COMMANDS = [
    *("correlate", "judge", "evaluator", "by-topic", "explain", "board", "matrix", "sweep", "runs"),
    *("labels", "metrics", "grouped"),
    *("coefficients list", "coefficients choose", "coefficients identify", "coefficients axioms", "plan"),
    *("evaluate", "show", "demo"),
    *(f"experiment {name}" for name in ("predict", "pool", "swap", "gaps", "grades", "reuse", "stability")),
    "completion",
]


@pytest.mark.parametrize("command", ["", "coefficients", "experiment", *COMMANDS])
def test_help_has_an_example(command):
    """One that begins with the command."""
    result = run(command, "--help")
    assert result.returncode == 0, result.stderr
    assert re.search(rf"Examples?:\n +concordant {command or 'correlate'}", result.stdout)


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_of_help_name_options_that_there_are(command):
    """Help does not lag behind the options."""
    examples = re.findall(r"^ +concordant (.*)$", all_commands()[command].help, re.MULTILINE)
    known = {option for each in all_commands()[command].params for option in each.opts + each.secondary_opts}
    assert examples
    for example in examples:
        assert example.startswith(command)
        assert set(re.findall(r"(?<=\s)--?[a-z][\w-]*", example)) <= known


def test_help_needs_no_numpy():
    """Of the program, which lists no defaults and no tables; nor do wrong commands."""
    code = """
import sys
from unittest import mock
from concordant.cli import main
for arguments in (["--help"], ["--version"], ["nonsense"]):
    with mock.patch.object(sys, "argv", ["concordant", *arguments]):
        try:
            main()
        except SystemExit:
            pass
        assert "numpy" not in sys.modules, arguments
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("group", [program, coefficients, experiment])
def test_every_command_is_listed_in_one_whole_sentence(group):
    """Under the headings, in the order of the most used ones, in lines that fit a terminal."""
    name = "" if group is program else group.name
    text = run(name, "--help").stdout.partition("--help")[2]
    headings = re.findall(r"^(\w.*):$", text, re.MULTILINE)
    assert headings == list(group.sections)
    lines = re.findall(r"^  ([a-z-]+) +(.*)$", text.partition(f"\n{headings[0]}:\n")[2], re.MULTILINE)
    assert [listed for listed, _ in lines] == list(group.lines)
    assert all(sentence.endswith((".", "?")) for _, sentence in lines)
    assert max(map(len, text.splitlines())) <= 80


def test_every_command_is_tested_here():
    assert list(all_commands()) == COMMANDS


def test_coefficients_alone_lists_them():
    """With the options of the list, if any is given."""
    listed = run("coefficients list", "--format", "csv")
    assert run("coefficients", "--format", "csv").stdout == listed.stdout
    assert run("coefficients").stdout == run("coefficients list").stdout


def test_the_version_is_that_of_the_package():
    """In one line."""
    assert run("--version").stdout == f"concordant, version {__version__}\n"


@pytest.mark.parametrize(
    "command", ["correlate", "judge", "by-topic", "explain", "matrix", "sweep", "runs", "coefficients axioms"]
)
def test_a_command_that_needs_arguments_shows_its_help(command):
    """With the code of wrong use."""
    result = run(command)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"Usage: concordant {command} ")


def processor_time():
    """Return the processor time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def fastest(*command):
    """Return the least processor time of several runs: it does not depend on what else the machine does."""
    times = []
    for _ in range(3):
        start = processor_time()
        subprocess.run(command, capture_output=True, check=True, env=ENVIRONMENT)
        times.append(processor_time() - start)
    return min(times)


def test_the_program_starts_quickly():
    """Help within 0.1 s; commands within 0.3 s of NumPy; where Python itself starts in 15 ms or less."""
    slower = max(1.0, fastest(sys.executable, "-c", "pass") / 0.015)
    assert fastest(sys.executable, "-m", "concordant", "--help") < 0.1 * slower
    numpy = fastest(sys.executable, "-c", "import numpy")
    assert fastest(sys.executable, "-m", "concordant", "coefficients") - numpy < 0.3 * slower


def test_help_loads_no_command():
    """Loading them all takes longer than printing."""
    code = """
import sys
from concordant.cli import main
sys.argv = ["concordant", "--help"]
try:
    main()
except SystemExit:
    print(sorted(name for name in sys.modules if name.startswith("concordant.cli.")), file=sys.stderr)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stderr.strip() == str([f"concordant.cli.{name}" for name in ("main", "program")])


def test_the_program_without_its_extra_says_what_to_install(tmp_path):
    """In one sentence."""
    (tmp_path / "click.py").write_text("raise ModuleNotFoundError(\"No module named 'click'\", name='click')")
    result = run_process("coefficients", env={**ENVIRONMENT, "PYTHONPATH": str(tmp_path)})
    assert result.returncode == 2
    sentence = "the command line needs click and rich: pip install 'concordant[cli]'"
    assert result.stderr == f"concordant: {sentence}\n"


def test_debug_shows_where(folder):
    """The sentence comes last."""
    result = run_process("correlate", folder / "human.csv", "nope.csv", "--debug")
    assert result.returncode == 2
    assert "Traceback" in result.stderr
    assert result.stderr.endswith("concordant: nope.csv: no such file; check its name and folder\n")


def test_an_interrupted_program_ends_with_130(tmp_path):
    """And says so, without a traceback."""
    os.mkfifo(tmp_path / "pipe")
    process = subprocess.Popen(
        [sys.executable, "-m", "concordant", "matrix", str(tmp_path / "pipe")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with (tmp_path / "pipe").open("w"):  # opens when the program reads
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=20)
    assert process.returncode == 130
    assert stdout == ""
    assert stderr.strip() == "concordant: interrupted"


def test_a_process_prints_what_the_tests_see(folder):
    """The tests run the program inside their own process; another says the same."""
    arguments = ["judge", "--reference", "human.csv", "--judge", "noisy.csv", "--n-resamples", "50"]
    result, own = run_process(*arguments, cwd=folder), run(*arguments, cwd=folder)
    assert (result.returncode, result.stdout, result.stderr) == (0, own.stdout, own.stderr)


@pytest.mark.parametrize("name", all_commands())
def test_help_fits_a_terminal(name):
    """At 80 columns no line is longer; a command of many options shows 25, and --help-all all options."""
    command = all_commands()[name]
    short, whole = (
        CliRunner().invoke(program, [*name.split(), option], terminal_width=80).output
        for option in ("--help", "--help-all")
    )
    assert max(map(len, short.splitlines())) <= 80
    if len(command.params) <= 8:
        assert "No such option" in whole
        return
    assert short.count("\n") <= 25, short
    titles = [line[:-1] for line in whole.splitlines() if re.fullmatch(r"[A-Z].*:", line)]
    assert titles == [each for each in HEADINGS if each in titles]
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            assert max(option.opts, key=len) in whole
