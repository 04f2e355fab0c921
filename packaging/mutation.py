"""Change one operator or constant at a time, and see whether a test fails (`make mutation`).

Nothing is written: each mutant is compiled in a process of its own, which runs the tests of its folder that run the changed
line, as `make coverage` noted. A mutant that no test notices survives, and is printed.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib.abc
import importlib.machinery
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import coverage
import hypothesis  # noqa: F401  # what tests import is imported once, before the processes part
import numpy as np  # noqa: F401
import pandas as pd  # noqa: F401
import pytest
import scipy.stats  # noqa: F401

ROOT = Path(__file__).parent.parent
SECONDS = 300  # then a mutant is taken to never end
SWAPPED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
# Messages, types, and what only says how a class is made or where a warning points.
SKIPPED = (ast.Raise, ast.JoinedStr, ast.arg, ast.Import, ast.ImportFrom)
UNTESTED = {"frozen", "slots", "kw_only", "stacklevel", "repr", "eq", "strict", "returns", "annotation"}


def sites(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what can be changed, always in the same order."""
    for name, field in ast.iter_fields(node):
        for child in field if isinstance(field, list) else [field]:
            if not isinstance(child, ast.AST) or isinstance(child, SKIPPED) or name in UNTESTED:
                continue
            if isinstance(child, ast.keyword) and child.arg in UNTESTED:
                continue
            if mutated(copy.copy(child)) is not None:
                yield child
            yield from sites(child)


def mutated(node: ast.AST) -> str | None:
    """Change a node, and say how; None if there is nothing to change."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPPED:
            node.ops = [SWAPPED[type(op)]()]
        case ast.BinOp(op=op, left=left) if type(op) in SWAPPED:
            if isinstance(op, ast.BitOr) and not isinstance(left, ast.Compare | ast.Call | ast.Subscript):
                return None  # a type, as int | None
            node.op = SWAPPED[type(op)]()
        case ast.BoolOp(op=op) | ast.AugAssign(op=op) if type(op) in SWAPPED:
            node.op = SWAPPED[type(op)]()
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            node.op = ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not()
            if isinstance(node.op, ast.Not):
                node.operand = ast.UnaryOp(ast.Not(), node.operand)
        case ast.Constant(value=bool()):
            node.value = not node.value
        case ast.Constant(value=int() | float()):
            node.value += 1
        case ast.If() | ast.IfExp() if "TYPE_CHECKING" not in ast.unparse(node.test):
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case _:
            return None
    return ast.unparse(node).splitlines()[0]


class Mutant(importlib.abc.MetaPathFinder, importlib.machinery.SourceFileLoader):
    """A changed module, which finds itself when it is imported."""

    def __init__(self, path: Path, index: int) -> None:
        """Change the site of this number."""
        name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
        super().__init__(name, str(path))
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        site = [*sites(self.tree)][index]
        before = ast.unparse(site).splitlines()[0]
        self.line = site.lineno
        self.told = f"{path.relative_to(ROOT)}:{site.lineno}: {before}  ->  {mutated(site)}"

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """Say that this module is loaded from here."""
        found = importlib.machinery.ModuleSpec(name, self, origin=self.path)
        found.has_location = True
        return found if name == self.name else None

    def get_code(self, fullname: str) -> object:
        """Compile the changed module."""
        return compile(ast.fix_missing_locations(self.tree), self.path, "exec")


def tests_of(mutant: Mutant, data: coverage.CoverageData) -> list[str]:
    """Return the tests of the folder of a module that run a line; all of them for a line that imports run."""
    folder = ROOT / "tests" / Path(mutant.path).parent.name
    found = set()
    for context in data.contexts_by_lineno(mutant.path).get(mutant.line, []):
        *modules, test = context.split(".")
        path = folder / f"{modules[-1] if modules else ''}.py"
        if path.exists() and test.startswith("test_") and modules[-2:-1] == [folder.name]:
            found.add(f"{path}::{test}")
    return sorted(found) or [str(folder)]


def run(tests: list[str], mutant: Mutant | None) -> int:
    """Run tests, in a process that ends then."""
    if mutant:
        sys.meta_path.insert(0, mutant)
    signal.alarm(SECONDS)
    with (
        open(os.devnull, "w") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):  # noqa: PTH123
        return int(
            pytest.main(
                ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=1", *tests]
            )
        )


def main() -> None:
    """Draw mutants, test them two at a time, and fail if too many survive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--killed", type=float, default=95, metavar="PERCENT")
    parser.add_argument("folders", nargs="*", default=["coefficients", "statistics"])
    options = parser.parse_args()
    data = coverage.CoverageData(str(ROOT / "build" / "coverage" / "data"))
    data.read()
    paths = [
        path for each in options.folders for path in sorted((ROOT / "src/concordant" / each).glob("*.py"))
    ]
    numbers = {path: len([*sites(ast.parse(path.read_text(encoding="utf-8")))]) for path in paths}
    everything = [(path, index) for path, count in numbers.items() for index in range(count)]
    drawn = random.Random(options.seed).sample(everything, min(options.mutants, len(everything)))
    mutants = [Mutant(*each) for each in drawn]
    waiting = [(tests_of(mutant, data), mutant) for mutant in mutants]
    running: dict[int, Mutant | None] = {}
    survivors, endless, start = [], [], time.monotonic()
    # First the same tests without a change: what they say of mutants means something only if they pass.
    begun: list[tuple[list[str], Mutant | None]] = [
        (sorted({test for tests, _ in waiting for test in tests}), None)
    ]
    queue = [*begun, *waiting]
    while queue or running:
        if queue and len(running) < (os.cpu_count() or 1):
            tests, mutant = queue.pop(0)
            process = os.fork()
            if process == 0:
                os._exit(run(tests, mutant))
            running[process] = mutant
            continue
        process, status = os.wait()
        code, mutant = os.waitstatus_to_exitcode(status), running.pop(process)
        if mutant is None and code != 0:
            sys.exit("mutation: the tests fail without any change; run `make coverage` first")
        if mutant and code == -signal.SIGALRM:
            endless.append(mutant.told)
        if mutant and code == 0:
            survivors.append(mutant.told)
            print(f"survived: {mutant.told}", flush=True)
    killed = 100 * (1 - len(survivors) / len(mutants))
    print(*(f"took longer than {SECONDS} s, counts as killed: {told}" for told in endless), sep="\n", end="")
    print(
        f"mutation: {len(mutants)} of {len(everything)} possible mutants of {', '.join(options.folders)} (seed {options.seed}): "
        f"{killed:.1f} % killed, {len(survivors)} survived, in {time.monotonic() - start:.0f} s"
    )
    if killed < options.killed:
        sys.exit(f"mutation: fewer than {options.killed:g} % were killed")


if __name__ == "__main__":
    main()
