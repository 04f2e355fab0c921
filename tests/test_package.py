"""The package as a whole: what it exports, what it needs, what its documents say."""

from __future__ import annotations

import importlib.metadata
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import concordant as cd

ROOT = Path(__file__).parent.parent


def python(*arguments, **options):
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, **options
    )


def test_everything_public_is_listed():
    """Every name without an underscore is in __all__, or a module of the package."""
    public = {
        name for name in dir(cd) if not name.startswith("_") and not inspect.ismodule(getattr(cd, name))
    }
    assert public == {name for name in cd.__all__ if not inspect.ismodule(getattr(cd, name))}
    assert set(cd.REGISTRY) <= public


def test_every_family_is_exported():
    """A new file in coefficients/ needs its lines in coefficients/__init__.py."""
    for path in (ROOT / "src" / "concordant" / "coefficients").glob("[a-z]*.py"):
        assert (
            f"from concordant.coefficients.{path.stem} import *" in (path.parent / "__init__.py").read_text()
        ), path


def test_the_version_is_that_of_the_distribution():
    assert cd.__version__ == importlib.metadata.version("concordant")
    assert f"version: {cd.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_importing_loads_numpy_and_nothing_else():
    """Of what is installed outside the standard library."""
    code = """
import sys
before = set(sys.modules)
import numpy
with_numpy = {name.partition(".")[0] for name in sys.modules}
import concordant
concordant.compare([1, 2, 3], [1, 3, 2])
after = {name.partition(".")[0] for name in sys.modules}
print(sorted(after - with_numpy - set(sys.stdlib_module_names)))
"""
    result = python("-c", code)
    assert result.stdout.strip() == "['concordant']", result.stderr


def test_generated_tables_are_what_the_registry_says():
    result = python(str(ROOT / "docs" / "tables.py"), "--check")
    assert result.returncode == 0, result.stderr
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in cd.REGISTRY:
        assert f"| `{name}` |" in readme, name


def test_the_example_runs():
    result = python(str(ROOT / "examples" / "two_rankings.py"), cwd=ROOT)
    assert result.returncode == 0, result.stderr
    for name in (c.name for c in cd.REGISTRY.values() if c.inputs == "scores"):
        assert re.search(rf"^{name} +(-?\d\.\d{{4}}|nan)  ", result.stdout, re.MULTILINE), name


def test_to_frame_without_pandas_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"to_frame needs pandas: pip install 'concordant\[frame\]'"):
        cd.compare([1, 2], [1, 2]).to_frame()


def test_make_help_lists_the_targets():
    result = subprocess.run(["make", "-s", "help"], capture_output=True, text=True, check=True, cwd=ROOT)
    assert {line.split()[1] for line in result.stdout.splitlines()} >= {
        "demo",
        "test",
        "check",
        "bench",
        "sanitize",
    }


@pytest.mark.parametrize(
    ("tool", "variable", "message"),
    [
        ("Python", "PYTHON", "concordant needs Python 3.11 or newer, and '/nowhere/tool' does not run"),
        ("compiler", "CXX", "there is no compiler '/nowhere/tool'; install one"),
    ],
)
def test_what_is_missing_for_a_build_is_one_sentence(tool, variable, message):
    environment = {"PATH": "/usr/bin:/bin", "PYTHON": sys.executable, variable: "/nowhere/tool"}
    result = subprocess.run(
        ["sh", "build-check.sh"], capture_output=True, text=True, check=False, cwd=ROOT, env=environment
    )
    assert result.returncode == 1
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_too_old_a_python_is_one_sentence(tmp_path):
    old = tmp_path / "python3.9"
    old.write_text('#!/bin/sh\ncase "$2" in *print*) echo 3.9;; "") ;; *) exit 1;; esac\n')
    old.chmod(0o755)
    environment = {"PATH": "/usr/bin:/bin", "PYTHON": str(old)}
    result = subprocess.run(
        ["sh", "build-check.sh"], capture_output=True, text=True, check=False, cwd=ROOT, env=environment
    )
    assert result.returncode == 1
    assert f"needs Python 3.11 or newer, and '{old}' is 3.9" in result.stderr
    assert len(result.stderr.splitlines()) == 1
