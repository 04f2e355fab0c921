"""The package as a whole: what it exports, what it needs, what its documents say."""

from __future__ import annotations

import ast
import dataclasses
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
    """dir() shows the public names and nothing else, and each of them can be loaded."""
    assert set(dir(cd)) == {*cd.__all__, "__version__"}
    assert not [name for name in dir(cd) if name.startswith("_") and name != "__version__"]
    modules = {name for name in dir(cd) if inspect.ismodule(getattr(cd, name))}
    assert modules == {"experiments", "results"}
    assert set(cd.REGISTRY) <= set(dir(cd))
    assert len(dir(cd)) <= 85


@pytest.mark.parametrize("package", ["concordant", "concordant.results"])
def test_the_names_of_a_package_are_those_of_its_stub(package):
    """The package finds in its stub what the grammar finds, and its modules have these names."""
    package = importlib.import_module(package)
    stub = ast.parse(Path(package.__file__ + "i").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    listed = {alias.name for node in imports for alias in node.names if alias.name != "*"}
    families = {name for name in vars(families_of(imports)) if not name.startswith("_")}
    assert set(package.__all__) == listed | (families if package is cd else set())
    for node in imports:
        for alias in node.names:
            assert alias.name in ("*", alias.asname), "exported for type checkers"
            if alias.name != "*" and node.module != "concordant":
                assert getattr(package, alias.name) is getattr(
                    importlib.import_module(node.module), alias.name
                )


def families_of(imports):
    """Return the module of which all names are public."""
    whole = [node.module for node in imports if node.names[0].name == "*"]
    return importlib.import_module(whole[0]) if whole else ast


def test_every_result_and_record_is_in_results():
    """Whatever a public function returns, its class and those of its tables can be named."""
    found = set()
    for name in dir(cd.results):
        kind = getattr(cd.results, name)
        if isinstance(kind, type) and issubclass(kind, cd.Result):
            found |= {each.metadata["kind"] for each in dataclasses.fields(kind) if "kind" in each.metadata}
    public = [getattr(cd.results, name) for name in dir(cd.results)]
    assert not [kind.__name__ for kind in found if kind not in public]


def test_an_unknown_name_is_an_attribute_error():
    """As for any module."""
    with pytest.raises(AttributeError, match="module 'concordant' has no attribute 'tau_zzz'"):
        cd.tau_zzz  # noqa: B018


def test_any_order_of_imports_works():
    """A folder can be imported alone, and public names are found whatever was imported before."""
    for first in ("questions.judge", "coefficients.kendall", "reading.files", "cli.main"):
        code = (
            f"import concordant.{first}; import concordant as cd; print(cd.compare([1, 2], [1, 2])['tau_b'])"
        )
        assert python("-c", code).stdout.strip() == "1.0", first
    code = "from concordant.questions.matrix import matrix; print(matrix([[1, 2], [2, 1]], 'tau_b')[0, 1])"
    assert python("-c", code).stdout.strip() == "-1.0"


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


def test_the_example_runs():
    result = python(str(ROOT / "examples" / "two_rankings.py"), cwd=ROOT)
    assert result.returncode == 0, result.stderr
    for name in (c.name for c in cd.REGISTRY.values() if c.inputs == "scores"):
        assert re.search(rf"^{name} +(-?\d\.\d\d+|-)  ", result.stdout, re.MULTILINE), name


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
