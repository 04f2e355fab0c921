"""Change one operator or constant at a time: does a test fail? `mutation.py 200 1 95`: number, seed, percent.

Nothing is written: each mutant is compiled in a process of its own, which runs those tests of its folder that
run the changed line, as `make coverage` noted. A mutant that no test notices survives, and is printed. Those
of `equivalent.txt` change nothing that can be observed, and do not count.
"""

import ast
import copy
import hashlib
import importlib.abc
import importlib.machinery
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import coverage
import pandas as pd  # noqa: F401  # what tests import is imported once, before the processes part
import pytest
import scipy.stats  # noqa: F401

ROOT = Path(__file__).parent.parent
FOLDERS = ("coefficients", "statistics")
OTHERS = 150  # tests of other folders, at most
FAR = {"cli", "docs", "figures", "playground", "work"}  # their tests start processes or look at pages
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
SECONDS = 60  # a test that takes longer never ends, and counts as failed
PAIRS = [
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn)),
    *((ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.BitAnd, ast.BitOr)),
]
SWAPPED = {ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult}
SWAPPED |= dict(PAIRS) | {other: one for one, other in PAIRS}
# Messages, types, and what only says how a class is made, where a warning points or how much a cache holds.
SKIPPED = (ast.Raise, ast.JoinedStr, ast.arg, ast.Import, ast.ImportFrom)
UNTESTED = {"frozen", "slots", "kw_only", "repr", "eq", "strict", "returns", "annotation"}
UNTESTED |= {"stacklevel", "maxsize"}
# How much is held in memory at a time: it changes no value; `make bench-scale` measures it.
SIZES = {"BLOCK", "AT_ONCE", "_AT_ONCE", "MOST_AT_ONCE", "_MOST_AT_ONCE", "_MOST_COPIED", "_MOST_PAIRS"}


