"""The house: folders, layers, what is private, where a coefficient is named, how long a file is."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import concordant as cd

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "concordant"
FILES = sorted(PACKAGE.rglob("*.py"))
ids = [str(path.relative_to(PACKAGE)) for path in FILES]
each_file = pytest.mark.parametrize("path", FILES, ids=ids)


def folder_of(path: Path) -> str:
    """Return the folder of the package in which a file lives; empty for the package itself."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def test_arrows_point_down():
    """The layers of pyproject.toml hold, without an exception to them."""
    lint = Path(sys.executable).parent / "lint-imports"
    result = subprocess.run([lint, "--no-cache"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert result.returncode == 0, result.stdout
    assert "ignore_imports" not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@each_file
def test_underscores_are_private_to_their_file(path):
    """No file imports a name with an underscore from another."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("concordant"):
            private = [a.name for a in node.names if a.name.startswith("_") and not a.name.startswith("__")]
            assert not private, f"{path}: imports {private}"


@each_file
def test_files_are_short(path):
    """A file has one purpose, and about 400 lines at most."""
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), "says what it is"
    assert "fmt: skip" not in text
    assert "fmt: off" not in text


def test_few_modules_live_outside_the_folders():
    """The package itself holds errors, types, measures for other programs, and its entry points."""
    outside = {path.name for path in PACKAGE.glob("*.py")}
    assert outside == {
        *("__init__.py", "__main__.py", "_version.py"),
        *("checks.py", "errors.py", "measures.py", "typing.py"),
    }


def docstrings(tree: ast.Module) -> set[int]:
    """Return the identities of the nodes that are docstrings."""
    found = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                found.add(id(statement.value))
    return found


FAMILIES = {name: Path(sys.modules[c.function.__module__].__file__) for name, c in cd.REGISTRY.items()}
IN_EXAMPLES = {"tau_b", "tau_ap_b", "rbo"}  # the documentation outside the families shows these


@each_file
def test_a_coefficient_is_named_in_the_file_of_its_family_alone(path):
    """Nothing outside the file of a family knows a coefficient by name, but for defaults and examples."""
    text = path.read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", text))
    foreign = {name for name in cd.REGISTRY if FAMILIES[name] != path} - {"tau"}
    family = path.parent == PACKAGE / "coefficients" and path in FAMILIES.values()
    if family:
        return  # families share code, and refer to their kin
    tree = ast.parse(text)
    of_signatures = [
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for default in (*function.args.defaults, *function.args.kw_defaults)
        if default is not None
        for node in ast.walk(default)
    ]
    defaults = {node.value for node in of_signatures if isinstance(node, ast.Constant)}
    assert not (words & foreign) - IN_EXAMPLES - defaults
    shown = docstrings(tree) | set(map(id, of_signatures))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in shown:
            assert not set(re.findall(r"\w+", node.value)) & foreign, f"{path}:{node.lineno}"
        if isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            assert name not in foreign, f"{path}:{node.lineno}"


def test_the_core_knows_no_coefficient():
    """Meaning lives in Python: the C++ core computes sums and does not say what they are for."""
    for path in (ROOT / "src" / "cpp").rglob("*.?pp"):
        words = set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
        assert not words & (set(cd.REGISTRY) - {"tau"}), path


def test_what_is_found_is_not_found_by_a_sentence():
    """No code takes a sentence apart, or looks for the beginning of one."""
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        for forbidden in ('.removeprefix("Scores', 'split(" and ")', "undefined.replace(", "note.startswith"):
            assert forbidden not in text, f"{path}: {forbidden}"
