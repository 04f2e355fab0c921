"""The recipe of CONTRIBUTING.md, followed to the letter in a copy of the tree."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import concordant._core

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^ *```\w+ (\S+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def blocks() -> dict[str, str]:
    """Return what the recipe writes, by file."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return {path: textwrap.dedent(code) for path, code in BLOCK.findall(text)}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the tree in which the recipe was followed."""
    root = tmp_path_factory.mktemp("tree")
    for name in ("src", "tests", "docs"):
        shutil.copytree(
            ROOT / name,
            root / name,
            ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.png", "_build"),
        )
    for name in ("README.md", "pyproject.toml", "conftest.py", "CONTRIBUTING.md", "CITATION.cff"):
        shutil.copy(ROOT / name, root / name)
    shutil.copy(concordant._core.__file__, root / "src" / "concordant")
    # An editable installation would find the package before the copy does.
    (root / "src" / "sitecustomize.py").write_text(
        "import sys\nsys.meta_path = [f for f in sys.meta_path if 'ScikitBuild' not in type(f).__name__]\n"
    )
    for name, code in blocks().items():
        path = root / name
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":  # the values go before the end of the list
            head, _, tail = text.rpartition("\n]")
            text = f"{head},\n" + ",\n".join(code.strip().splitlines()) + f"\n]{tail}"
        else:
            text = f"{text.rstrip()}\n\n\n{code}"
        if path.suffix == ".py" and "src" in path.parts:
            text = text.replace("__all__ = [", '__all__ = ["wilson_e", ', 1)
        path.write_text(text, encoding="utf-8")
    return root


def python(root: Path, *arguments: str) -> str:
    """Run Python on the copy; return what it printed."""
    result = subprocess.run(
        [sys.executable, "-P", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
        env={"PYTHONPATH": f"{root / 'src'}:{root / 'docs' / 'tools'}", "PATH": "/usr/bin:/bin"},
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_the_recipe_names_every_place():
    """Reference, family, bibliography, golden values: nothing else is touched."""
    assert list(blocks()) == [
        "tests/reference/__init__.py",
        "src/concordant/coefficients/kendall.py",
        "src/concordant/references.bib",
        "tests/golden/golden.json",
    ]


def test_the_new_coefficient_is_everywhere(copy):
    """It is found in all functions of coefficients, in dir() and in the program."""
    code = """
import concordant as cd
x, y = [4, 3, 2, 1], [4, 4, 1, 2]
assert cd.wilson_e(x, y) == cd.coefficient("wilson_e")(x, y) == dict(cd.compare(x, y))["wilson_e"] == 0.5
assert "wilson_e" in dir(cd) and "wilson_e" in cd.REGISTRY
assert cd.matrix([x, y], "wilson_e")[0, 1] == 0.5
assert cd.grouped(x, y, [1, 1, 1, 1], "wilson_e")[0] == 0.5
why = cd.explain(x, y, "wilson_e")
assert abs(sum(each.cost for each in why.items) - 0.5) < 1e-12 and abs(why.pairs[0].cost - 1 / 3) < 1e-12, why
assert "wilson_e" in [str(c.coefficient) for c in cd.choose(ties="ignored", top_weighted=False).candidates]
assert cd.experiments.axioms("wilson_e").checks[0].status == "holds"
assert "Parameters" in cd.wilson_e.__doc__
assert "nan if all items are tied in x and in y" in cd.wilson_e.__doc__
assert cd.permutation_test(x, y, "wilson_e", rng=1).statistic == 0.5
"""
    python(copy, "-c", code)
    assert re.search(
        r"^wilson_e +(?:yes|no) .*(?:error|undecided|ignored|equality) ",
        python(copy, "-m", "concordant", "coefficients"),
        re.MULTILINE,
    )


def test_the_tables_of_the_documents_have_it(copy):
    """Made of it alone: what it answers, and its axioms."""
    code = """
import concordant as cd, tables
cd.REGISTRY = {"wilson_e": cd.REGISTRY["wilson_e"]}
print(tables.coefficients(), tables.properties(), sep="\\n")
"""
    assert python(copy, "-c", code).count("\n| `wilson_e` |") == 2


@pytest.mark.slow
def test_the_documents_have_it(copy):
    """The generated tables list it: what it answers, its axioms, and the questions that lead to it."""
    python(copy, "docs/tools/tables.py")
    properties = (copy / "docs" / "reference" / "properties.md").read_text(encoding="utf-8")
    assert properties.count("\n| `wilson_e` |") == 2
    assert "`wilson_e`" in (copy / "docs" / "which.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "where",
    [
        "coefficients/test_claims.py coefficients/test_values.py questions/test_explain_costs.py",
        pytest.param("coefficients questions", marks=pytest.mark.slow),
    ],
)
def test_its_own_tests_pass(copy, where):
    """Every test that runs over all coefficients passes for it: values, golden values, claims, costs."""
    out = python(
        copy,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--assert=plain",  # nothing is rewritten before it is imported
        "-k",
        "wilson_e",
        *(f"tests/{path}" for path in where.split()),
    )
    assert int(re.search(r"(\d+) passed", out)[1]) >= 10, out
