"""The check of prose: it finds what it should, and lets plain sentences pass."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
spec = importlib.util.spec_from_file_location("prose", ROOT / "docs" / "tools" / "prose.py")
prose = importlib.util.module_from_spec(spec)
spec.loader.exec_module(prose)


@pytest.mark.parametrize("form", prose.FORMS)
def test_each_form_is_found_and_its_better_sentence_is_not(form):
    """The example of a form is found by this form; what stands beside it passes all forms."""
    example, better = prose.FORMS[form]
    assert prose.re.search(form, example)
    assert [number for number, _ in prose.faults(f"fine\n{example}")] == [2]
    assert not list(prose.faults(better)), better


@pytest.mark.parametrize(
    "plain",
    ["where in the list", "not undefined", "not unique", "the one judge and the other judge", "Hence 3."],
)
def test_plain_sentences_pass(plain):
    """Words that only look like a form are left alone."""
    assert not list(prose.faults(plain))


def test_everything_is_read():
    read = {path.relative_to(ROOT).as_posix() for path in prose.files()}
    assert {"README.md", "docs/index.md", "docs/guides/lists.md", "src/concordant/errors.py"} <= read


@pytest.mark.slow  # `make check` runs it before all tests
def test_the_documents_and_the_code_are_plain():
    """No form is found in what is read."""
    found = subprocess.run(
        [sys.executable, ROOT / "docs" / "tools" / "prose.py"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr


@pytest.mark.docs
def test_words_are_spelled_correctly():
    """The spell-checker codespell finds nothing; pyproject.toml has the words that are wrong on purpose."""
    pytest.importorskip("codespell_lib", reason="needs codespell: pip install codespell")
    found = subprocess.run(
        [sys.executable, "-m", "codespell_lib"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert found.returncode == 0, found.stdout + found.stderr
