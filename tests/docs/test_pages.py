"""The pages that are made from the code: none is missing. They are made without Sphinx."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import concordant as cd
from concordant.cli.program import all_commands

DOCS = Path(__file__).parent.parent.parent / "docs"


@pytest.fixture(scope="module")
def made():
    """All generated pages by folder and file name."""
    added = [str(DOCS / folder) for folder in ("_ext", "tools")]
    sys.path[:0] = added
    try:
        import api_pages
        import coefficient_pages
        import command_pages
        import parts
    finally:
        del sys.path[: len(added)]
    makers = {"api": api_pages, "coefficients": coefficient_pages, "commands": command_pages, "parts": parts}
    return {folder: maker.pages() for folder, maker in makers.items()}


def test_every_public_name_has_a_page(made):
    """Also those of the public modules; modules themselves are described by their names."""
    public = set(cd.__all__) - {"experiments", "results", *cd.REGISTRY}
    public |= {f"results.{name}" for name in cd.results.__all__ if name not in cd.__all__}
    public |= {f"experiments.simulate.{name}" for name in cd.experiments.simulate.__all__}
    public |= {f"experiments.{name}" for name in cd.experiments.__all__ if name != "simulate"}
    assert not {f"{name}.md" for name in public} - set(made["api"])
    text = "\n".join(page for name, page in made["api"].items() if name.endswith("-group.md"))
    for name in public:
        assert f"({name}.md)" in text, f"{name} is in no group"


def test_every_coefficient_has_a_page_with_all_parts(made):
    """Formula, properties, function, citation, related coefficients; and a row in the table of all."""
    for name, c in cd.REGISTRY.items():
        page = made["coefficients"][f"{name}.md"]
        for part in ("## Formula", "$$", "| a tie is |", f"autofunction:: concordant.{name}", "## Citation"):
            assert part in page, (name, part)
        assert "## Related coefficients\n\n- [" in page, name
        assert f"({name}.md) | {c.question} |" in made["coefficients"]["index.md"]


def test_published_values_are_shown(made):
    """The call, the value and the remark about the print."""
    page = made["coefficients"]["tau_b.md"]
    assert ">>> round(cd.tau_b([-1, -2.5, -2.5, -4, -5], [-1, -3, -3, -3, -5]), 4)\n0.8819" in page
    assert "The print has 0.5, the value of tau_a." in page


def test_every_command_has_a_page_with_its_options(made):
    """The usage, the options of --help and the examples."""
    for name, command in all_commands().items():
        file = f"{name.replace(' ', '-')}.md"
        page = made["commands"][file]
        assert f"concordant {name} " in page
        for option in command.params:
            if option.param_type_name == "option" and not option.hidden:
                assert max(option.opts, key=len) in page, (name, option.opts)
        assert f"]({file}) |" in made["commands"]["index.md"]


def test_every_paper_is_cited(made):
    """The page on citing has concordant itself, and each paper with its coefficients."""
    page = made["parts"]["citing.md"]
    assert "@software{concordant," in page
    for c in cd.REGISTRY.values():
        assert f"{{{c.cite}," in page
        assert f"[`{c.name}`](reference/coefficients/{c.name}.md)" in page


def test_changes_of_numbers_come_first(made):
    """What alters a number is read before the rest."""
    page = made["parts"]["changes.md"]
    titles = [line for line in page.splitlines() if line.startswith("### ")]
    assert not titles or titles[0] in ("### Changes of numbers", "### Numbers that changed"), titles


@pytest.mark.parametrize("folder", ["guides", "reference", "background"])
def test_pages_have_one_name(folder):
    """The index of a folder calls each page as the page calls itself."""
    text = (DOCS / folder / "index.md").read_text(encoding="utf-8")
    links = re.findall(r"(?m)^(?:\| |:::\{grid-item-card\} )\[(.+?)\]\((.+?\.md)\)", text)
    assert len(links) > 5
    for name, path in links:
        page = DOCS / folder / path
        if page.exists():  # others are made by the build
            title = re.search(r"(?m)^# (.+)$", page.read_text(encoding="utf-8"))[1]
            assert name == title, path


@pytest.mark.docs
def test_generated_tables_are_what_the_registry_says():
    """Axioms and claims of all coefficients."""
    command = [sys.executable, str(DOCS / "tools" / "tables.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    properties = (DOCS / "reference" / "properties.md").read_text(encoding="utf-8")
    for name in cd.REGISTRY:
        assert f"| `{name}` |" in properties, name
