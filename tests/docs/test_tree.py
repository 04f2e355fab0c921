"""The picture and the table of the questions that lead to a coefficient."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import concordant as cd

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def tree(monkeypatch):
    """Return the script that draws the picture."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "tools"))
    import tree

    yield tree
    sys.modules.pop("tree", None)


def test_every_coefficient_is_at_one_end(tree):
    """No coefficient is missing, and none is there twice."""
    rows = [row for level in tree.levels() for row in level.rows]
    names = [name for row in rows for name in (*row.top, *row.alike)]
    assert sorted(names) == sorted(cd.REGISTRY)


def test_the_pictures_are_those_of_the_questions(tree):
    """They are drawn again by `make readme` after a question or a coefficient has changed."""
    for name, width in tree.PICTURES.items():
        assert (ROOT / name).read_text(encoding="utf-8") == tree.picture(width), name


@pytest.mark.parametrize("width", [360, 720])
def test_a_picture_holds_all_names_within_its_width(tree, width):
    """Its text for those who do not see it holds them, too."""
    root = ElementTree.fromstring(tree.picture(width))
    texts = root.findall("{http://www.w3.org/2000/svg}text")
    drawn = ["".join(each.itertext()) for each in texts]
    links = [each.get("href") for each in root.iter("{http://www.w3.org/2000/svg}a")]
    assert sorted(links) == sorted(f"reference/coefficients/{name}.html" for name in cd.REGISTRY)
    for name in cd.REGISTRY:
        assert name in " ".join(drawn)
        assert name in root.get("aria-label")
    for each, text in zip(texts, drawn, strict=True):
        letters = 8.2 if each.get("class") in ("question", "name") else 7.0
        assert float(each.get("x")) + letters * len(text) <= width + 1, text