def sites(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what can be changed, always in the same order."""
    for name, field in ast.iter_fields(node):
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, SKIPPED) or not isinstance(child, ast.AST):
                continue
            if name in UNTESTED or getattr(child, "arg", None) in UNTESTED or sizes_memory(child):
                continue
            if mutated(copy.copy(child)):
                yield child
            yield from sites(child)


def sizes_memory(node: ast.AST) -> bool:
    """Tell `BLOCK = 1 << 21` and `max(1, BLOCK // n)`."""
    match node:
        case ast.Call(args=[_, ast.BinOp(ast.Name(name), ast.FloorDiv())]) | ast.Assign([ast.Name(name)]):
            return name in SIZES
    return False


def mutated(node: ast.AST) -> str | None:
    """Change a node, and say how; None if there is nothing to change."""
    match node:
        case ast.BinOp(op=ast.BitOr(), left=ast.Name() | ast.Constant()):
            return None  # a type
        case ast.Compare(ops=[op]) if type(op) in SWAPPED:
            node.ops = [SWAPPED[type(op)]()]
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op) if type(op) in SWAPPED:
            node.op = SWAPPED[type(op)]()
        case ast.UnaryOp(op=ast.USub()):
            node.op = ast.UAdd()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            node.operand = ast.UnaryOp(ast.Not(), operand)
        case ast.Constant(value=bool(value)):
            node.value = not value
        case ast.Constant(value=int() | float()):
            node.value += 1
        case ast.If(test=test) | ast.IfExp(test=test) if "TYPE_CHECKING" not in ast.unparse(test):
            node.test = ast.UnaryOp(ast.Not(), test)
        case _:
            return None
    return ast.unparse(node).splitlines()[0]


def drawn(path: Path, seed: int) -> Iterator[tuple[bytes, Path, int, str]]:
    """Yield for each site a number to draw by, the file, which site it is, and its name.

    The name says where the site is in its function: other changes of the code hardly change what is drawn.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {
        id(node): each.name
        for each in ast.walk(tree)  # outer functions before inner ones
        if isinstance(each, ast.FunctionDef)
        for node in ast.walk(each)
    }
    seen = Counter[str]()
    for index, site in enumerate(sites(tree)):
        place = f"{path.stem}.{inside.get(id(site), '')}: {ast.unparse(site).splitlines()[0]}"
        seen[place] += 1
        name = place if seen[place] == 1 else f"{place} ({seen[place]})"
        yield hashlib.blake2b(f"{seed} {name}".encode()).digest(), path, index, name


class Mutant(importlib.abc.MetaPathFinder, importlib.machinery.SourceFileLoader):
    """A changed module, which finds itself when it is imported."""

    def __init__(self, path: Path, index: int, site_name: str) -> None:
        """Change the site of this number."""
        name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
        super().__init__(name, str(path))
        self.site_name = site_name
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        site = [*sites(self.tree)][index]
        before = ast.unparse(site).splitlines()[0]
        self.line = site.lineno
        inner = [each for each in ast.walk(self.tree) if isinstance(each, ast.FunctionDef)]
        around = [each for each in inner if each.body[0].lineno <= self.line <= (each.end_lineno or 0)]
        self.is_called = bool(around)
        self.is_kept = any("cache" in ast.unparse(how) for each in around for how in each.decorator_list)
        self.told = f"{path.relative_to(ROOT)}:{site.lineno}: {before}  ->  {mutated(site)}"

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        """Say that this module is loaded from here."""
        found = importlib.machinery.ModuleSpec(name, self, origin=self.path)
        found.has_location = True
        return found if name == self.name else None

    def get_code(self, _: str) -> CodeType:
        """Compile the changed module."""
        return compile(ast.fix_missing_locations(self.tree), self.path, "exec")


def tests_of(mutant: Mutant, data: coverage.CoverageData) -> list[str]:
    """Return the tests that run a line; for a line that imports run, all of the folder, and others.

    Those of its folder come first, then one of each other file in turn. Of a file come first those that run
    most of the changed module, because they are about it. A function that no test of the folder calls may be
    called by an import, which is noted with the first test that imports: then all of the folder run.
    So they do for a function whose values are kept: only the first test that asks for one is noted.
    """
    own = f"tests/{Path(mutant.path).parent.name}"
    by_line = data.contexts_by_lineno(mutant.path)
    lines = Counter(each for tests in by_line.values() for each in tests)
    run = by_line.get(mutant.line, []) if mutant.is_called else lines
    found = sorted((each for each in run if "::" in each), key=lambda each: (-lines[each], each))
    near = [each for each in found if each.startswith((f"{own}/", "src/"))]
    if not mutant.is_called or not found or mutant.is_kept or ("" in run and not near):
        near.append(own)
    others: dict[str, Any] = dict.fromkeys(each for each in found if each not in near)
    files = Counter[str]()
    for each in others:
        file = each.partition("::")[0]
        files[file] += 1
        others[each] = file.split("/")[1] in FAR, files[file]
    return [*near, *sorted(others, key=others.__getitem__)[:OTHERS]]


class Clock:
    """Ends the process if a test takes too long."""

    def pytest_runtest_logstart(self) -> None:
        """Start anew."""
        signal.alarm(SECONDS)


def run(tests: list[str], mutant: Mutant | None) -> int:
    """Run tests, in a process that ends then."""
    if mutant:
        sys.meta_path.insert(0, mutant)
    signal.alarm(SECONDS)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=1"]
    return int(pytest.main([*options, *tests], plugins=[Clock()]))


def main() -> None:
    """Draw mutants, test as many at a time as there are cores, and fail if too many survive."""
    count, seed, least = map(int, sys.argv[1:])
    os.chdir(ROOT)
    data = coverage.CoverageData("build/coverage/data")
    data.read()
    paths = [path for each in FOLDERS for path in sorted((ROOT / "src" / "concordant" / each).glob("*.py"))]
    everything = sorted(each for path in paths for each in drawn(path, seed))
    mutants = [Mutant(*each) for _, *each in everything[:count]]
    lines = (ROOT / "packaging" / "equivalent.txt").read_text(encoding="utf-8").splitlines()
    equivalent = dict(line.split("  # ") for line in lines if line)
    waiting = [(tests_of(mutant, data), mutant) for mutant in mutants]
    running: dict[int, Mutant | None] = {}
    survivors, excused, start = 0, 0, time.monotonic()
    # First a few of the tests without a change: what they say of mutants means something only if they pass.
    tests = sorted({each[0] for each, _ in waiting})
    queue: list[tuple[list[str], Mutant | None]] = [(tests, None), *waiting]
    while queue or running:
        if queue and len(running) < CORES:
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
        if mutant is None or code not in (0, -signal.SIGALRM):
            continue
        why = equivalent.get(mutant.site_name) if code == 0 else None
        survivors, excused = survivors + (code == 0 and not why), excused + bool(why)
        kind = f"equivalent ({why})" if why else "survived" if code == 0 else "never ends"
        print(f"{kind}: {mutant.told} [{mutant.site_name}]", flush=True)
    killed = 100 * (1 - survivors / (count - excused))
    print(
        f"mutation: {count} of {len(everything)} mutants of {' and '.join(FOLDERS)}, seed {seed}: "
        f"{excused} are equivalent; of the others {killed:.1f} % killed, {survivors} survived, "
        f"{time.monotonic() - start:.0f} s"
    )
    if killed < least:
        sys.exit(f"mutation: fewer than {least} % were killed")


if __name__ == "__main__":
    main()
