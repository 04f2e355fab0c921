"""Test an installed package: `smoke.py numpy` where only NumPy is beside it, `smoke.py all` with every extra.

It imports the package, computes a first result, tries the errors that name an extra (or what needs the
extra), and runs the examples of all docstrings. Run it with `python -I`: the package is the installed one.
"""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import concordant as cd


class Runner(doctest.DocTestRunner):
    """Runs examples; remembers those that need a library that is not installed."""

    def __init__(self) -> None:
        super().__init__(optionflags=doctest.FAIL_FAST)
        self.without: list[str] = []

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        """Report an error, unless it names a missing library."""
        if isinstance(exc_info[1], ImportError):
            self.without.append(test.name)
        else:
            super().report_unexpected_exception(out, test, example, exc_info)


def run_examples() -> tuple[int, int, list[str]]:
    """Run the examples of all docstrings; return how many there are, failures, and which need an extra."""
    np.set_printoptions(legacy="1.25")  # 0.5, not np.float64(0.5)
    count, failed, without = 0, 0, []
    for module in pkgutil.walk_packages(cd.__path__, "concordant."):
        if module.name == "concordant.__main__":  # which is the program
            continue
        try:
            content = importlib.import_module(module.name)
        except ImportError as error:
            own = module.name.startswith(("concordant.cli.", "concordant.figures."))
            check(sys.argv[1] == "numpy" and own, f"{module.name} cannot be imported: {error}")
            continue
        for test in doctest.DocTestFinder(exclude_empty=True).find(content, module.name):
            if test.examples:
                runner = Runner()
                runner.run(test)
                count += 1
                failed += bool(runner.failures) and not runner.without
                without += runner.without
    return count, failed, without


def check(holds: bool, what: str) -> None:
    """End with a sentence if something does not hold."""
    if not holds:
        sys.exit(f"smoke test: {what}")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program."""
    return subprocess.run(
        [sys.executable, "-I", "-m", "concordant", *arguments], capture_output=True, text=True, check=False
    )


def without_extras() -> None:
    """Try what needs an extra: the error names it."""
    scores = cd.Scores([[0.1, 0.3, 0.5], [0.4, 0.5, 0.9], [0.2, 0.4, 0.8]])
    result = cd.correlate(scores, scores)
    needed: dict[str, Callable[[], object]] = {
        "frame": result.to_frame,
        "parquet": lambda: cd.grouped("x.parquet", by="g", x="a", y="b", coefficients="tau_b"),
        "plot": lambda: cd.plot(result),
        "sheets": result.to_xlsx,
        "trec": lambda: cd.evaluate("human.qrels", "x.run", "AP"),
    }
    for extra, call in needed.items():
        try:
            call()
        except ImportError as error:
            check(f"pip install 'concordant[{extra}]'" in str(error), f"no extra {extra} in: {error}")
        else:
            check(False, f"what needs the extra {extra} works without it")
    program = run("coefficients")
    check(program.returncode == 2 and "pip install 'concordant[cli]'" in program.stderr, program.stderr)


def with_extras() -> None:
    """Use every extra once, most through the program."""
    with tempfile.TemporaryDirectory() as folder:
        runs, human, judge = (f"{folder}/{name}" for name in ("runs/*.run", "human.qrels", "partial.qrels"))
        page, figure = f"{folder}/page.html", f"{folder}/figure.png"
        scores, judged = f"{folder}/scores.parquet", f"{folder}/judged.csv"
        for arguments in (
            ["demo", folder],
            ["judge", "--runs", runs, "--qrels", human, "--judge", judge, "-m", "nDCG@10", "-o", page],
            ["evaluate", "--runs", runs, "--qrels", human, "-m", "AP", "-o", scores],
            ["evaluate", "--runs", runs, "--qrels", judge, "-m", "AP", "-o", judged],
            ["correlate", scores, judged, "--plot", figure, "-o", f"{folder}/workbook.xlsx"],
            ["experiment", "predict", scores, "--cluster", "local", "--workers", "2", "--n-splits", "20"],
            ["experiment", "grades", "--simulated", "3"],
        ):
            program = run(*arguments)
            check(program.returncode == 0, f"concordant {arguments[0]}: {program.stderr}")
        check(Path(page).stat().st_size > 100_000, "the page has no figures")
        check(Path(figure).read_bytes().startswith(b"\x89PNG"), "the figure is no figure")
        table = cd.read_scores(scores)
        cd.tied_by_significance(table)
    check(len(cd.compare([1, 2, 3], [1, 3, 2]).to_frame()) > 1, "to_frame has no rows")
    program = Path(sysconfig.get_path("scripts")) / "concordant"
    shown = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=True).stdout
    check(shown == f"concordant, version {cd.__version__}\n", shown)


def main() -> None:
    """Run all of it."""
    kind = sys.argv[1]
    check("site-packages" in str(cd.__file__), f"{cd.__file__} is not the installed package")
    check(cd.tau_b([3, 2, 1], [3, 1, 2]) == 1 / 3, "tau_b of three items with one exchange is not 1/3")
    check((Path(cd.__file__).parent / "py.typed").exists(), "py.typed is not there")
    (without_extras if kind == "numpy" else with_extras)()
    count, failed, without = run_examples()
    check(failed == 0, f"{failed} of {count} docstrings have an example that fails")
    check(count > 80, f"only {count} docstrings with examples were found")
    check(kind == "numpy" or not without, f"examples need what no extra installs: {', '.join(without)}")
    python = ".".join(map(str, sys.version_info[:3]))
    print(
        f"smoke test ({kind}): concordant {cd.__version__}, Python {python}, NumPy {np.__version__}: "
        f"examples of {count - len(without)} docstrings run, of {len(without)} need an extra"
    )


if __name__ == "__main__":
    main()
