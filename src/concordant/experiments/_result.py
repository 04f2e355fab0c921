"""What an experiment returns: tables, and what is needed to repeat it on the same data."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant import __version__
from concordant._registry import Coefficient, get
from concordant.io._files import Source, expand, fail, read_text, write_whole
from concordant.report import Report, Table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Result"]


@dataclass(frozen=True, repr=False)
class Result(Report):
    """The result of an experiment: tidy tables, the configuration, the seed, the versions.

    The first table is the result proper; others hold what the figure shows. ``cd.plot(result)`` draws it.
    """

    experiment: str = ""
    seed: int | None = None
    versions: Mapping[str, str] = field(
        default_factory=lambda: {
            "concordant": __version__, "numpy": np.__version__, "python": platform.python_version()
        }
    )  # fmt: skip

    def to_frame(self, table: str | None = None) -> pd.DataFrame:
        """Return a table as pandas DataFrame, the first by default."""
        return (self.tables[0] if table is None else self[table]).to_frame()

    def to_json(self) -> str:
        """Return everything as JSON for other programs."""
        content = json.loads(super().to_json())
        content |= {"experiment": self.experiment, "seed": self.seed, "versions": dict(self.versions)}
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    def save(self, path: str | Path) -> None:
        """Write to a file, which appears whole or not at all; packed if it ends in .gz."""
        content = {
            "experiment": self.experiment,
            "title": self.title,
            "seed": self.seed,
            "versions": dict(self.versions),
            "config": {key: _packed(value) for key, value in self.config.items()},
            "notes": list(self.notes),
            "tables": [
                {
                    "name": t.name,
                    "title": t.title,
                    "columns": [_packed(c) for c in t.columns],
                    "rows": [[_packed(cell) for cell in row] for row in t.rows],
                }
                for t in self.tables
            ],
        }
        write_whole(path, json.dumps(content, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Result:
        """Read what `save` wrote."""
        try:
            content = json.loads(read_text(path))
            return cls(
                title=content["title"],
                tables=tuple(
                    Table(
                        t["name"],
                        t["title"],
                        tuple(_unpacked(c) for c in t["columns"]),
                        tuple(tuple(_unpacked(cell) for cell in row) for row in t["rows"]),
                    )
                    for t in content["tables"]
                ),
                notes=tuple(content["notes"]),
                config={key: _unpacked(value) for key, value in content["config"].items()},
                experiment=content["experiment"],
                seed=content["seed"],
                versions=content["versions"],
            )
        except (json.JSONDecodeError, KeyError, TypeError, AttributeError):
            fail(str(path), None, "is not the saved result of an experiment")


def _packed(cell: Any) -> Any:
    if isinstance(cell, Coefficient):
        return {"coefficient": str(cell)}
    if isinstance(cell, list | tuple):
        return [_packed(one) for one in cell]
    if isinstance(cell, np.generic):
        cell = cell.item()
    return None if isinstance(cell, float) and cell != cell else cell  # noqa: PLR0124 - nan


def _unpacked(cell: Any) -> Any:
    if isinstance(cell, dict):
        return get(cell["coefficient"])
    return [_unpacked(one) for one in cell] if isinstance(cell, list) else cell


def files_of(who: str, runs: Source | Iterable[Source]) -> list[Source]:
    """Return the files of runs that are read more than once."""
    files = expand("runs", runs)
    if not all(isinstance(file, str) and file != "-" for file in files):
        raise TypeError(f"{who}: runs are read more than once; give files, not streams")
    return files
