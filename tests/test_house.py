"""The house: layers, what is private, names of files, where a coefficient is named, words that carry nothing.

Each rule is one test, which lists all places that break it.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import concordant as cd

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "concordant"
FILES = sorted(PACKAGE.rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def place(path: Path, node: ast.AST | None = None) -> str:
    """Return a file of the package, and the line of a node in it."""
    line = "" if node is None else f":{node.lineno}"
    return f"{path.relative_to(PACKAGE)}{line}"


def test_arrows_point_down():
    """The layers of pyproject.toml hold, without an exception to them."""
    lint = Path(sys.executable).parent / "lint-imports"
    result = subprocess.run([lint, "--no-cache"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert result.returncode == 0, result.stdout
    assert "ignore_imports" not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_underscores_are_private_to_their_file():
    """No file imports a name with an underscore from another."""
    found = [
        f"{place(path, node)} imports {alias.name}"
        for path in FILES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("concordant")
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.startswith("__")
    ]
    assert not found


def test_every_file_says_what_it_is():
    """A file begins with a docstring, and the formatter lays out all of it."""
    texts = {path: path.read_text(encoding="utf-8") for path in FILES}
    assert not [place(path) for path in FILES if not ast.get_docstring(tree_of(path))]
    assert not [place(path) for path, text in texts.items() if "fmt: skip" in text or "fmt: off" in text]


def test_a_file_name_has_one_meaning():
    """No stem occurs twice."""
    stems = Counter(path.stem for path in FILES if not path.stem.startswith("__"))
    assert not [stem for stem, number in stems.items() if number > 1]


def test_few_modules_live_outside_the_folders():
    """The package itself holds what all folders share, measures for other programs, and its entry points."""
    assert {path.stem for path in PACKAGE.glob("*.py")} == {
        *("__init__", "__main__", "_lazy", "_version"),
        *("checks", "errors", "measures", "testing", "typing", "work"),
    }


# --- where a coefficient is named ------------------------------------------------------------------------


def docstrings(tree: ast.Module) -> set[int]:
    """Return the identities of the nodes that are docstrings."""
    found = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                found.add(id(statement.value))
    return found


def defaults(tree: ast.Module) -> set[int]:
    """Return the identities of the nodes in defaults of parameters, and in constants in capital letters."""
    found = set()
    for node in ast.walk(tree):
        values = []
        if isinstance(node, ast.FunctionDef):
            values = [each for each in (*node.args.defaults, *node.args.kw_defaults) if each is not None]
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            values = [node.value] if node.targets[0].id.isupper() else []
        found |= {id(each) for value in values for each in ast.walk(value)}
    return found


FAMILIES = {name: Path(sys.modules[c.function.__module__].__file__) for name, c in cd.REGISTRY.items()}


def test_a_coefficient_is_named_in_the_file_of_its_family_alone():
    """Elsewhere it is named in the default of a function, and in documentation; never in code.

    The table of raters has a column for each of four coefficients, computed from its table of counts.
    """
    names = set(cd.REGISTRY) - {"tau"}
    with_columns = ("measures.py", "questions/raters.py", "statistics/rater_agreement.py")
    found = []
    for path in FILES:
        if path in FAMILIES.values():
            continue  # families share code, and refer to their kin
        tree = tree_of(path)
        allowed = docstrings(tree) | defaults(tree)
        for node in ast.walk(tree):
            text = ""
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in allowed:
                text = node.value
            elif isinstance(node, ast.Name):
                text = node.id
            elif isinstance(node, ast.Attribute):
                text = node.attr
            if set(re.findall(r"\w+", text)) & names:
                found.append(f"{place(path, node)}: {text}")
    assert not [each for each in found if not each.startswith(with_columns)], found


def test_the_core_knows_no_coefficient():
    """Meaning lives in Python: the C++ core computes sums and does not say what they are for."""
    for path in (ROOT / "src" / "cpp").rglob("*.?pp"):
        words = set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
        assert not words & (set(cd.REGISTRY) - {"tau"}), path


# --- words come last -------------------------------------------------------------------------------------


def test_no_code_reads_a_note():
    """A note is made where it arises, and shown at the end; what code needs is a field of a record."""
    found = []
    for path in FILES:
        if path == PACKAGE / "results" / "note.py":
            continue
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                owner = node.value.id if isinstance(node.value, ast.Name) else ""
                if node.attr in ("kind", "subject", "values", "text") and owner in (
                    "note",
                    "each_note",
                    "remark",
                ):
                    found.append(place(path, node))
            if isinstance(node, ast.comprehension | ast.For):
                names = {each.attr for each in ast.walk(node.iter) if isinstance(each, ast.Attribute)}
                if "notes" in names and isinstance(node.target, ast.Name):
                    own = node.target.id
                    scope = tree_of(path)
                    found += [
                        place(path, each)
                        for each in ast.walk(scope)
                        if isinstance(each, ast.Attribute)
                        and each.attr in ("kind", "subject")
                        and isinstance(each.value, ast.Name)
                        and each.value.id == own
                    ]
    assert not sorted(set(found))


def test_no_code_takes_a_sentence_apart():
    """No prefix of a sentence is removed, no reason is rewritten by a pattern, no note is searched."""
    forbidden = (
        r"str\(\w*(?:note|reason|verdict)\w*\)\s*\.\s*(?:partition|split|removeprefix|startswith|replace)",
        r"re\.sub\([^)]*\breason\b",
        r"\bverdict\b[^\n]*\.(?:partition|split|removeprefix)\(",
        r"\bSENTENCES\b",
    )
    found = [
        f"{place(path)}: {pattern}"
        for path in FILES
        for pattern in forbidden
        if re.search(pattern, path.read_text(encoding="utf-8"))
    ]
    assert not found
