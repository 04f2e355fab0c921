"""What a user's script sees under mypy --strict and pyright."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent
ROOT = Path(__file__).parents[1]

SCRIPT = """\
import concordant as cd
import numpy as np
import pandas as pd
import polars as pl

x = [1.0, 2.0, 3.0]
array = np.array(x)
reveal_type(cd.tau_b(x, x))  # float64
reveal_type(cd.tau_b({"a": 1.0}, {"a": 2.0}, threshold=0.1))  # float64
reveal_type(cd.tau_b(array, array))  # float64 | ndarray
reveal_type(cd.matrix([x, x], "tau_b"))  # ndarray
reveal_type(cd.matrix({"a": x}, "tau_b"))  # Matrix
reveal_type(cd.grouped(x, x, [1, 1, 2], "tau_b"))  # ndarray
reveal_type(cd.grouped(x, x, [1, 1, 2], "tau_b", return_labels=True))  # tuple[ndarray, list]
frame = pd.DataFrame({"user": [1], "human": x[:1], "model": x[:1]})
reveal_type(cd.grouped(frame, by="user", x="human", y="model", coefficients=["tau_b"]))  # DataFrame
reveal_type(cd.matrix(frame, "tau_b"))  # DataFrame
lazy = pl.LazyFrame({"user": [1], "human": x[:1], "model": x[:1]})
reveal_type(cd.grouped(lazy, by=["user"], x="human", y="model", coefficients="tau_b"))  # LazyFrame
result = cd.judge({"a": 1.0}, {"gpt": {"a": 1.0}})
reveal_type(result)  # JudgeResult
reveal_type(result.agreement[0].value)  # float
reveal_type(result.agreement[0].interval)  # ConfidenceInterval | None
reveal_type(cd.compare(x, x))  # Comparison
reveal_type(cd.bootstrap(array, array, "tau_b"))  # BootstrapResult
reveal_type(cd.experiments.predict(array).predictions[0].mean)  # float | None
reveal_type(cd.evaluate("a.qrels", "b.run", "AP"))  # Scores
print(round(cd.tau_b(x, x), 4))
"""
WRONG = {
    "a misspelt option": "cd.tau_b(x, x, treshold=0.1)",
    "an unknown name": "cd.tau_zzz",
    "a wrong word": 'cd.tau_b(x, x, nan_policy="ignore")',
    "an unknown field": "result.agreement[0].low",
    "a frame without columns": 'cd.grouped(frame, by="user", coefficients="tau_b")',
    "a wrong method": 'cd.bootstrap(array, array, "tau_b", method="simex")',
}


LINES = [*SCRIPT.splitlines(), *WRONG.values()]


def said_by(checker: str, folder: Path) -> dict[int, str]:
    """Return what a type checker says of each line of the script, the wrong calls at its end."""
    (folder / "script.py").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    if checker == "mypy":
        # With the settings of `make check`, whose cache has most of what the script imports.
        settings = ["--config-file", ROOT / "pyproject.toml", "--cache-dir", ROOT / ".mypy_cache"]
        command = [BIN / "mypy", "--strict", *settings, "script.py"]
    else:
        command = [BIN / "pyright", "--pythonpath", sys.executable, "script.py"]
    out = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder).stdout
    by_line: dict[int, str] = {}
    for number, message in re.findall(r"script\.py:(\d+):(.*)", out):
        by_line[int(number)] = by_line.get(int(number), "") + message + "\n"
    assert by_line, out
    return by_line


@pytest.mark.parametrize("checker", ["mypy", pytest.param("pyright", marks=pytest.mark.slow)])
def test_a_users_script_sees_real_types_and_wrong_calls_are_errors(checker, tmp_path):
    """Every revealed type holds the words of the comment behind it, none is Any, and there are no errors.

    A misspelt option, an unknown coefficient, a wrong word are found before the script runs.
    """
    said = said_by(checker, tmp_path)
    for number, line in enumerate(SCRIPT.splitlines(), 1):
        message = said.get(number, "")
        assert not re.search(r"\berror\b", message), message
        if line.startswith("reveal_type"):
            assert message, line
            for word in re.findall(r"\w+", line.partition("  # ")[2]):
                assert word in message, message
            assert not re.search(r'(is|type is) "(Any|Unknown)"', message), message
    for number, (what, line) in enumerate(WRONG.items(), len(SCRIPT.splitlines()) + 1):
        assert re.search(r"\berror\b", said.get(number, "")), f"{what}: {line}\n{said}"
