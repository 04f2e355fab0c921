"""How to cite a result: concordant, and the papers of its coefficients."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

from concordant.coefficients.declaration import Coefficient
from concordant.results.result import Result


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
    """Return the references by key: in references.bib, the line above an entry says it as plain text."""
    text = files("concordant").joinpath("references.bib").read_text(encoding="utf-8")
    return {key: plain for plain, key in re.findall(r"^(\S.*)\n@\w+\{(\w+),", text, re.MULTILINE)}
