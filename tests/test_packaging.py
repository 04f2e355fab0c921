"""What is installed beside the modules: extras, the manual page, the documents that name the version."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import concordant as cd
from concordant.cli.program import all_commands

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def manual():
    """Return the text of the manual page, as `make man` writes it."""
    path = ROOT / "docs" / "tools" / "man.py"
    spec = importlib.util.spec_from_file_location("man", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.page()


def test_the_extra_all_names_every_extra():
    """No extra is forgotten."""
    extras = PROJECT["optional-dependencies"]
    (whole,) = extras["all"]
    named = re.fullmatch(r"concordant\[(.*)\]", whole)[1].split(",")
    assert named == sorted(set(extras) - {"all"})


def test_every_extra_that_a_message_names_is_there():
    """So that what a message says can be typed."""
    named = set()
    for path in (ROOT / "src" / "concordant").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        named.update(re.findall(r"concordant\[(\w+)\]'", text))
        named.update(re.findall(r"missing_library\([^)]*\"(\w+)\"\)", text))
    assert {"cli", "plot", "frame", "trec"} <= named
    assert named <= set(PROJECT["optional-dependencies"])


def test_the_changelog_has_this_version():
    """A release cannot forget it."""
    assert f"\n## {cd.__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_manual_page_has_every_command_and_option():
    """It is made from the commands themselves."""
    text = manual().replace(r"\-", "-")
    for name, command in all_commands().items():
        section = text.partition(f'.SS "concordant {name}"\n')[2].partition("\n.S")[0]
        assert section.startswith(rf"\fBconcordant {name}\fR [OPTIONS]"), name
        for each in command.params:
            assert each.param_type_name == "argument" or rf"\fB{each.opts[0]}" in section, (name, each.name)


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_manual_page_is_set_without_a_warning():
    """By the program that shows it."""
    result = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z"], input=manual(), capture_output=True, text=True, check=True
    )
    assert result.stderr == ""


def test_the_paper_counts_the_coefficients_and_cites_what_there_is():
    """It is read by people who cannot run it."""
    paper = (ROOT / "paper.md").read_text(encoding="utf-8")
    assert f" has {len(list(cd.REGISTRY))} coefficients" in paper
    keys = set(re.findall(r"@([a-z]+[0-9]{4})", paper))
    references = ROOT / "src" / "concordant" / "references.bib"
    known = set(re.findall(r"@\w+\{(\w+),", references.read_text(encoding="utf-8")))
    assert len(keys) >= 10
    assert keys <= known
