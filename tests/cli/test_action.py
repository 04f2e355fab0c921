"""The action for GitHub: its script passes or fails as the command does, and no input becomes a command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml", reason="needs PyYAML: pip install pyyaml")
ACTION = yaml.safe_load((Path(__file__).parents[2] / "action.yml").read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]
HUMAN = {"reference": "human.csv", "estimates": "\n Same one=copy.csv \n\n", "at-least": "0.5"}


def test_inputs_reach_scripts_by_the_environment_only():
    """Each input is used, and no script holds an expression."""
    assert not any("${{" in step.get("run", "") for step in STEPS)
    used = [value for step in STEPS for value in (step.get("env") or step["with"]).values()]
    assert sorted(used) == sorted(f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"])


@pytest.mark.parametrize(
    ("given", "code", "told"),
    [
        (HUMAN, 0, "Same one"),
        (
            {**HUMAN, "command": "judge", "estimates": "x=copy.csv", "at-least": "1"},
            1,
            "x, score is not shown",
        ),
        ({**HUMAN, "reference": "$(touch hit).csv", "estimates": "--output=hit"}, 2, "$(touch hit).csv: no"),
        ({**HUMAN, "command": "judge; touch hit", "at-least": "0; touch hit"}, 2, "correlate or judge"),
    ],
)
def test_the_script_ends_as_the_command(folder, tmp_path, given, code, told):
    """On real files, with names that a shell would obey."""
    for name, target in (("human", "human"), ("human", "copy")):
        shutil.copy(folder / f"{name}_ap.csv", tmp_path / f"{target}.csv")
    inputs = {name: each.get("default", "") for name, each in ACTION["inputs"].items()} | given
    env = {name: inputs[value[11:-3]] for name, value in STEPS[-1]["env"].items()}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[-1]["run"]]
    how = {"cwd": tmp_path, "env": {**os.environ, **env}, "capture_output": True, "text": True}
    ended = subprocess.run(command, check=False, **how)
    assert ended.returncode == code, ended.stderr
    assert told in ended.stdout + ended.stderr
    assert not (tmp_path / "hit").exists()
