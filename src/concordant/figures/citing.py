"""How to cite a result: concordant, and the papers of its coefficients."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Any

from concordant.coefficients.declaration import Coefficient
from concordant.results.result import Result

_ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303"}  # combining characters


def citations(result: Result[Any]) -> list[str]:
    """Return the references for a result as plain text; concordant comes first."""
    own = f"The concordant authors. concordant: how well two rankings agree. Version {result.version()}."
    known = papers()
    return [own, *(known[key] for key in _keys(result) if key in known)]


def _keys(result: Result[Any]) -> list[str]:
    """Return the papers of the coefficients in the tables, without repetitions."""
    found: dict[str, None] = {}
    for table in result.tables:
        first = vars(table.records[0]) if table.records else {}
        names = [name for name, value in first.items() if isinstance(value, Coefficient)]
        for record in table.records if names else ():
            values = (getattr(record, name) for name in names)
            found |= {value.cite: None for value in values if isinstance(value, Coefficient) and value.cite}
    return list(found)


@cache
def papers() -> dict[str, str]:
    """Return the entries of references.bib as plain text, by key."""
    text = files("concordant").joinpath("references.bib").read_text(encoding="utf-8")
    entries = re.findall(r"^@\w+\{(\w+),(.*?)^\}", text, re.DOTALL | re.MULTILINE)
    return {
        key: _reference(dict(re.findall(r"(\w+)\s*=\s*\{(.*)\},?$", body, re.MULTILINE)))
        for key, body in entries
    }


def _reference(entry: dict[str, str]) -> str:
    """Return authors, year, title and place of publication."""
    known = {name: _plain(value) for name, value in entry.items()}
    where = next(
        (known[name] for name in ("journal", "booktitle", "school", "howpublished") if name in known), ""
    )
    if "volume" in known:
        where += f" {known['volume']}" + (f"({known['number']})" if "number" in known else "")
    if "pages" in known:
        where += f", {known['pages']}"
    parts = [f"{_authors(known['author'])} ({known['year']})", known["title"], where]
    return " ".join(f"{part}." for part in parts if part)


def _authors(text: str) -> str:
    """Return names in reading order: "Corsi, Matteo and ..." becomes "Matteo Corsi and ..."."""
    names = [" ".join(reversed(name.split(", "))) for name in re.split(r"\s+and\s+", text)]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _plain(text: str) -> str:
    """Return LaTeX as plain text, for the few commands in references.bib."""
    text = re.sub(r"""\\(['`"^~])\{?(\w)\}?""", lambda found: found[2] + _ACCENTS[found[1]], text)
    return unicodedata.normalize("NFC", text.replace("{", "").replace("}", "").replace("--", "–"))
