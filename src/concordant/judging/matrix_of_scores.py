"""A coefficient of all pairs of rankings of the same systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from concordant.coefficients import Coefficient, CoefficientLike, chosen
from concordant.comparison import Cell, all_pairs
from concordant.errors import ArgumentError
from concordant.rankings import n_workers
from concordant.scores import Scores, Study
from concordant.tables import Note, Result, records, unique
from concordant.typing import OnMissing

__all__ = ["MatrixResult", "matrix_of_scores"]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class MatrixResult(Result[Cell]):
    """A coefficient of all pairs of rankings of the same systems."""

    function: ClassVar[str] = "matrix"

    coefficient: Coefficient
    matrix: tuple[Cell, ...] = records(
        Cell, "{coefficient} of all pairs, row against column", spread=("estimate", "value")
    )


def matrix_of_scores(
    sides: Mapping[str, Scores],
    coefficient: CoefficientLike | None = None,
    *,
    on_missing: OnMissing | None = None,
    workers: int = 1,
) -> MatrixResult:
    """Correlate all pairs of rankings by means: each side, by each of its measures, is one."""
    (c,) = chosen(coefficient, "matrix")
    threads = n_workers(workers)
    study = Study.of_sides(sides, on_missing)
    means = {}
    for name, by_measure in zip(sides, study.measured.values(), strict=True):
        for measure, side in by_measure.items():
            both = f"{name} {measure}" if len(sides) > 1 else measure
            means[name if len(by_measure) == 1 else both] = side.mean
    if len(means) < 2:
        raise ArgumentError("there is only one ranking; give several files, or one with several measures")
    names, systems = list(means), list(study.systems)
    rows = np.array([[each[system] for system in systems] for each in means.values()])
    outcome, values = all_pairs(c, names, rows, systems, "raise", threads)
    outcome.refuse()
    notes = list(study.notes)
    if outcome.undefined:
        about = {"pairs": outcome.undefined, "total": len(outcome.values), "reason": outcome.reason}
        notes.append(Note("undefined_in_matrix", values={"coefficient": str(c), **about}))
    cells = tuple(
        Cell(row, column, float(values[i, j]))
        for i, row in enumerate(names)
        for j, column in enumerate(names)
    )
    return MatrixResult(coefficient=c, matrix=cells, notes=unique(notes))
